// bench/load.mjs: a large farm on one server: workers that wait for jobs and send heartbeats, event streams, uploads over slow
// connections, users of the dashboard, and jobs at a given rate. Then an overload: the server must refuse requests quickly, and
// finish the requests that it has accepted.
//
//   node bench/load.mjs [SECONDS [IDLE [JOBS_A_SECOND [STREAMS [UPLOADS]]]]]      default: 60 10000 1000 2000 16
//
// Needs twice as many open files as sockets (ulimit -n). All clients share the machine with the server.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startFarm } from '../tests/api/harness.mjs';
import { ScriptedWorker } from '../tests/api/scripted_worker.mjs';
import { cpuOf } from './cpu.mjs';
import { fill, model } from './queued_jobs.mjs';

const [SECONDS = 60, IDLE = 10_000, RATE = 1000, STREAMS = 2000, UPLOADS = 16] = process.argv.slice(2).map(Number);
const PACK = 32, LINE_BYTES_S = 2e6, PIECE = 8 << 20, CROWDED_S = 30, CROWD = 400;
const room = String(Math.ceil((IDLE + STREAMS + 2000) * 8 / 7)); // above seven eighths idle connections are closed
const farm = await startFarm({ args: ['--test-connections', room, '--max-connections-per-ip', room,
  '--test-uploads-most', '100', '--requests-a-second', '0'] });

const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${farm.server.pid}/status`, 'utf8'))[1]) / 1024;
const ms = (times, ...parts) => {
  const t = times.sort((a, b) => a - b);
  return parts.map((p) => (t[Math.min(t.length - 1, Math.floor(p * t.length))] ?? 0).toFixed(1)).join(', ');
};

/** A crowd of clients on its own thread; resolves when all clients are connected. */
async function gather(busy, { idle = 0, streams = 0, visitors = 0 }) {
  const [host, port] = farm.listen.split(':');
  const thread = new Worker(new URL('./load_crowd.mjs', import.meta.url), { workerData: { host, port: Number(port), owner: farm.token, worker: busy.token,
    about: { ...busy.about, engines: ['cycle'], slots: 1 }, idle, streams, visitors } });
  const next = () => new Promise((done, failed) => { thread.once('message', done); thread.once('error', failed); });
  await next();
  return { over() { const reported = next(); thread.postMessage('over'); return reported; } };
}

/** Retries like a worker when the server refuses a request because it is busy. */
let refusals = 0;
async function patiently(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (e) {
      if (e.status !== 503) throw e;
      refusals++;
      await sleep(200);
    }
  }
}

/** Leases and finishes packs at the requested rate. */
async function work(w, state) {
  const leased = [], finished = [];
  for (let began = performance.now(); !state.over;) {
    const asked = performance.now(), leases = await patiently(() => w.claimPack(1, PACK));
    leased.push(performance.now() - asked);
    if (leases.length === 0) throw new Error('the queue is empty: it was made too short');
    const done = performance.now();
    await patiently(() => w.finish(leases));
    finished.push(performance.now() - done);
    state.jobs += leases.length;
    const early = (state.jobs / RATE) * 1000 - (performance.now() - began);
    if (state.paced && early > 1) await sleep(early);
  }
  return { leased, finished };
}

const piece = Buffer.alloc(PIECE, 'what somebody measured ');
const digest = `sha-256=:${createHash('sha256').update(piece).digest('base64')}:`;
async function upload(state, n) {
  const { id } = await farm.api('POST', '/uploads', { name: `load-${n}.bin`, bytes: 64 * PIECE });
  for (let at = 0; at < 64 && !state.over; at++) {
    const began = performance.now(), { status } = await farm.request('PUT', `/uploads/${id}/pieces/${at}`, piece, { 'Content-Digest': digest });
    if (status !== 204) throw new Error(`upload ${n}, piece ${at}: ${status}`);
    state.bytes += PIECE;
    await sleep(Math.max(0, (PIECE / LINE_BYTES_S) * 1000 - (performance.now() - began)));
  }
  await farm.request('DELETE', `/uploads/${id}`);
}

async function steady(w) {
  const state = { over: false, jobs: 0, bytes: 0, paced: true }, used = [cpuOf(farm.server.pid), cpuOf(farm.postgresPid())];
  const began = performance.now(), uploads = Promise.all(Array.from({ length: UPLOADS }, (_, n) => upload(state, n)));
  const working = work(w, state), visitor = await gather(w, { visitors: 1 });
  const memory = [];
  while (performance.now() - began < SECONDS * 1000) {
    memory.push(resident());
    await sleep(1000);
  }
  state.over = true;
  const { leased, finished } = await working, { page, statuses } = await visitor.over();
  await uploads;
  const s = (performance.now() - began) / 1000, cpu = [cpuOf(farm.server.pid) - used[0], cpuOf(farm.postgresPid()) - used[1]].map((x) => ((100 * x) / s).toFixed(0));
  console.log(`${IDLE} workers waiting, ${STREAMS} streams, ${UPLOADS} uploads (${(state.bytes / 1e6 / s).toFixed(0)} MB/s): ${(state.jobs / s).toFixed(0)} jobs/s for ${s.toFixed(0)} s`);
  console.log(`  lease of a pack p50, p99, most ${ms(leased, 0.5, 0.99, 1)} ms; results ${ms(finished, 0.5, 0.99, 1)} ms; one visitor's pages p50, p99 ${page.p50.toFixed(1)}, ${page.p99.toFixed(1)} ms ${JSON.stringify(statuses)}`);
  console.log(`  server ${memory[0].toFixed(0)} MiB at first, ${memory.at(-1).toFixed(0)} at last; CPU: server ${cpu[0]} %, PostgreSQL ${cpu[1]} % of a core`);
  return state.jobs;
}

/** Overload: users send requests without pause, while jobs are processed at the maximum rate. */
async function crowded(w) {
  const state = { over: false, jobs: 0, paced: false }, visitors = await gather(w, { visitors: CROWD }), working = work(w, state);
  const cpu = () => [cpuOf(farm.server.pid), cpuOf(farm.postgresPid()), (process.cpuUsage().user + process.cpuUsage().system) / 1e6], used = cpu();
  await sleep(CROWDED_S * 1000);
  const share = cpu().map((x, i) => ((100 * (x - used[i])) / CROWDED_S).toFixed(0));
  state.over = true;
  const { leased } = await working, { first, page, refused, statuses, lost } = await visitors.over();
  console.log(`${CROWD} visitors without pause beside it: answers ${JSON.stringify(statuses)}, lost ${JSON.stringify(lost)}; their first page p50 ${first.p50.toFixed(0)}, pages p50, p99 ${page.p50.toFixed(0)}, ${page.p99.toFixed(0)} ms, `
    + `refused within p50, p99 ${refused.p50.toFixed(0)}, ${refused.p99.toFixed(0)} ms; ${(state.jobs / CROWDED_S).toFixed(0)} jobs/s, lease p50, p99 ${ms(leased, 0.5, 0.99)} ms; server ${resident().toFixed(0)} MiB; CPU: server ${share[0]} %, PostgreSQL ${share[1]} %, all clients ${share[2]} % of a core`);
  return state.jobs;
}

try {
  fill(farm, Math.ceil(RATE * SECONDS * 1.1) + 300_000, await model(farm));
  const w = await new ScriptedWorker(farm, { name: 'busy', engines: ['replay'], slots: 4096 }).open();
  const alive = setInterval(() => patiently(() => w.beat()), 5000);
  const done = () => Number(farm.psql("SELECT count(*) FROM job WHERE state = 'done'")), before = done();
  const crowd = await gather(w, { idle: IDLE, streams: STREAMS });
  const taken = await steady(w) + await crowded(w), kept = done() - before;
  console.log(`results acknowledged ${taken}, in the database ${kept}${taken === kept ? '' : ': NOT THE SAME'}`);
  const { sessions, streams, poll, beat, statuses, lost } = await crowd.over();
  console.log(`the crowd: ${sessions} workers, ${streams} streams; ${poll.count} polls held p1, p50, p99 ${[poll.p1, poll.p50, poll.p99].map((x) => (x / 1000).toFixed(1)).join(', ')} s; ${beat.count} beats `
    + `p50, p99 ${beat.p50.toFixed(1)}, ${beat.p99.toFixed(1)} ms; answers ${JSON.stringify(statuses)}, lost ${JSON.stringify(lost)}`);
  clearInterval(alive);
  console.log(`the server answered the busy worker ${refusals} times that it is busy; the worker asked again`);
  process.exitCode = taken === kept ? 0 : 1;
} finally {
  await farm.stop();
}
