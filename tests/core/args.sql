-- args.sql - arguments by place, by name and as options, through both doors; request_id and now.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES ('session_start', '["s","add retries"]');

---- By place and by name

SELECT 'by place', value_of('INSERT INTO turnstile VALUES (''session_note'', ''["s","one"]'') RETURNING turnstile_result()'), 1;
SELECT 'by name', value_of('INSERT INTO turnstile VALUES (''session_note'', ''{"label":"s","text":"two"}'') RETURNING turnstile_result()'), 2;
SELECT 'by name in another order', value_of('INSERT INTO turnstile VALUES (''session_note'', ''{"text":"three","label":"s"}'') RETURNING turnstile_result()'), 3;
SELECT 'NULL skips a place', session_flush('s', NULL, '{"now":1000001}') IS NOT NULL, 1;
SELECT 'null skips one by the door', value_of('INSERT INTO turnstile VALUES (''session_flush'', ''["s",null,{"now":1000002}]'') RETURNING turnstile_result()') IS NOT NULL, 1;
SELECT 'places at the end can be left out', session_flush('s') IS NOT NULL, 1;
SELECT 'options as NULL', session_note('s', 'four', NULL), 4;
SELECT 'options that are empty', session_note('s', 'five', '{}'), 5;
SELECT 'options among the names', value_of('INSERT INTO turnstile VALUES (''session_note'', ''{"label":"s","text":"six","now":1000003}'') RETURNING turnstile_result()'), 6;
SELECT 'options in an object called options', value_of('INSERT INTO turnstile VALUES (''session_note'', ''{"label":"s","text":"seven","options":{"now":1000004}}'') RETURNING turnstile_result()'), 7;
SELECT 'both had their effect', (SELECT group_concat(created_at) FROM observations WHERE id IN (6, 7)), '1000003,1000004';
SELECT 'null by name is left out', value_of('INSERT INTO turnstile VALUES (''session_flush'', ''{"label":"s","kind":null,"options":null}'') RETURNING turnstile_result()') IS NOT NULL, 1;
SELECT 'a JSON object as data by the door', value_of('INSERT INTO turnstile VALUES (''session_transition'', ''["s","AwaitingUser",{"question":"Which?"}]'') RETURNING turnstile_result()'), 'AwaitingUser';
SELECT 'the same as text', session_transition('s', 'AwaitingUser', '{"question":"Which one?"}'), 'AwaitingUser';
SELECT 'a text of JSON by the door', value_of('INSERT INTO turnstile VALUES (''session_transition'', ''["s","AwaitingUser","{\"question\":\"Which two?\"}"]'') RETURNING turnstile_result()'), 'AwaitingUser';
SELECT 'kept as JSON either way', session_state('s') ->> '$.state_data.question', 'Which two?';

---- Errors name the argument and begin with the command

CREATE TEMP TABLE wrong(call, message);
INSERT INTO wrong VALUES
  ('SELECT session_note()', 'session_note: label is missing'),
  ('SELECT session_note(''s'')', 'session_note: text is missing'),
  ('SELECT session_note(NULL, ''x'')', 'session_note: label is missing'),
  ('SELECT session_note(''s'', ''x'', ''{}'', 1)', 'session_note: too many arguments: 4 given; it takes 2 and an object of options'),
  ('SELECT session_note(5, ''x'')', 'session_note: label must be text, not an integer'),
  ('SELECT session_note(''s'', 1.5)', 'session_note: text must be text, not a number with a fraction'),
  ('SELECT session_note(''s'', x''00'')', 'session_note: text must be text, not a BLOB'),
  ('SELECT session_note(''s'', ''x'', ''now'')', 'session_note: options %JSON%'),
  ('SELECT session_note(''s'', ''x'', ''[1]'')', 'session_note: options must be a JSON object%'),
  ('SELECT session_note(''s'', ''x'', 7)', 'session_note: options must be a JSON object%'),
  ('SELECT session_note(''s'', ''x'', ''{"text":"y"}'')', 'session_note: unknown option ''text''; it takes: now, request_id'),
  ('SELECT session_note(''s'', ''x'', ''{"now":"today"}'')', 'session_note: now must be an integer from 0 to 9007199254740991, not text'),
  ('SELECT session_note(''s'', ''x'', ''{"now":-1}'')', 'session_note: now is -1; it must be from 0 to 9007199254740991'),
  ('SELECT session_note(''s'', ''x'', ''{"now":9007199254740992}'')', 'session_note: now is 9007199254740992; it must be from 0 to 9007199254740991'),
  ('SELECT session_note(''s'', ''x'', ''{"now":1.5}'')', 'session_note: now must be an integer from 0 to 9007199254740991, not a number with a fraction'),
  ('SELECT session_note(''s'', ''x'', ''{"now":true}'')', 'session_note: now %'),
  ('SELECT session_note(''s'', ''x'', ''{"request_id":""}'')', 'session_note: request_id is empty'),
  ('SELECT session_note(''s'', ''x'', ''{"request_id":[5]}'')', 'session_note: request_id must be text%, not a JSON array'),
  ('SELECT session_note(''s'', ''x'', ''{"request_id":true}'')', 'session_note: request_id must be text%'),
  ('SELECT session_note(''s'', ''x'', json_object(''request_id'', printf(''%.257c'', ''r'')))', 'session_note: request_id is 257 bytes long; at most 256 are allowed'),
  ('SELECT session_deliver(''s'', ''x'', ''{"sender":["a"]}'')', 'session_deliver: sender must be text, not a JSON array'),
  ('SELECT session_deliver(''s'', ''x'', ''{"sender":{"a":1}}'')', 'session_deliver: sender must be text, not a JSON object'),
  ('SELECT session_deliver(''s'', ''x'', ''{"sender":true}'')', 'session_deliver: sender must be text, not %'),
  ('SELECT session_deliver(''s'', ''x'', ''{"sender":""}'')', 'session_deliver: sender is empty'),
  ('SELECT session_transition(''s'', ''Running'', ''[]'')', 'session_transition: data must be a JSON object, not a JSON array'),
  ('INSERT INTO turnstile VALUES (''session_note'', ''["s"]'')', 'session_note: text is missing'),
  ('INSERT INTO turnstile VALUES (''session_note'', ''["s","x",{},1]'')', 'session_note: too many arguments%'),
  ('INSERT INTO turnstile VALUES (''session_note'', ''["s",["x"]]'')', 'session_note: text must be text, not a JSON array'),
  ('INSERT INTO turnstile VALUES (''session_note'', ''["s",{"a":1}]'')', 'session_note: text must be text, not a JSON object'),
  ('INSERT INTO turnstile VALUES (''session_note'', ''["s",true]'')', 'session_note: text must be text, not %'),
  ('INSERT INTO turnstile VALUES (''session_note'', ''["s","x",5]'')', 'session_note: options must be a JSON object%'),
  ('INSERT INTO turnstile VALUES (''session_note'', ''{"label":"s","txt":"x"}'')', 'session_note: unknown argument ''txt''; it takes: label, text, now, request_id'),
  ('INSERT INTO turnstile VALUES (''session_note'', ''{"label":"s","text":"x","options":[1]}'')', 'session_note: options must be a JSON object, not a JSON array'),
  ('INSERT INTO turnstile VALUES (''session_note'', ''{"label":"s","text":"x","options":{"txt":1}}'')', 'session_note: unknown option ''txt''%'),
  ('INSERT INTO turnstile VALUES (''session_note'', ''"s"'')', 'session_note: args must be a JSON array or %object%'),
  ('INSERT INTO turnstile VALUES (''session_note'', ''["s",'')', 'session_note: args %not valid JSON%'),
  ('INSERT INTO turnstile VALUES (''session_note'', 5)', 'session_note: args must be a JSON array or object, not an integer'),
  ('INSERT INTO turnstile VALUES (''session_note'', x''5b5d'')', 'session_note: args must be a JSON array or object, not a BLOB'),
  ('INSERT INTO turnstile VALUES (''session_note'', NULL)', 'session_note: label is missing'),
  ('INSERT INTO turnstile VALUES (''session_note'', CAST(x''5b2273222c22780079225d'' AS TEXT))', 'session_note: args %NUL%'),
  ('INSERT INTO turnstile VALUES (''session_nothing'', ''[]'')', 'turnstile: command ''session_nothing'' is unknown%'),
  ('INSERT INTO turnstile VALUES (NULL, ''[]'')', 'turnstile: command ''NULL'' is unknown%'),
  ('INSERT INTO turnstile VALUES (''SESSION_NOTE'', ''["s","x"]'')', 'turnstile: command ''SESSION_NOTE'' is unknown%'),
  ('INSERT INTO turnstile DEFAULT VALUES', 'turnstile: command ''NULL'' is unknown%');
SELECT call, iif(error_of(call) LIKE message, message, ifnull(error_of(call), '(no error)')), message FROM wrong;

---- Texts that are taken as they are

SELECT 'bytes that are no UTF-8 become the replacement character', (session_note('s', CAST(x'61ff62' AS TEXT)) > 0)
  || (SELECT data ->> '$.text' FROM observations ORDER BY id DESC LIMIT 1), '1a' || char(65533) || 'b';
SELECT 'a text that looks like a number', (session_note('s', '42') > 0) || (SELECT data ->> '$.text' FROM observations ORDER BY id DESC LIMIT 1), '142';
SELECT 'a text that looks like JSON', (session_note('s', '{"a":1}') > 0) || (SELECT data ->> '$.text' FROM observations ORDER BY id DESC LIMIT 1), '1{"a":1}';

---- Ids and names out of other systems may be numbers

INSERT INTO turnstile VALUES ('session_deliver', '["ids","add retries",{"class":"NewTask","message_id":17,"sender":42}]');
SELECT 'a number is the text of its digits', (SELECT json_array(message_id, sender) FROM deliveries WHERE session_label = 'ids'), '["17","42"]';
SELECT 'and the same id as that text',
       session_deliver('ids', 'add retries', '{"message_id":"17","sender":"42"}') ->> '$.duplicate', 1;

---- now

SELECT 'now is an option', (session_note('s', 'later', '{"now":5000000}') > 0) || ' ' || (SELECT created_at FROM observations ORDER BY id DESC LIMIT 1), '1 5000000';
SELECT 'the largest now', (session_note('s', 'last', '{"now":9007199254740991}') > 0) || ' ' || (SELECT created_at FROM observations ORDER BY id DESC LIMIT 1), '1 9007199254740991';
SELECT 'as a REAL too', (session_note('s', 'last', '{"now":9007199254740991.0}') > 0) || ' ' || (SELECT created_at FROM observations ORDER BY id DESC LIMIT 1), '1 9007199254740991';
SELECT 'and no more', error_of('SELECT session_note(''s'', ''x'', ''{"now":9007199254740992.0}'')') LIKE 'session_note: now %', 1;
SELECT 'now of 0', (session_note('s', 'first', '{"now":0}') > 0) || ' ' || (SELECT created_at FROM observations ORDER BY id DESC LIMIT 1), '1 0';
SELECT 'without it the pinned clock', (session_note('s', 'pinned') > 0) || ' ' || (SELECT created_at FROM observations ORDER BY id DESC LIMIT 1), '1 1000000';
SELECT 'turnstile_clock returns the time', turnstile_clock(7), 7;
SELECT 'turnstile_clock(NULL) lets it run', turnstile_clock(NULL), NULL;
SELECT 'without both the system''s', (session_note('s', 'now') > 0)
  || ((SELECT created_at FROM observations ORDER BY id DESC LIMIT 1) BETWEEN CAST(strftime('%s', 'now') AS INTEGER) * 1000 - 60000 AND CAST(strftime('%s', 'now') AS INTEGER) * 1000 + 60000), '11';
-- A time in seconds, or in microseconds, is told from one in milliseconds, wherever a time can stand.
CREATE TEMP TABLE at(way, call);
INSERT INTO at VALUES
  ('now', 'session_note(''s'', ''x'', ''{"now":%d}'')'),
  ('now of what only reads', 'session_state(''s'', ''{"now":%d}'')'),
  ('by name', 'session_note(''s'', ''x'', json_object(''now'', %d))'),
  ('asked_at', 'session_transition(''s'', ''AwaitingUser'', ''{"question":"?","asked_at":%d}'')'),
  ('started_at', 'turn_append(''s'', ''[{"role":"user","content":"x"}]'', ''{"started_at":%d}'')'),
  ('created_at', 'turn_append(''s'', ''[{"role":"user","content":"x","created_at":%d}]'')'),
  ('the clock', 'turnstile_clock(%d)'),
  ('stale_sessions', '(SELECT count(*) FROM stale_sessions WHERE now = %d)');
CREATE TEMP TABLE unit(name, at, ms);
INSERT INTO unit VALUES ('seconds', 1767225600, 1767225600000), ('seconds', 1300000000, 1300000000000),
  ('seconds', 4200000000, 4200000000000), ('microseconds', 1767225600123456, 1767225600123),
  ('microseconds', 4200000000000000, 4200000000000);
CREATE TEMP TABLE before_at AS SELECT dump_of() AS d;
SELECT way || ' in ' || name || ': ' || at, ifnull(error_of('SELECT ' || printf(call, at)), 'taken')
  LIKE '%' || at || ', a time in ' || name || '; it must be Unix milliseconds, such as ' || ms, 1
  FROM at, unit;
SELECT 'nothing has changed', dump_of() = d, 1 FROM before_at;
SELECT 'next to it: ' || at, error_of('SELECT session_state(''s'', ''{"now":' || at || '}'')'), NULL
  FROM (SELECT 1299999999 AS at UNION ALL SELECT 4200000001 UNION ALL SELECT 1299999999999999
        UNION ALL SELECT 4200000000000001);
SELECT 'turnstile_clock takes milliseconds', error_of('SELECT turnstile_clock(''noon'')') LIKE 'turnstile_clock: ms must be an integer%', 1;
SELECT 'turnstile_clock below 0', error_of('SELECT turnstile_clock(-1)') LIKE 'turnstile_clock: ms must be an integer%', 1;
SELECT 'turnstile_clock past 2^53', error_of('SELECT turnstile_clock(9007199254740992)') LIKE 'turnstile_clock: ms must be an integer%', 1;
SELECT turnstile_clock(1000000);

---- request_id

SELECT 'the first time', session_note('s', 'once', '{"request_id":"r1"}'), (SELECT max(id) FROM observations);
CREATE TEMP TABLE was AS SELECT dump_of() AS d, (SELECT max(id) FROM observations) AS id;
SELECT 'the second time: the same result', session_note('s', 'once', '{"request_id":"r1"}'), id FROM was;
SELECT 'by name, through the other door', value_of('INSERT INTO turnstile VALUES (''session_note'', ''{"request_id":"r1","text":"once","label":"s"}'') RETURNING turnstile_result()'), id FROM was;
SELECT 'at another time', session_note('s', 'once', '{"request_id":"r1","now":9000000}'), id FROM was;
SELECT 'nothing has changed', dump_of() = d, 1 FROM was;
SELECT 'with other arguments', error_of('SELECT session_note(''s'', ''twice'', ''{"request_id":"r1"}'')') LIKE 'session_note: request_id ''r1'' was used before%', 1;
SELECT 'with another command', error_of('SELECT session_flush(''s'', NULL, ''{"request_id":"r1"}'')') LIKE 'session_flush: request_id ''r1'' was used before%session_note%', 1;
CREATE TEMP TABLE request(command, args);
INSERT INTO request VALUES
  ('session_deliver', '["q","add retries",{"class":"NewTask","request_id":"?"}]'), ('session_choose', '["q","A",{"request_id":"?"}]'),
  ('session_start', '["q2","x",{"request_id":"?"}]'), ('session_transition', '["q","AwaitingUser",{"question":"?"},{"request_id":"?"}]'),
  ('session_observe', '["q","Plan","p",null,{"request_id":"?"}]'), ('session_relate', '["q","a:b","E","c:d",{"request_id":"?","weight":0.5}]'),
  ('session_flush', '["q",null,{"request_id":"?"}]'), ('session_compact', '["q","done",{"request_id":"?"}]'), ('session_recover', '["q",{"request_id":"?"}]'),
  ('session_run', '["q","A1","starting",null,{"request_id":"?"}]'), ('session_sweep', '[{"request_id":"?"}]'), ('turnstile_startup', '["A1",{"request_id":"?"}]'),
  ('turnstile_config', '["lease","1h",{"request_id":"?"}]');
SELECT command || ' is repeatable', iif(command = 'session_choose' AND value_of('INSERT INTO turnstile VALUES (''session_deliver'', ''["q","pool",{"class":"NewTask"}]'') RETURNING 1') IS NULL, NULL,
  value_of(printf('INSERT INTO turnstile VALUES (%Q, %Q) RETURNING turnstile_result()', command, replace(args, '"request_id":"?"', printf('"request_id":"q-%s"', command)))))
  IS value_of(printf('INSERT INTO turnstile VALUES (%Q, %Q) RETURNING turnstile_result()', command, replace(args, '"request_id":"?"', printf('"request_id":"q-%s"', command)))), 1 FROM request;
SELECT 'each is stored once', (SELECT count(*) FROM turnstile_requests WHERE request_id IN ('r1') OR request_id LIKE 'q-%'), 1 + (SELECT count(*) FROM request);
SELECT 'a failing command stores nothing', (error_of('SELECT session_note(''nobody'', ''x'', ''{"request_id":"f"}'')') IS NOT NULL) || (SELECT count(*) FROM turnstile_requests WHERE request_id = 'f'), '10';
SELECT 'so it can be tried again', (session_start('nobody', 'x') > 0) || (session_note('nobody', 'x', '{"request_id":"f"}') > 0), '11';
BEGIN;
INSERT INTO turnstile VALUES ('session_note', '["s","undone",{"request_id":"u"}]');
ROLLBACK;
SELECT 'one that was rolled back can be too', (session_note('s', 'done', '{"request_id":"u"}') > 0) || (SELECT count(*) FROM observations WHERE data LIKE '%undone%'), '10';
SELECT 'a NULL result is a result', session_recover('not there', '{"request_id":"n"}') IS NULL AND session_recover('not there', '{"request_id":"n"}') IS NULL, 1;
SELECT 'a text result keeps its type', typeof(session_flush('s', NULL, '{"request_id":"t"}')) || typeof(session_flush('s', NULL, '{"request_id":"t"}')), 'texttext';
SELECT 'an integer result keeps its type', typeof(session_note('s', 'i', '{"request_id":"i"}')) || typeof(session_note('s', 'i', '{"request_id":"i"}')), 'integerinteger';

---- Ids are whole: two that would become one are refused

SELECT 'request_id ' || what, error_of('SELECT session_note(''mended'', ''n'', ' || options || ')') LIKE 'session_note: request_id holds U+FFFD%', 1
FROM (SELECT 'with a replacement character' AS what, '''{"request_id":"r' || char(65533) || '"}''' AS options
      UNION ALL SELECT 'with an escaped NUL', '''{"request_id":"r\u0000"}'''
      UNION ALL SELECT 'with half a pair', '''{"request_id":"r\ud800"}'''
      UNION ALL SELECT 'with a byte that is no UTF-8', 'CAST(x''7b22726571756573745f6964223a2272fc227d'' AS TEXT)');
SELECT 'message_id', error_of('SELECT session_deliver(''mended'', ''hello'', ''{"message_id":"m\ud800"}'')') LIKE 'session_deliver: message_id holds U+FFFD%', 1;
SELECT 'sender', error_of('SELECT session_deliver(''mended'', ''hello'', ''{"sender":"\udfff"}'')') LIKE 'session_deliver: sender holds U+FFFD%', 1;
SELECT 'channel', error_of('SELECT session_deliver(''mended'', ''hello'', ''{"channel":"\udfff"}'')') LIKE 'session_deliver: channel holds U+FFFD%', 1;
SELECT 'owner', error_of('SELECT session_deliver(''mended'', ''hello'', ''{"owner":"w\ud800"}'')') LIKE 'session_deliver: owner holds U+FFFD%', 1;
SELECT 'an envelope''s ' || what, error_of('SELECT session_deliver(''mended'', ''hello'', ''{"envelope":{' || field || '}}'')') LIKE 'session_deliver: envelope: ' || what || ' holds U+FFFD%', 1
FROM (SELECT 'channel' AS what, '"channel":"c\ud800","sender_id":"s"' AS field UNION ALL SELECT 'sender_id', '"channel":"c","sender_id":"s\u0000"');
-- A label: in every place where a command takes one, whatever stands for what is no text.
CREATE TEMP TABLE takes(command, args);
INSERT INTO takes VALUES ('session_deliver', '["?","x"]'), ('session_start', '["?","x"]'), ('session_transition', '["?","Running"]'), ('session_state', '["?"]'),
  ('session_note', '["?","x"]'), ('session_observe', '["?","Note","{}"]'), ('session_relate', '["?","a:b","c","d:e"]'), ('session_flush', '["?"]'), ('session_compact', '["?"]'),
  ('session_recover', '["?"]'), ('session_progress', '["?"]'), ('session_choose', '["?","A"]'), ('session_run', '["?","w","idle"]'), ('turn_append', '["?",[{"role":"user","content":"x"}]]'),
  ('turn_begin', '["?","w"]'), ('turn_compact', '["?","x"]'), ('session_fork', '[1,"?"]'), ('session_rewind', '["?",1]'), ('session_usage', '["?"]'), ('session_needs_compaction', '["?",1]'),
  ('session_diagram', '["?"]'), ('session_spawn', '["?","x"]'), ('session_spawn', '["mended","x",{"label":"?"}]'), ('session_report', '["?","completed","x"]'), ('queue_push', '["?","x"]'),
  ('session_alias', '["?","mended"]'), ('session_alias', '["nick","?"]'), ('resolve_session', '["?"]'), ('session_archive', '["?"]'), ('session_unarchive', '["?"]'), ('session_suspend', '["?"]'),
  ('session_resume', '["?"]'), ('session_fail', '["?","x"]'), ('session_reopen', '["?"]'), ('session_delete', '["?"]'), ('session_export', '["?"]'), ('session_import', '["{}",{"as":"?"}]'),
  ('turnstile_config', '["lease",null,{"session":"?"}]'), ('turn_tool_call', '[1,1,"c","t",null,{"spawned_session_label":"?"}]');
CREATE TEMP TABLE broken(what, esc, reads);
INSERT INTO broken VALUES ('U+FFFD', char(65533), 1), ('an escaped NUL', '\u0000', 1), ('half a pair', '\ud800', 1), ('a byte', CAST(x'fc' AS TEXT), 1);
SELECT command || ', ' || what, error_of('INSERT INTO turnstile VALUES (''' || command || ''', ''' || replace(args, '?', 'l' || esc) || ''')') LIKE command || ': % holds U+FFFD%whole', 1
FROM takes, broken WHERE NOT (reads AND command IN ('session_delete', 'session_archive', 'session_state', 'session_progress', 'session_usage', 'session_needs_compaction',
  'session_diagram', 'resolve_session', 'session_export'));
SELECT 'reading one that was mended', error_of('SELECT session_state(CAST(x''6cfc'' AS TEXT))') LIKE 'session_state: label holds U+FFFD%', 1;
SELECT 'a NUL given as it is', error_of('SELECT session_deliver(''a'' || char(0) || ''b'', ''x'')') LIKE 'session_deliver: label holds U+FFFD%', 1;
SELECT 'no session was made', (SELECT count(*) FROM sessions WHERE instr(label, char(65533))), 0;
-- What an older version made under such a label can be looked at, taken along, and put away.
INSERT INTO sessions(label, created_at, updated_at, last_activity) VALUES ('l' || char(65533), 1, 1, 1);
INSERT INTO session_events(session_label, axis, from_state, to_state, "trigger", at) VALUES ('l' || char(65533), 'status', NULL, 'active', 'create', 1);
SELECT 'the check names it', (SELECT group_concat(rule) FROM turnstile_check WHERE session_label LIKE 'l%' AND rule = 'session_label'), 'session_label';
SELECT 'its state', session_state('l' || char(65533)) ->> '$.status', 'active';
CREATE TEMP TABLE parcel AS SELECT session_export('l' || char(65533)) AS json;
SELECT 'it goes', session_delete('l' || char(65533)) ->> '$.events', 1;
SELECT 'and can''t come back so', error_of('SELECT session_import((SELECT json FROM parcel))'), 'session_import: json: label holds U+FFFD, as no label may; the option as imports under another one';
SELECT 'but under another name', session_import(json, '{"as":"l whole"}') ->> '$.session', 'l whole' FROM parcel;
SELECT 'a policy makes none', error_of('INSERT INTO session_policies(name, key_template, priority) VALUES (''t'', ''x' || char(65533) || '{delivery.channel}'', 999)') LIKE '%key_template holds U+FFFD%', 1;
SELECT 'a call names none', error_of('SELECT turn_append(''mended'', ''[{"role":"user","content":"x"},{"role":"assistant","content":"","tool_calls":[{"id":"c","name":"t","params":{},"spawned_session_label":"l\u0000"}]}]'')') LIKE '%spawned_session_label holds U+FFFD%', 1;
SELECT 'a message is mended', session_deliver('mended', 'add retries to caf' || CAST(x'e9' AS TEXT)) ->> '$.action', 'start';

---- Durations, and words that are nothing but white space

SELECT session_start('durations', 't');
SELECT turn_begin('durations', 'w', '{"messages":[{"role":"user","content":"x"}]}') ->> '$.turn';
SELECT 'a duration below nothing: ' || column1, error_of(printf(column2, turn_id, token)),
  column3 || ' is -5; it must be a duration such as 90s, 24h or 7 days, or milliseconds from 0 on'
  FROM session_runs, (VALUES ('retry_after', 'SELECT turn_fail(%d, %d, ''no'', ''{"retry_after":-5}'')', 'turn_fail: retry_after'),
    ('lease', 'SELECT turn_heartbeat(%d, %d, ''{"lease":-5}'')', 'turn_heartbeat: lease')) WHERE session_label = 'durations';
SELECT 'years have no fixed length', error_of(printf('SELECT turn_fail(%d, %d, ''no'', ''{"retry_after":"2 years"}'')', turn_id, token)),
  'turn_fail: retry_after is ''2 years''; it must be a duration such as 90s, 24h or 7 days, or milliseconds'
  FROM session_runs WHERE session_label = 'durations';
SELECT 'every unit that the manual names: ' || value, turn_heartbeat(turn_id, token, json_object('lease', '1 ' || value)) IS NOT NULL, 1
  FROM session_runs, json_each('["s","sec","second","seconds","m","min","minutes","h","hr","hour","hours"]')
  WHERE session_label = 'durations';
SELECT 'a blank question of a turn', error_of(printf('SELECT turn_complete(%d, %d, %Q)', turn_id, token,
  json_object('outcome', 'question', column1, char(160) || ' '))), 'turn_complete: result.' || column1 || ' must be text, not empty'
  FROM session_runs, (VALUES ('question'), ('summary')) WHERE session_label = 'durations';
SELECT 'blank ' || column1, error_of(printf('SELECT session_transition(''durations'', %Q, %Q)', column2,
  json_object(column1, ' ' || char(10) || char(8203)))), 'session_transition: data.' || column1 || ' is empty; it must hold more than white space'
  FROM (VALUES ('question', 'AwaitingUser'), ('summary', 'PendingComplete'));
SELECT 'and nothing has moved', session_state('durations') ->> '$.task_state', 'Running';
