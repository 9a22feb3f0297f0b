// Measures the colours, so that a change cannot break them: contrast (WCAG), and distance (CIEDE2000) for normal sight
// and for red-, green- and blue-blind sight (Viénot, Brettel and Mollon 1999; Brettel 1997 for blue, in Machado's form).
import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glyph, methodStyle, strataColors } from '../../charts/palette.js';

const css = readFileSync(new URL('../../style.css', import.meta.url), 'utf8');
const block = (start) => Object.fromEntries([...css.slice(css.indexOf(start)).split('}')[0].matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map((m) => [m[1], m[2]]));
const THEMES = { light: block(':root {'), dark: block(':root[data-theme="dark"] {') };

const linear = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
const luminance = (hex) => linear(hex).reduce((s, c, i) => s + c * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a, b) => {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
};

// Machado, Oliveira and Fernandes 2009, table 1, severity 1.0; applied to linear RGB.
const SIGHT = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  red: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  green: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
  blue: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
};
const seen = (hex, m) => m.map((row) => Math.min(1, Math.max(0, row.reduce((s, k, i) => s + k * linear(hex)[i], 0))));
function lab([r, g, b]) {
  const xyz = [0.4124564 * r + 0.3575761 * g + 0.1804375 * b, 0.2126729 * r + 0.7151522 * g + 0.072175 * b, 0.0193339 * r + 0.119192 * g + 0.9503041 * b];
  const [x, y, z] = xyz.map((v, i) => v / [0.95047, 1, 1.08883][i]).map((t) => (t > 216 / 24389 ? Math.cbrt(t) : (t * 24389 / 27 + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const rad = Math.PI / 180;
function ciede2000([l1, a1, b1], [l2, a2, b2]) {
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)));
  const [p1, p2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)];
  const hue = (a, b) => (a === 0 && b === 0 ? 0 : (Math.atan2(b, a) / rad + 360) % 360);
  const [h1, h2] = [hue(p1, b1), hue(p2, b2)];
  const turn = c1 * c2 === 0 ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const dh = 2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * rad);
  const [lm, cm] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const hm = c1 * c2 === 0 ? h1 + h2 : Math.abs(h1 - h2) <= 180 ? (h1 + h2) / 2 : (h1 + h2 + (h1 + h2 < 360 ? 360 : -360)) / 2;
  const t = 1 - 0.17 * Math.cos((hm - 30) * rad) + 0.24 * Math.cos(2 * hm * rad) + 0.32 * Math.cos((3 * hm + 6) * rad) - 0.2 * Math.cos((4 * hm - 63) * rad);
  const sl = 1 + (0.015 * (lm - 50) ** 2) / Math.sqrt(20 + (lm - 50) ** 2);
  const [sc, sh] = [1 + 0.045 * cm, 1 + 0.015 * cm * t];
  const rt = -2 * Math.sqrt(cm ** 7 / (cm ** 7 + 25 ** 7)) * Math.sin(60 * Math.exp(-(((hm - 275) / 25) ** 2)) * rad);
  return Math.sqrt(((l2 - l1) / sl) ** 2 + ((c2 - c1) / sc) ** 2 + (dh / sh) ** 2 + rt * ((c2 - c1) / sc) * (dh / sh));
}

test('the distance formula: pairs 1, 7 and 17 of Sharma, Wu and Dalal 2005', () => {
  for (const [a, b, d] of [[[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425], [[50, 0, 0], [50, -1, 2], 2.3669], [[50, 2.5, 0], [73, 25, -18], 27.1492]]) {
    assert.ok(Math.abs(ciede2000(a, b) - d) < 1e-4, `${ciede2000(a, b)} is not ${d}`);
  }
});

for (const [name, c] of Object.entries(THEMES)) {
  test(`${name}: text has a contrast of 4.5 : 1, colours of data 3 : 1`, () => {
    for (const ground of ['panel', 'bg']) {
      for (const text of ['ink', 'ink-2', 'ink-3', 'accent', 'ok', 'warn', 'bad']) assert.ok(contrast(c[text], c[ground]) >= 4.5, `${text} on ${ground}: ${contrast(c[text], c[ground]).toFixed(2)}`);
    }
    assert.ok(contrast(c.accent, c['on-accent']) >= 4.5);
    for (let i = 1; i <= 8; i += 1) assert.ok(contrast(c[`cat-${i}`], c.panel) >= 3, `cat-${i}: ${contrast(c[`cat-${i}`], c.panel).toFixed(2)}`);
  });
  test(`${name}: any two category colours are distinguishable for every colour vision`, () => {
    const least = [Infinity, ''];
    for (const [sight, m] of Object.entries(SIGHT)) {
      for (let i = 1; i <= 8; i += 1) {
        for (let j = i + 1; j <= 8; j += 1) {
          const d = ciede2000(lab(seen(c[`cat-${i}`], m)), lab(seen(c[`cat-${j}`], m)));
          if (d < least[0]) least.splice(0, 2, d, `cat-${i} and cat-${j}, ${sight}`);
        }
      }
    }
    assert.ok(least[0] >= 9, `${least[1]}: ${least[0].toFixed(1)}`);
  });
}

test('methods have fixed and unique pairs of colour and shape', () => {
  const names = ['vivace', 'root', 'allegro', 'pka', 'sieve', 'photon', 'tbpoint', 'systematic', 'srs'];
  assert.equal(new Set(names.map((n) => methodStyle(n).color)).size, names.length);
  assert.equal(new Set(names.map((n) => glyph(methodStyle(n).shape))).size, names.length);
  const all = [...names, 'stem', 'root-ae', 'allegro-tool', 'sieve-ae', 'photon-ae', 'srswr', 'bernoulli', 'budget'];
  assert.equal(new Set(all.map((n) => `${methodStyle(n).color} ${methodStyle(n).shape}`)).size, all.length);
  assert.deepEqual(methodStyle('vivace'), { color: 'var(--cat-1)', shape: 'circle' });
  assert.equal(methodStyle('constructor').color, 'var(--cat-rest)');
});

test('methods of one shape have colours that are distinguishable for every colour vision', () => {
  const all = ['vivace', 'root', 'allegro', 'pka', 'sieve', 'photon', 'tbpoint', 'stem', 'root-ae', 'allegro-tool', 'sieve-ae', 'photon-ae', 'srswr', 'bernoulli', 'budget', 'systematic', 'srs'];
  for (const [name, c] of Object.entries(THEMES)) {
    for (const [sight, m] of Object.entries(SIGHT)) {
      for (const [i, a] of all.entries()) {
        for (const b of all.slice(i + 1).filter((x) => methodStyle(x).shape === methodStyle(a).shape)) {
          const [x, y] = [a, b].map((n) => lab(seen(c[methodStyle(n).color.slice(6, -1)], m)));
          assert.ok(ciede2000(x, y) >= 11.5, `${name}, ${sight}: ${a} and ${b}: ${ciede2000(x, y).toFixed(1)}`);
        }
      }
    }
  }
});

test('strata: the shortest is cat-1; over eight, seven by time and one for the others', () => {
  const few = strataColors([{ id: 0, mean: 9, total: 1 }, { id: 1, mean: 2, total: 100 }]);
  assert.deepEqual([few.of(1), few.of(0), few.rest], ['var(--cat-1)', 'var(--cat-2)', 0]);
  const many = strataColors(Array.from({ length: 31 }, (_, id) => ({ id, mean: 100 - id, total: id })));
  assert.equal(many.rest, 24);
  assert.equal(many.of(30), 'var(--cat-1)');
  assert.equal(many.of(24), 'var(--cat-7)');
  assert.equal(many.of(3), 'var(--cat-rest)');
});
