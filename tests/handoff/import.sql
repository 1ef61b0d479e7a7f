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
