-- classify.sql - the rules of classification.

-- :rules_version () → changes with every change of message_rules
SELECT value FROM #turnstile_meta WHERE key = 'rules_version';

-- :rules_load (limit) → id, class, state, pattern, weight, lang, enabled; the texts of one that is switched
-- off are not read
SELECT id, iif(enabled <> 0, class, NULL), iif(enabled <> 0, state, NULL),
       iif(enabled <> 0, pattern, NULL), weight, iif(enabled <> 0, lang, NULL), enabled <> 0
FROM #message_rules ORDER BY id LIMIT ?1;

-- :rules_touch (): the classifier looks again
UPDATE #turnstile_meta SET value = value + 1 WHERE key = 'rules_version';

-- :corrections_load (how many, so much of a message) → id, class, state, message, label of the session if the
-- correction counts there alone: the newest first
SELECT id, corrected,
       json_extract(iif(json_valid(decision) OR json_valid(decision), decision, '{}'), '$.previous_state'),
       substr(message, 1, ?2),
       (SELECT label FROM #sessions WHERE label = d.session_label AND origin = 'import')
FROM #deliveries AS d INDEXED BY ##deliveries_corrected
WHERE corrected IS NOT NULL ORDER BY id DESC LIMIT ?1;

-- :corrections_any (session_label) → 1
SELECT 1 FROM #deliveries INDEXED BY ##deliveries_by_session
WHERE session_label = ?1 AND likelihood(corrected IS NOT NULL, 1.0) LIMIT 1;

-- :correction_get (delivery) → session_label, source, class, state
SELECT session_label, source, class,
       json_extract(iif(json_valid(decision) OR json_valid(decision), decision, '{}'), '$.previous_state')
FROM #deliveries WHERE id = ?1;

-- :correction_put (delivery, class or NULL). (The guards stand open.)
UPDATE OR FAIL #deliveries SET corrected = ?2 WHERE id = ?1;
