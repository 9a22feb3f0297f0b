// load.js: data that a view fetches: value, error, busy state, and a retry function.
import { useCallback, useEffect, useRef, useState } from './lib.js';

/** @template T
 * @typedef {{ data: T|undefined, error: Error|null, busy: boolean, reload: () => void, set: (next: T | ((old: T) => T)) => void }} Load */

/** A pending request older than this is replaced when the data is requested again. */
const PATIENCE_MS = 10000;

/** Fetches on mount and when `deps` change; unmounting aborts. A reload keeps the old data until the new data arrives. While a request is pending, a reload waits for it; otherwise frequent reloads from a slow server would never complete. @template T
 * @param {(abort: AbortSignal) => Promise<T>} fetcher @param {unknown[]} deps @returns {Load<T>} */
export function useLoad(fetcher, deps) {
  const key = JSON.stringify(deps);
  const [state, setState] = useState(/** @type {{ key: string, data: T|undefined, error: Error|null, busy: boolean }} */ ({ key, data: undefined, error: null, busy: true }));
  const latest = useRef(fetcher);
  latest.current = fetcher;
  const flight = useRef(/** @type {{ abort: AbortController, began: number, again: boolean }|null} */ (null));

  const reload = useCallback(() => {
    const before = flight.current;
    if (before && Date.now() - before.began < PATIENCE_MS) {
      before.again = true;
      return;
    }
    before?.abort.abort();
    const mine = { abort: new AbortController(), began: Date.now(), again: false };
    flight.current = mine;
    setState((s) => (s.key === key ? { ...s, busy: true } : { key, data: undefined, error: null, busy: true }));
    const over = (/** @type {(s: any) => any} */ change) => {
      if (flight.current !== mine) return; // unmounted, or replaced by a newer request
      flight.current = null;
      setState(change);
      if (mine.again) reload();
    };
    latest.current(mine.abort.signal).then(
      (data) => over(() => ({ key, data, error: null, busy: false })),
      (error) => over((s) => ({ ...s, error, busy: false })),
    );
  }, [key]);

  useEffect(() => {
    reload();
    return () => {
      flight.current?.abort.abort();
      flight.current = null;
    };
  }, [reload]);

  const set = useCallback((/** @type {any} */ next) => {
    setState((s) => (s.data === undefined ? s : { ...s, data: typeof next === 'function' ? next(s.data) : next }));
  }, []);
  const current = state.key === key ? state : { key, data: undefined, error: null, busy: true };
  return { data: current.data, error: current.error, busy: current.busy, reload, set };
}

/** Calls `fn` at most once in `ms`, and once more after the last call. @param {() => void} fn @param {number} ms */
export function useThrottle(fn, ms) {
  const latest = useRef(fn);
  latest.current = fn;
  const timer = useRef(/** @type {number|undefined} */ (undefined));
  const last = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    if (timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      last.current = Date.now();
      latest.current();
    }, Math.max(0, last.current + ms - Date.now()));
  }, [ms]);
}

/** The current time, updated a few times a minute: for "3 min ago". @param {number} ms */
export function useNow(ms) {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return now;
}
