// export.js: exports a picture as self-contained SVG, PNG or CSV, each with its origin.

import { base, pageAddress } from '../routes.js';

const NS = 'http://www.w3.org/2000/svg';
const PAINT = ['fill', 'stroke', 'color'];

/** The origin line of an exported picture: program version, date and address. @param {string} caption */
export function originOf(caption) {
  const program = document.querySelector('meta[name=generator]')?.getAttribute('content') ?? 'vivace';
  return `${caption} · ${program} · ${new Date().toISOString().slice(0, 10)} · ${pageAddress()}`;
}

/** The Python line that reads the same data with pandas. @param {string} path of the API, with format=csv */
export function pandasLine(path) {
  const address = JSON.stringify(new URL(path.startsWith(base) ? path.slice(base.length) : path, location.origin).href); // never the secret of a share link
  return `import os, pandas; data = pandas.read_csv(${address}, storage_options={"Authorization": "Bearer " + os.environ["VIVACE_TOKEN"]})`;
}

/** The parts of a picture outside its SVG: title, note, legend, colour scale.
 * @typedef {{ text: string, color: string, glyph: string }} Entry
 * @typedef {{ title: string, note: string, legend: Entry[], ramp: { colors: string[], low: string, high: string }|null }} Key
 */

/** Reads these parts from the page. @param {Element|null|undefined} card @returns {Key} */
export function keyOf(card) {
  const text = (/** @type {Element|null|undefined} */ el) => el?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  const bar = card?.querySelector('.ramp :is(.rampbar, .differencebar)');
  const colors = bar ? getComputedStyle(bar).backgroundImage.match(/rgba?\([^)]*\)/g) ?? [] : [];
  const ends = [...(bar?.closest('.ramp')?.querySelectorAll('span, data') ?? [])].filter((el) => el !== bar).map(text);
  return {
    title: text(card?.querySelector('header h2')), note: text(card?.querySelector('header p')),
    legend: [...(card?.querySelectorAll('.legend li') ?? [])].map((li) => {
      const mark = li.querySelector('.swatch, .glyph'), glyph = mark?.matches('.glyph') ? text(mark) : '';
      const style = mark && getComputedStyle(mark);
      const hidden = li.querySelector('[aria-pressed="false"]');
      return { text: text(li).slice(glyph.length).trim() + (hidden ? ' (hidden)' : ''), glyph, color: hidden ? 'none' : (glyph ? style?.color : style?.backgroundColor) ?? '' };
    }),
    ramp: bar && colors.length > 1 ? { colors, low: ends[0] ?? '', high: ends.at(-1) ?? '' } : null,
  };
}

const EDGE = 4, TEXT = 5.8, ROW = 16;

/** @param {string} kind @param {Record<string, string|number>} attributes @param {string} [text] */
function element(kind, attributes, text) {
  const el = document.createElementNS(NS, kind);
  for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, String(value));
  if (text !== undefined) el.textContent = text;
  return el;
}

/** The key above a picture. @param {Key} key @param {number} width @param {{ ink: string, quiet: string, line: string }} color @returns {{ parts: Element[], height: number }} */
function keyParts(key, width, color) {
  /** @type {Element[]} */
  const parts = [];
  let y = 4;
  const lines = (/** @type {string} */ text, /** @type {number} */ size, /** @type {number} */ letter, /** @type {Record<string, string>} */ more) => {
    for (const line of text ? wrap(text, Math.floor((width - 2 * EDGE) / letter)) : []) {
      y += size + 4;
      parts.push(element('text', { x: EDGE, y, 'font-size': size, 'text-anchor': 'start', ...more }, line));
    }
  };
  lines(key.title, 13, 7.6, { fill: color.ink, 'font-weight': '600' });
  lines(key.note, 10, TEXT, { fill: color.quiet });
  if (key.legend.length > 0) {
    let x = EDGE;
    y += ROW + 2;
    for (const entry of key.legend) {
      const size = 28 + widthOf(entry.text);
      if (x > EDGE && x + size > width - EDGE) {
        x = EDGE;
        y += ROW;
      }
      parts.push(entry.glyph ? element('text', { x, y, 'font-size': 11, 'text-anchor': 'start', fill: entry.color }, entry.glyph) : element('rect', { x, y: y - 9, width: 10, height: 10, rx: 2, fill: entry.color, stroke: color.line }),
        element('text', { x: x + 14, y, 'font-size': 10.5, 'text-anchor': 'start', fill: color.ink }, entry.text));
      x += size;
    }
  }
  if (key.ramp) {
    const { colors, low, high } = key.ramp, left = EDGE + 8 + TEXT * low.length, step = 120 / Math.max(1, colors.length - 1);
    y += ROW + 2;
    // Discrete steps instead of a gradient: all programs display them equally.
    for (let i = 0; i < RAMP_STEPS; i++) parts.push(element('rect', { x: left + (120 * i) / RAMP_STEPS, y: y - 9, width: 120 / RAMP_STEPS + 0.2, height: 10, fill: between(colors, ((i + 0.5) * (120 / RAMP_STEPS)) / step) }));
    parts.push(element('text', { x: EDGE, y, 'font-size': 10.5, 'text-anchor': 'start', fill: color.ink }, low), element('text', { x: left + 126, y, 'font-size': 10.5, 'text-anchor': 'start', fill: color.ink }, high));
  }
  return { parts, height: parts.length ? y + 10 : 0 };
}
const RAMP_STEPS = 32;

/** Width of a legend text in pixels. @param {string} text */
function widthOf(text) {
  const ctx = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
  ctx.font = `10.5px ${getComputedStyle(document.body).fontFamily}`;
  return ctx.measureText(text).width;
}

/** @param {string[]} colors @param {number} at from 0 to the last */
function between(colors, at) {
  const i = Math.min(colors.length - 2, Math.floor(at)), [a, b] = [colors[i], colors[i + 1]].map((c) => c.match(/[\d.]+/g)?.map(Number) ?? []);
  return `rgb(${[0, 1, 2].map((k) => Math.round(a[k] + (b[k] - a[k]) * (at - i))).join(',')})`;
}

/** The SVG with resolved colours, a background, its key above and the caption below. `under`: the canvas
 * below the picture. @param {SVGSVGElement} svg @param {string} caption @param {Key} key @param {HTMLCanvasElement|null} [under]
 */
export function svgText(svg, caption, key, under) {
  const inner = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const from = [svg, ...svg.querySelectorAll('*')];
  const to = [inner, ...inner.querySelectorAll('*')];
  from.forEach((el, i) => {
    const style = getComputedStyle(el);
    to[i].removeAttribute('style'); // the content security policy also applies to a picture from a blob
    for (const name of PAINT) {
      if ((el.getAttribute(name) ?? '').includes('var(') || /** @type {SVGElement} */ (el).style.getPropertyValue(name).includes('var(')) to[i].setAttribute(name, style.getPropertyValue(name));
    }
  });
  const root = getComputedStyle(document.documentElement), token = (/** @type {string} */ name) => root.getPropertyValue(name).trim();
  const width = Number(svg.getAttribute('width')), height = Number(svg.getAttribute('height'));
  const top = keyParts(key, width, { ink: token('--ink'), quiet: token('--ink-2'), line: token('--line') });
  const lines = wrap(caption, Math.floor(width / 5.6));
  const whole = top.height + height + 10 + lines.length * 14;
  // A picture that was never on the page has no computed style.
  const ink = getComputedStyle(svg.isConnected ? svg : document.body);
  const out = element('svg', { xmlns: NS, width, height: whole, viewBox: `0 0 ${width} ${whole}`, 'font-family': ink.fontFamily, 'font-variant': 'none', color: ink.color, 'xml:space': 'preserve' });
  for (const name of ['aria-hidden', 'xmlns', 'font-family']) inner.removeAttribute(name);
  for (const [name, value] of [['y', top.height], ['overflow', 'visible'], ['font-size', 11.5]]) inner.setAttribute(String(name), String(value));
  out.append(element('rect', { width: '100%', height: '100%', fill: token('--panel') }), ...top.parts);
  if (under) out.append(element('image', { y: top.height, width, height, href: under.toDataURL('image/png') }));
  out.append(inner, ...lines.map((line, i) => element('text', { x: EDGE, y: top.height + height + 14 + i * 14, 'font-size': 10, 'text-anchor': 'start', fill: token('--ink-2') }, line)));
  return new XMLSerializer().serializeToString(out);
}

/** @param {string} text @param {number} most characters per line */
function wrap(text, most) {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (lines[lines.length - 1].length + word.length > most && lines[lines.length - 1]) lines.push('');
    lines[lines.length - 1] += (lines[lines.length - 1] ? ' ' : '') + word;
  }
  return lines;
}

/** PNG at twice the size, for papers and slides. @param {string} svg @returns {Promise<Blob>} */
export async function pngBlob(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * 2;
    canvas.height = image.naturalHeight * 2;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((b) => (b ? resolve(b) : reject(new Error('The browser could not make the picture.')))));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}
