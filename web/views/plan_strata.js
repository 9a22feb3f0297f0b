// plan_strata.js: the strata of a plan; opening one shows the distribution of its launches and the drawn ones.
import { html, signal, useEffect, useMemo } from '../ui/lib.js';
import { Card, Faces } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Columns, Table } from '../ui/table.js';
import { KernelName, Num, ShareBar } from '../ui/num.js';
import { count, number, planned, plural, share, shortUnit } from '../ui/format.js';
import { distinctNames, shorten } from '../ui/kernel_name.js';
import { Picture } from '../charts/picture.js';
import { histogram } from '../charts/histogram.js';
import { Spark } from '../charts/small.js';
import { strataColors } from '../charts/palette.js';
import { chosen } from '../charts/select.js';
import * as api from '../api.js';
import { planText, shapes, stratumName } from './facts.js';
import { groupName, histogramData } from './histograms.js';

/** @typedef {import('../types.js').Plan} Plan @typedef {import('../types.js').Stratum} Stratum @typedef {import('../types.js').PlanSample} Sample */

const SPARK_BINS = 40;

/** Counts of a stratum's sparkline. A signal, so that their arrival draws these cells and no others.
 * @typedef {{ value: ReadonlyMap<number, number[]> }} Sparks */

/** Before the counts arrive it has its size already, so that no column moves. @param {{ of: Sparks, id: number }} p */
const StratumSpark = ({ of, id }) => (of.value.size === 0 ? html`<svg class="spark" width="120" height="18" aria-hidden="true"></svg>`
  : html`<${Spark} values=${of.value.get(id) ?? []} label=${`Spread of ${stratumName(id)}`} />`);

/** @param {Plan} plan @param {{ of: (id: number) => string }} colors @param {Sparks} sparks @param {Map<string, string>} names @returns {import('../ui/table.js').Column<Stratum>[]} */
function columnsOf(plan, colors, sparks, names) {
  const most = Math.max(...plan.strata.map((s) => s.planned_variance_share ?? 0));
  return [
    { key: 'id', label: 'stratum', sort: (s) => s.id, cell: (s) => html`<span class="swatch" style=${{ background: colors.of(s.id) }} aria-hidden="true"></span>${stratumName(s.id)}` },
    { key: 'kernel', label: 'kernel', wide: true, sort: (s) => s.kernel, cell: (s) => html`<${KernelName} name=${s.kernel} short=${names.get(s.kernel)} />` },
    { key: 'shape', label: 'grid · block', cell: (s) => shapes(s) },
    { key: 'N', label: 'N', title: 'launches', right: true, sort: (s) => s.population, cell: (s) => html`<${Num} value=${s.population} text=${count(s.population)} />` },
    { key: 'm', label: 'm', title: 'samples drawn', right: true, sort: (s) => s.samples, cell: (s) => html`<${Num} value=${s.samples} text=${count(s.samples)} />${s.certainty && html`<span class="quiet"> all</span>`}` },
    { key: 'mean', label: 'mean µ', right: true, sort: (s) => s.mean, cell: (s) => html`<${Num} value=${s.mean} text=${planned(s.mean, plan.unit)} />` },
    { key: 'cov', label: 'CoV', title: 'standard deviation over mean', right: true, sort: (s) => s.cov, cell: (s) => html`<${Num} value=${s.cov} text=${number(s.cov ?? NaN, 2)} />` },
    { key: 'spark', label: 'spread', title: 'all strata over the same axis, the shortest left', cell: (s) => html`<${StratumSpark} of=${sparks} id=${s.id} />` },
    { key: 'share', label: plan.unit === 'ns' ? 'share of time' : `share of ${shortUnit(plan.unit)}`, right: true, sort: (s) => s.share_of_time, cell: (s) => html`<${ShareBar} value=${s.share_of_time} text=${share(s.share_of_time)} />` },
    { key: 'doubt', label: 'share of doubt', title: 'its part of the planned variance', right: true, sort: (s) => s.planned_variance_share, cell: (s) => html`<${ShareBar} value=${s.planned_variance_share} text=${share(s.planned_variance_share)} tone=${s.planned_variance_share === most && most > 0.3 ? 'warn' : ''} />` },
  ];
}

export const STRATA_COLUMNS = columnsOf(/** @type {any} */ ({ strata: [], unit: 'ns' }), { of: () => '' }, { value: new Map() }, new Map());

/** @param {{ plan: Plan, query: any, set: any }} p */
export function Strata({ plan, query, set }) {
  const colors = useMemo(() => strataColors(plan.strata.map((s) => ({ id: s.id, mean: s.mean, total: Number(s.total) }))), [plan]);
  const load = useLoad((abort) => api.histogram(plan.profile, { ...api.HISTOGRAM, plan: plan.id, bins: SPARK_BINS }, abort), [plan.id]);
  // Strata that share a kernel share a sparkline: a plan does not store which launch is in which of them.
  const sparks = useMemo(() => signal(/** @type {ReadonlyMap<number, number[]>} */ (new Map())), [plan.id]);
  useEffect(() => { sparks.value = new Map((load.data?.strata ?? []).flatMap((g) => g.ids.map((id) => [id, g.counts]))); }, [load.data]);
  const names = useMemo(() => distinctNames(plan.strata.map((s) => s.kernel)), [plan]);
  const columns = useMemo(() => columnsOf(plan, colors, sparks, names), [plan, colors, sparks, names]);
  const open = plan.strata.find((s) => String(s.id) === query.stratum);
  return html`<${Card} title="Strata" class="bounded" aside=${html`<${Columns} of="Strata" columns=${columns} hide=${query.hide} onHide=${(/** @type {string} */ hide) => set({ hide })} />`} note=${plan.representative ? 'Groups of launches that behave alike. In each, m stand for all N. Choose one to see them.' : 'Groups of launches that behave alike. From each, m of N are drawn at random. Choose one to see which.'}>
    <${Table} keep rows=${plan.strata} columns=${columns} hide=${query.hide} id=${(/** @type {Stratum} */ s) => String(s.id)} order=${query.sort} onOrder=${(/** @type {any} */ sort) => set({ sort })} caption="Strata"
      picked=${query.stratum} chosen=${chosen('stratum')} onPick=${(/** @type {Stratum} */ s) => set({ stratum: query.stratum === String(s.id) ? '' : String(s.id) })} /><//>
    ${open && html`<div class="columns"><${Sits} plan=${plan} stratum=${open} color=${colors.of(open.id)} /><${Drawn} plan=${plan} stratum=${open} /></div>`}`;
}

/** @param {{ plan: Plan, stratum: Stratum, color: string }} p */
function Sits({ plan, stratum, color }) {
  const ask = { plan: plan.id, stratum: String(stratum.id) };
  const load = useLoad((abort) => api.histogram(plan.profile, { ...api.HISTOGRAM, ...ask }, abort), [plan.id, stratum.id]);
  const what = `${stratumName(stratum.id)}, ${shorten(stratum.kernel, 60)}`;
  const data = useMemo(() => load.data && { ...histogramData(load.data, true, what), color: () => color }, [load.data, what, color]); // as in the table
  const group = load.data?.strata[0];
  return html`<${Picture} title=${`Where the launches of ${stratumName(stratum.id)} sit`} note=${group && group.ids.length > 1 ? `${shorten(stratum.kernel, 60)}: all of ${groupName(group)}, which share the kernel; dotted: mean, below: drawn` : `${shorten(stratum.kernel, 60)}; dotted: mean, below: drawn`}
    chart=${histogram} data=${data} load=${load} what="the histogram" height=${300} file=${`stratum-${stratum.id}`} csv=${api.address.histogram(plan.profile, ask)}
    caption=${`${plan.workload_name}, ${planText(plan)}, ${what}`} />`;
}

/** @param {{ plan: Plan, stratum: Stratum }} p */
function Drawn({ plan, stratum }) {
  const load = useLoad((abort) => api.samples(plan.id, { stratum: stratum.id, limit: 1000 }, abort), [plan.id, stratum.id]);
  const name = stratumName(stratum.id);
  /** @type {import('../ui/table.js').Column<Sample>[]} */
  const columns = [
    { key: 'launch', label: 'launch', cell: (s) => html`<${Num} value=${s.launch} text=${count(s.launch)} />` },
    { key: 'launch', label: 'launch of its context', right: true, cell: (s) => html`<${Num} value=${s.launch_order} text=${count(s.launch_order)} />` },
    { key: 'value', label: plan.unit === 'ns' ? 'duration' : shortUnit(plan.unit), right: true, cell: (s) => html`<${Num} value=${s.value} text=${planned(Number(s.value), plan.unit)} />` },
    { key: 'weight', label: 'represents', right: true, cell: (s) => html`<${Num} value=${s.weight} text=${number(s.weight)} />` },
  ];
  return html`<${Card} title=${`Drawn from ${name}`} class="bounded" note=${`${plural(stratum.samples, 'launch', 'launches')} of ${count(stratum.population)}`}
    aside=${html`<a class="button" href=${api.address.samplesCsv(plan.id, String(stratum.id))} download=${`samples-${name}.csv`}>CSV</a>`}>
    <${Faces} load=${load} what="what was drawn" height=${300}>${(/** @type {{ items: Sample[], next?: string|null }} */ d) => html`
      <${Table} rows=${d.items} columns=${columns} id=${(/** @type {Sample} */ s) => String(s.launch)} order="" caption=${`Drawn from ${name}`} />
      ${d.next && html`<p class="quiet">The first ${count(d.items.length)}; CSV has all.</p>`}`}<//><//>`;
}
