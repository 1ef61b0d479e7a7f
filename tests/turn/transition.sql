-- transition.sql - session_transition: the moves of a task, each pair of states, with what the state needs.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

CREATE TEMP TABLE state(name PRIMARY KEY, data);
INSERT INTO state VALUES ('Running', NULL), ('AwaitingUser', '{"question":"Which?"}'), ('Interrupted', '{"user_message":"wait"}'),
  ('PendingComplete', '{"summary":"ready"}'), ('Complete', NULL), ('Aborted', '{"reason":"no use"}');
-- The moves that tasks.md marks as this command's.
CREATE TEMP TABLE legal(a, b);
INSERT INTO legal VALUES ('Running', 'AwaitingUser'), ('Running', 'Interrupted'), ('Running', 'PendingComplete'), ('Running', 'Aborted'),
  ('AwaitingUser', 'Running'), ('AwaitingUser', 'Aborted'), ('Interrupted', 'Running'), ('Interrupted', 'Aborted'),
  ('PendingComplete', 'Complete'), ('PendingComplete', 'Running'), ('PendingComplete', 'Aborted'),
  ('AwaitingUser', 'AwaitingUser'), ('Interrupted', 'Interrupted'), ('PendingComplete', 'PendingComplete');
CREATE TEMP TABLE pair AS SELECT a.name AS a, b.name AS b, a.name || ' to ' || b.name AS label, b.data AS data FROM state AS a, state AS b;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM pair;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete', json('{"summary":"s"}')) FROM pair WHERE a = 'Complete';
INSERT INTO turnstile SELECT 'session_transition', json_array(label, a, json(state.data)) FROM pair JOIN state ON state.name = a WHERE a <> 'Running';
SELECT label || ': where it begins', session_state(label) ->> '$.task_state', a FROM pair;
CREATE TEMP TABLE tried AS SELECT label, a, b, data, (a, b) IN (SELECT a, b FROM legal) AS may, session_state(label) AS before FROM pair;
SELECT label || ': returns the state', session_transition(label, b, data), b FROM tried WHERE may;
SELECT label || ': it is stored', session_state(label) ->> '$.task_state', b FROM tried WHERE may;
SELECT label || ': an event', (SELECT from_state || '>' || to_state FROM session_events AS e WHERE e.session_label = label AND axis = 'task' ORDER BY id DESC LIMIT 1), a || '>' || b FROM tried WHERE may;
CREATE TEMP TABLE refused AS SELECT label, a, b, before, error_of(printf('SELECT session_transition(%Q, %Q, %Q)', label, b, data)) AS error FROM tried WHERE NOT may;
SELECT label || ': is refused', error LIKE 'session_transition: the task is ' || a || ' and can''t become ' || b || '; from ' || a || ' it can become: %', 1 FROM refused;
SELECT label || ': nothing changes', session_state(label), before FROM refused;
SELECT 'all pairs', (SELECT count(*) FROM pair), 36;
SELECT 'the words of a refusal', (SELECT error FROM refused WHERE label = 'AwaitingUser to PendingComplete'),
  'session_transition: the task is AwaitingUser and can''t become PendingComplete; from AwaitingUser it can become: None (by a commit), Running, AwaitingUser, Aborted';

---- What a state needs

SELECT session_start('main', 'add retries');
SELECT 'a question is stored with its time', session_transition('main', 'AwaitingUser', '{"question":"Which?","extra":[1]}') || (SELECT state_data FROM tasks WHERE session_label = 'main'),
  'AwaitingUser{"question":"Which?","extra":[1],"asked_at":1767225600000}';
SELECT session_transition('main', 'Running');
CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES
  ('''AwaitingUser''', 'data.question is missing; AwaitingUser needs {"question": …}'),
  ('''PendingComplete'', ''{}''', 'data.summary is missing; PendingComplete needs {"summary": …}'),
  ('''Aborted''', 'data.reason is missing; Aborted needs {"reason": …}'),
  ('''Interrupted''', 'data.user_message is missing; Interrupted needs {"user_message": …}'),
  ('''AwaitingUser'', ''{"question":7}''', 'data.question must be text, not a JSON integer'),
  ('''AwaitingUser'', ''{"question":" "}''', 'data.question is empty; it must hold more than white space'),
  ('''AwaitingUser'', ''{"question":"q","asked_at":"x"}''', 'data.asked_at must be an integer from 0 to 2^53 - 1, Unix milliseconds'),
  ('''AwaitingUser'', ''[]''', 'data must be a JSON object, not a JSON array'),
  ('''AwaitingUser'', ''{''', 'data is not valid JSON'),
  ('''Nope''', 'state is ''Nope''; it must be one of: Running, AwaitingUser, Interrupted, PendingComplete, Complete, Aborted'),
  ('''None''', 'the task is Running and can''t become None; from Running it can become: None (by a commit), AwaitingUser, Interrupted, PendingComplete, Aborted'),
  ('NULL', 'state is missing');
SELECT args, error_of('SELECT session_transition(''main'', ' || args || ')'), 'session_transition: ' || error FROM wrong;
SELECT 'label NULL', error_of('SELECT session_transition(NULL, ''Running'')'), 'session_transition: label is missing';
SELECT 'no session', error_of('SELECT session_transition(''nobody'', ''Running'')'), 'session_transition: there is no session ''nobody''; session_deliver or session_start makes one';

---- A repeated request, a trigger of the file

SELECT session_transition('main', 'PendingComplete', '{"summary":"s"}', '{"request_id":"t-1"}');
SELECT session_transition('main', 'Running');
SELECT 'repeated: the first answer', session_transition('main', 'PendingComplete', '{"summary":"s"}', '{"request_id":"t-1"}'), 'PendingComplete';
SELECT 'and no move', session_state('main') ->> '$.task_state', 'Running';
CREATE TABLE verdict(state TEXT, data TEXT);
CREATE TRIGGER verdict_moves AFTER INSERT ON verdict BEGIN
  INSERT INTO turnstile(command, args) VALUES ('session_transition', json_array('main', new.state, json(new.data)));
END;
INSERT INTO verdict VALUES ('PendingComplete', '{"summary":"by a trigger"}');
SELECT 'a trigger of the file', session_state('main') ->> '$.state_data.summary', 'by a trigger';

---- Without a task

SELECT session_compact('main', 'done');
SELECT 'no open task', error_of('SELECT session_transition(''main'', ''Running'')'),
  'session_transition: the task is None and becomes Running with session_start, or with data.task';
SELECT 'data.task begins one', session_transition('main', 'Running', '{"task":"add logs"}') || (session_state('main') ->> '$.task'), 'Runningadd logs';
