-- rewind.sql - session_rewind: the head and the task go together, back and forward again.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);
CREATE TEMP VIEW task AS SELECT s.label, ifnull(t.state, 'None') AS state, t.id, t.state_data, t.description, t.continues_id
  FROM sessions AS s LEFT JOIN tasks AS t ON t.id = s.open_task_id;
CREATE TEMP TABLE at(label, name, turn, state, data);
CREATE TEMP TABLE back(n INTEGER PRIMARY KEY, label, r);
-- Where a session stands now, by a name.
CREATE TEMP TABLE mark(label, name);
CREATE TEMP TRIGGER marks AFTER INSERT ON mark BEGIN
  INSERT INTO at SELECT NEW.label, NEW.name, s.thread_id, t.state, t.state_data FROM sessions AS s JOIN task AS t ON t.label = s.label WHERE s.label = NEW.label;
END;

---- A day of work, by three kinds of hosts: one that appends, one that says first how the task stands, one that runs turns

CREATE TEMP TABLE host(host);
INSERT INTO host VALUES ('appends'), ('says first'), ('runs');
CREATE TEMP TABLE day(n INTEGER PRIMARY KEY, message, class, state, data);
INSERT INTO day VALUES (1, 'add retries', 'NewTask', 'AwaitingUser', '{"question":"How many?","asked_at":5}'), (2, 'three', 'Response', NULL, NULL),
  (3, 'is it done?', 'Clarification', 'PendingComplete', '{"summary":"Retries are in."}'), (4, 'and log them', 'Modification', 'AwaitingUser', '{"question":"Where to?","asked_at":6}'),
  (5, 'stderr', 'Response', 'PendingComplete', '{"summary":"Logged."}');
CREATE TEMP TABLE run(label, r, turn AS (r ->> '$.turn'), token AS (r ->> '$.token'));
CREATE TEMP TABLE go(n);
CREATE TEMP TRIGGER goes AFTER INSERT ON go BEGIN
  INSERT INTO turnstile SELECT 'session_deliver', json_array(host, message, json_object('class', class)) FROM host, day WHERE n = NEW.n;
  INSERT INTO turnstile SELECT 'session_transition', json_array(host, state, json(data)) FROM host, day WHERE n = NEW.n AND host = 'says first' AND state IS NOT NULL;
  INSERT INTO turnstile SELECT 'turn_append', json_array(host, json_array(json_object('role', 'user', 'content', message))) FROM host, day WHERE n = NEW.n AND host <> 'runs';
  INSERT INTO turnstile SELECT 'session_transition', json_array(host, state, json(data)) FROM host, day WHERE n = NEW.n AND host = 'appends' AND state IS NOT NULL;
  INSERT INTO turnstile SELECT 'turn_begin', json_array('runs', 'A1');
  INSERT INTO turnstile SELECT 'turn_complete', json_array(r.turn_id, r.token, json_patch('{"content":"so"}', CASE state WHEN 'AwaitingUser' THEN json_object('outcome', 'question', 'question', day.data ->> '$.question')
    WHEN 'PendingComplete' THEN json_object('outcome', 'done', 'summary', day.data ->> '$.summary') ELSE '{}' END)) FROM session_runs AS r, day WHERE n = NEW.n AND r.session_label = 'runs';
  INSERT INTO mark SELECT host, NEW.n FROM host;
END;
INSERT INTO go VALUES (1), (2), (3), (4), (5);
SELECT host || ': turns', (SELECT count(*) FROM turn_path(host)), 5 FROM host;
SELECT label || ': the day went so', group_concat(state), 'AwaitingUser,Running,PendingComplete,AwaitingUser,PendingComplete' FROM (SELECT * FROM at ORDER BY label, name) GROUP BY label;
-- From everywhere to everywhere, back and forth.
CREATE TEMP TABLE hop(n INTEGER PRIMARY KEY, name);
INSERT INTO hop(name) VALUES (4), (1), (3), (2), (5), (1), (5), (3), (3), (4), (2), (1), (4), (5);
CREATE TEMP TABLE hopped(label, n, name, turn, state, data);
CREATE TEMP TABLE jump(n);
CREATE TEMP TRIGGER jumps AFTER INSERT ON jump BEGIN
  INSERT INTO turnstile SELECT 'session_rewind', json_array(host, turn) FROM host, at JOIN hop ON hop.name = at.name WHERE at.label = host AND hop.n = NEW.n;
  INSERT INTO hopped SELECT host, NEW.n, NULL, s.thread_id, t.state, t.state_data FROM host JOIN sessions AS s ON s.label = host JOIN task AS t ON t.label = host;
END;
INSERT INTO jump SELECT n FROM hop ORDER BY n;
SELECT h.label || ': hop ' || h.n || ' to ' || p.name, json_array(h.turn, h.state, h.data), json_array(a.turn, a.state, a.data)
  FROM hopped AS h JOIN hop AS p ON p.n = h.n JOIN at AS a ON a.label = h.label AND a.name = p.name;
SELECT label || ': one task all the way', (SELECT count(*) FROM tasks WHERE session_label = label), 1 FROM (SELECT DISTINCT label FROM hopped);
SELECT label || ': and no commit', (SELECT count(*) FROM commits WHERE session_label = label), 0 FROM (SELECT DISTINCT label FROM hopped);
SELECT 'every hop was looked at', (SELECT count(*) FROM hopped), 3 * (SELECT count(*) FROM hop);
-- "ok" commits nothing that was undone, and a request finds no unfinished work that was undone.
INSERT INTO back SELECT 1000 + rowid, host, session_rewind(host, (SELECT turn FROM at WHERE label = host AND name = 1)) FROM host;
SELECT host || ': ok', session_deliver(host, 'ok', '{"class":"Confirmation"}') ->> '$.action', 'continue' FROM host;
SELECT host || ': no commit', (SELECT count(*) FROM commits WHERE session_label = host), 0 FROM host;

---- Something new ends what can be gone forward to

INSERT INTO turnstile SELECT 'turn_append', '["appends",[{"role":"user","content":"ok"}]]';
SELECT 'forward after something new', error_of(printf('SELECT session_rewind(''appends'', %d)', turn)) LIKE 'session_rewind: turn ' || turn || ' is not on the path%', 1
  FROM at WHERE label = 'appends' AND name = 5;
SELECT 'a turn that failed is nothing new', json_array(turn_fail(r ->> '$.turn', r ->> '$.token', 'gone') ->> '$.status', session_rewind('says first', (SELECT turn FROM at WHERE label = 'says first' AND name = 5)) ->> '$.state'),
  '["failed","PendingComplete"]' FROM (SELECT turn_begin('says first', 'A1', '{"messages":[{"role":"user","content":"x"}]}') AS r);

---- Before the first turn

SELECT 'the turn must be said', error_of('SELECT session_rewind(''runs'')'), 'session_rewind: turn is missing';
SELECT 'also by name', error_of('INSERT INTO turnstile VALUES (''session_rewind'', ''{"label":"runs"}'')'), 'session_rewind: turn is missing';
INSERT INTO back VALUES (2000, 'says first', session_rewind('says first', NULL));
SELECT 'before the first turn', json_array(r -> '$.head', r ->> '$.state'), '[null,"None"]' FROM back WHERE n = 2000;
SELECT 'nothing is on the path', (SELECT count(*) FROM turn_path('says first')), 0;
SELECT 'nothing is in the context', (SELECT count(*) FROM session_context('says first')), 0;
SELECT 'the task has ended, its work is kept', (SELECT commit_type || ': ' || message || ': ' || (type_data ->> '$.reason') FROM commits WHERE session_label = 'says first'),
  'Abandoned: Undone: add retries: undone by session_rewind';
SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;
SELECT 'once more changes nothing', session_rewind('says first', NULL) ->> '$.notes', NULL;
INSERT INTO back VALUES (2001, 'says first', session_rewind('says first', (SELECT turn FROM at WHERE label = 'says first' AND name = 4)));
SELECT 'and forward: the task is there again', json_array(state, state_data ->> '$.question', description, continues_id), '["AwaitingUser","Where to?","add retries",2]' FROM task WHERE label = 'says first';
SELECT 'as a new one', r ->> '$.notes[0]' LIKE 'task % had ended: it goes on as task %', 1 FROM back WHERE n = 2001;
INSERT INTO back VALUES (2002, 'says first', session_rewind('says first', NULL));
SELECT 'back once more: what has a commit needs no second', (SELECT count(*) FROM commits WHERE session_label = 'says first'), 1;
SELECT 'a new root', session_deliver('says first', 'write a poem', '{"class":"NewTask"}') ->> '$.action' || (SELECT count(*) FROM turns WHERE id = turn_append('says first', '[{"role":"user","content":"write a poem"}]') AND parent_turn_id IS NULL), 'start1';
SELECT 'an empty session', (SELECT turn_begin('empty', 'A1', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL) || (session_start('other', 'x') > 0), '11';
SELECT 'nothing to take back', session_rewind('other', NULL) ->> '$.state', 'None';

---- A task that began in an undone turn; one that ended in one; a commit that was made since

CREATE TEMP TABLE c(label);
INSERT INTO c VALUES ('approved'), ('switched'), ('compacted'), ('dropped'), ('saved');
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'add retries') FROM c;
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"add retries"}]')) FROM c;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser', json('{"question":"How many?"}')) FROM c;
INSERT INTO mark SELECT label, 1 FROM c;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'three', json('{"class":"Response"}')) FROM c;
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"three"}]')) FROM c;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete', json('{"summary":"Done."}')) FROM c;
INSERT INTO turnstile VALUES ('session_deliver', '["approved","ok",{"class":"Confirmation"}]'), ('session_compact', '["compacted"]'),
  ('turnstile_config', '["new_task_policy","switch",{"session":"switched"}]'), ('session_deliver', '["dropped","forget it",{"class":"Abandon"}]'),
  ('session_sweep', '[{"now":800000000}]');
-- (The sweep finds all that are idle: what is open is saved.)
INSERT INTO mark SELECT label, 2 FROM c;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'write a poem', json('{"class":"NewTask"}')) FROM c;
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"write a poem"}]')) FROM c;
INSERT INTO mark SELECT label, 3 FROM c;
SELECT label || ': the poem is begun', group_concat(state), 'AwaitingUser,None,Running' FROM (SELECT * FROM at WHERE label IN (SELECT label FROM c) ORDER BY label, name) GROUP BY label;
CREATE TEMP TABLE commits_was AS SELECT session_label, count(*) AS n FROM commits GROUP BY 1;
INSERT INTO back SELECT 3000 + rowid, label, session_rewind(label, (SELECT turn FROM at WHERE at.label = c.label AND name = 2)) FROM c;
SELECT label || ': the poem is undone, the approval is not', state, 'None' FROM task WHERE label IN (SELECT label FROM c);
SELECT label || ': what ends with it is kept, and said', json_array(commit_type, c.id = r ->> '$.commit_id', r ->> '$.notes[0]'),
  json_array('Abandoned', 1, '''write a poem'' was not begun yet: it ended with an Abandoned commit')
  FROM back JOIN commits AS c ON c.session_label = label AND c.message = 'Undone: write a poem' WHERE n BETWEEN 3000 AND 3099;
INSERT INTO back SELECT 3100 + rowid, label, session_rewind(label, (SELECT turn FROM at WHERE at.label = c.label AND name = 1)) FROM c;
SELECT label || ': the question is open again', json_array(state, state_data ->> '$.question', description), '["AwaitingUser","How many?","add retries"]' FROM task WHERE label IN (SELECT label FROM c);
SELECT label || ': its commit stays', (SELECT count(*) FROM commits AS k WHERE k.session_label = label), n + 1 FROM c JOIN commits_was ON session_label = label;
INSERT INTO back SELECT 3200 + rowid, label, session_rewind(label, (SELECT turn FROM at WHERE at.label = c.label AND name = 2)) FROM c;
SELECT label || ': forward over the end, no second commit', json_array(state, (SELECT count(*) FROM commits AS k WHERE k.session_label = label)), json_array('None', n + 1) FROM task JOIN commits_was ON session_label = label WHERE label IN (SELECT label FROM c);
INSERT INTO back SELECT 3300 + rowid, label, session_rewind(label, (SELECT turn FROM at WHERE at.label = c.label AND name = 3)) FROM c;
SELECT label || ': forward to the poem', json_array(state, description), '["Running","write a poem"]' FROM task WHERE label IN (SELECT label FROM c);
SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;
-- A new task took the old one's place: without the one the other is open again.
SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES ('turnstile_config', '["new_task_policy","switch",{"session":"place"}]'), ('session_deliver', '["place","add retries"]'),
  ('turn_append', '["place",[{"role":"user","content":"add retries"}]]'), ('session_deliver', '["place","write a poem",{"class":"NewTask"}]'),
  ('turn_append', '["place",[{"role":"user","content":"write a poem"}]]');
SELECT session_rewind('place', (SELECT min(turn_id) FROM turn_path('place'))) ->> '$.state', 'Running', 'Running';
SELECT 'the old task is open again', description || ' ' || continues_id = (SELECT description || ' ' || id FROM tasks WHERE session_label = 'place' ORDER BY id LIMIT 1), 1 FROM task WHERE label = 'place';

---- A failed turn's output goes with a rewind to the present head

INSERT INTO turnstile VALUES ('session_deliver', '["f","add retries"]'), ('turn_append', '["f",[{"role":"user","content":"add retries"}]]'),
  ('session_transition', '["f","AwaitingUser",{"question":"How many?"}]'), ('session_deliver', '["f","three",{"class":"Response"}]');
INSERT INTO run(label, r) SELECT 'f', turn_begin('f', 'A1');
SELECT turn_message(turn, token, '{"role":"assistant","content":"rm -rf"}') || turn_fail(turn, token, 'wrong') IS NOT NULL FROM run WHERE label = 'f';
SELECT 'the context shows it', (SELECT count(*) FROM session_context('f') WHERE content = 'rm -rf'), 1;
INSERT INTO back VALUES (4000, 'f', session_rewind('f', (SELECT thread_id FROM sessions WHERE label = 'f')));
SELECT 'it is dropped', json_array(r ->> '$.dropped_turn' = (SELECT turn FROM run WHERE label = 'f'), r ->> '$.state', r ->> '$.previous_state'), '[1,"AwaitingUser","Running"]' FROM back WHERE n = 4000;
SELECT 'its input goes with it, and is listed', r ->> '$.cancelled[0].message', 'three' FROM back WHERE n = 4000;
SELECT 'no context shows it', (SELECT count(*) FROM session_context('f') WHERE content = 'rm -rf'), 0;
SELECT 'no turn goes on from it', (SELECT resumes_turn_id FROM turns WHERE id = turn_begin('f', 'A1', '{"messages":[{"role":"user","content":"three"}]}') ->> '$.turn'), NULL;
SELECT 'its input is tried by hand only', (SELECT status FROM session_queue WHERE session_label = 'f' ORDER BY id DESC LIMIT 1), 'cancelled';
SELECT 'nobody is to look at it', (SELECT count(*) FROM session_attention WHERE session_label = 'f' AND reason = 'failed_turn'), 0;
-- A failed turn of a place that is left is not gone on from elsewhere.
INSERT INTO turnstile VALUES ('turn_append', '["g",[{"role":"user","content":"1"}]]'), ('turn_append', '["g",[{"role":"user","content":"2"}]]'), ('turn_append', '["g",[{"role":"user","content":"3"}]]');
INSERT INTO mark VALUES ('g', 3);
SELECT session_rewind('g', (SELECT min(turn_id) FROM turn_path('g'))) IS NOT NULL;
INSERT INTO run(label, r) SELECT 'g', turn_begin('g', 'A1', '{"messages":[{"role":"user","content":"x"}]}');
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') || turn_fail(turn, token, 'wrong') IS NOT NULL FROM run WHERE label = 'g';
SELECT session_rewind('g', (SELECT turn FROM at WHERE label = 'g')) ->> '$.dropped_turn' = turn, 1, 1 FROM run WHERE label = 'g';
SELECT 'forward again without what failed', (SELECT group_concat(content) FROM session_context('g')), '1,2,3';

---- Workers of undone turns

INSERT INTO turnstile VALUES ('session_deliver', '["boss","find callers"]');
INSERT INTO run(label, r) SELECT 'boss1', turn_begin('boss', 'A1');
SELECT session_spawn('boss', 'dig', '{"label":"w:kept"}');
SELECT turn_complete(turn, token, '{"content":"so"}') IS NOT NULL FROM run WHERE label = 'boss1';
INSERT INTO mark VALUES ('boss', 1);
INSERT INTO turnstile VALUES ('session_deliver', '["boss","and the tests",{"class":"Modification"}]');
INSERT INTO run(label, r) SELECT 'boss2', turn_begin('boss', 'A1');
INSERT INTO turnstile VALUES ('session_spawn', '["boss","dig",{"label":"w:undone"}]'), ('session_spawn', '["boss","dig",{"label":"w:reported"}]'), ('session_spawn', '["w:undone","dig",{"label":"w:below"}]');
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') || turn_fail(turn, token, 'wrong') IS NOT NULL FROM run WHERE label = 'boss2';
INSERT INTO run(label, r) SELECT 'boss3', turn_begin('boss', 'A1', '{"messages":[{"role":"user","content":"go on"}]}');
SELECT turn_complete(turn, token, '{"content":"so"}') IS NOT NULL FROM run WHERE label = 'boss3';
INSERT INTO mark VALUES ('boss', 2);
INSERT INTO turnstile VALUES ('session_deliver', '["boss","and more",{"class":"Modification"}]'), ('turn_append', '["boss",[{"role":"user","content":"and more"}]]'),
  ('session_spawn', '["boss","dig",{"label":"w:without a turn"}]');
INSERT INTO back SELECT 5000, 'boss', session_rewind('boss', turn) FROM at WHERE label = 'boss' AND name = 2;
SELECT 'only what came after: a failed turn that was gone on from is no undone one', r ->> '$.workers_stopped', '["w:without a turn"]' FROM back WHERE n = 5000;
SELECT session_report('w:reported', 'completed', '12 callers') > 0;
SELECT 'a report of it waits', json_array(session_rewind('boss', turn) ->> '$.cancelled', (SELECT status FROM session_queue WHERE message = '12 callers')), '[null,"pending"]' FROM at WHERE label = 'boss' AND name = 2;
INSERT INTO back SELECT 5001, 'boss', session_rewind('boss', turn) FROM at WHERE label = 'boss' AND name = 1;
SELECT 'workers of undone turns are stopped', r ->> '$.workers_stopped', '["w:undone"]' FROM back WHERE n = 5001;
SELECT 'their reports go nowhere', json_array(r ->> '$.cancelled[0].message', (SELECT status || ' ' || error FROM session_queue WHERE id = r ->> '$.cancelled[0].queue_id')),
  '["12 callers","cancelled undone by session_rewind"]' FROM back WHERE n = 5001;
SELECT worker || ': ' || task_status, task_status, iif(worker = 'w:kept', 'pending', iif(worker = 'w:reported', 'completed', 'failed')) FROM session_workers WHERE worker LIKE 'w:%';

---- A choice, inputs that wait, steering

INSERT INTO turnstile VALUES ('session_deliver', '["k","add retries"]'), ('turn_append', '["k",[{"role":"user","content":"add retries"}]]'),
  ('session_deliver', '["k","and log",{"class":"Modification"}]'), ('turn_append', '["k",[{"role":"user","content":"and log"}]]'),
  ('session_deliver', '["k","write a poem",{"class":"NewTask"}]');
INSERT INTO back SELECT 6000, 'k', session_rewind('k', (SELECT min(turn_id) FROM turn_path('k')));
SELECT 'the choice is closed', json_array((SELECT pending_choice FROM sessions WHERE label = 'k'), (SELECT "trigger" FROM session_events WHERE session_label = 'k' AND axis = 'choice' ORDER BY id DESC LIMIT 1)), '[null,"undo"]';
SELECT 'what it held waits', (SELECT message || ' ' || status FROM session_queue WHERE session_label = 'k' ORDER BY id DESC LIMIT 1), 'write a poem pending';
SELECT 'that is said', (SELECT count(*) FROM json_each(r, '$.notes') WHERE value = 'the open choice was closed; what it held waits'), 1 FROM back WHERE n = 6000;
SELECT 'inputs that were done stay done, and that is said', json_array((SELECT count(*) FROM session_queue WHERE session_label = 'k' AND status = 'delivered'), (SELECT count(*) FROM json_each(r, '$.notes') WHERE value = 'inputs of the turns that were left stay done')), '[2,1]' FROM back WHERE n = 6000;
-- It is said by a way back alone: not where the session is, and not by a way forward.
SELECT turn_append('noted', '[{"role":"user","content":"one"}]') > 0;
SELECT turn_append('noted', '[{"role":"user","content":"two"}]') > 0;
CREATE TEMP TABLE noted AS SELECT (SELECT min(turn_id) FROM turn_path('noted')) AS first, (SELECT max(turn_id) FROM turn_path('noted')) AS last;
INSERT INTO back SELECT 6010, 'noted', session_rewind('noted', last) FROM noted;
INSERT INTO back SELECT 6011, 'noted', session_rewind('noted', first) FROM noted;
INSERT INTO back SELECT 6012, 'noted', session_rewind('noted', first) FROM noted;
INSERT INTO back SELECT 6013, 'noted', session_rewind('noted', last) FROM noted;
INSERT INTO back SELECT 6014, 'noted', session_rewind('noted', NULL);
INSERT INTO back SELECT 6015, 'noted', session_rewind('noted', NULL);
INSERT INTO back SELECT 6016, 'noted', session_rewind('noted', first) FROM noted;
SELECT 'noted ' || n, r ->> '$.notes', iif(n IN (6011, 6014), '["inputs of the turns that were left stay done"]', NULL) FROM back WHERE n BETWEEN 6010 AND 6016;
INSERT INTO turnstile VALUES ('session_deliver', '["h","add retries"]'), ('turn_append', '["h",[{"role":"user","content":"add retries"}]]'),
  ('session_transition', '["h","AwaitingUser",{"question":"How many?"}]'), ('session_deliver', '["h","three",{"class":"Response"}]');
INSERT INTO back SELECT 6001, 'h', session_rewind('h', (SELECT thread_id FROM sessions WHERE label = 'h'));
SELECT 'what no turn has taken waits', json_array(r ->> '$.returned[0].message', r ->> '$.state', (SELECT status FROM session_queue WHERE id = r ->> '$.returned[0].queue_id')), '["three","AwaitingUser","pending"]' FROM back WHERE n = 6001;
SELECT 'and is the answer when it is taken', json_array(turn_begin('h', 'A1') ->> '$.messages[0].content', (SELECT state FROM task WHERE label = 'h')), '["three","Running"]';

---- Where the record does not tell, the result says so; a session that was not there yet; a worker's own task

INSERT INTO turnstile VALUES ('session_deliver', '["old","add retries"]'), ('turn_append', '["old",[{"role":"user","content":"add retries"}]]'),
  ('turn_append', '["old",[{"role":"user","content":"and log"}]]');
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
UPDATE session_history SET event_id = NULL WHERE session_label = 'old';
DELETE FROM turnstile_meta WHERE key = 'unguarded';
SELECT 'not on record', json_array(r ->> '$.state', r ->> '$.notes[0]'), '["Running","what the task was at that turn is not on record: it stays as it is"]'
  FROM (SELECT session_rewind('old', (SELECT min(turn_id) FROM turn_path('old'))) AS r);
SELECT session_fork(turn, 'fork') FROM at WHERE label = 'runs' AND name = 3;
INSERT INTO turnstile VALUES ('session_deliver', '["fork","write a poem"]'), ('turn_append', '["fork",[{"role":"user","content":"write a poem"}]]');
SELECT 'a fork, before it was made', session_rewind('fork', turn) ->> '$.state', 'None' FROM at WHERE label = 'runs' AND name = 2;
INSERT INTO turnstile VALUES ('session_start', '["boss2","oversee"]'), ('session_spawn', '["boss2","dig",{"label":"w:own"}]');
INSERT INTO run(label, r) SELECT 'own', turn_begin('w:own', 'A1');
SELECT turn_complete(turn, token, '{"content":"found","outcome":"question","question":"Where?"}') IS NOT NULL FROM run WHERE label = 'own';
SELECT 'a worker keeps its task', json_array(session_rewind('w:own', NULL) ->> '$.state', (SELECT task_status FROM session_workers WHERE worker = 'w:own')), '["Running","failed"]';
SELECT 'its parent hears of it, not of its question', (SELECT group_concat(message) FROM session_queue WHERE session_label = 'boss2' AND status = 'pending'), 'Worker w:own has failed: it was taken back by session_rewind';

---- Refused while somebody is at work; a lapsed run is over; handed on to another file

INSERT INTO turnstile VALUES ('turn_append', '["l",[{"role":"user","content":"1"}]]');
INSERT INTO run(label, r) SELECT 'l', turn_begin('l', 'A1', '{"messages":[{"role":"user","content":"2"}],"lease":"1s"}');
SELECT 'a live run', error_of('SELECT session_rewind(''l'', NULL)') LIKE 'session_rewind: session ''l'' is busy%', 1;
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') IS NOT NULL FROM run WHERE label = 'l';
SELECT 'a lapsed one fails, and is dropped', session_rewind('l', (SELECT thread_id FROM sessions WHERE label = 'l'), '{"now":2000000}') ->> '$.dropped_turn' = turn, 1 FROM run WHERE label = 'l';
SELECT session_rewind('l', NULL) IS NOT NULL;
SELECT 'exported and imported before the first turn', session_import(session_export('l'), '{"as":"l2"}') ->> '$.session', 'l2';
SELECT 'its head', (SELECT thread_id FROM sessions WHERE label = 'l2'), NULL;

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref || ' ' || problem) FROM turnstile_check), NULL;

---- An undo to where the work was interrupted

-- What had interrupted it was taken by the turn that is left; words that still wait are no matter.
SELECT session_deliver('broke in ' || value, 'add x', '{"owner":"w","class":"NewTask"}') FROM json_each('["taken","waits"]');
SELECT turn_message(turn_id, token, '{"role":"assistant","content":"half"}') FROM session_runs WHERE session_label LIKE 'broke in %';
SELECT session_deliver('broke in ' || value, 'no, five', '{"class":"Modification","mode":"interrupt"}') FROM json_each('["taken","waits"]');
SELECT turn_abort(turn_id, token, 'stopped') FROM session_runs WHERE session_label LIKE 'broke in %';
SELECT turn_begin('broke in taken', 'w') ->> '$.messages[0].content';
SELECT turn_complete(turn_id, token, '{"content":"Done."}') FROM session_runs WHERE session_label = 'broke in taken';
SELECT turn_append('broke in waits', '[{"role":"user","content":"by hand"},{"role":"assistant","content":"Done."}]');
CREATE TEMP TABLE undone_to(label, r);
INSERT INTO undone_to SELECT s.label, session_rewind(s.label, (SELECT parent_turn_id FROM turns WHERE id = s.thread_id))
  FROM sessions AS s WHERE label LIKE 'broke in %';
SELECT label || ': the state', r ->> '$.state', 'Interrupted' FROM undone_to;
SELECT 'interrupted by what is gone: it says so', (SELECT count(*) FROM json_each(r, '$.notes') WHERE value =
  '''no, five'' had interrupted the work, and was taken by a turn that was left; deliver it again to have it worked on'), 1
  FROM undone_to WHERE label = 'broke in taken';
SELECT 'interrupted by what waits: nothing to say', (SELECT count(*) FROM json_each(r, '$.notes') WHERE value LIKE '%had interrupted%')
  || (SELECT status FROM session_queue WHERE session_label = label AND message = 'no, five'), '0pending'
  FROM undone_to WHERE label = 'broke in waits';

-- A task that was saved as stale, and is taken up by an undo, is not saved again at the next message.
SELECT session_start('laid', 'add retries', '{"now":1767225600000}');
SELECT turn_append('laid', '[{"role":"user","content":"hi"},{"role":"assistant","content":"yo"}]', '{"now":1767225600000}');
SELECT turn_append('laid', '[{"role":"user","content":"b"},{"role":"assistant","content":"c"}]', '{"now":1767225600000}');
SELECT session_sweep(json_object('now', 1767225600000 + 8 * 86400000)) ->> '$.saved';
SELECT 'what was saved goes on', session_rewind('laid', (SELECT min(id) FROM turns WHERE id IN (SELECT parent_turn_id FROM turns
  WHERE id = (SELECT thread_id FROM sessions WHERE label = 'laid'))), json_object('now', 1767225600002 + 8 * 86400000)) ->> '$.state', 'Running';
SELECT 'and is not idle', json_extract(session_deliver('laid', 'use jitter', json_object('class', 'Modification',
  'now', 1767225600003 + 8 * 86400000)), '$.action', '$.state', '$.commit_id'), '["continue","Running",null]';

---- A request that was tried, and failed

-- Each conversation has one turn; a second request is tried and fails; what came meanwhile only waits. Then the head
-- goes to that one turn, where it is, or to before it.
SELECT turnstile_clock(1767225600000);
CREATE TEMP TABLE attempt(label, how, target);
INSERT INTO attempt SELECT how || ' ' || target, how, target
  FROM (SELECT value AS how FROM json_each('["nothing shown","half done","429","worn","given back","lapsed"]')),
       (SELECT value AS target FROM json_each('["here","before"]'));
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'add retries', json('{"owner":"A1"}')) FROM attempt;
SELECT turn_complete(turn_id, token, '{"content":"so"}') IS NOT NULL FROM session_runs JOIN attempt ON label = session_label;
INSERT INTO turnstile SELECT 'turnstile_config', json_array('max_attempts', 1, json_object('session', label)) FROM attempt WHERE how = 'worn';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'log them', json('{"owner":"A1","class":"Modification"}')) FROM attempt;
SELECT queue_push(label, 'and test') > 0 FROM attempt;
SELECT turn_message(turn_id, token, '{"role":"assistant","content":"half"}') IS NOT NULL FROM session_runs JOIN attempt ON label = session_label WHERE how = 'half done';
SELECT iif(how = 'given back', turn_abort(turn_id, token, 'stop', '{"requeue":1}'),
           turn_fail(turn_id, token, 'broken', iif(how = '429', '{"retry_after":"30s"}', '{}'))) IS NOT NULL
  FROM session_runs JOIN attempt ON label = session_label WHERE how <> 'lapsed';
SELECT turnstile_clock(1767225600000 + 3600000);
CREATE TEMP TABLE given_up(label, how, target, r);
INSERT INTO given_up SELECT label, how, target, session_rewind(label, iif(target = 'here', (SELECT thread_id FROM sessions AS s WHERE s.label = a.label), NULL)) FROM attempt AS a;
SELECT label || ': what was tried is listed', (SELECT group_concat(value ->> '$.message') FROM json_each(r, '$.cancelled')), 'log them' FROM given_up;
SELECT label || ': and says why', (SELECT error FROM session_queue WHERE session_label = label AND message = 'log them' AND status = 'cancelled'), 'undone by session_rewind' FROM given_up;
SELECT label || ': what was never tried waits', (SELECT status FROM session_queue WHERE session_label = label AND message = 'and test'), 'pending' FROM given_up;
SELECT label || ': nothing starts again', (SELECT group_concat(value ->> '$.content') FROM json_each(turn_begin(label, 'A2'), '$.messages')), 'and test' FROM given_up;
SELECT turn_complete(turn_id, token, '{"content":"so"}') IS NOT NULL FROM session_runs JOIN attempt ON label = session_label;
SELECT label || ': by hand it does', CASE WHEN queue_retry((SELECT id FROM session_queue WHERE session_label = label AND message = 'log them')) > 0
  THEN turn_begin(label, 'A2') ->> '$.messages[0].content' END, 'log them' FROM given_up;

-- What is tried by hand and was not begun yet only waits, wherever its first attempt had stood.
SELECT session_deliver('by hand', 'add retries', '{"owner":"A1"}') IS NOT NULL;
SELECT turn_fail(turn_id, token, 'broken') IS NOT NULL FROM session_runs WHERE session_label = 'by hand';
SELECT 'a first turn that failed', session_rewind('by hand', NULL) ->> '$.cancelled[0].message', 'add retries';
SELECT queue_retry((SELECT id FROM session_queue WHERE session_label = 'by hand')) > 0;
SELECT 'it is not undone twice', json_array(session_rewind('by hand', NULL) ->> '$.cancelled', (SELECT status FROM session_queue WHERE session_label = 'by hand')), '[null,"pending"]';

-- An attempt that was gone on from is no undone one; going forward leaves what was tried since the undo.
SELECT session_deliver('past', 'add retries', '{"owner":"A1"}') IS NOT NULL;
SELECT turn_message(turn_id, token, '{"role":"assistant","content":"half"}') || turn_fail(turn_id, token, 'broken') IS NOT NULL FROM session_runs WHERE session_label = 'past';
SELECT turn_append('past', json_array(json_object('role', 'user', 'content', 'turn ' || value))) > 0 FROM json_each('[1,2,3]');
INSERT INTO mark VALUES ('past', 3);
SELECT 'gone on from', json_array(session_rewind('past', (SELECT parent_turn_id FROM turns WHERE id = (SELECT turn FROM at WHERE label = 'past'))) ->> '$.cancelled',
  (SELECT status FROM session_queue WHERE session_label = 'past' AND message = 'add retries')), '[null,"failed"]';
SELECT session_deliver('past', 'log them', '{"owner":"A1","class":"Modification"}') IS NOT NULL;
SELECT turn_fail(turn_id, token, 'broken') IS NOT NULL FROM session_runs WHERE session_label = 'past';
SELECT 'tried since the undo', session_rewind('past', (SELECT turn FROM at WHERE label = 'past')) ->> '$.cancelled[0].message', 'log them';
SELECT session_deliver('again', 'add retries', '{"owner":"A1"}') IS NOT NULL;
SELECT turn_complete(turn_id, token, '{"content":"so"}') IS NOT NULL FROM session_runs WHERE session_label = 'again';
SELECT session_deliver('again', 'and b', '{"owner":"A1","class":"Modification"}') IS NOT NULL;
SELECT turn_complete(turn_id, token, '{"content":"so"}') IS NOT NULL FROM session_runs WHERE session_label = 'again';
INSERT INTO mark VALUES ('again', 2);
SELECT session_deliver('again', 'log them', '{"owner":"A1","class":"Modification"}') IS NOT NULL;
SELECT turn_fail(turn_id, token, 'broken') IS NOT NULL FROM session_runs WHERE session_label = 'again';
SELECT session_rewind('again', NULL) ->> '$.cancelled[0].message';
SELECT 'going forward brings no request back, and says so', (SELECT count(*) FROM json_each(session_rewind('again', (SELECT turn FROM at WHERE label = 'again')), '$.notes')
  WHERE value = printf('''log them'' stays cancelled; queue_retry(%d) has it worked on', (SELECT id FROM session_queue WHERE session_label = 'again' AND message = 'log them'))), 1;

---- What workers said to turns that are undone, and were told by them

-- Two turns; in the first a worker is spawned, which asks or reports. The second takes that, and tells the worker
-- something, or fails.
CREATE TEMP TABLE kind(label, says, does);
INSERT INTO kind SELECT says || ': ' || does, says, does
  FROM (SELECT value AS says FROM json_each('["report","question","died"]')), (SELECT value AS does FROM json_each('["takes","fails","appends","tells","pushes"]'));
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'oversee', json('{"owner":"A1"}')) FROM kind;
INSERT INTO turnstile SELECT 'session_spawn', json_array(label, 'dig', json_object('label', 'w ' || label)) FROM kind;
SELECT turn_complete(turn_id, token, '{"content":"so"}') IS NOT NULL FROM session_runs JOIN kind ON label = session_label;
INSERT INTO mark SELECT label, 1 FROM kind;
SELECT turn_begin('w ' || label, 'A1') IS NOT NULL FROM kind;
SELECT CASE says WHEN 'died' THEN turn_message(turn_id, token, '{"role":"assistant","content":"half"}') || turn_fail(turn_id, token, 'broken')
  ELSE turn_complete(turn_id, token, iif(says = 'question', '{"content":"Where?","outcome":"question"}', '{"content":"so"}')) END IS NOT NULL
  FROM session_runs JOIN kind ON 'w ' || label = session_label;
INSERT INTO turnstile SELECT 'session_report', json_array('w ' || label, 'completed', '12 callers') FROM kind WHERE says = 'report';
CREATE TEMP TABLE word(label, id, message);
INSERT INTO word SELECT label, q.id, q.message FROM kind JOIN session_queue AS q ON q.session_label = label AND q.channel = 'worker';
SELECT 'each has said something', (SELECT count(*) FROM word), (SELECT count(*) FROM kind);
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'go on', json('{"class":"Modification"}')) FROM kind WHERE does = 'appends';
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json_array(json_object('role', 'user', 'content', message), json_object('role', 'user', 'content', 'go on'))) FROM kind JOIN word USING (label) WHERE does = 'appends';
SELECT turn_begin(label, 'A1') IS NOT NULL FROM kind WHERE does <> 'appends';
INSERT INTO turnstile SELECT iif(does = 'tells', 'session_deliver', 'queue_push'), json_array('w ' || label, 'there', json_object('source', 'agent', 'sender', label)) FROM kind WHERE does IN ('tells', 'pushes');
SELECT turn_message(turn_id, token, '{"role":"assistant","content":"half"}') || turn_fail(turn_id, token, 'broken') IS NOT NULL FROM session_runs JOIN kind ON label = session_label WHERE does = 'fails';
SELECT turn_complete(turn_id, token, '{"content":"so"}') IS NOT NULL FROM session_runs JOIN kind ON label = session_label WHERE does NOT IN ('fails', 'appends');
INSERT INTO mark SELECT label, 2 FROM kind;
CREATE TEMP TABLE unsaid(label, says, does, r);
INSERT INTO unsaid SELECT label, says, does, session_rewind(label, (SELECT turn FROM at WHERE at.label = kind.label AND name = 1)) FROM kind;
SELECT label || ': it is said again, unless the worker was answered', json_array(r ->> '$.returned[0].message', (SELECT status FROM session_queue AS q WHERE q.id = w.id)),
  CASE WHEN does = 'tells' AND says = 'question' THEN '[null,"delivered"]' ELSE json_array(message, 'pending') END FROM unsaid JOIN word AS w USING (label);
SELECT label || ': what was told is listed', json_array((SELECT group_concat(value ->> '$.worker' || ': ' || (value ->> '$.message')) FROM json_each(r, '$.told')), (SELECT group_concat(value ->> '$.message') FROM json_each(r, '$.cancelled'))),
  CASE does WHEN 'tells' THEN json_array('w ' || label || ': there', NULL) WHEN 'pushes' THEN '[null,"there"]' ELSE '[null,null]' END FROM unsaid
  WHERE NOT (says = 'report' AND does = 'tells');
SELECT label || ': a second task is stopped', r ->> '$.workers_stopped', json_array('w ' || label) FROM unsaid WHERE says = 'report' AND does = 'tells';
SELECT label || ': what was taken back is not worked on', (SELECT status || ' ' || error FROM session_queue WHERE session_label = 'w ' || label AND message = 'there'), 'cancelled undone by session_rewind' FROM unsaid WHERE does = 'pushes';
SELECT label || ': no input stands twice', (SELECT count(*) - count(DISTINCT value ->> '$.queue_id') FROM (SELECT value FROM json_each(r, '$.cancelled') UNION ALL SELECT value FROM json_each(r, '$.returned'))), 0 FROM unsaid;
SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref || ' ' || problem) FROM turnstile_check), NULL;
-- Forward again the turn has heard it; what the worker was told stays taken back.
CREATE TEMP TABLE resaid(label, says, does, r);
INSERT INTO resaid SELECT label, says, does, session_rewind(label, turn) FROM kind JOIN at USING (label) WHERE name = 2 AND does <> 'fails';
SELECT label || ': heard again', json_array(r ->> '$.returned', (SELECT status || ' ' || ifnull(error, '') FROM session_queue AS q WHERE q.id = w.id)), '[null,"delivered "]' FROM resaid JOIN word AS w USING (label);
SELECT label || ': told no more', (SELECT count(*) FROM json_each(r, '$.notes') WHERE value LIKE '''there'' to worker ''w ' || label || ''' stays cancelled; queue_retry(%'), does = 'pushes' FROM resaid;
SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref || ' ' || problem) FROM turnstile_check), NULL;

-- The next turn gets it.
SELECT turn_begin('report: fails', 'A1') ->> '$.messages[0].content' = '12 callers', 1, 1;

-- Words about a second task that was undone go nowhere, as those of a worker that was.
INSERT INTO turnstile VALUES ('session_start', '["second","oversee"]'), ('session_spawn', '["second","dig",{"label":"w second"}]'), ('session_report', '["w second","completed","12"]'),
  ('turn_append', '["second",[{"role":"user","content":"12"}]]');
INSERT INTO mark VALUES ('second', 1);
INSERT INTO turnstile VALUES ('session_deliver', '["second","go on",{"class":"Modification"}]'), ('session_deliver', '["w second","and tests",{"source":"agent"}]'),
  ('turn_append', '["second",[{"role":"user","content":"go on"}]]'), ('session_report', '["w second","completed","5 more"]');
CREATE TEMP TABLE second(r);
INSERT INTO second SELECT session_rewind('second', turn) FROM at WHERE label = 'second';
SELECT 'the report of a second task', json_extract(r, '$.cancelled[0].message', '$.returned[0].message', '$.told[0].message'), '["5 more","12","and tests"]' FROM second;

---- A worker that undo has stopped

CREATE TEMP TABLE stopped(label);
INSERT INTO stopped VALUES ('answered'), ('pushed'), ('next');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'oversee') FROM stopped;
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"oversee"}]')) FROM stopped;
INSERT INTO mark SELECT label, 1 FROM stopped;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'go on', json('{"class":"Modification"}')) FROM stopped;
INSERT INTO turnstile SELECT 'session_spawn', json_array(label, 'dig', json_object('label', 'w ' || label)) FROM stopped;
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"go on"}]')) FROM stopped;
INSERT INTO mark SELECT label, 2 FROM stopped;
INSERT INTO turnstile SELECT 'session_transition', json_array('w ' || label, 'AwaitingUser', json('{"question":"Where?"}')) FROM stopped;
SELECT label || ': its question goes with it', (SELECT count(*) FROM json_each(session_rewind(label, turn), '$.cancelled')), 1 FROM stopped JOIN at USING (label) WHERE name = 1;
SELECT 'an answer begins nothing', json_extract(session_deliver('w answered', 'there', '{"source":"agent","sender":"answered"}'), '$.action', '$.state'), '["rejected","None"]';
SELECT queue_push('w pushed', 'there', '{"source":"agent","sender":"pushed"}') > 0;
SELECT 'nor when it is taken', json_array(turn_begin('w pushed', 'A1'), (SELECT state FROM task WHERE label = 'w pushed')), '[null,"None"]';
SELECT 'a next task does', session_deliver('w next', 'dig there', '{"source":"agent","sender":"next","class":"NewTask"}') ->> '$.action', 'start';
SELECT label || ': going forward does not start it, and says so', (SELECT count(*) FROM json_each(session_rewind(label, turn), '$.notes') WHERE value = 'worker ''w ' || label || ''' was stopped by an undo, and does not go on by itself'), 1
  FROM stopped JOIN at USING (label) WHERE name = 2 AND label <> 'next';

---- A report that waited is cancelled with its worker, once; forward it waits again

INSERT INTO turnstile VALUES ('session_start', '["wait","oversee"]'), ('turn_append', '["wait",[{"role":"user","content":"oversee"}]]');
INSERT INTO mark VALUES ('wait', 1);
INSERT INTO turnstile VALUES ('session_deliver', '["wait","go on",{"class":"Modification"}]'), ('session_spawn', '["wait","dig",{"label":"w wait"}]'),
  ('turn_append', '["wait",[{"role":"user","content":"go on"}]]');
INSERT INTO mark VALUES ('wait', 2);
INSERT INTO turnstile VALUES ('session_report', '["w wait","completed","12"]'), ('session_deliver', '["wait","and","{\"class\":\"Modification\"}"]');
CREATE TEMP TABLE waited(name, r);
INSERT INTO waited SELECT name, session_rewind('wait', turn) FROM at WHERE label = 'wait' AND name = 1;
SELECT 'handed over, and cancelled: in one list', json_array((SELECT group_concat(value ->> '$.message') FROM json_each(r, '$.cancelled')), (SELECT group_concat(value ->> '$.message') FROM json_each(r, '$.returned'))), '["12","and"]' FROM waited WHERE name = 1;
INSERT INTO waited SELECT name, session_rewind('wait', turn) FROM at WHERE label = 'wait' AND name = 2;
SELECT 'forward it waits again', r ->> '$.returned[0].message', '12' FROM waited WHERE name = 2;

---- A report that a turn has taken, back and forward by any steps: it stands in the conversation, or it waits, never both

-- back, forth: the marks at which the head stands one after the other. 1 is before the worker was there, 2 before its
-- report was taken, 3 behind that.
CREATE TEMP TABLE steps(label TEXT PRIMARY KEY, way, waits);
INSERT INTO steps SELECT 'steps ' || value, value, substr(value, -1) = '2' FROM json_each(
  '["2,1,3","1,3","2,1,2","1,2","2,1,2,3","1,2,3","2,3","2,1,2,1,3","1,2,1,2","1,2,3,2","2,3,1,2"]');
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"hi"}]')) FROM steps;
INSERT INTO mark SELECT label, 1 FROM steps;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'oversee', json('{"class":"NewTask","owner":"w"}')) FROM steps;
INSERT INTO turnstile SELECT 'session_spawn', json_array(label, 'dig', json_object('label', 'w ' || label)) FROM steps;
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"begun"}')) FROM session_runs JOIN steps ON label = session_label;
INSERT INTO mark SELECT label, 2 FROM steps;
INSERT INTO turnstile SELECT 'session_report', json_array('w ' || label, 'completed', '12') FROM steps;
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'w') FROM steps;
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"told"}')) FROM session_runs JOIN steps ON label = session_label;
INSERT INTO mark SELECT label, 3 FROM steps;
CREATE TEMP TABLE walked AS SELECT s.label, i.id AS n, session_rewind(s.label, a.turn) AS r
  FROM steps AS s CROSS JOIN json_each('[' || s.way || ']') AS i CROSS JOIN at AS a ON a.label = s.label AND a.name = i.value;
SELECT label || ': listed when it comes back', (SELECT group_concat(value ->> '$.message') FROM json_each(r, '$.returned')), iif(waits, '12', NULL)
  FROM steps JOIN walked AS w USING (label) WHERE n = (SELECT max(n) FROM walked WHERE label = w.label);
SELECT label || ': it waits, or was taken', (SELECT status FROM session_queue WHERE session_label = label AND message = '12'), iif(waits, 'pending', 'delivered') FROM steps;
SELECT label || ': a turn gets it where it waits', (SELECT group_concat(value ->> '$.content') FROM json_each(turn_begin(label, 'w'), '$.messages')), iif(waits, '12', NULL) FROM steps;
SELECT label || ': and shows it once', (SELECT count(*) FROM session_context(label) WHERE content = '12'), 1 FROM steps;

---- What a running task has

SELECT session_start('data', 'add retries') > 0;
SELECT turn_append('data', '[{"role":"user","content":"1"}]') > 0;
SELECT session_transition('data', 'PendingComplete', '{"summary":"Done."}');
SELECT session_transition('data', 'Running', '{"plan":["a","b"],"params":{"n":5},"summary":"Half."}');
INSERT INTO mark VALUES ('data', 1);
SELECT session_deliver('data', 'on', '{"class":"Modification"}') IS NOT NULL;
SELECT turn_append('data', '[{"role":"user","content":"2"}]') > 0;
SELECT session_transition('data', 'PendingComplete', '{"summary":"Done."}') || session_transition('data', 'Running', '{"plan":["c"]}');
INSERT INTO mark VALUES ('data', 2);
SELECT session_deliver('data', 'and', '{"class":"Modification"}') IS NOT NULL;
SELECT session_transition('data', 'PendingComplete', '{"summary":"Done."}');
SELECT session_deliver('data', 'more of it', '{"class":"Modification"}') IS NOT NULL;
SELECT turn_append('data', '[{"role":"user","content":"3"}]') > 0;
INSERT INTO mark VALUES ('data', 3);
SELECT session_rewind('data', NULL) IS NOT NULL;
CREATE TEMP TABLE went(n INTEGER PRIMARY KEY, name);
INSERT INTO went(name) VALUES (2), (3), (1), (3), (2), (1), (2);
CREATE TEMP TABLE had(n, state, data);
CREATE TEMP TRIGGER go_there AFTER UPDATE ON went BEGIN
  INSERT INTO turnstile SELECT 'session_rewind', json_array('data', turn) FROM at WHERE label = 'data' AND name = NEW.name;
  INSERT INTO had SELECT NEW.n, state, state_data FROM task WHERE label = 'data';
END;
UPDATE went SET n = n;
SELECT 'step ' || n || ': the state and its data', json_array(had.state, had.data), json_array(at.state, at.data) FROM went JOIN had USING (n) JOIN at ON at.label = 'data' AND at.name = went.name;
SELECT 'a plan among them', (SELECT count(*) FROM had WHERE data LIKE '%plan%'), 5;
SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref || ' ' || problem) FROM turnstile_check), NULL;

---- A turn that a compaction makes is left by the same command

-- What failed turns alone have written gets a turn, below which a compaction begins. What was asked for in that command
-- is the next turn's, as with any other head.
CREATE TEMP TABLE alone(label TEXT PRIMARY KEY, began, took);
INSERT INTO alone VALUES ('alone begin', NULL, NULL), ('alone owner', NULL, NULL);
UPDATE alone SET began = session_deliver(label, 'build a wall', '{"class":"NewTask","owner":"w"}') -> 'turn';
SELECT turn_message(began ->> 'turn', began ->> 'token', '{"role":"assistant","content":"half"}') IS NOT NULL FROM alone;
SELECT turn_fail(began ->> 'turn', began ->> 'token', 'no network') IS NOT NULL FROM alone;
SELECT queue_push(label, '/compact') > 0 FROM alone;
SELECT session_transition(label, 'Interrupted', '{"user_message":"not so fast"}') FROM alone;
UPDATE alone SET took = turn_begin(label, 'w') WHERE label = 'alone begin';
UPDATE alone SET took = session_deliver(label, 'tick', '{"source":"timer","owner":"w"}') -> 'turn' WHERE label = 'alone owner';
SELECT label || ': the compaction has its turn', t.turn_type, 'compaction' FROM alone JOIN turns AS t ON t.id = took ->> 'turn';
SELECT label || ': the work goes on', session_state(label) ->> 'task_state', 'Running' FROM alone;
SELECT turn_fail(took ->> 'turn', took ->> 'token', 'no network') IS NOT NULL FROM alone;
SELECT session_transition(label, 'PendingComplete', '{"summary":"It is done"}') FROM alone;
SELECT label || ': back there it is what it was before', json_extract(session_rewind(label, took ->> 'parent'), '$.previous_state', '$.state'),
  '["PendingComplete","Interrupted"]' FROM alone;
SELECT label || ': with its words', state_data ->> 'user_message', 'not so fast' FROM alone JOIN tasks ON session_label = label;

---- Forward to where a task had ended that was picked up on the way back

INSERT INTO turnstile SELECT 'session_deliver', '["redone","add retries",{"class":"NewTask","owner":"w"}]';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"How many?","outcome":"question"}')) FROM session_runs WHERE session_label = 'redone';
INSERT INTO turnstile SELECT 'session_deliver', '["redone","three",{"owner":"w"}]';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"Done.","outcome":"done"}')) FROM session_runs WHERE session_label = 'redone';
CREATE TEMP TABLE redone AS SELECT head AS turn, head - 1 AS first, (SELECT id FROM tasks WHERE session_label = 'redone') AS task
  FROM session_overview WHERE label = 'redone';
SELECT 'it is approved', session_deliver('redone', 'perfect') ->> '$.action', 'complete';
SELECT 'back to the question', session_rewind('redone', first) ->> '$.state', 'AwaitingUser' FROM redone;
SELECT 'forward again, the note names the task that had not begun', session_rewind('redone', turn) ->> '$.notes[0]',
  printf('task %d, as which ''add retries'' goes on, was not begun yet: it ended without a commit', (SELECT max(id) FROM tasks WHERE session_label = 'redone')) FROM redone;
SELECT 'the approval stays', (SELECT group_concat(commit_type) FROM commits WHERE session_label = 'redone'), 'Normal';

---- What was merged into a session, or has come home from one, was tried in another conversation

INSERT INTO turnstile SELECT 'session_deliver', '["dm:sms:prim","paint the wall",{"class":"NewTask","owner":"w","channel":"sms","sender":"prim"}]';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"Painted."}')) FROM session_runs WHERE session_label = 'dm:sms:prim';
SELECT turn_append('dm:sms:prim', '[{"role":"user","content":"two"}]') > 0;
CREATE TEMP TABLE prim AS SELECT head - 1 AS first FROM session_overview WHERE label = 'dm:sms:prim';

INSERT INTO turnstile SELECT 'session_deliver', '["dm:mail:other","fix the roof",{"class":"NewTask","owner":"w","channel":"mail","sender":"other"}]';
SELECT session_spawn('dm:mail:other', 'find nails', '{"label":"nails"}');
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"I wait for nails."}')) FROM session_runs WHERE session_label = 'dm:mail:other';
INSERT INTO turnstile SELECT 'session_deliver', '["dm:mail:other","why is it so red?",{"class":"Clarification","owner":"w","channel":"mail","sender":"other"}]';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn_id, token, 'k', 'ls') FROM session_runs WHERE session_label = 'dm:mail:other';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'no network') FROM session_runs WHERE session_label = 'dm:mail:other';
SELECT session_deliver('dm:mail:other', 'how high?', '{"class":"Clarification","channel":"mail","sender":"other"}') IS NOT NULL;
INSERT INTO turnstile SELECT 'turn_begin', '["dm:mail:other","w"]';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'no network') FROM session_runs WHERE session_label = 'dm:mail:other';
SELECT session_report('nails', 'completed', 'twelve nails') > 0;
SELECT session_deliver('nails', 'and screws?', '{"source":"agent","sender":"dm:mail:other"}') IS NOT NULL;
SELECT session_report('nails', 'completed', 'no screws') > 0;
SELECT 'the two are one', identity_link('sms', 'prim', 'pat') ->> 'action' || ' ' || (identity_link('mail', 'other', 'pat') ->> 'session'), 'promoted dm:sms:prim';
CREATE TEMP VIEW others AS SELECT group_concat(message || ' ' || status, ', ') AS rows
  FROM (SELECT message, status FROM session_queue WHERE session_label = 'dm:sms:prim' AND message <> 'paint the wall' ORDER BY id);
SELECT 'what it brings with it', rows, 'why is it so red? failed, how high? pending, twelve nails pending, no screws pending' FROM others;
SELECT 'undone here, nothing of it was tried here', session_rewind('dm:sms:prim', first) ->> '$.cancelled', NULL FROM prim;
SELECT 'also to before the first turn', session_rewind('dm:sms:prim', NULL) ->> '$.cancelled', NULL;
SELECT 'all of it is as it was', rows, 'why is it so red? failed, how high? pending, twelve nails pending, no screws pending' FROM others;
INSERT INTO turnstile SELECT 'turn_begin', '["dm:sms:prim","w"]';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn_id, token, 'k', 'ls') FROM session_runs WHERE session_label = 'dm:sms:prim';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'no network') FROM session_runs WHERE session_label = 'dm:sms:prim';
SELECT 'one is tried here', rows, 'why is it so red? failed, how high? failed, twelve nails pending, no screws pending' FROM others;
SELECT 'that is undone here', session_rewind('dm:sms:prim', NULL) ->> '$.cancelled[0].message', 'how high?';
SELECT 'and nothing else', rows, 'why is it so red? failed, how high? cancelled, twelve nails pending, no screws pending' FROM others;
SELECT queue_retry(id) = id FROM session_queue WHERE message = 'how high?';
INSERT INTO turnstile SELECT 'turn_begin', '["dm:sms:prim","w"]';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn_id, token, 'k', 'ls') FROM session_runs WHERE session_label = 'dm:sms:prim';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'no network') FROM session_runs WHERE session_label = 'dm:sms:prim';
SELECT 'the two part', identity_unlink('mail', 'other') ->> '$.session', 'dm:mail:other';
CREATE TEMP TABLE home AS SELECT session_rewind('dm:mail:other', NULL) ->> '$.cancelled' AS r;
SELECT 'at home what was tried at home is undone, with the words of a worker of this conversation', json_array_length(r), 3 FROM home;
SELECT 'by its name', r ->> '$[2].message', 'why is it so red?' FROM home;
SELECT 'what was tried in the other one is not', status, 'failed' FROM session_queue WHERE message = 'how high?';

---- What was done on a task since it was picked up is kept in a commit, when the way goes back further

CREATE TEMP TABLE again(label PRIMARY KEY, kept);
INSERT INTO again VALUES ('again nothing', 0), ('again report', 1), ('again question', 1), ('again answer', 1), ('again note', 1), ('again run', 1), ('again twice', 0);
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'add retries', json('{"class":"NewTask","owner":"w"}')) FROM again;
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"How many?","outcome":"question"}')) FROM session_runs JOIN again ON session_label = label;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'three', json('{"owner":"w"}')) FROM again;
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"Done.","outcome":"done"}')) FROM session_runs JOIN again ON session_label = label;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'perfect') FROM again;
CREATE TEMP TABLE began AS SELECT label, head - 1 AS first FROM session_overview WHERE label LIKE 'again %';
SELECT label || ': it is picked up', session_rewind(label, first) ->> '$.state', 'AwaitingUser' FROM began;
SELECT session_rewind(label, first) FROM began WHERE label = 'again twice';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Running') FROM again WHERE label = 'again report';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete', json('{"summary":"Seven."}')) FROM again WHERE label = 'again report';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser', json('{"question":"How many then?"}')) FROM again WHERE label = 'again question';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'seven', json('{"class":"Response"}')) FROM again WHERE label = 'again answer';
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'seven is better') FROM again WHERE label = 'again note';
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'w', json('{"messages":[{"role":"user","content":"seven"}]}')) FROM again WHERE label = 'again run';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn_id, token, 'k', 'make') FROM session_runs WHERE session_label = 'again run';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'no network') FROM session_runs WHERE session_label = 'again run';
SELECT label || ': what is back there', session_rewind(label, NULL) ->> '$.commit_id' IS NOT NULL, kept FROM again;
SELECT label || ': commits', (SELECT group_concat(commit_type, ' ') FROM commits WHERE session_label = label), iif(kept, 'Normal Abandoned', 'Normal') FROM again;

---- Back to where a task had ended, which has no commit yet

CREATE TEMP TABLE had_ended(label, state, data);
INSERT INTO had_ended VALUES ('ended well', 'Complete', '{}'), ('ended badly', 'Aborted', '{"reason":"no paint"}');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'paint') FROM had_ended;
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json_array(json_object('role', 'user', 'content', value))) FROM had_ended, json_each('["1","2"]');
SELECT session_transition(label, 'PendingComplete', '{"summary":"Painted."}') FROM had_ended WHERE state = 'Complete';
SELECT session_transition(label, state, data) FROM had_ended;
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json_array(json_object('role', 'user', 'content', value))) FROM had_ended, json_each('["3"]');
CREATE TEMP TABLE end_of AS SELECT had_ended.label, had_ended.state, head FROM had_ended JOIN session_overview AS o ON o.label = had_ended.label;
SELECT label || ': as it had ended, it still is', session_rewind(label, head - 1) ->> '$.state', state FROM end_of;
SELECT label || ': before its end it runs', session_rewind(label, head - 2) ->> '$.state', 'Running' FROM end_of;
SELECT label || ': forward again', session_rewind(label, head - 1) ->> '$.state', 'None' FROM end_of;
