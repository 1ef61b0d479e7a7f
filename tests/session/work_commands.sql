-- work_commands.sql - what holds for all commands that tell of work on the open task: both doors, a trigger of the file, a
-- repeated request, what is rolled back, and refusals of the label. What each does stands in the file of its word: note,
-- observe, relate, flush.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

-- given: the arguments behind the label, named: the same by their names, other: other ones.
CREATE TEMP TABLE works(command PRIMARY KEY, given, named, other);
INSERT INTO works VALUES ('session_note', '["x"]', '{"text":"x"}', '["y"]'), ('session_observe', '["Note","x","c"]', '{"kind":"Note","data":"x","content":"c"}', '["Note","x","d"]'),
  ('session_relate', '["a:b","E","c:d"]', '{"from":"a:b","edge":"E","to":"c:d"}', '["a:b","E","c:e"]'), ('session_flush', '["Note"]', '{"kind":"Note"}', '["Plan"]');
CREATE TEMP TABLE uses(word PRIMARY KEY);
INSERT INTO uses VALUES ('door'), ('names'), ('hook'), ('once'), ('back'), ('over');
CREATE TEMP VIEW used AS SELECT works.*, word, word || ' ' || command AS label FROM works, uses;
INSERT INTO turnstile(command, args) SELECT 'session_start', json_array(label, 't') FROM used;
-- Something to flush.
INSERT INTO turnstile(command, args) SELECT 'session_note', json_array(label, 'n') FROM used WHERE command = 'session_flush';
-- The arguments by place, with options behind them.
CREATE TEMP VIEW call AS SELECT used.*, '[' || json_quote(label) || ',' || substr(given, 2) AS args, json_object('request_id', 'r-' || command) AS options FROM used;
-- What a command has made last in its session, and how much there is.
CREATE TEMP VIEW made AS SELECT label, CASE command
    WHEN 'session_relate' THEN (SELECT max(e.id) FROM edges AS e WHERE e.session_label = used.label)
    WHEN 'session_flush' THEN (SELECT t.head_step_id FROM tasks AS t WHERE t.session_label = used.label)
    ELSE (SELECT max(o.id) FROM observations AS o WHERE o.session_label = used.label) END AS newest,
  CASE command
    WHEN 'session_relate' THEN (SELECT count(*) FROM edges AS e WHERE e.session_label = used.label)
    WHEN 'session_flush' THEN (SELECT count(*) - 1 FROM steps AS s JOIN tasks AS t ON t.id = s.task_id WHERE t.session_label = used.label)
    ELSE (SELECT count(*) FROM observations AS o WHERE o.session_label = used.label) END AS n FROM used;

---- Both doors, a trigger of the file

INSERT INTO turnstile(command, args) SELECT command, args FROM call WHERE word = 'door'
  RETURNING command || ': the door gives the id', turnstile_result(), (SELECT newest FROM temp.made WHERE label = 'door ' || turnstile.command);
INSERT INTO turnstile(command, args) SELECT command, json_patch(json_object('label', label), named) FROM call WHERE word = 'names'
  RETURNING command || ': arguments by name', turnstile_result(), (SELECT newest FROM temp.made WHERE label = 'names ' || turnstile.command);
CREATE TABLE hook(command TEXT, args TEXT);
CREATE TRIGGER hook_runs AFTER INSERT ON hook BEGIN
  INSERT INTO turnstile(command, args) VALUES (new.command, new.args);
END;
INSERT INTO hook SELECT command, args FROM call WHERE word = 'hook';
SELECT label || ': one each', n, 1 FROM made WHERE label GLOB 'door *' OR label GLOB 'names *' OR label GLOB 'hook *';
SELECT command || ': its error takes the row of the trigger along', error_of(printf('INSERT INTO hook VALUES (%Q, %Q)', command, replace(args, label, 'nobody'))),
  command || ': there is no session ''nobody''; session_deliver or session_start makes one' FROM call WHERE word = 'hook';
SELECT 'those rows are not there', (SELECT count(*) FROM hook), 4;

---- Rolled back

BEGIN;
INSERT INTO turnstile(command, args) SELECT command, args FROM call WHERE word = 'back';
SELECT label || ': inside', n, 1 FROM made WHERE label GLOB 'back *';
ROLLBACK;
SELECT label || ': taken back', n, 0 FROM made WHERE label GLOB 'back *';
BEGIN;
INSERT INTO turnstile(command, args) SELECT command, args FROM call WHERE word = 'back';
COMMIT;
SELECT label || ': committed, it is kept', n, 1 FROM made WHERE label GLOB 'back *';

---- The same request

CREATE TEMP VIEW asked AS SELECT *, json_insert(args, '$[#]', json(options)) AS once FROM call WHERE word = 'once';
INSERT INTO turnstile(command, args) SELECT command, once FROM asked;
CREATE TEMP TABLE first AS SELECT * FROM made WHERE label GLOB 'once *';
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
INSERT INTO turnstile(command, args) SELECT command, once FROM asked
  RETURNING command || ': repeated, the first one''s id', turnstile_result(), (SELECT newest FROM temp.first WHERE label = 'once ' || turnstile.command);
SELECT 'nothing is written', dump_of() = d, 1 FROM was;
SELECT command || ': with other arguments', error_of(printf('INSERT INTO turnstile(command, args) VALUES (%Q, %Q)', command,
    json_insert('[' || json_quote(label) || ',' || substr(other, 2), '$[#]', json(options)))),
  printf('%s: request_id ''r-%s'' was used before for %s with other arguments; use a new one', command, command, command) FROM asked;

---- Refusals

CREATE TEMP TABLE wrong(label, error);
INSERT INTO wrong VALUES ('null', 'label is missing'), ('""', 'label is empty'), ('7', 'label must be text, not an integer'),
  ('"nobody"', 'there is no session ''nobody''; session_deliver or session_start makes one');
SELECT command || ': ' || w.error, error_of(printf('INSERT INTO turnstile(command, args) VALUES (%Q, %Q)', command, '[' || w.label || ',' || substr(given, 2))),
  command || ': ' || w.error FROM works, wrong AS w;
SELECT command || ': an option that it has not', error_of(printf('INSERT INTO turnstile(command, args) VALUES (%Q, %Q)', command, json_insert(args, '$[#]', json('{"nope":1}'))))
  LIKE command || ': unknown option ''nope''; it takes: %', 1 FROM call WHERE word = 'over';
INSERT INTO turnstile(command, args) SELECT 'session_compact', json_array(label, 'done') FROM call WHERE word = 'over';
SELECT command || ': no open task', error_of(printf('INSERT INTO turnstile(command, args) VALUES (%Q, %Q)', command, args)),
  printf('%s: session ''%s'' has no open task; session_start or session_deliver begins one', command, label) FROM call WHERE word = 'over';
SELECT 'sound', (SELECT group_concat(rule || problem) FROM turnstile_check), NULL;
