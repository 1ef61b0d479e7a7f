-- identity.sql - keys, policies, identities, aliases.

-- :policies_version () → changes with every change of session_policies
SELECT value FROM #turnstile_meta WHERE key = 'policies_version';

-- :policies_load () → id, name, key_template, persona_id, side, field, value: a row for each value of
-- each condition, the policies in the order of asking
SELECT p.id, p.name, p.key_template, p.persona_id, g.key, f.key,
       CASE WHEN f.type IN ('true', 'false') THEN f.type
            WHEN v.type IN ('true', 'false') THEN v.type ELSE v.value END
FROM #session_policies AS p
LEFT JOIN json_each(p."match") AS g
LEFT JOIN json_each(g.value) AS f
LEFT JOIN json_each(iif(f.type = 'array', f.value, json_array(f.value))) AS v
WHERE p.enabled <> 0
ORDER BY p.priority DESC, p.id, g.key, f.key, v.key;

-- :label_find (label) → label, persona_id of the session that has this label, or to which an alias leads
SELECT label, persona_id FROM #sessions WHERE label = ?1 AND superseded_by IS NULL
UNION ALL
SELECT s.label, s.persona_id FROM #session_aliases AS a JOIN #sessions AS s ON s.label = a.session_label
WHERE a.alias = ?1 AND s.superseded_by IS NULL
LIMIT 1;

-- :label_resolve (label) → label: the same without looking at the session behind an alias, which is there
SELECT label FROM #sessions WHERE label = ?1 AND superseded_by IS NULL
UNION ALL
SELECT session_label FROM #session_aliases WHERE alias = ?1
LIMIT 1;

-- :label_superseded (label) → superseded_by
SELECT superseded_by FROM #sessions WHERE label = ?1;

-- :alias_get (alias) → session_label, reason
SELECT session_label, reason FROM #session_aliases WHERE alias = ?1;

-- :alias_add (alias, session_label, reason, now)
INSERT OR FAIL INTO #session_aliases(alias, session_label, reason, created_at)
VALUES (?1, ?2, ?3, ?4);

-- :alias_point (alias, session_label, reason, now)
UPDATE OR FAIL #session_aliases SET session_label = ?2, reason = ?3, created_at = ?4
WHERE alias = ?1;

-- :alias_drop (alias)
DELETE FROM #session_aliases WHERE alias = ?1;

-- :alias_drop_of (session_label): those that links have made
DELETE FROM #session_aliases WHERE session_label = ?1 AND reason <> 'manual';

-- :alias_repoint (from session, to session): all that lead to a session lead to another one
UPDATE OR FAIL #session_aliases SET session_label = ?2 WHERE session_label = ?1;

-- :identity_get (channel, sender_id) → entity_id, sender_label, entity_label, persona_id
SELECT entity_id, sender_label, entity_label, persona_id FROM #identities
WHERE channel = ?1 AND sender_id = ?2;

-- :identity_add (channel, sender_id, entity_id, sender_label, entity_label, persona_id, now)
INSERT OR FAIL INTO #identities(channel, sender_id, entity_id, sender_label, entity_label,
                                persona_id, linked_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- :identity_keys (channel, sender_id, sender_label, entity_label, persona_id)
UPDATE OR FAIL #identities SET sender_label = ?3, entity_label = ?4, persona_id = ?5
WHERE channel = ?1 AND sender_id = ?2;

-- :identity_drop (channel, sender_id)
DELETE FROM #identities WHERE channel = ?1 AND sender_id = ?2;

-- :identity_shared (entity_label, entity_id) → 1 when another entity has the same key
SELECT 1 FROM #identities WHERE entity_label = ?1 AND entity_id <> ?2 LIMIT 1;

-- :identity_senders (entity_id, entity_label) → sender_label: the keys that its senders had before
SELECT DISTINCT sender_label FROM #identities
WHERE entity_id = ?1 AND entity_label = ?2 AND sender_label IS NOT NULL ORDER BY 1;

-- :identity_members (entity_id, entity_label) → channel, sender_id
SELECT channel, sender_id FROM #identities WHERE entity_id = ?1 AND entity_label = ?2
ORDER BY channel, sender_id;

-- :identity_of_label (label) → entity_id, entity_label, persona_id: whose key it is, or was before the link
SELECT entity_id, entity_label, persona_id FROM #identities WHERE sender_label = ?1
UNION ALL
SELECT entity_id, entity_label, persona_id FROM #identities WHERE entity_label = ?1
LIMIT 1;

-- :candidate (label) → turns, created_at, superseded_by, persona_id
SELECT turns, created_at, superseded_by, persona_id FROM #sessions WHERE label = ?1;

-- :supersede (label, superseded_by, now)
UPDATE OR FAIL #sessions SET superseded_by = ?2, updated_at = ?3 WHERE label = ?1;

-- :supersede_repoint (from session, to session): what a session has superseded, another one does
UPDATE OR FAIL #sessions SET superseded_by = ?2 WHERE superseded_by = ?1;

-- :superseded_of (label) → label: the sessions that one has superseded
SELECT label FROM #sessions WHERE superseded_by = ?1 ORDER BY label;

-- :queue_move (from session, to session) → what waits or was handed over goes along
UPDATE OR FAIL #session_queue SET session_label = ?2
WHERE session_label = ?1 AND delivered_at IS NULL AND status <> 'processing';

-- :queue_move_sender (from session, to session, channel, sender): the same for one sender's
UPDATE OR FAIL #session_queue SET session_label = ?2
WHERE session_label = ?1 AND delivered_at IS NULL AND status <> 'processing' AND channel = ?3
  AND sender = ?4;

-- :queue_of_sender (session_label, channel, sender) → how many of a sender's wait or were handed over
SELECT count(*) FROM #session_queue
WHERE session_label = ?1 AND delivered_at IS NULL AND status <> 'processing' AND channel = ?2
  AND sender = ?3;
