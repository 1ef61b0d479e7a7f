-- retired.sql - indexes that older schema versions had and that nothing reads any more.
--
-- SQLite refuses to drop one while any statement is active, and an upgrade keeps two active to find the way
-- back (ext/core/install.c). So the new ones have names of their own, and turnstile_install drops the old ones
-- behind an upgrade, or when it is called again: until then they cost a little at every write, and no more.
DROP INDEX IF EXISTS #sessions_without_task;
DROP INDEX IF EXISTS #observations_work;
DROP INDEX IF EXISTS #sessions_by_use;
DROP INDEX IF EXISTS #session_queue_front;
