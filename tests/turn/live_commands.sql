-- live_commands.sql - what holds for all commands of a live turn that don't end it: both doors, a repeated request, what is
-- rolled back, and refusals of the turn and its token. What each does stands in the file of its word: phase, message, …

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

-- given, place, names: what follows the turn and its token, as arguments of SQL, of an array and of an object; said: what
-- the command returns before the signals, and done: what it leaves; late: it is heard when the turn is over, too.
CREATE TEMP TABLE live(command PRIMARY KEY, given, place, names, said, done, late);
INSERT INTO live VALUES
  ('turn_phase', ', ''streaming''', ',"streaming"', ',"phase":"streaming"', '"phase":"streaming",', 'streaming', 0),
  ('turn_message', ', ''{"role":"assistant","content":"I look"}''', ',{"role":"assistant","content":"I look"}',
    ',"message":{"role":"assistant","content":"I look"}', '"sequence":2,', 'assistant:I look', 0),
  ('turn_tool_call', ', ''c'', ''bash'', ''{"a":1}''', ',"c","bash",{"a":1}', ',"call_id":"c","tool_name":"bash","params":{"a":1}',
    '"sequence":2,', 'c{"a":1}pending', 0),
  ('turn_tool_result', ', ''k'', ''ok''', ',"k","ok"', ',"call_id":"k","result":"ok"', '"status":"completed",', 'k{}completed', 1),
  ('turn_heartbeat', '', '', '', '', '1767225910000', 0),
  ('turn_steering', '', '', '',
    '"messages":[{"role":"user","content":"five","queue_id":N,"source":"user","class":"Modification","attempt":1}],', 'user:five', 0);
CREATE TEMP TABLE uses(word PRIMARY KEY);
INSERT INTO uses VALUES ('plain'), ('door'), ('names'), ('once'), ('back'), ('wrong'), ('over');

-- A turn for each use of each command: with a call that waits, and an input that steers.
CREATE TEMP TABLE used AS SELECT live.*, word, word || ' ' || command AS label FROM live, uses;
INSERT INTO turnstile(command, args) SELECT 'session_deliver', json_array(label, 'add retries', json('{"owner":"w"}')) FROM used;
CREATE TEMP TABLE begun AS SELECT used.*, turn_id AS turn, token FROM used JOIN session_runs ON session_label = label;
INSERT INTO turnstile(command, args) SELECT 'turn_tool_call', json_array(turn, token, 'k', 'bash') FROM begun;
INSERT INTO turnstile(command, args) SELECT 'session_deliver', json_array(label, 'five', json('{"mode":"steer","class":"Modification"}')) FROM begun;
SELECT 'turns', (SELECT count(*) FROM begun), 42;

-- All that a turn shows of what was done.
CREATE TEMP VIEW shown AS SELECT *,
  (SELECT json_array(t.phase, (SELECT expires_at FROM session_runs AS r WHERE r.turn_id = turn),
     (SELECT group_concat(role || ':' || content) FROM messages AS m WHERE m.turn_id = turn),
     (SELECT group_concat(id || params || c.status) FROM tool_calls AS c WHERE c.turn_id = turn),
     (SELECT group_concat(q.status) FROM session_queue AS q WHERE session_label = label))
   FROM turns AS t WHERE t.id = turn) AS stands,
  printf('SELECT %s(%d, %d%s%s)', command, turn, token, given, iif(word = 'once', printf(', ''{"request_id":"r-%s"}''', command), '')) AS call,
  '{' || replace(said, 'N', (SELECT max(id) FROM session_queue WHERE session_label = label))
    || printf('"expires_at":1767225910000,"interrupted":false,"steering":%d}', command <> 'turn_steering') AS returns
  FROM begun;
CREATE TEMP TABLE was AS SELECT * FROM shown;
SELECT turnstile_clock(1767225610000);

---- Both doors

SELECT command || ': returns', value_of(call), returns FROM shown WHERE word = 'plain';
INSERT INTO turnstile(command, args) SELECT command, printf('[%d,%d%s]', turn, token, place) FROM begun WHERE word = 'door'
  RETURNING command || ': the door', turnstile_result(), (SELECT returns FROM shown AS s WHERE s.command = turnstile.command AND word = 'door');
INSERT INTO turnstile(command, args) SELECT command, printf('{"turn":%d,"token":%d%s}', turn, token, names) FROM begun WHERE word = 'names'
  RETURNING command || ': arguments by name', turnstile_result(), (SELECT returns FROM shown AS s WHERE s.command = turnstile.command AND word = 'names');
SELECT command || ': is done', instr(replace(stands, '\', ''), done) > 0, 1 FROM shown WHERE word = 'plain';
SELECT label || ': is done once', stands <> (SELECT w.stands FROM was AS w WHERE w.label = s.label), 1 FROM shown AS s WHERE word IN ('plain', 'door', 'names');
SELECT label || ': does the same', stands, (SELECT p.stands FROM shown AS p WHERE p.command = s.command AND word = 'plain') FROM shown AS s WHERE word IN ('door', 'names');
SELECT label || ': nothing was done', stands, (SELECT w.stands FROM was AS w WHERE w.label = s.label) FROM shown AS s WHERE word IN ('once', 'back', 'wrong', 'over');

---- A repeated request

SELECT command || ': with a request_id', value_of(call), returns FROM shown WHERE word = 'once';
SELECT turnstile_clock(1767225620000);
CREATE TEMP TABLE before AS SELECT dump_of() AS d;
SELECT command || ': repeated, the first answer', value_of(call), returns FROM shown WHERE word = 'once';
SELECT 'nothing is written', dump_of() = d, 1 FROM before;
SELECT label || ': is done once', stands, (SELECT p.stands FROM shown AS p WHERE p.command = s.command AND word = 'plain') FROM shown AS s WHERE word = 'once';
SELECT command || ': the request with other arguments', error_of(printf('SELECT %s(%d, %d%s, ''{"request_id":"r-%s"}'')', command, turn, token + 900, given, command)),
  printf('%s: request_id ''r-%s'' was used before for %s with other arguments; use a new one', command, command, command) FROM begun WHERE word = 'once';

---- Rolled back

SELECT turnstile_clock(1767225610000);
BEGIN;
SELECT command || ': in a transaction', value_of(call), returns FROM shown WHERE word = 'back';
SELECT command || ': inside', stands, (SELECT p.stands FROM shown AS p WHERE p.command = s.command AND word = 'plain') FROM shown AS s WHERE word = 'back';
ROLLBACK;
SELECT command || ': rolled back', stands, (SELECT w.stands FROM was AS w WHERE w.label = s.label) FROM shown AS s WHERE word = 'back';

---- Whose turn, which token

CREATE TEMP TABLE wrong(turn, token, error);
INSERT INTO wrong VALUES ('NULL', '1', 'turn is missing'), ('16777216', 'NULL', 'token is missing'), ('5', '1', 'there is no turn 5'),
  ('''a''', '1', 'turn must be an integer from 0 to 9007199254740991, not text');
SELECT command || ': ' || w.error, error_of(printf('SELECT %s(%s, %s%s)', command, w.turn, w.token, given)), command || ': ' || w.error FROM live, wrong AS w;
SELECT command || ': another token', error_of(printf('SELECT %s(%d, %d%s)', command, turn, token + 900, given)),
  printf('%s: token %d is not the one that turn_begin gave out for turn %d', command, token + 900, turn) FROM begun WHERE word = 'wrong';
INSERT INTO turnstile(command, args) SELECT 'turn_fail', json_array(turn, token, 'no answer') FROM begun WHERE word = 'over';
SELECT command || ': a turn that is over', error_of(printf('SELECT %s(%d, %d%s)', command, turn, token, given)),
  printf('%s: turn %d is failed: no answer; nothing can be added to it', command, turn) FROM begun WHERE word = 'over' AND NOT late;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
