-- correct.sql - the statements of delivery_correct.

-- :correction_get (delivery) → session_label, source, class, state
SELECT session_label, source, class,
       json_extract(json_of(decision), '$.previous_state')
FROM #deliveries WHERE id = ?1;

-- :correction_put (delivery, class or NULL). (The guards stand open.)
UPDATE OR FAIL #deliveries SET corrected = ?2 WHERE id = ?1;
