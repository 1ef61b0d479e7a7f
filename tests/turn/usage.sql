-- usage.sql - session_usage: turns and tokens of a session. It only reads.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT 'no session: NULL', session_usage('nobody'), NULL;
SELECT session_start('none', 'x');
SELECT 'no turns: zeros', session_usage('none'), '{"session":"none","turns":0,"input_tokens":0,"output_tokens":0,"cached_input_tokens":0,"cache_write_tokens":0,"reasoning_tokens":0,"total_tokens":0,"thread_turns":0,"thread_tokens":0,"context_tokens":0}';
SELECT turn_append('main', '[{"role":"user","content":"a"}]', '{"tokens":40,"usage":{"input_tokens":1,"output_tokens":20,"cached_input_tokens":300,"cache_write_tokens":4000,"reasoning_tokens":50000,"total_tokens":600000}}');
SELECT turn_append('main', '[{"role":"user","content":"b"}]', '{"tokens":2,"usage":{"input_tokens":1,"output_tokens":1}}');
SELECT 'each count its own sum', session_usage('main'), '{"session":"main","turns":2,"input_tokens":2,"output_tokens":21,"cached_input_tokens":300,"cache_write_tokens":4000,"reasoning_tokens":50000,"total_tokens":600002,"thread_turns":2,"thread_tokens":42,"context_tokens":42}';
SELECT session_fork(16777216, 'idea');
SELECT turn_append('idea', '[{"role":"user","content":"c"}]', '{"tokens":10,"usage":{"input_tokens":60,"output_tokens":5}}');
SELECT 'shared turns are those of the session that made them', session_usage('idea'), '{"session":"idea","turns":1,"input_tokens":60,"output_tokens":5,"cached_input_tokens":0,"cache_write_tokens":0,"reasoning_tokens":0,"total_tokens":65,"thread_turns":2,"thread_tokens":50,"context_tokens":50}';
SELECT session_rewind('main', 16777216);
SELECT 'going back gives nothing back, and the path is shorter', json_extract(session_usage('main'), '$.turns', '$.total_tokens', '$.thread_turns', '$.thread_tokens'), '[2,600002,1,40]';
SELECT turn_begin('idea', 'w', '{"messages":[{"role":"user","content":"d"}]}') IS NOT NULL;
SELECT turn_fail(turn_id, token, 'no answer', '{"usage":{"input_tokens":1000}}') FROM session_runs WHERE session_label = 'idea';
SELECT 'a turn that failed: what it used, and it is none', json_extract(session_usage('idea'), '$.turns', '$.input_tokens', '$.thread_turns'), '[1,1060,2]';
SELECT turn_append('long', '[{"role":"user","content":"a"}]', '{"tokens":1000}');
SELECT turn_append('long', '[{"role":"user","content":"b"}]', '{"tokens":1000}');
SELECT turn_compact('long', 'what was said', '{"keep_turns":0}') IS NOT NULL;
SELECT 'a summary makes the context small, not the path', json_extract(session_usage('long'), '$.turns', '$.thread_turns') || (session_usage('long') ->> '$.context_tokens' < 100) || (session_usage('long') ->> '$.thread_tokens' >= 2000), '[2,3]11';

---- Other names, both doors

SELECT session_alias('nick', 'main');
SELECT 'an alias', session_usage('nick'), session_usage('main');
INSERT INTO turnstile(command, args) VALUES ('session_usage', '["main"]') RETURNING 'the door', turnstile_result(), session_usage('main');
INSERT INTO turnstile(command, args) VALUES ('session_usage', '{"label":"idea"}') RETURNING 'arguments by name', turnstile_result(), session_usage('idea');
SELECT turn_append('dm:sms:+1', '[{"role":"user","content":"a"}]', '{"usage":{"input_tokens":3}}');
SELECT turn_append('dm:mail:r', '[{"role":"user","content":"a"}]', '{"usage":{"input_tokens":4}}');
SELECT identity_link('sms', '+1', 'rosa');
SELECT identity_link('mail', 'r', 'rosa');
SELECT 'a superseded session leads to the other', session_usage(label) ->> '$.session', superseded_by FROM sessions WHERE superseded_by IS NOT NULL;
SELECT 'own: itself', session_usage(label, '{"own":1}') ->> '$.session', label FROM sessions WHERE superseded_by IS NOT NULL;
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT session_usage('main');
SELECT 'it writes nothing', dump_of() = d, 1 FROM was;

---- Refusals

SELECT 'label NULL', error_of('SELECT session_usage(NULL)'), 'session_usage: label is missing';
SELECT 'label a number', error_of('SELECT session_usage(7)'), 'session_usage: label must be text, not an integer';
SELECT 'own is no yes or no', error_of('SELECT session_usage(''main'', ''{"own":2}'')'), 'session_usage: own is 2; it must be from 0 to 1';
