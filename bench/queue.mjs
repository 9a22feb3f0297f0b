// bench/queue.mjs: the rate at which the farm leases jobs and stores their results. It uses a real server, its private
// PostgreSQL, and clients without other work (queue_client). The same statements without HTTP (queue_raw) are measured in the
// same run.
//
//   node bench/queue.mjs [QUEUED ...]        default: 10000 100000; `make bench-queue QUEUED="10000 10000000"`
//
// SQL creates a queue of that number of ready jobs, and restores its length between two measurements. A measurement ends after
// its time, or when the queue is empty, so a rate never includes waiting.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { program, startFarm } from '../tests/api/harness.mjs';
import { ScriptedWorker } from '../tests/api/scripted_worker.mjs';
import { cpuOf } from './cpu.mjs';
import { fill, model } from './queued_jobs.mjs';

const run = promisify(execFile);
const SECONDS = Number(process.env.SECONDS_EACH ?? 10);
const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(10_000, 100_000);

const farm = await startFarm({ args: ['--test-idle', '1h'] }); // filling the queue takes longer than a connection may be idle
const url = farm.databaseUrl();
const psql = (sql) => farm.psql(sql);

/** One measurement: a number of connections of two workers. */
async function measure(what, { connections, slots, pack }) {
  const workers = [await new ScriptedWorker(farm, { name: 'a', slots: 4096 }).open(), await new ScriptedWorker(farm, { name: 'b', slots: 4096 }).open()];
  const server = farm.server.pid, postgres = farm.postgresPid();
  const before = [cpuOf(server), cpuOf(postgres)];
  const { stdout } = await run(program('bench/queue_client'), [farm.listen, workers[0].token, workers.map((w) => w.session).join(','), connections, slots, pack, SECONDS].map(String));
  const [jobs, seconds, p50, p99, cpu] = stdout.trim().split(' ').map(Number);
  const per = (x) => ((x * 1e6) / jobs).toFixed(0);
  row(what, (jobs / seconds).toFixed(0), p50.toFixed(1), p99.toFixed(1), per(cpuOf(server) - before[0]), per(cpuOf(postgres) - before[1]), per(cpu));
}

async function raw(what, batch) {
  const { session } = await new ScriptedWorker(farm, { name: 'raw', slots: 4096 }).open();
  const postgres = farm.postgresPid(), before = cpuOf(postgres);
  const { stdout } = await run(program('bench/queue_raw'), [url, session, batch, SECONDS].map(String), farm.asOwner());
  const [jobs, seconds, cpu] = stdout.trim().split(' ').map(Number);
  const per = (x) => ((x * 1e6) / jobs).toFixed(0);
  row(what, (jobs / seconds).toFixed(0), '', '', '', per(cpuOf(postgres) - before), per(cpu));
}

function row(...cells) {
  console.log(cells[0].padEnd(52) + cells.slice(1).map((c) => String(c).padStart(11)).join(''));
}

try {
  const of = await model(farm);
  let queued = 0;
  for (const size of sizes) {
    const began = Date.now();
    fill(farm, size - queued, of);
    queued = size;
    row(`${size} queued (made in ${Math.round((Date.now() - began) / 1000)} s)`, 'jobs/s', 'lease p50', 'p99 ms', 'server us', 'postgres', 'client');
    // jobs are added for the measured ones, so that the queue keeps its length
    for (const [what, act] of [
      ['packs of 32, 2 connections', () => measure('packs of 32, 2 connections', { connections: 2, slots: 1, pack: 32 })],
      ['packs of 32, 16 connections', () => measure('packs of 32, 16 connections', { connections: 16, slots: 1, pack: 32 })],
      ['singly, 2 connections', () => measure('singly, 2 connections', { connections: 2, slots: 1, pack: 1 })],
      ['singly, 64 connections', () => measure('singly, 64 connections', { connections: 64, slots: 1, pack: 1 })],
      ['PostgreSQL alone, batches of 1', () => raw('PostgreSQL alone, one connection, batches of 1', 1)],
      ['PostgreSQL alone, batches of 32', () => raw('PostgreSQL alone, one connection, batches of 32', 32)],
      ['PostgreSQL alone, batches of 512', () => raw('PostgreSQL alone, one connection, batches of 512', 512)]]) {
      if (process.env.ONLY && !what.includes(process.env.ONLY)) continue;
      await act();
      const left = Number(psql(`SELECT count(*) FROM job WHERE state = 'ready'`));
      if (left < size) fill(farm, size - left, of);
    }
  }
} finally {
  await farm.stop();
}
