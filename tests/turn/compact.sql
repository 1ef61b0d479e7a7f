-- compact.sql - turn_compact and session_needs_compaction: what is kept, what is recorded,
-- what is refused. What a context looks like afterwards is tested in context.sql.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

CREATE TEMP TABLE made(name TEXT PRIMARY KEY, result TEXT);
CREATE TEMP VIEW t(name, id) AS
  SELECT external_id, id FROM turns WHERE external_id IS NOT NULL
  UNION ALL SELECT name, result ->> '$.turn' FROM made;
CREATE TEMP TABLE run(name TEXT PRIMARY KEY, r);
CREATE TEMP VIEW live(name, turn, token) AS SELECT name, r ->> '$.turn', r ->> '$.token' FROM run;

-- A plain turn of 10 tokens.
CREATE TEMP VIEW say(label, name) AS SELECT NULL, NULL WHERE 0;
CREATE TEMP TRIGGER say_it INSTEAD OF INSERT ON say BEGIN
  INSERT INTO turnstile VALUES ('turn_append', json_array(NEW.label,
    json_array(json_object('role', 'user', 'content', NEW.name)),
    json_object('external_id', NEW.name, 'tokens', 10)));
END;

---- What it returns and records

INSERT INTO say VALUES ('s', 's1'), ('s', 's2'), ('s', 's3'), ('s', 's4'), ('s', 's5');
INSERT INTO turnstile VALUES ('turn_append', '["s",[{"role":"user","content":"s6"}],
  {"external_id":"s6","tokens":10,"resume_cursor":"thread_1"}]');
INSERT INTO made SELECT 'c1', turn_compact('s', 'the story', '{"keep_turns":2,
  "trigger":"periodic","focus":"the API","model":"small","provider":"p","duration_ms":1500,
  "usage":{"input_tokens":70,"output_tokens":9},"metadata":{"run": [1]},"now":1000009}');
SELECT 'the result', (SELECT json_group_array(key) FROM made, json_each(result) WHERE name = 'c1'),
  '["turn","first_kept_turn_id","summarized_through_turn_id","turns_summarized","turns_kept",'
  || '"tokens_before","tokens_after","moved"]';
SELECT 'its values', json_remove(result, '$.turn', '$.first_kept_turn_id',
    '$.summarized_through_turn_id', '$.moved'),
  '{"turns_summarized":4,"turns_kept":2,"tokens_before":60,"tokens_after":23}'
  FROM made WHERE name = 'c1';
SELECT 'its turns', json_array(result ->> '$.first_kept_turn_id' = (SELECT id FROM t
    WHERE t.name = 's5'), result ->> '$.summarized_through_turn_id' = (SELECT id FROM t
    WHERE t.name = 's4'), result ->> '$.moved'), '[1,1,0]' FROM made WHERE name = 'c1';
SELECT 'the turn', (SELECT json_array(turn_type, status, phase, on_path, parent_turn_id
    = (SELECT id FROM t WHERE name = 's6'), context_turn_id = id, external_id, completed_at, error)
  FROM turns WHERE id = result ->> '$.turn'),
  '["compaction","completed",null,1,1,1,null,1000009,null]' FROM made WHERE name = 'c1';
SELECT 'it joins the branch', (SELECT c.id - s6.id FROM t AS c, t AS s6
  WHERE c.name = 'c1' AND s6.name = 's6'), 1;
SELECT 'the record', (SELECT json_object('through', summarized_through_turn_id, 'kept',
    first_kept_turn_id, 'recovered', recovered_turn_id, 'n', turns_summarized, 'k', turns_kept,
    'type', compaction_type, 'trigger', "trigger", 'focus', focus, 'model', model, 'provider',
    provider, 'before', tokens_before, 'after', tokens_after, 'size', summary_tokens, 'in',
    summarization_input_tokens, 'out', summarization_output_tokens, 'ms', duration_ms, 'at',
    created_at, 'meta', json(metadata_json), 'summary', summary)
  FROM compactions WHERE turn_id = result ->> '$.turn'),
  json_object('through', (SELECT id FROM t WHERE t.name = 's4'), 'kept', (SELECT id FROM t
    WHERE t.name = 's5'), 'recovered', NULL, 'n', 4, 'k', 2, 'type', 'partial', 'trigger',
    'periodic', 'focus', 'the API', 'model', 'small', 'provider', 'p', 'before', 60, 'after', 23,
    'size', 3, 'in', 70, 'out', 9, 'ms', 1500, 'at', 1000009, 'meta', json('{"run":[1]}'),
    'summary', 'the story') FROM made WHERE name = 'c1';
SELECT 'the head moved to it', (SELECT thread_id FROM sessions WHERE label = 's'), id
  FROM t WHERE name = 'c1';
SELECT 'and the history tells', (SELECT reason || ' ' || changed_at FROM session_history
  WHERE session_label = 's' ORDER BY id DESC LIMIT 1), 'compact 1000009';
SELECT 'the provider''s thread is left', (SELECT resume_cursor FROM sessions WHERE label = 's'),
  NULL;
SELECT 'a compaction is no activity', (SELECT last_activity FROM sessions WHERE label = 's'),
  1000000;
SELECT 'the next turn knows its compaction', (turn_append('s', '[{"role":"user","content":"s7"}]',
  '{"external_id":"s7","tokens":10}') > 0) || (SELECT context_turn_id FROM turns
  WHERE external_id = 's7'), '1' || id FROM t WHERE name = 'c1';
SELECT 'nothing was deleted', (SELECT group_concat(ifnull(external_id, turn_type))
  FROM turn_path('s')), 's1,s2,s3,s4,s5,s6,compaction,s7';

-- The second of a session: before is what the context was.
INSERT INTO made SELECT 'c2', turn_compact('s', 'shorter', '{"keep_turns":1}');
SELECT 'the second', json_array(result ->> '$.turns_summarized', result ->> '$.turns_kept',
    result ->> '$.tokens_before', result ->> '$.tokens_after'), '[2,1,33,12]'
  FROM made WHERE name = 'c2';
SELECT 'by default it is manual', (SELECT json_array("trigger", focus, model, provider,
    summarization_input_tokens, duration_ms, metadata_json) FROM compactions
  WHERE turn_id = (SELECT id FROM t WHERE name = 'c2')), '["manual",null,null,null,null,null,null]';
-- That is the turn right above the first one kept: here the compaction before.
SELECT 'through which turn', result ->> '$.summarized_through_turn_id', (SELECT id FROM t
  WHERE t.name = 'c1') FROM made WHERE name = 'c2';
INSERT INTO made SELECT 'c3', turn_compact('s', 'all', '{"keep_turns":0}');
SELECT 'nothing kept', json_array(result ->> '$.first_kept_turn_id',
    result ->> '$.summarized_through_turn_id' = (SELECT id FROM t WHERE t.name = 'c2'),
    result ->> '$.turns_summarized', result ->> '$.turns_kept', result ->> '$.tokens_after'),
  '[null,1,1,0,1]' FROM made WHERE name = 'c3';
SELECT 'is full', (SELECT compaction_type FROM compactions WHERE turn_id = (SELECT id FROM t
  WHERE name = 'c3')), 'full';
INSERT INTO made SELECT 'c4', turn_compact('s', 'named', json_object('first_kept_turn_id',
  (SELECT id FROM t WHERE name = 's2')));
SELECT 'kept from further back', json_array(result ->> '$.first_kept_turn_id' = (SELECT id FROM t
    WHERE t.name = 's2'), result ->> '$.summarized_through_turn_id' = (SELECT id FROM t
    WHERE t.name = 's1'), result ->> '$.turns_summarized', result ->> '$.turns_kept',
    result ->> '$.tokens_before', result ->> '$.tokens_after'), '[1,1,1,6,1,62]'
  FROM made WHERE name = 'c4';

---- How much is kept

INSERT INTO say SELECT 'k', 'k' || value FROM json_each('[1,2,3,4,5,6]');
CREATE TEMP TABLE keep(label TEXT PRIMARY KEY, options, first, kept, summarized);
INSERT INTO keep VALUES
  ('turns 1', '{"keep_turns":1}', 'k6', 1, 5), ('turns 5', '{"keep_turns":5}', 'k2', 5, 1),
  ('turns 0', '{"keep_turns":0}', NULL, 0, 6),
  ('tokens 0', '{"keep_tokens":0}', NULL, 0, 6), ('tokens 9', '{"keep_tokens":9}', NULL, 0, 6),
  ('tokens 10', '{"keep_tokens":10}', 'k6', 1, 5), ('tokens 19', '{"keep_tokens":19}', 'k6', 1, 5),
  ('tokens 20', '{"keep_tokens":20}', 'k5', 2, 4), ('tokens 59', '{"keep_tokens":59}', 'k2', 5, 1),
  ('default', '{}', 'k4', 3, 3), ('no options', NULL, 'k4', 3, 3),
  ('limit 1', '{"model_limit":1}', NULL, 0, 6), ('limit 23', '{"model_limit":23}', NULL, 0, 6),
  ('limit 24', '{"model_limit":24}', 'k6', 1, 5), ('limit 48', '{"model_limit":48}', 'k5', 2, 4),
  ('limit 8000', '{"model_limit":8000}', 'k4', 3, 3),
  ('first k4', json_object('first_kept_turn_id', (SELECT id FROM t WHERE name = 'k4')), 'k4', 3, 3),
  ('first k6', json_object('first_kept_turn_id', (SELECT id FROM t WHERE name = 'k6')), 'k6', 1, 5);
INSERT INTO turnstile SELECT 'session_fork', json_array(id, label) FROM t, keep WHERE t.name = 'k6';
INSERT INTO made SELECT label, turn_compact(label, 'four', options) FROM keep;
SELECT label, json_array(result ->> '$.first_kept_turn_id', result ->> '$.turns_kept',
    result ->> '$.turns_summarized', result ->> '$.tokens_before', result ->> '$.tokens_after'),
  json_array((SELECT id FROM t WHERE t.name = first), kept, summarized, 60, kept * 10 + 1)
  FROM keep JOIN made ON made.name = label;
SELECT label || ': type', (SELECT compaction_type FROM compactions JOIN sessions
  ON thread_id = turn_id WHERE sessions.label = keep.label), iif(kept, 'partial', 'full') FROM keep;
SELECT label || ': through', result ->> '$.summarized_through_turn_id', (SELECT id FROM t
  WHERE t.name = iif(summarized, 'k' || summarized, NULL)) FROM keep JOIN made ON name = label;

SELECT 'all is kept: ' || column1, error_of('SELECT turn_compact(''k'', ''x'', ' || quote(column1)
    || ')'),
  'turn_compact: the summary would stand for no turn: all that the context shows is kept; keep less'
FROM (VALUES ('{"keep_turns":6}'), ('{"keep_turns":9007199254740991}'), ('{"keep_tokens":60}'),
  ('{"keep_tokens":9007199254740991}'),
  (json_object('first_kept_turn_id', (SELECT id FROM t WHERE name = 'k1'))));
SELECT 'model_limit ' || column1, error_of(printf('SELECT turn_compact(''k'', ''x'',
    ''{"model_limit":%s}'')', column1)) LIKE 'turn_compact: model_limit ' || column2, 1
FROM (VALUES (0, 'is 0; it must be a number of tokens from 1 to 2^43 - 1'), (-1, 'is -1; %'),
  (9007199254740991, 'is 9007199254740991; it must be a number of tokens from 1 to %'),
  ('"8k"', 'must be an integer%'));
-- What session_needs_compaction asks for, the default does, however small the model is.
INSERT INTO turnstile SELECT 'session_fork', json_array(t.id, 'small ' || value)
  FROM t, json_each('[20,40,70]') WHERE t.name = 'k6';
SELECT 'a small model needs it: ' || value, session_needs_compaction('small ' || value, value), 1
  FROM json_each('[20,40,70]');
SELECT turn_compact('small ' || value, 'four', json_object('model_limit', value)) > ''
  FROM json_each('[20,40]');
SELECT turn_compact('small 70', 'four') > '';
SELECT 'and then no longer: ' || value, session_needs_compaction('small ' || value, value), 0
  FROM json_each('[20,40,70]');

---- Settings

SELECT 'compaction_keep_tokens', turnstile_config('compaction_keep_tokens'), 20000;
SELECT 'compaction_threshold', turnstile_config('compaction_threshold'), 85;
SELECT turnstile_config('compaction_keep_tokens', 30);
INSERT INTO turnstile SELECT 'session_fork', json_array(t.id, value)
  FROM t, json_each('["d1","d2"]') WHERE t.name = 'k6';
INSERT INTO made SELECT 'd1', turn_compact('d1', 'four');
SELECT 'the default is the setting', result ->> '$.turns_kept', 3 FROM made WHERE name = 'd1';
SELECT turnstile_config('compaction_keep_tokens', 20, '{"session":"d2"}');
INSERT INTO made SELECT 'd2', turn_compact('d2', 'four');
SELECT 'or the session''s own', result ->> '$.turns_kept', 2 FROM made WHERE name = 'd2';
SELECT turnstile_config('compaction_keep_tokens', NULL, '{"reset":1}');
CREATE TEMP TABLE setting(key, value);
INSERT INTO setting VALUES ('compaction_threshold', 0), ('compaction_threshold', 101),
  ('compaction_threshold', -1), ('compaction_threshold', '85%'), ('compaction_threshold', 0.85),
  ('compaction_keep_tokens', -1), ('compaction_keep_tokens', 'many'),
  ('compaction_keep_tokens', 1.5);
SELECT key || ' = ' || quote(value) || ' is refused', error_of(printf(
  'SELECT turnstile_config(%Q, %s)', key, quote(value)))
  LIKE 'turnstile_config: ' || key || ' is %', 1 FROM setting;
SELECT 'compaction_threshold = 1', turnstile_config('compaction_threshold', 1), 1;
SELECT 'compaction_threshold = 100', turnstile_config('compaction_threshold', 100), 100;
SELECT turnstile_config('compaction_threshold', NULL, '{"reset":1}');
SELECT 'compaction_keep_tokens = 0', turnstile_config('compaction_keep_tokens', 0), 0;
SELECT turnstile_config('compaction_keep_tokens', NULL, '{"reset":1}');

---- session_needs_compaction: more than 85 % of the limit

INSERT INTO turnstile VALUES
  ('turn_append', '["n",[{"role":"user","content":"x"}],{"tokens":800}]'),
  ('turn_append', '["n",[{"role":"user","content":"x"}],{"tokens":50,"external_id":"n2"}]');
CREATE TEMP TABLE need(name, limit_, extra, needed);
INSERT INTO need VALUES
  ('exactly at it', 1000, NULL, 0), ('one token of room less', 999, NULL, 1),
  ('far below', 100000, NULL, 0), ('one token more', 1000, 1, 1), ('no extra tokens', 1000, 0, 0),
  ('a limit of 1', 1, NULL, 1), ('extra tokens alone', 100000, 84151, 1),
  ('extra tokens at it', 100000, 84150, 0), ('large numbers', 8796093022207, 8796093022207, 1),
  ('a large limit', 8796093022207, NULL, 0),
  ('large extra tokens', 8796093022207, 7476679068026, 1),
  ('large extra tokens at it', 8796093022207, 7476679068025, 0);
SELECT name, session_needs_compaction('n', limit_, extra), needed FROM need;
SELECT 'by the door', value_of('INSERT INTO turnstile VALUES (''session_needs_compaction'',
  ''["n",999]'') RETURNING turnstile_result()'), 1;
SELECT 'two arguments', session_needs_compaction('n', 999), 1;
SELECT 'a session without turns', (session_start('empty', 'x') > 0)
  || session_needs_compaction('empty', 1000), '10';
SELECT 'extra tokens in one without turns', session_needs_compaction('empty', 1000, 851), 1;
SELECT turnstile_config('compaction_threshold', 50, '{"session":"n"}');
SELECT 'another threshold', session_needs_compaction('n', 1700), 0;
SELECT 'and just above', session_needs_compaction('n', 1699), 1;
SELECT turnstile_config('compaction_threshold', NULL, '{"session":"n","reset":1}');
SELECT 'no limit', error_of('SELECT session_needs_compaction(''n'')'),
  'session_needs_compaction: model_limit is missing';
SELECT 'a limit of 0', error_of('SELECT session_needs_compaction(''n'', 0)')
  LIKE 'session_needs_compaction: model_limit is 0; it must be %', 1;
SELECT 'a limit beyond all models', error_of('SELECT session_needs_compaction(''n'',
  9007199254740991)') LIKE 'session_needs_compaction: model_limit is 9007199254740991; %', 1;
SELECT 'a negative limit', error_of('SELECT session_needs_compaction(''n'', -1)')
  LIKE 'session_needs_compaction: model_limit is -1;%', 1;
SELECT 'negative extra tokens', error_of('SELECT session_needs_compaction(''n'', 1000, -1)')
  LIKE 'session_needs_compaction: extra_tokens is -1;%', 1;
SELECT 'a limit in words', error_of('SELECT session_needs_compaction(''n'', ''8k'')')
  LIKE 'session_needs_compaction: model_limit must be an integer%', 1;
SELECT 'an unknown session', error_of('SELECT session_needs_compaction(''nobody'', 1000)')
  LIKE 'session_needs_compaction: there is no session ''nobody''%', 1;
INSERT INTO turnstile VALUES ('turn_compact', '["n","four",{"keep_turns":1}]');
SELECT 'after a compaction', session_needs_compaction('n', 60), 0;
SELECT 'the summary counts', session_needs_compaction('n', 59), 1;
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT session_needs_compaction('n', 60);
SELECT 'asking changes nothing', dump_of() = d, 1 FROM was;
INSERT INTO turnstile VALUES
  ('turn_append', '["n2",[{"role":"user","content":"x"}],{"tokens":800}]');
INSERT INTO run SELECT 'n2', turn_begin('n2', 'A1', json_object('messages',
  json_array(json_object('role', 'user', 'content', printf('%.204c', 'x')))));
SELECT 'a live run''s turn counts', session_needs_compaction('n2', 1000), 1;

---- Refusals

INSERT INTO turnstile VALUES ('session_start', '["none","x"]');
INSERT INTO say VALUES ('r', 'r1'), ('r', 'r2'), ('r', 'r3');
INSERT INTO run SELECT 'failed', turn_begin('r', 'A1', '{"external_id":"rf",
  "messages":[{"role":"user","content":"x"}]}');
SELECT turn_fail(turn, token, 'e') FROM live WHERE name = 'failed';
INSERT INTO made SELECT 'rc', turn_compact('r', 's', '{"keep_turns":2}');
CREATE TEMP TABLE refused(options, message);
INSERT INTO refused
  SELECT '{"keep_turns":-1}', 'keep_turns is -1; it must be from 0 to %'
  UNION ALL SELECT '{"keep_turns":"2"}', 'keep_turns must be %'
  UNION ALL SELECT '{"keep_turns":1.5}', 'keep_turns must be %'
  UNION ALL SELECT '{"keep_tokens":-1}', 'keep_tokens is -1; it must be from 0 to %'
  UNION ALL SELECT '{"keep_turns":1,"keep_tokens":1}', '%keep_turns%keep_tokens%'
  UNION ALL SELECT '{"keep_turns":0,"keep_tokens":0}', '%keep_turns%keep_tokens%'
  UNION ALL SELECT json_object('keep_turns', 1, 'first_kept_turn_id', id),
    '%keep_turns%first_kept_turn_id%' FROM t WHERE name = 'r2'
  UNION ALL SELECT json_object('keep_tokens', 1, 'first_kept_turn_id', id),
    '%keep_tokens%first_kept_turn_id%' FROM t WHERE name = 'r2'
  UNION ALL SELECT '{"first_kept_turn_id":99}', '%99%'
  UNION ALL SELECT '{"first_kept_turn_id":-1}', 'first_kept_turn_id is -1; %'
  UNION ALL SELECT '{"first_kept_turn_id":"r2"}', 'first_kept_turn_id must be %'
  UNION ALL SELECT json_object('first_kept_turn_id', id), '%' || id || '%path%' FROM t
    WHERE name = 'k1'
  UNION ALL SELECT json_object('first_kept_turn_id', id), '%' || id || '%' FROM t WHERE name = 'rf'
  UNION ALL SELECT json_object('first_kept_turn_id', id), '%' || id || '%compaction%' FROM t
    WHERE name = 'rc'
  UNION ALL SELECT '{"trigger":"boredom"}', 'trigger is ''boredom''; it must be one of: %manual%'
  UNION ALL SELECT '{"trigger":"overflow_recovery"}', '%overflow_recovery%turn%token%'
  UNION ALL SELECT '{"turn":16777216}', '%token%'
  UNION ALL SELECT '{"token":1}', '%turn%'
  UNION ALL SELECT '{"turn":16777216,"token":1}', '%16777216%'
  UNION ALL SELECT '{"turn":99,"token":1}', 'there is no turn 99%'
  UNION ALL SELECT json_object('turn', turn, 'token', token), '%' || turn || '%failed%' FROM live
    WHERE name = 'failed'
  UNION ALL SELECT json_object('turn', turn, 'token', token), '%' FROM live WHERE name = 'n2'
  UNION ALL SELECT '{"usage":{"total":5}}', 'usage%total%'
  UNION ALL SELECT '{"usage":{"input_tokens":-5}}', 'usage%input_tokens%'
  UNION ALL SELECT '{"duration_ms":-1}', 'duration_ms is -1; %'
  UNION ALL SELECT '{"metadata":"{"}', 'metadata %JSON%'
  UNION ALL SELECT '{"model":""}', 'model is empty'
  UNION ALL SELECT '{"kept":1}', 'unknown option ''kept''; it takes: %keep_turns%';
SELECT 'refused: ' || options, iif(error_of(e) LIKE 'turn_compact: ' || message, message,
    ifnull(error_of(e), '(no error)')), message
  FROM (SELECT *, printf('SELECT turn_compact(''r'', ''s'', %Q)', options) AS e FROM refused);
SELECT 'a session without turns', error_of('SELECT turn_compact(''none'', ''s'')')
  LIKE 'turn_compact: %''none''%', 1;
SELECT 'an unknown session', error_of('SELECT turn_compact(''nobody'', ''s'')')
  LIKE 'turn_compact: there is no session ''nobody''%', 1;
SELECT 'no summary', error_of('SELECT turn_compact(''r'')'), 'turn_compact: summary is missing';
SELECT 'an empty summary', error_of('SELECT turn_compact(''r'', '''')')
  LIKE 'turn_compact: summary is empty%', 1;
SELECT 'a blank summary', error_of('SELECT turn_compact(''r'', ''  '')')
  LIKE 'turn_compact: summary is empty%', 1;
SELECT 'no label', error_of('SELECT turn_compact(NULL, ''s'')'), 'turn_compact: label is missing';
SELECT 'a head that has been compacted can be again', (turn_compact('r', 's', '{"keep_turns":1}')
  ->> '$.turns_kept'), 1;

---- While a run is live

INSERT INTO say VALUES ('l', 'l1'), ('l', 'l2'), ('l', 'l3');
INSERT INTO turnstile VALUES ('turn_append', '["l",[{"role":"user","content":"l4"}],
  {"external_id":"l4","tokens":10,"resume_cursor":"thread_1"}]');
INSERT INTO run SELECT 'l', turn_begin('l', 'A1', '{"messages":[{"role":"user","content":"q"}],
  "lease":"60s","external_id":"l5"}');
SELECT 'without its turn', error_of('SELECT turn_compact(''l'', ''s'')')
  LIKE 'turn_compact: %''l''%''A1''%', 1;
SELECT 'with a wrong token', error_of(printf('SELECT turn_compact(''l'', ''s'',
  ''{"turn":%d,"token":%d}'')', turn, token + 1)) LIKE 'turn_compact: %token%', 1
  FROM live WHERE name = 'l';
SELECT 'of another session', error_of(printf('SELECT turn_compact(''k'', ''s'',
  ''{"turn":%d,"token":%d}'')', turn, token)) LIKE 'turn_compact: %', 1 FROM live WHERE name = 'l';
INSERT INTO made SELECT 'lc', turn_compact('l', 'lost', json_object('turn', turn, 'token', token,
  'trigger', 'overflow_recovery', 'keep_turns', 2, 'now', 1030000)) FROM live WHERE name = 'l';
SELECT 'its turn and token', json_array(result ->> '$.turns_summarized', result ->> '$.turns_kept',
    result ->> '$.first_kept_turn_id' = (SELECT id FROM t WHERE t.name = 'l3'),
    result ->> '$.summarized_through_turn_id' = (SELECT id FROM t WHERE t.name = 'l2')),
  '[2,2,1,1]' FROM made WHERE name = 'lc';
SELECT 'it lies beside the running turn', (SELECT json_array(parent_turn_id = (SELECT id FROM t
    WHERE name = 'l4'), on_path, status, turn_type) FROM turns WHERE id = result ->> '$.turn'),
  '[1,1,"completed","compaction"]' FROM made WHERE name = 'lc';
SELECT 'and says for whom', (SELECT json_array(recovered_turn_id = (SELECT id FROM t
    WHERE t.name = 'l5'), "trigger") FROM compactions WHERE turn_id = result ->> '$.turn'),
  '[1,"overflow_recovery"]' FROM made WHERE name = 'lc';
SELECT 'the running turn begins with it', (SELECT context_turn_id FROM turns
  WHERE external_id = 'l5'), result ->> '$.turn' FROM made WHERE name = 'lc';
SELECT 'the head is where it was', (SELECT name FROM t JOIN sessions ON thread_id = id
  WHERE label = 'l'), 'l4';
SELECT 'the provider''s thread is left here too', (SELECT resume_cursor FROM sessions
  WHERE label = 'l'), NULL;
SELECT 'no history of it', (SELECT group_concat(reason) FROM session_history
  WHERE session_label = 'l'), 'append,append,append,append';
SELECT 'the lease was renewed', (SELECT expires_at > 1060000 FROM session_runs
  WHERE session_label = 'l'), 1;
SELECT 'overflow recovery works once', error_of(printf('SELECT turn_compact(''l'', ''s'',
  ''{"turn":%d,"token":%d,"trigger":"overflow_recovery","keep_turns":0}'')', turn, token))
  LIKE 'turn_compact: turn ' || turn || ' has recovered from an overflow already%', 1
  FROM live WHERE name = 'l';
SELECT 'a compaction for another reason can follow', turn_compact('l', 'lost', json_object('turn',
    turn, 'token', token, 'trigger', 'context_limit', 'keep_turns', 1)) ->> '$.turns_kept', 1
  FROM live WHERE name = 'l';
SELECT 'but recovery still works once', error_of(printf('SELECT turn_compact(''l'', ''s'',
  ''{"turn":%d,"token":%d,"trigger":"overflow_recovery","keep_turns":0}'')', turn, token))
  LIKE 'turn_compact: turn ' || turn || ' has recovered from an overflow already%', 1
  FROM live WHERE name = 'l';
SELECT 'the turn completes', json_valid(turn_complete(turn, token, '{"content":"a"}')), 1
  FROM live WHERE name = 'l';
SELECT 'and is the head', (SELECT name FROM t JOIN sessions ON thread_id = id
  WHERE label = 'l'), 'l5';
SELECT 'its parent is the turn before, not the compaction', (SELECT group_concat(
    ifnull(external_id, turn_type)) FROM turn_path('l')), 'l1,l2,l3,l4,l5';
INSERT INTO run SELECT 'l2', turn_begin('l', 'A1', '{"messages":[{"role":"user","content":"q"}],
  "external_id":"l6"}');
SELECT 'the next turn may recover once too', turn_compact('l', 's', json_object('turn', turn,
  'token', token, 'trigger', 'overflow_recovery', 'keep_turns', 1)) ->> '$.turns_kept', 1
  FROM live WHERE name = 'l2';
SELECT turn_abort(turn, token, 'x') FROM live WHERE name = 'l2';
SELECT 'afterwards anyone can', turn_compact('l', 's', '{"keep_turns":0}') ->> '$.turns_summarized', 1;
-- Once per input, too: the next attempt begins with the summary, and when that does not help the input
-- fails, with what the provider said.
INSERT INTO say VALUES ('over', 'ov1'), ('over', 'ov2'), ('over', 'ov3');
SELECT session_deliver('over', 'build a very long wall', '{"message_id":"over"}') > '';
INSERT INTO run SELECT 'over1', turn_begin('over', 'A1');
SELECT 'one input: recovers', turn_compact('over', 'story', json_object('turn', turn, 'token', token,
  'trigger', 'overflow_recovery', 'keep_turns', 1)) ->> '$.turns_kept', 1 FROM live WHERE name = 'over1';
SELECT 'one input: the first attempt', (SELECT group_concat(content) FROM session_context('over')),
  'story,ov3,build a very long wall';
SELECT turn_fail(turn, token, 'still too long') FROM live WHERE name = 'over1';
SELECT 'one input: in between', (SELECT group_concat(content) FROM session_context('over')), 'story,ov3';
INSERT INTO run SELECT 'over2', turn_begin('over', 'A1');
SELECT 'one input: the second begins with the summary', (SELECT group_concat(content)
  FROM session_context('over')), 'story,ov3,build a very long wall';
SELECT 'one input: and does not recover again', error_of(printf('SELECT turn_compact(''over'', ''s'',
  ''{"turn":%d,"token":%d,"trigger":"overflow_recovery","keep_turns":0}'')', turn, token)),
  'turn_compact: an earlier turn with an input of turn ' || turn
  || ' has recovered from an overflow already; fail it instead' FROM live WHERE name = 'over2';
SELECT turn_fail(turn, token, 'too long by 7 tokens') FROM live WHERE name = 'over2';
INSERT INTO run SELECT 'over3', turn_begin('over', 'A1');
SELECT 'one input: nor the third', error_of(printf('SELECT turn_compact(''over'', ''s'',
  ''{"turn":%d,"token":%d,"trigger":"overflow_recovery","keep_turns":0}'')', turn, token))
  LIKE '%has recovered from an overflow already; fail it instead', 1 FROM live WHERE name = 'over3';
SELECT turn_fail(turn, token, 'too long by 9 tokens') FROM live WHERE name = 'over3';
SELECT 'one input: the last reason is shown', (SELECT status || ': ' || error FROM session_queue
  WHERE session_label = 'over'), 'failed: too long by 9 tokens';
INSERT INTO run SELECT 'over4', turn_begin('over', 'A1',
  '{"messages":[{"role":"user","content":"something else"}]}');
SELECT 'another input may', turn_compact('over', 'shorter', json_object('turn', turn, 'token', token,
  'trigger', 'overflow_recovery', 'keep_turns', 0)) ->> '$.turns_summarized', 1
  FROM live WHERE name = 'over4';
SELECT turn_fail(turn, token, 'x') FROM live WHERE name = 'over4';

-- The first turn of a session has nothing beside it.
INSERT INTO run SELECT 'first', turn_begin('first', 'A1',
  '{"messages":[{"role":"user","content":"q"}]}');
SELECT 'a first turn has nothing to summarise', error_of(printf('SELECT turn_compact(''first'',
  ''s'', ''{"turn":%d,"token":%d,"trigger":"overflow_recovery"}'')', turn, token))
  LIKE 'turn_compact: %', 1 FROM live WHERE name = 'first';
-- A lease that has run out is no live run.
INSERT INTO say VALUES ('x', 'x1'), ('x', 'x2');
INSERT INTO run SELECT 'x', turn_begin('x', 'A1', '{"messages":[{"role":"user","content":"q"}],
  "lease":"1s"}');
SELECT 'a lease that has run out', turn_compact('x', 's', '{"keep_turns":1,"now":1001000}')
  ->> '$.turns_kept', 1;

---- A call and its result on two sides of the boundary

INSERT INTO say VALUES ('p', 'p1'), ('p', 'p2'), ('p', 'p3'), ('p', 'p4');
INSERT INTO turnstile VALUES
  ('turn_append', '["p",[{"role":"assistant","tool_calls":[{"id":"k1","name":"push"}]}],
    {"external_id":"p5","tokens":10}]'),
  ('turn_append', '["p",[{"role":"tool","tool_call_id":"k1","content":"ok"}],
    {"external_id":"p6","tokens":10}]');
INSERT INTO say VALUES ('p', 'p7'), ('p', 'p8');
INSERT INTO turnstile SELECT 'session_fork', json_array(t.id, value) FROM t,
  json_each('["by turns","by tokens","by name","all"]') WHERE t.name = 'p8';
INSERT INTO made SELECT 'by turns', turn_compact('by turns', 's', '{"keep_turns":3}');
INSERT INTO made SELECT 'by tokens', turn_compact('by tokens', 's', '{"keep_tokens":35}');
INSERT INTO made SELECT 'by name', turn_compact('by name', 's', json_object('first_kept_turn_id',
  (SELECT id FROM t WHERE name = 'p6')));
SELECT 'moved back, ' || name, json_array(result ->> '$.moved', result ->> '$.turns_kept',
    result ->> '$.turns_summarized', result ->> '$.first_kept_turn_id' = (SELECT id FROM t
    WHERE t.name = 'p5'), result ->> '$.summarized_through_turn_id' = (SELECT id FROM t
    WHERE t.name = 'p4'), result ->> '$.tokens_after'), '[1,4,4,1,1,41]'
  FROM made WHERE name IN ('by turns', 'by tokens', 'by name');
SELECT 'and so recorded, ' || name, (SELECT json_array(turns_kept, turns_summarized,
    first_kept_turn_id = (SELECT id FROM t WHERE t.name = 'p5')) FROM compactions
  WHERE turn_id = result ->> '$.turn'), '[4,4,1]'
  FROM made WHERE name IN ('by turns', 'by tokens', 'by name');
-- An open call holds nothing back.
INSERT INTO turnstile VALUES ('turn_append', '["o",[{"role":"assistant",
  "tool_calls":[{"id":"k","name":"push"}]}],{"external_id":"o1"}]');
INSERT INTO say VALUES ('o', 'o2'), ('o', 'o3');
SELECT 'an open call', json_extract(turn_compact('o', 's', '{"keep_turns":1}'), '$.moved',
  '$.turns_kept'), json_array(json('false'), 1);

---- T04: a tool call and its result on two sides of a compaction boundary

INSERT INTO say VALUES ('T04', 'T1'), ('T04', 'T2'), ('T04', 'T3'), ('T04', 'T4');
INSERT INTO turnstile VALUES
  ('turn_append', '["T04",[{"role":"user","content":"T5"},{"role":"assistant",
    "tool_calls":[{"id":"k1","name":"push"}]}],{"external_id":"T5","tokens":10}]'),
  ('turn_append', '["T04",[{"role":"tool","tool_call_id":"k1","content":"r1"}],
    {"external_id":"T6","tokens":10}]');
INSERT INTO say VALUES ('T04', 'T7'), ('T04', 'T8');
INSERT INTO made SELECT 'T04', turn_compact('T04', 'through T5', json_object('first_kept_turn_id',
  (SELECT id FROM t WHERE name = 'T6')));
SELECT 'T04, after 1: it says that it moved', json_array(result ->> '$.moved',
    result ->> '$.first_kept_turn_id' = (SELECT id FROM t WHERE t.name = 'T5')), '[1,1]'
  FROM made WHERE name = 'T04';
SELECT 'T04, after 1: the context for T9', (SELECT group_concat(kind || ' ' || content, ', ')
  FROM session_context('T04')),
  'summary through T5, message T5, tool_call {}, tool_result r1, message T7, message T8';
INSERT INTO say VALUES ('T04', 'T9');
INSERT INTO turnstile VALUES
  ('turn_append', '["T04",[{"role":"assistant","tool_calls":[{"id":"k2","name":"push"}]}],
    {"external_id":"T10","tokens":10}]'),
  ('turn_append', '["T04",[{"role":"tool","tool_call_id":"k2","content":"r2"}],
    {"external_id":"T11","tokens":10}]');
INSERT INTO say VALUES ('T04', 'T12');
INSERT INTO turnstile SELECT 'session_fork', json_array(thread_id, 'T04 ' || value)
  FROM sessions, json_each('["before","between"]') WHERE label = 'T04';
SELECT turn_compact('T04 before', 'newest', '{"keep_turns":6}');
SELECT turn_compact('T04 between', 'newest', '{"keep_turns":2}');
SELECT 'T04, after 3: one leading summary', (SELECT group_concat(kind || ' ' || content, ', ')
  FROM session_context('T04 before')), 'summary newest, '
  || 'message T7, message T8, message T9, tool_call {}, tool_result r2, message T12';
SELECT 'T04, after 3: k2 and r2 both kept', (SELECT group_concat(kind || ' ' || content, ', ')
  FROM session_context('T04 between')),
  'summary newest, tool_call {}, tool_result r2, message T12';
SELECT 'T04, at the end: ' || label, (SELECT group_concat(external_id) FROM turn_path(label)
  WHERE turn_type = 'normal'), 'T1,T2,T3,T4,T5,T6,T7,T8,T9,T10,T11,T12'
  FROM sessions WHERE label GLOB 'T04 *';

---- T07: a message arrives while the conversation is being compacted

INSERT INTO say SELECT 'T07', 'U' || value FROM
  (WITH RECURSIVE n(value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM n LIMIT 30)
   SELECT value FROM n);
INSERT INTO turnstile SELECT 'session_fork', json_array(thread_id, 'T07 fails') FROM sessions
  WHERE label = 'T07';
-- The summary is being written elsewhere; two messages come. Nothing of them is a turn yet.
SELECT 'T07, after 2: ' || value, session_deliver(value, 'use the new logo',
    '{"class":"NewTask","message_id":"m1"}') ->> '$.action' IN ('start', 'queue'), 1
  FROM json_each('["T07","T07 fails"]');
SELECT session_deliver(value, 'done', '{"source":"agent","sender":"worker:1","message_id":"w1"}')
  FROM json_each('["T07","T07 fails"]');
INSERT INTO made SELECT 'T07', turn_compact('T07', 'thirty turns', '{"keep_turns":2}');
SELECT 'T07, after 4: the summary knows nothing of them', (SELECT group_concat(content, ', ')
  FROM session_context('T07')), 'thirty turns, U29, U30';
INSERT INTO run SELECT 'T07', turn_begin('T07', 'A2', '{"external_id":"U31",
  "messages":[{"role":"user","content":"use the new logo"}]}');
SELECT 'T07, after 5: the context for m1', (SELECT group_concat(content, ', ')
  FROM session_context('T07')), 'thirty turns, U29, U30, use the new logo';
SELECT 'T07, after 5: no stale writer', json_valid(turn_complete(turn, token,
  '{"content":"done"}')), 1 FROM live WHERE name = 'T07';
SELECT 'T07, after 5: the parent is the compaction', (SELECT parent_turn_id FROM turns
  WHERE external_id = 'U31'), id FROM t WHERE name = 'T07';
INSERT INTO run SELECT 'T07 fails', turn_begin('T07 fails', 'A2',
  '{"messages":[{"role":"user","content":"use the new logo"}]}');
SELECT 'T07, variant: without a compaction', r ->> '$.parent', id FROM run, t
  WHERE run.name = 'T07 fails' AND t.name = 'U30';

---- A begin for compactions

INSERT INTO say VALUES ('cb', 'cb1'), ('cb', 'cb2'), ('cb', 'cb3');
SELECT session_start('cb', 'add retries') > 0;
SELECT 'begin: handed over', session_deliver('cb', '/compact the API') ->> '$.action', 'compact';
INSERT INTO run SELECT 'cb', turn_compact_begin('cb', 'A1', '{"lease":"60s"}');
SELECT 'begin: the result', (SELECT json_group_array(key) FROM run, json_each(r) WHERE name = 'cb'),
  '["turn","token","session","parent","expires_at","resume_cursor","summarization_model","messages"]';
SELECT 'begin: what asked for it', json_extract(r, '$.messages[0].action', '$.messages[0].focus',
  '$.expires_at'), '["compact","the API",1060000]' FROM run WHERE name = 'cb';
SELECT 'begin: the turn', (SELECT json_array(turn_type, status, phase, on_path, context_turn_id)
  FROM turns WHERE id = turn), '["compaction","running","compacting",0,null]' FROM live
  WHERE name = 'cb';
SELECT 'begin: what there is to summarise', (SELECT group_concat(content)
  FROM session_context('cb')), 'cb1,cb2,cb3';
SELECT 'begin: the file is sound', (SELECT group_concat(rule) FROM turnstile_check), NULL;
-- What comes meanwhile waits, whatever it is; a stop takes back what its sender has waiting, and leaves the run alone.
SELECT 'begin: ' || column1, json_extract(session_deliver('cb', column1, column2), '$.action',
  '$.state'), '["queue","Running"]'
FROM (VALUES ('make it five', '{"class":"Modification","mode":"interrupt"}'),
  ('forget it', '{"class":"Abandon"}'), ('now something else', '{"class":"NewTask"}'),
  ('backup done', '{"source":"timer","mode":"steer"}'), ('/compact', '{}'));
SELECT 'begin: nobody else gets the session: ' || column1, error_of(column1) LIKE '%is busy%', 1
FROM (VALUES ('SELECT turn_begin(''cb'', ''A2'')'), ('SELECT turn_compact_begin(''cb'', ''A2'')'),
  ('SELECT turn_compact(''cb'', ''x'')'),
  ('SELECT turn_append(''cb'', ''[{"role":"user","content":"x"}]'')'));
SELECT 'begin: it holds no messages: ' || column1, error_of('SELECT ' || column1 || '(' || turn
    || ',' || token || column2 || ')'), column1 || ': turn ' || turn
  || ' is a compaction: turn_compact ends it with a summary, turn_complete without'
FROM live JOIN (VALUES ('turn_message', ', ''{"role":"user","content":"x"}'''),
  ('turn_tool_call', ', ''k'', ''x'''), ('turn_tool_result', ', ''k'', ''x'''),
  ('turn_steering', ''), ('turn_complete', ', ''{"content":"x"}''')) WHERE name = 'cb';
SELECT 'begin: a heartbeat', turn_heartbeat(turn, token, '{"lease":"90s"}') ->> '$.expires_at', 1090000
  FROM live WHERE name = 'cb';
SELECT 'begin: no overflow', error_of(printf('SELECT turn_compact(''cb'', ''x'',
  ''{"turn":%d,"token":%d,"trigger":"overflow_recovery"}'')', turn, token))
  LIKE 'turn_compact: trigger overflow_recovery is for a turn of messages; turn % is a compaction', 1
  FROM live WHERE name = 'cb';
INSERT INTO made SELECT 'cb', turn_compact('cb', 'retries', json_object('turn', turn, 'token', token,
  'keep_turns', 1)) FROM live WHERE name = 'cb';
SELECT 'begin: the end', json_array(result ->> '$.turn' = turn, result ->> '$.turns_summarized',
  result ->> '$.waiting'), '[1,2,4]' FROM made JOIN live USING (name) WHERE name = 'cb';
SELECT 'begin: the context', (SELECT group_concat(content) FROM session_context('cb')), 'retries,cb3';
SELECT 'begin: it is the head', thread_id, turn FROM sessions JOIN live ON name = label
  WHERE label = 'cb';
SELECT 'begin: its record', (SELECT json_array(recovered_turn_id, summary) FROM compactions
  WHERE turn_id = turn), '[null,"retries"]' FROM live WHERE name = 'cb';
SELECT 'begin: the run is over', (SELECT json_array(run_state, turn_id, expires_at) FROM session_runs
  WHERE session_label = 'cb'), '["ready",null,null]';
SELECT 'begin: what asked for it is done with', (SELECT status || turn_id FROM session_queue
  WHERE session_label = 'cb' AND message LIKE '%API'), 'delivered' || turn FROM live WHERE name = 'cb';
SELECT 'begin: it ends once', error_of(printf('SELECT turn_compact(''cb'', ''x'',
  ''{"turn":%d,"token":%d}'')', turn, token)) LIKE 'turn_compact: turn % is completed%', 1
  FROM live WHERE name = 'cb';
-- A "/compact" in the queue is taken as a compaction too: no model reads it as words.
INSERT INTO say VALUES ('cq', 'cq1'), ('cq', 'cq2');
SELECT queue_push('cq', '/compact') > 0;
INSERT INTO run SELECT 'cq', turn_begin('cq', 'A1');
SELECT 'taken: it says so', json_extract(r, '$.messages[0].action'), 'compact' FROM run
  WHERE name = 'cq';
SELECT 'taken: the context', (SELECT group_concat(content) FROM session_context('cq')), 'cq1,cq2';
SELECT turn_fail(turn, token, 'the model did not answer') > '' FROM live WHERE name = 'cq';
SELECT 'taken: failed, it waits again', (SELECT group_concat(status) FROM session_queue
  WHERE session_label = 'cq'), 'pending';
INSERT INTO run SELECT 'cq2', turn_begin('cq', 'A1');
SELECT 'taken: left without a summary', json_extract(turn_complete(turn, token), '$.status', '$.note'),
  '["aborted","no summary was given: the context stays as it is"]' FROM live WHERE name = 'cq2';
SELECT 'taken: then it is done with', (SELECT group_concat(status) FROM session_queue
  WHERE session_label = 'cq'), 'delivered';
SELECT 'taken: the context is as it was', (SELECT group_concat(content) FROM session_context('cq')),
  'cq1,cq2';
-- Its owner dies: the lease ends, and the session goes on as if nothing had been.
INSERT INTO run SELECT 'cd', turn_compact_begin('cq', 'A1', '{"lease":"60s"}');
SELECT 'owner dies: a message waits', session_deliver('cq', 'add retries', '{"class":"NewTask"}')
  ->> '$.action', 'queue';
INSERT INTO run SELECT 'cd2', turn_begin('cq', 'A2', '{"now":1060001}');
SELECT 'owner dies: somebody else goes on', (SELECT group_concat(content) FROM session_context('cq')),
  'cq1,cq2,add retries';
SELECT 'owner dies: its summary is late', error_of(printf('SELECT turn_compact(''cq'', ''x'',
  ''{"turn":%d,"token":%d}'')', turn, token)) LIKE 'turn_compact: turn % is failed: %A2%', 1
  FROM live WHERE name = 'cd';
-- Nothing to compact.
SELECT queue_push('cn', '/compact') > 0;
SELECT 'no turns: turn_begin is done with it', json_array(turn_begin('cn', 'A1'), (SELECT
  group_concat(status) FROM session_queue WHERE session_label = 'cn')), '[null,"delivered"]';
-- Nor any more: the context is a summary alone. What comes behind it is taken; with a turn to summarise it begins.
SELECT turn_append('cs', '[{"role":"user","content":"a"}]') > 0;
SELECT turn_compact('cs', 'S', '{"keep_turns":0}') > '';
SELECT queue_push('cs', '/compact') > 0;
SELECT queue_push('cs', 'five of them') > 0;
CREATE TEMP TABLE behind_it AS SELECT turn_begin('cs', 'A1') AS j;
SELECT 'a summary alone: the next one is taken', json_array((SELECT j ->> '$.messages[0].content' FROM behind_it), (SELECT
  group_concat(status) FROM session_queue WHERE session_label = 'cs')), '["five of them","delivered,processing"]';
SELECT turn_complete(j ->> '$.turn', j ->> '$.token', '{"content":"Five."}') > '' FROM behind_it;
SELECT 'with a turn behind it: it begins', turn_begin('cs', 'A1') ->> '$.messages[0].action', 'compact'
  FROM (SELECT queue_push('cs', '/compact') > 0 AS pushed) WHERE pushed;
-- It comes after a turn that failed with output, and its lease runs out: who goes on in the same command
-- is shown that output.
SELECT turn_append('cf', '[{"role":"user","content":"a"}]') > 0;
SELECT session_deliver('cf', 'two', '{"class":"Clarification","owner":"A1"}') > '';
SELECT turn_message(turn_id, token, '{"role":"assistant","content":"half of it"}') > ''
FROM session_runs WHERE session_label = 'cf';
SELECT turn_fail(turn_id, token, 'down') > '' FROM session_runs WHERE session_label = 'cf';
SELECT turn_compact_begin('cf', 'A1', '{"lease":"60s"}') > '';
SELECT session_deliver('cf', 'three', '{"class":"Clarification","owner":"A2","now":1060001}') ->> '$.action' > '';
SELECT 'what failed before a compaction is shown after it', group_concat(content, '|'), 'a|two|half of it|three'
FROM session_context('cf');
-- Stopped while its process says that it was interrupted: nothing was said that would stay.
SELECT turn_append('ci', '[{"role":"user","content":"a"}]');
SELECT turn_append('ci', '[{"role":"user","content":"b"}]');
CREATE TEMP TABLE head_before AS SELECT thread_id FROM sessions WHERE label = 'ci';
SELECT count(*) FROM (VALUES (turn_compact_begin('ci', 'A1')), (session_run('ci', 'A1', 'running')),
  (session_run('ci', 'A1', 'interrupted')));
SELECT 'a stopped compaction is not kept', turn_abort(turn_id, token, 'no') ->> '$.on_path', 0
FROM session_runs WHERE session_label = 'ci';
SELECT count(*) FROM (VALUES (turn_compact_begin('ci', 'A1')), (session_run('ci', 'A1', 'running')),
  (session_run('ci', 'A1', 'interrupted')));
SELECT 'nor one that was stopped from outside',
  session_stop('ci', turn_id, 'no') ->> '$.on_path', 0
FROM session_runs WHERE session_label = 'ci';
SELECT 'the head is where it was', thread_id, (SELECT thread_id FROM head_before) FROM sessions
WHERE label = 'ci';
SELECT 'and the context', group_concat(content, ' '), 'a b' FROM session_context('ci');

SELECT 'no turns', error_of('SELECT turn_compact_begin(''cn'', ''A1'')'),
  'turn_compact_begin: session ''cn'' has no turns that could be compacted';
SELECT 'no session', error_of('SELECT turn_compact_begin(''no one'', ''A1'')')
  LIKE 'turn_compact_begin: there is no session ''no one''%', 1;
SELECT 'no lease', error_of('SELECT turn_compact_begin(''cq'', ''A1'', ''{"lease":0}'')')
  LIKE 'turn_compact_begin: lease must be longer than 0 ms', 1;

---- What a failed turn has left

-- 1000 tokens and more of a result, in a session without turns, in one with turns, twice in a row.
CREATE TEMP VIEW fails(label) AS SELECT NULL WHERE 0;
CREATE TEMP TRIGGER fail_it INSTEAD OF INSERT ON fails BEGIN
  INSERT INTO turnstile VALUES ('turn_begin', json_array(NEW.label, 'A1',
    json_object('messages', json_array(json_object('role', 'user', 'content', 'read the log')))));
  INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn_id, token, 'k', 'read')
    FROM session_runs WHERE session_label = NEW.label;
  INSERT INTO turnstile SELECT 'turn_tool_result', json_array(turn_id, token, 'k', printf('%.*c', 4000, 'x'))
    FROM session_runs WHERE session_label = NEW.label;
  INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'too long')
    FROM session_runs WHERE session_label = NEW.label;
END;
CREATE TEMP VIEW left_by(label, turn) AS SELECT session_label, failed_turn_id FROM session_runs;

INSERT INTO fails VALUES ('f0'), ('f0b'), ('f0c'), ('f0d'), ('f0e');
SELECT 'failed, no turns: needs', session_needs_compaction('f0', 1000), 1;
INSERT INTO made SELECT 'f0', turn_compact('f0', 'S', json_object('summarized_through_turn_id', turn))
  FROM left_by WHERE label = 'f0';
SELECT 'failed, no turns: the summary takes its place', (SELECT group_concat(content) FROM session_context('f0')), 'S';
SELECT 'failed, no turns: what is recorded', result ->> '$.turns_summarized', 1 FROM made WHERE name = 'f0';
SELECT 'failed, no turns: its size', result ->> '$.tokens_after', 1 FROM made WHERE name = 'f0';
SELECT 'failed, no turns: needs no more', session_needs_compaction('f0', 1000), 0;
SELECT turn_append('f0', '[{"role":"user","content":"and now"}]') > 0;
SELECT 'failed, no turns: a message', (SELECT group_concat(content) FROM session_context('f0')), 'S,and now';
SELECT 'failed, no turns: above the summary it is shown', (SELECT sum(tokens) > 1000
  FROM session_context(result ->> '$.summarized_through_turn_id')), 1 FROM made WHERE name = 'f0';
SELECT 'failed, no turns: a compaction without more means it', turn_compact('f0b', 'S', '{"keep_turns":0}')
  ->> '$.tokens_after', 1;
SELECT 'failed, no turns: it is a document', session_import(session_export('f0b'), '{"as":"f0b copy"}') ->> '$.turns', 3;
-- Taken by a host that has the summary written; by a "/compact"; by one that dies.
INSERT INTO made SELECT 'f0c', turn_compact_begin('f0c', 'A1');
SELECT 'failed, begun: its context is what it summarises', (SELECT sum(tokens) > 1000 FROM session_context('f0c')), 1;
SELECT 'failed, begun: the summary takes its place', turn_compact('f0c', 'S', json_object('turn', turn_id, 'token',
  token, 'keep_turns', 0)) ->> '$.tokens_after', 1 FROM session_runs WHERE session_label = 'f0c';
SELECT queue_push('f0d', '/compact') > 0;
SELECT 'failed, "/compact": it is begun', turn_begin('f0d', 'A1') ->> '$.messages[0].action', 'compact';
SELECT 'failed, "/compact": the failed turn can be named', turn_compact('f0d', 'S', json_object('turn', turn_id,
  'token', token, 'summarized_through_turn_id', (SELECT resumes_turn_id FROM turns WHERE id = (SELECT parent_turn_id
    FROM turns WHERE id = r.turn_id)))) ->> '$.tokens_after', 1
FROM session_runs AS r WHERE session_label = 'f0d';
SELECT turn_compact_begin('f0e', 'A1', '{"lease":"60s"}') > '';
SELECT turn_begin('f0e', 'A2', '{"now":1060001,"messages":[{"role":"user","content":"go on"}]}') > '';
SELECT 'failed, begun: its owner dies, and the output is shown', sum(tokens) > 1000, 1 FROM session_context('f0e');

INSERT INTO say VALUES ('f1', 'f1a'), ('f2', 'f2a'), ('f3', 'f3a'), ('f4', 'f4a'), ('f5', 'f5a');
INSERT INTO fails VALUES ('f1'), ('f1'), ('f2'), ('f3'), ('f4'), ('f5');
SELECT 'failed twice: kept when nobody says so', turn_compact('f1', 'S', '{"keep_turns":0}') ->> '$.tokens_after' > 2000, 1;
SELECT 'failed twice: then the error says how', error_of('SELECT turn_compact(''f1'', ''S'', ''{"keep_turns":0}'')'),
  'turn_compact: the summary would stand for no turn: all that the context shows is kept; keep less; or give '
  || 'summarized_through_turn_id ' || turn || ' for what a failed turn has left' FROM left_by WHERE label = 'f1';
SELECT 'failed twice: it keeps nothing', error_of(printf('SELECT turn_compact(''f1'', ''S'',
  ''{"keep_turns":1,"summarized_through_turn_id":%d}'')', turn)), 'turn_compact: a summary through the failed turn '
  || 'keeps nothing; leave keep_turns, keep_tokens and first_kept_turn_id out' FROM left_by WHERE label = 'f1';
INSERT INTO made SELECT 'f1', turn_compact('f1', 'T', json_object('summarized_through_turn_id', turn))
  FROM left_by WHERE label = 'f1';
SELECT 'failed twice: both are summarised', result ->> '$.turns_summarized', 2 FROM made WHERE name = 'f1';
SELECT 'failed twice: the context', (SELECT group_concat(content) FROM session_context('f1')), 'T';
SELECT 'failed twice: as recorded', result ->> '$.tokens_after', session_usage('f1') ->> '$.context_tokens'
FROM made WHERE name = 'f1';
-- By a compaction that was begun.
SELECT turn_compact_begin('f2', 'A1') > '';
SELECT 'failed, begun with turns: named', turn_compact('f2', 'S', json_object('turn', turn_id, 'token', token,
  'summarized_through_turn_id', failed_turn_id)) ->> '$.tokens_after', 1 FROM session_runs WHERE session_label = 'f2';
SELECT 'failed, begun with turns: the context', (SELECT group_concat(content) FROM session_context('f2')), 'S';
-- In the turn that goes on from it, which has done nothing yet: by its own id, or that of the failed one.
CREATE TEMP TABLE went_on AS SELECT label, turn FROM left_by WHERE label IN ('f3', 'f4', 'f5');
INSERT INTO run SELECT label, turn_begin(label, 'A1', '{"messages":[{"role":"user","content":"go on"}]}') FROM went_on;
SELECT 'failed, resumed: nothing else is to be summarised', turn_compact('f5', 'S', json_object('turn', turn, 'token',
  token, 'keep_turns', 0)) ->> '$.tokens_after' > 1000, 1 FROM live WHERE name = 'f5';
SELECT 'failed, resumed: the error says how', error_of(printf('SELECT turn_compact(''f5'', ''S'',
  ''{"turn":%d,"token":%d,"keep_turns":0}'')', turn, token)) LIKE '%; keep less; or give summarized_through_turn_id '
  || turn || ' for what a failed turn has left', 1 FROM live WHERE name = 'f5';
INSERT INTO made SELECT 'f3', turn_compact('f3', 'S', json_object('turn', turn, 'token', token, 'trigger',
  'overflow_recovery', 'summarized_through_turn_id', turn)) FROM live WHERE name = 'f3';
INSERT INTO made SELECT 'f4', turn_compact('f4', 'S', json_object('turn', l.turn, 'token', token, 'trigger',
  'overflow_recovery', 'summarized_through_turn_id', w.turn)) FROM live AS l JOIN went_on AS w ON label = name
  WHERE name = 'f4';
SELECT 'failed, resumed: the context ' || label, (SELECT group_concat(content) FROM session_context(label)), 'S,go on'
FROM went_on WHERE label <> 'f5';
SELECT 'failed, resumed: once for the input', error_of(printf('SELECT turn_compact(''f3'', ''S'', ''%s'')',
  json_object('turn', result ->> '$.running_turn', 'token', token, 'trigger', 'overflow_recovery', 'keep_turns', 0)))
  LIKE '%has recovered from an overflow already; fail it instead', 1 FROM made JOIN live USING (name) WHERE name = 'f3';
SELECT turn_message(turn, token, '{"role":"assistant","content":"on it"}') > '' FROM live WHERE name = 'f5';
SELECT 'failed, resumed: what was done since is not left out', error_of(printf('SELECT turn_compact(''f5'', ''S'',
  ''{"turn":%d,"token":%d,"summarized_through_turn_id":%d}'')', l.turn, token, w.turn)),
  printf('turn_compact: turn %d has gone on from turn %d and recorded something; give it as summarized_through_turn_id',
  l.turn, w.turn) FROM live AS l JOIN went_on AS w ON label = name WHERE name = 'f5';
-- The first turn of a session that goes on from a failed one.
INSERT INTO fails VALUES ('f6');
INSERT INTO run SELECT 'f6', turn_begin('f6', 'A1', '{"messages":[{"role":"user","content":"go on"}]}');
SELECT 'failed, resumed without turns: the error says how', error_of(printf('SELECT turn_compact(''f6'', ''S'',
  ''{"turn":%d,"token":%d,"keep_turns":0}'')', turn, token)), printf('turn_compact: session ''f6'' has no turns above '
  || 'turn %d but the failed one that it goes on from; give summarized_through_turn_id %d', turn, turn)
FROM live WHERE name = 'f6';
SELECT 'failed, resumed without turns', turn_compact('f6', 'S', json_object('turn', turn, 'token', token,
  'summarized_through_turn_id', turn)) ->> '$.tokens_after', 3 FROM live WHERE name = 'f6';

---- A recovery that a rewind has dropped

INSERT INTO say VALUES ('re', 're1'), ('re', 're2'), ('re', 're3');
SELECT session_deliver('re', 'paint the long wall') > '';
INSERT INTO run SELECT 're1', turn_begin('re', 'A1');
SELECT 'dropped: recovers', turn_compact('re', 'C', json_object('turn', turn, 'token', token, 'trigger',
  'overflow_recovery', 'keep_turns', 0)) ->> '$.turns_kept', 0 FROM live WHERE name = 're1';
SELECT turn_tool_call(turn, token, 'k', 'paint') > '' FROM live WHERE name = 're1';
SELECT turn_fail(turn, token, 'no paint') > '' FROM live WHERE name = 're1';
SELECT session_rewind('re', thread_id) > '' FROM sessions WHERE label = 're';
SELECT queue_retry(max(id)) FROM session_queue WHERE session_label = 're';
INSERT INTO run SELECT 're2', turn_begin('re', 'A1');
SELECT 'dropped: the next attempt begins without', (SELECT group_concat(content) FROM session_context('re')),
  're1,re2,re3,paint the long wall';
SELECT 'dropped: and recovers', turn_compact('re', 'E', json_object('turn', turn, 'token', token, 'trigger',
  'overflow_recovery', 'keep_turns', 1)) ->> '$.turns_kept', 1 FROM live WHERE name = 're2';
-- One that stands below another summary was not dropped.
SELECT turn_fail(turn, token, 'too long') > '' FROM live WHERE name = 're2';
INSERT INTO run SELECT 're3', turn_begin('re', 'A1');
SELECT 'below another summary', turn_compact('re', 'F', json_object('turn', turn, 'token', token, 'trigger',
  'context_limit', 'keep_turns', 0)) ->> '$.turns_kept', 0 FROM live WHERE name = 're3';
SELECT turn_fail(turn, token, 'too long') > '' FROM live WHERE name = 're3';
INSERT INTO run SELECT 're4', turn_begin('re', 'A1');
SELECT 'below another summary: once is once', error_of(printf('SELECT turn_compact(''re'', ''G'',
  ''{"turn":%d,"token":%d,"trigger":"overflow_recovery","keep_turns":0}'')', turn, token))
  LIKE '%has recovered from an overflow already; fail it instead', 1 FROM live WHERE name = 're4';

---- Compactions from elsewhere

INSERT INTO say VALUES ('im', 'im1'), ('im', 'im2');
INSERT INTO made SELECT 'im', turn_compact('im', 'old', json_object('keep_turns', 1, 'external_id', 'imc',
  'started_at', 5000, 'parent', 'im2', 'focus', 'f', 'model', 'm', 'usage', json('{"input_tokens":7}'),
  'metadata', json('{"a":1}')));
SELECT 'elsewhere: the turn', (SELECT json_array(id, external_id, started_at) FROM turns
  WHERE external_id = 'imc'), json_array(result ->> '$.turn', 'imc', 5000) FROM made WHERE name = 'im';
SELECT 'elsewhere: its time in the context', (SELECT created_at FROM session_context('im')
  WHERE kind = 'summary'), 5000;
CREATE TEMP TABLE same(options);
INSERT INTO same VALUES ('{"keep_turns":1,"external_id":"imc","started_at":5000,"parent":"im2","focus":"f",
  "model":"m","usage":{"input_tokens":7},"metadata":{"a":1}}');
CREATE TEMP TABLE still AS SELECT dump_of() AS d;
SELECT 'elsewhere: once more', turn_compact('im', 'old', options), result FROM same, made
  WHERE name = 'im';
SELECT 'elsewhere: without what may be left out', turn_compact('im', 'old',
  json_remove(options, '$.started_at', '$.parent', '$.keep_turns')), result FROM same, made
  WHERE name = 'im';
SELECT 'elsewhere: it changed nothing', dump_of() = d, 1 FROM still;
SELECT 'elsewhere: other ' || column1, error_of(printf('SELECT turn_compact(%Q, %Q, %Q)', column2,
    column3, json_patch(options, column4))),
  'turn_compact: external_id ''imc'' was used before for turn ' || (result ->> '$.turn') || ', ' || column5
  || '; use a new one'
FROM same, made, (VALUES
  ('summary', 'im', 'new', '{}', 'with another summary, or something else about it that differs'),
  ('focus', 'im', 'old', '{"focus":"g"}', 'with another summary, or something else about it that differs'),
  ('time', 'im', 'old', '{"started_at":5001}',
   'with another summary, or something else about it that differs'),
  ('usage', 'im', 'old', '{"usage":{"input_tokens":8}}',
   'with another summary, or something else about it that differs'),
  ('parent', 'im', 'old', '{"parent":"im1"}', 'below another parent'),
  ('session', 'cb', 'old', '{"parent":null}', 'in another session')) WHERE name = 'im';
SELECT 'elsewhere: the id of a turn of messages', error_of('SELECT turn_compact(''im'', ''old'',
  ''{"external_id":"im1"}'')') LIKE
  'turn_compact: external_id ''im1'' was used before for turn %, which is not a compaction; use a new one', 1;
SELECT 'elsewhere: no such parent', error_of('SELECT turn_compact(''im'', ''x'', ''{"parent":"?"}'')'),
  'turn_compact: parent: there is no turn with external_id ''?''';
-- Where the head has left it, it is not made again in silence.
INSERT INTO say VALUES ('il', 'il1'), ('il', 'il2');
SELECT turn_compact('il', 'L', '{"keep_turns":0,"external_id":"ilc"}') > '';
SELECT 'elsewhere: at the head', turn_compact('il', 'L', '{"keep_turns":0,"external_id":"ilc"}') ->> '$.turn' = thread_id, 1
FROM sessions WHERE label = 'il';
INSERT INTO say VALUES ('il', 'il3');
SELECT 'elsewhere: above the head', turn_compact('il', 'L', '{"external_id":"ilc"}') ->> '$.turns_summarized', 2;
SELECT session_rewind('il', id) > '' FROM t WHERE name = 'il2';
SELECT 'elsewhere: left by a rewind', error_of('SELECT turn_compact(''il'', ''L'', ''{"keep_turns":0,"external_id":"ilc"}'')'),
  'turn_compact: external_id ''ilc'' was used before for turn ' || id || ', and the session''s head is no longer at it or '
  || 'below it; use a new one' FROM turns WHERE external_id = 'ilc';
SELECT session_rewind('il', id) > '' FROM turns WHERE external_id = 'ilc';
SELECT 'elsewhere: back again', turn_compact('il', 'L', '{"external_id":"ilc"}') ->> '$.turns_summarized', 2;
-- Below another turn than the head, which moves there.
INSERT INTO say VALUES ('ip', 'ip1'), ('ip', 'ip2'), ('ip', 'ip3');
INSERT INTO made SELECT 'ip', turn_compact('ip', 'part', '{"parent":"ip2","keep_turns":1}');
SELECT 'elsewhere: below another turn', (SELECT group_concat(content) FROM session_context('ip')),
  'part,ip2';
SELECT 'elsewhere: the head is there', thread_id, result ->> '$.turn' FROM sessions JOIN made
  ON name = label WHERE label = 'ip';
INSERT INTO run SELECT 'ip', turn_begin('ip', 'A1', '{"messages":[{"role":"user","content":"q"}]}');
SELECT 'elsewhere: not for a run: ' || column1, error_of(printf('SELECT turn_compact(''ip'', ''x'', %Q)',
    json_patch(json_object('turn', turn, 'token', token), column2))),
  'turn_compact: ' || column1 || ' does not go with turn and token'
FROM live, (VALUES ('started_at', '{"started_at":1}'), ('external_id', '{"external_id":"x"}'),
  ('parent', '{"parent":"ip1"}')) WHERE name = 'ip';
SELECT turn_abort(turn, token, 'x') > '' FROM live WHERE name = 'ip';

---- Damaged and shared

SELECT 'each compaction has its row', (SELECT count(*) FROM turns WHERE turn_type = 'compaction'
  AND on_path),
  (SELECT count(*) FROM compactions);
SELECT 'each is a turn', (SELECT count(*) FROM compactions WHERE NOT EXISTS
  (SELECT 1 FROM turns WHERE id = turn_id AND turn_type = 'compaction' AND on_path = 1)), 0;
SELECT 'what is recorded adds up', (SELECT count(*) FROM compactions WHERE
  (compaction_type = 'full') <> (first_kept_turn_id IS NULL)
  OR (first_kept_turn_id IS NULL) <> (turns_kept = 0)), 0;
SELECT 'tokens_after is what the context has then', (SELECT group_concat(label) FROM sessions AS s
  JOIN compactions AS c ON c.turn_id = s.thread_id
  WHERE tokens_after <> (session_usage(label) ->> '$.context_tokens')), NULL;

---- The words before results whose calls are not shown

-- A call in the summary, its result in the first turn after it: 17 tokens with the words. Then two
-- turns of 1.
CREATE TEMP TABLE orphaned(label);
INSERT INTO orphaned SELECT 'orphan' || value FROM json_each('[0,1,2,3,4,5,6]');
SELECT turn_append(label, '[{"role":"user","content":"z"}]') FROM orphaned;
SELECT turn_append(label, '[{"role":"assistant","tool_calls":[{"id":"o","name":"push"}]}]')
  FROM orphaned;
SELECT turn_compact(label, 's', '{"keep_turns":0}') > '' FROM orphaned;
SELECT turn_append(label, '[{"role":"tool","tool_call_id":"o","content":"live"}]') FROM orphaned;
SELECT turn_append(label, '[{"role":"user","content":"' || value || '"}]')
  FROM orphaned, json_each('["a","b"]');
CREATE TEMP TABLE asked(label, options, kept, before, after);
INSERT INTO asked VALUES
  ('orphan0', '{"keep_tokens":1}', 1, 20, 2), ('orphan1', '{"keep_tokens":2}', 2, 20, 3),
  ('orphan2', '{"keep_tokens":18}', 2, 20, 3), ('orphan5', '{"keep_turns":0}', 0, 20, 1);
INSERT INTO made SELECT label, turn_compact(label, 't', options) FROM asked;
SELECT 'words: ' || options, json_array(result ->> '$.turns_kept', result ->> '$.tokens_before',
    result ->> '$.tokens_after'), json_array(kept, before, after)
  FROM asked JOIN made ON name = label;
SELECT 'words: the context ' || options, (SELECT sum(tokens) FROM session_context(label)), after
  FROM asked;
SELECT 'words: and what is said of it ' || options,
  session_usage(label) ->> '$.context_tokens', after FROM asked;
-- Kept from the call on there are no words: the pair is shown, the call with its 24 for a result.
INSERT INTO made SELECT 'orphan6', turn_compact('orphan6', 't', json_object('first_kept_turn_id',
  (SELECT turn_id FROM turn_path('orphan6') LIMIT 1 OFFSET 1)));
SELECT 'words: none with the call', json_array(result ->> '$.turns_kept',
    result ->> '$.tokens_before', result ->> '$.tokens_after'), '[4,20,29]'
  FROM made WHERE name = 'orphan6';
SELECT 'words: none, in the context', (SELECT json_array(count(*), sum(tokens))
  FROM session_context('orphan6')), '[5,29]';

-- What a failed turn has done is part of the context, before and after.
SELECT turn_append('part', '[{"role":"user","content":"a"}]');
SELECT turn_append('part', '[{"role":"user","content":"b"}]');
INSERT INTO run SELECT 'part', turn_begin('part', 'A1',
  '{"messages":[{"role":"user","content":"c"}]}');
SELECT turn_message(r ->> '$.turn', r ->> '$.token', '{"role":"assistant","content":"half"}')
  FROM run WHERE name = 'part';
SELECT turn_fail(r ->> '$.turn', r ->> '$.token', 'e') FROM run WHERE name = 'part';
INSERT INTO made SELECT 'part', turn_compact('part', 's', '{"keep_turns":1}');
SELECT 'a failed turn: what a compaction says', json_array(result ->> '$.tokens_before',
  result ->> '$.tokens_after', session_usage('part') ->> '$.context_tokens'), '[4,4,4]'
  FROM made WHERE name = 'part';
SELECT 'a failed turn: is shown after it', (SELECT group_concat(content, ' ')
  FROM session_context('part')), 's b c half';
SELECT 'tokens_after is what the context has then, once more', (SELECT group_concat(label)
  FROM sessions AS s JOIN compactions AS c ON c.turn_id = s.thread_id
  WHERE tokens_after <> (session_usage(label) ->> '$.context_tokens')), NULL;

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;

---- The model that writes summaries is a setting, and stands with each compaction

SELECT turn_append('summed', '[{"role":"user","content":"one"},{"role":"assistant","content":"1"}]', '{"model":"large"}');
SELECT turn_append('summed', '[{"role":"user","content":"two"},{"role":"assistant","content":"2"}]', '{"model":"large"}');
CREATE TEMP VIEW summed AS SELECT c.model AS of_compaction, t.model AS of_turn FROM compactions AS c
  JOIN turns AS t ON t.id = c.turn_id WHERE c.turn_id = (SELECT thread_id FROM sessions WHERE label = 'summed');
SELECT 'nothing is set', turnstile_config('summarization_model'), NULL;
SELECT turn_compact('summed', 'they counted', '{"keep_turns":1}');
SELECT 'and nothing is guessed', (SELECT json_array(of_compaction, of_turn) FROM summed), '[null,null]';
SELECT 'set', turnstile_config('summarization_model', 'small'), 'small';
SELECT turn_append('summed', '[{"role":"user","content":"three"},{"role":"assistant","content":"3"}]');
SELECT turn_compact('summed', 'they counted on', '{"keep_turns":1}');
SELECT 'recorded', (SELECT json_array(of_compaction, of_turn) FROM summed), '["small","small"]';
SELECT turnstile_config('summarization_model', 'smaller', '{"session":"summed"}');
SELECT turn_append('summed', '[{"role":"user","content":"four"},{"role":"assistant","content":"4"}]');
SELECT 'told to whoever writes one', turn_compact_begin('summed', 'A1') ->> '$.summarization_model', 'smaller';
SELECT turn_compact('summed', 'and on', json_object('turn', turn_id, 'token', token)) FROM session_runs
  WHERE session_label = 'summed';
SELECT 'of the session', (SELECT json_array(of_compaction, of_turn) FROM summed), '["smaller","smaller"]';
SELECT turn_append('summed', '[{"role":"user","content":"five"},{"role":"assistant","content":"5"}]');
SELECT turn_compact('summed', 'up to five', '{"model":"another","external_id":"sum 5"}');
SELECT 'another one is said', (SELECT json_array(of_compaction, of_turn) FROM summed), '["another","another"]';
SELECT turn_append('summed', '[{"role":"user","content":"six"},{"role":"assistant","content":"6"}]');
SELECT turn_compact('summed', 'up to six', '{"external_id":"sum 6"}');
SELECT turnstile_config('summarization_model', NULL, '{"session":"summed","reset":1}');
SELECT 'the same once more, with another setting', turn_compact('summed', 'up to six', '{"external_id":"sum 6"}')
  ->> '$.turn', (SELECT thread_id FROM sessions WHERE label = 'summed');
SELECT 'a turn that runs is told nothing of it', json_type(turn_begin('summed', 'A1',
  '{"messages":[{"role":"user","content":"x"}]}'), '$.summarization_model'), NULL;
SELECT 'no name: ' || value, error_of(printf('SELECT turnstile_config(''summarization_model'', %Q)', value)),
  'turnstile_config: summarization_model must be a name of 1 to 256 bytes, more than white space'
  FROM json_each(json_array('', '  ', printf('%.257c', 'x')));
SELECT turnstile_config('summarization_model', NULL, '{"reset":1}');
SELECT 'the settings are sound', (SELECT group_concat(rule) FROM turnstile_check WHERE rule LIKE 'config%'), NULL;

---- A run that fills the context itself: the summary goes through the running turn, and the run goes on

CREATE TEMP VIEW now_runs(label, turn, token, owner, expires) AS SELECT session_label, turn_id, token, owner, expires_at FROM session_runs;
CREATE TEMP VIEW told(label, said) AS SELECT s.label, (SELECT group_concat(role || ':' || content, ' | ') FROM session_context(s.label)) FROM sessions AS s;
SELECT turn_append('own', '[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello."}]');
SELECT session_deliver('own', 'build a wall', '{"class":"NewTask"}') ->> '$.action';
SELECT turn_begin('own', 'w') ->> '$.turn';
CREATE TEMP TABLE own_first AS SELECT * FROM now_runs WHERE label = 'own';
SELECT 'own: nothing to summarise yet', error_of(printf('SELECT turn_compact(''own'', ''S'', ''{"turn":%d,"token":%d,"summarized_through_turn_id":%d}'')',
  turn, token, turn)), printf('turn_compact: turn %d has recorded nothing that a summary could stand for; leave summarized_through_turn_id out', turn) FROM own_first;
SELECT turn_tool_call(turn, token, 'k', 'read', '{}') FROM own_first;
SELECT turn_tool_result(turn, token, 'k', printf('%.*c', 4000, 'x')) FROM own_first;
SELECT turn_message(turn, token, '{"role":"system","content":"Be brief."}') FROM own_first;
SELECT turn_message(turn, token, '{"role":"user","content":"","metadata":{"image":7}}') FROM own_first;
SELECT turn_message(turn, token, '{"role":"user","content":" "}') FROM own_first;
SELECT turn_tool_call(turn, token, 'open', 'make', '{}') FROM own_first;
SELECT session_deliver('own', 'and a roof', '{"class":"Modification"}') ->> '$.action';
CREATE TEMP TABLE own_before AS SELECT (SELECT run_state FROM session_runs WHERE session_label = 'own') AS run, state, session_usage('own') ->> '$.context_tokens' AS tokens
  FROM tasks WHERE session_label = 'own';
SELECT 'own: keeps nothing, so keep is refused: ' || value, error_of(printf('SELECT turn_compact(''own'', ''S'', ''{"turn":%d,"token":%d,"summarized_through_turn_id":%d,"%w":%d}'')',
  turn, token, turn, value, iif(value LIKE 'first%', turn, 1))),
  'turn_compact: a summary through the running turn keeps nothing; leave keep_turns, keep_tokens and first_kept_turn_id out'
  FROM own_first, json_each('["keep_turns","keep_tokens","first_kept_turn_id"]');
SELECT 'own: without turn and token it is no turn of the path', error_of(printf('SELECT turn_compact(''own'', ''S'', ''{"summarized_through_turn_id":%d}'')', turn))
  LIKE 'turn_compact: session ''own'' is busy%', 1 FROM own_first;
CREATE TEMP TABLE own_made AS SELECT turn_compact('own', 'The code was read.', json_object('turn', turn, 'token', token,
  'trigger', 'overflow_recovery', 'summarized_through_turn_id', turn)) AS j FROM own_first;
SELECT 'own: the same run, in another turn', json_array(r.token = f.token, r.owner = f.owner, r.turn = j ->> '$.running_turn', r.turn <> f.turn),
  '[1,1,1,1]' FROM now_runs AS r, own_first AS f, own_made WHERE r.label = 'own';
SELECT 'own: it sees the summary and what it was asked', said,
  'user:The code was read. | user:build a wall | system:Be brief. | user:(no text)' FROM told WHERE label = 'own';
SELECT 'own: before and after', json_array(j ->> '$.tokens_before' = tokens, j ->> '$.tokens_after' = session_usage('own') ->> '$.context_tokens',
  j ->> '$.turns_summarized', j ->> '$.turns_kept', j ->> '$.summarized_through_turn_id' = turn), '[1,1,2,0,1]' FROM own_made, own_before, own_first;
SELECT 'own: nothing of the turn is lost', (SELECT group_concat(content, '|') FROM messages WHERE turn_id = turn), 'build a wall|Be brief.|| ' FROM own_first;
SELECT 'own: its calls too', (SELECT group_concat(id || ' ' || status) FROM tool_calls WHERE turn_id = turn), 'k completed,open pending' FROM own_first;
SELECT 'own: on the path, and the head is the summary', (SELECT group_concat(turn_type || ' ' || status, ', ') FROM turn_path('own')),
  'normal completed, normal completed, compaction completed';
SELECT 'own: still interrupted, the task as it was', json_array(r.run_state, t.state), json_array(b.run, b.state)
  FROM own_before AS b, session_runs AS r, tasks AS t WHERE r.session_label = 'own' AND t.session_label = 'own';
SELECT 'own: the input is the new turn''s', (SELECT json_array(status, turn_id = turn, shown_turn_id = turn, attempts) FROM session_queue, now_runs
  WHERE session_label = 'own' AND label = 'own' AND message = 'build a wall'), '["processing",1,1,1]';
SELECT 'own: each message says which turn it repeats, beside what it said before', (SELECT group_concat(content || ' ' || metadata, '|') FROM (SELECT content, metadata FROM messages WHERE turn_id = r.turn ORDER BY place)),
  printf('build a wall {"queue_id":%d,"retries_turn_id":%d}|Be brief. {"queue_id":null,"retries_turn_id":%d}| {"image":7,"retries_turn_id":%d}', (SELECT id FROM session_queue WHERE session_label = 'own' AND message = 'build a wall'), f.turn, f.turn, f.turn)
  FROM now_runs AS r, own_first AS f WHERE r.label = 'own';
SELECT 'own: the old turn is over', error_of(printf('SELECT turn_heartbeat(%d, %d)', turn, token)) IS NOT NULL, 1 FROM own_first;
-- A result that was on its way, and what waited.
SELECT turn_tool_result(turn, token, 'open', 'made') ->> '$.status' FROM now_runs WHERE label = 'own';
SELECT 'own: the late result is told', said LIKE '%The result of %tool call%made', 1 FROM told WHERE label = 'own';
SELECT 'own: what waited is taken', turn_steering(turn, token) ->> '$.messages[0].content', 'and a roof' FROM now_runs WHERE label = 'own';
-- A recovery is made once per input; one that looks ahead as often as it helps.
SELECT 'own: once per input', error_of(printf('SELECT turn_compact(''own'', ''S'', ''{"turn":%d,"token":%d,"trigger":"overflow_recovery","summarized_through_turn_id":%d}'')',
  turn, token, turn)), printf('turn_compact: an earlier turn with an input of turn %d has recovered from an overflow already; fail it instead', turn)
  FROM now_runs WHERE label = 'own';
CREATE TEMP TABLE own_again AS SELECT turn_compact('own', 'Half is made.', json_object('turn', turn, 'token', token, 'trigger', 'context_limit',
  'summarized_through_turn_id', turn)) AS j FROM now_runs WHERE label = 'own';
SELECT 'own: again', said, 'user:Half is made. | user:build a wall | system:Be brief. | user:(no text) | user:and a roof' FROM told WHERE label = 'own';
SELECT turn_complete(turn, token, '{"content":"Done.","outcome":"done"}') ->> '$.head' FROM now_runs WHERE label = 'own';
SELECT 'own: both are delivered', (SELECT group_concat(DISTINCT status) FROM session_queue WHERE session_label = 'own'), 'delivered';
-- A later summary that keeps from the first turn on shows what was asked once.
SELECT turn_compact('own', 'All of it.', json_object('first_kept_turn_id', turn)) ->> '$.turns_kept' FROM own_first;
SELECT 'own: asked once', (SELECT count(*) FROM session_context('own') WHERE content = 'build a wall'), 1;
SELECT 'own: undone like any turn', session_rewind('own', turn) ->> '$.head' = turn, 1 FROM own_first;

-- What was recorded before the summary is the run's output: nothing is done a second time by itself, however it ends.
CREATE TEMP TABLE own_ends(label TEXT PRIMARY KEY, how, said);
INSERT INTO own_ends SELECT 'own ' || how || ' ' || said, how, said FROM
  (SELECT 'fails' AS how UNION ALL SELECT 'is told to wait' UNION ALL SELECT 'dies' UNION ALL SELECT 'lapses' UNION ALL SELECT 'is lost'),
  (SELECT 'by the queue' AS said UNION ALL SELECT 'by the host');
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'paint it', json('{"class":"NewTask"}')) FROM own_ends;
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'w ' || how, json(iif(said = 'by the host',
  '{"messages":[{"role":"user","content":"paint it","metadata":{"at":"09:30"}}]}', '{}'))) FROM own_ends;
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'read', json('{}')) FROM now_runs JOIN own_ends USING (label);
INSERT INTO turnstile SELECT 'turn_compact', json_array(label, 'S', json_object('turn', turn, 'token', token, 'trigger', 'overflow_recovery',
  'summarized_through_turn_id', turn)) FROM now_runs JOIN own_ends USING (label);
SELECT label || ': it goes on', (SELECT status FROM session_queue WHERE session_label = label), 'processing' FROM own_ends;
CREATE TEMP TABLE own_last AS SELECT label, turn, token FROM now_runs JOIN own_ends USING (label);
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'too long', json(iif(how = 'fails', '{}', '{"retry_after":"30s"}')))
  FROM own_last JOIN own_ends USING (label) WHERE how IN ('fails', 'is told to wait');
SELECT turnstile_startup('w dies', '{"all":1}') IS NOT NULL;
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
DELETE FROM session_runs WHERE session_label IN (SELECT label FROM own_ends WHERE how = 'is lost');
DELETE FROM turnstile_meta WHERE key = 'unguarded';
SELECT label || ': no turn gets it', turn_begin(label, 'v', json_object('now', 1000000 + iif(how = 'lapses', 86400000, 0))), NULL FROM own_ends;
SELECT label || ': it waits for somebody', (SELECT status FROM session_queue WHERE session_label = label), 'failed' FROM own_ends;
INSERT INTO turnstile SELECT 'queue_retry', json_array(q.id) FROM session_queue AS q JOIN own_ends ON label = session_label;
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'w') FROM own_ends;
SELECT label || ': somebody has it done again, behind the summary', told.said,
  'user:S | user:paint it | user:Please work on that again.'
  FROM told JOIN own_ends AS e USING (label);
-- The attempt after that has nothing to do with it: it comes to nothing, and its input waits.
SELECT turn_fail(turn, token, 'too long') ->> '$.waiting' FROM now_runs WHERE label = 'own fails by the queue';
SELECT 'the next attempt came to nothing', (SELECT status FROM session_queue WHERE session_label = 'own fails by the queue'), 'pending';
SELECT turn_begin('own fails by the queue', 'w') ->> '$.turn';
SELECT 'own fails: and does not recover again', error_of(printf('SELECT turn_compact(''own fails by the queue'', ''S'', ''{"turn":%d,"token":%d,"trigger":"overflow_recovery","keep_turns":0}'')',
  turn, token)) LIKE '%has recovered from an overflow already; fail it instead', 1 FROM now_runs WHERE label = 'own fails by the queue';
-- A document carries it.
SELECT turn_complete(turn, token) ->> '$.head' FROM now_runs WHERE label = 'own fails by the queue';
SELECT session_import(session_export('own fails by the queue'), '{"as":"own there"}') IS NOT NULL;
SELECT 'own there: the same', (SELECT said FROM told WHERE label = 'own there'), (SELECT said FROM told WHERE label = 'own fails by the queue');
SELECT 'own: the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;

---- Handed over beside a newer message it says what it is

SELECT turnstile_config('keeps_turns', 0, '{"session":"beside"}') = 0;
SELECT session_start('beside', 'Add retries') IS NOT NULL;
SELECT queue_push('beside', '/compact the parser') > 0, queue_push('beside', ' /compact ', '{"source":"timer"}') > 0,
  queue_push('beside', '/compactor', '{"source":"timer"}') > 0;
CREATE TEMP TABLE beside AS SELECT session_deliver('beside', 'five of them') AS j;
SELECT 'what is asked of the host', json_group_array(json_array(value -> 'message', value -> 'action', value -> 'focus')),
  '[["/compact the parser","compact","the parser"],[" /compact ","compact",""],["/compactor",null,null],'
  || '["five of them",null,null]]'
FROM beside, json_each(j, '$.inputs');
SELECT 'the newer message decides', j ->> '$.action', 'continue' FROM beside;
SELECT 'a report of a worker asks for nothing', count(*), 0 FROM deliveries, json_each(decision, '$.inputs') AS i
WHERE i.value ->> 'action' IS NOT NULL AND i.value ->> 'message' NOT LIKE '%/compact%';
SELECT 'all inputs are sound', (SELECT group_concat(session_label || ': ' || problem, ' / ') FROM turnstile_check WHERE rule LIKE 'queue%'), NULL;

-- A turn in which nobody but the agent has spoken asks nothing again: the run goes on with the summary alone.
CREATE TEMP TABLE own_silent(label TEXT PRIMARY KEY, first, ends);
INSERT INTO own_silent SELECT 'silent ' || f.key || ' ' || e.value, f.value, e.value FROM json_each('{"agent":{"role":"assistant","content":"Looking."},
  "blank":{"role":"user","content":" "},"call":{"role":"assistant","tool_calls":[{"id":"a","name":"ls"}]}}') AS f, json_each('["completes","fails"]') AS e;
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"hi"}]')) FROM own_silent;
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'w', json_object('messages', json_array(json(first)))) FROM own_silent;
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'read') FROM now_runs JOIN own_silent USING (label);
INSERT INTO turnstile SELECT 'turn_compact', json_array(label, 'S', json_object('turn', turn, 'token', token,
  'summarized_through_turn_id', turn)) FROM now_runs JOIN own_silent USING (label);
SELECT label || ': the summary alone is shown', said, 'user:S' FROM told JOIN own_silent USING (label);
SELECT label || ': its document is taken while it runs', session_import(session_export(label), json_object('as', label || ' then')) ->> '$.turns', 3
  FROM own_silent;
INSERT INTO turnstile SELECT iif(ends = 'fails', 'turn_fail', 'turn_complete'), json_array(turn, token,
  iif(ends = 'fails', 'boom', json('{}'))) FROM now_runs JOIN own_silent USING (label);
SELECT label || ': and when it has ended', session_import(session_export(label), json_object('as', label || ' after')) ->> '$.turns',
  iif(ends = 'fails', 3, 4) FROM own_silent;
SELECT label || ': it shows the same there', (SELECT group_concat(role || ':' || content) FROM session_context(label || ' after')), said
  FROM told JOIN own_silent USING (label);
SELECT 'nothing is wrong with an empty turn behind a summary', (SELECT count(*) FROM turnstile_check WHERE rule = 'turn_empty'), 0;
SELECT 'elsewhere a document''s empty turn is refused', error_of(printf('SELECT session_import(%Q)', json_set(session_export('silent agent fails'),
  '$.content.messages', json_array()))) IS NOT NULL, 1;
