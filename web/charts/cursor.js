// cursor.js: reading and selecting in a chart. The crosshair goes to the nearest mark, a click or Enter pins it,
// arrow keys move from mark to mark, dragging selects. The crosshair is drawn over the picture and is not exported.
import { gridOf, nearestAlong } from './nearest.js';
import { choose, selection } from './select.js';
import { openLayer } from '../ui/layers.js';

/** A mark that can be read and selected, in the units of the axes. `x1`, `x2`: ends of a mark with a width, such as a
 * bin.
 * `ids`: the ids that a click selects. @typedef {{ x: any, y?: any, x1?: any, x2?: any, ids?: readonly string[], datum: any }} Mark
 */
/** The direction in which the nearest mark is searched. @typedef {'x'|'y'|'xy'} Reach */
/** @typedef {{ datum: any, pinned: boolean, spoken: boolean }} Reading spoken: reached by key, so screen readers read it */
/** `tall`: the height of its row, if it has one. @typedef {{ mark: Mark, x: number, y: number, left: number, right: number, tall: number }} Place */

const NS = 'http://www.w3.org/2000/svg';
const NEAR = 40; // pixels
const DRAG = 4;

/** @param {string} name @param {Record<string, number|string>} attributes @param {string} kind */
function shape(name, attributes, kind) {
  const el = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, String(value));
  el.setAttribute('class', kind);
  return el;
}

/** Positions of the marks, in reading order. Marks outside the window are included, because arrow keys reach them.
 * @param {any} svg @param {Mark[]} marks @returns {Place[]} */
function placesOf(svg, marks) {
  const along = (/** @type {'x'|'y'} */ name) => {
    const scale = svg.scale(name);
    const middle = scale ? (scale.range[0] + scale.range[1]) / 2 : 0;
    return (/** @type {any} */ v) => (scale && v !== undefined ? scale.apply(v) + (scale.bandwidth ?? 0) / 2 : middle);
  };
  const [x, y, row] = [along('x'), along('y'), svg.scale('y')?.bandwidth ?? 0];
  return marks.map((mark) => ({ mark, tall: mark.y === undefined ? 0 : row, x: x(mark.x), y: y(mark.y), left: x(mark.x1 ?? mark.x), right: x(mark.x2 ?? mark.x) }))
    .filter((p) => Number.isFinite(p.x) && Number.isFinite(p.y));
}

/** @param {HTMLElement} host @param {Reach} reach
 * @param {{ onRead: (reading: Reading|null) => void, show?: (x: number, y: number) => void }} how */
export function cursorOn(host, reach, how) {
  const over = /** @type {SVGSVGElement} */ (shape('svg', { 'aria-hidden': 'true' }, 'over'));
  /** @type {Place[]} */
  let places = [];
  let box = { x0: 0, x1: 0, y0: 0, y1: 0 };
  /** @type {(x: number, y: number) => number} */
  let find = () => -1;
  let at = -1;
  let pinned = false;
  /** @type {{ x: number, y: number }|null} */
  let from = null;
  // Layers that Escape closes: the pinned reading, and a rectangle that is being dragged.
  /** @type {(() => void)|null} */
  let removePin = null;
  /** @type {(() => void)|null} */
  let removeBrush = null;
  const setPinned = (/** @type {boolean} */ on) => {
    pinned = on;
    if (on) removePin ??= openLayer({ close: release });
    else {
      removePin?.();
      removePin = null;
    }
  };
  const endDrag = () => {
    from = null;
    removeBrush?.();
    removeBrush = null;
  };

  const inside = (/** @type {Place} */ p) => p.x >= box.x0 - 1 && p.x <= box.x1 + 1 && p.y >= box.y0 - 1 && p.y <= box.y1 + 1;
  const paint = (/** @type {{ x: number, y: number }|null} */ to = null) => {
    over.replaceChildren();
    const ids = selection.value;
    if (ids.size > 0) for (const p of places) if (inside(p) && p.mark.ids?.some((id) => ids.has(id))) over.append(halo(p, 'chosen'));
    const here = places[at];
    if (here && inside(here)) {
      if (reach !== 'y') over.append(shape('line', { x1: here.x, x2: here.x, y1: box.y0, y2: box.y1 }, 'hair'));
      if (reach !== 'x' || here.mark.y !== undefined) over.append(shape('line', { x1: box.x0, x2: box.x1, y1: here.y, y2: here.y }, 'hair'));
      over.append(halo(here, pinned ? 'mark pinned' : 'mark'));
    }
    if (from && to) {
      const [x, width] = reach === 'y' ? [box.x0, box.x1 - box.x0] : [Math.min(from.x, to.x), Math.abs(to.x - from.x)];
      const [y, height] = reach === 'x' ? [box.y0, box.y1 - box.y0] : [Math.min(from.y, to.y), Math.abs(to.y - from.y)];
      over.append(shape('rect', { x, y, width, height }, 'brush'));
    }
  };
  const halo = (/** @type {Place} */ p, /** @type {string} */ kind) => {
    if (p.right - p.left <= 1) return shape('circle', { cx: p.x, cy: p.y, r: reach === 'xy' ? 8 : 5 }, kind);
    const wide = { x: p.left, width: p.right - p.left };
    return p.tall > 0 ? shape('rect', { ...wide, y: p.y - p.tall / 2, height: p.tall }, `${kind} framed`) : shape('rect', { ...wide, y: box.y0, height: box.y1 - box.y0 }, kind);
  };
  const tell = (spoken = false) => {
    paint();
    how.onRead(places[at] ? { datum: places[at].mark.datum, pinned, spoken } : null);
  };
  const local = (/** @type {PointerEvent} */ e) => {
    const rect = over.getBoundingClientRect();
    return { x: e.clientX - rect.left, y: e.clientY - rect.top };
  };

  const move = (/** @type {PointerEvent} */ e) => {
    const to = local(e);
    if (from && e.buttons === 0) cancel(); // the button was released outside the picture
    if (from && Math.hypot(to.x - from.x, to.y - from.y) > DRAG) {
      if (!host.hasPointerCapture(e.pointerId)) host.setPointerCapture(e.pointerId);
      removeBrush ??= openLayer({ close: cancel });
      paint(to);
      return;
    }
    if (pinned || e.pointerType === 'touch') return;
    const next = find(to.x, to.y);
    if (next === at) return;
    at = next;
    tell();
  };
  const leave = () => {
    if (pinned || from || at < 0) return;
    at = -1;
    tell();
  };
  const down = (/** @type {PointerEvent} */ e) => {
    if (!e.isPrimary) cancel(); // a second finger: a pinch instead of a drag
    else if (e.button === 0 && e.target instanceof Element && !e.target.closest('button, [role=slider]')) from = local(e);
  };
  const up = (/** @type {PointerEvent} */ e) => {
    if (!from) return;
    const [a, b] = [from, local(e)];
    endDrag();
    if (Math.hypot(a.x - b.x, a.y - b.y) > DRAG) take(a, b, e.shiftKey);
    else {
      const next = find(b.x, b.y);
      setPinned(next >= 0 && !(pinned && next === at));
      at = next;
    }
    tell();
  };
  const cancel = () => {
    endDrag();
    paint();
  };
  const release = () => {
    setPinned(false);
    at = -1;
    tell();
  };
  /** @param {{ x: number, y: number }} a @param {{ x: number, y: number }} b @param {boolean} add */
  const take = (a, b, add) => {
    const within = (/** @type {number} */ low, /** @type {number} */ high, /** @type {number} */ u, /** @type {number} */ v) => high >= Math.min(u, v) && low <= Math.max(u, v);
    choose(places.filter((p) => inside(p) && (reach === 'y' || within(p.left, p.right, a.x, b.x)) && (reach === 'x' || within(p.y, p.y, a.y, b.y)))
      .flatMap((p) => [...(p.mark.ids ?? [])]), add);
  };
  /** Moves to another mark by key. @param {number} step */
  const walk = (step) => {
    if (places.length === 0) return;
    at = at < 0 ? (step > 0 ? 0 : places.length - 1) : Math.max(0, Math.min(places.length - 1, at + step));
    if (!inside(places[at])) how.show?.(places[at].x, places[at].y);
    tell(true);
  };

  /** @type {[string, any][]} */
  const listeners = [['pointermove', move], ['pointerleave', leave], ['pointerdown', down], ['pointerup', up], ['pointercancel', cancel]];
  for (const [name, fn] of listeners) host.addEventListener(name, fn);
  const unfollow = selection.subscribe(() => paint());
  return {
    /** Called after each drawing; keeps the cursor on the same mark. @param {any} svg @param {Mark[]} marks */
    place(svg, marks) {
      const before = places[at]?.mark;
      places = placesOf(svg, marks).sort((a, b) => (reach === 'y' ? a.y - b.y || a.x - b.x : a.x - b.x || a.y - b.y));
      const [x, y] = [svg.scale('x').range, svg.scale('y').range];
      box = { x0: Math.min(...x), x1: Math.max(...x), y0: Math.min(...y), y1: Math.max(...y) };
      const seen = places.map((p, i) => ({ p, i })).filter(({ p }) => inside(p));
      const along = seen.map(({ p }) => (reach === 'y' ? p.y : p.x));
      const grid = reach === 'xy' ? gridOf(seen.map(({ p }) => p)) : null;
      find = (px, py) => seen[grid ? grid(px, py, NEAR) : nearestAlong(along, reach === 'y' ? py : px)]?.i ?? -1;
      at = before ? places.findIndex((p) => p.mark.x === before.x && p.mark.y === before.y && p.mark.ids?.[0] === before.ids?.[0]) : -1;
      if (at < 0) setPinned(false);
      for (const name of ['width', 'height']) over.setAttribute(name, svg.getAttribute(name));
      host.append(over);
      if (before) tell();
      else paint();
    },
    walk,
    /** Enter: pins the mark at the cursor, or releases it. */
    pin() {
      if (at < 0) return;
      setPinned(!pinned);
      tell(true);
    },
    release,
    free() {
      unfollow();
      setPinned(false);
      endDrag();
      for (const [name, fn] of listeners) host.removeEventListener(name, fn);
    },
  };
}
