-- late.sql - the result of a tool call that comes when its turn is over.

-- :queue_tells_result (id) → message_id, sender: the call's id. An input that tells what a tool gave
SELECT message_id, sender FROM #session_queue
WHERE id = ?1 AND source = 'system' AND channel = 'tool' AND substr(message_id, 1, 7) = 'result:';

-- :queue_shown (id) → session_label, waits, shown_turn_id: does it wait, and the last turn in whose
-- messages it stands
SELECT session_label, one_of(status, QUEUE_WAITS), shown_turn_id FROM #session_queue WHERE id = ?1;

-- :tool_call_named (first place, last place, id) → place, status, tool_name
SELECT place, status, tool_name FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 AND id = ?3;

-- :compaction_past (parent_turn_id, turn_id) → id: of the compaction that came behind a turn, in its place
SELECT k.id FROM #branches AS b INDEXED BY ##branches_by_parent
CROSS JOIN #turns AS k ON k.id = (b.id << #DEPTH_BITS | b.first_depth)
CROSS JOIN #compactions AS c NOT INDEXED ON c.turn_id = k.id
WHERE b.parent_turn_id = ?1 AND k.id > ?2 AND k.on_path = 1 ORDER BY k.id DESC LIMIT 1;
