-- identity.sql - keys, policies, identities, aliases.

-- :identity_key_add (entity_id, key): a further key of an entity
INSERT OR IGNORE INTO #identity_keys(entity_id, key) VALUES (?1, ?2);
