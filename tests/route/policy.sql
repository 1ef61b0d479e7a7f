-- policy.sql - turnstile_policy_check, by itself and through the triggers of session_policies: what a row may hold.

SELECT turnstile_install();
SELECT 'all is well: NULL', turnstile_policy_check('mine[:{delivery.peer_id}]:{principal.entity_id}:{persona}', 'p', '{"principal":{"type":"known","entity_id":["a","b"]},"delivery":{"channel":"sms","n":7,"b":true,"none":null}}'), NULL;
SELECT 'no persona, no conditions', turnstile_policy_check('x', NULL, '{}'), NULL;
CREATE TEMP TABLE wrong(template, persona, "match", error);
INSERT INTO wrong VALUES
  ('x:{', NULL, '{}', 'session_policies: key_template has {}; it can hold {delivery.FIELD}, {principal.entity_id}, {principal.type} and {persona}'),
  ('x:{sender}', NULL, '{}', 'session_policies: key_template has {sender}; it can hold {delivery.FIELD}, {principal.entity_id}, {principal.type} and {persona}'),
  ('x[:{delivery.y}', NULL, '{}', 'session_policies: key_template has a [ without a ]'),
  ('x', '', '{}', 'session_policies: persona_id is empty; NULL means no persona'),
  ('x', NULL, '[]', 'session_policies.match: it must be {"principal":{"type"|"entity_id":…},"delivery":{field:…}} with values or lists of values'),
  ('x', NULL, '{"other":{}}', 'session_policies.match: it must be {"principal":{"type"|"entity_id":…},"delivery":{field:…}} with values or lists of values'),
  ('x', NULL, '{"principal":{"name":"a"}}', 'session_policies.match: it must be {"principal":{"type"|"entity_id":…},"delivery":{field:…}} with values or lists of values'),
  ('x', NULL, '{"delivery":{"a":{}}}', 'session_policies.match: it must be {"principal":{"type"|"entity_id":…},"delivery":{field:…}} with values or lists of values'),
  ('x', NULL, '{"delivery":{"a":[]}}', 'session_policies.match: it must be {"principal":{"type"|"entity_id":…},"delivery":{field:…}} with values or lists of values'),
  ('x', NULL, '{"delivery":{"a":[[1]]}}', 'session_policies.match: it must be {"principal":{"type"|"entity_id":…},"delivery":{field:…}} with values or lists of values'),
  ('x', NULL, '{"principal":{"type":"maybe"}}', 'session_policies.match: principal.type is known or unknown');
SELECT template || ' ' || ifnull(persona, '-') || ' ' || "match", error_of(printf('SELECT turnstile_policy_check(%Q, %Q, %Q)', template, persona, "match")), error FROM wrong;
SELECT 'the same when it is written: ' || template || "match", error_of(printf('INSERT INTO session_policies(name, key_template, persona_id, "match") VALUES (''n'', %Q, %Q, %Q)', template, persona, "match")), error FROM wrong;
SELECT 'a persona of 257 bytes', error_of(printf('SELECT turnstile_policy_check(''x'', %Q, ''{}'')', printf('%.257c', 'p'))) LIKE 'session_policies: persona_id %256%', 1;
INSERT INTO session_policies(name, key_template) VALUES ('mine', 'x');
SELECT 'and when it is changed', error_of('UPDATE session_policies SET key_template = ''x:{'' WHERE name = ''mine'''),
  'session_policies: key_template has {}; it can hold {delivery.FIELD}, {principal.entity_id}, {principal.type} and {persona}';
SELECT 'the row is as it was', (SELECT key_template FROM session_policies WHERE name = 'mine'), 'x';
