-- export.sql - session_export: a session as a document. It only reads. handoff.sql has what is in it, and what comes of it.

SELECT turnstile_install('{"uuid":"the-file"}');
SELECT turnstile_clock(1767225600000);
SELECT 'no session: NULL', session_export('nobody'), NULL;
SELECT session_start('main', 'Add retries');
SELECT session_note('main', 'post() is called once');
SELECT turn_append('main', '[{"role":"user","content":"Add retries"}]');
CREATE TEMP TABLE e AS SELECT session_export('main', '{"now":1767225700000}') AS j;
SELECT 'its fields, in order', (SELECT group_concat(key) FROM json_each(j)), 'turnstile_export,label,exported_at,uuid,hash,progress_summary,content' FROM e;
SELECT 'what is said around the content', json_extract(j, '$.turnstile_export', '$.label', '$.exported_at', '$.uuid', '$.progress_summary'), '[2,"main",1767225700000,"the-file","- post() is called once\n- 1 turn"]' FROM e;
SELECT 'the content', json_extract(j, '$.content.session.status', '$.content.tasks[0].description'), '["active","Add retries"]' FROM e;
SELECT 'its hash, which the time is not in', length(j ->> '$.hash') || (session_export('main') ->> '$.hash' = j ->> '$.hash'), '641' FROM e;
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT session_export('main') IS NOT NULL;
SELECT 'nothing is written', dump_of() = d, 1 FROM was;
SELECT session_note('main', 'another');
SELECT 'a change changes the hash', session_export('main') ->> '$.hash' <> j ->> '$.hash', 1 FROM e;
SELECT session_alias('nick', 'main');
SELECT 'an alias', session_export('nick') ->> '$.label', 'main';
SELECT turn_append('dm:sms:+1', '[{"role":"user","content":"a"}]');
SELECT turn_append('dm:mail:r', '[{"role":"user","content":"a"}]');
SELECT identity_link('sms', '+1', 'rosa');
SELECT identity_link('mail', 'r', 'rosa');
SELECT 'one that was merged into another: itself', session_export(label) ->> '$.label', label FROM sessions WHERE superseded_by IS NOT NULL;
INSERT INTO turnstile(command, args) VALUES ('session_export', '["main"]') RETURNING 'the door', turnstile_result() ->> '$.hash', session_export('main') ->> '$.hash';
INSERT INTO turnstile(command, args) VALUES ('session_export', '{"label":"nobody"}') RETURNING 'by name: no session', turnstile_result(), NULL;
BEGIN;
SELECT session_start('inside', 'x');
SELECT 'inside a transaction', session_export('inside') ->> '$.content.tasks[0].description', 'x';
ROLLBACK;
SELECT 'label NULL', error_of('SELECT session_export(NULL)'), 'session_export: label is missing';
SELECT 'label empty', error_of('SELECT session_export('''')'), 'session_export: label is empty';
SELECT 'label a number', error_of('SELECT session_export(7)'), 'session_export: label must be text, not an integer';

---- Deliveries that came with another session's inputs: of two with the same message_id the first keeps it

CREATE TEMP TABLE same(label, message);
INSERT INTO same VALUES ('dm:tel:1', 'the first'), ('dm:tel:2', 'the second'), ('dm:tel:3', 'the third');
INSERT INTO turnstile SELECT 'turn_append', json_array('dm:tel:0', json('[{"role":"user","content":"a"}]')) FROM json_each('[1,2]');
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"a"}]')) FROM same;
INSERT INTO turnstile VALUES ('queue_push', '["dm:tel:0","its own",{"channel":"x","sender":"s","message_id":"m0","source":"webhook"}]');
INSERT INTO turnstile SELECT 'queue_push', json_array(label, message, json('{"channel":"x","sender":"s","message_id":"m1","source":"webhook"}')) FROM same;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, message || ' of another', json('{"channel":"x","sender":"t","message_id":"m1","source":"webhook"}')) FROM same LIMIT 1;
INSERT INTO turnstile SELECT 'queue_push', json_array(label, message || ' elsewhere', json('{"channel":"y","sender":"s","message_id":"m1","source":"webhook"}')) FROM same LIMIT 1;
INSERT INTO turnstile SELECT 'identity_link', json_array('tel', value, 'ann') FROM json_each('["0","1","2","3"]');
CREATE TEMP TABLE merged AS SELECT session_export('dm:tel:0') AS j;
SELECT 'the first of them keeps it', (SELECT group_concat(value ->> '$.message' || ' ' || ifnull(value ->> '$.message_id', '-'), ', ') FROM json_each(j, '$.content.deliveries')),
  'its own m0, the first m1, the second -, the third -, the first of another m1, the first elsewhere m1' FROM merged;
SELECT 'it can be brought in', session_import(j, '{"as":"brought in"}') IS NOT NULL, 1 FROM merged;

---- A reference beside a value that is deeper than any reference

CREATE TEMP TABLE deep(n INTEGER PRIMARY KEY, value);
INSERT INTO deep(value) VALUES ('[[[[[[1,[2]],3]]]]]'), ('{"a":{"b":{"c":{"d":{"e":{"f":1},"g":"}]"}}}}}'), ('[{"a":[{"b":[{"c":["\"]"]},7]}]}]'),
  ('{"' || printf('%.*c', 80, 'k') || '":{"a":[1,{}]}}'), ('[[[[[[]]]],{}]]');
INSERT INTO turnstile SELECT 'session_start', json_array('deep ' || n, 'add retries') FROM deep;
INSERT INTO turnstile SELECT 'session_note', json_array('deep ' || n, 'read') FROM deep;
INSERT INTO turnstile SELECT 'session_deliver', json_array('deep ' || n, 'build a boat', json('{"class":"NewTask"}')) FROM deep;
UPDATE sessions SET pending_choice = '{"deep":' || value || ',' || substr(pending_choice, 2) FROM deep WHERE label = 'deep ' || n;
SELECT 'the choice names its delivery behind it', pending_choice LIKE '{"deep":%"delivery_id":' || (SELECT id FROM deliveries WHERE session_label = label) || '%', 1
  FROM sessions WHERE label LIKE 'deep %';
SELECT 'exported by its number, behind ' || value, session_export(label) ->> '$.content.session.pending_choice', json_set(pending_choice, '$.delivery_id', 1)
  FROM sessions JOIN deep ON label = 'deep ' || n;
