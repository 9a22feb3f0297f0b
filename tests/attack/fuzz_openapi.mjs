// tests/attack/fuzz_openapi.mjs: attacks the server with requests made from the API document: every route, every caller; valid,
// nearly valid and hostile requests.
//
//   import { fuzz } from './fuzz_openapi.mjs';
//   const { asked, faults } = await fuzz(farm, { seed: 1, seconds: 20 });    // faults: sentences; a correct server gives none
//   node tests/attack/fuzz_openapi.mjs                                       SEED=n SECONDS=n LANES=n VIVACE_BUILD=folder
//
// Request n of a seed draws its own random numbers, so a seed repeats its requests. With LANES=1 their order repeats too.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { patience, startFarm } from '../api/harness.mjs';
import { Cases } from './cases.mjs';
import { Judge, json } from './judge.mjs';
import { Random } from './random.mjs';
import { Schemas } from './schema.mjs';
import { compose, exchange } from './wire.mjs';
import { World } from './world.mjs';

const most = 40; // the attack stops after this many different faults

/** Resident memory of a process in MiB. */
const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

class Fuzz {
  constructor(farm, world, document, { seed, seconds, least, lanes }) {
    const schemas = new Schemas(document);
    Object.assign(this, { farm, world, seed, least, lanes, end: Date.now() + seconds * 1000, next: 0, faults: new Map(), statuses: new Map(), reached: new Set() });
    this.cases = new Cases(world, document, schemas);
    this.judge = new Judge(world, schemas);
  }

  fault(n, c, what) {
    const key = `${c.route.key}: ${what.replaceAll(/[0-9][0-9a-f-]*|[0-9a-f]{8,}/g, '…').slice(0, 120)}`;
    if (this.faults.has(key)) return;
    this.faults.set(key, `case ${n}: ${c.caller.name}: ${c.method} ${c.path.slice(0, 300)}${c.wild ? ' (spoiled)' : ''}\n    ${what}\n    body: ${c.body?.toString('latin1').slice(0, 300) ?? 'none'}`);
  }

  async ask(n) {
    const random = new Random(this.seed, n), c = this.cases.make(random);
    let bytes = compose(c);
    if (c.cut !== undefined) bytes = bytes.subarray(0, Math.min(c.cut, bytes.length - 1));
    const a = await exchange(this.farm.url, bytes, { from: `127.0.0.${2 + (n % 200)}`, wait: c.cut === undefined ? patience() : 300 });
    this.statuses.set(a.status, (this.statuses.get(a.status) ?? 0) + 1);
    if (a.status >= 200 && a.status < 300 && !c.wild) this.reached.add(c.route.key);
    let wrong = this.judge.wrong(c, a);
    if (wrong.length) wrong = await this.stillWrong(c, wrong);
    for (const what of wrong) this.fault(n, c, what);
    const value = a.status < 300 && a.header?.('content-type') === 'application/json' ? json(a.body) : undefined;
    if (value !== undefined && !c.wild) this.world.learn(c.caller.team, c.route.path, value);
    if (a.status === 401 || c.route.path === '/api/v1/session') await this.world.renew(c.caller);
  }

  /** An earlier request may have moved the user into another team. That this user can see that team is no fault. */
  async stillWrong(c, wrong) {
    const before = c.caller.headers;
    await this.world.renew(c.caller);
    return c.caller.headers === before ? wrong : wrong.filter((w) => w.startsWith('answered'));
  }

  async lane() {
    while ((Date.now() < this.end || this.next < this.least) && this.faults.size < most) {
      const n = this.next++;
      if (n % 200 === 100) await this.world.work();
      await this.ask(n);
      if (this.farm.server.exitCode !== null || this.farm.server.signalCode !== null) {
        this.faults.set('ended', `the server ended at or before case ${n}`);
        return;
      }
    }
  }

  async run() {
    const { pid } = this.farm.server;
    const before = resident(pid);
    await Promise.all(Array.from({ length: this.lanes }, () => this.lane()));
    if (this.farm.server.exitCode !== null) return;
    this.grown = resident(pid) - before;
    const started = Date.now(), health = await this.farm.request('GET', '//readyz').catch(() => null);
    if (health?.status !== 200 || Date.now() - started > patience(5000)) this.faults.set('ready', `after it /readyz answers ${health?.status} in ${Date.now() - started} ms`);
  }

  /** The log holds no secret and no word of a sanitizer. */
  readLog() {
    const log = this.farm.log().replace(this.farm.token, '');
    for (const s of this.world.secrets) if (log.includes(s)) this.faults.set(`log ${s}`, `the log holds the secret ${s}: ${log.split('\n').find((l) => l.includes(s))?.slice(0, 300)}`);
    const cry = /^.*(?:AddressSanitizer|LeakSanitizer|runtime error:).*$(?:\n.*){0,25}/m.exec(log);
    if (cry) this.faults.set('sanitizer', cry[0]);
  }
}

/** Sends requests for `seconds`, and at least `least` requests on a slow machine. Then the server must end without an error. */
export async function fuzz(farm, { seed, seconds, least = 0, lanes = 4 }) {
  const world = new World(farm);
  await world.build();
  world.design = JSON.parse(await (await farm.request('GET', '/designs/v100')).text());
  const document = await farm.api('GET', '/openapi.json');
  const f = new Fuzz(farm, world, document, { seed, seconds, least, lanes });
  await f.run();
  if (farm.server.exitCode === null) {
    const { code, signal } = await farm.kill('SIGTERM');
    if (code !== 0) f.faults.set('end', `the server ended with ${code ?? signal}`);
  }
  f.readLog();
  return { asked: f.next, faults: [...f.faults.values()], statuses: f.statuses, reached: f.reached, routes: f.cases.routes.map((r) => r.key), grown: f.grown };
}

async function main() {
  const seed = Number(process.env.SEED || Date.now() % 1e9), seconds = Number(process.env.SECONDS || 60), lanes = Number(process.env.LANES || 4);
  console.log(`seed ${seed}, ${seconds} s (again: make attack SEED=${seed} SECONDS=${seconds})`);
  const farm = await startFarm({ args: ['--log-level', 'debug', '--max-connections-per-ip', '4000'] });
  try {
    const r = await fuzz(farm, { seed, seconds, lanes });
    console.log(`${r.asked} requests; by status: ${[...r.statuses].sort((a, b) => a[0] - b[0]).map(([s, n]) => `${s}:${n}`).join(' ')}`);
    console.log(`memory of the server grew by ${r.grown?.toFixed(0)} MiB; no success yet on: ${r.routes.filter((k) => !r.reached.has(k)).join(', ') || 'none'}`);
    for (const f of r.faults) console.log(`FAULT ${f}`);
    process.exitCode = r.faults.length ? 1 : 0;
  } finally {
    await farm.stop();
  }
}
if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
