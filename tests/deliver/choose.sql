-- choose.sql - the choices that a session offers: how they open, what answers them, what becomes
-- of the held message, the task, and the message that answers.

SELECT turnstile_install();

---- Setting the four kinds up
--
-- Every session begins with the task "add retries" and some work at T = 1000000. Then
--   stale    25 hours pass, and "also add jitter" comes (a Modification);
--   new      "pool the connections" comes at once (a NewTask);
--   unclear  "hmm, tuesday" comes at once (Unclear);
--   saved    8 days pass, and "use jitter" comes (a Response): the task is saved, and the choice is
--            whether to pick it up again.

CREATE TEMP TABLE kind(kind, at, class, held, prompt_kind);
INSERT INTO kind VALUES
  ('stale', 1000000 + 25 * 3600000, 'Modification', 'also add jitter', 'StaleSessionChoice'),
  ('new', 1000001, 'NewTask', 'pool the connections', 'NewTaskChoice'),
  ('unclear', 1000001, 'Unclear', 'hmm, tuesday', 'UnclearChoice'),
  ('saved', 1000000 + 8 * 86400000, 'Response', 'use jitter', NULL);


---- What answers, and what the answer means

CREATE TEMP TABLE phrase(phrase, meaning);
INSERT INTO phrase VALUES
  ('continue', 'continue'), ('Continue.', 'continue'), ('CONTINUE!', 'continue'),
  ('please continue', 'continue'), ('go on', 'continue'), ('carry on', 'continue'),
  ('keep going', 'continue'), ('contineu', 'continue'), ('let''s continue', 'continue'),
  ('weiter', 'continue'), ('continuar', 'continue'), ('continuer', 'continue'),
  ('start fresh', 'start_fresh'), ('Start fresh, please', 'start_fresh'), ('start over', 'start_fresh'),
  ('strat fresh', 'start_fresh'), ('von vorne anfangen', 'start_fresh'),
  ('empezar de nuevo', 'start_fresh'), ('recommencer', 'start_fresh'),
  ('weiter please', 'continue'), ('continue bitte', 'continue'), ('start fresh, por favor', 'start_fresh'),
  ('kontynuuj', 'continue'), ('zacznij od nowa', 'start_fresh'), ('pokračuj', 'continue'), ('začni znovu', 'start_fresh'),
  ('ga verder', 'continue'), ('begin opnieuw', 'start_fresh'), ('continua', 'continue'), ('ricomincia', 'start_fresh'),
  ('pode continuar', 'continue'), ('começar de novo', 'start_fresh'), ('devam et', 'continue'), ('baştan başla', 'start_fresh'),
  ('계속해', 'continue'), ('새로 시작해', 'start_fresh'), ('続けて', 'continue'), ('最初から始めて', 'start_fresh'),
  ('继续', 'continue'), ('重新开始', 'start_fresh'), ('продолжай', 'continue'), ('начни заново', 'start_fresh'),
  ('продовжуй', 'continue'), ('почни заново', 'start_fresh'), ('تابع', 'continue'), ('ابدأ من جديد', 'start_fresh'),
  ('जारी रखो', 'continue'), ('नया शुरू करो', 'start_fresh');
CREATE TEMP TABLE spelling(spelling, place);
INSERT INTO spelling VALUES
  ('A', 1), ('a', 1), ('(a)', 1), ('A)', 1), ('option A', 1), ('Option a, please', 1), (' a. ', 1),
  ('1', 1), ('1.', 1), ('the first one', 1), ('first', 1), ('The first, please', 1),
  ('B', 2), ('b!', 2), ('option b', 2), ('2', 2), ('the second one', 2), ('second', 2);
CREATE TEMP TABLE letters(kind, place, meaning);
INSERT INTO letters VALUES
  ('stale', 1, 'continue'), ('stale', 2, 'start_fresh'), ('new', 1, 'start_fresh'), ('new', 2, 'continue'),
  ('unclear', 1, 'continue'), ('unclear', 2, 'start_fresh'), ('saved', 1, 'continue'), ('saved', 2, 'start_fresh');

CREATE TEMP TABLE answer AS
  SELECT kind, phrase AS message, meaning FROM kind, phrase
  UNION ALL SELECT kind, spelling, meaning FROM spelling JOIN letters USING (place);

INSERT INTO turnstile
  SELECT 'session_start', json_array(kind || ' / ' || message, 'add retries', json('{"now":1000000}')) FROM answer;
INSERT INTO turnstile
  SELECT 'session_note', json_array(kind || ' / ' || message, 'read the code', json('{"now":1000000}')) FROM answer;
INSERT INTO turnstile
  SELECT 'session_deliver', json_array(kind || ' / ' || message, held, json_object('class', class, 'now', at))
  FROM answer JOIN kind USING (kind);
SELECT DISTINCT kind || ': the first decision is a prompt', action, 'prompt'
FROM kind JOIN deliveries ON session_label LIKE kind || ' / %';
SELECT DISTINCT kind || ': it is this choice', json_extract(pending_choice, '$.kind'),
       ifnull(prompt_kind, 'SavedTaskChoice')
FROM kind JOIN sessions ON label LIKE kind || ' / %';
SELECT DISTINCT kind || ': it holds the message', json_extract(pending_choice, '$.held'), held
FROM kind JOIN sessions ON label LIKE kind || ' / %';
SELECT DISTINCT kind || ': nothing is handed over yet', count(*), 0
FROM kind JOIN session_queue ON session_label LIKE kind || ' / %' GROUP BY kind;

-- A second later the answer comes, as the given class would never have it.
CREATE TEMP TABLE before AS SELECT max(id) AS event FROM session_events;
INSERT INTO turnstile
  SELECT 'session_deliver', json_array(kind || ' / ' || message, message, json_object('class', 'Clarification', 'now', at + 1000))
  FROM answer JOIN kind USING (kind);
CREATE TEMP TABLE answered AS
  SELECT a.*, k.held, k.at, a.kind || ' / ' || a.message AS label,
         (SELECT decision FROM deliveries AS d WHERE d.session_label = a.kind || ' / ' || a.message
          ORDER BY id DESC LIMIT 1) AS decision
  FROM answer AS a JOIN kind AS k USING (kind);

CREATE TEMP TABLE outcome(kind, meaning, action, task, handed, commits, notes);
INSERT INTO outcome VALUES
  -- what became of it: action, open task, what is handed over, commits, notes about it
  ('stale', 'continue', 'continue', 'add retries', 'also add jitter', NULL, 'choice,intervention'),
  ('stale', 'start_fresh', 'start', 'also add jitter', 'also add jitter', 'InterruptedByNewTask', 'choice'),
  ('new', 'continue', 'continue', 'add retries', NULL, NULL, 'choice,held'),
  ('new', 'start_fresh', 'start', 'pool the connections', 'pool the connections', 'InterruptedByNewTask', 'choice'),
  ('unclear', 'continue', 'continue', 'add retries', 'hmm, tuesday', NULL, 'choice,intervention'),
  ('unclear', 'start_fresh', 'start', 'hmm, tuesday', 'hmm, tuesday', 'InterruptedByNewTask', 'choice'),
  ('saved', 'continue', 'continue', 'add retries', 'use jitter', 'StaleAutoCompact', 'choice,intervention'),
  ('saved', 'start_fresh', 'start', 'use jitter', 'use jitter', 'StaleAutoCompact', NULL);
SELECT label || ': action', decision ->> '$.action', action FROM answered JOIN outcome USING (kind, meaning);
SELECT label || ': the choice is closed', session_state(label) ->> '$.pending_choice', NULL FROM answered;
SELECT label || ': open task', session_state(label) ->> '$.task', task FROM answered JOIN outcome USING (kind, meaning);
SELECT label || ': state', session_state(label) ->> '$.task_state', 'Running' FROM answered;
SELECT label || ': handed over',
       (SELECT group_concat(message) FROM session_queue AS q WHERE q.session_label = label), handed
FROM answered JOIN outcome USING (kind, meaning);
SELECT label || ': commits',
       (SELECT group_concat(commit_type) FROM commits AS c WHERE c.session_label = label), commits
FROM answered JOIN outcome USING (kind, meaning);
SELECT label || ': notes',
       (SELECT group_concat(json_extract(data, '$.note')) FROM
         (SELECT data FROM observations AS o WHERE o.session_label = label AND auto = 1 ORDER BY id)), notes
FROM answered JOIN outcome USING (kind, meaning);
SELECT label || ': the answer is activity', (SELECT last_activity FROM sessions AS s WHERE s.label = a.label), at + 1000
FROM answered AS a;
SELECT label || ': one event closes the choice',
       (SELECT group_concat(ifnull(from_state, '-') || '>' || ifnull(to_state, '-') || ' by ' || "trigger")
        FROM session_events AS e WHERE e.session_label = a.label AND axis = 'choice' AND e.id > (SELECT event FROM before)),
       (SELECT ifnull(prompt_kind, 'SavedTaskChoice') FROM kind AS k WHERE k.kind = a.kind) || '>- by ' || meaning
FROM answered AS a;
SELECT DISTINCT 'start fresh: the commit''s words', c.message || ' / ' || (type_data ->> '$.new_task_summary'),
       'Saved before starting new task: add retries / ' || held
FROM commits AS c JOIN answered AS a ON a.label = c.session_label WHERE commit_type = 'InterruptedByNewTask';
SELECT 'new, continue: the held request is a note and no instruction',
       (SELECT json_extract(data, '$.text') LIKE '%pool the connections%' FROM observations
        WHERE session_label = 'new / continue' AND json_extract(data, '$.note') = 'held'), 1;

---- Messages that are no answer

CREATE TEMP TABLE other(class, message);
INSERT INTO other VALUES
  ('Modification', 'cap it at five retries'), ('Response', 'cap it at five retries'),
  ('NewTask', 'rewrite the readme'), ('Abandon', 'forget the whole thing'),
  ('Clarification', 'what was that about?'), ('Unclear', 'the fox, perhaps'),
  ('Response', 'yes'), ('Confirmation', 'yes'), ('Modification', 'ok');
CREATE TEMP TABLE reply AS
  SELECT k.*, o.class AS said_class, o.message, k.kind || ' < ' || o.class || ' ' || o.message AS label
  FROM kind AS k, other AS o;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries', json('{"now":1000000}')) FROM reply;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read the code', json('{"now":1000000}')) FROM reply;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, held, json_object('class', class, 'now', at)) FROM reply;
INSERT INTO turnstile
  SELECT 'session_deliver', json_array(label, message, json_object('class', said_class, 'now', at + 1000)) FROM reply;
CREATE TEMP TABLE replied AS
  SELECT r.*, (SELECT decision FROM deliveries AS d WHERE d.session_label = r.label ORDER BY id DESC LIMIT 1) AS decision,
         (SELECT group_concat(message, ' + ') FROM
           (SELECT message FROM session_queue AS q WHERE q.session_label = r.label ORDER BY id)) AS handed,
         (SELECT group_concat(commit_type) FROM commits AS c WHERE c.session_label = r.label) AS commits
  FROM reply AS r;

-- Free text means: go on.
SELECT label || ': goes on', json_extract(decision, '$.action', '$.state'), '["continue","Running"]' FROM replied
WHERE said_class IN ('Modification', 'Response') AND message NOT IN ('yes', 'ok');
SELECT label || ': the choice is closed', session_state(label) ->> '$.pending_choice', NULL FROM replied
WHERE said_class IN ('Modification', 'Response') AND message NOT IN ('yes', 'ok') AND kind <> 'new';
SELECT label || ': the same task', session_state(label) ->> '$.task', 'add retries' FROM replied
WHERE said_class IN ('Modification', 'Response') AND message NOT IN ('yes', 'ok');
SELECT label || ': both are handed over, in order', handed, held || ' + ' || message FROM replied
WHERE said_class IN ('Modification', 'Response') AND message NOT IN ('yes', 'ok') AND kind <> 'new';
SELECT label || ': the message alone is handed over', handed, message FROM replied
WHERE said_class IN ('Modification', 'Response') AND message NOT IN ('yes', 'ok') AND kind = 'new';
SELECT label || ': the choice goes on holding the request', session_state(label) ->> '$.pending_choice.held', held
FROM replied WHERE said_class IN ('Modification', 'Response') AND message NOT IN ('yes', 'ok') AND kind = 'new';
SELECT label || ': nothing is noted of it',
       (SELECT count(*) FROM observations AS o WHERE o.session_label = label AND json_extract(data, '$.note') = 'held'), 0
FROM replied WHERE said_class IN ('Modification', 'Response') AND message NOT IN ('yes', 'ok') AND kind = 'new';
SELECT label || ': it is started when that is chosen',
       json_extract(session_deliver(label, 'A', json_object('now', at + 2000)), '$.action', '$.state'), '["start","Running"]'
FROM replied WHERE said_class IN ('Modification', 'Response') AND message NOT IN ('yes', 'ok') AND kind = 'new';

-- A new request starts, with the held one beside it.
SELECT label || ': starts', json_extract(decision, '$.action', '$.state'), '["start","Running"]' FROM replied
WHERE said_class = 'NewTask';
SELECT label || ': the newer message is the task', session_state(label) ->> '$.task', message FROM replied
WHERE said_class = 'NewTask';
SELECT label || ': both are handed over, in order', handed, held || ' + ' || message FROM replied
WHERE said_class = 'NewTask';
SELECT label || ': and labelled',
       json_extract(decision, '$.inputs[0].message', '$.inputs[1].message') || ' '
       || (decision ->> '$.inputs[0].label' IS NOT NULL) || (decision ->> '$.inputs[1].label' IS NOT NULL),
       json_array(held, message) || ' 11' FROM replied WHERE said_class = 'NewTask';
SELECT label || ': the old task is kept', commits, iif(kind = 'saved', 'StaleAutoCompact', 'InterruptedByNewTask')
FROM replied WHERE said_class = 'NewTask';

-- Abandon: the task, or only the request that waited.
SELECT 'stale, abandon: the task', json_extract(decision, '$.action', '$.state'), '["abandon","None"]'
FROM replied WHERE said_class = 'Abandon' AND kind = 'stale';
SELECT 'stale, abandon: committed', commits, 'Abandoned' FROM replied WHERE said_class = 'Abandon' AND kind = 'stale';
SELECT 'stale, abandon: the reason is the message', (SELECT type_data ->> '$.reason' FROM commits AS c WHERE c.session_label = r.label),
       message FROM replied AS r WHERE said_class = 'Abandon' AND kind = 'stale';
SELECT 'new, abandon: only the request', json_extract(decision, '$.action', '$.state'), '["acknowledge","Running"]'
FROM replied WHERE said_class = 'Abandon' AND kind = 'new';
SELECT 'new, abandon: the task goes on', session_state(label) ->> '$.task', 'add retries'
FROM replied WHERE said_class = 'Abandon' AND kind = 'new';
SELECT 'new, abandon: no commit', commits, NULL FROM replied WHERE said_class = 'Abandon' AND kind = 'new';
SELECT 'new, abandon: nothing is handed over', handed, NULL FROM replied WHERE said_class = 'Abandon' AND kind = 'new';
SELECT 'new, abandon: what was taken back is noted',
       (SELECT count(*) FROM observations AS o WHERE o.session_label = r.label
        AND json_extract(data, '$.text') LIKE '%pool the connections%'), 1
FROM replied AS r WHERE said_class = 'Abandon' AND kind = 'new';
SELECT label || ': the choice is closed', session_state(label) ->> '$.pending_choice', NULL FROM replied WHERE said_class = 'Abandon';

-- A question is answered, and the choice stays.
SELECT label || ': answered', decision ->> '$.action', 'answer' FROM replied WHERE said_class = 'Clarification';
SELECT label || ': handed over alone', handed, message FROM replied WHERE said_class = 'Clarification';
-- Unclear or a bare yes: asked again.
SELECT label || ': asked again', decision ->> '$.action', 'prompt' FROM replied
WHERE said_class = 'Unclear' OR message IN ('yes', 'ok');
SELECT label || ': in the same words', decision ->> '$.message',
       (SELECT decision ->> '$.message' FROM deliveries AS d WHERE d.session_label = label ORDER BY id LIMIT 1)
FROM replied WHERE said_class = 'Unclear' OR message IN ('yes', 'ok');
SELECT label || ': nothing is handed over', handed, NULL FROM replied
WHERE said_class = 'Unclear' OR message IN ('yes', 'ok');
SELECT label || ': the choice stays, and what it holds', session_state(label) ->> '$.pending_choice.held', held
FROM replied WHERE said_class IN ('Unclear', 'Clarification') OR message IN ('yes', 'ok');
-- And the first letter still answers.
SELECT label || ': can be answered afterwards',
       session_deliver(label, iif(kind = 'new', 'B', 'A'), json_object('now', at + 2000)) ->> '$.action', 'continue'
FROM replied WHERE said_class IN ('Unclear', 'Clarification') OR message IN ('yes', 'ok');

---- Held messages keep their meaning

SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES ('session_start', '["approve","add retries"]'), ('session_note', '["approve","read"]'),
  ('session_transition', '["approve","PendingComplete",{"summary":"Retries added"}]');
SELECT turnstile_clock(1000000 + 25 * 3600000);
INSERT INTO turnstile VALUES ('session_deliver', '["approve","looks good to me",{"class":"Confirmation"}]');
SELECT 'an approval that was held still approves',
       json_extract(session_deliver('approve', 'A'), '$.action', '$.state'), '["complete","None"]';
SELECT 'and is committed', (SELECT commit_type || ': ' || message FROM commits WHERE session_label = 'approve'),
       'Normal: Retries added';
SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES ('session_start', '["answer","add retries"]'),
  ('session_transition', '["answer","AwaitingUser",{"question":"Which backoff?"}]');
SELECT turnstile_clock(1000000 + 25 * 3600000);
INSERT INTO turnstile VALUES ('session_deliver', '["answer","exponential",{"class":"Response"}]');
SELECT 'an answer that was held still answers',
       json_extract(session_deliver('answer', 'continue'), '$.action', '$.previous_state', '$.state'),
       '["continue","AwaitingUser","Running"]';
SELECT 'and is noted as one', (SELECT group_concat(json_extract(data, '$.text'), ' | ') FROM observations
  WHERE session_label = 'answer' AND json_extract(data, '$.note') = 'answer'), 'User response: exponential';
SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES ('session_start', '["new","add retries"]'), ('session_note', '["new","read"]');
SELECT turnstile_clock(1000000 + 25 * 3600000);
INSERT INTO turnstile VALUES ('session_deliver', '["new","pool the connections",{"class":"NewTask"}]');
SELECT 'continuing over a held new request does not ask a second time',
       json_extract(session_deliver('new', 'A'), '$.action', '$.state'), '["continue","Running"]';

---- Fresh with a task that has no work

SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES ('session_start', '["workless","add retries"]'),
  ('session_deliver', '["workless","pool the connections",{"class":"NewTask"}]');
SELECT 'a task without work is dropped',
       json_extract(session_deliver('workless', 'A'), '$.action', '$.commit_id'), '["start",null]';
SELECT 'without a commit', (SELECT count(*) FROM commits WHERE session_label = 'workless'), 0;

---- A choice that holds nothing (recover opened it)

CREATE TEMP TABLE empty(label);
INSERT INTO empty VALUES ('e continue'), ('e fresh'), ('e text'), ('e new'), ('e abandon'), ('e yes');
SELECT turnstile_clock(1000000);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM empty;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM empty;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'AwaitingUser', json('{"question":"Which backoff?"}')) FROM empty;
SELECT turnstile_clock(1000000 + 25 * 3600000);
INSERT INTO turnstile SELECT 'session_recover', json_array(label) FROM empty;
SELECT label || ': open, holding nothing', json_extract(pending_choice, '$.kind') || ifnull(json_extract(pending_choice, '$.held'), ''),
       'StaleSessionChoice' FROM sessions WHERE label LIKE 'e %';
SELECT 'nothing held, continue: the question again',
       json_extract(session_deliver('e continue', 'A'), '$.action', '$.message', '$.state'),
       '["continue","Which backoff?","AwaitingUser"]';
SELECT 'nothing held, start fresh', json_extract(session_deliver('e fresh', 'B'), '$.action', '$.state'), '["acknowledge","None"]';
SELECT 'nothing held, start fresh: committed', (SELECT commit_type FROM commits WHERE session_label = 'e fresh'), 'InterruptedByNewTask';
SELECT 'nothing held, free text goes to the task',
       json_extract(session_deliver('e text', 'exponential', '{"class":"Response"}'), '$.action', '$.state'), '["continue","Running"]';
SELECT 'nothing held, a new request starts',
       json_extract(session_deliver('e new', 'pool the connections', '{"class":"NewTask"}'), '$.action', '$.state'), '["start","Running"]';
SELECT 'nothing held, abandon', session_deliver('e abandon', 'forget it', '{"class":"Abandon"}') ->> '$.action', 'abandon';
SELECT 'nothing held, a bare yes', session_deliver('e yes', 'yes') ->> '$.action', 'prompt';

---- What a choice survives

SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES ('session_start', '["last","add retries"]'), ('session_note', '["last","read"]'),
  ('session_deliver', '["last","pool the connections",{"class":"NewTask"}]'),
  ('session_run', '["last","A1","starting"]'), ('session_run', '["last","A1","running"]');
CREATE TEMP TABLE open AS SELECT pending_choice FROM sessions WHERE label = 'last';
SELECT 'recover shows it', session_recover('last') -> '$.choice', (SELECT json(pending_choice) FROM open);
SELECT 'recover shows its question', session_recover('last') ->> '$.message' LIKE 'You have unfinished work on: add retries%', 1;
SELECT 'a restart keeps it', (turnstile_startup('A1') IS NOT NULL) || (SELECT count(*) FROM sessions JOIN open USING (pending_choice)), '11';
SELECT 'a timer neither answers nor asks',
       json_extract(session_deliver('last', 'continue', '{"source":"timer"}'), '$.action', '$.choices'), '["continue",null]';
SELECT 'and it is still open', (SELECT count(*) FROM sessions JOIN open USING (pending_choice)), 1;
SELECT 'a sweep keeps it', (session_sweep() IS NOT NULL) || (SELECT count(*) FROM sessions JOIN open USING (pending_choice)), '11';
SELECT 'over the first threshold there is no second choice',
       json_extract(session_deliver('last', 'B', json_object('now', 1000000 + 60 * 3600000)), '$.action', '$.state'), '["continue","Running"]';

---- A choice ends with its task

SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES ('session_start', '["ended","add retries"]'), ('session_note', '["ended","read"]'),
  ('session_deliver', '["ended","pool the connections",{"class":"NewTask"}]'), ('session_compact', '["ended","done"]');
SELECT 'compacting closes it', session_state('ended') ->> '$.pending_choice', NULL;
SELECT 'the held message is not lost: it waits', session_recover('ended') ->> '$.queued[0].message', 'pool the connections';
SELECT 'and the next delivery takes it',
       (SELECT group_concat(value ->> '$.message', ' + ') FROM
         json_each(session_deliver('ended', 'with a limit', '{"class":"Modification"}'), '$.inputs')),
       'pool the connections + with a limit';

-- Whatever ends the task, or moves it to where nothing can be chosen any more.
CREATE TEMP TABLE ending(name, how);
INSERT INTO ending VALUES
  ('Aborted', '["session_transition",["LABEL","Aborted",{"reason":"of no use"}]]'),
  ('Complete', '["session_transition",["LABEL","Complete"]]'),
  ('an approval in many words', '["session_deliver",["LABEL","that solved it for me"]]'),
  ('an approval, classified', '["session_deliver",["LABEL","I will close the ticket",{"class":"Confirmation"}]]'),
  ('somebody else''s refusal', '["session_deliver",["LABEL","forget the whole thing",{"class":"Abandon","sender":"else"}]]'),
  ('a waiting approval', '["queue_push",["LABEL","that solved it for me"]]'),
  ('compact', '["session_compact",["LABEL","done"]]');
CREATE TEMP TABLE ends AS
  SELECT k.kind, k.held, k.class, k.at, e.name, k.kind || ' > ' || e.name AS label,
         e.how ->> '$[0]' AS command, replace(e.how -> '$[1]', 'LABEL', k.kind || ' > ' || e.name) AS args
  FROM kind AS k, ending AS e WHERE k.kind <> 'saved' AND NOT (k.kind = 'new' AND e.name LIKE 'somebody%');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries', json('{"now":1000000}')) FROM ends;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read the code', json('{"now":1000000}')) FROM ends;
INSERT INTO turnstile
  SELECT 'session_transition', json_array(label, 'PendingComplete', json('{"summary":"Retries added"}'), json('{"now":1000000}')) FROM ends;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, held, json_object('class', class, 'now', at)) FROM ends;
SELECT label || ': a choice is open', session_state(label) ->> '$.pending_choice.held', held FROM ends;
INSERT INTO turnstile SELECT command, json_insert(args, '$[#]', json_object('now', at + 1000)) FROM ends
WHERE json_type(args, '$[#-1]') <> 'object' OR command = 'session_transition';
INSERT INTO turnstile SELECT command, json_set(args, '$[#-1].now', at + 1000) FROM ends
WHERE json_type(args, '$[#-1]') = 'object' AND command <> 'session_transition';
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'w', json_object('now', at + 2000)) FROM ends
WHERE name = 'a waiting approval';
SELECT label || ': the choice is closed', session_state(label) ->> '$.pending_choice', NULL FROM ends;
SELECT label || ': nobody is asked for it', (SELECT count(*) FROM session_attention AS a WHERE a.session_label = e.label AND reason = 'choice'), 0
FROM ends AS e;
SELECT label || ': what it held waits', (SELECT group_concat(status || ' ' || message) FROM session_queue AS q
                                         WHERE q.session_label = e.label AND q.message = e.held), 'pending ' || held
FROM ends AS e WHERE name <> 'a waiting approval';
SELECT label || ': what it held is what is worked on next', (SELECT group_concat(status || ' ' || message) FROM session_queue AS q
                                         WHERE q.session_label = e.label AND q.message = e.held), 'processing ' || held
FROM ends AS e WHERE name = 'a waiting approval';
SELECT label || ': nothing is noted of it', (SELECT count(*) FROM observations AS o WHERE o.session_label = label
                                             AND json_extract(data, '$.text') LIKE '%' || held || '%'), 0 FROM ends;
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'w', json_object('now', at + 3000)) FROM ends
WHERE name <> 'a waiting approval';
SELECT label || ': and is what a host gets next', (SELECT group_concat(message) FROM session_queue AS q
                                                   WHERE q.session_label = e.label AND status = 'processing'), held FROM ends AS e;
SELECT 'a file whose choices closed with their tasks is sound', (SELECT count(*) FROM turnstile_check()), 0;

-- A choice about a saved task closes when another begins.
SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES ('session_start', '["begun","add retries"]'), ('session_note', '["begun","read"]'),
  ('session_deliver', '["begun","use jitter",{"class":"Response","now":700000000000}]'),
  ('queue_push', '["begun","build an export",{"now":700000000001}]'), ('turn_begin', '["begun","w",{"now":700000000002}]');
SELECT 'an input starts a task', session_state('begun') ->> '$.task', 'build an export';
SELECT 'the choice about the old one is closed', session_state('begun') ->> '$.pending_choice', NULL;
SELECT 'and what it held waits', (SELECT group_concat(status || ' ' || message) FROM (SELECT * FROM session_queue WHERE session_label = 'begun' ORDER BY id)),
       'processing build an export,pending use jitter';

---- session_choose

CREATE TEMP TABLE chosen(label, choice, action);
INSERT INTO chosen VALUES ('c A', 'A', 'start'), ('c a', 'a', 'start'), ('c fresh', 'start_fresh', 'start'),
  ('c B', 'B', 'continue'), ('c continue', 'continue', 'continue');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM chosen;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM chosen;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'pool the connections', json('{"class":"NewTask"}')) FROM chosen;
SELECT 'a key that is not offered', error_of('SELECT session_choose(''c A'', ''C'')') LIKE 'session_choose: choice ''C''%A%start_fresh%B%continue%', 1;
SELECT 'a phrase is for messages', error_of('SELECT session_choose(''c A'', ''the first one'')') LIKE 'session_choose: choice ''the first one''%', 1;
SELECT 'none is missing', error_of('SELECT session_choose(''c A'', NULL)'), 'session_choose: choice is missing';
SELECT label || ': session_choose', session_choose(label, choice) ->> '$.action', action FROM chosen;
SELECT label || ': the task', session_state(label) ->> '$.task', iif(action = 'start', 'pool the connections', 'add retries') FROM chosen;
SELECT label || ': is no delivery', (SELECT count(*) FROM deliveries WHERE session_label = label), 1 FROM chosen;
SELECT label || ': what was held is handed over', (SELECT group_concat(message) FROM session_queue WHERE session_label = label),
       iif(action = 'start', 'pool the connections', NULL) FROM chosen;
SELECT 'nothing is open any more', error_of('SELECT session_choose(''c A'', ''A'')') LIKE 'session_choose: %no open choice%', 1;
SELECT 'unknown session', error_of('SELECT session_choose(''nobody'', ''A'')') LIKE 'session_choose: %nobody%', 1;

SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES ('session_start', '["c status","add retries"]'), ('session_note', '["c status","read"]'),
  ('session_deliver', '["c status","pool the connections",{"class":"NewTask"}]');
UPDATE sessions SET status = 'error' WHERE label = 'c status';
SELECT 'choosing in a session in error', error_of('SELECT session_choose(''c status'', ''A'')') LIKE 'session_choose: %error%', 1;
SELECT 'its choice is still open', session_state('c status') ->> '$.pending_choice.held', 'pool the connections';
UPDATE sessions SET status = 'active' WHERE label = 'c status';
UPDATE sessions SET status = 'suspended' WHERE label = 'c status';
SELECT 'choosing resumes a suspended session',
       (session_choose('c status', 'A') ->> '$.action') || ' ' || (SELECT status FROM sessions WHERE label = 'c status'), 'start active';

---- Every record stands

SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events), (SELECT max(id) FROM session_events);
SELECT 'every opening has one closing, or is still open',
       (SELECT sum((to_state IS NOT NULL) - (to_state IS NULL)) FROM session_events WHERE axis = 'choice'),
       (SELECT count(*) FROM sessions WHERE pending_choice IS NOT NULL);

-- The class of session_choose is that of the message that was applied, and the confidence too.
SELECT session_start('sure', 't', '{"now":1767225600000}');
SELECT session_transition('sure', 'PendingComplete', '{"summary":"S"}', '{"now":1767225600000}');
SELECT session_deliver('sure', 'perfect, thanks', '{"now":1767398400000,"class":"Confirmation"}');
SELECT 'the confidence of what was held', session_choose('sure', 'continue', '{"now":1767398400000}') ->> '$.confidence', 1.0;
-- That of a message which answers is its own.
CREATE TEMP TABLE letter(held, said, class);
INSERT INTO letter SELECT h.value, s.value ->> 0, s.value ->> 1 FROM json_each('["Modification","Confirmation","NewTask","Clarification"]') AS h,
  json_each('[["A","Response"],["b","Response"],["start fresh","Response"],["continue","Response"],["A, but keep the tests","Modification"]]') AS s;
INSERT INTO turnstile SELECT 'session_start', json_array('letter ' || held || said, 'add retries', json('{"now":1767225600000}')) FROM letter;
INSERT INTO turnstile SELECT 'session_deliver', json_array('letter ' || held || said, 'also log them', json_object('now', 1767225600000 + 30 * 3600000, 'class', held)) FROM letter;
SELECT held || ' held, ' || said || ': its class', (session_deliver('letter ' || held || said, said, json_object('now', 1767225600000 + 30 * 3600000)) ->> '$.class'), class FROM letter;
SELECT held || ' held, ' || said || ': is recorded', (SELECT d.class || iif(letter.class = 'Response', ' ' || confidence, '') FROM deliveries AS d WHERE session_label = 'letter ' || held || said ORDER BY id DESC LIMIT 1),
  class || iif(class = 'Response', ' 1.0', '') FROM letter;

---- What is put away is told, whatever was said beside the answer

CREATE TEMP TABLE away(way, said, live);
INSERT INTO away VALUES ('bare', 'B', 0), ('words', 'B, but keep my branch', 0), ('more words', 'continue, and log each attempt', 0),
  ('a request kept beside', 'B', 0), ('behind a run', 'B, but keep my branch', 1), ('bare behind a run', 'B', 1);
INSERT INTO turnstile SELECT 'session_start', json_array('away ' || way, 'add retries') FROM away;
INSERT INTO turnstile SELECT 'turn_begin', json_array('away ' || way, 'w', json('{"messages":[{"role":"user","content":"x"}]}')) FROM away WHERE live;
INSERT INTO turnstile SELECT 'session_deliver', json_array('away ' || way, 'build an invoice export', json('{"class":"NewTask"}')) FROM away;
INSERT INTO turnstile VALUES ('session_deliver', '["away a request kept beside","the shed wants green walls"]');
SELECT way || ': the decision says what was put away', (session_deliver('away ' || way, said) ->> '$.message'), (SELECT data ->> '$.text' FROM observations
  WHERE session_label = 'away ' || way AND data ->> '$.note' = 'held') FROM away;
SELECT way || ': and it is kept as a note', (SELECT count(*) FROM observations WHERE session_label = 'away ' || way AND data ->> '$.text' LIKE '%build an invoice export%'), 1 FROM away;

---- Starting fresh with nothing held: the commit says what is known of it

SELECT turnstile_clock(1000000);
INSERT INTO turnstile SELECT 'session_start', json_array('fresh ' || value, 'add retries')
  FROM json_each('["words","pressed"]');
INSERT INTO turnstile SELECT 'session_note', json_array('fresh ' || value, 'read') FROM json_each('["words","pressed"]');
INSERT INTO turnstile SELECT 'session_recover', json_array('fresh ' || value,
  json_object('now', 1000000 + 2 * 86400000)) FROM json_each('["words","pressed"]');
SELECT session_deliver('fresh words', 'start fresh please', json_object('now', 1000000 + 2 * 86400000 + 1));
SELECT session_choose('fresh pressed', 'B', json_object('now', 1000000 + 2 * 86400000 + 1));
SELECT 'what the user said', (SELECT type_data ->> '$.new_task_summary' FROM commits
  WHERE session_label = 'fresh words'), 'start fresh please';
SELECT 'what the user chose', (SELECT type_data ->> '$.new_task_summary' FROM commits
  WHERE session_label = 'fresh pressed'), 'Save it and start fresh';

---- An Abandon at a choice calls off what its sender has asked before

SELECT session_start('off', 'add retries') > '';
SELECT session_deliver('off', 'what is it', '{"class":"Clarification"}') > '';
SELECT session_deliver('off', 'and why', '{"class":"Clarification","sender":"another"}') > '';
SELECT session_deliver('off', 'hmm the other', '{"class":"Unclear"}') > '';
SELECT 'abandoned at a choice: what is called off', json_extract(session_deliver('off', 'stop it', '{"class":"Abandon"}'),
  '$.action', '$.cancelled[0].message', '$.cancelled[1]'), '["abandon","what is it",null]';
SELECT 'abandoned at a choice: another''s question is answered', turn_begin('off', 'w') ->> '$.messages[0].content', 'and why';

---- Words beside an answer, at every kind of choice

SELECT turnstile_clock(1000000);
CREATE TEMP TABLE saying(message, stale, new);
INSERT INTO saying VALUES
  ('B, but keep my branch', 'start_fresh', 'continue'), ('A, and use the staging server', 'continue', 'start_fresh'),
  ('start fresh, this time with systemd timers', 'start_fresh', 'start_fresh'), ('save and start fresh: I need a log of it', 'start_fresh', 'start_fresh'),
  ('continue, but stop the old process', 'continue', 'continue'), ('weiter, aber die Tests zuletzt', 'continue', 'continue'),
  ('nicht weiter, neu, und diesmal mit Postgres', 'start_fresh', 'start_fresh'), ('la B, pero guarda la rama', 'start_fresh', 'continue'),
  ('on repart de zéro, avec postgres cette fois', 'start_fresh', 'start_fresh'), ('重新开始，这次用postgres', 'start_fresh', 'start_fresh'),
  ('続けて。ただしテストは最後に', 'continue', 'continue'), ('начни заново, но ветку оставь', 'start_fresh', 'start_fresh'),
  ('계속하되 테스트는 마지막에', 'continue', 'continue'), ('kaydet ve baştan başla, ama dalı koru', 'start_fresh', 'start_fresh'),
  ('ابدأ من جديد، لكن احتفظ بالفرع', 'start_fresh', 'start_fresh'), ('नया शुरू करो, लेकिन ब्रांच रखना', 'start_fresh', 'start_fresh'),
  ('B bitte, but keep my branch', 'start_fresh', 'continue'), ('A por favor, but use the staging server', 'continue', 'start_fresh'),
  ('start fresh, por favor, y usa postgres', 'start_fresh', 'start_fresh'), ('neu anfangen, but keep my branch', 'start_fresh', 'start_fresh'),
  ('continue s''il te plaît mais garde ma branche', 'continue', 'continue'), ('B please, aber behalte meinen Branch', 'start_fresh', 'continue'),
  ('empezar de nuevo, but keep my branch', 'start_fresh', 'start_fresh'), ('OK B, danke, but keep my branch', 'start_fresh', 'continue'),
  ('B 请, but keep my branch', 'start_fresh', 'continue'), ('B お願いします, but keep my branch', 'start_fresh', 'continue'),
  ('B 부탁해요, but keep my branch', 'start_fresh', 'continue'), ('B من فضلك, but keep my branch', 'start_fresh', 'continue'),
  ('B कृपया, but keep my branch', 'start_fresh', 'continue'), ('B будь ласка, but keep my branch', 'start_fresh', 'continue'),
  ('B, mais garde ma branche', 'start_fresh', 'continue'), ('B, ma tieni il mio branch', 'start_fresh', 'continue'),
  ('B, mas mantenha meu branch', 'start_fresh', 'continue'), ('B, ale zachowaj moją gałąź', 'start_fresh', 'continue'),
  ('B, ale ponech mou větev', 'start_fresh', 'continue'), ('B, maar houd mijn branch', 'start_fresh', 'continue'),
  ('B, ama dalımı koru', 'start_fresh', 'continue'), ('B, но сохрани мою ветку', 'start_fresh', 'continue'),
  ('B, але збережи мою гілку', 'start_fresh', 'continue'), ('B，但保留我的分支', 'start_fresh', 'continue'),
  ('B、でもブランチは残して', 'start_fresh', 'continue'), ('B, 하지만 내 브랜치는 유지해', 'start_fresh', 'continue'),
  ('B، لكن احتفظ بفرعي', 'start_fresh', 'continue'), ('B, लेकिन मेरी ब्रांच रखो', 'start_fresh', 'continue');
CREATE TEMP TABLE beside AS
  SELECT k.*, s.message, iif(k.kind = 'new', s.new, s.stale) AS meaning, k.kind || ' + ' || s.message AS label
  FROM kind AS k, saying AS s;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries', json('{"now":1000000}')) FROM beside;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read the code', json('{"now":1000000}')) FROM beside;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, held, json_object('class', class, 'now', at)) FROM beside;
CREATE TEMP TABLE told AS SELECT *, session_deliver(label, message, json_object('now', at + 1000)) AS d FROM beside;
SELECT label || ': what was chosen is done', d ->> '$.action', iif(meaning = 'continue', 'continue', 'start') FROM told;
SELECT label || ': the choice is closed', session_state(label) ->> '$.pending_choice', NULL FROM told;
SELECT label || ': the task', session_state(label) ->> '$.task', iif(meaning = 'continue', 'add retries', held) FROM told;
SELECT label || ': the words are handed over, with what was held', (SELECT group_concat(message, ' + ') FROM
         (SELECT message FROM session_queue AS q WHERE q.session_label = label ORDER BY id)),
       iif(kind = 'new' AND meaning = 'continue', '', held || ' + ') || message FROM told;
SELECT label || ': the old task is saved', (SELECT group_concat(commit_type) FROM commits AS c WHERE c.session_label = label),
       iif(kind = 'saved', 'StaleAutoCompact', iif(meaning = 'continue', NULL, 'InterruptedByNewTask')) FROM told;
SELECT label || ': a request that is not started is noted', (SELECT count(*) FROM observations AS o WHERE o.session_label = label
         AND json_extract(data, '$.text') LIKE '%pool the connections%'), 1 FROM told WHERE kind = 'new' AND meaning = 'continue';
INSERT INTO turnstile VALUES ('session_start', '["beside empty","add retries"]'), ('session_note', '["beside empty","read"]');
SELECT session_recover('beside empty', json_object('now', 1000000 + 25 * 3600000)) > '';
SELECT 'words beside "start fresh", with nothing held, are the task', json_extract(session_deliver('beside empty', 'start fresh: I need a price list',
         json_object('now', 1000001 + 25 * 3600000)), '$.action', '$.state'), '["start","Running"]';
SELECT 'and its words are what it is called', session_state('beside empty') ->> '$.task', 'start fresh: I need a price list';

---- None of the ways: nothing is done by default

CREATE TEMP TABLE else_said(message, becomes);
INSERT INTO else_said VALUES
  ('both, in that order', 'prompt'), ('A or B, hard to say', 'prompt'), ('a?', 'prompt'), ('something else', 'prompt'), ('skip', 'prompt'),
  ('🤷', 'prompt'), ('no sé', 'prompt'), ('bof', 'prompt'), ('don''t continue', 'prompt'), ('ikisi de', 'prompt'), ('둘 다', 'prompt'),
  ('weet ik niet', 'prompt'), ('दोनों', 'prompt'), ('كلاهما', 'prompt'), ('не впевнений, може', 'prompt'), ('nie wiem', 'prompt'),
  ('blargh', 'prompt'), ('zyzzyva kumquat', 'prompt'),
  ('I don''t care', 'prompt'), ('I do not care', 'prompt'), ('it doesn''t matter', 'prompt'), ('it does not matter to me', 'prompt'), ('not important', 'prompt'),
  ('I do not mind either way', 'prompt'), ('both are fine', 'prompt'), ('both are fine with me', 'prompt'), ('either one works', 'prompt'), ('es ist egal', 'prompt'),
  ('das spielt keine Rolle', 'prompt'), ('beides geht', 'prompt'), ('no me importa', 'prompt'), ('ça m''est égal', 'prompt'), ('não importa', 'prompt'),
  ('non importa', 'prompt'), ('мне всё равно', 'prompt'), ('nie ma znaczenia', 'prompt'), ('je mi to jedno', 'prompt'), ('het maakt niet uit', 'prompt'),
  ('önemli değil', 'prompt'), ('无所谓', 'prompt'), ('都可以', 'prompt'), ('どっちでもいい', 'prompt'), ('상관없어', 'prompt'), ('it does not matter any more', 'abandon'),
  ('¿por dónde íbamos?', 'answer'), ('what was I doing?', 'answer'), ('on en était où déjà ?', 'answer'), ('上次做到哪了？', 'answer'),
  ('neither. make me a list of all customers', 'start'), ('ninguna, hazme una lista de precios', 'start'), ('둘 다 아니고 가격표 만들어줘', 'start'),
  ('forget the retries, we won''t do that any more', 'abandon'), ('neither, cancel the whole thing', 'abandon'), ('lass es ganz sein, der Kunde ist weg', 'abandon'),
  ('laisse tomber, le client est parti', 'abandon'), ('boş ver, müşteri vazgeçti', 'abandon'), ('もういいです、お客さんが離れたので', 'abandon');
CREATE TEMP TABLE otherwise AS SELECT message, becomes, 'else: ' || message AS label FROM else_said;
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM otherwise;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read the code') FROM otherwise;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'also add jitter', json_object('now', 1000000 + 25 * 3600000)) FROM otherwise;
CREATE TEMP TABLE elsewhere AS SELECT *, session_deliver(label, message, json_object('now', 1000001 + 25 * 3600000)) AS d FROM otherwise;
SELECT label, d ->> '$.action', becomes FROM elsewhere;
SELECT label || ': the request is held', session_state(label) ->> '$.pending_choice.held', 'also add jitter' FROM elsewhere WHERE becomes IN ('prompt', 'answer');
SELECT label || ': nothing is handed over', (SELECT count(*) FROM session_queue AS q WHERE q.session_label = label), 0 FROM elsewhere WHERE becomes = 'prompt';
SELECT 'nothing is committed: ' || label, (SELECT count(*) FROM commits AS c WHERE c.session_label = label), 0 FROM elsewhere WHERE becomes IN ('prompt', 'answer');

-- What was said meanwhile waits in the choice, and goes along with what is held.
INSERT INTO turnstile SELECT 'session_start', json_array('kept ' || value, 'add retries') FROM json_each('["A","B","drop","end"]');
INSERT INTO turnstile SELECT 'session_note', json_array('kept ' || value, 'read the code') FROM json_each('["A","B","drop","end"]');
INSERT INTO turnstile SELECT 'session_deliver', json_array('kept ' || value, 'also add jitter', json_object('now', 1000000 + 25 * 3600000)) FROM json_each('["A","B","drop","end"]');
CREATE TEMP TABLE meanwhile AS
  SELECT 'kept ' || k.value AS label, m.value AS message, session_deliver('kept ' || k.value, m.value, json_object('now', 1000001 + 25 * 3600000)) AS d
  FROM json_each('["A","B","drop","end"]') AS k, json_each('["the contact form is down, fix that","the shed wants green walls"]') AS m;
SELECT label || ' < ' || message, d ->> '$.action', 'prompt' FROM meanwhile;
SELECT 'both wait with it', json_array_length(session_state('kept A') -> '$.pending_choice.earlier'), 2;
SELECT 'continue: all of it is handed over, in order', (SELECT group_concat(value ->> '$.message', ' + ') FROM
         json_each(session_deliver('kept A', 'A', json_object('now', 1000002 + 25 * 3600000)), '$.inputs')),
       'also add jitter + the contact form is down, fix that + the shed wants green walls';
SELECT 'start fresh: the same', (SELECT group_concat(value ->> '$.message', ' + ') FROM
         json_each(session_deliver('kept B', 'B', json_object('now', 1000002 + 25 * 3600000)), '$.inputs')),
       'also add jitter + the contact form is down, fix that + the shed wants green walls';
SELECT 'giving up takes them back, with a note each', json_extract(session_deliver('kept drop', 'forget it', json_object('class', 'Abandon', 'now', 1000002 + 25 * 3600000)), '$.action')
  || (SELECT count(*) FROM session_queue WHERE session_label = 'kept drop'), 'abandon0';
SELECT session_compact('kept end', 'done') > '';
SELECT 'a choice that ends with its task lets all of it wait', (SELECT group_concat(status || ' ' || message, ' + ') FROM
         (SELECT * FROM session_queue WHERE session_label = 'kept end' ORDER BY message)),
       'pending also add jitter + pending the contact form is down, fix that + pending the shed wants green walls';
SELECT 'what speaks of the task goes on with it', json_extract(session_deliver('else: blargh', 'the retries must stop after five attempts',
         json_object('now', 1000003 + 25 * 3600000)), '$.action', '$.state'), '["continue","Running"]';

-- After seven days: the words beside an answer to a choice that has expired.
INSERT INTO turnstile VALUES ('session_start', '["late words","add retries"]'), ('session_note', '["late words","read"]'),
  ('session_deliver', '["late words","build an invoice export",{"class":"NewTask"}]');
SELECT 'an expired choice, start fresh with words', (SELECT group_concat(value ->> '$.message', ' + ') FROM
         json_each(session_deliver('late words', 'A, but in euros', json_object('now', 1000000 + 8 * 86400000)), '$.inputs')),
       'build an invoice export + A, but in euros';

-- … and what was kept with it.
INSERT INTO turnstile VALUES ('session_start', '["late kept","add retries"]'), ('session_note', '["late kept","read"]'),
  ('session_deliver', '["late kept","build an invoice export",{"class":"NewTask"}]'), ('session_deliver', '["late kept","the shed wants green walls"]');
SELECT 'an expired choice loses nothing that was kept with it', (SELECT group_concat(value ->> '$.message', ' + ') FROM
         json_each(session_deliver('late kept', 'A', json_object('now', 1000000 + 8 * 86400000)), '$.inputs')),
       'build an invoice export + the shed wants green walls';

-- An Abandon takes back of it what its sender has said, also then.
INSERT INTO turnstile VALUES ('session_start', '["late back","add retries"]'), ('session_note', '["late back","read"]'),
  ('session_deliver', '["late back","build an invoice export",{"class":"NewTask"}]'), ('session_deliver', '["late back","the shed wants green walls"]'),
  ('session_deliver', '["late back","the floor wants white tiles",{"sender":"else"}]');
SELECT 'an Abandon that meets an expired choice', session_deliver('late back', 'forget it', json_object('class', 'Abandon', 'now', 1000000 + 8 * 86400000)) ->> '$.action', 'acknowledge';
SELECT '… leaves what another said', (SELECT group_concat(status || ' ' || message) FROM session_queue WHERE session_label = 'late back'),
       'pending the floor wants white tiles';
SELECT '… and notes the rest', (SELECT count(*) FROM observations WHERE session_label = 'late back'
         AND (data LIKE '%build an invoice export%' OR data LIKE '%the shed wants green walls%')), 2;

---- What was said at a choice, and what becomes of it

-- In every session a hazy message is held, and two more come that say neither which way nor what for.
SELECT turnstile_clock(1767225600000);
CREATE TEMP TABLE kept(label);
INSERT INTO kept VALUES ('k compact'), ('k back'), ('k run'), ('k full'), ('k fresh run'), ('k noted'), ('k due');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM kept;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read the code') FROM kept;
INSERT INTO turnstile SELECT 'session_transition', json_array(label, 'PendingComplete', json('{"summary":"Retries added"}')) FROM kept WHERE label = 'k noted';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'hmm, tuesday', json_object('sender', 'ann', 'class', iif(label = 'k noted', 'NewTask', 'Unclear'))) FROM kept;
SELECT label || ': a choice is open', session_state(label) ->> '$.pending_choice.held', 'hmm, tuesday' FROM kept;
CREATE TEMP TABLE kept_said AS
  SELECT label, value, session_deliver(label, value, json_object('sender', iif(value LIKE 'the floor%', 'bob', 'ann'))) AS d
  FROM kept, json_each('["the shed wants green walls","the floor wants white tiles"]');
SELECT label || ' < ' || value, d ->> '$.action', 'prompt' FROM kept_said;

INSERT INTO turnstile VALUES ('session_compact', '["k compact","done"]');
SELECT 'released in the order in which it came', (SELECT group_concat(message, ' + ') FROM (SELECT message FROM queue_list WHERE session_label = 'k compact' ORDER BY position)),
       'hmm, tuesday + the shed wants green walls + the floor wants white tiles';
SELECT 'and taken so', turn_begin('k compact', 'w') ->> '$.messages[0].content', 'hmm, tuesday';

SELECT 'who gives up takes back own words only', session_deliver('k back', 'forget it', '{"class":"Abandon","sender":"bob"}') ->> '$.action', 'abandon';
SELECT '… the others'' wait, in order', (SELECT group_concat(message, ' + ') FROM (SELECT message FROM queue_list WHERE session_label = 'k back' ORDER BY position)),
       'hmm, tuesday + the shed wants green walls';
SELECT '… and what is taken back is noted', (SELECT count(*) FROM observations WHERE session_label = 'k back' AND data LIKE '%the floor wants white tiles%'), 1;

-- With a live run all of it interrupts, as a change to the task does.
SELECT turn_begin('k run', 'w', '{"messages":[{"role":"user","content":"go on"}]}') > '';
CREATE TEMP TABLE ran AS SELECT session_choose('k run', 'continue') AS d;
SELECT 'continue with a live run interrupts it', json_extract(d, '$.action', '$.state'), '["interrupt","Interrupted"]' FROM ran;
SELECT 'all of it is first in line, in order', (SELECT group_concat(mode || ' ' || message, ' + ') FROM (SELECT * FROM session_queue WHERE session_label = 'k run' ORDER BY id)),
       'interrupt hmm, tuesday + interrupt the shed wants green walls + interrupt the floor wants white tiles';
SELECT 'the decision names the newest', (SELECT message FROM session_queue WHERE id = d ->> '$.queue_id'), 'the floor wants white tiles' FROM ran;

-- What a choice has taken in is not refused, however full the queue is.
SELECT turnstile_config('queue_cap', 1, '{"session":"k full"}') > '';
SELECT turn_begin('k full', 'w', '{"messages":[{"role":"user","content":"go on"}]}') > '';
SELECT session_deliver('k full', 'backup done', '{"source":"timer"}') ->> '$.action';
SELECT 'a full queue refuses', session_deliver('k full', 'disk full', '{"source":"timer"}') ->> '$.action', 'rejected';
SELECT 'but nothing that a choice has held', session_choose('k full', 'continue') ->> '$.action', 'interrupt';
SELECT 'all of it is there', (SELECT count(*) FROM session_queue WHERE session_label = 'k full' AND status = 'pending'), 4;

SELECT turn_begin('k fresh run', 'w', '{"messages":[{"role":"user","content":"go on"}]}') > '';
SELECT 'start fresh stops the run and hands over all of it', (SELECT group_concat(value ->> '$.message', ' + ') FROM json_each(session_choose('k fresh run', 'start_fresh'), '$.inputs')),
       'hmm, tuesday + the shed wants green walls + the floor wants white tiles';

-- The request is put away; what was said besides goes on with the task.
CREATE TEMP TABLE noted AS SELECT session_choose('k noted', 'continue') AS d;
SELECT 'a request that is put away: what else was said is handed over', (SELECT group_concat(value ->> '$.message', ' + ') FROM noted, json_each(d, '$.inputs')),
       'the shed wants green walls + the floor wants white tiles';
SELECT '… it is work again', json_extract(d, '$.action', '$.state'), '["continue","Running"]' FROM noted;
SELECT '… and on record', (SELECT count(*) FROM observations WHERE session_label = 'k noted' AND data LIKE '%request_more%' AND data LIKE '%the shed wants%'), 1;

-- Where what is first in line waits for its time, all of it waits behind, in order.
SELECT session_deliver('k due', 'call the garage', '{"source":"timer"}') ->> '$.queue_id' > 0;
SELECT turn_begin('k due', 'w') > '';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'busy', json('{"retry_after":60000}')) FROM session_runs WHERE session_label = 'k due';
SELECT 'start fresh behind what waits for its time', session_choose('k due', 'start_fresh') ->> '$.action', 'queue';
SELECT 'in order', (SELECT group_concat(message, ' + ') FROM (SELECT message FROM queue_list WHERE session_label = 'k due' ORDER BY position)),
       'call the garage + hmm, tuesday + the shed wants green walls + the floor wants white tiles';

-- A choice that holds nothing: what was said at it is the new task.
INSERT INTO turnstile VALUES ('session_start', '["k none","add retries"]'), ('session_note', '["k none","read"]');
SELECT session_recover('k none', json_object('now', 1767225600000 + 25 * 3600000)) > '';
SELECT 'nothing held: what is said is kept', session_deliver('k none', 'the shed wants green walls', json_object('now', 1767225600000 + 25 * 3600000)) ->> '$.action', 'prompt';
SELECT 'start fresh: it is the task', json_extract(session_choose('k none', 'start_fresh', json_object('now', 1767225600000 + 25 * 3600000)), '$.action', '$.state', '$.queue_id') LIKE '["start","Running",%', 1;
SELECT 'and what the task is called', session_state('k none') ->> '$.task', 'the shed wants green walls';

-- What was held ends the task: what was said besides waits.
INSERT INTO turnstile VALUES ('session_start', '["k over","add retries"]'), ('session_transition', '["k over","PendingComplete",{"summary":"Retries added"}]');
SELECT session_deliver('k over', 'looks good to me', json_object('now', 1767225600000 + 25 * 3600000)) ->> '$.kind';
SELECT session_deliver('k over', 'the shed wants green walls', json_object('now', 1767225600000 + 25 * 3600000)) ->> '$.action';
SELECT 'what was held approves', json_extract(session_choose('k over', 'continue', json_object('now', 1767225600000 + 25 * 3600000)), '$.action', '$.state'), '["complete","None"]';
SELECT 'what was said besides waits', (SELECT group_concat(status || ' ' || message) FROM session_queue WHERE session_label = 'k over'), 'pending the shed wants green walls';

-- A class that a classifier of the host's gives is its guess, and no word of the caller's.
INSERT INTO turnstile SELECT 'session_start', json_array('guess ' || value, 'add retries') FROM json_each('["own","given"]');
INSERT INTO turnstile SELECT 'session_deliver', json_array('guess ' || value, 'hmm, tuesday', json('{"class":"Unclear"}')) FROM json_each('["own","given"]');
SELECT turnstile_classifier('coalesce');
SELECT 'a class that was guessed goes on with nothing', json_extract(session_deliver('guess own', 'Modification'), '$.action', '$.class'), '["prompt","Modification"]';
SELECT '… it is kept', json_array_length(session_state('guess own') -> '$.pending_choice.earlier'), 1;
SELECT 'a class that was given does', json_extract(session_deliver('guess given', 'Modification', '{"class":"Modification"}'), '$.action', '$.class'), '["continue","Modification"]';
SELECT turnstile_classifier(NULL);

---- Slash words that nobody knows, and signs that nobody sees

SELECT turnstile_clock(1000000);
CREATE TEMP TABLE slash(message);
INSERT INTO slash VALUES ('/model'), ('/' || char(11904)), ('/' || char(65279, 26376)), ('/exit'), ('/model gpt'), (char(8207) || '/help'), ('/help@bot');
INSERT INTO turnstile SELECT 'session_start', json_array('slash ' || message, 'add retries') FROM slash;
INSERT INTO turnstile SELECT 'session_note', json_array('slash ' || message, 'read') FROM slash;
SELECT 'opens no choice: ' || message, session_deliver('slash ' || message, message) ->> '$.action' IN ('answer', 'continue'), 1 FROM slash;
SELECT message || ': none is open', session_state('slash ' || message) ->> '$.pending_choice', NULL FROM slash;
SELECT message || ' after a day neither', json_extract(session_deliver('slash ' || message, message, json_object('now', 1000000 + 25 * 3600000)), '$.kind'), NULL FROM slash;
SELECT 'the next message is asked about the task all the same: ' || message,
       session_deliver('slash ' || message, 'go on with it', json_object('now', 1000001 + 25 * 3600000)) ->> '$.kind', 'StaleSessionChoice' FROM slash;
SELECT message || ' at a choice is answered, and the choice stays',
       json_extract(session_deliver('slash ' || message, message, json_object('now', 1000002 + 25 * 3600000)), '$.action', '$.kind'), '["answer","StaleSessionChoice"]' FROM slash;
INSERT INTO turnstile VALUES ('session_deliver', '["slash live","add retries",{"owner":"w"}]');
SELECT 'with a live run it waits', json_extract(session_deliver('slash live', '/model'), '$.action', '$.kind'), '["queue",null]';
CREATE TEMP TABLE unseen(message);
INSERT INTO unseen VALUES (char(8207) || 'A'), ('A' || char(8206)), (char(65279) || 'a'), (char(8203) || 'A' || char(8203)), ('Ａ'), ('A)'), ('(a)'),
  ('option A please'), ('the first one'), ('1'), ('1️⃣'), ('🅰️'), (char(8296) || 'A' || char(8297)), ('١'), ('१');
INSERT INTO turnstile SELECT 'session_start', json_array('unseen ' || message, 'add retries') FROM unseen;
INSERT INTO turnstile SELECT 'session_note', json_array('unseen ' || message, 'read') FROM unseen;
INSERT INTO turnstile SELECT 'session_deliver', json_array('unseen ' || message, 'pool the connections', json('{"class":"NewTask"}')) FROM unseen;
SELECT message || ' is A', session_deliver('unseen ' || message, message) ->> '$.action', 'start' FROM unseen;
CREATE TEMP TABLE stopping(message);
INSERT INTO stopping VALUES ('/stop'), ('/cancel'), ('/abort'), ('/STOP'), ('/Cancel@my_bot'), ('/stop@bot'), (' /abort' || char(8203)),
  (char(8207) || '/stop@bot ');
INSERT INTO turnstile SELECT 'session_deliver', json_array('stops run ' || message, 'add retries to the upload client', json('{"owner":"w"}')) FROM stopping;
SELECT message || ' stops a run', json_extract(session_deliver('stops run ' || message, message), '$.action', '$.class', '$.state', '$.kind'), '["abandon","Abandon","None",null]' FROM stopping;
SELECT message || ': it is over', session_state('stops run ' || message) ->> '$.live', 0 FROM stopping;
SELECT message || ' with no task begins nothing', json_extract(session_deliver('stops none ' || message, message), '$.action', '$.state'), '["acknowledge","None"]' FROM stopping;
INSERT INTO turnstile SELECT 'session_start', json_array('stops asking ' || message, 'add retries') FROM stopping;
INSERT INTO turnstile SELECT 'session_transition', json_array('stops asking ' || message, 'AwaitingUser', json('{"question":"Which one?"}')) FROM stopping;
SELECT message || ' is no answer', json_extract(session_deliver('stops asking ' || message, message), '$.action', '$.state'), '["abandon","None"]' FROM stopping;
INSERT INTO turnstile SELECT 'session_start', json_array('stops report ' || message, 'add retries') FROM stopping;
INSERT INTO turnstile SELECT 'session_transition', json_array('stops report ' || message, 'PendingComplete', json('{"summary":"Retries are in. Shall I push?"}')) FROM stopping;
SELECT message || ' ends a reported task', session_deliver('stops report ' || message, message) ->> '$.action', 'abandon' FROM stopping;
INSERT INTO turnstile SELECT 'session_start', json_array('stops choice ' || word || message, 'add retries') FROM stopping, (SELECT '' AS word UNION SELECT 'word ');
INSERT INTO turnstile SELECT 'session_note', json_array('stops choice ' || word || message, 'read') FROM stopping, (SELECT '' AS word UNION SELECT 'word ');
INSERT INTO turnstile SELECT 'session_deliver', json_array('stops choice ' || word || message, 'pool the connections', json('{"class":"NewTask"}')) FROM stopping, (SELECT '' AS word UNION SELECT 'word ');
SELECT message || ' at a choice is what the word is', session_deliver('stops choice ' || message, message) ->> '$.action',
       session_deliver('stops choice word ' || message, 'stop') ->> '$.action' FROM stopping;
SELECT 'what a message was is kept', group_concat(message), '/stop' FROM deliveries WHERE session_label = 'stops run /stop' AND action = 'abandon';
INSERT INTO turnstile VALUES ('session_start', '["stops waiting","add retries"]'), ('session_deliver', '["stops waiting","go on with the retries",{"owner":"w"}]'), ('queue_push', '["stops waiting","/stop@bot"]');
SELECT 'one that waits stops, too', json_extract(turn_complete(head, 1, '{"content":"half"}'), '$.status'), 'completed' FROM (SELECT session_state('stops waiting') ->> '$.turn' AS head);
SELECT 'nobody works on it', turn_begin('stops waiting', 'w'), NULL;
SELECT 'the task is over', session_state('stops waiting') ->> '$.task_state', 'None';

CREATE TEMP TABLE command(message);
INSERT INTO command VALUES ('/new'), ('/reset'), ('/new@bot'), ('/start'), ('/start@bot'), ('/help'), ('/help@bot'), ('/Model@my_bot'), ('/stopwatch'), ('/cancel_all'),
  ('/yes'), ('/ok@bot'), ('/done'), ('/continue@bot');
SELECT message || ' starts nothing', json_extract(session_deliver('command none ' || message, message), '$.action', '$.state', '$.task_id'), '["answer","None",null]' FROM command;
INSERT INTO turnstile SELECT 'session_deliver', json_array('command run ' || message, 'add retries to the upload client', json('{"owner":"w"}')) FROM command;
SELECT message || ' waits for a run, and interrupts none', json_extract(session_deliver('command run ' || message, message), '$.action', '$.state', '$.kind'), '["queue","Running",null]' FROM command;
INSERT INTO turnstile SELECT 'session_start', json_array('command asking ' || message, 'add retries') FROM command;
INSERT INTO turnstile SELECT 'session_transition', json_array('command asking ' || message, 'AwaitingUser', json('{"question":"Which one?"}')) FROM command;
SELECT message || ' answers no question', json_extract(session_deliver('command asking ' || message, message), '$.action', '$.state'), '["answer","AwaitingUser"]' FROM command;
SELECT message || ' given as the answer is it', json_extract(session_deliver('command asking ' || message, message, json_object('asked_at', (SELECT state_data ->> '$.asked_at' FROM sessions JOIN tasks ON tasks.id = open_task_id WHERE label = 'command asking ' || message))), '$.action', '$.state'), '["continue","Running"]' FROM command;
INSERT INTO turnstile SELECT 'session_start', json_array('command named ' || message, 'add retries') FROM command;
INSERT INTO turnstile SELECT 'session_transition', json_array('command named ' || message, 'AwaitingUser', json_object('question', 'Shall it be ' || message || ' or /other?')) FROM command;
SELECT message || ' where the question names it is the answer', json_extract(session_deliver('command named ' || message, message), '$.action', '$.state'), '["continue","Running"]' FROM command;
INSERT INTO turnstile SELECT 'session_start', json_array('command longer', 'add retries') UNION ALL SELECT 'session_transition', json_array('command longer', 'AwaitingUser', json_object('question', 'Shall it be /newer/new2 or new? /ne'));
SELECT 'a longer word of the question is another', session_deliver('command longer', '/new') ->> '$.action', 'answer';
INSERT INTO turnstile SELECT 'session_start', json_array('command report ' || message, 'add retries') FROM command;
INSERT INTO turnstile SELECT 'session_transition', json_array('command report ' || message, 'PendingComplete', json('{"summary":"Retries are in. Shall I push?"}')) FROM command;
SELECT message || ' approves no report', json_extract(session_deliver('command report ' || message, message), '$.action', '$.state'), '["answer","PendingComplete"]' FROM command;
INSERT INTO turnstile SELECT 'session_start', json_array('command old ' || message, 'add retries') FROM command;
INSERT INTO turnstile SELECT 'session_note', json_array('command old ' || message, 'read') FROM command;
SELECT message || ' a week later picks up no task, and asks nothing', json_extract(session_deliver('command old ' || message, message, json_object('now', 1000000 + 8 * 86400000)), '$.action', '$.kind'), '["answer",null]' FROM command;
SELECT 'with a class it is the caller''s', session_deliver('command given', '/new', '{"class":"NewTask"}') ->> '$.action', 'start';
CREATE TEMP TABLE short(message);
INSERT INTO short VALUES ('/compact'), ('/COMPACT'), ('/Compact@bot'), (char(8207) || '/compact'), ('/compact' || char(8203)), (' /compact@my_bot keep the names');
SELECT message || ' is the command', session_deliver('short ' || message, message) ->> '$.action', 'compact' FROM short;
SELECT 'its focus', session_deliver('short', '/compact@my_bot keep the names') ->> '$.focus', 'keep the names';
SELECT 'a longer word is none', session_deliver('short', '/compactor') ->> '$.action' <> 'compact', 1;
SELECT 'the file is sound after all of it, but for what was written by hand', (SELECT group_concat(rule) FROM turnstile_check()), 'event_chain';

---- Words with the class Unclear at an open choice are kept like those without a class

CREATE TEMP TABLE hazy(label, opens, class);
INSERT INTO hazy SELECT opens || ', ' || class, opens, class FROM (SELECT 'NewTask' AS opens UNION ALL SELECT 'Unclear'),
  (SELECT 'Unclear' AS class UNION ALL SELECT 'none');
INSERT INTO turnstile SELECT 'session_start', json_array('hazy ' || label, 'Paint the doors') FROM hazy;
INSERT INTO turnstile SELECT 'session_note', json_array('hazy ' || label, 'one is done') FROM hazy;
INSERT INTO turnstile SELECT 'session_deliver', json_array('hazy ' || label, 'build it of oak', json_object('class', opens)) FROM hazy;
CREATE TEMP TABLE hazily AS SELECT label, session_deliver('hazy ' || label, value, json(iif(class = 'none', '{}', '{"class":"Unclear"}'))) AS d
  FROM hazy, json_each('["7","the shed wants green walls","both","hm?","the floor wants white tiles"]');
SELECT label || ': it asks again', group_concat(DISTINCT d ->> '$.action'), 'prompt' FROM hazily GROUP BY label;
CREATE TEMP TABLE hazed AS SELECT label, opens, session_choose('hazy ' || label, 'start_fresh') AS d FROM hazy;
SELECT label || ': the words are handed over, and what was no answer is not', (SELECT group_concat(value ->> '$.message', ' + ')
  FROM json_each(d, '$.inputs')), 'build it of oak + the shed wants green walls + the floor wants white tiles' FROM hazed;

---- What is denied is not what is chosen, on whichever side of the answer it stands, and in whichever languages

CREATE TEMP TABLE denies(n INTEGER PRIMARY KEY, answer, way);
INSERT INTO denies(answer, way) VALUES ('B, not A', 'continue'), ('A, not B', 'start_fresh'), ('A. Not B.', 'start_fresh'), ('option B, not option A', 'continue'),
  ('the second one, not the first', 'continue'), ('continue, not start fresh', 'continue'), ('start fresh, not continue', 'start_fresh'), ('continue, don''t start fresh', 'continue'),
  ('B not, A', 'start_fresh'), ('B nicht, A', 'start_fresh'), ('B, no, A', 'start_fresh'), ('not A, B', 'continue'),
  ('B, nicht A', 'continue'), ('weitermachen, nicht neu anfangen', 'continue'), ('neu anfangen, nicht weitermachen', 'start_fresh'),
  ('weitermachen, not start fresh', 'continue'), ('start fresh, nicht weitermachen', 'start_fresh'), ('continue, nicht neu anfangen', 'continue'),
  ('neu anfangen, not continue', 'start_fresh'), ('continuer, pas start fresh', 'continue'), ('continue, pas recommencer', 'continue'),
  ('continue, не начинать заново', 'continue'), ('continue, 不要重新开始', 'continue'), ('weiter, not A', 'continue'), ('not A, lieber B', 'continue'),
  ('не start fresh, continue', 'continue'), ('nicht continue, start fresh', 'start_fresh'), ('la opción A, thanks', 'start_fresh'), ('давай B', 'continue'),
  ('B not A', 'continue'), ('A not B', 'start_fresh'), ('weitermachen not start fresh', 'continue'), ('B rather than A', 'continue'), ('I meant B', 'continue'),
  ('not A', 'continue'), ('not B', 'start_fresh'), ('don''t start fresh', 'continue'), ('please don''t start over', 'continue'), ('never mind, continue', 'continue'),
  -- Either may be meant, or neither.
  ('B nicht A', NULL), ('don''t continue', NULL), ('no A', NULL), ('not the second one', NULL), ('not both', NULL), ('not B?', NULL);
SELECT count(session_start('denies ' || n, 'Add retries')) FROM denies;
SELECT count(session_note('denies ' || n, 'it is half done')) FROM denies;
SELECT count(session_deliver('denies ' || n, 'different thing: build an invoice export', '{"class":"NewTask"}')) FROM denies;
SELECT count(session_deliver('denies ' || n, answer)) FROM denies;
SELECT answer || ': what is chosen', (SELECT data ->> 'chosen' FROM session_events WHERE session_label = 'denies ' || n AND axis = 'choice' AND data ->> 'chosen' IS NOT NULL), way FROM denies;
SELECT answer || ': is it asked still', (SELECT pending_choice IS NOT NULL FROM sessions WHERE label = 'denies ' || n), way IS NULL FROM denies;

---- Whatever class the rules guess, what a message says to the choice itself comes first

SELECT turnstile_clock(1000000);
INSERT INTO message_rules(class, pattern, weight) SELECT value, '\bz' || lower(value) || '\b', 20
  FROM json_each('["NewTask","Abandon","Unclear","Response","Confirmation","Clarification","Modification"]');
CREATE TEMP TABLE guessed(n INTEGER PRIMARY KEY, message, action, class, kept);
INSERT INTO guessed(message, action, class, kept) VALUES
  -- A slash word that nobody knows is a question; with words that give it up behind it, it does.
  ('/task the door', 'answer', 'Clarification', 0), ('/task the zabandon door', 'acknowledge', 'Abandon', 0),
  -- Given up, with another task beside it, or none.
  ('drop it, znewtask', 'start', 'NewTask', 0), ('drop it, zmodification', 'acknowledge', 'Abandon', 0), ('drop it', 'acknowledge', 'Abandon', 0),
  -- A question.
  ('what is zabandon', 'acknowledge', 'Abandon', 0), ('what is zmodification', 'answer', 'Clarification', 0),
  -- An order that has nothing to do with the task.
  ('paint the zunclear door', 'start', 'NewTask', 0), ('paint the zresponse door', 'start', 'NewTask', 0),
  ('paint the zmodification door', 'start', 'NewTask', 0), ('paint the znewtask door', 'start', 'NewTask', 0),
  ('paint the zclarification door', 'answer', 'Clarification', 0), ('paint the zabandon door', 'acknowledge', 'Abandon', 0),
  -- None of the ways, and something else.
  ('neither, where is the key?', 'answer', 'Clarification', 0), ('neither, bake a cake', 'start', 'NewTask', 0),
  -- Whoever asks back wants an answer.
  ('the door is red znewtask?', 'start', 'NewTask', 0), ('the door zabandon?', 'acknowledge', 'Abandon', 0),
  ('the door is red zmodification?', 'answer', 'Clarification', 0), ('the door is red zmodification', 'prompt', 'Modification', 1),
  -- What is denied, or only looks like another word, gives nothing up.
  ('not both', 'prompt', 'Modification', 0), ('not the other one', 'prompt', 'Modification', 0), ('7 8', 'prompt', 'Modification', 0);
SELECT count(session_start('guessed ' || n, 'add retries')) FROM guessed;
SELECT count(session_note('guessed ' || n, 'read')) FROM guessed;
SELECT count(session_deliver('guessed ' || n, 'pool the connections', '{"class":"NewTask"}')) FROM guessed;
SELECT message || ': with the guess, at a choice', json_extract(session_deliver('guessed ' || n, message), '$.action', '$.class'), json_array(action, class) FROM guessed;
SELECT message || ': is it asked still', (SELECT pending_choice IS NOT NULL FROM sessions WHERE label = 'guessed ' || n), action IN ('answer', 'prompt') FROM guessed;
SELECT message || ': is it kept', ifnull(json_array_length((SELECT pending_choice -> '$.earlier' FROM sessions WHERE label = 'guessed ' || n)), 0), kept FROM guessed;
SELECT message || ': the task', session_state('guessed ' || n) ->> '$.task', CASE WHEN action <> 'start' THEN 'add retries' ELSE message END FROM guessed;
DELETE FROM message_rules WHERE pattern LIKE '\bz%';

-- The same at a question: an order is no answer to it, and an affirmation that ends in a question mark stays one.
INSERT INTO message_rules(class, pattern, weight) VALUES ('Response', '\bzresponse\b', 20), ('Affirmation', 'zyes\?', 1);
CREATE TEMP TABLE questioned(message, action, class);
INSERT INTO questioned VALUES ('paint the zresponse door', 'start', 'NewTask'), ('zyes?', 'prompt', 'Response'), ('zno?', 'answer', 'Clarification');
SELECT count(session_start('questioned ' || message, 'add retries')) FROM questioned;
SELECT count(session_transition('questioned ' || message, 'AwaitingUser', '{"question":"Which backoff?"}')) FROM questioned;
SELECT count(session_deliver('questioned ' || message, 'pool the connections', '{"class":"NewTask"}')) FROM questioned;
SELECT message || ': at a choice over a question', json_extract(session_deliver('questioned ' || message, message), '$.action', '$.class'), json_array(action, class) FROM questioned;
DELETE FROM message_rules WHERE pattern LIKE '%z%' AND origin = 'user';

---- What was interrupted long ago is picked up as it was

SELECT session_start('long ago', 'add retries');
SELECT session_note('long ago', 'read');
SELECT session_transition('long ago', 'Interrupted', '{"user_message":"wait"}');
SELECT 'after a week it is saved', session_deliver('long ago', 'use jitter', json_object('class', 'Response', 'now', 1000000 + 8 * 86400000)) ->> '$.kind', 'SavedTaskChoice';
SELECT 'and picked up', json_extract(session_deliver('long ago', 'A', json_object('now', 1001000 + 8 * 86400000)), '$.action', '$.state'), '["continue","Running"]';
SELECT 'from where it stood', (SELECT group_concat(from_state || '>' || to_state, ' ') FROM (SELECT * FROM session_events WHERE session_label = 'long ago' AND axis = 'task' ORDER BY id)),
  'None>Running Running>Interrupted Interrupted>None None>Running Running>Interrupted Interrupted>Running';

---- Words that are kept by a choice which holds nothing else

INSERT INTO turnstile SELECT 'session_start', json_array('beside ' || value, 'add retries', json('{"now":1000000}')) FROM json_each('["two","new"]');
INSERT INTO turnstile SELECT 'session_note', json_array('beside ' || value, 'read', json('{"now":1000000}')) FROM json_each('["two","new"]');
SELECT turnstile_clock(1000000 + 25 * 3600000);
INSERT INTO turnstile SELECT 'session_recover', json_array('beside ' || value) FROM json_each('["two","new"]');
SELECT 'kept', session_deliver('beside two', 'the shed wants green walls') ->> '$.action', 'prompt';
SELECT 'kept as well', session_deliver('beside two', 'the floor wants white tiles') ->> '$.action', 'prompt';
SELECT 'nothing is held', session_state('beside two') ->> '$.pending_choice.held', NULL;
SELECT 'the first begins the task, the second goes along',
       json_extract(session_choose('beside two', 'start_fresh'), '$.action', '$.inputs[0].message', '$.inputs[1].message'), '["start","the shed wants green walls","the floor wants white tiles"]';
SELECT 'the task is the first', session_state('beside two') ->> '$.task', 'the shed wants green walls';
SELECT 'kept beside what comes', session_deliver('beside new', 'the shed wants green walls') ->> '$.action', 'prompt';
SELECT 'a new request begins the task, and what was kept goes along',
       json_extract(session_deliver('beside new', 'pool the connections', '{"class":"NewTask"}'), '$.action', '$.inputs[0].message', '$.inputs[1].message'),
       '["start","the shed wants green walls","pool the connections"]';
SELECT 'the task is the request', session_state('beside new') ->> '$.task', 'pool the connections';

---- A choice that was written by hand behind the end of its task takes no answer

SELECT turnstile_clock(1000000);
CREATE TEMP TABLE written(state, data);
INSERT INTO written VALUES ('Aborted', '{"reason":"of no use"}'), ('Complete', NULL);
SELECT count(session_start('written ' || state, 'add retries')) FROM written;
SELECT count(session_note('written ' || state, 'read')) FROM written;
SELECT count(session_deliver('written ' || state, 'pool the connections', '{"class":"NewTask"}')) FROM written;
CREATE TEMP TABLE was AS SELECT label, pending_choice FROM sessions WHERE label LIKE 'written %';
SELECT session_transition('written Complete', 'PendingComplete', '{"summary":"done"}');
SELECT count(session_transition('written ' || state, state, json(data))) FROM written;
UPDATE sessions SET pending_choice = (SELECT pending_choice FROM was WHERE was.label = sessions.label) WHERE label LIKE 'written %';
SELECT state || ': it takes no answer', error_of('SELECT session_choose(''written ' || state || ''', ''A'')'),
       'session_choose: the task that the choice is about is ' || state || '; there is nothing to choose' FROM written;

---- A slash word that nobody knows, with words behind it: it may change what is worked on, be a question, or give the task up

SELECT turnstile_clock(1000000);
CREATE TEMP TABLE worded(n INTEGER PRIMARY KEY, state, message, action, class, then_state);
INSERT INTO worded(state, message, action, class, then_state) VALUES
  ('None', '/task use jitter', 'answer', 'Unclear', 'None'), ('None', '/task what is done so far?', 'answer', 'Clarification', 'None'),
  ('None', '/task looks good to me', 'answer', 'Unclear', 'None'),
  ('Running', '/task use jitter', 'continue', 'Modification', 'Running'), ('Running', '/task what is done so far?', 'answer', 'Clarification', 'Running'),
  ('Running', '/task looks good to me', 'answer', 'Unclear', 'Running'),
  ('AwaitingUser', '/task use jitter', 'answer', 'Unclear', 'AwaitingUser'), ('AwaitingUser', '/task what is done so far?', 'answer', 'Clarification', 'AwaitingUser'),
  ('AwaitingUser', '/task looks good to me', 'answer', 'Unclear', 'AwaitingUser'), ('AwaitingUser', '/task forget the whole thing', 'abandon', 'Abandon', 'None'),
  ('PendingComplete', '/task use jitter', 'continue', 'Modification', 'Running'), ('PendingComplete', '/task what is done so far?', 'answer', 'Clarification', 'PendingComplete'),
  -- It approves nothing.
  ('PendingComplete', '/done@bot looks good to me', 'answer', 'Unclear', 'PendingComplete'),
  ('Interrupted', '/task use jitter', 'continue', 'Modification', 'Running');
SELECT count(session_start('worded ' || n, 'add retries')) FROM worded WHERE state <> 'None';
SELECT count(session_transition('worded ' || n, state, json(CASE state WHEN 'AwaitingUser' THEN '{"question":"Which?"}' WHEN 'PendingComplete' THEN '{"summary":"In."}'
  ELSE '{"user_message":"wait"}' END))) FROM worded WHERE state NOT IN ('None', 'Running');
SELECT message || ' at ' || state, json_extract(session_deliver('worded ' || n, message), '$.action', '$.class', '$.state'), json_array(action, class, then_state) FROM worded;
SELECT message || ' at ' || state || ': it opens no choice', (SELECT pending_choice FROM sessions WHERE label = 'worded ' || n), NULL FROM worded;
INSERT INTO turnstile VALUES ('session_start', '["worded task","add retries"]'), ('session_transition', '["worded task","PendingComplete",{"summary":"In."}]');
SELECT 'whatever it is taken for', session_deliver('worded task', '/task looks good to me') ->> '$.action' IN ('answer', 'continue'), 1;
SELECT 'without the slash it approves', json_extract(session_deliver('worded ' || n, 'looks good to me'), '$.action', '$.state'), '["complete","None"]' FROM worded
WHERE state = 'PendingComplete' AND class = 'Unclear';

---- A request is held: what is named beside a word of dropping or postponing tells which of the two, and "both" is both

-- is: new (the request begins), old (the task goes on, and the request is a note), back (the request is taken back), none (both are
-- given up), ask (nothing is done).
SELECT turnstile_clock(1000000);
CREATE TEMP TABLE named(n INTEGER PRIMARY KEY, lang, live, message, "is");
CREATE TEMP TABLE tongue(lang PRIMARY KEY, task, held);
INSERT INTO tongue VALUES ('en', 'Translate the cookbook', 'make a poster for the fair'), ('de', 'Das Kochbuch übersetzen', 'ein Plakat für das Fest machen'),
  ('fr', 'Traduire le catalogue', 'faire une affiche pour la kermesse'), ('es', 'Traducir el catálogo', 'hacer un cartel para la feria'),
  ('it', 'Tradurre il catalogo', 'fare una locandina per la fiera'), ('pt', 'Traduzir o catálogo', 'fazer um cartaz para a feira'),
  ('nl', 'Het kookboek vertalen', 'een poster voor de kermis maken'), ('ru', 'Перевести каталог', 'сделать плакат для ярмарки'),
  ('uk', 'Перекласти каталог', 'зробити плакат для ярмарку'), ('pl', 'Przetłumaczyć katalog', 'zrobić plakat na festyn'),
  ('cs', 'Přeložit katalog', 'udělat plakát na slavnost'), ('sv', 'Översätt katalogen', 'gör en affisch till festen'),
  ('tr', 'Kataloğu çevir', 'fuar için afiş hazırla'), ('zh', '翻译菜谱', '做一张海报'), ('ja', 'カタログを翻訳して', 'ポスターを作って'),
  ('ko', '카탈로그 번역', '포스터 만들기'), ('hi', 'catalogue ka anuvaad', 'mele ke liye poster'), ('vi', 'dịch catalogue', 'vẽ poster hội chợ'),
  ('id', 'terjemahkan katalog', 'bikin poster pameran'), ('ar', 'ترجمة الكتالوج', 'تصميم ملصق');
INSERT INTO named(lang, live, message, "is") SELECT 'en', 0, value, 'new' FROM json_each('["drop the cookbook, make the poster", "forget the cookbook", "drop the cookbook",
  "we don''t need the cookbook any more", "no need for the cookbook any more, poster please", "cancel the cookbook and start the poster", "stop the cookbook", "abandon the cookbook",
  "leave the cookbook, do the poster", "skip the cookbook", "pause the cookbook", "later for the cookbook", "put the cookbook aside", "cookbook later", "the cookbook can wait",
  "poster now, cookbook later", "cookbook''s finished, do the poster", "the cookbook is done", "do the poster now", "yes, the poster", "just make the poster", "I want the poster",
  "cancel the old one, do the new one", "drop that and do the poster", "not the cookbook", "never mind the cookbook", "drop everything and start fresh"]');
INSERT INTO named(lang, live, message, "is") SELECT 'en', 0, value, 'old' FROM json_each('["nothing new please", "forget the poster and go on", "drop the poster, go on with the cookbook",
  "cancel the new one, go on", "never mind, continue", "skip the poster for now", "the poster can wait", "poster later", "cookbook first", "poster later, cookbook first"]');
INSERT INTO named(lang, live, message, "is") SELECT 'en', l.value, m.value, 'back' FROM json_each('[0,1]') AS l, json_each('["forget the poster", "drop the poster", "cancel the poster", "never mind the poster",
  "no poster", "not the new one", "forget the request", "never mind", "forget it", "drop it"]') AS m;
INSERT INTO named(lang, live, message, "is") SELECT 'en', l.value, m.value, 'none' FROM json_each('[0,1]') AS l, json_each('["cancel both", "neither, stop", "abandon the cookbook and the poster", "drop everything", "stop all of it", "cancel it all", "drop both",
  "forget everything", "stop both"]') AS m;
-- A word that just stops ends a live run; without one it takes the request back.
INSERT INTO named(lang, live, message, "is") SELECT 'en', l.value, m.value, iif(l.value, 'none', 'back') FROM json_each('[0,1]') AS l, json_each('["stop", "/stop", "/cancel", "🛑", "stop it", "cancel",
  "abort", "停", "arrête", "やめて"]') AS m;
INSERT INTO named(lang, live, message, "is") SELECT 'en', 1, value, 'none' FROM json_each('["stop everything", "stop the run", "stop please", "halt"]');
-- A task or a request of which a word is "task" is not named by that word.
INSERT INTO tongue VALUES ('en, a task so called', 'new task: translate the cookbook', 'make a poster');
INSERT INTO named(lang, live, message, "is") VALUES ('en, a task so called', 0, 'discard the task', 'back'), ('en, a task so called', 1, 'discard the task', 'none'), ('en, a task so called', 0, 'discard the cookbook', 'new');
-- More is said than which of the two, nobody is named, or one is named that is neither.
INSERT INTO named(lang, live, message, "is") SELECT 'en', 0, value, 'ask' FROM json_each('["both", "not both", "no to both", "no thanks to both of them", "drop the curtain", "skip the picture", "the poster?", "drop the poster?", "drop the cookbook?",
  "don''t drop the poster", "don''t drop the cookbook"]');
INSERT INTO named(lang, live, message, "is") VALUES ('de', 0, 'vergiss das Kochbuch, mach das Plakat', 'new'), ('de', 0, 'lass das Kochbuch', 'new'), ('de', 0, 'das Kochbuch kann warten', 'new'),
  ('de', 0, 'vergiss das Plakat, mach weiter', 'old'), ('de', 0, 'das Plakat kann warten', 'old'), ('de', 0, 'kein Plakat', 'back'), ('de', 0, 'alles abbrechen', 'none'), ('de', 0, 'vergiss beides', 'none'),
  ('de', 0, 'beides', 'ask'), ('fr', 0, 'oublie le catalogue, fais l''affiche', 'new'), ('fr', 0, 'oublie cette affiche', 'back'), ('fr', 0, 'tout annuler', 'none'), ('fr', 0, 'annule tout', 'none'), ('fr', 0, 'les deux', 'ask'),
  ('es', 0, 'olvida el catálogo, haz el cartel', 'new'), ('es', 0, 'olvida el cartel', 'back'), ('es', 0, 'cancela todo', 'none'), ('es', 0, 'los dos', 'ask'),
  ('it', 0, 'lascia perdere il catalogo, fai la locandina', 'new'), ('it', 0, 'annulla la locandina', 'back'), ('it', 0, 'annulla tutto', 'none'), ('it', 0, 'entrambi', 'ask'),
  ('pt', 0, 'esquece o catálogo, faz o cartaz', 'new'), ('pt', 0, 'cancela o cartaz', 'back'), ('pt', 0, 'cancela tudo', 'none'), ('pt', 0, 'os dois', 'ask'),
  ('nl', 0, 'vergeet het kookboek, maak de poster', 'new'), ('nl', 0, 'vergeet de poster', 'back'), ('nl', 0, 'alles annuleren', 'none'), ('nl', 0, 'allebei', 'ask'),
  ('ru', 0, 'забудь каталог, сделай плакат', 'new'), ('ru', 0, 'отмени плакат', 'back'), ('ru', 0, 'отмени всё', 'none'), ('ru', 0, 'плакат потом', 'old'), ('ru', 0, 'оба', 'ask'),
  ('uk', 0, 'забудь каталог', 'new'), ('uk', 0, 'скасуй плакат', 'back'), ('uk', 0, 'скасуй усе', 'none'), ('pl', 0, 'anuluj katalog', 'new'), ('pl', 0, 'anuluj plakat', 'back'), ('pl', 0, 'anuluj wszystko', 'none'),
  ('cs', 0, 'zruš katalog', 'new'), ('cs', 0, 'zruš plakát', 'back'), ('cs', 0, 'zruš všechno', 'none'), ('sv', 0, 'glöm katalogen', 'new'), ('sv', 0, 'glöm affischen', 'back'), ('sv', 0, 'avbryt allt', 'none'),
  ('tr', 0, 'kataloğu iptal et', 'new'), ('tr', 0, 'afişi iptal et', 'back'), ('tr', 0, 'hepsini iptal et', 'none'), ('zh', 0, '取消旧的,做新的', 'new'), ('zh', 0, '取消新的,继续旧的', 'old'), ('zh', 0, '全部取消', 'none'),
  ('ja', 0, '古い方はやめて新しい方を始めて', 'new'), ('ja', 0, '全部やめて', 'none'), ('ko', 0, '이전 건 취소하고 새로 시작해', 'new'), ('ko', 0, '다 취소해', 'none'), ('ko', 0, '카탈로그 취소', 'new'), ('ko', 0, '포스터 취소', 'back'),
  ('hi', 0, 'sab cancel karo', 'none'), ('hi', 0, 'poster cancel karo', 'back'), ('hi', 0, 'catalogue chhodo', 'new'), ('vi', 0, 'hủy tất cả', 'none'), ('vi', 0, 'hủy poster', 'back'), ('vi', 0, 'hủy catalogue', 'new'),
  ('id', 0, 'batalkan semua', 'none'), ('id', 0, 'batalkan poster', 'back'), ('id', 0, 'batalkan katalog', 'new'), ('ar', 0, 'ألغ كل شيء', 'none');
SELECT count(session_start('named ' || n, task)) FROM named JOIN tongue USING (lang);
SELECT count(session_note('named ' || n, 'page 3')) FROM named;
CREATE TEMP TABLE run_under AS SELECT n, turn_begin('named ' || n, 'w', '{"messages":[{"role":"user","content":"go"}]}') ->> '$.turn' AS turn FROM named WHERE live;
SELECT count(session_deliver('named ' || n, held, '{"class":"NewTask"}')) FROM named JOIN tongue USING (lang);
CREATE TEMP TABLE came AS SELECT *, session_deliver('named ' || n, message) AS d FROM named;
SELECT lang || iif(live, ' live', '') || ': ' || message, CASE
    WHEN (SELECT pending_choice IS NOT NULL FROM sessions WHERE label = 'named ' || n) THEN 'ask'
    WHEN d ->> '$.action' = 'start' THEN 'new' WHEN d ->> '$.action' = 'abandon' THEN 'none' WHEN d ->> '$.action' = 'acknowledge' THEN 'back' ELSE 'old' END, "is" FROM came;
SELECT lang || ': ' || message || ': is the run stopped', (SELECT status <> 'running' FROM turns WHERE id = turn), "is" = 'none' FROM came JOIN run_under USING (n);
SELECT lang || ': ' || message || ': how the task ended', (SELECT commit_type FROM commits WHERE session_label = 'named ' || n), CASE "is" WHEN 'new' THEN 'InterruptedByNewTask' WHEN 'none' THEN 'Abandoned' END FROM came;
-- Words before a bare denial may be what is wanted: the request does not start, and they are kept.
CREATE TEMP TABLE contrast(n INTEGER PRIMARY KEY, lang, message);
INSERT INTO contrast(lang, message) VALUES ('en', 'red, not the cookbook'), ('en', 'blue, not the poster'), ('en', 'make it 7 pages, not the cookbook'), ('en', '7 minutes, not the cookbook'),
  ('en', 'red, no poster'), ('en', 'make it blue, not the poster'), ('de', 'blau, kein Kochbuch'), ('de', '7 Minuten, kein Plakat'), ('fr', 'rouge, pas le catalogue'),
  ('es', 'rojo, nada de catálogo'), ('it', 'rosso, niente locandina'), ('pt', 'azul, sem cartaz'), ('nl', 'rood, geen kookboek'), ('ru', 'красный, без каталога'),
  ('uk', 'синій, без каталогу'), ('pl', 'zielony, bez katalogu'), ('cs', 'modrý, bez katalogu'), ('sv', 'röd, ingen katalog');
SELECT count(session_start('contrast ' || n, task)) FROM contrast JOIN tongue USING (lang);
SELECT count(session_note('contrast ' || n, 'page 3')) FROM contrast;
SELECT count(session_deliver('contrast ' || n, held, '{"class":"NewTask"}')) FROM contrast JOIN tongue USING (lang);
CREATE TEMP TABLE contrast_came AS SELECT *, session_deliver('contrast ' || n, message) AS d FROM contrast;
SELECT lang || ': ' || message || ': neither starts the request nor takes it back', d ->> '$.action' IN ('start', 'abandon', 'acknowledge'), 0 FROM contrast_came;
SELECT lang || ': ' || message || ': is kept', ifnull(json_array_length(session_state('contrast ' || n) -> '$.pending_choice.earlier'), 0) = 1
    OR EXISTS (SELECT 1 FROM session_queue WHERE id = d ->> '$.queue_id' AND session_queue.message = contrast_came.message), 1 FROM contrast_came;
