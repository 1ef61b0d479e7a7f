-- run.sql - session_run and turnstile_startup: what processes report, and what a restart leaves.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

---- Every pair of run states

CREATE TEMP TABLE legal(from_state, to_state);
INSERT INTO legal VALUES
  ('idle', 'starting'), ('starting', 'running'), ('running', 'ready'), ('ready', 'running'), ('starting', 'error'),
  ('running', 'error'), ('running', 'interrupted'), ('interrupted', 'running'), ('interrupted', 'ready'), ('interrupted', 'idle'),
  ('error', 'idle'), ('starting', 'idle'), ('running', 'idle'), ('ready', 'idle');
CREATE TEMP TABLE way(state, step, via);
INSERT INTO way VALUES ('starting', 1, 'starting'), ('running', 1, 'starting'), ('running', 2, 'running'),
  ('ready', 1, 'starting'), ('ready', 2, 'running'), ('ready', 3, 'ready'),
  ('interrupted', 1, 'starting'), ('interrupted', 2, 'running'), ('interrupted', 3, 'interrupted'),
  ('error', 1, 'starting'), ('error', 2, 'error');
CREATE TEMP TABLE name(state);
INSERT INTO name VALUES ('idle'), ('starting'), ('running'), ('ready'), ('interrupted'), ('error');
CREATE TEMP TABLE pair AS SELECT a.state AS from_state, b.state AS to_state, a.state || ' > ' || b.state AS label FROM name AS a, name AS b;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM pair;
INSERT INTO turnstile SELECT 'session_run', json_array(label, 'A1', via) FROM pair JOIN way ON state = from_state ORDER BY label, step;
SELECT label || ': where it begins', session_state(label) ->> '$.run_state', from_state FROM pair;
CREATE TEMP TABLE last AS SELECT max(id) AS id FROM session_events;
SELECT label || ': returns the state', session_run(label, 'A1', to_state, '{"pid":7}', '{"now":2000000}'), to_state FROM pair JOIN legal USING (from_state, to_state);
SELECT label || ': is stored, with a sign of life', (SELECT json_array(run_state, owner, json(data), heartbeat_at) FROM session_runs WHERE session_label = label),
       json_array(to_state, 'A1', json('{"pid":7}'), 2000000) FROM pair JOIN legal USING (from_state, to_state);
SELECT label || ': one event', (SELECT group_concat(axis || ' ' || e.from_state || '>' || e.to_state) FROM session_events AS e WHERE session_label = label AND id > (SELECT id FROM last)),
       'run ' || from_state || '>' || to_state FROM pair JOIN legal USING (from_state, to_state);
CREATE TEMP TABLE refusal AS SELECT label, from_state, to_state, error_of(printf('SELECT session_run(%Q, ''A1'', %Q)', label, to_state)) AS error
  FROM pair AS p WHERE NOT EXISTS (SELECT 1 FROM legal AS l WHERE l.from_state = p.from_state AND l.to_state = p.to_state) AND from_state <> to_state;
SELECT label || ': refused, naming both', error LIKE 'session_run: %' || from_state || '%' || to_state || '%', 1 FROM refusal;
SELECT r.label || ': names ' || l.to_state, instr(error, l.to_state) > 0, 1 FROM refusal AS r JOIN legal AS l ON l.from_state = r.from_state;
SELECT state || ' said again is a sign of life', session_run(state || ' > ' || state, 'A1', state, NULL, '{"now":3000000}') || ' ' || (SELECT heartbeat_at FROM session_runs WHERE session_label = state || ' > ' || state),
       state || ' 3000000' FROM name;
SELECT state || ' said again is no event', (SELECT count(*) FROM session_events WHERE session_label = state || ' > ' || state AND id > (SELECT id FROM last)), 0 FROM name;
SELECT 'the status of the session never moves', (SELECT group_concat(DISTINCT status) FROM sessions), 'active';
SELECT 'nor its activity', (SELECT max(last_activity) FROM sessions), 1000000;
SELECT 'nor its task', (SELECT group_concat(DISTINCT state) FROM tasks), 'Running';

---- Arguments

INSERT INTO turnstile VALUES ('session_start', '["s","x"]'), ('session_run', '["s","A1","starting"]');
SELECT 'another owner', error_of('SELECT session_run(''s'', ''A2'', ''running'')') LIKE 'session_run: %A1%A2%', 1;
SELECT 'another owner can''t stop it either', error_of('SELECT session_run(''s'', ''A2'', ''idle'')') LIKE 'session_run: %A1%A2%', 1;
SELECT 'an exit code is data', session_run('s', 'A1', 'error', '{"exit_code":1}') || (SELECT status FROM sessions WHERE label = 's'), 'erroractive';
INSERT INTO turnstile VALUES ('session_run', '["s","A1","idle"]');
SELECT 'when it is idle anyone can begin', session_run('s', 'A2', 'starting'), 'starting';
SELECT 'an unknown state', error_of('SELECT session_run(''s'', ''A2'', ''sleeping'')'), 'session_run: run_state is ''sleeping''; it must be one of: idle, starting, running, ready, interrupted, error';
SELECT 'data that is no JSON', error_of('SELECT session_run(''s'', ''A2'', ''running'', ''exit 1'')') LIKE 'session_run: data is not valid JSON', 1;
SELECT 'data may be any JSON', session_run('s', 'A2', 'running', '[1,2]') || (SELECT data FROM session_runs WHERE session_label = 's'), 'running[1,2]';
SELECT 'an unknown session', error_of('SELECT session_run(''nobody'', ''A1'', ''starting'')') LIKE 'session_run: %nobody%', 1;
SELECT 'no owner', error_of('SELECT session_run(''s'', NULL, ''ready'')'), 'session_run: owner is missing';

---- turnstile_startup

CREATE TEMP TABLE r(label, owner, expires);
INSERT INTO r VALUES ('one', 'A7', NULL), ('two', 'A7', 99999999), ('three', 'A8', 500), ('four', 'A8', 99999999), ('five', 'A9', NULL);
UPDATE session_runs SET run_state = 'idle' WHERE run_state <> 'idle';
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM r;
INSERT INTO turnstile SELECT 'session_run', json_array(label, owner, 'starting') FROM r;
INSERT INTO turnstile SELECT 'session_run', json_array(label, owner, 'running') FROM r WHERE label <> 'five';
UPDATE session_runs SET expires_at = (SELECT expires FROM r WHERE label = session_label) WHERE session_label IN (SELECT label FROM r);
INSERT INTO turnstile VALUES ('session_transition', '["one","AwaitingUser",{"question":"Which?"}]');
INSERT INTO session_queue(session_label, source, status, enqueued_at, message) VALUES ('one', 'user', 'processing', 1000000, 'in hand'), ('one', 'user', 'pending', 1000000, 'waits');
CREATE TEMP TABLE a7 AS SELECT turnstile_startup('A7', '{"now":2000000}') AS report;
SELECT 'an owner''s runs: the report', json_extract(report, '$.runs_reset', '$.sessions_suspended', '$.items_given_back'), '[2,2,1]' FROM a7;
SELECT 'names the sessions', (SELECT group_concat(value) FROM (SELECT value FROM a7, json_each(report, '$.sessions') ORDER BY value)), 'one,two';
SELECT 'its runs are idle', (SELECT group_concat(run_state) FROM session_runs WHERE owner = 'A7'), 'idle,idle';
SELECT 'without a lease', (SELECT count(expires_at) FROM session_runs WHERE owner = 'A7'), 0;
SELECT 'its sessions are suspended', (SELECT group_concat(status) FROM sessions WHERE label IN ('one', 'two')), 'suspended,suspended';
SELECT 'the task keeps its state and question', json_extract(session_state('one'), '$.task_state', '$.state_data.question'), '["AwaitingUser","Which?"]';
SELECT 'items are given back, in order', (SELECT group_concat(status || ' ' || message) FROM (SELECT * FROM session_queue WHERE session_label = 'one' ORDER BY id)), 'pending in hand,pending waits';
SELECT 'with events on both axes', (SELECT group_concat(axis || ' ' || from_state || '>' || to_state) FROM (SELECT * FROM session_events WHERE session_label = 'two' AND at = 2000000 ORDER BY id)), 'run running>idle,status active>suspended';
SELECT 'the others are untouched', (SELECT group_concat(session_label || ' ' || run_state) FROM (SELECT * FROM session_runs WHERE session_label IN ('three', 'four', 'five') ORDER BY session_label)), 'five starting,four running,three running';
SELECT 'a restart is no activity', (SELECT max(last_activity) FROM sessions WHERE label IN ('one', 'two')), 1000000;
SELECT 'the next delivery resumes, and takes what waited', json_extract(session_deliver('one', 'the first way', '{"class":"Response"}'), '$.action', '$.state', '$.inputs[0].message', '$.inputs[2].message'),
       '["continue","Running","in hand","the first way"]';
SELECT 'active again', (SELECT status FROM sessions WHERE label = 'one'), 'active';
SELECT 'a second startup finds nothing', json_extract(turnstile_startup('A7'), '$.runs_reset', '$.sessions'), '[0,[]]';
CREATE TEMP TABLE expired AS SELECT turnstile_startup() AS report;
SELECT 'without an owner: only leases that ran out', json_extract(report, '$.runs_reset', '$.sessions'), '[1,["three"]]' FROM expired;
SELECT 'NULL as the owner is none', turnstile_startup(NULL) ->> '$.runs_reset', 0;
CREATE TEMP TABLE everything AS SELECT turnstile_startup(NULL, '{"all":1}') AS report;
SELECT 'all', json_extract(report, '$.runs_reset', '$.sessions_suspended'), '[2,2]' FROM everything;
SELECT 'no run is anything but idle', (SELECT count(*) FROM session_runs WHERE run_state <> 'idle'), 0;
UPDATE sessions SET status = 'error' WHERE label = 'two';
INSERT INTO turnstile VALUES ('session_run', '["two","A7","starting"]'), ('turnstile_startup', '["A7"]');
SELECT 'a session in error stays in error', (SELECT status FROM sessions WHERE label = 'two'), 'error';

SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events), (SELECT max(id) FROM session_events);
SELECT 'every event on the run and status axes is a move of the table',
       (SELECT count(*) FROM session_events AS e WHERE axis IN ('run', 'status') AND from_state IS NOT NULL AND NOT EXISTS
         (SELECT 1 FROM state_transitions AS t WHERE t.axis = e.axis AND t.from_state = e.from_state AND t.to_state = e.to_state)), 0;
