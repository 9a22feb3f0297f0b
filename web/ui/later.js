// later.js: a part of a page whose script comes when it is wanted: what the first view does without does not delay it.
import { html, useEffect, useState } from './lib.js';
import { Skeleton } from './page.js';
import { say } from './toast.js';

/** Nothing until it has come, or a grey block of its height; all other properties are the part's.
 * @param {{ get: () => Promise<(p: any) => any>, what: string, height?: number, onFail?: () => void, [more: string]: any }} p `what`: as a sentence begins with it */
export function Later({ get, what, height, onFail, ...more }) {
  const [part, setPart] = useState(/** @type {((p: any) => any)|null} */ (null));
  useEffect(() => {
    get().then((come) => setPart(() => come), () => {
      say(`${what} did not load; load the page again.`, 'bad');
      onFail?.();
    });
  }, []);
  if (part) return html`<${part} ...${more} />`;
  return height ? html`<${Skeleton} height=${height} />` : null;
}
