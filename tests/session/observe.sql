-- observe.sql - session_observe: what the agent saw or did for the open task.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT session_start('main', 'add retries');

---- What it returns and writes

SELECT 'it returns the observation''s id', session_observe('main', 'CommandRun', '{"command":"make check","exit_code":0}', '31 passed'), 1;
SELECT 'the row', (SELECT json_array(session_label, kind, auto, json(data), step_id, created_at) FROM observations WHERE id = 1),
  '["main","CommandRun",0,{"command":"make check","exit_code":0},null,1767225600000]';
SELECT 'what was printed stands beside it', (SELECT json_array(o.size, o.data, o.kind) FROM observations AS n JOIN objects AS o ON o.id = n.object_id WHERE n.id = 1),
  (SELECT json_array(9, '31 passed', kind) FROM objects);
SELECT 'it is work', (SELECT worked FROM tasks), 1;
CREATE TEMP TABLE data(n INTEGER PRIMARY KEY, given, kept);
INSERT INTO data(given, kept) VALUES ('{ "path" : "a.c" }', '{"path":"a.c"}'), ('[1, 2]', '[1,2]'), ('true', 'true'), ('"said"', '"said"'),
  ('first read, then write', '"first read, then write"'), ('{"cut', '"{\"cut"'), (7, '7'), (1.5, '1.5'), ('null', 'null');
SELECT session_observe('main', 'Plan', given) FROM data ORDER BY n;
SELECT 'data ' || given, (SELECT o.data FROM observations AS o WHERE o.id = data.n + 1), kept FROM data;
SELECT session_observe('main', 'FileRead', '{"path":"a"}', 'int main(void);');
SELECT session_observe('main', 'FileRead', '{"path":"b"}', 'int main(void);');
SELECT 'content is stored once', (SELECT count(*) FROM objects WHERE data = 'int main(void);'), 1;
SELECT 'and both have it', (SELECT count(*) FROM observations AS n JOIN objects AS o ON o.id = n.object_id WHERE o.data = 'int main(void);'), 2;
SELECT 'no content: none', (SELECT count(*) FROM observations WHERE kind = 'Plan' AND object_id IS NOT NULL), 0;

---- Rolled back

BEGIN;
SELECT session_observe('main', 'Note', 'taken back', 'so is this');
ROLLBACK;
SELECT 'rolled back with its content', (SELECT count(*) FROM objects WHERE data = 'so is this') + (SELECT count(*) FROM observations WHERE data = '"taken back"'), 0;

---- Refusals

SELECT 'kind NULL', error_of('SELECT session_observe(''main'', NULL, ''x'')'), 'session_observe: kind is missing';
SELECT 'a kind that is none', error_of('SELECT session_observe(''main'', ''Guess'', ''{}'')'),
  'session_observe: kind is ''Guess''; it must be one of: FileRead, FileWrite, CommandRun, Note, Plan';
SELECT 'in small letters', error_of('SELECT session_observe(''main'', ''note'', ''{}'')'),
  'session_observe: kind is ''note''; it must be one of: FileRead, FileWrite, CommandRun, Note, Plan';
SELECT 'a kind of steps alone', error_of('SELECT session_observe(''main'', ''Compact'', ''{}'')'),
  'session_observe: kind is ''Compact''; it must be one of: FileRead, FileWrite, CommandRun, Note, Plan';
SELECT 'data NULL', error_of('SELECT session_observe(''main'', ''Note'', NULL)'), 'session_observe: data is missing';
SELECT 'data a BLOB', error_of('SELECT session_observe(''main'', ''Note'', x''00'')') LIKE 'session_observe: data must be text%BLOB', 1;
SELECT 'content a BLOB', error_of('SELECT session_observe(''main'', ''Note'', ''x'', x''00'')'), 'session_observe: content must be text, not a BLOB';
SELECT session_compact('main', 'done');
SELECT 'the chain is sound', (SELECT count(*) FROM turnstile_check), 0;
