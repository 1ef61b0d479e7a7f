-- classify_functions.sql - the classifier as SQL sees it: classify_message, classify, the rules as rows,
-- prompts and replies for a language model, and a host's own function.
--
-- How well it classifies is measured elsewhere; here only what can't be told otherwise.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

---- The state comes first

CREATE TEMP TABLE said(message, state, class);
INSERT INTO said VALUES
  ('yes', 'AwaitingUser', 'Response'), ('yes', 'PendingComplete', 'Confirmation'),
  ('looks good', 'PendingComplete', 'Confirmation'), ('perfect, ship it', 'PendingComplete', 'Confirmation'),
  ('perfect, now also add logging', 'PendingComplete', 'Modification'), ('looks good but rename the flag', 'PendingComplete', 'Modification'),
  ('stop', 'Running', 'Abandon'), ('never mind', 'AwaitingUser', 'Abandon'), ('cancel', 'Running', 'Abandon'),
  ('stop the server', 'Running', 'Modification'), ('cancel button should be red', 'Running', 'Modification'), ('wait', 'Running', 'Modification'),
  ('make it 5 not 3', 'Running', 'Modification'), ('also add logging', 'Running', 'Modification'),
  ('what does that mean?', 'Running', 'Clarification'), ('show me the code', 'PendingComplete', 'Clarification'),
  ('use exponential', 'AwaitingUser', 'Response'), ('option B', 'AwaitingUser', 'Response'),
  ('new task: pool the connections', 'Running', 'NewTask'), ('different topic: write a readme', 'Running', 'NewTask'),
  ('add retries to the upload client', 'None', 'NewTask');
SELECT message || ' in ' || state, classify_message(message, state), class FROM said
WHERE NOT (message = 'wait'); -- anything but Abandon would do for that one
SELECT 'wait is not stop', classify_message('wait', 'Running') <> 'Abandon', 1;
SELECT 'task and question are optional and may be NULL', classify_message('yes', 'AwaitingUser', NULL, NULL), classify_message('yes', 'AwaitingUser');
SELECT 'a NULL state is None', classify_message('add retries to the upload client', NULL), 'NewTask';
SELECT 'the same input gives the same class', count(DISTINCT classify_message('make it 5', 'Running')), 1 FROM said;
SELECT 'usable in a query', (SELECT count(*) FROM said WHERE classify_message(message, state) = 'Abandon'), 3;

---- classify: every class, with its evidence

SELECT 'seven classes', (SELECT count(DISTINCT class) FROM classify('make it 5', 'Running')), 7;
SELECT 'the first is the answer', (SELECT class FROM classify('yes', 'PendingComplete') LIMIT 1), 'Confirmation';
SELECT message || ' in ' || state || ': both functions agree', (SELECT c.class FROM classify(said.message, said.state) AS c LIMIT 1), classify_message(message, state) FROM said;
SELECT 'confidences are between 0 and 1 and add up to 1', (SELECT min(confidence) >= 0 AND max(confidence) <= 1 AND abs(sum(confidence) - 1) < 0.02 FROM classify('perfect, ship it', 'PendingComplete')), 1;
SELECT 'evidence is JSON', (SELECT count(*) FROM classify('stop', 'Running') WHERE json_valid(evidence)), 7;
SELECT 'evidence names rules that are there', (SELECT count(*) > 0 AND sum(r.id IS NULL) = 0 FROM classify('never mind', 'Running') AS c, json_each(c.evidence) AS e
  LEFT JOIN message_rules AS r ON r.id = e.value ->> '$.rule' AND r.class = c.class WHERE e.value ->> '$.rule' IS NOT NULL), 1;
SELECT 'arguments can be given by name', (SELECT class FROM classify WHERE message = 'yes' AND state = 'PendingComplete' LIMIT 1), 'Confirmation';
SELECT 'no message', error_of('SELECT * FROM classify'), 'classify: message is missing';

---- Arguments

SELECT 'too few', error_of('SELECT classify_message(''hi'')') LIKE 'classify_message: it takes message, state%', 1;
SELECT 'too many', error_of('SELECT classify_message(1,2,3,4,5)') LIKE 'classify_message: it takes message, state%', 1;
SELECT 'no message at all', error_of('SELECT classify_message(NULL, ''None'')'), 'classify_message: message is missing';
SELECT 'a message that is a number', error_of('SELECT classify_message(5, ''None'')'), 'classify_message: message must be text';
SELECT 'a state that is none', error_of('SELECT classify_message(''hi'', ''Sleeping'')') LIKE 'classify_message: state is ''Sleeping''; it must be None, Running%', 1;
SELECT 'Complete takes no messages', error_of('SELECT classify_message(''hi'', ''Complete'')') LIKE 'classify_message: state is ''Complete''%', 1;
SELECT 'an empty message has a class', classify_message('', 'Running') IS NOT NULL, 1;
SELECT 'so has one of a MiB', classify_message(printf('%.1048576c', 'x'), 'Running') IS NOT NULL, 1;
SELECT 'and one that is no UTF-8', classify_message(CAST(x'ff00fe' AS TEXT), 'Running') IS NOT NULL, 1;
SELECT 'and one of many blanks', classify_message(printf('%.100000c', ' ') || 'stop', 'Running') IS NOT NULL, 1;

---- What asks whether something is so closes nothing, with or without its mark, in every language of the packs

CREATE TABLE asking(lang, message);
INSERT INTO asking VALUES
 ('en','is it fixed yet'),('en','did that work for you'),('en','is it live now'),('en','has it been approved'),('en','are we done here'),('en','does it work now'),('en','is everything green now'),('en','was it deployed'),('en','did the tests pass'),('en','did you cancel it'),('en','should we give up'),('en','is the problem solved'),
 ('de','ist es jetzt behoben'),('de','läuft es wieder'),('de','ist das schon online'),('de','sind wir fertig'),('de','klappt das jetzt'),('de','hast du es abgebrochen'),('de','funktioniert das jetzt'),('de','ist der Kunde zufrieden'),
 ('es','ya está arreglado o no'),('es','ya funciona o todavía no'),('es','quedó resuelto o qué'),('es','lo cancelaste'),('es','está publicado ya o falta'),
 ('fr','est-ce que c''est réglé'),('fr','est-ce que ça marche maintenant'),('fr','c''est bon ou pas'),('fr','as-tu tout annulé'),('fr','tout est déployé ou pas encore'),
 ('it','è già risolto o no'),('it','funziona adesso o no'),('it','hai annullato tutto'),('it','è online o non ancora'),
 ('pt','já está resolvido ou não'),('pt','funcionou ou não'),('pt','você cancelou tudo'),('pt','já tá no ar ou ainda não'),
 ('nl','is het al opgelost'),('nl','werkt het nu'),('nl','doet hij het weer'),('nl','heb je alles geannuleerd'),('nl','staat het al online'),
 ('pl','czy to już działa'),('pl','czy problem jest rozwiązany'),('pl','czy wszystko gra'),('pl','czy anulowałeś'),
 ('cs','už to funguje nebo ne'),('cs','je to opraveno nebo ještě ne'),('cs','zrušil jsi to'),
 ('ru','уже исправлено или нет'),('ru','всё ли работает'),('ru','работает ли теперь'),('ru','ты отменил или нет'),('ru','выкатили уже или нет'),
 ('uk','вже виправлено чи ні'),('uk','чи працює тепер'),('uk','чи все гаразд'),('uk','ти скасував чи ні'),
 ('tr','düzeldi mi'),('tr','çalışıyor mu artık'),('tr','iptal ettin mi'),('tr','müşteri memnun mu'),
 ('zh','修好了吗'),('zh','好了没'),('zh','解决了没有'),('zh','取消了吗'),('zh','上线了没'),
 ('ja','直りましたか'),('ja','もう動いたの'),('ja','解決しましたか'),('ja','キャンセルしましたか'),('ja','公開したのか'),
 ('ko','해결됐나요'),('ko','이제 되나요'),('ko','취소했나요'),('ko','다 됐어요 아니에요'),('ko','고쳐졌습니까'),
 ('ar','هل تم الحل'),('ar','هل يعمل الآن'),('ar','هل ألغيت كل شيء'),
 ('hi','क्या ठीक हो गया'),('hi','क्या काम हो गया'),('hi','kya chal gaya'),('hi','क्या रद्द कर दिया');
SELECT lang || ' asks: ' || message || ' in ' || value, classify_message(message, value) IN ('Confirmation', 'Abandon'), 0
FROM asking, json_each('["Running","AwaitingUser","Interrupted","PendingComplete"]');
SELECT 'with the mark as well: ' || message || ' in ' || value, classify_message(message || '?', value) IN ('Confirmation', 'Abandon'), 0
FROM asking, json_each('["Running","AwaitingUser","Interrupted","PendingComplete"]');
SELECT 'every language asks', (SELECT count(DISTINCT lang) FROM asking), (SELECT count(DISTINCT lang) FROM message_rules WHERE origin = 'builtin' AND lang <> 'any');
SELECT 'a reason beside it takes nothing away: ' || value, classify_message(value, 'PendingComplete'), 'Abandon'
FROM json_each('["the landlord forbids it, we give up","upstream has its own system now, forget the whole thing","our supplier left the country, we give up"]');
SELECT 'but what is wanted instead does: ' || value, classify_message(value, 'PendingComplete'), 'Modification'
FROM json_each('["the landlord forbids it, forget the bell, use a lamp instead","uploads: stop","forget the archive, use the new table"]');
SELECT 'and what is said does close: ' || value, classify_message(value, 'PendingComplete'), 'Confirmation'
FROM json_each('["the problem is solved","das funktioniert jetzt","ya funciona otra vez","tout est réglé","tutto funziona","tá tudo certo","alles werkt","wszystko gra","všechno funguje","всё работает","усе працює","çalışıyor artık","修好了","直りました","해결됐어요","تم الحل","सब ठीक है"]');

---- Rules are rows

INSERT INTO message_rules(class, state, pattern, weight) VALUES ('Abandon', 'Running', '^fiddlesticks$', 9);
SELECT 'a rule of one''s own', classify_message('fiddlesticks', 'Running'), 'Abandon';
SELECT 'holds for its state', classify_message('fiddlesticks', 'PendingComplete') <> 'Abandon', 1;
SELECT 'is of origin user', (SELECT origin FROM message_rules WHERE pattern = '^fiddlesticks$'), 'user';
SELECT 'speaks for itself', (SELECT e.value ->> '$.rule' FROM classify('fiddlesticks', 'Running') AS c, json_each(c.evidence) AS e WHERE c.class = 'Abandon' LIMIT 1),
       (SELECT id FROM message_rules WHERE pattern = '^fiddlesticks$');
UPDATE message_rules SET enabled = 0 WHERE pattern = '^fiddlesticks$';
SELECT 'can be switched off', classify_message('fiddlesticks', 'Running') <> 'Abandon', 1;
UPDATE message_rules SET enabled = 1 WHERE pattern = '^fiddlesticks$';
SELECT 'and on', classify_message('fiddlesticks', 'Running'), 'Abandon';
DELETE FROM message_rules WHERE pattern = '^fiddlesticks$';
SELECT 'and removed', classify_message('fiddlesticks', 'Running') <> 'Abandon', 1;
BEGIN;
INSERT INTO message_rules(class, pattern, weight) VALUES ('Abandon', '^fiddlesticks$', 9);
SELECT 'inside a transaction', classify_message('fiddlesticks', 'Running'), 'Abandon';
ROLLBACK;
SELECT 'rolled back', classify_message('fiddlesticks', 'Running') <> 'Abandon', 1;
INSERT INTO message_rules(class, pattern, weight) VALUES ('NewTask', '^fiddlesticks$', 9);
SELECT 'not mistaken for what was rolled back', classify_message('fiddlesticks', 'Running'), 'NewTask';
SELECT 'deliveries go by the rules', (session_start('r', 'x') > 0) || (session_deliver('r', 'fiddlesticks') ->> '$.class'), '1NewTask';

CREATE TEMP TABLE bad(class, state, pattern, weight, message);
INSERT INTO bad VALUES
  ('Abandon', NULL, '(unclosed', 1, 'message_rules: %9%'), ('Abandon', NULL, 'a**b[', 1, 'message_rules: %'), ('Abandon', NULL, '', 1, 'message_rules: %'), ('Abandon', NULL, NULL, 1, '%'),
  ('Maybe', NULL, 'x', 1, 'message_rules: %Maybe%'), ('Abandon', 'Sleeping', 'x', 1, 'message_rules: %Sleeping%'), ('Abandon', NULL, '(*LIMIT_MATCH=9)x', 1, 'message_rules: %'),
  ('Abandon', NULL, '(*UTF)x', 1, 'message_rules: %'), ('Abandon', NULL, 'x(*COMMIT)y', 1, 'message_rules: %'), ('Abandon', NULL, 'x', 1e300, 'message_rules: %'), ('Abandon', NULL, 'x', NULL, '%');
SELECT 'refused: ' || quote(class) || ' ' || quote(state) || ' ' || quote(pattern) || ' ' || quote(weight),
  error_of(printf('INSERT INTO message_rules(class, state, pattern, weight) VALUES (%Q, %Q, %Q, %s)', class, state, pattern, quote(weight))) LIKE message, 1 FROM bad;
SELECT 'a change for the worse is refused too', error_of('UPDATE message_rules SET pattern = ''(x'' WHERE id = 1') LIKE 'message_rules: %', 1;
SELECT 'a pattern that explodes is refused', error_of('INSERT INTO message_rules(class, pattern, weight) VALUES (''Abandon'', ''(a+)+$'', 1)') LIKE 'message_rules: pattern: it goes beyond its limits on a text of % bytes, "aaa…"%', 1;
SELECT 'so is one that calls itself', error_of('INSERT INTO message_rules(class, pattern, weight) VALUES (''Abandon'', ''(?R)'', 1)'), 'message_rules: pattern: calls of groups, such as (?R), are not allowed at offset 0';

---- Rows that nobody has checked, as in a stranger's file: left out, and named

DROP TRIGGER message_rules_check_insert;
DROP TRIGGER message_rules_check_update;
CREATE TEMP TABLE unchecked(pattern, why);
INSERT INTO unchecked VALUES ('(?R)', 'message_rules row 9001: pattern: calls of groups, such as (?R), are not allowed at offset 0; correct it or set enabled = 0'),
  ('(unclosed', 'message_rules row 9001: pattern: missing closing parenthesis at offset 9; correct it or set enabled = 0'),
  ('(a+)+$', 'rule 9001 ((a+)+$): match limit exceeded');
CREATE TEMP TABLE unchecked_said(pattern, kind, text);
INSERT INTO message_rules(id, class, pattern, weight) VALUES (9001, 'Abandon', '(?R)', 1);
INSERT INTO unchecked_said SELECT '(?R)', 'delivered', session_deliver('unchecked-1', printf('%.60c', 'a') || 'c');
INSERT INTO unchecked_said SELECT '(?R)', 'error', error_of('SELECT classify_message(printf(''%.60c'', ''a'') || ''c'', ''Running'')');
INSERT INTO unchecked_said SELECT '(?R)', 'check', problem FROM turnstile_check WHERE rule = 'rule_value';
UPDATE message_rules SET enabled = 0 WHERE id = 9001;
SELECT 'switched off, it is no trouble', error_of('SELECT classify_message(''x'', ''Running'')'), NULL;
DELETE FROM message_rules WHERE id = 9001;
INSERT INTO message_rules(id, class, pattern, weight) VALUES (9001, 'Abandon', '(unclosed', 1);
INSERT INTO unchecked_said SELECT '(unclosed', 'delivered', session_deliver('unchecked-2', printf('%.60c', 'a') || 'c');
INSERT INTO unchecked_said SELECT '(unclosed', 'error', error_of('SELECT classify_message(printf(''%.60c'', ''a'') || ''c'', ''Running'')');
INSERT INTO unchecked_said SELECT '(unclosed', 'check', problem FROM turnstile_check WHERE rule = 'rule_value';
DELETE FROM message_rules WHERE id = 9001;
INSERT INTO message_rules(id, class, pattern, weight) VALUES (9001, 'Abandon', '(a+)+$', 1);
INSERT INTO unchecked_said SELECT '(a+)+$', 'delivered', session_deliver('unchecked-3', printf('%.60c', 'a') || 'c');
INSERT INTO unchecked_said SELECT '(a+)+$', 'error', error_of('SELECT classify_message(printf(''%.60c'', ''a'') || ''c'', ''Running'')');
INSERT INTO unchecked_said SELECT '(a+)+$', 'check', problem FROM turnstile_check WHERE rule = 'rule_value';
INSERT INTO unchecked_said SELECT '(a+)+$', 'other', classify_message('stop it', 'Running');
DELETE FROM message_rules WHERE id = 9001;
-- Between two literals of the library's own scripts: it is compiled as late as theirs, under the same checks.
INSERT INTO message_rules(id, class, pattern, weight) VALUES (0, 'Abandon', '),' || char(10) || '(', 1);
SELECT 'what stands in a script and is no pattern of it', error_of('SELECT classify_message(''x'', ''Running'')'),
  'classify_message: rule 0 (),' || char(10) || '(): pattern: unmatched closing parenthesis at offset 0';
SELECT 'and with it', session_deliver('unchecked-4', 'write a letter') ->> '$.notes[0]', 'classified without rule 0 (),' || char(10) || '(): pattern: unmatched closing parenthesis at offset 0';
SELECT 'turnstile_check names it', (SELECT problem FROM turnstile_check WHERE rule = 'rule_value'), 'pattern: unmatched closing parenthesis at offset 0';
DELETE FROM message_rules WHERE id = 0;
SELECT 'the message is taken, without ' || pattern, text ->> '$.action' || ': ' || (text ->> '$.notes[0]'), 'start: classified without ' || why FROM unchecked_said JOIN unchecked USING (pattern) WHERE kind = 'delivered';
SELECT 'who only classifies gets an error, of ' || pattern, text, 'classify_message: ' || why FROM unchecked_said JOIN unchecked USING (pattern) WHERE kind = 'error';
SELECT 'turnstile_check names ' || pattern, text LIKE 'pattern: %', 1 FROM unchecked_said WHERE kind = 'check';
SELECT 'each was looked at', count(*), 10 FROM unchecked_said;
SELECT 'other messages are no trouble', text, 'Abandon' FROM unchecked_said WHERE kind = 'other';
SELECT turnstile_install();
INSERT INTO message_rules(class, pattern, weight, lang) VALUES ('Abandon', '^hagyjuk$', 9, 'hu');
SELECT 'a language of one''s own', classify_message('hagyjuk', 'Running'), 'Abandon';

---- A language model instead

SELECT 'the prompt quotes the message and names the classes', instr(classification_prompt('frobnicate it', 'Running', 'port the parser'), 'frobnicate it') > 0
  AND instr(classification_prompt('frobnicate it', 'Running', 'port the parser'), 'port the parser') > 0, 1;
SELECT 'it names ' || class, instr(classification_prompt('x', 'AwaitingUser', 't', 'Which?'), class) > 0, 1 FROM (SELECT DISTINCT class FROM classify('x', 'None'));
SELECT 'it has the question', instr(classification_prompt('x', 'AwaitingUser', 't', 'Which backoff?'), 'Which backoff?') > 0, 1;
SELECT 'it is the same each time', classification_prompt('x', 'Running') = classification_prompt('x', 'Running'), 1;
SELECT 'a prompt for nothing', error_of('SELECT classification_prompt(NULL, ''Running'')'), 'classification_prompt: message is missing';
CREATE TEMP TABLE reply(reply, class);
INSERT INTO reply VALUES ('Abandon', 'Abandon'), ('newtask', 'NewTask'), ('{"class":"NewTask"}', 'NewTask'), ('The class is **Modification**.', 'Modification'),
  ('', NULL), ('I can''t say', NULL), ('Abandon or NewTask', NULL), (NULL, NULL);
SELECT 'reply ' || quote(reply), classification_parse(reply), class FROM reply;

---- A host's own function

SELECT turnstile_classifier('nullif');
SELECT 'an error of it is an error', error_of('SELECT session_deliver(''h'', ''hi'')') LIKE 'session_deliver: classifier nullif%', 1;
SELECT turnstile_classifier('coalesce');
SELECT 'what it returns is checked', error_of('SELECT session_deliver(''h'', ''hello there'')') LIKE 'session_deliver: classifier coalesce%hello there%', 1;
SELECT 'a class it returns stands', session_deliver('h', 'Clarification') ->> '$.class', 'Clarification';
SELECT 'and is recorded', (SELECT class FROM deliveries WHERE session_label = 'h'), 'Clarification';
SELECT 'the option class comes before it', session_deliver('h', 'Clarification', '{"class":"NewTask"}') ->> '$.class', 'NewTask';
SELECT turnstile_classifier('no_such_function');
SELECT 'one that is not there', error_of('SELECT session_deliver(''h'', ''hi'')') LIKE 'session_deliver: classifier no_such_function%', 1;
SELECT turnstile_classifier(NULL);
SELECT 'without it the rules again', session_deliver('h', 'make it 5 not 3') ->> '$.class', 'Modification';

---- A greeting before a request, and a reminder, are work; a greeting alone is none

CREATE TEMP TABLE greeted(class, message);
INSERT INTO greeted VALUES ('NewTask', 'hi, remind me to call bob'), ('NewTask', 'remind me to call bob'),
  ('NewTask', 'Hello! Remind me at 5 to call Bob.'), ('NewTask', 'hey, can you remind me to call bob?'),
  ('NewTask', 'hi' || char(10) || 'remind me every monday to pay the rent'), ('NewTask', 'hey, order pizza'),
  ('NewTask', 'good morning, please summarise my inbox'), ('NewTask', 'hallo, erinnere mich daran bob anzurufen'),
  ('NewTask', 'bonjour, rappelle-moi d''appeler bob'), ('NewTask', 'hola, recuérdame llamar a bob'),
  ('NewTask', 'привет, напомни мне позвонить бобу'), ('NewTask', '你好，提醒我给鲍勃打电话'),
  ('NewTask', '你能提醒我给鲍勃打电话吗？'), ('NewTask', 'ciao, ricordami di chiamare bob'),
  ('NewTask', 'olá, lembre-me de ligar para o bob'), ('NewTask', 'cześć, przypomnij mi zadzwonić do boba'),
  ('NewTask', 'ahoj, připomeň mi zavolat bobovi'), ('NewTask', 'こんにちは、ボブに電話するようリマインドして'),
  ('NewTask', 'guten morgen, buche einen tisch'),
  ('NewTask', 'hi! remind me that bob calls at 5'), ('NewTask', 'remind me about the meeting at 5'),
  ('NewTask', 'hi there - remind me about the meeting at 5'), ('NewTask', 'hello, remind me of the dentist tomorrow'),
  ('NewTask', 'remind me of the rent next monday'), ('Clarification', 'remind me of the plan we made'),
  ('Clarification', 'remind me about what you changed in the meeting'),
  ('Clarification', 'hi, remind me what we did'), ('Clarification', 'remind me again what this does'),
  ('Clarification', 'can you remind me in which file it is?'), ('Clarification', '提醒我刚才说了什么'),
  ('Unclear', 'hi'), ('Unclear', 'hello there'), ('Unclear', 'guten tag'), ('Unclear', 'buenos días'),
  ('Unclear', 'bonsoir'), ('Unclear', 'buongiorno'), ('Unclear', 'bom dia'), ('Unclear', 'добрый день'),
  ('Unclear', '您好'), ('Unclear', 'おはようございます'), ('Unclear', 'dzień dobry'), ('Unclear', 'dobrý den');
SELECT 'nothing is open: ' || message, classify_message(message, 'None'), class FROM greeted;
SELECT 'it starts a task', json_extract(session_deliver('greeting', 'hi, remind me to call bob'), '$.action', '$.class'),
  '["start","NewTask"]';

---- Rules that are shipped pass what a user's must

UPDATE message_rules SET pattern = pattern;
SELECT 'each was tried again', changes() > 700, 1;
