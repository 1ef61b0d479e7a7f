-- policy_replay.sql - policy_replay: which stored deliveries other rules or settings would have decided otherwise.

SELECT turnstile_install();
SELECT turnstile_clock(1700000000000);
SELECT session_start('s', 'Paint the doors');
SELECT session_note('s', 'bought paint');
SELECT turnstile_clock(1700000001000);
SELECT session_deliver('s', 'make them blue rather than green');
SELECT turnstile_clock(1700000002000);
SELECT session_transition('s', 'AwaitingUser', '{"question":"How many coats?"}');
SELECT turnstile_clock(1700000003000);
SELECT session_deliver('s', 'two would do');
SELECT session_transition('s', 'PendingComplete', '{"summary":"All is blue. Shall I also paint the fence?"}');
SELECT turnstile_clock(1700000004000);
SELECT session_deliver('s', 'yes');
SELECT turnstile_clock(1700000004500);
SELECT session_transition('s', 'PendingComplete', '{"summary":"The fence is blue."}');
SELECT turnstile_clock(1700000005000);
SELECT session_deliver('s', 'zap 2');
SELECT turnstile_clock(1700000006000);
SELECT session_deliver('s', 'different topic: build me a shed');
SELECT session_choose('s', 'continue') IS NOT NULL;
SELECT session_deliver('other', 'where is the ladder?');
SELECT session_deliver('other', 'tick', '{"source":"timer"}');
SELECT session_deliver('other', 'whatever that is', '{"class":"NewTask"}');
CREATE TEMP TABLE before AS SELECT * FROM deliveries;

SELECT 'as things are, everything would be decided as it was', (SELECT group_concat(message || ': ' || class || ' ' || would_class) FROM policy_replay), NULL;
SELECT 'with options that say nothing as well', (SELECT count(*) FROM policy_replay('{}')), 0;
SELECT 'or NULL', (SELECT count(*) FROM policy_replay(NULL)), 0;

---- Rules

CREATE TEMP TABLE tried AS SELECT * FROM policy_replay('{"rules":[{"class":"Confirmation","state":"PendingComplete","pattern":"\\Azap \\d\\z","weight":9}]}');
SELECT 'a rule', (SELECT group_concat(message || ': ' || class || ' ' || would_class) FROM tried), 'zap 2: Modification Confirmation';
SELECT 'what would be done', (SELECT state || ' ' || action || ' ' || would_action FROM tried), 'PendingComplete continue complete';
SELECT 'it is of the file no more than before', classify_message('zap 2', 'PendingComplete'), 'Modification';
INSERT INTO message_rules(class, state, pattern, weight) VALUES ('Confirmation', 'PendingComplete', '\Azap \d\z', 9);
SELECT 'the file''s own rules count', (SELECT would_class FROM policy_replay), 'Confirmation';
SELECT 'unless they are left out', (SELECT count(*) FROM policy_replay('{"user_rules":0}')), 0;
DELETE FROM message_rules WHERE origin = 'user';
SELECT 'without the English pack things are said otherwise', (SELECT count(*) > 0 FROM policy_replay('{"langs":["de"]}')), 1;
SELECT 'with it they are as they were', (SELECT count(*) FROM policy_replay('{"langs":["en","de"]}')), 0;

---- Settings

SELECT 'a floor', (SELECT count(*) > 1 AND sum(would_action <> 'classify') = 0 FROM policy_replay('{"classify_floor":0.99,"classify_below":"ask"}')), 1;
SELECT 'that asks the person', (SELECT count(*) > 0 AND sum(would_action <> 'prompt') = 0 FROM policy_replay('{"classify_floor":0.99,"classify_below":"prompt"}')), 1;
SELECT 'that takes the guess', (SELECT count(*) FROM policy_replay('{"classify_floor":0.99,"classify_below":"guess"}')), 0;
SELECT 'new_task_policy', (SELECT group_concat(message || ': ' || would_action) FROM policy_replay('{"new_task_policy":"switch"}')), 'different topic: build me a shed: start';
SELECT turnstile_config('classify_floor', 0.99, '{"session":"s"}');
SELECT turnstile_config('classify_below', 'ask', '{"session":"s"}');
SELECT 'settings of a session hold where the options say nothing', (SELECT count(*) > 0 AND sum(would_action <> 'classify') = 0 FROM policy_replay), 1;
SELECT turnstile_config('classify_floor', NULL, '{"session":"s","reset":1}');

---- Corrections

SELECT delivery_correct((SELECT id FROM deliveries WHERE message = 'two would do'), 'Clarification') IS NOT NULL;
SELECT 'a correction', (SELECT message || ': ' || class || ' ' || would_class FROM policy_replay), 'two would do: Response Clarification';
SELECT 'left out', (SELECT count(*) FROM policy_replay('{"corrections":0}')), 0;

---- Which

SELECT 'of a session', (SELECT count(*) FROM policy_replay('{"session":"other"}')), 0;
SELECT 'of the other', (SELECT count(*) FROM policy_replay('{"session":"s"}')), 1;
SELECT 'of one that is not there', (SELECT count(*) FROM policy_replay('{"session":"nobody"}')), 0;
SELECT 'the newest', (SELECT count(*) FROM policy_replay('{"limit":3}')), 0;
SELECT 'none', (SELECT count(*) FROM policy_replay('{"limit":0}')), 0;
SELECT delivery_correct((SELECT id FROM deliveries WHERE message = 'two would do'), NULL) IS NOT NULL;

SELECT 'it writes nothing', (SELECT count(*) FROM (SELECT id, class, action, decision FROM before EXCEPT SELECT id, class, action, decision FROM deliveries)), 0;
SELECT 'columns', (SELECT group_concat(name, ' ') FROM pragma_table_info('policy_replay')), 'delivery session_label at state message class confidence action would_class would_confidence would_action';

---- What was doubted when it came

SELECT turnstile_config('classify_floor', 1, '{"session":"doubted"}');
SELECT turnstile_config('classify_below', 'ask', '{"session":"doubted"}');
SELECT 'a message that the host is asked about', session_deliver('doubted', 'hm the other one rather') ->> '$.action', 'classify';
SELECT 'it would be asked again: nothing is otherwise', (SELECT count(*) FROM policy_replay('{"session":"doubted"}')), 0;
SELECT 'nor with the same said by options', (SELECT count(*) FROM policy_replay('{"session":"doubted","classify_floor":1,"classify_below":"ask"}')), 0;
SELECT 'without a floor it would not be asked', (SELECT action || ' ' || would_action FROM policy_replay('{"session":"doubted","classify_floor":0}')), 'classify start';
SELECT 'or the guess would be taken', (SELECT action || ' ' || would_action FROM policy_replay('{"session":"doubted","classify_below":"guess"}')), 'classify start';
SELECT 'nor is the person asked where no task is open', (SELECT action || ' ' || would_action FROM policy_replay('{"session":"doubted","classify_below":"prompt"}')), 'classify start';
SELECT turnstile_config('classify_below', 'prompt', '{"session":"person"}');
SELECT turnstile_config('classify_floor', 1, '{"session":"person"}');
SELECT session_start('person', 'Paint the doors');
SELECT 'a message that the person is asked about', session_deliver('person', 'use the blue door perhaps') ->> '$.action', 'prompt';
SELECT 'they would be asked again', (SELECT count(*) FROM policy_replay('{"session":"person"}')), 0;

SELECT 'without a floor they would not', (SELECT json_array(class, action, would_class, would_action) FROM policy_replay('{"session":"person","classify_floor":0}')), '["Modification","prompt","Modification","continue"]';
SELECT 'nor with a low one', (SELECT json_array(action, would_action) FROM policy_replay('{"session":"person","classify_floor":0.001}')), '["prompt","continue"]';
SELECT 'or when the guess is taken', (SELECT json_array(action, would_action) FROM policy_replay('{"session":"person","classify_below":"guess"}')), '["prompt","continue"]';
SELECT 'or the host is asked', (SELECT json_array(action, would_action) FROM policy_replay('{"session":"person","classify_below":"ask"}')), '["prompt","classify"]';
SELECT 'another one waits with it', session_deliver('person', 'use the green door perhaps') ->> '$.action', 'prompt';
SELECT 'all is as it was', (SELECT count(*) FROM policy_replay('{"session":"person"}')), 0;
SELECT session_choose('person', 'continue') IS NOT NULL;
SELECT session_transition('person', 'PendingComplete', '{"summary":"Painted."}') IS NOT NULL;
SELECT 'what would have ended the task is asked about', json_extract(session_deliver('person', 'that seems fine for now I guess'), '$.class', '$.action'), '["Unclear","prompt"]';
SELECT 'and what waits there, too', json_extract(session_deliver('person', 'that seems fine by me I guess'), '$.class', '$.action'), '["Modification","prompt"]';
SELECT 'with the same settings nothing is otherwise', (SELECT group_concat(message || ': ' || would_class || ' ' || would_action) FROM policy_replay('{"session":"person"}')), NULL;
SELECT 'without a floor it would have ended it', (SELECT json_array(class, action, would_class, would_action) FROM policy_replay('{"session":"person","classify_floor":0}') WHERE message = 'that seems fine for now I guess'), '["Unclear","prompt","Confirmation","complete"]';
SELECT turnstile_config('classify_floor', 0, '{"session":"unclear"}');
SELECT session_start('unclear', 'Paint the doors') > 0;
SELECT 'unclear by its words', json_extract(session_deliver('unclear', 'hmm'), '$.class', '$.action', '$.kind'), '["Unclear","prompt","UnclearChoice"]';
SELECT 'would be asked about without any floor', (SELECT count(*) FROM policy_replay('{"session":"unclear"}')), 0;
SELECT session_choose('unclear', 'continue') IS NOT NULL;
SELECT 'a new task', session_deliver('unclear', 'different topic: build me a shed') ->> '$.kind', 'NewTaskChoice';
SELECT 'what comes at its choice', session_deliver('unclear', 'make the doors blue rather than green') ->> '$.action', 'prompt';
SELECT 'came from no doubt', (SELECT count(*) FROM policy_replay('{"session":"unclear","classify_floor":0}')), 0;
SELECT turnstile_config('classify_floor', 1);
SELECT turnstile_config('classify_below', 'prompt');
SELECT session_start('boss', 'Paint the doors') > 0;
SELECT turn_begin('boss', 'A1') IS NOT NULL;
CREATE TEMP TABLE helper AS SELECT session_spawn('boss', 'Paint the gate') AS label;
SELECT session_deliver(label, 'use the blue paint perhaps') ->> '$.action' FROM helper;
SELECT 'what is told to a worker', (SELECT action FROM deliveries, helper WHERE session_label = label AND source = 'user' ORDER BY id DESC LIMIT 1) <> 'prompt', 1;
SELECT 'nobody would be asked about', (SELECT count(*) FROM helper, policy_replay(json_object('session', label, 'classify_floor', 1, 'classify_below', 'prompt'))), 0;
SELECT turnstile_config('classify_floor', 0);
SELECT turnstile_config('classify_below', 'guess');

---- Wrong options

SELECT 'unknown', error_of('SELECT * FROM policy_replay(''{"rule":[]}'')'), 'policy_replay: option is ''rule''; it must be one of: session, limit, rules, langs, user_rules, corrections, classify_floor, classify_below, new_task_policy';
SELECT 'no object', error_of('SELECT * FROM policy_replay(''[]'')'), 'policy_replay: options must be a JSON object';
SELECT 'no JSON', error_of('SELECT * FROM policy_replay(''x'')'), 'policy_replay: options must be a JSON object';
SELECT 'a limit', error_of('SELECT * FROM policy_replay(''{"limit":-1}'')'), 'policy_replay: limit must be an integer from 0 to 100000';
SELECT 'a floor', error_of('SELECT * FROM policy_replay(''{"classify_floor":2}'')'), 'policy_replay: classify_floor is ''2''; it must be from 0 to 1, with at most three decimals';
SELECT 'a word', error_of('SELECT * FROM policy_replay(''{"new_task_policy":"never"}'')'), 'policy_replay: new_task_policy is ''never''; it must be one of: prompt, switch';
SELECT 'rules', error_of('SELECT * FROM policy_replay(''{"rules":1}'')'), 'policy_replay: rules must be an array';
SELECT 'a rule without a class', error_of('SELECT * FROM policy_replay(''{"rules":[{"pattern":"x"}]}'')') LIKE 'policy_replay: rules[0]: %', 1;
SELECT 'a pattern that can blow up', error_of('SELECT * FROM policy_replay(''{"rules":[{"class":"Unclear","pattern":"(a+)+$"}]}'')') LIKE 'policy_replay: rules[0]: %', 1;
SELECT 'a pattern', error_of('SELECT * FROM policy_replay(''{"rules":[{"class":"Unclear","pattern":"x"},{"class":"Unclear","pattern":"("}]}'')') LIKE 'policy_replay: rules[1]: %', 1;
CREATE TEMP TABLE wrong(options, why);
INSERT INTO wrong VALUES
  ('{"rules":["x"]}', 'rules[0] must be an object, not a JSON text'),
  ('{"rules":[[]]}', 'rules[0] must be an object, not a JSON array'),
  ('{"rules":[{"class":"Unclear","pattern":"x"},null]}', 'rules[1] must be an object, not a JSON null'),
  ('{"rules":{}}', 'rules must be an array'), ('{"rules":null}', 'rules must be an array'),
  ('{"rules":[{"class":"Unclear","pattern":"x","weigth":9}]}', 'rules[0]: field is ''weigth''; it must be one of: class, state, pattern, weight, lang'),
  ('{"rules":[{"class":"Unclear","pattern":"x","weight":"7"}]}', 'rules[0]: weight must be a number, not a JSON text'),
  ('{"rules":[{"class":"Unclear","pattern":"x","weight":true}]}', 'rules[0]: weight must be a number, not a JSON true'),
  ('{"rules":[{"class":"Unclear","pattern":"x","weight":null}]}', 'rules[0]: weight must be a number, not a JSON null'),
  ('{"rules":[{"class":"Unclear","pattern":"x","lang":5}]}', 'rules[0]: lang must be text, not a JSON integer'),
  ('{"rules":[{"class":"Unclear","pattern":5}]}', 'rules[0]: pattern must be text, not a JSON integer'),
  ('{"rules":[{"class":null,"pattern":"x"}]}', 'rules[0]: class must be text, not a JSON null'),
  ('{"rules":[{"class":"Unclear","pattern":"x","state":["Running"]}]}', 'rules[0]: state must be text, not a JSON array'),
  ('{"rules":[{"class":"Unclear","class":"Abandon","pattern":"x"}]}', 'rules[0]: field class is given twice'),
  ('{"langs":[1]}', 'langs[0] must be text, not a JSON integer'), ('{"langs":["en",null]}', 'langs[1] must be text, not a JSON null'),
  ('{"langs":["en",{}]}', 'langs[1] must be text, not a JSON object'), ('{"langs":"en"}', 'langs must be an array'), ('{"langs":null}', 'langs must be an array'),
  ('{"langs":["en","EN"]}', 'langs[1] is ''EN''; it must be the language of a built-in rule, such as en'),
  ('{"session":5}', 'session must be text, not a JSON integer'), ('{"session":null}', 'session must be text, not a JSON null'),
  ('{"session":["m"]}', 'session must be text, not a JSON array'), ('{"session":""}', 'session is empty'),
  ('["m"]', 'options must be a JSON object'), ('null', 'options must be a JSON object'), ('5', 'options must be a JSON object'), ('', 'options must be a JSON object'),
  ('{"classify_floor":0.12345}', 'classify_floor is ''0.12345''; it must be from 0 to 1, with at most three decimals'),
  ('{"classify_floor":null}', 'classify_floor must be a number from 0 to 1'), ('{"classify_floor":true}', 'classify_floor must be a number from 0 to 1'),
  ('{"classify_floor":"0.5"}', 'classify_floor must be a number from 0 to 1'), ('{"classify_floor":-0.0001}', 'classify_floor is ''-0.0001''; it must be from 0 to 1, with at most three decimals'),
  ('{"classify_below":5}', 'classify_below must be text, not a JSON integer'), ('{"new_task_policy":null}', 'new_task_policy must be text, not a JSON null'),
  ('{"limit":null}', 'limit must be an integer from 0 to 100000'), ('{"limit":true}', 'limit must be an integer from 0 to 100000'),
  ('{"limit":1.5}', 'limit must be an integer from 0 to 100000'), ('{"limit":"5"}', 'limit must be an integer from 0 to 100000'), ('{"limit":100001}', 'limit must be an integer from 0 to 100000'),
  ('{"user_rules":2}', 'user_rules must be an integer from 0 to 1'), ('{"corrections":"no"}', 'corrections must be an integer from 0 to 1'),
  ('{"limit":1,"limit":2}', 'option limit is given twice');
SELECT 'wrong: ' || options, error_of(printf('SELECT * FROM policy_replay(%Q)', options)), 'policy_replay: ' || why FROM wrong;
CREATE TEMP TABLE fine(options);
INSERT INTO fine VALUES ('{"limit":1000.0,"user_rules":true,"corrections":1.0}'), ('{"classify_floor":0.029}'), ('{"classify_floor":1}'), ('{"rules":[]}'),
  ('{"rules":[{"class":"Unclear","pattern":"qqq","state":null,"lang":null,"weight":1.5}]}');
SELECT 'fine: ' || options, (SELECT count(*) FROM policy_replay(options)), 0 FROM fine;
SELECT 'no language but what is for all', (SELECT count(*) > 0 FROM policy_replay('{"langs":["any"]}')) = (SELECT count(*) > 0 FROM policy_replay('{"langs":[]}')), 1;
SELECT 'nothing is wrong', (SELECT count(*) FROM turnstile_check), 0;

---- What was read without an address, or as the word stop, is read so again; what was asked in the same millisecond counts

CREATE TEMP TABLE address(label, said);
INSERT INTO address VALUES ('bare', '@bot stop'), ('slash', '/stop'), ('mark', '!stop'), ('named', 'Alma, stop'),
  ('else', '@bob stop'), ('call', '@alma'), ('both', '@alma /stop'), ('model', '@alma /model');
SELECT turnstile_config('names', 'Alma', json_object('session', label)) FROM address WHERE label NOT IN ('bare', 'slash', 'mark');
SELECT session_start(label, 'Paint the doors') > 0 FROM address;
SELECT session_deliver(label, said) IS NOT NULL FROM address;
SELECT 'read as it was: ' || label, (SELECT json_array(class, action, would_class, would_action)
  FROM policy_replay(json_object('session', label))), NULL FROM address;
SELECT 'other rules find them: ' || label, (SELECT would_class FROM policy_replay(json_object('session', label, 'rules',
  json('[{"class":"NewTask","pattern":"^stop","weight":40}]')))), 'NewTask' FROM address WHERE label IN ('bare', 'slash', 'named', 'both');
SELECT turnstile_clock(1900000000000);
SELECT session_start('at once', 'Paint the doors') > 0;
SELECT session_transition('at once', 'PendingComplete', '{"summary":"Painted. Shall I also do the shed?"}') > '';
SELECT session_deliver('at once', 'yes') ->> '$.class';
SELECT 'reported in the same millisecond', (SELECT would_class FROM policy_replay('{"session":"at once"}')), NULL;
-- What was asked is found behind however many events, and the newest of what was asked counts.
SELECT session_start('long', 'Paint the doors') > 0;
SELECT session_transition('long', iif(value % 2, 'AwaitingUser', 'Running'), iif(value % 2, '{"question":"Which colour?"}', '{}')) > '' FROM generate_series(1, 40);
SELECT session_transition('long', 'PendingComplete', json_object('summary', value)) > '' FROM json_each('["Painted.","Painted. Shall I also do the shed?"]');
SELECT turnstile_clock(1900000001000);
SELECT session_deliver('long', 'yes') ->> '$.class';
SELECT 'the offer behind forty events', (SELECT would_class FROM policy_replay('{"session":"long"}')), NULL;
