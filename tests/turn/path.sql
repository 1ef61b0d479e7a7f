-- path.sql - turn_path and turn_tree: the turns of a thread, and all that grew from a turn. tree_model.py compares them
-- with a second implementation on large trees.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT turn_append('main', '[{"role":"user","content":"a"}]', '{"model":"m","provider":"p","usage":{"input_tokens":1,"output_tokens":2,"cached_input_tokens":3,"cache_write_tokens":4,"reasoning_tokens":5,"total_tokens":6},"tokens":7,"external_id":"x","source":"timer","started_at":1767225500000}');
SELECT turn_append('main', '[{"role":"user","content":"b"}]', '{"tokens":10}');
SELECT session_fork(16777216, 'idea');
SELECT turn_append('idea', '[{"role":"user","content":"c"}]', '{"tokens":100}');
SELECT turn_begin('main', 'w', '{"messages":[{"role":"user","content":"d"}]}') ->> '$.turn';
SELECT turn_fail(16777218, token, 'no answer') FROM session_runs;

---- turn_path

SELECT 'all columns', (SELECT json_array(turn_id, depth, parent_turn_id, turn_type, status, source, model, provider, input_tokens, output_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens, total_tokens, thread_tokens, context_turn_id, external_id, started_at, completed_at, error)
  FROM turn_path('main') WHERE depth = 0), '[16777216,0,null,"normal","completed","timer","m","p",1,2,3,4,5,6,7,null,"x",1767225500000,1767225600000,null]';
SELECT 'from the root to the head, without what has failed', (SELECT group_concat(turn_id) FROM turn_path('main')), '16777216,16777217';
SELECT 'what is shared comes first', (SELECT group_concat(turn_id || ':' || depth || ':' || thread_tokens) FROM turn_path('idea')), '16777216:0:7,33554433:1:107';
SELECT 'to a turn', (SELECT group_concat(turn_id) FROM turn_path(16777216)), '16777216';
SELECT 'to one that failed', (SELECT group_concat(turn_id) FROM turn_path(16777218)), '16777216,16777217,16777218';
SELECT 'the hidden column: whose path it is', (SELECT DISTINCT session FROM turn_path('idea')), 'idea';
SELECT 'of a turn nobody''s', (SELECT count(session) FROM turn_path(16777217)), 0;
SELECT session_alias('nick', 'idea');
SELECT 'by another name', (SELECT group_concat(DISTINCT session) FROM turn_path('nick')), 'idea';
SELECT 'NULL: no rows', (SELECT count(*) FROM turn_path(NULL)), 0;
SELECT session_start('empty', 'x');
SELECT 'a session without turns: no rows', (SELECT count(*) FROM turn_path('empty')), 0;
SELECT 'depth', (SELECT group_concat(turn_id) FROM turn_path('main') WHERE depth = 1), '16777217';
SELECT 'a range of depths', (SELECT group_concat(turn_id) FROM turn_path(16777218) WHERE depth BETWEEN 1 AND 2), '16777217,16777218';
SELECT 'a turn of it', (SELECT depth FROM turn_path('main') WHERE turn_id = 16777217), 1;
SELECT 'one that is not on it', (SELECT count(*) FROM turn_path('main') WHERE turn_id = 33554433), 0;
SELECT 'backwards', (SELECT group_concat(turn_id) FROM (SELECT turn_id FROM turn_path('main') ORDER BY depth DESC)), '16777217,16777216';
SELECT 'LIMIT', (SELECT group_concat(turn_id) FROM (SELECT turn_id FROM turn_path('main') ORDER BY depth DESC LIMIT 1)), '16777217';
SELECT 'joined with each session', (SELECT group_concat(label || n) FROM (SELECT s.label AS label, count(p.turn_id) AS n FROM sessions AS s LEFT JOIN turn_path(s.label) AS p GROUP BY s.label)), 'empty0,idea2,main2';

---- turn_tree

SELECT 'in preorder, with levels', (SELECT group_concat(turn_id || ':' || level) FROM turn_tree(16777216)), '16777216:0,16777217:1,16777218:2,33554433:1';
SELECT 'the columns of turn_path', (SELECT json_array(depth, parent_turn_id, status, error, thread_tokens) FROM turn_tree(16777216) WHERE turn_id = 16777218), '[2,16777217,"failed","no answer",18]';
SELECT 'a part of it', (SELECT group_concat(turn_id || ':' || level) FROM turn_tree(16777217)), '16777217:0,16777218:1';
SELECT 'levels up to one', (SELECT group_concat(turn_id) FROM turn_tree(16777216) WHERE level <= 1), '16777216,16777217,33554433';
SELECT 'depths up to one', (SELECT group_concat(turn_id) FROM turn_tree(16777216) WHERE depth < 1), '16777216';
SELECT 'LIMIT', (SELECT group_concat(turn_id) FROM (SELECT turn_id FROM turn_tree(16777216) LIMIT 2)), '16777216,16777217';
SELECT 'NULL: no rows', (SELECT count(*) FROM turn_tree(NULL)), 0;

---- They see what a transaction has written, and write nothing

CREATE TEMP TABLE was AS SELECT dump_of() AS d;
BEGIN;
SELECT turn_append('idea', '[{"role":"user","content":"e"}]');
SELECT 'inside it', (SELECT count(*) FROM turn_path('idea')), 3;
ROLLBACK;
SELECT 'after it', (SELECT count(*) FROM turn_path('idea')), 2;
SELECT 'nothing is written', dump_of() = d, 1 FROM was;

---- Refusals

CREATE TEMP TABLE wrong(call, error);
INSERT INTO wrong VALUES ('turn_path(''nobody'')', 'there is no session ''nobody''; session_deliver or session_start makes one'), ('turn_path(5)', 'there is no turn 5'),
  ('turn_path(x''00'')', 'it needs a session''s label or a turn''s id, not a blob'), ('turn_tree(5)', 'there is no turn 5'), ('turn_tree(''a'')', 'it needs the id of a turn, not ''a''');
SELECT call, error_of('SELECT * FROM ' || call), substr(call, 1, 9) || ': ' || error FROM wrong;
CREATE VIEW mine AS SELECT * FROM turn_path('main');
SELECT 'a view of the file can''t read them', error_of('SELECT * FROM mine') LIKE 'unsafe use of virtual table%', 1;
CREATE TEMP VIEW ours AS SELECT * FROM turn_path('main');
SELECT 'one of the connection can', (SELECT count(*) FROM ours), 2;

---- In its own order, or the other way round, nothing is sorted

CREATE TEMP TABLE ordered(by, sorts);
INSERT INTO ordered VALUES ('depth', 0), ('depth DESC', 0), ('turn_id', 0), ('turn_id DESC', 0), ('depth + 0', 1);
SELECT 'ORDER BY ' || by, plan_of('SELECT turn_id FROM turn_path(''main'') ORDER BY ' || by) LIKE '%TEMP B-TREE%', sorts FROM ordered;
