// tests/attack/connections.mjs: opens very many connections, also slow ones. Meanwhile the server must answer the dashboard.
//
//   import { crowd } from './connections.mjs';
//   const { held, answered, slowest_ms } = await crowd(farm, { connections: 2000, seconds: 3 });
//   node tests/attack/connections.mjs                                        CONNECTIONS=n VIVACE_BUILD=folder
//
// Several processes open the connections, from many loopback addresses. Each process opens as many files as its limit allows.
// A third of the connections sends nothing. A third has begun a head, a third a body; both add a byte now and then (slow loris).
import { execFileSync, fork } from 'node:child_process';
import { connect } from 'node:net';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFarm } from '../api/harness.mjs';

/** How many files a process may have open. The server is started with the same limit. */
export const files = () => Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) || 1024;

const beginnings = ['', 'GET /api/v1/workloads HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{'];

/** Runs in a process of its own: opens `count` connections from the addresses 127.`first`.x.y and keeps them open. */
function hold({ port, count, first }) {
  const open = new Set();
  let next = 0, refused = 0;
  const one = () => {
    const n = next++;
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.${first}.${1 + (n % 200)}.${1 + (Math.floor(n / 200) % 200)}` });
    socket.on('connect', () => { open.add(socket); if (beginnings[n % 3]) socket.write(beginnings[n % 3]); });
    socket.on('error', () => { refused++; });
    socket.on('close', () => open.delete(socket));
  };
  const opening = setInterval(() => { for (let i = 0; i < 200 && next < count; i++) one(); }, 20);
  setInterval(() => { for (const s of open) if (s.writable && s.bytesWritten > 0 && Math.random() < 0.05) s.write('x'); }, 500);
  setInterval(() => process.send({ held: open.size, asked: next, refused }), 200);
  process.on('message', () => { clearInterval(opening); process.exit(0); });
}

/** Opens the connections. Then asks for the page, /healthz and a list for `seconds`, as a user who came before the crowd does. */
export async function crowd(farm, { connections, seconds }) {
  const port = Number(new URL(farm.url).port), each = Math.max(1, files() - 100), said = [];
  const processes = Array.from({ length: Math.ceil(connections / each) }, (_, i) => {
    const p = fork(fileURLToPath(import.meta.url), ['hold', JSON.stringify({ port, count: Math.min(each, connections - i * each), first: 10 + i })]);
    said.push({ held: 0, asked: 0, refused: 0 });
    p.on('message', (m) => { said[i] = m; });
    return p;
  });
  const held = () => said.reduce((n, m) => n + m.held, 0);
  const result = { held: 0, answered: 0, failed: 0, slowest_ms: 0 };
  try {
    for (let before = -1; said.reduce((n, m) => n + m.asked, 0) < connections || held() > before; await sleep(400)) {
      before = held();
      result.held = Math.max(result.held, before);
    }
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(50)) {
      result.held = Math.max(result.held, held());
      for (const path of ['//', '//healthz', '/workloads']) await ask(farm, path, result);
    }
  } finally {
    for (const p of processes) p.send('end');
    await Promise.all(processes.map((p) => new Promise((done) => p.on('exit', done))));
  }
  return result;
}

async function ask(farm, path, result) {
  const started = Date.now();
  const r = await farm.request('GET', path).catch(() => null);
  await r?.body?.cancel();
  if (r?.status === 200) result.answered++;
  else result.failed++;
  result.slowest_ms = Math.max(result.slowest_ms, Date.now() - started);
}

async function main() {
  const connections = Number(process.env.CONNECTIONS || Math.min(100000, files() - 1000)); // the server has the same limit of open files
  const farm = await startFarm({ args: ['--test-connections', String(connections + 1000), '--max-connections-per-ip', '1000', '--test-idle', '1h'] });
  try {
    const r = await crowd(farm, { connections, seconds: 10 });
    console.log(`${r.held} of ${connections} connections held at once (${files()} files a process); meanwhile ${r.answered} requests were answered, ${r.failed} were not, the slowest took ${r.slowest_ms} ms`);
    process.exitCode = r.failed ? 1 : 0;
  } finally {
    await farm.stop();
  }
}
if (process.argv[2] === 'hold') hold(JSON.parse(process.argv[3]));
else if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
