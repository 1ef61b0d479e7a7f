-- config.sql - turnstile_config: every key, its default and limits, overrides, texts.

SELECT turnstile_install();

---- Defaults

CREATE TEMP TABLE key(key, preset);
INSERT INTO key VALUES ('ask_threshold', 86400000), ('auto_compact_threshold', 604800000), ('archive_after', 2592000000),
  ('run_idle_timeout', 300000), ('lease', 300000), ('request_ttl', 604800000), ('sweep_batch', 500), ('max_message_bytes', 1048576),
  ('new_task_policy', 'prompt'), ('on_archived', 'reopen');
SELECT 'default of ' || key, turnstile_config(key), preset FROM key;
SELECT 'reading stores nothing', (SELECT count(*) FROM turnstile_config), 0;

---- Durations, in both notations

CREATE TEMP TABLE duration(given, ms);
INSERT INTO duration VALUES (90000, 90000), ('90000', 90000), ('90s', 90000), ('90 sec', 90000), ('1.5m', 90000), ('24h', 86400000), ('7 days', 604800000),
  ('7d', 604800000), ('2 weeks', 1209600000), ('1h 30m', 5400000), ('1d12h', 129600000), ('1 hour 30 minutes', 5400000), ('  3H ', 10800000), ('1500 ms', 1500);
SELECT 'lease = ' || quote(given), turnstile_config('lease', given), ms FROM duration;
SELECT 'stored in its final form', (SELECT typeof(value) || value FROM turnstile_config WHERE key = 'lease'), 'integer1500';
CREATE TEMP TABLE wrong(given);
INSERT INTO wrong VALUES (''), ('soon'), ('-1h'), (-5), (1.5), ('5 fortnights'), ('h'), ('1h 5'), ('24h!'), ('1e3'), ('99999999999 days');
SELECT 'lease = ' || quote(given) || ' is refused', error_of(printf('SELECT turnstile_config(''lease'', %s)', quote(given))) LIKE 'turnstile_config: %', 1 FROM wrong;
SELECT 'refused values change nothing', turnstile_config('lease'), 1500;
CREATE TEMP TABLE timed(key, least);
INSERT INTO timed VALUES ('ask_threshold', 0), ('auto_compact_threshold', 0), ('archive_after', 0), ('run_idle_timeout', 1000), ('lease', 1000), ('request_ttl', 60000);
SELECT key || ' takes a duration', turnstile_config(key, '2h'), 7200000 FROM timed;
SELECT key || ' takes its least', turnstile_config(key, least), least FROM timed;
SELECT key || ' takes no less', error_of(printf('SELECT turnstile_config(%Q, %d)', key, least - 1)) LIKE 'turnstile_config: ' || key || ' is %', 1 FROM timed;
SELECT key || ' names itself in an error', error_of(printf('SELECT turnstile_config(%Q, ''soon'')', key)) LIKE 'turnstile_config: ' || key || ' is ''soon''; it must be a duration%', 1 FROM timed;
SELECT key || ' back to its default', turnstile_config(key, NULL, '{"reset":1}'), preset FROM key;
SELECT 'after all resets nothing is stored', (SELECT count(*) FROM turnstile_config), 0;

---- Numbers and words

SELECT 'sweep_batch', turnstile_config('sweep_batch', 7), 7;
SELECT 'sweep_batch as text', turnstile_config('sweep_batch', '9'), 9;
SELECT 'sweep_batch of 0', error_of('SELECT turnstile_config(''sweep_batch'', 0)') LIKE 'turnstile_config: sweep_batch is 0; it must be from 1 to 100000', 1;
SELECT 'sweep_batch of 100001', error_of('SELECT turnstile_config(''sweep_batch'', 100001)') LIKE 'turnstile_config: sweep_batch is 100001; %', 1;
SELECT 'sweep_batch as a duration', error_of('SELECT turnstile_config(''sweep_batch'', ''7 days'')') LIKE 'turnstile_config: sweep_batch is ''7 days''; it must be an integer from 1 to 100000', 1;
SELECT 'sweep_batch with a fraction', error_of('SELECT turnstile_config(''sweep_batch'', 1.5)') LIKE 'turnstile_config: sweep_batch is ''1.5''%', 1;
SELECT 'max_message_bytes', turnstile_config('max_message_bytes', 16777216), 16777216;
SELECT 'max_message_bytes over its limit', error_of('SELECT turnstile_config(''max_message_bytes'', 16777217)') LIKE 'turnstile_config: max_message_bytes is 16777217; %', 1;
SELECT 'new_task_policy', turnstile_config('new_task_policy', 'switch'), 'switch';
SELECT 'new_task_policy back', turnstile_config('new_task_policy', 'prompt'), 'prompt';
SELECT 'new_task_policy is one of two words', error_of('SELECT turnstile_config(''new_task_policy'', ''ask'')'), 'turnstile_config: new_task_policy is ''ask''; it must be one of: prompt, switch';
SELECT 'on_archived', turnstile_config('on_archived', 'reject'), 'reject';
SELECT 'on_archived is one of two words', error_of('SELECT turnstile_config(''on_archived'', ''Reject'')'), 'turnstile_config: on_archived is ''Reject''; it must be one of: reopen, reject';

---- Overrides

SELECT turnstile_config('ask_threshold', NULL, '{"reset":1}');
SELECT 'an override', turnstile_config('ask_threshold', '1h', '{"session":"a"}'), 3600000;
SELECT 'is that session''s', turnstile_config('ask_threshold', NULL, '{"session":"a"}'), 3600000;
SELECT 'not the others''', turnstile_config('ask_threshold', NULL, '{"session":"b"}'), 86400000;
SELECT 'nor what holds for all', turnstile_config('ask_threshold'), 86400000;
SELECT turnstile_config('ask_threshold', '2h');
SELECT 'it comes before what holds for all', turnstile_config('ask_threshold', NULL, '{"session":"a"}'), 3600000;
SELECT 'which holds for those without one', turnstile_config('ask_threshold', NULL, '{"session":"b"}'), 7200000;
SELECT 'resetting it', turnstile_config('ask_threshold', NULL, '{"session":"a","reset":1}'), 7200000;
SELECT 'resetting what is not set', turnstile_config('ask_threshold', NULL, '{"session":"a","reset":1}'), 7200000;
SELECT 'a session need not be there yet', turnstile_config('new_task_policy', 'switch', '{"session":"not yet"}'), 'switch';
SELECT 'and has it when it comes', (session_start('not yet', 'one') > 0) || (session_note('not yet', 'x') > 0) || (session_deliver('not yet', 'two', '{"class":"NewTask"}') ->> '$.action'), '11start';
SELECT 'a value and reset', error_of('SELECT turnstile_config(''lease'', ''1m'', ''{"reset":1}'')') LIKE 'turnstile_config: %not both%', 1;
SELECT 'an unknown option', error_of('SELECT turnstile_config(''lease'', ''1m'', ''{"sesion":"a"}'')') LIKE 'turnstile_config: unknown option ''sesion''%session%reset%', 1;
SELECT 'reset that is no yes or no', error_of('SELECT turnstile_config(''lease'', NULL, ''{"reset":2}'')') LIKE 'turnstile_config: reset is 2; %', 1;

---- Keys

SELECT 'an unknown key names all keys', error_of('SELECT turnstile_config(''ask'')') LIKE 'turnstile_config: key ''ask'' is unknown; the keys are: %' || key || '%text.KEY%', 1 FROM key;
SELECT 'no key', error_of('SELECT turnstile_config(NULL)'), 'turnstile_config: key is missing';
SELECT 'no argument at all', error_of('SELECT turnstile_config()'), 'turnstile_config: key is missing';

---- Texts

SELECT 'a text''s default', turnstile_config('text.commit.abandoned'), 'Abandoned by user';
SELECT 'a text of one''s own', turnstile_config('text.welcome.awaiting_user', 'Da bist du ja. Ich fragte: {question}'), 'Da bist du ja. Ich fragte: {question}';
SELECT 'an unknown text', error_of('SELECT turnstile_config(''text.nothing'', ''x'')') LIKE 'turnstile_config: key ''text.nothing'' is unknown%', 1;
SELECT 'a text of 4096 bytes', length(turnstile_config('text.acknowledge', printf('%.4096c', 'x'))), 4096;
SELECT 'a text of 4097 bytes', error_of('SELECT turnstile_config(''text.acknowledge'', printf(''%.4097c'', ''x''))') LIKE 'turnstile_config: value is 4097 bytes long; at most 4096%', 1;
SELECT turnstile_config('text.acknowledge', 'Alles klar.', '{"session":"de"}');
SELECT 'a text for one session', session_deliver('de', 'thanks', '{"class":"Confirmation"}') ->> '$.message', 'Alles klar.';
INSERT INTO turnstile VALUES ('session_start', '["de","Wiederholungen"]'), ('session_transition', '["de","AwaitingUser",{"question":"Welche? {task}"}]');
SELECT 'placeholders are filled, but not inside values', session_recover('de') ->> '$.message', 'Da bist du ja. Ich fragte: Welche? {task}';
SELECT turnstile_config('text.prompt.new_task', 'Offen: {task} / {} / {{task}} / {');
SELECT turnstile_config('text.option.new_task.continue', 'Weitermachen');
SELECT 'braces without a name stay as they are', session_deliver('de', 'Neues', '{"class":"NewTask"}') ->> '$.message',
       'Offen: Wiederholungen / {} / {Wiederholungen} / {' || char(10) || 'A) Save that and start on your new request' || char(10) || 'B) Weitermachen';
SELECT 'the options of a choice answer by their own text', session_deliver('de', 'weitermachen') ->> '$.action', 'continue';
SELECT turnstile_config('text.welcome.awaiting_user', NULL, '{"reset":1}');
SELECT 'a text back to its default', turnstile_config('text.welcome.awaiting_user'), 'Welcome back! I was asking:' || char(10) || char(10) || '{question}';
SELECT turnstile_config('text.commit.abandoned', 'Abgebrochen');
INSERT INTO turnstile VALUES ('session_start', '["ab","x"]'), ('session_note', '["ab","x"]'), ('session_deliver', '["ab","stop",{"class":"Abandon"}]');
SELECT 'commit messages are texts too', (SELECT message FROM commits WHERE session_label = 'ab'), 'Abgebrochen';

---- The classifier belongs to the connection

SELECT 'none to begin with', turnstile_classifier(), NULL;
SELECT turnstile_classifier('lower');
SELECT 'a function''s name', turnstile_classifier(), 'lower';
SELECT 'it is not in the file', (SELECT count(*) FROM turnstile_config WHERE value = 'lower'), 0;
SELECT 'no SQL', error_of('SELECT turnstile_classifier(''lower(1); DROP'')') LIKE 'turnstile_classifier: name must be%', 1;
SELECT 'no BLOB with a NUL', error_of('SELECT turnstile_classifier(x''6c6f00776572'')') LIKE 'turnstile_classifier: name must be%', 1;
SELECT 'nor nothing', error_of('SELECT turnstile_classifier('''')') LIKE 'turnstile_classifier: name must be%', 1;
SELECT 'one name', error_of('SELECT turnstile_classifier(''a'', ''b'')') LIKE 'turnstile_classifier: %one name', 1;
SELECT 'an error leaves it', turnstile_classifier(), 'lower';
SELECT turnstile_classifier(NULL);
SELECT 'none again', turnstile_classifier(), NULL;
SELECT 'no setting of that name', error_of('SELECT turnstile_config(''classifier_function'', ''lower'')') LIKE 'turnstile_config: key ''classifier_function'' is unknown%', 1;
SELECT 'no command either', error_of('INSERT INTO turnstile VALUES (''turnstile_classifier'', ''["lower"]'')') LIKE 'turnstile: command ''turnstile_classifier'' is unknown%', 1;
CREATE TABLE bait(x);
CREATE TRIGGER choose AFTER INSERT ON bait BEGIN SELECT turnstile_classifier('lower'); END;
SELECT 'a trigger of the file can''t choose it', error_of('INSERT INTO bait VALUES (1)') LIKE 'unsafe use of turnstile_classifier()%', 1;
CREATE VIEW chooses AS SELECT turnstile_classifier('lower') AS x;
SELECT 'nor a view', error_of('SELECT * FROM chooses') LIKE 'unsafe use of turnstile_classifier()%', 1;
SELECT 'still none', turnstile_classifier(), NULL;
DROP VIEW chooses;
DROP TABLE bait;

---- What plain SQL has put there is held to the limits

REPLACE INTO turnstile_config VALUES ('', 'sweep_batch', 999999999), ('x', 'lease', -5), ('x', 'new_task_policy', 'whatever');
SELECT 'a number too large', turnstile_config('sweep_batch'), 100000;
SELECT 'a duration too small', turnstile_config('lease', NULL, '{"session":"x"}'), 1000;
SELECT 'a word that is none', turnstile_config('new_task_policy', NULL, '{"session":"x"}'), 'prompt';
REPLACE INTO turnstile_config VALUES ('', 'text.acknowledge', printf('%.4097c', 'x')), ('x', 'text.abandon', printf('%.5000c', 'x'));
SELECT 'a text too long is none', turnstile_config('text.acknowledge') || turnstile_config('text.abandon', NULL, '{"session":"x"}'),
  turnstile_config('text.acknowledge', NULL, '{"reset":1}') || turnstile_config('text.abandon', NULL, '{"session":"x","reset":1}');

---- Placeholders that a text does not have are refused

CREATE TEMP TABLE tmpl(key, template, odd, known);
INSERT INTO tmpl VALUES ('abandon', 'Gut: {taks}', '{taks}', '{task}'), ('abandon', '{task} {Task}', '{Task}', '{task}'),
  ('abandon', '{ task }', '{ task }', '{task}'), ('acknowledge', 'ok {task}', '{task}', 'none'),
  ('prompt.stale', '{task} {duration} {idle}', '{idle}', '{task}, {duration}'),
  ('welcome.running', '{{progress}} {duration}', '{duration}', '{task}, {progress}'),
  ('commit.stale', '{duration} {a.b}', '{a.b}', '{duration}, {task}'),
  ('note.confirmation', '{question}', '{question}', '{message}'),
  ('option.stale.continue', '{task}', '{task}', 'none');
SELECT key || ': ' || template, error_of(printf('SELECT turnstile_config(''text.%s'', ''%s'')', key, template)),
  printf('turnstile_config: value has the placeholder %s, which text.%s does not have; it has: %s (a brace is text when anything else than letters, digits, spaces and _ . - stands behind it, as in {"a": 1})', odd, key, known)
  FROM tmpl;
SELECT 'for one session too', error_of('SELECT turnstile_config(''text.abandon'', ''{taks}'', ''{"session":"de"}'')')
  LIKE '%the placeholder {taks},%', 1;
SELECT 'what it has, and what looks like none', turnstile_config('text.welcome.interrupted', '{task}: {user_message} {} {"a":1} {json: 1} {ä} }{ {task'),
  '{task}: {user_message} {} {"a":1} {json: 1} {ä} }{ {task';

---- More rows than a command keeps are read one by one

INSERT INTO turnstile VALUES ('turnstile_config', '["lease","3m"]'), ('turnstile_config', '["on_archived","reject"]'),
  ('turnstile_config', '["lease","4m",{"session":"crowded"}]'), ('turnstile_config', '["text.acknowledge","Ja.",{"session":"crowded"}]'),
  ('turnstile_config', '["text.acknowledge","Gut."]');
CREATE TEMP TABLE crowd(label, side);
INSERT INTO crowd VALUES ('', 'a'), ('', 'z'), ('crowded', 'a'), ('crowded', 'z');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
  INSERT INTO turnstile_config(session_label, key, value) SELECT label, side || ' stranger ' || i, 60000 FROM crowd, n;
SELECT 'a crowd: of all', turnstile_config('lease'), 180000;
SELECT 'a crowd: of the session', turnstile_config('lease', NULL, '{"session":"crowded"}'), 240000;
SELECT 'a crowd: of all, for the session', turnstile_config('on_archived', NULL, '{"session":"crowded"}'), 'reject';
SELECT 'a crowd: for a session without its own', turnstile_config('lease', NULL, '{"session":"lonely"}'), 180000;
SELECT 'a crowd: a default', turnstile_config('archive_after', NULL, '{"session":"crowded"}'), (SELECT preset FROM key WHERE key = 'archive_after');
SELECT 'a crowd: a text', session_deliver('crowded', 'thanks', '{"class":"Confirmation"}') ->> '$.message', 'Ja.';
SELECT 'a crowd: a text of all', session_deliver('lonely', 'thanks', '{"class":"Confirmation"}') ->> '$.message', 'Gut.';
REPLACE INTO turnstile_config VALUES ('', 'text.acknowledge', printf('%.4097c', 'x')), ('crowded', 'text.abandon', printf('%.5000c', 'x'));
SELECT 'a crowd: a text too long is none', turnstile_config('text.acknowledge') || turnstile_config('text.abandon', NULL, '{"session":"crowded"}'),
  turnstile_config('text.acknowledge', NULL, '{"reset":1}') || turnstile_config('text.abandon', NULL, '{"session":"crowded","reset":1}');
DELETE FROM turnstile_config WHERE session_label = '';
SELECT 'a crowd in the session alone', turnstile_config('lease', NULL, '{"session":"crowded"}'), 240000;
SELECT 'a crowd in the session alone: a default', turnstile_config('on_archived', NULL, '{"session":"crowded"}'), 'reopen';
