-- core.sql - statements of the door: arguments, the file's identity, idempotency.
--
-- Of all statements: what ANALYZE left in the file must not change how a row is looked for, as it may be
-- old or made up; tests/suites/plans.py holds that. A row by its whole key, from one table alone, SQLite always
-- looks up; everything else names its index. So there are no joins to a row by its key, but a
-- (SELECT … WHERE id = …) for each column. Where an inner table of a CROSS JOIN has a term of its own,
-- SQLite may read all of it into a Bloom filter: CASE WHEN (the join's term) THEN (the term) END keeps it
-- from that. And one extra term at a place where one row is expected makes SQLite forget that the index
-- gives the ORDER BY: likelihood(term, 1.0) doesn't.

-- json_valid says "no JSON" as well when memory runs out for a moment (before SQLite 3.42): what goes by it asks
-- again before it believes a no. is_json(column) and json_of(column) do, here and in the files of sql/migrate: embed.awk
-- writes them out. The second is the column, or {} where it holds no JSON.

-- :json_quote (text) → json: the text as JSON
SELECT json_quote(?1);

-- :json_minify (text) → json, type: without spaces; an error unless it is JSON. (json_valid would take a
-- lack of memory for "no JSON".)
SELECT json(?1), json_type(?1);

-- :json_each (json) → key, type, value
SELECT key, type, value FROM temp.json_each(?1);

-- :json_number (json, path) → number: the one that stands there, as it is written
SELECT ?1 -> ?2;

-- :json_get (json, path) → value, type
SELECT json_extract(?1, ?2), json_type(?1, ?2);

-- :meta_uuid () → uuid
SELECT value FROM #turnstile_meta WHERE key = 'uuid';

-- :breathe () → found: SQLite says when a command is to be interrupted
SELECT 1;

-- :delete_unguard (): from here to delete_guard the guards stand open
INSERT INTO #turnstile_meta(key, value) VALUES ('unguarded', 1) ON CONFLICT(key) DO NOTHING;

-- :delete_guard ()
DELETE FROM #turnstile_meta WHERE key = 'unguarded';
