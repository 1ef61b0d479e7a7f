-- abort.sql - turn_abort: somebody has stopped a turn.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

CREATE TEMP VIEW run AS SELECT session_label, turn_id AS turn, token FROM session_runs WHERE turn_id IS NOT NULL;
SELECT queue_push('main', 'Add retries');
SELECT turn_begin('main', 'w') ->> '$.turn';
SELECT turn_message(16777216, 1, '{"role":"assistant","content":"I begin …"}');
SELECT 'what it returns', turn_abort(16777216, 1, 'stopped by the user', '{"now":1767225601000,"usage":{"output_tokens":3}}'),
  '{"turn":16777216,"status":"aborted","on_path":true,"session":"main","head":16777216,"state":"Running","cancelled":[{"queue_id":1,"message":"Add retries"}],"waiting":0}';
SELECT 'what it recorded stays on the path', (SELECT json_array(status, error, completed_at, output_tokens) FROM turn_path('main')), '["aborted","stopped by the user",1767225601000,3]';
SELECT 'its input is done with', (SELECT json_array(status, delivered_at) FROM session_queue), '["cancelled",1767225601000]';
SELECT 'and can be worked on after all', queue_retry(1) IS NOT NULL AND turn_begin('main', 'w') IS NOT NULL, 1;

SELECT 'nothing recorded: it does not stay, but what it had is called off', json_extract(turn_abort(turn, token, 'no'), '$.on_path', '$.head', '$.waiting', '$.cancelled[0].queue_id'), '[false,16777216,0,1]' FROM run;
SELECT queue_push('keep', 'x');
SELECT turn_begin('keep', 'w') IS NOT NULL;
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM run;
SELECT 'keep 0: it does not stay, whatever it recorded', json_extract(turn_abort(turn, token, 'no', '{"keep":0}'), '$.on_path', '$.head', '$.waiting'), '[false,null,0]' FROM run;
SELECT queue_push('again', 'x');
SELECT turn_begin('again', 'w') IS NOT NULL;
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM run;
SELECT 'requeue: its inputs wait', json_extract(turn_abort(turn, token, 'no', '{"requeue":1}'), '$.on_path', '$.waiting'), '[false,1]' FROM run;
SELECT 'first in line', turn_begin('again', 'w') ->> '$.messages[0].attempt', 2;
SELECT turn_abort(turn, token, 'no') FROM run;

SELECT turn_begin('door', 'w', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
SELECT 'no inputs from the queue: none called off', turn_abort(turn, token, 'e') -> '$.cancelled', NULL FROM run;

---- Refusals

SELECT turn_begin('other', 'w', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES ('NULL', 'reason is missing'), (''' ''', 'reason is empty; it must hold more than white space'), ('7', 'reason must be text, not an integer'),
  ('''e'', ''{"keep":1,"requeue":1}''', 'keep and requeue are both given; what is to be done again can''t stay as done'),
  ('''e'', ''{"keep":2}''', 'keep is 2; it must be from 0 to 1');
SELECT args, error_of(printf('SELECT turn_abort(%d, %d, %s)', turn, token, args)), 'turn_abort: ' || error FROM wrong, run;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
