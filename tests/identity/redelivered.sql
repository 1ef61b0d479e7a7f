-- redelivered.sql - a message that the platform sends once more, where its key has led meanwhile; and what others
-- have waiting in a session that is deleted.

SELECT turnstile_install();
SELECT turnstile_clock(1700000000000);

CREATE TEMP VIEW again AS SELECT NULL AS channel, NULL AS sender, NULL AS id, NULL AS answer;
CREATE TEMP TABLE heard(channel, sender, id, answer);
CREATE TEMP TRIGGER says INSTEAD OF INSERT ON again BEGIN
  INSERT INTO heard VALUES (NEW.channel, NEW.sender, NEW.id,
    session_deliver(NULL, 'write ' || NEW.id, json_object('message_id', NEW.id, 'class', 'NewTask',
      'envelope', json_object('channel', NEW.channel, 'sender_id', NEW.sender))) ->> '$.duplicate');
END;

---- Links and unlinks

INSERT INTO again VALUES ('tg', '1', 'a', NULL);
INSERT INTO turnstile VALUES ('identity_link', '["tg","1","ann"]');
INSERT INTO again VALUES ('tg', '1', 'a', NULL), ('tg', '1', 'b', NULL);
INSERT INTO again VALUES ('sms', '1', 'c', NULL);
INSERT INTO turnstile VALUES ('identity_link', '["sms","1","ann"]');
INSERT INTO again VALUES ('sms', '1', 'c', NULL), ('sms', '1', 'd', NULL);
INSERT INTO turnstile VALUES ('identity_unlink', '["sms","1"]');
INSERT INTO again VALUES ('sms', '1', 'c', NULL), ('sms', '1', 'd', NULL), ('sms', '1', 'e', NULL);
INSERT INTO turnstile VALUES ('identity_unlink', '["tg","1"]');
INSERT INTO again VALUES ('tg', '1', 'a', NULL), ('tg', '1', 'b', NULL);
INSERT INTO turnstile VALUES ('identity_link', '["sms","1","bob"]'), ('identity_link', '["tg","1","bob"]');
INSERT INTO again VALUES ('tg', '1', 'a', NULL), ('tg', '1', 'b', NULL), ('sms', '1', 'c', NULL), ('sms', '1', 'd', NULL), ('sms', '1', 'e', NULL);
SELECT 'each runs once: ' || id, sum(answer IS NULL), 1 FROM heard GROUP BY id;
SELECT 'each comes again: ' || id, sum(answer) >= 1, 1 FROM heard GROUP BY id;
-- The same id of another sender, and in a group, is a message of its own.
SELECT 'another sender', session_deliver(NULL, 'x', '{"message_id":"a","class":"Modification","envelope":{"channel":"tg","sender_id":"2"}}') ->> '$.duplicate', NULL;
SELECT 'a group', session_deliver(NULL, 'x', '{"message_id":"a","class":"NewTask","envelope":{"channel":"tg","sender_id":"1","peer_kind":"group","peer_id":"g"}}') ->> '$.duplicate', NULL;
SELECT 'once more in the group', session_deliver(NULL, 'x', '{"message_id":"a","class":"NewTask","envelope":{"channel":"tg","sender_id":"1","peer_kind":"group","peer_id":"g"}}') ->> '$.duplicate', 1;

---- Labels that the host routes by

INSERT INTO turnstile VALUES ('identity_link', '["wa","9","eve"]');
SELECT 'by the key of the entity', session_deliver('dm:eve', 'go', '{"message_id":"e1","channel":"wa","sender":"9","class":"NewTask"}') ->> '$.action', 'start';
INSERT INTO turnstile VALUES ('identity_unlink', '["wa","9"]');
SELECT 'by the key of the sender', session_deliver('dm:wa:9', 'go', '{"message_id":"e1","channel":"wa","sender":"9","class":"NewTask"}') ->> '$.duplicate', 1;
SELECT 'pushed', queue_push('dm:wa:9', 'go', '{"message_id":"e1","channel":"wa","sender":"9"}') IS NOT NULL, 1;
SELECT 'it waits once, there', (SELECT group_concat(session_label) FROM session_queue WHERE message_id = 'e1'), 'dm:wa:9';

---- An alias that is moved

INSERT INTO turnstile VALUES ('session_start', '["one","x"]'), ('session_start', '["two","x"]'), ('session_alias', '["nick","one"]');
SELECT 'by the alias', session_deliver('nick', 'go', '{"message_id":"n1","class":"Modification"}') ->> '$.duplicate', NULL;
SELECT 'pushed by the alias', queue_push('nick', 'go', '{"message_id":"n2"}') IS NOT NULL, 1;
INSERT INTO turnstile VALUES ('session_alias', '["nick","two"]');
SELECT 'once more', session_deliver('nick', 'go', '{"message_id":"n1"}') ->> '$.duplicate', 1;
SELECT 'pushed once more', queue_push('nick', 'go', '{"message_id":"n2"}') = (SELECT id FROM session_queue WHERE message_id = 'n2'), 1;
SELECT 'nothing waits there', (SELECT count(*) FROM session_queue WHERE session_label = 'two' AND message_id IS NOT NULL), 0;
INSERT INTO turnstile VALUES ('session_delete', '["one",{"force":1}]');
SELECT 'its session was deleted', session_deliver('nick', 'go', '{"message_id":"n1"}') ->> '$.duplicate', 1;

---- A session that was deleted, and a link after it

INSERT INTO again VALUES ('irc', '5', 'i1', NULL);
INSERT INTO turnstile VALUES ('session_delete', '["dm:irc:5",{"force":1}]'), ('identity_link', '["irc","5","ida"]');
INSERT INTO again VALUES ('irc', '5', 'i1', NULL), ('irc', '5', 'i2', NULL);
INSERT INTO turnstile VALUES ('identity_link', '["irc","6","ida"]');
INSERT INTO again VALUES ('irc', '6', 'i3', NULL);
INSERT INTO turnstile SELECT 'session_delete', json_array(resolve_session('dm:ida'), json('{"force":1}'));
INSERT INTO turnstile VALUES ('identity_unlink', '["irc","5"]'), ('identity_unlink', '["irc","6"]');
INSERT INTO again VALUES ('irc', '5', 'i1', NULL), ('irc', '5', 'i2', NULL), ('irc', '6', 'i3', NULL);
SELECT 'deleted, each runs once: ' || id, sum(answer IS NULL), 1 FROM heard WHERE channel = 'irc' GROUP BY id;

---- What others have waiting

INSERT INTO turnstile VALUES ('turn_append', '["dm:a:1",[{"role":"user","content":"long"}]]');
SELECT session_deliver(NULL, 'of a', '{"class":"NewTask","envelope":{"channel":"a","sender_id":"1"}}') IS NOT NULL;
SELECT session_deliver(NULL, 'of b', '{"class":"NewTask","envelope":{"channel":"b","sender_id":"1"}}') IS NOT NULL;
INSERT INTO turnstile VALUES ('queue_push', '["dm:b:1","of a timer",{"source":"timer"}]');
INSERT INTO turnstile VALUES ('queue_push', '["dm:b:1","of a stranger",{"channel":"z","sender":"9"}]');
INSERT INTO turnstile VALUES ('identity_link', '["a","1","zoe"]'), ('identity_link', '["b","1","zoe"]');
SELECT 'merged', (SELECT superseded_by FROM sessions WHERE label = 'dm:b:1'), 'dm:a:1';
SELECT session_deliver(NULL, 'of b, later', '{"message_id":"z1","envelope":{"channel":"b","sender_id":"1"}}') IS NOT NULL;
INSERT INTO turnstile VALUES ('session_alias', '["bee","dm:b:1"]');
SELECT 'refused', error_of('SELECT session_delete(''dm:a:1'')') LIKE '%was merged into session%', 1;
CREATE TEMP TABLE parted AS SELECT session_delete('dm:a:1', '{"force":1}') AS report;
SELECT 'they are at home', (SELECT group_concat(message, '|') FROM (SELECT message FROM session_queue WHERE session_label = 'dm:b:1' AND delivered_at IS NULL ORDER BY id)),
  'of b|of a timer|of a stranger|of b, later';
SELECT 'what goes is what was said there', (SELECT report ->> '$.waiting' FROM parted), 1;
SELECT 'the deliveries are with them', (SELECT group_concat(d.session_label) FROM session_queue AS q JOIN deliveries AS d ON d.id = q.delivery_id WHERE q.session_label = 'dm:b:1'), 'dm:b:1,dm:b:1,dm:b:1,dm:b:1';
SELECT 'nothing of the other', (SELECT count(*) FROM session_queue WHERE message = 'of a') + (SELECT count(*) FROM deliveries WHERE message = 'of a'), 0;
SELECT 'the entity goes on there', resolve_session('dm:zoe'), 'dm:b:1';
SELECT 'it is known there', session_deliver(NULL, 'of b, later', '{"message_id":"z1","envelope":{"channel":"b","sender_id":"1"}}') ->> '$.duplicate', 1;

-- In a turn.
INSERT INTO turnstile VALUES ('turn_append', '["dm:c:1",[{"role":"user","content":"long"}]]');
SELECT session_deliver(NULL, 'of d', '{"class":"NewTask","envelope":{"channel":"d","sender_id":"1"}}') IS NOT NULL;
INSERT INTO turnstile VALUES ('identity_link', '["c","1","kim"]'), ('identity_link', '["d","1","kim"]');
SELECT turn_begin('dm:c:1', 'w') IS NOT NULL;
INSERT INTO turnstile VALUES ('session_delete', '["dm:c:1",{"force":1}]');
SELECT 'nothing was recorded: it waits', (SELECT session_label || ' ' || status || ' ' || attempts FROM session_queue WHERE message = 'of d'), 'dm:d:1 pending 0';
INSERT INTO turnstile VALUES ('turn_append', '["dm:e:1",[{"role":"user","content":"long"}]]');
SELECT session_deliver(NULL, 'of f', '{"class":"NewTask","envelope":{"channel":"f","sender_id":"1"}}') IS NOT NULL;
INSERT INTO turnstile VALUES ('identity_link', '["e","1","lee"]'), ('identity_link', '["f","1","lee"]');
CREATE TEMP TABLE begun AS SELECT turn_begin('dm:e:1', 'w') AS t;
SELECT turn_message(t ->> '$.turn', t ->> '$.token', '{"role":"assistant","content":"hm"}') IS NOT NULL FROM begun;
INSERT INTO turnstile VALUES ('session_delete', '["dm:e:1",{"force":1}]');
SELECT 'something was: it is listed', (SELECT session_label || ' ' || status || ' ' || error FROM session_queue WHERE message = 'of f'), 'dm:f:1 failed its session was deleted';
SELECT 'and can be retried', queue_retry((SELECT id FROM session_queue WHERE message = 'of f')) IS NOT NULL, 1;

---- A delivery stays where it was said, and comes along when that session is deleted

-- Its sender has left with what waited.
INSERT INTO turnstile VALUES ('turn_append', '["dm:g:1",[{"role":"user","content":"long"}]]');
INSERT INTO turnstile VALUES ('identity_link', '["g","1","gus"]'), ('identity_link', '["h","1","gus"]');
INSERT INTO again VALUES ('h', '1', 'h1', NULL), ('h', '1', 'h2', NULL);
INSERT INTO turnstile VALUES ('identity_unlink', '["h","1"]');
SELECT 'where it was said', (SELECT group_concat(session_label || ' ' || said_in, ', ') FROM session_queue WHERE sender = '1' AND channel = 'h'),
  'dm:h:1 dm:g:1, dm:h:1 dm:g:1';
INSERT INTO turnstile VALUES ('session_delete', '["dm:g:1"]');
SELECT 'it is where the input is', (SELECT group_concat(d.session_label || ' ' || ifnull(q.said_in, 'here'), ', ') FROM session_queue AS q JOIN deliveries AS d ON d.id = q.delivery_id
  WHERE q.channel = 'h'), 'dm:h:1 here, dm:h:1 here';
SELECT 'said again it is known', (session_deliver(NULL, 'write h1', '{"message_id":"h1","class":"NewTask","envelope":{"channel":"h","sender_id":"1"}}') -> '$.first') ->> '$.action', 'start';
-- What a choice holds beside the held message is found by its delivery.
SELECT session_start('dm:h:1', 'a task');
SELECT turn_begin('dm:h:1', 'w', '{"messages":[{"role":"user","content":"go"}]}') ->> '$.token';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"x"}')) FROM session_runs WHERE session_label = 'dm:h:1' AND turn_id IS NOT NULL;
SELECT turn_begin('dm:h:1', 'w') IS NOT NULL;
SELECT 'none is lost', (SELECT count(*) FROM (SELECT message FROM session_queue WHERE session_label = 'dm:h:1' AND status <> 'cancelled' AND message LIKE 'write h_'
  UNION SELECT message FROM deliveries JOIN sessions AS s ON instr(s.pending_choice, message) WHERE s.label = 'dm:h:1' AND message LIKE 'write h_')), 2;

-- A superseded session is deleted, and what was said to it waits in the primary.
INSERT INTO turnstile VALUES ('turn_append', '["dm:k:1",[{"role":"user","content":"long"}]]');
INSERT INTO again VALUES ('k', '2', 'k1', NULL);
INSERT INTO turnstile VALUES ('queue_push', '["dm:k:2","k timer",{"source":"timer","message_id":"k2"}]');
INSERT INTO turnstile VALUES ('identity_link', '["k","1","kay"]'), ('identity_link', '["k","2","kay"]');
INSERT INTO turnstile VALUES ('session_delete', '["dm:k:2"]');
SELECT 'both wait in the primary', (SELECT group_concat(q.session_label || ' ' || q.status || ' ' || d.session_label, ', ') FROM session_queue AS q JOIN deliveries AS d ON d.id = q.delivery_id
  WHERE q.message IN ('write k1', 'k timer')), 'dm:k:1 pending dm:k:1, dm:k:1 pending dm:k:1';
INSERT INTO again VALUES ('k', '2', 'k1', NULL);
SELECT 'the timer comes again', queue_push('dm:k:2', 'k timer', '{"source":"timer","message_id":"k2"}') = (SELECT id FROM session_queue WHERE message = 'k timer'), 1;
INSERT INTO turnstile VALUES ('identity_unlink', '["k","2"]');
INSERT INTO again VALUES ('k', '2', 'k1', NULL);
SELECT 'known there and here', (SELECT group_concat(ifnull(answer, 'new'), ', ') FROM heard WHERE id = 'k1'), 'new, 1, 1';

---- The entity's key as a label, where its primary leaves, is unlinked or deleted

CREATE TEMP TABLE ended(n PRIMARY KEY, how);
INSERT INTO ended VALUES (1, 'the primary leaves'), (2, 'the primary is deleted'), (3, 'the sender leaves'), (4, 'all leave'), (5, 'a merge'), (6, 'archived');
CREATE TEMP VIEW ask(n, id) AS SELECT 0, '';
CREATE TEMP TABLE asked(n, id, answer);
CREATE TEMP TRIGGER asks INSTEAD OF INSERT ON ask BEGIN
  INSERT INTO asked VALUES (NEW.n, NEW.id, session_deliver('dm:eve' || NEW.n, 'do ' || NEW.id || NEW.n,
    json_object('message_id', NEW.id, 'channel', 'e', 'sender', 'me' || NEW.n, 'class', 'Modification')));
END;
SELECT turn_append('dm:e:first' || n, '[{"role":"user","content":"x"}]') FROM ended;
SELECT json_array(identity_link('e', 'first' || n, 'eve' || n), identity_link('e', 'me' || n, 'eve' || n)) FROM ended;
INSERT INTO ask SELECT n, 'waits' FROM ended;
INSERT INTO ask SELECT n, 'done' FROM ended;
CREATE TEMP TABLE served AS SELECT n, turn_begin('dm:eve' || n, 'w') AS t FROM ended;
SELECT turn_complete(t ->> '$.turn', t ->> '$.token', '{"content":"y"}') IS NOT NULL FROM served;
INSERT INTO ask SELECT n, 'later' FROM ended;
SELECT 'all are new', (SELECT count(*) FROM asked WHERE answer ->> '$.duplicate'), 0;
SELECT identity_unlink('e', 'first1');
SELECT session_delete('dm:eve2', '{"force":1}');
SELECT identity_unlink('e', 'me3');
SELECT json_array(identity_unlink('e', 'me4'), identity_unlink('e', 'first4'));
SELECT turn_append('dm:e:third5', '[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]') FROM json_each('[1,2,3,4,5]');
SELECT identity_link('e', 'third5', 'eve5') ->> '$.merged[0].session';
SELECT session_archive('dm:eve6', '{"force":1}');
INSERT INTO ask SELECT n, id FROM ended, (SELECT 'waits' AS id UNION ALL SELECT 'done' UNION ALL SELECT 'later');
SELECT how || ': each is known', (SELECT group_concat(id || ' ' || (answer ->> '$.duplicate'), ', ') FROM (SELECT id, answer FROM asked AS a WHERE a.n = e.n ORDER BY rowid DESC LIMIT 3)),
  'later 1, done 1, waits 1' FROM ended AS e;
SELECT how || ': what waits, waits once', (SELECT group_concat(session_label || ' ' || status) FROM session_queue WHERE message = 'do later' || n),
  CASE n WHEN 1 THEN 'dm:eve1' WHEN 3 THEN 'dm:e:me3' WHEN 4 THEN 'dm:e:me4' WHEN 5 THEN 'dm:e:third5' WHEN 6 THEN 'dm:e:first6' END
    || iif(n = 6, ' handed', ' pending') FROM ended;

---- A fork, a document, and the archive

INSERT INTO turnstile VALUES ('session_alias', '["nick of f","dm:f:1"]');
SELECT session_deliver('dm:f:9', 'origin', '{"class":"Modification"}') IS NOT NULL;
INSERT INTO turnstile VALUES ('session_alias', '["nick f","dm:f:9"]');
SELECT 'by an alias', session_deliver('nick f', 'fork me', '{"message_id":"f1","class":"Modification"}') ->> '$.duplicate', NULL;
SELECT turn_append('dm:f:9', '[{"role":"user","content":"x"}]') IS NOT NULL;
SELECT session_fork((SELECT thread_id FROM sessions WHERE label = 'dm:f:9'), 'forked') IS NOT NULL;
SELECT 'a fork knows nothing of it', session_deliver('forked', 'fork me', '{"message_id":"f1","class":"Modification"}') ->> '$.duplicate', NULL;
SELECT 'its own it does', session_deliver('forked', 'fork me', '{"message_id":"f1"}') ->> '$.duplicate', 1;
INSERT INTO turnstile VALUES ('session_alias', '["nick f","forked"]');
SELECT 'the alias leads to the fork, and it came by that name', session_deliver('nick f', 'fork me', '{"message_id":"f1"}') ->> '$.duplicate', 1;
INSERT INTO turnstile SELECT 'session_import', json_array(json(session_export('dm:f:9')), json('{"as":"dm:f:copy"}'));
SELECT 'a copy knows it by its own label', session_deliver('dm:f:copy', 'fork me', '{"message_id":"f1"}') ->> '$.duplicate', 1;
INSERT INTO turnstile VALUES ('session_alias', '["nick f","dm:f:copy"]');
SELECT 'and by the name, which led elsewhere', session_deliver('nick f', 'fork me', '{"message_id":"f1"}') ->> '$.duplicate', 1;
SELECT session_archive('dm:f:9', '{"force":1}');
SELECT 'archived', session_deliver('dm:f:9', 'fork me', '{"message_id":"f1"}') ->> '$.duplicate', 1;
SELECT 'which it stays', (SELECT status FROM sessions WHERE label = 'dm:f:9'), 'archived';
INSERT INTO turnstile SELECT 'session_import', json_array(json(session_export('dm:f:9')), json('{"replace":1}'));
SELECT 'replaced by its own document', session_deliver('dm:f:9', 'fork me', '{"message_id":"f1"}') ->> '$.duplicate', 1;
INSERT INTO turnstile VALUES ('session_alias', '["nick f","dm:f:9"]');
SELECT 'and by the name', session_deliver('nick f', 'fork me', '{"message_id":"f1"}') ->> '$.duplicate', 1;
SELECT 'the message waits where it did, and in what was made of it', (SELECT group_concat(session_label || ' ' || n, ', ') FROM (SELECT session_label, count(*) AS n FROM session_queue
  WHERE message = 'fork me' GROUP BY 1 ORDER BY 1)), 'dm:f:9 1, dm:f:copy 1, forked 1';

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || problem, char(10)) FROM turnstile_check), NULL;
