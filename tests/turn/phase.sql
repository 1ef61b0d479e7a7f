-- phase.sql - turn_phase: the phase of a running turn, each pair of phases.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

CREATE TEMP TABLE phase(name PRIMARY KEY);
INSERT INTO phase VALUES ('processing'), ('streaming'), ('compacting'), ('completing');
CREATE TEMP TABLE legal(a, b);
INSERT INTO legal VALUES ('processing', 'streaming'), ('processing', 'compacting'), ('streaming', 'completing'), ('streaming', 'compacting'), ('compacting', 'streaming');
CREATE TEMP TABLE pair AS SELECT a.name AS a, b.name AS b, a.name || ' to ' || b.name AS label FROM phase AS a, phase AS b;
CREATE TEMP TABLE run(label TEXT PRIMARY KEY, r);
INSERT INTO run SELECT label, turn_begin(label, 'w', '{"messages":[{"role":"user","content":"x"}]}') FROM pair;
CREATE TEMP VIEW live AS SELECT pair.*, r ->> '$.turn' AS turn, r ->> '$.token' AS token, (a, b) IN (SELECT a, b FROM legal) AS may FROM run JOIN pair USING (label);
INSERT INTO turnstile SELECT 'turn_phase', json_array(turn, token, 'streaming') FROM live WHERE a IN ('streaming', 'completing');
INSERT INTO turnstile SELECT 'turn_phase', json_array(turn, token, a) FROM live WHERE a IN ('compacting', 'completing');
SELECT label || ': where it begins', session_state(label) ->> '$.turn_phase', a FROM live;
SELECT label || ': the phase, and the signals', turn_phase(turn, token, b), json_object('phase', b, 'expires_at', 1767225900000, 'interrupted', json('false'), 'steering', 0)
  FROM live WHERE may OR a = b;
SELECT label || ': is stored', session_state(label) ->> '$.turn_phase', b FROM live WHERE may OR a = b;
SELECT label || ': the last event', (SELECT from_state || '>' || to_state FROM session_events AS e WHERE e.session_label = label AND axis = 'turn' ORDER BY id DESC LIMIT 1),
  a || '>' || b FROM live WHERE may;
SELECT label || ': no event', (SELECT count(*) FROM session_events AS e WHERE e.session_label = label AND axis = 'turn' AND from_state = to_state), 0 FROM live WHERE a = b;
SELECT label || ': is refused', error_of(printf('SELECT turn_phase(%d, %d, %Q)', turn, token, b))
  LIKE 'turn_phase: the turn is ' || a || ' and can''t become ' || b || '; from ' || a || ' it can become: %', 1 FROM live WHERE NOT may AND a <> b;
SELECT label || ': stays', session_state(label) ->> '$.turn_phase', a FROM live WHERE NOT may AND a <> b;
SELECT 'all pairs', (SELECT count(*) FROM live), 16;
SELECT 'the words of a refusal', error_of(printf('SELECT turn_phase(%d, %d, ''processing'')', turn, token)),
  'turn_phase: the turn is streaming and can''t become processing; from streaming it can become: compacting, completing, failed, aborted' FROM live WHERE label = 'streaming to processing';

---- Refusals

SELECT 'phase NULL', error_of('SELECT turn_phase(16777216, 1, NULL)'), 'turn_phase: phase is missing';
SELECT 'no phase', error_of('SELECT turn_phase(16777216, 1, ''thinking'')'), 'turn_phase: phase is ''thinking''; it must be one of: processing, streaming, compacting, completing';
SELECT 'an end is none to be reported here', error_of('SELECT turn_phase(16777216, 1, ''failed'')'), 'turn_phase: phase is ''failed''; it must be one of: processing, streaming, compacting, completing';
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
