// later.js: parts of a page whose script is loaded on demand, so that they do not delay the first view.
import { html, useLayoutEffect, useState } from './lib.js';
import { useLayer } from './layers.js';
import { say } from './toast.js';

/** @typedef {(p: any) => any} Part */

/** A component that is loaded once; null until it is loaded. The request starts during rendering, not one frame later.
 * @param {() => Promise<Part>} get @param {string} what as a sentence begins with it @param {() => void} [onFail] @returns {Part|null}
 */
function usePart(get, what, onFail) {
  const [part, setPart] = useState(/** @type {Part|null} */ (null));
  useLayoutEffect(() => {
    let wanted = true;
    get().then((come) => setPart(() => come), () => {
      if (!wanted) return;
      say(`${what} did not load; load the page again.`, 'bad');
      onFail?.();
    });
    return () => { wanted = false; };
  }, []);
  return part;
}

/** Renders nothing, or a grey block of its height, until the part is loaded; other properties are passed to the part.
 * @param {{ get: () => Promise<Part>, what: string, height?: number, [more: string]: any }} p `what`: as a sentence begins with it
 */
export function Later({ get, what, height, ...more }) {
  const part = usePart(get, what);
  if (part) return html`<${part} ...${more} />`;
  return height ? html`<div class="skeleton" style=${{ height: `${height}px` }}></div>` : null;
}

/** A dialog. It counts as open from the request on: Escape closes it before it is visible, and letters are not
 * shortcuts. Other properties are passed to the dialog.
 * @param {{ get: () => Promise<Part>, what: string, onClose: () => void, [more: string]: any }} p `what`: as a sentence begins with it
 */
export function LaterDialog({ get, what, onClose, ...more }) {
  const part = usePart(get, what, onClose);
  useLayer(part === null, { close: onClose, modal: true });
  return part && html`<${part} onClose=${onClose} ...${more} />`;
}
