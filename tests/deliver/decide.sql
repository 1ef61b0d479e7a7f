-- decide.sql - the gate: which messages get as far as their class. Idle time and its two
-- thresholds, the clock, and what a delivery does with a task that has lain too long.

SELECT turnstile_install();

---- Idle time against the thresholds: 24 hours and 7 days, strictly greater

CREATE TEMP TABLE wait(name, ms, action, commits);
INSERT INTO wait VALUES
  ('no time', 0, 'continue', 0), ('an hour', 3600000, 'continue', 0),
  ('a ms under a day', 86399999, 'continue', 0), ('exactly a day', 86400000, 'continue', 0),
  ('a ms over a day', 86400001, 'prompt', 0), ('a week less a ms', 604799999, 'prompt', 0),
  ('exactly a week', 604800000, 'prompt', 0), ('a ms over a week', 604800001, 'start', 1),
  ('a year', 31536000000, 'start', 1),
  ('the clock an hour back', -3600000, 'continue', 0), ('the clock ten days back', -864000000, 'continue', 0);
INSERT INTO turnstile SELECT 'session_start', json_array(name, 'add retries', json('{"now":10000000000}')) FROM wait;
INSERT INTO turnstile SELECT 'session_note', json_array(name, 'read', json('{"now":10000000000}')) FROM wait;
INSERT INTO turnstile
  SELECT 'session_deliver', json_array(name, 'make it five', json_object('class', 'Modification', 'now', 10000000000 + ms))
  FROM wait;
SELECT name || ': action', (SELECT action FROM deliveries WHERE session_label = name), action FROM wait;
SELECT name || ': commits', (SELECT count(*) FROM commits WHERE session_label = name), commits FROM wait;
SELECT name || ': the prompt leaves the session as old as it was',
       (SELECT last_activity FROM sessions WHERE label = name), 10000000000 FROM wait WHERE action = 'prompt';
SELECT 'the commit tells how long, in seconds',
       (SELECT group_concat(type_data) FROM (SELECT type_data FROM commits WHERE commit_type = 'StaleAutoCompact' ORDER BY seq)),
       '{"idle_duration_secs":604800},{"idle_duration_secs":31536000}';
SELECT 'and in words', (SELECT message FROM commits WHERE session_label = 'a year'),
       'Auto-saved: session idle for 365 days: add retries';
SELECT 'idle time is never below nothing', session_state('the clock ten days back', '{"now":5}') ->> '$.idle_ms', 0;
SELECT 'the stale prompt',
       (SELECT decision ->> '$.message' FROM deliveries WHERE session_label = 'a ms over a day'),
       'Welcome back! You were working on: add retries' || char(10) || char(10) || 'Would you like to:' || char(10)
       || 'A) Continue that work' || char(10) || 'B) Save it and start fresh';
SELECT 'its options', (SELECT json_extract(decision, '$.choices[0].action', '$.choices[1].action') FROM deliveries
                       WHERE session_label = 'a ms over a day'), '["continue","start_fresh"]';

-- A message is not needed to be anything to be asked about: every class is held. But a stop is one.
CREATE TEMP TABLE class(class);
INSERT INTO class VALUES ('Response'), ('Modification'), ('Confirmation'), ('NewTask'),
  ('Clarification'), ('Unclear');
INSERT INTO turnstile SELECT 'session_start', json_array('day ' || class, 'add retries', json('{"now":0}')) FROM class;
SELECT class || ' after a day: asked about',
       session_deliver('day ' || class, 'make it five', json_object('class', class, 'now', 86400001)) ->> '$.action',
       'prompt' FROM class;
SELECT class || ' after a day: held', session_state('day ' || class) ->> '$.pending_choice.held', 'make it five' FROM class;

INSERT INTO turnstile VALUES ('session_start', '["day stop","add retries",{"now":0}]'), ('session_start', '["day question","add retries",{"now":0}]'), ('session_start', '["day report","add retries",{"now":0}]'),
  ('session_transition', '["day question","AwaitingUser",{"question":"Which port?"},{"now":0}]'), ('session_transition', '["day report","PendingComplete",{"summary":"Done. Shall I deploy?"},{"now":0}]');
SELECT value || ': a stop after a day ends the task', json_extract(session_deliver(value, 'stop', '{"now":108000000}'), '$.action', '$.class', '$.state', '$.kind'), '["abandon","Abandon","None",null]'
  FROM json_each('["day stop","day question"]');
SELECT 'one that is given', json_extract(session_deliver('day report', 'make it five', '{"now":108000000,"class":"Abandon"}'), '$.action', '$.state'), '["abandon","None"]';

-- No open task: nothing can be stale. A live run: nothing is.
INSERT INTO turnstile VALUES ('session_deliver', '["idle","thanks",{"class":"Confirmation","now":0}]');
SELECT 'without a task a year is nothing',
       session_deliver('idle', 'add retries', '{"class":"NewTask","now":31536000000}') ->> '$.action', 'start';
INSERT INTO turnstile VALUES ('session_start', '["live","add retries",{"now":0}]'), ('session_note', '["live","read",{"now":0}]'),
  ('session_run', '["live","A1","starting",null,{"now":0}]');
UPDATE session_runs SET expires_at = 99999999999 WHERE session_label = 'live';
SELECT 'under a live run nothing is stale',
       json_extract(session_deliver('live', 'make it five', '{"class":"Modification","now":864000000}'), '$.action', '$.choices'),
       '["interrupt",null]';
SELECT 'and nothing is committed', (SELECT count(*) FROM commits WHERE session_label = 'live'), 0;

-- Thresholds of a session of its own.
SELECT turnstile_config('ask_threshold', '1h', '{"session":"quick"}');
SELECT turnstile_config('auto_compact_threshold', '2h', '{"session":"quick"}');
INSERT INTO turnstile VALUES ('session_start', '["quick","add retries",{"now":0}]'), ('session_note', '["quick","read",{"now":0}]');
SELECT 'its own ask_threshold', session_deliver('quick', 'five', '{"class":"Modification","now":3600001}') ->> '$.action', 'prompt';
SELECT 'its own auto_compact_threshold',
       (session_deliver('quick', 'six', '{"class":"Modification","now":7200001}') ->> '$.action')
       || (SELECT count(*) FROM commits WHERE session_label = 'quick'), 'start1';

---- Saved after a week: the message goes on, in every class

CREATE TEMP TABLE late(class, action, state, choice, handed);
INSERT INTO late VALUES
  ('Modification', 'start', 'Running', NULL, 'make it five'), ('NewTask', 'start', 'Running', NULL, 'make it five'),
  ('Abandon', 'acknowledge', 'None', NULL, NULL), ('Clarification', 'answer', 'None', NULL, 'make it five'),
  ('Unclear', 'answer', 'None', NULL, 'make it five'),
  -- An answer or approval of something that old: the person says what is meant.
  ('Response', 'prompt', 'None', 'SavedTaskChoice', NULL), ('Confirmation', 'prompt', 'None', 'SavedTaskChoice', NULL);
INSERT INTO turnstile SELECT 'session_start', json_array('week ' || class, 'add retries', json('{"now":0}')) FROM late;
INSERT INTO turnstile SELECT 'session_note', json_array('week ' || class, 'read', json('{"now":0}')) FROM late;
INSERT INTO turnstile
  SELECT 'session_transition', json_array('week ' || class, 'AwaitingUser', json('{"question":"How many?"}'), json('{"now":0}')) FROM late;
CREATE TEMP TABLE came AS
  SELECT *, session_deliver('week ' || class, 'make it five', json_object('class', class, 'now', 788400000)) AS decision FROM late;
SELECT class || ' after nine days: action', decision ->> '$.action', action FROM came;
SELECT class || ' after nine days: state', json_extract(decision, '$.previous_state', '$.state'), json_array('AwaitingUser', state) FROM came;
SELECT class || ' after nine days: choice', session_state('week ' || class) ->> '$.pending_choice.kind', choice FROM came;
SELECT class || ' after nine days: handed over',
       (SELECT group_concat(message) FROM session_queue AS q WHERE q.session_label = 'week ' || came.class), handed
FROM came;
SELECT class || ' after nine days: the commit',
       (SELECT commit_type || ' / ' || message FROM commits WHERE session_label = 'week ' || class),
       'StaleAutoCompact / Auto-saved: session idle for 9 days 3 hours: add retries' FROM came;
SELECT class || ' after nine days: the decision names it', decision ->> '$.commit_id',
       (SELECT id FROM commits WHERE session_label = 'week ' || class) FROM came;
SELECT class || ' after nine days: straight from the old state',
       (SELECT from_state || '>' || to_state FROM session_events
        WHERE session_label = 'week ' || class AND axis = 'task' AND to_state = 'None'), 'AwaitingUser>None' FROM came;
SELECT class || ' after nine days: activity', (SELECT last_activity FROM sessions WHERE label = 'week ' || class), 788400000
FROM came WHERE choice IS NULL;

-- The saved task picked up again is a new one with the old description and the old question.
SELECT 'picked up: the answer answers', json_extract(session_deliver('week Response', 'A', '{"now":788400001}'), '$.action', '$.state'),
       '["continue","Running"]';
SELECT 'picked up: what was saved stays saved', (SELECT count(*) FROM commits WHERE session_label = 'week Response'), 1;
SELECT 'picked up: two tasks of that name', (SELECT group_concat(state) FROM
  (SELECT state FROM tasks WHERE session_label = 'week Response' AND description = 'add retries' ORDER BY id)), 'None,Running';
SELECT 'picked up: the answer is noted as one', (SELECT count(*) FROM observations
  WHERE session_label = 'week Response' AND json_extract(data, '$.text') = 'User response: make it five'), 1;
SELECT 'taken as new: a task of its own', (session_deliver('week Confirmation', 'B', '{"now":788400001}') ->> '$.action')
  || ' ' || (session_state('week Confirmation') ->> '$.task'), 'start make it five';

-- An approval of a report picked up again approves it.
INSERT INTO turnstile VALUES ('session_start', '["report","add retries",{"now":0}]'), ('session_note', '["report","read",{"now":0}]'),
  ('session_transition', '["report","PendingComplete",{"summary":"Retries added"},{"now":0}]');
SELECT 'an approval after nine days is asked about',
       session_deliver('report', 'looks good', '{"class":"Confirmation","now":788400000}') ->> '$.action', 'prompt';
SELECT 'picked up, it approves', json_extract(session_deliver('report', 'A', '{"now":788400001}'), '$.action', '$.state'),
       '["complete","None"]';

-- A task without work is dropped, with an event and a note.
INSERT INTO turnstile VALUES ('session_start', '["nothing","add retries",{"now":0}]');
CREATE TEMP TABLE dropped AS
  SELECT session_deliver('nothing', 'make it five', '{"class":"Modification","now":788400000}') AS decision;
SELECT 'without work: the message starts', json_extract(decision, '$.action', '$.commit_id'), '["start",null]' FROM dropped;
SELECT 'without work: no commit', (SELECT count(*) FROM commits WHERE session_label = 'nothing'), 0;
SELECT 'without work: an event', (SELECT from_state || '>' || to_state FROM session_events
  WHERE session_label = 'nothing' AND axis = 'task' AND to_state = 'None'), 'Running>None';
SELECT 'without work: a note', (SELECT count(*) FROM observations
  WHERE session_label = 'nothing' AND json_extract(data, '$.text') LIKE '%add retries%'), 1;
SELECT 'without work: the decision says so', decision ->> '$.notes' LIKE '%add retries%', 1 FROM dropped;

-- An open choice closes, and what it held goes on beside the message.
CREATE TEMP TABLE held(label, class);
INSERT INTO held VALUES ('held new', 'NewTask'), ('held change', 'Modification'), ('held question', 'Clarification'),
  ('held thanks', 'Abandon');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries', json('{"now":0}')) FROM held;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read', json('{"now":0}')) FROM held;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'pool the connections', json('{"class":"NewTask","now":1}')) FROM held;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'and a cache', json_object('class', class, 'now', 788400000)) FROM held;
SELECT label || ': the choice is closed', session_state(label) ->> '$.pending_choice', NULL FROM held;
SELECT label || ': the task is saved', (SELECT commit_type FROM commits WHERE session_label = label), 'StaleAutoCompact' FROM held;
SELECT label || ': what was held is handed over',
       (SELECT count(*) FROM session_queue WHERE session_label = label AND message = 'pool the connections'), 1 FROM held WHERE class <> 'Abandon';
SELECT label || ': what was held is taken back with a note',
       (SELECT count(*) FROM session_queue WHERE session_label = label) || (SELECT group_concat(data ->> '$.text') FROM observations WHERE session_label = label AND data ->> '$.note' = 'held'),
       '0Taken back: pool the connections' FROM held WHERE class = 'Abandon';
SELECT label || ': both, in order',
       (SELECT group_concat(message, ' + ') FROM (SELECT message FROM session_queue WHERE session_label = label ORDER BY id)),
       'pool the connections + and a cache' FROM held WHERE class <> 'Abandon';
SELECT label || ': an event closes it',
       (SELECT count(*) FROM session_events WHERE session_label = label AND axis = 'choice' AND from_state = 'NewTaskChoice' AND to_state IS NULL), 1 FROM held;
INSERT INTO turnstile VALUES ('session_start', '["held answer","add retries",{"now":0}]'), ('session_note', '["held answer","read",{"now":0}]'),
  ('session_deliver', '["held answer","pool the connections",{"class":"NewTask","now":1}]'),
  ('session_deliver', '["held answer","yes, five",{"class":"Response","now":788400000}]');
SELECT 'an answer to the saved task opens the other choice', session_state('held answer') ->> '$.pending_choice.kind', 'SavedTaskChoice';
SELECT 'and once that is settled both go on, in order',
       (SELECT group_concat(value ->> '$.message', ' + ') FROM
         json_each(session_deliver('held answer', 'A', '{"now":788400001}'), '$.inputs')), 'pool the connections + yes, five';

-- "continue" after nine days means the saved task, whatever its class.
INSERT INTO turnstile VALUES ('session_start', '["back","add retries",{"now":0}]'), ('session_note', '["back","read",{"now":0}]');
SELECT 'continue, after nine days', session_deliver('back', 'continue', '{"class":"Modification","now":788400000}') ->> '$.action', 'prompt';

-- An approval of what was saved long ago approves nothing: whoever picks the work up has it go on.
CREATE TEMP TABLE picks(label, state, data, said);
INSERT INTO picks VALUES ('p running', NULL, NULL, 'ok'), ('p praised', NULL, NULL, 'looks good, thanks'),
  ('p reported', 'PendingComplete', '{"summary":"Retries are in."}', 'perfect'), ('p asked', 'AwaitingUser', '{"question":"Five or three?"}', 'ok');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries', json('{"now":0}')) FROM picks;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read', json('{"now":0}')) FROM picks;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state, json(data), json('{"now":0}')) FROM picks WHERE state IS NOT NULL;
SELECT label || ': whether to pick it up is asked', session_deliver(label, said, '{"now":788400000}') ->> '$.kind', 'SavedTaskChoice' FROM picks;
CREATE TEMP TABLE picked AS SELECT label, said, CASE label WHEN 'p praised' THEN session_choose(label, 'A', '{"now":788400001}')
  ELSE session_deliver(label, 'A', '{"now":788400001}') END AS r FROM picks;
SELECT label || ': and the work goes on', (r ->> '$.action') || ' ' || (r ->> '$.state') || ' ' || (r ->> '$.inputs[0].message'), 'continue Running ' || said FROM picked WHERE label <> 'p reported';
SELECT 'a report is approved, as it would have been then', r ->> '$.action', 'complete' FROM picked WHERE label = 'p reported';

---- Words for durations, two largest units

CREATE TEMP TABLE words(ms, said);
INSERT INTO words VALUES (604800000 + 1000, '7 days'), (604800000 + 3600000, '7 days 1 hour'),
  (788400000, '9 days 3 hours'), (8 * 86400000 + 59 * 60000, '8 days'), (400 * 86400000 + 7200000, '400 days 2 hours');
INSERT INTO turnstile SELECT 'session_start', json_array('w ' || said, 't', json('{"now":0}')) FROM words;
INSERT INTO turnstile SELECT 'session_note', json_array('w ' || said, 'x', json('{"now":0}')) FROM words;
INSERT INTO turnstile SELECT 'session_deliver', json_array('w ' || said, 'x', json_object('class', 'NewTask', 'now', ms)) FROM words;
SELECT 'idle for ' || said, (SELECT message FROM commits WHERE session_label = 'w ' || said),
       'Auto-saved: session idle for ' || said || ': t' FROM words;

SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events), (SELECT max(id) FROM session_events);
