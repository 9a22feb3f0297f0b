// run_domains.js: the projection of a run by part: layers, phases, steps or classes of kernels.
import { html, useEffect, useMemo } from '../ui/lib.js';
import { Card, Faces } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Switch } from '../ui/switch.js';
import { Table } from '../ui/table.js';
import { Estimate, Num, ShareBar } from '../ui/num.js';
import { count, level, plural, sentence, share } from '../ui/format.js';
import { cut } from '../ui/kernel_name.js';
import { contribution, heightOf, largest, SHOWN_MAX } from '../charts/contribution.js';
import { Picture } from '../charts/picture.js';
import * as api from '../api.js';
import { changeOf, notReal, PART_KINDS, PART_NAMES, ProjectionText } from './facts.js';
import { seedText } from './kept.js';

/** @typedef {import('../types.js').RunDomains} Domains @typedef {import('../types.js').RunDomain} Part @typedef {Domains['kind']} Kind */
/** A row: one part on all designs, in the order of the answer. @typedef {{ at: number, of: Part[] }} Row */

/** Letters of a name in the picture. */
const LETTERS = 22;
const NONE = '(none)';

/** @param {{ run: import('../types.js').Run, design: import('../types.js').RunDesign, tick: number, by: string, onBy: (by: Kind) => void, order: string, onOrder: (order: string) => void, report: boolean }} p */
export function RunDomains(p) {
  const { by, onBy, report } = p;
  const choose = html`<${Switch} label="Kind of part" of=${PART_KINDS} now=${by} onTurn=${onBy} text=${(/** @type {string} */ k) => PART_NAMES[/** @type {Kind} */ (k)]} />`;
  if (by) return html`<${Chosen} ...${p} by=${/** @type {Kind} */ (by)} choose=${choose} />`;
  if (report) return null;
  return html`<${Card} title="By part" note="How much each layer, phase, step, rank or class of kernels takes on each design. Choose one." aside=${choose} />`;
}

/** @param {Parameters<typeof RunDomains>[0] & { by: Kind, choose: any }} p */
function Chosen({ run, design, tick, by, order, onOrder, choose }) {
  const load = useLoad((abort) => api.runDomains(run.id, { by }, abort), [run.id, by]);
  useEffect(() => { if (tick > 0) load.reload(); }, [tick]);
  const at = run.designs.indexOf(design);
  const data = useMemo(() => load.data && pictureOf(load.data, at), [load.data, at]);
  if (!load.data || load.data.kind !== by) {
    const why = /** @type {api.Problem|null} */ (load.error), none = why && emptyWords(why, by);
    return html`<${Card} title="By part" aside=${choose}>${none ? html`<p class="none">${none}</p>` : html`<${Faces} load=${{ ...load, data: undefined }} what="the parts" height=${320}>${() => null}<//>`}<//>`;
  }
  const table = html`<${Parts} data=${load.data} at=${at} order=${order} onOrder=${onOrder} />`;
  const note = noteOf(load.data, at);
  if (!data || data.rows.length === 0) return html`<${Card} title="By part" note=${note} aside=${choose}>${table}<//>`;
  return html`<${Picture} title="By part" chart=${contribution} data=${data} height=${heightOf(data)} file=${`parts-by-${by}`} aside=${choose} note=${note}
    caption=${`${run.workload_name} by ${PART_NAMES[by]}, design ${design.design}, engine ${run.engine}, ${level(load.data.designs[at].level)} level${seedText(run)}`} csv=${api.address.runDomains(run.id, by)}>${table}<//>`;
}

/** Why there is no table, in one sentence; null: the request failed. @param {api.Problem} why @param {Kind} by */
function emptyWords(why, by) {
  if (why.status === 422) return `${sentence(why.message)} ${why.hint}`;
  return why.status === 404 && api.who.value?.share ? `This frozen link does not contain a table by ${PART_NAMES[by]}.` : null;
}

/** @param {Domains} data @param {number} at */
function noteOf(data, at) {
  const d = data.designs[at], { others } = largest(d.parts, (p) => p.value_s);
  return `Launches of each part times their mean, with the ${level(d.level)} interval${d.parts.some((p) => p.below_zero) ? '' : '; the parts add up to the total'}.${others > 0 ? ` The ${count(SHOWN_MAX)} that take most; ${plural(others, 'other')} are in the table.` : ''}`;
}

/** @param {Domains} data @param {number} at @returns {import('../charts/contribution.js').Data} */
function pictureOf(data, at) {
  const { parts } = data.designs[at], { shown, others } = largest(parts, (p) => p.value_s);
  return {
    what: PART_NAMES[data.kind], others,
    rows: shown.map((p) => ({ id: `part:${parts.indexOf(p)}`, label: cut(p.name ?? NONE, LETTERS), name: p.name ?? NONE, value: Number(p.value_s), half: p.half_width_s, relative: p.relative_half_width, color: 'var(--cat-1)' })),
    all: [['design', data.kind, 'launches', 'results', 'share', 'total_s', 'half_width_s', 'total', 'half_width', 'unit', `ratio_to_${data.baseline ?? 'baseline'}`, 'ratio_half_width', 'why_not'],
      ...data.designs.flatMap((d) => d.parts.map((p) => [d.design, p.name ?? NONE, p.launches, p.results, p.share, p.value_s, p.half_width_s, p.value, p.half_width, d.unit, p.ratio, p.ratio_half_width, p.estimate_why_not]))],
  };
}

/** The table of all parts, and the explanations of its terms. @param {{ data: Domains, at: number, order: string, onOrder: (order: string) => void }} p */
function Parts({ data, at, order, onOrder }) {
  const rows = useMemo(() => data.designs[0].parts.map((_, i) => ({ at: i, of: data.designs.map((d) => d.parts[i]) })), [data]);
  const all = useMemo(() => columns(data, at), [data, at]);
  const few = rows.flatMap((r) => r.of).find((p) => p.few_results && !p.below_zero), below = rows.flatMap((r) => r.of).find((p) => p.below_zero);
  return html`
    <${Table} rows=${rows} columns=${all} id=${(/** @type {Row} */ r) => String(r.at)} order=${order} onOrder=${onOrder} caption=${`Parts of the run by ${PART_NAMES[data.kind]}`} />
    ${few?.estimate_why_not && html`<p class="quiet">Too few results: ${few.estimate_why_not}.</p>`}
    ${below?.estimate_why_not && html`<p class="quiet">Cannot be estimated: ${below.estimate_why_not}. The other parts add up to more than the total.</p>`}
    ${data.baseline !== null && html`<p class="quiet">Changes are between the same samples; together they have the confidence ${level(data.designs[at].confidence)}, each at ${level(data.ratio_level)}.</p>`}`;
}

/** @param {Domains} data @param {number} at @returns {import('../ui/table.js').Column<Row>[]} */
function columns(data, at) {
  // The design shown against the baseline; of the baseline itself, the design after it.
  const against = data.baseline === null ? -1 : data.designs[at].design === data.baseline ? data.designs.findIndex((d) => d.design !== data.baseline) : at;
  return [
    { key: 'part', label: PART_NAMES[data.kind], wide: true, sort: (r) => r.of[0].name ?? '', cell: (r) => html`<span title=${r.of[0].name ?? undefined}>${r.of[0].name ?? NONE}</span>` },
    { key: 'launches', label: 'launches', right: true, sort: (r) => r.of[0].launches, cell: (r) => html`<${Num} value=${r.of[0].launches} text=${count(r.of[0].launches)} />` },
    { key: 'share', label: 'share of total', title: `on ${data.designs[at].design}`, right: true, sort: (r) => r.of[at].share, cell: (r) => html`<${ShareBar} value=${r.of[at].share} text=${share(r.of[at].share)} />` },
    ...data.designs.map((d, i) => ({
      key: `total${i}`, label: d.design, right: true, sort: (/** @type {Row} */ r) => r.of[i].value, cell: (/** @type {Row} */ r) => html`<${Total} part=${r.of[i]} unit=${d.unit} level=${d.level} />`,
    })),
    ...(against < 0 ? [] : [{ key: 'change', label: `${data.designs[against].design} against ${data.baseline}`, right: true, sort: (/** @type {Row} */ r) => r.of[against].ratio, cell: (/** @type {Row} */ r) => html`<${Change} part=${r.of[against]} />` }]),
    { key: 'samples', label: 'samples', title: 'its launches that are simulated', right: true, sort: (r) => r.of[at].results, cell: (r) => html`<${Num} value=${r.of[at].results} text=${count(r.of[at].results)} />` },
  ];
}

/** The largest number of designs of a run. The address may name a column for each of them. */
const DESIGNS_MAX = 32;
/** @type {Domains} */
const NO_DATA = { run: '', state: '', kind: 'layer', baseline: '', ratio_level: null, not_covered: [], designs: Array.from({ length: DESIGNS_MAX }, (_, i) => ({ design: String(i), level: 0, confidence: 0, intervals: 0, looks: null, level_note: null, unit: '', value: null, half_width: null, value_s: null, half_width_s: null, parts: [] })) };
export const RUN_PART_COLUMNS = columns(NO_DATA, 0);

/** @param {{ part: Part, unit: string, level: number }} p */
function Total({ part, unit, level: at }) {
  if (part.below_zero) return html`<span class="unknown" title=${part.estimate_why_not ?? ''}>cannot be estimated</span>`;
  const few = part.few_results && part.value !== null;
  return html`${few ? html`<span class="quiet">too few results</span> ` : ''}<${ProjectionText} of=${{ ...part, unit, level: at }} />`;
}

/** @param {{ part: Part }} p */
function Change({ part }) {
  if (part.ratio === null) return html`<${Estimate} value=${null} parts=${changeOf(part)} />`;
  return html`${part.ratio_half_width !== null && !part.distinguishable ? html`<span class="quiet">${notReal(part)}</span> ` : ''}<${Estimate} change value=${part.ratio - 1} parts=${changeOf(part)} why=${part.ratio_half_width === null ? 'too few pairs of samples for an interval' : undefined} />`;
}
