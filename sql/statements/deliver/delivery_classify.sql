-- delivery_classify.sql - delivery_classify: what a second opinion changes.

-- :delivery_doubted (id) → session_label, action, decision, queue_id: the input that waits
SELECT session_label, action, decision, json_extract(json_of(decision), '$.queue_id')
FROM #deliveries WHERE id = ?1;

-- :delivery_late (decision, note, the input that was cancelled just now or 0) → decision: about a message
-- that was taken before a second opinion came
SELECT json_remove(CASE WHEN ?3 = 0 THEN d ELSE json_set(d, '$.cancelled', json_array(
    json((SELECT json_object('queue_id', id, 'message', message) FROM #session_queue WHERE id = ?3)))) END, '$.second_opinion')
FROM (SELECT json_set(?1, '$.action', 'queue', '$.notes', json_array(?2)) AS d);

-- :delivery_later (id, action, decision): the same, as what it was guessed to be
UPDATE OR FAIL #deliveries SET action = ?2, decision = ?3 WHERE id = ?1;
