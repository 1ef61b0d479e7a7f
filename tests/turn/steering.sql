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

SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
