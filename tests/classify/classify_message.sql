-- classify_message.sql - classify_message and classify: the class of a message, and what spoke for it.
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

---- A letter from A to H, or a digit from 1 to 9, names what the question has behind the same one

CREATE TEMP TABLE option(message, question, named);
INSERT INTO option VALUES ('B', 'A) now B) later', 1), ('b', 'A) now B) later', 1), ('B', 'a) now b) later', 1), ('A', 'A) now B) later', 1), ('H', 'G) now H) later', 1), ('h', 'g) now h) later', 1),
  ('a', 'a) now b) later', 1), ('I', 'H) now I) later', 0), ('i', 'h) now i) later', 0), ('1', '1. now 2. later', 1), ('9', '8. now 9. later', 1), ('0', '0. now 1. later', 0), ('z', 'y) now z) later', 0), ('@', '@ now', 0),
  ('I agree', 'Shall I retry?', 0), ('C', 'A) now B) later', 0), ('B', '', 0), ('B', 'B', 0), ('B', 'now or B', 0), ('B', 'now or B?', 0), ('B', 'now or B, later', 1),
  ('option B', 'A: now, B: later', 1), ('B', '(A) now (B) later', 1), ('ok (B)', '(A) now (B) later', 1), ('#2', '#1 now, 2 later', 1), ('B)', 'A) now' || char(10) || 'B) later', 1), ('take' || char(10) || 'B', 'A) B)', 1), ('B' || char(10) || 'ok', 'A) B)', 1),
  ('xB', 'A) now B) later', 0), ('Bx', 'A) now B) later', 0), ('B!', 'A) now B) later', 1), ('"B', 'A) now B) later', 0), ('B', 'A now xB) later', 0), ('B', 'A) now *B) later', 1), ('B', 'A;B. later', 1), ('B', 'A:B= later', 1), ('B', '"B) later', 0),
  ('I take B', 'A) now B) later', 1), ('I will take B', 'A) now B) later', 0), ('alternatives everyone B', 'A) now B) later', 1), ('alternatives everyones B', 'A) now B) later', 1), ('alternatives of everyone', 'A) now B) later', 0),
  ('alternatives everyoneses B', 'A) now B) later', 0);
SELECT json_array(message, question), (SELECT max(evidence LIKE '%names an option%') FROM classify(option.message, 'AwaitingUser', NULL, option.question)), named FROM option;
SELECT 'of no other state', (SELECT max(evidence LIKE '%names an option%') FROM classify('B', 'PendingComplete', NULL, 'A) now B) later')), 0;

---- What looks like a close, and is none

CREATE TEMP TABLE vetoed(class, state, question, message);
INSERT INTO vetoed VALUES
  -- The question itself names the word.
  ('Response', 'AwaitingUser', 'Is the key called pause or quit?', 'quit'), ('Abandon', 'AwaitingUser', 'Which key shall it be?', 'quit'),
  ('Response', 'AwaitingUser', 'Should the button say "Stop" or "Cancel"?', 'Cancel'), ('Abandon', 'AwaitingUser', 'Which colour shall it have?', 'cancel it'),
  ('Response', 'AwaitingUser', 'Do you want to abort or retry the upload?', 'abort'), ('Response', 'AwaitingUser', 'Which command: start, stop or restart?', 'stop'),
  ('Response', 'AwaitingUser', 'Heißt die Taste Abbrechen oder Beenden?', 'abbrechen'),
  -- It asks whether something is to end, or what something is to be called.
  ('Response', 'AwaitingUser', 'Cancel the running backup?', 'yes, cancel'), ('Response', 'AwaitingUser', 'The server is still running. Should I stop it?', 'yes stop it'),
  ('Response', 'AwaitingUser', 'Should I drop the old column or keep it?', 'drop it'), ('Response', 'AwaitingUser', 'The old cron job backs up too. Remove it?', 'no longer needed'),
  ('Response', 'AwaitingUser', 'Soll ich das alte Foto löschen oder behalten?', 'brauchen wir nicht mehr'), ('Response', 'AwaitingUser', 'Удалить старое фото или оставить?', 'оставь'),
  ('Response', 'AwaitingUser', 'Eski fotoğrafı sileyim mi, bırakayım mı?', 'bırak'), ('Response', 'AwaitingUser', '옛 사진을 지울까요, 둘까요?', '그냥 둬'),
  ('Response', 'AwaitingUser', 'What did the customer write back?', 'she doesn''t want it anymore'), ('Response', 'AwaitingUser', 'How should I name the branch?', 'feature/cancel'),
  ('Abandon', 'AwaitingUser', 'The old cron job stops at ten. Which colour shall it have?', 'forget it'),
  -- A bare no, where something was to be tried.
  ('Modification', 'PendingComplete', 'The form is fixed. Please try it and tell me if it works.', 'no'),
  ('Modification', 'PendingComplete', 'Try it now.', 'nope'), ('Modification', 'PendingComplete', 'Give it a try.', 'no, it doesn''t'),
  ('Modification', 'PendingComplete', 'Probier es jetzt aus.', 'nein'), ('Modification', 'PendingComplete', 'Pruébalo ahora.', 'no'),
  ('Confirmation', 'PendingComplete', 'The form is fixed. Anything else?', 'no'), ('Response', 'AwaitingUser', 'Does it work now?', 'no'),
  -- What the agent has started is to stop, not the task.
  ('Modification', 'PendingComplete', 'The dev server is running on port 3000.', 'stop it'), ('Modification', 'PendingComplete', 'I started the watcher in the background.', 'kill it'),
  ('Modification', 'PendingComplete', 'Recording started.', 'stop'), ('Modification', 'PendingComplete', 'Started the container, logs are clean.', 'please stop it again'),
  ('Modification', 'PendingComplete', 'Der Server läuft jetzt auf Port 80.', 'stopp ihn wieder'), ('Abandon', 'PendingComplete', 'The log is written.', 'please stop it'),
  -- A dismissal with something new behind it.
  ('Modification', 'PendingComplete', 'The logo is in.', 'forget it, make it blue instead'), ('Modification', 'PendingComplete', 'Deployed.', 'forget that, roll back and use the other branch'),
  ('Response', 'AwaitingUser', 'Blue or green?', 'never mind, use the old one'), ('Modification', 'Running', '(searching)', 'stop, look in the other folder'),
  ('NewTask', 'PendingComplete', 'The logo is in.', 'forget it, write a letter to the landlord'), ('Abandon', 'PendingComplete', 'The logo is in.', 'forget it');
SELECT message || ' behind ' || question, classify_message(message, state, 'help with the site', question), class FROM vetoed;
