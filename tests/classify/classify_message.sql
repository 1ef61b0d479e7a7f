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

---- What the question names, as the first clause of a message or as all of it

CREATE TEMP TABLE opens(message, question, named);
INSERT INTO opens VALUES ('C, and make it quick', 'Shall it be A or C?', 1), ('B, and make it quick', 'Shall it be A or B?', 1), ('A, and make it quick', 'Shall it be A or B?', 0), ('a, and make it quick', 'Do you want a pen?', 0),
  ('I, and make it quick', 'Shall I go?', 0), ('i, and make it quick', 'Shall i go?', 0), ('it, and make it quick', 'Shall it go?', 1), ('red, and make it quick', 'Is it red or blue?', 1), ('dark red, and make it quick', 'Is it dark red or blue?', 1),
  ('very dark red, and make it quick', 'Is it very dark red or blue?', 0), ('green, and make it quick', 'Is it red or blue?', 0), ('red and make it quick', 'Is it red or blue?', 0), ('re, and make it quick', 'Is it red or blue?', 0),
  ('red, and make it quick', 'Red is taken. Is it green or blue?', 0);
SELECT json_array(message, question), (SELECT max(evidence LIKE '%opens with what the question names%') FROM classify(opens.message, 'AwaitingUser', NULL, opens.question)), named FROM opens;
SELECT 'opens, of no other state', (SELECT max(evidence LIKE '%opens with what%') FROM classify('red, and make it quick', 'PendingComplete', NULL, 'Is it red or blue?')), 0;
CREATE TEMP TABLE quoted(message, question, named);
INSERT INTO quoted VALUES ('stop it now', 'Shall I stop it now?', 1), ('drop it', 'Shall I drop it?', 1), ('stop', 'Shall I stop?', 1), ('stop that thing now', 'Shall I stop that thing now?', 0), ('no', 'No or yes?', 0), ('stop?', 'Shall I stop?', 0),('cancel', 'Shall I go on?', 0);
SELECT json_array(message, question), (SELECT max(evidence LIKE '%named in the question%') FROM classify(quoted.message, 'AwaitingUser', NULL, quoted.question)), named FROM quoted;
SELECT 'quoted, of no other state', (SELECT max(evidence LIKE '%named in the question%') FROM classify('drop it', 'PendingComplete', NULL, 'Shall I drop it?')), 0;

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
  ('NewTask', 'PendingComplete', 'The logo is in.', 'forget it, write a letter to the landlord'), ('Abandon', 'PendingComplete', 'The logo is in.', 'forget it'),
  -- Somebody else gives up; with an order behind it, or a part of the work as what is given up, it is a change.
  ('Modification', 'Running', 'Working.', 'the client cancelled his order, remove it'),
  ('Modification', 'Running', 'Working.', 'el cliente quiere cancelar su pedido'),
  ('Modification', 'Running', 'Working.', 'клиент передумал, верни строку'), ('Modification', 'Running', 'Working.', '客がキャンセルしたので削除して'),
  ('Modification', 'Running', 'Working.', 'the band quit, so free up table 9'),
  ('Modification', 'Running', 'Working.', 'he wants to cancel by end of june'),
  ('Modification', 'Running', 'Working.', 'Piet heeft afgezegd, zet Els erin'),
  ('Modification', 'Running', 'Working.', 'клиент отменил заказ, убери его'),
  ('Modification', 'Running', 'Working.', 'müşteri siparişi iptal etti, adını çıkar'),
  ('Modification', 'Running', 'Working.', 'मामा ने मना कर दिया, उनका नाम हटाओ'),
  ('Modification', 'Running', 'Working.', 'the fair is cancelled, take it out'),
  ('Modification', 'Running', 'Working.', 'der Kunde hat abgesagt, nimm ihn raus'),
  ('Modification', 'Running', 'Working.', 'le client a annulé, supprime la ligne'),
  ('Modification', 'Running', 'Working.', 'il cliente ha disdetto, togli la riga'),
  ('Modification', 'Running', 'Working.', 'o cliente cancelou, remova a linha'),
  ('Modification', 'Running', 'Working.', 'klient zrezygnował, usuń wiersz'),
  ('Modification', 'Running', 'Working.', 'zákazník to zrušil, smaž řádek'),
  ('Modification', 'Running', 'Working.', 'клієнт передумав, поверни рядок'),
  ('Modification', 'Running', 'Working.', 'العميل ألغى طلبه، احذف السطر'), ('Modification', 'Running', 'Working.', '고객이 취소했으니 삭제해'),
  ('Modification', 'Running', 'Working.', '客户取消了，把它删掉'), ('Modification', 'PendingComplete', 'Done.', 'customer changed his mind, he wants to stay'),
  ('Modification', 'PendingComplete', 'Done.', 'klient zrezygnował z logo'),
  ('Modification', 'PendingComplete', 'Done.', 'el cliente canceló la cita del viernes'),
  ('Modification', 'PendingComplete', 'Done.', 'he cancelled the cancellation, rewrite accordingly'),
  ('Abandon', 'PendingComplete', 'Done.', 'the client cancelled the project'), ('Abandon', 'PendingComplete', 'Done.', 'they called it off'),
  ('Abandon', 'PendingComplete', 'Done.', 'the customer pulled out'), ('Abandon', 'PendingComplete', 'Done.', 'el cliente canceló'),
  ('Abandon', 'PendingComplete', 'Done.', 'клиент передумал'), ('Abandon', 'PendingComplete', 'Done.', 'der Kunde hat abgesagt, vergiss es'),
  ('Abandon', 'PendingComplete', 'Done.', 'the client cancelled, forget it'),
  -- Who must not stop goes on.
  ('Modification', 'Running', 'Working.', 'don''t stop'), ('Modification', 'Running', 'Working.', 'não pare'),
  ('Modification', 'Running', 'Working.', 'não para'), ('Modification', 'Running', 'Working.', 'não cancela'),
  ('Modification', 'Running', 'Working.', 'não pare agora'), ('Modification', 'Running', 'Working.', 'nie anuluj'),
  ('Modification', 'Running', 'Working.', 'no lo canceles'), ('Modification', 'Running', 'Working.', 'iptal etme'),
  ('Modification', 'Running', 'Working.', '취소하지 마'), ('Modification', 'Running', 'Working.', 'no need to stop'),
  ('Modification', 'Running', 'Working.', 'no reason to stop'), ('Modification', 'Running', 'Working.', 'do not buy it yet'),
  ('Modification', 'Running', 'Working.', 'hör nicht auf'), ('Modification', 'Running', 'Working.', 'brich nicht ab'),
  ('Modification', 'Running', 'Working.', 'n''arrête pas'), ('Modification', 'Running', 'Working.', 'ne t''arrête pas'),
  ('Modification', 'Running', 'Working.', 'non fermarti'), ('Modification', 'Running', 'Working.', 'stop niet'),
  ('Modification', 'Running', 'Working.', 'nie przerywaj'), ('Modification', 'Running', 'Working.', 'nepřestávej'),
  ('Modification', 'Running', 'Working.', 'не останавливайся'), ('Modification', 'Running', 'Working.', 'не зупиняйся'),
  ('Modification', 'Running', 'Working.', 'لا تتوقف'), ('Modification', 'Running', 'Working.', 'मत रुको'),
  ('Modification', 'Running', 'Working.', 'रुको मत'), ('Modification', 'Running', 'Working.', '止めないで'),
  ('Modification', 'Running', 'Working.', '멈추지 마'), ('Modification', 'Running', 'Working.', '别停'), ('Modification', 'Running', 'Working.', '不要取消'),
  ('Modification', 'Running', 'Working.', 'cancel mat karo'),
  -- Approval that is negated.
  ('Modification', 'PendingComplete', 'Done.', 'passt nicht'), ('Modification', 'PendingComplete', 'Done.', 'passt so nicht'),
  ('Modification', 'PendingComplete', 'Done.', 'passt mir nicht'), ('Modification', 'PendingComplete', 'Done.', 'ça ne va pas'),
  ('Modification', 'PendingComplete', 'Done.', 'non va'), ('Modification', 'PendingComplete', 'Done.', 'nada bien'),
  ('Modification', 'PendingComplete', 'Done.', 'nothing works'), ('Modification', 'PendingComplete', 'Done.', 'nothing is perfect here'),
  ('Modification', 'PendingComplete', 'Done.', 'no one is happy'), ('Modification', 'PendingComplete', 'Done.', 'não está bom'),
  ('Modification', 'PendingComplete', 'Done.', 'klopt niet'), ('Modification', 'PendingComplete', 'Done.', 'nie działa'),
  ('Modification', 'PendingComplete', 'Done.', 'není to dobré'), ('Modification', 'PendingComplete', 'Done.', 'не подходит'),
  ('Modification', 'PendingComplete', 'Done.', 'не підходить'), ('Modification', 'PendingComplete', 'Done.', 'iyi değil'),
  ('Modification', 'PendingComplete', 'Done.', 'ليس جيدا'), ('Modification', 'PendingComplete', 'Done.', 'ठीक नहीं है'),
  ('Modification', 'PendingComplete', 'Done.', 'よくない'), ('Modification', 'PendingComplete', 'Done.', '안 좋아'),
  ('Modification', 'PendingComplete', 'Done.', '不好'), ('Modification', 'PendingComplete', 'Done.', 'niemand ist zufrieden'),
  ('Modification', 'PendingComplete', 'Done.', 'rien ne va'),
  -- Praise that is none, tells of before, or comes with a condition or an exception.
  ('Modification', 'PendingComplete', 'Done.', 'thanks for nothing'), ('Modification', 'PendingComplete', 'Done.', 'thanks, I hate it'),
  ('Modification', 'PendingComplete', 'Done.', 'thanks I hate it'),
  ('Modification', 'PendingComplete', 'Done.', 'perfect, just what I didn''t want'),
  ('Modification', 'PendingComplete', 'Done.', 'good job breaking it'), ('Modification', 'PendingComplete', 'Done.', 'wow, bad'),
  ('Modification', 'PendingComplete', 'Done.', 'it worked before'), ('Modification', 'PendingComplete', 'Done.', 'it worked better before'),
  ('Modification', 'PendingComplete', 'Done.', 'say thanks at the end'), ('Modification', 'PendingComplete', 'Done.', 'ship it after you fix 3'),
  ('Modification', 'PendingComplete', 'Done.', 'looks good for the first half'),
  ('Modification', 'PendingComplete', 'Done.', 'looks good, just shorter'),
  ('Modification', 'PendingComplete', 'Done.', 'works for me, not for Bob'), ('Modification', 'PendingComplete', 'Done.', 'fine, then without Bo'),
  ('Modification', 'PendingComplete', 'Done.', 'harika ama yazı küçük'), ('Modification', 'PendingComplete', 'Done.', '很好,就是标志错了'),
  ('Modification', 'PendingComplete', 'Done.', 'отлично, теперь всё сломалось'),
  ('Modification', 'PendingComplete', 'Done.', 'все добре, крім логотипа'), ('Modification', 'PendingComplete', 'Done.', 'danke für nichts'),
  ('Modification', 'PendingComplete', 'Done.', 'merci pour rien'), ('Modification', 'PendingComplete', 'Done.', 'gracias por nada'),
  ('Modification', 'PendingComplete', 'Done.', 'obrigado por nada'), ('Modification', 'PendingComplete', 'Done.', 'grazie di niente'),
  ('Modification', 'PendingComplete', 'Done.', 'bedankt voor niets'), ('Modification', 'PendingComplete', 'Done.', 'dzięki za nic'),
  ('Modification', 'PendingComplete', 'Done.', 'díky za nic'), ('Modification', 'PendingComplete', 'Done.', 'спасибо ни за что'),
  ('Modification', 'PendingComplete', 'Done.', 'дякую ні за що'), ('Modification', 'PendingComplete', 'Done.', 'hiçbir şey için teşekkürler'),
  ('Modification', 'PendingComplete', 'Done.', 'شكرا على لا شيء'), ('Modification', 'PendingComplete', 'Done.', 'ありがた迷惑'),
  ('Modification', 'PendingComplete', 'Done.', '帮倒忙'), ('Modification', 'PendingComplete', 'Done.', 'wow thanks, you deleted my table 2'),
  ('Modification', 'PendingComplete', 'Done.', 'that works for table 1'), ('Modification', 'PendingComplete', 'Done.', 'looks good on paper'),
  ('Modification', 'PendingComplete', 'Done.', 'approved by mom, dad wants Bo moved'),
  ('Modification', 'PendingComplete', 'Done.', 'approved pending table 3'),
  ('Modification', 'PendingComplete', 'Done.', 'title aside it''s perfect'), ('Modification', 'PendingComplete', 'Done.', 'gut, bis auf das Logo'),
  ('Modification', 'PendingComplete', 'Done.', 'bien, sauf le logo'), ('Modification', 'PendingComplete', 'Done.', 'bien, excepto el logo'),
  ('Modification', 'PendingComplete', 'Done.', 'bene, tranne il logo'), ('Modification', 'PendingComplete', 'Done.', 'bom, exceto o logo'),
  ('Modification', 'PendingComplete', 'Done.', 'goed, behalve het logo'), ('Modification', 'PendingComplete', 'Done.', 'dobrze, oprócz logo'),
  ('Modification', 'PendingComplete', 'Done.', 'dobře, kromě loga'), ('Modification', 'PendingComplete', 'Done.', 'отлично, кроме логотипа'),
  ('Modification', 'PendingComplete', 'Done.', 'جيد، ما عدا الشعار'), ('Modification', 'PendingComplete', 'Done.', 'अच्छा है, लेकिन लोगो गलत है'),
  ('Modification', 'PendingComplete', 'Done.', 'いいですけど、ロゴが違う'), ('Modification', 'PendingComplete', 'Done.', '좋은데, 로고가 틀렸어'),
  -- A polite question asks to stop.
  ('Abandon', 'Running', 'Working.', 'can you please stop?'), ('Abandon', 'Running', 'Working.', 'could you stop that please'),
  ('Abandon', 'Running', 'Working.', 'can you stop'), ('Abandon', 'Running', 'Working.', 'kannst du bitte aufhören?'),
  ('Abandon', 'Running', 'Working.', 'kannst du abbrechen'), ('Abandon', 'Running', 'Working.', '¿puedes parar?'),
  ('Abandon', 'Running', 'Working.', 'peux-tu arrêter ?'), ('Abandon', 'Running', 'Working.', 'puoi fermarti?'),
  ('Abandon', 'Running', 'Working.', 'você pode parar?'), ('Abandon', 'Running', 'Working.', 'kan je stoppen'),
  ('Abandon', 'Running', 'Working.', 'kun je alsjeblieft stoppen?'), ('Abandon', 'Running', 'Working.', 'możesz przestać?'),
  ('Abandon', 'Running', 'Working.', 'můžeš prosím přestat?'), ('Abandon', 'Running', 'Working.', 'можешь остановиться?'),
  ('Abandon', 'Running', 'Working.', 'ти можеш зупинитися?'), ('Abandon', 'Running', 'Working.', 'durur musun'),
  ('Abandon', 'Running', 'Working.', 'durabilir misin?'), ('Abandon', 'Running', 'Working.', 'هل يمكنك التوقف؟'),
  ('Abandon', 'Running', 'Working.', 'क्या आप रुक सकते हैं?'), ('Abandon', 'Running', 'Working.', '止まってもらえますか?'),
  ('Abandon', 'Running', 'Working.', '멈춰 줄래요?'), ('Abandon', 'Running', 'Working.', '你能停下来吗?'),
  ('Abandon', 'Interrupted', 'Working.', 'can you please stop?'), ('Abandon', 'Interrupted', 'Working.', 'could you stop that please'),
  ('Abandon', 'Interrupted', 'Working.', 'can you stop'), ('Abandon', 'Interrupted', 'Working.', 'kannst du bitte aufhören?'),
  ('Abandon', 'Interrupted', 'Working.', 'kannst du abbrechen'), ('Abandon', 'Interrupted', 'Working.', '¿puedes parar?'),
  ('Abandon', 'Interrupted', 'Working.', 'peux-tu arrêter ?'), ('Abandon', 'Interrupted', 'Working.', 'puoi fermarti?'),
  ('Abandon', 'Interrupted', 'Working.', 'você pode parar?'), ('Abandon', 'Interrupted', 'Working.', 'kan je stoppen'),
  ('Abandon', 'Interrupted', 'Working.', 'kun je alsjeblieft stoppen?'), ('Abandon', 'Interrupted', 'Working.', 'możesz przestać?'),
  ('Abandon', 'Interrupted', 'Working.', 'můžeš prosím přestat?'), ('Abandon', 'Interrupted', 'Working.', 'можешь остановиться?'),
  ('Abandon', 'Interrupted', 'Working.', 'ти можеш зупинитися?'), ('Abandon', 'Interrupted', 'Working.', 'durur musun'),
  ('Abandon', 'Interrupted', 'Working.', 'durabilir misin?'), ('Abandon', 'Interrupted', 'Working.', 'هل يمكنك التوقف؟'),
  ('Abandon', 'Interrupted', 'Working.', 'क्या आप रुक सकते हैं?'), ('Abandon', 'Interrupted', 'Working.', '止まってもらえますか?'),
  ('Abandon', 'Interrupted', 'Working.', '멈춰 줄래요?'), ('Abandon', 'Interrupted', 'Working.', '你能停下来吗?'),
  -- Stop, in other words.
  ('Abandon', 'Running', 'Working.', 'stop plz'), ('Abandon', 'Running', 'Working.', 'stop asap'),
  ('Abandon', 'Running', 'Working.', 'stop generating'), ('Abandon', 'Running', 'Working.', 'stop processing'),
  ('Abandon', 'Running', 'Working.', 'stop talking'), ('Abandon', 'Running', 'Working.', 'stop working'),
  ('Abandon', 'Running', 'Working.', 'stop the agent'), ('Abandon', 'Running', 'Working.', 'emergency stop'),
  ('Abandon', 'Running', 'Working.', 'full stop'), ('Abandon', 'Running', 'Working.', 'hard stop'), ('Abandon', 'Running', 'Working.', 'force stop'),
  ('Abandon', 'Running', 'Working.', 'you should stop'), ('Abandon', 'Running', 'Working.', 'terminate'),
  ('Abandon', 'Running', 'Working.', 'stand down'), ('Abandon', 'Running', 'Working.', 'ctrl-c'), ('Abandon', 'Running', 'Working.', '^C'),
  ('Abandon', 'Running', 'Working.', '✋'), ('Abandon', 'Running', 'Working.', '住手'), ('Abandon', 'Running', 'Working.', '停停停'),
  ('Abandon', 'Running', 'Working.', '終了'), ('Abandon', 'Running', 'Working.', '스탑'), ('Abandon', 'Running', 'Working.', 'anhalten'),
  ('Abandon', 'Running', 'Working.', 'halte'), ('Abandon', 'Running', 'Working.', 'deténgase'), ('Abandon', 'Running', 'Working.', 'прекратить'),
  ('Abandon', 'Running', 'Working.', 'отставить'), ('Abandon', 'Running', 'Working.', 'зупиніться'), ('Abandon', 'Running', 'Working.', 'ستوب'),
  ('Abandon', 'Running', 'Working.', 'कैंसल'), ('Abandon', 'PendingComplete', 'Done.', 'stop plz'),
  ('Abandon', 'PendingComplete', 'Done.', 'stop asap'), ('Abandon', 'PendingComplete', 'Done.', 'stop generating'),
  ('Abandon', 'PendingComplete', 'Done.', 'stop processing'), ('Abandon', 'PendingComplete', 'Done.', 'stop talking'),
  ('Abandon', 'PendingComplete', 'Done.', 'stop working'), ('Abandon', 'PendingComplete', 'Done.', 'stop the agent'),
  ('Abandon', 'PendingComplete', 'Done.', 'emergency stop'), ('Abandon', 'PendingComplete', 'Done.', 'full stop'),
  ('Abandon', 'PendingComplete', 'Done.', 'hard stop'), ('Abandon', 'PendingComplete', 'Done.', 'force stop'),
  ('Abandon', 'PendingComplete', 'Done.', 'you should stop'), ('Abandon', 'PendingComplete', 'Done.', 'terminate'),
  ('Abandon', 'PendingComplete', 'Done.', 'stand down'), ('Abandon', 'PendingComplete', 'Done.', 'ctrl-c'),
  ('Abandon', 'PendingComplete', 'Done.', '^C'), ('Abandon', 'PendingComplete', 'Done.', '✋'), ('Abandon', 'PendingComplete', 'Done.', '住手'),
  ('Abandon', 'PendingComplete', 'Done.', '停停停'), ('Abandon', 'PendingComplete', 'Done.', '終了'), ('Abandon', 'PendingComplete', 'Done.', '스탑'),
  ('Abandon', 'PendingComplete', 'Done.', 'anhalten'), ('Abandon', 'PendingComplete', 'Done.', 'halte'),
  ('Abandon', 'PendingComplete', 'Done.', 'deténgase'), ('Abandon', 'PendingComplete', 'Done.', 'прекратить'),
  ('Abandon', 'PendingComplete', 'Done.', 'отставить'), ('Abandon', 'PendingComplete', 'Done.', 'зупиніться'),
  ('Abandon', 'PendingComplete', 'Done.', 'ستوب'), ('Abandon', 'PendingComplete', 'Done.', 'कैंसल'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', 'stop plz'), ('Abandon', 'AwaitingUser', 'Blue or green?', 'stop asap'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', 'stop generating'), ('Abandon', 'AwaitingUser', 'Blue or green?', 'stop processing'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', 'stop talking'), ('Abandon', 'AwaitingUser', 'Blue or green?', 'stop working'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', 'stop the agent'), ('Abandon', 'AwaitingUser', 'Blue or green?', 'emergency stop'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', 'full stop'), ('Abandon', 'AwaitingUser', 'Blue or green?', 'hard stop'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', 'force stop'), ('Abandon', 'AwaitingUser', 'Blue or green?', 'you should stop'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', 'terminate'), ('Abandon', 'AwaitingUser', 'Blue or green?', 'stand down'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', 'ctrl-c'), ('Abandon', 'AwaitingUser', 'Blue or green?', '^C'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', '✋'), ('Abandon', 'AwaitingUser', 'Blue or green?', '住手'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', '停停停'), ('Abandon', 'AwaitingUser', 'Blue or green?', '終了'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', '스탑'), ('Abandon', 'AwaitingUser', 'Blue or green?', 'anhalten'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', 'halte'), ('Abandon', 'AwaitingUser', 'Blue or green?', 'deténgase'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', 'прекратить'), ('Abandon', 'AwaitingUser', 'Blue or green?', 'отставить'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', 'зупиніться'), ('Abandon', 'AwaitingUser', 'Blue or green?', 'ستوب'),
  ('Abandon', 'AwaitingUser', 'Blue or green?', 'कैंसल'), ('Abandon', 'Interrupted', 'Working.', 'stop plz'),
  ('Abandon', 'Interrupted', 'Working.', 'stop asap'), ('Abandon', 'Interrupted', 'Working.', 'stop generating'),
  ('Abandon', 'Interrupted', 'Working.', 'stop processing'), ('Abandon', 'Interrupted', 'Working.', 'stop talking'),
  ('Abandon', 'Interrupted', 'Working.', 'stop working'), ('Abandon', 'Interrupted', 'Working.', 'stop the agent'),
  ('Abandon', 'Interrupted', 'Working.', 'emergency stop'), ('Abandon', 'Interrupted', 'Working.', 'full stop'),
  ('Abandon', 'Interrupted', 'Working.', 'hard stop'), ('Abandon', 'Interrupted', 'Working.', 'force stop'),
  ('Abandon', 'Interrupted', 'Working.', 'you should stop'), ('Abandon', 'Interrupted', 'Working.', 'terminate'),
  ('Abandon', 'Interrupted', 'Working.', 'stand down'), ('Abandon', 'Interrupted', 'Working.', 'ctrl-c'),
  ('Abandon', 'Interrupted', 'Working.', '^C'), ('Abandon', 'Interrupted', 'Working.', '✋'), ('Abandon', 'Interrupted', 'Working.', '住手'),
  ('Abandon', 'Interrupted', 'Working.', '停停停'), ('Abandon', 'Interrupted', 'Working.', '終了'), ('Abandon', 'Interrupted', 'Working.', '스탑'),
  ('Abandon', 'Interrupted', 'Working.', 'anhalten'), ('Abandon', 'Interrupted', 'Working.', 'halte'),
  ('Abandon', 'Interrupted', 'Working.', 'deténgase'), ('Abandon', 'Interrupted', 'Working.', 'прекратить'),
  ('Abandon', 'Interrupted', 'Working.', 'отставить'), ('Abandon', 'Interrupted', 'Working.', 'зупиніться'),
  ('Abandon', 'Interrupted', 'Working.', 'ستوب'), ('Abandon', 'Interrupted', 'Working.', 'कैंसल'), ('Abandon', 'Running', 'Working.', 'alt'),
  ('Abandon', 'Running', 'Working.', 'stand down, the storage team has it'), ('Abandon', 'Running', 'Working.', 'やめろ'),
  ('Abandon', 'Running', 'Working.', 'توقّف'), ('Abandon', 'Running', 'Working.', 'dursun'), ('Abandon', 'Running', 'Working.', 'İPTAL'),
  -- And their neighbours stay what they are.
  ('Modification', 'Running', 'Working.', 'stop the server'), ('Modification', 'Running', 'Working.', 'stop processing images twice'),
  ('Modification', 'Running', 'Working.', 'cancel button should be red'), ('Confirmation', 'PendingComplete', 'Done.', 'looks good'),
  ('Confirmation', 'PendingComplete', 'Done.', 'works for me'), ('Confirmation', 'PendingComplete', 'Done.', 'thanks, works now'),
  ('Confirmation', 'PendingComplete', 'Done.', 'passt'), ('Confirmation', 'PendingComplete', 'Done.', 'passt gut'),
  ('Confirmation', 'PendingComplete', 'Done.', 'ça va'), ('Confirmation', 'PendingComplete', 'Done.', 'va bene'),
  ('Confirmation', 'PendingComplete', 'Done.', 'отлично'), ('Confirmation', 'PendingComplete', 'Done.', '很好'),
  ('Confirmation', 'PendingComplete', 'Done.', 'looks good, thanks'), ('Confirmation', 'PendingComplete', 'Done.', 'nothing else, thanks'),
  ('Confirmation', 'PendingComplete', 'Done.', 'no complaints'), ('Confirmation', 'PendingComplete', 'Done.', 'good job'),
  ('Confirmation', 'PendingComplete', 'Done.', 'it worked'), ('Confirmation', 'PendingComplete', 'Done.', 'everyone is happy'),
  ('Confirmation', 'PendingComplete', 'Done.', 'not bad, ship it'), ('Confirmation', 'PendingComplete', 'Done.', '没问题'),
  ('Confirmation', 'PendingComplete', 'Done.', '完美'), ('Confirmation', 'PendingComplete', 'Done.', 'いいですね'),
  ('Confirmation', 'PendingComplete', 'Done.', '좋아요'), ('Confirmation', 'PendingComplete', 'Done.', 'approved'),
  ('Confirmation', 'PendingComplete', 'Done.', 'works on my machine'), ('Confirmation', 'PendingComplete', 'Done.', 'works great for me'),
  ('Confirmation', 'PendingComplete', 'Done.', 'perfect, ship it'), ('Confirmation', 'PendingComplete', 'Done.', 'super, danke'),
  ('Confirmation', 'PendingComplete', 'Done.', 'genau so'), ('Confirmation', 'PendingComplete', 'Done.', 'nichts zu meckern'),
  ('Confirmation', 'PendingComplete', 'Done.', 'harika'), ('Confirmation', 'PendingComplete', 'Done.', 'nada más'),
  ('Confirmation', 'PendingComplete', 'Done.', 'nada más, gracias'), ('Confirmation', 'PendingComplete', 'Done.', 'niente altro, grazie'),
  ('Confirmation', 'PendingComplete', 'Done.', 'sin problemas'), ('Confirmation', 'PendingComplete', 'Done.', 'ничего больше, спасибо'),
  ('Abandon', 'PendingComplete', 'Done.', 'never mind'), ('Abandon', 'PendingComplete', 'Done.', 'we don''t need it any more'),
  ('Abandon', 'PendingComplete', 'Done.', 'lass gut sein'), ('Abandon', 'PendingComplete', 'Done.', 'no need any more'),
  ('Abandon', 'PendingComplete', 'Done.', 'nicht mehr nötig'), ('Abandon', 'PendingComplete', 'Done.', '不要了'),
  ('Abandon', 'Running', 'Working.', 'stop'), ('Abandon', 'Running', 'Working.', 'no, stop'),
  ('Abandon', 'Running', 'Working.', 'please don''t, stop'), ('Abandon', 'Running', 'Working.', 'stopp'), ('Abandon', 'Running', 'Working.', 'para'),
  ('Abandon', 'Running', 'Working.', 'pare'), ('Abandon', 'Running', 'Working.', 'para tudo'), ('Abandon', 'Running', 'Working.', 'não, para'),
  ('Abandon', 'Running', 'Working.', 'nie, przestań'), ('Abandon', 'Running', 'Working.', 'no, para'), ('Abandon', 'Running', 'Working.', 'dur'),
  ('Abandon', 'Running', 'Working.', '취소'), ('Abandon', 'Running', 'Working.', '停'), ('Abandon', 'Running', 'Working.', 'やめて'),
  ('Abandon', 'Running', 'Working.', 'रुको'), ('Abandon', 'Running', 'Working.', 'توقف'), ('Abandon', 'Running', 'Working.', 'don''t bother'),
  ('Abandon', 'Running', 'Working.', 'don''t continue'), ('Abandon', 'Running', 'Working.', 'don''t send it'),
  ('Abandon', 'Running', 'Working.', 'não precisa, para'), ('Abandon', 'Running', 'Working.', 'no need, stop');
SELECT message || ' behind ' || question, classify_message(message, state, 'help with the site', question), class FROM vetoed;

---- A stop that is typed in a hurry, over work that runs

CREATE TEMP TABLE typed(message, state, class);
INSERT INTO typed SELECT value, 'Running', 'Abandon' FROM json_each(json_array('"stop"', '«stop»', '„stopp“', '“stop”', '「停止」', '''stop''', '"stop!"',
  's t o p', 'S T O P', 's-t-o-p', 's.t.o.p', 'с т о п', '停 止', 'п р е к р а т и', 'stpo', 'sotp', 'STOOOP', 'sttop', 'stoppp', 'halttt',
  'canccel', 'cancle', 'abrot', 'quti', 'сотп', 'стооп', 'abbrehcen', '"abbrechen"', '«arrête»', '«стоп»', '"停止"', 'stop @helper', '"stop" @helper',
  'Bot, stop', 'stop, bot', 'Assistant, "stop"', '机器人，停止', 'бот, стоп', 'Roboter, stopp', 'przerwji', 'detenre', 'durdru'));
INSERT INTO typed SELECT value, 'Interrupted', 'Abandon' FROM json_each(json_array('"stop"', 's t o p', 'stpo'));
INSERT INTO typed SELECT value, 'AwaitingUser', 'Response' FROM json_each(json_array('"stop"', 'a b c d'));
INSERT INTO typed VALUES ('s t o p', 'AwaitingUser', 'Modification');
INSERT INTO typed SELECT value, 'Running', 'Modification' FROM json_each(json_array('"start"', 's t a r t', 'spot', 'step', 'pear', 'alot', 'shop',
  'a "stop" button', 'write "stop" on it', 'say stop @helper twice', 'stop: red', 'Bot, start'));
SELECT message || ' in ' || state, classify_message(message, state, 'Paint the fence', 'Which colour?'), class FROM typed;
SELECT 'a stop that asks', classify_message('"stop"?', 'Running') <> 'Abandon', 1;

---- A story, a second word that stops, or a call that is named takes nothing from what stops or approves beside it

CREATE TEMP TABLE beside(message, class);
INSERT INTO beside SELECT value, 'Abandon' FROM json_each(json_array('stop stop stop!! prod is down because of this, we should not continue',
  'stop, cancel everything, we are done', 'the project was cancelled in 2026. stop working on this.', 'never mind, the order was cancelled in 2023',
  'it has been cancelled since 2025, stop', 'the contract was terminated in 2026, drop it', 'the trip was canceled, forget the restarted draft',
  'das Projekt wurde 2025 gekündigt, lass es', 'проект был отменён в 2026, забудь', 'abort, stop and revert, tests are failing',
  'cancel, abort, this does not work', 'stop, stop, it fails', 'quit, stop, network down', 'stop, cancel, this is needless', 'I changed my mind, delete it all'));
SELECT message, classify_message(message, 'Running'), class FROM beside;
SELECT message || ': names a call', classify_message(message, 'PendingComplete'), class
FROM (SELECT value AS message, 'Confirmation' AS class FROM json_each(json_array('great, run() works now', 'thanks, open() works; done', 'works, main() returns 0; thanks'))
      UNION ALL SELECT value, 'Abandon' FROM json_each(json_array('never mind, close() works', 'cancel this, main() is wrong')));
---- A polite stop over an open question

CREATE TEMP TABLE polite(message);
INSERT INTO polite SELECT value FROM json_each(json_array('could you please stop', 'can you stop?', 'could you please stop it', 'would you stop please',
  'kannst du bitte aufhören', 'könntest du bitte abbrechen', '¿puedes parar, por favor?', 'peux-tu arrêter s''il te plaît', 'pode parar por favor',
  'puoi fermarti per favore', 'kun je stoppen alsjeblieft', 'możesz przestać?', 'můžeš přestat prosím', 'можешь остановиться?', 'чи можеш зупинитися',
  'durabilir misin lütfen', '停一下好吗', '止めてもらえますか', '그만해 줄래요?', 'هل يمكنك التوقف من فضلك', 'क्या आप रुक सकते हैं?'));
SELECT message || ' over a question', classify_message(message, 'AwaitingUser', 'Paint the fence', 'Which colour?'), 'Abandon' FROM polite;
SELECT 'over one that asks whether to', classify_message('could you please stop', 'AwaitingUser', 'Paint the fence', 'Shall I stop the server?') <> 'Abandon', 1;
SELECT 'something else is to stop', classify_message('could you please stop the server', 'AwaitingUser', 'Paint the fence', 'Which colour?') <> 'Abandon', 1;

---- What sounds like giving up, and is said of a part, of others, or with something in its place

CREATE TEMP TABLE kept(message);
INSERT INTO kept SELECT value FROM json_each(json_array('the lease was cancelled in 2021 and renewed', 'the blue one is sold out, drop it',
  'the small size is out of stock, so drop it', 'we no longer need the kids table', 'forget that one',
  'skip the last one', 'too expensive', 'that''s far too expensive', 'I changed my mind, blue', 'I changed my mind, make it twelve',
  'stop, cancel and abort all need tests', 'stop and cancel should look the same', 'we don''t sell the soft one any more', 'they decided against the upgrade',
  'job.cancel()', 'cancel()', 'stop()', 'function stop() {' || char(10) || '  cancel();' || char(10) || '}', 'if (x) { job.cancel(); }',
  'zu teuer', 'hab es mir anders überlegt, blau', 'vergiss den letzten', 'der Vertrag wurde 2021 gekündigt und verlängert', 'sie haben sich gegen das Upgrade entschieden',
  'stopp, abbrechen und beenden brauchen Tests', 'demasiado caro', 'cambié de idea, azul', 'olvida ese', 'se canceló en 2021 y se renovó'));
INSERT INTO kept SELECT value FROM json_each(json_array(
  'trop cher', 'j''ai changé d''avis, bleu', 'oublie celui-là', 'il a été résilié en 2021 puis renouvelé', 'caro demais', 'mudei de ideia, azul', 'esquece esse',
  'foi cancelado em 2021 e renovado', 'troppo caro', 'ho cambiato idea, blu', 'salta quello', 'te duur', 'ik heb me bedacht, blauw', 'vergeet die laatste',
  'za drogo', 'zmieniłem zdanie, niebieski', 'pomiń ten', 'příliš drahé', 'rozmyslel jsem si to, modrá', 'vynech ten poslední', 'слишком дорого',
  'передумал, синий', 'забудь про тот', 'договор был расторгнут и продлён', 'надто дорого', 'передумала, синій', 'прибери той', 'çok pahalı',
  'fikrimi değiştirdim, mavi', 'sonuncusunu atla', '太贵了', '我改主意了，蓝色', '去掉那个', '高すぎます', '気が変わりました、青で', '最後のやつは外して',
  '너무 비싸요', '생각이 바뀌었어요, 파란색', '마지막 거 빼줘', 'غالي جدا', 'غيرت رأيي، أزرق', 'تجاوز الأخير', 'बहुत महंगा है', 'मन बदल गया, नीला', 'आखिरी वाला हटा दो'));
SELECT message || ' in ' || s.value, classify_message(message, s.value, 'Plan the summer fair', iif(s.value = 'AwaitingUser', 'Which one?', 'I am at it.')) IN ('Abandon', 'Confirmation'), 0
  FROM kept, json_each('["Running","Interrupted","PendingComplete","AwaitingUser"]') AS s;
SELECT 'none is an answer', classify_message('never mind, none', 'AwaitingUser', 'Plan the summer fair', 'Which extras do you want?'), 'Response';
CREATE TEMP TABLE given_up(message);
INSERT INTO given_up SELECT value FROM json_each(json_array('never mind', 'I changed my mind', 'I changed my mind, stop', 'I changed my mind, don''t do it', 'too expensive, forget it',
  'we no longer need it', 'they decided against it', 'drop it', 'hab es mir anders überlegt, lass es', 'zu teuer, lass es', 'zapomeň na to', 'cambié de idea, no lo hagas',
  'ik heb me bedacht, doe maar niet', 'передумал, не надо', '我改主意了，什么都不用做'));
SELECT message || ' gives up', classify_message(message, 'Running', 'Plan the summer fair', 'I am at it.'), 'Abandon' FROM given_up;
