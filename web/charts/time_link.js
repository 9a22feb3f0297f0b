// time_link.js: the one window and the one crosshair that all pictures of a page follow. Turning it draws them anew
// without asking the page, so that a step costs a drawing and nothing else.
import { openLayer } from '../ui/layers.js';
import { closer, inside, moved, same } from './time_window.js';

/** @typedef {import('./time_window.js').Window} Window */
/** @typedef {{ turned: () => void, crossed: () => void }} Follower */

/** @param {Window} whole @param {number} column cycles of one @param {Window} first
 * @param {(w: Window, done: boolean) => void} onTurn @param {(cycle: number|null, pinned: boolean) => void} onRead */
export function timeLink(whole, column, first, onTurn, onRead) {
  /** @type {Set<Follower>} */
  const followers = new Set();
  let now = inside(first, whole, column);
  /** @type {number|null} */
  let cursor = null;
  let pinned = false;
  /** Escape lets the pinned moment go, while there are pictures. @type {(() => void)|null} */
  let removeLayer = null;
  const keepLayer = () => {
    if (pinned && followers.size > 0) removeLayer ??= openLayer({ close: () => own.release() });
    else {
      removeLayer?.();
      removeLayer = null;
    }
  };
  /** Which chart the pointer is in, and on which line of it. @type {{ chart: Follower, line: number|null }|null} */
  let over = null;
  /** The chart whose moments are gone through by keys: its reading line is read aloud. @type {Follower|null} */
  let walked = null;
  const turn = (/** @type {Window} */ w, /** @type {boolean} */ done) => {
    const next = inside(w, whole, column);
    if (!same(next, now)) {
      now = next;
      for (const f of followers) f.turned();
    }
    onTurn(now, done);
  };
  const read = (/** @type {number|null} */ cycle) => {
    cursor = cycle === null ? null : Math.max(whole.from, Math.min(whole.to - 1, cycle));
    for (const f of followers) f.crossed();
    onRead(cursor, pinned);
  };
  const own = {
    whole,
    window: () => now,
    cursor: () => cursor,
    over: () => over,
    walked: () => walked,
    /** The page's address says another window. @param {Window} w */
    look(w) {
      const next = inside(w, whole, column);
      if (same(next, now)) return;
      now = next;
      for (const f of followers) f.turned();
    },
    reset: () => turn(whole, true),
    /** @param {() => Follower} chart @returns {import('./time_chart.js').Link} */
    of: (chart) => ({
      window: () => now,
      cursor: () => cursor,
      turn: (w, { done }) => turn(w, done),
      zoomBy: (at, factor) => turn(closer(now, at, factor), true),
      reset: own.reset,
      read(cycle, line) {
        if (pinned) return;
        walked = null;
        over = cycle === null ? null : { chart: chart(), line };
        read(cycle);
      },
      step: (columns) => {
        walked = chart();
        if (over?.chart !== walked) over = { chart: walked, line: null };
        const at = (cursor ?? now.from) + columns * column;
        read(at);
        if (at < now.from || at >= now.to) turn(moved(now, at - (now.from + now.to) / 2), true);
      },
      pan: (share) => turn(moved(now, share * (now.to - now.from)), true),
      pin: () => {
        pinned = !pinned && cursor !== null;
        keepLayer();
        onRead(cursor, pinned);
      },
      release: own.release,
    }),
    /** @param {Follower} f */
    join(f) {
      followers.add(f);
      keepLayer();
      return () => {
        followers.delete(f);
        keepLayer();
      };
    },
    release() {
      pinned = false;
      keepLayer();
      over = walked = null;
      read(null);
    },
  };
  return own;
}
