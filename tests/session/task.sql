-- task.sql - session_transition: every pair of task states, and the data that belongs to each.
--
-- The moves are spelled out here once more, from the documentation and not from state_transitions,
-- so that a slip in the table shows.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

CREATE TEMP TABLE name(state, data);
INSERT INTO name VALUES
  ('None', NULL), ('Running', NULL), ('AwaitingUser', '{"question":"Which backoff?"}'),
  ('Interrupted', '{"user_message":"make it five"}'), ('PendingComplete', '{"summary":"Retries added"}'),
  ('Complete', NULL), ('Aborted', '{"reason":"not needed"}');

-- The moves that session_transition makes, each with its trigger.
CREATE TEMP TABLE legal(from_state, to_state, made_by);
INSERT INTO legal VALUES
  ('Running', 'AwaitingUser', 'question'), ('Running', 'PendingComplete', 'report'),
  ('Running', 'Interrupted', 'interrupt'), ('Running', 'Aborted', 'abandon'),
  ('AwaitingUser', 'Running', 'answer'), ('AwaitingUser', 'AwaitingUser', 'ask_again'),
  ('AwaitingUser', 'Aborted', 'abandon'), ('Interrupted', 'Running', 'incorporate'),
  ('Interrupted', 'Interrupted', 'interrupt'), ('Interrupted', 'Aborted', 'abandon'),
  ('PendingComplete', 'Complete', 'confirm'), ('PendingComplete', 'Running', 'request_more'),
  ('PendingComplete', 'PendingComplete', 'report_again'), ('PendingComplete', 'Aborted', 'abandon');

-- How a task gets from Running to a state.
CREATE TEMP TABLE way(state, step, via);
INSERT INTO way VALUES
  ('AwaitingUser', 1, 'AwaitingUser'), ('Interrupted', 1, 'Interrupted'),
  ('PendingComplete', 1, 'PendingComplete'), ('Complete', 1, 'PendingComplete'),
  ('Complete', 2, 'Complete'), ('Aborted', 1, 'Aborted');

-- One session per pair, in the first state of the pair.
CREATE TEMP TABLE pair AS
  SELECT a.state AS from_state, b.state AS to_state, b.data, a.state || ' > ' || b.state AS label
  FROM name AS a, name AS b;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM pair;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read the code') FROM pair;
INSERT INTO turnstile
  SELECT 'session_compact', json_array(label, 'done') FROM pair WHERE from_state = 'None';
INSERT INTO turnstile
  SELECT 'session_transition', json_array(p.label, w.via, json(n.data))
  FROM pair AS p JOIN way AS w ON w.state = p.from_state JOIN name AS n ON n.state = w.via
  ORDER BY p.label, w.step;

SELECT label || ': where it begins', session_state(label) ->> '$.task_state', from_state FROM pair;

-- Legal moves: the result is the new state, with one event that names both and what made the move.
CREATE TEMP TABLE last_event AS SELECT max(id) AS id FROM session_events;
SELECT p.label || ': returns the state', session_transition(p.label, p.to_state, p.data), p.to_state
FROM pair AS p JOIN legal USING (from_state, to_state);
SELECT p.label || ': is in the state', session_state(p.label) ->> '$.task_state', p.to_state
FROM pair AS p JOIN legal USING (from_state, to_state);
SELECT p.label || ': event',
       (SELECT group_concat(from_state || '>' || to_state || ' by ' || "trigger" || ' at ' || at)
        FROM session_events AS e
        WHERE e.session_label = p.label AND axis = 'task' AND e.id > (SELECT id FROM last_event)),
       p.from_state || '>' || p.to_state || ' by ' || l.made_by || ' at 1000000'
FROM pair AS p JOIN legal AS l USING (from_state, to_state);
SELECT p.label || ': the event carries the data of the state',
       (SELECT json_extract(e.data, CASE p.to_state WHEN 'AwaitingUser' THEN '$.question'
          WHEN 'Interrupted' THEN '$.user_message' WHEN 'PendingComplete' THEN '$.summary'
          ELSE '$.reason' END)
        FROM session_events AS e WHERE e.session_label = p.label AND axis = 'task'
        ORDER BY id DESC LIMIT 1),
       (SELECT value FROM json_each(p.data))
FROM pair AS p JOIN legal USING (from_state, to_state) WHERE p.data IS NOT NULL;

-- All other moves are refused; the error names both states and what can be reached (error_of sees
-- to it that nothing has changed).
CREATE TEMP TABLE refusal(label, from_state, to_state, error);
INSERT INTO refusal
  SELECT label, from_state, to_state,
         error_of(printf('SELECT session_transition(%Q, %Q, %Q)', label, to_state, data))
  FROM pair AS p
  WHERE NOT EXISTS (SELECT 1 FROM legal AS l
                    WHERE l.from_state = p.from_state AND l.to_state = p.to_state);
SELECT 'as many refusals as there are pairs without a move', count(error), 49 - 14 FROM refusal;
SELECT label || ': begins with the command', substr(error, 1, 20), 'session_transition: ' FROM refusal;
SELECT label || ': names both states',
       instr(error, from_state) > 0 AND instr(error, to_state) > 0, 1 FROM refusal;
SELECT r.label || ': names ' || l.to_state || ', which can be reached', instr(error, l.to_state) > 0, 1
FROM refusal AS r JOIN legal AS l ON l.from_state = r.from_state;
SELECT r.label || ': names None, which a compact reaches', instr(error, 'None') > 0, 1
FROM refusal AS r WHERE from_state IN ('Complete', 'Aborted');
SELECT r.label || ': names Running, which a start reaches', instr(error, 'Running') > 0, 1
FROM refusal AS r WHERE from_state = 'None';
SELECT r.label || ': is still where it was', session_state(label) ->> '$.task_state', from_state
FROM refusal AS r;

-- Words that are no state, and sessions that are none.
SELECT 'unknown state',
       error_of('SELECT session_transition(''Running > Running'', ''Thinking'')'),
       'session_transition: state is ''Thinking''; it must be one of: Running, AwaitingUser, '
       || 'Interrupted, PendingComplete, Complete, Aborted';
SELECT 'states are case-sensitive words',
       error_of('SELECT session_transition(''Running > Running'', ''running'')') LIKE
         'session_transition: state is ''running''; it must be one of: %', 1;
SELECT 'unknown session', error_of('SELECT session_transition(''nobody'', ''Running'')') LIKE
         'session_transition: %nobody%', 1;

---- Data that a state needs

INSERT INTO turnstile VALUES ('session_start', '["data","add retries"]');
SELECT 'a question is missing', error_of('SELECT session_transition(''data'', ''AwaitingUser'')') LIKE
         'session_transition: %question%missing%', 1;
SELECT 'a question is missing in the data',
       error_of('SELECT session_transition(''data'', ''AwaitingUser'', ''{"asked_at":5}'')') LIKE
         'session_transition: %question%missing%', 1;
SELECT 'a question that is null is missing',
       error_of('SELECT session_transition(''data'', ''AwaitingUser'', ''{"question":null}'')') LIKE
         'session_transition: %question%missing%', 1;
SELECT 'a question that is a number',
       error_of('SELECT session_transition(''data'', ''AwaitingUser'', ''{"question":7}'')') LIKE
         'session_transition: %question%text%', 1;
SELECT 'a user_message is missing', error_of('SELECT session_transition(''data'', ''Interrupted'', ''{}'')') LIKE
         'session_transition: %user_message%missing%', 1;
SELECT 'a summary is missing', error_of('SELECT session_transition(''data'', ''PendingComplete'')') LIKE
         'session_transition: %summary%missing%', 1;
SELECT 'a reason is missing', error_of('SELECT session_transition(''data'', ''Aborted'', NULL)') LIKE
         'session_transition: %reason%missing%', 1;
SELECT 'data that is no JSON', error_of('SELECT session_transition(''data'', ''Aborted'', ''because'')') LIKE
         'session_transition: data %JSON%', 1;
SELECT 'data that is an array', error_of('SELECT session_transition(''data'', ''Aborted'', ''["because"]'')') LIKE
         'session_transition: data %object%', 1;
SELECT 'asked_at that is no time',
       error_of('SELECT session_transition(''data'', ''AwaitingUser'', ''{"question":"?","asked_at":"now"}'')')
         LIKE 'session_transition: %asked_at%', 1;
SELECT 'after all that it is still Running', session_state('data') ->> '$.task_state', 'Running';

---- AwaitingUser: question and asked_at

INSERT INTO turnstile VALUES
  ('session_transition', '["data","AwaitingUser",{"question":"Which backoff?"},{"now":2000000}]');
SELECT 'asked_at is now by itself', session_state('data') -> '$.state_data',
       '{"question":"Which backoff?","asked_at":2000000}';
INSERT INTO turnstile VALUES
  ('session_transition', '["data","AwaitingUser",{"question":"Linear or exponential?"},{"now":3000000}]');
SELECT 'asking again takes the new question and time', session_state('data') -> '$.state_data',
       '{"question":"Linear or exponential?","asked_at":3000000}';
INSERT INTO turnstile VALUES
  ('session_transition', '["data","AwaitingUser",{"question":"Linear?","asked_at":2500000,"choices":["A","B"]}]');
SELECT 'asked_at that is given stands, and other fields are kept',
       json_extract(session_state('data') -> '$.state_data', '$.question', '$.asked_at', '$.choices[1]'),
       '["Linear?",2500000,"B"]';
SELECT 'each question is noted',
       (SELECT group_concat(json_extract(data, '$.text'), ' | ') FROM observations
        WHERE session_label = 'data' AND json_extract(data, '$.note') = 'question'),
       'Question for user: Which backoff? | Question for user: Linear or exponential? | '
       || 'Question for user: Linear?';
SELECT 'each note has a Mentions edge to the task',
       (SELECT count(*) FROM edges AS e JOIN observations AS o
          ON e.from_kind = 'note' AND e.from_ref = CAST(o.id AS TEXT)
        WHERE o.session_label = 'data' AND e.label = 'Mentions' AND e.to_kind = 'task'
          AND e.to_ref = CAST(o.task_id AS TEXT)),
       3;
INSERT INTO turnstile VALUES ('session_transition', '["data","Running"]');
SELECT 'Running has no data', session_state('data') ->> '$.state_data', NULL;

---- Interrupted: all messages in order, the latest by itself

INSERT INTO turnstile VALUES ('session_transition', '["data","Interrupted",{"user_message":"first"}]');
INSERT INTO turnstile VALUES ('session_transition', '["data","Interrupted",{"user_message":"second"}]');
INSERT INTO turnstile VALUES ('session_transition', '["data","Interrupted",{"user_message":"third"}]');
SELECT 'user_message is the latest', session_state('data') ->> '$.state_data.user_message', 'third';
SELECT 'each intervention is noted',
       (SELECT group_concat(json_extract(data, '$.text'), ' | ') FROM observations
        WHERE session_label = 'data' AND json_extract(data, '$.note') = 'intervention'),
       'User intervention: first | User intervention: second | User intervention: third';
SELECT 'messages are all of them', session_state('data') ->> '$.state_data.messages',
       '["first","second","third"]';
INSERT INTO turnstile VALUES ('session_transition', '["data","Running"]');
INSERT INTO turnstile VALUES ('session_transition', '["data","Interrupted",{"user_message":"later"}]');
SELECT 'a new interruption begins a new list', session_state('data') ->> '$.state_data.messages',
       '["later"]';
INSERT INTO turnstile VALUES ('session_transition', '["data","Running"]');

---- PendingComplete, Complete, Aborted

INSERT INTO turnstile VALUES ('session_transition', '["data","PendingComplete",{"summary":"done"}]');
INSERT INTO turnstile VALUES ('session_transition', '["data","PendingComplete",{"summary":"done, tested"}]');
SELECT 'reporting again takes the new summary', session_state('data') ->> '$.state_data.summary',
       'done, tested';
INSERT INTO turnstile VALUES ('session_transition', '["data","Complete"]');
SELECT 'Complete has made no commit yet',
       (SELECT count(*) FROM commits WHERE session_label = 'data'), 0;
INSERT INTO turnstile VALUES ('session_compact', '["data"]');
SELECT 'the commit takes the last summary',
       (SELECT commit_type || ': ' || message FROM commits WHERE session_label = 'data'),
       'Normal: done, tested';

---- One open task

SELECT 'a second start is refused', error_of('SELECT session_start(''Running > Running'', ''other'')')
         LIKE 'session_start: %open task%', 1;
SELECT 'a session has at most one open task',
       (SELECT max(n) FROM (SELECT count(*) AS n FROM tasks WHERE ended_at IS NULL GROUP BY session_label)),
       1;

---- Entering a waiting state flushes, in the same command

INSERT INTO turnstile VALUES ('session_start', '["flush","add retries"]');
INSERT INTO turnstile VALUES ('session_note', '["flush","one"]');
INSERT INTO turnstile VALUES ('session_transition', '["flush","AwaitingUser",{"question":"Which?"}]');
SELECT 'AwaitingUser: the work is in a step',
       (SELECT count(*) FROM observations WHERE session_label = 'flush' AND auto = 0 AND step_id IS NULL), 0;
INSERT INTO turnstile VALUES ('session_transition', '["flush","Running"]');
INSERT INTO turnstile VALUES ('session_note', '["flush","two"]');
INSERT INTO turnstile VALUES ('session_transition', '["flush","Interrupted",{"user_message":"wait"}]');
SELECT 'Interrupted: the work is in a step',
       (SELECT count(*) FROM observations WHERE session_label = 'flush' AND auto = 0 AND step_id IS NULL), 0;
INSERT INTO turnstile VALUES ('session_transition', '["flush","Running"]');
INSERT INTO turnstile VALUES ('session_note', '["flush","three"]');
INSERT INTO turnstile VALUES ('session_transition', '["flush","PendingComplete",{"summary":"done"}]');
SELECT 'PendingComplete: the work is in a step',
       (SELECT count(*) FROM observations WHERE session_label = 'flush' AND auto = 0 AND step_id IS NULL), 0;

---- Events

SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events), (SELECT max(id) FROM session_events);
SELECT 'every event on the task axis is a move of the table',
       (SELECT count(*) FROM session_events AS e WHERE axis = 'task' AND NOT EXISTS
         (SELECT 1 FROM state_transitions AS t
          WHERE t.axis = 'task' AND t.from_state = e.from_state AND t.to_state = e.to_state)), 0;
SELECT 'the events of a session are a chain',
       (SELECT count(*) FROM
         (SELECT from_state, lag(to_state, 1, 'None') OVER (PARTITION BY session_label ORDER BY id) AS was
          FROM session_events WHERE axis = 'task') WHERE from_state <> was), 0;

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;
