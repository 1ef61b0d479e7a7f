-- stop.sql - ending a turn that somebody else executes: session_stop by what was seen, session_run with
-- the token or the word that all runners of a name are dead. A name alone ends nothing.

SELECT turnstile_install();
SELECT turnstile_clock(1000000);

CREATE TEMP TABLE run(label TEXT PRIMARY KEY, r);
CREATE TEMP VIEW live(label, turn, token) AS SELECT label, r ->> '$.turn', r ->> '$.token' FROM run;
CREATE TEMP TABLE s(label);
INSERT INTO s VALUES ('stop'), ('drop'), ('other run'), ('over'), ('none yet'), ('name'), ('token'), ('dead'),
  ('lapsed'), ('error'), ('not that token');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'add retries') FROM s;
INSERT INTO run SELECT label, turn_begin(label, 'w', '{"messages":[{"role":"user","content":"x"}],"lease":"5m"}')
  FROM s WHERE label <> 'none yet';
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM live;

---- session_stop

SELECT 'what a gateway sees', session_state('stop') ->> '$.turn', turn FROM live WHERE label = 'stop';
SELECT 'stopped', json_extract(session_stop('stop', turn, 'by the user'), '$.turn' , '$.status', '$.on_path', '$.session',
  '$.waiting'), json_array(turn, 'aborted', json('true'), 'stop', 0) FROM live WHERE label = 'stop';
SELECT 'its token is dead', error_of(printf('SELECT turn_complete(%d, %d)', turn, token)),
  printf('turn_complete: turn %d is aborted: by the user; nothing can be added to it', turn) FROM live WHERE label = 'stop';
SELECT 'the output is kept', (SELECT count(*) FROM messages WHERE turn_id = turn AND content = 'half'), 1 FROM live
  WHERE label = 'stop';
SELECT 'the session is free', turn_begin('stop', 'v', '{"messages":[{"role":"user","content":"y"}]}') IS NOT NULL, 1;
SELECT 'another run is there now', error_of(printf('SELECT session_stop(''stop'', %d, ''late'')', turn)),
  printf('session_stop: session ''stop'' executes turn %d now, not %d; session_state shows it',
    session_state('stop') ->> '$.turn', turn) FROM live WHERE label = 'stop';
SELECT 'and goes on', (SELECT run_state || owner FROM session_runs WHERE session_label = 'stop'), 'startingv';
SELECT 'not kept', json_extract(session_stop('drop', turn, 'no', '{"keep":0}'), '$.status', '$.on_path'), '["aborted",false]'
  FROM live WHERE label = 'drop';
SELECT turn_complete(turn, token) FROM live WHERE label = 'over';
SELECT 'a turn that is over', error_of(printf('SELECT session_stop(''over'', %d, ''late'')', turn)),
  printf('session_stop: session ''over'' executes no turn now; turn %d is completed', turn) FROM live WHERE label = 'over';
SELECT 'a turn of another session', error_of(printf('SELECT session_stop(''none yet'', %d, ''late'')', turn)),
  printf('session_stop: session ''none yet'' executes no turn now; turn %d is processing', turn) FROM live
  WHERE label = 'other run';
SELECT 'which goes on', error_of(printf('SELECT turn_heartbeat(%d, %d)', turn, token)), NULL FROM live
  WHERE label = 'other run';
SELECT 'no turn at all', error_of('SELECT session_stop(''none yet'', 99, ''late'')'),
  'session_stop: session ''none yet'' executes no turn now; turn 99 is not there';
SELECT 'no session', error_of('SELECT session_stop(''nobody'', 99, ''late'')') LIKE 'session_stop: there is no session%', 1;
SELECT 'no reason', error_of('SELECT session_stop(''name'', 99)'), 'session_stop: reason is missing';
-- One that was merged away keeps its run, which is stopped under either name.
INSERT INTO turnstile VALUES ('session_start', '["primary","x"]');
INSERT INTO turnstile_meta VALUES ('unguarded', 1);
UPDATE sessions SET superseded_by = 'primary' WHERE label = 'other run';
DELETE FROM turnstile_meta WHERE key = 'unguarded';
SELECT 'of a merged session', session_stop('other run', turn, 'enough') ->> '$.session', 'other run' FROM live
  WHERE label = 'other run';
SELECT 'its lease has run out, but nobody came', json_extract(session_stop('lapsed', turn, 'enough',
  '{"now":9000000}'), '$.status'), 'aborted' FROM live WHERE label = 'lapsed';

---- session_run and turnstile_startup

CREATE TEMP TABLE word(label, call);
INSERT INTO word VALUES ('name', 'session_run(''name'', ''w'', ''idle'')'),
  ('error', 'session_run(''error'', ''w'', ''error'', ''{"exit_code":1}'')');
SELECT label || ': a name is no proof', error_of('SELECT ' || call), printf('session_run: a run of ''w'' executes turn %d, '
  || 'with a lease until 1300000; its own process gives the option token, and dead says that no process of that '
  || 'name lives', turn) FROM word JOIN live USING (label);
SELECT label || ': it goes on', error_of(printf('SELECT turn_heartbeat(%d, %d)', turn, token)), NULL
  FROM word JOIN live USING (label);
SELECT 'another token', error_of('SELECT session_run(''not that token'', ''w'', ''idle'', NULL, ''{"token":9}'')'),
  printf('session_run: token 9 is not the one that turn_begin gave out for turn %d', turn) FROM live
  WHERE label = 'not that token';
SELECT 'its own token', session_run('token', 'w', 'idle', NULL, json_object('token', token)), 'idle' FROM live
  WHERE label = 'token';
SELECT 'all of that name are dead', session_run('dead', 'w', 'error', NULL, '{"dead":1}'), 'error';
SELECT label || ': the turn has failed', (SELECT status FROM turns WHERE id = turn), 'failed' FROM live
  WHERE label IN ('token', 'dead');
SELECT 'without the lease the name will do', session_run('name', 'w', 'idle', NULL, '{"now":1300001}'), 'idle';
SELECT 'a startup leaves what may live', json_extract(turnstile_startup('w'), '$.sessions', '$.live'),
  '[["dead","over"],["error","not that token"]]';
SELECT 'until somebody says that none does', json_extract(turnstile_startup('w', '{"all":1}'), '$.sessions', '$.live'),
  '[["error","not that token"],[]]';
