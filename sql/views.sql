-- views.sql - views over the tables, for people and programs. Made anew by every upgrade.

-- A thread is the path from the root to a turn that a head may point at.
CREATE VIEW #threads(turn_id, parent_turn_id, persona_id, depth, turn_count, total_tokens,
                     context_turn_id, created_at) AS
SELECT id, parent_turn_id, persona_id, id & 16777215, (id & 16777215) + 1, thread_tokens,
       context_turn_id, completed_at
FROM ##turns WHERE on_path = 1;

-- What is handed, waits, is being worked on or has failed, session by session in the order in which it
-- is taken.
CREATE VIEW #queue_list(session_label, position, queue_id, status, mode, source, channel, sender,
                        class, attempts, turn_id, enqueued_at, error, message) AS
SELECT session_label,
       row_number() OVER (PARTITION BY session_label
                          ORDER BY delivered_at IS NOT NULL, status <> 'processing',
                                   status <> 'handed', rank,
                                   iif(rank < 0, ifnull(delivery_id, 0), 0), id),
       id, status, mode, source, channel, sender, class, attempts, turn_id, enqueued_at, error,
       message
FROM ##session_queue
WHERE delivered_at IS NULL OR status = 'failed';

-- Subagents, from both sides: who was spawned, and by which session, turn and tool call.
CREATE VIEW #session_workers(worker, parent_session_label, parent_turn_id, tool_call_id, task,
                             task_status, spawned_at, last_activity) AS
SELECT label, parent_session_label, parent_turn_id, spawn_tool_call_id, task_description,
       task_status, created_at, last_activity
FROM ##sessions WHERE is_subagent = 1;
