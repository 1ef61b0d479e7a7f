-- spawn.sql - subagents.

-- :worker_add (label, persona_id, parent_session_label, parent_turn_id, spawn_tool_call_id,
--              task_description, now)
INSERT OR FAIL INTO #sessions(label, status, persona_id, origin, routing_key, is_subagent,
                              parent_session_label, parent_turn_id, spawn_tool_call_id,
                              task_description, task_status, work_source, created_at, updated_at,
                              last_activity)
VALUES (?1, 'active', ?2, 'subagent', ?1, 1, ?3, ?4, ?5, ?6, 'pending', 'agent', ?7, ?7, ?7);

-- :worker_status (label, task_status)
UPDATE OR FAIL #sessions SET task_status = ?2 WHERE label = ?1;

-- :workers (parent_session_label) → label, are they at work
SELECT label, task_status = 'pending' OR task_status = 'running'
FROM #sessions INDEXED BY ##sessions_by_parent
WHERE parent_session_label = ?1 AND is_subagent = 1 ORDER BY label DESC;

-- :workers_open_count (parent_session_label, at most) → how many
SELECT count(*) FROM (SELECT 1 FROM #sessions INDEXED BY ##sessions_at_work
  WHERE parent_session_label = ?1 AND is_subagent = 1
    AND (task_status = 'pending' OR task_status = 'running') LIMIT ?2);

-- :tool_call_spawned (place, spawned_session_label)
UPDATE OR FAIL #tool_calls SET spawned_session_label = ?2 WHERE place = ?1;

-- :queue_cancel_all (session_label, now, error)
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_open SET status = 'cancelled', delivered_at = ?2, error = ?3
WHERE session_label = ?1 AND delivered_at IS NULL AND (status = 'pending' OR status = 'handed');

-- :worker_task_done (label, now): a worker that has reported need not be given its task any more
UPDATE OR FAIL #session_queue SET status = 'delivered', delivered_at = ?2
WHERE id = (SELECT min(id) FROM #session_queue INDEXED BY ##session_queue_open WHERE session_label = ?1 AND delivered_at IS NULL)
  AND status = 'pending' AND source = 'agent'
  AND message = (SELECT task_description FROM #sessions WHERE label = ?1);
