-- 2_3.sql - schema version 3: the turn tree, leases, the order of the queue. turn.sql, which
-- a new file gets as well, makes the tables of the tree; a session counts what its turns have used.
ALTER TABLE #sessions ADD COLUMN turns INTEGER NOT NULL DEFAULT 0;
ALTER TABLE #sessions ADD COLUMN input_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE #sessions ADD COLUMN output_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE #sessions ADD COLUMN cached_input_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE #sessions ADD COLUMN cache_write_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE #sessions ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE #sessions ADD COLUMN total_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE #session_runs ADD COLUMN lease INTEGER;
ALTER TABLE #session_runs ADD COLUMN failed_turn_id INTEGER;
ALTER TABLE #session_queue ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
CREATE INDEX #session_queue_taken ON ##session_queue(session_label, status)
  WHERE delivered_at IS NULL AND status <> 'pending';
CREATE INDEX #session_queue_steering ON ##session_queue(session_label)
  WHERE delivered_at IS NULL AND status = 'pending'
    AND (mode = 'steer' OR mode = 'steer-backlog' OR mode = 'interrupt');
CREATE INDEX #session_queue_front ON ##session_queue(session_label, rank, id)
  WHERE delivered_at IS NULL AND rank < 0;
CREATE INDEX #session_queue_failed ON ##session_queue(session_label, id) WHERE status = 'failed';
CREATE INDEX #sessions_by_parent ON ##sessions(parent_session_label)
  WHERE parent_session_label IS NOT NULL;
INSERT INTO #turnstile_meta(key, value) VALUES ('policies_version', 1);
CREATE INDEX #session_queue_done ON ##session_queue(session_label, id)
  WHERE delivered_at IS NOT NULL;
CREATE INDEX #observations_without_task ON ##observations(session_label) WHERE task_id IS NULL;
CREATE INDEX #observations_by_object ON ##observations(object_id) WHERE object_id IS NOT NULL;
