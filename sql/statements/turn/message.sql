-- message.sql - messages and tool calls of a turn.

-- :messages_of_users (first place, last place) → metadata, content
SELECT metadata, content FROM #messages WHERE place BETWEEN ?1 AND ?2 AND role = 'user';

-- :messages_each (json array) → element, element_type, key, type, value: index and type of the element,
-- then one row per field of it; a number with a fraction as it is written, which versions of SQLite would
-- change
SELECT m.key, m.type, f.key, f.type, iif(typeof(f.value) = 'real', m.value -> f.fullkey, f.value)
FROM temp.json_each(?1) AS m LEFT JOIN temp.json_each(iif(m.type = 'object', m.value, '{}')) AS f;

-- :tool_calls_each (json array) → :messages_each: while the other one is at work
SELECT m.key, m.type, f.key, f.type, iif(typeof(f.value) = 'real', m.value -> f.fullkey, f.value)
FROM temp.json_each(?1) AS m LEFT JOIN temp.json_each(iif(m.type = 'object', m.value, '{}')) AS f;

-- :message_add (place, role, source, tool_call_id, created_at, metadata, content)
INSERT OR FAIL INTO #messages(place, role, source, tool_call_id, created_at, metadata, content)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- :message_is (place, role, source, tool_call_id, created_at or below 0, metadata, content) → found: when
-- that stands there
SELECT 1 FROM #messages
WHERE place = ?1 AND role = ?2 AND source IS ?3 AND tool_call_id IS ?4
  AND (?5 < 0 OR created_at = ?5) AND metadata IS ?6 AND content = ?7;

-- :tool_call_is (place, id, tool_name, params, spawned_session_label or NULL) → found: when that stands
-- there
SELECT 1 FROM #tool_calls
WHERE place = ?1 AND id = ?2 AND tool_name = ?3 AND params = ?4
  AND coalesce(?5, spawned_session_label, '') = coalesce(spawned_session_label, '');

-- :tool_result_is (first place, last place, id, status, error, result) → found: when a call has that
-- result
SELECT 1 FROM #tool_calls
WHERE place BETWEEN ?1 AND ?2 AND id = ?3 AND status = ?4 AND error IS ?5 AND result IS ?6;

-- :tool_results (first place, last place) → count: how many calls have a result
SELECT count(*) FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 AND status <> 'pending';

-- :tool_call_add (place, id, tool_name, status, spawned_session_label, started_at, completed_at,
--                 error, params, result)
INSERT OR FAIL INTO #tool_calls(place, id, tool_name, status, spawned_session_label, started_at,
                                completed_at, error, params, result)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10);

-- :tool_call_find (first place, last place, id) → place, status
SELECT place, status FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 AND id = ?3;

-- :tool_call_finish (place, status, completed_at, error, result)
UPDATE OR FAIL #tool_calls SET status = ?2, completed_at = ?3, error = ?4, result = ?5
WHERE place = ?1;

-- :tool_calls_up (first place, last place) → place, status: upwards from the last
SELECT place, status FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 ORDER BY place DESC;

-- :tool_call_at (place) → found: when a call stands there
SELECT 1 FROM #tool_calls WHERE place = ?1;

-- :messages_foreign (first place, last place) → place, role, content, has_metadata: messages that are not
-- the agent's own, upwards from the last
SELECT place, role, content, metadata IS NOT NULL FROM #messages
WHERE place BETWEEN ?1 AND ?2 AND role IN (#LIST_ROLE_INPUT) ORDER BY place DESC;

-- :messages_spoken (first place, last place) → :messages_foreign: all messages that are no results
SELECT place, role, content, metadata IS NOT NULL FROM #messages
WHERE place BETWEEN ?1 AND ?2 AND role <> 'tool' ORDER BY place;

-- :tool_calls_between (first place, last place) → found: when there is a call
SELECT 1 FROM #tool_calls WHERE place BETWEEN ?1 AND ?2 LIMIT 1;

-- :tool_call_pending (id, place) → place, tool_name: the last call without a result up to a place
SELECT place, tool_name FROM #tool_calls INDEXED BY ##tool_calls_pending WHERE id = ?1
  AND status = 'pending' AND place <= ?2
ORDER BY place DESC LIMIT 1;

-- :tool_call_answers (id, place, last place) → place: the first message behind a place, up to
-- another, that answers a call of an earlier turn
SELECT place FROM #messages INDEXED BY ##messages_by_tool_call WHERE tool_call_id = ?1 AND place > ?2 AND place <= ?3
ORDER BY place LIMIT 1;

-- :turn_last_place (first place, last place) → place: the last one taken, NULL when none is
SELECT max(place) FROM (SELECT max(place) AS place FROM #messages WHERE place BETWEEN ?1 AND ?2
                        UNION ALL
                        SELECT max(place) FROM #tool_calls WHERE place BETWEEN ?1 AND ?2);

-- :json_is_error (metadata) → metadata: with is_error
SELECT json_set(coalesce(?1, '{}'), '$.is_error', json('true'));
