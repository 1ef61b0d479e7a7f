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

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || problem, char(10)) FROM turnstile_check), NULL;
