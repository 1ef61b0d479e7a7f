-- dispatch.sql - what turnstile_dispatch asks: who calls, and what a request_id was used for.

-- :meta_door () → door_key, rules_version
SELECT d.value, r.value
FROM #turnstile_meta AS d LEFT JOIN #turnstile_meta AS r ON r.key = 'rules_version'
WHERE d.key = 'door_key';

-- :request_get (request_id) → command, args_hash, result
SELECT command, args_hash, result FROM #turnstile_requests WHERE request_id = ?1;

-- :request_put (request_id, command, args_hash, result, at)
INSERT OR FAIL INTO #turnstile_requests(request_id, command, args_hash, result, at)
VALUES (?1, ?2, ?3, ?4, ?5);
