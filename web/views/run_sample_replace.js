// run_sample_replace.js: handling of a launch that could not be simulated: it is replaced or dropped; shows the effect of
// both on the estimate.
import { html } from '../ui/lib.js';
import { Dialog } from '../ui/dialog.js';
import { useSubmit } from '../ui/submit.js';
import { say } from '../ui/toast.js';
import { count, error, plural } from '../ui/format.js';
import * as api from '../api.js';
import { goneText, stratumName } from './facts.js';
import { relativeHalf } from './kept.js';

/** @typedef {import('../types.js').Run} Run @typedef {import('../types.js').RunDesign} RunDesign @typedef {import('../types.js').Job} Job */

/** The interval without the launch. @param {RunDesign} design */
function asItIs(design) {
  const half = relativeHalf(design.projection);
  return half !== null ? `The interval stays as it is: ±\u00a0${error(half)} on ${design.design}, from ${count(design.projection.done)} of ${plural(design.projection.planned, 'sample')}.`
    : 'There is no interval yet; without this launch it will be wider than planned.';
}

/** @param {{ run: Run, design: RunDesign, job: Job, onClose: () => void, onDone: () => void }} p */
export function TakeOutDialog({ run, design, job, onClose, onDone }) {
  const { busy, problem, submit } = useSubmit();
  const stratum = stratumName(job.stratum), launch = count(job.launch);
  const act = (/** @type {'redraw'|'drop'} */ what, /** @type {string} */ sentence) => () => {
    const late = () => {
      onDone();
      return sentence;
    };
    const done = () => {
      onClose();
      say(late());
    };
    submit(() => (what === 'redraw' ? api.redrawJob : api.dropJob)(job.id), { done, late, of: `Launch ${launch}` });
  };
  return html`<${Dialog} title=${`Launch ${launch} could not be simulated`} onClose=${onClose}>
    <p>${job.failure?.detail}</p>
    <p><strong>Draw another sample:</strong> the next launch of ${stratum} in the plan's order replaces it, on ${run.designs.length > 1 ? `all ${count(run.designs.length)} designs` : design.design}${run.engine === 'cycle' ? '; it waits for its trace if that is not here' : ''}.${' '}
      ${run.promised_error !== null && `With all ${plural(design.projection.planned, 'sample')} the plan expects ±\u00a0${error(run.promised_error)}.`}${run.state === 'running' ? '' : ' The run goes on for it.'}</p>
    <p><strong>Drop:</strong> ${stratum} is projected from its other samples. ${asItIs(design)}${job.dropped ? ' This is the present interval.' : ''}</p>
    <p class="quiet">Both assume that this launch is like the others of ${stratum}. No interval covers an error of that assumption, so the run states it from then on.</p>
    ${problem && html`<p class="field-problem" role="alert"><strong>${problem.message}</strong> ${problem.hint}</p>`}
    <p class="next"><button type="button" disabled=${busy} onClick=${act('redraw', `The next launch of ${stratum} replaces ${launch}.`)}>Draw another sample</button>
      ${!job.dropped && html` <button type="button" disabled=${busy} onClick=${act('drop', `Launch ${launch} is dropped.`)}>Drop</button>`}</p><//>`;
}

/** The launches removed from the run, and the assumption behind that. @param {{ run: Run }} p */
export function TakenOut({ run }) {
  const gone = run.not_simulated;
  if (!gone || gone.replaced + gone.dropped === 0) return null;
  return html`<p class="notice warn">${goneText(gone)}: ${gone.assumption}. <a href=${api.address.notSimulated(run.id)} download="not-simulated.csv">Which ones, CSV</a></p>`;
}
