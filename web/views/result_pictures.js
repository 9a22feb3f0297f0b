// result_pictures.js: the pictures of a launch: lines, shares, heat maps, with their texts and colours.
import { html, useMemo, useState } from '../ui/lib.js';
import { count, number, short } from '../ui/format.js';
import { area } from '../charts/area.js';
import { hiddenOf, highest, onlyLines } from '../charts/hidden.js';
import { heatHeight, heatmap, largest } from '../charts/heatmap.js';
import { line, together } from '../charts/line.js';
import { rowOrder } from '../charts/row_order.js';
import { TimePanel } from '../charts/time_panel.js';
import { valuesAt } from '../charts/time_chart.js';

/** @typedef {import('../charts/time_chart.js').Series} Series */

/** Fixed order, useful at the bottom. The reasons are the simulator's; an unknown one is grey. */
export const STATE_COLORS = /** @type {Record<string, string>} */ ({
  issued: 'var(--cat-3)', dependence: 'var(--cat-1)', memory: 'var(--cat-2)', unit: 'var(--cat-5)', queue: 'var(--cat-4)', barrier: 'var(--cat-8)',
  sync: 'var(--cat-6)', branch: 'var(--cat-7)', fetch: 'var(--cat-rest)', registers: 'var(--ink-3)', empty: 'var(--sunken)',
});
/** Display names of the parts. @param {string} label */
const spelt = (label) => ({ l1: 'L1', l2: 'L2', noc: 'network', dram: 'DRAM' })[label] ?? label;
export const CATEGORIES = [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `var(--cat-${i})`);
/** @param {Series} s @param {number} cycle */
const when = (s, cycle) => `cycle ${count(Math.floor((cycle - s.from) / s.column) * s.column + s.from)}`;
/** @param {number|null} v @param {boolean} [percent] */
export const said = (v, percent) => (v === null ? '–' : percent ? `${number(100 * v)} %` : number(v));
/** @param {{ min: number, mean: number, max: number }|null} v @param {boolean} [percent] */
const range = (v, percent) => (!v ? 'nothing to say' : v.min === v.max ? said(v.mean, percent) : `${said(v.mean, percent)} (${said(v.min, percent)} to ${said(v.max, percent)})`);

/** The legend of a picture, whose entries hide and show their lines; and the lines that are shown.
 * @param {string[]} labels @param {string[]} colors @param {string} id of the picture, in the address @param {{ hide: string, onHide: (line: string) => void }} p */
function hideable(labels, colors, id, { hide, onHide }) {
  const hidden = hiddenOf(hide);
  const lines = labels.flatMap((label, i) => (hidden.has(`${id}:${label}`) ? [] : [i]));
  const legend = labels.map((label, i) => ({ text: spelt(label), color: colors[i], line: lines.includes(i) ? lines.indexOf(i) : null, onTurn: () => onHide(`${id}:${label}`) }));
  return { lines, legend, without: lines.length === labels.length ? '' : `; hidden: ${legend.filter((l) => l.line === null).map((l) => l.text).join(', ')}` };
}

/** @param {any} p */
export function Lines({ names, of, percent, id, hide, onHide, ...rest }) {
  const whole = useMemo(() => together(names.map(of).filter(Boolean)), [names.join(), of(names[0])]);
  const { lines, legend, without } = hideable(whole.labels, CATEGORIES, id, { hide, onHide });
  const data = useMemo(() => {
    const series = onlyLines(whole, lines);
    return { series, colors: lines.map((i) => CATEGORIES[i]), most: percent && !without ? 1 : largest(series), percent: Boolean(percent), finding: `${rest.name}, over ${short(series.to - series.from)} cycles${without}` };
  }, [whole, lines.join()]);
  return html`<${TimePanel} ...${rest} chart=${line} data=${data} height=${132} legend=${whole.lines > 1 ? legend : []}
    read=${(/** @type {any} */ d, /** @type {number} */ cycle) => `${when(d.series, cycle)}: ${d.series.labels.map((/** @type {string} */ l, /** @type {number} */ i) => `${whole.lines > 1 ? `${l} ` : ''}${range(valuesAt(d.series, i, cycle), percent)}`).join(' · ') || 'all lines are hidden'}${percent ? '' : ` ${d.series.unit}`}`} />`;
}

/** @param {any} p */
export function Shares({ series: whole, colors, id, hide, onHide, ...rest }) {
  const [named, setNamed] = useState(/** @type {number|null} */ (null)), [over, setOver] = useState(/** @type {number|null} */ (null));
  const all = useMemo(() => whole.labels.map(colors), [whole]);
  const { lines, legend, without } = hideable(whole.labels, all, id, { hide, onHide });
  const series = useMemo(() => onlyLines(whole, lines), [whole, lines.join()]);
  const lit = [named, over].find((line) => line !== null && line < series.lines) ?? null; // a line that was just hidden has no index
  const percent = series.unit === 'share';
  const data = useMemo(() => ({ series, colors: lines.map((i) => all[i]), most: percent && !without ? 1 : highest(series), percent, lit, finding: `${rest.name}, stacked: ${series.labels.map(spelt).join(', ')}${without}` }), [series, lit]);
  return html`<${TimePanel} ...${rest} chart=${area} data=${data} height=${172} onLit=${setNamed} onOver=${setOver} legend=${legend}
    read=${(/** @type {any} */ d, /** @type {number} */ cycle) => `${when(d.series, cycle)}: ${parts(d.series, cycle, percent)}${percent ? '' : ' W'}`} />`;
}

/** The largest parts at a time, in words. @param {Series} s @param {number} cycle @param {boolean} percent */
function parts(s, cycle, percent) {
  const list = s.labels.map((label, i) => ({ label: spelt(label), v: valuesAt(s, i, cycle)?.mean ?? 0 })).filter((x) => x.v > 0).sort((a, b) => b.v - a.v);
  if (list.length === 0) return 'nothing to say';
  return list.slice(0, 5).map((x) => `${x.label} ${said(x.v, percent)}`).join(' · ') + (list.length > 5 ? ' …' : '');
}

/** @param {any} p */
export function Heat({ series, rows, percent, aside, ...rest }) {
  const top = useMemo(() => (percent ? 1 : largest(series)), [series]);
  const [scale, setScale] = useState(1);
  const order = useMemo(() => rowOrder(series, rows), [series, rows]);
  const data = useMemo(() => ({ series, order, most: top * scale, finding: `${rest.name}: ${series.lines} rows over ${short(series.to - series.from)} cycles, from 0 to ${said(top, percent)}` }), [series, order, scale, top]);
  const ramp = html`<label class="ramp"><span class="quiet">0</span><span class="rampbar" aria-hidden="true"></span><input type="range" min="0.05" max="1" step="0.01" value=${scale} aria-label="Where the colour scale ends" onInput=${(/** @type {any} */ e) => setScale(Number(e.target.value))} /><data value=${data.most}>${said(data.most, percent)}</data></label>`;
  return html`<${TimePanel} ...${rest} chart=${heatmap} data=${data} height=${heatHeight(series.lines) + 22} aside=${html`${ramp}${aside}`}
    read=${(/** @type {any} */ d, /** @type {number} */ cycle, /** @type {number|null} */ at) => (at === null ? `${when(d.series, cycle)}: point at a row for its value` : `${when(d.series, cycle)}, ${d.series.labels[at]}: ${range(valuesAt(d.series, at, cycle), percent)}${percent ? '' : ` ${d.series.unit}`}`)} />`;
}
