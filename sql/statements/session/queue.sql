-- queue.sql - the inputs of a session, and the record of deliveries.
--
-- "status <> 'pending'" beside "status = 'processing'" says nothing new, but lets SQLite see that the
-- index of what is taken will do.

-- :queue_add+id (session_label, delivery_id, source, channel, sender, mode, message_id, class,
--             status, attempts, enqueued_at, message, rank, came_from, held, awaits_turn, exempt,
--             opened_at, asked_at) → rowid. came_from is none unless that session is merged into this one
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

-- :queue_next_front (session_label): the same, what stands before all others
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_line
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND rank < 0
ORDER BY rank, delivery_id, id;

-- :queue_next (session_label): the same, all others
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_line
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND rank >= 0
ORDER BY rank, delivery_id, id;

-- :queue_handed_rows (session_label): the same, what was handed over
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND status = 'handed' AND status <> 'pending' AND delivered_at IS NULL
ORDER BY rank, delivery_id, id;

-- :queue_for_turn (session_label): the same, of that what a turn is to take, and not a host that keeps none
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_unclaimed
WHERE session_label = ?1 AND status = 'handed' AND awaits_turn = 1
ORDER BY rank, delivery_id, id;

-- :queue_has_for_turn (session_label): is there such a one?
SELECT 1 FROM #session_queue INDEXED BY ##session_queue_unclaimed
WHERE session_label = ?1 AND status = 'handed' AND awaits_turn = 1 LIMIT 1;

-- :queue_unclaimed (session_label): the same, by their ids
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_unclaimed
WHERE session_label = ?1 AND status = 'handed' AND awaits_turn = 1 ORDER BY id;

-- :queue_pending_count (session_label, at most) → how many wait, when it is `at most` that do; counting
-- all that are open reads no rows
SELECT CASE
  WHEN (SELECT count(*) FROM (SELECT 1 FROM #session_queue INDEXED BY ##session_queue_open
                              WHERE session_label = ?1 AND delivered_at IS NULL LIMIT ?2)) < ?2
    THEN 0
  ELSE (SELECT count(*) FROM (SELECT 1 FROM #session_queue INDEXED BY ##session_queue_open
                              WHERE session_label = ?1 AND status = 'pending'
                                AND delivered_at IS NULL LIMIT ?2)) END;

-- :queue_answer (session_label, is it a subagent, last delivery before the question, or -1) → id, source, channel,
-- sender, in order: what waits and may be what a session waits for: the answer to the question that is open, of its user
-- or of its parent, or a worker's next task, of its parent
SELECT id, source, channel, sender FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND exempt <> 1 AND ifnull(delivery_id, 0) > ?3
  AND ((source = 'user' AND ?3 >= 0) OR (?2 AND source = 'agent' AND channel <> 'worker'))
  AND ifnull(class, '') NOT IN ('Clarification', 'Unclear')
ORDER BY id;

-- :queue_oldest (session_label, id of an answer): as queue_pending, the one that waits longest, of those that can be
-- dropped: nobody waits for it. A turn has had what is to be tried again, and the task waits for that.
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND exempt = 0
  AND opened_at IS NULL AND asked_at IS NULL AND task_id IS NULL AND shown_turn_id IS NULL
  AND attempts = 0 AND error IS NULL AND id <> ?2
ORDER BY id LIMIT 1;

-- :queue_open_count (session_label, at most) → how many inputs are open, up to `at most`
SELECT count(*) FROM (SELECT 1 FROM #session_queue INDEXED BY ##session_queue_open
                      WHERE session_label = ?1 AND delivered_at IS NULL LIMIT ?2);

-- :queue_get (id) → session_label, status, rank, attempts, due_at, source, message
SELECT session_label, status, rank, attempts, due_at, source, message FROM #session_queue WHERE id = ?1;

-- :queue_tells_result (id) → message_id, the call's id: an input that tells what a tool gave
SELECT message_id, sender FROM #session_queue
WHERE id = ?1 AND source = 'system' AND channel = 'tool' AND substr(message_id, 1, 7) = 'result:';

-- :queue_shown (id) → session_label, does it wait, the last turn in whose messages it stands
SELECT session_label, status = 'pending' OR status = 'handed', shown_turn_id FROM #session_queue WHERE id = ?1;

-- :queue_one (id): as queue_pending, one that waits
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue WHERE id = ?1 AND status = 'pending';

-- :queue_said_as (id, id of the input that it was before): where it was said, and for which session
UPDATE OR FAIL #session_queue SET said_in = (SELECT o.said_in FROM #session_queue AS o WHERE o.id = ?2),
  came_from = (SELECT o.came_from FROM #session_queue AS o WHERE o.id = ?2) WHERE id = ?1;

-- :queue_class (id, class): it waits on, and its class is known
UPDATE OR FAIL #session_queue SET class = ?2 WHERE id = ?1;

-- :queue_end (id, status, now, error): done with, however
UPDATE OR FAIL #session_queue SET status = ?2, delivered_at = ?3, error = ?4 WHERE id = ?1;

-- :queue_over (id, class, now, error): it answers what is asked no more, and is no answer when it is tried again
UPDATE OR FAIL #session_queue SET status = 'cancelled', class = ?2, delivered_at = ?3, error = ?4 WHERE id = ?1;

-- :queue_again (id): an input that failed or was cancelled waits once more, at its old place. Somebody has said so, and
-- no full queue says otherwise.
UPDATE OR FAIL #session_queue AS q SET status = 'pending', delivered_at = NULL,
  error = NULL, turn_id = NULL, due_at = NULL, due_after = NULL, attempts = 0, rank = 0, awaits_turn = 1,
  opened_at = NULL, asked_at = NULL, exempt = iif(exempt = 0 AND source = 'agent', 2, max(exempt, 1)),
  held = EXISTS (SELECT 1 FROM #sessions WHERE label = q.session_label AND status <> 'active')
WHERE id = ?1;

-- :queue_rank (id, rank)
UPDATE OR FAIL #session_queue SET rank = ?2 WHERE id = ?1;

-- :queue_first_rank (session_label) → the lowest rank that is taken, -1 at most: what interrupts has that. What a turn
-- has may wait again.
SELECT min(-1, ifnull((SELECT min(rank) FROM #session_queue INDEXED BY ##session_queue_line
                       WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'pending' AND rank < 0), 0),
           ifnull((SELECT min(rank) FROM #session_queue INDEXED BY ##session_queue_taken
                   WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
                     AND status <> 'pending'), 0));

-- :queue_unsteer (id, class): it turns out to be nothing that a live run could take
UPDATE OR FAIL #session_queue SET class = ?2, mode = 'queue'
WHERE id = ?1 AND (mode = 'steer' OR mode = 'steer-backlog' OR mode = 'interrupt');

-- :queue_begin (id, turn_id, class, rank, does it stand in its messages, task or NULL): an input on its way into a turn. What a turn
-- begins with was first in line, and will be so again should the turn come to nothing.
UPDATE OR FAIL #session_queue SET status = 'processing', turn_id = ?2, rank = min(rank, ?4),
  due_at = NULL, due_after = NULL, awaits_turn = 1,
  class = coalesce(?3, class), attempts = attempts + (status = 'pending'),
  shown_turn_id = iif(?5, ?2, shown_turn_id), task_id = ?6 WHERE id = ?1;

-- :queue_goes_on (session_label, turn_id, the next one): the run goes on with them in another turn
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET turn_id = ?3, shown_turn_id = ?3
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :queue_done (session_label, turn_id, now): a turn has ended with its inputs dealt with
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'delivered', delivered_at = ?3,
  error = NULL
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :queue_worn (session_label, turn_id, max_attempts, now, error): inputs that were tried often enough
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'failed', delivered_at = ?4,
  error = ?5
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2
  AND attempts >= ?3;

-- :queue_back (session_label, turn_id, error, now, backoff, the longest): a turn has ended without having
-- recorded anything. Each attempt doubles the time to the next one.
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'pending', turn_id = NULL,
  error = ?3, due_at = iif(?5 > 0, ?4 + min(?6, ?5 << min(max(attempts - 1, 0), 30)), NULL),
  due_after = iif(?5 > 0, min(?6, ?5 << min(max(attempts - 1, 0), 30)), NULL)
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :queue_requeue (session_label, turn_id): somebody wants them to be worked on again
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'pending', turn_id = NULL
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :queue_later (session_label, turn_id, error, due_at, due_after, or NULL): the same, and the attempt does not count
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'pending', turn_id = NULL,
  error = ?3, due_at = ?4, due_after = ?5, attempts = max(attempts - 1, 0)
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :queue_due (session_label, now) → 1 when something waits whose time has not come. A time that a clock has
-- written down which was ahead has.
SELECT 1 FROM #session_queue INDEXED BY ##session_queue_due
WHERE session_label = ?1 AND due_at > ?2 AND due_at - ?2 - 60000 <= due_after
  AND due_at IS NOT NULL AND status = 'pending' LIMIT 1;

-- :queue_now (id): it need not wait for its time
UPDATE OR FAIL #session_queue SET due_at = NULL, due_after = NULL WHERE id = ?1;

-- :queue_failed (session_label, turn_id, now, error): a turn has ended half done
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'failed', delivered_at = ?3, error = ?4
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :queue_of_turn (session_label, turn_id): as queue_pending, what a turn has
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2 ORDER BY id;

-- :queue_stopped (session_label, turn_id, now, why): somebody has stopped the turn
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET status = 'cancelled', delivered_at = ?3,
  error = 'stopped: ' || substr(?4, 1, 200)
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2;

-- :queue_of_task (session_label): as queue_pending, what users said for the open task, and no turn has taken
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_unclaimed
WHERE session_label = ?1 AND status = 'handed' AND awaits_turn = 1 AND source = 'user'
  AND class <> 'Clarification' AND class <> 'Unclear' ORDER BY id;

-- :queue_of_task_waiting (session_label, channel, sender, task_id): as queue_pending, what users said for the task,
-- and waits: what was worked on and came to nothing, and what this sender said while a run was live
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND source = 'user'
  AND (class = 'Response' OR class = 'Modification' OR class = 'Confirmation' OR class = 'NewTask')
  AND (task_id = ?4 OR (task_id IS NULL AND (attempts > 0 OR shown_turn_id IS NOT NULL))
       OR (class <> 'NewTask' AND channel = ?2 AND sender = ?3)) ORDER BY id;

-- :queue_tried (session_label, task_id, is it a worker's): as queue_pending, what a turn has had for the task, and
-- waits to be tried again
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL
  AND (task_id = ?2 OR (task_id IS NULL AND (attempts > 0 OR shown_turn_id IS NOT NULL)))
  AND ((source = 'user' AND (class = 'Response' OR class = 'Modification' OR class = 'Confirmation' OR class = 'NewTask'))
       OR (?3 AND source = 'agent' AND channel <> 'worker'
           AND ifnull(class <> 'Clarification' AND class <> 'Unclear', 1))) ORDER BY id;

-- :queue_tried_failed (session_label, task_id, is it a worker's, with the input that gave it): the same, what has failed in
-- a turn
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_failed_for
WHERE session_label = ?1 AND task_id = ?2 AND likelihood(status = 'failed', 1.0)
  AND ((source = 'user' AND (class = 'Response' OR class = 'Modification' OR class = 'Confirmation' OR class = 'NewTask'))
       OR (?3 AND source = 'agent' AND channel <> 'worker' AND (exempt <> 1 OR ?4)
           AND ifnull(class <> 'Clarification' AND class <> 'Unclear', 1))) ORDER BY id;

-- :queue_called_off (session_label, task_id): the same, what was cancelled when a transition ended the task
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_called_off
WHERE session_label = ?1 AND task_id = ?2 AND status = 'cancelled' AND error = 'its task has ended' ORDER BY id;

-- :queue_of_ended (session_label, turn_id, is it a worker's): the same, what a turn has for a task that has ended
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue AS q INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2
  AND (SELECT t.ended_at IS NOT NULL OR t.state = 'Complete' OR t.state = 'Aborted' FROM #tasks AS t
       WHERE t.id = q.task_id)
  AND ((source = 'user' AND (class = 'Response' OR class = 'Modification' OR class = 'Confirmation' OR class = 'NewTask'))
       OR (?3 AND source = 'agent' AND channel <> 'worker'
           AND ifnull(class <> 'Clarification' AND class <> 'Unclear', 1))) ORDER BY id;

-- :queue_task_leaves (session_label, task_id): the task is saved, or given up for another; what a turn has for it is
-- worked on all the same
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET task_id = 0
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND task_id = ?2;

-- :queue_of_task_ends (session_label, now): it is called off with the task
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_unclaimed SET status = 'cancelled', delivered_at = ?2,
  error = 'the task was called off'
WHERE session_label = ?1 AND status = 'handed' AND awaits_turn = 1 AND source = 'user'
  AND class <> 'Clarification' AND class <> 'Unclear';

-- :queue_processing (session_label, turn_id) → 1 when a turn has inputs from the queue
SELECT 1 FROM #session_queue INDEXED BY ##session_queue_taken
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'processing'
  AND status <> 'pending' AND turn_id = ?2
LIMIT 1;

-- :queue_count (session_label, now) → how many inputs wait, or were handed over for a turn, and how many of them a
-- live run could take
SELECT (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_open
        WHERE session_label = ?1 AND delivered_at IS NULL)
       - (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_taken
          WHERE session_label = ?1 AND delivered_at IS NULL AND status <> 'pending'
            AND (status = 'processing' OR awaits_turn = 0)),
       (SELECT count(*) FROM #session_queue INDEXED BY ##session_queue_steering
        WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'pending'
          AND (mode = 'steer' OR mode = 'steer-backlog' OR mode = 'interrupt')
          AND (due_at IS NULL OR due_at <= ?2 OR due_at - ?2 - 60000 > due_after));

-- :queue_hand (id, class, awaits_turn)
UPDATE OR FAIL #session_queue SET status = 'handed', attempts = attempts + 1,
  due_at = NULL, due_after = NULL,
  class = coalesce(?2, class), awaits_turn = ?3 WHERE id = ?1;

-- :queue_unhand (id): it waits again, unclassified, and somebody waits for it. (What a parent says to its worker
-- means something for the task, as no one of an agent does that is exempt from the beginning.)
UPDATE OR FAIL #session_queue SET status = 'pending', class = NULL, mode = NULL, awaits_turn = 1,
  attempts = max(0, attempts - 1),
  exempt = iif(exempt = 0 AND source = 'agent', 2, max(exempt, 1))
WHERE id = ?1;

-- :queue_settle (id, now, class): what needs no work any more
UPDATE OR FAIL #session_queue SET status = 'delivered', delivered_at = ?2, error = NULL,
  class = coalesce(?3, class) WHERE id = ?1;

-- :queue_handed (session_label) → 1 when something is handed over to a host that keeps no turns. (An
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

-- :queue_awaits (session_label, awaits_turn): its host says anew whether it keeps turns
UPDATE OR FAIL #session_queue INDEXED BY ##session_queue_taken SET awaits_turn = ?2
WHERE session_label = ?1 AND status = 'handed' AND status <> 'pending' AND delivered_at IS NULL
  AND awaits_turn <> ?2;

-- :queue_awaits_all (key, awaits_turn): the same in all sessions that say nothing of their own
UPDATE OR FAIL #session_queue AS q INDEXED BY ##session_queue_taken SET awaits_turn = ?2
WHERE status = 'handed' AND status <> 'pending' AND delivered_at IS NULL AND awaits_turn <> ?2
  AND NOT EXISTS (SELECT 1 FROM #turnstile_config WHERE session_label = q.session_label AND key = ?1);

-- :queue_waiting_of (session_label, channel, sender, before id): as queue_pending, what a sender has waiting
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND status = 'pending' AND delivered_at IS NULL AND channel = ?2
  AND sender = ?3 AND source = 'user' AND id < ?4 ORDER BY id;

-- :queue_failed_of (session_label, channel, sender, before id): the same, what has failed of a sender's
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_failed_of
WHERE session_label = ?1 AND channel = ?2 AND sender = ?3 AND likelihood(status = 'failed', 1.0)
  AND source = 'user' AND id < ?4 ORDER BY id;

-- :queue_unclaimed_of (session_label, channel, sender, before id): the same, what no turn has taken of a
-- sender's
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_unclaimed
WHERE session_label = ?1 AND status = 'handed' AND awaits_turn = 1 AND channel = ?2
  AND sender = ?3 AND source = 'user' AND id < ?4 ORDER BY id;

-- :queue_waits_still (session_label, limit): as queue_pending, what nobody works on
SELECT id, delivery_id, source, channel, sender, class, message, mode, message_id, enqueued_at,
       attempts, rank, shown_turn_id, exempt, due_at, due_after, opened_at, asked_at
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND delivered_at IS NULL
  AND (status = 'pending' OR (status = 'handed' AND awaits_turn = 1)) ORDER BY id LIMIT ?2;

-- :messages_said (json array of messages) → text, queue_id: what stands in those of users
SELECT t.value, json_extract(m.value, '$.metadata.queue_id')
FROM (SELECT iif(type = 'object', value, '{}') AS value FROM temp.json_each(?1)) AS m
CROSS JOIN temp.json_tree(m.value, '$.content') AS t
WHERE t.type = 'text' AND json_extract(m.value, '$.role') IN ('user', 'system');

-- :delivery_seen (session_label, message_id, channel, sender, name, sender's own key) → decision, message: of
-- the session, else of the newest thousand that were merged into it, else of any that had it by one of the
-- names, wherever they lead now
SELECT decision, message FROM #deliveries INDEXED BY ##deliveries_by_message_id
WHERE session_label = ?1 AND message_id = ?2 AND channel = ?3 AND sender = ?4
UNION ALL
SELECT d.decision, d.message
FROM (SELECT label, ?2 AS message_id, ?3 AS channel, ?4 AS sender
      FROM #sessions INDEXED BY ##sessions_by_successor WHERE superseded_by = ?1
      ORDER BY rowid DESC LIMIT 1000) AS s
CROSS JOIN #deliveries AS d INDEXED BY ##deliveries_by_message_id ON d.session_label = s.label
  AND d.message_id = s.message_id AND d.channel = s.channel AND d.sender = s.sender
UNION ALL
SELECT decision, message FROM #deliveries INDEXED BY ##deliveries_by_message_id
WHERE session_label IN (?5, ?6) AND message_id = ?2 AND channel = ?3 AND sender = ?4
UNION ALL
SELECT decision, message FROM #deliveries INDEXED BY ##deliveries_by_name
WHERE came_as IN (?5, ?6) AND message_id = ?2 AND channel = ?3 AND sender = ?4
UNION ALL
SELECT decision, message FROM #deliveries INDEXED BY ##deliveries_by_call
WHERE came_by IN (?5, ?6) AND message_id = ?2 AND channel = ?3 AND sender = ?4
LIMIT 1;

-- :delivery_get (id) → message, source, channel, sender, message_id
SELECT message, source, channel, sender, message_id FROM #deliveries WHERE id = ?1;

-- :delivery_doubted (id) → session_label, action, decision, the input that waits
SELECT session_label, action, decision, json_extract(json_of(decision), '$.queue_id')
FROM #deliveries WHERE id = ?1;

-- :delivery_late (decision, note, the input that was cancelled just now, or 0) → the decision about a message that was
-- taken before a second opinion came
SELECT json_remove(CASE WHEN ?3 = 0 THEN d ELSE json_set(d, '$.cancelled', json_array(
    json((SELECT json_object('queue_id', id, 'message', message) FROM #session_queue WHERE id = ?3)))) END, '$.second_opinion')
FROM (SELECT json_set(?1, '$.action', 'queue', '$.notes', json_array(?2)) AS d);

-- :delivery_later (id, action, decision): the same, as what it was guessed to be
UPDATE OR FAIL #deliveries SET action = ?2, decision = ?3 WHERE id = ?1;

-- :delivery_decide (id, class, confidence, action, decision): after a second opinion. (The guards stand open.)
UPDATE OR FAIL #deliveries SET class = ?2, confidence = ?3, action = ?4, decision = ?5 WHERE id = ?1;

-- :delivery_session (id) → session_label: where it was said
SELECT session_label FROM #deliveries WHERE id = ?1;

-- :delivery_met (id) → the state that the task was in when it came
SELECT json_extract(json_of(decision), '$.previous_state') FROM #deliveries WHERE id = ?1;

-- :delivery_add+id (session_label, message_id, channel, sender, source, class, confidence, action,
--                   decision, at, message, told_place, came_as, came_by) → rowid
INSERT OR FAIL INTO #deliveries(session_label, message_id, channel, sender, source, class,
                                confidence, action, decision, at, message, told_place, came_as, came_by)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, nullif(?13, ?1), nullif(nullif(?14, ?1), ?13));

-- :deliveries_told (worker) → message, told_place, queue_id; status, attempts, error of the input: what its parent has
-- told a worker, newest first
SELECT d.message, d.told_place, d.queue_id, (SELECT status FROM #session_queue WHERE id = d.queue_id),
       (SELECT attempts FROM #session_queue WHERE id = d.queue_id), (SELECT error FROM #session_queue WHERE id = d.queue_id)
FROM (SELECT message, told_place, json_extract(json_of(decision), '$.queue_id') AS queue_id
      FROM #deliveries INDEXED BY ##deliveries_told
      WHERE session_label = ?1 AND likelihood(told_place IS NOT NULL, 1.0) ORDER BY id DESC) AS d;

-- :queue_attempted (session_label) → id, message, turn of the last attempt or NULL, is it a worker's, sender, message_id,
-- attempts: what was tried, and waits to be tried again. A host that keeps no turns does not wait: it tries.
SELECT id, message, shown_turn_id, source = 'agent' AND channel = 'worker', sender, message_id,
       attempts - (status = 'handed')
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND delivered_at IS NULL AND (status = 'pending' OR status = 'handed') AND awaits_turn = 1
  AND (attempts > (status = 'handed') OR (shown_turn_id IS NOT NULL AND error IS NOT NULL AND turn_id IS NULL))
ORDER BY id;

-- :queue_attempts_failed (session_label, turn_id): the same, what has failed in turns with higher ids
SELECT id, message, turn_id, source = 'agent' AND channel = 'worker', sender, message_id, attempts
FROM #session_queue INDEXED BY ##session_queue_failed_in
WHERE session_label = ?1 AND turn_id > ?2 AND likelihood(status = 'failed', 1.0) ORDER BY turn_id, id;

-- :queue_heard (session_label, turn_id): the same, what workers have said, and turns with higher ids have taken
SELECT id, message, turn_id, 1, sender, message_id, attempts
FROM #session_queue INDEXED BY ##session_queue_heard
WHERE session_label = ?1 AND turn_id > ?2 AND likelihood(status = 'delivered' AND channel = 'worker', 1.0)
  AND source = 'agent'
ORDER BY id;

-- :queue_said_again (session_label, why): the same, what an undo has brought back
SELECT id, message, turn_id, 1, sender, message_id, attempts
FROM #session_queue INDEXED BY ##session_queue_open
WHERE session_label = ?1 AND delivered_at IS NULL AND status = 'pending' AND turn_id IS NOT NULL AND error = ?2
ORDER BY id;

-- :queue_undone (session_label, why): the same, what an undo has cancelled; of a worker's the turn that has had it last
SELECT id, message, iif(source = 'agent' AND channel = 'worker', turn_id, coalesce(turn_id, shown_turn_id)), source = 'agent' AND channel = 'worker', sender, message_id,
       attempts
FROM #session_queue INDEXED BY ##session_queue_cancelled
WHERE session_label = ?1 AND likelihood(status = 'cancelled', 1.0) AND error = ?2 ORDER BY id;

-- :queue_say_again (id, why, turn_id or NULL): what a worker has said waits once more; the turn had taken it
UPDATE OR FAIL #session_queue AS q SET status = 'pending', delivered_at = NULL, error = ?2, turn_id = ?3,
  due_at = NULL, due_after = NULL, attempts = 0, rank = 0, awaits_turn = 1, class = NULL,
  held = EXISTS (SELECT 1 FROM #sessions WHERE label = q.session_label AND status <> 'active')
WHERE id = ?1;

-- :delivery_duplicate (decision, conflict) → the answer to a repeated delivery. The first decision stands
-- inside: a loop that tests action alone finds none that it knows.
SELECT CASE WHEN ?2 THEN json_object('action', 'duplicate', 'session', json_extract(?1, '$.session'),
                                     'duplicate', json('true'), 'conflict', json('true'),
                                     'first', json(?1))
       ELSE json_object('action', 'duplicate', 'session', json_extract(?1, '$.session'),
                        'duplicate', json('true'), 'first', json(?1)) END;
