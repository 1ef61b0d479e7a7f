-- session_report.sql - session_report: a subagent is done. spawn.sql and workers.sql have what its parent makes of it.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT session_start('main', 'Rename post()');
INSERT INTO turnstile SELECT 'session_spawn', json_array('main', 'find the callers', json_object('label', value)) FROM json_each('["w","bad","door","names","once","back","later"]');
CREATE TEMP VIEW told AS SELECT id, source, channel, sender, message, status FROM session_queue WHERE session_label = 'main' ORDER BY id;

CREATE TEMP TABLE first AS SELECT session_report('w', 'completed', '12 callers', '{"now":1767225601000}') AS id;
SELECT 'it returns the input''s id', id, (SELECT id FROM told) FROM first;
SELECT 'one input of the parent', (SELECT json_array(source, channel, sender, message, status) FROM told), '["agent","worker","w","12 callers","pending"]';
SELECT 'the worker''s task has ended with a commit', (SELECT json_array(commit_type, message, created_at) FROM commits WHERE session_label = 'w'), '["Normal","12 callers",1767225601000]';
SELECT 'nothing of it is open', json_extract(session_state('w'), '$.task_state', '$.task'), '["None",null]';
SELECT 'it is listed as completed', (SELECT task_status FROM sessions WHERE label = 'w'), 'completed';
SELECT 'the same once more gives the first one''s id', session_report('w', 'completed', '12 callers'), id FROM first;
SELECT 'one input', (SELECT count(*) FROM told), 1;
SELECT 'failed: an Abandoned commit', session_report('bad', 'failed', 'no source') > 0 AND (SELECT commit_type FROM commits WHERE session_label = 'bad') = 'Abandoned', 1;
SELECT 'and so it is listed', (SELECT task_status FROM sessions WHERE label = 'bad'), 'failed';

SELECT 'by the number of its task', session_report('later', 'completed', 'r', json_object('task_id', session_state('later') -> '$.task_id')), (SELECT max(id) FROM told);

---- Refusals

CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES ('NULL, ''completed'', ''x''', 'worker is missing'), ('''back'', NULL, ''x''', 'status is missing'), ('''back'', ''completed'', NULL', 'result is missing'),
  ('''back'', ''done'', ''x''', 'status is ''done''; it must be one of: completed, failed'), ('''back'', ''completed'', '' ''', 'result is empty; it must hold more than white space'),
  ('''main'', ''completed'', ''x''', 'this session is not a worker: ''main''; session_spawn makes one'), ('''nobody'', ''completed'', ''x''', 'there is no worker ''nobody''; session_spawn makes one'),
  ('''back'', ''completed'', ''x'', ''{"task_id":999}''', 'task_id is 999, which is not a task of worker ''back'''),
  ('''w'', ''failed'', ''12 callers''', NULL), ('''w'', ''completed'', ''13 callers''', NULL);
SELECT args, error_of('SELECT session_report(' || args || ')'), 'session_report: ' || error FROM wrong WHERE error IS NOT NULL;
SELECT 'after a report: ' || args, error_of('SELECT session_report(' || args || ')') LIKE 'session_report: worker ''w'' has reported before, %; tell ''main'' anything else by queue_push', 1 FROM wrong WHERE error IS NULL;

---- Nobody waits for it

SELECT session_start('p', 'x');
SELECT session_spawn('p', 'find it', '{"label":"stopped"}') IS NOT NULL;
SELECT session_deliver('p', 'never mind', '{"class":"Abandon"}') ->> '$.action';
SELECT 'it was stopped with its parent''s task: NULL', session_report('stopped', 'completed', 'too late'), NULL;
SELECT 'it is kept', (SELECT count(*) FROM session_reports WHERE result = 'too late'), 1;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
