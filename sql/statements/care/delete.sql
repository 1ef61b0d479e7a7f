-- delete.sql - session_delete: what belongs to a session, which turns only it can reach, and the
-- removal of both.

-- :delete_counts (session_label) → tasks, steps, commits, observations, edges, objects, events, history,
-- deliveries, queue, waiting, aliases, settings, merged: what is counted here goes.
SELECT
  (SELECT count(*) FROM #tasks WHERE session_label = ?1),
  (SELECT count(*) FROM #tasks AS t INDEXED BY ##tasks_by_session
   CROSS JOIN #steps AS p INDEXED BY ###steps ON p.task_id = t.id
   WHERE t.session_label = ?1),
  (SELECT count(*) FROM #commits INDEXED BY ##commits_by_session WHERE session_label = ?1),
  (SELECT count(*) FROM #tasks AS t INDEXED BY ##tasks_by_session
   CROSS JOIN #observations AS o INDEXED BY ##observations_by_task ON o.task_id = t.id
   WHERE t.session_label = ?1)
    + (SELECT count(*) FROM #observations INDEXED BY ##observations_without_task
       WHERE session_label = ?1 AND task_id IS NULL),
  (SELECT count(*) FROM #edges WHERE session_label = ?1),
  (SELECT count(*) FROM #objects AS o
   WHERE o.id IN (SELECT b.object_id FROM #tasks AS t INDEXED BY ##tasks_by_session
                  CROSS JOIN #observations AS b INDEXED BY ##observations_by_task ON b.task_id = t.id
                  WHERE t.session_label = ?1 AND CASE WHEN b.task_id = t.id THEN b.object_id END IS NOT NULL
                  UNION ALL
                  SELECT object_id FROM #observations INDEXED BY ##observations_without_task
                  WHERE session_label = ?1 AND task_id IS NULL AND object_id IS NOT NULL)
   AND NOT EXISTS (SELECT 1 FROM #observations INDEXED BY ##observations_by_object
                   WHERE object_id = o.id AND session_label <> ?1)),
  (SELECT count(*) FROM #session_events WHERE session_label = ?1),
  (SELECT count(*) FROM #session_history INDEXED BY ##session_history_by_session WHERE session_label = ?1),
  (SELECT count(*) FROM #deliveries WHERE session_label = ?1),
  (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_done WHERE session_label = ?1 AND delivered_at IS NOT NULL),
  (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_open WHERE session_label = ?1 AND delivered_at IS NULL),
  (SELECT count(*) FROM #session_aliases INDEXED BY ##session_aliases_by_session
   WHERE session_label = ?1),
  (SELECT count(*) FROM #turnstile_config WHERE session_label = ?1),
  (SELECT count(*) FROM #sessions INDEXED BY ##sessions_by_successor WHERE superseded_by = ?1);

-- :delete_merged (superseded_by) → label: of the sessions that were merged into this one
SELECT label FROM #sessions INDEXED BY ##sessions_by_successor WHERE superseded_by = ?1 LIMIT 1;

-- :delete_history (session_label) → thread_id: every place its head was at
SELECT thread_id FROM #session_history INDEXED BY ##session_history_by_session WHERE session_label = ?1
  AND likelihood(thread_id <> 0, 1.0)
ORDER BY id;

-- :delete_ended (session_label) → turn: what failed or was aborted, from events whose data is
-- {"turn":id}
SELECT CAST(substr(data, 9) AS INTEGER) FROM #session_events
WHERE session_label = ?1 AND axis = 'turn' AND (one_of(to_state, TURN_FAILED))
  AND substr(data, 1, 8) = '{"turn":'
ORDER BY id;

-- :delete_last (first turn, last turn) → turn_id: the last turn that is there, NULL when none is
SELECT max(id) FROM #turns WHERE id BETWEEN ?1 AND ?2;

-- :delete_pointed (first turn, last turn, session_label) → turn_id: the last turn of a range that a
-- session other than this one points to, 0 when there is none
SELECT max(
  ifnull((SELECT thread_id FROM #session_history INDEXED BY ##session_history_by_turn
          WHERE thread_id BETWEEN ?1 AND ?2 AND session_label <> ?3
          ORDER BY thread_id DESC LIMIT 1), 0),
  ifnull((SELECT turn_id FROM #session_runs INDEXED BY ##session_runs_by_turn
          WHERE turn_id BETWEEN ?1 AND ?2 AND session_label <> ?3
          ORDER BY turn_id DESC LIMIT 1), 0),
  ifnull((SELECT failed_turn_id FROM #session_runs INDEXED BY ##session_runs_by_failed_turn
          WHERE failed_turn_id BETWEEN ?1 AND ?2 AND session_label <> ?3
          ORDER BY failed_turn_id DESC LIMIT 1), 0),
  ifnull((SELECT turn_id FROM #session_queue INDEXED BY ##session_queue_by_failed_turn
          WHERE turn_id BETWEEN ?1 AND ?2 AND status = 'failed' AND session_label <> ?3
          ORDER BY turn_id DESC LIMIT 1), 0));

-- :delete_branches_of (first turn, last turn) → parent_turn_id, id: branches that grow from a range,
-- from its end upwards
SELECT parent_turn_id, id FROM #branches INDEXED BY ##branches_by_parent WHERE parent_turn_id BETWEEN ?1 AND ?2
ORDER BY parent_turn_id DESC;

-- :delete_resumed (first turn, last turn) → turn_id, needed_by: failed turns of a range that another turn
-- goes on from, from the end upwards
SELECT resumes_turn_id, id FROM #turns INDEXED BY ##turns_by_resumed WHERE resumes_turn_id BETWEEN ?1 AND ?2
ORDER BY resumes_turn_id DESC;

-- :delete_recoveries (first turn, last turn) → :delete_resumed: compactions of a range that were made for
-- a running turn, from the end upwards
SELECT turn_id, recovered_turn_id FROM #compactions
WHERE turn_id BETWEEN ?1 AND ?2 AND +recovered_turn_id IS NOT NULL ORDER BY turn_id DESC;

-- :delete_recovered (first turn, last turn) → turn_id: compactions that were made for a turn of a
-- range
SELECT turn_id FROM #compactions INDEXED BY ##compactions_by_recovery WHERE recovered_turn_id BETWEEN ?1 AND ?2;

-- :delete_begun_with (turn, the turn above it) → id: turns in the same place that begin with this one, a
-- compaction beside them
SELECT t.id FROM #branches AS b INDEXED BY ##branches_by_parent
CROSS JOIN #turns AS t ON t.id = (b.id << #DEPTH_BITS | b.first_depth)
WHERE b.parent_turn_id = ?2 AND t.context_turn_id = ?1 AND t.id <> ?1
UNION ALL
SELECT id FROM #turns WHERE id = ?2 + 1 AND context_turn_id = ?1 AND id <> ?1;

-- :delete_beginnings (first turn, last turn) → context_turn_id: compactions beside turns of a range, which
-- begin with them
SELECT context_turn_id FROM #turns
WHERE id BETWEEN ?1 AND ?2 AND context_turn_id <> id
  AND (context_turn_id & #DEPTH_MASK) = (id & #DEPTH_MASK);

-- :delete_sizes (first turn, last turn, first place, last place) → turns, messages, tool_calls,
-- compactions: of a range
SELECT (SELECT count(*) FROM #turns WHERE id BETWEEN ?1 AND ?2),
       (SELECT count(*) FROM #messages WHERE place BETWEEN ?3 AND ?4),
       (SELECT count(*) FROM #tool_calls WHERE place BETWEEN ?3 AND ?4),
       (SELECT count(*) FROM #compactions WHERE turn_id BETWEEN ?1 AND ?2);

-- :delete_messages (first place, last place)
DELETE FROM #messages WHERE place BETWEEN ?1 AND ?2;

-- :delete_tool_calls (first place, last place)
DELETE FROM #tool_calls WHERE place BETWEEN ?1 AND ?2;

-- :delete_compactions (first turn, last turn)
DELETE FROM #compactions WHERE turn_id BETWEEN ?1 AND ?2;

-- :delete_turns (first turn, last turn)
DELETE FROM #turns WHERE id BETWEEN ?1 AND ?2;

-- :delete_branches (first id, last id)
DELETE FROM #branches WHERE id BETWEEN ?1 AND ?2;

-- :delete_close (id): nothing is added at the end of this branch any more
UPDATE OR FAIL #branches SET closed = 1 WHERE id = ?1;

-- :delete_last_branch (id): the highest id that a branch had
INSERT INTO #turnstile_meta(key, value) VALUES ('last_branch', ?1)
ON CONFLICT(key) DO UPDATE SET value = excluded.value;

-- :delete_forget_recovered (first turn, last turn): a compaction that stays was made for a turn that
-- is gone
UPDATE OR FAIL #compactions INDEXED BY ##compactions_by_recovery SET recovered_turn_id = NULL WHERE recovered_turn_id BETWEEN ?1 AND ?2;

-- :delete_forget_failed (first turn, last turn): what has failed in them, and went home
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_by_failed_turn SET turn_id = NULL
WHERE status = 'failed' AND turn_id BETWEEN ?1 AND ?2;

-- :delete_forget_origin (first turn, last turn): a session that stays was spawned by a turn that is
-- gone
UPDATE OR FAIL #sessions INDEXED BY ##sessions_by_parent_turn SET parent_turn_id = NULL
WHERE parent_turn_id BETWEEN ?1 AND ?2;

-- :delete_forget_merge (superseded_by): sessions that were merged into this one stand by themselves
UPDATE OR FAIL #sessions INDEXED BY ##sessions_by_successor SET superseded_by = NULL
WHERE superseded_by = ?1;

-- :delete_objects (session_label): what no other session has seen; before its observations go
DELETE FROM #objects AS o INDEXED BY ###objects
WHERE o.id IN (SELECT b.object_id FROM #tasks AS t INDEXED BY ##tasks_by_session
               CROSS JOIN #observations AS b INDEXED BY ##observations_by_task ON b.task_id = t.id
             WHERE t.session_label = ?1 AND CASE WHEN b.task_id = t.id THEN b.object_id END IS NOT NULL
             UNION ALL
             SELECT object_id FROM #observations INDEXED BY ##observations_without_task
             WHERE session_label = ?1 AND task_id IS NULL AND object_id IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM #observations INDEXED BY ##observations_by_object WHERE object_id = o.id
                  AND session_label <> ?1);

-- :delete_observations (session_label)
DELETE FROM #observations INDEXED BY ##observations_by_task
WHERE task_id IN (SELECT id FROM #tasks WHERE session_label = ?1);

-- :delete_loose_observations (session_label): those that belong to no task
DELETE FROM #observations INDEXED BY ##observations_without_task
WHERE session_label = ?1 AND task_id IS NULL;

-- :delete_steps (session_label)
DELETE FROM #steps INDEXED BY ###steps
WHERE task_id IN (SELECT id FROM #tasks WHERE session_label = ?1);

-- :delete_edges (session_label)
DELETE FROM #edges INDEXED BY ##edges_by_session WHERE session_label = ?1;

-- :delete_commits (session_label)
DELETE FROM #commits INDEXED BY ##commits_by_session WHERE session_label = ?1;

-- :delete_tasks (session_label)
DELETE FROM #tasks INDEXED BY ##tasks_by_session WHERE session_label = ?1;

-- :delete_events (session_label)
DELETE FROM #session_events INDEXED BY ##session_events_by_session WHERE session_label = ?1;

-- :delete_moves (session_label)
DELETE FROM #session_history INDEXED BY ##session_history_by_session WHERE session_label = ?1;

-- :delete_deliveries (session_label)
DELETE FROM #deliveries INDEXED BY ##deliveries_by_session WHERE session_label = ?1;

-- :delete_queue (session_label)
DELETE FROM #session_queue INDEXED BY ##session_queue_open WHERE session_label = ?1 AND delivered_at IS NULL;

-- :delete_queue_done (session_label)
DELETE FROM #session_queue INDEXED BY ##session_queue_done WHERE session_label = ?1 AND delivered_at IS NOT NULL;

-- :delete_aliases (session_label)
DELETE FROM #session_aliases INDEXED BY ##session_aliases_by_session WHERE session_label = ?1;

-- :delete_homes (session_label): of aliases that go, and of those that a merge took along
DELETE FROM #alias_homes
WHERE alias IN (SELECT alias FROM #alias_homes INDEXED BY ##alias_homes_by_session
                WHERE session_label = ?1
                UNION
                SELECT alias FROM #session_aliases INDEXED BY ##session_aliases_by_session
                WHERE session_label = ?1);

-- :delete_keys (session_label)
DELETE FROM #identity_keys WHERE key = ?1;

-- :delete_settings (session_label)
DELETE FROM #turnstile_config WHERE session_label = ?1;

-- :delete_run (session_label)
DELETE FROM #session_runs WHERE session_label = ?1;

-- :delete_session (label)
DELETE FROM #sessions WHERE label = ?1;

-- :delete_forget_parent (label): the name may later mean another session, and these are not its
-- workers
UPDATE OR FAIL #sessions INDEXED BY ##sessions_by_parent SET parent_session_label = NULL
WHERE parent_session_label = ?1;
