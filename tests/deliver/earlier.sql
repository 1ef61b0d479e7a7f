-- earlier.sql - what was said before a question was asked, or a report came in, is no answer to it: by whatever
-- way it waited, it reaches the agent as words.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000); -- all of one millisecond: the order of being accepted counts

---- By state, way, and whether it was said before or after

CREATE TEMP TABLE asks(state, data, message, before, after);
INSERT INTO asks VALUES
  ('AwaitingUser', '{"question":"Delete all of the data?"}', 'yes', 'AwaitingUser', 'Running'),
  ('AwaitingUser', '{"question":"Shall I drop the table?"}', 'yes, do it', 'AwaitingUser', 'Running'),
  ('AwaitingUser', '{"question":"Postgres or MySQL?"}', 'use jitter for the delays', 'AwaitingUser', 'Running'),
  ('AwaitingUser', '{"question":"Which port?"}', 'continue', 'AwaitingUser', 'AwaitingUser'),
  ('PendingComplete', '{"summary":"Retries are in."}', 'looks good, thanks', 'PendingComplete', 'None'),
  ('PendingComplete', '{"summary":"Retries are in."}', 'yes', 'PendingComplete', 'None'),
  ('PendingComplete', '{"summary":"Retries are in. Shall I deploy?"}', 'yes', 'PendingComplete', 'Running'),
  ('PendingComplete', '{"summary":"Retries are in."}', 'also add jitter to the delays', 'Running', 'Running');
CREATE TEMP TABLE way(way, live, options, taker);
INSERT INTO way VALUES
  ('pushed', 0, '{}', 'turn_begin'), ('pushed to be collected', 0, '{"mode":"collect"}', 'turn_begin'),
  ('pushed behind a run', 1, '{}', 'turn_begin'), ('collected behind a run', 1, '{"mode":"collect"}', 'turn_begin'),
  ('steered', 1, '{"mode":"steer"}', 'turn_steering'), ('left over by a run', 1, '{"mode":"steer-backlog"}', 'turn_begin'),
  ('a timer comes', 0, '{}', 'session_deliver'),
  ('suspended', 0, '{}', 'turn_begin'), ('archived', 0, '{}', 'turn_begin'), ('in error', 0, '{}', 'turn_begin'),
  ('imported', 0, '{}', 'turn_begin');
CREATE TEMP TABLE said AS
  SELECT way || ', ' || time || ' ' || data || ': ' || message AS label, w.*, a.*, time,
         CASE WHEN time = 'before' THEN before WHEN after = 'None' AND taker = 'turn_steering' THEN state -- a run takes nothing that ends its task
              ELSE after END AS expected
  FROM way AS w, asks AS a, json_each('["before","after"]') AS t, (SELECT 'before' AS time UNION ALL SELECT 'after') AS m WHERE t.value = m.time;
CREATE TEMP TABLE run(label PRIMARY KEY, r, turn AS (r ->> '$.turn'), token AS (r ->> '$.token'));

INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM said;
INSERT INTO run(label, r) SELECT label, turn_begin(label, 'w', '{"messages":[{"role":"user","content":"add retries"}]}') FROM said WHERE live;
INSERT INTO turnstile SELECT 'session_fail', json_array(label, 'no credit') FROM said WHERE way = 'in error';
CREATE TEMP TABLE accepted(label, id);
INSERT INTO accepted SELECT label, iif(way = 'in error', session_deliver(label, message) ->> '$.queue_id', queue_push(label, message, options)) FROM said WHERE time = 'before';
SELECT 'all were accepted', count(id), (SELECT count(*) FROM said WHERE time = 'before') FROM accepted;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state, json(data)) FROM said;
INSERT INTO accepted SELECT label, iif(way = 'in error', session_deliver(label, message) ->> '$.queue_id', queue_push(label, message, options)) FROM said WHERE time = 'after';
INSERT INTO turnstile SELECT CASE way WHEN 'suspended' THEN 'session_suspend' ELSE 'session_archive' END, json_array(label) FROM said WHERE way IN ('suspended', 'archived');
INSERT INTO turnstile SELECT 'session_unarchive', json_array(label) FROM said WHERE way = 'archived';
INSERT INTO turnstile SELECT 'session_reopen', json_array(label) FROM said WHERE way = 'in error';
CREATE TEMP TABLE document AS SELECT label, session_export(label) AS d FROM said WHERE way = 'imported';
INSERT INTO turnstile SELECT 'session_delete', json_array(label) FROM document;
INSERT INTO turnstile SELECT 'session_import', json_array(d) FROM document;
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json_object('content', 'so')) FROM run JOIN said USING (label) WHERE taker <> 'turn_steering';
CREATE TEMP TABLE taken AS SELECT label, iif(taker = 'turn_steering', turn_steering(turn, token), iif(taker = 'turn_begin', turn_begin(label, 'w'), session_deliver(label, 'tick', '{"source":"timer"}'))) AS r
  FROM said LEFT JOIN run USING (label);
SELECT label || ' leads to', session_state(label) ->> '$.task_state', expected FROM said;
-- What was said before reaches the agent, whatever it is.
SELECT label || ' reaches the agent', (taken.r LIKE '%"' || message || '"%'), 1 FROM said JOIN taken USING (label) WHERE time = 'before';
SELECT label || ' commits nothing', (SELECT count(*) FROM commits WHERE session_label = label), 0 FROM said WHERE time = 'before';
SELECT label || ' is noted as no answer', (SELECT count(*) FROM observations AS o WHERE session_label = label AND o.data ->> '$.note' IN ('answer', 'confirmation', 'request_more')), 0
  FROM said WHERE time = 'before';
SELECT label || ' is told as no answer', (SELECT count(*) FROM session_events WHERE session_label = label AND data ->> '$.answer' IS NOT NULL), 0 FROM said WHERE time = 'before';
SELECT label || ' leaves what is asked as it was', (SELECT state_data ->> '$.question' FROM tasks WHERE session_label = label), data ->> '$.question'
  FROM said WHERE time = 'before' AND state = 'AwaitingUser';
SELECT 'the file is whole', (SELECT group_concat(problem, '; ') FROM turnstile_check), NULL;

---- A request whose class is known since it came, steered or taken when the run has asked

INSERT INTO run(label, r) SELECT value, turn_begin(value, 'w', '{"messages":[{"role":"user","content":"add retries"}]}') FROM json_each('["s steer","s queue","s interrupt"]');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM run WHERE label LIKE 's %';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'use jitter', json_object('mode', substr(label, 3), 'class', 'Response')) FROM run WHERE label IN ('s steer', 's queue');
INSERT INTO turnstile SELECT 'turn_steering', json_array(turn, token) FROM run WHERE label = 's interrupt';
CREATE TEMP TABLE waits AS SELECT session_label AS label, class FROM session_queue WHERE session_label LIKE 's %' AND status = 'pending';
SELECT label || ': its class is known', class, 'Response' FROM waits;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Running') FROM waits WHERE session_state(label) ->> '$.task_state' = 'Interrupted';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser', json('{"question":"Which port?"}')) FROM waits;
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json_object('content', 'so')) FROM run WHERE label = 's queue';
SELECT label || ': the question stays open', json_array(iif(label = 's steer', turn_steering(turn, token), turn_begin(label, 'w')) LIKE '%"use jitter"%', session_state(label) ->> '$.task_state'), '[1,"AwaitingUser"]'
  FROM waits JOIN run USING (label);
SELECT label || ': and is answered by what is said since', json_extract(session_deliver(label, '8080'), '$.class'), 'Response' FROM waits;

---- Tried again after the turn that had it has asked

INSERT INTO turnstile VALUES ('session_start', '["tried","add retries"]'), ('session_deliver', '["tried","use jitter"]');
INSERT INTO run(label, r) SELECT 'tried', turn_begin('tried', 'w');
INSERT INTO turnstile VALUES ('session_transition', '["tried","AwaitingUser",{"question":"Which port?"}]');
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, '429', json_object('retry_after', 1000)) FROM run WHERE label = 'tried';
SELECT turnstile_clock(1767225602000);
SELECT 'tried again', json_array(turn_begin('tried', 'w') ->> '$.messages[0].content', session_state('tried') ->> '$.task_state'), '["use jitter","AwaitingUser"]';

---- A question that is asked anew is another one

INSERT INTO turnstile VALUES ('session_start', '["anew","add retries"]'), ('session_transition', '["anew","AwaitingUser",{"question":"Which port?"}]'),
  ('queue_push', '["anew","yes"]'), ('session_transition', '["anew","AwaitingUser",{"question":"Drop the table?"}]');
SELECT 'asked anew', json_array(turn_begin('anew', 'w') ->> '$.messages[0].content', session_state('anew') ->> '$.task_state'), '["yes","AwaitingUser"]';
INSERT INTO turnstile VALUES ('session_start', '["redo","add retries"]'), ('session_transition', '["redo","PendingComplete",{"summary":"Half."}]'),
  ('queue_push', '["redo","looks good"]'), ('session_transition', '["redo","PendingComplete",{"summary":"All."}]');
SELECT 'reported anew', json_array(turn_begin('redo', 'w') ->> '$.messages[0].content', session_state('redo') ->> '$.task_state'), '["looks good","PendingComplete"]';

---- What names the question is its answer

INSERT INTO turnstile VALUES ('session_start', '["named","add retries"]'), ('session_transition', '["named","AwaitingUser",{"question":"Which port?","asked_at":1767225600500}]'),
  ('session_fail', '["named","no credit"]'), ('session_deliver', '["named","8080",{"asked_at":1767225600500}]'), ('session_reopen', '["named"]');
SELECT 'named', json_array(turn_begin('named', 'w') ->> '$.messages[0].content', session_state('named') ->> '$.task_state'), '["8080","Running"]';

---- What a choice held was said before the question that was asked meanwhile

INSERT INTO turnstile VALUES ('session_start', '["held","add retries"]');
INSERT INTO run(label, r) SELECT 'held', turn_begin('held', 'w', '{"messages":[{"role":"user","content":"add retries"}]}');
SELECT 'a choice holds it', session_deliver('held', 'hmm, tuesday', '{"class":"Unclear"}') ->> '$.kind', 'UnclearChoice';
INSERT INTO turnstile VALUES ('session_transition', '["held","AwaitingUser",{"question":"Which port?"}]');
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json_object('content', 'so')) FROM run WHERE label = 'held';
SELECT 'held', json_extract(session_choose('held', 'continue'), '$.action', '$.state'), '["continue","AwaitingUser"]';
SELECT 'it reaches the agent', turn_begin('held', 'w') ->> '$.messages[0].content', 'hmm, tuesday';

---- Said in another session, which was merged into this one since

INSERT INTO turnstile VALUES ('identity_link', '["web","ann","Ann"]');
INSERT INTO turnstile VALUES ('session_start', '["dm:Ann","add retries"]'), ('turn_append', '["dm:Ann",[{"role":"user","content":"x"}]]'),
  ('session_start', '["dm:chat:ann2","write a poem"]'),
  ('session_transition', '["dm:Ann","PendingComplete",{"summary":"Retries are in."}]'), ('session_transition', '["dm:chat:ann2","AwaitingUser",{"question":"Go?"}]'),
  ('queue_push', '["dm:chat:ann2","yes",{"channel":"chat","sender":"ann2"}]');
SELECT 'they are merged', identity_link('chat', 'ann2', 'Ann') IS NOT NULL, 1;
SELECT 'it waits there', (SELECT group_concat(message) FROM session_queue WHERE session_label = 'dm:Ann' AND status = 'pending'), 'yes';
CREATE TEMP TABLE merged AS SELECT session_export('dm:Ann') AS d;
SELECT 'merged', json_array(turn_begin('dm:Ann', 'w') LIKE '%"yes"%', session_state('dm:Ann') ->> '$.task_state'), '[1,"PendingComplete"]';
SELECT session_import(d, '{"as":"elsewhere"}') IS NOT NULL FROM merged;
SELECT 'merged, in a document', json_array(turn_begin('elsewhere', 'w') LIKE '%"yes"%', session_state('elsewhere') ->> '$.task_state'), '[1,"PendingComplete"]';

---- Beside a newer message it goes along; what ends the task ends it all the same

INSERT INTO turnstile VALUES ('session_start', '["beside","add retries"]'), ('queue_push', '["beside","yes"]'),
  ('session_transition', '["beside","AwaitingUser",{"question":"Which port?"}]');
SELECT 'the newer one answers', json_extract(session_deliver('beside', '8080'), '$.action', '$.state', '$.inputs[0].message'), '["continue","Running","yes"]';
INSERT INTO turnstile VALUES ('session_start', '["stop","add retries"]'), ('queue_push', '["stop","stop"]'), ('session_transition', '["stop","AwaitingUser",{"question":"Which port?"}]');
SELECT 'a stop is one', json_array(turn_begin('stop', 'w'), session_state('stop') ->> '$.task_state'), '[null,"None"]';
INSERT INTO turnstile VALUES ('session_start', '["ask","add retries"]'), ('queue_push', '["ask","what does the client do now?"]'), ('session_transition', '["ask","PendingComplete",{"summary":"Done."}]');
SELECT 'a question is answered', json_array(turn_begin('ask', 'w') LIKE '%what does the client%', session_state('ask') ->> '$.task_state'), '[1,"PendingComplete"]';
SELECT 'and all of it is whole', (SELECT group_concat(problem, '; ') FROM turnstile_check), NULL;
