// shown.js: the visible columns of a table; the address contains the hidden ones. Pure.

/** The rule of the address: keys between commas; the first column stays. @param {{ key: string }[]} columns */
export const hideRule = (columns) => {
  const keys = columns.slice(1).map((c) => c.key);
  return { fallback: '', test: (/** @type {string} */ text) => { const list = text.split(','); return list.every((k) => keys.includes(k)) && new Set(list).size === list.length; } };
};

/** @param {string} hide @param {string} key */
export const isHidden = (hide, key) => hide.split(',').includes(key);

/** @template {{ key: string }} C @param {C[]} columns @param {string} hide */
export const shownOf = (columns, hide) => columns.filter((c, i) => i === 0 || !isHidden(hide, c.key));

/** Hides the column, or shows it again. @param {string} hide @param {string} key */
export function turned(hide, key) {
  const list = hide.split(',').filter(Boolean);
  return (isHidden(hide, key) ? list.filter((k) => k !== key) : [...list, key]).join(',');
}
