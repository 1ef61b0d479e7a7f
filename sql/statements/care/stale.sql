-- stale.sql - what is idle too long.
--
-- A lease whose last sign of life is more than a minute (TURNSTILE_CLOCK_STEP) from now was given by a clock
-- that was ahead: it is over.

-- :stale (now, ask, auto_compact, archive_after, key of ask or NULL, key of auto_compact or NULL, key of
-- archive_after or NULL, which) → label, state, task, idle, ask, auto_compact, archive_after, has_task,
-- unused: which is 1 for sessions with a task, 0 for those without, NULL for both. idle is since the
-- user's last activity, unused since anybody's use, which decides the archive. Three ranges: open tasks by
-- age, sessions without a task by age, and the sessions that override a threshold (those named by a key;
-- an argument that was given leaves its key out). Inputs that wait keep a session out of the archive; one
-- that was handed over and never taken up does so where turns are kept (a host that keeps none never says
-- that it has taken one up). A group is archived only by an archive_after of its own: its silence is no
-- end. One in error is never: it waits for somebody, and age heals nothing.
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
                  AND r.run_state IN (#LIST_LIVE_RUN))
UNION ALL
SELECT s.label, 'None', NULL, max(?1 - s.last_activity, 0), ?2, ?3, ?4, 0,
       max(?1 - max(s.last_activity, s.last_used), 0)
FROM #sessions AS s INDEXED BY ##sessions_unused
WHERE ifnull(?8, 0) = 0
  AND s.open_task_id IS NULL AND none_of(s.status, STATUS_CLOSED)
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
                  AND r.run_state IN (#LIST_LIVE_RUN))
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
                    AND r.run_state IN (#LIST_LIVE_RUN)) END
) WHERE CASE WHEN own <> '' AND ifnull(?8, has_task) = has_task
        THEN CASE WHEN has_task THEN idle > min(ask, auto_compact) ELSE unused > archive_after END END;

-- :stale_all (now, ask, auto_compact, archive_after, key of ask or NULL, key of auto_compact or NULL, key
-- of archive_after or NULL) → :stale: every session that is not archived, the fresh ones too. What keeps
-- a session from going stale (a live run, inputs that wait, an open choice) or from the archive (a group)
-- shows as a threshold that is never reached.
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
                     AND r.run_state IN (#LIST_LIVE_RUN)) AS live,
             status = 'error' OR open_task_id IS NULL AND (pending_choice IS NOT NULL
               OR EXISTS (SELECT 1 FROM #session_queue AS q INDEXED BY ##session_queue_open WHERE q.session_label = label
                          AND q.delivered_at IS NULL
                          AND (q.status <> 'handed' OR q.awaits_turn = 1))) AS waits
      FROM #sessions WHERE status <> 'archived' AND superseded_by IS NULL) AS s;

-- :stale_one (now, ask, auto_compact, archive_after, key of ask or NULL, key of auto_compact or NULL, key
-- of archive_after or NULL, label) → :stale
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
                     AND r.run_state IN (#LIST_LIVE_RUN)) AS live,
             status = 'error' OR open_task_id IS NULL AND (pending_choice IS NOT NULL
               OR EXISTS (SELECT 1 FROM #session_queue AS q INDEXED BY ##session_queue_open WHERE q.session_label = label
                          AND q.delivered_at IS NULL
                          AND (q.status <> 'handed' OR q.awaits_turn = 1))) AS waits
      FROM #sessions WHERE status <> 'archived' AND superseded_by IS NULL AND label = ?8) AS s;
