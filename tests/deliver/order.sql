-- order.sql - what was said first is handed over first, however a choice closes: the table of all ways in
-- which one does, behind an input that waits for its time and behind a live run, and what was said meanwhile;
-- before all that what was put first, or interrupts.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

CREATE TEMP TABLE way(way, at, sql); -- at: ms after the choice
INSERT INTO way VALUES
  ('compact', 0, 'SELECT session_compact(%Q, ''done'')'),
  ('complete', 0, 'SELECT session_transition(%Q, ''PendingComplete'', ''{"summary":"s"}'') || session_transition(%1$Q, ''Complete'')'),
  ('aborted', 0, 'SELECT session_transition(%Q, ''Aborted'', ''{"reason":"no"}'')'),
  ('abandon', 0, 'SELECT session_deliver(%Q, ''forget it'', ''{"class":"Abandon","sender":"zoe"}'')'),
  ('continue', 0, 'SELECT session_choose(%Q, ''continue'')'),
  ('start fresh', 0, 'SELECT session_choose(%Q, ''start_fresh'')'),
  ('answer', 0, 'SELECT session_deliver(%Q, ''B'')'),
  ('archive', 0, 'SELECT session_archive(%Q, ''{"force":1}'') || session_unarchive(%1$Q) || session_choose(%1$Q, ''continue'')'),
  ('rewind', 0, 'SELECT session_rewind(%Q, NULL)'),
  ('recover', 8 * 86400000, 'SELECT session_recover(%Q, json_object(''now'', 1767225600000 + 8 * 86400000))'),
  ('sweep', 8 * 86400000, 'SELECT session_sweep(json_object(''now'', 1767225600000 + 8 * 86400000))');
UPDATE way SET sql = replace(sql, '%1$Q', '%Q');
CREATE TEMP TABLE s AS SELECT way || ', ' || value AS label, way, at, sql, value AS behind FROM way, json_each('["retry_after","a live run"]')
  WHERE way NOT IN ('recover', 'sweep', 'archive', 'rewind') OR value = 'retry_after';
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM s;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read the code') FROM s;
-- first: a timer's, whose turn was sent away for ten days. Another timer's is behind it before the choice.
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'first', json_object('source', 'timer')) FROM s;
SELECT count(turn_begin(label, 'w')) FROM s;
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, '429', json_object('retry_after', '10 days')) FROM session_runs JOIN s ON session_label = label WHERE behind = 'retry_after';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'second', json_object('source', 'timer')) FROM s;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'third', json_object('class', 'Unclear', 'sender', 'ann')) FROM s;
SELECT label || ': a choice holds it', session_state(label) ->> '$.pending_choice.held', 'third' FROM s;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'fourth', json_object('source', 'timer')) FROM s;
SELECT label || ': said beside it', session_deliver(label, 'tile the kitchen floor', '{"sender":"bob"}') ->> '$.action', 'prompt' FROM s;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'sixth', json_object('source', 'timer')) FROM s;
SELECT length(value_of(printf(sql, label, label, label))) > 0 FROM s ORDER BY at;
SELECT label || ': closed', session_state(label) ->> '$.pending_choice', NULL FROM s;
CREATE TEMP TABLE stands AS SELECT label, way, behind, (SELECT group_concat(message || '/' || status, ' ') FROM (SELECT message, status FROM queue_list WHERE session_label = label AND status IN ('pending', 'handed') ORDER BY position)) AS list FROM s;
SELECT label || ': what was said first stands first', list, CASE
    WHEN way = 'continue' AND behind = 'a live run' -- what is a change to the task interrupts it
      THEN 'first/pending third/pending tile the kitchen floor/pending second/pending fourth/pending sixth/pending'
    WHEN way = 'abandon' AND behind = 'a live run' -- what the run worked on is called off
      THEN 'second/pending third/pending fourth/pending tile the kitchen floor/pending sixth/pending'
    WHEN behind = 'a live run' AND way IN ('start fresh', 'answer') -- the run is stopped, and all of it handed over
      THEN 'second/handed third/handed fourth/handed tile the kitchen floor/handed sixth/handed'
    WHEN way = 'rewind' -- what was tried is undone with it
      THEN 'second/pending third/pending fourth/pending tile the kitchen floor/pending sixth/pending'
    ELSE 'first/pending second/pending third/pending fourth/pending tile the kitchen floor/pending sixth/pending' END
FROM stands;

---- And they are taken so

CREATE TEMP TABLE took(label, n INTEGER, message);
SELECT turnstile_clock(1767225600000 + 11 * 86400000);
CREATE TEMP VIEW taking(label) AS SELECT NULL;
CREATE TEMP TRIGGER take INSTEAD OF INSERT ON taking BEGIN
  INSERT INTO turnstile VALUES ('turn_begin', json_array(NEW.label, 'w'));
  INSERT INTO took SELECT NEW.label, q.id, q.message FROM session_queue AS q WHERE q.session_label = NEW.label AND q.status = 'processing' ORDER BY ifnull(delivery_id, 0);
  INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"done"}')) FROM session_runs WHERE session_label = NEW.label AND turn_id IS NOT NULL;
END;
INSERT INTO taking SELECT label FROM stands, json_each('[1,2,3,4,5,6]') WHERE behind = 'retry_after' AND way IN ('compact', 'rewind', 'recover', 'sweep', 'complete') ORDER BY label;
SELECT label || ': turns take them so', (SELECT group_concat(message, ' ') FROM (SELECT message FROM took WHERE took.label = stands.label ORDER BY rowid)),
  iif(way = 'rewind', '', 'first ') || 'second third fourth tile the kitchen floor sixth' FROM stands WHERE behind = 'retry_after' AND way IN ('compact', 'rewind', 'recover', 'sweep', 'complete');

---- What interrupts, or was put first, stays before what goes to the front with what was held

CREATE TEMP TABLE ahead(label, how);
INSERT INTO ahead VALUES ('it interrupts', 'interrupt'), ('it was put first', 'queue');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM ahead;
INSERT INTO turnstile SELECT 'session_note', json_array(label, 'read the code') FROM ahead;
SELECT count(turn_begin(label, 'c', '{"messages":[{"role":"user","content":"go"}]}')) FROM ahead;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'tick', json('{"source":"timer"}')) FROM ahead;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'make it five', json_object('class', 'Modification', 'mode', how)) FROM ahead;
INSERT INTO turnstile SELECT 'queue_front', json_array(id) FROM session_queue JOIN ahead ON label = session_label WHERE how = 'queue' AND message = 'make it five';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'build a shop', json('{"class":"NewTask"}')) FROM ahead;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'tock', json('{"source":"timer"}')) FROM ahead;
INSERT INTO turnstile SELECT 'session_compact', json_array(label, 'done') FROM ahead;
SELECT label, (SELECT group_concat(message, ' ') FROM (SELECT message FROM queue_list WHERE session_label = label AND status = 'pending' ORDER BY position)),
  'make it five tick build a shop tock' FROM ahead;

---- What interrupts after a choice has closed stands before what that has held

INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'stop, ten', json('{"class":"Modification","mode":"interrupt"}')) FROM ahead;
SELECT label || ': then another interrupts', (SELECT group_concat(message, ' ') FROM (SELECT message FROM queue_list WHERE session_label = label AND status = 'pending' ORDER BY position)),
  'make it five stop, ten tick build a shop tock' FROM ahead;

---- A delivery that hands all over keeps what was put first, or interrupts, first; so does the turn, and what comes of it

INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"Five."}')) FROM session_runs JOIN ahead ON label = session_label;
CREATE TEMP TABLE gave AS SELECT label, value_of(printf('SELECT session_deliver(%Q, ''and log each'', ''{"class":"Modification","owner":"c"}'')', label)) AS d FROM ahead;
SELECT label || ': the decision', (SELECT group_concat(value ->> '$.message', ' ') FROM json_each(d, '$.inputs')),
  'make it five stop, ten tick build a shop tock and log each' FROM gave;
SELECT label || ': the turn', (SELECT group_concat(value ->> '$.content', ' ') FROM json_each(d, '$.turn.messages')),
  'make it five stop, ten tick build a shop tock and log each' FROM gave;
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'no answer') FROM session_runs JOIN ahead ON label = session_label;
SELECT label || ': what waits again', (SELECT group_concat(message, ' ') FROM (SELECT message FROM queue_list WHERE session_label = label AND status = 'pending' ORDER BY position)),
  'make it five stop, ten tick build a shop tock and log each' FROM ahead;
