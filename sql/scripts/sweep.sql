-- sweep.sql - what time has made due, done: the cron script.
--
--   sqlite3 agent.db < sweep.sql                                    by hand
--   */10 * * * * sqlite3 -batch /srv/agent.db < /srv/sweep.sql      from a crontab
--
-- For the sqlite3 shell. It saves stale tasks, commits tasks that were left Complete or Aborted,
-- archives sessions that nobody has used for long, frees runs that ended without saying so, and
-- forgets old request ids; docs/stale.md says when each is due. Every statement is a transaction
-- of its own with at most sweep_batch (500) of each kind of work, so that the write lock is never
-- held for long. Each prints its report; "more":true in the last one says that the next call of
-- this script finds work left. Running it twice, or in two places at once, does no harm.
--
-- The library is looked for where the system looks for libraries; give a path to .load otherwise.
-- Tables with a prefix or in an attached file: add SELECT turnstile_use('main', 'prefix_').
.bail on
.timeout 10000
.load turnstile
.headers off
.mode list

SELECT session_sweep();
SELECT session_sweep();
SELECT session_sweep();
SELECT session_sweep();
