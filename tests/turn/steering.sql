-- steering.sql - turn_steering: what a running turn takes while it goes on.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

SELECT session_deliver('main', 'add retries', '{"owner":"w"}') ->> '$.turn.token';

SELECT 'nothing to take', turn_steering(16777216, 1), '{"messages":[],"expires_at":1767225900000,"interrupted":false,"steering":0}';
SELECT session_deliver('main', 'five of them', '{"mode":"steer"}') ->> '$.action';
SELECT 'what steers', turn_steering(16777216, 1),
  '{"messages":[{"role":"user","content":"five of them","queue_id":2,"source":"user","class":"Modification","attempt":1}],"expires_at":1767225900000,"interrupted":false,"steering":0}';
SELECT 'is a message of the turn', (SELECT json_array(turn_id, sequence, role, content) FROM messages WHERE content = 'five of them'), '[16777216,1,"user","five of them"]';
SELECT 'and is being worked on', (SELECT json_array(status, turn_id, attempts) FROM session_queue WHERE id = 2), '["processing",16777216,1]';
SELECT 'taken once', turn_steering(16777216, 1) -> '$.messages', '[]';

---- What it takes, and what it leaves

SELECT session_deliver('main', 'and a log', '{"mode":"steer-backlog","class":"Modification"}') ->> '$.action';
SELECT session_deliver('main', 'later this', '{"mode":"queue","class":"Modification"}') ->> '$.action';
SELECT queue_push('main', 'never mind', '{"mode":"steer","source":"user"}');
SELECT session_deliver('main', 'from a worker', '{"mode":"steer","source":"agent","channel":"c","sender":"s","message_id":"m"}') ->> '$.action';
CREATE TEMP TABLE took AS SELECT turn_steering(16777216, 1) AS r;
SELECT 'in order: the mode steer-backlog, and what agents say', (SELECT group_concat(value ->> '$.content', ' | ') FROM json_each(r, '$.messages')), 'and a log | from a worker' FROM took;
SELECT 'with where it came from', (SELECT json_array(value ->> '$.source', value ->> '$.channel', value ->> '$.sender', value ->> '$.message_id') FROM json_each(r, '$.messages') WHERE value ->> '$.source' = 'agent'),
  '["agent","c","s","m"]' FROM took;
SELECT 'the mode queue waits, and what would end the task', (SELECT group_concat(message, ' | ') FROM (SELECT message FROM session_queue WHERE status = 'pending' ORDER BY id)),
  'later this | never mind';

---- An interrupt

SELECT 'interrupt', session_deliver('int', 'add retries', '{"owner":"w"}') IS NOT NULL, 1;
CREATE TEMP TABLE i AS SELECT turn_id AS turn, token FROM session_runs WHERE session_label = 'int';
SELECT session_deliver('int', 'wait, use jitter', '{"mode":"interrupt","class":"Modification"}') ->> '$.action';
SELECT 'the task is interrupted, and so is the run', json_extract(session_state('int'), '$.task_state', '$.run_state'), '["Interrupted","interrupted"]';
SELECT 'taken', turn_steering(turn, token) ->> '$.messages[0].content', 'wait, use jitter' FROM i;
SELECT 'both go on', json_extract(session_state('int'), '$.task_state', '$.run_state'), '["Running","running"]';

---- Both doors, a repeated request

SELECT session_deliver('int', 'one', '{"mode":"steer","class":"Modification"}') ->> '$.action';
INSERT INTO turnstile(command, args) SELECT 'turn_steering', json_array(turn, token) FROM i RETURNING 'the door', turnstile_result() ->> '$.messages[0].content', 'one';
SELECT session_deliver('int', 'two', '{"mode":"steer","class":"Modification"}') ->> '$.action';
INSERT INTO turnstile(command, args) SELECT 'turn_steering', json_object('turn', turn, 'token', token) FROM i RETURNING 'arguments by name', turnstile_result() ->> '$.messages[0].content', 'two';
SELECT session_deliver('int', 'three', '{"mode":"steer","class":"Modification"}') ->> '$.action';
SELECT 'with a request_id', turn_steering(turn, token, '{"request_id":"s-1"}') ->> '$.messages[0].content', 'three' FROM i;
SELECT 'repeated: the same again, which an answer that was lost needs', turn_steering(turn, token, '{"request_id":"s-1"}') ->> '$.messages[0].content', 'three' FROM i;
SELECT 'it is there once', (SELECT count(*) FROM messages WHERE content = 'three'), 1;
SELECT session_deliver('int', 'four', '{"mode":"steer","class":"Modification"}') ->> '$.action';
BEGIN;
SELECT turn_steering(turn, token) FROM i;
ROLLBACK;
SELECT 'rolled back: it waits', (SELECT status FROM session_queue WHERE message = 'four'), 'pending';

---- Refusals

SELECT 'turn NULL', error_of('SELECT turn_steering(NULL, 1)'), 'turn_steering: turn is missing';
SELECT 'token NULL', error_of('SELECT turn_steering(16777216, NULL)'), 'turn_steering: token is missing';
SELECT 'no turn', error_of('SELECT turn_steering(5, 1)'), 'turn_steering: there is no turn 5';
SELECT 'another token', error_of('SELECT turn_steering(16777216, 77)'), 'turn_steering: token 77 is not the one that turn_begin gave out for turn 16777216';
SELECT turn_abort(16777216, 1, 'stopped');
SELECT 'a turn that is over', error_of('SELECT turn_steering(16777216, 1)'), 'turn_steering: turn 16777216 is aborted: stopped; nothing can be added to it';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
