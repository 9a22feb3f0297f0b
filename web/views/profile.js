// profile.js: where does the time go, and how mixed is each kernel?
import { html, useMemo, useState } from '../ui/lib.js';
import { Card, Faces, Page, Strip } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Table } from '../ui/table.js';
import { KernelName, Num, ShareBar } from '../ui/num.js';
import { count, number, planned, plural, share, short, shorten, time } from '../ui/format.js';
import { PartsBar } from '../charts/small.js';
import { Picture } from '../charts/picture.js';
import { histogram } from '../charts/histogram.js';
import { strataColors } from '../charts/palette.js';
import { useQuery } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { trail } from './trail.js';
import { ShareButton } from './share_dialog.js';
import { useAddFeatures } from './features.js';
import { PlanDialog } from './plan_dialog.js';
import { Report } from './report.js';
import { shapes, stratumName } from './facts.js';

/** @typedef {import('../types.js').Kernel} Kernel @typedef {import('../types.js').Profile} Profile */

const RULES = {
  kernel: { fallback: 'all' }, plan: { fallback: '' }, x: { fallback: 'log', oneOf: ['log', 'linear'] },
  sort: { fallback: '-total', oneOf: ['name', '-name', 'calls', '-calls', 'total', '-total', 'mean', '-mean', 'cov', '-cov', 'max', '-max'] },
};
/** How many kernels the bar shows one by one. */
const IN_BAR = 8;

/** @param {{ id: string }} p */
export function ProfileView({ id }) {
  const [query, set, problems] = useQuery(RULES);
  const load = useLoad((abort) => api.profile(id, abort), [id]);
  const kernels = useLoad((abort) => api.kernels(id, undefined, abort), [id]);
  const features = useAddFeatures(id, load.reload);
  const [planning, setPlanning] = useState(false);
  const [more, setMore] = useState(/** @type {{ items: Kernel[], next: string|null|undefined }|null} */ (null));
  const p = load.data;
  const list = [...(kernels.data?.items ?? []), ...(more?.items ?? [])];
  const next = more ? more.next : kernels.data?.next;
  const showMore = async () => {
    const page = await api.kernels(id, next ?? undefined);
    setMore({ items: [...(more?.items ?? []), ...page.items], next: page.next });
  };
  const pick = (/** @type {Kernel} */ k) => set({ kernel: query.kernel === String(k.kernel) ? 'all' : String(k.kernel) });
  const selected = list.find((k) => String(k.kernel) === query.kernel);

  return html`
    <${Page} title=${p ? `Profile of ${p.workload_name ?? p.name}` : 'Profile'} problems=${problems}
      crumbs=${trail('profile', p)}
      actions=${p && html`<${ShareButton} kind="profile" id=${id} name=${p.workload_name ?? p.name} />${api.may('write') && html`${features.button} <button type="button" class="filled" onClick=${() => setPlanning(true)}>Plan</button>`}`}>
      ${features.result}
      <${Faces} load=${load} what="the profile" height=${96}>${(/** @type {Profile} */ d) => html`<${Strip} facts=${facts(d, list)} />`}<//>
      ${!(load.error && !p) && html`
      <${Card} title=${p && p.unit !== 'ns' ? 'Where the instructions go' : 'Where the time goes'} note="All invocations by kernel, grid and block. Choose a kernel to see its durations." class="bounded">
        <${Faces} load=${kernels} what="the kernels" height=${300} empty=${(/** @type {any} */ k) => k.items.length === 0 && html`<p class="none">No kernel is in this profile. The import report below says what became of each row.</p>`}>${() => html`
          <${TimeBar} list=${list} unit=${p?.unit ?? 'ns'} picked=${query.kernel} onPick=${pick} />
          <${Table} rows=${list} columns=${columns(p?.unit ?? 'ns')} id=${(/** @type {Kernel} */ k) => String(k.kernel)} order=${query.sort} onOrder=${(/** @type {any} */ sort) => set({ sort })}
            caption="Kernels" onPick=${pick} picked=${query.kernel} />
          ${next && html`<p><button type="button" onClick=${showMore}>Show more kernels</button></p>`}`}
        <//>
      <//>
      <${Where} id=${id} query=${query} set=${set} kernel=${selected} profile=${p} />`}
      ${p?.report && html`<${Card} title="What was imported" note=${`${p.format}, ${p.sha256.slice(0, 12)}${p.features && `; with ${p.features}`}`}><${Report} report=${p.report} /><//>`}
      ${planning && html`<${PlanDialog} profile=${id} onClose=${() => setPlanning(false)} />`}
    <//>`;
}

/** @param {Profile} p @param {Kernel[]} list */
function facts(p, list) {
  const top = list.slice(0, 5).reduce((s, k) => s + k.share, 0);
  const mixed = list.reduce((s, k) => s + k.share * k.cov, 0);
  return [
    p.unit === 'ns'
      ? { label: 'GPU time', value: html`<${Num} value=${p.total_s} text=${time(p.total_s)} />`, note: p.makespan_s ? html`the GPU was busy for ${time(p.makespan_s)}${p.gpu_name && `, ${p.gpu_name}`}` : p.gpu_name || 'sum over all invocations' }
      : { label: 'Warp instructions', value: html`<${Num} value=${p.total} text=${short(Number(p.total))} />`, note: 'counted in the traces: this profile has no times' },
    { label: 'Invocations', value: html`<${Num} value=${p.invocations} text=${count(p.invocations)} />`, note: p.zero_invocations > 0 ? `${count(p.zero_invocations)} of them of length 0, never drawn` : `on ${plural(p.devices, 'device')}, ${plural(p.streams, 'stream')}` },
    { label: 'Kernels', value: html`<${Num} value=${p.kernels} text=${count(p.kernels)} />`, note: `${count(p.kernel_shapes)} with grid and block` },
    { label: 'Share of the top five', value: list.length ? html`<${Num} value=${top} text=${share(top)} />` : '…', note: p.unit === 'ns' ? 'of the time' : 'of the instructions' },
    { label: 'How mixed', value: list.length ? html`<${Num} value=${mixed} text=${number(mixed, 2)} />` : '…', note: 'CoV within a kernel, weighed by its share' },
  ];
}

/** @param {import('../types.js').Unit} unit @returns {import('../ui/table.js').Column<Kernel>[]} */
const columns = (unit) => [
  { key: 'name', label: 'kernel', wide: true, sort: (k) => k.name, cell: (k) => html`<${KernelName} name=${k.name} short=${shorten(k.name)} />` },
  { key: 'shape', label: 'grid · block', cell: (k) => shapes(k) },
  { key: 'calls', label: 'calls', right: true, sort: (k) => k.calls, cell: (k) => html`<${Num} value=${k.calls} text=${count(k.calls)} />` },
  { key: 'total', label: 'total', right: true, sort: (k) => Number(k.total), cell: (k) => html`<${Num} value=${k.total} text=${planned(Number(k.total), unit)} />` },
  { key: 'share', label: 'share', right: true, cell: (k) => html`<${ShareBar} value=${k.share} text=${share(k.share)} />` },
  { key: 'mean', label: 'mean', right: true, sort: (k) => k.mean, cell: (k) => html`<${Num} value=${k.mean} text=${planned(k.mean, unit)} />` },
  { key: 'cov', label: 'CoV', title: 'standard deviation over mean', right: true, sort: (k) => k.cov, cell: (k) => html`<${Num} value=${k.cov} text=${number(k.cov, 2)} />` },
  { key: 'min', label: 'min', right: true, cell: (k) => html`<${Num} value=${k.min} text=${planned(k.min, unit)} />` },
  { key: 'max', label: 'max', right: true, sort: (k) => k.max, cell: (k) => html`<${Num} value=${k.max} text=${planned(k.max, unit)} />` },
];

/** The whole in one bar, for the first glance. @param {{ list: Kernel[], unit: string, picked: string, onPick: (k: Kernel) => void }} p */
function TimeBar({ list, unit, picked, onPick }) {
  const top = [...list].sort((a, b) => b.share - a.share).slice(0, list.length > IN_BAR ? IN_BAR - 1 : IN_BAR);
  const rest = list.length - top.length;
  const left = Math.max(0, 1 - top.reduce((s, k) => s + k.share, 0));
  const parts = top.map((k, i) => ({ key: String(k.kernel), value: k.share, color: `var(--cat-${i + 1})`, title: `${k.name}: ${share(k.share)}, ${planned(Number(k.total), unit)}`, onPick: () => onPick(k), picked: picked === String(k.kernel) }));
  return html`<${PartsBar} high whole=${1} label=${`Time by kernel: ${top.slice(0, 3).map((k) => `${shorten(k.name, 30)} ${share(k.share)}`).join(', ')}`}
      parts=${[...parts, ...(rest > 0 ? [{ key: 'rest', value: left, color: 'var(--cat-rest)', title: `${plural(rest, 'more')}: ${share(left)}` }] : [])]} />
    <ul class="legend">${top.map((k, i) => html`<li key=${k.kernel} title=${k.name}><span class="swatch" style=${{ background: `var(--cat-${i + 1})` }} aria-hidden="true"></span><code>${shorten(k.name, 26)}</code> ${share(k.share)}</li>`)}
      ${rest > 0 && html`<li><span class="swatch" style=${{ background: 'var(--cat-rest)' }} aria-hidden="true"></span>${count(rest)} more ${share(left)}</li>`}</ul>`;
}

/** @param {{ id: string, query: any, set: any, kernel: Kernel|undefined, profile: Profile|undefined }} p */
function Where({ id, query, set, kernel, profile }) {
  const what = useLoad((abort) => api.histogram(id, { kernel: query.kernel, plan: query.plan || undefined, scale: query.x }, abort), [id, query.kernel, query.plan, query.x]);
  const workload = profile?.workload;
  const plans = useLoad(async (abort) => (workload ? (await api.workload(workload, abort)).plans : []), [workload]);
  const name = query.kernel === 'all' ? 'all kernels' : shorten(kernel?.name ?? `kernel ${query.kernel}`, 60);
  const aside = html`
    <label class="hidden" for="hist-plan">Colour by the strata of</label>
    <select id="hist-plan" value=${query.plan} onChange=${(/** @type {any} */ e) => set({ plan: e.target.value })}>
      <option value="">no plan</option>${(plans.data ?? []).map((pl) => html`<option key=${pl.id} value=${pl.id}>strata of ${pl.method}, ${Number((pl.error * 100).toPrecision(4))} %</option>`)}</select>
    <button type="button" aria-pressed=${query.x === 'log'} onClick=${() => set({ x: query.x === 'log' ? 'linear' : 'log' })}>log</button>`;
  const byStratum = query.plan !== '';
  const data = useMemo(() => what.data && histogramData(what.data, byStratum, name), [what.data, byStratum, name]);
  if (what.data === undefined || !data) {
    return html`<${Card} title="Where the invocations sit" note=${name} aside=${aside}><${Faces} load=${what} what="the histogram" height=${330}>${() => null}<//><//>`;
  }
  const h = what.data;
  const colors = strataColors(h.strata.map((s) => ({ id: s.id, mean: s.mean, total: s.mean * s.n })));
  const legend = byStratum ? [...h.strata].filter((s) => s.n > 0).sort((a, b) => a.mean - b.mean).filter((s) => colors.of(s.id) !== 'var(--cat-rest)').map((s) => ({ color: colors.of(s.id), text: `${stratumName(s.id)} µ ${planned(s.mean, h.unit)}, N ${short(s.n)}, m ${short(s.m)}` })) : [];
  if (byStratum && colors.rest > 0) legend.push({ color: 'var(--cat-rest)', text: `${count(colors.rest)} more` });
  const n = h.strata.reduce((s, x) => s + x.n, 0);
  return html`<${Picture} title="Where the invocations sit" note=${`${name}: ${plural(n, 'invocation')} in ${h.edges.length - 1} bins${byStratum ? ', coloured by stratum; dotted: means, m: drawn' : ''}`}
    chart=${histogram} height=${300} file="histogram" caption=${`${profile?.name ?? 'profile'}, ${name}`} aside=${aside} legend=${legend}
    data=${data} />`;
}

/** @param {import('../types.js').Histogram} h @param {boolean} byStratum @param {string} what */
function histogramData(h, byStratum, what) {
  const colors = strataColors(h.strata.map((s) => ({ id: s.id, mean: s.mean, total: s.mean * s.n })));
  return { histogram: h, color: byStratum ? colors.of : () => 'var(--cat-1)', label: byStratum ? stratumName : () => 'invocations', what, planned: byStratum };
}
