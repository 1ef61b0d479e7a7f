-- handoff.sql - session_export and session_import. tests/handoff/handoff_model.py takes random sessions there and
-- back, and changes every value of a document.

SELECT turnstile_install('{"uuid":"00000000-0000-4000-8000-00000000000a"}');
SELECT turnstile_clock(1000000);

CREATE TEMP TABLE doc(name PRIMARY KEY, j);
CREATE TEMP TABLE run(r);

---- A session with something in every section

INSERT INTO turnstile VALUES
  ('turnstile_config', '["queue_cap",7,{"session":"s"}]'),
  ('session_deliver', '["s","add retries",{"class":"NewTask","message_id":"m1","owner":"w"}]');
INSERT INTO run SELECT json_extract(decision, '$.turn') FROM deliveries;
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(r ->> 'turn', r ->> 'token', 'k1', 'ls') FROM run;
INSERT INTO turnstile
  SELECT 'turn_tool_result', json_array(r ->> 'turn', r ->> 'token', 'k1', 'a.c') FROM run;
INSERT INTO turnstile VALUES ('session_observe', '["s","FileWrite",{"path":"a.c"},"int main;"]');
INSERT INTO turnstile SELECT 'turn_complete', json_array(r ->> 'turn', r ->> 'token',
  json('{"content":"done","outcome":"done","usage":{"input_tokens":5,"output_tokens":6}}')) FROM run;
DELETE FROM run;
INSERT INTO turnstile VALUES
  ('session_deliver', '["s","perfect",{"class":"Confirmation","message_id":"m2"}]'),
  ('session_start', '["s","write the export"]'),
  ('session_note', '["s","as CSV"]'),
  ('session_relate', '["s","file:a.c","DependsOn","task:1",{"weight":0.3}]'),
  ('turn_append', '["s",[{"role":"user","content":"go"}],{"external_id":"e1","resume_cursor":"c"}]'),
  ('session_alias', '["nick","s"]'),
  ('session_alias', '["nock","s"]');
INSERT INTO run SELECT value_of('SELECT turn_begin(''s'', ''w'', ''{"messages":[{"role":"user","content":"more"}]}'')');
INSERT INTO turnstile SELECT 'turn_tool_call', json_array(r ->> 'turn', r ->> 'token', 'k2', 'ls') FROM run;
INSERT INTO turnstile SELECT 'turn_compact', json_array('s', 'what was said', json_object(
  'turn', r ->> 'turn', 'token', r ->> 'token', 'trigger', 'overflow_recovery', 'keep_turns', 0)) FROM run;
INSERT INTO turnstile SELECT 'turn_fail', json_array(r ->> 'turn', r ->> 'token', 'it broke') FROM run;
DELETE FROM run;
INSERT INTO turnstile VALUES
  ('session_deliver', '["s","a readme instead",{"class":"NewTask"}]'),
  ('queue_push', '["s","later",{"source":"timer","message_id":"t1"}]');

---- What an export is

SELECT 'no such session', session_export('nobody'), NULL;
INSERT INTO doc SELECT 's', value_of('SELECT session_export(''s'')');
SELECT 'the document', (SELECT group_concat(key) FROM json_each(j)),
  'turnstile_export,label,exported_at,uuid,hash,progress_summary,content' FROM doc;
SELECT 'what was done so far', j ->> '$.progress_summary', session_progress('s') FROM doc;
SELECT 'its head', json_remove(j, '$.content', '$.hash', '$.progress_summary'),
  '{"turnstile_export":2,"label":"s","exported_at":1000000,"uuid":"00000000-0000-4000-8000-00000000000a"}'
FROM doc;
SELECT 'the sections', (SELECT group_concat(key) FROM json_each(j, '$.content')),
  'session,tasks,steps,observations,objects,edges,commits,turns,messages,tool_calls,compactions,history,'
  || 'events,deliveries,queue,aliases,config' FROM doc;
SELECT 'under an alias it is the session', session_export('nick') = j, 1 FROM doc;
SELECT 'through the door it is the same', value_of('INSERT INTO turnstile VALUES (''session_export'',
  ''["s"]'') RETURNING turnstile_result()') = j, 1 FROM doc;
SELECT 'the hash does not hang on the time', value_of('SELECT session_export(''s'', ''{"now":7}'') ->> ''hash''')
  = j ->> 'hash', 1 FROM doc;
SELECT 'turns by number', (SELECT group_concat(json_array(value ->> 'n', value ->> 'parent',
    value ->> 'turn_type', value ->> 'status', value ->> 'context')) FROM json_each(j, '$.content.turns')),
  '[1,null,"normal","completed",null],[2,1,"normal","completed",null],'
  || '[3,2,"normal","failed",4],[4,2,"compaction","completed",4]' FROM doc;
SELECT 'the failed turn that comes next', j ->> '$.content.session.failed_turn', 3 FROM doc;
SELECT 'references inside of decisions', json_extract(j, '$.content.deliveries[0].decision') ->> '$.turn.turn',
  1 FROM doc;
SELECT 'the session''s own name is left open', json_extract(j, '$.content.deliveries[0].decision') ->> 'session',
  NULL FROM doc;
SELECT 'the choice', json_extract(j, '$.content.session.pending_choice') ->> 'delivery_id', 3 FROM doc;
SELECT 'edges', (SELECT json_group_array(json_array(value -> 'from_ref', value -> 'to_ref')) FROM json_each(j, '$.content.edges')
  WHERE value ->> 'label' = 'DependsOn'), '[["a.c",1]]' FROM doc;
SELECT 'numbers with a fraction are texts', j -> '$.content.edges[1].weight', '"0.29999999999999999"' FROM doc;
SELECT 'what a person named', j -> '$.content.aliases',
  '[{"alias":"nick","created_at":1000000},{"alias":"nock","created_at":1000000}]' FROM doc;
SELECT 'what is set for it', j -> '$.content.config', '[{"key":"queue_cap","value":7}]' FROM doc;
SELECT 'an export writes nothing', value_of('SELECT total_changes()') = (SELECT total_changes()), 1;

---- An import

SELECT 'a label that is taken', error_of('SELECT session_import(' || quote(j) || ')'),
  'session_import: label ''s'' is taken; the option as imports under another one, replace puts it in that one''s place'
FROM doc;
SELECT 'a label that is an alias', error_of('SELECT session_import(' || quote(j) || ', ''{"as":"nick","replace":1}'')'),
  'session_import: label ''nick'' is an alias of session ''s''; the option as imports under another one'
FROM doc;
CREATE TEMP TABLE report(name PRIMARY KEY, r);
INSERT INTO report SELECT 'copy', value_of('SELECT session_import(' || quote(j) || ', ''{"as":"copy","now":2000000}'')')
FROM doc;
SELECT 'its report', json_remove(r, '$.hash'),
  '{"session":"copy","unchanged":false,"turns":4,"messages":4,"tasks":2,"commits":1,"steps":4,"objects":1,'
  || '"inputs":2,"waiting":1,"aliases_left_out":["nick","nock"]}' FROM report;
SELECT 'its hash', r ->> 'hash' = j ->> 'hash', 1 FROM report, doc;
SELECT 'where it comes from', origin, 'import' FROM sessions WHERE label = 'copy';
SELECT 'the event', json_array(from_state, to_state, "trigger", at, data ->> 'label', data ->> 'uuid', data ->> 'hash' = j ->> 'hash'),
  '["active","active","import",2000000,"s","00000000-0000-4000-8000-00000000000a",1]'
FROM session_events, doc WHERE session_label = 'copy' ORDER BY id DESC LIMIT 1;
SELECT 'an import does not wake it', last_activity, 1000000 FROM sessions WHERE label = 'copy';
SELECT 'the thread is one branch', group_concat(id & 16777215), '0,1'
FROM turn_path('copy') AS p JOIN turns ON id = p.turn_id;
SELECT 'an id from elsewhere is somebody''s already', count(*), 1 FROM turns WHERE external_id = 'e1';
SELECT 'the context', (SELECT group_concat(content) FROM session_context('copy')),
  (SELECT group_concat(content) FROM session_context('s'));
SELECT 'ids of commits hold the label', count(DISTINCT id), 2 FROM commits;
SELECT 'its commit is its task''s', count(*), 2 FROM commits AS c JOIN tasks AS t ON t.commit_id = c.id
WHERE t.session_label = c.session_label;
SELECT 'decisions name it', decision ->> 'session', 'copy' FROM deliveries WHERE session_label = 'copy' LIMIT 1;
SELECT 'a message that came before', value_of('SELECT session_deliver(''copy'', ''perfect'', ''{"message_id":"m2"}'') ->> ''duplicate'''), 1;
SELECT 'its choice is answered there', value_of('SELECT session_choose(''copy'', ''continue'') ->> ''action'''), 'continue';
SELECT 'no guard is left open', count(*), 0 FROM turnstile_meta WHERE key = 'unguarded';

---- Once more

SELECT 'the same document changes nothing', value_of('SELECT session_import(' || quote(j) || ', ''{"as":"copy"}'') ->> ''unchanged'''), 1
FROM doc;
SELECT 'it has gone on since: replace takes it back', value_of('SELECT session_import(' || quote(j) || ', ''{"as":"copy","replace":1}'') ->> ''unchanged'''), 0
FROM doc;
SELECT 'and is then as it was', (SELECT count(*) FROM session_events WHERE session_label = 'copy')
  - (SELECT count(*) FROM session_events WHERE session_label = 's') BETWEEN 1 AND 2, 1;
SELECT 'so there is nothing to replace', value_of('SELECT session_import(' || quote(j) || ', ''{"as":"copy","replace":1}'') ->> ''unchanged'''), 1
FROM doc;
SELECT 'what waits behind a live run', value_of('SELECT turn_begin(''copy'', ''w'', ''{"messages":[{"role":"user","content":"x"}]}'') IS NOT NULL'), 1;
SELECT 'a live run is not replaced', error_of('SELECT session_import(' || quote(j) || ', ''{"as":"copy","replace":1}'')')
  LIKE 'session_import: session ''copy'' is busy: ''w'' executes it, with a lease until % session_delete with force stops it', 1
FROM doc;
SELECT 'by a request', value_of('SELECT session_import(' || quote(j) || ', ''{"as":"asked","request_id":"r"}'') ->> ''unchanged'''), 0
FROM doc;
SELECT 'and again', value_of('SELECT session_import(' || quote(j) || ', ''{"as":"asked","request_id":"r"}'') ->> ''unchanged'''), 0
FROM doc;
SELECT 'as an object through the door', value_of('INSERT INTO turnstile VALUES (''session_import'', '
  || quote(json_array(json(j), json_object('as', 'an object'))) || ') RETURNING turnstile_result() ->> ''session'''), 'an object'
FROM doc;
SELECT 'replacing a session of another kind', value_of('SELECT session_import(' || quote(json_set(j, '$.label', 's'))
  || ', ''{"replace":1}'') ->> ''unchanged'''), 0 FROM doc;
SELECT 'which is what it was', value_of('SELECT session_export(''s'') ->> ''hash''') = j ->> 'hash', 1 FROM doc;
SELECT 'names go back to it', resolve_session('nick'), 's';

---- A turn that is running

INSERT INTO turnstile VALUES ('session_deliver', '["r","first",{"class":"NewTask","owner":"w"}]');
INSERT INTO doc SELECT 'begun', value_of('SELECT session_export(''r'')');
INSERT INTO run SELECT json_extract(decision, '$.turn') FROM deliveries WHERE session_label = 'r';
INSERT INTO turnstile SELECT 'turn_message', json_array(r ->> 'turn', r ->> 'token', json('{"role":"assistant","content":"x"}'))
FROM run;
INSERT INTO doc SELECT 'at work', value_of('SELECT session_export(''r'')');
SELECT 'it has recorded nothing: its input waits', json_extract(j, '$.content.queue[0].status', '$.content.queue[0].turn', '$.content.turns'),
  '["pending",null,[]]' FROM doc WHERE name = 'begun';
SELECT 'it has recorded something: its input has failed', json_extract(j, '$.content.queue[0].status', '$.content.queue[0].error', '$.content.queue[0].turn'),
  '["failed","the session was exported while a turn worked on it",1]' FROM doc WHERE name = 'at work';
SELECT 'and so has the turn', json_extract(j, '$.content.turns[0].status', '$.content.turns[0].on_path', '$.content.turns[0].error',
  '$.content.session.failed_turn', '$.content.messages[1].content'), '["failed",0,"the session was exported while the turn was running",1,"x"]'
  FROM doc WHERE name = 'at work';
SELECT 'its run has ended', json_extract(j, '$.content.events[#-1].axis', '$.content.events[#-1].to_state'), '["run","idle"]'
FROM doc WHERE name = 'at work';
SELECT 'another file takes it up', value_of('SELECT session_import(' || quote(j) || ', ''{"as":"r2"}'') ->> ''waiting'''), 1
FROM doc WHERE name = 'begun';
SELECT 'from the beginning', value_of('SELECT turn_begin(''r2'', ''w'') ->> ''$.messages[0].content'''), 'first';

---- What is wrong with the arguments

SELECT 'no document', error_of('SELECT session_import(NULL)'), 'session_import: json is missing';
SELECT 'a number', error_of('SELECT session_import(5)'), 'session_import: json must be a JSON object, not an integer';
SELECT 'no JSON', error_of('SELECT session_import(''{'')'), 'session_import: json is not valid JSON';
SELECT 'a list', error_of('SELECT session_import(''[]'')'),
  'session_import: json: turnstile_export is missing; it must be what session_export returned';
SELECT 'something else', error_of('SELECT session_import(''{"a":1}'')'),
  'session_import: json has no field ''a''; it must be what session_export returned';
SELECT 'no label', error_of('SELECT session_export(NULL)'), 'session_export: label is missing';
SELECT 'an unknown option', error_of('SELECT session_import(''{}'', ''{"over":1}'')'),
  'session_import: unknown option ''over''; it takes: as, replace, now, request_id';
SELECT 'a NUL', error_of('SELECT session_import(''{"a":"\u0000"}'')'),
  'session_import: json holds a NUL character, at byte 6';

---- What is wrong with a document: each change with a digest that fits

CREATE TEMP TABLE wrong(name, path, value, want);
INSERT INTO wrong VALUES
  ('a format of the future', '$.turnstile_export', 3, 'turnstile_export must be from 1 to 2, the formats that this library reads'),
  ('a format of the past', '$.turnstile_export', 0, 'turnstile_export must be from 1 to 2, the formats that this library reads'),
  ('fields that version 1 did not have', '$.turnstile_export', 1, NULL),
  ('a task that was worked on and was not', '$.content.tasks[0].worked', 0, 'tasks[0].worked must be 1: the task has a commit, or its state comes of work'),
  ('neither worked on nor not', '$.content.tasks[1].worked', 2, 'tasks[1].worked must be an integer from 0 to 1'),
  ('a task that goes on with itself', '$.content.tasks[1].continues', 2, 'tasks[1].continues is not an earlier task, or itself continues another'),
  ('a task that goes on with a later one', '$.content.tasks[0].continues', 2, 'tasks[0].continues is not an earlier task, or itself continues another'),
  ('a relation of another task', '$.content.edges[1].task', 1, 'edges[1].task was committed, and no step of it lists the relation'),
  ('a move after more events than there are', '$.content.history[1].events', 9999, NULL),
  ('a head that stood before it came', '$.content.session.head_events', 0, NULL),
  ('what was refused, without a word', '$.content.session.refused', '{"count":1,"since":1,"at":1}', 'session.refused must hold why, of type text'),
  ('refused less than never', '$.content.session.refused', '{"count":-1}', 'session.refused must hold count, of type integer'),
  ('an input held by halves', '$.content.queue[1].held', 2, 'queue[1].held must be an integer from 0 to 1'),
  ('a host without turns that was handed nothing', '$.content.queue[1].awaits_turn', 0, 'queue[1].awaits_turn must be 1: it was not handed over'),
  ('shown in a turn of others', '$.content.queue[1].shown_turn', 1, 'queue[1].shown_turn is not a turn that has it in its messages'),
  ('shown in no turn', '$.content.queue[1].shown_turn', 9, 'queue[1].shown_turn is 9, and turns has 4 rows'),
  ('a time without its length', '$.content.queue[1].due_at', 5, 'queue[1].due_after must be set exactly when due_at is'),
  ('a time that is none', '$.content.queue[1].due_at', -1, 'queue[1].due_at must be an integer from 0 to 9007199254740991'),
  ('the answer to a choice of no time', '$.content.queue[1].opened_at', 0, 'queue[1].opened_at must be an integer from 1 to 9007199254740991'),
  ('the answer to a question of no time', '$.content.queue[1].asked_at', '5', 'queue[1].asked_at must be an integer from 1 to 9007199254740991'),
  ('exempt, perhaps', '$.content.queue[1].exempt', -1, 'queue[1].exempt must be an integer from 0 to 2'),
  ('a label that is none', '$.label', '', 'label must be text of 1 to 1024 bytes'),
  ('a time that is none', '$.exported_at', -1, 'exported_at must be an integer from 0 to 2^53 - 1'),
  ('a uuid that is none', '$.uuid', 5, 'uuid must be text of at most 256 bytes'),
  ('a field too many', '$.content.tasks[0].x', 1, 'tasks[0] has no field ''x'''),
  ('a section too many', '$.content.x', json('[]'), 'content has no section ''x'''),
  ('a section that is none', '$.content.tasks', 5, 'content.tasks must be an array'),
  ('a row that is none', '$.content.tasks[1]', 5, 'tasks[1] must be an object'),
  ('a fraction', '$.content.tasks[1].started_at', 1.5, 'tasks[1].started_at must be null, an integer or text'),
  ('a time before all', '$.content.tasks[1].started_at', -1, 'tasks[1].started_at must be an integer from 0 to 9007199254740991'),
  ('null', '$.content.tasks[0].description', NULL, 'tasks[0].description must not be null'),
  ('a number for a text', '$.content.tasks[0].description', 5, 'tasks[0].description must be text'),
  ('a word that is none', '$.content.tasks[0].state', 'Asleep', 'tasks[0].state is ''Asleep'', which is not one of its words'),
  ('a number that is another', '$.content.tasks[1].n', 1, 'tasks[1].n must be 2, the row''s number'),
  ('a reference to nothing', '$.content.tasks[0].commit', 2, 'tasks[0].commit is 2, and commits has 1 rows'),
  ('no JSON', '$.content.observations[0].data', '{', 'observations[0].data is not valid JSON'),
  ('JSON of another type', '$.content.steps[0].state_data', '[]', 'steps[0].state_data must be a JSON object, not a JSON array'),
  ('a weight that is none', '$.content.edges[0].weight', '2', 'edges[0].weight must be a number from 0 to 1, written as text'),
  ('a hash that is none', '$.content.objects[0].id', 'x', 'objects[0].id must be 64 digits of lower-case hex'),
  ('an empty name', '$.content.tool_calls[0].id', '', 'tool_calls[0].id is empty'),
  ('an open task that is another', '$.content.session.open_task', 1, 'session.open_task is not the open task'),
  ('an end without its state', '$.content.tasks[1].ended_at', 5, 'tasks[1].ended_at must be set exactly when the state is None'),
  ('a state without its data', '$.content.tasks[1].state', 'AwaitingUser', 'tasks[1].state_data must hold question, of type text'),
  ('an object''s content', '$.content.objects[0].data', 'int pain;', 'objects[0].id does not match its content'),
  ('an object''s size', '$.content.objects[0].size', 8, 'objects[0].size is not the size of the data, 9 bytes'),
  ('an observation''s content', '$.content.observations[0].data', '{"path":"b.c"}', 'observations[0].hash does not match its content'),
  ('a step''s observations', '$.content.steps[1].payload', '[]', 'steps[1].payload does not list the observations of the step, and then relations of the document'),
  ('a step''s content', '$.content.steps[1].created_at', 1, 'steps[1].id does not match its content'),
  ('a step''s parent', '$.content.steps[1].parent', NULL, 'steps[1].parent is not the step before'),
  ('a commit''s content', '$.content.commits[0].message', 'done!', 'commits[0].id does not match its content'),
  ('a commit''s id', '$.content.commits[0].id', printf('%064d', 0), 'commits[0].id does not match its content'),
  ('a commit''s task', '$.content.commits[0].task', 2, 'tasks[0].commit is the commit of another task'),
  ('a turn''s parent', '$.content.turns[1].parent', NULL, 'turns[1].parent is not the turn before'),
  ('a turn in the thread that failed', '$.content.turns[1].status', 'failed', 'turns[1].on_path does not fit the status'),
  ('a context that is no summary', '$.content.turns[1].context', 1, 'turns[1].context is neither that of the parent nor a compaction beside the turn'),
  ('an answer to what comes later', '$.content.turns[0].answers', 2, 'turns[0].answers is not a turn above'),
  ('a thread that shrinks', '$.content.turns[1].thread_tokens', 0, 'turns[1].thread_tokens does not fit that of the parent, 6'),
  ('a turn that goes on from none', '$.content.turns[1].resumes', 1, 'turns[1].resumes is not a failed turn that this one can resume'),
  ('a failed turn that is none', '$.content.session.failed_turn', 1, 'session.failed_turn is not a failed turn that the next one can resume'),
  ('a head that is not where it was', '$.content.session.head', 1, NULL),
  ('a place twice', '$.content.messages[1].sequence', 0, 'messages[1].sequence is not the next place of the turn'),
  ('a call without its end', '$.content.tool_calls[0].status', 'pending', 'tool_calls[0].completed_at does not fit the status'),
  ('a summary of no turn', '$.content.compactions[0].turn', 2, 'compactions[0].turn is not the next turn that is a compaction'),
  ('a summary that keeps what comes later', '$.content.compactions[0].first_kept', 3, 'compactions[0].first_kept is not a turn of messages above'),
  ('a move to a failed turn', '$.content.history[0].turn', 3, 'history[0].turn is a turn that was never a head'),
  ('moves that end elsewhere', '$.content.history[1].turn', 1, 'session.head is not where history ends'),
  ('an event on no axis', '$.content.events[0].to_state', 'asleep', 'events[0].to_state is not a state of its axis'),
  ('a status that no event leaves it in', '$.content.session.status', 'suspended', 'session.status is not where events leave the session'),
  ('a decision''s task', '$.content.deliveries[0].decision', '{"task_id":99,"queue_id":1}', 'deliveries[0].decision refers to a row that is not there, or not by its number'),
  ('a decision in other words', '$.content.deliveries[0].decision', '{"queue\u005fid":1}', 'deliveries[0].decision refers to a row that is not there, or not by its number'),
  ('work without an input', '$.content.deliveries[0].decision', '{}', 'deliveries[0].decision asks for work without a queue_id'),
  ('a message that came twice', '$.content.deliveries[1].message_id', 'm1', 'deliveries[1].message_id stands there twice with one channel and sender'),
  ('an input with other words', '$.content.queue[0].message', 'x', 'queue[0].message is not that of its delivery'),
  ('an input that is and is not done', '$.content.queue[0].status', 'pending', 'queue[0].delivered_at does not fit the status'),
  ('a setting that is none', '$.content.config[0].key', 'nonsense', 'config[0].value is not a valid value of a session''s setting ''nonsense'''),
  ('names that are a number', '$.content.config[0].key', 'names', 'config[0].value is not a valid value of a session''s setting ''names'''),
  ('a setting out of its range', '$.content.config[0].value', 0, 'config[0].value is not a valid value of a session''s setting ''queue_cap'''),
  ('a question that nobody asks', '$.content.tasks[0].asked_after', 5, 'tasks[0].asked_after must be null: the task asks nothing'),
  ('data of no state', '$.content.tasks[0].state_data', '{}', 'tasks[0].state_data must be null when the state is None'),
  ('a commit of an open task', '$.content.tasks[1].commit', 1, 'tasks[1].commit must be null as long as the task is open'),
  ('a step that is not the last', '$.content.tasks[0].head_step', 1, 'tasks[0].head_step is not the last step of the task'),
  ('a step of an earlier task', '$.content.steps[3].task', 1, 'steps[3].parent is not the step before'),
  ('a step of a later task', '$.content.steps[0].task', 2, 'steps[1].task stands behind a step of a later task'),
  ('an observation of no step', '$.content.observations[0].step', NULL, 'observations[0].step must not be null: its task was committed'),
  ('an observation of another''s step', '$.content.observations[0].step', 4, 'observations[0].step is a step of another task'),
  ('a commit with a parent', '$.content.commits[0].parent', 1, 'commits[0].parent must be null'),
  ('a commit at another step', '$.content.commits[0].head_step', 1, 'commits[0].head_step is not the last step of its task'),
  ('an event that ends nowhere', '$.content.events[0].to_state', NULL, 'events[0].to_state must not be null'),
  ('an event that begins nowhere', '$.content.events[1].from_state', 'asleep', 'events[1].from_state is not a state of its axis'),
  ('an import', '$.content.events[0].trigger', 'import', 'events[0].trigger is import, which no document holds'),
  ('a task aborted without a reason', '$.content.tasks[1].state', 'Aborted', 'tasks[1].state_data must hold reason, of type text'),
  ('a compaction at the root', '$.content.turns[3].parent', NULL, 'turns[2].context is neither that of the parent nor a compaction beside the turn'),
  ('a call that went well and failed', '$.content.tool_calls[0].error', 'x', 'tool_calls[0].error does not fit the status'),
  ('a call without its result', '$.content.tool_calls[0].result', NULL, 'tool_calls[0].result does not fit the status'),
  ('a message of a user''s to a call', '$.content.messages[0].tool_call_id', 'k1', 'messages[0].tool_call_id must be null: the role is not tool'),
  ('a call at another place', '$.content.tool_calls[0].sequence', 9, 'messages[1].sequence is not the next place of the turn'),
  ('a summary through what comes later', '$.content.compactions[0].summarized_through', 4, 'compactions[0].summarized_through is not a turn above'),
  ('a full summary that keeps', '$.content.compactions[0].compaction_type', 'partial', 'compactions[0].compaction_type does not fit first_kept'),
  ('a section without its summary', '$.content.compactions', json('[]'), 'turns[3].turn_type has no row in compactions'),
  ('a choice of a state that is none', '$.content.session.pending_choice', '{"kind":"ConfirmNewTask","state":"Asleep"}', 'session.pending_choice has no fitting kind'),
  ('a hash that is none', '$.hash', 'x', 'hash must be 64 digits of lower-case hex'),
  ('a hash in capitals', '$.hash', printf('%.64c', 'A'), 'hash must be 64 digits of lower-case hex'),
  ('a session too many', '$.content.session', 5, 'content.session must be an object'),
  ('a choice of no kind', '$.content.session.pending_choice', '{"kind":"x"}', 'session.pending_choice has no fitting kind');
INSERT INTO wrong SELECT 'events that go back', '$.content.history[0].events', json_array_length(j, '$.content.events'), NULL
FROM doc WHERE name = 's';
INSERT INTO wrong SELECT 'an event''s turn', printf('$.content.events[%d].data', key), '{"turn":99}',
  printf('events[%d].data refers to a row that is not there, or not by its number', key)
FROM doc, json_each(j, '$.content.events') WHERE value ->> 'axis' = 'turn' AND name = 's' LIMIT 1;
CREATE TEMP TABLE made(name, j, want);
INSERT INTO made SELECT name, json_set((SELECT j FROM doc WHERE doc.name = 's'), path,
    iif(typeof(value) = 'text' AND value IN ('[]') AND name LIKE 'a section%', json(value), value)), want FROM wrong;
UPDATE made SET j = json_set(j, '$.hash', substr(error_of('SELECT session_import(' || quote(j) || ', ''{"as":"w"}'')'), -64))
WHERE error_of('SELECT session_import(' || quote(j) || ', ''{"as":"w"}'')') LIKE '%whose hash is%';
SELECT name, iif(want IS NULL, substr(error_of('SELECT session_import(' || quote(j) || ', ''{"as":"w"}'')'), 1, 22),
                 error_of('SELECT session_import(' || quote(j) || ', ''{"as":"w"}'')')),
  'session_import: json: ' || ifnull(want, '') FROM made;
SELECT 'a value that is another', error_of('SELECT session_import(' || quote(json_set(j, '$.content.tasks[0].description', 'x')) || ', ''{"as":"w"}'')')
  LIKE 'session_import: json: hash does not match the content, whose hash is %', 1 FROM doc WHERE name = 's';
SELECT 'a field that is missing', error_of('SELECT session_import(' || quote(json_remove(j, '$.content.tasks[0].state')) || ')'),
  'session_import: json: tasks[0].state is missing' FROM doc WHERE name = 's';
SELECT 'a section that is missing', error_of('SELECT session_import(' || quote(json_remove(j, '$.content.tasks')) || ')'),
  'session_import: json: content.tasks is missing' FROM doc WHERE name = 's';
SELECT 'a field that stands there twice', error_of('SELECT session_import(' || quote(replace(j, '"state_data":', '"state":')) || ')'),
  'session_import: json: tasks[0].state stands there twice' FROM doc WHERE name = 's';
SELECT 'none of these has come in', count(*), 0 FROM sessions WHERE label = 'w';

---- Each value of a document that may be another one: it comes in as that, and goes out as that

CREATE TEMP TABLE other(n INTEGER PRIMARY KEY, path, j, error);
INSERT INTO doc SELECT 'free', json_set(json_remove(j, '$.content.aliases[1]', '$.content.aliases[0]'), '$.content.turns[1].external_id', NULL) FROM doc WHERE name = 's'; -- names that others have are left out
INSERT INTO other(path, j) SELECT replace(t.fullkey, '"', ''), json_set(j, t.fullkey, CASE t.type WHEN 'integer' THEN t.atom + 1 WHEN 'text' THEN t.atom || '1' ELSE iif(w.key, 'x' || t.id, 1234567) END)
  FROM doc, json_tree(j, '$.content') AS t, json_each('[0,1]') AS w
  WHERE name = 'free' AND t.type IN ('integer', 'text', 'null') AND t.fullkey NOT LIKE '%weight%' AND (t.type = 'null' OR w.key = 0);
CREATE TEMP TABLE other_said_1 AS SELECT n, error_of('SELECT session_import(' || quote(j) || ', ''{"as":"other ' || n || '"}'')') AS error FROM other;
UPDATE other SET error = (SELECT error FROM other_said_1 AS s WHERE s.n = other.n);
UPDATE other SET j = json_set(j, '$.hash', substr(error, -64)) WHERE error LIKE '%whose hash is%';
CREATE TEMP TABLE other_said_2 AS SELECT n, error_of('SELECT session_import(' || quote(j) || ', ''{"as":"other ' || n || '"}'')') AS error FROM other WHERE error LIKE '%whose hash is%';
UPDATE other SET error = (SELECT error FROM other_said_2 AS s WHERE s.n = other.n) WHERE n IN (SELECT n FROM other_said_2);
SELECT 'another value: ' || path, session_export('other ' || n) ->> 'hash', j ->> 'hash' FROM other WHERE error IS NULL;
SELECT 'there were such values', count(*) > 200, 1 FROM other WHERE error IS NULL;

---- A file that is read only, a schema of another name

SELECT 'export takes no lock', value_of('SELECT session_export(''s'') IS NOT NULL'), 1;

---- The key of the file's door is nobody else's business

SELECT session_start('secret', 'x');
SELECT 'it is there', (SELECT length(value) FROM turnstile_meta WHERE key = 'door_key'), 32;
SELECT 'but not in a document', instr(session_export('secret'), (SELECT value FROM turnstile_meta WHERE key = 'door_key')), 0;
SELECT 'nor in the schema as text', instr(turnstile_schema(), (SELECT value FROM turnstile_meta WHERE key = 'door_key')), 0;
SELECT 'nor in what SQLite keeps of it', (SELECT count(*) FROM sqlite_schema, turnstile_meta WHERE key = 'door_key' AND instr(sql, value)), 0;
SELECT 'nor in what turnstile_check says', (SELECT count(*) FROM turnstile_check, turnstile_meta WHERE key = 'door_key' AND instr(problem, value)), 0;
UPDATE turnstile_meta SET value = 'short' WHERE key = 'door_key';
SELECT 'also when it is damaged', (SELECT count(*) FROM turnstile_check WHERE rule = 'meta' AND instr(problem, 'short')), 0;
SELECT 'which is told', (SELECT count(*) FROM turnstile_check WHERE rule = 'meta'), 1;
SELECT 'turnstile_renew mends it', turnstile_renew() <> '' AND (SELECT count(*) FROM turnstile_check WHERE rule = 'meta') = 0, 1;

---- The summary of what was done is told, and not believed

SELECT session_start('told doc', 'add retries');
SELECT session_note('told doc', 'read the code');
CREATE TEMP TABLE told AS SELECT session_export('told doc') AS j;
SELECT 'it is of the open task', j ->> '$.progress_summary', '- read the code' FROM told;
SELECT 'without it a document is whole', json_extract(session_import(json_remove(j, '$.progress_summary'),
  '{"as":"told one"}'), '$.session'), 'told one' FROM told;
SELECT 'another one changes nothing', json_extract(session_import(json_set(j, '$.progress_summary', 'all of it'),
  '{"as":"told one"}'), '$.unchanged'), 1 FROM told;
SELECT 'it is made of the content', session_progress('told one'), '- read the code';
SELECT 'NULL', json_extract(session_import(json_set(j, '$.progress_summary', NULL), '{"as":"told two"}'), '$.session'),
  'told two' FROM told;
SELECT 'no text', error_of('SELECT session_import(json_set(j, ''$.progress_summary'', json(''[]''))) FROM told'),
  'session_import: json: progress_summary must be text';
SELECT session_compact('told doc', 'done');
SELECT 'without an open task there is none', session_export('told doc') -> '$.progress_summary', 'null';

-- What an Abandon leaves waiting is told by its number in the document and by its id in the copy.
SELECT session_deliver('left', 'add retries', '{"class":"NewTask","sender":"u1","owner":"w"}') IS NOT NULL;
SELECT queue_push('left', 'and a test', '{"sender":"u2"}') IS NOT NULL;
SELECT session_deliver('left', 'forget it', '{"class":"Abandon","sender":"u1"}') IS NOT NULL;
SELECT 'a copy''s decision names what waits there', session_import(session_export('left'), '{"as":"left 2"}') IS NOT NULL, 1;
SELECT 'by the id in the ' || w.session_label, w.told, (SELECT id FROM session_queue AS q
  WHERE q.session_label = w.session_label AND q.message = 'and a test')
FROM (SELECT session_label, decision ->> '$.still_waiting[0].queue_id' AS told FROM deliveries
  WHERE session_label IN ('left', 'left 2') AND decision ->> '$.action' = 'abandon') AS w;
SELECT 'both are told', count(DISTINCT decision ->> '$.still_waiting[0].queue_id'), 2 FROM deliveries
WHERE session_label IN ('left', 'left 2') AND decision ->> '$.action' = 'abandon';

---- What the copy knows of inputs, moves and tasks

-- An input that waits for its time, one that was refused, one handed to a host without turns, one that was shown in
-- a turn that came to nothing; a task that goes on with one that had ended; moves with what had happened before.
SELECT turnstile_clock(1900000000000);
SELECT turnstile_config('queue_cap', 3, '{"session":"knows"}');
SELECT turnstile_config('retry_backoff', '2m', '{"session":"knows"}');
SELECT session_start('knows', 'first') IS NOT NULL;
SELECT session_note('knows', 'looked') > 0;
SELECT turn_append('knows', '[{"role":"user","content":"a"}]') > 0;
SELECT turn_append('knows', '[{"role":"user","content":"b"}]') > 0;
SELECT session_compact('knows', 'done') IS NOT NULL;
SELECT session_rewind('knows', (SELECT min(turn_id) FROM turn_path('knows'))) IS NOT NULL;
SELECT session_relate('knows', 'file:a.c', 'DependsOn', 'file:b.c') > 0;
SELECT session_transition('knows', 'AwaitingUser', '{"question":"how many?"}');
SELECT session_deliver('knows', 'five', '{"asked_at":1900000000000}') ->> '$.action' = 'continue';
CREATE TEMP TABLE went AS SELECT value_of('SELECT turn_begin(''knows'', ''w'')') AS j;
SELECT turn_fail(j ->> 'turn', j ->> 'token', 'no network') IS NOT NULL FROM went;
SELECT session_deliver('knows', 'and log', '{"source":"timer"}') ->> '$.action' = 'queue';
SELECT queue_push('knows', 'third', '{"source":"webhook"}') > 0;
SELECT session_deliver('knows', 'fourth', '{"source":"webhook"}') ->> '$.action' = 'rejected';
SELECT session_deliver('with no turns', 'do it', '{"class":"NewTask","keeps_turns":0}') ->> '$.action' = 'start';
CREATE TEMP TABLE knows AS SELECT label, session_export(label) AS j FROM sessions WHERE label IN ('knows', 'with no turns');
CREATE TEMP TABLE there AS SELECT session_import(j, json_object('as', 'c ' || label)) AS r FROM knows;
SELECT 'the document says all of it', json_array(
  (SELECT count(*) > 0 FROM json_each(j, '$.content.queue') WHERE value ->> 'due_at' = 1900000120000 AND value ->> 'due_after' = 120000),
  (SELECT count(*) FROM json_each(j, '$.content.queue') WHERE value ->> 'shown_turn' > 0),
  (SELECT count(*) FROM json_each(j, '$.content.queue') WHERE value ->> 'asked_at' = 1900000000000),
  (SELECT count(*) FROM json_each(j, '$.content.tasks') WHERE value ->> 'continues' = 1),
  (SELECT count(*) > 0 FROM json_each(j, '$.content.edges') WHERE value ->> 'task' = 2),
  json_extract(j, '$.content.session.refused') ->> 'message',
  (SELECT count(*) FROM json_each(j, '$.content.history') WHERE value ->> 'events' IS NULL)), '[1,1,1,1,1,"fourth",0]'
FROM knows WHERE label = 'knows';
SELECT 'so does what is exported of the copy: ' || label, session_export('c ' || label) ->> 'hash', j ->> 'hash' FROM knows;
SELECT 'it waits for its time there', (SELECT due_at FROM queue_list WHERE session_label = 'c knows' AND message = 'five'), 1900000120000;
SELECT 'so nothing is taken', turn_begin('c knows', 'w'), NULL;
SELECT turnstile_clock(1900000120000);
SELECT 'it was shown, and stands there', (SELECT count(*) FROM messages AS m JOIN session_queue AS q ON q.shown_turn_id = m.turn_id
  WHERE q.session_label = 'c knows' AND q.message = 'five' AND m.content = 'five' AND m.metadata ->> 'queue_id' = q.id), 1;
SELECT 'a host without turns has it there, too', awaits_turn, 0 FROM session_queue WHERE session_label = 'c with no turns';
SELECT 'which shows that it works on it', session_note('c with no turns', 'begun') > 0, 1;
SELECT session_transition('c with no turns', 'PendingComplete', '{"summary":"done"}');
SELECT 'and is done with it', status, 'delivered' FROM session_queue WHERE session_label = 'c with no turns';
SELECT 'its task is known by its own number there', q.task_id = s.open_task_id, 1
FROM session_queue AS q JOIN sessions AS s ON s.label = q.session_label WHERE s.label = 'c knows' AND q.message = 'five';
SAVEPOINT other_task;
UPDATE session_queue SET task_id = 0 WHERE session_label = 'c knows' AND message = 'five';
SELECT session_import(session_export('c knows'), '{"as":"d knows"}') IS NOT NULL;
SELECT 'that it was for another task is known there', task_id, 0 FROM session_queue WHERE session_label = 'd knows' AND message = 'five';
SELECT session_transition('d knows', 'Aborted', '{"reason":"no"}');
SELECT 'whose end this was not', status, 'pending' FROM session_queue WHERE session_label = 'd knows' AND message = 'five';
SELECT session_transition('c knows', 'Aborted', '{"reason":"no"}');
SELECT 'as where it comes from', status, 'pending' FROM session_queue WHERE session_label = 'c knows' AND message = 'five';
ROLLBACK TO other_task;
SELECT session_transition('c knows', 'Aborted', '{"reason":"no"}');
SELECT 'its own task ends it', status, 'cancelled' FROM session_queue WHERE session_label = 'c knows' AND message = 'five';
ROLLBACK TO other_task;
RELEASE other_task;
SELECT 'undo knows what the task was at the turn', json_extract(session_rewind('c knows', NULL), '$.head', '$.state'), '[null,"None"]';
SELECT 'a file that says itself what its host keeps is right', turnstile_config('keeps_turns', 1), 1;
SELECT 'about what was handed', session_import(j, '{"as":"told"}') IS NOT NULL, 1 FROM knows WHERE label = 'with no turns';
SELECT 'so a turn takes it', awaits_turn, 1 FROM session_queue WHERE session_label = 'told';
SELECT 'and the same document changes nothing', session_import(j, '{"as":"told","replace":1}') ->> 'unchanged', 1 FROM knows
WHERE label = 'with no turns';
SELECT turnstile_config('keeps_turns', NULL) IS NULL OR 1;
SELECT 'all is sound', count(*), 0 FROM turnstile_check WHERE session_label IN ('knows', 'c knows', 'with no turns', 'c with no turns', 'told');

---- The turns of one place keep the order in which they began

SELECT turnstile_clock(1900000200000);
SELECT turnstile_config('max_attempts', 1, '{"session":"tried"}');
CREATE TEMP TABLE ran(n INTEGER PRIMARY KEY, j);
-- The first input fails without a word, before there is a turn; the next one has three turns: two say something and fail.
INSERT INTO ran VALUES (1, session_deliver('tried', 'build a wall', '{"class":"NewTask","owner":"w"}') -> 'turn');
SELECT turn_fail(j ->> 'turn', j ->> 'token', 'no network') IS NOT NULL FROM ran WHERE n = 1;
INSERT INTO ran VALUES (2, turn_begin('tried', 'w', '{"messages":[{"role":"user","content":"and a roof"}]}'));
SELECT turn_message(j ->> 'turn', j ->> 'token', '{"role":"assistant","content":"half"}') IS NOT NULL FROM ran WHERE n = 2;
SELECT turn_fail(j ->> 'turn', j ->> 'token', 'no network') IS NOT NULL FROM ran WHERE n = 2;
INSERT INTO ran VALUES (3, turn_begin('tried', 'w', '{"messages":[{"role":"user","content":"go on"}]}'));
SELECT turn_message(j ->> 'turn', j ->> 'token', '{"role":"assistant","content":"more"}') IS NOT NULL FROM ran WHERE n = 3;
SELECT turn_fail(j ->> 'turn', j ->> 'token', 'no network') IS NOT NULL FROM ran WHERE n = 3;
INSERT INTO ran VALUES (4, turn_begin('tried', 'w', '{"messages":[{"role":"user","content":"go on"}]}'));
SELECT turn_complete(j ->> 'turn', j ->> 'token', '{"content":"the roof"}') IS NOT NULL FROM ran WHERE n = 4;
CREATE TEMP TABLE tried AS SELECT session_export('tried') AS j;
SELECT 'the document says which came first', (SELECT json_group_array(value ->> 'nth') FROM
  (SELECT value FROM json_each(j, '$.content.turns') ORDER BY value ->> 'on_path' DESC, value ->> 'n')), '[4,3,2,1]' FROM tried;
SELECT session_import(j, '{"as":"c tried"}') IS NOT NULL FROM tried;
SELECT 'so the later has the higher id there', group_concat(word, ','), 'wall,half,more,the roof' FROM (
  SELECT substr(m.content, iif(m.content LIKE 'build%', 9, 1)) AS word FROM messages AS m JOIN turns AS t ON t.id = m.turn_id
  WHERE t.id >> 24 > (SELECT max(j ->> 'turn') >> 24 FROM ran) AND (m.role = 'assistant' OR m.content LIKE 'build%') ORDER BY t.id);
SELECT 'what comes of it is the same document', session_export('c tried') ->> 'hash', j ->> 'hash' FROM tried;
SELECT 'what failed before the head''s turn is none of what a rewind leaves: ' || label,
  json_type(session_rewind(label, thread_id), '$.cancelled'), NULL FROM sessions WHERE label IN ('tried', 'c tried');
SELECT 'it waits for a decision still: ' || session_label, status, 'failed' FROM session_queue
WHERE session_label IN ('tried', 'c tried') AND message = 'build a wall';
SELECT 'what is gone back to before is: ' || label,
  json_extract(session_rewind(label, NULL), '$.cancelled[0].message'), 'build a wall' FROM sessions WHERE label IN ('tried', 'c tried');

CREATE TEMP TABLE disorder(name, path, value, want);
INSERT INTO disorder VALUES
  ('a place twice', '$.content.turns[0].nth', 3, 'turns[0].nth must be 4: so many turns of its parent are there up to it'),
  ('a place that is none', '$.content.turns[0].nth', 5, 'turns[0].nth must be 4: so many turns of its parent are there up to it'),
  ('no place', '$.content.turns[0].nth', 0, 'turns[0].nth must be an integer from 1 to 9007199254740991');
INSERT INTO disorder SELECT 'before what it goes on from', '', json_set(j, '$.content.turns[0].nth', 3, '$.content.turns[1].nth', 4),
  'turns[0].nth is before that of the turn that it goes on from' FROM tried;
CREATE TEMP TABLE disordered AS SELECT name, iif(path = '', value, json_set(j, path, value)) AS j, want FROM disorder, tried;
UPDATE disordered SET j = json_set(j, '$.hash', substr(error_of('SELECT session_import(' || quote(j) || ', ''{"as":"w"}'')'), -64))
WHERE error_of('SELECT session_import(' || quote(j) || ', ''{"as":"w"}'')') LIKE '%whose hash is%';
SELECT name, error_of('SELECT session_import(' || quote(j) || ', ''{"as":"w"}'')'), 'session_import: json: ' || want FROM disordered;
SELECT 'all is sound', count(*), 0 FROM turnstile_check WHERE session_label IN ('tried', 'c tried');

---- What a merge or an unlink has taken to another session is in both documents, and waits in one copy

-- how: what the message was before it came into the queue.
CREATE TEMP TABLE leaves(n INTEGER PRIMARY KEY, how);
INSERT INTO leaves VALUES (1, 'held'), (2, 'pushed'), (3, 'with others');
INSERT INTO turnstile SELECT 'session_deliver', json_array('dm:l' || n || ':ann', 'add retries', json_object('class', 'NewTask', 'channel', 'l' || n, 'sender', 'ann')) FROM leaves;
INSERT INTO turnstile SELECT 'session_note', json_array('dm:l' || n || ':ann', 'read') FROM leaves WHERE how = 'held';
INSERT INTO turnstile SELECT 'session_deliver', json_array('dm:l' || n || ':ann', 'build a wall', json_object('class', 'NewTask', 'channel', 'l' || n, 'sender', 'ann'))
  FROM leaves WHERE how = 'held';
INSERT INTO turnstile SELECT 'session_choose', json_array('dm:l' || n || ':ann', 'start_fresh') FROM leaves WHERE how = 'held';
INSERT INTO turnstile SELECT 'queue_push', json_array('dm:l' || n || ':ann', 'build a wall', json_object('channel', 'l' || n, 'sender', 'ann'))
  FROM leaves WHERE how <> 'held';
INSERT INTO turnstile SELECT 'session_deliver', json_array('dm:l' || n || ':ann', 'and a roof', json_object('class', 'Modification', 'channel', 'l' || n, 'sender', 'ann'))
  FROM leaves WHERE how = 'with others';
SELECT how || ': no decision names it', (SELECT count(*) FROM deliveries AS d, session_queue AS q WHERE q.delivery_id = d.id AND q.message = 'build a wall'
  AND d.session_label = 'dm:l' || n || ':ann' AND d.decision ->> '$.queue_id' = q.id), how <> 'held' FROM leaves;
INSERT INTO turnstile SELECT 'turn_append', json_array('dm:l' || n || ':bob', json('[{"role":"user","content":"x"}]')) FROM leaves;
INSERT INTO turnstile SELECT 'identity_link', json_array('l' || n, 'ann', 'leaves' || n) FROM leaves;
INSERT INTO turnstile SELECT 'identity_link', json_array('l' || n, 'bob', 'leaves' || n) FROM leaves;
SELECT how || ': it has moved', (SELECT session_label || ' ' || (status IN ('pending', 'handed')) FROM session_queue WHERE message = 'build a wall' AND said_in = 'dm:l' || n || ':ann'),
  'dm:l' || n || ':bob 1' FROM leaves;
INSERT INTO turnstile SELECT 'session_import', json_array(json(session_export('dm:l' || n || ':' || who)), json_object('as', 'leaves ' || n || who))
  FROM leaves, (SELECT 'ann' AS who UNION ALL SELECT 'bob');
SELECT how || ', ' || who || ': the copy has it once', (SELECT json_group_array(json_array(q.status, q.error, d.message)) FROM session_queue AS q
    JOIN deliveries AS d ON d.id = q.delivery_id AND d.session_label = q.session_label
    WHERE q.session_label = 'leaves ' || n || who AND q.message = 'build a wall'),
  json_array(iif(who = 'ann', json_array('cancelled', 'it waits in another session', 'build a wall'),
    json_array((SELECT status FROM session_queue WHERE session_label = 'dm:l' || n || ':bob' AND message = 'build a wall'), NULL, 'build a wall')))
  FROM leaves, (SELECT 'ann' AS who UNION ALL SELECT 'bob');
SELECT how || ', ' || who || ': what comes of it is the same document', session_export('leaves ' || n || who) ->> 'hash', session_export('dm:l' || n || ':' || who) ->> 'hash'
  FROM leaves, (SELECT 'ann' AS who UNION ALL SELECT 'bob');
SELECT 'what has moved is sound', count(*), 0 FROM turnstile_check WHERE session_label LIKE 'leaves %';

---- A turn that is running, when its input may not be tried again

SELECT turnstile_config('max_attempts', 1, '{"session":"once"}');
INSERT INTO turnstile VALUES ('session_deliver', '["once","paint the fence",{"class":"NewTask","owner":"w"}]');
SELECT 'its input was tried once', json_extract(session_export('once'), '$.content.queue[0].status', '$.content.queue[0].error', '$.content.queue[0].turn'),
  '["failed","tried once",null]';
SELECT turnstile_config('max_attempts', 2, '{"session":"once"}');
INSERT INTO turnstile SELECT 'turn_fail', json_array(decision ->> '$.turn.turn', decision ->> '$.turn.token', 'no network')
  FROM deliveries WHERE session_label = 'once' AND json_type(decision, '$.turn') = 'object';
INSERT INTO turnstile VALUES ('turn_begin', '["once","w"]');
SELECT 'or twice', json_extract(session_export('once'), '$.content.queue[0].status', '$.content.queue[0].error'), '["failed","tried 2 times"]';
INSERT INTO turnstile SELECT 'session_import', json_array(json(session_export('once')), json_object('as', 'copy of once'));
SELECT 'a copy says so', (SELECT json_array(status, error) FROM session_queue WHERE session_label = 'copy of once'), '["failed","tried 2 times"]';
