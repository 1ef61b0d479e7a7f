-- recover.sql - session_recover and session_progress: what a person is shown on return.

SELECT turnstile_install();
SELECT turnstile_config('keeps_turns', 0); -- the hosts of these stories keep no turns

---- Every state

CREATE TEMP TABLE state(state, data, welcome);
INSERT INTO state VALUES
  ('None', NULL, 'Welcome back! Nothing is in progress. What would you like to do?'),
  ('Running', NULL, 'Welcome back! I was working on: add retries' || char(10) || char(10) || 'Progress so far:' || char(10)
     || '- read the code' || char(10) || '- Wrote src/retry.c' || char(10) || '- Ran make test (exit 2)' || char(10) || char(10) || 'Should I continue?'),
  ('AwaitingUser', '{"question":"Which backoff?"}', 'Welcome back! I was asking:' || char(10) || char(10) || 'Which backoff?'),
  ('Interrupted', '{"user_message":"not so fast"}', 'Welcome back! You had said:' || char(10) || char(10) || 'not so fast'
     || char(10) || char(10) || 'I hadn''t finished processing that. Should I continue?'),
  ('PendingComplete', '{"summary":"Retries added"}', 'Welcome back! I had finished:' || char(10) || char(10) || 'Retries added'
     || char(10) || char(10) || 'Does this look good?'),
  ('Complete', NULL, 'Welcome back! Nothing is in progress. What would you like to do?'),
  ('Aborted', '{"reason":"no use"}', 'Welcome back! Nothing is in progress. What would you like to do?');
SELECT turnstile_clock(1000000);
INSERT INTO turnstile SELECT 'session_start', json_array(state, 'add retries') FROM state;
INSERT INTO turnstile SELECT 'session_note', json_array(state, 'read the code') FROM state;
INSERT INTO turnstile SELECT 'session_observe', json_array(state, 'FileWrite', json('{"path":"src/retry.c"}')) FROM state;
INSERT INTO turnstile SELECT 'session_observe', json_array(state, 'CommandRun', json('{"command":"make test","exit_code":2}')) FROM state;
INSERT INTO turnstile SELECT 'session_compact', json_array(state, 'done') FROM state WHERE state = 'None';
INSERT INTO turnstile SELECT 'session_transition', json_array(state, 'PendingComplete', json('{"summary":"ready"}')) FROM state WHERE state = 'Complete';
INSERT INTO turnstile SELECT 'session_transition', json_array(state, state, json(data)) FROM state WHERE state NOT IN ('None', 'Running');
SELECT turnstile_clock(1000000 + 3600000);
CREATE TEMP TABLE first AS SELECT *, session_recover(state) AS report FROM state;
SELECT state || ': the welcome', report ->> '$.message', welcome FROM first;
SELECT state || ': the state', report ->> '$.state', iif(state IN ('Complete', 'Aborted'), 'None', state) FROM first;
SELECT state || ': the task', report ->> '$.task', iif(state IN ('None', 'Complete', 'Aborted'), NULL, 'add retries') FROM first;
SELECT state || ': its data', json_extract(report, '$.state_data.question', '$.state_data.user_message', '$.state_data.summary'),
       json_array(data ->> '$.question', data ->> '$.user_message', data ->> '$.summary') FROM first;
SELECT state || ': how long it was', report ->> '$.idle_ms', 3600000 FROM first;
SELECT state || ': left behind, it is committed', (SELECT commit_type || ': ' || message FROM commits WHERE session_label = state),
       iif(state = 'Complete', 'Normal: ready', 'Abandoned: Abandoned by user') FROM first WHERE state IN ('Complete', 'Aborted');
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT state || ': a second time is the same', session_recover(state), report FROM first;
SELECT state || ': the commit in which the last task ended', report ->> '$.commit_id', (SELECT id FROM commits WHERE session_label = state) FROM first;
SELECT 'a second time changes nothing', dump_of() = d, 1 FROM was;
SELECT 'no session: NULL', session_recover('nobody'), NULL;
SELECT 'recovering is no activity', (SELECT max(last_activity) FROM sessions), 1000000;

---- It remembers that it offered to go on

SELECT 'a plain yes after the offer continues', json_extract(session_deliver('Running', 'yes'), '$.action', '$.state'), '["continue","Running"]';
SELECT 'a plain yes once more does not', session_deliver('Running', 'yes') ->> '$.action', 'acknowledge';
SELECT 'also from Interrupted', json_extract(session_deliver('Interrupted', 'Yes, please.'), '$.action', '$.state'), '["continue","Running"]';
SELECT 'in PendingComplete it confirms', session_deliver('PendingComplete', 'yes') ->> '$.action', 'complete';
INSERT INTO turnstile VALUES ('session_start', '["moved","add retries"]'), ('session_recover', '["moved"]'), ('session_transition', '["moved","AwaitingUser",{"question":"?"}]'), ('session_transition', '["moved","Running"]');
SELECT 'work in between takes the offer back', session_deliver('moved', 'yes') ->> '$.action', 'acknowledge';

---- Thresholds

CREATE TEMP TABLE wait(name, ms, choice, commits);
INSERT INTO wait VALUES ('a day', 86400000, NULL, 0), ('over a day', 86400001, 'StaleSessionChoice', 0), ('a week', 604800000, 'StaleSessionChoice', 0),
  ('over a week', 604800001, NULL, 1);
INSERT INTO turnstile SELECT 'session_start', json_array(name, 'add retries', json('{"now":0}')) FROM wait;
INSERT INTO turnstile SELECT 'session_note', json_array(name, 'read', json('{"now":0}')) FROM wait;
CREATE TEMP TABLE back AS SELECT *, session_recover(name, json_object('now', ms)) AS report FROM wait;
SELECT name || ': choice', report ->> '$.choice.kind', choice FROM back;
SELECT name || ': it holds nothing', report ->> '$.choice.held', NULL FROM back WHERE choice IS NOT NULL;
SELECT name || ': its question is the message', report ->> '$.message',
       'Welcome back! You were working on: add retries' || char(10) || char(10) || 'Would you like to:' || char(10) || 'A) Continue that work' || char(10) || 'B) Save it and start fresh'
FROM back WHERE choice IS NOT NULL;
SELECT name || ': commits', (SELECT count(*) FROM commits WHERE session_label = name), commits FROM back;
SELECT name || ': activity', (SELECT last_activity FROM sessions WHERE label = name), 0 FROM back;
SELECT 'over a week: says what was saved', json_extract(report, '$.message', '$.state'),
       json_array('Welcome back! After 7 days I have saved your work on: add retries' || char(10) || char(10) || 'What would you like to do?', 'None')
FROM back WHERE name = 'over a week';
SELECT 'over a week: the commit', (SELECT json_array(commit_type, message, json(type_data)) FROM commits WHERE session_label = 'over a week'),
       '["StaleAutoCompact","Auto-saved: session idle for 7 days: add retries",{"idle_duration_secs":604800}]';
SELECT 'over a week: the report names it', report ->> '$.commit_id', (SELECT id FROM commits WHERE session_label = 'over a week') FROM back WHERE name = 'over a week';
UPDATE was SET d = dump_of();
SELECT name || ': a second time says the same', session_recover(name, json_object('now', ms)), report FROM back;
SELECT 'over a week: much later too', json_remove(session_recover('over a week', '{"now":900000000}'), '$.idle_ms'), json_remove(report, '$.idle_ms') FROM back WHERE name = 'over a week';
SELECT name || ': a second time opens nothing', session_recover(name, json_object('now', ms)) ->> '$.choice.kind', choice FROM back;
SELECT 'and changes nothing', dump_of() = d, 1 FROM was;
SELECT 'a choice that recover opened, then over a week: it closes', session_recover('over a day', '{"now":700000000}') ->> '$.choice', NULL;
SELECT 'and the task is saved', (SELECT commit_type FROM commits WHERE session_label = 'over a day'), 'StaleAutoCompact';
INSERT INTO turnstile VALUES ('session_start', '["nothing","add retries",{"now":0}]'), ('session_recover', '["nothing",{"now":700000000}]');
SELECT 'a task without work is dropped', (SELECT count(*) FROM commits WHERE session_label = 'nothing'), 0;
SELECT 'and nothing is open', session_state('nothing') ->> '$.task_state', 'None';
INSERT INTO turnstile VALUES ('session_start', '["holds","add retries",{"now":0}]'), ('session_note', '["holds","x",{"now":0}]'), ('session_deliver', '["holds","pool the connections",{"class":"NewTask","now":1}]');
SELECT 'what an expiring choice held is not lost', session_recover('holds', '{"now":700000000}') ->> '$.queued[0].message', 'pool the connections';

---- What else it shows

SELECT turnstile_clock(5000000);
INSERT INTO turnstile VALUES ('session_deliver', '["more","add retries",{"class":"NewTask"}]'), ('session_run', '["more","A1","starting"]'), ('session_run', '["more","A1","error",{"exit_code":137}]');
SELECT 'the last run', json_extract(session_recover('more'), '$.last_run.owner', '$.last_run.run_state', '$.last_run.data.exit_code', '$.last_run.heartbeat_at'), '["A1","error",137,5000000]';
SELECT 'what was handed over and not taken up', json_extract(session_recover('more'), '$.handed[0].message', '$.handed[0].source', '$.queued'), '["add retries","user",[]]';
SELECT 'no run', session_recover('moved') ->> '$.last_run', NULL;

INSERT INTO turnstile VALUES ('session_start', '["asleep","add retries"]');
UPDATE sessions SET status = 'suspended' WHERE label = 'asleep';
SELECT 'a suspended session is shown as it is', json_extract(session_recover('asleep'), '$.status', '$.state'), '["suspended","Running"]';
SELECT 'and stays suspended until somebody speaks', (SELECT status FROM sessions WHERE label = 'asleep'), 'suspended';
UPDATE sessions SET status = 'archived' WHERE label = 'asleep';
SELECT 'recovering reopens nothing', json_extract(session_recover('asleep'), '$.status'), 'archived';

---- session_progress

SELECT 'progress', session_progress('Running') LIKE '- read the code' || char(10) || '- Wrote src/retry.c' || char(10) || '- Ran make test (exit 2)%', 1;
SELECT 'nothing recorded', session_progress('more'), 'Nothing recorded yet.';
SELECT 'no task', session_progress('None'), NULL;
SELECT 'no session', session_progress('nobody'), NULL;
INSERT INTO turnstile VALUES ('session_start', '["many","add retries"]');
INSERT INTO turnstile WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT 'session_note', json_array('many', 'note ' || i) FROM n;
SELECT 'a long history is cut: the latest are shown', session_progress('many') LIKE '%note 200' AND length(session_progress('many')) < 2000, 1;
SELECT 'and what is left out is counted', session_progress('many') LIKE '%180 earlier%', 1;
INSERT INTO turnstile VALUES ('session_start', '["lines","x"]'), ('session_note', json_array('lines', 'first' || char(10) || 'second ' || printf('%.5000c', 'x')));
SELECT 'one line each', session_progress('lines'), '- first';

-- A sweep that was there first says as much; somebody who has come since has heard it.
INSERT INTO turnstile VALUES ('session_start', '["swept","add retries",{"now":0}]'), ('session_note', '["swept","x",{"now":0}]'), ('session_sweep', '[{"now":700000000}]');
SELECT 'saved by a sweep', json_extract(session_recover('swept', '{"now":800000000}'), '$.message', '$.commit_id'),
       json_array('Welcome back! After 8 days 2 hours I have saved your work on: add retries' || char(10) || char(10) || 'What would you like to do?', (SELECT id FROM commits WHERE session_label = 'swept'));
INSERT INTO turnstile VALUES ('session_deliver', '["swept","thanks",{"now":800000001,"class":"Abandon"}]');
SELECT 'somebody came', session_recover('swept', '{"now":800000002}') ->> '$.message', 'Welcome back! Nothing is in progress. What would you like to do?';

-- In error nothing can be chosen, and nothing is offered.
INSERT INTO turnstile VALUES ('session_start', '["broken","add retries",{"now":0}]'), ('session_note', '["broken","x",{"now":0}]'), ('session_fail', '["broken","the disk",{"now":0}]'),
  ('session_start', '["asked","add retries",{"now":0}]'), ('session_note', '["asked","x",{"now":0}]'), ('session_deliver', '["asked","pool the connections",{"class":"NewTask","now":1}]'), ('session_fail', '["asked","the disk",{"now":2}]');
CREATE TEMP TABLE broken AS SELECT session_recover('broken', '{"now":100000000}') AS r UNION ALL SELECT session_recover('asked', '{"now":100000000}');
SELECT 'in error: no letters', r ->> '$.message' LIKE 'Welcome back! I was working on: add retries%Should I continue?', 1 FROM broken;
SELECT 'in error: no choice is opened', (SELECT r ->> '$.choice' FROM broken LIMIT 1), NULL;
SELECT 'in error: one that is open stays, with what it holds', (SELECT r ->> '$.choice.held' FROM broken LIMIT 1 OFFSET 1), 'pool the connections';
SELECT session_reopen('broken', '{"now":100000001}');
SELECT 'after that it is asked', session_recover('broken', '{"now":100000002}') ->> '$.choice.kind', 'StaleSessionChoice';

SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events), (SELECT max(id) FROM session_events);

---- Only a look: nothing is written, and what a recover would do first is said

SELECT turnstile_clock(1000000);
CREATE TEMP TABLE look(name, idle, due);
INSERT INTO look VALUES ('fresh', 3600000, NULL), ('to ask', 2 * 86400000, 'ask'),
  ('to save', 8 * 86400000, 'auto_compact'), ('left', 3600000, 'commit'), ('held', 8 * 86400000, NULL);
INSERT INTO turnstile SELECT 'session_start', json_array('look ' || name, 'add retries') FROM look;
INSERT INTO turnstile SELECT 'session_note', json_array('look ' || name, 'read the code') FROM look;
SELECT session_transition('look left', 'Aborted', '{"reason":"no use"}');
SELECT turn_begin('look held', 'A1', '{"lease":"30 days","messages":[{"role":"user","content":"go"}]}');
CREATE TEMP TABLE was_looked AS SELECT dump_of() AS d;
SELECT name || ': what is due', json_extract(session_recover('look ' || name, json_object('dry_run',
  json('true'), 'now', 1000000 + idle)), '$.due', '$.task', '$.choice', '$.commit_id'),
  json_array(due, 'add retries', NULL, NULL) FROM look;
SELECT name || ': the state as it is', session_recover('look ' || name, json_object('dry_run', 1, 'now',
  1000000 + idle)) ->> '$.state', iif(name = 'left', 'Aborted', 'Running') FROM look;
SELECT 'its message asks, and is not remembered', session_recover('look fresh', '{"dry_run":1}') ->> '$.message'
  LIKE '%Should I continue?', 1;
SELECT 'nothing is written by a look', dump_of() = d, 1 FROM was_looked;
PRAGMA query_only = ON;
SELECT 'it works where nothing can be written', session_recover('look to save', json_object('dry_run', 1,
  'now', 1000000 + 8 * 86400000)) ->> '$.due', 'auto_compact';
PRAGMA query_only = OFF;
SELECT 'without dry_run it does what was due', session_recover('look to save', json_object('now',
  1000000 + 8 * 86400000)) ->> '$.commit_id' IS NOT NULL, 1;
SELECT 'due is of a look alone', json_type(session_recover('look fresh'), '$.due'), NULL;
SELECT 'nobody: NULL', session_recover('nobody at all', '{"dry_run":1}'), NULL;

---- "/compact" is listed as what it is, wherever it stands, by both forms

SELECT turnstile_config('keeps_turns', 1, '{"session":"compacts"}');
SELECT turn_append('compacts', '[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]') > 0;
SELECT session_deliver('compacts', '/compact the plan', '{"keeps_turns":1}') ->> '$.action';
SELECT 'handed', session_recover('compacts', json_object('dry_run', value)) ->> '$.handed[0].action', 'compact' FROM json_each('[0,1]');
SELECT 'with its focus', session_recover('compacts', json_object('dry_run', value)) ->> '$.handed[0].focus', 'the plan' FROM json_each('[0,1]');
SELECT turn_begin('waits', 'w', '{"messages":[{"role":"user","content":"go"}]}') ->> '$.token' > 0;
SELECT session_deliver('waits', '/compact') ->> '$.action';
SELECT queue_push('waits', 'tell me') + queue_push('waits', '/compact now', '{"source":"agent","channel":"worker"}');
SELECT 'queued', (SELECT group_concat(ifnull(q.value ->> '$.action', '-')) FROM json_each(session_recover('waits', json_object('dry_run', f.value)), '$.queued') AS q),
  'compact,-,-' FROM json_each('[0,1]') AS f;
SELECT turnstile_config('max_attempts', 1, '{"session":"compacts"}');
SELECT turn_fail(t ->> '$.turn', t ->> '$.token', 'boom') IS NOT NULL FROM (SELECT turn_begin('compacts', 'w') AS t);
SELECT 'failed', session_recover('compacts', json_object('dry_run', value)) ->> '$.failed[0].action', 'compact' FROM json_each('[0,1]');

-- Whatever goes on in taken_back takes it back.
CREATE TEMP TABLE taken_back(label PRIMARY KEY, command, args);
INSERT INTO taken_back VALUES ('compacted', 'session_compact', '["compacted","it is done"]'), ('rewound', 'session_rewind', NULL), ('worked', 'turn_complete', NULL),
  ('swept', 'session_start', '["swept","a new thing"]'), ('moved on', 'session_transition', '["moved on","PendingComplete",{"summary":"s"}]');
SELECT count(session_start(label, 'add retries')) FROM taken_back;
SELECT count(turn_append(label, '[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]')) FROM taken_back;
UPDATE taken_back SET args = json_array(label, (SELECT thread_id FROM sessions WHERE sessions.label = taken_back.label)) WHERE label = 'rewound';
SELECT count(turn_append(label, '[{"role":"user","content":"c"},{"role":"assistant","content":"d"}]')) FROM taken_back;
SELECT count(session_recover(label)) FROM taken_back;
SELECT label || ': it was offered', (SELECT offered_at IS NOT NULL FROM sessions WHERE sessions.label = taken_back.label), 1 FROM taken_back;
UPDATE taken_back SET args = (SELECT json_array(r ->> '$.turn', r ->> '$.token', json('{"content":"e","outcome":"question"}')) FROM (SELECT turn_begin('worked', 'w', '{"messages":[{"role":"user","content":"go"}]}') AS r)) WHERE label = 'worked';
INSERT INTO turnstile SELECT command, args FROM taken_back WHERE label <> 'swept';
SELECT session_sweep(json_object('now', 1000000 + 8 * 86400000)) IS NOT NULL;
INSERT INTO turnstile SELECT command, json_insert(args, '$[2]', json_object('now', 1000001 + 8 * 86400000)) FROM taken_back WHERE label = 'swept';
SELECT label || ': ' || command || ' takes it back', (SELECT offered_at FROM sessions WHERE sessions.label = taken_back.label), NULL FROM taken_back;
