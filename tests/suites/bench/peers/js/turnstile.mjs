// Turnstile through better-sqlite3.
import path from 'node:path';
import Database from 'better-sqlite3';

const LAST = `SELECT m.role, m.content
  FROM (SELECT turn_id, depth FROM turn_path(?) ORDER BY depth DESC LIMIT ? / 2) p
  JOIN messages m ON m.place BETWEEN p.turn_id << 12 AND p.turn_id << 12 | 4095
 ORDER BY p.depth, m.place`;

export class Peer {
  name = 'Turnstile';
  more = 'guards, history, a tree of turns, usage; taking an input stores its turn, under a lease with a fencing token';
  less = '';
  operations = ['store', 'read', 'last', 'fork', 'stale', 'push', 'take', 'move', 'disk'];

  open(folder) {
    const db = (this.db = new Database(path.join(folder, 'turnstile.db')));
    db.loadExtension(this.setup.library);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.prepare('SELECT turnstile_install()').get();
    const one = (sql) => db.prepare(sql).pluck();
    this.sql = {
      append: one('SELECT turn_append(?, ?)'),
      context: db.prepare('SELECT role, content FROM session_context(?)'),
      last: db.prepare(LAST),
      fork: one('SELECT session_fork(?, ?)'),
      stale: db.prepare('SELECT label, state, task, idle_ms FROM stale_sessions(?)'),
      push: one('SELECT queue_push(?, ?)'),
      begin: one("SELECT turn_begin(?, 'worker')"),
      complete: one('SELECT turn_complete(?, ?)'),
      start: one("SELECT session_start(?, 'a task')"),
      ask: one(`SELECT session_transition(?, 'AwaitingUser', '{"question":"Which one?"}')`),
      run: one("SELECT session_transition(?, 'Running')"),
    };
    this.moves = new Map();
  }

  begin() {}

  store(label, user, answer) {
    const messages = [{ role: 'user', content: user }, { role: 'assistant', content: answer }];
    return this.sql.append.get(label, JSON.stringify(messages));
  }

  fill(label, texts) {
    for (const [user, answer] of texts) this.turn = this.store(label, user, answer);
  }

  read(label) {
    return this.sql.context.all(label).length;
  }

  last(label, n) {
    return this.sql.last.all(label, n).length;
  }

  fork(label, to) {
    this.sql.fork.get(this.turn, to);
  }

  // A hundred lie for two days, all others for an hour or less.
  fill_stale(n) {
    this.now = 10000000000;
    const label = (i) => `s${String(i).padStart(7, '0')}`;
    const session = this.db.prepare(`INSERT INTO sessions(label, open_task_id, created_at, updated_at, last_activity)
      VALUES (?, ?, 0, 0, ?)`);
    const task = this.db.prepare(`INSERT INTO tasks(id, session_label, description, started_at, last_activity)
      VALUES (?, ?, 'a task', 0, 0)`);
    this.db.transaction(() => {
      for (let i = 1; i <= n; i++) session.run(label(i), i, this.now - (i % (n / 100) ? (i % 3600) * 1000 : 172800000));
      for (let i = 1; i <= n; i++) task.run(i, label(i));
    })();
  }

  stale() {
    return this.sql.stale.all(BigInt(this.now)).length;
  }

  push(i, text) {
    this.sql.push.get(`q${i}`, text);
  }

  take(i) {
    const { turn, token } = JSON.parse(this.sql.begin.get(`q${i}`));
    this.sql.complete.get(turn, token);
  }

  move(i) {
    const label = `m${i % 50}`;
    if (!this.moves.has(label)) {
      this.sql.start.get(label);
      this.moves.set(label, 'Running');
    }
    this.moves.set(label, (this.moves.get(label) === 'Running' ? this.sql.ask : this.sql.run).get(label));
  }

  close() {
    this.db.close();
  }
}
