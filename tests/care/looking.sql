-- The views for people: session_overview, session_timeline, commit_log, session_attention.

SELECT turnstile_install();
SELECT turnstile_config('keeps_turns', 0); -- the hosts of these stories keep no turns
SELECT turnstile_clock(1767225600000);

-- ---- A session with some of everything, minute by minute ----------------------------------------

SELECT session_deliver('main', 'make the upload client retry', '{"message_id":"m1"}');
SELECT turnstile_clock(1767225600000 + 60000);
SELECT session_observe('main', 'FileRead', '{"path":"src/upload.c"}');
SELECT turnstile_clock(1767225600000 + 120000);
SELECT session_transition('main', 'AwaitingUser', '{"question":"A fixed pause, or doubling?"}');

CREATE TEMP TABLE row_of(json);
INSERT INTO row_of SELECT json_array(hidden, status, status_reason, state, task, choice, run_state,
  owner, turn_id, waiting, failed, turns, total_tokens, head, persona_id, origin, parent,
  superseded_by, created_at, last_activity, last_active) FROM session_overview WHERE label = 'main';
SELECT 'overview: a question is open', json,
  '[0,"active",null,"AwaitingUser","make the upload client retry",null,"idle",null,null,0,0,0,0,'
  || 'null,null,"user",null,null,1767225600000,1767225720000,"2026-01-01 00:02:00"]' FROM row_of;
SELECT 'attention: the question', (SELECT json_array(session_label, reason, since, since_time,
  detail, ref) FROM session_attention),
  '["main","question",1767225720000,"2026-01-01 00:02:00","A fixed pause, or doubling?",1]';

SELECT turnstile_clock(1767225600000 + 180000);
SELECT session_deliver('main', 'doubling, at most five times');
SELECT 'overview: what was handed over, and what only waits, wait',
  json_array(session_deliver('line', 'write the report') ->> '$.action',
    session_deliver('line', 'tick', '{"source":"timer"}') ->> '$.action',
    queue_push('line', 'tock') > 0, (SELECT waiting FROM session_overview WHERE label = 'line'),
    (SELECT count(*) FROM session_queue WHERE session_label = 'line' AND status = 'handed'),
    (SELECT count(*) FROM session_queue WHERE session_label = 'line' AND status = 'pending')),
  '["start","continue",1,2,1,1]';
SELECT 'attention: answered', (SELECT count(*) FROM session_attention), 0;
SELECT turnstile_clock(1767225600000 + 240000);
SELECT turn_append('main', '[{"role":"user","content":"doubling"},
  {"role":"assistant","content":"Done.","tool_calls":[{"id":"c1","name":"make","result":"ok"}]}]',
  '{"usage":{"input_tokens":10,"output_tokens":5},"persona":"coder"}');
SELECT turnstile_clock(1767225600000 + 300000);
SELECT session_transition('main', 'PendingComplete', '{"summary":"Five tries, doubling pauses."}');
SELECT 'attention: the approval', (SELECT json_array(reason, since, detail, ref)
  FROM session_attention), '["approval",1767225900000,"Five tries, doubling pauses.",1]';
SELECT turnstile_clock(1767225600000 + 360000);
SELECT session_deliver('main', 'that works, thanks!');
SELECT 'attention: approved', (SELECT count(*) FROM session_attention), 0;
SELECT 'overview: the task has ended', (SELECT json_array(state, task, turns, total_tokens, head,
  waiting) FROM session_overview WHERE label = 'main'), '["None",null,1,15,16777216,0]';

-- ---- The timeline -------------------------------------------------------------------------------

CREATE TEMP TABLE seen AS SELECT row_number() OVER (ORDER BY at, part, id) AS n, *
FROM session_timeline WHERE session_label = 'main';
CREATE TEMP TABLE expected(n, line);
INSERT INTO expected VALUES
  (1, '0:00 delivery NewTask → start: make the upload client retry'),
  (2, '0:00 status active: create: '),
  (3, '0:00 task None → Running: make the upload client retry'),
  (4, '1:00 observation FileRead: src/upload.c'),
  (5, '2:00 observation Note: Question for user: A fixed pause, or doubling?'),
  (6, '2:00 task Running → AwaitingUser: A fixed pause, or doubling?'),
  (7, '3:00 delivery Response → continue: doubling, at most five times'),
  (8, '3:00 observation Note: User response: doubling, at most five times'),
  (9, '3:00 task AwaitingUser → Running: doubling, at most five times'),
  (10, '4:00 head append: doubling'),
  (11, '5:00 task Running → PendingComplete: Five tries, doubling pauses.'),
  (12, '6:00 delivery Confirmation → complete: that works, thanks!'),
  (13, '6:00 observation Note: User confirmed task complete'),
  (14, '6:00 task PendingComplete → Complete: Five tries, doubling pauses.'),
  (15, '6:00 task Complete → None: make the upload client retry'),
  (16, '6:00 commit commit Normal: Five tries, doubling pauses.');
SELECT 'timeline ' || n, (SELECT printf('%d:%02d %s %s: %s', (at - 1767225600000) / 60000,
    (at - 1767225600000) / 1000 % 60, kind, what, ifnull(detail, '')) FROM seen WHERE seen.n = e.n),
  line FROM expected AS e ORDER BY n;
SELECT 'timeline: no more', (SELECT max(n) FROM seen), 16;
SELECT 'timeline: the task', (SELECT group_concat(ifnull(task_id, '-'), '') FROM seen),
  '1-11111111111111';
SELECT 'timeline: the turn', (SELECT group_concat(n || ':' || turn_id) FROM seen
  WHERE turn_id IS NOT NULL), '10:16777216';
SELECT 'timeline: text of every time', (SELECT count(*) FROM seen
  WHERE time IS NOT strftime('%Y-%m-%d %H:%M:%S', at / 1000, 'unixepoch')), 0;
-- (part, id) names a row: the order is total.
SELECT 'timeline: no two are alike',
  (SELECT count(*) - count(DISTINCT part || ' ' || id) FROM seen), 0;
-- Nothing is left out: as many rows as the tables have.
SELECT 'timeline: everything', (SELECT count(*) FROM session_timeline),
  (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM observations)
  + (SELECT count(*) FROM session_events) + (SELECT count(*) FROM commits)
  + (SELECT count(*) FROM session_history);

-- ---- The log ------------------------------------------------------------------------------------

SELECT 'log', (SELECT json_array(session_label, seq, length(commit_id), commit_type, message, task,
  started_at, committed_at, committed, duration_ms, parent_id) FROM commit_log),
  '["main",1,64,"Normal","Five tries, doubling pauses.","make the upload client retry",'
  || '1767225600000,1767225960000,"2026-01-01 00:06:00",360000,null]';
SELECT 'log: short', (SELECT short_id FROM commit_log), (SELECT substr(id, 1, 12) FROM commits);
SELECT 'log: steps', (SELECT steps FROM commit_log), (SELECT count(*) FROM steps WHERE task_id = 1);
SELECT session_start('main', 'log the tries');
SELECT session_note('main', 'in one line');
SELECT session_deliver('main', 'forget it', '{"class":"Abandon"}');
SELECT 'log: the newest first', (SELECT group_concat(seq || ' ' || commit_type)
  FROM (SELECT * FROM commit_log WHERE session_label = 'main' ORDER BY seq DESC)),
  '2 Abandoned,1 Normal';
SELECT 'log: it follows the other', (SELECT parent_id FROM commit_log WHERE seq = 2),
  (SELECT commit_id FROM commit_log WHERE seq = 1);
SELECT 'log: a task that ended without work is not in it',
  json_array(session_start('idle', 'look at it') > 0,
    session_deliver('idle', 'forget it', '{"class":"Abandon"}') ->> '$.action',
    (SELECT count(*) FROM commit_log WHERE session_label = 'idle')), '[1,"abandon",0]';

-- ---- Runs and turns -----------------------------------------------------------------------------

SELECT turnstile_clock(1767225600000 + 600000);
SELECT session_deliver('work', 'add a flag', '{"owner":"w1"}');
SELECT 'overview: at work', (SELECT json_array(run_state, owner, turn_id, waiting)
  FROM session_overview WHERE label = 'work'),
  json_array('starting', 'w1', (SELECT id FROM turns WHERE status = 'running'), 0);
SELECT 'timeline: which turn a message began', (SELECT turn_id FROM session_timeline
  WHERE session_label = 'work' AND kind = 'delivery'),
  (SELECT id FROM turns WHERE status = 'running');
SELECT turn_message((SELECT turn_id FROM session_runs WHERE session_label = 'work'), 1,
  '{"role":"assistant","content":"I look."}');
SELECT session_deliver('work', 'make it --dry-run', '{"class":"Modification"}');
SELECT 'attention: interrupted', (SELECT json_array(reason, since, detail, ref)
  FROM session_attention WHERE session_label = 'work'),
  json_array('interrupted', 1767226200000, 'make it --dry-run',
  (SELECT open_task_id FROM sessions WHERE label = 'work'));
SELECT turnstile_clock(1767225600000 + 660000);
SELECT turn_fail((SELECT turn_id FROM session_runs WHERE session_label = 'work'), 1, 'no model');
SELECT 'attention: a turn failed with output, and its input', (SELECT group_concat(line, ' | ')
  FROM (SELECT reason || ' ' || since || ' ' || detail || ' ' || (ref = CASE reason
      WHEN 'failed_turn' THEN (SELECT failed_turn_id FROM session_runs WHERE session_label = 'work')
      WHEN 'failed_input' THEN (SELECT id FROM session_queue WHERE status = 'failed')
      ELSE (SELECT open_task_id FROM sessions WHERE label = 'work') END) AS line
    FROM session_attention WHERE session_label = 'work' ORDER BY since, reason)),
  'interrupted 1767226200000 make it --dry-run 1 | '
  || 'failed_input 1767226260000 no model: add a flag 1 | failed_turn 1767226260000 no model 1';
SELECT 'overview: it counts', (SELECT json_array(waiting, failed, run_state, turn_id)
  FROM session_overview WHERE label = 'work'), '[1,1,"idle",null]';
SELECT 'timeline: why the turn failed', (SELECT what || ': ' || detail FROM session_timeline
  WHERE session_label = 'work' AND kind = 'turn' AND what LIKE '%failed'),
  'processing → failed: no model';

-- ---- Choices ------------------------------------------------------------------------------------

SELECT session_start('old', 'move the cron jobs');
SELECT session_note('old', 'there are three');
SELECT turnstile_clock(1767225600000 + 2 * 86400000);
SELECT session_deliver('old', 'and the docs too');
SELECT 'attention: a choice', (SELECT json_array(reason, since, ref,
  detail = (SELECT pending_choice ->> '$.text' || char(10, 10) || 'Held: and the docs too' FROM sessions WHERE label = 'old'))
  FROM session_attention WHERE session_label = 'old'), '["choice",1767398400000,null,1]';
SELECT 'overview: a choice', (SELECT choice FROM session_overview WHERE label = 'old'),
  'StaleSessionChoice';
SELECT session_choose('old', 'A');
SELECT 'attention: chosen', (SELECT count(*) FROM session_attention WHERE session_label = 'old'), 0;
SELECT 'timeline: a choice', (SELECT group_concat(what, ', ') FROM (SELECT what
  FROM session_timeline WHERE session_label = 'old' AND kind = 'choice' ORDER BY at, part, id)),
  'StaleSessionChoice: open, StaleSessionChoice: continue';

-- ---- Hidden -------------------------------------------------------------------------------------

SELECT session_start('gone', 'x');
SELECT session_transition('gone', 'AwaitingUser', '{"question":"Which?"}');
SELECT session_fail('gone', 'the provider is gone');
SELECT 'attention: error, and what it asks', (SELECT group_concat(reason || ' ' || detail, ', ')
  FROM (SELECT * FROM session_attention WHERE session_label = 'gone' ORDER BY reason)),
  'error the provider is gone, question Which?';
SELECT 'attention: the error has no ref, and its time', (SELECT json_array(since, ref)
  FROM session_attention WHERE session_label = 'gone' AND reason = 'error'), '[1767398400000,null]';
SELECT 'overview: hidden', (SELECT json_array(hidden, status, status_reason) FROM session_overview
  WHERE label = 'gone'), '[1,"error","the provider is gone"]';
SELECT session_archive('gone');
SELECT 'attention: archived, the error is put away, and the question waits', (SELECT group_concat(reason || ' ' || detail)
  FROM session_attention WHERE session_label = 'gone'), 'question archived: Which?';
SELECT 'overview: hidden as well', (SELECT hidden FROM session_overview WHERE label = 'gone'), 1;
SELECT session_archive('work');
SELECT 'attention: what waits for a person,', (SELECT group_concat(reason || ': ' || detail, ' / ')
  FROM (SELECT * FROM session_attention WHERE session_label = 'work' ORDER BY reason)),
  'failed_input: no model: add a flag / failed_turn: archived: no model / held_input: archived: make it --dry-run / '
  || 'interrupted: archived: make it --dry-run';
SELECT session_unarchive('work');
SELECT 'attention: out again', (SELECT count(*) FROM session_attention
  WHERE session_label = 'work'), 3;
SELECT session_suspend('work');
SELECT 'suspended is not hidden', json_array((SELECT hidden FROM session_overview
  WHERE label = 'work'), (SELECT count(*) FROM session_attention WHERE session_label = 'work')),
  '[0,4]';

SELECT turn_append('dm:tg:7', '[{"role":"user","content":"hello"}]');
SELECT session_start('dm:tg:7', 'say hello');
SELECT session_transition('dm:tg:7', 'AwaitingUser', '{"question":"To whom?"}');
SELECT turn_append('dm:ann', '[{"role":"user","content":"a"}]');
SELECT turn_append('dm:ann', '[{"role":"user","content":"b"}]');
SELECT 'attention: before the merge', (SELECT count(*) FROM session_attention
  WHERE session_label = 'dm:tg:7'), 1;
SELECT identity_link('tg', '7', 'ann');
SELECT 'overview: merged', (SELECT json_array(hidden, superseded_by) FROM session_overview
  WHERE label = 'dm:tg:7'), '[1,"dm:ann"]';
SELECT 'attention: not of what was merged', (SELECT count(*) FROM session_attention
  WHERE session_label = 'dm:tg:7'), 0;
SELECT session_spawn('old', 'count them', '{"label":"worker:1"}');
SELECT 'overview: a worker', (SELECT json_array(origin, parent) FROM session_overview
  WHERE label = 'worker:1'), '["subagent","old"]';
SELECT 'overview: one row per session', (SELECT count(*) FROM session_overview),
  (SELECT count(*) FROM sessions);

-- ---- What can't be read as JSON blinds nobody ---------------------------------------------------

SAVEPOINT damage;
UPDATE sessions SET pending_choice = '{"kind":' WHERE label = 'main';
UPDATE tasks SET state_data = '{' WHERE ended_at IS NULL AND session_label = 'old';
SELECT 'damaged: attention', (SELECT json_array(reason, detail) FROM session_attention
  WHERE session_label = 'main'), '["choice",null]';
SELECT 'damaged: overview', (SELECT json_array(state, choice) FROM session_overview
  WHERE label = 'main'), '["None",null]';
SELECT 'damaged: timeline', (SELECT count(*) > 9 FROM session_timeline
  WHERE session_label = 'main'), 1;
ROLLBACK TO damage;
RELEASE damage;

-- ---- Cost: for one label everything is found by an index; attention walks only what waits -------

CREATE TEMP TABLE queries(name, sql);
INSERT INTO queries VALUES
  ('overview', 'SELECT * FROM session_overview WHERE label = ''main'''),
  ('timeline', 'SELECT * FROM session_timeline WHERE session_label = ''main'''),
  ('timeline by time', 'SELECT * FROM session_timeline WHERE session_label = ''main''
    ORDER BY at, part, id'),
  ('timeline, the newest', 'SELECT at, what FROM session_timeline WHERE session_label = ''main''
    ORDER BY at DESC LIMIT 5'),
  ('timeline of a kind', 'SELECT what FROM session_timeline WHERE session_label = ''main''
    AND kind = ''task'' AND at > 7'),
  ('log', 'SELECT * FROM commit_log WHERE session_label = ''main'' ORDER BY seq DESC LIMIT 5'),
  ('log by time', 'SELECT * FROM commit_log WHERE session_label = ''main'' ORDER BY committed_at'),
  ('attention of one', 'SELECT * FROM session_attention WHERE session_label = ''main''
    ORDER BY since');
INSERT INTO queries VALUES
  ('overview of the active ones', 'SELECT label FROM session_overview WHERE hidden = 0
    ORDER BY last_activity DESC LIMIT 20'),
  ('log of all', 'SELECT * FROM commit_log ORDER BY seq DESC LIMIT 5'),
  ('attention of all', 'SELECT * FROM session_attention'),
  ('attention of all by time', 'SELECT * FROM session_attention ORDER BY since');
-- What each scans, the rows of the views themselves aside.
CREATE TEMP VIEW scans AS
SELECT queries.name, value AS line FROM queries, json_each(plan_of(sql))
WHERE value LIKE 'SCAN%' AND value NOT LIKE 'SCAN (subquery%' AND value NOT LIKE 'SCAN SUBQUERY %'
  AND value NOT IN ('SCAN session_timeline', 'SCAN session_attention')
  AND value NOT LIKE 'SCAN json_each VIRTUAL TABLE%'; -- the fields of one row's JSON
SELECT 'plan of ' || name,
  (SELECT group_concat(line) FROM scans WHERE scans.name = queries.name), NULL
FROM queries WHERE name NOT LIKE '%of all%' AND name NOT LIKE '%active%';
-- The test can fail: these look at everything.
SELECT 'plan of everything', (SELECT count(*) FROM json_each(plan_of(
  'SELECT * FROM session_timeline ORDER BY at')) WHERE value LIKE 'SCAN deliveries%'), 1;
SELECT 'plan of all sessions', (SELECT group_concat(line) FROM scans
  WHERE name = 'overview of the active ones'), 'SCAN s';
SELECT 'plan of the whole log: read backwards, no sorting', (SELECT group_concat(value)
  FROM json_each(plan_of('SELECT * FROM commit_log ORDER BY seq DESC LIMIT 5'))
  WHERE (value LIKE '%SCAN%' OR value LIKE '%TEMP%') AND value NOT LIKE 'SCAN (subquery%' AND value NOT LIKE 'SCAN SUBQUERY %'), 'SCAN c';
CREATE TEMP VIEW walked AS
SELECT name, (SELECT json_group_array(line) FROM (SELECT line FROM scans
  WHERE scans.name = queries.name ORDER BY line)) AS lines
FROM queries WHERE name LIKE 'attention of all%';
SELECT 'plan of ' || name, lines, json_array('SCAN q USING INDEX session_queue_failed',
  'SCAN q USING INDEX session_queue_held', 'SCAN q USING INDEX session_queue_unclaimed', 'SCAN r USING INDEX session_runs_failed', 'SCAN s USING INDEX sessions_in_error',
  'SCAN sessions USING INDEX sessions_with_choice', 'SCAN sessions USING INDEX sessions_with_refused',
  'SCAN t USING INDEX tasks_waiting') FROM walked;
SELECT 'plan of attention: failed turns', (SELECT count(*) FROM json_each(plan_of(
  'SELECT * FROM session_attention')) WHERE value LIKE
  'SCAN r USING INDEX session_runs_failed%'), 1;

-- The same when ANALYZE has seen many sessions that want nothing.
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
INSERT INTO sessions(label, created_at, updated_at, last_activity)
SELECT 'many ' || i, i, i, i FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
INSERT INTO session_runs(session_label) SELECT 'many ' || i FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
INSERT INTO deliveries(session_label, source, action, decision, at, message)
SELECT 'many ' || i, 'user', 'answer', '{}', i, 'hello' FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
INSERT INTO commits(id, session_label, message, commit_type, created_at)
SELECT 'c' || i, 'many ' || i, 'done', 'Normal', i FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
INSERT INTO session_history(session_label, thread_id, changed_at, reason)
SELECT 'many ' || i, 16777216, i, 'rewind' FROM n;
ANALYZE;
SELECT 'after ANALYZE: plan of ' || name,
  (SELECT group_concat(line) FROM scans WHERE scans.name = queries.name), NULL
FROM queries WHERE name NOT LIKE '%of all%' AND name NOT LIKE '%active%';
SELECT 'after ANALYZE: plan of ' || name, (SELECT group_concat(value) FROM json_each(lines)
  WHERE value NOT LIKE '%USING%INDEX%'), NULL FROM walked;
SELECT 'after ANALYZE: the same rows', (SELECT count(*) FROM session_attention), 5;

-- ---- With a prefix, in an attached file, without the extension ----------------------------------

ATTACH ':memory:' AS other;
SELECT turnstile_install('{"schema":"other","prefix":"x_"}');
SELECT turnstile_use('other', 'x_');
SELECT session_start('there', 'look');
SELECT session_transition('there', 'AwaitingUser', '{"question":"At what?"}');
SELECT 'attached: attention', (SELECT detail FROM other.x_session_attention), 'At what?';
SELECT 'attached: overview', (SELECT state FROM other.x_session_overview), 'AwaitingUser';
SELECT 'attached: timeline', (SELECT count(*) FROM other.x_session_timeline), 4;
SELECT session_note('there', 'at this');
SELECT session_compact('there', 'seen');
SELECT 'attached: log', (SELECT message FROM other.x_commit_log), 'seen';
SELECT turnstile_use('main');
-- Views that call a function of ours would not be readable without the extension.
SELECT 'plain SQL only', (SELECT count(*) FROM sqlite_schema AS v JOIN pragma_function_list AS f
  ON v.sql LIKE '% ' || f.name || '(%' WHERE v.type = 'view' AND f.builtin = 0
  AND v.name IN ('session_overview', 'session_timeline', 'commit_log', 'session_attention')), 0;
SELECT 'no clock but that of leases',
  (SELECT group_concat(name) FROM sqlite_schema WHERE type = 'view' AND sql LIKE '%''now''%'), 'session_attention';

-- ---- Whatever status a session has, and whoever has it now, nothing that waits is hidden -----------

CREATE TEMP TABLE way(status, command);
INSERT INTO way VALUES ('active', NULL), ('archived', 'session_archive'), ('suspended', 'session_suspend'),
  ('error', 'session_fail'), ('error, archived', 'session_archive'), ('merged', NULL);
CREATE TEMP TABLE waits(label, kind, status, sender);
INSERT INTO waits SELECT printf('dm:tg:%d', 1000 + row_number() OVER ()), kind, status, printf('%d', 1000 + row_number() OVER ())
FROM way, (SELECT 'question' AS kind UNION ALL SELECT 'approval' UNION ALL SELECT 'interrupted' UNION ALL SELECT 'choice'
           UNION ALL SELECT 'failed_input');
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"hello"}]')) FROM waits;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'write the report', json_object('class', 'NewTask',
  'channel', 'tg', 'sender', sender, 'now', 1900000000000, 'keeps_turns', kind = 'failed_input')) FROM waits;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, CASE kind WHEN 'question' THEN 'AwaitingUser'
    WHEN 'approval' THEN 'PendingComplete' ELSE 'Interrupted' END,
  json_object('question', 'it is this', 'summary', 'it is this', 'user_message', 'it is this', 'messages', json('["it is this"]')),
  json_object('now', 1900000000000)) FROM waits WHERE kind IN ('question', 'approval', 'interrupted');
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'it is this', json_object('class', 'NewTask',
  'channel', 'tg', 'sender', sender, 'now', 1900000000000, 'keeps_turns', 0)) FROM waits WHERE kind = 'choice';
CREATE TEMP TABLE begun AS SELECT w.label, value_of('SELECT turn_begin(' || quote(label) || ', ''A1'', ''{"now":1900000000000}'')') AS j
FROM waits AS w WHERE kind = 'failed_input';
INSERT INTO turnstile SELECT 'turn_message', json_array(j ->> 'turn', j ->> 'token', json('{"role":"assistant","content":"x"}'),
  json_object('now', 1900000000000)) FROM begun;
INSERT INTO turnstile SELECT 'turn_fail', json_array(j ->> 'turn', j ->> 'token', 'it is this', json_object('now', 1900000000000))
FROM begun;
INSERT INTO turnstile SELECT 'session_fail', json_array(label, 'broken') FROM waits WHERE status LIKE 'error%';
INSERT INTO turnstile SELECT command, json_array(label) FROM waits JOIN way USING (status) WHERE command IS NOT NULL
  AND command <> 'session_fail';
INSERT INTO turnstile SELECT 'turn_append', json_array('dm:of ' || sender, json('[{"role":"user","content":"a"}]'))
FROM waits WHERE status = 'merged';
INSERT INTO turnstile SELECT 'turn_append', json_array('dm:of ' || sender, json('[{"role":"user","content":"b"}]'))
FROM waits WHERE status = 'merged';
INSERT INTO turnstile SELECT 'identity_link', json_array('tg', sender, 'of ' || sender) FROM waits WHERE status = 'merged';
SELECT 'merged: ' || kind, superseded_by, 'dm:of ' || sender FROM waits JOIN sessions USING (label) WHERE waits.status = 'merged';
SELECT kind || ' in one that is ' || status, (SELECT count(*) FROM session_attention AS a
  WHERE a.session_label IN (w.label, 'dm:of ' || sender) AND a.reason = kind AND a.detail LIKE '%it is this%'), 1
FROM waits AS w WHERE status <> 'merged' OR kind = 'failed_input';
SELECT 'what a choice held when its session was merged is the successor''s input', group_concat(q.session_label = 'dm:of ' || w.sender
  AND q.status = 'pending'), '1' FROM waits AS w JOIN session_queue AS q ON q.sender = w.sender AND q.message = 'it is this'
WHERE w.status = 'merged' AND w.kind = 'choice';
SELECT 'archived, it says so: ' || kind, (SELECT group_concat(DISTINCT a.detail LIKE 'archived: %') FROM session_attention AS a
  WHERE a.session_label = w.label AND a.reason = w.kind), '1'
FROM waits AS w WHERE status LIKE '%archived' AND kind <> 'failed_input';
SELECT 'what it held can be answered all the same', session_choose(label, 'continue') ->> '$.action', 'continue'
FROM waits WHERE status = 'archived' AND kind = 'choice';

-- A worker whose parent is gone asks for itself.
SELECT session_start('boss', 'report') IS NOT NULL;
SELECT session_spawn('boss', 'count', '{"label":"boss/w"}') IS NOT NULL;
SELECT session_deliver('boss/w', 'go') IS NOT NULL;
SELECT session_transition('boss/w', 'AwaitingUser', '{"question":"how far?"}');
SELECT session_delete('boss', '{"force":1}') IS NOT NULL;
SELECT 'a worker without a parent', count(*), (SELECT count(*) FROM tasks WHERE session_label = 'boss/w' AND state = 'AwaitingUser')
FROM session_attention WHERE session_label = 'boss/w' AND reason = 'question';

---- What was dealt with asks nobody any more

-- Of one session each: a request has failed half done in a turn that has failed with it.
CREATE TEMP TABLE dealt(label, sql, still);
INSERT INTO dealt VALUES
  ('nothing is done', 'SELECT %Q', 'failed_input,failed_turn'),
  ('forget it', 'SELECT session_deliver(%Q, ''forget it'', ''{"class":"Abandon","now":1767225600003}'')', NULL),
  ('forget it, says another one', 'SELECT session_deliver(%Q, ''forget it'', ''{"class":"Abandon","sender":"bob","now":1767225600003}'')', NULL),
  ('it is done', 'SELECT session_compact(%Q, ''done by hand'')', NULL),
  ('it is aborted', 'SELECT session_transition(%Q, ''Aborted'', ''{"reason":"no"}'')', NULL),
  ('another task', 'SELECT session_deliver(%Q, ''tile the kitchen floor'', ''{"class":"NewTask","now":1767225600003}'')', NULL),
  ('retried', 'SELECT queue_retry((SELECT id FROM session_queue WHERE session_label = %Q AND status = ''failed''))', 'failed_turn'),
  ('cancelled', 'SELECT queue_cancel((SELECT id FROM session_queue WHERE session_label = %Q AND status = ''failed''))', 'failed_turn'),
  ('saved', 'SELECT session_sweep(json_object(''now'', 1767225600000 + 9 * 86400000)) || %Q', 'failed_input,failed_turn');
INSERT INTO turnstile SELECT 'turnstile_config', json_array('new_task_policy', 'switch', json_object('session', label)) FROM dealt WHERE label = 'another task';
CREATE TEMP TABLE failing AS SELECT label, value_of(printf('SELECT session_deliver(%Q, ''add retries'', ''{"class":"NewTask","owner":"w","now":1767225600000}'')', label)) ->> '$.turn' AS t FROM dealt;
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(t ->> '$.turn', t ->> '$.token', 'c1', 'bash', NULL, json('{"now":1767225600001}')) FROM failing;
INSERT INTO turnstile SELECT 'turn_fail', json_array(t ->> '$.turn', t ->> '$.token', 'boom', json('{"now":1767225600002}')) FROM failing;
SELECT label || ': it asks for somebody', (SELECT group_concat(reason) FROM (SELECT reason FROM session_attention WHERE session_label = label ORDER BY reason)),
  'failed_input,failed_turn' FROM dealt;
CREATE TEMP TABLE did AS SELECT label, value_of(printf(sql, label)) AS d FROM dealt ORDER BY label = 'saved';
SELECT label || ': then', (SELECT group_concat(reason) FROM (SELECT reason FROM session_attention WHERE session_label = label ORDER BY reason)), still
FROM dealt;
SELECT 'forget it lists it', d ->> '$.cancelled[0].message', 'add retries' FROM did WHERE label = 'forget it';
SELECT 'and it can be retried', queue_retry(q.id) > 0, 1 FROM session_queue AS q WHERE session_label = 'forget it';
-- A question that failed is no part of the task; its sender calls it off.
CREATE TEMP TABLE asked2 AS SELECT value AS label FROM json_each('["asked","asked by another one"]');
CREATE TEMP TABLE failing2 AS SELECT label, value_of(printf('SELECT session_deliver(%Q, ''which port?'', ''{"class":"Clarification","owner":"w","sender":"ann"}'')', label)) ->> '$.turn' AS t FROM asked2;
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(t ->> '$.turn', t ->> '$.token', 'c1', 'bash') FROM failing2;
INSERT INTO turnstile SELECT 'turn_fail', json_array(t ->> '$.turn', t ->> '$.token', 'boom') FROM failing2;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'forget it', json_object('class', 'Abandon', 'sender', iif(label = 'asked', 'ann', 'bob'))) FROM asked2;
SELECT label || ': forget it', (SELECT group_concat(reason) FROM session_attention WHERE session_label = label AND reason = 'failed_input'),
  iif(label = 'asked', NULL, 'failed_input') FROM asked2;
