// frame.js: the common frame of all charts. Plot draws; the frame handles size and theme, reading, selecting,
// zooming, keys and export.
//
// A chart is chart(host, data, options) → { update, look, toSvg, toCsv, free }; each file here makes one with chartOf().
import { cursorOn } from './cursor.js';
import { selection } from './select.js';
import { EXPORT_RATIO } from './canvas.js';
import { clipped } from './view.js';
import { zoomOn } from './zoom.js';

/** @typedef {(string|number|null|undefined)[][]} Rows */
/** @typedef {import('./view.js').Domains} Domains @typedef {import('./cursor.js').Mark} Mark @typedef {import('./cursor.js').Reading} Reading */
/** `text`: the text of the reading line. @typedef {Reading & { text: string }} Said */
/** `view`: the initial window. `onHandle`: called when a chart's handle moves, if it has one.
 * @typedef {{ onRead?: (said: Said|null) => void, view?: Domains|null, onView?: (view: Domains|null) => void,
 *   onTable?: () => void, onMenu?: () => void, onHandle?: (value: any) => void }} Options */
/** @template D
 * @typedef {{ update: (data: D) => void, look: (view: Domains|null) => void, toSvg: () => SVGSVGElement|null, under: () => HTMLCanvasElement|null, toCsv: () => Rows, free: () => void }} Chart */
/** How a chart is made.
 *  `draw` draws the part in `window` (the domains; null without `domains`) and may highlight `selected`, a set of ids;
 *  `domains` returns the full range of the axes: a chart that has it can zoom, without `y` only in x;
 *  `marks` returns the marks for the cursor, `reach` is the direction in which it searches the nearest;
 *  `under` draws on a canvas below the picture, `over` keeps an element above it.
 * @template D
 * @typedef {{ name: (data: D) => string, draw: (data: D, width: number, window: any, selected: ReadonlySet<string>) => SVGSVGElement,
 *   domains?: (data: D) => Domains|null, marks?: (data: D) => Mark[], reach?: import('./cursor.js').Reach,
 *   read?: (datum: any, data: D) => string, rows: (data: D) => Rows,
 *   under?: (data: D, svg: SVGSVGElement, host: HTMLElement, ratio?: number) => void,
 *   over?: (host: HTMLElement, options: Options) => { place: (data: D, svg: any) => void } }} Spec */

/** @template D @param {Spec<D>} spec */
export function chartOf(spec) {
  /** @param {HTMLElement} host @param {D} data @param {Options} options @returns {Chart<D>} */
  return (host, data, options) => {
    let current = data;
    let width = 0;
    let pending = 0;
    let view = options.view ?? null;
    /** @type {SVGSVGElement|null} */
    let svg = null;

    const zoom = spec.domains ? zoomOn(host, (next) => {
      view = next;
      options.onView?.(view);
      soon();
    }) : null;
    const cursor = spec.marks ? cursorOn(host, spec.reach ?? 'x', {
      onRead: (r) => options.onRead?.(r && { ...r, text: spec.read?.(r.datum, current) ?? '' }),
      show: zoom?.show,
    }) : null;
    const over = spec.over?.(host, options);

    const draw = () => {
      cancelAnimationFrame(pending);
      pending = 0;
      if (width < 40) return;
      const name = spec.name(current);
      if (!name) throw new Error('a chart without a name cannot be read aloud');
      const whole = spec.domains?.(current) ?? null;
      const shown = clipped(view, whole);
      const next = spec.draw(current, width, shown ?? whole, selection.value);
      // Hides Plot's labels from screen readers: the frame has the name, the reading line the values.
      next.setAttribute('aria-hidden', 'true');
      host.setAttribute('role', cursor ? 'group' : 'img');
      host.setAttribute('aria-label', name);
      for (const old of host.querySelectorAll(':scope > .plot, :scope > canvas')) old.remove();
      host.prepend(next);
      spec.under?.(current, next, host);
      svg = next;
      if (whole) zoom?.place(next, whole, shown);
      cursor?.place(next, spec.marks?.(current) ?? []);
      over?.place(current, next);
    };
    const soon = () => { pending ||= requestAnimationFrame(draw); };
    const keys = keysOf(zoom, cursor, options);
    const observer = new ResizeObserver(([entry]) => {
      const now = Math.floor(entry.contentRect.width);
      if (now === width) return;
      width = now;
      soon();
    });
    observer.observe(host);
    addEventListener('themechange', soon); // colours on a canvas do not follow the theme
    host.addEventListener('keydown', keys);
    if (cursor || zoom) host.tabIndex = 0;
    const unfollow = selection.subscribe(() => { if (svg) soon(); });
    return {
      update(next) {
        current = next;
        soon();
      },
      look(next) {
        view = next;
        soon();
      },
      toSvg: () => svg,
      under() {
        const box = document.createElement('div');
        if (svg) spec.under?.(current, svg, box, Math.max(EXPORT_RATIO, devicePixelRatio || 1));
        return box.querySelector('canvas');
      },
      toCsv: () => spec.rows(current),
      free() {
        unfollow();
        observer.disconnect();
        removeEventListener('themechange', soon);
        host.removeEventListener('keydown', keys);
        cursor?.free();
        zoom?.free();
        cancelAnimationFrame(pending);
        host.replaceChildren();
      },
    };
  };
}

/** Keys while a chart has the focus. @param {ReturnType<typeof zoomOn>|null} zoom @param {ReturnType<typeof cursorOn>|null} cursor @param {Options} options */
function keysOf(zoom, cursor, options) {
  /** @type {Record<string, () => unknown>} */
  const does = {
    ...(cursor ? { ArrowRight: () => cursor.walk(1), ArrowDown: () => cursor.walk(1), ArrowLeft: () => cursor.walk(-1), ArrowUp: () => cursor.walk(-1), Enter: cursor.pin, Escape: cursor.release } : {}),
    ...(zoom ? { '+': () => zoom.by(1.5), '=': () => zoom.by(1.5), '-': () => zoom.by(1 / 1.5), 0: zoom.reset } : {}),
    t: () => options.onTable?.(),
    e: () => options.onMenu?.(),
  };
  return (/** @type {KeyboardEvent} */ e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target !== e.currentTarget || !(e.key in does)) return;
    does[e.key]();
    e.preventDefault();
  };
}
