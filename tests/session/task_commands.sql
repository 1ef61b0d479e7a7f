-- task_commands.sql - the commands that tell of work: start, note, observe, relate, flush, compact, state;
-- the staging chain and the commits.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

---- session_start

SELECT 'session_start returns the task''s id', session_start('a', 'add retries'), 1;
SELECT 'it makes the session and opens the task',
       (SELECT json_array(s.status, t.state, t.description, t.started_at, t.ended_at)
        FROM sessions AS s JOIN tasks AS t ON t.id = s.open_task_id WHERE s.label = 'a'),
       '["active","Running","add retries",1000000,null]';
SELECT 'with one event for each', (SELECT group_concat(axis || ' ' || ifnull(from_state, '-') || '>' || to_state || ' ' || "trigger") FROM
  (SELECT * FROM session_events WHERE session_label = 'a' ORDER BY id)), 'status ->active create,task None>Running start';
SELECT 'a second open task', error_of('SELECT session_start(''a'', ''other'')') LIKE 'session_start: session ''a'' has an open task%', 1;
SELECT 'a task without words', error_of('SELECT session_start(''b'', ''   '')') LIKE 'session_start: task is empty%', 1;
SELECT 'a task that is missing', error_of('SELECT session_start(''b'')'), 'session_start: task is missing';
SELECT 'persona', (session_start('persona', 'x', '{"persona":"p1"}') > 0) || (SELECT persona_id FROM sessions WHERE label = 'persona'), '1p1';
INSERT INTO turnstile VALUES ('session_start', '["sus","x"]'), ('session_note', '["sus","n"]'), ('session_compact', '["sus","done"]');
UPDATE sessions SET status = 'suspended' WHERE label = 'sus';
SELECT 'starting resumes a suspended session', (session_start('sus', 'y') > 0) || (SELECT status FROM sessions WHERE label = 'sus'), '1active';
SELECT 'a task knows the commit it builds on', (SELECT base_commit_id FROM tasks WHERE session_label = 'sus' AND ended_at IS NULL),
       (SELECT id FROM commits WHERE session_label = 'sus');
INSERT INTO turnstile VALUES ('session_start', '["left","x"]'), ('session_transition', '["left","PendingComplete",{"summary":"all done"}]'),
  ('session_transition', '["left","Complete"]'), ('session_start', '["left","y"]');
SELECT 'starting commits what was left Complete', (SELECT commit_type || ': ' || message FROM commits WHERE session_label = 'left'), 'Normal: all done';

---- Notes and observations

SELECT 'session_note returns the observation''s id', session_note('a', 'read the code'), (SELECT max(id) FROM observations);
SELECT 'as a Note that is work', (SELECT json_array(kind, auto, json(data), step_id, created_at, task_id) FROM observations WHERE session_label = 'a'),
       '["Note",0,{"text":"read the code"},null,1000000,1]';
CREATE TEMP TABLE kind(kind);
INSERT INTO kind VALUES ('FileRead'), ('FileWrite'), ('CommandRun'), ('Note'), ('Plan');
SELECT 'session_observe ' || kind || ' returns an id', session_observe('a', kind, '{"path":"src/a.c"}') > 1, 1 FROM kind;
SELECT 'kinds are kept', (SELECT group_concat(kind) FROM (SELECT kind FROM observations WHERE session_label = 'a' ORDER BY id)),
       'Note,FileRead,FileWrite,CommandRun,Note,Plan';
SELECT 'another kind', error_of('SELECT session_observe(''a'', ''Dream'', ''{}'')'),
       'session_observe: kind is ''Dream''; it must be one of: FileRead, FileWrite, CommandRun, Note, Plan';
SELECT 'text that is no JSON becomes a JSON string', (session_observe('a', 'Plan', 'first read, then write') > 0)
       || ' ' || (SELECT data FROM observations ORDER BY id DESC LIMIT 1), '1 "first read, then write"';
SELECT 'data is needed', error_of('SELECT session_observe(''a'', ''Plan'')'), 'session_observe: data is missing';
SELECT 'data as a BLOB', error_of('SELECT session_observe(''a'', ''Plan'', x''00'')') LIKE 'session_observe: data must be text%BLOB', 1;
INSERT INTO turnstile VALUES ('session_observe', '["a","FileRead",{"path":"a"},"int main(void);"]'),
  ('session_observe', '["a","FileRead",{"path":"b"},"int main(void);"]');
SELECT 'content is stored once', (SELECT count(*) || ' ' || min(size) || ' ' || min(data) FROM objects), '1 15 int main(void);';
SELECT 'and both observations have it', (SELECT count(*) FROM observations JOIN objects ON objects.id = object_id), 2;
SELECT 'hashes are 64 hexadecimal digits', (SELECT count(*) FROM (SELECT hash FROM observations UNION ALL SELECT id FROM objects)
  WHERE length(hash) <> 64 OR hash GLOB '*[^0-9a-f]*'), 0;
SELECT 'empty content is content', (session_observe('a', 'FileRead', '{"path":"c"}', '') > 0)
       || (SELECT o.size FROM observations JOIN objects AS o ON o.id = object_id ORDER BY observations.id DESC LIMIT 1), '10';
SELECT 'no task: ' || x, error_of(replace(x, '?', '''none''')) LIKE substr(x, 8, instr(x, '(') - 8) || ': %no open task%', 1 FROM
  (SELECT 'SELECT session_note(?, ''x'')' AS x UNION ALL SELECT 'SELECT session_observe(?, ''Note'', ''x'')'
   UNION ALL SELECT 'SELECT session_relate(?, ''file:a'', ''Touches'', ''file:b'')'
   UNION ALL SELECT 'SELECT session_flush(?)' UNION ALL SELECT 'SELECT session_compact(?, ''m'')')
WHERE (SELECT session_deliver('none', 'thanks', '{"class":"Confirmation","message_id":"1"}')) IS NOT NULL;
SELECT 'no session', error_of('SELECT session_note(''nobody'', ''x'')') LIKE 'session_note: %nobody%', 1;

---- Relations

SELECT 'session_relate returns the edge''s id', session_relate('a', 'file:src/a.c', 'DependsOn', 'file:src/b:c.h', '{"weight":0.25,"evidence":"#include"}'),
       (SELECT max(id) FROM edges);
SELECT 'kind and reference part at the first colon', (SELECT json_array(from_kind, from_ref, label, to_kind, to_ref, weight, evidence) FROM edges ORDER BY id DESC LIMIT 1),
       '["file","src/a.c","DependsOn","file","src/b:c.h",0.25,"#include"]';
SELECT 'a weight of 1 by itself', (session_relate('a', 'note:1', 'Mentions', 'task:1') > 0) || (SELECT weight FROM edges ORDER BY id DESC LIMIT 1), '11.0';
SELECT 'a weight over 1', error_of('SELECT session_relate(''a'', ''a:b'', ''E'', ''c:d'', ''{"weight":1.5}'')') LIKE 'session_relate: weight is 1.5%', 1;
SELECT 'a weight below 0', error_of('SELECT session_relate(''a'', ''a:b'', ''E'', ''c:d'', ''{"weight":-0.1}'')') LIKE 'session_relate: weight is -0.1%', 1;
SELECT 'from without a kind', error_of('SELECT session_relate(''a'', ''ab'', ''E'', ''c:d'')') LIKE 'session_relate: from is ''ab''%KIND:REFERENCE%', 1;
SELECT 'to without a reference', error_of('SELECT session_relate(''a'', ''a:b'', ''E'', ''c:'')') LIKE 'session_relate: to is ''c:''%', 1;
SELECT 'an edge that is missing', error_of('SELECT session_relate(''a'', ''a:b'', NULL, ''c:d'')'), 'session_relate: edge is missing';

---- Flushing: the staging chain

INSERT INTO turnstile VALUES ('session_start', '["chain","add retries"]');
CREATE TEMP VIEW chain AS
  SELECT s.* FROM steps AS s JOIN tasks AS t ON t.id = s.task_id WHERE t.session_label = 'chain';
SELECT 'a task begins with a SessionStart step', (SELECT json_array(step_kind, parent_id, json(payload), state) FROM chain), '["SessionStart",null,[],"Running"]';
SELECT 'a flush of nothing returns the head and changes nothing', session_flush('chain'), (SELECT id FROM chain);
SELECT 'still one step', (SELECT count(*) FROM chain), 1;
INSERT INTO turnstile VALUES ('session_note', '["chain","one"]'), ('session_observe', '["chain","FileRead",{"path":"a"},"text"]');
CREATE TEMP TABLE flushed AS SELECT session_flush('chain') AS id;
SELECT 'a flush returns the new head', id, (SELECT head_step_id FROM tasks WHERE session_label = 'chain') FROM flushed;
SELECT 'its kind is that of the last observation', (SELECT step_kind FROM chain JOIN flushed USING (id)), 'FileRead';
SELECT 'its payload are the observations'' hashes, in order', (SELECT payload FROM chain JOIN flushed USING (id)),
       (SELECT json_group_array(hash) FROM (SELECT hash FROM observations WHERE session_label = 'chain' ORDER BY id));
SELECT 'the observations know their step', (SELECT count(*) FROM observations JOIN flushed ON step_id = flushed.id), 2;
INSERT INTO turnstile VALUES ('session_note', '["chain","two"]');
CREATE TEMP TABLE flushed2 AS SELECT session_flush('chain', 'Plan') AS id;
SELECT 'the kind can be given', (SELECT step_kind FROM chain JOIN flushed2 USING (id)), 'Plan';
SELECT 'a kind that is none', error_of('SELECT session_flush(''chain'', ''Dream'')') LIKE 'session_flush: kind is ''Dream''; it must be one of: FileRead, FileWrite, CommandRun, Note, Plan, Compact', 1;
INSERT INTO turnstile VALUES ('session_note', '["chain","three"]'), ('session_transition', '["chain","AwaitingUser",{"question":"Which?"}]');
INSERT INTO turnstile VALUES ('session_transition', '["chain","Running"]'), ('session_note', '["chain","four"]');
CREATE TEMP TABLE done AS SELECT session_compact('chain', 'Retries added') AS id;
SELECT 'the chain leads from the head to SessionStart',
  (WITH RECURSIVE walk(id, parent_id, step_kind, n) AS (
     SELECT s.id, s.parent_id, s.step_kind, 0 FROM commits AS c JOIN done ON done.id = c.id
       JOIN chain AS s ON s.id = c.head_step_id
     UNION ALL
     SELECT s.id, s.parent_id, s.step_kind, n + 1 FROM walk JOIN chain AS s ON s.id = walk.parent_id)
   SELECT group_concat(step_kind, ' < ') FROM (SELECT step_kind FROM walk ORDER BY n)),
  'Compact < Note < Plan < FileRead < SessionStart';
SELECT 'every observation is in exactly one step', (SELECT count(*) FROM observations AS o WHERE session_label = 'chain'
   AND 1 <> (SELECT count(*) FROM chain, json_each(payload) AS p WHERE p.value = o.hash)), 0;
SELECT 'and in the one it names', (SELECT count(*) FROM observations AS o JOIN chain AS s ON s.id = o.step_id
   WHERE session_label = 'chain' AND NOT EXISTS (SELECT 1 FROM json_each(s.payload) WHERE value = o.hash)), 0;
SELECT 'steps and commits have ids of 64 hexadecimal digits',
  (SELECT count(*) FROM (SELECT id FROM steps UNION ALL SELECT id FROM commits) WHERE length(id) <> 64 OR id GLOB '*[^0-9a-f]*'), 0;
SELECT 'content decides an id: the same work elsewhere has another',
  (SELECT count(*) FROM (SELECT id FROM steps GROUP BY id HAVING count(DISTINCT task_id) > 1)), 0;

---- Compacting

SELECT 'session_compact returns the commit''s id', id, (SELECT id FROM commits WHERE session_label = 'chain') FROM done;
SELECT 'Normal, with the message', (SELECT json_array(commit_type, message, type_data, created_at) FROM commits WHERE session_label = 'chain'),
       '["Normal","Retries added",null,1000000]';
SELECT 'it walked through PendingComplete and Complete', (SELECT group_concat(from_state || '>' || to_state, ' ') FROM
   (SELECT * FROM session_events WHERE session_label = 'chain' AND axis = 'task' ORDER BY id DESC LIMIT 3)),
   'Complete>None PendingComplete>Complete Running>PendingComplete';
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT 'compacting again returns the same', session_compact('chain', 'Retries added'), id FROM done;
SELECT 'also without the message', session_compact('chain'), id FROM done;
SELECT 'and changes nothing', dump_of() = d, 1 FROM was;
SELECT 'an empty message', error_of('SELECT session_compact(''a'', '''')') LIKE 'session_compact: message is empty%', 1;

CREATE TEMP TABLE open(state, data, walk);
INSERT INTO open VALUES
  ('Running', NULL, 'Running>PendingComplete PendingComplete>Complete Complete>None'),
  ('AwaitingUser', '{"question":"Which?"}', 'AwaitingUser>Running Running>PendingComplete PendingComplete>Complete Complete>None'),
  ('Interrupted', '{"user_message":"wait"}', 'Interrupted>Running Running>PendingComplete PendingComplete>Complete Complete>None'),
  ('PendingComplete', '{"summary":"ready"}', 'PendingComplete>Complete Complete>None'),
  ('Aborted', '{"reason":"no use"}', 'Aborted>None');
INSERT INTO turnstile SELECT 'session_start', json_array('from ' || state, 'add retries') FROM open;
INSERT INTO turnstile SELECT 'session_note', json_array('from ' || state, 'read') FROM open;
INSERT INTO turnstile SELECT 'session_transition', json_array('from ' || state, state, json(data)) FROM open WHERE state <> 'Running';
CREATE TEMP TABLE last AS SELECT max(id) AS id FROM session_events;
SELECT 'compact from ' || state || ': a commit', length(session_compact('from ' || state, 'my words')), 64 FROM open;
SELECT 'compact from ' || state || ': the walk', (SELECT group_concat(from_state || '>' || to_state, ' ') FROM
   (SELECT * FROM session_events AS e WHERE e.session_label = 'from ' || state AND axis = 'task' AND e.id > (SELECT id FROM last) ORDER BY e.id)), walk FROM open;
SELECT 'compact from ' || state || ': the commit', (SELECT commit_type || ': ' || message FROM commits AS c WHERE c.session_label = 'from ' || state),
   iif(state = 'Aborted', 'Abandoned', 'Normal') || ': my words' FROM open;
SELECT 'compact from ' || state || ': nothing is open', session_state('from ' || state) ->> '$.task_state', 'None' FROM open;
SELECT 'an aborted task keeps its reason', (SELECT type_data ->> '$.reason' FROM commits WHERE session_label = 'from Aborted'), 'no use';
INSERT INTO turnstile VALUES ('session_start', '["words","add retries"]'), ('session_note', '["words","read"]'),
  ('session_transition', '["words","PendingComplete",{"summary":"Retries added"}]'), ('session_compact', '["words"]'),
  ('session_start', '["words","then log"]'), ('session_note', '["words","log"]'), ('session_compact', '["words",null]'),
  ('session_start', '["words","then stop"]'), ('session_note', '["words","log"]'), ('session_transition', '["words","Aborted",{"reason":"enough"}]'), ('session_compact', '["words"]');
SELECT 'without a message: the summary, the task, the usual words', (SELECT group_concat(message, ' | ') FROM
   (SELECT message FROM commits WHERE session_label = 'words' ORDER BY seq)), 'Retries added | then log | Abandoned by user';
SELECT 'commits are a chain', (SELECT count(*) FROM (SELECT parent_id, lag(id) OVER (PARTITION BY session_label ORDER BY seq) AS before FROM commits) WHERE parent_id IS NOT before), 0;
SELECT 'a compact with a message nobody gave before, and no task', error_of('SELECT session_compact(''words'', ''something else'')') LIKE 'session_compact: %no open task%', 1;
INSERT INTO turnstile VALUES ('session_start', '["bare","nothing done"]');
SELECT 'the user''s word makes a commit of a task without work', length(session_compact('bare', 'done')), 64;

---- session_state

INSERT INTO turnstile VALUES ('session_start', '["state","add retries"]'), ('session_transition', '["state","AwaitingUser",{"question":"Which?"}]');
SELECT 'all four axes', json_extract(session_state('state'), '$.task_state', '$.status', '$.run_state', '$.turn_phase'), '["AwaitingUser","active","idle",null]';
SELECT 'and what belongs to them', json_extract(session_state('state', '{"now":1005000}'), '$.session', '$.task', '$.state_data.question', '$.idle_ms', '$.last_activity', '$.pending_choice'),
       '["state","add retries","Which?",5000,1000000,null]';
SELECT 'no session: NULL', session_state('nobody'), NULL;
SELECT 'a session without a task', json_extract(session_state('bare'), '$.task_state', '$.task', '$.task_id'), '["None",null,null]';

---- Activity

INSERT INTO turnstile VALUES ('session_start', '["act","add retries"]');
SELECT turnstile_clock(2000000);
CREATE TEMP TABLE step(n, command, args, moves);
INSERT INTO step VALUES (1, 'session_state', '["act"]', 0), (2, 'session_recover', '["act"]', 0), (3, 'session_progress', '["act"]', 0),
  (4, 'session_run', '["act","A1","starting"]', 0), (5, 'turnstile_startup', '["A1"]', 0), (6, 'session_sweep', '[]', 0),
  (7, 'session_flush', '["act"]', 0);
INSERT INTO turnstile SELECT command, args FROM step ORDER BY n;
SELECT 'reads, runs, restarts, sweeps and a flush of nothing are no activity', (SELECT last_activity FROM sessions WHERE label = 'act'), 1000000;
INSERT INTO turnstile VALUES ('session_note', '["act","x"]');
SELECT 'a note is', (SELECT last_activity FROM sessions WHERE label = 'act'), 2000000;
INSERT INTO turnstile VALUES ('session_flush', '["act",null,{"now":3000000}]');
SELECT 'a flush of something is', (SELECT last_activity FROM sessions WHERE label = 'act'), 3000000;
INSERT INTO turnstile VALUES ('session_transition', '["act","AwaitingUser",{"question":"?"},{"now":4000000}]');
SELECT 'a transition is', (SELECT last_activity FROM sessions WHERE label = 'act'), 4000000;

SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events), (SELECT max(id) FROM session_events);
SELECT 'observation ids only grow', (SELECT count(*) FROM observations), (SELECT max(id) FROM observations);

---- Relations are inside the chain of hashes

SELECT turnstile_clock(1000000);
SELECT session_start('linked', 'add retries');
SELECT session_note('linked', 'read it');
SELECT session_relate('linked', 'file:a.c', 'DependsOn', 'file:b.h', '{"weight":0.1,"evidence":"#include"}');
SELECT session_relate('linked', 'note:' || (SELECT max(id) FROM observations WHERE session_label = 'linked'), 'Explains',
  'task:' || (SELECT open_task_id FROM sessions WHERE label = 'linked'));
SELECT session_relate('linked', 'note:99999', 'Explains', 'task:7x');
SELECT session_flush('linked');
SELECT 'they are in the step', (SELECT json_array(count(*), count(DISTINCT step_id), min(task_id) = max(task_id))
  FROM edges AS e WHERE session_label = 'linked' AND step_id = (SELECT head_step_id FROM tasks AS t
  WHERE t.id = e.task_id)), '[3,1,1]';
SELECT 'which lists them behind the observations', (SELECT json_array_length(payload) FROM steps
  WHERE id = (SELECT step_id FROM edges WHERE session_label = 'linked' LIMIT 1)), 4;
SELECT 'what they named is settled', (SELECT group_concat(links) FROM edges WHERE session_label = 'linked'), '0,3,0';
SELECT session_relate('linked', 'file:a.c', 'DependsOn', 'file:c.h');
SELECT 'a step of relations alone', session_flush('linked') <> (SELECT step_id FROM edges
  WHERE session_label = 'linked' LIMIT 1), 1;
SELECT 'is a note', (SELECT step_kind || json_array_length(payload) FROM steps WHERE id = (SELECT step_id FROM edges
  WHERE session_label = 'linked' ORDER BY id DESC LIMIT 1)), 'Note1';
SELECT 'nothing new: the same step', session_flush('linked') = (SELECT step_id FROM edges
  WHERE session_label = 'linked' ORDER BY id DESC LIMIT 1), 1;
SELECT session_relate('linked', 'file:d.c', 'DependsOn', 'file:e.h');
SELECT session_compact('linked', 'done');
SELECT 'a commit takes the rest along', (SELECT count(*) FROM edges WHERE session_label = 'linked' AND step_id IS NULL), 0;
SELECT 'the chain is sound', (SELECT group_concat(rule) FROM turnstile_check WHERE rule <> 'event_chain'), NULL;
UPDATE edges SET evidence = 'because' WHERE to_ref = 'b.h' AND session_label = 'linked';
SELECT 'what is changed shows', (SELECT group_concat(rule || ref = 'edge_step' || (SELECT id FROM edges WHERE evidence = 'because'))
  FROM turnstile_check WHERE rule <> 'event_chain'), '1';
UPDATE edges SET evidence = '#include' WHERE evidence = 'because';
DELETE FROM edges WHERE to_ref = 'c.h' AND session_label = 'linked';
SELECT 'what is gone shows', (SELECT group_concat(DISTINCT rule) FROM turnstile_check
  WHERE rule <> 'event_chain'), 'step_payload';
SELECT session_start('unchained', 'a joke');
SELECT session_relate('unchained', 'file:a.c', 'DependsOn', 'file:b.h');
CREATE TEMP TABLE whole AS SELECT session_export('unchained') AS j;
SELECT 'on the way the open task keeps its relations', (session_import(j, '{"as":"carried"}') IS NOT NULL) || (SELECT
  json_array(step_id, links, task_id = (SELECT open_task_id FROM sessions WHERE label = 'carried')) FROM edges
  WHERE session_label = 'carried'), '1[null,0,1]' FROM whole;
SELECT 'and goes on listing them', (session_flush('carried') IS NOT NULL) || (SELECT count(step_id) FROM edges
  WHERE session_label = 'carried'), '11';
SELECT session_compact('unchained', 'told');
DELETE FROM whole;
INSERT INTO whole SELECT session_export('unchained');
SELECT 'a document whose relation was changed is refused', error_of('SELECT session_import(json_set(j,
  ''$.content.edges[0].label'', ''Breaks''), ''{"as":"broken"}'') FROM whole') LIKE 'session_import: json: %', 1;
SELECT 'under another label it is the same', (session_import(j, '{"as":"twin"}') ->> '$.hash') = (j ->> '$.hash')
  AND (session_export('twin') ->> '$.hash') = (j ->> '$.hash'), 1 FROM whole;
SELECT 'and sound', (SELECT group_concat(rule) FROM turnstile_check WHERE session_label = 'twin'), NULL;
