-- inbound.sql - what happens to a message around its class: sources, duplicates, the session's
-- status, handing over and cancelling, and messages of every sort.

SELECT turnstile_install();
SELECT turnstile_config('keeps_turns', 0); -- the hosts of these stories keep no turns
SELECT turnstile_clock(2000000);

---- New sessions

SELECT 'an unknown label makes a session',
       json_extract(session_deliver('fresh', 'add retries', '{"class":"NewTask","persona":"p7"}'),
                    '$.action', '$.session'), '["start","fresh"]';
SELECT 'with what was told of it',
       (SELECT json_array(status, persona_id, origin, created_at) FROM sessions WHERE label = 'fresh'),
       '["active","p7","user",2000000]';
SELECT 'a persona does not change an old session',
       (session_deliver('fresh', 'and log', '{"class":"Modification","persona":"p8"}') ->> '$.action')
       || ' ' || (SELECT persona_id FROM sessions WHERE label = 'fresh'), 'continue p7';
SELECT 'a webhook makes a session of the system',
       (session_deliver('hooked', 'deployed', '{"source":"webhook"}') ->> '$.action')
       || ' ' || (SELECT origin FROM sessions WHERE label = 'hooked'), 'continue system';

---- Sources other than user: no class, no task, no choice, no staleness, no activity

INSERT INTO turnstile VALUES ('session_start', '["timed","add retries"]'),
  ('session_note', '["timed","read"]');
CREATE TEMP TABLE source(name);
INSERT INTO source VALUES ('agent'), ('timer'), ('webhook'), ('system');
SELECT turnstile_clock(2000000 + 60 * 86400000);
SELECT name || ': handed over as it is',
       json_extract(session_deliver('timed', 'beat ' || name, json_object('source', name)),
                    '$.action', '$.class', '$.state', '$.previous_state'),
       '["continue",null,"Running","Running"]' FROM source;
SELECT name || ': creates no task',
       json_extract(session_deliver('idle ' || name, 'beat', json_object('source', name)),
                    '$.action', '$.state', '$.task_id'), '["continue","None",null]' FROM source;
SELECT 'no prompt and no commit for them',
       (SELECT json_array(pending_choice, (SELECT count(*) FROM commits)) FROM sessions WHERE label = 'timed'),
       '[null,0]';
SELECT 'they are no activity', (SELECT last_activity FROM sessions WHERE label = 'timed'), 2000000;
SELECT 'they are inputs, in order',
       (SELECT group_concat(source || ':' || message) FROM
          (SELECT * FROM session_queue WHERE session_label = 'timed' ORDER BY id)),
       'agent:beat agent,timer:beat timer,webhook:beat webhook,system:beat system';
SELECT 'a class is of no use to a timer',
       session_deliver('timed', 'x', '{"source":"timer","class":"Abandon"}') ->> '$.action', 'continue';
INSERT INTO turnstile VALUES ('session_note', '["timed","beat done"]'), ('session_flush', '["timed"]');
SELECT 'work on a timer''s behalf is no activity',
       (SELECT last_activity FROM sessions WHERE label = 'timed'), 2000000;
SELECT turnstile_clock(2000000);
INSERT INTO turnstile VALUES ('session_deliver', '["timed","and log",{"class":"Modification"}]'),
  ('session_note', '["timed","log",{"now":2500000}]');
SELECT 'work on a user''s behalf is',
       (SELECT last_activity FROM sessions WHERE label = 'timed'), 2500000;

---- message_id: once per session, channel and sender

SELECT 'the first time',
       session_deliver('dup', 'add retries',
         '{"message_id":"m1","channel":"wa","sender":"u1","class":"NewTask"}') ->> '$.duplicate', NULL;
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT 'the second time',
       json_extract(session_deliver('dup', 'add retries', '{"message_id":"m1","channel":"wa","sender":"u1"}'),
                    '$.duplicate', '$.action', '$.first.action', '$.conflict'),
       '[true,"duplicate","start",null]';
SELECT 'with another text',
       json_extract(session_deliver('dup', 'add more',
                      '{"message_id":"m1","channel":"wa","sender":"u1","class":"Abandon"}'),
                    '$.duplicate', '$.action', '$.first.action', '$.conflict'),
       '[true,"duplicate","start",true]';
SELECT 'duplicate is a JSON true',
       session_deliver('dup', 'add retries', '{"message_id":"m1","channel":"wa","sender":"u1"}')
         -> '$.duplicate', 'true';
SELECT 'long afterwards',
       session_deliver('dup', 'add retries',
         '{"message_id":"m1","channel":"wa","sender":"u1","now":99999999999}') ->> '$.duplicate', 1;
SELECT 'from another source',
       session_deliver('dup', 'add retries',
         '{"message_id":"m1","channel":"wa","sender":"u1","source":"timer"}') ->> '$.duplicate', 1;
SELECT 'the other text is not lost', (SELECT json_array(reason, since, detail) FROM session_attention
  WHERE session_label = 'dup'), (SELECT json_array('refused_input', last_activity,
  '1 refused (message_id), the last from user: add more') FROM sessions WHERE label = 'dup');
SELECT session_reopen('dup');
SELECT 'duplicates change nothing', dump_of() = d, 1 FROM was;
SELECT 'the first decision stands inside, whole',
       session_deliver('dup', 'other', '{"message_id":"m1","channel":"wa","sender":"u1"}') -> '$.first'
         = (SELECT json(decision) FROM deliveries WHERE session_label = 'dup'), 1;
SELECT 'and nothing else outside but where it belongs',
       json_remove(session_deliver('dup', 'other', '{"message_id":"m1","channel":"wa","sender":"u1"}'),
                   '$.first'),
       '{"action":"duplicate","session":"dup","duplicate":true,"conflict":true}';
SELECT 'another channel is another message',
       session_deliver('dup', 'x', '{"message_id":"m1","channel":"tg","sender":"u1","class":"Modification"}')
         ->> '$.duplicate', NULL;
SELECT 'another sender is another message',
       session_deliver('dup', 'x', '{"message_id":"m1","channel":"wa","sender":"u2","class":"Modification"}')
         ->> '$.duplicate', NULL;
SELECT 'another session is another message',
       session_deliver('dup2', 'x', '{"message_id":"m1","channel":"wa","sender":"u1","class":"NewTask"}')
         ->> '$.duplicate', NULL;
SELECT 'neither channel nor sender',
       session_deliver('dup', 'x', '{"message_id":"m1","class":"Modification"}') ->> '$.duplicate', NULL;
SELECT 'neither channel nor sender, again',
       session_deliver('dup', 'x', '{"message_id":"m1"}') ->> '$.duplicate', 1;
INSERT INTO turnstile VALUES ('session_deliver', '["dup","same",{"class":"Modification"}]');
SELECT 'without an id nothing is a duplicate',
       session_deliver('dup', 'same', '{"class":"Modification"}') ->> '$.duplicate', NULL;

---- Status

INSERT INTO turnstile VALUES ('session_start', '["status","add retries"]');
UPDATE sessions SET status = 'suspended' WHERE label = 'status';
SELECT 'suspended resumes, and says so',
       json_extract(session_deliver('status', 'go on', '{"class":"Modification"}'), '$.action', '$.notes[0]'),
       '["continue","Session resumed from suspended"]';
SELECT 'suspended: active again', (SELECT status FROM sessions WHERE label = 'status'), 'active';
SELECT 'suspended: with an event',
       (SELECT from_state || '>' || to_state FROM session_events
        WHERE session_label = 'status' AND axis = 'status' ORDER BY id DESC LIMIT 1), 'suspended>active';

UPDATE sessions SET status = 'archived', archived_at = 2000000 WHERE label = 'status';
SELECT 'archived: a timer waits',
       session_deliver('status', 'beat', '{"source":"timer"}') ->> '$.action', 'queue';
SELECT 'archived: and does not reopen', (SELECT status FROM sessions WHERE label = 'status'), 'archived';
SELECT 'archived: a user reopens, and takes what waited first',
       json_extract(session_deliver('status', 'and also log', '{"class":"Modification"}'),
                    '$.action', '$.inputs[0].message', '$.inputs[1].message'),
       '["continue","beat","and also log"]';
SELECT 'archived: active again',
       (SELECT json_array(status, archived_at) FROM sessions WHERE label = 'status'), '["active",null]';
SELECT 'archived: with an event',
       (SELECT from_state || '>' || to_state FROM session_events
        WHERE session_label = 'status' AND axis = 'status' ORDER BY id DESC LIMIT 1), 'archived>active';

UPDATE sessions SET status = 'archived', archived_at = 2000000 WHERE label = 'status';
SELECT turnstile_config('on_archived', 'reject');
DELETE FROM was;
INSERT INTO was SELECT dump_of();
SELECT 'on_archived = reject',
       session_deliver('status', 'hello', '{"message_id":"r1"}') ->> '$.action', 'rejected';
SELECT 'it shows', (SELECT refused FROM session_overview WHERE label = 'status') || ' ' ||
  (SELECT detail FROM session_attention WHERE session_label = 'status' AND reason = 'refused_input'),
  '1 1 refused (archived), the last from user: hello';
UPDATE sessions SET refused = NULL WHERE label = 'status';
SELECT 'a refused message changes nothing else', dump_of() = d, 1 FROM was;
SELECT turnstile_config('on_archived', NULL, '{"reset":1}');
SELECT 'a refused message can come again',
       json_extract(session_deliver('status', 'hello', '{"message_id":"r1","class":"Clarification"}'),
                    '$.action', '$.duplicate'), '["answer",null]';

UPDATE sessions SET status = 'error', status_reason = 'crashed' WHERE label = 'status';
SELECT 'error: blocked, unclassified',
       json_extract(session_deliver('status', 'also handle timeouts', '{"class":"Abandon","message_id":"b1"}'),
                    '$.action', '$.class', '$.state'), '["blocked",null,"Running"]';
SELECT 'error: blocks timers', session_deliver('status', 'beat', '{"source":"timer"}') ->> '$.action', 'blocked';
SELECT 'error: blocks /compact', session_deliver('status', '/compact') ->> '$.action', 'blocked';
SELECT 'error: a duplicate is known',
       json_extract(session_deliver('status', 'also handle timeouts', '{"message_id":"b1"}'), '$.first.action', '$.duplicate'),
       '["blocked",true]';
SELECT 'error: they wait in order',
       (SELECT group_concat(message || ' ' || ifnull(class, '-'), ', ') FROM
          (SELECT * FROM session_queue WHERE session_label = 'status' AND status = 'pending' ORDER BY id)),
       'also handle timeouts -, beat -, /compact -';
SELECT 'error: recover shows what waits',
       session_recover('status') ->> '$.queued[0].message', 'also handle timeouts';
SELECT 'error: the status stays', (SELECT status FROM sessions WHERE label = 'status'), 'error';
SELECT 'error: starting a task is refused',
       error_of('SELECT session_start(''status'', ''x'')') LIKE 'session_start: %error%', 1;
UPDATE sessions SET status = 'active', status_reason = NULL WHERE label = 'status';
CREATE TEMP TABLE taken AS
  SELECT session_deliver('status', 'then log it', '{"class":"Modification"}') AS decision;
SELECT 'error: taken in order with the next message',
       (SELECT group_concat(value ->> '$.message', ' | ') FROM taken, json_each(decision, '$.inputs')),
       'also handle timeouts | beat | /compact | then log it';
SELECT 'error: classified when taken',
       (SELECT class FROM session_queue WHERE session_label = 'status' AND message = 'also handle timeouts'),
       'Modification';

SELECT turnstile_clock(1000000);
INSERT INTO turnstile VALUES ('session_deliver', '["filed","hi",{"class":"Clarification","message_id":"f1"}]');
UPDATE sessions SET status = 'archived', archived_at = 1000000 WHERE label = 'filed';
SELECT 'archived: a duplicate reopens nothing',
       (session_deliver('filed', 'hi', '{"message_id":"f1"}') ->> '$.duplicate')
       || (SELECT status FROM sessions WHERE label = 'filed'), '1archived';

---- What waited comes before what came later, whatever the later message leads to

CREATE TEMP TABLE later(label, ms, answer);
INSERT INTO later VALUES ('later soon', 3600000, NULL), ('later stale', 25 * 3600000, 'A'), ('later saved', 8 * 86400000, NULL),
  ('later choice', 3600000, 'A');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM later;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read') FROM later;
UPDATE sessions SET status = 'error' WHERE label LIKE 'later %';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'make it five', json('{"class":"Modification"}')) FROM later;
UPDATE sessions SET status = 'active' WHERE label LIKE 'later %';
INSERT INTO turnstile
  SELECT 'session_deliver', json_array(label, 'and log them',
           json_object('class', iif(label = 'later choice', 'Unclear', 'Modification'), 'now', 1000000 + ms)) FROM later;
INSERT INTO turnstile
  SELECT 'session_deliver', json_array(label, answer, json_object('now', 1000000 + ms + 1000)) FROM later WHERE answer IS NOT NULL;
INSERT INTO turnstile
  SELECT 'session_deliver', json_array(label, 'last of all', json_object('class', 'Modification', 'now', 1000000 + ms + 2000)) FROM later;
SELECT label || ': each is handed over once, in the order in which they came',
       (SELECT group_concat(message, ' | ') FROM
         (SELECT message FROM session_queue WHERE session_label = label AND status IN ('handed', 'delivered')
          ORDER BY ifnull(delivered_at, 9e15), id)), 'make it five | and log them | last of all' FROM later;
SELECT turnstile_clock(2000000);

---- Handing over

INSERT INTO turnstile VALUES ('session_deliver', '["hand","add retries",{"class":"NewTask"}]');
CREATE TEMP VIEW hand AS SELECT group_concat(status) AS statuses FROM
  (SELECT status FROM session_queue WHERE session_label = 'hand' ORDER BY id);
SELECT 'handed until somebody works on it', statuses, 'handed' FROM hand;
INSERT INTO turnstile VALUES ('session_deliver', '["hand","five of them",{"class":"Modification"}]');
SELECT 'the next handed delivery takes it up', statuses, 'delivered,handed' FROM hand;
INSERT INTO turnstile VALUES ('session_deliver', '["hand","thanks",{"class":"Confirmation"}]');
SELECT 'an acknowledgement does not', statuses, 'delivered,handed' FROM hand;
INSERT INTO turnstile VALUES ('session_note', '["hand","read"]'), ('session_flush', '["hand"]');
SELECT 'a flush takes it up', statuses, 'delivered,delivered' FROM hand;
INSERT INTO turnstile VALUES ('session_deliver', '["hand","and log",{"class":"Modification"}]'),
  ('session_transition', '["hand","AwaitingUser",{"question":"Where to?"}]');
SELECT 'a transition takes it up', statuses, 'delivered,delivered,delivered' FROM hand;
INSERT INTO turnstile VALUES ('session_deliver', '["hand","what do you mean?",{"class":"Clarification"}]');
SELECT 'recover shows what nobody took up',
       session_recover('hand') ->> '$.handed[0].message', 'what do you mean?';
SELECT 'reading takes nothing up', statuses, 'delivered,delivered,delivered,handed' FROM hand;
SELECT 'when it was taken up',
       (SELECT group_concat(ifnull(delivered_at, 0)) FROM
         (SELECT * FROM session_queue WHERE session_label = 'hand' ORDER BY id)), '2000000,2000000,2000000,0';
SELECT 'every row names its delivery', (SELECT count(*) FROM session_queue WHERE delivery_id IS NULL), 0;

---- Abandon cancels what its sender has waiting

INSERT INTO turnstile VALUES ('session_start', '["cancel","add retries"]'),
  ('session_note', '["cancel","read"]');
UPDATE sessions SET status = 'error' WHERE label = 'cancel';
INSERT INTO turnstile VALUES
  ('session_deliver', '["cancel","one",{"channel":"wa","sender":"u1"}]'),
  ('session_deliver', '["cancel","two",{"channel":"wa","sender":"u2"}]'),
  ('session_deliver', '["cancel","three",{"channel":"tg","sender":"u1"}]'),
  ('session_deliver', '["cancel","beat",{"channel":"wa","sender":"u1","source":"timer"}]');
UPDATE sessions SET status = 'active' WHERE label = 'cancel';
CREATE TEMP TABLE cancelled AS
  SELECT session_deliver('cancel', 'stop everything', '{"class":"Abandon","channel":"wa","sender":"u1"}')
    AS decision;
SELECT 'the task is abandoned', decision ->> '$.action', 'abandon' FROM cancelled;
SELECT 'only that sender''s own messages are cancelled',
       (SELECT group_concat(message) FROM session_queue WHERE session_label = 'cancel' AND status = 'cancelled'),
       'one';
SELECT 'they are listed in the decision',
       (SELECT group_concat(value ->> '$.message') FROM cancelled, json_each(decision, '$.cancelled')), 'one';
SELECT 'the others are not lost',
       (SELECT group_concat(message) FROM session_queue
        WHERE session_label = 'cancel' AND status <> 'cancelled'), 'two,three,beat';

---- Messages of every sort

SELECT 'empty', error_of('SELECT session_deliver(''odd'', '''')') LIKE 'session_deliver: message is empty%', 1;
SELECT 'blank', error_of('SELECT session_deliver(''odd'', ''  '' || char(9, 10, 13))')
         LIKE 'session_deliver: message is empty%', 1;
SELECT 'NULL', error_of('SELECT session_deliver(''odd'', NULL)'), 'session_deliver: message is missing';
SELECT 'a BLOB', error_of('SELECT session_deliver(''odd'', x''6869'')'),
       'session_deliver: message must be text, not a BLOB';
SELECT 'a number', error_of('SELECT session_deliver(''odd'', 42)'),
       'session_deliver: message must be text, not an integer';
SELECT 'nothing of that made a session', (SELECT count(*) FROM sessions WHERE label = 'odd'), 0;
SELECT 'a byte over a MiB', error_of('SELECT session_deliver(''odd'', printf(''%.1048577c'', ''x''))')
         LIKE 'session_deliver: message is 1048577 bytes long%1048576%', 1;
SELECT 'a MiB', session_deliver('odd', printf('%.1048576c', 'x'), '{"class":"NewTask"}') ->> '$.action', 'start';
SELECT 'a MiB is kept in full', (SELECT length(message) FROM deliveries WHERE session_label = 'odd'), 1048576;
SELECT 'a MiB that the classifier looks at',
       session_deliver('odd', printf('%.1048570c', 'x') || ' stop') ->> '$.action' IS NOT NULL, 1;
INSERT INTO turnstile VALUES ('session_compact', '["odd","done"]'), ('session_start', '["odd","odd things"]');
SELECT turnstile_config('max_message_bytes', 10, '{"session":"short"}');
SELECT 'the limit is a setting', error_of('SELECT session_deliver(''short'', ''eleven byte'')')
         LIKE '%max_message_bytes%10%', 1;
SELECT 'the limit counts bytes', error_of('SELECT session_deliver(''short'', ''äöüäöü'')') LIKE '%12 bytes%', 1;
SELECT 'the limit is that session''s',
       session_deliver('odd', 'eleven byte', '{"class":"Modification"}') ->> '$.action', 'continue';
CREATE TEMP VIEW last AS
  SELECT message FROM deliveries WHERE session_label = 'odd' ORDER BY id DESC LIMIT 1;
SELECT 'a NUL',
       session_deliver('odd', CAST(x'610062' AS TEXT), '{"class":"Modification"}') ->> '$.action', 'continue';
SELECT 'a NUL becomes the replacement character', message, 'a' || char(65533) || 'b' FROM last;
SELECT 'bytes that are no UTF-8',
       session_deliver('odd', CAST(x'ff68e4f6' AS TEXT), '{"class":"Modification"}') ->> '$.action', 'continue';
SELECT 'they are replaced one by one', message, char(65533) || 'h' || char(65533, 65533) FROM last;
SELECT 'a surrogate, an overlong byte, a value past the last',
       session_deliver('odd', CAST(x'78eda080c0aff490808078' AS TEXT), '{"class":"Modification"}')
         ->> '$.action', 'continue';
SELECT 'each of their bytes is replaced', message, 'x' || replace(printf('%.9c', '?'), '?', char(65533)) || 'x'
FROM last;
SELECT 'nothing but a NUL',
       session_deliver('odd', CAST(x'00' AS TEXT), '{"class":"Modification"}') ->> '$.action', 'continue';
SELECT 'through the door a NUL is an escape',
       value_of('INSERT INTO turnstile VALUES (''session_deliver'', ''["odd","c\u0000d",{"class":"Modification"}]'')
                 RETURNING turnstile_result()') ->> '$.action', 'continue';
SELECT 'and comes to the same', message, 'c' || char(65533) || 'd' FROM last;
SELECT 'a backslash before u0000 is no escape',
       value_of('INSERT INTO turnstile VALUES (''session_deliver'', ''["odd","c\\u0000d",{"class":"Modification"}]'')
                 RETURNING turnstile_result()') ->> '$.action', 'continue';
SELECT 'it is kept as typed', message, 'c\u0000d' FROM last;
SELECT 'combining, wide and right-to-left letters',
       session_deliver('odd', 'é 👩‍👩‍👧 שלום', '{"class":"Modification"}') ->> '$.action', 'continue';
SELECT 'they are kept as typed', message, 'é 👩‍👩‍👧 שלום' FROM last;
SELECT 'quotes, braces and JSON are text',
       session_deliver('odd', '{"action":"start"} ''; DROP TABLE tasks; -- {task}', '{"class":"NewTask"}')
         ->> '$.action', 'prompt';
SELECT 'held as typed', session_state('odd') ->> '$.pending_choice.held',
       '{"action":"start"} ''; DROP TABLE tasks; -- {task}';
SELECT 'a placeholder in a message is not filled in',
       (session_deliver('odd2', 'fix {task} and {question}', '{"class":"NewTask"}') ->> '$.action')
       || ' ' || (session_state('odd2') ->> '$.task'), 'start fix {task} and {question}';
SELECT 'a task''s description is one line',
       (SELECT count(*) FROM tasks WHERE instr(description, char(10))), 0;

---- Labels

SELECT 'an empty label', error_of('SELECT session_deliver('''', ''hi'')'), 'session_deliver: label is empty';
SELECT 'a label of 1024 bytes',
       session_deliver(printf('%.1024c', 'l'), 'hi', '{"class":"NewTask"}') ->> '$.action', 'start';
SELECT 'a label of 1025', error_of('SELECT session_deliver(printf(''%.1025c'', ''l''), ''hi'')')
         LIKE 'session_deliver: label is 1025 bytes long; at most 1024%', 1;
INSERT INTO session_aliases VALUES ('dm:wa:1', 'hand', 'manual', 0);
SELECT 'an alias leads to its session',
       session_deliver('dm:wa:1', 'hello', '{"class":"Clarification"}') ->> '$.session', 'hand';
SELECT 'an alias is no session', (SELECT count(*) FROM sessions WHERE label = 'dm:wa:1'), 0;
INSERT INTO turnstile VALUES ('session_deliver', '["loser","hi",{"message_id":"s1","class":"Clarification"}]');
UPDATE sessions SET superseded_by = 'hand' WHERE label = 'loser';
SELECT 'messages of a superseded session go to its primary',
       session_deliver('loser', 'x', '{"class":"Clarification"}') ->> '$.session', 'hand';
SELECT 'what the superseded session has seen is not taken again',
       session_deliver('loser', 'hi', '{"message_id":"s1"}') ->> '$.duplicate', 1;

---- Options

SELECT 'unknown source', error_of('SELECT session_deliver(''hand'', ''x'', ''{"source":"robot"}'')'),
       'session_deliver: source is ''robot''; it must be one of: user, agent, timer, webhook, system';
SELECT 'unknown class', error_of('SELECT session_deliver(''hand'', ''x'', ''{"class":"Maybe"}'')')
         LIKE 'session_deliver: class is ''Maybe''; it must be one of: Response, %', 1;
SELECT 'unknown mode', error_of('SELECT session_deliver(''hand'', ''x'', ''{"mode":"fast"}'')')
         LIKE 'session_deliver: mode is ''fast''; it must be one of: queue, %', 1;
SELECT 'unknown option', error_of('SELECT session_deliver(''hand'', ''x'', ''{"colour":"red"}'')')
         LIKE 'session_deliver: unknown option ''colour''%message_id%', 1;
CREATE TEMP TABLE mode(name);
INSERT INTO mode VALUES ('queue'), ('followup'), ('collect'), ('steer'), ('steer-backlog'), ('interrupt');
SELECT 'mode ' || name,
       session_deliver('hand', 'x', json_object('class', 'Clarification', 'mode', name)) ->> '$.action', 'answer'
FROM mode;

---- Every record stands

SELECT 'event ids have no gaps', (SELECT count(*) FROM session_events),
       (SELECT max(id) FROM session_events);
SELECT 'every decision is JSON with its action',
       (SELECT count(*) FROM deliveries WHERE action IS NOT decision ->> '$.action'), 0;
SELECT 'no message is lost',
       (SELECT count(*) FROM deliveries AS d
        WHERE action IN ('start', 'continue', 'answer', 'compact', 'queue', 'blocked')
          AND message <> 'A' -- which answered a choice
          AND NOT EXISTS (SELECT 1 FROM session_queue AS q WHERE q.delivery_id = d.id)), 0;
