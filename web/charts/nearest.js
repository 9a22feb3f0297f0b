// nearest.js: finds the mark nearest to the pointer. Pure; positions are in pixels.

/** @typedef {{ x: number, y: number }} Point */
const CELL = 24;

/** The nearest mark along one axis, at any distance. @param {number[]} sorted ascending @param {number} at */
export function nearestAlong(sorted, at) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < at) low = middle + 1;
    else high = middle;
  }
  if (low > 0 && (low === sorted.length || at - sorted[low - 1] <= sorted[low] - at)) return low - 1;
  return sorted.length ? low : -1;
}

/** A grid over marks in the plane, so that a search visits only a few cells for any number of marks.
 * @param {Point[]} points @returns {(x: number, y: number, most: number) => number} the nearest within `most`, else -1
 */
export function gridOf(points) {
  /** @type {Map<string, number[]>} */
  const cells = new Map();
  const cell = (/** @type {number} */ v) => Math.floor(v / CELL);
  points.forEach((p, i) => {
    const key = `${cell(p.x)},${cell(p.y)}`;
    const here = cells.get(key);
    if (here) here.push(i);
    else cells.set(key, [i]);
  });
  return (x, y, most) => {
    let best = -1;
    let distance = most;
    // Rings of cells around the pointer; marks in the next ring are at least `ring` cells away.
    for (let ring = 0; ring * CELL - CELL <= distance; ring += 1) {
      for (let i = -ring; i <= ring; i += 1) {
        for (let j = -ring; j <= ring; j += Math.abs(i) === ring ? 1 : 2 * ring || 1) {
          for (const k of cells.get(`${cell(x) + i},${cell(y) + j}`) ?? []) {
            const d = Math.hypot(points[k].x - x, points[k].y - y);
            if (d < distance || (d === distance && best >= 0 && k < best)) [best, distance] = [k, d];
          }
        }
      }
    }
    return best;
  };
}
