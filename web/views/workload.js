// workload.js: which plans and runs exist for it?
import { html, useState } from '../ui/lib.js';
import { Card, Faces, Page, Strip } from '../ui/page.js';
import { useLoad, useThrottle } from '../ui/load.js';
import { Table } from '../ui/table.js';
import { Dialog } from '../ui/dialog.js';
import { Moment, Num } from '../ui/num.js';
import { count, error, plural, short, speedup, time } from '../ui/format.js';
import { Spark } from '../charts/small.js';
import { useQuery, go } from '../nav.js';
import { useLive } from '../live.js';
import { href } from '../routes.js';
import { say } from '../ui/toast.js';
import * as api from '../api.js';
import { PLAN_COLUMNS, RUN_COLUMNS } from './lists.js';
import { PlanDialog } from './plan_dialog.js';
import { ProjectionText } from './facts.js';

const RULES = { plans: { fallback: '-created' }, runs: { fallback: '-created' } };

/** @param {{ id: string }} p */
export function WorkloadView({ id }) {
  const [query, set, problems] = useQuery(RULES);
  const load = useLoad((abort) => api.workload(id, abort), [id]);
  const again = useThrottle(load.reload, 2000);
  const w = load.data;
  useLive((w?.runs ?? []).filter((r) => r.state === 'running').map((r) => `run:${r.id}`).slice(0, 6), again);
  const [planning, setPlanning] = useState(/** @type {string|null} */ (null));
  const [deleting, setDeleting] = useState(false);

  const actions = w && api.may('write') && html`<button type="button" onClick=${() => setDeleting(true)}>Delete…</button>
    ${w.profiles.length > 0 && html`<button type="button" class="filled" onClick=${() => setPlanning(w.profiles[0].id)}>Plan</button>`}`;
  return html`
    <${Page} title=${w?.name ?? 'Workload'} crumbs=${[{ text: 'Workloads', href: '/' }]} actions=${actions} problems=${problems}>
      <${Faces} load=${load} what="the workload" page>${(/** @type {import('../types.js').WorkloadDetail} */ d) => html`
        <${Strip} facts=${facts(d)} />
        <${Card} title="Profiles" note="What a real GPU measured: one row an uploaded report.">
          ${d.profiles.length === 0 ? html`<p class="none">No profile yet. Drop a report on this page.</p>` : html`<${Table} rows=${d.profiles} columns=${PROFILE_COLUMNS} id=${(/** @type {any} */ p) => p.id} order="" caption="Profiles" href=${(/** @type {any} */ p) => href('profile', { id: p.id })} />`}
        <//>
        <${Card} title="Plans" note="Which invocations to simulate, at which promised error.">
          ${d.plans.length === 0 ? html`<p class="none">No plan yet. ${d.profiles.length > 0 ? 'Plan chooses the invocations for you.' : 'It needs a profile.'}</p>` : html`<${Table} rows=${d.plans} columns=${PLAN_COLUMNS} id=${(/** @type {any} */ p) => p.id} order=${query.plans} onOrder=${(/** @type {any} */ plans) => set({ plans })} caption="Plans" href=${(/** @type {any} */ p) => href('plan', { id: p.id })} />`}
        <//>
        <${Card} title="Runs" note="Plans simulated under GPU designs.">
          ${d.runs.length === 0 ? html`<p class="none">No run yet. Open a plan and choose “Run on…”.</p>` : html`<${Table} rows=${d.runs} columns=${RUN_COLUMNS} id=${(/** @type {any} */ r) => r.id} order=${query.runs} onOrder=${(/** @type {any} */ runs) => set({ runs })} caption="Runs" href=${(/** @type {any} */ r) => href('run', { id: r.id })} />`}
        <//>
        ${planning && html`<${PlanDialog} profile=${planning} onClose=${() => setPlanning(null)} />`}
        ${deleting && html`<${DeleteDialog} workload=${d} onClose=${() => setDeleting(false)} />`}`}
      <//>
    <//>`;
}

/** @type {import('../ui/table.js').Column<import('../types.js').ProfileBrief>[]} */
const PROFILE_COLUMNS = [
  { key: 'gpu', label: 'measured on', cell: (p) => p.gpu_name || 'GPU not named' },
  { key: 'format', label: 'format', cell: (p) => p.format },
  { key: 'invocations', label: 'invocations', right: true, cell: (p) => html`<${Num} value=${p.invocations} text=${count(p.invocations)} />` },
  { key: 'kernels', label: 'kernels', right: true, cell: (p) => html`<${Num} value=${p.kernels} text=${count(p.kernels)} />` },
  { key: 'total', label: 'total', right: true, cell: (p) => html`<${Num} value=${p.total} text=${p.unit === 'ns' ? time(p.total_s) : short(Number(p.total), 'warp instr.')} />` },
  { key: 'spark', label: 'durations', cell: (p) => p.spark && html`<${Spark} values=${p.spark} label=${`histogram of ${plural(p.invocations, 'invocation')}`} />` },
];

/** @param {import('../types.js').WorkloadDetail} d */
function facts(d) {
  const p = d.profile;
  const plan = d.latest_plan;
  const run = d.latest_run;
  const first = run?.projections[0];
  return [
    { label: p && p.unit !== 'ns' ? 'Warp instructions' : 'GPU time', value: p ? html`<${Num} value=${p.total} text=${p.unit === 'ns' ? time(p.total_s) : short(Number(p.total))} />` : '–', note: p ? `${p.gpu_name || 'GPU not named'}` : 'no profile yet' },
    { label: 'Invocations', value: p ? html`<${Num} value=${p.invocations} text=${count(p.invocations)} />` : '–', note: p ? `of ${plural(p.kernels, 'kernel')}` : '' },
    { label: 'Latest plan', value: plan ? html`<a href=${href('plan', { id: plan.id })}>${speedup(plan.speedup)}</a>` : '–', note: plan ? `${error(plan.promised_error)} promised, ${plan.method}` : 'none yet' },
    { label: 'Latest run', value: first ? html`<a href=${href('run', { id: /** @type {any} */ (run).id })}><${ProjectionText} of=${first} /></a>` : '–', note: run ? `${first ? `${first.design}, ` : ''}${run.state}, ${count(run.done)} of ${plural(run.jobs, 'sample')}` : 'none yet' },
  ];
}

/** @param {{ workload: import('../types.js').WorkloadDetail, onClose: () => void }} p */
function DeleteDialog({ workload, onClose }) {
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const remove = async () => {
    try {
      await api.deleteWorkload(workload.id);
      onClose();
      go('/');
      say(`${workload.name} is deleted.`);
    } catch (e) {
      setProblem(e);
    }
  };
  return html`<${Dialog} title=${`Delete ${workload.name}?`} onClose=${onClose}>
    <p>Its ${plural(workload.profiles.length, 'profile')}, ${plural(workload.plans.length, 'plan')} and ${plural(workload.runs.length, 'run')} go with it. This cannot be undone.</p>
    ${problem && html`<p class="field-problem" role="alert"><strong>${problem.message}</strong> ${problem.hint}</p>`}
    <p class="next"><button type="button" class="bad" onClick=${remove}>Delete all of it</button></p><//>`;
}
