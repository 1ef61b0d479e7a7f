-- state.sql - session_state: where a session stands. It only reads.

SELECT turnstile_install();
SELECT turnstile_clock(1767225600000);

SELECT 'no session: NULL', session_state('nobody'), NULL;
SELECT 'and none is made', (SELECT count(*) FROM sessions), 0;
SELECT session_start('main', 'Add retries');
SELECT 'all of it', session_state('main', '{"now":1767225660000}'),
  '{"session":"main","task_state":"Running","state_data":null,"status":"active","status_reason":null,"run_state":"idle","owner":null,"live":false,"holder":null,"turn":null,"turn_phase":null,"head":null,"task_id":1,"task":"Add retries","pending_choice":null,"last_activity":1767225600000,"idle_ms":60000}';
CREATE TEMP TABLE was AS SELECT dump_of() AS d;
SELECT 'it writes nothing', session_state('main', '{"now":1767999999999}') IS NOT NULL, 1;
SELECT 'to see', dump_of() = d, 1 FROM was;

---- Each axis

SELECT session_transition('main', 'AwaitingUser', '{"question":"Which?"}');
SELECT 'the task', json_extract(session_state('main'), '$.task_state', '$.state_data.question'), '["AwaitingUser","Which?"]';
SELECT session_suspend('main', '{"reason":"maintenance"}');
SELECT 'the status', json_extract(session_state('main'), '$.status', '$.status_reason'), '["suspended","maintenance"]';
SELECT session_run('main', 'w1', 'starting');
SELECT 'the run', json_extract(session_state('main'), '$.run_state', '$.owner', '$.live'), '["starting","w1",false]';
SELECT session_resume('main');
SELECT turn_begin('turns', 'w2', '{"messages":[{"role":"user","content":"x"}],"lease":"1m"}') ->> '$.turn';
SELECT 'the turn, and who holds it', json_extract(session_state('turns'), '$.live', '$.holder', '$.turn', '$.turn_phase', '$.head'),
  '[true,{"owner":"w2","turn":16777216,"until":1767225660000},16777216,"processing",null]';
SELECT 'a lease that is over holds nothing', json_extract(session_state('turns', '{"now":1767225660001}'), '$.live', '$.holder', '$.owner'), '[false,null,"w2"]';
SELECT turn_complete(16777216, 1, '{"content":"y"}');
SELECT 'when it has ended', json_extract(session_state('turns'), '$.live', '$.holder', '$.turn', '$.head'), '[false,null,null,16777216]';
SELECT 'a host that keeps no turns waits for none', session_state('main') -> '$.due_at', NULL;

---- Other names

SELECT session_alias('nick', 'main');
SELECT 'an alias', session_state('nick') ->> '$.session', 'main';
SELECT session_start('dm:sms:+1555', 'book a table');
SELECT session_start('dm:mail:rosa', 'and a room');
SELECT identity_link('sms', '+1555', 'rosa');
SELECT identity_link('mail', 'rosa', 'rosa');
CREATE TEMP TABLE lost AS SELECT label, superseded_by FROM sessions WHERE superseded_by IS NOT NULL;
SELECT 'one was merged', (SELECT count(*) FROM lost), 1;
SELECT 'a superseded session leads to the other', session_state(label) ->> '$.session', superseded_by FROM lost;
SELECT 'own: itself', json_extract(session_state(label, '{"own":1}'), '$.session', '$.superseded_by'), json_array(label, superseded_by) FROM lost;
SELECT 'own of one that is none', session_state('main', '{"own":true}') ->> '$.superseded_by', NULL;

---- Both doors

INSERT INTO turnstile(command, args) VALUES ('session_state', '["main"]') RETURNING 'the door gives the same', turnstile_result(), session_state('main');
INSERT INTO turnstile(command, args) VALUES ('session_state', '{"label":"main","now":1767225999999}') RETURNING 'arguments by name', turnstile_result() ->> '$.task', 'Add retries';
BEGIN;
SELECT session_note('main', 'seen inside');
SELECT 'inside a transaction, as it is there', session_state('main', '{"now":1767225600007}') ->> '$.idle_ms', 7;
ROLLBACK;

---- Refusals

SELECT 'label NULL', error_of('SELECT session_state(NULL)'), 'session_state: label is missing';
SELECT 'label empty', error_of('SELECT session_state('''')'), 'session_state: label is empty';
SELECT 'label a number', error_of('SELECT session_state(7)'), 'session_state: label must be text, not an integer';
SELECT 'own is no yes or no', error_of('SELECT session_state(''main'', ''{"own":7}'')'), 'session_state: own is 7; it must be from 0 to 1';
SELECT 'an option that it has not', error_of('SELECT session_state(''main'', ''{"force":1}'')') LIKE 'session_state: unknown option ''force''; it takes: own, now%', 1;
