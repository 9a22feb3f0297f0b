// focus.js: keeps the keyboard focus. If the focused element is removed (a view that was left, a deleted row) or
// disabled while busy, the nearest remaining ancestor gets the focus, otherwise the page.

/** The focused element and its ancestors, nearest first; empty after a click outside all elements. @type {HTMLElement[]} */
let chain = [];
/** A button that became busy while it had the focus, and the element that has the focus instead. @type {{ had: HTMLElement, heir: HTMLElement }|null} */
let lent = null;

/** @param {FocusEvent} e */
function remember({ target }) {
  if (lent && target !== lent.heir) lent = null; // the user moved the focus
  chain = [];
  for (let el = target; el instanceof HTMLElement; el = el.parentElement) chain.push(el);
}

const busy = (/** @type {HTMLElement} */ el) => el.matches(':disabled');
/** @param {HTMLElement[]} around */
const heirOf = (around) => around.find((el) => el.isConnected && el.hasAttribute('tabindex') && !busy(el))
  ?? /** @type {HTMLElement|null} */ (document.querySelector('dialog[open]')) ?? document.getElementById('main');

function mend() {
  if (!document.hasFocus()) return; // the focus is in another window or in the browser's own interface
  const now = document.activeElement;
  if (lent && now === lent.heir && lent.had.isConnected) {
    if (busy(lent.had)) return;
    lent.had.focus({ preventScroll: true });
    lent = null;
    return;
  }
  const [had, ...around] = chain;
  if (!had || (now !== document.body && !busy(had))) return;
  if (had.isConnected && !busy(had)) {
    had.focus({ preventScroll: true }); // its row was moved, which removes the focus
    return;
  }
  const heir = heirOf(around);
  if (!heir || heir === now) return; // if no element exists yet, the next change tries again
  lent = had.isConnected ? { had, heir } : null;
  heir.focus({ preventScroll: true });
}

/** Begins to watch the focus. The focus is kept from this call on. */
export function keepFocus() {
  document.addEventListener('focusin', remember);
  document.addEventListener('pointerdown', () => {
    chain = [];
    lent = null;
  });
  new MutationObserver(mend).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
}

/** After a page change: if no element has the focus, the page's start gets it. */
export function focusPage() {
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
}

const NUMBER = 'input[type="number"], input[inputmode="decimal"], input[inputmode="numeric"]';

/** Installs a handler that selects a number field's text on focus, so that typing replaces it. A second click sets the caret. */
export function replaceNumbers() {
  /** The focused element before the click. @type {Element|null} */
  let before = null;
  document.addEventListener('pointerdown', () => { before = document.activeElement; }, true);
  document.addEventListener('focusin', ({ target }) => { if (target instanceof HTMLInputElement && target.matches(NUMBER)) target.select(); });
  // The click that gave the focus has already set the caret.
  document.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(NUMBER) && target !== before && target.selectionStart === target.selectionEnd) target.select();
    before = target instanceof Element ? target : null;
  });
}
