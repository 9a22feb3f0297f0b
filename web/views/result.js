// result.js: one simulated sample: the activity of the GPU over cycles.
import { html, useEffect } from '../ui/lib.js';
import { Card, Faces, Page, Strip } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { KernelName, Num } from '../ui/num.js';
import { say } from '../ui/toast.js';
import { count, moment, number, rate, share, shape, time } from '../ui/format.js';
import { shorten } from '../ui/kernel_name.js';
import { useQuery } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { ResultCounters } from './result_counters.js';
import { ResultSeries } from './result_series.js';
import { stratumName } from './facts.js';

/** @typedef {import('../types.js').Result} Result */

export const RULES = {
  from: { fallback: '', number: /** @type {[number, number]} */ ([0, 1e15]) }, to: { fallback: '', number: /** @type {[number, number]} */ ([1, 1e15]) },
  rows: { fallback: 'id', oneOf: ['id', 'mean', 'similarity'] }, dram: { fallback: 'utilisation', oneOf: ['utilisation', 'efficiency'] },
  each: { fallback: 'channel', oneOf: ['channel', 'bank'] }, channel: { fallback: '', number: /** @type {[number, number]} */ ([0, 4095]) },
  slots: { fallback: 'active', oneOf: ['active', 'all'] }, hide: { fallback: '' }, q: { fallback: '' },
};
const LOOK_AGAIN_MS = 1000;

/** The display form. @param {{ name: string, demangled: string|null }} kernel */
const nameOf = (kernel) => kernel.demangled || kernel.name;

/** @param {{ id: string }} p */
export function ResultView({ id }) {
  const [query, set, problems] = useQuery(RULES);
  const load = useLoad((abort) => api.result(id, abort), [id]);
  const r = load.data;
  const state = r?.series?.state;
  const waiting = state === 'ready' || state === 'leased';
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setInterval(load.reload, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [waiting, load.reload]);
  const name = r?.kernel ? nameOf(r.kernel) : undefined;
  return html`
    <${Page} title=${r ? (name ? `One launch of ${shorten(name)}` : 'One replayed launch') : 'Result'} problems=${problems} crumbs=${crumbs(r)}
      actions=${state === 'done' && html`<a class="button" href=${api.address.series(id, { format: 'chrome' })} download title="Opens in Perfetto (ui.perfetto.dev)">Chrome trace</a> <a class="button" href=${api.address.series(id, { format: 'recording' })} download title="docs/formats/recording.md">Recording</a>`}>
      <${Faces} load=${load} what="the result" page>${(/** @type {Result} */ d) => html`
        <${Strip} facts=${facts(d)} />
        ${d.discarded && html`<p class="notice bad" role="alert">Discarded on ${moment(d.discarded.at)} by ${d.discarded.by}: ${d.discarded.why}. It is not used; ${d.discarded.quarantined ? 'a site admin decides whether to discard it.' : 'the launch is simulated again.'}</p>`}
        ${d.disputed && html`<p class="notice bad" role="alert">Two workers had different results for this launch. The first one counts; the simulator is not deterministic here, which is a defect.</p>`}
        ${d.kernel && html`<p class="quiet"><${KernelName} name=${nameOf(d.kernel)} short=${shorten(nameOf(d.kernel), 90)} /> · ${shape(d.kernel.grid)} · ${shape(d.kernel.block)} on ${d.design}, simulator ${d.simulator}</p>`}
        ${d.kernel && (d.series?.state === 'done'
          ? html`<${ResultSeries} result=${d} query=${query} set=${set} />`
          : html`<${Recording} result=${d} onAsked=${load.reload} />`)}
        ${d.counters.length > 0 && html`<${ResultCounters} counters=${d.counters} q=${query.q} onSearch=${(/** @type {string} */ q) => set({ q }, { replace: true })} />`}
        ${d.kernel && html`<${Deviations} />`}`}<//>
    <//>`;
}

/** @param {Result|undefined} r */
const crumbs = (r) => [{ text: 'Workloads', href: '/' }, ...(r?.use ? [
  { text: r.use.workload_name, href: href('workload', { id: r.use.workload }) }, { text: 'plan', href: href('plan', { id: r.use.plan }) },
  { text: 'run', href: href('run', { id: r.use.run }) }] : []), { text: r?.use ? `launch ${count(r.use.launch)}` : 'result' }];

/** @param {Result} r */
function facts(r) {
  const metric = (/** @type {string} */ name) => r.metrics.find((m) => m.name === name)?.value ?? NaN;
  const dram = metric('dram_bandwidth');
  const profiled = r.use?.profiled_ns ?? null;
  const list = [
    r.kernel ? { label: 'Cycles', value: html`<${Num} value=${r.cycles} text=${count(r.cycles ?? 0)} />`, note: html`<${Num} value=${r.seconds} text=${time(r.seconds ?? NaN)} /> on ${r.design}; ${count(r.launch_cycles ?? 0)} before the first CTA` }
      : { label: 'Replayed', value: html`<${Num} value=${r.value} text=${r.unit === 'ns' ? time(r.value / 1e9) : count(r.value)} />`, note: 'the profiled value replaces the simulated one' },
    ...(r.kernel ? [
      { label: 'Instructions a cycle', value: html`<${Num} value=${metric('ipc')} text=${number(metric('ipc'))} />`, note: html`${count(Number(r.warp_instructions))} warp instructions` },
      { label: 'DRAM', value: html`<${Num} value=${dram} text=${rate(dram)} />`, note: html`L2 kept ${share(metric('l2_hit_rate'))} of the reads from it` },
    ] : []),
    ...(profiled === null ? [] : [{ label: 'Profiled', value: html`<${Num} value=${profiled} text=${time(profiled / 1e9)} />`, note: `this launch${r.use?.gpu_name ? ` on ${r.use.gpu_name}` : ''}` }]),
    { label: 'Simulated in', value: html`<${Num} value=${r.host_seconds} text=${time(r.host_seconds)} />`, note: r.use ? `stratum ${stratumName(r.use.stratum)} of its plan` : 'no run uses it any more' },
  ];
  return list;
}

/** The page without series: how to get them. @param {{ result: Result, onAsked: () => void }} p */
function Recording({ result, onAsked }) {
  const s = result.series;
  const ask = async () => {
    try {
      await api.recordSeries(result.id);
      onAsked();
    } catch (e) {
      const p = /** @type {api.Problem} */ (e);
      say(`${p.message} ${p.hint}`, 'bad');
    }
  };
  const button = (/** @type {string} */ text) => api.may('write') && html`<p><button type="button" class="filled" onClick=${ask}>${text}</button></p>`;
  return html`<${Card} title="What the GPU did" note="Instructions of each SM, what warps waited for, caches, DRAM, network and power over time.">
    ${s === null && html`<div class="empty"><p>Counters are totals; series show the course over time. A worker simulates this launch again and records the series; the cycles stay the same. It took ${time(result.host_seconds)} the first time.</p>${button('Record series')}</div>`}
    ${s && ['ready', 'leased'].includes(s.state) && html`<div class="empty" role="status"><p>${s.state === 'ready' ? 'Waiting for a worker with this version of the simulator.' : 'A worker is recording the series.'} The pictures appear here when it is finished.</p></div>`}
    ${s?.state === 'failed' && html`<div class="trouble" role="alert"><p><strong>The series could not be recorded: ${s.why}</strong></p>${button('Try again')}</div>`}
  <//>`;
}

/** Known differences between model and silicon; docs/VALIDATION.md has the measurements. */
const DEVIATIONS = [
  ['Network', 'Requests of one SM do not hold each other up inside the network (no head-of-line blocking): bursts to one slice look shorter than they are.'],
  ['DRAM', 'At the fast level a controller’s reordering is a memory of the last rows of each bank; refresh and commands are only at the level “bank”.'],
  ['Predicates', 'Traces do not record predicates: an instruction whose lanes differ from the one before is assumed to wait for the newest result.'],
  ['Power', 'V100’s coefficients are fitted to measured board power; those of other GPUs are scaled from it. Differences on one GPU are more reliable than differences between GPUs.'],
  ['Caches', 'A single launch begins with empty caches, unless the run has another setting. On a real GPU the earlier launches have filled them.'],
];
const Deviations = () => html`<${Card} title="Where the model differs from silicon" note="What is known to be simpler than the chip. How much it matters was measured kernel by kernel in docs/VALIDATION.md.">
  <dl class="sides">${DEVIATIONS.map(([what, how]) => html`<dt key=${what}>${what}</dt><dd>${how}</dd>`)}</dl><//>`;
