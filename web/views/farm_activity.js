// farm_activity.js: activity of the farm in the last hour: lanes of its workers, the queue by run, failures, slow samples.
import { html, useMemo } from '../ui/lib.js';
import { Card, State } from '../ui/page.js';
import { ordersOf } from '../ui/sort.js';
import { Table } from '../ui/table.js';
import { KernelName, Moment, Num, ShareBar } from '../ui/num.js';
import { bytes, count, moment, plural, share, short, time, UNKNOWN } from '../ui/format.js';
import { distinctNames } from '../ui/kernel_name.js';
import { Picture } from '../charts/picture.js';
import { lanes } from '../charts/lanes.js';
import { href } from '../routes.js';

/** @typedef {import('../types.js').Activity} Activity */
const COLORS = 8;

/** Runs in the order of their jobs; the first eight have separate colours, those of other teams share one.
 * @param {Activity} a */
export function runColors(a) {
  const jobs = new Map();
  for (const l of a.lanes) if (l.run) jobs.set(l.run, { name: l.workload_name, jobs: (jobs.get(l.run)?.jobs ?? 0) + l.jobs });
  const order = [...jobs].sort((x, y) => y[1].jobs - x[1].jobs || (x[0] < y[0] ? -1 : 1));
  const of = new Map(order.slice(0, COLORS).map(([run], i) => [run, `var(--cat-${i + 1})`]));
  return { of: (/** @type {string|null} */ run) => (run && of.get(run)) || 'var(--cat-rest)', shown: order.slice(0, COLORS).map(([run, r]) => ({ run, name: r.name })), rest: a.lanes.some((l) => !l.run || !of.has(l.run)) };
}

/** @param {{ activity: Activity, workers: import('../types.js').Worker[] }} p */
export function Lanes({ activity: a, workers }) {
  const colors = useMemo(() => runColors(a), [a]);
  const data = useMemo(() => {
    const rows = [...new Set([...workers.filter((w) => w.state === 'alive').map((w) => w.name), ...a.lanes.map((l) => l.worker)])].sort();
    return { of: 'worker', rows, from: Date.parse(a.from), to: Date.parse(a.to), name: `What ${plural(rows.length, 'worker')} did since ${moment(a.from)}: ${plural(a.lanes.length, 'stretch', 'stretches')} of work`,
      lanes: a.lanes.map((l) => ({ row: l.worker, from: Date.parse(l.from), to: Date.parse(l.to), color: colors.of(l.run), failed: l.failed > 0, text: `${l.workload_name ?? 'another team'}, ${plural(l.jobs, 'job')}${l.failed ? `, ${count(l.failed)} failed` : ''}` })) };
  }, [a, workers]);
  if (data.rows.length === 0) return null;
  const legend = [...colors.shown.map((r) => ({ color: colors.of(r.run), text: html`<a href=${href('run', { id: r.run })}>${r.name}</a>` })), ...(colors.rest ? [{ color: 'var(--cat-rest)', text: 'other runs' }] : [])];
  return html`<${Picture} title="Workers over the last hour" chart=${lanes} data=${data} legend=${legend} height=${44 + data.rows.length * 24} file="workers"
    note="One row per worker, coloured by run. A gap: the worker was idle. ✕: an attempt failed." caption="Workers of the farm over the last hour" />`;
}

/** @type {import('../ui/table.js').Column<Activity['queue'][0]>[]} */
const QUEUE = [
  { key: 'workload', label: 'run', sort: (q) => q.workload_name, cell: (q) => (q.run ? html`<a href=${href('run', { id: q.run })}>${q.workload_name}</a>` : html`<span class="quiet">of another team</span>`) },
  { key: 'state', label: 'state', cell: (q) => html`<${State} state=${q.state} />` },
  { key: 'priority', label: 'priority', right: true, sort: (q) => q.priority, cell: (q) => html`<${Num} value=${q.priority} text=${count(q.priority)} />` },
  { key: 'share', label: 'share of what is simulated', right: true, sort: (q) => q.share_of_busy, cell: (q) => html`<${ShareBar} value=${q.share_of_busy} text=${share(q.share_of_busy)} />` },
  { key: 'leased', label: 'under way', right: true, sort: (q) => q.leased, cell: (q) => html`<${Num} value=${q.leased} text=${count(q.leased)} />` },
  { key: 'ready', label: 'ready', right: true, sort: (q) => q.ready, cell: (q) => html`<${Num} value=${q.ready} text=${count(q.ready)} />` },
  { key: 'blocked', label: 'wait for traces', right: true, sort: (q) => q.blocked, cell: (q) => html`<${Num} value=${q.blocked} text=${count(q.blocked)} />` },
  { key: 'created', label: 'started', right: true, sort: (q) => q.created_at, cell: (q) => html`<${Moment} at=${q.created_at} />` },
];

export const QUEUE_SORTS = ordersOf(QUEUE);

/** @param {{ activity: Activity, order: string, onOrder: (o: string) => void }} p */
export function QueueByRun({ activity: a, order, onOrder }) {
  if (a.queue.length === 0) return null;
  return html`<${Card} title="Shares of teams" note="Runs that have something to do. Teams share the workers by their shares; within a team the higher priority goes first.">
    <${Table} rows=${a.queue} columns=${QUEUE} id=${(/** @type {any} */ q) => q.run ?? `other-${q.created_at}`} order=${order} onOrder=${onOrder} caption="Queue by run" /><//>`;
}

/** @param {{ activity: Activity }} p */
export function Slowest({ activity: a }) {
  if (a.slowest.length === 0) return null;
  const names = distinctNames(a.slowest.map((s) => s.kernel));
  return html`<${Card} title="Slowest samples of the last hour" note="By the time that a worker took for them.">
    <div class="tablebox" tabindex="0" role="region" aria-label="Slowest samples"><table class="rows"><caption class="hidden">Slowest samples</caption>
      <thead><tr><th scope="col">kernel</th><th scope="col">run</th><th scope="col">design</th><th scope="col">worker</th><th scope="col" class="right">cycles</th><th scope="col" class="right">took</th></tr></thead>
      <tbody>${a.slowest.map((s) => html`<tr key=${s.job}><td><${KernelName} name=${s.kernel} short=${names.get(s.kernel)} /> <span class="quiet">launch ${count(s.launch)}</span></td>
        <td><a href=${href('run', { id: s.run })}>${s.workload_name}</a></td><td>${s.design}</td><td>${s.worker}</td>
        <td class="right">${s.cycles === null ? html`<span class="unknown" title="a replay counts no cycles">${UNKNOWN}</span>` : html`<${Num} value=${s.cycles} text=${short(s.cycles)} />`}</td>
        <td class="right"><${Num} value=${s.host_seconds} text=${time(s.host_seconds)} /></td></tr>`)}</tbody></table></div><//>`;
}

/** @param {Activity} a @returns {import('../ui/page.js').Fact[]} */
export function activityFacts(a) {
  const f = a.facts;
  return [
    { label: 'Simulated', value: html`<${Num} value=${f.simulated_cycles_per_s} text=${short(f.simulated_cycles_per_s)} />`, unit: 'cycles/s', note: 'GPU cycles, over the last hour' },
    { label: 'Trouble', value: html`<${Num} value=${f.trouble} text=${count(f.trouble)} />`, tone: f.trouble > 0 ? 'bad' : '', note: `${plural(f.failed, 'attempt')} failed, ${plural(f.lost_leases, 'lease')} expired, ${count(f.retries)} tried again` },
    { label: 'Stored', value: html`<${Num} value=${f.stored_bytes} text=${bytes(f.stored_bytes)} />`, note: f.team_stored_bytes === null ? 'profiles and traces' : `profiles and traces; ${bytes(f.team_stored_bytes)} of this team` },
  ];
}
