-- install.sql - turnstile_install and turnstile_schema: before, during and after.

---- Before

SELECT turnstile_clock(1000000);
SELECT 'sugar says what to do', error_of('SELECT session_deliver(''a'', ''hi'')') LIKE 'session_deliver: turnstile is not installed in schema "main"%turnstile_install()%', 1;
SELECT 'so do commands that read', error_of('SELECT session_state(''a'')') LIKE 'session_state: turnstile is not installed%turnstile_install()%', 1;
SELECT 'and stale_sessions', error_of('SELECT * FROM stale_sessions') LIKE 'stale_sessions: turnstile is not installed%turnstile_install()%', 1;
SELECT 'and classify_message', error_of('SELECT classify_message(''hi'', ''None'')') LIKE 'classify_message: turnstile is not installed%turnstile_install()%', 1;
SELECT 'loading has written nothing', (SELECT count(*) FROM sqlite_schema), 0;

---- Names that are taken

CREATE TABLE tasks(mine);
CREATE VIEW commits AS SELECT 1;
CREATE INDEX edges_by_session ON tasks(mine);
SELECT 'foreign things are named', error_of('SELECT turnstile_install()') LIKE 'turnstile_install: %tasks%edges_by_session%commits%prefix%', 1;
SELECT 'and left alone', (SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema ORDER BY name)), 'commits,edges_by_session,tasks';
DROP VIEW commits;
DROP TABLE tasks;
CREATE TABLE SESSIONS(mine);
SELECT 'in any case of letters', error_of('SELECT turnstile_install()') LIKE 'turnstile_install: %sessions%', 1;
DROP TABLE SESSIONS;

---- Rolled back

BEGIN;
SELECT turnstile_install();
SELECT 'inside a transaction it works', session_start('a', 'x'), 1;
ROLLBACK;
SELECT 'and goes with it', (SELECT count(*) FROM sqlite_schema), 0;
SELECT 'cached statements know it', error_of('SELECT session_start(''a'', ''x'')') LIKE 'session_start: turnstile is not installed%', 1;
SELECT 'a write that is under way refuses it', error_of('CREATE TEMP TABLE busy AS SELECT turnstile_install() AS v') LIKE 'turnstile_install: a statement that writes is still running%', 1;
SELECT 'nothing came of it', (SELECT count(*) FROM sqlite_schema), 0;

---- Installed

SELECT 'it returns the schema''s version', turnstile_install('{"uuid":"00000000-0000-4000-8000-000000000001"}'), (SELECT 6);
SELECT 'which is stored', (SELECT value FROM turnstile_meta WHERE key = 'schema_version'), 6;
SELECT 'with the uuid that was given', (SELECT value FROM turnstile_meta WHERE key = 'uuid'), '00000000-0000-4000-8000-000000000001';
CREATE TEMP TABLE was AS SELECT schema_of() AS s, dump_of() AS d;
SELECT 'a second time returns the same', turnstile_install(), 6;
SELECT 'another uuid changes nothing', turnstile_install('{"uuid":"other"}'), 6;
SELECT 'nothing has changed', schema_of() = s AND dump_of() = d, 1 FROM was;
SELECT 'a write that is under way is no matter when nothing is to do', error_of('CREATE TEMP TABLE fine AS SELECT turnstile_install() AS v'), NULL;
SELECT 'every table is STRICT', (SELECT group_concat(name) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'), NULL;
SELECT 'no transaction is left open', error_of('COMMIT') LIKE '%no transaction is active%', 1;
SELECT 'no CHECK, DEFAULT, index or guard needs a function of ours', (SELECT group_concat(name) FROM sqlite_schema
  WHERE sql LIKE '%turnstile_%(%' AND (type IN ('index', 'table') AND (sql LIKE '%turnstile_dispatch%' OR sql LIKE '%turnstile_rule_check%' OR sql LIKE '%turnstile_result%')
     OR type IN ('view', 'trigger') AND (sql LIKE '%stale_sessions%' OR sql LIKE '%turnstile_cache%' OR sql LIKE '%classify(%'))), NULL;
SELECT 'only the door and the checks of rules and policies call the extension', (SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = 'trigger'
  AND (sql LIKE '%turnstile_dispatch(%' OR sql LIKE '%turnstile_rule_check(%'
  OR sql LIKE '%turnstile_policy_check(%') ORDER BY name)), 'message_rules_check_delete,message_rules_check_insert,message_rules_check_update,session_policies_check_delete,session_policies_check_insert,session_policies_check_update,turnstile_door';
SELECT 'the machines are rows', (SELECT group_concat(axis || ' ' || n) FROM (SELECT axis, count(*) AS n FROM state_transitions GROUP BY axis ORDER BY axis)), 'run 14,status 9,task 21,turn 14';
SELECT 'the built-in rules are rows', (SELECT count(*) > 100 AND count(DISTINCT lang) >= 9 FROM message_rules WHERE origin = 'builtin'), 1;
SELECT 'their texts are unharmed', (SELECT quick_check FROM pragma_quick_check), 'ok';

-- What an older version has left behind goes with the next call, also on a connection whose commands have run.
BEGIN;
SELECT session_start('old', 'x') IS NOT NULL;
CREATE INDEX sessions_by_use ON sessions(label);
CREATE INDEX session_queue_front ON session_queue(session_label);
SELECT session_note('old', 'y') IS NOT NULL;
SELECT 'it is there', count(*), 2 FROM sqlite_schema WHERE name IN ('sessions_by_use', 'session_queue_front');
SELECT turnstile_install();
SELECT 'it is gone', count(*), 0 FROM sqlite_schema WHERE name IN ('sessions_by_use', 'session_queue_front');
ROLLBACK;

---- As text

ATTACH ':memory:' AS copy;
SELECT error_of(turnstile_schema('{"schema":"copy","uuid":"00000000-0000-4000-8000-000000000001"}')) IS NULL;
SELECT 'turnstile_schema makes what turnstile_install makes', replace(schema_of('copy'), 'copy', 'main') = s, 1 FROM was;
SELECT 'with a key of its own', (SELECT count(DISTINCT value) FROM (SELECT value FROM main.turnstile_meta WHERE key = 'door_key' UNION ALL SELECT value FROM copy.turnstile_meta WHERE key = 'door_key')), 2;
UPDATE copy.turnstile_meta SET value = (SELECT value FROM main.turnstile_meta WHERE key = 'door_key') WHERE key = 'door_key';
SELECT 'else with the same rows', dump_of('copy') = d, 1 FROM was;
SELECT 'turnstile_renew gives a copy a uuid', turnstile_renew('{"schema":"copy","uuid":"a copy"}'), 'a copy';
SELECT 'and a key', (SELECT count(DISTINCT value) FROM (SELECT value FROM main.turnstile_meta WHERE key = 'door_key' UNION ALL SELECT value FROM copy.turnstile_meta WHERE key = 'door_key')), 2;
SELECT 'of 32 hex digits', (SELECT length(value) * (value NOT GLOB '*[^0-9a-f]*') FROM copy.turnstile_meta WHERE key = 'door_key'), 32;
SELECT 'the original keeps its own', dump_of() = d, 1 FROM was;
SELECT 'made anew a uuid is another', turnstile_renew('{"schema":"copy"}') GLOB '*-*-4*-*-*', 1;
SELECT 'where nothing is installed', error_of('SELECT turnstile_renew(''{"prefix":"none_"}'')') LIKE 'turnstile_renew: turnstile is not installed%', 1;
SELECT 'other options', error_of('SELECT turnstile_renew(''{"keep_foreign":1}'')') LIKE 'turnstile_renew: unknown option ''keep_foreign''%', 1;
SELECT 'turnstile_install finds it done', turnstile_install('{"schema":"copy"}'), 6;
SELECT turnstile_use('copy');
SELECT 'and it works', session_start('in copy', 'x'), 1;
SELECT turnstile_use('main');
DETACH copy;
SELECT 'turnstile_schema writes nothing', length(turnstile_schema('{"prefix":"z_"}')) > 10000 AND dump_of() = d, 1 FROM was;
SELECT 'its names have the prefix', turnstile_schema('{"prefix":"z_"}') LIKE '%z_sessions%', 1;

---- Prefixes and schemas

SELECT 'a prefix', turnstile_install('{"prefix":"agent_"}'), 6;
SELECT 'its tables stand beside the others', (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name LIKE 'agent\_%' ESCAPE '\'),
       (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'agent\_%' ESCAPE '\' AND name NOT LIKE 'sqlite_%');
SELECT 'with a uuid of their own', (SELECT value FROM agent_turnstile_meta WHERE key = 'uuid') <> (SELECT value FROM turnstile_meta WHERE key = 'uuid'), 1;
SELECT 'a uuid by itself has the usual form', (SELECT value GLOB '????????-????-4???-[89ab]???-????????????' FROM agent_turnstile_meta WHERE key = 'uuid'), 1;
SELECT 'its guards guard', error_of('DELETE FROM agent_turnstile_meta WHERE 0; INSERT INTO agent_tasks(session_label, description, state, started_at, last_activity) VALUES (''a'', ''x'', ''None'', 1, 1)') LIKE 'tasks: a task begins%', 1;
CREATE TEMP TABLE wrong(options, message);
INSERT INTO wrong VALUES
  ('{"prefix":"a b"}', 'turnstile_install: prefix is ''a b''%'), ('{"prefix":"1a"}', 'turnstile_install: prefix is ''1a''%'), ('{"prefix":"a\"b"}', 'turnstile_install: prefix is ''a"b''%'),
  ('{"prefix":"sqlite_x"}', 'turnstile_install: prefix is ''sqlite_x''; % and not begin with sqlite_'), ('{"prefix":"SQLite_"}', 'turnstile_install: prefix is ''SQLite_''; % and not begin with sqlite_'),
  ('{"prefix":"é"}', 'turnstile_install: prefix is %'), ('{"prefix":"abcdefghijklmnopqrstuvwxyz_123456"}', 'turnstile_install: prefix is %at most 32%'), ('{"prefix":5}', 'turnstile_install: prefix must be text%'),
  ('{"schema":"nowhere"}', 'turnstile_install: no database is attached as "nowhere"'), ('{"schema":"temp"}', 'turnstile_install: schema is temp%'), ('{"schema":""}', 'turnstile_install: schema is empty'),
  ('{"uuid":""}', 'turnstile_install: uuid is empty'), ('{"pre":"a_"}', 'turnstile_install: unknown option ''pre''%prefix%schema%uuid%'), ('[]', 'turnstile_install: options must be a JSON object%'), ('x', 'turnstile_install: options %JSON%');
SELECT options, error_of(printf('SELECT turnstile_install(%Q)', options)) LIKE message, 1 FROM wrong;
SELECT 'two arguments', error_of('SELECT turnstile_install(''{}'', ''{}'')') LIKE 'turnstile_install: too many arguments%', 1;
SELECT 'a prefix of 32 letters', turnstile_install('{"prefix":"abcdefghijklmnopqrstuvwxyz_12345"}'), 6;
ATTACH ':memory:' AS "odd ""name";
SELECT 'a schema with an odd name', turnstile_install('{"schema":"odd \"name","prefix":"p_"}'), 6;
SELECT turnstile_use('odd "name', 'p_');
SELECT 'works', session_start('odd', 'x'), 1;
SELECT turnstile_use('main');
SELECT 'is in that file', (SELECT count(*) FROM "odd ""name".p_sessions), 1;

---- Newer, damaged, dropped

UPDATE turnstile_meta SET value = 99 WHERE key = 'schema_version';
SELECT 'a newer file is refused', error_of('SELECT turnstile_install()') LIKE 'turnstile_install: this file has schema version 99, newer than this library''s 6%', 1;
UPDATE turnstile_meta SET value = 6 WHERE key = 'schema_version';
SELECT 'its own again', turnstile_install(), 6;
SELECT session_start('kept', 'x');
DROP VIEW turnstile;
SELECT 'after the door was dropped', error_of('SELECT session_note(''kept'', ''x'')') LIKE 'session_note: turnstile is not installed%turnstile_install()%', 1;

---- The door was dropped

SELECT turnstile_install('{"schema":"main","prefix":"again_"}');
UPDATE again_message_rules SET enabled = 0 WHERE id = (SELECT min(id) FROM again_message_rules);
CREATE TEMP TABLE off AS SELECT class, pattern FROM again_message_rules WHERE enabled = 0;
DROP VIEW again_turnstile;
SELECT 'installing makes the door again', turnstile_install('{"prefix":"again_"}'), 6;
SELECT 'a rule that was switched off stays off', (SELECT group_concat(class || pattern) FROM again_message_rules WHERE enabled = 0), (SELECT class || pattern FROM off);
SELECT 'no rule twice', (SELECT count(*) - count(DISTINCT class || coalesce(state, '') || pattern) FROM again_message_rules), 0;
SELECT 'with its trigger', (SELECT count(*) FROM sqlite_schema WHERE name = 'again_turnstile_door' AND type = 'trigger'), 1;
SELECT turnstile_use('main', 'again_');
SELECT 'and it works', session_start('x', 'y'), 1;
SELECT 'SQLite keeps a prefix for itself', error_of('SELECT turnstile_install(''{"prefix":"sqlite_"}'')') LIKE 'turnstile_install: prefix is ''sqlite_''; it must be%', 1;
