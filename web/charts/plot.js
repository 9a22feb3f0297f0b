// plot.js: the one module that imports D3 and Plot, and the only way to draw with them.
import '../vendor/d3.js';
import '../vendor/plot.js';

export const d3 = /** @type {typeof import('d3')} */ (/** @type {any} */ (globalThis).d3);
export const Plot = /** @type {typeof import('@observablehq/plot')} */ (/** @type {any} */ (globalThis).Plot);

/** Plot puts a <style> into every picture, which the content policy blocks and complains about: pictures are drawn
 * detached, the style elements go, and style.css holds the few rules that were in them.
 * @param {import('@observablehq/plot').PlotOptions} options */
export function draw(options) {
  const figure = Plot.plot({ className: 'plot', ...options });
  for (const s of figure.querySelectorAll('style')) s.remove();
  return /** @type {SVGSVGElement & { value: any }} */ (figure);
}
