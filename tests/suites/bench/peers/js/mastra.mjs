// Mastra: Memory on LibSQLStore.
import path from 'node:path';
import { createClient } from '@libsql/client';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';

export class Peer {
  name = 'Mastra Memory, LibSQLStore';
  more = 'parts of messages, resources, working memory, room for vectors; a driver of its own (libsql)';
  less = 'no queue; a fork copies all messages';
  operations = ['store', 'read', 'last', 'fork', 'stale', 'disk'];
  // The time of reading grows with the square of the length: minutes for 10,000 turns.
  turns_cap = 1000;

  async open(folder) {
    const url = `file:${path.join(folder, 'mastra.db')}`;
    this.url = url;
    this.storage = new LibSQLStore({ id: 'bench', url });
    this.memory = new Memory({ storage: this.storage });
    this.at = 0;
    await this.storage.init();
  }

  async begin(label) {
    await this.memory.createThread({ resourceId: 'r', threadId: label, title: label });
  }

  message(label, role, text) {
    const n = ++this.at;
    const content = { format: 2, parts: [{ type: 'text', text }] };
    return { id: `m${n}`, role, type: 'text', createdAt: new Date(1767225600000 + n), threadId: label, resourceId: 'r', content };
  }

  pair(label, user, answer) {
    return [this.message(label, 'user', user), this.message(label, 'assistant', answer)];
  }

  async store(label, user, answer) {
    await this.memory.saveMessages({ messages: this.pair(label, user, answer) });
  }

  async fill(label, texts) {
    for (let k = 0; k < texts.length; k += 100) {
      await this.memory.saveMessages({ messages: texts.slice(k, k + 100).flatMap(([u, a]) => this.pair(label, u, a)) });
    }
  }

  async read(label) {
    return (await this.memory.recall({ threadId: label, resourceId: 'r', perPage: false })).messages.length;
  }

  async last(label, n) {
    const orderBy = { field: 'createdAt', direction: 'DESC' };
    return (await this.memory.recall({ threadId: label, resourceId: 'r', perPage: n, orderBy })).messages.reverse().length;
  }

  async fork(label, to) {
    await this.memory.cloneThread({ sourceThreadId: label, newThreadId: to });
  }

  async fill_stale(n) {
    const db = createClient({ url: this.url });
    const each = Math.floor(n / 100);
    await db.execute({
      sql: `WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < ?1)
        INSERT INTO mastra_threads(id, resourceId, title, createdAt, updatedAt)
        SELECT printf('x%07d', i), 'r', 'a thread', '2025-01-01T00:00:00.000Z',
               CASE WHEN i % ?2 THEN '2026-01-01T00:00:00.000Z' ELSE '2025-01-01T00:00:00.000Z' END FROM i`,
      args: [n, each],
    });
    db.close();
  }

  // The hundred that were written to least recently.
  async stale() {
    const orderBy = { field: 'updatedAt', direction: 'ASC' };
    const { threads } = await this.memory.listThreads({ orderBy, perPage: 100, page: 0 });
    return threads.filter((t) => new Date(t.updatedAt) < new Date('2025-12-31')).length;
  }

  async close() {
    await this.storage.close?.();
  }
}
