// plan.js: the speed-up and promised error of a plan, compared with all other methods.
import { html, useState } from '../ui/lib.js';
import { Faces, Page, Strip } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Menu } from '../ui/menu.js';
import { useLive } from '../live.js';
import { useKeys } from '../ui/keys.js';
import { Num } from '../ui/num.js';
import { bound, count, error, plural, sentence, share, shortUnit, speedup, time } from '../ui/format.js';
import { shorten } from '../ui/kernel_name.js';
import { useSelected } from '../charts/select.js';
import { notSelected, SELECTED } from '../charts/select_text.js';
import { WINDOW } from '../charts/view.js';
import { hideRule } from '../ui/shown.js';
import { ordersOf } from '../ui/sort.js';
import { useQuery } from '../nav.js';
import { notHere } from '../routes.js';
import * as api from '../api.js';
import { trail } from './trail.js';
import { PART_NAMES, partText } from './facts.js';
import { planTitle } from './run_title.js';
import { ShareButton } from './share_dialog.js';
import { LabelLine, LabelMenu } from './label.js';
import { PlanDialog } from './plan_dialog.js';
import { RunDialog } from './run_dialog.js';
import { TraceDialog } from './trace_dialog.js';
import { useSweep } from './sweep.js';
import { TracesCard } from './traces.js';
import { boundFacts, useBound } from './plan_bound.js';
import { Methods, METHOD_COLUMNS } from './plan_methods.js';
import { Method, PaperHead, planWords, REPORT, ReportActions, ReportButton } from './paper.js';
import { Strata, STRATA_COLUMNS } from './plan_strata.js';

/** @typedef {import('../types.js').Plan} Plan */

const RULES = {
  sort: { fallback: '-share', oneOf: ordersOf(STRATA_COLUMNS) }, hide: hideRule(STRATA_COLUMNS), methods: { fallback: 'error', oneOf: ordersOf(METHOD_COLUMNS) }, hidemethods: hideRule(METHOD_COLUMNS), stratum: { fallback: '' },
  eps: { fallback: '', number: /** @type {[number, number]} */ ([0.0001, 1]) }, zoom: WINDOW, selected: SELECTED,
  run: { fallback: '', oneOf: ['', 'ask'] }, ...REPORT,
};

/** @param {{ id: string }} p */
export function PlanView({ id }) {
  const [query, set, problems] = useQuery(RULES);
  useSelected(query.selected, set);
  const load = useLoad((abort) => api.plan(id, abort), [id]);
  const plan = load.data;
  const [again, setAgain] = useState(/** @type {Partial<import('./plan_dialog.js').Params>|null} */ (null));
  const [tracing, setTracing] = useState(false);
  const costs = useLoad(async (abort) => (api.may('write') ? api.planCosts(id, abort) : null), [id]);
  useLive(api.who.value?.share ? [] : [`plan:${id}`], load.reload); // a link has events of its run only
  const sweep = useSweep(plan?.profile, plan?.confidence ?? 0.95, plan?.error);
  const strata = plan?.strata.map((s) => s.id);
  const stray = [...notHere('stratum', query.stratum, strata), ...notSelected(query.selected, { stratum: strata, method: sweep.data?.methods.map((m) => m.name) })];
  const eps = useBound(plan, sweep.data?.items, query.eps, set);
  useKeys([
    { keys: '[', does: 'smaller error bound', run: () => eps.step(-1) },
    { keys: ']', does: 'larger error bound', run: () => eps.step(1) },
  ]);
  const actions = plan && html`
    <${Menu} label="Export this plan" text="Export" items=${[{ text: 'Samples, CSV', href: api.address.samplesCsv(id), download: 'samples.csv' }, { text: 'Plan file, JSON', href: api.address.planFile(id), download: 'plan.json' }]} />
    <${ReportButton} set=${set} />
    <${ShareButton} kind="plan" id=${id} name=${plan.workload_name} />
    <${LabelMenu} kind="plan" of=${plan} title=${planTitle(plan)} onDone=${load.reload} />
    ${api.may('write') && html`<button type="button" aria-haspopup="dialog" onClick=${() => setAgain(paramsOf(plan))}>Plan again…</button>
    ${plan.traces.in_file === 0 && html`<button type="button" aria-haspopup="dialog" onClick=${() => setTracing(true)}>Trace these…</button>`}
    <button type="button" class="filled" aria-haspopup="dialog" onClick=${() => set({ run: 'ask' })}>Run on…</button>`}`;
  return html`
    <${Page} title=${plan ? planTitle(plan) : 'Plan'} problems=${[...problems, ...stray]} report=${query.report === 'yes'} actions=${query.report ? html`<${ReportActions} set=${set} />` : actions}
      crumbs=${trail('plan', plan)} under=${plan && html`<${LabelLine} kind="plan" label=${plan.label} />`}>
      <${Faces} load=${load} what="the plan" page>${(/** @type {Plan} */ d) => html`
        <${PaperHead} what=${`Plan of ${d.workload_name}`} />
        <${Strip} facts=${[...(eps.turned ? boundFacts(d, eps) : facts(d)), ...farmFact(costs, eps.turned)]} />
        ${!d.promise_valid && d.promised_error !== null && d.method !== 'vivace' && html`<p class="notice warn">This method is used as it was published. Its promise does not hold for simulated values: treat ${error(d.promised_error)} as its claim, not as ours.</p>`}
        ${d.caution && html`<p class="notice bad" role="note"><strong>Not to be trusted blindly.</strong> ${d.caution}</p>`}
        ${partText(d.part) && html`<p class="notice">The plan is for a part of the workload: ${partText(d.part)}.</p>`}
        ${d.part?.by && html`<p class="notice">Each stratum has launches of one ${PART_NAMES[/** @type {keyof typeof PART_NAMES} */ (d.part.by)]} only.</p>`}
        ${d.representative && html`<p class="notice warn">These samples are representatives: chosen by a rule, not drawn at random. A projection from them has no interval, because the simulated values do not show its error.</p>`}
        ${d.note && html`<p class="notice">${sentence(noteOf(d))}</p>`}
        <${Methods} plan=${d} load=${sweep} eps=${eps} query=${query} set=${set} onPick=${(/** @type {{ method: string, error: number }} */ i) => setAgain({ ...paramsOf(d), method: i.method, error: i.error })} />
        <${Strata} plan=${d} query=${query} set=${set} />
        <${Method} words=${planWords(d)} />
        <${TracesCard} plan=${id} brief=${d.traces} samples=${d.samples_count} />
        ${again && html`<${PlanDialog} profile=${d.profile} unit=${d.unit} start=${again} sweep=${sweep.data} onClose=${() => setAgain(null)} />`}
        ${tracing && html`<${TraceDialog} plan=${d} onClose=${() => setTracing(false)} />`}
        ${query.run === 'ask' && api.may('write') && html`<${RunDialog} plan=${d} onClose=${() => set({ run: '' }, { replace: true })} />`}`}
      <//>
    <//>`;
}

/** Replaces the beginning of a kernel's name in the note by its label. @param {Plan} p */
const noteOf = (p) => p.note.replace(/(Of (?:the kernels in one stratum with )?)(.+?)(?= alone, )/, (whole, before, begin) => {
  const kernel = p.strata.find((s) => s.kernel !== begin && s.kernel.startsWith(begin))?.kernel;
  return kernel ? before + shorten(kernel) : whole;
});

/** @param {Plan} plan */
const paramsOf = (plan) => ({ method: plan.method, error: plan.error, confidence: plan.confidence, seed: plan.seed, budget: plan.budget, ...partOf(plan.part), ...(plan.assurance ? { assurance: plan.assurance } : {}), ...(plan.method === 'vivace' ? { noise_floor: plan.noise_floor } : {}), ...(plan.estimator === 'ratio' ? { estimator: /** @type {const} */ ('ratio') } : {}) });

/** @param {import('../types.js').PlanPart|undefined} part */
const partOf = (part) => ({ ...(part?.only ? { only: part.only } : {}), ...(part?.steps ? { steps: part.steps } : {}), ...(part?.by ? { by: /** @type {NonNullable<import('../types.js').PlanRequest['by']>} */ (part.by) } : {}) });

/** @param {Plan} p */
function facts(p) {
  const inside = p.actual_error !== null && p.promised_error !== null ? (Math.abs(p.actual_error) <= p.promised_error ? 'inside the promise' : 'outside the promise, this time') : 'of this draw';
  return [
    { label: 'Speed-up', value: html`<${Num} value=${p.speedup} text=${speedup(p.speedup).replace(/\s×$/, '')} />`, unit: '×', note: p.speedup === null ? 'there is nothing to simulate' : `simulated ${p.unit === 'ns' ? 'time' : shortUnit(p.unit)}: ${share(1 / p.speedup)} of all` },
    ...(p.promised_error === null ? [] : [{ label: 'Promised error', value: html`<${Num} value=${p.promised_error} text=${error(p.promised_error)} />`, note: p.variance === 'model' ? 'model-assisted: by the profile’s spread, which no sample alone will confirm' : `half-width of the ${bound(p.confidence)} interval${p.assured === null ? '' : `, kept in ${bound(p.assurance)} of cases`}` }]),
    ...(p.actual_error === null ? [] : [{ label: 'Error against the profile', value: html`<${Num} value=${p.actual_error} text=${error(Math.abs(p.actual_error))} />`, note: inside }]),
    { label: 'Samples', value: html`<${Num} value=${p.samples_count} text=${count(p.samples_count)} />`, note: `of ${plural(p.launches, 'launch', 'launches')}, in ${plural(p.strata.length, 'stratum', 'strata')}` },
    { label: 'Method', value: p.method, note: `seed ${p.seed}` },
  ];
}

/** The expected duration of the simulation, on the design with the most measured jobs. It is always in the strip, so
 * that the picture below does not move.
 * @param {import('../ui/load.js').Load<Awaited<ReturnType<typeof api.planCosts>>|null>} costs @param {boolean} turned another bound than the plan's is looked at
 */
function farmFact({ data, error: failed }, turned) {
  if (data === null || failed) return [];
  const label = 'Farm estimate', known = [...(data?.items ?? [])].sort((a, b) => b.simulations - a.simulations)[0];
  if (turned) return [{ label, value: html`<${Num} value=${null} text="" why="plan with this bound first" />`, note: 'known once it is planned' }];
  if (!data) return [{ label, value: '…', note: 'asking the farm' }];
  if (!known) return [{ label, value: html`<${Num} value=${null} text="" why="no simulations to estimate it from" />`, note: 'known after ten simulations on a design' }];
  return [{ label, value: html`<${Num} value=${known.expected_s} text=${time(known.expected_s)} />`, note: html`<span title=${`Of simulation, as ${plural(known.simulations, 'simulation')} on this farm tell: half of them were nearer to what was expected, half further off.`}>on ${known.design}; a launch is ≈ ${error(known.typical_error)} off</span>` }];
}
