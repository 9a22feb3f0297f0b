// tests/api/work.mjs: runs for tests that are about workers, and programs that such tests start: copies in a folder that a
// server started as root, which becomes another user, can access.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, until } from './harness.mjs';
import { writeTextTraces } from './text_traces.mjs';

const head = 'Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name';

/** A run with fast jobs: profiled times are replayed. */
export async function replayRun(farm, seed = 1, wanted = { designs: ['v100'] }) {
  const rows = Array.from({ length: 200 }, (_, i) =>
    `${1000 * i + 5},${400 + (i * 37) % 101 + seed},${i + 1},${1 + i % 4},1,1,128,1,1,16,0.000,0.000,,,,,Some GPU (0),1,7,"k${i % 4}"`);
  const profile = await farm.profile(Buffer.from(`${head}\n${rows.join('\n')}\n`), { name: `report-${seed}.csv` });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'srs', error: 0.02, confidence: 0.95, seed });
  return farm.api('POST', `/plans/${plan.id}/runs`, { ...wanted, engine: 'replay' });
}

/** A run of real simulations with all traces: one job for each of `launches` small launches and each design. changes: of the traces; more: further members of the request. */
export async function cycleRun(farm, folder, launches, designs = ['v100'], { changes = {}, more = {} } = {}) {
  const traces = join(folder, 'traces.tar.zst'), env = { ...process.env, XDG_CONFIG_HOME: folder };
  const cli = (...args) => execFileSync(program('vivace'), args, { env, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 26 }).toString();
  writeTextTraces(traces, launches, changes);
  cli('login', farm.url, '--token-file', join(farm.state, 'admin-token'));
  const { profile } = JSON.parse(cli('push', traces, '--json'));
  const plan = await farm.api('POST', `/profiles/${profile}/plans`, { method: 'srs', error: 0.001, confidence: 0.95, seed: 1 });
  cli('push', traces, '--plan', plan.id);
  return farm.api('POST', `/plans/${plan.id}/runs`, { designs, engine: 'cycle', ...more });
}

/** A folder with vivace-worker and a vivace-sim whose simulations take `seconds` longer, or begin when the file `gate` exists. */
export function programs({ seconds = 0, gate } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'vivace-programs-'));
  chmodSync(folder, 0o755);
  copyFileSync(program('vivace-worker'), join(folder, 'vivace-worker'));
  if (!seconds && !gate) copyFileSync(program('vivace-sim'), join(folder, 'vivace-sim'));
  else {
    copyFileSync(program('vivace-sim'), join(folder, 'real-sim'));
    writeFileSync(join(folder, 'vivace-sim'),
      `#!/bin/sh\n[ "$1" != --job ] || ${gate ? `until [ -e ${gate} ]; do sleep 0.05; done` : `sleep ${seconds}`}\nexec ${join(folder, 'real-sim')} "$@"\n`, { mode: 0o755 });
  }
  return folder;
}

/** Waits until a worker simulates. A lease may not have reached it yet, but a simulation is a separate process. */
export const begun = (worker) => until('a simulation', () => readFileSync(`/proc/${worker.pid}/task/${worker.pid}/children`, 'utf8').split(' ').filter(Boolean).some((pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--job');
  } catch {
    return false; // it has ended meanwhile
  }
}));
