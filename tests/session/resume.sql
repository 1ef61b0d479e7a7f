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

---- Both doors, a repeated request

SELECT session_start('door', 'x');
SELECT session_suspend('door');
INSERT INTO turnstile(command, args) VALUES ('session_resume', json_array('door')) RETURNING 'the door gives the status', turnstile_result(), 'active';
SELECT session_start('names', 'x');
SELECT session_suspend('names');
INSERT INTO turnstile(command, args) VALUES ('session_resume', json_object('label', 'names')) RETURNING 'arguments by name', turnstile_result(), 'active';
SELECT session_start('once', 'x');
SELECT session_suspend('once');
SELECT 'with a request_id', session_resume('once', '{"request_id":"r-1"}'), 'active';
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT 'repeated: the first answer', session_resume('once', '{"request_id":"r-1"}'), 'active';
SELECT 'nothing is written', dump_of() = d, 1 FROM was;
SELECT session_start('back', 'x');
SELECT session_suspend('back');
CREATE TEMP TABLE before AS SELECT session_state('back') AS s;
BEGIN;
SELECT session_resume('back');
ROLLBACK;
SELECT 'rolled back', session_state('back'), s FROM before;
CREATE TABLE hook(label TEXT);
CREATE TRIGGER hook_runs AFTER INSERT ON hook BEGIN
  INSERT INTO turnstile(command, args) VALUES ('session_resume', json_array(new.label));
END;
INSERT INTO hook VALUES ('back');
SELECT 'a trigger of the file', session_state('back') ->> '$.status', 'active';

---- Refusals

SELECT 'label NULL', error_of('SELECT session_resume(NULL)'), 'session_resume: label is missing';
SELECT 'label empty', error_of('SELECT session_resume('''')'), 'session_resume: label is empty';
SELECT 'label a number', error_of('SELECT session_resume(7)'), 'session_resume: label must be text, not an integer';
SELECT 'no session', error_of('SELECT session_resume(''nobody'')'), 'session_resume: there is no session ''nobody''; session_deliver or session_start makes one';
SELECT 'an option that it has not', error_of('SELECT session_resume(''door'', ''{"nope":1}'')') LIKE 'session_resume: unknown option ''nope''; it takes: %', 1;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
