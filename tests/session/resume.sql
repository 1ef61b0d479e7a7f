-- resume.sql - session_resume: a pause ends.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
CREATE TEMP VIEW moved AS SELECT session_label, from_state || '>' || to_state AS move, "trigger" FROM session_events WHERE axis = 'status' AND from_state IS NOT NULL ORDER BY id;

---- From every status

CREATE TEMP TABLE status(name PRIMARY KEY, command);
INSERT INTO status VALUES ('active', NULL), ('suspended', 'session_suspend'), ('archived', 'session_archive'), ('error', 'session_fail');
INSERT INTO turnstile SELECT 'session_start', json_array(name, 'add retries') FROM status;
INSERT INTO turnstile SELECT command, iif(name = 'error', json_array(name, 'no network'), json_array(name)) FROM status WHERE command IS NOT NULL;
SELECT name || ': where it begins', session_state(name) ->> '$.status', name FROM status;
SELECT name || ': active', session_resume(name), 'active' FROM status WHERE name IN ('active', 'suspended');
SELECT name || ': refused', error_of(printf('SELECT session_resume(%Q)', name)), printf('session_resume: session ''%s'' is %s, not suspended', name, name) FROM status WHERE name IN ('archived', 'error');
SELECT 'one event, none where it was so', (SELECT group_concat(move) FROM moved WHERE move LIKE '%>active'), 'suspended>active';
SELECT 'the reason is gone', session_suspend('active', '{"reason":"r"}') || session_resume('active') || ifnull(session_state('active') ->> '$.status_reason', '-'), 'suspendedactive-';

---- What waited is taken

SELECT session_start('main', 'add retries');
SELECT session_suspend('main');
SELECT queue_push('main', 'test it');
SELECT 'it waits', (SELECT status || held FROM session_queue), 'pending1';
SELECT session_resume('main');
SELECT 'the next turn has it', turn_begin('main', 'w') ->> '$.messages[0].content', 'test it';

SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
