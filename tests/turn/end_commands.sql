-- end_commands.sql - what holds for all commands that end a turn: both doors, a repeated request, what is rolled back,
-- and refusals of the turn and its token. What each does stands in the file of its word: complete, fail, abort.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

-- given: the third argument, as JSON; said: what a refusal says of a turn that has ended so.
CREATE TEMP TABLE ends(command PRIMARY KEY, argument, given, status, said);
INSERT INTO ends VALUES ('turn_complete', 'result', '{"content":"y"}', 'completed', ''), ('turn_fail', 'error', '"e"', 'failed', ': e'),
  ('turn_abort', 'reason', '"e"', 'aborted', ': e');
CREATE TEMP TABLE uses(word PRIMARY KEY);
INSERT INTO uses VALUES ('door'), ('names'), ('once'), ('back'), ('live');
CREATE TEMP VIEW used AS SELECT ends.*, word, word || ' ' || command AS label FROM ends, uses;
INSERT INTO turnstile(command, args) SELECT 'turn_begin', json_array(label, 'w', json('{"messages":[{"role":"user","content":"x"}]}')) FROM used;
CREATE TEMP TABLE begun AS SELECT used.*, turn_id AS turn, token FROM used JOIN session_runs ON session_label = label;

---- Both doors, a repeated request

INSERT INTO turnstile(command, args) SELECT command, json_array(turn, token, json(given)) FROM begun WHERE word = 'door'
  RETURNING command || ': the door', turnstile_result() ->> '$.status', (SELECT e.status FROM temp.ends AS e WHERE e.command = turnstile.command);
INSERT INTO turnstile(command, args) SELECT command, json_object('turn', turn, 'token', token, argument, json(given)) FROM begun WHERE word = 'names'
  RETURNING command || ': arguments by name', json_extract(turnstile_result(), '$.status', '$.session'),
  (SELECT json_array(e.status, 'names ' || e.command) FROM temp.ends AS e WHERE e.command = turnstile.command);
CREATE TEMP VIEW asked AS SELECT *, json_object('request_id', 'r-' || command) AS options FROM begun WHERE word = 'once';
CREATE TEMP TABLE last AS SELECT command, CASE command WHEN 'turn_complete' THEN turn_complete(turn, token, given, options)
  WHEN 'turn_fail' THEN turn_fail(turn, token, 'e', options) ELSE turn_abort(turn, token, 'e', options) END AS r FROM asked;
SELECT command || ': with a request_id', r ->> '$.status', status FROM last JOIN ends USING (command);
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT command || ': repeated, the first answer', CASE command WHEN 'turn_complete' THEN turn_complete(turn, token, given, options)
  WHEN 'turn_fail' THEN turn_fail(turn, token, 'e', options) ELSE turn_abort(turn, token, 'e', options) END, r FROM asked JOIN last USING (command);
SELECT 'nothing is written', dump_of() = d, 1 FROM was;
SELECT command || ': without the request it is over', error_of(printf('SELECT %s(%d, %d, %Q)', command, turn, token, given)),
  printf('%s: turn %d is %s%s; nothing can be added to it', command, turn, status, said) FROM asked;

---- Rolled back

BEGIN;
SELECT command || ': in a transaction', CASE command WHEN 'turn_complete' THEN turn_complete(turn, token, given) WHEN 'turn_fail' THEN turn_fail(turn, token, 'e')
  ELSE turn_abort(turn, token, 'e') END ->> '$.status', status FROM begun WHERE word = 'back';
SELECT command || ': inside', (SELECT t.status FROM turns AS t WHERE t.id = turn), status FROM begun WHERE word = 'back';
ROLLBACK;
SELECT command || ': rolled back, it runs', (SELECT t.status FROM turns AS t WHERE t.id = turn), 'running' FROM begun WHERE word = 'back';

---- Refusals

CREATE TEMP TABLE wrong(turn, token, error);
INSERT INTO wrong VALUES ('NULL', '1', 'turn is missing'), ('5', '1', 'there is no turn 5'), ('16777216', 'NULL', 'token is missing');
SELECT command || ': ' || w.error, error_of(printf('SELECT %s(%s, %s, %Q)', command, w.turn, w.token, given)), command || ': ' || w.error FROM ends, wrong AS w;
SELECT command || ': another token', error_of(printf('SELECT %s(%d, %d, %Q)', command, turn, token + 900, given)),
  printf('%s: token %d is not the one that turn_begin gave out for turn %d', command, token + 900, turn) FROM begun WHERE word = 'live';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
