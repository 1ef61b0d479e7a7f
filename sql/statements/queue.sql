-- queue.sql - the inputs of a session, and the record of deliveries.

-- :queue_add (session_label, delivery_id, source, channel, sender, mode, message_id, class,
--             status, attempts, enqueued_at, message) → rowid
INSERT OR FAIL INTO #session_queue(session_label, delivery_id, source, channel, sender, mode,
                                   message_id, class, status, attempts, enqueued_at, message)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12);

-- :queue_pending (session_label) → id, delivery_id, source, channel, sender, class, message
SELECT id, delivery_id, source, channel, sender, class, message FROM #session_queue
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL ORDER BY id;

-- :queue_open (session_label) → id, status, source, sender, enqueued_at, message
SELECT id, status, source, sender, enqueued_at, message FROM #session_queue
WHERE session_label = ?1 AND delivered_at IS NULL ORDER BY id;

-- :queue_hand (id, now, class)
UPDATE OR FAIL #session_queue SET status = 'handed', attempts = attempts + 1,
  class = coalesce(?3, class) WHERE id = ?1;

-- :queue_settle (id, now, class): what needs no work any more
UPDATE OR FAIL #session_queue SET status = 'delivered', delivered_at = ?2,
  class = coalesce(?3, class) WHERE id = ?1;

-- :queue_taken_up (session_label, now): the host shows that it works on what it was handed
UPDATE OR FAIL #session_queue SET status = 'delivered', delivered_at = ?2
WHERE session_label = ?1 AND status = 'handed' AND delivered_at IS NULL;

-- :queue_cancel_sender (session_label, channel, sender, now): what a sender has waiting
UPDATE OR FAIL #session_queue SET status = 'cancelled', delivered_at = ?4
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND channel = ?2
  AND sender = ?3 AND source = 'user';

-- :queue_waiting_of (session_label, channel, sender) → id, message
SELECT id, message FROM #session_queue
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND channel = ?2
  AND sender = ?3 AND source = 'user' ORDER BY id;

-- :delivery_next () → the id that the next delivery gets
SELECT ifnull(max(id), 0) + 1 FROM #deliveries;

-- :delivery_seen (session_label, message_id, channel, sender) → decision, message
SELECT decision, message FROM #deliveries
WHERE session_label = ?1 AND message_id = ?2 AND channel = ?3 AND sender = ?4;

-- :delivery_seen_before_merge (session_label, message_id, channel, sender) → decision, message
SELECT d.decision, d.message FROM #sessions AS s
JOIN #deliveries AS d ON d.session_label = s.label
WHERE s.superseded_by = ?1 AND d.message_id = ?2 AND d.channel = ?3 AND d.sender = ?4;

-- :delivery_get (id) → message, source, channel, sender, message_id
SELECT message, source, channel, sender, message_id FROM #deliveries WHERE id = ?1;

-- :delivery_add (id, session_label, message_id, channel, sender, source, class, confidence, action,
--                decision, at, message)
INSERT OR FAIL INTO #deliveries(id, session_label, message_id, channel, sender, source, class,
                                confidence, action, decision, at, message)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12);

-- :delivery_duplicate (decision, conflict) → the stored decision, marked
SELECT CASE WHEN ?2 THEN json_set(?1, '$.duplicate', json('true'), '$.conflict', json('true'))
       ELSE json_set(?1, '$.duplicate', json('true')) END;
