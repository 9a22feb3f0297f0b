// kept.js: share links contain data from the time when they were made. Newer members of the documents are computed
// here, or omitted.

/** Half-width over value. @param {Partial<import('../types.js').Projection>|null|undefined} p @returns {number|null} */
export function relativeHalf(p) {
  if (!p) return null;
  if (p.relative_half_width !== undefined) return p.relative_half_width;
  const half = p.half_width_s ?? p.half_width ?? null, value = p.value_s ?? p.value ?? null;
  return half === null || !value ? null : half / value;
}

/** The end of a caption. @param {{ seed?: number }} run */
export const seedText = (run) => (run.seed === undefined ? '' : `, seed ${run.seed}`);

/** Before a cache state that a wider window may still change. @param {{ settled?: boolean }} c */
export const leastText = (c) => (c.settled === false ? 'at least ' : '');
