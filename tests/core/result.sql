-- result.sql - turnstile_result: what the last command through the door returned, once.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
CREATE TEMP TABLE none AS SELECT 'turnstile_result: no command has run since it was last asked; use it as INSERT INTO turnstile … RETURNING turnstile_result()' AS error;
SELECT 'nothing has run', error_of('SELECT turnstile_result()'), error FROM none;
INSERT INTO turnstile(command, args) VALUES ('session_start', '["main","x"]');
SELECT 'an integer', turnstile_result(), 1;
SELECT 'reading it clears it', error_of('SELECT turnstile_result()'), error FROM none;
INSERT INTO turnstile(command, args) VALUES ('session_note', '["main","n"]') RETURNING 'in RETURNING', turnstile_result(), 1;
INSERT INTO turnstile(command, args) VALUES ('session_suspend', '["main"]') RETURNING 'a text', turnstile_result(), 'suspended';
INSERT INTO turnstile(command, args) VALUES ('session_state', '["nobody"]') RETURNING 'NULL', turnstile_result(), NULL;
INSERT INTO turnstile(command, args) VALUES ('session_state', '["main"]') RETURNING 'JSON', json_valid(turnstile_result()), 1;
INSERT INTO turnstile(command, args) SELECT 'session_note', json_array('main', value) FROM json_each('["a","b","c"]') RETURNING 'each row its own', turnstile_result(), (SELECT id FROM observations WHERE data = json_object('text', args ->> '$[1]'));
INSERT INTO turnstile(command, args) VALUES ('session_note', '["main","kept"]');
SELECT 'the next function clears it', session_note('main', 'other') > 0, 1;
SELECT 'to see', error_of('SELECT turnstile_result()'), error FROM none;
INSERT INTO turnstile(command, args) VALUES ('session_note', '["main","kept"]');
SELECT 'a command that fails clears it, too', error_of('INSERT INTO turnstile(command, args) VALUES (''session_note'', ''["nobody","x"]'')') IS NOT NULL, 1;
SELECT 'to see', error_of('SELECT turnstile_result()'), error FROM none;
CREATE TABLE t(x);
CREATE TRIGGER t_notes AFTER INSERT ON t BEGIN
  INSERT INTO turnstile(command, args) VALUES ('session_suspend', '["main"]');
END;
INSERT INTO turnstile(command, args) VALUES ('session_resume', '["main"]');
INSERT INTO t VALUES (1);
SELECT 'what a trigger does leaves it as it is', turnstile_result(), 'active';
CREATE VIEW mine AS SELECT turnstile_result() AS r;
SELECT 'a view of the file can''t call it', error_of('SELECT * FROM mine') LIKE 'unsafe use of turnstile_result()%', 1;
CREATE TRIGGER t_reads AFTER DELETE ON t BEGIN SELECT turnstile_result(); END;
SELECT 'nor a trigger', error_of('DELETE FROM t') LIKE 'unsafe use of turnstile_result()%', 1;
SELECT 'it takes nothing', error_of('SELECT turnstile_result(1)'), 'wrong number of arguments to function turnstile_result()';
