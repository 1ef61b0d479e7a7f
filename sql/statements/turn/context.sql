-- context.sql - session_context: what a model is to see.

-- :turn_resuming_last (last id) → :turns_resuming: the last turn up to it that does
SELECT id, resumes_turn_id FROM #turns INDEXED BY ##turns_resuming
WHERE id <= ?1 AND resumes_turn_id IS NOT NULL ORDER BY id DESC LIMIT 1;

-- :turns_present (first id, last id) → count: how many turns a range holds
SELECT count(*) FROM #turns WHERE id BETWEEN ?1 AND ?2;

-- :turns_answering (first id, last id) → id, answers_turn_id: turns that answer a call of an
-- earlier turn
SELECT id, answers_turn_id FROM #turns INDEXED BY ##turns_answering
WHERE id BETWEEN ?1 AND ?2 AND answers_turn_id IS NOT NULL ORDER BY id DESC;

-- :tool_call_waiting (first place, last place) → place: the first call that waits for its result
SELECT place FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 AND +status = 'pending'
ORDER BY place LIMIT 1;

-- :turn_answered (first place, last place) → place, tool_call_id, content, is_error: the results of a turn
-- that are messages of their own
SELECT place, tool_call_id, content, json_extract(metadata, '$.is_error') FROM #messages WHERE place BETWEEN ?1 AND ?2 AND +tool_call_id IS NOT NULL;

-- :context_messages (first place, last place) → place, role, tool_call_id, source, created_at, metadata,
-- content, is_error: does it answer a call with an error?
SELECT place, role, tool_call_id, source, created_at, metadata, content,
       iif(tool_call_id IS NULL, 0, json_extract(metadata, '$.is_error'))
FROM #messages WHERE place BETWEEN ?1 AND ?2 ORDER BY place;

-- :context_answer (place) → :context_messages: one message
SELECT place, role, tool_call_id, source, created_at, metadata, content,
       iif(tool_call_id IS NULL, 0, json_extract(metadata, '$.is_error'))
FROM #messages WHERE place = ?1;

-- :context_tool_calls (first place, last place) → place, id, tool_name, status, started_at,
-- completed_at, params, result
SELECT place, id, tool_name, status, started_at, completed_at, params, coalesce(result, error)
FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 ORDER BY place;

-- :context_results (first place, last place) → :context_tool_calls: once more, for the results
SELECT place, id, tool_name, status, started_at, completed_at, params, coalesce(result, error)
FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 ORDER BY place;

-- :compaction_get (turn_id) → first_kept_turn_id, recovered_turn_id, trigger, summary_tokens,
-- created_at, summary
SELECT first_kept_turn_id, recovered_turn_id, "trigger", summary_tokens, created_at, summary
FROM #compactions WHERE turn_id = ?1;
