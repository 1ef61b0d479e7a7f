-- deleted.sql - the message_ids of sessions that were deleted.

-- :delete_message_ids (session_label) → name, message_id, channel, sender: the ids of its messages, and of the
-- sessions that were merged into it, under every name by which such a message comes again. Every id
-- is least or more; at IS NOT NULL, statistics would have a filter made of all rows
SELECT n.name, d.message_id, d.channel, d.sender
FROM (SELECT ?1 AS name
      UNION SELECT alias FROM #session_aliases INDEXED BY ##session_aliases_by_session
            WHERE session_label = ?1
      UNION SELECT superseded_by FROM #sessions WHERE label = ?1 AND superseded_by IS NOT NULL) AS n
CROSS JOIN (SELECT ?1 AS label, '' AS least
            UNION ALL SELECT label, '' FROM #sessions INDEXED BY ##sessions_by_successor
                      WHERE superseded_by = ?1) AS s
CROSS JOIN #deliveries AS d INDEXED BY ##deliveries_by_message_id ON d.session_label = s.label
WHERE d.message_id >= s.least
UNION ALL
SELECT came_as, message_id, channel, sender FROM #deliveries INDEXED BY ##deliveries_by_session
WHERE session_label = ?1 AND likelihood(came_as IS NOT NULL, 1.0)
UNION ALL
SELECT came_by, message_id, channel, sender FROM #deliveries INDEXED BY ##deliveries_by_session
WHERE session_label = ?1 AND likelihood(came_by IS NOT NULL, 1.0);

-- :deleted_message_add (id, now)
INSERT INTO #deleted_messages(id, at) VALUES (?1, ?2)
ON CONFLICT(id) DO UPDATE SET at = excluded.at;

-- :deleted_messages_any () → found: when there are some
SELECT 1 FROM #deleted_messages INDEXED BY ##deleted_messages_by_age LIMIT 1;

-- :deleted_message (id) → found
SELECT 1 FROM #deleted_messages WHERE id = ?1;
