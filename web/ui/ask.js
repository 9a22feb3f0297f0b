// ask.js: a small question mark beside a label, which explains the term. The caller passes the texts.
import { html, useState } from './lib.js';
import { LaterDialog } from './later.js';

/** `picture` creates a new sketch each time: a reused element would keep a reference to its old page.
 * @typedef {{ title: string, sentences: string[], picture: () => import('./lib.js').Children }} Explanation */
/** @typedef {{ conceptOf: (label: string) => string|null, explain: (concept: string) => Promise<Explanation> }} Teacher */

/** @type {Teacher|null} */
let teacher = null;

/** Before the first page is drawn. @param {Teacher} t */
export function teach(t) {
  teacher = t;
}

/** Renders nothing if the label has no explanation. @param {{ label: unknown }} p */
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
