-- deliver.sql - session_deliver: every cell of the class and state table, and what lies around it.
--
-- The option class drives the cells, so that nothing here depends on the classifier.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

---- The table, as documented: one line per class and state

CREATE TEMP TABLE cell(class, state, action, next, note, commit_type, choice, hands);
INSERT INTO cell VALUES
  -- class, state, action, state afterwards, note, commit, choice, handed over
  ('Response', 'None', 'start', 'Running', NULL, NULL, NULL, 1),
  ('Response', 'Running', 'continue', 'Running', 'intervention', NULL, NULL, 1),
  ('Response', 'AwaitingUser', 'continue', 'Running', 'answer', NULL, NULL, 1),
  ('Response', 'Interrupted', 'continue', 'Running', 'intervention', NULL, NULL, 1),
  ('Response', 'PendingComplete', 'continue', 'Running', 'request_more', NULL, NULL, 1),
  ('Modification', 'None', 'start', 'Running', NULL, NULL, NULL, 1),
  ('Modification', 'Running', 'continue', 'Running', 'intervention', NULL, NULL, 1),
  ('Modification', 'AwaitingUser', 'continue', 'Running', 'answer', NULL, NULL, 1),
  ('Modification', 'Interrupted', 'continue', 'Running', 'intervention', NULL, NULL, 1),
  ('Modification', 'PendingComplete', 'continue', 'Running', 'request_more', NULL, NULL, 1),
  ('Confirmation', 'None', 'acknowledge', 'None', NULL, NULL, NULL, 0),
  ('Confirmation', 'Running', 'acknowledge', 'Running', NULL, NULL, NULL, 0),
  ('Confirmation', 'AwaitingUser', 'continue', 'Running', 'answer', NULL, NULL, 1),
  ('Confirmation', 'Interrupted', 'acknowledge', 'Interrupted', NULL, NULL, NULL, 0),
  ('Confirmation', 'PendingComplete', 'complete', 'None', 'confirmation', 'Normal', NULL, 0),
  ('Abandon', 'None', 'acknowledge', 'None', NULL, NULL, NULL, 0),
  ('Abandon', 'Running', 'abandon', 'None', 'abandon', 'Abandoned', NULL, 0),
  ('Abandon', 'AwaitingUser', 'abandon', 'None', 'abandon', 'Abandoned', NULL, 0),
  ('Abandon', 'Interrupted', 'abandon', 'None', 'abandon', 'Abandoned', NULL, 0),
  ('Abandon', 'PendingComplete', 'abandon', 'None', 'abandon', 'Abandoned', NULL, 0),
  ('NewTask', 'None', 'start', 'Running', NULL, NULL, NULL, 1),
  ('NewTask', 'Running', 'prompt', 'Running', NULL, NULL, 'NewTaskChoice', 0),
  ('NewTask', 'AwaitingUser', 'prompt', 'AwaitingUser', NULL, NULL, 'NewTaskChoice', 0),
  ('NewTask', 'Interrupted', 'prompt', 'Interrupted', NULL, NULL, 'NewTaskChoice', 0),
  ('NewTask', 'PendingComplete', 'prompt', 'PendingComplete', NULL, NULL, 'NewTaskChoice', 0),
  ('Clarification', 'None', 'answer', 'None', NULL, NULL, NULL, 1),
  ('Clarification', 'Running', 'answer', 'Running', NULL, NULL, NULL, 1),
  ('Clarification', 'AwaitingUser', 'answer', 'AwaitingUser', NULL, NULL, NULL, 1),
  ('Clarification', 'Interrupted', 'answer', 'Interrupted', NULL, NULL, NULL, 1),
  ('Clarification', 'PendingComplete', 'answer', 'PendingComplete', NULL, NULL, NULL, 1),
  ('Unclear', 'None', 'answer', 'None', NULL, NULL, NULL, 1),
  ('Unclear', 'Running', 'prompt', 'Running', NULL, NULL, 'UnclearChoice', 0),
  ('Unclear', 'AwaitingUser', 'prompt', 'AwaitingUser', NULL, NULL, 'UnclearChoice', 0),
  ('Unclear', 'Interrupted', 'prompt', 'Interrupted', NULL, NULL, 'UnclearChoice', 0),
  ('Unclear', 'PendingComplete', 'prompt', 'PendingComplete', NULL, NULL, 'UnclearChoice', 0);
SELECT 'the table is whole', (SELECT count(*) FROM cell), 7 * 5;

CREATE TEMP TABLE lead(state, data);
INSERT INTO lead VALUES ('AwaitingUser', '{"question":"Which backoff?"}'),
  ('Interrupted', '{"user_message":"not so fast"}'), ('PendingComplete', '{"summary":"Retries added"}');

-- A session per cell. The message is the same everywhere: two lines.
CREATE TEMP TABLE one AS SELECT *, class || ' in ' || state AS label FROM cell;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM one;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read the code') FROM one;
INSERT INTO turnstile SELECT 'session_compact', json_array(label, 'old work') FROM one WHERE state = 'None';
INSERT INTO turnstile
  SELECT 'session_transition', json_array(label, state, json(lead.data)) FROM one JOIN lead USING (state);
CREATE TEMP TABLE before AS
  SELECT o.label, (SELECT max(id) FROM session_events) AS event, (SELECT max(id) FROM observations) AS note,
         (SELECT max(seq) FROM commits) AS seq, s.open_task_id AS task_id
  FROM one AS o JOIN sessions AS s USING (label);
SELECT turnstile_clock(2000000);
INSERT INTO turnstile
  SELECT 'session_deliver', json_array(label, 'make it five retries' || char(10) || 'and log them',
                                       json_object('class', class)) FROM one;

CREATE TEMP TABLE made AS
  SELECT o.*, d.id AS delivery_id, d.decision, b.event, b.note AS last_note, b.seq, b.task_id AS old_task
  FROM one AS o JOIN deliveries AS d ON d.session_label = o.label JOIN before AS b ON b.label = o.label;

SELECT label || ': action', decision ->> '$.action', action FROM made;
SELECT label || ': state', decision ->> '$.state', next FROM made;
SELECT label || ': previous state', decision ->> '$.previous_state', state FROM made;
SELECT label || ': session', decision ->> '$.session', label FROM made;
SELECT label || ': the state is stored', session_state(label) ->> '$.task_state', next FROM made;
SELECT label || ': class', decision ->> '$.class', class FROM made
WHERE NOT (class = 'Confirmation' AND state = 'AwaitingUser');
SELECT label || ': counts as Response', decision ->> '$.class', 'Response' FROM made
WHERE class = 'Confirmation' AND state = 'AwaitingUser';
SELECT label || ': a class that was given is certain', decision ->> '$.confidence', 1.0 FROM made;
SELECT label || ': notes made', (SELECT group_concat(json_extract(data, '$.note')) FROM observations AS o
   WHERE o.session_label = made.label AND o.id > made.last_note), note FROM made;
SELECT label || ': each with a Mentions edge to the task',
       (SELECT count(*) FROM observations AS o JOIN edges AS e
          ON e.from_kind = 'note' AND e.from_ref = CAST(o.id AS TEXT) AND e.label = 'Mentions'
         AND e.to_kind = 'task' AND e.to_ref = CAST(made.old_task AS TEXT)
        WHERE o.session_label = made.label AND o.id > made.last_note), note IS NOT NULL FROM made;
SELECT label || ': choice', session_state(label) ->> '$.pending_choice.kind', choice FROM made;
SELECT label || ': the choice holds the message', session_state(label) ->> '$.pending_choice.held',
       iif(choice IS NULL, NULL, 'make it five retries' || char(10) || 'and log them') FROM made;
SELECT label || ': the decision shows the options', json_array_length(decision, '$.choices'),
       iif(choice IS NULL, NULL, 2) FROM made;
SELECT label || ': handed over',
       (SELECT group_concat(status || ' ' || message) FROM session_queue AS q WHERE q.session_label = made.label),
       iif(hands, 'handed make it five retries' || char(10) || 'and log them', NULL) FROM made;
SELECT label || ': the decision names the queue row', decision ->> '$.queue_id',
       (SELECT id FROM session_queue AS q WHERE q.session_label = made.label) FROM made;
SELECT label || ': commit',
       (SELECT commit_type FROM commits AS c WHERE c.session_label = made.label AND c.seq > made.seq),
       commit_type FROM made;
SELECT label || ': the decision names the commit', decision ->> '$.commit_id',
       (SELECT id FROM commits AS c WHERE c.session_label = made.label AND c.seq > made.seq) FROM made;
SELECT label || ': task of the decision', decision ->> '$.task_id',
       CASE WHEN state = 'None' AND action = 'start' THEN
         (SELECT id FROM tasks AS t WHERE t.session_label = made.label AND ended_at IS NULL)
       ELSE old_task END FROM made;
SELECT label || ': activity', (SELECT last_activity FROM sessions AS s WHERE s.label = made.label), 2000000
FROM made;
SELECT label || ': the delivery keeps class, action and text',
       (SELECT json_array(class, action, message, at, source) FROM deliveries WHERE id = delivery_id),
       json_array(decision ->> '$.class', action, 'make it five retries' || char(10) || 'and log them',
                  2000000, 'user') FROM made;

-- What happens on the task axis.
CREATE TEMP TABLE walk(class, state, steps);
INSERT INTO walk VALUES
  ('Response', 'None', 'None>Running'), ('Modification', 'None', 'None>Running'), ('NewTask', 'None', 'None>Running'),
  ('Response', 'AwaitingUser', 'AwaitingUser>Running'), ('Modification', 'AwaitingUser', 'AwaitingUser>Running'),
  ('Confirmation', 'AwaitingUser', 'AwaitingUser>Running'),
  ('Response', 'Interrupted', 'Interrupted>Running'), ('Modification', 'Interrupted', 'Interrupted>Running'),
  ('Response', 'PendingComplete', 'PendingComplete>Running'),
  ('Modification', 'PendingComplete', 'PendingComplete>Running'),
  ('Confirmation', 'PendingComplete', 'PendingComplete>Complete Complete>None'),
  ('Abandon', 'Running', 'Running>Aborted Aborted>None'),
  ('Abandon', 'AwaitingUser', 'AwaitingUser>Aborted Aborted>None'),
  ('Abandon', 'Interrupted', 'Interrupted>Aborted Aborted>None'),
  ('Abandon', 'PendingComplete', 'PendingComplete>Aborted Aborted>None');
SELECT label || ': task events',
       (SELECT group_concat(from_state || '>' || to_state, ' ') FROM
          (SELECT * FROM session_events AS e WHERE e.session_label = label AND e.axis = 'task'
           AND e.id > made.event ORDER BY e.id)),
       (SELECT steps FROM walk AS w WHERE w.class = made.class AND w.state = made.state) FROM made;

-- Texts and commits.
SELECT 'a started task is called by the first line',
       (SELECT description FROM tasks WHERE session_label = 'NewTask in None' AND ended_at IS NULL),
       'make it five retries';
SELECT 'a confirmed task is committed with its summary',
       (SELECT json_array(message, type_data) FROM commits WHERE commit_type = 'Normal' AND created_at = 2000000),
       '["Retries added",null]';
SELECT 'an abandoned task is committed with the message as reason',
       (SELECT group_concat(DISTINCT message || ': ' || (type_data ->> '$.reason')) FROM commits
        WHERE commit_type = 'Abandoned'),
       'Abandoned by user: make it five retries' || char(10) || 'and log them';
SELECT 'Aborted keeps the reason',
       (SELECT data ->> '$.reason' FROM session_events
        WHERE session_label = 'Abandon in Running' AND to_state = 'Aborted'),
       'make it five retries' || char(10) || 'and log them';
SELECT 'notes in the words of the states',
       (SELECT group_concat(t, ' | ') FROM (SELECT DISTINCT json_extract(data, '$.text') AS t FROM observations
        WHERE auto = 1 AND created_at = 2000000 AND json_extract(data, '$.note') <> 'confirmation' ORDER BY t)),
       'User abandoned the task: make it five retries' || char(10) || 'and log them | '
       || 'User intervention: make it five retries' || char(10) || 'and log them | '
       || 'User requested continuation: make it five retries' || char(10) || 'and log them | '
       || 'User response: make it five retries' || char(10) || 'and log them';
SELECT 'confirming says what was done',
       (SELECT decision ->> '$.message' FROM made WHERE class = 'Confirmation' AND state = 'PendingComplete')
         LIKE '%Retries added%', 1;
SELECT 'abandoning names the task',
       (SELECT decision ->> '$.message' FROM made WHERE class = 'Abandon' AND state = 'Running')
         LIKE '%add retries%', 1;
SELECT 'the new-task prompt',
       (SELECT decision ->> '$.message' FROM made WHERE class = 'NewTask' AND state = 'Running'),
       'You have unfinished work on: add retries' || char(10) || char(10) || 'Should I:' || char(10)
       || 'A) Save that and start on your new request' || char(10) || 'B) Continue where we left off';
SELECT 'the options of the new-task prompt',
       (SELECT json_extract(decision, '$.choices[0].key', '$.choices[0].action', '$.choices[1].key',
                            '$.choices[1].action') FROM made WHERE class = 'NewTask' AND state = 'Running'),
       '["A","start_fresh","B","continue"]';
SELECT 'an unclear message offers to go on first',
       (SELECT json_extract(decision, '$.choices[0].key', '$.choices[0].action', '$.choices[1].key',
                            '$.choices[1].action') FROM made WHERE class = 'Unclear' AND state = 'Running'),
       '["A","continue","B","start_fresh"]';
SELECT 'the open question stays open under a clarification',
       session_state('Clarification in AwaitingUser') ->> '$.state_data.question', 'Which backoff?';

---- A bare affirmation in PendingComplete is a Confirmation, whatever class says

CREATE TEMP TABLE said(class);
INSERT INTO said VALUES ('Response'), ('Modification'), ('NewTask'), ('Unclear'), ('Clarification'), ('Abandon');
INSERT INTO turnstile SELECT 'session_start', json_array('yes ' || class, 'add retries') FROM said;
INSERT INTO turnstile
  SELECT 'session_transition', json_array('yes ' || class, 'PendingComplete', json('{"summary":"ok?"}')) FROM said;
SELECT 'a plain yes given as ' || class,
       session_deliver('yes ' || class, 'Yes!', json_object('class', class)) ->> '$.action', 'complete'
FROM said;

---- new_task_policy = switch

SELECT turnstile_config('new_task_policy', 'switch', '{"session":"switch"}');
SELECT turnstile_config('new_task_policy', 'switch', '{"session":"switch pending"}');
SELECT turnstile_config('new_task_policy', 'switch', '{"session":"switch empty"}');
INSERT INTO turnstile VALUES ('session_start', '["switch","add retries"]'), ('session_note', '["switch","read"]');
SELECT 'switching starts at once',
       json_extract(session_deliver('switch', 'now pool the connections', '{"class":"NewTask"}'),
                    '$.action', '$.state', '$.previous_state'), '["start","Running","Running"]';
SELECT 'switching commits the old task',
       (SELECT json_array(commit_type, message, json(type_data)) FROM commits WHERE session_label = 'switch'),
       '["InterruptedByNewTask","Saved before starting new task: add retries",'
       || '{"new_task_summary":"now pool the connections"}]';
SELECT 'the new task is open', session_state('switch') ->> '$.task', 'now pool the connections';
INSERT INTO turnstile VALUES ('session_start', '["switch pending","add retries"]'),
  ('session_note', '["switch pending","read"]'),
  ('session_transition', '["switch pending","PendingComplete",{"summary":"done"}]'),
  ('session_deliver', json_array('switch pending', 'now ' || printf('%.200c', 'x'), json('{"class":"NewTask"}')));
SELECT 'switching from PendingComplete says so',
       (SELECT type_data ->> '$.was_pending_complete' FROM commits WHERE session_label = 'switch pending'), 1;
SELECT 'a summary has at most 120 characters',
       (SELECT length(type_data ->> '$.new_task_summary') <= 120 FROM commits
        WHERE session_label = 'switch pending'), 1;
INSERT INTO turnstile VALUES ('session_start', '["switch empty","add retries"]');
SELECT 'a task without work is dropped without a commit',
       session_deliver('switch empty', 'pool the connections', '{"class":"NewTask"}') ->> '$.commit_id', NULL;
SELECT 'no commit', (SELECT count(*) FROM commits WHERE session_label = 'switch empty'), 0;
SELECT 'but the events keep it',
       (SELECT count(*) FROM session_events WHERE session_label = 'switch empty' AND to_state = 'None'), 1;
SELECT 'and the new task runs', session_state('switch empty') ->> '$.task', 'pool the connections';

---- Abandoning a task without work drops it

INSERT INTO turnstile VALUES ('session_start', '["drop","add retries"]');
SELECT 'abandoned without work', json_extract(session_deliver('drop', 'stop', '{"class":"Abandon"}'),
       '$.action', '$.state', '$.commit_id'), '["abandon","None",null]';
SELECT 'no commit for nothing', (SELECT count(*) FROM commits WHERE session_label = 'drop'), 0;
SELECT 'the task has ended', (SELECT state || ' ' || (ended_at IS NOT NULL) FROM tasks WHERE session_label = 'drop'),
       'None 1';
-- A correction is work.
INSERT INTO turnstile VALUES ('session_start', '["drop2","add retries"]'),
  ('session_deliver', '["drop2","and log",{"class":"Modification"}]'),
  ('session_deliver', '["drop2","stop",{"class":"Abandon"}]');
SELECT 'a correction is work', (SELECT group_concat(commit_type) FROM commits WHERE session_label = 'drop2'), 'Abandoned';

---- Complete and Aborted that session_transition left behind are committed first

INSERT INTO turnstile VALUES ('session_start', '["left","add retries"]'),
  ('session_note', '["left","read"]'),
  ('session_transition', '["left","PendingComplete",{"summary":"Retries added"}]'),
  ('session_transition', '["left","Complete"]');
SELECT 'Complete: committed, then on from None',
       json_extract(session_deliver('left', 'pool the connections', '{"class":"Modification"}'),
                    '$.action', '$.previous_state', '$.state'),
       '["start","Complete","Running"]';
SELECT 'as Normal with its summary',
       (SELECT commit_type || ': ' || message FROM commits WHERE session_label = 'left'),
       'Normal: Retries added';
INSERT INTO turnstile VALUES ('session_note', '["left","read"]'),
  ('session_transition', '["left","Aborted",{"reason":"no pool"}]');
SELECT 'Aborted: committed, then on from None',
       json_extract(session_deliver('left', 'thanks', '{"class":"Confirmation"}'), '$.action', '$.state'),
       '["acknowledge","None"]';
SELECT 'as Abandoned with its reason',
       (SELECT commit_type || ': ' || (type_data ->> '$.reason') FROM commits
        WHERE session_label = 'left' ORDER BY seq DESC LIMIT 1),
       'Abandoned: no pool';

---- /compact

INSERT INTO turnstile VALUES ('session_start', '["ctx","add retries"]');
SELECT '/compact alone', session_deliver('ctx', '/compact') ->> '$.action', 'compact';
SELECT '/compact with a focus',
       json_extract(session_deliver('ctx', '  /compact  the retry design '), '$.action', '$.focus'),
       '["compact","the retry design"]';
SELECT '/compact over two lines',
       json_extract(session_deliver('ctx', '/compact' || char(10) || 'the design'), '$.action', '$.focus'),
       '["compact","the design"]';
SELECT '/compact ends no task', session_state('ctx') ->> '$.task_state', 'Running';
SELECT '/compactor is a message',
       session_deliver('ctx', '/compactor', '{"class":"Modification"}') ->> '$.action', 'continue';
SELECT '/compact in None creates no task',
       json_extract(session_deliver('ctx2', '/compact'), '$.action', '$.state'), '["compact","None"]';

---- Every record stands

SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events),
       (SELECT max(id) FROM session_events);
SELECT 'no message is lost: handed over, held, or settled without work',
       (SELECT count(*) FROM deliveries AS d WHERE action IN ('start', 'continue', 'answer', 'compact')
          AND NOT EXISTS (SELECT 1 FROM session_queue AS q WHERE q.delivery_id = d.id)), 0;

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;

---- The event of an answer carries what was answered, and with what

SELECT session_start('told', 'add retries');
SELECT session_transition('told', 'AwaitingUser', '{"question":"How many?"}');
SELECT session_deliver('told', 'five', '{"class":"Response"}');
SELECT session_transition('told', 'PendingComplete', '{"summary":"Five tries."}');
SELECT session_deliver('told', 'log them too', '{"class":"Modification"}');
SELECT 'the answer', (SELECT data FROM session_events WHERE session_label = 'told' AND "trigger" = 'answer'),
  '{"question":"How many?","answer":"five"}';
SELECT 'the request for more', (SELECT data FROM session_events WHERE session_label = 'told'
  AND "trigger" = 'request_more'), '{"user_message":"log them too"}';
SELECT 'the state has neither', session_state('told') -> '$.state_data', 'null';
SELECT session_start('told queue', 'add retries');
SELECT session_transition('told queue', 'AwaitingUser', '{"question":"Which?"}');
SELECT queue_push('told queue', 'the second');
SELECT turn_begin('told queue', 'A1');
SELECT 'what was answered from the queue', (SELECT data FROM session_events WHERE session_label = 'told queue'
  AND "trigger" = 'answer'), '{"question":"Which?","answer":"the second"}';

---- The run that a delivery begins may be a compaction that waited

SELECT count(turn_append('squeezed', '[{"role":"user","content":"x"}]'));
SELECT count(session_deliver('squeezed', '/compact'));
CREATE TEMP TABLE squeezed AS SELECT session_deliver('squeezed', 'please work hard', '{"owner":"w"}') AS d;
SELECT 'it is the compaction', json_extract(d, '$.turn.messages[0].action', '$.action', '$.notes'),
  '["compact","start",["the run that has begun is a compaction that was asked for before; what was said waits for the turn after it"]]' FROM squeezed;
SELECT count(turn_compact('squeezed', 'a summary', json_object('turn', turn_id, 'token', token))) FROM session_runs WHERE session_label = 'squeezed';
SELECT 'what was said comes next', turn_begin('squeezed', 'w') ->> '$.messages[0].content', 'please work hard';
SELECT 'a run that works says nothing of it', session_deliver('unsqueezed', 'please work hard', '{"owner":"w"}') ->> '$.notes', NULL;
