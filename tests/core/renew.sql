-- renew.sql - turnstile_renew: a copy becomes a file of its own.

SELECT turnstile_install('{"uuid":"first"}');
SELECT turnstile_clock(1767225600000);
CREATE TEMP VIEW meta AS SELECT (SELECT value FROM turnstile_meta WHERE key = 'uuid') AS uuid, (SELECT value FROM turnstile_meta WHERE key = 'door_key') AS door_key;
SELECT session_start('main', 'x');
CREATE TEMP TABLE was AS SELECT * FROM meta;
SELECT 'it returns the new uuid', turnstile_renew('{"uuid":"the-copy"}'), 'the-copy';
SELECT 'which is the file''s', uuid, 'the-copy' FROM meta;
SELECT 'the key is another one', meta.door_key <> was.door_key, 1 FROM meta, was;
SELECT 'nothing returns it', instr(turnstile_renew('{"uuid":"again"}'), door_key), 0 FROM meta;
SELECT 'the door opens', session_note('main', 'n') > 0, 1;
INSERT INTO turnstile(command, args) VALUES ('session_note', '["main","o"]') RETURNING 'on both sides', turnstile_result() > 0, 1;
SELECT 'a random one by itself', turnstile_renew() <> turnstile_renew(), 1;
DELETE FROM was;
INSERT INTO was SELECT * FROM meta;
BEGIN;
SELECT turnstile_renew();
SELECT session_note('main', 'inside');
ROLLBACK;
SELECT 'rolled back', meta.uuid = was.uuid AND meta.door_key = was.door_key, 1 FROM meta, was;
SELECT 'and the door opens', session_note('main', 'after') > 0, 1;
BEGIN;
SELECT turnstile_renew('{"uuid":"inside"}');
COMMIT;
SELECT 'inside a transaction', uuid, 'inside' FROM meta;
SELECT turnstile_install('{"prefix":"agent_","uuid":"agents"}');
SELECT 'with a prefix', turnstile_renew('{"prefix":"agent_","uuid":"other"}'), 'other';
SELECT 'to see', (SELECT value FROM agent_turnstile_meta WHERE key = 'uuid'), 'other';
SELECT 'the others keep theirs', uuid, 'inside' FROM meta;
CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES ('''{"uuid":""}''', 'uuid is empty'), ('''{"uuid":7}''', 'uuid must be text, not an integer'), ('7', 'options must be a JSON object, not an integer'),
  ('''{"prefix":"no_"}''', 'turnstile is not installed in schema "main" with prefix ''no_'' (no such table: main.no_turnstile_meta); run SELECT turnstile_install() first');
SELECT args, error_of('SELECT turnstile_renew(' || args || ')'), 'turnstile_renew: ' || error FROM wrong;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
