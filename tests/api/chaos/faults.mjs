// tests/api/chaos/faults.mjs: the faults, and a schedule of them from a seed.
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFrom } from '../harness.mjs';
import { between, numbers, weighted } from '../seeded.mjs';

const MIB = 1 << 20;

/** Weight, duration in seconds (minimum, maximum), name. Faults without a duration are single events. */
const KINDS = [
  [8, 0, 0, 'kill server'], [8, 0, 0, 'kill worker'], [3, 0, 0, 'kill postmaster'], [3, 0, 0, 'kill backend'], [3, 0, 0, 'end backend'],
  [1, 0, 0, 'stop postgres at once'], [4, 1, 20, 'freeze server'], [6, 1, 15, 'freeze worker'], [2, 1, 6, 'freeze postgres'],
  [3, 1, 8, 'freeze backend'], [6, 2, 8, 'slow network'], [6, 0, 0, 'cut connections'], [5, 2, 8, 'torn connections'],
  [3, 1, 12, 'silent network'], [6, 2, 10, 'doubled requests'], [3, 2, 8, 'full disk'],
];

/** Faults of servers and databases on several machines: far_field.mjs. */
const FAR_KINDS = [
  ...KINDS.filter(([, , , name]) => !/postmaster|postgres|disk/.test(name)),
  [4, 0, 3, 'fail over'], [3, 0, 0, 'kill pooler'], [2, 1, 8, 'freeze pooler'], [4, 2, 10, 'store errors'], [3, 2, 12, 'silent store'],
  [3, 2, 8, 'store loses answers'], [5, 5, 40, 'clock jump'], [5, 3, 20, 'partition'],
];

/** [{ at_ms, name, for_ms, draw }]: the same for the same seed. Each kind occurs once first, then kinds are drawn by weight. Servers and
 * workers are upgraded once, between a third and two thirds of the time; `far`: the simulator too, in the middle. */
export function schedule(seed, seconds, far = false) {
  const next = numbers(seed), list = far ? [{ at_ms: 450 * seconds, name: 'upgrade', for_ms: 0, draw: next() }] : [];
  list.push({ at_ms: Math.round(1000 * seconds * (1 + numbers(seed + 1)()) / 3), name: 'upgrade programs', for_ms: 0, draw: numbers(seed + 2)() });
  const pairs = (far ? FAR_KINDS : KINDS).map((k) => [k[0], k]), once = [...pairs];
  for (let at = 1500; at < seconds * 1000; at += between(next, 400, seconds < 60 ? 1600 : 4000)) {
    const kind = weighted(next, once.length ? once : pairs), [, least, most, name] = kind;
    if (once.length) once.splice(once.findIndex(([, k]) => k === kind), 1);
    list.push({ at_ms: Math.round(at), name, for_ms: Math.round(1000 * Math.min(between(next, least, most), seconds / 4)), draw: next() });
  }
  return list.sort((a, b) => a.at_ms - b.at_ms);
}

const signal = (pid, name) => {
  try {
    if (!pid) return false; // pid 0 would signal the whole process group
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
};
const pick = (list, draw) => list[Math.floor(draw * list.length)];

/** Processes of PostgreSQL that serve a connection of the farm. */
function backends(postmaster) {
  try {
    return readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').map(Number)
      .filter((pid) => { try { return /vivace/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')); } catch { return false; } });
  } catch {
    return [];
  }
}

/** The objects that the faults affect: { servers: [Kept], workers: [RealWorker], farm, webProxies, databaseProxies, disk: folder or null }; far_field.mjs has more */
export class Faults {
  constructor(field, history) {
    Object.assign(this, field);
    this.history = history;
    this.undo = new Set();
    this.done = {};
  }
  proxies() {
    return [...this.webProxies, ...this.databaseProxies, ...(this.storeProxy ? [this.storeProxy] : [])];
  }
  freeze(pid, ms) {
    if (!signal(pid, 'SIGSTOP')) return null;
    return this.lasting(ms, () => signal(pid, 'SIGCONT'));
  }
  /** Calls `end` after ms, or when the faults are over. */
  async lasting(ms, end) {
    let over;
    const early = new Promise((go) => { over = go; });
    this.undo.add(over);
    await Promise.race([sleep(ms), early]);
    this.undo.delete(over);
    end();
  }
  shaped(proxies, shape, ms) {
    const plain = { delay_ms: 0, cut: 0, twice: 0, stalled: false };
    for (const p of proxies) p.set(shape);
    return this.lasting(ms, () => { for (const p of proxies) p.set(Object.fromEntries(Object.keys(shape).map((k) => [k, plain[k]]))); });
  }
  /** Fills the farm's disk. */
  fill() {
    const file = `${this.disk}/filler`, bytes = Buffer.alloc(MIB), fd = openSync(file, 'w');
    try {
      for (let size = MIB; size >= 4096; size /= 16)
        try { for (;;) if (writeSync(fd, bytes, 0, size) < size) break; } catch (e) { if (e.code !== 'ENOSPC') throw e; }
    } finally {
      closeSync(fd);
    }
    return file;
  }
  /** One fail-over at a time: the other cluster must be a replica again before the next. */
  async failOver(frozen_ms) {
    if (this.failing) return;
    this.failing = true;
    await this.pair.failOver({ frozen_ms });
    this.primaryMoved();
    for (let tries = 0; ; tries++) // a crash of the new primary, which is a separate fault, interrupts the copy
      try {
        await this.pair.replicate();
        break;
      } catch (e) {
        if (tries > 20) throw e;
        await sleep(1000);
      }
    this.primaryMoved();
    this.failing = false;
  }
  async killPooler() {
    signal(this.pair.pooler.process.pid, 'SIGKILL');
    await sleep(500);
    await this.pair.restartPooler();
  }
  storeFaults(list, ms) {
    this.s3.set(list);
    return this.lasting(ms, () => this.s3.set([]));
  }
  /** Servers and workers are killed one by one and restart with the new simulator. */
  async upgrade() {
    this.simulator.upgrade();
    await this.restartAll();
  }
  /** The same with newer servers and workers, as an operator upgrades: new programs for all, one server restarts and changes the
   * schema. The other servers end by themselves. Workers of both versions work beside each other for a while. */
  async upgradePrograms(draw) {
    startFrom(this.nextBuild);
    pick(this.servers, draw).signal('SIGKILL');
    for (const worker of this.workers) {
      await sleep(700);
      worker.signal('SIGKILL');
    }
  }
  /** After an upgrade, every program that runs is a newer one. One that starts at this moment is not seen. */
  checkUpgrade() {
    const running = [...this.servers.map((s) => ['vivace-server', s.pid()]), ...this.workers.map((w) => ['vivace-worker', w.child.pid])];
    for (const [name, pid] of running) {
      let exe;
      try { exe = readlinkSync(`/proc/${pid}/exe`); } catch { continue; }
      if (exe !== realpathSync(`${this.nextBuild}/${name}`)) this.history.finding(`after the upgrade ${exe} still runs`);
    }
  }
  async restartAll() {
    for (const program of [...this.servers, ...this.workers]) {
      program.signal('SIGKILL');
      await sleep(700);
    }
  }
  async act({ name, for_ms, draw }) {
    const postmaster = this.pair ? this.pair.postmaster() : this.farm.postgresPid();
    switch (name) {
      case 'kill server': return pick(this.servers, draw).signal('SIGKILL');
      case 'kill worker': return pick(this.workers, draw).signal('SIGKILL');
      case 'kill postmaster': return signal(postmaster, 'SIGKILL');
      case 'stop postgres at once': return signal(postmaster, 'SIGQUIT');
      case 'kill backend': return signal(pick(backends(postmaster), draw), 'SIGKILL');
      case 'end backend': return signal(pick(backends(postmaster), draw), 'SIGTERM');
      case 'freeze server': return this.freeze(pick(this.servers, draw).pid(), for_ms);
      case 'freeze worker': return this.freeze(pick(this.workers, draw).child.pid, for_ms);
      case 'freeze postgres': return this.freeze(postmaster, for_ms);
      case 'freeze backend': return this.freeze(pick(backends(postmaster), draw), for_ms);
      case 'slow network': return this.shaped(this.proxies(), { delay_ms: 20 + 400 * draw }, for_ms);
      case 'cut connections': return pick(this.proxies(), draw).cut();
      case 'torn connections': return this.shaped([pick(this.proxies(), draw)], { cut: 0.05 }, for_ms);
      case 'silent network': return this.shaped([pick(this.proxies(), draw)], { stalled: true }, for_ms);
      case 'doubled requests': return this.shaped(this.webProxies, { twice: 0.3 }, for_ms);
      case 'full disk': {
        if (!this.disk || existsSync(`${this.disk}/filler`)) return null;
        const file = this.fill();
        return this.lasting(for_ms, () => rmSync(file, { force: true }));
      }
      case 'fail over': return this.failOver(for_ms);
      case 'kill pooler': return this.killPooler();
      case 'freeze pooler': return this.freeze(this.pair.pooler.process.pid, for_ms);
      case 'store errors': return this.storeFaults([{ status: 503, times: 20 }, { drop: true, times: 10 }], for_ms);
      case 'silent store': return this.storeFaults([{ silent: true, times: 1e9 }], for_ms);
      case 'store loses answers': return this.storeFaults([{ late: true, times: 5 }], for_ms);
      case 'clock jump': {
        if (!this.clock) return null;
        this.clock.set(Math.round(1200 * (draw - 0.5)));
        return this.lasting(for_ms, () => this.clock.set(0));
      }
      case 'partition': return this.shaped(pick(this.databaseLinks, draw), { stalled: true }, for_ms);
      case 'upgrade': return this.upgrade();
      case 'upgrade programs': return this.upgradePrograms(draw);
      default: throw new Error(name);
    }
  }
  /** Runs a schedule. Faults with a duration continue while later faults begin. */
  async run(list) {
    const began = Date.now(), running = [];
    for (const fault of list) {
      await sleep(Math.max(0, began + fault.at_ms - Date.now()));
      this.history.note('fault', fault);
      this.done[fault.name] = (this.done[fault.name] ?? 0) + 1;
      running.push(Promise.resolve(this.act(fault)).catch((e) => this.history.finding(`the fault ${fault.name} itself: ${e.stack}`)));
    }
    for (const over of this.undo) over();
    await Promise.all(running);
    this.checkUpgrade();
    for (const p of this.proxies()) p.set({ delay_ms: 0, cut: 0, twice: 0, stalled: false });
  }
}
