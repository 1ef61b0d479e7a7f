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

---- Both doors, a repeated request

SELECT session_start('door', 'x');
SELECT session_archive('door');
INSERT INTO turnstile(command, args) VALUES ('session_unarchive', json_array('door')) RETURNING 'the door gives the status', turnstile_result(), 'active';
SELECT session_start('names', 'x');
SELECT session_archive('names');
INSERT INTO turnstile(command, args) VALUES ('session_unarchive', json_object('label', 'names')) RETURNING 'arguments by name', turnstile_result(), 'active';
SELECT session_start('once', 'x');
SELECT session_archive('once');
SELECT 'with a request_id', session_unarchive('once', '{"request_id":"r-1"}'), 'active';
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT 'repeated: the first answer', session_unarchive('once', '{"request_id":"r-1"}'), 'active';
SELECT 'nothing is written', dump_of() = d, 1 FROM was;
SELECT session_start('back', 'x');
SELECT session_archive('back');
CREATE TEMP TABLE before AS SELECT session_state('back') AS s;
BEGIN;
SELECT session_unarchive('back');
ROLLBACK;
SELECT 'rolled back', session_state('back'), s FROM before;
CREATE TABLE hook(label TEXT);
CREATE TRIGGER hook_runs AFTER INSERT ON hook BEGIN
  INSERT INTO turnstile(command, args) VALUES ('session_unarchive', json_array(new.label));
END;
INSERT INTO hook VALUES ('back');
SELECT 'a trigger of the file', session_state('back') ->> '$.status', 'active';

---- Refusals

SELECT 'label NULL', error_of('SELECT session_unarchive(NULL)'), 'session_unarchive: label is missing';
SELECT 'label empty', error_of('SELECT session_unarchive('''')'), 'session_unarchive: label is empty';
SELECT 'label a number', error_of('SELECT session_unarchive(7)'), 'session_unarchive: label must be text, not an integer';
SELECT 'no session', error_of('SELECT session_unarchive(''nobody'')'), 'session_unarchive: there is no session ''nobody''; session_deliver or session_start makes one';
SELECT 'an option that it has not', error_of('SELECT session_unarchive(''door'', ''{"nope":1}'')') LIKE 'session_unarchive: unknown option ''nope''; it takes: %', 1;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
