-- startup.sql - turnstile_startup: a process was restarted. run.sql has the runs.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT 'nothing to do', turnstile_startup('w'), '{"sessions":[],"runs_reset":0,"sessions_suspended":0,"items_given_back":0,"workers_timed_out":0,"live":[]}';
INSERT INTO turnstile SELECT 'session_start', json_array(value, 'x') FROM json_each('["mine","theirs","turn"]');
SELECT session_run('mine', 'w', 'starting');
SELECT session_run('theirs', 'v', 'starting');
SELECT 'a run without a turn', turnstile_startup('w'), '{"sessions":["mine"],"runs_reset":1,"sessions_suspended":1,"items_given_back":0,"workers_timed_out":0,"live":[]}';
SELECT 'goes to idle, and its session is suspended', json_extract(session_state('mine'), '$.run_state', '$.status'), '["idle","suspended"]';
SELECT 'somebody else''s goes on', json_extract(session_state('theirs'), '$.run_state', '$.status'), '["starting","active"]';
SELECT 'a message takes the session back', session_deliver('mine', 'and?', '{"class":"Clarification"}') IS NOT NULL AND session_state('mine') ->> '$.status' = 'active', 1;

---- A turn

SELECT queue_push('turn', 'test it');
SELECT turn_begin('turn', 'w', '{"lease":"1m"}') IS NOT NULL;
CREATE TEMP TABLE r AS SELECT turn_id AS turn, token FROM session_runs WHERE session_label = 'turn';
SELECT 'with a live lease it goes on, and is listed', json_extract(turnstile_startup('w'), '$.live', '$.runs_reset'), '[["turn"],0]';
SELECT 'and so it does', error_of(printf('SELECT turn_heartbeat(%d, %d)', turn, token)), NULL FROM r;
SELECT 'of nobody''s name only what has expired', json_extract(turnstile_startup(), '$.sessions', '$.runs_reset'), '[[],0]';
SELECT 'when the lease is over', turnstile_startup('w', '{"now":1767225660001}'), '{"sessions":["turn"],"runs_reset":1,"sessions_suspended":1,"items_given_back":1,"workers_timed_out":0,"live":[]}';
SELECT 'the turn has failed', (SELECT status FROM turns WHERE id = turn), 'failed' FROM r;
SELECT 'its token is dead', error_of(printf('SELECT turn_heartbeat(%d, %d)', turn, token)) LIKE 'turn_heartbeat: turn % is failed: %', 1 FROM r;
SELECT 'its input waits', (SELECT status FROM session_queue WHERE message = 'test it'), 'pending';
SELECT 'turn_begin takes the session back', turn_begin('turn', 'w') ->> '$.messages[0].content', 'test it';
SELECT 'all: no process of the name is at work', json_extract(turnstile_startup('w', '{"all":1}'), '$.sessions', '$.runs_reset', '$.live'), '[["turn"],1,[]]';
SELECT turn_begin('turn', 'w', '{"lease":"1m","messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
SELECT 'all of everybody', json_extract(turnstile_startup(NULL, '{"all":1}'), '$.sessions', '$.runs_reset'), '[["theirs","turn"],2]';
SELECT turn_begin('turn', 'w', '{"lease":"1m","messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
SELECT 'nobody''s name: what has expired', json_extract(turnstile_startup(NULL, '{"now":1767225660001}'), '$.sessions', '$.items_given_back'), '[["turn"],0]';

---- A repeated request

SELECT turn_begin('turn', 'w', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
CREATE TEMP TABLE first AS SELECT turnstile_startup('w', '{"all":1,"request_id":"s-1"}') AS report;
SELECT turn_begin('turn', 'w', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
SELECT 'repeated: the first report', turnstile_startup('w', '{"all":1,"request_id":"s-1"}'), report FROM first;
SELECT 'and the turn that has begun since goes on', session_state('turn') -> '$.live', 'true';
CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES ('7', 'owner must be text, not an integer'), ('''''', 'owner is empty'), ('''w'', ''{"all":2}''', 'all is 2; it must be from 0 to 1'), ('''w'', ''{"force":1}''', 'unknown option ''force''; it takes: all, now, request_id');
SELECT args, error_of('SELECT turnstile_startup(' || args || ')'), 'turnstile_startup: ' || error FROM wrong;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
