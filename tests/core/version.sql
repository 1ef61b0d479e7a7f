-- version.sql - turnstile_version: the library's version, in a file with and without tables.

SELECT 'three numbers', turnstile_version() GLOB '[0-9]*.[0-9]*.[0-9]*' AND turnstile_version() NOT GLOB '*[^0-9.]*', 1;
SELECT 'nothing is made by asking', (SELECT count(*) FROM sqlite_schema), 0;
SELECT turnstile_install();
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT 'the same', turnstile_version() = (SELECT turnstile_version()), 1;
SELECT 'it writes nothing', dump_of() = d, 1 FROM was;
CREATE VIEW of AS SELECT turnstile_version() AS v;
SELECT 'a view may ask', v, turnstile_version() FROM of;
CREATE TABLE t(x, made TEXT AS (turnstile_version()));
INSERT INTO t(x) VALUES (1);
SELECT 'it does not change while it runs: a generated column', made, turnstile_version() FROM t;
SELECT 'it takes nothing', error_of('SELECT turnstile_version(1)'), 'wrong number of arguments to function turnstile_version()';
