-- key.sql - session_key and session_key_parse, the policies, session_route, and envelopes.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

---- session_key

SELECT 'an entity', session_key('dm', 'rosa'), 'dm:rosa';
SELECT 'a sender of a channel', session_key('dm', 'whatsapp', '+15550001111'),
  'dm:whatsapp:+15550001111';
SELECT 'a group', session_key('group', 'slack', 'C02'), 'group:slack:C02';
SELECT 'a thread of a group', session_key('group', 'slack', 'C02', '17'),
  'group:slack:C02:thread:17';
SELECT 'a worker', session_key('worker', '01J'), 'worker:01J';
SELECT 'the system', session_key('system', 'nightly'), 'system:nightly';
SELECT 'integers', session_key('group', 'tg', -100123, 9223372036854775807),
  'group:tg:-100123:thread:9223372036854775807';
SELECT 'a thread can be 0', session_key('group', 'tg', 1, 0), 'group:tg:1:thread:0';
SELECT 'a thread can be NULL', session_key('group', 'slack', 'C02', NULL), 'group:slack:C02';
SELECT 'colon and percent', session_key('dm', 'wa', 'a:b%c'), 'dm:wa:a%3Ab%25c';
SELECT 'an escape given literally', session_key('dm', '%3A'), 'dm:%253A';
SELECT 'control characters', session_key('dm', 'a' || char(10, 9, 31, 127, 1)),
  'dm:a%0A%09%1F%7F%01';
SELECT 'above them nothing is', session_key('dm', char(0x80, 0x9f, 0x202e, 0x1f600, 0x10ffff)),
  'dm:' || char(0x80, 0x9f, 0x202e, 0x1f600, 0x10ffff);
SELECT 'as it came, not composed',
  session_key('dm', char(0xe9)) = session_key('dm', 'e' || char(0x301)), 0;
SELECT 'spaces, brackets, braces', session_key('dm', ' [x]{y} '), 'dm: [x]{y} ';
SELECT 'the longest', length(session_key('dm', printf('%.1021c', 'a'))), 1024;
SELECT 'pure', error_of('CREATE TABLE keyed(a, k AS (session_key(''dm'', a)));
  INSERT INTO keyed(a) VALUES (''x''); CREATE INDEX keyed_k ON keyed(k); DROP TABLE keyed'), NULL;
SELECT 'and so is parsing', error_of('CREATE TABLE keyed(k, j AS (session_key_parse(k)));
  INSERT INTO keyed(k) VALUES (''dm:x''); CREATE INDEX keyed_j ON keyed(j); DROP TABLE keyed'),
  NULL;

CREATE TEMP TABLE wrong(name, call, error);
INSERT INTO wrong VALUES
  ('one byte longer', '''dm'', printf(''%.1022c'', ''a'')',
   'the key would be 1025 bytes long; a label has at most 1024'),
  ('4 KB', '''dm'', printf(''%.4096c'', ''a'')',
   'the key would be 4099 bytes long; a label has at most 1024'),
  ('too long by its escapes', '''dm'', printf(''%.341c'', '':'')',
   'the key would be 1026 bytes long; a label has at most 1024'),
  ('NUL', '''dm'', ''a'' || char(0) || ''b''', 'entity holds a NUL character'),
  ('nothing but NUL', '''dm'', ''wa'', char(0)', 'sender holds a NUL character'),
  ('a cut-off character', '''dm'', CAST(x''c3'' AS TEXT)', 'entity is not valid UTF-8'),
  ('a byte that is none', '''dm'', CAST(x''61ff'' AS TEXT)', 'entity is not valid UTF-8'),
  ('a surrogate', '''dm'', CAST(x''eda080'' AS TEXT)', 'entity is not valid UTF-8'),
  ('a NUL in two bytes', '''dm'', CAST(x''c080'' AS TEXT)', 'entity is not valid UTF-8'),
  ('beyond the last character', '''dm'', CAST(x''f4908080'' AS TEXT)',
   'entity is not valid UTF-8'),
  ('an empty entity', '''dm'', ''''', 'entity is empty'),
  ('an empty channel', '''dm'', '''', ''x''', 'channel is empty'),
  ('an empty thread', '''group'', ''a'', ''b'', ''''', 'thread is empty'),
  ('REAL', '''dm'', 1.5', 'entity is a number with a fraction; it must be text or an integer'),
  ('BLOB', '''group'', x''61'', ''b''', 'channel is a BLOB; it must be text or an integer'),
  ('NULL in the middle', '''group'', NULL, ''b''',
  'channel is NULL; it must be text or an integer');
SELECT name, error_of('SELECT session_key(' || call || ')'), 'session_key: ' || error FROM wrong;
INSERT INTO wrong SELECT 'usage ' || value, value, '' FROM json_each(json_array('', 'NULL, ''a''',
  '''dm''', '''dm'', NULL', '''dm'', ''a'', ''b'', ''c''', '''group'', ''a''', '''DM'', ''a''',
  '''worker'', ''a'', ''b''', '''system''', '''persona'', ''a''', '5, 5',
  'x''646d'', ''a'', ''b'', ''c'''));
SELECT name, error_of('SELECT session_key(' || call || ')'),
  'session_key: it takes (''dm'', entity), (''dm'', channel, sender), ' ||
  '(''group'', channel, peer [, thread]), (''worker'', id) or (''system'', purpose)'
FROM wrong WHERE error = '';

---- session_key_parse

SELECT 'taken apart: ' || column1, session_key_parse(column1), column2 FROM (VALUES
  ('dm:rosa', '{"kind":"dm","entity":"rosa"}'),
  ('dm:wa:+1', '{"kind":"dm","channel":"wa","sender":"+1"}'),
  ('group:slack:C%3A1', '{"kind":"group","channel":"slack","peer":"C:1"}'),
  ('group:a:b:thread:c', '{"kind":"group","channel":"a","peer":"b","thread":"c"}'),
  ('worker:w', '{"kind":"worker","id":"w"}'),
  ('system:s', '{"kind":"system","purpose":"s"}'),
  ('dm:a:persona:b', '{"kind":"dm","entity":"a","persona":"b"}'),
  ('dm:a:b:persona:c', '{"kind":"dm","channel":"a","sender":"b","persona":"c"}'),
  ('group:a:b:persona:d', '{"kind":"group","channel":"a","peer":"b","persona":"d"}'),
  ('group:a:b:thread:c:persona:d',
   '{"kind":"group","channel":"a","peer":"b","thread":"c","persona":"d"}'),
  -- Words that stand for themselves.
  ('dm:thread', '{"kind":"dm","entity":"thread"}'),
  ('dm:persona:x', '{"kind":"dm","channel":"persona","sender":"x"}'),
  ('dm:persona:persona:x', '{"kind":"dm","entity":"persona","persona":"x"}'),
  ('group:thread:thread', '{"kind":"group","channel":"thread","peer":"thread"}'),
  ('dm:%25%1F%7F', '{"kind":"dm","entity":"%\u001f' || char(127) || '"}'));
SELECT 'no key: ' || quote(column1), session_key_parse(column1), NULL FROM (VALUES
  (''), (':'), ('dm'), ('dm:'), ('dm::'), ('dm::x'), ('dm:x:'), ('DM:x'), ('x:y'), ('dm:a:b:c'),
  ('group:a'), ('group:a:b:c'), ('group:a:b:thread'), ('group:a:b:thread:'), ('worker:a:b'),
  ('group:a:b:thread:c:d'), ('group:a:b:persona:c:thread:d'), ('dm:a:persona:'), ('system:a:b'),
  ('worker:a:persona:b'), ('dm:a:b:c:d:e:f:g:h'), (' dm:a'), ('dm:a' || char(10)),
  ('dm:a' || char(127)), ('dm:' || char(0)), ('dm:a' || char(0)), ('dm:a' || char(0) || ':b'),
  -- Escapes that session_key does not write.
  ('dm:%3a'), ('dm:%41'), ('dm:%00'), ('dm:%'), ('dm:%2'), ('dm:%zz'), ('dm:a%3'), ('dm:%C3%A9'),
  ('dm:%%3A'), ('dm:%+1'), ('dm%3Aa'),
  (NULL), (5), (1.5), (x'646d3a61'), ('dm:' || printf('%.1022c', 'a')));
SELECT 'the longest key', length(session_key_parse('dm:' || printf('%.1021c', 'a')) ->> '$.entity'),
  1021;
-- What is not valid UTF-8 can't come from session_key.
SELECT 'not valid UTF-8: ' || hex(k), session_key_parse(k) IS NULL, 1
FROM (SELECT CAST('dm:' || CAST(column1 AS TEXT) AS TEXT) AS k FROM (VALUES
  (x'ff'), (x'c3'), (x'eda080'), (x'c080'), (x'61ff62')));

-- What stands for no text makes no key: two senders would share it.
SELECT 'U+FFFD: ' || value, error_of('SELECT session_key(' || value || ')'),
  'session_key: ' || substr('entitysenderpeer  ', 1 + 6 * key, iif(key = 2, 4, 6)) ||
  ' holds U+FFFD, which stands for a byte that is not text'
FROM json_each(json_array('''dm'', char(0xfffd)', '''dm'', ''c'', ''a'' || char(0xfffd)',
  '''group'', ''c'', char(0xfffd) || ''a'', ''t'''));
SELECT 'nor is it taken for one', session_key_parse('dm:' || char(0xfffd)) IS NULL AND
  session_key_parse('dm:c:a' || char(0xfffd)) IS NULL, 1;
SELECT 'its neighbours make keys', session_key('dm', char(0xfffc, 0xfffb)), 'dm:' ||
  char(0xfffc, 0xfffb);
SELECT 'a sender that was no text', error_of('SELECT session_route(''{"channel":"c",
  "sender_id":"a\u0000b"}'')'), 'session_route: policy ''unknown-dm'' makes its key with ' ||
  '{delivery.sender_id}, which holds U+FFFD, which stands for a byte that is not text';

-- There and back.
CREATE TEMP TABLE parts(p);
INSERT INTO parts VALUES ('a'), (':'), ('%'), ('%3A'), ('%253A'), ('::'), ('a:b'), (' '),
  ('thread'),
  ('persona'), ('dm'), (char(10)), ('a' || char(10) || 'b' || char(13)), (char(1)), (char(127)),
  (char(0x80)), (char(0x202e) || 'abc' || char(0x202c)), (char(0x200f)), (char(0x200b)),
  ('e' || char(0x301)), (char(0xe9)), (char(0x1f469, 0x200d, 0x1f467)), (char(0xfffc)),
  (char(0xfeff)), ('"quoted"'), ('back\slash'), ('{delivery.channel}'), ('[x]'), ('é:ü%'),
  (printf('%.330c', ':')), (printf('%.900c', 'x'));
SELECT 'an entity comes back: ' || substr(p, 1, 20),
  json_extract(session_key_parse(session_key('dm', p)), '$.kind', '$.entity'), json_array('dm', p)
FROM parts;
SELECT 'two parts come back', (SELECT count(*) FROM parts AS a, parts AS b
  WHERE length(session_key('dm', 'x')) > 0 AND length(a.p) < 300 AND length(b.p) < 300
    AND (session_key_parse(session_key('dm', a.p, b.p)) ->> '$.channel' IS NOT a.p
      OR session_key_parse(session_key('dm', a.p, b.p)) ->> '$.sender' IS NOT b.p)), 0;
SELECT 'three parts come back', (SELECT count(*) FROM parts AS a, parts AS b, parts AS c
  WHERE length(a.p) < 100 AND length(b.p) < 100 AND length(c.p) < 100
    AND json_array(session_key_parse(session_key('group', a.p, b.p, c.p)) ->> '$.channel',
      session_key_parse(session_key('group', a.p, b.p, c.p)) ->> '$.peer',
      session_key_parse(session_key('group', a.p, b.p, c.p)) ->> '$.thread')
      IS NOT json_array(a.p, b.p, c.p)), 0;
SELECT 'no two have one key', (SELECT count(*) - count(DISTINCT k) FROM (
    SELECT session_key('dm', p) AS k FROM parts UNION ALL
    SELECT session_key('dm', a.p, b.p) FROM parts AS a, parts AS b
      WHERE length(a.p) < 300 AND length(b.p) < 300 UNION ALL
    SELECT session_key('group', a.p, b.p) FROM parts AS a, parts AS b
      WHERE length(a.p) < 300 AND length(b.p) < 300 UNION ALL
    SELECT session_key('group', a.p, b.p, c.p) FROM parts AS a, parts AS b, parts AS c
      WHERE length(a.p) < 100 AND length(b.p) < 100 AND length(c.p) < 100)), 0;

---- session_policies: what is refused

CREATE TEMP TABLE bad(name, sql);
INSERT INTO bad SELECT 'match ' || value, value FROM json_each(json_array('not json', '', '{"a":1',
  '{"delivery":{"a":1}} x'));
SELECT name, error_of(printf('INSERT INTO session_policies(name, "match", key_template)
    VALUES (''bad'', %Q, ''x'')', sql)), 'session_policies.match: it must be a JSON object' FROM
  bad;
SELECT name || ', at an update', error_of(printf('UPDATE session_policies SET "match" = %Q', sql)),
  'session_policies.match: it must be a JSON object' FROM bad;
DELETE FROM bad;
INSERT INTO bad SELECT 'match ' || value, value FROM json_each(json_array('[]', '5', '"x"', 'null',
  '{"principal":5}', '{"delivery":[]}', '{"other":{}}', '{"principal":{"name":"x"}}',
  '{"delivery":{"a":{}}}', '{"delivery":{"a":[]}}', '{"delivery":{"a":[[1]]}}',
  '{"delivery":{"a":["x",{}]}}', '{"principal":{"type":"known"},"delivery":null}'));
SELECT name, error_of(printf('INSERT INTO session_policies(name, "match", key_template)
    VALUES (''bad'', %Q, ''x'')', sql)) LIKE 'session_policies.match: it must be {"principal":%', 1
FROM bad;
SELECT name || ', at an update', error_of(printf('UPDATE session_policies SET "match" = %Q', sql))
  LIKE 'session_policies.match: it must be {"principal":%', 1 FROM bad;
INSERT INTO session_policies(name, key_template, enabled) VALUES ('upserted', 'x', 0);
SELECT name || ', at an UPSERT', error_of(printf('INSERT INTO session_policies(name, key_template)
    VALUES (''upserted'', ''x'') ON CONFLICT(name) DO UPDATE SET "match" = %Q', sql))
  LIKE 'session_policies.match: it must be {"principal":%', 1 FROM bad;
DELETE FROM session_policies WHERE name = 'upserted';
SELECT name || ', at a REPLACE', error_of(printf('REPLACE INTO session_policies(name, "match",
    key_template) VALUES (''known-dm'', %Q, ''x'')', sql))
  LIKE 'session_policies.match: it must be {"principal":%', 1 FROM bad;
DELETE FROM bad;
INSERT INTO bad VALUES ('', 'key_template is empty'), ('[a', 'key_template has a [ without a ]'),
  ('a]', 'key_template has a ] without a ['), (']a[', 'key_template has a ] without a ['),
  ('[a[b]]', 'key_template has a [ inside []'), ('a[', 'key_template has a [ without a ]'),
  (printf('%.4097c', 'a'), 'key_template is 4097 bytes long; at most 4096 are allowed');
INSERT INTO bad SELECT value, 'key_template has ' || value || '; it can hold {delivery.FIELD}, ' ||
  '{principal.entity_id}, {principal.type} and {persona}' FROM json_each(json_array('{}', '{x}',
  '{delivery.}', '{delivery.a b}', '{delivery.a-b}', '{Delivery.a}', '{principal}',
  '{principal.name}', '{persona.id}', '{delivery}', '{ persona}', '{delivery.a{b}',
  '{delivery.é}'));
SELECT 'template ' || substr(name, 1, 30), error_of(printf('INSERT INTO session_policies(name,
    key_template) VALUES (''bad'', %Q)', name)), 'session_policies: ' || sql FROM bad;
SELECT 'template ' || substr(name, 1, 30) || ', at an update', error_of(printf(
    'UPDATE session_policies SET key_template = %Q', name)), 'session_policies: ' || sql FROM bad;
SELECT 'an open brace', error_of('INSERT INTO session_policies(name, key_template)
    VALUES (''bad'', ''a{persona'')') LIKE 'session_policies: key_template has %', 1;
INSERT INTO session_policies(name, key_template, enabled) VALUES ('once', 'x', 0);
SELECT 'a name is used once', error_of('INSERT INTO session_policies(name, key_template)
    VALUES (''once'', ''x'')'), 'UNIQUE constraint failed: session_policies.name';
DELETE FROM session_policies WHERE name = 'once';
SELECT 'the three built-in ones are left', (SELECT group_concat(name || priority || origin)
  FROM session_policies), 'known-dm0builtin,unknown-dm0builtin,group-session0builtin';

---- session_route with the built-in policies

SELECT 'a stranger', session_route('{"channel":"wa","sender_id":"+1:2"}'),
  '{"label":"dm:wa:+1%3A2","key":"dm:wa:+1%3A2","via":"new","policy":"unknown-dm","persona":null,'
  ||
  '"principal":{"type":"unknown","entity_id":null},"asked":2,"passed_over":[{"policy":"known-dm",'
  ||
  '"because":"principal.type is unknown, not known"}]}';
SELECT 'it makes nothing', (SELECT count(*) FROM sessions), 0;
SELECT identity_link('wa', '+9', 'rosa:x');
SELECT 'somebody known', session_route('{"channel":"wa","sender_id":"+9"}'),
  '{"label":"dm:rosa%3Ax","key":"dm:rosa%3Ax","via":"new","policy":"known-dm","persona":null,' ||
  '"principal":{"type":"known","entity_id":"rosa:x"},"asked":1,"passed_over":[]}';
SELECT 'peer_kind dm said aloud',
  session_route('{"channel":"wa","sender_id":"+9","peer_kind":"dm"}') ->> '$.key', 'dm:rosa%3Ax';
SELECT 'a group, of somebody known', session_route('{"channel":"wa","sender_id":"+9",
    "peer_kind":"group","peer_id":"g1"}') ->> '$.key', 'group:wa:g1';
SELECT 'a thread', session_route('{"channel":"wa","peer_kind":"group","peer_id":"g1",
    "thread_id":17}') ->> '$.key', 'group:wa:g1:thread:17';
SELECT 'an empty thread is none', session_route('{"channel":"wa","peer_kind":"group",
    "peer_id":"g1","thread_id":""}') ->> '$.key', 'group:wa:g1';
SELECT 'a null thread too', session_route('{"channel":"wa","peer_kind":"group","peer_id":"g1",
    "thread_id":null}') ->> '$.key', 'group:wa:g1';
SELECT 'why not the others', session_route('{"channel":"wa","peer_kind":"group","peer_id":"g"}')
    -> '$.passed_over', '[{"policy":"known-dm","because":"delivery.peer_kind is group, not dm"},' ||
  '{"policy":"unknown-dm","because":"delivery.peer_kind is group, not dm"}]';
-- What the envelope claims about its sender counts for nothing.
SELECT 'nobody makes himself known', session_route('{"channel":"wa","sender_id":"+1",
    "entity_id":"rosa:x","type":"known","principal.type":"known"}') ->> '$.key', 'dm:wa:+1';
SELECT 'numbers are text', session_route('{"channel":5,"sender_id":-7}') ->> '$.key', 'dm:5:-7';
SELECT 'emoji and the like', session_route(json_object('channel', 'x' || char(0x202e), 'sender_id',
    char(0x1f600, 10))) ->> '$.key', session_key('dm', 'x' || char(0x202e), char(0x1f600, 10));
SELECT 'a session that is there', session_start('dm:wa:+1', 'x') > 0, 1;
SELECT 'is found', json_extract(session_route('{"channel":"wa","sender_id":"+1"}'), '$.label',
  '$.via'), '["dm:wa:+1","session"]';
SELECT session_alias('dm:wa:+2', 'dm:wa:+1');
SELECT 'by an alias', json_extract(session_route('{"channel":"wa","sender_id":"+2"}'), '$.label',
  '$.key', '$.via'), '["dm:wa:+1","dm:wa:+2","alias"]';

CREATE TEMP TABLE odd(e, error);
INSERT INTO odd VALUES
  ('x', 'envelope is not valid JSON'), ('[]', 'envelope must be a JSON object, not a JSON array'),
  ('"x"', 'envelope must be a JSON object, not a JSON text'),
  ('null', 'envelope must be a JSON object, not a JSON null'),
  (NULL, 'envelope is missing'),
  ('{"channel":{"a":1}}', 'envelope: channel must be text or a number, not a JSON object'),
  ('{"x":[1]}', 'envelope: x must be text or a number, not a JSON array'),
  ('{}', 'policy ''unknown-dm'' makes its key with {delivery.channel}, which is not given'),
  ('{"channel":"c"}',
   'policy ''unknown-dm'' makes its key with {delivery.sender_id}, which is not given'),
  ('{"channel":"c","sender_id":""}',
   'policy ''unknown-dm'' makes its key with {delivery.sender_id}, which is not given'),
  ('{"channel":"c","peer_kind":"group"}',
   'policy ''group-session'' makes its key with {delivery.peer_id}, which is not given'),
  ('{"peer_kind":"room"}', 'no row of session_policies matches this envelope; the last one, ' ||
   '''group-session'', does not because delivery.peer_kind is room, not group');
SELECT 'envelope ' || ifnull(e, 'NULL'), error_of(printf('SELECT session_route(%Q)', e)),
  'session_route: ' || error FROM odd;
SELECT 'the same of session_deliver: ' || e, error_of(printf('SELECT session_deliver(NULL, ''x'',
    json_object(''envelope'', json(%Q)))', e)), 'session_deliver: ' || error
FROM odd WHERE json_valid(e) AND json_type(e) = 'object';
SELECT 'a key that is too long', error_of('SELECT session_route(json_object(''channel'', ''c'',
    ''peer_kind'', ''group'', ''peer_id'', printf(''%.2000c'', ''x'')))'),
  'session_route: the key of policy ''group-session'' would be 2008 bytes long; a label has at ' ||
  'most 1024';
SELECT 'a name that session_deliver would refuse', error_of('SELECT session_route(json_object(
    ''channel'', ''c'', ''sender_id'', printf(''%.257c'', ''x'')))'),
  'session_route: envelope: sender_id is 257 bytes long; at most 256 are allowed';
SELECT 'whole numbers, whoever sends them', session_key('dm', 'wa', 2.0), 'dm:wa:2';
SELECT 'in an envelope: ' || value, session_route('{"channel":"wa","sender_id":' || value || '}')
  ->> '$.key', 'dm:wa:17' FROM json_each('["17","17.0","1.7e1","\"17\""]');
SELECT 'as an argument', identity_link('wa', 17.0, 'r17') ->> '$.key', 'dm:r17';
SELECT 'and at the door', value_of('INSERT INTO turnstile VALUES (''identity_unlink'', ' ||
  '''["wa",17.0]'') RETURNING turnstile_result()') ->> '$.key', 'dm:wa:17';
SELECT 'a number that would be rounded: ' || value, error_of('SELECT session_route(''{"channel":"wa",' ||
  '"sender_id":' || value || '}'')'),
  'session_route: envelope: sender_id is too large for a number; give it as text'
FROM json_each('["12345678901234567890","9223372036854775808","1e300","-1e17"]');
SELECT 'a large integer is kept', session_route('{"channel":"wa","sender_id":9223372036854775807}')
  ->> '$.key', 'dm:wa:9223372036854775807';
SELECT 'a fraction as it is', session_route('{"channel":"wa","sender_id":0.5}') ->> '$.key',
  'dm:wa:0.5';
SELECT 'too many fields',
  error_of('SELECT session_route((SELECT json_group_object(''f'' || value, 1)
    FROM generate_series(1, 40)))') LIKE 'session_route: envelope has more than 32 fields', 1;

---- Policies of one's own

INSERT INTO session_policies(priority, name, "match", key_template, persona_id) VALUES
  (20, 'list', '{"delivery":{"channel":["slack","teams",7]}}', 'list:{delivery.channel}', NULL),
  (30, 'first', '{"delivery":{"channel":"slack","kind":"b"}}', 'first', NULL),
  (30, 'second', '{"delivery":{"channel":"slack"}}', 'second[:{delivery.n}]', NULL),
  (15, 'absent', '{"delivery":{"channel":"x","reply_to":null}}', 'absent', NULL),
  (14, 'absent or 0', '{"delivery":{"channel":"y","reply_to":[null,0]}}', 'absent0', NULL),
  (13, 'boolean', '{"delivery":{"channel":"z","bot":true}}', 'bot', NULL),
  (12, 'number', '{"delivery":{"level":[2,3.5]}}', 'level:{delivery.level}', NULL),
  (11, 'entity', '{"principal":{"entity_id":["rosa:x","bo"]},"delivery":{"channel":"wa"}}',
   'e:{principal.type}:{principal.entity_id}', NULL),
  (10, 'optional', '{"delivery":{"channel":"opt"}}',
   '[a:{delivery.a}:]o[:{delivery.b}:{delivery.c}][:{persona}]', NULL),
  (9, 'voice', '{"delivery":{"channel":"voice"}}', 'v:{persona}[:{delivery.a}]', 'p:1'),
  (8, 'everything', '{"delivery":{"channel":"all"}}', 'all', NULL),
  (8, 'never reached', '{"delivery":{"channel":"all"}}', 'never', NULL),
  (7, 'maybe empty', '{"delivery":{"channel":"none"}}', '[{delivery.a}]', NULL),
  (-5, 'last', '{}', 'lost and found', 'clerk');
CREATE TEMP TABLE routed(e, key, policy);
INSERT INTO routed VALUES
  ('{"channel":"slack"}', 'second', 'second'),
  ('{"channel":"slack","n":0}', 'second:0', 'second'),
  ('{"channel":"slack","kind":"b"}', 'first', 'first'),
  ('{"channel":"teams"}', 'list:teams', 'list'),
  ('{"channel":7}', 'list:7', 'list'),
  ('{"channel":"7"}', 'list:7', 'list'),
  ('{"channel":"x"}', 'absent', 'absent'),
  ('{"channel":"x","reply_to":null}', 'absent', 'absent'),
  ('{"channel":"x","reply_to":""}', 'absent', 'absent'),
  ('{"channel":"x","reply_to":0,"sender_id":"s"}', 'dm:x:s', 'unknown-dm'),
  ('{"channel":"y","reply_to":0}', 'absent0', 'absent or 0'),
  ('{"channel":"y"}', 'absent0', 'absent or 0'),
  ('{"channel":"z","bot":true}', 'bot', 'boolean'),
  ('{"channel":"z","bot":"true"}', 'bot', 'boolean'),
  ('{"channel":"z","bot":1,"sender_id":"s"}', 'dm:z:s', 'unknown-dm'),
  ('{"channel":"z","bot":false,"sender_id":"s"}', 'dm:z:s', 'unknown-dm'),
  ('{"level":2}', 'level:2', 'number'),
  ('{"level":"2"}', 'level:2', 'number'),
  ('{"level":3.50}', 'level:3.5', 'number'),
  ('{"channel":"wa","sender_id":"+9"}', 'e:known:rosa%3Ax', 'entity'),
  ('{"channel":"opt"}', 'o', 'optional'),
  ('{"channel":"opt","a":"x:"}', 'a:x%3A:o', 'optional'),
  ('{"channel":"opt","b":1}', 'o', 'optional'),
  ('{"channel":"opt","b":1,"c":"%"}', 'o:1:%25', 'optional'),
  ('{"channel":"opt","a":0,"b":1,"c":2}', 'a:0:o:1:2', 'optional'),
  ('{"channel":"voice"}', 'v:p%3A1', 'voice'),
  ('{"channel":"voice","a":"b"}', 'v:p%3A1:b', 'voice'),
  ('{"channel":"all"}', 'all', 'everything'),
  ('{"channel":"none","a":"x"}', 'x', 'maybe empty'),
  ('{"peer_kind":"room"}', 'lost and found', 'last');
SELECT 'route ' || e, json_extract(session_route(e), '$.key', '$.policy'), json_array(key, policy)
FROM routed;
SELECT 'an empty key', error_of('SELECT session_route(''{"channel":"none"}'')'),
  'session_route: the key of policy ''maybe empty'' is empty';
SELECT 'the persona is told', session_route('{"channel":"voice"}') ->> '$.persona', 'p:1';
SELECT 'why: several values', (SELECT value ->> '$.because' FROM json_each(session_route(
    '{"peer_kind":"room"}'), '$.passed_over') WHERE value ->> '$.policy' = 'list'),
  'delivery.channel is not given, not slack or teams or 7';
SELECT 'why: the first ten', json_array_length(session_route('{"peer_kind":"room"}'),
  '$.passed_over'), 10;
SELECT 'how many were asked', session_route('{"peer_kind":"room"}') ->> '$.asked', 17;
SELECT 'why: present', session_route('{"channel":"x","reply_to":4,"sender_id":"s"}')
  ->> '$.passed_over[3].because', 'delivery.reply_to is 4, not without';

-- Changes count at once.
UPDATE session_policies SET priority = 40 WHERE name = 'never reached';
SELECT 'another priority', session_route('{"channel":"all"}') ->> '$.policy', 'never reached';
UPDATE session_policies SET enabled = 0 WHERE name = 'never reached';
SELECT 'disabled', session_route('{"channel":"all"}') ->> '$.policy', 'everything';
UPDATE session_policies SET "match" = '{"delivery":{"channel":"every"}}' WHERE name = 'everything';
SELECT 'another match', session_route('{"channel":"every"}') ->> '$.policy', 'everything';
UPDATE session_policies SET key_template = 'now {delivery.channel}' WHERE name = 'everything';
SELECT 'another template', session_route('{"channel":"every"}') ->> '$.key', 'now every';
UPDATE session_policies SET persona_id = 'z' WHERE name = 'everything';
SELECT 'another persona', session_route('{"channel":"every"}') ->> '$.persona', 'z';
DELETE FROM session_policies WHERE name = 'everything';
SELECT 'deleted', session_route('{"channel":"every","sender_id":1}') ->> '$.policy', 'unknown-dm';
REPLACE INTO session_policies(name, key_template, priority) VALUES ('last', 'replaced', 99);
SELECT 'replaced', session_route('{}') ->> '$.key', 'replaced';
INSERT INTO session_policies(name, key_template) VALUES ('last', 'x')
  ON CONFLICT(name) DO UPDATE SET key_template = 'upserted';
SELECT 'upserted', session_route('{}') ->> '$.key', 'upserted';
DELETE FROM session_policies WHERE origin = 'user';

-- What a transaction takes back, the connection does not go on with.
SELECT 'before', session_route('{"channel":"c","sender_id":1}') ->> '$.key', 'dm:c:1';
BEGIN;
UPDATE session_policies SET key_template = 'in the transaction' WHERE name = 'unknown-dm';
SELECT 'within', session_route('{"channel":"c","sender_id":1}') ->> '$.key', 'in the transaction';
ROLLBACK;
SELECT 'rolled back', session_route('{"channel":"c","sender_id":1}') ->> '$.key', 'dm:c:1';
BEGIN;
UPDATE session_policies SET key_template = 'version 2' WHERE name = 'unknown-dm';
SELECT 'once more within', session_route('{"channel":"c","sender_id":1}') ->> '$.key', 'version 2';
ROLLBACK;
UPDATE session_policies SET key_template = 'another version 2' WHERE name = 'unknown-dm';
SELECT 'other rows under the same version', session_route('{"channel":"c","sender_id":1}')
  ->> '$.key', 'another version 2';
BEGIN;
UPDATE session_policies SET key_template = 'unseen' WHERE name = 'unknown-dm';
ROLLBACK;
SELECT 'never looked at', session_route('{"channel":"c","sender_id":1}') ->> '$.key',
  'another version 2';
BEGIN;
SAVEPOINT one;
UPDATE session_policies SET key_template = 'one' WHERE name = 'unknown-dm';
SELECT 'in a savepoint', session_route('{"channel":"c","sender_id":1}') ->> '$.key', 'one';
ROLLBACK TO one;
SELECT 'back', session_route('{"channel":"c","sender_id":1}') ->> '$.key', 'another version 2';
UPDATE session_policies SET key_template = 'two' WHERE name = 'unknown-dm';
SELECT 'another one instead', session_route('{"channel":"c","sender_id":1}') ->> '$.key', 'two';
COMMIT;
SELECT 'committed', session_route('{"channel":"c","sender_id":1}') ->> '$.key', 'two';
SELECT 'a statement that fails', error_of('UPDATE session_policies SET key_template =
    iif(name = ''group-session'', ''{'', ''half done'')') IS NOT NULL, 1;
SELECT 'has changed nothing', session_route('{"channel":"c","sender_id":1}') ->> '$.key', 'two';
BEGIN;
DELETE FROM session_policies WHERE name = 'unknown-dm';
SELECT 'deleted within', error_of('SELECT session_route(''{"channel":"c","sender_id":1}'')')
  LIKE 'session_route: no row of session_policies matches%', 1;
ROLLBACK;
SELECT 'the deletion rolled back', session_route('{"channel":"c","sender_id":1}') ->> '$.key',
  'two';
BEGIN;
DELETE FROM session_policies WHERE name = 'known-dm';
SELECT 'deleted, looked at', session_route('{"channel":"c","sender_id":1}') ->> '$.key', 'two';
ROLLBACK;
-- A deletion counts for as many changes as the id says and one.
INSERT INTO session_policies(priority, name, key_template)
  SELECT value, 'p' || value, 'number ' || value FROM generate_series(1, 1001);
SELECT 'as many changes after a deletion that did not come to be',
  session_route('{"channel":"c","sender_id":1}') ->> '$.key', 'number 1001';
DELETE FROM session_policies WHERE origin = 'user';
UPDATE session_policies SET key_template = 'dm:{delivery.channel}:{delivery.sender_id}'
  WHERE name = 'unknown-dm';
UPDATE session_policies SET enabled = 0;
SELECT 'none is enabled', error_of('SELECT session_route(''{}'')'), 'session_route: ' ||
  'session_policies has no row that is enabled; it needs one that matches';
UPDATE session_policies SET enabled = 1;

---- envelope in session_deliver

CREATE TEMP TABLE r(n INTEGER PRIMARY KEY, d);
INSERT INTO r VALUES (1, session_deliver(NULL, 'write a report', '{"envelope":{"channel":"wa",
  "sender_id":"+5"}}'));
SELECT 'it finds the session', (SELECT json_extract(d, '$.session', '$.action', '$.route') FROM r
  WHERE n = 1), '["dm:wa:+5","start",' ||
  '{"key":"dm:wa:+5","policy":"unknown-dm","persona":null}]';
SELECT 'and says who wrote', (SELECT channel || ' ' || sender FROM deliveries ORDER BY id DESC),
  'wa +5';
SELECT 'the decision is kept with it', (SELECT decision = (SELECT d FROM r WHERE n = 1)
  FROM deliveries ORDER BY id DESC), 1;
INSERT INTO r VALUES (2, session_deliver(NULL, 'in red', '{"class":"Modification",
  "channel":"mail","sender":"me","envelope":{"channel":"wa","sender_id":"+5"}}'));
SELECT 'options go first', (SELECT session_label || ' ' || channel || ' ' || sender
  FROM deliveries ORDER BY id DESC), 'dm:wa:+5 mail me';
INSERT INTO r VALUES (3, session_deliver('of its own', 'write a poem', '{"envelope":{"channel":"wa",
  "sender_id":"+5"}}'));
SELECT 'with a label nothing is routed', (SELECT json_extract(d, '$.session', '$.route') FROM r
  WHERE n = 3), '["of its own",null]';
SELECT 'but who wrote is said', (SELECT channel || ' ' || sender FROM deliveries ORDER BY id DESC),
  'wa +5';
SELECT 'no label and no envelope', error_of('SELECT session_deliver(NULL, ''x'')'),
  'session_deliver: label is missing; it can be NULL only with the option envelope';
SELECT 'queue_push has none', error_of('SELECT queue_push(NULL, ''x'',
  ''{"envelope":{"channel":"wa","sender_id":"+5"}}'')') LIKE 'queue_push: %', 1;
SELECT 'an envelope that is no object', error_of('SELECT session_deliver(NULL, ''x'',
  ''{"envelope":5}'')') LIKE 'session_deliver: envelope must be a JSON object%', 1;
SELECT 'by the door', value_of('INSERT INTO turnstile VALUES (''session_deliver'', ''[null,"blue",
  {"class":"Modification","envelope":{"channel":"wa","sender_id":"+5"}}]'')
  RETURNING turnstile_result()') ->> '$.session', 'dm:wa:+5';
SELECT 'by name', value_of('INSERT INTO turnstile VALUES (''session_deliver'', ''{"message":"bold",
  "class":"Modification","envelope":{"channel":"wa","sender_id":"+5"}}'')
  RETURNING turnstile_result()') ->> '$.session', 'dm:wa:+5';
INSERT INTO r VALUES (4, session_deliver(NULL, 'once', '{"message_id":"m1","class":"Modification",
  "envelope":{"channel":"wa","sender_id":"+5"}}'));
SELECT 'the same again', session_deliver(NULL, 'once', '{"message_id":"m1","class":"Modification",
  "envelope":{"channel":"wa","sender_id":"+5"}}') ->> '$.duplicate', 1;
SELECT 'of another sender it is another', session_deliver(NULL, 'once', '{"message_id":"m1",
  "envelope":{"channel":"wa","sender_id":"+6"}}') ->> '$.session', 'dm:wa:+6';
SELECT 'a label that is too long', error_of('SELECT session_deliver(NULL, ''x'', json_object(
  ''envelope'', json_object(''channel'', ''c'', ''sender_id'', printf(''%.1100c'', ''x''))))')
  LIKE 'session_deliver: envelope: sender_id is 1100 bytes long; at most %', 1;

---- Personas

INSERT INTO session_policies(priority, name, "match", key_template, persona_id) VALUES
  (9, 'clerk', '{"delivery":{"channel":"c1"}}', 'desk', 'clerk'),
  (9, 'boss', '{"delivery":{"channel":"c2"}}', 'desk', 'bo:ss'),
  (9, 'anybody', '{"delivery":{"channel":"c3"}}', 'desk', NULL);
SELECT session_deliver(NULL, 'hello', '{"envelope":{"channel":"c1"}}');
SELECT 'the session gets the policy''s', (SELECT persona_id FROM sessions WHERE label = 'desk'),
  'clerk';
SELECT 'another persona, another key', json_extract(session_route('{"channel":"c2"}'), '$.label',
  '$.via', '$.persona'), '["desk:persona:bo%3Ass","new","bo:ss"]';
SELECT 'and session', session_deliver(NULL, 'hello', '{"envelope":{"channel":"c2"}}')
  ->> '$.session', 'desk:persona:bo%3Ass';
SELECT 'of that persona', (SELECT persona_id FROM sessions
  WHERE label = 'desk:persona:bo%3Ass'), 'bo:ss';
SELECT 'none takes any', session_route('{"channel":"c3"}') ->> '$.label', 'desk';
SELECT 'the first goes on', session_route('{"channel":"c1"}') ->> '$.label', 'desk';
SELECT 'a delivery can say another', session_deliver(NULL, 'hello', '{"persona":"me",
  "envelope":{"channel":"c4","sender_id":"s"}}') ->> '$.session' ||
  (SELECT persona_id FROM sessions WHERE label = 'dm:c4:s'), 'dm:c4:sme';
SELECT session_start('plain', 'x');
UPDATE session_policies SET key_template = 'plain' WHERE name = 'boss';
SELECT 'a session without one takes any', session_route('{"channel":"c2"}') ->> '$.label', 'plain';
UPDATE session_policies SET key_template = printf('%.1015c', 'k') WHERE name IN ('clerk', 'boss');
SELECT session_deliver(NULL, 'hello', '{"envelope":{"channel":"c1"}}') IS NOT NULL;
SELECT 'no room for the persona', error_of('SELECT session_route(''{"channel":"c2"}'')'),
  'session_route: the key would be 1031 bytes long; a label has at most 1024';
UPDATE session_policies SET key_template = 'desk' WHERE name IN ('clerk', 'boss');

-- What a persona has of its own stays its own, also when the plain key comes free.
SELECT session_delete('desk', '{"force":1}') IS NOT NULL;
SELECT 'the other''s session is gone', json_extract(session_route('{"channel":"c2"}'), '$.label',
  '$.via'), '["desk:persona:bo%3Ass","session"]';
SELECT 'the plain key is free', json_extract(session_route('{"channel":"c1"}'), '$.label', '$.via'),
  '["desk","new"]';
SELECT session_alias('desk:persona:clerk', 'plain');
SELECT 'an alias of the persona''s key', json_extract(session_route('{"channel":"c1"}'), '$.label',
  '$.key', '$.via'), '["plain","desk:persona:clerk","alias"]';

-- Personas, templates, types of principals that can't be.
CREATE TEMP TABLE refused(what, sql, error);
INSERT INTO refused VALUES
  ('an empty persona', 'persona_id = ''''', 'persona_id is empty; NULL means no persona'),
  ('a long one', 'persona_id = printf(''%.257c'', ''x'')',
   'persona_id is 257 bytes long; at most 256 are allowed'),
  ('one with NUL', 'persona_id = ''a'' || char(0)', 'persona_id holds a NUL character'),
  ('one with U+FFFD', 'persona_id = ''a'' || char(65533)',
   'persona_id holds U+FFFD, which stands for a byte that is not text'),
  ('a template with NUL', 'key_template = ''a'' || char(0) || ''b''',
   'key_template holds a NUL character');
SELECT what, error_of('UPDATE session_policies SET ' || sql || ' WHERE name = ''boss'''),
  'session_policies: ' || error FROM refused;
SELECT 'when it is inserted', error_of('INSERT INTO session_policies(name, key_template, persona_id)
  VALUES (''new'', ''x'', '''')'), 'session_policies: persona_id is empty; NULL means no persona';
SELECT 'the longest', error_of('UPDATE session_policies SET persona_id = printf(''%.256c'', ''x'')
  WHERE name = ''boss'''), NULL;
SELECT 'a type: ' || value, error_of(printf('UPDATE session_policies SET "match" = %Q
  WHERE name = ''boss''', value)), 'session_policies.match: principal.type is known or unknown'
FROM json_each(json_array('{"principal":{"type":"Known"}}', '{"principal":{"type":null}}',
  '{"principal":{"type":["known","stranger"]}}', '{"principal":{"type":1}}',
  '{"principal":{"type":[null]}}'));
SELECT 'a type at an insert', error_of('INSERT INTO session_policies(name, key_template, "match")
  VALUES (''new'', ''x'', ''{"principal":{"type":"x"}}'')'),
  'session_policies.match: principal.type is known or unknown';
SELECT 'both types', error_of('UPDATE session_policies SET "match" =
  ''{"principal":{"type":["known","unknown"]},"delivery":{"channel":"c2"}}''
  WHERE name = ''boss'''), NULL;

---- A policy of one's own with the name of a built-in one

DELETE FROM session_policies;
INSERT INTO session_policies(priority, name, match, key_template, origin) VALUES
  (0, 'known-dm', '{"principal":{"type":"known"},"delivery":{"peer_kind":"dm"}}', 'dm:{principal.entity_id}', 'builtin'),
  (0, 'unknown-dm', '{"principal":{"type":"unknown"},"delivery":{"peer_kind":"dm"}}',
   'dm:{delivery.channel}:{delivery.sender_id}', 'builtin'),
  (0, 'group-session', '{"delivery":{"peer_kind":"group"}}', 'group:{delivery.channel}:{delivery.peer_id}', 'builtin');

INSERT INTO session_policies(name, match, key_template, persona_id) VALUES
  ('known-dm', '{"principal":{"type":"known"},"delivery":{"peer_kind":"dm"}}', 'dm:{principal.entity_id}', 'atlas');
INSERT INTO session_policies(name, match, key_template, persona_id) VALUES
  ('unknown-dm', '{"principal":{"type":"unknown"},"delivery":{"peer_kind":"dm"}}',
   'dm:{delivery.channel}:{delivery.sender_id}', 'atlas');
INSERT INTO session_policies(name, match, key_template, persona_id) VALUES
  ('group-session', '{"delivery":{"peer_kind":"group"}}', 'group:{delivery.channel}:{delivery.peer_id}', 'atlas');
SELECT 'the built-in ones stay', (SELECT group_concat(name) FROM session_policies WHERE origin = 'builtin'),
  'known-dm (built in),unknown-dm (built in),group-session (built in)';
SELECT 'one''s own is asked first', json_extract(session_route('{"channel":"own","sender_id":"u9"}'), '$.policy',
  '$.persona', '$.key'), '["unknown-dm","atlas","dm:own:u9"]';
SELECT 'a name of one''s own stands once', error_of('INSERT INTO session_policies(name, key_template)
  VALUES (''known-dm'', ''x'')') LIKE '%UNIQUE%', 1;
UPDATE session_policies SET name = 'known' WHERE name = 'known-dm';
UPDATE session_policies SET name = 'known-dm (built in)' WHERE name = 'known';
SELECT 'renamed to it', (SELECT group_concat(name) FROM (SELECT name FROM
  session_policies WHERE name LIKE 'known-dm%' ORDER BY name)), 'known-dm (built in),known-dm (built in) (built in)';
SELECT 'the policies are sound', (SELECT group_concat(rule) FROM turnstile_check), NULL;
