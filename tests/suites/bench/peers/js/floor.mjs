// The floor through better-sqlite3: plain tables, the least rows that a competent person would write for the job.
import path from 'node:path';
import Database from 'better-sqlite3';

const TABLES = `
CREATE TABLE message(id INTEGER PRIMARY KEY, session INTEGER NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,
                     at INTEGER NOT NULL);
CREATE INDEX message_by_session ON message(session, id);
CREATE TABLE session(id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, parent INTEGER, parent_message INTEGER,
                     state TEXT, data TEXT, last_activity INTEGER NOT NULL);
CREATE INDEX session_by_activity ON session(last_activity);
CREATE TABLE job(id INTEGER PRIMARY KEY, message TEXT NOT NULL, status INTEGER NOT NULL DEFAULT 0,
                 token INTEGER NOT NULL DEFAULT 0, owner TEXT);
CREATE INDEX job_waiting ON job(id) WHERE status = 0;`;

export class Peer {
  name = 'plain tables';
  more = '';
  less = 'no history, no guards, no look at what is asked; a stored turn does not touch its session';
  operations = ['store', 'read', 'last', 'fork', 'stale', 'push', 'take', 'move', 'disk'];

  open(folder) {
    const db = (this.db = new Database(path.join(folder, 'plain.db')));
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.exec(TABLES);
    this.sql = {
      begin: db.prepare("INSERT INTO session(label, state, last_activity) VALUES (?, 'Running', ?)"),
      store: db.prepare(
        "INSERT INTO message(session, role, content, at) VALUES (?, 'user', ?, ?), (?, 'assistant', ?, ?)"),
      read: db.prepare('SELECT role, content FROM message WHERE session = ? ORDER BY id'),
      last: db.prepare('SELECT role, content FROM message WHERE session = ? ORDER BY id DESC LIMIT ?'),
      fork: db.prepare(`INSERT INTO session(label, parent, parent_message, last_activity)
        SELECT ?, ?, max(id), ? FROM message WHERE session = ?`),
      stale: db.prepare('SELECT label, state, data, 10000000000 - last_activity FROM session WHERE last_activity < ?'),
      push: db.prepare('INSERT INTO job(message) VALUES (?)'),
      take: db.prepare(`UPDATE job SET status = 1, token = token + 1, owner = 'worker'
        WHERE id = (SELECT id FROM job WHERE status = 0 ORDER BY id LIMIT 1) RETURNING id, token, message`),
      done: db.prepare('UPDATE job SET status = 2 WHERE id = ? AND token = ?'),
      move: db.prepare(
        'UPDATE session SET state = ?, data = ?, last_activity = ? WHERE label = ? AND state = ?'),
    };
    this.ids = new Map();
    this.moves = new Map();
  }

  begin(label) {
    this.ids.set(label, this.sql.begin.run(label, Date.now()).lastInsertRowid);
  }

  store(label, user, answer) {
    const [id, now] = [this.ids.get(label), Date.now()];
    this.sql.store.run(id, user, now, id, answer, now);
  }

  fill(label, texts) {
    for (const [user, answer] of texts) this.store(label, user, answer);
  }

  read(label) {
    return this.sql.read.all(this.ids.get(label)).length;
  }

  last(label, n) {
    return this.sql.last.all(this.ids.get(label), n).reverse().length;
  }

  fork(label, to) {
    const id = this.ids.get(label);
    this.sql.fork.run(to, id, Date.now(), id);
  }

  fill_stale(n) {
    this.db.transaction(() => {
      for (let i = 1; i <= n; i++) {
        this.sql.begin.run(`s${i}`, 10000000000 - (i % (n / 100) ? (i % 3600) * 1000 : 172800000));
      }
    })();
  }

  stale() {
    return this.sql.stale.all(10000000000 - 86400000).length;
  }

  push(i, text) {
    this.sql.push.run(text);
  }

  take() {
    const { id, token } = this.sql.take.get();
    this.sql.done.run(id, token);
  }

  move(i) {
    const label = `m${i % 50}`;
    if (!this.moves.has(label)) {
      this.begin(label);
      this.moves.set(label, 'Running');
    }
    const from = this.moves.get(label);
    const to = from === 'Running' ? 'AwaitingUser' : 'Running';
    this.sql.move.run(to, '{"question":"Which one?"}', Date.now(), label, from);
    this.moves.set(label, to);
  }

  close() {
    this.db.close();
  }
}
