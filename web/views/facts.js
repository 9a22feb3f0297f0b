// facts.js: texts that several views share: projections, progress of a run, strata.
import { html } from '../ui/lib.js';
import { Estimate, Num } from '../ui/num.js';
import { PartsBar } from '../charts/small.js';
import { bound, change, count, countEstimate, countedIn, level, plural, NOTHING_YET, saysNothing, shape, share, timeEstimate, UNKNOWN } from '../ui/format.js';

/** The state of a total. @typedef {Partial<Pick<import('../types.js').Projection, 'value'|'half_width'|'unit'|'value_s'|'half_width_s'|'value_cycles'|'half_width_cycles'|'level'|'confidence'>>} ProjectionValues */
/** A projection's three texts: in seconds if known, otherwise in the counted unit. `nothing`: words (NOTHING_YET) are shown instead of the number. @param {ProjectionValues} p @returns {{ value: number|null, nothing: boolean, parts: import('../ui/format.js').Estimate }} */
export function projectionParts(p) {
  const of = (/** @type {number} */ value, /** @type {number|null|undefined} */ half, /** @type {import('../ui/format.js').Estimate} */ parts) => ({ value, nothing: saysNothing(half && half / value), parts });
  if (p.value_s !== null && p.value_s !== undefined) return of(p.value_s, p.half_width_s, timeEstimate(p.value_s, p.half_width_s));
  if (p.value_cycles !== null && p.value_cycles !== undefined) return of(p.value_cycles, p.half_width_cycles, countEstimate(p.value_cycles, p.half_width_cycles, 'cycles'));
  if (p.value !== null && p.value !== undefined) return of(p.value, p.half_width, countEstimate(p.value, p.half_width, unitName(p.unit)));
  return { value: null, nothing: false, parts: timeEstimate(NaN, null) };
}

/** @param {string|null|undefined} unit */
export const unitName = (unit) => (unit === 'warp_instructions' ? 'warp instr.' : unit ?? '');

/** The reason why an interval's level differs from the confidence of its run. @param {{ level_note?: string|null }|null|undefined} p */
export const noteText = (p) => (p?.level_note ? `: ${p.level_note}` : '');

/** The text that explains an interval. @param {{ level?: number, confidence?: number }} p */
export const intervalText = (p) => `${level(p.level ?? p.confidence)} interval`;

/** Kinds of parts of a workload, and their names. */
export const PART_KINDS = /** @type {const} */ (['layer', 'phase', 'step', 'class', 'rank']);
/** @type {Record<typeof PART_KINDS[number], string>} */
export const PART_NAMES = { layer: 'layer', phase: 'phase', step: 'step', class: 'kernel class', rank: 'rank' };

/** The part of the workload that a plan covers; null: the whole workload. Links that were frozen before there were parts do not have it.
 * @param {import('../types.js').PlanPart|undefined} part */
export const partText = (part) => (part?.words ? `${part.words}, ${share(part.share)} of the profiled total` : null);

/** A difference to a baseline, as the API gives it: its interval and whether it is distinguishable from none.
 * @typedef {{ ratio: number|null, ratio_half_width: number|null, distinguishable: boolean, cache_reversible: boolean }} Difference */
/** @param {Difference} d */
export const changeOf = (d) => change((d.ratio ?? NaN) - 1, d.ratio_half_width);
/** @param {Difference} d */
export const notReal = (d) => (d.cache_reversible ? 'the cache state could reverse it' : 'not distinguishable');

/** @param {{ of: ProjectionValues }} p */
export function ProjectionText({ of }) {
  const { value, nothing, parts } = projectionParts(of);
  if (nothing) return html`<span class="unknown" title=${NOTHING_YET}>not known yet</span>`;
  return html`<${Estimate} value=${value} parts=${parts} why=${of.level ? intervalText(of) : undefined} />`;
}

/** Progress of a run, in a table cell. @param {{ state: string, done: number, jobs: number }} p */
export function Progress({ state, done, jobs }) {
  return html`<span class="progress"><${PartsBar} label=${`${count(done)} of ${plural(jobs, 'job')} done, ${state}`} whole=${jobs}
    parts=${[{ key: 'done', value: done, tone: 'done', title: `${count(done)} done` }]} /> <span class="quiet"><${Num} value=${done} text=${count(done)} /> / ${count(jobs)}${state === 'running' ? '' : ` ${state}`}</span></span>`;
}

/** A user, by the name of the account or token. @param {{ name: string|null }} p */
export const Who = ({ name }) => (name === null ? html`<span class="unknown" title="older than this record">–</span>` : html`<span class="who" title=${name}>${name}</span>`);

/** A plan in a caption. @param {{ method: string, error: number, confidence: number, seed: number }} p */
export const planText = (p) => `plan ${p.method} ${bound(p.error)}, ${bound(p.confidence)} level, seed ${p.seed}`;

/** The seeds under which the launches of several were drawn. @param {{ seed: number }[]} of */
export function seedsText(of) {
  const seeds = [...new Set(of.map((x) => x.seed))];
  return seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds.slice(0, -1).join(', ')} and ${seeds.at(-1)}`;
}

/** @param {number} id */
export const stratumName = (id) => `S${id}`;

/** @param {{ grid: number[]|null, block: number[]|null, mixed_shapes?: boolean }} s */
export const shapes = (s) => (s.grid || s.block ? `${shape(s.grid)} · ${shape(s.block)}${s.mixed_shapes ? ' …' : ''}` : UNKNOWN);

/** @param {{ unit: string }} of */
export const unitWord = (of) => (of.unit === 'ns' ? 'time' : countedIn(of.unit));

/** @param {{ n: number, one: string }} p */
export const Counted = ({ n, one }) => html`<${Num} value=${n} text=${plural(n, one)} />`;

/** The launches that were replaced or dropped in a run. @param {{ replaced: number, dropped: number }} gone */
export function goneText({ replaced, dropped }) {
  if (replaced === 0) return `${plural(dropped, 'launch', 'launches')} dropped`;
  return `${plural(replaced, 'launch', 'launches')} replaced${dropped > 0 ? `, ${count(dropped)} dropped` : ''}`;
}
