// tests/api/chaos/proxy.mjs: a proxy between two programs of a farm that simulates faults of networks: delays, broken
// connections, silence for seconds, lost answers, requests delivered twice.
//
//   const proxy = await startProxy({ listen: { port: 0, host: '127.0.0.1' }, target: { port, host }, seed: 7 });
//   proxy.set({ delay_ms: 200, cut: 0.01, twice: 0.1, stalled: false }); proxy.cut(); await proxy.stop();
//
// It runs in a separate process: in front of PostgreSQL it must run as the user of the database, and the bytes of a load test
// must not wait for the test's clients. Addresses are those of node's net: { port, host } or { path }. `twice` understands
// HTTP.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);

/** Starts one; `as`: { uid, gid, cwd } for spawn. Its source goes by the command line: that user may not read this folder. */
export async function startProxy({ listen, target, seed, as = {} }) {
  const source = readFileSync(here, 'utf8').replace(/^const here = .*$/m, '');
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${source}\nserve(${JSON.stringify({ listen, target, seed })});`],
    { stdio: ['pipe', 'pipe', 'inherit'], ...as });
  const ended = new Promise((done) => child.on('exit', done));
  const tell = (what) => child.exitCode === null && child.stdin.write(`${JSON.stringify(what)}\n`);
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout });
  const [first] = await Promise.race([new Promise((done) => lines.once('line', (l) => done([JSON.parse(l)]))), ended.then(() => [])]);
  if (!first) throw new Error('the proxy did not start');
  return {
    port: first.port,
    set: (shape) => tell({ shape }),
    cut: () => tell({ cut: true }),
    /** From now on new connections go to another target; existing ones are closed. */
    move: (to) => tell({ target: to, cut: true }),
    stop: () => { child.stdin.end(); return ended; },
  };
}

/** Whether these bytes are one whole HTTP request, head and body. */
function wholeRequest(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0 || !/^(POST|PUT|GET|DELETE) /.test(bytes.subarray(0, 8).toString('latin1'))) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.subarray(0, end).toString('latin1'));
  return bytes.length === end + 4 + Number(length?.[1] ?? 0);
}

class Passage {
  constructor(proxy, client) {
    this.proxy = proxy;
    this.client = client;
    this.server = connect(proxy.target);
    for (const socket of [this.client, this.server]) {
      socket.setNoDelay?.(true);
      socket.on('error', () => this.close());
      socket.on('close', () => this.close());
    }
    this.pass(this.client, this.server, true);
    this.pass(this.server, this.client, false);
  }
  close() {
    this.client.destroy();
    this.server.destroy();
    this.proxy.passages.delete(this);
  }
  /** Sends the pieces in order; each waits for the previous one. */
  async pass(from, to, asking) {
    try {
      for await (const piece of from) {
        await this.proxy.hold();
        if (this.proxy.chance(this.proxy.shape.cut)) {
          to.write(piece.subarray(0, Math.floor(this.proxy.next() * piece.length)));
          return setImmediate(() => this.close());
        }
        if (asking && this.proxy.chance(this.proxy.shape.twice) && wholeRequest(piece)) this.proxy.again(piece);
        if (!to.write(piece)) await new Promise((go) => { to.once('drain', go); to.once('close', go); });
      }
      to.end();
    } catch {
      this.close();
    }
  }
}

class Proxy {
  constructor(target, next) {
    this.target = target;
    this.next = next;
    this.passages = new Set();
    this.shape = { delay_ms: 0, cut: 0, twice: 0, stalled: false };
    this.waiting = [];
  }
  chance(p) {
    return p > 0 && this.next() < p;
  }
  async hold() {
    if (this.shape.delay_ms) await new Promise((go) => setTimeout(go, this.shape.delay_ms * this.next()));
    while (this.shape.stalled) await new Promise((go) => this.waiting.push(go));
  }
  /** Sends the same request again on another connection, and ignores its answer. */
  again(bytes) {
    setTimeout(() => {
      const socket = connect(this.target, () => socket.write(bytes));
      socket.on('error', () => {});
      socket.resume();
      setTimeout(() => socket.destroy(), 30000).unref();
    }, 1500 * this.next());
  }
  take(order) {
    if (order.shape) Object.assign(this.shape, order.shape);
    if (!this.shape.stalled) for (const go of this.waiting.splice(0)) go();
    if (order.target) this.target = order.target;
    if (order.cut) for (const p of [...this.passages]) p.close();
  }
}

/** Runs in the separate process; it ends when the parent closes its input. */
export function serve({ listen, target, seed }) {
  let x = seed % 2147483647 || 1;
  const proxy = new Proxy(target, () => (x = (x * 48271) % 2147483647) / 2147483647);
  const server = createServer((client) => proxy.passages.add(new Passage(proxy, client)));
  server.listen(listen, () => console.log(JSON.stringify({ port: server.address().port ?? 0 })));
  const orders = createInterface({ input: process.stdin });
  orders.on('line', (line) => proxy.take(JSON.parse(line)));
  orders.on('close', () => process.exit(0));
}
