-- orphans.sql - inputs that are being processed although no run of their session has their turn: they come
-- back as after a crash, with whichever command looks.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

CREATE TEMP TABLE run(name TEXT PRIMARY KEY, r);
CREATE TEMP VIEW found AS
  SELECT group_concat(rule || ' ' || ref, ', ') AS rules FROM (SELECT * FROM turnstile_check ORDER BY rule, ref);
CREATE TEMP VIEW input AS
  SELECT session_label AS label, group_concat(status || ' ' || ifnull(turn_id, '-') || ' ' || attempts ||
    ifnull(' ' || error, ''), ', ') AS line
  FROM (SELECT * FROM session_queue ORDER BY id) GROUP BY 1;

-- Deleting the row of a run is refused, as is everything that would have the same effect.
INSERT INTO turnstile SELECT 'session_deliver',
  json_array(value, 'write it', json('{"class":"NewTask","owner":"host"}'))
  FROM json_each('["a","b","c","d","e","idle"]');
INSERT INTO run SELECT session_label, turn_id FROM session_runs;
INSERT INTO turnstile SELECT 'turn_abort', json_array(r, 1, 'stop') FROM run WHERE name = 'idle';
SELECT 'refused: ' || value, error_of(value) LIKE 'session_runs: %', 1 FROM json_each(json_array(
  'DELETE FROM session_runs WHERE session_label = ''a''',
  'DELETE FROM session_runs WHERE session_label = ''idle''',
  'DELETE FROM session_runs',
  'UPDATE session_runs SET session_label = ''z'' WHERE session_label = ''a''',
  'REPLACE INTO session_runs(session_label) VALUES (''a'')',
  'UPDATE OR REPLACE session_runs SET session_label = ''a'' WHERE session_label = ''b''',
  'UPDATE OR REPLACE session_runs SET rowid = (SELECT rowid FROM session_runs WHERE session_label = ''a'') WHERE session_label = ''b''',
  'REPLACE INTO session_runs(rowid, session_label) SELECT rowid, ''z'' FROM session_runs WHERE session_label = ''a'''));
SELECT 'all are there', (SELECT count(*) FROM session_runs), 6;

-- It is gone all the same: in a file of an older library, or behind the guards.
INSERT INTO turnstile VALUES ('turn_tool_call', json_array((SELECT r FROM run WHERE name = 'b'), 1, 'k', 'ls', json('{}')));
SELECT 'before', (SELECT rules FROM found), NULL;
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
DELETE FROM session_runs WHERE session_label IN ('a', 'b', 'c', 'd', 'e');
DELETE FROM turnstile_meta WHERE key = 'unguarded';
SELECT 'it is seen', (SELECT group_concat(rule || ' ' || coalesce(session_label, '-'), ', ') FROM
  (SELECT DISTINCT rule, session_label FROM turnstile_check WHERE session_label = 'a' OR rule = 'turn_run' ORDER BY 1, 2)),
  'event_turn a, queue_turn a, run_missing a, turn_run -';

-- turnstile_startup of whichever owner; what was recorded is not done twice.
CREATE TEMP TABLE one(r);
SELECT 'recover: what it worked on comes back', session_recover('a') ->> '$.queued[0].message', 'write it';
SELECT 'the input of a', (SELECT line FROM input WHERE label = 'a'), 'pending - 1 no run had it; session_recover took it back';
SELECT 'its turn has failed', (SELECT status || ' ' || error FROM turns WHERE id = (SELECT r FROM run WHERE name = 'a')),
  'failed no run had it; session_recover took it back';
SELECT 'a run again, idle', (SELECT run_state || ' ' || ifnull(turn_id, '-') || ' ' || token FROM session_runs WHERE session_label = 'a'),
  'idle - 1000000';
SELECT 'a is sound', (SELECT count(*) FROM turnstile_check('a')), 0;
SELECT 'turn_begin takes it up', json_extract(turn_begin('c', 'other'), '$.messages[0].content', '$.messages[0].attempt'),
  '["write it",2]';
SELECT 'under a token that nobody had', (SELECT token FROM session_runs WHERE session_label = 'c'), 1000001;
SELECT 'the old one is refused', error_of('SELECT turn_complete(' || r || ', 1, ''{"content":"x"}'')')
  LIKE 'turn_complete: turn % is failed: no run had it; ''other'' took it back%', 1 FROM run WHERE name = 'c';
SELECT 'a dry run', json_extract(session_sweep('{"dry_run":1}'), '$.leases_expired'), 3;
SELECT 'changes nothing', (SELECT line FROM input WHERE label = 'e') LIKE 'processing %', 1;
SELECT 'a sweep of one', json_extract(session_sweep('{"limit":1}'), '$.leases_expired', '$.more'), '[1,true]';
SELECT 'what had recorded something has failed', (SELECT line FROM input WHERE label = 'b'),
  'failed ' || r || ' 1 no run had it; session_sweep took it back' FROM run WHERE name = 'b';
SELECT 'its output is not lost', (SELECT failed_turn_id FROM session_runs WHERE session_label = 'b'), r FROM run WHERE name = 'b';
SELECT 'startup of another owner', turnstile_startup('nobody'),
  '{"sessions":["d","e"],"runs_reset":0,"sessions_suspended":0,"items_given_back":2,"workers_timed_out":0,"live":[]}';
SELECT 'the inputs of d and e', (SELECT group_concat(line, '; ') FROM input WHERE label IN ('d', 'e')), 'pending - 1 no run had it; turnstile_startup took it back; pending - 1 no run had it; turnstile_startup took it back';
SELECT 'nothing is left to do', json_extract(turnstile_startup(), '$.sessions', '$.items_given_back'), '[[],0]';
SELECT 'all is sound', (SELECT rules FROM found), NULL;

-- Inputs whose turn ended, is not there, or is another session's.
INSERT INTO turnstile SELECT 'session_deliver',
  json_array(value, 'paint it', json('{"class":"NewTask","owner":"host"}'))
  FROM json_each('["f","g","h","i","j"]');
INSERT OR REPLACE INTO run SELECT session_label, json_array(turn_id, token) FROM session_runs;
INSERT INTO turnstile SELECT 'turn_complete', json_array(r -> 0, r -> 1, json('{"content":"done"}')) FROM run WHERE name IN ('f', 'i');
INSERT INTO turnstile SELECT 'turn_fail', json_array(r -> 0, r -> 1, 'no net') FROM run WHERE name = 'g';
UPDATE session_queue SET status = 'processing', delivered_at = NULL WHERE session_label = 'f';
UPDATE session_queue SET status = 'processing', turn_id = (SELECT r -> 0 FROM run WHERE name = 'g') WHERE session_label = 'g';
UPDATE session_queue SET turn_id = 5 WHERE session_label = 'h';
UPDATE session_queue SET status = 'processing', delivered_at = NULL, turn_id = (SELECT r -> 0 FROM run WHERE name = 'j') WHERE session_label = 'i';
SELECT 'startup', turnstile_startup() ->> '$.sessions', '["f","g","h","i"]';
SELECT 'the turn had ended well', (SELECT line FROM input WHERE label = 'f') LIKE 'delivered %', 1;
SELECT 'it had come to nothing', (SELECT line FROM input WHERE label = 'g'), 'pending - 1 no run had it; turnstile_startup took it back';
SELECT 'it was not there', (SELECT line FROM input WHERE label = 'h'), 'pending - 1';
SELECT 'a stranger''s', (SELECT line FROM input WHERE label = 'i'), 'pending - 1 no run had it; turnstile_startup took it back';
SELECT 'which goes on', (SELECT status FROM turns WHERE id = (SELECT r -> 0 FROM run WHERE name = 'j')), 'running';
SELECT 'and the live run of h too', (SELECT status FROM turns WHERE id = (SELECT r -> 0 FROM run WHERE name = 'h')), 'running';
SELECT 'all is sound', (SELECT rules FROM found), NULL;

-- A merged session has nothing that waits: it goes to the primary.
INSERT INTO turnstile VALUES ('identity_link', '["mail","ann","kim"]'), ('session_deliver', '["dm:kim","hello",{"class":"NewTask"}]');
INSERT INTO turnstile VALUES ('session_deliver', '["dm:wa:1","count",{"class":"NewTask","owner":"host"}]'), ('identity_link', '["wa","1","kim"]');
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
DELETE FROM session_runs WHERE session_label = 'dm:wa:1';
DELETE FROM turnstile_meta WHERE key = 'unguarded';
SELECT 'merged', turnstile_startup() ->> '$.items_given_back', 1;
SELECT 'it waits at the primary', (SELECT count(*) FROM session_queue WHERE session_label = 'dm:kim' AND message = 'count' AND status = 'pending'), 1;
SELECT 'all is sound', (SELECT rules FROM found), NULL;

-- Its sender was unlinked while the turn was under way: it comes back where the sender's messages go, whatever
-- has become of the turn.
INSERT INTO turnstile SELECT 'identity_link', json_array('o', value, 'e ' || value) FROM json_each('["lost","ended","gone","worked"]');
INSERT INTO turnstile SELECT 'session_deliver', json_array(NULL, 'of ' || value, json_object('class', 'NewTask', 'owner', 'host',
  'envelope', json_object('channel', 'o', 'sender_id', value))) FROM json_each('["lost","ended","gone","worked"]');
INSERT OR REPLACE INTO run SELECT session_label, json_array(turn_id, token) FROM session_runs WHERE session_label LIKE 'dm:e %';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(r -> 0, r -> 1, 'k', 'ls', json('{}')) FROM run WHERE name LIKE 'dm:e %';
INSERT INTO turnstile SELECT 'identity_unlink', json_array('o', value) FROM json_each('["lost","ended","gone","worked"]');
SELECT 'all say whose they are', (SELECT group_concat(goes_to) FROM (SELECT * FROM session_queue WHERE channel = 'o' ORDER BY id)),
  'dm:o:lost,dm:o:ended,dm:o:gone,dm:o:worked';
INSERT INTO turnstile SELECT 'turn_complete', json_array(r -> 0, r -> 1, json('{"content":"done"}')) FROM run WHERE name = 'dm:e ended';
INSERT INTO turnstile SELECT 'turn_fail', json_array(r -> 0, r -> 1, 'no net') FROM run WHERE name = 'dm:e worked';
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
UPDATE session_queue SET session_label = 'dm:e worked', status = 'processing', delivered_at = NULL, goes_to = 'dm:o:worked' WHERE message = 'of worked';
UPDATE session_queue SET status = 'processing', delivered_at = NULL WHERE message = 'of ended';
UPDATE session_queue SET turn_id = iif(message = 'of gone', 5, turn_id) WHERE channel = 'o';
DELETE FROM session_runs WHERE session_label = 'dm:e lost';
DELETE FROM turnstile_meta WHERE key = 'unguarded';
INSERT INTO turnstile VALUES ('turnstile_startup', '[]');
SELECT 'they are with their senders', (SELECT group_concat(session_label || ' ' || status, ', ') FROM (SELECT * FROM session_queue WHERE channel = 'o' ORDER BY id)),
  'dm:o:lost failed, dm:e ended delivered, dm:o:gone pending, dm:o:worked failed';

-- The newest rows are missed as well.
BEGIN;
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
DELETE FROM session_queue WHERE id = (SELECT max(id) FROM session_queue);
DELETE FROM turnstile_meta WHERE key = 'unguarded';
SELECT 'the newest input', (SELECT count(*) FROM turnstile_check WHERE rule = 'delivery_input'), 1;
ROLLBACK;
BEGIN;
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
DELETE FROM deliveries WHERE id = (SELECT max(id) FROM deliveries);
DELETE FROM turnstile_meta WHERE key = 'unguarded';
SELECT 'the newest delivery', (SELECT count(*) FROM turnstile_check WHERE rule = 'queue_delivery'), 1;
ROLLBACK;
INSERT INTO turnstile VALUES ('session_deliver', '["gone","x y z",{"class":"NewTask"}]'), ('session_deliver', '["stays","x y z",{"class":"NewTask"}]');
INSERT INTO turnstile VALUES ('session_delete', '["gone"]');
BEGIN;
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
DELETE FROM session_queue WHERE id = (SELECT max(id) FROM session_queue);
DELETE FROM turnstile_meta WHERE key = 'unguarded';
SELECT 'also where a session was deleted', (SELECT count(*) FROM turnstile_check WHERE rule = 'delivery_input'), 1;
ROLLBACK;
SELECT 'the file is sound', (SELECT rules FROM found), NULL;
