-- use.sql - turnstile_use: which tables the functions of this connection work on.

SELECT turnstile_install();
SELECT turnstile_install('{"prefix":"agent_"}');
ATTACH ':memory:' AS other;
SELECT turnstile_install('{"schema":"other"}');
SELECT turnstile_clock(1767225600000);
CREATE TEMP VIEW counts AS SELECT (SELECT count(*) FROM main.tasks) || (SELECT count(*) FROM main.agent_tasks) || (SELECT count(*) FROM other.tasks) AS n;
SELECT session_start('a', 'x');
SELECT 'without it the plain names of main', n, '100' FROM counts;
SELECT 'it returns NULL', turnstile_use('main', 'agent_'), NULL;
SELECT session_start('b', 'x');
SELECT 'a prefix', n, '110' FROM counts;
SELECT turnstile_use('other');
SELECT session_start('c', 'x');
SELECT 'an attached file, without prefix', n, '111' FROM counts;
SELECT 'tables with columns, too', (SELECT count(*) FROM session_context('c')), 0;
SELECT 'of which main knows nothing', session_state('a'), NULL;
SELECT turnstile_use(NULL);
SELECT session_start('d', 'x');
SELECT 'NULL: main', n, '211' FROM counts;
SELECT turnstile_use('MAIN', 'AGENT_');
SELECT 'a name is found as SQLite finds it', session_state('b') ->> '$.task', 'x';
SELECT turnstile_use('main', NULL);
INSERT INTO agent_turnstile(command, args) VALUES ('session_start', '["e","x"]');
SELECT 'a door knows its own', n, '221' FROM counts;
SELECT 'and the functions stay where they were', session_state('a') ->> '$.task', 'x';
CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES ('''temp''', 'schema must not be temp'), ('''nope''', 'no database is attached as "nope"'), ('7', 'no database is attached as "7"'),
  ('''main'', ''a-b''', 'prefix must be '''' or begin with a letter or _ and hold only letters, digits and _, at most 32, and not begin with sqlite_'),
  ('''main'', ''sqlite_x''', 'prefix must be '''' or begin with a letter or _ and hold only letters, digits and _, at most 32, and not begin with sqlite_');
SELECT args, error_of('SELECT turnstile_use(' || args || ')'), 'turnstile_use: ' || error FROM wrong;
SELECT 'after which all is as before', session_state('a') ->> '$.task', 'x';
SELECT turnstile_use('main', 'none_');
SELECT 'tables that are not there', error_of('SELECT session_start(''f'', ''x'')') LIKE 'session_start: turnstile is not installed in schema "main" with prefix ''none_''%', 1;
SELECT turnstile_use('other');
DETACH other;
SELECT 'a file that is gone', error_of('SELECT session_start(''f'', ''x'')') IS NOT NULL, 1;
