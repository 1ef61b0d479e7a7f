-- spawn.sql - subagents.

-- :worker_add (label, persona_id, parent_session_label, parent_turn_id, spawn_tool_call_id,
--              task_description, now, timeout)
INSERT OR FAIL INTO #sessions(label, status, persona_id, origin, routing_key, is_subagent,
                              parent_session_label, parent_turn_id, spawn_tool_call_id,
                              task_description, task_status, work_source, created_at, updated_at,
                              last_activity, timeout)
VALUES (?1, 'active', ?2, 'subagent', ?1, 1, ?3, ?4, ?5, ?6, 'pending', 'agent', ?7, ?7, ?7, ?8);

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

-- :worker_task (label) → the newest task, open or not
SELECT id FROM #tasks INDEXED BY ##tasks_by_session WHERE session_label = ?1 ORDER BY id DESC LIMIT 1;

-- :worker_had_task (label, task_id) → 1
SELECT 1 FROM #tasks WHERE id = ?2 AND session_label = ?1;

-- :worker_task_end (label, task_id) → the type of the commit with which it ended, or would have
SELECT json_extract(json_of(data), '$.commit_type')
FROM #session_events INDEXED BY ##session_events_last
WHERE session_label = ?1 AND axis = 'task' AND to_state = 'None' AND task_id = ?2
ORDER BY id DESC LIMIT 1;

-- :worker_last_end (label) → task_id, type and id of the commit, task, state_data, reason of its last task, when it
-- has ended
SELECT task_id, json_extract(data, '$.commit_type'), json_extract(data, '$.commit_id'), json_extract(data, '$.task'),
       json_extract(data, '$.state_data'), json_extract(data, '$.type_data.reason')
FROM (SELECT task_id, json_of(data) AS data
      FROM #session_events INDEXED BY ##session_events_last
      WHERE session_label = ?1 AND axis = 'task' AND to_state = 'None' ORDER BY id DESC LIMIT 1);

-- :worker_unanswered (label, task_id) → 1 when the last question of a task was left without an answer
SELECT json_extract(json_of(data), '$.answer') IS NULL
FROM (SELECT id, task_id, from_state, to_state, data
      FROM #session_events INDEXED BY ##session_events_task
      WHERE session_label = ?1 AND likelihood(axis = 'task', 1.0) ORDER BY id DESC LIMIT 100)
WHERE task_id = ?2 AND from_state = 'AwaitingUser' AND to_state <> 'AwaitingUser' ORDER BY id DESC LIMIT 1;

-- :worker_last_word (label, task_id) → id, trigger of the last event that it has told its parent of
SELECT id, "trigger" FROM #session_events INDEXED BY ##session_events_worker
WHERE session_label = ?1 AND axis = 'worker' AND task_id = ?2 ORDER BY id DESC LIMIT 1;

-- :worker_word_last (label) → the last event by which it has told its parent something
SELECT max(id) FROM #session_events INDEXED BY ##session_events_worker
WHERE session_label = ?1 AND axis = 'worker';

-- :worker_reported (label, task_id, status, result) → id, trigger, status, result of the task's report that says this,
-- else of its first
SELECT id, "trigger", to_state, json_extract(json_of(data), '$.result')
FROM #session_events INDEXED BY ##session_events_worker
WHERE session_label = ?1 AND axis = 'worker' AND task_id IS nullif(?2, 0)
  AND ("trigger" = 'report' OR "trigger" = 'late')
ORDER BY to_state = ?3 AND ifnull(json_extract(json_of(data), '$.result') = ?4, 0) DESC, id LIMIT 1;

-- :worker_failed_input (label, turn_id) → error of an input that has failed in this turn
SELECT error FROM #session_queue INDEXED BY ##session_queue_by_failed_turn
WHERE turn_id = ?2 AND status = 'failed' AND session_label = ?1 ORDER BY id LIMIT 1;

-- :worker_task_given (task_id) → description, started_at
SELECT description, started_at FROM #tasks WHERE id = ?1;

-- :worker_taken (session_label): as queue_pending, what a turn has of what was said for the task
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND status = 'processing' AND status <> 'pending' AND delivered_at IS NULL
  AND (source = 'agent' OR (source = 'user' AND ifnull(class, '') <> 'Clarification' AND ifnull(class, '') <> 'Unclear'))
ORDER BY id;

-- :worker_failed_inputs (session_label): as queue_pending, what has failed
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_failed
WHERE session_label = ?1 AND likelihood(status = 'failed', 1.0) ORDER BY id;

-- :worker_said (first place, last place) → what the assistant has said last in a turn
SELECT content FROM #messages WHERE place BETWEEN ?1 AND ?2 AND role = 'assistant' AND content <> ''
ORDER BY place DESC LIMIT 1;

-- :worker_heard (label, task_id) → 1 when the parent has been told what became of the task: by its report, or by
-- anything but a question since the task moved last (its commit is no move)
SELECT 1 FROM #session_events INDEXED BY ##session_events_worker
WHERE session_label = ?1 AND axis = 'worker' AND task_id = ?2 AND "trigger" <> 'question'
  AND ("trigger" = 'report' OR "trigger" = 'late'
       OR id > (SELECT id FROM #session_events INDEXED BY ##session_events_task
                WHERE session_label = ?1 AND likelihood(axis = 'task', 1.0) AND task_id = ?2 AND to_state <> 'None'
                ORDER BY id DESC LIMIT 1)) LIMIT 1;

-- :workers_overdue (parent_session_label, now, step) → label, is it overdue: of workers that should have reported,
-- and of those whose deadline is of a clock that was ahead
SELECT label, deadline <= ?2 FROM #sessions INDEXED BY ##sessions_by_parent_deadline
WHERE parent_session_label = ?1 AND deadline IS NOT NULL
  AND likelihood(deadline <= ?2 OR deadline - timeout > ?2 + ?3, 1.0)
ORDER BY deadline DESC, label DESC;

-- :workers_overdue_all (now, limit) → label, NULL, NULL: the same of all sessions
SELECT label, NULL, NULL FROM (SELECT label AS label, deadline AS deadline
                               FROM #sessions INDEXED BY ##sessions_by_deadline
                               WHERE deadline <= ?1 ORDER BY deadline LIMIT ?2)
ORDER BY deadline, label;

-- :workers (parent_session_label) → label, are they at work: one that has failed may have its task still
SELECT label, task_status = 'pending' OR task_status = 'running'
       OR ifnull((SELECT ended_at IS NULL FROM #tasks WHERE id = open_task_id), 0)
FROM #sessions INDEXED BY ##sessions_by_parent
WHERE parent_session_label = ?1 AND is_subagent = 1 ORDER BY label DESC;

-- :workers_open (parent_session_label) → label, parent_turn_id of those at work, and of those that have
-- failed with their task open
SELECT label, parent_turn_id FROM #sessions INDEXED BY ##sessions_by_parent
WHERE parent_session_label = ?1 AND is_subagent = 1
  AND (task_status = 'pending' OR task_status = 'running'
       OR ifnull((SELECT ended_at IS NULL FROM #tasks WHERE id = open_task_id), 0)) ORDER BY rowid;

-- :workers_of (parent_session_label) → label, parent_turn_id, has it failed
SELECT label, parent_turn_id, task_status = 'failed' FROM #sessions INDEXED BY ##sessions_by_parent
WHERE parent_session_label = ?1 AND likelihood(is_subagent = 1, 1.0) ORDER BY rowid;

-- :worker_word (event) → task_id of what a worker has said
SELECT task_id FROM #session_events WHERE id = ?1 AND likelihood(axis = 'worker', 1.0);

-- :worker_spawned (label) → parent_turn_id, parent_session_label of a worker
SELECT parent_turn_id, parent_session_label FROM #sessions INDEXED BY ###sessions
WHERE label = ?1 AND likelihood(is_subagent = 1, 1.0);

-- :workers_open_count (parent_session_label, at most) → how many
SELECT count(*) FROM (SELECT 1 FROM #sessions INDEXED BY ##sessions_at_work
  WHERE parent_session_label = ?1 AND is_subagent = 1
    AND (task_status = 'pending' OR task_status = 'running') LIMIT ?2);

-- :tool_call_spawned (place, spawned_session_label)
UPDATE OR FAIL #tool_calls SET spawned_session_label = ?2 WHERE place = ?1;

-- :queue_cancel_all (session_label, now, error)
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_open SET status = 'cancelled', delivered_at = ?2, error = ?3
WHERE session_label = ?1 AND delivered_at IS NULL AND (status = 'pending' OR status = 'handed');
