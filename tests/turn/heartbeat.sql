-- heartbeat.sql - turn_heartbeat: a sign of life renews the lease.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

SELECT turn_begin('main', 'w', '{"messages":[{"role":"user","content":"add retries"}],"lease":"1m"}') ->> '$.turn';
CREATE TEMP VIEW run AS SELECT heartbeat_at, expires_at, lease, token FROM session_runs WHERE session_label = 'main';

SELECT 'the signals', turn_heartbeat(16777216, 1, '{"now":1767225610000}'), '{"expires_at":1767225670000,"interrupted":false,"steering":0}';
SELECT 'the lease begins again, as long as before', (SELECT json_array(heartbeat_at, expires_at, lease, token) FROM run), '[1767225610000,1767225670000,60000,1]';
SELECT 'as long as it says', turn_heartbeat(16777216, 1, '{"now":1767225620000,"lease":"10m"}') ->> '$.expires_at', 1767226220000;
SELECT 'from then on', turn_heartbeat(16777216, 1, '{"now":1767225630000}') ->> '$.expires_at', 1767226230000;
SELECT 'a lease as a number of milliseconds', turn_heartbeat(16777216, 1, '{"now":1767225630000,"lease":90000}') ->> '$.expires_at', 1767225720000;
SELECT 'it is no event', (SELECT count(*) FROM session_events WHERE session_label = 'main' AND at > 1767225600000), 0;
SELECT 'a clock that goes back does not shorten the lease', turn_heartbeat(16777216, 1, '{"now":1767225625000}') ->> '$.expires_at' >= 1767225715000, 1;

INSERT INTO turnstile(command, args) VALUES ('turn_heartbeat', '[16777216,1,{"now":1767225640000,"lease":"1m"}]')
  RETURNING 'a lease by the door', turnstile_result(), '{"expires_at":1767225700000,"interrupted":false,"steering":0}';

---- What the signals say

CREATE TEMP TABLE s AS SELECT r ->> '$.turn.turn' AS turn, r ->> '$.turn.token' AS token
  FROM (SELECT session_deliver('work', 'add retries', '{"owner":"w"}') AS r);
SELECT session_deliver('work', 'five of them', '{"mode":"steer"}') ->> '$.action';
SELECT 'an input that steers', json_extract(turn_heartbeat(turn, token), '$.interrupted', '$.steering'), '[false,1]' FROM s;
SELECT session_deliver('work', 'no, six', '{"mode":"interrupt","class":"Modification"}') ->> '$.action';
SELECT 'one that interrupts', json_extract(turn_heartbeat(turn, token), '$.interrupted', '$.steering'), '[true,2]' FROM s;
SELECT turn_steering(turn, token) IS NOT NULL FROM s;
SELECT 'when they are taken', json_extract(turn_heartbeat(turn, token), '$.interrupted', '$.steering'), '[false,0]' FROM s;

---- Refusals

SELECT 'a lease of nothing', error_of('SELECT turn_heartbeat(16777216, 1, ''{"lease":0}'')'), 'turn_heartbeat: lease must be longer than 0 ms';
SELECT 'a lease without end', error_of('SELECT turn_heartbeat(16777216, 1, ''{"lease":"soon"}'')'), 'turn_heartbeat: lease is ''soon''; it must be a duration such as 90s, 24h or 7 days, or milliseconds';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
