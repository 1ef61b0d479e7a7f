-- complete.sql - turn_complete: a turn ends, and the head moves to it. outcome.sql has what an outcome means for the task.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

SELECT turn_begin('main', 'w', '{"messages":[{"role":"user","content":"add retries"}]}') ->> '$.turn';
SELECT 'what it returns', turn_complete(16777216, 1, '{"messages":[{"role":"assistant","content":"I look"}],"content":"Done.","usage":{"input_tokens":50,"output_tokens":20},"model":"m","provider":"p","tokens":9,"resume_cursor":"cur"}', '{"now":1767225601000}'),
  '{"turn":16777216,"status":"completed","on_path":true,"session":"main","head":16777216,"state":"None","waiting":0}';
SELECT 'content stands behind the messages', (SELECT group_concat(role || ':' || content, ' | ') FROM messages), 'user:add retries | assistant:I look | assistant:Done.';
SELECT 'the turn', (SELECT json_array(status, completed_at, model, provider, thread_tokens, input_tokens, output_tokens, total_tokens, error) FROM turn_path('main')),
  '["completed",1767225601000,"m","p",9,50,20,70,null]';
SELECT 'the session', (SELECT json_array(thread_id, turns, total_tokens, resume_cursor) FROM sessions), '[16777216,1,70,"cur"]';
SELECT 'the lease is given back', json_extract(session_state('main'), '$.live', '$.turn', '$.owner', '$.run_state'), '[false,null,"w","ready"]';
SELECT 'an event', (SELECT from_state || '>' || to_state FROM session_events WHERE axis = 'turn' ORDER BY id DESC LIMIT 1), 'completing>completed';
SELECT 'without a result', turn_begin('main', 'w', '{"messages":[{"role":"user","content":"x"}]}') ->> '$.turn', 16777217;
CREATE TEMP VIEW run AS SELECT session_label, turn_id AS turn, token FROM session_runs WHERE turn_id IS NOT NULL;
SELECT 'it ends as well', turn_complete(turn, token) ->> '$.status', 'completed' FROM run;
SELECT 'no message more', (SELECT count(*) FROM messages WHERE turn_id = 16777217), 1;
SELECT 'the cursor is kept', (SELECT resume_cursor FROM sessions), 'cur';

---- Inputs, and the task

SELECT session_deliver('work', 'add retries', '{"owner":"w"}') ->> '$.turn.turn';
SELECT session_deliver('work', 'and a log', '{"mode":"queue","class":"Modification"}') ->> '$.action';
SELECT 'what waits for the next turn, and the state', json_extract(turn_complete(turn, token, '{"content":"Which?","outcome":"question"}'), '$.waiting', '$.state'), '[1,"AwaitingUser"]' FROM run;
SELECT 'its input is delivered', (SELECT status FROM session_queue WHERE message = 'add retries'), 'delivered';

---- Refusals

SELECT turn_begin('other', 'w', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
CREATE TEMP TABLE wrong(result, error);
INSERT INTO wrong VALUES
  ('{"nope":1}', 'result has no field ''nope''; it takes content, messages, usage, model, provider, tokens, resume_cursor, outcome, question, summary'),
  ('{"content":7}', 'result.content must be text'), ('[]', 'result must be a JSON object, not a JSON array'), ('{', 'result is not valid JSON'),
  ('{"usage":{"input_tokens":-1}}', 'result.usage.input_tokens must be an integer from 0 to 2^43 - 1'),
  ('{"messages":{}}', 'result.messages must be an array');
SELECT result, error_of(printf('SELECT turn_complete(%d, %d, %Q)', turn, token, result)), 'turn_complete: ' || error FROM wrong, run;
SELECT 'an outcome that is none', error_of(printf('SELECT turn_complete(%d, %d, ''{"outcome":"maybe"}'')', turn, token)) LIKE 'turn_complete: result.outcome must be %', 1 FROM run;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
