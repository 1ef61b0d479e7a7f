-- route.sql - session_route: where a message would go, and why. It only reads. key.sql has the keys.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT 'all of it', session_route('{"channel":"slack","peer_kind":"group","peer_id":"C02","thread_id":17}'),
  '{"label":"group:slack:C02:thread:17","key":"group:slack:C02:thread:17","via":"new","policy":"group-session","persona":null,"principal":{"type":"unknown","entity_id":null},"asked":3,"passed_over":[{"policy":"known-dm","because":"delivery.peer_kind is group, not dm"},{"policy":"unknown-dm","because":"delivery.peer_kind is group, not dm"}]}';
SELECT 'nothing is written', dump_of() = d, 1 FROM was;
CREATE TEMP TABLE dm(e);
INSERT INTO dm VALUES ('{"channel":"sms","sender_id":"+1","peer_kind":"dm","peer_id":"+1"}');
SELECT 'via new', json_extract(session_route(e), '$.via', '$.label', '$.key'), '["new","dm:sms:+1","dm:sms:+1"]' FROM dm;
SELECT session_start('dm:sms:+1', 'x');
SELECT 'via session', json_extract(session_route(e), '$.via', '$.label'), '["session","dm:sms:+1"]' FROM dm;
SELECT identity_link('sms', '+1', 'rosa');
SELECT 'who is known: a key of the entity, an alias that the link has made', json_extract(session_route(e), '$.via', '$.label', '$.key', '$.policy', '$.principal.type', '$.principal.entity_id', '$.asked'),
  '["alias","dm:sms:+1","dm:rosa","known-dm","known","rosa",1]' FROM dm;
SELECT identity_unlink('sms', '+1');
SELECT session_start('far', 'x');
INSERT INTO session_policies(name, key_template, priority, persona_id, "match") VALUES ('mine', 'mine:{delivery.sender_id}', 100, 'p', '{"delivery":{"channel":["sms","mms"]}}');
SELECT 'a policy of one''s own comes first, with its persona', json_extract(session_route(e), '$.policy', '$.key', '$.persona', '$.asked'), '["mine","mine:+1","p",1]' FROM dm;
SELECT session_alias('mine:+1', 'far');
SELECT 'via alias', json_extract(session_route(e), '$.via', '$.label'), '["alias","far"]' FROM dm;
SELECT 'another channel passes it over', session_route('{"channel":"tel","sender_id":"+1","peer_kind":"dm","peer_id":"+1"}') -> '$.passed_over[0]',
  '{"policy":"mine","because":"delivery.channel is tel, not sms or mms"}';

---- Both doors

INSERT INTO turnstile(command, args) SELECT 'session_route', json_array(json(e)) FROM dm RETURNING 'the door', turnstile_result() ->> '$.label', 'far';
INSERT INTO turnstile(command, args) SELECT 'session_route', json_object('envelope', json(e)) FROM dm RETURNING 'by name', turnstile_result() ->> '$.label', 'far';
SELECT 'delivered there', session_deliver(NULL, 'hello', json_object('envelope', json(e))) ->> '$.session', 'far' FROM dm;

---- Refusals

CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES ('NULL', 'envelope is missing'), ('''[]''', 'envelope must be a JSON object, not a JSON array'), ('''{''', 'envelope is not valid JSON'), ('''{"a":[1]}''', 'envelope: a must be text or a number, not a JSON array'),
  ('''{"sender_id":"s","peer_kind":"dm"}''', 'policy ''unknown-dm'' makes its key with {delivery.channel}, which is not given');
SELECT args, error_of('SELECT session_route(' || args || ')'), 'session_route: ' || error FROM wrong;
SELECT 'too many fields', error_of(printf('SELECT session_route(%Q)', (WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 33) SELECT json_group_object('f' || n, n) FROM n))),
  'session_route: envelope has more than 32 fields';
UPDATE session_policies SET enabled = 0 WHERE name <> 'mine';
SELECT 'no policy matches', error_of('SELECT session_route(''{"channel":"tel","sender_id":"s"}'')'),
  'session_route: no row of session_policies matches this envelope; the last one, ''mine'', does not because delivery.channel is tel, not sms or mms';
UPDATE session_policies SET enabled = 0;
SELECT 'no policy at all', error_of('SELECT session_route(''{"channel":"tel"}'')'), 'session_route: session_policies has no row that is enabled; it needs one that matches';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
