// clipboard.js: copying; also works on plain http, where browsers do not provide navigator.clipboard.

/** @param {string} text @returns {Promise<boolean>} */
export async function copy(text) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { /* rejected: the older method below may still be allowed */ }
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.className = 'hidden';
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}

/** Elements whose copied text is longer than the displayed one: a number with all digits, a time with seconds, a full
 * kernel name. */
const WHOLE = '[data-copy], data[value], time[datetime]';
/** @param {Element} el */
const wholeOf = (el) => el.getAttribute('data-copy') ?? el.getAttribute('value') ?? el.getAttribute('datetime') ?? '';

/** @param {Element} cell of a copy that may be changed */
function cellText(cell) {
  for (const el of cell.querySelectorAll('svg, .hidden, [aria-hidden="true"], button:not(.link, .sort)')) el.remove();
  for (const el of cell.querySelectorAll(WHOLE)) el.replaceWith(wholeOf(el));
  return (cell.textContent ?? '').trim().replace(/\s+/g, ' ');
}

/** The selected rows of a table as tab-separated lines; null if other content is selected too.
 * @param {DocumentFragment} part @param {boolean} inTable */
function rowsText(part, inTable) {
  const table = inTable ? part : part.querySelector('table');
  if (!table || (!inTable && (part.textContent ?? '').trim() !== (table.textContent ?? '').trim())) return null;
  const rows = [...table.querySelectorAll('tr:not([aria-hidden])')].map((tr) => [...tr.children]);
  const cells = [...part.children].filter((el) => el.matches('td, th')); // a part of one row
  const all = rows.length > 0 ? rows : cells.length > 0 ? [cells] : [];
  return all.length > 0 ? all.map((row) => row.map(cellText).join('\t').trimEnd()).join('\n') : null;
}

/** @param {Element|null} within where all that is selected lies @param {DocumentFragment} part a copy of what is selected */
function wholeText(within, part) {
  const said = (/** @type {Node|null} */ of) => (of?.textContent ?? '').trim();
  const around = within?.closest(WHOLE), inside = part.querySelectorAll(WHOLE);
  if (around) return said(part) === said(around) ? wholeOf(around) : null;
  if (inside.length === 1 && said(inside[0]) === said(part)) return wholeOf(inside[0]);
  return rowsText(part, Boolean(within?.closest('table')));
}

/** Copying a number, a kernel's name or rows gives the full values. Copying a part of one value gives that part only.
 * @param {ClipboardEvent} e */
export function copyWhole(e) {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount !== 1 || !e.clipboardData || /^(INPUT|TEXTAREA)$/.test(/** @type {Element} */ (e.target).tagName ?? '')) return;
  const range = selection.getRangeAt(0), within = range.commonAncestorContainer;
  const el = within instanceof Element ? within : within.parentElement;
  const text = wholeText(el, range.cloneContents());
  if (text === null) return;
  e.clipboardData.setData('text/plain', text);
  e.preventDefault();
}
