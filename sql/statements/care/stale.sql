-- stale.sql - what is idle too long, and runs that nobody tends.
--
-- A lease whose last sign of life is more than a minute (TURNSTILE_CLOCK_STEP) from now was given by a clock
-- that was ahead: it is over.

-- :stale (now, ask, auto_compact, archive_after, key of ask or NULL, key of auto_compact or NULL,
--         key of archive_after or NULL, 1: those with a task, 0: those without, NULL: both) →
--        label, state, task, idle, ask, auto_compact, archive_after, has_task, unused
-- idle is since the user's last activity, unused since anybody's use, which decides the archive. Three
-- ranges: open tasks by age, sessions without a task by age, and the sessions that override a threshold (those named by a key; an argument that was given leaves its key out). Inputs that
-- wait keep a session out of the archive; one that was handed over and never taken up does so where turns
-- are kept (a host that keeps none never says that it has taken one up).
-- A group is archived only by an archive_after of its own: its silence is no end. One in error is never: it
-- waits for somebody, and age heals nothing.
SELECT s.label, (SELECT state FROM #tasks WHERE id = s.open_task_id),
       (SELECT description FROM #tasks WHERE id = s.open_task_id), max(?1 - s.last_activity, 0),
       ?2, ?3, iif(s.status = 'error', 9007199254740991, ?4), 1,
       max(?1 - max(s.last_activity, s.last_used), 0)
FROM #sessions AS s INDEXED BY ##sessions_by_open_task
WHERE ifnull(?8, 1) = 1
  AND s.open_task_id IS NOT NULL AND s.status <> 'archived' AND s.last_activity < ?1 - ?2
  AND (SELECT id FROM #tasks WHERE id = s.open_task_id) IS NOT NULL
  AND s.superseded_by IS NULL
  AND NOT EXISTS (SELECT 1 FROM #turnstile_config AS o
                  INDEXED BY ##turnstile_config_by_key WHERE o.session_label = s.label
                  AND o.key IN (?5, ?6, ?7))
  AND NOT EXISTS (SELECT 1 FROM #session_runs AS r WHERE r.session_label = s.label
                  AND r.expires_at > ?1 AND ifnull(r.heartbeat_at, 0) - 60000 <= ?1
                  AND r.run_state IN ('starting', 'running', 'interrupted'))
UNION ALL
SELECT s.label, 'None', NULL, max(?1 - s.last_activity, 0), ?2, ?3, ?4, 0,
       max(?1 - max(s.last_activity, s.last_used), 0)
FROM #sessions AS s INDEXED BY ##sessions_unused
WHERE ifnull(?8, 0) = 0
  AND s.open_task_id IS NULL AND s.status <> 'archived' AND s.status <> 'error'
  AND s.pending_choice IS NULL
  AND s.superseded_by IS NULL
  AND max(s.last_activity, s.last_used) < ?1 - ?4
  AND s.waits = 0 AND (s.label < 'group:' OR s.label >= 'group;')
  AND NOT EXISTS (SELECT 1 FROM #turnstile_config AS o
                  INDEXED BY ##turnstile_config_by_key WHERE o.session_label = s.label
                  AND o.key IN (?5, ?6, ?7))
  AND NOT EXISTS (SELECT 1 FROM #session_queue AS q INDEXED BY ##session_queue_open WHERE q.session_label = s.label
                  AND q.delivered_at IS NULL AND (q.status <> 'handed' OR q.awaits_turn = 1))
  AND NOT EXISTS (SELECT 1 FROM #session_runs AS r WHERE r.session_label = s.label
                  AND r.expires_at > ?1 AND ifnull(r.heartbeat_at, 0) - 60000 <= ?1
                  AND r.run_state IN ('starting', 'running', 'interrupted'))
UNION ALL
SELECT label, state, description, idle, ask, auto_compact, archive_after, has_task, unused FROM (
  SELECT o.session_label AS own, s.label AS label,
         coalesce((SELECT state FROM #tasks WHERE id = s.open_task_id), 'None') AS state,
         (SELECT description FROM #tasks WHERE id = s.open_task_id) AS description,
         max(?1 - s.last_activity, 0) AS idle,
         coalesce((SELECT value FROM #turnstile_config WHERE session_label = s.label AND key = ?5),
                  ?2) AS ask,
         coalesce((SELECT value FROM #turnstile_config WHERE session_label = s.label AND key = ?6),
                  ?3) AS auto_compact,
         iif(s.status = 'error', 9007199254740991, coalesce(
           (SELECT value FROM #turnstile_config WHERE session_label = s.label AND key = ?7),
           iif(s.label >= 'group:' AND s.label < 'group;', 9007199254740991, ?4)))
           AS archive_after,
         s.open_task_id IS NOT NULL AS has_task,
         max(?1 - max(s.last_activity, s.last_used), 0) AS unused
  FROM (SELECT DISTINCT session_label FROM #turnstile_config INDEXED BY ##turnstile_config_by_key
        WHERE key IN (?5, ?6, ?7) AND session_label <> '') AS o
  CROSS JOIN #sessions AS s INDEXED BY ###sessions ON s.label = o.session_label
  WHERE CASE WHEN o.session_label <> '' THEN s.status <> 'archived' AND s.superseded_by IS NULL
    AND (s.open_task_id IS NOT NULL OR s.pending_choice IS NULL)
    AND (s.open_task_id IS NOT NULL
         OR NOT EXISTS (SELECT 1 FROM #session_queue AS q INDEXED BY ##session_queue_open WHERE q.session_label = s.label
                        AND q.delivered_at IS NULL
                        AND (q.status <> 'handed' OR q.awaits_turn = 1)))
    AND NOT EXISTS (SELECT 1 FROM #session_runs AS r WHERE r.session_label = s.label
                    AND r.expires_at > ?1 AND ifnull(r.heartbeat_at, 0) - 60000 <= ?1
                    AND r.run_state IN ('starting', 'running', 'interrupted')) END
) WHERE CASE WHEN own <> '' AND ifnull(?8, has_task) = has_task
        THEN CASE WHEN has_task THEN idle > min(ask, auto_compact) ELSE unused > archive_after END END;

-- :stale_all (now, ask, auto_compact, archive_after, keys…): every session that is not archived, the
-- fresh ones too. What keeps a session from going stale (a live run, inputs that wait, an open
-- choice) or from the archive (a group) shows as a threshold that is never reached.
SELECT s.label, coalesce((SELECT state FROM #tasks WHERE id = s.open_task_id), 'None'),
       (SELECT description FROM #tasks WHERE id = s.open_task_id), max(?1 - s.last_activity, 0),
       CASE WHEN s.live THEN 9007199254740991 ELSE coalesce(
         (SELECT value FROM #turnstile_config WHERE session_label = s.label AND key = ?5), ?2) END,
       CASE WHEN s.live THEN 9007199254740991 ELSE coalesce(
         (SELECT value FROM #turnstile_config WHERE session_label = s.label AND key = ?6), ?3) END,
       CASE WHEN s.live OR s.waits THEN 9007199254740991 ELSE coalesce(
         (SELECT value FROM #turnstile_config WHERE session_label = s.label AND key = ?7),
         iif(s.label >= 'group:' AND s.label < 'group;', 9007199254740991, ?4)) END,
       s.open_task_id IS NOT NULL, max(?1 - max(s.last_activity, s.last_used), 0)
FROM (SELECT label, last_activity, last_used, open_task_id,
             EXISTS (SELECT 1 FROM #session_runs AS r WHERE r.session_label = label
                     AND r.expires_at > ?1 AND ifnull(r.heartbeat_at, 0) - 60000 <= ?1
                     AND r.run_state IN ('starting', 'running', 'interrupted')) AS live,
             status = 'error' OR open_task_id IS NULL AND (pending_choice IS NOT NULL
               OR EXISTS (SELECT 1 FROM #session_queue AS q INDEXED BY ##session_queue_open WHERE q.session_label = label
                          AND q.delivered_at IS NULL
                          AND (q.status <> 'handed' OR q.awaits_turn = 1))) AS waits
      FROM #sessions WHERE status <> 'archived' AND superseded_by IS NULL) AS s;

-- :stale_one (now, ask, auto_compact, archive_after, keys…, label)
SELECT s.label, coalesce((SELECT state FROM #tasks WHERE id = s.open_task_id), 'None'),
       (SELECT description FROM #tasks WHERE id = s.open_task_id), max(?1 - s.last_activity, 0),
       CASE WHEN s.live THEN 9007199254740991 ELSE coalesce(
         (SELECT value FROM #turnstile_config WHERE session_label = s.label AND key = ?5), ?2) END,
       CASE WHEN s.live THEN 9007199254740991 ELSE coalesce(
         (SELECT value FROM #turnstile_config WHERE session_label = s.label AND key = ?6), ?3) END,
       CASE WHEN s.live OR s.waits THEN 9007199254740991 ELSE coalesce(
         (SELECT value FROM #turnstile_config WHERE session_label = s.label AND key = ?7),
         iif(s.label >= 'group:' AND s.label < 'group;', 9007199254740991, ?4)) END,
       s.open_task_id IS NOT NULL, max(?1 - max(s.last_activity, s.last_used), 0)
FROM (SELECT label, last_activity, last_used, open_task_id,
             EXISTS (SELECT 1 FROM #session_runs AS r WHERE r.session_label = label
                     AND r.expires_at > ?1 AND ifnull(r.heartbeat_at, 0) - 60000 <= ?1
                     AND r.run_state IN ('starting', 'running', 'interrupted')) AS live,
             status = 'error' OR open_task_id IS NULL AND (pending_choice IS NOT NULL
               OR EXISTS (SELECT 1 FROM #session_queue AS q INDEXED BY ##session_queue_open WHERE q.session_label = label
                          AND q.delivered_at IS NULL
                          AND (q.status <> 'handed' OR q.awaits_turn = 1))) AS waits
      FROM #sessions WHERE status <> 'archived' AND superseded_by IS NULL AND label = ?8) AS s;

-- :left_behind (limit) → session_label, description of tasks that are Complete or Aborted and have no
-- commit yet
SELECT session_label, description FROM #tasks INDEXED BY ##tasks_left_behind
WHERE likelihood(state IN ('Complete', 'Aborted'), 1.0) ORDER BY session_label LIMIT ?1;

-- :task_kept (label) → 1 when its newest task has a commit
SELECT 1 FROM #tasks WHERE id = (SELECT max(id) FROM #tasks INDEXED BY ##tasks_by_session
                                 WHERE session_label = ?1)
  AND commit_id IS NOT NULL;

-- :runs_expired (now, limit) → session_label, run_state, owner of leases that are over. No more than the
-- limit are read of those that ran out.
SELECT session_label, run_state, owner FROM (
  SELECT session_label, run_state, owner, expires_at FROM (
    SELECT session_label AS session_label, run_state AS run_state, owner AS owner, expires_at AS expires_at
    FROM #session_runs INDEXED BY ##session_runs_by_expiry
    WHERE expires_at <= ?1 AND run_state <> 'idle' ORDER BY expires_at LIMIT ?2)
  UNION ALL
  SELECT session_label, run_state, owner, expires_at
  FROM #session_runs INDEXED BY ##session_runs_by_expiry
  WHERE expires_at > ?1 AND heartbeat_at - 60000 > ?1 AND run_state <> 'idle')
ORDER BY expires_at, session_label LIMIT ?2;

-- :runs_idle (now, timeout, limit) → ready runs without a sign of life for longer than the timeout
-- (each session's own, where it has one; none is shorter than a second)
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

-- :sessions_ahead (now, limit) → label, NULL: sessions whose last activity or use a clock has written down
-- that was ahead, unless it is this clock that is behind the file's beginning. (An open task has an index
-- by last_activity alone; last_used is up to an hour ahead. No more than the limit are read of either.)
SELECT label, NULL FROM (
  SELECT label FROM (SELECT label AS label FROM #sessions INDEXED BY ##sessions_by_open_task
    WHERE open_task_id IS NOT NULL AND status <> 'archived' AND superseded_by IS NULL
      AND last_activity > ?1 + 60000 ORDER BY last_activity LIMIT ?2)
  UNION ALL
  SELECT label FROM (SELECT label AS label FROM #sessions INDEXED BY ##sessions_unused
    WHERE open_task_id IS NULL AND status <> 'archived' AND status <> 'error'
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

-- :deadlines_ahead (now): workers that were given their task by a clock that was ahead have their time from now on
UPDATE OR FAIL #sessions INDEXED BY ##sessions_by_given
SET deadline = min(9007199254740991, ?1 + timeout), created_at = min(created_at, ?1)
WHERE deadline IS NOT NULL AND deadline - timeout > ?1 + 60000
  AND (SELECT at FROM #session_events
       WHERE id = (SELECT min(id) FROM #session_events NOT INDEXED)) <= ?1;

-- :due_ahead (now): inputs that wait for a time that such a clock has written down need not (queue_due)
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_tried SET due_at = NULL, due_after = NULL
WHERE due_at IS NOT NULL AND status = 'pending' AND due_at - due_after > ?1 + 60000;

-- :runs_ahead (now): the same of ready runs
UPDATE OR FAIL #session_runs INDEXED BY ##session_runs_ready SET heartbeat_at = ?1
WHERE run_state = 'ready' AND heartbeat_at > ?1 + 60000
  AND (SELECT at FROM #session_events
       WHERE id = (SELECT min(id) FROM #session_events NOT INDEXED)) <= ?1;

-- :runs_of_owner (owner) → session_label, run_state
SELECT session_label, run_state, owner FROM #session_runs INDEXED BY ##session_runs_busy
WHERE owner = ?1 AND run_state <> 'idle'
ORDER BY session_label;

-- :runs_all () → session_label, run_state
SELECT session_label, run_state, owner FROM #session_runs INDEXED BY ###session_runs
WHERE likelihood(run_state <> 'idle', 1.0)
ORDER BY session_label;


-- :run_add (session_label, owner, run_state, data, now, token)
INSERT OR FAIL INTO #session_runs(session_label, owner, run_state, data, acquired_at, heartbeat_at,
                                  token)
VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6);

-- :run_last_state (session_label) → to_state of the last event of a run
SELECT to_state FROM #session_events INDEXED BY ##session_events_by_session WHERE session_label = ?1
  AND likelihood(axis = 'run', 1.0) ORDER BY id DESC LIMIT 1;

-- :run_move (session_label, owner, run_state, data, now). A lease that a clock has given which was ahead stays
-- over.
UPDATE OR FAIL #session_runs SET owner = ?2, run_state = ?3, data = ?4, heartbeat_at = ?5,
  expires_at = iif(heartbeat_at - 60000 > ?5, min(expires_at, ?5), expires_at)
WHERE session_label = ?1;

-- :run_reset (session_label): idle, without a lease
UPDATE OR FAIL #session_runs SET run_state = 'idle', turn_id = NULL, expires_at = NULL
WHERE session_label = ?1;

-- :queue_give_back (session_label): items whose turn is not there wait again
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'pending', turn_id = NULL
WHERE session_label = ?1 AND status = 'processing' AND status <> 'pending' AND delivered_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM #turns AS t WHERE t.id = turn_id);

-- :queue_orphans (session_label) → turn_id, how many: items that are being processed in a turn that no
-- run of the session has
SELECT turn_id, count(*) FROM #session_queue AS q INDEXED BY ##session_queue_processing
WHERE session_label = ?1 AND status = 'processing'
  AND NOT EXISTS (SELECT 1 FROM #session_runs AS r
                  WHERE r.session_label = ?1 AND r.turn_id = q.turn_id
                    AND (SELECT status FROM #turns WHERE id = q.turn_id) = 'running')
GROUP BY turn_id;

-- :queue_orphaned (limit) → session_label, NULL, NULL: sessions that have such items
SELECT DISTINCT session_label, NULL, NULL FROM #session_queue AS q INDEXED BY ##session_queue_processing
WHERE status = 'processing'
  AND NOT EXISTS (SELECT 1 FROM #session_runs AS r
                  WHERE r.session_label = q.session_label AND r.turn_id = q.turn_id
                    AND (SELECT status FROM #turns WHERE id = q.turn_id) = 'running')
ORDER BY session_label LIMIT ?1;

-- :queue_processing_count (session_label) → how many
SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND status = 'processing' AND status <> 'pending' AND delivered_at IS NULL;
