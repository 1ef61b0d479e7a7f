// LangGraph for JavaScript: SqliteSaver, called as a graph calls it, but once a turn.
import path from 'node:path';
import { uuid6 } from '@langchain/langgraph-checkpoint';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';

export class Peer {
  name = 'LangGraph SqliteSaver';
  more = 'each checkpoint holds the whole state, so that any of them is read at once';
  less = 'no list by age, no queue; one put a turn, where a graph makes two or more and reads the state first';
  operations = ['store', 'read', 'last', 'fork', 'disk'];

  open(folder) {
    this.saver = SqliteSaver.fromConnString(path.join(folder, 'checkpoints.db'));
    this.states = new Map();
    this.configs = new Map();
    this.step = 0;
  }

  begin(label) {
    this.states.set(label, []);
    this.configs.set(label, { configurable: { thread_id: label, checkpoint_ns: '' } });
  }

  put(config, messages) {
    const version = ++this.step;
    const checkpoint = {
      v: 4, id: uuid6(version), ts: new Date().toISOString(), channel_values: { messages },
      channel_versions: { messages: version }, versions_seen: {},
    };
    return this.saver.put(config, checkpoint, { source: 'loop', step: version, parents: {} });
  }

  add(label, user, answer) {
    this.states.get(label).push({ role: 'user', content: user }, { role: 'assistant', content: answer });
  }

  async store(label, user, answer) {
    this.add(label, user, answer);
    this.configs.set(label, await this.put(this.configs.get(label), this.states.get(label)));
  }

  // The state after all turns. The checkpoints before it would hold the square of it.
  async fill(label, texts) {
    for (const [user, answer] of texts) this.add(label, user, answer);
    this.configs.set(label, await this.put(this.configs.get(label), this.states.get(label)));
  }

  async messages(label) {
    const found = await this.saver.getTuple({ configurable: { thread_id: label, checkpoint_ns: '' } });
    return found.checkpoint.channel_values.messages;
  }

  async read(label) {
    return (await this.messages(label)).length;
  }

  async last(label, n) {
    return (await this.messages(label)).slice(-n).length;
  }

  // What updateState does: the state at a checkpoint, put as its new child.
  async fork(label) {
    const found = await this.saver.getTuple(this.configs.get(label));
    await this.put(found.config, found.checkpoint.channel_values.messages);
  }

  close() {
    this.saver.db.close();
  }
}
