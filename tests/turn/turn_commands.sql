-- turn_commands.sql - turn_append, and the commands of a running turn from turn_begin to its end.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

CREATE TEMP VIEW t(name, id) AS
  SELECT external_id, id FROM turns WHERE external_id IS NOT NULL;

-- What a turn holds, as one line in the order of its places.
CREATE TEMP VIEW held(turn_id, line) AS
  SELECT turn_id, group_concat(line, ' | ') FROM (
    SELECT turn_id, place, role || ifnull(' ' || tool_call_id, '') || ':' || content AS line
    FROM messages
    UNION ALL
    SELECT turn_id, place, 'call ' || id || ' ' || tool_name || params || ' ' || status
      || ifnull(' ' || ifnull(result, error), '')
    FROM tool_calls ORDER BY place)
  GROUP BY turn_id;

---- turn_append: the turn, the head, the history

SELECT 'the first turn of a file', turn_append('s',
  '[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]'), 16777216;
SELECT 'its row', (SELECT json_object('parent', parent_turn_id, 'type', turn_type, 'status', status,
    'phase', phase, 'on_path', on_path, 'source', source, 'model', model,
    'context', context_turn_id, 'answers', answers_turn_id, 'tokens', thread_tokens,
    'ext', external_id, 'from', started_at,
    'to', completed_at, 'error', error) FROM turns WHERE id = 16777216),
  '{"parent":null,"type":"normal","status":"completed","phase":null,"on_path":1,"source":"user",'
  || '"model":null,"context":null,"answers":null,"tokens":3,"ext":null,"from":1000000,"to":1000000,'
  || '"error":null}';
SELECT 'its branch', (SELECT json_array(id, parent_turn_id, first_depth, level, jump_id)
  FROM branches), '[1,null,0,0,null]';
SELECT 'its messages', (SELECT json_group_array(json_array(place, turn_id, sequence, role, source,
    tool_call_id, created_at, metadata, content)) FROM messages),
  json_array(json_array(16777216 * 4096, 16777216, 0, 'user', NULL, NULL, 1000000, NULL, 'hello'),
    json_array(16777216 * 4096 + 1, 16777216, 1, 'assistant', NULL, NULL, 1000000, NULL, 'hi'));
SELECT 'the session was made', (SELECT json_array(status, thread_id, turns, created_at,
    last_activity) FROM sessions WHERE label = 's'), '["active",16777216,1,1000000,1000000]';
SELECT 'the head moved', (SELECT group_concat(thread_id || ' ' || reason || ' ' || changed_at)
  FROM session_history WHERE session_label = 's'), '16777216 append 1000000';
SELECT 'the second turn', turn_append('s', '[{"role":"user","content":"more"}]', '{"now":1000005}'),
  16777217;
SELECT 'is a child of the first', (SELECT parent_turn_id FROM turns WHERE id = 16777217), 16777216;
SELECT 'in the same branch', (SELECT count(*) FROM branches), 1;
SELECT 'head and activity', (SELECT json_array(thread_id, turns, last_activity) FROM sessions
  WHERE label = 's'), '[16777217,2,1000005]';
SELECT 'another session, another tree', turn_append('s2', '[{"role":"user","content":"x"}]'),
  2 << 24;
SELECT 'each root opens a branch', (SELECT json_array(parent_turn_id, first_depth, level)
  FROM branches WHERE id = 2), '[null,0,0]';
SELECT 'the first goes on in its own', turn_append('s', '[{"role":"user","content":"x"}]'),
  (1 << 24) + 2;
SELECT 'no events on the turn axis', (SELECT count(*) FROM session_events WHERE axis = 'turn'), 0;
SELECT 'no run either', (SELECT count(*) FROM session_runs), 0;

---- Forms of messages

CREATE TEMP TABLE form(name TEXT PRIMARY KEY, messages, held);
INSERT INTO form VALUES
  ('roles', '[{"role":"user","content":"q"},{"role":"assistant","content":"a"},
     {"role":"system","content":"s"}]', 'user:q | assistant:a | system:s'),
  ('empty content', '[{"role":"user","content":""}]', 'user:'),
  ('an object', '[{"role":"user","content":{ "type":"image", "url":"a b" }}]',
   'user:{"type":"image","url":"a b"}'),
  ('an array', '[{"role":"user","content":[{"type":"text","text":"hi"}, 1]}]',
   'user:[{"type":"text","text":"hi"},1]'),
  ('text that looks like JSON', '[{"role":"user","content":"{\"a\": 1}"}]', 'user:{"a": 1}'),
  ('escapes', '[{"role":"user","content":"a\u0000b\u00e4\n\"c\""}]',
   'user:a' || char(65533) || 'bä' || char(10) || '"c"'),
  ('calls and results', '[{"role":"user","content":"q"},
     {"role":"assistant","content":"look","tool_calls":[{"id":"k1","name":"read",
      "params":{"path": "a.c"}},{"id":"k2","name":"list"}]},
     {"role":"tool","tool_call_id":"k2","content":"a.c"},
     {"role":"tool","tool_call_id":"k1","content":"int main"},
     {"role":"assistant","content":"done"}]',
   'user:q | assistant:look | call k1 read{"path":"a.c"} completed int main'
   || ' | call k2 list{} completed a.c | assistant:done'),
  ('a call without content', '[{"role":"assistant","tool_calls":[{"id":"k","name":"read"}]}]',
   'call k read{} pending'),
  ('a call with null content',
   '[{"role":"assistant","content":null,"tool_calls":[{"id":"k","name":"read"}]}]',
   'call k read{} pending'),
  ('a call with empty content',
   '[{"role":"assistant","content":"","tool_calls":[{"id":"k","name":"read","result":"r"}]}]',
   'assistant: | call k read{} completed r'),
  ('an empty list of calls', '[{"role":"assistant","content":"a","tool_calls":[]}]', 'assistant:a'),
  ('a failed result', '[{"role":"assistant","tool_calls":[{"id":"k","name":"read"}]},
     {"role":"tool","tool_call_id":"k","content":"no such file","is_error":true}]',
   'call k read{} failed no such file'),
  ('failed by 1', '[{"role":"assistant","tool_calls":[{"id":"k","name":"read"}]},
     {"role":"tool","tool_call_id":"k","content":"no","is_error":1}]', 'call k read{} failed no'),
  ('not failed by 0', '[{"role":"assistant","tool_calls":[{"id":"k","name":"read"}]},
     {"role":"tool","tool_call_id":"k","content":"yes","is_error":0}]',
   'call k read{} completed yes'),
  ('not failed by false', '[{"role":"assistant","tool_calls":[{"id":"k","name":"read"}]},
     {"role":"tool","tool_call_id":"k","content":"yes","is_error":false}]',
   'call k read{} completed yes'),
  ('a result that is JSON', '[{"role":"assistant","tool_calls":[{"id":"k","name":"read"}]},
     {"role":"tool","tool_call_id":"k","content":{"n": [1]}}]',
   'call k read{} completed {"n":[1]}'),
  ('an empty result', '[{"role":"assistant","tool_calls":[{"id":"k","name":"read"}]},
     {"role":"tool","tool_call_id":"k","content":""}]', 'call k read{} completed '),
  ('finished calls', '[{"role":"assistant","tool_calls":[{"id":"a","name":"x","result":"one"},
     {"id":"b","name":"x","result":{"n":1}},{"id":"c","name":"x","error":"gone"},
     {"id":"d","name":"x","params":[1,2],"result":""}]}]',
   'call a x{} completed one | call b x{} completed {"n":1} | call c x{} failed gone'
   || ' | call d x[1,2] completed '),
  ('the function form', '[{"role":"assistant","tool_calls":[{"id":"k","type":"function",
     "function":{"name":"read","arguments":"{\"path\": \"a\"}"}}]}]',
   'call k read{"path":"a"} pending'),
  ('arguments that are no JSON', '[{"role":"assistant","tool_calls":[{"id":"k","type":"function",
     "function":{"name":"read","arguments":"{\"path\": \"a"}}]}]',
   'call k read"{\"path\": \"a" pending'),
  ('arguments as an object', '[{"role":"assistant","tool_calls":[{"id":"k","type":"function",
     "function":{"name":"read","arguments":{"path":"a"}}}]}]', 'call k read{"path":"a"} pending'),
  ('params that are text', '[{"role":"assistant","tool_calls":[{"id":"k","name":"sh",
     "params":"ls -l"}]}]', 'call k sh"ls -l" pending'),
  ('params that are true', '[{"role":"assistant","tool_calls":[{"id":"k","name":"sh",
     "params":true}]}]', 'call k shtrue pending'),
  ('params that are a number', '[{"role":"assistant","tool_calls":[{"id":"k","name":"sh",
     "params":5}]}]', 'call k sh5 pending'),
  ('the input form', '[{"role":"assistant","tool_calls":[{"id":"k","name":"read",
     "input":{"path":"a"}}]}]', 'call k read{"path":"a"} pending'),
  ('one name, several calls', '[{"role":"assistant","tool_calls":[{"id":"k1","name":"read"}]},
     {"role":"assistant","tool_calls":[{"id":"k2","name":"read"}]}]',
   'call k1 read{} pending | call k2 read{} pending');
INSERT INTO turnstile SELECT 'turn_append', json_array(name, json(messages)) FROM form;
SELECT name, line, form.held FROM form JOIN sessions ON label = name
  LEFT JOIN held ON turn_id = thread_id;
SELECT name || ', by the other door', turn_append('again: ' || name, messages)
  = (SELECT thread_id FROM sessions WHERE label = 'again: ' || name), 1 FROM form;
SELECT name || ', the same turn', line, form.held FROM form
  JOIN sessions ON label = 'again: ' || name LEFT JOIN held ON turn_id = thread_id;
SELECT 'one counter for messages and calls', (SELECT json_group_array(sequence) FROM (
    SELECT sequence, place FROM messages JOIN sessions ON thread_id = turn_id
    WHERE label = 'calls and results' UNION ALL
    SELECT sequence, place FROM tool_calls JOIN sessions ON thread_id = turn_id
    WHERE label = 'calls and results' ORDER BY place)), '[0,1,2,3,4]';
SELECT 'an error is no result', (SELECT json_array(result, error) FROM tool_calls
  JOIN sessions ON thread_id = turn_id WHERE label = 'finished calls' AND id = 'c'),
  '[null,"gone"]';
SELECT 'a finished call has a time', (SELECT json_group_array(completed_at) FROM tool_calls
  JOIN sessions ON thread_id = turn_id WHERE label = 'finished calls'),
  '[1000000,1000000,1000000,1000000]';
SELECT 'an open one has none', (SELECT json_array(started_at, completed_at) FROM tool_calls
  JOIN sessions ON thread_id = turn_id WHERE label = 'the input form'), '[1000000,null]';

SELECT turn_append('more', '[{"role":"user","content":"a","source":"agent","created_at":77,
  "metadata":{"from": [1]}},{"role":"assistant","tool_calls":[{"id":"k","name":"spawn",
  "spawned_session_label":"worker:1"}]}]');
SELECT 'params are JSON', (SELECT group_concat(params) FROM tool_calls
  WHERE NOT json_valid(params)), NULL;
SELECT 'source, created_at, metadata', (SELECT json_array(m.source, m.created_at, metadata)
  FROM messages AS m JOIN sessions ON thread_id = turn_id WHERE label = 'more'),
  json_array('agent', 77, '{"from":[1]}');
SELECT 'metadata is an object', error_of('SELECT turn_append(''any'',
  ''[{"role":"user","content":"a","metadata":"wa"}]'')'),
  'turn_append: messages[0].metadata must be an object';
SELECT 'the worker of a call', (SELECT spawned_session_label FROM tool_calls
  WHERE tool_name = 'spawn'), 'worker:1';
SELECT turn_append('raw', CAST(x'5b7b22726f6c65223a2275736572222c22636f6e74656e74223a2261ff62227d5d'
  AS TEXT));
SELECT 'bytes that are no UTF-8', (SELECT line FROM held JOIN sessions ON thread_id = turn_id
  WHERE label = 'raw'), 'user:a' || char(65533) || 'b';
SELECT turn_append('nul', CAST(x'5b7b22726f6c65223a2275736572222c22636f6e74656e74223a226100227d5d'
  AS TEXT));
SELECT 'a NUL', (SELECT line FROM held JOIN sessions ON thread_id = turn_id WHERE label = 'nul'),
  'user:a' || char(65533);

---- Malformed messages

CREATE TEMP TABLE wrong(messages, message);
INSERT INTO wrong VALUES
  ('hello', 'messages is not valid JSON%'), ('[{"role":', 'messages is not valid JSON%'),
  ('{"role":"user","content":"x"}', 'messages must be a JSON array%'),
  ('"x"', 'messages must be a JSON array%'), ('["x"]', 'messages[[]0]%object%'),
  ('[{"role":"user","content":"x"},null]', 'messages[[]1]%'),
  ('[{"role":"user","content":"x"},[]]', 'messages[[]1]%object%'),
  ('[{"content":"x"}]', 'messages[[]0]%role%'), ('[{"role":null,"content":"x"}]', '%role%'),
  ('[{"role":"human","content":"x"}]', 'messages[[]0]%role%human%user%assistant%system%tool%'),
  ('[{"role":"User","content":"x"}]', 'messages[[]0]%role%User%'),
  ('[{"role":7,"content":"x"}]', 'messages[[]0]%role%'),
  ('[{"role":"user"}]', 'messages[[]0]%content%'),
  ('[{"role":"user","content":null}]', 'messages[[]0]%content%'),
  ('[{"role":"assistant"}]', 'messages[[]0]%content%'),
  ('[{"role":"assistant","tool_calls":[]}]', 'messages[[]0]%content%'),
  ('[{"role":"user","content":5}]', 'messages[[]0]%content%'),
  ('[{"role":"user","content":true}]', 'messages[[]0]%content%'),
  ('[{"role":"user","content":"x","tool_calls":[{"id":"k","name":"n"}]}]',
   'messages[[]0]%tool_calls%'),
  ('[{"role":"assistant","tool_calls":{"id":"k","name":"n"}}]', 'messages[[]0]%tool_calls%array%'),
  ('[{"role":"assistant","tool_calls":["k"]}]', 'messages[[]0]%tool_calls[[]0]%'),
  ('[{"role":"assistant","tool_calls":[{"name":"n"}]}]', 'messages[[]0]%tool_calls[[]0]%id%'),
  ('[{"role":"assistant","tool_calls":[{"id":"","name":"n"}]}]',
   'messages[[]0]%tool_calls[[]0]%id%'),
  ('[{"role":"assistant","tool_calls":[{"id":"k"}]}]', 'messages[[]0]%tool_calls[[]0]%name%'),
  ('[{"role":"assistant","tool_calls":[{"id":"k","name":""}]}]',
   'messages[[]0]%tool_calls[[]0]%name%'),
  ('[{"role":"assistant","tool_calls":[{"id":"k","name":"n"},{"id":"l","name":"n","argh":1}]}]',
   'messages[[]0]%tool_calls[[]1]%argh%'),
  ('[{"role":"assistant","tool_calls":[{"id":"k","name":"n","result":"r","error":"e"}]}]',
   'messages[[]0]%tool_calls[[]0]%result%error%'),
  ('[{"role":"assistant","tool_calls":[{"id":"k","name":"n"},{"id":"k","name":"n"}]}]',
   '%tool call ''k''%'),
  ('[{"role":"assistant","tool_calls":[{"id":"k","name":"n"}]},{"role":"assistant",
     "tool_calls":[{"id":"k","name":"n"}]}]', '%tool call ''k''%'),
  ('[{"role":"tool","content":"x"}]', 'messages[[]0]%tool_call_id%'),
  ('[{"role":"tool","content":"x","tool_call_id":""}]', 'messages[[]0]%tool_call_id%'),
  ('[{"role":"tool","content":"x","tool_call_id":"nobody"}]', 'messages[[]0]%''nobody''%'),
  ('[{"role":"tool","content":"x","tool_call_id":"k"},{"role":"assistant",
     "tool_calls":[{"id":"k","name":"n"}]}]', 'messages[[]0]%''k''%'),
  ('[{"role":"assistant","tool_calls":[{"id":"k","name":"n"}]},{"role":"tool","tool_call_id":"k",
     "content":"1"},{"role":"tool","tool_call_id":"k","content":"2"}]', 'messages[[]2]%''k''%'),
  ('[{"role":"assistant","tool_calls":[{"id":"k","name":"n","result":"r"}]},{"role":"tool",
     "tool_call_id":"k","content":"2"}]', 'messages[[]1]%''k''%'),
  ('[{"role":"assistant","tool_calls":[{"id":"k","name":"n"}]},{"role":"tool","tool_call_id":"k"}]',
   'messages[[]1]%content%'),
  ('[{"role":"assistant","tool_calls":[{"id":"k","name":"n"}]},{"role":"tool","tool_call_id":"k",
     "content":"x","is_error":2}]', 'messages[[]1]%is_error%'),
  ('[{"role":"assistant","tool_calls":[{"id":"k","name":"n"}]},{"role":"tool","tool_call_id":"k",
     "content":"x","is_error":"yes"}]', 'messages[[]1]%is_error%'),
  ('[{"role":"user","content":"x","tool_call_id":"k"}]', 'messages[[]0]%tool_call_id%'),
  ('[{"role":"user","content":"x","is_error":1}]', 'messages[[]0]%is_error%'),
  ('[{"role":"user","content":"x","source":"me"}]', 'messages[[]0]%source%me%'),
  ('[{"role":"user","content":"x","created_at":"now"}]', 'messages[[]0]%created_at%'),
  ('[{"role":"user","content":"x","created_at":-1}]', 'messages[[]0]%created_at%'),
  ('[{"role":"user","content":"x"},{"role":"user","content":"x"},
     {"role":"assistant","content":"x","refusal":"no"}]',
   'messages[[]2] has no field ''refusal''; put it into metadata');
-- GLOB keeps its brackets apart from LIKE's signs: here % stands for any run of characters.
SELECT 'refused: ' || messages, ifnull(error_of(printf('SELECT turn_append(''w'', %Q)', messages))
  GLOB 'turn_append: ' || replace(message, '%', '*'), '(no error)'), 1 FROM wrong;
SELECT 'as text', error_of('SELECT turn_append(''w'', ''[{"role":"user","content":"x"},
  {"role":"user","content":"x"},{"role":"assistant","content":"x","refusal":"no"}]'')'),
  'turn_append: messages[2] has no field ''refusal''; put it into metadata';
SELECT 'no session came of it', (SELECT count(*) FROM sessions WHERE label = 'w'), 0;
SELECT 'no messages', error_of('SELECT turn_append(''w'')'), 'turn_append: messages is missing';
SELECT 'no label', error_of('SELECT turn_append(NULL, ''[]'')'), 'turn_append: label is missing';
SELECT 'an empty label', error_of('SELECT turn_append('''', ''[]'')'),
  'turn_append: label is empty';
SELECT 'no list of messages by the door', error_of('INSERT INTO turnstile VALUES
  (''turn_append'', ''["w","hello"]'')') GLOB 'turn_append: messages *', 1;
SELECT 'an unknown option', error_of('SELECT turn_append(''w'', ''[{"role":"user","content":"x"}]'',
  ''{"modell":"x"}'')') LIKE 'turn_append: unknown option ''modell''; it takes: %model%', 1;

---- Results of calls in earlier turns

INSERT INTO turnstile VALUES
  ('turn_append', '["l",[{"role":"assistant","tool_calls":[{"id":"k1","name":"a"},
     {"id":"k2","name":"b"},{"id":"k3","name":"c","result":"r"}]}],{"external_id":"l1"}]'),
  ('turn_append', '["l",[{"role":"user","content":"x"}],{"external_id":"l2"}]'),
  ('turn_append', '["l",[{"role":"tool","tool_call_id":"k2","content":"two"},
     {"role":"user","content":"y"}],{"external_id":"l3"}]');
SELECT 'a later result is a message', (SELECT line FROM held JOIN t ON id = turn_id
  WHERE name = 'l3'), 'tool k2:two | user:y';
SELECT 'the call is as it was', (SELECT line FROM held JOIN t ON id = turn_id WHERE name = 'l1'),
  'call k1 a{} pending | call k2 b{} pending | call k3 c{} completed r';
SELECT 'the turn knows whom it answers', (SELECT answers_turn_id FROM turns
  WHERE external_id = 'l3'), id FROM t WHERE name = 'l1';
SELECT 'others answer nobody', (SELECT count(answers_turn_id) FROM turns
  WHERE external_id IN ('l1', 'l2')), 0;
SELECT 'a second result', error_of('SELECT turn_append(''l'', ''[{"role":"tool",
  "tool_call_id":"k2","content":"again"}]'')') LIKE 'turn_append: messages[0]%''k2''%', 1;
SELECT 'a result for a finished call', error_of('SELECT turn_append(''l'', ''[{"role":"tool",
  "tool_call_id":"k3","content":"again"}]'')') LIKE 'turn_append: messages[0]%''k3''%', 1;
SELECT 'two results in one turn', error_of('SELECT turn_append(''l'', ''[{"role":"tool",
  "tool_call_id":"k1","content":"1"},{"role":"tool","tool_call_id":"k1","content":"2"}]'')')
  LIKE 'turn_append: messages[1]%''k1''%', 1;
SELECT 'a call of another session', error_of('SELECT turn_append(''s'', ''[{"role":"tool",
  "tool_call_id":"k1","content":"1"}]'')') LIKE 'turn_append: messages[0]%''k1''%', 1;
INSERT INTO turnstile VALUES
  ('turn_append', '["l",[{"role":"tool","tool_call_id":"k1","content":"no","is_error":1}],
    {"external_id":"l4"}]');
SELECT 'the other one', (SELECT line FROM held JOIN t ON id = turn_id WHERE name = 'l4'),
  'tool k1:no';
SELECT 'an id used again in a later turn is a new call', (turn_append('l', '[{"role":"assistant",
  "tool_calls":[{"id":"k1","name":"z"}]},{"role":"tool","tool_call_id":"k1","content":"new"}]',
  '{"external_id":"l5"}') > 0) || (SELECT line FROM held JOIN t ON id = turn_id WHERE name = 'l5'),
  '1call k1 z{} completed new';

INSERT INTO turnstile
  SELECT 'turn_append', json_array(value, json('[{"role":"assistant",
    "tool_calls":[{"id":"old","name":"a"}]}]'), json_object('external_id', value || ' 1'))
  FROM json_each('["old first","old last"]')
  UNION ALL SELECT 'turn_append', json_array(value, json('[{"role":"assistant",
    "tool_calls":[{"id":"new","name":"a"}]}]')) FROM json_each('["old first","old last"]')
  UNION ALL SELECT 'turn_append', '["old first",[{"role":"tool","tool_call_id":"old","content":"1"},
    {"role":"tool","tool_call_id":"new","content":"2"}]]'
  UNION ALL SELECT 'turn_append', '["old last",[{"role":"tool","tool_call_id":"new","content":"1"},
    {"role":"tool","tool_call_id":"old","content":"2"}]]';
SELECT 'of two answered turns the older: ' || label, (SELECT answers_turn_id FROM turns
  WHERE id = thread_id), (SELECT id FROM t WHERE name = label || ' 1')
  FROM sessions WHERE label GLOB 'old *';

---- Options

SELECT turn_append('o', '[{"role":"user","content":"x"}]', '{"source":"webhook","model":"m1",
  "provider":"p1","persona":"ops","usage":{"input_tokens":100,"output_tokens":20,
  "cached_input_tokens":60,"cache_write_tokens":5,"reasoning_tokens":7},"tokens":30,
  "resume_cursor":"thread_9","started_at":999000,"external_id":"o1"}');
SELECT 'options of the turn', (SELECT json_array(source, model, provider, persona_id, input_tokens,
    output_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens, total_tokens,
    thread_tokens, started_at, completed_at) FROM turns WHERE external_id = 'o1'),
  '["webhook","m1","p1","ops",100,20,60,5,7,120,30,999000,1000000]';
SELECT 'counted at the session', (SELECT json_array(turns, input_tokens, output_tokens,
    cached_input_tokens, cache_write_tokens, reasoning_tokens, total_tokens, resume_cursor)
  FROM sessions WHERE label = 'o'), '[1,100,20,60,5,7,120,"thread_9"]';
SELECT turn_append('o', '[{"role":"user","content":"y"}]', '{"usage":{"input_tokens":1,
  "total_tokens":50},"tokens":4,"external_id":"o2"}');
SELECT 'a total of its own', (SELECT json_array(input_tokens, output_tokens, total_tokens,
    reasoning_tokens, thread_tokens) FROM turns WHERE external_id = 'o2'), '[1,null,50,null,34]';
SELECT 'the sums', (SELECT json_array(turns, input_tokens, output_tokens, total_tokens)
  FROM sessions WHERE label = 'o'), '[2,101,20,170]';
SELECT 'without a cursor the old one stays', (SELECT resume_cursor FROM sessions
  WHERE label = 'o'), 'thread_9';
SELECT turn_append('o', '[{"role":"user","content":"z"}]', '{"parent":null,
  "resume_cursor":"thread_10"}');
SELECT 'a new one', (SELECT resume_cursor FROM sessions WHERE label = 'o'), 'thread_10';
SELECT turn_append('o', '[{"role":"user","content":"z2"}]', '{"resume_cursor":""}');
SELECT 'an empty one clears it', (SELECT resume_cursor FROM sessions WHERE label = 'o'), NULL;
SELECT turn_append('cursor', '[{"role":"user","content":"a"}]', '{"resume_cursor":"c1"}');
SELECT turn_begin('cursor', 'A1', '{"messages":[{"role":"user","content":"b"}]}');
CREATE TEMP TABLE cursor_run AS SELECT turn_id AS turn, token FROM session_runs WHERE session_label = 'cursor';
SELECT turn_fail(turn, token, 'the provider knows no such thread') FROM cursor_run;
SELECT 'a turn that fails leaves it', (SELECT resume_cursor FROM sessions WHERE label = 'cursor'), 'c1';
SELECT turn_begin('cursor', 'A1', '{"messages":[{"role":"user","content":"b"}]}');
SELECT turn_fail(r.turn_id, r.token, 'gone', '{"resume_cursor":""}') FROM session_runs AS r WHERE session_label = 'cursor';
SELECT 'or clears it', (SELECT resume_cursor FROM sessions WHERE label = 'cursor'), NULL;
SELECT 'so that the next one has none', turn_begin('cursor', 'A1', '{"messages":[{"role":"user","content":"b"}]}')
  -> '$.resume_cursor', 'null';
SELECT turn_complete(r.turn_id, r.token, '{"content":"x","resume_cursor":"c2"}') FROM session_runs AS r WHERE session_label = 'cursor';
SELECT 'a result sets it', (SELECT resume_cursor FROM sessions WHERE label = 'cursor'), 'c2';
SELECT turn_begin('cursor', 'A1', '{"messages":[{"role":"user","content":"b"}]}');
SELECT turn_abort(turn_id, token, 'enough') FROM session_runs WHERE session_label = 'cursor';
SELECT 'a turn that is aborted leaves it', (SELECT resume_cursor FROM sessions WHERE label = 'cursor'), 'c2';
SELECT turn_begin('cursor', 'A1', '{"messages":[{"role":"user","content":"b"}]}');
SELECT turn_message(turn_id, token, '{"role":"assistant","content":"half"}') FROM session_runs WHERE session_label = 'cursor';
SELECT 'kept, with the cursor that it had', turn_abort(turn_id, token, 'enough', '{"resume_cursor":"c3"}') ->> '$.on_path',
  1 FROM session_runs WHERE session_label = 'cursor';
SELECT 'it is the cursor of the session', (SELECT resume_cursor FROM sessions WHERE label = 'cursor'), 'c3';
SELECT turn_begin('cursor', 'A1', '{"messages":[{"role":"user","content":"b"}]}');
SELECT turn_abort(turn_id, token, 'again', '{"requeue":1,"resume_cursor":""}') FROM session_runs WHERE session_label = 'cursor';
SELECT 'what is done again can begin without one', (SELECT resume_cursor FROM sessions WHERE label = 'cursor'), NULL;
SELECT turn_begin('cursor', 'A1', '{"messages":[{"role":"user","content":"b"}]}');
SELECT turn_complete(r.turn_id, r.token, '{"content":"x","resume_cursor":"c2"}') FROM session_runs AS r WHERE session_label = 'cursor';
SELECT turn_begin('cursor', 'A1', '{"messages":[{"role":"user","content":"b"}]}');
SELECT turn_complete(r.turn_id, r.token, '{"content":"x","resume_cursor":""}') FROM session_runs AS r WHERE session_label = 'cursor';
SELECT 'and clears it', (SELECT resume_cursor FROM sessions WHERE label = 'cursor'), NULL;
SELECT 'without usage there is none', (SELECT json_array(u.input_tokens, u.total_tokens)
  FROM turns AS u JOIN sessions AS s ON s.thread_id = u.id WHERE label = 'o'), '[null,null]';

INSERT INTO turnstile VALUES ('session_deliver', '["timed","tick",{"source":"timer"}]'),
  ('turn_append', '["timed",[{"role":"user","content":"tick"}],{"external_id":"timed1"}]');
SELECT 'the source is that of the present work', (SELECT source FROM turns
  WHERE external_id = 'timed1'), 'timer';
SELECT turn_append('timed', '[{"role":"user","content":"tock"}]', '{"now":2000000,
  "source":"timer"}');
SELECT 'a timer''s turn is no activity', (SELECT last_activity FROM sessions
  WHERE label = 'timed'), 1000000;
SELECT turn_append('timed', '[{"role":"user","content":"hello"}]', '{"now":3000000,
  "source":"user"}');
SELECT 'a user''s is', (SELECT last_activity FROM sessions WHERE label = 'timed'), 3000000;

CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT 'an external id for something else', error_of('SELECT turn_append(''o'',
  ''[{"role":"user","content":"other"}]'', ''{"external_id":"o1"}'')'), 'turn_append: external_id ''o1'' '
  || 'was used before for turn ' || id || ', with other messages; use a new one' FROM t WHERE name = 'o1';
SELECT 'also from another session', error_of('SELECT turn_append(''o9'',
  ''[{"role":"user","content":"other"}]'', ''{"external_id":"o1"}'')'), 'turn_append: external_id ''o1'' '
  || 'was used before for turn ' || id || ', in another session; use a new one' FROM t WHERE name = 'o1';
SELECT 'nothing has changed', dump_of() = d, 1 FROM was;

CREATE TEMP TABLE bad(options, message);
INSERT INTO bad VALUES
  ('{"source":"me"}', 'source is ''me''; it must be one of: user, agent, timer, webhook, system'),
  ('{"usage":5}', 'usage %'), ('{"usage":{"input":5}}', 'usage%input%'),
  ('{"usage":{"input_tokens":-1}}', 'usage%input_tokens%'),
  ('{"usage":{"input_tokens":1.5}}', 'usage%input_tokens%'),
  ('{"usage":{"input_tokens":"9"}}', 'usage%input_tokens%'),
  ('{"usage":{"output_tokens":9007199254740992}}', 'usage%output_tokens%'),
  ('{"tokens":9007199254740991}', '%tokens%'),
  ('{"tokens":-1}', 'tokens is -1; it must be from 0 to %'), ('{"tokens":"5"}', 'tokens must be %'),
  ('{"started_at":-5}', 'started_at is -5; %'), ('{"external_id":""}', 'external_id is empty'),
  ('{"external_id":["a"]}', 'external_id must be text%'), ('{"model":""}', 'model is empty'),
  ('{"parent":99}', 'there is no turn 99%'), ('{"parent":0}', 'there is no turn 0%'),
  ('{"parent":-1}', '%-1%'), ('{"parent":true}', 'parent %'),
  ('{"parent":"nobody"}', '%''nobody''%'),
  ('{"parent":"16777216"}', '%''16777216''%'), ('{"parent":1.5}', 'parent %'),
  ('{"parent":[16777216]}', 'parent %');
SELECT 'refused: ' || options, iif(error_of(e) LIKE 'turn_append: ' || message, message,
    ifnull(error_of(e), '(no error)')), message
  FROM (SELECT *, printf('SELECT turn_append(''o'', ''[{"role":"user","content":"x"}]'', %Q)',
    options) AS e FROM bad);

---- Parents of one's own choosing: forks inside a session, imports

INSERT INTO turnstile SELECT 'turn_append', json_array('p', json('[{"role":"user","content":"x"}]'),
  json_object('external_id', 'p' || value)) FROM json_each('[1,2,3]');
SELECT 'under an older turn', turn_append('p', '[{"role":"user","content":"b"}]',
    json_object('parent', (SELECT id FROM t WHERE name = 'p1'), 'external_id', 'p2b')),
  (SELECT max(id) FROM branches) << 24 | 1;
SELECT 'its branch', (SELECT json_array(parent_turn_id, first_depth, level, jump_id)
    FROM branches ORDER BY id DESC LIMIT 1),
  (SELECT json_array(id, 1, 1, id >> 24) FROM t WHERE name = 'p1');
SELECT 'the head moved to it', (SELECT thread_id FROM sessions WHERE label = 'p'), id
  FROM t WHERE name = 'p2b';
SELECT 'by its external id', (turn_append('p', '[{"role":"user","content":"c"}]',
  '{"parent":"p3","external_id":"p4"}') > 0) || (SELECT parent_turn_id FROM turns
  WHERE external_id = 'p4'), '1' || id FROM t WHERE name = 'p3';
SELECT 'at a branch''s tip it joins the branch', (SELECT p4.id - p3.id FROM t AS p4, t AS p3
  WHERE p4.name = 'p4' AND p3.name = 'p3'), 1;
SELECT 'the path', (SELECT group_concat(external_id) FROM (SELECT external_id FROM turn_path('p')
  ORDER BY depth)), 'p1,p2,p3,p4';
SELECT 'every move is in the history', (SELECT group_concat(name || ' ' || reason, ', ')
  FROM (SELECT name, reason FROM session_history AS h JOIN t ON t.id = thread_id
        WHERE session_label = 'p' ORDER BY h.id)),
  'p1 append, p2 append, p3 append, p2b append, p4 append';
-- Results find their call on the path that the turn is put on.
INSERT INTO turnstile VALUES
  ('turn_append', '["p",[{"role":"assistant","tool_calls":[{"id":"pk","name":"a"}]}],
     {"parent":"p1","external_id":"p2c"}]'),
  ('turn_append', '["p",[{"role":"user","content":"x"}],{"parent":"p4","external_id":"p5"}]');
SELECT 'a call on another branch', error_of('SELECT turn_append(''p'', ''[{"role":"tool",
  "tool_call_id":"pk","content":"x"}]'')') LIKE 'turn_append: messages[0]%''pk''%', 1;
SELECT 'on its own', turn_append('p', '[{"role":"tool","tool_call_id":"pk","content":"x"}]',
  '{"parent":"p2c"}') > 0, 1;

---- A task at work

INSERT INTO turnstile VALUES ('session_start', '["task","add retries"]'),
  ('turn_append', '["task",[{"role":"user","content":"x"}]]');
SELECT 'the history names the task', (SELECT h.task_id = s.open_task_id FROM session_history AS h
  JOIN sessions AS s ON s.label = h.session_label WHERE label = 'task'), 1;
INSERT INTO turnstile VALUES ('session_deliver', '["task","stop",{"class":"Abandon"}]');
SELECT 'a completed turn is work', (SELECT commit_type FROM commits WHERE session_label = 'task'),
  'Abandoned';
INSERT INTO turnstile VALUES ('session_start', '["idle","add retries"]'),
  ('session_deliver', '["idle","stop",{"class":"Abandon"}]');
SELECT 'without one there is none', (SELECT count(*) FROM commits WHERE session_label = 'idle'), 0;

---- turn_begin

SELECT 'nothing waits', turn_begin('nobody', 'A1'), NULL;
SELECT 'no session, no lease', (SELECT count(*) FROM sessions WHERE label = 'nobody')
  + (SELECT count(*) FROM session_runs WHERE session_label = 'nobody'), 0;
SELECT 'nothing waits in a session', turn_begin('s', 'A1'), NULL;
SELECT 'no lease', (SELECT count(*) FROM session_runs WHERE session_label = 's'), 0;
SELECT 'no turn', (SELECT count(*) FROM turns WHERE status = 'running'), 0;

CREATE TEMP TABLE run(name TEXT PRIMARY KEY, r);
CREATE TEMP VIEW live(name, turn, token) AS SELECT name, r ->> '$.turn', r ->> '$.token' FROM run;
INSERT INTO run SELECT 'b', turn_begin('b', 'A1', '{"messages":[{"role":"user","content":"q"}],
  "model":"m","provider":"p","persona":"ops","source":"agent","external_id":"b1"}');
SELECT 'what it returns', (SELECT json_group_array(key) FROM run, json_each(r) WHERE name = 'b'
  AND key IN ('turn', 'token', 'session', 'parent', 'expires_at', 'messages')),
  '["turn","token","session","parent","expires_at","messages"]';
SELECT 'turn, session, parent, expiry', json_array(r ->> '$.turn' = (SELECT id FROM t
    WHERE t.name = 'b1'), r ->> '$.session', r ->> '$.parent', r ->> '$.expires_at'),
  '[1,"b",null,1300000]' FROM run WHERE name = 'b';
SELECT 'its inputs', json_extract(r, '$.messages[0].role', '$.messages[0].content'),
  '["user","q"]' FROM run WHERE name = 'b';
SELECT 'the turn runs', (SELECT json_array(status, phase, on_path, source, model, provider,
    persona_id, started_at, completed_at, parent_turn_id) FROM turns WHERE external_id = 'b1'),
  '["running","processing",0,"agent","m","p","ops",1000000,null,null]';
SELECT 'the lease', (SELECT json_array(owner, token, turn_id, acquired_at, expires_at)
    FROM session_runs WHERE session_label = 'b'),
  json_array('A1', token, turn, 1000000, 1300000) FROM live WHERE name = 'b';
SELECT 'the run is live', (SELECT run_state IN ('starting', 'running') FROM session_runs
  WHERE session_label = 'b'), 1;
SELECT 'the head has not moved', (SELECT thread_id FROM sessions WHERE label = 'b'), NULL;
SELECT 'no history', (SELECT count(*) FROM session_history WHERE session_label = 'b'), 0;
SELECT 'nothing is counted', (SELECT turns FROM sessions WHERE label = 'b'), 0;
SELECT 'the session is busy', error_of('SELECT turn_begin(''b'', ''A2'', ''{"messages":
  [{"role":"user","content":"x"}]}'')') LIKE 'turn_begin: %''b''%''A1''%', 1;
SELECT 'with a code of its own', error_code_of('SELECT turn_begin(''b'', ''A2'', ''{"messages":
  [{"role":"user","content":"x"}]}'')'), 21509;
SELECT 'for the same owner too', error_of('SELECT turn_begin(''b'', ''A1'', ''{"messages":
  [{"role":"user","content":"x"}]}'')') LIKE 'turn_begin: %''b''%''A1''%', 1;
SELECT 'and for turn_append', error_of('SELECT turn_append(''b'',
  ''[{"role":"user","content":"x"}]'')') LIKE 'turn_append: %''b''%''A1''%', 1;
SELECT 'other sessions are free', turn_append('b2', '[{"role":"user","content":"x"}]') > 0, 1;
SELECT 'an external id that is taken', error_of('SELECT turn_begin(''b3'', ''A1'',
  ''{"external_id":"o1","messages":[{"role":"user","content":"x"}]}'')')
  LIKE 'turn_begin: %''o1''%', 1;
SELECT 'no owner', error_of('SELECT turn_begin(''b3'', NULL)'), 'turn_begin: owner is missing';
SELECT 'a lease that is none', error_of('SELECT turn_begin(''b3'', ''A1'', ''{"lease":"soon",
  "messages":[{"role":"user","content":"x"}]}'')')
  LIKE 'turn_begin: lease is ''soon''; it must be a duration%', 1;
SELECT 'malformed messages', error_of('SELECT turn_begin(''b3'', ''A1'',
  ''{"messages":[{"role":"user","content":"x"},{"content":"x"}]}'')')
  LIKE 'turn_begin: messages[1]%role%', 1;
SELECT 'no session came of it', (SELECT count(*) FROM sessions WHERE label = 'b3'), 0;

---- A turn from begin to end

INSERT INTO turnstile VALUES ('turn_append', '["e",[{"role":"user","content":"x"}],
  {"external_id":"e1","resume_cursor":"c1"}]');
INSERT INTO run SELECT 'e', turn_begin('e', 'A1', '{"messages":[{"role":"user","content":"q"},
  {"role":"system","content":"n"}],"lease":"60s","external_id":"e2"}');
SELECT 'its parent is the head', r ->> '$.parent', (SELECT id FROM t WHERE name = 'e1')
  FROM run WHERE name = 'e';
SELECT 'and it lies beside it', r ->> '$.turn', (SELECT id FROM t WHERE name = 'e1') + 1
  FROM run WHERE name = 'e';
SELECT 'a lease of its own length', r ->> '$.expires_at', 1060000 FROM run WHERE name = 'e';
SELECT 'the run is starting', session_state('e') ->> '$.run_state', 'starting';
SELECT 'turn_phase', turn_phase(turn, token, 'streaming') ->> '$.phase', 'streaming' FROM live
  WHERE name = 'e';
SELECT 'and runs with the first sign', session_state('e') ->> '$.run_state', 'running';
SELECT 'is the turn''s', (SELECT phase FROM turns WHERE external_id = 'e2'), 'streaming';
SELECT 'turn_message', turn_message(turn, token, '{"role":"assistant","content":"look",
  "metadata":{"n":1},"created_at":5}') ->> '$.sequence', 2 FROM live WHERE name = 'e';
SELECT 'turn_tool_call', turn_tool_call(turn, token, 'k1', 'read', '{"p": 1}')
  ->> '$.sequence', 3
  FROM live WHERE name = 'e';
SELECT 'without params', turn_tool_call(turn, token, 'k2', 'spawn', NULL,
  '{"spawned_session_label":"worker:7"}') ->> '$.sequence', 4 FROM live WHERE name = 'e';
SELECT 'a third', turn_tool_call(turn, token, 'k3', 'push') ->> '$.sequence', 5
  FROM live WHERE name = 'e';
SELECT 'turn_tool_result', turn_tool_result(turn, token, 'k1', 'int main', '{"now":1000007}')
  ->> '$.status', 'completed' FROM live WHERE name = 'e';
SELECT 'an error', turn_tool_result(turn, token, 'k3', 'denied', '{"error":1}') ->> '$.status',
  'failed' FROM live WHERE name = 'e';
SELECT 'a message with a call', turn_message(turn, token, '{"role":"assistant","content":"and",
  "tool_calls":[{"id":"k4","name":"list"}]}') ->> '$.sequence', 6 FROM live WHERE name = 'e';
SELECT 'a result as a message', json_valid(turn_message(turn, token,
  '{"role":"tool","tool_call_id":"k4","content":"a.c"}')), 1
  FROM live WHERE name = 'e';
SELECT 'what it holds', (SELECT line FROM held WHERE turn_id = turn),
  'user:q | system:n | assistant:look | call k1 read{"p":1} completed int main'
  || ' | call k2 spawn{} pending | call k3 push{} failed denied | assistant:and'
  || ' | call k4 list{} completed a.c' FROM live WHERE name = 'e';
SELECT 'times and labels', (SELECT json_group_array(json_array(started_at, completed_at,
    spawned_session_label)) FROM tool_calls WHERE turn_id = turn AND id IN ('k1', 'k2')),
  '[[1000000,1000007,null],[1000000,null,"worker:7"]]' FROM live WHERE name = 'e';
SELECT 'metadata and created_at', (SELECT json_array(metadata, created_at) FROM messages
  WHERE turn_id = turn AND sequence = 2), json_array('{"n":1}', 5) FROM live WHERE name = 'e';
SELECT 'turn_heartbeat', turn_heartbeat(turn, token, '{"now":1010000,"lease":"2m"}')
  ->> '$.expires_at', 1130000 FROM live WHERE name = 'e';
SELECT 'every call tells what a run has to know: ' || name, (SELECT group_concat(key) FROM
  json_each(r)), keys FROM (
    SELECT 'turn_message' AS name, turn_message(turn, token,
        '{"role":"system","content":"s"}') AS r,
      'sequence,expires_at,interrupted,steering' AS keys FROM live WHERE name = 'b'
    UNION ALL SELECT 'turn_tool_call', turn_tool_call(turn, token, 'tell', 'read'),
      'sequence,expires_at,interrupted,steering' FROM live WHERE name = 'b'
    UNION ALL SELECT 'turn_tool_result', turn_tool_result(turn, token, 'tell', 'r'),
      'status,expires_at,interrupted,steering' FROM live WHERE name = 'b'
    UNION ALL SELECT 'turn_phase', turn_phase(turn, token, 'processing'),
      'phase,expires_at,interrupted,steering' FROM live WHERE name = 'b'
    UNION ALL SELECT 'turn_heartbeat', turn_heartbeat(turn, token),
      'expires_at,interrupted,steering' FROM live WHERE name = 'b');
SELECT 'the lease is that long', (SELECT expires_at FROM session_runs WHERE session_label = 'e'),
  1130000;
SELECT 'the head is where it was', (SELECT thread_id FROM sessions WHERE label = 'e'), id
  FROM t WHERE name = 'e1';
SELECT 'on the turn axis so far', (SELECT group_concat(ifnull(from_state, '') || '>' || to_state)
  FROM session_events WHERE session_label = 'e' AND axis = 'turn'),
  '>processing,processing>streaming';
CREATE TEMP TABLE done AS SELECT turn_complete(turn, token, '{"content":"done","messages":
  [{"role":"system","content":"end"}],"usage":{"input_tokens":10,"output_tokens":2},"model":"m2",
  "provider":"p2","tokens":40,"resume_cursor":"c2"}', '{"now":1020000}') AS r
  FROM live WHERE name = 'e';
SELECT 'turn_complete', json_array(r ->> '$.turn' = (SELECT id FROM t WHERE name = 'e2'),
  r ->> '$.session'), '[1,"e"]' FROM done;
SELECT 'the turn has ended', (SELECT json_array(status, phase, on_path, model, provider,
    input_tokens, output_tokens, total_tokens, thread_tokens - 40 = (SELECT thread_tokens FROM turns
      WHERE external_id = 'e1'), completed_at, error) FROM turns WHERE external_id = 'e2'),
  '["completed",null,1,"m2","p2",10,2,12,1,1020000,null]';
SELECT 'its last words', (SELECT group_concat(role || ':' || content) FROM messages JOIN t
  ON id = turn_id WHERE name = 'e2' AND sequence > 7 AND content IN ('done', 'end'))
  IN ('assistant:done,system:end', 'system:end,assistant:done'), 1;
SELECT 'the head has moved', (SELECT json_array(thread_id = (SELECT id FROM t WHERE name = 'e2'),
    turns, input_tokens, total_tokens, resume_cursor) FROM sessions WHERE label = 'e'),
  '[1,2,10,12,"c2"]';
SELECT 'and the history tells', (SELECT group_concat(line, ', ') FROM (SELECT name || ' ' || reason
    || ' ' || changed_at AS line FROM session_history AS h JOIN t ON t.id = thread_id
    WHERE session_label = 'e' ORDER BY h.id)),
  'e1 append 1000000, e2 complete 1020000';
SELECT 'the run is over', (SELECT json_array(run_state IN ('starting', 'running', 'interrupted'),
    turn_id, expires_at) FROM session_runs WHERE session_label = 'e'), '[0,null,null]';
SELECT 'the turn''s way', (SELECT group_concat(ifnull(from_state, '') || '>' || to_state)
  FROM session_events WHERE session_label = 'e' AND axis = 'turn'),
  '>processing,processing>streaming,streaming>completing,completing>completed';
SELECT 'the next one can begin', json_array(turn_begin('e', 'A2',
  '{"messages":[{"role":"user","content":"x"}]}') ->> '$.parent'), json_array(id)
  FROM t WHERE name = 'e2';
SELECT 'with a higher token', (SELECT r.token > l.token FROM session_runs AS r, live AS l
  WHERE session_label = 'e' AND l.name = 'e'), 1;

---- Each step refuses what is not its own

-- A turn that has ended: e; one that runs: b; a token that is wrong; a turn that is none.
CREATE TEMP TABLE step(name, call);
INSERT INTO step VALUES
  ('turn_message', 'turn_message(%s, %s, ''{"role":"user","content":"x"}'')'),
  ('turn_tool_call', 'turn_tool_call(%s, %s, ''z'', ''read'')'),
  ('turn_tool_result', 'turn_tool_result(%s, %s, ''z'', ''r'')'),
  ('turn_phase', 'turn_phase(%s, %s, ''streaming'')'),
  ('turn_heartbeat', 'turn_heartbeat(%s, %s)'),
  ('turn_complete', 'turn_complete(%s, %s)'),
  ('turn_fail', 'turn_fail(%s, %s, ''e'')'), ('turn_abort', 'turn_abort(%s, %s, ''e'')');
CREATE TEMP TABLE refusal AS
  SELECT step.name || ' of a turn that has ended' AS what, 'SELECT ' || printf(call, turn, token)
    AS e, step.name || ': %' || turn || '%completed%' AS message FROM step, live
    WHERE live.name = 'e'
  UNION ALL SELECT step.name || ' with a wrong token', 'SELECT ' || printf(call, turn, token + 1),
    step.name || ': %token%' FROM step, live WHERE live.name = 'b'
  UNION ALL SELECT step.name || ' with token 0', 'SELECT ' || printf(call, turn, 0),
    step.name || ': %token%' FROM step, live WHERE live.name = 'b'
  UNION ALL SELECT step.name || ' of no turn', 'SELECT ' || printf(call, 99, token),
    step.name || ': there is no turn 99%' FROM step, live WHERE live.name = 'b'
  UNION ALL SELECT step.name || ' of a negative turn', 'SELECT ' || printf(call, -1, token),
    step.name || ': turn is -1;%' FROM step, live WHERE live.name = 'b'
  UNION ALL SELECT step.name || ' of an appended turn', 'SELECT ' || printf(call, 16777216, 1),
    step.name || ': %16777216%completed%' FROM step
  UNION ALL SELECT step.name || ' without a turn', 'SELECT ' || printf(call, 'NULL', token),
    step.name || ': turn is missing' FROM step, live WHERE live.name = 'b'
  UNION ALL SELECT step.name || ' without a token', 'SELECT ' || printf(call, turn, 'NULL'),
    step.name || ': token is missing' FROM step, live WHERE live.name = 'b'
  UNION ALL SELECT step.name || ' with a turn as text', 'SELECT ' || printf(call, '''x''', token),
    step.name || ': turn must be an integer%' FROM step, live WHERE live.name = 'b';
SELECT what, iif(error_of(e) LIKE message, message, ifnull(error_of(e), '(no error)')), message
  FROM refusal;

CREATE TEMP TABLE call(call, message);
INSERT INTO call VALUES
  ('turn_message(%d, %d, ''x'')', 'turn_message: message is not valid JSON%'),
  ('turn_message(%d, %d, ''[]'')', 'turn_message: message must be a JSON object%'),
  ('turn_message(%d, %d, ''{"role":"user"}'')', 'turn_message: %content%'),
  ('turn_message(%d, %d, ''{"role":"tool","tool_call_id":"no","content":"x"}'')',
   'turn_message: %''no''%'),
  ('turn_message(%d, %d, ''{"role":"user","content":"x","refusal":1}'')',
   'turn_message: message% has no field ''refusal''; put it into metadata'),
  ('turn_message(%d, %d)', 'turn_message: message is missing'),
  ('turn_tool_call(%d, %d, NULL, ''read'')', 'turn_tool_call: call_id is missing'),
  ('turn_tool_call(%d, %d, '''', ''read'')', 'turn_tool_call: call_id is empty'),
  ('turn_tool_call(%d, %d, ''k'')', 'turn_tool_call: tool_name is missing'),
  ('turn_tool_call(%d, %d, ''k'', '''')', 'turn_tool_call: tool_name is empty'),
  ('turn_tool_call(%d, %d, ''have'', ''read'')', 'turn_tool_call: %''have''%'),
  ('turn_tool_result(%d, %d, ''nobody'', ''r'')', 'turn_tool_result: %''nobody''%'),
  ('turn_tool_result(%d, %d, ''got'', ''another'')', 'turn_tool_result: %''got''%'),
  ('turn_tool_result(%d, %d, ''have'')', 'turn_tool_result: result is missing'),
  ('turn_tool_result(%d, %d, ''have'', ''r'', ''{"error":2}'')', 'turn_tool_result: error is 2;%'),
  ('turn_phase(%d, %d, ''dreaming'')', 'turn_phase: phase is ''dreaming''; it must be one of: %'),
  ('turn_phase(%d, %d)', 'turn_phase: phase is missing'),
  ('turn_heartbeat(%d, %d, ''{"lease":"soon"}'')', 'turn_heartbeat: lease is ''soon'';%'),
  ('turn_complete(%d, %d, ''x'')', 'turn_complete: result is not valid JSON%'),
  ('turn_complete(%d, %d, ''[]'')', 'turn_complete: result must be a JSON object%'),
  ('turn_complete(%d, %d, ''{"contents":"x"}'')', 'turn_complete: %''contents''%'),
  ('turn_complete(%d, %d, ''{"messages":[{"role":"user"}]}'')',
   'turn_complete: result.messages[0]%content%'),
  ('turn_complete(%d, %d, ''{"usage":{"input_tokens":-1}}'')',
   'turn_complete: result.usage%input_tokens%'),
  ('turn_complete(%d, %d, ''{"content":5}'')', 'turn_complete: result.content must be text'),
  ('turn_complete(%d, %d, ''{"model":5}'')', 'turn_complete: result.model must be text'),
  ('turn_complete(%d, %d, ''{"tokens":-1}'')', 'turn_complete: result.tokens must be %'),
  ('turn_fail(%d, %d)', 'turn_fail: error is missing'),
  ('turn_abort(%d, %d)', 'turn_abort: reason is missing'),
  ('turn_abort(%d, %d, ''x'', ''{"keep":2}'')', 'turn_abort: keep is 2;%');
SELECT turn_tool_call(turn, token, 'have', 'read') FROM live WHERE name = 'b';
SELECT turn_message(turn, token, '{"role":"assistant","tool_calls":[{"id":"got","name":"read",
  "result":"r"}]}') FROM live WHERE name = 'b';
SELECT call, iif(error_of('SELECT ' || printf(call, turn, token)) LIKE message, message,
  ifnull(error_of('SELECT ' || printf(call, turn, token)), '(no error)')), message
  FROM call, live WHERE name = 'b';

---- The lease

INSERT INTO run SELECT 'lease', turn_begin('lease', 'A1',
  '{"messages":[{"role":"user","content":"q"}]}');
CREATE TEMP TABLE renew(n INTEGER PRIMARY KEY, call);
INSERT INTO renew VALUES
  (1, 'turn_message(%d, %d, ''{"role":"user","content":"x"}'', ''{"now":%d}'')'),
  (2, 'turn_tool_call(%d, %d, ''z'', ''read'', NULL, ''{"now":%d}'')'),
  (3, 'turn_tool_result(%d, %d, ''z'', ''r'', ''{"now":%d}'')'),
  (4, 'turn_phase(%d, %d, ''streaming'', ''{"now":%d}'')'),
  (5, 'turn_heartbeat(%d, %d, ''{"now":%d}'')');
CREATE TEMP TABLE renewed AS SELECT n, call, value_of('SELECT ' || printf(call, turn, token,
    1000000 + n * 100000)) IS NOT NULL AS ran,
    value_of('SELECT expires_at FROM session_runs WHERE session_label = ''lease''') AS expires_at
  FROM renew, live WHERE name = 'lease' ORDER BY n;
SELECT call || ' renews the lease', expires_at, 1300000 + n * 100000 FROM renewed;
SELECT 'a sign of life before the end', turn_heartbeat(turn, token, '{"now":1799999}')
  ->> '$.expires_at', 2099999 FROM live WHERE name = 'lease';
SELECT 'a lease that has run out and nobody took: no second run, no lost work',
  error_of(printf('SELECT turn_message(%d, %d, ''{"role":"user","content":"late"}'',
    ''{"now":9000000}'')', turn, token)) IS NULL, 1 FROM live WHERE name = 'lease';
SELECT 'it holds the lease again', (SELECT expires_at FROM session_runs
  WHERE session_label = 'lease'), 9300000;
SELECT 'busy at the last moment', error_of('SELECT turn_begin(''lease'', ''A2'',
  ''{"now":9299999,"messages":[{"role":"user","content":"x"}]}'')') LIKE 'turn_begin: %''A1''%', 1;
INSERT INTO run SELECT 'taken', turn_begin('lease', 'A2',
  '{"now":9300000,"messages":[{"role":"user","content":"mine"}]}');
SELECT 'taken over when it has run out', (SELECT owner FROM session_runs
  WHERE session_label = 'lease'), 'A2';
SELECT 'the old turn failed', (SELECT json_array(status, phase, on_path, completed_at)
  FROM turns WHERE id = turn), '["failed",null,0,9300000]' FROM live WHERE name = 'lease';
SELECT 'and says why', (SELECT error <> '' FROM turns WHERE id = turn), 1
  FROM live WHERE name = 'lease';
SELECT 'its token is dead: ' || step.name, error_of('SELECT ' || printf(call, turn, token))
  LIKE step.name || ': %' || turn || '%failed%', 1 FROM step, live WHERE live.name = 'lease'
  AND step.name <> 'turn_tool_result';
SELECT 'the new token with the old turn', error_of('SELECT ' || printf(call, a.turn, b.token))
  LIKE step.name || ': %', 1 FROM step, live AS a, live AS b
  WHERE a.name = 'lease' AND b.name = 'taken';
SELECT 'the old token with the new turn', error_of('SELECT ' || printf(call, b.turn, a.token))
  LIKE step.name || ': %token%', 1 FROM step, live AS a, live AS b
  WHERE a.name = 'lease' AND b.name = 'taken';
SELECT 'the new turn is beside the old one', (SELECT a.parent_turn_id IS b.parent_turn_id
  FROM turns AS a, turns AS b WHERE a.id = x.turn AND b.id = y.turn), 1
  FROM live AS x, live AS y WHERE x.name = 'lease' AND y.name = 'taken';
SELECT 'and completes', turn_complete(turn, token, '{"content":"done"}') IS NOT NULL, 1
  FROM live WHERE name = 'taken';
SELECT 'only it is on the path', (SELECT group_concat(turn_id) FROM turn_path('lease')),
  '' || turn FROM live WHERE name = 'taken';
SELECT 'in the tree both are', (SELECT count(*) FROM turns WHERE id IN (SELECT turn FROM live
  WHERE name IN ('lease', 'taken'))), 2;
-- A sign of life by session_run does not shorten it.
INSERT INTO run SELECT 'sign', turn_begin('sign', 'A1',
  '{"messages":[{"role":"user","content":"q"}],"lease":"60s"}');
SELECT session_run('sign', 'A1', 'running', NULL, '{"now":1050000}');
SELECT 'after a word of the process the lease is as long as before',
  turn_heartbeat(turn, token, '{"now":1055000}') ->> '$.expires_at', 1115000 FROM live
  WHERE name = 'sign';
-- turn_append takes an expired lease over as well.
INSERT INTO run SELECT 'expired', turn_begin('expired', 'A1',
  '{"messages":[{"role":"user","content":"q"}],"lease":"1s"}');
SELECT 'append when the lease has run out', turn_append('expired',
  '[{"role":"user","content":"x"}]', '{"now":1001000}') > 0, 1;
SELECT 'the run''s turn failed', (SELECT status FROM turns WHERE id = turn), 'failed'
  FROM live WHERE name = 'expired';
SELECT 'nothing it writes lands', error_of(printf('SELECT turn_complete(%d, %d)', turn, token))
  LIKE 'turn_complete: %failed%', 1 FROM live WHERE name = 'expired';

---- Phases: every pair

CREATE TEMP TABLE phase(name, way1, way2);
INSERT INTO phase VALUES ('processing', NULL, NULL), ('streaming', 'streaming', NULL),
  ('compacting', 'compacting', NULL), ('completing', 'streaming', 'completing');
CREATE TEMP TABLE may(from_phase, to_phase);
INSERT INTO may VALUES ('processing', 'streaming'), ('streaming', 'completing'),
  ('processing', 'compacting'), ('streaming', 'compacting'), ('compacting', 'streaming');
CREATE TEMP TABLE pair AS SELECT a.name AS from_phase, b.name AS to_phase,
  a.name || ' > ' || b.name AS name, a.way1, a.way2 FROM phase AS a, phase AS b;
INSERT INTO run SELECT name, turn_begin(name, 'A1', '{"messages":[{"role":"user","content":"q"}]}')
  FROM pair;
SELECT turn_phase(turn, token, way1) FROM pair JOIN live USING (name) WHERE way1 IS NOT NULL;
SELECT turn_phase(turn, token, way2) FROM pair JOIN live USING (name) WHERE way2 IS NOT NULL;
SELECT name || ': where it begins', (SELECT phase FROM turns WHERE id = turn), from_phase
  FROM pair JOIN live USING (name);
SELECT name || ': allowed', turn_phase(turn, token, to_phase) ->> '$.phase', to_phase
  FROM pair JOIN may USING (from_phase, to_phase) JOIN live USING (name);
SELECT name || ': is in the phase', (SELECT phase FROM turns WHERE id = turn), to_phase
  FROM pair JOIN may USING (from_phase, to_phase) JOIN live USING (name);
SELECT 'heartbeats alone show nothing', json_valid(turn_heartbeat(turn, token))
  || (session_state(name) ->> '$.run_state'), '1starting' FROM live
  WHERE name = 'processing > processing';
SELECT name || ': one event', (SELECT from_state || ' > ' || to_state FROM session_events
  WHERE session_label = name AND axis = 'turn' ORDER BY id DESC LIMIT 1), name
  FROM pair JOIN may USING (from_phase, to_phase);
CREATE TEMP TABLE no_move AS SELECT name, from_phase, to_phase,
    error_of(printf('SELECT turn_phase(%d, %d, %Q)', turn, token, to_phase)) AS error
  FROM pair JOIN live USING (name) WHERE from_phase <> to_phase AND NOT EXISTS
    (SELECT 1 FROM may AS m WHERE m.from_phase = pair.from_phase AND m.to_phase = pair.to_phase);
SELECT name || ': refused, naming both', ifnull(error, '(no error)') LIKE 'turn_phase: the turn is '
  || from_phase || ' and can''t become ' || to_phase || '; from %', 1 FROM no_move;
SELECT name || ' said again is a sign of life', turn_phase(turn, token, to_phase) ->> '$.phase',
  to_phase FROM pair JOIN live USING (name) WHERE from_phase = to_phase;
SELECT 'said again is no event', (SELECT count(*) FROM session_events WHERE axis = 'turn'
  AND from_state = to_state), 0;
CREATE TEMP TABLE terminal(phase);
INSERT INTO terminal VALUES ('completed'), ('failed'), ('aborted');
SELECT 'turn_phase does not end a turn: ' || phase, error_of(printf(
  'SELECT turn_phase(%d, %d, %Q)', turn, token, phase)) LIKE 'turn_phase: %' || phase || '%', 1
  FROM terminal, live WHERE live.name = 'processing > processing';

-- Whatever a turn writes shows that its run has started.
CREATE TEMP TABLE shows(name, call);
INSERT INTO shows VALUES
  ('shows message', 'turn_message(%d, %d, ''{"role":"user","content":"x"}'')'),
  ('shows call', 'turn_tool_call(%d, %d, ''z'', ''read'')');
INSERT INTO run SELECT name, turn_begin(name, 'A1', '{"messages":[{"role":"user","content":"q"}]}')
  FROM shows;
SELECT value_of('SELECT ' || printf(call, turn, token)) FROM shows JOIN live USING (name);
SELECT name || ': the run runs', session_state(name) ->> '$.run_state', 'running' FROM shows;

-- From every phase a turn can end in every way.
CREATE TEMP TABLE ending(status, call);
INSERT INTO ending VALUES ('completed', 'SELECT turn_complete(%d, %d, ''{"content":"done"}'')'),
  ('failed', 'SELECT turn_fail(%d, %d, ''e'')'), ('aborted', 'SELECT turn_abort(%d, %d, ''e'')');
INSERT INTO run SELECT p.name || ' to ' || status, turn_begin(p.name || ' to ' || status, 'A1',
  '{"messages":[{"role":"user","content":"q"}]}') FROM phase AS p, ending;
SELECT turn_phase(turn, token, way1) FROM phase AS p, ending JOIN live
  ON live.name = p.name || ' to ' || status WHERE way1 IS NOT NULL;
SELECT turn_phase(turn, token, way2) FROM phase AS p, ending JOIN live
  ON live.name = p.name || ' to ' || status WHERE way2 IS NOT NULL;
SELECT live.name, error_of(printf(call, turn, token)), NULL FROM phase AS p, ending JOIN live
  ON live.name = p.name || ' to ' || status;
SELECT live.name || ': ended', (SELECT u.status || ifnull(u.phase, '') FROM turns AS u
  WHERE u.id = turn), ending.status FROM phase AS p, ending JOIN live
  ON live.name = p.name || ' to ' || ending.status;
SELECT 'every move of a turn is one of the table', (SELECT group_concat(from_state || '>'
    || to_state) FROM session_events AS e WHERE axis = 'turn' AND from_state IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM state_transitions AS s WHERE s.axis = 'turn'
     AND s.from_state = e.from_state AND s.to_state = e.to_state)), NULL;
SELECT 'and every one of a run too', (SELECT group_concat(from_state || '>' || to_state)
  FROM session_events AS e WHERE axis = 'run' AND from_state IS NOT NULL AND NOT EXISTS
    (SELECT 1 FROM state_transitions AS s WHERE s.axis = 'run' AND s.from_state = e.from_state
     AND s.to_state = e.to_state)), NULL;
SELECT 'events follow one another', (SELECT count(*) FROM (SELECT from_state, lag(to_state)
    OVER (PARTITION BY session_label ORDER BY id) AS before FROM session_events WHERE axis = 'turn')
  WHERE from_state IS NOT NULL AND from_state IS NOT before), 0;

---- turn_complete in its smallest forms

INSERT INTO run SELECT 'c' || value, turn_begin('c' || value, 'A1',
  '{"messages":[{"role":"user","content":"q"}]}') FROM json_each('[1,2,3,4]');
SELECT 'no result', json_valid(turn_complete(turn, token)), 1 FROM live WHERE name = 'c1';
SELECT 'an empty one', json_valid(turn_complete(turn, token, '{}')), 1 FROM live WHERE name = 'c2';
SELECT 'NULL', json_valid(turn_complete(turn, token, NULL)), 1 FROM live WHERE name = 'c3';
SELECT 'content alone', json_valid(turn_complete(turn, token, '{"content":"a"}')), 1
  FROM live WHERE name = 'c4';
SELECT 'what they hold', (SELECT group_concat(line, ', ') FROM held JOIN live ON turn = turn_id
  WHERE name GLOB 'c[1-4]'), 'user:q, user:q, user:q, user:q | assistant:a';
SELECT 'sizes by bytes', (SELECT group_concat(thread_tokens) FROM turns JOIN live ON turn = id
  WHERE name GLOB 'c[1-4]'), '1,1,1,2';

---- turn_fail

INSERT INTO turnstile VALUES
  ('turn_append', '["f",[{"role":"user","content":"x"}],{"external_id":"f1"}]'),
  ('session_start', '["f","add retries"]');
INSERT INTO run SELECT 'f', turn_begin('f', 'A1',
  '{"messages":[{"role":"user","content":"q"}],"external_id":"f2"}');
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM live
  WHERE name = 'f';
CREATE TEMP TABLE failed AS SELECT turn_fail(turn, token, 'out of credit', '{"now":1000009}') AS r
  FROM live WHERE name = 'f';
SELECT 'turn_fail', json_array(r ->> '$.turn' = (SELECT id FROM t WHERE name = 'f2'),
  r ->> '$.session'), '[1,"f"]' FROM failed;
SELECT 'the turn', (SELECT json_array(status, phase, on_path, error, completed_at) FROM turns
  WHERE external_id = 'f2'), '["failed",null,0,"out of credit",1000009]';
SELECT 'it keeps what it had', (SELECT line FROM held JOIN t ON id = turn_id WHERE name = 'f2'),
  'user:q | assistant:half';
SELECT 'the head is where it was', (SELECT name FROM t JOIN sessions ON thread_id = id
  WHERE label = 'f'), 'f1';
SELECT 'no history, not counted', (SELECT count(*) FROM session_history WHERE session_label = 'f')
  || (SELECT turns FROM sessions WHERE label = 'f'), '11';
SELECT 'the run is over', (SELECT json_array(run_state IN ('starting', 'running', 'interrupted'),
    turn_id, expires_at) FROM session_runs WHERE session_label = 'f'), '[0,null,null]';
SELECT 'the session goes on beside it', turn_append('f', '[{"role":"user","content":"y"}]',
  '{"external_id":"f3"}'), (SELECT max(id) FROM branches) << 24 | 1;
SELECT 'with the same parent', (SELECT count(*) FROM turns JOIN t ON t.id = parent_turn_id
  WHERE name = 'f1'), 2;
SELECT 'the path', (SELECT group_concat(external_id) FROM turn_path('f')), 'f1,f3';
INSERT INTO run SELECT 'after', turn_begin('f', 'A1',
  '{"messages":[{"role":"user","content":"q"}]}');
SELECT 'a run begins again', r ->> '$.parent', (SELECT id FROM t WHERE name = 'f3')
  FROM run WHERE name = 'after';
SELECT 'a parent that failed', error_of('SELECT turn_append(''f9'',
  ''[{"role":"user","content":"x"}]'', ''{"parent":"f2"}'')')
  LIKE 'turn_append: turn % is failed; it must be completed%', 1;
SELECT 'a parent that runs', error_of(printf('SELECT turn_append(''f9'',
  ''[{"role":"user","content":"x"}]'', ''{"parent":%d}'')', turn))
  LIKE 'turn_append: turn ' || turn || ' is processing; it must be completed%', 1
  FROM live WHERE name = 'after';
INSERT INTO turnstile VALUES ('session_start', '["fw","add retries"]');
INSERT INTO run SELECT 'fw', turn_begin('fw', 'A1', '{"messages":[{"role":"user","content":"q"}]}');
SELECT turn_fail(turn, token, 'e') FROM live WHERE name = 'fw';
INSERT INTO turnstile VALUES ('session_deliver', '["fw","stop",{"class":"Abandon"}]');
SELECT 'a failed turn is no work', (SELECT count(*) FROM commits WHERE session_label = 'fw'), 0;

---- turn_abort

INSERT INTO turnstile SELECT 'turn_append', json_array(value,
  json('[{"role":"user","content":"x"}]'), json_object('external_id', value || '1'))
  FROM json_each('["kept","none","dropped","called","input"]');
INSERT INTO run SELECT value, turn_begin(value, 'A1',
  '{"messages":[{"role":"user","content":"q"}]}')
  FROM json_each('["kept","none","dropped","called"]');
INSERT INTO run SELECT 'input', turn_begin('input', 'A1',
  '{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"given"}]}');
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}')
  FROM live WHERE name IN ('kept', 'dropped');
SELECT turn_tool_call(turn, token, 'k', 'push') FROM live WHERE name = 'called';
CREATE TEMP TABLE aborted AS
  SELECT name, turn_abort(turn, token, 'stop', iif(name = 'dropped', '{"keep":0}', NULL)) AS r
  FROM live WHERE name IN ('kept', 'none', 'dropped', 'called', 'input');
SELECT name || ': turn_abort', json_array(r ->> '$.turn' = turn, r ->> '$.session'),
  json_array(1, name) FROM aborted JOIN live USING (name);
CREATE TEMP TABLE stays(name, on_path);
INSERT INTO stays VALUES ('kept', 1), ('none', 0), ('dropped', 0), ('called', 1), ('input', 0);
SELECT name || ': the turn', (SELECT json_array(status, phase, on_path, error) FROM turns
  WHERE id = turn), json_array('aborted', NULL, on_path, 'stop') FROM stays JOIN live USING (name);
SELECT name || ': the head', (SELECT thread_id = turn FROM sessions WHERE label = name), on_path
  FROM stays JOIN live USING (name);
SELECT name || ': the history', (SELECT group_concat(reason) FROM session_history
  WHERE session_label = name), iif(on_path, 'append,abort', 'append') FROM stays;
SELECT name || ': counted', (SELECT turns FROM sessions WHERE label = name), 1 + on_path
  FROM stays;
SELECT name || ': the run is over', (SELECT json_array(run_state IN ('starting', 'running',
    'interrupted'), turn_id, expires_at) FROM session_runs WHERE session_label = name),
  '[0,null,null]' FROM stays;
INSERT INTO turnstile SELECT 'turn_append', json_array(name,
  json('[{"role":"user","content":"on"}]')) FROM stays;
SELECT name || ': the next turn''s parent', (SELECT u.parent_turn_id = turn FROM turns AS u
  JOIN sessions ON thread_id = u.id WHERE label = name), on_path FROM stays JOIN live USING (name);
SELECT 'keep 1 is the default', (SELECT count(*) FROM turns WHERE status = 'aborted'
  AND on_path = 1 AND id IN (SELECT turn FROM live WHERE name IN ('kept', 'called'))), 2;

---- Limits

INSERT INTO run SELECT 'full', turn_begin('full', 'A1',
  '{"messages":[{"role":"user","content":"q"}]}');
SELECT count(turn_message(turn, token, '{"role":"assistant","content":"x"}')) FROM live,
  (WITH RECURSIVE n(value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM n LIMIT 4094)
   SELECT value FROM n) WHERE name = 'full';
SELECT 'the last place of a turn', turn_tool_call(turn, token, 'k', 'read') ->> '$.sequence', 4095
  FROM live WHERE name = 'full';
SELECT 'one message more', error_of(printf('SELECT turn_message(%d, %d,
  ''{"role":"user","content":"x"}'')', turn, token)) LIKE 'turn_message: %4096%', 1
  FROM live WHERE name = 'full';
SELECT 'one call more', error_of(printf('SELECT turn_tool_call(%d, %d, ''l'', ''read'')', turn,
  token)) LIKE 'turn_tool_call: %4096%', 1 FROM live WHERE name = 'full';
SELECT 'a result takes no place', turn_tool_result(turn, token, 'k', 'r') ->> '$.status',
  'completed' FROM live WHERE name = 'full';
SELECT 'completing with content', error_of(printf('SELECT turn_complete(%d, %d,
  ''{"content":"x"}'')', turn, token)) LIKE 'turn_complete: %4096%', 1 FROM live
  WHERE name = 'full';
SELECT 'completing without', json_valid(turn_complete(turn, token)), 1 FROM live
  WHERE name = 'full';
SELECT 'the next turn', turn_append('full', '[{"role":"user","content":"x"}]'), turn + 1
  FROM live WHERE name = 'full';
CREATE TEMP TABLE many AS
  SELECT json_group_array(json_object('role', 'user', 'content', 'm' || value)) AS messages
  FROM (WITH RECURSIVE n(value) AS (VALUES (0) UNION ALL SELECT value + 1 FROM n LIMIT 4097)
        SELECT value FROM n);
SELECT 'a turn of 4097 messages', error_of('SELECT turn_append(''many'', messages) FROM many')
  LIKE 'turn_append: %4096%', 1;
SELECT 'a call id of 257 bytes', error_of('SELECT turn_append(''many'', json_array(json_object(
  ''role'', ''assistant'', ''tool_calls'', json_array(json_object(''id'', printf(''%.257c'', ''k''),
  ''name'', ''n'')))))') LIKE 'turn_append: messages[0]%256%', 1;
SELECT 'a tool''s name of 257 bytes', error_of('SELECT turn_append(''many'', json_array(json_object(
  ''role'', ''assistant'', ''tool_calls'', json_array(json_object(''id'', ''n'',
  ''name'', printf(''%.257c'', ''k''))))))') LIKE 'turn_append: messages[0]%256%', 1;
SELECT 'an external id of 257 bytes', error_of('SELECT turn_append(''many'',
  ''[{"role":"user","content":"x"}]'', json_object(''external_id'', printf(''%.257c'', ''e'')))'),
  'turn_append: external_id is 257 bytes long; at most 256 are allowed';

---- Both doors, and a request once

CREATE TEMP TABLE request(n INTEGER PRIMARY KEY, command, args);
INSERT INTO run SELECT 'r' || value, turn_begin('r' || value, 'A1',
  '{"messages":[{"role":"user","content":"q"}]}') FROM json_each('[1,2,3]');
INSERT INTO request(command, args)
  SELECT 'turn_append', '["r",[{"role":"user","content":"x"}],{"request_id":"?"}]'
  UNION ALL SELECT 'turn_begin',
    '["r0","A1",{"messages":[{"role":"user","content":"x"}],"request_id":"?"}]'
  UNION ALL SELECT 'turn_message', printf('[%d,%d,{"role":"assistant","content":"x"},
    {"request_id":"?"}]', turn, token) FROM live WHERE name = 'r1'
  UNION ALL SELECT 'turn_tool_call', printf('[%d,%d,"k","read",{"a":1},{"request_id":"?"}]', turn,
    token) FROM live WHERE name = 'r1'
  UNION ALL SELECT 'turn_tool_result', printf('[%d,%d,"k","r",{"request_id":"?"}]', turn, token)
    FROM live WHERE name = 'r1'
  UNION ALL SELECT 'turn_phase', printf('[%d,%d,"streaming",{"request_id":"?"}]', turn, token)
    FROM live WHERE name = 'r1'
  UNION ALL SELECT 'turn_heartbeat', printf('[%d,%d,{"request_id":"?"}]', turn, token)
    FROM live WHERE name = 'r1'
  UNION ALL SELECT 'turn_complete', printf('[%d,%d,{"content":"x"},{"request_id":"?"}]', turn,
    token) FROM live WHERE name = 'r1'
  UNION ALL SELECT 'turn_fail', printf('[%d,%d,"e",{"request_id":"?"}]', turn, token)
    FROM live WHERE name = 'r2'
  UNION ALL SELECT 'turn_abort', printf('[%d,%d,"e",{"request_id":"?"}]', turn, token)
    FROM live WHERE name = 'r3';
UPDATE request SET args = replace(args, '?', 'once-' || command);
CREATE TEMP TABLE first AS SELECT n, command, args, value_of(printf(
  'INSERT INTO turnstile VALUES (%Q, %Q) RETURNING turnstile_result()', command, args)) AS result
  FROM request ORDER BY n;
CREATE TEMP TABLE after_first AS SELECT dump_of() AS d;
SELECT command || ': has a result', result IS NOT NULL, 1 FROM first;
SELECT command || ': once more, by the sugar', value_of(printf('SELECT %s(%s)', command,
  (SELECT group_concat(iif(type IN ('integer'), value, quote(value))) FROM json_each(args)))),
  result FROM first;
SELECT command || ': once more, by the door', value_of(printf(
  'INSERT INTO turnstile VALUES (%Q, %Q) RETURNING turnstile_result()', command, args)), result
  FROM first;
SELECT 'nothing has changed', dump_of() = d, 1 FROM after_first;
SELECT 'by name', value_of('INSERT INTO turnstile VALUES (''turn_append'', ''{"label":"named",
  "messages":[{"role":"user","content":"x"}],"external_id":"named1"}'')
  RETURNING turnstile_result()'), (SELECT id FROM t WHERE name = 'named1');

---- The whole file

SELECT 'every head is on the path', (SELECT group_concat(label) FROM sessions WHERE thread_id
  IS NOT NULL AND NOT EXISTS (SELECT 1 FROM turns WHERE id = thread_id AND on_path = 1)), NULL;
SELECT 'every parent is on the path', (SELECT group_concat(u.id) FROM turns AS u
  WHERE parent_turn_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM turns AS p
    WHERE p.id = u.parent_turn_id AND p.on_path = 1)), NULL;
SELECT 'a phase exactly while it runs', (SELECT count(*) FROM turns
  WHERE (status = 'running') <> (phase IS NOT NULL)
     OR (status = 'running') <> (completed_at IS NULL)), 0;
SELECT 'a turn lies where its id says', (SELECT group_concat(u.id) FROM turns AS u
  JOIN branches AS b ON b.id = u.id >> 24 WHERE NOT CASE
    WHEN u.id & 16777215 > first_depth THEN u.parent_turn_id = u.id - 1
    ELSE u.parent_turn_id IS b.parent_turn_id AND u.id & 16777215 = first_depth END), NULL;
SELECT 'the head is the last of the history', (SELECT group_concat(label) FROM sessions AS s
  WHERE thread_id IS NOT (SELECT thread_id FROM session_history WHERE session_label = s.label
                          ORDER BY id DESC LIMIT 1)), NULL;
SELECT 'each begun turn that has ended ended once', (SELECT count(*) FROM session_events
    WHERE axis = 'turn' AND from_state IS NULL), (SELECT count(*) FROM session_events
    WHERE axis = 'turn' AND to_state IN ('completed', 'failed', 'aborted'))
  + (SELECT count(*) FROM turns WHERE status = 'running');
SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events),
  (SELECT max(id) FROM session_events);

---- What drivers and cut strings bring

SELECT turn_append('cut', '[{"role":"user","content":"cut \ud83d"}]', '{"external_id":"cut"}');
SELECT 'half a character', (SELECT content FROM messages JOIN turns AS t ON t.id = turn_id
  WHERE t.external_id = 'cut'), 'cut ' || char(65533);
SELECT 'an id of a driver that only knows REAL', (SELECT count(*) FROM turn_path(
  (SELECT CAST(thread_id AS REAL) FROM sessions WHERE label = 'cut'))), 1;
SELECT 'a budget of such a one', (SELECT count(*) FROM session_context('cut', 500.0)), 1;
SELECT 'but no fraction', error_of('SELECT turn_ancestor(1.5, 0)')
  LIKE 'turn_ancestor: turn must be an integer%', 1;
SELECT turn_append('cut', '[{"role":"assistant","tool_calls":
  [{"id":7,"name":"n"}]},{"role":"tool","tool_call_id":7,"content":"x"}]', '{"external_id":70}');
SELECT 'ids that are integers are kept as text', (SELECT typeof(t.external_id) || typeof(c.id)
  || c.result FROM turns AS t JOIN tool_calls AS c ON c.turn_id = t.id
  WHERE t.external_id = '70'), 'texttextx';
CREATE TEMP TABLE broken AS SELECT turn_begin('cut', 'A1', '{"external_id":"broken","messages":
  [{"role":"user","content":"q"}]}') AS r;
SELECT turn_fail(r ->> '$.turn', r ->> '$.token', 'boom') FROM broken;
SELECT 'the external id of a turn that failed', error_of('SELECT turn_append(''cut'',
  ''[{"role":"user","content":"q"}]'', ''{"external_id":"broken"}'')')
  LIKE 'turn_append: turn % has the external_id ''broken'' and is failed; give another%', 1;

---- Parameters that are no JSON

-- Models send arguments that are no JSON, cut off above all. Nothing of it is lost: a JSON string
-- holds it.
CREATE TEMP TABLE cutoff(text, kept);
INSERT INTO cutoff VALUES ('{', '"{"'), ('{"a":', '"{\"a\":"'), ('', '""'), ('ls -l', '"ls -l"'),
  ('{"a":1} and more', '"{\"a\":1} and more"'), ('[1,]', '"[1,]"');
INSERT INTO turnstile SELECT 'turn_append', json_array('params ' || text, json(messages))
FROM (SELECT text, json_array(json_object('role', 'assistant', 'tool_calls', json_array(
    json_object('id', 'a', 'name', 'x', 'params', text),
    json_object('id', 'b', 'name', 'x', 'input', text),
    json_object('id', 'c', 'name', 'x', 'function', json_object('name', 'x', 'arguments', text))
  ))) AS messages FROM cutoff);
CREATE TEMP TABLE cutoff_run AS SELECT text, turn_begin('run ' || text, 'A1',
  '{"messages":[{"role":"user","content":"q"}]}') AS r FROM cutoff;
SELECT turn_tool_call(r ->> '$.turn', r ->> '$.token', 'd', 'x', text) FROM cutoff_run;
SELECT 'broken params: ' || tool_calls.id || ' ' || text, params, kept
  FROM cutoff LEFT JOIN turns ON true JOIN tool_calls ON turn_id = turns.id
  WHERE turns.id IN (SELECT thread_id FROM sessions WHERE label = 'params ' || text UNION ALL
    SELECT turn_id FROM session_runs WHERE session_label = 'run ' || text);
SELECT 'broken params: all ways', (SELECT count(*) FROM cutoff JOIN sessions ON label IN
  ('params ' || text, 'run ' || text) LEFT JOIN session_runs ON session_label = label
  JOIN tool_calls ON tool_calls.turn_id IN (thread_id, session_runs.turn_id)), 24;
SELECT 'broken params: JSON all the same', (SELECT count(*) FROM tool_calls
  WHERE NOT json_valid(params)), 0;
SELECT turn_tool_result(r ->> '$.turn', r ->> '$.token', 'd', 'r') FROM cutoff_run;
SELECT 'broken params: as they were', (SELECT content ->> '$.input' FROM session_context('run {')
  WHERE kind = 'tool_call'), '{';

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;

-- `sequence` is where it stands, also where a step leaves a place out.
CREATE TEMP TABLE placed AS SELECT s.value ->> 'turn' AS turn, s.value ->> 'token' AS token, '' AS name,
  0 AS told FROM json_each(json_array(json(turn_begin('placed', 'p',
  '{"messages":[{"role":"user","content":"go"}]}')))) AS s;
INSERT INTO placed SELECT turn, token, 'k1', turn_tool_call(turn, token, 'k1', 'ls') ->> '$.sequence'
  FROM placed WHERE name = '';
SELECT turn_tool_result(turn, token, 'k1', 'a') FROM placed WHERE name = '';
INSERT INTO placed SELECT turn, token, 'k2', turn_tool_call(turn, token, 'k2', 'ls') ->> '$.sequence'
  FROM placed WHERE name = '';
SELECT turn_tool_result(turn, token, 'k2', 'b') FROM placed WHERE name = '';
INSERT INTO placed SELECT turn, token, 'k3', turn_message(turn, token,
  '{"role":"assistant","tool_calls":[{"id":"k3","name":"ls"},{"id":"k4","name":"ls"}]}')
  ->> '$.sequence' FROM placed WHERE name = '';
INSERT INTO placed SELECT turn, token, 'k4', turn_message(turn, token,
  '{"role":"tool","tool_call_id":"k4","content":"d"}') ->> '$.sequence' FROM placed WHERE name = '';
SELECT 'sequence of ' || name, told, (SELECT sequence FROM tool_calls
  WHERE turn_id = placed.turn AND id = name) FROM placed WHERE name <> '';
SELECT 'two steps left a place out', (SELECT group_concat(told) FROM placed WHERE name <> ''),
  '1,3,5,6';

---- A turn whose row holds what no command has written is named, and nothing is done with it

INSERT INTO run SELECT 'odd', turn_begin('odd', 'w', '{"messages":[{"role":"user","content":"x"}]}');
CREATE TEMP TABLE odd(n INTEGER PRIMARY KEY, status, phase, tokens, problem);
INSERT INTO odd VALUES (1, 'running', 'odd', 1, 'its status or phase is ''odd'''), (2, 'odd', 'processing', 1, 'its status or phase is ''odd'''), (3, 'running', 'processing', -1, 'its thread_tokens are -1'),
  (4, 'running', 'processing', 9007199254740992, 'its thread_tokens are 9007199254740992'), (5, 'running', 'processing', 9007199254740991, NULL), (6, 'running', 'processing', 0, NULL);
CREATE TEMP VIEW odd_turn(turn, token) AS SELECT r ->> '$.turn', r ->> '$.token' FROM run WHERE name = 'odd';
CREATE TEMP TABLE odd_now(n);
CREATE TEMP TRIGGER odd_is AFTER INSERT ON odd_now BEGIN
  UPDATE turns SET status = o.status, phase = o.phase, thread_tokens = o.tokens FROM odd AS o WHERE o.n = NEW.n AND turns.id = (SELECT turn FROM odd_turn);
END;
PRAGMA ignore_check_constraints = ON;
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
INSERT INTO odd_now VALUES (1);
SELECT 'a phase', error_of(printf('SELECT turn_phase(%d, %d, ''streaming'')', turn, token)), printf('turn_phase: turn %d is damaged: %s', turn, problem) FROM odd_turn, odd WHERE n = 1;
SELECT 'a phase, looked at', error_of('SELECT session_state(''odd'')'), printf('session_state: turn %d is damaged: %s', turn, problem) FROM odd_turn, odd WHERE n = 1;
INSERT INTO odd_now VALUES (2);
SELECT 'a status', error_of(printf('SELECT turn_phase(%d, %d, ''streaming'')', turn, token)), printf('turn_phase: turn %d is damaged: %s', turn, problem) FROM odd_turn, odd WHERE n = 2;
INSERT INTO odd_now VALUES (3);
SELECT 'less than no tokens', error_of(printf('SELECT turn_phase(%d, %d, ''streaming'')', turn, token)), printf('turn_phase: turn %d is damaged: %s', turn, problem) FROM odd_turn, odd WHERE n = 3;
INSERT INTO odd_now VALUES (4);
SELECT 'more tokens than can be', error_of(printf('SELECT turn_phase(%d, %d, ''streaming'')', turn, token)), printf('turn_phase: turn %d is damaged: %s', turn, problem) FROM odd_turn, odd WHERE n = 4;
INSERT INTO odd_now VALUES (5);
SELECT 'as many as can be', error_of(printf('SELECT turn_phase(%d, %d, ''streaming'')', turn, token)), problem FROM odd_turn, odd WHERE n = 5;
INSERT INTO odd_now VALUES (6);
SELECT 'none', error_of(printf('SELECT turn_phase(%d, %d, ''streaming'')', turn, token)), problem FROM odd_turn, odd WHERE n = 6;
DELETE FROM turnstile_meta WHERE key = 'unguarded';
PRAGMA ignore_check_constraints = OFF;
