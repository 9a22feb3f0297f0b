// picture.js: a card with a chart in it: title, reading line, legend, and what one can take away.
import { html, useEffect, useRef, useState } from '../ui/lib.js';
import { Card } from '../ui/page.js';
import { Menu } from '../ui/menu.js';
import { say } from '../ui/toast.js';
import { copy } from '../ui/clipboard.js';
import { pngBlob, save, svgText } from './export.js';
import { csvText } from './csv.js';

/** @typedef {{ text: any, color: string, glyph?: string, title?: string }} LegendEntry */

/** @template D
 * @param {{ title: string, note?: any, chart: (host: HTMLElement, data: D, options: import('./frame.js').Options) => import('./frame.js').Chart<D>,
 *   data: D, legend?: LegendEntry[], height: number, file: string, caption: string, aside?: any, onPick?: (datum: any) => void, children?: any }} p */
export function Picture({ title, note, chart, data, legend = [], height, file, caption, aside, onPick, children }) {
  const host = useRef(/** @type {HTMLDivElement|null} */ (null));
  const live = useRef(/** @type {import('./frame.js').Chart<D>|null} */ (null));
  const pick = useRef(onPick);
  pick.current = onPick;
  const [reading, setReading] = useState(/** @type {string|null} */ (null));
  const [asTable, setAsTable] = useState(false);

  useEffect(() => {
    if (!host.current) return undefined;
    const made = chart(host.current, data, { caption, onRead: setReading, onPick: onPick ? (d) => pick.current?.(d) : undefined });
    live.current = made;
    return () => {
      live.current = null;
      made.free();
    };
  }, [chart]);
  useEffect(() => { live.current?.update(data); }, [data]);

  const svg = () => {
    const drawn = live.current?.toSvg();
    if (!drawn) throw new Error('The picture is not drawn yet.');
    return svgText(drawn, `${caption} · ${new Date().toISOString().slice(0, 10)} · ${location.href}`);
  };
  const attempt = (/** @type {() => unknown} */ act) => async () => {
    try {
      await act();
    } catch (e) {
      say(/** @type {Error} */ (e).message, 'bad');
    }
  };
  const items = [
    { text: 'SVG', run: attempt(() => save(new Blob([svg()], { type: 'image/svg+xml' }), `${file}.svg`)) },
    { text: 'PNG, twice the size', run: attempt(async () => save(await pngBlob(svg()), `${file}.png`)) },
    { text: 'CSV', run: attempt(() => save(new Blob([csvText(live.current?.toCsv() ?? [])], { type: 'text/csv' }), `${file}.csv`)) },
    { text: 'Copy link', run: attempt(async () => say((await copy(location.href)) ? 'Link copied.' : location.href)) },
    { text: asTable ? 'Hide the table' : 'Show as table', run: () => setAsTable(!asTable) },
  ];
  const rows = asTable ? live.current?.toCsv() ?? [] : [];
  return html`
    <${Card} title=${title} note=${note} class="picture" aside=${html`${aside}<${Menu} label="Take this picture away" items=${items} />`}>
      ${legend.length > 0 && html`<ul class="legend">${legend.map((l, i) => html`<li key=${i} title=${l.title}>${
        l.glyph ? html`<span class="glyph" style=${{ color: l.color }} aria-hidden="true">${l.glyph}</span>` : html`<span class="swatch" style=${{ background: l.color }} aria-hidden="true"></span>`}${l.text}</li>`)}</ul>`}
      <p class="reading" aria-live="off">${reading ?? '\u00a0'}</p>
      <div class="host" ref=${host} style=${{ minHeight: `${height}px` }}></div>
      ${children}
      ${rows.length > 0 && html`<div class="tablebox" tabindex="0" role="region" aria-label="The numbers of this picture"><table class="rows raw"><caption class="hidden">The numbers of this picture</caption>
        <thead><tr>${rows[0].map((c) => html`<th scope="col">${c}</th>`)}</tr></thead>
        <tbody>${rows.slice(1, 501).map((r) => html`<tr>${r.map((c) => html`<td>${c}</td>`)}</tr>`)}</tbody></table>
        ${rows.length > 501 && html`<p class="quiet">The first 500 of ${rows.length - 1} rows; CSV has all.</p>`}</div>`}
    <//>`;
}
