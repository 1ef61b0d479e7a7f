-- session_diagram.sql - what session_diagram shows.

-- :diagram_turns (first id, last id, session_label) → id, turn_type, status, started_at, error,
-- said, answer, summary, task_id, parent_turn_id: turns of one branch, downwards, with the user's
-- words, the answer, the summary, and the session's task. A turn's first row of history belongs to
-- the session that made it.
SELECT t.id, t.turn_type, t.status, t.started_at, t.error,
       (SELECT substr(content, 1, 1000) FROM #messages
        WHERE place BETWEEN first_place(t.id) AND last_place(t.id) AND role = 'user'
        ORDER BY place LIMIT 1),
       (SELECT substr(content, 1, 1000) FROM #messages
        WHERE place BETWEEN first_place(t.id) AND last_place(t.id) AND role = 'assistant'
          AND content <> '' ORDER BY place DESC LIMIT 1),
       (SELECT substr(summary, 1, 1000) FROM #compactions WHERE turn_id = t.id),
       (SELECT iif(session_label = ?3 AND reason <> 'fork' AND reason <> 'rewind', task_id, NULL)
        FROM #session_history INDEXED BY ##session_history_by_turn WHERE thread_id = t.id
        ORDER BY id LIMIT 1),
       t.parent_turn_id
FROM #turns AS t WHERE t.id BETWEEN ?1 AND ?2 ORDER BY t.id;

-- :diagram_beside (turn, branches, limit) → id: turns right below one that no path can pass, newest
-- first; of the branches that grow there only so many are looked at
SELECT t.id
FROM (SELECT ?1 + 1 AS id
      UNION ALL
      SELECT id << #DEPTH_BITS | first_depth
      FROM (SELECT id, first_depth FROM #branches INDEXED BY ##branches_by_parent WHERE parent_turn_id = ?1
            ORDER BY id DESC LIMIT ?2)) AS below
CROSS JOIN #turns AS t ON t.id = below.id
WHERE t.parent_turn_id = ?1 AND t.on_path = 0
ORDER BY t.id DESC LIMIT ?3;

-- :diagram_leaving (turn, session_label, limit) → label, origin: sessions that begin at a turn
SELECT label, iif(is_subagent, 'worker', origin) FROM #sessions INDEXED BY ##sessions_by_parent_turn
WHERE parent_turn_id = ?1 AND label <> ?2 LIMIT ?3;

-- :diagram_fork (session_label) → parent_turn_id: the turn at which a fork begins
SELECT parent_turn_id FROM #sessions
WHERE label = ?1 AND origin = 'fork' AND parent_turn_id IS NOT NULL;

-- :diagram_task (id) → id, started_at, description, state: how it stands
SELECT t.id, t.started_at, substr(t.description, 1, 1000),
       iif(t.ended_at IS NULL, t.state,
           ifnull((SELECT commit_type || ' ' || substr(id, 1, 12) FROM #commits WHERE id = t.commit_id),
                  'dropped'))
FROM #tasks AS t WHERE t.id = ?1;

-- :diagram_tasks (session_label, limit) → :diagram_task: of the newest tasks, the newest first
SELECT t.id, t.started_at, substr(t.description, 1, 1000),
       iif(t.ended_at IS NULL, t.state,
           ifnull(c.commit_type || ' ' || substr(c.id, 1, 12), 'dropped'))
FROM #tasks AS t
LEFT JOIN #commits AS c INDEXED BY ###commits ON c.id = t.commit_id
WHERE t.session_label = ?1 ORDER BY t.id DESC LIMIT ?2;
