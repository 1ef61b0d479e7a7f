-- cache.sql - turnstile_cache: the statements that the library keeps prepared on this connection.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT session_start('main', 'x');
SELECT 'the tables that they are for', (SELECT group_concat(DISTINCT schema || '.' || prefix) FROM turnstile_cache WHERE runs > 0), 'main.';
SELECT 'each once', (SELECT count(*) FROM (SELECT 1 FROM turnstile_cache GROUP BY schema, prefix, sql HAVING count(*) > 1)), 0;
CREATE TEMP VIEW task_add AS SELECT prefix, runs FROM turnstile_cache WHERE sql LIKE 'INSERT OR FAIL INTO "main"."%tasks"%';
CREATE TEMP TABLE once AS SELECT runs FROM task_add;
SELECT 'the one that makes a task', (SELECT count(*) FROM once WHERE runs > 0), 1;
SELECT session_compact('main', 'y');
SELECT session_start('main', 'z');
SELECT 'kept, and run again', (SELECT group_concat(runs) FROM task_add), (SELECT group_concat(2 * runs) FROM once);
SELECT turnstile_install('{"prefix":"agent_"}');
SELECT turnstile_use('main', 'agent_');
SELECT session_start('main', 'x');
SELECT 'those of other tables are others', (SELECT runs FROM task_add WHERE prefix = 'agent_'), (SELECT runs FROM once);
SELECT 'and leave these alone', (SELECT runs FROM task_add WHERE prefix = ''), (SELECT 2 * runs FROM once);
SELECT turnstile_use('main');
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT count(*) FROM turnstile_cache;
SELECT 'it writes nothing', dump_of() = d, 1 FROM was;
SELECT 'it takes no rows', error_of('INSERT INTO turnstile_cache(sql) VALUES (''x'')') LIKE 'table turnstile_cache may not be modified%', 1;
CREATE VIEW mine AS SELECT * FROM turnstile_cache;
SELECT 'a view of the file can''t read it', error_of('SELECT * FROM mine') LIKE 'unsafe use of virtual table%', 1;
