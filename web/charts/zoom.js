// zoom.js: the window of a chart: Ctrl + wheel or pinch, keys, double click resets; a bare wheel scrolls the page.
import { d3 } from './plot.js';

/** @typedef {import('./view.js').Span} Span @typedef {import('./view.js').Domains} Domains */

/** A d3 scale that equals one of Plot's, to rescale a transform. @param {{ type: string, range: Span }} of @param {Span} domain */
const scaleOf = (of, domain) => (of.type === 'log' ? d3.scaleLog : d3.scaleLinear)(domain, of.range);

/** The transform that shows `view`. Both directions have the same factor, so a view keeps the aspect ratio of the
 * whole.
 * @param {{ x: any, y: any }} base @param {Domains} view */
function transformOf(base, view) {
  const [from, to] = base.x.range();
  const k = (to - from) / (base.x(view.x[1]) - base.x(view.x[0]));
  const top = view.y && base.y ? base.y.range()[1] - k * base.y(view.y[1]) : 0;
  return d3.zoomIdentity.translate(from - k * base.x(view.x[0]), top).scale(k);
}

/** @param {HTMLElement} host @param {(view: Domains|null) => void} onTurn */
export function zoomOn(host, onTurn) {
  /** @type {{ x: any, y: any }|null} */
  let base = null;
  let own = false; // the program sets the transform, not the user
  const behaviour = d3.zoom()
    .scaleExtent([1, 1e5])
    .filter((/** @type {any} */ e) => (e.type === 'wheel' ? e.ctrlKey || e.metaKey : e.type.startsWith('touch') && e.touches.length > 1))
    // The browser reports a pinch as Ctrl + wheel in small steps, a wheel notch as one large step.
    .wheelDelta((/** @type {WheelEvent} */ e) => -e.deltaY * (e.deltaMode === 1 ? 0.1 : Math.abs(e.deltaY) < 50 ? 0.02 : 0.004))
    .on('zoom', ({ transform: t }) => {
      if (own || !base) return;
      onTurn(t.k <= 1.000001 ? null : { x: t.rescaleX(base.x).domain(), ...(base.y ? { y: t.rescaleY(base.y).domain() } : {}) });
    });
  const root = d3.select(/** @type {Element} */ (host)).call(behaviour).on('dblclick.zoom', null).on('dblclick', () => reset());
  const reset = () => root.call(behaviour.transform, d3.zoomIdentity);
  return {
    /** Called after each drawing. @param {any} svg @param {Domains} whole @param {Domains|null} view */
    place(svg, whole, view) {
      const x = svg.scale('x');
      const y = svg.scale('y');
      base = { x: scaleOf(x, whole.x), y: whole.y ? scaleOf(y, whole.y) : null };
      const box = /** @type {[[number, number], [number, number]]} */ ([[x.range[0], Math.min(...y.range)], [x.range[1], Math.max(...y.range)]]);
      behaviour.extent(box).translateExtent(box);
      own = true;
      root.call(behaviour.transform, view ? transformOf(base, view) : d3.zoomIdentity);
      own = false;
    },
    /** @param {number} factor */
    by: (factor) => root.call(behaviour.scaleBy, factor),
    /** Moves the window so that it contains the position. @param {number} x pixels @param {number} y */
    show: (x, y) => {
      const [[x0, y0], [x1, y1]] = /** @type {any} */ (behaviour.extent())();
      const t = d3.zoomTransform(host);
      const out = (/** @type {number} */ v, /** @type {number} */ a, /** @type {number} */ b) => (v < a ? a - v + (b - a) / 4 : v > b ? b - v - (b - a) / 4 : 0);
      root.call(behaviour.translateBy, out(x, x0, x1) / t.k, base?.y ? out(y, y0, y1) / t.k : 0);
    },
    reset,
    free: () => root.on('.zoom', null).on('dblclick', null),
  };
}
