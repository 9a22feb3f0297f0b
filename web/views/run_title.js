// run_title.js: the answer of a run in one sentence, from the API's projections and differences.
import { bound, estimate } from '../ui/format.js';
import { changeOf, notReal, projectionParts } from './facts.js';

/** @typedef {import('../types.js').Run} Run @typedef {import('../types.js').RunRow} RunRow @typedef {import('../types.js').RunDesign} RunDesign */

const NAMES = 4; // more names make the title longer than a line
/** @param {{ workload_name: string, designs: RunDesign[] }} run */
export const subjectOf = (run) => `${run.workload_name} on ${run.designs.length > NAMES ? `${run.designs.length} designs` : run.designs.map((d) => d.design).join(', ')}`;

/** The design with the least time among those with a difference to the baseline; undefined: there is none yet.
 * @param {{ designs: RunDesign[] }} run */
export const bestOf = (run) => run.designs.filter((d) => typeof d.baseline?.ratio === 'number').sort((a, b) => Number(a.baseline?.ratio) - Number(b.baseline?.ratio))[0];

/** A difference in words: "9.5 ± 0.1 % faster". @param {NonNullable<RunDesign['baseline']>} b */
export function changeWords(b) {
  if (!b.distinguishable) return b.cache_reversible ? `against ${b.design}: the cache state could reverse the difference` : `${notReal(b)} from ${b.design}`;
  const change = changeOf(b);
  return `${estimate({ ...change, value: change.value.replace(/^[+\u2212-]/, '') })} ${Number(b.ratio) < 1 ? 'faster' : 'slower'}`;
}

/** @param {{ designs: RunDesign[] }} run @returns {string} '': no result yet */
export function answerOf(run) {
  const best = bestOf(run);
  if (best?.baseline) {
    const b = best.baseline, slower = b.distinguishable && Number(b.ratio) > 1;
    return `${slower && run.designs.length > 2 ? `none faster than ${b.design}: ` : ''}${best.design} ${changeWords(b)}`;
  }
  const { value, nothing, parts } = projectionParts(run.designs[0]?.projection ?? {});
  return value === null || nothing ? '' : estimate(parts);
}

/** Documents that a link froze before there were names have no label. @param {{ label?: { name: string } }} of */
const nameOf = ({ label }) => (label?.name ? `${label.name} · ` : '');
/** @type {Record<string, string>} */
const STATE_WORDS = { running: 'so far', paused: 'paused', cancelled: 'cancelled', failed: 'failed' };
/** @param {Run} run */
export function titleOf(run) {
  const answer = answerOf(run), words = run.state === 'running' && run.answer ? '' : STATE_WORDS[run.state] ?? '';
  const named = nameOf(run);
  if (!answer) return `${named}${subjectOf(run)}: ${run.state === 'running' ? 'no estimate yet' : words || 'no estimate'}`;
  return `${named}${subjectOf(run)}: ${answer}${words && `, ${words}`}`;
}

/** @param {{ workload_name: string, method: string, error: number, confidence: number, label?: { name: string } }} plan */
export const planTitle = (plan) => `${nameOf(plan)}Plan of ${plan.workload_name}, ${plan.method}: at most ${bound(plan.error)} error, ${bound(plan.confidence)} of the time`;
