-- full.sql - a full queue drops nothing that somebody waits for, whoever sent it, at the time of dropping.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

CREATE TEMP TABLE full(policy, cap, label);
INSERT INTO full SELECT p.value, c.value, p.value || ' ' || c.value FROM json_each('["reject","drop-oldest"]') AS p, json_each('[1,2,3]') AS c;
CREATE TEMP TABLE kind(kind, message);
INSERT INTO kind VALUES ('parent answers', 'use jitter'), ('parent pushes', 'use jitter'), ('user answers', 'use jitter'), ('user names the question', 'use jitter'),
  ('task', 'dig'), ('tried again', 'add retries'), ('press', 'B, but with jitter');
CREATE TEMP TABLE s AS SELECT kind || ', ' || label AS label, kind, message, policy, cap FROM kind, full;
SELECT turnstile_config('queue_cap', cap, json_object('session', label)) + length(turnstile_config('queue_full', policy, json_object('session', label))) FROM s;
-- The sessions: a worker that asks; a user's that asks; a worker with its task; work that is tried again later; a choice.
INSERT INTO turnstile SELECT 'session_start', json_array('boss ' || label, 'boss') FROM s WHERE kind LIKE 'parent%' OR kind = 'task';
INSERT INTO turnstile SELECT 'session_spawn', json_array('boss ' || label, iif(kind = 'task', 'dig', 'count'), json_object('label', label)) FROM s WHERE kind LIKE 'parent%' OR kind = 'task';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'add retries', json('{"class":"NewTask","owner":"w"}')) FROM s WHERE kind NOT LIKE 'parent%' AND kind <> 'task';
SELECT count(turn_begin(label, 'w')) FROM s WHERE kind LIKE 'parent%';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"A fixed pause?","outcome":"question"}')) FROM session_runs JOIN s ON label = session_label WHERE kind LIKE 'parent%' OR kind LIKE 'user%';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, '429', json('{"retry_after":"1h"}')) FROM session_runs JOIN s ON label = session_label WHERE kind = 'tried again';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'build a shop', json('{"class":"NewTask"}')) FROM s WHERE kind = 'press';
UPDATE sessions SET status = 'error', status_reason = 'crashed' WHERE label IN (SELECT label FROM s WHERE kind = 'press');
-- A live run: what comes waits.
SELECT count(turn_begin(label, 'c', '{"messages":[{"role":"user","content":"go"}]}')) FROM s WHERE kind LIKE 'parent%' OR kind LIKE 'user%';
CREATE TEMP TABLE first AS SELECT label, CASE kind
  WHEN 'parent answers' THEN session_deliver(label, message, json_object('source', 'agent', 'sender', 'boss ' || label)) ->> '$.action'
  WHEN 'parent pushes' THEN queue_push(label, message, json_object('source', 'agent', 'sender', 'boss ' || label)) > 0
  WHEN 'user answers' THEN session_deliver(label, message, '{"class":"Response","mode":"queue"}') ->> '$.action'
  WHEN 'user names the question' THEN session_deliver(label, message, json_object('mode', 'queue', 'asked_at', session_state(label) ->> '$.question.asked_at')) ->> '$.action'
  WHEN 'press' THEN session_deliver(label, message, json_object('opened_at', session_state(label) ->> '$.pending_choice.opened_at')) ->> '$.action' END AS said FROM s;
SELECT label || ': it waits', (SELECT count(*) FROM session_queue AS q WHERE q.session_label = label AND q.message = s.message AND status = 'pending'), 1 FROM s;
-- A flood of what nobody waits for.
CREATE TEMP TABLE flood AS SELECT label, value_of(printf('SELECT session_deliver(%Q, ''tick %d'', ''{"source":"timer"}'') ->> ''$.action''', label, n.value)) AS said FROM s, json_each('[1,2,3,4,5]') AS n;
SELECT label || ': it waits still', (SELECT count(*) FROM session_queue AS q WHERE q.session_label = label AND q.message = s.message AND status IN ('pending', 'handed')), 1 FROM s;
SELECT label || ': the queue is no longer than it may be', (SELECT count(*) <= cap + 1 FROM session_queue AS q WHERE q.session_label = label AND status = 'pending'), 1 FROM s;
-- Nor is a press kept out by them.
SELECT label || ': a second press is let in', session_deliver(label, 'A', json_object('opened_at', session_state(label) ->> '$.pending_choice.opened_at')) ->> '$.action', 'blocked' FROM s WHERE kind = 'press';
SELECT label || ': it waits, too', (SELECT count(*) FROM session_queue AS q WHERE q.session_label = label AND q.message = 'A' AND status = 'pending'), 1 FROM s WHERE kind = 'press';
SELECT 'what nobody waits for is dropped', count(*) > 20, 1 FROM session_queue WHERE error = 'dropped: the queue was full' AND message LIKE 'tick%';
SELECT 'and nothing else', count(*), 0 FROM session_queue WHERE error = 'dropped: the queue was full' AND message NOT LIKE 'tick%';

---- Into a queue that is full, an answer is let in

INSERT INTO turnstile SELECT 'session_start', json_array('late ' || label, 'x') FROM full;
INSERT INTO turnstile SELECT 'session_transition', json_array('late ' || label, 'AwaitingUser', json('{"question":"A fixed pause?"}')) FROM full;
SELECT turnstile_config('queue_cap', cap, json_object('session', 'late ' || label)) + length(turnstile_config('queue_full', policy, json_object('session', 'late ' || label))) FROM full;
SELECT count(turn_begin('late ' || label, 'c', '{"messages":[{"role":"user","content":"go"}]}')) FROM full;
SELECT count(value_of(printf('SELECT session_deliver(%Q, ''tick %d'', ''{"source":"timer"}'')', 'late ' || label, n.value))) FROM full, json_each('[1,2,3]') AS n;
CREATE TEMP TABLE late AS SELECT label, policy, session_deliver('late ' || label, 'doubling', '{"class":"Response","mode":"queue"}') AS d, NULL AS again FROM full;
SELECT label || ': the answer is let in', json_extract(d, '$.action', '$.cancelled'), '["queue",null]' FROM late;
SELECT label || ': one is enough', session_deliver('late ' || label, 'at most five', '{"class":"Response","mode":"queue"}') ->> '$.action',
  iif(policy = 'reject', 'rejected', 'queue') FROM late;
SELECT label || ': it waits still', (SELECT count(*) FROM session_queue WHERE session_label = 'late ' || label AND message = 'doubling' AND status = 'pending'), 1 FROM late;
SELECT label || ': an agent that is nobody''s parent answers nothing', session_deliver('late ' || label, 'at most seven', '{"class":"Response","mode":"queue","source":"agent","sender":"x"}') ->> '$.action',
  iif(policy = 'reject', 'rejected', 'queue') FROM late;
SELECT label || ': one that names the question is let in', session_deliver('late ' || label, 'at most six', json_object('mode', 'queue', 'asked_at', (SELECT state_data ->> '$.asked_at' FROM sessions JOIN tasks ON tasks.id = open_task_id WHERE sessions.label = 'late ' || late.label))) ->> '$.action', 'queue' FROM late;
SELECT label || ': and waits', (SELECT count(*) FROM session_queue WHERE session_label = 'late ' || label AND message = 'at most six' AND status = 'pending'), 1 FROM late;

---- What was said before the question was asked is no answer, and keeps none out

INSERT INTO turnstile SELECT 'session_start', json_array('before ' || label, 'x') FROM full;
SELECT turnstile_config('queue_cap', 1, json_object('session', 'before ' || label)) + length(turnstile_config('queue_full', policy, json_object('session', 'before ' || label))) FROM full;
SELECT count(queue_push('before ' || label, 'use doubling')) FROM full;
SELECT count(turn_begin('before ' || label, 'c', '{"messages":[{"role":"user","content":"go"}]}')) FROM full;
INSERT INTO turnstile SELECT 'session_transition', json_array('before ' || label, 'AwaitingUser', json('{"question":"A fixed pause?"}')) FROM full;
CREATE TEMP TABLE before AS SELECT label, policy, session_deliver('before ' || label, 'yes', '{"class":"Response","mode":"queue"}') ->> '$.action' AS said, NULL AS again FROM full;
SELECT label || ': the answer is let in all the same', said, 'queue' FROM before;

---- A worker's next task waits behind the run that has reported, and stays

CREATE TEMP TABLE next AS SELECT policy, cap, label, way, way || ' ' || label AS worker FROM full, (SELECT value AS way FROM json_each('["delivered","pushed","archived"]'));
INSERT INTO turnstile SELECT 'session_start', json_array('of ' || worker, 'x') FROM next;
INSERT INTO turnstile SELECT 'session_spawn', json_array('of ' || worker, 'dig', json_object('label', worker)) FROM next;
SELECT turnstile_config('queue_cap', cap, json_object('session', worker)) + length(turnstile_config('queue_full', policy, json_object('session', worker))) FROM next;
SELECT count(turn_begin(worker, 'w')) FROM next WHERE way <> 'archived';
SELECT count(session_report(worker, 'completed', 'R')) FROM next;
UPDATE sessions SET status = 'archived' WHERE label IN (SELECT worker FROM next WHERE way = 'archived');
-- Somebody else's word is no task, and keeps none out.
SELECT count(queue_push(worker, 'hm', '{"source":"agent","sender":"passer-by"}')) FROM next WHERE way <> 'archived';
SELECT count(value_of(printf('SELECT session_deliver(%Q, ''early %d'', ''{"source":"timer"}'')', worker, n.value))) FROM next, json_each('[1,2,3]') AS n WHERE way <> 'archived';
INSERT INTO turnstile SELECT iif(way = 'pushed', 'queue_push', 'session_deliver'), json_array(worker, 'second task', json_object('source', 'agent', 'sender', 'of ' || worker)) FROM next;
SELECT worker || ': it waits', (SELECT status FROM session_queue WHERE session_label = worker AND message = 'second task'), 'pending' FROM next WHERE way <> 'archived';
SELECT count(value_of(printf('SELECT session_deliver(%Q, ''tick %d'', ''{"source":"timer"}'')', worker, n.value))) FROM next, json_each('[1,2,3,4,5]') AS n;
SELECT worker || ': it is dropped by nothing', (SELECT status IN ('pending', 'handed') FROM session_queue WHERE session_label = worker AND message = 'second task'), 1 FROM next;
SELECT worker || ': the queue is no longer than it may be', (SELECT count(*) <= cap + 1 FROM session_queue WHERE session_label = worker AND status = 'pending'), 1 FROM next;
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token) FROM session_runs JOIN next ON worker = session_label WHERE turn_id IS NOT NULL;

---- What was handed over and waits again is waited for

CREATE TEMP TABLE again AS SELECT policy, cap, label, way, way || ' ' || label AS s FROM full, (SELECT value AS way FROM json_each('["rewound","merged"]'));
INSERT INTO turnstile SELECT 'turn_append', json_array(s, json('[{"role":"user","content":"hi"}]')) FROM again WHERE way = 'rewound';
CREATE TEMP TABLE kept AS SELECT s, head AS turn FROM again JOIN session_overview AS o ON o.label = s WHERE way = 'rewound';
SELECT s || ': handed over', session_deliver(s, 'add retries', '{"class":"NewTask"}') ->> '$.action', 'start' FROM again WHERE way = 'rewound';
SELECT s || ': it waits again', json_array_length(session_rewind(s, turn) -> '$.returned'), 1 FROM kept;
SELECT count(session_deliver('dm:' || s || ':u', 'add retries', json_object('class', 'NewTask', 'channel', s, 'sender', 'u'))) FROM again WHERE way = 'merged';
SELECT count(turn_append('dm:' || s, '[{"role":"user","content":"hi"}]')) FROM again WHERE way = 'merged';
SELECT s || ': merged', identity_link(s, 'u', s) ->> '$.action', 'merged' FROM again WHERE way = 'merged';
UPDATE again SET s = 'dm:' || s WHERE way = 'merged';
SELECT s || ': it waits', (SELECT status FROM session_queue WHERE session_label = s AND message = 'add retries'), 'pending' FROM again;
SELECT turnstile_config('queue_cap', cap, json_object('session', s)) + length(turnstile_config('queue_full', policy, json_object('session', s))) FROM again;
SELECT count(turn_begin(s, 'c', '{"messages":[{"role":"user","content":"go"}]}')) FROM again;
SELECT count(value_of(printf('SELECT session_deliver(%Q, ''tick %d'', ''{"source":"timer"}'')', s, n.value))) FROM again, json_each('[1,2,3,4,5]') AS n;
SELECT s || ': it waits still', (SELECT status FROM session_queue WHERE session_label = s AND message = 'add retries'), 'pending' FROM again;

---- What somebody has tried again is dropped by no full queue, whoever has said it, and however it was done with before

CREATE TEMP TABLE revived(s PRIMARY KEY, message, options, id INTEGER);
INSERT INTO revived(s, message, options) VALUES ('revived user', 'add retries', '{}'), ('revived timer', 'tock', '{"source":"timer"}'),
  ('revived agent', 'a word', '{"source":"agent","sender":"b"}'), ('revived words', '/compact', '{}'), ('revived worker', 'and screws', '{"source":"agent","sender":"revived parent"}'),
  ('revived dropped', 'tock', '{"source":"timer"}'), ('revived failed', '/compact', '{}');
INSERT INTO turnstile SELECT 'session_start', '["revived parent","build a boat"]';
SELECT session_spawn('revived parent', 'find nails', '{"label":"revived worker"}');
INSERT INTO turnstile SELECT 'turn_append', json_array('revived failed', json('[{"role":"user","content":"' || value || '"}]')) FROM json_each('["one","two"]');
SELECT count(queue_push('revived worker', 'a first word', '{"source":"agent","sender":"revived parent"}'));
UPDATE revived SET id = queue_push(s, message, options);
SELECT turnstile_config('queue_cap', 1, json_object('session', s)), turnstile_config('queue_full', 'drop-oldest', json_object('session', s)) IS NOT NULL, 1 FROM revived;
SELECT turnstile_config('max_attempts', 1, '{"session":"revived failed"}');
SELECT count(queue_push(s, 'tick', '{"source":"timer"}')) FROM revived WHERE s = 'revived dropped';
INSERT INTO turnstile SELECT 'turn_begin', '["revived failed","w"]';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'no network') FROM session_runs WHERE session_label = 'revived failed';
SELECT count(queue_cancel(id)) FROM revived WHERE s NOT IN ('revived dropped', 'revived failed');
SELECT s || ': it is done with', (SELECT status FROM session_queue WHERE session_queue.id = revived.id), iif(s = 'revived failed', 'failed', 'cancelled') FROM revived;
SELECT s || ': it is tried again', queue_retry(id), id FROM revived;
SELECT count(value_of(printf('SELECT queue_push(%Q, ''tick %d'', ''{"source":"webhook"}'')', s, n.value))) FROM revived, json_each('[1,2,3,4,5]') AS n;
SELECT s || ': it waits still', (SELECT status FROM session_queue WHERE session_queue.id = revived.id), 'pending' FROM revived;
SELECT s || ': one of the others does', (SELECT group_concat(message) FROM session_queue WHERE session_label = s AND status = 'pending' AND source = 'webhook'), 'tick 5' FROM revived;
SELECT 'the rule about it holds', (SELECT count(*) FROM turnstile_check WHERE rule = 'queue_exempt'), 0;

---- The same of an agent's words that were handed over and wait again

SELECT turn_append('agent again', '[{"role":"user","content":"hi"}]') > 0;
SELECT 'an agent''s words are handed over', session_deliver('agent again', 'a word', '{"source":"agent","sender":"b"}') ->> '$.action', 'continue';
SELECT 'they wait again', session_rewind('agent again', NULL) ->> '$.returned[0].message', 'a word';
SELECT session_deliver('dm:agt:u', 'a word', '{"source":"agent","channel":"agt","sender":"u"}') ->> '$.action';
SELECT turn_append('dm:agt', '[{"role":"user","content":"hi"}]') > 0;
SELECT 'they come with a merge', identity_link('agt', 'u', 'agt') ->> '$.action', 'merged';
CREATE TEMP TABLE agents(s);
INSERT INTO agents VALUES ('agent again'), ('dm:agt');
SELECT turnstile_config('queue_cap', 1, json_object('session', s)), turnstile_config('queue_full', 'drop-oldest', json_object('session', s)) IS NOT NULL, 1 FROM agents;
SELECT count(value_of(printf('SELECT queue_push(%Q, ''tick %d'', ''{"source":"webhook"}'')', s, n.value))) FROM agents, json_each('[1,2,3]') AS n;
SELECT s || ': they wait still', (SELECT group_concat(status) FROM session_queue WHERE session_label = s AND message = 'a word'), 'pending' FROM agents;
