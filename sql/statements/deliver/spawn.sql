-- spawn.sql - subagents.

-- :worker_add (label, persona_id, parent_session_label, parent_turn_id, spawn_tool_call_id,
--              task_description, now, timeout)
INSERT OR FAIL INTO #sessions(label, status, persona_id, origin, routing_key, is_subagent,
                              parent_session_label, parent_turn_id, spawn_tool_call_id,
                              task_description, task_status, work_source, created_at, updated_at,
                              last_activity, timeout)
VALUES (?1, 'active', ?2, 'subagent', ?1, 1, ?3, ?4, ?5, ?6, 'pending', 'agent', ?7, ?7, ?7, ?8);

-- :tool_call_spawned (place, spawned_session_label)
UPDATE OR FAIL #tool_calls SET spawned_session_label = ?2 WHERE place = ?1;
