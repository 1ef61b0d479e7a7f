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
