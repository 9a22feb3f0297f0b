// The table of formatted numbers and words. The expected values were written by hand.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as f from '../../ui/format.js';

/** Writes a no-break space as a plain space and a narrow one as an underscore, so that the table is readable. */
const plain = (text) => (typeof text === 'string' ? text.replaceAll('\u00a0', ' ').replaceAll('\u202f', '_') : text);

function table(name, fn, rows) {
  test(name, async (t) => {
    for (const [input, expected] of rows) {
      await t.test(`${JSON.stringify(input)} → ${expected}`, () => {
        const got = Array.isArray(input) ? fn(...input) : fn(input);
        assert.equal(plain(got), expected);
      });
    }
  });
}

table('number: three significant digits', f.number, [
  [0, '0'], [0.0312, '0.0312'], [1 / 3, '0.333'], [5.53, '5.53'], [9.996, '10.0'], [41.27, '41.3'], [412.4, '412'], [9996, '10_000'],
  [1234, '1230'], [12345.6, '12_300'], [1000000, '1_000_000'], [-7.44, '−7.44'], [-123456, '−123_000'],
  [1.234e-7, '1.23 × 10⁻⁷'], [2e15, '2.00 × 10¹⁵'], [-2e-9, '−2.00 × 10⁻⁹'], [NaN, '–'], [Infinity, '–'], [undefined, '–'],
]);
table('level: two digits of the difference to 100 %, never 100 %', f.level, [
  [0.95, '95 %'], [0.9, '90 %'], [1 - 0.05 / 2, '97.5 %'], [1 - 0.05 / 11, '99.55 %'], [0.99999346, '99.99935 %'], [1, '100 %'], [NaN, '–'], [null, '–'], [undefined, '–'],
]);
table('count: all digits, grouped from 10 000', f.count, [
  [0, '0'], [9999, '9999'], [10000, '10_000'], [1000000, '1_000_000'], [-12345, '−12_345'], ['18446744073709551615', '18_446_744_073_709_551_615'], ['x', '–'], [NaN, '–'],
]);
table('short: for axes', f.short, [
  [0, '0'], [12, '12'], [999, '999'], [999.6, '1 k'], [1000, '1 k'], [1500, '1.5 k'], [80000, '80 k'], [420000, '420 k'], [12400000, '12.4 M'], [3e9, '3 G'], [[12400000, 'cycles'], '12.4 M cycles'], [0.01, '0.01'],
]);
table('time', f.time, [
  [0, '0 s'], [5.53, '5.53 s'], [29.5e-6, '29.5 µs'], [0.9996e-6, '1.00 µs'], [7e-9, '7.00 ns'], [0.12e-9, '0.120 ns'], [0.0421, '42.1 ms'], [89.4, '89.4 s'],
  [90, '1 min 30 s'], [192, '3 min 12 s'], [5399, '89 min 59 s'], [5400, '1 h 30 min'], [11520, '3 h 12 min'], [172800, '2 d'], [2460, '41 min'], [180000, '2 d 2 h'], [-192, '−3 min 12 s'], [-0.005, '−5.00 ms'], [null, '–'], [NaN, '–'],
]);
table('clock', f.clockRate, [[1.41e9, '1.41 GHz'], [[1.1e9, 1.41e9], '1.10 to 1.41 GHz'], [[1.41e9, 1.4101e9], '1.41 GHz'], [585e6, '0.585 GHz']]);
const estimated = (value, half) => f.estimate(f.timeEstimate(value, half));
table('estimate: half-width to two digits, value to the same place', estimated, [
  [[40.4, 1.25], '40.4 ± 1.3 s'], [[40.4321, 0.0123], '40.432 ± 0.012 s'], [[0.0132, 0.00064], '13.20 ± 0.64 ms'], [[13.2e-6, 0.64e-6], '13.20 ± 0.64 µs'],
  [[105e-6, 7.5e-6], '105.0 ± 7.5 µs'], [[1234.5, 99.6], '1230 ± 100 s'], [[12.3, 150], '12 ± 150 s'], [[73.2e-6, 5.9e-3], '73 ± 5900 µs'], [[171e-6, 7.5e-3], '170 ± 7500 µs'], [[2.546e-6, 1.3e-3], '2.5 ± 1300 µs'], [[9.51e-3, 0.0404], '9.5 ± 40 ms'], [[40.4, null], '40.4 s'], [[40.4, NaN], '40.4 s'], [[40.44444, 0], '40.4 ± 0 s'], [[7200, 360], '2.00 ± 0.10 h'],
  [[-7.4, 0.62], '−7.40 ± 0.62 s'], [[NaN, 1], '–'],
]);
table('estimate of cycles', (x, h) => f.estimate(f.countEstimate(x, h, 'cycles')), [
  [[12400000, 310000], '12.40 ± 0.31 M cycles'], [[512, 3.2], '512.0 ± 3.2 cycles'], [[2.5e9, null], '2.50 G cycles'],
]);
table('error', f.error, [
  [0.0031, '0.31 %'], [0.0184, '1.8 %'], [0.05, '5.0 %'], [0.123, '12 %'], [0.00009, '< 0.01 %'], [0.0001, '0.01 %'], [0, '0 %'], [-0.074, '−7.4 %'], [2.5, '250 %'], [null, '–'], [Infinity, '–'],
]);
table('bound: as the user chose it', f.bound, [[0.05, '5 %'], [0.005, '0.5 %'], [0.95, '95 %'], [0.999, '99.9 %'], [0.07, '7 %'], [NaN, '–']]);
table('share', f.share, [[0.32, '32 %'], [0.048, '4.8 %'], [0.0996, '10 %'], [0.0949, '9.5 %'], [0.0004, '< 0.1 %'], [0, '0 %'], [1, '100 %'], [0.99, '99 %'], [0.9904, '99.0 %'], [0.996, '99.6 %'], [0.9975, '99.8 %'],
  [0.999, '99.9 %'], [0.9999, '99.99 %'], [0.99999, '> 99.99 %'], [1 - 1e-15, '100 %'], [1.004, '100 %'], [null, '–']]);
table('change', (x, h) => f.estimate(f.change(x, h)), [[[-0.074, 0.006], '−7.40 ± 0.60 %'], [[0.021, 0.013], '+2.1 ± 1.3 %'], [[0.5, null], '+50.0 %']]);
table('speedup', f.speedup, [[412, '412 ×'], [8.54, '8.54 ×'], [12345, '12_300 ×'], [null, '–']]);
table('bytes', f.bytes, [[0, '0 B'], [1000, '1000 B'], [1024, '1.00 KiB'], [48 * 1048576, '48.0 MiB'], [8.5 * 2 ** 30, '8.50 GiB'], [null, '–']]);
table('rate', f.rate, [[3.35e12, '3.35 TB/s'], [310e6, '310 MB/s'], [12, '12.0 B/s']]);
table('planned', f.planned, [[[29500, 'ns'], '29.5 µs'], [[1234567, 'warp_instructions'], '1.23 M']]);
table('countedIn', f.countedIn, [[['warp_instructions'], 'warp instructions'], [['cycles'], 'estimated cycles']]);
table('shortUnit', f.shortUnit, [[['warp_instructions'], 'instructions'], [['cycles'], 'cycles']]);
table('moment', f.moment, [[['2026-11-20T13:02:11Z', 60], '2026-11-20 14:02:11 +01:00'], [['2026-11-20T13:02:11Z', -330], '2026-11-20 07:32:11 −05:30'], [['nonsense', 0], '–'], [[null, 0], '–']]);
const NOW = Date.parse('2026-11-20T13:02:11Z');
table('ago', (at) => f.ago(at, NOW), [['2026-11-20T13:02:10Z', 'just now'], ['2026-11-20T13:01:31Z', '40 s ago'], ['2026-11-20T12:59:11Z', '3 min ago'], ['2026-11-20T08:02:11Z', '5 h ago'], ['2026-11-17T13:02:11Z', '3 days ago'], ['2026-11-20T13:02:20Z', 'just now'], ['2026-11-20T15:02:11Z', 'in 2 h'], ['2026-12-17T13:02:11Z', 'in 27 days']]);
table('shape', (s) => f.shape(s), [[[[128, 4, 1]], '128×4'], [[[1, 1, 1]], '1'], [[[16, 1, 10]], '16×1×10'], [[[65536, 1, 1]], '65_536'], [[null], '–']]);
table('plural', f.plural, [[[1, 'worker'], '1 worker'], [[3, 'worker'], '3 workers'], [[12000, 'stratum', 'strata'], '12_000 strata'], [[0, 'launch', 'launches'], '0 launches']]);

test('every estimate that has a half-width shows it', () => {
  for (const value of [1e-9, 3.3e-5, 0.7, 12, 89, 95, 4000, 90000]) {
    for (const part of [0.5, 0.044, 0.001, 1e-5]) assert.match(plain(estimated(value, value * part)), /^[\d._ ]+ ± [\d._]+ (ns|µs|ms|s|h)$/);
  }
});

test('a shell reads a quoted argument as one word', () => {
  for (const plain of ['w-07', 'v100:fast', '0', '--worker', 'node/3']) assert.equal(f.shellWord(plain), plain);
  for (const word of ['gpu box', "ann's", '', '$(id)', 'a;b', '*', 'größe', '\n']) assert.equal(execFileSync('sh', ['-c', `printf %s ${f.shellWord(word)}`], { encoding: 'utf8' }), word);
});

test('an interval as wide as its total, or wider, is uninformative', () => {
  assert.deepEqual([0.99, 1, 16.06, null, undefined, NaN].map(f.saysNothing), [false, true, true, false, false, false]);
});
