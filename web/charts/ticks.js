// ticks.js: positions and labels of axis ticks. Pure.
import { markText } from '../ui/format.js';

/** Ticks of a log axis: powers of ten; if fewer than three, also twos and fives; if still too few, equal steps.
 * @param {number} low above 0 @param {number} high */
export function logTicks(low, high) {
  const from = Math.floor(Math.log10(low));
  const powers = Array.from({ length: Math.max(1, Math.ceil(Math.log10(high)) - from + 1) }, (_, i) => Number(`1e${from + i}`));
  const inside = (/** @type {number[]} */ list) => list.filter((t) => t >= low * (1 - 1e-9) && t <= high * (1 + 1e-9));
  for (const list of [powers, powers.flatMap((t) => [t, 2 * t, 5 * t])]) {
    if (inside(list).length >= 3) return inside(list);
  }
  return evenTicks(low, high, 5);
}

/** Equal steps of 1, 2 or 5 times a power of ten, about `most` ticks at most. @param {number} low @param {number} high @param {number} most */
export function evenTicks(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= rough * (1 - 1e-9)) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Labels of changes: positive values have a plus sign. @param {number[]} marks @returns {(x: number) => string} */
export function signed(marks) {
  const text = markText(marks);
  return (x) => `${x > 0 ? '+' : ''}${text(x)}`;
}

/** In pixels: width of a letter, gap between two labels, height of a line. */
const LETTER = 6.6, GAP = 8, LINE = 15;
const MARKS_MIN = 3;

/** Ticks with distinct labels that do not overlap; at least three if there is room. `room`: length in pixels; `tall`:
 * a vertical axis; `whole`: integers only; `text`: labels other than numbers; `most`: maximum number of ticks; `end`:
 * pixels at the upper end that are occupied.
 * @param {number} low @param {number} high
 * @param {{ room: number, log?: boolean, tall?: boolean, whole?: boolean, most?: number, end?: number, text?: (marks: number[]) => (x: number) => string }} of
 * @returns {{ marks: number[], text: (x: number) => string }} */
export function axisMarks(low, high, { room, log = false, tall = false, whole = false, most = 7, end = 0, text = markText }) {
  const place = log ? (/** @type {number} */ x) => (Math.log(x / low) / Math.log(high / low)) * room : (/** @type {number} */ x) => ((x - low) / (high - low)) * room;
  const fits = (/** @type {number[]} */ marks) => {
    const say = text(marks), size = (/** @type {number} */ m) => (tall ? LINE : say(m).length * LETTER + GAP);
    return new Set(marks.map(say)).size === marks.length && marks.every((m, i) => i === 0 || place(m) - place(marks[i - 1]) >= (size(m) + size(marks[i - 1])) / 2);
  };
  const inside = (/** @type {number[]} */ marks) => marks.filter((m) => m >= low - 1e-9 * Math.abs(low) && m <= high + 1e-9 * Math.abs(high) && (!whole || Number.isInteger(m)) && place(m) <= room - end);
  /** @type {number[]} */
  let best = [];
  for (const list of candidates(low, high, log, most)) {
    const marks = inside(list);
    if (marks.length > best.length && fits(marks)) best = marks;
    if (best.length >= MARKS_MIN) break;
  }
  return { marks: best, text: text(best) };
}

/** Candidate ticks, the roundest first. @param {number} low @param {number} high @param {boolean} log @param {number} most */
function* candidates(low, high, log, most) {
  if (log) {
    const all = logTicks(low, high);
    for (let every = 1; every <= 4; every++) yield all.filter((_, i) => i % every === 0);
  }
  for (let n = most; n >= 2; n--) yield evenTicks(low, high, n);
  for (let n = most + 1; n <= 4 * most; n++) yield evenTicks(low, high, n);
  if (log) for (const shares of [[0.05, 0.5, 0.95], [0.1, 0.4, 0.7]]) yield shares.map((s) => Number((low * (high / low) ** s).toPrecision(2)));
  const unit = 10 ** Math.floor(Math.log10((high - low) / 30));
  for (const shares of [[0.15, 0.5, 0.85], [0.1, 0.4, 0.7]]) yield shares.map((s) => Number((Math.round((low + (high - low) * s) / unit) * unit).toPrecision(12)));
}

/** Ticks of a vertical axis that starts at 0. @param {number} most @param {boolean} percent of a whole @param {number} height */
export function heightMarks(most, percent, height) {
  const { marks, text } = axisMarks(0, percent ? most * 100 : most, { room: height, tall: true, most: 5 });
  return marks.map((m) => {
    const value = percent ? m / 100 : m;
    return { value, y: height * (1 - value / most), text: percent ? `${text(m)} %` : text(m) };
  });
}
