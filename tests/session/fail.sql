-- fail.sql - session_fail: a session needs somebody.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
CREATE TEMP VIEW moved AS SELECT session_label, from_state || '>' || to_state AS move, "trigger" FROM session_events WHERE axis = 'status' AND from_state IS NOT NULL ORDER BY id;

---- From every status

CREATE TEMP TABLE status(name PRIMARY KEY, command);
INSERT INTO status VALUES ('active', NULL), ('suspended', 'session_suspend'), ('archived', 'session_archive'), ('error', 'session_fail');
INSERT INTO turnstile SELECT 'session_start', json_array(name, 'add retries') FROM status;
INSERT INTO turnstile SELECT command, iif(name = 'error', json_array(name, 'no network'), json_array(name)) FROM status WHERE command IS NOT NULL;
SELECT name || ': where it begins', session_state(name) ->> '$.status', name FROM status;
SELECT name || ': error', session_fail(name, 'no account'), 'error' FROM status WHERE name <> 'archived';
SELECT name || ': with the new reason', json_extract(session_state(name), '$.status', '$.status_reason'), '["error","no account"]' FROM status WHERE name <> 'archived';
SELECT 'archived: refused', error_of('SELECT session_fail(''archived'', ''x'')'), 'session_fail: session ''archived'' is archived and can''t become error';
SELECT 'the moves', (SELECT group_concat(session_label || ' ' || move) FROM moved WHERE move LIKE '%>error'), 'error active>error,active active>error,suspended suspended>error';

---- What waits, waits on

SELECT session_start('main', 'add retries');
SELECT queue_push('main', 'test it');
SELECT session_fail('main', 'the provider has closed the account');
SELECT 'a message is blocked', session_deliver('main', 'hello?') ->> '$.action', 'blocked';
SELECT 'and kept', (SELECT group_concat(message || status, ' ') FROM session_queue), 'test itpending hello?pending';
SELECT 'no task begins', session_compact('main', 'done') IS NOT NULL AND error_of('SELECT session_start(''main'', ''y'')') = 'session_start: session ''main'' is in error; no task begins until its status is active', 1;
SELECT turn_begin('run', 'w', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
SELECT session_fail('run', 'x');
SELECT 'a live run can end', turn_complete(turn_id, token, '{"content":"y"}') ->> '$.status', 'completed' FROM session_runs WHERE session_label = 'run';
SELECT 'the error stays', session_state('run') ->> '$.status', 'error';

---- Refusals

SELECT 'reason NULL', error_of('SELECT session_fail(''active'', NULL)'), 'session_fail: reason is missing';
SELECT 'reason of blanks', error_of('SELECT session_fail(''active'', '' '')'), 'session_fail: reason is empty; it must hold more than white space';
SELECT 'reason a number', error_of('SELECT session_fail(''active'', 7)'), 'session_fail: reason must be text, not an integer';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
