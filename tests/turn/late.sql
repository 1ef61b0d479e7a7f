-- late.sql - the result of a tool call whose turn has ended.

SELECT turnstile_install();
SELECT turnstile_clock(1900000000000);
CREATE TEMP TABLE lost(label PRIMARY KEY, turn, token);
CREATE TEMP TABLE ways(way);
INSERT INTO ways VALUES ('failed'), ('restarted'), ('swept'), ('taken over'), ('aborted'), ('requeued');
INSERT INTO lost SELECT way, value_of(printf('SELECT session_deliver(%Q, %Q, ''{"owner":"A"}'')', way, 'deploy ' || way)), 0
FROM ways;
UPDATE lost SET token = turn ->> '$.turn.token', turn = turn ->> '$.turn.turn';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, value, 'bash', json('{"command":"make"}'))
FROM lost, json_each('["a","b","c"]');
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'boom') FROM lost WHERE label = 'failed';
INSERT INTO turnstile SELECT 'turn_abort', json_array(turn, token, 'boom', json('{"keep":0}')) FROM lost WHERE label = 'aborted';
INSERT INTO turnstile SELECT 'turn_abort', json_array(turn, token, 'boom', json('{"requeue":1}')) FROM lost WHERE label = 'requeued';
INSERT INTO turnstile SELECT 'session_run', json_array(label, 'A', 'error', NULL, json('{"dead":1}')) FROM lost
WHERE label = 'restarted';
SELECT turnstile_clock(1900000301000);
SELECT session_sweep() IS NOT NULL;

---- Nobody goes on yet: the call has its result, and contexts show it

SELECT label || ': the turn is off the path', json_array(status <> 'running', on_path), '[1,0]'
FROM lost JOIN turns ON id = turn;
SELECT label || ': the result is taken', turn_tool_result(turn, token, 'a', 'done a'), '{"status":"completed","late":true}'
FROM lost;
SELECT label || ': an error', turn_tool_result(turn, token, 'b', 'no b', '{"error":1}'), '{"status":"failed","late":true}'
FROM lost;
SELECT label || ': once', error_of(printf('SELECT turn_tool_result(%d, %d, ''a'', ''again'')', turn, token)),
  'turn_tool_result: call_id: tool call ''a'' has its result already, which is another one' FROM lost;
SELECT label || ': no such call', error_of(printf('SELECT turn_tool_result(%d, %d, ''x'', ''y'')', turn, token)) LIKE
  'turn_tool_result: turn ' || turn || ' is %; it holds no tool call ''x''', 1 FROM lost;
SELECT label || ': the row', group_concat(c.status || ifnull(' ' || coalesce(c.result, c.error), ''), ', '),
  'completed done a, failed no b, pending' FROM lost JOIN tool_calls AS c ON c.place BETWEEN turn << 12 AND turn << 12 | 4095
GROUP BY label;
SELECT label || ': the context', (SELECT group_concat(status || ' ' || content, '; ') FROM session_context(label)
  WHERE kind = 'tool_result'), 'completed done a; failed no b; interrupted ' || turnstile_config('text.context.interrupted') FROM lost;
SELECT 'nothing waits because of it', count(*), 0 FROM session_queue WHERE channel = 'tool';
SELECT 'nothing else lands', error_of(printf('SELECT turn_message(%d, %d, ''{"role":"assistant","content":"x"}'')', turn, token))
  LIKE '%nothing can be added to it', 1 FROM lost WHERE label = 'failed';
SELECT 'the progress tells it', session_progress('failed') LIKE '%a%', 1;

---- A turn has gone on from it

CREATE TEMP TABLE next(label PRIMARY KEY, turn, token);
INSERT INTO next SELECT label, value_of(printf(
  'SELECT turn_begin(%Q, ''B'', ''{"messages":[{"role":"user","content":"go on"}]}'')', label)), 0 FROM lost;
UPDATE next SET token = turn ->> '$.token', turn = turn ->> '$.turn';
SELECT label || ': it is shown there', (SELECT group_concat(status || ' ' || content, '; ') FROM session_context(label)
  WHERE kind = 'tool_result'), 'completed done a; failed no b; interrupted ' || turnstile_config('text.context.interrupted') FROM lost;
CREATE TEMP TABLE shown AS SELECT label, (SELECT json_group_array(json_array(kind, role, content, status)) FROM session_context(label)) AS j
FROM lost;
SELECT n.label || ': the token of the run that goes on is not that of the turn',
  error_of(printf('SELECT turn_tool_result(%d, %d, ''c'', ''done c'')', l.turn, n.token)),
  printf('turn_tool_result: token %d is not the one that turn_begin gave out for turn %d', n.token, l.turn)
FROM next AS n JOIN lost AS l USING (label);
SELECT label || ': it waits', turn_tool_result(turn, token, 'c', 'done c') ->> '$.queue_id' > 0, 1 FROM lost;
SELECT label || ': once, too', error_of(printf('SELECT turn_tool_result(%d, %d, ''c'', ''again'')', turn, token)),
  'turn_tool_result: call_id: tool call ''c'' has its result already, which is another one' FROM lost;
SELECT label || ': what the run was shown stays', (SELECT json_group_array(json_array(kind, role, content, status))
  FROM session_context(label)), j FROM shown;
SELECT n.label || ': the run hears of it', turn_heartbeat(turn, token) ->> '$.steering', 1 FROM next AS n;
SELECT n.label || ': in words', turn_steering(turn, token) ->> '$.messages[0].content',
  'The result of bash (c), an earlier tool call, has come:' || char(10) || 'done c' FROM next AS n;
SELECT label || ': all that was shown before is the beginning', (SELECT json_group_array(json_array(kind, role, content, status))
  FROM session_context(label)) LIKE rtrim(j, ']') || ']%', 1 FROM shown;
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json('{"content":"ok"}')) FROM next;

---- That turn is complete

SELECT turn_begin('done', 'A', '{"messages":[{"role":"user","content":"go"}]}') ->> '$.token' > 0;
INSERT INTO lost SELECT 'done', turn_id, token FROM session_runs WHERE session_label = 'done';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'ls') FROM lost WHERE label = 'done';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'boom') FROM lost WHERE label = 'done';
SELECT turn_append('done', '[{"role":"user","content":"next"},{"role":"assistant","content":"ok"}]') > 0;
SELECT 'it waits for the next turn', turn_tool_result(turn, token, 'k', 'a.c') ->> '$.queue_id' > 0, 1 FROM lost WHERE label = 'done';
SELECT 'which is shown it', turn_begin('done', 'B') ->> '$.messages[0].content',
  'The result of ls (k), an earlier tool call, has come:' || char(10) || 'a.c';

---- A turn of the path

SELECT turn_begin('path', 'A', '{"messages":[{"role":"user","content":"go"}]}') ->> '$.token' > 0;
INSERT INTO lost SELECT 'path', turn_id, token FROM session_runs WHERE session_label = 'path';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, value, 'ls') FROM lost, json_each('["k","l"]') WHERE label = 'path';
INSERT INTO turnstile SELECT 'turn_abort', json_array(turn, token, 'enough') FROM lost WHERE label = 'path';
SELECT 'who follows brings it', error_of(printf('SELECT turn_tool_result(%d, %d, ''k'', ''a.c'')', turn, token)),
  printf('turn_tool_result: turn %d is aborted: enough, and stays in the conversation with tool call ''k'' as it is; a turn that '
    || 'follows takes its result: turn_append with role tool, or turn_tool_result with the turn and the token of the run that '
    || 'goes on', turn) FROM lost WHERE label = 'path';
SELECT 'and so it can', turn_append('path', '[{"role":"tool","tool_call_id":"k","content":"a.c"}]') > 0, 1;
SELECT turn_begin('path', 'B', '{"messages":[{"role":"user","content":"more"}]}') ->> '$.token' > 0;
SELECT 'while a run is live it waits for that', turn_tool_result(turn, token, 'l', 'b.c') ->> '$.queue_id' > 0, 1 FROM lost
WHERE label = 'path';
SELECT 'and is taken by it', turn_steering(turn_id, token) ->> '$.messages[0].content' LIKE '%b.c', 1 FROM session_runs
WHERE session_label = 'path';

---- A result is given once, whichever way it came first

-- first: how the result of k comes first, while a run is live behind the turn that called it; then: how once more.
CREATE TEMP TABLE twice(label PRIMARY KEY, first, then_, taken, turn, token, live, livetoken);
INSERT INTO twice(label, first, then_, taken)
SELECT f.value || ' then ' || t.value || iif(k.value, ', taken', ''), f.value, t.value, k.value
FROM json_each('["late","tool"]') AS f, json_each('["late","turn_message","turn_append","turn_tool_result"]') AS t, json_each('[0,1]') AS k;
UPDATE twice SET turn = value_of(printf('SELECT session_deliver(%Q, ''go'', ''{"owner":"A"}'')', label)) ->> '$.turn';
UPDATE twice SET token = turn ->> '$.token', turn = turn ->> '$.turn';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'ls') FROM twice;
INSERT INTO turnstile SELECT 'turn_abort', json_array(turn, token, 'enough') FROM twice;
UPDATE twice SET live = value_of(printf('SELECT turn_begin(%Q, ''B'', ''{"messages":[{"role":"user","content":"more"}]}'')', label));
UPDATE twice SET livetoken = live ->> '$.token', live = live ->> '$.turn';
INSERT INTO turnstile SELECT 'turn_tool_result', json_array(turn, token, 'k', 'a.c') FROM twice WHERE first = 'late';
INSERT INTO turnstile SELECT 'turn_tool_result', json_array(live, livetoken, 'k', 'a.c') FROM twice WHERE first = 'tool';
INSERT INTO turnstile SELECT 'turn_steering', json_array(live, livetoken) FROM twice WHERE taken;
INSERT INTO turnstile SELECT 'turn_complete', json_array(live, livetoken, json('{"content":"ok"}')) FROM twice WHERE then_ = 'turn_append';
CREATE TEMP TABLE again AS SELECT t.*, r.value AS result, CASE then_
    WHEN 'late' THEN printf('SELECT turn_tool_result(%d, %d, ''k'', %Q)', turn, token, r.value)
    WHEN 'turn_tool_result' THEN printf('SELECT turn_tool_result(%d, %d, ''k'', %Q)', live, livetoken, r.value)
    WHEN 'turn_message' THEN printf('SELECT turn_message(%d, %d, %Q)', live, livetoken, json_object('role', 'tool', 'tool_call_id', 'k', 'content', r.value))
    ELSE printf('SELECT turn_append(%Q, %Q)', label, json_array(json_object('role', 'tool', 'tool_call_id', 'k', 'content', r.value))) END AS sql
FROM twice AS t, json_each('["a.c","b.c"]') AS r;
SELECT label || ': another one is refused', error_of(sql) LIKE '%tool call ''k'' has its result already, which is another one%', 1 FROM again WHERE result = 'b.c';
SELECT label || ': the same', value_of(sql) ->> '$.duplicate', 1 FROM again WHERE result = 'a.c' AND then_ <> 'turn_append';
SELECT label || ': a turn of nothing else', error_of(sql), 'turn_append: messages are results that are there already; a turn holds at least one new entry'
FROM again WHERE result = 'a.c' AND then_ = 'turn_append';
SELECT label || ': with something else', value_of(printf('SELECT turn_append(%Q, %Q, %Q)', label,
  '[{"role":"tool","tool_call_id":"k","content":"a.c"},{"role":"user","content":"next"}]', json_object('external_id', label))) > 0, 1 FROM twice WHERE then_ = 'turn_append';
SELECT label || ': which is told again', value_of(printf('SELECT turn_append(%Q, %Q, %Q)', label,
  '[{"role":"tool","tool_call_id":"k","content":"a.c"},{"role":"user","content":"next"}]', json_object('external_id', label))) > 0, 1 FROM twice WHERE then_ = 'turn_append';
INSERT INTO turnstile SELECT 'turn_complete', json_array(live, livetoken, json('{"content":"ok"}')) FROM twice WHERE then_ <> 'turn_append';
SELECT value_of(printf('SELECT turn_begin(%Q, ''C'', ''{"lease":1000}'')', label)) IS NULL FROM twice;
SELECT label || ': the model sees it once', (SELECT count(*) FROM session_context(label) WHERE content LIKE '%a.c'), 1 FROM twice;

---- A summary went through what the failed turn has left

CREATE TEMP TABLE summed(label PRIMARY KEY, through, turn, token);
INSERT INTO summed(label, through) VALUES ('summary through it', 1), ('summary that keeps it', 0);
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"one"},{"role":"assistant","content":"ok"}]')) FROM summed;
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"two"},{"role":"assistant","content":"ok"}]')) FROM summed;
UPDATE summed SET turn = value_of(printf('SELECT turn_begin(%Q, ''A'', ''{"messages":[{"role":"user","content":"go"}]}'')', label));
UPDATE summed SET token = turn ->> '$.token', turn = turn ->> '$.turn';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'ls') FROM summed;
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'boom') FROM summed;
INSERT INTO turnstile SELECT 'turn_compact', json_array(label, 'the summary', iif(through, json_object('summarized_through_turn_id', turn), json_object('keep_turns', 0))) FROM summed;
SELECT label || ': it waits, or stands with its call', turn_tool_result(turn, token, 'k', 'a.c') ->> '$.queue_id' > 0, iif(through, 1, NULL) FROM summed;
SELECT label || ': twice', turn_tool_result(turn, token, 'k', 'a.c') ->> '$.duplicate', 1 FROM summed;
SELECT label || ': begins', value_of(printf('SELECT turn_begin(%Q, ''B'', %Q)', label, iif(through, '{}', '{"messages":[{"role":"user","content":"go on"}]}'))) ->> '$.token' > 0, 1 FROM summed;
SELECT label || ': the model sees it', (SELECT count(*) FROM session_context(label) WHERE content LIKE '%a.c'), 1 FROM summed;

---- A worker whose task has ended

SELECT session_start('parent', 'build') > 0;
SELECT session_spawn('parent', 'look', '{"label":"w"}');
SELECT turn_begin('w', 'A') ->> '$.token' > 0;
INSERT INTO lost SELECT 'w', turn_id, token FROM session_runs WHERE session_label = 'w';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'ls') FROM lost WHERE label = 'w';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'boom') FROM lost WHERE label = 'w';
SELECT turn_append('w', '[{"role":"user","content":"go on"},{"role":"assistant","content":"done"}]') > 0;
SELECT session_report('w', 'completed', 'done') > 0;
SELECT 'nobody begins it anew for that', error_of(printf('SELECT turn_tool_result(%d, %d, ''k'', ''a.c'')', turn, token)),
  'turn_tool_result: the work has gone on without the result of tool call ''k'', and has ended; report the result by ' ||
  'session_deliver' FROM lost WHERE label = 'w';

---- What nobody goes on from is kept

SELECT turn_append('back', '[{"role":"user","content":"one"},{"role":"assistant","content":"ok"}]') > 0;
SELECT turn_begin('back', 'A', '{"messages":[{"role":"user","content":"go"}]}') ->> '$.token' > 0;
INSERT INTO lost SELECT 'back', turn_id, token FROM session_runs WHERE session_label = 'back';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'ls') FROM lost WHERE label = 'back';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'boom') FROM lost WHERE label = 'back';
SELECT session_rewind('back', thread_id) IS NOT NULL FROM sessions WHERE label = 'back';
SELECT 'a rewind has left it', turn_tool_result(turn, token, 'k', 'a.c'), '{"status":"completed","late":true}' FROM lost
WHERE label = 'back';
SELECT 'the row keeps it', result, 'a.c' FROM lost JOIN tool_calls ON place >> 12 = turn WHERE label = 'back';
SELECT 'no context shows it', count(*), 0 FROM session_context('back') WHERE kind = 'tool_result';
SELECT 'all is sound', group_concat(rule || ' ' || problem), NULL FROM turnstile_check;

---- A rewind to where the head stands takes what a failed turn has left out of the context: after a summary the result is an input

CREATE TEMP TABLE stood(label PRIMARY KEY, turn, token);
INSERT INTO stood VALUES ('stood', 0, 0);
SELECT turn_append('stood', '[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello."}]') > 0;
SELECT turn_append('stood', '[{"role":"user","content":"more"},{"role":"assistant","content":"Well."}]') > 0;
SELECT turn_begin('stood', 'A', '{"messages":[{"role":"user","content":"go"}]}') ->> '$.token' > 0;
UPDATE stood SET (turn, token) = (SELECT turn_id, token FROM session_runs WHERE session_label = 'stood');
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'ls') FROM stood;
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'boom') FROM stood;
SELECT session_rewind('stood', (SELECT thread_id FROM sessions WHERE label = 'stood')) ->> '$.dropped_turn' > 0;
SELECT turn_compact('stood', 'S', '{"keep_turns":0}') ->> '$.turns_kept';
SELECT 'stood: it waits', turn_tool_result(turn, token, 'k', 'a.c') ->> '$.queue_id' > 0, 1 FROM stood;
SELECT turn_begin('stood', 'B') ->> '$.token' > 0;
SELECT 'stood: it is shown once', (SELECT group_concat(kind || ' ' || content, '; ') FROM session_context('stood')),
  'summary S; message The result of ls (k), an earlier tool call, has come:' || char(10) || 'a.c';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn_id, token, json('{"content":"ok"}')) FROM session_runs WHERE session_label = 'stood';
SELECT 'stood: the same once more is known', turn_tool_result(turn, token, 'k', 'a.c') ->> '$.duplicate', 1 FROM stood;
SELECT 'stood: and shown once still', (SELECT count(*) FROM session_context('stood') WHERE content LIKE '%a.c%'), 1;

---- What told a result and was called off is not told again when a turn holds it by now

SELECT turn_begin('told once', 'a', '{"messages":[{"role":"user","content":"look"}]}') ->> '$.token' > 0;
CREATE TEMP TABLE first AS SELECT turn_id, token FROM session_runs WHERE session_label = 'told once';
SELECT turn_tool_call(turn_id, token, 'k', 'look') IS NOT NULL FROM first;
SELECT turn_abort(turn_id, token, 'enough') IS NOT NULL FROM first;
SELECT turn_begin('told once', 'b', '{"messages":[{"role":"user","content":"go on"}]}') ->> '$.token' > 0;
CREATE TEMP TABLE told AS SELECT turn_tool_result(turn_id, token, 'k', 'seen') ->> '$.queue_id' AS input FROM first;
SELECT queue_cancel(input) = input FROM told;
SELECT 'called off, and no turn holds it: it waits again', queue_retry(input) = input, 1 FROM told;
SELECT queue_cancel(input) = input FROM told;
SELECT turn_complete(turn_id, token, '{"content":"so"}') IS NOT NULL FROM session_runs WHERE session_label = 'told once';
CREATE TEMP TABLE holds AS SELECT turn_append('told once', '[{"role":"tool","tool_call_id":"k","content":"seen"}]') AS turn;
SELECT 'a turn holds it', error_of(printf('SELECT queue_retry(%d)', input)),
  printf('queue_retry: input %d tells the result of a tool call that turn %d holds already', input, turn) FROM told, holds;
SELECT 'it stays called off', (SELECT status FROM session_queue WHERE id = input), 'cancelled' FROM told;
SELECT 'it is shown once', (SELECT count(*) FROM session_context('told once') WHERE content LIKE '%seen%'), 1;
