-- tool_call.sql - turn_tool_call: a call is recorded before it is done.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

SELECT turn_begin('main', 'w', '{"messages":[{"role":"user","content":"test it"}]}') ->> '$.turn';

SELECT 'its place, and the signals', turn_tool_call(16777216, 1, 'c1', 'bash', '{ "command" : "make test" }'), '{"sequence":1,"expires_at":1767225900000,"interrupted":false,"steering":0}';
SELECT 'the row', (SELECT json_array(turn_id, sequence, id, tool_name, json(params), status, started_at, completed_at, result, error, spawned_session_label) FROM tool_calls),
  '[16777216,1,"c1","bash",{"command":"make test"},"pending",1767225600000,null,null,null,null]';
SELECT 'no parameters', turn_tool_call(16777216, 1, 'c2', 'ls') ->> '$.sequence', 2;
SELECT 'are an empty object', (SELECT params FROM tool_calls WHERE id = 'c2'), '{}';
SELECT 'params of a model that was cut off', turn_tool_call(16777216, 1, 'c3', 'ls', '{"path":"sr') ->> '$.sequence', 3;
SELECT 'are a JSON string, of which nothing is lost', (SELECT json_extract(params, '$') FROM tool_calls WHERE id = 'c3'), '{"path":"sr';
SELECT turn_tool_result(16777216, 1, 'c1', 'x');
SELECT turn_tool_result(16777216, 1, 'c2', 'x');
SELECT turn_tool_result(16777216, 1, 'c3', 'x');
SELECT 'when those before have their results one place is left out', turn_tool_call(16777216, 1, 'c5', 'ls', NULL, '{"spawned_session_label":"kid"}') ->> '$.sequence', 5;
SELECT 'the session that it starts', (SELECT spawned_session_label FROM tool_calls WHERE id = 'c5'), 'kid';
SELECT 'a context shows the calls that have their results', (SELECT count(*) FROM session_context('main') WHERE kind = 'tool_call' AND status = 'completed'), 3;

---- Refusals

SELECT 'an id that is there', error_of('SELECT turn_tool_call(16777216, 1, ''c5'', ''ls'')'), 'turn_tool_call: turn 16777216 holds a tool call ''c5'' already';
SELECT 'call_id NULL', error_of('SELECT turn_tool_call(16777216, 1, NULL, ''bash'')'), 'turn_tool_call: call_id is missing';
SELECT 'call_id empty', error_of('SELECT turn_tool_call(16777216, 1, '''', ''bash'')'), 'turn_tool_call: call_id is empty';
SELECT 'call_id a number', error_of('SELECT turn_tool_call(16777216, 1, 7, ''bash'')'), 'turn_tool_call: call_id must be text, not an integer';
SELECT 'tool_name NULL', error_of('SELECT turn_tool_call(16777216, 1, ''z'', NULL)'), 'turn_tool_call: tool_name is missing';
SELECT 'tool_name a number', error_of('SELECT turn_tool_call(16777216, 1, ''z'', 7)'), 'turn_tool_call: tool_name must be text, not an integer';
SELECT 'params a BLOB', error_of('SELECT turn_tool_call(16777216, 1, ''z'', ''bash'', x''00'')') LIKE 'turn_tool_call: params must be text%BLOB', 1;
SELECT turn_fail(16777216, 1, 'no answer');
SELECT 'after a crash one can see that it may have happened', (SELECT status FROM tool_calls WHERE id = 'c5'), 'pending';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
