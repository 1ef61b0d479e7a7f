-- path.sql - turn_path and turn_tree: rows of a range of turns.

-- :turns_down (first id, last id) → id, parent_turn_id, turn_type, status, source, model, provider,
-- input_tokens, output_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens, total_tokens,
-- thread_tokens, context_turn_id, external_id, started_at, completed_at, error: the turns of a range of
-- one branch, downwards
SELECT id, parent_turn_id, turn_type, status, source, model, provider, input_tokens, output_tokens,
       cached_input_tokens, cache_write_tokens, reasoning_tokens, total_tokens, thread_tokens,
       context_turn_id, external_id, started_at, completed_at, error
FROM #turns WHERE id BETWEEN ?1 AND ?2 ORDER BY id;

-- :turns_up (first id, last id) → :turns_down: upwards
SELECT id, parent_turn_id, turn_type, status, source, model, provider, input_tokens, output_tokens,
       cached_input_tokens, cache_write_tokens, reasoning_tokens, total_tokens, thread_tokens,
       context_turn_id, external_id, started_at, completed_at, error
FROM #turns WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC;

-- :branch_sibling (parent_turn_id, branch id) → id: the next branch that grows from the same turn
SELECT id FROM #branches INDEXED BY ##branches_by_parent WHERE parent_turn_id = ?1 AND id > ?2 ORDER BY id LIMIT 1;

-- :branch_below (first turn, last turn) → parent_turn_id: the last turn of a range that a branch grows
-- from
SELECT max(parent_turn_id) FROM #branches INDEXED BY ##branches_by_parent WHERE parent_turn_id BETWEEN ?1 AND ?2;
