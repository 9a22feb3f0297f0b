// ask.js: a small question mark beside a label, which explains the word. The words are passed from outside.
import { html, useState } from './lib.js';
import { LaterDialog } from './later.js';

/** `picture` draws it anew each time: what is drawn knows the page that it was drawn into, and would keep it.
 * @typedef {{ title: string, sentences: string[], picture: () => import('./lib.js').Children }} Explanation */
/** @typedef {{ conceptOf: (label: string) => string|null, explain: (concept: string) => Promise<Explanation> }} Teacher */

/** @type {Teacher|null} */
let teacher = null;

/** Before the first page is drawn. @param {Teacher} t */
export function teach(t) {
  teacher = t;
}

/** Nothing where the label is no word that needs explaining. @param {{ label: unknown }} p */
export function Ask({ label }) {
  const [open, setOpen] = useState(false);
  const concept = typeof label === 'string' ? teacher?.conceptOf(label) : null;
  if (!concept) return null;
  return html`
    <button type="button" class="ask" aria-label=${`What is meant by ${label}?`} title="What is this?" aria-haspopup="dialog" onClick=${() => setOpen(true)}>?</button>
    ${open && html`<${LaterDialog} get=${() => fetchExplanation(concept)} what="The explanation" onClose=${() => setOpen(false)} />`}`;
}

/** @param {string} concept @returns {Promise<(p: { onClose: () => void }) => any>} */
async function fetchExplanation(concept) {
  const [{ title, sentences, picture }, { Dialog }] = await Promise.all([/** @type {Teacher} */ (teacher).explain(concept), import('./dialog.js')]);
  return ({ onClose }) => html`
    <${Dialog} title=${title} onClose=${onClose}>
      <figure class="sketch">${picture()}</figure>
      <p class="prose">${sentences.join(' ')}</p>
    <//>`;
}
