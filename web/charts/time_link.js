// time_link.js: the window and the crosshair shared by all pictures of a page. A change redraws the pictures
// directly, without rendering the page.
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
  /** The layer of the pinned time, for Escape; exists while there are pictures. @type {(() => void)|null} */
  let removeLayer = null;
  const keepLayer = () => {
    if (pinned && followers.size > 0) removeLayer ??= openLayer({ close: () => own.release() });
    else {
      removeLayer?.();
      removeLayer = null;
    }
  };
  /** The chart under the pointer, and the line in it. @type {{ chart: Follower, line: number|null }|null} */
  let over = null;
  /** The chart that is operated by keys: screen readers read its reading line. @type {Follower|null} */
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
    /** Applies a window from the page's address. @param {Window} w */
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
