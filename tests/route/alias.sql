-- alias.sql - session_alias: other names of a session.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT session_start('main', 'Add retries');
SELECT session_start('other', 'Add logs');

SELECT 'it returns the session''s label', session_alias('work', 'main'), 'main';
SELECT 'the row', (SELECT json_array(alias, session_label, reason, created_at) FROM session_aliases), '["work","main","manual",1767225600000]';
SELECT 'commands take it', session_note('work', 'seen') > 0 AND (SELECT session_label FROM observations) = 'main', 1;
SELECT 'messages, too', session_deliver('work', 'five of them', '{"class":"Modification"}') ->> '$.session', 'main';
SELECT 'of another alias', session_alias('job', 'work'), 'main';
SELECT 'it is the session''s, not the alias''s', (SELECT session_label FROM session_aliases WHERE alias = 'job'), 'main';
SELECT 'led elsewhere', session_alias('work', 'other', '{"now":1767225700000}'), 'other';
SELECT 'to see', (SELECT json_array(session_label, created_at) FROM session_aliases WHERE alias = 'work'), '["other",1767225700000]';
SELECT 'the one made by way of it stays', resolve_session('job'), 'main';
SELECT 'the same again', session_alias('work', 'other'), 'other';
SELECT 'taken away', session_alias('work', NULL), NULL;
SELECT 'it is gone', resolve_session('work'), NULL;
SELECT 'taken away once more', session_alias('work', NULL), NULL;
SELECT 'a message under that name makes a session', session_deliver('work', 'hello') ->> '$.session', 'work';

---- By the door, a repeated request

INSERT INTO turnstile(command, args) VALUES ('session_alias', '{"alias":"d2","label":"main"}') RETURNING 'arguments by name', turnstile_result(), 'main';
INSERT INTO turnstile(command, args) VALUES ('session_alias', '{"alias":"d2","label":null}') RETURNING 'NULL takes it away', turnstile_result(), NULL;
SELECT session_alias('r', 'main', '{"request_id":"a-1"}');
SELECT session_alias('r', 'other');
SELECT 'repeated: the first answer', session_alias('r', 'main', '{"request_id":"a-1"}'), 'main';
SELECT 'and it leads where it led', resolve_session('r'), 'other';
CREATE TABLE nick(name TEXT);
CREATE TRIGGER nick_names AFTER INSERT ON nick BEGIN
  INSERT INTO turnstile(command, args) VALUES ('session_alias', json_array(new.name, 'main'));
END;
INSERT INTO nick VALUES ('n1'), ('n2');
SELECT 'a trigger of the file', resolve_session('n1') || resolve_session('n2'), 'mainmain';

---- Refusals

SELECT session_start('dm:sms:+1555', 'book a table');
SELECT identity_link('sms', '+1555', 'rosa');
CREATE TEMP TABLE wrong(args, error);
INSERT INTO wrong VALUES ('NULL, ''main''', 'alias is missing'), (''''', ''main''', 'alias is empty'), ('7, ''main''', 'alias must be text, not an integer'),
  ('''main'', ''other''', 'alias ''main'' is the label of a session; choose another one'), ('''main'', NULL', 'alias ''main'' is the label of a session; choose another one'),
  ('''x'', ''nobody''', 'there is no session ''nobody''; session_deliver or session_start makes one'),
  ('''x'', ''x''', 'there is no session ''x''; session_deliver or session_start makes one'),
  ('''dm:rosa'', ''main''', 'alias ''dm:rosa'' was made by identity_link and leads to ''dm:sms:+1555''; identity_unlink takes it back'),
  ('''dm:rosa'', NULL', 'alias ''dm:rosa'' was made by identity_link and leads to ''dm:sms:+1555''; identity_unlink takes it back');
SELECT args, error_of('SELECT session_alias(' || args || ')'), 'session_alias: ' || error FROM wrong;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
