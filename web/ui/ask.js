// ask.js: a small question mark beside a label, which explains the word. What words there are is told from outside.
import { html, useState } from './lib.js';
import { say } from './toast.js';

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
  const [shown, setShown] = useState(/** @type {Explanation & { dialog: (p: any) => any }|null} */ (null));
  const concept = typeof label === 'string' ? teacher?.conceptOf(label) : null;
  if (!concept) return null;
  const open = async () => {
    try {
      const [explanation, { Dialog }] = await Promise.all([/** @type {Teacher} */ (teacher).explain(concept), import('./dialog.js')]);
      setShown({ ...explanation, dialog: Dialog });
    } catch {
      say('The explanation did not load; load the page again.', 'bad');
    }
  };
  return html`
    <button type="button" class="ask" aria-label=${`What is meant by ${label}?`} title="What is this?" onClick=${open}>?</button>
    ${shown && html`
      <${shown.dialog} title=${shown.title} onClose=${() => setShown(null)}>
        <figure class="sketch">${shown.picture()}</figure>
        <p class="prose">${shown.sentences.join(' ')}</p>
      <//>`}`;
}
