-- clock.sql - a clock that was ahead (NTP, a machine that was suspended): what it wrote down holds nothing up.

SELECT turnstile_install();
-- The file was begun by the right clock.
SELECT turnstile_clock(1768224600000);
INSERT INTO turnstile VALUES ('session_start', '["first","x"]');

CREATE TEMP TABLE run(name TEXT PRIMARY KEY, r);
CREATE TEMP VIEW live(name, turn, token) AS SELECT name, r ->> '$.turn', r ->> '$.token' FROM run;

---- Leases: how far the clock was ahead, and what each way of coming next finds

-- A minute is what clocks of several hosts may differ by: such a lease holds.
CREATE TEMP TABLE ahead(name, ms, over);
INSERT INTO ahead VALUES ('a second', 1000, 0), ('a minute', 60000, 0), ('more', 60001, 1),
  ('an hour', 3600000, 1), ('thirty days', 2592000000, 1), ('for ever', 6000000000000, 1);
CREATE TEMP TABLE next(way, call);
INSERT INTO next VALUES
  ('turn_begin', 'turn_begin(%Q, ''w2'', ''{"messages":[{"role":"user","content":"two"}]}'') IS NOT NULL'),
  ('turn_append', 'turn_append(%Q, ''[{"role":"user","content":"two"}]'') IS NOT NULL'),
  ('session_delete', 'session_delete(%Q) IS NOT NULL'),
  ('session_archive', 'session_archive(%Q) IS NOT NULL');
CREATE TEMP TABLE fell AS SELECT ahead.*, next.*, ahead.name || ', ' || way AS label FROM ahead, next;
INSERT INTO run SELECT label, turn_begin(label, 'w1', json_object('now', 1768224600000 + ms, 'messages',
  json('[{"role":"user","content":"one"}]'))) FROM fell;
SELECT label || ': to the last moment of that clock', error_of('SELECT turn_begin(' || quote(label) ||
  ', ''w2'', ''{"now":' || (1768224600000 + ms) || '}'')') LIKE 'turn_begin: session % is busy%', 1 FROM fell;
SELECT label || ': back again', error_of('SELECT ' || printf(call, label)) IS NULL, over FROM fell;
SELECT label || ': its token is dead', error_of(printf('SELECT turn_heartbeat(%d, %d)', turn, token)) LIKE
  '%nothing can be added to it', 1
FROM fell JOIN live ON live.name = label WHERE over AND way <> 'session_delete';
INSERT INTO run SELECT 'said', session_deliver('said', 'one', '{"now":1770824600000,"owner":"w1","class":"NewTask"}') -> '$.turn';
SELECT 'what comes next takes it, and what that run had first',
  json_extract(session_deliver('said', 'two', '{"owner":"w2","class":"Modification"}'), '$.turn.messages[0].content', '$.turn.messages[1].content'),
  '["one","two"]';
-- Whoever held it and shows life by the right clock has a lease as any other.
INSERT INTO run SELECT 'kept', turn_begin('kept', 'w1', '{"now":1770824600000,"messages":[{"role":"user","content":"one"}]}');
SELECT 'it goes on', turn_heartbeat(turn, token) ->> '$.expires_at', 1768224900000 FROM live WHERE name = 'kept';
SELECT 'and holds the session', error_of('SELECT turn_begin(''kept'', ''w2'')') LIKE '%is busy%', 1;
SELECT 'for as long as it is', turn_begin('kept', 'w2', '{"now":1768224900000,"lease":"1000s","messages":[{"role":"user","content":"x"}]}') IS NOT NULL, 1;
-- Reading what it works on is not taking it away.
INSERT INTO run SELECT 'read', turn_begin('read', 'w1', '{"now":1770824600000,"messages":[{"role":"user","content":"one"}]}');
SELECT 'its context is still its turn''s', (SELECT group_concat(content) FROM session_context('read')), 'one';
-- A sign of life that is no call of the turn does not lengthen it.
INSERT INTO run SELECT 'told', turn_begin('told', 'w1', '{"now":1770824600000,"messages":[{"role":"user","content":"one"}]}');
SELECT session_run('told', 'w1', 'running');
SELECT 'told: it is over all the same', turn_begin('told', 'w2', '{"messages":[{"role":"user","content":"two"}]}') IS NOT NULL, 1;
-- The sweep and a start free it.
INSERT INTO run SELECT 'of now', turn_begin('of now', 'w1', '{"messages":[{"role":"user","content":"one"}]}');
INSERT INTO run SELECT value, turn_begin(value, 'w1', '{"now":1770824600000,"messages":[{"role":"user","content":"one"}]}')
FROM json_each('["swept","started"]');
UPDATE session_runs SET owner = 'w3' WHERE session_label = 'started';
SELECT 'the sweep sees them', session_sweep('{"dry_run":1}') ->> '$.leases_expired' >= 2, 1;
SELECT 'a start too', (SELECT group_concat(value) FROM json_each(turnstile_startup(), '$.sessions') WHERE value IN ('swept', 'started')), 'started,swept';
SELECT 'nobody holds what was ahead', (SELECT count(*) FROM session_runs WHERE expires_at > 1768225000000), 0;
SELECT 'a run of now goes on', (SELECT run_state FROM session_runs WHERE session_label = 'of now'), 'starting';

---- Activity and use

SELECT session_deliver('young', 'add retries', '{"now":1769224600000,"class":"NewTask"}');
SELECT session_note('young', 'something', '{"now":1769224600000}');
SELECT session_deliver('young', 'five of them', '{"class":"Modification"}');
SELECT 'a user''s message is of now', (SELECT last_activity FROM sessions WHERE label = 'young'), 1768224600000;
SELECT 'so the session goes stale in its time', (SELECT band FROM stale_sessions WHERE label = 'young' AND now = 1768224600000 + 86400001), 'ask';
SELECT turn_append('job', '[{"role":"user","content":"x"}]', '{"source":"timer"}');
SELECT turn_append('job', '[{"role":"user","content":"x"}]', '{"source":"timer","now":1772224600000}');
SELECT turn_append('job', '[{"role":"user","content":"x"}]', '{"source":"timer"}');
SELECT 'use is of now, up to the full hour', (SELECT last_used FROM sessions WHERE label = 'job'), 1768226400000;
-- Nobody comes: the sweep takes it for as old as now.
INSERT INTO turnstile VALUES ('session_start', '["open","x",{"now":1772224600000}]'),
  ('session_note', '["open","y",{"now":1772224600000}]');
SELECT turn_append('idle', '[{"role":"user","content":"x"}]', '{"now":1772224600000}');
INSERT INTO turnstile VALUES ('session_start', '["ready","x"]'), ('session_run', '["ready","w9","starting"]'),
  ('session_run', '["ready","w9","running"]');
SELECT session_run('ready', 'w9', 'ready', NULL, '{"now":1772224600000}');
SELECT session_note('first', 'x', '{"request_id":"r1","now":1772224600000}');
SELECT 'dry it says the same', json_remove(session_sweep('{"dry_run":1}'), '$.dry_run'), json_remove(session_sweep(), '$.dry_run');
SELECT label || ': mended', (SELECT json_array(last_activity, last_used) FROM sessions AS s WHERE s.label = l.label), is_
FROM (SELECT 'open' AS label, '[1768224600000,0]' AS is_ UNION ALL SELECT 'idle', '[1768224600000,0]'
      UNION ALL SELECT 'young', '[1768224600000,0]') AS l;
SELECT 'a ready run too', (SELECT heartbeat_at FROM session_runs WHERE session_label = 'ready'), 1768224600000;
SELECT 'and a request id', (SELECT at FROM turnstile_requests WHERE request_id = 'r1'), 1768224600000;
SELECT 'what is due comes', session_sweep('{"now":1768829400002}') ->> '$.compacted_tasks' LIKE '%"x"%', 1;
SELECT 'and is forgotten in its time', (SELECT count(*) FROM turnstile_requests WHERE request_id = 'r1'), 0;
-- A clock that is behind the file's beginning is no clock to go by.
SELECT session_start('later', 'x', '{"now":1768924600000}');
SELECT session_sweep('{"now":5}') IS NOT NULL;
SELECT 'nothing is mended by it', (SELECT last_activity FROM sessions WHERE label = 'later'), 1768924600000;
SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || problem, char(10)) FROM turnstile_check), NULL;

---- Deadlines and times to wait for

SELECT turnstile_clock(1800000000000);
INSERT INTO turnstile VALUES ('session_start', '["slow boss","oversee"]'), ('session_deliver', '["slow input","x"]');
SELECT turnstile_clock(1800000000000 + 7 * 86400000);
INSERT INTO turnstile VALUES ('session_spawn', '["slow boss","dig",{"label":"slow worker","timeout":"10m"}]');
CREATE TEMP TABLE waiting AS SELECT turn_begin('slow input', 'w') AS r;
SELECT 'an input waits 30 s', turn_fail(r ->> '$.turn', r ->> '$.token', 'busy', '{"retry_after":"30s"}') ->> '$.due_at',
  1800000000000 + 7 * 86400000 + 30000 FROM waiting;
SELECT turnstile_clock(1800000000000);
SELECT 'a dry run mends nothing', json_array(session_sweep('{"dry_run":1}') IS NOT NULL, (SELECT count(*) FROM
  session_workers WHERE deadline > 1800000600000), (SELECT count(*) FROM queue_list WHERE due_at IS NOT NULL)), '[1,1,1]';
SELECT 'they are mended', session_sweep() IS NOT NULL, 1;
SELECT 'the worker has its 10 minutes', deadline, 1800000600000 FROM session_workers WHERE worker = 'slow worker';
SELECT 'a poller need not wait', json_array(due_at, position), '[null,1]' FROM queue_list WHERE session_label = 'slow input';
SELECT turnstile_clock(1800000600000);
SELECT 'late as told', turn_begin('slow boss', 'm') ->> '$.messages[#-1].content',
  'Worker slow worker has not reported within 10 minutes';
-- What is right stays: also by a clock a little off.
CREATE TEMP TABLE waiting_again AS SELECT turn_begin('slow input', 'w') AS r;
SELECT turn_fail(r ->> '$.turn', r ->> '$.token', 'busy', '{"retry_after":"30s"}') FROM waiting_again;
INSERT INTO turnstile VALUES ('session_spawn', '["slow boss","dig",{"label":"right","timeout":"10m"}]');
SELECT turnstile_clock(1800000600000 - 60000);
SELECT session_sweep();
SELECT 'a minute is nothing', json_array(deadline, (SELECT due_at FROM queue_list WHERE session_label = 'slow input')),
  json_array(1800001200000, 1800000630000) FROM session_workers WHERE worker = 'right';

---- A deadline of a clock that was ahead is judged by whoever looks

SELECT turnstile_clock(1810000000000);
CREATE TEMP TABLE looks(boss, args);
INSERT INTO looks VALUES ('session_recover', '["session_recover"]'), ('session_deliver', '["session_deliver","hm",{"source":"timer"}]'),
  ('turn_begin', '["turn_begin","m"]'), ('session_spawn', '["session_spawn","dig"]');
INSERT INTO turnstile SELECT 'session_start', json_array(boss, 'oversee') FROM looks;
INSERT INTO turnstile VALUES ('session_start', '["turnstile_startup","oversee"]'), ('session_start', '["its own","oversee"]'),
  ('session_start', '["second","oversee"]'), ('session_spawn', '["second","dig",{"label":"for second","timeout":"10m"}]'),
  ('session_report', '["for second","completed","done"]');
SELECT turnstile_clock(1810000000000 + 7 * 86400000);
INSERT INTO turnstile SELECT 'session_spawn', json_array(boss, 'dig', json_object('label', 'for ' || boss, 'timeout', '10m')) FROM looks
  UNION ALL SELECT 'session_spawn', '["turnstile_startup","dig",{"label":"for turnstile_startup","timeout":"10m"}]'
  UNION ALL SELECT 'session_spawn', '["its own","dig",{"label":"for its own","timeout":"10m"}]'
  UNION ALL SELECT 'session_spawn', '["its own","dig",{"label":"for ever","timeout":"20000 days"}]';
-- The second task of one that was spawned by a clock that was right.
SELECT session_deliver('for second', 'dig deeper', '{"source":"agent","sender":"second"}') ->> '$.action';
SELECT turnstile_clock(1810000000000);
INSERT INTO turnstile SELECT boss, args FROM looks;
SELECT boss || ' has judged it', deadline, 1810000600000 FROM looks JOIN session_workers ON worker = 'for ' || boss;
SELECT 'others wait to be looked at', count(*), 3 FROM session_workers
  WHERE worker IN ('for turnstile_startup', 'for its own', 'for second') AND deadline > 1810000600000;
SELECT turn_begin('for its own', 'w') IS NOT NULL;
SELECT 'by the worker itself', deadline, 1810000600000 FROM session_workers WHERE worker = 'for its own';
SELECT session_recover('second') IS NOT NULL;
SELECT 'also of a second task', deadline, 1810000600000 FROM session_workers WHERE worker = 'for second';
SELECT turnstile_startup() IS NOT NULL;
SELECT 'by turnstile_startup', deadline, 1810000600000 FROM session_workers WHERE worker = 'for turnstile_startup';
SELECT 'and what is no deadline of such a clock stays', deadline > 1810000000000 + 19999 * 86400000, 1 FROM session_workers WHERE worker = 'for ever';
-- By a clock that is behind the file's beginning nothing is mended.
SELECT session_recover('session_recover', '{"now":1000000000000}') IS NOT NULL;
SELECT 'it stays', deadline, 1810000600000 FROM session_workers WHERE worker = 'for session_recover';
SELECT turnstile_clock(1810000600000);
SELECT 'all of them', session_sweep() ->> '$.workers_timed_out', 7;
SELECT 'the file is sound, too', (SELECT group_concat(rule || ' ' || problem, char(10)) FROM turnstile_check), NULL;
