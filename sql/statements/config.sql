-- config.sql - settings.

-- :config_load (label) → key, value, is it of this session: overrides come before what holds for all
SELECT key, value, 1 FROM #turnstile_config WHERE session_label = ?1 AND ?1 <> ''
UNION ALL
SELECT key, value, 0 FROM #turnstile_config WHERE session_label = '';

-- :config_put (key, label, value)
INSERT INTO #turnstile_config(key, session_label, value) VALUES (?1, ?2, ?3)
ON CONFLICT(session_label, key) DO UPDATE SET value = excluded.value;

-- :config_drop (key, label)
DELETE FROM #turnstile_config WHERE key = ?1 AND session_label = ?2;
