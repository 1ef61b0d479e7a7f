-- delete.sql - session_delete. tests/care/delete_model.py works out which turns have to stay.

SELECT turnstile_install();
SELECT turnstile_config('keeps_turns', 0); -- the hosts of these stories keep no turns
SELECT turnstile_clock(1000000);

CREATE TEMP VIEW t(name, id) AS
  SELECT external_id, id FROM turns WHERE external_id IS NOT NULL;
CREATE TEMP VIEW left_over(names) AS
  SELECT group_concat(name) FROM (SELECT name FROM t ORDER BY id);
CREATE TEMP VIEW path(label, names) AS SELECT label, (SELECT group_concat(
  ifnull(external_id, turn_type)) FROM turn_path(s.label)) FROM sessions AS s ORDER BY label;
CREATE TEMP VIEW rows(name, n) AS
  SELECT 'sessions', count(*) FROM sessions UNION ALL
  SELECT 'session_aliases', count(*) FROM session_aliases UNION ALL
  SELECT 'tasks', count(*) FROM tasks UNION ALL SELECT 'steps', count(*) FROM steps UNION ALL
  SELECT 'objects', count(*) FROM objects UNION ALL
  SELECT 'observations', count(*) FROM observations UNION ALL
  SELECT 'edges', count(*) FROM edges UNION ALL SELECT 'commits', count(*) FROM commits UNION ALL
  SELECT 'session_events', count(*) FROM session_events UNION ALL
  SELECT 'session_runs', count(*) FROM session_runs UNION ALL
  SELECT 'session_queue', count(*) FROM session_queue UNION ALL
  SELECT 'deliveries', count(*) FROM deliveries UNION ALL
  SELECT 'turnstile_config', count(*) FROM turnstile_config UNION ALL
  SELECT 'branches', count(*) FROM branches UNION ALL SELECT 'turns', count(*) FROM turns UNION ALL
  SELECT 'messages', count(*) FROM messages UNION ALL
  SELECT 'tool_calls', count(*) FROM tool_calls UNION ALL
  SELECT 'compactions', count(*) FROM compactions UNION ALL
  SELECT 'session_history', count(*) FROM session_history;
CREATE TEMP TABLE was(name, n);
CREATE TEMP TABLE report(name PRIMARY KEY, r);
CREATE TEMP TABLE run(name PRIMARY KEY, r);

-- A plain turn.
CREATE TEMP VIEW say(label, name) AS SELECT NULL, NULL WHERE 0;
CREATE TEMP TRIGGER say_it INSTEAD OF INSERT ON say BEGIN
  INSERT INTO turnstile VALUES ('turn_append', json_array(NEW.label,
    json_array(json_object('role', 'user', 'content', NEW.name)), json_object('external_id',
    NEW.name)));
END;
-- A fork of a turn by its name.
CREATE TEMP VIEW leave(name, label) AS SELECT NULL, NULL WHERE 0;
CREATE TEMP TRIGGER leave_it INSTEAD OF INSERT ON leave BEGIN
  INSERT INTO turnstile SELECT 'session_fork', json_array(id, NEW.label) FROM t
  WHERE name = NEW.name;
END;

---- Everything that is a session's

INSERT INTO turnstile VALUES
  ('session_deliver', '["keep","port the parser",{"class":"NewTask"}]'),
  ('session_observe', '["keep","FileRead","a.c","shared text"]');
INSERT INTO say VALUES ('keep', 'k1');
INSERT INTO was SELECT * FROM rows;
INSERT INTO turnstile VALUES
  ('session_deliver', '["s","add retries",{"class":"NewTask","message_id":"m1"}]'),
  ('session_observe', '["s","FileRead","a.c","shared text"]'),
  ('session_observe', '["s","FileWrite","b.c","own text"]'),
  ('session_observe', '["s","FileWrite","b.c","own text"]'),
  ('session_relate', '["s","file:a.c","DependsOn","file:b.c"]'),
  ('session_flush', '["s"]'),
  ('turnstile_config', '["ask_threshold","1h",{"session":"s"}]');
INSERT INTO turnstile VALUES ('turn_append', '["s",[{"role":"user","content":"go"},
  {"role":"assistant","tool_calls":[{"id":"c1","name":"ls","result":"a"},
  {"id":"c2","name":"cat"}]}],{"external_id":"s1"}]');
INSERT INTO say VALUES ('s', 's2'), ('s', 's3');
INSERT INTO turnstile VALUES ('turn_compact', '["s","They talked.",{"keep_turns":1}]');
INSERT INTO turnstile VALUES ('session_compact', '["s","Retries added"]'),
  ('session_deliver', '["s","and log them",{"class":"NewTask"}]'),
  ('queue_push', '["s","one more",{"source":"timer"}]');
INSERT INTO run SELECT 's', turn_begin('s', 'host', '{"messages":[{"role":"user","content":"x"}]}');
INSERT INTO turnstile SELECT 'turn_message', json_array(r ->> '$.turn', r ->> '$.token',
  json('{"role":"assistant","content":"half"}')) FROM run WHERE name = 's';
INSERT INTO turnstile SELECT 'turn_fail', json_array(r ->> '$.turn', r ->> '$.token', 'boom')
  FROM run WHERE name = 's';
INSERT INTO session_aliases VALUES ('old name', 's', 'manual', 0), ('other', 's', 'manual', 0),
  ('kept', 'keep', 'manual', 0);
INSERT INTO observations(session_label, kind, hash, object_id, created_at, data)
  SELECT 's', 'Note', 'x', id, 0, '{}' FROM objects WHERE data = 'own text';
INSERT INTO report SELECT 'dry', session_delete('s', '{"dry_run":1}');
SELECT 'a dry run counts', (SELECT r FROM report WHERE name = 'dry'),
  '{"dry_run":true,"session":"s","status":"active","turns":5,"turns_shared":0,"messages":5,'
  || '"tool_calls":2,"compactions":1,"tasks":2,"steps":'
  || (SELECT count(*) FROM steps WHERE task_id IN (SELECT id FROM tasks WHERE session_label = 's'))
  || ',"commits":1,"observations":'
  || (SELECT count(*) FROM observations WHERE session_label = 's')
  || ',"edges":1,"objects":1,"events":'
  || (SELECT count(*) FROM session_events WHERE session_label = 's')
  || ',"history":4,"deliveries":3,"queue":3,"waiting":2,"aliases":2,"settings":1,"merged":0,'
  || '"workers":0,"live_run":false}';
SELECT 'and changes nothing', (SELECT group_concat(name || n) FROM rows), (SELECT group_concat(name
  || CASE name WHEN 'sessions' THEN n + 1 WHEN 'session_aliases' THEN n + 3 ELSE (SELECT n FROM rows
  AS r WHERE r.name = was.name) END) FROM was);
INSERT INTO report SELECT 'real', session_delete('s');
SELECT 'the report is that of the dry run', (SELECT json_set(r, '$.dry_run', json('true'))
  FROM report WHERE name = 'real'), (SELECT r FROM report WHERE name = 'dry');
SELECT 'every table is as it was: ' || name, r.n, was.n + (name = 'session_aliases')
  FROM rows AS r JOIN was USING (name);
SELECT 'what another one has seen stays', (SELECT group_concat(data) FROM objects), 'shared text';
SELECT 'its alias is free', (SELECT group_concat(alias) FROM session_aliases), 'kept';
SELECT 'the guards are closed', (SELECT count(*) FROM turnstile_meta WHERE key = 'unguarded'), 0;
SELECT 'so turns are kept', error_of('DELETE FROM turns'), 'turns: rows are kept';
SELECT 'the other one goes on', (SELECT group_concat(content) FROM session_context('keep')), 'k1';
INSERT INTO say VALUES ('keep', 'k2');
SELECT 'its path', names, 'k1,k2' FROM path WHERE label = 'keep';
SELECT 'again', error_of('SELECT session_delete(''s'')'),
  'session_delete: there is no session ''s''';
SELECT 'again, dry', error_of('SELECT session_delete(''s'', ''{"dry_run":1}'')'),
  'session_delete: there is no session ''s''';

---- The label once more; no id is used twice

SELECT 'a fresh session', session_deliver('s', 'add retries', '{"message_id":"m1 again"}')
  ->> '$.duplicate', NULL;
SELECT 'without a thread', (SELECT thread_id FROM sessions WHERE label = 's'), NULL;
SELECT 'nothing is saved or told', (SELECT count(*) FROM commits WHERE session_label = 's'), 0;
INSERT INTO say VALUES ('s', 's1');
SELECT 'its branch is a new one', (SELECT id >> 24 > max(2, (SELECT r ->> '$.turn' FROM run) >> 24)
  FROM t WHERE name = 's1'), 1;
INSERT INTO turnstile VALUES ('session_delete', '["s"]');

-- A process that has lost its session writes nowhere.
INSERT INTO run SELECT 'lost', turn_begin('fence', 'host',
  '{"messages":[{"role":"user","content":"a"}]}');
INSERT INTO turnstile VALUES ('session_delete', '["fence",{"force":1}]');
INSERT INTO run SELECT 'new', turn_begin('fence', 'host2',
  '{"messages":[{"role":"user","content":"b"}]}');
SELECT 'tokens grow on', (SELECT group_concat(r ->> '$.token') FROM run
  WHERE name IN ('lost', 'new')), '2,3';
SELECT 'the turn is another', (SELECT count(DISTINCT r ->> '$.turn') FROM run
  WHERE name IN ('lost', 'new')), 2;
SELECT 'so it is refused', error_of(printf('SELECT turn_complete(%d, 1, ''{"content":"x"}'')',
  r ->> '$.turn')), 'turn_complete: there is no turn ' || (r ->> '$.turn')
  FROM run WHERE name = 'lost';
INSERT INTO turnstile VALUES ('session_delete', '["fence",{"force":1}]');

---- Turns that others can reach

-- a: a1 a2 a3 a4; b leaves at a2: b1 b2; c leaves at b1: c1; d at a4, the end.
INSERT INTO say VALUES ('a', 'a1'), ('a', 'a2'), ('a', 'a3'), ('a', 'a4');
INSERT INTO leave VALUES ('a2', 'b');
INSERT INTO say VALUES ('b', 'b1'), ('b', 'b2');
INSERT INTO leave VALUES ('b1', 'c');
INSERT INTO say VALUES ('c', 'c1');
SELECT 'the middle of three', (SELECT json_array(r ->> '$.turns', r ->> '$.turns_shared',
  r ->> '$.messages') FROM (SELECT session_delete('b') AS r)), '[1,3,1]';
SELECT 'what it had alone is gone', names, 'k1,k2,a1,a2,a3,a4,b1,c1' FROM left_over;
SELECT 'the paths: ' || label, names, iif(label = 'a', 'a1,a2,a3,a4', 'a1,a2,b1,c1') FROM path
  WHERE label IN ('a', 'c');
SELECT 'then the first', (SELECT json_array(r ->> '$.turns', r ->> '$.turns_shared') FROM
  (SELECT session_delete('a') AS r)), '[2,2]';
SELECT 'the path of the last', names, 'a1,a2,b1,c1' FROM path WHERE label = 'c';
SELECT 'its context', (SELECT group_concat(content) FROM session_context('c')), 'a1,a2,b1,c1';
INSERT INTO leave VALUES ('a2', 'e');
INSERT INTO say VALUES ('e', 'e1');
SELECT 'the place of a3 stays empty', (SELECT group_concat(id & 16777215) FROM t
  WHERE name IN ('a2', 'e1')) || (SELECT count(DISTINCT id >> 24) FROM t
  WHERE name IN ('a2', 'e1')), '1,22';
SELECT 'the tree below a1', (SELECT group_concat(external_id) FROM turn_tree((SELECT id FROM t
  WHERE name = 'a1'))), 'a1,a2,b1,c1,e1';
INSERT INTO turnstile VALUES ('session_delete', '["c"]');
SELECT 'only e is left', names, 'k1,k2,a1,a2,e1' FROM left_over;
INSERT INTO turnstile VALUES ('session_delete', '["e"]');
SELECT 'nothing of them', names, 'k1,k2' FROM left_over;
SELECT 'no branch of them', (SELECT count(*) FROM branches), 1;

-- In either order.
CREATE TEMP TABLE two(first, second);
INSERT INTO two VALUES ('x', 'y'), ('y', 'x');
CREATE TEMP VIEW both(first, second) AS SELECT NULL, NULL WHERE 0;
CREATE TEMP TABLE seen(what);
CREATE TEMP TRIGGER both_go INSTEAD OF INSERT ON both BEGIN
  INSERT INTO say VALUES ('x', 'x1'), ('x', 'x2');
  INSERT INTO leave VALUES ('x2', 'y');
  INSERT INTO say VALUES ('y', 'y1'), ('x', 'x3'), ('y', 'y2');
  INSERT INTO turnstile VALUES ('session_delete', json_array(NEW.first));
  INSERT INTO seen SELECT NEW.first || ': ' || names FROM left_over;
  INSERT INTO turnstile VALUES ('session_delete', json_array(NEW.second));
  INSERT INTO seen SELECT NEW.second || ': ' || names FROM left_over;
END;
INSERT INTO both SELECT * FROM two;
SELECT 'both in either order', (SELECT group_concat(what, '; ') FROM seen),
  'x: k1,k2,x1,x2,y1,y2; y: k1,k2; y: k1,k2,x1,x2,x3; x: k1,k2';

-- A fork at the end that has said nothing, a rewound head, and a head that was moved back.
INSERT INTO say VALUES ('a', 'a1'), ('a', 'a2'), ('a', 'a3');
INSERT INTO leave VALUES ('a3', 'd');
SELECT 'all of it is shared', (SELECT json_array(r ->> '$.turns', r ->> '$.turns_shared') FROM
  (SELECT session_delete('a') AS r)), '[0,3]';
SELECT 'the fork has it', names, 'a1,a2,a3' FROM path WHERE label = 'd';
INSERT INTO say VALUES ('d', 'd1');
SELECT 'and goes on in the branch', (SELECT count(DISTINCT id >> 24) FROM t
  WHERE name IN ('a1', 'd1')), 1;
INSERT INTO leave VALUES ('d1', 'g');
INSERT INTO turnstile SELECT 'session_rewind', json_array('g', id) FROM t WHERE name = 'a1';
INSERT INTO turnstile VALUES ('session_delete', '["d"]');
SELECT 'where its head was before stays', names, 'k1,k2,a1,a2,a3,d1' FROM left_over;
SELECT 'its head', names, 'a1' FROM path WHERE label = 'g';
INSERT INTO turnstile VALUES ('session_delete', '["g"]');

-- Below a turn of somebody else, by the option parent.
INSERT INTO say VALUES ('a', 'a1'), ('a', 'a2'), ('a', 'a3');
INSERT INTO turnstile VALUES ('turn_append', '["p",[{"role":"user","content":"p1"}],
  {"parent":"a2","external_id":"p1"}]');
INSERT INTO turnstile VALUES ('session_delete', '["a"]');
SELECT 'what hangs below keeps it', names, 'k1,k2,a1,a2,p1' FROM left_over;
INSERT INTO turnstile VALUES ('session_delete', '["p"]');

---- Compactions

-- On the path: the fork's context begins with it.
INSERT INTO say VALUES ('a', 'a1'), ('a', 'a2'), ('a', 'a3');
INSERT INTO turnstile VALUES ('turn_compact', '["a","Summary.",{"keep_turns":1}]');
INSERT INTO say VALUES ('a', 'a4'), ('a', 'a5');
INSERT INTO leave VALUES ('a4', 'b');
INSERT INTO turnstile VALUES ('session_delete', '["a"]');
SELECT 'a summary that is needed', (SELECT group_concat(content) FROM session_context('b')),
  'Summary.,a3,a4';
SELECT 'and all before it', names, 'a1,a2,a3,compaction,a4' FROM path WHERE label = 'b';
INSERT INTO turnstile VALUES ('session_delete', '["b"]');
SELECT 'without b it goes', (SELECT count(*) FROM compactions), 0;

-- For a running turn: it stands beside the turn, and no head was ever there.
INSERT INTO say VALUES ('a', 'a1'), ('a', 'a2');
INSERT INTO run SELECT 'beside', turn_begin('a', 'host',
  '{"messages":[{"role":"user","content":"more"}],"external_id":"a3"}');
INSERT INTO turnstile SELECT 'turn_compact', json_array('a', 'Beside.', json_object('turn',
  r ->> '$.turn', 'token', r ->> '$.token', 'keep_turns', 1)) FROM run WHERE name = 'beside';
INSERT INTO turnstile SELECT 'turn_complete', json_array(r ->> '$.turn', r ->> '$.token',
  json('{"content":"done"}')) FROM run WHERE name = 'beside';
INSERT INTO leave VALUES ('a3', 'b');
INSERT INTO turnstile VALUES ('session_delete', '["a"]');
SELECT 'it stays with its turn', (SELECT group_concat(content) FROM session_context('b')),
  'Beside.,a2,more,done';
SELECT 'two branches', (SELECT count(*) FROM branches), 3;
INSERT INTO turnstile VALUES ('session_delete', '["b"]');
SELECT 'and goes with it', (SELECT count(*) FROM compactions) || names, '0k1,k2' FROM left_over;
SELECT 'its branch too', (SELECT count(*) FROM branches), 1;

-- The same, and somebody has forked the compaction itself.
INSERT INTO say VALUES ('a', 'a1'), ('a', 'a2');
INSERT INTO run SELECT 'again', turn_begin('a', 'host',
  '{"messages":[{"role":"user","content":"more"}],"external_id":"a3"}');
INSERT INTO turnstile SELECT 'turn_compact', json_array('a', 'Beside.', json_object('turn',
  r ->> '$.turn', 'token', r ->> '$.token', 'keep_turns', 1)) FROM run WHERE name = 'again';
INSERT INTO turnstile SELECT 'session_fork', json_array(turn_id, 'b') FROM compactions;
INSERT INTO turnstile VALUES ('session_delete', '["a",{"force":1}]');
SELECT 'it stays, its turn does not', (SELECT group_concat(content) FROM session_context('b'))
  || names, 'Beside.,a2k1,k2,a1,a2' FROM left_over;
SELECT 'and forgets it', (SELECT group_concat(quote(recovered_turn_id)) FROM compactions), 'NULL';
INSERT INTO turnstile VALUES ('session_delete', '["b"]');
SELECT 'then all goes', (SELECT count(*) FROM compactions) || names, '0k1,k2' FROM left_over;

---- Failed turns

INSERT INTO say VALUES ('a', 'a1');
INSERT INTO run SELECT 'fails', turn_begin('a', 'host',
  '{"messages":[{"role":"user","content":"try"}],"external_id":"a2"}');
INSERT INTO turnstile SELECT 'turn_message', json_array(r ->> '$.turn', r ->> '$.token',
  json('{"role":"assistant","content":"half"}')) FROM run WHERE name = 'fails';
INSERT INTO turnstile SELECT 'turn_fail', json_array(r ->> '$.turn', r ->> '$.token', 'boom')
  FROM run WHERE name = 'fails';
INSERT INTO run SELECT 'empty', turn_begin('z', 'host',
  '{"messages":[{"role":"user","content":"try"}],"external_id":"z1"}');
INSERT INTO turnstile SELECT 'turn_fail', json_array(r ->> '$.turn', r ->> '$.token', 'boom')
  FROM run WHERE name = 'empty';
SELECT 'a failed turn goes', (SELECT json_array(r ->> '$.turns', r ->> '$.turns_shared') FROM
  (SELECT session_delete('z') AS r)), '[1,0]';
INSERT INTO say VALUES ('a', 'a3'), ('a', 'a4');
INSERT INTO leave VALUES ('a3', 'b');
INSERT INTO turnstile VALUES ('session_delete', '["a"]');
SELECT 'what the fork''s context shows of it stays', (SELECT group_concat(content)
  FROM session_context('b')) || ' ' || names, 'a1,try,half,a3 k1,k2,a1,a2,a3' FROM left_over;
INSERT INTO turnstile VALUES ('session_delete', '["b"]');
SELECT 'and goes with the fork', names, 'k1,k2' FROM left_over;

-- The other way round: the fork goes first, and takes nothing along.
INSERT INTO say VALUES ('a', 'a1');
INSERT INTO run SELECT 'fails again', turn_begin('a', 'host',
  '{"messages":[{"role":"user","content":"try"}],"external_id":"a2"}');
INSERT INTO turnstile SELECT 'turn_message', json_array(r ->> '$.turn', r ->> '$.token',
  json('{"role":"assistant","content":"half"}')) FROM run WHERE name = 'fails again';
INSERT INTO turnstile SELECT 'turn_fail', json_array(r ->> '$.turn', r ->> '$.token', 'boom')
  FROM run WHERE name = 'fails again';
INSERT INTO say VALUES ('a', 'a3');
INSERT INTO leave VALUES ('a3', 'b');
INSERT INTO turnstile VALUES ('session_delete', '["b"]');
SELECT 'the first has it all', (SELECT group_concat(content) FROM session_context('a')),
  'a1,try,half,a3';
INSERT INTO turnstile VALUES ('session_delete', '["a"]');
SELECT 'until it goes', names, 'k1,k2' FROM left_over;

---- Refused

INSERT INTO run SELECT 'live', turn_begin('live', 'host',
  '{"messages":[{"role":"user","content":"x"}],"lease":"1m"}');
SELECT 'a live run', error_of('SELECT session_delete(''live'')'), 'session_delete: session ''live'''
  || ' is busy: ''host'' executes it, with a lease until 1060000; force stops it';
SELECT 'is still there', (SELECT run_state FROM session_runs WHERE session_label = 'live'),
  'starting';
SELECT 'a dry run says so', session_delete('live', '{"dry_run":1}') ->> '$.live_run', 1;
SELECT 'a lease that has run out is none', (SELECT session_delete('live', '{"now":1060001}')
  ->> '$.turns'), 1;
INSERT INTO turnstile VALUES ('session_start', '["boss","big work"]'),
  ('session_spawn', '["boss","count",{"label":"w1"}]'),
  ('session_spawn', '["boss","count more",{"label":"w2"}]'),
  ('session_spawn', '["w1","count less",{"label":"w3"}]');
SELECT 'workers', error_of('SELECT session_delete(''boss'')'),
  'session_delete: session ''boss'' has 2 workers at work; force stops them';
INSERT INTO turnstile VALUES ('session_report', '["w2","completed","two"]');
SELECT 'one of them', error_of('SELECT session_delete(''boss'')'),
  'session_delete: session ''boss'' has 1 worker at work; force stops it';
SELECT 'an option', error_of('SELECT session_delete(''boss'', ''{"hard":1}'')'),
  'session_delete: unknown option ''hard''; it takes: dry_run, force, now, request_id';
SELECT 'no label', error_of('SELECT session_delete()'), 'session_delete: label is missing';
INSERT INTO run SELECT 'w1', turn_begin('w1', 'host');
SELECT 'with force', session_delete('boss', '{"force":1}') ->> '$.workers', 1;
SELECT 'they are stopped, at every level', (SELECT group_concat(label || ' ' || task_status || ' '
  || (open_task_id IS NULL)) FROM sessions WHERE is_subagent = 1), 'w1 failed 1,w2 completed 1,'
  || 'w3 failed 1';
SELECT 'the run of one is fenced', error_of(printf('SELECT turn_heartbeat(%d, %d)',
  r ->> '$.turn', r ->> '$.token')) GLOB 'turn_heartbeat: turn * is aborted: the session that '
  || 'spawned it was deleted; *', 1 FROM run WHERE name = 'w1';
SELECT 'they forget the name', (SELECT group_concat(worker) FROM session_workers
  WHERE parent_session_label IS NULL), 'w1,w2';
SELECT 'their reports go nowhere', session_report('w2', 'completed', 'two'), NULL;
SELECT 'and no session was made', (SELECT count(*) FROM sessions WHERE label = 'boss'), 0;
INSERT INTO turnstile VALUES ('session_start', '["boss","something else"]');
SELECT 'nor to another session of the name', session_report('w2', 'completed', 'two'), NULL;
SELECT session_delete('boss');

-- A worker is deleted, and another one gets its name.
INSERT INTO turnstile VALUES ('session_spawn', '["keep","count",{"label":"counter"}]'),
  ('session_report', '["counter","completed","12"]'), ('session_delete', '["counter"]'),
  ('session_spawn', '["keep","count again",{"label":"counter"}]'),
  ('session_report', '["counter","completed","13"]');
SELECT 'both reports are there', (SELECT group_concat(message) FROM session_queue
  WHERE session_label = 'keep' AND sender = 'counter'), '12,13';

-- Spawned by a turn that goes.
INSERT INTO run SELECT 'spawns', turn_begin('boss', 'host',
  '{"messages":[{"role":"user","content":"x"}]}');
INSERT INTO turnstile VALUES ('session_spawn', '["boss","count",{"label":"child"}]'),
  ('session_delete', '["boss",{"force":1}]');
SELECT 'the worker forgets the turn', (SELECT json_array(parent_session_label, parent_turn_id)
  FROM sessions WHERE label = 'child'), '[null,null]';

---- Merged sessions, and aliases

INSERT INTO say VALUES ('primary', 'm1'), ('second', 'm2'), ('third', 'm3');
UPDATE sessions SET superseded_by = 'primary' WHERE label IN ('second', 'third');
SELECT 'merged sessions', error_of('SELECT session_delete(''primary'')'), 'session_delete: 2 '
  || 'sessions were merged into session ''primary'' (''second'', …); force parts them';
SELECT 'a merged one by its own name', (SELECT json_array(r ->> '$.session', r ->> '$.turns')
  FROM (SELECT session_delete('third') AS r)), '["third",1]';
SELECT 'one merged session', error_of('SELECT session_delete(''primary'')'), 'session_delete: 1 '
  || 'session was merged into session ''primary'' (''second''); force parts them';
SELECT 'with force', session_delete('primary', '{"force":1}') ->> '$.merged', 1;
SELECT 'the other one stands by itself', (SELECT json_array(superseded_by, label) FROM sessions
  WHERE label = 'second'), '[null,"second"]';
INSERT INTO say VALUES ('second', 'm4');
SELECT 'and goes on', names, 'm2,m4' FROM path WHERE label = 'second';
INSERT INTO session_aliases VALUES ('nick', 'second', 'manual', 0);
SELECT 'by an alias', session_delete('nick') ->> '$.session', 'second';
SELECT 'which is gone', (SELECT count(*) FROM session_aliases WHERE alias = 'nick'), 0;

---- States

INSERT INTO turnstile VALUES ('session_start', '["asking","x"]'),
  ('session_note', '["asking","n"]'),
  ('session_transition', '["asking","AwaitingUser",{"question":"A or B?"}]'),
  ('session_deliver', '["choice","add retries",{"class":"NewTask"}]'),
  ('session_note', '["choice","n"]'),
  ('session_deliver', '["choice","write a poem",{"class":"NewTask"}]');
SELECT 'an open choice', (SELECT pending_choice IS NOT NULL FROM sessions
  WHERE label = 'choice'), 1;
INSERT INTO sessions(label, created_at, updated_at, last_activity) VALUES ('archived', 0, 0, 0);
UPDATE sessions SET status = 'archived', archived_at = 0 WHERE label = 'archived';
SELECT 'an open task, an open choice and an archived one', (SELECT group_concat(
  session_delete(label) ->> '$.status')
  FROM (SELECT value AS label FROM json_each('["asking","choice","archived"]'))),
  'active,active,archived';

---- The door, in a transaction, by request_id

INSERT INTO say VALUES ('door', 'd1'), ('door', 'd2');
INSERT INTO report SELECT 'sugar', session_delete('door', '{"dry_run":1}');
BEGIN;
INSERT INTO turnstile VALUES ('session_delete', '["door"]');
ROLLBACK;
SELECT 'rolled back', names, 'd1,d2' FROM path WHERE label = 'door';
SELECT 'by name', value_of('INSERT INTO turnstile VALUES (''session_delete'',
  ''{"label":"door","dry_run":true}'') RETURNING turnstile_result()'), (SELECT r FROM report
  WHERE name = 'sugar');
SELECT 'once', session_delete('door', '{"request_id":"del"}') ->> '$.turns', 2;
INSERT INTO say VALUES ('door', 'd3');
SELECT 'the same request once more', session_delete('door', '{"request_id":"del"}')
  ->> '$.turns', 2;
SELECT 'changes nothing', names, 'd3' FROM path WHERE label = 'door';

---- A prefix

SELECT turnstile_install('{"prefix":"agent_"}');
INSERT INTO agent_turnstile VALUES ('session_start', '["s","x"]'),
  ('session_observe', '["s","FileRead","a.c","text"]'),
  ('turn_append', '["s",[{"role":"user","content":"go"}]]'), ('session_fork', '[16777216,"f"]'),
  ('turn_append', '["s",[{"role":"user","content":"on"}]]'), ('session_delete', '["s"]');
SELECT 'what is left', (SELECT count(*) FROM agent_turns) || (SELECT count(*) FROM agent_sessions)
  || (SELECT count(*) FROM agent_objects) || (SELECT count(*) FROM agent_observations)
  || (SELECT count(*) FROM agent_tasks), '11000';
SELECT 'beside the other tables', (SELECT count(*) FROM sessions WHERE label = 'keep'), 1;

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;

---- A message that the platform sends once more

SELECT turnstile_clock(5000000000);
CREATE TEMP TABLE sent(name PRIMARY KEY, label, options);
INSERT INTO sent VALUES ('plain', 'gone', '{"message_id":"p1"}'), ('by an alias', 'gone nick', '{"message_id":"p2"}'),
  ('with a sender', 'gone', '{"message_id":"p3","channel":"c","sender":"x"}');
INSERT INTO turnstile SELECT 'session_deliver', json_array('gone', 'write ' || name, json(options)) FROM sent WHERE label = 'gone';
INSERT INTO turnstile VALUES ('session_alias', '["gone nick","gone"]');
INSERT INTO turnstile SELECT 'session_deliver', json_array('gone nick', 'write ' || name, json(options)) FROM sent WHERE label <> 'gone';
INSERT INTO turnstile VALUES ('queue_push', '["gone","push it",{"message_id":"p4"}]'), ('session_deliver', '["other gone","x",{"message_id":"q1"}]');
INSERT INTO turnstile VALUES ('session_delete', '["gone",{"force":1}]'), ('session_delete', '["other gone"]');
SELECT 'ids are kept, and no text of them', (SELECT json_array(count(*) >= 10, min(length(id)), max(length(id)), count(DISTINCT at) > 1) FROM deleted_messages), '[1,64,64,1]';
CREATE TEMP TABLE once AS SELECT name, session_deliver(label, 'write ' || name, options) AS d FROM sent;
SELECT name || ': once more', json_extract(d, '$.action', '$.duplicate', '$.message', '$.queue_id'),
  '["rejected",true,"The conversation that this message belonged to has been deleted.",null]' FROM once;
SELECT 'with an owner nothing begins', session_deliver('gone', 'write plain', '{"message_id":"p1","owner":"w"}') ->> '$.turn', NULL;
SELECT 'queue_push', queue_push('gone', 'push it', '{"message_id":"p4"}'), NULL;
SELECT 'nothing has come back to life', (SELECT count(*) FROM sessions WHERE label LIKE 'gone%'), 0;
-- Another id, another sender, another session's: messages of their own.
SELECT 'another id', session_deliver('gone', 'write', '{"message_id":"p9","class":"NewTask"}') ->> '$.action', 'start';
SELECT 'another sender', session_deliver('gone', 'write', '{"message_id":"p1","sender":"y","class":"Modification"}') ->> '$.action', 'continue';
SELECT 'another session', session_deliver('other', 'write', '{"message_id":"p1","class":"NewTask"}') ->> '$.action', 'start';
SELECT 'also in the new session it is over', session_deliver('gone', 'write plain', '{"message_id":"p1"}') ->> '$.duplicate', 1;
SELECT 'its own are known with their decision', session_deliver('gone', 'write', '{"message_id":"p9"}') ->> '$.first.action', 'start';
-- A merge: under the name of either, and what was merged in.
INSERT INTO turnstile VALUES ('session_deliver', '["dm:tg:7","one",{"message_id":"g1","class":"NewTask"}]'),
  ('session_deliver', '["dm:sms:7","two",{"message_id":"g2","class":"NewTask"}]'),
  ('identity_link', '["tg","7","ann"]'), ('identity_link', '["sms","7","ann"]');
SELECT 'they were merged', (SELECT count(*) FROM sessions WHERE superseded_by IS NOT NULL AND label LIKE 'dm:%:7'), 1;
INSERT INTO turnstile SELECT 'session_deliver', json_array(value, 'three', json_object('message_id', 'h' || key, 'class', 'Modification'))
  FROM json_each('["dm:tg:7","dm:sms:7","dm:ann"]');
CREATE TEMP TABLE gone AS SELECT superseded_by AS label FROM sessions WHERE superseded_by IS NOT NULL AND label LIKE 'dm:%:7';
INSERT INTO turnstile SELECT 'session_delete', json_array(label, json('{"force":1}')) FROM gone;
SELECT 'merged, ' || value || ': none runs again', session_deliver(value, 'three', json_object('message_id', 'h' || key)) ->> '$.duplicate', 1
  FROM json_each('["dm:tg:7","dm:sms:7","dm:ann"]');
-- They are forgotten after request_ttl, and not before.
SELECT session_sweep('{"now":5604800000}') IS NOT NULL;
SELECT 'to the last moment', session_deliver('gone', 'write plain', '{"message_id":"p1","now":5604800000}') ->> '$.duplicate', 1;
SELECT session_sweep('{"now":5604800001}') IS NOT NULL;
SELECT 'then it is a message', session_deliver('gone', 'write plain', '{"message_id":"p1","now":5604800001}') ->> '$.duplicate', NULL;
SELECT 'nothing of them is left', (SELECT count(*) FROM deleted_messages), 0;
SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || problem, char(10)) FROM turnstile_check), NULL;

---- A summary that the second attempt begins with

-- The first attempt failed on an overflow, and a fork goes on from the second one: it keeps the summary.
SELECT turn_append('sum', '[{"role":"user","content":"one"},{"role":"assistant","content":"1"}]') > 0;
SELECT turn_append('sum', '[{"role":"user","content":"two"},{"role":"assistant","content":"2"}]') > 0;
SELECT session_deliver('sum', 'three', '{"class":"Clarification","keeps_turns":1}') > '';
CREATE TEMP TABLE attempt AS SELECT turn_begin('sum', 'w') AS r;
SELECT turn_compact('sum', 'one was said', json_object('turn', r ->> '$.turn', 'token', r ->> '$.token',
  'trigger', 'overflow_recovery', 'keep_turns', 1)) > '' FROM attempt;
SELECT turn_fail(r ->> '$.turn', r ->> '$.token', 'too long all the same') > '' FROM attempt;
UPDATE attempt SET r = turn_begin('sum', 'w');
SELECT turn_complete(r ->> '$.turn', r ->> '$.token', '{"content":"3"}') > '' FROM attempt;
SELECT session_fork(r ->> '$.turn', 'sum fork') > '' FROM attempt;
CREATE TEMP TABLE shown AS SELECT group_concat(content, '|') AS text FROM session_context('sum fork');
SELECT 'the second attempt begins with the summary', text, 'one was said|two|2|three|3' FROM shown;
SELECT session_delete('sum', '{"force":1}') > '';
SELECT 'the fork keeps it', group_concat(content, '|'), (SELECT text FROM shown) FROM session_context('sum fork');
SELECT 'and the file is sound', (SELECT group_concat(rule || ' ' || problem, char(10)) FROM turnstile_check), NULL;
-- With the last one who begins with it, it goes.
SELECT session_delete('sum fork', '{"force":1}') > '';
SELECT 'then it goes', (SELECT count(*) FROM compactions WHERE summary = 'one was said'), 0;

---- A turn in the branch of one that goes, to which another one's run points alone: it runs, it has failed

CREATE TEMP TABLE shares(way TEXT PRIMARY KEY);
INSERT INTO shares VALUES ('runs'), ('fails'), ('alone');
INSERT INTO say SELECT 'of ' || way, way || value FROM shares, json_each('["1","2"]');
INSERT INTO leave SELECT way || '2', 'fork ' || way FROM shares;
INSERT INTO run SELECT 'shares ' || way, turn_begin('fork ' || way, 'w', json_object('messages', json_array(json_object('role', 'user', 'content', 'more')), 'external_id', way || '3')) FROM shares WHERE way <> 'alone';
SELECT turn_message(r ->> '$.turn', r ->> '$.token', '{"role":"assistant","content":"half"}') IS NOT NULL FROM run WHERE name LIKE 'shares %';
SELECT 'it lies in the branch of the other', (SELECT r ->> '$.turn' FROM run WHERE name = 'shares ' || way) >> 24, (SELECT id >> 24 FROM t WHERE name = way || '2') FROM shares WHERE way <> 'alone';
SELECT turn_fail(r ->> '$.turn', r ->> '$.token', 'boom') IS NOT NULL FROM run WHERE name = 'shares fails';
SELECT way || ': of the turns nothing goes', json_extract(session_delete('of ' || way), '$.turns', '$.turns_shared'), '[0,2]' FROM shares;
SELECT way || ': its turn is there', (SELECT count(*) FROM t WHERE name = way || '3'), way <> 'alone' FROM shares;
SELECT 'it is completed', error_of(printf('SELECT turn_complete(%d, %d, ''{"content":"done"}'')', r ->> '$.turn', r ->> '$.token')), NULL FROM run WHERE name = 'shares runs';
SELECT way || ': the context', (SELECT group_concat(content) FROM session_context('fork ' || way)), iif(way = 'runs', 'runs1,runs2,more,half,done', iif(way = 'fails', 'fails1,fails2,more,half', 'alone1,alone2')) FROM shares;
SELECT way || ': then all goes', session_delete('fork ' || way) ->> '$.turns', iif(way = 'alone', 2, 3) FROM shares;
SELECT 'nothing of them is left', (SELECT count(*) FROM t WHERE name GLOB 'runs?' OR name GLOB 'fails?' OR name GLOB 'alone?'), 0;
SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref || ' ' || problem) FROM turnstile_check), NULL;

---- What a row of another session alone points to stays with all before it, whoever has written the row

CREATE TEMP TABLE points(way TEXT PRIMARY KEY, sql);
INSERT INTO points VALUES ('history', 'INSERT INTO session_history(session_label, thread_id, changed_at, reason, event_id) SELECT ''points history'', %d, changed_at, reason, event_id FROM session_history LIMIT 1'),
  ('run', 'UPDATE session_runs SET turn_id = %d WHERE session_label = ''points run'''),
  ('failed run', 'UPDATE session_runs SET failed_turn_id = %d WHERE session_label = ''points failed run'''),
  ('failed input', 'UPDATE session_queue SET status = ''failed'', delivered_at = 1, turn_id = %d WHERE session_label = ''points failed input''');
INSERT INTO say SELECT 'to ' || way, way || value FROM points, json_each('["1","2","3"]');
INSERT INTO turnstile SELECT 'queue_push', json_array('points ' || way, 'x') FROM points;
INSERT INTO turnstile SELECT 'turn_begin', json_array('points ' || way, 'w') FROM points WHERE way LIKE '%run';
BEGIN;
SELECT way || ': it points to the second', error_of(printf(sql, (SELECT id FROM t WHERE name = way || '2'))), NULL FROM points;
SELECT way || ': the third goes alone', json_extract(session_delete('to ' || way), '$.turns', '$.turns_shared'), '[1,2]' FROM points;
SELECT way || ': the other two are there', (SELECT group_concat(name) FROM (SELECT name FROM t WHERE name GLOB way || '?' ORDER BY id)), way || '1,' || way || '2' FROM points;
ROLLBACK;
SELECT way || ': without it all three go', json_extract(session_delete('to ' || way), '$.turns', '$.turns_shared'), '[3,0]' FROM points;
