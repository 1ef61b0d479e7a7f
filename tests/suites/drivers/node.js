// The extension in Node with better-sqlite3: node node.js BUILDDIR
//
// Needs `npm install` in this folder. Loads, installs, delivers by sugar and by the door, works in
// transactions, and looks at errors, types and closing.

'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const Database = require('better-sqlite3');

const build = process.argv[2];
if (!build) {
  console.error('usage: node node.js BUILDDIR');
  process.exit(2);
}
const library = ['turnstile.so', 'turnstile.dylib', 'turnstile.dll']
  .map((name) => path.resolve(build, name))
  .find((file) => fs.existsSync(file));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'turnstile-'));
let passed = 0;
let failed = 0;

function check(what, got, expected) {
  if (JSON.stringify(got) === JSON.stringify(expected)) {
    passed++;
  } else {
    failed++;
    console.log(`${what}\n  got      ${JSON.stringify(got)}`);
    console.log(`  expected ${JSON.stringify(expected)}`);
  }
}

// The error that a call throws must match.
function throws(what, pattern, code, call) {
  try {
    call();
    check(what, 'no error', String(pattern));
  } catch (error) {
    check(what, pattern.test(error.message) ? error.code : error.message, code);
  }
}

function open() {
  const db = new Database(path.join(folder, 'test.db'));
  db.loadExtension(library);
  return db;
}

const db = open();
db.pragma('journal_mode = WAL');
check('install', db.prepare('SELECT turnstile_install() > 0').pluck().get(), 1);

const deliver = db.prepare('SELECT session_deliver(?, ?)').pluck();
check('sugar', JSON.parse(deliver.get('main', 'write the report')).action, 'start');

const door = db
  .prepare('INSERT INTO turnstile(command, args) VALUES(?, ?) RETURNING turnstile_result()')
  .pluck();
const call = (command, ...args) => door.get(command, JSON.stringify(args));
check('the door', call('session_transition', 'main', 'AwaitingUser', { question: 'Which?' }),
  'AwaitingUser');
check('the door is a write for the driver', [door.readonly, door.reader], [false, true]);
check('sugar is a read for the driver', [deliver.readonly, deliver.reader], [true, true]);
check('all()', deliver.all('main', 'as a table').map((d) => JSON.parse(d).class), ['Response']);

const run = db.prepare('INSERT INTO turnstile(command, args) VALUES(?, ?)');
check('run() says nothing of changes', run.run('session_note', '["main","by run"]').changes, 0);
check('and it happened',
  db.prepare(`SELECT count(*) FROM observations WHERE data LIKE '%by run%'`).pluck().get(), 1);

// Transactions.
const count = db.prepare('SELECT count(*) FROM observations WHERE auto = 0').pluck();
const two = db.transaction((fail) => {
  call('session_note', 'main', 'one');
  call('session_note', fail ? 'nobody' : 'main', 'two');
});
const before = count.get();
throws('an error ends the transaction', /^session_note: .*nobody/, 'SQLITE_ERROR', () => two(true));
check('rolled back', count.get(), before);
two(false);
check('committed', count.get(), before + 2);
const outer = db.transaction(() => {
  try {
    two(true); // a savepoint inside
  } catch (error) {
    call('session_note', 'main', 'instead');
  }
});
outer();
check('a nested transaction', count.get(), before + 3);

// Errors.
throws('a refused move', /^session_transition: .*Running.*Complete/, 'SQLITE_CONSTRAINT',
  () => call('session_transition', 'main', 'Complete'));
call('turn_begin', 'held', 'A1', { messages: [{ role: 'user', content: 'go' }] });
throws('busy', /^turn_begin: session 'held' is busy/, 'UNKNOWN_SQLITE_ERROR_21509',
  () => call('turn_begin', 'held', 'A2'));
throws('an error of sugar', /^session_deliver: message is missing/, 'SQLITE_ERROR',
  () => db.prepare(`SELECT session_deliver('main')`).get());
throws('an unknown command', /^turnstile: command 'no_such' is unknown/, 'SQLITE_ERROR',
  () => call('no_such'));
throws('a guard', /append-only/, 'SQLITE_CONSTRAINT_TRIGGER',
  () => db.exec('DELETE FROM session_events'));
check('no transaction is left open', db.inTransaction, false);

// Types.
check('NULL', db.prepare(`SELECT session_state('nobody')`).pluck().get(), null);
check('a number is a number', typeof call('session_note', 'main', 'n'), 'number');
check('unicode', JSON.parse(deliver.get('🦊', 'schreib den Bericht — bitte')).session, '🦊');
throws('a bigger number than JavaScript holds', /now is .*9007199254740991/, 'SQLITE_ERROR',
  () => db.prepare('SELECT session_deliver(?, ?, ?)').get('main', 'x', '{"now":9007199254740992}'));
throws('a JavaScript number is REAL', /text/, 'SQLITE_ERROR', () => deliver.get('main', 7));

// A function of the host's as the classifier.
db.function('my_classifier', (message, state, task, question) => 'Clarification');
db.prepare(`SELECT turnstile_classifier('my_classifier')`).get();
check('the classifier', JSON.parse(deliver.get('main', 'build a shop')).class,
  'Clarification');

// While rows are being read.
const labels = [];
for (const label of db.prepare('SELECT label FROM sessions ORDER BY 1').pluck().iterate()) {
  labels.push(label);
}
check('iterate', labels.filter((label) => label !== 'held'), ['main', '🦊']);
check('stale_sessions',
  db.prepare('SELECT band FROM stale_sessions WHERE label = ? AND include_fresh = 1').pluck()
    .get('main'), 'fresh');

// A second connection, and closing both.
const other = open();
check('another connection sees it',
  JSON.parse(other.prepare(`SELECT session_state('main')`).pluck().get()).task_state, 'Running');
other.close();
db.close();
check('closed', [db.open, other.open], [false, false]);
const last = open();
check('integrity', last.pragma('integrity_check', { simple: true }), 'ok');
last.close();
fs.rmSync(folder, { recursive: true });

console.log(`driver node: ${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
