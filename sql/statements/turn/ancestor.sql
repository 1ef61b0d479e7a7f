-- ancestor.sql - turn_ancestor, turn_common_ancestor, turn_is_ancestor.

-- :turn_there (id) → :turn_exists: while the other one is held
SELECT 1 FROM #turns WHERE id = ?1;
