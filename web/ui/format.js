// format.js: the only place that turns a number into text. Pure; test/unit/format.test.mjs is its table.
//
// Rules: three significant digits, an estimate never without its half-width, one unit after both, a prefix never on a
// prefix, U+2212 as minus sign. Between number and unit is a no-break space, between groups of digits a narrow one.

const NBSP = '\u00a0';
const GROUP = '\u202f';
const MINUS = '\u2212';
/** Text of an unknown value; shown with a reason. */
export const UNKNOWN = '–';

/** @param {number} x */
const known = (x) => typeof x === 'number' && Number.isFinite(x);

/** Groups digits by three from 10 000 on; replaces a leading hyphen by a minus sign. @param {string} digits */
function group(digits) {
  const sign = digits.startsWith('-') ? MINUS : '';
  const [whole, rest] = digits.replace('-', '').split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, GROUP) : whole;
  return sign + grouped + (rest ? `.${rest}` : '');
}

/** Rounded to `digits` significant ones, never in exponent form; -1 decimals means tens. @param {number} x @param {number} digits */
function decimalsFor(x, digits) {
  if (x === 0) return 0;
  // Rounding may carry into the next power of ten: 9.996 has three digits as 10.0.
  const power = Math.floor(Math.log10(Math.abs(Number(x.toPrecision(digits)))));
  return digits - 1 - power;
}

/** x rounded to a number of decimals, which may be negative. @param {number} x @param {number} decimals */
function fixed(x, decimals) {
  if (decimals >= 0) return group(x.toFixed(Math.min(decimals, 20)));
  const step = 10 ** -decimals;
  return group((Math.round(x / step) * step).toFixed(0));
}

const SUPERSCRIPT = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** @param {number} n */
const superscript = (n) => (n < 0 ? '⁻' : '') + String(Math.abs(n)).replace(/\d/g, (d) => SUPERSCRIPT[Number(d)]);

/** Any number, three significant digits. @param {number} x @param {number} [digits] */
export function number(x, digits = 3) {
  if (!known(x)) return UNKNOWN;
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size < 1e-4 || size >= 1e15) {
    const [mantissa, exponent] = x.toExponential(digits - 1).split('e');
    return `${mantissa.replace('-', MINUS)}${NBSP}×${NBSP}10${superscript(Number(exponent))}`;
  }
  return fixed(x, decimalsFor(x, digits));
}

/** A whole number, all its digits. A string holds more than 2^53. @param {number|string|bigint} n */
export function count(n) {
  if (typeof n === 'number') return known(n) ? group(Math.round(n).toFixed(0)) : UNKNOWN;
  return /^-?\d+$/.test(String(n)) ? group(String(n)) : UNKNOWN;
}

const BIG = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']];

/** For axes and narrow cells: 12.4 M. @param {number} x @param {string} [unit] */
export function short(x, unit = '') {
  if (!known(x)) return UNKNOWN;
  const size = Math.abs(Number(x.toPrecision(3)));
  for (const [scale, prefix] of /** @type {[number, string][]} */ (BIG)) {
    if (size >= scale) return `${trim(number(x / scale))}${NBSP}${prefix}${unit ? NBSP + unit : ''}`;
  }
  return `${trim(number(x))}${unit ? NBSP + unit : ''}`;
}

/** Label of a tick on an axis with equal steps: all ticks have the digits that the step needs. @param {number} x @param {number[]} marks */
export function fixedTo(x, marks) {
  const step = marks.length > 1 ? marks[1] - marks[0] : x;
  return fixed(x, Math.max(0, decimalsFor(step, 1)));
}

/** Distinct labels of the ticks of an axis: short if these are distinct, otherwise with as many digits as needed.
 * @param {number[]} marks @returns {(x: number) => string} */
export function markText(marks) {
  if (new Set(marks.map((m) => short(m))).size === marks.length) return (x) => short(x);
  const most = Math.max(...marks.map(Math.abs)), [scale, prefix] = /** @type {[number, string]} */ (BIG.find(([s]) => most >= Number(s)) ?? [1, '']);
  return (x) => `${fixedTo(x / scale, marks.map((m) => m / scale))}${prefix && NBSP + prefix}`;
}

/** Removes trailing zeros. @param {string} text */
export const trim = (text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

const TIME = /** @type {[number, string][]} */ ([[1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']]);

/** The display unit for a time of this size: its length in seconds, and its name. @param {number} seconds @returns {[number, string]} */
export function timeUnit(seconds) {
  const size = Math.abs(seconds);
  for (const [scale, name] of TIME) {
    if (Number((size / scale).toPrecision(3)) >= 1) return [scale, name];
  }
  return TIME[3];
}

/** Two units: 3 min 12 s; the second is omitted if it is 0. @param {number} a @param {string} unitA @param {number} b @param {string} unitB */
const two = (a, unitA, b, unitB) => `${count(a)}${NBSP}${unitA}${b > 0 ? `${NBSP}${b}${NBSP}${unitB}` : ''}`;

/** A time in seconds: 5.53 s, 29.5 µs, 3 min 12 s, 3 h 12 min. @param {number|null|undefined} seconds */
export function time(seconds) {
  if (seconds === null || seconds === undefined || !known(seconds)) return UNKNOWN;
  if (seconds === 0) return `0${NBSP}s`;
  const size = Math.abs(seconds);
  if (size >= 90) {
    const sign = seconds < 0 ? MINUS : '';
    if (size >= 48 * 3600) {
      const hours = Math.round(size / 3600);
      return sign + two(Math.floor(hours / 24), 'd', hours % 24, 'h');
    }
    if (size >= 5400) {
      const minutes = Math.round(size / 60);
      return sign + two(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
    }
    const whole = Math.round(size);
    return sign + two(Math.floor(whole / 60), 'min', whole % 60, 's');
  }
  const [scale, unit] = timeUnit(seconds);
  return `${number(seconds / scale)}${NBSP}${unit}`;
}

/** A clock frequency or a range of frequencies: 1.41 GHz, 1.10 to 1.41 GHz. @param {number} low_hz @param {number} high_hz */
export function clockRate(low_hz, high_hz = low_hz) {
  const [low, high] = [low_hz, high_hz].map((hz) => number(hz / 1e9));
  return `${low === high ? '' : `${low} to `}${high}${NBSP}GHz`;
}

/** @param {number|null|undefined} ns */
export const timeNs = (ns) => time(ns === null || ns === undefined ? ns : ns / 1e9);

/** Maximum decimals of a value with a wide interval; smaller values are shown as 0. */
const OWN_MAX = 3;

/** Value and half-width to the same place, the half-width with two digits: ['40.4', '1.3']. The value has at least two digits even with a very wide interval: ['73', '5900'], as `vivace run show` has it (cli/output/number.c). Without a half-width the second is null, and the caller gives the reason. @param {number} value @param {number|null|undefined} half
 * @returns {[string, string|null]} */
export function estimateParts(value, half) {
  if (!known(value)) return [UNKNOWN, null];
  if (half === null || half === undefined || !known(half)) return [number(value), null];
  if (half === 0) return [trim(number(value)), '0']; // no uncertainty: three digits, as for any number
  const decimals = decimalsFor(half, 2), own = value === 0 ? decimals : Math.min(OWN_MAX, decimalsFor(value, 2));
  return [fixed(value, Math.max(decimals, own)), fixed(half, decimals)];
}

/** The three texts of an estimate; half is null if there is no interval yet.
 * @typedef {{ value: string, half: string|null, unit: string }} Estimate */

/** An estimated time, in the unit of its value: one of ns to s, then h.
 * @param {number} seconds @param {number|null|undefined} half @returns {Estimate} */
export function timeEstimate(seconds, half) {
  if (!known(seconds)) return { value: UNKNOWN, half: null, unit: '' };
  const [scale, unit] = Math.abs(seconds) >= 5400 ? /** @type {[number, string]} */ ([3600, 'h']) : timeUnit(seconds);
  const [value, width] = estimateParts(seconds / scale, half === null || half === undefined ? half : half / scale);
  return { value, half: width, unit };
}

/** The same for cycles and other counted things. @param {number} x @param {number|null|undefined} half @param {string} unit */
export function countEstimate(x, half, unit) {
  if (!known(x)) return { value: UNKNOWN, half: null, unit: '' };
  const [scale, prefix] = BIG.find(([s]) => Math.abs(x) >= Number(s) && Math.abs(x) >= 1e4) ?? [1, ''];
  const [value, width] = estimateParts(x / Number(scale), half === null || half === undefined ? half : half / Number(scale));
  return { value, half: width, unit: `${prefix}${prefix ? NBSP : ''}${unit}` };
}

/** One line: 40.4 ± 1.3 s. @param {Estimate} e */
export function estimate(e) {
  if (e.value === UNKNOWN) return UNKNOWN;
  return `${e.value}${e.half === null ? '' : `${NBSP}±${NBSP}${e.half}`}${NBSP}${e.unit}`;
}

/** A relative error, given as a fraction: 0.31 %. @param {number|null|undefined} fraction */
export function error(fraction) {
  if (fraction === null || fraction === undefined || !known(fraction)) return UNKNOWN;
  const pct = Math.abs(fraction) * 100;
  if (pct === 0) return `0${NBSP}%`;
  if (Number(pct.toPrecision(2)) < 0.01) return `<${NBSP}0.01${NBSP}%`;
  return `${fraction < 0 ? MINUS : ''}${fixed(pct, Math.max(0, Math.min(2, decimalsFor(pct, 2))))}${NBSP}%`;
}

/** Whether the half-width is at least as large as the total: then words are shown instead of the number. The command line
 * has the same rule
 * (`estimate_says_nothing` in base/text.h). @param {number|null|undefined} relative half-width over value */
export const saysNothing = (relative) => relative !== null && relative !== undefined && known(relative) && Math.abs(relative) >= 1;
export const NOTHING_YET = 'nothing useful is known yet: the interval is wider than the total itself; more samples narrow it';

/** A chosen error bound, as it was entered: 5 %, 0.5 %. @param {number} fraction */
export function bound(fraction) {
  return known(fraction) ? `${trim(number(Number((fraction * 100).toPrecision(6)), 4))}${NBSP}%` : UNKNOWN;
}

/** A confidence level: 95 %, 99.55 %, 99.99935 %: two digits of the difference to 100 %, never rounded to 100 %. @param {number|null|undefined} fraction */
export function level(fraction) {
  if (fraction === null || fraction === undefined || !known(fraction)) return UNKNOWN;
  const missed = 100 * (1 - fraction), digits = missed > 0 && missed < 100 ? Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(missed * (1 + 1e-9))))) : 0;
  const text = (100 * fraction).toFixed(digits);
  return `${text.includes('.') ? text.replace(/\.?0+$/, '') : text}${NBSP}%`;
}

/** A share: integer per cent from 10 on, otherwise one decimal; between 99 and 100 up to two decimals, so that it is not shown as 100. @param {number|null|undefined} fraction */
export function share(fraction) {
  if (fraction === null || fraction === undefined || !known(fraction)) return UNKNOWN;
  const pct = fraction * 100;
  if (pct === 0) return `0${NBSP}%`;
  if (Number(Math.abs(pct).toFixed(1)) < 0.1) return `<${NBSP}0.1${NBSP}%`;
  const left = 100 - pct;
  if (left > 1e-9 && left < 1) { // tolerance: sums of shares may differ from the whole by rounding
    return left < 0.01 ? `>${NBSP}99.99${NBSP}%` : `${fixed(pct, Math.min(2, -Math.floor(Math.log10(left * (1 + 1e-9)))))}${NBSP}%`;
  }
  return Number(Math.abs(pct).toFixed(1)) >= 10 ? `${fixed(pct, 0)}${NBSP}%` : `${fixed(pct, 1)}${NBSP}%`;
}

/** A change, signed, with its half-width: −7.4 ± 0.6 %. Both are fractions. @param {number} fraction @param {number|null|undefined} half */
export function change(fraction, half) {
  const [value, width] = estimateParts(fraction * 100, half === null || half === undefined ? half : half * 100);
  return { value: fraction > 0 && value !== UNKNOWN ? `+${value}` : value, half: width, unit: '%' };
}

/** 412 ×, in simulation cost. @param {number|null|undefined} times */
export function speedup(times) {
  return times === null || times === undefined || !known(times) ? UNKNOWN : `${number(times)}${NBSP}×`;
}

/** Sizes, binary. @param {number|null|undefined} n */
export function bytes(n) {
  if (n === null || n === undefined || !known(n)) return UNKNOWN;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let i = 0;
  let x = n;
  while (Math.abs(x) >= 1024 && i < units.length - 1) {
    x /= 1024;
    i += 1;
  }
  return i === 0 ? `${count(x)}${NBSP}B` : `${number(x)}${NBSP}${units[i]}`;
}

/** Rates, decimal. @param {number} perSecond */
export function rate(perSecond) {
  if (!known(perSecond)) return UNKNOWN;
  const units = ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s'];
  let i = 0;
  let x = perSecond;
  while (Number(Math.abs(x).toPrecision(3)) >= 1000 && i < units.length - 1) {
    x /= 1000;
    i += 1;
  }
  return `${number(x)}${NBSP}${units[i]}`;
}

/** The name of the counted unit of a planning variable that is not a time. @param {string} unit */
export const countedIn = (unit) => (unit === 'cycles' ? 'estimated cycles' : 'warp instructions');

/** The same in one word. @param {string} unit */
export const shortUnit = (unit) => (unit === 'cycles' ? 'cycles' : 'instructions');

/** A value of the planning variable: a time, or a count. @param {number} value @param {string} unit */
export function planned(value, unit) {
  return unit === 'ns' ? timeNs(value) : short(value);
}

/** @param {number} s */
function span(s) {
  if (s < 90) return `${Math.round(s)}${NBSP}s`;
  if (s < 5400) return `${Math.round(s / 60)}${NBSP}min`;
  if (s < 36 * 3600) return `${Math.round(s / 3600)}${NBSP}h`;
  return `${Math.round(s / 86400)}${NBSP}days`;
}

/** "3 min ago", "in 27 days". A time slightly in the future (difference of clocks) is "now".
 * @param {string|null|undefined} at RFC 3339 @param {number} now milliseconds */
export function ago(at, now) {
  const then = at ? Date.parse(at) : NaN;
  if (!known(then)) return UNKNOWN;
  const s = (now - then) / 1000;
  if (s < -90) return `in ${span(-s)}`;
  return s < 10 ? 'just now' : `${span(s)} ago`;
}

/** Exact, with the zone: 2026-11-20 14:02:11 +01:00. @param {string|null|undefined} at @param {number} [offsetMinutes] east of UTC */
export function moment(at, offsetMinutes) {
  const then = at ? Date.parse(at) : NaN;
  if (!known(then)) return UNKNOWN;
  const east = offsetMinutes ?? -new Date(then).getTimezoneOffset();
  const text = new Date(then + east * 60000).toISOString().slice(0, 19).replace('T', ' ');
  const digits = (/** @type {number} */ n) => String(Math.trunc(n)).padStart(2, '0');
  return `${text} ${east < 0 ? MINUS : '+'}${digits(Math.abs(east) / 60)}:${digits(Math.abs(east) % 60)}`;
}

/** Time of day: 14:58. @param {number} ms */
export function clock(ms) {
  const d = new Date(ms);
  return `${String(d.getHours()).padStart(2, '0')}:${String(d.getMinutes()).padStart(2, '0')}`;
}

/** A grid or block without trailing ones: 128×4. @param {number[]|null|undefined} shape */
export function shape(shape) {
  if (!shape || shape.length === 0) return UNKNOWN;
  let last = shape.length;
  while (last > 1 && shape[last - 1] === 1) last -= 1;
  return shape.slice(0, last).map(count).join('×');
}

/** Formats a program's note as a sentence: a capital letter, the ± sign, a full stop. @param {string} note */
export const sentence = (note) => (note ? `${note[0].toUpperCase()}${note.slice(1).replaceAll('+-', `±${NBSP}`).replace(/([^.!?])$/, '$1.')}` : '');

/** A count with singular or plural: 1 worker, 3 workers. @param {number} n @param {string} one @param {string} [many] */
export const plural = (n, one, many = `${one}s`) => `${count(n)}${NBSP}${n === 1 ? one : many}`;

/** Quotes a word for a shell command line. @param {string} text */
export const shellWord = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
