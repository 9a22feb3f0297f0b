// palette.js: the meaning of colours and shapes on all pages. Pure. The colour values are in style.css.

/** Shapes as Plot knows them; ▼ is our own. @typedef {'circle'|'triangle'|'square'|'diamond'|'down'|'plus'|'times'|'hexagon'|'ring'|'star'|'asterisk'} Shape */

/** By the method's name in the API; the title comes from the server. Variants share a colour and differ in shape.
 * Methods whose colours are similar for green-blind users differ in shape too. */
const METHODS = /** @type {Record<string, { color: string, shape: Shape }>} */ (Object.assign(Object.create(null), {
  'vivace': { color: 'var(--cat-1)', shape: 'circle' },
  'root': { color: 'var(--cat-2)', shape: 'triangle' },
  'allegro': { color: 'var(--cat-3)', shape: 'square' },
  'pka': { color: 'var(--cat-4)', shape: 'diamond' },
  'sieve': { color: 'var(--cat-5)', shape: 'down' },
  'photon': { color: 'var(--cat-6)', shape: 'plus' },
  'tbpoint': { color: 'var(--cat-7)', shape: 'times' },
  'stem': { color: 'var(--cat-2)', shape: 'square' },
  'root-ae': { color: 'var(--cat-2)', shape: 'star' },
  'allegro-tool': { color: 'var(--cat-3)', shape: 'diamond' },
  'sieve-ae': { color: 'var(--cat-5)', shape: 'asterisk' },
  'photon-ae': { color: 'var(--cat-6)', shape: 'times' },
  'srswr': { color: 'var(--cat-rest)', shape: 'plus' },
  'bernoulli': { color: 'var(--cat-rest)', shape: 'times' },
  'budget': { color: 'var(--cat-rest)', shape: 'star' },
  'systematic': { color: 'var(--cat-8)', shape: 'hexagon' },
  'srs': { color: 'var(--cat-rest)', shape: 'ring' },
}));
const OTHER = /** @type {{ color: string, shape: Shape }} */ ({ color: 'var(--cat-rest)', shape: 'square' });

/** @param {string} method */
export const methodStyle = (method) => METHODS[method] ?? OTHER;

/** The mark of a method as text, for legends and tables. @param {Shape} shape */
export const glyph = (shape) => ({ circle: '●', triangle: '▲', square: '■', diamond: '◆', down: '▼', plus: '✚', times: '✖', hexagon: '⬡', ring: '○', star: '★', asterisk: '✱' })[shape];

const OWN_COLORS = 8;

/** Colours of strata by mean duration, the shortest first. With more than eight strata, the seven with the most time
 * get separate colours.
 * @param {{ id: number, mean: number, total: number }[]} strata
 * @returns {{ of: (id: number) => string, rest: number }} rest: the number of strata that share the last colour */
export function strataColors(strata) {
  const many = strata.length > OWN_COLORS;
  const own = many ? [...strata].sort((a, b) => b.total - a.total || a.id - b.id).slice(0, OWN_COLORS - 1) : [...strata];
  own.sort((a, b) => a.mean - b.mean || a.id - b.id);
  const colors = new Map(own.map((s, i) => [s.id, `var(--cat-${i + 1})`]));
  return { of: (id) => colors.get(id) ?? 'var(--cat-rest)', rest: strata.length - own.length };
}
