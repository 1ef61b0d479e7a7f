-- status_commands.sql - what holds for all commands that set the status of a session: both doors, a repeated request,
-- what is rolled back, a trigger of the file, and refusals of the label and of options. What each does stands in the
-- file of its word: archive, fail, reopen, resume, suspend, unarchive.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

-- before: what brings a session to where the command finds it. reason: of session_fail, which alone needs one.
CREATE TEMP TABLE moves(command PRIMARY KEY, before, status, reason);
INSERT INTO moves VALUES ('session_archive', NULL, 'archived', NULL), ('session_suspend', NULL, 'suspended', NULL), ('session_fail', NULL, 'error', 'no network'),
  ('session_unarchive', 'session_archive', 'active', NULL), ('session_resume', 'session_suspend', 'active', NULL), ('session_reopen', 'session_fail', 'active', NULL);
CREATE TEMP TABLE uses(word PRIMARY KEY);
INSERT INTO uses VALUES ('door'), ('names'), ('once'), ('back');
CREATE TEMP VIEW used AS SELECT command, before, status, reason, word, word || ' ' || command AS label FROM moves, uses;
INSERT INTO turnstile(command, args) SELECT 'session_start', json_array(label, 'x') FROM used;
INSERT INTO turnstile(command, args) SELECT before, iif(before = 'session_fail', json_array(label, 'e'), json_array(label)) FROM used WHERE before IS NOT NULL;

---- Both doors, a repeated request

INSERT INTO turnstile(command, args) SELECT command, iif(reason IS NULL, json_array(label), json_array(label, reason)) FROM used WHERE word = 'door'
  RETURNING command || ': the door gives the status', turnstile_result(), (SELECT m.status FROM temp.moves AS m WHERE m.command = turnstile.command);
INSERT INTO turnstile(command, args) SELECT command, iif(reason IS NULL, json_object('label', label), json_object('label', label, 'reason', reason)) FROM used WHERE word = 'names'
  RETURNING command || ': arguments by name', turnstile_result(), (SELECT m.status FROM temp.moves AS m WHERE m.command = turnstile.command);
CREATE TEMP VIEW asked AS SELECT *, json_object('request_id', 'r-' || command) AS options FROM used WHERE word = 'once';
SELECT command || ': with a request_id', CASE command WHEN 'session_archive' THEN session_archive(label, options) WHEN 'session_suspend' THEN session_suspend(label, options)
  WHEN 'session_fail' THEN session_fail(label, reason, options) WHEN 'session_unarchive' THEN session_unarchive(label, options)
  WHEN 'session_resume' THEN session_resume(label, options) ELSE session_reopen(label, options) END, status FROM asked;
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT command || ': repeated, the first answer', CASE command WHEN 'session_archive' THEN session_archive(label, options) WHEN 'session_suspend' THEN session_suspend(label, options)
  WHEN 'session_fail' THEN session_fail(label, reason, options) WHEN 'session_unarchive' THEN session_unarchive(label, options)
  WHEN 'session_resume' THEN session_resume(label, options) ELSE session_reopen(label, options) END, status FROM asked;
SELECT 'nothing is written', dump_of() = d, 1 FROM was;

---- Rolled back, and a trigger of the file

CREATE TEMP TABLE began AS SELECT command, label, status, reason, session_state(label) AS s FROM used WHERE word = 'back';
BEGIN;
SELECT command || ': in a transaction', CASE command WHEN 'session_archive' THEN session_archive(label, NULL) WHEN 'session_suspend' THEN session_suspend(label, NULL)
  WHEN 'session_fail' THEN session_fail(label, reason, NULL) WHEN 'session_unarchive' THEN session_unarchive(label, NULL)
  WHEN 'session_resume' THEN session_resume(label, NULL) ELSE session_reopen(label, NULL) END, status FROM began;
SELECT command || ': inside', session_state(label) ->> '$.status', status FROM began;
ROLLBACK;
SELECT command || ': rolled back', session_state(label), s FROM began;
CREATE TABLE hook(command TEXT, args TEXT);
CREATE TRIGGER hook_runs AFTER INSERT ON hook BEGIN
  INSERT INTO turnstile(command, args) VALUES (new.command, new.args);
END;
INSERT INTO hook SELECT command, iif(reason IS NULL, json_array(label), json_array(label, reason)) FROM began;
SELECT command || ': a trigger of the file', session_state(label) ->> '$.status', status FROM began;

---- Refusals

CREATE TEMP TABLE wrong(label, options, error);
INSERT INTO wrong VALUES ('NULL', '', 'label is missing'), ('''''', '', 'label is empty'), ('7', '', 'label must be text, not an integer'),
  ('''nobody''', '', 'there is no session ''nobody''; session_deliver or session_start makes one'),
  ('''door session_archive''', ', ''{"nope":1}''', 'unknown option ''nope''; it takes: ');
SELECT m.command || ': ' || w.error, substr(error_of(printf('SELECT %s(%s%s%s)', m.command, w.label, iif(m.reason IS NULL, '', ', ''x'''), w.options)),
  1, iif(w.options = '', 1000, length(m.command || ': ' || w.error))), m.command || ': ' || w.error FROM moves AS m, wrong AS w;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
