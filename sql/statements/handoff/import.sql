-- import.sql - session_import: taking a document apart, and writing a session's rows.

-- :import_rows (json array) → element, element_type, key, type, value: index and type of the element, then
-- one row per field of it
SELECT m.key, m.type, f.key, f.type, f.value
FROM temp.json_each(?1) AS m LEFT JOIN temp.json_each(iif(m.type = 'object', m.value, '{}')) AS f;

-- :import_event (label) → hash, state_hash: the digest of the document that the session was imported from,
-- and its own after that import
SELECT json_extract(data, '$.hash'),
       coalesce(json_extract(data, '$.state_hash'), json_extract(data, '$.hash'))
FROM #session_events
WHERE session_label = ?1 AND axis = 'status' AND "trigger" = 'import' ORDER BY id DESC LIMIT 1;

-- :import_taken (alias) → found: when a session or an alias has this name
SELECT 1 WHERE EXISTS (SELECT 1 FROM #sessions WHERE label = ?1)
            OR EXISTS (SELECT 1 FROM #session_aliases WHERE alias = ?1);

-- :import_repeated (first place, last place) → place: the last of a call whose id the turn has used before
SELECT max(place) FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 GROUP BY id HAVING count(*) > 1
LIMIT 1;

-- :import_session (label, status, status_reason, persona_id, routing_key, work_source, queue_mode,
-- pending_choice, resume_cursor, thread_id, open_task_id, offered_at, created_at, updated_at,
-- last_activity, archived_at, input, output, cached_input, cache_write, reasoning, total tokens, refused,
-- head_event_id, turns, last_used)
INSERT OR FAIL INTO #sessions(label, status, status_reason, persona_id, routing_key, work_source,
  queue_mode, pending_choice, resume_cursor, thread_id, open_task_id, offered_at, created_at,
  updated_at, last_activity, archived_at, input_tokens, output_tokens, cached_input_tokens,
  cache_write_tokens, reasoning_tokens, total_tokens, refused, head_event_id, turns, last_used, waits,
  origin)
VALUES (?1, ?2, ?3, ?4, ifnull(?5, ?1), ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
        ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26,
        EXISTS (SELECT 1 FROM #session_queue INDEXED BY ##session_queue_open WHERE session_label = ?1 AND delivered_at IS NULL
                AND status = 'pending'), 'import');

-- :import_hold (label): what is open in a session that takes no inputs; documents of version 1 don't say so
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_open SET held = 1
WHERE session_label = ?1 AND delivered_at IS NULL
  AND EXISTS (SELECT 1 FROM #sessions WHERE label = ?1 AND status <> 'active');

-- :import_exempt (label, id): the same of an input that a full queue keeps and that is no command: what a worker
-- has said, and the task that one was spawned for
UPDATE OR FAIL #session_queue AS q SET exempt = 1
WHERE id = ?2 AND source = 'agent'
  AND (channel = 'worker' OR (ltrim(message, char(9, 10, 13, 32)) GLOB '/compact*'
    AND EXISTS (SELECT 1 FROM #tasks INDEXED BY ##tasks_by_session
                WHERE session_label = ?1 AND instr(q.message, description) > 0)));

-- :import_worked (label): the same of what is on record of a task beside its first message. In doubt it is
-- work: then it is not dropped.
UPDATE OR FAIL #tasks AS t INDEXED BY ##tasks_by_session SET worked = 1
WHERE session_label = ?1
  AND (commit_id IS NOT NULL
    OR (ended_at IS NULL
      AND (state NOT IN (#LIST_TASK_UNWORKED)
        OR EXISTS (SELECT 1 FROM #observations AS o INDEXED BY ##observations_by_task
                   WHERE o.task_id = t.id
                     AND likelihood(o.auto = 0
                       OR json_extract(json_of(o.data), '$.note')
                          IN ('question', 'answer', 'intervention', 'request_more'), 1.0))
        OR EXISTS (SELECT 1 FROM #session_history AS h INDEXED BY ##session_history_by_session
                   WHERE h.session_label = ?1 AND likelihood(h.task_id = t.id, 1.0))
        OR EXISTS (SELECT 1 FROM #session_events AS e INDEXED BY ##session_events_by_session
                   WHERE e.session_label = ?1
                     AND likelihood(e.task_id = t.id
                       AND (e.axis = 'task' AND e.to_state NOT IN (#LIST_TASK_UNWORKED)
                            OR e.axis = 'turn' AND e.to_state <> 'processing'), 1.0))
        OR EXISTS (SELECT 1 FROM #deliveries AS d INDEXED BY ##deliveries_by_session
                   WHERE d.session_label = ?1
                     AND likelihood(d.at > t.started_at
                       AND d.action IN ('continue', 'answer', 'steer', 'interrupt'), 1.0)))));

-- :import_asked (label): the same of what was said before a question or a report came. Of two of one millisecond
-- nobody knows which was first: what was said then is words.
UPDATE OR FAIL #tasks AS t INDEXED BY ##tasks_by_session SET asked_after = ifnull(
  (SELECT max(d.id) FROM #deliveries AS d INDEXED BY ##deliveries_by_session
   WHERE d.session_label = ?1
     AND likelihood(d.at <= (SELECT e.at FROM #session_events AS e INDEXED BY ##session_events_task
                  WHERE e.session_label = ?1 AND likelihood(e.axis = 'task', 1.0) AND e.to_state = t.state
                  ORDER BY e.id DESC LIMIT 1), 1.0)), 0)
WHERE session_label = ?1 AND (one_of(state, TASK_ASKS));

-- :import_run (label, failed_turn_id, token)
INSERT OR FAIL INTO #session_runs(session_label, failed_turn_id, token) VALUES (?1, ?2, ?3);

-- :import_task (label, id, description, state, state_data, started_at, last_activity, ended_at,
--   head_step_id, base_commit_id, commit_id, worked, continues_id, asked_after)
INSERT OR FAIL INTO #tasks(session_label, id, description, state, state_data, started_at,
  last_activity, ended_at, head_step_id, base_commit_id, commit_id, worked, continues_id,
  asked_after)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14);

-- :import_step (task_id, id, parent_id, step_kind, state, state_data, payload, created_at)
INSERT OR FAIL INTO #steps(task_id, id, parent_id, step_kind, state, state_data, payload, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- :import_observation (label, id, task_id, turn_id, kind, auto, hash, object_id, step_id, created_at,
--   data)
INSERT OR FAIL INTO #observations(session_label, id, task_id, turn_id, kind, auto, hash, object_id,
  step_id, created_at, data)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11);

-- :import_edge (label, from_kind, from_ref, to_kind, to_ref, label, weight, evidence, created_at, step_id,
-- task_id, links, id)
INSERT OR FAIL INTO #edges(session_label, from_kind, from_ref, to_kind, to_ref, label, weight,
  evidence, created_at, step_id, task_id, links, id)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, CAST(?7 AS REAL), ?8, ?9, ?10, ?11, ?12, ?13);

-- :import_turn (id, parent_turn_id, turn_type, status, on_path, source, model, provider, persona_id,
-- input, output, cached_input, cache_write, reasoning, total tokens, context_turn_id, answers_turn_id,
-- resumes_turn_id, inputs, thread_tokens, external_id, started_at, completed_at, error)
INSERT OR FAIL INTO #turns(id, parent_turn_id, turn_type, status, on_path, source, model, provider,
  persona_id, input_tokens, output_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens,
  total_tokens, context_turn_id, answers_turn_id, resumes_turn_id, inputs, thread_tokens, external_id,
  started_at, completed_at, error)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
        ?21, ?22, ?23, ?24);

-- :import_message (place, role, source, tool_call_id, created_at, metadata, content)
INSERT OR FAIL INTO #messages(place, role, source, tool_call_id, created_at, metadata, content)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- :import_tool_call (place, id, tool_name, status, spawned_session_label, started_at, completed_at,
--   error, params, result)
INSERT OR FAIL INTO #tool_calls(place, id, tool_name, status, spawned_session_label, started_at,
  completed_at, error, params, result)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10);

-- :import_compaction (turn_id, summarized_through_turn_id, first_kept_turn_id, recovered_turn_id,
-- turns_summarized, turns_kept, compaction_type, trigger, focus, model, provider, tokens_before,
-- tokens_after, summary_tokens, summarization_input_tokens, summarization_output_tokens, duration_ms,
-- created_at, metadata, summary)
INSERT OR FAIL INTO #compactions(turn_id, summarized_through_turn_id, first_kept_turn_id,
  recovered_turn_id, turns_summarized, turns_kept, compaction_type, "trigger", focus, model,
  provider, tokens_before, tokens_after, summary_tokens, summarization_input_tokens,
  summarization_output_tokens, duration_ms, created_at, metadata_json, summary)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20);

-- :import_history (label, thread_id, task_id, changed_at, reason, event_id, id)
INSERT OR FAIL INTO #session_history(session_label, thread_id, task_id, changed_at, reason, event_id, id)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- :import_session_event (label, task_id, axis, from_state, to_state, trigger, data, at, id)
INSERT OR FAIL INTO #session_events(session_label, task_id, axis, from_state, to_state, "trigger",
  data, at, id)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);

-- :import_delivery (label, id, message_id, channel, sender, source, class, confidence, action, decision,
--   at, message, corrected)
INSERT OR FAIL INTO #deliveries(session_label, id, message_id, channel, sender, source, class,
  confidence, action, decision, at, message, corrected)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, CAST(?8 AS REAL), ?9, ?10, ?11, ?12, ?13);

-- :import_input (label, id, delivery_id, source, channel, sender, mode, message_id, class, status,
--   attempts, turn_id, enqueued_at, delivered_at, error, rank, message, held, awaits_turn, shown_turn_id,
--   exempt, due_at, due_after, opened_at, asked_at, task_id)
INSERT OR FAIL INTO #session_queue(session_label, id, delivery_id, source, channel, sender, mode,
  message_id, class, status, attempts, turn_id, enqueued_at, delivered_at, error, rank, message, held,
  awaits_turn, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at, task_id)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
        ?22, ?23, ?24, ?25, ?26);

-- :import_alias (alias, label, created_at)
INSERT OR FAIL INTO #session_aliases(alias, session_label, reason, created_at)
VALUES (?1, ?2, 'manual', ?3);
