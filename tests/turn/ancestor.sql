-- ancestor.sql - turn_ancestor, turn_common_ancestor, turn_is_ancestor on a tree of two branches and another tree.
-- tree_model.py compares them with a second implementation on large ones.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
-- main: a(0) b(1) c(2) d(3); idea forks at b: e(2) f(3), g(2) beside e; far: h(0).
CREATE TEMP TABLE t(name PRIMARY KEY, id INTEGER, path);
INSERT INTO t VALUES ('a', turn_append('main', '[{"role":"user","content":"a"}]'), 'a');
INSERT INTO t VALUES ('b', turn_append('main', '[{"role":"user","content":"b"}]'), 'ab');
INSERT INTO t VALUES ('c', turn_append('main', '[{"role":"user","content":"c"}]'), 'abc');
INSERT INTO t VALUES ('d', turn_append('main', '[{"role":"user","content":"d"}]'), 'abcd');
SELECT session_fork((SELECT id FROM t WHERE name = 'b'), 'idea');
INSERT INTO t VALUES ('e', turn_append('idea', '[{"role":"user","content":"e"}]'), 'abe');
INSERT INTO t VALUES ('f', turn_append('idea', '[{"role":"user","content":"f"}]'), 'abef');
INSERT INTO t SELECT 'g', turn_append('idea', '[{"role":"user","content":"g"}]', json_object('parent', id)), 'abg' FROM t WHERE name = 'b';
INSERT INTO t VALUES ('h', turn_append('far', '[{"role":"user","content":"h"}]'), 'h');
CREATE TEMP TABLE n(n);
INSERT INTO n VALUES (0), (1), (2), (3), (4), (9007199254740991);

---- Every turn at every depth, every pair: what a path of letters says

SELECT 'turn_ancestor ' || name || ' ' || n, turn_ancestor(t.id, n), (SELECT u.id FROM t AS u WHERE u.name = substr(t.path, n + 1, 1)) FROM t, n;
SELECT 'turn_is_ancestor ' || a.name || ' ' || b.name, turn_is_ancestor(a.id, b.id), b.path LIKE a.path || '%' FROM t AS a, t AS b;
SELECT 'turn_common_ancestor ' || a.name || ' ' || b.name, turn_common_ancestor(a.id, b.id),
  (SELECT u.id FROM t AS u WHERE a.path LIKE u.path || '%' AND b.path LIKE u.path || '%' ORDER BY length(u.path) DESC LIMIT 1) FROM t AS a, t AS b;

---- Turns that did not end well are in the tree

SELECT turn_begin('main', 'w', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
SELECT 'one that runs', turn_is_ancestor((SELECT id FROM t WHERE name = 'd'), turn_id), 1 FROM session_runs WHERE session_label = 'main';
CREATE TEMP TABLE lost AS SELECT turn_id AS id, token FROM session_runs WHERE session_label = 'main';
SELECT turn_fail(id, token, 'no answer') FROM lost;
SELECT 'one that failed', turn_ancestor(id, 4), id FROM lost;

---- They only read; both doors

CREATE TEMP TABLE was AS SELECT dump_of() AS d;
INSERT INTO turnstile(command, args) SELECT 'turn_ancestor', json_array(id, 0) FROM t WHERE name = 'f' RETURNING 'turn_ancestor by the door', turnstile_result(), (SELECT id FROM t WHERE name = 'a');
INSERT INTO turnstile(command, args) SELECT 'turn_ancestor', json_object('turn', id, 'depth', 1) FROM t WHERE name = 'f' RETURNING 'by names', turnstile_result(), (SELECT id FROM t WHERE name = 'b');
INSERT INTO turnstile(command, args) SELECT 'turn_common_ancestor', json_array(a.id, b.id) FROM t AS a, t AS b WHERE a.name = 'd' AND b.name = 'f' RETURNING 'turn_common_ancestor by the door', turnstile_result(), (SELECT id FROM t WHERE name = 'b');
INSERT INTO turnstile(command, args) SELECT 'turn_is_ancestor', json_array(a.id, b.id) FROM t AS a, t AS b WHERE a.name = 'd' AND b.name = 'f' RETURNING 'turn_is_ancestor by the door', turnstile_result(), 0;
SELECT 'nothing is written', dump_of() = d, 1 FROM was;

---- Refusals

CREATE TEMP TABLE wrong(call, error);
INSERT INTO wrong VALUES ('turn_ancestor(NULL, 0)', 'turn is missing'), ('turn_ancestor(16777216, NULL)', 'depth is missing'), ('turn_ancestor(''a'', 0)', 'turn must be an integer from 0 to 9007199254740991, not text'),
  ('turn_ancestor(16777216, -1)', 'depth is -1; it must be from 0 to 9007199254740991'), ('turn_ancestor(5, 0)', 'there is no turn 5'), ('turn_ancestor(-1, 0)', 'turn is -1; it must be from 0 to 9007199254740991'),
  ('turn_common_ancestor(5, 16777216)', 'there is no turn 5'), ('turn_common_ancestor(16777216, 6)', 'there is no turn 6'), ('turn_common_ancestor(NULL, 16777216)', 'a is missing'), ('turn_common_ancestor(16777216, NULL)', 'b is missing'),
  ('turn_is_ancestor(5, 16777216)', 'there is no turn 5'), ('turn_is_ancestor(16777216, 6)', 'there is no turn 6'), ('turn_is_ancestor(NULL, 16777216)', 'a is missing'), ('turn_is_ancestor(16777216, ''b'')', 'b must be an integer from 0 to 9007199254740991, not text');
SELECT call, error_of('SELECT ' || call), substr(call, 1, instr(call, '(') - 1) || ': ' || error FROM wrong;
