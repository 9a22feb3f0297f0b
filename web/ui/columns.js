// columns.js: the menu that chooses the columns of a table.
import { html } from './lib.js';
import { Menu } from './menu.js';
import { isHidden, turned } from './shown.js';

/** Columns whose label is no text (buttons, marks) stay. @param {{ of: string, columns: { key: string, label: any }[], hide: string, onHide: (hide: string) => void }} p `of`: the table's caption */
export function Columns({ of, columns, hide, onHide }) {
  const items = columns.slice(1).filter((c) => typeof c.label === 'string')
    .map((c) => ({ text: c.label, on: !isHidden(hide, c.key), run: () => onHide(turned(hide, c.key)) }));
  return html`<${Menu} label=${`Columns of ${of}`} text="Columns" items=${[...items, ...(hide ? [{ text: 'Show all', run: () => onHide('') }] : [])]} />`;
}
