// profile_kernels.js: the time per kernel: one bar as an overview, then one row per kernel.
import { html, useMemo } from '../ui/lib.js';
import { Card } from '../ui/page.js';
import { Columns, Table } from '../ui/table.js';
import { KernelName, Num, ShareBar } from '../ui/num.js';
import { count, number, planned, plural, shape, share, shortUnit } from '../ui/format.js';
import { distinctNames } from '../ui/kernel_name.js';
import { Picture } from '../charts/picture.js';
import { bars } from '../charts/bars.js';
import { Spark } from '../charts/small.js';
import { chosen } from '../charts/select.js';
import * as api from '../api.js';
import { shapes } from './facts.js';

/** @typedef {import('../types.js').Kernel} Kernel @typedef {import('../types.js').Spread} Spread @typedef {import('../types.js').Unit} Unit */

/** The number of kernels that the bar shows separately. */
const IN_BAR = 8;
/** Characters of a kernel's name in the key of the bar. */
const BAR_NAME = 30;

/** @param {Unit} unit @param {(k: Kernel) => Spread|undefined} spread @param {Map<string, string>} names @returns {import('../ui/table.js').Column<Kernel>[]} */
const columns = (unit, spread, names) => [
  { key: 'name', label: 'kernel', wide: true, sort: (k) => k.name, cell: (k) => html`<${KernelName} name=${k.name} short=${names.get(k.name)} />` },
  { key: 'shape', label: 'grid · block', cell: (k) => shapes(k) },
  { key: 'class', label: 'class', title: 'kind of work, from the name', sort: (k) => k.class, cell: (k) => k.class },
  { key: 'calls', label: 'calls', right: true, sort: (k) => k.calls, cell: (k) => html`<${Num} value=${k.calls} text=${count(k.calls)} />` },
  { key: 'total', label: 'total', right: true, sort: (k) => Number(k.total), cell: (k) => html`<${Num} value=${k.total} text=${planned(Number(k.total), unit)} />` },
  { key: 'share', label: 'share', right: true, cell: (k) => html`<${ShareBar} value=${k.share} text=${share(k.share)} />` },
  { key: 'mean', label: 'mean', right: true, sort: (k) => k.mean, cell: (k) => html`<${Num} value=${k.mean} text=${planned(k.mean, unit)} />` },
  { key: 'cov', label: 'CoV', title: 'standard deviation over mean', right: true, sort: (k) => k.cov, cell: (k) => html`<${Num} value=${k.cov} text=${number(k.cov, 2)} />` },
  { key: 'min', label: 'min', right: true, cell: (k) => html`<${Num} value=${k.min} text=${planned(k.min, unit)} />` },
  { key: 'p50', label: 'p50', title: 'half of the calls are at most this', right: true, cell: (k) => html`<${Num} value=${spread(k)?.p50} text=${planned(spread(k)?.p50 ?? NaN, unit)} />` },
  { key: 'p99', label: 'p99', title: '99 of 100 calls are at most this', right: true, sort: (k) => spread(k)?.p99 ?? null, cell: (k) => html`<${Num} value=${spread(k)?.p99} text=${planned(spread(k)?.p99 ?? NaN, unit)} />` },
  { key: 'max', label: 'max', right: true, sort: (k) => k.max, cell: (k) => html`<${Num} value=${k.max} text=${planned(k.max, unit)} />` },
  { key: 'spread', label: 'spread', title: 'how often which duration, from min to max', cell: (k) => html`<${Spark} values=${spread(k)?.spark ?? []} label=${`Spread of ${names.get(k.name)}`} />` },
];

export const KERNEL_COLUMNS = columns('ns', () => undefined, new Map());

/** The colours of the bar: those of the largest kernels, one for all others. @param {Kernel[]} list */
export function kernelColors(list) {
  const of = new Map(inBar(list).map((k, i) => [k.kernel, `var(--cat-${i + 1})`]));
  return (/** @type {number} */ kernel) => of.get(kernel) ?? 'var(--cat-rest)';
}
/** @param {Kernel[]} list */
const inBar = (list) => [...list].sort((a, b) => b.share - a.share).slice(0, list.length > IN_BAR ? IN_BAR - 1 : IN_BAR);

/** @param {Kernel[]} list @param {Unit} unit @param {string} picked @returns {import('../charts/bars.js').Data} */
function partsOf(list, unit, picked) {
  const top = inBar(list), names = distinctNames(list.map((k) => k.name), BAR_NAME);
  const rest = list.length - top.length;
  const twins = (/** @type {Kernel} */ k) => top.some((o) => o !== k && o.name === k.name);
  const left = Math.max(0, 1 - top.reduce((s, k) => s + k.share, 0));
  return {
    name: `${unit === 'ns' ? 'Time' : unit === 'cycles' ? 'Estimated cycles' : 'Instructions'} by kernel: ${top.slice(0, 3).map((k) => `${names.get(k.name)} ${share(k.share)}`).join(', ')}`,
    whole: 1, picked,
    parts: [
      ...top.map((k, i) => ({ key: String(k.kernel), name: k.name, label: names.get(k.name), apart: twins(k) ? shape(k.grid) : '', value: k.share, color: `var(--cat-${i + 1})`, text: `${share(k.share)}, ${planned(Number(k.total), unit)} in ${plural(k.calls, 'call')}`, ids: [`kernel:${k.kernel}`] })),
      ...(rest > 0 ? [{ key: 'rest', name: `${count(rest)} more`, apart: '', value: left, color: 'var(--cat-rest)', text: share(left), ids: list.filter((k) => !top.includes(k)).map((k) => `kernel:${k.kernel}`) }] : []),
    ],
  };
}

/** @param {{ id: string, unit: Unit, caption: string, load: import('../ui/load.js').Load<any>, list: Kernel[], spreads: Spread[]|undefined, picked: string, order: string, hide: string,
 *   onPick: (k: Kernel) => void, onOrder: (order: string) => void, onHide: (hide: string) => void, foot: any }} p */
export function Kernels({ id, unit, caption, load, list, spreads, picked, order, hide, onPick, onOrder, onHide, foot }) {
  const data = useMemo(() => (load.data ? partsOf(list, unit, picked) : undefined), [load.data, list.length, unit, picked]);
  const spread = useMemo(() => {
    const of = new Map((spreads ?? []).map((s) => [s.kernel, s]));
    return (/** @type {Kernel} */ k) => of.get(k.kernel);
  }, [spreads]);
  const names = useMemo(() => distinctNames(list.map((k) => k.name)), [list]);
  const none = load.data && list.length === 0, all = useMemo(() => columns(unit, spread, names), [unit, spread, names]);
  return html`
    <${Picture} title=${unit === 'ns' ? 'Where the time goes' : `Where the ${shortUnit(unit)} go`} note="All launches by kernel, grid and block." chart=${bars} data=${data} load=${load} what="the kernels" height=${44}
      empty=${none && 'This profile has no kernels. The import report below shows how each row was used.'} file="kernels" csv=${api.address.kernels(id)} caption=${caption}
      pick=${{ text: (/** @type {any} */ p) => (p.key === 'rest' ? null : 'Show this kernel'), run: (/** @type {any} */ p) => { const k = list.find((x) => String(x.kernel) === p.key); if (k) onPick(k); } }}
      legend=${(data?.parts ?? []).map((p) => ({ color: p.color, title: p.name, text: html`${p.key === 'rest' ? p.name : html`<code>${p.label}</code>`}${p.apart && html` <span class="quiet">${p.apart}</span>`} ${share(p.value)}` }))} />
    ${list.length > 0 && html`<${Card} title="Kernels" note="Choose one to see its durations." class="bounded" aside=${html`<${Columns} of="Kernels" columns=${all} hide=${hide} onHide=${onHide} /><a class="button" href=${api.address.kernels(id)} download="kernels.csv">CSV</a>`}>
      <${Table} keep rows=${list} columns=${all} hide=${hide} id=${(/** @type {Kernel} */ k) => String(k.kernel)} order=${order} onOrder=${onOrder} caption="Kernels" onPick=${onPick} picked=${picked} chosen=${chosen('kernel')} />
      ${foot}<//>`}`;
}
