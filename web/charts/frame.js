// frame.js: what every chart shares. Plot draws, the frame keeps it in its place: size, reading line, exports.
//
// A chart is chart(host, data, options) → { update, toSvg, toCsv, free }; each file here makes one with chartOf().

/** @typedef {(string|number|null|undefined)[][]} Rows */
/** @typedef {{ caption: string, onRead?: (text: string|null) => void, onPick?: (datum: any) => void }} Options */
/** @template D
 * @typedef {{ update: (data: D) => void, toSvg: () => SVGSVGElement|null, toCsv: () => Rows, free: () => void }} Chart */
/** @template D
 * @typedef {{ name: (data: D) => string, draw: (data: D, width: number) => SVGSVGElement & { value?: any },
 *   read?: (datum: any, data: D) => string, rows: (data: D) => Rows, under?: (data: D, svg: SVGSVGElement, host: HTMLElement) => void }} Spec */

/** @template D @param {Spec<D>} spec */
export function chartOf(spec) {
  /** @param {HTMLElement} host @param {D} data @param {Options} options @returns {Chart<D>} */
  return (host, data, options) => {
    let current = data;
    let width = 0;
    let pending = 0;
    /** @type {SVGSVGElement|null} */
    let svg = null;

    const draw = () => {
      pending = 0;
      if (width < 40) return;
      const name = spec.name(current);
      if (!name) throw new Error('a chart without a name cannot be read aloud');
      const next = spec.draw(current, width);
      // One image with one name: what Plot says of its parts would be read as noise.
      next.setAttribute('aria-hidden', 'true');
      host.setAttribute('role', 'img');
      host.setAttribute('aria-label', name);
      next.addEventListener('input', () => options.onRead?.(next.value && spec.read ? spec.read(next.value, current) : null));
      if (options.onPick) {
        next.addEventListener('click', () => { if (next.value) options.onPick?.(next.value); });
      }
      host.replaceChildren(next);
      spec.under?.(current, next, host);
      svg = next;
    };
    const soon = () => { pending ||= requestAnimationFrame(draw); };
    const observer = new ResizeObserver(([entry]) => {
      const now = Math.floor(entry.contentRect.width);
      if (now === width) return;
      width = now;
      soon();
    });
    observer.observe(host);
    const themed = () => soon(); // what is drawn on canvas has its colours fixed
    addEventListener('themechange', themed);
    return {
      update(next) {
        current = next;
        soon();
      },
      toSvg: () => svg,
      toCsv: () => spec.rows(current),
      free() {
        observer.disconnect();
        removeEventListener('themechange', themed);
        cancelAnimationFrame(pending);
        host.replaceChildren();
      },
    };
  };
}
