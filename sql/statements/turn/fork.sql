-- fork.sql - session_fork.

-- :session_fork (label, persona_id, parent_turn_id, now)
INSERT OR FAIL INTO #sessions(label, status, persona_id, origin, routing_key, parent_turn_id,
                              work_source, created_at, updated_at, last_activity)
VALUES (?1, 'active', ?2, 'fork', ?1, ?3, 'user', ?4, ?4, ?4);
