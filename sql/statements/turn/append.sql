-- append.sql - turn_append: a turn that was written down already.

-- :queue_begin (id, turn_id, class, rank, does it stand in its messages, task or NULL): an input on its way into a turn. What a turn
-- begins with was first in line, and will be so again should the turn come to nothing.
UPDATE OR FAIL #session_queue SET status = 'processing', turn_id = ?2, rank = min(rank, ?4),
  due_at = NULL, due_after = NULL, awaits_turn = 1,
  class = coalesce(?3, class), attempts = attempts + (status = 'pending'),
  shown_turn_id = iif(?5, ?2, shown_turn_id), task_id = ?6 WHERE id = ?1;

-- :turn_is (id, model, provider, source or NULL, persona_id or NULL, started_at or NULL, input, output,
-- cached_input, cache_write, reasoning, total tokens) → found: when that is what is kept of the turn
SELECT 1 FROM #turns
WHERE id = ?1 AND model IS ?2 AND provider IS ?3 AND source = coalesce(?4, source)
  AND coalesce(?5, persona_id, '') = coalesce(persona_id, '')
  AND started_at = coalesce(?6, started_at)
  AND input_tokens IS ?7 AND output_tokens IS ?8 AND cached_input_tokens IS ?9
  AND cache_write_tokens IS ?10 AND reasoning_tokens IS ?11 AND total_tokens IS ?12;

-- :message_retries (turn_id, metadata, content, new metadata): an input in the words of a host, which has only
-- named it, is one that was tried before
UPDATE OR FAIL #messages SET metadata = ?4
WHERE place BETWEEN first_place(?1) AND last_place(?1) AND role = 'user' AND metadata = ?2 AND content = ?3;
