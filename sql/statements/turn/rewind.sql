-- rewind.sql - session_rewind: what was there at a turn, and what was said since.

-- :worker_word_last (label) → id: the last event by which it has told its parent something
SELECT max(id) FROM #session_events INDEXED BY ##session_events_worker
WHERE session_label = ?1 AND axis = 'worker';

-- :workers_open (parent_session_label) → label, parent_turn_id: of those at work, and of those that have
-- failed with their task open
SELECT label, parent_turn_id FROM #sessions INDEXED BY ##sessions_by_parent
WHERE parent_session_label = ?1 AND is_subagent = 1
  AND (one_of(task_status, WORKER_OPEN)
       OR ifnull((SELECT ended_at IS NULL FROM #tasks WHERE id = open_task_id), 0)) ORDER BY rowid;

-- :workers_of (parent_session_label) → label, parent_turn_id, has_failed
SELECT label, parent_turn_id, task_status = 'failed' FROM #sessions INDEXED BY ##sessions_by_parent
WHERE parent_session_label = ?1 AND likelihood(is_subagent = 1, 1.0) ORDER BY rowid;

-- :worker_word (event) → task_id: of what a worker has said
SELECT task_id FROM #session_events WHERE id = ?1 AND likelihood(axis = 'worker', 1.0);

-- :worker_spawned (label) → parent_turn_id, parent_session_label: of a worker
SELECT parent_turn_id, parent_session_label FROM #sessions INDEXED BY ###sessions
WHERE label = ?1 AND likelihood(is_subagent = 1, 1.0);

-- :queue_unhand (id): it waits again, unclassified, and somebody waits for it. (What a parent says to its worker
-- means something for the task, as no one of an agent does that is exempt from the beginning.)
UPDATE OR FAIL #session_queue SET status = 'pending', class = NULL, mode = NULL, awaits_turn = 1,
  attempts = max(0, attempts - 1),
  exempt = iif(exempt = 0 AND source = 'agent', 2, max(exempt, 1))
WHERE id = ?1;

-- :delivery_met (id) → state: the one that the task was in when it came
SELECT json_extract(json_of(decision), '$.previous_state') FROM #deliveries WHERE id = ?1;

-- :deliveries_told (worker) → message, told_place, queue_id, status, attempts, error: what its parent has
-- told a worker, newest first; status, attempts, error are the input's
SELECT d.message, d.told_place, d.queue_id, (SELECT status FROM #session_queue WHERE id = d.queue_id),
       (SELECT attempts FROM #session_queue WHERE id = d.queue_id), (SELECT error FROM #session_queue WHERE id = d.queue_id)
FROM (SELECT message, told_place, json_extract(json_of(decision), '$.queue_id') AS queue_id
      FROM #deliveries INDEXED BY ##deliveries_told
      WHERE session_label = ?1 AND likelihood(told_place IS NOT NULL, 1.0) ORDER BY id DESC) AS d;

-- :queue_attempted (session_label) → id, message, turn_id, is_worker, sender, message_id, attempts: what
-- was tried, and waits to be tried again; turn_id: of the last attempt, or NULL. A host that keeps no
-- turns does not wait: it tries.
SELECT id, message, shown_turn_id, source = 'agent' AND channel = 'worker', sender, message_id,
       attempts - (status = 'handed')
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND delivered_at IS NULL AND (one_of(status, QUEUE_WAITS)) AND awaits_turn = 1
  AND (attempts > (status = 'handed') OR (shown_turn_id IS NOT NULL AND error IS NOT NULL AND turn_id IS NULL))
ORDER BY id;

-- :queue_attempts_failed (session_label, turn_id) → :queue_attempted: what has failed in turns with
-- higher ids
SELECT id, message, turn_id, source = 'agent' AND channel = 'worker', sender, message_id, attempts
FROM #session_queue INDEXED BY ##session_queue_failed_in
WHERE session_label = ?1 AND turn_id > ?2 AND likelihood(status = 'failed', 1.0) ORDER BY turn_id, id;

-- :queue_heard (session_label, turn_id) → :queue_attempted: what workers have said, and turns with higher
-- ids have taken
SELECT id, message, turn_id, 1, sender, message_id, attempts
FROM #session_queue INDEXED BY ##session_queue_heard
WHERE session_label = ?1 AND turn_id > ?2 AND likelihood(status = 'delivered' AND channel = 'worker', 1.0)
  AND source = 'agent'
ORDER BY id;

-- :queue_said_again (session_label, why) → :queue_attempted: what an undo has brought back
SELECT id, message, turn_id, 1, sender, message_id, attempts
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'pending' AND turn_id IS NOT NULL AND error = ?2
ORDER BY id;

-- :queue_undone (session_label, why) → :queue_attempted: what an undo has cancelled; of a worker's the
-- turn that has had it last
SELECT id, message, iif(source = 'agent' AND channel = 'worker', turn_id, coalesce(turn_id, shown_turn_id)), source = 'agent' AND channel = 'worker', sender, message_id,
       attempts
FROM #session_queue INDEXED BY ##session_queue_cancelled
WHERE session_label = ?1 AND likelihood(status = 'cancelled', 1.0) AND error = ?2 ORDER BY id;

-- :queue_say_again (id, why, turn_id or NULL): what a worker has said waits once more; the turn had taken it
UPDATE OR FAIL #session_queue AS q SET status = 'pending', delivered_at = NULL, error = ?2, turn_id = ?3,
  due_at = NULL, due_after = NULL, attempts = 0, rank = 0, awaits_turn = 1, class = NULL,
  held = EXISTS (SELECT 1 FROM #sessions WHERE label = q.session_label AND status <> 'active')
WHERE id = ?1;

-- :event_first (session_label) → id
SELECT id FROM #session_events INDEXED BY ##session_events_by_session WHERE session_label = ?1
ORDER BY id LIMIT 1;

-- :task_event_until (session_label, id) → task_id, to_state, description, data: the last move of a task up
-- to an event. Of Running an event tells what began it, or the words by which it goes on; what the host
-- has said itself is the state's.
SELECT e.task_id, e.to_state, (SELECT description FROM #tasks WHERE id = e.task_id),
       CASE WHEN e.to_state <> 'Running' THEN e.data
            WHEN e.from_state IS NULL OR e.from_state = 'None' THEN NULL
            WHEN (SELECT group_concat(j.key, ' ')
                  FROM (SELECT key FROM temp.json_each(json_of(e.data))
                        ORDER BY key) AS j)
                 = CASE e.from_state WHEN 'AwaitingUser' THEN 'answer question'
                                     WHEN 'PendingComplete' THEN 'user_message' END THEN NULL
            ELSE e.data END
FROM #session_events AS e INDEXED BY ##session_events_task
WHERE e.session_label = ?1 AND e.axis = 'task' AND e.id <= ?2 ORDER BY e.id DESC LIMIT 1;

-- :task_origin (id) → id: the first of the tasks that go on with one another
SELECT ifnull(continues_id, id) FROM #tasks WHERE id = ?1;

-- :task_continues (id, continues_id)
UPDATE OR FAIL #tasks SET continues_id = ?2 WHERE id = ?1;

-- :task_observed (id) → found: when something was recorded on it
SELECT 1 FROM #observations INDEXED BY ##observations_by_task
WHERE task_id = ?1 AND likelihood(auto = 0, 1.0) LIMIT 1;

-- :history_last (session_label) → id, thread_id, tip_id
SELECT id, thread_id, tip_id FROM #session_history INDEXED BY ##session_history_by_session
WHERE session_label = ?1 ORDER BY id DESC LIMIT 1;

-- :history_of_turn (thread_id, session_label) → id: when the head was there last
SELECT id FROM #session_history INDEXED BY ##session_history_at
WHERE session_label = ?2 AND thread_id = ?1 ORDER BY id DESC LIMIT 1;

-- :turn_is_of (session_label, turn_id) → found: when an event of the session tells of the turn. The newest
-- first: what is asked about is mostly not old.
SELECT 1 FROM #session_events INDEXED BY ##session_events_by_session
WHERE session_label = ?1 AND likelihood(axis = 'turn' AND json_extract(json_of(data), '$.turn') = ?2, 0.01)
ORDER BY id DESC LIMIT 1;

-- :events_back (session_label) → task_id, axis, trigger, turn_id: the turn that it tells of, the newest
-- first
SELECT task_id, axis, "trigger", json_extract(json_of(data), '$.turn') FROM #session_events INDEXED BY ##session_events_by_session
WHERE session_label = ?1 ORDER BY id DESC;

-- :history_next (session_label, id) → event_id: of the move after that
SELECT event_id FROM #session_history INDEXED BY ##session_history_by_session
WHERE session_label = ?1 AND id > ?2 ORDER BY id LIMIT 1;
