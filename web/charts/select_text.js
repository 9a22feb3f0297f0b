// select_text.js: the selection as it stands in the address. Pure.

/** More than that is no address any more: the server refuses one of more than 8192 bytes, and there is more in it than this. */
export const IDS_MOST = 200, BYTES_MOST = 4000;

/** The selection as text, for the address; '' where it is none, or too much for one. @param {ReadonlySet<string>} ids */
export function selectionText(ids) {
  const text = ids.size > IDS_MOST ? '' : [...ids].map((id) => id.replace(/[\\,]/g, '\\$&')).join(',');
  return String(new URLSearchParams({ '': text })).length > BYTES_MOST ? '' : text;
}

/** The other way; what is not KIND:ID is left out. @param {string} text */
export const selectionOf = (text) => new Set((text.match(/(?:\\.|[^\\,])+/g) ?? []).map((id) => id.replace(/\\(.)/g, '$1')).filter((id) => /^[a-z]+:./.test(id)).slice(0, IDS_MOST));

/** The rule of the address for it. */
export const SELECTED = { fallback: '', test: (/** @type {string} */ text) => selectionText(selectionOf(text)) === text };
