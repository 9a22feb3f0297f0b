// run_strata.js: the strata of a run: progress, mean, and share of the variance.
import { html, useEffect, useMemo } from '../ui/lib.js';
import { Card, Faces } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Columns, Table } from '../ui/table.js';
import { Estimate, KernelName, Num, ShareBar } from '../ui/num.js';
import { count, countEstimate, level, number, plural, share, short, time, timeEstimate, UNKNOWN } from '../ui/format.js';
import { distinctNames } from '../ui/kernel_name.js';
import { contribution, heightOf, largest, SHOWN_MAX } from '../charts/contribution.js';
import { Picture } from '../charts/picture.js';
import { chosen } from '../charts/select.js';
import { Whisker } from '../charts/small.js';
import { strataColors } from '../charts/palette.js';
import * as api from '../api.js';
import { stratumName } from './facts.js';
import { seedText } from './kept.js';

/** @typedef {import('../types.js').RunStratum} Row */

/** The strata with the largest contributions. @param {Row[]} rows @returns {import('../charts/contribution.js').Data} */
function partsOf(rows) {
  const colors = colorsOf(rows), { shown, others } = largest(rows, (r) => r.total_s);
  return { others, rows: shown.map((r) => ({
    id: `stratum:${r.stratum}`, label: `${stratumName(r.stratum)}, ${count(r.done)} of ${short(r.population)}`, value: Number(r.total_s), half: r.total_half_width_s, relative: r.relative_half_width, color: colors.of(r.stratum) })) };
}

/** @param {{ run: import('../types.js').Run, design: import('../types.js').RunDesign, tick: number, order: string, onOrder: (o: string) => void, hide: string, onHide: (hide: string) => void, picked: string, onPick: (stratum: string) => void, beside?: any }} p `beside`: a card next to the picture, once there is one */
export function RunStrata({ run, design, tick, order, onOrder, hide, onHide, picked, onPick, beside }) {
  const load = useLoad((abort) => api.runStrata(run.id, { design: design.design, limit: 1000 }, abort), [run.id, design.design]);
  useEffect(() => { if (tick > 0) load.reload(); }, [tick]);
  const rows = load.data?.items ?? [];
  const replay = run.engine === 'replay', guest = Boolean(api.who.value?.share);
  const data = useMemo(() => partsOf(rows), [load.data]);
  const all = useMemo(() => columns(rows, replay), [load.data, replay]);
  const picture = !load.data && !load.error ? html`<${Picture} title="What each stratum contributes" load=${load} what="the strata" height=${240} />` : data.rows.length > 0 && html`<${Picture} title="What each stratum contributes" chart=${contribution} data=${data} height=${heightOf(data)} file="strata"
    note=${`Launches times their mean, with the ${level(design.projection?.level ?? run.confidence)} interval.${data.others > 0 ? ` The ${count(SHOWN_MAX)} that add most; ${plural(data.others, 'other')} are in the table.` : ''}`}
    caption=${`${run.workload_name}, design ${design.design}, engine ${run.engine}, ${level(design.projection?.level ?? run.confidence)} level${seedText(run)}`} csv=${api.address.runStrata(run.id, design.design)} />`;
  return html`
    ${picture && beside ? html`<div class="columns">${picture}${beside}</div>` : html`${picture}${beside}`}
    <${Card} title="Strata" class="bounded" note=${noteOf(rows, guest)} aside=${html`<${Columns} of="Strata of the run" columns=${all} hide=${hide} onHide=${onHide} />`}>
    <${Faces} load=${load} what="the strata" height=${240} empty=${(/** @type {any} */ d) => d.items.length === 0 && html`<p class="none">This plan has no strata.</p>`}>${() => html`
      <${Table} keep rows=${rows} columns=${all} hide=${hide} id=${(/** @type {Row} */ r) => String(r.stratum)} order=${order} onOrder=${onOrder} caption="Strata of the run" picked=${picked} chosen=${chosen('stratum')} onPick=${guest ? undefined : (/** @type {Row} */ r) => onPick(String(r.stratum))} />`}<//><//>`;
}

/** @param {Row[]} rows */
const colorsOf = (rows) => strataColors(rows.map((r) => ({ id: r.stratum, mean: r.mean_profile ?? 0, total: (r.mean_profile ?? 0) * r.population })));

/** The profile's mean in seconds, if it is a time. @param {Row} r */
const reference = (r) => (r.mean_profile !== null && r.profile_unit === 'ns' ? r.mean_profile / 1e9 : null);

/** @param {Row[]} rows @param {boolean} guest who came by a link sees all jobs at once */
const noteOf = (rows, guest) => html`${rows.some((r) => reference(r) !== null) ? 'The bar shows mean and interval against the profile’s mean (dotted).' : 'The bar shows mean and interval; the profile has no times to hold them against.'}${!guest && html`<span class="onscreen"> Choose a stratum to see its jobs alone.</span>`}`;

/** @param {Row[]} rows @param {boolean} replay @returns {import('../ui/table.js').Column<Row>[]} */
function columns(rows, replay) {
  const colors = colorsOf(rows), names = distinctNames(rows.map((r) => r.kernel), 36);
  const doubt = Math.max(...rows.map((r) => r.share_of_doubt ?? 0));
  // Length of a bar relative to the profile's mean, or to its own mean if the profile has no times.
  const spread = rows.filter((r) => r.mean_s !== null && Number(reference(r) ?? r.mean_s) > 0).map((r) => {
    const mean = Number(r.mean_s), ref = reference(r) ?? mean;
    return (Math.abs(mean - ref) + Math.min(r.half_width_s ?? 0, ref)) / ref;
  });
  const most = Math.max(0.02, Math.min(2, ...(spread.length ? [Math.max(...spread)] : [0.02])));
  return [
    { key: 'id', label: 'stratum', sort: (r) => r.stratum, cell: (r) => html`<span class="swatch" style=${{ background: colors.of(r.stratum) }} aria-hidden="true"></span>${stratumName(r.stratum)}` },
    { key: 'kernel', label: 'kernel', wide: true, sort: (r) => r.kernel, cell: (r) => html`<${KernelName} name=${r.kernel} short=${names.get(r.kernel)} />` },
    { key: 'N', label: 'N', title: 'launches', right: true, sort: (r) => r.population, cell: (r) => html`<${Num} value=${r.population} text=${count(r.population)} />` },
    { key: 'done', label: 'done / m', right: true, sort: (r) => r.done / Math.max(1, r.planned), cell: (r) => `${count(r.done)} / ${count(r.planned)}` },
    { key: 'mean', label: 'mean X̄', right: true, sort: (r) => r.mean_s, cell: (r) => html`<${Estimate} value=${r.mean_s ?? r.mean} parts=${r.mean_s === null && r.mean !== null ? countEstimate(r.mean, null, '') : timeEstimate(r.mean_s ?? NaN, r.half_width_s)} why=${r.done === 0 ? 'no result yet' : r.mean_s === null ? 'the interval of one stratum is known for times only' : undefined} />` },
    { key: 'bar', label: html`<span class="hidden">mean against the profile</span>`, cell: (r) => r.mean_s !== null && html`<${Whisker} value=${r.mean_s} half=${r.half_width_s} reference=${reference(r)} most=${most} color=${colors.of(r.stratum)} label=${`${time(r.mean_s)}${reference(r) === null ? '' : `, the profile said ${time(reference(r))}`}`} />` },
    { key: 'spread', label: replay ? 'spread, drawn / profile' : 'spread, simulated / profile', title: 'standard deviation over mean', right: true, cell: (r) => `${r.spread_simulated === null ? UNKNOWN : number(r.spread_simulated, 2)} / ${r.spread_profile === null ? UNKNOWN : number(r.spread_profile, 2)}` },
    { key: 'total', label: 'N · X̄', right: true, sort: (r) => r.total_s, cell: (r) => html`<${Num} value=${r.total_s} text=${time(r.total_s)} why="no result yet" />` },
    { key: 'share', label: 'share of time', right: true, sort: (r) => r.share_of_time, cell: (r) => html`<${ShareBar} value=${r.share_of_time} text=${share(r.share_of_time)} />` },
    { key: 'doubt', label: 'share of doubt', title: 'its part of the variance of the projection', right: true, sort: (r) => r.share_of_doubt, cell: (r) => html`<${ShareBar} value=${r.share_of_doubt} text=${share(r.share_of_doubt)} tone=${r.share_of_doubt === doubt && doubt > 0.3 ? 'warn' : ''} />` },
  ];
}

export const RUN_STRATA_COLUMNS = columns([], false);
