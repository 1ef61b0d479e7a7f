-- deliver.sql - session_deliver: the record of a delivery, and what it does to what waits.

-- :identity_own_key (channel, sender_id, label, session_label) → sender_label: the key that a sender had before
-- the link, where a label is one of the entity's keys, or its session's
SELECT i.sender_label FROM #identities AS i
WHERE i.channel = ?1 AND i.sender_id = ?2 AND i.sender_label IS NOT NULL
  AND (i.entity_label = ?3
       OR EXISTS (SELECT 1 FROM #identity_keys WHERE entity_id = i.entity_id AND key = ?3)
       OR (?3 = ?4 AND (i.entity_label = ?4
                        OR (SELECT session_label FROM #session_aliases WHERE alias = i.entity_label) = ?4)));

-- :queue_open_count (session_label, at most) → count: how many inputs are open, up to `at most`
SELECT count(*) FROM (SELECT 1 FROM #session_queue INDEXED BY ##session_queue_open
                      WHERE session_label = ?1 AND delivered_at IS NULL LIMIT ?2);

-- :queue_said_as (id, id of the input that it was before): where it was said, and for which session
UPDATE OR FAIL #session_queue SET said_in = (SELECT o.said_in FROM #session_queue AS o WHERE o.id = ?2),
  came_from = (SELECT o.came_from FROM #session_queue AS o WHERE o.id = ?2) WHERE id = ?1;

-- :queue_class (id, class): it waits on, and its class is known
UPDATE OR FAIL #session_queue SET class = ?2 WHERE id = ?1;

-- :queue_over (id, class, now, error): it answers a closed question, and does not count as an
-- answer when it is retried
UPDATE OR FAIL #session_queue SET status = 'cancelled', class = ?2, delivered_at = ?3, error = ?4 WHERE id = ?1;

-- :delivery_decide (id, class, confidence, action, decision): after a second opinion. (The guards stand open.)
UPDATE OR FAIL #deliveries SET class = ?2, confidence = ?3, action = ?4, decision = ?5 WHERE id = ?1;

-- :delivery_session (id) → session_label: where it was said
SELECT session_label FROM #deliveries WHERE id = ?1;

-- :delivery_add+id (session_label, message_id, channel, sender, source, class, confidence, action,
-- decision, at, message, told_place, came_as, came_by)
INSERT OR FAIL INTO #deliveries(session_label, message_id, channel, sender, source, class,
                                confidence, action, decision, at, message, told_place, came_as, came_by)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, nullif(?13, ?1), nullif(nullif(?14, ?1), ?13));

-- :delivery_duplicate (decision, conflict) → decision: the answer to a repeated delivery. The first
-- decision stands inside: a loop that tests action alone finds none that it knows.
SELECT CASE WHEN ?2 THEN json_object('action', 'duplicate', 'session', json_extract(?1, '$.session'),
                                     'duplicate', json('true'), 'conflict', json('true'),
                                     'first', json(?1))
       ELSE json_object('action', 'duplicate', 'session', json_extract(?1, '$.session'),
                        'duplicate', json('true'), 'first', json(?1)) END;

-- :saved_task (session_label) → task, state, state_data: of the last task, if it was saved because it lay
-- too long
SELECT json_extract(data, '$.task'), json_extract(data, '$.state'),
       json_extract(data, '$.state_data')
FROM (SELECT data FROM #session_events INDEXED BY ##session_events_last
      WHERE session_label = ?1 AND axis = 'task' AND to_state = 'None' ORDER BY id DESC LIMIT 1)
WHERE json_extract(data, '$.commit_type') = 'StaleAutoCompact'
  AND json_extract(data, '$.commit_id') IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM #tasks INDEXED BY ##tasks_one_open WHERE session_label = ?1
                  AND ended_at IS NULL);
