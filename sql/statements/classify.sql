-- classify.sql - the rules of classification.

-- :rules_version () → changes with every change of message_rules
SELECT value FROM #turnstile_meta WHERE key = 'rules_version';

-- :rules_load (limit) → id, class, state, pattern, weight, lang, enabled
SELECT id, class, state, pattern, weight, lang, enabled <> 0 FROM #message_rules
ORDER BY id LIMIT ?1;
