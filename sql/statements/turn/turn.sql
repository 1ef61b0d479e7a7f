-- turn.sql - statements of the turn tree.

-- :turn_get (id) → parent_turn_id, turn_type, status, phase, on_path, source, persona_id,
--                   thread_tokens, context_turn_id, error, resumes_turn_id, answers_turn_id, inputs
SELECT parent_turn_id, turn_type, status, phase, on_path, source, persona_id, thread_tokens,
       context_turn_id, error, resumes_turn_id, answers_turn_id, inputs
FROM #turns WHERE id = ?1;

-- :turn_exists (id) → 1
SELECT 1 FROM #turns WHERE id = ?1;

-- :turn_there (id) → 1: the same, while the other one is held
SELECT 1 FROM #turns WHERE id = ?1;

-- :turn_by_external (external_id) → id
SELECT id FROM #turns INDEXED BY ##turns_by_external_id WHERE external_id = ?1;

-- :turn_is (id, model, provider, source or NULL, persona_id or NULL, started_at or NULL, input, output,
--           cached_input, cache_write, reasoning, total tokens) → 1 when that is what is kept of the turn
SELECT 1 FROM #turns
WHERE id = ?1 AND model IS ?2 AND provider IS ?3 AND source = coalesce(?4, source)
  AND coalesce(?5, persona_id, '') = coalesce(persona_id, '')
  AND started_at = coalesce(?6, started_at)
  AND input_tokens IS ?7 AND output_tokens IS ?8 AND cached_input_tokens IS ?9
  AND cache_write_tokens IS ?10 AND reasoning_tokens IS ?11 AND total_tokens IS ?12;

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

-- :turn_context (id, context_turn_id)
UPDATE OR FAIL #turns SET context_turn_id = ?2 WHERE id = ?1;

-- :turn_answers (id, answers_turn_id): the oldest of those that several calls of a run answer
UPDATE OR FAIL #turns SET answers_turn_id =
  iif((answers_turn_id & 16777215) <= (?2 & 16777215), answers_turn_id, ?2) WHERE id = ?1;

-- :turn_inputs (id, inputs, answers_turn_id)
UPDATE OR FAIL #turns SET inputs = ?2, answers_turn_id = coalesce(?3, answers_turn_id)
WHERE id = ?1;

-- :turn_end (id, status, on_path, completed_at, error, thread_tokens, answers_turn_id, model,
--            provider, input, output, cached_input, cache_write, reasoning, total tokens)
UPDATE OR FAIL #turns SET status = ?2, phase = NULL, on_path = ?3, completed_at = ?4, error = ?5,
  thread_tokens = ?6, model = coalesce(?8, model),
  answers_turn_id = iif(?7 IS NULL OR (answers_turn_id & 16777215) <= (?7 & 16777215),
                        answers_turn_id, ?7),
  provider = coalesce(?9, provider), input_tokens = ?10, output_tokens = ?11,
  cached_input_tokens = ?12, cache_write_tokens = ?13, reasoning_tokens = ?14, total_tokens = ?15
WHERE id = ?1;

-- :turns_down (first id, last id): the turns of a range of one branch, downwards
SELECT id, parent_turn_id, turn_type, status, source, model, provider, input_tokens, output_tokens,
       cached_input_tokens, cache_write_tokens, reasoning_tokens, total_tokens, thread_tokens,
       context_turn_id, external_id, started_at, completed_at, error
FROM #turns WHERE id BETWEEN ?1 AND ?2 ORDER BY id;

-- :turns_up (first id, last id): the same upwards
SELECT id, parent_turn_id, turn_type, status, source, model, provider, input_tokens, output_tokens,
       cached_input_tokens, cache_write_tokens, reasoning_tokens, total_tokens, thread_tokens,
       context_turn_id, external_id, started_at, completed_at, error
FROM #turns WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC;

-- :turns_kept (first id, last id) → id, newest first: the normal turns of a range
SELECT id FROM #turns WHERE id BETWEEN ?1 AND ?2 AND turn_type = 'normal' ORDER BY id DESC;

-- :turns_count (first id, last id) → how many normal turns a range holds
SELECT count(*) FROM #turns WHERE id BETWEEN ?1 AND ?2 AND turn_type = 'normal';

-- :turns_resuming (first id, last id) → id, resumes_turn_id: turns that go on from a failed one
SELECT id, resumes_turn_id FROM #turns INDEXED BY ##turns_resuming
WHERE id BETWEEN ?1 AND ?2 AND resumes_turn_id IS NOT NULL ORDER BY id DESC;

-- :turn_resuming_last (last id) → id, resumes_turn_id: the last turn up to it that does
SELECT id, resumes_turn_id FROM #turns INDEXED BY ##turns_resuming
WHERE id <= ?1 AND resumes_turn_id IS NOT NULL ORDER BY id DESC LIMIT 1;

-- :turns_present (first id, last id) → how many turns a range holds
SELECT count(*) FROM #turns WHERE id BETWEEN ?1 AND ?2;

-- :turns_answering (first id, last id) → id, answers_turn_id: turns that answer a call of an
-- earlier turn
SELECT id, answers_turn_id FROM #turns INDEXED BY ##turns_answering
WHERE id BETWEEN ?1 AND ?2 AND answers_turn_id IS NOT NULL ORDER BY id DESC;

-- :branch_get (id) → parent_turn_id, first_depth, level, jump_id, jump_depth, closed
SELECT parent_turn_id, first_depth, level, jump_id, jump_depth, closed FROM #branches WHERE id = ?1;

-- :branch_last () → the highest id that a branch has or had, 0 when there was none
SELECT max(ifnull((SELECT max(id) FROM #branches), 0),
           ifnull((SELECT CAST(value AS INTEGER) FROM #turnstile_meta
                   WHERE key = 'last_branch'), 0));

-- :branch_add (id, parent_turn_id, first_depth, level, jump_id, jump_depth)
INSERT OR FAIL INTO #branches(id, parent_turn_id, first_depth, level, jump_id, jump_depth)
VALUES (?1, ?2, ?3, ?4, ?5, ?6);

-- :branch_sibling (parent_turn_id, branch id) → the next branch that grows from the same turn
SELECT id FROM #branches INDEXED BY ##branches_by_parent WHERE parent_turn_id = ?1 AND id > ?2 ORDER BY id LIMIT 1;

-- :messages_of_users (first place, last place) → metadata, content
SELECT metadata, content FROM #messages WHERE place BETWEEN ?1 AND ?2 AND role = 'user';

-- :turns_resumed_by (turn_id, below an id) → id, on_path: the turns that go on from a failed one, newest first
SELECT id, on_path FROM #turns INDEXED BY ##turns_by_resumed WHERE resumes_turn_id = ?1 AND id < ?2
ORDER BY id DESC LIMIT 1;

-- :branch_below (first turn, last turn) → the last turn of a range that a branch grows from
SELECT max(parent_turn_id) FROM #branches INDEXED BY ##branches_by_parent WHERE parent_turn_id BETWEEN ?1 AND ?2;

-- :messages_each (json array) → index, type of the element, then one row per field of it: key,
-- type, value; a number with a fraction as it is written, which versions of SQLite would change
SELECT m.key, m.type, f.key, f.type, iif(typeof(f.value) = 'real', m.value -> f.fullkey, f.value)
FROM temp.json_each(?1) AS m LEFT JOIN temp.json_each(iif(m.type = 'object', m.value, '{}')) AS f;

-- :tool_calls_each (json array): the same, while the other one is at work
SELECT m.key, m.type, f.key, f.type, iif(typeof(f.value) = 'real', m.value -> f.fullkey, f.value)
FROM temp.json_each(?1) AS m LEFT JOIN temp.json_each(iif(m.type = 'object', m.value, '{}')) AS f;

-- :message_add (place, role, source, tool_call_id, created_at, metadata, content)
INSERT OR FAIL INTO #messages(place, role, source, tool_call_id, created_at, metadata, content)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- :message_is (place, role, source, tool_call_id, created_at or below 0, metadata, content) → 1 when that
-- stands there
SELECT 1 FROM #messages
WHERE place = ?1 AND role = ?2 AND source IS ?3 AND tool_call_id IS ?4
  AND (?5 < 0 OR created_at = ?5) AND metadata IS ?6 AND content = ?7;

-- :tool_call_is (place, id, tool_name, params, spawned_session_label or NULL) → 1 when that stands there
SELECT 1 FROM #tool_calls
WHERE place = ?1 AND id = ?2 AND tool_name = ?3 AND params = ?4
  AND coalesce(?5, spawned_session_label, '') = coalesce(spawned_session_label, '');

-- :tool_result_is (first place, last place, id, status, error, result) → 1 when a call has that result
SELECT 1 FROM #tool_calls
WHERE place BETWEEN ?1 AND ?2 AND id = ?3 AND status = ?4 AND error IS ?5 AND result IS ?6;

-- :tool_results (first place, last place) → how many calls have a result
SELECT count(*) FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 AND status <> 'pending';

-- :tool_call_add (place, id, tool_name, status, spawned_session_label, started_at, completed_at,
--                 error, params, result)
INSERT OR FAIL INTO #tool_calls(place, id, tool_name, status, spawned_session_label, started_at,
                                completed_at, error, params, result)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10);

-- :tool_call_find (first place, last place, id) → place, status
SELECT place, status FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 AND id = ?3;

-- :tool_call_named (first place, last place, id) → place, status, tool_name
SELECT place, status, tool_name FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 AND id = ?3;

-- :tool_call_finish (place, status, completed_at, error, result)
UPDATE OR FAIL #tool_calls SET status = ?2, completed_at = ?3, error = ?4, result = ?5
WHERE place = ?1;

-- :tool_calls_up (first place, last place) → place, status: upwards from the last
SELECT place, status FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 ORDER BY place DESC;

-- :tool_call_at (place) → 1 when a call stands there
SELECT 1 FROM #tool_calls WHERE place = ?1;

-- :tool_call_waiting (first place, last place) → place: the first call that waits for its result
SELECT place FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 AND +status = 'pending'
ORDER BY place LIMIT 1;

-- :messages_foreign (first place, last place) → place, role, content, has it metadata: messages that are
-- not the agent's own, upwards from the last
SELECT place, role, content, metadata IS NOT NULL FROM #messages
WHERE place BETWEEN ?1 AND ?2 AND role IN ('user', 'system') ORDER BY place DESC;

-- :messages_spoken (first place, last place): the same of all messages that are no results
SELECT place, role, content, metadata IS NOT NULL FROM #messages
WHERE place BETWEEN ?1 AND ?2 AND role <> 'tool' ORDER BY place;

-- :tool_calls_between (first place, last place) → 1 when there is a call
SELECT 1 FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 LIMIT 1;

-- :tool_call_pending (id, place) → place, tool_name: the last call without a result up to a place
SELECT place, tool_name FROM #tool_calls INDEXED BY ##tool_calls_pending WHERE id = ?1
  AND status = 'pending' AND place <= ?2
ORDER BY place DESC LIMIT 1;

-- :tool_call_answers (id, place, last place) → place: the first message behind a place, up to
-- another, that answers a call of an earlier turn
SELECT place FROM #messages INDEXED BY ##messages_by_tool_call WHERE tool_call_id = ?1 AND place > ?2 AND place <= ?3
ORDER BY place LIMIT 1;

-- :turn_answered (first place, last place) → place, tool_call_id, content, is it an error: the results
-- of a turn that are messages of their own
SELECT place, tool_call_id, content, json_extract(metadata, '$.is_error') FROM #messages WHERE place BETWEEN ?1 AND ?2 AND +tool_call_id IS NOT NULL;

-- :turn_last_place (first place, last place) → the last place taken, NULL when none is
SELECT max(place) FROM (SELECT max(place) AS place FROM #messages WHERE place BETWEEN ?1 AND ?2
                        UNION ALL
                        SELECT max(place) FROM #tool_calls WHERE place BETWEEN ?1 AND ?2);

-- :turn_texts (first place, last place) → the texts of a turn, whose bytes are counted as UTF-8,
-- whether a result is missing, and the place of a message that is a result
SELECT content, NULL, 0, iif(tool_call_id IS NULL, NULL, place) FROM #messages WHERE place BETWEEN ?1 AND ?2
UNION ALL
SELECT params, coalesce(result, error), status = 'pending', NULL FROM #tool_calls
WHERE place BETWEEN ?1 AND ?2;

-- :turn_recorded (id) → 1 when a turn holds more than its inputs
SELECT EXISTS (SELECT 1 FROM #tool_calls WHERE place BETWEEN (t.id << 12) + t.inputs
                                                     AND t.id << 12 | 4095)
    OR EXISTS (SELECT 1 FROM #messages WHERE place BETWEEN (t.id << 12) + t.inputs
                                                     AND t.id << 12 | 4095)
FROM #turns AS t WHERE t.id = ?1;

-- :context_messages (first place, last place) → place, role, tool_call_id, source, created_at,
-- metadata, content, does it answer a call with an error
SELECT place, role, tool_call_id, source, created_at, metadata, content,
       iif(tool_call_id IS NULL, 0, json_extract(metadata, '$.is_error'))
FROM #messages WHERE place BETWEEN ?1 AND ?2 ORDER BY place;

-- :context_answer (place): the same of one message
SELECT place, role, tool_call_id, source, created_at, metadata, content,
       iif(tool_call_id IS NULL, 0, json_extract(metadata, '$.is_error'))
FROM #messages WHERE place = ?1;

-- :context_tool_calls (first place, last place) → place, id, tool_name, status, started_at,
-- completed_at, params, result
SELECT place, id, tool_name, status, started_at, completed_at, params, coalesce(result, error)
FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 ORDER BY place;

-- :context_results (first place, last place): the same once more, for the results
SELECT place, id, tool_name, status, started_at, completed_at, params, coalesce(result, error)
FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 ORDER BY place;

-- :history_add+id (session_label, thread_id, task_id, changed_at, reason, event_id, tip_id)
INSERT OR FAIL INTO #session_history(session_label, thread_id, task_id, changed_at, reason, event_id,
                                     tip_id)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- :history_last (session_label) → id, thread_id, tip_id
SELECT id, thread_id, tip_id FROM #session_history INDEXED BY ##session_history_by_session
WHERE session_label = ?1 ORDER BY id DESC LIMIT 1;

-- :history_of_turn (thread_id, session_label) → id: when the head was there last
SELECT id FROM #session_history INDEXED BY ##session_history_at
WHERE session_label = ?2 AND thread_id = ?1 ORDER BY id DESC LIMIT 1;

-- :turn_is_of (session_label, turn_id): does an event of the session tell of the turn? The newest first: what is
-- asked about is mostly not old.
SELECT 1 FROM #session_events INDEXED BY ##session_events_by_session
WHERE session_label = ?1 AND likelihood(axis = 'turn' AND json_extract(json_of(data), '$.turn') = ?2, 0.01)
ORDER BY id DESC LIMIT 1;

-- :events_back (session_label) → task_id, axis, trigger, the turn that it tells of, the newest first
SELECT task_id, axis, "trigger", json_extract(json_of(data), '$.turn') FROM #session_events INDEXED BY ##session_events_by_session
WHERE session_label = ?1 ORDER BY id DESC;

-- :history_next (session_label, id) → event_id of the move after that
SELECT event_id FROM #session_history INDEXED BY ##session_history_by_session
WHERE session_label = ?1 AND id > ?2 ORDER BY id LIMIT 1;

-- :history_of_task (session_label, limit) → task_id, reason, newest first
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

-- :json_is_error (metadata) → the metadata with is_error
SELECT json_set(coalesce(?1, '{}'), '$.is_error', json('true'));

-- :session_spend (label, now, clear the cursor, input, output, cached_input, cache_write, reasoning,
--                 total tokens): what was used without moving the head
UPDATE OR FAIL #sessions SET updated_at = ?2, resume_cursor = iif(?3, NULL, resume_cursor),
  input_tokens = input_tokens + ?4, output_tokens = output_tokens + ?5,
  cached_input_tokens = cached_input_tokens + ?6, cache_write_tokens = cache_write_tokens + ?7,
  reasoning_tokens = reasoning_tokens + ?8, total_tokens = total_tokens + ?9
WHERE label = ?1;

-- :session_fork (label, persona_id, parent_turn_id, now)
INSERT OR FAIL INTO #sessions(label, status, persona_id, origin, routing_key, parent_turn_id,
                              work_source, created_at, updated_at, last_activity)
VALUES (?1, 'active', ?2, 'fork', ?1, ?3, 'user', ?4, ?4, ?4);

-- :session_usage (label) → turns, the token sums
SELECT turns, input_tokens, output_tokens, cached_input_tokens, cache_write_tokens,
       reasoning_tokens, total_tokens
FROM #sessions WHERE label = ?1;

-- :compaction_get (turn_id) → first_kept_turn_id, recovered_turn_id, trigger, summary_tokens,
-- created_at, summary
SELECT first_kept_turn_id, recovered_turn_id, "trigger", summary_tokens, created_at, summary
FROM #compactions WHERE turn_id = ?1;

-- :compaction_result (turn_id) → first_kept_turn_id, summarized_through_turn_id, turns_summarized,
-- turns_kept, tokens_before, tokens_after
SELECT first_kept_turn_id, summarized_through_turn_id, turns_summarized, turns_kept, tokens_before,
       tokens_after
FROM #compactions WHERE turn_id = ?1;

-- :compaction_is (turn_id, trigger, focus, model, provider, created_at or NULL, duration_ms, metadata,
-- summary, input tokens, output tokens) → 1 when that is what is kept of it; a model that is not given may
-- have come from a setting
SELECT 1 FROM #compactions
WHERE turn_id = ?1 AND "trigger" = ?2 AND focus IS ?3 AND model IS coalesce(?4, model) AND provider IS ?5
  AND created_at = coalesce(?6, created_at) AND duration_ms IS ?7 AND metadata_json IS ?8
  AND summary = ?9 AND summarization_input_tokens IS ?10 AND summarization_output_tokens IS ?11;

-- :compaction_recovered (turn_id) → 1 when a context overflow of this running turn was recovered from
SELECT 1 FROM #compactions INDEXED BY ##compactions_by_recovery WHERE recovered_turn_id = ?1 AND "trigger" = 'overflow_recovery';

-- :compaction_recovered_before (turn_id, parent_turn_id, context_turn_id) → 1 when an overflow was recovered
-- from for an earlier turn of the same place that began with an input of this one, and this one's context
-- begins with that summary, or with a later one that was made beside an attempt, too
SELECT 1 FROM #branches AS b INDEXED BY ##branches_by_parent
CROSS JOIN #compactions AS c NOT INDEXED ON c.turn_id = (b.id << 24 | b.first_depth)
CROSS JOIN #turns AS e ON e.id = c.recovered_turn_id
CROSS JOIN #messages AS tried NOT INDEXED ON tried.place BETWEEN e.id << 12 AND (e.id << 12) + e.inputs - 1
CROSS JOIN #messages AS m NOT INDEXED ON m.place BETWEEN ?1 << 12 AND ?1 << 12 | 4095
WHERE b.parent_turn_id = ?2 AND c."trigger" = 'overflow_recovery' AND e.on_path = 0
  AND tried.content = m.content AND tried.role = m.role
  AND (c.turn_id = ?3
       OR (c.turn_id < ?3 AND EXISTS (SELECT 1 FROM #compactions AS later NOT INDEXED
             CROSS JOIN #turns AS k ON k.id = later.turn_id
             WHERE later.turn_id = ?3 AND later.recovered_turn_id IS NOT NULL AND k.parent_turn_id = ?2)))
LIMIT 1;

-- :compaction_past (parent_turn_id, turn_id) → id of the compaction that came behind a turn, in its place
SELECT k.id FROM #branches AS b INDEXED BY ##branches_by_parent
CROSS JOIN #turns AS k ON k.id = (b.id << 24 | b.first_depth)
CROSS JOIN #compactions AS c NOT INDEXED ON c.turn_id = k.id
WHERE b.parent_turn_id = ?1 AND k.id > ?2 AND k.on_path = 1 ORDER BY k.id DESC LIMIT 1;

-- :compaction_went_on (turn_id, parent_turn_id) → 1 when the turn right above is a recovery that has ended the
-- turn above it, which had an input of this one
SELECT 1 FROM #compactions AS c
CROSS JOIN #turns AS k ON k.id = c.turn_id
CROSS JOIN #messages AS tried NOT INDEXED ON tried.place BETWEEN k.parent_turn_id << 12 AND k.parent_turn_id << 12 | 4095
CROSS JOIN #messages AS m NOT INDEXED ON m.place BETWEEN ?1 << 12 AND ?1 << 12 | 4095
WHERE c.turn_id = ?2 AND c."trigger" = 'overflow_recovery' AND tried.role IN ('user', 'system')
  AND tried.content = m.content AND tried.role = m.role
LIMIT 1;

-- :turn_goes_on (turn_id, parent_turn_id) → 1 when the run of the turn above the summary right above goes on in
-- it: then it asks again what was asked there, which no context shows any more
SELECT 1 FROM #compactions AS c
CROSS JOIN #turns AS k ON k.id = c.turn_id
CROSS JOIN #messages AS m NOT INDEXED ON m.place BETWEEN ?1 << 12 AND ?1 << 12 | 4095
WHERE c.turn_id = ?2 AND c.first_kept_turn_id IS NULL AND m.role IN ('user', 'system')
  AND is_json(m.metadata) AND json_extract(m.metadata, '$.retries_turn_id') = k.parent_turn_id
LIMIT 1;

-- :metadata_retries (metadata, turn_id) → an object of the host's own with the turn that is repeated
SELECT iif(json_type(?1) = 'object', json_set(?1, '$.retries_turn_id', ?2), ?1);

-- :message_retries (turn_id, metadata, content, new metadata): an input in the words of a host, which has only
-- named it, is one that was tried before
UPDATE OR FAIL #messages SET metadata = ?4
WHERE place BETWEEN ?1 << 12 AND ?1 << 12 | 4095 AND role = 'user' AND metadata = ?2 AND content = ?3;

-- :messages_asked (first place, last place) → role, source, metadata, content: what was said to the agent
SELECT role, source, metadata, content FROM #messages
WHERE place BETWEEN ?1 AND ?2 AND role IN ('user', 'system') ORDER BY place;

-- :compaction_add
INSERT OR FAIL INTO #compactions(turn_id, summarized_through_turn_id, first_kept_turn_id,
  recovered_turn_id, turns_summarized, turns_kept, compaction_type, "trigger", focus, model,
  provider, tokens_before, tokens_after, summary_tokens, summarization_input_tokens,
  summarization_output_tokens, duration_ms, created_at, metadata_json, summary)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20);

-- :run_of_turn (turn_id) → session_label, token, owner, expires_at
SELECT session_label, token, owner, expires_at FROM #session_runs INDEXED BY ##session_runs_by_turn
WHERE turn_id = ?1;

-- :run_take (session_label, owner, token, run_state, turn_id, now, expires_at, lease)
INSERT OR FAIL INTO #session_runs(session_label, owner, token, run_state, turn_id, acquired_at,
                                  heartbeat_at, expires_at, lease)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8);

-- :run_retake (session_label, owner, token, run_state, turn_id, now, expires_at, lease)
UPDATE OR FAIL #session_runs SET owner = ?2, token = ?3, run_state = ?4, turn_id = ?5,
  acquired_at = ?6, heartbeat_at = ?6, expires_at = ?7, lease = ?8, data = NULL
WHERE session_label = ?1;

-- :run_renew (session_label, now, expires_at, lease)
UPDATE OR FAIL #session_runs SET heartbeat_at = ?2, expires_at = ?3, lease = ?4
WHERE session_label = ?1;

-- :run_failed (session_label, failed_turn_id)
UPDATE OR FAIL #session_runs SET failed_turn_id = ?2 WHERE session_label = ?1;

-- :run_state (session_label, run_state)
UPDATE OR FAIL #session_runs SET run_state = ?2 WHERE session_label = ?1;

-- :run_turn (session_label, turn_id): the same run goes on in another turn
UPDATE OR FAIL #session_runs SET turn_id = ?2 WHERE session_label = ?1;

-- :run_end (session_label, run_state, token, now): the same by its owner
UPDATE OR FAIL #session_runs SET run_state = ?2, turn_id = NULL, expires_at = NULL, token = ?3,
  heartbeat_at = ?4
WHERE session_label = ?1;

-- :run_release (session_label, token): the lease ends, the owner stays
UPDATE OR FAIL #session_runs SET turn_id = NULL, expires_at = NULL, token = ?2
WHERE session_label = ?1;
