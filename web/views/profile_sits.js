// profile_sits.js: the launches of a kernel: distribution of their durations, and durations in launch order.
import { html, useMemo, useRef } from '../ui/lib.js';
import { useLoad } from '../ui/load.js';
import { bound, count, number, planned, plural, short } from '../ui/format.js';
import { Picture } from '../charts/picture.js';
import { drift } from '../charts/drift.js';
import { histogram } from '../charts/histogram.js';
import { viewOf } from '../charts/view.js';
import * as api from '../api.js';
import { planText } from './facts.js';
import { groupColors, groupName, histogramData } from './histograms.js';

/** @typedef {import('../types.js').Kernel} Kernel @typedef {import('../types.js').Profile} Profile */

/** The last picture stays until the next is loaded: a changed window requests finer bins, and the picture must not
 * flicker.
 * @template T @param {T|undefined} now @param {string} key of the visible content @returns {T|undefined} */
function useLast(now, key) {
  const last = useRef(/** @type {{ key: string, value: T }|null} */ (null));
  if (now !== undefined) last.current = { key, value: now };
  return last.current?.key === key ? last.current.value : undefined;
}

/** @param {{ id: string, query: any, set: any, kernel: Kernel|undefined, profile: Profile|undefined, names: Map<string, string> }} p */
export function Where({ id, query, set, kernel, profile, names }) {
  const view = viewOf(query.zoom);
  const ask = { kernel: query.kernel, plan: query.plan || undefined, scale: query.x };
  const wide = useLoad((abort) => api.histogram(id, { ...api.HISTOGRAM, ...ask }, abort), [id, ask]);
  const close = view ? { ...ask, from: String(view.x[0]), to: String(view.x[1]) } : null;
  const fine = useLoad(async (abort) => (close ? api.histogram(id, { ...api.HISTOGRAM, ...close }, abort) : null), [id, close]);
  const seen = useLast((view ? fine.data : wide.data) ?? wide.data, JSON.stringify([id, ask]));
  const workload = profile?.workload;
  const plans = useLoad(async (abort) => (workload ? (await api.workload(workload, abort)).plans : []), [workload]);
  const [name, begin] = namesOf(query, kernel, names);
  const byStratum = query.plan !== '', plan = plans.data?.find((x) => x.id === query.plan);
  const data = useMemo(() => seen && histogramData(seen, byStratum, name), [seen, byStratum, name]);
  const aside = html`
    <label class="hidden" for="hist-plan">Colour by the strata of</label>
    <select id="hist-plan" value=${query.plan} onChange=${(/** @type {any} */ e) => set({ plan: e.target.value })}>
      <option value="">no plan</option>${(plans.data ?? []).map((pl) => html`<option key=${pl.id} value=${pl.id}>strata of ${pl.method}, ${bound(pl.error)}</option>`)}</select>
    <button type="button" aria-pressed=${query.x === 'log'} onClick=${() => set({ x: query.x === 'log' ? 'linear' : 'log', zoom: '' })}>log</button>`;
  return html`<${Picture} title="Where the launches sit" note=${!seen ? begin : `${begin}: ${plural(seen.launches, 'launch', 'launches')} in ${seen.edges.length - 1} bins${byStratum ? ', coloured by stratum; dotted: means, m and below: drawn' : ''}`}
    chart=${histogram} data=${data} load=${wide} what="the histogram" height=${300} file="histogram" csv=${api.address.histogram(id, close ?? ask)}
    caption=${`${profile?.workload_name ?? profile?.name ?? 'profile'}, ${name}${plan ? `, ${planText(plan)}` : ''}`} aside=${aside} legend=${byStratum && seen ? legendOf(seen) : []}
    zoom=${query.zoom} onZoom=${(/** @type {string} */ zoom) => set({ zoom }, { replace: true })} />`;
}

/** The name of the content, and the same at the start of a sentence. @param {any} query @param {Kernel|undefined} kernel @param {Map<string, string>} names */
function namesOf(query, kernel, names) {
  if (query.kernel === 'all') return ['all kernels', 'All kernels'];
  const name = names.get(kernel?.name ?? '') ?? `kernel ${query.kernel}`;
  return [name, name];
}

/** @param {import('../types.js').Histogram} h */
function legendOf(h) {
  const colors = groupColors(h);
  const own = [...h.strata].filter((s) => s.n > 0 && colors.of(s.id) !== 'var(--cat-rest)').sort((a, b) => (a.mean ?? 0) - (b.mean ?? 0));
  return [
    ...own.map((s) => ({ color: colors.of(s.id), text: `${groupName(s)} µ ${s.mean === null ? number(NaN) : planned(s.mean, h.unit)}, N ${short(s.n)}${s.m === null ? '' : `, m ${short(s.m)}`}` })),
    ...(colors.rest > 0 ? [{ color: 'var(--cat-rest)', text: `${count(colors.rest)} more` }] : []),
  ];
}

/** @param {{ id: string, query: any, set: any, kernel: Kernel|undefined, profile: Profile|undefined, names: Map<string, string> }} p */
export function Drift({ id, query, set, kernel, profile, names }) {
  const view = viewOf(query.launches);
  const ask = { kernel: query.kernel };
  const close = view ? { ...ask, from: String(Math.floor(view.x[0])), to: String(Math.ceil(view.x[1])) } : null;
  const wide = useLoad((abort) => api.launchSeries(id, { ...api.LAUNCHES, ...ask }, abort), [id, query.kernel]);
  const fine = useLoad(async (abort) => (close ? api.launchSeries(id, { ...api.LAUNCHES, ...close }, abort) : null), [id, close]);
  const seen = useLast((view ? fine.data : wide.data) ?? wide.data, `${id} ${query.kernel}`);
  const [name, begin] = namesOf(query, kernel, names);
  const data = useMemo(() => seen && { series: seen, what: name }, [seen, name]);
  return html`<${Picture} title="From launch to launch" note=${`${begin}, in the order of launches: mean, and from the least to the most of each stretch. Phases and drift show here.`}
    chart=${drift} data=${data} load=${wide} what="the launches" height=${240} file="launches" csv=${api.address.launchSeries(id, close ?? ask)}
    empty=${wide.data?.points.length === 0 && 'No launch to show.'} caption=${`${profile?.workload_name ?? profile?.name ?? 'profile'}, ${name}`}
    zoom=${query.launches} onZoom=${(/** @type {string} */ launches) => set({ launches }, { replace: true })} />`;
}
