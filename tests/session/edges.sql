-- edges.sql - values at and beyond the edges that the other files do not come near.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);
SELECT session_start('s', 'add retries', '{"request_id":"r"}');
SELECT turn_append('s', '[{"role":"user","content":"one"}]');
SELECT turn_append('s', '[{"role":"user","content":"two"}]');
SELECT turn_append('s', '[{"role":"user","content":"three"}]');

---- Names that are shown are cut, and stay text

CREATE TEMP TABLE long(x);
INSERT INTO long VALUES (printf('%.59c', 'a') || 'éé' || printf('%.30c', 'b'));
SELECT 'an unknown option', error_of('SELECT session_note(''s'', ''x'', ''{"' || x || '":1}'')') LIKE
  'session_note: unknown option ''' || printf('%.59c', 'a') || '%''; it takes: %', 1 FROM long;
SELECT 'cut between characters', error_of('SELECT session_note(''s'', ''x'', ''{"' || x || '":1}'')') LIKE
  '%aa…''; it takes%', 1 FROM long;
SELECT 'an unknown word', error_of('SELECT session_run(''s'', ''p'', ''' || x || ''')') LIKE
  'session_run: % is ''' || printf('%.59c', 'a') || '%''; it must be one of: %', 1 FROM long;
SELECT 'a field of usage', error_of('SELECT turn_append(''s'', ''[{"role":"user","content":"x"}]'', ''{"usage":{"'
  || x || '":1}}'')') LIKE 'turn_append: usage has no field ''' || printf('%.59c', 'a') || '%''; it takes %', 1 FROM long;
SELECT 'a prefix', error_of('SELECT turnstile_install(''{"prefix":"' || x || '"}'')') LIKE
  'turnstile_install: prefix is ''' || printf('%.59c', 'a') || '%''; it must be %', 1 FROM long;
SELECT 'a command', error_of('INSERT INTO turnstile VALUES(''' || x || ''', ''[]'')') LIKE 'turnstile: command % is unknown; %', 1 FROM long;

---- Prefixes

SELECT 'of an underscore', turnstile_install('{"prefix":"_"}'), 6;
SELECT 'of capitals and digits', turnstile_install('{"prefix":"Z9_"}'), 6;
SELECT turnstile_use('main', 'Z9_');
SELECT 'they work', session_start('s', 'x') IS NOT NULL, 1;
SELECT turnstile_use('main', NULL);
SELECT 'NULL is none', session_state('s') ->> '$.task' IS NOT NULL, 1;
SELECT turnstile_use(NULL, NULL);
SELECT 'and NULL is main', session_state('s') ->> '$.task' IS NOT NULL, 1;
SELECT 'a digit in front', error_of('SELECT turnstile_use(''main'', ''9x'')') LIKE 'turnstile_use: prefix %', 1;
SELECT 'a letter with a dot', error_of('SELECT turnstile_use(''main'', ''é'')') LIKE 'turnstile_use: prefix %', 1;
SELECT 'of SQLite', error_of('SELECT turnstile_use(''main'', ''SQLite_'')') LIKE 'turnstile_use: prefix %', 1;

---- A request_id again, with another command or with other arguments

SELECT 'by another command', error_of('SELECT session_note(''s'', ''x'', ''{"request_id":"r"}'')'),
  'session_note: request_id ''r'' was used before for session_start with other arguments; use a new one';
SELECT 'with the same arguments', error_of('SELECT session_run(''s'', ''p'', ''add retries'', ''{"request_id":"r"}'')') LIKE
  'session_run: %', 1;

---- Bounds of turn_path

CREATE TEMP TABLE bounds(condition, expected);
INSERT INTO bounds VALUES
  ('depth >= -100', 3), ('depth > -9223372036854775808', 3), ('depth <= 9223372036854775807', 3),
  ('depth >= 9223372036854775807', 0), ('depth = 16777216', 0), ('depth = -1', 0), ('depth < 0', 0),
  ('depth < ''x''', 3), ('depth > ''x''', 0), ('depth < 1.5', 2), ('depth = 1.0', 1), ('depth = NULL', 0),
  ('depth > x''00''', 0), ('depth >= 1 AND depth >= 2', 1), ('depth > 0 AND depth < 2', 1),
  ('depth = 1 AND depth = 2', 0), ('depth <= 1 AND depth <= 0', 1), ('turn_id = -5', 0),
  ('turn_id = 16777217', 1), ('turn_id = 16777217.0', 1), ('turn_id = ''x''', 0), ('turn_id = NULL', 0),
  ('turn_id = 16777217 AND depth = 0', 0), ('turn_id > 16777217', 1), ('depth IN (0, 2, 7)', 2),
  ('depth BETWEEN 2 AND 1', 0), ('depth IS NULL', 0), ('depth IS 1', 1);
SELECT condition || ordered || cut, value_of('SELECT count(*) FROM (SELECT * FROM turn_path(''s'') WHERE ' || condition || ordered || cut || ')'),
  CASE cut WHEN ' LIMIT 0' THEN 0 WHEN ' LIMIT 1' THEN min(expected, 1) WHEN ' LIMIT 2 OFFSET 1' THEN min(2, max(0, expected - 1))
           WHEN ' LIMIT -1 OFFSET 99999999' THEN 0 ELSE expected END
FROM bounds, (SELECT '' AS ordered UNION ALL SELECT ' ORDER BY depth' UNION ALL SELECT ' ORDER BY depth DESC'
              UNION ALL SELECT ' ORDER BY turn_id, depth'),
  (SELECT '' AS cut UNION ALL SELECT ' LIMIT 0' UNION ALL SELECT ' LIMIT 1' UNION ALL SELECT ' LIMIT -1'
   UNION ALL SELECT ' LIMIT 2 OFFSET 1' UNION ALL SELECT ' LIMIT -1 OFFSET -1' UNION ALL SELECT ' LIMIT -1 OFFSET 99999999'
   UNION ALL SELECT ' LIMIT 9223372036854775807');
SELECT 'the last first', (SELECT group_concat(depth) FROM (SELECT depth FROM turn_path('s') ORDER BY depth DESC LIMIT 2)), '2,1';
SELECT 'of nobody', error_of('SELECT * FROM turn_path(''nobody'')') LIKE 'turn_path: there is no session ''nobody''%', 1;

---- Usage

SELECT 'a field that is null', turn_append('s', '[{"role":"user","content":"x"}]', '{"usage":{"input_tokens":null,"output_tokens":3}}') IS NOT NULL, 1;
SELECT 'the sum of what is there', (SELECT total_tokens FROM sessions WHERE label = 's'), 3;
SELECT 'only input', turn_append('s', '[{"role":"user","content":"x"}]', '{"usage":{"input_tokens":4,"output_tokens":0}}') IS NOT NULL, 1;
SELECT 'a total that is given stands', turn_append('s', '[{"role":"user","content":"x"}]', '{"usage":{"input_tokens":4,"total_tokens":9}}') IS NOT NULL, 1;

---- What is kept

SELECT 'statements are kept', (SELECT count(*) > 10 AND min(runs) > 0 AND sum(prefix = 'Z9_') > 0 AND min(rowid) >= 0 FROM turnstile_cache), 1;
SELECT 'for main alone', (SELECT group_concat(DISTINCT schema) FROM turnstile_cache), 'main';

---- Commands do not run inside commands

CREATE TEMP TRIGGER inside AFTER INSERT ON main.observations BEGIN SELECT turnstile_install(); END;
SELECT 'turnstile_install', error_of('SELECT session_note(''s'', ''x'')'), 'session_note: turnstile_install: it can''t run inside a command';
DROP TRIGGER inside;
CREATE TEMP TRIGGER inside AFTER INSERT ON main.observations BEGIN SELECT turnstile_renew(); END;
SELECT 'turnstile_renew', error_of('SELECT session_note(''s'', ''x'')'), 'session_note: turnstile_renew: it can''t run inside a command';
DROP TRIGGER inside;
CREATE TEMP TRIGGER inside AFTER INSERT ON main.observations BEGIN SELECT session_state('s'); END;
SELECT 'session_state', error_of('SELECT session_note(''s'', ''x'')'), 'session_note: session_state: a command can''t run inside another command';
DROP TRIGGER inside;

---- What turnstile_install needs

DELETE FROM turnstile_meta WHERE key = 'uuid';
UPDATE turnstile_meta SET value = 4 WHERE key = 'schema_version';
SELECT 'a file without a uuid', error_of('SELECT turnstile_install()'), 'turnstile_install: turnstile_meta holds no uuid; the file is damaged';
