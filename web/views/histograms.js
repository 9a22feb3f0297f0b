// histograms.js: converts a response of /histogram to the data of the picture.
import { strataColors } from '../charts/palette.js';
import { stratumName } from './facts.js';

/** @typedef {import('../types.js').Histogram} Histogram */

/** Strata that share a kernel are one group, since a plan does not keep who is in which; launches that are in one of
 * several strata of mixed shapes are a group without a stratum.
 * @param {Histogram['strata'][number]} g */
export const groupName = (g) => (g.ids.length === 0 ? 'other shapes' : g.ids.length > 1 ? `${stratumName(g.ids[0])} + ${g.ids.length - 1} more` : stratumName(g.id));

/** @param {Histogram} h */
export const groupColors = (h) => strataColors(h.strata.map((s) => ({ id: s.id, mean: s.mean ?? 0, total: (s.mean ?? 0) * s.n })));

/** @param {Histogram} h @param {boolean} byStratum @param {string} what @returns {import('../charts/histogram.js').Data} */
export function histogramData(h, byStratum, what) {
  const colors = groupColors(h);
  const names = new Map(h.strata.map((g) => [g.id, groupName(g)]));
  return { histogram: h, color: byStratum ? colors.of : () => 'var(--cat-1)', label: (id) => names.get(id) ?? stratumName(id), what, planned: byStratum };
}
