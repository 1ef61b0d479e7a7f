-- unlink.sql - identity_unlink: what is a sender's own leaves the entity's session.

-- :delete_taken (session_label, now, error): what a turn has that goes. Of these, those of others are brought home.
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken
SET status = 'failed', delivered_at = ?2, error = ?3, turn_id = NULL, shown_turn_id = NULL
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing' AND status <> 'pending';

-- :delete_said (session_label) → id, channel, sender, session_label: inputs of other sessions that were said in it
SELECT id, channel, sender, session_label FROM #session_queue INDEXED BY ##session_queue_said
WHERE said_in = ?1 AND session_label <> ?1;

-- :delete_leave_delivery (input, from session, to session): it takes its message_id along, unless it is known there
UPDATE OR FAIL #deliveries AS d SET session_label = ?3, came_as = ifnull(came_as, ?2),
  message_id = iif(EXISTS (SELECT 1 FROM #deliveries INDEXED BY ##deliveries_by_message_id
                           WHERE session_label = ?3 AND message_id = d.message_id AND channel = d.channel
                             AND sender = d.sender), NULL, message_id)
WHERE id = (SELECT delivery_id FROM #session_queue WHERE id = ?1) AND session_label = ?2;

-- :delete_at_home (id): an input's delivery is where it is
UPDATE OR FAIL #session_queue SET said_in = NULL WHERE id = ?1;

-- :alias_drop_of (session_label): those that links have made
DELETE FROM #session_aliases INDEXED BY ##session_aliases_by_session
WHERE session_label = ?1 AND reason <> 'manual';

-- :identity_keys_drop (entity_id): nobody is left of it
DELETE FROM #identity_keys
WHERE entity_id = ?1 AND NOT EXISTS (SELECT 1 FROM #identities INDEXED BY ##identities_by_entity
                                     WHERE entity_id = ?1);

-- :identity_places (entity_id, label or NULL, own label or NULL) → label: the sessions in which inputs of
-- an entity's sender can be, but for the sender's own: those to which a key of the entity leads, or the
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

-- :identity_drop (channel, sender_id)
DELETE FROM #identities WHERE channel = ?1 AND sender_id = ?2;

-- :superseded_of (label) → label: the sessions that one has superseded
SELECT label FROM #sessions INDEXED BY ##sessions_by_successor
WHERE superseded_by = ?1 ORDER BY label DESC;

-- :queue_move_sender (from session, to session, channel, sender, the key that led there): as queue_move, for one
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

-- :queue_going (session_label, turn_id or 0) → id, channel, sender, goes_to: inputs of a turn that belong
-- elsewhere; 0: of no turn
SELECT id, channel, sender, goes_to FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND ifnull(turn_id, 0) = ?2 AND goes_to IS NOT NULL ORDER BY id;

-- :queue_going_cancelled (session_label) → :queue_going: what was cancelled in it, and belongs to another
-- session that there is
SELECT id, channel, sender, goes_to FROM #session_queue AS q INDEXED BY ##session_queue_cancelled
WHERE session_label = ?1 AND status = 'cancelled' AND goes_to IS NOT NULL AND goes_to <> ?1
  AND EXISTS (SELECT 1 FROM #sessions INDEXED BY ###sessions WHERE label = q.goes_to) ORDER BY id;

-- :queue_going_input (id) → :queue_going: one input
SELECT id, channel, sender, goes_to FROM #session_queue WHERE id = ?1 AND goes_to IS NOT NULL;

-- :queue_bring (id, session_label, the key that led there)
UPDATE OR FAIL #session_queue SET session_label = ?2, goes_to = NULL,
  came_from = (SELECT label FROM #sessions INDEXED BY ###sessions WHERE label = ?3 AND superseded_by = ?2),
  opened_at = iif(attempts > 0 OR shown_turn_id IS NOT NULL, NULL, min(opened_at, 1)),
  asked_at = iif(attempts > 0 OR shown_turn_id IS NOT NULL, NULL, min(asked_at, 1)),
  held = EXISTS (SELECT 1 FROM #sessions WHERE label = ?2 AND status <> 'active')
WHERE id = ?1;

-- :queue_of_sender (session_label, channel, sender) → waiting, failed, taken: how many of a sender's
-- inputs wait or were handed over, have failed, are in a turn
SELECT (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_open
        WHERE session_label = ?1 AND delivered_at IS NULL AND status <> 'processing'
          AND channel = ?2 AND sender = ?3),
       (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_failed
        WHERE session_label = ?1 AND status = 'failed' AND channel = ?2 AND sender = ?3),
       (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_taken
        WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
          AND status <> 'pending' AND channel = ?2 AND sender = ?3);

-- :queue_taken_of_sender (session_label, turn_id, channel, sender) → found: when the turn has an input of
-- a sender
SELECT 1 FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2 AND channel = ?3 AND sender = ?4
LIMIT 1;

-- :queue_taken_of_others (session_label, turn_id, entity_id, channel, sender) → found: when the turn has
-- an input of another sender of an entity
SELECT 1 FROM #session_queue AS q INDEXED BY ##session_queue_taken
WHERE q.session_label = ?1 AND q.delivered_at IS NULL AND q.status = 'processing'
  AND q.status <> 'pending' AND q.turn_id = ?2
  AND (SELECT entity_id FROM #identities WHERE channel = q.channel AND sender_id = q.sender) = ?3
  AND NOT (q.channel = ?4 AND q.sender = ?5)
LIMIT 1;

-- :choice_holds_of (session_label, channel, sender, or others, entity_id) → found: when its open choice
-- holds a message of a sender, or of one who is linked to an entity
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
