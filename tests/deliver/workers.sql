-- workers.sql - what a worker says to its parent, and the parent to it: one report per task, deaths,
-- deadlines, questions and answers, and what a full queue never drops.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

CREATE TEMP TABLE run(label TEXT PRIMARY KEY, r);
CREATE TEMP VIEW live(label, turn, token) AS SELECT label, r ->> '$.turn', r ->> '$.token' FROM run;
-- What workers have put into a queue, in order, without the numbers of their events.
CREATE TEMP VIEW heard(parent, worker, what, message, status) AS
  SELECT session_label, sender, substr(message_id, 1, instr(message_id, ':') - 1), message, status
  FROM session_queue WHERE channel = 'worker' AND source = 'agent' ORDER BY id;

---- One report for each task

INSERT INTO turnstile VALUES ('session_start', '["main","oversee"]'),
  ('session_spawn', '["main","count the callers","{\"label\":\"twice\"}"]');
CREATE TEMP TABLE first AS SELECT session_report('twice', 'completed', 'done') AS id;
-- Its second task, as a parent gives it.
SELECT 'a second task', json_extract(session_deliver('twice', 'count the tests as well',
  '{"source":"agent","sender":"main"}'), '$.action', '$.state'), '["start","Running"]';
SELECT 'somebody waits again', task_status, 'pending' FROM session_workers WHERE worker = 'twice';
CREATE TEMP TABLE second AS SELECT session_report('twice', 'completed', 'done') AS id;
SELECT 'a report of its own, also in the same words', second.id > first.id, 1 FROM first, second;
SELECT 'both have come', (SELECT group_concat(message) FROM heard WHERE worker = 'twice'), 'done,done';
SELECT 'the second once more', session_report('twice', 'completed', 'done'), id FROM second;
SELECT 'the first once more', session_report('twice', 'completed', 'done',
  json_object('task_id', (SELECT min(id) FROM tasks WHERE session_label = 'twice'))), id FROM first;
SELECT 'the second in other words', error_of('SELECT session_report(''twice'', ''completed'', ''12'')'),
  'session_report: worker ''twice'' has reported before, completed, with another result; tell ''main'' '
  || 'anything else by queue_push';
SELECT 'a task of somebody else', error_of(printf('SELECT session_report(''twice'', ''completed'', ''12'',
  ''{"task_id":%d}'')', (SELECT id FROM tasks WHERE session_label = 'main'))),
  printf('session_report: task_id is %d, which is not a task of worker ''twice''',
  (SELECT id FROM tasks WHERE session_label = 'main'));
SELECT 'each under its task', (SELECT group_concat(task || ': ' || result, ', ') FROM (SELECT * FROM
  session_reports WHERE worker = 'twice' ORDER BY task_id)),
  'count the callers: done, count the tests as well: done';
-- A report of the first task, while the second is at work, leaves the second alone.
INSERT INTO turnstile VALUES ('session_spawn', '["main","one",{"label":"slow"}]'),
  ('session_compact', '["slow","one is done"]'),
  ('session_start', '["slow","two"]');
SELECT 'of the earlier task', session_report('slow', 'completed', 'first', json_object('task_id',
  (SELECT min(id) FROM tasks WHERE session_label = 'slow'))) > 0, 1;
SELECT 'the later one goes on', json_array(task_status, session_state('slow') ->> '$.task_state'),
  '["pending","Running"]' FROM session_workers WHERE worker = 'slow';
SELECT 'and is reported', session_report('slow', 'failed', 'second') > 0, 1;
SELECT 'both have come', (SELECT group_concat(message) FROM heard WHERE worker = 'slow'), 'first,second';
SELECT 'the last one of a worker', result, 'second' FROM session_workers WHERE worker = 'slow';
-- Wherever the parent has gone: the same report is the same one.
INSERT INTO turnstile VALUES ('session_start', '["gone into another","x"]'),
  ('session_spawn', '["gone into another","one",{"label":"of merged"}]');
CREATE TEMP TABLE merged AS SELECT session_report('of merged', 'completed', 'done') AS id;
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
UPDATE sessions SET superseded_by = 'main' WHERE label = 'gone into another';
UPDATE session_queue SET session_label = 'main' WHERE session_label = 'gone into another';
DELETE FROM turnstile_meta WHERE key = 'unguarded';
SELECT 'after a merge', session_report('of merged', 'completed', 'done'), id FROM merged;
SELECT 'one message', (SELECT count(*) FROM heard WHERE worker = 'of merged'), 1;
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
UPDATE sessions SET superseded_by = NULL WHERE label = 'gone into another';
UPDATE session_queue SET session_label = 'gone into another' WHERE sender = 'of merged';
UPDATE sessions AS s SET waits = EXISTS (SELECT 1 FROM session_queue WHERE session_label = s.label
  AND status = 'pending' AND delivered_at IS NULL);
DELETE FROM turnstile_meta WHERE key = 'unguarded';

---- Over is what the state says

INSERT INTO turnstile VALUES ('session_spawn', '["main","t",{"label":"given up"}]'),
  ('session_note', '["given up","n"]'), ('session_transition', '["given up","Aborted",{"reason":"r"}]');
SELECT 'the opposite of Aborted', session_report('given up', 'completed', 'R'), NULL;
SELECT 'it stays failed', json_array(task_status, result), '["failed","R"]' FROM session_workers
  WHERE worker = 'given up';
SELECT 'its commit', (SELECT group_concat(commit_type) FROM commits WHERE session_label = 'given up'),
  'Abandoned';
INSERT INTO turnstile VALUES ('session_spawn', '["main","t",{"label":"ready"}]'),
  ('session_note', '["ready","n"]'), ('session_transition', '["ready","PendingComplete",{"summary":"s"}]'),
  ('session_transition', '["ready","Complete"]');
SELECT 'one that is through makes room', (SELECT count(*) FROM session_workers
  WHERE worker = 'ready' AND task_status = 'completed'), 1;
SELECT 'the opposite of Complete', error_of('SELECT session_report(''ready'', ''failed'', ''R'')'),
  'session_report: the task of worker ''ready'' has ended completed; it can''t be reported failed';
INSERT INTO turnstile VALUES ('session_compact', '["ready"]');
SELECT 'nor after its commit', error_of('SELECT session_report(''ready'', ''failed'', ''R'')'),
  'session_report: the task of worker ''ready'' has ended completed; it can''t be reported failed';
SELECT 'what it is', session_report('ready', 'completed', 'R') > 0, 1;
-- Called off together with its parent: what was Complete was not stopped.
INSERT INTO turnstile VALUES ('session_start', '["off","x"]'), ('session_note', '["off","n"]'),
  ('session_spawn', '["off","t",{"label":"off done"}]'),
  ('session_transition', '["off done","PendingComplete",{"summary":"s"}]'),
  ('session_transition', '["off done","Complete"]'), ('session_deliver', '["off","stop",{"class":"Abandon"}]');
SELECT 'stopped when it was through', json_array(task_status, (SELECT group_concat(commit_type) FROM commits
  WHERE session_label = 'off done')), '["completed","Normal"]' FROM session_workers WHERE worker = 'off done';

---- Whatever ends it, its parent hears of it once

INSERT INTO turnstile VALUES ('session_start', '["boss","oversee"]'),
  ('turnstile_config', '["max_children",1000,{"session":"boss"}]'),
  ('turnstile_config', '["max_attempts",3]');
CREATE TEMP TABLE death(label, how);
INSERT INTO death VALUES ('worn', 'three turns that came to nothing'), ('broken', 'a turn with output'),
  ('in error', 'session_fail'), ('put away', 'session_archive'), ('dropped', 'a user drops it'),
  ('aborted', 'session_transition and session_compact'), ('lost', 'three leases that ran out'),
  ('deleted', 'session_delete');
INSERT INTO turnstile SELECT 'session_spawn', json_array('boss', 'dig', json_object('label', label)) FROM death;
INSERT INTO run SELECT 'worn ' || value, turn_begin('worn', 'w') ->> '$.turn' FROM json_each('[1]');
SELECT turn_fail(r, 1, 'error 1') FROM run WHERE label = 'worn 1';
INSERT INTO run SELECT 'worn 2', turn_begin('worn', 'w') ->> '$.turn';
SELECT turn_fail(r, 2, 'error 2') FROM run WHERE label = 'worn 2';
SELECT 'twice is not for good', (SELECT count(*) FROM heard WHERE worker = 'worn'), 0;
INSERT INTO run SELECT 'worn 3', turn_begin('worn', 'w') ->> '$.turn';
SELECT turn_fail(r, 3, 'error 3') FROM run WHERE label = 'worn 3';
INSERT INTO run SELECT 'broken', turn_begin('broken', 'w') ->> '$.turn';
SELECT turn_message(r, 1, '{"role":"assistant","content":"half"}') FROM run WHERE label = 'broken';
SELECT turn_fail(r, 1, 'the provider is gone') FROM run WHERE label = 'broken';
INSERT INTO turnstile VALUES ('session_fail', '["in error","no credit"]'), ('session_fail', '["in error","none"]'),
  ('session_archive', '["put away"]'), ('session_deliver', '["dropped","stop that",{"class":"Abandon"}]'),
  ('session_transition', '["aborted","Aborted",{"reason":"of no use"}]'), ('session_compact', '["aborted"]'),
  ('session_delete', '["deleted",{"force":1}]');
SELECT turn_begin('lost', 'w', '{"now":1000000}') IS NOT NULL;
SELECT turn_begin('lost', 'w', '{"now":1400000}') IS NOT NULL;
SELECT turn_begin('lost', 'w', '{"now":1800000}') IS NOT NULL;
SELECT session_sweep('{"now":2200000}') ->> '$.leases_expired';
SELECT label || ', ' || how || ': told once', (SELECT json_group_array(what || ': ' || message) FROM heard
  WHERE parent = 'boss' AND worker = label), json_array(CASE label
  WHEN 'worn' THEN 'died: Worker worn has failed: error 3'
  WHEN 'broken' THEN 'died: Worker broken has failed: the provider is gone'
  WHEN 'in error' THEN 'died: Worker in error has failed: no credit'
  WHEN 'put away' THEN 'died: Worker put away has failed: its session was archived'
  WHEN 'dropped' THEN 'failed: Worker dropped has failed: stop that'
  WHEN 'aborted' THEN 'failed: Worker aborted has failed: of no use'
  WHEN 'lost' THEN 'died: Worker lost has failed: the run of ''w'' ended: expire'
  WHEN 'deleted' THEN 'died: Worker deleted has failed: its session was deleted' END) FROM death;
SELECT label || ': has failed', task_status, 'failed' FROM death JOIN session_workers ON worker = label;
SELECT 'it wakes the parent', json_extract(turn_begin('boss', 'p'), '$.messages[0].content',
  '$.messages[0].channel', '$.messages[0].sender', '$.messages[0].source'),
  '["Worker worn has failed: error 3","worker","worn","agent"]';
-- One that is given another chance works again, and reports as ever.
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'worn' AND status = 'failed';
INSERT INTO run SELECT 'worn 4', turn_begin('worn', 'w');
SELECT 'tried again', task_status, 'running' FROM session_workers WHERE worker = 'worn';
SELECT 'it reports', session_report('worn', 'completed', 'found it') > 0, 1;
SELECT 'and the parent has both', (SELECT group_concat(what) FROM heard WHERE worker = 'worn'), 'died,report';
-- A task that is still open can be reported by whoever is alive.
SELECT 'not so dead', session_report('lost', 'completed', 'found it') > 0, 1;
SELECT 'a late one', session_report('dropped', 'failed', 'found nothing'), NULL;
SELECT 'is kept', json_array(status, late, result), '["failed",1,"found nothing"]' FROM session_reports
  WHERE worker = 'dropped';
-- What its parent has ended is no news to the parent.
INSERT INTO turnstile VALUES ('session_spawn', '["boss","dig",{"label":"not needed"}]'),
  ('session_spawn', '["not needed","dig",{"label":"below"}]'),
  ('session_deliver', '["not needed","enough",{"source":"agent","class":"Abandon"}]');
SELECT 'the parent stops one worker', json_array(task_status, session_state(worker) ->> '$.task_state'),
  '["failed","None"]' FROM session_workers WHERE worker IN ('not needed', 'below');
SELECT 'and hears nothing', (SELECT count(*) FROM heard WHERE worker IN ('not needed', 'below')), 0;
-- One that has died with its task open is stopped with its parent.
INSERT INTO turnstile VALUES ('session_start', '["chief","x"]'), ('session_note', '["chief","n"]'),
  ('session_spawn', '["chief","dig",{"label":"stuck"}]'), ('session_fail', '["stuck","no credit"]'),
  ('session_deliver', '["chief","stop",{"class":"Abandon"}]');
SELECT 'a dead one is stopped as well', session_state('stuck') ->> '$.task_state', 'None';

---- Its time

SELECT turnstile_clock(3000000);
INSERT INTO turnstile VALUES ('session_start', '["watch","oversee"]'),
  ('session_spawn', '["watch","dig",{"label":"late","timeout":"5m"}]'),
  ('session_spawn', '["late","dig",{"label":"below late"}]'),
  ('session_spawn', '["watch","dig",{"label":"in time","timeout":"5m"}]'),
  ('session_spawn', '["watch","dig",{"label":"no report","timeout":"5m"}]'),
  ('session_spawn', '["watch","dig",{"label":"dead","timeout":"5m"}]'),
  ('session_spawn', '["watch","dig",{"label":"patient"}]');
SELECT 'its deadline', deadline, 3300000 FROM session_workers WHERE worker = 'late';
SELECT 'no time at all', error_of('SELECT session_spawn(''watch'', ''x'', ''{"timeout":0}'')'),
  'session_spawn: timeout must be longer than 0 ms';
INSERT INTO run SELECT 'late', turn_begin('late', 'w', '{"lease":"1h"}');
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM live WHERE label = 'late';
INSERT INTO turnstile VALUES ('session_report', '["in time","completed","12"]'),
  ('session_compact', '["no report","done"]'), ('session_fail', '["dead","no credit"]');
SELECT session_sweep('{"now":3299999}') ->> '$.workers_timed_out' = 0;
SELECT 'not yet', task_status, 'running' FROM session_workers WHERE worker = 'late';
SELECT 'then', session_sweep('{"now":3300000}') ->> '$.workers_timed_out', 3;
SELECT 'nor again', session_sweep('{"now":3300001}') ->> '$.workers_timed_out', 0;
SELECT 'the parent hears of it once', (SELECT json_group_array(worker || ': ' || what || ': ' || message)
  FROM heard WHERE parent = 'watch'), json_array('in time: report: 12', 'dead: died: Worker dead has failed: no credit',
  'late: timeout: Worker late has not reported within 5 minutes',
  'no report: timeout: Worker no report has not reported within 5 minutes');
SELECT worker || ': how it is', json_array(task_status, session_state(worker) ->> '$.task_state', deadline),
  CASE worker WHEN 'patient' THEN '["pending","Running",null]'
    WHEN 'late' THEN '["failed","None",null]' WHEN 'below late' THEN '["failed","None",null]'
    WHEN 'dead' THEN '["failed","None",null]' ELSE '["completed","None",null]' END
  FROM session_workers WHERE parent_session_label IN ('watch', 'late');
SELECT 'its run is over', error_of(printf('SELECT turn_heartbeat(%d, %d)', turn, token))
  LIKE 'turn_heartbeat: turn % is aborted: Worker late has not reported within 5 minutes;%', 1
  FROM live WHERE label = 'late';
SELECT 'what it says now', session_report('late', 'completed', '12'), NULL;
SELECT 'is kept', json_array(late, result), '[1,"12"]' FROM session_reports WHERE worker = 'late';
SELECT 'and nobody hears of it', (SELECT count(*) FROM heard WHERE worker = 'late'), 1;
SELECT 'one that has ended well can still be heard', session_report('no report', 'completed', '12') > 0, 1;

-- Whoever looks first. Each has a worker of its own, and a call that notices.
CREATE TEMP TABLE look(name, call, seen);
INSERT INTO look VALUES ('begins', 'turn_begin(''begins'', ''p'')', 'pending'),
  ('gets mail', 'session_deliver(''gets mail'', ''well?'')', ''),
  ('comes back', 'session_recover(''comes back'')', ''),
  ('spawns', 'session_spawn(''spawns'', ''another'')', ''),
  ('starts up', 'turnstile_startup(''p'')', ''),
  ('works', 'turn_heartbeat((SELECT turn FROM live WHERE label = ''works''), (SELECT token FROM live WHERE label = ''works''))', ''),
  ('is through', 'turn_complete((SELECT turn FROM live WHERE label = ''is through''), (SELECT token FROM live WHERE label = ''is through''))', ''),
  ('asks itself', 'turn_begin(''of asks itself'', ''p'')', '');
INSERT INTO turnstile SELECT 'session_start', json_array(name, 'oversee') FROM look;
INSERT INTO turnstile SELECT 'session_spawn', json_array(name, 'dig', json_object('label', 'of ' || name,
  'timeout', 1000)) FROM look;
INSERT INTO run SELECT name, turn_begin(name, 'p', '{"messages":[{"role":"user","content":"x"}]}') FROM look
  WHERE name IN ('works', 'is through');
SELECT turnstile_clock(3001000);
SELECT name || ': before', (SELECT count(*) FROM heard WHERE parent = name), 0 FROM look;
SELECT name || ': no error', error_of('SELECT ' || call), NULL FROM look WHERE name <> 'starts up';
SELECT name || ': one message', (SELECT group_concat(what) FROM heard WHERE parent = name), 'timeout' FROM look
  WHERE name <> 'starts up';
SELECT 'starts up: no error', error_of('SELECT turnstile_startup(''p'')'), NULL;
SELECT 'starts up: one message', (SELECT group_concat(what) FROM heard WHERE parent = 'starts up'), 'timeout';
SELECT name || ': still one', (SELECT group_concat(what) FROM heard WHERE parent = name), 'timeout' FROM look;
SELECT 'the turn that began has it', (SELECT status FROM heard WHERE parent = 'begins'), 'processing';
SELECT turnstile_clock(3100000);

---- What it asks

INSERT INTO turnstile VALUES ('session_start', '["lead","oversee"]'),
  ('session_spawn', '["lead","add retries",{"label":"asks"}]');
INSERT INTO run SELECT 'asks', turn_begin('asks', 'w');
SELECT turn_complete(turn, token, '{"content":"How many?","outcome":"question"}') FROM live WHERE label = 'asks';
SELECT 'the parent is asked', (SELECT json_group_array(what || ': ' || message || ': ' || status) FROM heard
  WHERE parent = 'lead'), '["question: Worker asks asks: How many?: pending"]';
INSERT INTO turnstile VALUES ('session_transition', '["asks","AwaitingUser",{"question":"How many?"}]');
SELECT 'the same question is asked once', (SELECT count(*) FROM heard WHERE parent = 'lead'), 1;
INSERT INTO turnstile VALUES ('session_transition', '["asks","AwaitingUser",{"question":"Five?"}]');
SELECT 'another one is another', (SELECT group_concat(message) FROM heard WHERE parent = 'lead'),
  'Worker asks asks: How many?,Worker asks asks: Five?';
SELECT 'what others say is no answer', json_extract(session_deliver('asks', 'tick', '{"source":"timer"}'),
  '$.action', '$.state'), '["continue","AwaitingUser"]';
SELECT 'nor what its own workers say', json_extract(session_deliver('asks', '12',
  '{"source":"agent","channel":"worker","sender":"x"}'), '$.state'), 'AwaitingUser';
SELECT 'nor another agent', json_extract(session_deliver('asks', '12', '{"source":"agent","sender":"main"}'),
  '$.state'), 'AwaitingUser';
SELECT 'the parent''s word is', json_extract(session_deliver('asks', 'yes, five',
  '{"source":"agent","sender":"lead"}'), '$.action', '$.state', '$.previous_state'),
  '["continue","Running","AwaitingUser"]';
SELECT 'noted as an answer', (SELECT data ->> '$.text' FROM observations WHERE session_label = 'asks'
  AND data ->> '$.note' = 'answer'), 'User response: yes, five';
UPDATE run SET r = turn_begin('asks', 'w') WHERE label = 'asks';
SELECT 'the worker gets it', (SELECT group_concat(value ->> '$.content') FROM json_each(r, '$.messages')),
  'tick,12,12,yes, five' FROM run WHERE label = 'asks';
SELECT 'it still works for its parent', task_status, 'running' FROM session_workers WHERE worker = 'asks';
-- A run that asks and waits takes the answer while it goes on.
INSERT INTO turnstile VALUES ('session_transition', '["asks","AwaitingUser",{"question":"And then?"}]');
SELECT 'to the run that asks', session_deliver('asks', 'then ten', '{"source":"agent"}') ->> '$.action', 'steer';
SELECT 'it takes the answer', turn_steering(turn, token) ->> '$.messages[0].content', 'then ten' FROM live
  WHERE label = 'asks';
SELECT 'and goes on', session_state('asks') ->> '$.task_state', 'Running';
-- What was said before it asked is no answer, and leaves the question open; what waits since is one.
SELECT queue_push('asks', 'all of them', '{"source":"agent","sender":"lead"}');
SELECT turn_complete(turn, token, '{"content":"Really?","outcome":"question"}') FROM live WHERE label = 'asks';
UPDATE run SET r = turn_begin('asks', 'w') WHERE label = 'asks';
SELECT 'said before it asked', json_array(r ->> '$.messages[0].content', session_state('asks') ->> '$.task_state'),
  '["all of them","AwaitingUser"]' FROM run WHERE label = 'asks';
SELECT queue_push('asks', 'no, twelve', '{"source":"agent","sender":"lead"}');
SELECT turn_complete(turn, token, '{"content":"well"}') FROM live WHERE label = 'asks';
UPDATE run SET r = turn_begin('asks', 'w') WHERE label = 'asks';
SELECT 'taken from the queue', json_array(r ->> '$.messages[0].content', session_state('asks') ->> '$.task_state'),
  '["no, twelve","Running"]' FROM run WHERE label = 'asks';
-- The task that it was spawned for is no intervention.
SELECT 'its first input leaves no note', (SELECT count(*) FROM observations WHERE session_label = 'asks'
  AND data ->> '$.text' LIKE '%add retries%'), 0;
-- A report that waits for approval goes on with what its parent says.
INSERT INTO turnstile VALUES ('session_spawn', '["lead","more",{"label":"offers"}]'),
  ('session_transition', '["offers","PendingComplete",{"summary":"Done."}]');
SELECT 'more of the same task', json_extract(session_deliver('offers', 'and the tests', '{"source":"agent"}'),
  '$.action', '$.state'), '["continue","Running"]';

---- A full queue

INSERT INTO turnstile VALUES ('turnstile_config', '["queue_full","drop-oldest"]'),
  ('session_start', '["full","x"]'), ('turnstile_config', '["queue_cap",1,{"session":"full"}]'),
  ('session_spawn', '["full","find",{"label":"full wk"}]'), ('session_spawn', '["full","find",{"label":"full asks"}]'),
  ('session_spawn', '["full","find",{"label":"full dead"}]'),
  ('session_report', '["full wk","completed","12 callers"]'),
  ('session_transition', '["full asks","AwaitingUser",{"question":"Which?"}]'),
  ('session_fail', '["full dead","no credit"]'),
  ('queue_push', '["full","tick",{"source":"timer"}]'), ('queue_push', '["full","tock",{"source":"timer"}]');
SELECT 'only what anybody could say gives way', (SELECT group_concat(message || ' ' || status, ', ')
  FROM (SELECT * FROM session_queue WHERE session_label = 'full' ORDER BY id)),
  '12 callers pending, Worker full asks asks: Which? pending, Worker full dead has failed: no credit pending, '
  || 'tick cancelled, tock pending';
SELECT 'it takes nobody''s room', error_of('SELECT session_spawn(''full'', ''x'')'), NULL;
INSERT INTO turnstile VALUES ('turnstile_config', '["queue_cap",1,{"session":"full 2"}]'),
  ('session_spawn', '["full","find",{"label":"full 2"}]'),
  ('queue_push', '["full 2","hurry",{"source":"agent"}]'), ('queue_push', '["full 2","hurry up",{"source":"agent"}]');
SELECT 'nor a worker''s task', (SELECT group_concat(message || ' ' || status, ', ')
  FROM (SELECT * FROM session_queue WHERE session_label = 'full 2' ORDER BY id)),
  'find pending, hurry cancelled, hurry up pending';
-- A user's "/compact" behind a live run waits as others do.
INSERT INTO run SELECT 'full', turn_begin('full', 'p', '{"messages":[{"role":"user","content":"x"}]}');
INSERT INTO turnstile VALUES ('session_deliver', '["full","/compact"]');
SELECT 'nor for a command', (SELECT group_concat(message || ' ' || status, ', ')
  FROM (SELECT * FROM session_queue WHERE session_label = 'full' AND source <> 'agent' ORDER BY id)),
  'tick cancelled, tock cancelled, /compact pending';
SELECT 'what workers said is there', (SELECT count(*) FROM heard WHERE parent = 'full' AND status = 'pending'), 3;
-- What a choice has held was accepted: it is not dropped either when it waits in the queue.
INSERT INTO turnstile VALUES ('session_start', '["torn","x"]'), ('session_note', '["torn","n"]'),
  ('turnstile_config', '["queue_cap",1,{"session":"torn"}]'),
  ('session_deliver', '["torn","build me a shop",{"class":"NewTask"}]'), ('session_compact', '["torn","done"]'),
  ('queue_push', '["torn","tick",{"source":"timer"}]'), ('queue_push', '["torn","tock",{"source":"timer"}]');
SELECT 'nor what a choice held', (SELECT group_concat(message || ' ' || status, ', ')
  FROM (SELECT * FROM session_queue WHERE session_label = 'torn' ORDER BY id)),
  'build me a shop pending, tick cancelled, tock pending';
SELECT queue_cancel(id) FROM session_queue WHERE session_label = 'full' AND message = '12 callers';
SELECT 'taken out by hand all the same', (SELECT status FROM heard WHERE worker = 'full wk'), 'cancelled';

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ifnull(session_label, '') || ' ' || problem, '; ')
  FROM turnstile_check), NULL;

---- What gave a task is done with the task, however that ends well

CREATE TEMP VIEW left(label, inputs) AS SELECT label, (SELECT json_group_array(json_array(message, status))
  FROM session_queue WHERE session_label = label AND delivered_at IS NULL) FROM sessions;
INSERT INTO turnstile VALUES ('session_start', '["ends","oversee"]'),
  ('session_spawn', '["ends","one",{"label":"next"}]'), ('session_report', '["next","completed","1"]'),
  ('session_deliver', '["next","two, and\nthree","{\"source\":\"agent\",\"sender\":\"ends\"}"]');
SELECT 'the second task is handed over', inputs, json_array(json_array('two, and
three', 'handed')) FROM left WHERE label = 'next';
SELECT 'it is reported', session_report('next', 'completed', '2') > 0, 1;
SELECT 'and is not given again', turn_begin('next', 'w'), NULL;
INSERT INTO turnstile VALUES ('session_spawn', '["ends","one",{"label":"committed"}]'),
  ('session_compact', '["committed","done"]');
SELECT 'by a commit', turn_begin('committed', 'w'), NULL;
INSERT INTO turnstile VALUES ('session_spawn', '["ends","one",{"label":"moved"}]'),
  ('session_transition', '["moved","PendingComplete",{"summary":"done"}]'),
  ('session_transition', '["moved","Complete"]');
SELECT 'by a state alone', turn_begin('moved', 'w'), NULL;
SELECT 'and is committed', json_array(open_task_id, task_status), '[null,"completed"]' FROM sessions
  WHERE label = 'moved';
-- What else was said to it waits.
INSERT INTO turnstile VALUES ('session_spawn', '["ends","one",{"label":"corrected"}]'),
  ('session_deliver', '["corrected","mind the tests","{\"source\":\"agent\",\"sender\":\"ends\"}"]'),
  ('session_compact', '["corrected","done"]');
SELECT 'a correction is not lost', inputs LIKE '%["mind the tests",%' AND inputs NOT LIKE '%"one"%', 1
  FROM left WHERE label = 'corrected';
-- Also one in the words of the task, while a turn has the task itself.
INSERT INTO turnstile VALUES ('session_spawn', '["ends","again",{"label":"words"}]'),
  ('turn_begin', '["words","w"]');
SELECT turnstile_clock(3100001);
INSERT INTO turnstile VALUES
  ('session_deliver', '["words","again","{\"source\":\"agent\",\"sender\":\"ends\"}"]'),
  ('session_report', '["words","completed","done"]');
SELECT 'nor one in its words', (SELECT group_concat(status) FROM session_queue
  WHERE session_label = 'words' AND message = 'again'), 'delivered,pending';

---- Nobody waits for a worker whose turn was stopped, whose input was called off, or that was saved

CREATE TEMP VIEW told(worker, status, what) AS SELECT w.worker, w.task_status,
  (SELECT json_group_array(json_array(h.what, h.message)) FROM heard AS h WHERE h.worker = w.worker)
  FROM session_workers AS w;
SELECT turnstile_clock(4000000);
INSERT INTO turnstile VALUES ('session_start', '["waits","oversee"]'),
  ('turnstile_config', '["max_children",1,{"session":"waits"}]'),
  ('session_spawn', '["waits","one",{"label":"halted"}]');
INSERT INTO run VALUES ('halted', turn_begin('halted', 'w'));
SELECT 'its turn is stopped', session_stop('halted', turn, 'too slow') ->> '$.status', 'aborted'
  FROM live WHERE label = 'halted';
SELECT 'its parent knows', json_array(status, json(what)),
  '["failed",[["died","Worker halted has failed: too slow"]]]' FROM told WHERE worker = 'halted';
SELECT 'and may spawn another', session_spawn('waits', 'two', '{"label":"instead"}'), 'instead';
SELECT turnstile_config('max_children', 16, '{"session":"waits"}');
SELECT 'a message lets it go on', session_deliver('halted', 'go on', '{"source":"agent","sender":"waits"}')
  ->> '$.state', 'Running';
UPDATE run SET r = turn_begin('halted', 'w') WHERE label = 'halted';
SELECT 'it works again', status, 'running' FROM told WHERE worker = 'halted';
SELECT 'stopped by its own process', turn_abort(turn, token, 'no memory') ->> '$.waiting', 0 FROM live
  WHERE label = 'halted';
SELECT 'told once more', json_array(status, json(what)), '["failed",[["died","Worker halted has failed: too slow"],'
  || '["died","Worker halted has failed: no memory"]]]' FROM told WHERE worker = 'halted';
SELECT 'its report counts all the same', session_report('halted', 'completed', 'done after all') > 0, 1;
-- What goes on by itself is not told.
INSERT INTO turnstile VALUES ('session_spawn', '["waits","one",{"label":"put back"}]'),
  ('session_spawn', '["waits","one",{"label":"has more"}]'),
  ('session_spawn', '["waits","one",{"label":"has asked"}]');
INSERT OR REPLACE INTO run SELECT worker, turn_begin(worker, 'w') FROM session_workers
  WHERE worker IN ('put back', 'has more', 'has asked');
SELECT 'its inputs wait again', turn_abort(turn, token, 'later', '{"requeue":1}') ->> '$.waiting', 1
  FROM live WHERE label = 'put back';
INSERT INTO turnstile VALUES ('session_deliver', '["has more","and two",{"source":"agent","sender":"waits"}]'),
  ('session_transition', '["has asked","AwaitingUser",{"question":"how many?"}]');
SELECT 'another waits, or the answer will', (SELECT count(turn_abort(turn, token, 'stopped')) FROM live
  WHERE label IN ('has more', 'has asked')), 2;
SELECT 'none is told to have failed', (SELECT json_group_array(status) FROM told WHERE worker IN ('put back',
  'has more', 'has asked') AND what NOT LIKE '%died%'), '["running","running","running"]';
-- Its input is called off.
INSERT INTO turnstile VALUES ('session_spawn', '["waits","one",{"label":"uncalled"}]');
SELECT 'the only one', queue_cancel(id) = id, 1 FROM session_queue WHERE session_label = 'uncalled';
SELECT 'its parent knows that', json_array(status, json(what)),
  '["failed",[["died","Worker uncalled has failed: its input was cancelled"]]]' FROM told
  WHERE worker = 'uncalled';
SELECT 'it waits again', queue_retry(id) = id, 1 FROM session_queue WHERE session_label = 'uncalled';
SELECT 'and is worked on', turn_begin('uncalled', 'w') ->> '$.messages[0].content', 'one';
SELECT 'by one at work', status, 'running' FROM told WHERE worker = 'uncalled';
INSERT INTO turnstile VALUES ('queue_push', '["uncalled","mind the tests","{\"source\":\"agent\"}"]');
SELECT 'not the one that is worked on', queue_cancel(max(id)) > 0, 1 FROM session_queue
  WHERE session_label = 'uncalled';
SELECT 'it goes on', json_array(status, json_array_length(what)), '["running",1]' FROM told
  WHERE worker = 'uncalled';
-- Its task lay too long.
INSERT INTO turnstile VALUES ('session_start', '["lenient","oversee"]'),
  ('session_spawn', '["lenient","one",{"label":"noted"}]'), ('session_note', '["noted","n"]'),
  ('session_spawn', '["lenient","one",{"label":"bare"}]'),
  ('session_spawn', '["lenient","one",{"label":"recovered"}]'),
  ('session_spawn', '["lenient","one",{"label":"spoken to"}]');
SELECT turnstile_clock(4000000 + 8 * 86400000);
SELECT 'one that lay is recovered', session_recover('recovered') IS NOT NULL, 1;
SELECT 'or spoken to', session_deliver('spoken to', 'go on', '{"source":"agent","sender":"lenient"}')
  ->> '$.state', 'Running';
SELECT 'or swept', session_sweep() ->> '$.sessions_compacted' > 0, 1;
SELECT 'their parent knows of those that ' || worker, json_array(status, json(what)), json_array('failed',
  json_array(json_array('died', 'Worker ' || worker || ' has failed: its task lay idle for 8 days'))) FROM told
  WHERE worker IN ('noted', 'bare', 'recovered');
SELECT 'and waits for the one spoken to', json_array(status, json(what)), '["pending",[]]' FROM told
  WHERE worker = 'spoken to';
SELECT 'a report still comes', session_report('noted', 'completed', 'late, but done') > 0, 1;
SELECT 'it is done', status, 'completed' FROM told WHERE worker = 'noted';

---- A question that nobody asks any more is not given

SELECT turnstile_clock(1700000000000);
CREATE TEMP VIEW asked(worker, questions) AS SELECT sender, json_group_array(json_array(message, status, error))
  FROM session_queue WHERE message_id LIKE 'question:%' GROUP BY sender;
INSERT INTO turnstile VALUES ('session_start', '["askers","oversee"]'),
  ('session_spawn', '["askers","one",{"label":"overdue","timeout":"10m"}]');
INSERT INTO run VALUES ('overdue', turn_begin('overdue', 'w'));
SELECT 'it asks', turn_complete(turn, token, '{"content":"How many?","outcome":"question"}') ->> '$.state',
  'AwaitingUser' FROM live WHERE label = 'overdue';
SELECT turnstile_clock(1700000600000);
INSERT OR REPLACE INTO run VALUES ('askers', turn_begin('askers', 'm'));
SELECT 'its parent gets that it is late, at once', r ->> '$.messages[0].content', 'Worker overdue has not reported '
  || 'within 10 minutes' FROM run WHERE label = 'askers';
SELECT 'and no question', json_array_length(r, '$.messages'), 1 FROM run WHERE label = 'askers';
SELECT 'which is cancelled', questions, json_array(json_array('Worker overdue asks: How many?', 'cancelled',
  'nobody asks it any more')) FROM asked WHERE worker = 'overdue';
SELECT turn_complete(turn, token, '{"content":"noted"}') FROM live WHERE label = 'askers';
INSERT INTO turnstile VALUES ('session_spawn', '["askers","one",{"label":"itself"}]'),
  ('session_transition', '["itself","AwaitingUser",{"question":"a?"}]'),
  ('session_transition', '["itself","Running"]');
SELECT 'one that found out itself', json_extract(questions, '$[0][1]'), 'cancelled' FROM asked WHERE worker = 'itself';
INSERT INTO turnstile VALUES ('session_transition', '["itself","AwaitingUser",{"question":"b?"}]'),
  ('session_transition', '["itself","AwaitingUser",{"question":"b?"}]'),
  ('session_transition', '["itself","AwaitingUser",{"question":"c?"}]');
SELECT 'the last one alone waits', json_array(json_extract(questions, '$[1][1]'),
  json_extract(questions, '$[2]'), json_array_length(questions)),
  '["cancelled",["Worker itself asks: c?","pending",null],3]' FROM asked WHERE worker = 'itself';
SELECT 'until the report', session_report('itself', 'completed', 'done') > 0, 1;
SELECT 'which comes alone', turn_begin('askers', 'm') ->> '$.messages[0].content', 'done';
-- Undone, saved, and deleted.
SELECT turnstile_clock(1700001000000);
INSERT INTO turnstile VALUES ('session_start', '["undoers","oversee"]'),
  ('session_spawn', '["undoers","one",{"label":"rewound"}]'), ('session_spawn', '["undoers","one",{"label":"kept"}]'),
  ('session_spawn', '["undoers","one",{"label":"removed"}]');
INSERT INTO run SELECT worker, turn_begin(worker, 'w') FROM session_workers
  WHERE worker IN ('rewound', 'kept', 'removed');
SELECT 'they ask', (SELECT count(turn_complete(turn, token, '{"content":"How many?","outcome":"question"}'))
  FROM live WHERE label IN ('rewound', 'kept', 'removed')), 3;
SELECT 'one is taken back', session_rewind('rewound', NULL) ->> '$.state', 'Running';
SELECT 'its parent knows', json_array(status, json_extract(what, '$[#-1][1]')),
  '["failed","Worker rewound has failed: it was taken back by session_rewind"]' FROM told WHERE worker = 'rewound';
SELECT 'one is deleted', session_delete('removed', '{"force":1}') IS NOT NULL, 1;
SELECT turnstile_clock(1700001000000 + 8 * 86400000);
SELECT 'one is saved', session_sweep() IS NOT NULL, 1;
SELECT 'nobody is asked', (SELECT group_concat(worker || ': ' || json_extract(questions, '$[0][1]'), ', ')
  FROM (SELECT * FROM asked WHERE worker IN ('rewound', 'kept', 'removed') ORDER BY worker)),
  'kept: cancelled, removed: cancelled, rewound: cancelled';

---- Undo takes along workers that had died, and tasks given since to those that stay

SELECT turnstile_clock(1800000000000);
INSERT INTO turnstile VALUES ('session_start', '["redo","oversee"]');
INSERT OR REPLACE INTO run VALUES ('redo', turn_begin('redo', 'm', '{"messages":[{"role":"user","content":"1"}]}'));
INSERT INTO turnstile VALUES ('session_spawn', '["redo","one",{"label":"stays"}]');
SELECT turn_complete(turn, token, '{"content":"1"}') FROM live WHERE label = 'redo';
CREATE TEMP TABLE kept_turn AS SELECT turn FROM live WHERE label = 'redo';
SELECT session_report('stays', 'completed', 'done');
UPDATE run SET r = turn_begin('redo', 'm') WHERE label = 'redo';
INSERT INTO turnstile VALUES ('session_spawn', '["redo","two",{"label":"had died"}]'),
  ('session_deliver', '["stays","three",{"source":"agent","sender":"redo"}]');
SELECT turn_complete(turn, token, '{"content":"2"}') FROM live WHERE label = 'redo';
SELECT queue_cancel(id) FROM session_queue WHERE session_label = 'had died';
SELECT 'both are stopped', session_rewind('redo', turn) ->> '$.workers_stopped', '["stays","had died"]' FROM kept_turn;
SELECT worker || ' has failed', json_array(task_status, session_report(worker, 'completed', 'too late')),
  '["failed",null]' FROM session_workers WHERE worker IN ('stays', 'had died');

---- What is told to a parent while a message is decided about

SELECT session_start('dad', 'x', '{"now":1767225600000}');
SELECT session_spawn('dad', 'dig', '{"label":"kid","now":1767225600000}');
SELECT session_note('kid', 'n', '{"now":1767225600000}');
SELECT session_deliver('kid', 'and the well', '{"class":"Clarification","now":1768089600000}');
SELECT 'the parent is told', (SELECT count(*) FROM session_queue WHERE session_label = 'dad' AND message LIKE '%lay idle%'), 1;
SELECT 'and the message has its own delivery', (SELECT group_concat(d.session_label || ': ' || d.message) FROM session_queue AS q
  JOIN deliveries AS d ON d.id = q.delivery_id WHERE q.session_label = 'kid' AND q.source = 'user'), 'kid: and the well';

---- A task is words, also when they are a command elsewhere

SELECT turnstile_clock(1800100000000);
CREATE TEMP TABLE word(worker, task);
INSERT INTO word VALUES ('word: compact', '/compact'), ('word: focus', ' /compact the design'), ('word: stop', '/stop'), ('word: new', '/new'),
  ('word: ok', 'ok'), ('word: forget', 'forget it'), ('word: yes', 'yes');
INSERT INTO turnstile VALUES ('session_start', '["wordy","oversee"]'), ('turnstile_config', '["max_children",100,{"session":"wordy"}]');
INSERT INTO turnstile SELECT 'session_spawn', json_array('wordy', task, json_object('label', worker)) FROM word;
INSERT OR REPLACE INTO run SELECT worker, turn_begin(worker, 'w') FROM word;
SELECT worker || ': its model gets them', json_extract(r, '$.messages[0].content', '$.messages[0].action', '$.messages[1]'),
  json_array(task, NULL, NULL) FROM word JOIN run ON label = worker;
SELECT worker || ': as a turn', (SELECT role || ': ' || content FROM session_context(worker)), 'user: ' || task FROM word;
SELECT worker || ': and works', (SELECT task_status FROM session_workers AS w WHERE w.worker = word.worker), 'running' FROM word;
-- One that has turns already, one whose turn came to nothing, and one that was taken along to another file.
SELECT 'tried again', json_extract(turn_fail(turn, token, 'busy'), '$.waiting'), 1 FROM live WHERE label = 'word: compact';
SELECT 'they are words still', json_extract(turn_begin('word: compact', 'w'), '$.messages[0].content', '$.messages[0].action'), '["/compact",null]';
INSERT INTO turnstile SELECT 'session_spawn', json_array('wordy', '/compact', '{"label":"word: taken along"}');
CREATE TEMP TABLE document AS SELECT session_export('word: taken along') AS d;
SELECT 'imported', session_import(d, '{"as":"word: copy"}') IS NOT NULL, 1 FROM document;
SELECT 'and elsewhere', json_extract(turn_begin('word: copy', 'w'), '$.messages[0].content', '$.messages[0].action'), '["/compact",null]';
-- What its parent says to it later can be a command.
SELECT turn_complete(turn, token, '{"content":"done"}') IS NOT NULL FROM live WHERE label = 'word: ok';
SELECT session_report('word: ok', 'completed', 'done') > 0;
SELECT 'a parent may shorten the context', session_deliver('word: ok', '/compact', '{"source":"agent","sender":"wordy"}') ->> '$.action', 'compact';

---- What a parent says to a task that has ended, before it can know that

SELECT turnstile_clock(1800200000000);
CREATE TEMP TABLE ended(worker, asks, how);
INSERT INTO ended VALUES ('ended: saved', 1, 'save'), ('ended: saved, pushed', 1, 'save'), ('ended: saved, known', 1, 'save'),
  ('ended: saved at work', 0, 'save'), ('ended: saved, other', 1, 'save'), ('ended: saved, unclear', 1, 'save'), ('ended: committed', 1, 'compact'),
  ('ended: committed, pushed', 1, 'compact'), ('ended: aborted', 1, 'abort'), ('ended: aborted, known', 1, 'abort'),
  ('ended: late', 1, 'late'), ('ended: called off', 1, 'off'), ('ended: done', 0, 'report');
-- Each has a parent of its own.
INSERT INTO turnstile SELECT 'session_start', json_array('for ' || worker, 'oversee') FROM ended;
INSERT INTO turnstile SELECT 'session_spawn', json_array('for ' || worker, 'write the loop', json_patch(json_object('label', worker),
  iif(how = 'late', '{"timeout":"1h"}', '{}'))) FROM ended;
INSERT OR REPLACE INTO run SELECT worker, turn_begin(worker, 'w') FROM ended;
SELECT turn_complete(turn, token, iif(asks, '{"content":"How many tries?","outcome":"question"}', '{"content":"so far"}')) IS NOT NULL
  FROM live JOIN ended ON worker = label;
INSERT OR REPLACE INTO run SELECT 'for ' || worker, turn_begin('for ' || worker, 'm') FROM ended WHERE asks;
SELECT worker || ': its parent gets the question', r ->> '$.messages[0].content', 'Worker ' || worker || ' asks: How many tries?'
  FROM ended JOIN run ON label = 'for ' || worker WHERE asks;
SELECT turn_complete(turn, token, '{"content":"let me think"}') IS NOT NULL FROM live WHERE label LIKE 'for ended: %';
INSERT INTO turnstile SELECT 'session_compact', json_array(worker, 'enough') FROM ended WHERE how = 'compact';
INSERT INTO turnstile SELECT 'session_transition', json_array(worker, 'Aborted', json('{"reason":"no need"}')) FROM ended WHERE how = 'abort';
INSERT INTO turnstile SELECT 'session_compact', json_array(worker) FROM ended WHERE how = 'abort';
SELECT session_deliver(worker, 'stop it', json_object('source', 'agent', 'class', 'Abandon')) ->> '$.action' FROM ended WHERE how = 'off';
SELECT session_report(worker, 'completed', 'done') > 0 FROM ended WHERE how = 'report';
SELECT turnstile_clock(1800200000000 + 8 * 86400000);
SELECT session_sweep() IS NOT NULL;
SELECT worker || ': has ended', (SELECT open_task_id FROM sessions WHERE label = worker), NULL FROM ended;
INSERT OR REPLACE INTO run SELECT 'for ' || worker, turn_begin('for ' || worker, 'm') FROM ended WHERE worker LIKE '%known';
CREATE TEMP TABLE ended_was AS SELECT worker, (SELECT count(*) FROM session_events WHERE session_label = worker) || ' ' ||
  (SELECT count(*) FROM session_queue WHERE session_label = worker) || (SELECT count(*) FROM tasks WHERE session_label = worker) AS d FROM ended;
CREATE TEMP TABLE ended_said AS SELECT worker, iif(worker LIKE '%pushed', queue_push(worker, 'five', '{"source":"agent"}'),
  session_deliver(worker, iif(asks, 'five', 'and log it'), json_patch(json_object('source', 'agent', 'sender', 'for ' || worker),
    iif(worker LIKE '%other', '{"class":"NewTask"}', iif(worker LIKE '%unclear', '{"class":"Clarification"}', '{}'))))) AS d FROM ended;
SELECT worker || ': ' || 'the answer', json_extract(d, '$.action', '$.class', '$.state'), CASE
  WHEN worker IN ('ended: saved', 'ended: saved at work') THEN '["continue",null,"Running"]' WHEN worker LIKE '%unclear' THEN '["answer",null,"None"]'
  WHEN how IN ('late', 'compact') OR worker = 'ended: aborted' THEN '["rejected",null,"None"]' ELSE '["start",null,"Running"]' END
  FROM ended_said JOIN ended USING (worker) WHERE worker NOT LIKE '%pushed';
SELECT worker || ': its parent is told', d ->> '$.message', 'That is not asked any more. Your answer was not taken.' FROM ended_said
  WHERE worker IN ('ended: committed', 'ended: aborted', 'ended: late');
SELECT worker || ': nothing was begun', (SELECT count(*) FROM session_events WHERE session_label = worker) || ' ' ||
  (SELECT count(*) FROM session_queue WHERE session_label = worker) || (SELECT count(*) FROM tasks WHERE session_label = worker), d FROM ended_was
  WHERE worker IN ('ended: committed', 'ended: aborted', 'ended: late');
INSERT OR REPLACE INTO run SELECT worker, turn_begin(worker, 'w') FROM ended;
CREATE TEMP VIEW ended_task(worker, task) AS SELECT worker, (SELECT description FROM tasks WHERE id = open_task_id) FROM ended JOIN sessions ON label = worker;
SELECT worker || ': goes on with its task', json_array(task, (SELECT task_status FROM session_workers AS w WHERE w.worker = e.worker),
    (SELECT r ->> '$.messages[0].content' FROM run WHERE label = worker)),
  json_array('write the loop', 'running', iif(worker LIKE '%at work', 'and log it', 'five')) FROM ended_task AS e
  WHERE worker IN ('ended: saved', 'ended: saved, pushed', 'ended: saved at work');
SELECT worker || ': what it is told of the end is over', (SELECT json_group_array(json_array(status, error)) FROM session_queue
    WHERE sender = worker AND message_id LIKE 'died:%'), '[["cancelled","it goes on"]]' FROM ended
  WHERE worker IN ('ended: saved', 'ended: saved, pushed', 'ended: saved at work');
SELECT worker || ': the task knows the answer', (SELECT group_concat(data ->> '$.text', '|') FROM observations AS o
    WHERE o.session_label = worker AND o.task_id = (SELECT open_task_id FROM sessions WHERE label = worker) AND data ->> '$.note' IN ('question', 'answer')),
  'Question for user: How many tries?|User response: five' FROM ended WHERE worker IN ('ended: saved', 'ended: saved, pushed');
SELECT worker || ': a next task', task, iif(worker LIKE '%done', 'and log it', 'five') FROM ended_task
  WHERE worker IN ('ended: saved, known', 'ended: saved, other', 'ended: aborted, known', 'ended: called off', 'ended: done');
SELECT 'a pushed answer to nothing is cancelled', json_array(status, error), '["cancelled","what it answers was asked no more"]' FROM session_queue
  WHERE session_label = 'ended: committed, pushed' AND message = 'five';
SELECT 'and begins nothing', task, NULL FROM ended_task WHERE worker = 'ended: committed, pushed';
SELECT 'tried again it is a next task', queue_retry(id) = id, 1 FROM session_queue WHERE session_label = 'ended: committed, pushed' AND message = 'five';
SELECT 'which begins', turn_begin('ended: committed, pushed', 'w') ->> '$.messages[0].content', 'five';
SELECT 'under its words', task, 'five' FROM ended_task WHERE worker = 'ended: committed, pushed';
SELECT 'all is sound', (SELECT group_concat(rule || ' ' || problem, char(10)) FROM turnstile_check), NULL;

---- Each task has its time

SELECT turnstile_clock(1800300000000);
INSERT INTO turnstile VALUES ('session_start', '["timed","oversee"]'),
  ('session_spawn', '["timed","one",{"label":"second","timeout":"10m"}]'), ('session_spawn', '["timed","one",{"label":"untimed"}]'),
  ('session_spawn', '["timed","one",{"label":"third","timeout":"10m"}]'), ('session_spawn', '["timed","one",{"label":"unreported","timeout":"10m"}]');
CREATE TEMP VIEW timed(worker, until) AS SELECT worker, deadline FROM session_workers WHERE parent_session_label = 'timed';
SELECT 'shown by the view', json_array(deadline, timeout), '[1800300600000,600000]' FROM session_workers WHERE worker = 'second';
SELECT 'and by the state', json_extract(session_state('second'), '$.deadline', '$.timeout'), '[1800300600000,600000]';
SELECT 'not of one that has none', json_array(deadline, timeout, json_extract(session_state('untimed'), '$.deadline', '$.timeout')), '[null,null,[null,null]]'
  FROM session_workers WHERE worker = 'untimed';
SELECT session_report(worker, 'completed', 'done') > 0 FROM session_workers WHERE worker IN ('second', 'untimed', 'third');
INSERT INTO turnstile VALUES ('session_transition', '["unreported","PendingComplete",{"summary":"done"}]'), ('session_transition', '["unreported","Complete"]');
SELECT 'none is left after the report', json_array(deadline, timeout), '[null,600000]' FROM session_workers WHERE worker = 'second';
SELECT turnstile_clock(1800300300000);
INSERT INTO turnstile SELECT 'session_deliver', json_array(worker, 'two', json('{"source":"agent","sender":"timed"}')) FROM session_workers
  WHERE worker IN ('second', 'untimed', 'third', 'unreported');
SELECT worker || ': its second task has its time', until, iif(worker = 'untimed', NULL, 1800300900000) FROM timed;
SELECT 'one that was begun in a turn too', turn_begin('second', 'w') ->> '$.messages[0].content', 'two';
SELECT turnstile_clock(1800300899999);
SELECT session_recover('timed') IS NOT NULL;
SELECT 'not before', (SELECT count(*) FROM heard WHERE parent = 'timed' AND what = 'timeout'), 0;
SELECT turnstile_clock(1800300900000);
SELECT 'late', session_sweep() IS NOT NULL, 1;
SELECT 'its parent is told of those with a time', (SELECT group_concat(worker || ': ' || message, '; ') FROM heard WHERE parent = 'timed' AND what = 'timeout'),
  'second: Worker second has not reported within 10 minutes; third: Worker third has not reported within 10 minutes; '
  || 'unreported: Worker unreported has not reported within 10 minutes';
SELECT 'and a third task has it again', session_deliver('third', 'three', '{"source":"agent","sender":"timed","class":"NewTask"}') ->> '$.action', 'start';
SELECT 'from its beginning', until, 1800301500000 FROM timed WHERE worker = 'third';
SELECT 'what is added to it does not prolong it', session_deliver('third', 'and more', '{"source":"agent","sender":"timed","now":1800300960000}') ->> '$.action', 'continue';
SELECT 'it stays', until, 1800301500000 FROM timed WHERE worker = 'third';

---- What gave a task that is reported is done with it, whatever becomes of the turn

CREATE TEMP TABLE rerun AS SELECT s.value AS status, r.value AS recorded, e.value AS ending,
    s.value || ', recorded ' || r.value || ', ' || e.value AS label
  FROM json_each('["completed","failed"]') AS s, json_each('[0,1]') AS r, json_each('["restart","fail","abort"]') AS e;
INSERT INTO turnstile VALUES ('session_start', '["re","oversee"]'), ('turnstile_config', '["max_children",100,{"session":"re"}]');
INSERT INTO turnstile SELECT 'session_spawn', json_array('re', 'which?', json_object('label', label)) FROM rerun;
INSERT INTO run SELECT label, turn_begin(label, 'dies') FROM rerun;
SELECT turn_complete(turn, token, '{"content":"How many?","outcome":"question"}') FROM live, rerun USING (label);
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'five', json('{"source":"agent","sender":"re"}')) FROM rerun;
REPLACE INTO run SELECT label, turn_begin(label, 'dies') FROM rerun;
INSERT INTO turnstile SELECT 'turn_message', json_array(turn, token, json('{"role":"assistant","content":"12"}'))
  FROM live, rerun USING (label) WHERE recorded;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'what now?', json('{"class":"Clarification","mode":"steer"}')) FROM rerun;
INSERT INTO turnstile SELECT 'turn_steering', json_array(turn, token) FROM live, rerun USING (label);
INSERT INTO turnstile SELECT 'session_report', json_array(label, status, '12') FROM rerun;
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'e') FROM live, rerun USING (label) WHERE ending = 'fail';
INSERT INTO turnstile SELECT 'turn_abort', json_array(turn, token, 'e') FROM live, rerun USING (label) WHERE ending = 'abort';
INSERT INTO turnstile VALUES ('turnstile_startup', '["dies",{"all":1}]');
SELECT label || ': it is done with the task', (SELECT group_concat(message || ' ' || q.status) FROM (SELECT * FROM session_queue
  WHERE session_label = label AND source = 'agent' ORDER BY id) AS q), 'which? delivered,five delivered' FROM rerun;
SELECT label || ': nothing of it is begun again', ifnull(turn_begin(label, 'w') LIKE '%five%', 0), 0 FROM rerun;
SELECT label || ': nor waits for a decision', (SELECT count(*) FROM session_attention WHERE session_label = label AND reason = 'failed_input'
  AND detail NOT LIKE '%what now?'), 0 FROM rerun;
-- One that has failed, and one whose task was saved.
INSERT INTO turnstile VALUES ('session_spawn', '["re","dig",{"label":"half done"}]'), ('session_spawn', '["re","dig",{"label":"saved"}]');
INSERT INTO run SELECT label, turn_begin(label, 'w') FROM (SELECT 'half done' AS label UNION ALL SELECT 'saved');
INSERT INTO turnstile SELECT 'turn_message', json_array(turn, token, json('{"role":"assistant","content":"12"}')) FROM live WHERE label = 'half done';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'e') FROM live WHERE label IN ('half done', 'saved');
SELECT 'it had failed', (SELECT group_concat(status) FROM session_queue WHERE session_label = 'half done'), 'failed';
SELECT session_report('half done', 'completed', '12');
SELECT 'a report settles what has failed', (SELECT group_concat(status) FROM session_queue WHERE session_label = 'half done'), 'delivered';
SELECT turnstile_clock(1800300900000 + 8 * 86400000);
SELECT session_sweep() IS NOT NULL;
SELECT 'one that lay too long waits still', (SELECT status FROM session_queue WHERE session_label = 'saved') || ' ' || (SELECT task_status FROM session_workers WHERE worker = 'saved'), 'pending failed';
SELECT session_report('saved', 'completed', '12');
SELECT 'its report settles it', (SELECT status FROM session_queue WHERE session_label = 'saved'), 'delivered';
SELECT 'and nothing is begun again', turn_begin('saved', 'w'), NULL;

---- A process that dies before it reports

CREATE TEMP TABLE leaves(how, state, last);
INSERT INTO leaves VALUES ('restart', 'Running', '12 callers'), ('restart', 'PendingComplete', '12 callers'), ('restart', 'Complete', 'summed up'),
  ('restart', 'committed', 'summed up'), ('sweep', 'Running', '12 callers'), ('sweep', 'committed', 'summed up'), ('idle', 'Running', '12 callers'),
  ('error', 'PendingComplete', '12 callers');
CREATE TEMP VIEW leaving AS SELECT how || ' ' || state AS label, * FROM leaves;
INSERT INTO turnstile VALUES ('session_start', '["left","oversee"]'), ('turnstile_config', '["max_children",100,{"session":"left"}]');
INSERT INTO turnstile SELECT 'session_spawn', json_array('left', 'dig', json_object('label', label)) FROM leaving;
INSERT INTO turnstile VALUES ('session_spawn', '["left","dig",{"label":"it asks"}]'), ('session_spawn', '["left","dig",{"label":"it waits"}]'),
  ('session_spawn', '["left","dig",{"label":"has one"}]'), ('session_spawn', '["has one","dig",{"label":"under it"}]'),
  ('session_spawn', '["left","dig",{"label":"it reports"}]');
INSERT INTO run SELECT label, turn_begin(label, iif(how = 'restart', 'leaver', 'other ' || how)) FROM leaving;
INSERT INTO run SELECT value, turn_begin(value, 'leaver') FROM json_each('["it asks","it waits","has one","it reports"]');
SELECT turn_complete(turn, token, iif(state = 'PendingComplete', '{"content":"12 callers","outcome":"done"}', '{"content":"12 callers"}'))
  FROM live, leaving USING (label);
SELECT turn_complete(turn, token, iif(label = 'it asks', '{"content":"which?","outcome":"question"}', '{"content":"12 callers"}'))
  FROM live WHERE label IN ('it asks', 'it waits', 'has one', 'it reports');
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete', json('{"summary":"summed up"}')) FROM leaving WHERE state = 'Complete';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Complete') FROM leaving WHERE state = 'Complete';
INSERT INTO turnstile SELECT 'session_compact', json_array(label, 'summed up') FROM leaving WHERE state = 'committed';
INSERT INTO turnstile VALUES ('queue_push', '["it waits","more"]'), ('session_report', '["it reports","completed","12"]');
SELECT 'nobody is gone yet', (SELECT count(*) FROM heard WHERE parent = 'left' AND what = 'died'), 0;
INSERT INTO turnstile VALUES ('turnstile_startup', '["leaver"]');
INSERT INTO turnstile SELECT 'session_run', json_array(label, 'other ' || how, 'running') FROM leaving WHERE how = 'error';
INSERT INTO turnstile SELECT 'session_run', json_array(label, 'other ' || how, how) FROM leaving WHERE how IN ('idle', 'error');
SELECT 'one that is silent is not gone', (SELECT count(*) FROM heard WHERE worker GLOB 'sweep*'), 0;
SELECT turnstile_clock(1800300900000 + 8 * 86400000 + 300001);
SELECT session_sweep() IS NOT NULL;
SELECT label || ': its parent has its last words', (SELECT group_concat(what || ': ' || message) FROM heard WHERE worker = label),
  'died: Worker ' || label || ' has stopped without a report. It said last: ' || last FROM leaving;
SELECT label || ': not done is failed', task_status, iif(state IN ('Complete', 'committed'), 'completed', 'failed') FROM leaving, session_workers
  WHERE worker = label;
SELECT worker || ': goes on, or was heard', (SELECT group_concat(what) FROM heard WHERE heard.worker = w.worker), CASE worker WHEN 'it asks' THEN 'question' WHEN 'it reports' THEN 'report' END
  FROM session_workers AS w WHERE worker IN ('it asks', 'it waits', 'has one', 'it reports');
SELECT label || ': the task is as it was', session_state(label) ->> '$.task_state', state FROM leaving WHERE how IN ('idle', 'error');
-- A restart once more says nothing new; the report that comes still is the better word.
INSERT INTO turnstile SELECT 'session_run', json_array(label, 'again', 'starting') FROM leaving WHERE how <> 'error';
INSERT INTO turnstile VALUES ('turnstile_startup', '["again"]');
SELECT label || ': told once', (SELECT count(*) FROM heard WHERE worker = label), 1 FROM leaving;
INSERT INTO turnstile SELECT 'session_report', json_array(label, 'completed', '12, in 4 files') FROM leaving;
SELECT label || ': a report takes its place', (SELECT group_concat(what || ' ' || status) FROM heard WHERE worker = label), 'died cancelled,report pending' FROM leaving;
SELECT label || ': and it is completed', task_status, 'completed' FROM leaving, session_workers WHERE worker = label;

---- What a command tells a parent is none of its own result

SELECT turnstile_clock(1801400000000);
SELECT session_start('told', 'lists');
SELECT session_spawn('told', 'dig', '{"label":"late one","timeout":"10m"}');
SELECT session_spawn('told', 'dig', '{"label":"dead one"}');
CREATE TEMP TABLE dead AS SELECT r ->> '$.turn' AS turn, r ->> '$.token' AS token
  FROM (SELECT turn_begin('dead one', 'a') AS r);
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') IS NOT NULL FROM dead;
SELECT turnstile_clock(1801400601000);
SELECT 'turn_begin of a worker whose time is over', turn_begin('late one', 'a'), NULL;
SELECT 'its parent is told', (SELECT group_concat(what) FROM heard WHERE parent = 'told'), 'timeout';
SELECT turnstile_clock(1801400902000);
SELECT 'turn_begin of a worker that died with something recorded', turn_begin('dead one', 'b'), NULL;
SELECT 'its parent is told, too', (SELECT group_concat(what) FROM heard WHERE parent = 'told'), 'timeout,died';

---- A worker reports by an alias, too

SELECT session_spawn('told', 'dig', '{"label":"named"}');
SELECT session_alias('its other name', 'named');
SELECT 'a report by an alias', (SELECT count(*) FROM session_queue WHERE id = session_report('its other name', 'completed', '3 lists') AND sender = 'named'), 1;

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || problem, char(10)) FROM turnstile_check), NULL;
