-- queue.sql - the inputs of a session. What a turn has of them: turn/inputs.sql.
--
-- "status <> 'pending'" beside "status = 'processing'" or 'handed' says nothing new, but lets SQLite see that the
-- index of what is taken will do.

-- :queue_add+id (session_label, delivery_id, source, channel, sender, mode, message_id, class,
-- status, attempts, enqueued_at, message, rank, came_from, held, awaits_turn, exempt, opened_at,
-- asked_at): came_from is NULL unless that session is merged into this one
INSERT OR FAIL INTO #session_queue(session_label, delivery_id, source, channel, sender, mode,
                                   message_id, class, status, attempts, enqueued_at, message, rank,
                                   came_from, held, awaits_turn, exempt, opened_at, asked_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
        (SELECT label FROM #sessions INDEXED BY ###sessions WHERE label = ?14 AND superseded_by = ?1), ?15, ?16, ?17, ?18, ?19);

-- :queue_home (id) → came_from
SELECT came_from FROM #session_queue WHERE id = ?1;

-- An input's place: rank, delivery_id, id. What interrupts, or stands at the front, has a rank below 0; all else
-- stands in the order in which it was said. The view queue_list, what is handed over and what turns take go by it.

-- :queue_pending (session_label) → id, delivery_id, source, channel, sender, class, message, mode,
-- message_id, enqueued_at, attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at,
-- asked_at: what waits, in order
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL
ORDER BY rank, delivery_id, id;

-- :queue_next_front (session_label) → :queue_pending: what stands before all others
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_line
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND rank < 0
ORDER BY rank, delivery_id, id;

-- :queue_next (session_label) → :queue_pending: all others
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_line
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND rank >= 0
ORDER BY rank, delivery_id, id;

-- :queue_handed_rows (session_label) → :queue_pending: what was handed over
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND status = 'handed' AND status <> 'pending' AND delivered_at IS NULL
ORDER BY rank, delivery_id, id;

-- :queue_for_turn (session_label) → :queue_pending: of that what a turn is to take, and not a host that
-- keeps none
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_unclaimed
WHERE session_label = ?1 AND status = 'handed' AND awaits_turn = 1
ORDER BY rank, delivery_id, id;

-- :queue_has_for_turn (session_label) → found: when it has such an input
SELECT 1 FROM #session_queue INDEXED BY ##session_queue_unclaimed
WHERE session_label = ?1 AND status = 'handed' AND awaits_turn = 1 LIMIT 1;

-- :queue_unclaimed (session_label) → :queue_pending: by their ids
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_unclaimed
WHERE session_label = ?1 AND status = 'handed' AND awaits_turn = 1 ORDER BY id;

-- :queue_pending_count (session_label, at most) → count: how many wait, when it is `at most` that do;
-- counting all that are open reads no rows
SELECT CASE
  WHEN (SELECT count(*) FROM (SELECT 1 FROM #session_queue INDEXED BY ##session_queue_open
                              WHERE session_label = ?1 AND delivered_at IS NULL LIMIT ?2)) < ?2
    THEN 0
  ELSE (SELECT count(*) FROM (SELECT 1 FROM #session_queue INDEXED BY ##session_queue_open
                              WHERE session_label = ?1 AND status = 'pending'
                                AND delivered_at IS NULL LIMIT ?2)) END;

-- :queue_answer (session_label, is it a subagent, last delivery before the question or -1) → id, source,
-- channel, sender: in order. What waits and may be what a session waits for: the answer to the question
-- that is open, of its user or of its parent, or a worker's next task, of its parent
SELECT id, source, channel, sender FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND exempt <> 1 AND ifnull(delivery_id, 0) > ?3
  AND ((source = 'user' AND ?3 >= 0) OR (?2 AND source = 'agent' AND channel <> 'worker'))
  AND ifnull(class, '') NOT IN (#LIST_CLASS_WORDS)
ORDER BY id;

-- :queue_oldest (session_label, id of an answer) → :queue_pending: the one that waits longest, of those
-- that can be dropped: nobody waits for it. A turn has had what is to be tried again, and the task waits
-- for that.
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND exempt = 0
  AND opened_at IS NULL AND asked_at IS NULL AND task_id IS NULL AND shown_turn_id IS NULL
  AND attempts = 0 AND error IS NULL AND id <> ?2
ORDER BY id LIMIT 1;

-- :queue_get (id) → session_label, status, rank, attempts, due_at, source, message
SELECT session_label, status, rank, attempts, due_at, source, message FROM #session_queue WHERE id = ?1;

-- :queue_one (id) → :queue_pending: one that waits
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue WHERE id = ?1 AND status = 'pending';

-- :queue_end (id, status, now, error): finished, with any status
UPDATE OR FAIL #session_queue SET status = ?2, delivered_at = ?3, error = ?4 WHERE id = ?1;

-- :queue_again (id): an input that failed or was cancelled waits once more, at its old place. Somebody has said so, and
-- no full queue says otherwise.
UPDATE OR FAIL #session_queue AS q SET status = 'pending', delivered_at = NULL,
  error = NULL, turn_id = NULL, due_at = NULL, due_after = NULL, attempts = 0, rank = 0, awaits_turn = 1,
  opened_at = NULL, asked_at = NULL, exempt = iif(exempt = 0 AND source = 'agent', 2, max(exempt, 1)),
  held = EXISTS (SELECT 1 FROM #sessions WHERE label = q.session_label AND status <> 'active')
WHERE id = ?1;

-- :queue_rank (id, rank)
UPDATE OR FAIL #session_queue SET rank = ?2 WHERE id = ?1;

-- :queue_first_rank (session_label) → rank: the lowest that is taken, -1 at most: what interrupts has
-- that. What a turn has may wait again.
SELECT min(-1, ifnull((SELECT min(rank) FROM #session_queue INDEXED BY ##session_queue_line
                       WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'pending' AND rank < 0), 0),
           ifnull((SELECT min(rank) FROM #session_queue INDEXED BY ##session_queue_taken
                   WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
                     AND status <> 'pending'), 0));

-- :queue_unsteer (id, class): it turns out to be nothing that a live run could take
UPDATE OR FAIL #session_queue SET class = ?2, mode = 'queue'
WHERE id = ?1 AND (one_of(mode, QUEUE_STEERS));

-- :queue_due (session_label, now) → found: when something waits whose time has not come. A time that a
-- clock has written down which was ahead has.
SELECT 1 FROM #session_queue INDEXED BY ##session_queue_due
WHERE session_label = ?1 AND due_at > ?2 AND due_at - ?2 - 60000 <= due_after
  AND due_at IS NOT NULL AND status = 'pending' LIMIT 1;

-- :queue_now (id): it need not wait for its time
UPDATE OR FAIL #session_queue SET due_at = NULL, due_after = NULL WHERE id = ?1;

-- :queue_of_turn (session_label, turn_id) → :queue_pending: what a turn has
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2 ORDER BY id;

-- :queue_of_task (session_label) → :queue_pending: what users said for the open task, and no turn has
-- taken
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_unclaimed
WHERE session_label = ?1 AND status = 'handed' AND awaits_turn = 1 AND source = 'user'
  AND none_of(class, CLASS_WORDS) ORDER BY id;

-- :queue_of_task_waiting (session_label, channel, sender, task_id) → :queue_pending: what users said for
-- the task, and waits: what was worked on and came to nothing, and what this sender said while a run was
-- live
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND source = 'user'
  AND (one_of(class, CLASS_WORK))
  AND (task_id = ?4 OR (task_id IS NULL AND (attempts > 0 OR shown_turn_id IS NOT NULL))
       OR (class <> 'NewTask' AND channel = ?2 AND sender = ?3)) ORDER BY id;

-- :queue_tried (session_label, task_id, is it a worker's) → :queue_pending: what a turn has had for the
-- task, and waits to be tried again
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL
  AND (task_id = ?2 OR (task_id IS NULL AND (attempts > 0 OR shown_turn_id IS NOT NULL)))
  AND ((source = 'user' AND (one_of(class, CLASS_WORK)))
       OR (?3 AND source = 'agent' AND channel <> 'worker'
           AND ifnull(none_of(class, CLASS_WORDS), 1))) ORDER BY id;

-- :queue_tried_failed (session_label, task_id, is it a worker's, with the input that gave it)
-- → :queue_pending: what has failed in a turn
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_failed_for
WHERE session_label = ?1 AND task_id = ?2 AND likelihood(status = 'failed', 1.0)
  AND ((source = 'user' AND (one_of(class, CLASS_WORK)))
       OR (?3 AND source = 'agent' AND channel <> 'worker' AND (exempt <> 1 OR ?4)
           AND ifnull(none_of(class, CLASS_WORDS), 1))) ORDER BY id;

-- :queue_called_off (session_label, task_id) → :queue_pending: what was cancelled when a transition ended
-- the task
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_called_off
WHERE session_label = ?1 AND task_id = ?2 AND status = 'cancelled' AND error = 'its task has ended' ORDER BY id;

-- :queue_of_ended (session_label, turn_id, is it a worker's) → :queue_pending: what a turn has for a task
-- that has ended
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue AS q INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2
  AND (SELECT t.ended_at IS NOT NULL OR one_of(t.state, TASK_OVER) FROM #tasks AS t
       WHERE t.id = q.task_id)
  AND ((source = 'user' AND (one_of(class, CLASS_WORK)))
       OR (?3 AND source = 'agent' AND channel <> 'worker'
           AND ifnull(none_of(class, CLASS_WORDS), 1))) ORDER BY id;

-- :queue_task_leaves (session_label, task_id): the task is saved, or given up for another; what a turn has for it is
-- worked on all the same
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET task_id = 0
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND task_id = ?2;

-- :queue_of_task_ends (session_label, now): it is cancelled with the task
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_unclaimed SET status = 'cancelled', delivered_at = ?2,
  error = 'the task was called off'
WHERE session_label = ?1 AND status = 'handed' AND awaits_turn = 1 AND source = 'user'
  AND none_of(class, CLASS_WORDS);

-- :queue_count (session_label, now) → waiting, steerable: how many inputs wait, or were handed over for a
-- turn, and how many of them a live run could take
SELECT (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_open
        WHERE session_label = ?1 AND delivered_at IS NULL)
       - (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_taken
          WHERE session_label = ?1 AND delivered_at IS NULL AND status <> 'pending'
            AND (status = 'processing' OR awaits_turn = 0)),
       (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_steering
        WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'pending'
          AND (one_of(mode, QUEUE_STEERS))
          AND (due_at IS NULL OR due_at <= ?2 OR due_at - ?2 - 60000 > due_after));

-- :queue_hand (id, class, awaits_turn)
UPDATE OR FAIL #session_queue SET status = 'handed', attempts = attempts + 1,
  due_at = NULL, due_after = NULL,
  class = coalesce(?2, class), awaits_turn = ?3 WHERE id = ?1;

-- :queue_settle (id, now, class): what needs no work any more
UPDATE OR FAIL #session_queue SET status = 'delivered', delivered_at = ?2, error = NULL,
  class = coalesce(?3, class) WHERE id = ?1;

-- :queue_handed (session_label) → found: when something is handed over to a host that keeps no turns. (An
-- update that finds nothing costs several times what this does.)
SELECT 1 FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND status = 'handed' AND status <> 'pending' AND delivered_at IS NULL
  AND likelihood(awaits_turn = 0, 1.0)
LIMIT 1;

-- :queue_taken_up (session_label, now, turn_id): a host that keeps no turns shows that it works on what it
-- was handed
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'delivered', delivered_at = ?2,
  turn_id = coalesce(?3, turn_id), error = NULL
WHERE session_label = ?1 AND status = 'handed' AND status <> 'pending' AND delivered_at IS NULL
  AND awaits_turn = 0;

-- :queue_taken_by (id, now, turn_id): a turn that was written after the fact worked on it
UPDATE OR FAIL #session_queue SET status = 'delivered', delivered_at = ?2, turn_id = ?3, error = NULL
WHERE id = ?1;

-- :queue_waiting_of (session_label, channel, sender, before id) → :queue_pending: what a sender has
-- waiting
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND channel = ?2
  AND sender = ?3 AND source = 'user' AND id < ?4 ORDER BY id;

-- :queue_failed_of (session_label, channel, sender, before id) → :queue_pending: what has failed of a
-- sender's
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_failed_of
WHERE session_label = ?1 AND channel = ?2 AND sender = ?3 AND likelihood(status = 'failed', 1.0)
  AND source = 'user' AND id < ?4 ORDER BY id;

-- :queue_unclaimed_of (session_label, channel, sender, before id) → :queue_pending: what no turn has
-- taken of a sender's
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_unclaimed
WHERE session_label = ?1 AND status = 'handed' AND awaits_turn = 1 AND channel = ?2
  AND sender = ?3 AND source = 'user' AND id < ?4 ORDER BY id;

-- :queue_waits_still (session_label, limit) → :queue_pending: what nobody works on
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND delivered_at IS NULL
  AND (status = 'pending' OR (status = 'handed' AND awaits_turn = 1)) ORDER BY id LIMIT ?2;

-- :messages_said (json array of messages) → text, queue_id: what stands in those of users
SELECT t.value, json_extract(m.value, '$.metadata.queue_id')
FROM (SELECT iif(type = 'object', value, '{}') AS value FROM temp.json_each(?1)) AS m
CROSS JOIN temp.json_tree(m.value, '$.content') AS t
WHERE t.type = 'text' AND json_extract(m.value, '$.role') IN (#LIST_ROLE_INPUT);

-- :queue_orphaned (limit) → :runs_expired: sessions that have such items
SELECT DISTINCT session_label, NULL, NULL FROM #session_queue AS q INDEXED BY ##session_queue_processing
WHERE status = 'processing'
  AND NOT EXISTS (SELECT 1 FROM #session_runs AS r
                  WHERE r.session_label = q.session_label AND r.turn_id = q.turn_id
                    AND (SELECT status FROM #turns WHERE id = q.turn_id) = 'running')
ORDER BY session_label LIMIT ?1;

-- :queue_move (from session, to session): what waits or was handed over waits elsewhere. That it was
-- handed over was no attempt, then, and somebody waits for it. What it named as that to which it is an answer was asked in the session
-- that it leaves: what has answered names nothing any more, what has not names what nobody asks (1). It was
-- for the session that it leaves, or for one that is merged into that. A host that keeps no turns works on what it
-- was handed, and has it there.
UPDATE OR FAIL #session_queue AS q INDEXED BY ##session_queue_open SET session_label = ?2, status = iif(awaits_turn = 0, 'handed', 'pending'),
  attempts = attempts - (status = 'handed' AND awaits_turn = 1 AND attempts > 0),
  exempt = iif(exempt = 0 AND status = 'handed' AND awaits_turn = 1, iif(source = 'agent', 2, 1), exempt),
  came_from = nullif(ifnull((SELECT label FROM #sessions INDEXED BY ###sessions WHERE label = q.came_from AND superseded_by IN (?1, ?2)), ?1), ?2),
  opened_at = iif(attempts > 0 OR shown_turn_id IS NOT NULL, NULL, min(opened_at, 1)),
  asked_at = iif(attempts > 0 OR shown_turn_id IS NOT NULL, NULL, min(asked_at, 1)),
  held = awaits_turn = 1 AND EXISTS (SELECT 1 FROM #sessions WHERE label = ?2 AND status <> 'active')
WHERE session_label = ?1 AND delivered_at IS NULL AND status <> 'processing';

-- :queue_move_failures (from session, to session): what has failed
UPDATE OR FAIL #session_queue AS q INDEXED BY ##session_queue_failed SET session_label = ?2,
  came_from = nullif(ifnull((SELECT label FROM #sessions INDEXED BY ###sessions WHERE label = q.came_from AND superseded_by IN (?1, ?2)), ?1), ?2)
WHERE session_label = ?1 AND status = 'failed';
