// steps.js: progress of work in steps, for a list of class `steps`: done, in progress, failed.
import { html } from './lib.js';

/** @param {{ state: 'done'|'now'|'later'|'bad', text: string, detail?: any }} p */
export function Step({ state, text, detail }) {
  const word = { done: 'done', now: 'under way', later: 'to come', bad: 'failed' }[state];
  return html`<li class=${state}><span class="mark" aria-hidden="true">${{ done: '✓', now: '…', later: '', bad: '✕' }[state]}</span><span>${text}<span class="hidden">, ${word}</span></span>${detail && html`<span class="quiet">${detail}</span>`}</li>`;
}
