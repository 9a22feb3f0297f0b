// workload.js: the plans and runs of a workload.
import { html, useState } from '../ui/lib.js';
import { Card, Faces, Page, Strip } from '../ui/page.js';
import { useLoad, useThrottle } from '../ui/load.js';
import { Table } from '../ui/table.js';
import { Menu } from '../ui/menu.js';
import { ordersOf } from '../ui/sort.js';
import { inStrip, Num } from '../ui/num.js';
import { count, error, NOTHING_YET, plural, short, speedup, time } from '../ui/format.js';
import { Spark } from '../charts/small.js';
import { useQuery, go } from '../nav.js';
import { useLive } from '../live.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { PLAN_COLUMNS, RUN_COLUMNS, runLines } from './lists.js';
import { PlanDialog } from './plan_dialog.js';
import { projectionParts, Who } from './facts.js';
import { DeleteDialog, RenameDialog, turnArchived } from './workload_dialogs.js';

const RULES = { plans: { fallback: '-created', oneOf: ordersOf(PLAN_COLUMNS) }, runs: { fallback: '-created', oneOf: ordersOf(RUN_COLUMNS) } };

const RUNS = 100; // the page loads them again every two seconds

/** With the runs as their list has them. @typedef {Omit<import('../types.js').Workload, 'runs'> & { runs: import('../types.js').RunRow[], more_runs: boolean }} Full */
/** @param {{ id: string }} p */
export function WorkloadView({ id }) {
  const [query, set, problems] = useQuery(RULES);
  const load = useLoad(async (abort) => {
    const [workload, runs] = await Promise.all([api.workload(id, abort), api.runs({ workload: id, limit: RUNS }, abort)]);
    return { ...workload, runs: runs.items, more_runs: Boolean(runs.next) };
  }, [id]);
  const again = useThrottle(load.reload, 2000);
  const w = load.data;
  useLive((w?.runs ?? []).filter((r) => r.state === 'running').map((r) => `run:${r.id}`).slice(0, 6), again);
  const [planning, setPlanning] = useState(/** @type {import('../types.js').ProfileRow|null} */ (null));
  const [asked, setAsked] = useState(/** @type {'rename'|'delete'|null} */ (null));
  const more = w && [{ text: 'Rename…', run: () => setAsked('rename') }, { text: w.archived ? 'Take out of the archive' : 'Archive', run: () => turnArchived(w, load.reload) }, { text: 'Delete…', run: () => setAsked('delete') }];

  const actions = w && api.may('write') && html`<${Menu} label="More to do with this workload" text="More" items=${more} />
    ${w.profiles.length > 0 && html`<button type="button" class="filled" aria-haspopup="dialog" onClick=${() => setPlanning(w.profiles[0])}>Plan</button>`}`;
  return html`
    <${Page} title=${w?.name ?? 'Workload'} crumbs=${[{ text: 'Workloads', href: '/' }]} actions=${actions} problems=${problems}>
      <${Faces} load=${load} what="the workload" page>${(/** @type {Full} */ d) => html`
        ${d.archived && html`<p class="notice">This workload is in the archive: lists do not show it. Its data is not deleted.</p>`}
        <${Strip} facts=${facts(d)} />
        <${Card} title="Profiles" note="Measurements on real GPUs: one row per uploaded report.">
          ${d.profiles.length === 0 ? html`<p class="none">No profile yet. Drop a report on this page.</p>` : html`<${Table} rows=${d.profiles} columns=${PROFILE_COLUMNS} id=${(/** @type {any} */ p) => p.id} order="" caption="Profiles" href=${(/** @type {any} */ p) => href('profile', { id: p.id })} />`}
        <//>
        <${Card} title="Plans" note="Which launches to simulate, at which promised error.">
          ${d.plans.length === 0 ? html`<p class="none">No plan yet. ${d.profiles.length > 0 ? 'Plan chooses the launches for you.' : 'It needs a profile.'}</p>` : html`<${Table} rows=${d.plans} columns=${PLAN_COLUMNS} id=${(/** @type {any} */ p) => p.id} order=${query.plans} onOrder=${(/** @type {any} */ plans) => set({ plans })} caption="Plans" href=${(/** @type {any} */ p) => href('plan', { id: p.id })} />`}
        <//>
        <${Card} title="Runs" note="Plans simulated under GPU designs.">
          ${d.runs.length === 0 ? html`<p class="none">No run yet. Open a plan and choose “Run on…”.</p>` : html`<${Table} rows=${d.runs} columns=${RUN_COLUMNS} lines=${runLines} id=${(/** @type {any} */ r) => r.id} order=${query.runs} onOrder=${(/** @type {any} */ runs) => set({ runs })} caption="Runs" href=${(/** @type {any} */ r) => href('run', { id: r.id })} />`}
          ${d.more_runs && html`<p class="none">These are the ${count(RUNS)} newest. <a href=${href('runs', {}, { q: d.name })}>All runs</a></p>`}
        <//>
        ${planning && html`<${PlanDialog} profile=${planning.id} unit=${planning.unit} shapes=${planning.kernel_shapes} onClose=${() => setPlanning(null)} />`}
        ${asked === 'rename' && html`<${RenameDialog} workload=${d} onClose=${() => setAsked(null)} onDone=${load.reload} />`}
        ${asked === 'delete' && html`<${DeleteDialog} workload=${d} onClose=${() => setAsked(null)} onDone=${() => go('/')} />`}`}
      <//>
    <//>`;
}

/** @param {import('../types.js').ProfileRow} p */
const measuredOn = (p) => (p.unit === 'cycles' ? `estimated for ${p.gpu_name}` : p.gpu_name) || (p.unit === 'ns' ? 'GPU not named' : 'counted, no GPU');
/** @type {import('../ui/table.js').Column<import('../types.js').ProfileRow>[]} */
const PROFILE_COLUMNS = [
  { key: 'gpu', label: 'measured on', cell: measuredOn },
  { key: 'format', label: 'format', cell: (p) => p.format },
  { key: 'launches', label: 'launches', right: true, cell: (p) => html`<${Num} value=${p.launches} text=${count(p.launches)} />` },
  { key: 'kernels', label: 'kernels', right: true, cell: (p) => html`<${Num} value=${p.kernels} text=${count(p.kernels)} />` },
  { key: 'total', label: 'total', right: true, cell: (p) => html`<${Num} value=${p.total} text=${p.unit === 'ns' ? time(p.total_s) : short(Number(p.total), 'warp instr.')} />` },
  { key: 'spark', label: 'durations', cell: (p) => p.spark && html`<${Spark} values=${p.spark} label=${`histogram of ${plural(p.launches, 'launch', 'launches')}`} />` },
  { key: 'uploader', label: 'uploaded by', cell: (p) => html`<${Who} name=${p.uploaded_by} />` },
];

/** @param {Full} d */
function facts(d) {
  const p = d.profile;
  const plan = d.latest_plan;
  const run = d.latest_run;
  const first = run?.projections[0];
  return [
    ...(p ? [{ label: p.unit !== 'ns' ? 'Warp instructions' : 'GPU time', value: html`<${Num} value=${p.total} text=${p.unit === 'ns' ? time(p.total_s) : short(Number(p.total))} />`, note: measuredOn(p) },
    { label: 'Launches', value: html`<${Num} value=${p.launches} text=${count(p.launches)} />`, note: `of ${plural(p.kernels, 'kernel')}` }] : []),
    ...(plan ? [{ label: 'Latest plan', value: html`<a href=${href('plan', { id: plan.id })}>${speedup(plan.speedup)}</a>`, note: plan.promised_error === null ? plan.method : `${error(plan.promised_error)} promised, ${plan.method}` }] : []),
    ...(run ? [{ label: 'Latest run', ...latestRun(run, first), note: `${first ? `${first.design}, ` : ''}${run.state}, ${count(run.done)} of ${plural(run.jobs, 'job')}` }] : []),
  ];
}

/** @param {import('../types.js').Workload['latest_run']} run @param {import('../types.js').ProjectionBrief|undefined} first */
function latestRun(run, first) {
  const { value, nothing, parts } = first ? projectionParts(first) : { value: null, nothing: false, parts: null };
  if (!run || value === null || !parts) return { value: '–' };
  if (nothing) return { value: html`<a href=${href('run', { id: run.id })} title=${NOTHING_YET}>not known yet</a>` };
  const cell = inStrip(value, parts);
  return { ...cell, value: html`<a href=${href('run', { id: run.id })}>${cell.value}</a>` };
}
