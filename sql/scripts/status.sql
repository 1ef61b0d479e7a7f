-- status.sql - how the sessions of a file are doing, for people.
--
--   sqlite3 agent.db < status.sql
--
-- For the sqlite3 shell. It only reads, and works without the extension: everything here is plain
-- SQL over the tables and the views of docs/looking.md. With the extension loaded, stale_sessions says the same as the third part,
-- and more: it leaves out sessions with a live run, and takes other thresholds as arguments
-- (SELECT * FROM stale_sessions(NULL, '1h')). Times are UTC.
.timeout 10000
.headers on
.mode column

.print Sessions
SELECT status, count(*) AS sessions, count(task) AS "with a task",
       count(superseded_by) AS merged, sum(waiting) AS "inputs waiting", sum(failed) AS "failed",
       max(last_active) AS "last active"
FROM session_overview GROUP BY status ORDER BY status;

.print
.print What waits for somebody (the 20 that wait longest)
SELECT since_time AS since, session_label AS session, reason, ref,
       substr(replace(detail, char(10), ' '), 1, 60) AS what
FROM session_attention ORDER BY session_attention.since LIMIT 20;

.print
.print Sessions at work (the 20 that moved last, workers behind the others)
SELECT label AS session, state, substr(replace(task, char(10), ' '), 1, 48) AS task,
       run_state AS run, owner, waiting, last_active AS "last active",
       CASE status WHEN 'active' THEN '' ELSE status END AS note
FROM session_overview WHERE hidden = 0 AND (state <> 'None' OR run_state <> 'idle' OR waiting > 0)
ORDER BY origin = 'subagent', last_activity DESC LIMIT 20;

.print
.print Stale (the 20 that are idle longest)
WITH
  -- An override for the session, else the file's setting, else the default: 24 h, 7 and 30 days.
  limits AS (
    SELECT s.label, s.open_task_id, s.status,
           strftime('%s', 'now') * 1000 - s.last_activity AS idle,
           strftime('%s', 'now') * 1000 - max(s.last_activity, s.last_used) AS unused,
           coalesce((SELECT value FROM turnstile_config WHERE key = 'ask_threshold'
                     AND session_label IN ('', s.label) ORDER BY session_label DESC LIMIT 1),
                    86400000) AS ask,
           coalesce((SELECT value FROM turnstile_config WHERE key = 'auto_compact_threshold'
                     AND session_label IN ('', s.label) ORDER BY session_label DESC LIMIT 1),
                    604800000) AS save,
           coalesce((SELECT value FROM turnstile_config WHERE key = 'archive_after'
                     AND session_label IN ('', s.label) ORDER BY session_label DESC LIMIT 1),
                    2592000000) AS archive
    FROM sessions AS s WHERE s.status <> 'archived'
  ),
  due AS (
    SELECT label, idle,
           CASE WHEN open_task_id IS NOT NULL AND idle > save THEN 'will be saved'
                WHEN open_task_id IS NOT NULL AND idle > ask THEN 'will be asked about'
                WHEN open_task_id IS NULL AND unused > archive AND status <> 'error' THEN 'will be archived' END AS what
    FROM limits
  )
SELECT label AS session, (idle / 86400000) || ' d ' || (idle / 3600000 % 24) || ' h' AS idle,
       what AS "at the next message or sweep"
FROM due WHERE what IS NOT NULL ORDER BY due.idle DESC LIMIT 20;

.print
.print Inputs nobody has taken up (the 20 oldest)
SELECT session_label AS session, status, source, datetime(enqueued_at / 1000, 'unixepoch') AS since,
       substr(replace(message, char(10), ' '), 1, 60) AS message
FROM session_queue WHERE delivered_at IS NULL ORDER BY id LIMIT 20;

.print
.print Runs
SELECT session_label AS session, owner, run_state AS state,
       datetime(heartbeat_at / 1000, 'unixepoch') AS "last sign of life"
FROM session_runs WHERE run_state <> 'idle' ORDER BY heartbeat_at DESC LIMIT 20;

.print
.print Commits (the 20 newest)
SELECT committed AS at, session_label AS session, short_id AS id, commit_type AS type,
       substr(replace(message, char(10), ' '), 1, 60) AS message
FROM commit_log ORDER BY seq DESC LIMIT 20;
