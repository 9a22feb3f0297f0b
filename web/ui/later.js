// later.js: a part of a page whose script comes when it is wanted: what the first view does without does not delay it.
import { html, useLayoutEffect, useState } from './lib.js';
import { useLayer } from './layers.js';
import { say } from './toast.js';

/** @typedef {(p: any) => any} Part */

/** A component that is fetched once; null until it has come. The request starts when the part is drawn, not a frame later.
 * @param {() => Promise<Part>} get @param {string} what as a sentence begins with it @param {() => void} [onFail] @returns {Part|null} */
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

/** Nothing until it has come, or a grey block of its height; all other properties are the part's.
 * @param {{ get: () => Promise<Part>, what: string, height?: number, [more: string]: any }} p `what`: as a sentence begins with it */
export function Later({ get, what, height, ...more }) {
  const part = usePart(get, what);
  if (part) return html`<${part} ...${more} />`;
  return height ? html`<div class="skeleton" style=${{ height: `${height}px` }}></div>` : null;
}

/** A dialog. It counts as open from the moment it is asked for: Escape closes it before it is seen, and letters are no
 * shortcuts. All other properties are the dialog's.
 * @param {{ get: () => Promise<Part>, what: string, onClose: () => void, [more: string]: any }} p `what`: as a sentence begins with it */
export function LaterDialog({ get, what, onClose, ...more }) {
  const part = usePart(get, what, onClose);
  useLayer(part === null, { close: onClose, modal: true });
  return part && html`<${part} onClose=${onClose} ...${more} />`;
}
