-- guards.sql - the triggers that keep the invariants even against plain SQL.
--
-- Each row of `try` is a statement that a guard has to refuse, with the beginning of its message;
-- error_of sees to it that nothing has changed. The second half are statements that no guard is
-- in the way of.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES
  ('session_start', '["a","add retries"]'), ('session_note', '["a","read"]'), ('session_flush', '["a"]'),
  ('session_start', '["b","done"]'), ('session_note', '["b","x"]'), ('session_compact', '["b","done"]'),
  ('session_deliver', '["c","thanks",{"class":"Confirmation","message_id":"m1","channel":"wa","sender":"u1"}]'),
  ('session_start', '["d","x"]'), ('session_transition', '["d","PendingComplete",{"summary":"ready"}]'), ('session_transition', '["d","Complete"]'),
  ('session_run', '["a","A1","starting"]'), ('session_run', '["a","A1","running"]');
UPDATE session_runs SET token = 7;
UPDATE sessions SET status = 'archived' WHERE label = 'b';

CREATE TEMP TABLE try(statement, message);
INSERT INTO try VALUES
  -- tasks: the moves
  ('UPDATE tasks SET state = ''Complete'' WHERE session_label = ''a''', 'tasks.state: '),
  ('UPDATE tasks SET state = ''Running'' WHERE session_label = ''a''', 'tasks.state: '),
  ('UPDATE tasks SET state = ''Dreaming'' WHERE session_label = ''a''', 'tasks.state: '),
  ('UPDATE tasks SET state = ''Running'' WHERE session_label = ''d''', 'tasks.state: '),
  ('UPDATE OR IGNORE tasks SET state = ''Complete'' WHERE session_label = ''a''', 'tasks.state: '),
  ('UPDATE OR REPLACE tasks SET state = ''Complete'' WHERE session_label = ''a''', 'tasks.state: '),
  -- tasks: their end
  ('UPDATE tasks SET ended_at = 5 WHERE session_label = ''a''', 'tasks.ended_at: '),
  ('UPDATE tasks SET state = ''None'' WHERE session_label = ''d''', 'tasks.ended_at: '),
  ('UPDATE tasks SET state = ''None'', ended_at = 5 WHERE session_label = ''b''', 'tasks.'),
  ('UPDATE tasks SET ended_at = NULL WHERE session_label = ''b''', 'tasks.ended_at: '),
  ('UPDATE tasks SET ended_at = ended_at + 1 WHERE session_label = ''b''', 'tasks.ended_at: '),
  ('UPDATE tasks SET state = ''Running'', ended_at = NULL WHERE session_label = ''b''', 'tasks.'),
  -- tasks: an open one is saved by two commit types only
  ('UPDATE tasks SET state = ''None'', ended_at = 5, commit_id = (SELECT id FROM commits) WHERE session_label = ''a''', 'tasks.state: an open task'),
  ('UPDATE tasks SET state = ''None'', ended_at = 5, commit_id = ''none'' WHERE session_label = ''a''', 'tasks.state: an open task'),
  -- tasks: how they begin
  ('INSERT INTO tasks(session_label, description, state, started_at, last_activity) VALUES (''c'', ''x'', ''AwaitingUser'', 1, 1)', 'tasks: a task begins'),
  ('INSERT INTO tasks(session_label, description, state, started_at, last_activity) VALUES (''c'', ''x'', ''None'', 1, 1)', 'tasks: a task begins'),
  ('INSERT INTO tasks(session_label, description, started_at, last_activity, ended_at) VALUES (''c'', ''x'', 1, 1, 1)', 'tasks: a task begins'),
  ('INSERT INTO tasks(session_label, description, started_at, last_activity) VALUES (''a'', ''a second open one'', 1, 1)', 'tasks: a task begins'),
  ('INSERT INTO tasks(id, session_label, description, started_at, last_activity) VALUES (1, ''c'', ''x'', 1, 1)', 'tasks: a task begins'),
  ('INSERT OR REPLACE INTO tasks(id, session_label, description, started_at, last_activity) VALUES (1, ''a'', ''x'', 1, 1)', 'tasks: a task begins'),
  ('REPLACE INTO tasks(session_label, description, started_at, last_activity) VALUES (''a'', ''x'', 1, 1)', 'tasks: a task begins'),
  ('INSERT OR IGNORE INTO tasks(session_label, description, started_at, last_activity) VALUES (''a'', ''x'', 1, 1)', 'tasks: a task begins'),
  ('DELETE FROM tasks WHERE session_label = ''a''', 'tasks: rows are kept'),
  ('DELETE FROM tasks', 'tasks: rows are kept'),
  -- sessions
  ('UPDATE sessions SET status = ''suspended'' WHERE label = ''b''', 'sessions.status: '),
  ('UPDATE sessions SET status = ''error'' WHERE label = ''b''', 'sessions.status: '),
  ('UPDATE sessions SET status = ''completed'' WHERE label = ''a''', 'sessions.status: '),
  ('UPDATE sessions SET label = ''z'' WHERE label = ''a''', 'sessions.label: '),
  ('INSERT INTO sessions(label, status, created_at, updated_at, last_activity) VALUES (''z'', ''suspended'', 1, 1, 1)', 'sessions: a session begins'),
  ('INSERT OR REPLACE INTO sessions(label, created_at, updated_at, last_activity) VALUES (''a'', 1, 1, 1)', 'sessions: a session begins'),
  ('DELETE FROM sessions WHERE label = ''c''', 'sessions: rows are kept'),
  -- runs
  ('UPDATE session_runs SET run_state = ''starting'' WHERE session_label = ''a''', 'session_runs.run_state: '),
  ('UPDATE session_runs SET run_state = ''dead'' WHERE session_label = ''a''', 'session_runs.run_state: '),
  ('UPDATE session_runs SET token = 6', 'session_runs.token: '),
  ('INSERT INTO session_runs(session_label, run_state) VALUES (''c'', ''running'')', 'session_runs: a run begins'),
  ('INSERT OR REPLACE INTO session_runs(session_label) VALUES (''a'')', 'session_runs: a run begins'),
  -- history
  ('UPDATE session_events SET to_state = ''x'' WHERE id = 1', 'session_events: append-only'),
  ('UPDATE session_events SET at = 0', 'session_events: append-only'),
  ('DELETE FROM session_events WHERE id = 1', 'session_events: append-only'),
  ('DELETE FROM session_events', 'session_events: append-only'),
  ('INSERT OR REPLACE INTO session_events(id, session_label, axis, "trigger", at) VALUES (1, ''a'', ''task'', ''x'', 1)', 'session_events: append-only'),
  ('UPDATE commits SET message = ''other''', 'commits: append-only'),
  ('DELETE FROM commits', 'commits: append-only'),
  ('INSERT OR REPLACE INTO commits(id, session_label, message, commit_type, created_at) SELECT id, ''a'', ''x'', ''Normal'', 1 FROM commits', 'commits: append-only'),
  ('INSERT OR REPLACE INTO commits(seq, id, session_label, message, commit_type, created_at) VALUES (1, ''new'', ''a'', ''x'', ''Normal'', 1)', 'commits: append-only'),
  ('UPDATE steps SET payload = ''[]'' WHERE step_kind = ''Note''', 'steps: append-only'),
  ('DELETE FROM steps', 'steps: append-only'),
  ('INSERT OR REPLACE INTO steps(task_id, id, step_kind, state, payload, created_at) SELECT task_id, id, ''Note'', ''Running'', ''[]'', 1 FROM steps', 'steps: append-only'),
  ('UPDATE deliveries SET message = ''other''', 'deliveries: append-only'),
  ('DELETE FROM deliveries', 'deliveries: append-only'),
  ('INSERT OR REPLACE INTO deliveries(id, session_label, source, action, decision, at, message) VALUES (1, ''a'', ''user'', ''x'', ''{}'', 1, ''x'')', 'deliveries: append-only'),
  ('INSERT OR REPLACE INTO deliveries(session_label, message_id, channel, sender, source, action, decision, at, message) VALUES (''c'', ''m1'', ''wa'', ''u1'', ''user'', ''x'', ''{}'', 1, ''x'')', 'deliveries: append-only'),
  -- STRICT tables, and rules that are none
  ('UPDATE sessions SET last_activity = ''yesterday''', 'cannot store TEXT value in INTEGER column'),
  ('INSERT INTO message_rules(class, pattern, weight) VALUES (''NewTask'', ''(unclosed'', 1)', '%'),
  ('INSERT INTO message_rules(class, pattern, weight) VALUES (''Maybe'', ''x'', 1)', '%');

SELECT statement, ifnull(substr(error_of(statement), 1, length(replace(message, '%', ''))), '(it was not refused)'), replace(message, '%', '') FROM try;
SELECT 'refused: ' || statement, error_of(statement) IS NOT NULL, 1 FROM try;

-- Without the guards' knowledge of the table, no move of state_transitions is in the way.
SELECT 'an upsert does not get past either', substr(error_of(
  'INSERT INTO sessions(label, created_at, updated_at, last_activity) VALUES (''a'', 1, 1, 1) ON CONFLICT(label) DO UPDATE SET status = ''completed'''), 1, 10), 'sessions: ';
SELECT 'recursive_triggers make no difference', substr(error_of(
  'PRAGMA recursive_triggers = ON; INSERT OR REPLACE INTO commits(seq, id, session_label, message, commit_type, created_at) VALUES (1, ''new'', ''a'', ''x'', ''Normal'', 1)'), 1, 8), 'commits:';
PRAGMA recursive_triggers = OFF;

---- What is allowed

CREATE TEMP TABLE free(statement);
INSERT INTO free VALUES
  ('UPDATE tasks SET state = ''AwaitingUser'' WHERE session_label = ''a'''), ('UPDATE tasks SET state = ''Running'' WHERE session_label = ''a'''),
  ('UPDATE tasks SET description = ''other words'' WHERE session_label = ''a'''),
  ('UPDATE sessions SET status = ''suspended'' WHERE label = ''a'''), ('UPDATE sessions SET status = ''active'' WHERE label = ''a'''),
  ('UPDATE sessions SET status = ''active'' WHERE label = ''b'''), ('UPDATE sessions SET status = status, label = label'),
  ('UPDATE session_runs SET run_state = ''ready'' WHERE session_label = ''a'''), ('UPDATE session_runs SET token = 8'),
  ('INSERT INTO session_aliases VALUES (''x'', ''a'', ''manual'', 1)'), ('DELETE FROM session_aliases'),
  ('UPDATE tasks SET state = ''None'', ended_at = 9 WHERE session_label = ''a''');
SELECT 'allowed: ' || statement, error_of(statement), NULL FROM free;

-- A statement that is refused at its second row keeps the first; a savepoint takes it back.
INSERT INTO turnstile VALUES ('session_start', '["row 1","x"]'), ('session_start', '["row 2","x"]');
CREATE TEMP TABLE two AS SELECT 'UPDATE sessions SET status = iif(label = ''row 1'', ''suspended'', ''completed'') WHERE label IN (''row 1'', ''row 2'')' AS statement;
SAVEPOINT outside;
SELECT 'the second row', error_of(statement) LIKE 'it failed and left something behind: sessions.status: %', 1 FROM two;
SELECT 'the first is kept', (SELECT group_concat(status) FROM (SELECT status FROM sessions WHERE label LIKE 'row _' ORDER BY label)), 'suspended,active';
ROLLBACK TO outside;
RELEASE outside;
SELECT 'and taken back', (SELECT group_concat(status) FROM sessions WHERE label LIKE 'row _'), 'active,active';
SELECT 'a command''s is not kept', error_of('INSERT INTO turnstile SELECT ''session_unarchive'', json_array(label) FROM sessions WHERE label LIKE ''row _'' UNION ALL VALUES (''session_fail'', ''["row 1"]'')') LIKE 'session_fail: %', 1;

-- The guards stand open only within a command.
SELECT 'no file is left unguarded', (SELECT count(*) FROM turnstile_meta WHERE key = 'unguarded'), 0;

-- No guard is forgotten here: the first word of its message is tried above.
CREATE TEMP TABLE guard AS
  SELECT name, substr(sql, instr(sql, 'RAISE(FAIL, ''') + 13) AS message FROM sqlite_schema
  WHERE type = 'trigger' AND sql LIKE '%RAISE(FAIL%';
SELECT 'tried: ' || name, (SELECT count(*) > 0 FROM try AS t WHERE guard.message LIKE t.message || '%'), 1 FROM guard;

-- Rows of message_rules count themselves.
CREATE TEMP TABLE version AS SELECT value FROM turnstile_meta WHERE key = 'rules_version';
INSERT INTO message_rules(class, pattern, weight) VALUES ('NewTask', 'ahoy', 1);
SELECT 'a change of the rules is noticed',
  (SELECT value FROM turnstile_meta WHERE key = 'rules_version') > (SELECT value FROM version), 1;
