-- both_doors.sql - what holds for commands that begin, end or name something: both doors, a repeated request, what is rolled
-- back. turn/live_commands.sql and end_commands.sql have the calls of a turn, session/status_commands.sql and
-- work_commands.sql those of a session; what each command does stands in the file of its word.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);
SELECT turnstile_config('classify_floor', 0.99);
SELECT turnstile_config('classify_below', 'ask');
SELECT session_start('main', 'x') > 0;

-- begin, first: a command that comes first, and its arguments. given, place, names: the arguments as SQL, in an array and by name, with
-- options behind them; path: which part of the result is looked at, NULL: all of it; expected: what it must be, and gone:
-- what there is before and when all is rolled back. @L is the label, @D the delivery that waits for its class.
CREATE TEMP TABLE way(command PRIMARY KEY, begin, first, given, place, names, options, path, expected, gone);
INSERT INTO way VALUES
  ('session_start', NULL, NULL, '''@L'', ''a''', '"@L","a"', '"label":"@L","task":"a"', '"persona":"q"', NULL,
    'SELECT id FROM tasks WHERE session_label = ''@L'' AND description = ''a'' AND (SELECT persona_id FROM sessions WHERE label = ''@L'') = ''q''', NULL),
  ('session_transition', 'session_start', '["@L","a"]', '''@L'', ''AwaitingUser'', ''{"question":"Which?"}''', '"@L","AwaitingUser",{"question":"Which?"}',
    '"label":"@L","state":"AwaitingUser","data":{"question":"Which?"}', NULL, NULL,
    'SELECT state FROM tasks WHERE session_label = ''@L'' AND state_data LIKE ''%Which?%''', NULL),
  ('turnstile_startup', 'turn_begin', '["@L","@L",{"messages":[{"role":"user","content":"x"}]}]', '''@L''', '"@L"', '"owner":"@L"', '"all":1', '$.runs_reset',
    'SELECT run_state = ''idle'' FROM session_runs WHERE session_label = ''@L''', 0),
  ('turn_begin', NULL, NULL, '''@L'', ''w''', '"@L","w"', '"label":"@L","owner":"w"', '"messages":[{"role":"user","content":"x"}]', '$.turn',
    'SELECT turn_id FROM session_runs WHERE session_label = ''@L'' AND owner = ''w''', NULL),
  ('turn_append', NULL, NULL, '''@L'', ''[{"role":"user","content":"x"}]''', '"@L",[{"role":"user","content":"x"}]', '"label":"@L","messages":[{"role":"user","content":"x"}]',
    '"model":"n"', NULL, 'SELECT id FROM turns WHERE id = (SELECT thread_id FROM sessions WHERE label = ''@L'') AND model = ''n''', NULL),
  ('session_alias', NULL, NULL, '''@L'', ''main''', '"@L","main"', '"alias":"@L","label":"main"', NULL, NULL, 'SELECT session_label FROM session_aliases WHERE alias = ''@L''', NULL),
  ('session_report', 'session_spawn', '["main","t",{"label":"@L"}]', '''@L'', ''completed'', ''r''', '"@L","completed","r"', '"worker":"@L","status":"completed","result":"r"',
    NULL, NULL, 'SELECT id FROM session_queue WHERE session_label = ''main'' AND sender = ''@L'' AND message = ''r''', NULL),
  ('delivery_classify', 'session_deliver', '["@L","hm the other one rather"]', '@D, ''NewTask''', '@D,"NewTask"', '"delivery":@D,"class":"NewTask"', '"owner":"w"',
    '$.action', 'SELECT ''start'' FROM session_runs JOIN tasks USING (session_label) WHERE session_label = ''@L'' AND owner = ''w''', NULL);
CREATE TEMP TABLE uses(word PRIMARY KEY);
INSERT INTO uses VALUES ('plain'), ('door'), ('names'), ('once'), ('back');
CREATE TEMP TABLE used AS SELECT way.*, word, word || ' ' || command AS label FROM way, uses;
INSERT INTO turnstile(command, args) SELECT begin, replace(first, '@L', label) FROM used WHERE begin IS NOT NULL;
CREATE TEMP VIEW one AS SELECT command, word, label, path, gone, replace(expected, '@L', label) AS expected,
  replace(replace(given, '@L', label), '@D', id) AS given, replace(replace(place, '@L', label), '@D', id) AS place,
  replace(replace(names, '@L', label), '@D', id) AS names, options
  FROM (SELECT used.*, (SELECT ifnull(max(d.id), 0) FROM deliveries AS d WHERE d.session_label = label) AS id FROM used);
-- The calls: the function, the same with a request_id, the door with arguments by place and by name.
CREATE TEMP VIEW calls AS SELECT one.*,
  printf('SELECT %s(%s, ''{%s}'')', command, given, ifnull(options, '')) AS function,
  printf('SELECT %s(%s, ''{%s"request_id":"r-%s"}'')', command, given, ifnull(options || ',', ''), command) AS request,
  printf('INSERT INTO turnstile VALUES (%Q, ''[%s,{%s}]'') RETURNING turnstile_result()', command, place, ifnull(options, '')) AS door,
  printf('INSERT INTO turnstile VALUES (%Q, ''{%s%s}'') RETURNING turnstile_result()', command, names, ifnull(',' || options, '')) AS named
  FROM one;

SELECT label || ': before', value_of(expected), gone FROM calls;

---- Both doors

CREATE TEMP TABLE got AS SELECT label, path, expected, value_of(CASE word WHEN 'plain' THEN function WHEN 'door' THEN door ELSE named END) AS r
  FROM calls WHERE word IN ('plain', 'door', 'names');
SELECT label || ': the result', iif(path IS NULL, r, r ->> path), value_of(expected) FROM got;
SELECT label || ': it is done', value_of(expected) IS NOT NULL, 1 FROM got;

---- A repeated request

CREATE TEMP TABLE first AS SELECT label, path, expected, request, value_of(request) AS r FROM calls WHERE word = 'once';
SELECT label || ': with a request_id', iif(path IS NULL, r, r ->> path), value_of(expected) FROM first;
SELECT turnstile_clock(1767225700000);
CREATE TEMP TABLE before AS SELECT dump_of() AS d;
SELECT label || ': repeated, the first answer', value_of(request), r FROM first;
SELECT 'nothing is written', dump_of() = d, 1 FROM before;
SELECT label || ': with another now it is the same request', value_of(replace(request, '"request_id"', '"now":1767225800000,"request_id"')), r FROM first;
SELECT label || ': with other arguments', error_of(replace(replace(request, label, 'other'), 'NewTask', 'Abandon')),
  printf('%s: request_id ''r-%s'' was used before for %s with other arguments; use a new one', substr(label, 6), substr(label, 6), substr(label, 6)) FROM first;
SELECT label || ': by another command', error_of(printf('SELECT session_note(''main'', ''x'', ''{"request_id":"r-%s"}'')', substr(label, 6))),
  printf('session_note: request_id ''r-%s'' was used before for %s with other arguments; use a new one', substr(label, 6), substr(label, 6)) FROM first;

---- Rolled back

CREATE TEMP TABLE last AS SELECT dump_of() AS d;
BEGIN;
CREATE TEMP TABLE inside AS SELECT label, path, expected, value_of(function) AS r FROM calls WHERE word = 'back';
SELECT label || ': in a transaction', iif(path IS NULL, r, r ->> path), value_of(expected) FROM inside;
ROLLBACK;
SELECT label || ': rolled back', value_of(expected), gone FROM calls WHERE word = 'back';
SELECT 'nothing is left', dump_of() = d, 1 FROM last;
SELECT 'sound', (SELECT count(*) FROM turnstile_check), 0;
