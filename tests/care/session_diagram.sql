-- session_diagram(): what a session is, as a picture in three formats.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

-- ---- One picture, line by line ------------------------------------------------------------------

SELECT session_start('main', 'Add retries');
SELECT turn_append('main', '[{"role":"user","content":"Add retries"},
                             {"role":"assistant","content":"How many?"}]');
SELECT session_fork(16777216, 'idea');
SELECT turn_append('main', '[{"role":"user","content":"Five"},
                             {"role":"assistant","content":"Done."}]');
SELECT turn_append('idea', '[{"role":"user","content":"No, a queue"},
                             {"role":"assistant","content":"Why?"}]');
SELECT session_transition('main', 'PendingComplete', '{"summary":"Five tries."}');
SELECT session_compact('main', 'Five tries.');
SELECT turn_compact('main', 'They added retries.', '{"keep_turns":1}');
SELECT session_start('main', 'Log the tries');
SELECT turn_append('main', '[{"role":"user","content":"Log them"},
                             {"role":"assistant","content":"Where?"}]');
SELECT turn_begin('main', 'w1', '{"messages":[{"role":"user","content":"To stderr"}]}');
SELECT turn_fail((SELECT turn_id FROM session_runs), 1, 'no model');
SELECT turn_begin('main', 'w1', '{"messages":[{"role":"user","content":"To stderr, please"}]}');

CREATE TEMP TABLE pictures(format, picture);
INSERT INTO pictures SELECT value, session_diagram('main', value)
FROM json_each('["mermaid","dot","text"]');
CREATE TEMP TABLE ids(failed, running, kept, logged, commit_id);
INSERT INTO ids SELECT (SELECT id FROM turns WHERE status = 'failed'),
  (SELECT id FROM turns WHERE status = 'running'), (SELECT turn_id FROM compactions),
  (SELECT thread_id FROM sessions WHERE label = 'main'), (SELECT substr(id, 1, 12) FROM commits);

SELECT 'mermaid', picture, printf('flowchart TD
    subgraph g1["Add retries · Normal %s"]
        t16777216["Add retries<br>How many?"]
        t16777217["Five<br>Done."]
    end
    t%d[["compaction · They added retries."]]
    subgraph g2["Log the tries · Running"]
        t%d["Log them<br>Where?"]
    end
    head(["main · active · Running"])
    t16777216 --> t16777217
    n1(["fork · idea"])
    t16777216 -.- n1
    t16777217 --> t%d
    t%d --> t%d
    t%d === head
    t%d{{"failed · To stderr<br>no model"}}
    t%d -.- t%d
    t%d("running · To stderr, please")
    t%d -.- t%d
', commit_id, kept, logged, kept, kept, logged, logged, failed, logged, failed, running, logged,
  running) FROM pictures, ids WHERE format = 'mermaid';
SELECT 'dot', picture, printf('digraph session {
    subgraph cluster_1 {
        label="Add retries · Normal %s";
        t16777216 [shape=box, style=rounded, label="Add retries\nHow many?"];
        t16777217 [shape=box, style=rounded, label="Five\nDone."];
    }
    t%d [shape=note, label="compaction · They added retries."];
    subgraph cluster_2 {
        label="Log the tries · Running";
        t%d [shape=box, style=rounded, label="Log them\nWhere?"];
    }
    head [shape=ellipse, style=bold, label="main · active · Running"];
    t16777216 -> t16777217;
    n1 [shape=ellipse, label="fork · idea"];
    t16777216 -> n1 [style=dashed, dir=none];
    t16777217 -> t%d;
    t%d -> t%d;
    t%d -> head [style=bold, dir=none];
    t%d [shape=box, style=dashed, label="failed · To stderr\nno model"];
    t%d -> t%d [style=dashed, dir=none];
    t%d [shape=box, style=bold, label="running · To stderr, please"];
    t%d -> t%d [style=dashed, dir=none];
}
', commit_id, kept, logged, kept, kept, logged, logged, failed, logged, failed, running, logged,
  running) FROM pictures, ids WHERE format = 'dot';
SELECT 'text', picture, printf('main · active · Running
  □ Add retries · Normal %s
    ● Add retries → How many? (16777216)
        └ fork · idea
    ● Five → Done. (16777217)
  ≡ compaction · They added retries. (%d)
  □ Log the tries · Running
    ● Log them → Where? (%d)
        └ failed · To stderr → no model (%d)
        └ running · To stderr, please (%d)
', commit_id, kept, logged, failed, running) FROM pictures, ids WHERE format = 'text';
SELECT 'mermaid is the default', session_diagram('main') = picture
  AND session_diagram('main', NULL) = picture, 1 FROM pictures WHERE format = 'mermaid';

-- A fork shows where it leaves the thread, and no tasks of the other session.
SELECT 'a fork', session_diagram('idea', 'text'), 'idea · active · None
  ● Add retries → How many? (16777216)
  ── fork
  ● No, a queue → Why? (33554433)
';
SELECT 'a fork, in mermaid', instr(session_diagram('idea'),
  '    t16777216 -->|fork| t33554433' || char(10)) > 0, 1;
SELECT 'a fork, in dot', instr(session_diagram('idea', 'dot'),
  '    t16777216 -> t33554433 [label="fork"];' || char(10)) > 0, 1;

-- ---- Only what is asked for ---------------------------------------------------------------------

SELECT 'two turns', session_diagram('main', 'text', '{"turns":2}') LIKE 'main · active · Running
  … 2 earlier turns
  ≡ compaction · They added retries. (%)
  □ Log the tries · Running
    ● Log them → Where? (%)
%', 1;
SELECT 'one turn', session_diagram('main', 'text', '{"turns":1}')
  LIKE '%… 3 earlier turns%● Log%', 1;
SELECT 'all but one', instr(session_diagram('main', 'mermaid', '{"turns":3}'),
  '["… 1 earlier turn"]') > 0, 1;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
INSERT INTO turnstile(command, args)
SELECT 'turn_append', json_array('long', json_array(
  json_object('role', 'user', 'content', 'no ' || i))) FROM n;
CREATE TEMP TABLE counts(what, n, newest);
INSERT INTO counts VALUES ('by default', 220, session_diagram('long', 'text')),
  ('200', 50, session_diagram('long', 'text', '{"turns":200}')),
  ('1', 249, session_diagram('long', 'text', '{"turns":1}'));
SELECT 'the newest: ' || what, newest LIKE printf('%%
  … %d earlier turns
  ● no %d (%%● no 250 (%%', n, n + 1) OR newest LIKE printf('%%
  … %d earlier turns
  ● no 250 (%%', n), 1 FROM counts;
SELECT 'the newest: one node for each: ' || what,
  (length(newest) - length(replace(newest, '●', ''))), 250 - n FROM counts;
SELECT 'turns: ' || v.value, error_of('SELECT session_diagram(''long'', ''text'', ''{"turns":'
    || v.value || '}'')'),
  'session_diagram: turns is ' || v.value || '; it must be from 1 to 200'
FROM json_each('[0,201,100000]') AS v;
SELECT 'an unknown format', error_of('SELECT session_diagram(''main'', ''svg'')'),
  'session_diagram: format is ''svg''; it must be one of: mermaid, dot, text';
SELECT 'no such session', session_diagram('nobody'), NULL;
SELECT 'a format is looked at first',
  error_of('SELECT session_diagram(''nobody'', ''svg'')') IS NOT NULL, 1;

-- Many sessions and many attempts at one turn: the picture says that there are more.
SELECT turn_append('busy', '[{"role":"user","content":"go"}]');
CREATE TEMP TABLE at(turn);
INSERT INTO at SELECT thread_id FROM sessions WHERE label = 'busy';
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
INSERT INTO turnstile(command, args) SELECT 'session_fork', json_array(turn, 'f' || i) FROM n, at;
-- Each takes over from the one before, whose lease has run out.
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 7)
INSERT INTO turnstile(command, args) SELECT 'turn_begin', json_array('busy', 'w' || i, json_object(
  'now', 1767225600000 + i * 3600000, 'messages',
  json_array(json_object('role', 'user', 'content', 'try ' || i)))) FROM n;
SELECT 'more sessions', session_diagram('busy', 'text'), printf('busy · active · None
  ● go (%d)
      └ … earlier attempts
      └ failed · try 3 → the lease of ''w3'' ran out; ''w4'' took over (%d)
      └ failed · try 4 → the lease of ''w4'' ran out; ''w5'' took over (%d)
      └ failed · try 5 → the lease of ''w5'' ran out; ''w6'' took over (%d)
      └ failed · try 6 → the lease of ''w6'' ran out; ''w7'' took over (%d)
      └ running · try 7 (%d)
      └ fork · f1
      └ fork · f2
      └ fork · f3
      └ fork · f4
      └ fork · f5
      └ … more sessions
', turn, t3, t3 + (1 << 24), t3 + (2 << 24), t3 + (3 << 24), t3 + (4 << 24))
FROM at, (SELECT (((SELECT max(id) FROM branches) - 4) << 24 | 1) AS t3);

-- ---- Sessions without turns ---------------------------------------------------------------------

SELECT session_start('bare', 'First');
SELECT session_note('bare', 'x');
SELECT session_compact('bare', 'first');
SELECT session_start('bare', 'Second');
SELECT session_deliver('bare', 'forget it', '{"class":"Abandon"}');
SELECT session_start('bare', 'Third');
SELECT session_transition('bare', 'AwaitingUser', '{"question":"Which one?"}');
SELECT 'tasks alone', session_diagram('bare', 'text'),
  printf('bare · active · AwaitingUser: Which one?
  □ First · Normal %s
  □ Second · dropped
  □ Third · AwaitingUser
', (SELECT substr(id, 1, 12) FROM commits WHERE session_label = 'bare'));
SELECT 'tasks alone, in mermaid', session_diagram('bare'), (SELECT printf('flowchart TD
    k%d[/"First<br>Normal %s"/]
    k%d[/"Second<br>dropped"/]
    k%d[/"Third<br>AwaitingUser"/]
    head(["bare · active · AwaitingUser<br>Which one?"])
    k%d --> k%d
    k%d --> k%d
    k%d === head
', a, (SELECT substr(id, 1, 12) FROM commits WHERE session_label = 'bare'), a + 1, a + 2, a, a + 1,
  a + 1, a + 2, a + 2) FROM (SELECT min(id) AS a FROM tasks WHERE session_label = 'bare'));
SELECT 'the newest tasks', session_diagram('bare', 'text', '{"turns":1}'),
  'bare · active · AwaitingUser: Which one?
  … earlier tasks
  □ Third · AwaitingUser
';
SELECT session_fail('bare', 'the provider is gone');
SELECT 'why it stands', session_diagram('bare', 'text')
  LIKE 'bare · error · AwaitingUser: the provider is gone%', 1;
SELECT queue_push('empty', 'x');
SELECT 'nothing yet', session_diagram('empty', 'text'), 'empty · active · None' || char(10);
SELECT 'nothing yet, in mermaid', session_diagram('empty'), 'flowchart TD
    head(["empty · active · None"])
';
-- Tasks without turns stand between those with turns.
SELECT session_start('mixed', 'One');
SELECT turn_append('mixed', '[{"role":"user","content":"a"}]');
SELECT session_compact('mixed', 'one');
SELECT session_start('mixed', 'Two');
SELECT session_note('mixed', 'y');
SELECT session_compact('mixed', 'two');
SELECT session_start('mixed', 'Three');
SELECT turn_append('mixed', '[{"role":"user","content":"b"}]');
SELECT session_compact('mixed', 'three');
SELECT session_start('mixed', 'Four');
SELECT 'between', session_diagram('mixed', 'text') LIKE 'mixed · active · Running
  □ One · Normal %
    ● a (%)
  □ Two · Normal %
  □ Three · Normal %
    ● b (%)
  □ Four · Running
', 1;
-- What came before the first turn shown is not told.
SELECT 'not before', session_diagram('mixed', 'text', '{"turns":1}') LIKE 'mixed · active · Running
  … 1 earlier turn
  □ Three · Normal %
    ● b (%)
  □ Four · Running
', 1;

-- ---- Roots, workers, merges, rewinds ------------------------------------------------------------

SELECT turn_begin('root', 'w1', '{"messages":[{"role":"user","content":"go"}]}');
SELECT 'a first turn that runs', session_diagram('root', 'text') LIKE 'root · active · None
    └ running · go (%)
', 1;
SELECT session_spawn('root', 'Count them', '{"label":"worker:1"}');
SELECT 'its worker', session_diagram('root', 'text') LIKE 'root · active · None
    └ running · go (%)
        └ worker · worker:1
', (SELECT parent_turn_id FROM sessions WHERE label = 'worker:1') IS NOT NULL;
SELECT turn_message((SELECT turn_id FROM session_runs WHERE session_label = 'root'), 1,
  '{"role":"assistant","content":"I look."}');
SELECT turn_fail((SELECT turn_id FROM session_runs WHERE session_label = 'root'), 1, 'no model');
SELECT 'a first turn that failed with output', session_diagram('root', 'text')
  LIKE 'root · active · None%└ failed · go → no model (%', 1;
SELECT turn_append('back', '[{"role":"user","content":"a"}]');
SELECT turn_append('back', '[{"role":"user","content":"b"}]');
SELECT session_rewind('back', (SELECT thread_id - 1 FROM sessions WHERE label = 'back'));
SELECT turn_append('back', '[{"role":"user","content":"c"}]');
SELECT 'a rewind: the way back is not on the path', (SELECT json_array(instr(t, '● a') > 0,
  instr(t, '● b') > 0, instr(t, '● c') > 0) FROM (SELECT session_diagram('back', 'text') AS t)),
  '[1,0,1]';
SELECT turn_append('dm:tg:7', '[{"role":"user","content":"hello"}]');
SELECT turn_append('dm:ann', '[{"role":"user","content":"a"}]');
SELECT turn_append('dm:ann', '[{"role":"user","content":"b"}]');
SELECT identity_link('tg', '7', 'ann');
SELECT 'a merged session can still be looked at', session_diagram('dm:tg:7', 'text')
  LIKE 'dm:tg:7 · active · None · merged into dm:ann%● hello (%', 1;
SELECT session_alias('other', 'main');
SELECT 'by an alias', session_diagram('other') = session_diagram('main'), 1;

-- A turn that was aborted is on the path when its output was kept, else beside it.
SELECT turn_begin('stop', 'w1', '{"messages":[{"role":"user","content":"a"}]}');
SELECT turn_message((SELECT turn_id FROM session_runs WHERE session_label = 'stop'), 1,
  '{"role":"assistant","content":"half"}');
SELECT turn_abort((SELECT turn_id FROM session_runs WHERE session_label = 'stop'), 1, 'enough');
SELECT turn_begin('stop', 'w1', '{"messages":[{"role":"user","content":"b"}]}');
SELECT turn_abort((SELECT turn_id FROM session_runs WHERE session_label = 'stop'), 2, 'no',
  '{"keep":0}');
SELECT 'aborted', session_diagram('stop', 'text') LIKE 'stop · active · None
  ● aborted · a → half (%)
      └ aborted · b → no (%)
', 1;

-- Damage is named.
SAVEPOINT damage;
INSERT INTO turnstile_meta(key, value) VALUES ('unguarded', 1);
UPDATE turns SET parent_turn_id = 99 WHERE id = 16777217;
SELECT 'damage: a parent', error_of('SELECT session_diagram(''main'')'),
  'session_diagram: turn 16777217 is damaged: its parent is 99, not 16777216';
DELETE FROM turns WHERE id = 16777216;
SELECT 'damage: a turn', error_of('SELECT session_diagram(''main'')'),
  'session_diagram: turn 16777216 is damaged: it is missing';
SELECT 'damage: not in what is shown',
  session_diagram('main', 'text', '{"turns":1}') IS NOT NULL, 1;
ROLLBACK TO damage;
INSERT INTO turnstile_meta(key, value) VALUES ('unguarded', 1);
DELETE FROM turns WHERE id = (SELECT thread_id FROM sessions WHERE label = 'main');
SELECT 'damage: the last turn', error_of('SELECT session_diagram(''main'')'), printf('session_diagram: turn %d is damaged: it is missing', (SELECT thread_id FROM sessions WHERE label = 'main'));
ROLLBACK TO damage;
RELEASE damage;

-- ---- Texts hostile to the formats ---------------------------------------------------------------

CREATE TEMP TABLE nasty(n INTEGER PRIMARY KEY, text,
  label AS ('n' || n || substr(text, 1, 99)), fork AS ('f' || substr(text, 1, 99) || n));
INSERT INTO nasty(text) VALUES
  ('"]'), ('a "quoted" \ word\'), ('"]:::x --> y["'), ('"]' || char(10) || 'z --> t'),
  ('#quot; & &lt;b&gt; <b>x</b>'), ('%%{init: {"theme":"dark"}}%%'), ('`**bold** _it_ $$x$$`'),
  ('1. first'), ('- first'), ('+ first'), ('style a:b#c;'), ('end'), ('"; } x [label="'),
  ('\N \G \l \n'), ('{}|[]()'), (char(13) || 'carriage' || char(11) || 'x'), ('🙂 👩‍👩‍👧 é'),
  ('a' || char(8238) || 'b' || char(8207) || 'c' || char(8297)), (char(8232) || 'u2028'),
  ('مرحبا'), (char(27) || '[31mred'), ('tab' || char(9) || 'x' || char(133) || 'y'),
  (char(65534) || 'z'),
  (replace(hex(zeroblob(3000)), '0', '"')), ('javascript:alert(1)'), ('http://a.b/c_d?e=f');
INSERT INTO turnstile(command, args) SELECT 'session_start', json_array(label, text) FROM nasty;
INSERT INTO turnstile(command, args)
SELECT 'turn_append', json_array(label, json_array(json_object('role', 'user', 'content', text),
  json_object('role', 'assistant', 'content', text))) FROM nasty;
INSERT INTO turnstile(command, args) SELECT 'session_fork',
  json_array((SELECT thread_id FROM sessions AS s WHERE s.label = nasty.label), fork) FROM nasty;
INSERT INTO turnstile(command, args) SELECT 'turn_compact', json_array(label, text) FROM nasty;
INSERT INTO turnstile(command, args) SELECT 'session_transition',
  json_array(label, 'AwaitingUser', json_object('question', text)) FROM nasty;
SELECT 'hostile: they are there', (SELECT count(*) FROM sessions WHERE label GLOB 'n[0-9]*'
  AND open_task_id IS NOT NULL), (SELECT count(*) FROM nasty);

-- Each line is one of a few forms, with a text that holds nothing but what the format lets through.
CREATE TEMP TABLE lines(format, session, line);
CREATE TEMP TABLE drawn AS
SELECT f.value AS format, label AS session, session_diagram(label, f.value) AS picture
FROM sessions, json_each('["mermaid","dot","text"]') AS f WHERE label GLOB 'n[0-9]*';
WITH RECURSIVE cut(format, session, line, rest) AS (
  SELECT format, session, NULL, picture FROM drawn
  UNION ALL
  SELECT format, session, substr(rest, 1, instr(rest, char(10)) - 1),
         substr(rest, instr(rest, char(10)) + 1) FROM cut WHERE rest <> ''
)
INSERT INTO lines SELECT format, session, line FROM cut WHERE line IS NOT NULL;
SELECT 'hostile: no control characters or marks in ' || format, (SELECT count(*) FROM lines AS l,
    json_each('[9,11,13,27,133,8206,8207,8232,8233,8234,8238,8294,8297,65534]') AS c
  WHERE l.format = f.format AND instr(line, char(c.value)) > 0), 0
FROM (SELECT DISTINCT format FROM drawn) AS f;

-- Mermaid: the label between the first and the last quote holds no quote and no other character
-- with a meaning; what stands around it is what would be there with any other text.
CREATE TEMP VIEW labels AS
SELECT session, line, substr(line, 1, instr(line, '"')) AS before,
  substr(line, instr(line, '"') + 1, length(rtrim(line, ')]}/')) - instr(line, '"') - 1) AS text,
  substr(line, length(rtrim(line, ')]}/'))) AS after
FROM lines WHERE format = 'mermaid' AND instr(line, '"') > 0;
SELECT 'hostile: mermaid has labels', (SELECT count(*) > 100 FROM labels), 1;
SELECT 'hostile: mermaid labels', (SELECT json_group_array(line) FROM (SELECT line FROM labels
  WHERE replace(text, '<br>', '') GLOB '*["<>{}|`%:\$_*~&@^]*' OR text GLOB '*[]]*'
    OR text GLOB '*[[]*' OR text GLOB '[0-9]. *' OR text GLOB '[-+] *' LIMIT 3)), '[]';
-- A semicolon is written as #59; too: as many of one as of the other, digits between.
SELECT 'hostile: mermaid entities are whole', (SELECT json_group_array(line) FROM (SELECT line
  FROM labels WHERE length(replace(text, '#', '')) <> length(replace(text, ';', ''))
    OR text GLOB '*#[^0-9]*' OR text GLOB '*[^0-9];*' OR text GLOB '*#[0-9][0-9][0-9][0-9]*'
  LIMIT 3)), '[]';
SELECT 'hostile: around mermaid labels', (SELECT json_group_array(line) FROM (SELECT line
  FROM labels WHERE NOT (trim(before) GLOB 't[0-9]*["]' OR trim(before) GLOB 'n[0-9]*(["]'
    OR trim(before) GLOB 'n[0-9]*([[]["]' OR trim(before) GLOB 'head(*'
    OR trim(before) GLOB 'subgraph g[0-9]*') OR after NOT IN ('"]', '"]]', '"])') LIMIT 3)), '[]';
SELECT 'hostile: mermaid lines without labels', (SELECT json_group_array(line) FROM (SELECT line
  FROM lines WHERE format = 'mermaid' AND instr(line, '"') = 0
    AND line NOT IN ('flowchart TD', '    end')
    AND NOT (line GLOB '    [a-z0-9]* -[-.][->] [a-z0-9]*' OR line GLOB '    [a-z0-9]* === head')
  LIMIT 3)), '[]';

-- Graphviz: quotes and backslashes come in pairs or escaped.
SELECT 'hostile: dot quotes', (SELECT json_group_array(line) FROM (SELECT line FROM lines
  WHERE format = 'dot' AND (SELECT length(x) - length(replace(x, '"', '')) FROM
    (SELECT replace(replace(line, '\\', ''), '\"', '') AS x)) NOT IN (0, 2) LIMIT 3)), '[]';
SELECT 'hostile: dot backslashes', (SELECT json_group_array(line) FROM (SELECT line FROM lines
  WHERE format = 'dot' AND replace(replace(replace(line, '\\', ''), '\"', ''), '\n', '') GLOB '*\*'
  LIMIT 3)), '[]';
SELECT 'hostile: dot lines', (SELECT json_group_array(line) FROM (SELECT line FROM lines
  WHERE format = 'dot' AND NOT (line IN ('digraph session {', '}', '    }')
    OR line GLOB '    subgraph cluster_[0-9]* {' OR line GLOB '        label="*";'
    OR line GLOB '*[a-z0-9] [[]*label="*"[]];' OR line GLOB '    [a-z0-9]* -> [a-z0-9]*;')
  LIMIT 3)), '[]';
SELECT 'hostile: as many lines as with harmless texts', (SELECT json_group_array(DISTINCT n) FROM
  (SELECT count(*) AS n FROM lines WHERE format = 'mermaid' GROUP BY session)), '[10]';
SELECT 'a text is there all the same', instr(session_diagram((SELECT label FROM sessions
  WHERE label GLOB 'n2a*'), 'dot'), 'a \"quoted\" \\ word\\') > 0, 1;
SELECT 'in mermaid as well', instr(session_diagram((SELECT label FROM sessions
  WHERE label GLOB 'n2a*')), 'a #34;quoted#34; #92; word#92;') > 0, 1;
SELECT 'long texts are cut', (SELECT max(length(line)) < 600 FROM lines), 1;

-- A text of which nothing can be seen: Mermaid takes no empty label.
CREATE TEMP TABLE unseen(c);
INSERT INTO unseen VALUES (8238), (8207), (1564), (8294), (65279), (160), (8203), (12288), (1), (65534);
INSERT INTO turnstile(command, args) SELECT 'turn_append', json_array('u' || c,
  json_array(json_object('role', 'user', 'content', char(c)))) FROM unseen;
SELECT 'unseen: ' || c, session_diagram('u' || c, 'text') LIKE '%
  ● (no text) (%', 1 FROM unseen;

-- Graphviz itself takes every picture, where it is installed.
.mode list
.once pictures.dot
SELECT group_concat(picture, char(10)) FROM drawn WHERE format = 'dot';
.shell ! command -v dot > /dev/null || dot -Tsvg pictures.dot > svg 2>&1 && printf ok > verdict
.mode insert cases
SELECT 'graphviz takes them', CAST(readfile('verdict') AS TEXT), 'ok';

-- ---- It only reads ------------------------------------------------------------------------------

CREATE TEMP TABLE before AS SELECT dump_of() AS d;
SELECT session_diagram('main');
SELECT 'nothing changes', dump_of() = d, 1 FROM before;
PRAGMA query_only = ON;
SELECT 'query_only', session_diagram('main', 'text') LIKE 'main%', 1;
PRAGMA query_only = OFF;

-- ---- With a prefix, in an attached file ---------------------------------------------------------

ATTACH ':memory:' AS other;
SELECT turnstile_install('{"schema":"other","prefix":"x_"}');
SELECT turnstile_use('other', 'x_');
SELECT turn_append('there', '[{"role":"user","content":"look"}]');
SELECT 'attached', session_diagram('there', 'text'), 'there · active · None
  ● look (16777216)
';
SELECT 'the other file''s session is not here', session_diagram('main'), NULL;
SELECT turnstile_use('main');
SELECT 'and back', session_diagram('there'), NULL;
