-- ids.sql - ids that are given out once: notes of those whose rows are gone.

-- :ids_noted () → key, value: of the notes. (last_branch, which always stays, is read where branches are
-- made.)
SELECT key, value FROM #turnstile_meta WHERE key > 'last_branch' AND key < 'last_~';

-- :id_note (key, id)
INSERT INTO #turnstile_meta(key, value) VALUES (?1, ?2)
ON CONFLICT(key) DO UPDATE SET value = excluded.value;

-- :id_forget (key): a row is there again that has a higher id
DELETE FROM #turnstile_meta WHERE key = ?1;

-- :newest_task () → id: the highest that is there, 0: none
SELECT ifnull(max(id), 0) FROM #tasks NOT INDEXED;

-- :newest_observation () → :newest_task
SELECT ifnull(max(id), 0) FROM #observations;

-- :newest_edge () → :newest_task
SELECT ifnull(max(id), 0) FROM #edges;

-- :newest_commit () → :newest_task
SELECT ifnull(max(seq), 0) FROM #commits NOT INDEXED;

-- :newest_event () → :newest_task
SELECT ifnull(max(id), 0) FROM #session_events NOT INDEXED;

-- :newest_history () → :newest_task
SELECT ifnull(max(id), 0) FROM #session_history NOT INDEXED;

-- :newest_delivery () → :newest_task
SELECT ifnull(max(id), 0) FROM #deliveries NOT INDEXED;

-- :newest_input () → :newest_task
SELECT ifnull(max(id), 0) FROM #session_queue;
