// pareto.js: every method at every error: speed-up on x, error on y. The lower right is best.
import { draw, Plot } from './plot.js';
import { chartOf } from './frame.js';
import { canvasUnder, resolved } from './canvas.js';
import { handleOn } from './handle.js';
import { methodStyle } from './palette.js';
import { axisMarks } from './ticks.js';
import { bound, error, plural, speedup } from '../ui/format.js';

/** @typedef {import('../types.js').Evaluation} Item */
/** `plan`: the position of the page's plan; `curve`: the settings of its method; `at`: the setting at the handle.
 * @typedef {{ items: Item[], plan: { method: string, speedup: number, error: number, actual: number|null }|null, confidence: number,
 *   curve: Item[], at: Item|null }} Data */

/** The smallest error on the log axis, also used for zero. */
const LEAST = 1e-5;
const HEIGHT = 400;

const down = /** @type {any} */ ({
  draw(/** @type {CanvasPath} */ context, /** @type {number} */ size) {
    const r = Math.sqrt(size / (Math.sqrt(3) * 3));
    context.moveTo(0, r * 2);
    context.lineTo(-Math.sqrt(3) * r, -r);
    context.lineTo(Math.sqrt(3) * r, -r);
    context.closePath();
  },
});
/** @param {import('./palette.js').Shape} shape @returns {any} */
const symbolOf = (shape) => ({ circle: 'circle', triangle: 'triangle', square: 'square', diamond: 'diamond', down, plus: 'plus', times: 'times', hexagon: 'hexagon', ring: 'circle', star: 'star', asterisk: 'asterisk' })[shape];

/** @param {number} e */
const onAxis = (e) => Math.max(e, LEAST) * 100;

/** The y value of a method's mark: the actual error of its repeats, if there are any.
 * @param {Item} d */
export const errorOf = (d) => d.actual_error ?? d.promised_error;

/** The Pareto-optimal settings: the dashed line. @param {Item[]} items */
export function front(items) {
  const known = items.filter((d) => d.speedup !== null && errorOf(d) !== null);
  const sorted = [...known].sort((a, b) => Number(b.speedup) - Number(a.speedup) || Number(errorOf(a)) - Number(errorOf(b)));
  /** @type {Item[]} */
  const out = [];
  for (const d of sorted) {
    if (out.length === 0 || Number(errorOf(d)) < Number(errorOf(out[out.length - 1]))) out.push(d);
  }
  return out.reverse();
}

/** @param {Data} data @returns {{ x: [number, number], y: [number, number] }} */
function extent(data) {
  const xs = data.items.flatMap((d) => [d.speedup, ...(d.cloud ?? []).map((c) => c[0])]).concat(data.plan?.speedup ?? []).filter((x) => x !== null && x > 0);
  const ys = data.items.flatMap((d) => [d.promised_error, d.actual_error, ...(d.cloud ?? []).map((c) => c[1])]).concat(data.plan?.error ?? []).filter((y) => y !== null && Number.isFinite(y));
  const wide = (/** @type {number} */ a, /** @type {number} */ b) => /** @type {[number, number]} */ (b / a < 4 ? [a / 2, b * 2] : [a / 1.2, b * 1.2]);
  return {
    x: wide(Math.min(...xs.map(Number)), Math.max(...xs.map(Number))),
    y: wide(Math.max(LEAST * 100, Math.min(...ys.map((y) => onAxis(Number(y))))), Math.max(...ys.map((y) => onAxis(Number(y))))),
  };
}
/** @param {Data} data */
const shownOf = (data) => data.items.filter((d) => d.speedup !== null && errorOf(d) !== null);
/** The position of a setting on the axis of errors. @param {Item} d */
const standsAt = (d) => onAxis(Number(errorOf(d)));

export const pareto = chartOf({
  name: (/** @type {Data} */ data) => {
    const n = new Set(data.items.filter((d) => d.speedup !== null).map((d) => d.method)).size;
    return `Speed-up against error of ${n} methods${data.plan ? `; this plan: ${speedup(data.plan.speedup)} at ${error(data.plan.error)} promised` : ''}`;
  },
  domains: (data) => extent(data),
  draw: (data, width, { x, y }, selected) => {
    const shown = shownOf(data);
    const nearEnd = data.plan && x && Math.log(data.plan.speedup / x[0]) > 0.8 * Math.log(x[1] / x[0]); // its label must stay inside the picture
    const methods = [...new Set(shown.map((d) => d.method))];
    const some = methods.some((m) => selected.has(`method:${m}`));
    const faded = (/** @type {string} */ m) => (some && !selected.has(`method:${m}`) ? 0.25 : 1);
    const across = axisMarks(x[0], x[1], { room: width - 68, log: true }), up = axisMarks(y[0], y[1], { room: HEIGHT - 62, log: true, tall: true });
    return draw({
      width, height: HEIGHT, marginLeft: 52, marginBottom: 40, marginTop: 22, marginRight: 16, clip: true,
      x: { type: 'log', domain: x, label: 'speed-up (×)', labelAnchor: 'center', labelArrow: 'none', tickFormat: across.text, ticks: across.marks, tickSize: 0 },
      y: { type: 'log', domain: y, label: 'error (%)', labelArrow: 'none', tickFormat: up.text, ticks: up.marks, tickSize: 0 },
      marks: [
        Plot.gridX({ ticks: across.marks, stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.gridY({ ticks: up.marks, stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.ruleY([y[0]], { stroke: 'var(--line)' }),
        // A line from the promised error to the actual error of the repeats.
        Plot.ruleX(shown.filter((d) => d.promised_error !== null && d.actual_error !== null), {
          x: 'speedup', y1: (d) => onAxis(d.actual_error), y2: (d) => onAxis(d.promised_error), stroke: (d) => methodStyle(d.method).color, strokeOpacity: (d) => 0.6 * faded(d.method),
        }),
        Plot.line(front(shown), { x: 'speedup', y: standsAt, stroke: 'var(--ink-2)', strokeDasharray: '3 3', curve: 'step-before' }),
        Plot.line(data.curve.filter((d) => errorOf(d) !== null), { x: 'speedup', y: standsAt, stroke: 'var(--accent)', strokeWidth: 1, strokeOpacity: 0.5 }),
        ...methods.map((m) => {
          const style = methodStyle(m);
          const ours = m === 'vivace';
          return Plot.dot(shown.filter((d) => d.method === m), {
            x: 'speedup', y: standsAt, symbol: symbolOf(style.shape), r: 4.5, opacity: faded(m),
            fill: ours ? style.color : 'var(--panel)', stroke: style.color, strokeWidth: 1.5,
          });
        }),
        ...(data.plan ? [
          Plot.dot([data.plan], { x: 'speedup', y: (d) => onAxis(d.actual ?? d.error), r: 9, stroke: 'var(--ink)', strokeWidth: 1.5 }),
          Plot.text([data.plan], { x: 'speedup', y: (d) => onAxis(d.actual ?? d.error), text: () => 'this plan', textAnchor: nearEnd ? 'end' : 'start', dx: nearEnd ? -14 : 14, dy: 2, fill: 'var(--ink)', stroke: 'var(--panel)', strokeWidth: 4 }),
        ] : []),
      ],
    });
  },
  reach: 'xy',
  marks: (data) => shownOf(data).map((d) => ({ x: d.speedup, y: standsAt(d), ids: [`method:${d.method}`], datum: d })),
  // Thousands of repeats are drawn on one canvas below the marks.
  under: (data, svg, host, ratio) => {
    const cloud = data.items.flatMap((d) => (d.cloud ?? []).map((c) => ({ x: c[0], y: c[1], color: methodStyle(d.method).color })));
    const context = cloud.length > 0 ? canvasUnder(svg, host, ratio) : null;
    if (!context) return;
    const px = /** @type {any} */ (svg).scale('x');
    const py = /** @type {any} */ (svg).scale('y');
    const colors = new Map(cloud.map((p) => [p.color, resolved(p.color)]));
    context.globalAlpha = 0.16;
    for (const p of cloud) {
      context.fillStyle = colors.get(p.color) ?? '';
      context.fillRect(px.apply(p.x) - 1, py.apply(onAxis(p.y)) - 1, 2, 2);
    }
  },
  over: (host, options) => handleOn(host, {
    label: 'Error bound', text: (/** @type {Item} */ d) => `${bound(d.error)}: speed-up ${speedup(d.speedup)}, promised ${error(d.promised_error)}`, value: (d) => d.error * 100,
    onMove: (d) => options.onHandle?.(d),
  }, (/** @type {Data} */ data) => ({ at: data.at, stops: data.curve.filter((d) => errorOf(d) !== null).map((d) => ({ x: Number(d.speedup), y: standsAt(d), datum: d })) })),
  read: (/** @type {Item} */ d) => `${d.title}, asked for ${bound(d.error)}: speed-up ${speedup(d.speedup)}, promised ${error(d.promised_error)}, actual ${error(d.actual_error)}, ${plural(Math.round(d.samples ?? NaN), 'sample')} in ${plural(Math.round(d.strata ?? NaN), 'stratum', 'strata')}`,
  rows: (data) => [
    ['method', 'error', 'strata', 'samples', 'speedup', 'promised_error', 'actual_error', 'inside', 'repeats', 'why_not'],
    ...data.items.map((d) => [d.method, d.error, d.strata, d.samples, d.speedup, d.promised_error, d.actual_error, d.inside, d.repeats, d.why_not]),
  ],
});
