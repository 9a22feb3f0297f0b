// plan_methods.js: all methods at all error bounds, as a picture and as a table.
import { html, useCallback, useMemo } from '../ui/lib.js';
import { Card, Skeleton } from '../ui/page.js';
import { Columns, Table } from '../ui/table.js';
import { Num } from '../ui/num.js';
import { bound, count, error, speedup } from '../ui/format.js';
import { Picture } from '../charts/picture.js';
import { errorOf, pareto } from '../charts/pareto.js';
import { glyph, methodStyle } from '../charts/palette.js';
import { chosen } from '../charts/select.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { planText } from './facts.js';
import { errorsWith } from './sweep.js';
import { BoundField } from './plan_bound.js';

/** @typedef {import('../types.js').Plan} Plan @typedef {import('../types.js').Evaluation} SweepItem */

/** @param {SweepItem} i */
const idOf = (i) => `${i.method}-${i.error}`;

/** A line of the legend's height while no method is scored. */
const SCORED_LATER = [{ color: 'transparent', text: '\u00a0' }];

const methodsNote = () => html`Each draw is projected to the total and compared with this profile’s total. Actual: the mean error of the draws; inside: how many kept the promise (the error asked for, where none is made); covered: how many of those with an interval had the truth in it. This is the profile the plans were made from, and some methods choose their samples by that very total: <code>vivace methods A --score B</code> scores on another run or GPU.`;

/** @param {{ plan: Plan, load: import('../ui/load.js').Load<import('./sweep.js').Sweep>, eps: import('./plan_bound.js').Bound, query: any, set: any, onPick: (i: { method: string, error: number }) => void }} p */
export function Methods({ plan, load, eps, query, set, onPick }) {
  const waiting = load.data?.waiting ?? [];
  const items = waiting.length > 0 && load.data?.items.length === 0 ? undefined : load.data?.items;

  const all = useMemo(() => [...(items ?? []), ...eps.curve.filter((c) => !(items ?? []).includes(c))], [items, eps.curve]);
  const data = useMemo(() => ({
    items: all, confidence: plan.confidence, curve: eps.curve, at: eps.at,
    plan: plan.promised_error === null && plan.actual_error === null ? null
      : { method: plan.method, speedup: plan.speedup, error: plan.promised_error ?? Math.abs(Number(plan.actual_error)), actual: plan.actual_error === null ? null : Math.abs(plan.actual_error) },
  }), [all, plan, eps.curve, eps.at]);
  const able = useMemo(() => all.filter((i) => i.speedup !== null && errorOf(i) !== null), [all]);
  const none = items !== undefined && able.length === 0;
  const waits = items === undefined || (none && waiting.length > 0 && !load.error);
  const methods = [...new Map(able.map((i) => [i.method, i.title]))];
  const asPlanned = useCallback((/** @type {SweepItem} */ i) => i.error === eps.error, [eps.error]);
  const marked = chosen('method');
  const columns = useMemo(() => methodColumns(able), [able]);
  const picked = new Set(able.filter((i) => marked.has(i.method)).map(idOf));
  return html`
    <${Picture} title="Every method, every error: lower right wins" class="slow" note="Speed-up over simulating everything, against error. Lines go from the actual error to the promise; dashed: settings that no other setting beats." chart=${pareto} data=${waits || none ? undefined : data}
      load=${load} what="the sweep over all methods: each is planned and redrawn, which takes a while" empty=${none && !waits && !load.error && 'No method could plan this profile; below is why.'} height=${400} file="pareto"
      zoom=${query.zoom} onZoom=${(/** @type {string} */ zoom) => set({ zoom }, { replace: true })} onHandle=${(/** @type {SweepItem} */ i) => eps.set(i.error, { replace: true })}
      pick=${{ text: () => (api.may('write') ? 'Plan with this…' : null), run: onPick }} csv=${api.address.sweep(plan.profile, plan.confidence, errorsWith(plan.error))} aside=${eps.curve.length > 0 && html`<${BoundField} of=${eps} />`}
      caption=${`${plan.workload_name}, ${planText(plan)}`}
      legend=${waits ? SCORED_LATER : methods.map(([m, title]) => ({ color: methodStyle(m).color, glyph: glyph(methodStyle(m).shape), text: m === plan.method ? `${title} (this plan)` : title }))}>
      ${eps.turned && html`<p class="notice turned" role="status">${eps.failed ? html`A bound of ${bound(eps.error)} could not be scored. ${eps.failed.message}` : html`The strip says what a bound of ${bound(eps.error)} would give; this plan is for ${bound(plan.error)}.`}
        ${api.may('write') && html`<button type="button" aria-haspopup="dialog" onClick=${() => onPick({ method: plan.method, error: eps.error })}>Plan with ${bound(eps.error)}…</button>`}
        <button type="button" onClick=${() => eps.set(plan.error)}>Back to ${bound(plan.error)}</button></p>`}
    <//>
    ${waits ? !load.error && html`<${Card} class="bounded slow" title="What each method promises and does" note=${methodsNote()}><${Skeleton} height=${460} /><//>` : none ? html`<${Card} title="Why none can"><${Unable} items=${items ?? []} profile=${plan.profile} /><//>` : html`
    <${Card} class="bounded" title="What each method promises and does" note=${methodsNote()}
      aside=${html`<${Columns} of="Methods" columns=${columns} hide=${query.hidemethods} onHide=${(/** @type {string} */ hidemethods) => set({ hidemethods })} />`}>
      <${Table} keep rows=${able} columns=${columns} hide=${query.hidemethods} id=${idOf} chosen=${picked} order=${query.methods} onOrder=${(/** @type {any} */ methods_) => set({ methods: methods_ })} onTop=${asPlanned} caption="Methods" />
      <${Waiting} waiting=${waiting} />
      ${load.error && waiting.length > 0 && html`<p class="notice bad" role="status">${load.error.message} <button type="button" class="link" onClick=${load.reload}>Try again</button></p>`}
      <${Unable} items=${items ?? []} profile=${plan.profile} />
    <//>`}`;
}

/** @param {{ waiting: import('../types.js').Method[] }} p */
function Waiting({ waiting }) {
  return waiting.length > 0 && html`<p class="quiet scoring" role="status">Still being scored: ${waiting.map((m) => m.title).join(', ')}.</p>`;
}

/** @param {{ items: SweepItem[], profile: string }} p */
function Unable({ items, profile }) {
  const reasons = [...new Map(items.filter((i) => i.why_not).map((i) => [i.method, i]))].map(([, i]) => i);
  return reasons.length > 0 && html`<ul class="reasons">${reasons.map((i) => html`<li key=${i.method}><strong>${i.title}</strong> ${i.why_not}</li>`)}</ul>
    ${reasons.some((i) => i.lacks_features) && html`<p class="quiet">Such features are added on <a href=${href('profile', { id: profile })}>the profile’s page</a>.</p>`}`;
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
  { key: 'covered', label: 'covered', title: 'intervals that hold the truth', right: true, cell: (i) => (i.intervals && i.covered !== null ? html`<span class=${i.covered < i.intervals * 0.9 ? 'warntext' : ''}>${count(i.covered)} / ${count(i.intervals)}</span>` : html`<span class="quiet" title=${i.representative ? 'representatives: there is no interval' : 'one sample per stratum shows no spread'}>none</span>`) },
];

/** All possible values. */
export const METHOD_COLUMNS = methodColumns([/** @type {any} */ ({ speedup_instructions: 1 })]);
