-- asked.sql - what is asked of a person: which kind it is, when it was asked, answers to what is asked no
-- more, and messages that are no answer.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

---- What a prompt names

CREATE TEMP TABLE kind(kind, at, class, held);
INSERT INTO kind VALUES
  ('StaleSessionChoice', 25 * 3600000, 'Modification', 'also add jitter'),
  ('NewTaskChoice', 1, 'NewTask', 'pool the connections'),
  ('UnclearChoice', 1, 'Unclear', 'hmm, tuesday'),
  ('SavedTaskChoice', 8 * 86400000, 'Response', 'use jitter');
UPDATE kind SET at = at + 1767225600000;
CREATE TEMP TABLE typed(message);
INSERT INTO typed VALUES ('7'), ('C'), ('option c'), ('no'), ('No.'), ('neither'), ('both'), ('wait'), ('wait a moment'),
  ('none of them'), ('A and B'), ('I don''t know'), ('I''m back'), ('the third one'), ('nein'), ('beides'), ('no sé'), ('les deux'),
  ('не знаю'), ('都不要'), ('どちらでもない'), ('👎'), ('42'), ('later'), ('yes'), ('👍');
CREATE TEMP TABLE said AS SELECT kind || ' < ' || message AS label, k.*, message FROM kind AS k, typed;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM said;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read the code') FROM said;
CREATE TEMP TABLE first AS
  SELECT *, session_deliver(label, held, json_object('class', class, 'now', at)) AS decision FROM said;
SELECT DISTINCT kind || ': a prompt names its kind', json_extract(decision, '$.action', '$.kind'), json_array('prompt', kind) FROM first;
SELECT DISTINCT kind || ': and when it was opened', decision ->> '$.opened_at', at FROM first;
SELECT DISTINCT kind || ': session_state gives the same', session_state(label) ->> '$.pending_choice.opened_at', at FROM first;
CREATE TEMP TABLE queued AS SELECT count(*) AS n FROM session_queue;
CREATE TEMP TABLE noted AS SELECT count(*) AS n FROM observations;
CREATE TEMP TABLE again AS
  SELECT label, kind, held, at, decision AS was, session_deliver(label, message, json_object('now', at + 1000)) AS decision FROM first;
SELECT label || ': shows the choice again', json_extract(decision, '$.action', '$.kind', '$.message', '$.opened_at'),
       json_array('prompt', kind, was ->> '$.message', at) FROM again;
SELECT label || ': the request is held as before', session_state(label) ->> '$.pending_choice.held', held FROM again;
SELECT 'nothing was queued, nothing noted', (SELECT count(*) FROM session_queue) || (SELECT count(*) FROM observations),
       (SELECT n FROM queued) || (SELECT n FROM noted);
SELECT label || ': what is held can be seen', (SELECT detail LIKE '%' || held || '%' FROM session_attention WHERE session_label = label AND reason = 'choice'), 1
FROM again;

---- An answer to a choice that is over

INSERT INTO turnstile VALUES ('session_start', '["press","add retries"]'), ('session_note', '["press","read"]');
CREATE TEMP TABLE pressed AS SELECT session_deliver('press', 'pool the connections', '{"class":"NewTask"}') ->> '$.opened_at' AS old;
SELECT 'a press on the open choice', json_extract(session_choose('press', 'B', json_object('opened_at', old)), '$.action', '$.kind'), '["continue",null]' FROM pressed;
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT 'pressed again, as ' || value, json_extract(session_choose('press', value, json_object('opened_at', old)), '$.action', '$.duplicate', '$.message', '$.kind'),
       '["duplicate",true,"That was your answer already; it was taken.",null]' FROM pressed, json_each('["B","b","continue"]');
SELECT 'delivered, as ' || value, json_extract(session_deliver('press', value, json_object('opened_at', old)), '$.action', '$.duplicate', '$.class', '$.state'),
       '["duplicate",true,null,"Running"]' FROM pressed, json_each('["B","option b","Continue with the current task"]');
SELECT 'another answer than was taken: ' || value, session_deliver('press', value, json_object('opened_at', old)) ->> '$.action', 'rejected'
  FROM pressed, json_each('["A","B, but with jitter","hello"]');
SELECT 'no choice is open: said, and no error', json_extract(session_choose('press', 'A', json_object('opened_at', old)), '$.action', '$.message', '$.kind'),
       '["rejected","That is not asked any more. Your answer was not taken.",null]' FROM pressed;
SELECT 'the same of a delivery', json_extract(session_deliver('press', 'A', json_object('opened_at', old, 'message_id', 'm1')), '$.action', '$.class', '$.state'),
       '["rejected",null,"Running"]' FROM pressed;
SELECT 'a session that is not there is not made', json_extract(session_deliver('nobody', 'B', '{"opened_at":5}'), '$.action', '$.session'), '["rejected","nobody"]';
SELECT 'nothing has changed', dump_of() = d, 1 FROM was;
SELECT 'without a reference it is an error, as ever', error_of('SELECT session_choose(''press'', ''B'')') LIKE 'session_choose: %no open choice%', 1;

-- The same letters, another choice, in the same millisecond.
CREATE TEMP TABLE newer AS SELECT session_deliver('press', 'rewrite the readme', '{"class":"NewTask"}') AS d;
SELECT 'two choices of one moment are told apart', d ->> '$.opened_at', old + 1 FROM newer, pressed;
UPDATE was SET d = dump_of();
CREATE TEMP TABLE late AS
  SELECT 'session_choose' AS command, session_choose('press', 'A', json_object('opened_at', old)) AS d FROM pressed
  UNION ALL SELECT 'session_deliver', session_deliver('press', 'A', json_object('opened_at', old)) FROM pressed;
SELECT command || ': the old button is refused', d ->> '$.action', 'rejected' FROM late;
SELECT command || ': and shown is what stands now', json_extract(late.d, '$.kind', '$.opened_at', '$.choices'),
       json_extract(newer.d, '$.kind', '$.opened_at', '$.choices') FROM late, newer;
SELECT command || ': in words', late.d ->> '$.message', 'That is not asked any more. Your answer was not taken.' || char(10) || char(10) || (newer.d ->> '$.message') FROM late, newer;
SELECT 'nothing has changed by it', dump_of() = d, 1 FROM was;
SELECT 'the message_id of the refused one can still come', json_extract(session_deliver('press', 'A', json_object('opened_at', d ->> '$.opened_at', 'message_id', 'm1')), '$.action', '$.duplicate'), '["start",null]' FROM newer;
SELECT 'a reference has to be a time', error_of('SELECT session_choose(''press'', ''A'', ''{"opened_at":"soon"}'')') LIKE 'session_choose: opened_at %', 1;
SELECT 'a repeated message_id gets its decision, whatever it refers to', session_deliver('press', 'A', '{"opened_at":3,"message_id":"m1"}') ->> '$.duplicate', 1;

---- A question

INSERT INTO turnstile VALUES ('session_start', '["q","add retries"]'), ('session_transition', '["q","AwaitingUser",{"question":"Which backoff?"}]');
SELECT 'an answered question keeps asking', json_extract(session_deliver('q', 'what does that mean?', '{"class":"Clarification"}'), '$.action', '$.kind', '$.asked_at'),
       '["answer","Question",1767225600000]';
CREATE TEMP TABLE goes(message, asks_again);
INSERT INTO goes VALUES ('continue', 1), ('resume', 1), ('I''m back', 1), ('let''s go on', 1), ('Keep going!', 1), ('I am back, let''s continue', 1),
  ('weiter', 1), ('bin wieder da', 1), ('sigamos', 1), ('je suis de retour', 1), ('продолжай', 1), ('继续', 1), ('ただいま', 1),
  ('contine', 1), ('pokračuj', 1), ('let''s get going', 1), ('weiter geht''s', 1), ('dalej', 1), ('jsem zpátky', 1), ('andiamo avanti', 1),
  ('voltei, vamos continuar', 1), ('on continue', 1), ('続けて', 1), ('계속해줘', 1), ('devam edelim', 1), ('ga maar door', 1), ('продовжуй', 1),
  ('كمل', 1), ('जारी रखो', 1), ('fortsätt', 1), ('tiếp tục đi', 1), ('lanjutkan', 1), ('ben geldim, devam', 1), ('ik ben er weer', 1),
  ('start over', 0), ('tak, kontynuuj', 0), ('evet, devam et', 0), ('네, 계속해줘', 0), ('fixed', 0), ('weiter oben', 0), ('don''t continue', 0),
  ('exponential', 0), ('yes', 0), ('yes, continue', 0), ('continue with jitter', 0), ('go ahead', 0);
INSERT INTO turnstile SELECT 'session_start', json_array('q ' || message, 'add retries') FROM goes;
INSERT INTO turnstile SELECT 'session_transition', json_array('q ' || message, 'AwaitingUser', json('{"question":"Which backoff?"}')) FROM goes;
CREATE TEMP TABLE gone AS SELECT *, session_deliver('q ' || message, message, '{"now":1767225660000}') AS d FROM goes;
SELECT message || ' at a question', json_extract(d, '$.action', '$.kind', '$.message', '$.choices', '$.state', '$.asked_at', '$.queue_id'),
       '["prompt","Question","Which backoff?",[],"AwaitingUser",1767225600000,null]' FROM gone WHERE asks_again;
SELECT message || ' at a question is an answer', json_extract(d, '$.action', '$.kind', '$.state'), '["continue",null,"Running"]' FROM gone WHERE NOT asks_again;
SELECT message || ': it leaves no note', (SELECT count(*) FROM observations WHERE session_label = 'q ' || message AND data ->> '$.note' = 'answer'), 0 FROM gone WHERE asks_again;
SELECT message || ': somebody was there', (SELECT last_activity FROM sessions WHERE label = 'q ' || message), 1767225660000 FROM gone;
SELECT message || ': the question can be answered then', session_deliver('q ' || message, 'exponential') ->> '$.state', 'Running' FROM gone WHERE asks_again;
INSERT INTO turnstile VALUES ('session_start', '["go","add retries"]'), ('session_transition', '["go","AwaitingUser",{"question":"The tests fail.","choices":["Proceed","Stop here"]}]');
SELECT 'a question that is about going on is answered by it', session_deliver('go', 'continue') ->> '$.action', 'continue';

CREATE TEMP TABLE old AS SELECT session_state('q') ->> '$.state_data.asked_at' AS at;
UPDATE was SET d = dump_of();
SELECT 'an answer to another question', json_extract(session_deliver('q', 'exponential', json_object('asked_at', at - 1)), '$.action', '$.kind', '$.asked_at', '$.message'),
       json_array('rejected', 'Question', at, 'That is not asked any more. Your answer was not taken.' || char(10) || char(10) || 'Which backoff?') FROM old;
SELECT 'a choice is no question', session_deliver('q', 'A', json_object('opened_at', at)) ->> '$.action', 'rejected' FROM old;
SELECT 'nothing has changed by the two', dump_of() = d, 1 FROM was;
SELECT 'a press on the question that stands is its answer, whatever its words', json_extract(session_deliver('q', 'continue', json_object('asked_at', at)), '$.action', '$.state'), '["continue","Running"]' FROM old;
UPDATE was SET d = dump_of();
SELECT 'the press once more', json_extract(session_deliver('q', 'continue', json_object('asked_at', at)), '$.action', '$.message'), '["duplicate","That was your answer already; it was taken."]' FROM old;
SELECT 'another one is over then', session_deliver('q', 'exponential', json_object('asked_at', at)) ->> '$.action', 'rejected' FROM old;
SELECT 'neither changes anything', dump_of() = d, 1 FROM was;

-- What waited: the wish to go on is done with, and the next in line decides.
INSERT INTO turnstile VALUES ('session_start', '["w","add retries"]'), ('session_transition', '["w","AwaitingUser",{"question":"Which backoff?"}]'),
  ('queue_push', '["w","continue"]'), ('queue_push', '["w","exponential"]'), ('turn_begin', '["w","A1"]');
SELECT 'in the queue', (SELECT group_concat(status || ' ' || message) FROM (SELECT * FROM session_queue WHERE session_label = 'w' ORDER BY id)),
       'delivered continue,processing exponential';
SELECT 'the file is sound', (SELECT count(*) FROM turnstile_check()), 0;

-- An answer that came while the session was in error.
INSERT INTO turnstile VALUES ('session_start', '["b","add retries"]'), ('session_transition', '["b","AwaitingUser",{"question":"Which backoff?"}]');
UPDATE sessions SET status = 'error', status_reason = 'x' WHERE label = 'b';
INSERT INTO turnstile VALUES ('session_deliver', '["b","exponential"]');
UPDATE sessions SET status = 'active', status_reason = NULL WHERE label = 'b';
SELECT 'an answer that waited is what there is', json_extract(session_deliver('b', 'I''m back'), '$.action', '$.state', '$.inputs[0].message', '$.choices'), '["continue","Running","exponential",null]';
INSERT INTO turnstile VALUES ('session_start', '["parent","x"]'), ('session_spawn', '["parent","find it",{"label":"worker"}]'), ('turn_begin', '["worker","W"]');
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"Which?","outcome":"question"}')) FROM session_runs WHERE session_label = 'worker';
SELECT 'what a worker is told is an answer', session_deliver('worker', 'continue') ->> '$.action', 'continue';

---- An answer that waits behind a run, and another question before it is taken

CREATE TEMP TABLE late_press(label, how, over);
INSERT INTO late_press VALUES ('press: begin', 'begin', 1), ('press: same', 'begin', 0), ('press: none', 'begin', 0), ('press: deliver', 'deliver', 1),
  ('press: steer', 'steer', 1);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM late_press;
CREATE TEMP TABLE press_run AS SELECT label, turn_begin(label, 'w', '{"messages":[{"role":"user","content":"go"}]}') AS t FROM late_press;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser', json('{"question":"Delete it?","asked_at":1767225600001}')) FROM late_press;
CREATE TEMP TABLE waits_for AS SELECT label, session_deliver(label, 'yes',
  json_patch(json_object('mode', iif(how = 'steer', 'steer', 'queue')), iif(label = 'press: none', '{}', '{"asked_at":1767225600001}'))) AS d FROM late_press;
SELECT label || ': it waits', d ->> '$.action' IN ('queue', 'steer'), 1 FROM waits_for;
SELECT label || ': with what it answers', (SELECT asked_at FROM session_queue AS q WHERE q.session_label = w.label AND message = 'yes'),
       iif(label = 'press: none', NULL, 1767225600001) FROM waits_for AS w;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Running') FROM late_press WHERE over;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser', json('{"question":"Drop the table?","asked_at":1767225600002}')) FROM late_press WHERE over;
CREATE TEMP TABLE steered AS SELECT label, turn_steering(r.turn_id, r.token) AS d FROM session_runs AS r JOIN late_press ON label = r.session_label WHERE how = 'steer';
INSERT INTO turnstile SELECT 'turn_complete', json_array(r.turn_id, r.token, json('{"content":"asked"}')) FROM session_runs AS r JOIN late_press ON label = r.session_label WHERE how <> 'steer';
CREATE TEMP TABLE begun_after AS SELECT label, turn_begin(label, 'w') AS t FROM late_press WHERE how = 'begin';
CREATE TEMP TABLE came_after AS SELECT label, session_deliver(label, 'tick', '{"source":"timer"}') AS d FROM late_press WHERE how = 'deliver';
SELECT label || ': no answer to the next question', session_state(label) ->> '$.task_state', iif(over, 'AwaitingUser', 'Running') FROM late_press;
SELECT label || ': what became of it', (SELECT json_array(status, error) FROM session_queue AS q WHERE q.session_label = p.label AND message = 'yes'),
       iif(over, '["cancelled","what it answers was asked no more"]', '["processing",null]') FROM late_press AS p;
SELECT label || ': nothing begins with it', t IS NULL, over FROM begun_after JOIN late_press USING (label);
SELECT label || ': the decision names it', d ->> '$.cancelled[0].message', 'yes' FROM came_after;
-- It can be had once more, as a plain message.
SELECT 'once more', queue_retry((SELECT id FROM session_queue WHERE session_label = 'press: begin' AND message = 'yes')) IS NOT NULL, 1;
SELECT 'it names nothing then', (SELECT json_array(status, asked_at) FROM session_queue WHERE session_label = 'press: begin' AND message = 'yes'), '["pending",null]';

---- Questions of one millisecond

SELECT turnstile_clock(1767225600000);
CREATE TEMP TABLE twin(label, how);
INSERT INTO twin VALUES ('twin: moves', 0), ('twin: turns', 1), ('twin: again', 2);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM twin;
CREATE TEMP TABLE twin_run AS SELECT label, turn_begin(label, 'w', '{"messages":[{"role":"user","content":"x"}]}') AS r FROM twin WHERE how = 1;
SELECT turn_complete(r ->> '$.turn', r ->> '$.token', '{"content":"Delete it?","outcome":"question"}') IS NOT NULL FROM twin_run;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser', json('{"question":"Delete it?"}')) FROM twin WHERE how <> 1;
CREATE TEMP TABLE twin_old AS SELECT label, session_state(label) ->> '$.state_data.asked_at' AS at FROM twin;
SELECT label || ': the first goes by now', at, 1767225600000 FROM twin_old;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'Running') FROM twin WHERE how = 0;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'yes') FROM twin WHERE how = 1;
DELETE FROM twin_run;
INSERT INTO twin_run SELECT label, turn_begin(label, 'w') FROM twin WHERE how = 1;
SELECT turn_complete(r ->> '$.turn', r ->> '$.token', '{"content":"Drop it?","outcome":"question"}') IS NOT NULL FROM twin_run;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser', json('{"question":"Drop it?"}')) FROM twin WHERE how <> 1;
SELECT label || ': the second by the next one', session_state(label) ->> '$.state_data.asked_at', 1767225600001 FROM twin;
SELECT label || ': a press on the first is not taken', json_extract(session_deliver(label, 'yes', json_object('asked_at', at)), '$.action', '$.asked_at', '$.state'),
  json_array(iif(label = 'twin: turns', 'duplicate', 'rejected'), 1767225600001, 'AwaitingUser') FROM twin_old;
SELECT label || ': one on the second is taken', session_deliver(label, 'yes', '{"asked_at":1767225600001}') ->> '$.action', 'continue' FROM twin;
-- A hundred of them, and one that the host dates itself: the next one is later than all.
CREATE TEMP TABLE many(n);
WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 101) INSERT INTO many SELECT i FROM n;
INSERT INTO turnstile SELECT 'session_transition', json_array('twin: moves', 'AwaitingUser', json_object('question', 'no. ' || n)) FROM many;
SELECT 'each by its own', session_state('twin: moves') ->> '$.state_data.asked_at', 1767225600101;
INSERT INTO turnstile VALUES ('session_transition', '["twin: moves","AwaitingUser",{"question":"?","asked_at":1767225600500}]'),
  ('session_transition', '["twin: moves","AwaitingUser",{"question":"??"}]');
SELECT 'a given time stands, and counts', session_state('twin: moves') ->> '$.state_data.asked_at', 1767225600501;
-- A question from a clock that was ahead dates none that is asked now; and none is asked twice when that time comes.
INSERT INTO turnstile VALUES ('session_transition', '["twin: moves","AwaitingUser",{"question":"ahead"},{"now":1767830400000}]');
SELECT turnstile_clock(1767225700000);
INSERT INTO turnstile VALUES ('session_transition', '["twin: moves","AwaitingUser",{"question":"now"}]');
SELECT 'now is now', session_state('twin: moves') ->> '$.state_data.asked_at', 1767225700000;
SELECT turnstile_clock(1767830400000);
INSERT INTO turnstile VALUES ('session_transition', '["twin: moves","AwaitingUser",{"question":"then"}]');
SELECT 'and then is told apart', session_state('twin: moves') ->> '$.state_data.asked_at', 1767830400001;
SELECT 'what was asked is sound', (SELECT group_concat(rule || ' ' || problem, char(10)) FROM turnstile_check), NULL;

---- What goes on when the question is withdrawn, and what has been no answer

SELECT turnstile_clock(1767225600000);
CREATE TEMP TABLE calm(label, how);
INSERT INTO calm VALUES ('calm: moved', 'Running'), ('calm: asked anew', 'AwaitingUser'), ('calm: committed', NULL), ('calm: reported', 'report');
INSERT INTO turnstile VALUES ('session_start', '["calm boss","oversee"]'), ('session_spawn', '["calm boss","dig",{"label":"calm: reported"}]');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM calm WHERE how IS NOT 'report';
CREATE TEMP TABLE calm_run AS SELECT label, turn_begin(label, 'w', '{"messages":[{"role":"user","content":"x"}]}') AS r FROM calm;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser', json('{"question":"Which?"}')) FROM calm;
SELECT label || ': the press interrupts', session_deliver(label, 'five', '{"asked_at":1767225600000,"mode":"interrupt"}') ->> '$.action', 'interrupt' FROM calm;
SELECT label || ': so does the run show', json_extract(turn_heartbeat(r ->> '$.turn', r ->> '$.token'), '$.interrupted', '$.steering'), '[true,1]' FROM calm_run;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, how, json(iif(how = 'Running', 'null', '{"question":"Or rather?"}'))) FROM calm
  WHERE how IN ('Running', 'AwaitingUser');
INSERT INTO turnstile VALUES ('session_compact', '["calm: committed","done"]'), ('session_report', '["calm: reported","completed","done"]');
SELECT label || ': the run goes on undisturbed', json_extract(turn_heartbeat(r ->> '$.turn', r ->> '$.token'), '$.interrupted', '$.steering'), '[false,0]' FROM calm_run;
SELECT label || ': its state', session_state(label) ->> '$.run_state', 'running' FROM calm;
SELECT label || ': the press is over', (SELECT json_array(status, error) FROM session_queue AS q WHERE q.session_label = c.label AND message = 'five'),
  '["cancelled","what it answers was asked no more"]' FROM calm AS c;
-- What else was said meanwhile interrupts as before.
INSERT INTO turnstile VALUES ('session_deliver', '["calm: asked anew","six",{"asked_at":1767225600001,"mode":"interrupt"}]'),
  ('session_deliver', '["calm: asked anew","and mind the log",{"class":"Modification"}]'), ('session_transition', '["calm: asked anew","Running"]');
SELECT 'a change stays', json_extract(turn_heartbeat(r ->> '$.turn', r ->> '$.token'), '$.interrupted', '$.steering'), '[true,1]' FROM calm_run WHERE label = 'calm: asked anew';
SELECT 'and is taken', turn_steering(r ->> '$.turn', r ->> '$.token') ->> '$.messages[0].content', 'and mind the log' FROM calm_run WHERE label = 'calm: asked anew';

-- A message that names the choice and takes none of its ways is words of its own: it outlives the choice.
CREATE TEMP TABLE own(label, live);
INSERT INTO own VALUES ('own: live', 1), ('own: idle', 0);
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'add retries', json(iif(live, '{"owner":"w"}', '{}'))) FROM own;
CREATE TEMP TABLE own_asked AS SELECT label, session_deliver(label, 'hmm, tuesday', '{"class":"Unclear"}') ->> '$.opened_at' AS at FROM own;
SELECT label || ': taken', session_deliver(label, 'make it blue', json_object('class', 'Modification', 'opened_at', at)) ->> '$.action', iif(label = 'own: live', 'interrupt', 'continue')
  FROM own_asked;
SELECT label || ': and worked on', (SELECT group_concat(m.value ->> '$.content', '|') FROM json_each(
    iif(live, turn_steering(session_state(label) ->> '$.turn', 1), turn_begin(label, 'w')), '$.messages') AS m),
  iif(live, '', 'add retries|') || 'hmm, tuesday|make it blue' FROM own;
SELECT 'what was asked is sound, too', (SELECT group_concat(rule || ' ' || problem, char(10)) FROM turnstile_check), NULL;

---- A choice and a question at once: asked_at names the question

CREATE TEMP TABLE both(label, message, class, action, kind, state);
INSERT INTO both VALUES ('both A', 'A', NULL, 'continue', 'NewTaskChoice', 'Running'), ('both B', 'B', NULL, 'continue', 'NewTaskChoice', 'Running'),
  ('both start fresh', 'start fresh', NULL, 'continue', 'NewTaskChoice', 'Running'), ('both word', 'doubling', NULL, 'continue', 'NewTaskChoice', 'Running'),
  ('both other', 'different thing: paint the door', NULL, 'continue', 'NewTaskChoice', 'Running'),
  ('both unclear', 'zorglub', NULL, 'continue', 'NewTaskChoice', 'Running'),
  ('both asks', 'which one is that?', 'Clarification', 'answer', 'NewTaskChoice', 'AwaitingUser'),
  ('both stop', 'stop', NULL, 'abandon', NULL, 'None'), ('both given', 'write the invoice export', 'NewTask', 'start', NULL, 'Running');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM both;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM both;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'build a boat', json('{"class":"NewTask"}')) FROM both;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser', json('{"question":"Keep the file (A) or delete it (B)?"}')) FROM both;
CREATE TEMP TABLE bothAt AS SELECT b.*, session_state(label) ->> '$.state_data.asked_at' AS asked FROM both AS b;
CREATE TEMP TABLE bothSaid AS
  SELECT b.*, session_deliver(label, message, json_patch(json_object('asked_at', asked), json_object('class', class))) AS d FROM bothAt AS b;
SELECT label, json_extract(d, '$.action', '$.kind', '$.state'), json_array(action, kind, state) FROM bothSaid;
SELECT label || ': the choice holds what it held', session_state(label) ->> '$.pending_choice.held', 'build a boat' FROM bothSaid WHERE kind IS NOT NULL;
SELECT label || ': the answer is in the notes', count(*), 1 FROM bothSaid JOIN observations AS o ON o.session_label = label
  WHERE action = 'continue' AND o.data LIKE '%answer%' AND instr(o.data, message) GROUP BY label;
SELECT 'what the choice held is nowhere lost', count(*), 1 FROM session_queue WHERE session_label = 'both stop' AND message = 'build a boat' AND status = 'pending';

---- A press that has to wait settles its choice when it is taken

CREATE TEMP TABLE waits(label, press, held, commits, messages, choice);
INSERT INTO waits VALUES ('waits A', 'A', 'build a boat', 1, 'build a boat', NULL), ('waits B', 'B', 'build a boat', 0, NULL, NULL),
  ('waits A more', 'A, and make it red', 'build a boat', 1, 'build a boat|A, and make it red', NULL),
  ('waits C', 'C', 'build a boat', 0, NULL, 'build a boat'), ('waits unclear', 'zorglub', 'build a boat', 0, NULL, 'build a boat');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM waits;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM waits;
CREATE TEMP TABLE waitsAt AS SELECT w.*, session_deliver(label, held, '{"class":"NewTask"}') ->> '$.opened_at' AS at FROM waits AS w;
INSERT INTO turnstile SELECT 'session_fail', json_array(label, 'gone') FROM waits;
CREATE TEMP TABLE waitsSaid AS SELECT w.*, session_deliver(label, press, json_object('opened_at', at)) AS d FROM waitsAt AS w;
SELECT label || ': it waits', d ->> '$.action', 'blocked' FROM waitsSaid;
INSERT INTO turnstile SELECT 'session_reopen', json_array(label) FROM waits;
CREATE TEMP TABLE waitsTaken AS SELECT w.*, turn_begin(label, 'w') AS t FROM waits AS w;
SELECT label || ': what the turn is given', (SELECT group_concat(value ->> '$.content', '|') FROM json_each(t, '$.messages')), messages FROM waitsTaken;
SELECT label || ': the choice', session_state(label) ->> '$.pending_choice.held', choice FROM waitsTaken;
SELECT 'what does not say which way is meant stays in the choice', json_array_length(pending_choice, '$.earlier'), 1 FROM sessions WHERE label = 'waits unclear';
SELECT label || ': the task', (SELECT count(*) FROM commits WHERE session_label = label), commits FROM waitsTaken;
SELECT label || ': the press is done with', (SELECT count(*) FROM session_queue WHERE session_label = label AND message = press AND status = 'pending'), 0 FROM waitsTaken;
SELECT 'the file is sound', count(*), 0 FROM turnstile_check;

INSERT INTO turnstile VALUES ('session_start', '["beside","add retries"]'), ('session_note', '["beside","read"]');
CREATE TEMP TABLE besideAt AS SELECT session_deliver('beside', 'build a boat', '{"class":"NewTask"}') ->> '$.opened_at' AS at;
INSERT INTO turnstile VALUES ('session_fail', '["beside","gone"]');
INSERT INTO turnstile SELECT 'session_deliver', json_array('beside', 'A', json_object('opened_at', at)) FROM besideAt;
INSERT INTO turnstile VALUES ('session_reopen', '["beside"]');
CREATE TEMP TABLE besideSaid AS SELECT session_deliver('beside', 'tick', '{"source":"timer"}') AS d;
SELECT 'what comes beside it has no press for words', d -> '$.inputs', NULL FROM besideSaid;
SELECT 'the press waits', (SELECT group_concat(status) FROM session_queue WHERE session_label = 'beside' AND message = 'A'), 'pending';
INSERT INTO turnstile VALUES ('turn_begin', '["beside","w"]');
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"here"}')) FROM session_runs WHERE session_label = 'beside';
SELECT 'and the next turn settles the choice', turn_begin('beside', 'w') ->> '$.messages[#-1].content', 'build a boat';
SELECT 'the choice is gone', session_state('beside') ->> '$.pending_choice', NULL;

---- A time that plain SQL has taken away, or written as no integer, is none

CREATE TEMP TABLE untimed(label TEXT PRIMARY KEY, at);
INSERT INTO untimed VALUES ('untimed: none', NULL), ('untimed: a text', 'soon'), ('untimed: digits', '1767225600000'), ('untimed: a real', 0.5);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM untimed;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser', json('{"question":"Which backoff?"}')) FROM untimed;
UPDATE tasks SET state_data = json_set(json_remove(state_data, '$.asked_at'), iif(at IS NULL, '$.none', '$.asked_at'), at)
  FROM untimed WHERE session_label = label;
SELECT label || ': the question is asked, without a time', json_extract(session_deliver(label, 'continue'), '$.action', '$.kind', '$.asked_at'),
  '["prompt","Question",null]' FROM untimed;
SELECT label || ': nor does an answer name it by 0', session_deliver(label, 'exponential', '{"asked_at":0}') ->> '$.action', 'rejected' FROM untimed;
INSERT INTO turnstile SELECT 'session_start', json_array('choice ' || label, 'add retries') FROM untimed;
INSERT INTO turnstile SELECT 'session_note', json_array('choice ' || label, 'read') FROM untimed;
INSERT INTO turnstile SELECT 'session_deliver', json_array('choice ' || label, 'build a boat', json('{"class":"NewTask"}')) FROM untimed;
UPDATE sessions SET pending_choice = json_set(json_remove(pending_choice, '$.opened_at'), iif(at IS NULL, '$.none', '$.opened_at'), at)
  FROM untimed WHERE sessions.label = 'choice ' || untimed.label;
SELECT label || ': so with a choice', json_extract(session_deliver('choice ' || label, 'neither'), '$.action', '$.kind', '$.opened_at'),
  '["prompt","NewTaskChoice",null]' FROM untimed;
SELECT label || ': and 0 does not name it', session_choose('choice ' || label, 'B', '{"opened_at":0}') ->> '$.action', 'rejected' FROM untimed;
