-- reopen.sql - session_reopen: an error ends.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
CREATE TEMP VIEW moved AS SELECT session_label, from_state || '>' || to_state AS move, "trigger" FROM session_events WHERE axis = 'status' AND from_state IS NOT NULL ORDER BY id;

---- From every status

CREATE TEMP TABLE status(name PRIMARY KEY, command);
INSERT INTO status VALUES ('active', NULL), ('suspended', 'session_suspend'), ('archived', 'session_archive'), ('error', 'session_fail');
INSERT INTO turnstile SELECT 'session_start', json_array(name, 'add retries') FROM status;
INSERT INTO turnstile SELECT command, iif(name = 'error', json_array(name, 'no network'), json_array(name)) FROM status WHERE command IS NOT NULL;
SELECT name || ': where it begins', session_state(name) ->> '$.status', name FROM status;
SELECT name || ': active', session_reopen(name), 'active' FROM status WHERE name IN ('active', 'error');
SELECT name || ': refused', error_of(printf('SELECT session_reopen(%Q)', name)), printf('session_reopen: session ''%s'' is %s, not in error', name, name) FROM status WHERE name IN ('suspended', 'archived');
SELECT 'one event, none where it was so', (SELECT group_concat(move) FROM moved WHERE move LIKE '%>active'), 'error>active';
SELECT 'the reason is gone', session_state('error') ->> '$.status_reason', NULL;

---- What waited is taken

SELECT session_start('main', 'add retries');
SELECT session_fail('main', 'no network');
SELECT 'a message is blocked', session_deliver('main', 'five of them', '{"message_id":"1"}') ->> '$.action', 'blocked';
SELECT 'no turn begins', error_of('SELECT turn_begin(''main'', ''w'')'), 'turn_begin: session ''main'' is in error; no turn begins until its status is active';
SELECT session_reopen('main');
SELECT 'the next turn has it', turn_begin('main', 'w') ->> '$.messages[0].content', 'five of them';

---- Somebody has looked at what was refused

SELECT turnstile_config('queue_cap', 1);
SELECT session_start('full', 'x');
SELECT turn_begin('full', 'w', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
SELECT session_deliver('full', 'one', '{"source":"timer","message_id":"1"}') ->> '$.action';
SELECT session_deliver('full', 'two', '{"source":"timer","message_id":"2"}') ->> '$.action';
SELECT 'no room for the second', (SELECT refused ->> '$.count' FROM sessions WHERE label = 'full'), 1;
SELECT 'active as it is', session_reopen('full'), 'active';
SELECT 'it is listed no more', (SELECT refused FROM sessions WHERE label = 'full'), NULL;
SELECT turnstile_config('queue_cap', NULL);

SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
