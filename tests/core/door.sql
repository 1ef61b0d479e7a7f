-- door.sql - the one door: INSERT INTO turnstile, turnstile_result(), the sugar functions, and what
-- keeps the door shut.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES ('session_start', '["s","add retries"]');

---- turnstile_result(): once, and only what ran last

SELECT 'RETURNING gives the result', value_of('INSERT INTO turnstile VALUES (''session_note'', ''["s","one"]'') RETURNING turnstile_result()'), 1;
SELECT 'the columns are named', value_of('INSERT INTO turnstile(args, command) VALUES (''["s","two"]'', ''session_note'') RETURNING turnstile_result()'), 2;
SELECT 'once', error_of('SELECT turnstile_result()') LIKE 'turnstile_result: no command has run%', 1;
INSERT INTO turnstile VALUES ('session_note', '["s","three"]');
SELECT 'also afterwards', turnstile_result(), 3;
SELECT 'sugar leaves none behind', (session_note('s', 'four') = 4) || ifnull(error_of('SELECT turnstile_result()') LIKE 'turnstile_result: no command has run%', 0), '11';
INSERT INTO turnstile VALUES ('session_note', '["s","five"]');
SELECT 'a command that fails leaves none, not the one before', (error_of('SELECT session_note(''nobody'', ''x'')') IS NOT NULL) || ifnull(error_of('SELECT turnstile_result()') LIKE 'turnstile_result: no command has run%', 0), '11';
INSERT INTO turnstile VALUES ('session_recover', '["nobody"]');
SELECT 'NULL is a result', turnstile_result(), NULL;
SELECT 'each row of a batch has its own',
       value_of('CREATE TEMP TABLE given AS SELECT 0 AS n WHERE 0;
                 INSERT INTO turnstile SELECT ''session_note'', json_array(''s'', ''batch '' || value) FROM json_each(''[1,2,3]'');
                 SELECT count(*) FROM observations WHERE data LIKE ''%batch%'''), 3;
SELECT 'one failing row undoes the whole batch', error_of('INSERT INTO turnstile SELECT ''session_note'', json_array(value, ''undone'') FROM json_each(''["s","s","nobody"]'')') LIKE 'session_note: %nobody%', 1;
SELECT 'nothing is left of it', (SELECT count(*) FROM observations WHERE data LIKE '%undone%'), 0;
SELECT 'reading commands go through the door as well', value_of('INSERT INTO turnstile VALUES (''session_state'', ''["s"]'') RETURNING turnstile_result()') ->> '$.task_state', 'Running';
SELECT 'changes() is 0 after a command', (session_note('s', 'x') > 0) || changes(), '10';
INSERT INTO session_aliases(rowid, alias, session_label, created_at) VALUES (77, 'alias', 's', 1);
INSERT INTO turnstile VALUES ('session_note', '["s","y"]');
SELECT 'last_insert_rowid() is the caller''s', last_insert_rowid(), 77;
SELECT 'the view is empty', (SELECT count(*) FROM turnstile), 0;
SELECT 'it can''t be updated', error_of('UPDATE turnstile SET command = ''x''') LIKE '%cannot modify turnstile because it is a view%', 1;
SELECT 'nor deleted from', error_of('DELETE FROM turnstile') LIKE '%cannot modify turnstile because it is a view%', 1;

---- Conflict clauses skip nothing

CREATE TEMP TABLE clause(words);
INSERT INTO clause VALUES ('INSERT OR IGNORE'), ('INSERT OR REPLACE'), ('INSERT OR FAIL'), ('INSERT OR ABORT'), ('REPLACE');
SELECT words || ': an error is an error', error_of(words || ' INTO turnstile VALUES (''session_transition'', ''["s","Complete"]'')') LIKE 'session_transition: the task is Running%', 1 FROM clause;
SELECT words || ': works', value_of(words || ' INTO turnstile VALUES (''session_note'', ''["s","clause"]'') RETURNING turnstile_result()') > 0, 1 FROM clause;
SELECT 'INSERT OR ROLLBACK: an error is an error', error_of('INSERT OR ROLLBACK INTO turnstile VALUES (''session_transition'', ''["s","Complete"]'')') LIKE 'session_transition: the task is Running%', 1;

---- Transactions

BEGIN;
INSERT INTO turnstile VALUES ('session_note', '["s","in"]');
SELECT 'inside BEGIN a failing command undoes only itself', (SELECT error_of('SELECT session_transition(''s'', ''Complete'')') IS NOT NULL) || (SELECT count(*) FROM observations WHERE data LIKE '%"in"%'), '11';
SAVEPOINT a;
INSERT INTO turnstile VALUES ('session_transition', '["s","AwaitingUser",{"question":"?"}]');
ROLLBACK TO a;
RELEASE a;
SELECT 'a savepoint takes a command back', session_state('s') ->> '$.task_state', 'Running';
COMMIT;
SELECT 'committed', (SELECT count(*) FROM observations WHERE data LIKE '%"in"%'), 1;
BEGIN;
SELECT 'a caller''s transaction stays open', error_of('SELECT session_transition(''s'', ''Nowhere'')') IS NOT NULL, 1;
SELECT 'and works on', session_note('s', 'on') > 0, 1;
COMMIT;

---- In triggers of other people

CREATE TABLE inbox(label TEXT, message TEXT);
CREATE TRIGGER inbox_arrived AFTER INSERT ON inbox BEGIN
  INSERT INTO turnstile(command, args) VALUES ('session_deliver', json_array(NEW.label, NEW.message, json('{"class":"NewTask"}')));
END;
INSERT INTO inbox VALUES ('boxed', 'add retries');
SELECT 'a user''s trigger uses the door', session_state('boxed') ->> '$.task', 'add retries';
SELECT 'an error there undoes the user''s row too', error_of('INSERT INTO inbox VALUES (''boxed'', '''')') LIKE 'session_deliver: message is empty%', 1;
SELECT 'with OR FAIL as well', error_of('INSERT OR FAIL INTO inbox VALUES (''boxed'', '''')') LIKE 'session_deliver: message is empty%', 1;
CREATE TRIGGER inbox_sugar BEFORE INSERT ON inbox WHEN NEW.label = 'sugar' BEGIN
  SELECT session_note('s', 'from a trigger');
END;
SELECT 'sugar is not for triggers', error_of('INSERT INTO inbox VALUES (''sugar'', ''x'')') LIKE 'unsafe use of session_note%', 1;
DROP TRIGGER inbox_sugar;
CREATE VIEW sly AS SELECT session_note('s', 'from a view') AS n;
SELECT 'nor for views', error_of('SELECT * FROM sly') LIKE 'unsafe use of session_note%', 1;
DROP VIEW sly;
CREATE TRIGGER nested AFTER INSERT ON session_events WHEN NEW.axis = 'task' BEGIN
  INSERT INTO turnstile VALUES ('session_note', '["s","nested"]');
END;
SELECT 'no command inside a command', error_of('SELECT session_transition(''s'', ''PendingComplete'', ''{"summary":"x"}'')') LIKE '%can''t run inside another command%', 1;
SELECT 'also by the door', error_of('INSERT INTO turnstile VALUES (''session_transition'', ''["s","PendingComplete",{"summary":"x"}]'')') LIKE '%can''t run inside another command%', 1;
DROP TRIGGER nested;
SELECT 'afterwards commands run as before', session_note('s', 'after') > 0, 1;
CREATE TRIGGER half AFTER INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'not today'); END;
SELECT 'a user''s RAISE half-way undoes all', error_of('SELECT session_deliver(''half'', ''add retries'')') LIKE '%not today%', 1;
SELECT 'no session came of it', (SELECT count(*) FROM sessions WHERE label = 'half'), 0;
DROP TRIGGER half;
CREATE TRIGGER half AFTER INSERT ON deliveries BEGIN SELECT RAISE(IGNORE); END;
SELECT 'RAISE(IGNORE) can''t lose a part', iif(error_of('SELECT session_deliver(''half'', ''add retries'', ''{"class":"NewTask"}'')') IS NULL, (SELECT count(*) FROM deliveries WHERE session_label = 'half'), 1), 1;
DROP TRIGGER half;

---- The dispatcher trusts nobody

SELECT 'it can''t be called by itself', error_of(printf('SELECT turnstile_dispatch(%d, %Q, '''', ''session_note'', ''["s","x"]'')',
  (SELECT value FROM turnstile_meta WHERE key = 'schema_version'), (SELECT value FROM turnstile_meta WHERE key = 'door_key'))) LIKE 'turnstile_dispatch: %can''t be called by itself', 1;
ATTACH ':memory:' AS evil;
CREATE TABLE evil.t(x);
SELECT value_of(printf('CREATE VIEW evil.turnstile(command, args) AS SELECT NULL, NULL WHERE 0;
  CREATE TRIGGER evil.door INSTEAD OF INSERT ON turnstile BEGIN SELECT turnstile_dispatch(%d, %Q, '''', NEW.command, NEW.args); END', (SELECT value FROM turnstile_meta WHERE key = 'schema_version'),
  (SELECT value FROM turnstile_meta WHERE key = 'door_key')));
SELECT 'a view in another file that holds our key', error_of('INSERT INTO evil.turnstile VALUES (''session_note'', ''["s","stolen"]'')') LIKE 'session_note: the file being written to%', 1;
SELECT 'nor while its file is written to', error_of('INSERT INTO evil.t VALUES (1); INSERT INTO evil.turnstile VALUES (''session_note'', ''["s","stolen"]'')') LIKE 'session_note: the file being written to%', 1;
SELECT 'main is as it was', (SELECT count(*) FROM observations WHERE data LIKE '%stolen%'), 0;
SELECT 'with a table of ours that it faked', error_of('CREATE TABLE evil.turnstile_meta(key, value); INSERT INTO evil.turnstile_meta SELECT * FROM main.turnstile_meta; INSERT INTO evil.turnstile VALUES (''session_note'', ''["s","stolen"]'')') IS NOT NULL
  AND (SELECT count(*) FROM main.observations WHERE data LIKE '%stolen%') = 0, 1;
DETACH evil;
CREATE TEMP TABLE sessions(label, stolen);
CREATE TEMP TABLE observations(x);
CREATE TEMP VIEW turnstile(command, args) AS SELECT 1, 2;
SELECT 'TEMP things of our names are never reached', session_note('s', 'past temp') > 0, 1;
SELECT 'the note is in main', (SELECT count(*) FROM main.observations WHERE data LIKE '%past temp%'), 1;
SELECT 'a TEMP view of that name is no door', error_of('INSERT INTO turnstile VALUES (''session_note'', ''["s","x"]'')') LIKE '%cannot modify turnstile because it is a view%', 1;
SELECT 'main.turnstile is', value_of('INSERT INTO main.turnstile VALUES (''session_note'', ''["s","x"]'') RETURNING turnstile_result()') > 0, 1;
DROP VIEW temp.turnstile;
DROP TABLE temp.sessions;
DROP TABLE temp.observations;
SELECT 'a file of another schema version', error_of(printf('CREATE VIEW old(command, args) AS SELECT NULL, NULL WHERE 0;
  CREATE TRIGGER old_door INSTEAD OF INSERT ON old BEGIN SELECT turnstile_dispatch(1, %Q, '''', NEW.command, NEW.args); END;
  INSERT INTO old VALUES (''session_note'', ''["s","x"]'')', (SELECT value FROM turnstile_meta WHERE key = 'door_key'))) LIKE 'session_note: this file has schema version 1%turnstile_install%', 1;

---- turnstile_use, prefixes, attached files

ATTACH ':memory:' AS side;
SELECT turnstile_install('{"schema":"side"}');
SELECT turnstile_install('{"prefix":"p_"}');
SELECT turnstile_use('side');
SELECT 'sugar works on the schema that was chosen', session_start('only side', 'x'), 1;
SELECT 'it is there', (SELECT count(*) FROM side.sessions WHERE label = 'only side') || (SELECT count(*) FROM main.sessions WHERE label = 'only side'), '10';
SELECT turnstile_use('main', 'p_');
SELECT 'and on the prefix that was chosen', session_start('only p', 'x'), 1;
SELECT 'it is in those tables', (SELECT count(*) FROM p_sessions) || (SELECT count(*) FROM main.sessions WHERE label = 'only p'), '10';
SELECT 'each door leads to its own tables', value_of('INSERT INTO side.turnstile VALUES (''session_note'', ''["only side","x"]'') RETURNING turnstile_result()'), 1;
SELECT 'whatever is chosen', value_of('INSERT INTO p_turnstile VALUES (''session_note'', ''["only p","x"]'') RETURNING turnstile_result()'), 1;
SELECT 'stale_sessions reads what is chosen', (SELECT group_concat(label) FROM stale_sessions WHERE include_fresh = 1), 'only p';
SELECT turnstile_use('main');
SELECT 'back again', (SELECT count(*) FROM stale_sessions WHERE label = 's' AND include_fresh = 1), 1;
SELECT 'a schema that is not attached', error_of('SELECT turnstile_use(''nowhere''); SELECT session_state(''s'')') LIKE 'turnstile_use: no database is attached as "nowhere"', 1;
SELECT turnstile_use('main');
SELECT 'a prefix that is not installed', error_of('SELECT turnstile_use(''main'', ''q_''); SELECT session_state(''s'')') LIKE 'session_state: turnstile is not installed in schema "main" with prefix ''q_''%turnstile_install()%', 1;
SELECT turnstile_use('main', '');
SELECT 'a prefix that is no identifier', error_of('SELECT turnstile_use(''main'', ''a b'')') LIKE 'turnstile_use: prefix must be%', 1;
SELECT 'temp', error_of('SELECT turnstile_use(''temp'')'), 'turnstile_use: schema must not be temp';
SELECT 'NULL is main', error_of('SELECT turnstile_use(NULL)') IS NULL AND session_state('s') IS NOT NULL, 1;
DETACH side;
SELECT 'after a detach the others work', session_note('s', 'still here') > 0, 1;

---- Settings of the connection

PRAGMA trusted_schema = OFF;
SELECT 'trusted_schema = OFF: the door', value_of('INSERT INTO turnstile VALUES (''session_note'', ''["s","x"]'') RETURNING turnstile_result()') > 0, 1;
SELECT 'trusted_schema = OFF: sugar', session_note('s', 'x') > 0, 1;
SELECT 'trusted_schema = OFF: rules are checked', error_of('INSERT INTO message_rules(class, pattern, weight) VALUES (''NewTask'', ''ahoy'', 1)'), NULL;
PRAGMA trusted_schema = ON;
PRAGMA query_only = ON;
SELECT 'query_only: writing', error_of('SELECT session_note(''s'', ''x'')') LIKE 'session_note: attempt to write a readonly database', 1;
SELECT 'query_only: reading', session_state('s') ->> '$.task_state', 'Running';
PRAGMA query_only = OFF;
PRAGMA foreign_keys = ON;
PRAGMA recursive_triggers = ON;
PRAGMA ignore_check_constraints = ON;
PRAGMA reverse_unordered_selects = ON;
SELECT 'other pragmas make no difference', session_deliver('pragma', 'add retries', '{"class":"NewTask"}') ->> '$.action', 'start';
PRAGMA reverse_unordered_selects = OFF;
PRAGMA recursive_triggers = OFF;
SELECT 'turnstile_version', turnstile_version() GLOB '[0-9]*.[0-9]*.[0-9]*', 1;
SELECT 'EXPLAIN runs nothing', value_of('EXPLAIN SELECT session_note(''s'', ''explained'')') IS NOT NULL AND (SELECT count(*) FROM observations WHERE data LIKE '%explained%') = 0, 1;

---- The cache of statements

SELECT 'it shows what is kept', (SELECT count(*) > 10 FROM turnstile_cache WHERE schema = 'main' AND prefix = '' AND sql LIKE '%"main"%'), 1;
SELECT 'and how often it ran', (SELECT max(runs) > 10 FROM turnstile_cache), 1;
ALTER TABLE sessions ADD COLUMN extra TEXT;
SELECT 'a change of the schema prepares them anew', session_note('s', 'after ALTER') > 0, 1;
VACUUM;
SELECT 'VACUUM does no harm', session_note('s', 'after VACUUM') > 0, 1;
