// xstate: an actor of the same states, and its persisted snapshot in a row of SQLite.
import path from 'node:path';
import Database from 'better-sqlite3';
import { assign, createActor, createMachine } from 'xstate';

const machine = createMachine({
  initial: 'Running',
  context: { question: null },
  states: {
    Running: {
      on: { ask: { target: 'AwaitingUser', actions: assign({ question: ({ event }) => event.question }) },
            finish: 'PendingComplete', stop: 'Interrupted' },
    },
    AwaitingUser: { on: { run: 'Running', abort: 'Aborted' } },
    Interrupted: { on: { run: 'Running', abort: 'Aborted' } },
    PendingComplete: { on: { run: 'Running', commit: 'Complete' } },
    Complete: { type: 'final' },
    Aborted: { type: 'final' },
  },
});

export class Peer {
  name = 'xstate, snapshots upserted';
  more = 'any machine, with actors inside; here the actors stay in memory';
  less = 'one row without history; a second process may write over it';
  operations = ['move'];

  open(folder) {
    this.db = new Database(path.join(folder, 'snapshots.db'));
    this.db.pragma('journal_mode = WAL');
    this.db.pragma('synchronous = NORMAL');
    this.db.exec('CREATE TABLE snapshot(id TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID');
    this.put = this.db.prepare('INSERT INTO snapshot VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data');
    this.actors = new Map();
  }

  move(i) {
    const label = `m${i % 50}`;
    let actor = this.actors.get(label);
    if (!actor) this.actors.set(label, (actor = createActor(machine).start()));
    actor.send(actor.getSnapshot().value === 'Running' ? { type: 'ask', question: 'Which one?' } : { type: 'run' });
    this.put.run(label, JSON.stringify(actor.getPersistedSnapshot()));
  }

  close() {
    this.db.close();
  }
}
