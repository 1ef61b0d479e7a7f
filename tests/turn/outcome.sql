-- outcome.sql - what the end and the beginning of a turn mean for the task: the outcome of
-- turn_complete from every state, and what turn_begin moves.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

CREATE TEMP TABLE run(label TEXT PRIMARY KEY, r);
CREATE TEMP VIEW live(label, turn, token) AS SELECT label, r ->> '$.turn', r ->> '$.token' FROM run;
-- The task's way since a moment.
CREATE TEMP TABLE mark(label TEXT PRIMARY KEY, id);

---- Every state × outcome × text

-- How the task stands when the turn completes. "waiting": a message has interrupted and was not
-- taken; "taken": it was.
CREATE TEMP TABLE stands(name, state, data);
INSERT INTO stands VALUES ('None', NULL, NULL), ('Running', 'Running', NULL),
  ('AwaitingUser', 'AwaitingUser', '{"question":"Old?","asked_at":5}'),
  ('Interrupted', 'Interrupted', '{"user_message":"wait"}'),
  ('Interrupted, waiting', 'Running', NULL), ('Interrupted, taken', 'Running', NULL),
  ('PendingComplete', 'PendingComplete', '{"summary":"Old."}'),
  ('Complete', 'Complete', NULL), ('Aborted', 'Aborted', '{"reason":"of no use"}');
CREATE TEMP TABLE result(name, fields, question, summary);
INSERT INTO result VALUES
  ('content', '{"content":"Said."}', 'Said.', 'Said.'),
  ('question', '{"question":"Which?"}', 'Which?', NULL),
  ('summary', '{"summary":"All of it."}', NULL, 'All of it.'),
  ('all', '{"content":"Said.","question":"Which?","summary":"All of it."}', 'Which?', 'All of it.'),
  ('neither', '{}', NULL, NULL);
-- What an outcome that has a text does in each state: the state afterwards and the moves there.
-- Where
-- it is ignored the note says why.
CREATE TEMP TABLE does(name, outcome, after, moves, ignored);
INSERT INTO does VALUES
  ('None', 'question', 'None', NULL, 'no task is open'),
  ('None', 'done', 'None', NULL, 'no task is open'),
  ('Running', 'question', 'AwaitingUser', 'AwaitingUser', NULL),
  ('Running', 'done', 'PendingComplete', 'PendingComplete', NULL),
  ('AwaitingUser', 'question', 'AwaitingUser', 'AwaitingUser', NULL),
  ('AwaitingUser', 'done', 'PendingComplete', 'Running PendingComplete', NULL),
  ('Interrupted', 'question', 'AwaitingUser', 'Running AwaitingUser', NULL),
  ('Interrupted', 'done', 'PendingComplete', 'Running PendingComplete', NULL),
  ('Interrupted, waiting', 'question', 'Interrupted', NULL, 'not taken'),
  ('Interrupted, waiting', 'done', 'Interrupted', NULL, 'not taken'),
  ('Interrupted, taken', 'question', 'AwaitingUser', 'AwaitingUser', NULL),
  ('Interrupted, taken', 'done', 'PendingComplete', 'PendingComplete', NULL),
  ('PendingComplete', 'question', 'AwaitingUser', 'Running AwaitingUser', NULL),
  ('PendingComplete', 'done', 'PendingComplete', 'PendingComplete', NULL),
  ('Complete', 'question', 'Complete', NULL, 'over'),
  ('Complete', 'done', 'Complete', NULL, 'over'),
  ('Aborted', 'question', 'Aborted', NULL, 'over'),
  ('Aborted', 'done', 'Aborted', NULL, 'over');
CREATE TEMP TABLE outcome(name);
INSERT INTO outcome VALUES ('question'), ('done'), (NULL);
CREATE TEMP TABLE trial AS
  SELECT s.name || ', ' || ifnull(o.name, 'no outcome') || ', ' || r.name AS label,
         s.name AS stands, s.state, s.data, o.name AS outcome,
         json_patch(fields, json_object('outcome', o.name)) AS fields,
         iif(o.name = 'question', question, summary) AS text, fields ->> '$.content' AS content
  FROM stands AS s, outcome AS o, result AS r;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM trial
  WHERE state IS NOT NULL;
INSERT INTO run SELECT label, turn_begin(label, 'A1',
  '{"messages":[{"role":"user","content":"go"}]}') FROM trial;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete',
  json('{"summary":"Old."}')) FROM trial WHERE state = 'Complete';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state, json(data)) FROM trial
  WHERE state <> 'Running';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'make it five',
  json('{"class":"Modification"}')) FROM trial WHERE stands LIKE 'Interrupted, %';
INSERT INTO turnstile SELECT 'turn_steering', json_array(turn, token) FROM trial
  JOIN live USING (label) WHERE stands = 'Interrupted, taken';
INSERT INTO mark SELECT label, (SELECT max(id) FROM session_events) FROM trial;
CREATE TEMP TABLE came AS SELECT label, turn_complete(turn, token, fields, '{"now":1005000}') AS r
  FROM trial JOIN live USING (label);

-- Without a text nothing can be asked or reported.
CREATE TEMP TABLE expected AS SELECT label, stands, t.outcome, text, content,
    iif(t.outcome IS NULL OR (text IS NULL AND ignored IS NULL), ifnull(d0.after, ''), d.after)
      AS after,
    iif(text IS NULL, NULL, moves) AS moves,
    CASE WHEN t.outcome IS NULL THEN NULL WHEN ignored IS NOT NULL THEN ignored
      WHEN text IS NULL THEN 'there is no ' || iif(t.outcome = 'question', 'question', 'summary')
    END AS ignored
  FROM trial AS t LEFT JOIN does AS d ON d.name = stands AND d.outcome = t.outcome
  LEFT JOIN (SELECT 'None' AS name, 'None' AS after UNION ALL VALUES ('Running', 'Running'),
    ('AwaitingUser', 'AwaitingUser'), ('Interrupted', 'Interrupted'),
    ('Interrupted, waiting', 'Interrupted'), ('Interrupted, taken', 'Running'),
    ('PendingComplete', 'PendingComplete'), ('Complete', 'Complete'), ('Aborted', 'Aborted')) AS d0
    ON d0.name = stands;
SELECT 'every state with every outcome', (SELECT count(*) FROM expected), 9 * 3 * 5;
SELECT label || ': the state', json_array(r ->> '$.state', session_state(label) ->> '$.task_state'),
  json_array(after, after) FROM expected JOIN came USING (label);
SELECT label || ': the moves', (SELECT group_concat(to_state, ' ') FROM (SELECT to_state
    FROM session_events WHERE session_label = label AND axis = 'task' AND id > mark.id ORDER BY
    id)),
  iif(ignored IS NULL, moves, NULL) FROM expected JOIN mark USING (label);
SELECT label || ': the note', CASE WHEN r ->> '$.note' IS NULL THEN NULL
    WHEN r ->> '$.note' LIKE 'outcome ignored: %' || ignored || '%' THEN ignored
    WHEN text IS NULL AND r ->> '$.note' LIKE 'outcome ignored: there is no %' THEN ignored
    ELSE r ->> '$.note' END, ignored FROM expected JOIN came USING (label);
SELECT label || ': the turn is never refused', (SELECT t.status || on_path FROM turns AS t
    WHERE id = turn), 'completed1' FROM expected JOIN live USING (label);
SELECT label || ': the answer', json_array(r ->> '$.turn' = turn, r ->> '$.status', r ->>
  '$.on_path',
    r ->> '$.session', r ->> '$.head' = turn, r ->> '$.waiting'),
  json_array(1, 'completed', 1, label, 1, stands = 'Interrupted, waiting')
  FROM expected JOIN came USING (label) JOIN live USING (label);
SELECT label || ': the state''s data', session_state(label) ->> iif(outcome = 'question',
    '$.state_data.question', '$.state_data.summary'), text FROM expected
  WHERE ignored IS NULL AND outcome IS NOT NULL;
SELECT label || ': when it was asked', session_state(label) ->> '$.state_data.asked_at', 1005000
  FROM expected WHERE ignored IS NULL AND outcome = 'question';
SELECT label || ': a question is noted', (SELECT group_concat(data ->> '$.text') FROM observations
    WHERE session_label = label AND auto = 1 AND created_at = 1005000),
  CASE WHEN ignored IS NULL AND outcome = 'question' THEN 'Question for user: ' || text END
  FROM expected;
SELECT label || ': it is checkpointed', (SELECT count(*) FROM observations
    WHERE session_label = label AND step_id IS NULL AND created_at < 1005000), 0 FROM expected
  WHERE ignored IS NULL AND outcome IS NOT NULL AND after <> stands;
SELECT label || ': the content is the agent''s last word', (SELECT group_concat(m.content)
    FROM messages AS m WHERE turn_id = turn AND role = 'assistant'), content
  FROM expected JOIN live USING (label);
SELECT label || ': nothing else ends', (SELECT count(*) FROM commits WHERE session_label = label), 0
  FROM expected;

-- What was not taken interrupts the next turn's beginning, as it should.
CREATE TEMP TABLE next AS SELECT label, turn_begin(label, 'A2') AS r FROM expected
  WHERE stands = 'Interrupted, waiting';
SELECT label || ': then it is taken', json_array(r ->> '$.messages[0].content',
  session_state(label) ->> '$.task_state'), '["make it five","Running"]' FROM next;

---- Malformed

INSERT INTO turnstile VALUES ('session_start', '["wrong","add retries"]');
INSERT INTO run SELECT 'wrong', turn_begin('wrong', 'A1',
  '{"messages":[{"role":"user","content":"go"}]}');
CREATE TEMP TABLE wrong(result, message);
INSERT INTO wrong VALUES
  ('{"outcome":"finished"}', 'turn_complete: result.outcome must be question or done'),
  ('{"outcome":1}', 'turn_complete: result.outcome must be question or done'),
  ('{"outcome":""}', 'turn_complete: result.outcome must be question or done'),
  ('{"outcome":"done","summary":""}', 'turn_complete: result.summary must be text, not empty'),
  ('{"outcome":"done","summary":5}', 'turn_complete: result.summary must be text, not empty'),
  ('{"outcome":"question","question":""}',
   'turn_complete: result.question must be text, not empty'),
  ('{"outcome":"question","question":["a"]}',
   'turn_complete: result.question must be text, not empty'),
  ('{"outcom":"done"}',
  'turn_complete: result has no field ''outcom''; it takes content, messages, '
   || 'usage, model, provider, tokens, resume_cursor, outcome, question, summary');
SELECT 'refused: ' || result, error_of(printf('SELECT turn_complete(%d, %d, %Q)', turn, token,
  result)), message FROM wrong, live WHERE label = 'wrong';
SELECT 'NULLs are nothing', json_extract(turn_complete(turn, token, '{"outcome":null,
  "question":null,"summary":null,"content":null}'), '$.state', '$.note'), '["Running",null]'
  FROM live WHERE label = 'wrong';
-- An empty content is no question and no summary.
INSERT INTO turnstile VALUES ('session_start', '["empty","add retries"]');
INSERT INTO run SELECT 'empty', turn_begin('empty', 'A1',
  '{"messages":[{"role":"user","content":"go"}]}');
CREATE TEMP TABLE empty AS SELECT turn_complete(turn, token, '{"outcome":"done","content":""}') AS r
  FROM live WHERE label = 'empty';
SELECT 'an empty content reports nothing', json_array(r ->> '$.state', r ->> '$.note' <> ''),
  '["Running",1]' FROM empty;

---- What follows on an outcome

CREATE TEMP TABLE follow(label, result, message, class, action, state, commit_message);
INSERT INTO follow VALUES
  ('answered', '{"outcome":"question","content":"How many?"}', 'five', 'Response', 'continue',
   'Running', NULL),
  ('approved', '{"outcome":"done","summary":"Retries added","content":"Long story."}', 'yes', NULL,
   'complete', 'None', 'Retries added'),
  ('approved by content', '{"outcome":"done","content":"Retries are in."}', 'yes', NULL, 'complete',
   'None', 'Retries are in.'),
  ('wants more', '{"outcome":"done","summary":"Retries added"}', 'and log them', 'Modification',
   'continue', 'Running', NULL);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM follow;
INSERT INTO run SELECT label, turn_begin(label, 'A1',
  '{"messages":[{"role":"user","content":"go"}]}') FROM follow;
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json(result))
  FROM follow JOIN live USING (label);
SELECT label || ': what is done', json_extract(session_deliver(label, message,
  json_patch('{}', json_object('class', class))), '$.action', '$.state'), json_array(action, state)
  FROM follow;
SELECT label || ': the commit', (SELECT message FROM commits WHERE session_label = label),
  commit_message FROM follow;
-- turn_fail and turn_abort leave the task alone.
CREATE TEMP TABLE broke(label, call);
INSERT INTO broke VALUES ('broke', 'turn_fail'), ('broke off', 'turn_abort');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM broke;
INSERT INTO run SELECT label, turn_begin(label, 'A1',
  '{"messages":[{"role":"user","content":"go"}]}') FROM broke;
INSERT INTO turnstile SELECT 'turn_message', json_array(turn, token,
  json('{"role":"assistant","content":"half"}')) FROM broke JOIN live USING (label);
INSERT INTO turnstile SELECT call, json_array(turn, token, 'e') FROM broke JOIN live USING (label);
SELECT label || ': the task goes on', session_state(label) ->> '$.task_state', 'Running' FROM broke;

---- What turn_begin moves

-- given: messages of the host's own, with their source; class: a user's message that was delivered
-- and handed over, or NULL; mode: it comes from the queue unclassified.
CREATE TEMP TABLE begins(how, state, after, note);
INSERT INTO begins VALUES
  ('given', 'None', 'None', NULL), ('given', 'Running', 'Running', NULL),
  ('given', 'AwaitingUser', 'AwaitingUser', NULL), ('given', 'Interrupted', 'Running', NULL),
  ('given', 'PendingComplete', 'Running', NULL),
  ('given by timer', 'None', 'None', NULL), ('given by timer', 'Running', 'Running', NULL),
  ('given by timer', 'AwaitingUser', 'AwaitingUser', NULL),
  ('given by timer', 'Interrupted', 'Running', NULL),
  ('given by timer', 'PendingComplete', 'PendingComplete', NULL),
  ('queued by agent', 'None', 'None', NULL), ('queued by agent', 'Running', 'Running', NULL),
  ('queued by agent', 'AwaitingUser', 'AwaitingUser', NULL),
  ('queued by agent', 'Interrupted', 'Running', NULL),
  ('queued by agent', 'PendingComplete', 'PendingComplete', NULL),
  ('queued by user', 'None', 'Running', NULL),
  ('queued by user', 'Running', 'Running', 'User intervention: use five retries instead of three'),
  ('queued by user', 'AwaitingUser', 'Running',
   'User response: use five retries instead of three'),
  ('queued by user', 'Interrupted', 'Running',
   'User intervention: use five retries instead of three'),
  ('queued by user', 'PendingComplete', 'Running',
   'User requested continuation: use five retries instead of three');
CREATE TEMP TABLE began AS SELECT how || ', ' || state AS label, * FROM begins;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM began;
INSERT INTO turnstile SELECT 'session_compact', json_array(label) FROM began WHERE state = 'None';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, state, json(data))
  FROM began JOIN (SELECT 'AwaitingUser' AS name, '{"question":"How many?"}' AS data
    UNION ALL VALUES ('Interrupted', '{"user_message":"wait"}'),
    ('PendingComplete', '{"summary":"Retries added"}')) ON name = state;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'use five retries instead of three',
  json_object('source', substr(how, 11))) FROM began WHERE how LIKE 'queued by %';
INSERT INTO run SELECT label, turn_begin(label, 'A1', '{"now":1005000}') FROM began
  WHERE how LIKE 'queued%';
INSERT INTO run SELECT label, turn_begin(label, 'A1', '{"now":1005000,"messages":
  [{"role":"user","content":"use five"}]}') FROM began WHERE how = 'given';
INSERT INTO run SELECT label, turn_begin(label, 'A1', '{"now":1005000,"source":"timer",
  "messages":[{"role":"user","content":"use five"}]}') FROM began WHERE how = 'given by timer';
SELECT label || ': it begins', (SELECT status FROM turns WHERE id = turn), 'running'
  FROM began JOIN live USING (label);
SELECT label || ': the state', session_state(label) ->> '$.task_state', after FROM began;
SELECT label || ': the note', (SELECT group_concat(data ->> '$.text') FROM observations
  WHERE session_label = label AND auto = 1 AND created_at = 1005000), note FROM began;
SELECT label || ': the turn''s source', (SELECT source FROM turns WHERE id = turn),
  CASE how WHEN 'given by timer' THEN 'timer' WHEN 'queued by agent' THEN 'agent' ELSE 'user' END
  FROM began JOIN live USING (label);
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json('{"content":"done"}'),
  json('{"now":2000000}')) FROM began JOIN live USING (label);
SELECT label || ': its end keeps the session young only for a user', session_state(label)
    ->> '$.last_activity', CASE WHEN how LIKE '%timer' OR how LIKE '%agent' THEN 1000000
    ELSE 2000000 END FROM began;

-- A run in error leads through idle.
INSERT INTO turnstile VALUES ('session_start', '["crashed","add retries"]'),
  ('session_run', '["crashed","A1","starting"]'), ('session_run', '["crashed","A1","running"]'),
  ('session_run', '["crashed","A1","error",{"code":137}]');
INSERT INTO run SELECT 'crashed', turn_begin('crashed', 'A2',
  '{"messages":[{"role":"user","content":"go"}]}');
SELECT 'a run in error', (SELECT group_concat(to_state, ' ') FROM session_events
  WHERE session_label = 'crashed' AND axis = 'run'), 'starting running error idle starting';
SELECT 'is the new owner''s', (SELECT json_array(owner, run_state, turn_id IS NOT NULL)
  FROM session_runs WHERE session_label = 'crashed'), '["A2","starting",1]';

---- Every record stands

SELECT 'every move of a task is one of the table', (SELECT group_concat(DISTINCT from_state || '>'
    || to_state) FROM session_events AS e WHERE axis = 'task' AND from_state IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM state_transitions AS s WHERE s.axis = 'task'
    AND s.from_state = e.from_state AND s.to_state = e.to_state)
  AND from_state <> to_state), NULL;
SELECT 'a task''s events follow one another', (SELECT group_concat(DISTINCT task_id) FROM
  (SELECT task_id, from_state, lag(to_state, 1, 'None') OVER (PARTITION BY task_id ORDER BY id)
    AS before FROM session_events WHERE axis = 'task') WHERE from_state IS NOT before), NULL;
SELECT 'and end where it is', (SELECT group_concat(session_label) FROM tasks AS t
  WHERE state IS NOT (SELECT to_state FROM session_events AS e WHERE axis = 'task'
    AND e.task_id = t.id ORDER BY id DESC LIMIT 1)), NULL;
SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events),
  (SELECT max(id) FROM session_events);

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;
