// patience.mjs: how long a test waits before it fails. On a quiet machine a wait ends after ten seconds. A loaded machine
// and slowed scripts get more time, in proportion.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { load as machineLoad, quietClock } from '../../tests/api/load.mjs';

/** Scripts of the page run slower by this factor: SLOW=6 finds tests that depend on speed. */
export const SLOW = Number(process.env.SLOW ?? 1);
/** The limit of a wait for a state of the page. */
const WAIT_MS = 10000;
/** The limit of a whole test. */
export const LIMIT_MS = 120000;
/** The limit for longer work on a quiet machine: simulations and other jobs of real workers. */
export const SIMULATION_MS = 20000;
/** The limit for a server restart and the page's reconnection, and for a lost worker. */
export const RECONNECT_MS = 20000;
const MAX_LOAD = 10;
const MAX_FACTOR = 12;

/** Tasks per core, from 1 to MAX_LOAD. LOAD_FACTOR=1 sets it instead. */
export const load = () => Number(process.env.LOAD_FACTOR || Math.min(MAX_LOAD, machineLoad()));
const factor = () => Math.min(MAX_FACTOR, SLOW * load());

/** The limit that a wait gets here and now, if its limit on a quiet machine is `ms`. @param {number} [ms] */
export const patience = (ms = WAIT_MS) => Math.round(ms * factor());
/** A clock that begins now, in milliseconds of a quiet machine. */
export const testClock = () => quietClock(factor);

/** Reads the value repeatedly until `accept` is true for it, and returns it. A failure names the last value.
 * @template T @param {string} what @param {() => Promise<T>|T} get @param {(value: T) => unknown} [accept] @param {number} [ms] on a quiet machine */
export async function until(what, get, accept = Boolean, ms = WAIT_MS) {
  const began = Date.now(), past = testClock();
  for (;;) {
    const value = await get();
    if (accept(value)) return value;
    if (past() > ms) assert.fail(`waited ${Date.now() - began} ms for ${what}; the last value: ${JSON.stringify(value)?.slice(0, 500)}`);
    await sleep(20);
  }
}

/** Reads the value repeatedly until it equals the wanted one. At the end of the time limit, compares both.
 * @template T @param {() => Promise<T>|T} get @param {T} want @param {string} [what] */
export async function becomes(get, want, what) {
  const past = testClock();
  let value = await get();
  while (!isDeepStrictEqual(value, want) && past() < WAIT_MS) {
    await sleep(20);
    value = await get();
  }
  assert.deepEqual(value, want, what);
}

/** Returns the result of the promise. Fails at the time limit. @template T @param {string} what @param {Promise<T>} promise @param {number} [ms] @returns {Promise<T>} */
export async function within(what, promise, ms = WAIT_MS) {
  let timer;
  const late = new Promise((_, fail) => {
    const began = Date.now(), past = testClock();
    timer = setInterval(() => {
      if (past() > ms) fail(new Error(`waited ${Date.now() - began} ms for ${what}`));
    }, 100);
  });
  return Promise.race([promise, late]).finally(() => clearInterval(timer));
}
