-- lease.sql - who executes a session's turn, and until when: taking the lease, renewing it, losing
-- it,
-- and what a run that has lost it can still do (nothing).

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

CREATE TEMP TABLE run(name TEXT PRIMARY KEY, r);
CREATE TEMP VIEW live(name, turn, token) AS SELECT name, r ->> '$.turn', r ->> '$.token' FROM run;
CREATE TEMP VIEW lease(label, line) AS
  SELECT session_label, json_array(owner, run_state, turn_id, expires_at) FROM session_runs;
-- The way of a session's run, and of its turns.
CREATE TEMP VIEW way(label, axis, line) AS
  SELECT label, value, (SELECT group_concat(to_state, ' ') FROM (SELECT to_state
    FROM session_events WHERE session_label = label AND axis = value ORDER BY id))
  FROM sessions, json_each('["run","turn"]');

---- Taken, and busy

INSERT INTO turnstile VALUES ('session_start', '["busy","add retries"]');
INSERT INTO run SELECT 'busy', turn_begin('busy', 'A1',
  '{"messages":[{"role":"user","content":"go"}]}');
SELECT 'it holds for five minutes', (SELECT json_array(owner, token, turn_id, acquired_at,
    heartbeat_at, expires_at) FROM session_runs WHERE session_label = 'busy'),
  json_array('A1', 1, turn, 1000000, 1000000, 1300000) FROM live WHERE name = 'busy';
SELECT 'who asks is told', json_extract(r, '$.token', '$.expires_at', '$.parent',
  '$.resume_cursor'),
  '[1,1300000,null,null]' FROM run WHERE name = 'busy';
SELECT 'the state tells', json_extract(session_state('busy'), '$.run_state', '$.owner', '$.turn',
  '$.turn_phase', '$.head'), json_array('starting', 'A1', turn, 'processing', NULL)
  FROM live WHERE name = 'busy';
CREATE TEMP TABLE busy(name, call);
INSERT INTO busy VALUES
  ('another owner', 'turn_begin(''busy'', ''A2'', ''{"now":%d}'')'),
  ('another owner with messages', 'turn_begin(''busy'', ''A2'', ''{"now":%d,"messages":
    [{"role":"user","content":"x"}]}'')'),
  ('the same owner', 'turn_begin(''busy'', ''A1'', ''{"now":%d,"messages":
    [{"role":"user","content":"x"}]}'')'),
  ('turn_append', 'turn_append(''busy'', ''[{"role":"user","content":"x"}]'', ''{"now":%d}'')');
SELECT busy.name, error_of('SELECT ' || printf(call, 1000000)),
  substr(call, 1, instr(call, '(') - 1) || ': session ''busy'' is busy: ''A1'' executes turn '
  || turn || ', with a lease until 1300000' FROM busy, live WHERE live.name = 'busy';
SELECT busy.name || ': to the last moment', error_code_of('SELECT ' || printf(call, 1299999)), 21509
  FROM busy;
-- Whatever command it is that finds somebody else at work: one code, which SQLite never gives.
CREATE TEMP TABLE also(call);
INSERT INTO also VALUES ('turn_begin(''busy'', ''A2'')'),
  ('turn_append(''busy'', ''[{"role":"user","content":"x"}]'')'), ('turn_compact(''busy'', ''all'')'),
  ('session_rewind(''busy'', ' || (SELECT turn FROM live WHERE name = 'busy') || ')'),
  ('session_archive(''busy'')'), ('session_delete(''busy'')'),
  ('session_run(''busy'', ''A2'', ''ready'')'),
  ('session_import((SELECT session_export(''busy'')), ''{"replace":1}'')');
SELECT call || ': busy', error_code_of('SELECT ' || call), 21509 FROM also;
SELECT call || ': through the door', error_code_of('INSERT INTO turnstile VALUES (''' ||
  substr(call, 1, instr(call, '(') - 1) || ''', ''["busy","A2"]'')'), 21509 FROM also
  WHERE call LIKE 'turn_begin%';
SELECT 'its primary code is that of a file that is locked', 21509 & 255, 5;
-- Who holds it, and until when: no text has to be read for that.
SELECT 'who holds it now', json_extract(session_state('busy'), '$.live', '$.holder.owner',
  '$.holder.turn', '$.holder.until'), json_array(json('true'), 'A1', turn, 1300000)
  FROM live WHERE name = 'busy';
SELECT 'to the last moment', json_extract(session_state('busy', '{"now":1299999}'), '$.live',
  '$.holder.until'), '[true,1300000]';
SELECT 'and then nobody', session_state('busy', '{"now":1300000}') -> '$.live', 'false';
SELECT 'whoever had it last stays to be seen', json_extract(session_state('busy', '{"now":1300000}'),
  '$.holder', '$.owner', '$.run_state'), '[null,"A1","starting"]';
SELECT 'nothing of it has moved the run', (SELECT line FROM lease WHERE label = 'busy'),
  json_array('A1', 'starting', turn, 1300000) FROM live WHERE name = 'busy';
SELECT 'delivering is never busy', session_deliver('busy', 'point three',
  '{"class":"Clarification","mode":"queue"}') ->> '$.action', 'queue';
SELECT 'nor is another session', turn_begin('free', 'A1',
  '{"messages":[{"role":"user","content":"x"}]}') ->> '$.token', 1;
SELECT 'nobody''s name proves anything', error_of(printf('SELECT turn_heartbeat(%d, %d)', turn,
  token + 1)), 'turn_heartbeat: token ' || (token + 1) ||
  ' is not the one that turn_begin gave out '
  || 'for turn ' || turn FROM live WHERE name = 'busy';

---- Renewed by every call

CREATE TEMP TABLE call(n INTEGER PRIMARY KEY, name, call);
INSERT INTO call VALUES
  (1, 'turn_heartbeat', 'turn_heartbeat(%d, %d, ''{"now":%d}'')'),
  (2, 'turn_message', 'turn_message(%d, %d, ''{"role":"user","content":"x"}'', ''{"now":%d}'')'),
  (3, 'turn_tool_call', 'turn_tool_call(%d, %d, ''z'', ''read'', NULL, ''{"now":%d}'')'),
  (4, 'turn_tool_result', 'turn_tool_result(%d, %d, ''z'', ''r'', ''{"now":%d}'')'),
  (5, 'turn_phase', 'turn_phase(%d, %d, ''streaming'', ''{"now":%d}'')'),
  (6, 'turn_steering', 'turn_steering(%d, %d, ''{"now":%d}'')');
-- How long: the default, the session's setting, the option of turn_begin.
CREATE TEMP TABLE length(name, setting, option, ms);
INSERT INTO length VALUES ('default', NULL, NULL, 300000), ('setting', '90s', NULL, 90000),
  ('option', NULL, '2m', 120000), ('both', '90s', '10 minutes', 600000), ('number', NULL, 1, 1);
INSERT INTO turnstile SELECT 'turnstile_config', json_array('lease', setting,
  json_object('session', name)) FROM length WHERE setting IS NOT NULL;
INSERT INTO run SELECT name, turn_begin(name, 'A1', json_patch('{"messages":[{"role":"user",
  "content":"go"}]}', json_object('lease', option))) FROM length;
SELECT 'lease, ' || name || ': taken', r ->> '$.expires_at', 1000000 + ms
  FROM length JOIN run USING (name);
CREATE TEMP TABLE renewed AS
  SELECT l.name || ', ' || call.name AS label, ms, n, value_of('SELECT ' || printf(call, turn,
  token,
    1000000 + n * 1000)) AS s, value_of(printf('SELECT json_array(expires_at, heartbeat_at)
      FROM session_runs WHERE session_label = %Q', l.name)) AS row
  FROM length AS l JOIN live ON live.name = l.name CROSS JOIN call ORDER BY l.name, n;
SELECT label || ' renews it', s ->> '$.expires_at', 1000000 + n * 1000 + ms FROM renewed;
SELECT label || ': the row', row, json_array(1000000 + n * 1000 + ms, 1000000 + n * 1000)
  FROM renewed;
SELECT 'every call was looked at', (SELECT count(*) FROM renewed), 5 * 6;
-- A heartbeat can change its length, and the calls after it keep to that.
SELECT 'a heartbeat with a lease', turn_heartbeat(turn, token, '{"lease":"1h"}')
  ->> '$.expires_at', 4600000 FROM live WHERE name = 'default';
SELECT 'the next call', turn_phase(turn, token, 'streaming', '{"now":1000001}')
  ->> '$.expires_at', 4600001 FROM live WHERE name = 'default';
SELECT 'shorter, too', turn_heartbeat(turn, token, '{"lease":"10s"}') ->> '$.expires_at', 1010000
  FROM live WHERE name = 'default';
SELECT 'what a heartbeat tells', (SELECT group_concat(key) FROM json_each(turn_heartbeat(turn,
  token))), 'expires_at,interrupted,steering' FROM live WHERE name = 'default';
CREATE TEMP TABLE wrong(call, message);
INSERT INTO wrong VALUES
  ('turn_begin(''wrong'', ''A1'', ''{"lease":0,"messages":[{"role":"user","content":"x"}]}'')',
   'turn_begin: lease must be longer than 0 ms'),
  ('turn_begin(''wrong'', ''A1'', ''{"lease":"soon","messages":[{"role":"user","content":"x"}]}'')',
   'turn_begin: lease is ''soon''; it must be a duration%'),
  ('turn_begin(''wrong'', ''A1'', ''{"lease":-5,"messages":[{"role":"user","content":"x"}]}'')',
   'turn_begin: lease %'),
  ('turn_begin(''wrong'', '''', ''{"messages":[{"role":"user","content":"x"}]}'')',
   'turn_begin: owner is empty'),
  ('turn_heartbeat(16777216, 1, ''{"lease":0}'')',
  'turn_heartbeat: lease must be longer than 0 ms'),
  ('turnstile_config(''lease'', ''1 ms'')', 'turnstile_config: lease is 1; it must be from 1000 %');
SELECT 'refused: ' || call, iif(error_of('SELECT ' || call) LIKE message, message,
  ifnull(error_of('SELECT ' || call), '(no error)')), message FROM wrong;
SELECT 'no session came of it', (SELECT count(*) FROM sessions WHERE label = 'wrong'), 0;

---- Expired: to the millisecond, and whoever takes over

CREATE TEMP TABLE taker(name, call);
INSERT INTO taker VALUES
  ('begin', 'turn_begin(%Q, ''A2'', ''{"messages":[{"role":"user","content":"x"}],"now":%d}'')'),
  ('same owner', 'turn_begin(%Q, ''A1'', ''{"messages":[{"role":"user","content":"x"}],
    "now":%d}'')'),
  ('append', 'turn_append(%Q, ''[{"role":"user","content":"x"}]'', ''{"now":%d}'')'),
  ('deliver',
  'session_deliver(%Q, ''point three'', ''{"class":"NewTask","owner":"A2","now":%d}'')');
CREATE TEMP TABLE lost AS SELECT name AS taker, 'expired, ' || name AS label, call FROM taker;
INSERT INTO run SELECT label, turn_begin(label, 'A1',
  '{"messages":[{"role":"user","content":"go"}],"lease":"10s"}') FROM lost;
SELECT label || ': one ms before', error_of('SELECT ' || printf(call, label, 1009999))
  LIKE '%is busy: ''A1''%', 1 FROM lost WHERE taker <> 'deliver';
CREATE TEMP TABLE got AS SELECT label, value_of('SELECT ' || printf(call, label, 1010000)) AS r
  FROM lost;
SELECT label || ': the old turn', (SELECT json_array(status, on_path, completed_at, error) FROM
  turns
    WHERE id = turn), json_array('failed', 0, 1010000, 'the lease of ''A1'' ran out; '
    || CASE taker WHEN 'append' THEN 'turn_append' WHEN 'same owner' THEN '''A1''' ELSE '''A2''' END
    || ' took over') FROM lost JOIN live ON name = label;
SELECT label || ': the run''s way', (SELECT line FROM way AS w WHERE w.label = l.label
    AND axis = 'run'), CASE taker WHEN 'append' THEN 'starting idle' ELSE 'starting idle starting'
    END
  FROM lost AS l;
SELECT label || ': the turns'' way', (SELECT line FROM way AS w WHERE w.label = l.label
    AND axis = 'turn'), CASE taker WHEN 'append' THEN 'processing failed'
    ELSE 'processing failed processing' END FROM lost AS l;
SELECT label || ': the token grows', (SELECT r.token > l.token FROM session_runs AS r
    WHERE r.session_label = label), 1 FROM lost JOIN live AS l ON name = label;
SELECT label || ': the new one is given out', (SELECT token FROM session_runs
    WHERE session_label = label), coalesce(r ->> '$.turn.token', r ->> '$.token')
  FROM got JOIN lost USING (label) WHERE taker <> 'append';
SELECT label || ': the turns lie beside each other', (SELECT count(*) FROM turns WHERE id > turn
    AND id < turn + (2 << 24) AND parent_turn_id IS NULL AND id & 16777215 = 0) > 0, 1
  FROM lost JOIN live ON name = label;

-- An expired lease that nobody took is still the owner's: its next call renews it.
INSERT INTO run SELECT 'late', turn_begin('late', 'A1',
  '{"messages":[{"role":"user","content":"go"}],"lease":"10s"}');
SELECT 'late, but first', turn_message(turn, token, '{"role":"assistant","content":"half"}',
  '{"now":5000000}') ->> '$.expires_at', 5010000 FROM live WHERE name = 'late';
SELECT 'it holds the session again', error_of('SELECT turn_begin(''late'', ''A2'', ''{"now":5009999,
  "messages":[{"role":"user","content":"x"}]}'')') LIKE '%is busy: ''A1''%', 1;
SELECT 'a lease that has run out is no live run', session_deliver('late', 'point three',
  '{"class":"NewTask","now":5010000}') ->> '$.action', 'start';

---- A dead token

-- Each way to lose a turn × each call with the old token.
CREATE TEMP TABLE way_to_lose(name, reason);
INSERT INTO way_to_lose VALUES ('taken over', '%''A1''%''A2'' took over%'),
  ('same owner', '%''A1'' ran out; ''A1'' took over%'), ('appended',
  '%''A1''%turn_append took over%'),
  ('startup', '%''A1'' ended: restart%'), ('startup all', '%''A1'' ended: restart%'),
  ('startup expired', '%''A1'' ended: restart%'), ('sweep', '%''A1'' ended: expire%'),
  ('abandon', '%stop it all%'), ('switch', '%point three%'), ('fail', '%out of credit%'),
  ('abort', '%out of credit%'), ('complete', '%');
CREATE TEMP TABLE losing AS SELECT 'dead, ' || name AS label, name, reason FROM way_to_lose;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM losing;
INSERT INTO turnstile SELECT 'turnstile_config', json_array('new_task_policy', 'switch',
  json_object('session', label)) FROM losing WHERE name = 'switch';
INSERT INTO run SELECT label, turn_begin(label, 'A1',
  '{"messages":[{"role":"user","content":"go"}],"lease":"10s"}') FROM losing;
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'open', 'read')
  FROM losing JOIN live ON live.name = label;
INSERT INTO turnstile
  SELECT 'turn_begin', json_array(label, iif(name = 'same owner', 'A1', 'A2'), json('{"messages":
      [{"role":"user","content":"x"}],"now":1010000}')) FROM losing
    WHERE name IN ('taken over', 'same owner')
  UNION ALL SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"x"}]'),
      json('{"now":1010000}')) FROM losing WHERE name = 'appended'
  UNION ALL SELECT 'session_deliver', json_array(label, 'stop it all', json('{"class":"Abandon"}'))
    FROM losing WHERE name = 'abandon'
  UNION ALL SELECT 'session_deliver', json_array(label, 'point three', json('{"class":"NewTask"}'))
    FROM losing WHERE name = 'switch';
INSERT INTO turnstile
  SELECT 'turn_' || losing.name, json_array(turn, token, 'out of credit')
    FROM losing JOIN live ON live.name = label WHERE losing.name IN ('fail', 'abort')
  UNION ALL SELECT 'turn_complete', json_array(turn, token)
    FROM losing JOIN live ON live.name = label WHERE losing.name = 'complete';
-- The others hold theirs while one is swept, and so on.
UPDATE session_runs SET expires_at = 9000000 WHERE expires_at IS NOT NULL
  AND session_label <> 'dead, sweep';
SELECT session_sweep('{"now":1010000}');
UPDATE session_runs SET expires_at = 1010000 WHERE session_label = 'dead, startup expired';
SELECT turnstile_startup(NULL, '{"now":1010000}');
UPDATE session_runs SET owner = 'A9' WHERE expires_at IS NOT NULL
  AND session_label <> 'dead, startup';
SELECT turnstile_startup('A1', '{"all":1}');
UPDATE session_runs SET owner = 'A1' WHERE session_label = 'dead, startup all';
SELECT turnstile_startup(NULL, '{"all":1}');
CREATE TEMP TABLE step(name, call);
INSERT INTO step VALUES
  ('turn_message', 'turn_message(%s, %s, ''{"role":"user","content":"x"}'')'),
  ('turn_tool_call', 'turn_tool_call(%s, %s, ''z'', ''read'')'),
  ('turn_tool_result', 'turn_tool_result(%s, %s, ''open'', ''r'')'),
  ('turn_phase', 'turn_phase(%s, %s, ''streaming'')'),
  ('turn_heartbeat', 'turn_heartbeat(%s, %s)'), ('turn_steering', 'turn_steering(%s, %s)'),
  ('turn_complete', 'turn_complete(%s, %s, ''{"content":"late"}'')'),
  ('turn_fail', 'turn_fail(%s, %s, ''e'')'), ('turn_abort', 'turn_abort(%s, %s, ''e'')');
CREATE TEMP TABLE refusal AS SELECT losing.label || ': ' || step.name AS label, step.name AS step,
    reason, turn, error_of('SELECT ' || printf(call, turn, token)) AS error
  FROM losing JOIN live ON live.name = losing.label CROSS JOIN step;
-- The result of a tool that has run is recorded all the same, where no turn of the path holds the call.
SELECT label, iif(step = 'turn_tool_result', iif(error IS NULL, 'recorded', 'refused'), 'refused'),
    iif(step = 'turn_tool_result' AND reason NOT LIKE '%stop it all%' AND reason NOT LIKE '%point three%'
      AND label NOT IN ('dead, abort', 'dead, complete'), 'recorded', 'refused')
  FROM (SELECT rtrim(substr(label, 1, instr(label, ':') - 1)) AS label, step, reason, error FROM refusal
    WHERE step = 'turn_tool_result');
SELECT label, iif(error LIKE step || ': turn ' || turn || ' is ' || reason || '; nothing can be%',
    'refused', ifnull(error, '(no error)')), 'refused' FROM refusal WHERE step <> 'turn_tool_result';
SELECT 'every way with every call', (SELECT count(*) FROM refusal), 12 * 9;
SELECT losing.label || ': the call', (SELECT status FROM tool_calls WHERE turn_id =
  turn),
  iif(losing.name IN ('abandon', 'switch', 'abort', 'complete', 'appended'), 'pending', 'completed') FROM losing JOIN live ON live.name = losing.label;
SELECT 'a late compaction is refused as well', error_of(printf('SELECT turn_compact(
  ''dead, taken over'', ''summary'', ''{"turn":%d,"token":%d}'')', turn, token))
  LIKE 'turn_compact: turn % is failed: %''A2'' took over%', 1 FROM live
  WHERE name = 'dead, taken over';

---- turnstile_startup

-- Two owners, three kinds of sessions each; "took" came from the queue.
CREATE TEMP TABLE boot(label, owner, lease, output, owned);
INSERT INTO boot VALUES ('boot 1', 'B1', '1h', 0, 1), ('boot 2', 'B1', '1h', 1, 1),
  ('boot 3', 'B1', '1s', 0, 1), ('boot 4', 'B2', '1h', 1, 0), ('boot 5', 'B2', '1s', 0, 0),
  ('boot 6', 'B2', '1s', 1, 0), ('boot 7', 'B2', '1h', 0, 0);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM boot;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, value, json('{"source":"agent"}'))
  FROM boot, json_each('["work","more"]');
INSERT INTO run SELECT label, turn_begin(label, owner, json_object('lease', lease)) FROM boot;
INSERT INTO turnstile SELECT 'turn_message', json_array(turn, token,
    json('{"role":"assistant","content":"half"}')) FROM boot JOIN live ON name = label WHERE output;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser',
    json('{"question":"How many?"}')) FROM boot WHERE label IN ('boot 1', 'boot 4');
CREATE TEMP TABLE said(name, r);
-- Somebody else of that name may be alive.
CREATE TEMP TABLE before_boot AS SELECT session_label, token, turn_id, run_state FROM session_runs;
INSERT INTO said VALUES ('name', turnstile_startup('B1'));
SELECT 'a name ends no live turn', r, '{"sessions":[],"runs_reset":0,"sessions_suspended":0,'
  || '"items_given_back":0,"workers_timed_out":0,"live":["boot 1","boot 2","boot 3"]}' FROM said WHERE name = 'name';
SELECT 'all are as they were', (SELECT count(*) FROM before_boot AS b JOIN session_runs AS r USING (session_label)
  WHERE b.token IS NOT r.token OR b.turn_id IS NOT r.turn_id OR b.run_state IS NOT r.run_state), 0;
INSERT INTO said VALUES ('owner', turnstile_startup('B1', '{"all":1}'));
SELECT 'an owner''s restart: what was touched', json_extract(r, '$.sessions', '$.runs_reset',
  '$.sessions_suspended'), '[["boot 1","boot 2","boot 3"],3,3]' FROM said WHERE name = 'owner';
SELECT 'two inputs wait again, one has failed', r ->> '$.items_given_back', 2 FROM said
  WHERE name = 'owner';
SELECT label || ': after B1''s restart', json_array(session_state(label) ->> '$.status',
    session_state(label) ->> '$.run_state', (SELECT status FROM turns WHERE id = turn)),
  iif(owned, '["suspended","idle","failed"]', json_array('active', iif(output, 'running',
    'starting'), 'running')) FROM boot JOIN live ON name = label;
INSERT INTO said VALUES ('expired', turnstile_startup(NULL, '{"now":1002000}'));
SELECT 'without an owner only what has expired', json_extract(r, '$.sessions', '$.runs_reset',
  '$.items_given_back'), '[["boot 5","boot 6"],2,1]' FROM said WHERE name = 'expired';
INSERT INTO said VALUES ('all', turnstile_startup(NULL, '{"all":1}'));
SELECT 'all: the rest', (SELECT group_concat(value) FROM json_each(r, '$.sessions')
  WHERE value LIKE 'boot%'), 'boot 4,boot 7' FROM said WHERE name = 'all';
INSERT INTO said VALUES ('again', turnstile_startup(NULL, '{"all":1}'));
SELECT 'a second time there is nothing to do', r, '{"sessions":[],"runs_reset":0,'
  || '"sessions_suspended":0,"items_given_back":0,"workers_timed_out":0,"live":[]}' FROM said WHERE name = 'again';
SELECT label || ': in the end', json_array(session_state(label) ->> '$.status',
    session_state(label) ->> '$.run_state', (SELECT status FROM turns WHERE id = turn),
    (SELECT turn_id IS NULL AND expires_at IS NULL FROM session_runs
      WHERE session_label = label)), '["suspended","idle","failed",1]' FROM boot JOIN live ON name
      = label;
SELECT label || ': the inputs', (SELECT group_concat(message || ' ' || status) FROM session_queue
    WHERE session_label = label), iif(output, 'work failed', 'work pending') || ',more pending'
  FROM boot;
SELECT label || ': the task is what it was', session_state(label) ->> '$.task_state',
  iif(label IN ('boot 1', 'boot 4'), 'AwaitingUser', 'Running') FROM boot;
SELECT label || ': the run''s way', (SELECT line FROM way AS w WHERE w.label = b.label
    AND axis = 'run'), iif(output, 'starting running idle', 'starting idle') FROM boot AS b;
SELECT label || ': the next turn goes on', json_array(turn_begin(label, 'B3')
    ->> '$.messages[0].content', session_state(label) ->> '$.status'),
  json_array(iif(output, 'more', 'work'), 'active') FROM boot;

---- The sweep

CREATE TEMP TABLE dust(label, lease, output, status);
INSERT INTO dust VALUES ('dust 1', '1s', 0, 'failed'), ('dust 2', '1s', 1, 'failed'),
  ('dust 3', '1h', 0, 'running'), ('dust 4', '1h', 1, 'running');
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'work', json('{"source":"agent"}'))
  FROM dust;
INSERT INTO run SELECT label, turn_begin(label, 'D1', json_object('lease', lease)) FROM dust;
INSERT INTO turnstile SELECT 'turn_message', json_array(turn, token,
    json('{"role":"assistant","content":"half"}')) FROM dust JOIN live ON name = label WHERE output;
-- (Other sessions of this file hold longer leases.)
UPDATE session_runs SET expires_at = 9000000 WHERE expires_at < 1001000
  OR session_label NOT LIKE 'dust%' AND expires_at IS NOT NULL;
SELECT 'one ms before nothing is due', session_sweep('{"now":1000999}') ->> '$.leases_expired', 0;
SELECT 'a dry run tells', session_sweep('{"now":1001000,"dry_run":1}') ->> '$.leases_expired', 2;
SELECT 'and does nothing', (SELECT group_concat(status) FROM turns JOIN live ON id = turn
  WHERE name LIKE 'dust%'), 'running,running,running,running';
SELECT 'the sweep ends them', json_extract(session_sweep('{"now":1001000}'), '$.leases_expired',
  '$.more'), '[2,false]';
SELECT label || ': the turn', (SELECT t.status FROM turns AS t WHERE id = turn), status
  FROM dust JOIN live ON name = label;
SELECT label || ': the run', (SELECT json_array(run_state, turn_id IS NULL, expires_at IS NULL)
    FROM session_runs WHERE session_label = label), CASE WHEN status = 'failed' THEN '["idle",1,1]'
    ELSE json_array(iif(output, 'running', 'starting'), 0, 0) END FROM dust;
SELECT label || ': the input', (SELECT q.status FROM session_queue AS q WHERE session_label =
  label),
  CASE WHEN dust.status = 'running' THEN 'processing' WHEN output THEN 'failed' ELSE 'pending' END
  FROM dust;
SELECT label || ': the session is not suspended', session_state(label) ->> '$.status', 'active'
  FROM dust;
SELECT 'in batches', json_extract(session_sweep('{"now":9000000,"limit":1}'), '$.leases_expired',
  '$.more'), '[1,true]';

---- The run's states

-- Reported by session_run before, then a turn begins.
CREATE TEMP TABLE reported(state, way, run);
INSERT INTO reported VALUES ('nothing', NULL, 'starting'), ('starting', 'starting', 'starting'),
  ('running', 'starting,running', NULL), ('ready', 'starting,running,ready', 'running'),
  ('interrupted', 'starting,running,interrupted', NULL), ('error', 'starting,error', 'starting'),
  ('idle', 'starting,idle', 'starting');
INSERT INTO turnstile SELECT 'session_start', json_array('was ' || state, 'add retries')
  FROM reported;
INSERT INTO turnstile SELECT 'session_run', json_array('was ' || state, 'A1', value)
  FROM reported, json_each('["' || replace(way, ',', '","') || '"]') WHERE way IS NOT NULL;
SELECT 'was ' || state || ': a turn begins', error_of(printf('SELECT turn_begin(%Q, ''A2'',
  ''{"messages":[{"role":"user","content":"x"}]}'')', 'was ' || state)), NULL FROM reported;
SELECT 'was ' || state || ': its run', session_state('was ' || state) ->> '$.run_state', run
  FROM reported WHERE run IS NOT NULL;
SELECT 'was ' || state || ': it is live', session_state('was ' || state) ->> '$.run_state'
  IN ('starting', 'running'), 1 FROM reported;
SELECT 'was ' || state || ': it is the new owner''s', session_state('was ' || state) ->> '$.owner',
  'A2' FROM reported;
SELECT 'error leads through idle', (SELECT line FROM way WHERE label = 'was error'
  AND axis = 'run'), 'starting error idle starting';

-- What a turn does to its run.
CREATE TEMP TABLE story(name, calls, way, turns);
INSERT INTO story VALUES
  ('completes at once', '["turn_complete(%d,%d)"]', 'starting running ready',
   'processing streaming completing completed'),
  ('fails at once', '["turn_fail(%d,%d,''e'')"]', 'starting idle', 'processing failed'),
  ('is aborted at once', '["turn_abort(%d,%d,''e'')"]', 'starting idle', 'processing aborted'),
  ('says something', '["turn_message(%d,%d,''{\"role\":\"assistant\",\"content\":\"x\"}'')",
    "turn_complete(%d,%d)"]', 'starting running ready',
    'processing streaming completing completed'),
  ('calls', '["turn_tool_call(%d,%d,''k'',''read'')","turn_fail(%d,%d,''e'')"]',
   'starting running idle', 'processing failed'),
  ('streams', '["turn_phase(%d,%d,''streaming'')","turn_abort(%d,%d,''e'')"]',
   'starting running idle', 'processing streaming aborted'),
  ('compacts', '["turn_phase(%d,%d,''compacting'')","turn_phase(%d,%d,''streaming'')",
    "turn_complete(%d,%d)"]', 'starting running ready',
   'processing compacting streaming completing completed'),
  ('is about to end', '["turn_phase(%d,%d,''streaming'')","turn_phase(%d,%d,''completing'')",
    "turn_complete(%d,%d)"]', 'starting running ready',
    'processing streaming completing completed'),
  ('ends while compacting', '["turn_phase(%d,%d,''compacting'')","turn_fail(%d,%d,''e'')"]',
   'starting running idle', 'processing compacting failed'),
  ('is interrupted', '["session_deliver(''is interrupted'',''x'',''{\"class\":\"Response\"}'')",
    "turn_complete(%d,%d)"]', 'starting running interrupted ready',
   'processing streaming completing completed'),
  ('is interrupted and asks', '["session_deliver(''is interrupted and asks'',''x'',
    ''{\"class\":\"Response\"}'')","turn_steering(%d,%d)","turn_complete(%d,%d)"]',
   'starting running interrupted running ready', 'processing streaming completing completed'),
  ('is interrupted and fails', '["session_deliver(''is interrupted and fails'',''x'',
    ''{\"class\":\"Response\"}'')","turn_fail(%d,%d,''e'')"]', 'starting running interrupted idle',
   'processing failed'),
  ('is interrupted and works on', '["session_deliver(''is interrupted and works on'',''x'',
    ''{\"class\":\"Response\"}'')","turn_tool_call(%d,%d,''k'',''read'')",
    "turn_abort(%d,%d,''e'')"]', 'starting running interrupted idle', 'processing aborted');
INSERT INTO turnstile SELECT 'session_start', json_array(name, 'add retries') FROM story;
INSERT INTO run SELECT name, turn_begin(name, 'A1',
  '{"messages":[{"role":"user","content":"go"}]}') FROM story;
CREATE TEMP TABLE told AS SELECT name, key AS n, value_of('SELECT ' || printf(value, turn, token))
  AS r
  FROM story JOIN live USING (name), json_each(replace(calls, char(10), '')) ORDER BY name, key;
SELECT 'a turn ' || name || ': the run', (SELECT line FROM way WHERE label = name AND axis = 'run'),
  way FROM story;
SELECT 'a turn ' || name || ': the turn', (SELECT line FROM way WHERE label = name AND axis =
  'turn'),
  turns FROM story;
SELECT 'a turn ' || name || ': no lease is left', (SELECT json_array(turn_id, expires_at, owner)
  FROM session_runs WHERE session_label = name), '[null,null,"A1"]' FROM story;
SELECT 'an interrupted run stays so until it asks', r ->> '$.interrupted', 1 FROM told
  WHERE name = 'is interrupted and works on' AND n = 1;
SELECT 'the next begins from ready', (turn_begin('completes at once', 'A2', '{"messages":
  [{"role":"user","content":"x"}]}') ->> '$.token') || ' ' || (SELECT line FROM way
  WHERE label = 'completes at once' AND axis = 'run'), '2 starting running ready running';
SELECT 'each event names its turn', (SELECT count(*) FROM session_events WHERE axis = 'turn'
  AND NOT EXISTS (SELECT 1 FROM turns WHERE id = data ->> '$.turn')), 0;

---- What a failed turn had said is shown to the next

INSERT INTO turnstile VALUES ('turn_append', '["fell","[{\"role\":\"user\",\"content\":\"hello\"}]",
  {"external_id":"fell 1"}]');
CREATE TEMP VIEW fell(line) AS
  SELECT group_concat(kind || ':' || iif(status = 'interrupted', 'interrupted', content), ' | ')
  FROM session_context('fell');
INSERT INTO run SELECT 'fell 2', turn_begin('fell', 'A1',
  '{"messages":[{"role":"user","content":"push it"}]}');
SELECT turn_message(turn, token, '{"role":"assistant","content":"pushing"}') FROM live
  WHERE name = 'fell 2';
SELECT turn_tool_call(turn, token, 'k1', 'push') FROM live WHERE name = 'fell 2';
SELECT turn_tool_call(turn, token, 'k2', 'list') FROM live WHERE name = 'fell 2';
SELECT turn_tool_result(turn, token, 'k2', 'a.c') FROM live WHERE name = 'fell 2';
SELECT 'while it runs and a call has no result they are not shown', (SELECT line FROM fell),
  'message:hello | message:push it | message:pushing';
SELECT turn_fail(turn, token, 'out of credit') FROM live WHERE name = 'fell 2';
SELECT 'the head is where it was', (SELECT external_id FROM turns JOIN sessions ON thread_id = id
  WHERE label = 'fell'), 'fell 1';
INSERT INTO run SELECT 'fell 3', turn_begin('fell', 'A2',
  '{"messages":[{"role":"user","content":"go on"}],"external_id":"fell 3"}');
SELECT 'the next turn sees it all', (SELECT line FROM fell),
  'message:hello | message:push it | message:pushing | tool_call:{} | tool_call:{} | '
  || 'tool_result:interrupted | tool_result:a.c | message:go on';
SELECT 'the open call is told in words', (SELECT content FROM session_context('fell')
  WHERE tool_call_id = 'k1' AND kind = 'tool_result'), turnstile_config('text.context.interrupted');
SELECT 'a call and its result stand in one order', (SELECT group_concat(tool_call_id, ' ')
  FROM session_context('fell') WHERE tool_call_id IS NOT NULL), 'k1 k2 k1 k2';
SELECT 'the turn remembers', (SELECT resumes_turn_id FROM turns WHERE id = l.turn), f.turn
  FROM live AS l, live AS f WHERE l.name = 'fell 3' AND f.name = 'fell 2';
SELECT 'the path does not show it', (SELECT group_concat(external_id) FROM turn_path('fell')),
  'fell 1';
-- That one fails with nothing, the next with output: both are shown to the one after.
SELECT turn_fail(turn, token, 'e') FROM live WHERE name = 'fell 3';
INSERT INTO run SELECT 'fell 4', turn_begin('fell', 'A1',
  '{"messages":[{"role":"user","content":"once more"}]}');
SELECT 'a turn that said nothing is left out', (SELECT line FROM fell),
  'message:hello | message:push it | message:pushing | tool_call:{} | tool_call:{} | '
  || 'tool_result:interrupted | tool_result:a.c | message:once more';
SELECT turn_message(turn, token, '{"role":"assistant","content":"trying"}') FROM live
  WHERE name = 'fell 4';
UPDATE session_runs SET expires_at = 1000000 WHERE session_label = 'fell';
INSERT INTO run SELECT 'fell 5', turn_begin('fell', 'A3',
  '{"messages":[{"role":"user","content":"at last"}],"external_id":"fell 5"}');
SELECT 'both that said something are shown, in order', (SELECT line FROM fell),
  'message:hello | message:push it | message:pushing | tool_call:{} | tool_call:{} | '
  || 'tool_result:interrupted | tool_result:a.c | message:once more | message:trying | '
  || 'message:at last';
SELECT turn_complete(turn, token, '{"content":"pushed"}') FROM live WHERE name = 'fell 5';
SELECT 'and stay in the context', (SELECT group_concat(content, ' | ') FROM session_context('fell')
  WHERE kind = 'message'), 'hello | push it | pushing | once more | trying | at last | pushed';
SELECT 'the path is what was completed', (SELECT group_concat(external_id)
  FROM turn_path('fell')), 'fell 1,fell 5';
SELECT 'the next turn repeats nothing', turn_append('fell', '[{"role":"user","content":"thanks"}]')
  > 0 AND (SELECT count(*) FROM session_context('fell') WHERE content = 'pushing') = 1, 1;
SELECT 'a fork sees what its head saw', (SELECT session_fork(id, 'fell fork') FROM turns
  WHERE external_id = 'fell 5') || (SELECT count(*) FROM session_context('fell fork')
    WHERE content IN ('pushing', 'trying')), 'fell fork2';
SELECT 'a fork from before sees nothing of it', (SELECT session_fork(id, 'fell before') FROM turns
  WHERE external_id = 'fell 1') || (SELECT group_concat(content)
    FROM session_context('fell before')), 'fell beforehello';
-- Somewhere else it is not shown.
INSERT INTO turnstile VALUES
  ('turn_append',
  '["moved","[{\"role\":\"user\",\"content\":\"one\"}]",{"external_id":"moved 1"}]'),
  ('turn_append', '["moved","[{\"role\":\"user\",\"content\":\"two\"}]"]');
INSERT INTO run SELECT 'moved', turn_begin('moved', 'A1',
  '{"messages":[{"role":"user","content":"three"}]}');
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM live
  WHERE name = 'moved';
SELECT turn_fail(turn, token, 'e') FROM live WHERE name = 'moved';
INSERT INTO turnstile SELECT 'session_rewind', json_array('moved', id) FROM turns
  WHERE external_id = 'moved 1';
SELECT turn_begin('moved', 'A1', '{"messages":[{"role":"user","content":"four"}]}');
SELECT 'after a rewind', (SELECT group_concat(content) FROM session_context('moved')), 'one,four';
-- The same for a run that was restarted, and one that was swept.
CREATE TEMP TABLE again(label);
INSERT INTO again VALUES ('again startup'), ('again sweep'), ('again taken');
INSERT INTO run SELECT label, turn_begin(label, 'R1',
  '{"messages":[{"role":"user","content":"one"}],"lease":"1s"}') FROM again;
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM live
  WHERE name LIKE 'again %';
UPDATE session_runs SET owner = 'R2' WHERE session_label = 'again startup';
SELECT turnstile_startup('R2', '{"all":1}');
UPDATE session_runs SET expires_at = 2000000 WHERE session_label = 'again taken';
SELECT session_sweep('{"now":1001000}');
SELECT turn_begin(label, 'R3', '{"messages":[{"role":"user","content":"two"}],"now":2000000}')
  FROM again;
SELECT label, (SELECT group_concat(content) FROM session_context(label)), 'one,half,two' FROM again;

---- Every record stands

SELECT 'every move of a run is one of the table', (SELECT group_concat(DISTINCT from_state || '>'
    || to_state) FROM session_events AS e WHERE axis = 'run' AND from_state IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM state_transitions AS s WHERE s.axis = 'run'
    AND s.from_state = e.from_state AND s.to_state = e.to_state)), NULL;
SELECT 'and of a turn', (SELECT group_concat(DISTINCT from_state || '>'
    || to_state) FROM session_events AS e WHERE axis = 'turn' AND from_state IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM state_transitions AS s WHERE s.axis = 'turn'
    AND s.from_state = e.from_state AND s.to_state = e.to_state)), NULL;
SELECT 'a run''s events follow one another', (SELECT group_concat(DISTINCT session_label) FROM
  (SELECT session_label, from_state, lag(to_state, 1, 'idle') OVER (PARTITION BY session_label
    ORDER BY id) AS before FROM session_events WHERE axis = 'run') WHERE from_state IS NOT before),
  NULL;
SELECT 'and end where it is', (SELECT group_concat(session_label) FROM session_runs AS r
  WHERE run_state IS NOT (SELECT to_state FROM session_events AS e WHERE axis = 'run'
    AND e.session_label = r.session_label ORDER BY id DESC LIMIT 1)), NULL;
SELECT 'a running turn is that of a run', (SELECT group_concat(id) FROM turns AS t
  WHERE status = 'running' AND NOT EXISTS (SELECT 1 FROM session_runs WHERE turn_id = t.id)), NULL;
SELECT 'a lease has a turn that runs', (SELECT group_concat(session_label) FROM session_runs AS r
  WHERE (expires_at IS NOT NULL OR turn_id IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM turns
    WHERE id = r.turn_id AND status = 'running')), NULL;
SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events),
  (SELECT max(id) FROM session_events);

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;
