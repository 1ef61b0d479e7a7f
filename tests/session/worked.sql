-- worked.sql - what counts as work: each thing that can be on record of a task beside its first message,
-- against each way in which a task can end without somebody's word that it is done.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);
-- A commit for each session, or none and a word of why; and whether the one says what the other does.
CREATE TEMP TABLE way(name, work);
INSERT INTO way VALUES ('delivered', 0), ('acknowledged', 0), ('handed to a turn', 0), ('failed without output', 0),
  ('tried twice', 0), ('asked', 1), ('asked, and running again', 1), ('answered', 1), ('reported', 1),
  ('reported, and running again', 1), ('corrected', 1), ('interrupted', 1), ('a question of the user''s', 1),
  ('a timer', 1), ('noted', 1), ('related', 1), ('spawned', 1), ('held for later', 1), ('steered', 1),
  ('appended', 1), ('completed', 1), ('a call that failed', 1), ('a call without a result', 1),
  ('said, then failed', 1), ('a late call of a dead run', 1), ('a call in a failed turn, long ago', 1),
  ('rewound', 1);
CREATE TEMP TABLE ending(ending);
INSERT INTO ending VALUES ('sweep'), ('message'), ('recover'), ('switch'), ('fresh'), ('abandon'), ('aborted');
CREATE TEMP TABLE s AS SELECT name || ' / ' || ending AS label, name, ending, work FROM way, ending;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'add retries', json_object('message_id', 'first')) FROM s;
SELECT 'all are Running', (SELECT count(*) FROM tasks WHERE state = 'Running'), (SELECT count(*) FROM s);
SELECT 'and nothing is on record yet', (SELECT count(*) FROM tasks WHERE worked), 0;

CREATE TEMP TABLE step(n INTEGER PRIMARY KEY, name, command, args);
INSERT INTO step(name, command, args) VALUES
  ('acknowledged', 'session_deliver', '["thanks",{"class":"Confirmation"}]'),
  ('asked', 'session_transition', '["AwaitingUser",{"question":"How many?"}]'),
  ('asked, and running again', 'session_transition', '["AwaitingUser",{"question":"How many?"}]'),
  ('asked, and running again', 'session_transition', '["Running"]'),
  ('answered', 'session_transition', '["AwaitingUser",{"question":"How many?"}]'),
  ('answered', 'session_deliver', '["three",{"class":"Response"}]'),
  ('reported', 'session_transition', '["PendingComplete",{"summary":"Retries are in."}]'),
  ('reported, and running again', 'session_transition', '["PendingComplete",{"summary":"Retries are in."}]'),
  ('reported, and running again', 'session_transition', '["Running"]'),
  ('corrected', 'session_deliver', '["five, not three",{"class":"Modification"}]'),
  ('interrupted', 'session_transition', '["Interrupted",{"user_message":"wait"}]'),
  ('interrupted', 'session_transition', '["Running"]'),
  ('a question of the user''s', 'session_deliver', '["why?",{"class":"Clarification"}]'),
  ('a timer', 'session_deliver', '["tick",{"source":"timer"}]'),
  ('noted', 'session_note', '["the client is in http.c"]'),
  ('related', 'session_relate', '["file:a.c","Calls","file:b.c"]'),
  ('spawned', 'session_spawn', '["find callers"]'),
  ('held for later', 'session_deliver', '["build a shop",{"class":"NewTask"}]'),
  ('held for later', 'session_choose', '["continue"]'),
  ('appended', 'turn_append', '[[{"role":"user","content":"add retries"},{"role":"assistant","content":"On it."}]]'),
  ('rewound', 'turn_append', '[[{"role":"user","content":"add retries"},{"role":"assistant","content":"On it."}]]'),
  ('rewound', 'turn_append', '[[{"role":"user","content":"and?"},{"role":"assistant","content":"Nearly."}]]');
INSERT INTO turnstile SELECT command, '[' || json_quote(label) || ',' || substr(args, 2) FROM s JOIN step USING (name) ORDER BY n, label;

-- What turns leave behind. Each way that has one begins a turn on the message that was handed over.
CREATE TEMP TABLE run(label TEXT PRIMARY KEY, r, turn AS (r ->> '$.turn'), token AS (r ->> '$.token'));
INSERT INTO run(label, r) SELECT label, turn_begin(label, 'A1') FROM s WHERE name IN ('handed to a turn', 'failed without output',
  'tried twice', 'steered', 'completed', 'a call that failed', 'a call without a result', 'said, then failed',
  'a late call of a dead run', 'a call in a failed turn, long ago');
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k1', 'bash') FROM run JOIN s USING (label) WHERE name LIKE 'a % call%' OR name LIKE 'a call%';
INSERT INTO turnstile SELECT 'turn_tool_result', json_array(turn, token, 'k1', 'exit 1', json('{"error":1}')) FROM run JOIN s USING (label)
  WHERE name IN ('a call that failed', 'a call in a failed turn, long ago');
INSERT INTO turnstile SELECT 'turn_message', json_array(turn, token, json('{"role":"assistant","content":"I begin"}')) FROM run JOIN s USING (label)
  WHERE name = 'said, then failed';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'only three', json('{"class":"Modification","mode":"steer"}')) FROM s WHERE name = 'steered';
SELECT turn_steering(turn, token) IS NOT NULL FROM run JOIN s USING (label) WHERE name = 'steered';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json('{"content":"On it."}')) FROM run JOIN s USING (label) WHERE name = 'completed';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'the model is gone') FROM run JOIN s USING (label)
  WHERE name IN ('failed without output', 'tried twice', 'steered', 'a call that failed', 'a call without a result', 'said, then failed',
    'a call in a failed turn, long ago');
-- The message waits again and is taken once more: it is still the task's first.
INSERT INTO run SELECT label || '.', turn_begin(label, 'A1') FROM s WHERE name = 'tried twice';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'again') FROM run WHERE label LIKE 'tried twice%.';
-- Behind the failed turn comes another one that fails, elsewhere: the session has forgotten the first.
INSERT INTO run SELECT label || '.', turn_begin(label, 'A1', '{"messages":[{"role":"user","content":"go on"}]}') FROM s
  WHERE name = 'a call in a failed turn, long ago';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'again') FROM run WHERE label LIKE 'a call in a failed turn%.';
-- The head is back, and more often than anybody counts.
INSERT INTO turnstile SELECT 'session_rewind', json_array(label, (SELECT thread_id FROM session_history AS h WHERE h.session_label = label ORDER BY id LIMIT 1))
  FROM s WHERE name = 'rewound';

SELECT name || ': is on record', (SELECT iif(min(worked) = max(worked), min(worked), 'some') FROM tasks JOIN s AS o ON o.label = session_label WHERE o.name = way.name), work
  FROM way;

-- The ends. All that have no other come after eight days.
CREATE TEMP TABLE was AS SELECT label, (SELECT count(*) FROM commits WHERE session_label = label) AS n, (SELECT id FROM tasks WHERE session_label = label) AS task FROM s;
CREATE TEMP TABLE said(label TEXT PRIMARY KEY, decision);
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'stopped') FROM run JOIN s USING (label) WHERE name = 'handed to a turn';
INSERT INTO said SELECT label, session_deliver(label, 'forget it', '{"class":"Abandon"}') FROM s WHERE ending = 'abandon';
INSERT INTO turnstile SELECT 'turnstile_config', json_array('new_task_policy', 'switch', json_object('session', label)) FROM s WHERE ending = 'switch';
INSERT INTO said SELECT label, session_deliver(label, 'write a poem', '{"class":"NewTask"}') FROM s WHERE ending = 'switch';
INSERT INTO said SELECT label || '?', session_deliver(label, 'write a poem', '{"class":"NewTask"}') FROM s WHERE ending = 'fresh';
INSERT INTO said SELECT label, session_choose(label, 'start_fresh') FROM s WHERE ending = 'fresh';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Aborted', json('{"reason":"no access"}')) FROM s WHERE ending = 'aborted';
INSERT INTO said SELECT label, session_deliver(label, 'hello again', '{"class":"Clarification"}') FROM s WHERE ending = 'aborted';
SELECT turnstile_clock(1000000 + 8 * 86400000);
INSERT INTO said SELECT label, session_deliver(label, 'write a poem', '{"class":"NewTask"}') FROM s WHERE ending = 'message';
INSERT INTO said SELECT label, session_recover(label) FROM s WHERE ending = 'recover';
INSERT INTO said SELECT 'sweep', session_sweep('{"limit":100000}');

CREATE TEMP VIEW kept AS SELECT s.*, (SELECT commit_type FROM commits AS c WHERE c.task_id = was.task) AS type,
  (SELECT e."trigger" FROM session_events AS e WHERE e.task_id = was.task AND e.axis = 'task' AND e.to_state = 'None') AS how
  FROM s JOIN was USING (label);
SELECT label || ': a commit exactly if there was work', type, CASE WHEN work OR ending = 'aborted' THEN
    CASE ending WHEN 'switch' THEN 'InterruptedByNewTask' WHEN 'fresh' THEN 'InterruptedByNewTask' WHEN 'abandon' THEN 'Abandoned'
      WHEN 'aborted' THEN 'Abandoned' ELSE 'StaleAutoCompact' END END FROM kept;
SELECT label || ': said exactly then', decision ->> '$.notes' LIKE '%no work was recorded%', iif(work OR ending = 'aborted', NULL, 1)
  FROM said JOIN s USING (label) WHERE ending IN ('switch', 'fresh', 'abandon', 'aborted') AND (work = 0 OR decision ->> '$.notes' LIKE '%no work%');
SELECT label || ': the event says so', how = 'drop', type IS NULL FROM kept;
SELECT 'the sweep names as dropped: ' || name, (SELECT count(*) FROM kept WHERE ending = 'sweep' AND kept.name = way.name AND type IS NULL), NOT work FROM way;

---- A report that was approved, when nothing else was ever recorded

CREATE TEMP TABLE days(days, action);
INSERT INTO days VALUES (0, 'complete'), (2, 'prompt'), (8, 'prompt');
SELECT turnstile_clock(1000000);
INSERT INTO turnstile SELECT 'session_deliver', json_array('r' || days, 'add retries') FROM days;
INSERT INTO turnstile SELECT 'session_transition', json_array('r' || days, 'PendingComplete', json('{"summary":"Retries are in."}')) FROM days;
CREATE TEMP TABLE thanked AS SELECT days, session_deliver('r' || days, 'looks good, thanks', json_object('now', 1000000 + days * 86400000)) AS decision FROM days WHERE days < 7;
INSERT INTO turnstile SELECT 'session_choose', json_array('r' || days, 'continue', json_object('now', 1000000 + days * 86400000)) FROM days WHERE days = 2;
SELECT session_sweep(json_object('now', 1000000 + 8 * 86400000)) ->> '$.dropped_tasks';
INSERT INTO thanked SELECT days, session_deliver('r' || days, 'looks good, thanks', json_object('now', 1000000 + days * 86400000)) AS decision FROM days WHERE days > 7;
INSERT INTO turnstile SELECT 'session_choose', json_array('r' || days, 'continue', json_object('now', 1000000 + days * 86400000)) FROM days WHERE days > 7;
SELECT 'thanks after ' || days || ' days', decision ->> '$.action', action FROM thanked JOIN days USING (days);
SELECT 'committed after ' || days || ' days', (SELECT group_concat(commit_type || ': ' || message, ' | ') FROM (SELECT * FROM commits WHERE session_label = 'r' || days ORDER BY seq)),
  iif(days > 7, 'StaleAutoCompact: Auto-saved: session idle for 8 days: add retries | ', '') || 'Normal: Retries are in.' FROM days;

---- A worker: its task is its first message; its report is work

INSERT INTO turnstile VALUES ('session_start', '["boss","oversee"]'), ('session_spawn', '["boss","dig",{"label":"worker:1"}]'),
  ('session_spawn', '["boss","dig",{"label":"worker:2"}]'), ('session_spawn', '["boss","dig",{"label":"worker:3"}]');
SELECT turn_begin('worker:1', 'A1') ->> '$.messages[0].content', 'dig', 'dig';
SELECT turn_begin('worker:3', 'A1') ->> '$.messages[0].content', 'dig', 'dig';
SELECT 'a worker that took its task has done nothing yet', (SELECT worked FROM tasks WHERE session_label = 'worker:1'), 0;
SELECT session_report('worker:2', 'failed', 'there is no such file');
SELECT 'what a worker says of its failure is kept', (SELECT type_data ->> '$.reason' FROM commits WHERE session_label = 'worker:2'), 'there is no such file';
SELECT turn_tool_call(turn_id, token, 'k1', 'bash') IS NOT NULL FROM session_runs WHERE session_label = 'worker:3';
SELECT session_deliver('boss', 'stop all of it', '{"class":"Abandon"}') ->> '$.action';
SELECT 'stopped before it did anything: no commit', (SELECT count(*) FROM commits WHERE session_label = 'worker:1'), 0;
SELECT 'stopped at work: a commit', (SELECT commit_type FROM commits WHERE session_label = 'worker:3'), 'Abandoned';
SELECT 'whoever spawns has worked', (SELECT commit_type FROM commits WHERE session_label = 'boss'), 'Abandoned';

---- A call of a run that has the lease no more, while the sweep's batch has not come to it

SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES ('session_deliver', '["lapsed","add retries"]');
INSERT INTO run SELECT 'lapsed', turn_begin('lapsed', 'A1');
SELECT turn_tool_call(turn, token, 'k1', 'bash') IS NOT NULL FROM run WHERE label = 'lapsed';
SELECT session_compact('lapsed', 'enough', json_object('now', 1000000 + 8 * 86400000)) IS NOT NULL;
SELECT 'it is kept', (SELECT count(*) FROM commits WHERE session_label = 'lapsed'), 1;

---- "/compact" is a command, and no work

INSERT INTO turnstile VALUES ('queue_push', '["q","add retries"]'), ('queue_push', '["q","/compact"]'),
  ('session_deliver', '["q","ok",{"class":"Confirmation"}]');
SELECT 'a task is begun by what waited', (SELECT description || ' ' || worked FROM tasks WHERE session_label = 'q'), 'add retries 0';
SELECT 'and dropped without a commit', session_deliver('q', 'forget it', '{"class":"Abandon"}') ->> '$.notes' LIKE '%no work was recorded%', 1;

---- session_compact always commits

INSERT INTO turnstile VALUES ('session_deliver', '["c","add retries"]');
SELECT 'of a task that nobody worked on', length(session_compact('c')), 64;
INSERT INTO turnstile VALUES ('session_deliver', '["d","add retries"]'), ('session_transition', '["d","Aborted",{"reason":"no access"}]');
SELECT 'of one that was called off', length(session_compact('d')), 64;

---- Handed on to another file

INSERT INTO turnstile VALUES ('session_deliver', '["e0","add retries"]'), ('session_deliver', '["e1","add retries"]'),
  ('session_transition', '["e1","AwaitingUser",{"question":"How many?"}]'), ('session_transition', '["e1","Running"]'),
  ('session_deliver', '["e2","add retries"]');
INSERT INTO run SELECT 'e2', turn_begin('e2', 'A1');
SELECT turn_tool_call(turn, token, 'k1', 'bash') || turn_fail(turn, token, 'gone') IS NOT NULL FROM run WHERE label = 'e2';
SELECT session_import(session_export('e' || value), json_object('as', 'i' || value)) IS NOT NULL FROM json_each('[0,1,2]');
SELECT 'imported: ' || value, (SELECT worked FROM tasks WHERE session_label = 'i' || value), value > 0 FROM json_each('[0,1,2]');

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;
