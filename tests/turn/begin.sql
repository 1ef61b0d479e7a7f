-- begin.sql - turn_begin: a turn begins under the head, with what waits or with the messages given.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
CREATE TEMP VIEW run AS SELECT session_label, turn_id AS turn, token FROM session_runs WHERE turn_id IS NOT NULL;

SELECT 'nothing waits: NULL', turn_begin('main', 'w'), NULL;
SELECT 'and no session is made', (SELECT count(*) FROM sessions), 0;
SELECT 'with messages', turn_begin('main', 'w', '{"messages":[{"role":"user","content":"Add retries"}],"lease":"1m","model":"m","provider":"p","persona":"q","external_id":"e-1","source":"timer"}'),
  '{"turn":16777216,"token":1,"session":"main","parent":null,"expires_at":1767225660000,"resume_cursor":null,"messages":[{"role":"user","content":"Add retries"}]}';
SELECT 'the turn', (SELECT json_array(status, source, model, provider, external_id, started_at, completed_at) FROM turn_tree(16777216)), '["running","timer","m","p","e-1",1767225600000,null]';
SELECT 'the lease', (SELECT json_array(owner, token, turn_id, run_state, acquired_at, expires_at, lease) FROM session_runs), '["w",1,16777216,"starting",1767225600000,1767225660000,60000]';
SELECT 'the input stands in it', (SELECT json_array(turn_id, sequence, role, content) FROM messages), '[16777216,0,"user","Add retries"]';
SELECT 'the head is where it was', (SELECT thread_id FROM sessions), NULL;
SELECT 'another one is refused', error_of('SELECT turn_begin(''main'', ''w2'', ''{"messages":[{"role":"user","content":"Me too"}]}'')'),
  'turn_begin: session ''main'' is busy: ''w'' executes turn 16777216, with a lease until 1767225660000';
SELECT 'the same owner, too', error_of('SELECT turn_begin(''main'', ''w'', ''{"messages":[{"role":"user","content":"Me too"}]}'')'),
  'turn_begin: session ''main'' is busy: ''w'' executes turn 16777216, with a lease until 1767225660000';
SELECT 'which is a code of its own', error_code_of('SELECT turn_begin(''main'', ''w'', ''{"messages":[{"role":"user","content":"Me too"}]}'')') & 255, 5;
SELECT 'a lease that is over is taken', turn_begin('main', 'w2', '{"messages":[{"role":"user","content":"Me too"}],"now":1767225660001}') ->> '$.turn' <> 16777216, 1;
SELECT 'its turn has failed', (SELECT status FROM turns WHERE id = 16777216), 'failed';
SELECT 'its token is dead', error_of('SELECT turn_heartbeat(16777216, 1)') LIKE 'turn_heartbeat: turn 16777216 is failed: %', 1;
SELECT 'the token is another one', (SELECT token > 1 FROM run), 1;

---- From the queue

SELECT queue_push('q', 'test it', '{"source":"agent","channel":"c","sender":"s","message_id":"m-1"}');
SELECT 'an input as it was said', turn_begin('q', 'w') -> '$.messages', '[{"role":"user","content":"test it","queue_id":1,"source":"agent","channel":"c","sender":"s","message_id":"m-1","class":null,"attempt":1}]';
SELECT 'it is being worked on', (SELECT json_array(status, attempts, turn_id = (SELECT turn FROM run WHERE session_label = 'q')) FROM session_queue), '["processing",1,1]';
SELECT turn_complete(turn, token, '{"content":"ok","resume_cursor":"cur"}') FROM run WHERE session_label = 'q';
SELECT queue_push('q', '/compact the tests');
SELECT 'the parent, and the provider''s own thread', json_extract(turn_begin('q', 'w', '{"messages":[{"role":"user","content":"x"}]}'), '$.parent', '$.resume_cursor'),
  json_array((SELECT thread_id FROM sessions WHERE label = 'q'), 'cur');
SELECT 'messages given: what waits waits on', (SELECT status FROM session_queue WHERE message LIKE '/compact%'), 'pending';
SELECT turn_complete(turn, token) FROM run WHERE session_label = 'q';

---- By the door

INSERT INTO turnstile(command, args) VALUES ('turn_begin', '["nothing","w"]') RETURNING 'nothing waits', turnstile_result(), NULL;

---- turn_compact_begin has its test in compact.sql; its token is one as well

SELECT turn_append('c', '[{"role":"user","content":"a"}]');
SELECT turn_append('c', '[{"role":"user","content":"b"}]');
SELECT turn_append('c', '[{"role":"user","content":"d"}]');
SELECT 'who compacts holds the session', turn_compact_begin('c', 'w', '{}') IS NOT NULL AND error_of('SELECT turn_begin(''c'', ''v'', ''{"messages":[{"role":"user","content":"x"}]}'')') LIKE 'turn_begin: session ''c'' is busy: ''w'' %', 1;

---- Refusals

CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES ('NULL, ''w''', 'label is missing'), ('''new'', NULL', 'owner is missing'), ('''new'', ''''', 'owner is empty'),
  ('''new'', ''w'', ''{"messages":[]}''', 'messages is empty; without it the turn takes what waits in the queue'),
  ('''new'', ''w'', ''{"lease":0,"messages":[{"role":"user","content":"x"}]}''', 'lease must be longer than 0 ms'),
  ('''new'', ''w'', ''{"messages":{}}''', 'messages must be a JSON array, not a JSON object'),
  ('''new'', ''w'', ''{"messages":[{"role":"user"}]}''', 'messages[0].content is missing'),
  ('''new'', ''w'', ''{"external_id":"e-1","messages":[{"role":"user","content":"x"}]}''', 'there is a turn with external_id ''e-1'' already; use a new one');
SELECT args, error_of('SELECT turn_begin(' || args || ')'), 'turn_begin: ' || error FROM wrong;
SELECT 'none of these has made the session', session_state('new'), NULL;
SELECT session_start('bad', 'x');
SELECT session_fail('bad', 'no network');
SELECT 'in error', error_of('SELECT turn_begin(''bad'', ''w'', ''{"messages":[{"role":"user","content":"x"}]}'')'), 'turn_begin: session ''bad'' is in error; no turn begins until its status is active';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
