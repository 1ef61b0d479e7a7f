-- claims.sql - sentences of the documentation that say never, always, only or nothing, and had no test of
-- their own. tests/suites/claims.txt says which case holds which.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

---- "/compact" is a command, whoever sends it and in whatever mode

SELECT session_deliver('c', 'add retries', '{"owner":"w"}');
SELECT 'an agent''s /compact waits, also in mode steer',
  json_extract(session_deliver('c', '/compact the log', '{"source":"agent","mode":"steer"}'), '$.action', '$.focus'),
  '["queue","the log"]';
SELECT 'a timer''s as well', session_deliver('c', ' /compact ', '{"source":"timer","mode":"interrupt"}') ->> '$.action', 'queue';
SELECT queue_push('c', '/compact by a push', '{"source":"webhook","mode":"steer-backlog"}');
SELECT 'all wait in line', (SELECT group_concat(mode) FROM session_queue WHERE session_label = 'c' AND status = 'pending'),
  'queue,queue,queue';
SELECT 'the run hears nothing of them', json_extract(turn_heartbeat(16777216, 1), '$.interrupted', '$.steering'), '[false,0]';
SELECT 'and never takes one', turn_steering(16777216, 1) ->> '$.messages', '[]';
-- as a file has it that an older library wrote
UPDATE session_queue SET mode = 'steer' WHERE message = '/compact by a push';
SELECT 'also not one that waits in mode steer', turn_steering(16777216, 1) ->> '$.messages', '[]';
SELECT 'it is not counted any more', turn_heartbeat(16777216, 1) ->> '$.steering', 0;
SELECT turn_complete(16777216, 1, '{"content":"done"}');
SELECT 'each is taken alone', json_extract(turn_begin('c', 'w'), '$.messages[0].action', '$.messages[0].focus',
  '$.messages[1].action'), '["compact","the log",null]';
SELECT 'without a run it is the action', session_deliver('c2', '/compact', '{"source":"agent","mode":"steer"}') ->> '$.action',
  'compact';
SELECT turn_append('c2', '[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]');
SELECT turn_append('c2', '[{"role":"user","content":"c"},{"role":"assistant","content":"d"}]');
SELECT turn_compact('c2', 'said a and c', '{"keep_turns":0}') IS NOT NULL;
SELECT 'turn_compact is done with it', (SELECT status FROM session_queue WHERE session_label = 'c2'), 'delivered';
SELECT session_start('boss', 'x');
SELECT session_spawn('boss', 'look', '{"label":"boss/w"}');
SELECT session_report('boss/w', 'completed', '/compact is what it says');
SELECT 'what a worker reports is words', json_extract(turn_begin('boss', 'w'), '$.messages[0].content', '$.messages[0].action'),
  '["/compact is what it says",null]';

---- A message that is rejected changes nothing; an answer is taken also when the queue is full

SELECT turnstile_config('queue_cap', 1, '{"session":"full"}');
SELECT session_start('full', 'paint');
SELECT session_note('full', 'bought paint');
SELECT turn_begin('full', 'w', '{"messages":[{"role":"user","content":"go"}]}') IS NOT NULL;
SELECT queue_push('full', 'tick', '{"source":"timer"}');
CREATE TEMP TABLE before AS SELECT last_activity, last_used, (SELECT count(*) FROM session_events WHERE session_label = 'full') AS n
  FROM sessions WHERE label = 'full';
SELECT 'no room', session_deliver('full', 'make it red', '{"now":1767225700000}') ->> '$.action', 'rejected';
SELECT 'it was no activity', (SELECT json_array(last_activity, last_used, (SELECT count(*) FROM session_events WHERE session_label = 'full'))
  FROM sessions WHERE label = 'full'), (SELECT json_array(last_activity, last_used, n) FROM before);
SELECT session_deliver('full', 'what about the shed', '{"class":"Unclear"}') ->> '$.action';
SELECT 'the answer is taken', session_deliver('full', 'also paint the shed', '{"class":"Modification"}') ->> '$.action' <> 'rejected', 1;
SELECT 'and what was held with it', (SELECT group_concat(message, ', ') FROM session_queue WHERE session_label = 'full'),
  'tick, what about the shed, also paint the shed';
SELECT 'the choice is closed', (SELECT pending_choice FROM sessions WHERE label = 'full'), NULL;

---- Settings of the file, and of a name that becomes an alias

SELECT 'sweep_batch is the file''s', error_of('SELECT turnstile_config(''sweep_batch'', 1, ''{"session":"c"}'')'),
  'turnstile_config: sweep_batch holds for the whole file; it must be set without session';
SELECT 'so is request_ttl', error_of('SELECT turnstile_config(''request_ttl'', ''1h'', ''{"session":"c"}'')'),
  'turnstile_config: request_ttl holds for the whole file; it must be set without session';
SELECT 'also to read', error_of('SELECT turnstile_config(''request_ttl'', NULL, ''{"session":"c"}'')') LIKE '%without session', 1;
SELECT turnstile_config('lease', '1h', '{"session":"al"}');
SELECT turnstile_config('on_archived', 'reject', '{"session":"al"}');
SELECT turnstile_config('lease', '2h', '{"session":"c"}');
SELECT session_alias('al', 'c');
SELECT 'what was set for a name goes along with it', turnstile_config('on_archived', NULL, '{"session":"c"}'), 'reject';
SELECT 'the session''s own stays', turnstile_config('lease', NULL, '{"session":"al"}'), 7200000;
SELECT 'nothing is left under the name', (SELECT count(*) FROM turnstile_config WHERE session_label = 'al'), 0;
SELECT turnstile_config('lease', '3h', '{"session":"dm:wa:1"}');
SELECT identity_link('wa', '1', 'rosa') IS NOT NULL;
SELECT session_deliver(NULL, 'hello, add retries', '{"envelope":{"channel":"wa","sender_id":"1"}}') IS NOT NULL;
SELECT 'nor under a key that a link leads elsewhere', (SELECT count(*) FROM turnstile_config AS o WHERE key = 'lease'
  AND EXISTS (SELECT 1 FROM session_aliases WHERE alias = o.session_label)), 0;

---- The rest

SELECT session_start('nowork', 'x');
SELECT session_transition('nowork', 'Aborted', '{"reason":"r"}');
SELECT 'what is told as committed has its commit', json_extract(session_sweep(), '$.tasks_committed', '$.committed_tasks',
  '$.tasks_dropped', '$.dropped_tasks'), json_array((SELECT count(*) FROM commits WHERE session_label = 'nowork'), json('["x"]'), 0, json('[]'));
SELECT session_start('called off', 'x');
SELECT session_transition('called off', 'Aborted', '{"reason":"r"}');
SELECT 'session_compact always commits', (SELECT session_compact('called off', 'so be it')) = (SELECT id FROM commits WHERE session_label = 'called off'
  AND commit_type = 'Abandoned' AND message = 'so be it'), 1;
SELECT '32 fields of an envelope', session_deliver(NULL, 'x', json_object('envelope', json_set((SELECT json_group_object('k' || value, 'v')
  FROM generate_series(1, 30)), '$.channel', 'web', '$.sender_id', 'u'))) ->> '$.session', 'dm:web:u';
SELECT '33 are too many', error_of('SELECT session_deliver(NULL, ''x'', json_object(''envelope'', json_set((SELECT json_group_object(''k'' || value, ''v'')
  FROM generate_series(1, 31)), ''$.channel'', ''web'', ''$.sender_id'', ''u'')))'), 'session_deliver: envelope has more than 32 fields';
SELECT 'an empty one is none', error_of('SELECT session_deliver(NULL, ''x'', json_object(''envelope'', json_set((SELECT json_group_object(''k'' || value, ''v'')
  FROM generate_series(1, 30)), ''$.channel'', ''web'', ''$.sender_id'', ''u'', ''$.more'', '''')))'), NULL;
SELECT 'a schema that is not there', error_of('SELECT turnstile_use(''nowhere'', '''')'), 'turnstile_use: no database is attached as "nowhere"';
SELECT session_start('parent', 'x');
SELECT session_spawn('parent', 't', '{"label":"worker"}');
CREATE TEMP TABLE document AS SELECT session_export('worker') AS json;
SELECT session_note('worker', 'on it');
SELECT 'a worker at work is not replaced', error_of('SELECT session_import(json, ''{"replace":1}'') FROM document'),
  'session_import: session ''worker'' is at work for ''parent''; session_delete with force takes it away';
SELECT 'nor deleted unasked', error_of('SELECT session_delete(''worker'')'),
  'session_delete: session ''worker'' is at work for ''parent''; force takes it away';
SELECT 'it is still linked', (SELECT parent_session_label FROM session_workers WHERE worker = 'worker'), 'parent';
SELECT session_report('worker', 'completed', 'done');
SELECT 'one that has reported is', session_delete('worker') ->> '$.session', 'worker';
ALTER TABLE tasks RENAME COLUMN description TO words;
SELECT 'a column that has another name is told', (SELECT count(*) FROM turnstile_check WHERE rule = 'schema') > 0, 1;
ALTER TABLE tasks RENAME COLUMN words TO description;
ALTER TABLE commits ADD COLUMN mine TEXT;
ALTER TABLE commits RENAME COLUMN mine TO ours;
ALTER TABLE edges RENAME TO relations;
ALTER TABLE relations RENAME TO edges;
SELECT 'renamed back it is sound', (SELECT group_concat(ref || ' ' || problem) FROM turnstile_check), NULL;
ALTER TABLE commits DROP COLUMN ours;
SELECT 'without the column again', (SELECT group_concat(ref || ' ' || problem) FROM turnstile_check), NULL;

---- A session that is exported at work is what it is after a crash

SELECT session_deliver('work', 'add retries', '{"owner":"w","now":1767225600000}') IS NOT NULL;
CREATE TEMP TABLE run AS SELECT turn_id, token FROM session_runs WHERE session_label = 'work';
SELECT turn_message(turn_id, token, '{"role":"assistant","content":"half done"}') FROM run;
SELECT turn_tool_call(turn_id, token, 'c1', 'bash', '{"command":"make"}') FROM run;
SELECT turn_tool_call(turn_id, token, 'c2', 'bash', '{"command":"make test"}') FROM run;
SELECT turn_tool_result(turn_id, token, 'c1', 'ok') FROM run;
SELECT session_import(session_export('work'), '{"as":"exported"}') IS NOT NULL;
SELECT turn_begin('work', 'w2', '{"now":1767226800000,"messages":[{"role":"user","content":"go on"}]}') IS NOT NULL;
SELECT turn_begin('exported', 'w2', '{"now":1767226800000,"messages":[{"role":"user","content":"go on"}]}') IS NOT NULL;
SELECT 'the context is that after a crash', (SELECT group_concat(role || ' ' || content, '; ') FROM session_context('exported')),
  (SELECT group_concat(role || ' ' || content, '; ') FROM session_context('work'));
SELECT 'which shows what was done', (SELECT count(*) FROM session_context('exported') WHERE content = 'half done'), 1;
SELECT 'its size is the same', (SELECT thread_tokens FROM turns WHERE error LIKE 'the session was exported%'),
  (SELECT thread_tokens FROM turns WHERE id = (SELECT turn_id FROM run));
SELECT 'both are sound', (SELECT group_concat(ref || ' ' || problem) FROM turnstile_check), NULL;

---- What only reads writes nothing, also not when it is asked in the same words a second time

SELECT session_deliver('r', 'add retries') IS NOT NULL;
SELECT turn_append('r', '[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]') IS NOT NULL;
CREATE TEMP TABLE reading(sql);
INSERT INTO reading VALUES
  ('session_state(''r'')'), ('session_export(''r'')'), ('session_usage(''r'')'), ('session_diagram(''r'')'), ('state_diagram(''mermaid'', ''task'')'),
  ('session_needs_compaction(''r'', 100000)'), ('resolve_session(''r'')'), ('session_route(''{"channel":"web","sender_id":"u"}'')'),
  ('turnstile_config(''lease'')'), ('turnstile_config(''lease'', NULL, ''{"session":"r"}'')'), ('classify_message(''ok'', ''None'')'),
  ('(SELECT count(*) FROM classify(''ok'', ''None''))'), ('(SELECT count(*) FROM session_context(''r''))'), ('(SELECT count(*) FROM turn_path(''r''))'),
  ('(SELECT count(*) FROM turn_tree(16777216))'), ('(SELECT count(*) FROM stale_sessions WHERE include_fresh = 1)'),
  ('(SELECT count(*) FROM turnstile_check)'), ('turnstile_classifier()'), ('turnstile_version()'), ('turnstile_schema()'),
  ('(SELECT count(*) FROM session_overview)'), ('(SELECT count(*) FROM session_attention)'), ('(SELECT count(*) FROM session_timeline)'),
  ('(SELECT count(*) FROM commit_log)'), ('(SELECT count(*) FROM queue_list)'), ('(SELECT count(*) FROM threads)');
CREATE TEMP TABLE dumped(n, dump);
INSERT INTO dumped SELECT 1, dump_of();
PRAGMA query_only = ON;
SELECT 'what only reads goes through where nothing can be written: ' || sql, error_of('SELECT ' || sql), NULL FROM reading;
PRAGMA query_only = OFF;
SELECT 'what only reads writes nothing', (SELECT error_of('SELECT ' || group_concat(sql)) FROM reading) IS NULL AND dump_of() = (SELECT dump FROM dumped), 1;
SELECT 'installing again makes no guard anew', (SELECT error_of('DROP TRIGGER tasks_move; SELECT turnstile_install()')) IS NULL
  AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'tasks_move'), 1;

---- Classifying

SELECT turnstile_classifier('no_such_function');
SELECT 'classify_message never asks the host', classify_message('build me an invoice export', 'None'), 'NewTask';
SELECT turnstile_classifier(NULL);
CREATE TEMP TABLE mixed(message, expected);
INSERT INTO mixed VALUES ('ok, danke, merci!', 'Confirmation'), ('oui, perfect', 'Confirmation'), ('ok, danke, but the log is wrong', 'other');
INSERT INTO turnstile SELECT 'session_start', json_array('mix ' || message, 'x') FROM mixed;
INSERT INTO turnstile SELECT 'session_note', json_array('mix ' || message, 'x') FROM mixed;
INSERT INTO turnstile SELECT 'session_transition', json_array('mix ' || message, 'PendingComplete', json('{"summary":"s"}')) FROM mixed;
SELECT 'nothing but approval is an affirmation: ' || message, iif(value_of('SELECT session_deliver(' || quote('mix ' || message) || ', ' || quote(message)
  || ', ''{"class":"Response"}'') ->> ''$.class''') = 'Confirmation', 'Confirmation', 'other'), expected FROM mixed;
CREATE TABLE said(message TEXT, expected TEXT);
INSERT INTO said VALUES ('well, that''s all I needed, vielen Dank', 'Confirmation'), ('ya funciona, danke', 'Confirmation'),
  ('please forget the whole thing', 'Abandon'), ('merci, wir brauchen das nicht mehr', 'Abandon');
SELECT 'nothing but closing closes: ' || message, classify_message(message, 'PendingComplete'), expected FROM said;
DELETE FROM said;
INSERT INTO said(message) VALUES ('is that all?'), ('is that all now'), ('czy to wszystko'), ('forget the whole thing?'), ('it does not work'), ('don''t stop'), ('no funciona'),
  ('thanks' || printf('%.*c', 240, ' ') || 'the log the log the log');
SELECT 'what asks, negates or is long closes nothing: ' || substr(message, 1, 30),
  (SELECT count(*) FROM classify(said.message, 'PendingComplete') WHERE evidence LIKE '%closes%'), 0 FROM said;
SELECT 'what asks, negates or is long closes nothing: ' || n || ' times', (SELECT count(*)
  FROM classify(replace(printf('%.*c', n, 'x'), 'x', 'forget it, '), 'Running') WHERE evidence LIKE '%all of it closes%'), n < 24
FROM (SELECT column1 AS n FROM (VALUES (1), (23), (25)));
INSERT INTO message_rules(class, pattern, weight, lang) VALUES ('Abandon', '\bzzyzx\b', 6, 'any'), ('Abandon', '\bqqyzx\b', 6, NULL);
SELECT 'rules of any language always count', json_array(classify_message('zzyzx it', 'Running'), classify_message('qqyzx es bitte', 'Running')), '["Abandon","Abandon"]';
INSERT INTO message_rules(class, pattern, weight, lang) VALUES ('Abandon', '\bwwyzx\b', 2, 'xx'), ('Abandon', '\bwwyzx\b', 2, 'yy');
CREATE TEMP TABLE twice AS SELECT (SELECT json_group_array(score) FROM classify('wwyzx it', 'Running') WHERE class = 'Abandon') AS score;
SELECT 'it is heard at all', (SELECT score FROM twice) <> '[]' AND (SELECT score FROM twice) <> (SELECT json_group_array(score) FROM classify('vvyzx it', 'Running')
  WHERE class = 'Abandon'), 1;
DELETE FROM message_rules WHERE lang = 'yy';
SELECT 'two packs that know a word count once', (SELECT json_group_array(score) FROM classify('wwyzx it', 'Running') WHERE class = 'Abandon'), (SELECT score FROM twice);

---- Delivering

INSERT INTO turnstile SELECT command, json_array('ask ' || value, 'x') FROM json_each('["Unclear","NewTask"]'),
  (SELECT 'session_start' AS command UNION ALL SELECT 'session_note') ORDER BY command DESC;
SELECT 'a prompt always has its choices: ' || value, value_of('SELECT json_array_length(session_deliver(' || quote('ask ' || value) || ', ''what now'', '
  || quote(json_object('class', value)) || '), ''$.choices'')'), 2 FROM json_each('["Unclear","NewTask"]');
SELECT 'and so has it shown again', json_array_length(session_deliver('ask NewTask', 'hm', '{"class":"Unclear"}'), '$.choices'), 2;
SELECT session_start('bare', 'x');
SELECT session_note('bare', 'n');
SELECT session_recover('bare', '{"now":1767398400000}') IS NOT NULL;
CREATE TEMP TABLE chosen AS SELECT session_choose('bare', 'continue', '{"now":1767398400001}') AS r;
SELECT 'without queue_id nothing is handed over', (SELECT r ->> '$.queue_id' FROM chosen) IS NULL
  AND NOT EXISTS (SELECT 1 FROM session_queue WHERE session_label = 'bare'), 1;
SELECT session_deliver('held', 'add retries', '{"owner":"w"}') IS NOT NULL;
SELECT 'the lease belongs to the owner from then on', error_of('SELECT turn_begin(''held'', ''other'')') LIKE 'turn_begin: session ''held'' is busy: ''w''%', 1;
SELECT queue_push('put', 'only put there');
SELECT 'what is only put there waits', (SELECT status FROM session_queue WHERE session_label = 'put'), 'pending';
SELECT queue_push('held', 'no, five', '{"mode":"interrupt"}');
SELECT 'a push never interrupts', (SELECT json_array(run_state, (SELECT mode FROM session_queue WHERE message = 'no, five')) FROM session_runs WHERE session_label = 'held'),
  '["starting","queue"]';
SELECT 'nor does a message of another source: ' || value, value_of('SELECT session_deliver(''held'', ''tick'', ' || quote(json_object('source', value, 'mode', 'interrupt'))
  || ') ->> ''$.action'''), 'queue' FROM json_each('["agent","timer","webhook","system"]');
SELECT 'the run goes on', (SELECT run_state FROM session_runs WHERE session_label = 'held'), 'starting';
INSERT INTO turnstile VALUES ('session_deliver', '[null,"add retries",{"message_id":"m1","envelope":{"channel":"wa","sender_id":"7"}}]'),
  ('identity_link', '["wa","7","gus"]'), ('identity_link', '["wa","8","gus"]'),
  ('session_deliver', '[null,"and log each",{"message_id":"m2","envelope":{"channel":"wa","sender_id":"8"}}]'), ('identity_unlink', '["wa","8"]');
SELECT 'what the old place has seen is known at the other', session_deliver(NULL, 'and log each',
  '{"message_id":"m2","envelope":{"channel":"wa","sender_id":"8"}}') ->> '$.action', 'duplicate';
SELECT 'turnstile_install takes now, and it means nothing', turnstile_install('{"now":5,"request_id":"i"}'), 6;
SELECT 'so the same id can come again', (SELECT count(*) FROM turnstile_requests WHERE request_id = 'i'), 0;

---- A task that has ended is not saved as stale, and nobody is asked about it: only its commit is to come

INSERT INTO turnstile SELECT 'session_start', json_array('over ' || value, 'x') FROM json_each('["a","b","c","d"]');
INSERT INTO turnstile SELECT 'session_note', json_array('over ' || value, 'n') FROM json_each('["a","b","c","d"]');
INSERT INTO turnstile SELECT 'session_transition', json_array('over ' || value, 'Aborted', json('{"reason":"r"}')) FROM json_each('["a","b"]');
INSERT INTO turnstile SELECT 'session_transition', json_array('over ' || value, 'PendingComplete', json('{"summary":"s"}')) FROM json_each('["c","d"]');
INSERT INTO turnstile SELECT 'session_transition', json_array('over ' || value, 'Complete') FROM json_each('["c","d"]');
SELECT 'stale_sessions asks for nothing', (SELECT count(*) FROM stale_sessions(1767225600000 + 8 * 86400000) WHERE label LIKE 'over _'), 0;
SELECT 'it says of all how far they are', (SELECT group_concat(DISTINCT band) FROM stale_sessions WHERE now = 1767225600000 + 8 * 86400000 AND include_fresh = 1
  AND label LIKE 'over _'), 'fresh';
CREATE TEMP TABLE swept AS SELECT value, session_sweep('{"limit":1,"now":1767916800000}') AS r FROM json_each('[1,2,3,4,5,6,7,8,9]');
SELECT 'a batch of one leaves the others as they are', (SELECT group_concat(commit_type || ' ' || message, ', ') FROM (SELECT * FROM commits
  WHERE session_label LIKE 'over _' ORDER BY session_label)),
  'Abandoned Abandoned by user, Abandoned Abandoned by user, Normal s, Normal s';

---- Errors whose text says only or nothing, word for word

CREATE TEMP TABLE texts(name TEXT, got TEXT, expected TEXT);
SELECT turn_begin('texts', 'w', '{"messages":[{"role":"user","content":"go"}]}');
SELECT turn_fail(turn_id, token, 'boom') FROM session_runs WHERE session_label = 'texts';
INSERT INTO texts SELECT 'a turn that has failed', error_of(printf('SELECT turn_message(%d, %d, ''{"role":"assistant","content":"x"}'')', t.id, r.token)),
  'turn_message: turn ' || t.id || ' is failed: boom; nothing can be added to it' FROM turns AS t, session_runs AS r
  WHERE t.error = 'boom' AND r.session_label = 'texts';
INSERT INTO texts VALUES
  ('an answer to a call', error_of('SELECT turn_append(''texts'', ''[{"role":"user","content":"x","tool_call_id":"k"}]'')'),
   'turn_append: messages[0].tool_call_id goes with role tool only'),
  ('calls', error_of('SELECT turn_append(''texts'', ''[{"role":"user","content":"x","tool_calls":[]}]'')'),
   'turn_append: messages[0].tool_calls go with role assistant only'),
  ('no label', error_of('SELECT session_deliver(NULL, ''x'')'),
   'session_deliver: label is missing; it can be NULL only with the option envelope');
INSERT INTO texts SELECT 'the prefix ' || value, error_of(printf('SELECT turnstile_use(''main'', %Q)', value)),
  'turnstile_use: prefix must be '''' or begin with a letter or _ and hold only letters, digits and _, at most 32, and not begin with sqlite_'
  FROM json_each('["1","@","[","`","{","a/","a:","a@","a[","a`","a{","a-","é"]');
ATTACH ':memory:' AS seen;
SELECT turnstile_install('{"schema":"seen"}');
DROP TABLE seen.edges;
CREATE VIEW seen.edges AS SELECT 1 AS id;
INSERT INTO texts SELECT 'a view in a table''s place', error_of('SELECT turnstile_use(''seen''); SELECT session_start(''a'', ''b'')'),
  'session_start: "seen"."edges" is a view, not the table that turnstile makes; nothing of it was read';
SELECT turnstile_use('main');
ATTACH ':memory:' AS others;
CREATE VIEW others.turnstile_meta AS SELECT 'schema_version' AS key, 6 AS value;
INSERT INTO texts SELECT 'a view in the place of the first table', error_of('SELECT turnstile_install(''{"schema":"others"}'')'),
  'turnstile_install: "others"."turnstile_meta" is not the table that turnstile makes; nothing of it was read';
SELECT name || ': the whole text', got, expected FROM texts;

---- Words alone, and closing

CREATE TEMP TABLE reported AS SELECT value AS message FROM json_each('["the client signed it off","my boss approved it","it is live and nobody complained","the committee took it",
  "it was printed and handed out","the vet said he is fine","they framed it","my class voted for it","nobody asked for another one","the courier has it now"]');
CREATE TEMP TABLE weighed AS SELECT message, s.value AS state, classify_message(message, s.value, NULL, 'Which colour do you want?') AS class,
  (SELECT max(evidence LIKE '%"doubtful"%') FROM classify(reported.message, s.value, NULL, 'Which colour do you want?') WHERE class = 'Confirmation') AS is_doubtful
  FROM reported, json_each('["AwaitingUser","PendingComplete"]') AS s;
SELECT 'words close only when nearly sure: ' || state, count(*) > 0, 1 FROM weighed WHERE is_doubtful GROUP BY state;
SELECT 'what is doubtful does not close: ' || message, class <> 'Confirmation', 1 FROM weighed WHERE is_doubtful;
SELECT 'while a question is open nothing is approved by words: ' || message, class, 'Response' FROM weighed WHERE state = 'AwaitingUser' AND is_doubtful;
SELECT 'two states', (SELECT count(DISTINCT state) FROM weighed WHERE is_doubtful), 2;
CREATE TEMP TABLE ending(question, message, class);
INSERT INTO ending VALUES ('The server still runs. Shall I stop it?', 'yes, stop', 'Response'), ('The old job is still there. Remove it?', 'no longer needed', 'Response'),
  ('Shall I stop it?', 'stop', 'Response'), ('Shall I delete it or keep it?', 'stop', 'Abandon'), ('How shall I name the branch?', 'feature/cancel', 'Response'),
  ('Which colour do you want?', 'never mind, keep the old one', 'Response'), ('Which colour do you want?', 'never mind', 'Abandon'), ('Which colour do you want?', 'forget it', 'Abandon');
SELECT 'the question asks that: ' || question || ' ' || message, classify_message(message, 'AwaitingUser', 'add retries', question), class FROM ending;
SELECT 'who wants to go on gives nothing up: ' || value, classify_message(value, 'AwaitingUser', 'add retries', 'Which backoff?') <> 'Abandon', 1
FROM json_each('["I am back, let''s continue","voltei, vamos continuar","ich bin wieder da, weiter damit","let''s carry on","on reprend","volví, sigamos","продолжаем дальше","我们继续吧","続けましょう","계속하자","laten we verder gaan","hadi devam"]');
SELECT 'giving up needs more while a question is open', classify_message('we went with another vendor', 'AwaitingUser', 'Which colour do you want?'), 'Abandon';
