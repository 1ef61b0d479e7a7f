-- handing.sql - nothing that was handed over is settled by a guess: it waits for a turn, or its host has
-- said that it keeps none.
SELECT turnstile_install();
SELECT turnstile_clock(1000000);
CREATE TEMP TABLE r(name, j);
CREATE TEMP VIEW rows(label, line) AS SELECT session_label, group_concat(message || ' ' || status, ' | ')
  FROM (SELECT * FROM session_queue ORDER BY id) GROUP BY session_label;
CREATE TEMP VIEW given(name, line) AS SELECT name, (SELECT group_concat(value ->> '$.content', ' | ')
  FROM json_each(j, '$.messages')) FROM r;

---- A host dies between the decision and its turn

INSERT INTO r VALUES ('wall', session_deliver('main', 'build a wall', '{"class":"NewTask"}'));
INSERT INTO r VALUES ('roof', session_deliver('main', 'and a roof', '{"class":"Modification"}'));
SELECT 'the second answer hands both over', j ->> '$.action' || ': ' || (SELECT group_concat(ifnull(value ->> '$.label', '')
  || (value ->> '$.message'), ' | ') FROM json_each(j, '$.inputs')),
  'continue: Earlier message, still open:build a wall | and a roof' FROM r WHERE name = 'roof';
SELECT 'and says how a host without turns is one', instr(j ->> '$.notes[0]', 'sets keeps_turns to 0') > 0, 1
  FROM r WHERE name = 'roof';
SELECT 'the first does not', j -> '$.notes', NULL FROM r WHERE name = 'wall';
SELECT 'neither is settled', (SELECT line FROM rows WHERE label = 'main'), 'build a wall handed | and a roof handed';
SELECT 'both want attention', (SELECT group_concat(reason || ' ' || detail, ' | ') FROM (SELECT * FROM session_attention
  WHERE session_label = 'main' ORDER BY ref)), 'handed_input build a wall | handed_input and a roof';
SELECT 'recover shows them', (SELECT group_concat(value ->> '$.message', ' | ')
  FROM json_each(session_recover('main'), '$.handed')), 'build a wall | and a roof';
SELECT 'being handed over twice is one attempt', (SELECT group_concat(attempts) FROM session_queue), '1,1';
INSERT INTO r VALUES ('turn', turn_begin('main', 'w'));
SELECT 'one turn takes both', (SELECT line FROM given WHERE name = 'turn'), 'build a wall | and a roof';
SELECT 'and no other', error_of('SELECT turn_begin(''main'', ''v'')') LIKE 'turn_begin: session ''main'' is busy%', 1;
SELECT 'nothing wants attention', (SELECT count(*) FROM session_attention), 0;
SELECT turn_complete(j ->> '$.turn', j ->> '$.token') FROM r WHERE name = 'turn';
SELECT 'when it has ended they are settled', (SELECT line FROM rows WHERE label = 'main'),
  'build a wall delivered | and a roof delivered';
SELECT 'then there is nothing to do', turn_begin('main', 'w'), NULL;

-- Six hosts greet a new session; each message once, and none is lost.
INSERT INTO turnstile SELECT 'session_deliver', json_array('greet', 'hi', json_object('class', 'Clarification', 'message_id', value))
  FROM json_each('["1","2","3","4","5","6","6"]');
SELECT 'six greet', (SELECT group_concat(value ->> '$.queue_id' - first) FROM json_each(turn_begin('greet', 'w'), '$.messages'),
  (SELECT min(id) AS first FROM session_queue WHERE session_label = 'greet')), '0,1,2,3,4,5';

-- With an owner the turn takes what nobody has taken, too.
SELECT session_deliver('owned', 'build a wall', '{"class":"NewTask"}');
SELECT 'with an owner', (SELECT group_concat(value ->> '$.content', ' | ') FROM json_each(session_deliver('owned', 'and a roof',
  '{"class":"Modification","owner":"w"}'), '$.turn.messages')), 'build a wall | and a roof';

---- What settles it, and what does not

CREATE TEMP TABLE sign(name, command, args, settles);
INSERT INTO sign VALUES
  ('transition', 'session_transition', '["L","AwaitingUser",{"question":"Which?"}]', 0),
  ('note', 'session_note', '["L","read"]', 0), ('flush', 'session_flush', '["L"]', 0),
  ('observe', 'session_observe', '["L","FileRead","{}"]', 0),
  ('commit', 'session_compact', '["L","done"]', 0),
  ('recover', 'session_recover', '["L"]', 0), ('fork', 'session_run', '["L","w","starting"]', 0),
  ('timer', 'session_deliver', '["L","tick",{"source":"timer"}]', 0),
  ('more', 'session_deliver', '["L","more",{"class":"Modification"}]', 0),
  ('ok', 'session_deliver', '["L","ok",{"class":"Confirmation"}]', 0),
  ('another turn', 'turn_append', '["L",[{"role":"user","content":"something else"}]]', 0),
  ('a word of it', 'turn_append', '["L",[{"role":"user","content":"he said build a wall"}]]', 0),
  ('an answer', 'turn_append', '["L",[{"role":"user","content":"hm"},{"role":"assistant","content":"build a wall"}]]', 0),
  ('another input', 'turn_append', '["L",[{"role":"user","content":"build a wall","metadata":{"queue_id":1}}]]', 0),
  ('its turn', 'turn_append', '["L",[{"role":"user","content":"build a wall"},{"role":"assistant","content":"Built."}]]', 1),
  ('among lines', 'turn_append', '["L",[{"role":"user","content":"hi\nbuild a wall\nthanks"}]]', 1),
  ('with a time', 'turn_append', '["L",[{"role":"user","content":"[09:30] build a wall"}]]', 1),
  ('with a name', 'turn_append', '["L",[{"role":"user","content":[{"type":"text","text":"<ann> build a wall"}]}]]', 1),
  ('cancel', 'queue_cancel', '[QUEUE]', 1);
INSERT INTO turnstile SELECT 'session_deliver', json_array(name || option, 'build a wall', json_patch('{"class":"NewTask"}', option))
  FROM sign, (SELECT '{}' AS option UNION ALL SELECT '{"keeps_turns":0}');
INSERT INTO turnstile SELECT command, replace(replace(args, '"L"', json_quote(session_label)), 'QUEUE', q.id)
  FROM sign JOIN session_queue AS q ON q.session_label IN (name || '{}', name || '{"keeps_turns":0}');
SELECT name || ': a turn is awaited', (SELECT status = 'handed' FROM session_queue WHERE session_label = name || '{}'
  ORDER BY id LIMIT 1), NOT settles FROM sign;
SELECT name || ': no turn is kept', (SELECT status = 'handed' FROM session_queue WHERE session_label = name || '{"keeps_turns":0}'
  ORDER BY id LIMIT 1), name IN ('note', 'observe', 'recover', 'fork', 'ok') FROM sign;
INSERT INTO r VALUES ('number', session_deliver('by number', 'build a wall', '{"class":"NewTask"}'));
SELECT turn_append('by number', json_array(json_object('role', 'user', 'content', 'in other words',
  'metadata', json_object('queue_id', j ->> '$.queue_id')))) FROM r WHERE name = 'number';
SELECT 'by its number, whatever its text', (SELECT line FROM rows WHERE label = 'by number'), 'build a wall delivered';
-- The same words of two are two.
INSERT INTO turnstile VALUES ('session_deliver', '["twice","hi",{"class":"Clarification"}]'),
  ('session_deliver', '["twice","hi",{"class":"Clarification"}]'),
  ('turn_append', '["twice",[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello."}]]');
SELECT 'one turn with it settles one', (SELECT line FROM rows WHERE label = 'twice'), 'hi delivered | hi handed';
SELECT 'a turn begun by hand too', turn_begin('twice', 'w', '{"messages":[{"role":"user","content":"what is new?"}]}') IS NOT NULL, 1;
SELECT 'it leaves the other', (SELECT line FROM rows WHERE label = 'twice'), 'hi delivered | hi handed';

---- "ok" while nobody may be at work

INSERT INTO turnstile VALUES ('session_deliver', '["rouse","build a wall",{"class":"NewTask"}]');
SELECT 'it is handed over again', json_extract(session_deliver('rouse', 'ok', '{"class":"Confirmation"}'), '$.action', '$.class',
  '$.inputs[0].message'), '["continue","Confirmation","build a wall"]';
INSERT INTO turnstile VALUES ('session_deliver', '["asked","what is a wall?",{"class":"Clarification"}]');
SELECT 'a question is answered', session_deliver('asked', 'ok', '{"class":"Confirmation"}') ->> '$.action', 'answer';
SELECT 'a run is at work: it is not', json_extract(session_deliver('owned', 'ok', '{"class":"Confirmation"}'), '$.action', '$.inputs'),
  '["acknowledge",null]';

---- Stop

INSERT INTO turnstile VALUES ('session_deliver', '["stop","build a wall",{"class":"NewTask","sender":"ann"}]'),
  ('session_deliver', '["stop","what is a wall?",{"class":"Clarification","sender":"bob"}]'),
  ('session_deliver', '["stop","paint it",{"class":"Modification","sender":"bob"}]'),
  ('session_deliver', '["stop","tick",{"source":"timer"}]');
INSERT INTO r VALUES ('stop', session_deliver('stop', 'stop', '{"class":"Abandon","sender":"ann","owner":"w"}'));
SELECT 'what was handed over for the task is called off', json_array(j ->> '$.action', (SELECT group_concat(value ->> '$.message', ' | ')
  FROM json_each(j, '$.cancelled')), (SELECT group_concat(value ->> '$.message', ' | ') FROM json_each(j, '$.still_waiting')), j -> '$.turn'),
  '["abandon","build a wall | paint it","what is a wall? | tick",null]' FROM r WHERE name = 'stop';
SELECT 'and says why', (SELECT group_concat(message || ': ' || error, ' | ') FROM session_queue WHERE session_label = 'stop'
  AND status = 'cancelled'), 'build a wall: called off by its sender | paint it: the task was called off';
SELECT 'the next turn takes the others', (SELECT group_concat(value ->> '$.content', ' | ')
  FROM json_each(turn_begin('stop', 'w'), '$.messages')), 'what is a wall? | tick';
SELECT 'what was called off can be tried', queue_retry(id) = id, 1 FROM session_queue WHERE session_label = 'stop' AND message = 'paint it';
-- In a session in error a stop is heard, too.
SELECT session_start('broken', 'paint');
SELECT session_fail('broken', 'no money');
SELECT session_deliver('broken', 'build a wall', '{"sender":"ann"}') ->> '$.action';
SELECT session_deliver('broken', 'and a roof', '{"sender":"bob"}') ->> '$.action';
SELECT 'it calls off what its sender said', json_extract(session_deliver('broken', 'forget it', '{"sender":"ann","class":"Abandon"}'),
  '$.action', '$.class', '$.cancelled[0].message', '$.cancelled[1].message'), '["blocked",null,"build a wall",null]';
SELECT session_reopen('broken');
SELECT 'and nobody begins with that', turn_begin('broken', 'w') ->> '$.messages[0].content', 'and a roof';

---- The word of the host: the setting, for all and for a session

SELECT 'by default a host keeps turns', turnstile_config('keeps_turns'), 1;
SELECT 'not a number of them', error_of('SELECT turnstile_config(''keeps_turns'', 2)'),
  'turnstile_config: keeps_turns is 2; it must be from 0 to 1';
SELECT 'an owner keeps turns', error_of('SELECT session_deliver(''x'', ''y'', ''{"owner":"w","keeps_turns":0}'')'),
  'session_deliver: keeps_turns is 0, but the option owner begins a turn; give one of them';
SELECT 'nothing was done', (SELECT count(*) FROM sessions WHERE label = 'x'), 0;
INSERT INTO turnstile VALUES ('session_deliver', '["none","one",{"class":"NewTask"}]'), ('session_deliver', '["some","one",{"class":"NewTask"}]'),
  ('turnstile_config', '["keeps_turns",1,{"session":"some"}]'), ('turnstile_config', '["keeps_turns",0]'),
  ('session_deliver', '["none","two",{"class":"Modification"}]'), ('session_deliver', '["some","two",{"class":"Modification"}]');
SELECT 'it holds for what was handed over before', (SELECT line FROM rows WHERE label = 'none'), 'one delivered | two handed';
SELECT 'but where a session says otherwise', (SELECT line FROM rows WHERE label = 'some'), 'one handed | two handed';
SELECT 'of a host without turns nothing wants attention', (SELECT count(*) FROM session_attention WHERE session_label = 'none'), 0;
SELECT session_deliver('none', 'three', '{"class":"Modification","keeps_turns":1}');
SELECT 'and is not told twice', json_extract(session_deliver('none', 'four', '{"class":"Modification"}'), '$.inputs', '$.notes'), '[null,null]';
SELECT 'a delivery can say so for itself: it is settled as it was handed over', (SELECT line FROM rows WHERE label = 'none'),
  'one delivered | two delivered | three handed | four handed';
SELECT turnstile_config('keeps_turns', NULL, '{"session":"some","reset":1}');
SELECT session_deliver('some', 'three', '{"class":"Modification"}');
SELECT 'a session''s own word taken back', (SELECT line FROM rows WHERE label = 'some'), 'one delivered | two delivered | three handed';
SELECT session_start('chooses', 'paint');
SELECT session_deliver('chooses', 'build a wall', '{"class":"NewTask"}') ->> '$.action';
SELECT 'a choice hands over, too', session_choose('chooses', 'start_fresh', '{"keeps_turns":1}') ->> '$.action', 'start';
SELECT 'for a turn', (SELECT awaits_turn FROM session_queue WHERE session_label = 'chooses'), 1;
SELECT turnstile_config('keeps_turns', NULL, '{"reset":1}');

---- A file is archived only when nobody waits

SELECT turnstile_config('archive_after', '1m');
SELECT session_deliver('kept', 'tick', '{"source":"timer"}');
SELECT session_deliver('done', 'tick', '{"source":"timer","keeps_turns":0}');
SELECT session_sweep('{"now":90000000}');
SELECT 'what awaits a turn is awaited', (SELECT group_concat(label || ' ' || status, ', ') FROM (SELECT * FROM sessions
  WHERE label IN ('kept', 'done') ORDER BY label)), 'done archived, kept active';
SELECT session_suspend('kept');
SELECT 'and seen in a session that takes nothing', (SELECT reason FROM session_attention WHERE session_label = 'kept'), 'held_input';

---- Hosts of both kinds at one session: each input is handed to one of them, whoever comes when

CREATE TEMP TABLE both(n INTEGER PRIMARY KEY, label, command, args);
CREATE TEMP TABLE came(n, label, args, action AS (j ->> '$.action'), j);
CREATE TEMP TRIGGER goes_on AFTER INSERT ON both BEGIN
  INSERT INTO came VALUES (NEW.n, NEW.label, NEW.args, value_of(printf('INSERT INTO turnstile VALUES (%Q, %Q) RETURNING turnstile_result()',
    NEW.command, replace(replace(NEW.args, '"L"', json_quote(NEW.label)), 'TOKEN', ifnull((SELECT turn_id || ',' || token
    FROM session_runs WHERE session_label = NEW.label), '0,0')))));
  DELETE FROM came WHERE n = NEW.n AND NEW.command NOT IN ('session_deliver', 'turn_begin');
END;
-- What somebody has been handed: one message, several, or a turn with them.
CREATE TEMP VIEW got(label, n, given) AS
  SELECT label, n, args ->> 1 FROM came WHERE action IN ('start', 'continue', 'answer', 'compact') AND j -> '$.inputs' IS NULL
    AND j -> '$.turn' IS NULL
  UNION ALL SELECT label, n, value ->> '$.message' FROM came, json_each(j, '$.inputs') WHERE action IS NOT NULL AND j -> '$.turn' IS NULL
  UNION ALL SELECT label, n, value ->> '$.content' FROM came, json_each(j, iif(action IS NULL, '$.messages', '$.turn.messages'));
-- a: it is handed to the host without turns; the other one finds nothing, before and after a restart and a sweep.
INSERT INTO both(label, command, args) VALUES ('a', 'session_deliver', '["L","one",{"class":"NewTask","keeps_turns":0}]'),
  ('a', 'turn_begin', '["L","w"]'), ('a', 'turnstile_startup', '[null,{"all":1}]'), ('a', 'turn_begin', '["L","w"]'),
  ('a', 'session_sweep', '[]'), ('a', 'turn_begin', '["L","v"]'), ('a', 'session_recover', '["L"]'), ('a', 'turn_begin', '["L","w"]'),
  ('a', 'session_deliver', '["L","two",{"class":"Modification","owner":"w"}]'), ('a', 'turn_complete', '[TOKEN,{"content":"two"}]'),
  ('a', 'turn_begin', '["L","w"]');
-- b: the other one has a turn; what comes meanwhile waits, and goes to whoever asks first. A turn that comes to nothing
-- gives back what it had, and nothing else.
INSERT INTO both(label, command, args) VALUES ('b', 'queue_push', '["L","one",{"source":"timer"}]'), ('b', 'turn_begin', '["L","w"]'),
  ('b', 'session_deliver', '["L","two",{"source":"timer","keeps_turns":0}]'), ('b', 'turn_complete', '[TOKEN,{"content":"one"}]'),
  ('b', 'session_deliver', '["L","three",{"source":"timer","keeps_turns":0}]'), ('b', 'turn_begin', '["L","w"]'),
  ('b', 'queue_push', '["L","four",{"source":"timer"}]'), ('b', 'turn_begin', '["L","w"]'), ('b', 'turn_complete', '[TOKEN,{"content":"four"}]'),
  ('b', 'turn_begin', '["L","w"]'), ('b', 'session_deliver', '["L","five",{"source":"timer","keeps_turns":0}]'),
  ('b', 'turn_begin', '["L","w"]');
-- c: the setting says that nobody keeps turns; an owner does all the same.
INSERT INTO turnstile VALUES ('queue_push', '["c","zero",{"source":"timer"}]'), ('turnstile_config', '["keeps_turns",0,{"session":"c"}]');
INSERT INTO both(label, command, args) VALUES ('c', 'session_deliver', '["L","one",{"source":"timer","owner":"w"}]'),
  ('c', 'turn_complete', '[TOKEN,{"content":"one"}]'), ('c', 'session_deliver', '["L","two",{"source":"timer"}]'), ('c', 'turn_begin', '["L","w"]'),
  ('c', 'session_deliver', '["L","/compact",{"source":"timer"}]'), ('c', 'turn_begin', '["L","w"]'),
  ('c', 'turn_compact_begin', '["L","w"]'), ('c', 'turn_complete', '[TOKEN]');
-- d: it is handed over for a turn; then a host without turns comes, and has its own message alone.
INSERT INTO both(label, command, args) VALUES ('d', 'session_deliver', '["L","one",{"source":"timer"}]'),
  ('d', 'session_deliver', '["L","two",{"source":"timer","keeps_turns":0}]'), ('d', 'turn_begin', '["L","w"]'),
  ('d', 'turn_abort', '[TOKEN,"no",{"requeue":1}]'), ('d', 'session_deliver', '["L","three",{"source":"timer","keeps_turns":0}]'),
  ('d', 'turn_begin', '["L","w"]');
-- e: back to before the first turn: it has begun, and nobody begins with it again.
INSERT INTO both(label, command, args) VALUES ('e', 'turn_append', '["L",[{"role":"user","content":"zero"}]]'),
  ('e', 'session_deliver', '["L","one",{"class":"NewTask","keeps_turns":0}]'), ('e', 'session_rewind', '["L",null]'), ('e', 'turn_begin', '["L","w"]'),
  ('e', 'session_deliver', '["L","two",{"class":"NewTask"}]'), ('e', 'turn_begin', '["L","w"]');
SELECT label || ': who got what, and when', group_concat(at || ' ' || given, ', '), CASE label WHEN 'a' THEN '1 one, 9 two'
  WHEN 'b' THEN '2 one, 5 two, 5 three, 8 four, 11 five' WHEN 'c' THEN '1 zero, 1 one, 3 two, 5 /compact'
  WHEN 'd' THEN '1 one, 2 two, 3 one, 5 one, 5 three' ELSE '2 one, 5 two, 6 two' END
FROM (SELECT g.label, given, n - (SELECT min(n) FROM both AS b WHERE b.label = g.label) + 1 AS at FROM got AS g ORDER BY n) GROUP BY label;
SELECT 'turn_begin has nothing, and so says the end of the turn before', turn_begin('a', 'w'), NULL;
INSERT INTO turnstile VALUES ('session_deliver', '["f","one",{"source":"timer","keeps_turns":0}]'), ('turn_begin', '["f","w",{"messages":[{"role":"user","content":"x"}]}]');
SELECT 'nothing waits for a turn', turn_complete(turn_id, token, '{"content":"x"}') ->> '$.waiting', 0 FROM session_runs WHERE session_label = 'f';
SELECT 'its host has it still', (SELECT line FROM rows WHERE label = 'f'), 'one handed';
SELECT turnstile_config('keeps_turns', 1, '{"session":"f"}');
SELECT 'until somebody says that it keeps turns', turn_begin('f', 'w') ->> '$.messages[0].content', 'one';
SELECT session_deliver('g', 'build a wall', '{"class":"NewTask","keeps_turns":0}') IS NOT NULL;
SELECT 'a rewind says what is done', session_rewind('g', NULL) ->> '$.notes[0]', '''build a wall'' was handed to a host that keeps no turns, and stays done';

SELECT 'the file is sound', (SELECT count(*) FROM turnstile_check()), 0;
