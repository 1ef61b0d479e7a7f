-- report.sql - session_report: the task that a subagent was given, and how it ended.

-- :worker_had_task (label, task_id) → found
SELECT 1 FROM #tasks WHERE id = ?2 AND session_label = ?1;

-- :worker_task_end (label, task_id) → commit_type: with which it ended, or would have
SELECT json_extract(json_of(data), '$.commit_type')
FROM #session_events INDEXED BY ##session_events_last
WHERE session_label = ?1 AND axis = 'task' AND to_state = 'None' AND task_id = ?2
ORDER BY id DESC LIMIT 1;

-- :worker_reported (label, task_id, status, result) → id, trigger, to_state, result: of the task's report
-- that says this, else of its first
SELECT id, "trigger", to_state, json_extract(json_of(data), '$.result')
FROM #session_events INDEXED BY ##session_events_worker
WHERE session_label = ?1 AND axis = 'worker' AND task_id IS nullif(?2, 0)
  AND ("trigger" = 'report' OR "trigger" = 'late')
ORDER BY to_state = ?3 AND ifnull(json_extract(json_of(data), '$.result') = ?4, 0) DESC, id LIMIT 1;

-- :worker_task_given (task_id) → description, started_at
SELECT description, started_at FROM #tasks WHERE id = ?1;
