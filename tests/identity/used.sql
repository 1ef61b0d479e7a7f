-- used.sql - what counts as use of a session, whoever's it is; what the archive does with it; what waits for
-- a session that takes nothing, and what was refused.

SELECT turnstile_install();
SELECT turnstile_config('keeps_turns', 0); -- the hosts of these stories keep no turns

---- Every kind of use, at day 0, of a session that a user left 40 days ago; a sweep 20 and 40 days later

CREATE TEMP TABLE day(n) ;
INSERT INTO day VALUES (86400000);
CREATE TEMP TABLE used(label, command, args, active); -- active: it counts as the user's activity too
INSERT INTO used VALUES
  ('user', 'session_deliver', '["user","hello",{"class":"Clarification"}]', 1),
  ('agent', 'session_deliver', '["agent","hello",{"source":"agent"}]', 0),
  ('timer', 'session_deliver', '["timer","tick",{"source":"timer"}]', 0),
  ('webhook', 'session_deliver', '["webhook","hook",{"source":"webhook"}]', 0),
  ('system', 'session_deliver', '["system","note",{"source":"system"}]', 0),
  ('compact', 'session_deliver', '["compact","/compact",{"source":"timer"}]', 0),
  ('append', 'turn_append', '["append",[{"role":"user","content":"x"}],{"source":"timer"}]', 0),
  ('append user', 'turn_append', '["append user",[{"role":"user","content":"x"}],{"source":"user"}]', 1),
  ('rewind', 'session_rewind', '["rewind",HEAD]', 1),
  ('summary', 'turn_compact', '["summary","what was said"]', 0),
  ('note', 'session_note', '["note","x"]', 0),
  ('start', 'session_start', '["start","x"]', 1),
  ('unarchive', 'session_unarchive', '["unarchive"]', 0),
  ('reopen', 'session_reopen', '["reopen"]', 0),
  ('resume', 'session_resume', '["resume"]', 0),
  ('nothing', 'session_state', '["nothing"]', NULL),
  ('recover', 'session_recover', '["recover"]', NULL),
  ('run', 'session_run', '["run","A1","starting"]', NULL),
  ('suspend', 'session_suspend', '["suspend"]', NULL);
SELECT turnstile_clock(1000 * n) FROM day;
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"a"}]'))
  FROM used WHERE label <> 'start';
INSERT INTO turnstile SELECT 'turn_append', json_array('rewind', json('[{"role":"user","content":"b"}]'));
INSERT INTO turnstile VALUES ('session_archive', '["unarchive"]'), ('session_fail', '["reopen","x"]'),
  ('session_suspend', '["resume"]');
-- A note is an agent's while it answers a timer.
INSERT INTO turnstile VALUES ('session_start', '["note","write"]');
INSERT INTO turnstile VALUES ('session_deliver', '["note","tick",{"source":"timer"}]');
INSERT INTO turnstile SELECT 'session_note', json_array('note', 'y');

SELECT turnstile_clock(1040 * n) FROM day;
UPDATE used SET args = replace(args, 'HEAD', (SELECT min(thread_id) FROM session_history
  WHERE session_label = 'rewind'));
INSERT INTO turnstile SELECT command, args FROM used;
INSERT INTO turnstile SELECT 'session_compact', '["start","x"]';
INSERT INTO turnstile SELECT 'session_compact', '["note","x"]';
SELECT 'used: ' || label, (SELECT json_array(o.last_used >= 1040 * n, o.last_used < 1040 * n + 3600000,
  o.last_activity = 1040 * n) FROM session_overview AS o WHERE o.label = used.label),
  json_array(active IS NOT NULL, 1, ifnull(active, 0)) FROM used, day;
SELECT 'it is kept up to the full hour', (SELECT json_group_array(DISTINCT last_used % 3600000)
  FROM sessions WHERE last_used > last_activity), '[0]';

-- What is handed over and never taken up keeps a session that keeps turns: this is about use alone.
UPDATE session_queue SET status = 'delivered', delivered_at = 1 WHERE delivered_at IS NULL;
SELECT turnstile_clock(1060 * n) FROM day;
CREATE TEMP TABLE swept AS SELECT session_sweep() ->> '$.archived_sessions' AS s;
SELECT 'archived after 20 days', (SELECT group_concat(value) FROM (SELECT value FROM json_each(s)
  ORDER BY value)), (SELECT group_concat(label) FROM (SELECT label FROM used WHERE active IS NULL
  ORDER BY label)) FROM swept;
SELECT turnstile_clock(1071 * n) FROM day;
DELETE FROM swept;
INSERT INTO swept SELECT session_sweep() ->> '$.archived_sessions';
SELECT 'archived after 31 days', (SELECT group_concat(value) FROM (SELECT value FROM json_each(s)
  ORDER BY value)), (SELECT group_concat(label) FROM (SELECT label FROM used WHERE active IS NOT NULL
  ORDER BY label)) FROM swept;
SELECT 'exactly the 30 days are not over', (SELECT count(*) FROM stale_sessions(1101 * n) ), 0 FROM day;

-- A threshold of its own, groups, one session, all sessions: the same meaning everywhere.
SELECT turnstile_clock(2000 * n) FROM day;
SELECT turn_append('own', '[{"role":"user","content":"a"}]');
SELECT turn_append('group:tg:1', '[{"role":"user","content":"a"}]');
SELECT turnstile_config('archive_after', '10 days', json_object('session', value))
  FROM json_each('["own","group:tg:1"]');
SELECT turnstile_clock(2009 * n) FROM day;
SELECT turn_append(value, '[{"role":"user","content":"a"}]', '{"source":"timer"}')
  FROM json_each('["own","group:tg:1"]');
SELECT 'used meanwhile', (SELECT group_concat(DISTINCT band) FROM stale_sessions(2015 * n)
  WHERE label IN ('own', 'group:tg:1') AND include_fresh = 1), 'fresh' FROM day;
SELECT 'in the list of all', (SELECT count(*) FROM stale_sessions(2015 * n, NULL, NULL, NULL, 1)
  WHERE label || '' IN ('own', 'group:tg:1') AND band = 'fresh'), 2 FROM day;
SELECT 'in the list of what is due', (SELECT count(*) FROM stale_sessions(2015 * n)
  WHERE label || '' IN ('own', 'group:tg:1')), 0 FROM day;
SELECT 'not any more', (SELECT count(*) FROM stale_sessions(2020 * n)
  WHERE label || '' IN ('own', 'group:tg:1') AND band = 'archive'), 2 FROM day;
SELECT 'idle is since the user', (SELECT idle_ms FROM stale_sessions(2020 * n) WHERE label = 'own'), 20 * n
  FROM day;

-- A session that plain SQL has made is as old as it says.
SAVEPOINT plain;
INSERT INTO sessions(label, created_at, updated_at, last_activity) SELECT 'plain', 2000 * n, 2000 * n, 2000 * n
  FROM day;
SELECT 'plain SQL', (SELECT group_concat(band) FROM (SELECT band FROM stale_sessions(2030 * n)
  WHERE label = 'plain' UNION ALL SELECT band FROM stale_sessions(2030 * n + 1) WHERE label = 'plain')),
  'archive' FROM day;
ROLLBACK TO plain;
RELEASE plain;

---- A task: the user decides, the work of others does not; of a worker it does

SELECT turnstile_clock(3000 * n) FROM day;
SELECT session_start('asked', 'write');
SELECT session_note('asked', 'read');
SELECT session_spawn('asked', 'find it', '{"label":"worker:1"}');
SELECT turnstile_clock(3006 * n) FROM day;
CREATE TEMP TABLE run AS SELECT value AS label, turn_begin(value, 'A1',
  '{"messages":[{"role":"user","content":"go"}],"source":"agent"}') AS r
  FROM json_each('["asked","worker:1"]');
SELECT turn_complete(r ->> '$.turn', r ->> '$.token') FROM run;
SELECT turnstile_clock(3008 * n) FROM day;
SELECT 'in the middle of its work', (SELECT json_group_array(json_array(label, band)) FROM (SELECT * FROM
  stale_sessions WHERE label IN ('asked', 'worker:1') AND include_fresh = 1 ORDER BY label)),
  '[["asked","auto_compact"],["worker:1","ask"]]';
SELECT 'the sweep leaves a worker alone', session_sweep() ->> '$.compacted_tasks', '["write"]';
SELECT 'which can report', session_report('worker:1', 'completed', 'found') > 0, 1;

---- A turn that runs for long, and how it ends

SELECT turnstile_clock(4000 * n) FROM day;
DELETE FROM run;
INSERT INTO run SELECT value, turn_begin(value, 'A1', json_object('source', 'timer', 'lease', '60 days',
  'messages', json('[{"role":"user","content":"go"}]')))
  FROM json_each('["fails","aborts","kept","dies","beats"]');
SELECT turnstile_clock(4040 * n) FROM day;
SELECT 'a live run', session_sweep() ->> '$.archived_sessions', '["worker:1"]';
SELECT turn_fail(r ->> '$.turn', r ->> '$.token', 'no') FROM run WHERE label = 'fails';
SELECT turn_abort(r ->> '$.turn', r ->> '$.token', 'no') FROM run WHERE label = 'aborts';
SELECT turn_message(r ->> '$.turn', r ->> '$.token', '{"role":"assistant","content":"x"}')
  FROM run WHERE label = 'kept';
SELECT turn_abort(r ->> '$.turn', r ->> '$.token', 'no') FROM run WHERE label = 'kept';
SELECT turn_heartbeat(r ->> '$.turn', r ->> '$.token', '{"lease":"1h"}') FROM run WHERE label = 'beats';
SELECT turnstile_clock(4041 * n) FROM day;
SELECT 'it was used to its end', session_sweep() ->> '$.archived_sessions', '[]';
SELECT 'as long as it showed life', (SELECT last_used = 4040 * n FROM session_overview WHERE label = 'beats'), 1
  FROM day;
SELECT turnstile_clock(4061 * n) FROM day;
SELECT 'one that died is as old as its last sign', session_sweep() ->> '$.archived_sessions', '["dies"]';
SELECT turnstile_clock(4072 * n) FROM day;
SELECT 'and the others', (SELECT group_concat(value) FROM (SELECT value FROM json_each(session_sweep(),
  '$.archived_sessions') ORDER BY value)), 'aborts,beats,fails,kept';

-- More leases than a batch takes: the session is looked at again by the next sweep.
DELETE FROM run;
INSERT INTO run SELECT value, turn_begin(value, 'A1', json_object('source', 'timer', 'lease', '40 days',
  'messages', json('[{"role":"user","content":"go"}]'))) FROM json_each('["many 1","many 2"]');
SELECT turnstile_clock(4111 * n) FROM day;
SELECT turn_heartbeat(r ->> '$.turn', r ->> '$.token', '{"lease":"1h"}') FROM run;
SELECT turnstile_clock(4112 * n) FROM day;
CREATE TEMP TABLE batch AS SELECT session_sweep('{"limit":1}') AS r;
SELECT 'a batch of one', json_extract(r, '$.leases_expired', '$.archived_sessions'), '[1,[]]' FROM batch;
SELECT 'none is archived', (SELECT count(*) FROM sessions WHERE label LIKE 'many%' AND status = 'active'), 2;

---- Imported: somebody means to go on with it here

SELECT turnstile_clock(5000 * n) FROM day;
SELECT turn_append('far', '[{"role":"user","content":"a"}]');
SELECT turnstile_clock(5100 * n) FROM day;
SELECT session_import(session_export('far'), '{"as":"near"}') ->> '$.session';
SELECT 'an import is no activity', (SELECT last_activity = 5000 * n FROM sessions WHERE label = 'near'), 1
  FROM day;
SELECT 'but use', session_sweep() ->> '$.archived_sessions', '["many 1","many 2","far"]';
SELECT 'of the usual length', (SELECT band FROM stale_sessions(5131 * n) WHERE label = 'near'), 'archive'
  FROM day;

---- What is archived for nobody's use, any message brings back; what somebody put away, a user's does

SELECT turnstile_clock(6000 * n) FROM day;
CREATE TEMP TABLE back(label, args, way);
INSERT INTO back VALUES
  ('monthly', '["monthly","tick",{"source":"timer","keeps_turns":1}]', 'session_deliver'),
  ('hook', '["hook","tick",{"source":"webhook","keeps_turns":1}]', 'session_deliver'),
  ('helper', '["helper","tick",{"source":"agent","keeps_turns":1}]', 'session_deliver'),
  ('boot', '["boot","tick",{"source":"system","keeps_turns":1}]', 'session_deliver'),
  ('shrink', '["shrink","/compact",{"source":"timer","keeps_turns":1}]', 'session_deliver'),
  ('pushed', '["pushed","tick",{"source":"timer"}]', 'queue_push');
CREATE TEMP TABLE away AS SELECT label || ' away' AS label, replace(args, '["' || label, '["' || label || ' away') AS args,
  way FROM back;
SELECT turn_append(label, '[{"role":"user","content":"a"}]') FROM (SELECT label FROM back UNION ALL
  SELECT label FROM away);
SELECT turnstile_clock(6031 * n) FROM day;
SELECT session_sweep() ->> '$.sessions_archived';
SELECT session_archive(label) FROM away;
SELECT 'all archived', (SELECT count(*) FROM sessions JOIN back USING (label) WHERE status = 'archived'
  AND status_reason = 'idle') || (SELECT count(*) FROM sessions JOIN away USING (label)
  WHERE status = 'archived' AND status_reason IS NULL), '66';
INSERT INTO turnstile SELECT way, args FROM back UNION ALL SELECT way, args FROM away;
SELECT 'back: ' || label, (SELECT status FROM sessions AS s WHERE s.label = back.label), 'active' FROM back;
SELECT 'taken: ' || label, turn_begin(label, 'A1') ->> '$.messages[0].content', iif(label = 'shrink',
  '/compact', 'tick') FROM back;
SELECT 'used: ' || label, (SELECT last_used >= 6031 * n FROM sessions AS s WHERE s.label = back.label), 1
  FROM back, day;
SELECT 'away: ' || label, (SELECT status FROM sessions AS s WHERE s.label = away.label), 'archived' FROM away;
SELECT 'waits: ' || label, (SELECT json_group_array(json_array(reason, since, detail, ref)) FROM session_attention
  AS a WHERE a.session_label = away.label), (SELECT json_array(json_array('held_input', 6031 * n,
  'archived: ' || iif(label = 'shrink away', '/compact', 'tick'), q.id)) FROM session_queue AS q
  WHERE q.session_label = away.label) FROM away, day;
SELECT 'and is not taken: ' || label, turn_begin(label, 'A1'), NULL FROM away;
SELECT 'counted in the overview', (SELECT group_concat(DISTINCT waiting) FROM session_overview JOIN away
  USING (label)), '1';
SELECT 'a user''s brings it back', session_deliver('monthly away', 'go on', '{"class":"Clarification"}')
  ->> '$.inputs[0].message', 'tick';
SELECT session_unarchive('hook away');
SELECT 'out of the archive, nothing is held', (SELECT count(*) FROM session_attention
  WHERE session_label IN ('monthly away', 'hook away')), 0;
SELECT 'and it is taken', turn_begin('hook away', 'A1') ->> '$.messages[0].content', 'tick';

-- on_archived = reject: users are refused, and it shows; what others send waits, and it shows.
SELECT turnstile_clock(7000 * n) FROM day;
SELECT turn_append('closed', '[{"role":"user","content":"a"}]');
SELECT turnstile_clock(7031 * n) FROM day;
SELECT session_sweep() ->> '$.sessions_archived' > 0;
SELECT turnstile_config('on_archived', 'reject', '{"session":"closed"}');
SELECT 'a timer''s waits', session_deliver('closed', 'tick', '{"source":"timer"}') ->> '$.action', 'queue';
SELECT 'a user''s is refused', session_deliver('closed', 'hello', '{"channel":"wa","sender":"u"}')
  ->> '$.action', 'rejected';
SELECT 'both show', (SELECT json_group_array(json_array(reason, detail)) FROM (SELECT * FROM session_attention
  WHERE session_label = 'closed' ORDER BY reason)),
  '[["held_input","archived: tick"],["refused_input","1 refused (archived), the last from user: hello"]]';
SELECT 'who it was', (SELECT json_remove(refused, '$.since', '$.at') FROM sessions WHERE label = 'closed'),
  '{"count":1,"why":"archived","source":"user","channel":"wa","sender":"u","message":"hello"}';

---- A full queue: what is refused shows, until somebody has looked

SELECT turnstile_config('queue_cap', 2, '{"session":"full"}');
SELECT turn_append('full', '[{"role":"user","content":"a"}]');
SELECT session_archive('full');
CREATE TEMP TABLE sent AS SELECT value AS n, session_deliver('full', 'tick ' || value, json_object('source',
  'timer', 'message_id', 'm' || value)) ->> '$.action' AS action FROM json_each('[1,2,3,4]');
SELECT 'two wait, two are refused', (SELECT group_concat(action) FROM sent), 'queue,queue,rejected,rejected';
SELECT 'all show', (SELECT group_concat(detail, ' / ') FROM (SELECT detail FROM session_attention
  WHERE session_label = 'full' ORDER BY reason, ref)), 'archived: tick 1 / archived: tick 2 / '
  || '2 refused (queue_full), the last from timer: tick 4';
SELECT 'the overview counts them', (SELECT json_array(hidden, waiting, refused) FROM session_overview
  WHERE label = 'full'), '[1,2,2]';
SELECT 'a push says so itself', error_of('SELECT queue_push(''full'', ''tick 5'', ''{"source":"timer"}'')'),
  'queue_push: the queue of session ''full'' is full (queue_cap)';
SELECT session_unarchive('full');
SELECT 'somebody has looked', (SELECT json_array(hidden, waiting, refused) FROM session_overview
  WHERE label = 'full'), '[0,2,0]';
SELECT 'and what was refused can come again', turn_begin('full', 'A1') ->> '$.messages[0].content', 'tick 1';
SELECT 'it comes', session_deliver('full', 'tick 3', '{"source":"timer","message_id":"m3"}') ->> '$.action',
  'queue';

---- In error, suspended, merged

SELECT session_start('bad', 'x'); SELECT queue_push('bad', 'before'); SELECT session_fail('bad', 'no model');
SELECT session_deliver('bad', 'after', '{"source":"webhook"}'); SELECT queue_push('bad', 'pushed');
SELECT 'in error', (SELECT group_concat(reason || ' ' || detail, ' / ') FROM (SELECT * FROM session_attention
  WHERE session_label = 'bad' ORDER BY reason, ref)), 'error no model / held_input in error: before / '
  || 'held_input in error: after / held_input in error: pushed';
SELECT session_reopen('bad');
SELECT 'reopened', (SELECT count(*) FROM session_attention WHERE session_label = 'bad'), 0;
SELECT session_start('nap', 'x'); SELECT queue_push('nap', 'before'); SELECT session_suspend('nap');
SELECT 'suspended', (SELECT detail FROM session_attention WHERE session_label = 'nap'), 'suspended: before';
SELECT turn_begin('nap', 'A1') ->> '$.messages[0].content';
SELECT 'taken', (SELECT count(*) FROM session_attention WHERE session_label = 'nap'), 0;

-- What a turn gives back to a session that has failed meanwhile.
SELECT queue_push('back', 'tick');
DELETE FROM run;
INSERT INTO run SELECT 'back', turn_begin('back', 'A1');
SELECT session_fail('back', 'x');
-- By SQLite's own clock a lease of long ago is over; one of now holds, until it ends, and nobody has swept.
SELECT 'its lease is over', (SELECT group_concat(reason) FROM session_attention
  WHERE session_label = 'back'), 'error,held_input';
UPDATE session_runs SET expires_at = CAST(strftime('%s', 'now') AS INTEGER) * 1000 + 3600000 WHERE session_label = 'back';
SELECT 'while it is worked on', (SELECT group_concat(reason) FROM session_attention
  WHERE session_label = 'back'), 'error';
UPDATE session_runs SET expires_at = (SELECT max(at) FROM session_events) WHERE session_label = 'back';
SELECT 'over: seen at once', (SELECT group_concat(detail) FROM session_attention
  WHERE session_label = 'back' AND reason = 'held_input'), 'in error: tick';
SELECT turn_fail(r ->> '$.turn', r ->> '$.token', 'no') FROM run;
SELECT 'given back', (SELECT group_concat(detail) FROM session_attention WHERE session_label = 'back'
  AND reason = 'held_input'), 'in error: no: tick';
-- A failed input shows wherever it is, and tried again it waits there.
SELECT turnstile_config('max_attempts', 1);
SELECT session_reopen('back');
DELETE FROM run;
INSERT INTO run SELECT 'back', turn_begin('back', 'A1');
SELECT turn_fail(r ->> '$.turn', r ->> '$.token', 'no') FROM run;
SELECT session_archive('back');
SELECT 'failed, archived', (SELECT group_concat(reason) FROM session_attention WHERE session_label = 'back'),
  'failed_input';
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'back';
SELECT 'tried again, archived', (SELECT group_concat(reason || ' ' || detail) FROM session_attention
  WHERE session_label = 'back'), 'held_input archived: tick';
SELECT queue_cancel(id) FROM session_queue WHERE session_label = 'back';
SELECT 'cancelled', (SELECT count(*) FROM session_attention WHERE session_label = 'back'), 0;

-- Merged into a session that takes nothing.
SELECT turn_append('dm:tg:7', '[{"role":"user","content":"hello"}]'); SELECT queue_push('dm:tg:7', 'tick');
SELECT turn_append('dm:ann', '[{"role":"user","content":"a"}]');
SELECT turn_append('dm:ann', '[{"role":"user","content":"b"}]');
SELECT session_fail('dm:ann', 'x');
SELECT identity_link('tg', '7', 'ann');
SELECT 'merged: it waits there', (SELECT group_concat(session_label || ' ' || detail) FROM session_attention
  WHERE reason = 'held_input' AND session_label LIKE 'dm:%'), 'dm:ann in error: tick';

-- A worker's report to a parent that the sweep has archived.
SELECT turnstile_clock(8000 * n) FROM day;
SELECT turn_append('boss', '[{"role":"user","content":"a"}]');
SELECT session_spawn('boss', 'dig', '{"label":"worker:2"}');
SELECT turnstile_clock(8031 * n) FROM day;
SELECT 'the parent is not archived', instr(session_sweep() ->> '$.archived_sessions', '"boss"') > 0, 0;
SELECT session_report('worker:2', 'completed', 'done');
SELECT 'its report takes the place of what the parent has not taken', (SELECT group_concat(q.message, ' | ') FROM session_queue AS q JOIN sessions AS s ON s.label = q.session_label
  WHERE s.label = 'boss' AND s.status = 'active' AND q.status = 'pending'),
  'done';

---- Handed over and never taken up

SELECT turnstile_clock(9000 * n) FROM day;
SELECT turn_append('keeps turns', '[{"role":"user","content":"a"}]');
SELECT session_deliver('keeps turns', 'tick', '{"source":"timer","keeps_turns":1}');
SELECT session_deliver('keeps none', 'tick', '{"source":"timer"}');
SELECT turnstile_clock(9031 * n) FROM day;
CREATE TEMP TABLE handed AS SELECT session_sweep() ->> '$.archived_sessions' AS s;
SELECT 'where turns are kept it waits', instr(s, 'keeps turns') || (instr(s, 'keeps none') > 0), '01' FROM handed;
SELECT 'and says nothing of the other', (SELECT count(*) FROM session_attention
  WHERE session_label = 'keeps none'), 0;
SELECT 'no turn takes what its host works on', turn_begin('keeps none', 'A1'), NULL;
SELECT 'which recover shows', session_recover('keeps none', '{"dry_run":1}') ->> '$.handed[0].message', 'tick';

-- What is no JSON blinds nobody.
UPDATE sessions SET refused = '{' WHERE label = 'full';
SELECT 'damaged', (SELECT detail FROM session_attention WHERE session_label = 'full' AND reason = 'refused_input')
  || (SELECT refused FROM session_overview WHERE label = 'full'), '{0';
SELECT turnstile_config('queue_cap', 1, '{"session":"full"}');
SELECT session_archive('full');
SELECT session_deliver('full', 'tick 9', '{"source":"timer"}');
SELECT 'and is counted from one again', (SELECT refused ->> '$.count' FROM sessions WHERE label = 'full'), 1;

SELECT 'the file is sound', (SELECT group_concat(problem) FROM turnstile_check), NULL;
