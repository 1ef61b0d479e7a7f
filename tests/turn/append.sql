-- append.sql - turn_append: a whole turn that is over.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

SELECT 'it returns the turn''s id', turn_append('main', '[{"role":"user","content":"Add retries"},{"role":"assistant","content":"Done."}]',
  '{"external_id":"e-1","model":"m","provider":"p","persona":"q","source":"webhook","usage":{"input_tokens":5,"output_tokens":7},"tokens":40,"resume_cursor":"cur","started_at":1767225500000}'), 16777216;
SELECT 'the session is made, and its head is there', (SELECT json_array(label, thread_id, turns, total_tokens, resume_cursor, status) FROM sessions), '["main",16777216,1,12,"cur","active"]';
SELECT 'the turn', (SELECT json_array(status, turn_type, source, model, provider, total_tokens, thread_tokens, external_id, started_at, completed_at) FROM turn_path('main')),
  '["completed","normal","webhook","m","p",12,40,"e-1",1767225500000,1767225600000]';
SELECT 'its messages', (SELECT group_concat(sequence || role || content, '|') FROM messages), '0userAdd retries|1assistantDone.';
SELECT 'under the head', turn_append('main', '[{"role":"user","content":"Thanks"}]'), 16777217;
SELECT 'under another turn: a branch', turn_append('main', '[{"role":"user","content":"No"}]', '{"parent":16777216}'), 33554433;
SELECT 'by its external id', (SELECT parent_turn_id FROM turns WHERE id = turn_append('main', '[{"role":"user","content":"So"}]', '{"parent":"e-1"}')), 16777216;
SELECT 'its size by itself: a quarter of its bytes, rounded up', (SELECT thread_tokens FROM turns WHERE id = turn_append('size', '[{"role":"user","content":"12345"},{"role":"user","content":"ü"}]')), 3;
SELECT 'an empty cursor clears it', turn_append('size', '[{"role":"user","content":"x"}]', '{"resume_cursor":"c"}') > 0 AND turn_append('size', '[{"role":"user","content":"y"}]', '{"resume_cursor":""}') > 0, 1;
SELECT 'to see', (SELECT resume_cursor FROM sessions WHERE label = 'size'), NULL;

---- Once more

SELECT turn_append('twice', '[{"role":"user","content":"a"}]', '{"external_id":"t-1","model":"m"}');
CREATE TEMP TABLE was AS SELECT dump_of() AS d, (SELECT id FROM turns WHERE external_id = 't-1') AS id;
SELECT 'the same call gives the same id', turn_append('twice', '[{"role":"user","content":"a"}]', '{"external_id":"t-1","model":"m"}'), id FROM was;
SELECT 'and changes nothing', dump_of() = d, 1 FROM was;
SELECT 'other messages', error_of('SELECT turn_append(''twice'', ''[{"role":"user","content":"b"}]'', ''{"external_id":"t-1","model":"m"}'')'),
  printf('turn_append: external_id ''t-1'' was used before for turn %d, with other messages; use a new one', id) FROM was;
SELECT 'another model', error_of('SELECT turn_append(''twice'', ''[{"role":"user","content":"a"}]'', ''{"external_id":"t-1","model":"n"}'')'),
  printf('turn_append: external_id ''t-1'' was used before for turn %d, with another source, model, provider, persona or usage; use a new one', id) FROM was;
SELECT 'another session', error_of('SELECT turn_append(''size'', ''[{"role":"user","content":"a"}]'', ''{"external_id":"t-1","model":"m"}'')'),
  printf('turn_append: external_id ''t-1'' was used before for turn %d, in another session; use a new one', id) FROM was;

---- A trigger of the file

CREATE TABLE mail(body TEXT);
CREATE TRIGGER mail_appends AFTER INSERT ON mail BEGIN
  INSERT INTO turnstile(command, args) VALUES ('turn_append', json_array('mail', json_array(json_object('role', 'user', 'content', new.body))));
END;
INSERT INTO mail VALUES ('one'), ('two');
SELECT 'a trigger of the file, a turn each', (SELECT group_concat(depth) FROM turn_path('mail')), '0,1';

---- Refusals

CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES ('NULL, ''[]''', 'label is missing'), ('''new'', NULL', 'messages is missing'), ('''new'', ''[]''', 'messages is empty; a turn holds at least one'),
  ('''new'', ''{}''', 'messages must be a JSON array, not a JSON object'), ('''new'', ''[''', 'messages is not valid JSON'),
  ('''new'', ''[7]''', 'messages[0] must be an object with role and content'),
  ('''new'', ''[{"role":"user","content":"x"}]'', ''{"parent":5}''', 'there is no turn 5'),
  ('''new'', ''[{"role":"user","content":"x"}]'', ''{"parent":"zz"}''', 'parent: there is no turn with external_id ''zz'''),
  ('''new'', ''[{"role":"user","content":"x"}]'', ''{"usage":{"input_tokens":-1}}''', 'usage.input_tokens must be an integer from 0 to 2^43 - 1'),
  ('''new'', ''[{"role":"user","content":"x"}]'', ''{"source":"cat"}''', 'source is ''cat''; it must be one of: user, agent, timer, webhook, system');
SELECT args, error_of('SELECT turn_append(' || args || ')'), 'turn_append: ' || error FROM wrong;
SELECT 'none of these has made the session', session_state('new'), NULL;
SELECT turn_begin('busy', 'w', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
SELECT 'while a run is live', error_of('SELECT turn_append(''busy'', ''[{"role":"user","content":"x"}]'')'),
  printf('turn_append: session ''busy'' is busy: ''w'' executes turn %d, with a lease until 1767225900000', (SELECT turn_id FROM session_runs));
SELECT 'under a turn that runs', error_of(printf('SELECT turn_append(''main'', ''[{"role":"user","content":"x"}]'', ''{"parent":%d}'')', (SELECT turn_id FROM session_runs))),
  printf('turn_append: turn %d is processing; it must be completed, or aborted with its output kept', (SELECT turn_id FROM session_runs));
SELECT session_fail('mail', 'no network');
SELECT 'in error', error_of('SELECT turn_append(''mail'', ''[{"role":"user","content":"x"}]'')'), 'turn_append: session ''mail'' is in error; no turn begins until its status is active';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
