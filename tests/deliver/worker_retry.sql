-- worker_retry.sql - queue_retry of the input that gave a worker its task: the report is heard.

SELECT turnstile_install();
SELECT turnstile_clock(1900000000000);
CREATE TEMP TABLE ends(how);
INSERT INTO ends VALUES ('stopped'), ('parent abandons'), ('parent ends it'), ('timed out'), ('aborted'), ('failed'), ('died');
INSERT INTO turnstile SELECT 'session_start', json_array('p ' || how, 'build') FROM ends;
INSERT INTO turnstile SELECT 'session_spawn', json_array('p ' || how, 'look ' || how, json_object('label', how, 'timeout', iif(how = 'timed out', '10m', '9h'))) FROM ends;
INSERT INTO turnstile SELECT 'turn_begin', json_array(how, 'A', json('{"lease":"1h"}')) FROM ends;
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn_id, token, 'k', 'ls') FROM ends JOIN session_runs ON session_label = how;
INSERT INTO turnstile SELECT 'turn_abort', json_array(turn_id, token, 'stop') FROM session_runs WHERE session_label = 'stopped';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'boom') FROM session_runs WHERE session_label IN ('failed', 'aborted');
INSERT INTO turnstile SELECT 'session_run', json_array('died', 'A', 'error', NULL, json_object('token', token)) FROM session_runs
WHERE session_label = 'died';
INSERT INTO turnstile VALUES ('session_deliver', '["p parent abandons","forget it",{"class":"Abandon"}]');
INSERT INTO turnstile VALUES ('session_deliver', '["parent ends it","no",{"source":"agent","class":"Abandon"}]');
INSERT INTO turnstile VALUES ('session_transition', '["aborted","Aborted",{"reason":"no"}]');
SELECT turnstile_clock(1900000000000 + 600000);
SELECT session_recover('p timed out') IS NOT NULL;
SELECT how || ': it is done with', status IN ('failed', 'cancelled'), 1 FROM ends JOIN session_queue ON session_label = how
WHERE message = 'look ' || how;
SELECT how || ': the worker has failed', task_status, 'failed' FROM ends JOIN session_workers ON worker = how;
INSERT INTO turnstile SELECT 'queue_retry', json_array(id) FROM ends JOIN session_queue ON session_label = how
WHERE message = 'look ' || how;
CREATE TEMP TABLE begun AS SELECT how, value_of(printf('SELECT turn_begin(%Q, ''B'')', how)) AS j FROM ends;
SELECT how || ': it is taken', j ->> '$.messages[0].content', 'look ' || how FROM begun;
SELECT how || ': the worker works', (SELECT task_status FROM session_workers WHERE worker = how), 'running' FROM begun;
SELECT how || ': on its task', json_extract(session_state(how), '$.task_state', '$.task'), json_array('Running', 'look ' || how) FROM begun;
SELECT how || ': the report is heard', value_of(printf('SELECT session_report(%Q, ''completed'', ''found'')', how)) > 0, 1 FROM begun;
SELECT how || ': by its parent', count(*), 1 FROM begun JOIN session_queue ON session_label = 'p ' || how
WHERE message = 'found' AND status = 'pending' GROUP BY how;
---- The same without a worker: a task that was left Aborted calls off nothing that is tried again afterwards

SELECT session_deliver('main', 'build it', '{"owner":"A"}') ->> '$.action' = 'start';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn_id, token, 'k', 'ls') FROM session_runs WHERE session_label = 'main';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'boom') FROM session_runs WHERE session_label = 'main';
SELECT session_transition('main', 'Aborted', '{"reason":"no"}') = 'Aborted';
SELECT 'it is tried again', queue_retry(id), id FROM session_queue WHERE session_label = 'main';
SELECT 'and is the next task', json_extract(turn_begin('main', 'A'), '$.messages[0].content'), 'build it';
SELECT 'which is open', session_state('main') ->> '$.task_state', 'Running';

---- Nobody would hear it

SELECT session_start('gone', 'build') > 0;
SELECT session_spawn('gone', 'look', '{"label":"alone"}');
SELECT session_deliver('gone', 'forget it', '{"class":"Abandon"}') ->> '$.action' = 'abandon';
SELECT session_delete('gone', '{"force":1}') IS NOT NULL;
SELECT 'its parent is gone', error_of('SELECT queue_retry(' || id || ')'), 'queue_retry: input ' || id || ' was for the task of '
  || 'worker ''alone'', whose parent is gone, and nobody would get its report; session_spawn gives the task to a worker of '
  || 'another session' FROM session_queue WHERE session_label = 'alone';
SELECT 'it stays as it was', status, 'cancelled' FROM session_queue WHERE session_label = 'alone';

SELECT 'all is sound', group_concat(rule || ' ' || problem), NULL FROM turnstile_check;
