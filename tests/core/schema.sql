-- schema.sql - turnstile_schema: the DDL as text.

CREATE TEMP TABLE ddl AS SELECT turnstile_schema('{"uuid":"5f0c"}') AS s;
SELECT 'nothing is made by asking', (SELECT count(*) FROM sqlite_schema), 0;
SELECT 'with a uuid the same each time', turnstile_schema('{"uuid":"5f0c"}') = s, 1 FROM ddl;
SELECT 'without one another', turnstile_schema() <> turnstile_schema(), 1;
SELECT 'run as it is it makes a file', error_of(s), NULL FROM ddl;
SELECT 'of that uuid', (SELECT value FROM turnstile_meta WHERE key = 'uuid'), '5f0c';
SELECT 'which works', session_start('main', 'x'), 1;
SELECT 'and is current', turnstile_install() = (SELECT CAST(value AS INTEGER) FROM turnstile_meta WHERE key = 'schema_version'), 1;
CREATE TEMP TABLE made AS SELECT schema_of() AS by_text;
ATTACH ':memory:' AS other;
SELECT turnstile_install('{"schema":"other"}');
SELECT 'the same tables, indexes, views and triggers as turnstile_install makes', (SELECT group_concat(type || name) FROM (SELECT type, name FROM main.sqlite_schema ORDER BY 1, 2)),
  (SELECT group_concat(type || name) FROM (SELECT type, name FROM other.sqlite_schema ORDER BY 1, 2));
SELECT 'a prefix', turnstile_schema('{"prefix":"agent_","uuid":"u"}') LIKE '%CREATE TABLE "main"."agent_sessions"%', 1;
SELECT 'a schema', turnstile_schema('{"schema":"other","uuid":"u"}') LIKE '%CREATE TABLE "other"."sessions"%', 1;
CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES ('''{"nope":1}''', 'unknown option ''nope''; it takes: prefix, schema, uuid, now, request_id'), ('''{"schema":"temp"}''', 'schema is temp, which no other connection would see'),
  ('7', 'options must be a JSON object, not an integer'),
  ('''{"prefix":"a-b"}''', 'prefix is ''a-b''; it must be '''' or begin with a letter or _ and hold only letters, digits and _, at most 32, and not begin with sqlite_');
SELECT args, error_of('SELECT turnstile_schema(' || args || ')'), 'turnstile_schema: ' || error FROM wrong;
