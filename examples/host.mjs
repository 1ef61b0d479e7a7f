// host.mjs DATABASE [LIBRARY] - the loop of a chat host: one line in, one reply out.
//
// The same as host.py, for Node.js with better-sqlite3 (npm install better-sqlite3). Everything
// about the conversation is in the database, so this program can be stopped and started between
// any two lines. Put your agent where `agent` is.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

const Database = createRequire(import.meta.url)('better-sqlite3');

// Stands for a model and its tools. Returns the reply, and what it means for the task.
function agent(session, action, inputs) {
  if (action === 'answer') return [`(an answer to: ${inputs.at(-1)})`, null];
  if (action === 'start') return ['Should that go into the settings page?', 'AwaitingUser'];
  command('session_observe', session, 'FileWrite', { path: 'settings.html' });
  return [`Done: ${inputs.join('; ')}`, 'PendingComplete'];
}

const [path = 'agent.db', library = 'turnstile'] = process.argv.slice(2);
const db = new Database(path, { timeout: 10000 });
db.loadExtension(library);
db.prepare('SELECT turnstile_install()').get();

// One command, through the door. all() and not get(): a command is durable when its statement has
// run to the end, and get() stops at the first row.
const door = db
  .prepare('INSERT INTO turnstile(command, args) VALUES (?, ?) RETURNING turnstile_result()')
  .pluck();
function command(name, ...args) {
  return door.all(name, JSON.stringify(args))[0];
}
command('turnstile_config', 'keeps_turns', 0); // this host works at once on what it is handed

// One message: what to do about it is what the decision's action says.
function handle(session, message) {
  const decision = JSON.parse(command('session_deliver', session, message));
  const { action } = decision;
  if (action === 'compact') return '(context shortened)'; // shorten the model's context here
  if (action === 'queue' || action === 'blocked' || !('queue_id' in decision)) {
    return decision.message ?? '(kept for later)'; // there is nothing to work on now
  }
  // A "/compact" that waited is among them; it is done with here, and no words for the model.
  const inputs = (decision.inputs ?? [{ message }]).filter((input) => input.action !== 'compact')
    .map((input) => input.message);
  const [reply, state] = agent(session, action, inputs); // start, continue or answer
  if (state) {
    const data = { [state === 'AwaitingUser' ? 'question' : 'summary']: reply };
    command('session_transition', session, state, data);
  }
  return reply;
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim()) console.log(`> ${line.trim()}\n${handle('main', line.trim())}\n`);
}
db.close();
