-- context.sql - session_context: what a run is given to read, for every shape of history.
--
-- Turns get names by their external ids, compactions by the table made. A context is written as one
-- line: u: a: s: t: are messages by their role, [ ] is a summary, <k> a tool call, k=x its result,
-- k!x a failed one, k? one that never came, k.. one that was not there when somebody spoke, late:k=x and
-- late:k!x one that is told in words, ^ the words before the agent where it would speak first. `want` keeps every expectation: what a turn's context
-- was once, it still has to be at the end of the file.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

CREATE TEMP TABLE made(name TEXT PRIMARY KEY, result TEXT);
CREATE TEMP VIEW t(name, id) AS
  SELECT external_id, id FROM turns WHERE external_id IS NOT NULL
  UNION ALL SELECT name, result ->> '$.turn' FROM made;

-- A plain turn: a question and an answer, 10 tokens together.
CREATE TEMP VIEW say(label, name) AS SELECT NULL, NULL WHERE 0;
CREATE TEMP TRIGGER say_it INSTEAD OF INSERT ON say BEGIN
  INSERT INTO turnstile VALUES ('turn_append', json_array(NEW.label,
    json_array(json_object('role', 'user', 'content', NEW.name),
               json_object('role', 'assistant', 'content', NEW.name)),
    json_object('external_id', NEW.name, 'tokens', 10)));
END;

-- A turn of any messages, also 10 tokens.
CREATE TEMP VIEW tell(label, name, messages) AS SELECT NULL, NULL, NULL WHERE 0;
CREATE TEMP TRIGGER tell_it INSTEAD OF INSERT ON tell BEGIN
  INSERT INTO turnstile VALUES ('turn_append', json_array(NEW.label, json(NEW.messages),
    json_object('external_id', NEW.name, 'tokens', 10)));
END;

-- arg is a label, or a turn's name behind an @.
CREATE TEMP TABLE want(n INTEGER PRIMARY KEY, part, name, arg, budget, expected);
CREATE TEMP VIEW asked AS
  SELECT n, part, name, iif(arg LIKE '@%', (SELECT id FROM t WHERE t.name = substr(arg, 2)), arg)
         AS arg, budget, expected
  FROM want;
CREATE TEMP VIEW seen(n, part, name, got, expected) AS
  SELECT n, part, name,
    (SELECT group_concat(CASE kind
       WHEN 'summary' THEN '[' || content || ']'
       WHEN 'message' THEN CASE WHEN content GLOB 'The result of * (*), an earlier tool call, has come:*'
           OR content GLOB 'The error of * (*), an earlier tool call, has come:*'
         THEN 'late:' || substr(content, instr(content, '(') + 1,
                                instr(content, ')') - instr(content, '(') - 1)
           || iif(content LIKE 'The error%', '!', '=') || substr(content, instr(content, char(10)) + 1)
         ELSE substr(role, 1, 1) || ':' || content END
       WHEN 'tool_call' THEN '<' || tool_call_id || '>'
       WHEN 'tool_result' THEN tool_call_id || CASE status WHEN 'completed' THEN '=' || content
         WHEN 'failed' THEN '!' || content WHEN 'interrupted' THEN '?' WHEN 'pending' THEN '..'
         ELSE ' ' || status END
       WHEN 'opening' THEN '^' ELSE quote(kind) END, ' ')
     FROM session_context(asked.arg, asked.budget)), expected
  FROM asked;

---- Nothing to read

INSERT INTO turnstile VALUES ('session_start', '["none","add retries"]');
SELECT 'a session without turns', (SELECT count(*) FROM session_context('none')), 0;
SELECT 'and with a budget', (SELECT count(*) FROM session_context('none', 100)), 0;
SELECT 'NULL', (SELECT count(*) FROM session_context(NULL)), 0;
SELECT 'an unknown label', error_of('SELECT * FROM session_context(''nobody'')')
  LIKE 'session_context: %no session ''nobody''%', 1;
SELECT 'an unknown turn', error_of('SELECT * FROM session_context(16777216)')
  LIKE 'session_context: there is no turn 16777216%', 1;
SELECT 'turn 0', error_of('SELECT * FROM session_context(0)')
  LIKE 'session_context: there is no turn 0%', 1;
SELECT 'a negative turn', error_of('SELECT * FROM session_context(-5)')
  LIKE 'session_context: %-5%', 1;
SELECT 'a turn behind every branch', error_of('SELECT * FROM session_context(9007199254740991)')
  LIKE 'session_context: there is no turn 9007199254740991%', 1;
SELECT 'digits as text are a label', error_of('SELECT * FROM session_context(''16777216'')')
  LIKE 'session_context: %no session ''16777216''%', 1;
SELECT 'a number with a fraction', error_of('SELECT * FROM session_context(1.5)')
  LIKE 'session_context: %', 1;
SELECT 'a BLOB', error_of('SELECT * FROM session_context(x''00'')') LIKE 'session_context: %', 1;
SELECT 'no argument', ifnull(error_of('SELECT * FROM session_context') LIKE 'session_context: %',
  (SELECT count(*) FROM session_context) = 0), 1;
SELECT 'too many arguments', error_of('SELECT * FROM session_context(''none'', 1, ''none'', 2)')
  LIKE 'too many arguments on session_context%', 1;
SELECT 'it can''t be written', error_of('DELETE FROM session_context')
  LIKE '%session_context%', 1;

---- No compaction, one, several

INSERT INTO say VALUES ('A', 'A1'), ('A', 'A2'), ('A', 'A3'), ('A', 'A4'), ('A', 'A5');
INSERT INTO want(part, name, arg, expected) VALUES
  ('plain', 'the first turn', '@A1', 'u:A1 a:A1'),
  ('plain', 'a turn in the middle ends it', '@A3', 'u:A1 a:A1 u:A2 a:A2 u:A3 a:A3'),
  ('plain', 'the head', '@A5', 'u:A1 a:A1 u:A2 a:A2 u:A3 a:A3 u:A4 a:A4 u:A5 a:A5'),
  ('plain', 'by label', 'A', 'u:A1 a:A1 u:A2 a:A2 u:A3 a:A3 u:A4 a:A4 u:A5 a:A5');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'plain';

INSERT INTO made SELECT 'c1', turn_compact('A', 'sum1', '{"keep_turns":2}');
INSERT INTO want(part, name, arg, expected) VALUES
  ('one', 'by label', 'A', '[sum1] u:A4 a:A4 u:A5 a:A5'),
  ('one', 'the compaction', '@c1', '[sum1] u:A4 a:A4 u:A5 a:A5'),
  ('one', 'the turn before it', '@A5', 'u:A1 a:A1 u:A2 a:A2 u:A3 a:A3 u:A4 a:A4 u:A5 a:A5'),
  ('one', 'a turn that it summarised', '@A2', 'u:A1 a:A1 u:A2 a:A2');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'one';
INSERT INTO say VALUES ('A', 'A6');
INSERT INTO want(part, name, arg, expected) VALUES
  ('after one', 'a turn after it', '@A6', '[sum1] u:A4 a:A4 u:A5 a:A5 u:A6 a:A6'),
  ('after one', 'by label', 'A', '[sum1] u:A4 a:A4 u:A5 a:A5 u:A6 a:A6');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'after one';

INSERT INTO made SELECT 'c2', turn_compact('A', 'sum2', '{"keep_turns":2}');
INSERT INTO want(part, name, arg, expected) VALUES
  ('two', 'a compaction in between shows nothing', '@c2', '[sum2] u:A5 a:A5 u:A6 a:A6');
INSERT INTO say VALUES ('A', 'A7');
-- A summary that stands for no turn would only take the place of the one before.
CREATE TEMP TABLE unchanged AS SELECT dump_of() AS d;
SELECT 'two: ' || column1, error_of('SELECT turn_compact(''A'', ''x'', ' || quote(column2) || ')'),
  'turn_compact: the summary would stand for no turn: all that the context shows is kept; keep less'
FROM (VALUES ('more turns are kept than are shown', '{"keep_turns":99}'),
  ('as many', '{"keep_turns":3}'), ('by tokens', '{"keep_tokens":30}'),
  ('by the first', json_object('first_kept_turn_id', (SELECT id FROM t WHERE name = 'A5'))),
  ('from the root on', json_object('first_kept_turn_id', (SELECT id FROM t WHERE name = 'A1'))));
SELECT 'two: nothing was stored', dump_of() = d, 1 FROM unchanged;
INSERT INTO made SELECT 'c4', turn_compact('A', 'sum4',
  json_object('first_kept_turn_id', (SELECT id FROM t WHERE name = 'A2')));
INSERT INTO want(part, name, arg, expected) VALUES
  ('two', 'a turn is named that is no longer shown', '@c4',
   '[sum4] u:A2 a:A2 u:A3 a:A3 u:A4 a:A4 u:A5 a:A5 u:A6 a:A6 u:A7 a:A7');
INSERT INTO made SELECT 'c6', turn_compact('A', 'sum6', '{"keep_turns":0}');
INSERT INTO want(part, name, arg, expected) VALUES ('two', 'nothing kept', '@c6', '[sum6]');
SELECT 'two: a summary of nothing but a summary',
  error_of('SELECT turn_compact(''A'', ''x'', ''{"keep_turns":0}'')') LIKE '%stand for no turn%', 1;
INSERT INTO say VALUES ('A', 'A8');
INSERT INTO want(part, name, arg, expected) VALUES
  ('two', 'a turn after nothing kept', '@A8', '[sum6] u:A8 a:A8');
SELECT 'two: what was not shown stays so',
  error_of('SELECT turn_compact(''A'', ''x'', ''{"keep_turns":3}'')') LIKE '%stand for no turn%', 1;
INSERT INTO made SELECT 'c9', turn_compact('A', 'sum10', '{"keep_turns":0}');
INSERT INTO want(part, name, arg, expected) VALUES ('two', 'only the newest counts', 'A', '[sum10]');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'two';
SELECT 'every turn can still be read',
  (SELECT group_concat(external_id, ' ') FROM (SELECT p.external_id FROM turn_path('A') AS p
   WHERE p.turn_type = 'normal' ORDER BY p.depth)), 'A1 A2 A3 A4 A5 A6 A7 A8';

---- Root: a compaction in a session of one turn

INSERT INTO say VALUES ('R', 'R1');
SELECT 'root: kept', error_of('SELECT turn_compact(''R'', ''x'', ''{"keep_turns":1}'')')
  LIKE 'turn_compact: the summary would stand for no turn%', 1;
INSERT INTO made SELECT 'cr1', turn_compact('R', 'sumr');
INSERT INTO say VALUES ('R', 'R2'), ('R', 'R3');
INSERT INTO want(part, name, arg, expected) VALUES
  ('root', 'by default a single turn is summarised', '@cr1', '[sumr]'),
  ('root', 'and the turns after', '@R3', '[sumr] u:R2 a:R2 u:R3 a:R3');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'root';

---- How far the summary goes

INSERT INTO say VALUES ('Th', 'Th1'), ('Th', 'Th2'), ('Th', 'Th3'), ('Th', 'Th4');
CREATE TEMP TABLE far(name PRIMARY KEY, options, expected);
INSERT INTO far VALUES
  ('alone', '{}', '[s] u:Th4 a:Th4'), ('keep_turns 0', '{"keep_turns":0}', '[s] u:Th4 a:Th4'),
  ('keep_turns 1', '{"keep_turns":1}', '[s] u:Th4 a:Th4'),
  ('keep_turns 2', '{"keep_turns":2}', '[s] u:Th3 a:Th3 u:Th4 a:Th4'),
  ('keep_tokens 0', '{"keep_tokens":0}', '[s] u:Th4 a:Th4'),
  ('keep_tokens 30', '{"keep_tokens":30}', '[s] u:Th2 a:Th2 u:Th3 a:Th3 u:Th4 a:Th4'),
  ('first kept', json_object('first_kept_turn_id', (SELECT id FROM t WHERE name = 'Th2')),
   '[s] u:Th2 a:Th2 u:Th3 a:Th3 u:Th4 a:Th4');
INSERT INTO turnstile SELECT 'session_fork', json_array(t.id, 'Th ' || far.name) FROM t, far
  WHERE t.name = 'Th4';
INSERT INTO made SELECT 'Th ' || far.name, turn_compact('Th ' || far.name, 's',
  json_set(options, '$.summarized_through_turn_id', t.id)) FROM far, t WHERE t.name = 'Th3';
INSERT INTO want(part, name, arg, expected) SELECT 'through', name, 'Th ' || name, expected FROM far;
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'through';
-- Two turns come while the summary is written, one of them of a call that it tells of.
INSERT INTO tell VALUES ('Ti', 'Ti1', '[{"role":"user","content":"q"}]'),
  ('Ti', 'Ti2', '[{"role":"assistant","tool_calls":[{"id":"k","name":"a"}]}]'),
  ('Ti', 'Ti3', '[{"role":"tool","tool_call_id":"k","content":"r"}]');
INSERT INTO made SELECT 'Ti', turn_compact('Ti', 's', json_object('keep_turns', 0,
  'summarized_through_turn_id', (SELECT id FROM t WHERE t.name = 'Ti2')));
INSERT INTO want(part, name, arg, expected) VALUES ('pair', 'stays together', 'Ti', '[s] <k> k=r');
SELECT 'through: ' || part || ' ' || name, got, expected FROM seen WHERE part = 'pair';
SELECT 'through: a pair moves it', json_array(result ->> '$.moved',
  result ->> '$.summarized_through_turn_id' = t.id), '[1,1]'
  FROM made JOIN t ON t.name = 'Ti1' WHERE made.name = 'Ti';
INSERT INTO say VALUES ('Tj', 'Tj1');
SELECT 'through: not on the path', error_of(printf(
  'SELECT turn_compact(''Tj'', ''s'', ''{"summarized_through_turn_id":%d}'')', id)),
  'turn_compact: summarized_through_turn_id ' || id || ' is not on the path of the session'
  FROM t WHERE name = 'Ti1';
-- It reaches back behind an older summary: what that told of and this does not is shown.
INSERT INTO say VALUES ('Tk', 'Tk1'), ('Tk', 'Tk2'), ('Tk', 'Tk3');
INSERT INTO made SELECT 'Tk', turn_compact('Tk', 's1', '{"keep_turns":0}');
INSERT INTO made SELECT 'Tk2', turn_compact('Tk', 's2', json_object('keep_turns', 0,
  'summarized_through_turn_id', (SELECT id FROM t WHERE t.name = 'Tk1')));
INSERT INTO want(part, name, arg, expected) VALUES
  ('far back', 'the turns behind it', 'Tk', '[s2] u:Tk2 a:Tk2 u:Tk3 a:Tk3');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'far back';

---- Forks from before, at and after a compaction; no history of the other side

INSERT INTO turnstile SELECT 'session_fork', json_array(t.id, 'F' || t.name) FROM t
  WHERE name IN ('A3', 'A5', 'c1', 'A6', 'c6');
INSERT INTO want(part, name, arg, expected) VALUES
  ('fork', 'before', 'FA3', 'u:A1 a:A1 u:A2 a:A2 u:A3 a:A3'),
  ('fork', 'just before', 'FA5', 'u:A1 a:A1 u:A2 a:A2 u:A3 a:A3 u:A4 a:A4 u:A5 a:A5'),
  ('fork', 'at', 'Fc1', '[sum1] u:A4 a:A4 u:A5 a:A5'),
  ('fork', 'after', 'FA6', '[sum1] u:A4 a:A4 u:A5 a:A5 u:A6 a:A6'),
  ('fork', 'at one that keeps nothing', 'Fc6', '[sum6]');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'fork';
INSERT INTO say VALUES ('FA3', 'f3'), ('FA5', 'f5'), ('Fc1', 'fc1'), ('FA6', 'f6'), ('Fc6', 'fc6');
INSERT INTO made SELECT 'cf3', turn_compact('FA3', 'sumf3', '{"keep_turns":2}');
INSERT INTO want(part, name, arg, expected) VALUES
  ('fork goes on', 'before', '@f3', 'u:A1 a:A1 u:A2 a:A2 u:A3 a:A3 u:f3 a:f3'),
  ('fork goes on', 'just before', '@f5',
   'u:A1 a:A1 u:A2 a:A2 u:A3 a:A3 u:A4 a:A4 u:A5 a:A5 u:f5 a:f5'),
  ('fork goes on', 'at', '@fc1', '[sum1] u:A4 a:A4 u:A5 a:A5 u:fc1 a:fc1'),
  ('fork goes on', 'after', '@f6', '[sum1] u:A4 a:A4 u:A5 a:A5 u:A6 a:A6 u:f6 a:f6'),
  ('fork goes on', 'at one that keeps nothing', '@fc6', '[sum6] u:fc6 a:fc6'),
  ('fork goes on', 'a compaction of its own keeps across the fork', 'FA3',
   '[sumf3] u:A3 a:A3 u:f3 a:f3'),
  ('fork goes on', 'the parent is as it was', 'A', '[sum10]');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'fork goes on';

-- A fork of a fork of a fork; the kept range spans all four branches.
INSERT INTO say VALUES ('G', 'G1'), ('G', 'G2'), ('G', 'G3');
INSERT INTO turnstile SELECT 'session_fork', json_array(id, 'Ga') FROM t WHERE name = 'G2';
INSERT INTO say VALUES ('Ga', 'H1'), ('Ga', 'H2');
INSERT INTO turnstile SELECT 'session_fork', json_array(id, 'Gb') FROM t WHERE name = 'H1';
INSERT INTO say VALUES ('Gb', 'I1'), ('Gb', 'I2');
INSERT INTO turnstile SELECT 'session_fork', json_array(id, 'G3') FROM t WHERE name = 'I1';
INSERT INTO say VALUES ('G3', 'J1');
INSERT INTO want(part, name, arg, expected) VALUES
  ('deep', 'four branches', '@J1', 'u:G1 a:G1 u:G2 a:G2 u:H1 a:H1 u:I1 a:I1 u:J1 a:J1');
INSERT INTO made SELECT 'cj', turn_compact('G3', 'sumj', '{"keep_turns":4}');
INSERT INTO say VALUES ('G3', 'J2');
INSERT INTO want(part, name, arg, expected) VALUES
  ('deep', 'kept across them', '@J2', '[sumj] u:G2 a:G2 u:H1 a:H1 u:I1 a:I1 u:J1 a:J1 u:J2 a:J2'),
  ('deep', 'the others don''t know', 'Gb', 'u:G1 a:G1 u:G2 a:G2 u:H1 a:H1 u:I1 a:I1 u:I2 a:I2');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'deep';

---- Rewinding

SELECT session_rewind('Fc1', (SELECT id FROM t WHERE name = 'A4'));
INSERT INTO want(part, name, arg, expected) VALUES
  ('rewind', 'to before the compaction', 'Fc1', 'u:A1 a:A1 u:A2 a:A2 u:A3 a:A3 u:A4 a:A4');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'rewind';
INSERT INTO say VALUES ('Fc1', 'w1');
INSERT INTO want(part, name, arg, expected) VALUES
  ('rewound', 'and on from there', '@w1', 'u:A1 a:A1 u:A2 a:A2 u:A3 a:A3 u:A4 a:A4 u:w1 a:w1'),
  ('rewound', 'what was left is still there', '@fc1', '[sum1] u:A4 a:A4 u:A5 a:A5 u:fc1 a:fc1');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'rewound';
SELECT session_rewind('FA6', (SELECT id FROM t WHERE name = 'c1'));
INSERT INTO want(part, name, arg, expected) VALUES
  ('to the compaction', 'by label', 'FA6', '[sum1] u:A4 a:A4 u:A5 a:A5');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'to the compaction';

---- Tool calls: order, and results in the same turn

INSERT INTO tell VALUES
  ('T', 'T1', '[{"role":"user","content":"q"},
    {"role":"assistant","content":"look","tool_calls":[{"id":"k1","name":"read","params":{"p":1}},
      {"id":"k2","name":"list"},{"id":"k3","name":"push"}]},
    {"role":"tool","tool_call_id":"k3","content":"r3"},
    {"role":"tool","tool_call_id":"k1","content":"r1"},
    {"role":"tool","tool_call_id":"k2","content":"r2","is_error":true},
    {"role":"assistant","content":"done"}]'),
  ('T', 'T2', '[{"role":"assistant","tool_calls":[{"id":"k1","name":"read","result":"one"}]},
    {"role":"assistant","content":"and","tool_calls":[{"id":"k2","name":"read","error":"gone"}]},
    {"role":"system","content":"note"},
    {"role":"assistant","tool_calls":[{"id":"k3","name":"a","result":""}]},
    {"role":"assistant","tool_calls":[{"id":"k4","name":"b","result":{"n":[1]}}]}]');
INSERT INTO want(part, name, arg, expected) VALUES
  ('calls', 'parallel calls, then their results in their order', '@T1',
   'u:q a:look <k1> <k2> <k3> k1=r1 k2!r2 k3=r3 a:done'),
  ('calls', 'a message between calls parts them, and a result', 'T',
   'u:q a:look <k1> <k2> <k3> k1=r1 k2!r2 k3=r3 a:done'
   || ' <k1-1-0> k1-1-0=one a:and <k2-1-2> k2-1-2!gone s:note <k3-1-4> k3-1-4= <k4> k4={"n":[1]}');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'calls';
SELECT 'a call''s columns', (SELECT json_array(turn_id, sequence, role, content, tool_call_id,
    tool_name, status, created_at) FROM session_context('T') WHERE kind = 'tool_call' LIMIT 1),
  json_array((SELECT id FROM t WHERE name = 'T1'), 2, 'assistant', '{"p":1}', 'k1', 'read',
    'completed', 1000000);
SELECT 'a result''s columns', (SELECT json_array(turn_id, role, content, tool_call_id, tool_name,
    status) FROM session_context('T') WHERE kind = 'tool_result' LIMIT 1),
  json_array((SELECT id FROM t WHERE name = 'T1'), 'tool', 'r1', 'k1', 'read', 'completed');
SELECT 'a failed call''s columns', (SELECT json_array(role, content, status)
    FROM session_context('T') WHERE kind = 'tool_call' AND tool_call_id = 'k2' LIMIT 1),
  json_array('assistant', '{}', 'failed');
SELECT 'positions', (SELECT json_group_array(position) FROM session_context('T')),
  '[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]';

---- Calls that never got a result

INSERT INTO tell VALUES
  ('O', 'O1', '[{"role":"user","content":"q"},
    {"role":"assistant","tool_calls":[{"id":"p1","name":"push"}]}]'),
  ('O', 'O2', '[{"role":"user","content":"go on"},
    {"role":"assistant","content":"two","tool_calls":[{"id":"p2","name":"read","result":"r"},
      {"id":"p3","name":"push"},{"id":"p4","name":"read","result":"s"}]},
    {"role":"assistant","content":"sorry"}]');
INSERT INTO want(part, name, arg, expected) VALUES
  ('open', 'at the end of a turn', '@O1', 'u:q <p1> p1?'),
  ('open', 'in the middle, and of several', 'O',
   'u:q <p1> p1? u:go on a:two <p2> <p3> <p4> p2=r p3? p4=s a:sorry');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'open';
SELECT 'it is told in words',
  (SELECT json_array(role, kind, content, tool_name, status) FROM session_context('O')
   WHERE tool_call_id = 'p1' AND kind <> 'tool_call'),
  json_array('tool', 'tool_result', 'No result: the turn ended before this tool call returned. '
    || 'It may or may not have taken effect.', 'push', 'interrupted');
SELECT 'the call itself is still pending', (SELECT status FROM session_context('O')
  WHERE tool_call_id = 'p1' AND kind = 'tool_call'), 'pending';
SELECT turnstile_config('text.context.interrupted', 'Unbekannt.');
SELECT 'the words are a setting', (SELECT content FROM session_context('O')
  WHERE status = 'interrupted' LIMIT 1), 'Unbekannt.';
SELECT turnstile_config('text.context.interrupted', 'Bei O.', '{"session":"O"}');
SELECT 'also of one session', (SELECT content FROM session_context('O')
  WHERE status = 'interrupted' LIMIT 1), 'Bei O.';
SELECT turnstile_config('text.context.interrupted', NULL, '{"session":"O","reset":1}');
SELECT turnstile_config('text.context.interrupted', NULL, '{"reset":1}');
SELECT 'reading wrote nothing', (SELECT group_concat(status) FROM tool_calls
  WHERE id IN ('p1', 'p3')), 'pending,pending';

---- Results in a later turn

INSERT INTO tell VALUES
  ('L', 'L1', '[{"role":"user","content":"q"},
    {"role":"assistant","tool_calls":[{"id":"l1","name":"a"},{"id":"l2","name":"b"},
      {"id":"l3","name":"c","result":"r3"}]}]'),
  ('L', 'L2', '[{"role":"tool","tool_call_id":"l2","content":"r2"},
    {"role":"user","content":"and"}]');
INSERT INTO want(part, name, arg, expected) VALUES
  ('later', 'before it came', '@L1', 'u:q <l1> <l2> <l3> l1? l2? l3=r3'),
  ('later', 'one came, one did not', '@L2', 'u:q <l1> <l2> <l3> l1? l2=r2 l3=r3 u:and');
INSERT INTO tell VALUES
  ('L', 'L3', '[{"role":"tool","tool_call_id":"l1","content":"no","is_error":1}]');
INSERT INTO want(part, name, arg, expected) VALUES
  ('later', 'both, in two turns', 'L', 'u:q <l1> <l2> <l3> l1? l2=r2 l3=r3 u:and late:l1!no');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'later';
SELECT 'a later result''s columns', (SELECT json_array(turn_id, sequence, role, content,
    tool_call_id, tool_name, status) FROM session_context('L') WHERE content = 'r2'),
  json_array((SELECT id FROM t WHERE name = 'L2'), 0, 'tool', 'r2', 'l2', 'b', 'completed');
SELECT 'the shared turn was not changed', (SELECT group_concat(status || quote(result))
  FROM tool_calls WHERE turn_id = (SELECT id FROM t WHERE name = 'L1')),
  'pendingNULL,pendingNULL,completed''r3''';

-- One fork answers, another does not, a third answers differently.
INSERT INTO turnstile SELECT 'session_fork', json_array(t.id, value)
  FROM t, json_each('["LF","LG"]') WHERE name = 'L1';
INSERT INTO say VALUES ('LF', 'LF1');
INSERT INTO tell VALUES
  ('LG', 'LG1', '[{"role":"tool","tool_call_id":"l1","content":"other"}]');
INSERT INTO want(part, name, arg, expected) VALUES
  ('sides', 'the fork that got none', 'LF', 'u:q <l1> <l2> <l3> l1? l2? l3=r3 u:LF1 a:LF1'),
  ('sides', 'the fork that got its own', 'LG', 'u:q <l1> <l2> <l3> l1=other l2? l3=r3'),
  ('sides', 'the session they left', '@L3', 'u:q <l1> <l2> <l3> l1? l2=r2 l3=r3 u:and late:l1!no'),
  ('sides', 'the turn they share', '@L1', 'u:q <l1> <l2> <l3> l1? l2? l3=r3');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'sides';

-- Equal call ids in several turns: each result belongs to the newest open one.
INSERT INTO tell VALUES
  ('E', 'E1', '[{"role":"assistant","tool_calls":[{"id":"call_0","name":"a"}]}]'),
  ('E', 'E2', '[{"role":"tool","tool_call_id":"call_0","content":"one"},
     {"role":"assistant","content":"next"}]'),
  ('E', 'E3', '[{"role":"assistant","tool_calls":[{"id":"call_0","name":"b"}]}]'),
  ('E', 'E4', '[{"role":"tool","tool_call_id":"call_0","content":"two"}]');
INSERT INTO want(part, name, arg, expected) VALUES
  ('again', 'an id used again', 'E', '^ <call_0> call_0=one a:next <call_0-2-0> call_0-2-0=two');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'again';
SELECT 'each with its own tool', (SELECT group_concat(tool_name) FROM session_context('E')
  WHERE kind = 'tool_result'), 'a,b';

-- An open call, and later one of the same id that is answered: the open one is still open.
INSERT INTO tell VALUES
  ('E2', 'E21', '[{"role":"assistant","tool_calls":[{"id":"call_1","name":"a"}]}]'),
  ('E2', 'E22', '[{"role":"user","content":"go on"},
     {"role":"assistant","tool_calls":[{"id":"call_1","name":"b"}]}]'),
  ('E2', 'E23', '[{"role":"tool","tool_call_id":"call_1","content":"one"}]');
INSERT INTO want(part, name, arg, expected) VALUES
  ('twice', 'one open, one answered', 'E2', '^ <call_1> call_1? u:go on <call_1-1-1> call_1-1-1=one');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'twice';

-- An answer in a turn that failed is none; the next turn can give it.
INSERT INTO tell VALUES
  ('E3', 'E31', '[{"role":"assistant","tool_calls":[{"id":"e3","name":"a"}]}]');
CREATE TEMP TABLE gone AS SELECT turn_begin('E3', 'A1',
  '{"messages":[{"role":"tool","tool_call_id":"e3","content":"lost"}]}') AS r;
SELECT turn_fail(r ->> '$.turn', r ->> '$.token', 'x') FROM gone;
INSERT INTO want(part, name, arg, expected) VALUES
  ('failed answer', 'it is none', '@E31', '^ <e3> e3?');
SELECT 'failed answer: by label', (SELECT group_concat(ifnull(status, ''))
  FROM session_context('E3') WHERE kind <> 'opening'), 'pending,interrupted';
INSERT INTO tell VALUES ('E3', 'E32', '[{"role":"tool","tool_call_id":"e3","content":"ok"}]');
INSERT INTO want(part, name, arg, expected) VALUES
  ('failed answer', 'the next turn gives it', 'E3', '^ <e3> e3=ok');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'failed answer';

---- A call and its result on two sides of the cut

INSERT INTO say VALUES ('K', 'K1'), ('K', 'K2'), ('K', 'K3'), ('K', 'K4');
INSERT INTO tell VALUES
  ('K', 'K5', '[{"role":"user","content":"K5"},
     {"role":"assistant","tool_calls":[{"id":"k","name":"push"}]}]'),
  ('K', 'K6', '[{"role":"tool","tool_call_id":"k","content":"ok"},
     {"role":"assistant","content":"K6"}]');
INSERT INTO say VALUES ('K', 'K7'), ('K', 'K8');
-- One fork per way to cut, all from K8.
CREATE TEMP TABLE cut(label TEXT PRIMARY KEY, options, moved, expected);
INSERT INTO cut VALUES
  ('keep_turns 2', '{"keep_turns":2}', 0, '[s] u:K7 a:K7 u:K8 a:K8'),
  ('keep_turns 3', '{"keep_turns":3}', 1, '[s] u:K5 <k> k=ok a:K6 u:K7 a:K7 u:K8 a:K8'),
  ('keep_turns 4', '{"keep_turns":4}', 0, '[s] u:K5 <k> k=ok a:K6 u:K7 a:K7 u:K8 a:K8'),
  ('keep_tokens 20', '{"keep_tokens":20}', 0, '[s] u:K7 a:K7 u:K8 a:K8'),
  ('keep_tokens 29', '{"keep_tokens":29}', 0, '[s] u:K7 a:K7 u:K8 a:K8'),
  ('keep_tokens 30', '{"keep_tokens":30}', 1, '[s] u:K5 <k> k=ok a:K6 u:K7 a:K7 u:K8 a:K8'),
  ('keep_tokens 40', '{"keep_tokens":40}', 0, '[s] u:K5 <k> k=ok a:K6 u:K7 a:K7 u:K8 a:K8'),
  ('first kept K5', json_object('first_kept_turn_id', (SELECT id FROM t WHERE name = 'K5')), 0,
   '[s] u:K5 <k> k=ok a:K6 u:K7 a:K7 u:K8 a:K8'),
  ('first kept K6', json_object('first_kept_turn_id', (SELECT id FROM t WHERE name = 'K6')), 1,
   '[s] u:K5 <k> k=ok a:K6 u:K7 a:K7 u:K8 a:K8'),
  ('first kept K7', json_object('first_kept_turn_id', (SELECT id FROM t WHERE name = 'K7')), 0,
   '[s] u:K7 a:K7 u:K8 a:K8'),
  ('nothing', '{"keep_turns":0}', 0, '[s]');
INSERT INTO turnstile SELECT 'session_fork', json_array(id, label) FROM t, cut WHERE t.name = 'K8';
INSERT INTO made SELECT label, turn_compact(label, 's', options) FROM cut;
SELECT 'cut by ' || label || ': moved', result ->> '$.moved', moved
  FROM made JOIN cut ON label = name;
INSERT INTO want(part, name, arg, expected) SELECT 'cut', label, label, expected FROM cut;
SELECT part || ' by ' || name, got, expected FROM seen WHERE part = 'cut';

-- A chain: k in K5 with its result in K6, which makes a call that K7' answers. All three stay.
INSERT INTO say VALUES ('Q', 'Q1'), ('Q', 'Q2');
INSERT INTO tell VALUES
  ('Q', 'Q3', '[{"role":"assistant","tool_calls":[{"id":"qa","name":"a"}]}]'),
  ('Q', 'Q4', '[{"role":"tool","tool_call_id":"qa","content":"1"},
    {"role":"assistant","tool_calls":[{"id":"qb","name":"b"}]}]'),
  ('Q', 'Q5', '[{"role":"tool","tool_call_id":"qb","content":"2"},
    {"role":"assistant","tool_calls":[{"id":"qc","name":"c"}]}]'),
  ('Q', 'Q6', '[{"role":"tool","tool_call_id":"qc","content":"3"}]');
INSERT INTO made SELECT 'cq', turn_compact('Q', 's', '{"keep_turns":1}');
INSERT INTO want(part, name, arg, expected) VALUES
  ('chain', 'the boundary moves as far as it has to', '@cq',
   '[s] <qa> qa=1 <qb> qb=2 <qc> qc=3');
-- An answer to a call further back is told in words: the two need not be kept together.
INSERT INTO tell VALUES ('P', 'P1', '[{"role":"user","content":"P1"},
  {"role":"assistant","tool_calls":[{"id":"pa","name":"a"}]}]');
INSERT INTO say VALUES ('P', 'P2'), ('P', 'P3');
INSERT INTO tell VALUES ('P', 'P4', '[{"role":"tool","tool_call_id":"pa","content":"ok"}]');
INSERT INTO say VALUES ('P', 'P5');
INSERT INTO made SELECT 'cp', turn_compact('P', 's', '{"keep_turns":3}');
INSERT INTO want(part, name, arg, expected) VALUES
  ('chain', 'over turns in between', '@cp', '[s] u:P3 a:P3 late:pa=ok u:P5 a:P5');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'chain';

-- One turn answers calls of two turns, of which the older is summarised already.
INSERT INTO tell VALUES
  ('S', 'S1', '[{"role":"assistant","tool_calls":[{"id":"sa","name":"a"}]}]');
INSERT INTO made SELECT 'cs1', turn_compact('S', 's', '{"keep_turns":0}');
INSERT INTO say VALUES ('S', 'S1b');
INSERT INTO tell VALUES
  ('S', 'S2', '[{"role":"assistant","tool_calls":[{"id":"sb","name":"b"}]}]');
INSERT INTO tell VALUES ('S', 'S4', '[{"role":"tool","tool_call_id":"sa","content":"1"},
  {"role":"tool","tool_call_id":"sb","content":"2"}]');
INSERT INTO say VALUES ('S', 'S5');
CREATE TEMP TABLE two AS SELECT kind, tool_call_id, content FROM session_context('S');
SELECT 'two answers: the younger call is shown', (SELECT group_concat(kind) FROM two
  WHERE tool_call_id = 'sb'), 'tool_call,tool_result';
SELECT 'two answers, a budget that splits: fewer turns', (SELECT group_concat(content, ' ')
  FROM session_context('S', 30)), 's S5 S5';
INSERT INTO made SELECT 'cs2', turn_compact('S', 's2', '{"keep_turns":2}');
SELECT 'two answers, a compaction that splits: moved', json_array(result ->> '$.moved',
  result ->> '$.first_kept_turn_id' = (SELECT id FROM t WHERE t.name = 'S2')), '[1,1]'
  FROM made WHERE name = 'cs2';
SELECT 'two answers, after it: the pair', (SELECT group_concat(kind) FROM session_context('S')
  WHERE tool_call_id = 'sb'), 'tool_call,tool_result';

-- The turn to keep from lies before what is shown, and answers a call still further up.
INSERT INTO turnstile SELECT 'session_fork', json_array(id, 'back') FROM t WHERE name = 'K8';
SELECT turn_compact('back', 's', '{"keep_turns":2}');
INSERT INTO made SELECT 'back', turn_compact('back', 's', json_object('first_kept_turn_id',
  (SELECT id FROM t WHERE name = 'K6')));
SELECT 'further back than shown: moved too', result ->> '$.moved', 1 FROM made WHERE name = 'back';
INSERT INTO want(part, name, arg, expected) VALUES
  ('back', 'the pair', 'back', '[s] u:K5 <k> k=ok a:K6 u:K7 a:K7 u:K8 a:K8');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'back';

-- The pair lies on both sides of an older compaction.
INSERT INTO say VALUES ('D', 'D1'), ('D', 'D2');
INSERT INTO tell VALUES
  ('D', 'D3', '[{"role":"assistant","tool_calls":[{"id":"d","name":"push"}]}]');
INSERT INTO made SELECT 'cd1', turn_compact('D', 'sd1', '{"keep_turns":2}');
INSERT INTO tell VALUES ('D', 'D4', '[{"role":"tool","tool_call_id":"d","content":"ok"}]');
INSERT INTO say VALUES ('D', 'D5');
INSERT INTO want(part, name, arg, expected) VALUES
  ('around', 'a kept call, answered later', '@D5', '[sd1] u:D2 a:D2 <d> d=ok u:D5 a:D5');
INSERT INTO made SELECT 'cd2', turn_compact('D', 'sd2', '{"keep_turns":2}');
INSERT INTO want(part, name, arg, expected) VALUES
  ('around', 'kept together across the older summary', '@cd2', '[sd2] <d> d=ok u:D5 a:D5');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'around';

-- The result arrives after the compaction that summarised its call.
INSERT INTO say VALUES ('N', 'N1');
INSERT INTO tell VALUES
  ('N', 'N2', '[{"role":"assistant","tool_calls":[{"id":"n","name":"deploy"},
    {"id":"nn","name":"deploy"}]}]');
INSERT INTO made SELECT 'cn', turn_compact('N', 's', '{"keep_turns":0}');
INSERT INTO tell VALUES ('N', 'N4', '[{"role":"tool","tool_call_id":"n","content":"live"},
  {"role":"tool","tool_call_id":"nn","content":"down","is_error":true},
  {"role":"assistant","content":"good"}]');
SELECT turnstile_config('text.context.orphan_result', 'Nachgereicht:');
SELECT turnstile_config('text.context.orphan_error', 'Leider:');
SELECT 'late: kinds and roles', (SELECT group_concat(kind || ' ' || role, ', ')
    FROM session_context('N')), 'summary user, message user, message user, message assistant';
SELECT 'late: no tool call id', (SELECT count(tool_call_id) FROM session_context('N')), 0;
SELECT 'late: its turn and place', (SELECT json_array(turn_id, sequence) FROM session_context('N')
  WHERE position = 1), json_array((SELECT id FROM t WHERE name = 'N4'), 0);
SELECT 'late: told with what came', (SELECT content FROM session_context('N')
  WHERE position = 1), 'Nachgereicht:' || char(10) || 'live';
SELECT 'late: and that it failed', (SELECT content FROM session_context('N')
  WHERE position = 2), 'Leider:' || char(10) || 'down';
SELECT turnstile_config('text.context.orphan_result', NULL, '{"reset":1}');
SELECT turnstile_config('text.context.orphan_error', NULL, '{"reset":1}');
SELECT 'late: by default', (SELECT group_concat(content, '/') FROM session_context('N')
  WHERE position IN (1, 2)),
  'The result of an earlier tool call, which is no longer shown:' || char(10) || 'live/'
  || 'The error of an earlier tool call, which is no longer shown:' || char(10) || 'down';
-- The words count, too: 17 tokens with what came, beside 1 for each of the others.
SELECT turn_append('W', '[{"role":"user","content":"W1"},{"role":"assistant","content":"x"}]');
SELECT turn_append('W', '[{"role":"assistant","tool_calls":[{"id":"w","name":"deploy"}]}]');
SELECT turn_compact('W', 's', '{"keep_turns":0}');
SELECT turn_append('W', '[{"role":"tool","tool_call_id":"w","content":"live"},
  {"role":"assistant","content":"good"}]');
SELECT turn_append('W', '[{"role":"user","content":"W3"},{"role":"assistant","content":"x"}]');
SELECT 'late: with a budget of ' || column1,
  (SELECT json_array(count(*), sum(tokens)) FROM session_context('W', column1)), column2
FROM (VALUES (0, '[0,null]'), (1, '[1,1]'), (2, '[1,1]'), (3, '[3,3]'), (20, '[3,3]'),
  (21, '[5,21]'), (22, '[5,21]'));
SELECT 'late: the size of the context', session_usage('W') ->> '$.context_tokens', 21;
SELECT 'late: does it need a compaction', session_needs_compaction('W', 24)
  || session_needs_compaction('W', 25), '10';
-- A compaction that reaches back behind it has both again.
INSERT INTO made SELECT 'cn2', turn_compact('N', 's2',
  json_object('first_kept_turn_id', (SELECT id FROM t WHERE name = 'N2')));
INSERT INTO want(part, name, arg, expected) VALUES
  ('late', 'both again', '@cn2', '[s2] <n> <nn> n=live nn!down a:good');
-- One that would keep the result only by its turn would get the call too, and stand for nothing.
SELECT 'late: kept together', error_of('SELECT turn_compact(''N'', ''x'', ''{"keep_turns":1}'')'),
  'turn_compact: the summary would stand for no turn: all that the context shows is kept, '
  || 'because a tool call and its result stay together; keep less';
-- Who does not say how much is to be kept is not refused because of a pair: fewer turns are kept, or none.
INSERT INTO turnstile VALUES ('turn_append', '["pair","[{\"role\":\"user\",\"content\":\"list\"},{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"k\",\"name\":\"ls\"}]}]"]'),
  ('turn_append', '["pair","[{\"role\":\"tool\",\"tool_call_id\":\"k\",\"content\":\"a.c\"}]"]');
CREATE TEMP TABLE by_default AS SELECT turn_compact('pair', 'x') AS d;
SELECT 'by default a pair is summarised', json_extract(d, '$.turns_summarized', '$.turns_kept', '$.moved'), '[2,0,true]' FROM by_default;
SELECT 'and nothing else is shown', group_concat(content), 'x' FROM session_context('pair');
INSERT INTO turnstile VALUES ('turn_append', '["three","[{\"role\":\"user\",\"content\":\"list\"},{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"k\",\"name\":\"ls\"}]}]",{"tokens":10}]'),
  ('turn_append', '["three","[{\"role\":\"tool\",\"tool_call_id\":\"k\",\"content\":\"a.c\"}]",{"tokens":10}]'),
  ('turn_append', '["three","[{\"role\":\"user\",\"content\":\"and now\"}]",{"tokens":11}]');
SELECT 'what stands behind it is kept', json_extract(turn_compact('three', 'x', '{"model_limit":1000}'), '$.turns_summarized', '$.turns_kept'), '[2,1]';
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'late';

-- The call was summarised before, and a kept turn answers it.
INSERT INTO tell VALUES
  ('M', 'M1', '[{"role":"assistant","tool_calls":[{"id":"m","name":"deploy"}]}]');
INSERT INTO made SELECT 'cm1', turn_compact('M', 's1', '{"keep_turns":0}');
INSERT INTO tell VALUES ('M', 'M2', '[{"role":"tool","tool_call_id":"m","content":"live"}]');
INSERT INTO say VALUES ('M', 'M3');
INSERT INTO made SELECT 'cm2', turn_compact('M', 's2', '{"keep_turns":1}');
SELECT 'a result whose call was summarised before: pair or message, never half',
  (SELECT count(*) FROM session_context('M') WHERE kind <> 'summary' AND content NOT LIKE 'M3'), 0;

---- Budgets

INSERT INTO say VALUES ('B', 'B1'), ('B', 'B2'), ('B', 'B3'), ('B', 'B4');
INSERT INTO want(part, name, arg, budget, expected) VALUES
  ('budget', 'all, exactly', 'B', 40, 'u:B1 a:B1 u:B2 a:B2 u:B3 a:B3 u:B4 a:B4'),
  ('budget', 'one token less', 'B', 39, 'u:B2 a:B2 u:B3 a:B3 u:B4 a:B4'),
  ('budget', 'two, exactly', 'B', 20, 'u:B3 a:B3 u:B4 a:B4'),
  ('budget', 'two, one token less', 'B', 19, 'u:B4 a:B4'),
  ('budget', 'the newest, exactly', 'B', 10, 'u:B4 a:B4'),
  ('budget', 'not even the newest', 'B', 9, NULL),
  ('budget', 'nothing', 'B', 0, NULL),
  ('budget', 'huge', 'B', 9007199254740991, 'u:B1 a:B1 u:B2 a:B2 u:B3 a:B3 u:B4 a:B4'),
  ('budget', 'NULL is none', 'B', NULL, 'u:B1 a:B1 u:B2 a:B2 u:B3 a:B3 u:B4 a:B4'),
  ('budget', 'of a turn', '@B3', 25, 'u:B2 a:B2 u:B3 a:B3');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'budget';
SELECT 'a negative budget', error_of('SELECT * FROM session_context(''B'', -1)')
  LIKE 'session_context: token_budget must be %', 1;
SELECT 'a budget in words', error_of('SELECT * FROM session_context(''B'', ''much'')')
  LIKE 'session_context: token_budget must be %', 1;
SELECT 'half a token', error_of('SELECT * FROM session_context(''B'', 10.5)')
  LIKE 'session_context: token_budget must be %', 1;
SELECT 'the error says what came: ' || column1,
  replace(error_of('SELECT * FROM ' || column1),
    'token_budget must be a number of tokens, an integer from 0', 'BUDGET'), column2
FROM (VALUES
  ('session_context(''B'', -1)', 'session_context: BUDGET, not -1'),
  ('session_context(''B'', ''much'')', 'session_context: BUDGET, not ''much'''),
  ('session_context(''B'', 10.5)', 'session_context: BUDGET, not 10.5'),
  ('session_context(''B'', x''00'')', 'session_context: BUDGET, not a blob'),
  ('session_context(1.5)', 'session_context: it needs a session''s label or a turn''s id, not 1.5'),
  ('session_context(x''00'')',
   'session_context: it needs a session''s label or a turn''s id, not a blob'),
  ('session_context', 'session_context: it needs a session''s label or a turn''s id'),
  ('turn_path(1.5)', 'turn_path: it needs a session''s label or a turn''s id, not 1.5'),
  ('turn_path', 'turn_path: it needs a session''s label or a turn''s id'),
  ('turn_tree(''B'')', 'turn_tree: it needs the id of a turn, not ''B'''));
SELECT 'by name', (SELECT count(*) FROM session_context('B') WHERE token_budget = 20), 4;

-- The summary, 40 bytes and so 10 tokens, counts first.
INSERT INTO made SELECT 'cb1', turn_compact('B', printf('%.40c', 's'), '{"keep_turns":3}');
INSERT INTO say VALUES ('B', 'B5');
CREATE TEMP VIEW s40(s) AS SELECT '[' || printf('%.40c', 's') || '] ';
INSERT INTO want(part, name, arg, budget, expected)
  SELECT 'summary', 'all, exactly', 'B', 50, s || 'u:B2 a:B2 u:B3 a:B3 u:B4 a:B4 u:B5 a:B5' FROM s40
  UNION ALL SELECT 'summary', 'one less', 'B', 49, s || 'u:B3 a:B3 u:B4 a:B4 u:B5 a:B5' FROM s40
  UNION ALL SELECT 'summary', 'with one turn', 'B', 20, s || 'u:B5 a:B5' FROM s40
  UNION ALL SELECT 'summary', 'with no turn', 'B', 19, trim(s) FROM s40
  UNION ALL SELECT 'summary', 'alone, exactly', 'B', 10, trim(s) FROM s40
  UNION ALL SELECT 'summary', 'nothing fits', 'B', 9, NULL FROM s40
  UNION ALL SELECT 'summary', 'nothing', 'B', 0, NULL FROM s40
  UNION ALL SELECT 'summary', 'all of it', '@cb1', NULL,
    s || 'u:B2 a:B2 u:B3 a:B3 u:B4 a:B4' FROM s40
  UNION ALL SELECT 'summary', 'of the compaction', '@cb1', 30, s || 'u:B3 a:B3 u:B4 a:B4' FROM s40;
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'summary';

-- A summary that is larger than the budget is left out, and the turns have it all.
INSERT INTO made SELECT 'cb2', turn_compact('B', printf('%.400c', 's'), '{"keep_turns":2}');
INSERT INTO say VALUES ('B', 'B6');
INSERT INTO want(part, name, arg, budget, expected) VALUES
  ('left out', 'turns without it', 'B', 99, 'u:B4 a:B4 u:B5 a:B5 u:B6 a:B6'),
  ('left out', 'two turns without it', 'B', 29, 'u:B5 a:B5 u:B6 a:B6'),
  ('left out', 'it fits, alone', 'B', 100, '[' || printf('%.400c', 's') || ']'),
  ('left out', 'it fits, with one', 'B', 110, '[' || printf('%.400c', 's') || '] u:B6 a:B6');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'left out';

-- A compaction in between costs nothing: what is not shown is not counted.
INSERT INTO made SELECT 'cb3', turn_compact('B', 'new!',
  json_object('first_kept_turn_id', (SELECT id FROM t WHERE name = 'B3')));
INSERT INTO want(part, name, arg, budget, expected) VALUES
  ('in between', 'all, exactly', 'B', 41, '[new!] u:B3 a:B3 u:B4 a:B4 u:B5 a:B5 u:B6 a:B6'),
  ('in between', 'one less', 'B', 40, '[new!] u:B4 a:B4 u:B5 a:B5 u:B6 a:B6');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'in between';

-- A large turn ends the list: what is older is not tried.
INSERT INTO turnstile VALUES
  ('turn_append', '["Z",[{"role":"user","content":"z1"}],{"tokens":5,"external_id":"Z1"}]'),
  ('turn_append', '["Z",[{"role":"user","content":"z2"}],{"tokens":100,"external_id":"Z2"}]'),
  ('turn_append', '["Z",[{"role":"user","content":"z3"}],{"tokens":5,"external_id":"Z3"}]'),
  ('turn_append', '["Z",[{"role":"user","content":"z4"}],{"tokens":0,"external_id":"Z4"}]');
INSERT INTO want(part, name, arg, budget, expected) VALUES
  ('large', 'no gaps', 'Z', 50, 'u:z3 u:z4'), ('large', 'with it', 'Z', 105, 'u:z2 u:z3 u:z4'),
  ('large', 'all', 'Z', 110, 'u:z1 u:z2 u:z3 u:z4');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'large';

-- A cut never splits a call from its result: then fewer turns.
INSERT INTO want(part, name, arg, budget, expected) VALUES
  ('pairs', 'both fit', 'K', 40, 'u:K5 <k> k=ok a:K6 u:K7 a:K7 u:K8 a:K8'),
  ('pairs', 'the call does not', 'K', 39, 'u:K7 a:K7 u:K8 a:K8'),
  ('pairs', 'the result''s turn would', 'K', 30, 'u:K7 a:K7 u:K8 a:K8'),
  ('pairs', 'neither', 'K', 29, 'u:K7 a:K7 u:K8 a:K8'),
  ('pairs', 'a chain whole', '@Q6', 40, '^ <qa> qa=1 <qb> qb=2 <qc> qc=3'),
  ('pairs', 'a chain that does not fit', '@Q6', 39, NULL),
  ('pairs', 'one that is told in words is none', '@P5', 49,
   'u:P2 a:P2 u:P3 a:P3 late:pa=ok u:P5 a:P5'),
  ('pairs', 'and all of it', '@P5', 50,
   'u:P1 <pa> pa? u:P2 a:P2 u:P3 a:P3 late:pa=ok u:P5 a:P5'),
  ('pairs', 'an open call is no pair', '@O2', 10,
   'u:go on a:two <p2> <p3> <p4> p2=r p3? p4=s a:sorry');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'pairs';

---- Sizes

INSERT INTO turnstile VALUES ('turn_append', '["size",[{"role":"user","content":" \u00a0\n"},
  {"role":"user","content":"abcd"},{"role":"user","content":"abcde"},
  {"role":"user","content":"ääää"},{"role":"user","content":{"a":1}}],{"external_id":"size"}]');
SELECT 'four bytes are a token, rounded up',
  (SELECT json_group_array(tokens) FROM session_context('size')), '[1,2,2,2]';
SELECT 'a turn is the sum', (SELECT thread_tokens FROM turns WHERE external_id = 'size'), 7;
INSERT INTO want(part, name, arg, budget, expected) VALUES
  ('size', 'fits', 'size', 7, 'u:abcd u:abcde u:ääää u:{"a":1}'),
  ('size', 'does not', 'size', 6, NULL);
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'size';
SELECT 'a summary''s tokens', (SELECT tokens FROM session_context('B') WHERE kind = 'summary'), 1;

---- Contents

INSERT INTO tell VALUES
  ('C', 'C1', '[{"role":"user","content":"","metadata":{"from": "wa"},"source":"agent"},
    {"role":"assistant","content":[{"type":"text","text":"hi there"}]},
    {"role":"system","content":{"a":null}},{"role":"user","content":"line 1\nline \"2\""},
    {"role":"user","content":"a\u0000b"},{"role":"user","content":"🙂","created_at":77}]');
SELECT 'contents as they were', (SELECT json_group_array(content) FROM session_context('C')),
  json_array('(no text)', '[{"type":"text","text":"hi there"}]', '{"a":null}',
    'line 1' || char(10) || 'line "2"', 'a' || char(65533) || 'b', '🙂');
SELECT 'JSON content is text', (SELECT group_concat(DISTINCT typeof(content))
  FROM session_context('C')), 'text';
SELECT 'metadata, as JSON', (SELECT json_array(metadata, source) FROM session_context('C')
  WHERE position = 0), json_array('{"from":"wa"}', 'agent');
SELECT 'created_at', (SELECT json_group_array(created_at) FROM session_context('C')),
  '[1000000,1000000,1000000,1000000,1000000,77]';
SELECT turn_append('C', CAST(x'5b7b22726f6c65223a2275736572222c22636f6e74656e74223a2261ff62227d5d'
  AS TEXT));
SELECT 'bytes that are no UTF-8 become the replacement character', (SELECT content
  FROM session_context('C') ORDER BY position DESC LIMIT 1), 'a' || char(65533) || 'b';
INSERT INTO made SELECT 'cc',
  turn_compact('C', CAST(x'73ff00' AS TEXT) || 'um', '{"keep_turns":0}');
SELECT 'also in a summary', (SELECT content FROM session_context('C')),
  's' || char(65533, 65533) || 'um';

---- A live run

INSERT INTO say VALUES ('X', 'X1'), ('X', 'X2'), ('X', 'X3');
CREATE TEMP TABLE run AS
  SELECT turn_begin('X', 'A1', '{"messages":[{"role":"user","content":"x4"}],"lease":"60s"}') AS r;
CREATE TEMP VIEW live(turn, token) AS SELECT r ->> '$.turn', r ->> '$.token' FROM run;
INSERT INTO want(part, name, arg, expected) VALUES
  ('run', 'its inputs', 'X', 'u:X1 a:X1 u:X2 a:X2 u:X3 a:X3 u:x4'),
  ('run', 'the head, as a turn', '@X3', 'u:X1 a:X1 u:X2 a:X2 u:X3 a:X3');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'run';
SELECT turn_message(turn, token, '{"role":"assistant","content":"look"}') FROM live;
SELECT turn_tool_call(turn, token, 'x1', 'read') FROM live;
SELECT turn_tool_call(turn, token, 'x2', 'push') FROM live;
SELECT turn_tool_result(turn, token, 'x1', 'r1') FROM live;
INSERT INTO want(part, name, arg, expected) VALUES
  ('mid-run', 'calls that wait for results are not shown yet', 'X',
   'u:X1 a:X1 u:X2 a:X2 u:X3 a:X3 u:x4 a:look');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'mid-run';
SELECT 'the running turn by its id', (SELECT group_concat(kind || ' ' || content, ', ')
  FROM session_context((SELECT turn FROM live))
  WHERE turn_id = (SELECT turn FROM live)),
  'message x4, message look';
SELECT 'a budget counts it', (SELECT group_concat(content, ' ') FROM session_context('X',
  (SELECT sum(tokens) + 10 FROM session_context('X') WHERE turn_id = (SELECT turn FROM live)))
  WHERE kind = 'message'), 'X3 X3 x4 look';
SELECT session_fork((SELECT id FROM t WHERE name = 'X3'), 'XF');
SELECT 'forks don''t see it', (SELECT group_concat(content, ' ') FROM session_context('XF')),
  'X1 X1 X2 X2 X3 X3';
SELECT turnstile_clock(1060001);
SELECT 'when its lease has run out it is shown as one that failed', (SELECT group_concat(content, ' ')
  FROM session_context('X') WHERE status IS NOT 'interrupted'), 'X1 X1 X2 X2 X3 X3 x4 look {} {} r1';
SELECT 'when its lease has run out a call is interrupted', (SELECT group_concat(status)
  FROM session_context('X') WHERE kind = 'tool_result' AND turn_id = (SELECT turn FROM live)), 'completed,interrupted';
CREATE TEMP TABLE run_out AS SELECT group_concat(json_array(kind, role, content, status, tokens), ' ') AS shown,
  session_usage('X') ->> '$.context_tokens' AS size FROM session_context('X');
SAVEPOINT taken;
SELECT turn_begin('X', 'B', '{"messages":[{"role":"user","content":"next"}]}') IS NOT NULL;
SELECT 'when its lease has run out the next one is shown the same', (SELECT group_concat(json_array(kind, role, content,
  status, tokens), ' ') FROM session_context('X') WHERE content IS NOT 'next'), shown FROM run_out;
SELECT 'when its lease has run out it counts', size, (session_usage('X') ->> '$.context_tokens') - 1 FROM run_out;
ROLLBACK TO taken;
RELEASE taken;
SELECT turnstile_clock(1000000);
SELECT turn_abort(turn, token, 'stop') FROM live;
INSERT INTO want(part, name, arg, expected) VALUES
  ('aborted', 'kept, and its open call told', 'X',
   'u:X1 a:X1 u:X2 a:X2 u:X3 a:X3 u:x4 a:look <x1> <x2> x1=r1 x2?');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'aborted';
INSERT INTO say VALUES ('X', 'X5');
INSERT INTO want(part, name, arg, expected) VALUES
  ('aborted later', 'by the turns after it', '@X5',
   'u:X1 a:X1 u:X2 a:X2 u:X3 a:X3 u:x4 a:look <x1> <x2> x1=r1 x2? u:X5 a:X5');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'aborted later';

-- A turn that failed is off the path; its output is shown until a turn goes on from there.
UPDATE run SET r =
  turn_begin('X', 'A1', '{"messages":[{"role":"user","content":"x6"}],"external_id":"X6"}');
SELECT turn_tool_call(turn, token, 'y1', 'push') FROM live;
SELECT turn_fail(turn, token, 'out of credit') FROM live;
INSERT INTO want(part, name, arg, budget, expected) VALUES
  ('failed', 'the next turn will know of it', 'X', 36, 'u:X5 a:X5 u:x6 <y1> y1?'),
  ('failed', 'it is the newest', 'X', 34, 'u:x6 <y1> y1?'),
  ('failed', 'without it nothing', 'X', 1, NULL);
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'failed';
SELECT 'failed: by its id', (SELECT group_concat(kind || ' ' || content, ', ')
  FROM session_context((SELECT turn FROM live)) WHERE turn_id = (SELECT turn FROM live)),
  'message x6, tool_call {}, tool_result No result: the turn ended before this tool call returned. '
    || 'It may or may not have taken effect.';

-- A run answers a call of the turn before.
INSERT INTO tell VALUES ('Y', 'Y1', '[{"role":"user","content":"q"},
  {"role":"assistant","tool_calls":[{"id":"y","name":"ask"},{"id":"yy","name":"ask"}]}]');
UPDATE run SET r = turn_begin('Y', 'A1', '{"external_id":"Y2","messages":
  [{"role":"tool","tool_call_id":"y","content":"yes"}]}');
INSERT INTO want(part, name, arg, expected) VALUES
  ('answer', 'during the run', 'Y', 'u:q <y> <yy> y=yes yy?');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'answer';
SELECT turn_complete(turn, token, '{"content":"thanks"}') FROM live;
INSERT INTO want(part, name, arg, expected) VALUES
  ('answered', 'after it', '@Y2', 'u:q <y> <yy> y=yes yy? a:thanks'),
  ('answered', 'the turn before', '@Y1', 'u:q <y> <yy> y? yy?');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'answered';

---- Steps of calls, and what is shown while a turn runs

-- What a context shows is the beginning of what it shows later, after every command of the run.
CREATE TEMP TABLE shown(n INTEGER PRIMARY KEY, label, line);
CREATE TEMP VIEW look(label) AS SELECT NULL WHERE 0;
CREATE TEMP TRIGGER look_at INSTEAD OF INSERT ON look BEGIN
  INSERT INTO want(part, name, arg) VALUES ('look', 'x', NEW.label);
  INSERT INTO shown(label, line) SELECT NEW.label, got FROM seen WHERE part = 'look';
  DELETE FROM want WHERE part = 'look';
END;
INSERT INTO say VALUES ('ST', 'ST1');
UPDATE run SET r = turn_begin('ST', 'A1', '{"messages":[{"role":"user","content":"q"}],
  "external_id":"ST2"}');
INSERT INTO look VALUES ('ST');
SELECT turn_tool_call(turn, token, 'a', 'x') FROM live;
INSERT INTO look VALUES ('ST');
SELECT turn_tool_result(turn, token, 'a', '1') FROM live;
INSERT INTO look VALUES ('ST');
SELECT turn_message(turn, token, '{"role":"assistant","content":"","tool_calls":[
  {"id":"b","name":"x"},{"id":"c","name":"x"}]}') FROM live;
INSERT INTO look VALUES ('ST');
SELECT turn_tool_result(turn, token, 'c', '3') FROM live;
INSERT INTO look VALUES ('ST');
SELECT turn_tool_call(turn, token, 'd', 'x') FROM live;
INSERT INTO look VALUES ('ST');
SELECT turn_tool_result(turn, token, 'b', '2') FROM live;
INSERT INTO look VALUES ('ST');
SELECT turn_tool_result(turn, token, 'd', '4') FROM live;
INSERT INTO look VALUES ('ST');
SELECT turn_tool_call(turn, token, 'e', 'x') FROM live;
SELECT turn_message(turn, token, '{"role":"user","content":"how far?"}') FROM live;
INSERT INTO look VALUES ('ST');
SELECT turn_tool_result(turn, token, 'e', 'no', '{"error":true}') FROM live;
INSERT INTO look VALUES ('ST');
SELECT 'a result that is told in words is one', error_of('SELECT turn_tool_result(' || turn || ', '
  || token || ', ''e'', ''again'')'),
  'turn_tool_result: call_id: tool call ''e'' has its result already, which is another one, in turn ' || turn FROM live;
SELECT turn_complete(turn, token, '{"content":"done"}') FROM live;
INSERT INTO look VALUES ('ST');
SELECT 'steps: ' || column1, line, 'u:ST1 a:ST1 u:q' || column2
FROM shown JOIN (VALUES (1, ''), (2, ''), (3, ' <a> a=1'), (4, ' <a> a=1'), (5, ' <a> a=1'),
  (6, ' <a> a=1'), (7, ' <a> a=1'), (8, ' <a> a=1 <b> <c> <d> b=2 c=3 d=4'),
  (9, ' <a> a=1 <b> <c> <d> b=2 c=3 d=4 <e> e.. u:how far?'),
  (10, ' <a> a=1 <b> <c> <d> b=2 c=3 d=4 <e> e.. u:how far? late:e!no'),
  (11, ' <a> a=1 <b> <c> <d> b=2 c=3 d=4 <e> e.. u:how far? late:e!no a:done')) ON n = column1;
SELECT 'steps: a place is left out between them', (SELECT group_concat(sequence) FROM tool_calls
  WHERE turn_id = (SELECT id FROM t WHERE name = 'ST2')), '1,3,4,5,7';
-- A result of a call of the turn before, in the middle of a run: the call was shown without it.
INSERT INTO tell VALUES ('SU', 'SU1', '[{"role":"user","content":"q"},
  {"role":"assistant","tool_calls":[{"id":"a","name":"x"},{"id":"b","name":"x"}]}]');
UPDATE run SET r = turn_begin('SU', 'A1', '{"messages":[
  {"role":"tool","tool_call_id":"b","content":"2"}],"external_id":"SU2"}');
DELETE FROM shown;
INSERT INTO look VALUES ('SU');
SELECT turn_tool_result(turn, token, 'a', '1') FROM live;
INSERT INTO look VALUES ('SU');
SELECT turn_complete(turn, token, '{"content":"done"}') FROM live;
INSERT INTO look VALUES ('SU');
SELECT 'in the run after: ' || column1, line, 'u:q <a> <b> a? b=2' || column2
FROM shown JOIN (VALUES (1, ''), (2, ' late:a=1'), (3, ' late:a=1 a:done')) ON n = column1;
-- The same in a turn that is appended as a whole: both stand with their calls.
INSERT INTO tell VALUES
  ('SV', 'SV1', '[{"role":"user","content":"q"},
    {"role":"assistant","tool_calls":[{"id":"a","name":"x"},{"id":"b","name":"x"}]}]'),
  ('SV', 'SV2', '[{"role":"tool","tool_call_id":"b","content":"2"},
    {"role":"tool","tool_call_id":"a","content":"1"},{"role":"assistant","content":"done"}]'),
  ('SW', 'SW1', '[{"role":"user","content":"q"},
    {"role":"assistant","content":" ","tool_calls":[{"id":"a","name":"x"}]},
    {"role":"user","content":"m"},{"role":"tool","tool_call_id":"a","content":"1"},
    {"role":"assistant","content":"\n"},{"role":"user","content":"\u3000"}]');
INSERT INTO want(part, name, arg, expected) VALUES
  ('whole', 'in another order', 'SV', 'u:q <a> <b> a=1 b=2 a:done'),
  ('whole', 'somebody spoke before the result', 'SW', 'u:q <a> a=1 u:m');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'whole';
SELECT 'words of its own', length(turnstile_config('text.context.late_result', '{id} of {tool}:')) > 0, 1;
SELECT 'in words of its own', (SELECT group_concat(content, '/') FROM session_context('SU')
  WHERE content LIKE '%of x%'), 'a of x:' || char(10) || '1';
SELECT turnstile_config('text.context.late_result', NULL, '{"reset":1}');

-- Where the agent would speak first, a user does.
INSERT INTO tell VALUES
  ('OP', 'OP1', '[{"role":"system","content":"be kind"},{"role":"assistant","content":"hello"}]'),
  ('OP', 'OP2', '[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]'),
  ('OP', 'OP3', '[{"role":"assistant","content":"and"}]');
INSERT INTO want(part, name, arg, budget, expected) VALUES
  ('opening', 'behind the system''s words', 'OP', NULL, 's:be kind ^ a:hello u:q a:a a:and'),
  ('opening', 'in a part of it', 'OP', 10, '^ a:and'),
  ('opening', 'not before a user', 'OP', 20, 'u:q a:a a:and');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'opening';
SELECT 'opening: its columns', (SELECT json_array(position, turn_id, sequence, kind, role, content,
  tokens, created_at) FROM session_context('OP') WHERE kind = 'opening'),
  '[1,null,null,"opening","user","(The conversation goes on.)",0,null]';

---- Compaction beside a running turn

INSERT INTO say VALUES ('V', 'V1'), ('V', 'V2'), ('V', 'V3'), ('V', 'V4');
UPDATE run SET r = turn_begin('V', 'A1',
  '{"external_id":"V5","messages":[{"role":"user","content":"v5"}]}');
SELECT turn_tool_call(turn, token, 'v', 'read') FROM live;
SELECT turn_tool_result(turn, token, 'v', 'long') FROM live;
INSERT INTO made SELECT 'cv', turn_compact('V', 'sv', json_object('turn', turn, 'token', token,
  'trigger', 'overflow_recovery', 'keep_turns', 1)) FROM live;
INSERT INTO want(part, name, arg, expected) VALUES
  ('beside', 'the run''s context begins with it', 'V', '[sv] u:V4 a:V4 u:v5 <v> v=long'),
  ('beside', 'the head''s own does not', '@V4', 'u:V1 a:V1 u:V2 a:V2 u:V3 a:V3 u:V4 a:V4'),
  ('beside', 'the compaction''s own', '@cv', '[sv] u:V4 a:V4');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'beside';
SELECT turn_complete(turn, token, '{"content":"ok"}') FROM live;
INSERT INTO say VALUES ('V', 'V6');
INSERT INTO want(part, name, arg, expected) VALUES
  ('after beside', 'the turn', '@V5', '[sv] u:V4 a:V4 u:v5 <v> v=long a:ok'),
  ('after beside', 'later turns', '@V6', '[sv] u:V4 a:V4 u:v5 <v> v=long a:ok u:V6 a:V6');
INSERT INTO turnstile SELECT 'session_fork', json_array(id, 'V-' || name) FROM t
  WHERE name IN ('V4', 'V5', 'cv');
INSERT INTO want(part, name, arg, expected) VALUES
  ('after beside', 'a fork from the turn', 'V-V5', '[sv] u:V4 a:V4 u:v5 <v> v=long a:ok'),
  ('after beside', 'a fork from before it', 'V-V4', 'u:V1 a:V1 u:V2 a:V2 u:V3 a:V3 u:V4 a:V4'),
  ('after beside', 'a fork from the compaction', 'V-cv', '[sv] u:V4 a:V4');
SELECT 'after beside: the path has no compaction', (SELECT group_concat(turn_type || ' ' || depth)
  FROM turn_path('V')), 'normal 0,normal 1,normal 2,normal 3,normal 4,normal 5';
SELECT 'after beside: the next one keeps no more than was shown',
  error_of('SELECT turn_compact(''V'', ''x'', ''{"keep_turns":99}'')') LIKE '%stand for no turn%', 1;
INSERT INTO made SELECT 'cv2', turn_compact('V', 'sv2', '{"keep_turns":2}');
INSERT INTO want(part, name, arg, expected) VALUES
  ('after beside', 'the next one', '@cv2', '[sv2] u:v5 <v> v=long a:ok u:V6 a:V6');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'after beside';

-- Twice beside one turn: the newer counts. A turn that fails takes its compactions along.
INSERT INTO say VALUES ('U', 'U1'), ('U', 'U2'), ('U', 'U3');
UPDATE run SET r = turn_begin('U', 'A1', '{"messages":[{"role":"user","content":"u4"}]}');
SELECT turn_compact('U', 'su1', json_object('turn', turn, 'token', token,
  'trigger', 'context_limit', 'keep_turns', 2)) FROM live;
SELECT 'the first beside', (SELECT group_concat(content, ' ') FROM session_context('U')),
  'su1 U2 U2 U3 U3 u4';
SELECT turn_compact('U', 'su2', json_object('turn', turn, 'token', token,
  'trigger', 'overflow_recovery', 'keep_turns', 0)) FROM live;
SELECT 'the second beside', (SELECT group_concat(content, ' ') FROM session_context('U')),
  'su2 u4';
SELECT turn_fail(turn, token, 'too long') FROM live;
INSERT INTO want(part, name, arg, expected) VALUES
  ('failed beside', 'the next attempt begins with the newer', 'U', '[su2]');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'failed beside';

-- The running turn answers a call: the pair stays together, the boundary moves.
INSERT INTO say VALUES ('W', 'W1'), ('W', 'W2');
INSERT INTO tell VALUES ('W', 'W3', '[{"role":"user","content":"W3"},
  {"role":"assistant","tool_calls":[{"id":"w","name":"ask"}]}]');
UPDATE run SET r = turn_begin('W', 'A1',
  '{"external_id":"W5","messages":[{"role":"tool","tool_call_id":"w","content":"yes"}]}');
INSERT INTO made SELECT 'cw', turn_compact('W', 'sw', json_object('turn', turn, 'token', token,
  'trigger', 'overflow_recovery', 'keep_turns', 0)) FROM live;
SELECT turn_complete(turn, token, '{"content":"ok"}') FROM live;
SELECT 'beside: no result without its call, no call without its result',
  (SELECT group_concat(kind || ' ' || content, ', ') FROM session_context('W')
   WHERE tool_call_id IS NOT NULL), 'tool_call {}, tool_result yes';
INSERT INTO want(part, name, arg, expected) VALUES
  ('beside a pair', 'moved', '@W5', '[sw] u:W3 <w> w=yes a:ok');
SELECT part || ': ' || name, got, expected FROM seen WHERE part = 'beside a pair';

---- A long turn, and many

INSERT INTO turnstile SELECT 'turn_append', json_array('long',
  (SELECT json_group_array(json_object('role', 'user', 'content', 'm' || value))
   FROM (WITH RECURSIVE n(value) AS (VALUES (0) UNION ALL SELECT value + 1 FROM n LIMIT 4096)
         SELECT value FROM n)), json('{"external_id":"long"}'));
SELECT 'a turn of 4096 messages', (SELECT count(*) || ' ' || max(sequence) || ' '
    || sum(content = 'm' || position) FROM session_context('long')), '4096 4095 4096';
INSERT INTO say VALUES ('long', 'long2');
SELECT 'the turn after it is not mixed up', (SELECT group_concat(content)
  FROM session_context('long') WHERE position >= 4095), 'm4095,long2,long2';
SELECT 'LIMIT', (SELECT count(*) FROM (SELECT * FROM session_context('long') LIMIT 3)), 3;
SELECT 'LIMIT and OFFSET', (SELECT group_concat(content)
  FROM (SELECT content FROM session_context('long') LIMIT 2 OFFSET 4095)), 'm4095,long2';

INSERT INTO say SELECT 'many', 'many' || value FROM
  (WITH RECURSIVE n(value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM n LIMIT 300)
   SELECT value FROM n);
SELECT 'all of 300 turns, in order', (SELECT count(*) || ' ' || sum(content = 'many'
    || (position / 2 + 1)) FROM session_context('many')), '600 600';
SELECT 'the newest three', (SELECT group_concat(content) FROM (SELECT content FROM session_context('many')
  ORDER BY position DESC LIMIT 3)), 'many300,many300,many299';
SELECT 'with their positions', (SELECT group_concat(position) FROM (SELECT position FROM session_context('many')
  ORDER BY position DESC LIMIT 3)), '599,598,597';
SELECT 'behind some', (SELECT group_concat(content) FROM (SELECT content FROM session_context('many')
  WHERE role = 'user' ORDER BY position DESC, role LIMIT 2 OFFSET 3)), 'many297,many296';
SELECT 'a budget, and its newest', (SELECT group_concat(content) FROM (SELECT content FROM session_context('many', 1000)
  ORDER BY position DESC LIMIT 1)), 'many300';
SELECT 'all 600, backwards', (SELECT count(*) || ' ' || sum(content = 'many' || (position / 2 + 1)) || ' ' || (max(n) = 600)
  FROM (SELECT content, position, 600 - position AS n FROM session_context('many') ORDER BY position DESC)), '600 600 1';
SELECT 'without a sort', json_extract(plan_of('SELECT content FROM session_context(''many'') ORDER BY position DESC LIMIT 3'), '$[1]'), NULL;
SELECT 'a budget for 100', (SELECT count(*) || ' ' || min(content)
  FROM session_context('many', 1000)), '200 many201';

---- In queries

SELECT 'joined with sessions', (SELECT group_concat(label || n) FROM (SELECT label,
   (SELECT count(*) FROM session_context(s.label)) AS n FROM sessions AS s
   WHERE label IN ('B', 'none', 'R') ORDER BY label)), 'B9,R5,none0';
SELECT 'two at once', (SELECT count(*) FROM session_context('R') AS a JOIN session_context('R') AS b
  USING (position)), 5;
SELECT 'columns', (SELECT group_concat(name) FROM pragma_table_info('session_context')),
  'position,turn_id,sequence,kind,role,content,tool_call_id,tool_name,status,tokens,source,'
  || 'metadata,created_at';
INSERT INTO session_aliases VALUES ('other name', 'R', 'manual', 1);
SELECT 'an alias', (SELECT count(*) FROM session_context('other name')), 5;
INSERT INTO turnstile SELECT 'turn_append', json_array('copy', json((SELECT json_group_array(
  json_object('role', role, 'content', content)) FROM session_context('G3'))));
SELECT 'a context written into another session by one statement', (SELECT group_concat(content)
  FROM session_context('copy')), (SELECT group_concat(content) FROM session_context('G3'));
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT count(*) FROM session_context('A');
SELECT 'reading changes nothing', dump_of() = d, 1 FROM was;

---- What turns said once, they say still

SELECT 'still, ' || s.part || ': ' || s.name, s.got, s.expected
FROM seen AS s JOIN want AS w USING (n) WHERE w.arg LIKE '@%';
SELECT 'every context has positions without gaps, one summary at most, and in front',
  (SELECT group_concat(label) FROM sessions AS s WHERE
    (SELECT count(*) <> ifnull(max(position) + 1, 0) OR sum(kind = 'summary') > 1
       OR sum(kind = 'summary' AND position > 0) > 0 FROM session_context(s.label))), NULL;
SELECT 'roles belong to kinds', (SELECT group_concat(label) FROM sessions AS s WHERE
    (SELECT sum(NOT CASE kind WHEN 'summary' THEN role = 'user'
       WHEN 'opening' THEN role = 'user'
       WHEN 'tool_call' THEN role = 'assistant' WHEN 'tool_result' THEN role = 'tool'
       ELSE role <> 'tool' END)
     FROM session_context(s.label)) > 0), NULL;
SELECT 'every call has exactly one result, and none is without a call', (SELECT group_concat(label)
  FROM sessions AS s WHERE label NOT IN ('E', 'E2', 'T') AND EXISTS (SELECT 1
    FROM session_context(s.label) WHERE tool_call_id IS NOT NULL GROUP BY tool_call_id
    HAVING sum(kind = 'tool_call') <> 1 OR sum(kind = 'tool_result') <> 1)), NULL;

---- What is counted is what is shown

CREATE TEMP VIEW counted(label, shown, said) AS
  SELECT label, (SELECT coalesce(sum(tokens), 0) FROM session_context(label)),
    session_usage(label) ->> '$.context_tokens' FROM sessions;

-- A turn that is appended after a failed one counts what it resumes, as one that is begun does.
SELECT turn_append('resumed', '[{"role":"user","content":"t0"}]');
UPDATE run SET r = turn_begin('resumed', 'A1', '{"messages":[{"role":"user","content":"go"}]}');
SELECT turn_message(turn, token, json_object('role', 'assistant', 'content', printf('%.400c', 'x')))
  FROM live;
SELECT turn_fail(turn, token, 'e') FROM live;
SELECT 'resumed: failed', shown, 102 FROM counted WHERE label = 'resumed';
SELECT 'resumed: failed, said', said, 102 FROM counted WHERE label = 'resumed';
SELECT turn_append('resumed', '[{"role":"user","content":"next"}]');
SELECT 'resumed: appended', shown, 103 FROM counted WHERE label = 'resumed';
SELECT 'resumed: appended, said', said, 103 FROM counted WHERE label = 'resumed';
SELECT 'resumed: thread_tokens', thread_tokens, 103 FROM turns JOIN sessions ON thread_id = turns.id
  WHERE label = 'resumed';
SELECT 'resumed: needs a compaction', session_needs_compaction('resumed', 121), 1;
SELECT 'resumed: or not', session_needs_compaction('resumed', 122), 0;
SELECT 'resumed: a budget of ' || column1, (SELECT group_concat(substr(content, 1, 4), ' ')
  FROM session_context('resumed', column1)), column2
FROM (VALUES (102, 'go xxxx next'), (101, NULL), (103, 't0 go xxxx next'));

-- The words before a result whose call is in the summary count wherever a context is measured.
SELECT turn_append('N2', '[{"role":"assistant","tool_calls":[{"id":"n","name":"go"}]}]');
SELECT turn_compact('N2', 's', '{"keep_turns":0}');
SELECT turn_append('N2', '[{"role":"tool","tool_call_id":"n","content":"live"}]');
SELECT turn_append('N2', '[{"role":"user","content":"next"}]');
SELECT 'words: with a budget of ' || column1,
  (SELECT group_concat(iif(content LIKE '%shown:%', 'live', content), ' ')
   FROM session_context('N2', column1)), column2
FROM (VALUES (0, NULL), (1, 's'), (2, 's next'), (18, 's next'), (19, 's live next'),
    (20, 's live next'));

-- Words of its own for a session count as these.
SELECT turnstile_config('text.context.orphan_result', 'Late:', '{"session":"N2"}');
SELECT 'words: of a session', shown || ' ' || said, '5 5' FROM counted WHERE label = 'N2';
SELECT turnstile_config('text.context.orphan_result', NULL, '{"session":"N2","reset":1}');

-- A failed turn answers a call that the summary tells of: before it is resumed, and after.
SELECT turn_append('N3', '[{"role":"assistant","tool_calls":[{"id":"n","name":"go"}]}]');
SELECT turn_compact('N3', 's', '{"keep_turns":0}') > '';
UPDATE run SET r = turn_begin('N3', 'A1', '{"messages":[{"role":"user","content":"go"}]}');
SELECT turn_tool_result(turn, token, 'n', 'live') FROM live;
SELECT 'words: in a running turn', shown || ' ' || said, '27 27' FROM counted WHERE label = 'N3';
SELECT turn_fail(turn, token, 'e') FROM live;
SELECT 'words: in a failed one', shown || ' ' || said, '27 27' FROM counted WHERE label = 'N3';
SELECT 'words: of a failed one, too long', (SELECT count(*) FROM session_context('N3', 26)), 1;
SELECT 'words: of a failed one, just so', (SELECT count(*) FROM session_context('N3', 27)), 3;
SELECT turn_append('N3', '[{"role":"user","content":"next"}]');
SELECT 'words: resumed', shown || ' ' || said, '28 28' FROM counted WHERE label = 'N3';
SELECT 'words: resumed, with a budget of ' || column1,
  (SELECT count(*) FROM session_context('N3', column1)), column2
  FROM (VALUES (27, 1), (28, 4));

-- A failed turn answers a call on the path: in words.
SELECT turn_append('N4', '[{"role":"assistant","tool_calls":[{"id":"n","name":"go"}]}]');
SELECT turn_append('N4', '[{"role":"user","content":"on"}]');
UPDATE run SET r = turn_begin('N4', 'A1', '{"messages":[{"role":"user","content":"go"}]}');
SELECT turn_tool_result(turn, token, 'n', 'live') FROM live;
SELECT turn_fail(turn, token, 'e') FROM live;
SELECT 'a pair with a failed turn: ' || column1,
  (SELECT count(*) FROM session_context('N4', column1)), column2
  FROM (VALUES (25, 0), (26, 2), (27, 3), (51, 3), (52, 6), (100, 6));
SELECT turn_append('N4', '[{"role":"user","content":"next"}]');
SELECT 'a pair with a resumed turn: ' || column1,
  (SELECT count(*) FROM session_context('N4', column1)), column2
  FROM (VALUES (26, 0), (27, 3), (28, 4), (52, 4), (53, 7));

-- A run answers two calls in two commands: the older one is remembered, whatever the order.
CREATE TEMP TABLE answers(name, first, second);
INSERT INTO answers VALUES ('AO', 'o1', 'o2'), ('AN', 'o2', 'o1');
SELECT turn_append(name, '[{"role":"assistant","tool_calls":[{"id":"' || value
  || '","name":"go"}]}]') FROM answers, json_each('["o1","o2"]');
UPDATE run SET r = turn_begin('AO', 'A1', '{"messages":[{"role":"user","content":"go"}]}');
SELECT turn_tool_result(turn, token, 'o1', '1') FROM live;
SELECT turn_tool_result(turn, token, 'o2', '2') FROM live;
SELECT turn_complete(turn, token) FROM live;
UPDATE run SET r = turn_begin('AN', 'A1', '{"messages":[{"role":"user","content":"go"}]}');
SELECT turn_tool_result(turn, token, 'o2', '2') FROM live;
SELECT turn_tool_result(turn, token, 'o1', '1') FROM live;
SELECT turn_complete(turn, token) FROM live;
SELECT 'the oldest call answered: ' || name, answers_turn_id & 16777215, 0
  FROM answers JOIN sessions ON label = name JOIN turns ON turns.id = thread_id;
SELECT 'and no pair is parted: ' || name, (SELECT sum(kind = 'tool_call') = sum(kind = 'tool_result')
  FROM session_context(name, 40)), NULL FROM answers;
SELECT 'all of them: ' || name, (SELECT sum(kind = 'tool_call') = sum(kind = 'tool_result')
  FROM session_context(name, 55)), 1 FROM answers;

-- A call without a result in its own turn keeps what it was counted with: as the row that says so, or
-- else as the call's.
SELECT turn_append('open', '[{"role":"assistant","tool_calls":[{"id":"o","name":"go"}]}]');
SELECT 'an open call', (SELECT group_concat(kind || ' ' || tokens, ', ')
  FROM session_context('open')), 'opening 0, tool_call 1, tool_result 24';
SELECT turn_append('open', '[{"role":"tool","tool_call_id":"o","content":"ok"}]');
SELECT 'answered later', (SELECT group_concat(kind || ' ' || tokens, ', ')
  FROM session_context('open')), 'opening 0, tool_call 25, tool_result 1';
SELECT 'answered later: counted', shown || ' ' || said, '26 26' FROM counted WHERE label = 'open';
UPDATE run SET r = turn_begin('open', 'A1', '{"messages":[{"role":"user","content":"go"}]}');
SELECT turn_tool_call(turn, token, 'p', 'go') FROM live;
SELECT 'in a running turn', shown || ' ' || said, '27 27' FROM counted WHERE label = 'open';
SELECT turn_message(turn, token, '{"role":"user","content":"more"}') FROM live;
SELECT 'when somebody has spoken', shown || ' ' || said, '53 53' FROM counted WHERE label = 'open';
SELECT turn_tool_result(turn, token, 'p', 'ok') FROM live;
SELECT 'with its result in words', shown || ' ' || said, '78 78' FROM counted WHERE label = 'open';
SELECT turn_abort(turn, token, 'e') FROM live;
SELECT 'and after the run', shown || ' ' || said, '78 78' FROM counted WHERE label = 'open';
UPDATE run SET r = turn_begin('open', 'A1', '{"messages":[{"role":"user","content":"go"}]}');
SELECT turn_tool_call(turn, token, 'p', 'go') FROM live;
SELECT turn_tool_result(turn, token, 'p', 'ok') FROM live;
SELECT 'with its result', shown || ' ' || said, '81 81' FROM counted WHERE label = 'open';
SELECT turn_abort(turn, token, 'e') FROM live;

-- A compaction that was made while a turn ran is the session's before the next turn begins.
SELECT turn_append('over', '[{"role":"user","content":"t0"}]');
SELECT turn_append('over', '[{"role":"user","content":"t1"}]');
UPDATE run SET r = turn_begin('over', 'A1', '{"messages":[{"role":"user","content":"t2"}]}');
SELECT turn_message(turn, token, '{"role":"assistant","content":"part"}') FROM live;
SELECT turn_compact('over', 'O', json_object('keep_turns', 1, 'trigger', 'overflow_recovery',
  'turn', turn, 'token', token)) > '' FROM live;
SELECT turn_fail(turn, token, 'e') FROM live;
CREATE TEMP TABLE before AS SELECT group_concat(content, ' ') AS rows FROM session_context('over');
SELECT 'beside a failed turn', rows, 'O t1 t2 part' FROM before;
SELECT 'beside a failed turn: counted', shown || ' ' || said, '4 4' FROM counted
  WHERE label = 'over';
SELECT 'beside a failed turn: needs a compaction', session_needs_compaction('over', 4)
  || session_needs_compaction('over', 5), '10';
SELECT 'beside a failed turn: the head itself', (SELECT group_concat(content, ' ')
  FROM session_context((SELECT thread_id FROM sessions WHERE label = 'over'))), 't0 t1';
SELECT 'beside a failed turn: with a budget of ' || column1, (SELECT group_concat(content, ' ')
  FROM session_context('over', column1)), column2
  FROM (VALUES (1, 'O'), (2, 'O'), (3, 'O t2 part'), (4, 'O t1 t2 part'));
SELECT turn_append('over', '[{"role":"user","content":"next"}]');
SELECT 'beside a failed turn: the next one gets it', (SELECT group_concat(content, ' ')
  FROM session_context('over')), rows || ' next' FROM before;

SELECT 'everywhere: ' || label, shown, CAST(said AS INTEGER) FROM counted
  WHERE label IN ('resumed', 'N2', 'N3', 'N4', 'AO', 'AN', 'open', 'over');

---- What says nothing parts nothing

CREATE TEMP TABLE blank(n INTEGER PRIMARY KEY, role, content, parts);
INSERT INTO blank(role, content) SELECT role, content FROM (SELECT 'user' AS role UNION ALL SELECT 'system' UNION ALL SELECT 'assistant'),
  (SELECT '' AS content UNION ALL SELECT ' ' UNION ALL SELECT char(10, 9) UNION ALL SELECT char(160) UNION ALL SELECT char(0x3000, 0x2028));
CREATE TEMP VIEW flat(label, rows) AS SELECT s.label, (SELECT group_concat(kind || ':' || content, ' ')
  FROM session_context(s.label)) FROM sessions AS s;
-- In one turn, appended; in a run, each by itself; in a later turn, with a turn of nothing in between.
INSERT INTO turnstile SELECT 'turn_append', json_array('blank ' || n, json_array(json('{"role":"user","content":"q"}'),
  json('{"role":"assistant","tool_calls":[{"id":"k","name":"ls"}]}'), json_object('role', role, 'content', content),
  json('{"role":"tool","tool_call_id":"k","content":"r"}'))) FROM blank;
INSERT INTO turnstile SELECT 'turn_begin', json_array('blank run ' || n, 'w', json('{"messages":[{"role":"user","content":"q"}]}')) FROM blank;
CREATE TEMP VIEW blank_run AS SELECT b.*, turn_id, token FROM blank AS b JOIN session_runs ON session_label = 'blank run ' || n;
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn_id, token, 'k', 'ls', json('{}')) FROM blank_run;
INSERT INTO turnstile SELECT 'turn_message', json_array(turn_id, token, json_object('role', role, 'content', content)) FROM blank_run;
SELECT 'blank ' || n || ': the call still waits', rows, 'message:q' FROM blank JOIN flat ON label = 'blank run ' || n;
INSERT INTO turnstile SELECT 'turn_tool_result', json_array(turn_id, token, 'k', 'r') FROM blank_run;
SELECT 'blank ' || n || ': its result is its own', (SELECT status FROM tool_calls AS t WHERE t.turn_id = b.turn_id), 'completed' FROM blank_run AS b;
INSERT INTO turnstile SELECT 'turn_append', json_array('blank turns ' || n, json('[{"role":"user","content":"q"},
  {"role":"assistant","tool_calls":[{"id":"k","name":"ls"}]}]')) FROM blank;
INSERT INTO turnstile SELECT 'turn_append', json_array('blank turns ' || n, json_array(json_object('role', role, 'content', content))) FROM blank;
INSERT INTO turnstile SELECT 'turn_append', json_array('blank turns ' || n, json_array(json_object('role', role, 'content', content),
  json('{"role":"tool","tool_call_id":"k","content":"r"}'))) FROM blank;
SELECT 'blank ' || n || ': ' || label, rows, 'message:q tool_call:{} tool_result:r' FROM blank JOIN flat
  ON label IN ('blank ' || n, 'blank run ' || n, 'blank turns ' || n);
SELECT 'blank: all of them', count(*), 45 FROM blank JOIN flat ON label IN ('blank ' || n, 'blank run ' || n, 'blank turns ' || n);
SELECT 'blank: as many tokens as are shown', count(*), 0 FROM blank JOIN sessions AS s ON label IN ('blank ' || n, 'blank run ' || n, 'blank turns ' || n)
  WHERE json_extract(session_usage(label), '$.context_tokens') <> (SELECT sum(tokens) FROM session_context(s.label));
-- What has metadata is shown, and parts.
INSERT INTO turnstile VALUES ('turn_append', '["blank image",[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"id":"k","name":"ls"}]},
  {"role":"user","content":"","metadata":{"image":1}}]]'), ('turn_append', '["blank image",[{"role":"tool","tool_call_id":"k","content":"r"}]]');
SELECT 'blank: with metadata it is a message', (SELECT group_concat(kind, ' ') FROM session_context('blank image')),
  'message tool_call tool_result message message';

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;

---- One cursor reads the contexts of several, one after the other

SELECT turn_append('row full', json_array(json_object('role', 'user', 'content', value))) > 0 FROM json_each('["1","2","3","4"]');
SELECT turn_compact('row full', 'Summary.', '{"keep_turns":1}') IS NOT NULL;
SELECT turn_append('row plain', '[{"role":"user","content":"a"}]') > 0;
SELECT turn_append('row failed', '[{"role":"user","content":"f"}]') > 0;
CREATE TEMP TABLE row_run AS SELECT turn_begin('row failed', 'w', '{"messages":[{"role":"user","content":"try"}]}') AS r;
SELECT turn_message(r ->> '$.turn', r ->> '$.token', '{"role":"assistant","content":"half"}') IS NOT NULL FROM row_run;
SELECT turn_fail(r ->> '$.turn', r ->> '$.token', 'boom') IS NOT NULL FROM row_run;
SELECT session_start('row empty', 'x') > 0;
CREATE TEMP TABLE one_row(start, shows);
INSERT INTO one_row SELECT 'row full', 'Summary.,4' UNION ALL SELECT 'row plain', 'a' UNION ALL SELECT 'row failed', 'f,try,half' UNION ALL SELECT 'row empty', NULL UNION ALL SELECT NULL, NULL
  UNION ALL SELECT thread_id, 'a' FROM sessions WHERE label = 'row plain';
CREATE TEMP TABLE in_a_row(n INTEGER PRIMARY KEY, start, shows);
INSERT INTO in_a_row(start, shows) SELECT value ->> '$[0]', value ->> '$[1]' FROM (SELECT json_array(a.start, a.shows) AS x, json_array(b.start, b.shows) AS y FROM one_row AS a, one_row AS b), json_each(json_array(json(x), json(y)));
SELECT n || ': ' || ifnull(start, 'NULL') || ', in a row', got, shows FROM in_a_row LEFT JOIN (SELECT n, group_concat(content) AS got FROM (SELECT r.n, c.content FROM in_a_row AS r CROSS JOIN session_context(r.start) AS c ORDER BY r.n, c.position) GROUP BY n) USING (n);
SELECT n || ': ' || ifnull(start, 'NULL') || ', with a budget', got, shows FROM in_a_row LEFT JOIN (SELECT n, group_concat(content) AS got FROM (SELECT r.n, c.content FROM in_a_row AS r CROSS JOIN session_context(r.start, 100000) AS c ORDER BY r.n, c.position) GROUP BY n) USING (n);

---- In its own order nothing is sorted

CREATE TEMP TABLE ordered(by, sorts);
INSERT INTO ordered VALUES ('position', 0), ('tokens', 1), ('turn_id', 1), ('position + 0', 1);
SELECT 'ORDER BY ' || by, plan_of('SELECT content FROM session_context(''N2'') ORDER BY ' || by) LIKE '%TEMP B-TREE%', sorts FROM ordered;
