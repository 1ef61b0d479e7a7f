-- fork.sql - session_fork, session_rewind, session_usage and the view threads.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

CREATE TEMP TABLE made(name TEXT PRIMARY KEY, result TEXT);
CREATE TEMP VIEW t(name, id) AS
  SELECT external_id, id FROM turns WHERE external_id IS NOT NULL
  UNION ALL SELECT name, result ->> '$.turn' FROM made;
CREATE TEMP TABLE run(name TEXT PRIMARY KEY, r);
CREATE TEMP VIEW live(name, turn, token) AS SELECT name, r ->> '$.turn', r ->> '$.token' FROM run;
CREATE TEMP VIEW path(label, names) AS SELECT label, (SELECT group_concat(
  ifnull(external_id, turn_type)) FROM turn_path(s.label)) FROM sessions AS s ORDER BY label;

-- A plain turn of 10 tokens that used 5 + 2.
CREATE TEMP VIEW say(label, name) AS SELECT NULL, NULL WHERE 0;
CREATE TEMP TRIGGER say_it INSTEAD OF INSERT ON say BEGIN
  INSERT INTO turnstile VALUES ('turn_append', json_array(NEW.label,
    json_array(json_object('role', 'user', 'content', NEW.name)), json_object('external_id',
    NEW.name, 'tokens', 10, 'usage', json('{"input_tokens":5,"output_tokens":2}'))));
END;

---- The fork

INSERT INTO turnstile VALUES ('session_deliver', '["s","add retries",{"class":"NewTask",
  "persona":"ops"}]'), ('session_note', '["s","read"]');
INSERT INTO say VALUES ('s', 's1'), ('s', 's2'), ('s', 's3'), ('s', 's4');
INSERT INTO turnstile VALUES ('turn_append', '["s",[{"role":"user","content":"s5"}],
  {"external_id":"s5","tokens":10,"resume_cursor":"thread_1"}]');
CREATE TEMP TABLE was AS SELECT * FROM sessions WHERE label = 's';
CREATE TEMP TABLE turns_were AS SELECT json_group_array(json_array(id, started_at, completed_at,
  persona_id, thread_tokens)) AS rows FROM turns;
SELECT 'the label', session_fork((SELECT id FROM t WHERE name = 's3'), 'f', '{"now":2000000}'), 'f';
SELECT 'the session', (SELECT json_object('status', status, 'persona', persona_id, 'origin', origin,
    'head', thread_id = (SELECT id FROM t WHERE name = 's3'), 'cursor', resume_cursor, 'choice',
    pending_choice, 'task', open_task_id, 'created', created_at, 'activity', last_activity,
    'turns', turns, 'total', total_tokens, 'sub', is_subagent) FROM sessions WHERE label = 'f'),
  '{"status":"active","persona":"ops","origin":"fork","head":1,"cursor":null,"choice":null,'
  || '"task":null,"created":2000000,"activity":2000000,"turns":0,"total":0,"sub":0}';
SELECT 'its history', (SELECT group_concat(name || ' ' || reason || ' ' || changed_at)
  FROM session_history JOIN t ON t.id = thread_id WHERE session_label = 'f'), 's3 fork 2000000';
SELECT 'no task, no run, no queue', (SELECT count(*) FROM tasks WHERE session_label = 'f')
  + (SELECT count(*) FROM session_runs WHERE session_label = 'f')
  + (SELECT count(*) FROM session_queue WHERE session_label = 'f'), 0;
SELECT 'one event: it was made', (SELECT group_concat(axis || ' ' || ifnull(from_state, '') || '>'
  || to_state) FROM session_events WHERE session_label = 'f'), 'status >active';
SELECT 'no turn was copied', (SELECT rows = json_group_array(json_array(id, started_at,
    completed_at, persona_id, thread_tokens)) FROM turns, turns_were), 1;
SELECT 'the session it left is as it was', (SELECT count(*) FROM (SELECT * FROM was EXCEPT
  SELECT * FROM sessions WHERE label = 's')), 0;
SELECT 'the path', names, 's1,s2,s3' FROM path WHERE label = 'f';
SELECT 'no branch before there is a turn', (SELECT count(*) FROM branches), 1;
INSERT INTO say VALUES ('f', 'f1'), ('f', 'f2');
SELECT 'the first turn opens one', (SELECT json_array(id, parent_turn_id = (SELECT id FROM t
    WHERE name = 's3'), first_depth, level, jump_id) FROM branches WHERE id = 2), '[2,1,3,1,1]';
SELECT 'its turns', (SELECT group_concat(id) FROM turns WHERE external_id IN ('f1', 'f2')),
  (2 << 24 | 3) || ',' || (2 << 24 | 4);
SELECT 'both paths: ' || label, names, iif(label = 's', 's1,s2,s3,s4,s5', 's1,s2,s3,f1,f2')
  FROM path WHERE label IN ('s', 'f');
INSERT INTO say VALUES ('s', 's6');
SELECT 'the first goes on in its branch', (SELECT id FROM t WHERE name = 's6'), 1 << 24 | 5;

SELECT 'a fork at a head joins its branch when it is first', session_fork((SELECT id FROM t
  WHERE name = 's6'), 'g'), 'g';
INSERT INTO say VALUES ('g', 'g1'), ('s', 's7');
SELECT 'and the other opens one', (SELECT json_array(id - (SELECT id FROM t WHERE name = 's6'))
  FROM t WHERE name = 'g1') || ((SELECT id FROM t WHERE name = 's7') >> 24), '[1]3';
SELECT 'both paths once more: ' || label, names, 's1,s2,s3,s4,s5,s6,' || iif(label = 's', 's7',
  'g1') FROM path WHERE label IN ('s', 'g');
SELECT 'a fork of a fork', session_fork((SELECT id FROM t WHERE name = 'f1'), 'ff'), 'ff';
INSERT INTO say VALUES ('ff', 'ff1');
SELECT 'its path', names, 's1,s2,s3,f1,ff1' FROM path WHERE label = 'ff';
SELECT 'its branch lies two below', (SELECT level FROM branches
  WHERE id = (SELECT id >> 24 FROM t WHERE name = 'ff1')), 2;
SELECT 'at the root', session_fork((SELECT id FROM t WHERE name = 's1'), 'root'), 'root';
INSERT INTO say VALUES ('root', 'root2');
SELECT 'its path', names, 's1,root2' FROM path WHERE label = 'root';
SELECT 'persona by option', session_fork((SELECT id FROM t WHERE name = 's3'), 'persona',
  '{"persona":"other"}'), 'persona';
SELECT 'is the fork''s', (SELECT persona_id FROM sessions WHERE label = 'persona'), 'other';
SELECT turn_append('persona', '[{"role":"user","content":"x"}]');
SELECT 'persona of the fork''s turns', (SELECT u.persona_id FROM turns AS u JOIN sessions
  ON thread_id = u.id WHERE label = 'persona'), 'other';
SELECT 'a turn without persona', (turn_append('plain', '[{"role":"user","content":"x"}]') > 0)
  || session_fork((SELECT thread_id FROM sessions WHERE label = 'plain'), 'plain2')
  || ifnull((SELECT persona_id FROM sessions WHERE label = 'plain2'), ' none'), '1plain2 none';

-- Labels made up.
CREATE TEMP TABLE label AS SELECT session_fork((SELECT id FROM t WHERE name = 's3')) AS a,
  session_fork((SELECT id FROM t WHERE name = 's3'), NULL) AS b;
SELECT 'without a label one is made', a GLOB 'fork-[0-9A-HJKMNP-TV-Z]*' AND length(a) = 31, 1
  FROM label;
SELECT 'each its own', a <> b, 1 FROM label;
SELECT 'both are sessions', (SELECT count(*) FROM sessions WHERE label IN (a, b)), 2 FROM label;

---- What can't be forked

INSERT INTO run SELECT 'r', turn_begin('s', 'A1', '{"external_id":"running",
  "messages":[{"role":"user","content":"x"}]}');
INSERT INTO run SELECT 'e', turn_begin('e', 'A1', '{"external_id":"failed",
  "messages":[{"role":"user","content":"x"}]}');
SELECT turn_fail(turn, token, 'x') FROM live WHERE name = 'e';
INSERT INTO run SELECT 'd', turn_begin('e', 'A1', '{"external_id":"dropped",
  "messages":[{"role":"user","content":"x"}]}');
SELECT turn_abort(turn, token, 'x') FROM live WHERE name = 'd';
SELECT 'a running turn', error_of(printf('SELECT session_fork(%d)', id))
  LIKE 'session_fork: turn ' || id || ' is processing; it must be completed, or aborted with %', 1
  FROM t WHERE name = 'running';
SELECT 'a failed turn', error_of(printf('SELECT session_fork(%d)', id))
  LIKE 'session_fork: turn ' || id || ' is failed; it must be completed%', 1 FROM t
  WHERE name = 'failed';
SELECT 'an aborted turn that was not kept', error_of(printf('SELECT session_fork(%d)', id))
  LIKE 'session_fork: turn ' || id || ' is aborted; it must be completed%', 1 FROM t
  WHERE name = 'dropped';
SELECT 'an unknown turn', error_of('SELECT session_fork(99)'), 'session_fork: there is no turn 99';
SELECT 'a turn behind a branch''s tip', error_of(printf('SELECT session_fork(%d)', 1 << 24 | 99))
  LIKE 'session_fork: there is no turn %', 1;
SELECT 'no turn', error_of('SELECT session_fork(NULL, ''x'')'), 'session_fork: turn is missing';
SELECT 'a label that is taken', error_of(printf('SELECT session_fork(%d, ''s'')', id))
  LIKE 'session_fork: %''s''%', 1 FROM t WHERE name = 's3';
INSERT INTO session_aliases VALUES ('alias', 's', 'manual', 1);
SELECT 'a label that is an alias', error_of(printf('SELECT session_fork(%d, ''alias'')', id))
  LIKE 'session_fork: %''alias''%', 1 FROM t WHERE name = 's3';
SELECT 'an empty label', error_of(printf('SELECT session_fork(%d, '''')', id)),
  'session_fork: label is empty' FROM t WHERE name = 's3';
SELECT 'a label as the turn', error_of('SELECT session_fork(''s'')')
  LIKE 'session_fork: turn must be an integer%', 1;
SELECT 'an unknown option', error_of(printf('SELECT session_fork(%d, ''x'',
  ''{"person":"y"}'')', id)) LIKE 'session_fork: unknown option ''person''; it takes: persona%', 1
  FROM t WHERE name = 's3';

-- What can: an aborted turn that was kept, a compaction, below a live run.
INSERT INTO run SELECT 'k', turn_begin('e', 'A1', '{"external_id":"kept",
  "messages":[{"role":"user","content":"x"}]}');
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM live
  WHERE name = 'k';
SELECT turn_abort(turn, token, 'x') FROM live WHERE name = 'k';
SELECT 'an aborted turn that was kept', session_fork((SELECT id FROM t WHERE name = 'kept'), 'fk'),
  'fk';
INSERT INTO made SELECT 'c', turn_compact('f', 'sum', '{"keep_turns":1}');
SELECT 'a compaction', session_fork((SELECT id FROM t WHERE name = 'c'), 'fc'), 'fc';
INSERT INTO say VALUES ('fk', 'fk1'), ('fc', 'fc1'), ('f', 'f3');
SELECT 'their paths: ' || label, names, iif(label = 'fk', 'kept,fk1',
  's1,s2,s3,f1,f2,compaction,fc1') FROM path WHERE label IN ('fk', 'fc');
SELECT 'a fork knows the compaction above it', (SELECT count(*) FROM turns
  WHERE external_id IN ('fc1', 'f3') AND context_turn_id = (SELECT id FROM t WHERE name = 'c')), 2;
SELECT 'a fork from before knows none', (SELECT context_turn_id FROM turns
  WHERE external_id = 'ff1'), NULL;
SELECT turn_complete(turn, token, '{"content":"done"}') FROM live WHERE name = 'r';

---- session_rewind

INSERT INTO say VALUES ('w', 'w1'), ('w', 'w2'), ('w', 'w3');
INSERT INTO turnstile VALUES ('session_start', '["w","add retries"]'), ('turn_append',
  '["w",[{"role":"user","content":"w4"}],{"external_id":"w4","resume_cursor":"thread_1"}]');
CREATE TEMP TABLE usage_was AS SELECT turns, input_tokens, total_tokens FROM sessions
  WHERE label = 'w';
SELECT 'it returns the turn', session_rewind('w', (SELECT id FROM t WHERE name = 'w2'),
  '{"now":3000000}') ->> '$.head', id FROM t WHERE name = 'w2';
SELECT 'the head', (SELECT json_array(thread_id = (SELECT id FROM t WHERE name = 'w2'),
    resume_cursor, status) FROM sessions WHERE label = 'w'), '[1,null,"active"]';
SELECT 'the history', (SELECT group_concat(name || ' ' || reason, ', ') FROM (SELECT name, reason
  FROM session_history AS h JOIN t ON t.id = thread_id WHERE session_label = 'w' ORDER BY h.id)),
  'w1 append, w2 append, w3 append, w4 append, w2 rewind';
SELECT 'and its time', (SELECT changed_at FROM session_history WHERE session_label = 'w'
  ORDER BY id DESC LIMIT 1), 3000000;
SELECT 'the path', names, 'w1,w2' FROM path WHERE label = 'w';
SELECT 'nothing is deleted', (SELECT count(*) FROM turns WHERE external_id GLOB 'w[1-4]'), 4;
SELECT 'what was used was used', (SELECT count(*) FROM (SELECT * FROM usage_was EXCEPT
  SELECT turns, input_tokens, total_tokens FROM sessions WHERE label = 'w')), 0;
SELECT 'a task that began later is over', session_state('w') ->> '$.task_state', 'None';
INSERT INTO say VALUES ('w', 'w3b');
SELECT 'on from there', names, 'w1,w2,w3b' FROM path WHERE label = 'w';
SELECT 'beside what was', (SELECT count(*) FROM turns WHERE parent_turn_id = (SELECT id FROM t
  WHERE name = 'w2')), 2;
CREATE TEMP TABLE dump AS SELECT dump_of() AS d;
SELECT 'to the present head', session_rewind('w', (SELECT id FROM t WHERE name = 'w3b')) ->> '$.head', id
  FROM t WHERE name = 'w3b';
SELECT 'changes nothing', dump_of() = d, 1 FROM dump;
SELECT 'off the path', error_of(printf('SELECT session_rewind(''w'', %d)', id))
  LIKE 'session_rewind: turn ' || id || '%path%', 1 FROM t WHERE name IN ('w3', 'w4', 's3');
SELECT 'an unknown turn', error_of('SELECT session_rewind(''w'', 99)'),
  'session_rewind: there is no turn 99';
SELECT 'an unknown session', error_of('SELECT session_rewind(''nobody'', 16777216)')
  LIKE 'session_rewind: there is no session ''nobody''%', 1;
SELECT 'a session without turns', (session_start('empty', 'x') > 0)
  || (error_of('SELECT session_rewind(''empty'', 16777216)') LIKE 'session_rewind: turn 16777216%'),
  '11';
SELECT 'no turn', error_of('SELECT session_rewind(''w'')'), 'session_rewind: turn is missing';
SELECT 'to the root', session_rewind('w', (SELECT id FROM t WHERE name = 'w1')) ->> '$.head', id
  FROM t WHERE name = 'w1';
SELECT 'its path', names, 'w1' FROM path WHERE label = 'w';
INSERT INTO run SELECT 'w', turn_begin('w', 'A1', '{"messages":[{"role":"user","content":"x"}],
  "lease":"1s"}');
SELECT 'while a run is live', error_of(printf('SELECT session_rewind(''w'', %d)', id))
  LIKE 'session_rewind: %''w''%''A1''%', 1 FROM t WHERE name = 'w1';
SELECT 'to the running turn', error_of(printf('SELECT session_rewind(''w'', %d)', turn))
  LIKE 'session_rewind: %', 1 FROM live WHERE name = 'w';
INSERT INTO say VALUES ('v', 'v1'), ('v', 'v2'), ('v', 'v3');
INSERT INTO made SELECT 'vc', turn_compact('v', 'sum', '{"keep_turns":1}');
INSERT INTO say VALUES ('v', 'v4');
SELECT 'to a compaction', session_rewind('v', (SELECT id FROM t WHERE name = 'vc')) ->> '$.head', id
  FROM t WHERE name = 'vc';
SELECT 'to before it', session_rewind('v', (SELECT id FROM t WHERE name = 'v2')) ->> '$.head', id
  FROM t WHERE name = 'v2';
SELECT 'a rewind across a fork', session_rewind('fc', (SELECT id FROM t WHERE name = 's2')) ->> '$.head', id
  FROM t WHERE name = 's2';
INSERT INTO say VALUES ('v', 'v3b'), ('fc', 'fc2');
SELECT 'their paths: ' || label, names, iif(label = 'v', 'v1,v2,v3b', 's1,s2,fc2')
  FROM path WHERE label IN ('v', 'fc');
SELECT 'the fork''s parent is as it was', names, 's1,s2,s3,f1,f2,compaction,f3' FROM path
  WHERE label = 'f';
-- A run of the session that has rewound begins at the new head.
INSERT INTO run SELECT 'v', turn_begin('v', 'A1', '{"messages":[{"role":"user","content":"x"}]}');
SELECT 'a run begins at the new head', r ->> '$.parent', id FROM run, t
  WHERE run.name = 'v' AND t.name = 'v3b';

---- session_usage: each turn is counted once, where it was made

INSERT INTO say VALUES ('u', 'u1'), ('u', 'u2'), ('u', 'u3');
INSERT INTO turnstile VALUES ('turn_append', '["u",[{"role":"user","content":"u4"}],
  {"external_id":"u4","tokens":10,"usage":{"input_tokens":100,"output_tokens":20,
   "cached_input_tokens":60,"cache_write_tokens":5,"reasoning_tokens":7}}]');
SELECT 'a session', session_usage('u'), '{"session":"u","turns":4,"input_tokens":115,'
  || '"output_tokens":26,"cached_input_tokens":60,"cache_write_tokens":5,"reasoning_tokens":7,'
  || '"total_tokens":141,"thread_turns":4,"thread_tokens":40,"context_tokens":40}';
SELECT session_fork((SELECT id FROM t WHERE name = 'u2'), 'uf');
SELECT 'a fork has used nothing', session_usage('uf'), '{"session":"uf","turns":0,"input_tokens":0,'
  || '"output_tokens":0,"cached_input_tokens":0,"cache_write_tokens":0,"reasoning_tokens":0,'
  || '"total_tokens":0,"thread_turns":2,"thread_tokens":20,"context_tokens":20}';
INSERT INTO say VALUES ('uf', 'uf1');
SELECT 'then its own', json_extract(session_usage('uf'), '$.turns', '$.input_tokens',
  '$.total_tokens', '$.thread_turns', '$.thread_tokens'), '[1,5,7,3,30]';
SELECT 'the first has no more than before', json_extract(session_usage('u'), '$.turns',
  '$.total_tokens'), '[4,141]';
INSERT INTO turnstile VALUES ('turn_compact', '["u","four",{"keep_turns":1,
  "usage":{"input_tokens":40,"output_tokens":1}}]');
SELECT 'after a compaction', json_extract(session_usage('u'), '$.thread_tokens',
    '$.context_tokens'), '[40,11]';
SELECT 'a compaction is a turn of the thread', session_usage('u') ->> '$.thread_turns', 5;
SELECT session_rewind('u', (SELECT id FROM t WHERE name = 'u1'));
SELECT 'a rewind: what was used, and the thread as it is', json_extract(session_usage('u'),
  '$.output_tokens', '$.thread_turns', '$.thread_tokens', '$.context_tokens'), '[27,1,10,10]';
INSERT INTO run SELECT 'u', turn_begin('u', 'A1', '{"messages":[{"role":"user","content":"x"}]}');
SELECT turn_fail(turn, token, 'x') FROM live WHERE name = 'u';
SELECT 'a failed turn is not counted', (SELECT u.turns FROM sessions AS u WHERE label = 'u'),
  session_usage('u') ->> '$.turns';
SELECT 'a session without turns', session_usage('empty'), '{"session":"empty","turns":0,'
  || '"input_tokens":0,"output_tokens":0,"cached_input_tokens":0,"cache_write_tokens":0,'
  || '"reasoning_tokens":0,"total_tokens":0,"thread_turns":0,"thread_tokens":0,"context_tokens":0}';
SELECT 'an unknown session', session_usage('nobody'), NULL;
SELECT 'an alias', session_usage('alias') ->> '$.session', 's';
SELECT 'no label', error_of('SELECT session_usage(NULL)'), 'session_usage: label is missing';
SELECT 'by the door', value_of('INSERT INTO turnstile VALUES (''session_usage'', ''["uf"]'')
  RETURNING turnstile_result()') ->> '$.turns', 1;
SELECT 'the sums of sessions are the sums of turns', (SELECT json_array(sum(turns),
    sum(total_tokens)) FROM sessions), (SELECT json_array(sum(turn_type = 'normal'),
    sum(total_tokens)) FROM turns WHERE on_path);

---- threads

SELECT 'a turn as a thread', (SELECT json_object('parent', parent_turn_id, 'persona', persona_id,
    'depth', depth, 'n', turn_count, 'tokens', total_tokens, 'context', context_turn_id, 'at',
    created_at) FROM threads WHERE turn_id = (SELECT id FROM t WHERE name = 's3')),
  json_object('parent', (SELECT id FROM t WHERE name = 's2'), 'persona', 'ops', 'depth', 2, 'n', 3,
    'tokens', 30, 'context', NULL, 'at', 1000000);
SELECT 'every turn that can be a head', (SELECT count(*) FROM threads),
  (SELECT count(*) FROM turns WHERE status = 'completed' OR external_id = 'kept');
SELECT 'none that failed or runs', (SELECT count(*) FROM threads JOIN t ON id = turn_id
  WHERE name IN ('failed', 'dropped')), 0;
SELECT 'a fork''s thread counts the whole path', (SELECT json_array(depth, turn_count,
    total_tokens) FROM threads JOIN t ON id = turn_id WHERE name = 'f2'), '[4,5,50]';

---- T01: a fork at turn 3 must know nothing of turns 4 to 6

INSERT INTO turnstile VALUES ('session_deliver', '["T01","add retries",{"class":"NewTask",
  "persona":"P","message_id":"m7"}]');
INSERT INTO say SELECT 'T01', 'T' || value FROM json_each('[1,2,3,4,5,6]');
INSERT INTO run SELECT 'T01', turn_begin('T01', 'A1', '{"messages":[{"role":"user","content":"m8"}],
  "external_id":"T7"}');
CREATE TEMP TABLE t01 AS SELECT (SELECT json_group_array(json_array(s.label, status, thread_id,
    open_task_id, last_activity, updated_at)) FROM sessions AS s WHERE label = 'T01') AS session,
  (SELECT json_group_array(json_array(owner, token, run_state, turn_id, expires_at))
   FROM session_runs WHERE session_label = 'T01') AS run,
  (SELECT json_group_array(json_array(id, status, message)) FROM session_queue
   WHERE session_label = 'T01') AS queue,
  (SELECT json_group_array(json_array(id, started_at, completed_at)) FROM turns
   WHERE external_id GLOB 'T[1-3]') AS times;
SELECT 'T01, 1: fork', session_fork((SELECT id FROM t WHERE name = 'T3'), 'F', '{"now":1000001}'),
  'F';
SELECT 'T01, after 1: F', (SELECT json_array(status, persona_id, thread_id = (SELECT id FROM t
    WHERE name = 'T3'), open_task_id) FROM sessions WHERE label = 'F'), '["active","P",1,null]';
SELECT 'T01, after 1: no queue, no holder', (SELECT count(*) FROM session_queue
  WHERE session_label = 'F') + (SELECT count(*) FROM session_runs WHERE session_label = 'F'), 0;
INSERT INTO run SELECT 'F', turn_begin('F', 'A2', '{"messages":[{"role":"user","content":"mf"}],
  "external_id":"F1","now":1000001}');
SELECT 'T01, after 2: the context for f1', (SELECT group_concat(content) FROM session_context('F')),
  'T1,T2,T3,mf';
SELECT turn_complete(turn, token, '{"content":"af"}') FROM live WHERE name = 'F';
SELECT 'T01: the session it left was not touched', (SELECT json_group_array(json_array(s.label,
    status, thread_id, open_task_id, last_activity, updated_at)) FROM sessions AS s
    WHERE label = 'T01'), session FROM t01;
SELECT 'T01: nor its holder', (SELECT json_group_array(json_array(owner, token, run_state, turn_id,
    expires_at)) FROM session_runs WHERE session_label = 'T01'), run FROM t01;
SELECT turn_complete(turn, token, '{"content":"a7"}') FROM live WHERE name = 'T01';
SELECT 'T01, after 3: ' || label, names, iif(label = 'F', 'T1,T2,T3,F1', 'T1,T2,T3,T4,T5,T6,T7')
  FROM path WHERE label IN ('F', 'T01');
SELECT 'T01, after 3: t3 has two children', (SELECT group_concat(external_id)
  FROM (SELECT external_id FROM turns WHERE parent_turn_id = (SELECT id FROM t WHERE name = 'T3')
        ORDER BY external_id)),
  'F1,T4';
SELECT 'T01, after 3: times of t1 to t3', (SELECT json_group_array(json_array(id, started_at,
    completed_at)) FROM turns WHERE external_id GLOB 'T[1-3]'), times FROM t01;
SELECT 'T01, after 3: F does not see the other', (SELECT group_concat(content)
  FROM session_context('F')), 'T1,T2,T3,mf,af';
SELECT 'T01, after 3: nor the other F', (SELECT group_concat(content)
  FROM session_context('T01')), 'T1,T2,T3,T4,T5,T6,m8,a7';

---- Both doors, a request once

SELECT 'fork by the door', value_of(printf('INSERT INTO turnstile VALUES (''session_fork'',
  ''[%d,"d1",{"request_id":"q1"}]'') RETURNING turnstile_result()', id)), 'd1'
  FROM t WHERE name = 's2';
SELECT 'once more, by the sugar', session_fork((SELECT id FROM t WHERE name = 's2'), 'd1',
  '{"request_id":"q1"}'), 'd1';
SELECT 'a made-up label stays', session_fork((SELECT id FROM t WHERE name = 's2'), NULL,
    '{"request_id":"q2"}') = session_fork((SELECT id FROM t WHERE name = 's2'), NULL,
    '{"request_id":"q2"}'), 1;
SELECT 'rewind by name', value_of(printf('INSERT INTO turnstile VALUES (''session_rewind'',
  ''{"label":"d1","turn":%d,"request_id":"q3"}'') RETURNING turnstile_result()', id)) ->> '$.head', id
  FROM t WHERE name = 's1';
SELECT 'once more', value_of(printf('INSERT INTO turnstile VALUES (''session_rewind'',
  ''{"label":"d1","turn":%d,"request_id":"q3"}'') RETURNING turnstile_result()', id)) ->> '$.head', id
  FROM t WHERE name = 's1';
SELECT 'one move', (SELECT group_concat(reason) FROM (SELECT reason FROM session_history WHERE session_label = 'd1' ORDER BY id)),
  'fork,rewind';

---- Many forks: the cost of one does not show here, the shape does

INSERT INTO say VALUES ('m', 'm1');
WITH RECURSIVE n(value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM n LIMIT 200)
INSERT INTO turnstile SELECT 'session_fork', json_array((SELECT id FROM t WHERE name = 'm1'),
  'm-' || value) FROM n;
INSERT INTO say SELECT label, label FROM sessions WHERE label GLOB 'm-*' ORDER BY label;
SELECT 'children of one turn', (SELECT count(*) FROM turns WHERE parent_turn_id = (SELECT id FROM t
  WHERE name = 'm1')), 200;
SELECT 'each path is its own', (SELECT count(*) FROM path WHERE label GLOB 'm-*'
  AND names = 'm1,' || label), 200;
-- A chain: each fork from the one before.
CREATE TEMP VIEW chain(n) AS SELECT NULL WHERE 0;
CREATE TEMP TRIGGER chain_link INSTEAD OF INSERT ON chain BEGIN
  INSERT INTO turnstile VALUES ('session_fork', json_array((SELECT id FROM t
    WHERE name = 'n' || (NEW.n - 1)), 'chain' || NEW.n));
  INSERT INTO say VALUES ('chain' || NEW.n, 'n' || NEW.n);
  INSERT INTO say VALUES ('chain' || NEW.n, 'n' || NEW.n || '-end');
END;
INSERT INTO say VALUES ('chain0', 'n0'), ('chain0', 'n0-end');
WITH RECURSIVE n(value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM n LIMIT 100)
INSERT INTO chain SELECT value FROM n;
SELECT 'a path over a hundred branches', (SELECT count(*) || ' ' || count(DISTINCT turn_id >> 24)
  || ' ' || sum(external_id = 'n' || depth) FROM turn_path('chain100')), '102 101 101';
SELECT 'levels', (SELECT max(level) FROM branches), 100;
SELECT 'a context over them', (SELECT group_concat(content) FROM session_context('chain100', 30)),
  'n99,n100,n100-end';
SELECT 'shortcuts lead up', (SELECT count(*) FROM branches AS b WHERE level > 0 AND NOT EXISTS
  (SELECT 1 FROM branches AS j WHERE j.id = b.jump_id AND j.level < b.level)), 0;

-- Another chain beside it: what two turns have in common, and what lies above one, is what their parents say.
CREATE TEMP VIEW beside(n) AS SELECT NULL WHERE 0;
CREATE TEMP TRIGGER beside_link INSTEAD OF INSERT ON beside BEGIN
  INSERT INTO turnstile VALUES ('session_fork', json_array((SELECT id FROM t WHERE name = iif(NEW.n = 1, 'n40', 'b' || (NEW.n - 1))), 'beside' || NEW.n));
  INSERT INTO say VALUES ('beside' || NEW.n, 'b' || NEW.n);
  INSERT INTO say VALUES ('beside' || NEW.n, 'b' || NEW.n || '-end');
END;
WITH RECURSIVE n(value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM n LIMIT 40) INSERT INTO beside SELECT value FROM n;
CREATE TEMP TABLE tip AS SELECT label, thread_id AS turn FROM sessions WHERE label IN ('chain0', 'chain1', 'chain2', 'chain3', 'chain7', 'chain40', 'chain41', 'chain63', 'chain64', 'chain65', 'chain100',
  'beside1', 'beside2', 'beside24', 'beside25', 'beside40', 'm-1', 'm-2');
CREATE TEMP TABLE up(label, turn, depth);
INSERT INTO up WITH RECURSIVE above(label, turn) AS (SELECT label, turn FROM tip UNION ALL SELECT label, parent_turn_id FROM above JOIN turns ON id = turn WHERE parent_turn_id IS NOT NULL)
  SELECT label, turn, turn & 16777215 FROM above;
SELECT a.label || ' and ' || b.label, turn_common_ancestor(a.turn, b.turn), (SELECT max(u.turn) FROM up AS u JOIN up AS v USING (turn) WHERE u.label = a.label AND v.label = b.label
    AND u.depth = (SELECT max(x.depth) FROM up AS x JOIN up AS y USING (turn) WHERE x.label = a.label AND y.label = b.label))
  FROM tip AS a, tip AS b;
SELECT 'above ' || label || ' at ' || depth, turn_ancestor((SELECT turn FROM tip WHERE tip.label = up.label), depth), turn FROM up;
SELECT 'is one above the other: ' || a.label || ' and ' || b.label, turn_is_ancestor(a.turn, b.turn), EXISTS (SELECT 1 FROM up WHERE up.label = b.label AND up.turn = a.turn) FROM tip AS a, tip AS b;

-- A branch whose row was changed by hand: what walks over it says so, and nothing is worked out from it.
CREATE TEMP TABLE hurt(what, sql, ancestor, path);
INSERT INTO hurt VALUES
  ('row', 'DELETE FROM branches WHERE id = %d', 'branch {b} above it has no row in branches', 'branch {b} above it has no row in branches'),
  ('level + 1', 'UPDATE branches SET level = level + 1 WHERE id = %d', 'branch {b} above it has a wrong jump in branches', 'branch {c} above it does not fit its parent branch {b}'),
  ('level 0', 'UPDATE branches SET level = 0 WHERE id = %d', 'branch {b} above it has a wrong jump in branches', 'branch {b} above it has a wrong jump in branches'),
  ('level -1', 'UPDATE branches SET level = -1 WHERE id = %d', 'branch {b} above it has a wrong jump in branches', 'branch {b} above it has a wrong jump in branches'),
  ('level = id', 'UPDATE branches SET level = id WHERE id = %d', 'branch {b} above it has a wrong jump in branches', 'branch {b} above it has a wrong jump in branches'),
  ('first_depth + 1', 'UPDATE branches SET first_depth = first_depth + 1 WHERE id = %d', 'branch {b} above it has a wrong parent in branches', 'branch {b} above it has a wrong parent in branches'),
  ('first_depth - 1', 'UPDATE branches SET first_depth = first_depth - 1 WHERE id = %d', 'branch {b} above it has a wrong parent in branches', 'branch {b} above it has a wrong parent in branches'),
  ('another jump', 'UPDATE branches SET jump_id = jump_id - 1 WHERE id = %d', 'branch {b} above it has a wrong jump in branches', NULL),
  ('no jump', 'UPDATE branches SET jump_id = NULL WHERE id = %d', 'branch {b} above it has a wrong jump in branches', 'branch {b} above it has a wrong jump in branches'),
  ('jump 0', 'UPDATE branches SET jump_id = 0 WHERE id = %d', 'branch {b} above it has a wrong jump in branches', 'branch {b} above it has a wrong jump in branches'),
  ('jump = id', 'UPDATE branches SET jump_id = id WHERE id = %d', 'branch {b} above it has a wrong jump in branches', 'branch {b} above it has a wrong jump in branches'),
  ('jump depth', 'UPDATE branches SET jump_depth = -1 WHERE id = %d', 'branch {b} above it has a wrong jump in branches', 'branch {b} above it has a wrong jump in branches'),
  ('jump depth = first', 'UPDATE branches SET jump_depth = first_depth WHERE id = %d', 'branch {b} above it has a wrong jump in branches', 'branch {b} above it has a wrong jump in branches'),
  ('no parent', 'UPDATE branches SET parent_turn_id = NULL WHERE id = %d', 'branch {b} above it has a root at a wrong depth in branches', 'branch {b} above it has a root at a wrong depth in branches'),
  ('parent 0', 'UPDATE branches SET parent_turn_id = 0 WHERE id = %d', 'branch {b} above it has a wrong parent in branches', 'branch {b} above it has a wrong parent in branches'),
  ('parent elsewhere', 'UPDATE branches SET parent_turn_id = parent_turn_id + 1000 WHERE id = %d', 'branch {b} above it has a wrong parent in branches', 'branch {b} above it has a wrong parent in branches'),
  ('parent in itself', 'UPDATE branches SET parent_turn_id = (id << 24) + first_depth - 1 WHERE id = %d', 'branch {b} above it has a wrong parent in branches', 'branch {b} above it has a wrong parent in branches');
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
CREATE TEMP TABLE told(what, ancestor, path);
CREATE TEMP TABLE mid AS SELECT a.turn AS tip, z.turn AS last, a.turn >> 24 AS b, (SELECT turn >> 24 FROM up WHERE label = 'chain100' AND depth = 65) AS c FROM tip AS a, tip AS z WHERE a.label = 'chain64' AND z.label = 'chain100';
CREATE TEMP TABLE unhurt AS SELECT branches.* FROM branches, mid WHERE id = b;
CREATE TEMP VIEW hurting(what, sql) AS SELECT NULL, NULL WHERE 0;
CREATE TEMP TRIGGER hurts INSTEAD OF INSERT ON hurting BEGIN
  INSERT INTO told(what, ancestor) SELECT NEW.what, error_of(printf(NEW.sql || '; SELECT turn_ancestor(%d, 40)', b, tip)) FROM mid;
  INSERT INTO told(what, path) SELECT NEW.what, error_of('SELECT count(*) FROM turn_path(''chain100'')') FROM mid;
  DELETE FROM branches WHERE id = (SELECT id FROM unhurt);
  INSERT INTO branches SELECT * FROM unhurt;
END;
INSERT INTO hurting SELECT what, sql FROM hurt;
SELECT 'hurt, looked up: ' || what, t.ancestor, printf('turn_ancestor: turn %d is damaged: ', tip) || replace(h.ancestor, '{b}', b) FROM hurt AS h JOIN told AS t USING (what), mid WHERE t.ancestor IS NOT NULL;
SELECT 'hurt, walked: ' || what, t.path, printf('turn_path: turn %d is damaged: ', last) || replace(replace(h.path, '{b}', b), '{c}', c) FROM hurt AS h JOIN told AS t USING (what), mid WHERE t.path IS NOT NULL;
SELECT 'each was told of', (SELECT json_array(count(ancestor), count(path)) FROM told), json_array((SELECT count(*) FROM hurt), (SELECT count(path) FROM hurt));
DELETE FROM turnstile_meta WHERE key = 'unguarded';

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;
