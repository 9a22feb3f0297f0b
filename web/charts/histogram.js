// histogram.js: the distribution of a kernel's launches, coloured by stratum, with means and the drawn samples.
import { draw, Plot } from './plot.js';
import { chartOf } from './frame.js';
import { axisMarks } from './ticks.js';
import { count, countedIn, number, plural, short, timeNs, timeUnit } from '../ui/format.js';

/** `planned`: strata are shown separately; otherwise as one.
 * @typedef {{ histogram: import('../types.js').Histogram, color: (stratum: number) => string, label: (stratum: number) => string, what: string, planned: boolean }} Data
 */
/** @typedef {import('../types.js').Histogram['strata'][number]} Group */
const HEIGHT = 300, LEFT = 52, RIGHT = 16;
/** Height of the rug of drawn samples below the bars, as a share of the highest bar. */
const RUG = 0.06;

/** The common unit of all values on the axis. @param {Data} data */
function axis(data) {
  const { edges, unit } = data.histogram;
  if (unit !== 'ns') return { scale: 1, label: countedIn(unit) };
  const [seconds, name] = timeUnit((edges[Math.floor(edges.length / 2)] || 1) / 1e9);
  return { scale: seconds * 1e9, label: `duration (${name})` };
}

/** The merged bins of all groups. @param {Data} data */
function binsOf(data) {
  const { edges, strata } = data.histogram;
  return edges.slice(1).map((e, i) => ({ i, from: edges[i], to: e, n: strata.reduce((t, s) => t + s.counts[i], 0), ids: data.planned ? strata.filter((s) => s.counts[i] > 0).map((s) => `stratum:${s.id}`) : [] }));
}

/** One layer per colour, the strata with the shortest launches first. A layer is one step curve, so the number of
 * marks does not depend on the number of bins.
 * @param {Data} data @param {ReadonlySet<string>} selected */
function layersOf(data, selected) {
  const { edges } = data.histogram;
  const one = data.histogram.strata.some((s) => selected.has(`stratum:${s.id}`));
  /** @type {Map<string, { color: string, faded: boolean, counts: number[] }>} */
  const layers = new Map();
  for (const s of [...data.histogram.strata].sort((a, b) => (a.mean ?? 0) - (b.mean ?? 0) || a.id - b.id)) {
    const faded = one && data.planned && !selected.has(`stratum:${s.id}`);
    const key = `${data.color(s.id)} ${faded}`;
    const layer = layers.get(key) ?? { color: data.color(s.id), faded, counts: edges.slice(1).map(() => 0) };
    s.counts.forEach((n, i) => { layer.counts[i] += n; });
    layers.set(key, layer);
  }
  return [...layers].map(([key, l]) => ({ key, ...l }));
}

/** The rug of one group as one path. @param {Group} s @param {string} color @param {number} scale @param {number} most */
const rug = (s, color, scale, most) => (/** @type {any} */ index, /** @type {any} */ { x, y }) => {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  const [from, to] = [y(-most * RUG), y(-most * RUG * 0.15)];
  const [low, high] = x.range();
  path.setAttribute('d', (s.drawn ?? []).map((v) => x(v / scale)).filter((v) => v >= low && v <= high).map((v) => `M${v.toFixed(1)} ${from}V${to}`).join(''));
  path.setAttribute('stroke', color);
  path.setAttribute('class', 'rug');
  return path;
};

export const histogram = chartOf({
  name: (/** @type {Data} */ data) => `Histogram of ${data.what}`,
  domains: (data) => ({ x: [data.histogram.low, data.histogram.high] }),
  draw: (data, width, window, selected) => {
    const { edges, strata } = data.histogram;
    const { scale, label } = axis(data);
    const bins = binsOf(data);
    const positive = window.x[0] > 0 && data.histogram.scale === 'log';
    const x = window.x.map((/** @type {number} */ v) => v / scale);
    const inWindow = bins.filter((b) => b.to > window.x[0] && b.from < window.x[1]);
    const most = Math.max(1, ...inWindow.map((b) => b.n));
    const layers = layersOf(data, selected);
    const steps = layers.flatMap((l) => edges.map((e, i) => ({ key: l.key, at: e / scale, n: l.counts[Math.min(i, l.counts.length - 1)] })));
    const of = new Map(layers.map((l) => [l.key, l]));
    const means = data.planned ? strata.flatMap((s) => (s.mean !== null && s.mean >= window.x[0] && s.mean <= window.x[1] ? [{ id: s.id, x: s.mean / scale, m: s.m }] : [])) : [];
    const rugs = strata.filter((s) => s.drawn?.length);
    const across = axisMarks(x[0], x[1], { room: width - LEFT - RIGHT, log: positive });
    const up = axisMarks(0, most * 1.05, { room: HEIGHT - 66, tall: true, whole: most >= 3, most: 5 });
    return draw({
      width, height: HEIGHT, marginLeft: LEFT, marginBottom: 40, marginTop: 26, marginRight: RIGHT, clip: true,
      x: { type: positive ? 'log' : 'linear', domain: x, label, labelAnchor: 'center', labelArrow: 'none', tickFormat: across.text, ticks: across.marks, tickSize: 0 },
      y: { domain: [rugs.length ? -most * RUG * 1.2 : 0, most * 1.05], label: 'launches', labelArrow: 'none', tickFormat: up.text, ticks: up.marks, tickSize: 0 },
      marks: [
        Plot.gridY({ ticks: up.marks, stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.areaY(steps, Plot.stackY({ x: 'at', y: 'n', z: 'key', fill: (/** @type {any} */ s) => of.get(s.key)?.color, fillOpacity: (/** @type {any} */ s) => (of.get(s.key)?.faded ? 0.25 : 1), curve: 'step-after', order: layers.map((l) => l.key) })),
        Plot.ruleY([0], { stroke: 'var(--line)' }),
        ...rugs.map((s) => rug(s, data.color(s.id), scale, most)),
        ...(means.length > 0 && means.length <= 12 ? [
          Plot.ruleX(means, { x: 'x', y1: 0, y2: most * 1.05, stroke: (d) => data.color(d.id), strokeDasharray: '2 3' }),
          Plot.text(means, { x: 'x', y: most * 1.05, text: (d) => (d.m === null ? '' : `m=${short(d.m)}`), dy: -7, fill: 'var(--ink-2)', clip: false }),
        ] : []),
      ],
    });
  },
  reach: 'x',
  marks: (data) => {
    const { scale } = axis(data);
    const middle = (/** @type {number} */ a, /** @type {number} */ b) => (data.histogram.scale === 'log' ? Math.sqrt(a * b) : (a + b) / 2);
    return binsOf(data).map((b) => ({ x: middle(b.from, b.to) / scale, x1: b.from / scale, x2: b.to / scale, ids: b.ids, datum: b }));
  },
  read: (b, data) => {
    const at = (/** @type {number} */ x) => (data.histogram.unit === 'ns' ? timeNs(x) : number(x));
    const parts = data.histogram.strata.filter((s) => s.counts[b.i] > 0).slice(0, 4).map((s) => `${data.label(s.id)} ${count(s.counts[b.i])}`);
    return `${at(b.from)} to ${at(b.to)}: ${plural(b.n, 'launch', 'launches')}${data.planned && parts.length ? ` (${parts.join(', ')})` : ''}`;
  },
  rows: (data) => {
    const { edges, strata, unit } = data.histogram;
    return [
      [`from_${unit}`, `to_${unit}`, ...strata.map((s) => (data.planned ? data.label(s.id) : 'launches'))],
      ...edges.slice(1).map((e, i) => [edges[i], e, ...strata.map((s) => s.counts[i])]),
    ];
  },
});
