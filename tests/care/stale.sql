-- stale.sql - the table-valued function stale_sessions: bands, arguments, overrides, its cost.

SELECT turnstile_install();
SELECT turnstile_clock(10000000000);

---- Bands: with a task fresh, ask, auto_compact, archive; without one only archive

CREATE TEMP TABLE age(name, ms, task, band, action);
INSERT INTO age VALUES
  ('hour', 3600000, 1, 'fresh', NULL), ('day', 86400000, 1, 'fresh', NULL), ('day+', 86400001, 1, 'ask', 'prompt'),
  ('week', 604800000, 1, 'ask', 'prompt'), ('week+', 604800001, 1, 'auto_compact', 'compact'),
  ('month', 2592000000, 1, 'auto_compact', 'compact'), ('month+', 2592000001, 1, 'archive', 'archive'),
  ('hour, no task', 3600000, 0, 'fresh', NULL), ('week+, no task', 604800001, 0, 'fresh', NULL),
  ('month, no task', 2592000000, 0, 'fresh', NULL), ('month+, no task', 2592000001, 0, 'archive', 'archive');
INSERT INTO turnstile
  SELECT 'session_start', json_array(name, 'task ' || name, json_object('now', 10000000000 - ms)) FROM age WHERE task;
INSERT INTO turnstile
  SELECT 'session_deliver', json_array(name, 'thanks', json_object('class', 'Confirmation', 'now', 10000000000 - ms)) FROM age WHERE NOT task;
SELECT name || ': band', (SELECT band FROM stale_sessions WHERE label = name AND include_fresh = 1), band FROM age;
SELECT name || ': action', (SELECT action FROM stale_sessions WHERE label = name AND include_fresh = 1), action FROM age;
SELECT name || ': idle_ms', (SELECT idle_ms FROM stale_sessions WHERE label = name AND include_fresh = 1), ms FROM age;
SELECT name || ': state', (SELECT state FROM stale_sessions WHERE label = name AND include_fresh = 1), iif(task, 'Running', 'None') FROM age;
SELECT name || ': task', (SELECT s.task FROM stale_sessions AS s WHERE label = name AND include_fresh = 1), iif(task, 'task ' || name, NULL) FROM age;
SELECT name || ': listed', (SELECT count(*) FROM stale_sessions WHERE label = name), band <> 'fresh' FROM age;
SELECT 'the whole list', (SELECT group_concat(label) FROM (SELECT label FROM stale_sessions ORDER BY label)),
       (SELECT group_concat(name) FROM (SELECT name FROM age WHERE band <> 'fresh' ORDER BY name));
SELECT 'with the fresh ones', (SELECT count(*) FROM stale_sessions WHERE include_fresh = 1), 11;
SELECT 'include_fresh = 0 is as without', (SELECT count(*) FROM stale_sessions(NULL, NULL, NULL, NULL, 0)), 6;
SELECT 'six columns for people', (SELECT group_concat(name) FROM pragma_table_info('stale_sessions')), 'label,state,task,idle_ms,band,action';

---- Arguments, in both notations

SELECT 'ask_threshold by place', (SELECT group_concat(label) FROM (SELECT label FROM stale_sessions(NULL, '30m') WHERE band = 'ask' ORDER BY label)), 'day,day+,hour,week';
SELECT 'ask_threshold by name', (SELECT group_concat(label) FROM (SELECT label FROM stale_sessions WHERE ask_threshold = '30m' AND band = 'ask' ORDER BY label)), 'day,day+,hour,week';
SELECT 'milliseconds are a duration too', (SELECT count(*) FROM stale_sessions(NULL, 1800000) WHERE band = 'ask'), 4;
SELECT 'auto_compact_threshold', (SELECT group_concat(label) FROM (SELECT label FROM stale_sessions(NULL, NULL, '12h') WHERE band = 'auto_compact' ORDER BY label)), 'day,day+,month,week,week+';
SELECT 'auto_compact_threshold by name', (SELECT count(*) FROM stale_sessions WHERE auto_compact_threshold = '12 hours' AND band = 'auto_compact'), 5;
SELECT 'archive_after', (SELECT group_concat(label) FROM (SELECT label FROM stale_sessions(NULL, NULL, NULL, '8 days') WHERE band = 'archive' ORDER BY label)),
       'month,month+,month+, no task,month, no task';
SELECT 'now', (SELECT count(*) FROM stale_sessions(10000000000 + 86400000) WHERE band = 'ask'), 3;
SELECT 'now by name', (SELECT count(*) FROM stale_sessions WHERE now = 10000000000 + 86400000 AND band = 'ask'), 3;
SELECT 'now before everything: nothing is stale', (SELECT count(*) FROM stale_sessions(0)), 0;
SELECT 'NULL arguments are as none', (SELECT count(*) FROM stale_sessions(NULL, NULL, NULL, NULL, NULL)), 6;
SELECT 'arguments can be read back', (SELECT group_concat(DISTINCT now || ' ' || ask_threshold || ' ' || auto_compact_threshold || ' ' || archive_after) FROM stale_sessions(NULL, '1h')),
       '10000000000 3600000 604800000 2592000000';
SELECT 'a threshold that is none', error_of('SELECT * FROM stale_sessions(NULL, ''soon'')') LIKE 'stale_sessions: ask_threshold must be a duration%', 1;
SELECT 'a negative threshold', error_of('SELECT * FROM stale_sessions WHERE archive_after = -1') LIKE 'stale_sessions: archive_after must be a duration%', 1;
SELECT 'a now that is none', error_of('SELECT * FROM stale_sessions(''today'')') LIKE 'stale_sessions: now must be an integer%', 1;
SELECT 'too many arguments', error_of('SELECT * FROM stale_sessions(1,2,3,4,5,6)') LIKE 'too many arguments on stale_sessions%', 1;
SELECT 'it can''t be written', error_of('DELETE FROM stale_sessions') LIKE '%stale_sessions%', 1;

---- label, LIMIT, joins

SELECT 'an unknown label', (SELECT count(*) FROM stale_sessions WHERE label = 'nobody'), 0;
SELECT 'a NULL label', (SELECT count(*) FROM stale_sessions WHERE label = NULL), 0;
SELECT 'a label in a list', (SELECT group_concat(label) FROM (SELECT label FROM stale_sessions WHERE label IN ('day+', 'week+', 'hour') ORDER BY label)), 'day+,week+';
SELECT 'LIMIT', (SELECT count(*) FROM (SELECT * FROM stale_sessions LIMIT 2)), 2;
SELECT 'LIMIT and OFFSET', (SELECT count(*) FROM (SELECT * FROM stale_sessions LIMIT 10 OFFSET 5)), 1;
SELECT 'a join by label', (SELECT count(*) FROM age CROSS JOIN stale_sessions AS s ON s.label = age.name), 6;
SELECT 'a join the other way', (SELECT count(*) FROM stale_sessions AS s CROSS JOIN age ON s.label = age.name), 6;
SELECT 'an argument out of a table', (SELECT group_concat(n) FROM (SELECT (SELECT count(*) FROM stale_sessions(NULL, ask)) AS n FROM (SELECT '30m' AS ask UNION ALL SELECT '2 days'))), '8,5';

---- Settings, and sessions with settings of their own

SELECT turnstile_config('ask_threshold', '30m');
SELECT 'the setting holds', (SELECT count(*) FROM stale_sessions WHERE band = 'ask'), 4;
SELECT turnstile_config('ask_threshold', NULL, '{"reset":1}');
SELECT turnstile_config('ask_threshold', '30m', '{"session":"hour"}');
SELECT 'sooner for one', (SELECT group_concat(label) FROM (SELECT label FROM stale_sessions WHERE band = 'ask' ORDER BY label)), 'day+,hour,week';
SELECT turnstile_config('ask_threshold', '3 days', '{"session":"day+"}');
SELECT 'later for one', (SELECT group_concat(label) FROM (SELECT label FROM stale_sessions WHERE band = 'ask' ORDER BY label)), 'hour,week';
SELECT turnstile_config('auto_compact_threshold', '40 days', '{"session":"month"}');
SELECT 'saved later for one', (SELECT band FROM stale_sessions WHERE label = 'month'), 'ask';
SELECT turnstile_config('archive_after', '1h', '{"session":"week+, no task"}');
SELECT 'archived sooner for one', (SELECT band FROM stale_sessions WHERE label = 'week+, no task'), 'archive';
SELECT 'in the whole list too', (SELECT count(*) FROM stale_sessions WHERE band = 'archive'), 3;
SELECT 'an argument holds for all', (SELECT group_concat(label) FROM (SELECT label FROM stale_sessions(NULL, '23h', NULL, '365 days') WHERE band = 'ask' ORDER BY label)), 'day,day+,month,week';
SELECT 'each session once', (SELECT count(*) - count(DISTINCT label) FROM stale_sessions WHERE include_fresh = 1), 0;

---- What is never stale

UPDATE sessions SET status = 'archived' WHERE label = 'week';
SELECT 'archived', (SELECT count(*) FROM stale_sessions WHERE label = 'week' AND include_fresh = 1), 0;
INSERT INTO turnstile VALUES ('session_run', '["week+","A1","starting"]');
UPDATE session_runs SET expires_at = 10000000001;
SELECT 'with a live run', (SELECT count(*) FROM stale_sessions WHERE label = 'week+'), 0;
SELECT 'in the whole list', (SELECT count(*) FROM stale_sessions AS s WHERE s.label || '' = 'week+'), 0;
SELECT 'when the lease has run out', (SELECT band FROM stale_sessions(10000000002) WHERE label = 'week+'), 'auto_compact';
UPDATE sessions SET status = 'error' WHERE label = 'month+, no task';
INSERT INTO turnstile VALUES ('session_deliver', '["month+, no task","beat",{"source":"timer"}]');
UPDATE sessions SET status = 'active' WHERE label = 'month+, no task';
SELECT 'no task, but an input that waits', (SELECT count(*) FROM stale_sessions WHERE label = 'month+, no task'), 0;

---- Reading changes nothing, and goes by the indexes

CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT count(*) FROM stale_sessions;
SELECT 'reading changes nothing', dump_of() = d, 1 FROM was;
CREATE TEMP TABLE used AS
  SELECT DISTINCT sql FROM turnstile_cache WHERE sql LIKE '%INDEXED BY "sessions_by_open_task"%UNION ALL%';
SELECT 'its statement is there to be looked at', (SELECT count(*) FROM used), 1;
SELECT 'no table is scanned', (SELECT group_concat(value) FROM json_each((SELECT plan_of(sql) FROM used))
  WHERE value LIKE 'SCAN %' AND value <> 'SCAN o'), NULL; -- o: the sessions with settings of their own
SELECT 'open tasks by age', (SELECT count(*) FROM json_each((SELECT plan_of(sql) FROM used)) WHERE value LIKE 'SEARCH s USING%INDEX sessions_by_open_task (last_activity<?)'), 1;
SELECT 'idle sessions by age', (SELECT count(*) FROM json_each((SELECT plan_of(sql) FROM used)) WHERE value LIKE 'SEARCH s USING%INDEX sessions_unused (<expr><?)'), 1;
SELECT 'settings by key', (SELECT count(*) FROM json_each((SELECT plan_of(sql) FROM used)) WHERE value LIKE 'SEARCH main.turnstile_config USING%INDEX turnstile_config_by_key (key=?%'), 1;

---- What waits for its time is nobody at work

CREATE TEMP TABLE later(label, at, said, meant);
INSERT INTO later VALUES ('later a day', 25 * 3600000, '["prompt","StaleSessionChoice","Running"]', 1), ('later a week', 8 * 86400000, '["queue",null,"None"]', 0);
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'add retries', json_object('class', 'NewTask', 'owner', 'w', 'now', 1767225600000)) FROM later;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read', json_object('now', 1767225600000)) FROM later;
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, '429', json_object('retry_after', '30 days', 'now', 1767225600000)) FROM session_runs WHERE session_label LIKE 'later%';
SELECT label || ': asked, or saved', json_extract(session_deliver(label, 'make it five', json_object('class', 'Modification', 'now', 1767225600000 + at)), '$.action', '$.kind', '$.state'), said FROM later;
SELECT 'what was said waits behind it', (SELECT group_concat(message) FROM (SELECT message FROM queue_list WHERE session_label = 'later a week' ORDER BY position)), 'add retries,make it five';

---- Giving up what has expired takes back only what its own sender has said

CREATE TEMP TABLE gives(label, said, options, held, sender);
INSERT INTO gives SELECT printf('gives up: %s, %s, by %s', k.value ->> 0, w.value ->> 0, s.value), w.value ->> 0, w.value ->> 1, k.value, s.value
  FROM json_each('[["UnclearChoice","hmm, tuesday","Unclear",0],["NewTaskChoice","build an export","NewTask",0],["StaleSessionChoice","log each try","Modification",90000000]]') AS k,
    json_each('[["forget it",{}],["stop",{}],["/stop",{}],["that way",{"class":"Abandon"}]]') AS w, json_each('["ann","bob"]') AS s;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'Add retries', '{"now":1767225600000}') FROM gives;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'post() is called once', '{"now":1767225600000}') FROM gives;
SELECT label || ': asked', session_deliver(label, held ->> 1, json_object('class', held ->> 2, 'sender', 'bob', 'now', 1767225600000 + (held ->> 3))) ->> '$.kind', held ->> 0 FROM gives;
CREATE TEMP TABLE gave AS SELECT label, sender, held, session_deliver(label, said, json_patch(options, json_object('sender', sender, 'now', 1767225600000 + 10 * 86400000))) AS r FROM gives;
SELECT label || ': starts nothing', json_extract(r, '$.action', '$.class', '$.state', '$.inputs'), '["acknowledge","Abandon","None",null]' FROM gave;
SELECT label || ': what somebody else has said waits', (SELECT group_concat(value ->> 'message') FROM json_each(r, '$.still_waiting')), iif(sender = 'bob', NULL, held ->> 1) FROM gave;
SELECT label || ': in the queue too', (SELECT group_concat(message || '/' || status) FROM queue_list AS q WHERE q.session_label = gave.label), iif(sender = 'bob', NULL, (held ->> 1) || '/pending') FROM gave;

---- A lease keeps a session until it runs out, and from a minute before it was last heard of

-- (A clock that was set back further has made leases that nobody can rely on.) All of it for a session with a task,
-- one without, and both with thresholds of their own; asked for alone, among those that are stale, and among all.
CREATE TEMP TABLE leased(label, task, own);
INSERT INTO leased VALUES ('leased 1', 1, 0), ('leased 2', 0, 0), ('leased 3', 1, 1), ('leased 4', 0, 1);
SELECT session_start(label, 'x', '{"now":1600000000000}') FROM leased WHERE task;
SELECT session_deliver(label, 'thanks', '{"class":"Confirmation","now":1600000000000}') ->> '$.action' FROM leased WHERE NOT task;
SELECT turnstile_config('archive_after', '2 days', json_object('session', label)) FROM leased WHERE own;
SELECT session_run(label, 'A1', 'starting') FROM leased;
UPDATE session_runs SET heartbeat_at = 1700000000000, expires_at = 1700000120000 WHERE session_label LIKE 'leased _';
CREATE TEMP TABLE look(at, seen);
INSERT INTO look VALUES (1700000000000 - 60001, 1), (1700000000000 - 60000, 0), (1700000000000, 0), (1700000000000 + 119999, 0), (1700000000000 + 120000, 1);
SELECT label || ' at ' || (at - 1700000000000) || ', alone', (SELECT count(*) FROM stale_sessions(at) AS s WHERE s.label = l.label), seen FROM leased AS l, look;
SELECT label || ' at ' || (at - 1700000000000) || ', listed', (SELECT count(*) FROM stale_sessions(at) AS s WHERE s.label || '' = l.label), seen FROM leased AS l, look;
SELECT label || ' at ' || (at - 1700000000000) || ', among all', (SELECT band <> 'fresh' FROM stale_sessions(at, NULL, NULL, NULL, 1) AS s WHERE s.label || '' = l.label), seen FROM leased AS l, look;

---- A group is one by the front of its label, to the letter

CREATE TEMP TABLE named(label, own, seen);
INSERT INTO named VALUES ('group', 0, 1), ('groupx', 1, 1), ('group:', 0, 0), ('group:x', 1, 0), ('group;', 0, 1), ('group;x', 1, 1), ('group9', 0, 1);
SELECT session_deliver(label, 'thanks', '{"class":"Confirmation","now":1600000000000}') ->> '$.action' FROM named;
SELECT turnstile_config('ask_threshold', '2 days', json_object('session', label)) FROM named WHERE own;
SELECT label || ', alone', (SELECT count(*) FROM stale_sessions(1700000000000) AS s WHERE s.label = n.label), seen FROM named AS n;
SELECT label || ', listed', (SELECT count(*) FROM stale_sessions(1700000000000) AS s WHERE s.label || '' = n.label), seen FROM named AS n;
SELECT label || ', among all', (SELECT band <> 'fresh' FROM stale_sessions(1700000000000, NULL, NULL, NULL, 1) AS s WHERE s.label || '' = n.label), seen FROM named AS n;
-- The bound itself, with a threshold of its own too.
SELECT turnstile_config('ask_threshold', '2 days', '{"session":"group;"}');
SELECT 'group;, with its own', (SELECT count(*) FROM stale_sessions(1700000000000) AS s WHERE s.label || '' = 'group;'), 1;

---- What is activity: what a user says and does for a task, not what is done to a session

CREATE TEMP TABLE acts(command PRIMARY KEY, args, active);
INSERT INTO acts VALUES ('session_start', '["y"]', 1), ('session_note', '["x"]', 1), ('session_observe', '["Note","x","c"]', 1), ('session_relate', '["a:b","E","c:d"]', 0), ('session_flush', '["Note"]', 1),
  ('session_transition', '["AwaitingUser",{"question":"q"}]', 1), ('session_compact', '["done"]', 1), ('session_deliver', '["thanks"]', 1), ('session_rewind', '[null]', 1),
  ('turn_append', '[[{"role":"user","content":"x"}]]', 1), ('session_run', '["w","starting",null]', 0), ('session_suspend', '[]', 0), ('session_archive', '[]', 0), ('session_fail', '["x"]', 0), ('queue_push', '["x"]', 0),
  ('session_recover', '[]', 0), ('turn_compact', '["s"]', 0);
INSERT INTO turnstile SELECT 'session_start', json_array('act ' || command, 'x', json('{"now":1000}')) FROM acts;
INSERT INTO turnstile SELECT 'session_note', json_array('act ' || command, 'x', json('{"now":1000}')) FROM acts;
INSERT INTO turnstile SELECT 'turn_append', json_array('act ' || command, json('[{"role":"user","content":"x"}]'), json('{"now":1000}')) FROM acts;
INSERT INTO turnstile SELECT 'session_compact', json_array('act ' || command, 'done', json('{"now":1000}')) FROM acts WHERE command = 'session_start';
INSERT INTO turnstile SELECT command, '["act ' || command || '",' || iif(args = '[]', '', substr(args, 2, length(args) - 2) || ',') || '{"now":2000}]' FROM acts;
SELECT 'activity: ' || command, last_activity, iif(active, 2000, 1000) FROM acts JOIN sessions ON label = 'act ' || command;
