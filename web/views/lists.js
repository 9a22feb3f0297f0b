// lists.js: all plans and all runs of all workloads.
import { html } from '../ui/lib.js';
import { Faces, Page, State } from '../ui/page.js';
import { SearchField, ShowMore, usePages } from '../ui/pages.js';
import { hideRule } from '../ui/shown.js';
import { ordersOf } from '../ui/sort.js';
import { Columns, Table } from '../ui/table.js';
import { Estimate, Moment, Num } from '../ui/num.js';
import { bound, count, error, level, speedup } from '../ui/format.js';
import { useQuery } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { changeOf, noteText, notReal, Progress, ProjectionText } from './facts.js';
import { LabelCell } from './label.js';

/** A row of this list, or of a workload's list.
 * @typedef {import('../types.js').PlanRow|import('../types.js').PlanBrief} PlanBrief @typedef {import('../types.js').RunRow} RunRow @typedef {import('../types.js').RunDesign} RunDesign
 */

/** A plan calls its counts by their full names, a workload's list of plans by short ones. @param {PlanBrief} p */
const strataOf = (p) => ('strata' in p ? p.strata : p.strata_count);
/** @param {PlanBrief} p */
const samplesOf = (p) => ('samples' in p ? p.samples : p.samples_count);

/** @type {import('../ui/table.js').Column<PlanBrief>[]} */
export const PLAN_COLUMNS = [
  { key: 'error', label: 'plan', sort: (p) => p.error, cell: (p) => `at most ${bound(p.error)}, ${bound(p.confidence)} of the time` },
  { key: 'method', label: 'method', sort: (p) => p.method, cell: (p) => p.method },
  { key: 'strata', label: 'strata', right: true, sort: strataOf, cell: (p) => html`<${Num} value=${strataOf(p)} text=${count(strataOf(p))} />` },
  { key: 'samples', label: 'samples', right: true, sort: samplesOf, cell: (p) => html`<${Num} value=${samplesOf(p)} text=${count(samplesOf(p))} />` },
  { key: 'speedup', label: 'speed-up', right: true, sort: (p) => p.speedup, cell: (p) => html`<${Num} value=${p.speedup} text=${speedup(p.speedup)} />` },
  { key: 'promised', label: 'promised error', right: true, sort: (p) => p.promised_error, cell: (p) => html`<${Num} value=${p.promised_error} text=${error(p.promised_error)} why="this method promises none" />` },
  { key: 'seed', label: 'seed', right: true, cell: (p) => p.seed },
  { key: 'created', label: 'made', right: true, sort: (p) => p.created_at, cell: (p) => html`<${Moment} at=${p.created_at} />` },
];

/** @param {RunRow} r */
const designNames = (r) => r.designs.map((d) => d.design).join(', ');
/** A line for each design of a run; lines of one design are at the same height in all columns.
 * @param {RunRow} r @param {(d: RunDesign, i: number) => any} line */
const eachDesign = (r, line) => html`<span class="designlines">${r.designs.map((d, i) => html`<span key=${d.design}>${line(d, i)}</span>`)}</span>`;
/** The first design is the baseline. @param {RunDesign} d @param {number} i */
function differenceOf(d, i) {
  if (i === 0) return '';
  if (typeof d.baseline?.ratio !== 'number') return html`<span class="unknown" title="no pair of samples yet">–</span>`;
  const why = notReal(d.baseline); // the table shows a word, because the column must fit into a narrow window
  return html`${!d.baseline.distinguishable && html`<span class="quiet" title=${why}><span aria-hidden="true"><span class="wideonly">undecided</span><span class="narrowonly">?</span> </span><span class="hidden">${why}: </span></span>`}<${Estimate} change value=${d.baseline.ratio - 1} parts=${changeOf(d.baseline)} why=${`against ${d.baseline.design}, at ${level(d.baseline.level)}${noteText(d.baseline)}`} />`;
}
/** Lines of a row of RUN_COLUMNS. @param {RunRow} r */
export const runLines = (r) => r.designs.length;
const NO_MODEL_ERROR = 'only on the profiled GPU, of a profile with durations, and not of a replay';

/** Projection, interval, difference and error of each design. @type {import('../ui/table.js').Column<RunRow>[]} */
export const RUN_COLUMNS = [
  { key: 'designs', label: 'designs', sort: designNames, cell: (r) => eachDesign(r, (d) => d.design) },
  { key: 'projection', label: 'projection', right: true, cell: (r) => eachDesign(r, (d) => html`<${ProjectionText} of=${d.projection} />`) },
  { key: 'difference', label: 'difference', right: true, cell: (r) => eachDesign(r, differenceOf) },
  { key: 'error', label: 'model error', right: true, title: 'simulated against measured, on the profiled GPU', cell: (r) => eachDesign(r, (d) => html`<${Num} value=${d.model_error?.relative} text=${error(d.model_error?.relative)} why=${NO_MODEL_ERROR} />`) },
  { key: 'method', label: 'method', cell: (r) => r.method },
  { key: 'state', label: 'state', sort: (r) => r.state, cell: (r) => html`<${State} state=${r.state} />` },
  { key: 'done', label: 'jobs done', sort: (r) => r.done / Math.max(1, r.jobs), cell: (r) => html`<${Progress} state="running" done=${r.done} jobs=${r.jobs} />` },
  { key: 'created', label: 'started', right: true, sort: (r) => r.created_at, cell: (r) => html`<${Moment} at=${r.created_at} />` },
];

const WORKLOAD = { key: 'workload', label: 'workload', sort: (/** @type {any} */ x) => x.workload_name ?? '', cell: (/** @type {any} */ x) => html`<a class="name" title=${x.workload_name} href=${href('workload', { id: x.workload })}>${x.workload_name ?? 'workload'}</a>` };
const NEWEST = '-created';
/** The server's sort keys equal the names of the columns. @param {import('../ui/table.js').Column<any>[]} columns */
const rulesOf = (columns) => ({ sort: { fallback: NEWEST, oneOf: ordersOf(columns) }, q: { fallback: '' }, tag: { fallback: '' }, archived: { fallback: '', oneOf: ['', 'true'] }, hide: hideRule(columns) });

/** `search`: the filter, if the server supports it.
 * @param {{ title: string, what: string, fetcher: (by: { q?: string, tag?: string, archived?: any, sort?: string, after?: string }, abort?: AbortSignal) => Promise<import('../types.js').List<any>>, columns: any[], rules: ReturnType<typeof rulesOf>, route: 'plan'|'run', search?: string, none: any, lines?: (row: any) => number }} p
 */
function ListPage({ title, what, fetcher, columns, rules, route, search, none, lines }) {
  const [query, set, problems] = useQuery(rules);
  const sort = query.sort === NEWEST ? '' : query.sort, q = search ? query.q : '';
  const { load, rows, more } = usePages((after, abort) => fetcher({ ...(search ? { q } : {}), tag: query.tag, archived: query.archived, sort, after }, abort), [title, q, query.tag, query.archived], sort);
  const narrowed = [q && `of a ${search} with “${q}” in its name`, query.tag && `with the tag “${query.tag}”`, query.archived && 'in the archive'].filter(Boolean).join(' and ');
  const nothing = narrowed ? html`<p>No ${route} ${narrowed}.</p><p><button type="button" onClick=${() => set({ q: '', tag: '', archived: '' })}>Show all</button></p>` : none;
  return html`<${Page} title=${title} problems=${problems}><section class="panel card">
    <div class="tools">${search && html`<${SearchField} id="search" label=${`Search ${what}`} placeholder=${`By ${search}`} value=${query.q} onType=${(/** @type {string} */ text) => set({ q: text }, { replace: true })} />`}
      ${query.tag && html`<button type="button" class="tag" aria-label=${`All, not only those with the tag ${query.tag}`} onClick=${() => set({ tag: '' })}>${query.tag} ✕</button>`}
      <label><input type="checkbox" checked=${query.archived === 'true'} onChange=${(/** @type {any} */ e) => set({ archived: e.target.checked ? 'true' : '' })} /> archived</label>
      <${Columns} of=${title} columns=${columns} hide=${query.hide} onHide=${(/** @type {string} */ hide) => set({ hide })} /></div>
    <${Faces} load=${load} what=${what} height=${240} empty=${(/** @type {any} */ d) => d.items.length === 0 && html`<div class="empty">${nothing}</div>`}>${() => html`
      <${Table} inOrder=${load.data?.order || NEWEST} rows=${rows} columns=${columns} hide=${query.hide} id=${(/** @type {any} */ x) => x.id} order=${query.sort} onOrder=${(/** @type {any} */ sort) => set({ sort })} caption=${title} lines=${lines}
        href=${(/** @type {any} */ x) => href(route, { id: x.id })} />
      <${ShowMore} more=${more} />`}<//></section><//>`;
}

/** @param {import('./label.js').Kind} kind */
const named = (kind) => ({ key: 'name', label: 'name', wideOnly: true, cell: (/** @type {any} */ x) => html`<${LabelCell} kind=${kind} label=${x.label} />` });
const planColumns = [PLAN_COLUMNS[0], WORKLOAD, named('plan'), ...PLAN_COLUMNS.slice(1)];
const runColumns = [...RUN_COLUMNS.slice(0, 3), WORKLOAD, named('run'), ...RUN_COLUMNS.slice(3)]; // the answer first, without scrolling
const [planRules, runRules] = [planColumns, runColumns].map(rulesOf);

export const PlansView = () => html`<${ListPage} title="Plans" what="the plans" fetcher=${api.plans} columns=${planColumns} rules=${planRules} route="plan"
  none=${html`<p>No plan yet.</p><p><a href="/">Open a workload</a> and choose Plan.</p>`} />`;
export const RunsView = () => html`<${ListPage} title="Runs" what="the runs" fetcher=${api.runs} columns=${runColumns} rules=${runRules} route="run" search="workload or design" lines=${runLines}
  none=${html`<p>No run yet.</p><p><a href=${href('plans')}>Open a plan</a> and choose “Run on…”.</p>`} />`;
