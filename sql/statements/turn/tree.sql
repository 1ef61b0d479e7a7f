-- tree.sql - branches of the turn tree.

-- :branch_get (id) → parent_turn_id, first_depth, level, jump_id, jump_depth, closed
SELECT parent_turn_id, first_depth, level, jump_id, jump_depth, closed FROM #branches WHERE id = ?1;

-- :branch_last () → id: the highest that a branch has or had, 0 when there was none
SELECT max(ifnull((SELECT max(id) FROM #branches), 0),
           ifnull((SELECT CAST(value AS INTEGER) FROM #turnstile_meta
                   WHERE key = 'last_branch'), 0));

-- :branch_add (id, parent_turn_id, first_depth, level, jump_id, jump_depth)
INSERT OR FAIL INTO #branches(id, parent_turn_id, first_depth, level, jump_id, jump_depth)
VALUES (?1, ?2, ?3, ?4, ?5, ?6);
