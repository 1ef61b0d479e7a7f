-- ancestor.sql - turn_ancestor, turn_common_ancestor, turn_is_ancestor.

-- :turn_there (id) → 1: as turn_exists, while that one is held
SELECT 1 FROM #turns WHERE id = ?1;
