-- classify.sql - the rules of classification.

-- :rules_version () → changes with every change of message_rules
SELECT value FROM #turnstile_meta WHERE key = 'rules_version';

-- :rules_load () → id, class, state, pattern, weight, lang
SELECT id, class, state, pattern, weight, lang FROM #message_rules WHERE enabled <> 0 ORDER BY id;
