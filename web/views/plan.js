// plan.js: how much faster, at what promised error, against every other method?
import { html, useMemo, useState } from '../ui/lib.js';
import { Card, Faces, Page, Strip } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Table } from '../ui/table.js';
import { Menu } from '../ui/menu.js';
import { useKeys } from '../ui/keys.js';
import { KernelName, Num, ShareBar } from '../ui/num.js';
import { bound, count, error, number, planned, plural, share, shorten, speedup } from '../ui/format.js';
import { Picture } from '../charts/picture.js';
import { errorOf, pareto } from '../charts/pareto.js';
import { glyph, methodStyle, strataColors } from '../charts/palette.js';
import { useQuery } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { trail } from './trail.js';
import { ShareButton } from './share_dialog.js';
import { PlanDialog } from './plan_dialog.js';
import { RunDialog } from './run_dialog.js';
import { TraceDialog } from './trace_dialog.js';
import { useSweep } from './sweep.js';
import { TracesCard } from './traces.js';
import { shapes, stratumName } from './facts.js';

/** @typedef {import('../types.js').Plan} Plan @typedef {import('../types.js').SweepItem} SweepItem @typedef {import('../types.js').Stratum} Stratum */

const SORTS = ['id', '-id', 'kernel', '-kernel', 'N', '-N', 'm', '-m', 'mean', '-mean', 'cov', '-cov', 'share', '-share', 'doubt', '-doubt'];
const RULES = { sort: { fallback: '-share', oneOf: SORTS }, methods: { fallback: 'error', oneOf: ['error', '-error', 'method', '-method', 'speedup', '-speedup', 'samples', '-samples', 'promised', '-promised', 'actual', '-actual'] } };

/** @param {{ id: string }} p */
export function PlanView({ id }) {
  const [query, set, problems] = useQuery(RULES);
  const load = useLoad((abort) => api.plan(id, abort), [id]);
  const plan = load.data;
  const [again, setAgain] = useState(/** @type {Partial<import('./plan_dialog.js').Params>|null} */ (null));
  const [running, setRunning] = useState(false);
  const [tracing, setTracing] = useState(false);
  const step = (/** @type {1|-1} */ way) => {
    if (!plan) return;
    const ladder = [0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2];
    const next = way > 0 ? ladder.find((e) => e > plan.error * 1.001) : [...ladder].reverse().find((e) => e < plan.error * 0.999);
    setAgain({ ...paramsOf(plan), error: next ?? plan.error });
  };
  useKeys([
    { keys: '[', does: 'plan with a smaller error', run: () => step(-1) },
    { keys: ']', does: 'plan with a larger error', run: () => step(1) },
  ]);
  const actions = plan && html`
    <${Menu} label="Export this plan" text="Export" items=${[{ text: 'Samples, CSV', href: api.address.samplesCsv(id), download: 'samples.csv' }, { text: 'Plan file, JSON', href: api.address.planFile(id), download: 'plan.json' }]} />
    <${ShareButton} kind="plan" id=${id} name=${plan.workload_name} />
    ${api.may('write') && html`<button type="button" onClick=${() => setAgain(paramsOf(plan))}>Plan again…</button>
    <button type="button" onClick=${() => setTracing(true)}>Trace these…</button>
    <button type="button" class="filled" onClick=${() => setRunning(true)}>Run on…</button>`}`;
  return html`
    <${Page} title=${plan ? `Plan: at most ${bound(plan.error)} error, ${bound(plan.confidence)} of the time` : 'Plan'} problems=${problems} actions=${actions}
      crumbs=${trail('plan', plan)}>
      <${Faces} load=${load} what="the plan" page>${(/** @type {Plan} */ d) => html`
        <${Strip} facts=${facts(d)} />
        ${!d.promise_valid && d.promised_error !== null && html`<p class="notice warn">This method is here as it was published. Its promise does not hold for simulated values: treat ${error(d.promised_error)} as its claim, not as ours.</p>`}
        ${d.caution && html`<p class="notice bad" role="note"><strong>Not to be trusted blindly.</strong> ${d.caution}</p>`}
        ${d.representative && html`<p class="notice warn">These samples are representatives: chosen by a rule, not drawn at random. A projection from them has no interval, because nothing in the simulated values tells how far off it is.</p>`}
        ${d.note && html`<p class="notice">${d.note}</p>`}
        <${Methods} plan=${d} query=${query} set=${set} onPick=${(/** @type {SweepItem} */ i) => setAgain({ ...paramsOf(d), method: i.method, error: i.error })} />
        <${Strata} plan=${d} query=${query} set=${set} />
        <${TracesCard} plan=${id} brief=${d.traces} samples=${d.samples_count} />
        ${again && html`<${PlanDialog} profile=${d.profile} start=${again} onClose=${() => setAgain(null)} />`}
        ${tracing && html`<${TraceDialog} plan=${d} onClose=${() => setTracing(false)} />`}
        ${running && html`<${RunDialog} plan=${d} onClose=${() => setRunning(false)} />`}`}
      <//>
    <//>`;
}

/** @param {Plan} plan */
const paramsOf = (plan) => ({ method: plan.method, error: plan.error, confidence: plan.confidence, seed: plan.seed, budget: plan.budget, ...(plan.method === 'vivace' ? { noise_floor: plan.noise_floor } : {}) });

/** @param {Plan} p */
function facts(p) {
  const inside = p.actual_error !== null && p.promised_error !== null ? (Math.abs(p.actual_error) <= p.promised_error ? 'inside the promise' : 'outside the promise, this time') : 'of this draw';
  return [
    { label: 'Speed-up', value: html`<${Num} value=${p.speedup} text=${speedup(p.speedup).replace(/\s×$/, '')} />`, unit: '×', note: `simulated ${p.unit === 'ns' ? 'time' : 'instructions'}: ${share(1 / p.speedup)} of all` },
    { label: 'Promised error', value: html`<${Num} value=${p.promised_error} text=${error(p.promised_error)} why="this method promises none" />`, note: p.representative ? 'representatives: there is no interval' : p.variance === 'model' ? 'by a model of the spread, no measurement' : `half-width of the ${bound(p.confidence)} interval` },
    { label: 'Error against the profile', value: html`<${Num} value=${p.actual_error} text=${error(p.actual_error === null ? null : Math.abs(p.actual_error))} why="not computed" />`, note: inside },
    { label: 'Samples', value: html`<${Num} value=${p.samples_count} text=${count(p.samples_count)} />`, note: `of ${plural(p.invocations, 'invocation')}, in ${plural(p.strata.length, 'stratum', 'strata')}` },
    { label: 'Method', value: p.method, note: `seed ${p.seed}` },
  ];
}

/** @param {{ plan: Plan, query: any, set: any, onPick: (i: SweepItem) => void }} p */
function Methods({ plan, query, set, onPick }) {
  const load = useSweep(plan.profile, plan.confidence);
  const waiting = load.data?.waiting ?? [];
  const items = waiting.length > 0 && load.data?.items.length === 0 ? undefined : load.data?.items;

  const data = useMemo(() => ({
    items: items ?? [], confidence: plan.confidence,
    plan: plan.promised_error === null && plan.actual_error === null ? null
      : { method: plan.method, speedup: plan.speedup, error: plan.promised_error ?? Math.abs(Number(plan.actual_error)), actual: plan.actual_error === null ? null : Math.abs(plan.actual_error) },
  }), [items, plan]);
  const able = (items ?? []).filter((i) => i.speedup !== null && errorOf(i) !== null);
  const note = html`Speed-up over simulating everything, against error. Lines go from the actual error to the promise; dashed: what nothing beats. Choose a mark to plan with it.`;
  if (items === undefined || (able.length === 0 && (waiting.length === 0 || load.error))) {
    return html`<div class="columns"><${Card} title="Every method, every error" note=${note} class="span"><${Faces} load=${{ ...load, data: items }} what="the sweep over all methods: each is planned and redrawn, which takes a while" height=${470}
      empty=${() => html`<p class="none">No method could plan this profile.</p><${Unable} items=${items ?? []} />`}>${() => null}<//><//></div>`;
  }
  if (able.length === 0) return html`<div class="columns"><${Card} title="Every method, every error" note=${note} class="span"><${Waiting} waiting=${waiting} /><//></div>`;
  const methods = [...new Map(able.map((i) => [i.method, i.title]))];
  return html`
    <${Picture} title="Every method, every error: lower right wins" note=${note} chart=${pareto} data=${data} height=${400} file="pareto" onPick=${onPick}
      caption=${`${plan.workload_name}, plan ${plan.method} ${bound(plan.error)}, ${bound(plan.confidence)} level, seed ${plan.seed}`}
      legend=${methods.map(([m, title]) => ({ color: methodStyle(m).color, glyph: glyph(methodStyle(m).shape), text: m === plan.method ? `${title} (this plan)` : title }))} />
    <${Card} class="bounded" title="What each method promises and does" note=${html`Each draw is projected to the whole and held against this profile’s own total. Actual: the mean error of the draws; inside: how many kept the promise (the error asked for, where none is made); covered: how many of those with an interval had the truth in it. This is the profile the plans were made from, and some methods choose their samples by that very total: <code>vivace methods A --score B</code> scores on another run or GPU.`}>
      <${Table} rows=${able} columns=${methodColumns(able)} id=${(/** @type {SweepItem} */ i) => `${i.method}-${i.error}`} order=${query.methods} onOrder=${(/** @type {any} */ methods_) => set({ methods: methods_ })} caption="Methods" />
      <${Waiting} waiting=${waiting} />
      ${load.error && waiting.length > 0 && html`<p class="notice bad" role="status">${load.error.message} <button type="button" class="link" onClick=${load.reload}>Try again</button></p>`}
      <${Unable} items=${items} />
    <//>`;
}

/** @param {{ waiting: import('../types.js').Method[] }} p */
function Waiting({ waiting }) {
  return waiting.length > 0 && html`<p class="quiet scoring" role="status">Still being scored: ${waiting.map((m) => m.title).join(', ')}.</p>`;
}

/** @param {{ items: SweepItem[] }} p */
function Unable({ items }) {
  const reasons = [...new Map(items.filter((i) => i.why_not).map((i) => [i.method, i]))].map(([, i]) => i);
  return reasons.length > 0 && html`<ul class="reasons">${reasons.map((i) => html`<li key=${i.method}><strong>${i.title}</strong> ${i.why_not}</li>`)}</ul>`;
}

/** @param {SweepItem[]} items @returns {import('../ui/table.js').Column<SweepItem>[]} */
const methodColumns = (items) => [
  { key: 'method', label: 'method', sort: (i) => i.title, cell: (i) => html`<span class="glyph" style=${{ color: methodStyle(i.method).color }} aria-hidden="true">${glyph(methodStyle(i.method).shape)}</span> ${i.title}${i.caution ? html` <span class="warntext" title=${i.caution}>caution</span>` : ''}` },
  { key: 'error', label: 'asked', right: true, sort: (i) => i.error, cell: (i) => html`<${Num} value=${i.error} text=${bound(i.error)} />` },
  { key: 'strata', label: 'strata', right: true, cell: (i) => html`<${Num} value=${i.strata} text=${count(Math.round(i.strata ?? NaN))} />` },
  { key: 'samples', label: 'samples', right: true, sort: (i) => i.samples, cell: (i) => html`<${Num} value=${i.samples} text=${count(Math.round(i.samples ?? NaN))} />${i.distinct !== null && Math.round(i.distinct) !== Math.round(i.samples ?? NaN) && html`<span class="quiet"> in ${count(Math.round(i.distinct))}</span>`}` },
  { key: 'speedup', label: 'speed-up', right: true, sort: (i) => i.speedup, cell: (i) => html`<${Num} value=${i.speedup} text=${speedup(i.speedup)} />` },
  ...(items.some((i) => i.speedup_instructions !== null) ? [/** @type {import('../ui/table.js').Column<SweepItem>} */ ({ key: 'instructions', label: 'by instructions', title: 'speed-up counted in warp instructions', right: true, cell: (i) => html`<${Num} value=${i.speedup_instructions} text=${speedup(i.speedup_instructions)} />` })] : []),
  { key: 'promised', label: 'promised', right: true, sort: (i) => i.promised_error, cell: (i) => html`<${Num} value=${i.promised_error} text=${error(i.promised_error)} why="this method promises none" />${i.promised_error !== null && i.promise_valid === false && html`<span class="quiet" title="about the profile only: these samples cannot show their spread when they are simulated"> claimed</span>`}` },
  { key: 'actual', label: 'actual', right: true, sort: (i) => i.actual_error, cell: (i) => html`<${Num} value=${i.actual_error} text=${error(i.actual_error)} />` },
  { key: 'inside', label: 'inside', right: true, cell: (i) => (i.repeats && i.inside !== null ? html`<span class=${i.inside < i.repeats * 0.9 ? 'warntext' : ''}>${count(i.inside)} / ${count(i.repeats)}</span>` : '–') },
  { key: 'covered', label: 'covered', title: 'intervals that hold the truth', right: true, cell: (i) => (i.intervals && i.covered !== null ? html`<span class=${i.covered < i.intervals * 0.9 ? 'warntext' : ''}>${count(i.covered)} / ${count(i.intervals)}</span>` : html`<span class="quiet" title=${i.representative ? 'representatives: there is no interval' : 'one sample a stratum shows no spread'}>none</span>`) },
];

/** @param {{ plan: Plan, query: any, set: any }} p */
function Strata({ plan, query, set }) {
  const colors = useMemo(() => strataColors(plan.strata.map((s) => ({ id: s.id, mean: s.mean, total: Number(s.total) }))), [plan]);
  const most = Math.max(...plan.strata.map((s) => s.planned_variance_share ?? 0));
  /** @type {import('../ui/table.js').Column<Stratum>[]} */
  const columns = [
    { key: 'id', label: 'stratum', sort: (s) => s.id, cell: (s) => html`<span class="swatch" style=${{ background: colors.of(s.id) }} aria-hidden="true"></span>${stratumName(s.id)}` },
    { key: 'kernel', label: 'kernel', wide: true, sort: (s) => s.kernel, cell: (s) => html`<${KernelName} name=${s.kernel} short=${shorten(s.kernel)} />` },
    { key: 'shape', label: 'grid · block', cell: (s) => shapes(s) },
    { key: 'N', label: 'N', title: 'invocations', right: true, sort: (s) => s.population, cell: (s) => html`<${Num} value=${s.population} text=${count(s.population)} />` },
    { key: 'm', label: 'm', title: 'samples drawn', right: true, sort: (s) => s.samples, cell: (s) => html`<${Num} value=${s.samples} text=${count(s.samples)} />${s.certainty && html`<span class="quiet"> all</span>`}` },
    { key: 'mean', label: 'mean µ', right: true, sort: (s) => s.mean, cell: (s) => html`<${Num} value=${s.mean} text=${planned(s.mean, plan.unit)} />` },
    { key: 'cov', label: 'CoV', title: 'standard deviation over mean', right: true, sort: (s) => (s.mean ? s.sd / s.mean : null), cell: (s) => html`<${Num} value=${s.mean ? s.sd / s.mean : null} text=${number(s.sd / s.mean, 2)} />` },
    { key: 'share', label: plan.unit === 'ns' ? 'share of time' : 'share of instructions', right: true, sort: (s) => s.share_of_time, cell: (s) => html`<${ShareBar} value=${s.share_of_time} text=${share(s.share_of_time)} />` },
    { key: 'doubt', label: 'share of doubt', title: 'its part of the planned variance', right: true, sort: (s) => s.planned_variance_share, cell: (s) => html`<${ShareBar} value=${s.planned_variance_share} text=${share(s.planned_variance_share)} tone=${s.planned_variance_share === most && most > 0.3 ? 'warn' : ''} />` },
  ];
  return html`<${Card} title="Strata" note=${plan.representative ? 'Groups of invocations that behave alike. In each, m stand for all N.' : 'Groups of invocations that behave alike. From each, m of N are drawn at random.'}>
    <${Table} rows=${plan.strata} columns=${columns} id=${(/** @type {Stratum} */ s) => String(s.id)} order=${query.sort} onOrder=${(/** @type {any} */ sort) => set({ sort })} caption="Strata" /><//>`;
}
