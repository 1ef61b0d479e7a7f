-- turn.sql - turns, and the way of a session's head among them.

-- :turn_get (id) → parent_turn_id, turn_type, status, phase, on_path, source, persona_id,
--                   thread_tokens, context_turn_id, error, resumes_turn_id, answers_turn_id, inputs
SELECT parent_turn_id, turn_type, status, phase, on_path, source, persona_id, thread_tokens,
       context_turn_id, error, resumes_turn_id, answers_turn_id, inputs
FROM #turns WHERE id = ?1;

-- :turn_exists (id) → found
SELECT 1 FROM #turns WHERE id = ?1;

-- :turn_by_external (external_id) → id
SELECT id FROM #turns INDEXED BY ##turns_by_external_id WHERE external_id = ?1;

-- :turn_maker (id) → session_label, superseded_by: the session in which a turn came to be
SELECT h.session_label, s.superseded_by
FROM #session_history AS h INDEXED BY ##session_history_by_turn
LEFT JOIN #sessions AS s INDEXED BY ###sessions ON s.label = h.session_label
WHERE h.thread_id = ?1 ORDER BY h.id LIMIT 1;

-- :turn_add (id, parent_turn_id, turn_type, phase, source, model, provider, persona_id,
--            context_turn_id, external_id, started_at, resumes_turn_id, inputs)
INSERT OR FAIL INTO #turns(id, parent_turn_id, turn_type, status, phase, source, model, provider,
                           persona_id, context_turn_id, external_id, started_at, resumes_turn_id,
                           inputs)
VALUES (?1, ?2, ?3, 'running', ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13);

-- :turn_move (id, phase)
UPDATE OR FAIL #turns SET phase = ?2 WHERE id = ?1;

-- :turn_answers (id, answers_turn_id): the oldest of those that several calls of a run answer
UPDATE OR FAIL #turns SET answers_turn_id =
  iif((answers_turn_id & #DEPTH_MASK) <= (?2 & #DEPTH_MASK), answers_turn_id, ?2) WHERE id = ?1;

-- :turn_inputs (id, inputs, answers_turn_id)
UPDATE OR FAIL #turns SET inputs = ?2, answers_turn_id = coalesce(?3, answers_turn_id)
WHERE id = ?1;

-- :turn_end (id, status, on_path, completed_at, error, thread_tokens, answers_turn_id, model,
--            provider, input, output, cached_input, cache_write, reasoning, total tokens)
UPDATE OR FAIL #turns SET status = ?2, phase = NULL, on_path = ?3, completed_at = ?4, error = ?5,
  thread_tokens = ?6, model = coalesce(?8, model),
  answers_turn_id = iif(?7 IS NULL OR (answers_turn_id & #DEPTH_MASK) <= (?7 & #DEPTH_MASK),
                        answers_turn_id, ?7),
  provider = coalesce(?9, provider), input_tokens = ?10, output_tokens = ?11,
  cached_input_tokens = ?12, cache_write_tokens = ?13, reasoning_tokens = ?14, total_tokens = ?15
WHERE id = ?1;

-- :turns_kept (first id, last id) → id: the normal turns of a range, newest first
SELECT id FROM #turns WHERE id BETWEEN ?1 AND ?2 AND turn_type = 'normal' ORDER BY id DESC;

-- :turns_resuming (first id, last id) → id, resumes_turn_id: turns that go on from a failed one
SELECT id, resumes_turn_id FROM #turns INDEXED BY ##turns_resuming
WHERE id BETWEEN ?1 AND ?2 AND resumes_turn_id IS NOT NULL ORDER BY id DESC;

-- :turns_resumed_by (turn_id, below an id) → id, on_path: the turns that go on from a failed one, newest first
SELECT id, on_path FROM #turns INDEXED BY ##turns_by_resumed WHERE resumes_turn_id = ?1 AND id < ?2
ORDER BY id DESC LIMIT 1;

-- :turn_texts (first place, last place) → text, result, is_pending, result_place: the texts of a turn,
-- whose bytes are counted as UTF-8, whether a result is missing, and the place of a message that is a
-- result
SELECT content, NULL, 0, iif(tool_call_id IS NULL, NULL, place) FROM #messages WHERE place BETWEEN ?1 AND ?2
UNION ALL
SELECT params, coalesce(result, error), status = 'pending', NULL FROM #tool_calls
WHERE place BETWEEN ?1 AND ?2;

-- :turn_recorded (id) → is_recorded: when a turn holds more than its inputs
SELECT EXISTS (SELECT 1 FROM #tool_calls WHERE place BETWEEN (t.id << #SEQUENCE_BITS) + t.inputs
                                                     AND t.id << #SEQUENCE_BITS | #SEQUENCE_MASK)
    OR EXISTS (SELECT 1 FROM #messages WHERE place BETWEEN (t.id << #SEQUENCE_BITS) + t.inputs
                                                     AND t.id << #SEQUENCE_BITS | #SEQUENCE_MASK)
FROM #turns AS t WHERE t.id = ?1;

-- :history_add+id (session_label, thread_id, task_id, changed_at, reason, event_id, tip_id)
INSERT OR FAIL INTO #session_history(session_label, thread_id, task_id, changed_at, reason, event_id,
                                     tip_id)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- :history_of_task (session_label, limit) → task_id, reason: newest first
SELECT task_id, reason FROM #session_history INDEXED BY ##session_history_by_session
WHERE session_label = ?1 ORDER BY id DESC LIMIT ?2;

-- :session_advance (label, thread_id, now, last_activity, keep the cursor, cursor, turns made,
--                   input, output, cached_input, cache_write, reasoning, total tokens, last_used)
UPDATE OR FAIL #sessions SET thread_id = nullif(?2, 0), head_event_id = NULL, updated_at = ?3,
  last_activity = ?4, last_used = ?14,
  resume_cursor = iif(?5, resume_cursor, ?6), turns = turns + ?7,
  input_tokens = input_tokens + ?8, output_tokens = output_tokens + ?9,
  cached_input_tokens = cached_input_tokens + ?10, cache_write_tokens = cache_write_tokens + ?11,
  reasoning_tokens = reasoning_tokens + ?12, total_tokens = total_tokens + ?13
WHERE label = ?1;

-- :session_cursor (label, cursor)
UPDATE OR FAIL #sessions SET resume_cursor = ?2 WHERE label = ?1;

-- :session_spend (label, now, clear the cursor, input, output, cached_input, cache_write, reasoning,
--                 total tokens): what was used without moving the head
UPDATE OR FAIL #sessions SET updated_at = ?2, resume_cursor = iif(?3, NULL, resume_cursor),
  input_tokens = input_tokens + ?4, output_tokens = output_tokens + ?5,
  cached_input_tokens = cached_input_tokens + ?6, cache_write_tokens = cache_write_tokens + ?7,
  reasoning_tokens = reasoning_tokens + ?8, total_tokens = total_tokens + ?9
WHERE label = ?1;

-- :turn_goes_on (turn_id, parent_turn_id) → found: when the run of the turn above the summary right above
-- goes on in it: then it asks again what was asked there, which no context shows any more
SELECT 1 FROM #compactions AS c
CROSS JOIN #turns AS k ON k.id = c.turn_id
CROSS JOIN #messages AS m NOT INDEXED ON m.place BETWEEN first_place(?1) AND last_place(?1)
WHERE c.turn_id = ?2 AND c.first_kept_turn_id IS NULL AND m.role IN (#LIST_ROLE_INPUT)
  AND is_json(m.metadata) AND json_extract(m.metadata, '$.retries_turn_id') = k.parent_turn_id
LIMIT 1;
