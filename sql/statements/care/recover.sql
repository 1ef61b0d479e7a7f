-- recover.sql - session_recover: how the last task ended, what waits, what has failed.

-- :queue_failures (session_label) → :queue_open: what waits for somebody's decision
SELECT id, status, source, channel, enqueued_at, message, error, due_at, exempt
FROM #session_queue INDEXED BY ##session_queue_failed
WHERE session_label = ?1 AND likelihood(status = 'failed', 1.0) ORDER BY id;

-- :queue_open (session_label) → id, status, source, channel, enqueued_at, message, error, due_at, exempt
SELECT id, status, source, channel, enqueued_at, message, error, due_at, exempt
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND delivered_at IS NULL
ORDER BY rank, delivery_id, id;

-- :last_end (session_label) → commit_id, was_stale, idle, at, task: of the session's last task: its commit
-- or NULL, 1 when it lay too long, its idle time in seconds, when it ended
SELECT json_extract(data, '$.commit_id'),
       json_extract(data, '$.commit_type') = 'StaleAutoCompact'
         AND json_extract(data, '$.commit_id') IS NOT NULL,
       json_extract(data, '$.type_data.idle_duration_secs'), at, json_extract(data, '$.task')
FROM #session_events INDEXED BY ##session_events_last
WHERE session_label = ?1 AND axis = 'task' AND to_state = 'None' ORDER BY id DESC LIMIT 1;
