-- inputs.sql - the inputs that a turn has, and what becomes of them when it ends.
--
-- "status <> 'pending'" beside "status = 'processing'" says nothing new, but lets SQLite see that the
-- index of what is taken will do.

-- :queue_give_back (session_label): items whose turn is not there wait again
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'pending', turn_id = NULL
WHERE session_label = ?1 AND status = 'processing' AND status <> 'pending' AND delivered_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM #turns AS t WHERE t.id = turn_id);

-- :queue_orphans (session_label) → turn_id, count: items that are being processed in a turn that no run of
-- the session has, and how many
SELECT turn_id, count(*) FROM #session_queue AS q INDEXED BY ##session_queue_processing
WHERE session_label = ?1 AND status = 'processing'
  AND NOT EXISTS (SELECT 1 FROM #session_runs AS r
                  WHERE r.session_label = ?1 AND r.turn_id = q.turn_id
                    AND (SELECT status FROM #turns WHERE id = q.turn_id) = 'running')
GROUP BY turn_id;

-- :queue_processing_count (session_label) → count
SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND status = 'processing' AND status <> 'pending' AND delivered_at IS NULL;

-- :queue_done (session_label, turn_id, now): a turn has ended with its inputs dealt with
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'delivered', delivered_at = ?3,
  error = NULL
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :queue_worn (session_label, turn_id, max_attempts, now, error): inputs that were tried often enough
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'failed', delivered_at = ?4,
  error = ?5
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2
  AND attempts >= ?3;

-- :queue_back (session_label, turn_id, error, now, backoff, the longest): a turn has ended without having
-- recorded anything. Each attempt doubles the time to the next one.
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'pending', turn_id = NULL,
  error = ?3, due_at = iif(?5 > 0, ?4 + min(?6, ?5 << min(max(attempts - 1, 0), 30)), NULL),
  due_after = iif(?5 > 0, min(?6, ?5 << min(max(attempts - 1, 0), 30)), NULL)
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :queue_requeue (session_label, turn_id): somebody wants them to be worked on again
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'pending', turn_id = NULL
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :queue_later (session_label, turn_id, error, due_at or NULL, due_after or NULL): the same, and the
-- attempt does not count
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'pending', turn_id = NULL,
  error = ?3, due_at = ?4, due_after = ?5, attempts = max(attempts - 1, 0)
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :queue_failed (session_label, turn_id, now, error): a turn has ended half done
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'failed', delivered_at = ?3, error = ?4
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :queue_stopped (session_label, turn_id, now, why): somebody has stopped the turn
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'cancelled', delivered_at = ?3,
  error = 'stopped: ' || substr(?4, 1, 200)
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :queue_processing (session_label, turn_id) → found: when a turn has inputs from the queue
SELECT 1 FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2
LIMIT 1;
