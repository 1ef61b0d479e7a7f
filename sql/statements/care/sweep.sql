-- sweep.sql - session_sweep: what was left behind, times of a clock that was ahead, and what is old enough to go.

-- :deleted_messages_expired (at, limit) → :request_expired
SELECT count(*) FROM (SELECT 1 FROM #deleted_messages INDEXED BY ##deleted_messages_by_age
                      WHERE at < ?1 LIMIT ?2);

-- :deleted_messages_drop (at, limit)
DELETE FROM #deleted_messages WHERE id IN
  (SELECT id FROM #deleted_messages INDEXED BY ##deleted_messages_by_age
   WHERE at < ?1 ORDER BY at, id LIMIT ?2);

-- :deleted_messages_ahead (now): as requests_ahead
UPDATE OR FAIL #deleted_messages INDEXED BY ##deleted_messages_by_age SET at = ?1
WHERE at > ?1 + 60000 AND (SELECT at FROM #session_events
       WHERE id = (SELECT min(id) FROM #session_events NOT INDEXED)) <= ?1;

-- :left_behind (limit) → session_label, description: of tasks that are Complete or Aborted and have no
-- commit yet
SELECT session_label, description FROM #tasks INDEXED BY ##tasks_left_behind
WHERE likelihood(state IN (#LIST_TASK_OVER), 1.0) ORDER BY session_label LIMIT ?1;

-- :task_kept (label) → found: when its newest task has a commit
SELECT 1 FROM #tasks WHERE id = (SELECT max(id) FROM #tasks INDEXED BY ##tasks_by_session
                                 WHERE session_label = ?1)
  AND commit_id IS NOT NULL;

-- :runs_idle (now, timeout, limit) → :runs_expired: ready runs without a sign of life for longer than the
-- timeout (each session's own, where it has one; none is shorter than a second)
SELECT session_label, run_state, owner FROM (
  SELECT session_label AS session_label, run_state AS run_state, owner AS owner,
         heartbeat_at AS heartbeat_at
  FROM #session_runs AS r INDEXED BY ##session_runs_ready
  WHERE run_state = 'ready' AND heartbeat_at < ?1 - 1000
    AND heartbeat_at < ?1 - coalesce(
    (SELECT value FROM #turnstile_config AS o
     WHERE o.session_label = r.session_label AND o.key = 'run_idle_timeout'), ?2)
  ORDER BY heartbeat_at LIMIT ?3)
ORDER BY heartbeat_at, session_label;

-- :sessions_ahead (now, limit) → :left_behind: sessions whose last activity or use a clock has written
-- down that was ahead, unless it is this clock that is behind the file's beginning. (An open task has an
-- index by last_activity alone; last_used is up to an hour ahead. No more than the limit are read of
-- either.)
SELECT label, NULL FROM (
  SELECT label FROM (SELECT label AS label FROM #sessions INDEXED BY ##sessions_by_open_task
    WHERE open_task_id IS NOT NULL AND status <> 'archived' AND superseded_by IS NULL
      AND last_activity > ?1 + 60000 ORDER BY last_activity LIMIT ?2)
  UNION ALL
  SELECT label FROM (SELECT label AS label FROM #sessions INDEXED BY ##sessions_unused
    WHERE open_task_id IS NULL AND none_of(status, STATUS_CLOSED)
      AND superseded_by IS NULL AND pending_choice IS NULL
      AND waits = 0 AND (label < 'group:' OR label >= 'group;')
      AND max(last_activity, last_used) > ?1 + 3660000
    ORDER BY max(last_activity, last_used) LIMIT ?2))
WHERE (SELECT at FROM #session_events
       WHERE id = (SELECT min(id) FROM #session_events NOT INDEXED)) <= ?1
ORDER BY label LIMIT ?2;

-- :session_mend_times (label, now)
UPDATE OR FAIL #sessions SET last_activity = min(last_activity, ?2), last_used = min(last_used, ?2)
WHERE label = ?1;

-- :due_ahead (now): inputs that wait for a time that such a clock has written down need not (queue_due)
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_tried SET due_at = NULL, due_after = NULL
WHERE due_at IS NOT NULL AND status = 'pending' AND due_at - due_after > ?1 + 60000;

-- :runs_ahead (now): the same of ready runs
UPDATE OR FAIL #session_runs INDEXED BY ##session_runs_ready SET heartbeat_at = ?1
WHERE run_state = 'ready' AND heartbeat_at > ?1 + 60000
  AND (SELECT at FROM #session_events
       WHERE id = (SELECT min(id) FROM #session_events NOT INDEXED)) <= ?1;

-- :request_expired (at, limit) → count: how many go
SELECT count(*) FROM (SELECT 1 FROM #turnstile_requests INDEXED BY ##turnstile_requests_by_age
                      WHERE at < ?1 LIMIT ?2);

-- :requests_are_ahead (now) → found: when a clock has written ids down which was ahead
SELECT 1 FROM #turnstile_requests INDEXED BY ##turnstile_requests_by_age
WHERE at > ?1 + 60000 AND (SELECT at FROM #session_events
       WHERE id = (SELECT min(id) FROM #session_events NOT INDEXED)) <= ?1 LIMIT 1;

-- :requests_ahead (now): they are kept no longer than others. (The guards stand open.)
UPDATE OR FAIL #turnstile_requests INDEXED BY ##turnstile_requests_by_age SET at = ?1
WHERE at > ?1 + 60000;

-- :request_drop (at, limit)
DELETE FROM #turnstile_requests INDEXED BY ###turnstile_requests WHERE request_id IN
  (SELECT request_id FROM #turnstile_requests INDEXED BY ##turnstile_requests_by_age
   WHERE at < ?1 ORDER BY at, rowid LIMIT ?2);
