// plainjob on better-sqlite3.
import path from 'node:path';
import Database from 'better-sqlite3';
import { better, defineQueue } from 'plainjob';

const quiet = { error() {}, warn() {}, info() {}, debug() {} };

export class Peer {
  name = 'plainjob';
  more = 'delays, schedules, a sweep for old jobs';
  less = 'flips a status without a fencing token; no sessions';
  operations = ['push', 'take'];

  open(folder) {
    this.db = new Database(path.join(folder, 'jobs.db'));
    this.queue = defineQueue({ connection: better(this.db), logger: quiet });
  }

  push(i, text) {
    this.queue.add('work', text);
  }

  take() {
    const { id } = this.queue.getAndMarkJobAsProcessing('work');
    this.queue.getJobById(id);
    this.queue.markJobAsDone(id);
  }

  close() {
    this.queue.close();
  }
}
