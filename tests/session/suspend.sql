-- suspend.sql - session_suspend: a pause.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
CREATE TEMP VIEW moved AS SELECT session_label, from_state || '>' || to_state AS move, "trigger" FROM session_events WHERE axis = 'status' AND from_state IS NOT NULL ORDER BY id;

---- From every status

CREATE TEMP TABLE status(name PRIMARY KEY, command);
INSERT INTO status VALUES ('active', NULL), ('suspended', 'session_suspend'), ('archived', 'session_archive'), ('error', 'session_fail');
INSERT INTO turnstile SELECT 'session_start', json_array(name, 'add retries') FROM status;
INSERT INTO turnstile SELECT command, iif(name = 'error', json_array(name, 'no network'), json_array(name)) FROM status WHERE command IS NOT NULL;
SELECT name || ': where it begins', session_state(name) ->> '$.status', name FROM status;
SELECT name || ': suspended', session_suspend(name), 'suspended' FROM status WHERE name IN ('active', 'suspended');
SELECT name || ': stored', session_state(name) ->> '$.status', 'suspended' FROM status WHERE name IN ('active', 'suspended');
SELECT name || ': refused', error_of(printf('SELECT session_suspend(%Q)', name)), printf('session_suspend: session ''%s'' is %s and can''t become suspended', name, name) FROM status WHERE name IN ('archived', 'error');
SELECT 'one event, none where it was so', (SELECT group_concat(session_label || ' ' || move) FROM moved WHERE session_label IN ('active', 'suspended')), 'suspended active>suspended,active active>suspended';

---- A pause, and how it ends

SELECT session_start('main', 'add retries');
SELECT session_suspend('main', '{"reason":"maintenance"}');
SELECT 'the reason', session_state('main') ->> '$.status_reason', 'maintenance';
SELECT 'the task stays open', session_state('main') ->> '$.task_state', 'Running';
SELECT 'inputs wait', session_deliver('main', 'from a timer', '{"source":"timer","message_id":"1"}') IS NOT NULL, 1;
SELECT 'a message of a user ends it', session_deliver('main', 'five of them', '{"class":"Modification","message_id":"2"}') ->> '$.action' IS NOT NULL, 1;
SELECT 'to see', session_state('main') ->> '$.status', 'active';
SELECT turn_begin('run', 'w', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
SELECT session_suspend('run');
SELECT 'a live run goes on to its end', turn_complete(turn_id, token, '{"content":"y"}') ->> '$.status', 'completed' FROM session_runs WHERE session_label = 'run';
SELECT 'and the pause with it', session_state('run') ->> '$.status', 'suspended';

---- Refusals

SELECT 'a reason that is no text', error_of('SELECT session_suspend(''active'', ''{"reason":7}'')'), 'session_suspend: reason must be text, not an integer';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
