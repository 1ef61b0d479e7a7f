-- correct.sql - delivery_correct: what was meant by a message, and what later ones are taken for.

SELECT turnstile_install();
SELECT turnstile_clock(1700000000000);
CREATE TEMP TABLE got(what, j);

SELECT session_start('s', 'Paint the doors');
SELECT session_note('s', 'bought paint');
SELECT session_deliver('s', 'Send ticket 17 to the garage team');
CREATE TEMP TABLE d AS SELECT max(id) AS id FROM deliveries;
SELECT 'taken for a change', (SELECT class FROM deliveries, d USING (id)), 'Modification';

---- Correcting

INSERT INTO got SELECT 'first', delivery_correct(id, 'NewTask') FROM d;
SELECT 'it says what was meant', (SELECT j FROM got WHERE what = 'first'), '{"delivery":1,"session":"s","class":"NewTask","was":"Modification","state":"Running"}';
SELECT 'it is on record', (SELECT corrected FROM deliveries, d USING (id)), 'NewTask';
SELECT 'what was decided stays', (SELECT class || action FROM deliveries, d USING (id)), 'Modificationcontinue';
SELECT 'and so does the task', (SELECT state FROM tasks), 'Running';
SELECT 'nobody else writes there', (SELECT count(*) FROM turnstile_meta WHERE key = 'unguarded'), 0;
SELECT 'nothing is wrong', (SELECT count(*) FROM turnstile_check), 0;

---- The same message in the same state

SELECT 'the same message is that', classify_message('Send ticket 17 to the garage team', 'Running'), 'NewTask';
SELECT 'whatever its case and its end', classify_message('  send TICKET 17 to the GARAGE team!!', 'Running'), 'NewTask';
SELECT 'in another state it is what it was', classify_message('Send ticket 17 to the garage team', 'Interrupted'), 'Modification';
SELECT 'another message is what it was', classify_message('make the doors blue', 'Running'), 'Modification';
SELECT 'evidence names the delivery', (SELECT e.value ->> '$.correction' FROM classify('send ticket 17 to the garage team', 'Running') AS c, json_each(c.evidence) AS e WHERE c.class = 'NewTask' AND e.value ->> '$.correction' IS NOT NULL), (SELECT id FROM d);
SELECT 'and adds up', (SELECT abs(score - (SELECT sum(value ->> 'weight') FROM json_each(evidence))) < 0.000001 FROM classify('send ticket 17 to the garage team', 'Running') LIMIT 1), 1;
SELECT 'it leads by four', (SELECT round(max(score) FILTER (WHERE class = 'NewTask') - max(score) FILTER (WHERE class <> 'NewTask'), 6) FROM classify('send ticket 17 to the garage team', 'Running')), 4.0;
SELECT 'a delivery is decided so', session_deliver('s', 'send ticket 17 to the garage team') ->> '$.kind', 'NewTaskChoice';
SELECT 'in any session', (SELECT session_start('other', 'x') || (session_deliver('other', 'send ticket 17 to the garage team') ->> '$.class')) LIKE '%NewTask', 1;
SELECT session_choose('s', 'continue') IS NOT NULL;

---- Similar ones: bounded

SELECT 'a similar one is nearer to it', (SELECT max(e.value ->> '$.weight') > 0 FROM classify('send ticket 18 to the garage team', 'Running') AS c, json_each(c.evidence) AS e WHERE c.class = 'NewTask' AND e.value ->> '$.correction' IS NOT NULL), 1;
SELECT 'by three at most', (SELECT max(e.value ->> '$.weight') <= 3 FROM classify('send ticket 18 to the garage team', 'Running') AS c, json_each(c.evidence) AS e WHERE e.value ->> '$.correction' IS NOT NULL), 1;
SELECT 'words in another order are similar', (SELECT count(*) FROM classify('to the garage team send ticket 17', 'Running') AS c, json_each(c.evidence) AS e WHERE e.value ->> '$.correction' IS NOT NULL), 1;
SELECT 'half of the words are not', (SELECT count(*) FROM classify('the garage team has ten paint buckets', 'Running') AS c, json_each(c.evidence) AS e WHERE e.value ->> '$.correction' IS NOT NULL), 0;

---- Again, and no longer

SELECT 'again replaces', delivery_correct(id, 'Clarification') ->> '$.class', 'Clarification' FROM d;
SELECT 'the same message follows', classify_message('Send ticket 17 to the garage team', 'Running'), 'Clarification';
SELECT 'the same once more changes nothing', delivery_correct(id, 'Clarification'), delivery_correct(id, 'Clarification') FROM d;
SELECT 'removed', delivery_correct(id, NULL) ->> '$.class', NULL FROM d;
SELECT 'what it was before', classify_message('Send ticket 17 to the garage team', 'Running'), 'Modification';
SELECT 'what was not there is removed as well', delivery_correct(id, NULL) ->> '$.class', NULL FROM d;

---- Within a transaction

BEGIN;
SELECT delivery_correct(id, 'Abandon') IS NOT NULL FROM d;
SELECT 'at once', classify_message('Send ticket 17 to the garage team', 'Running'), 'Abandon';
ROLLBACK;
SELECT 'rolled back it never was', classify_message('Send ticket 17 to the garage team', 'Running'), 'Modification';

---- A bare yes to a report

SELECT session_start('y', 'Paint the doors');
SELECT session_transition('y', 'PendingComplete', '{"summary":"The doors are blue."}');
SELECT session_deliver('y', 'ok then');
SELECT 'a yes completes', (SELECT action FROM deliveries ORDER BY id DESC LIMIT 1), 'complete';
SELECT delivery_correct((SELECT max(id) FROM deliveries), 'Modification');
SELECT session_start('y', 'Paint the doors');
SELECT session_transition('y', 'PendingComplete', '{"summary":"The doors are blue."}');
SELECT 'unless it meant something else here', session_deliver('y', 'OK then') ->> '$.action', 'continue';

---- With a floor a corrected message is no guess, and nobody is asked

SELECT turnstile_config('classify_floor', 1);
SELECT turnstile_config('classify_below', 'ask');
SELECT session_transition('y', 'PendingComplete', '{"summary":"The doors are green."}');
SELECT 'corrected is sure', session_deliver('y', 'OK then') ->> '$.action', 'continue';
SELECT turnstile_config('classify_floor', 0);

---- Hostile texts: no pattern is made of them

SELECT session_deliver('s', '(a+)+$ .* [^ \Q (?R) ^^^^ {1,99999} ((((((((((');
SELECT 'a text like a pattern', delivery_correct((SELECT max(id) FROM deliveries), 'Unclear') ->> '$.class', 'Unclear';
SELECT 'it is that text alone', classify_message('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab', 'Running') <> 'Unclear' OR 1, 1;
SELECT session_deliver('s', replace(hex(zeroblob(20000)), '00', 'word ') || 'the end');
SELECT 'a long one', delivery_correct((SELECT max(id) FROM deliveries), 'NewTask') ->> '$.class', 'NewTask';
SELECT 'counts with its beginning', classify_message(replace(hex(zeroblob(20000)), '00', 'word ') || 'the other end', 'Running'), 'NewTask';
SELECT delivery_correct((SELECT max(id) FROM deliveries), NULL) IS NOT NULL;

-- more corrections than count: the newest 500
WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 510)
INSERT INTO turnstile(command, args) SELECT 'session_deliver', json_array('many', 'crate ' || n || ' belongs to nobody', json('{"class":"Modification"}')) FROM i;
INSERT INTO turnstile(command, args) SELECT 'delivery_correct', json_array(id, 'NewTask') FROM deliveries WHERE session_label = 'many';
SELECT 'the newest counts', (SELECT count(*) FROM classify('crate 510 belongs to nobody', 'Running') AS c, json_each(c.evidence) AS e WHERE e.value ->> '$.correction' = (SELECT max(id) FROM deliveries)), 1;
SELECT 'the oldest is that of another one by now', (SELECT max(e.value ->> '$.weight') <= 3 FROM classify('crate 2 belongs to nobody', 'Running') AS c, json_each(c.evidence) AS e WHERE e.value ->> '$.correction' IS NOT NULL), 1;
SELECT session_delete('many', '{"force":1}') ->> '$.deliveries';
SELECT 'with its session a correction goes', (SELECT count(*) FROM classify('crate 510 belongs to nobody', 'Running') AS c, json_each(c.evidence) AS e WHERE e.value ->> '$.correction' IS NOT NULL), 0;

---- To another session, as a document

SELECT session_start('h', 'Paint the doors');
SELECT session_deliver('h', 'put the parcel into hall four');
SELECT delivery_correct((SELECT max(id) FROM deliveries), 'Clarification') IS NOT NULL;
CREATE TEMP TABLE doc AS SELECT session_export('h') AS j;
SELECT 'it is in the document', (SELECT count(*) FROM doc WHERE j LIKE '%"corrected":"Clarification"%'), 1;
SELECT session_delete('h', '{"force":1}') IS NOT NULL;
SELECT 'gone with its session', classify_message('put the parcel into hall four', 'Running'), 'Modification';
SELECT session_import((SELECT j FROM doc)) IS NOT NULL;
SELECT 'back with it', (SELECT corrected FROM deliveries WHERE session_label = 'h'), 'Clarification';
SELECT 'it counts there', session_deliver('h', 'put the parcel into hall four') ->> '$.class', 'Clarification';
SELECT 'and nowhere else: an import changes nobody else''s ear', session_deliver('s', 'put the parcel into hall four') ->> '$.class', 'Modification';
SELECT 'nor what the file as a whole says', classify_message('put the parcel into hall four', 'Running'), 'Modification';

---- What is said beside an address and a name is what was meant

SELECT turnstile_config('names', 'Alma, alma_bot', '{"session":"room"}');
CREATE TEMP TABLE called(n INTEGER PRIMARY KEY, said, later, class);
INSERT INTO called(said, later, class) VALUES
  ('Alma: zip one two three', 'zip one two three', 'Confirmation'),
  ('zap two three four', '@alma_bot zap two three four', 'Confirmation'),
  ('hey Alma, zup three four five', '[Alma] zup three four five', 'Confirmation'),
  ('zop four five six, Alma', 'Alma, zop four five six', 'Confirmation'),
  ('/cancel zip', '!stop zip', 'Clarification'),
  ('zep five six seven', 'Alma: zep five six seven!', 'Confirmation'),
  ('@bob zyp six seven eight', 'zyp six seven eight', 'no Confirmation'),
  ('zyb seven eight nine', '@bob zyb seven eight nine', 'no Confirmation');
INSERT INTO turnstile(command, args) SELECT 'session_start', json_array('room', 'Paint the doors');
INSERT INTO turnstile(command, args) SELECT c.value, json_array('room', iif(c.key, n.said, 'PendingComplete'), iif(c.key, NULL, json('{"summary":"Blue."}')))
  FROM called AS n, json_each('["session_transition","session_deliver"]') AS c ORDER BY n, c.key;
CREATE TEMP TABLE told AS SELECT n, said, (SELECT max(id) FROM deliveries WHERE session_label = 'room' AND message = said) AS id FROM called;
SELECT 'taken for something else: ' || said, (SELECT class <> iif(called.class = 'Clarification', 'Clarification', 'Confirmation') FROM deliveries WHERE id = told.id), 1 FROM told JOIN called USING (n, said);
SELECT delivery_correct(id, iif(n = 5, 'Clarification', 'Confirmation')) IS NOT NULL FROM told;
CREATE TEMP TABLE heard(n, class, action);
CREATE TEMP TRIGGER hears AFTER INSERT ON heard BEGIN
  INSERT INTO turnstile(command, args) SELECT 'session_start', json_array('room', 'Paint the doors')
    WHERE (SELECT open_task_id FROM sessions WHERE label = 'room') IS NULL;
  INSERT INTO turnstile(command, args) VALUES ('session_transition', json_array('room', 'PendingComplete', json('{"summary":"Blue."}')));
  INSERT INTO turnstile(command, args) SELECT 'session_deliver', json_array('room', later) FROM called WHERE n = new.n;
  UPDATE heard SET (class, action) = (SELECT class, action FROM deliveries ORDER BY id DESC LIMIT 1) WHERE n = new.n;
END;
INSERT INTO heard(n) SELECT n FROM called ORDER BY n;
SELECT said || ' teaches ' || later, (SELECT iif(called.n > 6 AND class <> 'Confirmation', 'no Confirmation', class) FROM heard WHERE heard.n = called.n), class FROM called;
SELECT 'what is said to Bob ends nothing here', (SELECT count(*) FROM heard WHERE n > 6 AND action IN ('continue', 'start', 'prompt', 'answer')), 2;
SELECT 'without a session a name is a word', classify_message('Alma: zip one two three', 'PendingComplete') <> 'Confirmation', 1;
SELECT 'a name that the session has no longer', turnstile_config('names', 'Berta', '{"session":"room"}'), 'Berta';
SELECT 'is a word of what was said', classify_message('zip one two three', 'PendingComplete') <> 'Confirmation', 1;
SELECT 'which counts', classify_message('Alma: zip one two three', 'PendingComplete'), 'Confirmation';
SELECT turnstile_config('names', NULL, '{"session":"room","reset":1}');
SELECT turnstile_config('names', 'Alma');
SELECT 'one for all sessions', classify_message('zip one two three', 'PendingComplete'), 'Confirmation';
SELECT turnstile_config('names', NULL, '{"reset":1}');
SELECT 'and none', classify_message('zip one two three', 'PendingComplete') <> 'Confirmation', 1;
SELECT session_delete('room', '{"force":1}') IS NOT NULL;

---- Wrong calls

SELECT session_deliver('s', 'tick', '{"source":"timer"}') IS NOT NULL;
SELECT 'of a timer', error_of('SELECT delivery_correct((SELECT max(id) FROM deliveries), ''NewTask'')'), 'delivery_correct: delivery ' || (SELECT max(id) FROM deliveries) || ' is from ''timer''; only a user''s message means a class';
SELECT 'of none', error_of('SELECT delivery_correct(99999, ''NewTask'')'), 'delivery_correct: there is no delivery 99999';
SELECT 'no class', error_of('SELECT delivery_correct(1, ''yes'')'), 'delivery_correct: class is ''yes''; it must be one of: Response, Modification, Confirmation, Abandon, NewTask, Clarification, Unclear';
SELECT 'by plain SQL', error_of('UPDATE deliveries SET corrected = ''NewTask'''), 'deliveries: append-only';
SELECT 'nothing is wrong at the end', (SELECT count(*) FROM turnstile_check), 0;
