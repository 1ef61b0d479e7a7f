-- fail.sql - turn_fail: a turn that went wrong. retried.sql has what becomes of its inputs in the next one.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

CREATE TEMP VIEW run AS SELECT session_label, turn_id AS turn, token FROM session_runs WHERE turn_id IS NOT NULL;
SELECT turn_begin('main', 'w', '{"messages":[{"role":"user","content":"add retries"}]}') ->> '$.turn';
SELECT 'what it returns', turn_fail(16777216, 1, 'the model did not answer', '{"now":1767225601000,"usage":{"input_tokens":5},"resume_cursor":"cur"}'),
  '{"turn":16777216,"status":"failed","on_path":false,"session":"main","head":null,"state":"None","waiting":0}';
SELECT 'it stays in the tree', (SELECT json_array(status, error, completed_at, input_tokens) FROM turn_tree(16777216)), '["failed","the model did not answer",1767225601000,5]';
SELECT 'and is no part of the path', (SELECT count(*) FROM turn_path('main')), 0;
SELECT 'what it used is counted, the cursor is kept', (SELECT json_array(total_tokens, resume_cursor, thread_id) FROM sessions), '[5,"cur",null]';
SELECT 'the lease is given back', session_state('main') -> '$.live', 'false';

---- Inputs

SELECT queue_push('q', 'test it');
SELECT turn_begin('q', 'w') IS NOT NULL;
SELECT 'nothing recorded: its input waits again', turn_fail(turn, token, 'no answer') ->> '$.waiting', 1 FROM run;
SELECT 'first in line, with its error', (SELECT json_array(status, attempts, error, turn_id) FROM session_queue), '["pending",1,"no answer",null]';
SELECT turn_begin('q', 'w', '{"now":1767229200000}') ->> '$.turn';
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM run;
SELECT 'something recorded: nothing waits', turn_fail(turn, token, 'broken off') ->> '$.waiting', 0 FROM run;
SELECT 'its input has failed', (SELECT json_array(status, error) FROM session_queue), '["failed","broken off"]';

---- retry_after

SELECT queue_push('r', 'test it');
SELECT turn_begin('r', 'w') IS NOT NULL;
SELECT turn_fail(turn, token, 'rate limit', '{"retry_after":"30 s"}') FROM run;
SELECT 'before its time nobody gets it', turn_begin('r', 'w', '{"now":1767225629999}'), NULL;
SELECT 'the attempt does not count', (SELECT attempts FROM session_queue WHERE session_label = 'r'), 0;
SELECT 'then it is there', turn_begin('r', 'w', '{"now":1767225630000}') ->> '$.messages[0].content', 'test it';
SELECT 'retry_after 0: at once', turn_fail(turn, token, 'rate limit', '{"retry_after":0,"now":1767225630000}') ->> '$.waiting', 1 FROM run;
SELECT 'at once', turn_begin('r', 'w', '{"now":1767225630000}') ->> '$.messages[0].attempt', 1;
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM run;
SELECT 'of a turn that has recorded something it is ignored, and says so', turn_fail(turn, token, 'x', '{"retry_after":"30 s"}') ->> '$.note' IS NOT NULL, 1 FROM run;

---- Refusals

SELECT turn_begin('other', 'w', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES ('NULL', 'error is missing'), (''' ''', 'error is empty; it must hold more than white space'), ('7', 'error must be text, not an integer'),
  ('''e'', ''{"retry_after":"5"}''', 'retry_after is ''5'', without a unit; it must be a duration such as ''30 s'', or an integer in milliseconds'),
  ('''e'', ''{"retry_after":5}''', 'retry_after is 5 ms, less than a second; for seconds write ''5 s'', for milliseconds ''5 ms'''),
  ('''e'', ''{"retry_after":"400 days"}''', 'retry_after is 34560000000 ms; it must be from 0 to 31536000000, a year'),
  ('''e'', ''{"usage":{"input_tokens":"x"}}''', 'usage.input_tokens must be an integer from 0 to 2^43 - 1');
SELECT args, error_of(printf('SELECT turn_fail(%d, %d, %s)', turn, token, args)), 'turn_fail: ' || error FROM wrong, run;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
