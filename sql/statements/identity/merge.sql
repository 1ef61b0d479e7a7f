-- merge.sql - sessions of an entity become one, and part again.

-- :alias_keep_homes (session_label): before they are led elsewhere
INSERT OR IGNORE INTO #alias_homes(alias, session_label)
SELECT alias, session_label FROM #session_aliases INDEXED BY ##session_aliases_by_session
WHERE session_label = ?1 AND reason = 'manual';

-- :alias_go_home (session_label, where they lead now)
UPDATE OR FAIL #session_aliases INDEXED BY ###session_aliases
SET session_label = ?1
WHERE alias IN (SELECT alias FROM #alias_homes WHERE session_label = ?1)
  AND session_label = ?2 AND reason = 'manual';

-- :alias_drop_homes (session_label)
DELETE FROM #alias_homes WHERE session_label = ?1;

-- :alias_repoint (from session, to session): all that lead to a session lead to another one
UPDATE OR FAIL #session_aliases INDEXED BY ##session_aliases_by_session SET session_label = ?2
WHERE session_label = ?1;

-- :identity_keys (channel, sender_id, sender_label, entity_label, persona_id)
UPDATE OR FAIL #identities SET sender_label = ?3, entity_label = ?4, persona_id = ?5
WHERE channel = ?1 AND sender_id = ?2;

-- :identity_shared (entity_label, entity_id) → found: when another entity has the same key
SELECT 1 FROM #identities INDEXED BY ##identities_by_entity_label WHERE entity_label = ?1
  AND entity_id <> ?2 LIMIT 1;

-- :identity_senders (entity_id, entity_label) → sender_label, persona_id: the keys that its senders had
-- before
SELECT DISTINCT sender_label, persona_id FROM #identities INDEXED BY ##identities_by_entity
WHERE entity_id = ?1 AND entity_label = ?2 AND sender_label IS NOT NULL ORDER BY 1, 2;

-- :identity_members (entity_id) → channel, sender_id, sender_label, entity_label, persona_id, envelope
SELECT channel, sender_id, sender_label, entity_label, persona_id, envelope
FROM #identities INDEXED BY ##identities_by_entity
WHERE entity_id = ?1 ORDER BY channel, sender_id;

-- :identity_keys_of (entity_id) → entity_label: the keys of an entity
SELECT DISTINCT entity_label FROM #identities INDEXED BY ##identities_by_entity
WHERE entity_id = ?1 AND entity_label IS NOT NULL ORDER BY 1;

-- :identity_of_label (label) → entity_id, entity_label, persona_id: whose key it is, or was before the link
SELECT entity_id, entity_label, persona_id FROM #identities INDEXED BY ##identities_by_sender_label
WHERE sender_label = ?1
UNION ALL
SELECT entity_id, entity_label, persona_id FROM #identities INDEXED BY ##identities_by_entity_label
WHERE entity_label = ?1
LIMIT 1;

-- :candidate (label) → turns, created_at, superseded_by, persona_id
SELECT turns, created_at, superseded_by, persona_id FROM #sessions WHERE label = ?1;

-- :supersede (label, superseded_by, now)
UPDATE OR FAIL #sessions SET superseded_by = ?2, updated_at = ?3 WHERE label = ?1;

-- :supersede_repoint (from session, to session): what a session has superseded, another one does
UPDATE OR FAIL #sessions INDEXED BY ##sessions_by_successor SET superseded_by = ?2
WHERE superseded_by = ?1;

-- :queue_return (session, where it was merged into, entity_id): what was for a session waits there again,
-- but for what a sender of the entity wrote, which stays with the entity
UPDATE OR FAIL #session_queue AS q INDEXED BY ##session_queue_open SET session_label = ?1, came_from = NULL, status = iif(awaits_turn = 0, 'handed', 'pending'),
  attempts = attempts - (status = 'handed' AND awaits_turn = 1 AND attempts > 0),
  exempt = iif(exempt = 0 AND status = 'handed' AND awaits_turn = 1, iif(source = 'agent', 2, 1), exempt),
  opened_at = iif(attempts > 0 OR shown_turn_id IS NOT NULL, NULL, min(opened_at, 1)),
  asked_at = iif(attempts > 0 OR shown_turn_id IS NOT NULL, NULL, min(asked_at, 1)),
  held = awaits_turn = 1 AND EXISTS (SELECT 1 FROM #sessions WHERE label = ?1 AND status <> 'active')
WHERE session_label = ?2 AND delivered_at IS NULL AND status <> 'processing' AND came_from = ?1
  AND NOT EXISTS (SELECT 1 FROM #identities AS i
                  WHERE i.channel = q.channel AND i.sender_id = q.sender AND i.entity_id = ?3);

-- :queue_return_failures (session, where it was merged into, entity_id): the same for what has failed
UPDATE OR FAIL #session_queue AS q INDEXED BY ##session_queue_failed SET session_label = ?1, came_from = NULL
WHERE session_label = ?2 AND status = 'failed' AND came_from = ?1
  AND NOT EXISTS (SELECT 1 FROM #identities AS i
                  WHERE i.channel = q.channel AND i.sender_id = q.sender AND i.entity_id = ?3);

-- :queue_return_taken (session, where it was merged into, entity_id): … and for what a turn has, of that session
-- or of one that was merged into it. Whose sender was unlinked meanwhile goes to that sender.
UPDATE OR FAIL #session_queue AS q INDEXED BY ##session_queue_taken SET goes_to = ?1
WHERE session_label IN (SELECT ?2 UNION ALL
                        SELECT label FROM #sessions INDEXED BY ##sessions_by_successor WHERE superseded_by = ?2)
  AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND came_from = ?1 AND goes_to IS NULL
  AND NOT EXISTS (SELECT 1 FROM #identities AS i
                  WHERE i.channel = q.channel AND i.sender_id = q.sender AND i.entity_id = ?3);

-- :queue_return_cancelled (session, where it was merged into, entity_id): … and for what was cancelled, should
-- somebody have it worked on after all
UPDATE OR FAIL #session_queue AS q INDEXED BY ##session_queue_cancelled SET goes_to = ?1
WHERE session_label IN (SELECT ?2 UNION ALL
                        SELECT label FROM #sessions INDEXED BY ##sessions_by_successor WHERE superseded_by = ?2)
  AND status = 'cancelled' AND came_from = ?1 AND goes_to IS NULL
  AND NOT EXISTS (SELECT 1 FROM #identities AS i
                  WHERE i.channel = q.channel AND i.sender_id = q.sender AND i.entity_id = ?3);

-- :queue_part_taken (session, entity_id): what a turn of it has, and was for one that had been merged into it,
-- goes to where that one is
UPDATE OR FAIL #session_queue AS q INDEXED BY ##session_queue_taken SET goes_to = came_from
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND came_from <> ?1 AND goes_to IS NULL
  AND NOT EXISTS (SELECT 1 FROM #identities AS i
                  WHERE i.channel = q.channel AND i.sender_id = q.sender AND i.entity_id = ?2);

-- :queue_part_cancelled (session, entity_id): the same of what was cancelled
UPDATE OR FAIL #session_queue AS q INDEXED BY ##session_queue_cancelled SET goes_to = came_from
WHERE session_label = ?1 AND status = 'cancelled' AND came_from <> ?1 AND goes_to IS NULL
  AND NOT EXISTS (SELECT 1 FROM #identities AS i
                  WHERE i.channel = q.channel AND i.sender_id = q.sender AND i.entity_id = ?2);

-- :choice_holds_for (session_label, one that is merged into it, entity_id) → found: when its open choice
-- holds what is for that one, and no sender of the entity wrote
SELECT 1 FROM #sessions AS s INDEXED BY ###sessions CROSS JOIN temp.json_each(s.pending_choice, '$.homes') AS e
WHERE s.label = ?1 AND s.pending_choice IS NOT NULL AND e.value = ?2
  AND ifnull((SELECT (SELECT entity_id FROM #identities WHERE channel = d.channel AND sender_id = d.sender)
              FROM #deliveries AS d WHERE d.id = CAST(e.key AS INTEGER)) = ?3, 0) = 0
LIMIT 1;
