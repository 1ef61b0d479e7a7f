-- identity.sql - identity_link and identity_unlink: promotion, merge, what becomes of sessions,
-- tasks,
-- inputs and runs; aliases, and the guards around them.
--
-- Every part has channels of its own, so that parts don't meet.

SELECT turnstile_install();
SELECT turnstile_config('keeps_turns', 0); -- the hosts of these stories keep no turns
SELECT turnstile_clock(1000000);

CREATE TEMP TABLE r(name PRIMARY KEY, j);
-- The sessions of a part: label, turns, and what it was merged into.
CREATE TEMP VIEW who(label, line) AS
  SELECT label, label || ' ' || turns || ifnull(' > ' || superseded_by, '') FROM sessions;
CREATE TEMP VIEW led(alias, line) AS
  SELECT alias, alias || ' > ' || session_label || ' ' || reason FROM session_aliases;
-- What waits in a session, in the order in which it is taken.
CREATE TEMP VIEW waits(label, line) AS
  SELECT session_label, group_concat(message || ' ' || status, ' | ') FROM
    (SELECT * FROM session_queue WHERE delivered_at IS NULL ORDER BY session_label, rank, id)
  GROUP BY session_label;

---- A link before the first message

SELECT 'nothing there yet', identity_link('a1', 'u', 'ann'),
  '{"action":"linked","entity":"ann","key":"dm:ann","session":null,"merged":[]}';
SELECT 'the row', (SELECT json_array(channel, sender_id, entity_id, sender_label, entity_label,
  persona_id, linked_at) FROM identities), '["a1","u","ann","dm:a1:u","dm:ann",null,1000000]';
SELECT 'nothing is made', (SELECT count(*) FROM sessions) + (SELECT count(*) FROM session_aliases),
  0;
SELECT 'once more', identity_link('a1', 'u', 'ann'),
  '{"action":"unchanged","entity":"ann","key":"dm:ann","session":null,"merged":[]}';
SELECT 'a second channel', identity_link('a2', 'u', 'ann') ->> '$.action', 'linked';
SELECT 'the first message makes the session', session_deliver(NULL, 'hello',
  '{"class":"Modification","envelope":{"channel":"a2","sender_id":"u"}}') ->> '$.session', 'dm:ann';
SELECT 'and the senders'' keys lead to it', (SELECT group_concat(line, ', ') FROM (SELECT line
  FROM led ORDER BY alias)),
  'dm:a1:u > dm:ann identity_promotion, dm:a2:u > dm:ann identity_promotion';
SELECT 'under each of its names', resolve_session('dm:a1:u') || resolve_session('dm:a2:u') ||
  resolve_session('dm:ann'), 'dm:anndm:anndm:ann';
SELECT 'a third channel', identity_link('a3', 'u', 'ann') ->> '$.action', 'promoted';
SELECT 'a message under the old key', session_deliver('dm:a3:u', 'again',
  '{"class":"Modification"}')
  ->> '$.session', 'dm:ann';
SELECT 'still one session', (SELECT group_concat(line) FROM who), 'dm:ann 0';

---- One person, two spellings of the address

SELECT turnstile_clock(100000000);
SELECT 'day 1', session_deliver(NULL, 'one', '{"class":"NewTask","envelope":{"channel":"r1",
  "sender_id":"+1"}}') ->> '$.session', 'dm:r1:+1';
SELECT turn_append('dm:r1:+1',
  '[{"role":"user","content":"one"},{"role":"assistant","content":"1"}]');
SELECT turn_append('dm:r1:+1',
  '[{"role":"user","content":"two"},{"role":"assistant","content":"2"}]');
SELECT turnstile_clock(270000000);
SELECT 'day 3: promoted', identity_link('r1', '+1', 'entity_rosa'),
  '{"action":"promoted","entity":"entity_rosa","key":"dm:entity_rosa","session":"dm:r1:+1",' ||
  '"merged":[]}';
SELECT turnstile_clock(440000000);
INSERT INTO r VALUES ('r1', session_deliver(NULL, 'three', '{"class":"Modification",
  "envelope":{"channel":"r1","sender_id":"+1"}}'));
SELECT 'day 5: the new key, the same session', (SELECT json_extract(j, '$.route.key', '$.session')
  FROM r WHERE name = 'r1'), '["dm:entity_rosa","dm:r1:+1"]';
SELECT session_choose('dm:r1:+1', 'A') IS NOT NULL;
SELECT turn_append('dm:r1:+1',
  '[{"role":"user","content":"three"},{"role":"assistant","content":"3"}]');
SELECT 'the path goes on', (SELECT group_concat(m.content) FROM turn_path('dm:entity_rosa') AS p
  JOIN messages AS m ON m.turn_id = p.turn_id), 'one,1,two,2,three,3';
SELECT 'one session, one alias', (SELECT group_concat(line) FROM who WHERE label LIKE '%r1%'
    OR label LIKE '%rosa') || ', ' ||
  (SELECT group_concat(line) FROM led WHERE alias LIKE '%rosa' OR alias LIKE '%r1%'),
  'dm:r1:+1 3, dm:entity_rosa > dm:r1:+1 identity_promotion';
SELECT turn_begin('dm:r1:+1', 'A1', '{"messages":[{"role":"user","content":"x"}]}') IS NOT NULL;
SELECT turnstile_clock(440060000);
SELECT 'late, under the old key', session_deliver('dm:r1:+1', 'late one', '{"class":"Modification",
  "mode":"queue","channel":"r1","sender":"+1"}') ->> '$.action', 'queue';
SELECT 'late, under the new key', session_deliver(NULL, 'late two', '{"class":"Modification",
  "mode":"queue","envelope":{"channel":"r1","sender_id":"+1"}}') ->> '$.action', 'queue';
SELECT 'both wait in one place, in order', (SELECT group_concat(message || session_label) FROM
    (SELECT * FROM session_queue WHERE message LIKE 'late %' ORDER BY id)),
  'late onedm:r1:+1,late twodm:r1:+1';
SELECT 'linked again, nothing is new', identity_link('r1', '+1', 'entity_rosa') ->> '$.action',
  'unchanged';
SELECT 'no second alias', (SELECT group_concat(line) FROM led WHERE alias LIKE '%rosa'),
  'dm:entity_rosa > dm:r1:+1 identity_promotion';

---- A merge: tasks, questions, inputs

SELECT turnstile_clock(500000000);
SELECT session_deliver(NULL, 'write the report', '{"class":"NewTask","envelope":{"channel":"m1",
  "sender_id":"u"}}');
SELECT turn_append('dm:m1:u', '[{"role":"user","content":"hi"}]');
SELECT session_deliver(NULL, 'book a flight', '{"class":"NewTask","envelope":{"channel":"m2",
  "sender_id":"u"}}');
SELECT session_observe('dm:m2:u', 'Plan', '"look for flights"');
SELECT session_transition('dm:m2:u', 'AwaitingUser', '{"question":"Which airport?"}');
SELECT session_deliver('dm:m2:u', 'handed one', '{"source":"agent","channel":"m2","sender":"u","keeps_turns":1}');
SELECT queue_push('dm:m2:u', 'waiting one', '{"channel":"m2","sender":"u"}');
SELECT queue_push('dm:m1:u', 'waiting two', '{"channel":"m1","sender":"u"}');
SELECT queue_push('dm:m2:u', 'waiting three', '{"channel":"m2","sender":"u","message_id":"w3"}');
SELECT identity_link('m1', 'u', 'max');
SELECT 'before the link', json_extract(session_route('{"channel":"m2","sender_id":"u"}'), '$.label',
  '$.via'), '["dm:m2:u","session"]';
INSERT INTO r VALUES ('m', identity_link('m2', 'u', 'max'));
SELECT 'merged', (SELECT json_extract(j, '$.action', '$.entity', '$.key', '$.session',
    '$.merged[0].session', '$.merged[0].turns', '$.merged[0].waiting_moved', '$.merged[0].task')
  FROM r WHERE name = 'm'),
  '["merged","max","dm:max","dm:m1:u","dm:m2:u",0,3,"book a flight"]';
SELECT 'one is superseded', (SELECT group_concat(line, ', ') FROM (SELECT line FROM who
  WHERE label LIKE 'dm:m_:u' ORDER BY label)), 'dm:m1:u 1, dm:m2:u 0 > dm:m1:u';
SELECT 'the aliases', (SELECT group_concat(line, ', ') FROM (SELECT line FROM led
  WHERE alias IN ('dm:max', 'dm:m1:u', 'dm:m2:u') ORDER BY alias)),
  'dm:m2:u > dm:m1:u identity_merge, dm:max > dm:m1:u identity_promotion';
SELECT 'its task is committed', (SELECT json_array(t.state, c.commit_type, c.type_data, c.message)
  FROM tasks AS t JOIN commits AS c ON c.id = t.commit_id WHERE t.session_label = 'dm:m2:u'),
  '["None","InterruptedByNewTask","{\"new_task_summary\":\"dm:m1:u\"}",' ||
  '"Saved when this conversation was merged into dm:m1:u: book a flight"]';
SELECT 'the commit is told', (SELECT j ->> '$.merged[0].commit_id' FROM r WHERE name = 'm'),
  (SELECT commit_id FROM tasks WHERE session_label = 'dm:m2:u');
SELECT 'the other task is as it was', json_extract(session_state('dm:m1:u'), '$.task_state',
  '$.task'),
  '["Running","write the report"]';
SELECT 'one note in the primary', (SELECT group_concat(o.data ->> '$.text') FROM observations AS o
  WHERE session_label = 'dm:m1:u' AND o.data ->> '$.note' = 'merged'),
  'dm:m2:u was merged into this conversation; turns of its own: 0; ' ||
  'It was working on: book a flight; It had asked: Which airport?';
SELECT 'what waited goes along, in order', (SELECT line FROM waits WHERE label = 'dm:m1:u'),
  'handed one pending | waiting one pending | waiting two pending | waiting three pending';
SELECT 'nothing waits behind', (SELECT line FROM waits WHERE label = 'dm:m2:u'), NULL;
SELECT 'both are told in events', (SELECT group_concat(session_label || ' ' || "trigger" || ' ' ||
    data, ', ') FROM (SELECT * FROM session_events WHERE "trigger" = 'merge'
    AND session_label LIKE 'dm:m_:u' ORDER BY id)),
  'dm:m2:u merge {"superseded_by":"dm:m1:u"}, dm:m1:u merge {"supersedes":"dm:m2:u"}';
SELECT 'routed to the primary', json_extract(session_route('{"channel":"m2","sender_id":"u"}'),
  '$.label', '$.key', '$.via'), '["dm:m1:u","dm:max","alias"]';
SELECT 'by the loser''s name too', session_deliver('dm:m2:u', 'by its old name',
  '{"class":"Modification","keeps_turns":1}') ->> '$.session', 'dm:m1:u';
SELECT 'its turns can be read', error_of('SELECT * FROM turn_path(''dm:m2:u'')'), NULL;
SELECT 'a message that it had seen', json_extract(session_deliver(NULL, 'waiting three',
    '{"message_id":"w3","envelope":{"channel":"m2","sender_id":"u"}}'), '$.duplicate', '$.session'),
  '[true,"dm:m2:u"]';
SELECT 'no second input of it', (SELECT count(*) FROM session_queue WHERE message_id = 'w3'), 1;
SELECT 'a turn takes all of them', (SELECT group_concat(value ->> '$.content', ' | ') FROM
  json_each(
    turn_begin('dm:max', 'A1'), '$.messages')), 
  'handed one | waiting one | waiting two | waiting three | by its old name';
SELECT 'linking again changes nothing', identity_link('m2', 'u', 'max'),
  '{"action":"unchanged","entity":"max","key":"dm:max","session":"dm:m1:u","merged":[]}';

-- A task without work is dropped; a choice lets its message go.
SELECT session_deliver(NULL, 'paint it', '{"class":"NewTask","envelope":{"channel":"n1",
  "sender_id":"u"}}');
SELECT turn_append('dm:n1:u', '[{"role":"user","content":"hi"}]');
SELECT session_deliver(NULL, 'sing', '{"class":"NewTask","envelope":{"channel":"n2",
  "sender_id":"u"}}');
SELECT session_deliver(NULL, 'hmm', '{"class":"Unclear","envelope":{"channel":"n2",
  "sender_id":"u"}}');
SELECT 'a choice is open', session_state('dm:n2:u') ->> '$.pending_choice.held', 'hmm';
SELECT identity_link('n1', 'u', 'nia');
INSERT INTO r VALUES ('n', identity_link('n2', 'u', 'nia'));
SELECT 'no commit', (SELECT json_extract(j, '$.merged[0].task', '$.merged[0].commit_id') FROM r
  WHERE name = 'n'), '["sing",null]';
SELECT 'the task has ended', (SELECT state FROM tasks WHERE session_label = 'dm:n2:u'), 'None';
SELECT 'the choice is closed', (SELECT pending_choice FROM sessions WHERE label = 'dm:n2:u'), NULL;
SELECT 'what it held waits', (SELECT line FROM waits WHERE label = 'dm:n1:u') LIKE '%hmm pending%',
  1;

---- Live runs of the loser

SELECT turnstile_clock(600000000);
CREATE TEMP TABLE live(k PRIMARY KEY, turn, token);
-- Of each pair the first has a turn; the second, with a live turn and one more input, is merged.
SELECT count(session_deliver(NULL, 'first ' || value, json_object('class', 'Modification',
  'envelope',
    json_object('channel', 'l' || value, 'sender_id', 'p'))) IS NOT NULL)
  FROM json_each('["complete","fail","abort","lost","worked"]');
SELECT count(turn_append('dm:l' || value || ':p', '[{"role":"user","content":"hi"}]'))
  FROM json_each('["complete","fail","abort","lost","worked"]');
SELECT count(queue_push('dm:l' || value || ':q', value || ' one', json_object('channel', 'l' ||
  value,
    'sender', 'q'))) FROM json_each('["complete","fail","abort","lost","worked"]');
INSERT INTO r SELECT 'begun ' || value, turn_begin('dm:l' || value || ':q', 'A1', '{"lease":"5m"}')
  FROM json_each('["complete","fail","abort","lost","worked"]');
INSERT INTO live SELECT substr(name, 7), j ->> '$.turn', j ->> '$.token' FROM r
  WHERE name LIKE 'begun %';
SELECT count(queue_push('dm:l' || value || ':q', value || ' two', json_object('channel', 'l' ||
  value,
    'sender', 'q'))) FROM json_each('["complete","fail","abort","lost","worked"]');
SELECT count(identity_link('l' || value, 'p', 'live-' || value))
  FROM json_each('["complete","fail","abort","lost","worked"]');
SELECT turn_message(turn, token, '{"role":"assistant","content":"I look."}') FROM live
  WHERE k = 'worked';
INSERT INTO r SELECT 'live ' || value, identity_link('l' || value, 'q', 'live-' || value)
  FROM json_each('["complete","fail","abort","lost","worked"]');
SELECT 'merged while it runs: ' || k, (SELECT json_extract(j, '$.action', '$.session',
    '$.merged[0].waiting_moved') FROM r WHERE name = 'live ' || k),
  json_array('merged', 'dm:l' || k || ':p', 1) FROM live;
SELECT 'the run goes on: ' || k, (SELECT run_state || ' ' || turn_id FROM session_runs
  WHERE session_label = 'dm:l' || k || ':q'),
  iif(k = 'worked', 'running ', 'starting ') || turn FROM live;
SELECT 'what it works on stays with it: ' || k, (SELECT line FROM waits WHERE label = 'dm:l' || k ||
  ':q'), k || ' one processing' FROM live;
SELECT 'the rest waits in the primary: ' || k, (SELECT line FROM waits WHERE label = 'dm:l' || k ||
  ':p'), k || ' two pending' FROM live;
SELECT 'a heartbeat', turn_heartbeat(turn, token) IS NOT NULL, 1 FROM live WHERE k = 'complete';

SELECT turn_complete(turn, token, '{"content":"Done."}') FROM live WHERE k = 'complete';
SELECT 'completed: its turn is the loser''s', (SELECT line FROM who WHERE label = 'dm:lcomplete:q'),
  'dm:lcomplete:q 1 > dm:lcomplete:p';
SELECT 'completed: the input is done', (SELECT status FROM session_queue
  WHERE message = 'complete one'), 'delivered';
SELECT 'completed: the primary has its own turns', (SELECT turns FROM sessions
  WHERE label = 'dm:lcomplete:p'), 1;
SELECT 'completed: a later link moves nothing', identity_link('lcomplete', 'q', 'live-complete')
  ->> '$.action', 'unchanged';

SELECT turn_fail(turn, token, 'boom') FROM live WHERE k = 'fail';
SELECT 'failed: its input waits in the primary, in its place', (SELECT line FROM waits
  WHERE label = 'dm:lfail:p'), 'fail one pending | fail two pending';
SELECT 'failed: nothing is left', (SELECT line FROM waits WHERE label = 'dm:lfail:q'), NULL;
SELECT 'failed: a turn of the primary takes it', (SELECT group_concat(value ->> '$.content') FROM
  json_each(turn_begin('dm:lfail:q', 'A2'), '$.messages')), 'fail one';
SELECT 'and that is the primary''s', (SELECT group_concat(session_label) FROM session_runs
  WHERE turn_id IS NOT NULL AND session_label LIKE 'dm:lfail%'), 'dm:lfail:p';

SELECT turn_abort(turn, token, 'enough') FROM live WHERE k = 'abort';
SELECT 'aborted: nothing is lost', (SELECT session_label || ' ' || status FROM session_queue
  WHERE message = 'abort one') IN ('dm:labort:p pending', 'dm:labort:q delivered',
  'dm:labort:q cancelled'), 1;

SELECT turn_fail(turn, token, 'boom') FROM live WHERE k = 'worked';
SELECT 'failed with output: not run again', (SELECT status FROM session_queue
  WHERE message = 'worked one'), 'failed';
SELECT 'it can be retried', error_of('SELECT queue_retry(' || (SELECT id FROM session_queue
  WHERE message = 'worked one') || ')'), NULL;
SELECT 'and waits where somebody takes it', (SELECT session_label || ' ' || status
  FROM session_queue WHERE message = 'worked one'), 'dm:lworked:p pending';

SELECT turnstile_clock(600400000);
SELECT 'lost: startup finds the run', turnstile_startup('A1') IS NOT NULL, 1;
SELECT 'lost: the input waits in the primary', (SELECT line FROM waits WHERE label = 'dm:llost:p'),
  'lost one pending | lost two pending';
SELECT 'lost: the turn has failed', (SELECT status FROM turns WHERE id = (SELECT turn FROM live
  WHERE k = 'lost')), 'failed';
SELECT 'lost: its token is dead', error_of('SELECT turn_complete(' || turn || ', ' || token ||
  ', ''{"content":"late"}'')') LIKE 'turn_complete: turn % is failed%', 1 FROM live WHERE k =
  'lost';

-- A lease that has run out before the merge.
SELECT turnstile_clock(700000000);
SELECT session_start('dm:x1:u', 'old'); SELECT turn_append('dm:x1:u',
  '[{"role":"user","content":"a"}]');
SELECT queue_push('dm:x2:u', 'x one', '{"channel":"x2","sender":"u"}');
SELECT turn_begin('dm:x2:u', 'A1', '{"lease":"1m"}') IS NOT NULL;
SELECT identity_link('x1', 'u', 'xia');
SELECT turnstile_clock(700100000);
SELECT 'the lease is over', identity_link('x2', 'u', 'xia') ->> '$.action', 'merged';
SELECT session_sweep() IS NOT NULL;
SELECT 'the sweep gives the input to the primary', (SELECT line FROM waits WHERE label = 'dm:x1:u'),
  'x one pending';

---- Which one is the primary

SELECT turnstile_clock(800000000);
SELECT session_start('dm:p1:u', 'a');
SELECT session_start('dm:p2:u', 'b');
SELECT turnstile_clock(800000001);
SELECT session_start('dm:p3:u', 'c');
SELECT session_start('dm:p4:u', 'd');
SELECT session_start('dm:pia', 'e');
SELECT identity_link('p3', 'u', 'pia');
SELECT 'of equal ones the smaller label', (SELECT superseded_by FROM sessions
  WHERE label = 'dm:pia'), 'dm:p3:u';
SELECT identity_link('p2', 'u', 'pia');
SELECT 'the older one', (SELECT group_concat(line, ', ') FROM (SELECT line FROM who
    WHERE label IN ('dm:pia', 'dm:p3:u', 'dm:p2:u') ORDER BY label)),
  'dm:p2:u 0, dm:p3:u 0 > dm:p2:u, dm:pia 0 > dm:p2:u';
SELECT identity_link('p1', 'u', 'pia');
SELECT 'of those as old the smaller label', (SELECT group_concat(DISTINCT superseded_by)
  FROM sessions WHERE label IN ('dm:pia', 'dm:p2:u', 'dm:p3:u')), 'dm:p1:u';
SELECT turn_append('dm:p4:u', '[{"role":"user","content":"a"}]');
INSERT INTO r VALUES ('p', identity_link('p4', 'u', 'pia'));
SELECT 'more turns before all', (SELECT group_concat(DISTINCT superseded_by) FROM sessions
  WHERE label IN ('dm:pia', 'dm:p1:u', 'dm:p2:u', 'dm:p3:u')), 'dm:p4:u';
SELECT 'all of them are told', (SELECT group_concat(value ->> '$.session') FROM (SELECT value
  FROM json_each((SELECT j FROM r WHERE name = 'p'), '$.merged') ORDER BY value ->> '$.session')),
  'dm:p1:u,dm:p2:u,dm:p3:u,dm:pia';
SELECT 'no alias leads to one that is superseded', (SELECT count(*) FROM session_aliases AS a
  JOIN sessions AS s ON s.label = a.session_label WHERE s.superseded_by IS NOT NULL), 0;
SELECT 'superseded_by is flat', (SELECT count(*) FROM sessions AS a JOIN sessions AS b
  ON b.label = a.superseded_by WHERE b.superseded_by IS NOT NULL), 0;
SELECT 'via merge', json_extract(session_route('{"channel":"p1","sender_id":"u"}'), '$.label',
  '$.via'), '["dm:p4:u","merge"]';

-- Manual aliases of a loser lead on to the primary; those of the entity's key are left alone.
SELECT session_start('dm:q1:u', 'a'); SELECT session_start('dm:q2:u', 'b');
SELECT 'a manual alias', session_alias('nick', 'dm:q2:u'), 'dm:q2:u';
SELECT 'an alias of an alias', session_alias('nick 2', 'nick'), 'dm:q2:u';
SELECT identity_link('q1', 'u', 'qa'); SELECT identity_link('q2', 'u', 'qa');
SELECT 'both lead to the primary', (SELECT group_concat(line, ', ') FROM (SELECT line FROM led
  WHERE alias LIKE 'nick%' ORDER BY alias)), 'nick > dm:q1:u manual, nick 2 > dm:q1:u manual';
SELECT 'to the loser''s name too', session_alias('nick 3', 'dm:q2:u'), 'dm:q1:u';
SELECT 'not over a session', error_of('SELECT session_alias(''dm:q1:u'', ''dm:p4:u'')'),
  'session_alias: alias ''dm:q1:u'' is the label of a session; choose another one';
SELECT 'nor a merged one', error_of('SELECT session_alias(''dm:q2:u'', ''dm:p4:u'')'),
  'session_alias: alias ''dm:q2:u'' is the label of a session; choose another one';
SELECT 'nor what a link made', error_of('SELECT session_alias(''dm:qa'', ''dm:p4:u'')'),
  'session_alias: alias ''dm:qa'' was made by identity_link and leads to ''dm:q1:u''; ' ||
  'identity_unlink takes it back';
SELECT 'nor take that away', error_of('SELECT session_alias(''dm:qa'', NULL)') LIKE
  'session_alias: alias ''dm:qa'' was made by identity_link%', 1;
SELECT 'to nobody', error_of('SELECT session_alias(''nick 4'', ''nobody'')') LIKE
  'session_alias: there is no session ''nobody''%', 1;
SELECT 'to itself', error_of('SELECT session_alias(''nick 4'', ''nick 4'')') LIKE
  'session_alias: there is no session ''nick 4''%', 1;
SELECT 'led elsewhere', session_alias('nick', 'dm:p4:u'), 'dm:p4:u';
SELECT 'through itself it stays', session_alias('nick', 'nick'), 'dm:p4:u';
SELECT 'dropped', session_alias('nick', NULL), NULL;
SELECT 'is gone', resolve_session('nick'), NULL;
SELECT 'dropping one that is not', session_alias('nick', NULL), NULL;
SELECT 'resolve: none', resolve_session('nobody'), NULL;
SELECT 'a name that is taken by an alias', error_of('SELECT session_fork((SELECT thread_id
  FROM sessions WHERE label = ''dm:p4:u''), ''nick 2'')') LIKE
  'session_fork: label ''nick 2'' is taken by an alias%', 1;

SELECT session_start('dm:k1:u', 'a'); SELECT session_start('desk', 'b');
SELECT session_alias('dm:kim', 'desk');
SELECT 'the entity''s key is somebody''s alias', identity_link('k1', 'u', 'kim'),
  '{"action":"linked","entity":"kim","key":"dm:kim","session":"desk","merged":[]}';
SELECT 'it is left as it is', (SELECT line FROM led WHERE alias = 'dm:kim'), 'dm:kim > desk manual';
SELECT 'messages follow it', session_deliver(NULL, 'kim says', '{"class":"Modification",
  "envelope":{"channel":"k1","sender_id":"u"}}') ->> '$.session', 'desk';
SELECT 'unlinked: own messages go along', json_extract(identity_unlink('k1', 'u'), '$.session',
  '$.waiting_moved'), '["dm:k1:u",1]';
-- The sender's own key is somebody's alias.
SELECT session_alias('dm:k2:u', 'desk');
SELECT identity_link('k2', 'u', 'kit');
SELECT session_deliver(NULL, 'kit says', '{"class":"Modification","envelope":{"channel":"k2",
  "sender_id":"u"}}') ->> '$.session';
SELECT 'unlinked: to where the alias leads', json_extract(identity_unlink('k2', 'u'), '$.session',
  '$.waiting_moved'), '["desk",1]';
SELECT 'the input is where it is found', (SELECT session_label FROM session_queue
  WHERE message = 'kit says'), 'desk';

---- Force, and linking to somebody else

SELECT session_deliver(NULL, 'f one', '{"class":"Modification","envelope":{"channel":"f1",
  "sender_id":"u"}}');
SELECT identity_link('f1', 'u', 'fay');
SELECT 'somebody else''s', error_of('SELECT identity_link(''f1'', ''u'', ''fox'')'),
  'identity_link: sender ''u'' of channel ''f1'' is linked to ''fay''; identity_unlink takes that '
  ||
  'back, and the option force does it here';
SELECT 'force 0 is none', error_of('SELECT identity_link(''f1'', ''u'', ''fox'', ''{"force":0}'')')
  LIKE '%is linked to ''fay''%', 1;
SELECT 'with force', identity_link('f1', 'u', 'fox', '{"force":1}'), '{"action":"promoted",' ||
  '"entity":"fox","key":"dm:fox","session":"dm:f1:u","merged":[],"was":"fay"}';
SELECT 'the old key leads nowhere', resolve_session('dm:fay'), NULL;
SELECT 'the new one does', resolve_session('dm:fox'), 'dm:f1:u';
SELECT 'force where none is needed', identity_link('f1', 'u', 'fox', '{"force":1}') ->> '$.action',
  'unchanged';
-- Out of a merged pair.
SELECT session_start('dm:f2:u', 'more'); SELECT turn_append('dm:f2:u',
  '[{"role":"user","content":"a"}]');
SELECT 'fox has two', identity_link('f2', 'u', 'fox') ->> '$.session', 'dm:f2:u';
SELECT 'the one with fewer turns', (SELECT superseded_by FROM sessions WHERE label = 'dm:f1:u'),
  'dm:f2:u';
SELECT session_deliver(NULL, 'f two', '{"class":"Modification","envelope":{"channel":"f1",
  "sender_id":"u"}}');
SELECT 'what f1 has waiting', (SELECT line FROM waits WHERE label = 'dm:f2:u') LIKE '%f two handed',
  1;
SELECT 'f1 goes to another', json_extract(identity_link('f1', 'u', 'fritz', '{"force":1}'),
  '$.action', '$.session', '$.was'), '["promoted","dm:f1:u","fox"]';
SELECT 'with what it has waiting', (SELECT group_concat(session_label) FROM session_queue
  WHERE message = 'f two'), 'dm:f1:u';
SELECT 'the other stays', resolve_session('dm:fox') || (SELECT count(*) FROM session_aliases
  WHERE session_label = 'dm:f2:u'), 'dm:f2:u1';

---- Unlinking

SELECT 'not linked', identity_unlink('u0', 'nobody'), NULL;
SELECT 'without a session of its own', identity_link('u1', 'new', 'uma') ->> '$.action', 'linked';
SELECT 'the last sender, nothing there', identity_unlink('u1', 'new'), '{"action":"unlinked",' ||
  '"entity":"uma","key":"dm:u1:new","session":null,"waiting_moved":0,"entity_session":null,' ||
  '"merged":[]}';
SELECT 'no row is left', (SELECT count(*) FROM identities WHERE entity_id = 'uma'), 0;
-- After messages that made the entity's own session.
SELECT identity_link('u1', 'a', 'uma'); SELECT identity_link('u2', 'b', 'uma');
SELECT queue_push('dm:uma', 'of a', '{"channel":"u1","sender":"a"}');
SELECT queue_push('dm:u2:b', 'of b', '{"channel":"u2","sender":"b"}');
SELECT 'both in the entity''s', (SELECT group_concat(DISTINCT session_label) FROM session_queue
  WHERE message LIKE 'of _'), 'dm:uma';
SELECT 'a session of its own is made', json_extract(identity_unlink('u1', 'a'),
  '$.session', '$.waiting_moved', '$.entity_session'), '["dm:u1:a",1,"dm:uma"]';
SELECT 'b stays', resolve_session('dm:u2:b') || (SELECT session_label FROM session_queue
  WHERE message = 'of b'), 'dm:umadm:uma';
SELECT 'a does not', session_route('{"channel":"u1","sender_id":"a"}') ->> '$.label', 'dm:u1:a';
SELECT 'the last one leaves', json_extract(identity_unlink('u2', 'b'), '$.session',
  '$.waiting_moved', '$.entity_session'), '["dm:u2:b",1,"dm:uma"]';
SELECT 'with its input', (SELECT session_label FROM session_queue WHERE message = 'of b'),
  'dm:u2:b';
SELECT 'the entity''s session is kept', (SELECT line FROM who WHERE label = 'dm:uma'), 'dm:uma 0';
SELECT 'and no alias', (SELECT count(*) FROM session_aliases WHERE session_label = 'dm:uma'), 0;

-- Unlinking the loser, and the primary.
SELECT turnstile_clock(900000000);
SELECT count(session_deliver(NULL, 'v ' || value, json_object('class', 'Modification', 'keeps_turns', 1, 'envelope',
    json_object('channel', 'v' || value, 'sender_id', 'u'))) IS NOT NULL) FROM json_each('[1,2,3]');
SELECT turn_append('dm:v1:u', '[{"role":"user","content":"a"}]');
SELECT identity_link('v1', 'u', 'vic'); SELECT identity_link('v2', 'u', 'vic');
SELECT identity_link('v3', 'u', 'vic');
SELECT count(queue_push('dm:vic', 'w ' || value, json_object('channel', 'v' || value,
  'sender', 'u'))) FROM json_each('[3,1,2,2,3]');
SELECT 'the loser leaves', json_extract(identity_unlink('v2', 'u'), '$.session',
  '$.entity_session', '$.waiting_moved'), '["dm:v2:u","dm:v1:u",3]';
SELECT 'it takes messages again', (SELECT line FROM who WHERE label = 'dm:v2:u') || ' ' ||
  resolve_session('dm:v2:u'), 'dm:v2:u 0 dm:v2:u';
SELECT 'with what was its sender''s', (SELECT line FROM waits WHERE label = 'dm:v2:u'),
  'v 2 pending | w 2 pending | w 2 pending';
SELECT 'the event', (SELECT "trigger" || data FROM session_events WHERE session_label = 'dm:v2:u'
  ORDER BY id DESC), 'unmerge{"was_superseded_by":"dm:v1:u"}';
INSERT INTO r VALUES ('v', identity_unlink('v1', 'u'));
SELECT 'the primary leaves', (SELECT json_extract(j, '$.session', '$.entity_session',
  '$.waiting_moved') FROM r WHERE name = 'v'), '["dm:v1:u","dm:v3:u",0]';
SELECT 'the entity''s key leads to the other', resolve_session('dm:vic'), 'dm:v3:u';
SELECT 'each with its own: v3', (SELECT line FROM waits WHERE label = 'dm:v3:u'),
  'v 3 pending | w 3 pending | w 3 pending';
SELECT 'each with its own: v1', (SELECT line FROM waits WHERE label = 'dm:v1:u') ,
  'v 1 handed | w 1 pending';
SELECT 'nothing is superseded', (SELECT count(*) FROM sessions WHERE label LIKE 'dm:v_:u'
  AND superseded_by IS NOT NULL), 0;
SELECT 'linked again it is as before', json_extract(identity_link('v1', 'u', 'vic'), '$.action',
  '$.session'), '["merged","dm:v1:u"]';
SELECT 'the tree was never merged', (SELECT turns FROM sessions WHERE label = 'dm:v1:u'), 1;

-- A message that an open choice holds is its sender's as well.
SELECT session_deliver(NULL, 'task',
  '{"class":"NewTask","envelope":{"channel":"h1","sender_id":"u"}}');
SELECT identity_link('h1', 'u', 'hal'); SELECT identity_link('h2', 'u', 'hal');
SELECT session_deliver(NULL, 'held back', '{"class":"Unclear","envelope":{"channel":"h2",
  "sender_id":"u"}}') ->> '$.action';
SELECT identity_unlink('h2', 'u');
SELECT session_deliver(NULL, 'go on', '{"class":"Modification","envelope":{"channel":"h1",
  "sender_id":"u"}}');
SELECT 'a message of somebody who has left is not the entity''s', (SELECT count(*)
  FROM session_queue WHERE message = 'held back' AND session_label = 'dm:h1:u'), 0;

-- Of those who stay as well, when the session leaves with its sender.
SELECT session_deliver(NULL, 'task',
  '{"class":"NewTask","envelope":{"channel":"h3","sender_id":"u"}}');
SELECT identity_link('h3', 'u', 'hope'); SELECT identity_link('h4', 'u', 'hope');
SELECT session_deliver(NULL, 'held for h4', '{"class":"Unclear","envelope":{"channel":"h4",
  "sender_id":"u"}}') ->> '$.action';
SELECT 'a choice holds it', session_state('dm:h3:u') ->> '$.pending_choice.held', 'held for h4';
SELECT identity_unlink('h3', 'u');
SELECT 'what it held waits for the entity', (SELECT line FROM waits WHERE label = 'dm:hope'),
  'held for h4 pending';
SELECT 'where its sender''s next message goes', session_route('{"channel":"h4","sender_id":"u"}')
  ->> '$.label', 'dm:hope';
SELECT 'the choice is closed', (SELECT pending_choice FROM sessions WHERE label = 'dm:h3:u'), NULL;

-- A message that an earlier choice held, too.
SELECT session_deliver(NULL, 'task',
  '{"class":"NewTask","envelope":{"channel":"h5","sender_id":"u"}}');
SELECT identity_link('h5', 'u', 'hugh'); SELECT identity_link('h6', 'u', 'hugh');
SELECT session_deliver(NULL, 'what is held', '{"class":"Unclear","envelope":{"channel":"h5",
  "sender_id":"u"}}') ->> '$.action';
INSERT INTO deliveries(id, session_label, channel, sender, source, class, confidence, action, decision,
  at, message)
SELECT max(id) + 1, session_label, 'h6', 'u', source, class, confidence, action, decision, at,
  'held beside it' FROM deliveries WHERE message = 'what is held';
UPDATE sessions SET pending_choice = json_set(pending_choice, '$.earlier', json_array((SELECT id
  FROM deliveries WHERE message = 'held beside it'))) WHERE label = 'dm:h5:u';
SELECT 'it goes along', json_extract(identity_unlink('h6', 'u'), '$.waiting_moved') || (SELECT
  group_concat(message || ' ' || session_label, ', ') FROM (SELECT * FROM session_queue
  WHERE message LIKE 'held beside it' OR message LIKE 'what is held' ORDER BY id)),
  '1what is held dm:h5:u, held beside it dm:h6:u';

---- Unlinking while a turn works on the sender's message

SELECT identity_link('i1', 'ann', 'firm'); SELECT identity_link('i1', 'bob', 'firm');
INSERT INTO r VALUES ('i', session_deliver(NULL, 'bob says', '{"class":"Modification","owner":"w",
  "envelope":{"channel":"i1","sender_id":"bob"}}'));
SELECT 'a turn has begun', (SELECT status FROM session_queue WHERE message = 'bob says'),
  'processing';
SELECT 'the turn that has done nothing ends', json_extract(identity_unlink('i1', 'bob'),
  '$.session', '$.waiting_moved', '$.entity_session'), '["dm:i1:bob",1,"dm:firm"]';
SELECT 'it says why', (SELECT status || ': ' || error FROM turns WHERE id = (SELECT j ->>
  '$.turn.turn' FROM r WHERE name = 'i')), 'failed: a sender was unlinked';
SELECT 'its token is dead', error_of('SELECT turn_complete(' || (j ->> '$.turn.turn') || ', ' ||
  (j ->> '$.turn.token') || ', ''{"content":"late"}'')') LIKE 'turn_complete: turn % is failed%', 1
FROM r WHERE name = 'i';
SELECT 'the message waits for its sender''s turn', (SELECT line FROM waits
  WHERE label = 'dm:i1:bob'), 'bob says pending';
SELECT 'the run is free', (SELECT json_array(run_state, turn_id) FROM session_runs
  WHERE session_label = 'dm:firm'), '["idle",null]';
INSERT INTO r VALUES ('i2', session_deliver(NULL, 'ann says', '{"class":"Modification","owner":"w",
  "envelope":{"channel":"i1","sender_id":"ann"}}'));
SELECT 'the next turn has nothing of bob', (SELECT group_concat(value ->> '$.content') FROM
  json_each((SELECT j FROM r WHERE name = 'i2'), '$.turn.messages')), 'ann says';
-- A turn that has recorded something goes on.
SELECT turn_message(j ->> '$.turn.turn', j ->> '$.turn.token',
  '{"role":"assistant","content":"I look."}') FROM r WHERE name = 'i2';
SELECT 'ann leaves', json_extract(identity_unlink('i1', 'ann'), '$.waiting_moved'), 0;
SELECT 'the turn goes on', (SELECT status FROM turns WHERE id = (SELECT j ->> '$.turn.turn' FROM r
  WHERE name = 'i2')), 'running';
SELECT turn_fail(j ->> '$.turn.turn', j ->> '$.turn.token', 'boom') FROM r WHERE name = 'i2';
SELECT 'its input is not run again, and is listed where its sender is', (SELECT session_label ||
  ' ' || status || ' ' || ifnull(goes_to, 'there') FROM session_queue WHERE message = 'ann says'),
  'dm:i1:ann failed there';
SELECT 'tried again it waits there', queue_retry(id) = id, 1 FROM session_queue
WHERE message = 'ann says';
SELECT 'with what bob has in bob''s', (SELECT group_concat(line, ', ') FROM waits
  WHERE label LIKE 'dm:i1:%' OR label = 'dm:firm'), 'ann says pending, bob says pending';
-- A turn that works on somebody else's message is left alone.
SELECT identity_link('i2', 'a', 'inc'); SELECT identity_link('i2', 'b', 'inc');
INSERT INTO r VALUES ('i3', session_deliver(NULL, 'a says', '{"class":"Modification","owner":"w",
  "envelope":{"channel":"i2","sender_id":"a"}}'));
SELECT identity_unlink('i2', 'b') IS NOT NULL;
SELECT 'b has nothing in it', (SELECT status FROM turns WHERE id = (SELECT j ->> '$.turn.turn'
  FROM r WHERE name = 'i3')), 'running';
-- The primary leaves with its sender, while its turn works on what another one wrote.
SELECT session_start('dm:i3:a', 'x'); SELECT identity_link('i3', 'a', 'ida');
SELECT identity_link('i3', 'b', 'ida');
SELECT session_deliver(NULL, 'b says', '{"class":"Modification","owner":"w",
  "envelope":{"channel":"i3","sender_id":"b"}}') IS NOT NULL;
SELECT 'in the primary', (SELECT session_label || ' ' || status FROM session_queue
  WHERE message = 'b says'), 'dm:i3:a processing';
SELECT identity_unlink('i3', 'a') IS NOT NULL;
SELECT 'it waits where b''s messages go', (SELECT session_label || ' ' || status FROM session_queue
  WHERE message = 'b says'), 'dm:ida pending';
-- With force it is the same.
SELECT session_deliver(NULL, 'b again', '{"class":"Modification","owner":"w",
  "envelope":{"channel":"i3","sender_id":"b"}}') IS NOT NULL;
SELECT 'forced away', identity_link('i3', 'b', 'ivy', '{"force":1}') ->> '$.was', 'ida';
SELECT 'with its messages', (SELECT group_concat(message || ' ' || status) FROM (SELECT *
  FROM session_queue WHERE session_label = resolve_session('dm:ivy') ORDER BY id)),
  'b says pending,b again pending';

---- Unlinking with a live run in a session that was merged into another

-- bob writes to the firm, then ann comes with a longer conversation: the firm's is superseded.
SELECT turn_append('dm:j1:ann', '[{"role":"user","content":"hi"},{"role":"assistant","content":"1"}]');
SELECT identity_link('j1', 'bob', 'jones');
INSERT INTO r VALUES ('j1', session_deliver(NULL, 'bob''s', '{"class":"Modification","owner":"w",
  "envelope":{"channel":"j1","sender_id":"bob"}}'));
SELECT 'ann''s is the primary', identity_link('j1', 'ann', 'jones') ->> '$.session', 'dm:j1:ann';
SELECT 'bob''s turn goes on', (SELECT session_label || ' ' || status FROM session_queue
  WHERE message = 'bob''s'), 'dm:jones processing';
SELECT 'bob leaves, and with him the message', json_extract(identity_unlink('j1', 'bob'), '$.session',
  '$.waiting_moved'), '["dm:j1:bob",1]';
SELECT 'ann''s turn has nothing of it', turn_begin('dm:j1:ann', 'w'), NULL;
SELECT 'it waits, not tried', (SELECT session_label || ' ' || status || ' ' || attempts
  FROM session_queue WHERE message = 'bob''s'), 'dm:j1:bob pending 0';
-- The same when the turn has recorded something, and fails afterwards, is aborted, or its lease runs out.
SELECT turn_append('dm:j2:ann', '[{"role":"user","content":"hi"},{"role":"assistant","content":"1"}]');
CREATE TEMP TABLE ways(n INTEGER PRIMARY KEY, how);
INSERT INTO ways VALUES (1, 'turn_fail'), (2, 'turn_abort'), (3, 'lease'), (4, 'startup');
SELECT identity_link('j2', 'b' || n, 'j2-' || n) FROM ways;
INSERT INTO r SELECT 'j2-' || n, session_deliver(NULL, 'half done ' || n, json_object('class',
  'Modification', 'owner', 'w' || n, 'envelope', json_object('channel', 'j2', 'sender_id', 'b' || n)))
FROM ways;
SELECT turn_message(j ->> '$.turn.turn', j ->> '$.turn.token',
  '{"role":"assistant","content":"I look."}') FROM r WHERE name LIKE 'j2-%';
SELECT turn_append('dm:j3:a' || n, '[{"role":"user","content":"hi"},{"role":"assistant","content":"1"}]')
FROM ways;
SELECT 'merged into another''s', identity_link('j3', 'a' || n, 'j2-' || n) ->> '$.merged[0].session',
  'dm:j2-' || n FROM ways;
SELECT 'they leave', json_extract(identity_unlink('j2', 'b' || n), '$.session', '$.waiting_moved'),
  '[null,0]' FROM ways;
SELECT 'and their turns go on', (SELECT group_concat(status || ' ' || goes_to, ', ') FROM (SELECT *
  FROM session_queue WHERE message LIKE 'half done %' ORDER BY id)),
  'processing dm:j2:b1, processing dm:j2:b2, processing dm:j2:b3, processing dm:j2:b4';
SELECT turn_fail(j ->> '$.turn.turn', j ->> '$.turn.token', 'boom') FROM r WHERE name = 'j2-1';
SELECT turn_abort(j ->> '$.turn.turn', j ->> '$.turn.token', 'enough', '{"keep":0}')
FROM r WHERE name = 'j2-2';
SELECT turnstile_startup('w4');
SELECT session_sweep('{"now":900600000}');
SELECT message || ' is listed with its sender', session_label || ' ' || status ||
  ifnull(goes_to, ''), 'dm:j2:b' || substr(message, -1) || iif(message LIKE '%2', ' cancelled', ' failed')
FROM session_queue WHERE message LIKE 'half done %' ORDER BY id;
SELECT 'recover says so there', instr(session_recover('dm:j2:b' || n), 'half done ' || n) > 0, how <> 'turn_abort'
FROM ways;
SELECT 'and not to the other', instr(session_recover('dm:j3:a' || n), 'half done'), 0 FROM ways;
SELECT 'tried again it runs there', queue_retry(id) = id, 1 FROM session_queue
WHERE message LIKE 'half done %';
SELECT 'in turns of their own', turn_begin('dm:j2:b' || n, 'w') ->> '$.messages[0].content',
  'half done ' || n FROM ways;
DROP TABLE ways;
-- What has failed before goes along; what others have failed with stays with them.
SELECT turnstile_config('max_attempts', 1);
SELECT identity_link('j4', 'bob', 'jill'); SELECT identity_link('j4', 'ann', 'jill');
INSERT INTO r VALUES ('j4', session_deliver(NULL, 'worn of bob', '{"class":"Modification","owner":"w",
  "envelope":{"channel":"j4","sender_id":"bob"}}'));
SELECT turn_fail(j ->> '$.turn.turn', j ->> '$.turn.token', 'boom') FROM r WHERE name = 'j4';
INSERT INTO r VALUES ('j5', session_deliver(NULL, 'worn of ann', '{"class":"Modification","owner":"w",
  "envelope":{"channel":"j4","sender_id":"ann"}}'));
SELECT turn_fail(j ->> '$.turn.turn', j ->> '$.turn.token', 'boom') FROM r WHERE name = 'j5';
SELECT 'both have failed', (SELECT group_concat(session_label || ' ' || status, ', ')
  FROM session_queue WHERE message LIKE 'worn of %'), 'dm:jill failed, dm:jill failed';
SELECT 'nothing waited', identity_unlink('j4', 'bob') ->> '$.waiting_moved', 0;
SELECT 'each with its sender', (SELECT group_concat(message || ' ' || session_label || ' ' || status,
  ', ') FROM (SELECT * FROM session_queue WHERE message LIKE 'worn of %' ORDER BY id)),
  'worn of bob dm:j4:bob failed, worn of ann dm:jill failed';
-- An own session that comes back leaves the others' with the entity.
SELECT session_start('dm:j6:ann', 'x'); SELECT identity_link('j6', 'ann', 'june');
SELECT identity_link('j6', 'bob', 'june');
INSERT INTO r VALUES ('j6', session_deliver(NULL, 'worn for bob', '{"class":"Modification","owner":"w",
  "envelope":{"channel":"j6","sender_id":"bob"}}'));
SELECT turn_fail(j ->> '$.turn.turn', j ->> '$.turn.token', 'boom') FROM r WHERE name = 'j6';
SELECT turn_append('dm:j6:cat', '[{"role":"user","content":"hi"},{"role":"assistant","content":"1"}]');
SELECT 'superseded', identity_link('j6', 'cat', 'june') ->> '$.session', 'dm:j6:cat';
SELECT 'released', identity_unlink('j6', 'ann') ->> '$.session', 'dm:j6:ann';
SELECT 'what failed of bob''s is with the entity', (SELECT session_label || ' ' || status
  FROM session_queue WHERE message = 'worn for bob'), 'dm:j6:cat failed';
-- A turn that is ended for an unlink is no attempt, nor is what was handed over.
INSERT INTO r VALUES ('j7', session_deliver(NULL, 'only once', '{"class":"Modification","owner":"w",
  "envelope":{"channel":"j4","sender_id":"ann"}}'));
SELECT 'ended', identity_unlink('j4', 'ann') ->> '$.waiting_moved', 1;
SELECT 'waits with all its attempts', (SELECT status || ' ' || attempts FROM session_queue
  WHERE message = 'only once'), 'pending 0';
SELECT session_deliver(NULL, 'handed once', '{"class":"Modification","keeps_turns":1,
  "envelope":{"channel":"j6","sender_id":"bob"}}') ->> '$.action';
SELECT 'handed over', (SELECT status || ' ' || attempts FROM session_queue
  WHERE message = 'handed once'), 'handed 1';
SELECT 'taken back', identity_unlink('j6', 'bob') ->> '$.waiting_moved', 1;
SELECT 'no attempt', (SELECT session_label || ' ' || status || ' ' || attempts FROM session_queue
  WHERE message = 'handed once'), 'dm:j6:bob pending 0';
SELECT turnstile_config('max_attempts', 3);
-- Linked again before the turn fails: to where the messages go then.
SELECT identity_link('j8', 'bob', 'jim');
INSERT INTO r VALUES ('j8', session_deliver(NULL, 'moves on', '{"class":"Modification","owner":"w",
  "envelope":{"channel":"j8","sender_id":"bob"}}'));
SELECT turn_message(j ->> '$.turn.turn', j ->> '$.turn.token',
  '{"role":"assistant","content":"I look."}') FROM r WHERE name = 'j8';
SELECT identity_unlink('j8', 'bob'); SELECT identity_link('j8', 'bob', 'jack');
SELECT turn_fail(j ->> '$.turn.turn', j ->> '$.turn.token', 'boom') FROM r WHERE name = 'j8';
SELECT 'with the entity of then', (SELECT session_label || ' ' || status FROM session_queue
  WHERE message = 'moves on'), 'dm:jack failed';
-- Completed it stays where it was answered.
SELECT identity_link('j9', 'bob', 'joy');
INSERT INTO r VALUES ('j9', session_deliver(NULL, 'answered', '{"class":"Modification","owner":"w",
  "envelope":{"channel":"j9","sender_id":"bob"}}'));
SELECT turn_message(j ->> '$.turn.turn', j ->> '$.turn.token',
  '{"role":"assistant","content":"I look."}') FROM r WHERE name = 'j9';
SELECT identity_unlink('j9', 'bob');
SELECT turn_complete(j ->> '$.turn.turn', j ->> '$.turn.token', '{"content":"done"}') IS NOT NULL
FROM r WHERE name = 'j9';
SELECT 'where it was answered', (SELECT session_label || ' ' || status FROM session_queue
  WHERE message = 'answered'), 'dm:joy delivered';

---- An envelope of the link's own

SELECT 'another channel', error_of('SELECT identity_link(''e1'', ''u'', ''eve'',
  ''{"envelope":{"channel":"e2"}}'')'),
  'identity_link: envelope: channel is ''e2'', but the link is that of ''e1''';
SELECT 'another sender', error_of('SELECT identity_link(''e1'', ''u'', ''eve'',
  ''{"envelope":{"sender_id":7}}'')'),
  'identity_link: envelope: sender_id is ''7'', but the link is that of ''u''';
SELECT 'the same', identity_link('e1', 'u', 'eve', '{"envelope":{"channel":"e1","sender_id":"u"}}')
  ->> '$.action', 'linked';
INSERT INTO session_policies(priority, name, "match", key_template) VALUES (30, 'e',
  '{"principal":{"type":"unknown"},"delivery":{"channel":"e1"}}', 'dm:e1:{delivery.account}:{delivery.sender_id}');
SELECT 'it brings keys up to date', identity_link('e1', 'u', 'eve', '{"envelope":{"account":"a"}}')
  ->> '$.action', 'updated';
SELECT 'the key', (SELECT sender_label FROM identities WHERE channel = 'e1'), 'dm:e1:a:u';
SELECT 'and not again', identity_link('e1', 'u', 'eve', '{"envelope":{"account":"a"}}')
  ->> '$.action', 'unchanged';
DELETE FROM session_policies WHERE name = 'e';

---- An unlink finds what is the sender's, whatever keys have led there

-- The policies change meanwhile; the template has a thread; a re-link came in between; force.
INSERT INTO session_policies(priority, name, "match", key_template, enabled) VALUES
  (40, 'moved', '{"principal":{"type":"known"},"delivery":{"channel":["w1","w2"],"peer_kind":"dm"}}',
   'moved:{principal.entity_id}', 0),
  (39, 'threads', '{"principal":{"type":"known"},"delivery":{"channel":["w3"],"peer_kind":"dm"}}',
   'dm:{principal.entity_id}[:thread:{delivery.thread_id}]', 1);
SELECT turn_append('dm:w1:s', '[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]');
SELECT identity_link('w1', 's', 'wes'); SELECT identity_link('w2', 'm', 'wes');
SELECT queue_push('dm:wes', 'private ' || value, '{"channel":"w2","sender":"m"}') FROM json_each('[1,2]');
UPDATE session_policies SET enabled = 1 WHERE name = 'moved';
SELECT 'linked again under another key', identity_link('w2', 'm', 'wes') ->> '$.key', 'moved:wes';
SELECT 'the old key is remembered', (SELECT group_concat(entity_id || ' ' || key) FROM identity_keys),
  'wes dm:wes';
SELECT 'all goes along', identity_unlink('w2', 'm') ->> '$.waiting_moved', 2;
SELECT 'nothing is left for the other', turn_begin('dm:w1:s', 'w'), NULL;
SELECT 'it waits in the sender''s', (SELECT line FROM waits WHERE label = 'dm:w2:m'),
  'private 1 pending | private 2 pending';
SELECT identity_unlink('w1', 's') ->> '$.action';
SELECT 'nobody is left of the entity', (SELECT count(*) FROM identity_keys WHERE entity_id = 'wes'), 0;
SELECT identity_link('w3', 'a', 'win'); SELECT identity_link('w3', 'b', 'win');
SELECT 'a thread''s own session', session_deliver(NULL, sender || ' in thread 7', json_object('class',
  'Modification', 'keeps_turns', 1, 'envelope', json_object('channel', 'w3', 'sender_id', sender,
  'thread_id', 7)))
  ->> '$.session', 'dm:win:thread:7' FROM (SELECT column1 AS sender FROM (VALUES ('a'), ('b')));
SELECT 'its key is remembered', (SELECT group_concat(entity_id || ' ' || key) FROM identity_keys),
  'win dm:win:thread:7';
SELECT 'b leaves the thread', identity_unlink('w3', 'b') ->> '$.waiting_moved', 1;
SELECT 'what is a''s stays', (SELECT group_concat(label || ': ' || line, ', ') FROM waits
  WHERE label LIKE 'dm:win%' OR label LIKE 'dm:w3%'),
  'dm:w3:b: b in thread 7 pending, dm:win:thread:7: a in thread 7 handed';
SELECT 'deleting the session forgets the key', session_delete('dm:win:thread:7') ->> '$.session',
  'dm:win:thread:7';
SELECT 'it is gone', (SELECT count(*) FROM identity_keys), 0;
DELETE FROM session_policies WHERE name IN ('moved', 'threads');

---- Once settled it stays so

SELECT turnstile_clock(turnstile_now + 60000) FROM (SELECT max(at) AS turnstile_now
  FROM session_events);
SELECT session_deliver(NULL, 'write a report', '{"class":"NewTask","envelope":{"channel":"qx1",
  "sender_id":"m"}}') ->> '$.session';
SELECT turnstile_clock(turnstile_now + 60000) FROM (SELECT max(at) AS turnstile_now
  FROM session_events);
INSERT INTO r VALUES ('x1', session_deliver(NULL, 'draw a chart', '{"class":"NewTask","owner":"h",
  "envelope":{"channel":"qx2","sender_id":"w"}}'));
SELECT 'the older is the primary', identity_link('qx2', 'w', 'xena') ->> '$.session' ||
  (identity_link('qx1', 'm', 'xena') ->> '$.session'), 'dm:qx2:wdm:qx1:m';
SELECT turn_complete(j ->> '$.turn.turn', j ->> '$.turn.token', '{"content":"done"}') IS NOT NULL
FROM r WHERE name = 'x1';
SELECT 'the other has more turns now', (SELECT group_concat(line) FROM who
  WHERE label LIKE 'dm:qx%' ORDER BY label), 'dm:qx1:m 0,dm:qx2:w 1 > dm:qx1:m';
SELECT 'linked again: ' || channel, identity_link(channel, sender_id, 'xena') ->> '$.action',
  'unchanged' FROM identities WHERE entity_id = 'xena';
SELECT 'the task is open', (SELECT state FROM tasks WHERE session_label = 'dm:qx1:m'), 'Running';

---- What people made goes with the session that it was made for

SELECT turn_append('dm:y8:s', '[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]');
SELECT session_start('dm:y9:m', 'x'); SELECT session_alias('m-work', 'dm:y9:m');
SELECT session_alias('m-too', 'dm:y9:m');
SELECT identity_link('y8', 's', 'yan'); SELECT identity_link('y9', 'm', 'yan');
SELECT 'merged they lead to the primary', resolve_session('m-work') || resolve_session('m-too'),
  'dm:y8:sdm:y8:s';
SELECT session_alias('m-too', 'dm:y8:s');
SELECT identity_unlink('y9', 'm') ->> '$.session';
SELECT 'and home again', resolve_session('m-work'), 'dm:y9:m';
SELECT 'what was decided anew stays', resolve_session('m-too'), 'dm:y8:s';
SELECT 'nothing is kept of it', (SELECT count(*) FROM alias_homes WHERE alias LIKE 'm-%'), 0;
-- Merged twice: home is where it began.
SELECT identity_link('y9', 'm', 'yan');
SELECT turn_append('dm:y7:t', '[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]');
SELECT turn_append('dm:y7:t', '[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]');
SELECT 'a longer one', identity_link('y7', 't', 'yan') ->> '$.session', 'dm:y7:t';
SELECT 'through both', resolve_session('m-work'), 'dm:y7:t';
SELECT identity_unlink('y9', 'm') ->> '$.session';
SELECT 'home', resolve_session('m-work'), 'dm:y9:m';

---- What has failed is seen where the messages go

SELECT session_deliver(NULL, 'fails', '{"class":"NewTask","owner":"w","envelope":{"channel":"fa1",
  "sender_id":"a"}}') ->> '$.action';
SELECT turn_message(turn_id, token, '{"role":"assistant","content":"I try."}') FROM session_runs
WHERE session_label = 'dm:fa1:a';
SELECT turn_fail(turn_id, token, 'boom') FROM session_runs WHERE session_label = 'dm:fa1:a';
INSERT INTO r VALUES ('u1', session_deliver('dm:fa1:a', 'fails later', '{"class":"Modification","owner":"w",
  "channel":"fa1","sender":"a"}'));
SELECT turn_append('dm:fa2:b', '[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]');
SELECT identity_link('fa2', 'b', 'uma 2');
SELECT 'merged with a live run', identity_link('fa1', 'a', 'uma 2') ->> '$.session', 'dm:fa2:b';
SELECT 'recover shows it', session_recover('dm:uma 2') -> '$.failed' ->> '$[0].message', 'fails';
SELECT turn_message(j ->> '$.turn.turn', j ->> '$.turn.token',
  '{"role":"assistant","content":"I try."}') FROM r WHERE name = 'u1';
SELECT turn_fail(j ->> '$.turn.turn', j ->> '$.turn.token', 'boom') FROM r WHERE name = 'u1';
SELECT 'and what fails then', (SELECT group_concat(message || ' ' || session_label, ', ')
  FROM session_queue WHERE message LIKE 'fails%' ORDER BY id), 'fails dm:fa2:b, fails later dm:fa2:b';
SELECT identity_unlink('fa1', 'a') ->> '$.session';
SELECT 'unlinked it is the sender''s', (SELECT group_concat(message || ' ' || session_label, ', ')
  FROM session_queue WHERE message LIKE 'fails%' ORDER BY id), 'fails dm:fa1:a, fails later dm:fa1:a';

---- Personas of sessions that were made without one

INSERT INTO session_policies(priority, name, "match", key_template, persona_id) VALUES
  (40, 'v bob', '{"principal":{"type":"known"},"delivery":{"channel":"bobs"}}',
   'dm:{principal.entity_id}', 'bob'),
  (40, 'v ada', '{"principal":{"type":"known"},"delivery":{"channel":"adas"}}',
   'dm:{principal.entity_id}', 'ada'),
  (40, 'v ada unknown', '{"principal":{"type":"unknown"},"delivery":{"channel":"adas"}}',
   'dm:{delivery.channel}:{delivery.sender_id}', 'ada');
SELECT queue_push('dm:bobs:m', 'for bob', '{"channel":"bobs","sender":"m"}');
SELECT 'promoted', identity_link('bobs', 'm', 'vito') ->> '$.session', 'dm:bobs:m';
SELECT 'and bob''s from now on', (SELECT persona_id FROM sessions WHERE label = 'dm:bobs:m'), 'bob';
SELECT session_deliver(NULL, 'for ada', '{"class":"NewTask","envelope":{"channel":"adas",
  "sender_id":"w"}}') ->> '$.session';
SELECT 'nobody is merged', identity_link('adas', 'w', 'vito') -> '$.merged', '[]';
SELECT 'each goes on: ' || channel, session_route(json_object('channel', channel, 'sender_id', sender_id))
  ->> '$.label', 'dm:' || channel || ':' || sender_id FROM identities WHERE entity_id = 'vito';
SELECT 'linked again: ' || channel, identity_link(channel, sender_id, 'vito') ->> '$.action',
  'unchanged' FROM identities WHERE entity_id = 'vito';
-- A session without a persona that serves both leaves; each gets what is theirs.
SELECT session_deliver(NULL, 'first of bob', '{"class":"NewTask","envelope":{"channel":"bobs",
  "sender_id":"n"}}') ->> '$.session';
SELECT turn_append('dm:sms:v', '[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]');
SELECT identity_link('bobs', 'n', 'val'); SELECT identity_link('sms', 'v', 'val');
SELECT session_deliver(NULL, 'first of ada', '{"class":"NewTask","envelope":{"channel":"adas",
  "sender_id":"x"}}') ->> '$.session';
SELECT identity_link('adas', 'x', 'val') ->> '$.action';
SELECT 'the one without leaves', identity_unlink('sms', 'v') ->> '$.action', 'unlinked';
SELECT 'nothing is stranded: ' || channel, session_route(json_object('channel', channel, 'sender_id',
  sender_id)) ->> '$.label', 'dm:' || channel || ':' || sender_id
FROM identities WHERE entity_id = 'val';
SELECT 'each has its own: ' || message, session_label, 'dm:' || channel || ':' || sender
FROM session_queue WHERE message LIKE 'first of %' ORDER BY id;
SELECT 'linked again: ' || channel, identity_link(channel, sender_id, 'val') ->> '$.action',
  'unchanged' FROM identities WHERE entity_id = 'val';
-- The policy says by which persona a message is answered; a redelivery finds the same session.
SELECT 'whatever the option says', session_deliver(NULL, 'build x', '{"envelope":{"channel":"adas",
  "sender_id":"p"},"persona":"bob","message_id":"m1","class":"NewTask"}') ->> '$.session', 'dm:adas:p';
SELECT 'again', session_deliver(NULL, 'build x', '{"envelope":{"channel":"adas",
  "sender_id":"p"},"persona":"bob","message_id":"m1","class":"NewTask"}') ->> '$.duplicate', 1;
SELECT 'ada''s', (SELECT persona_id FROM sessions WHERE label = 'dm:adas:p'), 'ada';
DELETE FROM session_policies WHERE name LIKE 'v %';

---- Policies that give a linked sender a key of its own: what it wrote does not stay with others

SELECT turn_append('dm:km:b', '[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]');
SELECT identity_link('km', 'b', 'kay'); SELECT identity_link('ks', 'a', 'kay');
SELECT 'to the entity''s', session_deliver(NULL, 'private of a', '{"class":"NewTask","keeps_turns":1,"envelope":{
  "channel":"ks","sender_id":"a"}}') ->> '$.session', 'dm:km:b';
INSERT INTO session_policies(priority, name, "match", key_template) VALUES (40, 'ks own',
  '{"delivery":{"channel":"ks","peer_kind":"dm"}}', 'dm:{delivery.channel}:{delivery.sender_id}');
SELECT 'b leaves', identity_unlink('km', 'b') ->> '$.session', 'dm:km:b';
SELECT 'a''s goes where a''s messages go', (SELECT session_label || ' ' || status FROM session_queue
  WHERE message = 'private of a'), 'dm:ks:a pending';
SELECT 'b''s turn has nothing of it', turn_begin('dm:km:b', 'w'), NULL;
DELETE FROM session_policies WHERE name = 'ks own';

---- What no sender of the entity wrote is the session's for which it was

SELECT session_start('dm:lm:a', 'x'); SELECT queue_push('dm:lm:a', 'reminder', '{"source":"timer"}');
SELECT session_alias('dm:lm:guest', 'dm:lm:a');
SELECT queue_push('dm:lm:guest', 'of a guest', '{"channel":"lm","sender":"guest"}');
SELECT queue_push('dm:lm:a', 'of a', '{"channel":"lm","sender":"a"}');
SELECT session_spawn('dm:lm:a', 'look it up', '{"label":"worker:lm"}');
SELECT turn_append('dm:lm:b', '[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]');
SELECT identity_link('lm', 'a', 'leo');
SELECT 'merged', identity_link('lm', 'b', 'leo') -> '$.merged[0]' ->> '$.waiting_moved', 3;
SELECT session_report('worker:lm', 'completed', 'found');
SELECT 'a reminder under the old label', queue_push('dm:lm:a', 'second reminder', '{"source":"timer"}') > 0, 1;
SELECT 'all wait in the primary', (SELECT count(*) FROM session_queue WHERE session_label = 'dm:lm:b'), 5;
SELECT 'b leaves with its session', identity_unlink('lm', 'b') ->> '$.entity_session', 'dm:lm:a';
SELECT 'and with nothing else', (SELECT count(*) FROM session_queue WHERE session_label = 'dm:lm:b'), 0;
SELECT 'what was for it', (SELECT group_concat(message || ifnull(came_from, ''), ', ') FROM (SELECT *
  FROM session_queue WHERE session_label = 'dm:lm:a' AND sender <> 'worker:lm' ORDER BY id)),
  'reminder, of a guest, of a, second reminder';
SELECT 'and its worker''s report', (SELECT count(*) FROM session_queue WHERE session_label = 'dm:lm:a'
  AND sender = 'worker:lm'), 1;
-- In a turn meanwhile, that comes to nothing or fails half done.
SELECT identity_link('lm', 'b', 'leo') ->> '$.action';
INSERT INTO r VALUES ('lm', turn_begin('dm:lm:b', 'w'));
SELECT 'taken by the primary', (SELECT status || ' ' || came_from FROM session_queue
  WHERE message = 'reminder'), 'processing dm:lm:a';
SELECT identity_unlink('lm', 'b') ->> '$.action';
SELECT turn_fail(j ->> '$.turn', j ->> '$.token', 'boom') IS NOT NULL FROM r WHERE name = 'lm';
SELECT 'given back to where it was for', (SELECT session_label || ' ' || status FROM session_queue
  WHERE message = 'reminder'), 'dm:lm:a pending';

---- A session of another persona than the one by which its sender is known

INSERT INTO session_policies(priority, name, "match", key_template, persona_id) VALUES
  (40, 'n known', '{"principal":{"type":"known"},"delivery":{"channel":"nm","peer_kind":"dm"}}',
   'dm:{principal.entity_id}', 'ada'),
  (40, 'n unknown', '{"principal":{"type":"unknown"},"delivery":{"channel":"nm","peer_kind":"dm"}}',
   'dm:{delivery.channel}:{delivery.sender_id}', NULL);
SELECT 'its session', session_deliver(NULL, 'u1', '{"class":"NewTask","envelope":{"channel":"nm","sender_id":"b"}}')
  ->> '$.session', 'dm:nm:b';
UPDATE session_policies SET persona_id = 'carl' WHERE name = 'n unknown';
SELECT 'made for none, found by both: promoted', json_extract(identity_link('nm', 'b', 'nora'),
  '$.action', '$.session'), '["promoted","dm:nm:b"]';
SELECT 'it stays without', (SELECT persona_id FROM sessions WHERE label = 'dm:nm:b'), NULL;
SELECT 'unlinked it is found again', identity_unlink('nm', 'b') ->> '$.session', 'dm:nm:b';
SELECT 'its session', session_deliver(NULL, 'c1', '{"class":"NewTask","envelope":{"channel":"nm","sender_id":"c"}}')
  ->> '$.session', 'dm:nm:c';
SELECT 'another persona''s is left alone', json_extract(identity_link('nm', 'c', 'nils'), '$.action',
  '$.session'), '["linked",null]';
SELECT 'the known one''s is new', session_deliver(NULL, 'c2', '{"class":"NewTask","envelope":{
  "channel":"nm","sender_id":"c"}}') ->> '$.session', 'dm:nils';
SELECT 'each with its persona', (SELECT group_concat(label || ' ' || persona_id, ', ') FROM (SELECT *
  FROM sessions WHERE label IN ('dm:nm:c', 'dm:nils') ORDER BY 1)), 'dm:nils ada, dm:nm:c carl';
DELETE FROM session_policies WHERE name LIKE 'n %';

---- Creating a session under a key

SELECT identity_link('c1', 'u', 'cleo'); SELECT identity_link('c2', 'u', 'cleo');
SELECT 'by session_start', session_start('dm:c1:u', 'x') > 0, 1;
SELECT 'the entity''s key leads to it', resolve_session('dm:cleo') || resolve_session('dm:c2:u'),
  'dm:c1:udm:c1:u';
SELECT identity_link('c3', 'u', 'cora');
SELECT 'by a fork', session_fork((SELECT thread_id FROM sessions WHERE label = 'dm:v1:u'),
  'dm:c3:u'),
  'dm:c3:u';
SELECT 'too', resolve_session('dm:cora'), 'dm:c3:u';
SELECT identity_link('c4', 'u', 'carl');
SELECT 'by queue_push', queue_push('dm:c4:u', 'x') > 0, 1;
SELECT 'as well', resolve_session('dm:carl'), 'dm:c4:u';
SELECT identity_link('c5', 'u', 'cid');
SELECT 'by turn_append', turn_append('dm:cid', '[{"role":"user","content":"a"}]') > 0, 1;
SELECT 'and so on', resolve_session('dm:c5:u'), 'dm:cid';
SELECT identity_link('c6', 'u', 'cy');
SELECT 'by session_spawn', session_spawn('dm:cid', 'look', '{"label":"dm:c6:u"}'), 'dm:c6:u';
SELECT 'in the end', resolve_session('dm:cy'), 'dm:c6:u';

---- Two entities, one key; templates that tell nobody apart; personas; groups

INSERT INTO session_policies(priority, name, "match", key_template, persona_id) VALUES
  (9, 'run together', '{"principal":{"type":"known"},"delivery":{"channel":["s1","1"]}}',
   '{principal.entity_id}{delivery.channel}', NULL),
  (9, 'lobby', '{"principal":{"type":"unknown"},"delivery":{"channel":["lob","lob2"]}}',
   'dm:lobby', NULL),
  (9, 'vip', '{"principal":{"type":"known"},"delivery":{"channel":"vip","peer_kind":"dm"}}',
   'dm:vip', NULL);
SELECT session_start('dm:s1:u', 'a'); SELECT session_start('dm:1:u', 'b');
SELECT 'e with s1', identity_link('s1', 'u', 'e') ->> '$.key', 'es1';
SELECT 'es with 1: the key is shared', json_extract(identity_link('1', 'u', 'es'), '$.action',
  '$.key', '$.session'), '["linked","es1","dm:s1:u"]';
SELECT 'nothing is merged', (SELECT count(*) FROM sessions WHERE label IN ('dm:s1:u', 'dm:1:u')
  AND superseded_by IS NOT NULL), 0;
SELECT session_start('dm:lobby', 'wait');
SELECT 'a key that all strangers have is nobody''s', identity_link('lob', 'u', 'lu'),
  '{"action":"linked","entity":"lu","key":"dm:lu","session":null,"merged":[]}';
SELECT 'the lobby stays open', session_route('{"channel":"lob2","sender_id":"x"}') ->> '$.label',
  'dm:lobby';
SELECT session_start('dm:vip:u', 'mine');
SELECT 'a key that all known ones have settles nothing', identity_link('vip', 'u', 'vi'),
  '{"action":"linked","entity":"vi","key":null,"session":null,"merged":[]}';
SELECT 'and can be taken back', identity_unlink('vip', 'u') ->> '$.action', 'unlinked';

SELECT session_deliver(NULL, 'in the group', '{"class":"Modification","envelope":{"channel":"v1",
  "sender_id":"u","peer_kind":"group","peer_id":"g"}}');
SELECT 'a group is nobody''s', (SELECT line FROM who WHERE label = 'group:v1:g'), 'group:v1:g 0';
SELECT identity_unlink('v1', 'u'); SELECT identity_link('v1', 'u', 'vera');
SELECT 'links leave it alone', (SELECT line FROM who WHERE label = 'group:v1:g') ||
  (SELECT count(*) FROM session_aliases WHERE session_label = 'group:v1:g') ||
  (SELECT line FROM waits WHERE label = 'group:v1:g'), 'group:v1:g 00in the group handed';

INSERT INTO session_policies(priority, name, "match", key_template, persona_id) VALUES
  (8, 'clerk', '{"principal":{"type":"unknown"},"delivery":{"channel":["t1","t3"]}}',
   'dm:{delivery.channel}:{delivery.sender_id}', 'clerk'),
  (8, 'clerk known', '{"principal":{"type":"known"},"delivery":{"channel":["t1","t3"]}}',
   'dm:{principal.entity_id}', 'clerk'),
  (8, 'boss', '{"principal":{"type":"unknown"},"delivery":{"channel":"t2"}}',
   'dm:{delivery.channel}:{delivery.sender_id}', 'boss'),
  (8, 'boss known', '{"principal":{"type":"known"},"delivery":{"channel":"t2"}}',
   'dm:{principal.entity_id}', 'boss');
SELECT count(session_deliver(NULL, 't ' || value, json_object('class', 'Modification', 'envelope',
    json_object('channel', 't' || value, 'sender_id', 'u'))) IS NOT NULL) FROM json_each('[1,2,3]');
SELECT 'the clerk''s', identity_link('t1', 'u', 'tia') ->> '$.session', 'dm:t1:u';
SELECT 'the boss has a key of its own', json_extract(identity_link('t2', 'u', 'tia'), '$.action',
  '$.key', '$.session'), '["promoted","dm:tia:persona:boss","dm:t2:u"]';
SELECT 'the other clerk''s is merged', json_extract(identity_link('t3', 'u', 'tia'), '$.action',
  '$.session'), '["merged","dm:t1:u"]';
SELECT 'two sessions of two voices', (SELECT group_concat(line, ', ') FROM (SELECT line FROM who
  WHERE label LIKE 'dm:t_:u' ORDER BY label)), 'dm:t1:u 0, dm:t2:u 0, dm:t3:u 0 > dm:t1:u';
SELECT 'each finds its own', group_concat(session_route(json_object('channel', 't' || value,
  'sender_id', 'u')) ->> '$.label'), 'dm:t1:u,dm:t2:u,dm:t1:u' FROM json_each('[1,2,3]');
-- A policy without a persona brings no two voices together.
SELECT session_start('dm:t5:u', 'x', '{"persona":"clerk"}');
SELECT session_start('dm:t6:u', 'x', '{"persona":"boss"}');
SELECT identity_link('t5', 'u', 'tom'); SELECT identity_link('t6', 'u', 'tom');
SELECT 'two voices are never merged', (SELECT count(*) FROM sessions
  WHERE label IN ('dm:t5:u', 'dm:t6:u') AND superseded_by IS NOT NULL), 0;

-- The session that an unlink makes for what waits is the one that the sender's next message finds.
INSERT INTO session_policies(priority, name, "match", key_template, persona_id) VALUES
  (8, 'greeter', '{"principal":{"type":"unknown"},"delivery":{"channel":"t7"}}',
   'dm:{delivery.channel}:{delivery.sender_id}', 'greeter'),
  (8, 'host', '{"principal":{"type":"known"},"delivery":{"channel":"t7"}}',
   'dm:{principal.entity_id}', 'host');
SELECT identity_link('t7', 'u', 'tess');
SELECT session_deliver(NULL, 't seven', '{"class":"Modification","envelope":{"channel":"t7",
  "sender_id":"u"}}');
SELECT identity_unlink('t7', 'u') IS NOT NULL;
SELECT 'unlinked: the persona of the unknown', (SELECT session_label FROM session_queue
  WHERE message = 't seven'), session_route('{"channel":"t7","sender_id":"u"}') ->> '$.label';

---- Keys that have gone to another persona since the link

INSERT INTO session_policies(priority, name, "match", key_template, persona_id) VALUES
  (8, 'y1', '{"principal":{"type":"known"},"delivery":{"channel":"y1"}}',
   'dm:{principal.entity_id}', 'clerk'),
  (8, 'y2', '{"principal":{"type":"known"},"delivery":{"channel":"y2"}}',
   'dm:{principal.entity_id}', 'atlas'),
  (8, 'y2 unknown', '{"principal":{"type":"unknown"},"delivery":{"channel":"y2"}}',
   'dm:{delivery.channel}:{delivery.sender_id}', 'atlas');
SELECT identity_link('y1', 'm', 'yara');
SELECT session_deliver(NULL, 'of atlas', '{"class":"Modification","envelope":{"channel":"y2",
  "sender_id":"i"}}') ->> '$.session';
SELECT 'the key goes to atlas', identity_link('y2', 'i', 'yara') ->> '$.session', 'dm:y2:i';
SELECT 'the clerk''s sender is not led there', resolve_session('dm:y1:m'), NULL;
SELECT 'the clerk gets a key of its own', session_deliver(NULL, 'of the clerk',
  '{"class":"Modification","envelope":{"channel":"y1","sender_id":"m"}}') ->> '$.session',
  'dm:yara:persona:clerk';
SELECT 'the row is up to date', (SELECT entity_label FROM identities WHERE channel = 'y1'),
  'dm:yara:persona:clerk';
SELECT 'and its sender is led there', resolve_session('dm:y1:m'), 'dm:yara:persona:clerk';
SELECT 'what waits goes along', json_extract(identity_unlink('y1', 'm'), '$.session',
  '$.waiting_moved'), '["dm:y1:m",1]';
SELECT 'all of it', (SELECT group_concat(message || ' ' || session_label, ', ') FROM (SELECT *
  FROM session_queue WHERE message LIKE 'of %' AND (sender = 'm' OR sender = 'i') ORDER BY id)),
  'of atlas dm:y2:i, of the clerk dm:y1:m';
-- Two personas linked before any message: each sender's name leads to where its messages go.
INSERT INTO session_policies(priority, name, "match", key_template, persona_id) VALUES
  (8, 'y3', '{"principal":{"type":"known"},"delivery":{"channel":"y3"}}',
   'dm:{principal.entity_id}', 'clerk'),
  (8, 'y4', '{"principal":{"type":"known"},"delivery":{"channel":"y4"}}',
   'dm:{principal.entity_id}', 'atlas');
SELECT identity_link('y3', 'u', 'yves'); SELECT identity_link('y4', 'u', 'yves');
SELECT count(session_deliver(NULL, value, json_object('class', 'Modification', 'envelope',
  json_object('channel', value, 'sender_id', 'u')))) FROM json_each('["y3","y4"]');
SELECT 'each name leads to its own: ' || value, resolve_session('dm:' || value || ':u'),
  session_route(json_object('channel', value, 'sender_id', 'u')) ->> '$.label'
FROM json_each('["y3","y4"]');
SELECT 'and these are two', (SELECT group_concat(line, ', ') FROM (SELECT line FROM who
  WHERE label LIKE 'dm:yves%' ORDER BY label)), 'dm:yves 0, dm:yves:persona:atlas 0';
-- One of them goes: the other finds its own.
SELECT session_delete('dm:yves', '{"force":1}') IS NOT NULL;
SELECT 'the other stays', session_route('{"channel":"y4","sender_id":"u"}') ->> '$.label',
  'dm:yves:persona:atlas';
SELECT 'the first begins anew', session_route('{"channel":"y3","sender_id":"u"}') ->> '$.label',
  'dm:yves';

-- Policies that have changed: the primary stays the one that it is.
SELECT session_start('dm:y5:a', 'x'); SELECT turn_append('dm:y5:a',
  '[{"role":"user","content":"a"}]');
SELECT session_start('dm:y5:b', 'x');
SELECT identity_link('y5', 'a', 'yoko'); SELECT identity_link('y5', 'b', 'yoko');
INSERT INTO session_policies(priority, name, "match", key_template) VALUES (8, 'y5',
  '{"principal":{"type":"unknown"},"delivery":{"channel":"y5"}}',
  'y5:{delivery.sender_id}');
SELECT 'a new sender', identity_link('y5', 'c', 'yoko') ->> '$.session', 'dm:y5:a';
SELECT 'who was there is released', json_extract(identity_unlink('y5', 'b'), '$.entity_session',
  '$.key') || (SELECT superseded_by IS NULL FROM sessions WHERE label = 'dm:y5:b'),
  '["dm:y5:a","y5:b"]1';
-- An unlink needs no policy.
UPDATE session_policies SET enabled = 0;
SELECT 'a link does', error_of('SELECT identity_link(''y6'', ''u'', ''yoko'')'), 'identity_link: ' ||
  'session_policies has no row that is enabled; it needs one that matches';
SELECT queue_push('dm:yoko', 'of a', '{"channel":"y5","sender":"a"}') IS NOT NULL;
SELECT 'an unlink goes by what it knows', json_extract(identity_unlink('y5', 'a'), '$.session'),
  'dm:y5:a';
SELECT session_start('dm:new one', 'x') IS NOT NULL;
UPDATE session_policies SET enabled = 1;

---- Further fields of the envelope

INSERT INTO session_policies(priority, name, "match", key_template, persona_id) VALUES
  (8, 'z unknown', '{"principal":{"type":"unknown"},"delivery":{"channel":["z1","z2"]}}',
   'dm:{delivery.account}:{delivery.sender_id}', NULL),
  (8, 'z known', '{"principal":{"type":"known"},"delivery":{"channel":["z1","z2"]}}',
   'dm:{principal.entity_id}', NULL);
SELECT 'the account is missing', error_of('SELECT identity_link(''z1'', ''u'', ''zoe'')'),
  'identity_link: policy ''z unknown'' makes its key with {delivery.account}, which is not given';
SELECT session_deliver(NULL, 'z one', '{"class":"Modification","envelope":{"channel":"z1",
  "sender_id":"u","account":"work"}}') ->> '$.session';
SELECT 'with an envelope', json_extract(identity_link('z1', 'u', 'zoe',
  '{"envelope":{"account":"work","channel":"z1"}}'), '$.action', '$.session'),
  '["promoted","dm:work:u"]';
SELECT 'it is kept', (SELECT json_array(sender_label, envelope ->> '$.account') FROM identities
  WHERE channel = 'z1'), '["dm:work:u","work"]';
SELECT 'linked again without one', identity_link('z1', 'u', 'zoe') ->> '$.action', 'unchanged';
SELECT 'it is still there', (SELECT envelope ->> '$.account' FROM identities WHERE channel = 'z1'),
  'work';
SELECT 'it goes to another entity too', identity_link('z1', 'u', 'zac', '{"force":1}')
  ->> '$.session', 'dm:work:u';
SELECT 'another one', identity_link('z1', 'u', 'zac', '{"envelope":{"account":"home"}}')
  ->> '$.action', 'unchanged';
SELECT 'takes its place, the session stays its own', (SELECT json_array(sender_label, envelope ->>
  '$.account') FROM identities WHERE channel = 'z1'), '["dm:work:u","home"]';
SELECT identity_link('z1', 'u', 'zac', '{"envelope":{"account":"work"}}');
SELECT 'unlinked by it', identity_unlink('z1', 'u') ->> '$.key', 'dm:work:u';
SELECT 'an envelope that is none', error_of('SELECT identity_link(''z2'', ''u'', ''zoe'',
  ''{"envelope":{"account":[1]}}'')'), 'identity_link: envelope: account must be text or a number, ' ||
  'not a JSON array';
SELECT identity_link('z2', 'u', 'zoe', '{"envelope":{"account":"a"}}');
UPDATE identities SET envelope = 'not JSON' WHERE channel = 'z2';
SELECT 'damaged by hand', identity_unlink('z2', 'u') ->> '$.action', 'unlinked';

---- What was noted while there was no task

SELECT session_start('dm:g1:u', 'count'); SELECT session_observe('dm:g1:u', 'Plan', '"by hand"');
SELECT turn_append('dm:g2:u', '[{"role":"user","content":"hi"}]');
SELECT identity_link('g1', 'u', 'gil'); SELECT identity_link('g2', 'u', 'gil');
SELECT 'the note has no task', (SELECT task_id IS NULL FROM observations
  WHERE session_label = 'dm:g2:u'), 1;
SELECT session_start('dm:gil', 'next');
SELECT 'the next task shows it', session_progress('dm:gil') LIKE
  '%dm:g1:u was merged into this conversation%; It was working on: count%', 1;
SELECT turn_append('dm:g3:u', '[{"role":"user","content":"hi"}]');
SELECT turn_append('dm:g3:u', '[{"role":"user","content":"hi"}]');
INSERT INTO r VALUES ('g', identity_link('g3', 'u', 'gil'));
SELECT 'it is no work', (SELECT json_extract(value, '$.task', '$.commit_id') FROM json_each(
  (SELECT j FROM r WHERE name = 'g'), '$.merged') WHERE value ->> '$.session' = 'dm:g2:u'),
  '["next",null]';
SELECT 'so nothing is committed', (SELECT count(*) FROM commits WHERE session_label = 'dm:g2:u'), 0;

---- Sessions that are archived, suspended or in error

SELECT turnstile_clock(1000000000);
SELECT count(session_start('dm:' || value || ':a', 'x')) FROM json_each('["o1","o2","o3"]');
SELECT count(session_start('dm:' || value || ':b', 'x')) FROM json_each('["o1","o2","o3"]');
SELECT count(queue_push('dm:' || value || ':b', value, json_object('channel', value, 'sender',
  'b')))
  FROM json_each('["o1","o2","o3"]');
SELECT session_archive('dm:o1:b'); SELECT session_fail('dm:o2:b', 'broken');
SELECT session_suspend('dm:o3:b');
SELECT count(identity_link(value, 'a', value)) FROM json_each('["o1","o2","o3"]');
SELECT 'merged whatever its status: ' || value, json_extract(identity_link(value, 'b', value),
  '$.action', '$.merged[0].waiting_moved'), '["merged",1]' FROM json_each('["o1","o2","o3"]');
SELECT 'which stays: ' || value, (SELECT status FROM sessions WHERE label = 'dm:' || value || ':b'),
  json_extract('{"o1":"archived","o2":"error","o3":"suspended"}', '$.' || value)
FROM json_each('["o1","o2","o3"]');
SELECT 'their inputs can be taken', (SELECT group_concat(value ->> '$.content') FROM json_each(
  turn_begin('dm:o2', 'A1'), '$.messages')), 'o2';
SELECT 'an archived primary', session_archive('dm:o3:a'), 'archived';
SELECT 'is spoken to', json_extract(session_deliver(NULL, 'hello', '{"class":"Modification",
    "envelope":{"channel":"o3","sender_id":"b"}}'), '$.session', '$.action') ||
  (SELECT status FROM sessions WHERE label = 'dm:o3:a'), '["dm:o3:a","continue"]active';
SELECT 'unlinked it is what it was', json_extract(identity_unlink('o2', 'b'), '$.session') ||
  (SELECT status FROM sessions WHERE label = 'dm:o2:b'), 'dm:o2:berror';

---- Workers and forks of the loser

SELECT turnstile_clock(1100000000);
SELECT turn_append('dm:w1:u', '[{"role":"user","content":"a"}]');
SELECT turn_append('dm:w1:u', '[{"role":"user","content":"b"}]');
SELECT turn_append('dm:w2:u', '[{"role":"user","content":"c"}]');
SELECT 'a worker', session_spawn('dm:w2:u', 'look it up', '{"label":"worker:w"}') IS NOT NULL, 1;
SELECT 'a fork', session_fork((SELECT thread_id FROM sessions WHERE label = 'dm:w2:u'), 'fork w'),
  'fork w';
SELECT identity_link('w1', 'u', 'wes');
SELECT 'merged', identity_link('w2', 'u', 'wes') ->> '$.session', 'dm:w1:u';
SELECT 'the worker reports', session_report('worker:w', 'completed', 'found it') IS NOT NULL, 1;
SELECT 'to the primary', (SELECT session_label || ' ' || source FROM session_queue
  WHERE sender = 'worker:w'), 'dm:w1:u agent';
SELECT 'the fork goes on alone', (SELECT group_concat(m.content) FROM turn_path('fork w') AS p
  JOIN messages AS m ON m.turn_id = p.turn_id), 'c';
SELECT 'and can grow', turn_append('fork w', '[{"role":"user","content":"d"}]') > 0, 1;
SELECT 'no turn of the one is the other''s', (SELECT count(*) FROM (
    SELECT turn_id FROM turn_path((SELECT thread_id FROM sessions WHERE label = 'dm:w1:u'))
    INTERSECT SELECT turn_id FROM turn_path((SELECT thread_id FROM sessions
    WHERE label = 'dm:w2:u')))), 0;
SELECT 'a turn for the loser is the primary''s', turn_append('dm:w2:u',
  '[{"role":"user","content":"e"}]') = (SELECT thread_id FROM sessions WHERE label = 'dm:w1:u'), 1;

---- Arguments

SELECT 'without a channel', error_of('SELECT identity_link(NULL, ''u'', ''e'')'),
  'identity_link: channel is missing';
SELECT 'without an entity', error_of('SELECT identity_link(''c'', ''u'', NULL)'),
  'identity_link: entity is missing';
SELECT 'an empty entity', error_of('SELECT identity_link(''c'', ''u'', '''')') LIKE
  'identity_link: entity %', 1;
SELECT 'an entity that is too long', error_of('SELECT identity_link(''c'', ''u'',
  printf(''%.5000c'', ''x''))') LIKE 'identity_link: entity %', 1;
SELECT 'a hostile sender', identity_link('c:%', 'u:' || char(10, 0x202e), 'e:%') ->> '$.key',
  'dm:e%3A%25';
SELECT 'its keys', (SELECT sender_label || ' ' || entity_label FROM identities WHERE channel =
  'c:%'),
  session_key('dm', 'c:%', 'u:' || char(10, 0x202e)) || ' ' || session_key('dm', 'e:%');
SELECT 'the door', value_of('INSERT INTO turnstile VALUES (''identity_link'', ''{"channel":"d1",
  "sender":"u","entity":"dan"}'') RETURNING turnstile_result()') ->> '$.action', 'linked';
SELECT 'the door takes back', value_of('INSERT INTO turnstile VALUES (''identity_unlink'',
  ''["d1","u"]'') RETURNING turnstile_result()') ->> '$.action', 'unlinked';
SELECT 'a request', identity_link('d2', 'u', 'dan', '{"request_id":"q1"}') = identity_link('d2',
  'u',
  'dan', '{"request_id":"q1"}'), 1;

---- Guards

SELECT queue_push('dm:p4:u', 'guard');

CREATE TEMP TABLE guarded(sql, error);
INSERT INTO guarded SELECT value, 'session_aliases: from a name that no session has, to a session '
  ||
  'that was not merged' FROM json_each(json_array(
  'INSERT INTO session_aliases VALUES (''z'', ''nobody'', ''manual'', 1)',
  'INSERT INTO session_aliases VALUES (''z'', ''dm:q2:u'', ''manual'', 1)',
  'INSERT INTO session_aliases VALUES (''z'', ''nick 2'', ''manual'', 1)',
  'INSERT INTO session_aliases VALUES (''dm:q1:u'', ''dm:p4:u'', ''manual'', 1)',
  'REPLACE INTO session_aliases VALUES (''nick 2'', ''dm:q2:u'', ''manual'', 1)',
  'UPDATE session_aliases SET session_label = ''nobody'' WHERE alias = ''nick 2''',
  'UPDATE session_aliases SET session_label = ''dm:q2:u'' WHERE alias = ''nick 2''',
  'UPDATE session_aliases SET session_label = alias WHERE alias = ''nick 2''',
  'UPDATE session_aliases SET alias = ''dm:q1:u'' WHERE alias = ''nick 2''',
  'UPDATE OR REPLACE session_aliases SET alias = ''dm:q1:u'' WHERE alias = ''nick 2'''));
INSERT INTO guarded SELECT value, 'sessions.superseded_by: it must name a session that was not ' ||
  'merged, and nothing may lead here' FROM json_each(json_array(
  'UPDATE sessions SET superseded_by = ''nobody'' WHERE label = ''desk''',
  'UPDATE sessions SET superseded_by = label WHERE label = ''dm:o2:b''',
  'UPDATE sessions SET superseded_by = ''dm:q2:u'' WHERE label = ''dm:o2:b''',
  'UPDATE sessions SET superseded_by = ''dm:o2:b'' WHERE label = ''dm:q1:u''',
  'UPDATE sessions SET superseded_by = ''nick 2'' WHERE label = ''dm:o2:b''',
  'INSERT INTO sessions(label, created_at, last_activity, updated_at) VALUES (''dm:o2:b'', 1, 1, 1)
    ON CONFLICT DO UPDATE SET superseded_by = ''nobody'''));
SELECT sql, error_of(sql), error FROM guarded WHERE sql NOT LIKE '%ON CONFLICT DO UPDATE SET sup%';
SELECT 'UPSERT of superseded_by', error_of(sql) IS NOT NULL, 1 FROM guarded
WHERE sql LIKE '%ON CONFLICT DO UPDATE SET sup%';
SELECT 'a session under an alias', error_of('INSERT INTO sessions(label, created_at, last_activity,
  updated_at) VALUES (''nick 2'', 1, 1, 1)') LIKE 'sessions: a session begins active%', 1;
SELECT 'REPLACE of a session', error_of('REPLACE INTO sessions(label, created_at, last_activity,
  updated_at, superseded_by) VALUES (''dm:o2:b'', 1, 1, 1, ''dm:q2:u'')') LIKE
  'sessions: a session begins active%', 1;
SELECT 'guarded: ' || substr(sql, 1, 60), error_of(sql), error FROM (
  SELECT 'UPDATE sessions SET superseded_by = NULL WHERE label = ''dm:q2:u''' AS sql,
    'sessions.superseded_by: an alias has the label; drop it first' AS error
  UNION ALL SELECT value, 'session_queue.session_label: it must name a session that was not merged'
    FROM json_each(json_array(
    'UPDATE session_queue SET session_label = ''nobody'' WHERE message = ''guard''',
    'UPDATE session_queue SET session_label = ''dm:q2:u'' WHERE message = ''guard'''))
  UNION ALL SELECT 'INSERT INTO session_aliases VALUES (' || value || ', 1)',
    'session_aliases: an alias has 1 to 1024 characters without NUL, its reason is ' ||
    'identity_promotion, identity_merge or manual' FROM json_each(json_array(
    ''''', ''desk'', NULL', 'printf(''%.1025c'', ''x''), ''desk'', NULL',
    '''a'' || char(0), ''desk'', NULL', '''a'', ''desk'', ''other'''))
  UNION ALL SELECT 'UPDATE session_aliases SET ' || value || ' WHERE alias = ''nick 2''',
    'session_aliases: an alias has 1 to 1024 characters without NUL, its reason is ' ||
    'identity_promotion, identity_merge or manual' FROM json_each(json_array(
    'alias = ''''', 'reason = ''other'''))
  UNION ALL SELECT 'INSERT INTO identities(channel, sender_id, entity_id, linked_at) VALUES (' ||
    value || ', 1)', 'identities: channel, sender_id and entity_id must not be empty'
    FROM json_each(json_array(''''', ''a'', ''b''', '''a'', '''', ''b''', '''a'', ''b'', '''''))
  UNION ALL SELECT 'UPDATE identities SET entity_id = ''''',
    'identities: channel, sender_id and entity_id must not be empty');
SELECT 'not guarded: ' || value, error_of(value), NULL FROM json_each(json_array(
  'INSERT INTO session_aliases VALUES (''ok'', ''desk'', NULL, 1)',
  'DELETE FROM session_aliases WHERE alias = ''ok''',
  'UPDATE session_queue SET session_label = ''desk'' WHERE message = ''guard'''));
SELECT 'the guards are closed', (SELECT count(*) FROM turnstile_meta WHERE key = 'unguarded'), 0;
SELECT 'and the file is whole', (SELECT integrity_check FROM pragma_integrity_check), 'ok';

SELECT 'the file is sound', (SELECT group_concat(rule || ' ' || ref) FROM turnstile_check), NULL;

---- A superseded session is read by its own label, and rows say whose they are

SELECT turn_append('dm:o1:u', '[{"role":"user","content":"book a flight"}]');
SELECT session_start('dm:o2:u', 'rent a car');
SELECT session_observe('dm:o2:u', 'Note', 'a small one');
SELECT turn_append('dm:o2:u', '[{"role":"user","content":"rent a car"}]', '{"tokens":7,"usage":{"input_tokens":5}}');
SELECT turn_append('dm:o1:u', '[{"role":"user","content":"to Rome"}]');
SELECT session_alias('cars', 'dm:o2:u');
SELECT identity_link('o1', 'u', 'ola');
SELECT identity_link('o2', 'u', 'ola');
CREATE TEMP TABLE old AS SELECT dump_of() AS d;
SELECT 'the label leads on', json_array(session_state('dm:o2:u') ->> '$.session',
  session_usage('dm:o2:u') ->> '$.session', session_recover('dm:o2:u', '{"dry_run":1}') ->> '$.session'),
  '["dm:o1:u","dm:o1:u","dm:o1:u"]';
SELECT 'own: the state', json_extract(session_state('dm:o2:u', '{"own":true}'), '$.session',
  '$.superseded_by', '$.head', '$.task_state'), (SELECT json_array(label, superseded_by, thread_id, 'None')
  FROM sessions WHERE label = 'dm:o2:u');
SELECT 'own: what it has used', json_extract(session_usage('dm:o2:u', '{"own":true}'), '$.session',
  '$.turns', '$.input_tokens'), '["dm:o2:u",1,5]';
SELECT 'own: the look', json_extract(session_recover('dm:o2:u', '{"dry_run":true,"own":true}'),
  '$.session', '$.state', '$.due'), '["dm:o2:u","None",null]';
SELECT 'own: the progress', session_progress('dm:o2:u', '{"own":true}'), NULL;
SELECT 'own of one that is not superseded', json_extract(session_state('dm:o1:u', '{"own":true}'),
  '$.session', '$.superseded_by'), '["dm:o1:u",null]';
SELECT 'own of another name', session_state('cars', '{"own":true}') ->> '$.session', 'dm:o1:u';
SELECT 'own of nobody', session_state('nobody', '{"own":true}'), NULL;
SELECT 'a recover that works is not of it', error_of('SELECT session_recover(''dm:o2:u'', ''{"own":true}'')'),
  'session_recover: own goes with dry_run: a superseded session is only read';
SELECT 'whose context', (SELECT group_concat(DISTINCT session) FROM session_context('dm:o2:u')), 'dm:o1:u';
SELECT 'whose turns', (SELECT group_concat(DISTINCT session) FROM turn_path('dm:o2:u')), 'dm:o1:u';
SELECT 'by another name', (SELECT group_concat(DISTINCT session) FROM turn_path('cars')), 'dm:o1:u';
SELECT 'its own, by its head', (SELECT group_concat(content || ifnull(session, '')) FROM
  session_context(session_state('dm:o2:u', '{"own":true}') ->> '$.head')), 'rent a car';
SELECT 'and its own turns', (SELECT count(*) || ifnull(max(session), '') FROM
  turn_path(session_state('dm:o2:u', '{"own":true}') ->> '$.head')), '1';
SELECT 'only those of one session', (SELECT count(*) FROM session_context('dm:o2:u') WHERE session = 'dm:o2:u'), 0;
SELECT 'a tree is nobody''s', error_of('SELECT session FROM turn_tree(16777216)'), 'no such column: session';
SELECT 'all of that only read', dump_of() = d, 1 FROM old;

---- Linking and unlinking leave events in the session that they are about

CREATE TEMP VIEW links AS SELECT session_label AS label, "trigger" AS what, data FROM session_events
  WHERE "trigger" IN ('link', 'unlink') ORDER BY id;
SELECT session_deliver(NULL, 'hello there', '{"envelope":{"channel":"ev","sender_id":"e1"},"class":"NewTask"}');
SELECT identity_link('ev', 'e1', 'eva');
SELECT 'linked', (SELECT json_array(label, what, json(data)) FROM links WHERE label = 'dm:ev:e1'),
  '["dm:ev:e1","link",{"channel":"ev","sender":"e1","entity":"eva"}]';
SELECT identity_link('ev', 'e1', 'eva');
SELECT 'the same once more is none', (SELECT count(*) FROM links WHERE label = 'dm:ev:e1'), 1;
SELECT identity_link('ev', 'e2', 'eva');
SELECT 'a second sender', (SELECT group_concat(data ->> '$.sender') FROM links WHERE label = 'dm:ev:e1'), 'e1,e2';
SELECT identity_unlink('ev', 'e2');
SELECT 'unlinked', (SELECT group_concat(what || ' ' || (data ->> '$.sender')) FROM links
  WHERE label = 'dm:ev:e1'), 'link e1,link e2,unlink e2';
SELECT identity_link('ev', 'e1', 'evi', '{"force":1}');
SELECT 'by force: both', (SELECT group_concat(what || ' ' || (data ->> '$.entity')) FROM links
  WHERE label = 'dm:ev:e1' AND data ->> '$.sender' = 'e1'), 'link eva,unlink eva,link evi';
SELECT identity_link('ev', 'nobody yet', 'someone');
SELECT 'where there is no session there is none', (SELECT count(*) FROM links WHERE data ->> '$.entity' = 'someone'), 0;
SELECT 'the timeline has them', (SELECT count(*) FROM session_timeline WHERE session_label = 'dm:ev:e1'
  AND what LIKE 'active: %link'), 5;
SELECT 'the file is sound with them', (SELECT group_concat(rule) FROM turnstile_check), NULL;

---- What a host without turns works on is its own, wherever its session goes

SELECT session_deliver(NULL, 'theirs ' || value, json_object('class', 'NewTask', 'envelope',
    json_object('channel', 'nt' || value, 'sender_id', 'u'))) ->> '$.action' FROM json_each('[1,2]');
SELECT turn_append('dm:nt1:u', '[{"role":"user","content":"a"}]');
SELECT session_deliver(NULL, 'theirs too', '{"class":"Modification","envelope":{"channel":"nt1","sender_id":"u"}}') ->> '$.action';
SELECT identity_link('nt1', 'u', 'nat') ->> '$.action'; SELECT identity_link('nt2', 'u', 'nat') ->> '$.action';
SELECT 'merged: it is handed over there', (SELECT line FROM waits WHERE label = 'dm:nt1:u'), 'theirs 2 handed | theirs too handed';
SELECT 'merged: no turn takes it', turn_begin('dm:nt1:u', 'w'), NULL;
SELECT identity_unlink('nt2', 'u') ->> '$.session';
SELECT 'unlinked: so it is where it goes', (SELECT line FROM waits WHERE label = 'dm:nt2:u'), 'theirs 2 handed';
SELECT 'unlinked: no turn takes it', turn_begin('dm:nt2:u', 'w'), NULL;
SELECT 'its host has had it once', (SELECT group_concat(attempts) FROM session_queue WHERE message LIKE 'theirs%'), '1,1,1';
SELECT session_deliver(NULL, 'and more', '{"class":"Modification","envelope":{"channel":"nt2","sender_id":"u"}}') -> '$.inputs';
SELECT 'and is not told it again', (SELECT line FROM waits WHERE label = 'dm:nt2:u'), 'and more handed';
SELECT 'the file is sound with that', (SELECT group_concat(rule) FROM turnstile_check), NULL;

---- Where there is no session yet, the row of identities is the record of a link

CREATE TEMP TABLE unmet AS SELECT count(*) AS n FROM session_events;
SELECT 'linked before anything was said', identity_link('sms', '+1', 'rosa of old') ->> '$.session', NULL;
SELECT 'no session can carry the event', count(*) - n, 0 FROM session_events, unmet;
SELECT 'the row can', (SELECT linked_at > 0 FROM identities WHERE channel = 'sms' AND sender_id = '+1'), 1;
SELECT count(identity_unlink('sms', '+1'));
SELECT 'nor that of an unlink', count(*) - n, 0 FROM session_events, unmet;
SELECT 'the row is gone', (SELECT count(*) FROM identities WHERE channel = 'sms' AND sender_id = '+1'), 0;
