-- called_off.sql - what an Abandon, and a task that gives way to another, call off, and what not.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

CREATE TEMP TABLE came(label TEXT PRIMARY KEY, d);
CREATE TEMP VIEW inputs(label, line) AS
  SELECT session_label, group_concat(message || ' ' || status, ', ') FROM (
    SELECT * FROM session_queue ORDER BY session_label, id) GROUP BY session_label;

---- "Forget it" over a held request takes that back alone

-- How the open task's own words come to wait; and the choice that is open then.
CREATE TEMP TABLE w(label TEXT PRIMARY KEY, failed, options);
INSERT INTO w VALUES ('failed', 1, '{}'), ('later', 1, '{"retry_after":60000}'), ('busy', 0, NULL);
SELECT session_deliver(label, 'add retries', '{"owner":"w","class":"NewTask"}') FROM w;
SELECT turn_fail(r.turn_id, r.token, 'no answer', w.options) FROM w JOIN session_runs AS r ON r.session_label = w.label
  WHERE failed;
SELECT session_deliver(label, 'five of them', '{"class":"Modification","mode":"queue"}') FROM w WHERE NOT failed;
SELECT label || ': it asks', session_deliver(label, 'build an export', '{"class":"NewTask"}') ->> '$.kind', 'NewTaskChoice' FROM w;
INSERT INTO came SELECT label, session_deliver(label, 'forget it') FROM w;
SELECT label || ': nothing of the task is cancelled', json_extract(d, '$.class', '$.action', '$.state', '$.cancelled'),
  '["Abandon","acknowledge","Running",null]' FROM came;
SELECT label || ': the choice is closed', pending_choice, NULL FROM sessions JOIN w USING (label);
SELECT label || ': what was said for it', line,
  iif(failed, 'add retries pending', 'add retries processing, five of them pending') FROM w JOIN inputs USING (label);
SELECT 'a turn gets it', turn_begin('failed', 'w') ->> '$.messages[0].content', 'add retries';
SELECT 'the run goes on', (SELECT run_state FROM session_runs WHERE session_label = 'busy'), 'starting';

SELECT session_start('saved', 'add retries');
SELECT session_note('saved', 'read');
SELECT session_deliver('saved', 'use jitter', json_object('class', 'Response', 'now', 1000000 + 8 * 86400000)) ->> '$.kind';
SELECT queue_push('saved', 'also the download', '{"now":691300000}');
SELECT 'the same over a task that was saved', json_extract(session_deliver('saved', 'forget it',
  json_object('class', 'Abandon', 'now', 1000001 + 8 * 86400000)), '$.action', '$.cancelled'), '["acknowledge",null]';
SELECT 'what was pushed waits', line, 'also the download pending' FROM inputs WHERE label = 'saved';

-- Where it ends the task, it takes its sender's words along.
SELECT session_start('stale', 'add retries');
SELECT session_note('stale', 'read');
SELECT session_deliver('stale', 'use jitter', json_object('class', 'Response', 'now', 1000000 + 25 * 3600000)) ->> '$.kind';
SELECT queue_push('stale', 'also the download', json_object('now', 1000001 + 25 * 3600000));
SELECT 'over a stale one it ends the task', json_extract(session_deliver('stale', 'forget it',
  json_object('class', 'Abandon', 'now', 1000002 + 25 * 3600000)), '$.action', '$.cancelled[0].message'),
  '["abandon","also the download"]';

---- A task that gives way to another takes along what was said for it

-- how: the answer to the choice, by words or by a press, or the policy; wait: what of the old task is there.
CREATE TEMP TABLE s(label TEXT PRIMARY KEY, how, wait);
INSERT INTO s SELECT how || ' ' || wait, how, wait
  FROM (SELECT 'words' AS how UNION ALL SELECT 'press' UNION ALL SELECT 'policy'),
       (SELECT 'failed' AS wait UNION ALL SELECT 'later' UNION ALL SELECT 'handed' UNION ALL SELECT 'busy');
INSERT INTO turnstile SELECT 'turnstile_config', json_array('new_task_policy', 'switch', json_object('session', label))
  FROM s WHERE how = 'policy';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'add retries',
  json(iif(wait = 'handed', '{"class":"NewTask"}', '{"owner":"w","class":"NewTask"}'))) FROM s;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'five of them', json('{"class":"Modification","mode":"queue"}'))
  FROM s WHERE wait = 'busy';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'log each', json('{"class":"Modification","mode":"queue","sender":"bob"}'))
  FROM s WHERE wait = 'busy';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'no answer',
  json(iif(wait = 'later', '{"retry_after":60000}', '{}')))
  FROM s JOIN session_runs ON session_label = label WHERE wait IN ('failed', 'later');
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'the build is red', json('{"source":"webhook"}')) FROM s;
INSERT INTO came SELECT label, session_deliver(label, 'build an export', '{"class":"NewTask","keeps_turns":1}') FROM s WHERE how = 'policy';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'build an export', json('{"class":"NewTask"}'))
  FROM s WHERE how <> 'policy';
INSERT INTO came SELECT label, session_deliver(label, 'start fresh') FROM s WHERE how = 'words';
INSERT INTO came SELECT label, session_choose(label, 'start_fresh') FROM s WHERE how = 'press';
SELECT label || ': another task', json_extract(d, '$.action', '$.state'), '["start","Running"]' FROM s JOIN came USING (label);
SELECT label || ': the old words are listed', (SELECT group_concat(value ->> '$.message', ', ') FROM json_each(d, '$.cancelled')),
  iif(wait = 'busy', 'add retries, five of them', 'add retries') FROM s JOIN came USING (label);
SELECT label || ': and cancelled', (SELECT count(*) FROM session_queue WHERE session_label = label AND status = 'cancelled'
  AND message IN ('add retries', 'five of them')), iif(wait = 'busy', 2, 1) FROM s;
SELECT label || ': a turn gets none of them', (SELECT group_concat(value ->> '$.content', ', ')
    FROM json_each(turn_begin(label, 'w'), '$.messages')),
  CASE WHEN wait = 'busy' THEN 'log each, the build is red, build an export' ELSE 'the build is red, build an export' END
  FROM s;
SELECT 'the error says why', (SELECT error FROM session_queue WHERE session_label = 'words failed' AND status = 'cancelled'),
  'another task was begun instead';
SELECT 'it can be taken back', queue_retry((SELECT id FROM session_queue WHERE session_label = 'words failed'
  AND status = 'cancelled')) IS NOT NULL, 1;

-- A question is not the task's, and what came while the session was in error was not looked at.
SELECT session_deliver('asks', 'add retries', '{"owner":"w","class":"NewTask"}');
SELECT session_deliver('asks', 'how many are there?', '{"class":"Clarification","mode":"queue"}');
SELECT turn_fail(turn_id, token, 'no answer') FROM session_runs WHERE session_label = 'asks';
UPDATE sessions SET status = 'error' WHERE label = 'asks';
SELECT session_deliver('asks', 'and the docs', '{"class":"Modification"}');
UPDATE sessions SET status = 'active' WHERE label = 'asks';
SELECT session_deliver('asks', 'build an export', '{"class":"NewTask"}');
SELECT session_deliver('asks', 'start fresh');
SELECT 'a question and what was not looked at stay', line,
  'add retries cancelled, how many are there? handed, and the docs handed, build an export handed'
  FROM inputs WHERE label = 'asks';

---- While the conversation is shortened, and in a session in error

-- how: what says stop; the second is the caller's word for words that say nothing.
CREATE TEMP TABLE e(label TEXT PRIMARY KEY, place, said, options);
INSERT INTO e VALUES ('shortened', 'compaction', 'stop', '{}'), ('shortened, given', 'compaction', 'hm', '{"class":"Abandon"}'),
  ('in error', 'error', 'stop', '{}');
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"hi"},{"role":"assistant","content":"yo"}]'))
  FROM e WHERE place = 'compaction';
INSERT INTO turnstile SELECT 'turn_compact_begin', json_array(label, 'w') FROM e WHERE place = 'compaction';
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'x') FROM e WHERE place = 'error';
UPDATE sessions SET status = 'error' WHERE label IN (SELECT label FROM e WHERE place = 'error');
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'drop the old tables') FROM e;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'log each', json('{"sender":"bob"}')) FROM e;
INSERT INTO came SELECT label, session_deliver(label, said, options) FROM e;
SELECT label || ': its own words are cancelled', json_extract(d, '$.action', '$.cancelled[0].message', '$.cancelled[1]'),
  json_array(iif(place = 'error', 'blocked', 'queue'), 'drop the old tables', NULL) FROM e JOIN came USING (label);
SELECT label || ': the summary goes on', run_state, 'running' FROM e JOIN session_runs ON session_label = label
  WHERE place = 'compaction' AND run_state <> 'starting';
UPDATE sessions SET status = 'active' WHERE label IN (SELECT label FROM e);
INSERT INTO turnstile SELECT 'turn_compact', json_array(label, 's', json_object('turn', turn_id, 'token', token))
  FROM e JOIN session_runs ON session_label = label WHERE place = 'compaction';
SELECT label || ': a turn gets what another said', (SELECT group_concat(value ->> '$.content')
  FROM json_each(turn_begin(label, 'w'), '$.messages')), 'log each' FROM e;
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"Done."}'))
  FROM e JOIN session_runs ON session_label = label;
SELECT label || ': the stop starts nothing', turn_begin(label, 'w'), NULL FROM e;
SELECT label || ': and is done with', line, 'drop the old tables cancelled, log each delivered, ' || said || ' delivered'
  FROM e JOIN inputs USING (label);

-- A run that is live in a session in error is stopped.
SELECT session_deliver('broken', 'add retries', '{"owner":"w","class":"NewTask"}');
UPDATE sessions SET status = 'error' WHERE label = 'broken';
SELECT 'a live run in error: cancelled', json_extract(session_deliver('broken', 'stop'), '$.action', '$.cancelled[0].message'),
  '["blocked","add retries"]';
SELECT 'a live run in error: stopped', (SELECT run_state || ' ' || status || ' ' || error FROM session_runs AS r JOIN turns AS t ON t.id = (SELECT max(id) FROM turns)
  WHERE session_label = 'broken'), 'idle aborted stop';
UPDATE sessions SET status = 'active' WHERE label = 'broken';
SELECT 'nothing of it is begun again', turn_begin('broken', 'w'), NULL;
SELECT 'and the task is over', session_state('broken') ->> '$.task_state', 'None';

-- With a choice open, in error, too, it takes back what that holds.
SELECT session_deliver('broken choice', 'add retries', '{"owner":"w","class":"NewTask"}');
SELECT turn_fail(turn_id, token, 'no answer') FROM session_runs WHERE session_label = 'broken choice';
SELECT session_deliver('broken choice', 'build an export', '{"class":"NewTask"}');
UPDATE sessions SET status = 'error' WHERE label = 'broken choice';
SELECT 'in error, with a choice', session_deliver('broken choice', 'forget it') ->> '$.cancelled', NULL;

---- The parent ends what its worker does, also while that is busy

CREATE TEMP TABLE k(label TEXT PRIMARY KEY, busy, mode, sender);
INSERT INTO k SELECT 'worker ' || busy || ' ' || mode || sender, busy, mode, sender
  FROM (SELECT 'live' AS busy UNION ALL SELECT 'later' UNION ALL SELECT 'idle'),
       (SELECT 'queue' AS mode UNION ALL SELECT 'steer' UNION ALL SELECT 'interrupt'),
       (SELECT 'boss' AS sender UNION ALL SELECT '');
SELECT session_start('boss', 'X');
SELECT turnstile_config('max_children', 100);
INSERT INTO turnstile SELECT 'session_spawn', json_array('boss', 'sort them', json_object('label', label)) FROM k;
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'w') FROM k WHERE busy <> 'idle';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, '429', json('{"retry_after":60000}'))
  FROM k JOIN session_runs ON session_label = label WHERE busy = 'later';
INSERT INTO came SELECT label, session_deliver(label, 'not needed', json_patch(json_object('source', 'agent', 'mode', mode,
  'class', 'Abandon'), iif(sender <> '', json_object('sender', sender), '{}'))) FROM k;
SELECT label || ': it ends the task', json_extract(d, '$.action', '$.state'), '["abandon","None"]' FROM k JOIN came USING (label);
SELECT label || ': nobody works on it', run_state, 'idle' FROM k JOIN session_runs ON session_label = label;
SELECT label || ': and nothing is left to do', (SELECT group_concat(message || ' ' || status) FROM session_queue
  WHERE session_label = label), 'sort them cancelled' FROM k;
SELECT label || ': its status', task_status, 'failed' FROM k JOIN sessions USING (label);
SELECT 'its parent is told nothing', (SELECT count(*) FROM session_queue WHERE session_label = 'boss'), 0;

-- Another agent is not the parent; and what the parent calls anything else waits under that name.
SELECT session_spawn('boss', 'sort them', '{"label":"other"}');
SELECT turn_begin('other', 'w') ->> '$.turn';
SELECT 'somebody else''s Abandon waits', session_deliver('other', 'not needed',
  '{"source":"agent","sender":"someone","class":"Abandon"}') ->> '$.action', 'queue';
SELECT 'the class that the parent gives is kept', (SELECT class FROM session_queue WHERE id =
  session_deliver('other', 'by size?', '{"source":"agent","sender":"boss","class":"Clarification"}') ->> '$.queue_id'), 'Clarification';

-- A session in error keeps it until it goes on.
UPDATE sessions SET status = 'error' WHERE label = 'other';
SELECT session_deliver('other', 'not needed', '{"source":"agent","sender":"boss","class":"Abandon"}') ->> '$.action';
UPDATE sessions SET status = 'active' WHERE label = 'other';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"Done."}'))
  FROM session_runs WHERE session_label = 'other';
SELECT turn_begin('other', 'w') ->> '$.turn';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"Done."}'))
  FROM session_runs WHERE session_label = 'other';
SELECT turn_begin('other', 'w') ->> '$.turn';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"Done."}'))
  FROM session_runs WHERE session_label = 'other' AND turn_id IS NOT NULL;
SELECT turn_begin('other', 'w');
SELECT 'an Abandon that waited ends the worker', (SELECT task_status FROM sessions WHERE label = 'other'), 'failed';

SELECT 'the file is sound', (SELECT group_concat(rule) FROM turnstile_check() WHERE rule <> 'session_status'), NULL;

---- A stop that had waited, met by a word of somebody's

SELECT session_start('met', 'add retries');
SELECT queue_push('met', 'tick', '{"source":"timer"}');
SELECT queue_push('met', 'stop');
SELECT 'the decision says what waits on', json_extract(session_deliver('met', 'ok'), '$.action', '$.class',
  '$.still_waiting[0].message', '$.still_waiting[1]'), '["abandon","Confirmation","tick",null]';

---- Whoever ends a task, and however: what a turn has had for it, and waits to be tried again, is done with

-- how: what ends it; wait: why the request waits, or (live) that its run comes to nothing afterwards.
CREATE TEMP TABLE o(label TEXT PRIMARY KEY, how, wait);
INSERT INTO o SELECT how || ' ' || wait, how, wait FROM
  (SELECT 'another''s stop' AS how UNION ALL SELECT 'stop elsewhere' UNION ALL SELECT 'nobody''s stop' UNION ALL SELECT 'compact'
   UNION ALL SELECT 'aborted' UNION ALL SELECT 'complete' UNION ALL SELECT 'approval' UNION ALL SELECT 'a choice'),
  (SELECT 'failed' AS wait UNION ALL SELECT 'later' UNION ALL SELECT 'died' UNION ALL SELECT 'live, dies' UNION ALL SELECT 'live, fails')
  WHERE how IN ('compact', 'aborted', 'complete') OR wait NOT LIKE 'live%';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'drop the old tables',
  json('{"owner":"w","class":"NewTask","channel":"sms","sender":"ann"}')) FROM o;
CREATE TEMP VIEW o_runs AS SELECT label, how, wait, turn_id AS turn, token FROM o JOIN session_runs ON session_label = label;
CREATE TEMP TABLE o_first AS SELECT * FROM o_runs;
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, '429', json(iif(wait = 'later', '{"retry_after":"30s"}', '{}')))
  FROM o_first WHERE wait IN ('failed', 'later');
INSERT INTO turnstile SELECT 'session_run', json_array(label, 'w', 'error', NULL, json_object('token', token))
  FROM o_first WHERE wait = 'died';
SELECT label || ': it waits', (SELECT status FROM session_queue WHERE session_label = label),
  iif(wait LIKE 'live%', 'processing', 'pending') FROM o;
-- What stays: a question, a timer's tick, and what somebody else has said and no turn has had.
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'tick', json('{"source":"timer"}')) FROM o;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete', json('{"summary":"Dropped."}')) FROM o
  WHERE how IN ('complete', 'approval');
INSERT INTO turnstile SELECT 'session_compact', json_array(label, 'done by hand') FROM o WHERE how = 'compact';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Aborted', json('{"reason":"not any more"}')) FROM o WHERE how = 'aborted';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Complete') FROM o WHERE how = 'complete';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'hm', json('{"class":"Unclear","channel":"sms","sender":"bob"}')) FROM o
  WHERE how = 'a choice';
INSERT INTO came SELECT label, session_deliver(label, CASE how WHEN 'approval' THEN 'yes' ELSE 'stop' END,
  json(CASE how WHEN 'another''s stop' THEN '{"channel":"sms","sender":"bob"}' WHEN 'stop elsewhere' THEN '{"channel":"mail","sender":"ann"}'
    WHEN 'a choice' THEN '{"channel":"sms","sender":"bob"}' ELSE '{}' END))
  FROM o WHERE how LIKE '%stop%' OR how IN ('approval', 'a choice');
SELECT label || ': the decision lists it', json_extract(d, '$.action', '$.cancelled'),
  json_array(iif(how = 'approval', 'complete', 'abandon'), json_array(json_object('queue_id', (SELECT id FROM session_queue
    WHERE session_label = label AND message = 'drop the old tables'), 'message', 'drop the old tables')))
  FROM o JOIN came USING (label);
SELECT label || ': and what waits on without it', (SELECT group_concat(value ->> '$.message') FROM json_each(d, '$.still_waiting')), 'tick'
  FROM o JOIN came USING (label) WHERE how <> 'approval';
SELECT label || ': a failure lists it', turn_fail(turn, token, '429', '{"retry_after":"30s"}') ->> '$.cancelled[0].message', 'drop the old tables'
  FROM o_first WHERE wait = 'live, fails';
INSERT INTO turnstile SELECT 'session_run', json_array(label, 'w', 'error', NULL, json_object('token', token))
  FROM o_first WHERE wait = 'live, dies';
SELECT label || ': it is cancelled', (SELECT status || ': ' || error FROM session_queue WHERE session_label = label
  AND message = 'drop the old tables'), 'cancelled: its task has ended' FROM o;
SELECT label || ': a turn gets the rest', (SELECT group_concat(value ->> '$.content') FROM json_each(turn_begin(label, 'v',
  '{"now":1040000}'), '$.messages')), 'tick' FROM o;
SELECT label || ': the task is over', session_state(label) ->> '$.task_state', 'None' FROM o;
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json('{}'), json('{"now":1040000}')) FROM o_runs;
INSERT INTO turnstile SELECT 'queue_retry', json_array(id) FROM session_queue JOIN o ON label = session_label WHERE status = 'cancelled';
SELECT label || ': queue_retry brings it back', turn_begin(label, 'v', '{"now":1040000}') ->> '$.messages[0].content', 'drop the old tables' FROM o;
SELECT label || ': as a task of its own', session_state(label) ->> '$.task_state', 'Running' FROM o;

-- What is done again by hand belongs to the task for which a turn has it next: the end of another one leaves it.
SELECT session_deliver('again', 'drop the old tables', '{"owner":"w","class":"NewTask"}') ->> '$.action';
SELECT turn_fail(turn_id, token, 'no answer') FROM session_runs WHERE session_label = 'again';
SELECT session_deliver('again', 'stop', '{"sender":"bob"}') ->> '$.action';
SELECT session_start('again', 'build an export') ->> '$.task_id';
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'again' AND message = 'drop the old tables';
SELECT 'the end of another task', json_array(session_compact('again', 'built') IS NOT NULL, line), '[1,"drop the old tables pending"]'
  FROM inputs WHERE label = 'again';
SELECT session_start('again', 'write the docs') ->> '$.task_id';
SELECT session_deliver('again', 'different thing: paint it', '{"class":"NewTask","sender":"bob"}') ->> '$.action';
SELECT session_choose('again', 'start_fresh') ->> '$.action';
SELECT 'nor does a switch', (SELECT status FROM session_queue WHERE session_label = 'again' AND message = 'drop the old tables') <> 'cancelled', 1;
-- ... and the one of its own task does not.
SELECT session_deliver('own', 'drop the old tables', '{"owner":"w","class":"NewTask"}') ->> '$.action';
SELECT turn_message(turn_id, token, '{"role":"assistant","content":"half"}') FROM session_runs WHERE session_label = 'own';
SELECT turn_fail(turn_id, token, 'no answer') FROM session_runs WHERE session_label = 'own';
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'own';
SELECT 'its own', session_deliver('own', 'stop', '{"sender":"bob"}') ->> '$.cancelled[0].message', 'drop the old tables';

-- A task that is saved has been ended by nobody.
SELECT session_deliver('left', 'drop the old tables', '{"owner":"w","class":"NewTask"}') ->> '$.action';
SELECT turn_fail(turn_id, token, 'no answer') FROM session_runs WHERE session_label = 'left';
SELECT session_sweep(json_object('now', 1000000 + 8 * 86400000)) IS NOT NULL;
SELECT 'a saved task', json_array(session_state('left') ->> '$.task_state', line), '["None","drop the old tables pending"]' FROM inputs
  WHERE label = 'left';
SELECT 'and not by another one''s end', json_array(session_start('left', 'x', json_object('now', 1000001 + 8 * 86400000)) IS NOT NULL,
  session_compact('left', 'y', json_object('now', 1000001 + 8 * 86400000)) IS NOT NULL, (SELECT line FROM inputs WHERE label = 'left')),
  '[1,1,"drop the old tables pending"]';

-- A worker's parent is its user.
SELECT session_start('chief', 'X') ->> '$.task_id';
INSERT INTO turnstile SELECT 'session_spawn', json_array('chief', 'sort them', json_object('label', label)) FROM (
  SELECT 'done' AS label UNION ALL SELECT 'done later');
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'w') FROM (SELECT 'done' AS label UNION ALL SELECT 'done later');
SELECT turn_fail(turn_id, token, '429') FROM session_runs WHERE session_label = 'done';
SELECT session_report('done', 'completed', 'sorted') IS NOT NULL;
SELECT session_report('done later', 'completed', 'sorted') IS NOT NULL;
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, '429') FROM session_runs WHERE session_label = 'done later';
SELECT label || ': a worker that has reported', line, iif(label = 'done', 'sort them cancelled', 'sort them delivered') FROM inputs
  WHERE label LIKE 'done%';
SELECT label || ': nothing is sorted again', turn_begin(label, 'w'), NULL FROM (SELECT 'done' AS label UNION ALL SELECT 'done later');

-- A worker that has a worker itself: what its parent has said is done with, what its own worker has reported is not. The
-- task ends before the turn comes to nothing, or behind it.
CREATE TEMP TABLE middle(label TEXT PRIMARY KEY, what, ends);
INSERT INTO middle SELECT what || ' ' || ends, what, ends FROM (SELECT 'the order' AS what UNION ALL SELECT 'the report'),
  (SELECT 'ends first' AS ends UNION ALL SELECT 'ends behind it');
INSERT INTO turnstile SELECT 'session_spawn', json_array('chief', 'sort them', json_object('label', label)) FROM middle;
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'w') FROM middle;
INSERT INTO turnstile SELECT 'session_spawn', json_array(label, 'find them', json_object('label', 'low ' || label)) FROM middle;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'by size', json('{"source":"agent","sender":"chief","mode":"queue"}'))
  FROM middle WHERE what = 'the order';
INSERT INTO turnstile SELECT 'session_report', json_array('low ' || label, 'completed', 'found') FROM middle WHERE what = 'the report';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"Looking."}')) FROM session_runs JOIN middle ON label = session_label;
SELECT label || ': a turn has it', turn_begin(label, 'w') ->> '$.messages[0].content' LIKE iif(what = 'the order', '%by size%', '%found%'), 1 FROM middle;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Aborted', json('{"reason":"r"}')) FROM middle WHERE ends = 'ends first';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, '429') FROM session_runs JOIN middle ON label = session_label;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Aborted', json('{"reason":"r"}')) FROM middle WHERE ends <> 'ends first';
SELECT label || ': what became of it', (SELECT group_concat(status || ifnull(': ' || error, '')) FROM session_queue AS q WHERE q.session_label = label
  AND message LIKE iif(what = 'the order', '%by size%', '%found%')), iif(what = 'the order', 'cancelled: its task has ended', 'pending: 429') FROM middle;

-- Undone with the turn before which it was not there.
SELECT turn_append('undone', '[{"role":"user","content":"hi"},{"role":"assistant","content":"yo"}]') ->> '$.turn';
CREATE TEMP TABLE undone AS SELECT thread_id AS turn FROM sessions WHERE label = 'undone';
SELECT session_deliver('undone', 'drop the old tables', '{"owner":"w","class":"NewTask"}') ->> '$.action';
SELECT turn_fail(turn_id, token, 'no answer') FROM session_runs WHERE session_label = 'undone';
SELECT session_rewind('undone', turn) IS NOT NULL FROM undone;
SELECT 'undone', json_array(session_state('undone') ->> '$.task_state', line), '["None","drop the old tables cancelled"]' FROM inputs WHERE label = 'undone';

-- Whoever commits a task that a transition has left behind lists what was called off with it, each input once.
CREATE TEMP TABLE l(label TEXT PRIMARY KEY, wait, goal, by);
INSERT INTO l SELECT 'listed, ' || wait || ', ' || goal || ', ' || by, wait, goal, by FROM
  (SELECT 'handed' AS wait UNION ALL SELECT 'tried' UNION ALL SELECT 'failed' UNION ALL SELECT 'dead'),
  (SELECT 'Aborted' AS goal UNION ALL SELECT 'Complete'),
  (SELECT 'ok' AS by UNION ALL SELECT 'a stop' UNION ALL SELECT 'a response' UNION ALL SELECT 'a task' UNION ALL SELECT 'its owner'
   UNION ALL SELECT 'recover' UNION ALL SELECT 'sweep' UNION ALL SELECT 'begin' UNION ALL SELECT 'compact begin' UNION ALL SELECT 'startup')
  /* What was handed over belongs to a task that is complete; a startup and a compaction end no task. */
  WHERE NOT (wait = 'handed' AND goal = 'Complete') AND (by = 'startup') <= (wait = 'dead')
    AND (by = 'compact begin') <= (wait = 'dead') AND NOT (by = 'sweep' AND wait = 'dead');
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"hi"},{"role":"assistant","content":"yo"}]'))
  FROM l WHERE by = 'compact begin';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'build a wall',
  json(iif(wait = 'handed', '{"class":"NewTask"}', '{"owner":"w","class":"NewTask"}'))) FROM l;
INSERT INTO turnstile SELECT 'turn_message', json_array(turn_id, token, json('{"role":"assistant","content":"half"}'))
  FROM session_runs JOIN l ON label = session_label WHERE wait = 'failed';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, '429') FROM session_runs JOIN l ON label = session_label
  WHERE wait IN ('tried', 'failed');
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete', json('{"summary":"built"}')) FROM l WHERE goal = 'Complete';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, goal, json(iif(goal = 'Aborted', '{"reason":"r"}', '{}'))) FROM l;
CREATE TEMP TABLE listed AS SELECT l.*, CASE by
    WHEN 'recover' THEN session_recover(label)
    WHEN 'begin' THEN turn_begin(label, 'v', '{"messages":[{"role":"user","content":"go"}],"now":9000000}')
    WHEN 'compact begin' THEN turn_compact_begin(label, 'v', '{"now":9000000}')
    ELSE session_deliver(label, CASE by WHEN 'a stop' THEN 'stop' WHEN 'ok' THEN 'ok' ELSE 'paint the doors' END,
      json(CASE by WHEN 'a stop' THEN '{"sender":"bob","now":9000000}' WHEN 'a response' THEN '{"class":"Response","now":9000000}'
        WHEN 'a task' THEN '{"class":"NewTask","now":9000000}' WHEN 'ok' THEN '{"now":9000000}'
        ELSE '{"class":"NewTask","owner":"v","now":9000000}' END)) END AS d
  FROM l WHERE by NOT IN ('sweep', 'startup');
INSERT INTO listed SELECT l.*, session_sweep() FROM l WHERE by = 'sweep';
INSERT INTO listed SELECT l.*, turnstile_startup('w', '{"now":9000000}') FROM l WHERE by = 'startup';
SELECT label || ': it is listed, once', (SELECT count(*) FROM json_each(d, '$.cancelled') JOIN session_queue AS q ON q.id = value ->> '$.queue_id'
  WHERE q.session_label = l.label AND value ->> '$.message' = 'build a wall'),
  1 FROM listed AS l WHERE by NOT IN ('sweep', 'startup') AND NOT (by = 'recover' AND wait = 'dead');
-- The first sweep and the first startup have done it for all.
SELECT label || ': a report lists it, once', (SELECT count(*) FROM listed AS o, json_each(o.d, '$.cancelled') WHERE o.by = listed.by
  AND value ->> '$.queue_id' = (SELECT id FROM session_queue WHERE session_label = listed.label AND message = 'build a wall')), 1
  FROM listed WHERE by IN ('sweep', 'startup');
SELECT label || ': and is cancelled', (SELECT status FROM session_queue WHERE session_label = label AND message = 'build a wall'), 'cancelled'
  FROM listed WHERE NOT (by = 'recover' AND wait = 'dead');
SELECT label || ': its turn does not list it again', d -> '$.turn.cancelled', NULL FROM listed WHERE by = 'its owner';
SELECT label || ': the next command does not', session_deliver(label, 'thanks', '{"class":"Confirmation","now":9000001}') -> '$.cancelled', NULL
  FROM listed WHERE by IN ('ok', 'a stop');

-- An answer to what is asked no more is called off by whoever finds that out. by: who that is.
CREATE TEMP TABLE v(label TEXT PRIMARY KEY, by, mode);
INSERT INTO v VALUES ('over: begin', 'begin', 'queue'), ('over: collected', 'begin', 'collect'), ('over: its owner', 'owner', 'queue'),
  ('over: deliver', 'deliver', 'queue'), ('over: steering', 'steering', 'steer'), ('over: steering none', 'steering', 'steer');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM v;
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'w', json('{"messages":[{"role":"user","content":"go"}]}')) FROM v;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser', json('{"question":"How many?","asked_at":1767225600001}')) FROM v;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'five', json_object('asked_at', 1767225600001, 'mode', mode)) FROM v;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'six', json_object('asked_at', 1767225600001, 'mode', mode, 'sender', 'bob')) FROM v;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'tick', json('{"source":"timer"}')) FROM v;
-- Withdrawn; of those that steer the first one answers, and the second one comes too late. (It is cancelled alone, too.)
UPDATE session_queue SET asked_at = 1 WHERE session_label = 'over: steering none' AND message IN ('five', 'six');
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Running') FROM v WHERE by <> 'steering';
CREATE TEMP TABLE over AS SELECT v.*, turn_steering(r.turn_id, r.token) AS d FROM v JOIN session_runs AS r ON r.session_label = label WHERE by = 'steering';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"x"}')) FROM session_runs JOIN v ON label = session_label WHERE by <> 'steering';
INSERT INTO over SELECT v.*, CASE by WHEN 'begin' THEN turn_begin(label, 'w')
    WHEN 'owner' THEN session_deliver(label, 'and log it', '{"class":"Modification","owner":"w"}')
    ELSE session_deliver(label, 'and log it', '{"class":"Modification"}') END FROM v WHERE by <> 'steering';
SELECT label || ': it is listed', (SELECT group_concat(value ->> '$.message') FROM json_each(d, '$.cancelled')),
  iif(label = 'over: steering', 'six', 'five,six') FROM over;
SELECT label || ': and cancelled', (SELECT group_concat(message) FROM session_queue WHERE session_label = label AND status = 'cancelled'
  AND error = 'what it answers was asked no more'), iif(label = 'over: steering', 'six', 'five,six') FROM over;
SELECT label || ': the other ones are taken', (SELECT group_concat(value ->> '$.content') FROM json_each(d, iif(by IN ('owner'), '$.turn.messages', '$.messages'))),
  CASE label WHEN 'over: steering' THEN 'five' WHEN 'over: steering none' THEN NULL WHEN 'over: its owner' THEN 'tick,and log it' ELSE 'tick' END FROM over WHERE by <> 'deliver';

SELECT 'the file is sound still', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check() WHERE rule <> 'session_status'), NULL;
