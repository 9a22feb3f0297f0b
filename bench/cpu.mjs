// bench/cpu.mjs: the CPU time that a process has used. On a machine with other load it is more reliable than elapsed time.
import { readFileSync, readdirSync } from 'node:fs';

/** CPU seconds of a process and of its running children. */
export function cpuOf(pid) {
  let ticks = 0;
  for (const p of readdirSync('/proc').filter((n) => /^\d+$/.test(n))) {
    try {
      const stat = readFileSync(`/proc/${p}/stat`, 'utf8').split(') ')[1].split(' ');
      if (Number(p) === pid || Number(stat[1]) === pid) ticks += Number(stat[11]) + Number(stat[12]);
    } catch { /* it has ended meanwhile */ }
  }
  return ticks / 100;
}
