-- identity.sql - keys, policies, identities, aliases.

-- :policies_version () → changes with every change of session_policies
SELECT value FROM #turnstile_meta WHERE key = 'policies_version';

-- :policies_load (policies, longest template, longest match) → id, name, key_template, persona_id, match, what
-- is wrong with it (0: nothing, 1: it is too long, 2: it is no JSON), in the order of asking
SELECT id, substr(name, 1, 256), substr(key_template, 1, ?2), substr(persona_id, 1, 257),
       iif(typeof("match") = 'text' AND length(CAST("match" AS BLOB)) <= ?3, "match", NULL),
       CASE WHEN typeof("match") <> 'text' THEN 2 WHEN length(CAST("match" AS BLOB)) > ?3 THEN 1
            WHEN is_json("match") THEN 0 ELSE 2 END
FROM #session_policies INDEXED BY ##session_policies_in_order WHERE likelihood(enabled <> 0, 1.0)
ORDER BY priority DESC, id LIMIT ?1;

-- :policy_conditions (match) → side, field, value, is it no condition: a row for each value of each
-- condition; an object without conditions has rows without a field
SELECT g.key, f.key,
       CASE WHEN f.type IN ('true', 'false') THEN f.type
            WHEN v.type IN ('true', 'false') THEN v.type ELSE v.value END,
       ifnull(json_type(?1) <> 'object' OR g.key NOT IN ('principal', 'delivery') OR g.type <> 'object'
              OR (g.key = 'principal' AND f.key NOT IN ('type', 'entity_id')) OR f.type = 'object'
              OR (f.type = 'array' AND v.type IS NULL) OR v.type IN ('array', 'object'), 0)
FROM (SELECT 1)
LEFT JOIN temp.json_each(?1) AS g
LEFT JOIN temp.json_each(iif(g.type = 'object', g.value, '{}')) AS f
LEFT JOIN temp.json_each(iif(f.type = 'array', f.value,
                             json_array(iif(f.type = 'object', NULL, f.value)))) AS v
ORDER BY g.key, f.key, v.key;

-- :policy_match (match) → what is wrong with the conditions of a policy; NULL: nothing. They are two objects
-- whose values are texts, numbers, booleans, null, or lists of these.
SELECT CASE
  WHEN json_type(?1) <> 'object'
    OR EXISTS (SELECT 1 FROM temp.json_each(?1) AS side
               WHERE side.key NOT IN ('principal', 'delivery') OR side.type <> 'object')
    THEN 'it must be {"principal":{"type"|"entity_id":…},"delivery":{field:…}} with values or lists of values'
  WHEN EXISTS (SELECT 1 FROM temp.json_each(?1) AS side, temp.json_each(side.value) AS field
               WHERE side.key = 'principal' AND field.key NOT IN ('type', 'entity_id')
                  OR field.type = 'object' OR field.value = '[]')
    OR EXISTS (SELECT 1 FROM temp.json_each(?1) AS side, temp.json_each(side.value) AS field,
                             temp.json_each(iif(field.type = 'array', field.value, '[]')) AS value
               WHERE value.type IN ('array', 'object'))
    THEN 'it must be {"principal":{"type"|"entity_id":…},"delivery":{field:…}} with values or lists of values'
  WHEN EXISTS (SELECT 1 FROM temp.json_each(?1, '$.principal.type')
               WHERE ifnull(value, '') NOT IN ('known', 'unknown'))
    THEN 'principal.type is known or unknown' END;

-- :label_find (label) → label, persona_id of the session that has this label, or to which an alias leads
SELECT label, persona_id FROM #sessions WHERE label = ?1 AND superseded_by IS NULL
UNION ALL
SELECT s.label, s.persona_id
FROM #sessions AS s
WHERE s.label = (SELECT session_label FROM #session_aliases WHERE alias = ?1)
  AND s.superseded_by IS NULL
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

-- :alias_drop_home (alias): somebody has decided anew
DELETE FROM #alias_homes WHERE alias = ?1;

-- :alias_drop (alias)
DELETE FROM #session_aliases WHERE alias = ?1;

-- :alias_drop_of (session_label): those that links have made
DELETE FROM #session_aliases INDEXED BY ##session_aliases_by_session
WHERE session_label = ?1 AND reason <> 'manual';

-- :alias_repoint (from session, to session): all that lead to a session lead to another one
UPDATE OR FAIL #session_aliases INDEXED BY ##session_aliases_by_session SET session_label = ?2
WHERE session_label = ?1;

-- :identity_key_add (entity_id, key): a further key of an entity
INSERT OR IGNORE INTO #identity_keys(entity_id, key) VALUES (?1, ?2);

-- :identity_keys_drop (entity_id): nobody is left of it
DELETE FROM #identity_keys
WHERE entity_id = ?1 AND NOT EXISTS (SELECT 1 FROM #identities INDEXED BY ##identities_by_entity
                                     WHERE entity_id = ?1);

-- :identity_places (entity_id, label or NULL, own label or NULL) → the sessions in which inputs of an
-- entity's sender can be, but for the sender's own: those to which a key of the entity leads, or the
-- label, and those that were merged into one of them
WITH keys(k) AS (
  SELECT sender_label FROM #identities INDEXED BY ##identities_by_entity
  WHERE entity_id = ?1 AND sender_label IS NOT NULL
  UNION SELECT entity_label FROM #identities INDEXED BY ##identities_by_entity
  WHERE entity_id = ?1 AND entity_label IS NOT NULL
  UNION SELECT key FROM #identity_keys WHERE entity_id = ?1
  UNION SELECT ?2 WHERE ?2 IS NOT NULL),
  found(label) AS (
  SELECT coalesce((SELECT session_label FROM #session_aliases WHERE alias = k),
                  (SELECT label FROM #sessions WHERE label = k)) FROM keys)
SELECT label FROM found WHERE label IS NOT NULL AND label IS NOT ?3
UNION
SELECT s.label
FROM found AS f CROSS JOIN #sessions AS s INDEXED BY ##sessions_by_successor
  ON s.superseded_by = f.label
WHERE NOT (s.label IS ?3 AND f.label IS NOT NULL)
ORDER BY 1 DESC;

-- :identity_get (channel, sender_id) → entity_id, sender_label, entity_label, persona_id, envelope
SELECT entity_id, sender_label, entity_label, persona_id, envelope FROM #identities
WHERE channel = ?1 AND sender_id = ?2;

-- :identity_own_key (channel, sender_id, label, session_label) → sender_label: the key that a sender had before
-- the link, where a label is one of the entity's keys, or its session's
SELECT i.sender_label FROM #identities AS i
WHERE i.channel = ?1 AND i.sender_id = ?2 AND i.sender_label IS NOT NULL
  AND (i.entity_label = ?3
       OR EXISTS (SELECT 1 FROM #identity_keys WHERE entity_id = i.entity_id AND key = ?3)
       OR (?3 = ?4 AND (i.entity_label = ?4
                        OR (SELECT session_label FROM #session_aliases WHERE alias = i.entity_label) = ?4)));

-- :identity_add (channel, sender_id, entity_id, sender_label, entity_label, persona_id, now,
--                envelope)
INSERT OR FAIL INTO #identities(channel, sender_id, entity_id, sender_label, entity_label,
                                persona_id, linked_at, envelope)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- :identity_keys (channel, sender_id, sender_label, entity_label, persona_id)
UPDATE OR FAIL #identities SET sender_label = ?3, entity_label = ?4, persona_id = ?5
WHERE channel = ?1 AND sender_id = ?2;

-- :identity_envelope (channel, sender_id, envelope)
UPDATE OR FAIL #identities SET envelope = ?3 WHERE channel = ?1 AND sender_id = ?2;

-- :identity_drop (channel, sender_id)
DELETE FROM #identities WHERE channel = ?1 AND sender_id = ?2;

-- :identity_shared (entity_label, entity_id) → 1 when another entity has the same key
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

-- :session_adopt (label, persona_id, now): a session that was made for no persona becomes one's
UPDATE OR FAIL #sessions SET persona_id = ?2, updated_at = ?3
WHERE label = ?1 AND persona_id IS NULL AND superseded_by IS NULL;

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

-- :superseded_of (label) → label: the sessions that one has superseded
SELECT label FROM #sessions INDEXED BY ##sessions_by_successor
WHERE superseded_by = ?1 ORDER BY label DESC;

-- :queue_move (from session, to session): what waits or was handed over waits elsewhere. That it was
-- handed over was no attempt, then, and somebody waits for it. What it named as that to which it is an answer was asked in the session
-- that it leaves: what has answered names nothing any more, what has not names what nobody asks (1). It was
-- for the session that it leaves, or for one that is merged into that. A host that keeps no turns works on what it
-- was handed, and has it there.
UPDATE OR FAIL #session_queue AS q INDEXED BY ##session_queue_open SET session_label = ?2, status = iif(awaits_turn = 0, 'handed', 'pending'),
  attempts = attempts - (status = 'handed' AND awaits_turn = 1 AND attempts > 0),
  exempt = iif(exempt = 0 AND status = 'handed' AND awaits_turn = 1, iif(source = 'agent', 2, 1), exempt),
  came_from = nullif(ifnull((SELECT label FROM #sessions INDEXED BY ###sessions WHERE label = q.came_from AND superseded_by IN (?1, ?2)), ?1), ?2),
  opened_at = iif(attempts > 0 OR shown_turn_id IS NOT NULL, NULL, min(opened_at, 1)),
  asked_at = iif(attempts > 0 OR shown_turn_id IS NOT NULL, NULL, min(asked_at, 1)),
  held = awaits_turn = 1 AND EXISTS (SELECT 1 FROM #sessions WHERE label = ?2 AND status <> 'active')
WHERE session_label = ?1 AND delivered_at IS NULL AND status <> 'processing';

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

-- :queue_move_sender (from session, to session, channel, sender, the key that led there): the same for one
-- sender's, which is from then on for the session of that key
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_open SET session_label = ?2, status = iif(awaits_turn = 0, 'handed', 'pending'),
  attempts = attempts - (status = 'handed' AND awaits_turn = 1 AND attempts > 0),
  exempt = iif(exempt = 0 AND status = 'handed' AND awaits_turn = 1, iif(source = 'agent', 2, 1), exempt),
  came_from = (SELECT label FROM #sessions INDEXED BY ###sessions WHERE label = ?5 AND superseded_by = ?2),
  opened_at = iif(attempts > 0 OR shown_turn_id IS NOT NULL, NULL, min(opened_at, 1)),
  asked_at = iif(attempts > 0 OR shown_turn_id IS NOT NULL, NULL, min(asked_at, 1)),
  held = awaits_turn = 1 AND EXISTS (SELECT 1 FROM #sessions WHERE label = ?2 AND status <> 'active')
WHERE session_label = ?1 AND delivered_at IS NULL AND status <> 'processing' AND channel = ?3
  AND sender = ?4;

-- :queue_move_failures (from session, to session): what has failed
UPDATE OR FAIL #session_queue AS q INDEXED BY ##session_queue_failed SET session_label = ?2,
  came_from = nullif(ifnull((SELECT label FROM #sessions INDEXED BY ###sessions WHERE label = q.came_from AND superseded_by IN (?1, ?2)), ?1), ?2)
WHERE session_label = ?1 AND status = 'failed';

-- :queue_move_failed (from session, to session, channel, sender, the key): what has failed of one sender's
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_failed SET session_label = ?2,
  came_from = (SELECT label FROM #sessions INDEXED BY ###sessions WHERE label = ?5 AND superseded_by = ?2)
WHERE session_label = ?1 AND status = 'failed' AND channel = ?3 AND sender = ?4;

-- :queue_set_goes_to (session_label, goes_to, channel, sender): where what a turn has of one sender's
-- belongs
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET goes_to = ?2
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND channel = ?3 AND sender = ?4;

-- :queue_set_goes_to_cancelled (session_label, goes_to, channel, sender): the same for what was cancelled
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_cancelled SET goes_to = ?2
WHERE session_label = ?1 AND status = 'cancelled' AND channel = ?3 AND sender = ?4;

-- :queue_going (session_label, turn_id, 0: none) → id, channel, sender, goes_to: inputs of a turn that
-- belong elsewhere
SELECT id, channel, sender, goes_to FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND ifnull(turn_id, 0) = ?2 AND goes_to IS NOT NULL ORDER BY id;

-- :queue_going_cancelled (session_label) → id, channel, sender, goes_to: what was cancelled in it, and belongs to
-- another session that there is
SELECT id, channel, sender, goes_to FROM #session_queue AS q INDEXED BY ##session_queue_cancelled
WHERE session_label = ?1 AND status = 'cancelled' AND goes_to IS NOT NULL AND goes_to <> ?1
  AND EXISTS (SELECT 1 FROM #sessions INDEXED BY ###sessions WHERE label = q.goes_to) ORDER BY id;

-- :queue_going_input (id): the same, one input
SELECT id, channel, sender, goes_to FROM #session_queue WHERE id = ?1 AND goes_to IS NOT NULL;

-- :queue_bring (id, session_label, the key that led there)
UPDATE OR FAIL #session_queue SET session_label = ?2, goes_to = NULL,
  came_from = (SELECT label FROM #sessions INDEXED BY ###sessions WHERE label = ?3 AND superseded_by = ?2),
  opened_at = iif(attempts > 0 OR shown_turn_id IS NOT NULL, NULL, min(opened_at, 1)),
  asked_at = iif(attempts > 0 OR shown_turn_id IS NOT NULL, NULL, min(asked_at, 1)),
  held = EXISTS (SELECT 1 FROM #sessions WHERE label = ?2 AND status <> 'active')
WHERE id = ?1;

-- :queue_of_sender (session_label, channel, sender) → how many of a sender's inputs wait or were handed
-- over, have failed, are in a turn
SELECT (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_open
        WHERE session_label = ?1 AND delivered_at IS NULL AND status <> 'processing'
          AND channel = ?2 AND sender = ?3),
       (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_failed
        WHERE session_label = ?1 AND status = 'failed' AND channel = ?2 AND sender = ?3),
       (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_taken
        WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
          AND status <> 'pending' AND channel = ?2 AND sender = ?3);

-- :queue_taken_of_sender (session_label, turn_id, channel, sender) → 1 when the turn has an input of a
-- sender
SELECT 1 FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2 AND channel = ?3 AND sender = ?4
LIMIT 1;

-- :queue_taken_of_others (session_label, turn_id, entity_id, channel, sender) → 1 when the turn has an
-- input of another sender of an entity
SELECT 1 FROM #session_queue AS q INDEXED BY ##session_queue_taken
WHERE q.session_label = ?1 AND q.delivered_at IS NULL AND q.status = 'processing'
  AND q.status <> 'pending' AND q.turn_id = ?2
  AND (SELECT entity_id FROM #identities WHERE channel = q.channel AND sender_id = q.sender) = ?3
  AND NOT (q.channel = ?4 AND q.sender = ?5)
LIMIT 1;

-- :choice_holds_for (session_label, one that is merged into it, entity_id) → 1 when its open choice holds what is for
-- that one, and no sender of the entity wrote
SELECT 1 FROM #sessions AS s INDEXED BY ###sessions CROSS JOIN temp.json_each(s.pending_choice, '$.homes') AS e
WHERE s.label = ?1 AND s.pending_choice IS NOT NULL AND e.value = ?2
  AND ifnull((SELECT (SELECT entity_id FROM #identities WHERE channel = d.channel AND sender_id = d.sender)
              FROM #deliveries AS d WHERE d.id = CAST(e.key AS INTEGER)) = ?3, 0) = 0
LIMIT 1;

-- :choice_holds_of (session_label, channel, sender, or others, entity_id) → 1 when its open choice holds
-- a message of a sender, or of one who is linked to an entity
SELECT 1 FROM #sessions AS s INDEXED BY ###sessions
CROSS JOIN temp.json_each(json_insert(ifnull(json_extract(s.pending_choice, '$.earlier'), '[]'), '$[#]',
                           iif(json_extract(s.pending_choice, '$.held') IS NULL, NULL,
                               json_extract(s.pending_choice, '$.delivery_id')))) AS e
WHERE s.label = ?1 AND s.pending_choice IS NOT NULL
  AND (SELECT (d.channel = ?2 AND d.sender = ?3)
           OR (?4 AND EXISTS (SELECT 1 FROM #identities
                              WHERE channel = d.channel AND sender_id = d.sender AND entity_id = ?5))
       FROM #deliveries AS d WHERE d.id = e.value)
LIMIT 1;
