// time_panel.js: a card with one picture of the common time axis: title, legend, reading line, export menu.
import { html, useEffect, useRef, useState } from '../ui/lib.js';
import { Card } from '../ui/page.js';
import { Menu } from '../ui/menu.js';
import { copied, NumbersTable, takeAway } from './take_away.js';

/** `csv`: the address of the same numbers in the API. `read`: the text of the reading line for a time and a line of
 * the picture (null: the whole picture). `onLit`: the pointer is on a legend entry, `onOver`: on a line of the
 * picture; null: on none. A legend entry hides its line or shows it again; `line`: its line in the picture, null if hidden.
 * @template D
 * @param {{ title: string, note?: any, chart: (host: HTMLElement, data: D, link: import('./time_chart.js').Link) => any, data: D, link: ReturnType<typeof import('./time_link.js').timeLink>,
 *   moment: number|null, read: (data: D, cycle: number, line: number|null) => string, legend?: { text: string, color: string, line: number|null, onTurn: () => void }[], onLit?: (line: number|null) => void, onOver?: (line: number|null) => void, file: string, caption: string, csv: string, aside?: any, height: number }} p
 */
export function TimePanel({ title, note, chart, data, link, moment, read, legend = [], onLit, onOver, file, caption, csv, aside, height }) {
  const host = useRef(/** @type {HTMLDivElement|null} */ (null));
  const menu = useRef(/** @type {HTMLSpanElement|null} */ (null));
  const live = useRef(/** @type {any} */ (null));
  const [asTable, setAsTable] = useState(false);

  useEffect(() => {
    if (!host.current) return undefined;
    const made = chart(host.current, data, link.of(() => live.current));
    live.current = made;
    const leave = link.join(made);
    return () => {
      leave();
      live.current = null;
      made.free();
    };
  }, [chart, link]);
  useEffect(() => { live.current?.update(data); }, [data]);

  const items = takeAway({
    drawn: () => live.current, card: () => host.current?.closest('.card'), file, caption, csv, csvName: 'CSV of the visible part', asTable, onTable: () => setAsTable(!asTable),
    more: [{ text: 'CSV, .npy: copy the address', run: () => copied(new URL(csv, location.href).href, 'Address copied.') }],
  });
  const rows = asTable ? live.current?.rows() ?? [] : [];
  const onKey = (/** @type {KeyboardEvent} */ e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || (e.key !== 't' && e.key !== 'e')) return;
    if (e.key === 't') setAsTable(!asTable);
    else /** @type {HTMLElement|null|undefined} */ (menu.current?.querySelector('[aria-haspopup]'))?.click();
    e.preventDefault();
  };
  const turn = (/** @type {{ onTurn: () => void }} */ entry) => {
    onLit?.(null); // the pointer stays on the entry, but its line moves
    entry.onTurn();
  };
  const over = link.over(), line = over && over.chart === live.current ? over.line : null;
  useEffect(() => { onOver?.(line); }, [line]);
  const said = moment === null ? null : read(data, moment, line);
  return html`
    <${Card} title=${title} note=${note} class="picture time" aside=${html`${aside}<span ref=${menu}><${Menu} label="Take this picture away" items=${items} /></span>`}>
      ${legend.length > 0 && html`<ul class="legend turns" aria-label="Visible parts">${legend.map((l) => html`<li key=${l.text} onPointerEnter=${() => onLit?.(l.line)} onPointerLeave=${() => onLit?.(null)}><button type="button" aria-pressed=${l.line !== null} title=${l.line === null ? 'Show it again' : 'Hide it'} onClick=${() => turn(l)}><span class="swatch" style=${{ background: l.line === null ? 'none' : l.color }} aria-hidden="true"></span>${l.text}</button></li>`)}</ul>`}
      <p class="reading" aria-live=${live.current && link.walked() === live.current ? 'polite' : 'off'}>${said ?? '\u00a0'}</p>
      <div class="timehost" ref=${host} onKeyDown=${onKey} style=${{ minHeight: `${height}px` }}></div>
      <${NumbersTable} rows=${rows} />
    <//>`;
}
