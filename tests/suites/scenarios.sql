-- scenarios.sql - whole stories, retold from failures that people had with other products.

SELECT turnstile_install();

---- S01: heartbeats keep no conversation young

CREATE TEMP TABLE t0(at);
INSERT INTO t0 VALUES (10000000000);
INSERT INTO turnstile SELECT 'session_deliver', json_array('S01', 'port the parser', json_object('class', 'NewTask', 'now', at)) FROM t0;
INSERT INTO turnstile SELECT 'session_note', json_array('S01', 'read the grammar', json_object('now', at)) FROM t0;
INSERT INTO turnstile SELECT 'session_flush', json_array('S01', NULL, json_object('now', at)) FROM t0;
-- A heartbeat every 30 minutes, each with work of its own.
INSERT INTO turnstile
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 143)
  SELECT iif(k.k = 1, 'session_deliver', 'session_flush'),
         iif(k.k = 1, json_array('S01', 'heartbeat', json_object('source', 'timer', 'now', at + i * 1800000)), json_array('S01', NULL, json_object('now', at + i * 1800000)))
  FROM n, t0, (SELECT 1 AS k UNION ALL SELECT 2) AS k ORDER BY i, k.k;
SELECT 'S01: idle counts from the user''s message', session_state('S01', json_object('now', at + 72 * 3600000)) ->> '$.idle_ms', 72 * 3600000 FROM t0;
SELECT 'S01: no heartbeat has raised a prompt', (SELECT group_concat(DISTINCT action) FROM deliveries WHERE source = 'timer'), 'continue';
CREATE TEMP TABLE s01 AS SELECT session_deliver('S01', 'new idea: dark mode', json_object('class', 'NewTask', 'now', at + 72 * 3600000)) AS d FROM t0;
SELECT 'S01: asked to continue or start fresh', json_extract(d, '$.action', '$.state'), '["prompt","Running"]' FROM s01;
SELECT 'S01: the message is kept', session_state('S01') ->> '$.pending_choice.held', 'new idea: dark mode';
SELECT 'S01: no commit', (SELECT count(*) FROM commits WHERE session_label = 'S01'), 0;
SELECT 'S01: a heartbeat does not answer', json_extract(session_deliver('S01', 'continue', json_object('source', 'timer', 'now', at + 72 * 3600000 + 30000)), '$.action', '$.choices'), '["continue",null]' FROM t0;
SELECT 'S01: the user does', session_deliver('S01', 'continue', json_object('now', at + 72 * 3600000 + 60000)) ->> '$.action', 'continue' FROM t0;
SELECT 'S01: an answer is activity', session_state('S01', json_object('now', at + 72 * 3600000 + 60000)) ->> '$.idle_ms', 0 FROM t0;
INSERT INTO turnstile
  WITH RECURSIVE n(i) AS (SELECT 145 UNION ALL SELECT i + 1 FROM n WHERE i < 485)
  SELECT 'session_deliver', json_array('S01', 'heartbeat', json_object('source', 'timer', 'now', at + i * 1800000)) FROM n, t0;
CREATE TEMP TABLE s01b AS SELECT session_sweep(json_object('now', at + 243 * 3600000)) AS report FROM t0;
SELECT 'S01: the sweep names the task', report ->> '$.compacted_tasks', '["port the parser"]' FROM s01b;
SELECT 'S01: exactly one commit', (SELECT count(*) FROM commits WHERE session_label = 'S01' AND commit_type = 'StaleAutoCompact'), 1;
SELECT 'S01: idle as long as it was', (SELECT type_data ->> '$.idle_duration_secs' BETWEEN 604801 AND 615540 FROM commits WHERE session_label = 'S01'), 1;

---- S08: after a restart the open question is still there

SELECT turnstile_clock(1000000000);
INSERT INTO turnstile VALUES ('session_deliver', '["S08","add retries",{"class":"NewTask"}]'), ('session_run', '["S08","A1","starting"]'), ('session_run', '["S08","A1","running"]'),
  ('session_transition', '["S08","AwaitingUser",{"question":"Which retry strategy?","choices":["A fixed","B exponential","C jitter"]}]');
SELECT turnstile_clock(1000000000 + 3 * 3600000);
INSERT INTO turnstile VALUES ('turnstile_startup', '["A1"]');
CREATE TEMP TABLE s08 AS SELECT session_recover('S08') AS r;
SELECT 'S08: what was asked', json_extract(r, '$.state', '$.state_data.question', '$.state_data.choices[2]', '$.state_data.asked_at', '$.task'),
       '["AwaitingUser","Which retry strategy?","C jitter",1000000000,"add retries"]' FROM s08;
SELECT 'S08: nobody holds it', r ->> '$.last_run.run_state', 'idle' FROM s08;
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT 'S08: a second recovery is the same', session_recover('S08', '{"now":1010801000}') ->> '$.message', r ->> '$.message' FROM s08;
SELECT 'S08: and leaves nothing behind', dump_of() = d, 1 FROM was;
SELECT 'S08: C is the answer', json_extract(session_deliver('S08', 'C'), '$.action', '$.class', '$.state', '$.task_id'), json_array('continue', 'Response', 'Running', (SELECT id FROM tasks WHERE session_label = 'S08'));
SELECT 'S08: it is in the notes', (SELECT count(*) FROM observations WHERE session_label = 'S08' AND data ->> '$.text' = 'User response: C'), 1;
SELECT 'S08: no commit', (SELECT count(*) FROM commits WHERE session_label = 'S08'), 0;

---- C01: "wait" is not "stop"

INSERT INTO turnstile VALUES ('session_start', '["C01","port the parser"]'), ('session_note', '["C01","read"]');
SELECT 'C01: wait', (session_deliver('C01', 'wait') ->> '$.action') NOT IN ('abandon', 'complete'), 1;
SELECT 'C01: still a task, no commit', (session_state('C01') ->> '$.task') || (SELECT count(*) FROM commits WHERE session_label = 'C01'), 'port the parser0';
SELECT 'C01: please wait', (session_deliver('C01', 'please wait for the new file') ->> '$.action') NOT IN ('abandon', 'complete'), 1;
SELECT 'C01: still a task', (session_state('C01') ->> '$.task') || (SELECT count(*) FROM commits WHERE session_label = 'C01'), 'port the parser0';
SELECT 'C01: both texts are kept', (SELECT count(*) FROM deliveries WHERE session_label = 'C01' AND message LIKE '%wait%'), 2;
SELECT 'C01: stop', json_extract(session_deliver('C01', 'stop'), '$.action', '$.state'), '["abandon","None"]';
SELECT 'C01: Aborted, then None', (SELECT group_concat(to_state) FROM (SELECT * FROM session_events WHERE session_label = 'C01' AND axis = 'task' ORDER BY id DESC LIMIT 2)), 'None,Aborted';
SELECT 'C01: one Abandoned commit', (SELECT group_concat(commit_type) FROM commits WHERE session_label = 'C01'), 'Abandoned';

---- C03: free text where choices were offered

INSERT INTO turnstile VALUES ('session_start', '["C03","add retries"]'),
  ('session_transition', '["C03","AwaitingUser",{"question":"Which strategy?","choices":["A fixed","B exponential","C jitter"]}]');
SELECT 'C03: free text answers', json_extract(session_deliver('C03', 'exponential, but cap it at 30 s'), '$.action', '$.class', '$.state'), '["continue","Response","Running"]';
SELECT 'C03: stored as typed', (SELECT count(*) FROM observations WHERE session_label = 'C03' AND data ->> '$.text' LIKE '%exponential, but cap it at 30 s'), 1;
SELECT 'C03: no open question', session_state('C03') ->> '$.state_data', NULL;
SELECT 'C03: the next message changes the task', json_extract(session_deliver('C03', 'also log each retry', json_object('now', 1000000000 + 3 * 3600000 + 60000)), '$.action', '$.class'), '["continue","Modification"]';
INSERT INTO turnstile VALUES ('turnstile_startup', '[null,{"all":1}]');
SELECT 'C03: recovered Running, without the question', json_extract(session_recover('C03'), '$.state', '$.state_data'), '["Running",null]';
SELECT 'C03: the question is not shown', instr(session_recover('C03') ->> '$.message', 'I was asking') , 0;
SELECT 'C03: both texts in the notes, in order', (SELECT group_concat(t, ' | ') FROM (SELECT data ->> '$.text' AS t FROM observations WHERE session_label = 'C03' AND data ->> '$.note' IN ('answer', 'intervention') ORDER BY id)),
       'User response: exponential, but cap it at 30 s | User intervention: also log each retry';

---- D05: the platform delivers the same webhook again

CREATE TEMP TABLE d05(n, d);
INSERT INTO d05 VALUES (1, session_deliver('D05', 'sum up the report', '{"message_id":"wa-77","channel":"wa","sender":"u1","class":"NewTask"}'));
INSERT INTO turnstile VALUES ('session_run', '["D05","A1","starting"]'), ('session_run', '["D05","A1","running"]');
UPDATE session_runs SET expires_at = 1000000000 + 4 * 3600000 WHERE session_label = 'D05';
DELETE FROM was;
INSERT INTO was SELECT dump_of();
SELECT 'D05: again, while it works', session_deliver('D05', 'sum up the report', '{"message_id":"wa-77","channel":"wa","sender":"u1"}') ->> '$.duplicate', 1;
SELECT 'D05: queue, task and run are untouched', dump_of() = d, 1 FROM was;
SELECT 'D05: the next one waits', json_extract(session_deliver('D05', 'and mail it', '{"message_id":"wa-78","channel":"wa","sender":"u1","class":"Modification","mode":"queue"}'), '$.action', '$.duplicate'), '["queue",null]';
SELECT 'D05: its copy is a duplicate', session_deliver('D05', 'and mail it', '{"message_id":"wa-78","channel":"wa","sender":"u1"}') ->> '$.duplicate', 1;
INSERT INTO turnstile VALUES ('session_run', '["D05","A1","ready"]');
SELECT 'D05: ten minutes later', session_deliver('D05', 'sum up the report', json_object('message_id', 'wa-77', 'channel', 'wa', 'sender', 'u1', 'now', 1000000000 + 3 * 3600000 + 600000)) ->> '$.duplicate', 1;
INSERT INTO turnstile VALUES ('turnstile_startup', '[null,{"all":1}]');
SELECT 'D05: after a restart', session_deliver('D05', 'sum up the report', json_object('message_id', 'wa-77', 'channel', 'wa', 'sender', 'u1', 'now', 1000000000 + 3 * 3600000 + 660000)) ->> '$.duplicate', 1;
SELECT 'D05: one input for each', (SELECT group_concat(message) FROM session_queue WHERE session_label = 'D05'), 'sum up the report,and mail it';

---- L01: archived, then spoken to

INSERT INTO turnstile VALUES ('session_deliver', '["L01","thanks",{"class":"Confirmation"}]');
INSERT INTO session_aliases VALUES ('dm:wa:99', 'L01', 'manual', 1000000000);
UPDATE sessions SET status = 'archived', archived_at = 1000000000 WHERE label = 'L01';
SELECT 'L01: archived, readable by name', session_state('L01') ->> '$.status', 'archived';
SELECT 'L01: spoken to through the alias', json_extract(session_deliver('dm:wa:99', 'one more thing: add retries', '{"class":"NewTask"}'), '$.session', '$.action'), '["L01","start"]';
SELECT 'L01: out of the archive', (SELECT status || ifnull(archived_at, '') FROM sessions WHERE label = 'L01'), 'active';
SELECT 'L01: the alias stands, nothing was committed', (SELECT count(*) FROM session_aliases WHERE session_label = 'L01') || (SELECT count(*) FROM commits WHERE session_label = 'L01'), '10';
