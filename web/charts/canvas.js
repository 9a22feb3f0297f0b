// canvas.js: content with too many elements for SVG is drawn on one canvas below the picture, clipped to its frame.

/** Pixels of an exported picture per CSS pixel. */
export const EXPORT_RATIO = 2;

/** A colour of the theme: "var(--cat-1)" → its current value. @param {string} color */
export const resolved = (color) => (color.startsWith('var(') ? getComputedStyle(document.documentElement).getPropertyValue(color.slice(4, -1)).trim() : color);

/** A canvas as large as the picture. @param {any} svg @param {HTMLElement} host @param {number} [ratio] canvas pixels per CSS pixel @returns {CanvasRenderingContext2D|null} */
export function canvasUnder(svg, host, ratio) {
  const canvas = document.createElement('canvas');
  const [width, height] = [Number(svg.getAttribute('width')), Number(svg.getAttribute('height'))];
  const scale = ratio ?? (devicePixelRatio || 1);
  canvas.className = 'cloud';
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.setAttribute('aria-hidden', 'true');
  const context = canvas.getContext('2d');
  const [x, y] = [svg.scale('x')?.range, svg.scale('y')?.range];
  if (!context || !x || !y) return null;
  context.scale(scale, scale);
  context.beginPath();
  context.rect(Math.min(...x), Math.min(...y), Math.abs(x[1] - x[0]), Math.abs(y[1] - y[0]));
  context.clip();
  host.prepend(canvas);
  return context;
}
