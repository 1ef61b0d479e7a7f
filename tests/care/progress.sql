-- progress.sql - session_progress: the newest observations of the open task, a line each. It only reads.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT 'no session: NULL', session_progress('nobody'), NULL;
SELECT session_start('main', 'Add retries');
SELECT 'nothing yet', session_progress('main'), 'Nothing recorded yet.';
CREATE TEMP TABLE seen(n INTEGER PRIMARY KEY, kind, data, line);
INSERT INTO seen(kind, data, line) VALUES ('FileRead', '{"path":"src/upload.c"}', 'Read src/upload.c'), ('FileWrite', '{"file_path":"b.c"}', 'Wrote b.c'),
  ('CommandRun', '{"command":"make check","exit_code":2}', 'Ran make check (exit 2)'), ('CommandRun', '{"command":"make"}', 'Ran make'),
  ('Plan', '{"plan":"first read"}', 'Plan: first read'), ('Note', '{"text":"it is late"}', 'it is late'), ('Note', 'said', 'said'), ('Note', '[1]', '[1]');
INSERT INTO turnstile SELECT 'session_observe', json_array('main', kind, data) FROM seen ORDER BY n;
SELECT 'a line each, oldest first', session_progress('main'), (SELECT group_concat('- ' || line, char(10)) FROM (SELECT line FROM seen ORDER BY n));
INSERT INTO turnstile SELECT 'session_note', json_array('main', 'n' || value) FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]');
SELECT 'twenty at most, the newest', (SELECT count(*) FROM json_each('["' || replace(session_progress('main'), char(10), '","') || '"]') WHERE value LIKE '- n%'), 20;
SELECT 'none of the older ones', instr(session_progress('main'), 'upload.c'), 0;
SELECT session_alias('nick', 'main');
SELECT 'another name', session_progress('nick'), session_progress('main');
INSERT INTO turnstile(command, args) VALUES ('session_progress', '["main"]') RETURNING 'the door', turnstile_result(), session_progress('main');
INSERT INTO turnstile(command, args) VALUES ('session_progress', '{"label":"nobody"}') RETURNING 'by name: no session', turnstile_result(), NULL;

---- The turn that runs

SELECT turn_begin('turn', 'w', '{"messages":[{"role":"user","content":"x"}]}') ->> '$.turn';
SELECT 'no task: NULL', session_progress('turn'), NULL;
SELECT session_deliver('work', 'add retries', '{"owner":"w"}') IS NOT NULL;
SELECT turn_tool_call(turn_id, token, 'c', 'bash', '{"command":"make"}') FROM session_runs WHERE session_label = 'work';
SELECT 'its calls', session_progress('work') LIKE '%bash%', 1;
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT session_progress('work') || session_progress('main');
SELECT 'nothing is written', dump_of() = d, 1 FROM was;
SELECT session_compact('main', 'done');
SELECT 'when the task is over', session_progress('main'), NULL;
SELECT 'label NULL', error_of('SELECT session_progress(NULL)'), 'session_progress: label is missing';
SELECT 'label a number', error_of('SELECT session_progress(7)'), 'session_progress: label must be text, not an integer';
SELECT 'own is no yes or no', error_of('SELECT session_progress(''main'', ''{"own":2}'')'), 'session_progress: own is 2; it must be from 0 to 1';
