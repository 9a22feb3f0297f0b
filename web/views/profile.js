// profile.js: the time of each kernel, and the distribution of its launches.
import { html, useMemo, useState } from '../ui/lib.js';
import { Card, Faces, Page, Strip } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Num } from '../ui/num.js';
import { count, number, plural, share, short, shortUnit, time } from '../ui/format.js';
import { useSelected } from '../charts/select.js';
import { notSelected, SELECTED } from '../charts/select_text.js';
import { WINDOW } from '../charts/view.js';
import { hideRule } from '../ui/shown.js';
import { ordersOf } from '../ui/sort.js';
import { useQuery } from '../nav.js';
import { notHere } from '../routes.js';
import { distinctNames } from '../ui/kernel_name.js';
import * as api from '../api.js';
import { trail } from './trail.js';
import { ShareButton } from './share_dialog.js';
import { useAddFeatures } from './features.js';
import { Pilots } from './pilot.js';
import { PlanDialog } from './plan_dialog.js';
import { Report } from './report.js';
import { kernelColors, Kernels, KERNEL_COLUMNS } from './profile_kernels.js';
import { Streams } from './profile_streams.js';
import { Drift, Where } from './profile_sits.js';

/** Characters of a kernel's name in captions and notes. */
const NAME_IN_TEXT = 60;

/** @typedef {import('../types.js').Kernel} Kernel @typedef {import('../types.js').Profile} Profile */

const RULES = {
  kernel: { fallback: 'all' }, plan: { fallback: '' }, x: { fallback: 'log', oneOf: ['log', 'linear'] },
  sort: { fallback: '-total', oneOf: ordersOf(KERNEL_COLUMNS) }, hide: hideRule(KERNEL_COLUMNS), zoom: WINDOW, selected: SELECTED, launches: WINDOW, time: WINDOW,
};

/** @param {{ id: string }} p */
export function ProfileView({ id }) {
  const [query, set, problems] = useQuery(RULES);
  useSelected(query.selected, set);
  const load = useLoad((abort) => api.profile(id, abort), [id]);
  const kernels = useLoad((abort) => api.kernels(id, { limit: 1000 }, abort), [id]);
  const spreads = useLoad((abort) => api.spreads(id, { limit: 1000 }, abort), [id]);
  const features = useAddFeatures(id, load.reload);
  const [planning, setPlanning] = useState(false);
  const [pilots, setPilots] = useState(0);
  const [more, setMore] = useState(/** @type {{ items: Kernel[], next: string|null|undefined }|null} */ (null));
  const p = load.data;
  const list = useMemo(() => [...(kernels.data?.items ?? []), ...(more?.items ?? [])], [kernels.data, more]);
  const names = useMemo(() => distinctNames(list.map((k) => k.name), NAME_IN_TEXT), [list]);
  const next = more ? more.next : kernels.data?.next;
  const showMore = async () => {
    const page = await api.kernels(id, { limit: 1000, after: next ?? undefined });
    setMore({ items: [...(more?.items ?? []), ...page.items], next: page.next });
  };
  const colorOf = useMemo(() => kernelColors(list), [kernels.data]);
  const pick = (/** @type {Kernel} */ k) => set({ kernel: query.kernel === String(k.kernel) ? 'all' : String(k.kernel), zoom: '', launches: '' });
  const selected = list.find((k) => String(k.kernel) === query.kernel);
  const all = kernels.data && !next ? list.map((k) => k.kernel) : undefined;
  const stray = [...notHere('kernel', query.kernel, all && ['all', ...all]), ...notSelected(query.selected, { kernel: all, stratum: undefined })];

  return html`
    <${Page} title=${p ? `Profile of ${p.workload_name ?? p.name}` : 'Profile'} problems=${[...problems, ...stray]}
      crumbs=${trail('profile', p)}
      actions=${p && html`<${ShareButton} kind="profile" id=${id} name=${p.workload_name ?? p.name} />${api.may('write') && html`${features.button} <button type="button" class="filled" aria-haspopup="dialog" onClick=${() => setPlanning(true)}>Plan</button>`}`}>
      ${features.result}
      <${Faces} load=${load} what="the profile" height=${96}>${(/** @type {Profile} */ d) => html`<${Strip} facts=${facts(d, spreads.data)} />`}<//>
      ${p?.unit === 'warp_instructions' && !api.who.value?.share && html`<${Pilots} profile=${id} again=${pilots} />`}
      ${!(load.error && !p) && html`
      <${Kernels} id=${id} unit=${p?.unit ?? 'ns'} caption=${p?.workload_name ?? p?.name ?? 'profile'} load=${kernels} list=${list} spreads=${spreads.data?.items} picked=${query.kernel} order=${query.sort} hide=${query.hide} onHide=${(/** @type {string} */ hide) => set({ hide })}
        onPick=${pick} onOrder=${(/** @type {string} */ sort) => set({ sort })} foot=${next && html`<p><button type="button" onClick=${showMore}>Show more kernels</button></p>`} />
      <${Where} id=${id} query=${query} set=${set} kernel=${selected} profile=${p} names=${names} />
      <${Drift} id=${id} query=${query} set=${set} kernel=${selected} profile=${p} names=${names} />
      ${p?.makespan_s && list.length > 0 && html`<${Streams} id=${id} colorOf=${colorOf} caption=${p.workload_name ?? p.name} zoom=${query.time} onZoom=${(/** @type {string} */ zoom) => set({ time: zoom }, { replace: true })} />`}`}
      ${p?.report && html`<${Card} title="What was imported" note=${`${p.format}, ${p.sha256.slice(0, 12)}${p.features && `; with ${p.features}`}${p.uploaded_by ? `; uploaded by ${p.uploaded_by}` : ''}`}><${Report} report=${p.report} /><//>`}
      ${planning && html`<${PlanDialog} profile=${id} unit=${p?.unit ?? 'ns'} shapes=${p?.kernel_shapes} onClose=${() => { setPlanning(false); setPilots(pilots + 1); }} />`}
    <//>`;
}

/** @param {Profile} p @param {import('../types.js').Spreads|undefined} s */
function facts(p, s) {
  return [
    p.unit === 'ns'
      ? { label: 'GPU time', value: html`<${Num} value=${p.total_s} text=${time(p.total_s)} />`, note: p.makespan_s ? html`the GPU was busy for ${time(p.makespan_s)}${p.gpu_name && `, ${p.gpu_name}`}` : p.gpu_name || 'sum over all launches' }
      : { label: p.unit === 'cycles' ? 'Estimated cycles' : 'Warp instructions', value: html`<${Num} value=${p.total} text=${short(Number(p.total))} />`, note: p.unit === 'cycles' ? `of ${p.gpu_name}, from one launch of each shape` : 'counted in the traces: this profile has no times' },
    { label: 'Launches', value: html`<${Num} value=${p.launches} text=${count(p.launches)} />`, note: p.zero_launches > 0 ? `${count(p.zero_launches)} of them of length 0, never drawn` : `on ${plural(p.devices, 'device')}, ${plural(p.streams, 'stream')}` },
    { label: 'Kernels', value: html`<${Num} value=${p.kernels} text=${count(p.kernels)} />`, note: `${count(p.kernel_shapes)} with grid and block` },
    { label: 'Share of the top five', value: s ? html`<${Num} value=${s.share_of_top_five} text=${share(s.share_of_top_five)} />` : '…', note: p.unit === 'ns' ? 'of the time' : `of the ${shortUnit(p.unit)}` },
    { label: 'How mixed', value: s ? html`<${Num} value=${s.mixed} text=${number(s.mixed, 2)} />` : '…', note: 'CoV within a kernel, weighed by its share' },
  ];
}
