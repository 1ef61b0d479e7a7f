-- message.sql - turn_message: a message is added to a running turn.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

SELECT turn_begin('main', 'w', '{"messages":[{"role":"user","content":"add retries"}]}') ->> '$.turn';

SELECT 'its place, behind the input, and the signals', turn_message(16777216, 1, '{"role":"assistant","content":"I look at upload.c first."}'),
  '{"sequence":1,"expires_at":1767225900000,"interrupted":false,"steering":0}';
SELECT 'the row', (SELECT json_array(turn_id, sequence, role, content, metadata, created_at) FROM messages WHERE sequence = 1),
  '[16777216,1,"assistant","I look at upload.c first.",null,1767225600000]';
SELECT 'the next place', turn_message(16777216, 1, '{"role":"system","content":"hurry","metadata":{"a":1},"source":"timer","created_at":1767225500000}') ->> '$.sequence', 2;
SELECT 'with what it brings', (SELECT json_array(role, source, json(metadata), created_at) FROM messages WHERE sequence = 2), '["system","timer",{"a":1},1767225500000]';
SELECT 'calls alone: the place of the first', turn_message(16777216, 1, '{"role":"assistant","tool_calls":[{"id":"c1","name":"bash","params":{"command":"make"}},{"id":"c2","name":"bash"}]}') ->> '$.sequence', 3;
SELECT 'both are there', (SELECT group_concat(id || ':' || status) FROM tool_calls), 'c1:pending,c2:pending';
SELECT 'a result goes to its call: that one''s place', turn_message(16777216, 1, '{"role":"tool","tool_call_id":"c1","content":"ok"}') ->> '$.sequence', 3;
SELECT 'which has it', (SELECT status || ':' || result FROM tool_calls WHERE id = 'c1'), 'completed:ok';
SELECT 'the same result again', turn_message(16777216, 1, '{"role":"tool","tool_call_id":"c1","content":"ok"}') -> '$.duplicate', 'true';
SELECT 'the context shows it while the turn runs', (SELECT count(*) FROM session_context('main') WHERE content = 'I look at upload.c first.'), 1;
SELECT 'it renews the lease', turn_message(16777216, 1, '{"role":"assistant","content":"…"}', '{"now":1767225610000}') ->> '$.expires_at', 1767225910000;

---- Messages that are none

CREATE TEMP TABLE wrong(message, error);
INSERT INTO wrong VALUES (NULL, 'message is missing'), ('{', 'message is not valid JSON'), ('[]', 'message must be a JSON object, not a JSON array'),
  ('{"role":"nope","content":"x"}', 'message.role is nope; it must be user, assistant, system or tool'),
  ('{"role":"user"}', 'message.content is missing'),
  ('{"role":"user","content":"x","name":"n"}', 'message has no field ''name''; put it into metadata'),
  ('{"role":"tool","content":"x"}', 'message.tool_call_id is missing; role tool needs it'),
  ('{"role":"user","content":"x","tool_call_id":"c"}', 'message.tool_call_id goes with role tool only'),
  ('{"role":"user","content":"x","tool_calls":[{"id":"a","name":"b"}]}', 'message.tool_calls go with role assistant only'),
  ('{"role":"assistant","tool_calls":[{"id":"a"}]}', 'message.tool_calls[0] needs an id and a name');
SELECT ifnull(message, 'NULL'), error_of(printf('SELECT turn_message(16777216, 1, %Q)', message)), 'turn_message: ' || error FROM wrong;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
