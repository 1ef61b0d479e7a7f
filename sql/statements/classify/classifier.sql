-- classifier.sql - the rules of classification, as turnstile_classifier and its kin load them.

-- :rules_version () → value: changes with every change of message_rules
SELECT value FROM #turnstile_meta WHERE key = 'rules_version';

-- :rules_load (limit) → id, class, state, pattern, weight, lang, enabled: the texts of one that is
-- switched off are not read
SELECT id, iif(enabled <> 0, class, NULL), iif(enabled <> 0, state, NULL),
       iif(enabled <> 0, pattern, NULL), weight, iif(enabled <> 0, lang, NULL), enabled <> 0
FROM #message_rules ORDER BY id LIMIT ?1;

-- :rules_touch (): the classifier looks again
UPDATE #turnstile_meta SET value = value + 1 WHERE key = 'rules_version';
