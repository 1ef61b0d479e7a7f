-- export.sql - session_export: the rows of a session, a statement per section of the document. The
-- first column is the id by which other rows know the row, the rest are the section's fields in order
-- (document.h); references are ids here, and become numbers later. Steps, commits and objects go by
-- their rowids.

-- :export_session (label) → row, status, status_reason, persona_id, routing_key, work_source, queue_mode,
-- pending_choice, resume_cursor, head, failed_turn, open_task, offered_at, created_at, updated_at,
-- last_activity, archived_at, input_tokens, output_tokens, cached_input_tokens, cache_write_tokens,
-- reasoning_tokens, total_tokens, refused, head_events
SELECT NULL, s.status, s.status_reason, s.persona_id,
       iif(s.routing_key = s.label, NULL, s.routing_key), s.work_source, s.queue_mode,
       iif(json_type(json_of(s.pending_choice), '$.homes') IS NULL, s.pending_choice,
           json_remove(s.pending_choice, '$.homes')), s.resume_cursor, s.thread_id, NULL, s.open_task_id, s.offered_at,
       s.created_at, s.updated_at, s.last_activity, s.archived_at, s.input_tokens, s.output_tokens,
       s.cached_input_tokens, s.cache_write_tokens, s.reasoning_tokens, s.total_tokens,
       s.refused, s.head_event_id
FROM #sessions AS s WHERE s.label = ?1;

-- :export_tasks (label) → row, n, description, state, state_data, started_at, last_activity, ended_at,
-- head_step, base_commit, commit, worked, continues, asked_after
SELECT t.id, NULL, t.description, t.state, t.state_data, t.started_at, t.last_activity, t.ended_at,
       (SELECT p.rowid FROM #steps AS p WHERE p.task_id = t.id AND p.id = t.head_step_id),
       (SELECT seq FROM #commits WHERE id = t.base_commit_id),
       (SELECT seq FROM #commits WHERE id = t.commit_id), t.worked, t.continues_id,
       t.asked_after
FROM #tasks AS t WHERE t.session_label = ?1 ORDER BY t.id;

-- :export_steps (label) → row, n, task, id, parent, step_kind, state, state_data, payload, created_at
SELECT p.rowid, NULL, p.task_id, p.id,
       (SELECT u.rowid FROM #steps AS u WHERE u.task_id = p.task_id AND u.id = p.parent_id),
       p.step_kind, p.state, p.state_data, p.payload, p.created_at
FROM #tasks AS t INDEXED BY ##tasks_by_session
CROSS JOIN #steps AS p INDEXED BY ###steps ON p.task_id = t.id
WHERE t.session_label = ?1 ORDER BY t.id, p.rowid;

-- :export_observations (label) → row, n, task, turn, kind, auto, hash, object, step, created_at, data
SELECT o.id, NULL, o.task_id, o.turn_id, o.kind, o.auto, o.hash,
       (SELECT b.rowid FROM #objects AS b WHERE b.id = o.object_id),
       (SELECT p.rowid FROM #steps AS p WHERE p.task_id = o.task_id AND p.id = o.step_id),
       o.created_at, o.data
FROM (SELECT b.id, b.task_id FROM #tasks AS t
      CROSS JOIN #observations AS b INDEXED BY ##observations_by_task ON b.task_id = t.id
      WHERE t.session_label = ?1
      UNION ALL
      SELECT id, task_id FROM #observations INDEXED BY ##observations_without_task
      WHERE session_label = ?1 AND task_id IS NULL) AS w
CROSS JOIN #observations AS o INDEXED BY ##observations_by_task
  ON o.task_id IS w.task_id AND o.id = w.id
ORDER BY o.id;

-- :export_object (rowid) → row, n, id, kind, size, data
SELECT rowid, NULL, id, kind, size, data FROM #objects WHERE rowid = ?1;

-- :export_edges (label) → row, from_kind, from_ref, to_kind, to_ref, label, weight, evidence, created_at,
-- task
SELECT NULL, from_kind,
       iif(links & 1 = 0 AND from_kind IN ('note', 'task') AND from_ref NOT GLOB '*[^0-9]*', '?', '') || from_ref,
       to_kind,
       iif(links & 2 = 0 AND to_kind IN ('note', 'task') AND to_ref NOT GLOB '*[^0-9]*', '?', '') || to_ref,
       label, weight, evidence, created_at, task_id
FROM #edges WHERE session_label = ?1 ORDER BY id;

-- :export_commits (label) → row, n, id, parent, task, message, commit_type, type_data, head_step,
-- created_at
SELECT c.seq, NULL, c.id, (SELECT seq FROM #commits WHERE id = c.parent_id), c.task_id, c.message,
       c.commit_type, c.type_data,
       (SELECT p.rowid FROM #steps AS p WHERE p.task_id = c.task_id AND p.id = c.head_step_id),
       c.created_at
FROM #commits AS c INDEXED BY ##commits_by_session WHERE c.session_label = ?1 ORDER BY c.seq;

-- :export_turns (first turn, last turn) → row, n, parent, turn_type, status, on_path, source, model,
-- provider, persona_id, input_tokens, output_tokens, cached_input_tokens, cache_write_tokens,
-- reasoning_tokens, total_tokens, context, answers, resumes, inputs, thread_tokens, external_id,
-- started_at, completed_at, error, nth
SELECT id, NULL, parent_turn_id, turn_type, status, on_path, source, model, provider, persona_id,
       input_tokens, output_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens,
       total_tokens, context_turn_id, answers_turn_id, resumes_turn_id, inputs, thread_tokens,
       external_id, started_at, completed_at, error, NULL
FROM #turns WHERE id BETWEEN ?1 AND ?2 ORDER BY id;

-- :export_messages (first place, last place) → row, turn, sequence, role, source, tool_call_id,
-- created_at, metadata, content
SELECT NULL, turn_id, sequence, role, source, tool_call_id, created_at, metadata, content
FROM #messages WHERE place BETWEEN ?1 AND ?2 ORDER BY place;

-- :export_tool_calls (first place, last place) → row, turn, sequence, id, tool_name, status,
-- spawned_session_label, started_at, completed_at, error, params, result
SELECT NULL, turn_id, sequence, id, tool_name, status, spawned_session_label, started_at,
       completed_at, error, params, result
FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 ORDER BY place;

-- :export_compactions (first turn, last turn) → row, turn, summarized_through, first_kept, recovered,
-- turns_summarized, turns_kept, compaction_type, trigger, focus, model, provider, tokens_before,
-- tokens_after, summary_tokens, summarization_input_tokens, summarization_output_tokens, duration_ms,
-- created_at, metadata_json, summary
SELECT NULL, turn_id, summarized_through_turn_id, first_kept_turn_id, recovered_turn_id,
       turns_summarized, turns_kept, compaction_type, "trigger", focus, model, provider,
       tokens_before, tokens_after, summary_tokens, summarization_input_tokens,
       summarization_output_tokens, duration_ms, created_at, metadata_json, summary
FROM #compactions WHERE turn_id BETWEEN ?1 AND ?2 ORDER BY turn_id;

-- :export_history (label) → row, turn, task, changed_at, reason, events
SELECT NULL, nullif(thread_id, 0), task_id, changed_at, reason, event_id
FROM #session_history INDEXED BY ##session_history_by_session WHERE session_label = ?1 ORDER BY id;

-- :export_events (label) → row, task, axis, from_state, to_state, trigger, data, at: all but those by
-- which imports say what they have done
SELECT id, task_id, axis, from_state, to_state, "trigger", data, at
FROM #session_events INDEXED BY ##session_events_by_session
WHERE session_label = ?1 AND likelihood(NOT (axis = 'status' AND "trigger" = 'import'), 1.0) ORDER BY id;

-- :export_deliveries (label) → row, n, message_id, channel, sender, source, class, confidence, action,
-- decision, at, message, corrected, is_elsewhere: the session's own, and those of inputs that another
-- session's merge or unlinking has brought here. The id of such a message stays known unless it is known
-- already.
SELECT d.id, NULL,
       iif(d.session_label = ?1
           OR NOT EXISTS (SELECT 1 FROM #deliveries AS o INDEXED BY ##deliveries_by_message_id
                          WHERE o.session_label = ?1 AND o.message_id = d.message_id
                            AND o.channel = d.channel AND o.sender = d.sender),
           d.message_id, NULL),
       d.channel, d.sender, d.source, d.class, d.confidence, d.action, d.decision,
       d.at, d.message, d.corrected, d.session_label <> ?1
FROM (SELECT id FROM #deliveries INDEXED BY ##deliveries_by_session WHERE session_label = ?1
      UNION
      SELECT delivery_id FROM #session_queue INDEXED BY ##session_queue_open
      WHERE session_label = ?1 AND delivered_at IS NULL
      UNION
      SELECT delivery_id FROM #session_queue INDEXED BY ##session_queue_done
      WHERE session_label = ?1 AND delivered_at IS NOT NULL
      UNION
      SELECT (SELECT delivery_id FROM #session_queue WHERE id =
                iif(is_json(o.decision), json_extract(o.decision, '$.queue_id'), NULL))
      FROM #deliveries AS o INDEXED BY ##deliveries_by_session WHERE o.session_label = ?1) AS w
CROSS JOIN #deliveries AS d INDEXED BY ##deliveries_by_session
  ON d.session_label = (SELECT session_label FROM #deliveries WHERE id = w.id) AND d.id = w.id
ORDER BY d.id;

-- :export_queue (label) → id: of the session's inputs, and of those of its messages that are elsewhere
-- now: some of them no decision names, as what a choice had held
SELECT id
FROM (SELECT id FROM #session_queue INDEXED BY ##session_queue_open WHERE session_label = ?1 AND delivered_at IS NULL
      UNION
      SELECT id FROM #session_queue INDEXED BY ##session_queue_done WHERE session_label = ?1 AND delivered_at IS NOT NULL
      UNION
      SELECT iif(is_json(decision), json_extract(decision, '$.queue_id'), NULL)
      FROM #deliveries INDEXED BY ##deliveries_by_session WHERE session_label = ?1
      UNION
      SELECT id FROM #session_queue INDEXED BY ##session_queue_said WHERE said_in = ?1) AS w
WHERE id IS NOT NULL ORDER BY id;

-- :export_input (id, label) → row, n, delivery, source, channel, sender, mode, message_id, class, status,
-- attempts, turn, enqueued_at, delivered_at, error, rank, message, held, awaits_turn, shown_turn, exempt,
-- due_at, due_after, opened_at, asked_at, task, is_elsewhere: one of them. The last column says whether it
-- waits elsewhere.
SELECT q.id, NULL, q.delivery_id, q.source, q.channel, q.sender, q.mode, q.message_id, q.class,
       q.status, q.attempts, q.turn_id, q.enqueued_at, q.delivered_at, q.error, q.rank, q.message,
       q.held, q.awaits_turn, q.shown_turn_id, q.exempt, q.due_at, q.due_after, q.opened_at, q.asked_at,
       q.task_id, q.session_label <> ?2
FROM #session_queue AS q WHERE q.id = ?1;

-- :export_shown (label) → shown: turns of the session in whose messages inputs stand that wait or may be
-- tried again
SELECT shown
FROM (SELECT id, shown_turn_id AS shown FROM #session_queue INDEXED BY ##session_queue_open
      WHERE session_label = ?1 AND delivered_at IS NULL AND shown_turn_id IS NOT NULL
      UNION ALL
      SELECT id, shown_turn_id FROM #session_queue INDEXED BY ##session_queue_failed
      WHERE session_label = ?1 AND status = 'failed' AND shown_turn_id IS NOT NULL)
WHERE shown IN (SELECT json_extract(json_of(data), '$.turn')
                FROM #session_events INDEXED BY ##session_events_by_session
                WHERE session_label = ?1
                  AND likelihood(axis = 'turn' AND to_state IN (#LIST_TURN_FAILED), 1.0))
GROUP BY shown ORDER BY min(id);

-- :export_aliases (label) → row, alias, created_at: those that people made
SELECT NULL, alias, created_at FROM #session_aliases INDEXED BY ##session_aliases_by_session
WHERE session_label = ?1 AND ifnull(reason, 'manual') = 'manual' ORDER BY alias;

-- :export_config (label) → row, key, value
SELECT NULL, key, value FROM #turnstile_config WHERE session_label = ?1 ORDER BY key;

-- :export_turn_started (turn) → started_at: when it began
SELECT started_at FROM #turns WHERE id = ?1;

-- :export_commit (id) → seq
SELECT seq FROM #commits WHERE id = ?1;

-- :export_name_input (decision, number) → decision: with that input, if it named one that is unknown
SELECT iif(json_type(?1, '$.queue_id') = 'null', json_set(?1, '$.queue_id', ?2), ?1);
