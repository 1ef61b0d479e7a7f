-- relate.sql - session_relate: a relation between two things.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT session_start('main', 'add retries');
SELECT session_note('main', 'post() is called once');

---- What it returns and writes

SELECT 'it returns the edge''s id', session_relate('main', 'file:src/a.c', 'Calls', 'file:src/b:c.h', '{"weight":0.25,"evidence":"#include"}'), 1;
SELECT 'kind and reference part at the first colon', (SELECT json_array(session_label, from_kind, from_ref, label, to_kind, to_ref, weight, evidence, task_id, step_id, created_at, links) FROM edges),
  '["main","file","src/a.c","Calls","file","src/b:c.h",0.25,"#include",1,null,1767225600000,0]';
SELECT session_relate('main', 'note:1', 'Explains', 'task:1');
SELECT 'weight 1, no evidence, by themselves', (SELECT json_array(weight, evidence) FROM edges WHERE id = 2), '[1.0,null]';
SELECT 'a note and a task of the session are settled', (SELECT links FROM edges WHERE id = 2), 3;
SELECT session_relate('main', 'note:99', 'Explains', 'task:1');
SELECT 'a note that is not there is a word', (SELECT links FROM edges WHERE id = 3), 2;
SELECT session_start('other', 'add logs');
SELECT session_relate('other', 'note:1', 'Explains', 'file:a');
SELECT 'a note of another session is none of this one', (SELECT links FROM edges WHERE session_label = 'other'), 0;
SELECT 'the same relation twice is two edges', session_relate('main', 'a:b', 'E', 'c:d') < session_relate('main', 'a:b', 'E', 'c:d'), 1;
SELECT 'a weight of 0', session_relate('main', 'a:b', 'Zero', 'c:d', '{"weight":0}') > 0 AND (SELECT weight = 0 FROM edges WHERE label = 'Zero'), 1;

---- Refusals

CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES
  ('NULL, ''a:b'', ''E'', ''c:d''', 'label is missing'),
  ('''main'', NULL, ''E'', ''c:d''', 'from is missing'),
  ('''main'', ''a:b'', NULL, ''c:d''', 'edge is missing'),
  ('''main'', ''a:b'', ''E'', NULL', 'to is missing'),
  ('''main'', ''ab'', ''E'', ''c:d''', 'from is ''ab''; it must be KIND:REFERENCE, such as file:src/a.c, note:17 or task:3'),
  ('''main'', '':b'', ''E'', ''c:d''', 'from is '':b''; it must be KIND:REFERENCE, such as file:src/a.c, note:17 or task:3'),
  ('''main'', ''a:b'', ''E'', ''c:''', 'to is ''c:''; it must be KIND:REFERENCE, such as file:src/a.c, note:17 or task:3'),
  ('''main'', 7, ''E'', ''c:d''', 'from must be text, not an integer'),
  ('''main'', ''a:b'', '''', ''c:d''', 'edge is empty'),
  ('''main'', ''a:b'', ''E'', ''c:d'', ''{"weight":"1"}''', 'weight must be a number from 0 to 1, not text'),
  ('''main'', ''a:b'', ''E'', ''c:d'', ''{"weight":1.5}''', 'weight is 1.5; it must be from 0 to 1'),
  ('''main'', ''a:b'', ''E'', ''c:d'', ''{"weight":-0.1}''', 'weight is -0.1; it must be from 0 to 1'),
  ('''nobody'', ''a:b'', ''E'', ''c:d''', 'there is no session ''nobody''; session_deliver or session_start makes one');
SELECT args, error_of('SELECT session_relate(' || args || ')'), 'session_relate: ' || error FROM wrong;
SELECT 'the name of an edge has 256 bytes at most', error_of(printf('SELECT session_relate(''main'', ''a:b'', %Q, ''c:d'')', printf('%.257c', 'x'))),
  'session_relate: edge is 257 bytes long; at most 256 are allowed';

---- It is part of the chain

SELECT session_flush('main');
SELECT 'a flush takes it into the step', (SELECT count(*) FROM edges WHERE session_label = 'main' AND step_id IS NULL), 0;
SELECT session_compact('main', 'done');
SELECT 'the chain is sound', (SELECT count(*) FROM turnstile_check), 0;

---- A step names an edge by all that it says

CREATE TEMP TABLE hashed(label TEXT PRIMARY KEY, from_ref, relation, to_ref, options, is_alike);
INSERT INTO hashed VALUES ('as it is', 'file:a', 'DependsOn', 'file:b', '{"weight":0.5,"evidence":"seen"}', 1), ('the same', 'file:a', 'DependsOn', 'file:b', '{"weight":0.5,"evidence":"seen"}', 1),
  ('weight', 'file:a', 'DependsOn', 'file:b', '{"weight":0.25,"evidence":"seen"}', 0), ('evidence', 'file:a', 'DependsOn', 'file:b', '{"weight":0.5,"evidence":"heard"}', 0),
  ('from', 'file:c', 'DependsOn', 'file:b', '{"weight":0.5,"evidence":"seen"}', 0), ('from kind', 'dir:a', 'DependsOn', 'file:b', '{"weight":0.5,"evidence":"seen"}', 0),
  ('to', 'file:a', 'DependsOn', 'file:c', '{"weight":0.5,"evidence":"seen"}', 0), ('to kind', 'file:a', 'DependsOn', 'dir:b', '{"weight":0.5,"evidence":"seen"}', 0),
  ('label', 'file:a', 'Calls', 'file:b', '{"weight":0.5,"evidence":"seen"}', 0), ('when', 'file:a', 'DependsOn', 'file:b', '{"weight":0.5,"evidence":"seen","now":1767225600001}', 0);
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'x') FROM hashed;
INSERT INTO turnstile SELECT 'session_relate', json_array(label, from_ref, relation, to_ref, json(options)) FROM hashed;
SELECT session_flush(label) IS NOT NULL FROM hashed;
CREATE TEMP VIEW hash_of(label, payload) AS SELECT session_label, payload FROM steps JOIN tasks ON tasks.id = task_id WHERE step_kind <> 'SessionStart';
SELECT 'another hash by: ' || label, payload = (SELECT payload FROM hash_of WHERE label = 'as it is'), is_alike FROM hashed JOIN hash_of USING (label);
SELECT 'each was flushed', (SELECT count(*) FROM hashed JOIN hash_of USING (label)), 10;
