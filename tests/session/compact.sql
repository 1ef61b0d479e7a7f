-- compact.sql - session_compact: the user's word that the task is done.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
CREATE TEMP VIEW last AS SELECT * FROM commits ORDER BY seq DESC LIMIT 1;

---- What it returns and writes

SELECT session_start('main', 'add retries');
SELECT session_note('main', 'post() is called once');
CREATE TEMP TABLE done AS SELECT session_compact('main', 'Uploads are retried', '{"now":1767225601000}') AS id;
SELECT 'the commit''s id', id, (SELECT id FROM last) FROM done;
SELECT 'of 64 hexadecimal digits', length(id) = 64 AND id NOT GLOB '*[^0-9a-f]*', 1 FROM done;
SELECT 'a Normal commit of the task', (SELECT json_array(session_label, task_id, commit_type, message, parent_id, created_at) FROM last),
  '["main",1,"Normal","Uploads are retried",null,1767225601000]';
SELECT 'what was in no step is in one', (SELECT count(*) FROM observations WHERE step_id IS NULL), 0;
SELECT 'the commit leads to a Compact step', (SELECT s.step_kind FROM steps AS s JOIN last ON last.head_step_id = s.id), 'Compact';
SELECT 'the task is over, and knows the commit', (SELECT json_array(ended_at, commit_id = (SELECT id FROM last)) FROM tasks), '[1767225601000,1]';
SELECT 'nothing is open', json_extract(session_state('main'), '$.task_state', '$.task_id', '$.status'), '["None",null,"active"]';
SELECT 'it has walked there by moves that there are', (SELECT group_concat(from_state || '>' || to_state, ' ') FROM (SELECT * FROM session_events WHERE axis = 'task' AND from_state <> 'None' ORDER BY id)),
  'Running>PendingComplete PendingComplete>Complete Complete>None';

---- Once more, without a task

SELECT 'the same message: the same commit', session_compact('main', 'Uploads are retried'), id FROM done;
SELECT 'no message: the same commit', session_compact('main'), id FROM done;
SELECT 'another message', error_of('SELECT session_compact(''main'', ''Something else'')'),
  'session_compact: session ''main'' has no open task; session_start or session_deliver begins one';
SELECT 'one commit', (SELECT count(*) FROM commits), 1;

---- The words of the commit

CREATE TEMP TABLE open(state, data, message, type);
INSERT INTO open VALUES ('Running', NULL, 'write it', 'Normal'), ('AwaitingUser', '{"question":"Which?"}', 'write it', 'Normal'),
  ('Interrupted', '{"user_message":"wait"}', 'write it', 'Normal'), ('PendingComplete', '{"summary":"It is written"}', 'It is written', 'Normal'),
  ('Aborted', '{"reason":"no use"}', 'Abandoned by user', 'Abandoned');
INSERT INTO turnstile SELECT 'session_start', json_array(state, 'write it') FROM open;
INSERT INTO turnstile SELECT 'session_note', json_array(state, 'x') FROM open;
INSERT INTO turnstile SELECT 'session_transition', json_array(state, state, json(data)) FROM open WHERE data IS NOT NULL;
INSERT INTO turnstile SELECT 'session_compact', json_array(state) FROM open;
SELECT 'from ' || state, (SELECT c.commit_type || ': ' || c.message FROM commits AS c WHERE c.session_label = state), type || ': ' || message FROM open;
SELECT 'a task without any work gets its commit, too', session_start('bare', 'said only') > 0 AND session_compact('bare') IS NOT NULL AND (SELECT message FROM last) = 'said only', 1;

---- Both doors

SELECT session_start('door', 'a');
INSERT INTO turnstile(command, args) VALUES ('session_compact', '["door","by the door"]') RETURNING 'the door gives the id', turnstile_result(), (SELECT id FROM last WHERE message = 'by the door');
SELECT session_start('door', 'b');
INSERT INTO turnstile(command, args) VALUES ('session_compact', '{"label":"door","message":"by names"}') RETURNING 'arguments by name', turnstile_result(), (SELECT id FROM last WHERE message = 'by names');
SELECT 'commits of a session are a chain', (SELECT group_concat(ifnull(parent_id = before, before IS NULL)) FROM (SELECT parent_id, lag(id) OVER (ORDER BY seq) AS before FROM commits WHERE session_label = 'door')), '1,1';
SELECT session_start('door', 'c');
CREATE TABLE merged(branch TEXT);
CREATE TRIGGER merged_compacts AFTER INSERT ON merged BEGIN
  INSERT INTO turnstile(command, args) VALUES ('session_compact', json_array('door', 'merged ' || new.branch));
END;
INSERT INTO merged VALUES ('retries');
SELECT 'a trigger of the file', (SELECT message FROM last), 'merged retries';
SELECT session_start('door', 'd');
BEGIN;
SELECT session_compact('door', 'taken back');
ROLLBACK;
SELECT 'rolled back: the task is open', session_state('door') ->> '$.task', 'd';

---- The same request

CREATE TEMP TABLE first AS SELECT session_compact('door', 'once', '{"request_id":"c-1"}') AS id;
SELECT session_start('door', 'e');
SELECT 'repeated: the commit of the first time', session_compact('door', 'once', '{"request_id":"c-1"}'), id FROM first;
SELECT 'the next task goes on', session_state('door') ->> '$.task', 'e';

---- Refusals

SELECT 'label NULL', error_of('SELECT session_compact(NULL)'), 'session_compact: label is missing';
SELECT 'message empty', error_of('SELECT session_compact(''door'', '''')'), 'session_compact: message is empty; NULL takes the summary';
SELECT 'message of blanks', error_of('SELECT session_compact(''door'', '' '' || char(10, 9))'), 'session_compact: message is empty; NULL takes the summary';
SELECT 'message a number', error_of('SELECT session_compact(''door'', 7)'), 'session_compact: message must be text, not an integer';
SELECT 'no session', error_of('SELECT session_compact(''nobody'')'), 'session_compact: there is no session ''nobody''; session_deliver or session_start makes one';
SELECT session_deliver('new', 'thanks', '{"class":"Confirmation","message_id":"1"}');
SELECT 'no task, and never one', error_of('SELECT session_compact(''new'')'),
  'session_compact: session ''new'' has no open task; session_start or session_deliver begins one';
SELECT 'the chain is sound', (SELECT count(*) FROM turnstile_check), 0;
