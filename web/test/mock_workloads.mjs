// mock_workloads.mjs: the list of workloads of mock.mjs as the server narrows and orders it, and what changes a workload.

/** How far it is, as schema/0280_archive.sql says. */
const stateOf = (w) => (w.latest_run ? { paused: 'running', cancelled: 'failed' }[w.latest_run.state] ?? w.latest_run.state : w.latest_plan ? 'not_run' : 'not_planned');
export const whole = (w) => ({ ...w, state: stateOf(w), archived: w.archived ?? false });

/** What is not known comes last. @param {any[]} list @param {string} sort */
function inOrder(list, sort) {
  const key = sort.replace(/^-/, '');
  const of = (w) => ({ name: w.name.toLowerCase(), created: w.created_at, kernels: w.profile?.kernels, invocations: w.profile?.invocations, total: w.profile?.total_s })[key] ?? null;
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0) * (sort.startsWith('-') ? -1 : 1);
  return [...list].sort((a, b) => (of(a) === null || of(b) === null ? Number(of(a) === null) - Number(of(b) === null) : compare(of(a), of(b))));
}

/** @param {any[]} workloads @param {URLSearchParams} by */
export function workloadsBy(workloads, by) {
  const first = (by.get('first') ?? '').split(',');
  const list = workloads.map(whole).filter((w) => w.name.includes(by.get('q') ?? '') && w.archived === (by.get('archived') === 'true') && [null, '', w.state].includes(by.get('state')));
  const ordered = inOrder(list, by.get('sort') || '-created');
  return [...ordered.filter((w) => first.includes(w.id)), ...ordered.filter((w) => !first.includes(w.id))];
}

/** False: another one has the name. @param {{ workloads: any[], details: any }} world @param {string} id @param {{ name?: string, archived?: boolean }} to */
export function changeWorkload(world, id, to) {
  if (world.workloads.some((w) => w.id !== id && w.name === to.name)) return false;
  for (const w of [world.workloads.find((x) => x.id === id), world.details[id]]) Object.assign(w, to);
  return true;
}
