// mock_activity.mjs: the farm's last hour, invented: work of two runs and of another team, gaps, failures.

const MINUTE = 60000;
const iso = (ms) => new Date(ms).toISOString();

export function activity(w, empty) {
  const to = w.now, from = to - 60 * MINUTE;
  const names = [w.workloads[0].name, w.workloads[1].name];
  const lanes = empty ? [] : w.workers.flatMap((worker, k) => Array.from({ length: worker.state === 'dead' ? 3 : 9 }, (_, i) => {
    const begin = from + (i * 6.4 + k) * MINUTE, which = (i + k) % 3;
    return { worker: worker.name, run: ['r1', 'r2', null][which], workload_name: [...names, null][which], from: iso(begin), to: iso(Math.min(to, begin + (4 + ((i * 7 + k) % 3)) * MINUTE)), jobs: 3 + i, failed: i === 5 && k === 1 ? 1 : 0, going: i === 8 };
  }));
  return {
    from: iso(from), to: iso(to), lanes,
    queue: empty ? [] : [
      { run: 'r1', workload_name: names[0], state: 'running', priority: 0, leased: 8, ready: 64, blocked: 34, share_of_busy: 0.8, created_at: iso(to - 55 * MINUTE) },
      { run: null, workload_name: null, state: 'running', priority: 0, leased: 2, ready: 210, blocked: 0, share_of_busy: 0.2, created_at: iso(to - 20 * MINUTE) }],
    slowest: empty ? [] : [['r1', 0, 'gemm_bf16_128x256', 512.4, 41.2e6], ['r2', 1, w.workloads[1].name, 88.1, null]].map(([run, name, kernel, host_seconds, cycles], i) => ({ run, workload_name: names[name], job: `s${i}`, worker: 'w-01', host_seconds, launch: 12004 + i, kernel, design: 'h100', cycles })),
    facts: empty ? { done: 0, failed: 0, lost_leases: 0, trouble: 0, retries: 0, simulated_cycles_per_s: 0, stored_bytes: 0, team_stored_bytes: 0 }
      : { done: 1412, failed: 2, lost_leases: 1, trouble: 3, retries: 3, simulated_cycles_per_s: 48.2e6, stored_bytes: 18.4e9, team_stored_bytes: 3.1e9 },
  };
}

export function workerAttempts(w) {
  const to = w.now;
  return Array.from({ length: 12 }, (_, i) => ({ run: i % 4 === 3 ? null : 'r1', workload_name: i % 4 === 3 ? null : w.workloads[0].name, job: i % 4 === 3 ? null : `j${i}`, number: i === 2 ? 2 : 1, started_at: iso(to - (i + 2) * MINUTE), ended_at: iso(to - (i + 1) * MINUTE), outcome: i === 5 ? 'crash' : 'ok', message: i === 5 ? `the simulator ended by signal 11 on ${w.workloads[1].name}` : '', host_seconds: 41.3 + i, peak_bytes: 312e6 }));
}
