-- migrate_4_5.sql - schema version 5: what keeps a file safe from strangers and from old SQLite.
-- A key that the file brought along is not secret.
INSERT OR REPLACE INTO #turnstile_meta(key, value)
VALUES ('door_key', lower(hex(randomblob(16))));
CREATE INDEX #session_queue_processing ON ##session_queue(session_label)
  WHERE status = 'processing';
-- Ids that are known although their rows went with a session: they are not given out again.
INSERT OR REPLACE INTO #turnstile_meta(key, value)
SELECT 'last_delivery', max(delivery_id) FROM #session_queue WHERE delivery_id < 4503599627370496
HAVING max(delivery_id) > (SELECT ifnull(max(id), 0) FROM #deliveries);
INSERT OR REPLACE INTO #turnstile_meta(key, value)
SELECT 'last_input', max(id)
FROM (SELECT json_extract(iif(json_valid(decision), decision, '{}'), '$.queue_id') AS id
      FROM #deliveries)
WHERE typeof(id) = 'integer' AND id < 4503599627370496
HAVING max(id) > (SELECT ifnull(max(id), 0) FROM #session_queue);
