// switch.js: a choice of one from a few options.
import { html } from './lib.js';

/** @param {{ label: string, of: readonly string[], now: string, onTurn: (to: string) => void, text?: (word: string) => string }} p */
export const Switch = ({ label, of, now, onTurn, text = (word) => word }) => html`<div class="switch" role="group" aria-label=${label}>${of.map((word) => html`<button key=${word} type="button" aria-pressed=${now === word} onClick=${() => onTurn(word)}>${text(word)}</button>`)}</div>`;
