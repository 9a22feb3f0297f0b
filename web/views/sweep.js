// sweep.js: the evaluation of every method on a profile, fetched a few methods at a time, vivace first.
import { useEffect, useState } from '../ui/lib.js';
import { useLoad } from '../ui/load.js';
import * as api from '../api.js';

/** @typedef {import('../types.js').Method} Method @typedef {import('../types.js').Evaluation} SweepItem */
/** @typedef {{ methods: Method[], items: SweepItem[], waiting: Method[] }} Sweep waiting: not scored yet */

/** The server reads the profile once per request. */
const AT_ONCE = 5;
/** vivace is evaluated at one more error, the usual one of plans: the handle of the plan page moves along its curve. */
const ERRORS = [0.01, 0.02, 0.03, 0.05, 0.1];
const LADDER = [0.01, 0.015, 0.02, 0.03, 0.05, 0.1];

/** The errors of the picture. @param {number} own */
export const errorsWith = (own) => withOwn(ERRORS, own);
/** @param {number[]} errors @param {number|undefined} own */
const withOwn = (errors, own) => (own === undefined ? errors : [...new Set([...errors, own])].sort((a, b) => a - b));

/** Like useLoad(): returns data as soon as the list of methods is known; evaluations are added as they arrive.
 * @param {string|undefined} profile undefined: not known yet @param {number} confidence @param {number} [own] another error at which all are scored @returns {import('../ui/load.js').Load<Sweep>}
 */
export function useSweep(profile, confidence, own) {
  const key = `${profile} ${confidence} ${own}`;
  const load = useLoad((abort) => api.methods(abort), []);
  const [again, setAgain] = useState(0);
  const [got, setGot] = useState(/** @type {{ key: string, items: SweepItem[], done: number, error: Error|null }} */ ({ key, items: [], done: 0, error: null }));
  const methods = load.data?.items;

  useEffect(() => {
    if (!methods || profile === undefined) return undefined;
    const stop = new AbortController();
    setGot({ key, items: [], done: 0, error: null });
    (async () => {
      for (let done = 0; done < methods.length;) {
        const next = methods.slice(done, done + (done === 0 ? 1 : AT_ONCE)).map((m) => m.name);
        const { items } = await api.sweep(profile, api.sweepOf(confidence, next, withOwn(done === 0 ? LADDER : ERRORS, own)), stop.signal);
        if (stop.signal.aborted) return;
        done += next.length;
        setGot((g) => ({ ...g, items: [...g.items, ...items], done: g.done + next.length }));
      }
    })().catch((error) => { if (!stop.signal.aborted) setGot((g) => ({ ...g, error })); });
    return () => stop.abort();
  }, [methods, key, again]);

  const mine = got.key === key ? got : { key, items: [], done: 0, error: null };
  return {
    data: methods ? { methods, items: mine.items, waiting: methods.slice(mine.done) } : undefined,
    error: load.error ?? mine.error,
    busy: load.busy || (mine.done < (methods?.length ?? 1) && !mine.error),
    reload: () => { if (load.error) load.reload(); else setAgain((n) => n + 1); },
    set: () => {},
  };
}

/** The reason why a method cannot run on this profile; null if it can, or if unknown yet. @param {Sweep|undefined} sweep @param {string} method */
export const whyNot = (sweep, method) => sweep?.items.find((i) => i.method === method)?.why_not ?? null;
