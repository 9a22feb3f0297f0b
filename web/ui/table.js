// table.js: sortable tables that render only visible rows when long, and the menu of their columns.
import { anew, html, useEffect, useMemo, useRef, useState } from './lib.js';
import { Menu } from './menu.js';
import { isHidden, rowAt, shownOf, topsOf, turned } from './shown.js';
import { sorted } from './sort.js';

/** One column. `sort` gives what rows are ordered by; without it the column does not sort. `csv` gives the raw value.
 * @template R
 * @typedef {{ key: string, label: any, title?: string, right?: boolean, sort?: (row: R) => number|string|null, cell: (row: R) => any, wide?: boolean, wideOnly?: boolean }} Column
 * `wideOnly`: hidden in a narrow window */

const LONG = 200;

const oneLine = () => 1;

/** @typedef {{ row: any, columns: Column<any>[], all: Column<any>[], hide: string, of: string, marks: string, keep: boolean, href?: (row: any) => string, pick: { current: ((row: any) => void)|undefined } }} RowProps */

/** A row. With `keep` it is drawn again only when it, its columns or its marks have changed: a page renders several times
 * while its data arrives. @type {(this: any, p: RowProps) => any} */
function Row({ row, columns, of, marks, href, pick }) {
  this.shouldComponentUpdate = (/** @type {any} */ next) => {
    const now = this.props;
    return !next.keep || ['row', 'all', 'hide', 'of', 'marks'].some((key) => next[key] !== now[key]);
  };
  const picks = Boolean(pick.current);
  return html`<tr class="${marks} ${href || picks ? 'open' : ''}" data-row=${of} onClick=${picks ? () => pick.current?.(row) : undefined}>
    ${columns.map((c, i) => html`<td key=${c.key} class="${c.right ? 'right' : ''} ${c.wide ? 'wide' : ''} ${c.wideOnly ? 'wideonly' : ''}">${
      i === 0 && href ? html`<a href=${href(row)}>${c.cell(row)}</a>`
        : i === 0 && picks ? html`<button type="button" class="link" aria-pressed=${marks.startsWith('picked')}>${c.cell(row)}</button>` : c.cell(row)}</td>`)}
  </tr>`;
}

/** @template R
 * @param {{ rows: R[], columns: Column<R>[], hide?: string, id: (row: R) => string, order: string, onOrder?: (order: string) => void,
 *   caption: string, href?: (row: R) => string, onPick?: (row: R) => void, picked?: string, foot?: any,
 *   chosen?: ReadonlySet<string>, onTop?: (row: R) => boolean, inOrder?: string, lines?: (row: R) => number, keep?: boolean }} p `keep`: cells depend on their row and on `columns` alone, which are the same object in each render; `lines`: of a row, one if absent; `hide`: keys of the columns that are not drawn, between commas; rows
 *   may be sorted by one of them; `chosen`: ids of rows that are selected elsewhere on the page;
 *   `inOrder`: the order of the present rows; rows in the order `order` may still be loading */
export function Table({ rows, columns, hide = '', id, order, onOrder, caption, href, onPick, picked, foot, chosen, onTop, inOrder, lines = oneLine, keep = false }) {
  const box = useRef(/** @type {HTMLDivElement|null} */ (null));
  // Scrolling renders again with the same columns, so a hundred thousand rows are not sorted again.
  const list = useMemo(() => {
    const ordered = inOrder !== undefined ? rows : sorted(rows, columns, order);
    return onTop ? [...ordered.filter(onTop), ...ordered.filter((r) => !onTop(r))] : ordered;
  }, [rows, columns, order, onTop, inOrder]);
  const drawn = shownOf(columns, hide);
  const long = list.length > LONG;
  const tops = useMemo(() => topsOf(long ? list : [], lines), [list, long, lines]);
  const [first, setFirst] = useState(0);
  const shown = long ? 60 : list.length;
  const from = long ? Math.max(0, Math.min(first, list.length - shown)) : 0;

  useEffect(() => {
    const el = box.current;
    if (!long || !el) return undefined;
    const look = () => setFirst(Math.max(0, Math.floor(rowAt(tops, el.scrollTop) / 10) * 10 - 10));
    el.addEventListener('scroll', look, { passive: true });
    return () => el.removeEventListener('scroll', look);
  }, [long, tops]);

  const pick = useRef(onPick);
  pick.current = onPick;
  const ask = (/** @type {Column<R>} */ c) => () => {
    const natural = c.right ? `-${c.key}` : c.key;
    const other = c.right ? c.key : `-${c.key}`;
    onOrder?.(order === natural ? other : natural);
  };
  const sortOf = (/** @type {Column<R>} */ c) => ((inOrder ?? order) === c.key ? 'ascending' : (inOrder ?? order) === `-${c.key}` ? 'descending' : undefined);
  const gap = (/** @type {number} */ height) => height > 0 && html`<tr class="gap" aria-hidden="true"><td colspan=${drawn.length} style=${{ height: `${height}px` }}></td></tr>`;

  return html`
    <div class="tablebox ${long ? 'long' : ''}" ref=${box} tabindex="0" role="region" aria-label=${caption}>
      <table class="rows" aria-rowcount=${list.length + 1}>
        <caption class="hidden">${caption}</caption>
        <thead><tr>${drawn.map((c) => html`<th key=${c.key} scope="col" class="${c.right ? 'right' : ''} ${c.wideOnly ? 'wideonly' : ''}" aria-sort=${sortOf(c)} title=${c.title}>
          ${c.sort && onOrder ? html`<button type="button" class="sort" onClick=${ask(c)}>${anew(c.label)}</button>` : anew(c.label)}</th>`)}</tr></thead>
        <tbody>
          ${gap(long ? tops[from] : 0)}
          ${list.slice(from, from + shown).map((row) => html`<${Row} key=${id(row)} row=${row} columns=${drawn} all=${columns} hide=${hide} of=${id(row)}
            marks=${`${picked === id(row) ? 'picked' : ''} ${chosen?.has(id(row)) ? 'chosen' : ''}`} keep=${keep} href=${href} pick=${pick} />`)}
          ${gap(long ? tops[list.length] - tops[from + shown] : 0)}
        </tbody>
        ${foot}
      </table>
    </div>`;
}

/** Columns without a text label (buttons, marks) are always shown. @param {{ of: string, columns: { key: string, label: any }[], hide: string, onHide: (hide: string) => void }} p `of`: the table's caption */
export function Columns({ of, columns, hide, onHide }) {
  const items = columns.slice(1).filter((c) => typeof c.label === 'string')
    .map((c) => ({ text: c.label, on: !isHidden(hide, c.key), run: () => onHide(turned(hide, c.key)) }));
  return html`<${Menu} label=${`Columns of ${of}`} text="Columns" items=${[...items, ...(hide ? [{ text: 'Show all', run: () => onHide('') }] : [])]} />`;
}
