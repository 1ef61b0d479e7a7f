-- accepted.sql - tool calls in a context: ids, names and parameters that the strictest provider takes, whatever
-- was recorded. tests/turn/providers_model.py holds random histories against the rules.
SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
CREATE TEMP VIEW calls(label, turn_id, sequence, id, result_id, name, params) AS
  SELECT s.label, c.turn_id, c.sequence, c.tool_call_id,
    (SELECT group_concat(r.tool_call_id || '=' || r.content) FROM session_context(s.label) AS r
     WHERE r.kind = 'tool_result' AND r.tool_call_id = c.tool_call_id), c.tool_name, c.content
  FROM sessions AS s, session_context(s.label) AS c WHERE c.kind = 'tool_call';

---- Ids

CREATE TEMP TABLE id(recorded PRIMARY KEY, shown);
INSERT INTO id VALUES ('09azAZ_-', '09azAZ_-'), ('09az/AZ', '09az_AZ-0-0'), ('call_0', 'call_0'), ('toolu_01A-b', 'toolu_01A-b'), ('-', '-'), ('_', '_'),
  (replace(hex(zeroblob(20)), '0', 'a'), replace(hex(zeroblob(20)), '0', 'a')),        -- 40 characters
  (replace(hex(zeroblob(20)), '0', 'a') || 'b', replace(hex(zeroblob(18)), '0', 'a') || '-0-0'), -- 41
  ('call 0', 'call_0-0-0'), ('a.b:c/d', 'a_b_c_d-0-0'), ('fran' || char(231) || 'ais', 'fran_ais-0-0'),
  (char(128512), '_-0-0'), (char(10), '_-0-0'), ('"', '_-0-0'), (' ', '_-0-0'),
  (replace(hex(zeroblob(85)), '00', char(0x547c)), replace(hex(zeroblob(18)), '0', '_') || '-0-0'), (17, '17');
INSERT INTO turnstile SELECT 'turn_append', json_array('id ' || rowid, json_array(json_object('role', 'assistant', 'tool_calls',
  json_array(json_object('id', recorded, 'name', 'ls', 'result', 'r'))))) FROM id;
SELECT 'id ' || i.rowid || ': shown', c.id, i.shown FROM id AS i LEFT JOIN calls AS c ON c.label = 'id ' || i.rowid;
SELECT 'id ' || i.rowid || ': and its result', c.result_id, i.shown || '=r' FROM id AS i LEFT JOIN calls AS c ON c.label = 'id ' || i.rowid;
SELECT 'id ' || i.rowid || ': recorded as it came', t.id, CAST(recorded AS TEXT)
  FROM id AS i JOIN sessions AS s ON s.label = 'id ' || i.rowid JOIN tool_calls AS t ON t.turn_id = s.thread_id;

---- The same id more than once

-- A provider that numbers the calls of each turn; steps of one turn, and what looks like a changed id.
INSERT INTO turnstile VALUES
  ('turn_append', '["n",[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[
    {"id":"call_0","name":"ls","result":"1"},{"id":"call_1","name":"ls","result":"2"},{"id":"call_0-1-1","name":"ls","result":"3"}]}]]'),
  ('turn_append', '["n",[{"role":"user","content":"b"},{"role":"assistant","tool_calls":[
    {"id":"call_0","name":"ls","result":"4"},{"id":"call_1","name":"ls","result":"5"}]}]]'),
  ('turn_append', '["n",[{"role":"user","content":"c"},{"role":"assistant","tool_calls":[
    {"id":"call_0","name":"ls","result":"6"},{"id":"call_1-1-2","name":"ls","result":"7"}]}]]');
CREATE TEMP TABLE numbered AS SELECT * FROM calls WHERE label = 'n';
SELECT 'numbered: each is one call''s', (SELECT group_concat(id, ' ') FROM numbered),
  'call_0 call_1 call_0-1-1 call_0-1-1-1 call_1-1-2 call_0-2-1 call_1-1-2-2-2';
SELECT 'numbered: with its own result', (SELECT group_concat(result_id, ' ') FROM numbered),
  'call_0=1 call_1=2 call_0-1-1=3 call_0-1-1-1=4 call_1-1-2=5 call_0-2-1=6 call_1-1-2-2-2=7';
SELECT 'numbered: the rows say what came', (SELECT group_concat(t.id, ' ') FROM tool_calls AS t JOIN turn_path('n') AS p ON p.turn_id = t.turn_id),
  'call_0 call_1 call_0-1-1 call_0 call_1 call_0 call_1-1-2';
SELECT 'numbered: a row of the context leads to the call', (SELECT count(*) FROM numbered AS n JOIN tool_calls AS t
  ON t.place = n.turn_id << 12 | n.sequence), 7;
-- What is cut off takes no id.
SELECT 'numbered: the last turn alone', (SELECT group_concat(tool_call_id, ' ') FROM session_context('n',
  (SELECT sum(tokens) FROM session_context('n') WHERE turn_id = (SELECT thread_id FROM sessions WHERE label = 'n')))
  WHERE kind = 'tool_call'), 'call_0 call_1-1-2';
-- Elsewhere the same.
SELECT session_import(session_export('n'), '{"as":"n there"}') IS NOT NULL;
SELECT 'numbered: elsewhere', (SELECT group_concat(id || result_id, ' ') FROM calls WHERE label = 'n there'),
  (SELECT group_concat(id || result_id, ' ') FROM numbered);
SELECT 'numbered: a fork', (SELECT group_concat(tool_call_id, ' ') FROM session_context(
  session_fork((SELECT thread_id FROM sessions WHERE label = 'n'), 'n fork')) WHERE kind = 'tool_call'), (SELECT group_concat(id, ' ') FROM numbered);

-- A result that comes later stands with its call, or names it as it was shown.
INSERT INTO turnstile VALUES
  ('turn_append', '["late",[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"k 1","name":"read file"}]}]]'),
  ('turn_append', '["late",[{"role":"tool","tool_call_id":"k 1","content":"direct"}]]'),
  ('turn_append', '["late",[{"role":"user","content":"b"},{"role":"assistant","tool_calls":[{"id":"k 1","name":"read file"}]},{"role":"user","content":"c"}]]'),
  ('turn_append', '["late",[{"role":"tool","tool_call_id":"k 1","content":"in words"}]]');
SELECT 'late: directly', (SELECT group_concat(tool_call_id || ' ' || tool_name || ' ' || content, ' | ') FROM session_context('late')
  WHERE kind <> 'message' AND turn_id & 16777215 < 2), 'k_1-0-1 read_file {} | k_1-0-1 read_file direct';
SELECT 'late: in words', (SELECT content FROM session_context('late') ORDER BY position DESC LIMIT 1),
  'The result of read_file (k_1-2-1), an earlier tool call, has come:' || char(10) || 'in words';

-- A failed turn and the one that goes on from it lie at one depth.
SELECT turn_begin('f', 'w', '{"messages":[{"role":"user","content":"a"}]}') ->> '$.turn';
CREATE TEMP VIEW run(label, turn, token) AS SELECT session_label, turn_id, token FROM session_runs;
SELECT turn_tool_call(turn, token, 'x.y', 'ls', '{}') FROM run WHERE label = 'f';
SELECT turn_fail(turn, token, 'e') FROM run WHERE label = 'f';
SELECT turn_begin('f', 'w', '{"messages":[{"role":"user","content":"b"}]}') ->> '$.turn';
SELECT turn_tool_call(turn, token, 'x.y', 'ls', '{}') FROM run WHERE label = 'f';
SELECT turn_tool_result(turn, token, 'x.y', 'r') FROM run WHERE label = 'f';
SELECT 'resumed: one each', (SELECT group_concat(id, ' ') FROM calls WHERE label = 'f'), 'x_y-0-1 x_y-0-1-1';

---- Names

CREATE TEMP TABLE name(recorded PRIMARY KEY, shown);
INSERT INTO name VALUES ('bash', 'bash'), ('mcp__fs-read', 'mcp__fs-read'), ('fs.read', 'fs_read'), ('read file', 'read_file'),
  ('09azAZ_-/:@[`{', '09azAZ_-______'), ('a/b:c', 'a_b_c'), (char(0x67e5, 0x627e), '__'), (replace(hex(zeroblob(32)), '0', 'n'), replace(hex(zeroblob(32)), '0', 'n')),
  (replace(hex(zeroblob(33)), '0', 'n'), replace(hex(zeroblob(32)), '0', 'n')), ('8ball', '8ball');
INSERT INTO turnstile SELECT 'turn_append', json_array('name ' || rowid, json_array(json_object('role', 'assistant', 'tool_calls',
  json_array(json_object('id', 'k', 'name', recorded, 'result', 'r'))))) FROM name;
SELECT 'name ' || n.rowid || ': shown', (SELECT group_concat(DISTINCT tool_name) FROM session_context('name ' || n.rowid) WHERE kind <> 'opening'), n.shown FROM name AS n;
SELECT 'name ' || n.rowid || ': recorded as it came', t.tool_name, n.recorded
  FROM name AS n JOIN sessions AS s ON s.label = 'name ' || n.rowid JOIN tool_calls AS t ON t.turn_id = s.thread_id;

---- Parameters

CREATE TEMP TABLE params(given PRIMARY KEY, recorded, shown);
INSERT INTO params VALUES ('{"a":1}', '{"a":1}', '{"a":1}'), (' {"a": 1}', NULL, NULL), ('{}', '{}', '{}'), ('[1,2]', '[1,2]', '{"input":[1,2]}'),
  ('7', '7', '{"input":7}'), ('7.5e3', '7.5e3', '{"input":7.5e3}'), ('true', 'true', '{"input":true}'), ('null', 'null', '{}'),
  ('""', '""', '{}'), ('"ls -l"', '"ls -l"', '{"input":"ls -l"}'), ('" "', '" "', '{"input":" "}'), ('ls -l', '"ls -l"', '{"input":"ls -l"}'),
  ('{"a":', '"{\"a\":"', '{"input":"{\"a\":"}'), ('"{\"a\":1}"', '"{\"a\":1}"', '{"input":"{\"a\":1}"}'), ('', '""', '{}'),
  ('%s%n"', '"%s%n\""', '{"input":"%s%n\""}');
SELECT turn_begin('p' || rowid, 'w', '{"messages":[{"role":"user","content":"a"}]}') ->> '$.turn' FROM params;
SELECT turn_tool_call(turn, token, 'k', 'ls', given) FROM params AS p JOIN run ON label = 'p' || p.rowid;
SELECT turn_tool_result(turn, token, 'k', 'r') FROM params AS p JOIN run ON label = 'p' || p.rowid;
SELECT 'params ' || given || ': recorded', t.params, p.recorded FROM params AS p JOIN run ON label = 'p' || p.rowid
  JOIN tool_calls AS t ON t.turn_id = turn WHERE p.recorded IS NOT NULL;
SELECT 'params ' || given || ': shown', params, p.shown FROM params AS p JOIN calls AS c ON c.label = 'p' || p.rowid WHERE p.shown IS NOT NULL;
SELECT 'params ' || given || ': an object, and valid', json_type(params) || json_valid(params), 'object1' FROM params AS p JOIN calls AS c ON c.label = 'p' || p.rowid;

---- Many

-- As many calls as a turn holds, under one id each in two turns: none is shown twice, and it stays quick (the set
-- of ids grows by doubling).
WITH n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 999)
INSERT INTO turnstile SELECT 'turn_append', json_array('many', json_array(json_object('role', 'assistant', 'tool_calls',
  json_group_array(json_object('id', 'call_' || i, 'name', 'ls', 'result', 'r' || i))))) FROM n;
WITH n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 999)
INSERT INTO turnstile SELECT 'turn_append', json_array('many', json_array(json_object('role', 'assistant', 'tool_calls',
  json_group_array(json_object('id', 'call_' || i, 'name', 'ls', 'result', 'r' || i))))) FROM n;
SELECT 'many: all different', (SELECT count(DISTINCT tool_call_id) FROM session_context('many') WHERE kind = 'tool_call'), 2000;
SELECT 'many: each with its result', (SELECT count(*) FROM session_context('many') AS c JOIN session_context('many') AS r
  ON r.kind = 'tool_result' AND r.tool_call_id = c.tool_call_id AND r.turn_id = c.turn_id AND r.sequence = c.sequence WHERE c.kind = 'tool_call'), 2000;
SELECT 'many: the first as recorded', (SELECT count(*) FROM session_context('many') WHERE kind = 'tool_call' AND tool_call_id NOT LIKE '%-%'), 1000;

---- The words of a context

CREATE TEMP TABLE words(key PRIMARY KEY);
INSERT INTO words SELECT 'text.context.' || value FROM json_each('["opening","no_text","interrupted","pending","orphan_result","orphan_error",
  "late_result","late_error","retried","retried_of"]');
SELECT w.key || ': it must say something: ' || quote(value), error_of(printf('SELECT turnstile_config(%Q, %Q)', w.key, value)),
  'turnstile_config: ' || w.key || ' is what a model reads; it must be more than white space' FROM words AS w, json_each(json_array('', ' ', char(10, 160)));
SELECT 'other texts may be empty', turnstile_config('text.acknowledge', ''), '';
-- What an older version has let in is not shown.
SELECT turn_append('words', '[{"role":"assistant","content":"hi"}]');
INSERT INTO turnstile_config(key, session_label, value) VALUES ('text.context.opening', '', ' ');
SELECT 'an empty opening', (SELECT length(trim(content)) > 0 FROM session_context('words') WHERE kind = 'opening'), 1;
DELETE FROM turnstile_config WHERE key = 'text.context.opening';

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;
