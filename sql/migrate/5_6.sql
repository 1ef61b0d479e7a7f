-- 5_6.sql - schema version 6: what was said and done is kept in the corners too.

-- What is on record of a task beside its first message. In doubt it is work: then it is not dropped.
ALTER TABLE #tasks ADD COLUMN worked INTEGER NOT NULL DEFAULT 0;
UPDATE #tasks AS t SET worked = 1
WHERE commit_id IS NOT NULL
  OR (ended_at IS NULL
      AND (state NOT IN ('Running', 'Aborted')
        OR EXISTS (SELECT 1 FROM #observations AS o WHERE o.task_id = t.id
                   AND (o.auto = 0
                        OR json_extract(json_of(o.data), '$.note')
                           IN ('question', 'answer', 'intervention', 'request_more')))
        OR EXISTS (SELECT 1 FROM #session_history AS h
                   WHERE h.session_label = t.session_label AND h.task_id = t.id)
        OR EXISTS (SELECT 1 FROM #session_events AS e
                   WHERE e.session_label = t.session_label AND e.task_id = t.id
                     AND (e.axis = 'task' AND e.to_state NOT IN ('Running', 'Aborted')
                          OR e.axis = 'turn' AND e.to_state <> 'processing'))
        OR EXISTS (SELECT 1 FROM #deliveries AS d
                   WHERE d.session_label = t.session_label AND d.at > t.started_at
                     AND d.action IN ('continue', 'answer', 'steer', 'interrupt'))));
-- Settings that nothing looked up: those of a session that hold for the whole file only, and those of names
-- that became aliases, which go to the session.
DELETE FROM #turnstile_config WHERE session_label <> '' AND key IN ('sweep_batch', 'request_ttl');
INSERT OR IGNORE INTO #turnstile_config(key, session_label, value)
SELECT c.key, a.session_label, c.value
FROM #turnstile_config AS c JOIN #session_aliases AS a ON a.alias = c.session_label
WHERE NOT EXISTS (SELECT 1 FROM #sessions WHERE label = c.session_label);
DELETE FROM #turnstile_config
WHERE session_label IN (SELECT alias FROM #session_aliases)
  AND session_label NOT IN (SELECT label FROM #sessions);
-- A session in error is not archived by its age, and stands no longer among those that are. (Version 5
-- had sessions_by_use, which retired.sql drops.)
CREATE INDEX #sessions_unused ON ##sessions(max(last_activity, last_used))
  WHERE open_task_id IS NULL AND status <> 'archived' AND status <> 'error'
    AND superseded_by IS NULL AND pending_choice IS NULL
    AND waits = 0 AND (label < 'group:' OR label >= 'group;');

-- Messages of sessions that were deleted: their ids, without a text. The platform may send one again.
CREATE TABLE #deleted_messages (
  id TEXT PRIMARY KEY NOT NULL,            -- SHA-256 of a name of the session, message_id, channel, sender
  at INTEGER NOT NULL                      -- when the session was deleted
) STRICT, WITHOUT ROWID;
CREATE INDEX #deleted_messages_by_age ON ##deleted_messages(at);
-- What was handed over waits for a turn, unless its host keeps none. Of what is open nobody has said so.
ALTER TABLE #session_queue ADD COLUMN awaits_turn INTEGER NOT NULL DEFAULT 1;
-- Where an input stands that is tried again.
ALTER TABLE #session_queue ADD COLUMN shown_turn_id INTEGER;
UPDATE #session_queue AS q SET shown_turn_id = turn_id
WHERE turn_id IS NOT NULL AND status <> 'delivered'
  AND EXISTS (SELECT 1 FROM #messages AS m
              WHERE m.place BETWEEN q.turn_id << 12 AND q.turn_id << 12 | 4095 AND m.role IN ('user', 'system')
                AND ifnull(json_extract(json_of(m.metadata), '$.queue_id'), q.id)
                    = q.id);
CREATE INDEX #session_queue_unclaimed ON ##session_queue(session_label, id)
  WHERE status = 'handed' AND awaits_turn = 1;

-- Workers: until when they must have reported; their reports; what a full queue keeps.
ALTER TABLE #sessions ADD COLUMN deadline INTEGER;
ALTER TABLE #session_queue ADD COLUMN exempt INTEGER NOT NULL DEFAULT 0;
CREATE INDEX #sessions_workers ON ##sessions(label) WHERE is_subagent = 1;
CREATE INDEX #sessions_by_deadline ON ##sessions(deadline) WHERE deadline IS NOT NULL;
CREATE INDEX #sessions_by_parent_deadline ON ##sessions(parent_session_label, deadline)
  WHERE deadline IS NOT NULL;
CREATE INDEX #session_events_worker ON ##session_events(session_label, task_id, id)
  WHERE axis = 'worker';
UPDATE #session_queue AS q SET exempt = 1
WHERE delivered_at IS NULL AND source = 'agent'
  AND ((channel = 'worker' AND message_id = 'report')
       OR EXISTS (SELECT 1 FROM #sessions AS s WHERE s.label = q.session_label AND s.is_subagent = 1
                  AND s.parent_session_label = q.sender AND s.task_description = q.message));
-- A worker's task_status is that of its newest task.
UPDATE #sessions AS s SET task_status = CASE
    (SELECT state FROM #tasks WHERE id = s.open_task_id)
  WHEN 'Complete' THEN 'completed' WHEN 'Aborted' THEN 'failed' ELSE 'running' END
WHERE is_subagent = 1 AND open_task_id IS NOT NULL
  AND (task_status = 'completed'
       OR (SELECT state FROM #tasks WHERE id = s.open_task_id) IN ('Complete', 'Aborted'));
-- A report that a parent has got is one of the task that was the worker's newest then.
INSERT INTO #session_events(id, session_label, task_id, axis, from_state, to_state, "trigger", data, at)
SELECT (SELECT max(ifnull(max(id), 0), ifnull((SELECT value FROM #turnstile_meta
                                               WHERE key = 'last_event'), 0)) FROM #session_events)
         + row_number() OVER (ORDER BY r.id),
       r.worker, r.task, 'worker', r.status, r.status, 'report',
       json_object('result', r.message), r.at
FROM (SELECT d.id, s.label AS worker, d.message, d.at,
             (SELECT max(id) FROM #tasks WHERE session_label = s.label AND started_at <= d.at) AS task,
             iif(s.task_status = 'failed', 'failed', 'completed') AS status
      FROM #deliveries AS d JOIN #sessions AS s ON s.label = d.sender AND s.is_subagent = 1
      WHERE d.message_id = 'report' AND d.channel = 'worker' AND d.source = 'agent'
        AND (s.parent_session_label = d.session_label
             OR (SELECT superseded_by FROM #sessions WHERE label = s.parent_session_label)
                = d.session_label)) AS r
WHERE r.task IS NOT NULL;
-- An input that is tried again later.
ALTER TABLE #session_queue ADD COLUMN due_at INTEGER;
ALTER TABLE #session_queue ADD COLUMN due_after INTEGER;
CREATE INDEX #session_queue_due ON ##session_queue(session_label, due_at)
  WHERE due_at IS NOT NULL AND status = 'pending';
CREATE INDEX #session_queue_tried ON ##session_queue(due_at - due_after)
  WHERE due_at IS NOT NULL AND status = 'pending';

-- What a task was at a turn, for session_rewind. (session_history gets its columns from ext/core/install.c: a file
-- of before version 3 has just got the table as turn.sql makes it.)
ALTER TABLE #tasks ADD COLUMN continues_id INTEGER;
ALTER TABLE #sessions ADD COLUMN head_event_id INTEGER;
CREATE INDEX #session_events_task ON ##session_events(session_label, id) WHERE axis = 'task';
-- What was cancelled is found by its sender: identity_unlink says where it goes.
CREATE INDEX #session_queue_cancelled ON ##session_queue(session_label, channel, sender)
  WHERE status = 'cancelled';
-- To what an input is an answer: of those that wait nobody has kept it.
ALTER TABLE #session_queue ADD COLUMN opened_at INTEGER;
ALTER TABLE #session_queue ADD COLUMN asked_at INTEGER;
-- What waits to be tried again is done with when its task ends. Of what was tried before, nobody has kept it.
ALTER TABLE #session_queue ADD COLUMN task_id INTEGER;

-- How long a worker has for each of its tasks; version 5 had no deadlines.
ALTER TABLE #sessions ADD COLUMN timeout INTEGER;
CREATE INDEX #sessions_by_given ON ##sessions(deadline - timeout) WHERE deadline IS NOT NULL;

-- Relations are listed in steps, and so are inside the chain of hashes. What tasks that have ended recorded
-- stays as it was; what the open one did goes into its next step.
ALTER TABLE #edges ADD COLUMN task_id INTEGER;
ALTER TABLE #edges ADD COLUMN links INTEGER;
CREATE INDEX #edges_by_task ON ##edges(task_id, step_id) WHERE task_id IS NOT NULL;
UPDATE #edges AS e SET task_id = (SELECT t.id FROM #tasks AS t WHERE t.session_label = e.session_label
                                  AND t.ended_at IS NULL AND t.started_at <= e.created_at);
UPDATE #edges AS e SET links = (e.from_kind = 'note' AND EXISTS (SELECT 1 FROM #observations AS o
     WHERE o.id = CAST(e.from_ref AS INTEGER) AND e.from_ref = CAST(o.id AS TEXT)
       AND o.session_label = e.session_label))
  | (e.from_kind = 'task' AND EXISTS (SELECT 1 FROM #tasks AS t
     WHERE t.id = CAST(e.from_ref AS INTEGER) AND e.from_ref = CAST(t.id AS TEXT)
       AND t.session_label = e.session_label))
  | 2 * ((e.to_kind = 'note' AND EXISTS (SELECT 1 FROM #observations AS o
     WHERE o.id = CAST(e.to_ref AS INTEGER) AND e.to_ref = CAST(o.id AS TEXT)
       AND o.session_label = e.session_label))
  | (e.to_kind = 'task' AND EXISTS (SELECT 1 FROM #tasks AS t
     WHERE t.id = CAST(e.to_ref AS INTEGER) AND e.to_ref = CAST(t.id AS TEXT)
       AND t.session_label = e.session_label)))
WHERE task_id IS NOT NULL;

-- What was said before a question or a report came is no answer to it. Of two of one millisecond nobody knows
-- which was first: what was said then is words.
ALTER TABLE #tasks ADD COLUMN asked_after INTEGER;
UPDATE #tasks AS t SET asked_after = ifnull(
  (SELECT max(d.id) FROM #deliveries AS d
   WHERE d.session_label = t.session_label
     AND d.at <= (SELECT e.at FROM #session_events AS e
                  WHERE e.session_label = t.session_label AND e.axis = 'task' AND e.to_state = t.state
                  ORDER BY e.id DESC LIMIT 1)), 0)
WHERE state IN ('AwaitingUser', 'PendingComplete');

-- What an undo takes back, or tells of: what workers had said and been told. Of what they were told before, nobody
-- has kept by which turn.
ALTER TABLE #deliveries ADD COLUMN told_place INTEGER;
CREATE INDEX #deliveries_told ON ##deliveries(session_label, id) WHERE told_place IS NOT NULL;
CREATE INDEX #session_queue_failed_in ON ##session_queue(session_label, turn_id)
  WHERE status = 'failed';
CREATE INDEX #session_queue_heard ON ##session_queue(session_label, turn_id)
  WHERE status = 'delivered' AND channel = 'worker';

-- By which name a message came that has an id. Of earlier ones nobody has kept it.
ALTER TABLE #deliveries ADD COLUMN came_as TEXT;
CREATE INDEX #deliveries_by_name ON ##deliveries(came_as, message_id, channel, sender)
  WHERE came_as IS NOT NULL;

-- In which session an input was said that is in another one.
ALTER TABLE #session_queue ADD COLUMN said_in TEXT;
UPDATE #session_queue AS q
SET said_in = (SELECT d.session_label FROM #deliveries AS d WHERE d.id = q.delivery_id)
WHERE (SELECT d.session_label FROM #deliveries AS d WHERE d.id = q.delivery_id) <> q.session_label;
CREATE INDEX #session_queue_said ON ##session_queue(said_in) WHERE said_in IS NOT NULL;

-- By which label, where the name is another one.
ALTER TABLE #deliveries ADD COLUMN came_by TEXT;
CREATE INDEX #deliveries_by_call ON ##deliveries(came_by, message_id, channel, sender)
  WHERE came_by IS NOT NULL;

-- Inputs wait in the order in which they were said.
CREATE INDEX #session_queue_line ON ##session_queue(session_label, rank, delivery_id, id)
  WHERE delivered_at IS NULL AND status = 'pending';

-- What has failed is done with when its task ends, or its sender calls it off.
CREATE INDEX #session_queue_failed_for ON ##session_queue(session_label, task_id)
  WHERE status = 'failed';
CREATE INDEX #session_queue_failed_of ON ##session_queue(session_label, channel, sender)
  WHERE status = 'failed';
-- What a transition has called off with its task: whoever commits that is told.
CREATE INDEX #session_queue_called_off ON ##session_queue(session_label, task_id)
  WHERE status = 'cancelled' AND error = 'its task has ended';

-- What was meant by a message that was taken for something else.
ALTER TABLE #deliveries ADD COLUMN corrected TEXT;
CREATE INDEX #deliveries_corrected ON ##deliveries(id) WHERE corrected IS NOT NULL;

-- Where a session's head has been, however many others were there. (A file of before version 3 has it already.)
CREATE INDEX IF NOT EXISTS #session_history_at ON ##session_history(session_label, thread_id);
