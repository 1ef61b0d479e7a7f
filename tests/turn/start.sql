-- start.sql - session_start: a task begins.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

SELECT 'it returns the task''s id', session_start('main', 'add retries'), 1;
SELECT 'it makes the session, and the task is open', (SELECT json_array(s.status, s.origin, s.open_task_id, t.state, t.description, t.started_at, t.ended_at, t.base_commit_id)
  FROM sessions AS s JOIN tasks AS t ON t.session_label = s.label), '["active","user",1,"Running","add retries",1767225600000,null,null]';
SELECT 'an event for each', (SELECT group_concat(axis || ':' || to_state || ':' || "trigger") FROM (SELECT * FROM session_events ORDER BY id)), 'status:active:create,task:Running:start';
SELECT 'the first step', (SELECT step_kind || ifnull(parent_id, '') FROM steps), 'SessionStart';
SELECT 'an open task is not replaced', error_of('SELECT session_start(''main'', ''Something else'')'),
  'session_start: session ''main'' has an open task (add retries, Running); session_compact ends it first';
SELECT session_compact('main', 'done');
SELECT 'the next one knows the commit on which it builds', session_start('main', 'add logs'), 2;
SELECT 'that of the last task', (SELECT base_commit_id FROM tasks WHERE id = 2), (SELECT id FROM commits);
SELECT 'a persona is the new session''s', session_start('p', 'x', '{"persona":"p1"}') > 0, 1;
SELECT 'it is kept', (SELECT persona_id FROM sessions WHERE label = 'p'), 'p1';
SELECT session_compact('p', 'done');
SELECT session_start('p', 'y', '{"persona":"p2"}');
SELECT 'of a session that is there it stays', (SELECT persona_id FROM sessions WHERE label = 'p'), 'p1';
SELECT session_compact('p', 'done');
SELECT session_suspend('p');
SELECT session_start('p', 'z');
SELECT 'a pause ends', session_state('p') ->> '$.status', 'active';

---- A trigger of the file

CREATE TABLE issue(n INTEGER PRIMARY KEY, title TEXT);
CREATE TRIGGER issue_starts AFTER INSERT ON issue BEGIN
  INSERT INTO turnstile(command, args) VALUES ('session_start', json_array('issue-' || new.n, new.title));
END;
INSERT INTO issue VALUES (4, 'upload fails'), (5, 'log is empty');
SELECT 'a trigger of the file, a session each', (SELECT group_concat(session_label || ' ' || description, ', ') FROM tasks WHERE session_label LIKE 'issue-%'), 'issue-4 upload fails, issue-5 log is empty';

---- The same request

CREATE TEMP TABLE first AS SELECT session_start('once', 'x', '{"request_id":"s-1"}') AS id;
SELECT 'repeated: the first task''s id', session_start('once', 'x', '{"request_id":"s-1"}'), id FROM first;
SELECT session_compact('once', 'done');
SELECT 'also when it is over: none begins', session_start('once', 'x', '{"request_id":"s-1"}'), id FROM first;
SELECT 'nothing is open', session_state('once') ->> '$.task', NULL;

---- Refusals

SELECT 'label NULL', error_of('SELECT session_start(NULL, ''x'')'), 'session_start: label is missing';
SELECT 'label with NUL', error_of('SELECT session_start(''a'' || char(0), ''x'')') LIKE 'session_start: label %', 1;
SELECT 'a label of over 1,024 bytes', error_of(printf('SELECT session_start(%Q, ''x'')', printf('%.1025c', 'x'))), 'session_start: label is 1025 bytes long; at most 1024 are allowed';
SELECT 'task NULL', error_of('SELECT session_start(''new'', NULL)'), 'session_start: task is missing';
SELECT 'task of blanks', error_of('SELECT session_start(''new'', ''  '')'), 'session_start: task is empty; it must hold more than white space';
SELECT 'task a BLOB', error_of('SELECT session_start(''new'', x''41'')'), 'session_start: task must be text, not a BLOB';
SELECT 'persona a number', error_of('SELECT session_start(''new'', ''x'', ''{"persona":7}'')'), 'session_start: persona must be text, not an integer';
SELECT 'persona empty', error_of('SELECT session_start(''new'', ''x'', ''{"persona":""}'')'), 'session_start: persona is empty';
SELECT 'none of these has made the session', session_state('new'), NULL;
SELECT session_fail('once', 'no network');
SELECT 'in error', error_of('SELECT session_start(''once'', ''y'')'), 'session_start: session ''once'' is in error; no task begins until its status is active';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
