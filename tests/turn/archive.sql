-- archive.sql - session_archive: a session is put away.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
CREATE TEMP VIEW moved AS SELECT session_label, from_state || '>' || to_state AS move, "trigger" FROM session_events WHERE axis = 'status' AND from_state IS NOT NULL ORDER BY id;

---- From every status

CREATE TEMP TABLE status(name PRIMARY KEY, command);
INSERT INTO status VALUES ('active', NULL), ('suspended', 'session_suspend'), ('archived', 'session_archive'), ('error', 'session_fail');
INSERT INTO turnstile SELECT 'session_start', json_array(name, 'add retries') FROM status;
INSERT INTO turnstile SELECT command, iif(name = 'error', json_array(name, 'no network'), json_array(name)) FROM status WHERE command IS NOT NULL;
SELECT name || ': where it begins', session_state(name) ->> '$.status', name FROM status;
SELECT name || ': archived', session_archive(name, '{"now":1767225601000}'), 'archived' FROM status;
SELECT name || ': stored', session_state(name) ->> '$.status', 'archived' FROM status;
SELECT 'since when; one that was there stays as it was', (SELECT group_concat(label || (archived_at - 1767225600000)) FROM (SELECT * FROM sessions ORDER BY label)), 'active1000,archived0,error1000,suspended1000';
SELECT 'the moves', (SELECT group_concat(session_label || ' ' || move) FROM moved WHERE move LIKE '%>archived'), 'archived active>archived,active active>archived,error error>archived,suspended suspended>archived';

---- What stays, and who takes it out again

SELECT session_start('main', 'add retries');
SELECT queue_push('main', 'test it');
SELECT turn_append('main', '[{"role":"user","content":"a"}]');
SELECT session_archive('main', '{"reason":"for now"}');
SELECT 'task, queue, turns and reason', json_extract(session_state('main'), '$.task', '$.status_reason') || (SELECT count(*) FROM session_queue) || (SELECT count(*) FROM turn_path('main')), '["add retries","for now"]11';
SELECT 'a worker''s or timer''s message waits', session_deliver('main', 'tick', '{"source":"timer","message_id":"1"}') IS NOT NULL AND session_state('main') ->> '$.status' = 'archived', 1;
SELECT session_deliver('main', 'five of them', '{"class":"Modification","message_id":"2"}') ->> '$.action';
SELECT 'a user''s takes it out', session_state('main') ->> '$.status', 'active';
SELECT session_start('idle', 'x');
SELECT session_compact('idle', 'done');
SELECT session_archive('idle', '{"reason":"idle"}');
SELECT session_deliver('idle', 'tick', '{"source":"timer","message_id":"1"}') ->> '$.action';
SELECT 'after the reason idle a timer''s does, too', session_state('idle') ->> '$.status', 'active';

---- A live run

SELECT queue_push('run', 'test it');
SELECT turn_begin('run', 'w', '{"lease":"1m"}') IS NOT NULL;
CREATE TEMP TABLE r AS SELECT turn_id AS turn, token FROM session_runs WHERE session_label = 'run';
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM r;
SELECT 'refuses', error_of('SELECT session_archive(''run'')'),
  printf('session_archive: session ''run'' has a live run: ''w'' executes turn %d, with a lease until 1767225660000; archive it when the turn has ended, or with the option force', turn) FROM r;
SELECT 'force stops it', session_archive('run', '{"force":1}'), 'archived';
SELECT 'its output is kept', (SELECT count(*) FROM turn_path('run') WHERE turn_id = turn), 1 FROM r;
SELECT 'its token is dead', error_of(printf('SELECT turn_heartbeat(%d, %d)', turn, token)) LIKE 'turn_heartbeat: turn % is aborted: %', 1 FROM r;
SELECT 'its input is cancelled', (SELECT status FROM session_queue WHERE session_label = 'run'), 'cancelled';
SELECT turn_begin('late', 'w', '{"lease":"1m","messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
CREATE TEMP TABLE l AS SELECT turn_id AS turn FROM session_runs WHERE session_label = 'late';
SELECT 'one whose lease is over needs no force', session_archive('late', '{"now":1767225660001}'), 'archived';
SELECT 'its turn has failed', (SELECT status FROM turns WHERE id = turn), 'failed' FROM l;

---- Refusals

SELECT 'force is no yes or no', error_of('SELECT session_archive(''active'', ''{"force":2}'')'), 'session_archive: force is 2; it must be from 0 to 1';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
