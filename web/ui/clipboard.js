// clipboard.js: copying, also where the page is plain http and the browser withholds navigator.clipboard.

/** @param {string} text @returns {Promise<boolean>} */
export async function copy(text) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { /* refused: the old way below may still be allowed */ }
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

/** A copied kernel name is the whole name, a copied number the whole number. @param {ClipboardEvent} e */
export function copyWhole(e) {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount !== 1 || !e.clipboardData) return;
  const within = selection.getRangeAt(0).commonAncestorContainer;
  const el = within instanceof Element ? within : within.parentElement;
  const whole = el?.closest('[data-copy]')?.getAttribute('data-copy');
  if (!whole || !el?.closest('[data-copy]')?.textContent?.includes(selection.toString())) return;
  if (selection.toString().length < (el.closest('[data-copy]')?.textContent ?? '').length) return;
  e.clipboardData.setData('text/plain', whole);
  e.preventDefault();
}
