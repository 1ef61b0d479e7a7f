-- config.sql - settings.

-- :config_load (label) → key, value, session_label: an override comes before what holds for all
SELECT key, value, session_label FROM #turnstile_config WHERE session_label IN ('', ?1)
ORDER BY session_label DESC;

-- :config_get (key, label) → value
SELECT value FROM #turnstile_config WHERE session_label = ?2 AND key = ?1;

-- :config_put (key, label, value)
INSERT INTO #turnstile_config(key, session_label, value) VALUES (?1, ?2, ?3)
ON CONFLICT(session_label, key) DO UPDATE SET value = excluded.value;

-- :config_drop (key, label)
DELETE FROM #turnstile_config WHERE key = ?1 AND session_label = ?2;
