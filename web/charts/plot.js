// plot.js: the only module that imports D3 and Plot.
import '../vendor/d3.js';
import '../vendor/plot.js';

export const d3 = /** @type {typeof import('d3')} */ (/** @type {any} */ (globalThis).d3);
export const Plot = /** @type {typeof import('@observablehq/plot')} */ (/** @type {any} */ (globalThis).Plot);

/** Plot adds a <style> to every picture, which the content security policy blocks with an error. So pictures are drawn
 * detached, the style elements are removed, and style.css contains their rules.
 * @param {import('@observablehq/plot').PlotOptions} options */
export function draw(options) {
  const figure = Plot.plot({ className: 'plot', ...options });
  for (const s of figure.querySelectorAll('style')) s.remove();
  return /** @type {SVGSVGElement & { value: any }} */ (figure);
}
