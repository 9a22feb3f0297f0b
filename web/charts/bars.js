// bars.js: parts of a whole in one bar, for an overview.
import { draw, Plot } from './plot.js';
import { chartOf } from './frame.js';
import { share } from '../ui/format.js';

/** `ids`: the ids that a click selects on the page. `label`: the short name. `apart`: a text that distinguishes it from others of the same name. @typedef {{ key: string, name: string, label?: string, apart?: string, value: number, color: string, text: string, ids: string[] }} Part */
/** `name`: the main result, for screen readers. `picked`: the key of the part that the page shows. @typedef {{ parts: Part[], whole: number, name: string, picked: string }} Data */
const HEIGHT = 44;

/** The parts side by side. @param {Data} data */
function placed(data) {
  let at = 0;
  return data.parts.map((p) => {
    const from = at;
    at += p.value / data.whole;
    return { ...p, from, to: at };
  });
}

export const bars = chartOf({
  name: (/** @type {Data} */ data) => data.name,
  draw: (data, width, window, selected) => {
    const parts = placed(data);
    const some = parts.some((p) => p.ids.some((id) => selected.has(id)));
    return draw({
      width, height: HEIGHT, marginLeft: 1, marginRight: 1, marginTop: 2, marginBottom: 18,
      x: { domain: [0, 1], label: null, ticks: [0, 0.25, 0.5, 0.75, 1], tickFormat: (/** @type {number} */ v) => (v === 0 || v === 1 ? '' : share(v)), tickSize: 3 },
      y: { domain: [0, 1], axis: null },
      marks: [
        Plot.rect(parts, { x1: 'from', x2: 'to', y1: 0, y2: 1, fill: 'color', insetRight: 1, fillOpacity: (p) => (some && !p.ids.some((/** @type {string} */ id) => selected.has(id)) ? 0.3 : 1) }),
        Plot.rect(parts.filter((p) => p.key === data.picked), { x1: 'from', x2: 'to', y1: 0, y2: 1, stroke: 'var(--ink)', strokeWidth: 2, inset: 1 }),
      ],
    });
  },
  reach: 'x',
  marks: (data) => placed(data).map((p) => ({ x: (p.from + p.to) / 2, x1: p.from, x2: p.to, ids: p.ids, datum: p })),
  read: (/** @type {Part} */ p) => `${p.name}: ${p.text}`,
  rows: (data) => [['part', 'share'], ...data.parts.map((p) => [p.name, p.value / data.whole])],
});
