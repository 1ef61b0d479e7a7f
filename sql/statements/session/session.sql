-- session.sql - sessions and events.

-- :session_load (label) → label, status, status_reason, pending_choice, open_task_id, work_source,
-- offered_at, created_at, last_activity, persona_id, superseded_by, origin, archived_at, resume_cursor,
-- is_subagent, run_state, owner, data, heartbeat_at, expires_at, token, turn_id, thread_id, lease,
-- queue_mode, parent_session_label, task_status, failed_turn_id, last_used, deadline, head_event_id,
-- timeout: the session with its run
SELECT s.label, s.status, s.status_reason, s.pending_choice, s.open_task_id, s.work_source,
       s.offered_at, s.created_at, s.last_activity, s.persona_id, s.superseded_by, s.origin,
       s.archived_at, s.resume_cursor, s.is_subagent,
       r.run_state, r.owner, r.data, r.heartbeat_at, r.expires_at, r.token, r.turn_id, s.thread_id,
       r.lease, s.queue_mode, s.parent_session_label, s.task_status,
       r.failed_turn_id, s.last_used, s.deadline, s.head_event_id, s.timeout
FROM #sessions AS s INDEXED BY ###sessions
LEFT JOIN #session_runs AS r INDEXED BY ###session_runs ON r.session_label = s.label
WHERE s.label = ?1;

-- :session_task (id) → description, state, state_data, started_at, head_step_id, base_commit_id, worked,
-- asked_after: its open task
SELECT description, state, state_data, started_at, head_step_id, base_commit_id, worked,
       asked_after
FROM #tasks WHERE id = ?1;

-- :alias_target (alias) → session_label, home: the session for which it was made where a merge took it
-- along
SELECT session_label, (SELECT session_label FROM #alias_homes WHERE alias = ?1) FROM #session_aliases INDEXED BY ###session_aliases
WHERE alias = ?1;

-- :session_create (label, persona_id, origin, now, source)
INSERT OR FAIL INTO #sessions(label, status, persona_id, origin, routing_key, work_source,
                              created_at, updated_at, last_activity)
VALUES (?1, 'active', ?2, ?3, ?1, ?5, ?4, ?4, ?4);

-- :session_save (label, status, status_reason, pending_choice, open_task_id, work_source,
--                offered_at, archived_at, last_activity, now, last_used)
UPDATE OR FAIL #sessions SET status = ?2, status_reason = ?3, pending_choice = ?4,
  open_task_id = ?5, work_source = ?6, offered_at = ?7, archived_at = ?8, last_activity = ?9,
  updated_at = ?10, last_used = ?11
WHERE label = ?1;

-- :session_seen (label, work_source, now): the same when only this has changed
UPDATE OR FAIL #sessions SET work_source = ?2, updated_at = ?3 WHERE label = ?1;

-- :session_active (label, work_source, last_activity, now)
UPDATE OR FAIL #sessions SET work_source = ?2, last_activity = ?3, updated_at = ?4
WHERE label = ?1;

-- :session_used (label, work_source, last_activity, now, last_used)
UPDATE OR FAIL #sessions SET work_source = ?2, last_activity = ?3, updated_at = ?4, last_used = ?5
WHERE label = ?1;

-- :session_left (label, head_event_id): something is handed over; what happens now is the next turn's
UPDATE OR FAIL #sessions SET head_event_id = ?2 WHERE label = ?1;

-- :session_used_until (label, last_used): the same where nothing else is saved
UPDATE OR FAIL #sessions SET last_used = ?2 WHERE label = ?1;

-- :session_refused (label, now, why, source, channel, sender, message): an input that was not taken is
-- counted, and the newest of them kept
UPDATE OR FAIL #sessions SET refused = json_object(
  'count', ifnull(iif(is_json(refused), json_extract(refused, '$.count'), 0), 0) + 1,
  'since', ifnull(iif(is_json(refused), json_extract(refused, '$.since'), ?2), ?2),
  'at', ?2, 'why', ?3, 'source', ?4, 'channel', ?5, 'sender', ?6, 'message', ?7)
WHERE label = ?1;

-- :session_acknowledged (label): somebody has looked at what was refused
UPDATE OR FAIL #sessions SET refused = NULL WHERE label = ?1 AND refused IS NOT NULL;

-- :session_holds (label): its status does not let it take inputs. What is open in it shows so;
-- where no turns are kept, nobody ever says that what was handed over is taken up.
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_open SET held = 1
WHERE session_label = ?1 AND delivered_at IS NULL AND (awaits_turn = 1 OR status <> 'handed');

-- :session_holding (label) → found: when something is
SELECT 1 FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND delivered_at IS NULL AND (awaits_turn = 1 OR status <> 'handed') LIMIT 1;

-- :event_add+id (session_label, task_id, axis, from_state, to_state, trigger, data, at)
INSERT OR FAIL INTO #session_events(session_label, task_id, axis, from_state, to_state, "trigger",
                                    data, at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);
