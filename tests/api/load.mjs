// tests/api/load.mjs: the present slowdown of this machine compared with a quiet one, and a clock that is scaled by it.
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

const SAMPLE_MS = 500;
const SMOOTHING_MS = 5000;

/** Tasks that are ready to run now, without the reader of the file. The load average follows a sudden load only after a minute. */
function runnable() {
  try {
    return Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[3].split('/')[0]) - 1;
  } catch {
    return loadavg()[0]; // not Linux
  }
}
let smoothed = loadavg()[0];
setInterval(() => { smoothed += (runnable() - smoothed) * (SAMPLE_MS / SMOOTHING_MS); }, SAMPLE_MS).unref();

/** Tasks per core, the last minute or the last seconds, whichever is more; 1 at least. */
export const load = () => Math.max(1, loadavg()[0] / cpus().length, smoothed / cpus().length);

/** A clock that begins now: milliseconds, each counted as the part of it that a quiet machine needs. A time limit by this clock is also valid if the load ends during the wait. @param {() => number} factor */
export function quietClock(factor = load) {
  let past = 0, at = performance.now();
  return () => {
    const now = performance.now();
    past += (now - at) / factor();
    at = now;
    return past;
  };
}
