-- later.sql - inputs that are tried again later, and how long what is collected waits.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);
CREATE TEMP TABLE took(n INTEGER PRIMARY KEY, label, r);
CREATE TEMP VIEW last(label, turn, token, r) AS SELECT label, r ->> '$.turn', r ->> '$.token', r
  FROM took AS t WHERE n = (SELECT max(n) FROM took WHERE label = t.label);
CREATE TEMP VIEW given(label, texts) AS SELECT label, (SELECT group_concat((value ->> '$.content') || (value ->> '$.attempt'), ' ')
  FROM json_each(r, '$.messages')) FROM last;

---- retry_after: who could hand it over does not

CREATE TEMP TABLE came(label, way);
INSERT INTO came SELECT value, value FROM json_each('["deliver","owner","begin","sweep","startup","recover","choose","timer","push","compact"]');
INSERT INTO took(label, r) SELECT label, session_deliver(label, 'a', '{"owner":"w","class":"NewTask"}') -> '$.turn' FROM came;
CREATE TEMP TABLE failed AS SELECT label, turn_fail(turn, token, '429 slow down', '{"retry_after":"60s"}') AS r FROM last;
SELECT label || ': the answer says when', json_extract(r, '$.waiting', '$.due_at'), '[1,1060000]' FROM failed;
SELECT label || ': so does the list, and why', (SELECT json_array(status, attempts, due_at, error) FROM queue_list AS q WHERE q.session_label = came.label),
  '["pending",0,1060000,"429 slow down"]' FROM came;
SELECT label || ': and its state', session_state(label) ->> '$.due_at', 1060000 FROM came;
SELECT turnstile_clock(1059999);
SELECT 'turn_begin takes nothing', turn_begin('begin', 'w'), NULL;
SELECT 'nor with an owner', json_extract(session_deliver('owner', 'b', '{"owner":"w","class":"Modification"}'), '$.action', '$.turn', '$.due_at', '$.state'), '["queue",null,1060000,"Running"]';
SELECT 'a message waits behind it', json_extract(session_deliver('deliver', 'b', '{"class":"Modification"}'), '$.action', '$.inputs', '$.due_at'), '["queue",null,1060000]';
SELECT 'a timer''s too', json_extract(session_deliver('timer', 'b', '{"source":"timer"}'), '$.action', '$.inputs'), '["queue",null]';
SELECT '/compact too', session_deliver('compact', '/compact') ->> '$.action', 'queue';
SELECT 'and what is pushed', queue_push('push', 'b') > 0, 1;
SELECT 'a choice still asks', session_deliver('choose', 'b', '{"class":"NewTask"}') ->> '$.action', 'prompt';
SELECT 'its answer hands nothing over', json_extract(session_choose('choose', 'continue'), '$.action', '$.inputs', '$.turn'), '["continue",null,null]';
SELECT session_sweep() IS NOT NULL, turnstile_startup(NULL, '{"all":1}') IS NOT NULL, session_recover('recover') IS NOT NULL;
SELECT 'recovering shows when and why', json_extract(session_recover('recover'), '$.queued[0].due_at', '$.queued[0].error', '$.handed'), '[1060000,"429 slow down",[]]';
SELECT 'nobody was handed anything', (SELECT count(*) FROM session_queue WHERE status <> 'pending'), 0;
SELECT 'an approval is nothing that is handed', session_deliver('push', 'thanks', '{"class":"Confirmation"}') ->> '$.action', 'acknowledge';
SELECT turnstile_clock(1060000);
INSERT INTO took(label, r) SELECT label, turn_begin(label, 'w') FROM came;
SELECT label || ': then it is taken, and the attempt is the first', texts, 'a1' FROM given JOIN came USING (label);
SELECT 'what came meanwhile is next', (SELECT group_concat(message) FROM queue_list WHERE session_label = 'deliver' AND status = 'pending'), 'b';
SELECT turn_complete(turn, token, '{"content":"done"}') FROM last;
SELECT 'one that is done with says no error', (SELECT count(*) FROM session_queue WHERE status = 'delivered' AND error IS NOT NULL), 0;
-- Delivered after its time: what waited and the new one go together, in their order.
INSERT INTO took(label, r) SELECT 'both', session_deliver('both', 'a', '{"owner":"w","class":"NewTask"}') -> '$.turn';
SELECT turn_fail(turn, token, '429', '{"retry_after":1000}') FROM last WHERE label = 'both';
SELECT 'both, in order', (SELECT group_concat(value ->> '$.message') FROM json_each(session_deliver('both', 'b', '{"class":"Modification","now":1061000}'), '$.inputs')), 'a,b';

---- Three quick 429s, and more

INSERT INTO took(label, r) SELECT 'slow', session_deliver('slow', 'a', '{"owner":"w","class":"NewTask"}') -> '$.turn';
CREATE TEMP TRIGGER try INSTEAD OF INSERT ON given BEGIN
  INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, '429 number ' || NEW.texts, json_object('retry_after', 0)) FROM last WHERE label = NEW.label;
  INSERT INTO turnstile VALUES ('turn_begin', json_array(NEW.label, 'w'));
  INSERT INTO took(label, r) SELECT NEW.label, json_object('turn', turn_id, 'token', token) FROM session_runs WHERE session_label = NEW.label;
END;
INSERT INTO given SELECT 'slow', value FROM json_each('[1,2,3,4,5,6,7]');
SELECT 'seven times, and it is the first attempt', (SELECT json_array(status, attempts, error) FROM queue_list WHERE session_label = 'slow'), '["processing",1,"429 number 7"]';
INSERT INTO turnstile VALUES ('session_start', '["noted","x"]');
INSERT INTO took(label, r) SELECT 'noted', session_deliver('noted', 'five', '{"owner":"w","class":"Modification"}') -> '$.turn';
INSERT INTO given SELECT 'noted', value FROM json_each('[1,2,3]');
SELECT 'it leaves one note', (SELECT count(*) FROM observations WHERE session_label = 'noted' AND data ->> '$.note' = 'intervention'), 1;
SELECT turn_fail(turn, token, 'broken') FROM last WHERE label = 'slow';
-- Without the option each counts, and the cause is kept.
INSERT INTO took(label, r) SELECT 'slow', turn_begin('slow', 'w');
SELECT turn_fail(turn, token, 'broken too') FROM last WHERE label = 'slow';
SELECT 'why, while it waits', (SELECT json_array(status, attempts, error, due_at) FROM queue_list WHERE session_label = 'slow'), '["pending",2,"broken too",null]';
INSERT INTO took(label, r) SELECT 'slow', turn_begin('slow', 'w');
SELECT turn_fail(turn, token, 'out of credit') FROM last WHERE label = 'slow';
SELECT 'why it failed', (SELECT json_array(status, attempts, error) FROM queue_list WHERE session_label = 'slow'), '["failed",3,"out of credit"]';
SELECT 'where somebody looks', (SELECT detail FROM session_attention WHERE session_label = 'slow' AND reason = 'failed_input'), 'out of credit: a';
SELECT 'and where one recovers', session_recover('slow') ->> '$.failed[0].error', 'out of credit';

---- What it is not for

INSERT INTO took(label, r) SELECT 'done', session_deliver('done', 'a', '{"owner":"w","class":"NewTask"}') -> '$.turn';
SELECT turn_tool_call(turn, token, 'c', 'bash') FROM last WHERE label = 'done';
SELECT 'what has recorded something is not tried by itself', json_extract(turn_fail(turn, token, '429', '{"retry_after":"1s"}'), '$.waiting', '$.note'),
  '[0,"retry_after ignored: the turn has recorded something, and nothing is done twice by itself"]' FROM last WHERE label = 'done';
INSERT INTO took(label, r) SELECT 'long', session_deliver('long', 'a', '{"owner":"w","class":"NewTask"}') -> '$.turn';
SELECT 'no longer than a year', error_of(printf('SELECT turn_fail(%d, %d, ''e'', ''{"retry_after":"366 days"}'')', turn, token)),
  'turn_fail: retry_after is 31622400000 ms; it must be from 0 to 31536000000, a year' FROM last WHERE label = 'long';
SELECT 'a number of seconds is noticed: ' || v, error_of(printf('SELECT turn_fail(%d, %d, ''e'', ''{"retry_after":%s}'')', turn, token, v)),
  'turn_fail: retry_after is ' || ms || ' ms, less than a second; for seconds write ''' || ms || ' s'', for milliseconds ''' || ms || ' ms'''
  FROM last, (SELECT '30' AS v, 30 AS ms UNION ALL SELECT '30.0', 30 UNION ALL SELECT '1', 1 UNION ALL SELECT '999', 999) WHERE label = 'long';
SELECT 'so is the header as it came: ' || v, error_of(printf('SELECT turn_fail(%d, %d, ''e'', ''{"retry_after":"%s"}'')', turn, token, v)),
  'turn_fail: retry_after is ''' || v || ''', without a unit; it must be a duration such as ''30 s'', or an integer in milliseconds'
  FROM last, (SELECT '30' AS v UNION ALL SELECT ' 30 ' UNION ALL SELECT '3600' UNION ALL SELECT '1') WHERE label = 'long';
SELECT 'an HTTP date is no duration', error_of(printf('SELECT turn_fail(%d, %d, ''e'', ''{"retry_after":"Wed, 21 Oct 2026 07:28:00 GMT"}'')', turn, token)) LIKE 'turn_fail: retry_after is ''Wed, %''; it must be a duration%', 1 FROM last WHERE label = 'long';
SELECT 'a setting in seconds is noticed', error_of('SELECT turnstile_config(''retry_backoff'', 30)'),
  'turnstile_config: retry_backoff is 30 ms, less than a second; for seconds write ''30 s'', for milliseconds ''30 ms''';
SELECT 'as text too', error_of('SELECT turnstile_config(''retry_backoff'', ''999'')') LIKE '%less than a second%', 1;
SELECT 'with its unit it is meant so: ' || v, turnstile_config('retry_backoff', v, '{"session":"units"}'), ms
  FROM (SELECT '500ms' AS v, 500 AS ms UNION ALL SELECT '0', 0 UNION ALL SELECT '0.5 s', 500 UNION ALL SELECT '1000', 1000);
SELECT 'a duration', error_of(printf('SELECT turn_fail(%d, %d, ''e'', ''{"retry_after":"soon"}'')', turn, token)) LIKE 'turn_fail: retry_after is ''soon''; it must be a duration%', 1 FROM last WHERE label = 'long';

---- What somebody can do: now after all, another one first, not at all

SELECT turn_fail(turn, token, '429', '{"retry_after":"365 days"}') FROM last WHERE label = 'long';
SELECT 'now after all', queue_retry(queue_id) = queue_id, 1 FROM queue_list WHERE session_label = 'long';
INSERT INTO took(label, r) SELECT 'long', turn_begin('long', 'w');
SELECT 'it is taken', texts, 'a1' FROM given WHERE label = 'long';
SELECT turn_fail(turn, token, '429', '{"retry_after":"365 days"}') FROM last WHERE label = 'long';
SELECT 'what waits for nothing is not retried', error_of('SELECT queue_retry(' || queue_push('other', 'x') || ')') LIKE 'queue_retry: input % is pending; it must be failed or cancelled', 1;
SELECT queue_front(queue_push('long', 'b')) > 0;
INSERT INTO took(label, r) SELECT 'long', turn_begin('long', 'w');
SELECT 'another one first', texts, 'b1' FROM given WHERE label = 'long';
SELECT turn_complete(turn, token, '{"content":"x"}') ->> '$.due_at' > 0 FROM last WHERE label = 'long';
SELECT queue_cancel(queue_id) > 0 FROM queue_list WHERE session_label = 'long' AND due_at IS NOT NULL;
SELECT queue_push('long', 'c') > 0;
INSERT INTO took(label, r) SELECT 'long', turn_begin('long', 'w');
SELECT 'not at all: the next', texts, 'c1' FROM given WHERE label = 'long';
-- Called off by its sender.
INSERT INTO took(label, r) SELECT 'off', session_deliver('off', 'a', '{"owner":"w","class":"NewTask"}') -> '$.turn';
SELECT turn_fail(turn, token, '429', '{"retry_after":"1h"}') FROM last WHERE label = 'off';
SELECT 'an Abandon needs no wait', session_deliver('off', 'stop', '{"class":"Abandon"}') ->> '$.action', 'abandon';
SELECT 'nothing waits any more', json_array(turn_begin('off', 'w'), session_state('off') ->> '$.due_at'), '[null,null]';
-- A run that goes on meanwhile, with messages of its host, is not told of it and does not get it.
INSERT INTO took(label, r) SELECT 'steer', turn_begin('steer', 'w', '{"messages":[{"role":"user","content":"go"}]}');
SELECT session_deliver('steer', 'no, five', '{"class":"Modification"}') ->> '$.action';
SELECT turn_steering(turn, token) ->> '$.messages[0].content' FROM last WHERE label = 'steer';
SELECT turn_fail(turn, token, '429', '{"retry_after":"1h"}') FROM last WHERE label = 'steer';
INSERT INTO took(label, r) SELECT 'steer', turn_begin('steer', 'w', '{"messages":[{"role":"user","content":"go on"}]}');
SELECT 'steering counts what there is', json_extract(turn_steering(turn, token), '$.messages', '$.steering'), '[[],0]' FROM last WHERE label = 'steer';

---- A pause that grows

INSERT INTO turnstile VALUES ('turnstile_config', '["retry_backoff","2s",{"session":"grow"}]'), ('turnstile_config', '["retry_backoff_max","5s",{"session":"grow"}]'),
  ('turnstile_config', '["max_attempts",9,{"session":"grow"}]');
CREATE TEMP TABLE pause(n INTEGER PRIMARY KEY, due);
INSERT INTO took(label, r) SELECT 'grow', session_deliver('grow', 'a', '{"owner":"w","class":"NewTask"}') -> '$.turn';
INSERT INTO pause SELECT 1, turn_fail(turn, token, 'e', '{"now":2000000}') ->> '$.due_at' FROM last WHERE label = 'grow';
INSERT INTO took(label, r) SELECT 'grow', turn_begin('grow', 'w', '{"now":3000000}');
INSERT INTO pause SELECT 2, turn_fail(turn, token, 'e', '{"now":3000000}') ->> '$.due_at' FROM last WHERE label = 'grow';
INSERT INTO took(label, r) SELECT 'grow', turn_begin('grow', 'w', '{"now":4000000}');
INSERT INTO pause SELECT 3, turn_fail(turn, token, 'e', '{"now":4000000}') ->> '$.due_at' FROM last WHERE label = 'grow';
SELECT 'it doubles, up to the longest', (SELECT json_group_array(due) FROM (SELECT due FROM pause ORDER BY n)), '[2002000,3004000,4005000]';
INSERT INTO took(label, r) SELECT 'grow', turn_begin('grow', 'w', '{"now":5000000}');
SELECT 'retry_after says otherwise', turn_fail(turn, token, 'e', '{"now":5000000,"retry_after":"1h"}') ->> '$.due_at', 8600000 FROM last WHERE label = 'grow';
SELECT 'without the setting there is none', (SELECT json_array(turnstile_config('retry_backoff'), turnstile_config('retry_backoff_max'))), '[0,300000]';

---- A clock that was ahead

INSERT INTO took(label, r) SELECT 'ahead', session_deliver('ahead', 'a', '{"owner":"w","class":"NewTask"}') -> '$.turn';
SELECT turn_fail(turn, token, '429', '{"retry_after":"30s","now":900000000}') FROM last WHERE label = 'ahead';
SELECT 'it is due', session_state('ahead') ->> '$.due_at', NULL;
SELECT 'and taken', turn_begin('ahead', 'w') ->> '$.messages[0].content', 'a';

---- Collecting

SELECT turnstile_config('collect_debounce', '10s');
SELECT 'a minute is the longest', turnstile_config('collect_max_wait'), 60000;
-- A message every nine seconds.
INSERT INTO turnstile SELECT 'queue_push', json_array('stream', 'm' || value, json_object('mode', 'collect', 'now', 10000000 + value * 9000)) FROM json_each('[0,1,2,3,4,5,6,7]');
SELECT 'more may come', turn_begin('stream', 'w', '{"now":10059999}'), NULL;
SELECT 'the state says until when', session_state('stream', '{"now":10054000}') ->> '$.due_at', 10060000;
INSERT INTO took(label, r) SELECT 'stream', turn_begin('stream', 'w', '{"now":10060000}');
SELECT 'but the oldest waits no longer', texts, 'm01 m11 m21 m31 m41 m51 m61 m71' FROM given WHERE label = 'stream';
SELECT turnstile_config('collect_max_wait', '20s', '{"session":"short"}');
INSERT INTO turnstile SELECT 'queue_push', json_array('short', 'm' || value, json_object('mode', 'collect', 'now', 10000000 + value * 9000)) FROM json_each('[0,1,2]');
SELECT 'to the last moment', turn_begin('short', 'w', '{"now":10019999}'), NULL;
SELECT 'the session''s own', turn_begin('short', 'w', '{"now":10020000}') IS NOT NULL, 1;
SELECT turnstile_config('collect_max_wait', 0, '{"session":"none"}');
INSERT INTO turnstile SELECT 'queue_push', json_array('none', 'm', json('{"mode":"collect","now":10000000}'));
SELECT 'it is never shorter than the debounce', turn_begin('none', 'w', '{"now":10009999}'), NULL;
SELECT 'nor longer then', turn_begin('none', 'w', '{"now":10010000}') IS NOT NULL, 1;
-- A queue that is full is answered, not refused for ever.
SELECT turnstile_config('queue_cap', 2, '{"session":"full"}');
INSERT INTO turnstile SELECT 'queue_push', json_array('full', 'm' || value, json('{"mode":"collect","now":10000000}')) FROM json_each('[1,2]');
SELECT 'full', turn_begin('full', 'w', '{"now":10000000}') IS NOT NULL, 1;
-- A clock that was ahead.
INSERT INTO turnstile SELECT 'queue_push', json_array('early', 'm', json('{"mode":"collect","now":99000000}'));
SELECT 'it does not wait for that clock', turn_begin('early', 'w', '{"now":10000000}') IS NOT NULL, 1;
SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || problem, char(10)) FROM turnstile_check), NULL;

-- An "ok" while what waits has its time still before it: nothing is handed over, and the "ok" is no input.
SELECT session_deliver('ok', 'one', '{"class":"NewTask","now":2000000}');
SELECT session_deliver('ok', 'two', '{"source":"timer","owner":"w","now":2000000}') -> '$.turn' IS NOT NULL;
CREATE TEMP TABLE ok AS SELECT turn_id AS turn, token FROM session_runs WHERE session_label = 'ok';
SELECT turn_fail(turn, token, '429', '{"retry_after":60000,"now":2000000}') FROM ok;
SELECT 'an ok before its time', json_extract(session_deliver('ok', 'yes', '{"class":"Confirmation","now":2000001}'), '$.action', '$.inputs', '$.queue_id'),
  '["acknowledge",null,null]';
SELECT 'what waits is still there', (SELECT group_concat(message || ' ' || status) FROM session_queue WHERE session_label = 'ok'), 'one pending,two pending';
