// run_answer.js: chooses the answer that is shown while the next one is simulated; cost of extending a run.
import { html } from '../ui/lib.js';
import { Moment } from '../ui/num.js';
import { count, plural, time } from '../ui/format.js';

/** @typedef {import('../types.js').Answer} Answer @typedef {import('../types.js').ExtensionCost} Cost */

/** @param {Answer|null|undefined} answer */
export const isUnderWay = (answer) => Boolean(answer?.under_way);

/** @param {{ answer: Answer|null|undefined, name?: string }} p */
export function AnswerNotice({ answer, name }) {
  const more = answer?.under_way;
  if (!more) return null;
  const waits = more.missing_traces > 0 ? `, ${count(more.blocked)} of them blocked on ${plural(more.missing_traces, 'missing trace')}` : '';
  return html`<p class="notice">${name && html`${name}: `}Shown is the last complete answer, of <${Moment} at=${answer.at} />, from ${plural(answer.launches, 'launch', 'launches')} on each design.
    ${' '}${more.cancelled ? `${plural(more.jobs, 'job')} for the next one ${more.jobs === 1 ? 'was' : 'were'} cancelled.`
      : `For the next one ${plural(more.jobs, 'job')} ${more.jobs === 1 ? 'is' : 'are'} simulated, ${count(more.open)} to go${waits}; until then this one stays.`}</p>`;
}

/** The cost, in words. @param {Cost} c */
export function costWords(c) {
  const launches = plural(c.samples ?? 0, 'more launch', 'more launches'), designs = c.designs.length;
  const jobs = `${launches} on ${designs > 1 ? 'all ' : ''}${plural(designs, 'design')} of the run: ${plural(c.jobs ?? 0, 'job')} (${c.designs.map((d) => `${d.design} ${count(d.jobs)}`).join(', ')})`;
  return [`${jobs}.`,
    c.missing_traces ? `${plural(c.missing_traces, 'trace is', 'traces are')} missing: their jobs wait until the traces are uploaded.` : '',
    c.expected_s === null ? '' : `About ${time(c.expected_s)} of simulation.`,
    c.looks_left ? `Then at most ${plural(c.looks_left, 'interim analysis', 'interim analyses')}; each may request more.` : ''].filter(Boolean);
}
