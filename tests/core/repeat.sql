-- repeat.sql - ids by which a repeated call is known: the same once more is answered as before, anything
-- else is refused, or is seen not to have been taken. Nothing is dropped for the sake of its id.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

---- turn_append: external_id

CREATE TEMP TABLE first(label, messages, options);
INSERT INTO first VALUES
  ('s', '[{"role":"user","content":"one"}]', '{"external_id":"plain"}'),
  ('s', '[{"role":"user","content":"list","metadata":{"a":1},"created_at":5},
    {"role":"assistant","content":"I look.","tool_calls":[{"id":"k1","name":"ls","params":{"p":1}},
     {"id":"k2","name":"cat"},{"id":"k3","name":"rm","error":"no"},{"id":"k4","name":"du","result":"9"}]},
    {"role":"tool","tool_call_id":"k1","content":"a.c"},
    {"role":"assistant","content":[{"type":"text","text":"There."}]}]',
   '{"external_id":"full","model":"m","provider":"p","source":"timer","started_at":7,
     "usage":{"input_tokens":5,"output_tokens":2}}'),
  ('s', '[{"role":"tool","tool_call_id":"k2","content":"text","is_error":true}]', '{"external_id":"late"}');
CREATE TEMP TABLE made(external_id, id);
INSERT INTO made SELECT options ->> '$.external_id', NULL FROM first;
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json(messages), json(options)) FROM first;
UPDATE made SET id = (SELECT id FROM turns AS t WHERE t.external_id = made.external_id);
CREATE TEMP TABLE was AS SELECT dump_of() AS d;

SELECT 'once more: ' || external_id, turn_append(label, messages, options), id
FROM first JOIN made ON external_id = options ->> '$.external_id';
-- created_at, source and started_at count where they are given; JSON is compared as it is kept.
SELECT 'without what has a default', turn_append('s', json_remove(messages, '$[0].created_at'),
  json_remove(options, '$.source', '$.started_at')), id FROM first JOIN made
  ON external_id = options ->> '$.external_id' WHERE external_id = 'full';
SELECT 'below the parent it has', turn_append(label, messages, json_set(options, '$.parent', (SELECT
  parent_turn_id FROM turns WHERE turns.id = made.id))), id FROM first JOIN made
  ON external_id = options ->> '$.external_id' WHERE external_id = 'full';

CREATE TEMP TABLE other(what, messages, options, why);
INSERT INTO other
SELECT 'an edited message', json_replace(messages, '$[0].content', 'two'), options, 'with other messages'
FROM first WHERE options ->> '$.external_id' = 'plain';
WITH f AS (SELECT * FROM first WHERE options ->> '$.external_id' = 'full')
INSERT INTO other
SELECT 'one message less', json_remove(messages, '$[3]'), options, 'with other messages' FROM f UNION ALL
SELECT 'none', '[]', options, 'with other messages' FROM f UNION ALL
SELECT 'one more', json_insert(messages, '$[4]', json('{"role":"user","content":"x"}')), options,
  'with other messages' FROM f UNION ALL
SELECT 'another order', json_array(messages -> '$[1]', messages -> '$[0]'), options, 'with other messages'
  FROM f UNION ALL
SELECT 'another role', json_replace(messages, '$[3].role', 'system'), options, 'with other messages' FROM f
  UNION ALL
SELECT 'a source of its own', json_set(messages, '$[0].source', 'agent'), options, 'with other messages'
  FROM f UNION ALL
SELECT 'other metadata', json_replace(messages, '$[0].metadata.a', 2), options, 'with other messages' FROM f
  UNION ALL
SELECT 'no metadata', json_remove(messages, '$[0].metadata'), options, 'with other messages' FROM f UNION ALL
SELECT 'another time', json_replace(messages, '$[0].created_at', 6), options, 'with other messages' FROM f
  UNION ALL
SELECT 'another tool', json_replace(messages, '$[1].tool_calls[0].name', 'rm'), options,
  'with other messages' FROM f UNION ALL
SELECT 'other parameters', json_replace(messages, '$[1].tool_calls[0].params.p', 2), options,
  'with other messages' FROM f UNION ALL
SELECT 'another call', json_replace(messages, '$[1].tool_calls[1].id', 'k9'), options,
  'with other messages' FROM f UNION ALL
SELECT 'a call less', json_remove(messages, '$[1].tool_calls[1]'), options, 'with other messages' FROM f
  UNION ALL
SELECT 'a result less', json_remove(messages, '$[2]'), options, 'with other messages' FROM f UNION ALL
SELECT 'another result', json_replace(messages, '$[2].content', 'b.c'), options, 'with other messages' FROM f
  UNION ALL
SELECT 'an error for a result', json_set(messages, '$[2].is_error', json('true')), options,
  'with other messages' FROM f UNION ALL
SELECT 'another error', json_replace(messages, '$[1].tool_calls[2].error', 'never'), options,
  'with other messages' FROM f UNION ALL
SELECT 'a result in the call', json_set(messages, '$[1].tool_calls[1].result', 'x'), options,
  'with other messages' FROM f UNION ALL
SELECT 'other blocks', json_replace(messages, '$[3].content[0].text', 'Here.'), options,
  'with other messages' FROM f UNION ALL
SELECT 'another model', messages, json_replace(options, '$.model', 'n'),
  'with another source, model, provider, persona or usage' FROM f UNION ALL
SELECT 'no model', messages, json_remove(options, '$.model'),
  'with another source, model, provider, persona or usage' FROM f UNION ALL
SELECT 'another provider', messages, json_replace(options, '$.provider', 'n'),
  'with another source, model, provider, persona or usage' FROM f UNION ALL
SELECT 'another source', messages, json_replace(options, '$.source', 'agent'),
  'with another source, model, provider, persona or usage' FROM f UNION ALL
SELECT 'a persona', messages, json_set(options, '$.persona', 'kim'),
  'with another source, model, provider, persona or usage' FROM f UNION ALL
SELECT 'other usage', messages, json_replace(options, '$.usage.output_tokens', 3),
  'with another source, model, provider, persona or usage' FROM f UNION ALL
SELECT 'another start', messages, json_replace(options, '$.started_at', 8),
  'with another source, model, provider, persona or usage' FROM f UNION ALL
SELECT 'another parent', messages, json_set(options, '$.parent', (SELECT id FROM made
  WHERE external_id = 'late')), 'below another parent' FROM f;
INSERT INTO other
SELECT 'the answer of another call', json_replace(messages, '$[0].tool_call_id', 'k9'), options,
  'with other messages' FROM first WHERE options ->> '$.external_id' = 'late';
SELECT what, error_of(printf('SELECT turn_append(''s'', %Q, %Q)', messages, options)),
  printf('turn_append: external_id ''%s'' was used before for turn %d, %s; use a new one',
    options ->> '$.external_id', id, why)
FROM other JOIN made ON external_id = options ->> '$.external_id';
SELECT 'from another session', error_of('SELECT turn_append(''new'', ''[{"role":"user","content":"one"}]'',
  ''{"external_id":"plain"}'')'), printf('turn_append: external_id ''plain'' was used before for turn %d, '
  || 'in another session; use a new one', id) FROM made WHERE external_id = 'plain';
SELECT 'what is no message at all is said first', error_of('SELECT turn_append(''s'', ''[3]'',
  ''{"external_id":"plain"}'')'), 'turn_append: messages[0] must be an object with role and content';
SELECT 'and an unknown parent', error_of('SELECT turn_append(''s'', ''[{"role":"user","content":"one"}]'',
  ''{"external_id":"plain","parent":"nobody"}'')'),
  'turn_append: parent: there is no turn with external_id ''nobody''';
SELECT 'turn_begin takes no id twice', error_of('SELECT turn_begin(''s'', ''A1'',
  ''{"messages":[{"role":"user","content":"one"}],"external_id":"plain"}'')'),
  'turn_begin: there is a turn with external_id ''plain'' already; use a new one';
SELECT 'nothing has changed', dump_of() = d, 1 FROM was;

-- Rewound: the turn is no longer on the path, so its answer would be no place to go on from.
SELECT session_rewind('s', id) FROM made WHERE external_id = 'plain';
SELECT 'the same after a rewind', error_of(printf('SELECT turn_append(''s'', %Q, %Q)', messages, options)),
  printf('turn_append: external_id ''full'' was used before for turn %d, and the session''s head is no '
  || 'longer at it or below it; use a new one', id) FROM first JOIN made
  ON external_id = options ->> '$.external_id' WHERE external_id = 'full';
SELECT 'with its parent too', error_of(printf('SELECT turn_append(''s'', %Q, %Q)', messages,
  json_set(options, '$.parent', 'plain'))), printf('turn_append: external_id ''full'' was used before for '
  || 'turn %d, and the session''s head is no longer at it or below it; use a new one', id)
  FROM first JOIN made ON external_id = options ->> '$.external_id' WHERE external_id = 'full';
SELECT 'an edited one', error_of(printf('SELECT turn_append(''s'', %Q, ''{"external_id":"full"}'')',
  '[{"role":"user","content":"list all"}]')) LIKE '%with other messages; use a new one', 1;
SELECT 'under a new id', turn_append('s', '[{"role":"user","content":"list all"}]',
  '{"external_id":"full, edited"}') <> id, 1 FROM made WHERE external_id = 'full';
SELECT 'what is still on the path', turn_append('s', '[{"role":"user","content":"one"}]',
  '{"external_id":"plain"}'), id FROM made WHERE external_id = 'plain';
-- A tree that is written with its parents can be written again, wherever the head is.
SELECT 'a sibling, by its parent', turn_append('s', messages, json_set(options, '$.parent', 'plain')), id
  FROM first JOIN made ON external_id = options ->> '$.external_id' WHERE external_id = 'full';

-- A fork shares turns, but it has not made them; what it makes itself it can repeat.
SELECT session_fork(id, 'branch') FROM made WHERE external_id = 'plain';
SELECT 'from a fork', error_of('SELECT turn_append(''branch'', ''[{"role":"user","content":"one"}]'',
  ''{"external_id":"plain"}'')') LIKE '%in another session; use a new one', 1;
CREATE TEMP TABLE forked AS SELECT turn_append('branch', '[{"role":"user","content":"two"}]',
  '{"external_id":"of the fork"}') AS id;
SELECT 'its own', turn_append('branch', '[{"role":"user","content":"two"}]',
  '{"external_id":"of the fork"}'), id FROM forked;
SELECT 'not from where it forked', error_of('SELECT turn_append(''s'',
  ''[{"role":"user","content":"two"}]'', ''{"external_id":"of the fork"}'')') LIKE '%in another session%', 1;

-- By another name, and after a merge.
SELECT session_alias('also', 's');
SELECT 'by an alias', turn_append('also', '[{"role":"user","content":"one"}]', '{"external_id":"plain"}'),
  id FROM made WHERE external_id = 'plain';
SELECT turn_append('dm:tg:7', '[{"role":"user","content":"hello"}]', '{"external_id":"of the loser"}');
SELECT turn_append('dm:ann', '[{"role":"user","content":"a"}]');
SELECT turn_append('dm:ann', '[{"role":"user","content":"b"}]');
SELECT identity_link('tg', '7', 'ann');
SELECT 'a merged session''s turn is not on the primary''s path', error_of('SELECT turn_append(''dm:tg:7'',
  ''[{"role":"user","content":"hello"}]'', ''{"external_id":"of the loser"}'')')
  LIKE '%the session''s head is no longer at it or below it; use a new one', 1;

-- Asleep or busy, the same once more is the same.
SELECT session_archive('branch');
SELECT 'archived', turn_append('branch', '[{"role":"user","content":"two"}]',
  '{"external_id":"of the fork"}'), id FROM forked;
SELECT 'and stays so', (SELECT status FROM sessions WHERE label = 'branch'), 'archived';
SELECT turn_begin('s', 'A1', '{"messages":[{"role":"user","content":"go"}]}');
SELECT 'while a run is live', turn_append('s', '[{"role":"user","content":"one"}]',
  '{"external_id":"plain"}'), id FROM made WHERE external_id = 'plain';

---- Calls of a run: a tool call's id and its result are taken once

CREATE TEMP TABLE run AS SELECT turn_begin('r', 'A1', '{"messages":[{"role":"user","content":"go"}]}') AS r;
CREATE TEMP TABLE live AS SELECT r ->> '$.turn' AS turn, r ->> '$.token' AS token FROM run;
SELECT turn_tool_call(turn, token, 'c1', 'ls', '{"p":1}') FROM live;
SELECT 'the same call', error_of(printf('SELECT turn_tool_call(%d, %d, ''c1'', ''ls'', ''{"p":1}'')', turn,
  token)), printf('turn_tool_call: turn %d holds a tool call ''c1'' already', turn) FROM live;
SELECT 'another call by its id', error_of(printf('SELECT turn_tool_call(%d, %d, ''c1'', ''rm'')', turn,
  token)), printf('turn_tool_call: turn %d holds a tool call ''c1'' already', turn) FROM live;
SELECT turn_tool_result(turn, token, 'c1', 'a.c') FROM live;
SELECT 'a second result', error_of(printf('SELECT turn_tool_result(%d, %d, ''c1'', ''b.c'')', turn, token)),
  'turn_tool_result: call_id: tool call ''c1'' has its result already, which is another one' FROM live;
SELECT 'the first stays', (SELECT result FROM tool_calls WHERE id = 'c1'), 'a.c';
SELECT turn_complete(turn, token, '{"content":"done"}') FROM live;
SELECT 'completed with something else', error_of(printf('SELECT turn_complete(%d, %d, ''{"content":"no"}'')',
  turn, token)) LIKE 'turn_complete: turn % is completed; nothing can be added to it', 1 FROM live;

---- Inputs: message_id

SELECT queue_push('q', 'tick', '{"message_id":"m1","source":"timer"}') > 0;
SELECT 'pushed once more', queue_push('q', 'tick', '{"message_id":"m1","source":"timer"}'),
  (SELECT id FROM session_queue WHERE session_label = 'q');
SELECT 'pushed with another text', error_of('SELECT queue_push(''q'', ''tock'',
  ''{"message_id":"m1","source":"timer"}'')'),
  'queue_push: message_id ''m1'' was used before for another message; use a new one';
SELECT 'delivered with another text', json_extract(session_deliver('q', 'tock', '{"message_id":"m1",
  "source":"timer"}'), '$.duplicate', '$.conflict'), '[true,true]';
SELECT 'what it says is not lost', (SELECT json_array(reason, detail, ref) FROM session_attention
  WHERE session_label = 'q'),
  '["refused_input","1 refused (message_id), the last from timer: tock",null]';
SELECT session_deliver('q', 'tack', '{"message_id":"m1","source":"timer","now":1000005}');
SELECT 'the second is counted', (SELECT json_array(since, detail) FROM session_attention
  WHERE session_label = 'q'), '[1000005,"2 refused (message_id), the last from timer: tack"]';
SELECT session_reopen('q');
SELECT 'until somebody has looked', (SELECT count(*) FROM session_attention WHERE session_label = 'q'), 0;

---- Labels and documents

SELECT 'a fork''s label', error_of('SELECT session_fork(16777216, ''branch'')') LIKE
  'session_fork: label ''branch'' is taken by a session%', 1;
SELECT session_spawn('s', 'look', '{"label":"worker:x"}');
SELECT 'a worker''s label', error_of('SELECT session_spawn(''s'', ''look again'', ''{"label":"worker:x"}'')')
  LIKE 'session_spawn: label ''worker:x'' is taken by a session%', 1;
CREATE TEMP TABLE doc AS SELECT session_export('r') AS d;
SELECT 'a document over its own session', error_of(printf('SELECT session_import(%Q)', d)) LIKE
  'session_import: label ''r'' is taken;%', 1 FROM doc;
SELECT 'a new label', session_import(d, '{"as":"r2"}') ->> '$.unchanged', 0 FROM doc;
SELECT 'the same document again', session_import(d, '{"as":"r2"}') ->> '$.unchanged', 1 FROM doc;
SELECT turn_append('r', '[{"role":"user","content":"more"}]');
SELECT 'another document', error_of(printf('SELECT session_import(%Q, ''{"as":"r2"}'')', session_export('r')))
  LIKE 'session_import: label ''r2'' is taken;%', 1;

SELECT 'the file is sound', (SELECT count(*) FROM turnstile_check), 0;
