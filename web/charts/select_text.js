// select_text.js: the selection as it stands in the address. Pure.

/** More than that is no address any more. */
export const IDS_MOST = 200;

/** The selection as text, for the address; '' where it is none, or too much for one. @param {ReadonlySet<string>} ids */
export const selectionText = (ids) => (ids.size > IDS_MOST ? '' : [...ids].map((id) => id.replace(/[\\,]/g, '\\$&')).join(','));

/** The other way; what is not KIND:ID is left out. @param {string} text */
export const selectionOf = (text) => new Set((text.match(/(?:\\.|[^\\,])+/g) ?? []).map((id) => id.replace(/\\(.)/g, '$1')).filter((id) => /^[a-z]+:./.test(id)).slice(0, IDS_MOST));

/** The rule of the address for it. */
export const SELECTED = { fallback: '', test: (/** @type {string} */ text) => selectionText(selectionOf(text)) === text };
