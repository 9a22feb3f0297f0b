// take_away.js: the export menu of a picture (image, numbers, address), and its numbers as a table.
import { html } from '../ui/lib.js';
import { say } from '../ui/toast.js';
import { copy } from '../ui/clipboard.js';
import { keyOf, originOf, pandasLine, pngBlob, save, svgText } from './export.js';
import { csvText } from './csv.js';

const TABLE_ROWS = 500;

/** A picture on the page. `svg`: null while nothing is drawn. @typedef {{ svg: () => SVGSVGElement|null, under?: () => HTMLCanvasElement|null, rows: () => import('./frame.js').Rows }} Drawn */

/** Copies a text; if the browser does not allow it, shows the text. @param {string} text @param {string} done */
export const copied = async (text, done) => say((await copy(text)) ? done : text);

/** Runs an action and reports a failure. @param {() => unknown} act */
const attempt = (act) => async () => {
  try {
    await act();
  } catch (e) {
    say(/** @type {Error} */ (e).message, 'bad');
  }
};

/** Entries of the menu. `csv`: the address of the same data in the API, or ''; `csvName`: the name of the CSV entry;
 * `card`: the card of the picture, for title and key; `more`: additional entries.
 * @param {{ drawn: () => Drawn|null, card: () => Element|null|undefined, file: string, caption: string, csv?: string, csvName?: string, more?: { text: string, run: () => unknown }[], asTable: boolean, onTable: () => void }} p
 */
export function takeAway({ drawn, card, file, caption, csv, csvName = 'CSV', more = [], asTable, onTable }) {
  const svg = () => {
    const picture = drawn()?.svg();
    if (!picture) throw new Error('The picture is not drawn yet.');
    return svgText(picture, originOf(caption), keyOf(card()), drawn()?.under?.());
  };
  return [
    { text: 'SVG', run: attempt(() => save(new Blob([svg()], { type: 'image/svg+xml' }), `${file}.svg`)) },
    { text: 'PNG, twice the size', run: attempt(async () => save(await pngBlob(svg()), `${file}.png`)) },
    { text: csvName, run: attempt(() => save(new Blob([csvText(drawn()?.rows() ?? [])], { type: 'text/csv' }), `${file}.csv`)) },
    ...(csv ? [{ text: 'Copy for pandas', run: attempt(() => copied(pandasLine(csv), 'The line for pandas is copied.')) }] : []),
    ...more.map((m) => ({ ...m, run: attempt(m.run) })),
    { text: 'Copy link', run: attempt(() => copied(location.href, 'Link copied.')) },
    { text: asTable ? 'Hide the table' : 'Show as table', run: onTable },
  ];
}

/** The numbers of a picture, the names of the columns first. @param {{ rows: import('./frame.js').Rows }} p */
export function NumbersTable({ rows }) {
  if (rows.length === 0) return null;
  return html`<div class="tablebox" tabindex="0" role="region" aria-label="The numbers of this picture"><table class="rows raw"><caption class="hidden">The numbers of this picture</caption>
    <thead><tr>${rows[0].map((c) => html`<th scope="col">${c}</th>`)}</tr></thead>
    <tbody>${rows.slice(1, TABLE_ROWS + 1).map((r) => html`<tr>${r.map((c) => html`<td>${c}</td>`)}</tr>`)}</tbody></table>
    ${rows.length > TABLE_ROWS + 1 && html`<p class="quiet">The first ${TABLE_ROWS} of ${rows.length - 1} rows; CSV has all.</p>`}</div>`;
}
