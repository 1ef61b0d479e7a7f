-- identity.sql - who senders are.

-- :identity_key_add (entity_id, key): a further key of an entity
INSERT OR IGNORE INTO #identity_keys(entity_id, key) VALUES (?1, ?2);
