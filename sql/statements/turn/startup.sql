-- startup.sql - turnstile_startup: the runs that a process has left behind.

-- :runs_of_owner (owner) → :runs_expired
SELECT session_label, run_state, owner FROM #session_runs INDEXED BY ##session_runs_busy
WHERE owner = ?1 AND run_state <> 'idle'
ORDER BY session_label;

-- :runs_all () → :runs_expired
SELECT session_label, run_state, owner FROM #session_runs INDEXED BY ##session_runs_busy
WHERE run_state <> 'idle'
ORDER BY session_label;
