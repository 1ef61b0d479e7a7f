-- delivery_classify.sql - delivery_classify: a second opinion. floor.sql in classify/ has when one is asked for.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT turnstile_config('classify_floor', 0.99);
SELECT turnstile_config('classify_below', 'ask');
CREATE TEMP TABLE d(label TEXT PRIMARY KEY, id INTEGER);
INSERT INTO d SELECT value, session_deliver(value, 'hm the other one rather', '{"message_id":"m"}') ->> '$.second_opinion.delivery' FROM json_each('["start","guess","door","names","once","back","late"]');
SELECT 'a second opinion is asked for', count(id), 7 FROM d;
SELECT 'until then nothing begins: ' || label, session_state(label) ->> '$.task', NULL FROM d;

CREATE TEMP TABLE r AS SELECT delivery_classify(id, 'NewTask', '{"now":1767225601000}') AS j FROM d WHERE label = 'start';
SELECT 'the decision, as if the message came now', json_extract(j, '$.action', '$.session', '$.class', '$.confidence', '$.state'), '["start","start","NewTask",1.0,"Running"]' FROM r;
SELECT 'a task of its words', session_state('start') ->> '$.task', 'hm the other one rather';
SELECT 'it is the delivery''s decision', (SELECT json_array(class, action) FROM deliveries JOIN d USING (id) WHERE d.label = 'start'), '["NewTask","start"]';
SELECT 'told to who delivers it again', json_extract(session_deliver('start', 'hm the other one rather', '{"message_id":"m"}'), '$.action', '$.first.action'), '["duplicate","start"]';
SELECT 'decided once', json_extract(delivery_classify(id, 'Abandon'), '$.action', '$.first.action', '$.first.class'), '["duplicate","start","NewTask"]' FROM d WHERE label = 'start';
SELECT 'NULL: the guess stands', json_extract(delivery_classify(id, NULL), '$.action', '$.class'), '["start","NewTask"]' FROM d WHERE label = 'guess';

---- Refusals

CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES ('NULL, ''NewTask''', 'delivery is missing'), ('999, ''NewTask''', 'there is no delivery 999'), ('''a'', ''NewTask''', 'delivery must be an integer from 0 to 9007199254740991, not text'),
  ('7, ''Approval''', 'class is ''Approval''; it must be one of: Response, Modification, Confirmation, Abandon, NewTask, Clarification, Unclear'), ('7, 3', 'class must be text, not an integer'),
  ('7, ''NewTask'', ''{"keeps_turns":0,"owner":"w"}''', 'keeps_turns is 0, but the option owner begins a turn; give one of them');
SELECT args, error_of('SELECT delivery_classify(' || args || ')'), 'delivery_classify: ' || error FROM wrong;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
