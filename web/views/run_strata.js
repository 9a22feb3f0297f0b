// run_strata.js: each stratum of a run: how far, what mean, and how much of the doubt is its own.
import { html, useEffect } from '../ui/lib.js';
import { Card, Faces } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Table } from '../ui/table.js';
import { Estimate, KernelName, Num, ShareBar } from '../ui/num.js';
import { count, countEstimate, number, share, shorten, time, timeEstimate, UNKNOWN } from '../ui/format.js';
import { Whisker } from '../charts/small.js';
import { strataColors } from '../charts/palette.js';
import * as api from '../api.js';
import { stratumName } from './facts.js';

/** @typedef {import('../types.js').RunStratum} Row */

/** @param {{ run: import('../types.js').Run, design: import('../types.js').RunDesign, tick: number, order: string, onOrder: (o: string) => void }} p */
export function RunStrata({ run, design, tick, order, onOrder }) {
  const load = useLoad((abort) => api.runStrata(run.id, design.design, abort), [run.id, design.design]);
  useEffect(() => { if (tick > 0) load.reload(); }, [tick]);
  const rows = load.data?.items ?? [];
  const replay = run.engine === 'replay';
  return html`<${Card} title="Strata" class="bounded" note=${rows.some((r) => reference(r) !== null) ? 'The bar shows mean and interval against the profile’s mean (dotted).' : 'The bar shows mean and interval; the profile has no times to hold them against.'}>
    <${Faces} load=${load} what="the strata" height=${240} empty=${(/** @type {any} */ d) => d.items.length === 0 && html`<p class="none">This plan has no strata.</p>`}>${() => html`
      <${Table} rows=${rows} columns=${columns(rows, replay)} id=${(/** @type {Row} */ r) => String(r.stratum)} order=${order} onOrder=${onOrder} caption="Strata of the run" />`}<//><//>`;
}

/** The profile's mean in seconds, where it is a time. @param {Row} r */
const reference = (r) => (r.mean_profile !== null && r.profile_unit === 'ns' ? r.mean_profile / 1e9 : null);

/** @param {Row[]} rows @param {boolean} replay @returns {import('../ui/table.js').Column<Row>[]} */
function columns(rows, replay) {
  const colors = strataColors(rows.map((r) => ({ id: r.stratum, mean: r.mean_profile ?? 0, total: (r.mean_profile ?? 0) * r.population })));
  const doubt = Math.max(...rows.map((r) => r.share_of_doubt ?? 0));
  // How far a bar reaches, of the profile's mean, or of its own where that is no time.
  const spread = rows.filter((r) => r.mean_s !== null && Number(reference(r) ?? r.mean_s) > 0).map((r) => {
    const mean = Number(r.mean_s), ref = reference(r) ?? mean;
    return (Math.abs(mean - ref) + Math.min(r.half_width_s ?? 0, ref)) / ref;
  });
  const most = Math.max(0.02, Math.min(2, ...(spread.length ? [Math.max(...spread)] : [0.02])));
  return [
    { key: 'id', label: 'stratum', sort: (r) => r.stratum, cell: (r) => html`<span class="swatch" style=${{ background: colors.of(r.stratum) }} aria-hidden="true"></span>${stratumName(r.stratum)}` },
    { key: 'kernel', label: 'kernel', wide: true, sort: (r) => r.kernel, cell: (r) => html`<${KernelName} name=${r.kernel} short=${shorten(r.kernel, 36)} />` },
    { key: 'N', label: 'N', title: 'invocations', right: true, sort: (r) => r.population, cell: (r) => html`<${Num} value=${r.population} text=${count(r.population)} />` },
    { key: 'done', label: 'done / m', right: true, sort: (r) => r.done / Math.max(1, r.planned), cell: (r) => `${count(r.done)} / ${count(r.planned)}` },
    { key: 'mean', label: 'mean X̄', right: true, sort: (r) => r.mean_s, cell: (r) => html`<${Estimate} value=${r.mean_s ?? r.mean} parts=${r.mean_s === null && r.mean !== null ? countEstimate(r.mean, null, '') : timeEstimate(r.mean_s ?? NaN, r.half_width_s)} why=${r.done === 0 ? 'no result yet' : r.mean_s === null ? 'the interval of one stratum is known for times only' : undefined} />` },
    { key: 'bar', label: html`<span class="hidden">mean against the profile</span>`, cell: (r) => r.mean_s !== null && html`<${Whisker} value=${r.mean_s} half=${r.half_width_s} reference=${reference(r)} most=${most} color=${colors.of(r.stratum)} label=${`${time(r.mean_s)}${reference(r) === null ? '' : `, the profile said ${time(reference(r))}`}`} />` },
    { key: 'spread', label: replay ? 'spread, drawn / profile' : 'spread, simulated / profile', title: 'standard deviation over mean', right: true, cell: (r) => `${r.spread_simulated === null ? UNKNOWN : number(r.spread_simulated, 2)} / ${r.spread_profile === null ? UNKNOWN : number(r.spread_profile, 2)}` },
    { key: 'total', label: 'N · X̄', right: true, sort: (r) => r.total_s, cell: (r) => html`<${Num} value=${r.total_s} text=${time(r.total_s)} why="no result yet" />` },
    { key: 'share', label: 'share of time', right: true, sort: (r) => r.share_of_time, cell: (r) => html`<${ShareBar} value=${r.share_of_time} text=${share(r.share_of_time)} />` },
    { key: 'doubt', label: 'share of doubt', title: 'its part of the variance of the projection', right: true, sort: (r) => r.share_of_doubt, cell: (r) => html`<${ShareBar} value=${r.share_of_doubt} text=${share(r.share_of_doubt)} tone=${r.share_of_doubt === doubt && doubt > 0.3 ? 'warn' : ''} />` },
  ];
}
