-- tool_result.sql - turn_tool_result: what a call gave, in the turn that made it, in a later one. late.sql has results of
-- turns that have ended.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

SELECT turn_begin('main', 'w', '{"messages":[{"role":"user","content":"test it"}]}') ->> '$.turn';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(16777216, 1, value, 'bash') FROM json_each('["c1","c2","c3","c4","c5","c6","left"]');

SELECT 'completed, and the signals', turn_tool_result(16777216, 1, 'c1', '31 passed', '{"now":1767225601000}'), '{"status":"completed","expires_at":1767225901000,"interrupted":false,"steering":0}';
SELECT 'the row', (SELECT json_array(status, result, error, completed_at) FROM tool_calls WHERE id = 'c1'), '["completed","31 passed",null,1767225601000]';
SELECT 'failed', turn_tool_result(16777216, 1, 'c2', 'no rule to make target', '{"error":1}') ->> '$.status', 'failed';
SELECT 'the error', (SELECT json_array(status, result, error) FROM tool_calls WHERE id = 'c2'), '["failed",null,"no rule to make target"]';
SELECT 'the others wait', (SELECT count(*) FROM tool_calls WHERE status = 'pending'), 5;
SELECT 'the same once more', turn_tool_result(16777216, 1, 'c1', '31 passed') -> '$.duplicate', 'true';
SELECT 'an empty result is one', turn_tool_result(16777216, 1, 'c3', '') ->> '$.status', 'completed';
SELECT 'another one', error_of('SELECT turn_tool_result(16777216, 1, ''c1'', ''32 passed'')'), 'turn_tool_result: call_id: tool call ''c1'' has its result already, which is another one';
SELECT 'the same as an error', error_of('SELECT turn_tool_result(16777216, 1, ''c1'', ''31 passed'', ''{"error":1}'')'), 'turn_tool_result: call_id: tool call ''c1'' has its result already, which is another one';

---- By the door

INSERT INTO turnstile(command, args) VALUES ('turn_tool_result', '[16777216,1,"c4",{"ok":true}]') RETURNING 'the door, with JSON', turnstile_result() ->> '$.status', 'completed';
SELECT 'is kept as JSON', (SELECT result FROM tool_calls WHERE id = 'c4'), '{"ok":true}';
INSERT INTO turnstile(command, args) VALUES ('turn_tool_result', '{"turn":16777216,"token":1,"call_id":"c5","result":"x","error":1}') RETURNING 'arguments by name', turnstile_result() ->> '$.status', 'failed';

---- Refusals

SELECT 'call_id NULL', error_of('SELECT turn_tool_result(16777216, 1, NULL, ''x'')'), 'turn_tool_result: call_id is missing';
SELECT 'result NULL', error_of('SELECT turn_tool_result(16777216, 1, ''left'', NULL)'), 'turn_tool_result: result is missing';
SELECT 'error is no yes or no', error_of('SELECT turn_tool_result(16777216, 1, ''left'', ''x'', ''{"error":2}'')'), 'turn_tool_result: error is 2; it must be from 0 to 1';
SELECT 'no such call', error_of('SELECT turn_tool_result(16777216, 1, ''zz'', ''x'')'), 'turn_tool_result: call_id: no tool call ''zz'' waits for a result in turn 16777216 or above it';

---- In the turn below

SELECT turn_complete(16777216, 1, '{"content":"I wait"}');
SELECT turn_begin('main', 'w', '{"messages":[{"role":"user","content":"and?"}]}') ->> '$.turn';
SELECT 'a call above it', turn_tool_result(16777217, (SELECT token FROM session_runs), 'left', 'at last') ->> '$.status', 'completed';
SELECT 'is answered by a message of the turn that runs', (SELECT json_array(turn_id, role, tool_call_id, content) FROM messages WHERE role = 'tool'), '[16777217,"tool","left","at last"]';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
