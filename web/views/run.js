// run.js: the current estimate of a run, its interval, and its progress.
import { html, useCallback, useEffect, useMemo, useRef, useState } from '../ui/lib.js';
import { Card, Faces, Page, State, Strip } from '../ui/page.js';
import { useLoad, useThrottle } from '../ui/load.js';
import { Menu } from '../ui/menu.js';
import { Switch } from '../ui/switch.js';
import { say } from '../ui/toast.js';
import { inStrip, Moment, Num } from '../ui/num.js';
import { bound, count, countEstimate, error, estimate, level, NOTHING_YET, plural, sentence, time, timeEstimate } from '../ui/format.js';
import { PartsBar } from '../charts/small.js';
import { Picture } from '../charts/picture.js';
import { convergence } from '../charts/convergence.js';
import { interval } from '../charts/interval.js';
import { useSelected } from '../charts/select.js';
import { notSelected, SELECTED } from '../charts/select_text.js';
import { WINDOW } from '../charts/view.js';
import { hideRule } from '../ui/shown.js';
import { ordersOf } from '../ui/sort.js';
import { useQuery } from '../nav.js';
import { useLive } from '../live.js';
import { href, notHere } from '../routes.js';
import * as api from '../api.js';
import { trail } from './trail.js';
import { changeOf, intervalText, noteText, notReal, PART_KINDS, partText, projectionParts, unitName } from './facts.js';
import { bestOf, titleOf } from './run_title.js';
import { AnswerNotice, isUnderWay } from './run_answer.js';
import { relativeHalf, seedText } from './kept.js';
import { TracesCard } from './traces.js';
import { RunStrata, RUN_STRATA_COLUMNS } from './run_strata.js';
import { RunJobs } from './run_jobs.js';
import { RunLooks } from './run_interim.js';
import { Cancel, CancelNotice } from './run_cancel.js';
import { LabelLine, LabelMenu } from './label.js';
import { TakenOut } from './run_sample_replace.js';
import { RunParts } from './run_parts.js';
import { RunMetrics } from './run_metrics.js';
import { RunDomains, RUN_PART_COLUMNS } from './run_domains.js';
import { Method, PaperHead, planWords, REPORT, ReportActions, ReportButton, runWords } from './paper.js';
import { CompareLink } from './compare_link.js';
import { ShareButton } from './share_dialog.js';

/** @typedef {import('../types.js').Run} Run @typedef {import('../types.js').RunDesign} RunDesign @typedef {import('../types.js').Plan} Plan */

const RULES = { design: { fallback: '' }, sort: { fallback: '-doubt', oneOf: ordersOf(RUN_STRATA_COLUMNS) }, hide: hideRule(RUN_STRATA_COLUMNS), stratum: { fallback: '', number: /** @type {[number, number]} */ ([0, 1e9]) }, by: { fallback: '', oneOf: ['', ...PART_KINDS] }, parts: { fallback: '-share', oneOf: ordersOf(RUN_PART_COLUMNS) }, worker: { fallback: '' }, job: { fallback: '' }, jobs: { fallback: '', oneOf: ['', 'failed', 'leased', 'ready', 'blocked', 'done', 'cancelled'] }, zoom: WINDOW, selected: SELECTED, ...REPORT };
const REFRESH_MS = 1000;
/** Between two jobs no worker is active for a moment; after this time the run counts as waiting for a worker. */
const IDLE_MS = 5000;

/** An event updates the values that it contains; other data is read again. @param {Run} run @param {any} e @returns {Run} */
export function withProgress(run, e) {
  const now = new Map((e.projections ?? []).map((/** @type {any} */ p) => [p.design, p]));
  const counts = { ...run.counts };
  for (const key of /** @type {(keyof typeof counts)[]} */ (Object.keys(counts))) if (typeof e[key] === 'number') counts[key] = e[key];
  return {
    ...run, counts, state: e.state ?? run.state, eta_s: e.eta_s === undefined ? run.eta_s : e.eta_s, eta_error_s: e.eta_error_s === undefined ? run.eta_error_s : e.eta_error_s,
    designs: run.designs.map((d) => {
      const p = now.get(d.design);
      return p && d.projection ? { ...d, projection: { ...d.projection, ...p } } : d;
    }),
  };
}

/** @param {{ id: string }} p */
export function RunView({ id }) {
  const [query, set, problems] = useQuery(RULES);
  useSelected(query.selected, set);
  const load = useLoad((abort) => api.run(id, abort), [id]);
  const run = load.data;
  const design = run?.designs.find((d) => d.design === query.design) ?? run?.designs[0];
  const unknown = run && query.design && design?.design !== query.design ? [`This run has no design “${query.design.slice(0, 40)}”; ${design?.design} is shown.`] : [];

  const plan = useLoad((abort) => (run ? api.plan(run.plan, abort) : Promise.resolve(null)), [run?.plan, run?.counts.blocked]).data;
  const strata = plan?.strata.map((s) => s.id);
  const stray = [...notHere('stratum', query.stratum, strata), ...notSelected(query.selected, { stratum: strata, design: run?.designs.map((d) => d.design) })];

  // Data that events do not contain is read again, at most once a second.
  const [tick, setTick] = useState(0);
  const refresh = useThrottle(useCallback(() => {
    load.reload();
    setTick((n) => n + 1);
  }, [load.reload]), REFRESH_MS);
  const asOf = useRef(0);
  if (run) asOf.current = Math.max(asOf.current, Number(run.as_of) || 0);
  useLive([`run:${id}`], (e) => {
    const known = e.id && Number(e.id) <= asOf.current;
    if (!known && e.event === 'run.progress' && String(e.data.run) === id) {
      asOf.current = Number(e.id) || asOf.current;
      load.set((old) => withProgress(old, e.data));
    }
    refresh(); // also for a known event: other data may have been read before the run
  });
  useMilestones(run, design);

  const actions = run && design && html`
    ${run.designs.length > 1 && html`<${Switch} label="Design shown" of=${run.designs.map((d) => d.design)} now=${design.design} onTurn=${(/** @type {string} */ name) => set({ design: name === run.designs[0].design ? '' : name })} />`}
    <${Act} run=${run} onDone=${(/** @type {Run} */ r) => { load.set(r); refresh(); }} />
    <${CompareLink} run=${run} design=${design} />
    <${ReportButton} set=${set} />
    <${ShareButton} kind="run" id=${id} name=${run.workload_name} />
    <${Menu} label="Export this run" text="Export" items=${[{ text: 'Projection with its parts, JSON', href: api.address.projection(id), download: 'projection.json' }]} />
    <${LabelMenu} kind="run" of=${run} title=${titleOf(run)} onDone=${load.reload} />`;
  return html`
    <${Page} title=${run ? titleOf(run) : 'Run'} problems=${[...problems, ...unknown, ...stray]} report=${query.report === 'yes'} actions=${query.report ? html`<${ReportActions} set=${set} />` : actions} under=${run && html`<${LabelLine} kind="run" label=${run.label} /><${Bar} run=${run} />`}
      crumbs=${trail('run', run)}>
      <${Faces} load=${load} what="the run" page>${() => run && design && html`
        <${PaperHead} what=${`Run of ${run.workload_name}, ${design.design}`} />
        <${Strip} facts=${facts(run, design)} />
        <${AnswerNotice} answer=${run.answer} />
        <${Notices} run=${run} design=${design} />
        <div class="columns">
          <${Closing} run=${run} design=${design} tick=${tick} zoom=${query.zoom} onZoom=${(/** @type {string} */ zoom) => set({ zoom }, { replace: true })} />
          <${Happened} run=${run} tick=${tick} />
        </div>
        <${RunLooks} run=${run} onDone=${(/** @type {Run} */ r) => { load.set(r); refresh(); }} />
        <${RunStrata} run=${run} design=${design} tick=${tick} hide=${query.hide} onHide=${(/** @type {string} */ hide) => set({ hide })} order=${query.sort} onOrder=${(/** @type {string} */ sort) => set({ sort })} picked=${query.stratum} onPick=${(/** @type {string} */ stratum) => set({ stratum: query.stratum === stratum ? '' : stratum })}
          beside=${run.designs.length > 1 && html`<${Differences} run=${run} />`} />
        ${run.engine === 'cycle' && html`<${RunTraces} run=${run} plan=${plan} />`}
        <${RunParts} design=${design} run=${run} tick=${tick} onDone=${(/** @type {Run} */ r) => { load.set(r); refresh(); }} />
        <${RunDomains} run=${run} design=${design} tick=${tick} by=${query.by} onBy=${(/** @type {string} */ by) => set({ by: query.by === by ? '' : by })} order=${query.parts} onOrder=${(/** @type {string} */ parts) => set({ parts })} report=${query.report === 'yes'} />
        ${run.engine === 'cycle' && html`<${RunMetrics} run=${run} design=${design} tick=${tick} />`}
        <${RunMethod} run=${run} design=${design} plan=${plan} />
        <${RunJobs} run=${run} design=${design} strata=${strata ?? []} tick=${tick} of=${{ state: query.jobs || firstJobs(run), stratum: query.stratum, worker: query.worker, job: query.job }} onTurn=${set} onChanged=${refresh} />`}
      <//>
    <//>`;
}

/** The jobs that are shown by default: failed ones; if a run ended without failures, done ones; if a run
 * only waits, the waiting ones. @param {Run} run */
function firstJobs({ state, counts: c }) {
  if (c.failed > 0) return 'failed';
  if (state !== 'running' && c.done > 0) return 'done';
  return c.blocked > 0 && c.leased + c.ready === 0 ? 'blocked' : 'failed';
}

/** Jobs = launches x designs, if none was dropped. @param {Run} run */
function jobsOf(run) {
  const designs = run.designs.length, launches = run.jobs / designs;
  if (designs === 1) return `${plural(run.jobs, 'job')}${run.engine === 'replay' ? ', replayed' : ''}`;
  return `${plural(run.jobs, 'job')}${Number.isInteger(launches) ? `, ${plural(launches, 'launch', 'launches')}` : ''} on ${plural(designs, 'design')}`;
}

/** @type {Record<string, string>} */
const STATE_WORDS = { running: 'Running', done: 'Run finished', paused: 'Run paused', cancelled: 'Run cancelled', failed: 'Run failed' };

/** The promised relative half-width; none for a method without a promise. @param {Run} run */
const promiseOf = (run) => (run.rule || run.promised_error !== null ? run.promise : null);

/** @param {Run} run @param {RunDesign} d */
const intervalOf = (run, d) => intervalText(d.projection ?? { confidence: run.confidence });

const BAR = /** @type {const} */ ([['done', 'done'], ['leased', 'leased'], ['failed', 'failed'], ['cancelled', 'cancelled']]);

/** @param {{ run: Run }} p */
function Bar({ run }) {
  const c = run.counts;
  const words = [...BAR.map(([k]) => [k, c[k]]), ['ready', c.ready], ['blocked', c.blocked]].filter(([, n]) => Number(n) > 0).map(([k, n]) => `${count(Number(n))} ${k}`).join(', ');
  return html`<${PartsBar} label=${`Jobs: ${words}`} whole=${run.jobs} parts=${BAR.map(([key, tone]) => ({ key, value: c[key], tone, title: `${count(c[key])} ${key}` }))} />
    <p class="barwords">${STATE_WORDS[run.state] ?? 'Run'}: ${words || 'no job'} of ${jobsOf(run)}${run.cached > 0 && html`<span> · ${count(run.cached)} already known, not simulated again</span>`}</p>`;
}

/** @param {Run} run @param {RunDesign} d @returns {import('../ui/page.js').Fact[]} */
function facts(run, d) {
  const p = d.projection;
  const shown = p ? projectionParts(p) : null;
  const relative = relativeHalf(p), promise = promiseOf(run);
  const what = shown && shown.value !== null && p?.value_s === null ? 'total' : 'time';
  const so_far = run.state === 'done' || run.answer ? '' : ' so far';
  const left = run.counts.ready + run.counts.leased + run.counts.blocked;
  return [
    shown?.nothing
      ? { label: `Projected ${what}, ${d.design}`, value: html`<span class="unknown">–</span>`, note: NOTHING_YET, tone: 'waiting' }
      : shown && shown.value !== null
      ? { label: `Projected ${what}, ${d.design}`, ...inStrip(shown.value, shown.parts),
        note: relative === null ? 'no interval yet: some strata have one result' : `${intervalOf(run, d)}, ± ${error(relative)}${so_far}${noteText(p)}` }
      : run.promised_error !== null
        ? { label: `Projected time, ${d.design}`, value: html`± <${Num} value=${run.promised_error} text=${error(run.promised_error)} />`, unit: 'predicted', note: 'every stratum needs a result first', tone: 'waiting' }
        : { label: `Projected time, ${d.design}`, value: html`<span class="unknown">–</span>`, note: 'every stratum needs a result first', tone: 'waiting' },
    ...(promise === null ? [] : [{ label: 'Promise', value: html`<${Num} value=${promise} text=${`± ${error(promise)}`} />`, note: promiseNote(run, relative) }]),
    ...(left === 0 ? [] : [{ label: 'Left', value: run.eta_s === null ? count(left) : html`<${Num} value=${run.eta_s} text=${time(run.eta_s)} />`, unit: run.eta_s === null ? (left === 1 ? 'job' : 'jobs') : run.eta_error_s ? `± ${time(run.eta_error_s)}` : '',
      note: run.counts.blocked === left ? 'all wait for traces' : run.eta_s === null ? 'no pace known yet' : `${count(left)} of ${plural(run.jobs, 'job')}` }]),
    ...(run.designs.length > 1 ? [againstFact(run, d)] : []),
    ...(run.finished_at ? [{ label: 'Finished', value: html`<${Moment} at=${run.finished_at} />`, note: `started by ${run.created_by}` }] : []),
    ...(run.counts.failed > 0 ? [{ label: 'Failed', value: html`<${Num} value=${run.counts.failed} text=${count(run.counts.failed)} />`, tone: 'bad', note: html`<a href="#jobs">see why</a>` }] : []),
  ];
}

/** The difference of this design to the baseline; of the baseline itself, that of the other design with the least time. @param {Run} run @param {RunDesign} d */
function againstFact(run, d) {
  const of = d === run.designs[0] ? bestOf(run) : d;
  const best = of?.baseline?.distinguishable && Number(of.baseline.ratio) < 1;
  const label = of && of !== d ? `${best ? 'Best' : 'Against'}: ${of.design}` : `Against ${run.designs[0].design}`;
  if (of?.baseline) return { label, ...differenceFact(of.baseline) };
  return { label, value: html`<span class="unknown">–</span>`, note: 'no pair of samples yet' };
}

/** @param {Run} run @param {number|null} relative */
function promiseNote(run, relative) {
  if (relative === null) return `at ${bound(run.confidence)}; no interval yet`;
  const seen = run.looks?.at(-1)?.promises;
  if (run.state === 'done' || isUnderWay(run.answer)) return (seen ? seen.every((p) => p.kept) : relative <= run.promise) ? 'kept' : 'not reached';
  return relative <= run.promise ? 'inside it at the moment' : 'not reached yet';
}

/** The total with empty and with fully warm caches. @param {import('../types.js').WarmBound} b @param {RunDesign['projection']} p */
function boundWords(b, p) {
  if (b.low_s !== null && b.high_s !== null) return `With all of them fully warm the total is ${estimate(timeEstimate(Number(b.value_s), b.half_width_s))}; it is between ${time(b.low_s)} and ${time(b.high_s)}.`;
  if (b.low !== null && b.high !== null) return `With all of them fully warm the total is ${estimate(countEstimate(b.value, b.half_width, p.unit ?? ''))}; it is between ${count(b.low)} and ${count(b.high)} ${unitName(p.unit)}.`;
  return `With all of them fully warm the total is ${b.value_s === null ? count(b.value) : time(b.value_s)}; the range is not known yet.`;
}

/** @param {NonNullable<RunDesign['baseline']>} b */
function differenceFact(b) {
  return {
    ...inStrip((b.ratio ?? NaN) - 1, changeOf(b), true),
    note: `at ${level(b.level)}, paired on ${plural(b.paired_on, 'sample')}${b.distinguishable ? '' : `, ${notReal(b)}`}${noteText(b)}`,
  };
}

/** Whether a condition has been true for this time. @param {boolean} now @param {number} ms */
function useLasting(now, ms) {
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    setLasting(false);
    const timer = now ? setTimeout(() => setLasting(true), ms) : undefined;
    return () => clearTimeout(timer);
  }, [now]);
  return now && lasting;
}

/** @param {{ run: Run, design: RunDesign }} p */
function Notices({ run, design }) {
  // Before the first value the strip has the same text.
  const warning = relativeHalf(design.projection) === null && run.counts.done === 0 ? null : design.projection?.warning;
  const empty = design.projection?.empty_caches ?? 0;
  const inside = run.inside_kernels ?? 0;
  const idle = useLasting(run.state === 'running' && run.counts.leased === 0 && run.counts.ready > 0, IDLE_MS);
  return html`
    ${partText(run.part) && html`<p class="notice">The projection is of a part of the workload: ${partText(run.part)}.</p>`}
    ${warning && html`<p class="notice warn">${sentence(warning)}</p>`}
    ${run.engine === 'replay' && html`<p class="notice">Engine replay: each sample has its profiled time as its result. This tests the sampling; it does not describe a design.</p>`}
    ${empty > 0 && html`<p class="notice warn">${count(empty)} of ${plural(design.projection.done, 'result')} began with empty caches: their traces do not contain the cache contents of earlier launches. ${design.projection.warm_bound ? boundWords(design.projection.warm_bound, design.projection) : 'What L2 keeps between launches is not in these figures, and no design is called faster.'}</p>`}
    ${(design.projection?.warnings ?? []).map((w) => html`<p class="notice warn" key=${w}>${sentence(w)}</p>`)}
    ${inside > 0 && html`<p class="notice">${count(design.projection?.projected_inside ?? 0)} of ${plural(design.projection?.done ?? 0, 'result')} ${design.projection?.projected_inside === 1 ? 'is' : 'are'} projected inside ${design.projection?.projected_inside === 1 ? 'its launch' : 'their launches'}, each with an interval of ± ${bound(inside)} of its cycles at most. The intervals here include the error of these projections.</p>`}
    ${idle && (run.stranded?.workers && run.engine === 'cycle' ? html`<p class="notice warn">${plural(run.counts.ready, 'job')} ${run.counts.ready === 1 ? 'waits' : 'wait'} for simulator ${run.simulator}, which no connected worker has: they have ${run.stranded.simulators.join(', ') || 'none'}. Start a worker with ${run.simulator}, or <code>vivace run restart ${run.id} --simulator new</code> simulates the whole run with the farm’s version.</p>` : html`<p class="notice warn">${plural(run.counts.ready, 'job')} ${run.counts.ready === 1 ? 'waits' : 'wait'} and no worker has taken one. <a href=${href('farm')}>Look at the farm</a>, or start a worker.</p>`)}
    ${!run.rule && html`<${TakenOut} run=${run} />`}
    <${CancelNotice} run=${run} />
    ${run.state === 'paused' && !run.cancel_at && html`<p class="notice">Paused: running simulations finish, and no new ones start.</p>`}
    ${run.state === 'cancelled' && html`<p class="notice">Cancelled. ${isUnderWay(run.answer) ? 'The results that arrived stay known.' : 'The results that arrived stay, and count in the projection above.'}${api.may('write') && html` <a href=${href('plan', { id: run.plan }, { run: 'ask' })}>Run its plan again</a>: what is known is not simulated twice.`}</p>`}`;
}

/** Screen readers read milestones, not ticks. @param {Run|undefined} run @param {RunDesign|undefined} design */
function useMilestones(run, design) {
  const before = useRef(/** @type {{ done: number, state: string, kept: boolean, failed: number }|null} */ (null));
  useEffect(() => {
    if (!run || !design) return;
    const p = design.projection;
    const relative = relativeHalf(p);
    const promise = promiseOf(run), kept = relative !== null && promise !== null && relative <= promise;
    const now = { done: run.counts.done / Math.max(1, run.jobs), state: run.state, kept, failed: run.counts.failed };
    const old = before.current;
    before.current = now;
    if (!old) return;
    if (old.state !== now.state && now.state === 'done') say('The run is finished.', 'ok');
    else if (old.state !== now.state && now.state === 'cancelled') say('The run is cancelled.');
    else if (now.failed > old.failed) say(`${plural(now.failed, 'job')} failed.`, 'bad');
    else if (old.done < 0.5 && now.done >= 0.5 && now.state === 'running') say('Half of the jobs are done.');
  }, [run, design]);
}

const ACTS = { pause: api.pauseRun, resume: api.resumeRun };
/** @param {{ run: Run, onDone: (r: Run) => void }} p */
function Act({ run, onDone }) {
  const act = (/** @type {'pause'|'resume'} */ what) => async () => {
    try {
      onDone(await ACTS[what](run.id));
    } catch (e) {
      const p = /** @type {api.Problem} */ (e);
      say(`${p.message} ${p.hint}`, 'bad');
    }
  };
  if (!api.may('write')) return null;
  return html`
    ${run.state === 'running' && html`<button type="button" onClick=${act('pause')}>Pause</button>`}
    ${run.state === 'paused' && !run.cancel_at && html`<button type="button" class="filled" onClick=${act('resume')}>Go on</button>`}
    ${(run.state === 'running' || run.state === 'paused') && html`<${Cancel} run=${run} onDone=${onDone} />`}`;
}

/** @param {{ run: Run, design: RunDesign, tick: number, zoom: string, onZoom: (zoom: string) => void }} p */
function Closing({ run, design, tick, zoom, onZoom }) {
  const load = useLoad((abort) => api.convergence(run.id, { design: design.design }, abort), [run.id, design.design]);
  useEffect(() => { if (tick > 0) load.reload(); }, [tick]);
  const c = load.data;
  const data = useMemo(() => c && courseOf(c, run), [c, run.state]);
  if (!data || data.points.length === 0) {
    return html`<${Card} title="The interval closes in on the promise" class="picture"><${Faces} load=${load} what="the course of the interval" height=${360}>${() => html`<div class="empty inpicture">
      <p>No estimate yet. The first comes when every stratum has a result, its interval when every stratum has two.</p>
      ${run.promised_error !== null && html`<p class="quiet">Predicted by the plan: ± ${error(run.promised_error)} after all ${plural(data?.planned ?? run.jobs, 'sample')}.</p>`}</div>`}<//><//>`;
  }
  return html`<${Picture} title="The interval closes in on the promise" chart=${convergence} data=${data} height=${320} file="convergence" zoom=${zoom} onZoom=${onZoom}
    note=${`Projected time after each finished sample, with its ${intervalOf(run, design)}.${promiseOf(run) === null ? '' : ` Grey: ±\u00a0${error(run.promise)} around the current estimate.`}`}
    caption=${`${run.workload_name}, design ${design.design}, engine ${run.engine}, ${level(design.projection?.level ?? run.confidence)} level${seedText(run)}`} csv=${api.address.convergence(run.id, design.design)} />`;
}

/** @param {import('../types.js').Convergence} c @param {Run} run @returns {import('../charts/convergence.js').Data} */
function courseOf(c, run) {
  const seconds = c.points.some((p) => p.value_s !== null);
  const points = c.points
    .map((p) => (seconds ? { done: p.done, value: p.value_s, half: p.half_width_s, relative: relativeHalf(p) } : { done: p.done, value: p.value ?? null, half: p.half_width ?? null, relative: relativeHalf(p) }))
    .filter((p) => p.value !== null);
  return {
    points: /** @type {import('../charts/convergence.js').Point[]} */ (points), promise: promiseOf(run), planned: c.planned,
    ahead: (c.forecast?.points ?? []).map((p) => ({ done: p.done, half: Number(seconds ? p.half_width_s : p.half_width) })), promiseAt: c.forecast?.promise_at ?? null,
    unit: seconds || points.length === 0 ? 's' : unitName(run.designs.find((d) => d.projection?.unit)?.projection?.unit),
  };
}

/** @param {{ run: Run, tick: number }} p */
function Happened({ run, tick }) {
  const load = useLoad((abort) => api.runEvents(run.id, {}, abort), [run.id]);
  useEffect(() => { if (tick > 0) load.reload(); }, [tick]);
  return html`<${Card} title="What happened" note="Newest first" class="happened">
    <${Faces} load=${load} what="what happened" height=${300} empty=${(/** @type {any} */ d) => d.items.length === 0 && html`<p class="none">Nothing yet.</p>`}>${(/** @type {import('../types.js').List<import('../types.js').RunEvent>} */ d) => html`
      <ol class="events" tabindex="0">${d.items.map((e) => html`<li key=${e.id} class=${{ error: 'bad', warning: 'warn', info: '' }[e.severity]}><span>${e.text}</span> <span class="quiet"><${Moment} at=${e.at} /></span></li>`)}</ol>`}<//><//>`;
}

/** @param {{ run: Run }} p */
function Differences({ run }) {
  const held = run.designs.filter((d) => d.baseline), levels = [...new Set(held.map((d) => level(d.baseline?.level)))].join(', ');
  const rows = held.map((d) => ({
    label: d.design, value: Number(d.baseline?.ratio) - 1, half: d.baseline?.ratio_half_width ?? null, real: Boolean(d.baseline?.distinguishable),
  }));
  const data = useMemo(() => ({ rows, baseline: run.designs[0].design }), [JSON.stringify(rows), run.designs[0].design]);
  if (rows.length === 0) {
    return html`<${Card} title="Difference to the baseline"><p class="none">No pair yet: a sample counts here when both designs have simulated it.</p><//>`;
  }
  return html`<${Picture} title=${`Against ${data.baseline}, sample by sample`} chart=${interval} data=${data} height=${64 + rows.length * 30} file="difference"
    note=${`Paired on the same samples, so the difference has a smaller error than either total. Left is faster; hollow: ${run.designs.some((d) => d.baseline?.cache_reversible) ? 'the cache state of launches that began with empty caches could reverse it, or it ' : ''}cannot be distinguished from no difference at ${levels}${noteText(held[0]?.baseline)}.`}
    caption=${`${run.workload_name}, paired difference to ${data.baseline}, ${levels} level${seedText(run)}`} />`;
}

/** @param {{ run: Run, plan: Plan|null|undefined }} p */
function RunTraces({ run, plan }) {
  return plan && plan.traces.missing > 0 && html`<${TracesCard} plan=${run.plan} brief=${plan.traces} samples=${plan.samples_count} urgent=${run.counts.blocked > 0} />`;
}

/** The method, of the plan and of the run. @param {{ run: Run, design: RunDesign, plan: Plan|null|undefined }} p */
function RunMethod({ run, design, plan }) {
  return html`<${Method} words=${[...(plan ? planWords(plan) : []), ...runWords(run, design)]} />`;
}
