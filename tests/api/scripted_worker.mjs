// tests/api/scripted_worker.mjs: a worker that does exactly what a test requests, and its inputs.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from './harness.mjs';

/** The simulator that the server was built with: workers with another version get no cycle jobs. */
const SIMULATOR = execFileSync(program('vivace-sim'), ['--version'], { encoding: 'utf8' }).trim().split(' ')[1];

export const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** Ends an attempt: converts a lease and an outcome to the report. */
export const ended = (lease, outcome, message = 'as the test requests') => ({
  job: lease.job, attempt: lease.attempt, outcome, message, last_lines: 'the last lines', host_seconds: 5,
  cpu_seconds: 5, peak_bytes: 1000000, result: null });

/** The report of a successful attempt, with a result: the replayed value, or a number of cycles. */
export const good = (lease, cycles = 1000, simulator = SIMULATOR) => ({
  ...ended(lease, 'ok', ''), result: lease.engine === 'replay' ? replayResult(lease) : cycleResult(lease, cycles, simulator) });

const replayResult = ({ replay }) => ({
  format: 'vivace-result', version: 1, simulator: 'replay', value: replay.value, unit: replay.unit,
  digest: sha256(`replay ${replay.value} ${replay.unit}\n`) });

/** Some of the simulator's counters: two warp instructions per five cycles, 3 of 4 sectors hit in L2, 10 nJ per cycle in each part. */
const counters = (cycles) => [['l2_hits', 7], ['cycles', cycles], ['warp_instructions', 0.4 * cycles], ['l2_read_sectors', 4 * cycles],
  ['l2_read_hit_sectors', 3 * cycles], ...['core', 'l1', 'l2', 'noc', 'dram', 'static', 'idle'].map((part) => [`energy_${part}`, 10 * cycles])].map(([name, value]) => ({ name, unit: 'count', value: Math.round(value) }));

const cycleResult = (lease, cycles, simulator) => ({
  format: 'vivace-result', version: 1, simulator, caches: 'warm', trace_sha256: lease.trace, design: lease.design_name,
  design_sha256: lease.design_sha256, kernel: { name: 'k', grid: [1, 1, 1], block: [32, 1, 1] }, end: 'done', cycles,
  launch_cycles: 10, warp_instructions: 100, clock_hz: 1e9, counters: counters(cycles),
  digest: sha256(`${lease.trace} ${lease.design_sha256} ${cycles}`), host_seconds: 5 }); // long enough that cycle jobs are not given out in packs

/** It has no loop: the test calls claim, heartbeat and complete. A worker opened with openAlive() also sends heartbeats like a real one, so the server does not expire it, even if the test is slow. */
export class ScriptedWorker {
  constructor(farm, { name = 'scripted', slots = 4, simulator = SIMULATOR, engines = ['cycle', 'replay'], replaces } = {}) {
    this.farm = farm;
    this.about = { name, host: 'test-host', version: '0.1.0', simulator, slots, engines, sandbox: 'none', ...(replaces ? { replaces } : {}) };
    this.token = readFileSync(join(farm.state, 'worker-token'), 'utf8').trim();
  }

  api(method, path, body) {
    return this.farm.api(method, path, body, { Authorization: `Bearer ${this.token}` });
  }

  async open() {
    const { session, dead_after_s } = await this.api('POST', '/worker/sessions', this.about);
    Object.assign(this, { session, dead_after_s, held: new Map() });
    return this;
  }

  async openAlive() {
    await this.open();
    const beat = () => this.beat([...this.held.values()]).catch(() => {}); // the test reports the error
    this.beating = setInterval(beat, 1000 * this.dead_after_s / 6).unref();
    return this;
  }

  /** Sends no more messages, as if its host had failed. */
  fallSilent() {
    clearInterval(this.beating);
  }

  claim(slots = this.about.slots, wait_s = 0) {
    return this.claimPack(slots, undefined, wait_s);
  }

  /** As claim(), with a limit of leases per slot. */
  async claimPack(slots, pack, wait_s = 0) {
    const { leases } = await this.api('POST', '/worker/claim', { session: this.session, slots, pack, wait_s });
    for (const l of leases.filter((l) => !l.record)) this.held.set(l.job, l);
    return leases;
  }

  /** Returns the attempts that the server asks to abort. */
  async beat(leases = []) {
    const running = leases.map((l) => ({ job: l.job, attempt: l.attempt, cycles: 1, warp_instructions: 1 }));
    return (await this.api('POST', '/worker/heartbeat', { session: this.session, running })).abort;
  }

  async complete(outcomes) {
    for (const o of outcomes) this.held.delete(o.job);
    return (await this.api('POST', '/worker/complete', { session: this.session, outcomes })).items;
  }

  finish(leases, cycles) {
    return this.complete(leases.map((l) => good(l, cycles ? cycles(l) : 1000, this.about.simulator)));
  }

  fail(leases, outcome, message) {
    return this.complete(leases.map((l) => ended(l, outcome, message)));
  }

  /** Claims and finishes jobs until there are none; returns their number. */
  async drain(cycles) {
    for (let done = 0; ;) {
      const leases = await this.claim();
      if (leases.length === 0) return done;
      await this.finish(leases, cycles);
      done += leases.length;
    }
  }
}

/** A report of `nsys stats` with two kernels: `steady` 100 launches, `wild` 60 whose durations differ. Another seed gives other durations, and so another profile. */
export function report(seed = 1, gpu = 'NVIDIA H100 80GB HBM3 (0)') {
  const rows = ['Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),'
    + 'Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name'];
  let at = 1000;
  for (let i = 0; i < 160; i++) {
    const wild = i % 8 > 4;
    const ns = wild ? 2000 + ((i * 7919 + seed * 104729) % 1009) * 5 : 1000 + ((i * 31 + seed) % 7) * 20;
    rows.push(`${at},${ns},${i + 1},${wild ? '8,2' : '4,1'},1,64,1,1,16,0.000,0.000,,,,,${gpu},1,7,"${wild ? 'wild(float *, int)' : 'steady(float *)'}"`);
    at += ns + 500;
  }
  return Buffer.from(rows.join('\n') + '\n');
}

/** A kernel trace as the tracer writes it; `salt` makes its bytes differ. */
export function trace({ name, grid, block, salt = 0 }) {
  return Buffer.from(`-kernel name = ${name}\n-kernel id = 1\n-grid dim = (${grid})\n-block dim = (${block})\n-shmem = 0\n`
    + `-nregs = 16\n-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x0\n-local mem base_addr = 0x0\n`
    + `-nvbit version = 1.5\n-accelsim tracer version = 4\n\n`
    + `#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]\n\n`
    + `#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n`
    + `${(16 * (salt + 1)).toString(16).padStart(4, '0')} ffffffff 1 R1 IADD 2 R2 R3 0 0\n`
    + `${(16 * (salt + 2)).toString(16).padStart(4, '0')} ffffffff 0 EXIT 0 0 0\n\n#END_TB\n\n`);
}

/** A plan of `report(seed)` with all traces: no job of its runs waits. */
export async function tracedPlan(farm, { seed = 1, error = 0.2, workload = 'decoder' } = {}) {
  const profile = await farm.profile(report(seed), { name: `report-${seed}.csv`, workload });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error, confidence: 0.95, seed: 1 });
  const traces = [];
  for (const s of (await farm.api('GET', `/plans/${plan.id}/samples?limit=1000`)).items) {
    const bytes = trace({ name: s.kernel, grid: s.grid, block: s.block, salt: s.launch });
    await farm.api('PUT', `/blobs/${sha256(bytes)}`, bytes, { 'Content-Type': 'application/octet-stream' });
    traces.push({ sha256: sha256(bytes), context: s.context.index, order: s.launch_order, name: s.kernel, grid: s.grid, block: s.block });
  }
  await farm.api('POST', `/plans/${plan.id}/traces`, { traces });
  return plan;
}
