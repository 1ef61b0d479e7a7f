-- names.sql - to whom a message is said: the setting names, mentions, slash words, signs for "stop".

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

---- The setting

SELECT 'none are set', turnstile_config('names'), NULL;
SELECT 'kept in one form', turnstile_config('names', ' @Alma ,U07AB,, Alma Bot'), 'Alma, U07AB, Alma Bot';
SELECT 'stored so', (SELECT value FROM turnstile_config WHERE key = 'names'), 'Alma, U07AB, Alma Bot';
SELECT 'a number is a name', turnstile_config('names', 4711, '{"session":"n"}'), '4711';
SELECT 'of the session', turnstile_config('names', NULL, '{"session":"n"}'), '4711';
SELECT 'not of the others', turnstile_config('names', NULL, '{"session":"m"}'), 'Alma, U07AB, Alma Bot';
SELECT 'back to what holds for all', turnstile_config('names', NULL, '{"session":"n","reset":1}'), 'Alma, U07AB, Alma Bot';
CREATE TEMP TABLE bad(names, why);
INSERT INTO bad VALUES ('', 'has no name'), (' , @', 'has no name'), ('Alma, !', 'has a name without a letter or a digit'),
  ('<@U07AB>', 'has a name with a bracket, a quote, a | or a control character'), (printf('%.65c', 'x'), 'has a name of more than 64 bytes'),
  (printf('%.*c', 66, 'a') || '', 'has a name of more than 64 bytes'), (replace(printf('%.33c', 'a'), 'a', 'a,'), 'has more than 32 names');
SELECT 'refused: ' || names, error_of(printf('SELECT turnstile_config(''names'', %Q)', names)) LIKE 'turnstile_config: names is ''%'', which ' || why || '; it must be 1 to 32 names with commas between them%', 1 FROM bad;
CREATE TEMP TABLE mended(what, name);
INSERT INTO mended VALUES ('bytes that are no UTF-8', CAST(x'416CFF' AS TEXT)), ('half a character', CAST(x'C3' AS TEXT)), ('U+FFFD', 'Alma, ' || char(65533) || 'x'), ('a NUL', 'Al' || char(0) || 'ma');
SELECT 'refused: ' || key || ' with ' || what, error_of(printf('SELECT turnstile_config(%Q, CAST(x%Q AS TEXT))', key, hex(CAST(name AS BLOB)))), 'turnstile_config: ' || key || ' holds U+FFFD, a NUL, half a surrogate pair or bytes that are no UTF-8; a name must be whole'
FROM mended, (SELECT 'names' AS key UNION ALL SELECT 'summarization_model');
SELECT 'by the door too', error_of('INSERT INTO turnstile(command, args) VALUES (''turnstile_config'', ''["names","\ud800x"]'')'), 'turnstile_config: names holds U+FFFD, a NUL, half a surrogate pair or bytes that are no UTF-8; a name must be whole';
SELECT 'refused names change nothing', turnstile_config('names'), 'Alma, U07AB, Alma Bot';
SELECT 'the settings are sound', (SELECT group_concat(rule) FROM turnstile_check), NULL;
INSERT INTO turnstile_config(key, session_label, value) VALUES ('names', 'odd', '<@U1>');
SELECT 'by hand they may be odd, and are found', (SELECT group_concat(rule || ' ' || problem) LIKE 'config%names with commas%' FROM turnstile_check), 1;
SELECT 'and count for nothing', turnstile_config('names', NULL, '{"session":"odd"}'), NULL;
DELETE FROM turnstile_config WHERE session_label = 'odd';
SELECT turnstile_config('names', NULL, '{"reset":1}');

---- Sessions in every state to say something to

CREATE TEMP TABLE place(place, class, action, state);
INSERT INTO place VALUES ('None', 'Abandon', 'acknowledge', 'None'), ('Running', 'Abandon', 'abandon', 'None'), ('live', 'Abandon', 'abandon', 'None'),
  ('AwaitingUser', 'Abandon', 'abandon', 'None'), ('PendingComplete', 'Abandon', 'abandon', 'None'), ('Interrupted', 'Abandon', 'abandon', 'None'),
  ('choice', 'Abandon', 'acknowledge', 'Running');
CREATE TEMP TABLE said(about, names, message);
CREATE TEMP VIEW sayings AS SELECT about || ' ' || place || ' ' || message || ifnull(' to ' || names, '') AS label, names, about, message, place FROM said, place;
-- What is said, by what it is about.
INSERT INTO said SELECT 'stop', NULL, value FROM json_each(json_array('@helper stop', '<@U07AB> stop', '<@U07AB|helper> stop', '<@!123> stop', '<at>Alma</at> stop', '@alma:server.org: stop',
  '@helper, stop!', 'hey @helper stop', '@helper /stop', '@helper arrête', '@helper стоп', '@helper 停止', '＠helper stop', char(8296) || '@helper' || char(8297) || ' stop', '@helper 🛑'));
INSERT INTO said SELECT 'stop', 'Alma, alma_bot, U07AB, アルマ', value FROM json_each(json_array('Alma: stop', 'Alma, stop', 'Alma stop', 'hey Alma stop', 'hey, Alma, stop', '[Alma] stop', 'stop, Alma', 'stop @alma_bot',
  '<@U07AB> stop', '@Alma стоп', 'Alma: стоп', 'Alma, arrête', 'アルマ、止めて', '/stop@alma_bot', '/stop @Alma', '@here stop', '@bob and @Alma stop', 'Alma, abbrechen', 'Alma cancela', 'Alma: cancel the task please'));
INSERT INTO said SELECT 'yes', 'Alma, U07AB', value FROM json_each(json_array('[Alma] yes', 'Alma: yes', '@Alma, yes', '<@U07AB> yes', 'yes, Alma', 'yes <@U07AB>', 'hey Alma, yes', 'Alma: looks good, thanks'));
INSERT INTO said SELECT 'chosen', 'Alma', value FROM json_each(json_array('Alma: A', '@Alma A', '[Alma] the first one', 'A, Alma', 'hey Alma, start on the new request'));
INSERT INTO said VALUES ('short', NULL, '@helper /compact'), ('short', NULL, '@helper /compact keep the names'), ('short', 'Alma', 'Alma: /COMPACT'), ('short', 'Alma', '/compact@Alma'), ('short', NULL, '／compact'), ('short', NULL, '/compact.');
INSERT INTO said SELECT 'other', 'Alma, U07AB', value FROM json_each(json_array('@bob stop', '<@U99> stop', 'hey @bob stop', '@bob yes', '@bob make it blue', '@bob A', '/stop@bob', '/compact@bob', '/stop @bob', '<at>Bob</at> stop',
  'Bob: stop', 'Bob, stop', 'bob: stop', 'Bob: yes', 'Bob, thanks!', 'Bob: no', 'thanks @bob', 'stop <@U99>', 'Сергей, стоп', '鲍勃：停', 'ボブ、止めて', 'Bob Miller: looks good, thanks'));
INSERT INTO said SELECT 'work', names, value FROM json_each(json_array('Bob: make it blue', 'Title: Retries', 'Note: stop using the cache', 'tell Alma to stop', 'ask @bob for the key', 'Alma is wrong about the footer', 'almanac.c is broken')), (SELECT 'Alma' AS names);
INSERT INTO said SELECT 'work', 'Alma', value FROM json_each(json_array('Perfect, stop', 'OK: stop', 'Great: thanks', 'No, cancel it', 'Please, stop', 'Enough, stop', 'Argh, stop', 'Wait, stop', 'Sorry, cancel it', 'حسنا، توقف', '算了，停', 'बस, रुको', 'Хватит, стоп', 'Basta, para', 'ストップ、止めて'));
INSERT INTO said VALUES ('call', NULL, '@helper'), ('call', NULL, '@helper?'), ('call', 'Alma', 'Alma'), ('call', 'Alma', '@Alma'), ('call', 'Alma', 'Alma?'), ('call', NULL, '<@U07AB>');
INSERT INTO said SELECT 'slash', NULL, value FROM json_each(json_array('/stop.', '/stop!', '/stop, please', '/стоп', '/отмена', '/停止', '/キャンセル', '/arrêter', '/Abbrechen', '/cancelar', '/ｓｔｏｐ', '／stop', '!stop', '/st' || char(8203) || 'op', '🛑', '⏹️', '⛔', '🛑🛑', 'stop 🛑', '*stop*', '**STOP!**',
  char(8234) || 'stop' || char(8236), 'stop' || char(8205), char(8207) || 'stop', char(173) || 'stop'));
INSERT INTO said SELECT 'unknown', NULL, value FROM json_each(json_array('/model', '/exit', '/quit', '/new', '/reset', '/модель', '/モデル', '/?', '/model.', '/exit!', '@helper /model', '/help@bot', '/done', '/start'));
INSERT INTO said SELECT 'path', NULL, value FROM json_each(json_array('/usr/bin is missing', '/etc/hosts: permission denied', '/a.txt is empty', '!important is missing in the style'));

INSERT INTO turnstile(command, args) SELECT 'turnstile_config', json_array('names', names, json_object('session', label)) FROM sayings WHERE names IS NOT NULL;
INSERT INTO turnstile(command, args) SELECT 'session_deliver', json_array(label, 'add retries to the upload client', json('{"owner":"w"}')) FROM sayings WHERE place = 'live';
INSERT INTO turnstile(command, args) SELECT 'session_start', json_array(label, 'add retries to the upload client') FROM sayings WHERE place NOT IN ('None', 'live');
INSERT INTO turnstile(command, args) SELECT 'session_note', json_array(label, 'read') FROM sayings WHERE place NOT IN ('None', 'live');
INSERT INTO turnstile(command, args) SELECT 'session_transition', json_array(label, place, json_object(CASE place WHEN 'AwaitingUser' THEN 'question' WHEN 'Interrupted' THEN 'user_message' ELSE 'summary' END, 'Retries are in, tests pass.')) FROM sayings WHERE place IN ('AwaitingUser', 'PendingComplete', 'Interrupted');
INSERT INTO turnstile(command, args) SELECT 'session_deliver', json_array(label, 'pool the connections', json('{"class":"NewTask"}')) FROM sayings WHERE place = 'choice';
CREATE TEMP TABLE told(label PRIMARY KEY, about, message, place, decision);
INSERT INTO told SELECT label, about, message, place, session_deliver(label, message) FROM sayings;

---- It is understood without the address, in every state

SELECT label, json_extract(decision, '$.class', '$.action', '$.state'), json_array(class, action, state) FROM told JOIN place USING (place) WHERE about = 'stop';
SELECT 'all of them', (SELECT count(*) FROM told WHERE about = 'stop'), 35 * 7;
SELECT 'the words stay as they were said', (SELECT count(*) FROM deliveries JOIN told ON label = session_label AND deliveries.message = told.message WHERE session_label LIKE 'stop live %' AND class = 'Abandon'), 35;

SELECT label, json_extract(decision, '$.class', '$.action', '$.state'),
  CASE place WHEN 'None' THEN '["Confirmation","acknowledge","None"]' WHEN 'AwaitingUser' THEN '["Response","continue","Running"]' WHEN 'PendingComplete' THEN '["Confirmation","complete","None"]' END
  FROM told WHERE about = 'yes' AND place IN ('None', 'AwaitingUser', 'PendingComplete');
SELECT label || ' says neither of the two ways', json_extract(decision, '$.action', '$.kind'), '["prompt","NewTaskChoice"]' FROM told WHERE about = 'yes' AND place = 'choice';

SELECT label, json_extract(decision, '$.class', '$.action', '$.inputs[0].message'), '["Response","start","pool the connections"]' FROM told WHERE about = 'chosen' AND place = 'choice';

SELECT label, decision ->> '$.action', iif(place = 'live', 'queue', 'compact') FROM told WHERE about = 'short';
SELECT 'its focus', (SELECT group_concat(DISTINCT decision ->> '$.focus') FROM told WHERE message = '@helper /compact keep the names'), 'keep the names';

---- What is said to somebody else is handed over, and moves nothing: it is no stop, no approval, no answer

SELECT label, json_extract(decision, '$.action', '$.state'), json_array(iif(place = 'live', 'queue', 'answer'), iif(place IN ('live', 'choice'), 'Running', place)) FROM told WHERE about = 'other';
SELECT 'nothing else is asked', (SELECT count(*) FROM told WHERE about = 'other' AND place <> 'choice' AND decision ->> '$.kind' <> 'Question'), 0;
SELECT label || ': the choice stays', session_state(label) ->> '$.pending_choice.kind', 'NewTaskChoice' FROM told WHERE about = 'other' AND place = 'choice';
SELECT 'no task has ended', (SELECT count(*) FROM tasks WHERE session_label LIKE 'other %' AND ended_at IS NOT NULL), 0;
SELECT 'it is on its way to the model', (SELECT count(*) FROM told WHERE about = 'other' AND decision ->> '$.queue_id' IS NULL), 0;
SELECT 'nor does it touch what lies for a day', json_extract(session_deliver('other Running @bob stop to Alma, U07AB', '@bob stop', '{"now":1767319200000}'), '$.action', '$.kind'), '["answer",null]';
SELECT 'the next message is asked about the task all the same', session_deliver('other Running @bob stop to Alma, U07AB', 'make it five', '{"now":1767319200001}') ->> '$.kind', 'StaleSessionChoice';
SELECT 'with a class it is the caller''s word', session_deliver('other PendingComplete @bob stop to Alma, U07AB', '@bob stop', '{"class":"Abandon"}') ->> '$.action', 'abandon';
SELECT 'said as the answer it is one', session_deliver('other AwaitingUser @bob stop to Alma, U07AB', '@bob yes', json_object('asked_at', 1767225600000)) ->> '$.action', 'continue';

-- In every language with a pack.
CREATE TEMP TABLE word(lang, stop);
INSERT INTO word SELECT key, json_each.value FROM json_each('{"de":"stopp","es":"para","fr":"arrête","it":"fermati","pt":"pare","nl":"annuleer","pl":"zatrzymaj","cs":"přestaň","ru":"остановись",
  "uk":"зупинись","tr":"iptal","zh":"停","ja":"やめて","ko":"멈춰","ar":"توقف","hi":"रुको","en":"cancel"}');
INSERT INTO turnstile(command, args) SELECT 'turnstile_config', json_array('names', 'Alma', json_object('session', 'word ' || n || lang)) FROM word, (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3 UNION SELECT 4);
INSERT INTO turnstile(command, args) SELECT 'session_deliver', json_array('word ' || n || lang, 'add retries', json('{"owner":"w"}')) FROM word, (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3 UNION SELECT 4);
SELECT '@Alma ' || stop, session_deliver('word 1' || lang, '@Alma ' || stop) ->> '$.action', 'abandon' FROM word;
SELECT 'Alma: ' || stop, session_deliver('word 2' || lang, 'Alma: ' || stop) ->> '$.action', 'abandon' FROM word;
SELECT stop || ', Alma', session_deliver('word 3' || lang, stop || ', Alma') ->> '$.action', 'abandon' FROM word;
SELECT '/' || stop, session_deliver('word 4' || lang, '/' || stop) ->> '$.action', 'abandon' FROM word;

-- What begins like a name and is none, and work that is asked of whoever hears it, is taken as ever.
SELECT label, decision ->> '$.action', 'continue' FROM told WHERE about = 'work' AND place IN ('Running', 'AwaitingUser') AND message IN ('Bob: make it blue', 'Title: Retries', 'Note: stop using the cache', 'tell Alma to stop', 'ask @bob for the key', 'Alma is wrong about the footer', 'almanac.c is broken');
SELECT label, decision ->> '$.action', 'abandon' FROM told WHERE about = 'work' AND place = 'Running' AND message IN ('Perfect, stop', 'OK: stop', 'No, cancel it', 'Please, stop', 'Enough, stop', 'Argh, stop', 'Wait, stop', 'Sorry, cancel it', 'حسنا، توقف', '算了，停', 'बस, रुको', 'Хватит, стоп', 'Basta, para', 'ストップ、止めて');
SELECT label, decision ->> '$.action', 'complete' FROM told WHERE about = 'work' AND place = 'PendingComplete' AND message = 'Great: thanks';

-- A word that the question or the task is about is nobody's name.
INSERT INTO turnstile VALUES ('turnstile_config', '["names","Alma"]'), ('session_start', '["about","deploy to staging"]'), ('session_transition', '["about","AwaitingUser",{"question":"Deploy to Staging, or to production?"}]');
SELECT 'it answers', session_deliver('about', 'Staging: yes') ->> '$.action', 'continue';
SELECT turnstile_config('names', NULL, '{"reset":1}');

---- Nothing but a call

SELECT label, json_extract(decision, '$.class', '$.action', '$.state'), json_array(iif(place = 'choice', 'Clarification', 'Unclear'), iif(place = 'live', 'queue', 'answer'), iif(place IN ('live', 'choice'), 'Running', place)) FROM told WHERE about = 'call' AND place <> 'AwaitingUser';
INSERT INTO turnstile SELECT 'turnstile_config', json_array('names', 'Alma', json_object('session', value)) FROM json_each('["review bob","review alma"]');
INSERT INTO turnstile SELECT 'session_start', json_array(value, 'review it') FROM json_each('["review bob","review alma"]');
INSERT INTO turnstile SELECT 'session_transition', json_array(value, 'AwaitingUser', json('{"question":"Who is to review it?"}')) FROM json_each('["review bob","review alma"]');
SELECT 'somebody''s mention answers a question', json_extract(session_deliver('review bob', '@bob'), '$.class', '$.action'), '["Response","continue"]';
SELECT 'the session''s own name does not', json_extract(session_deliver('review alma', '@Alma'), '$.class', '$.action', '$.state'), '["Unclear","answer","AwaitingUser"]';

---- Only what people say is addressed

INSERT INTO turnstile VALUES ('session_start', '["timed","add retries"]'), ('session_note', '["timed","read"]');
SELECT 'a timer calls nobody', session_deliver('timed', '@helper /compact', '{"source":"timer"}') ->> '$.action', 'continue';
SELECT 'and /compact is one from a timer, too', session_deliver('timed', '/compact', '{"source":"timer"}') ->> '$.action', 'compact';

---- Slash words however they are written, in languages that have their own

SELECT label, json_extract(decision, '$.class', '$.action', '$.state'), json_array(class, action, state) FROM told JOIN place USING (place) WHERE about = 'slash';

SELECT label, json_extract(decision, '$.class', '$.action', '$.state'), json_array(iif(place = 'choice', 'Clarification', 'Unclear'), iif(place = 'live', 'queue', 'answer'), iif(place IN ('live', 'choice'), 'Running', place)) FROM told WHERE about = 'unknown';
SELECT 'no choice is open', (SELECT count(*) FROM sessions WHERE label LIKE 'unknown %' AND label NOT LIKE 'unknown choice %' AND pending_choice IS NOT NULL), 0;

SELECT label, json_extract(decision, '$.action', '$.kind'), '["continue",null]' FROM told WHERE about = 'path' AND place IN ('Running', 'PendingComplete', 'Interrupted', 'AwaitingUser');
SELECT label, json_extract(decision, '$.action', '$.kind'), '["interrupt",null]' FROM told WHERE about = 'path' AND place = 'live';

SELECT 'a quoted word is what it is, and stops nothing', json_extract(session_deliver('slash PendingComplete quoted', '"stop"'), '$.class') <> 'Abandon', 1;
SELECT 'classify sees no mention either', classify_message('@helper stop', 'Running'), 'Abandon';

---- With a document the names go along, and with an alias

INSERT INTO turnstile VALUES ('turnstile_config', '["names","Alma, U07AB",{"session":"moves"}]'), ('session_start', '["moves","add retries"]');
SELECT 'imported', session_import(session_export('moves'), '{"as":"moved"}') IS NOT NULL, 1;
SELECT 'in the copy', turnstile_config('names', NULL, '{"session":"moved"}'), 'Alma, U07AB';
SELECT 'and they count there', session_deliver('moved', '@bob stop') ->> '$.action', 'answer';
SELECT 'so does its own', session_deliver('moved', 'Alma: stop') ->> '$.class', 'Abandon';

---- What waits is read with the names of its session

INSERT INTO turnstile VALUES ('turnstile_config', '["names","Alma",{"session":"waits"}]'), ('session_start', '["waits","add retries"]'), ('session_deliver', '["waits","go on with the retries",{"owner":"w"}]'), ('queue_push', '["waits","@bob stop"]');
SELECT 'the run ends', turn_complete(session_state('waits') ->> '$.turn', 1, '{"content":"half"}') IS NOT NULL, 1;
SELECT 'it is handed over as words', turn_begin('waits', 'w') ->> '$.messages[0].content', '@bob stop';
SELECT 'the task goes on', session_state('waits') ->> '$.task_state', 'Running';

---- A slash word stands in the first bytes, and a name of which the task speaks is found whatever is repeated in it

INSERT INTO turnstile VALUES ('turnstile_config', '["names","Alma",{"session":"long"}]'), ('session_start', '["long","tell xaaab and baba-babab about the retries"]');
SELECT 'of it the task speaks', session_deliver('long', 'Aaab: stop') ->> '$.class', 'Modification';
SELECT 'also in the middle', session_deliver('long', 'Babab: stop') ->> '$.class', 'Modification';
SELECT 'and of this not', session_deliver('long', 'Aaaab: stop') ->> '$.action', 'answer';
SELECT 'behind some blanks', session_deliver('long', printf('%500s', '') || '/compact') ->> '$.action', 'compact';
SELECT 'behind many', session_deliver('long', printf('%512s', '') || '/compact') ->> '$.action' <> 'compact', 1;
SELECT 'with much behind it', session_deliver('long', '/compact' || printf('%2000s', 'x')) ->> '$.action' <> 'compact', 1;
SELECT 'a long focus', session_deliver('long', '/compact ' || printf('%.*c', 2000, 'x')) ->> '$.focus', printf('%.*c', 2000, 'x');

---- What people call whoever works for them is nobody else, whatever its name

CREATE TEMP TABLE kind(message, action);
INSERT INTO kind VALUES ('Bot, stop', 'abandon'), ('stop, Bot', 'abandon'), ('Assistant, stop!', 'abandon'), ('Roboter, stopp', 'abandon'),
  ('бот, стоп', 'abandon'), ('机器人，停止', 'abandon'), ('Alma, "stop"', 'abandon'), ('stop, Alma', 'abandon'), ('stop @Alma', 'abandon'),
  ('Robert, stop', 'answer'), ('stop @helper', 'answer');
CREATE TEMP TABLE kind_said AS SELECT message, action, turnstile_config('names', 'Alma', json_object('session', 'kind' || rowid)) AS names,
  session_start('kind' || rowid, 'tidy the list') AS task, session_deliver('kind' || rowid, message) ->> '$.action' AS got FROM kind;
SELECT 'with a name of its own: ' || message, got, action FROM kind_said;

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;
