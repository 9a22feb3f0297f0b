// paper.js: a page as a report for a paper's appendix: one column, a head line, and the method in words. Printed
// pages have the same parts.
import { html } from '../ui/lib.js';
import { pageAddress } from '../routes.js';
import { Card } from '../ui/page.js';
import { bound, count, countedIn, error, estimate, moment, NOTHING_YET, plural, share, short, time } from '../ui/format.js';
import { goneText, intervalText, noteText, partText, projectionParts } from './facts.js';
import { isUnderWay } from './run_answer.js';

/** @typedef {import('../types.js').Plan} Plan @typedef {import('../types.js').Run} Run @typedef {import('../types.js').RunDesign} RunDesign */

/** Additional address rules of a view. */
export const REPORT = { report: { fallback: '', oneOf: ['', 'yes'] } };

/** @param {{ set: (change: any) => void }} p */
export const ReportButton = ({ set }) => html`<button type="button" onClick=${() => set({ report: 'yes' })}>Report</button>`;
/** In place of a page's actions while it is a report. @param {{ set: (change: any) => void }} p */
export const ReportActions = ({ set }) => html`<button type="button" onClick=${() => set({ report: '' })}>Back to the page</button><button type="button" class="filled" onClick=${() => print()}>Print</button>`;

/** Title, date and origin. @param {{ what: string }} p */
export function PaperHead({ what }) {
  const program = document.querySelector('meta[name=generator]')?.getAttribute('content') ?? 'vivace';
  return html`<p class="onpaper quiet">${what} · ${program} · ${moment(new Date().toISOString())} · <span class="address">${pageAddress()}</span></p>`;
}

/** @param {Plan} p */
function drawing(p) {
  if (p.representative) return 'chosen by the method’s rule to represent the others, not at random';
  return `drawn at random ${p.with_replacement ? 'with' : 'without'} replacement in each stratum`;
}

/** How a plan chose its launches, sentence by sentence. @param {Plan} p */
export function planWords(p) {
  const measure = p.unit === 'ns' ? `${time(Number(p.total) / 1e9)} of GPU time` : `${short(Number(p.total))} ${countedIn(p.unit)}`;
  return [
    `Workload ${p.workload_name}: ${plural(p.launches, 'kernel launch', 'kernel launches')}, ${measure} in the profile.`,
    `Method ${p.method}, seed ${p.seed}, put them into ${plural(p.strata.length, 'stratum', 'strata')}; ${plural(p.samples_count, 'launch', 'launches')} were ${drawing(p)}, for a relative error of at most ${bound(p.error)} of the total, ${bound(p.confidence)} of the time.`,
    ...(partText(p.part) ? [`It is for a part of the workload: ${partText(p.part)}.`] : []),
    ...(p.budget > 0 ? [`At most ${bound(p.budget)} of simulating everything was to be spent.`] : []),
    ...(p.assured !== null ? [`The sizes are chosen so that the simulated half-width is within the error with a probability of ${bound(p.assured)} (asked for: ${bound(p.assurance)}).`] : []),
    ...(p.noise_floor > 0 && p.method === 'vivace' ? [`Launches that look equal were planned to differ by ${bound(p.noise_floor)} of their mean.`] : []),
    p.estimator === 'expansion' ? 'The total is projected as the sum over strata of the number of launches times the mean of the simulated ones.' : p.estimator === 'ratio' ? 'The total is projected by a combined ratio of each kernel: the sum of simulated values over that of profiled times, both weighted by strata, times the profiled time of all its launches.' : 'The total is projected by the instructions of all launches times the simulated value of an instruction.',
    p.estimator === 'ratio' ? 'Its interval is a stratified jackknife of these ratios, with finite-population correction, and Student’s t with Satterthwaite’s degrees of freedom.'
      : p.variance === 'samples' ? 'Its interval is that of the simulated values within each stratum, with finite-population correction, and Student’s t with Satterthwaite’s degrees of freedom.'
      : p.variance === 'successive' ? 'Its interval is from successive differences of the simulated values.'
        : p.variance === 'model' ? 'Its interval is model-assisted: one launch of a stratum has no variance, so the variance of the profile is used, and the variation of a kernel’s ratios of results to the profile.' : 'There is no interval: nothing in the simulated values tells how far off the projection is.',
    ...(p.promised_error !== null ? [`By the profile’s own spread the half-width comes to ${error(p.promised_error)} of the total${p.actual_error !== null ? `; projecting the profile’s own values from these launches is ${error(Math.abs(p.actual_error))} off` : ''}.`] : []),
    ...(p.speedup === null ? [] : [`Simulating them costs ${share(1 / p.speedup)} of simulating all.`]),
  ];
}

/** The remark on an interval before the run is done. A complete answer is shown until the next one; intervals of interim analyses keep their level at any time (docs/runs.md). @param {Run} run @param {RunDesign['projection']} p */
function early(run, p) {
  if (run.state === 'done') return '';
  if (run.answer) return isUnderWay(run.answer) ? '; more is simulated for the next answer' : '';
  if (run.state === 'cancelled' || run.state === 'failed') return '; the run ended before all were done';
  return p?.looks ? '; the run continues' : '; the run continues. An interval that is read early contains the true value less often than its level says';
}

/** The results for the designs of a run. @param {Run} run @param {RunDesign} d */
export function runWords(run, d) {
  const p = d.projection;
  const shown = p ? projectionParts(p) : null;
  return [
    `${count(run.counts.done)} of ${plural(run.jobs, 'job')} are done, one for each drawn launch and design (${run.designs.map((x) => x.design).join(', ')}), by ${run.engine === 'cycle' ? 'cycle-level simulation of the launch’s own trace' : 'replay of the profiled value'}.`,
    ...(shown?.nothing ? [`Under ${d.design} ${NOTHING_YET}.`] : shown && shown.value !== null ? [`Under ${d.design} the projected total is ${estimate(shown.parts)}${p?.half_width_s || p?.half_width ? `, a ${intervalText(p)}${p.df === null ? '' : ` with ${plural(Math.round(p.df), 'degree')} of freedom`}` : ', without an interval yet'}${noteText(p)}${early(run, p)}.`] : []),
    ...(d.baseline && d.baseline.half_width_s !== null ? [`Its difference to ${d.baseline.design}, over ${plural(d.baseline.paired_on, 'launch', 'launches')} that both simulated, is that of matched pairs within strata.`] : []),
    ...(d.model_error ? [`The simulated total is ${error(Math.abs(d.model_error.relative))} different from the profile’s measurement on this GPU; the interval covers only sampling.`] : ['The interval is about sampling alone; how far the simulator is from silicon is not part of it.']),
    ...(run.not_simulated && run.not_simulated.replaced + run.not_simulated.dropped > 0 ? [`Drawn, but could not be simulated: ${goneText(run.not_simulated)}.`] : []),
    `Plan ${run.plan}, run ${run.id}${d.design_sha256 ? `, design ${d.design_sha256.slice(0, 12)}` : ''}.`,
  ];
}

/** @param {{ words: string[] }} p */
export const Method = ({ words }) => html`<div class="onpaper method"><${Card} title="How this was computed" class="words"><p class="prose">${words.join(' ')}</p><//></div>`;
