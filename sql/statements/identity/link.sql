-- link.sql - identity_link: a sender is an entity.

-- :identity_add (channel, sender_id, entity_id, sender_label, entity_label, persona_id, now,
--                envelope)
INSERT OR FAIL INTO #identities(channel, sender_id, entity_id, sender_label, entity_label,
                                persona_id, linked_at, envelope)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- :identity_envelope (channel, sender_id, envelope)
UPDATE OR FAIL #identities SET envelope = ?3 WHERE channel = ?1 AND sender_id = ?2;

-- :session_adopt (label, persona_id, now): a session that was made for no persona becomes one's
UPDATE OR FAIL #sessions SET persona_id = ?2, updated_at = ?3
WHERE label = ?1 AND persona_id IS NULL AND superseded_by IS NULL;
