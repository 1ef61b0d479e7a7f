-- flush.sql - session_flush: a checkpoint.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT session_start('main', 'add retries');
CREATE TEMP VIEW head AS SELECT s.* FROM tasks AS t JOIN steps AS s ON s.id = t.head_step_id WHERE t.session_label = 'main';

---- What it returns and writes

SELECT 'nothing to flush: the step with which the task began', session_flush('main'), (SELECT id FROM head);
SELECT 'no step more', (SELECT group_concat(step_kind) FROM steps), 'SessionStart';
SELECT 'and no activity', (SELECT last_activity FROM sessions) = 1767225600000 AND session_flush('main', NULL, '{"now":1767225700000}') IS NOT NULL
  AND (SELECT last_activity FROM sessions) = 1767225600000, 1;
SELECT session_note('main', 'one');
SELECT session_observe('main', 'FileRead', '{"path":"a"}', 'text');
CREATE TEMP TABLE flushed AS SELECT session_flush('main', NULL, '{"now":1767225601000}') AS id, (SELECT id FROM steps) AS before;
SELECT 'the id of the new step', id, (SELECT id FROM head) FROM flushed;
SELECT 'of 64 hexadecimal digits', length(id) = 64 AND id NOT GLOB '*[^0-9a-f]*', 1 FROM flushed;
SELECT 'the kind of the newest observation, below the step before, in the state', (SELECT json_array(step_kind, parent_id, state, created_at) FROM head),
  json_array('FileRead', before, 'Running', 1767225601000) FROM flushed;
SELECT 'the hashes of what was observed, in order', (SELECT payload FROM head), (SELECT json_group_array(hash) FROM (SELECT hash FROM observations ORDER BY id));
SELECT 'which know their step', (SELECT count(*) FROM observations JOIN flushed ON step_id = flushed.id), 2;
SELECT 'something to flush is activity', (SELECT last_activity FROM sessions), 1767225601000;
CREATE TEMP TABLE kinds(kind);
INSERT INTO kinds VALUES ('FileRead'), ('FileWrite'), ('CommandRun'), ('Note'), ('Plan'), ('Compact');
INSERT INTO turnstile SELECT command, args FROM (SELECT rowid AS n, 'session_note' AS command, json_array('main', kind) AS args FROM kinds
  UNION ALL SELECT rowid + 0.5, 'session_flush', json_array('main', kind) FROM kinds) ORDER BY n;
SELECT 'the kind is said', (SELECT group_concat(step_kind) FROM (SELECT step_kind FROM steps ORDER BY rowid LIMIT -1 OFFSET 2)), (SELECT group_concat(kind) FROM kinds);
SELECT 'a step each', (SELECT count(*) FROM observations AS o JOIN steps AS s ON s.id = o.step_id WHERE o.data ->> '$.text' = s.step_kind), 6;

---- The same request

SELECT session_note('main', 'two');
CREATE TEMP TABLE first AS SELECT session_flush('main', 'Note', '{"request_id":"f-1"}') AS id;
SELECT session_note('main', 'six');
SELECT 'repeated: the step of the first time', session_flush('main', 'Note', '{"request_id":"f-1"}'), id FROM first;
SELECT 'what came since waits on', (SELECT count(*) FROM observations WHERE step_id IS NULL), 1;

---- Refusals

SELECT 'a kind that is none', error_of('SELECT session_flush(''main'', ''Guess'')'),
  'session_flush: kind is ''Guess''; it must be one of: FileRead, FileWrite, CommandRun, Note, Plan, Compact';
SELECT 'the kind of a task''s first step', error_of('SELECT session_flush(''main'', ''SessionStart'')'),
  'session_flush: kind is ''SessionStart''; it must be one of: FileRead, FileWrite, CommandRun, Note, Plan, Compact';
SELECT 'a kind that is no text', error_of('SELECT session_flush(''main'', 1)'), 'session_flush: kind must be text, not an integer';
SELECT session_compact('main', 'done');
SELECT 'the chain is sound', (SELECT group_concat(rule || problem) FROM turnstile_check), NULL;
