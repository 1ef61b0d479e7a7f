-- import.sql - session_import: a document becomes a session, all of it or nothing. handoff.sql and handoff_model.py have
-- what it verifies.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT session_start('main', 'Add retries');
SELECT session_observe('main', 'FileRead', '{"path":"a"}', 'text');
SELECT session_flush('main');
SELECT queue_push('main', 'test it');
SELECT turn_append('main', '[{"role":"user","content":"Add retries"},{"role":"assistant","content":"I look"}]');
CREATE TEMP TABLE e AS SELECT session_export('main') AS j;
CREATE TEMP TABLE r AS SELECT session_import(j, '{"as":"copy"}') AS r, j FROM e;
SELECT 'a report', json_extract(r, '$.session', '$.unchanged', '$.turns', '$.messages', '$.tasks', '$.commits', '$.steps', '$.objects', '$.inputs', '$.waiting', '$.aliases_left_out'),
  '["copy",false,1,2,1,0,2,1,1,1,[]]' FROM r;
SELECT 'the hash of the document', r ->> '$.hash', j ->> '$.hash' FROM r;
SELECT 'the session says the same', session_export('copy') ->> '$.hash', j ->> '$.hash' FROM r;
SELECT 'and goes on', session_note('copy', 'here') > 0, 1;
SELECT 'the first one is as it was', session_export('main') ->> '$.hash', j ->> '$.hash' FROM r;
SELECT 'its label is taken', error_of(printf('SELECT session_import(%Q)', j)), 'session_import: label ''main'' is taken; the option as imports under another one, replace puts it in that one''s place' FROM e;
SELECT session_alias('nick', 'main');
SELECT 'an alias is taken', error_of(printf('SELECT session_import(%Q, ''{"as":"nick"}'')', j)), 'session_import: label ''nick'' is an alias of session ''main''; the option as imports under another one' FROM e;
SELECT 'replace', json_extract(session_import(j, '{"as":"copy","replace":1}'), '$.session', '$.unchanged'), '["copy",false]' FROM e;
SELECT 'what was there is gone', (SELECT count(*) FROM observations WHERE session_label = 'copy' AND data LIKE '%here%'), 0;

---- Both doors, a repeated request

INSERT INTO turnstile(command, args) SELECT 'session_import', json_array(json(j), json('{"as":"d1"}')) FROM e RETURNING 'the door, as an object', turnstile_result() ->> '$.session', 'd1';
INSERT INTO turnstile(command, args) SELECT 'session_import', json_object('json', j, 'as', 'd2') FROM e RETURNING 'by names, as text', turnstile_result() ->> '$.session', 'd2';
SELECT 'once more: nothing is done', json_extract(session_import(j, '{"as":"d2"}'), '$.unchanged', '$.turns'), '[true,1]' FROM e;
BEGIN;
SELECT session_import(j, '{"as":"back"}') FROM e;
ROLLBACK;
SELECT 'rolled back', session_state('back'), NULL;

---- Refusals

CREATE TEMP TABLE wrong(json, error);
INSERT INTO wrong SELECT NULL, 'json is missing' UNION ALL SELECT '{', 'json is not valid JSON' UNION ALL SELECT '[]', 'json: turnstile_export is missing; it must be what session_export returned'
  UNION ALL SELECT '{}', 'json: turnstile_export is missing; it must be what session_export returned'
  UNION ALL SELECT json_set(j, '$.turnstile_export', 3), 'json: turnstile_export must be from 1 to 2, the formats that this library reads' FROM e
  UNION ALL SELECT json_set(j, '$.nope', 3), 'json has no field ''nope''; it must be what session_export returned' FROM e
  UNION ALL SELECT json_set(j, '$.hash', printf('%.64c', 'a')), 'json: hash does not match the content, whose hash is ' || (j ->> '$.hash') FROM e;
SELECT ifnull(substr(json, 1, 30), 'NULL'), error_of(printf('SELECT session_import(%Q, ''{"as":"new"}'')', json)), 'session_import: ' || error FROM wrong;
SELECT 'a change of the content', error_of(printf('SELECT session_import(%Q, ''{"as":"new"}'')', json_set(j, '$.content.tasks[0].description', 'Other'))) LIKE 'session_import: json: %', 1 FROM e;
SELECT 'none of these has made the session', session_state('new'), NULL;
SELECT turn_begin('copy', 'w', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
SELECT 'a session at work is not replaced', error_of(printf('SELECT session_import(%Q, ''{"as":"copy","replace":1}'')', j)),
  'session_import: session ''copy'' is busy: ''w'' executes it, with a lease until 1767225900000; session_delete with force stops it' FROM e;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;

---- The longest of everything comes through

CREATE TEMP TABLE longest(label, channel, sender, message_id);
INSERT INTO longest VALUES (printf('%.1024c', 'l'), printf('%.256c', 'c'), printf('%.256c', 's'), printf('%.256c', 'm'));
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, printf('%.1048576c', 'x'), json_object('class', 'NewTask', 'channel', channel, 'sender', sender, 'message_id', message_id)) FROM longest;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, 'next', json_object('channel', channel, 'sender', sender, 'message_id', 'n' || substr(message_id, 2))) FROM longest;
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"hi"}]')) FROM longest;
CREATE TEMP TABLE went AS SELECT session_export(label) AS j FROM longest;
CREATE TEMP TABLE came AS SELECT session_import(j, '{"as":"longest"}') ->> '$.session' AS label FROM went;
SELECT 'they are as they were', session_export(label) ->> '$.hash', j ->> '$.hash' FROM came, went;
SELECT 'as long as can be', (SELECT max(length(channel)) || ' ' || max(length(sender)) || ' ' || max(length(message_id)) || ' ' || max(length(message)) FROM session_queue WHERE session_label = 'longest'), '256 256 256 1048576';

---- What lies deep in the data of a state, or under a long name, comes through as it is

CREATE TEMP TABLE deep(data);
INSERT INTO deep SELECT json(replace(replace('{"question":"Which?","a":DEEP,"NAME":{"b":[2,{"c":"}"}]},"z":[DEEP,1],"last":[{}]}', 'DEEP', '[[[[[[[{"x":[1,"]",{}]},2]]]]]]]'), 'NAME', printf('%.300c', 'n')));
INSERT INTO turnstile VALUES ('session_start', '["deep","add retries"]');
INSERT INTO turnstile SELECT 'session_transition', json_array('deep', 'AwaitingUser', json(data)) FROM deep;
INSERT INTO turnstile SELECT 'turn_append', json_array('deep', json_array(json_object('role', 'user', 'content', 'go on', 'metadata', json(data)))) FROM deep;
CREATE TEMP TABLE deep_went AS SELECT session_export('deep') AS j;
SELECT 'it is imported', session_import(j, '{"as":"deep copy"}') ->> '$.session', 'deep copy' FROM deep_went;
SELECT 'and says the same', session_export('deep copy') ->> '$.hash', j ->> '$.hash' FROM deep_went;
SELECT label || ': the state', json_remove(session_state(label) -> '$.state_data', '$.asked_at'), data FROM sessions, deep WHERE label IN ('deep', 'deep copy');
SELECT label || ': the metadata', m.metadata, data FROM deep, sessions JOIN messages AS m ON m.turn_id = thread_id WHERE label IN ('deep', 'deep copy');

---- A document whose hash is right, and which says what cannot be

SELECT turn_append('sealed', '[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]') > 0;
SELECT turn_append('sealed', '[{"role":"user","content":"and?"}]') > 0;
CREATE TEMP TABLE half AS SELECT turn_begin('sealed', 'w', '{"messages":[{"role":"user","content":"go"}]}') AS r;
SELECT turn_message(r ->> '$.turn', r ->> '$.token', '{"role":"assistant","content":"half"}') IS NOT NULL FROM half;
SELECT turn_fail(r ->> '$.turn', r ->> '$.token', 'boom') IS NOT NULL FROM half;
CREATE TEMP TABLE sealed(n INTEGER PRIMARY KEY, path, value, json, error, problem);
INSERT INTO sealed(path, value, problem) VALUES
  ('session.failed_turn', NULL, 'turns[2].n stands beside the thread for no turn'),
  ('session.failed_turn', 1, 'session.failed_turn is not a failed turn that the next one can resume'),
  ('session.failed_turn', 4, 'session.failed_turn is 4, and turns has 3 rows'),
  ('session.failed_turn', 0, 'session.failed_turn must be the number of a row of turns'),
  ('session.head', 3, 'turns[2].on_path must be 1 in the thread'),
  ('session.head', NULL, 'turns[0].on_path must be 0 beside the thread'),
  ('turns[2].resumes', 3, 'turns[2].resumes leads back to the turn itself'),
  ('turns[2].parent', 1, 'turns[1].nth must be 2: so many turns of its parent are there up to it'),
  ('turns[2].parent', 3, 'turns[2].parent is not a turn of the thread'),
  ('turns[2].parent', NULL, 'session.failed_turn is not a failed turn that the next one can resume'),
  ('turns[2].on_path', 1, 'turns[2].on_path does not fit the status'),
  ('turns[2].on_path', 2, 'turns[2].on_path must be an integer from 0 to 1'),
  ('turns[2].status', 'completed', 'turns[2].on_path does not fit the status'),
  ('turns[2].status', 'odd', 'turns[2].status is ''odd'', which is not one of its words'),
  ('turns[2].n', 4, 'turns[2].n must be 3, the row''s number'),
  ('turns[2].nth', 2, 'turns[2].nth must be 1: so many turns of its parent are there up to it'),
  ('turns[2].nth', 0, 'turns[2].nth must be an integer from 1 to 9007199254740991'),
  ('turns[2].turn_type', 'compaction', 'turns[2].status must be completed: the turn is a compaction'),
  ('turns[2].context', 2, 'turns[2].context is neither that of the parent nor a compaction beside the turn'),
  ('turns[2].answers', 3, 'turns[2].answers is not a turn above'),
  ('turns[2].inputs', -1, 'turns[2].inputs must be an integer from 0 to 4096'),
  ('turns[2].model', printf('%.257c', 'x'), 'turns[2].model is 257 bytes long; at most 256 are allowed'),
  ('turns[2].completed_at', NULL, 'turns[2].completed_at must not be null'),
  ('turns[1].status', 'failed', 'turns[1].on_path does not fit the status'),
  ('turns[0].parent', 1, 'turns[0].parent is not the turn before'),
  ('turns[0].parent', 2, 'turns[0].parent is not the turn before'),
  ('messages[0].turn', 2, 'turns[0].n is a turn without messages'),
  ('messages[0].turn', 9, 'messages[0].turn is 9, and turns has 3 rows'),
  ('messages[0].role', 'nobody', 'messages[0].role is ''nobody'', which is not one of its words');
UPDATE sealed SET json = (SELECT json_set(session_export('sealed'), '$.content.' || path, value));
CREATE TEMP TABLE sealed_said_1 AS SELECT n, error_of(printf('SELECT session_import(%Q, ''{"as":"seal"}'')', json)) AS error FROM sealed;
UPDATE sealed SET error = (SELECT error FROM sealed_said_1 AS s WHERE s.n = sealed.n);
UPDATE sealed SET json = json_set(json, '$.hash', substr(error, -64)) WHERE error LIKE '%whose hash is %';
CREATE TEMP TABLE sealed_said_2 AS SELECT n, error_of(printf('SELECT session_import(%Q, ''{"as":"seal"}'')', json)) AS error FROM sealed WHERE error LIKE '%whose hash is %';
UPDATE sealed SET error = (SELECT error FROM sealed_said_2 AS s WHERE s.n = sealed.n) WHERE n IN (SELECT n FROM sealed_said_2);
SELECT path || ' = ' || quote(value), error, 'session_import: json: ' || problem FROM sealed;
SELECT 'none of them has made the session', (SELECT count(*) FROM sessions WHERE label = 'seal'), 0;

---- Settings of each type, at their bounds

SELECT turn_append('set', '[{"role":"user","content":"hi"}]') > 0;
CREATE TEMP TABLE setting(n INTEGER PRIMARY KEY, rows, fits, json, error);
INSERT INTO setting(rows, fits) SELECT json_array(json_object('key', json_extract(value, '$[0]'), 'value', json_extract(value, '$[1]'))), json_extract(value, '$[2]') FROM json_each('[
  ["new_task_policy","prompt",1],["new_task_policy","switch",1],["new_task_policy","swit",0],["new_task_policy","reopen",0],["new_task_policy",1,0],["queue_full","reject",1],["queue_full","drop-oldest",1],["queue_full","",0],
  ["classify_below","guess",1],["classify_below","ask",1],["classify_below","asked",0],["queue_cap",0,0],["queue_cap",1,1],["queue_cap","1",0],["keeps_turns",0,1],["keeps_turns",1,1],["keeps_turns",2,0],["keeps_turns",-1,0],
  ["compaction_threshold",0,0],["compaction_threshold",1,1],["compaction_threshold",100,1],["compaction_threshold",101,0],["classify_floor",0,1],["classify_floor",1000,1],["classify_floor",1001,0],["lease",999,0],["lease",1000,1],
  ["lease",31536000000,1],["lease",31536000001,0],["summarization_model","m",1],["summarization_model","",0],["summarization_model",5,0],["names","Bob",1],["names","",0],["names",5,0],["text.context.retried","x",1],["text.context.retried",5,0],
  ["text.context.nothing","x",0],["text.","x",0],["textual","x",0],["test.context.retried","x",0],["tex","x",0]]');
INSERT INTO setting(rows, fits) SELECT json_array(json_object('key', 'text.context.retried', 'value', printf('%.*c', value, 'x'))), value <= 4096 FROM json_each('[4095,4096,4097]');
INSERT INTO setting(rows, fits) VALUES ('[{"key":"lease","value":1000},{"key":"queue_cap","value":1}]', 1), ('[{"key":"queue_cap","value":1},{"key":"lease","value":1000}]', 0),
  ('[{"key":"lease","value":1000},{"key":"lease","value":1000}]', 0), ('[{"key":"queue_mode","value":"queue"},{"key":"queue_mode_user","value":"queue"}]', 1),
  ('[{"key":"queue_mode_user","value":"queue"},{"key":"queue_mode","value":"queue"}]', 0);
UPDATE setting SET json = (SELECT json_set(session_export('set'), '$.content.config', json(rows)));
CREATE TEMP TABLE setting_said_3 AS SELECT n, error_of(printf('SELECT session_import(%Q, ''{"as":"set %d"}'')', json, n)) AS error FROM setting;
UPDATE setting SET error = (SELECT error FROM setting_said_3 AS s WHERE s.n = setting.n);
UPDATE setting SET json = json_set(json, '$.hash', substr(error, -64)) WHERE error LIKE '%whose hash is %';
CREATE TEMP TABLE setting_said_4 AS SELECT n, error_of(printf('SELECT session_import(%Q, ''{"as":"set %d"}'')', json, n)) AS error FROM setting WHERE error LIKE '%whose hash is %';
UPDATE setting SET error = (SELECT error FROM setting_said_4 AS s WHERE s.n = setting.n) WHERE n IN (SELECT n FROM setting_said_4);
SELECT 'settings: ' || substr(rows, 1, 90), error IS NULL, fits FROM setting;
SELECT 'what is wrong with one: ' || substr(rows, 1, 90), iif(json_array_length(rows) = 2, error = 'session_import: json: config[1].key is not behind the one before',
  error LIKE 'session_import: json: config[0].value %'), 1 FROM setting WHERE NOT fits;
SELECT 'it has them: ' || substr(rows, 1, 90), (SELECT json_group_array(json_object('key', key, 'value', value)) FROM (SELECT key, value FROM turnstile_config WHERE session_label = 'set ' || n ORDER BY key)), rows FROM setting WHERE fits;

---- What is said around the content, at its bounds

CREATE TEMP TABLE around(n INTEGER PRIMARY KEY, path, value, fits);
INSERT INTO around(path, value, fits) VALUES ('uuid', '', 1), ('uuid', printf('%.256c', 'u'), 1), ('uuid', printf('%.257c', 'u'), 0), ('label', 'l', 1), ('label', printf('%.1024c', 'l'), 1), ('label', printf('%.1025c', 'l'), 0),
  ('label', '', 0), ('exported_at', 0, 1), ('exported_at', -1, 0), ('exported_at', 9007199254740991, 1), ('exported_at', 9007199254740992, 0), ('turnstile_export', 2, 1), ('turnstile_export', 3, 0);
SELECT path || ' ' || length(value) || ' ' || substr(value, 1, 20), error_of(printf('SELECT session_import(%Q, ''{"as":"around %d"}'')', json_set(session_export('set'), '$.' || path, value), n)) IS NULL, fits FROM around;

---- What an id is made of can't be another

INSERT INTO turnstile VALUES ('session_start', '["hashed","write it"]'), ('session_observe', '["hashed","FileWrite",{"path":"a.c"},"int main;"]'), ('session_note', '["hashed","as CSV"]'), ('session_flush', '["hashed","Plan"]'),
  ('session_relate', '["hashed","file:a.c","DependsOn","task:x",{"weight":0.25,"evidence":"e"}]'), ('session_transition', '["hashed","AwaitingUser",{"question":"q"}]'), ('session_transition', '["hashed","Running"]'),
  ('session_transition', '["hashed","Aborted",{"reason":"no use"}]'), ('session_compact', '["hashed"]'), ('session_start', '["hashed","next"]'), ('session_note', '["hashed","n"]'), ('session_compact', '["hashed","done"]');
CREATE TEMP TABLE hashed(n INTEGER PRIMARY KEY, path, json, error);
INSERT INTO hashed(path, json) SELECT replace(t.fullkey, '"', ''), json_set(e.j, t.fullkey, CASE t.type WHEN 'integer' THEN t.atom + 1
    WHEN 'text' THEN CASE WHEN t.atom LIKE '{%' THEN replace(t.atom, '"}', '!"}') WHEN t.atom = 'Abandoned' THEN 'Normal' WHEN t.key = 'kind' AND t.atom = 'Note' THEN 'Plan' WHEN t.atom = 'FileWrite' THEN 'FileRead' WHEN t.key = 'step_kind' THEN iif(t.atom = 'Note', 'Plan', 'Note') WHEN t.atom = 'Running' THEN 'Interrupted' WHEN t.key = 'payload' THEN '[]' ELSE t.atom || '1' END ELSE 'x' END)
  FROM (SELECT session_export('hashed') AS j) AS e, json_tree(e.j, '$.content') AS t
  WHERE t.type IN ('integer', 'text') AND NOT (t.key = 'payload' AND t.atom = '[]') AND NOT (t.key = 'step_kind' AND t.atom = 'SessionStart') AND (t.fullkey LIKE '%commits%' OR t.fullkey LIKE '%steps%' OR t.fullkey LIKE '%observations%' OR t.fullkey LIKE '%objects%' OR t.fullkey LIKE '%edges%');
CREATE TEMP TABLE hashed_said_5 AS SELECT n, error_of(printf('SELECT session_import(%Q, ''{"as":"hashed %d"}'')', json, n)) AS error FROM hashed;
UPDATE hashed SET error = (SELECT error FROM hashed_said_5 AS s WHERE s.n = hashed.n);
UPDATE hashed SET json = json_set(json, '$.hash', substr(error, -64)) WHERE error LIKE '%whose hash is %';
CREATE TEMP TABLE hashed_said_6 AS SELECT n, error_of(printf('SELECT session_import(%Q, ''{"as":"hashed %d"}'')', json, n)) AS error FROM hashed WHERE error LIKE '%whose hash is %';
UPDATE hashed SET error = (SELECT error FROM hashed_said_6 AS s WHERE s.n = hashed.n) WHERE n IN (SELECT n FROM hashed_said_6);
SELECT 'another value is refused: ' || path, error IS NULL, path LIKE '%.auto' AND path NOT LIKE '%[2].auto' FROM hashed;
SELECT 'it is part of an id: ' || path, error LIKE 'session_import: json: % does not match its content' OR error LIKE '%.payload does not list the observations of the step, and then relations of the document', 1 FROM hashed
WHERE path LIKE '%.created_at' OR path LIKE '%state_data' OR path LIKE '%type_data' OR path LIKE '%.message' OR path LIKE '%.data' AND path NOT LIKE '%objects%' OR path LIKE '%kind' AND path NOT LIKE '%objects%' OR path LIKE '%.label' OR path LIKE '%.evidence' OR path LIKE '%.commit_type' AND path LIKE '%[0]%'
  OR path LIKE '%[1].payload' OR path LIKE '%.state' AND path NOT LIKE '%[3]%';
SELECT 'there were such', count(*) > 25, 1 FROM hashed WHERE error LIKE '%does not match its content';
