// focus.js: the focus is never lost. What had it may go away (a view that was left, a row that is no more), or be busy
// and take no focus; then its nearest surroundings that are still there get it, else the page.

/** What has the focus, and its ancestors, nearest first; empty when the visitor points to where nothing is. @type {HTMLElement[]} */
let chain = [];
/** A button that was busy while it had the focus, and what has the focus for it. @type {{ had: HTMLElement, heir: HTMLElement }|null} */
let lent = null;

/** @param {FocusEvent} e */
function remember({ target }) {
  if (lent && target !== lent.heir) lent = null; // the visitor went on
  chain = [];
  for (let el = target; el instanceof HTMLElement; el = el.parentElement) chain.push(el);
}

const busy = (/** @type {HTMLElement} */ el) => el.matches(':disabled');
/** @param {HTMLElement[]} around */
const heirOf = (around) => around.find((el) => el.isConnected && el.hasAttribute('tabindex') && !busy(el))
  ?? /** @type {HTMLElement|null} */ (document.querySelector('dialog[open]')) ?? document.getElementById('main');

function mend() {
  if (!document.hasFocus()) return; // it is with another window, or with the browser itself
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
    had.focus({ preventScroll: true }); // its row was moved, which lets go of it
    return;
  }
  const heir = heirOf(around);
  if (!heir || heir === now) return; // while nothing is there yet, the next change tries again
  lent = had.isConnected ? { had, heir } : null;
  heir.focus({ preventScroll: true });
}

/** From now on. */
export function keepFocus() {
  document.addEventListener('focusin', remember);
  document.addEventListener('pointerdown', () => {
    chain = [];
    lent = null;
  });
  new MutationObserver(mend).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
}

/** Another page came: who had no focus is at its beginning. */
export function focusPage() {
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
}

const NUMBER = 'input[type="number"], input[inputmode="decimal"], input[inputmode="numeric"]';

/** A number that gets the focus is selected, so that typing replaces it. A second press sets the caret. From now on. */
export function replaceNumbers() {
  /** What had the focus before the press. @type {Element|null} */
  let before = null;
  document.addEventListener('pointerdown', () => { before = document.activeElement; }, true);
  document.addEventListener('focusin', ({ target }) => { if (target instanceof HTMLInputElement && target.matches(NUMBER)) target.select(); });
  // The press that gave the focus has set the caret meanwhile.
  document.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(NUMBER) && target !== before && target.selectionStart === target.selectionEnd) target.select();
    before = target instanceof Element ? target : null;
  });
}
