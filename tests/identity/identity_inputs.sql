-- identity_inputs.sql - links and unlinks between an input's being said and its being worked on: what was
-- cancelled meanwhile and is tried again, what waits for its time, what is an answer. Nobody's message
-- runs in another person's session, and none is lost.

SELECT turnstile_install();
SELECT turnstile_clock(1700000000000);

CREATE TEMP TABLE r(name TEXT PRIMARY KEY, j);
CREATE TEMP VIEW live(label, turn, token) AS SELECT session_label, turn_id, token FROM session_runs WHERE turn_id IS NOT NULL;
CREATE TEMP VIEW place(message, line) AS SELECT message, session_label || ' ' || status || ifnull(' > ' || goes_to, '') FROM session_queue;
-- Anybody's turn of a session, begun without a word and given up again: what it would take.
CREATE TEMP TABLE begun(label);
CREATE TEMP TABLE took(label, said);
CREATE TEMP TRIGGER begin_one AFTER INSERT ON begun BEGIN
  INSERT INTO r VALUES ('begun ' || NEW.label, turn_begin(NEW.label, 'w')) ON CONFLICT DO UPDATE SET j = excluded.j;
  INSERT INTO took SELECT NEW.label, group_concat(value ->> '$.content', ', ') FROM r, json_each(j, '$.messages') WHERE name = 'begun ' || NEW.label;
END;

---- Cancelled before its sender was unlinked

-- Who cancels it: somebody who stops the turn, with its output or without; by its number, waiting; its sender.
CREATE TEMP TABLE how(name TEXT PRIMARY KEY, n);
INSERT INTO how VALUES ('abort', 1), ('drop', 2), ('stop', 3), ('cancel', 4), ('called off', 5);
SELECT json_array(identity_link('c', 'ann ' || n, 'e' || n), identity_link('c', 'bob ' || n, 'e' || n)) FROM how;
SELECT session_deliver(NULL, 'ann of ' || name, json_object('class', 'NewTask', 'envelope', json_object('channel', 'c', 'sender_id', 'ann ' || n))) FROM how;
INSERT INTO begun SELECT 'dm:e' || n FROM how;
SELECT turn_complete(turn, token, '{"content":"Done."}') FROM live;
SELECT session_deliver(NULL, 'bob of ' || name, json_object('class', 'Modification', 'envelope', json_object('channel', 'c', 'sender_id', 'bob ' || n))) FROM how
  WHERE name <> 'called off';
INSERT INTO begun SELECT 'dm:e' || n FROM how WHERE name IN ('abort', 'drop', 'stop');
SELECT turn_message(turn, token, '{"role":"assistant","content":"I look."}') FROM live;
SELECT turn_abort(turn, token, 'enough') FROM live, how WHERE label = 'dm:e' || n AND name = 'abort';
SELECT turn_abort(turn, token, 'enough', '{"keep":0}') FROM live, how WHERE label = 'dm:e' || n AND name = 'drop';
SELECT session_stop(label, turn, 'enough') FROM live, how WHERE label = 'dm:e' || n AND name = 'stop';
SELECT queue_cancel(id) FROM session_queue WHERE message = 'bob of cancel';
SELECT turn_begin('dm:e5', 'w', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
SELECT session_deliver(NULL, 'bob of called off', '{"class":"Modification","mode":"queue","envelope":{"channel":"c","sender_id":"bob 5"}}');
SELECT session_deliver(NULL, 'forget it', '{"class":"Abandon","envelope":{"channel":"c","sender_id":"bob 5"}}');
SELECT name || ': cancelled', (SELECT line FROM place WHERE message = 'bob of ' || name), 'dm:e' || n || ' cancelled' FROM how;
SELECT name || ': unlinked, with nothing that waits', json_extract(identity_unlink('c', 'bob ' || n), '$.session', '$.waiting_moved'), '[null,0]' FROM how;
SELECT name || ': it stays, and says whose it is', (SELECT line FROM place WHERE message = 'bob of ' || name),
  'dm:e' || n || ' cancelled > dm:c:bob ' || n FROM how;
SELECT name || ': nobody has a session by that', resolve_session('dm:c:bob ' || n), NULL FROM how;
SELECT queue_retry(id) FROM session_queue, how WHERE message = 'bob of ' || name;
SELECT name || ': tried again it waits with its sender', (SELECT line FROM place WHERE message = 'bob of ' || name),
  'dm:c:bob ' || n || ' pending' FROM how;
INSERT INTO begun SELECT 'dm:c:bob ' || n FROM how;
SELECT name || ': a turn of its own', (SELECT group_concat(said) FROM took WHERE label = 'dm:c:bob ' || n), 'bob of ' || name FROM how;
INSERT INTO begun SELECT 'dm:e' || n FROM how;
SELECT name || ': the other person''s has none of it', (SELECT count(*) FROM took WHERE label = 'dm:e' || n AND instr(said, 'bob')), name IN ('abort', 'drop', 'stop') FROM how;

-- By the time that it is tried again the sender is somebody else's, or the same one's again; and who stays, stays.
SELECT json_array(identity_link('d', 'ann', 'dana'), identity_link('d', 'bob', 'dana'));
SELECT session_start('dm:dana', 'x');
SELECT queue_push('dm:dana', 'd of ' || value, json_object('channel', 'd', 'sender', substr(value, 1, 3))) FROM json_each('["ann 1","bob 1","bob 2"]');
SELECT queue_cancel(id) FROM session_queue WHERE message LIKE 'd of %';
SELECT identity_link('d', 'bob', 'dora', '{"force":1}') ->> '$.was';
SELECT queue_retry(id) FROM session_queue WHERE message IN ('d of ann 1', 'd of bob 1');
SELECT 'of who is somebody else''s now', (SELECT line FROM place WHERE message = 'd of bob 1'), 'dm:dora pending';
SELECT 'of who stays', (SELECT line FROM place WHERE message = 'd of ann 1'), 'dm:dana pending';
SELECT identity_link('d', 'bob', 'dana', '{"force":1}') ->> '$.was';
SELECT queue_retry(id) FROM session_queue WHERE message = 'd of bob 2';
SELECT 'of who is the same one''s again', (SELECT line FROM place WHERE message = 'd of bob 2'), resolve_session('dm:dana') || ' pending';

-- A primary leaves with its sender: what the entity's others said in it is theirs.
SELECT session_start('dm:l:ann', 'x');
SELECT json_array(identity_link('l', 'ann', 'lena'), identity_link('l', 'bob', 'lena'));
SELECT queue_push('dm:lena', 'l of ' || value, json_object('channel', 'l', 'sender', value)) FROM json_each('["ann","bob","eve"]');
SELECT queue_cancel(id) FROM session_queue WHERE message LIKE 'l of %';
SELECT 'it leaves', identity_unlink('l', 'ann') ->> '$.session', 'dm:l:ann';
SELECT queue_retry(id) FROM session_queue WHERE message LIKE 'l of %';
SELECT 'to whom it belongs', (SELECT group_concat(message || ' ' || session_label, ', ') FROM (SELECT * FROM session_queue WHERE message LIKE 'l of %' ORDER BY id)),
  'l of ann dm:l:ann, l of bob dm:lena, l of eve dm:l:ann';

---- What was for a session that was merged, twice

-- ma is merged into mb, mb into mc, while a turn of mb works on what was for ma, and something of that kind was
-- cancelled there.
SELECT turn_append('dm:m:' || value, '[{"role":"user","content":"x"}]') FROM json_each('["ma","mb","mb","mc","mc","mc"]');
SELECT json_array(identity_link('m', 'ma', 'mia'), identity_link('m', 'mb', 'mia'));
SELECT json_array(queue_push('dm:m:ma', 'cancelled of ma', '{"source":"timer"}'), queue_push('dm:m:ma', 'taken of ma', '{"source":"timer"}'),
  queue_push('dm:m:mb', 'cancelled of mb', '{"source":"timer"}'));
SELECT queue_cancel(id) FROM session_queue WHERE message LIKE 'cancelled of m_';
INSERT INTO begun VALUES ('dm:m:mb');
SELECT 'a turn has it', (SELECT line FROM place WHERE message = 'taken of ma'), 'dm:m:mb processing';
SELECT turn_message(turn, token, '{"role":"assistant","content":"I look."}') FROM live WHERE label = 'dm:m:mb';
SELECT 'the second merge', identity_link('m', 'mc', 'mia') ->> '$.merged[0].session', 'dm:m:mb';
-- The one that was merged first leaves alone; then those that are left part.
SELECT 'ma leaves', identity_unlink('m', 'ma') ->> '$.session', 'dm:m:ma';
SELECT 'and is to have it back', (SELECT group_concat(line, ', ') FROM place WHERE message LIKE '% of m_' AND line LIKE '%>%'),
  'dm:m:mb cancelled > dm:m:ma, dm:m:mb processing > dm:m:ma';
SELECT turn_fail(turn, token, 'boom') FROM live WHERE label = 'dm:m:mb';
SELECT 'mc leaves', identity_unlink('m', 'mc') ->> '$.entity_session', 'dm:m:mb';
SELECT queue_retry(id) FROM session_queue WHERE message LIKE '% of m_';
SELECT 'each is at home', (SELECT group_concat(message || ' ' || session_label, ', ') FROM (SELECT * FROM session_queue WHERE message LIKE '% of m_' ORDER BY id)),
  'cancelled of ma dm:m:ma, taken of ma dm:m:ma, cancelled of mb dm:m:mb';

-- The middle one leaves, while what was merged into it stays with the entity.
SELECT turn_append('dm:n:' || value, '[{"role":"user","content":"x"}]') FROM json_each('["na","nb","nb","nc","nc","nc"]');
SELECT json_array(identity_link('n', 'na', 'nia'), identity_link('n', 'nb', 'nia'));
SELECT queue_push('dm:n:na', 'cancelled of na', '{"source":"timer"}');
SELECT queue_push('dm:n:na', 'taken of na', '{"source":"timer"}');
SELECT queue_cancel(id) FROM session_queue WHERE message = 'cancelled of na';
INSERT INTO begun VALUES ('dm:n:nb');
SELECT turn_message(turn, token, '{"role":"assistant","content":"I look."}') FROM live WHERE label = 'dm:n:nb';
SELECT identity_link('n', 'nc', 'nia') ->> '$.action';
SELECT 'nb leaves', json_extract(identity_unlink('n', 'nb'), '$.session', '$.entity_session'), '["dm:n:nb","dm:n:nc"]';
SELECT turn_fail(turn, token, 'boom') FROM live WHERE label = 'dm:n:nb';
SELECT queue_retry(id) FROM session_queue WHERE message LIKE '% of na';
SELECT 'where na is', (SELECT group_concat(message || ' ' || session_label, ', ') FROM (SELECT * FROM session_queue WHERE message LIKE '% of na' ORDER BY id)),
  'cancelled of na dm:n:nc, taken of na dm:n:nc';

-- pa was the first sender's; pb wrote into it as the same person. Both leave while a turn of the primary has that.
SELECT turn_append('dm:p:' || value, '[{"role":"user","content":"x"}]') FROM json_each('["pa","pc","pc"]');
SELECT json_array(identity_link('p', 'pa', 'pia'), identity_link('p', 'pb', 'pia'));
SELECT 'pb''s goes to pa''s', session_deliver(NULL, 'private of pb', '{"class":"NewTask","envelope":{"channel":"p","sender_id":"pb"}}') ->> '$.session', 'dm:p:pa';
SELECT identity_link('p', 'pc', 'pia') ->> '$.action';
INSERT INTO begun VALUES ('dm:pia');
SELECT turn_message(turn, token, '{"role":"assistant","content":"I look."}') FROM live WHERE label = 'dm:p:pc';
SELECT 'pb leaves', identity_unlink('p', 'pb') ->> '$.key', 'dm:p:pb';
SELECT 'pa leaves', identity_unlink('p', 'pa') ->> '$.session', 'dm:p:pa';
SELECT 'it is pb''s', (SELECT line FROM place WHERE message = 'private of pb'), 'dm:p:pc processing > dm:p:pb';
SELECT turn_fail(turn, token, 'boom') FROM live WHERE label = 'dm:p:pc';
SELECT 'and never in pa''s session', (SELECT line FROM place WHERE message = 'private of pb'), 'dm:p:pb failed';

-- Three are merged, each with an input of every kind that no sender wrote. One that leaves takes its own along, and
-- neither what was merged beside it nor what was the primary's.
SELECT turnstile_config('max_attempts', 1);
SELECT turn_append('dm:v:' || value, '[{"role":"user","content":"x"}]') FROM json_each('["va","vb","vc","vc","vc"]');
SELECT queue_push('dm:v:' || value, 'failed of ' || value, '{"source":"timer"}') FROM json_each('["va","vb","vc"]');
INSERT INTO begun SELECT 'dm:v:' || value FROM json_each('["va","vb","vc"]');
SELECT turn_fail(turn, token, 'boom') FROM live WHERE label LIKE 'dm:v:%';
SELECT queue_push('dm:v:' || v.value, s.value || ' of ' || v.value, '{"source":"timer"}')
  FROM json_each('["va","vb","vc"]') AS v, json_each('["waiting","cancelled"]') AS s;
SELECT queue_cancel(id) FROM session_queue WHERE message LIKE 'cancelled of v_';
SELECT json_array(identity_link('v', 'va', 'via'), identity_link('v', 'vb', 'via'), identity_link('v', 'vc', 'via'));
SELECT 'all merged', (SELECT group_concat(message, ', ') FROM (SELECT * FROM session_queue WHERE session_label = 'dm:v:vc' ORDER BY message)),
  'cancelled of vc, failed of va, failed of vb, failed of vc, waiting of va, waiting of vb, waiting of vc';
SELECT 'va leaves', identity_unlink('v', 'va') ->> '$.session', 'dm:v:va';
SELECT 'with its own alone', (SELECT group_concat(message || ': ' || line, ', ') FROM
  (SELECT p.message, p.line FROM place AS p WHERE p.message LIKE '% of v_' ORDER BY p.message)),
  'cancelled of va: dm:v:va cancelled, cancelled of vb: dm:v:vb cancelled, cancelled of vc: dm:v:vc cancelled, '
  || 'failed of va: dm:v:va failed, failed of vb: dm:v:vc failed, failed of vc: dm:v:vc failed, '
  || 'waiting of va: dm:v:va pending, waiting of vb: dm:v:vc pending, waiting of vc: dm:v:vc pending';
SELECT turnstile_config('max_attempts', 3);

---- What waits for its time

-- Being taken from a turn by an unlink is no attempt, and nothing that is paid for with waiting.
SELECT turnstile_config('retry_backoff', '1m');
SELECT json_array(identity_link('w', 'ann', 'wim'), identity_link('w', 'bob', 'wim'));
SELECT session_deliver(NULL, 'at once', '{"class":"NewTask","owner":"w","envelope":{"channel":"w","sender_id":"bob"}}') ->> '$.turn.token';
SELECT 'unlinked', identity_unlink('w', 'bob') ->> '$.waiting_moved', 1;
SELECT 'it need not wait', (SELECT json_array(session_label, status, attempts, due_at, error) FROM session_queue WHERE message = 'at once'),
  '["dm:w:bob","pending",0,null,"a sender was unlinked"]';
INSERT INTO begun VALUES ('dm:w:bob');
SELECT 'nor does it', (SELECT said FROM took WHERE label = 'dm:w:bob'), 'at once';
-- What waits for the model's sake goes on waiting for that, wherever it is.
SELECT session_deliver(NULL, 'in a minute', '{"class":"Modification","owner":"w","envelope":{"channel":"w","sender_id":"ann"}}') ->> '$.turn.token';
SELECT turn_fail(turn, token, '429', '{"retry_after":60000}') FROM live WHERE label = 'dm:wim';
SELECT identity_unlink('w', 'ann') ->> '$.waiting_moved';
SELECT 'due as before', (SELECT json_array(session_label, status, due_at) FROM session_queue WHERE message = 'in a minute'), '["dm:w:ann","pending",1700000060000]';
SELECT 'not yet', turn_begin('dm:w:ann', 'w'), NULL;
SELECT 'then', turn_begin('dm:w:ann', 'w', '{"now":1700000060000}') ->> '$.messages[0].content', 'in a minute';
SELECT turnstile_config('retry_backoff', 0);

---- Answers

-- Handed over as the answer to a question, and not begun with yet, when the session is merged or the sender leaves.
SELECT json_array(session_start(value, 'book'), session_transition(value, 'AwaitingUser', '{"question":"How many?"}')) FROM json_each('["dm:q:ann","dm:u"]');
SELECT turn_append('dm:q:bob', '[{"role":"user","content":"x"}]');
SELECT json_array(identity_link('q', 'ann', 'quin'), identity_link('u', 'ann', 'u'), identity_link('u', 'bob', 'u'));
SELECT 'handed over', json_extract(session_deliver(label, text, json_object('asked_at', 1700000000000, 'channel', channel, 'sender', 'ann')), '$.action', '$.state'), '["continue","Running"]'
  FROM (SELECT 'dm:q:ann' AS label, 'five' AS text, 'q' AS channel UNION ALL SELECT 'dm:u', 'six', 'u');
SELECT json_array(identity_link('q', 'bob', 'quin') ->> '$.action', identity_unlink('u', 'ann') ->> '$.waiting_moved');
INSERT INTO begun VALUES ('dm:q:bob'), ('dm:u:ann');
SELECT 'merged: it is not lost', (SELECT said FROM took WHERE label = 'dm:q:bob'), 'five';
SELECT 'unlinked: it is not lost', (SELECT said FROM took WHERE label = 'dm:u:ann'), 'six';

-- Nobody has taken it for an answer yet: it is none to what another session asks, in the same millisecond even.
SELECT json_array(session_start(value, 'tables'), turn_begin(value, 'w', '{"messages":[{"role":"user","content":"go"}]}') IS NOT NULL) FROM json_each('["dm:a:ann","dm:a:bob"]');
SELECT turn_append('dm:a:eve', '[{"role":"user","content":"x"}]');
SELECT session_transition('dm:a:ann', 'AwaitingUser', '{"question":"Delete the cache?"}');
SELECT session_deliver('dm:a:ann', 'yes', '{"asked_at":1700000000000,"mode":"queue","channel":"a","sender":"ann"}') ->> '$.action';
SELECT turn_complete(turn, token, '{"content":"x"}') FROM live WHERE label = 'dm:a:bob';
SELECT turn_append('dm:a:bob', '[{"role":"user","content":"x"}]');
SELECT session_transition('dm:a:bob', 'AwaitingUser', '{"question":"Delete the table?"}');
SELECT json_array(identity_link('a', 'ann', 'ada'), identity_link('a', 'bob', 'ada') ->> '$.merged[0].session');
SELECT 'it waits in the primary', (SELECT line FROM place WHERE message = 'yes'), 'dm:a:bob pending';
SELECT 'a turn does not get it', turn_begin('dm:a:bob', 'w'), NULL;
SELECT 'the table stays', session_state('dm:a:bob') ->> '$.task_state', 'AwaitingUser';
SELECT 'it says why, and can be tried again', (SELECT status || ': ' || error FROM session_queue WHERE message = 'yes'), 'cancelled: what it answers was asked no more';

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;

---- The session into which two were merged is deleted, or leaves: what a turn of the one has of the other's

-- Deleted, it leaves each to itself: the other's is at home there. Left, the two are one conversation as before.
CREATE TEMP TABLE third(way, n);
INSERT INTO third VALUES ('deleted', 1), ('left', 2);
CREATE TEMP VIEW talk(way, n, label) AS SELECT way, n, printf('dm:two%d:carol', n) FROM third;
SELECT turn_append(label, '[{"role":"user","content":"hi"},{"role":"assistant","content":"1"}]') > 0 FROM talk;
SELECT session_deliver(NULL, way || ': ann ' || value, json_object('class', 'Modification', 'envelope', json_object('channel', 'two' || n, 'sender_id', 'ann'))) ->> '$.session'
  FROM third, json_each('["says","adds"]');
SELECT identity_link('two' || n, value, 'two ' || n) ->> '$.session' FROM third, json_each('["ann","carol"]');
INSERT INTO begun SELECT label FROM talk;
SELECT turn_message(turn, token, '{"role":"assistant","content":"I look."}') > 0 FROM live JOIN talk USING (label);
SELECT session_deliver(NULL, way || ': carol says', json_object('class', 'Modification', 'envelope', json_object('channel', 'two' || n, 'sender_id', 'carol'))) ->> '$.session' FROM third;
SELECT turn_steering(turn, token) IS NOT NULL FROM live JOIN talk USING (label);
SELECT session_deliver(NULL, way || ': carol adds', json_object('class', 'Modification', 'envelope', json_object('channel', 'two' || n, 'sender_id', 'carol'))) ->> '$.session' FROM third;
SELECT queue_cancel(id) FROM session_queue, third WHERE message LIKE way || ': % adds';
CREATE TEMP VIEW parted(message, got, expected) AS SELECT message, line, label || iif(message LIKE '% says', ' processing', ' cancelled') ||
  iif(way = 'deleted' AND message LIKE '%: ann %' AND NOT EXISTS (SELECT 1 FROM sessions WHERE label = 'dm:third1:pat'), ' > dm:two1:ann', '')
  FROM talk JOIN place ON message LIKE way || ': %';
SELECT turn_append('dm:third' || n || ':pat', '[{"role":"user","content":"hi"},{"role":"assistant","content":"1"}]') > 0 FROM third;
SELECT 'both are merged into the third', json_array_length(identity_link('third' || n, 'pat', 'two ' || n) -> '$.merged'), 2 FROM third;
SELECT 'before: ' || message, got, expected FROM parted;
SELECT 'four each', (SELECT count(*) FROM parted), 8;
SELECT 'it is deleted', session_delete('dm:third1:pat', '{"force":1}') ->> '$.merged', 2;
SELECT 'it leaves', identity_unlink('third2', 'pat') ->> '$.action', 'unlinked';
SELECT 'parted: ' || message, got, expected FROM parted;
