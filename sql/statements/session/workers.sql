-- workers.sql - the workers of a session: their times, their ends, what they have said.

-- :deadlines_ahead (now): workers that were given their task by a clock that was ahead have their time from now on
UPDATE OR FAIL #sessions INDEXED BY ##sessions_by_given
SET deadline = min(9007199254740991, ?1 + timeout), created_at = min(created_at, ?1)
WHERE deadline IS NOT NULL AND deadline - timeout > ?1 + 60000
  AND (SELECT at FROM #session_events
       WHERE id = (SELECT min(id) FROM #session_events NOT INDEXED)) <= ?1;

-- :worker_status (label, task_status)
UPDATE OR FAIL #sessions SET task_status = ?2 WHERE label = ?1;

-- :worker_done (label): it need not report any more
UPDATE OR FAIL #sessions SET deadline = NULL WHERE label = ?1 AND deadline IS NOT NULL;

-- :worker_deadline (label, deadline)
UPDATE OR FAIL #sessions SET deadline = ?2 WHERE label = ?1;

-- :worker_deadline_mend (label, now): a clock that was ahead has given it its task. Its time begins now, unless it
-- is this clock that is behind the file's beginning.
UPDATE OR FAIL #sessions SET deadline = min(9007199254740991, ?2 + timeout)
WHERE label = ?1 AND (SELECT at FROM #session_events
                      WHERE id = (SELECT min(id) FROM #session_events NOT INDEXED)) <= ?2;

-- :worker_task (label) → id: the newest task, open or not
SELECT id FROM #tasks INDEXED BY ##tasks_by_session WHERE session_label = ?1 ORDER BY id DESC LIMIT 1;

-- :worker_last_end (label) → task_id, commit_type, commit_id, task, state_data, reason: of its last task,
-- when it has ended
SELECT task_id, json_extract(data, '$.commit_type'), json_extract(data, '$.commit_id'), json_extract(data, '$.task'),
       json_extract(data, '$.state_data'), json_extract(data, '$.type_data.reason')
FROM (SELECT task_id, json_of(data) AS data
      FROM #session_events INDEXED BY ##session_events_last
      WHERE session_label = ?1 AND axis = 'task' AND to_state = 'None' ORDER BY id DESC LIMIT 1);

-- :worker_unanswered (label, task_id) → found: when the last question of a task was left without an answer
SELECT json_extract(json_of(data), '$.answer') IS NULL
FROM (SELECT id, task_id, from_state, to_state, data
      FROM #session_events INDEXED BY ##session_events_task
      WHERE session_label = ?1 AND likelihood(axis = 'task', 1.0) ORDER BY id DESC LIMIT 100)
WHERE task_id = ?2 AND from_state = 'AwaitingUser' AND to_state <> 'AwaitingUser' ORDER BY id DESC LIMIT 1;

-- :worker_last_word (label, task_id) → id, trigger: of the last event that it has told its parent of
SELECT id, "trigger" FROM #session_events INDEXED BY ##session_events_worker
WHERE session_label = ?1 AND axis = 'worker' AND task_id = ?2 ORDER BY id DESC LIMIT 1;

-- :worker_failed_input (label, turn_id) → error: of an input that has failed in this turn
SELECT error FROM #session_queue INDEXED BY ##session_queue_by_failed_turn
WHERE turn_id = ?2 AND status = 'failed' AND session_label = ?1 ORDER BY id LIMIT 1;

-- :worker_taken (session_label) → :queue_pending: what a turn has of what was said for the task
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND status = 'processing' AND status <> 'pending' AND delivered_at IS NULL
  AND (source = 'agent' OR (source = 'user' AND ifnull(class, '') <> 'Clarification' AND ifnull(class, '') <> 'Unclear'))
ORDER BY id;

-- :worker_failed_inputs (session_label) → :queue_pending: what has failed
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_failed
WHERE session_label = ?1 AND likelihood(status = 'failed', 1.0) ORDER BY id;

-- :worker_said (first place, last place) → content: what the assistant has said last in a turn
SELECT content FROM #messages WHERE place BETWEEN ?1 AND ?2 AND role = 'assistant' AND content <> ''
ORDER BY place DESC LIMIT 1;

-- :worker_heard (label, task_id) → found: when the parent has been told what became of the task: by its
-- report, or by anything but a question since the task moved last (its commit is no move)
SELECT 1 FROM #session_events INDEXED BY ##session_events_worker
WHERE session_label = ?1 AND axis = 'worker' AND task_id = ?2 AND "trigger" <> 'question'
  AND ("trigger" = 'report' OR "trigger" = 'late'
       OR id > (SELECT id FROM #session_events INDEXED BY ##session_events_task
                WHERE session_label = ?1 AND likelihood(axis = 'task', 1.0) AND task_id = ?2 AND to_state <> 'None'
                ORDER BY id DESC LIMIT 1)) LIMIT 1;

-- :workers_overdue (parent_session_label, now, step) → label, is_overdue: workers that should have
-- reported, and those whose deadline is of a clock that was ahead
SELECT label, deadline <= ?2 FROM #sessions INDEXED BY ##sessions_by_parent_deadline
WHERE parent_session_label = ?1 AND deadline IS NOT NULL
  AND likelihood(deadline <= ?2 OR deadline - timeout > ?2 + ?3, 1.0)
ORDER BY deadline DESC, label DESC;

-- :workers_overdue_all (now, limit) → :runs_expired: the same of all sessions
SELECT label, NULL, NULL FROM (SELECT label AS label, deadline AS deadline
                               FROM #sessions INDEXED BY ##sessions_by_deadline
                               WHERE deadline <= ?1 ORDER BY deadline LIMIT ?2)
ORDER BY deadline, label;

-- :workers (parent_session_label) → label, is_at_work: one that has failed may have its task still
SELECT label, one_of(task_status, WORKER_OPEN)
       OR ifnull((SELECT ended_at IS NULL FROM #tasks WHERE id = open_task_id), 0)
FROM #sessions INDEXED BY ##sessions_by_parent
WHERE parent_session_label = ?1 AND is_subagent = 1 ORDER BY label DESC;

-- :workers_open_count (parent_session_label, at most) → count
SELECT count(*) FROM (SELECT 1 FROM #sessions INDEXED BY ##sessions_at_work
  WHERE parent_session_label = ?1 AND is_subagent = 1
    AND (one_of(task_status, WORKER_OPEN)) LIMIT ?2);

-- :queue_cancel_all (session_label, now, error)
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_open SET status = 'cancelled', delivered_at = ?2, error = ?3
WHERE session_label = ?1 AND delivered_at IS NULL AND (one_of(status, QUEUE_WAITS));
