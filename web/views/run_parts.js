// run_parts.js: the error components of a projection, and the measured effect of the cache state.
import { html, useEffect, useState } from '../ui/lib.js';
import { Card } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { say } from '../ui/toast.js';
import { Estimate, Num } from '../ui/num.js';
import { change, count, error, NOTHING_YET, plural, share, time, timeEstimate } from '../ui/format.js';
import * as api from '../api.js';
import { intervalText, projectionParts, ProjectionText } from './facts.js';
import { leastText, relativeHalf } from './kept.js';

/** @typedef {import('../types.js').Run} Run @typedef {import('../types.js').RunDesign} RunDesign */

/** Every projection shows its error components: sampling, model, and the limits of a total of durations.
 * @param {{ run: Run, design: RunDesign, tick: number, onDone: (r: Run) => void }} p */
export function RunParts({ run, design, tick, onDone }) {
  const load = useLoad((abort) => api.runParts(run.id, abort), [run.id]);
  useEffect(() => { if (tick > 0) load.reload(); }, [tick]);
  const p = design.projection;
  const { nothing } = p ? projectionParts(p) : { nothing: false };
  const m = design.model_error;
  const parts = load.data?.designs.find((d) => d.design === design.design)?.parts;
  const measured = parts?.measured_makespan_s;
  const validated = load.data?.validated?.find((d) => d.design === design.design)?.classes ?? [];
  if (!p || p.value_s === null) return null;
  return html`<${Card} title="What this number is made of" note=${`Design ${design.design}, engine ${run.engine}.`}>
    <table class="rows facts"><caption class="hidden">Parts of the projection</caption><tbody>
      <${Part} name="Sampling error" value=${p.half_width_s === null || nothing ? 'not known yet' : `± ${error(relativeHalf(p))}`} note=${nothing ? NOTHING_YET : `${intervalText(p)} from the simulated values${p.df === null ? '' : `, ${plural(Math.round(p.df), 'degree')} of freedom`}`} />
      <${Part} name="Model error" value=${m ? html`<${Num} value=${m.relative} text=${`${change(m.relative, null).value} %`} />` : '–'} note=${m ? `simulated ${time(m.simulated_s)}, measured ${time(m.measured_s)}` : parts?.model_error_why_not ?? 'needs a run on the design of the profiled GPU'} />
      ${validated.length > 0 && html`<${Part} name="Model error by kernel class" value="" note=${html`<${ValidatedWords} classes=${validated} />`} />`}
      ${run.engine === 'cycle' && html`<${Part} name="Cache state" value=${design.cache_state ? html`<${Num} value=${design.cache_state.relative} text=${`${leastText(design.cache_state)}${change(design.cache_state.relative, null).value} %`} />` : '–'} note=${html`<${CacheWords} run=${run} design=${design} onDone=${onDone} />`} />`}
      <${Part} name="Sum of durations" value=${html`<${ProjectionText} of=${p} />`} note="every launch counted in full, also where they overlap" />
      ${design.communication && html`<${Part} name="Communication" value=${html`<${Estimate} value=${design.communication.value_s} parts=${timeEstimate(design.communication.value_s ?? NaN, design.communication.half_width_s)} />`} note=${`of the sum, in ${plural(design.communication.launches, 'launch', 'launches')} that the profile has with ${time(design.communication.profiled_s)}, mostly waiting for other GPUs; a simulation of one GPU does not show that waiting`} />`}
      <${Part} name="Makespan" value=${html`<${Estimate} value=${design.makespan_s} parts=${timeEstimate(design.makespan_s ?? NaN, design.makespan_half_width_s ?? null)} />`} note=${design.makespan_s === null ? 'needs start times in the profile and a complete run' : `how long the GPU is busy, with the overlap of the profile${measured ? `, which had ${time(measured)}` : ''}${design.makespan_interval_why_not ? `; no interval: ${design.makespan_interval_why_not}` : ''}`} />
    </tbody></table><//>`;
}

/** @param {{ name: string, value: any, note: any }} p */
const Part = ({ name, value, note }) => html`<tr><th scope="row">${name}</th><td class="partvalue">${value}</td><td class="quiet">${note}</td></tr>`;

/** The model error that was measured on this GPU with other kernels of the same classes; no part of the interval.
 * @param {{ classes: import('../types.js').ValidatedClass[] }} p */
function ValidatedWords({ classes }) {
  const words = classes.map((c) => `${c.class} (${share(c.share)} of the total): ${c.kernels && c.error !== null
    ? `${share(c.error)} mean over ${plural(c.kernels, 'kernel')}${c.tuned ? ', some used to set parameters' : ''}`
    : 'not validated on this GPU'}`);
  return html`<span>measured on this GPU with other kernels of the same class, outside the interval. ${words.join('; ')}</span>`;
}

/** A result with one window only, from an older farm; further windows can be measured. @param {import('../types.js').CacheState} c */
const tooNear = (c) => !c.settled && c.missing_before === 0 && c.launches_before <= 16;

/** @param {import('../types.js').CacheState} c */
function beyond(c) {
  if (c.missing_before > 0) return `; ${count(c.missing_before)} of the launches before them have no trace, so the error may be larger`;
  if (c.settled === undefined) return ''; // from an earlier request
  return c.settled ? '; earlier launches change nothing' : '; what more launches before them leave was not tried, or still changes it';
}

/** The L2 state at the start of launches. @param {RunDesign['projection']} p */
function foundWords(p) {
  const empty = p?.empty_caches ?? 0;
  if (empty === 0) return 'each launch begins with the L2 contents of the earlier launches; the error of these contents was not measured';
  return `${count(empty)} of ${plural(p.done, 'result')} began with empty caches, because their traces do not contain the cache contents of earlier launches; ${p.warm_bound ? 'the total with all of them fully warm is the other end of the range above' : 'what that changes was not measured'}`;
}

/** @param {{ run: Run, design: RunDesign, onDone: (r: Run) => void }} p */
function CacheWords({ run, design, onDone }) {
  const c = run.cache_check, measured = design.cache_state;
  return html`${measured && html`<span>if launches find in L2 what ${measured.whole ? 'all' : `the ${count(measured.launches_before)}`} before them leave: ${plural(measured.launches, 'launch', 'launches')} simulated both ways, of kernels with ${share(measured.share)} of the time${measured.launches > 1 && typeof measured.least === 'number' && typeof measured.most === 'number' && `, a single one from ${change(measured.least, null).value} to ${change(measured.most, null).value} %`}${beyond(measured)}</span>`}
    ${!measured && !c && html`<span>${foundWords(design.projection)}</span>`}
    ${c?.state === 'waiting' && html`<span>${measured ? '. More' : plural(c.launches, 'launch', 'launches')} will be simulated after a replay of the launches before them, when the run has ended</span>`}
    ${c?.state === 'measuring' && html`<span>${measured && '. '}${count(c.done)} of ${plural(c.simulations, 'simulation')} done, after a replay of the ${count(c.launches_before)} launches before</span>`}
    ${c?.why && html`<span>${(measured || c.state === 'measuring') && '. Not all: '}${c.why}</span>`}
    ${api.may('write') && (!c || c.state === 'failed' || (c.state === 'measured' && measured && tooNear(measured))) && html` <${Measure} run=${run} onDone=${onDone} />`}`;
}

/** @param {{ run: Run, onDone: (r: Run) => void }} p */
function Measure({ run, onDone }) {
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    try {
      onDone(await api.checkCaches(run.id, {}));
    } catch (e) {
      const p = /** @type {api.Problem} */ (e);
      say(`${p.message} ${p.hint}`, 'bad');
    }
    setBusy(false);
  };
  return html`<button type="button" disabled=${busy} onClick=${ask}>Measure it</button>`;
}
