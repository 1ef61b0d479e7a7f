-- note.sql - session_note: a note of the open task, which is work.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT session_start('main', 'add retries');
SELECT session_start('other', 'add logs');
CREATE TEMP VIEW noted AS SELECT id, session_label, task_id, kind, auto, data, step_id, object_id, created_at
  FROM observations WHERE kind = 'Note';

---- What it returns and writes

SELECT 'it returns the observation''s id', session_note('main', 'the server sends Retry-After', '{"now":1767225601000}'), 1;
SELECT 'a Note of the open task, in no step yet', (SELECT json_array(task_id, kind, auto, json(data), step_id, object_id, created_at) FROM noted),
  json_array((SELECT open_task_id FROM sessions WHERE label = 'main'), 'Note', 0, json('{"text":"the server sends Retry-After"}'), NULL, NULL, 1767225601000);
SELECT 'the task has work now', (SELECT worked FROM tasks WHERE session_label = 'main'), 1;
SELECT 'the other one has none', (SELECT worked FROM tasks WHERE session_label = 'other'), 0;
SELECT 'it is activity', (SELECT last_activity FROM sessions WHERE label = 'main'), 1767225601000;
SELECT 'no event: the state is as it was', (SELECT count(*) FROM session_events WHERE session_label = 'main' AND axis = 'task'), 1;
SELECT 'a text is kept as it is', (SELECT session_note('main', '  "quoted" ' || char(10) || ' ünï 🙂 ')) || (SELECT data ->> '$.text' FROM noted ORDER BY id DESC LIMIT 1),
  '2  "quoted" ' || char(10) || ' ünï 🙂 ';
SELECT 'the same text once more is another note', session_note('main', 'again') < session_note('main', 'again'), 1;

---- By another name

SELECT session_alias('nick', 'other');
SELECT 'by another name', session_note('nick', 'by alias') = (SELECT max(id) FROM noted WHERE session_label = 'other'), 1;

---- Refusals

SELECT 'label a BLOB', error_of('SELECT session_note(x''41'', ''x'')') LIKE 'session_note: label must be text%BLOB', 1;
SELECT 'text NULL', error_of('SELECT session_note(''main'', NULL)'), 'session_note: text is missing';
SELECT 'text of blanks', error_of('SELECT session_note(''main'', char(9, 10, 32))'), 'session_note: text is empty; it must hold more than white space';
SELECT 'text a BLOB', error_of('SELECT session_note(''main'', x''41'')'), 'session_note: text must be text, not a BLOB';
SELECT 'text a number', error_of('SELECT session_note(''main'', 7)'), 'session_note: text must be text, not an integer';
SELECT 'an option that it has not', error_of('SELECT session_note(''main'', ''x'', ''{"kind":"Plan"}'')'),
  'session_note: unknown option ''kind''; it takes: now, request_id';
SELECT session_compact('other', 'done');
SELECT 'it is a constraint', error_code_of('SELECT session_note(''other'', ''late'')') & 255, 19;

---- A note is work: the task ends with a commit

SELECT 'abandoned without a note: no commit', (SELECT session_start('bare', 'a joke')) > 0 AND
  (session_deliver('bare', 'never mind', '{"class":"Abandon","message_id":"1"}') IS NOT NULL) AND
  (SELECT count(*) FROM commits WHERE session_label = 'bare') = 0, 1;
SELECT session_start('worked', 'a joke');
SELECT session_note('worked', 'a first line');
SELECT session_deliver('worked', 'never mind', '{"class":"Abandon","message_id":"1"}');
SELECT 'with one: an Abandoned commit', (SELECT group_concat(commit_type) FROM commits WHERE session_label = 'worked'), 'Abandoned';
SELECT 'the chain is sound', (SELECT count(*) FROM turnstile_check), 0;
