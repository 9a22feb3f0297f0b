// toast.js: one short message at the bottom of the page; also the live region for milestones (screen readers).
import { html, signal } from './lib.js';

const said = signal(/** @type {{ text: string, tone: string, n: number }|null} */ (null));
let n = 0;
/** @type {number|undefined} */
let timer;

/** @param {string} text @param {'ok'|'bad'|''} [tone] */
export function say(text, tone = '') {
  n += 1;
  said.value = { text, tone, n };
  clearTimeout(timer);
  timer = setTimeout(() => { said.value = null; }, Math.max(4000, text.length * 70));
}

export function Toast() {
  const t = said.value;
  return html`<div class="toasts" role="status" aria-live="polite">${t && html`<p key=${t.n} class="toast ${t.tone}">${t.text}</p>`}</div>`;
}
