-- turn_guards.sql - the triggers that keep the turn tree as it is, even against plain SQL.
--
-- Each row of `try` is a statement that a guard has to refuse, with the beginning of its message;
-- error_of sees to it that nothing has changed.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

-- Turns 1 << 24 | 0 to 4 of session a: completed, completed with a call and its result,
-- a compaction, aborted and kept, and at the end a running one; beside it one that failed.
CREATE TEMP TABLE run(name TEXT PRIMARY KEY, r);
CREATE TEMP VIEW live(name, turn, token) AS SELECT name, r ->> '$.turn', r ->> '$.token' FROM run;
INSERT INTO turnstile VALUES
  ('turn_append', '["a",[{"role":"user","content":"one"}],{"external_id":"a1"}]'),
  ('turn_append', '["a",[{"role":"user","content":"two"},{"role":"assistant","content":"x",
    "tool_calls":[{"id":"k1","name":"read","result":"r"},{"id":"k2","name":"push"}]}],
    {"external_id":"a2"}]'),
  ('turn_compact', '["a","the story",{"keep_turns":1}]');
INSERT INTO run SELECT 'kept', turn_begin('a', 'A1',
  '{"messages":[{"role":"user","content":"q"}],"external_id":"a4"}');
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM live
  WHERE name = 'kept';
SELECT turn_abort(turn, token, 'stop') FROM live WHERE name = 'kept';
INSERT INTO run SELECT 'failed', turn_begin('a', 'A1',
  '{"messages":[{"role":"user","content":"q"}],"external_id":"failed"}');
SELECT turn_tool_call(turn, token, 'kf', 'push') FROM live WHERE name = 'failed';
SELECT turn_fail(turn, token, 'e') FROM live WHERE name = 'failed';
INSERT INTO run SELECT 'running', turn_begin('a', 'A1',
  '{"messages":[{"role":"user","content":"q"}],"external_id":"running"}');
SELECT turn_tool_call(turn, token, 'kr', 'push') FROM live WHERE name = 'running';
SELECT turn_tool_call(turn, token, 'kr2', 'push') FROM live WHERE name = 'running';
SELECT turn_tool_result(turn, token, 'kr2', 'r') FROM live WHERE name = 'running';

CREATE TEMP TABLE try(statement, message);
INSERT INTO try VALUES
  -- turns that have ended
  ('UPDATE turns SET model = ''other'' WHERE external_id = ''a1''', 'turns: '),
  ('UPDATE turns SET input_tokens = 5 WHERE external_id = ''a1''', 'turns: '),
  ('UPDATE turns SET thread_tokens = 5 WHERE external_id = ''a1''', 'turns: '),
  ('UPDATE turns SET completed_at = 5 WHERE external_id = ''a1''', 'turns: '),
  ('UPDATE turns SET status = ''running'', phase = ''processing'', on_path = 0
      WHERE external_id = ''a1''', 'turns'),
  ('UPDATE turns SET status = ''failed'', on_path = 0 WHERE external_id = ''a1''', 'turns'),
  ('UPDATE turns SET on_path = 0 WHERE external_id = ''a1''', 'turns'),
  ('UPDATE turns SET on_path = 0 WHERE external_id = ''a4''', 'turns'),
  ('UPDATE turns SET on_path = 1 WHERE external_id = ''failed''', 'turns'),
  ('UPDATE turns SET status = ''completed'', on_path = 1 WHERE external_id = ''failed''', 'turns'),
  ('UPDATE turns SET error = ''other'' WHERE external_id = ''failed''', 'turns: '),
  ('UPDATE turns SET parent_turn_id = NULL WHERE external_id = ''a2''', 'turns'),
  ('UPDATE turns SET context_turn_id = NULL WHERE turn_type = ''compaction''', 'turns'),
  ('UPDATE turns SET id = 99 WHERE external_id = ''a2''', 'turns'),
  ('UPDATE turns SET external_id = ''z'' WHERE external_id = ''a2''', 'turns'),
  ('UPDATE OR REPLACE turns SET external_id = ''a1'' WHERE external_id = ''a2''', 'turns'),
  ('UPDATE OR IGNORE turns SET model = ''other'' WHERE external_id = ''a1''', 'turns'),
  ('UPDATE turns SET model = ''other''', 'turns'),
  ('DELETE FROM turns WHERE external_id = ''a2''', 'turns: '),
  ('DELETE FROM turns WHERE external_id = ''failed''', 'turns: '),
  ('DELETE FROM turns WHERE external_id = ''running''', 'turns: '),
  ('DELETE FROM turns', 'turns: '),
  -- a running turn stays where it is and what it is
  ('UPDATE turns SET id = 99 WHERE external_id = ''running''', 'turns'),
  ('UPDATE turns SET parent_turn_id = 16777216 WHERE external_id = ''running''', 'turns'),
  ('UPDATE turns SET status = ''sleeping'' WHERE external_id = ''running''', 'turns'),
  ('UPDATE turns SET phase = ''dreaming'' WHERE external_id = ''running''', 'turns'),
  ('UPDATE turns SET phase = ''completing'' WHERE external_id = ''running''', 'turns'),
  ('UPDATE turns SET on_path = 1 WHERE external_id = ''running''', 'turns'),
  -- how turns begin
  ('INSERT OR REPLACE INTO turns(id, status, source, started_at) VALUES (16777216, ''running'',
      ''user'', 1)', 'turns'),
  ('REPLACE INTO turns SELECT * FROM turns WHERE external_id = ''a1''', 'turns'),
  ('INSERT OR REPLACE INTO turns(id, parent_turn_id, status, phase, source, started_at,
      external_id) VALUES (16777299, NULL, ''running'', ''processing'', ''user'', 1, ''a1'')',
      'turns'),
  ('INSERT OR IGNORE INTO turns(id, status, phase, source, started_at) VALUES (16777216,
      ''running'', ''processing'', ''user'', 1)', 'turns'),
  ('INSERT INTO turns(id, status, source, started_at, completed_at) SELECT id, ''completed'',
      ''user'', 1, 1 FROM turns WHERE true ON CONFLICT(id) DO UPDATE SET model = ''other''',
      'turns'),
  ('INSERT INTO turns(id, status, source, started_at) VALUES (999 << 24, ''sleeping'',
      ''user'', 1)', 'turns'),
  ('INSERT INTO turns(id, status, phase, source, started_at) VALUES (999 << 24, ''running'',
      ''processing'', ''user'', 1)', 'turns.id: '),
  ('INSERT INTO turns(id, parent_turn_id, status, phase, source, started_at)
      VALUES ((1 << 24) + 9, 1 << 24, ''running'', ''processing'', ''user'', 1)', 'turns.id: '),
  ('INSERT INTO turns(id, parent_turn_id, status, phase, source, started_at) SELECT id + 1, id,
      ''running'', ''processing'', ''user'', 1 FROM turns WHERE external_id = ''failed''',
      'turns.parent_turn_id: '),
  ('INSERT INTO turns(id, parent_turn_id, status, phase, source, started_at) SELECT id + 1, id,
      ''running'', ''processing'', ''user'', 1 FROM turns WHERE external_id = ''running''',
      'turns.parent_turn_id: '),
  ('INSERT INTO turns(id, parent_turn_id, status, phase, source, started_at, completed_at, on_path)
      SELECT max(id) + 1, max(id), ''completed'', NULL, ''user'', 1, 1, 1 FROM turns
      WHERE on_path = 1', 'turns'),
  -- messages
  ('UPDATE messages SET content = ''other'' WHERE content = ''one''', 'messages: '),
  ('UPDATE messages SET metadata = ''{}''', 'messages: '),
  ('UPDATE messages SET place = 5 WHERE content = ''one''', 'messages: '),
  ('UPDATE messages SET content = ''other'' WHERE content = ''half''', 'messages: '),
  ('UPDATE OR IGNORE messages SET content = ''other'' WHERE content = ''one''', 'messages: '),
  ('UPDATE OR REPLACE messages SET place = 68719476736 WHERE content = ''two''', 'messages: '),
  ('DELETE FROM messages WHERE content = ''one''', 'messages: '),
  ('DELETE FROM messages', 'messages: '),
  ('INSERT OR REPLACE INTO messages(place, role, created_at, content) VALUES (68719476736,
      ''user'', 1, ''other'')', 'messages: '),
  ('REPLACE INTO messages(place, role, created_at, content) SELECT place, role, 1, ''x''
      FROM messages WHERE content = ''one''', 'messages: '),
  ('INSERT INTO messages(place, role, created_at, content) VALUES (68719476736, ''user'', 1,
      ''other'') ON CONFLICT(place) DO UPDATE SET content = ''other''', 'messages: '),
  ('INSERT INTO messages(place, role, created_at, content) VALUES (68719476736 + 1, ''user'', 1,
      ''slipped in'')', 'messages: '),
  ('INSERT INTO messages(place, role, created_at, content) VALUES (5, ''user'', 1,
      ''of no turn'')', 'messages: '),
  ('INSERT INTO messages(place, role, created_at, content) SELECT place, ''user'', 1, ''x''
      FROM tool_calls WHERE id = ''kr''',
      'messages: written while their turn runs, each in a place that no message and no tool call '
      || 'has'),
  ('INSERT OR REPLACE INTO messages(place, role, created_at, content) SELECT place, ''user'', 1,
      ''x'' FROM tool_calls WHERE id = ''kr2''', 'messages: '),
  -- tool calls
  ('UPDATE tool_calls SET result = ''other'' WHERE id = ''k1''', 'tool_calls: '),
  ('UPDATE tool_calls SET status = ''pending'' WHERE id = ''k1''', 'tool_calls'),
  ('UPDATE tool_calls SET status = ''completed'', result = ''late'' WHERE id = ''k2''',
      'tool_calls'),
  ('UPDATE tool_calls SET params = ''{"a":1}'' WHERE id = ''k2''', 'tool_calls: '),
  ('UPDATE tool_calls SET status = ''completed'', result = ''late'' WHERE id = ''kf''',
      'tool_calls'),
  ('UPDATE OR IGNORE tool_calls SET id = ''z'' WHERE id = ''k1''', 'tool_calls: '),
  ('UPDATE OR REPLACE tool_calls SET place = place + 1 WHERE id = ''k1''', 'tool_calls: '),
  ('DELETE FROM tool_calls WHERE id = ''k1''', 'tool_calls: '),
  ('DELETE FROM tool_calls', 'tool_calls: '),
  ('REPLACE INTO tool_calls(place, id, tool_name, status, started_at, params)
      SELECT place, id, tool_name, ''pending'', 1, ''{}'' FROM tool_calls WHERE id = ''k1''',
      'tool_calls'),
  ('INSERT INTO tool_calls(place, id, tool_name, status, started_at, params)
      VALUES (68719476736 + 9, ''new'', ''x'', ''pending'', 1, ''{}'')', 'tool_calls'),
  ('INSERT INTO tool_calls(place, id, tool_name, status, started_at, params) VALUES (5, ''new'',
      ''x'', ''pending'', 1, ''{}'')', 'tool_calls'),
  ('INSERT INTO tool_calls(place, id, tool_name, status, started_at, params) SELECT id << 12,
      ''new'', ''x'', ''pending'', 1, ''{}'' FROM turns WHERE external_id = ''running''',
      'tool_calls: written while their turn runs, each in a place that no message and no tool call '
      || 'has'),
  ('INSERT OR REPLACE INTO tool_calls(place, id, tool_name, status, started_at, params)
      SELECT id << 12, ''new'', ''x'', ''pending'', 1, ''{}'' FROM turns
      WHERE external_id = ''running''', 'tool_calls: '),
  -- branches
  ('UPDATE branches SET first_depth = 7 WHERE id = 1', 'branches: '),
  ('UPDATE branches SET jump_id = 1', 'branches: '),
  ('UPDATE branches SET id = 99 WHERE id = 1', 'branches: '),
  ('DELETE FROM branches WHERE id = 1', 'branches: '),
  ('DELETE FROM branches', 'branches: '),
  ('REPLACE INTO branches(id, first_depth, level) VALUES (1, 5, 0)', 'branches: '),
  ('INSERT OR IGNORE INTO branches(id, first_depth, level) VALUES (1, 5, 0)', 'branches: '),
  ('INSERT INTO branches(id, first_depth, level) VALUES (1, 5, 0) ON CONFLICT(id) DO UPDATE
      SET first_depth = 5', 'branches: '),
  ('INSERT INTO branches(id, first_depth, level) VALUES (0, 0, 0)',
      'branches: append-only, with an id from 1 to 134217727, each right below'),
  ('INSERT INTO branches(id, first_depth, level) VALUES (-1, 0, 0)', 'branches: '),
  ('INSERT INTO branches(id, first_depth, level) VALUES (134217728, 0, 0)', 'branches: '),
  ('INSERT INTO branches(id, first_depth, level) VALUES (9223372036854775807, 0, 0)',
      'branches: '),
  ('INSERT INTO branches(id, first_depth, level) VALUES (NULL, 0, 0)', 'branches: '),
  ('REPLACE INTO branches(id, first_depth, level) VALUES (134217728, 0, 0)', 'branches: '),
  -- compactions
  ('UPDATE compactions SET summary = ''other''', 'compactions: '),
  ('UPDATE compactions SET first_kept_turn_id = NULL', 'compactions: '),
  ('DELETE FROM compactions', 'compactions: '),
  ('REPLACE INTO compactions SELECT * FROM compactions', 'compactions: '),
  ('INSERT OR IGNORE INTO compactions SELECT * FROM compactions', 'compactions: '),
  -- session_history
  ('UPDATE session_history SET reason = ''other''', 'session_history: '),
  ('UPDATE session_history SET changed_at = 0 WHERE id = 1', 'session_history: '),
  ('DELETE FROM session_history WHERE id = 1', 'session_history: '),
  ('DELETE FROM session_history', 'session_history: '),
  ('REPLACE INTO session_history SELECT * FROM session_history', 'session_history: '),
  ('INSERT OR IGNORE INTO session_history SELECT * FROM session_history', 'session_history: '),
  -- heads
  ('UPDATE sessions SET thread_id = 99 WHERE label = ''a''', 'sessions.thread_id: '),
  ('UPDATE sessions SET thread_id = (SELECT id FROM turns WHERE external_id = ''failed'')',
      'sessions.thread_id: '),
  ('UPDATE sessions SET thread_id = (SELECT id FROM turns WHERE external_id = ''running'')',
      'sessions.thread_id: '),
  ('UPDATE sessions SET thread_id = 1 << 24', 'sessions.thread_id: '),
  ('UPDATE sessions SET thread_id = NULL WHERE label = ''a''', 'sessions.thread_id: '),
  ('UPDATE OR IGNORE sessions SET thread_id = 99', 'sessions.thread_id: '),
  ('INSERT INTO session_history(session_label, thread_id, changed_at, reason) VALUES (''a'', 99, 1,
      ''rewind'')', 'session_history: '),
  ('INSERT INTO session_history(session_label, thread_id, changed_at, reason) SELECT ''a'', id, 1,
      ''rewind'' FROM turns WHERE external_id = ''failed''', 'session_history: '),
  ('INSERT INTO sessions(label, created_at, updated_at, last_activity)
      VALUES (''a'', 1, 1, 1) ON CONFLICT(label) DO UPDATE SET thread_id = 99', 'sessions'),
  ('INSERT INTO sessions(label, created_at, updated_at, last_activity, thread_id)
      VALUES (''new'', 1, 1, 1, 99)', 'sessions'),
  -- STRICT tables
  ('INSERT INTO messages(place, role, created_at, content) VALUES (''x'', ''user'', 1, ''x'')',
      '%'),
  ('INSERT INTO branches(id, first_depth, level) VALUES (99, ''deep'', 0)', '%');

SELECT statement, ifnull(substr(error_of(statement), 1, length(replace(message, '%', ''))),
  '(it was not refused)'), replace(message, '%', '') FROM try;
SELECT 'refused: ' || statement, error_of(statement) IS NOT NULL, 1 FROM try;
SELECT 'recursive_triggers make no difference', substr(error_of('PRAGMA recursive_triggers = ON;
  REPLACE INTO messages(place, role, created_at, content)
  VALUES (68719476736, ''user'', 1, ''x'')'), 1, 10), 'messages: ';
PRAGMA recursive_triggers = OFF;

---- Without the extension's word for it, a running turn's rows may change

CREATE TEMP TABLE free(statement);
INSERT INTO free VALUES
  ('UPDATE turns SET phase = ''streaming'' WHERE external_id = ''running'''),
  ('UPDATE turns SET model = ''other'', input_tokens = 5 WHERE external_id = ''running'''),
  ('UPDATE tool_calls SET status = ''completed'', result = ''r'', completed_at = 5
      WHERE id = ''kr'''),
  ('UPDATE turns SET status = status, model = model WHERE external_id = ''running'''),
  ('UPDATE messages SET content = ''other'' WHERE place >> 12 = (SELECT id FROM turns
      WHERE external_id = ''running'')');
INSERT INTO free VALUES
  ('INSERT INTO messages(place, role, created_at, content) SELECT (id << 12) + 4000, ''user'', 1,
      ''x'' FROM turns WHERE external_id = ''running'''),
  ('INSERT INTO tool_calls(place, id, tool_name, status, started_at, params)
      SELECT (id << 12) + 4001, ''free'', ''x'', ''pending'', 1, ''{}'' FROM turns
      WHERE external_id = ''running''');
SELECT 'allowed: ' || statement, error_of(statement), NULL FROM free;
SELECT 'a branch of the largest id is allowed', error_of('SAVEPOINT a;
  INSERT INTO branches(id, first_depth, level) VALUES (134217727, 0, 0); ROLLBACK TO a; RELEASE a'),
  NULL;
SELECT 'a call that has its result keeps it, also in a running turn', substr(error_of(
  'UPDATE tool_calls SET result = ''other'' WHERE id = ''kr2'''), 1, 10), 'tool_calls';
SELECT 'the run goes on', turn_message(turn, token, '{"role":"assistant","content":"on"}') > 0, 1
  FROM live WHERE name = 'running';
SELECT 'and completes', json_valid(turn_complete(turn, token, '{"content":"done"}')), 1
  FROM live WHERE name = 'running';
SELECT 'afterwards its rows are kept', substr(error_of(
  'UPDATE turns SET model = ''x'' WHERE external_id = ''running'''), 1, 5), 'turns';

-- A running turn can't push another one out by taking its name.
INSERT INTO turnstile VALUES
  ('turn_append', '["z",[{"role":"user","content":"x"}],{"external_id":"z1"}]'),
  ('turn_begin', '["z","A1",{"messages":[{"role":"user","content":"q"}],"external_id":"z2"}]');
SELECT 'taking another turn''s name', error_of(
  'UPDATE OR REPLACE turns SET external_id = ''z1'' WHERE external_id = ''z2''') IS NOT NULL, 1;
SELECT 'both turns are there', (SELECT count(*) FROM turns JOIN sessions ON label = 'z'
  WHERE turns.id IN (thread_id, thread_id + 1)), 2;

---- The guards are closed, and none is forgotten here

SELECT 'no file is left unguarded', (SELECT count(*) FROM turnstile_meta
  WHERE key = 'unguarded'), 0;
CREATE TEMP TABLE guard AS
  SELECT name, substr(sql, instr(sql, 'RAISE(FAIL, ''') + 13) AS message FROM sqlite_schema
  WHERE type = 'trigger' AND sql LIKE '%RAISE(FAIL%' AND (tbl_name IN ('turns', 'messages',
    'tool_calls', 'branches', 'compactions', 'session_history') OR sql LIKE '%thread_id%');
SELECT 'tried: ' || name, (SELECT count(*) > 0 FROM try AS t WHERE error_of(t.statement)
  LIKE rtrim(substr(guard.message, 1, instr(guard.message, '''') - 1)) || '%'), 1 FROM guard;
SELECT 'every table of the tree is guarded: ' || value, (SELECT count(*) FROM sqlite_schema
  WHERE type = 'trigger' AND tbl_name = value AND sql LIKE '%BEFORE INSERT%') > 0
  AND (SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = value
    AND sql LIKE '%BEFORE UPDATE%') > 0
  AND (SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = value
    AND sql LIKE '%BEFORE DELETE%') > 0, 1
  FROM json_each('["turns","messages","tool_calls","branches","compactions","session_history"]');
