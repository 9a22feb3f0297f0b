// tests/api/chaos/chaos.mjs: a farm under load while faults occur, and a checker of the requests that it acknowledged.
//
//   make chaos SECONDS=1800 SEED=7          or: node tests/api/chaos/chaos.mjs SECONDS SEED
//   make chaos SECONDS=1800 SEED=7 FAR=1    the same with three servers, PostgreSQL over TCP that fails over, PgBouncer, a bucket, wrong
//                                           clocks, partitions and an upgrade of the simulator in the middle: far_field.mjs
//
// Servers and workers are upgraded once: to a build with another version and one more schema file (next_build.mjs), or to the build
// in $VIVACE_NEXT_BUILD.
//
// The seed decides the faults and their times, but not the timing of the programs. The exit code is 1 when an acknowledged
// request was lost, done twice or stuck, or when a projection differs from that of an undisturbed farm. Then all files are kept
// in the folder that it prints.
import { mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startFrom } from '../harness.mjs';
import { numbers } from '../seeded.mjs';
import { cycleRun } from '../work.mjs';
import { Checker } from './checker.mjs';
import { Faults, schedule } from './faults.mjs';
import { startField } from './farm.mjs';
import { startFarField } from './far_field.mjs';
import { History } from './history.mjs';
import { Asker, clients } from './load.mjs';
import { nextBuild } from './next_build.mjs';
import { AwkwardWorker, RealWorker } from './workers.mjs';

const DEAD_AFTER_S = 6, LAUNCHES = 8, DESIGNS = ['v100', 'a100', 'h100', 'rtx3070', 'gtx1080ti', 'b200'];

/** Real traces and a plan of them, in the first team. */
async function realWork(field, folder, history) {
  const asker = new Asker({ name: 'default', urls: field.urls, token: field.farm.token, history, next: numbers(5) });
  const run = await cycleRun(field.farm, folder, LAUNCHES);
  const plan = await field.farm.api('GET', `/plans/${run.plan}`);
  history.note('run', { id: run.id, jobs: run.jobs, who: 'default', plan: run.plan, designs: ['v100'], expected: plan.samples_count });
  return { asker, plan: run.plan, samples: plan.samples_count, folder, traces: join(folder, 'traces.tar.zst'),
    imports: field.farm.psql('SELECT id FROM import').split('\n') };
}

async function storm({ field, folder, seconds, seed, history, cycle }) {
  const shared = { reports: 1, cycle, designs: DESIGNS }, until = Date.now() + seconds * 1000;
  const tokenFile = join(field.farm.state, 'worker-token'), next = nextBuild(folder);
  const workers = [0, 1, 2].map((number) => new RealWorker({ folder, number, urls: field.urls, tokenFile, history, more: field.workerArgs }));
  let going = true;
  const awkward = [0, 1].map((n) => new AwkwardWorker({ farm: field.farm, name: `awkward-${n}`, deadAfter_s: DEAD_AFTER_S,
    asker: new Asker({ name: `awkward-${n}`, urls: field.urls, history, next: numbers(seed * 7 + n) }) }));
  for (const w of awkward) w.asker.token = w.script.token;
  const people = clients({ teams: field.teams, each: 2, urls: field.urls, history, seed, shared });
  const work = [...people.map((c) => c.work(until)), ...awkward.map((w) => w.work(() => going))];
  const faults = new Faults({ ...field, workers, nextBuild: next }, history);
  await faults.run(schedule(seed, seconds, Boolean(field.pair)));
  await Promise.all(work.slice(0, people.length));
  return { workers, faults, stop: async () => {
    going = false;
    await Promise.all([...work, ...workers.map((w) => w.stop())]);
  } };
}

/** { findings, counts, faults, ... }; `say` is called with progress messages. */
export async function chaos({ seconds, seed, say = () => {}, compare = 40, diskMebibytes = 768 + seconds, far = false }) {
  const folder = mkdtempSync(join(tmpdir(), 'vivace-chaos-'));
  chmodSync(folder, 0o755);
  const history = new History(join(folder, 'history.jsonl'));
  const field = await (far ? startFarField : startField)({ folder, seed, history, teams: ['red', 'green', 'blue'], deadAfter_s: DEAD_AFTER_S, diskMebibytes });
  let going;
  try {
    if (!field.disk && !far) say(`skipped: full disk: ${field.diskWhy}`);
    const cycle = await realWork(field, folder, history);
    going = await storm({ field, folder, seconds, seed, history, cycle });
    say(`faults: ${JSON.stringify(going.faults.done)}`);
    const tokens = { default: field.farm.token, ...Object.fromEntries(field.teams.map((t) => [t.name, t.token])) };
    const checker = new Checker({ farm: field.farm, place: field.place, history, tokens, workers: going.workers, cycle }), began = Date.now();
    await checker.settle(120000);
    say(`all runs over ${((Date.now() - began) / 1000).toFixed(1)} s after the last fault`);
    await going.stop();
    checker.acknowledged();
    checker.jobs();
    checker.schema();
    const results = checker.results();
    checker.records();
    const compared = await checker.projections(compare);
    checker.whole(folder);
    checker.logs(field.servers.map((s) => s.farm));
    say(`checked: ${history.of('run').length} runs, ${results} results acknowledged, ${history.of('ack').length} changes acknowledged, ${compared} projections compared`);
    say(`on the way: ${JSON.stringify(history.counts)}`);
    return { findings: history.findings, counts: history.counts, faults: going.faults.done, results, compared };
  } catch (e) {
    history.finding(`the chaos run itself: ${e.stack}`);
    return { findings: history.findings, counts: history.counts };
  } finally {
    await going?.stop().catch(() => {});
    if (history.findings.length || process.env.VIVACE_KEEP) {
      say(`kept: ${folder}`);
      process.env.VIVACE_KEEP = '1';
    }
    await field.stop();
    startFrom(null);
    if (!process.env.VIVACE_KEEP) rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const seconds = Number(process.argv[2] ?? 60), seed = Number(process.argv[3] ?? 1);
  console.log(`chaos: ${seconds} s, seed ${seed}${process.argv[4] === 'far' ? ', far' : ''}`);
  const { findings } = await chaos({ seconds, seed, say: (text) => console.log(text), compare: Math.max(10, seconds / 10), far: process.argv[4] === 'far' });
  for (const f of findings) console.log(`FOUND  ${f}`);
  console.log(findings.length ? `${findings.length} findings` : 'nothing lost, nothing double, nothing stuck');
  process.exit(findings.length ? 1 : 0);
}
