// Runs the peers of js/ for run.py: node host.mjs REPLIES SETUP
//
// A line on standard input is one request, a line on the descriptor REPLIES is its answer. What a peer prints goes to
// standard error. A block of calls is timed here, so that the pipe is no part of it: the processor time of this program, or,
// where waiting for the disk is a part of it, time as it passes. host.py does the same.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';

const [replies, setup] = [Number(process.argv[2]), JSON.parse(fs.readFileSync(process.argv[3], 'utf8'))];
console.log = console.info = console.debug = console.error;
const load = async (name) => (await import(`./js/${name}.mjs`)).Peer;
const peers = new Map();

function sizeOf(folder) {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((f) => f.isFile())
    .reduce((sum, f) => sum + fs.statSync(path.join(f.parentPath ?? f.path, f.name)).size, 0);
}

// One open peer, and the operations in blocks: each gives microseconds a call.
class Timed {
  constructor(peer, folder, waits) {
    fs.mkdirSync(folder, { recursive: true });
    peer.setup = setup;
    Object.assign(this, { peer, folder, waits, next: 0, turns: Math.min(setup.turns, peer.turns_cap ?? Infinity) });
  }

  text() {
    return setup.texts[++this.next % setup.texts.length];
  }

  clock() {
    if (this.waits) return performance.now() * 1000;
    const { user, system } = process.cpuUsage();
    return user + system;
  }

  async each(what, calls, expected) {
    const peer = this.peer;
    const begun = this.clock();
    for (const args of calls) {
      let got = peer[what](...args);
      if (got instanceof Promise) got = await got;
      if (expected !== undefined && got !== expected) throw new Error(`${what} gave ${got}, not ${expected}`);
    }
    return (this.clock() - begun) / calls.length;
  }

  times(n, make) {
    return Array.from({ length: n }, (_, i) => make(i));
  }

  async open() {
    await this.peer.open(this.folder);
  }

  async fill() {
    await this.peer.begin('long');
    await this.peer.fill('long', this.times(this.turns, () => this.text()));
  }

  async fill_stale(n) {
    await this.peer.fill_stale(n);
  }

  async store(n) {
    const label = `s${this.next}`;
    await this.peer.begin(label);
    return this.each('store', this.times(n, () => [label, ...this.text()]));
  }

  read(n) {
    return this.each('read', this.times(n, () => ['long']), this.turns * 2);
  }

  last(n) {
    return this.each('last', this.times(n, () => ['long', 40]), Math.min(40, this.turns * 2));
  }

  fork(n) {
    this.next += n;
    return this.each('fork', this.times(n, (i) => ['long', `f${this.next - i}`]));
  }

  stale(n) {
    return this.each('stale', this.times(n, () => []), 100);
  }

  push(n) {
    return this.each('push', this.times(n, (i) => [i, this.text()[0]]));
  }

  take(n) {
    return this.each('take', this.times(n, (i) => [i]));
  }

  move(n) {
    return this.each('move', this.times(n, (i) => [i]));
  }

  // Bytes in files for each byte of text: sessions that grow interleaved, a turn at a time.
  async disk(n) {
    const labels = this.times(Math.max(1, Math.floor(n / 50)), (i) => `d${i}`);
    let said = 0;
    for (const label of labels) await this.peer.begin(label);
    for (let i = 0; i < n; i++) {
      const [user, answer] = this.text();
      said += Buffer.byteLength(user) + Buffer.byteLength(answer);
      await this.peer.store(labels[i % labels.length], user, answer);
    }
    await this.close();
    return sizeOf(this.folder) / said;
  }

  async close() {
    await this.peer.close();
  }
}

async function answer({ peer, do: what, n = 1, as = '', folder, waits }) {
  const Peer = await load(peer);
  if (what === 'about') {
    const { name, more, less, operations, by_hand, stale_cap, turns_cap } = new Peer();
    return { name, more, less, operations, by_hand, stale_cap, turns_cap };
  }
  if (what === 'open') peers.set(peer + as, new Timed(new Peer(), folder, waits));
  return (await peers.get(peer + as)[what](n)) ?? null;
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  let reply;
  try {
    reply = { ok: await answer(JSON.parse(line)) };
  } catch (error) {
    console.error(error);
    reply = { error: `${error.name}: ${error.message}`.slice(0, 300) };
  }
  fs.writeSync(replies, JSON.stringify(reply) + '\n');
}
process.exit(0);
