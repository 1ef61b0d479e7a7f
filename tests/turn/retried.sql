-- retried.sql - an input that is tried again is shown to the model in full once, and the record of its first
-- attempt stays.
SELECT turnstile_install();
SELECT turnstile_clock(1000000);
CREATE TEMP TABLE took(label, n INTEGER PRIMARY KEY, j);
CREATE TEMP VIEW last(label, turn, token, j) AS SELECT label, j ->> '$.turn', j ->> '$.token', j FROM took
  WHERE n IN (SELECT max(n) FROM took GROUP BY label);

---- How the first attempt ended × what it had made

CREATE TEMP TABLE try AS SELECT ends || ', ' || made AS label, ends, made, makes
  FROM (SELECT 'fail' AS ends UNION ALL SELECT 'stop' UNION ALL SELECT 'stop, not kept' UNION ALL SELECT 'requeue'
    UNION ALL SELECT 'crash' UNION ALL SELECT 'archive'),
  (SELECT 'nothing' AS made, 0 AS makes UNION ALL SELECT 'text', 1 UNION ALL SELECT 'a call', 1 UNION ALL SELECT 'a result', 1);
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json('[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello."}]'))
  FROM try;
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'restart the server', json('{"class":"NewTask"}')) FROM try;
INSERT INTO took(label, j) SELECT label, turn_begin(label, 'w') FROM try;
INSERT INTO turnstile SELECT 'turn_message', json_array(turn, token, json('{"role":"assistant","content":"I look."}'))
  FROM try JOIN last USING (label) WHERE made = 'text';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'bash', '{}')
  FROM try JOIN last USING (label) WHERE made IN ('a call', 'a result');
INSERT INTO turnstile SELECT 'turn_tool_result', json_array(turn, token, 'k', 'ok') FROM try JOIN last USING (label) WHERE made = 'a result';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'e') FROM try JOIN last USING (label) WHERE ends = 'fail';
INSERT INTO turnstile SELECT 'turn_abort', json_array(turn, token, 'e', json(CASE ends WHEN 'requeue' THEN '{"requeue":1}'
  WHEN 'stop' THEN '{}' ELSE '{"keep":0}' END)) FROM try JOIN last USING (label) WHERE ends LIKE 'stop%' OR ends = 'requeue';
INSERT INTO turnstile SELECT 'session_archive', json_array(label, json('{"force":1}')) FROM try WHERE ends = 'archive';
INSERT INTO turnstile SELECT 'session_unarchive', json_array(label) FROM try WHERE ends = 'archive';
INSERT INTO turnstile SELECT 'session_run', json_array(label, 'w', 'running') FROM try WHERE ends = 'crash';
INSERT INTO turnstile SELECT 'session_run', json_array(label, 'w', 'error', NULL, json('{"dead":1}'))
  FROM try WHERE ends = 'crash';
CREATE TEMP TABLE record AS SELECT t.label, group_concat(m.place || ' ' || m.content, ' | ') AS said
  FROM try AS t JOIN last USING (label) JOIN messages AS m ON m.turn_id = turn GROUP BY t.label;
INSERT INTO turnstile SELECT 'queue_retry', json_array(id) FROM session_queue WHERE status IN ('failed', 'cancelled');
SELECT label || ': it waits', (SELECT group_concat(message || ' ' || status) FROM session_queue WHERE session_label = label),
  'restart the server pending' FROM try;
CREATE TEMP TABLE first AS SELECT label, turn FROM last;
INSERT INTO took(label, j) SELECT label, turn_begin(label, 'v') FROM try;
SELECT label || ': the host is given it', json_extract(j, '$.messages[0].content', '$.messages[0].attempt'),
  json_array('restart the server', iif(ends IN ('fail', 'crash') AND NOT makes OR ends = 'requeue', 2, 1))
  FROM try JOIN last USING (label);
SELECT label || ': the model sees it once', (SELECT count(*) FROM session_context(label) WHERE content = 'restart the server'), 1 FROM try;
SELECT label || ': where it was said first', (SELECT group_concat(role || ' ' || ifnull(content, ''), ' | ')
    FROM session_context(label) WHERE kind = 'message' AND position > 1), 'user restart the server'
  || iif(made = 'text', ' | assistant I look.', '') || iif(makes, ' | user Please work on that again.', '') FROM try;
SELECT label || ': the last is for the model to answer', (SELECT role FROM session_context(label) ORDER BY position DESC LIMIT 1), 'user' FROM try;
SELECT label || ': its tokens are counted as shown', session_needs_compaction(label, tokens) || session_needs_compaction(label, tokens * 2), '10'
  FROM (SELECT label, (SELECT sum(tokens) FROM session_context(label)) AS tokens FROM try);
SELECT label || ': the message says what it repeats', (SELECT json_extract(metadata, '$.queue_id') = (SELECT id FROM session_queue
    WHERE session_label = t.label) AND metadata ->> '$.retries_turn_id' IS f.turn FROM messages WHERE place = l.turn << 12), 1
  FROM try AS t JOIN last AS l USING (label) JOIN first AS f USING (label) WHERE makes;
SELECT label || ': the first attempt is on record', (SELECT group_concat(m.place || ' ' || m.content, ' | ') FROM messages AS m WHERE m.turn_id = f.turn),
  said FROM first AS f JOIN record USING (label);
-- The beginning of the context stays while the run goes on, and afterwards.
CREATE TEMP TABLE seen AS SELECT label, (SELECT group_concat(role || ifnull(content, ''), '|') FROM session_context(label)) AS c FROM try;
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'm', 'bash', '{}') FROM last;
INSERT INTO turnstile SELECT 'turn_tool_result', json_array(turn, token, 'm', 'done') FROM last;
SELECT label || ': stable in the run', (SELECT group_concat(role || ifnull(content, ''), '|') FROM session_context(label)) LIKE c || '%', 1 FROM seen;
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json('{"content":"Restarted."}')) FROM last;
SELECT label || ': and for ever', (SELECT group_concat(role || ifnull(content, ''), '|') FROM session_context(label)) LIKE c || '%Restarted.', 1 FROM seen;

---- More than once, and not alone

-- The second attempt comes to nothing, the third makes something: still once.
SELECT session_deliver('thrice', 'deploy', '{"class":"NewTask"}');
INSERT INTO took(label, j) VALUES ('thrice', turn_begin('thrice', 'w'));
SELECT turn_tool_call(turn, token, 'a', 'bash', '{}') FROM last WHERE label = 'thrice';
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'thrice';
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'thrice';
INSERT INTO took(label, j) VALUES ('thrice', turn_begin('thrice', 'w'));
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'thrice';
INSERT INTO took(label, j) VALUES ('thrice', turn_begin('thrice', 'w'));
SELECT turn_tool_call(turn, token, 'b', 'bash', '{}') FROM last WHERE label = 'thrice';
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'thrice';
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'thrice';
INSERT INTO took(label, j) VALUES ('thrice', turn_begin('thrice', 'w'));
SELECT 'thrice: once', (SELECT count(*) FROM session_context('thrice') WHERE content = 'deploy'), 1;
SELECT 'thrice: no doubt what', (SELECT content FROM session_context('thrice') ORDER BY position DESC LIMIT 1),
  'Please work on this again: deploy';
-- Between attempts, too: each that made something goes on from the one before it, and stands at the end of the context.
CREATE TEMP TABLE gap(n, at, said);
SELECT session_deliver('between', 'mend it', '{"class":"NewTask"}');
INSERT INTO took(label, j) VALUES ('between', turn_begin('between', 'w'));
INSERT INTO gap SELECT 1, 'run', group_concat(content, ' | ') FROM session_context('between');
SELECT turn_message(turn, token, '{"role":"assistant","content":"try 1"}') FROM last WHERE label = 'between';
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'between';
INSERT INTO gap SELECT 1, 'failed', group_concat(content, ' | ') FROM session_context('between');
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'between';
INSERT INTO gap SELECT 1, 'waits', group_concat(content, ' | ') FROM session_context('between');
INSERT INTO took(label, j) VALUES ('between', turn_begin('between', 'w'));
INSERT INTO gap SELECT 2, 'run', group_concat(content, ' | ') FROM session_context('between');
SELECT turn_message(turn, token, '{"role":"assistant","content":"try 2"}') FROM last WHERE label = 'between';
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'between';
INSERT INTO gap SELECT 2, 'failed', group_concat(content, ' | ') FROM session_context('between');
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'between';
INSERT INTO gap SELECT 2, 'waits', group_concat(content, ' | ') FROM session_context('between');
INSERT INTO took(label, j) VALUES ('between', turn_begin('between', 'w'));
INSERT INTO gap SELECT 3, 'run', group_concat(content, ' | ') FROM session_context('between');
SELECT turn_message(turn, token, '{"role":"assistant","content":"try 3"}') FROM last WHERE label = 'between';
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'between';
INSERT INTO gap SELECT 3, 'failed', group_concat(content, ' | ') FROM session_context('between');
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'between';
INSERT INTO gap SELECT 3, 'waits', group_concat(content, ' | ') FROM session_context('between');
INSERT INTO took(label, j) VALUES ('between', turn_begin('between', 'w'));
INSERT INTO gap SELECT 4, 'run', group_concat(content, ' | ') FROM session_context('between');
SELECT turn_message(turn, token, '{"role":"assistant","content":"try 4"}') FROM last WHERE label = 'between';
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'between';
INSERT INTO gap SELECT 4, 'failed', group_concat(content, ' | ') FROM session_context('between');
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'between';
INSERT INTO gap SELECT 4, 'waits', group_concat(content, ' | ') FROM session_context('between');
SELECT 'attempt ' || n || ', ' || at, said, substr(whole, 1, instr(whole, ' | try ' || n) + iif(at = 'run', -1, 7)) FROM gap, (SELECT 'mend it | try 1 | Please work on that again. | try 2'
  || ' | Please work on this again: mend it | try 3 | Please work on this again: mend it | try 4' AS whole);
-- Of several, each says which it is, unless all are tried together.
INSERT INTO turnstile VALUES ('session_deliver', '["two","build a wall",{"class":"NewTask"}]'),
  ('session_deliver', '["two","and a roof",{"class":"Modification"}]');
INSERT INTO took(label, j) VALUES ('two', turn_begin('two', 'w'));
SELECT turn_tool_call(turn, token, 'a', 'bash', '{}') FROM last WHERE label = 'two';
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'two';
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'two' AND message = 'and a roof';
INSERT INTO took(label, j) VALUES ('two', turn_begin('two', 'w'));
SELECT 'one of two says which', (SELECT content FROM session_context('two') ORDER BY position DESC LIMIT 1),
  'Please work on this again: and a roof';
INSERT INTO turnstile SELECT 'session_deliver', json_array('long', m.value, json_object('class', iif(m.key, 'Modification', 'NewTask')))
  FROM json_each(json_array('build a wall', 'and a roof of ' || printf('%.300c', 'x'))) AS m;
INSERT INTO took(label, j) VALUES ('long', turn_begin('long', 'w'));
SELECT turn_tool_call(turn, token, 'a', 'bash', '{}') FROM last WHERE label = 'long';
SELECT turn_fail(turn, token, 'e') FROM last WHERE label = 'long';
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'long' AND message LIKE 'and a roof%';
INSERT INTO took(label, j) VALUES ('long', turn_begin('long', 'w'));
SELECT 'of a long one the first words are enough', (SELECT content LIKE 'Please work on this again: and a roof of x%' AND length(content) < 160 FROM session_context('long')
  ORDER BY position DESC LIMIT 1), 1;
SELECT 'the text is a template', turnstile_config('text.context.retried_of', 'Nochmal bitte: {message}', '{"session":"both"}'),
  'Nochmal bitte: {message}';
INSERT INTO turnstile VALUES ('session_deliver', '["both","build a wall",{"class":"NewTask"}]'),
  ('session_deliver', '["both","and a roof",{"class":"Modification"}]');
INSERT INTO took(label, j) VALUES ('both', turn_begin('both', 'w'));
SELECT turn_tool_call(turn, token, 'a', 'bash', '{}') FROM last WHERE label = 'both';
SELECT turn_abort(turn, token, 'e', '{"requeue":1}') FROM last WHERE label = 'both';
SELECT session_deliver('both', 'and a door', '{"class":"Modification"}');
INSERT INTO took(label, j) VALUES ('both', turn_begin('both', 'w'));
SELECT 'of several each is said', (SELECT group_concat(content, ' | ') FROM session_context('both') WHERE kind = 'message'),
  'build a wall | and a roof | Nochmal bitte: build a wall | Nochmal bitte: and a roof | and a door';

---- No more than sixteen attempts are shown before the one that goes on, and all that counts or carries them agrees

SELECT turn_append('sixteen', '[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello."}]');
SELECT session_deliver('sixteen', 'mend it', '{"class":"NewTask"}');
CREATE TEMP TABLE attempts(n, at, shown, first, tokens, usage, fits, short);
CREATE TEMP VIEW attempting(n) AS SELECT NULL WHERE 0;
CREATE TEMP TRIGGER attempt INSTEAD OF INSERT ON attempting BEGIN
  INSERT INTO turnstile VALUES ('turn_begin', '["sixteen","w"]');
  INSERT INTO turnstile SELECT 'turn_message', json_array(turn_id, token, json_object('role', 'assistant', 'content', 'try ' || NEW.n)) FROM session_runs WHERE session_label = 'sixteen';
  INSERT INTO attempts SELECT NEW.n, 'run', sum(content LIKE 'try %'), min(iif(content LIKE 'try %', 0 + substr(content, 5), 99)), sum(tokens), NULL, NULL, NULL FROM session_context('sixteen');
  INSERT INTO turnstile SELECT 'turn_fail', json_array(turn_id, token, 'e') FROM session_runs WHERE session_label = 'sixteen';
  INSERT INTO attempts SELECT NEW.n, 'failed', sum(content LIKE 'try %'), min(iif(content LIKE 'try %', 0 + substr(content, 5), 99)), sum(tokens), NULL, NULL, NULL FROM session_context('sixteen');
  INSERT INTO turnstile SELECT 'queue_retry', json_array(id) FROM session_queue WHERE session_label = 'sixteen';
  UPDATE attempts SET usage = session_usage('sixteen') ->> '$.context_tokens', fits = session_needs_compaction('sixteen', tokens), short = session_needs_compaction('sixteen', tokens * 2) WHERE n = NEW.n AND at = 'failed';
END;
INSERT INTO attempting WITH RECURSIVE n(value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM n LIMIT 19) SELECT value FROM n;
SELECT 'attempt ' || n || ', ' || at, json_array(shown, first, tokens, usage, fits, short), json_array(most, n - most + 1, 3 + 4 * most, iif(at = 'failed', 3 + 4 * most, NULL), iif(at = 'failed', 1, NULL), iif(at = 'failed', 0, NULL))
  FROM (SELECT *, min(n, iif(at = 'run', 17, 16)) AS most FROM attempts);
SELECT 'a document carries as many', session_import(session_export('sixteen'), '{"as":"sixteen there"}') ->> '$.turns', (SELECT count(*) FROM turn_path('sixteen')) + 16;
SELECT 'and the same is shown there', (SELECT group_concat(content, '|') FROM session_context('sixteen there')), (SELECT group_concat(content, '|') FROM session_context('sixteen'));
SELECT 'counted alike', session_usage('sixteen there') ->> '$.context_tokens', session_usage('sixteen') ->> '$.context_tokens';
SELECT 'a summary through the last stands for them, and for the turn before', turn_compact('sixteen', 'S', json_object('summarized_through_turn_id', (SELECT failed_turn_id FROM session_runs WHERE session_label = 'sixteen'))) ->> '$.turns_summarized', 17;
SELECT 'then nothing of them is shown', (SELECT group_concat(content, '|') FROM session_context('sixteen')), 'S';

---- Where the first attempt is not in the context, the input is

-- The session was rewound; or a summary tells of it.
SELECT turn_append('back', '[{"role":"user","content":"hi"}]');
SELECT session_deliver('back', 'deploy', '{"class":"NewTask"}');
INSERT INTO took(label, j) VALUES ('back', turn_begin('back', 'w'));
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM last WHERE label = 'back';
SELECT turn_abort(turn, token, 'stop') FROM last WHERE label = 'back';
SELECT session_rewind('back', (SELECT min(thread_id) FROM session_history WHERE session_label = 'back'));
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'back';
INSERT INTO took(label, j) VALUES ('back', turn_begin('back', 'w'));
SELECT 'rewound: it is said', (SELECT group_concat(content, ' | ') FROM session_context('back')), 'hi | deploy';
SELECT session_deliver('sum', 'deploy', '{"class":"NewTask"}');
INSERT INTO took(label, j) VALUES ('sum', turn_begin('sum', 'w'));
SELECT turn_message(turn, token, '{"role":"assistant","content":"half"}') FROM last WHERE label = 'sum';
SELECT turn_abort(turn, token, 'stop') FROM last WHERE label = 'sum';
SELECT turn_append('sum', '[{"role":"user","content":"hi"}]');
SELECT turn_compact('sum', 'They wanted to deploy.', '{"keep_tokens":0}');
SELECT queue_retry(id) FROM session_queue WHERE session_label = 'sum';
INSERT INTO took(label, j) VALUES ('sum', turn_begin('sum', 'w'));
SELECT 'summarised: it is said', (SELECT content FROM session_context('sum') ORDER BY position DESC LIMIT 1), 'deploy';

---- What is cut off later: the request is in every context that shows an attempt at it, whole and once

-- Two attempts that made something, kept on the path, and a third one. The request is long: its end matters.
CREATE TEMP TABLE long AS SELECT 'write the report, ' || replace(hex(zeroblob(300)), '00', 'x') || ' and only for May' AS request;
INSERT INTO turnstile SELECT 'turn_append', json_array('cut', json('[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello."}]'));
INSERT INTO turnstile SELECT 'session_deliver', json_array('cut', request, json('{"class":"NewTask"}')) FROM long;
INSERT INTO took(label, j) VALUES ('cut', turn_begin('cut', 'w'));
INSERT INTO turnstile SELECT 'turn_message', json_array(turn, token, json('{"role":"assistant","content":"half"}')) FROM last WHERE label = 'cut';
INSERT INTO turnstile SELECT 'turn_abort', json_array(turn, token, 'stop') FROM last WHERE label = 'cut';
INSERT INTO turnstile SELECT 'queue_retry', json_array(id) FROM session_queue WHERE session_label = 'cut';
INSERT INTO took(label, j) VALUES ('cut', turn_begin('cut', 'w'));
CREATE TEMP VIEW asked AS SELECT s.label, (SELECT count(*) FROM session_context(s.label) WHERE content = request) AS whole,
  (SELECT count(*) FROM session_context(s.label) WHERE content LIKE 'Please work on %') AS short FROM sessions AS s, long;
SELECT 'cut: once, while both are there', (SELECT json_array(whole, short) FROM asked WHERE label = 'cut'), '[1,1]';
SELECT 'cut: the record has it whole', (SELECT count(*) FROM messages, long WHERE content = request), 2;
SELECT 'cut: with every budget it is there whole, once, when an attempt is', (SELECT group_concat(DISTINCT rows || ':' || whole) FROM (
  SELECT (SELECT count(*) > 0 FROM session_context('cut', b.value)) AS rows,
    (SELECT count(*) FROM session_context('cut', b.value) WHERE content = request) AS whole
  FROM generate_series(0, (SELECT sum(tokens) + 2 FROM session_context('cut'))) AS b, long)), '0:0,1:1';
INSERT INTO turnstile SELECT 'turn_message', json_array(turn, token, json('{"role":"assistant","content":"more"}')) FROM last WHERE label = 'cut';
-- While it runs, a summary takes the first attempt.
CREATE TEMP TABLE beside AS SELECT turn_compact('cut', 'They met.', json_object('keep_turns', 0, 'turn', turn, 'token', token)) AS j FROM last WHERE label = 'cut';
SELECT 'cut: beside the run', (SELECT json_array(whole, short) FROM asked WHERE label = 'cut'), '[1,0]';
SELECT 'cut: as it began', (SELECT group_concat(substr(content, 1, 9), ' | ') FROM session_context('cut')), 'They met. | write the | more';
INSERT INTO turnstile SELECT 'turn_abort', json_array(turn, token, 'stop') FROM last WHERE label = 'cut';
INSERT INTO turnstile SELECT 'queue_retry', json_array(id) FROM session_queue WHERE session_label = 'cut';
INSERT INTO took(label, j) VALUES ('cut', turn_begin('cut', 'w'));
SELECT 'cut: the second attempt has it, the third names it', (SELECT json_array(whole, short) FROM asked WHERE label = 'cut'), '[1,1]';
SELECT 'cut: the one before has it whole', (SELECT content FROM session_context('cut') ORDER BY position DESC LIMIT 1), 'Please work on that again.';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json('{"content":"Written."}')) FROM last WHERE label = 'cut';
SELECT 'cut: and for ever', (SELECT json_array(whole, short) FROM asked WHERE label = 'cut'), '[1,1]';
-- A compaction that keeps only the last attempt; a fork that has all of them.
SELECT session_fork((SELECT thread_id FROM sessions WHERE label = 'cut'), 'cut fork');
SELECT turn_compact('cut', 'They tried twice.', '{"keep_turns":1}') ->> '$.turns_kept';
SELECT 'cut: compacted afterwards', (SELECT json_array(whole, short) FROM asked WHERE label = 'cut'), '[1,0]';
SELECT 'cut: the fork as before', (SELECT json_array(whole, short) FROM asked WHERE label = 'cut fork'), '[1,1]';
SELECT 'cut: at the turn itself', (SELECT count(*) FROM session_context((SELECT max(turn) FROM last WHERE label = 'cut')), long WHERE content = request), 1;
-- Elsewhere the same: the metadata name the turn as it is there.
SELECT session_import(session_export('cut'), '{"as":"cut there"}') IS NOT NULL;
SELECT session_import(session_export('cut fork'), '{"as":"fork there"}') IS NOT NULL;
SELECT 'cut: elsewhere', (SELECT json_array(whole, short) FROM asked WHERE label = 'cut there'), '[1,0]';
SELECT 'cut: the fork elsewhere', (SELECT json_array(whole, short) FROM asked WHERE label = 'fork there'), '[1,1]';
SELECT 'cut: what is named there is there', count(*), 2 FROM turn_path('fork there') AS p
  JOIN messages AS m ON m.turn_id = p.turn_id, long
  WHERE m.metadata ->> '$.retries_turn_id' IN (SELECT turn_id FROM turn_path('fork there')) AND content = request;

-- A failed turn that several went on from: the first of them is not at fault for the others.
SELECT session_deliver('many', 'deploy', '{"class":"NewTask"}');
INSERT INTO took(label, j) VALUES ('many', turn_begin('many', 'w'));
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'a', 'bash', '{}') FROM last WHERE label = 'many';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'e') FROM last WHERE label = 'many';
INSERT INTO turnstile SELECT 'queue_retry', json_array(id) FROM session_queue WHERE session_label = 'many';
INSERT INTO took(label, j) VALUES ('many', turn_begin('many', 'w'));
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'e') FROM last WHERE label = 'many';
INSERT INTO took(label, j) VALUES ('many', turn_begin('many', 'w'));
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json('{"content":"Deployed."}')) FROM last WHERE label = 'many';
SELECT 'many: the last one shows it once', (SELECT group_concat(content, ' | ') FROM session_context('many') WHERE kind = 'message'),
  'deploy | Please work on that again. | Deployed.';
SELECT 'many: and so does the one that came to nothing', (SELECT group_concat(content, ' | ') FROM session_context(min(turn)) WHERE kind = 'message'),
  'deploy | Please work on that again.' FROM (SELECT j ->> '$.turn' AS turn FROM took WHERE label = 'many' ORDER BY n DESC LIMIT 2);

-- An attempt that a summary hides is shown again by a later one that keeps it.
SELECT turn_append('again', '[{"role":"user","content":"t0"}]');
SELECT session_deliver('again', 'find the bug', '{"class":"NewTask"}');
INSERT INTO took(label, j) VALUES ('again', turn_begin('again', 'w'));
CREATE TEMP TABLE again_first AS SELECT turn FROM last WHERE label = 'again';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'bash', '{}') FROM last WHERE label = 'again';
INSERT INTO turnstile SELECT 'turn_abort', json_array(turn, token, 'stop') FROM last WHERE label = 'again';
SELECT turn_compact('again', 'S', '{"keep_turns":0}') ->> '$.turn';
INSERT INTO turnstile SELECT 'queue_retry', json_array(id) FROM session_queue WHERE session_label = 'again';
INSERT INTO took(label, j) VALUES ('again', turn_begin('again', 'w'));
SELECT 'hidden: said itself', (SELECT group_concat(content, ' | ') FROM session_context('again')), 'S | find the bug';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json('{"content":"Found."}')) FROM last WHERE label = 'again';
SELECT turn_compact('again', 'D', json_object('first_kept_turn_id', turn)) ->> '$.turns_kept' FROM again_first;
SELECT 'hidden, then kept: shown once', (SELECT group_concat(content, ' | ') FROM session_context('again') WHERE kind = 'message'),
  'find the bug | Please work on this again: find the bug | Found.';

-- The same where the run went on behind the summary of its own turn, and that came to nothing.
SELECT turn_append('own run', '[{"role":"user","content":"t0"}]');
SELECT session_deliver('own run', 'find the bug', '{"class":"NewTask"}');
INSERT INTO took(label, j) VALUES ('own run', turn_begin('own run', 'w'));
CREATE TEMP TABLE own_first AS SELECT turn FROM last WHERE label = 'own run';
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'bash', '{}') FROM last WHERE label = 'own run';
INSERT INTO turnstile SELECT 'turn_tool_result', json_array(turn, token, 'k', 'r') FROM last WHERE label = 'own run';
INSERT INTO took(label, j) SELECT label, json_object('turn', turn_compact('own run', 'S', json_object('turn', turn, 'token', token,
  'summarized_through_turn_id', turn)) ->> '$.running_turn', 'token', token) FROM last WHERE label = 'own run';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'down') FROM last WHERE label = 'own run';
INSERT INTO turnstile SELECT 'queue_retry', json_array(id) FROM session_queue WHERE session_label = 'own run' AND status = 'failed';
INSERT INTO took(label, j) VALUES ('own run', turn_begin('own run', 'w'));
SELECT 'own run: said where the run went on', (SELECT group_concat(content, ' | ') FROM session_context('own run')),
  'S | find the bug | Please work on that again.';
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json('{"content":"Found."}')) FROM last WHERE label = 'own run';
SELECT turn_compact('own run', 'D', json_object('first_kept_turn_id', turn)) ->> '$.turns_kept' FROM own_first;
SELECT 'own run, then kept: shown once', (SELECT group_concat(content, ' | ') FROM session_context('own run') WHERE kind = 'message'),
  'find the bug | Please work on this again: find the bug | Please work on this again: find the bug | Found.';

-- A document leaves out attempts of which nothing is shown: what repeats them repeats the one before.
SELECT session_deliver('doc', 'deploy', '{"class":"NewTask"}');
INSERT INTO took(label, j) VALUES ('doc', turn_begin('doc', 'w'));
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'a', 'bash', '{}') FROM last WHERE label = 'doc';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'e') FROM last WHERE label = 'doc';
INSERT INTO turnstile SELECT 'queue_retry', json_array(id) FROM session_queue WHERE session_label = 'doc';
INSERT INTO took(label, j) VALUES ('doc', turn_begin('doc', 'w'));
SELECT session_import(session_export('doc'), '{"as":"doc running"}') IS NOT NULL;
INSERT INTO took(label, j) VALUES ('doc running', turn_begin('doc running', 'w'));
SELECT 'document of a second attempt that runs: shown once', (SELECT group_concat(content, ' | ') FROM session_context('doc running')
  WHERE kind = 'message'), 'deploy | Please work on that again.';
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'e') FROM last WHERE label = 'doc';
INSERT INTO took(label, j) VALUES ('doc', turn_begin('doc', 'w'));
INSERT INTO turnstile SELECT 'turn_complete', json_array(turn, token, json('{"content":"Deployed."}')) FROM last WHERE label = 'doc';
SELECT session_import(session_export('doc'), '{"as":"doc done"}') IS NOT NULL;
SELECT 'document after the third: shown once', (SELECT group_concat(content, ' | ') FROM session_context('doc done')
  WHERE kind = 'message'), 'deploy | Please work on that again. | Deployed.';

-- A host that gives the messages itself, and names the input.
CREATE TEMP TABLE gives(label, as_turn, named, shown);
INSERT INTO gives VALUES ('begins', 'begin', 1, 'deploy | Please work on that again. | and log it'),
  ('appends', 'append', 1, 'deploy | Please work on that again. | and log it'),
  ('appends elsewhere', 'append', 1, 'deploy | deploy | and log it'), ('begins unnamed', 'begin', 0, 'deploy | deploy | and log it');
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'deploy', json('{"class":"NewTask"}')) FROM gives;
INSERT INTO took(label, j) SELECT label, turn_begin(label, 'w') FROM gives;
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'a', 'bash', '{}') FROM last JOIN gives USING (label);
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'e') FROM last JOIN gives USING (label);
INSERT INTO turnstile SELECT 'queue_retry', json_array(id) FROM session_queue WHERE session_label IN (SELECT label FROM gives);
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'and log it', json('{"class":"Modification"}')) FROM gives;
CREATE TEMP TABLE given AS SELECT label, as_turn, json_group_array(json_patch(json_object('role', 'user', 'content', message),
  iif(named, json_object('metadata', json_object('queue_id', id)), '{}'))) AS messages
  FROM gives JOIN (SELECT * FROM session_queue ORDER BY id) ON session_label = label GROUP BY label;
INSERT INTO turnstile SELECT 'turn_begin', json_array(label, 'w', json_object('messages', json(messages))) FROM given WHERE as_turn = 'begin';
INSERT INTO turnstile SELECT 'turn_append', json_array(label, json(messages), json_object('external_id', iif(label LIKE '% elsewhere',
  'e1', NULL))) FROM given WHERE as_turn = 'append';
SELECT label || ': it is shown', (SELECT group_concat(content, ' | ') FROM session_context(label) WHERE kind = 'message'), shown FROM gives;
SELECT 'appends elsewhere: the same once more', turn_append(label, messages, '{"external_id":"e1"}'),
  (SELECT id FROM turns WHERE external_id = 'e1') FROM given WHERE label = 'appends elsewhere';

-- What only looks like it: a host's own metadata are not believed.
SELECT turn_append('own', '[{"role":"user","content":"first"}]');
SELECT turn_append('own', json_array(json_object('role', 'user', 'content', 'second', 'metadata',
  json('{"queue_id":7,"retries_turn_id":' || (SELECT thread_id FROM sessions WHERE label = 'own') || '}'))));
SELECT 'own: it is said', (SELECT group_concat(content, ' | ') FROM session_context('own')), 'first | second';

---- What is tried again is what it was

CREATE TEMP TABLE as_given(label PRIMARY KEY, source, class);
INSERT INTO as_given VALUES ('c1', 'user', 'NewTask'), ('c2', 'user', 'Modification'), ('c3', 'user', 'Response'), ('c4', 'user', 'Clarification');
INSERT INTO turnstile SELECT 'session_start', json_array(label, 'a wall') FROM as_given WHERE class <> 'NewTask';
INSERT INTO turnstile SELECT 'session_deliver', json_array(label, 'five, please', json_object('class', class, 'source', source)) FROM as_given;
INSERT INTO took(label, j) SELECT label, turn_begin(label, 'w') FROM as_given;
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(turn, token, 'k', 'bash', '{}') FROM last JOIN as_given USING (label);
INSERT INTO turnstile SELECT 'turn_fail', json_array(turn, token, 'e') FROM last JOIN as_given USING (label);
INSERT INTO turnstile SELECT 'queue_retry', json_array(id) FROM session_queue JOIN as_given ON label = session_label;
INSERT INTO took(label, j) SELECT label, turn_begin(label, 'w') FROM as_given;
SELECT class || ': the host is told the same', j ->> '$.messages[0].class', class FROM last JOIN as_given USING (label);
SELECT a.class || ': so says the row', q.class, a.class FROM as_given AS a JOIN session_queue AS q ON q.session_label = a.label;
SELECT class || ': one task', (SELECT count(*) FROM tasks WHERE session_label = label), 1 FROM as_given;

SELECT 'the file is sound', (SELECT count(*) FROM turnstile_check()), 0;
