// select_text.js: the selection as text in the address. Pure.

/** Limits of a selection in the address: the server rejects addresses of more than 8192 bytes, and the address has
 * other parts too. */
export const IDS_MAX = 200, BYTES_MAX = 4000;

/** The selection as text for the address; '' if it is empty or too long. @param {ReadonlySet<string>} ids */
export function selectionText(ids) {
  const text = ids.size > IDS_MAX ? '' : [...ids].map((id) => id.replace(/[\\,]/g, '\\$&')).join(',');
  return String(new URLSearchParams({ '': text })).length > BYTES_MAX ? '' : text;
}

/** The inverse; parts that are not KIND:ID are ignored. @param {string} text */
export const selectionOf = (text) => new Set((text.match(/(?:\\.|[^\\,])+/g) ?? []).map((id) => id.replace(/\\(.)/g, '$1')).filter((id) => /^[a-z]+:./.test(id)).slice(0, IDS_MAX));

/** Its rule for readQuery(). */
export const SELECTED = { fallback: '', test: (/** @type {string} */ text) => selectionText(selectionOf(text)) === text };

const NAMED_MAX = 3;
/** Messages about ids in the address that do not exist on the page. @param {string} text
 * @param {Record<string, unknown[]|undefined>} known selectable kinds → the existing items, undefined while unknown @returns {string[]}
 */
export function notSelected(text, known) {
  const of = new Map(Object.entries(known).map(([kind, names]) => [kind, names && new Set(names.map(String))]));
  const gone = [...selectionOf(text)].filter((id) => {
    const kind = id.slice(0, id.indexOf(':'));
    return !of.has(kind) || of.get(kind)?.has(id.slice(kind.length + 1)) === false;
  });
  const names = gone.slice(0, NAMED_MAX).map((id) => `“${id.slice(0, 40)}”`).join(', ');
  return gone.length === 0 ? [] : [`The address selects ${names}${gone.length > NAMED_MAX ? ` and ${gone.length - NAMED_MAX} more` : ''}, which this page does not have; that is left out.`];
}
