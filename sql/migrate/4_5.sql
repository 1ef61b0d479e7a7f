-- 4_5.sql - schema version 5: what keeps a file safe from strangers and from old SQLite.
-- A key that the file brought along is not secret.
INSERT OR REPLACE INTO #turnstile_meta(key, value)
VALUES ('door_key', lower(hex(randomblob(16))));
CREATE INDEX #session_queue_processing ON ##session_queue(session_label)
  WHERE status = 'processing';
-- Ids that are known although their rows went with a session: they are not given out again.
INSERT OR REPLACE INTO #turnstile_meta(key, value)
SELECT 'last_delivery', newest
FROM (SELECT max(delivery_id) AS newest FROM #session_queue WHERE delivery_id < 4503599627370496)
WHERE newest > (SELECT ifnull(max(id), 0) FROM #deliveries);
INSERT OR REPLACE INTO #turnstile_meta(key, value)
SELECT 'last_input', newest
FROM (SELECT max(id) AS newest
      FROM (SELECT json_extract(json_of(decision), '$.queue_id') AS id
            FROM #deliveries)
      WHERE typeof(id) = 'integer' AND id < 4503599627370496)
WHERE newest > (SELECT ifnull(max(id), 0) FROM #session_queue);

-- What counts as use of a session, and what waits in one that takes nothing, or was not taken by it.
ALTER TABLE #sessions ADD COLUMN last_used INTEGER NOT NULL DEFAULT 0;
ALTER TABLE #sessions ADD COLUMN refused TEXT;
ALTER TABLE #session_queue ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
UPDATE #sessions AS s SET last_used = min(9007199254740991, max(
  ifnull((SELECT at FROM #deliveries WHERE session_label = s.label ORDER BY id DESC LIMIT 1), 0),
  ifnull((SELECT changed_at FROM #session_history WHERE session_label = s.label
          ORDER BY id DESC LIMIT 1), 0),
  ifnull((SELECT max(heartbeat_at, ifnull(acquired_at, 0)) FROM #session_runs
          WHERE session_label = s.label AND token > 0), 0)));
UPDATE #session_queue AS q SET held = 1
WHERE delivered_at IS NULL
  AND EXISTS (SELECT 1 FROM #sessions WHERE label = q.session_label AND status <> 'active');
ALTER TABLE #sessions ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;
UPDATE #sessions AS s SET waits = 1
WHERE EXISTS (SELECT 1 FROM #session_queue WHERE session_label = s.label AND status = 'pending'
              AND delivered_at IS NULL);
CREATE INDEX #sessions_with_refused ON ##sessions(label) WHERE refused IS NOT NULL;
CREATE INDEX #session_queue_held ON ##session_queue(session_label, id)
  WHERE held = 1 AND delivered_at IS NULL;
-- Indexes by which no command costs more in a file that has seen much.
CREATE INDEX #sessions_at_work ON ##sessions(parent_session_label)
  WHERE task_status = 'pending' OR task_status = 'running';
CREATE INDEX #observations_to_adopt ON ##observations(session_label)
  WHERE task_id IS NULL AND step_id IS NULL AND auto = 1;
CREATE INDEX #session_events_last ON ##session_events(session_label, axis, to_state)
  WHERE to_state = 'None' OR to_state = 'error';
CREATE INDEX IF NOT EXISTS #session_runs_failed ON ##session_runs(session_label)
  WHERE failed_turn_id IS NOT NULL;
CREATE INDEX #tasks_waiting ON ##tasks(session_label)
  WHERE state = 'AwaitingUser' OR state = 'PendingComplete' OR state = 'Interrupted';
CREATE INDEX IF NOT EXISTS #session_policies_in_order ON ##session_policies(priority DESC) WHERE enabled <> 0;
