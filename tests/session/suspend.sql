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

---- Both doors, a repeated request

SELECT session_start('door', 'x');
INSERT INTO turnstile(command, args) VALUES ('session_suspend', json_array('door')) RETURNING 'the door gives the status', turnstile_result(), 'suspended';
SELECT session_start('names', 'x');
INSERT INTO turnstile(command, args) VALUES ('session_suspend', json_object('label', 'names')) RETURNING 'arguments by name', turnstile_result(), 'suspended';
SELECT session_start('once', 'x');
SELECT 'with a request_id', session_suspend('once', '{"request_id":"r-1"}'), 'suspended';
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT 'repeated: the first answer', session_suspend('once', '{"request_id":"r-1"}'), 'suspended';
SELECT 'nothing is written', dump_of() = d, 1 FROM was;
SELECT session_start('back', 'x');
CREATE TEMP TABLE before AS SELECT session_state('back') AS s;
BEGIN;
SELECT session_suspend('back');
ROLLBACK;
SELECT 'rolled back', session_state('back'), s FROM before;
CREATE TABLE hook(label TEXT);
CREATE TRIGGER hook_runs AFTER INSERT ON hook BEGIN
  INSERT INTO turnstile(command, args) VALUES ('session_suspend', json_array(new.label));
END;
INSERT INTO hook VALUES ('back');
SELECT 'a trigger of the file', session_state('back') ->> '$.status', 'suspended';

---- Refusals

SELECT 'label NULL', error_of('SELECT session_suspend(NULL)'), 'session_suspend: label is missing';
SELECT 'label empty', error_of('SELECT session_suspend('''')'), 'session_suspend: label is empty';
SELECT 'label a number', error_of('SELECT session_suspend(7)'), 'session_suspend: label must be text, not an integer';
SELECT 'no session', error_of('SELECT session_suspend(''nobody'')'), 'session_suspend: there is no session ''nobody''; session_deliver or session_start makes one';
SELECT 'an option that it has not', error_of('SELECT session_suspend(''door'', ''{"nope":1}'')') LIKE 'session_suspend: unknown option ''nope''; it takes: %', 1;
SELECT 'a reason that is no text', error_of('SELECT session_suspend(''door'', ''{"reason":7}'')'), 'session_suspend: reason must be text, not an integer';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
