-- config.sql - settings.

-- :config_load (label, longest text, limit) → key, value, is_own: is it of this session? Overrides
-- come before what holds for all. A longer text is cut to one byte more than allowed, and a longer
-- key to a text that is not a key.
SELECT substr(key, 1, 257), iif(typeof(value) = 'integer', value, substr(value, 1, ?2 + 1)), 1
FROM #turnstile_config WHERE session_label = ?1 AND ?1 <> ''
UNION ALL
SELECT substr(key, 1, 257), iif(typeof(value) = 'integer', value, substr(value, 1, ?2 + 1)), 0
FROM #turnstile_config WHERE session_label = ''
LIMIT ?3;

-- :config_get (label, key, longest text) → :config_load: of one setting
SELECT key, iif(typeof(value) = 'integer', value, substr(value, 1, ?3 + 1)), 1
FROM #turnstile_config WHERE session_label = ?1 AND ?1 <> '' AND key = ?2
UNION ALL
SELECT key, iif(typeof(value) = 'integer', value, substr(value, 1, ?3 + 1)), 0
FROM #turnstile_config WHERE session_label = '' AND key = ?2
LIMIT 1;

-- :config_put (key, label, value)
INSERT INTO #turnstile_config(key, session_label, value) VALUES (?1, ?2, ?3)
ON CONFLICT(session_label, key) DO UPDATE SET value = excluded.value;

-- :config_drop (key, label)
DELETE FROM #turnstile_config WHERE key = ?1 AND session_label = ?2;

-- :config_follow (alias, label): what an alias has, a session gets, where it has none of its own
INSERT OR IGNORE INTO #turnstile_config(key, session_label, value)
SELECT key, ?2, value FROM #turnstile_config WHERE session_label = ?1;

-- :config_forget (label)
DELETE FROM #turnstile_config WHERE session_label = ?1;

-- :queue_awaits (session_label, awaits_turn): its host says again whether it keeps turns
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET awaits_turn = ?2
WHERE session_label = ?1 AND status = 'handed' AND status <> 'pending' AND delivered_at IS NULL
  AND awaits_turn <> ?2;

-- :queue_awaits_all (key, awaits_turn): the same in all sessions that say nothing of their own
UPDATE OR FAIL #session_queue AS q INDEXED BY ##session_queue_taken SET awaits_turn = ?2
WHERE status = 'handed' AND status <> 'pending' AND delivered_at IS NULL AND awaits_turn <> ?2
  AND NOT EXISTS (SELECT 1 FROM #turnstile_config WHERE session_label = q.session_label AND key = ?1);
