// bench/load.mjs: a large farm on one server: workers that wait for jobs and beat, event streams, uploads over people's lines,
// visitors, and jobs that come and go at a given rate. Then more than it can do: what is refused is refused quickly, and what was
// taken is finished.
//
//   node bench/load.mjs [SECONDS [IDLE [JOBS_A_SECOND [STREAMS [UPLOADS]]]]]      default: 60 10000 1000 2000 16
//
// Wants twice as many open files as there are sockets (ulimit -n). All clients share the machine with the server.
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
const room = String(IDLE + STREAMS + 2000);
const farm = await startFarm({ args: ['--connections', room, '--connections-an-address', room,
  '--uploads-most', '100', '--requests-a-second', '0'] });

const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${farm.server.pid}/status`, 'utf8'))[1]) / 1024;
const ms = (times, ...parts) => {
  const t = times.sort((a, b) => a - b);
  return parts.map((p) => (t[Math.min(t.length - 1, Math.floor(p * t.length))] ?? 0).toFixed(1)).join(', ');
};

/** The crowd, on its own thread; resolves when all of it is there. */
async function gather(busy) {
  const [host, port] = farm.listen.split(':');
  const thread = new Worker(new URL('./load_crowd.mjs', import.meta.url), { workerData: { host, port: Number(port), owner: farm.token, worker: busy.token,
    about: { ...busy.about, engines: ['cycle'], slots: 1 }, idle: IDLE, streams: STREAMS } });
  const next = () => new Promise((done, failed) => { thread.once('message', done); thread.once('error', failed); });
  await next();
  return { over() { const told = next(); thread.postMessage('over'); return told; } };
}

/** Leases and finishes packs at the wanted rate. */
async function work(w, state) {
  const leased = [], finished = [];
  for (let began = performance.now(); !state.over;) {
    const asked = performance.now(), leases = await w.claimPack(1, PACK);
    leased.push(performance.now() - asked);
    if (leases.length === 0) throw new Error('the queue is empty: it was made too short');
    const done = performance.now();
    await w.finish(leases);
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

const pages = ['/workloads?limit=50', '/farm', '/runs?limit=50', '/workers?limit=100'];
async function visit(state, pause) {
  const times = [], refused = [], statuses = {};
  for (let n = 0; !state.over; n++) {
    const began = performance.now();
    let status = 0;
    try {
      const answer = await farm.request('GET', pages[n % pages.length]);
      status = answer.status;
      await answer.arrayBuffer();
      if (status >= 400 && !answer.headers.has('retry-after')) status = `${status} without Retry-After`;
    } catch (error) {
      status = error.cause?.code ?? error.message;
    }
    (status === 200 ? times : refused).push(performance.now() - began);
    statuses[status] = (statuses[status] ?? 0) + 1;
    await sleep(status === 200 ? pause : Math.max(pause, 50));
  }
  return { times, refused, statuses };
}

async function steady(w) {
  const state = { over: false, jobs: 0, bytes: 0, paced: true }, used = [cpuOf(farm.server.pid), cpuOf(farm.postgresPid())];
  const began = performance.now(), uploads = Promise.all(Array.from({ length: UPLOADS }, (_, n) => upload(state, n)));
  const working = work(w, state), visiting = visit(state, 50);
  const memory = [];
  while (performance.now() - began < SECONDS * 1000) {
    memory.push(resident());
    await sleep(1000);
  }
  state.over = true;
  const { leased, finished } = await working, { times, statuses } = await visiting;
  await uploads;
  const s = (performance.now() - began) / 1000, cpu = [cpuOf(farm.server.pid) - used[0], cpuOf(farm.postgresPid()) - used[1]].map((x) => ((100 * x) / s).toFixed(0));
  console.log(`${IDLE} workers waiting, ${STREAMS} streams, ${UPLOADS} uploads (${(state.bytes / 1e6 / s).toFixed(0)} MB/s): ${(state.jobs / s).toFixed(0)} jobs/s for ${s.toFixed(0)} s`);
  console.log(`  lease of a pack p50, p99, most ${ms(leased, 0.5, 0.99, 1)} ms; results ${ms(finished, 0.5, 0.99, 1)} ms; pages ${ms(times, 0.5, 0.99, 1)} ms ${JSON.stringify(statuses)}`);
  console.log(`  server ${memory[0].toFixed(0)} MiB at first, ${memory.at(-1).toFixed(0)} at last; CPU: server ${cpu[0]} %, PostgreSQL ${cpu[1]} % of a core`);
  return state.jobs;
}

/** As many visitors as come, without pause, beside jobs as fast as they go. */
async function crowded(w) {
  const state = { over: false, jobs: 0, paced: false }, visitors = Array.from({ length: CROWD }, () => visit(state, 0)), working = work(w, state);
  await sleep(CROWDED_S * 1000);
  state.over = true;
  const { leased } = await working, all = await Promise.all(visitors), statuses = {};
  for (const v of all) for (const [k, n] of Object.entries(v.statuses)) statuses[k] = (statuses[k] ?? 0) + n;
  console.log(`${CROWD} visitors without pause beside it: answers ${JSON.stringify(statuses)}; answered in p50, p99 ${ms(all.flatMap((v) => v.times), 0.5, 0.99)} ms, `
    + `refused in ${ms(all.flatMap((v) => v.refused), 0.5, 0.99)} ms; ${(state.jobs / CROWDED_S).toFixed(0)} jobs/s, lease p50, p99 ${ms(leased, 0.5, 0.99)} ms; server ${resident().toFixed(0)} MiB`);
  return state.jobs;
}

try {
  const w = await new ScriptedWorker(farm, { name: 'busy', engines: ['replay'], slots: 4096 }).open();
  fill(farm, Math.ceil(RATE * SECONDS * 1.1) + 300_000, await model(farm));
  const done = () => Number(farm.psql("SELECT count(*) FROM job WHERE state = 'done'")), before = done();
  const crowd = await gather(w);
  const taken = await steady(w) + await crowded(w), kept = done() - before;
  console.log(`results acknowledged ${taken}, in the database ${kept}${taken === kept ? '' : ': NOT THE SAME'}`);
  const saw = await crowd.over();
  console.log(`the crowd: ${saw.sessions} workers, ${saw.streams} streams, ${saw.polls} polls (p1, p50, p99 ${saw.poll.map((x) => (x / 1000).toFixed(1)).join(', ')} s), ${saw.beats} beats `
    + `(p50, p99 ${saw.beat.map((x) => x.toFixed(1)).join(', ')} ms), answers ${JSON.stringify(saw.statuses)}, connections lost ${saw.lost}`);
  process.exitCode = taken === kept && saw.lost === 0 ? 0 : 1;
} finally {
  await farm.stop();
}
