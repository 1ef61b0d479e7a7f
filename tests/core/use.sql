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
-- A full-text table of the file names the functions that pack and unpack its texts. Where there are no such tables, all is
-- refused as well.
CREATE TEMP TABLE packed(name, compress, uncompress, sql, refused);
INSERT INTO packed VALUES ('written', 'turnstile_use', 'lower', 'INSERT INTO written VALUES (''main'')', 1),
  ('read', 'upper', 'turnstile_use', 'SELECT x FROM read', 1), ('read in capitals', 'upper', 'TURNSTILE_USE', 'SELECT x FROM "read in capitals" WHERE docid = 1', 1),
  ('another', 'upper', 'lower', 'SELECT x FROM another', 0);
CREATE TEMP TABLE has AS SELECT count(*) AS fts4 FROM pragma_module_list WHERE name = 'fts4';
SELECT name || ': it is made', error_of(printf('CREATE VIRTUAL TABLE "%s" USING fts4(x, compress=%s, uncompress=%s)', name, compress, uncompress)) IS NULL, fts4 FROM packed, has;
SELECT error_of(printf('INSERT INTO "%s_content" VALUES (1, ''main'')', name)) FROM packed WHERE name <> 'written';
SELECT name || ': refused', error_of(sql) IS NOT NULL, refused OR NOT fts4 FROM packed, has;
DROP TABLE IF EXISTS written;
DROP TABLE IF EXISTS read;
DROP TABLE IF EXISTS "read in capitals";
DROP TABLE IF EXISTS another;
SELECT 'the file has chosen no other tables', session_state('a') ->> '$.task', 'x';
SELECT turnstile_use('main', 'none_');
SELECT 'tables that are not there', error_of('SELECT session_start(''f'', ''x'')') LIKE 'session_start: turnstile is not installed in schema "main" with prefix ''none_''%', 1;
SELECT turnstile_use('other');
DETACH other;
SELECT 'a file that is gone', error_of('SELECT session_start(''f'', ''x'')') IS NOT NULL, 1;
