-- unarchive.sql - session_unarchive: a session comes out of the archive.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
CREATE TEMP VIEW moved AS SELECT session_label, from_state || '>' || to_state AS move, "trigger" FROM session_events WHERE axis = 'status' AND from_state IS NOT NULL ORDER BY id;

---- From every status

CREATE TEMP TABLE status(name PRIMARY KEY, command);
INSERT INTO status VALUES ('active', NULL), ('suspended', 'session_suspend'), ('archived', 'session_archive'), ('error', 'session_fail');
INSERT INTO turnstile SELECT 'session_start', json_array(name, 'add retries') FROM status;
INSERT INTO turnstile SELECT command, iif(name = 'error', json_array(name, 'no network'), json_array(name)) FROM status WHERE command IS NOT NULL;
SELECT name || ': where it begins', session_state(name) ->> '$.status', name FROM status;
SELECT name || ': active', session_unarchive(name), 'active' FROM status WHERE name IN ('active', 'archived');
SELECT name || ': refused', error_of(printf('SELECT session_unarchive(%Q)', name)), printf('session_unarchive: session ''%s'' is %s, not archived', name, name) FROM status WHERE name IN ('suspended', 'error');
SELECT 'one event, none where it was so', (SELECT group_concat(move) FROM moved WHERE move LIKE '%>active'), 'archived>active';
SELECT 'it is in the archive no more', (SELECT count(archived_at) FROM sessions WHERE label = 'archived'), 0;
SELECT 'its task is open as before', session_state('archived') ->> '$.task', 'add retries';

---- What waited is taken

SELECT session_start('main', 'add retries');
SELECT session_archive('main');
SELECT queue_push('main', 'test it');
SELECT session_unarchive('main');
SELECT 'the next turn has it', turn_begin('main', 'w') ->> '$.messages[0].content', 'test it';

SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
