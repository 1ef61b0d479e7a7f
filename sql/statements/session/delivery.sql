-- delivery.sql - the record of deliveries, as several commands read it.

-- :delivery_seen (session_label, message_id, channel, sender, name, sender's own key) → decision, message: of
-- the session, else of the newest thousand that were merged into it, else of any that had it by one of the
-- names, wherever they lead now
SELECT decision, message FROM #deliveries INDEXED BY ##deliveries_by_message_id
WHERE session_label = ?1 AND message_id = ?2 AND channel = ?3 AND sender = ?4
UNION ALL
SELECT d.decision, d.message
FROM (SELECT label, ?2 AS message_id, ?3 AS channel, ?4 AS sender
      FROM #sessions INDEXED BY ##sessions_by_successor WHERE superseded_by = ?1
      ORDER BY rowid DESC LIMIT 1000) AS s
CROSS JOIN #deliveries AS d INDEXED BY ##deliveries_by_message_id ON d.session_label = s.label
  AND d.message_id = s.message_id AND d.channel = s.channel AND d.sender = s.sender
UNION ALL
SELECT decision, message FROM #deliveries INDEXED BY ##deliveries_by_message_id
WHERE session_label IN (?5, ?6) AND message_id = ?2 AND channel = ?3 AND sender = ?4
UNION ALL
SELECT decision, message FROM #deliveries INDEXED BY ##deliveries_by_name
WHERE came_as IN (?5, ?6) AND message_id = ?2 AND channel = ?3 AND sender = ?4
UNION ALL
SELECT decision, message FROM #deliveries INDEXED BY ##deliveries_by_call
WHERE came_by IN (?5, ?6) AND message_id = ?2 AND channel = ?3 AND sender = ?4
LIMIT 1;
