// load.js: data that a view fetches: value, error and being busy, with a way to try again.
import { useCallback, useEffect, useRef, useState } from './lib.js';

/** @template T
 * @typedef {{ data: T|undefined, error: Error|null, busy: boolean, reload: () => void, set: (next: T | ((old: T) => T)) => void }} Load */

/** Fetches when the view comes and when `deps` change; leaving aborts. Reading again keeps what is shown until the new
 * data is there. @template T
 * @param {(abort: AbortSignal) => Promise<T>} fetcher @param {unknown[]} deps @returns {Load<T>} */
export function useLoad(fetcher, deps) {
  const key = JSON.stringify(deps);
  const [state, setState] = useState(/** @type {{ key: string, data: T|undefined, error: Error|null, busy: boolean }} */ ({ key, data: undefined, error: null, busy: true }));
  const latest = useRef(fetcher);
  latest.current = fetcher;
  const flight = useRef(/** @type {AbortController|null} */ (null));

  const reload = useCallback(() => {
    flight.current?.abort();
    const mine = new AbortController();
    flight.current = mine;
    setState((s) => (s.key === key ? { ...s, busy: true } : { key, data: undefined, error: null, busy: true }));
    latest.current(mine.signal).then(
      (data) => { if (flight.current === mine) setState({ key, data, error: null, busy: false }); },
      (error) => { if (flight.current === mine && error?.name !== 'AbortError') setState((s) => ({ ...s, error, busy: false })); },
    );
  }, [key]);

  useEffect(() => {
    reload();
    return () => {
      flight.current?.abort();
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

/** The present moment, a few times a minute: for "3 min ago". @param {number} ms */
export function useNow(ms) {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return now;
}
