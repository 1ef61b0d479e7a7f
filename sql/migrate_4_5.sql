-- migrate_4_5.sql - schema version 5: what keeps a file safe from strangers and from old SQLite.
-- A key that the file brought along is not secret.
INSERT OR REPLACE INTO #turnstile_meta(key, value)
VALUES ('door_key', lower(hex(randomblob(16))));
