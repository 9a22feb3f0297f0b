// picture.js: a card with a chart: title, legend, reading line, the picture or its placeholder, and the export menu.
import { html, useEffect, useLayoutEffect, useRef, useState } from '../ui/lib.js';
import { Card, Faces } from '../ui/page.js';
import { Menu } from '../ui/menu.js';
import { joinPage } from './select.js';
import { NumbersTable, takeAway } from './take_away.js';
import { viewOf, viewText } from './view.js';

/** @typedef {{ text: any, color: string, glyph?: string, title?: string }} LegendEntry */
/** An action on a pinned mark. @typedef {{ text: (datum: any) => string|null, run: (datum: any) => void }} Pick */

/** `data` undefined: `load` has the reason; its placeholder and `empty` have the same height as the picture. `csv`:
 * the address of the same data in the API. `zoom`, `onZoom`: the window as text, which the view stores in the
 * address.
 * @template D
 * @param {{ title: string, note?: any, chart: (host: HTMLElement, data: D, options: import('./frame.js').Options) => import('./frame.js').Chart<D>,
 *   data: D|undefined, load?: import('../ui/load.js').Load<any>, what?: string, empty?: any, legend?: LegendEntry[], height: number, file: string,
 *   caption: string, csv?: string, aside?: any, pick?: Pick, onHandle?: (value: any) => void, zoom?: string, onZoom?: (window: string) => void,
 *   class?: string, children?: any }} p */
export function Picture(p) {
  if (p.data !== undefined && !p.empty) return html`<${Drawn} ...${p} data=${p.data} />`;
  const face = p.empty ? html`<div class="empty inpicture">${p.empty}</div>`
    : p.load && html`<${Faces} load=${{ ...p.load, data: undefined }} what=${p.what ?? 'the picture'} height=${p.height}>${() => null}<//>`;
  return html`<${Card} title=${p.title} note=${p.note} class=${`picture ${p.class ?? ''}`} aside=${p.aside}>
    <${Legend} entries=${p.legend ?? []} />
    <p class="reading">${'\u00a0'}</p><div class="face" style=${{ minHeight: `${p.height}px` }}>${face}</div><//>`;
}

/** @param {{ entries: LegendEntry[] }} p */
function Legend({ entries }) {
  return entries.length > 0 && html`<ul class="legend">${entries.map((l, i) => html`<li key=${i} title=${l.title}>${
        l.glyph ? html`<span class="glyph" style=${{ color: l.color }} aria-hidden="true">${l.glyph}</span>` : html`<span class="swatch" style=${{ background: l.color }} aria-hidden="true"></span>`}${l.text}</li>`)}</ul>`;
}

/** @template D @param {Parameters<typeof Picture<D>>[0] & { data: D }} p */
function Drawn({ title, note, chart, data, legend = [], height, file, caption, csv, aside, pick, onHandle, zoom = '', onZoom, class: kind, children }) {
  const host = useRef(/** @type {HTMLDivElement|null} */ (null));
  const menu = useRef(/** @type {HTMLSpanElement|null} */ (null));
  const live = useRef(/** @type {import('./frame.js').Chart<D>|null} */ (null));
  const window_ = useRef(zoom);
  const calls = useRef(/** @type {any} */ ({}));
  const [said, setSaid] = useState(/** @type {import('./frame.js').Said|null} */ (null));
  const [asTable, setAsTable] = useState(false);
  calls.current = { onHandle, turned: (/** @type {string} */ w) => { window_.current = w; onZoom?.(w); } };

  useEffect(joinPage, []);
  useEffect(() => {
    if (!host.current) return undefined;
    const made = chart(host.current, data, {
      view: viewOf(zoom), onRead: setSaid,
      onView: (view) => calls.current.turned(viewText(view)),
      onHandle: (value) => calls.current.onHandle?.(value),
      onTable: () => setAsTable((on) => !on),
      onMenu: () => /** @type {HTMLElement|null|undefined} */ (menu.current?.querySelector('[aria-haspopup]'))?.click(),
    });
    live.current = made;
    return () => {
      live.current = null;
      made.free();
    };
  }, [chart]);
  useEffect(() => { live.current?.update(data); }, [data]);
  // A layout effect runs before the next event. Later the window may have moved again, and the older value from the
  // address would reset it.
  useLayoutEffect(() => {
    if (zoom !== window_.current) live.current?.look(viewOf(zoom));
    window_.current = zoom;
  }, [zoom]);

  const items = takeAway({
    drawn: () => live.current && { svg: live.current.toSvg, under: live.current.under, rows: live.current.toCsv }, card: () => host.current?.closest('.card'),
    file, caption, csv, asTable, onTable: () => setAsTable(!asTable),
  });
  const rows = asTable ? live.current?.toCsv() ?? [] : [];
  const use = said?.pinned && pick ? pick.text(said.datum) : null;
  return html`
    <${Card} title=${title} note=${note} class=${`picture ${kind ?? ''}`} aside=${html`${aside}<span ref=${menu}><${Menu} label="Take this picture away" items=${items} /></span>`}>
      <${Legend} entries=${legend} />
      <p class="reading ${said?.pinned ? 'pinned' : ''}"><span title=${said?.text} aria-live=${said?.spoken ? 'polite' : 'off'}>${said?.text ?? '\u00a0'}</span>${
        use && html` <button type="button" class="link" onClick=${() => pick?.run(said?.datum)}>${use}</button>`}</p>
      <div class="host" ref=${host} style=${{ minHeight: `${height}px` }}></div>
      ${children}
      <p class="onpaper caption">${caption}</p>
      <${NumbersTable} rows=${rows} />
    <//>`;
}
