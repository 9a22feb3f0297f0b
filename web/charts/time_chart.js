// time_chart.js: base of the charts on the common time axis: a canvas with an axis below it, one window, one
// crosshair.
//
// They use canvas, since each change of the window redraws all of them; Plot would need ten frame times for that.
// Each file here (heatmap.js, area.js, line.js) is timeChart(spec): chart(host, data, link) → { update, svg, rows,
// free }.
import { openLayer } from '../ui/layers.js';
import { pinched } from './pinch.js';
import { columnsOf, windowText } from './time_window.js';
import { EXPORT_RATIO } from './canvas.js';
import { axisMarks } from './ticks.js';
import { count } from '../ui/format.js';

/** A series of the server as arrays: [line][column][min, mean, max]. `brief`: short axis labels, if `labels` are long.
 * @typedef {{ name: string, title: string, unit: string, labels: string[], brief?: string[], lines: number, columns: number, from: number, to: number, column: number, values: Float32Array }} Series
 */
/** The window and the crosshair, common to all pictures. `turn` requests another window, `read` reports the pointer's
 * position.
 * @typedef {{ window: () => import('./time_window.js').Window, cursor: () => number|null, turn: (w: import('./time_window.js').Window, how: { done: boolean }) => void,
 *   zoomBy: (at: number, factor: number) => void, reset: () => void, read: (cycle: number|null, line: number|null) => void, step: (columns: number) => void, pan: (share: number) => void, pin: () => void, release: () => void }} Link
 */
/** @typedef {{ left: number, width: number, height: number, x: (cycle: number) => number, cycle: (x: number) => number }} Place */
/** @template D
 * @typedef {{ name: (data: D) => string, height: (data: D) => number, of: (data: D) => Series, draw: (ctx: CanvasRenderingContext2D, data: D, place: Place, window: import('./time_window.js').Window) => void,
 *   yLabels: (data: D, height: number) => { y: number, text: string }[], line?: (data: D, y: number, height: number, cycle: number) => number|null, rows: (data: D, window: import('./time_window.js').Window) => (string|number|null)[][] }} Spec */

export const LEFT = 64;
const RIGHT = 10;
const AXIS = 22;
const TOP = 6; // half of the label at the upper end of the scale
const DRAG_MIN = 4;
/** Pixels for "cycles" at the end of the axis. */
const UNIT_ROOM = 64;

/** Cache of theme colours: a query of the browser is slower than the drawing. @type {Map<string, string>} */
const tokens = new Map();
addEventListener('themechange', () => tokens.clear());
/** @param {string} name @returns {string} */
function token(name) {
  let value = tokens.get(name);
  if (value === undefined) tokens.set(name, value = getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return value;
}
/** `var(--x)`, or a colour as it is. @param {string} color */
export const paint = (color) => (color.startsWith('var(') ? token(color.slice(4, -1)) : color);

/** @template D @param {Spec<D>} spec */
export function timeChart(spec) {
  /** @param {HTMLElement} host @param {D} first @param {Link} link */
  return (host, first, link) => {
    let data = first;
    let width = 0;
    let pending = 0;
    const canvas = document.createElement('canvas');
    const over = document.createElement('canvas');
    over.className = 'over';
    host.replaceChildren(canvas, over);
    host.tabIndex = 0;
    host.setAttribute('role', 'group');
    for (const c of [canvas, over]) c.setAttribute('aria-hidden', 'true');

    const place = () => {
      const w = link.window();
      const inner = Math.max(10, width - LEFT - RIGHT);
      return { left: LEFT, width: inner, height: spec.height(data), x: (/** @type {number} */ c) => LEFT + ((c - w.from) / (w.to - w.from)) * inner, cycle: (/** @type {number} */ x) => w.from + ((x - LEFT) / inner) * (w.to - w.from) };
    };
    const named = () => [spec.name(data), windowText(link.window(), spec.of(data), count)].filter(Boolean).join(', ');
    const sized = (/** @type {HTMLCanvasElement} */ c, /** @type {number} */ height) => {
      const ratio = devicePixelRatio || 1;
      const [cw, ch] = [Math.round(width * ratio), Math.round((TOP + height) * ratio)];
      if (c.width !== cw || c.height !== ch) {
        c.width = cw;
        c.height = ch;
        c.style.width = `${width}px`;
        c.style.height = `${TOP + height}px`;
      }
      const ctx = /** @type {CanvasRenderingContext2D} */ (c.getContext('2d'));
      ctx.setTransform(ratio, 0, 0, ratio, 0, TOP * ratio);
      return ctx;
    };
    const draw = () => {
      pending = 0;
      if (width < 120) return;
      const started = performance.now();
      const p = place();
      host.setAttribute('aria-label', named());
      const ctx = sized(canvas, p.height + AXIS);
      ctx.clearRect(0, -TOP, width, TOP + p.height + AXIS);
      ctx.save();
      ctx.beginPath();
      ctx.rect(p.left, -1, p.width, p.height + 2); // a line at 0 or at 100 % is drawn in full width
      ctx.clip();
      spec.draw(ctx, data, p, link.window());
      ctx.restore();
      axes(ctx, axisOf(p), p);
      cross();
      performance.measure('time-chart', { start: started, detail: spec.of(data).name });
    };
    const cross = () => {
      const p = place();
      const ctx = sized(over, p.height + AXIS);
      const at = link.cursor();
      ctx.clearRect(0, -TOP, width, TOP + p.height + AXIS);
      if (dragged) {
        ctx.fillStyle = `color-mix(in srgb, ${token('--accent')} 18%, transparent)`;
        ctx.fillRect(Math.min(dragged.x0, dragged.x1), 0, Math.abs(dragged.x1 - dragged.x0), p.height);
      }
      if (at === null || p.x(at) < p.left || p.x(at) > p.left + p.width) return;
      ctx.strokeStyle = token('--ink');
      ctx.lineWidth = 1;
      ctx.beginPath();
      ctx.moveTo(Math.round(p.x(at)) + 0.5, 0);
      ctx.lineTo(Math.round(p.x(at)) + 0.5, p.height);
      ctx.stroke();
    };
    const soon = () => { pending ||= requestAnimationFrame(draw); };
    const axisOf = (/** @type {Place} */ p) => axisTexts(spec.yLabels(data, p.height), p, link.window());
    /** For export: the drawing at twice its size, axis texts as SVG texts. */
    const pictured = () => {
      const p = place(), canvas = document.createElement('canvas');
      const ratio = Math.max(EXPORT_RATIO, devicePixelRatio || 1), size = { width, height: TOP + p.height + AXIS };
      canvas.width = Math.round(size.width * ratio);
      canvas.height = Math.round(size.height * ratio);
      const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
      ctx.setTransform(ratio, 0, 0, ratio, 0, TOP * ratio);
      ctx.save();
      ctx.beginPath();
      ctx.rect(p.left, -1, p.width, p.height + 2);
      ctx.clip();
      spec.draw(ctx, data, p, link.window());
      ctx.restore();
      return pictureOf(canvas, size, named(), axisOf(p), p);
    };

    /** @type {{ x0: number, x1: number, pan: boolean, from: import('./time_window.js').Window }|null} */
    let dragged = null;
    /** @type {(() => void)|null} */
    let removeLayer = null;
    const endDrag = () => {
      dragged = null;
      removeLayer?.();
      removeLayer = null;
    };
    const cancelDrag = () => {
      if (dragged?.pan) link.turn(dragged.from, { done: true });
      endDrag();
      cross();
    };
    const xOf = (/** @type {MouseEvent} */ e) => e.clientX - host.getBoundingClientRect().left;
    const clamp = (/** @type {number} */ x) => Math.max(LEFT, Math.min(LEFT + place().width, x));
    /** Fingers on the picture: distance from the left end of the axis. @type {Map<number, number>} */
    const fingers = new Map();
    /** The times under two fingers. @type {number[]|null} */
    let held = null;
    const onDown = (/** @type {PointerEvent} */ e) => {
      if (e.button !== 0 || xOf(e) < LEFT) return;
      if (e.pointerType === 'touch' && fingers.size < 2) fingers.set(e.pointerId, xOf(e) - LEFT);
      if (fingers.size === 2) {
        held ??= [...fingers.values()].map((x) => place().cycle(LEFT + x));
        endDrag();
        cross();
        return;
      }
      removeLayer ??= openLayer({ close: cancelDrag });
      dragged = { x0: clamp(xOf(e)), x1: clamp(xOf(e)), pan: e.shiftKey, from: link.window() };
      host.setPointerCapture(e.pointerId);
    };
    const onMove = (/** @type {PointerEvent} */ e) => {
      const p = place();
      if (fingers.has(e.pointerId)) fingers.set(e.pointerId, xOf(e) - LEFT);
      if (held) {
        const turned = pinched(held, [...fingers.values()], p.width);
        if (turned) link.turn(turned, { done: false });
        return;
      }
      const y = e.clientY - host.getBoundingClientRect().top - TOP;
      if (dragged) {
        dragged.x1 = clamp(xOf(e));
        if (dragged.pan) {
          const by = ((dragged.x0 - xOf(e)) / p.width) * (dragged.from.to - dragged.from.from);
          link.turn({ from: dragged.from.from + by, to: dragged.from.to + by }, { done: false });
        }
      }
      link.read(xOf(e) < LEFT ? null : p.cycle(clamp(xOf(e))), y <= p.height ? spec.line?.(data, Math.max(0, y), p.height, p.cycle(clamp(xOf(e)))) ?? null : null);
      if (dragged) cross();
    };
    const onUp = (/** @type {PointerEvent} */ e) => {
      const d = dragged;
      endDrag();
      if (fingers.delete(e.pointerId) && held) {
        held = null;
        link.turn(link.window(), { done: true });
      }
      if (!d) return;
      const p = place();
      if (d.pan) link.turn(link.window(), { done: true });
      else if (Math.abs(d.x1 - d.x0) >= DRAG_MIN) link.turn({ from: p.cycle(Math.min(d.x0, d.x1)), to: p.cycle(Math.max(d.x0, d.x1)) }, { done: true });
      else if (e.type === 'pointerup') link.pin();
      cross();
    };
    const onWheel = (/** @type {WheelEvent} */ e) => {
      if (!e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      link.zoomBy(place().cycle(clamp(xOf(e))), Math.exp(-e.deltaY / 300));
    };
    const onLeave = () => { if (!dragged) link.read(null, null); };
    const onKey = (/** @type {KeyboardEvent} */ e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const w = link.window();
      const middle = link.cursor() ?? (w.from + w.to) / 2;
      /** @type {Record<string, () => void>} */
      const does = {
        '+': () => link.zoomBy(middle, 1.5), '=': () => link.zoomBy(middle, 1.5), '-': () => link.zoomBy(middle, 1 / 1.5), 0: link.reset,
        ArrowRight: () => (e.shiftKey ? link.pan(0.2) : link.step(1)), ArrowLeft: () => (e.shiftKey ? link.pan(-0.2) : link.step(-1)),
        Enter: link.pin, Escape: link.release,
      };
      if (!(e.key in does)) return;
      does[e.key]();
      e.preventDefault();
    };
    const observer = new ResizeObserver(([entry]) => {
      if (Math.floor(entry.contentRect.width) === width) return;
      width = Math.floor(entry.contentRect.width);
      soon();
    });
    observer.observe(host);
    addEventListener('themechange', soon);
    /** @type {[string, any][]} */
    const listeners = [['pointerdown', onDown], ['pointermove', onMove], ['pointerup', onUp], ['pointercancel', onUp], ['pointerleave', onLeave], ['wheel', onWheel], ['keydown', onKey], ['dblclick', () => link.reset()]];
    for (const [kind, fn] of listeners) host.addEventListener(kind, fn, kind === 'wheel' ? { passive: false } : undefined);
    return {
      update(/** @type {D} */ next) {
        data = next;
        soon();
      },
      /** The window has changed. */
      turned: soon,
      /** The crosshair has moved. */
      crossed: () => { if (!pending && width >= 120) cross(); },
      svg: () => (width < 120 ? null : pictured()),
      rows: () => spec.rows(data, link.window()),
      free() {
        observer.disconnect();
        endDrag();
        cancelAnimationFrame(pending);
        removeEventListener('themechange', soon);
        for (const [kind, fn] of listeners) host.removeEventListener(kind, fn);
        host.replaceChildren();
      },
    };
  };
}

/** @typedef {{ x: number, y: number, text: string, anchor: 'end'|'middle' }} AxisText */

/** Texts of both axes. The unit is at the end of the lower one.
 * @param {{ y: number, text: string }[]} labels @param {Place} p @param {import('./time_window.js').Window} w @returns {{ texts: AxisText[], marks: number[] }} */
function axisTexts(labels, p, w) {
  const { marks, text } = axisMarks(w.from, w.to, { room: p.width, end: UNIT_ROOM, most: Math.max(3, Math.floor(p.width / 110)) });
  return { marks: marks.map(p.x), texts: [
    ...labels.map((l) => ({ x: p.left - 6, y: l.y, text: l.text, anchor: /** @type {const} */ ('end') })),
    ...marks.map((m) => ({ x: Math.max(p.x(m), p.left), y: p.height + 12, text: text(m), anchor: /** @type {const} */ ('middle') })),
    { x: p.left + p.width, y: p.height + 12, text: 'cycles', anchor: 'end' },
  ] };
}

/** @param {CanvasRenderingContext2D} ctx @param {ReturnType<typeof axisTexts>} axis @param {Place} p */
function axes(ctx, { texts, marks }, p) {
  ctx.font = `11px ${token('--sans') || 'sans-serif'}`;
  ctx.fillStyle = token('--ink-2');
  ctx.strokeStyle = token('--line');
  ctx.lineWidth = 1;
  ctx.textBaseline = 'middle';
  for (const t of texts) {
    ctx.textAlign = t.anchor === 'end' ? 'right' : 'center';
    ctx.fillText(t.text, t.x, t.y);
  }
  ctx.strokeRect(p.left - 0.5, 0.5, p.width + 1, p.height);
  for (const mark of marks) {
    const x = Math.round(mark) + 0.5;
    ctx.beginPath();
    ctx.moveTo(x, p.height);
    ctx.lineTo(x, p.height + 4);
    ctx.stroke();
  }
}

/** An SVG with the canvas as an embedded image, and the axes as lines and texts.
 * @param {HTMLCanvasElement} canvas @param {{ width: number, height: number }} size @param {string} name @param {ReturnType<typeof axisTexts>} axis @param {Place} p
 */
function pictureOf(canvas, size, name, { texts, marks }, p) {
  const element = (/** @type {string} */ kind, /** @type {Record<string, string|number>} */ attributes) => {
    const el = document.createElementNS('http://www.w3.org/2000/svg', kind);
    for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, String(value));
    return el;
  };
  const svg = /** @type {SVGSVGElement} */ (element('svg', size)), title = element('title', {}), group = element('g', { transform: `translate(0,${TOP})` });
  title.textContent = name;
  group.append(element('rect', { x: p.left - 0.5, y: 0.5, width: p.width + 1, height: p.height, fill: 'none', stroke: token('--line') }),
    ...marks.map((x) => element('line', { x1: x, x2: x, y1: p.height, y2: p.height + 4, stroke: token('--line') })),
    ...texts.map((t) => {
      const el = element('text', { x: t.x, y: t.y, 'text-anchor': t.anchor, 'dominant-baseline': 'middle', 'font-size': 11, fill: token('--ink-2') });
      el.textContent = t.text;
      return el;
    }));
  svg.append(title, element('image', { ...size, href: canvas.toDataURL('image/png') }), group);
  return svg;
}

/** Table rows of the values in the window, unrounded. @param {Series} s @param {import('./time_window.js').Window} w */
export function seriesRows(s, w) {
  const [first, end] = columnsOf(w, s);
  /** @type {(string|number|null)[][]} */
  const rows = [['line', 'from_cycle', 'to_cycle', `min (${s.unit})`, 'mean', 'max']];
  for (let line = 0; line < s.lines; line++) {
    for (let c = first; c < end; c++) {
      const at = (line * s.columns + c) * 3;
      rows.push([s.labels[line], s.from + c * s.column, Math.min(s.to, s.from + (c + 1) * s.column), ...[0, 1, 2].map((k) => (Number.isNaN(s.values[at + k]) ? null : s.values[at + k]))]);
    }
  }
  return rows;
}

/** Values of one line in the column of this cycle; null: no value. @param {Series} s @param {number} line @param {number} cycle */
export function valuesAt(s, line, cycle) {
  const c = Math.max(0, Math.min(s.columns - 1, Math.floor((cycle - s.from) / s.column)));
  const at = (line * s.columns + c) * 3;
  const [min, mean, max] = s.values.subarray(at, at + 3);
  return Number.isNaN(mean) ? null : { min, mean, max, column: c };
}
