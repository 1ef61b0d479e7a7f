-- live.sql - session_deliver while a run is live: what the message does to the run and to the task,
-- how it waits, and what comes of it when it is taken.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

-- What a live run is told, and what waits, as one line each.
CREATE TEMP TABLE run(label TEXT PRIMARY KEY, r);
CREATE TEMP VIEW live(label, turn, token) AS SELECT label, r ->> '$.turn', r ->> '$.token' FROM run;
CREATE TEMP TABLE came(label TEXT PRIMARY KEY, d);
CREATE TEMP VIEW waits(label, line) AS
  SELECT session_label, group_concat(line, ' | ') FROM (
    SELECT session_label, message || ' ' || rank AS line
    FROM session_queue WHERE status = 'pending' ORDER BY session_label, rank, id)
  GROUP BY session_label;
-- The automatic notes about what users said.
CREATE TEMP VIEW noted(label, n, texts) AS
  SELECT session_label, count(*), group_concat(text, ' | ') FROM (
    SELECT session_label, data ->> '$.text' AS text FROM observations
    WHERE auto = 1 ORDER BY id) GROUP BY session_label;

---- Every class × mode × state

-- One letter for each state: None, Running, AwaitingUser, Interrupted, PendingComplete.
--   q  waits, nothing else happens          i  waits first in line, and the run is told
--   s  waits, and the run may take it       I, S  the same, and the task is Interrupted
--   a  is acknowledged                      p  a choice is opened, the run goes on
--   c  the run is fenced, the task complete x  the run is fenced, the task abandoned
CREATE TEMP TABLE grid(modes, class, cells);
INSERT INTO grid VALUES
  ('waits', 'Response', 'qqqqq'), ('steers', 'Response', 'sSsSs'),
  ('interrupts', 'Response', 'iIiIi'),
  ('waits', 'Modification', 'qqqqq'), ('steers', 'Modification', 'sSsSs'),
  ('interrupts', 'Modification', 'iIiIi'),
  ('waits', 'Confirmation', 'aaqac'), ('steers', 'Confirmation', 'aasac'),
  ('interrupts', 'Confirmation', 'aaiac'),
  ('waits', 'Abandon', 'fxxxx'), ('steers', 'Abandon', 'fxxxx'),
  ('interrupts', 'Abandon', 'fxxxx'),
  ('waits', 'NewTask', 'qpppp'), ('steers', 'NewTask', 'qpppp'),
  ('interrupts', 'NewTask', 'qpppp'),
  ('waits', 'Clarification', 'qqqqq'), ('steers', 'Clarification', 'sssss'),
  ('interrupts', 'Clarification', 'qqqqq'),
  ('waits', 'Unclear', 'qpppp'), ('steers', 'Unclear', 'qpppp'),
  ('interrupts', 'Unclear', 'qpppp');
CREATE TEMP TABLE mode(name, modes);
INSERT INTO mode VALUES ('queue', 'waits'), ('followup', 'waits'), ('collect', 'waits'),
  ('steer', 'steers'), ('steer-backlog', 'steers'), ('interrupt', 'interrupts'),
  (NULL, 'interrupts'); -- a user's default
CREATE TEMP TABLE state(n, name, data);
INSERT INTO state VALUES (1, 'None', NULL), (2, 'Running', NULL),
  (3, 'AwaitingUser', '{"question":"How many?"}'),
  (4, 'Interrupted', '{"user_message":"not so fast"}'),
  (5, 'PendingComplete', '{"summary":"Retries added"}');
CREATE TEMP TABLE letter(cell PRIMARY KEY, action, waits, rank, run, fenced, choice, notes);
INSERT INTO letter VALUES
  ('q', 'queue', 1, 0, 'running', 0, 0, 0), ('s', 'steer', 1, 0, 'running', 0, 0, 0),
  ('S', 'steer', 1, 0, 'running', 0, 0, 0), ('i', 'interrupt', 1, -1, 'interrupted', 0, 0, 0),
  ('I', 'interrupt', 1, -1, 'interrupted', 0, 0, 0),
  ('a', 'acknowledge', 0, NULL, 'running', 0, 0, 0), ('p', 'prompt', 0, NULL, 'running', 0, 1, 0),
  ('f', 'acknowledge', 0, NULL, 'idle', 1, 0, 0),
  ('c', 'complete', 0, NULL, 'idle', 1, 0, 1), ('x', 'abandon', 0, NULL, 'idle', 1, 0, 1);
-- A run takes what waits while it goes on (in), or the next turn does (next).
CREATE TEMP TABLE cell AS
  SELECT class || ', ' || ifnull(m.name, 'default') || ', ' || s.name || ', ' || t.taken AS label,
         class, m.name AS mode, s.name AS state, t.taken,
         substr(cells, s.n, 1) AS cell
  FROM grid JOIN mode AS m USING (modes) CROSS JOIN state AS s
    CROSS JOIN (SELECT 'in' AS taken UNION ALL SELECT 'next') AS t;
SELECT 'every cell is there', (SELECT count(*) FROM cell), 7 * 7 * 5 * 2;

INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM cell
  WHERE state <> 'None';
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM cell
  WHERE state <> 'None';
INSERT INTO run SELECT label, turn_begin(label, 'A1',
  '{"messages":[{"role":"user","content":"go"}]}') FROM cell;
INSERT INTO turnstile SELECT 'turn_message', json_array(turn, token,
  json('{"role":"assistant","content":"half"}')) FROM live;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state, json(data))
  FROM cell JOIN state ON name = state WHERE state NOT IN ('None', 'Running');
CREATE TEMP TABLE before AS SELECT label, ifnull(n, 0) AS notes FROM cell
  LEFT JOIN noted USING (label);

INSERT INTO came SELECT label, session_deliver(label, 'point three',
  json_object('class', class, 'sender', 'u1', 'now', 1001000)) FROM cell WHERE mode IS NULL;
INSERT INTO came SELECT label, session_deliver(label, 'point three',
  json_object('class', class, 'mode', mode, 'sender', 'u1', 'now', 1001000)) FROM cell
  WHERE mode IS NOT NULL;

CREATE TEMP VIEW at(label, class, mode, state, taken, cell, action, waits, rank, run, fenced,
  choice,
                    notes, in_force, after, d) AS
  SELECT c.label, class, mode, state, taken, c.cell, action, waits, rank, run, fenced, choice,
    l.notes, iif(class = 'Confirmation' AND state = 'AwaitingUser', 'Response', class),
    CASE WHEN c.cell IN ('I', 'S') THEN 'Interrupted' WHEN fenced THEN 'None' ELSE state END, d
  FROM cell AS c JOIN letter AS l USING (cell) JOIN came USING (label);
SELECT label || ': action', d ->> '$.action', action FROM at;
SELECT label || ': class in force', json_extract(d, '$.class', '$.confidence'),
  json_array(in_force, 1.0) FROM at;
SELECT label || ': states', json_extract(d, '$.previous_state', '$.state'), json_array(state, after)
  FROM at;
SELECT label || ': the state is stored', session_state(label) ->> '$.task_state', after FROM at;
SELECT label || ': the run', session_state(label) ->> '$.run_state', run FROM at;
SELECT label || ': the row', (SELECT group_concat(json_array(status, q.rank, q.class, sender,
    attempts)) FROM session_queue AS q WHERE session_label = label),
  CASE WHEN waits THEN json_array('pending', rank, in_force, 'u1', 0) END FROM at;
SELECT label || ': its mode', (SELECT q.mode FROM session_queue AS q WHERE session_label = label),
  ifnull(mode, 'interrupt') FROM at
  WHERE cell IN ('s', 'S', 'i', 'I') OR cell = 'q' AND mode IN ('queue', 'followup', 'collect');
SELECT label || ': the decision names it', d ->> '$.queue_id', (SELECT id FROM session_queue
  WHERE session_label = label) FROM at;
SELECT label || ': nothing is handed over', d ->> '$.inputs', NULL FROM at;
SELECT label || ': notes', ifnull((SELECT n FROM noted AS n WHERE n.label = a.label), 0) - b.notes,
  iif(state = 'None', 0, a.notes) FROM at AS a JOIN before AS b USING (label);
SELECT label || ': the choice', json_extract(session_state(label), '$.pending_choice.kind',
    '$.pending_choice.held'), CASE WHEN choice THEN json_array(class || 'Choice', 'point three')
    ELSE '[null,null]' END FROM at;
SELECT label || ': the turn', (SELECT status || on_path FROM turns WHERE id = turn),
  iif(fenced, 'aborted1', 'running0') FROM at JOIN live USING (label);
SELECT label || ': the lease', (SELECT json_array(turn_id, expires_at, token > l.token)
    FROM session_runs WHERE session_label = label),
  iif(fenced, '[null,null,1]', json_array(turn, 1300000, 0)) FROM at JOIN live AS l USING (label);
SELECT label || ': the commit', (SELECT commit_type FROM commits WHERE session_label = label),
  CASE cell WHEN 'c' THEN 'Normal' WHEN 'x' THEN 'Abandoned' END FROM at;
SELECT label || ': the delivery', (SELECT json_array(e.action, e.class, decision = d)
    FROM deliveries AS e WHERE session_label = label), json_array(action, in_force, 1) FROM at;
SELECT label || ': a user''s message is activity', session_state(label) ->> '$.last_activity',
  1001000 FROM at;
SELECT label || ': what the state tells', session_state(label) ->> '$.state_data.user_message',
  CASE WHEN cell IN ('I', 'S') THEN 'point three' WHEN state = 'Interrupted' AND NOT fenced
    THEN 'not so fast' END FROM at;
SELECT label || ': all that was said, in order', session_state(label) ->> '$.state_data.messages',
  CASE WHEN cell IN ('I', 'S') THEN iif(state = 'Interrupted', '["not so fast","point three"]',
    '["point three"]') WHEN state = 'Interrupted' AND NOT fenced THEN '["not so fast"]' END FROM at;

-- The run's next call tells it. What was queued is not for the running turn.
CREATE TEMP TABLE told AS SELECT label, turn_heartbeat(turn, token, '{"now":1001500}') AS s
  FROM at JOIN live USING (label) WHERE NOT fenced;
SELECT label || ': what the run is told', json_array(s ->> '$.interrupted', s ->> '$.steering'),
  json_array(cell IN ('i', 'I'), iif(cell IN ('s', 'S', 'i', 'I'), 1, 0))
  FROM at JOIN told USING (label);

-- What comes of it when it is taken: the state and the note, by class and state.
CREATE TEMP TABLE takes(class, state, after, note);
INSERT INTO takes
  SELECT class, state, 'Running', note FROM (SELECT 'Response' AS class UNION ALL
      SELECT 'Modification'), (SELECT 'None' AS state, NULL AS note
    UNION ALL SELECT 'Running', 'User intervention: point three'
    UNION ALL SELECT 'AwaitingUser', 'User response: point three'
    UNION ALL SELECT 'Interrupted', 'User intervention: point three'
    UNION ALL SELECT 'PendingComplete', 'User requested continuation: point three')
  UNION ALL VALUES ('Confirmation', 'AwaitingUser', 'Running', 'User response: point three'),
  ('NewTask', 'None', 'Running', NULL), ('Unclear', 'None', 'None', NULL),
  ('Clarification', 'None', 'None', NULL), ('Clarification', 'Running', 'Running', NULL),
  ('Clarification', 'AwaitingUser', 'AwaitingUser', NULL),
  ('Clarification', 'Interrupted', 'Running', NULL),
  ('Clarification', 'PendingComplete', 'PendingComplete', NULL);
SELECT 'whatever can wait can be taken', (SELECT count(*) FROM at WHERE waits
  AND NOT EXISTS (SELECT 1 FROM takes AS t WHERE t.class = at.class AND t.state = at.state)), 0;

CREATE TEMP TABLE taking AS
  SELECT label, turn_steering(turn, token, '{"now":1002000}') AS r FROM at JOIN live USING (label)
  WHERE taken = 'in' AND cell IN ('s', 'S', 'i', 'I', 'q', 'a', 'p');
SELECT label || ': what it gives', (SELECT json_group_array(json_extract(value, '$.role',
    '$.content', '$.source', '$.sender', '$.class', '$.attempt')) FROM json_each(r, '$.messages')),
  iif(cell IN ('s', 'S', 'i', 'I'), json_array(json(json_array('user', 'point three', 'user', 'u1',
    in_force, 1))), '[]') FROM at JOIN taking USING (label);
SELECT label || ': then nothing interrupts', json_extract(r, '$.interrupted', '$.steering',
  '$.expires_at'), '[false,0,1302000]' FROM at JOIN taking USING (label);
SELECT label || ': the run goes on', session_state(label) ->> '$.run_state', 'running'
  FROM at JOIN taking USING (label);
SELECT label || ': the row', (SELECT json_array(status, turn_id, attempts) FROM session_queue
    WHERE session_label = label), CASE WHEN cell IN ('s', 'S', 'i', 'I')
    THEN json_array('processing', turn, 1) WHEN cell = 'q' THEN json_array('pending', NULL, 0) END
  FROM at JOIN taking USING (label) JOIN live USING (label);
SELECT label || ': it is a message of the turn', (SELECT group_concat(role || ' ' || source || ' '
    || content || ' ' || metadata) FROM messages WHERE turn_id = turn AND sequence >= 2),
  CASE WHEN cell IN ('s', 'S', 'i', 'I') THEN 'user user point three '
    || json_object('queue_id', d ->> '$.queue_id') END
  FROM at JOIN taking USING (label) JOIN live USING (label);
SELECT label || ': the state', session_state(label) ->> '$.task_state',
  CASE WHEN cell IN ('s', 'S', 'i', 'I') THEN t.after ELSE a.after END
  FROM at AS a JOIN taking USING (label) LEFT JOIN takes AS t
    ON t.class = a.class AND t.state = a.state;
SELECT label || ': one note, made when it is taken', json_array(ifnull((SELECT n FROM noted AS n
    WHERE n.label = a.label), 0) - b.notes, (SELECT data ->> '$.text' FROM observations
    WHERE session_label = a.label AND auto = 1 AND created_at = 1002000)),
  iif(cell IN ('s', 'S', 'i', 'I') AND t.note IS NOT NULL, json_array(1, t.note), '[0,null]')
  FROM at AS a JOIN taking USING (label) JOIN before AS b USING (label)
    JOIN takes AS t ON t.class = a.class AND t.state = a.state;
SELECT label || ': a task begins', session_state(label) ->> '$.task', 'point three'
  FROM at JOIN taking USING (label) WHERE state = 'None' AND cell IN ('s', 'i')
    AND class <> 'Clarification';
SELECT label || ': a second time it gives nothing', turn_steering(turn, token)
  ->> '$.messages', '[]' FROM at JOIN taking USING (label) JOIN live USING (label)
  WHERE cell IN ('s', 'S', 'i', 'I');
-- A turn that steered takes what it took along to its end.
CREATE TEMP TABLE steered AS SELECT label, turn_complete(turn, token, '{"content":"done"}') AS r
  FROM at JOIN taking USING (label) JOIN live USING (label);
SELECT label || ': at the end', json_array(r ->> '$.status', r ->> '$.waiting', (SELECT status
    FROM session_queue WHERE session_label = label)), CASE WHEN cell IN ('s', 'S', 'i', 'I')
    THEN '["completed",0,"delivered"]' WHEN cell = 'q' THEN '["completed",1,"pending"]'
    ELSE '["completed",0,null]' END FROM at JOIN steered USING (label);

-- The run does not ask: it completes, and the next turn takes what waits.
CREATE TEMP TABLE ended AS SELECT label, turn_complete(turn, token, '{"content":"done"}',
    '{"now":1002000}') AS r FROM at JOIN live USING (label) WHERE taken = 'next' AND NOT fenced;
SELECT label || ': a run that was interrupted keeps its work', json_extract(r, '$.status',
  '$.on_path',
    '$.head', '$.state', '$.waiting'), json_array('completed', json('true'), turn, after, waits)
  FROM at JOIN ended USING (label) JOIN live USING (label);
SELECT label || ': the run is over', session_state(label) ->> '$.run_state', 'ready'
  FROM at JOIN ended USING (label);
CREATE TEMP TABLE next AS SELECT label, turn_begin(label, 'A2', '{"now":1003000}') AS r FROM at
  WHERE taken = 'next';
SELECT label || ': the next turn takes it', (SELECT json_group_array(json_extract(value, '$.role',
    '$.content', '$.source', '$.sender', '$.class', '$.attempt')) FROM json_each(r, '$.messages')),
  iif(waits, json_array(json(json_array('user', 'point three', 'user', 'u1', in_force, 1))), '[]')
  FROM at JOIN next USING (label);
SELECT label || ': or it does not begin', r, NULL FROM at JOIN next USING (label) WHERE NOT waits;
SELECT label || ': the row is being worked on', (SELECT json_array(status, turn_id, attempts)
    FROM session_queue WHERE session_label = label),
  json_array('processing', r ->> '$.turn', 1) FROM at JOIN next USING (label) WHERE waits;
SELECT label || ': the state', session_state(label) ->> '$.task_state', t.after
  FROM at JOIN next USING (label) JOIN takes AS t USING (class, state) WHERE waits;
SELECT label || ': the note', json_array(ifnull((SELECT n FROM noted AS n WHERE n.label = a.label),
  0)
    - b.notes, (SELECT data ->> '$.text' FROM observations WHERE session_label = a.label
      AND auto = 1 AND created_at = 1003000)), iif(t.note IS NULL, '[0,null]', json_array(1,
      t.note))
  FROM at AS a JOIN next USING (label) JOIN before AS b USING (label)
    JOIN takes AS t ON t.class = a.class AND t.state = a.state WHERE waits;
SELECT label || ': a task begins', session_state(label) ->> '$.task', 'point three'
  FROM at JOIN next USING (label) WHERE state = 'None' AND waits
    AND class IN ('Response', 'Modification', 'NewTask');
SELECT label || ': the turn answers a user', (SELECT source FROM turns WHERE id = r ->> '$.turn'),
  'user' FROM at JOIN next USING (label) WHERE waits;

-- The token of a fenced run is dead, and its error says what happened.
SELECT label || ': a dead token', error_of(printf('SELECT turn_heartbeat(%d, %d)', turn, token))
    LIKE 'turn_heartbeat: turn ' || turn || ' is aborted: point three;%', 1
  FROM at JOIN live USING (label) WHERE fenced AND mode IS NULL AND taken = 'in';
SELECT label || ': output is kept', (SELECT json_array(thread_id = turn, (SELECT
  group_concat(reason)
    FROM session_history WHERE session_label = label)) FROM sessions AS s WHERE s.label = a.label),
  '[1,"abort"]' FROM at AS a JOIN live USING (label) WHERE fenced;
SELECT label || ': the run''s way', (SELECT group_concat(to_state) FROM session_events
    WHERE session_label = label AND axis = 'run'), 'starting,running,idle'
  FROM at WHERE fenced;
SELECT label || ': the decision tells of it', instr(d ->> '$.notes', 'aborted') > 0, 1
  FROM at WHERE fenced;

-- A message that is nothing but a yes completes what is finished, whatever it was classified as.
CREATE TEMP TABLE yes(label, mode);
INSERT INTO yes SELECT 'yes, ' || ifnull(name, 'default'), name FROM mode;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM yes;
INSERT INTO run SELECT label, turn_begin(label, 'A1',
  '{"messages":[{"role":"user","content":"go"}]}') FROM yes;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete',
  json('{"summary":"Retries added"}')) FROM yes;
INSERT INTO came SELECT label, session_deliver(label, 'yes', '{"class":"Modification"}') FROM yes;
SELECT label, json_extract(d, '$.action', '$.class', '$.state'),
  '["complete","Confirmation","None"]'
  FROM yes JOIN came USING (label);
SELECT label || ': the run is fenced', session_state(label) ->> '$.run_state', 'idle' FROM yes;

---- In which mode: delivery, session, the session's setting, its source's setting, the file's

CREATE TEMP TABLE source(name, preset);
INSERT INTO source VALUES ('user', 'interrupt'), ('agent', 'followup'), ('timer', 'followup'),
  ('webhook', 'queue'), ('system', 'queue');
-- own: the delivery's; session: its column; setting: its override; by_source: the file's for that
-- source; file: the file's.
CREATE TEMP TABLE level(own, session, setting, by_source, file, mode);
INSERT INTO level VALUES
  ('steer', 'collect', 'followup', 'queue', 'steer-backlog', 'steer'),
  ('steer', 'collect', NULL, NULL, NULL, 'steer'), ('steer', NULL, 'followup', NULL, NULL, 'steer'),
  ('queue', NULL, NULL, 'steer', NULL, 'queue'), ('queue', NULL, NULL, NULL, 'steer', 'queue'),
  (NULL, 'collect', 'followup', 'queue', 'steer-backlog', 'collect'),
  (NULL, 'collect', NULL, 'queue', NULL, 'collect'), (NULL, 'steer', NULL, NULL, 'queue', 'steer'),
  (NULL, NULL, 'steer', 'queue', 'steer-backlog', 'steer'),
  (NULL, NULL, 'interrupt', NULL, NULL, 'interrupt'),
  (NULL, NULL, NULL, 'collect', 'steer-backlog', 'collect'),
  (NULL, NULL, NULL, 'interrupt', 'steer-backlog', 'interrupt'),
  (NULL, NULL, NULL, 'inherit', 'steer-backlog', 'steer-backlog'),
  (NULL, NULL, NULL, 'inherit', NULL, 'queue'), (NULL, NULL, NULL, NULL, 'steer', NULL),
  (NULL, NULL, NULL, NULL, NULL, NULL); -- NULL: the source's default
CREATE TEMP TABLE moded AS SELECT 'mode ' || level.rowid || ', ' || name AS label, name AS source,
  level.rowid AS n, own, session, setting, by_source, file, ifnull(mode, preset) AS mode
  FROM level, source;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM moded;
INSERT INTO run SELECT label, turn_begin(label, 'A1',
  '{"messages":[{"role":"user","content":"go"}]}') FROM moded;
UPDATE sessions SET queue_mode = (SELECT session FROM moded AS m WHERE m.label = sessions.label)
  WHERE label IN (SELECT label FROM moded);
INSERT INTO turnstile SELECT 'turnstile_config', json_array('queue_mode', setting,
  json_object('session', label)) FROM moded WHERE setting IS NOT NULL;
-- What holds for the file has to be set for one line after the other: each delivery brings its own.
INSERT INTO turnstile(command, args)
  SELECT command, args FROM (
    SELECT n, 0 AS step, 'turnstile_config' AS command, json_array('queue_mode_' || source,
      by_source) AS args, source FROM moded WHERE by_source IS NOT NULL
    UNION ALL SELECT n, 1, 'turnstile_config', json_array('queue_mode', file), source FROM moded
      WHERE file IS NOT NULL
    UNION ALL SELECT n, 2, 'session_deliver', json_array(label, 'point three', json_patch(
        json_object('source', source, 'class', iif(source = 'user', 'Modification', NULL)),
        json_object('mode', own))), source FROM moded
    UNION ALL SELECT n, 3, 'turnstile_config', json_array('queue_mode_' || source, NULL,
      json('{"reset":1}')), source FROM moded
    UNION ALL SELECT n, 4, 'turnstile_config', json('["queue_mode",null,{"reset":1}]'), source
      FROM moded)
  ORDER BY n, source, step;
SELECT label || ': the mode', (SELECT q.mode FROM session_queue AS q WHERE session_label = label),
  mode FROM moded WHERE mode <> 'interrupt' OR source = 'user';
SELECT label || ': what is done', (SELECT action FROM deliveries WHERE session_label = label),
  CASE WHEN mode IN ('steer', 'steer-backlog') THEN 'steer'
    WHEN mode = 'interrupt' AND source = 'user' THEN 'interrupt' ELSE 'queue' END FROM moded;
SELECT 'the settings are as they were', json_array(turnstile_config('queue_mode'),
  turnstile_config('queue_mode_user'), turnstile_config('queue_mode_agent'),
  turnstile_config('queue_mode_timer'), turnstile_config('queue_mode_webhook'),
  turnstile_config('queue_mode_system')),
  '["queue","interrupt","followup","followup","queue","queue"]';
CREATE TEMP TABLE wrong(call, message);
INSERT INTO wrong VALUES
  ('session_deliver(''mode'', ''x'', ''{"mode":"later"}'')',
   'session_deliver: mode is ''later''; it must be one of: queue, followup, collect, steer, '
   || 'steer-backlog, interrupt'),
  ('session_deliver(''mode'', ''x'', ''{"mode":"inherit"}'')',
   'session_deliver: mode is ''inherit''; it must be one of: %'),
  ('turnstile_config(''queue_mode'', ''inherit'')',
   'turnstile_config: queue_mode is ''inherit''; it must be one of: %'),
  ('turnstile_config(''queue_mode_user'', ''now'')',
   'turnstile_config: queue_mode_user is ''now''; it must be one of: queue, %, interrupt, inherit'),
  ('turnstile_config(''queue_full'', ''drop'')',
   'turnstile_config: queue_full is ''drop''; it must be one of: reject, drop-oldest');
SELECT 'refused: ' || call, ifnull(error_of('SELECT ' || call), '(no error)') LIKE message, 1
  FROM wrong;
-- The setting of a source can be a session's, too.
INSERT INTO turnstile VALUES
  ('turnstile_config', '["queue_mode_user","collect",{"session":"by source"}]'),
  ('session_start', '["by source","add retries"]'),
  ('turn_begin', '["by source","A1",{"messages":[{"role":"user","content":"go"}]}]'),
  ('session_deliver', '["by source","point three",{"class":"Response"}]'),
  ('session_deliver', '["by source","tick",{"source":"timer"}]');
SELECT 'a session''s setting for one source', (SELECT group_concat(message || ' ' || mode)
  FROM session_queue WHERE session_label = 'by source'), 'point three collect,tick followup';

---- Other sources: every source × mode × state

CREATE TEMP TABLE other AS
  SELECT source.name || ', ' || ifnull(m.name, 'default') || ', ' || s.name || ', ' || t.taken
      AS label, source.name AS source, m.name AS mode, s.name AS state, t.taken,
    iif(m.modes = 'steers', 'steer', 'queue') AS action, ifnull(m.name, preset) AS row_mode
  FROM source CROSS JOIN mode AS m CROSS JOIN state AS s
    CROSS JOIN (SELECT 'in' AS taken UNION ALL SELECT 'next') AS t
  WHERE source.name <> 'user';
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM other
  WHERE state <> 'None';
INSERT INTO run SELECT label, turn_begin(label, 'A1',
  '{"messages":[{"role":"user","content":"go"}],"source":"user"}') FROM other;
INSERT INTO turnstile SELECT 'turn_phase', json_array(turn, token, 'streaming')
  FROM other JOIN live USING (label);
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state, json(data))
  FROM other JOIN state ON name = state WHERE state NOT IN ('None', 'Running');
DELETE FROM before;
INSERT INTO before SELECT label, ifnull(n, 0) FROM other LEFT JOIN noted USING (label);
INSERT INTO came SELECT label, session_deliver(label, 'yes', json_object('source', source,
    'now', 1001000)) FROM other WHERE mode IS NULL;
INSERT INTO came SELECT label, session_deliver(label, 'yes', json_object('source', source,
    'mode', mode, 'now', 1001000)) FROM other WHERE mode IS NOT NULL;
SELECT label || ': the decision', json_extract(d, '$.action', '$.class', '$.confidence',
    '$.previous_state', '$.state', '$.message', '$.choices'),
  json_array(action, NULL, NULL, state, state, NULL, NULL) FROM other JOIN came USING (label);
SELECT label || ': the row', (SELECT json_array(status, rank, class, q.source)
  FROM session_queue AS q WHERE session_label = label), json_array('pending', 0, NULL, source)
  FROM other;
SELECT label || ': its mode', (SELECT q.mode FROM session_queue AS q WHERE session_label = label),
  row_mode FROM other WHERE row_mode <> 'interrupt';
SELECT label || ': neither run nor task is touched', json_extract(session_state(label),
  '$.run_state',
  '$.task_state', '$.last_activity'), json_array('running', state, 1000000) FROM other;
CREATE TEMP TABLE taking2 AS SELECT label, turn_steering(turn, token, '{"now":1002000}') AS r
  FROM other JOIN live USING (label) WHERE taken = 'in';
SELECT label || ': a run takes what may be steered', (SELECT json_group_array(json_extract(value,
    '$.content', '$.source', '$.class')) FROM json_each(r, '$.messages')),
  iif(action = 'steer', json_array(json(json_array('yes', source, NULL))), '[]')
  FROM other JOIN taking2 USING (label);
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json('{"content":"done"}'))
  FROM other JOIN live USING (label) WHERE taken = 'next';
DELETE FROM next;
INSERT INTO next SELECT label, turn_begin(label, 'A2', '{"now":1003000}') FROM other
  WHERE taken = 'next';
SELECT label || ': the next turn takes it', (SELECT json_group_array(json_extract(value, '$.role',
    '$.content', '$.source', '$.class')) FROM json_each(r, '$.messages')),
  json_array(json(json_array('user', 'yes', source, NULL))) FROM other JOIN next USING (label);
SELECT label || ': the turn''s source', (SELECT t.source FROM turns AS t WHERE t.id = r ->>
  '$.turn'),
  other.source FROM other JOIN next USING (label);
-- Interrupted work goes on with any input; else nothing moves, and no task is created.
SELECT label || ': the state', session_state(label) ->> '$.task_state',
  iif(state = 'Interrupted' AND (taken = 'next' OR action = 'steer'), 'Running', state) FROM other;
SELECT label || ': no note', ifnull((SELECT n FROM noted AS n WHERE n.label = other.label), 0),
  notes FROM other JOIN before USING (label);

---- First in line

CREATE TEMP TABLE script(n INTEGER PRIMARY KEY, message, class, mode, source);
INSERT INTO script VALUES (1, 'a', 'Modification', 'queue', 'user'),
  (2, 'b', 'Modification', 'interrupt', 'user'), (3, 'tick', NULL, NULL, 'timer'),
  (4, 'c', 'Response', NULL, 'user'), (5, 'd', 'Modification', 'steer', 'user'),
  (6, 'e', 'Clarification', NULL, 'user');
INSERT INTO turnstile VALUES ('session_start', '["line","add retries"]');
INSERT INTO run SELECT 'line', turn_begin('line', 'A1',
  '{"messages":[{"role":"user","content":"go"}]}');
INSERT INTO turnstile SELECT 'session_deliver', json_array('line', message,
    json_patch(json_object('source', source), json_object('class', class, 'mode', mode)))
  FROM script ORDER BY n;
SELECT 'what interrupts comes first', (SELECT line FROM waits WHERE label = 'line'),
  'b -1 | c -1 | a 0 | tick 0 | d 0 | e 0';
SELECT 'the view shows the same order', (SELECT group_concat(message) FROM (SELECT message
  FROM queue_list WHERE session_label = 'line' ORDER BY position)), 'b,c,a,tick,d,e';
SELECT 'the state keeps every word that interrupted', session_state('line')
  ->> '$.state_data.messages', '["b","c","d"]';
SELECT 'the run is told how many it could take', turn_heartbeat(turn, token)
  ->> '$.steering', 3 FROM live WHERE label = 'line';
SELECT 'it takes them in the order of the line', (SELECT group_concat(value ->> '$.content')
  FROM json_each(turn_steering(turn, token), '$.messages')), 'b,c,d' FROM live WHERE label = 'line';
SELECT 'the others go on waiting', (SELECT line FROM waits WHERE label = 'line'),
  'a 0 | tick 0 | e 0';
-- The same, and the run ends before it asks.
INSERT INTO turnstile VALUES ('session_start', '["lined","add retries"]');
INSERT INTO run SELECT 'lined', turn_begin('lined', 'A1',
  '{"messages":[{"role":"user","content":"go"}]}');
INSERT INTO turnstile SELECT 'session_deliver', json_array('lined', message,
    json_patch(json_object('source', source), json_object('class', class, 'mode', mode)))
  FROM script ORDER BY n;
CREATE TEMP TABLE turned(n INTEGER PRIMARY KEY, messages, state);
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token) FROM live WHERE label =
  'lined';
CREATE TEMP TABLE order_of(n INTEGER PRIMARY KEY, messages);
INSERT INTO order_of VALUES (1, 'b,c'), (2, 'a'), (3, 'tick'), (4, 'd'), (5, 'e'), (6, NULL);
INSERT INTO turned(messages) SELECT turn_begin('lined', 'A1');
INSERT INTO turnstile SELECT 'turn_complete', json_array(messages ->> '$.turn', messages ->>
  '$.token')
  FROM turned WHERE n = 1;
INSERT INTO turned(messages) SELECT turn_begin('lined', 'A1');
INSERT INTO turnstile SELECT 'turn_complete', json_array(messages ->> '$.turn', messages ->>
  '$.token')
  FROM turned WHERE n = 2;
INSERT INTO turned(messages) SELECT turn_begin('lined', 'A1');
INSERT INTO turnstile SELECT 'turn_complete', json_array(messages ->> '$.turn', messages ->>
  '$.token')
  FROM turned WHERE n = 3;
INSERT INTO turned(messages) SELECT turn_begin('lined', 'A1');
INSERT INTO turnstile SELECT 'turn_complete', json_array(messages ->> '$.turn', messages ->>
  '$.token')
  FROM turned WHERE n = 4;
INSERT INTO turned(messages) SELECT turn_begin('lined', 'A1');
INSERT INTO turnstile SELECT 'turn_complete', json_array(messages ->> '$.turn', messages ->>
  '$.token')
  FROM turned WHERE n = 5;
INSERT INTO turned(messages) SELECT turn_begin('lined', 'A1');
SELECT 'turn ' || n, (SELECT group_concat(value ->> '$.content')
  FROM json_each(t.messages, '$.messages')), o.messages FROM turned AS t JOIN order_of AS o USING
  (n);
SELECT 'each was taken once', (SELECT group_concat(message || attempts || status) FROM (SELECT *
  FROM session_queue WHERE session_label = 'lined' ORDER BY id)),
  'a1delivered,b1delivered,tick1delivered,c1delivered,d1delivered,e1delivered';

---- Fencing

-- Confirmation, Abandon, and a new task that switches, with a run that has shown output and one
-- that
-- has not, in every state of the run.
CREATE TEMP TABLE fence(class, action, after, commit_type, hands);
INSERT INTO fence VALUES ('Confirmation', 'complete', 'None', 'Normal', NULL),
  ('Abandon', 'abandon', 'None', 'Abandoned', NULL),
  ('NewTask', 'start', 'Running', 'InterruptedByNewTask', 'point three');
CREATE TEMP TABLE output(name, kept);
INSERT INTO output VALUES ('silent', 0), ('interrupted', 0), ('said', 1), ('called', 1);
CREATE TEMP TABLE fenced AS SELECT class || ', ' || name || iif(owner IS NULL, '', ', owner')
    AS label, fence.*, name AS run, kept, owner
  FROM fence, output, (SELECT NULL AS owner UNION ALL SELECT 'A2');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM fenced;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM fenced;
INSERT INTO turnstile SELECT 'turnstile_config', json_array('new_task_policy', 'switch',
  json_object('session', label)) FROM fenced;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'work', json('{"source":"agent"}'))
  FROM fenced;
INSERT INTO run SELECT label, turn_begin(label, 'A1') FROM fenced;
INSERT INTO turnstile SELECT 'turn_message', json_array(turn, token,
  json('{"role":"assistant","content":"half"}')) FROM fenced JOIN live USING (label)
  WHERE run = 'said';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'push')
  FROM fenced JOIN live USING (label) WHERE run = 'called';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'wait', json(
  '{"class":"Modification","mode":"interrupt","sender":"u2"}')) FROM fenced WHERE run =
  'interrupted';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Running') FROM fenced
  WHERE run = 'interrupted' AND class = 'Confirmation';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete',
  json('{"summary":"Retries added"}')) FROM fenced WHERE class = 'Confirmation';
INSERT INTO came SELECT label, session_deliver(label, 'point three', json_patch(
  json_object('class', class), json_object('owner', owner))) FROM fenced;
SELECT label || ': the decision', json_extract(d, '$.action', '$.state'), json_array(action, after)
  FROM fenced JOIN came USING (label);
SELECT label || ': the commit', (SELECT commit_type FROM commits WHERE session_label = label),
  commit_type FROM fenced;
SELECT label || ': the turn', (SELECT json_array(status, on_path, error) FROM turns
  WHERE id = turn), json_array('aborted', kept, 'point three') FROM fenced JOIN live USING (label);
SELECT label || ': the head', (SELECT thread_id FROM sessions AS s WHERE s.label = f.label),
  iif(kept, turn, NULL) FROM fenced AS f JOIN live USING (label);
SELECT label || ': what it worked on is done with', (SELECT status || ' ' || (turn_id = turn)
  FROM session_queue WHERE session_label = label AND message = 'work'), 'cancelled 1'
  FROM fenced JOIN live USING (label);
SELECT label || ': and the decision lists it', d ->> '$.cancelled[0].message', 'work'
  FROM fenced JOIN came USING (label);
SELECT label || ': and says what was stopped', (SELECT error FROM session_queue WHERE session_label = label
  AND message = 'work'), 'stopped: point three' FROM fenced;
SELECT label || ': the old token', error_of(printf('SELECT turn_message(%d, %d,
    ''{"role":"user","content":"late"}'')', turn, token))
  LIKE 'turn_message: turn ' || turn || ' is aborted: point three;%', 1
  FROM fenced JOIN live USING (label);
SELECT label || ': nobody holds the session, or the new owner', (SELECT json_array(run_state, owner,
    turn_id IS NOT NULL, token > l.token) FROM session_runs WHERE session_label = label),
  CASE WHEN owner = 'A2' AND hands IS NOT NULL THEN '["starting","A2",1,1]'
    ELSE '["idle","A1",0,1]' END FROM fenced JOIN live AS l USING (label);
SELECT label || ': only work begins a turn', (SELECT json_group_array(value ->> '$.content')
    FROM json_each(d, '$.turn.messages')), CASE WHEN owner IS NULL OR hands IS NULL THEN '[]'
    WHEN run = 'interrupted' THEN '["wait","point three"]' ELSE '["point three"]' END
  FROM fenced JOIN came USING (label);
SELECT label || ': what waits', (SELECT group_concat(message || ' ' || status) FROM session_queue
    WHERE session_label = label AND message = 'wait'), CASE WHEN run = 'interrupted' THEN
    iif(hands IS NULL, 'wait pending', iif(owner IS NULL, 'wait handed', 'wait processing')) END
  FROM fenced;
SELECT label || ': the run''s way', (SELECT group_concat(to_state) FROM session_events
    WHERE session_label = label AND axis = 'run'), CASE run WHEN 'silent' THEN 'starting,idle'
    WHEN 'interrupted' THEN 'starting,running,interrupted,idle' ELSE 'starting,running,idle' END
    || iif(owner IS NOT NULL AND hands IS NOT NULL, ',starting', '') FROM fenced;
SELECT label || ': the turn''s way', (SELECT group_concat(to_state) FROM session_events
    WHERE session_label = label AND axis = 'turn' AND data ->> '$.turn' = turn),
    'processing,aborted'
  FROM fenced JOIN live USING (label);
SELECT label || ': a call without a result', (SELECT group_concat(kind || ' ' || ifnull(status, ''))
    FROM session_context(label) WHERE tool_call_id = 'k'),
    'tool_call pending,tool_result interrupted'
  FROM fenced WHERE run = 'called' AND hands IS NULL;

-- Abandon takes along what its own sender has waiting; what others have waiting stays.
INSERT INTO turnstile VALUES ('session_start', '["mine","add retries"]'),
  ('session_note', '["mine","read"]'),
  ('turn_begin', '["mine","A1",{"messages":[{"role":"user","content":"go"}]}]'),
  ('session_deliver', '["mine","one",{"class":"Modification","sender":"u1"}]'),
  ('session_deliver', '["mine","two",{"class":"Modification","sender":"u2","mode":"queue"}]'),
  ('session_deliver', '["mine","beat",{"source":"timer","sender":"u1"}]');
INSERT INTO came SELECT 'mine', session_deliver('mine', 'never mind',
  '{"class":"Abandon","sender":"u1"}');
SELECT 'mine: what is done', json_array(d ->> '$.action', (SELECT group_concat(value ->>
  '$.message')
  FROM json_each(d, '$.cancelled')), (SELECT line FROM waits WHERE label = 'mine')),
  '["abandon","one","two 0 | beat 0"]' FROM came WHERE label = 'mine';
-- A session without a task: an "ok" only acknowledges, whatever the run does; an Abandon stops it.
INSERT INTO turnstile VALUES ('queue_push', '["nothing","tick",{"source":"timer","sender":"t"}]'),
  ('queue_push', '["nothing","tock",{"source":"timer","sender":"t"}]');
INSERT INTO run SELECT 'nothing', turn_begin('nothing', 'A1');
SELECT 'nothing to approve', json_extract(session_deliver('nothing', 'ok',
  '{"class":"Confirmation"}'), '$.action', '$.notes'), '["acknowledge",null]';
SELECT 'the run goes on', turn_heartbeat(turn, token) ->> '$.interrupted', 0 FROM live
  WHERE label = 'nothing';
SELECT 'stop is stop without a task, too', json_remove(session_deliver('nothing', 'never mind',
  '{"class":"Abandon"}'), '$.confidence'),
  '{"action":"acknowledge","session":"nothing","task_id":null,"class":"Abandon","state":"None",' ||
  '"previous_state":"None","message":"Got it.",' ||
  '"cancelled":[{"queue_id":' || (SELECT id FROM session_queue WHERE message = 'tick' AND session_label = 'nothing') ||
  ',"message":"tick"}],"still_waiting":[{"queue_id":' ||
  (SELECT id FROM session_queue WHERE message = 'tock') ||
  ',"source":"timer","sender":"t","message":"tock"}],"notes":["the live run was aborted"]}';
SELECT 'its token is dead', error_of(printf('SELECT turn_heartbeat(%d, %d)', turn, token)) IS NOT NULL, 1
  FROM live WHERE label = 'nothing';
-- Once more: it starts nothing, with or without an owner.
SELECT 'a second stop starts nothing', json_extract(session_deliver('nothing', 'stop!',
  json_patch('{"class":"Abandon"}', o)), '$.action', '$.inputs', '$.turn', '$.queue_id',
  '$.still_waiting[0].message'), '["acknowledge",null,null,null,"tock"]'
  FROM (SELECT '{}' AS o UNION ALL SELECT '{"owner":"A2"}');
SELECT 'and what waits is untouched', (SELECT line FROM waits WHERE label = 'nothing'), 'tock 0';

---- Choices during a run

-- "build an export" opens a NewTaskChoice or an UnclearChoice under a live run; then this comes.
-- run: what becomes of the run; given: what a new owner is handed with the decision.
CREATE TEMP TABLE chosen(kind, message, class, mode, action, run, state, task, waiting, held, note,
                         given);
INSERT INTO chosen VALUES
  ('NewTask', 'A', NULL, NULL, 'start', 'idle', 'Running', 'build an export', NULL, NULL, NULL,
   'build an export'),
  ('NewTask', 'B', NULL, NULL, 'continue', 'running', 'Running', 'add retries', NULL, NULL,
   'Asked for meanwhile, not started: build an export', NULL),
  ('NewTask', 'make it five', 'Modification', NULL, 'interrupt', 'interrupted', 'Interrupted',
   'add retries', 'make it five -1', 'build an export', NULL, NULL),
  ('NewTask', 'make it five', 'Response', 'steer', 'steer', 'running', 'Interrupted',
   'add retries', 'make it five 0', 'build an export', NULL, NULL),
  ('NewTask', 'make it five', 'Modification', 'queue', 'queue', 'running', 'Running',
   'add retries', 'make it five 0', 'build an export', NULL, NULL),
  ('NewTask', 'a shop, rather', 'NewTask', NULL, 'start', 'idle', 'Running', 'a shop, rather',
   NULL, NULL, NULL, 'build an export,a shop, rather'),
  ('NewTask', 'which export?', 'Clarification', NULL, 'queue', 'running', 'Running',
   'add retries', 'which export? 0', 'build an export', NULL, NULL),
  ('NewTask', 'which export?', 'Clarification', 'steer', 'steer', 'running', 'Running',
   'add retries', 'which export? 0', 'build an export', NULL, NULL),
  ('NewTask', 'hm', 'Unclear', NULL, 'prompt', 'running', 'Running', 'add retries', NULL,
   'build an export', NULL, NULL),
  ('NewTask', 'yes', NULL, NULL, 'prompt', 'running', 'Running', 'add retries', NULL,
   'build an export', NULL, NULL),
  ('NewTask', 'no export then', 'Abandon', NULL, 'acknowledge', 'running', 'Running',
   'add retries', NULL, NULL, 'Taken back: build an export', NULL),
  ('Unclear', 'A', NULL, NULL, 'interrupt', 'interrupted', 'Interrupted', 'add retries',
   'build an export -1', NULL, NULL, NULL),
  ('Unclear', 'B', NULL, NULL, 'start', 'idle', 'Running', 'build an export', NULL, NULL, NULL,
   'build an export'),
  ('Unclear', 'make it five', 'Modification', NULL, 'interrupt', 'interrupted', 'Interrupted',
   'add retries', 'build an export -1 | make it five -1', NULL, NULL, NULL),
  ('Unclear', 'never mind all that', 'Abandon', NULL, 'abandon', 'idle', 'None', NULL, NULL, NULL,
   'Taken back: build an export', NULL);
CREATE TEMP TABLE choosing AS SELECT kind || ' choice, ' || message || ifnull(', ' || class, '')
  || ifnull(', ' || mode, '') AS label, * FROM chosen;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM choosing;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM choosing;
INSERT INTO run SELECT label, turn_begin(label, 'A1',
  '{"messages":[{"role":"user","content":"go"}]}') FROM choosing;
INSERT INTO turnstile SELECT 'turn_phase', json_array(turn, token, 'streaming')
  FROM choosing JOIN live USING (label);
CREATE TEMP TABLE opened AS SELECT label, session_deliver(label, 'build an export',
  json_object('class', kind)) AS d FROM choosing;
SELECT label || ': the choice opens, the run goes on', json_array(d ->> '$.action',
    d ->> '$.choices[0].key', session_state(label) ->> '$.run_state',
    session_state(label) ->> '$.pending_choice.held'),
  '["prompt","A","running","build an export"]' FROM opened;
INSERT INTO came SELECT label, session_deliver(label, message, json_patch('{"owner":"A2"}',
  json_object('class', class, 'mode', mode))) FROM choosing;
SELECT label || ': what is done', json_extract(d, '$.action', '$.state'), json_array(action, state)
  FROM choosing JOIN came USING (label);
SELECT label || ': the task', session_state(label) ->> '$.task', task FROM choosing;
SELECT label || ': the run', (SELECT json_array(run_state, owner) FROM session_runs
    WHERE session_label = label), iif(given IS NULL, json_array(run, 'A1'), '["starting","A2"]')
  FROM choosing;
SELECT label || ': the old turn', (SELECT status FROM turns WHERE id = turn),
  iif(run = 'idle', 'aborted', 'running') FROM choosing JOIN live USING (label);
SELECT label || ': what waits', (SELECT line FROM waits AS w WHERE w.label = c.label), waiting
  FROM choosing AS c;
SELECT label || ': what is held', session_state(label) ->> '$.pending_choice.held', held
  FROM choosing;
SELECT label || ': what is noted', (SELECT group_concat(data ->> '$.text') FROM observations
  WHERE session_label = label AND data ->> '$.note' = 'held'), note FROM choosing;
SELECT label || ': what a new owner is handed', (SELECT group_concat(value ->> '$.content')
  FROM json_each(d, '$.turn.messages')), given FROM choosing JOIN came USING (label);
SELECT label || ': the message is in one place', (SELECT count(*) FROM session_queue
    WHERE session_label = label AND message = 'build an export' AND status <> 'cancelled')
    + (held IS NOT NULL) + (note IS NOT NULL), 1 FROM choosing;
-- session_choose does the same.
CREATE TEMP TABLE choose(label, kind, choice, action, run);
INSERT INTO choose VALUES ('choose, start', 'NewTask', 'start_fresh', 'start', 'idle'),
  ('choose, continue', 'NewTask', 'continue', 'continue', 'starting'),
  ('choose, unclear', 'Unclear', 'continue', 'interrupt', 'interrupted'),
  ('choose, unclear, start', 'Unclear', 'start_fresh', 'start', 'idle');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM choose;
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'A1',
  json('{"messages":[{"role":"user","content":"go"}]}')) FROM choose;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'build an export',
  json_object('class', kind)) FROM choose;
SELECT label, json_array(session_choose(label, choice) ->> '$.action', session_state(label)
  ->> '$.run_state'), json_array(action, run) FROM choose;

---- The option owner

-- Without a live run a turn begins for start, continue and answer only.
CREATE TEMP TABLE owned(label, state, options, message, action, begins);
INSERT INTO owned VALUES
  ('own start', 'None', '{"class":"NewTask"}', 'point three', 'start', 1),
  ('own continue', 'Running', '{"class":"Modification"}', 'point three', 'continue', 1),
  ('own reply', 'AwaitingUser', '{"class":"Response"}', 'point three', 'continue', 1),
  ('own more', 'PendingComplete', '{"class":"Modification"}', 'point three', 'continue', 1),
  ('own on', 'Interrupted', '{"class":"Response"}', 'point three', 'continue', 1),
  ('own answer', 'Running', '{"class":"Clarification"}', 'point three', 'answer', 1),
  ('own answer none', 'None', '{"class":"Unclear"}', 'point three', 'answer', 1),
  ('own timer', 'Running', '{"source":"timer"}', 'point three', 'continue', 1),
  ('own timer none', 'None', '{"source":"timer"}', 'point three', 'continue', 1),
  ('own switch', 'Running', '{"class":"NewTask"}', 'point three', 'start', 1),
  ('own complete', 'PendingComplete', '{"class":"Confirmation"}', 'point three', 'complete', 0),
  ('own abandon', 'Running', '{"class":"Abandon"}', 'point three', 'abandon', 0),
  ('own acknowledge', 'Running', '{"class":"Confirmation"}', 'point three', 'acknowledge', 0),
  ('own prompt', 'Running', '{"class":"NewTask"}', 'point three', 'prompt', 0),
  ('own unclear', 'Running', '{"class":"Unclear"}', 'point three', 'prompt', 0),
  ('own compact', 'Running', '{}', '/compact the design', 'compact', 0),
  ('own blocked', 'Running', '{"class":"Modification"}', 'point three', 'blocked', 0),
  ('own rejected', 'None', '{"class":"Modification"}', 'point three', 'rejected', 0),
  ('own archived', 'None', '{"source":"timer"}', 'point three', 'queue', 0),
  ('own reopened', 'None', '{"class":"NewTask"}', 'point three', 'start', 1);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM owned;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM owned;
INSERT INTO turnstile SELECT 'session_compact', json_array(label) FROM owned WHERE state = 'None';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state, json(data))
  FROM owned JOIN state ON name = state WHERE state NOT IN ('None', 'Running');
INSERT INTO turnstile VALUES
  ('turnstile_config', '["new_task_policy","switch",{"session":"own switch"}]'),
  ('turnstile_config', '["on_archived","reject",{"session":"own rejected"}]');
UPDATE sessions SET status = 'error' WHERE label = 'own blocked';
UPDATE sessions SET status = 'archived', archived_at = 1 WHERE label IN ('own rejected',
  'own archived', 'own reopened');
INSERT INTO came SELECT label, session_deliver(label, message, json_patch(options,
  '{"owner":"A1"}')) FROM owned;
SELECT label || ': action', d ->> '$.action', action FROM owned JOIN came USING (label);
SELECT label || ': the turn', (SELECT group_concat(key) FROM json_each(d, '$.turn')),
  CASE WHEN begins THEN 'turn,token,session,parent,expires_at,resume_cursor,messages' END
  FROM owned JOIN came USING (label);
SELECT label || ': the message', (SELECT json_group_array(json_extract(value, '$.role', '$.content',
    '$.attempt', '$.queue_id')) FROM json_each(d, '$.turn.messages')),
  iif(begins, json_array(json(json_array('user', message, 1, d ->> '$.queue_id'))), '[]')
  FROM owned JOIN came USING (label);
SELECT label || ': the lease', (SELECT json_array(owner, run_state, token = d ->> '$.turn.token',
    turn_id = d ->> '$.turn.turn', expires_at) FROM session_runs WHERE session_label = label),
  CASE WHEN begins THEN '["A1","starting",1,1,1300000]' END FROM owned JOIN came USING (label);
SELECT label || ': the row', (SELECT group_concat(status) FROM session_queue
    WHERE session_label = label), CASE WHEN begins THEN 'processing'
    WHEN action = 'compact' THEN 'handed' WHEN action IN ('blocked', 'queue') THEN 'pending' END
  FROM owned;
SELECT label || ': the turn can be worked on', turn_complete(d ->> '$.turn.turn',
  d ->> '$.turn.token', '{"content":"done"}') ->> '$.status', 'completed'
  FROM owned JOIN came USING (label) WHERE begins;
SELECT 'a turn of a timer', (SELECT source FROM turns JOIN came ON id = d ->> '$.turn.turn'
  WHERE label = 'own timer'), 'timer';
-- Under a live run none begins, the owner's own included.
INSERT INTO turnstile VALUES ('session_start', '["own live","add retries"]'),
  ('turn_begin', '["own live","A1",{"messages":[{"role":"user","content":"go"}]}]');
CREATE TEMP TABLE still(class, mode, action);
INSERT INTO still VALUES ('Clarification', 'queue', 'queue'), ('Modification', 'steer', 'steer'),
  ('Modification', 'interrupt', 'interrupt'), ('Confirmation', 'queue', 'acknowledge'),
  ('Unclear', 'queue', 'prompt');
SELECT 'own live, ' || action, json_extract(session_deliver('own live', 'point three',
  json_object('class', class, 'mode', mode, 'owner', 'A1')), '$.action', '$.turn'),
  json_array(action, NULL) FROM still;
SELECT 'one turn', (SELECT count(*) FROM turns JOIN session_runs ON turn_id = id
  WHERE session_label = 'own live'), 1;
SELECT 'an owner that is none', error_of('SELECT session_deliver(''own live'', ''x'',
  ''{"owner":""}'')'), 'session_deliver: owner is empty';
-- What was handed before is worked on together with it.
INSERT INTO turnstile VALUES ('session_deliver', '["own both","one",{"class":"NewTask"}]');
INSERT INTO came SELECT 'own both', session_deliver('own both', 'two',
  '{"class":"Modification","owner":"A1"}');
SELECT 'own both: the first is worked on with the second', (SELECT group_concat(message || ' '
  || status) FROM session_queue WHERE session_label = 'own both'), 'one processing,two processing';

---- The same message again

INSERT INTO turnstile VALUES ('session_start', '["again","add retries"]'),
  ('turn_begin', '["again","A1",{"messages":[{"role":"user","content":"go"}]}]');
CREATE TEMP TABLE twice(class, mode, action);
INSERT INTO twice VALUES ('Modification', 'interrupt', 'interrupt'), ('Response', 'steer', 'steer'),
  ('Clarification', 'queue', 'queue'), ('Confirmation', NULL, 'acknowledge'),
  ('Unclear', NULL, 'prompt');
CREATE TEMP TABLE first AS SELECT action, json_object('class', class, 'message_id', 'id ' || action,
  'channel', 'wa', 'sender', 'u1') AS options, mode FROM twice;
UPDATE first SET options = json_set(options, '$.mode', mode) WHERE mode IS NOT NULL;
CREATE TEMP TABLE once AS SELECT action, options, session_deliver('again', 'name the third point', options)
  AS d FROM first;
SELECT 'once: ' || action, d ->> '$.action', action FROM once;
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT 'again: ' || action, session_deliver('again', 'name the third point', options),
  json_object('action', 'duplicate', 'session', 'again', 'duplicate', json('true'), 'first', json(d))
  FROM once;
SELECT 'other words: ' || action, session_deliver('again', 'point four', options),
  json_object('action', 'duplicate', 'session', 'again', 'duplicate', json('true'), 'conflict',
    json('true'), 'first', json(d)) FROM once;
SELECT 'the other words are counted', json_extract(refused, '$.count', '$.why', '$.message'),
  json_array(count(*), 'message_id', 'point four') FROM sessions, once WHERE label = 'again';
UPDATE sessions SET refused = NULL WHERE label = 'again';
SELECT 'nothing else has changed', dump_of() = d, 1 FROM was;
SELECT 'queue_push knows it as well', queue_push('again', 'name the third point',
  '{"message_id":"id interrupt","channel":"wa","sender":"u1"}'), (SELECT d ->> '$.queue_id'
  FROM once WHERE action = 'interrupt');
SELECT 'another sender''s is another', json_extract(session_deliver('again', 'name the third point',
  '{"class":"Clarification","mode":"queue","message_id":"id queue","channel":"wa","sender":"u2"}'),
  '$.action', '$.duplicate'), '["queue",null]';
-- A decision that began a turn is remembered with it: no second turn begins.
INSERT INTO came SELECT 'again own', session_deliver('again own', 'name the third point',
  '{"class":"NewTask","owner":"A1","message_id":"m"}');
SELECT 'the turn of the first time', session_deliver('again own', 'name the third point',
  '{"class":"NewTask","owner":"A1","message_id":"m"}') ->> '$.first.turn.turn', d ->> '$.turn.turn'
  FROM came WHERE label = 'again own';
SELECT 'one turn came of it', (SELECT count(*) FROM session_events WHERE session_label = 'again own'
  AND axis = 'turn'), 1;

---- A full queue

CREATE TEMP TABLE full(label, policy);
INSERT INTO full VALUES ('full', NULL), ('drop', 'drop-oldest');
INSERT INTO turnstile SELECT 'turnstile_config', json_array('queue_cap', 2,
  json_object('session', label)) FROM full;
INSERT INTO turnstile SELECT 'turnstile_config', json_array('queue_full', policy,
  json_object('session', label)) FROM full WHERE policy IS NOT NULL;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM full;
INSERT INTO run SELECT label, turn_begin(label, 'A1',
  '{"messages":[{"role":"user","content":"go"}]}') FROM full;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, message,
  json('{"class":"Modification","mode":"queue"}')) FROM full,
  (SELECT 'one' AS message UNION ALL SELECT 'two');
DELETE FROM was;
INSERT INTO was SELECT (SELECT group_concat(quote(message) || status || rank) FROM session_queue
  WHERE session_label = 'full') || (SELECT count(*) FROM deliveries) || (SELECT count(*)
  FROM session_events) || (SELECT count(*) FROM observations);
CREATE TEMP TABLE refused(name, d);
INSERT INTO refused
  SELECT 'queue', session_deliver('full', 'three', '{"class":"Modification","mode":"queue",
    "message_id":"m3"}')
  UNION ALL SELECT 'interrupt', session_deliver('full', 'three', '{"class":"Modification"}')
  UNION ALL SELECT 'steer', session_deliver('full', 'three', '{"class":"Response","mode":"steer"}')
  UNION ALL SELECT 'timer', session_deliver('full', 'tick', '{"source":"timer"}')
  UNION ALL SELECT '/compact', session_deliver('full', '/compact');
SELECT 'full, ' || name, json_extract(d, '$.action', '$.queue_id', '$.state'),
  '["rejected",null,"Running"]' FROM refused;
SELECT 'full, ' || name || ': the sender is told', d ->> '$.message' <> '', 1 FROM refused;
SELECT 'nothing is remembered', (SELECT group_concat(quote(message) || status || rank)
  FROM session_queue WHERE session_label = 'full') || (SELECT count(*) FROM deliveries)
  || (SELECT count(*) FROM session_events) || (SELECT count(*) FROM observations), d FROM was;
SELECT 'the run is not touched', turn_heartbeat(turn, token) ->> '$.interrupted', 0 FROM live
  WHERE label = 'full';
SELECT 'what does not wait needs no room', session_deliver('full', 'point three',
  '{"class":"Confirmation"}') ->> '$.action', 'acknowledge';
SELECT 'a choice holds its message elsewhere', session_deliver('full', 'point three',
  '{"class":"Unclear"}') ->> '$.action', 'prompt';
SELECT turn_complete(turn, token) FROM live WHERE label = 'full';
INSERT INTO run SELECT 'full 2', turn_begin('full', 'A1');
SELECT 'with room again the same message_id is taken', json_extract(session_deliver('full', 'A'),
    '$.action'), 'interrupt';
SELECT 'it is full again', session_deliver('full', 'three', '{"class":"Modification",
  "mode":"queue","message_id":"m3"}') ->> '$.action', 'rejected';
SELECT turn_steering(turn, token) FROM live WHERE label = 'full 2';
SELECT 'and then there is room', json_extract(session_deliver('full', 'three',
  '{"class":"Modification","mode":"queue","message_id":"m3"}'), '$.action', '$.duplicate'),
  '["queue",null]';
-- drop-oldest
INSERT INTO came SELECT 'drop', session_deliver('drop', 'three', '{"class":"Modification"}');
SELECT 'drop: the newer one is taken', d ->> '$.action', 'interrupt' FROM came
  WHERE label = 'drop';
SELECT 'drop: the oldest gave way, and is named', json_array((SELECT group_concat(value
  ->> '$.message') FROM json_each(d, '$.cancelled')), json_array_length(d, '$.cancelled')),
  '["one",1]' FROM came WHERE label = 'drop';
SELECT 'drop: its row tells why', (SELECT json_array(status, delivered_at, error <> '')
  FROM session_queue WHERE session_label = 'drop' AND message = 'one'), '["cancelled",1000000,1]';
SELECT 'drop: the rest', (SELECT line FROM waits WHERE label = 'drop'),
  'three -1 | two 0';
SELECT 'drop: what is being worked on does not count', json_extract(turn_steering(turn, token),
  '$.messages[0].content'), 'three' FROM live WHERE label = 'drop';
SELECT 'drop: so there is room', session_deliver('drop', 'four', '{"class":"Modification",
  "mode":"queue"}') ->> '$.cancelled', NULL;
SELECT 'the default is 100', turnstile_config('queue_cap') || turnstile_config('queue_full'),
  '100reject';

---- /compact behind a run

INSERT INTO turnstile VALUES ('session_start', '["compact","add retries"]');
INSERT INTO run SELECT 'compact', turn_begin('compact', 'A1',
  '{"messages":[{"role":"user","content":"go"}]}');
SELECT 'it waits', json_extract(session_deliver('compact', '/compact the design',
  '{"sender":"u1"}'), '$.action', '$.class', '$.state'), '["queue",null,"Running"]';
INSERT INTO turnstile VALUES ('session_deliver',
  '["compact","make it five",{"class":"Modification"}]');
SELECT 'a run is not steered by it', (SELECT group_concat(value ->> '$.content')
  FROM json_each(turn_steering(turn, token), '$.messages')), 'make it five' FROM live
  WHERE label = 'compact';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token) FROM live
  WHERE label = 'compact';
SELECT 'the next turn takes it alone', (SELECT json_group_array(json_extract(value, '$.content',
    '$.action', '$.focus')) FROM json_each(turn_begin('compact', 'A1'), '$.messages')),
  '[["/compact the design","compact","the design"]]';

---- Every record stands

SELECT 'every move of a run is one of the table', (SELECT group_concat(DISTINCT from_state || '>'
    || to_state) FROM session_events AS e WHERE axis = 'run' AND from_state IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM state_transitions AS s WHERE s.axis = 'run'
    AND s.from_state = e.from_state AND s.to_state = e.to_state)), NULL;
SELECT 'the run''s events end where it is', (SELECT group_concat(session_label) FROM session_runs
  AS r
  WHERE run_state IS NOT (SELECT to_state FROM session_events AS e WHERE axis = 'run'
    AND e.session_label = r.session_label ORDER BY id DESC LIMIT 1)), NULL;
SELECT 'the task''s events end where it is', (SELECT group_concat(session_label) FROM tasks AS t
  WHERE state IS NOT (SELECT to_state FROM session_events AS e WHERE axis = 'task'
    AND e.task_id = t.id ORDER BY id DESC LIMIT 1)), NULL;
SELECT 'an open task is the session''s', (SELECT group_concat(label) FROM sessions AS s
  WHERE open_task_id IS NOT (SELECT id FROM tasks WHERE session_label = s.label
    AND ended_at IS NULL)), NULL;
SELECT 'a running turn has a lease', (SELECT group_concat(id) FROM turns AS t WHERE status =
  'running'
  AND NOT EXISTS (SELECT 1 FROM session_runs WHERE turn_id = t.id AND expires_at IS NOT NULL)),
  NULL;
SELECT 'what is processed has a running turn', (SELECT group_concat(q.id) FROM session_queue AS q
  WHERE status = 'processing' AND NOT EXISTS (SELECT 1 FROM turns WHERE id = q.turn_id
    AND status = 'running')), NULL;
SELECT 'no message is in two open places', (SELECT group_concat(delivery_id) FROM session_queue
  WHERE delivered_at IS NULL GROUP BY delivery_id HAVING count(*) > 1), NULL;
SELECT 'nothing that is held is in the queue too', (SELECT count(*) FROM sessions AS s
  JOIN session_queue AS q ON q.session_label = s.label AND q.delivered_at IS NULL
    AND q.delivery_id = s.pending_choice ->> '$.delivery_id'), 0;
SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events),
  (SELECT max(id) FROM session_events);

---- What interrupted is called off when no run is live any more

CREATE TEMP TABLE calmed(label TEXT PRIMARY KEY, first, second);
INSERT INTO calmed VALUES ('calm both', 1, 2), ('calm newest first', 2, 1), ('calm live', 1, 2), ('calm twice said', 1, 2);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'Build') FROM calmed;
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'A', json('{"messages":[{"role":"user","content":"go"}]}')) FROM calmed;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, iif(label LIKE '%twice%', 'no, five', 'no, five of ' || n.value),
  json_object('class', 'Modification', 'sender', 's' || n.value)) FROM calmed, json_each('[1,2]') AS n;
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'boom') FROM session_runs JOIN calmed ON label = session_label
WHERE label <> 'calm live';
CREATE TEMP VIEW calm(label, state, data, told) AS SELECT session_label, state, state_data, (SELECT group_concat(detail)
  FROM session_attention AS a WHERE a.session_label = t.session_label AND reason = 'interrupted') FROM tasks AS t;
INSERT INTO turnstile SELECT 'queue_cancel', json_array((SELECT id FROM session_queue WHERE session_label = label AND sender = 's' || first)) FROM calmed;
SELECT label || ': the other one interrupts still, alone', json_array(state, json(data), told),
  json_array('Interrupted', json_object('user_message', said, 'messages', json_array(said)), said)
FROM (SELECT *, iif(label LIKE '%twice%', 'no, five', 'no, five of ' || second) AS said FROM calm JOIN calmed USING (label));
SELECT label || ': an event tells it', (SELECT data ->> '$.user_message' FROM session_events WHERE session_label = label AND axis = 'task' AND
  "trigger" = 'withdraw'), data ->> '$.user_message' FROM calm JOIN calmed USING (label);
INSERT INTO turnstile SELECT 'queue_cancel', json_array((SELECT id FROM session_queue WHERE session_label = label AND sender = 's' || second)) FROM calmed;
SELECT label || ': then the work goes on, and nobody is asked for', json_array(state, json(data), told), '["Running",null,null]'
FROM calm JOIN calmed USING (label);
-- What a host says has interrupted is not taken back by cancelling something else.
SELECT session_start('calm host', 'Build') > 0;
SELECT session_transition('calm host', 'Interrupted', '{"user_message":"wait"}') IS NOT NULL;
SELECT queue_cancel(queue_push('calm host', 'look at the log')) > 0;
SELECT queue_cancel(queue_push('calm host', 'wait', '{"source":"timer"}')) > 0;
SELECT 'calm host: as it was', json_array(state, told), '["Interrupted","wait"]' FROM calm WHERE label = 'calm host';
