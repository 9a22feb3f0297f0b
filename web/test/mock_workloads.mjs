// mock_workloads.mjs: filters and sorts the lists of workloads, plans and runs of mock.mjs as the server does, and changes
// workloads.

/** The state of a workload, by the rule of schema/0007_run.sql. */
const stateOf = (w) => (w.latest_run ? { paused: 'running', cancelled: 'failed' }[w.latest_run.state] ?? w.latest_run.state : w.latest_plan ? 'not_run' : 'not_planned');
export const whole = (w) => ({ ...w, state: stateOf(w), archived: w.archived ?? false });

/** Sorts a list. Rows with an unknown value come last. @param {any[]} list @param {URLSearchParams} by @param {(row: any) => Record<string, any>} keys */
function inOrder(list, by, keys) {
  const sort = by.get('sort') || '-created', of = (row) => keys(row)[sort.replace(/^-/, '')] ?? null;
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0) * (sort.startsWith('-') ? -1 : 1);
  return [...list].sort((a, b) => (of(a) === null || of(b) === null ? Number(of(a) === null) - Number(of(b) === null) : compare(of(a), of(b))));
}

/** @param {any[]} workloads @param {URLSearchParams} by */
export function workloadsBy(workloads, by) {
  const first = (by.get('first') ?? '').split(',');
  const list = workloads.map(whole).filter((w) => w.name.includes(by.get('q') ?? '') && w.archived === (by.get('archived') === 'true') && [null, '', w.state].includes(by.get('state')));
  const ordered = inOrder(list, by, (w) => ({ name: w.name.toLowerCase(), created: w.created_at, kernels: w.profile?.kernels, launches: w.profile?.launches, total: w.profile?.total_s }));
  return [...ordered.filter((w) => first.includes(w.id)), ...ordered.filter((w) => !first.includes(w.id))];
}

/** @param {{ workloads: any[], details: any }} w */
const named = (w, rows) => rows.map((x) => ({ ...x, workload: 'w1', workload_name: w.workloads[0].name }));
/** The rows of the lists of plans and runs, made from the complete plans and runs. @param {any} w */
const planRows = (w) => w.details.w1.plans.map(({ id }) => { const { strata, traces, ...row } = w.plans[id]; return { ...row, strata_count: strata.length }; });
const runRows = (w) => w.details.w1.runs.map(({ id }) => ({ ...w.runs[id], done: w.runs[id].counts.done }));
const designsOf = (r) => r.designs.map((d) => d.design);

/** @param {any[]} rows @param {URLSearchParams} by */
const labelled = (rows, by) => rows.filter(({ label = NO_LABEL }) => label.archived === (by.get('archived') === 'true') && (!by.get('tag') || label.tags.includes(by.get('tag'))));
const NO_LABEL = { name: '', tags: [], note: '', archived: false };
/** @param {any} x @param {any} to */
export const changeLabel = (x, to) => Object.assign(x, { label: { ...NO_LABEL, ...x.label, ...to } });

/** @param {any} w @param {URLSearchParams} by */
export const plansBy = (w, by) => inOrder(labelled(named(w, planRows(w)), by), by, (p) => ({ ...p, strata: p.strata_count, samples: p.samples_count, workload: p.workload_name, promised: p.promised_error, created: p.created_at }));

/** @param {any} w @param {URLSearchParams} by */
export const runsBy = (w, by) => inOrder(labelled(named(w, runRows(w).filter((r) => `${w.workloads[0].name} ${designsOf(r).join(' ')}`.includes(by.get('q') ?? ''))), by), by,
  (r) => ({ designs: designsOf(r).join(', '), workload: r.workload_name, state: r.state, done: r.done / Math.max(1, r.jobs), created: r.created_at }));

/** Changes a workload. Returns false if another workload has the name. @param {{ workloads: any[], details: any }} world @param {string} id @param {{ name?: string, archived?: boolean }} to */
export function changeWorkload(world, id, to) {
  if (world.workloads.some((w) => w.id !== id && w.name === to.name)) return false;
  for (const w of [world.workloads.find((x) => x.id === id), world.details[id]]) Object.assign(w, to);
  return true;
}
