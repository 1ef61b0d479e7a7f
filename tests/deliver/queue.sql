-- queue.sql - inputs that wait: how turn_begin takes them, what comes of them when a turn ends, and
-- what can be done about a single one.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

-- Every turn that was begun, in order, with what it took.
CREATE TEMP TABLE took(n INTEGER PRIMARY KEY, label, r);
CREATE TEMP VIEW last(label, turn, token, r) AS
  SELECT label, r ->> '$.turn', r ->> '$.token', r FROM took
  WHERE n IN (SELECT max(n) FROM took WHERE r IS NOT NULL GROUP BY label);
CREATE TEMP VIEW given(n, label, messages) AS
  SELECT n, label, (SELECT group_concat(value ->> '$.content') FROM json_each(r, '$.messages'))
  FROM took;
-- What became of a session's inputs, in the order in which they came.
CREATE TEMP VIEW rows(label, line) AS
  SELECT session_label, group_concat(message || ' ' || status || attempts, ' | ')
  FROM (SELECT * FROM session_queue ORDER BY session_label, id) GROUP BY session_label;

---- queue_push

SELECT 'it returns the row''s id', queue_push('push', 'one', '{"channel":"wa","sender":"u1",
  "message_id":"m1","source":"agent","mode":"collect"}'), 1;
SELECT 'the row', (SELECT json_array(session_label, message, status, source, channel, sender,
    message_id, mode, class, attempts, rank, enqueued_at, delivered_at, turn_id)
  FROM session_queue WHERE id = 1),
  '["push","one","pending","agent","wa","u1","m1","collect",null,0,0,1000000,null,null]';
SELECT 'the session was made', json_extract(session_state('push'), '$.status', '$.task_state',
  '$.run_state', '$.turn'), '["active","None","idle",null]';
SELECT 'it is a delivery', (SELECT json_array(message, action, class, decision ->> '$.queue_id')
  FROM deliveries WHERE session_label = 'push'), '["one","queue",null,1]';
SELECT 'the same message_id', queue_push('push', 'one', '{"channel":"wa","sender":"u1",
  "message_id":"m1"}'), 1;
SELECT 'in other words', error_of('SELECT queue_push(''push'', ''two'', ''{"channel":"wa",
  "sender":"u1","message_id":"m1"}'')'),
  'queue_push: message_id ''m1'' was used before for another message; use a new one';
SELECT 'of another sender', queue_push('push', 'three', '{"channel":"wa","sender":"u2",
  "message_id":"m1"}'), 2;
SELECT 'on another channel', queue_push('push', 'four', '{"channel":"sms","sender":"u1",
  "message_id":"m1"}'), 3;
SELECT 'to another session', queue_push('push 2', 'five', '{"channel":"wa","sender":"u1",
  "message_id":"m1"}'), 4;
SELECT 'without one each is new', queue_push('push', 'six') || queue_push('push', 'six'), '56';
SELECT 'a user''s by default', (SELECT source || ' ' || sender || channel FROM session_queue
  WHERE id = 5), 'user ';
SELECT 'the default modes', (SELECT group_concat(name || ' ' || mode) FROM (
    SELECT name, (SELECT mode FROM session_queue WHERE id = queue_push('modes', name,
      json_object('source', name))) AS mode
    FROM (SELECT 'agent' AS name UNION ALL SELECT 'timer' UNION ALL SELECT 'webhook'
      UNION ALL SELECT 'system'))),
  'agent followup,timer followup,webhook queue,system queue';
SELECT 'by the door', value_of('INSERT INTO turnstile VALUES (''queue_push'', ''["push 2","x",
  {"message_id":"d1"}]'') RETURNING turnstile_result()') = (SELECT id FROM session_queue
  WHERE message_id = 'd1'), 1;

-- Only that: neither session nor task nor run nor other inputs move.
CREATE TEMP TABLE quiet(label, state, status);
INSERT INTO quiet VALUES ('quiet running', 'Running', 'active'),
  ('quiet done', 'PendingComplete', 'active'), ('quiet error', 'Running', 'error'),
  ('quiet archived', 'Running', 'archived'), ('quiet suspended', 'Running', 'suspended'),
  ('quiet live', 'Running', 'active');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM quiet;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state,
  json('{"summary":"Retries added"}')) FROM quiet WHERE state <> 'Running';
INSERT INTO took(label, r) SELECT label, turn_begin(label, 'A1',
  '{"messages":[{"role":"user","content":"go"}]}') FROM quiet WHERE label = 'quiet live';
UPDATE sessions SET status = (SELECT status FROM quiet AS q WHERE q.label = sessions.label)
  WHERE label IN (SELECT label FROM quiet WHERE status <> 'active');
CREATE TEMP TABLE were AS SELECT label, session_state(label) AS s FROM quiet;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'stop', json('{"now":1001000,
  "mode":"queue"}')) FROM quiet;
SELECT label || ': it only waits', json_array((SELECT line FROM rows AS r WHERE r.label = q.label),
    session_state(label) ->> '$.task_state', session_state(label) ->> '$.status',
    session_state(label) ->> '$.run_state'),
  json_array('stop pending0', state, status, s ->> '$.run_state')
  FROM quiet AS q JOIN were USING (label);
SELECT 'a run is not told', json_extract(turn_heartbeat(turn, token), '$.interrupted',
  '$.steering'),
  '[false,0]' FROM last WHERE label = 'quiet live';

CREATE TEMP TABLE wrong(call, message);
INSERT INTO wrong VALUES
  ('queue_push(NULL, ''x'')', 'queue_push: label is missing'),
  ('queue_push('''', ''x'')', 'queue_push: label is empty'),
  ('queue_push(''push'')', 'queue_push: message is missing'),
  ('queue_push(''push'', ''  '')', 'queue_push: message is %'),
  ('queue_push(''push'', ''x'', ''{"source":"me"}'')',
   'queue_push: source is ''me''; it must be one of: user, agent, timer, webhook, system'),
  ('queue_push(''push'', ''x'', ''{"mode":"later"}'')',
   'queue_push: mode is ''later''; it must be one of: queue, followup, collect, steer, %'),
  ('queue_push(''push'', ''x'', ''{"class":"Response"}'')',
   'queue_push: unknown option ''class''; it takes: message_id, source, channel, sender, mode%'),
  ('queue_cancel(99999)', 'queue_cancel: there is no input 99999 in the queue'),
  ('queue_retry(99999)', 'queue_retry: there is no input 99999 in the queue'),
  ('queue_front(99999)', 'queue_front: there is no input 99999 in the queue'),
  ('queue_cancel(NULL)', 'queue_cancel: queue_id is missing'),
  ('queue_retry(''x'')', 'queue_retry: queue_id must be an integer%'),
  ('queue_front(-1)', 'queue_front: queue_id is -1; %');
SELECT 'refused: ' || call, iif(error_of('SELECT ' || call) LIKE message, message,
  ifnull(error_of('SELECT ' || call), '(no error)')), message FROM wrong;

-- A full queue.
INSERT INTO turnstile VALUES ('turnstile_config', '["queue_cap",2,{"session":"cap"}]'),
  ('queue_push', '["cap","one"]'), ('queue_push', '["cap","two",{"message_id":"m2"}]');
SELECT 'full', error_of('SELECT queue_push(''cap'', ''three'')'),
  'queue_push: the queue of session ''cap'' is full (queue_cap)';
SELECT 'what is there already is no more', queue_push('cap', 'two', '{"message_id":"m2"}') > 0, 1;
SELECT 'also when its id is new', error_of('SELECT queue_push(''cap'', ''three'',
  ''{"message_id":"m3"}'')') LIKE 'queue_push: %full%', 1;
SELECT 'the file''s owner is not the one who is told off', error_code_of('SELECT
  queue_push(''cap'', ''three'')') <> 13, 1; -- SQLITE_FULL would undo the transaction around it
CREATE TABLE around(x);
SELECT 'the transaction around it stays', error_of('BEGIN; INSERT INTO around VALUES (1)'), NULL;
SELECT 'refused in a statement that reads', error_of('SELECT queue_push(''cap'', ''three'')
  FROM around') LIKE 'queue_push: %full%', 1;
SELECT 'it is still open', error_of('INSERT INTO around VALUES (2); COMMIT'), NULL;
SELECT 'with all that was done in it', (SELECT count(*) FROM around), 2;
DROP TABLE around;
INSERT INTO turnstile VALUES ('turnstile_config', '["queue_full","drop-oldest",{"session":"cap"}]'),
  ('queue_push', '["cap","three"]');
SELECT 'or the oldest gives way', (SELECT line FROM rows WHERE label = 'cap'),
  'one cancelled0 | two pending0 | three pending0';
INSERT INTO took(label, r) SELECT 'cap', turn_begin('cap', 'A1');
INSERT INTO turnstile VALUES ('queue_push', '["cap","four"]');
SELECT 'what is being worked on takes no room', (SELECT line FROM rows WHERE label = 'cap'),
  'one cancelled0 | two processing1 | three pending0 | four pending0';

---- Taking: one after the other

INSERT INTO turnstile SELECT 'queue_push', json_array('fifo', value, json_object('mode',
    iif(key % 2, 'queue', 'followup'), 'source', 'agent', 'sender', 's' || key, 'channel', 'c',
    'message_id', 'id' || key)) FROM json_each('["a","b","c"]');
INSERT INTO took(label, r) SELECT 'fifo', turn_begin('fifo', 'A1');
SELECT 'the first in line', json_extract(r, '$.messages'), json_array(json_object('role', 'user',
    'content', 'a', 'queue_id', (SELECT id FROM session_queue WHERE message_id = 'id0'),
    'source', 'agent', 'channel', 'c', 'sender', 's0', 'message_id', 'id0', 'class', NULL,
    'attempt', 1)) FROM last WHERE label = 'fifo';
SELECT 'all that a turn is told', (SELECT group_concat(key) FROM last, json_each(r)
  WHERE label = 'fifo'), 'turn,token,session,parent,expires_at,resume_cursor,messages';
SELECT 'it is a message of the turn', (SELECT json_group_array(json_array(sequence, role, source,
    content)) FROM messages WHERE turn_id = turn), '[[0,"user","agent","a"]]' FROM last
  WHERE label = 'fifo';
SELECT 'the turn''s source', (SELECT source FROM turns WHERE id = turn), 'agent' FROM last
  WHERE label = 'fifo';
SELECT 'the others wait', (SELECT line FROM rows WHERE label = 'fifo'),
  'a processing1 | b pending0 | c pending0';
SELECT 'the end tells how many', turn_complete(turn, token, '{"content":"done",
  "resume_cursor":"c1"}') ->> '$.waiting', 2 FROM last WHERE label = 'fifo';
INSERT INTO took(label, r) SELECT 'fifo', turn_begin('fifo', 'A2');
SELECT 'the provider''s thread', r ->> '$.resume_cursor', 'c1' FROM last WHERE label = 'fifo';
SELECT 'the next one''s parent', r ->> '$.parent', (SELECT r ->> '$.turn' FROM took
  WHERE label = 'fifo' ORDER BY n LIMIT 1) FROM last WHERE label = 'fifo';
SELECT turn_complete(turn, token) FROM last WHERE label = 'fifo';
INSERT INTO took(label, r) SELECT 'fifo', turn_begin('fifo', 'A1');
SELECT turn_complete(turn, token) FROM last WHERE label = 'fifo';
INSERT INTO took(label, r) SELECT 'fifo', turn_begin('fifo', 'A1');
SELECT 'each turn took one', (SELECT group_concat(ifnull(messages, '-')) FROM given
  WHERE label = 'fifo'), 'a,b,c,-';
SELECT 'all are delivered', (SELECT line FROM rows WHERE label = 'fifo'),
  'a delivered1 | b delivered1 | c delivered1';
SELECT 'nothing waits, no lease', (SELECT json_array(turn_id, expires_at, run_state)
  FROM session_runs WHERE session_label = 'fifo'), '[null,null,"ready"]';

-- With messages of its own the turn takes nothing from the queue.
INSERT INTO turnstile VALUES ('queue_push', '["own","a",{"mode":"queue"}]');
INSERT INTO took(label, r) SELECT 'own', turn_begin('own', 'A1',
  '{"messages":[{"role":"user","content":"mine"}]}');
SELECT 'messages of its own', (SELECT messages FROM given WHERE label = 'own'), 'mine';
SELECT 'the queue is as it was', (SELECT line FROM rows WHERE label = 'own'), 'a pending0';
SELECT 'the run is told nothing of it', turn_heartbeat(turn, token) ->> '$.steering', 0 FROM last
  WHERE label = 'own';

---- Taking: all that was handed over

-- Several are handed over with one decision; then something else is pushed.
INSERT INTO turnstile VALUES ('session_start', '["handed","add retries"]');
UPDATE sessions SET status = 'error' WHERE label = 'handed';
INSERT INTO turnstile VALUES ('session_deliver', '["handed","one"]'),
  ('session_deliver', '["handed","beat",{"source":"timer"}]');
UPDATE sessions SET status = 'active' WHERE label = 'handed';
INSERT INTO turnstile VALUES ('session_deliver', '["handed","two",{"class":"Modification"}]'),
  ('queue_push', '["handed","later",{"mode":"queue"}]');
SELECT 'before', (SELECT line FROM rows WHERE label = 'handed'),
  'one handed1 | beat handed1 | two handed1 | later pending0';
INSERT INTO took(label, r) SELECT 'handed', turn_begin('handed', 'A1');
SELECT 'what was handed over, together', (SELECT messages FROM given WHERE label = 'handed'),
  'one,beat,two';
SELECT 'each is the first attempt', (SELECT group_concat(value ->> '$.attempt')
  FROM last, json_each(r, '$.messages') WHERE label = 'handed'), '1,1,1';
SELECT 'then it is being worked on', (SELECT line FROM rows WHERE label = 'handed'),
  'one processing1 | beat processing1 | two processing1 | later pending0';
SELECT 'the turn answers a user', (SELECT source FROM turns WHERE id = turn), 'user' FROM last
  WHERE label = 'handed';
SELECT 'no second note is made', (SELECT group_concat(data ->> '$.text') FROM observations
  WHERE session_label = 'handed' AND auto = 1),
  'User intervention: one,User intervention: two';
SELECT turn_complete(turn, token) FROM last WHERE label = 'handed';
INSERT INTO took(label, r) SELECT 'handed', turn_begin('handed', 'A1');
SELECT 'then what waits', (SELECT messages FROM given WHERE label = 'handed' ORDER BY n DESC
  LIMIT 1), 'later';

---- Taking: what is collected

CREATE TEMP TABLE mixed(n INTEGER PRIMARY KEY, message, mode, source);
INSERT INTO mixed VALUES (1, 'a', 'collect', 'agent'), (2, 'b', 'collect', 'timer'),
  (3, 'c', 'queue', 'agent'), (4, 'd', 'collect', 'agent'), (5, 'e', 'followup', 'agent'),
  (6, 'f', 'collect', 'webhook'), (7, 'g', 'collect', 'webhook'), (8, 'h', 'collect', 'agent');
INSERT INTO turnstile SELECT 'queue_push', json_array('mixed', message, json_object('mode', mode,
  'source', source)) FROM mixed ORDER BY n;
INSERT INTO took(label, r) SELECT 'mixed', turn_begin('mixed', 'A1');
SELECT 'collected: the rows', (SELECT group_concat(status || (turn_id IS turn)) FROM session_queue
  WHERE session_label = 'mixed' AND status <> 'pending'), 'processing1,processing1' FROM last
  WHERE label = 'mixed';
SELECT 'collected: the end counts the rest', turn_complete(turn, token) ->> '$.waiting', 6 FROM last
  WHERE label = 'mixed';
INSERT INTO took(label, r) SELECT 'mixed', turn_begin('mixed', 'A1');
SELECT turn_complete(turn, token) FROM last WHERE label = 'mixed';
INSERT INTO took(label, r) SELECT 'mixed', turn_begin('mixed', 'A1');
SELECT turn_complete(turn, token) FROM last WHERE label = 'mixed';
INSERT INTO took(label, r) SELECT 'mixed', turn_begin('mixed', 'A1');
SELECT turn_complete(turn, token) FROM last WHERE label = 'mixed';
INSERT INTO took(label, r) SELECT 'mixed', turn_begin('mixed', 'A1');
SELECT turn_complete(turn, token) FROM last WHERE label = 'mixed';
SELECT 'what stands together goes together', (SELECT json_group_array(messages) FROM given
  WHERE label = 'mixed'), '["a,b","c","d","e","f,g,h"]';

-- Not before collect_debounce after the newest.
INSERT INTO turnstile VALUES ('turnstile_config', '["collect_debounce","5s",{"session":"wait"}]'),
  ('queue_push', '["wait","a",{"mode":"collect","source":"agent","now":1000000}]'),
  ('queue_push', '["wait","b",{"mode":"collect","source":"agent","now":1004000}]');
SELECT 'more may be on its way', turn_begin('wait', 'A1', '{"now":1008999}'), NULL;
SELECT 'then no lease is taken', (SELECT count(*) FROM session_runs WHERE session_label = 'wait'),
  0;
SELECT 'nothing has moved', (SELECT line FROM rows WHERE label = 'wait'), 'a pending0 | b pending0';
INSERT INTO took(label, r) SELECT 'wait', turn_begin('wait', 'A1', '{"now":1009000}');
SELECT 'long enough after the newest', (SELECT messages FROM given WHERE label = 'wait'), 'a,b';
INSERT INTO turnstile
  SELECT 'turn_complete', json_array(turn, token, NULL, json('{"now":1009001}')) FROM last
  WHERE label = 'wait';
INSERT INTO turnstile VALUES
  ('queue_push', '["wait","c",{"mode":"queue","source":"agent","now":1010000}]'),
  ('queue_push', '["wait","d",{"mode":"collect","source":"agent","now":1010000}]');
INSERT INTO took(label, r) SELECT 'wait', turn_begin('wait', 'A1', '{"now":1010001}');
SELECT 'other modes are not kept waiting', (SELECT messages FROM given WHERE label = 'wait'
  ORDER BY n DESC LIMIT 1), 'c';
SELECT 'the default waits for nothing', turnstile_config('collect_debounce'), 0;

---- Taking: what was to be steered, and nobody took it

CREATE TEMP TABLE left_over(n INTEGER PRIMARY KEY, message, mode);
INSERT INTO left_over VALUES (1, 'a', 'steer'), (2, 'b', 'steer-backlog'), (3, 'c', 'queue'),
  (4, 'd', 'steer');
INSERT INTO turnstile VALUES ('session_start', '["left over","add retries"]');
INSERT INTO took(label, r) SELECT 'left over', turn_begin('left over', 'A1',
  '{"messages":[{"role":"user","content":"go"}]}');
INSERT INTO turnstile SELECT 'session_deliver', json_array('left over', message,
  json_object('mode', mode, 'class', 'Modification')) FROM left_over ORDER BY n;
SELECT turn_complete(turn, token) FROM last WHERE label = 'left over';
INSERT INTO took(label, r) SELECT 'left over', turn_begin('left over', 'A1');
SELECT turn_complete(turn, token) FROM last WHERE label = 'left over';
INSERT INTO took(label, r) SELECT 'left over', turn_begin('left over', 'A1');
SELECT 'the rest can still be steered', (SELECT group_concat(value ->> '$.content')
  FROM json_each(turn_steering(turn, token), '$.messages')), 'd' FROM last
  WHERE label = 'left over';
SELECT turn_complete(turn, token) FROM last WHERE label = 'left over';
INSERT INTO took(label, r) SELECT 'left over', turn_begin('left over', 'A1');
SELECT 'one by one', (SELECT json_group_array(messages) FROM given WHERE label = 'left over'),
  '["go","a","b","c"]';

---- Taking: /compact

INSERT INTO turnstile SELECT 'queue_push', json_array('compact', value, json_object('mode',
  'collect'))
  FROM json_each('["add retries","/compact the design","make it five"," /compact ","and log it"]');
INSERT INTO turnstile VALUES ('queue_push', '["compact","/compact",{"source":"timer"}]'),
  ('queue_push', '["compact","/compacted",{"mode":"queue"}]');
INSERT INTO took(label, r) SELECT 'compact', turn_begin('compact', 'A1');
SELECT turn_complete(turn, token) FROM last WHERE label = 'compact';
INSERT INTO took(label, r) SELECT 'compact', turn_begin('compact', 'A1');
SELECT '/compact tells what to do', json_extract(r, '$.messages[0].action', '$.messages[0].focus',
  '$.messages[0].class'), '["compact","the design",null]' FROM last WHERE label = 'compact';
SELECT turn_complete(turn, token) FROM last WHERE label = 'compact';
INSERT INTO took(label, r) SELECT 'compact', turn_begin('compact', 'A1');
SELECT turn_complete(turn, token) FROM last WHERE label = 'compact';
INSERT INTO took(label, r) SELECT 'compact', turn_begin('compact', 'A1');
SELECT '/compact without a focus', json_extract(r, '$.messages[0].action', '$.messages[0].focus'),
  '["compact",""]' FROM last WHERE label = 'compact';
SELECT turn_complete(turn, token) FROM last WHERE label = 'compact';
INSERT INTO took(label, r) SELECT 'compact', turn_begin('compact', 'A1');
SELECT turn_complete(turn, token) FROM last WHERE label = 'compact';
INSERT INTO took(label, r) SELECT 'compact', turn_begin('compact', 'A1');
SELECT 'a timer''s is a command like others', json_extract(r, '$.messages[0].content',
  '$.messages[0].action'), '["/compact","compact"]' FROM last WHERE label = 'compact';
SELECT turn_complete(turn, token) FROM last WHERE label = 'compact';
INSERT INTO took(label, r) SELECT 'compact', turn_begin('compact', 'A1');
SELECT 'so is what only begins like it', r ->> '$.messages[0].action', NULL FROM last
  WHERE label = 'compact';
SELECT 'it is taken alone', (SELECT json_group_array(messages) FROM given WHERE label = 'compact'),
  '["add retries","/compact the design","make it five"," /compact ","and log it","/compact",'
  || '"/compacted"]';
SELECT 'it is no task', session_state('compact') ->> '$.task', 'add retries';
-- In front of others that interrupt it stays alone, too.
INSERT INTO turnstile VALUES ('session_start', '["compact first","add retries"]');
INSERT INTO took(label, r) SELECT 'compact first', turn_begin('compact first', 'A1',
  '{"messages":[{"role":"user","content":"go"}]}');
INSERT INTO turnstile VALUES ('session_deliver', '["compact first","/compact"]'),
  ('session_deliver', '["compact first","a",{"class":"Modification"}]'),
  ('session_deliver', '["compact first","b",{"class":"Modification"}]');
SELECT queue_front(id) FROM session_queue WHERE session_label = 'compact first'
  AND message = '/compact';
SELECT queue_front(id) FROM session_queue WHERE session_label = 'compact first' AND message = 'a';
SELECT turn_complete(turn, token) FROM last WHERE label = 'compact first';
INSERT INTO took(label, r) SELECT 'compact first', turn_begin('compact first', 'A1');
SELECT turn_complete(turn, token) FROM last WHERE label = 'compact first';
INSERT INTO took(label, r) SELECT 'compact first', turn_begin('compact first', 'A1');
SELECT turn_complete(turn, token) FROM last WHERE label = 'compact first';
INSERT INTO took(label, r) SELECT 'compact first', turn_begin('compact first', 'A1');
SELECT 'alone in front of others', (SELECT json_group_array(messages) FROM given
  WHERE label = 'compact first'), '["go","a","/compact","b"]';

---- A user's message that was queued unclassified is classified when it is taken

-- state: of the task; then: what the next turn takes after a message that asks for no work.
CREATE TEMP TABLE unread(label, state, message, class, after, task, status, then_taken);
INSERT INTO unread VALUES
  ('unread start', 'None', 'add retries to the upload client', 'NewTask', 'Running',
   'add retries to the upload client', 'processing', NULL),
  ('unread change', 'Running', 'use five retries instead of three', 'Modification', 'Running',
   'port the parser', 'processing', NULL),
  ('unread new', 'Running', 'different thing: build an invoice export', 'Modification', 'Running',
   'port the parser', 'processing', NULL),
  ('unread yes', 'PendingComplete', 'yes', 'Confirmation', 'None', NULL, 'delivered', NULL),
  ('unread stop', 'Running', 'stop', 'Abandon', 'None', NULL, 'delivered', NULL),
  ('unread ok', 'Running', 'thanks', 'Confirmation', 'Running', 'port the parser', 'delivered',
  NULL),
  ('unread yes more', 'PendingComplete', 'yes', 'Confirmation', 'None', NULL, 'delivered', 'tick'),
  ('unread stop more', 'Running', 'stop', 'Abandon', 'None', NULL, 'delivered', 'tick');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'port the parser') FROM unread
  WHERE state <> 'None';
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM unread
  WHERE state <> 'None';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state,
  json('{"summary":"Parser ported"}')) FROM unread WHERE state = 'PendingComplete';
INSERT INTO turnstile SELECT 'queue_push', json_array(label, message) FROM unread;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, then_taken,
  json('{"source":"timer"}')) FROM unread WHERE then_taken IS NOT NULL;
INSERT INTO took(label, r) SELECT label, turn_begin(label, 'A1') FROM unread;
SELECT label || ': what is taken', (SELECT messages FROM given AS g WHERE g.label = u.label),
  iif(status = 'processing', message, then_taken) FROM unread AS u;
SELECT label || ': the row', (SELECT json_array(q.status, q.class) FROM session_queue AS q
    WHERE session_label = label AND q.message = u.message), json_array(status, class)
  FROM unread AS u;
SELECT label || ': the state', json_extract(session_state(label), '$.task_state', '$.task'),
  json_array(after, task) FROM unread;
SELECT label || ': the session knows its task', (SELECT open_task_id IS (SELECT id FROM tasks
    WHERE session_label = label AND ended_at IS NULL) FROM sessions AS s WHERE s.label = u.label), 1
  FROM unread AS u;
SELECT label || ': the commit', (SELECT group_concat(commit_type) FROM commits
    WHERE session_label = label), CASE class WHEN 'Abandon' THEN 'Abandoned' WHEN 'Confirmation'
    THEN iif(state = 'PendingComplete', 'Normal', NULL) END FROM unread;
SELECT label || ': a turn begins only for work', (SELECT count(*) FROM session_events
    WHERE session_label = label AND axis = 'turn'), status = 'processing' OR then_taken IS NOT NULL
  FROM unread;
SELECT label || ': the session goes on', error_of(printf('SELECT session_start(%Q, ''next'')',
  label)), NULL FROM unread WHERE after = 'None' AND then_taken IS NULL;

---- The session's status

INSERT INTO turnstile VALUES ('queue_push', '["asleep","a",{"source":"agent"}]');
UPDATE sessions SET status = 'suspended' WHERE label = 'asleep';
INSERT INTO took(label, r) SELECT 'asleep', turn_begin('asleep', 'A1');
SELECT 'a session that sleeps wakes up', json_array((SELECT messages FROM given
  WHERE label = 'asleep'), session_state('asleep') ->> '$.status'), '["a","active"]';
INSERT INTO turnstile VALUES ('queue_push', '["broken","a",{"source":"agent"}]');
UPDATE sessions SET status = 'error' WHERE label = 'broken';
SELECT 'one in error does not', error_of('SELECT turn_begin(''broken'', ''A1'')')
  LIKE 'turn_begin: session ''broken'' is in error; %', 1;

---- How a turn ends, and what becomes of its inputs

-- Each way to end × what the turn had shown.
CREATE TEMP TABLE ending(name, way);
INSERT INTO ending VALUES ('complete', 'turn_complete'), ('fail', 'turn_fail'),
  ('abort', 'turn_abort'), ('abort, not kept', 'turn_abort'), ('abort, requeue', 'turn_abort'),
  ('taken over', 'begin'),
  ('appended over', 'append'), ('startup of the owner', 'owner'), ('startup of all', 'all'),
  ('startup', 'expired'), ('sweep', 'sweep');
CREATE TEMP TABLE shown(name, output);
INSERT INTO shown VALUES ('nothing', 0), ('a phase', 0), ('steered', 0), ('a message', 1),
  ('a call', 1), ('a result', 1), ('an empty message', 1);
CREATE TEMP TABLE end AS SELECT ending.name || ', ' || shown.name AS label, ending.name AS how, way,
  shown.name AS shown, output, CASE WHEN way = 'turn_complete' THEN 'delivered'
    WHEN ending.name = 'abort, requeue' THEN 'pending' WHEN way = 'turn_abort' THEN 'cancelled'
    WHEN output THEN 'failed' ELSE 'pending' END AS status
  FROM ending, shown;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, value, json('{"mode":"collect",
  "source":"agent"}')) FROM end, json_each('["a","b"]');
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'c', json('{"mode":"queue",
  "source":"agent"}')) FROM end;
INSERT INTO took(label, r) SELECT label, turn_begin(label, iif(way = 'owner', 'Z', 'A1'))
  FROM end;
INSERT INTO turnstile SELECT 'turn_phase', json_array(turn, token, 'streaming')
  FROM end JOIN last USING (label) WHERE shown = 'a phase';
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 's', json('{"mode":"steer",
  "source":"agent"}')) FROM end WHERE shown = 'steered';
INSERT INTO turnstile SELECT 'turn_steering', json_array(turn, token)
  FROM end JOIN last USING (label) WHERE shown = 'steered';
INSERT INTO turnstile SELECT 'turn_message', json_array(turn, token, json_object('role',
  'assistant',
    'content', iif(shown = 'a message', 'half', '')))
  FROM end JOIN last USING (label) WHERE shown IN ('a message', 'an empty message');
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'push')
  FROM end JOIN last USING (label) WHERE shown IN ('a call', 'a result');
INSERT INTO turnstile SELECT 'turn_tool_result', json_array(turn, token, 'k', 'pushed')
  FROM end JOIN last USING (label) WHERE shown = 'a result';
CREATE TEMP TABLE ended(label, r);
INSERT INTO ended
  SELECT label, turn_complete(turn, token) FROM end JOIN last USING (label)
    WHERE way = 'turn_complete'
  UNION ALL SELECT label, turn_fail(turn, token, 'out of credit') FROM end JOIN last USING (label)
    WHERE way = 'turn_fail'
  UNION ALL SELECT label, turn_abort(turn, token, 'out of credit') FROM end JOIN last USING (label)
    WHERE how = 'abort'
  UNION ALL SELECT label, turn_abort(turn, token, 'out of credit', '{"keep":0}')
    FROM end JOIN last USING (label) WHERE how = 'abort, not kept'
  UNION ALL SELECT label, turn_abort(turn, token, 'out of credit', '{"requeue":1}')
    FROM end JOIN last USING (label) WHERE how = 'abort, requeue';
INSERT INTO turnstile SELECT 'turn_append', json_array(label,
    json('[{"role":"user","content":"after"}]'), json('{"now":1300000}'))
  FROM end WHERE way = 'append';
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'A2',
    json('{"messages":[{"role":"user","content":"after"}],"now":1300000}'))
  FROM end WHERE way = 'begin';
SELECT turnstile_startup('Z');
UPDATE session_runs SET expires_at = 1600000 WHERE session_label NOT IN (SELECT label FROM end
  WHERE way = 'sweep');
SELECT session_sweep('{"now":1300000}');
UPDATE session_runs SET expires_at = 1600000 WHERE expires_at IS NOT NULL AND session_label
  NOT IN (SELECT label FROM end WHERE way = 'expired');
UPDATE session_runs SET expires_at = 1300000 WHERE session_label IN (SELECT label FROM end
  WHERE way = 'expired');
SELECT turnstile_startup(NULL, '{"now":1300000}');
SELECT turnstile_startup(NULL, '{"all":1}');
SELECT label || ': the turn', (SELECT t.status || on_path FROM turns AS t WHERE t.id = turn),
  CASE WHEN way = 'turn_complete' THEN 'completed1' WHEN how = 'abort'
    THEN iif(output, 'aborted1', 'aborted0') WHEN way = 'turn_abort' THEN 'aborted0'
    ELSE 'failed0' END FROM end JOIN last USING (label);
SELECT label || ': its inputs', (SELECT group_concat(message || ' ' || q.status || attempts)
    FROM (SELECT * FROM session_queue ORDER BY rank, id) AS q WHERE session_label = label
    AND message IN ('a', 'b', 's')), 'a ' || status || '1,b ' || status || '1'
    || iif(shown = 'steered', ',s ' || status || '1', '') FROM end;
SELECT label || ': they have an end or none', (SELECT group_concat(DISTINCT delivered_at IS NOT
  NULL)
    FROM session_queue WHERE session_label = label AND message IN ('a', 'b')),
  '' || (status <> 'pending') FROM end;
SELECT label || ': why they failed', (SELECT group_concat(DISTINCT q.error = t.error)
    FROM session_queue AS q JOIN turns AS t ON t.id = turn WHERE session_label = label
    AND q.status = 'failed'), CASE WHEN status = 'failed' THEN '1' END
  FROM end JOIN last USING (label);
SELECT label || ': why they were cancelled', (SELECT group_concat(DISTINCT error) FROM session_queue
  WHERE session_label = label AND status = 'cancelled'),
  CASE WHEN status = 'cancelled' THEN 'stopped: out of credit' END FROM end;
SELECT label || ': the answer lists them', (SELECT group_concat(value ->> '$.message')
    FROM json_each(r, '$.cancelled')), CASE WHEN status = 'cancelled' THEN
    iif(shown = 'steered', 'a,b,s', 'a,b') END FROM ended JOIN end USING (label);
SELECT label || ': what waited waits', (SELECT status || attempts FROM session_queue
  WHERE session_label = label AND message = 'c'), 'pending0' FROM end;
SELECT label || ': the answer counts', r ->> '$.waiting', iif(status = 'pending',
    iif(shown = 'steered', 4, 3), 1) FROM ended JOIN end USING (label);
SELECT label || ': shown to whoever comes back', (SELECT group_concat(value ->> '$.message')
    FROM json_each(session_recover(label), '$.failed')),
  CASE WHEN status = 'failed' THEN 'a,b' END FROM end;
SELECT label || ': the list shows them', (SELECT group_concat(message || ' ' || l.status)
    FROM (SELECT * FROM queue_list WHERE session_label = end.label ORDER BY position) AS l),
  CASE WHEN shown = 'steered' AND status = 'pending' THEN 'a pending,b pending,c pending,s pending'
    WHEN status = 'pending' THEN 'a pending,b pending,c pending'
    WHEN status = 'failed' THEN 'c pending,a failed,b failed' ELSE 'c pending' END FROM end;
-- What failed is never run again by itself; what waits comes in its order.
SELECT label || ': the loop does not run it again', (SELECT group_concat(message) FROM session_queue
  WHERE session_label = label AND status = 'pending' AND message <> 'c'), NULL FROM end
  WHERE status = 'cancelled';
INSERT INTO took(label, r) SELECT label, turn_begin(label, 'B', '{"now":2000000}') FROM end;
SELECT label || ': what comes next', (SELECT messages FROM given AS g WHERE g.label = end.label
  ORDER BY n DESC LIMIT 1), iif(status = 'pending', 'a,b', 'c') FROM end;
SELECT label || ': whose attempt', (SELECT group_concat(value ->> '$.attempt')
    FROM json_each(r, '$.messages')), iif(status = 'pending', '2,2', '1')
  FROM end JOIN last USING (label);
-- Somebody wants what was stopped after all.
SELECT label || ': by hand', queue_retry((SELECT min(id) FROM session_queue WHERE session_label = label
  AND status = 'cancelled')) IS NOT NULL, 1 FROM end WHERE status = 'cancelled';
SELECT turn_complete(turn, token) FROM end JOIN last USING (label) WHERE status = 'cancelled';
SELECT label || ': and it is worked on', turn_begin(label, 'B', '{"now":2000000}')
  ->> '$.messages[0].content', 'a' FROM end WHERE status = 'cancelled';
SELECT 'keep and requeue contradict', error_of('SELECT turn_abort(1, 1, ''x'', ''{"keep":1,"requeue":1}'')'),
  'turn_abort: keep and requeue are both given; what is to be done again can''t stay as done';

---- Attempts

CREATE TEMP TABLE try(label, tries);
INSERT INTO try VALUES ('tries 3', 3), ('tries 1', 1), ('tries 2', 2);
INSERT INTO turnstile SELECT 'turnstile_config', json_array('max_attempts', tries,
  json_object('session', label)) FROM try WHERE tries < 3;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, value, json('{"mode":"queue",
  "source":"agent"}')) FROM try, json_each('["a","b"]');
INSERT INTO took(label, r) SELECT label, turn_begin(label, 'A1') FROM try;
SELECT turn_fail(turn, token, 'e') FROM last JOIN try USING (label);
SELECT label || ': after the first', (SELECT line FROM rows AS r WHERE r.label = try.label),
  iif(tries = 1, 'a failed1', 'a pending1') || ' | b pending0' FROM try;
INSERT INTO took(label, r) SELECT label, turn_begin(label, 'A1') FROM try;
SELECT label || ': the second turn takes', (SELECT messages FROM given AS g
  WHERE g.label = try.label ORDER BY n DESC LIMIT 1), iif(tries = 1, 'b', 'a') FROM try;
SELECT turn_fail(turn, token, 'e') FROM last JOIN try USING (label);
SELECT label || ': after the second', (SELECT line FROM rows AS r WHERE r.label = try.label),
  CASE tries WHEN 1 THEN 'a failed1 | b failed1' WHEN 2 THEN 'a failed2 | b pending0'
    ELSE 'a pending2 | b pending0' END FROM try;
INSERT INTO took(label, r) SELECT label, turn_begin(label, 'A1') FROM try;
SELECT turn_fail(turn, token, 'e') FROM last JOIN try USING (label)
  WHERE r IS (SELECT k.r FROM took AS k WHERE k.label = try.label ORDER BY n DESC LIMIT 1);
SELECT label || ': after the third', (SELECT line FROM rows AS r WHERE r.label = try.label),
  CASE tries WHEN 1 THEN 'a failed1 | b failed1' WHEN 2 THEN 'a failed2 | b pending1'
    ELSE 'a failed3 | b pending0' END FROM try;
SELECT label || ': it says so', (SELECT json_array(error, delivered_at) FROM session_queue
    WHERE session_label = label AND message = 'a'),
  json_array('e', 1000000) FROM try;
SELECT 'the default is 3', turnstile_config('max_attempts'), 3;
-- What was handed over counts as the first attempt.
INSERT INTO turnstile VALUES ('session_deliver', '["tries handed","a",{"class":"NewTask"}]');
INSERT INTO took(label, r) SELECT 'tries handed', turn_begin('tries handed', 'A1');
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'tries handed';
INSERT INTO took(label, r) SELECT 'tries handed', turn_begin('tries handed', 'A1');
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'tries handed';
INSERT INTO took(label, r) SELECT 'tries handed', turn_begin('tries handed', 'A1');
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'tries handed';
SELECT 'handed over: three turns', (SELECT line FROM rows WHERE label = 'tries handed'),
  'a failed3';
SELECT 'handed over: then nothing waits', turn_begin('tries handed', 'A1'), NULL;

---- queue_cancel, queue_retry, queue_front: every status

CREATE TEMP TABLE status(name, cancel, retry, front);
INSERT INTO status VALUES ('pending', 1, 0, 1), ('handed', 1, 0, 0), ('processing', 0, 0, 0),
  ('delivered', 0, 0, 0), ('failed', 1, 1, 0), ('cancelled', 0, 1, 0);
CREATE TEMP TABLE doing AS SELECT command || ', ' || name AS label, command, name AS status,
    CASE command WHEN 'queue_cancel' THEN cancel WHEN 'queue_retry' THEN retry ELSE front END AS may
  FROM status, (SELECT 'queue_cancel' AS command UNION ALL SELECT 'queue_retry'
    UNION ALL SELECT 'queue_front');
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'a', json('{"class":"NewTask"}'))
  FROM doing WHERE status = 'handed';
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'a', json('{"mode":"queue",
  "source":"agent"}')) FROM doing WHERE status <> 'handed';
INSERT INTO took(label, r) SELECT label, turn_begin(label, 'A1') FROM doing
  WHERE status IN ('processing', 'delivered', 'failed');
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token)
  FROM doing JOIN last USING (label) WHERE status = 'delivered';
INSERT INTO turnstile SELECT 'turn_message', json_array(turn, token,
  json('{"role":"assistant","content":"half"}')) FROM doing JOIN last USING (label)
  WHERE status = 'failed';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'e')
  FROM doing JOIN last USING (label) WHERE status = 'failed';
INSERT INTO turnstile SELECT 'queue_cancel', json_array(id) FROM doing JOIN session_queue
  ON session_label = label WHERE doing.status = 'cancelled';
CREATE TEMP TABLE row AS SELECT label, id, q.status FROM doing JOIN session_queue AS q
  ON session_label = label;
SELECT label || ': as it stands', row.status, doing.status FROM doing JOIN row USING (label);
CREATE TEMP TABLE done AS SELECT label, id, error_of(printf('SELECT %s(%d)', command, id)) AS error
  FROM doing JOIN row USING (label);
SELECT label, error, CASE WHEN NOT may THEN command || ': input ' || id || ' is ' || status
    || '; it must be ' || CASE command WHEN 'queue_cancel' THEN 'pending, handed or failed'
      WHEN 'queue_retry' THEN 'failed or cancelled' ELSE 'pending' END END
  FROM doing JOIN done USING (label);
SELECT label || ': what it did', (SELECT json_array(status, attempts, delivered_at,
    turn_id IS NOT NULL)
    FROM session_queue AS q WHERE q.id = done.id), CASE command
    WHEN 'queue_cancel' THEN json_array('cancelled', status IN ('handed', 'failed'), 1000000,
      status = 'failed') ELSE '["pending",0,null,0]' END
  FROM doing JOIN done USING (label) WHERE may;
SELECT label || ': its error', (SELECT error <> '' FROM session_queue AS q WHERE q.id = done.id),
  CASE command WHEN 'queue_cancel' THEN 1 END FROM doing JOIN done USING (label) WHERE may;
INSERT INTO took(label, r) SELECT label, turn_begin(label, 'A1') FROM doing WHERE may;
SELECT label || ': is it taken then', (SELECT messages FROM given AS g WHERE g.label = d.label
  ORDER BY n DESC LIMIT 1), CASE WHEN command <> 'queue_cancel' THEN 'a' END
  FROM doing AS d WHERE may;
SELECT 'they return the id', queue_cancel(id), id FROM (SELECT queue_push('returns', 'a') AS id);
SELECT 'by the door', value_of(printf('INSERT INTO turnstile VALUES (''queue_front'', ''[%d]'')
  RETURNING turnstile_result()', id)), id FROM (SELECT queue_push('returns', 'b') AS id);
SELECT 'by name, and once only', value_of(printf('INSERT INTO turnstile VALUES (''queue_cancel'',
  ''{"queue_id":%d,"request_id":"q1"}''), (''queue_cancel'', ''{"queue_id":%d,"request_id":"q1"}'')
  RETURNING turnstile_result()', id, id)), id FROM (SELECT max(id) AS id FROM session_queue);

-- A message_id that session_deliver has seen: the input that it made, NULL when it made none; and a
-- repeated request returns the same.
SELECT session_start('seen', 'x'); SELECT session_note('seen', 'x');
SELECT session_deliver('seen', 'make it blue', '{"message_id":"s1","class":"Modification"}') ->> '$.action';
SELECT session_deliver('seen', 'forget it', '{"message_id":"s2","class":"Abandon"}') ->> '$.action';
SELECT 'what made an input: ' || request, queue_push('seen', 'make it blue', json_object('message_id',
  's1', 'request_id', request)), (SELECT max(id) FROM session_queue WHERE session_label = 'seen')
FROM (SELECT column1 AS request FROM (VALUES ('ps1'), ('ps1'), ('ps1b')));
SELECT 'what made none: ' || request, queue_push('seen', 'forget it', json_object('message_id', 's2',
  'request_id', request)), NULL
FROM (SELECT column1 AS request FROM (VALUES ('ps2'), ('ps2'), ('ps2b')));
SELECT 'stored as it was returned', (SELECT json_group_array(result) FROM (SELECT result
  FROM turnstile_requests WHERE request_id LIKE 'ps_' ORDER BY request_id)), (SELECT
  json_array(max(id), NULL) FROM session_queue WHERE session_label = 'seen');

-- The last one that was put in front is the first.
INSERT INTO turnstile SELECT 'queue_push', json_array('front', value, json('{"mode":"queue",
  "source":"agent"}')) FROM json_each('["a","b","c","d"]');
SELECT queue_front(id) FROM session_queue WHERE session_label = 'front' AND message = 'c';
SELECT queue_front(id) FROM session_queue WHERE session_label = 'front' AND message = 'd';
SELECT 'put in front', (SELECT group_concat(message) FROM (SELECT message FROM queue_list
  WHERE session_label = 'front' ORDER BY position)), 'd,c,a,b';
SELECT queue_front(id) FROM session_queue WHERE session_label = 'front' AND message = 'c';
SELECT 'once more', (SELECT group_concat(message) FROM (SELECT message FROM queue_list
  WHERE session_label = 'front' ORDER BY position)), 'c,d,a,b';
INSERT INTO took(label, r) SELECT 'front', turn_begin('front', 'A1');
SELECT 'it is the next', (SELECT messages FROM given WHERE label = 'front'), 'c';
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'front';
SELECT 'and keeps its place', (SELECT group_concat(message) FROM (SELECT message FROM queue_list
  WHERE session_label = 'front' ORDER BY position)), 'c,d,a,b';

---- Order never flips

-- A retried input stands at its old place.
INSERT INTO turnstile SELECT 'queue_push', json_array('retried', value, json('{"mode":"queue",
  "source":"agent"}')) FROM json_each('["a","b","c"]');
INSERT INTO took(label, r) SELECT 'retried', turn_begin('retried', 'A1');
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM last
  WHERE label = 'retried';
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'retried';
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'retried' AND message = 'a';
INSERT INTO took(label, r) SELECT 'retried', turn_begin('retried', 'A1');
SELECT 'retried', (SELECT group_concat(messages) FROM given WHERE label = 'retried'), 'a,a';
SELECT 'retried: a first attempt again', r ->> '$.messages[0].attempt', 1 FROM last
  WHERE label = 'retried';

-- A turn that came to nothing, and something newer before the next turn: the older comes first, or
-- together with it. How the turn ended × what the newer one is.
CREATE TEMP TABLE gone(name);
INSERT INTO gone VALUES ('failed'), ('stopped'), ('requeued'), ('expired'), ('restarted'), ('swept');
CREATE TEMP TABLE newer(name);
INSERT INTO newer VALUES ('delivered before'), ('steered before'), ('interrupted before'),
  ('delivered after'), ('with owner'), ('timer after'), ('pushed after');
CREATE TEMP TABLE flip AS SELECT gone.name || ', ' || newer.name AS label, gone.name AS gone,
  newer.name AS newer FROM gone, newer;
INSERT INTO took(label, r) SELECT label, session_deliver(label, 'add retries',
  '{"class":"NewTask","owner":"A1"}') ->> '$.turn' FROM flip;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'make it five',
    json_object('class', 'Modification', 'mode', CASE newer WHEN 'delivered before' THEN 'queue'
      WHEN 'steered before' THEN 'steer' ELSE 'interrupt' END))
  FROM flip WHERE newer LIKE '% before';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'e')
  FROM flip JOIN last USING (label) WHERE gone = 'failed';
INSERT INTO turnstile SELECT 'turn_abort', json_array(turn, token, 'e')
  FROM flip JOIN last USING (label) WHERE gone = 'stopped';
INSERT INTO turnstile SELECT 'turn_abort', json_array(turn, token, 'e', json('{"requeue":1}'))
  FROM flip JOIN last USING (label) WHERE gone = 'requeued';
UPDATE session_runs SET expires_at = 1000000 WHERE session_label IN (SELECT label FROM flip
  WHERE gone = 'swept');
SELECT session_sweep();
UPDATE session_runs SET expires_at = 1000000 WHERE session_label IN (SELECT label FROM flip
  WHERE gone = 'restarted');
SELECT turnstile_startup();
UPDATE session_runs SET expires_at = 1000000 WHERE session_label IN (SELECT label FROM flip
  WHERE gone = 'expired');
CREATE TEMP TABLE handing AS SELECT label, session_deliver(label, 'make it five', json_object(
    'class', 'Modification', 'owner', iif(newer = 'with owner', 'A2', NULL))) AS d
  FROM flip WHERE newer = 'with owner';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'make it five',
    json('{"class":"Modification"}')) FROM flip WHERE newer = 'delivered after';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'make it five',
    json('{"source":"timer"}')) FROM flip WHERE newer = 'timer after';
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'make it five',
    json('{"source":"agent"}')) FROM flip WHERE newer = 'pushed after';
INSERT INTO took(label, r) SELECT label, d ->> '$.turn' FROM handing;
INSERT INTO took(label, r) SELECT label, turn_begin(label, 'A2') FROM flip
  WHERE newer <> 'with owner';
SELECT label || ': the older first', (SELECT r ->> '$.messages[0].content' FROM last AS l
  WHERE l.label = flip.label), iif(gone = 'stopped', 'make it five', 'add retries') FROM flip;
SELECT label || ': what was stopped is understood', (SELECT group_concat(content)
    FROM session_context(label)), iif(newer IN ('interrupted before'), 'add retries,', '') || 'make it five'
  FROM flip WHERE gone = 'stopped';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token) FROM flip
  JOIN last USING (label);
INSERT INTO took(label, r) SELECT label, turn_begin(label, 'A2') FROM flip;
SELECT label || ': in all, in order', (SELECT group_concat(messages) FROM given AS g
    WHERE g.label = flip.label AND n > (SELECT min(n) FROM took WHERE label = g.label)),
  iif(gone = 'stopped', '', 'add retries,') || 'make it five' FROM flip;

---- The list

INSERT INTO turnstile SELECT 'queue_push', json_array('list', value, json('{"mode":"queue",
  "source":"webhook","channel":"wa","sender":"u1"}')) FROM json_each('["a","b","c","d"]');
INSERT INTO took(label, r) SELECT 'list', turn_begin('list', 'A1');
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM last
  WHERE label = 'list';
SELECT turn_fail(turn, token, 'out of credit') FROM last WHERE label = 'list';
INSERT INTO took(label, r) SELECT 'list', turn_begin('list', 'A1');
SELECT queue_front(id) FROM session_queue WHERE session_label = 'list' AND message = 'd';
SELECT 'the list', (SELECT json_group_array(json_array(position, message, status, attempts))
    FROM (SELECT * FROM queue_list WHERE session_label = 'list' ORDER BY position)),
  '[[1,"b","processing",1],[2,"d","pending",0],[3,"c","pending",0],[4,"a","failed",1]]';
SELECT 'a row of it', (SELECT json_array(queue_id = q.id, l.mode, l.source, l.channel, l.sender,
    l.class, l.enqueued_at, l.error, l.turn_id = t.id) FROM queue_list AS l
  JOIN session_queue AS q ON q.id = queue_id JOIN turns AS t ON t.error = 'out of credit'
    AND t.id = q.turn_id WHERE l.session_label = 'list' AND l.message = 'a'),
  '[1,"queue","webhook","wa","u1",null,1000000,"out of credit",1]';
SELECT 'recover tells of it', (SELECT json_group_array(json_array(value ->> '$.message',
    value ->> '$.source', value ->> '$.error', value ->> '$.enqueued_at'))
  FROM json_each(session_recover('list'), '$.failed')),
  '[["a","webhook","out of credit",1000000]]';
SELECT 'and of what waits', (SELECT group_concat(value ->> '$.message')
  FROM json_each(session_recover('list'), '$.queued')), 'd,c';
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'list' AND message = 'a';
SELECT 'retried, it waits without an error', (SELECT json_array(status, attempts, error)
  FROM queue_list WHERE session_label = 'list' AND message = 'a'), '["pending",0,null]';
SELECT 'before what came after it', (SELECT group_concat(message) FROM (SELECT message
  FROM queue_list WHERE session_label = 'list' AND status = 'pending' AND message <> 'd'
  ORDER BY position)), 'a,c';

---- Every record stands

SELECT 'every input is in one place', (SELECT group_concat(id) FROM session_queue
  WHERE (delivered_at IS NULL) <> (status IN ('pending', 'handed', 'processing'))), NULL;
SELECT 'what is processed has a running turn', (SELECT group_concat(q.id) FROM session_queue AS q
  WHERE status = 'processing' AND NOT EXISTS (SELECT 1 FROM turns WHERE id = q.turn_id
    AND status = 'running')), NULL;
SELECT 'what waits has none', (SELECT group_concat(id) FROM session_queue WHERE status = 'pending'
  AND turn_id IS NOT NULL), NULL;
SELECT 'an open task is the session''s', (SELECT group_concat(label) FROM sessions AS s
  WHERE open_task_id IS NOT (SELECT id FROM tasks WHERE session_label = s.label
    AND ended_at IS NULL)), NULL;
SELECT 'every move of a run is one of the table', (SELECT group_concat(DISTINCT from_state || '>'
    || to_state) FROM session_events AS e WHERE axis = 'run' AND from_state IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM state_transitions AS s WHERE s.axis = 'run'
    AND s.from_state = e.from_state AND s.to_state = e.to_state)), NULL;
SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events),
  (SELECT max(id) FROM session_events);

---- What interrupts stays known until it is taken

CREATE TEMP TABLE cut(name, turn, token);
INSERT INTO turnstile VALUES ('session_deliver', '["cut","add three retries",{"owner":"w","class":"NewTask"}]'),
  ('session_deliver', '["cut","no, five",{"class":"Modification"}]');
INSERT INTO cut SELECT 'first', turn_id, token FROM session_runs WHERE session_label = 'cut';
SELECT turn_fail(turn, token, 'e') FROM cut WHERE name = 'first';
INSERT INTO took(label, r) SELECT 'cut', turn_begin('cut', 'w');
SELECT 'the input that was given back comes first', (SELECT r ->> '$.messages[0].content' FROM took
  WHERE label = 'cut'), 'add three retries';
SELECT 'the task stays interrupted', session_state('cut') ->> '$.task_state', 'Interrupted';
SELECT 'the run is told what it can take', (SELECT turn_message(turn, token,
  '{"role":"assistant","content":"so far"}') ->> '$.steering' FROM last WHERE label = 'cut'), 1;
SELECT 'its outcome is put aside', (SELECT turn_complete(turn, token,
  '{"content":"Three.","outcome":"done"}') -> '$.note' IS NOT NULL FROM last WHERE label = 'cut'), 1;
CREATE TEMP TABLE praise AS SELECT session_deliver('cut', 'perfect') AS d;
SELECT 'so nothing is there to approve', (SELECT json_extract(d, '$.action', '$.commit_id',
  '$.inputs[0].message') FROM praise), '["continue",null,"no, five"]';
INSERT INTO took(label, r) SELECT 'cut', turn_begin('cut', 'w');
SELECT 'taken, the work goes on', session_state('cut') ->> '$.task_state', 'Running';
-- By hand, and by a timer's turn, nothing is hidden either.
INSERT INTO turnstile SELECT 'session_deliver', json_array('cut', 'no, six', json('{"class":"Modification"}'));
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'cut';
SELECT turn_begin('cut', 'w', '{"messages":[{"role":"user","content":"nightly"}],"source":"timer"}') IS NOT NULL;
SELECT 'a turn by hand does not hide it', session_state('cut') ->> '$.task_state', 'Interrupted';
-- Called off, the work goes on.
SELECT queue_cancel(id) FROM session_queue WHERE session_label = 'cut' AND message LIKE 'no, %'
  AND status = 'pending';
SELECT 'cancelled: the task goes on', session_state('cut') ->> '$.task_state', 'Running';
INSERT INTO turnstile VALUES ('session_deliver', '["calm","write it",{"owner":"w","class":"NewTask"}]'),
  ('session_deliver', '["calm","shorter",{"class":"Modification"}]');
INSERT INTO cut SELECT 'calm', turn_id, token FROM session_runs WHERE session_label = 'calm';
SELECT 'the run is interrupted', turn_heartbeat(turn, token) ->> '$.interrupted', 1 FROM cut
  WHERE name = 'calm';
SELECT queue_cancel(id) FROM session_queue WHERE session_label = 'calm' AND message = 'shorter';
SELECT 'it is not any more', turn_heartbeat(turn, token) ->> '$.interrupted', 0 FROM cut
  WHERE name = 'calm';

---- What was handed over is not lost

INSERT INTO turnstile VALUES ('session_deliver', '["orders","order 1 paid",{"source":"webhook"}]'),
  ('session_deliver', '["orders","order 2 paid",{"source":"webhook"}]');
SELECT 'before the first turn: both are there', (SELECT group_concat(value ->> '$.content', ', ')
  FROM json_each(turn_begin('orders', 'w'), '$.messages')), 'order 1 paid, order 2 paid';
INSERT INTO turnstile VALUES ('session_deliver', '["cron","order 3 paid",{"source":"webhook"}]'),
  ('turn_begin', '["cron","w",{"messages":[{"role":"user","content":"nightly"}]}]');
SELECT 'a turn by hand leaves others alone', (SELECT status FROM session_queue
  WHERE session_label = 'cron'), 'handed';
INSERT INTO turnstile VALUES ('session_deliver', '["wrapped","order 4 paid",{"source":"webhook"}]'),
  ('turn_begin', '["wrapped","w",{"messages":[{"role":"user","content":[{"type":"text","text":"[09:30] order 4 paid"}]}]}]');
SELECT 'and takes what its messages hold', (SELECT status FROM session_queue
  WHERE session_label = 'wrapped'), 'processing';
INSERT INTO turnstile VALUES ('turn_append', '["small","[{\"role\":\"user\",\"content\":\"a\"}]"]'),
  ('session_deliver', '["small","/compact"]'), ('turn_compact', '["small","so far"]');
SELECT 'a compaction takes its command up', turn_begin('small', 'w'), NULL;

---- A debounce holds up what can grow, and nothing else

SELECT turnstile_config('collect_debounce', '60s', '{"session":"bounce"}');
INSERT INTO turnstile VALUES ('queue_push', '["bounce","one",{"mode":"collect","source":"timer"}]');
SELECT 'one that could be followed waits', turn_begin('bounce', 'w'), NULL;
INSERT INTO turnstile VALUES ('queue_push', '["bounce","two",{"mode":"queue","source":"timer"}]');
SELECT 'one that is followed by another kind does not', turn_begin('bounce', 'w')
  ->> '$.messages[0].content', 'one';
SELECT turnstile_config('collect_debounce', '60s', '{"session":"bounce front"}');
INSERT INTO turnstile VALUES ('queue_push', '["bounce front","one",{"mode":"collect","source":"timer"}]');
SELECT queue_front(id) FROM session_queue WHERE session_label = 'bounce front';
SELECT 'nor one at the front', turn_begin('bounce front', 'w') ->> '$.messages[0].content', 'one';

---- Archived sessions, limits, refusals that waited

INSERT INTO turnstile VALUES ('turn_append', '["away","[{\"role\":\"user\",\"content\":\"a\"}]"]'),
  ('session_archive', '["away"]'), ('session_deliver', '["away","tick",{"source":"timer"}]');
SELECT 'a poll does not bring it back', json_array(turn_begin('away', 'w'),
  (SELECT status FROM sessions WHERE label = 'away')), '[null,"archived"]';
SELECT turnstile_config('max_message_bytes', 10, '{"session":"short"}');
SELECT 'a push that is too long', error_of('SELECT queue_push(''short'', ''12345678901'')'),
  'queue_push: message is 11 bytes long; max_message_bytes allows 10 (turnstile_config)';
INSERT INTO turnstile VALUES ('session_start', '["short","x"]');
SELECT 'a task that is too long', error_of('SELECT session_spawn(''short'', ''12345678901'')'),
  'session_spawn: task is 11 bytes long; max_message_bytes allows 10 (turnstile_config)';
INSERT INTO turnstile VALUES ('session_start', '["bob","x"]'), ('session_note', '["bob","y"]'),
  ('queue_push', '["bob","and log each",{"sender":"bob"}]'),
  ('queue_push', '["bob","by the way",{"sender":"ann"}]'),
  ('queue_push', '["bob","stop, forget it",{"sender":"bob"}]');
SELECT queue_front(id) FROM session_queue WHERE message = 'stop, forget it';
SELECT 'the others go on', turn_begin('bob', 'w') ->> '$.messages[0].content', 'by the way';
SELECT 'a refusal that waited calls off what came before it', (SELECT group_concat(message || ' '
  || status, ', ') FROM session_queue WHERE session_label = 'bob' AND sender = 'bob'),
  'and log each cancelled, stop, forget it delivered';
SELECT turnstile_config('queue_mode', 'collect', '{"session":"bobs"}');
INSERT INTO turnstile VALUES ('session_start', '["bobs","x"]'), ('session_note', '["bobs","y"]'),
  ('queue_push', '["bobs","and log each",{"sender":"bob","mode":"collect"}]'),
  ('queue_push', '["bobs","by the way",{"sender":"ann","mode":"collect"}]'),
  ('queue_push', '["bobs","stop, forget it",{"sender":"bob","mode":"collect"}]');
SELECT 'also among those that are collected', (SELECT group_concat(value ->> '$.content', ', ')
  FROM json_each(turn_begin('bobs', 'w'), '$.messages')), 'by the way';
SELECT 'which is what became of them', (SELECT group_concat(message || ' ' || status, ', ')
  FROM session_queue WHERE session_label = 'bobs'),
  'and log each cancelled, by the way processing, stop, forget it delivered';
