-- floor.sql - classify_floor: what becomes of a message whose class is only a guess, and second opinions.

SELECT turnstile_install();
SELECT turnstile_clock(1700000000000);
CREATE TEMP TABLE got(what, j);

---- The settings

SELECT 'no floor by default', turnstile_config('classify_floor'), '0.0';
SELECT 'and the best guess is taken', turnstile_config('classify_below'), 'guess';
SELECT 'a share', turnstile_config('classify_floor', 0.65), '0.65';
SELECT 'it is stored in thousandths', (SELECT value FROM turnstile_config WHERE key = 'classify_floor'), 650;
SELECT 'all of it', turnstile_config('classify_floor', 1), '1.0';
SELECT 'as text', turnstile_config('classify_floor', '.5'), '0.5';
SELECT 'with zeros', turnstile_config('classify_floor', '0.12500'), '0.125';
SELECT 'of a session', turnstile_config('classify_floor', '0.9', '{"session":"other"}'), '0.9';
SELECT 'reset', turnstile_config('classify_floor', NULL, '{"session":"other","reset":1}'), '0.125';
SELECT 'nothing is wrong with it', (SELECT count(*) FROM turnstile_check), 0;

---- By default nothing is doubted

SELECT turnstile_config('classify_floor', NULL, '{"reset":1}');
SELECT turnstile_config('classify_below', 'ask');
SELECT 'no floor, no opinion', session_deliver('plain', 'hm the other one rather') ->> '$.action', 'start';
SELECT turnstile_config('classify_floor', 0.9);
SELECT turnstile_config('classify_below', 'guess');
SELECT 'a guess is taken', session_deliver('plain', 'hm the other one rather') ->> '$.action', 'continue';
SELECT 'with how likely it is', (SELECT confidence < 1 FROM deliveries ORDER BY id DESC LIMIT 1), 1;

---- The host's function is asked for what the rules are not sure of. (coalesce returns the message itself.)

SELECT turnstile_classifier('coalesce');
SELECT 'a sure message is not asked about', session_deliver('plain', 'what does that mean?') ->> '$.class', 'Clarification';
SELECT turnstile_config('classify_floor', 1);
SELECT 'a doubted one is', session_deliver('plain', 'NewTask') ->> '$.class', 'NewTask';
SELECT 'and its answer is no guess', (SELECT confidence FROM deliveries ORDER BY id DESC LIMIT 1), 1.0;
SELECT turnstile_classifier(NULL);
SELECT turnstile_config('classify_floor', 1);

---- prompt: the person is asked

SELECT turnstile_config('classify_below', 'prompt');
SELECT 'without a task the guess is taken: there is nothing to ask about', session_deliver('p', 'hm the other one rather') ->> '$.action', 'start';
SELECT session_note('p', 'looked');
INSERT INTO got SELECT 'doubted', session_deliver('p', 'use the blue door perhaps');
SELECT 'a choice is opened', (SELECT j ->> '$.action' FROM got WHERE what = 'doubted'), 'prompt';
SELECT 'of this kind', (SELECT j ->> '$.kind' FROM got WHERE what = 'doubted'), 'UnclearChoice';
SELECT 'with the class that was guessed', (SELECT j ->> '$.class' FROM got WHERE what = 'doubted'), 'Modification';
SELECT 'at the choice a doubted message waits with what is held', session_deliver('p', 'and the small window as well perhaps') ->> '$.action', 'prompt';
SELECT 'an answer is no guess', session_deliver('p', 'A') ->> '$.action', 'continue';
SELECT 'both are handed over', (SELECT count(*) FROM session_queue WHERE session_label = 'p' AND status = 'handed' AND message IN ('use the blue door perhaps', 'and the small window as well perhaps')), 2;
SELECT 'what may end the task does not', session_deliver('p', 'I guess we could forget about the doors altogether') ->> '$.action', 'prompt';
SELECT 'nor is anything called off', (SELECT count(*) FROM session_queue WHERE status = 'cancelled'), 0;
SELECT 'going on goes on', session_choose('p', 'continue') ->> '$.state', 'Running';
SELECT session_transition('p', 'PendingComplete', '{"summary":"The doors are blue."}');
SELECT 'a yes to a report is sure', session_deliver('p', 'yes') ->> '$.action', 'complete';

SELECT session_deliver('live', 'add retries', '{"owner":"w","class":"NewTask"}') ->> '$.turn.turn';
SELECT 'a live run goes on meanwhile', session_deliver('live', 'I guess we could forget about the doors altogether') ->> '$.action', 'prompt';
SELECT 'it has its lease', (SELECT expires_at IS NOT NULL FROM session_runs WHERE session_label = 'live'), 1;
SELECT 'and its task', (SELECT state FROM tasks WHERE session_label = 'live'), 'Running';
SELECT session_spawn('live', 'look into it', '{"label":"worker"}');
SELECT 'workers are never prompted', session_deliver('worker', 'use the blue door perhaps') ->> '$.action' <> 'prompt', 1;

---- ask: a second opinion

SELECT turnstile_config('classify_below', 'ask');
INSERT INTO got SELECT 'first', session_deliver('a', 'hm the other one rather', '{"message_id":"m1"}');
SELECT 'nothing is decided', (SELECT j ->> '$.action' FROM got WHERE what = 'first'), 'classify';
SELECT 'but guessed', (SELECT j ->> '$.class' FROM got WHERE what = 'first'), 'NewTask';
SELECT 'the delivery has its number', (SELECT j ->> '$.second_opinion.delivery' FROM got WHERE what = 'first'), (SELECT max(id) FROM deliveries);
SELECT 'the prompt is that of the function', (SELECT j ->> '$.second_opinion.prompt' FROM got WHERE what = 'first'), classification_prompt('hm the other one rather', 'None');
SELECT 'the message waits', (SELECT status || coalesce(class, '') FROM session_queue WHERE session_label = 'a'), 'pending';
SELECT 'no task', (SELECT count(*) FROM tasks WHERE session_label = 'a'), 0;
SELECT 'delivered again it is a duplicate', session_deliver('a', 'hm the other one rather', '{"message_id":"m1"}') ->> '$.first.action', 'classify';
SELECT turnstile_clock(1700000060000);
INSERT INTO got SELECT 'decided', delivery_classify((SELECT max(id) FROM deliveries), classification_parse('I say D) NewTask'), '{"owner":"w1"}');
SELECT 'then it goes on', (SELECT j ->> '$.action' FROM got WHERE what = 'decided'), 'start';
SELECT 'for this owner', (SELECT j ->> '$.turn.messages[0].content' FROM got WHERE what = 'decided'), 'hm the other one rather';
SELECT 'surely', (SELECT j ->> '$.confidence' FROM got WHERE what = 'decided'), 1.0;
SELECT 'that is the delivery''s decision', (SELECT decision FROM deliveries ORDER BY id DESC LIMIT 1), (SELECT j FROM got WHERE what = 'decided');
SELECT 'and its action', (SELECT action FROM deliveries ORDER BY id DESC LIMIT 1), 'start';
SELECT 'one delivery', (SELECT count(*) FROM deliveries WHERE session_label = 'a'), 1;
SELECT 'decided once', delivery_classify((SELECT max(id) FROM deliveries), 'Abandon') ->> '$.action', 'duplicate';
SELECT 'by the first opinion', delivery_classify((SELECT max(id) FROM deliveries), 'Abandon') ->> '$.first.action', 'start';
SELECT 'a redelivery is told the same', session_deliver('a', 'hm the other one rather', '{"message_id":"m1"}') ->> '$.first.action', 'start';
SELECT 'deliveries are append-only for others', (SELECT count(*) FROM turnstile_meta WHERE key = 'unguarded'), 0;

-- over a live run: it goes on, and is not told before there is an opinion
INSERT INTO got SELECT 'live', session_deliver('a', 'use the blue door perhaps');
SELECT 'over a live run', (SELECT j ->> '$.action' FROM got WHERE what = 'live'), 'classify';
SELECT 'the run is not interrupted', turn_heartbeat(t.id, r.token) ->> '$.interrupted', 0 FROM turns AS t, session_runs AS r WHERE r.session_label = 'a' AND t.id = r.turn_id;
SELECT 'a change interrupts it', delivery_classify((SELECT max(id) FROM deliveries), 'Modification') ->> '$.action', 'interrupt';
SELECT 'as the message would have', (SELECT mode || rank FROM session_queue ORDER BY id DESC LIMIT 1), 'interrupt-1';
SELECT session_deliver('a', 'I guess we could forget about the doors altogether') ->> '$.action';
SELECT 'giving up stops it', delivery_classify((SELECT max(id) FROM deliveries), 'Abandon') ->> '$.action', 'abandon';

-- at a question
SELECT session_start('q', 'Paint the doors');
SELECT session_transition('q', 'AwaitingUser', '{"question":"Which colour?"}');
INSERT INTO got SELECT 'question', session_deliver('q', 'on second thought the kitchen floor squeaks');
SELECT 'at a question', (SELECT j ->> '$.action' FROM got WHERE what = 'question'), 'classify';
SELECT 'the prompt tells of it', (SELECT j ->> '$.second_opinion.prompt' LIKE '%Which colour?%Paint the doors%' OR j ->> '$.second_opinion.prompt' LIKE '%Paint the doors%Which colour?%' FROM got WHERE what = 'question'), 1;
SELECT 'it stays open meanwhile', (SELECT state FROM tasks WHERE session_label = 'q'), 'AwaitingUser';
SELECT 'an answer answers it', delivery_classify((SELECT max(id) FROM deliveries), 'Response') ->> '$.state', 'Running';

-- a question that was asked after the message was said is not answered by it
SELECT session_deliver('q', 'perhaps rather the other one of these') ->> '$.action';
SELECT session_transition('q', 'AwaitingUser', '{"question":"Shall I delete the old doors?"}');
SELECT 'it is words', delivery_classify((SELECT max(id) FROM deliveries), 'Response') ->> '$.class', 'Modification';
SELECT 'the question stays open', (SELECT state FROM tasks WHERE session_label = 'q'), 'AwaitingUser';

-- at a report
SELECT session_start('r', 'Paint the doors');
SELECT session_transition('r', 'PendingComplete', '{"summary":"They are blue."}');
SELECT 'at a report', session_deliver('r', 'the neighbours said it is lovely from where they stand') ->> '$.action', 'classify';
SELECT 'an approval completes', delivery_classify((SELECT max(id) FROM deliveries), 'Confirmation') ->> '$.action', 'complete';
SELECT 'the message is done with', (SELECT group_concat(DISTINCT status) FROM session_queue WHERE session_label = 'r'), 'delivered';

-- at a choice
SELECT session_start('c', 'Paint the doors');
SELECT session_note('c', 'bought paint');
SELECT 'the choice', session_deliver('c', 'build me a shop', '{"class":"NewTask"}') ->> '$.action', 'prompt';
SELECT 'an answer needs no opinion', session_deliver('c', 'both') ->> '$.action', 'prompt';
SELECT 'at a choice', session_deliver('c', 'perhaps rather use the other one of these colours') ->> '$.action', 'classify';
SELECT 'the choice stays', (SELECT pending_choice IS NOT NULL FROM sessions WHERE label = 'c'), 1;
SELECT 'what is for the task goes to it', delivery_classify((SELECT max(id) FROM deliveries), 'Modification') ->> '$.action', 'continue';
SELECT 'as when the caller says so at once: the request is held on', (SELECT pending_choice ->> '$.held' FROM sessions WHERE label = 'c'), 'build me a shop';
SELECT session_deliver('c', 'perhaps rather use the other one of these colours') ->> '$.action';
SELECT 'when it has been settled meanwhile', session_choose('c', 'continue') ->> '$.action', 'continue';
SELECT 'the message has gone with it', (SELECT status FROM session_queue WHERE session_label = 'c' ORDER BY id DESC LIMIT 1) <> 'failed', 1;

-- nothing is lost when nobody answers
SELECT session_deliver('n', 'hm the other one rather') ->> '$.action';
SELECT 'it is listed', (SELECT count(*) FROM session_queue WHERE session_label = 'n' AND status = 'pending'), 1;
SELECT 'a turn takes it', turn_begin('n', 'w1') ->> '$.messages[0].content', 'hm the other one rather';
SELECT 'as what it was guessed to be', (SELECT class FROM session_queue WHERE session_label = 'n'), 'NewTask';
INSERT INTO got SELECT 'late', delivery_classify((SELECT max(id) FROM deliveries), 'Abandon');
SELECT 'an opinion comes too late', (SELECT j ->> '$.action' FROM got WHERE what = 'late'), 'queue';
SELECT 'and says so', (SELECT j ->> '$.notes[0]' FROM got WHERE what = 'late'), 'it was taken, or called off, before a second opinion came';
SELECT 'the task goes on', (SELECT state FROM tasks WHERE session_label = 'n'), 'Running';
SELECT 'nobody is asked again', session_deliver('n', 'x', '{"class":"Modification"}') ->> '$.action', 'interrupt';

SELECT session_deliver('o', 'hm the other one rather') ->> '$.action';
SELECT 'a newer message takes it along', (SELECT json_array_length(session_deliver('o', 'add retries', '{"class":"NewTask"}') -> '$.inputs')), 2;
SELECT session_deliver('k', 'hm the other one rather', '{"sender":"ann"}') ->> '$.action';
SELECT 'who gives up calls it off', session_deliver('k', 'stop', '{"sender":"ann","class":"Abandon"}') ->> '$.cancelled[0].message', 'hm the other one rather';
SELECT 'no opinion brings it back', delivery_classify((SELECT max(id) - 1 FROM deliveries), 'NewTask') ->> '$.action', 'queue';
SELECT session_deliver('l', 'hm the other one rather', '{"sender":"ann"}') ->> '$.action';
SELECT session_deliver('l', 'hm the other two rather', '{"sender":"ann"}') ->> '$.action';
SELECT 'an Abandon takes nothing back that was said after it', delivery_classify((SELECT max(id) - 1 FROM deliveries), 'Abandon') ->> '$.cancelled' IS NULL, 1;
SELECT 'that waits on', (SELECT count(*) FROM session_queue WHERE session_label = 'l' AND status = 'pending'), 1;
SELECT 'the order is kept: what came later waits on', delivery_classify((SELECT max(id) FROM deliveries), 'NewTask') ->> '$.action', 'start';

-- the best guess
SELECT session_deliver('g', 'hm the other one rather') ->> '$.action';
INSERT INTO got SELECT 'guess', delivery_classify((SELECT max(id) FROM deliveries), classification_parse('I can''t tell.'));
SELECT 'a model that can''t tell leaves the guess', (SELECT j ->> '$.class' FROM got WHERE what = 'guess'), 'NewTask';
SELECT 'with its confidence', (SELECT j ->> '$.confidence' < 1 FROM got WHERE what = 'guess'), 1;

-- a session that takes nothing
SELECT session_deliver('e', 'hm the other one rather') ->> '$.action';
SELECT session_fail('e', 'disk full');
SELECT 'in error it waits on', delivery_classify((SELECT max(id) FROM deliveries), 'NewTask') ->> '$.action', 'blocked';
SELECT 'and its class is known', (SELECT class || status FROM session_queue WHERE session_label = 'e'), 'NewTaskpending';
SELECT session_reopen('e');
SELECT 'as which it is taken', turn_begin('e', 'w1') ->> '$.messages[0].class', 'NewTask';

-- one that was put away stays so: nobody has said anything since
SELECT session_deliver('v', 'hm the other one rather') ->> '$.action';
SELECT session_archive('v');
SELECT 'in the archive it waits on', delivery_classify((SELECT max(id) FROM deliveries), 'NewTask') ->> '$.action', 'queue';
SELECT 'and the session stays there', (SELECT status FROM sessions WHERE label = 'v'), 'archived';
SELECT 'its class is known', (SELECT class || status FROM session_queue WHERE session_label = 'v'), 'NewTaskpending';

-- an answer to what is asked no more
SELECT session_start('w', 'Paint the doors') || session_transition('w', 'AwaitingUser', '{"question":"Which colour?"}');
SELECT session_deliver('w', 'which colours do the neighbours have?', json_object('asked_at', (SELECT state_data ->> '$.asked_at' FROM tasks WHERE session_label = 'w'))) ->> '$.action';
SELECT session_transition('w', 'Running');
INSERT INTO got SELECT 'over', delivery_classify((SELECT max(id) FROM deliveries), 'Response');
SELECT 'an answer to what was withdrawn is cancelled, and listed', (SELECT json_extract(j, '$.action', '$.cancelled') FROM got WHERE what = 'over'),
  json_array('queue', json_array(json_object('queue_id', (SELECT id FROM session_queue WHERE session_label = 'w'), 'message', 'which colours do the neighbours have?')));
SELECT 'as whoever delivers it again is told', (SELECT decision ->> '$.cancelled[0].message' FROM deliveries
  WHERE message LIKE 'which colours%'), 'which colours do the neighbours have?';
SELECT 'with the reason', (SELECT error FROM session_queue WHERE session_label = 'w'), 'what it answers was asked no more';

-- merged into another session meanwhile
SELECT session_deliver(NULL, 'hm the other one rather', '{"envelope":{"channel":"wa","sender_id":"1"}}') ->> '$.action';
CREATE TEMP TABLE merged AS SELECT max(id) AS id FROM deliveries;
SELECT session_deliver(NULL, 'x', '{"class":"NewTask","envelope":{"channel":"mail","sender_id":"ann"}}') ->> '$.action';
SELECT identity_link('mail', 'ann', 'rosa') || identity_link('wa', '1', 'rosa') IS NOT NULL;
SELECT 'it goes on where it waits', delivery_classify(id, 'Modification') ->> '$.session', (SELECT session_label FROM session_queue WHERE message = 'hm the other one rather' AND status = 'handed' ORDER BY id DESC LIMIT 1) FROM merged;

-- a full queue
SELECT turnstile_config('queue_cap', 1, '{"session":"f"}');
SELECT session_deliver('f', 'hm the other one rather') ->> '$.action';
SELECT 'a full queue takes no more', session_deliver('f', 'hm the other two rather') ->> '$.action', 'rejected';
SELECT 'and remembers nothing', (SELECT count(*) FROM deliveries WHERE session_label = 'f'), 1;

-- others are not doubted
SELECT 'commands', session_deliver('x', '/model') ->> '$.action', 'answer';
SELECT 'a class that is given', session_deliver('x', 'hm the other one rather', '{"class":"NewTask"}') ->> '$.action', 'start';
SELECT 'other sources', session_deliver('x', 'hm the other one rather', '{"source":"timer"}') ->> '$.action', 'continue';
SELECT turnstile_clock(1700200000000);
SELECT 'a session that lay for a day asks what it asks', session_deliver('x', 'use the blue door perhaps') ->> '$.kind', 'StaleSessionChoice';

---- Through the door

INSERT INTO turnstile(command, args) VALUES ('session_deliver', '["d","hm the other one rather"]');
SELECT 'the door asks', turnstile_result() ->> '$.action', 'classify';
INSERT INTO turnstile(command, args) SELECT 'delivery_classify', json_array(max(id), 'NewTask') FROM deliveries;
SELECT 'and is answered', turnstile_result() ->> '$.action', 'start';

---- To another file

SELECT session_deliver('h', 'hm the other one rather') ->> '$.action';
SELECT session_import(session_export('h'), '{"as":"h2"}') IS NOT NULL;
SELECT 'an opinion about what was handed off', (SELECT delivery_classify(id, 'NewTask') ->> '$.session' FROM deliveries WHERE session_label = 'h2'), 'h2';
SELECT 'the number is its own', (SELECT decision ->> '$.action' FROM deliveries WHERE session_label = 'h'), 'classify';

SELECT 'nothing is wrong', (SELECT count(*) FROM turnstile_check), 0;
