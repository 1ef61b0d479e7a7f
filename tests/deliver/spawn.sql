-- spawn.sql - subagents: spawning a worker, its links and limits, its report, and stopping it.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

CREATE TEMP TABLE run(label TEXT PRIMARY KEY, r);
CREATE TEMP VIEW live(label, turn, token) AS SELECT label, r ->> '$.turn', r ->> '$.token' FROM run;

---- Spawned

INSERT INTO turnstile VALUES ('session_deliver', '["main","audit the client",{"class":"NewTask",
  "persona":"lead"}]');
INSERT INTO run SELECT 'main', turn_begin('main', 'A1');
SELECT turn_tool_call(turn, token, 'k1', 'spawn') FROM live WHERE label = 'main';
SELECT turn_tool_call(turn, token, 'k2', 'spawn') FROM live WHERE label = 'main';
CREATE TEMP TABLE worker(name TEXT PRIMARY KEY, label);
INSERT INTO worker VALUES ('one', session_spawn('main',
  'find every caller of post()' || char(10) || 'and list them', '{"tool_call_id":"k1"}'));
SELECT 'its label', label GLOB 'worker:' || replace(printf('%26s', ''), ' ', '[0-9A-Z]'), 1
  FROM worker WHERE name = 'one';
SELECT 'its row', (SELECT json_array(status, origin, is_subagent, parent_session_label,
    parent_turn_id, spawn_tool_call_id, task_description, task_status, persona_id, thread_id,
    work_source) FROM sessions AS s WHERE s.label = w.label), json_array('active', 'subagent', 1,
    'main', turn, 'k1', 'find every caller of post()' || char(10) || 'and list them', 'pending',
    'lead', NULL, 'agent')
  FROM worker AS w, live WHERE name = 'one' AND live.label = 'main';
SELECT 'an open task', json_extract(session_state(label), '$.task_state', '$.task', '$.run_state'),
  '["Running","find every caller of post()","idle"]' FROM worker WHERE name = 'one';
SELECT 'the task is its first input', (SELECT json_group_array(json_array(message, status, source,
    sender, channel, class, attempts)) FROM session_queue AS q WHERE session_label = label),
  json_array(json_array('find every caller of post()' || char(10) || 'and list them', 'pending',
    'agent', 'main', '', NULL, 0)) FROM worker WHERE name = 'one';
SELECT 'the tool call knows the worker', (SELECT spawned_session_label FROM tool_calls
  WHERE id = 'k1'), label FROM worker WHERE name = 'one';
SELECT 'the other call has none', (SELECT spawned_session_label FROM tool_calls WHERE id = 'k2'),
  NULL;
SELECT 'the view', (SELECT json_array(parent_session_label, parent_turn_id, tool_call_id, task,
    task_status, spawned_at, last_activity) FROM session_workers AS v WHERE v.worker = w.label),
  json_array('main', turn, 'k1', 'find every caller of post()' || char(10) || 'and list them',
    'pending', 1000000, 1000000)
  FROM worker AS w, live WHERE name = 'one' AND live.label = 'main';
SELECT 'from the parent''s side', (SELECT group_concat(worker) FROM session_workers
  WHERE parent_session_label = 'main'), label FROM worker WHERE name = 'one';
SELECT 'from the turn''s and the call''s side', (SELECT worker FROM session_workers AS v
  JOIN tool_calls AS t ON t.turn_id = v.parent_turn_id AND t.id = v.tool_call_id
  WHERE t.turn_id = turn AND t.spawned_session_label = v.worker), worker.label
  FROM live, worker WHERE live.label = 'main' AND name = 'one';
SELECT 'the parent is as it was', json_extract(session_state('main'), '$.task_state', '$.run_state',
  '$.pending_choice'), '["Running","running",null]';
SELECT 'its events', (SELECT group_concat(axis || ' ' || to_state, ', ') FROM (SELECT axis, to_state
  FROM session_events AS e JOIN worker AS w ON w.label = session_label WHERE name = 'one'
  ORDER BY id)), 'status active, task Running';

-- Options, and a parent without a run.
INSERT INTO worker VALUES ('two', session_spawn('main', 'second', '{"persona":"scout"}'));
SELECT 'a worker of the running turn', (SELECT parent_turn_id = turn AND spawn_tool_call_id IS NULL
    AND persona_id = 'scout' FROM sessions AS s WHERE s.label = w.label), 1
  FROM worker AS w, live WHERE name = 'two' AND live.label = 'main';
SELECT 'no two are the same', (SELECT count(DISTINCT label) FROM worker), 2;
INSERT INTO turnstile VALUES ('turn_append', '["still","[{\"role\":\"user\",\"content\":\"x\"}]",
  {"external_id":"still 1"}]');
INSERT INTO worker VALUES ('still', session_spawn('still', 'third'));
SELECT 'without a run no turn', (SELECT json_array(parent_session_label, parent_turn_id)
  FROM sessions AS s WHERE s.label = w.label), '["still",null]' FROM worker AS w
  WHERE name = 'still';
INSERT INTO worker SELECT 'still 2', session_spawn('still', 'fourth', json_object('turn', id,
  'label', 'worker:of my own')) FROM turns WHERE external_id = 'still 1';
SELECT 'a turn and a label of one''s own', label || ' ' || (SELECT parent_turn_id = (SELECT id
    FROM turns WHERE external_id = 'still 1') FROM sessions AS s WHERE s.label = w.label),
  'worker:of my own 1' FROM worker AS w WHERE name = 'still 2';
SELECT 'by the door',
  value_of('INSERT INTO turnstile VALUES (''session_spawn'', ''{"parent":"still",
  "task":"fifth","label":"worker:door","request_id":"s1"}'') RETURNING turnstile_result()'),
  'worker:door';
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT 'a request once', value_of('INSERT INTO turnstile VALUES (''session_spawn'',
  ''{"parent":"still","task":"fifth","label":"worker:door","request_id":"s1"}'')
  RETURNING turnstile_result()'), 'worker:door';
SELECT 'nothing has changed', dump_of() = d, 1 FROM was;

INSERT INTO session_aliases VALUES ('alias', 'main', 'manual', 1);
CREATE TEMP TABLE wrong(call, message);
INSERT INTO wrong VALUES
  ('session_spawn(''nobody'', ''x'')', 'session_spawn: there is no session ''nobody''%'),
  ('session_spawn(NULL, ''x'')', 'session_spawn: parent is missing'),
  ('session_spawn(''main'')', 'session_spawn: task is missing'),
  ('session_spawn(''main'', ''  '')', 'session_spawn: task is %'),
  ('session_spawn(''main'', ''x'', ''{"label":"still"}'')',
   'session_spawn: label ''still'' is taken by a session; choose another one'),
  ('session_spawn(''main'', ''x'', ''{"label":"worker:door"}'')',
   'session_spawn: label ''worker:door'' is taken by a session; choose another one'),
  ('session_spawn(''main'', ''x'', ''{"label":"alias"}'')',
   'session_spawn: label ''alias'' is taken by an alias; choose another one'),
  ('session_spawn(''main'', ''x'', ''{"label":""}'')', 'session_spawn: label is empty'),
  ('session_spawn(''main'', ''x'', ''{"turn":99}'')', 'session_spawn: there is no turn 99'),
  ('session_spawn(''main'', ''x'', ''{"turn":"k"}'')', 'session_spawn: turn must be an integer%'),
  ('session_spawn(''main'', ''x'', ''{"tool_call_id":"nobody"}'')',
   'session_spawn: turn % has no tool call ''nobody'''),
  ('session_spawn(''still'', ''x'', ''{"tool_call_id":"k1"}'')',
   'session_spawn: tool_call_id needs a turn; session ''still'' executes none'),
  ('session_spawn(''main'', ''x'', ''{"turns":1}'')',
   'session_spawn: unknown option ''turns''; it takes: turn, tool_call_id, persona, label%'),
  ('session_report(''nobody'', ''completed'', ''x'')',
   'session_report: there is no worker ''nobody''; session_spawn makes one'),
  ('session_report(''still'', ''completed'', ''x'')',
   'session_report: this session is not a worker: ''still''; session_spawn makes one'),
  ('session_report(''worker:door'', ''done'', ''x'')',
   'session_report: status is ''done''; it must be one of: completed, failed'),
  ('session_report(''worker:door'', ''completed'')', 'session_report: result is missing'),
  ('session_report(''worker:door'', ''completed'', '''')', 'session_report: result is %'),
  ('session_report(''worker:door'')', 'session_report: status is missing');
SELECT 'refused: ' || call, iif(error_of('SELECT ' || call) LIKE message, message,
  ifnull(error_of('SELECT ' || call), '(no error)')), message FROM wrong;
-- A call that has its result is no place to link a worker to.
SELECT turn_tool_result(turn, token, 'k2', 'done') FROM live WHERE label = 'main';
SELECT 'a call that has returned', error_of('SELECT session_spawn(''main'', ''x'',
  ''{"tool_call_id":"k2"}'')') LIKE 'session_spawn: %', 1;

---- Its first turn

INSERT INTO run SELECT 'one', turn_begin(label, 'W1') FROM worker WHERE name = 'one';
SELECT 'what it is given', json_extract(r, '$.messages[0].content', '$.messages[0].source',
  '$.messages[0].sender', '$.messages[0].class', '$.parent'),
  json_array('find every caller of post()' || char(10) || 'and list them', 'agent', 'main', NULL,
    NULL) FROM run WHERE label = 'one';
SELECT 'then it runs', (SELECT task_status FROM session_workers AS v WHERE v.worker = w.label),
  'running' FROM worker AS w WHERE name = 'one';
SELECT 'the others do not', (SELECT task_status FROM session_workers AS v WHERE v.worker = w.label),
  'pending' FROM worker AS w WHERE name = 'two';
SELECT 'its turn answers an agent', (SELECT source FROM turns WHERE id = turn), 'agent' FROM live
  WHERE label = 'one';
SELECT turn_fail(turn, token, 'e') FROM live WHERE label = 'one';
SELECT 'a failed turn ends nothing', json_array((SELECT task_status FROM session_workers AS v
    WHERE v.worker = w.label), session_state(label) ->> '$.task_state'), '["running","Running"]'
  FROM worker AS w WHERE name = 'one';
UPDATE run SET r = (SELECT turn_begin(label, 'W1') FROM worker WHERE name = 'one')
  WHERE label = 'one';

---- Its report

-- It may report while its own turn still runs, and end the turn after that.
CREATE TEMP TABLE reported(name, id);
INSERT INTO reported SELECT 'one', session_report(label, 'completed',
  '12 callers' || char(10) || 'all in client.c', '{"now":1001000}') FROM worker WHERE name = 'one';
SELECT 'it waits at the parent''s', (SELECT json_array(session_label, message, status, source,
    channel, sender, class, mode, enqueued_at) FROM session_queue AS q WHERE q.id = r.id),
  json_array('main', '12 callers' || char(10) || 'all in client.c', 'pending', 'agent', 'worker',
    label, NULL, 'followup', 1001000) FROM reported AS r JOIN worker USING (name)
  WHERE name = 'one';
SELECT 'the parent''s run is not interrupted', json_extract(turn_heartbeat(turn, token),
  '$.interrupted', '$.steering'), '[false,0]' FROM live WHERE label = 'main';
SELECT 'nor its task', session_state('main') ->> '$.task_state', 'Running';
SELECT 'the worker is done', json_array((SELECT task_status FROM session_workers AS v
    WHERE v.worker = w.label), session_state(label) ->> '$.task_state', session_state(label)
    ->> '$.status'), '["completed","None","active"]' FROM worker AS w WHERE name = 'one';
SELECT 'its commit', (SELECT json_array(commit_type, message) FROM commits
    WHERE session_label = label), '["Normal","12 callers"]' FROM worker WHERE name = 'one';
SELECT 'its turn can end', turn_complete(turn, token, '{"content":"reported","outcome":"done"}')
  ->> '$.status', 'completed' FROM live WHERE label = 'one';
DELETE FROM was;
INSERT INTO was SELECT dump_of();
SELECT 'once more', session_report(label, 'completed', '12 callers' || char(10) || 'all in client.c'), id
  FROM reported JOIN worker USING (name) WHERE name = 'one';
SELECT 'in other words', error_of(printf('SELECT session_report(%Q, ''completed'', ''none'')', label)),
  'session_report: worker ''' || label || ''' has reported before, completed, with another result; '
  || 'tell ''main'' anything else by queue_push'
  FROM reported JOIN worker USING (name) WHERE name = 'one';
SELECT 'another end', error_of(printf('SELECT session_report(%Q, ''failed'', %Q)', label,
  '12 callers' || char(10) || 'all in client.c')), 'session_report: worker ''' || label ||
  ''' has reported before, completed; tell ''main'' anything else by queue_push'
  FROM reported JOIN worker USING (name) WHERE name = 'one';
SELECT 'nothing has changed', dump_of() = d, 1 FROM was;
SELECT turn_complete(turn, token) FROM live WHERE label = 'main';
UPDATE run SET r = turn_begin('main', 'A1') WHERE label = 'main';
SELECT 'the parent''s next turn takes it', json_extract(r, '$.messages[0].content',
    '$.messages[0].source', '$.messages[0].channel', '$.messages[0].sender'),
  json_array('12 callers' || char(10) || 'all in client.c', 'agent', 'worker', worker.label)
  FROM run, worker WHERE run.label = 'main' AND name = 'one';
SELECT turn_complete(turn, token, '{"content":"thanks"}') FROM live WHERE label = 'main';
SELECT 'and then it does not come again', json_array(session_report(label, 'completed',
    '12 callers' || char(10) || 'all in client.c'), (SELECT count(*) FROM session_queue WHERE sender = label AND channel = 'worker')),
  json_array(id, 1) FROM reported JOIN worker USING (name) WHERE name = 'one';

-- From every state, completed and failed, with work and without.
CREATE TEMP TABLE state(name, data);
INSERT INTO state VALUES ('Running', NULL), ('AwaitingUser', '{"question":"How many?"}'),
  ('Interrupted', '{"user_message":"wait"}'), ('PendingComplete', '{"summary":"Old."}'),
  ('Complete', '{}'), ('Aborted', '{"reason":"of no use"}');
CREATE TEMP TABLE ends AS SELECT 'ends, ' || state.name || ', ' || status || iif(work, '',
    ', no work') AS label, state.name AS state, data, status, work
  FROM state, (SELECT 'completed' AS status UNION ALL SELECT 'failed'),
    (SELECT 1 AS work UNION ALL SELECT 0);
INSERT INTO turnstile VALUES ('session_start', '["boss","oversee"]'),
  ('turnstile_config', '["max_children",1000,{"session":"boss"}]'),
  ('turnstile_config', '["queue_cap",1000,{"session":"boss"}]');
INSERT INTO turnstile SELECT 'session_spawn', json_array('boss', 'dig',
  json_object('label', label)) FROM ends;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM ends WHERE work;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete',
  json('{"summary":"Old."}')) FROM ends WHERE state = 'Complete';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state, json(data)) FROM ends
  WHERE state <> 'Running';
CREATE TEMP TABLE told AS SELECT label, session_report(label, status, 'found it') AS id FROM ends
  WHERE state NOT IN ('Complete', 'Aborted');
-- What is over is asked of the state: no commit says so yet.
SELECT label || ': its status follows the state', task_status, iif(state = 'Complete', 'completed', 'failed')
  FROM ends JOIN session_workers ON worker = label WHERE state IN ('Complete', 'Aborted');
SELECT label || ': the opposite', error_of(printf('SELECT session_report(%Q, ''failed'', ''found it'')',
  label)), 'session_report: the task of worker ''' || label || ''' has ended completed; it can''t be reported failed'
  FROM ends WHERE state = 'Complete' AND status = 'failed';
INSERT INTO told SELECT label, session_report(label, status, 'found it') FROM ends
  WHERE state = 'Complete' AND status = 'completed';
INSERT INTO told SELECT label, session_report(label, status, 'found it') FROM ends
  WHERE state = 'Aborted';
SELECT label || ': the message', (SELECT message || ' ' || sender || ' ' || session_label
    FROM session_queue AS q WHERE q.id = told.id), iif(state <> 'Aborted', 'found it ' || label || ' boss', NULL)
  FROM told JOIN ends USING (label);
-- That it was given up is what its parent got to know; what it says now is kept.
SELECT label || ': its parent has been told', (SELECT group_concat(message) FROM session_queue
    WHERE sender = label), 'Worker ' || label || ' has failed: of no use' FROM ends WHERE state = 'Aborted';
SELECT label || ': kept', (SELECT json_array(status, late, result, task) FROM session_reports
    WHERE worker = label), json_array(status, state = 'Aborted', 'found it', 'dig') FROM ends
  WHERE NOT (state = 'Complete' AND status = 'failed');
SELECT label || ': the task', json_array((SELECT group_concat(t.state) FROM tasks AS t
    WHERE session_label = label), (SELECT task_status FROM session_workers WHERE worker = label),
    (SELECT open_task_id FROM sessions AS s WHERE s.label = ends.label)),
  json_array('None', iif(state = 'Aborted', 'failed', status), NULL) FROM ends
  WHERE NOT (state = 'Complete' AND status = 'failed');
SELECT label || ': the commit', (SELECT group_concat(commit_type) FROM commits
    WHERE session_label = label), iif(status = 'completed', 'Normal',
    'Abandoned') FROM ends WHERE state NOT IN ('Complete', 'Aborted');
SELECT label || ': one commit at most', (SELECT count(*) FROM commits WHERE session_label = label)
  <= 1, 1 FROM ends;
SELECT label || ': why', (SELECT type_data ->> '$.reason' FROM commits WHERE session_label = label),
  'found it' FROM ends WHERE status = 'failed' AND work AND state NOT IN ('Complete', 'Aborted');

-- Whatever the parent is doing.
CREATE TEMP TABLE parent(label, status, comes);
INSERT INTO parent VALUES ('parent busy', 'active', 1), ('parent archived', 'archived', 1),
  ('parent error', 'error', 1), ('parent suspended', 'suspended', 1), ('parent idle', 'active', 1),
  ('parent choosing', 'active', 1), ('parent gone', 'active', 0), ('parent merged', 'active', 1);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'oversee') FROM parent;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM parent;
INSERT INTO turnstile SELECT 'session_spawn', json_array(label, 'dig',
  json_object('label', 'of ' || label)) FROM parent;
INSERT INTO run SELECT label, turn_begin(label, 'A1', '{"messages":[{"role":"user",
  "content":"go"}]}') FROM parent WHERE label = 'parent busy';
INSERT INTO turnstile VALUES ('session_deliver',
  '["parent choosing","a shop",{"class":"NewTask"}]'),
  ('session_start', '["primary","oversee"]');
UPDATE sessions SET status = (SELECT status FROM parent AS p WHERE p.label = sessions.label)
  WHERE label IN (SELECT label FROM parent WHERE status <> 'active');
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
DELETE FROM sessions WHERE label = 'parent gone';
UPDATE sessions SET superseded_by = 'primary' WHERE label = 'parent merged';
DELETE FROM turnstile_meta WHERE key = 'unguarded';
CREATE TEMP TABLE arrived AS SELECT label, session_report('of ' || label, 'completed', 'found it')
  AS id FROM parent;
SELECT label || ': it comes', (SELECT session_label || ' ' || status FROM session_queue AS q
    WHERE q.id = a.id), CASE WHEN label = 'parent merged' THEN 'primary pending'
    WHEN comes THEN label || ' pending' END FROM arrived AS a JOIN parent USING (label);
SELECT label || ': the parent stays as it is', session_state(label) ->> '$.status', parent.status
  FROM parent WHERE comes;
SELECT label || ': the worker is done', (SELECT task_status FROM session_workers
  WHERE worker = 'of ' || label), 'completed' FROM parent;
SELECT label || ': once more', session_report('of ' || label, 'completed', 'found it'), id
  FROM arrived;
SELECT label || ': one message', (SELECT count(*) FROM session_queue WHERE sender = 'of ' || label),
  comes FROM parent;
SELECT 'the choice is not answered by it', session_state('parent choosing')
  ->> '$.pending_choice.held', 'a shop';

-- A result is never lost: it needs no room at the parent's. Nor does a new worker's task.
INSERT INTO turnstile VALUES ('session_start', '["parent full","oversee"]'),
  ('turnstile_config', '["queue_cap",1,{"session":"parent full"}]'),
  ('session_spawn', '["parent full","dig",{"label":"of parent full"}]'),
  ('queue_push', '["parent full","x",{"source":"agent"}]');
SELECT 'a full queue', error_of('SELECT session_report(''of parent full'', ''completed'', ''y'')'),
  NULL;
SELECT 'both wait', (SELECT group_concat(message || status) FROM session_queue
  WHERE session_label = 'parent full'), 'xpending,ypending';

---- Limits

INSERT INTO turnstile VALUES ('session_start', '["top","oversee"]'),
  ('session_spawn', '["top","x",{"label":"level 1"}]'),
  ('session_spawn', '["level 1","x",{"label":"level 2"}]'),
  ('session_spawn', '["level 2","x",{"label":"level 3"}]');
SELECT 'three levels by default', error_of('SELECT session_spawn(''level 3'', ''x'')'),
  'session_spawn: a worker of session ''level 3'' would lie 4 levels deep; '
  || 'max_spawn_depth allows 3';
INSERT INTO turnstile VALUES ('turnstile_config', '["max_spawn_depth",4,{"session":"level 3"}]');
SELECT 'or as the session is told', session_spawn('level 3', 'x', '{"label":"level 4"}'), 'level 4';
INSERT INTO turnstile VALUES ('turnstile_config', '["max_spawn_depth",0,{"session":"alone"}]'),
  ('session_start', '["alone","x"]');
SELECT 'none at all', error_of('SELECT session_spawn(''alone'', ''x'')')
  LIKE 'session_spawn: %1 level%; max_spawn_depth allows 0', 1;
INSERT INTO turnstile VALUES ('session_start', '["few","oversee"]'),
  ('turnstile_config', '["max_children",2,{"session":"few"}]'),
  ('session_spawn', '["few","x",{"label":"few 1"}]'),
  ('session_spawn', '["few","x",{"label":"few 2"}]');
SELECT 'so many at once', error_of('SELECT session_spawn(''few'', ''x'')'),
  'session_spawn: session ''few'' has 2 workers at work; max_children allows 2';
SELECT 'one that is done makes room', (session_report('few 1', 'failed', 'x') > 0)
  || session_spawn('few', 'x', '{"label":"few 3"}'), '1few 3';
SELECT 'the defaults', turnstile_config('max_spawn_depth') || ' ' ||
  turnstile_config('max_children'),
  '3 16';

---- Never prompted

-- What would ask a person is taken as belonging to the task. live: a run is; idle: so long.
CREATE TEMP TABLE ask(class, live, idle, action, class_in_force);
INSERT INTO ask VALUES ('Unclear', 0, 0, 'continue', 'Modification'),
  ('NewTask', 0, 0, 'continue', 'Modification'),
  ('Unclear', 1, 0, 'interrupt', 'Modification'),
  ('NewTask', 1, 0, 'interrupt', 'Modification'),
  ('Modification', 0, 25 * 3600000, 'continue', 'Modification'),
  ('NewTask', 0, 25 * 3600000, 'continue', 'Modification'),
  ('Unclear', 0, 25 * 3600000, 'continue', 'Modification');
CREATE TEMP TABLE asked AS SELECT 'asked ' || class || iif(live, ', live', '') || iif(idle, ', old',
  '') AS label, * FROM ask;
INSERT INTO turnstile SELECT 'session_spawn', json_array('boss', 'dig', json_object('label', label))
  FROM asked;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM asked;
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'W1') FROM asked WHERE live;
CREATE TEMP TABLE answer AS SELECT label, session_deliver(label, 'point three',
  json_object('class', class, 'now', 1000000 + idle)) AS d FROM asked;
SELECT label || ': what is done', json_extract(d, '$.action', '$.class', '$.choices'),
  json_array(action, class_in_force, NULL) FROM asked JOIN answer USING (label);
SELECT label || ': no choice is open', session_state(label) ->> '$.pending_choice', NULL FROM asked;
SELECT label || ': the task is the same', session_state(label) ->> '$.task', 'dig' FROM asked;
-- After a week its task is saved, and still nobody is asked, with a sweep before and without.
CREATE TEMP TABLE week(label, message, class, swept);
INSERT INTO week VALUES ('week reply', 'use five', 'Response', 0),
  ('week approval', 'all of that is right', 'Confirmation', 0), ('week continue', 'continue', NULL,
  0),
  ('week more', 'use five', 'Modification', 0), ('week swept', 'use five', 'Response', 1);
INSERT INTO turnstile SELECT 'session_spawn', json_array('boss', 'dig', json_object('label', label))
  FROM week;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM week;
SELECT turnstile_config('auto_compact_threshold', '90 days', json_object('session', label))
  FROM week WHERE NOT swept;
SELECT session_sweep(json_object('now', 1000000 + 8 * 86400000));
SELECT turnstile_config('auto_compact_threshold', NULL, json_object('session', label, 'reset', 1))
  FROM week WHERE NOT swept;
SELECT label || ': it is not asked', session_deliver(label, message, json_patch(json_object('now',
  1000000 + 9 * 86400000), json_object('class', class))) ->> '$.action' <> 'prompt', 1 FROM week;
SELECT label || ': no choice is open', session_state(label) ->> '$.pending_choice', NULL FROM week;
-- It was not stopped: what it finds out all the same is not lost.
SELECT 'a result after a week', session_report('week swept', 'completed', 'found it') > 0, 1;
-- Coming back to one opens no choice either.
INSERT INTO turnstile VALUES ('session_spawn', '["boss","dig",{"label":"back"}]'),
  ('session_note', '["back","read"]');
SELECT 'recover asks nothing', session_recover('back', json_object('now', 1000000 + 25 * 3600000))
  ->> '$.choice', NULL;
SELECT 'and leaves no choice', session_state('back') ->> '$.pending_choice', NULL;

---- Stopped with its parent's task

-- fleet: 1 works in a turn with output, 2 has not begun, 3 is done, 4 belongs to 1, 5 to 4; 6 is
-- somebody else's. How the task is called off:
CREATE TEMP TABLE fleet(name);
INSERT INTO fleet VALUES ('plain'), ('live'), ('choice');
CREATE TEMP TABLE ship(n, parent, work, turn, done, stops);
INSERT INTO ship VALUES (1, NULL, 1, 1, 0, 1), (2, NULL, 1, 0, 0, 1), (3, NULL, 1, 0, 1, 0),
  (4, 1, 1, 1, 0, 1), (5, 4, 0, 0, 0, 1);
CREATE TEMP TABLE sails AS SELECT name || ' ' || n AS label, name AS fleet, ifnull(name || ' '
  || parent, 'fleet ' || name) AS parent, n, work, turn, done, stops FROM fleet, ship;
INSERT INTO turnstile SELECT 'session_start', json_array('fleet ' || name, 'oversee') FROM fleet;
INSERT INTO turnstile SELECT 'session_note', json_array('fleet ' || name, 'read') FROM fleet;
INSERT INTO turnstile SELECT 'session_spawn', json_array(parent, 'dig', json_object('label', label))
  FROM sails ORDER BY n;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM sails WHERE work;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'more', json('{"source":"agent"}'))
  FROM sails;
INSERT INTO run SELECT label, turn_begin(label, 'W1') FROM sails WHERE turn;
INSERT INTO turnstile SELECT 'turn_message', json_array(l.turn, token,
  json('{"role":"assistant","content":"half"}')) FROM sails JOIN live AS l USING (label);
INSERT INTO turnstile SELECT 'session_report', json_array(label, 'completed', 'found it')
  FROM sails WHERE done;
INSERT INTO turnstile VALUES ('session_spawn', '["boss","dig",{"label":"other"}]');
INSERT INTO run SELECT 'fleet live', turn_begin('fleet live', 'A1',
  '{"messages":[{"role":"user","content":"go"}]}');
INSERT INTO turnstile VALUES ('session_deliver', '["fleet choice","hm",{"class":"Unclear"}]');
CREATE TEMP TABLE off AS SELECT name, session_deliver('fleet ' || name, 'stop it all',
  '{"class":"Abandon","now":1005000}') AS d FROM fleet;
SELECT name || ': the task is called off', json_extract(d, '$.action', '$.state'),
  '["abandon","None"]' FROM off;
SELECT label || ': its status', (SELECT task_status FROM session_workers WHERE worker = label),
  CASE WHEN stops THEN 'failed' WHEN done THEN 'completed' END FROM sails;
SELECT label || ': its task', session_state(label) ->> '$.task_state', 'None' FROM sails;
SELECT label || ': its commit', (SELECT group_concat(commit_type || ' ' || ifnull(type_data
    ->> '$.reason', '')) FROM commits WHERE session_label = label), CASE WHEN done THEN 'Normal '
    WHEN work THEN 'Abandoned stop it all' END FROM sails;
SELECT label || ': its queue', (SELECT group_concat(message || ' ' || status) FROM session_queue
    WHERE session_label = label), CASE WHEN done THEN 'dig delivered,more pending'
    ELSE 'dig cancelled,more cancelled' END FROM sails;
SELECT label || ': its turn', (SELECT json_array(t.status, on_path, error) FROM turns AS t
    WHERE t.id = l.turn), '["aborted",1,"stop it all"]' FROM sails JOIN live AS l USING (label);
SELECT label || ': its run', session_state(label) ->> '$.run_state', 'idle' FROM sails
  JOIN live USING (label);
SELECT label || ': its token is dead', error_of(printf('SELECT turn_complete(%d, %d)', l.turn,
  token)) LIKE 'turn_complete: turn % is aborted: stop it all;%', 1
  FROM sails JOIN live AS l USING (label);
SELECT label || ': no choice', session_state(label) ->> '$.pending_choice', NULL FROM sails;
DELETE FROM was;
INSERT INTO was SELECT dump_of();
SELECT label || ': a late report', session_report(label, 'completed', 'found it'), NULL FROM sails
  WHERE stops;
SELECT label || ': is kept, and changes nothing else', (SELECT json_array(r.status, late, r.result, task_status)
    FROM session_reports AS r JOIN session_workers AS w USING (worker) WHERE worker = label),
  '["completed",1,"found it","failed"]' FROM sails WHERE stops;
SELECT label || ': nobody hears of it', (SELECT count(*) FROM session_queue WHERE sender = label
  AND channel = 'worker'), 0 FROM sails WHERE stops;
SELECT label || ': another text of it', session_report(label, 'failed', 'and lost it'), NULL FROM sails WHERE stops;
SELECT label || ': is kept as well', (SELECT json_group_array(json_array(r.status, late, r.result)) FROM session_reports AS r
  WHERE worker = label), '[["completed",1,"found it"],["failed",1,"and lost it"]]' FROM sails WHERE stops;
DELETE FROM was;
INSERT INTO was SELECT dump_of();
SELECT label || ': that once more', session_report(label, 'failed', 'and lost it'), NULL FROM sails WHERE stops;
SELECT label || ': once more', session_report(label, 'completed', 'found it'), NULL FROM sails
  WHERE stops;
SELECT 'it is there once', dump_of() = d, 1 FROM was;
SELECT 'a report from before is still there', (SELECT count(*) FROM session_queue
  WHERE session_label = 'fleet ' || name AND sender = name || ' 3' AND status <> 'cancelled'), 1
  FROM fleet;
SELECT 'somebody else''s goes on', json_array((SELECT task_status FROM session_workers
  WHERE worker = 'other'), session_state('other') ->> '$.task_state'), '["pending","Running"]';
SELECT 'the parent can spawn again', session_spawn('fleet plain', 'x', '{"label":"plain 9"}'),
  'plain 9';
-- What a worker has left Complete does not stand in the way, and is kept.
SELECT session_start('over', 'move the jobs');
SELECT session_note('over', 'look');
SELECT session_spawn('over', 'count them', '{"label":"over/worker"}');
SELECT session_note('over/worker', 'three');
SELECT session_transition('over/worker', 'PendingComplete', '{"summary":"three"}');
SELECT session_transition('over/worker', 'Complete');
SELECT session_transition('over', 'Aborted', '{"reason":"no"}');
SELECT 'called off while a worker has done its part', session_sweep() ->> '$.tasks_committed' >= 2, 1;
SELECT 'both are committed', (SELECT group_concat(session_label || ' ' || commit_type || ' ' || message, ', ')
  FROM (SELECT * FROM commits WHERE session_label LIKE 'over%' ORDER BY session_label DESC)),
  'over/worker Normal three, over Abandoned Abandoned by user';

-- A worker's own Abandon stops those below it, not its parent.
INSERT INTO turnstile VALUES ('session_start', '["above","oversee"]'),
  ('session_spawn', '["above","dig",{"label":"middle"}]'),
  ('session_spawn', '["middle","dig",{"label":"below"}]'),
  ('session_deliver', '["middle","stop",{"class":"Abandon"}]');
SELECT 'above, middle, below', json_array(session_state('above') ->> '$.task_state',
  session_state('middle') ->> '$.task_state', (SELECT task_status FROM session_workers
    WHERE worker = 'below')), '["Running","None","failed"]';
-- A loop that plain SQL has tied ends, one way or the other.
INSERT INTO turnstile VALUES ('session_start', '["loop","oversee"]'),
  ('session_spawn', '["loop","dig",{"label":"loop 1"}]'),
  ('session_spawn', '["loop 1","dig",{"label":"loop 2"}]');
UPDATE sessions SET parent_session_label = 'loop 2' WHERE label = 'loop 1';
SELECT 'a loop', ifnull(error_of('SELECT session_deliver(''loop 1'', ''stop'',
  ''{"class":"Abandon"}'')'), 'session_deliver: ') LIKE 'session_deliver: %', 1;
SELECT 'a loop has no depth', error_of('SELECT session_spawn(''loop 1'', ''x'')')
  LIKE 'session_spawn: %max_spawn_depth%', 1;

---- Every record stands

SELECT 'a worker has a parent''s name', (SELECT count(*) FROM sessions WHERE is_subagent = 1
  AND parent_session_label IS NULL), 0;
SELECT 'what is done has no open task', (SELECT group_concat(label) FROM sessions
  WHERE task_status IN ('completed', 'failed') AND open_task_id IS NOT NULL
    AND label NOT LIKE 'week%'), NULL; -- those were given something new to do
SELECT 'a call and its worker name each other', (SELECT group_concat(t.id) FROM tool_calls AS t
  JOIN sessions AS s ON s.label = t.spawned_session_label WHERE s.spawn_tool_call_id IS NOT t.id
    OR s.parent_turn_id IS NOT t.turn_id), NULL;
SELECT 'every worker reported once at most', (SELECT group_concat(sender) FROM session_queue
  WHERE channel = 'worker' AND message_id GLOB 'report:*' GROUP BY sender HAVING count(*) > 1), NULL;
-- Its task waited for a first turn that never was; what else waits, stays.
INSERT INTO turnstile VALUES ('session_start', '["hasty","oversee"]'),
  ('session_spawn', '["hasty","count",{"label":"early"}]'),
  ('queue_push', '["early","the tests as well",{"source":"agent"}]'),
  ('session_report', '["early","completed","12"]');
SELECT 'reported before it began', (SELECT group_concat(message || ' ' || status, ', ')
  FROM session_queue WHERE session_label = 'early'), 'count delivered, the tests as well pending';
-- A parent whose row the worker's end has touched, as only plain SQL can make it.
INSERT INTO turnstile VALUES ('session_spawn', '["hasty","find",{"label":"own parent"}]');
UPDATE sessions SET parent_session_label = 'own parent' WHERE label = 'own parent';
INSERT INTO turnstile VALUES ('session_report', '["own parent","completed","none"]');
SELECT 'its own parent', (SELECT open_task_id FROM sessions WHERE label = 'own parent'), NULL;
UPDATE sessions SET parent_session_label = 'hasty' WHERE label = 'own parent';

SELECT 'no worker holds a choice', (SELECT group_concat(label) FROM sessions WHERE is_subagent = 1
  AND pending_choice IS NOT NULL), NULL;
SELECT 'an open task is the session''s', (SELECT group_concat(label) FROM sessions AS s
  WHERE open_task_id IS NOT (SELECT id FROM tasks WHERE session_label = s.label
    AND ended_at IS NULL)), NULL;
SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events),
  (SELECT max(id) FROM session_events);
