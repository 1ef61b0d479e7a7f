-- run.sql - the runs of sessions: who executes, with which lease. session_run.

-- :runs_expired (now, limit) → session_label, run_state, owner: of leases that are over. No more than the
-- limit are read of those that ran out.
SELECT session_label, run_state, owner FROM (
  SELECT session_label, run_state, owner, expires_at FROM (
    SELECT session_label AS session_label, run_state AS run_state, owner AS owner, expires_at AS expires_at
    FROM #session_runs INDEXED BY ##session_runs_by_expiry
    WHERE expires_at <= ?1 AND run_state <> 'idle' ORDER BY expires_at LIMIT ?2)
  UNION ALL
  SELECT session_label, run_state, owner, expires_at
  FROM #session_runs INDEXED BY ##session_runs_by_expiry
  WHERE expires_at > ?1 AND heartbeat_at - 60000 > ?1 AND run_state <> 'idle')
ORDER BY expires_at, session_label LIMIT ?2;

-- :run_add (session_label, owner, run_state, data, now, token)
INSERT OR FAIL INTO #session_runs(session_label, owner, run_state, data, acquired_at, heartbeat_at,
                                  token)
VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6);

-- :run_last_state (session_label) → to_state: of the last event of a run
SELECT to_state FROM #session_events INDEXED BY ##session_events_by_session WHERE session_label = ?1
  AND likelihood(axis = 'run', 1.0) ORDER BY id DESC LIMIT 1;

-- :run_move (session_label, owner, run_state, data, now). A lease that a clock has given which was ahead stays
-- over.
UPDATE OR FAIL #session_runs SET owner = ?2, run_state = ?3, data = ?4, heartbeat_at = ?5,
  expires_at = iif(heartbeat_at - 60000 > ?5, min(expires_at, ?5), expires_at)
WHERE session_label = ?1;

-- :run_reset (session_label): idle, without a lease
UPDATE OR FAIL #session_runs SET run_state = 'idle', turn_id = NULL, expires_at = NULL
WHERE session_label = ?1;

-- :run_of_turn (turn_id) → session_label, token, owner, expires_at
SELECT session_label, token, owner, expires_at FROM #session_runs INDEXED BY ##session_runs_by_turn
WHERE turn_id = ?1;

-- :run_take (session_label, owner, token, run_state, turn_id, now, expires_at, lease)
INSERT OR FAIL INTO #session_runs(session_label, owner, token, run_state, turn_id, acquired_at,
                                  heartbeat_at, expires_at, lease)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8);

-- :run_retake (session_label, owner, token, run_state, turn_id, now, expires_at, lease)
UPDATE OR FAIL #session_runs SET owner = ?2, token = ?3, run_state = ?4, turn_id = ?5,
  acquired_at = ?6, heartbeat_at = ?6, expires_at = ?7, lease = ?8, data = NULL
WHERE session_label = ?1;

-- :run_renew (session_label, now, expires_at, lease)
UPDATE OR FAIL #session_runs SET heartbeat_at = ?2, expires_at = ?3, lease = ?4
WHERE session_label = ?1;

-- :run_failed (session_label, failed_turn_id)
UPDATE OR FAIL #session_runs SET failed_turn_id = ?2 WHERE session_label = ?1;

-- :run_state (session_label, run_state)
UPDATE OR FAIL #session_runs SET run_state = ?2 WHERE session_label = ?1;

-- :run_end (session_label, run_state, token, now): the lease ends, and so says its owner
UPDATE OR FAIL #session_runs SET run_state = ?2, turn_id = NULL, expires_at = NULL, token = ?3,
  heartbeat_at = ?4
WHERE session_label = ?1;

-- :run_release (session_label, token): the lease ends, the owner stays
UPDATE OR FAIL #session_runs SET turn_id = NULL, expires_at = NULL, token = ?2
WHERE session_label = ?1;
