-- sweep.sql - session_sweep: each kind of work, dry runs, batches, thresholds.

SELECT turnstile_install();
SELECT turnstile_config('keeps_turns', 0); -- the hosts of these stories keep no turns
SELECT turnstile_clock(10000000000);

---- One session for every kind of work, and one beside it that stays

CREATE TEMP TABLE s(label, ms, work);
INSERT INTO s VALUES ('day', 2 * 86400000, 1), ('week', 604800000, 1), ('stale', 604800001, 1), ('empty', 604800001, 0),
  ('old', 2592000001, 1), ('left complete', 3600000, 1), ('left aborted', 3600000, 1), ('held', 864000000, 1);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'task ' || label, json_object('now', 10000000000 - ms)) FROM s;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read', json_object('now', 10000000000 - ms)) FROM s WHERE work;
INSERT INTO turnstile SELECT 'session_deliver', json_array('held', 'pool the connections', json_object('class', 'NewTask', 'now', 10000000000 - ms)) FROM s WHERE label = 'held';
INSERT INTO turnstile VALUES
  ('session_transition', '["left complete","PendingComplete",{"summary":"ready"},{"now":9996400000}]'), ('session_transition', '["left complete","Complete",null,{"now":9996400000}]'),
  ('session_transition', '["left aborted","Aborted",{"reason":"no use"},{"now":9996400000}]'),
  ('session_deliver', '["idle month","thanks",{"class":"Confirmation","now":7408000000}]'), ('session_deliver', '["idle month+","thanks",{"class":"Confirmation","now":7407999999}]'),
  ('session_run', '["day","A1","starting",null,{"now":9990000000}]'), ('session_run', '["week","A2","starting",null,{"now":9990000000}]'),
  ('session_run', '["week","A2","running",null,{"now":9990000000}]'), ('session_run', '["week","A2","ready",null,{"now":9990000000}]'),
  ('session_run', '["stale","A3","starting",null,{"now":9999900000}]'), ('session_run', '["stale","A3","running",null,{"now":9999900000}]'), ('session_run', '["stale","A3","ready",null,{"now":9999900000}]'),
  ('session_note', '["day","with an old id",{"now":9827200000,"request_id":"old"}]'), ('session_note', '["day","with a young id",{"now":9827200000,"request_id":"young"}]');
UPDATE session_runs SET expires_at = 9999999999 WHERE session_label = 'day';
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
UPDATE turnstile_requests SET at = 10000000000 - 604800001 WHERE request_id = 'old';
DELETE FROM turnstile_meta WHERE key = 'unguarded';
UPDATE sessions SET last_activity = 10000000000 - 2 * 86400000 WHERE label = 'day';

CREATE TEMP TABLE was AS SELECT dump_of() AS d;
CREATE TEMP TABLE dry AS SELECT session_sweep('{"dry_run":1}') AS report;
SELECT 'a dry run changes nothing', dump_of() = d, 1 FROM was;
SELECT 'and says so', report -> '$.dry_run', 'true' FROM dry;
CREATE TEMP TABLE wet AS SELECT session_sweep() AS report;
SELECT 'what it says it would do, it does', json_remove(dry.report, '$.dry_run'), json_remove(wet.report, '$.dry_run') FROM dry, wet;
SELECT 'also that a session whose task is saved is archived', (SELECT count(*) FROM json_each(dry.report, '$.archived_sessions') WHERE value = 'old'), 1 FROM dry;
SELECT 'the report: ' || key, wet.report -> ('$.' || key), expected FROM wet, (
  SELECT 'dry_run' AS key, 'false' AS expected UNION ALL SELECT 'sessions_compacted', '3' UNION ALL SELECT 'tasks_dropped', '1'
  UNION ALL SELECT 'dropped_tasks', '["task empty"]' UNION ALL SELECT 'tasks_committed', '2' UNION ALL SELECT 'leases_expired', '1'
  UNION ALL SELECT 'runs_stopped', '1' UNION ALL SELECT 'requests_dropped', '1' UNION ALL SELECT 'more', 'false');
SELECT 'the report names the saved tasks', (SELECT group_concat(value) FROM (SELECT value FROM json_each(report, '$.compacted_tasks') ORDER BY value)),
       'task held,task old,task stale' FROM wet;
SELECT 'the report names the committed tasks', (SELECT group_concat(value) FROM (SELECT value FROM json_each(report, '$.committed_tasks') ORDER BY value)),
       'task left aborted,task left complete' FROM wet;

SELECT 'saved: ' || label, (SELECT commit_type || ' / ' || c.message FROM commits AS c WHERE c.session_label = label),
       iif(label = 'old', 'StaleAutoCompact / Auto-saved: session idle for 30 days: task old',
       iif(label = 'held', 'StaleAutoCompact / Auto-saved: session idle for 10 days: task held', 'StaleAutoCompact / Auto-saved: session idle for 7 days: task stale'))
FROM s WHERE label IN ('stale', 'old', 'held');
SELECT 'not saved: ' || label, (SELECT count(*) FROM commits AS c WHERE c.session_label = label), 0 FROM s WHERE label IN ('day', 'week');
SELECT 'still running: ' || label, session_state(label) ->> '$.task_state', 'Running' FROM s WHERE label IN ('day', 'week');
SELECT 'dropped: no commit, but an event and a note',
       (SELECT count(*) FROM commits WHERE session_label = 'empty') || (SELECT count(*) FROM session_events WHERE session_label = 'empty' AND axis = 'task' AND to_state = 'None')
       || (SELECT count(*) FROM observations WHERE session_label = 'empty' AND json_extract(data, '$.text') LIKE '%task empty%'), '011';
SELECT 'left Complete is committed', (SELECT commit_type || ': ' || message FROM commits WHERE session_label = 'left complete'), 'Normal: ready';
SELECT 'left Aborted is committed', (SELECT commit_type || ': ' || (type_data ->> '$.reason') FROM commits WHERE session_label = 'left aborted'), 'Abandoned: no use';
SELECT 'what an expired choice held waits', session_recover('held') ->> '$.queued[0].message', 'pool the connections';
SELECT 'archived after a month', (SELECT status || ' ' || archived_at FROM sessions WHERE label = 'idle month+'), 'archived 10000000000';
SELECT 'with an event', (SELECT from_state || '>' || to_state FROM session_events WHERE session_label = 'idle month+' AND axis = 'status' ORDER BY id DESC LIMIT 1), 'active>archived';
SELECT 'not archived at exactly a month', (SELECT status FROM sessions WHERE label = 'idle month'), 'active';
SELECT 'a session whose task was just saved after a month is archived as well', (SELECT status FROM sessions WHERE label = 'old'), 'archived';
SELECT 'the lease that ran out', session_state('day') ->> '$.run_state', 'idle';
SELECT 'the ready run that nobody tends', session_state('week') ->> '$.run_state', 'idle';
SELECT 'the ready run with a sign of life', session_state('stale') ->> '$.run_state', 'ready';
SELECT 'runs leave events', (SELECT group_concat(session_label || ' ' || from_state || '>' || to_state) FROM (SELECT * FROM session_events WHERE axis = 'run' AND at = 10000000000 ORDER BY session_label)), 'day starting>idle,week ready>idle';
SELECT 'old request ids are forgotten', (SELECT group_concat(request_id) FROM turnstile_requests), 'young';
SELECT 'a sweep is no activity', (SELECT count(*) FROM sessions WHERE last_activity = 10000000000), 0;
SELECT 'a second sweep finds nothing', (SELECT group_concat(value) FROM json_each(session_sweep()) WHERE type = 'integer' AND key <> 'x'), '0,0,0,0,0,0,0,0';

---- Batches

INSERT INTO turnstile WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 7)
  SELECT 'session_start', json_array('batch ' || i, 'task ' || i, json('{"now":0}')) FROM n;
INSERT INTO turnstile WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 7)
  SELECT 'session_note', json_array('batch ' || i, 'x', json('{"now":0}')) FROM n;
SELECT 'a dry run has the same limit', json_extract(session_sweep('{"limit":3,"dry_run":1,"archive_after":"10000 days"}'), '$.sessions_compacted', '$.more'), '[3,true]';
SELECT 'three at a time', json_extract(session_sweep('{"limit":3,"archive_after":"10000 days"}'), '$.sessions_compacted', '$.more'), '[3,true]';
SELECT 'three more', json_extract(session_sweep('{"limit":3,"archive_after":"10000 days"}'), '$.sessions_compacted', '$.more'), '[3,true]';
SELECT 'the last', json_extract(session_sweep('{"limit":3,"archive_after":"10000 days"}'), '$.sessions_compacted', '$.more'), '[1,false]';
SELECT 'exactly the limit leaves no more', json_extract(session_sweep('{"limit":7}'), '$.sessions_archived', '$.more'), '[7,false]';
-- Two of each of the other kinds, one at a time.
SELECT turnstile_clock(20000000000);
INSERT INTO turnstile VALUES ('session_sweep', NULL); -- clears the table
INSERT INTO turnstile SELECT 'session_start', json_array('two ' || value, 'x') FROM json_each('["left a","left b","lease a","lease b","ready a","ready b"]');
INSERT INTO turnstile SELECT 'session_note', json_array('two left ' || value, 'x') FROM json_each('["a","b"]');
INSERT INTO turnstile SELECT 'session_transition', json_array('two left ' || value, 'Aborted', json('{"reason":"x"}')) FROM json_each('["a","b"]');
INSERT INTO turnstile SELECT 'session_run', json_array('two ' || value, 'A6', 'starting') FROM json_each('["lease a","lease b","ready a","ready b"]');
INSERT INTO turnstile SELECT 'session_run', json_array('two ready ' || l.value, 'A6', s.value)
  FROM json_each('["a","b"]') AS l, json_each('["running","ready"]') AS s ORDER BY l.value, s.key;
UPDATE session_runs SET expires_at = 20000000000 WHERE session_label LIKE 'two lease _';
INSERT INTO turnstile_requests VALUES ('two a', 'x', 'x', NULL, 0), ('two b', 'x', 'x', NULL, 0);
CREATE TEMP TABLE round(n, report);
INSERT INTO round SELECT value, session_sweep('{"limit":1,"now":20000600000}') FROM json_each('[1,2,3]');
SELECT 'one of each at a time, round ' || n,
       json_extract(report, '$.tasks_committed', '$.tasks_dropped', '$.leases_expired', '$.runs_stopped', '$.requests_dropped', '$.more'),
       CASE n WHEN 1 THEN '[1,0,1,1,1,true]' WHEN 2 THEN '[1,0,1,1,1,false]' ELSE '[0,0,0,0,0,false]' END FROM round;
SELECT turnstile_clock(10000000000);

SELECT 'a limit of 0', error_of('SELECT session_sweep(''{"limit":0}'')') LIKE 'session_sweep: limit is 0; it must be from 1 to %', 1;
SELECT 'a limit that is too large', error_of('SELECT session_sweep(''{"limit":100001}'')') LIKE 'session_sweep: limit is 100001; it must be from 1 to 100000', 1;
INSERT INTO turnstile WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
  SELECT 'session_start', json_array('setting ' || i, 'task ' || i, json('{"now":0}')) FROM n;
SELECT turnstile_config('sweep_batch', 2);
SELECT 'sweep_batch is the limit by itself', json_extract(session_sweep(), '$.tasks_dropped', '$.more'), '[2,true]';
SELECT turnstile_config('sweep_batch', NULL, '{"reset":1}');

---- Thresholds: arguments, settings, sessions of their own

SELECT turnstile_clock(10000000000);
INSERT INTO turnstile SELECT 'session_start', json_array('t ' || l, 't', json_object('now', 10000000000 - 7200000)) FROM (SELECT 'a' AS l UNION SELECT 'b' UNION SELECT 'c');
INSERT INTO turnstile SELECT 'session_note', json_array('t ' || l, 'x', json_object('now', 10000000000 - 7200000)) FROM (SELECT 'a' AS l UNION SELECT 'b' UNION SELECT 'c');
SELECT turnstile_config('auto_compact_threshold', '1h', '{"session":"t a"}');
SELECT turnstile_config('auto_compact_threshold', '100 days', '{"session":"t b"}');
INSERT INTO turnstile VALUES ('session_sweep', NULL);
SELECT 'sooner for one', (SELECT group_concat(session_label) FROM commits WHERE session_label LIKE 't _'), 't a';
SELECT turnstile_config('auto_compact_threshold', '1h');
INSERT INTO turnstile VALUES ('session_sweep', '[]');
SELECT 'a setting holds for those without their own', (SELECT group_concat(session_label) FROM commits WHERE session_label LIKE 't _'), 't a,t c';
SELECT turnstile_config('auto_compact_threshold', NULL, '{"reset":1}');
SELECT 'an argument holds for all', (session_sweep('{"auto_compact_threshold":"1h"}') ->> '$.sessions_compacted') || ' ' || (SELECT count(*) FROM commits WHERE session_label = 't b'), '1 1';
SELECT 'archive_after as an argument', session_sweep('{"archive_after":3600000,"dry_run":1}') ->> '$.sessions_archived' > 2, 1;
SELECT 'a threshold that is none', error_of('SELECT session_sweep(''{"archive_after":"soon"}'')') LIKE 'session_sweep: archive_after is ''soon''%duration%', 1;

---- A run that waits longer than others for its next turn

INSERT INTO turnstile SELECT 'session_start', json_array('run ' || value, 'x') FROM json_each('["long","short"]');
INSERT INTO turnstile SELECT 'session_run', json_array('run ' || l.value, 'A5', s.value)
  FROM json_each('["long","short"]') AS l, json_each('["starting","running","ready"]') AS s ORDER BY l.value, s.key;
SELECT turnstile_config('run_idle_timeout', '1h', '{"session":"run long"}');
INSERT INTO turnstile VALUES ('session_sweep', '[{"now":10000600000}]');
SELECT 'run_idle_timeout of a session of its own',
       (session_state('run short') ->> '$.run_state') || ' ' || (session_state('run long') ->> '$.run_state'), 'idle ready';

---- Live runs are left alone

INSERT INTO turnstile VALUES ('session_start', '["live","x",{"now":0}]'), ('session_note', '["live","x",{"now":0}]'), ('session_run', '["live","A1","starting",null,{"now":0}]');
UPDATE session_runs SET expires_at = 10000000001 WHERE session_label = 'live';
SELECT 'a live run''s task is not stale', (session_sweep() ->> '$.sessions_compacted') || (session_state('live') ->> '$.task_state'), '0Running';
SELECT 'when its lease has run out it is', (session_sweep('{"now":10000000002}') ->> '$.sessions_compacted') || (session_state('live') ->> '$.task_state'), '1None';

---- A dry run in a transaction, by the door, in a savepoint: it takes back its own work only

SELECT turnstile_clock(10000000000);
INSERT INTO turnstile SELECT 'session_start', json_array('dry ' || value, 'x', json('{"now":0}')) FROM json_each('["a","b"]');
INSERT INTO turnstile SELECT 'session_note', json_array('dry ' || value, 'x', json('{"now":0}')) FROM json_each('["a","b"]');
CREATE TEMP TABLE said(n, report);
BEGIN;
INSERT INTO turnstile VALUES ('session_note', '["dry a","y",{"now":0}]');
INSERT INTO said SELECT 1, session_sweep('{"dry_run":1}');
INSERT INTO turnstile VALUES ('session_sweep', '[{"dry_run":1}]');
INSERT INTO said VALUES (2, turnstile_result());
SAVEPOINT inside;
INSERT INTO said SELECT 3, session_sweep('{"dry_run":1}');
RELEASE inside;
COMMIT;
SELECT 'the note before it is there', (SELECT count(*) FROM observations WHERE session_label = 'dry a' AND kind = 'Note'), 2;
SELECT 'the tasks are open', (SELECT count(open_task_id) FROM sessions WHERE label LIKE 'dry _'), 2;
INSERT INTO said SELECT 4, session_sweep();
SELECT 'all say the same: ' || n, json_remove(report, '$.dry_run'), (SELECT json_remove(report, '$.dry_run') FROM said WHERE n = 4) FROM said;
SELECT 'saved and archived', (SELECT group_concat(status) FROM sessions WHERE label LIKE 'dry _'), 'archived,archived';

---- What a task leaves behind keeps its session: an input that its choice held

INSERT INTO turnstile VALUES ('session_start', '["asked","x",{"now":0}]'), ('session_note', '["asked","x",{"now":0}]'),
  ('session_deliver', '["asked","build an invoice export",{"class":"NewTask","now":0}]');
DELETE FROM said;
INSERT INTO said SELECT 1, session_sweep('{"dry_run":1}');
INSERT INTO said SELECT 2, session_sweep();
SELECT 'saved, not archived, ' || n, json_extract(report, '$.compacted_tasks', '$.archived_sessions'), '[["x"],[]]' FROM said;

---- No session is archived with a turn that runs, also where more leases have ended than a batch holds

INSERT INTO turnstile SELECT 'turn_begin', json_array('over ' || value, 'A1', json('{"messages":[{"role":"user","content":"x"}],"lease":"1m","now":0}'))
  FROM json_each('["a","b","c"]');
INSERT INTO turnstile SELECT 'session_start', json_array('over ' || value, 'x', json('{"now":0}')) FROM json_each('["a","b","c"]');
UPDATE session_runs SET expires_at = 9000000000 WHERE session_label IN ('over a', 'over b');
DELETE FROM said;
INSERT INTO said SELECT 1, session_sweep('{"limit":1,"dry_run":1}');
INSERT INTO said SELECT 2, session_sweep('{"limit":1}');
SELECT 'a batch: what it says it does', (SELECT json_remove(report, '$.dry_run') FROM said WHERE n = 1), (SELECT json_remove(report, '$.dry_run') FROM said WHERE n = 2);
INSERT INTO turnstile VALUES ('session_sweep', '[{"limit":1}]'), ('session_sweep', '[{"limit":1}]'), ('session_sweep', '[{"limit":1}]');
SELECT 'all are archived', (SELECT group_concat(status) FROM sessions WHERE label LIKE 'over _'), 'archived,archived,archived';
SELECT 'no turn runs', (SELECT count(*) FROM session_runs AS r JOIN sessions AS s ON s.label = r.session_label WHERE s.status = 'archived' AND r.turn_id IS NOT NULL), 0;

---- What waits, for a turn too, keeps a session from the archive; what a host without turns has, or failed, does not

INSERT INTO turnstile SELECT 'queue_push', json_array('kept ' || value, 'x', json('{"now":0}')) FROM json_each('["pending","handed","handed to a turn","failed","cancelled"]');
UPDATE session_queue SET awaits_turn = session_label <> 'kept handed', status = iif(session_label LIKE '%turn', 'handed', substr(session_label, 6)), error = 'by hand', delivered_at = iif(session_label IN ('kept failed', 'kept cancelled'), 0, NULL)
WHERE session_label LIKE 'kept %';
INSERT INTO turnstile VALUES ('session_sweep', NULL);
SELECT 'an input that is ' || substr(label, 6), status, iif(label IN ('kept pending', 'kept handed to a turn'), 'active', 'archived') FROM sessions WHERE label LIKE 'kept %';

---- Groups are not archived, unless one has a threshold of its own

INSERT INTO turnstile SELECT 'session_deliver', json_array(value, 'tick', json('{"now":0,"source":"timer"}'))
  FROM json_each('["group:slack:a","group:slack:b","group","groups:x","group;"]');
SELECT turnstile_config('archive_after', '40 days', '{"session":"group:slack:b"}');
INSERT INTO turnstile VALUES ('session_sweep', '[{"now":8640000000,"limit":100}]');
SELECT 'archived among groups and others',
       (SELECT group_concat(label || ' ' || status, ', ') FROM (SELECT label, status FROM sessions
        WHERE label LIKE 'group%' ORDER BY label)),
       'group archived, group:slack:a active, group:slack:b archived, group; archived, groups:x archived';
SELECT 'stale_sessions says the same', (SELECT band FROM stale_sessions(8640000000, NULL, NULL, NULL, 1)
  WHERE label = 'group:slack:a'), 'fresh';
SELECT 'an argument does not archive a group',
       (session_sweep('{"now":8640000000,"archive_after":1}') ->> '$.sessions_archived') >= 0
       AND (SELECT status FROM sessions WHERE label = 'group:slack:a') = 'active', 1;

SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events), (SELECT max(id) FROM session_events);

---- No statement of all these commands scans a table that grows

CREATE TEMP TABLE plan AS
  SELECT sql, value AS line FROM turnstile_cache, json_each(plan_of(sql))
  WHERE sql NOT LIKE '%?8 IS NULL' -- include_fresh reads every session, and says so
    AND sql NOT LIKE '%awaits_turn <> ?2%turnstile_config%' -- and a setting reaches all that is handed over
    AND sql NOT LIKE '%SET due_at = NULL%due_at - 60000 - ?1 > due_after'; -- the index holds what waits for its time
SELECT 'scanned by ' || substr(sql, 1, 60), line, NULL FROM plan
WHERE line LIKE 'SCAN %' AND line NOT LIKE 'SCAN %VIRTUAL TABLE%' AND line NOT LIKE 'SCAN (subquery%' AND line NOT LIKE 'SCAN SUBQUERY %'
  AND line NOT IN ('SCAN o', 'SCAN CONSTANT ROW', 'SCAN main.tasks USING INDEX tasks_left_behind',
                   'SCAN q USING INDEX session_queue_processing', 'SCAN d USING INDEX deliveries_corrected') AND line NOT LIKE 'SCAN %message_rules%';
SELECT 'there were statements to look at', (SELECT count(DISTINCT sql) > 30 FROM plan), 1;

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;

---- Two of one kind, one at a time: each kind says by itself whether work is left

SELECT turnstile_clock(30000000000);
SELECT turnstile_config('archive_after', '10000 days');
SELECT turnstile_config('auto_compact_threshold', '9000 days');
CREATE TEMP TABLE of(kind, n, report);
INSERT INTO turnstile VALUES ('session_sweep', '[{"limit":1000}]');
SELECT 'nothing is left of the others', json_extract(session_sweep('{"limit":1}'), '$.more'), 0;
-- Workers that are overdue.
SELECT session_start('boss', 'x') > 0;
SELECT session_spawn('boss', 'y', '{"label":"boss ' || value || '","timeout":"1m"}') FROM json_each('["a","b"]');
SELECT turnstile_clock(30000100000);
INSERT INTO of SELECT 'workers', value, session_sweep('{"limit":1}') FROM json_each('[1,2,3]');
-- Leases that have run out.
INSERT INTO turnstile SELECT 'session_start', json_array(value, 'x') FROM json_each('["alone a","alone b","ready a","ready b"]');
INSERT INTO turnstile SELECT 'session_run', json_array('alone ' || value, 'A7', 'starting') FROM json_each('["a","b"]');
UPDATE session_runs SET expires_at = 30000099999 WHERE session_label LIKE 'alone _';
INSERT INTO of SELECT 'leases', value, session_sweep('{"limit":1}') FROM json_each('[1,2,3]');
-- Runs that wait for their next turn for too long.
INSERT INTO turnstile SELECT 'session_run', json_array('ready ' || l.value, 'A7', s.value)
  FROM json_each('["a","b"]') AS l, json_each('["starting","running","ready"]') AS s ORDER BY l.value, s.key;
SELECT turnstile_clock(30000700001);
INSERT INTO of SELECT 'runs', value, session_sweep('{"limit":1}') FROM json_each('[1,2,3]');
-- Inputs of no run.
INSERT INTO turnstile SELECT 'queue_push', json_array('orphan ' || value, 'x') FROM json_each('["a","b"]');
UPDATE session_queue SET status = 'processing' WHERE session_label LIKE 'orphan _';
INSERT INTO of SELECT 'orphans', value, session_sweep('{"limit":1}') FROM json_each('[1,2,3]');
-- Times of a clock that was ahead.
INSERT INTO turnstile SELECT 'session_start', json_array('ahead ' || value, 'x') FROM json_each('["a","b"]');
UPDATE sessions SET last_activity = 40000000000 WHERE label LIKE 'ahead _';
INSERT INTO of SELECT 'ahead', value, session_sweep('{"limit":1}') FROM json_each('[1]');
SELECT 'times in the future, one at a time', (SELECT count(*) FROM sessions WHERE label LIKE 'ahead _' AND last_activity = 30000700001), 1;
INSERT INTO of SELECT 'ahead', value, session_sweep('{"limit":1}') FROM json_each('[2,3]');
SELECT 'and all of them', (SELECT count(*) FROM sessions WHERE label LIKE 'ahead _' AND last_activity = 30000700001), 2;
-- Tasks that have ended.
INSERT INTO turnstile SELECT 'session_start', json_array('ended ' || value, 'x') FROM json_each('["a","b"]');
INSERT INTO turnstile SELECT 'session_note', json_array('ended ' || value, 'x') FROM json_each('["a","b"]');
INSERT INTO turnstile SELECT 'session_transition', json_array('ended ' || value, 'Aborted', json('{"reason":"x"}')) FROM json_each('["a","b"]');
INSERT INTO of SELECT 'ended', value, session_sweep('{"limit":1}') FROM json_each('[1,2,3]');
-- Sessions long idle.
SELECT turnstile_config('archive_after', '10 days', '{"session":"idle ' || value || '"}') FROM json_each('["a","b"]');
INSERT INTO turnstile SELECT 'session_deliver', json_array('idle ' || value, 'thanks', json('{"class":"Confirmation","now":20000000000}')) FROM json_each('["a","b"]');
INSERT INTO of SELECT 'archive', value, session_sweep('{"limit":1}') FROM json_each('[1,2,3]');
-- Ids of requests.
INSERT INTO turnstile_requests VALUES ('alone a', 'x', 'x', NULL, 1), ('alone b', 'x', 'x', NULL, 1);
INSERT INTO of SELECT 'requests', value, session_sweep('{"limit":1}') FROM json_each('[1,2,3]');
-- Ids of messages of sessions that are gone.
INSERT INTO turnstile SELECT 'session_deliver', json_array('gone ' || value, 'thanks', json_object('class', 'Confirmation', 'message_id', value)) FROM json_each('["a","b"]');
INSERT INTO turnstile SELECT 'session_delete', json_array('gone ' || value) FROM json_each('["a","b"]');
SELECT 'ids of messages are kept', (SELECT count(*) FROM deleted_messages), 2;
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
UPDATE deleted_messages SET at = 1;
DELETE FROM turnstile_meta WHERE key = 'unguarded';
INSERT INTO of SELECT 'messages', value, session_sweep('{"limit":1}') FROM json_each('[1]');
SELECT 'and go one at a time', (SELECT count(*) FROM deleted_messages), 1;
INSERT INTO of SELECT 'messages', value, session_sweep('{"limit":1}') FROM json_each('[2,3]');
SELECT 'all of them', (SELECT count(*) FROM deleted_messages), 0;
SELECT 'one at a time: ' || kind || ' ' || n, json_extract(report, '$.workers_timed_out', '$.tasks_committed', '$.sessions_archived', '$.leases_expired', '$.runs_stopped', '$.requests_dropped', '$.more'),
  json_array((n < 3) * (kind = 'workers'), (n < 3) * (kind = 'ended'), (n < 3) * (kind = 'archive'), (n < 3) * (kind IN ('leases', 'orphans')), (n < 3) * (kind = 'runs'), (n < 3) * (kind = 'requests'),
    json(iif(n = 1, 'true', 'false'))) FROM of;
SELECT 'the file is sound after them', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;
