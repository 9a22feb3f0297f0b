// bench/large_run.mjs: the time to create and to cancel the jobs of a large run, and the delay of other requests meanwhile.
//
//   node bench/large_run.mjs [JOBS ...]                  default: 20000 100000
//   DRAIN=1 node bench/large_run.mjs 1000000             created, done by 16 connections with packs of 32, ended; there are no other requests
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { program, startFarm, until } from '../tests/api/harness.mjs';
import { ScriptedWorker } from '../tests/api/scripted_worker.mjs';
import { cpuOf } from './cpu.mjs';

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(20_000, 100_000);
const head = 'Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name';
const seconds = async (work) => { const t0 = performance.now(); await work(); return ((performance.now() - t0) / 1000).toFixed(1); };

async function planOf(farm, jobs, name) {
  const rows = Array.from({ length: jobs }, (_, i) => `${1000 * i + 5},${400 + (i * 37) % 997},${i + 1},${1 + i % 4},1,1,128,1,1,16,0.000,0.000,,,,,Some GPU (0),1,7,"k${i % 4}"`);
  const profile = await farm.profile(Buffer.from(`${head}\n${rows.join('\n')}\n`), { name: `${name}.csv` });
  return farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', error: 1e-6, confidence: 0.95, seed: 1 });
}

/** Sends the requests of other users repeatedly until `stop` is called. Returns milliseconds by kind. */
function others(farm, worker, small, job) {
  const times = {};
  let going = true;
  const again = async (name, act) => {
    times[name] = [];
    while (going) {
      const t0 = performance.now();
      await act();
      times[name].push(performance.now() - t0);
      await new Promise((done) => setTimeout(done, 50));
    }
  };
  const all = [again('list of runs', () => farm.api('GET', '/runs?limit=20')), again('a page of jobs', () => farm.api('GET', `/runs/${job}/jobs?limit=20`)),
    again('a small run made', () => farm.api('POST', `/plans/${small}/runs`, { engine: 'replay', designs: [] })), again('32 jobs claimed and ended', async () => {
      await worker.finish(await worker.claimPack(32, 1));
    })];
  return async () => {
    going = false;
    await Promise.all(all);
    return Object.entries(times).map(([name, ms]) => {
      ms.sort((a, b) => a - b);
      return `${name}: ${ms.length} times, p50 ${ms[ms.length >> 1]?.toFixed(0)} ms, p99 ${ms[Math.floor(ms.length * 0.99)]?.toFixed(0)} ms, longest ${ms.at(-1)?.toFixed(0)} ms`;
    });
  };
}

const farm = await startFarm({ args: ['--test-idle', '1h', '--test-dead-after', '1h'] });

/** Prints the seconds of a step, and the CPU seconds of the server and PostgreSQL. */
async function step(what, act) {
  const used = () => [farm.server.pid, farm.postgresPid()].map(cpuOf), before = used(), s = await seconds(act), [server, postgres] = used().map((x, i) => (x - before[i]).toFixed(1));
  console.log(`  ${what}: ${s} s, CPU of the server ${server} s, of PostgreSQL ${postgres} s`);
  return Number(s);
}

/** Creates and finishes the jobs and ends the run, without other requests. */
async function drain(plan) {
  let run;
  const counts = async () => (await farm.api('GET', `/runs/${run.id}`)).counts;
  await step('created', async () => {
    run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
    await until('all jobs', async () => (await counts()).blocked === 0, 3600000, 200);
  });
  const workers = [await new ScriptedWorker(farm, { name: 'a', slots: 4096 }).open(), await new ScriptedWorker(farm, { name: 'b', slots: 4096 }).open()];
  const s = await step('done', () => promisify(execFile)(program('bench/queue_client'), [farm.listen, workers[0].token, workers.map((w) => w.session).join(','), 16, 1, 32, 3600].map(String)));
  console.log(`  ${(run.jobs / s).toFixed(0)} jobs/s`);
  await step('ended after the last result', () => until('its end', async () => {
    const { state, designs } = await farm.api('GET', `/runs/${run.id}`);
    return state === 'done' && designs.every((d) => d.projection?.complete);
  }, 3600000, 200));
}
try {
  if (process.env.SLOW_MS) farm.psql(`ALTER SYSTEM SET log_min_duration_statement = ${Number(process.env.SLOW_MS)}; SELECT pg_reload_conf()`);
  const small = await planOf(farm, 20, 'small');
  const worker = await new ScriptedWorker(farm, { engines: ['replay'], slots: 32 }).openAlive();
  for (const jobs of sizes) {
    const plan = await planOf(farm, jobs, `large-${jobs}`);
    if (process.env.DRAIN) {
      console.log(`${plan.samples_count} jobs`);
      await drain(plan);
      continue;
    }
    const stop = others(farm, worker, small.id, (await farm.api('POST', `/plans/${small.id}/runs`, { engine: 'replay', designs: [] })).id);
    let run;
    const answer = await seconds(async () => { run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] }); });
    const made = await seconds(() => until('all jobs', async () => {
      const { blocked } = (await farm.api('GET', `/runs/${run.id}`)).counts;
      return blocked === 0;
    }, 3600000, 500));
    console.log(`${run.jobs} jobs: answered after ${answer} s, all created ${made} s later\n  ${(await stop()).join('\n  ')}`);
    const stopToo = others(farm, worker, small.id, run.id);
    const cancelled = await seconds(async () => { await farm.api('POST', `/runs/${run.id}/cancel`); });
    const gone = await seconds(() => until('all cancelled', async () => {
      const { ready, leased } = (await farm.api('GET', `/runs/${run.id}`)).counts;
      return ready + leased === 0;
    }, 3600000, 500));
    console.log(`  cancelled: answered after ${cancelled} s, all deleted ${gone} s later\n  ${(await stopToo()).join('\n  ')}`);
  }
} finally {
  await farm.stop();
}
process.exit(0);
