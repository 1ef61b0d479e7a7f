-- views.sql - views over the tables, for people and programs. Made anew by every upgrade.
--
-- JSON is read by json_each alone: in SQLite before 3.41 json_extract, json_valid and the others are no
-- functions for views of files that are not trusted (PRAGMA trusted_schema = OFF), and json_each is. It
-- stops at text that is no JSON: what doesn't look like an object is shown as it is instead.

-- A thread is the path from the root to a turn that a head may point at.
CREATE VIEW #threads(turn_id, parent_turn_id, persona_id, depth, turn_count, total_tokens,
                     context_turn_id, created_at) AS
SELECT id, parent_turn_id, persona_id, id & #DEPTH_MASK, (id & #DEPTH_MASK) + 1, thread_tokens,
       context_turn_id, completed_at
FROM ##turns WHERE on_path = 1;

-- What is handed, waits, is being worked on or has failed, session by session in the order in which it
-- is taken. due_at: it was tried, and is handed to nobody before, nor is what comes behind it.
CREATE VIEW #queue_list(session_label, position, queue_id, status, mode, source, channel, sender,
                        class, attempts, turn_id, enqueued_at, error, message, due_at) AS
WITH listed(session_label, id, done, status, mode, source, channel, sender, class, attempts, turn_id,
            enqueued_at, error, message, rank, delivery_id, due_at) AS (
  SELECT session_label, id, 0, status, mode, source, channel, sender, class, attempts, turn_id,
         enqueued_at, error, message, rank, delivery_id, due_at
  FROM ##session_queue INDEXED BY ##session_queue_open WHERE delivered_at IS NULL
  UNION ALL
  SELECT session_label, id, 1, status, mode, source, channel, sender, class, attempts, turn_id,
         enqueued_at, error, message, rank, delivery_id, due_at
  FROM ##session_queue INDEXED BY ##session_queue_failed WHERE status = 'failed')
SELECT session_label,
       row_number() OVER (PARTITION BY session_label
                          ORDER BY done, status <> 'processing', status <> 'handed', rank, delivery_id, id),
       id, status, mode, source, channel, sender, class, attempts, turn_id, enqueued_at, error,
       message, due_at
FROM listed;

-- Subagents, from both sides: who was spawned, and by which session, turn and tool call. result: the
-- last report.
CREATE VIEW #session_workers(worker, parent_session_label, parent_turn_id, tool_call_id, task,
                             task_status, spawned_at, last_activity, deadline, timeout, result) AS
SELECT label, parent_session_label, parent_turn_id, spawn_tool_call_id, task_description,
       task_status, created_at, last_activity, deadline, timeout,
       (SELECT (SELECT value FROM json_each(e.data) WHERE key = 'result' LIMIT 1)
        FROM ##session_events AS e INDEXED BY ##session_events_worker
        WHERE e.session_label = s.label AND e.axis = 'worker'
          AND (e."trigger" = 'report' OR e."trigger" = 'late') AND e.data GLOB '{*}'
        ORDER BY e.task_id DESC, e.id DESC LIMIT 1)
FROM ##sessions AS s WHERE is_subagent = 1;

-- What workers have reported, one row per task, or per text of those that came late. late: 1 when nobody
-- waited for it any more, so that it is only here.
CREATE VIEW #session_reports(worker, task_id, task, status, reported_at, reported, late, result) AS
SELECT e.session_label, e.task_id, (SELECT description FROM ##tasks WHERE id = e.task_id), e.to_state,
       e.at, datetime(e.at / 1000, 'unixepoch'), e."trigger" = 'late',
       iif(e.data GLOB '{*}', (SELECT value FROM json_each(e.data) WHERE key = 'result' LIMIT 1), NULL)
FROM ##session_events AS e INDEXED BY ##session_events_worker
WHERE e.axis = 'worker' AND (e."trigger" = 'report' OR e."trigger" = 'late');

-- How each session is doing, one row per session. waiting: inputs that nobody works on yet; failed:
-- inputs that wait for a decision; of both no more than a thousand are counted. refused: inputs that
-- were not taken. hidden: not to be listed among those that work. last_activity is the user's,
-- last_used anybody's.
CREATE VIEW #session_overview(label, hidden, status, status_reason, state, task, choice, run_state,
                              owner, turn_id, waiting, failed, turns, total_tokens, head,
                              persona_id, origin, parent, superseded_by, created_at,
                              last_activity, last_active, last_used, refused) AS
SELECT s.label,
       one_of(s.status, STATUS_CLOSED) OR s.superseded_by IS NOT NULL,
       s.status, s.status_reason, ifnull((SELECT state FROM ##tasks WHERE id = s.open_task_id), 'None'),
       (SELECT description FROM ##tasks WHERE id = s.open_task_id),
       iif(s.pending_choice GLOB '{*}',
           (SELECT value FROM json_each(s.pending_choice) WHERE key = 'kind' LIMIT 1), NULL),
       ifnull((SELECT run_state FROM ##session_runs WHERE session_label = s.label), 'idle'),
       (SELECT owner FROM ##session_runs WHERE session_label = s.label),
       (SELECT turn_id FROM ##session_runs WHERE session_label = s.label),
       (SELECT count(*) FROM (SELECT 1 FROM ##session_queue AS q INDEXED BY ##session_queue_open
                              WHERE q.session_label = s.label AND q.delivered_at IS NULL
                                AND q.status <> 'processing' LIMIT 1000)),
       (SELECT count(*) FROM (SELECT 1 FROM ##session_queue AS q INDEXED BY ##session_queue_failed
                              WHERE q.session_label = s.label AND q.status = 'failed'
                              LIMIT 1000)),
       s.turns, s.total_tokens, s.thread_id, s.persona_id, s.origin, s.parent_session_label,
       s.superseded_by, s.created_at, s.last_activity,
       datetime(s.last_activity / 1000, 'unixepoch'), max(s.last_activity, s.last_used),
       ifnull(iif(s.refused GLOB '{*}',
                  (SELECT value FROM json_each(s.refused) WHERE key = 'count' LIMIT 1), NULL), 0)
FROM ##sessions AS s;

-- Everything that happened to a session. In its order: ORDER BY at, part, id. Of one moment that is
-- what came in (part 1), what was noted (2), what moved (3), what was committed (4), and where the
-- head went (5), each as it was written; the moves of all axes share their ids.
CREATE VIEW #session_timeline(session_label, at, time, kind, what, detail, task_id, turn_id, id,
                              part) AS
SELECT session_label, at, datetime(at / 1000, 'unixepoch'), 'delivery',
       ifnull(class, source) || ' → ' || action, message,
       iif(decision GLOB '{*}', (SELECT value FROM json_each(decision) WHERE key = 'task_id' LIMIT 1),
           NULL),
       iif(decision GLOB '{*}',
           (SELECT value FROM json_each(decision, '$.turn') WHERE key = 'turn' LIMIT 1), NULL), id, 1
FROM ##deliveries INDEXED BY ##deliveries_by_session
UNION ALL
SELECT t.session_label, o.created_at, datetime(o.created_at / 1000, 'unixepoch'), 'observation',
       o.kind,
       CASE WHEN o.data GLOB '{*}' THEN
         coalesce((SELECT value FROM json_each(o.data)
                   WHERE key IN ('text', 'path', 'file_path', 'command', 'plan')
                     AND value IS NOT NULL
                   ORDER BY CASE key WHEN 'text' THEN 1 WHEN 'path' THEN 2 WHEN 'file_path' THEN 3
                                     WHEN 'command' THEN 4 ELSE 5 END LIMIT 1), o.data) ||
         coalesce(' (exit ' || (SELECT value FROM json_each(o.data)
                                WHERE key = 'exit_code' LIMIT 1) || ')', '')
       WHEN o.data GLOB '"*"' THEN (SELECT value FROM json_each(o.data))
       ELSE o.data END,
       o.task_id, o.turn_id, o.id, 2
FROM ##tasks AS t INDEXED BY ##tasks_by_session
CROSS JOIN ##observations AS o INDEXED BY ##observations_by_task ON o.task_id = t.id
UNION ALL
SELECT session_label, created_at, datetime(created_at / 1000, 'unixepoch'), 'observation', kind,
       CASE WHEN data GLOB '{*}' THEN
         coalesce((SELECT value FROM json_each(data)
                   WHERE key IN ('text', 'path', 'file_path', 'command', 'plan')
                     AND value IS NOT NULL
                   ORDER BY CASE key WHEN 'text' THEN 1 WHEN 'path' THEN 2 WHEN 'file_path' THEN 3
                                     WHEN 'command' THEN 4 ELSE 5 END LIMIT 1), data) ||
         coalesce(' (exit ' || (SELECT value FROM json_each(data)
                                WHERE key = 'exit_code' LIMIT 1) || ')', '')
       WHEN data GLOB '"*"' THEN (SELECT value FROM json_each(data))
       ELSE data END,
       NULL, turn_id, id, 2
FROM ##observations INDEXED BY ##observations_without_task WHERE task_id IS NULL
UNION ALL
SELECT e.session_label, e.at, datetime(e.at / 1000, 'unixepoch'), e.axis,
       CASE WHEN e.from_state <> e.to_state THEN e.from_state || ' → ' || e.to_state
            ELSE coalesce(e.to_state, e.from_state, '') || ': ' || e."trigger" END,
       CASE WHEN e.data GLOB '{*}' THEN
         coalesce(CASE WHEN e.axis = 'turn' AND e.to_state IN (#LIST_TURN_FAILED) THEN
                    (SELECT error FROM ##turns
                     WHERE id = (SELECT value FROM json_each(e.data) WHERE key = 'turn' LIMIT 1)) END,
                  (SELECT value FROM json_each(e.data)
                   WHERE key IN ('answer', 'question', 'summary', 'user_message', 'reason', 'held', 'task', 'result')
                     AND value IS NOT NULL
                   ORDER BY CASE key WHEN 'answer' THEN 0 WHEN 'question' THEN 1
                                     WHEN 'summary' THEN 2
                                     WHEN 'user_message' THEN 3 WHEN 'reason' THEN 4
                                     WHEN 'held' THEN 5 ELSE 6 END LIMIT 1),
                  CASE WHEN e.axis <> 'turn' AND e."trigger" <> 'fork' THEN e.data END)
       ELSE e.data END,
       e.task_id,
       iif(e.data GLOB '{*}', (SELECT value FROM json_each(e.data) WHERE key = 'turn' LIMIT 1), NULL),
       e.id, 3
FROM ##session_events AS e INDEXED BY ##session_events_by_session
UNION ALL
SELECT session_label, created_at, datetime(created_at / 1000, 'unixepoch'), 'commit',
       'commit ' || commit_type, message, task_id, NULL, seq, 4
FROM ##commits INDEXED BY ##commits_by_session
UNION ALL
SELECT h.session_label, h.changed_at, datetime(h.changed_at / 1000, 'unixepoch'), 'head',
       h.reason,
       coalesce((SELECT summary FROM ##compactions WHERE turn_id = h.thread_id),
                (SELECT content FROM ##messages
                 WHERE place BETWEEN first_place(h.thread_id) AND last_place(h.thread_id)
                   AND role = 'user' ORDER BY place LIMIT 1)),
       h.task_id, nullif(h.thread_id, 0), h.id, 5
FROM ##session_history AS h INDEXED BY ##session_history_by_session;

-- The tasks that ended with a commit. The newest first: ORDER BY seq DESC. Of a task's steps no more
-- than a thousand are counted.
CREATE VIEW #commit_log(session_label, seq, commit_id, short_id, commit_type, message, task,
                        started_at, committed_at, committed, duration_ms, steps, parent_id) AS
SELECT c.session_label, c.seq, c.id, substr(c.id, 1, 12), c.commit_type, c.message,
       (SELECT description FROM ##tasks WHERE id = c.task_id),
       (SELECT started_at FROM ##tasks WHERE id = c.task_id), c.created_at,
       datetime(c.created_at / 1000, 'unixepoch'),
       c.created_at - (SELECT started_at FROM ##tasks WHERE id = c.task_id),
       (SELECT count(*) FROM (SELECT 1 FROM ##steps WHERE task_id = c.task_id LIMIT 1000)),
       c.parent_id
FROM ##commits AS c;

-- What waits for a person or for the host, one row per thing. The oldest first: ORDER BY since. An input
-- that is held is also one that a run works on whose lease is over, by SQLite's clock, or by the file's
-- newest event where that is later. In an archived session it waits all the same. Rows
-- that wait lead, by the index that is theirs, and each asks for its session by itself: no statistics
-- make a join of that which reads all sessions. What a failed turn has left asks for nobody when somebody has ended
-- the task since.
CREATE VIEW #session_attention(session_label, reason, since, since_time, detail, ref) AS
SELECT session_label, reason, since, datetime(since / 1000, 'unixepoch'), detail, ref
FROM (
  SELECT s.label AS session_label, 'error' AS reason,
         ifnull((SELECT e.at FROM ##session_events AS e INDEXED BY ##session_events_last
                 WHERE e.session_label = s.label AND e.axis = 'status' AND e.to_state = 'error'
                 ORDER BY e.id DESC LIMIT 1), s.updated_at) AS since,
         s.status_reason AS detail, NULL AS ref
  FROM ##sessions AS s INDEXED BY ##sessions_in_error
  WHERE s.status = 'error' AND s.superseded_by IS NULL
  UNION ALL
  SELECT t.session_label,
         CASE t.state WHEN 'AwaitingUser' THEN 'question' WHEN 'PendingComplete' THEN 'approval'
                      ELSE 'interrupted' END,
         coalesce(CASE WHEN t.state = 'AwaitingUser' AND t.state_data GLOB '{*}' THEN
                    (SELECT value FROM json_each(t.state_data)
                     WHERE key = 'asked_at' AND type = 'integer' LIMIT 1) END, t.last_activity),
         (SELECT iif(s.status = 'archived', 'archived: ', '')
          FROM ##sessions AS s WHERE s.label = t.session_label) ||
         CASE WHEN t.state_data GLOB '{*}' THEN
           (SELECT value FROM json_each(t.state_data)
            WHERE key = CASE t.state WHEN 'AwaitingUser' THEN 'question'
                                     WHEN 'PendingComplete' THEN 'summary'
                                     ELSE 'user_message' END LIMIT 1) END,
         t.id
  FROM ##tasks AS t INDEXED BY ##tasks_waiting
  WHERE one_of(t.state, TASK_WAITS)
  UNION ALL
  SELECT label, 'choice',
         coalesce(CASE WHEN pending_choice GLOB '{*}' THEN
                    (SELECT value FROM json_each(pending_choice)
                     WHERE key = 'opened_at' AND type = 'integer' LIMIT 1) END, updated_at),
         iif(status = 'archived', 'archived: ', '') ||
         CASE WHEN pending_choice GLOB '{*}' THEN
           (SELECT value FROM json_each(pending_choice) WHERE key = 'text' LIMIT 1)
           || ifnull(char(10) || char(10) || 'Held: ' ||
                (SELECT value FROM json_each(pending_choice)
                 WHERE key = 'held' AND type = 'text' LIMIT 1), '') END, NULL
  FROM ##sessions INDEXED BY ##sessions_with_choice
  WHERE pending_choice IS NOT NULL
  UNION ALL
  SELECT q.session_label, 'failed_input', ifnull(q.delivered_at, q.enqueued_at),
         ifnull(q.error || ': ', '') || q.message, q.id
  FROM ##session_queue AS q INDEXED BY ##session_queue_failed
  WHERE q.status = 'failed'
  UNION ALL
  SELECT q.session_label, 'held_input', q.enqueued_at,
         (SELECT CASE WHEN s.superseded_by IS NOT NULL THEN 'merged into ' || s.superseded_by
                      WHEN s.status = 'error' THEN 'in error' ELSE s.status END
          FROM ##sessions AS s WHERE s.label = q.session_label) || ': '
           || ifnull(q.error || ': ', '') || q.message, q.id
  FROM ##session_queue AS q INDEXED BY ##session_queue_held
  WHERE q.held = 1 AND q.delivered_at IS NULL
    AND (q.status <> 'processing'
         OR NOT EXISTS (SELECT 1 FROM ##session_runs AS r
                        WHERE r.session_label = q.session_label AND r.turn_id = q.turn_id
                          AND r.expires_at > max(CAST((julianday('now') - 2440587.5) * 86400000.0
                                                      AS INTEGER),
                                (SELECT at FROM ##session_events
                                 WHERE id = (SELECT max(id) FROM ##session_events NOT INDEXED)))))
    AND (SELECT s.status <> 'active' OR s.superseded_by IS NOT NULL
         FROM ##sessions AS s WHERE s.label = q.session_label)
  UNION ALL
  SELECT q.session_label, 'handed_input', q.enqueued_at, q.message, q.id
  FROM ##session_queue AS q INDEXED BY ##session_queue_unclaimed
  WHERE q.status = 'handed' AND q.awaits_turn = 1
    AND (SELECT s.status = 'active' AND s.superseded_by IS NULL
         FROM ##sessions AS s WHERE s.label = q.session_label)
  UNION ALL
  SELECT label, 'refused_input',
         CASE WHEN refused GLOB '{*}' THEN
           (SELECT value FROM json_each(refused) WHERE key = 'at' LIMIT 1) ELSE updated_at END,
         CASE WHEN refused GLOB '{*}' THEN
           printf('%d refused (%s), the last from %s: %s',
                  (SELECT value FROM json_each(refused) WHERE key = 'count' LIMIT 1),
                  (SELECT value FROM json_each(refused) WHERE key = 'why' LIMIT 1),
                  (SELECT value FROM json_each(refused) WHERE key = 'source' LIMIT 1),
                  (SELECT value FROM json_each(refused) WHERE key = 'message' LIMIT 1))
         ELSE refused END, NULL
  FROM ##sessions INDEXED BY ##sessions_with_refused WHERE refused IS NOT NULL
  UNION ALL
  SELECT r.session_label, 'failed_turn',
         ifnull((SELECT completed_at FROM ##turns WHERE id = r.failed_turn_id), r.heartbeat_at),
         (SELECT iif(s.status = 'archived', 'archived: ', '')
          FROM ##sessions AS s WHERE s.label = r.session_label) ||
         (SELECT error FROM ##turns WHERE id = r.failed_turn_id),
         r.failed_turn_id
  FROM ##session_runs AS r INDEXED BY ##session_runs_failed
  WHERE r.failed_turn_id IS NOT NULL
    AND (SELECT s.superseded_by IS NULL FROM ##sessions AS s WHERE s.label = r.session_label)
    AND ifnull((SELECT e.at < (SELECT completed_at FROM ##turns WHERE id = r.failed_turn_id)
                FROM ##session_events AS e INDEXED BY ##session_events_last
                WHERE e.session_label = r.session_label AND e.axis = 'task' AND e.to_state = 'None'
                  AND NOT e.data GLOB '*"commit_type":"StaleAutoCompact"*'
                ORDER BY e.id DESC LIMIT 1), 1)
);
