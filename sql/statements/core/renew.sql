-- renew.sql - the statement of turnstile_renew.

-- :meta_renew (uuid)
UPDATE #turnstile_meta
SET value = iif(key = 'uuid', ?1, lower(hex(randomblob(16)))) WHERE key IN ('uuid', 'door_key');
