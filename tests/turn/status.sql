-- status.sql - session_archive, session_unarchive, session_suspend, session_fail, session_reopen, session_resume,
-- and
-- what messages, runs and the sweep do to a session of each status.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

---- From every status, every command

CREATE TEMP TABLE cells(status, command, result, problem, "trigger");
INSERT INTO cells VALUES
  ('active', 'session_archive', 'archived', NULL, 'archive'),
  ('active', 'session_unarchive', 'active', NULL, NULL),
  ('active', 'session_suspend', 'suspended', NULL, 'suspend'),
  ('active', 'session_fail', 'error', NULL, 'fail'),
  ('active', 'session_reopen', 'active', NULL, NULL),
  ('active', 'session_resume', 'active', NULL, NULL),
  ('suspended', 'session_archive', 'archived', NULL, 'archive'),
  ('suspended', 'session_unarchive', NULL, ' is suspended, not archived', NULL),
  ('suspended', 'session_suspend', 'suspended', NULL, NULL),
  ('suspended', 'session_fail', 'error', NULL, 'fail'),
  ('suspended', 'session_reopen', NULL, ' is suspended, not in error', NULL),
  ('suspended', 'session_resume', 'active', NULL, 'resume'),
  ('archived', 'session_archive', 'archived', NULL, NULL),
  ('archived', 'session_unarchive', 'active', NULL, 'unarchive'),
  ('archived', 'session_suspend', NULL, ' is archived and can''t become suspended', NULL),
  ('archived', 'session_fail', NULL, ' is archived and can''t become error', NULL),
  ('archived', 'session_reopen', NULL, ' is archived, not in error', NULL),
  ('archived', 'session_resume', NULL, ' is archived, not suspended', NULL),
  ('error', 'session_archive', 'archived', NULL, 'archive'),
  ('error', 'session_unarchive', NULL, ' is error, not archived', NULL),
  ('error', 'session_suspend', NULL, ' is error and can''t become suspended', NULL),
  ('error', 'session_fail', 'error', NULL, NULL),
  ('error', 'session_reopen', 'active', NULL, 'reopen'),
  ('error', 'session_resume', NULL, ' is error, not suspended', NULL);
-- One session for each cell: an open task, a turn, an input that waits.
CREATE TEMP VIEW named(label, status, command, result, problem, "trigger") AS
  SELECT status || ' ' || command, * FROM cells;
SELECT count(session_start(label, 'write')) FROM named;
SELECT count(turn_append(label, '[{"role":"user","content":"a"}]')) FROM named;
SELECT count(queue_push(label, 'wait')) FROM named;
SELECT count(session_suspend(label)) FROM named WHERE status = 'suspended';
SELECT count(session_archive(label)) FROM named WHERE status = 'archived';
SELECT count(session_fail(label, 'why')) FROM named WHERE status = 'error';
SELECT 'all stand where they should', (SELECT count(*) FROM named AS n JOIN sessions AS s
  USING(label)
  WHERE s.status = n.status), 24;
SELECT 'every move of the table is one of a command', (SELECT group_concat(from_state || to_state)
  FROM state_transitions AS t WHERE axis = 'status' AND NOT EXISTS (SELECT 1 FROM cells
    WHERE status = from_state AND result = to_state AND cells."trigger" = t."trigger")), NULL;
CREATE TEMP TABLE before AS SELECT label, thread_id, open_task_id, pending_choice, turns,
  last_activity FROM sessions;
CREATE TEMP TABLE mark AS SELECT max(id) AS id FROM session_events;
SELECT turnstile_clock(2000000);
CREATE TEMP TABLE done(label PRIMARY KEY, result, error);
INSERT INTO done SELECT label, NULL, error_of('SELECT ' || command || '(''' || label || '''' ||
  iif(command = 'session_fail', ', ''gone'')', ')')) FROM named;
SELECT label, (SELECT error FROM done WHERE done.label = named.label),
  command || ': session ''' || label || '''' || problem FROM named;
SELECT label || ': the status', (SELECT status FROM sessions WHERE label = named.label),
  ifnull(result, status) FROM named;
SELECT label || ': the event', (SELECT group_concat(axis || ' ' || from_state || ' ' || to_state ||
  ' '
    || "trigger" || ' ' || at, ', ') FROM session_events WHERE session_label = named.label
    AND id > (SELECT id FROM mark)),
  'status ' || status || ' ' || result || ' ' || "trigger" || ' 2000000' FROM named;
SELECT 'nothing else has moved', (SELECT count(*) FROM before AS b JOIN sessions AS s USING(label)
  WHERE b.thread_id IS NOT s.thread_id OR b.open_task_id IS NOT s.open_task_id
    OR b.pending_choice IS NOT s.pending_choice OR b.turns IS NOT s.turns), 0;
SELECT 'what waits waits', (SELECT group_concat(DISTINCT status) FROM session_queue), 'pending';
SELECT 'archived_at goes with archived', (SELECT count(*) FROM sessions
  WHERE (status = 'archived') <> (archived_at IS NOT NULL)), 0;
SELECT 'the moves are those of the table', (SELECT group_concat(from_state || to_state) FROM
    (SELECT DISTINCT from_state, to_state FROM session_events WHERE axis = 'status'
     AND from_state IS NOT NULL EXCEPT SELECT from_state, to_state FROM state_transitions
     WHERE axis = 'status')), NULL;
-- The same by each command's result.
SELECT session_start('one', 'write');
SELECT 'suspended', session_suspend('one'), 'suspended';
SELECT 'again', session_suspend('one'), 'suspended';
SELECT 'failed', session_fail('one', 'broken'), 'error';
SELECT 'reopened', session_reopen('one'), 'active';
SELECT 'archived', session_archive('one'), 'archived';
SELECT 'taken out', session_unarchive('one'), 'active';
SELECT 'by the door', value_of('INSERT INTO turnstile VALUES (''session_archive'', ''["one"]'')
  RETURNING turnstile_result()'), 'archived';
SELECT 'by name', value_of('INSERT INTO turnstile VALUES (''session_unarchive'',
  ''{"label":"one"}'') RETURNING turnstile_result()'), 'active';

---- Reasons

CREATE TEMP VIEW reason(label, line) AS SELECT label, status || ' ' || ifnull(status_reason, '-')
  FROM sessions;
SELECT session_start('why', 'write');
SELECT 'none', session_suspend('why') || (SELECT line FROM reason WHERE label = 'why'),
  'suspendedsuspended -';
SELECT session_suspend('why', '{"reason":"lunch"}');
SELECT 'one that comes later', (SELECT line FROM reason WHERE label = 'why'), 'suspended lunch';
SELECT session_suspend('why');
SELECT 'stays', (SELECT line FROM reason WHERE label = 'why'), 'suspended lunch';
SELECT session_fail('why', 'the provider is gone');
SELECT 'of an error', (SELECT line FROM reason WHERE label = 'why'), 'error the provider is gone';
SELECT session_fail('why', 'it is still gone');
SELECT 'a new one', (SELECT line FROM reason WHERE label = 'why'), 'error it is still gone';
SELECT session_archive('why', '{"reason":"given up"}');
SELECT 'of the archive', (SELECT line FROM reason WHERE label = 'why'), 'archived given up';
SELECT session_unarchive('why');
SELECT 'an active session has none', (SELECT line FROM reason WHERE label = 'why'), 'active -';
SELECT session_fail('why', 'x'); SELECT session_archive('why');
SELECT 'the next status without one has none', (SELECT line FROM reason WHERE label = 'why'),
  'archived -';
SELECT 'an error needs one', error_of('SELECT session_fail(''one'')'),
  'session_fail: reason is missing';
SELECT 'NULL', error_of('SELECT session_fail(''one'', NULL)'), 'session_fail: reason is missing';
SELECT 'an empty one', error_of('SELECT session_fail(''one'', ''  '')'),
  'session_fail: reason is empty; it must hold more than white space';
SELECT 'reopen takes none', error_of('SELECT session_reopen(''one'', ''{"reason":"x"}'')') LIKE
  'session_reopen: %reason%', 1;
SELECT 'nobody: ' || value, error_of('SELECT ' || value || '(''nobody''' ||
    iif(value = 'session_fail', ', ''x'')', ')')),
  value || ': there is no session ''nobody''; session_deliver or session_start makes one'
FROM json_each(json_array('session_archive', 'session_unarchive', 'session_suspend', 'session_fail',
  'session_reopen', 'session_resume'));
SELECT 'no label', error_of('SELECT session_archive(NULL)'), 'session_archive: label is missing';

---- With a live run

SELECT session_start('live', 'write');
SELECT queue_push('live', 'one');
SELECT queue_push('live', 'two');
CREATE TEMP TABLE t(n PRIMARY KEY, j);
INSERT INTO t VALUES (1, turn_begin('live', 'A1', '{"lease":"5m"}'));
SELECT 'not archived', error_of('SELECT session_archive(''live'')'), 'session_archive: session ' ||
  '''live'' has a live run: ''A1'' executes turn ' || (SELECT j ->> '$.turn' FROM t) ||
  ', with a lease until 2300000; archive it when the turn has ended, or with the option force';
SELECT 'force 0 is none', error_of('SELECT session_archive(''live'', ''{"force":0}'')') IS NOT NULL,
  1;
SELECT 'suspended it runs on', session_suspend('live'), 'suspended';
SELECT 'the run writes', turn_message((SELECT j ->> '$.turn' FROM t), (SELECT j ->> '$.token' FROM
  t),
  '{"role":"assistant","content":"I look."}') IS NOT NULL, 1;
SELECT 'in error it runs on', session_fail('live', 'x'), 'error';
SELECT 'not archived from there', error_of('SELECT session_archive(''live'')') IS NOT NULL, 1;
SELECT 'with force', session_archive('live', '{"force":1,"reason":"cleaned up"}'), 'archived';
SELECT 'the reason', (SELECT line FROM reason WHERE label = 'live'), 'archived cleaned up';
SELECT 'its output is kept', (SELECT status || on_path FROM turns
  WHERE id = (SELECT j ->> '$.turn' FROM t)) || (SELECT thread_id = (SELECT j ->> '$.turn' FROM t)
  FROM sessions WHERE label = 'live'), 'aborted11';
SELECT 'the run is over', (SELECT run_state || ifnull(turn_id, '-') || ifnull(expires_at, '-')
  FROM session_runs WHERE session_label = 'live'), 'idle--';
SELECT 'its token is dead', error_of('SELECT turn_complete(' || (SELECT j ->> '$.turn' FROM t) ||
  ', ' ||
  (SELECT j ->> '$.token' FROM t) || ', ''{"content":"x"}'')') LIKE
  'turn_complete: turn % is aborted: the session was archived; nothing can be added to it', 1;
SELECT 'the task stays open', (SELECT open_task_id IS NOT NULL FROM sessions WHERE label = 'live'),
  1;
SELECT 'what waits stays', (SELECT group_concat(message || ' ' || status) FROM session_queue
  WHERE session_label = 'live'), 'one cancelled,two pending';
SELECT 'an archived one again, with force', session_archive('live', '{"force":1}'), 'archived';
SELECT 'taken out, the next turn takes it', session_unarchive('live') || (SELECT group_concat(value
  ->> '$.content') FROM json_each(turn_begin('live', 'A2'), '$.messages')), 'activetwo';

-- A run that has recorded nothing.
SELECT session_start('fresh', 'write');
SELECT queue_push('fresh', 'one');
SELECT turn_begin('fresh', 'A1', '{"lease":"5m"}') IS NOT NULL;
SELECT 'with force', session_archive('fresh', '{"force":1}'), 'archived';
SELECT 'no turn is on the path', (SELECT thread_id FROM sessions WHERE label = 'fresh'), NULL;
SELECT 'what it worked on was stopped', (SELECT json_array(status, error, held) FROM session_queue
  WHERE session_label = 'fresh'), '["cancelled","stopped: the session was archived",0]';
SELECT 'it does not run again', session_unarchive('fresh') || ifnull(turn_begin('fresh', 'A1'), ' nothing'),
  'active nothing';
SELECT 'but by hand', queue_retry(id) = id, 1 FROM session_queue WHERE session_label = 'fresh';
SELECT 'then it does', turn_begin('fresh', 'A1') ->> '$.messages[0].content', 'one';
-- A lease that has run out is no live run; the turn ends, its input waits.
SELECT session_start('lost', 'write');
SELECT queue_push('lost', 'one');
SELECT turn_begin('lost', 'A1', '{"lease":"1m"}') IS NOT NULL;
SELECT turnstile_clock(2100000);
SELECT 'archived without force', session_archive('lost'), 'archived';
SELECT 'the turn has ended', (SELECT group_concat(t.status || ': ' || t.error) FROM session_events AS e
  JOIN turns AS t ON t.id = e.data ->> '$.turn' WHERE e.session_label = 'lost' AND e.axis = 'turn'
  AND e.from_state IS NOT NULL AND e.to_state = 'failed'),
  'failed: the lease of ''A1'' ran out; session_archive took over';
SELECT 'the run is over', (SELECT run_state || ifnull(turn_id, '-') || ifnull(expires_at, '-')
  FROM session_runs WHERE session_label = 'lost'), 'idle--';
SELECT 'the input waits', (SELECT message || ' ' || status FROM session_queue
  WHERE session_label = 'lost'), 'one pending';
-- With output, and by force: its token is dead all the same, and the failed input stays failed.
SELECT session_start('lost 2', 'write');
SELECT queue_push('lost 2', 'one');
INSERT INTO t VALUES (5, turn_begin('lost 2', 'A1', '{"lease":"1m"}'));
SELECT turn_message((SELECT j ->> '$.turn' FROM t WHERE n = 5), (SELECT j ->> '$.token' FROM t
  WHERE n = 5), '{"role":"assistant","content":"I look."}') IS NOT NULL;
SELECT turnstile_clock(2200000);
SELECT 'archived by force', session_archive('lost 2', '{"force":1}'), 'archived';
SELECT 'what it writes late: ' || value, error_of('SELECT ' || value || '(' ||
    (SELECT j ->> '$.turn' FROM t WHERE n = 5) || ', ' || (SELECT j ->> '$.token' FROM t WHERE n = 5)
    || iif(value = 'turn_heartbeat', ')', ', ''{"role":"assistant","content":"x"}'')')) LIKE
  value || ': turn % is failed: the lease of ''A1'' ran out; session_archive took over; %', 1
FROM json_each('["turn_message","turn_heartbeat"]');
SELECT 'its input has failed', (SELECT message || ' ' || status FROM session_queue
  WHERE session_label = 'lost 2'), 'one failed';
-- A lease that is over at this very moment; a run that is ready has no turn.
SELECT session_start('edge', 'write');
SELECT turn_begin('edge', 'A1', '{"lease":"1m","messages":[{"role":"user","content":"x"}]}') IS NOT
  NULL;
SELECT turnstile_clock(2259999);
SELECT 'a moment before', error_of('SELECT session_archive(''edge'')') LIKE '%has a live run%', 1;
SELECT turnstile_clock(2260000);
SELECT 'at its end', session_archive('edge'), 'archived';
SELECT session_run('edge', 'A1', 'starting'); SELECT session_run('edge', 'A1', 'running');
SELECT session_run('edge', 'A1', 'ready'); SELECT session_unarchive('edge');
SELECT 'a ready process stays', session_archive('edge') || (SELECT run_state FROM session_runs
  WHERE session_label = 'edge'), 'archivedready';
SELECT 'no archived session has a turn that runs', (SELECT count(*) FROM session_runs AS r JOIN
  sessions AS s ON s.label = r.session_label WHERE s.status = 'archived' AND r.turn_id IS NOT NULL),
  0;
-- What a run finishes meanwhile, it finishes.
SELECT session_start('done', 'write');
INSERT INTO t VALUES (2, turn_begin('done', 'A1', '{"messages":[{"role":"user","content":"x"}]}'));
SELECT session_fail('done', 'x');
SELECT 'a turn of a session in error can end', turn_complete((SELECT j ->> '$.turn' FROM t
  WHERE n = 2), (SELECT j ->> '$.token' FROM t WHERE n = 2), '{"content":"done"}') IS NOT NULL, 1;
SELECT 'and lands', (SELECT turns || status FROM sessions WHERE label = 'done'), '1error';
-- Open choices stay.
SELECT session_deliver('choice', 'write', '{"class":"NewTask"}');
SELECT session_deliver('choice', 'hmm', '{"class":"Unclear"}') ->> '$.action';
SELECT session_archive('choice');
SELECT 'an open choice stays', (SELECT pending_choice ->> '$.held' FROM sessions
  WHERE label = 'choice'), 'hmm';

---- Archived, then spoken to

SELECT turnstile_clock(100000000);
SELECT turn_append('L1', '[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]');
SELECT session_alias('wa:L1', 'L1');
CREATE TEMP TABLE head AS SELECT thread_id AS id FROM sessions WHERE label = 'L1';
SELECT 'archived', session_archive('L1'), 'archived';
SELECT 'readable by name', (SELECT count(*) FROM turn_path('L1')) || (SELECT count(*)
  FROM turn_path('wa:L1')), '11';
SELECT 'resolved all the same', resolve_session('wa:L1'), 'L1';
SELECT turnstile_clock(103600000);
INSERT INTO t VALUES (3, session_deliver('wa:L1', 'm1', '{"class":"Modification","channel":"mail",
  "sender":"u"}'));
SELECT 'a message takes it out', (SELECT j ->> '$.session' FROM t WHERE n = 3) ||
  (SELECT status FROM sessions WHERE label = 'L1'), 'L1active';
SELECT 'and is not lost', (SELECT message || session_label FROM session_queue WHERE message = 'm1'),
  'm1L1';
SELECT turn_append('L1', '[{"role":"user","content":"m1"},{"role":"assistant","content":"c"}]');
SELECT 'the conversation goes on', (SELECT parent_turn_id = (SELECT id FROM head) FROM turns
  WHERE id = (SELECT thread_id FROM sessions WHERE label = 'L1')), 1;
SELECT turnstile_clock(107200000);
SELECT session_deliver('wa:L1', 'm2', '{"class":"Modification"}') IS NOT NULL;
INSERT INTO t VALUES (4, turn_begin('L1', 'A1', '{"lease":"5m"}'));
SELECT 'archiving during a run', error_of('SELECT session_archive(''wa:L1'')') LIKE
  'session_archive: session ''L1'' has a live run%', 1;
SELECT turn_complete((SELECT j ->> '$.turn' FROM t WHERE n = 4), (SELECT j ->> '$.token' FROM t
  WHERE n = 4), '{"content":"d"}') IS NOT NULL;
SELECT 'the turn lands', (SELECT turns FROM sessions WHERE label = 'L1'), 3;
DELETE FROM head;
INSERT INTO head SELECT thread_id FROM sessions WHERE label = 'L1';
SELECT 'archived by its alias', session_archive('wa:L1') || (SELECT status FROM sessions
  WHERE label = 'L1'), 'archivedarchived';
SELECT 'taken out', session_unarchive('wa:L1'), 'active';
SELECT 'the same head, the same alias, no commit', (SELECT (thread_id = (SELECT id FROM head)) ||
  ' ' ||
    (SELECT session_label || reason FROM session_aliases WHERE alias = 'wa:L1') || ' ' ||
    (SELECT count(*) FROM commits WHERE session_label = 'L1') FROM sessions WHERE label = 'L1'),
  '1 L1manual 0';

-- Others than users do not take it out; on_archived = reject refuses openly.
SELECT session_archive('L1');
SELECT 'an agent''s waits', session_deliver('L1', 'ping', '{"source":"agent"}') ->> '$.action' ||
  (SELECT status FROM sessions WHERE label = 'L1'), 'queuearchived';
SELECT turnstile_config('on_archived', 'reject');
SELECT 'refused', session_deliver('wa:L1', 'm3', '{"message_id":"m3"}') ->> '$.action', 'rejected';
SELECT 'it stays archived', (SELECT status FROM sessions WHERE label = 'L1'), 'archived';
SELECT 'nothing is kept', (SELECT count(*) FROM session_queue WHERE message = 'm3') ||
  (SELECT count(*) FROM deliveries WHERE message = 'm3'), '00';
SELECT session_unarchive('L1');
SELECT 'the same message later', session_deliver('wa:L1', 'm3', '{"message_id":"m3"}') ->>
  '$.action'
  <> 'rejected', 1;
SELECT turnstile_config('on_archived', NULL, '{"reset":1}');

---- Error, blocked, reopened

SELECT session_start('bad', 'write');
SELECT session_fail('bad', 'broken');
SELECT 'blocked', session_deliver('bad', 'hello') ->> '$.action', 'blocked';
SELECT 'also a timer', session_deliver('bad', 'tick', '{"source":"timer"}') ->> '$.action',
  'blocked';
SELECT 'no turn begins', error_of('SELECT turn_begin(''bad'', ''A1'')') LIKE 'turn_begin: % error%',
  1;
SELECT 'it stays in error', (SELECT line FROM reason WHERE label = 'bad'), 'error broken';
SELECT 'all is kept', (SELECT group_concat(message || status) FROM session_queue
  WHERE session_label = 'bad'), 'hellopending,tickpending';
SELECT 'reopened', session_reopen('bad'), 'active';
SELECT 'and taken', (SELECT group_concat(value ->> '$.content') FROM json_each(turn_begin('bad',
  'A1'),
  '$.messages')) LIKE 'hello%', 1;
-- Out of error by the archive.
SELECT session_start('bad 2', 'write'); SELECT session_fail('bad 2', 'x');
SELECT session_deliver('bad 2', 'kept', '{"class":"Modification"}') ->> '$.action';
SELECT session_archive('bad 2');
SELECT 'a message takes it out of there', session_deliver('bad 2', 'more',
  '{"class":"Modification"}')
  ->> '$.action' || (SELECT status FROM sessions WHERE label = 'bad 2'), 'continueactive';
SELECT 'what was blocked is not lost', (SELECT status IN ('pending', 'handed') FROM session_queue
  WHERE message = 'kept'), 1;

---- Suspended

SELECT session_start('nap', 'write'); SELECT session_suspend('nap');
SELECT 'a message wakes it', session_deliver('nap', 'red', '{"class":"Modification"}') ->>
  '$.action' ||
  (SELECT status FROM sessions WHERE label = 'nap'), 'continueactive';
SELECT session_suspend('nap');
SELECT queue_push('nap', 'x');
SELECT 'queue_push does not', (SELECT status FROM sessions WHERE label = 'nap'), 'suspended';

---- Which commands make a session active

CREATE TEMP TABLE work(command, args, suspended, archived);
INSERT INTO work VALUES
  ('session_transition', '["PendingComplete",{"summary":"y"}]', 'active', 'active'),
  ('session_deliver', '["hello"]', 'active', 'active'),
  ('session_deliver', '["tick",{"source":"timer"}]', 'active', 'archived'),
  ('turn_append', '[[{"role":"user","content":"x"}]]', 'active', 'active'),
  ('turn_begin', '["A1",{"messages":[{"role":"user","content":"x"}]}]', 'active', 'active'),
  ('turn_begin', '["A1"]', 'active', 'archived'), -- an input waits
  ('session_note', '["y"]', 'suspended', 'archived'),
  ('session_observe', '["Plan",{"a":1}]', 'suspended', 'archived'),
  ('session_relate', '["file:a","Mentions","file:b"]', 'suspended', 'archived'),
  ('session_flush', '[]', 'suspended', 'archived'),
  ('session_compact', '["y"]', 'suspended', 'archived'),
  ('session_rewind', '[0]', 'suspended', 'archived'),
  ('turn_compact', '["a summary"]', 'suspended', 'archived'),
  ('queue_push', '["x"]', 'suspended', 'archived'),
  ('session_run', '["A1","starting"]', 'suspended', 'archived'),
  ('session_spawn', '["x"]', 'suspended', 'archived'),
  ('session_recover', '[]', 'suspended', 'archived');
CREATE TEMP TABLE woken AS SELECT 'wake ' || w.rowid || ' ' || value AS label, value AS status,
  command, args, iif(value = 'suspended', suspended, archived) AS want
  FROM work AS w, json_each('["suspended","archived"]');
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"a"}]'))
  FROM woken;
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"b"}]'))
  FROM woken;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'write') FROM woken;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM woken;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'look') FROM woken;
INSERT INTO turnstile SELECT iif(status = 'archived', 'session_archive', 'session_suspend'),
  json_array(label) FROM woken;
INSERT INTO turnstile SELECT command, json_array(label)
  FROM woken WHERE args = '[]';
INSERT INTO turnstile SELECT command, json_array(label, iif(command = 'session_rewind',
    (SELECT min(thread_id) FROM session_history WHERE session_label = label), json(args -> '$[0]')))
  FROM woken WHERE json_array_length(args) = 1 AND json_type(args, '$[0]') IN ('array', 'integer');
INSERT INTO turnstile SELECT command, json_array(label, args ->> '$[0]')
  FROM woken WHERE json_array_length(args) = 1 AND json_type(args, '$[0]') = 'text';
INSERT INTO turnstile SELECT command, json_array(label, args ->> '$[0]', iif(
    json_type(args, '$[1]') = 'text', args ->> '$[1]', json(args -> '$[1]')))
  FROM woken WHERE json_array_length(args) = 2 AND json_type(args, '$[1]') = 'object';
INSERT INTO turnstile SELECT command, json_array(label, args ->> '$[0]', args ->> '$[1]')
  FROM woken WHERE json_array_length(args) = 2 AND json_type(args, '$[1]') = 'text';
INSERT INTO turnstile SELECT command, json_array(label, args ->> '$[0]', args ->> '$[1]',
  args ->> '$[2]') FROM woken WHERE json_array_length(args) = 3;
SELECT w.status || ', then ' || command || args, s.status, want
FROM woken AS w JOIN sessions AS s ON s.label = w.label;
SELECT 'all of them', (SELECT count(*) FROM woken AS w JOIN sessions AS s ON s.label = w.label), 34;

---- Aliases and superseded sessions

SELECT turn_append('dm:a:u', '[{"role":"user","content":"a"}]');
SELECT session_start('dm:b:u', 'write');
SELECT identity_link('a', 'u', 'ann'); SELECT identity_link('b', 'u', 'ann');
SELECT 'the name of a merged one is that one', session_archive('dm:b:u') || (SELECT
  group_concat(status)
  FROM (SELECT status FROM sessions WHERE label IN ('dm:a:u', 'dm:b:u') ORDER BY label)),
  'archivedactive,archived';
SELECT 'taken out', session_unarchive('dm:b:u') || (SELECT superseded_by FROM sessions
  WHERE label = 'dm:b:u'), 'activedm:a:u';
SELECT 'an alias is where it leads', session_suspend('dm:ann') || (SELECT status FROM sessions
  WHERE label = 'dm:a:u'), 'suspendedsuspended';
SELECT session_fail('dm:b:u', 'x');
SELECT 'the primary takes messages', session_deliver('dm:b:u', 'hello', '{"class":"Modification"}')
  ->> '$.session' || (SELECT status FROM sessions WHERE label = 'dm:b:u'), 'dm:a:uerror';

---- The sweep's archive

SELECT turnstile_clock(10000000000);
SELECT session_deliver('idle', 'thanks', '{"class":"Confirmation"}') IS NOT NULL;
SELECT session_deliver('idle bad', 'thanks', '{"class":"Confirmation"}') IS NOT NULL;
SELECT session_fail('idle bad', 'x');
SELECT session_deliver('idle nap', 'thanks', '{"class":"Confirmation"}') IS NOT NULL;
SELECT session_suspend('idle nap');
SELECT session_start('idle task', 'write');
SELECT session_note('idle task', 'half done');
SELECT turnstile_clock(12600000000);
SELECT turn_append('busy', '[{"role":"user","content":"a"}]');
SELECT session_sweep() IS NOT NULL;
SELECT 'after 30 days: ' || label, (SELECT status FROM sessions AS s WHERE s.label = w.label),
  status
FROM (SELECT 'idle' AS label, 'archived' AS status UNION ALL SELECT 'idle nap', 'archived'
  UNION ALL SELECT 'busy', 'active') AS w;
SELECT 'its event is the same', (SELECT from_state || to_state || "trigger" FROM session_events
  WHERE session_label = 'idle' AND axis = 'status' ORDER BY id DESC), 'activearchivedarchive';
SELECT 'it is taken out like any other', session_unarchive('idle'), 'active';
SELECT 'what the sweep has archived, a message takes out', session_deliver('idle nap', 'hello',
  '{"class":"Clarification"}') IS NOT NULL AND (SELECT status = 'active' FROM sessions
  WHERE label = 'idle nap'), 1;
SELECT 'age heals nothing', (SELECT json_array(status, status_reason) FROM sessions WHERE label = 'idle bad'),
  '["error","x"]';
SELECT 'a task was saved', (SELECT commit_type FROM commits WHERE session_label = 'idle task'),
  'StaleAutoCompact';
SELECT 'the file is whole', (SELECT integrity_check FROM pragma_integrity_check), 'ok';
