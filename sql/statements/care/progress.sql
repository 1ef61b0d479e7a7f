-- progress.sql - session_progress: the newest observations of a task, a line each.

-- :observation_latest (task_id, limit) → kind, data, auto: of the newest, newest first
SELECT kind, data, auto FROM #observations WHERE task_id = ?1 ORDER BY id DESC LIMIT ?2;

-- :observation_count (task_id, at most) → count
SELECT count(*) FROM (SELECT 1 FROM #observations WHERE task_id = ?1 LIMIT ?2);

-- :progress_line (kind, data) → line: what an observation says
SELECT CASE ?1
  WHEN 'FileRead' THEN 'Read '
  WHEN 'FileWrite' THEN 'Wrote '
  WHEN 'CommandRun' THEN 'Ran '
  WHEN 'Plan' THEN 'Plan: '
  ELSE '' END ||
  CASE json_type(?2) WHEN 'object' THEN
    coalesce(json_extract(?2, '$.text'), json_extract(?2, '$.path'),
             json_extract(?2, '$.file_path'), json_extract(?2, '$.command'),
             json_extract(?2, '$.plan'), ?2) ||
    coalesce(' (exit ' || json_extract(?2, '$.exit_code') || ')', '')
  WHEN 'text' THEN json_extract(?2, '$')
  ELSE ?2 END;
