-- corrections.sql - what later messages are taken for.

-- :corrections_touch (): the same, where there are corrections
UPDATE #turnstile_meta SET value = value + 1
WHERE key = 'rules_version' AND EXISTS (
  SELECT 1 FROM #deliveries INDEXED BY ##deliveries_corrected WHERE likelihood(corrected IS NOT NULL, 1.0));

-- :corrections_load (how many, so much of a message, and of names) → id, class, state, message, label,
-- length, names: the newest first. label: of the session, if the correction counts there alone; length of
-- what was read; the session's names.
SELECT id, corrected,
       json_extract(json_of(decision), '$.previous_state'),
       substr(message, 1, ?2),
       (SELECT label FROM #sessions WHERE label = d.session_label AND origin = 'import'),
       length(message) + length(decision),
       (SELECT substr(value, 1, ?3 + 1) FROM #turnstile_config INDEXED BY ##turnstile_config_by_key
        WHERE session_label IN (d.session_label, '') AND key = 'names' ORDER BY session_label DESC LIMIT 1)
FROM #deliveries AS d INDEXED BY ##deliveries_corrected
WHERE likelihood(corrected IS NOT NULL, 1.0) ORDER BY id DESC LIMIT ?1;

-- :corrections_any (session_label) → found
SELECT 1 FROM #deliveries INDEXED BY ##deliveries_by_session
WHERE session_label = ?1 AND likelihood(corrected IS NOT NULL, 1.0) LIMIT 1;
