-- waiting.sql - messages that wait, in the queue or held by a choice, and what becomes of them.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

-- What came of a delivery: `given` is what the host was handed, `waits` what is pending afterwards,
-- `holds` what the open choice holds, `said` the notes about messages that were not handed over.
CREATE TEMP TABLE came(label, decision);
CREATE TEMP VIEW seen AS SELECT label,
  decision ->> '$.action' AS action, decision ->> '$.class' AS class, decision ->> '$.state' AS state,
  (SELECT description FROM tasks AS t WHERE t.session_label = came.label AND ended_at IS NULL) AS task,
  coalesce((SELECT group_concat(CASE substr(value ->> '$.label', 1, 5) WHEN 'Earli' THEN 'earlier: ' WHEN 'Newer' THEN 'newer: ' ELSE '' END
              || (value ->> '$.message'), ' | ') FROM json_each(decision, '$.inputs')),
           (SELECT message FROM session_queue WHERE id = decision ->> '$.queue_id')) AS given,
  (SELECT group_concat(message, ' | ') FROM (SELECT message FROM session_queue WHERE session_label = came.label AND status = 'pending' ORDER BY id)) AS waits,
  (SELECT ifnull((SELECT group_concat(d.message, ' | ') || ' | ' FROM json_each(pending_choice, '$.earlier') JOIN deliveries AS d ON d.id = value), '')
     || (pending_choice ->> '$.held') FROM sessions AS s WHERE s.label = came.label) AS holds,
  (SELECT pending_choice ->> '$.kind' FROM sessions AS s WHERE s.label = came.label) AS kind,
  (SELECT group_concat(data ->> '$.text', ' | ') FROM observations AS o WHERE o.session_label = came.label AND data ->> '$.note' = 'held') AS said
FROM came;

---- The session was in error, or archived: the newer message decides

-- "make it five" waits, of sender u1; then the newer one comes, of u2.
CREATE TEMP TABLE newer(label, state, class, action, after, task, given, waits, kind);
INSERT INTO newer VALUES
  ('more',      'Running',         'Modification',  'continue',    'Running',         'add retries', 'earlier: make it five | now this', NULL, NULL),
  ('reply',     'Running',         'Response',      'continue',    'Running',         'add retries', 'earlier: make it five | now this', NULL, NULL),
  ('question',  'Running',         'Clarification', 'answer',      'Running',         'add retries', 'earlier: make it five | now this', NULL, NULL),
  ('asked',     'AwaitingUser',    'Response',      'continue',    'Running',         'add retries', 'earlier: make it five | now this', NULL, NULL),
  ('approving', 'AwaitingUser',    'Confirmation',  'continue',    'Running',         'add retries', 'earlier: make it five | now this', NULL, NULL),
  ('reported',  'PendingComplete', 'Modification',  'continue',    'Running',         'add retries', 'earlier: make it five | now this', NULL, NULL),
  ('free',      'None',            'Modification',  'start',       'Running',         'now this',    'earlier: make it five | now this', NULL, NULL),
  ('free new',  'None',            'NewTask',       'start',       'Running',         'now this',    'earlier: make it five | now this', NULL, NULL),
  ('free ask',  'None',            'Clarification', 'answer',      'None',            NULL,          'earlier: make it five | now this', NULL, NULL),
  ('other',     'Running',         'NewTask',       'prompt',      'Running',         'add retries', NULL, 'make it five', 'NewTaskChoice'),
  ('vague',     'Running',         'Unclear',       'prompt',      'Running',         'add retries', NULL, 'make it five', 'UnclearChoice'),
  ('over',      'Running',         'Abandon',       'abandon',     'None',            NULL,          NULL, 'make it five', NULL),
  ('done',      'PendingComplete', 'Confirmation',  'complete',    'None',            NULL,          NULL, 'make it five', NULL),
  ('fine',      'Running',         'Confirmation',  'continue',    'Running',         'add retries', 'make it five', NULL, NULL),
  ('free fine', 'None',            'Confirmation',  'start',       'Running',         'make it five', 'make it five', NULL, NULL);
CREATE TEMP TABLE put(status);
INSERT INTO put VALUES ('error'), ('archived');
CREATE TEMP TABLE both AS SELECT status || ' ' || label AS label, status, state, class, action, after, task, given, waits, kind FROM newer, put;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM both;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM both;
INSERT INTO turnstile SELECT 'session_compact', json_array(label) FROM both WHERE state = 'None';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state, json('{"question":"Five?","summary":"Retries added"}'))
  FROM both WHERE state IN ('AwaitingUser', 'PendingComplete');
UPDATE sessions SET status = 'error' WHERE label IN (SELECT label FROM both);
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'make it five', json('{"sender":"u1"}')) FROM both;
UPDATE sessions SET status = 'active' WHERE label IN (SELECT label FROM both WHERE status = 'error');
UPDATE sessions SET status = 'archived', archived_at = 1000000 WHERE label IN (SELECT label FROM both WHERE status = 'archived');
INSERT INTO came SELECT label, session_deliver(label, 'now this', json_object('class', class, 'sender', 'u2')) FROM both;
SELECT label || ': what is done', json_array(s.action, s.state), json_array(b.action, b.after) FROM both AS b JOIN seen AS s USING (label);
SELECT label || ': the task', s.task, b.task FROM both AS b JOIN seen AS s USING (label);
SELECT label || ': the class is that of the newer', s.class, iif(b.label LIKE '%approving', 'Response', b.class) FROM both AS b JOIN seen AS s USING (label);
SELECT label || ': handed over', s.given, b.given FROM both AS b JOIN seen AS s USING (label);
SELECT label || ': goes on waiting', s.waits, b.waits FROM both AS b JOIN seen AS s USING (label);
SELECT label || ': the choice', json_array(s.kind, s.holds), json_array(b.kind, iif(b.kind IS NULL, NULL, 'now this')) FROM both AS b JOIN seen AS s USING (label);
SELECT label || ': the queue ids are those of the rows',
       (SELECT group_concat(q.message, ' | ') FROM json_each(c.decision, '$.inputs') JOIN session_queue AS q ON q.id = value ->> '$.queue_id'),
       replace(b.given, 'earlier: ', '')
FROM both AS b JOIN came AS c USING (label) WHERE b.given LIKE '%|%';

-- What went on waiting comes with the next message.
DELETE FROM came;
INSERT INTO came SELECT label, session_deliver(label, 'A', '{"now":1001000}') FROM both WHERE kind IS NOT NULL;
INSERT INTO came SELECT label, session_deliver(label, 'and log it', '{"class":"NewTask","now":1001000}') FROM both WHERE kind IS NULL AND waits IS NOT NULL;
SELECT label || ': afterwards nothing waits', json_array(s.action, s.waits, s.holds),
       json_array(iif(b.kind = 'UnclearChoice', 'continue', 'start'), NULL, NULL) FROM both AS b JOIN seen AS s USING (label);
SELECT label || ': afterwards, in order', replace(s.given, 'earlier: ', ''), 'make it five | ' || iif(b.kind IS NULL, 'and log it', 'now this')
FROM both AS b JOIN seen AS s USING (label);

-- With new_task_policy = switch a NewTask opens no choice.
SELECT turnstile_config('new_task_policy', 'switch', '{"session":"switch"}');
INSERT INTO turnstile VALUES ('session_start', '["switch","add retries"]'), ('session_note', '["switch","read"]');
UPDATE sessions SET status = 'error' WHERE label = 'switch';
INSERT INTO turnstile VALUES ('session_deliver', '["switch","make it five"]');
UPDATE sessions SET status = 'active' WHERE label = 'switch';
DELETE FROM came;
INSERT INTO came SELECT 'switch', session_deliver('switch', 'now this', '{"class":"NewTask"}');
SELECT 'switch', json_array(action, task, given, waits), '["start","now this","earlier: make it five | now this",null]' FROM seen;

-- Several wait, of several sources: all of them, in the order in which they came.
INSERT INTO turnstile VALUES ('session_start', '["many","add retries"]');
UPDATE sessions SET status = 'error' WHERE label = 'many';
INSERT INTO turnstile VALUES ('session_deliver', '["many","one"]'), ('session_deliver', '["many","beat",{"source":"timer"}]'), ('session_deliver', '["many","two"]'),
  ('session_deliver', '["many","pushed",{"source":"webhook"}]');
UPDATE sessions SET status = 'active' WHERE label = 'many';
DELETE FROM came;
INSERT INTO came SELECT 'many', session_deliver('many', 'three', '{"class":"Modification"}');
SELECT 'many', given, 'earlier: one | beat | earlier: two | pushed | three' FROM seen;
SELECT 'many: each row is handed once', (SELECT group_concat(status || attempts) FROM session_queue WHERE session_label = 'many'),
       'handed1,handed1,handed1,handed1,handed1';

---- An approval, "ok", meets what waits

-- The newest message of a user decides; what other sources sent is handed over as it is.
CREATE TEMP TABLE bare(label, state, waiting, action, after, task, given);
INSERT INTO bare VALUES
  ('ok, one',        'Running',      '["make it five"]', 'continue', 'Running', 'add retries', 'make it five'),
  ('ok, two',        'Running',      '["make it five","and log it"]', 'continue', 'Running', 'add retries', 'earlier: make it five | and log it'),
  ('ok, beat',       'Running',      '["make it five","@beat"]', 'continue', 'Running', 'add retries', 'make it five | beat'),
  ('ok, free',       'None',         '["make it five"]', 'start', 'Running', 'make it five', 'make it five'),
  ('ok, free beat',  'None',         '["@beat","make it five"]', 'start', 'Running', 'make it five', 'beat | make it five'),
  ('ok, interrupted', 'Interrupted', '["make it five"]', 'continue', 'Running', 'add retries', 'make it five');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM bare;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM bare;
INSERT INTO turnstile SELECT 'session_compact', json_array(label) FROM bare WHERE state = 'None';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state, json('{"user_message":"not so fast"}')) FROM bare WHERE state = 'Interrupted';
UPDATE sessions SET status = 'error' WHERE label IN (SELECT label FROM bare);
INSERT INTO turnstile
  SELECT 'session_deliver', json_array(label, replace(value, '@', ''), json_object('source', iif(value LIKE '@%', 'timer', 'user')))
  FROM bare, json_each(waiting);
UPDATE sessions SET status = 'active' WHERE label IN (SELECT label FROM bare);
DELETE FROM came;
INSERT INTO came SELECT label, session_deliver(label, 'ok', '{"class":"Confirmation"}') FROM bare;
SELECT label, json_array(s.action, s.class, s.state, s.task, s.given, s.waits), json_array(b.action, 'Confirmation', b.after, b.task, b.given, NULL)
FROM bare AS b JOIN seen AS s USING (label);

-- Only a timer's message waits, or a webhook's: they are what there is to do.
CREATE TEMP TABLE beats(label, class, task);
INSERT INTO beats VALUES ('beats none', 'Confirmation', 0), ('beats open', 'Confirmation', 1), ('beats abandon', 'Abandon', 0);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM beats;
INSERT INTO turnstile SELECT 'session_compact', json_array(label) FROM beats WHERE NOT task;
UPDATE sessions SET status = 'error' WHERE label IN (SELECT label FROM beats);
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'beat', json('{"source":"timer"}')) FROM beats;
UPDATE sessions SET status = 'active' WHERE label IN (SELECT label FROM beats);
DELETE FROM came;
INSERT INTO came SELECT label, value_of(printf('SELECT session_deliver(%Q, ''ok'', ''{"class":"%s"}'')', label, class)) FROM beats WHERE label = 'beats none';
INSERT INTO came SELECT label, value_of(printf('SELECT session_deliver(%Q, ''ok'', ''{"class":"%s"}'')', label, class)) FROM beats WHERE label = 'beats open';
INSERT INTO came SELECT label, value_of(printf('SELECT session_deliver(%Q, ''ok'', ''{"class":"%s"}'')', label, class)) FROM beats WHERE label = 'beats abandon';
SELECT label || ': a timer''s message is taken, but by no Abandon', json_array(s.action, s.state, s.given, s.waits),
       CASE b.class WHEN 'Abandon' THEN '["acknowledge","None",null,"beat"]' ELSE
       json_array('continue', iif(b.task, 'Running', 'None'), 'beat', NULL) END
FROM beats AS b LEFT JOIN seen AS s USING (label);

-- In PendingComplete the "ok" completes, and what waits goes on waiting.
INSERT INTO turnstile VALUES ('session_start', '["ok, done","add retries"]'), ('session_transition', '["ok, done","PendingComplete",{"summary":"Retries added"}]');
UPDATE sessions SET status = 'error' WHERE label = 'ok, done';
INSERT INTO turnstile VALUES ('session_deliver', '["ok, done","make it five"]');
UPDATE sessions SET status = 'active' WHERE label = 'ok, done';
DELETE FROM came;
INSERT INTO came SELECT 'ok, done', session_deliver('ok, done', 'ok');
SELECT 'ok, done', json_array(action, state, given, waits), '["complete","None",null,"make it five"]' FROM seen;

-- What decides ends the task: nothing is handed over with that.
INSERT INTO turnstile VALUES ('session_start', '["ok, stop","add retries"]'), ('session_note', '["ok, stop","read"]');
UPDATE sessions SET status = 'error' WHERE label = 'ok, stop';
INSERT INTO turnstile VALUES ('session_deliver', '["ok, stop","beat",{"source":"timer"}]'), ('session_deliver', '["ok, stop","stop"]');
UPDATE sessions SET status = 'active' WHERE label = 'ok, stop';
DELETE FROM came;
INSERT INTO came SELECT 'ok, stop', session_deliver('ok, stop', 'ok', '{"class":"Confirmation"}');
SELECT 'ok, stop: what decides ends the task', json_array(action, state, given, waits), '["abandon","None",null,"beat"]' FROM seen;
SELECT 'ok, stop: the refusal is done with', (SELECT status FROM session_queue WHERE session_label = 'ok, stop' AND message = 'stop'), 'delivered';

---- Abandon cancels what its sender has waiting, and nobody else's

INSERT INTO turnstile VALUES ('session_start', '["mine","add retries"]'), ('session_note', '["mine","read"]');
UPDATE sessions SET status = 'error' WHERE label = 'mine';
INSERT INTO turnstile VALUES ('session_deliver', '["mine","one",{"sender":"u1"}]'), ('session_deliver', '["mine","two",{"sender":"u2"}]'),
  ('session_deliver', '["mine","three",{"sender":"u1","channel":"wa"}]'), ('session_deliver', '["mine","beat",{"sender":"u1","source":"timer"}]'),
  ('session_deliver', '["mine","four",{"sender":"u1"}]');
UPDATE sessions SET status = 'active' WHERE label = 'mine';
DELETE FROM came;
INSERT INTO came SELECT 'mine', session_deliver('mine', 'never mind', '{"class":"Abandon","sender":"u1"}');
SELECT 'mine: the task ends, the others'' wait', json_array(action, state, given, waits), '["abandon","None",null,"two | three | beat"]' FROM seen;
SELECT 'mine: the decision lists what was cancelled', (SELECT group_concat(value ->> '$.message') FROM came, json_each(decision, '$.cancelled')), 'one,four';
SELECT 'mine: and the rows say so', (SELECT group_concat(message) FROM session_queue WHERE session_label = 'mine' AND status = 'cancelled'), 'one,four';

-- Without a task an Abandon only acknowledges. It starts nothing, and says what still waits.
INSERT INTO turnstile VALUES ('session_start', '["nobody","add retries"]'), ('session_compact', '["nobody"]');
UPDATE sessions SET status = 'error' WHERE label = 'nobody';
INSERT INTO turnstile VALUES ('session_deliver', '["nobody","one",{"sender":"u1"}]'), ('session_deliver', '["nobody","make it five",{"sender":"u2"}]');
UPDATE sessions SET status = 'active' WHERE label = 'nobody';
DELETE FROM came;
INSERT INTO came SELECT 'nobody', session_deliver('nobody', 'never mind', '{"class":"Abandon","sender":"u1"}');
SELECT 'nobody: the other''s message waits', json_array(action, task, given, waits), '["acknowledge",null,null,"make it five"]' FROM seen;
SELECT 'nobody: and the decision says so', decision -> '$.still_waiting', '[{"queue_id":' || (SELECT id FROM session_queue
  WHERE session_label = 'nobody' AND status = 'pending') || ',"source":"user","sender":"u2","message":"make it five"}]' FROM came;
SELECT 'nobody: once more', json_array(d ->> '$.action', d ->> '$.queue_id', d ->> '$.turn', d ->> '$.still_waiting[0].message'),
  '["acknowledge",null,null,"make it five"]' FROM (SELECT session_deliver('nobody', 'stop', '{"class":"Abandon","sender":"u1","owner":"A1"}') AS d);

---- A timer takes along what waits; /compact does not

CREATE TEMP TABLE tick(label, state, waiting, action, after, task, given);
INSERT INTO tick VALUES
  ('tick open', 'Running', 'make it five', 'continue', 'Running', 'add retries', 'make it five | beat'),
  ('tick asked', 'AwaitingUser', 'use five', 'continue', 'Running', 'add retries', 'use five | beat'),
  ('tick free', 'None', 'make it five', 'start', 'Running', 'make it five', 'make it five | beat'),
  ('tick stop', 'Running', 'stop', 'queue', 'None', NULL, NULL);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM tick;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM tick;
INSERT INTO turnstile SELECT 'session_compact', json_array(label) FROM tick WHERE state = 'None';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state, json('{"question":"How many?"}')) FROM tick WHERE state = 'AwaitingUser';
UPDATE sessions SET status = 'error' WHERE label IN (SELECT label FROM tick);
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, waiting) FROM tick;
UPDATE sessions SET status = 'active' WHERE label IN (SELECT label FROM tick);
CREATE TEMP TABLE compacted AS SELECT label, session_deliver(label, '/compact the design') AS decision FROM tick;
SELECT label || ': /compact comes by itself', json_extract(decision, '$.action', '$.focus', '$.inputs'), '["compact","the design",null]' FROM compacted;
SELECT label || ': and leaves what waits', (SELECT group_concat(message || ' ' || status) FROM
         (SELECT * FROM session_queue AS q WHERE q.session_label = label AND status IN ('pending', 'handed') ORDER BY id)),
       waiting || ' pending,/compact the design handed' FROM tick;
DELETE FROM came;
INSERT INTO came SELECT label, session_deliver(label, 'beat', '{"source":"timer","now":2000000}') FROM tick;
SELECT label || ': the timer takes it along', json_array(s.action, s.class, s.state, s.task, s.given, s.waits),
       json_array(t.action, NULL, t.after, t.task, coalesce(t.given, 'beat'), CASE WHEN t.given IS NULL THEN 'beat' END) FROM tick AS t JOIN seen AS s USING (label);
SELECT label || ': the timer is no activity', (SELECT last_activity FROM sessions AS s WHERE s.label = tick.label), 1000000 FROM tick;
SELECT label || ': the work answers a user', (SELECT work_source FROM sessions AS s WHERE s.label = tick.label), 'user' FROM tick WHERE label <> 'tick stop';

---- Held by a choice, and the task ends in another way: it waits

-- Opens a choice of each kind. "as it was": the message that it holds.
CREATE TEMP TABLE way(name);
INSERT INTO way VALUES ('compact'), ('start'), ('end deliver'), ('end recover'), ('end sweep');
CREATE TEMP TABLE kind(name, class, ms);
INSERT INTO kind VALUES ('StaleSessionChoice', 'Modification', 1000000 + 25 * 3600000), ('NewTaskChoice', 'NewTask', 1000000), ('UnclearChoice', 'Unclear', 1000000);
CREATE TEMP TABLE freed AS SELECT kind.name || ', ' || way.name AS label, kind.name AS kind, way.name AS way, class, ms FROM kind, way;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM freed;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM freed;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'build an export', json_object('class', class, 'now', ms)) FROM freed;
SELECT label || ': it is held', session_state(label) ->> '$.pending_choice.held', 'build an export' FROM freed;
INSERT INTO turnstile SELECT 'session_compact', json_array(label, 'done', json_object('now', ms)) FROM freed WHERE way IN ('compact', 'start');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'write a report', json_object('now', ms)) FROM freed WHERE way = 'start';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete', json('{"summary":"Retries added"}'), json_object('now', ms)) FROM freed WHERE way LIKE 'end%';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Complete', NULL, json_object('now', ms)) FROM freed WHERE way LIKE 'end%';
INSERT INTO turnstile SELECT 'session_recover', json_array(label, json_object('now', ms)) FROM freed WHERE way = 'end recover';
SELECT session_sweep('{"now":91000000}');
SELECT label || ': it is a row that waits, to be classified when it is taken',
       (SELECT group_concat(json_array(message, status, class)) FROM session_queue AS q WHERE q.session_label = label), '["build an export","pending",null]'
FROM freed WHERE way <> 'end deliver';
SELECT label || ': and no choice is open', session_state(label) ->> '$.pending_choice', NULL FROM freed WHERE way <> 'end deliver';
SELECT label || ': the commit is Normal', (SELECT group_concat(commit_type) FROM commits WHERE session_label = label), 'Normal' FROM freed WHERE way <> 'end deliver';
DELETE FROM came;
INSERT INTO came SELECT label, session_deliver(label, 'and log it', json_object('class', 'Modification', 'now', ms + 1000)) FROM freed;
SELECT label || ': the next message takes it along', json_array(s.action, s.task, s.given, s.waits, s.holds),
       json_array(iif(f.way = 'start', 'continue', 'start'), iif(f.way = 'start', 'write a report', 'and log it'), 'earlier: build an export | and log it', NULL, NULL)
FROM freed AS f JOIN seen AS s USING (label);

---- Held by a choice, which expires: after a week the task is saved

-- "m" is held, and eight days later something comes. With work the task is saved with a commit,
-- without it is dropped. A sweep may have been there before.
CREATE TEMP TABLE late(word, class, text);
INSERT INTO late VALUES ('continue', NULL, 'continue'), ('start fresh', NULL, 'start fresh'), ('Response', 'Response', 'use five'), ('Confirmation', 'Confirmation', 'use five'),
  ('Modification', 'Modification', 'use five'), ('NewTask', 'NewTask', 'use five'), ('Clarification', 'Clarification', 'use five'), ('Unclear', 'Unclear', 'use five'),
  ('Abandon', 'Abandon', 'use five');
-- What comes of it: action, task, given, holds, waits, said. A star stands for any kind.
CREATE TEMP TABLE comes(kind, word, work, action, task, given, holds, waits, said);
INSERT INTO comes VALUES
  ('StaleSessionChoice', 'continue', 1, 'prompt', NULL, NULL, 'm', NULL, NULL),
  ('StaleSessionChoice', 'continue', 0, 'start', 'm', 'm', NULL, NULL, NULL),
  ('UnclearChoice', 'continue', 1, 'prompt', NULL, NULL, 'm', NULL, NULL),
  ('UnclearChoice', 'continue', 0, 'answer', NULL, 'm', NULL, NULL, NULL),
  ('NewTaskChoice', 'continue', 1, 'prompt', NULL, NULL, NULL, NULL, 'Asked for meanwhile, not started: m'),
  ('NewTaskChoice', 'continue', 0, 'acknowledge', NULL, NULL, NULL, NULL, 'Asked for meanwhile, not started: m'),
  ('*', 'start fresh', 1, 'start', 'm', 'm', NULL, NULL, NULL),
  ('*', 'start fresh', 0, 'start', 'm', 'm', NULL, NULL, NULL),
  ('*', 'Response', 1, 'prompt', NULL, NULL, 'm | use five', NULL, NULL),
  ('*', 'Response', 0, 'start', 'use five', 'earlier: m | use five', NULL, NULL, NULL),
  ('*', 'Confirmation', 1, 'prompt', NULL, NULL, 'm | use five', NULL, NULL),
  ('*', 'Modification', 1, 'start', 'use five', 'earlier: m | use five', NULL, NULL, NULL),
  ('*', 'Modification', 0, 'start', 'use five', 'earlier: m | use five', NULL, NULL, NULL),
  ('*', 'NewTask', 1, 'start', 'use five', 'earlier: m | use five', NULL, NULL, NULL),
  ('*', 'NewTask', 0, 'start', 'use five', 'earlier: m | use five', NULL, NULL, NULL),
  ('*', 'Clarification', 1, 'answer', NULL, 'earlier: m | use five', NULL, NULL, NULL),
  ('*', 'Clarification', 0, 'answer', NULL, 'earlier: m | use five', NULL, NULL, NULL),
  ('*', 'Unclear', 1, 'answer', NULL, 'earlier: m | use five', NULL, NULL, NULL),
  ('*', 'Unclear', 0, 'answer', NULL, 'earlier: m | use five', NULL, NULL, NULL),
  ('*', 'Abandon', 1, 'acknowledge', NULL, NULL, NULL, NULL, 'Taken back: m'),
  ('*', 'Abandon', 0, 'acknowledge', NULL, NULL, NULL, NULL, 'Taken back: m');
-- After a sweep the choice is gone and what it held waits, so its answers are messages like others:
-- "continue" asks whether to pick the saved task up. All else comes to the same.
CREATE TEMP TABLE swept(word, work, action, task, given, holds, waits, said);
INSERT INTO swept VALUES ('continue', 1, 'prompt', NULL, NULL, 'continue', 'm', NULL), ('Response', 1, 'prompt', NULL, NULL, 'use five', 'm', NULL),
  ('Confirmation', 1, 'prompt', NULL, NULL, 'use five', 'm', NULL), ('Abandon', 1, 'acknowledge', NULL, NULL, NULL, NULL, NULL),
  ('Abandon', 0, 'acknowledge', NULL, NULL, NULL, NULL, NULL);
CREATE TEMP TABLE expired AS
  SELECT kind.name || iif(work, '', ' without work') || iif(sweep, ', swept: ', ': ') || word AS label, kind.name AS kind, kind.class AS held_class, ms, work, sweep, late.*
  FROM kind, late, (SELECT 1 AS work UNION ALL SELECT 0), (SELECT 0 AS sweep UNION ALL SELECT 1);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM expired;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM expired WHERE work;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'm', json_object('class', held_class, 'now', ms)) FROM expired;
-- The sweep takes those only that are to be swept: the others are as good as out of its sight.
SELECT turnstile_config('auto_compact_threshold', '90 days', json_object('session', label)) FROM expired WHERE NOT sweep;
SELECT session_sweep(json_object('now', 1000000 + 30 * 3600000 + 7 * 86400000));
SELECT turnstile_config('auto_compact_threshold', NULL, json_object('session', label, 'reset', 1)) FROM expired WHERE NOT sweep;
SELECT label || ': the sweep lets go of it', (SELECT group_concat(json_array(message, status, class)) FROM session_queue AS q WHERE q.session_label = label),
       '["m","pending",null]' FROM expired WHERE sweep;
SELECT label || ': it is still held', session_state(label) ->> '$.pending_choice.held', 'm' FROM expired WHERE NOT sweep;
DELETE FROM came;
INSERT INTO came SELECT label, session_deliver(label, text, json_object('class', class, 'now', 1000000 + 30 * 3600000 + 8 * 86400000)) FROM expired WHERE class IS NOT NULL;
INSERT INTO came SELECT label, session_deliver(label, text, json_object('now', 1000000 + 30 * 3600000 + 8 * 86400000)) FROM expired WHERE class IS NULL;
CREATE TEMP TABLE outcome AS
  SELECT e.label, e.kind, e.word, e.work, e.sweep,
         json_array(s.action, s.task, s.given, s.holds, s.waits, s.said) AS got,
         json_array(c.action, c.task, c.given, c.holds, c.waits, c.said) AS expected,
         (SELECT json_array(x.action, x.task, x.given, x.holds, x.waits, x.said) FROM swept AS x WHERE x.word = e.word AND x.work = e.work) AS when_swept
  FROM expired AS e JOIN seen AS s USING (label) JOIN comes AS c ON c.word = e.word AND c.work = e.work AND (c.kind = e.kind OR c.kind = '*');
SELECT label, got, iif(sweep, ifnull(when_swept, expected), expected) FROM outcome
WHERE NOT sweep OR word NOT IN ('continue', 'start fresh') OR (word = 'continue' AND work);
-- An approval of nothing only acknowledges: then what was held is what there is to do.
SELECT e.label || ': what was held decides', json_array(s.action IN ('start', 'answer'), s.given, s.holds, s.waits), '[1,"m",null,null]'
FROM expired AS e JOIN seen AS s USING (label) WHERE NOT work AND word = 'Confirmation';
SELECT label || ': nothing is lost', json_array(s.state, s.waits, instr(s.given, 'm') > 0), '["Running",null,1]'
FROM expired AS e JOIN seen AS s USING (label) WHERE sweep AND (word = 'start fresh' OR (word = 'continue' AND NOT work));
SELECT label || ': swept, the same sender''s Abandon cancels it', (SELECT status FROM session_queue AS q WHERE q.session_label = label AND message = 'm'), 'cancelled'
FROM expired WHERE sweep AND word = 'Abandon';
SELECT label || ': one commit with work, none without', (SELECT count(*) FROM commits WHERE session_label = label AND commit_type = 'StaleAutoCompact'), work FROM expired;
SELECT label || ': what opens is a SavedTaskChoice', s.kind, 'SavedTaskChoice' FROM expired JOIN seen AS s USING (label) WHERE s.action = 'prompt';

-- Settled, the choice about the saved task comes to the same with a sweep and without: both messages
-- are handed over, in the order in which they came.
CREATE TEMP TABLE later AS SELECT label, kind, sweep, word FROM expired WHERE work AND word IN ('Response', 'Confirmation');
DELETE FROM came;
INSERT INTO came SELECT label, session_deliver(label, iif(word = 'Response', 'A', 'B'), json_object('now', 1000000 + 30 * 3600000 + 8 * 86400000 + 1000)) FROM later;
SELECT label || ', then ' || iif(word = 'Response', 'A', 'B'), json_array(s.action, s.task, s.given, s.waits, s.holds),
       json_array(iif(word = 'Response', 'continue', 'start'), iif(word = 'Response', 'add retries', 'use five'), 'earlier: m | use five', NULL, NULL)
FROM later JOIN seen AS s USING (label);

---- A choice about a saved task, which holds two messages: every way out

CREATE TEMP TABLE out(label, message, class, action, task, given, holds, said);
INSERT INTO out VALUES
  ('A', 'A', NULL, 'continue', 'add retries', 'earlier: m | use five', NULL, NULL),
  ('B', 'B', NULL, 'start', 'use five', 'earlier: m | use five', NULL, NULL),
  ('continue', 'continue', NULL, 'continue', 'add retries', 'earlier: m | use five', NULL, NULL),
  ('start fresh', 'start fresh', NULL, 'start', 'use five', 'earlier: m | use five', NULL, NULL),
  ('new', 'now this', 'NewTask', 'start', 'now this', 'earlier: m | earlier: use five | newer: now this', NULL, NULL),
  ('change', 'now this', 'Modification', 'continue', 'add retries', 'earlier: m | use five | now this', NULL, NULL),
  ('reply', 'now this', 'Response', 'continue', 'add retries', 'earlier: m | use five | now this', NULL, NULL),
  ('approval', 'all of that is right', 'Confirmation', 'continue', 'add retries', 'earlier: m | use five', NULL, NULL),
  ('abandon', 'never mind', 'Abandon', 'acknowledge', NULL, NULL, NULL, NULL), -- of others
  ('question', 'which one?', 'Clarification', 'answer', NULL, 'which one?', 'm | use five', NULL),
  ('vague', 'hm', 'Unclear', 'prompt', NULL, NULL, 'm | use five', NULL),
  ('yes', 'yes', NULL, 'prompt', NULL, NULL, 'm | use five', NULL),
  ('timer', 'beat', 'timer', 'continue', NULL, 'beat', 'm | use five', NULL),
  ('/compact', '/compact', NULL, 'compact', NULL, '/compact', 'm | use five', NULL),
  ('error', 'now this', 'error', 'blocked', NULL, NULL, 'm | use five', NULL);
UPDATE out SET label = 'saved, ' || label;
CREATE TEMP TABLE saved(label);
INSERT INTO saved SELECT label FROM out UNION ALL VALUES ('saved, long after'), ('saved, started'), ('saved, chosen'), ('saved, recovered');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM saved;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM saved;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'm', json('{"class":"NewTask","sender":"u1"}')) FROM saved;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'use five', json('{"class":"Response","sender":"u2","now":801000000}')) FROM saved;
SELECT turnstile_clock(801001000);
UPDATE sessions SET status = 'error' WHERE label = 'saved, error';
DELETE FROM came;
INSERT INTO came SELECT label, session_deliver(label, message, json_object('class', class)) FROM out WHERE class IN (SELECT class FROM late);
INSERT INTO came SELECT label, session_deliver(label, message) FROM out WHERE class IS NULL OR class = 'error';
INSERT INTO came SELECT label, session_deliver(label, message, json_object('source', class)) FROM out WHERE class = 'timer';
SELECT label || ': what is done', json_array(s.action, s.task, s.given), json_array(o.action, o.task, iif(o.class = 'error', o.message, o.given))
FROM out AS o JOIN seen AS s USING (label);
SELECT label || ': what is held', s.holds, o.holds FROM out AS o JOIN seen AS s USING (label);
SELECT label || ': what is noted', s.said, o.said FROM out AS o JOIN seen AS s USING (label);
SELECT label || ': what waits', s.waits, CASE o.class WHEN 'error' THEN o.message WHEN 'Abandon' THEN 'm | use five' END FROM out AS o JOIN seen AS s USING (label);
-- Another task begins: both wait, in order.
INSERT INTO turnstile VALUES ('session_start', '["saved, started","write a report"]');
SELECT 'saved, started: both wait', (SELECT group_concat(message || ' ' || status, ' | ') FROM (SELECT * FROM session_queue WHERE session_label = 'saved, started' ORDER BY id)),
       'm pending | use five pending';
SELECT 'saved, chosen: session_choose does the same',
       (SELECT group_concat(value ->> '$.message', ' | ') FROM json_each(session_choose('saved, chosen', 'start_fresh'), '$.inputs')), 'm | use five';
SELECT 'saved, recovered: reading changes nothing', json_array(session_recover('saved, recovered') ->> '$.choice.held', session_recover('saved, recovered') ->> '$.choice.earlier[0]' IS NOT NULL),
       '["use five",1]';

-- It does not expire, and a session whose choice is open is not archived.
SELECT turnstile_clock(801001000 + 60 * 86400000);
SELECT 'saved, long after: a sweep leaves it alone', instr(session_sweep() ->> '$.archived_sessions', 'saved, long after'), 0;
SELECT 'saved, long after: it can still be answered',
       (SELECT group_concat(value ->> '$.message', ' | ') FROM json_each(session_deliver('saved, long after', 'continue'), '$.inputs')), 'm | use five';
SELECT turnstile_clock(801001000);

---- What waits behind an open choice

-- "m" is held by the choice, and then the session is in error while "w" comes.
CREATE TEMP TABLE behind(label, message, class, action, given);
INSERT INTO behind VALUES ('behind, A', 'A', NULL, 'start', 'm | w'), ('behind, new', 'now this', 'NewTask', 'start', 'm | w | now this'),
  ('behind, B', 'B', NULL, 'continue', 'w'), ('behind, change', 'now this', 'Modification', 'continue', 'w | now this');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM behind;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM behind;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'm', json('{"class":"NewTask"}')) FROM behind;
UPDATE sessions SET status = 'error' WHERE label IN (SELECT label FROM behind);
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'w') FROM behind;
UPDATE sessions SET status = 'active' WHERE label IN (SELECT label FROM behind);
DELETE FROM came;
INSERT INTO came SELECT label, session_deliver(label, message, json_object('class', class)) FROM behind WHERE class IS NOT NULL;
INSERT INTO came SELECT label, session_deliver(label, message) FROM behind WHERE class IS NULL;
SELECT label || ': all of it, in the order in which it came', json_array(s.action, replace(replace(s.given, 'earlier: ', ''), 'newer: ', '')), json_array(b.action, b.given)
FROM behind AS b JOIN seen AS s USING (label) WHERE b.class IS NOT NULL OR b.message = 'A';
SELECT label || ': nothing is lost', (SELECT group_concat(message || ' ' || status) FROM session_queue AS q WHERE q.session_label = label AND message = 'w') IN ('w pending', 'w handed'), 1
FROM behind;

-- A timer takes along a message that waits while a choice about a saved task is open: whatever
-- becomes of the choice, its answer is no error and what it held is not lost.
INSERT INTO turnstile VALUES ('session_start', '["met","add retries",{"now":1000000}]'), ('session_note', '["met","read",{"now":1000000}]');
UPDATE sessions SET status = 'error' WHERE label = 'met';
INSERT INTO turnstile VALUES ('session_deliver', '["met","w",{"now":1000000}]');
UPDATE sessions SET status = 'active' WHERE label = 'met';
INSERT INTO turnstile VALUES ('session_deliver', '["met","use five",{"class":"Response"}]'), ('session_deliver', '["met","beat",{"source":"timer"}]');
SELECT 'met: the choice goes with a state in which it can be answered',
       (SELECT (pending_choice IS NOT NULL) + (open_task_id IS NOT NULL) FROM sessions WHERE label = 'met') <= 1, 1;
SELECT 'met: the answer is no error', error_of('SELECT session_deliver(''met'', ''A'')'), NULL;
SELECT 'met: what was held is handed over, or waits, or is held', (SELECT count(*) FROM session_queue WHERE session_label = 'met' AND message = 'use five' AND status <> 'cancelled')
         + (SELECT ifnull(pending_choice ->> '$.held', '') = 'use five' FROM sessions WHERE label = 'met'), 1;

-- What a timer takes along ends the task: its choice goes with it, and what that held is not lost.
INSERT INTO turnstile VALUES ('session_start', '["ended","add retries"]'), ('session_note', '["ended","read"]'),
  ('session_deliver', '["ended","m",{"class":"NewTask"}]');
UPDATE sessions SET status = 'error' WHERE label = 'ended';
INSERT INTO turnstile VALUES ('session_deliver', '["ended","stop"]');
UPDATE sessions SET status = 'active' WHERE label = 'ended';
INSERT INTO turnstile VALUES ('session_deliver', '["ended","beat",{"source":"timer"}]');
SELECT 'ended: no choice is about a task that is gone',
       (SELECT pending_choice IS NOT NULL AND open_task_id IS NULL FROM sessions WHERE label = 'ended'), 0;
SELECT 'ended: what was held is in one place', (SELECT count(*) FROM session_queue WHERE session_label = 'ended' AND message = 'm')
         + (SELECT ifnull(pending_choice ->> '$.held', '') = 'm' FROM sessions WHERE label = 'ended'), 1;

-- What is held asks for work, and the message that settles the choice ends the task: it waits.
INSERT INTO turnstile VALUES ('session_start', '["approved","add retries"]'), ('session_note', '["approved","read"]'),
  ('session_transition', '["approved","PendingComplete",{"summary":"Retries added"}]');
SELECT turnstile_clock(801001000 + 25 * 3600000);
INSERT INTO turnstile VALUES ('session_deliver', '["approved","what does it do?",{"class":"Clarification"}]');
DELETE FROM came;
INSERT INTO came SELECT 'approved', session_deliver('approved', 'it is all right as it is', '{"class":"Confirmation"}');
SELECT 'approved: nothing is handed over with the end', json_array(action, state, given, waits), '["complete","None",null,"what does it do?"]' FROM seen;
SELECT turnstile_clock(801001000);

-- A task that a move has left Aborted is over: no choice goes on with it.
CREATE TEMP TABLE left_behind(label, choice);
INSERT INTO left_behind VALUES ('left, continue', 'continue'), ('left, start_fresh', 'start_fresh');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM left_behind;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM left_behind;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'm', json('{"class":"NewTask"}')) FROM left_behind;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Aborted', json('{"reason":"of no use"}')) FROM left_behind;
CREATE TEMP TABLE chosen AS SELECT label, error_of(printf('SELECT session_choose(%Q, %Q)', label, choice)) AS error FROM left_behind;
SELECT label || ': it is refused, or the task has its commit first',
       error IS NOT NULL OR (SELECT group_concat(commit_type) FROM commits WHERE session_label = label) IS 'Abandoned', 1 FROM chosen;
SELECT label || ': what was held is in one place', (SELECT count(*) FROM session_queue AS q WHERE q.session_label = label AND message = 'm')
         + (SELECT ifnull(pending_choice ->> '$.held', '') = 'm' FROM sessions AS s WHERE s.label = left_behind.label)
         + (SELECT count(*) FROM observations AS o WHERE o.session_label = label AND data ->> '$.text' = 'Asked for meanwhile, not started: m'), 1 FROM left_behind;

---- Saved by a sweep, and nothing since

INSERT INTO turnstile VALUES ('session_start', '["since","add retries",{"now":1000000}]'), ('session_note', '["since","read",{"now":1000000}]'),
  ('session_start', '["since not","add retries",{"now":1000000}]'), ('session_note', '["since not","read",{"now":1000000}]');
SELECT session_sweep('{"now":700000000}');
INSERT INTO turnstile VALUES ('session_deliver', '["since","beat",{"source":"timer"}]');
INSERT INTO turnstile VALUES ('session_start', '["since not","write a report",{"now":1000000}]'), ('session_compact', '["since not","done",{"now":1000000}]');
SELECT 'a timer in between is nothing', session_deliver('since', 'use five', '{"class":"Response"}') ->> '$.choices[0].action', 'continue';
SELECT 'another task in between is something', session_deliver('since not', 'use five', '{"class":"Response"}') ->> '$.action', 'start';

---- Every record stands

SELECT 'no message is in two open places', (SELECT group_concat(delivery_id) FROM session_queue WHERE delivered_at IS NULL GROUP BY delivery_id HAVING count(*) > 1), NULL;
SELECT 'nothing that is held is in the queue too', (SELECT count(*) FROM sessions AS s JOIN session_queue AS q ON q.session_label = s.label
         AND q.delivered_at IS NULL AND q.delivery_id = s.pending_choice ->> '$.delivery_id'), 0;
SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events), (SELECT max(id) FROM session_events);

---- Somebody else's "stop" over a held request

CREATE TEMP TABLE stopper(label, who, message);
INSERT INTO stopper VALUES ('group:stop:1', 'ben', 'stop'), ('group:stop:2', 'ann', 'stop'), ('group:stop:3', 'ben', 'never mind');
SELECT session_deliver(label, 'Add retries to the fetcher', '{"sender":"ann","channel":"c"}') IS NULL, 0, 0 FROM stopper;
SELECT session_transition(label, 'AwaitingUser', '{"question":"How many?"}') IS NULL, 0, 0 FROM stopper;
CREATE TEMP TABLE held_of_ann AS SELECT label, who, message,
  session_deliver(label, 'new task: build an invoice export', '{"sender":"ann","channel":"c","class":"NewTask"}') ->> '$.kind' AS kind FROM stopper;
SELECT label || ': held', kind, 'NewTaskChoice' FROM held_of_ann;
CREATE TEMP TABLE stopped AS SELECT label, who,
  session_deliver(label, message, json_object('sender', who, 'channel', 'c')) AS d FROM held_of_ann;
SELECT label || ': the task stays', json_extract(d, '$.action', '$.state'), '["acknowledge","AwaitingUser"]' FROM stopped;
SELECT label || ': said to its own sender only', d ->> '$.message' LIKE '%leave that request%', who = 'ann' FROM stopped;
SELECT label || ': no choice is left', (SELECT pending_choice FROM sessions AS s WHERE s.label = p.label), NULL FROM stopped AS p;
SELECT label || ': what waits', (SELECT group_concat(message) FROM session_queue AS q WHERE q.session_label = p.label AND status = 'pending'),
       iif(who = 'ben', 'new task: build an invoice export', NULL) FROM stopped AS p;
SELECT label || ': it is named', (d ->> '$.still_waiting') LIKE '%invoice export%', who = 'ben' FROM stopped;

---- Whoever says stop learns what others have waiting, whatever state the session is in

CREATE TEMP TABLE stops(label PRIMARY KEY, action);
INSERT INTO stops VALUES ('stop idle', 'acknowledge'), ('stop task', 'abandon'), ('stop run', 'abandon'), ('stop summary', 'queue'), ('stop error', 'blocked'),
  ('stop error task', 'blocked'), ('stop error run', 'blocked'), ('stop suspended', 'abandon'), ('stop archived', 'abandon'), ('stop choice', 'acknowledge'),
  ('stop error choice', 'blocked'), ('stop asked', 'abandon'), ('stop due', 'abandon');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'Build a boat') FROM stops
  WHERE label NOT IN ('stop idle', 'stop error', 'stop summary');
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"hello"}]')) FROM stops WHERE label = 'stop summary';
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"there"}]')) FROM stops WHERE label = 'stop summary';
INSERT INTO turnstile SELECT 'turn_compact_begin', json_array(label, 'w') FROM stops WHERE label = 'stop summary';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'with a mast', json('{"class":"Modification","owner":"w"}')) FROM stops
  WHERE label IN ('stop run', 'stop error run', 'stop due');
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, '429', json('{"retry_after":"10m"}')) FROM session_runs WHERE session_label = 'stop due';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'an invoice export', json('{"class":"NewTask"}')) FROM stops WHERE label LIKE '%choice';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser', json('{"question":"How long?"}')) FROM stops WHERE label = 'stop asked';
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'tick', json('{"source":"timer"}')) FROM stops;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'and a flag', json('{"sender":"ben"}')) FROM stops;
INSERT INTO turnstile SELECT 'session_fail', json_array(label, 'broken') FROM stops WHERE label LIKE 'stop error%';
INSERT INTO turnstile SELECT 'session_suspend', json_array(label) FROM stops WHERE label = 'stop suspended';
INSERT INTO turnstile SELECT 'session_archive', json_array(label) FROM stops WHERE label = 'stop archived';
CREATE TEMP TABLE stopped_now AS SELECT label, action, NULL AS d FROM stops;
UPDATE stopped_now SET d = session_deliver(label, 'stop');
SELECT label || ': what is done', d ->> 'action', action FROM stopped_now;
SELECT label || ': what waits', (SELECT group_concat(value ->> 'message', ', ') FROM json_each(d, '$.still_waiting')), 'tick, and a flag' FROM stopped_now;
SELECT label || ': by whom', json_extract(d, '$.still_waiting[0].source', '$.still_waiting[1].sender'), '["timer","ben"]' FROM stopped_now;
SELECT label || ': and that alone', (SELECT group_concat(q.message, ', ') FROM session_queue AS q WHERE q.session_label = label AND q.status IN ('pending', 'handed')
  AND q.id IS NOT d ->> 'queue_id'), 'tick, and a flag' FROM stopped_now;
-- More than a hundred are not all named.
INSERT INTO turnstile SELECT 'session_start', '["stop many","Build a boat"]';
INSERT INTO turnstile SELECT 'turnstile_config', '["queue_cap",300,{"session":"stop many"}]';
WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 120)
INSERT INTO turnstile SELECT 'queue_push', json_array('stop many', 'tick ' || n, json('{"source":"timer"}')) FROM n;
INSERT INTO turnstile SELECT 'session_fail', '["stop many","broken"]';
SELECT 'a hundred are named', json_array_length(session_deliver('stop many', 'stop'), '$.still_waiting'), 100;
-- What is no Abandon says nothing of the sort.
SELECT 'a change does not ask', session_deliver('stop error', 'and a deck', '{"class":"Modification"}') -> 'still_waiting', NULL;
-- A parent that ends what its worker does is told what ends with it.
INSERT INTO turnstile SELECT 'session_start', '["stop parent","Build a boat"]';
SELECT session_spawn('stop parent', 'cut the wood', '{"label":"stop worker"}');
INSERT INTO turnstile SELECT 'queue_push', '["stop worker","tick",{"source":"timer"}]';
SELECT 'the worker''s inputs', (SELECT group_concat(value ->> 'message', ', ') FROM json_each(d, '$.cancelled')), 'cut the wood, tick'
  FROM (SELECT session_deliver('stop worker', 'stop', '{"source":"agent","sender":"stop parent","class":"Abandon"}') AS d);

---- A "stop" that waited itself calls off what its sender had said before it, where it was said, and nothing else

CREATE TEMP TABLE stop_waits(label TEXT PRIMARY KEY, state);
INSERT INTO stop_waits VALUES ('stopped busy', 'Running'), ('stopped free', 'None'), ('stopped done', 'PendingComplete');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'paint it') FROM stop_waits WHERE state <> 'None';
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'x') FROM stop_waits WHERE state <> 'None';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state, json('{"summary":"Painted."}')) FROM stop_waits WHERE state = 'PendingComplete';
CREATE TEMP TABLE stop_among(n INTEGER PRIMARY KEY, message, options, fate);
INSERT INTO stop_among(message, options, fate) VALUES ('bob''s', '{"sender":"bob"}', 'goes on'), ('ann''s', '{"sender":"ann"}', 'called off by its sender'),
  ('ann''s by mail', '{"sender":"ann","channel":"mail"}', 'goes on'), ('nobody''s', '{}', 'goes on'), ('a timer''s', '{"source":"timer"}', 'goes on'),
  ('a timer''s of ann', '{"source":"timer","sender":"ann"}', 'goes on'), ('stop', '{"sender":"ann"}', 'delivered'), ('a timer''s behind it', '{"source":"timer","sender":"ann"}', 'goes on');
SELECT queue_push(label, message, options) > 0 FROM stop_waits, stop_among ORDER BY n;
CREATE TEMP TABLE stop_said(label, d);
INSERT INTO stop_said SELECT label, session_deliver(label, 'tick', '{"source":"timer"}') FROM stop_waits;
SELECT label || ': what the next delivery does', d ->> '$.action', iif(label = 'stopped free', 'start', 'queue') FROM stop_said;
SELECT label || ': what it says', (SELECT group_concat(value ->> '$.message') FROM json_each(d, '$.cancelled')), 'ann''s' FROM stop_said;
SELECT label || ': what it hands over', (SELECT group_concat(value ->> '$.message', ' | ') FROM json_each(d, '$.inputs')),
  iif(label = 'stopped free', (SELECT group_concat(message, ' | ') FROM stop_among WHERE fate = 'goes on') || ' | tick', NULL) FROM stop_said;
SELECT label || ': ' || q.message, iif(q.error IS NOT NULL, q.error, iif(q.status IN ('pending', 'handed'), 'goes on', q.status)), fate
  FROM stop_waits JOIN session_queue AS q ON q.session_label = label JOIN stop_among USING (message);
SELECT 'each has its fate', (SELECT count(*) FROM session_queue WHERE session_label IN (SELECT label FROM stop_waits)), 27;
