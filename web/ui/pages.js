// pages.js: a list that is fetched page by page and filtered while the user types.
import { html, useEffect, useRef, useState } from './lib.js';
import { useLoad } from './load.js';
import { say } from './toast.js';

/** @template X @typedef {import('../types.js').List<X>} List */

/** A first page, and its requested order. @template X @typedef {List<X> & { order: string }} First */

/** The first page as useLoad() reads it, and `more()`, which is null at the end. `rows`: the rows of all pages that have
 * been loaded. They are discarded when another list is shown, when the first page is read again and ends at another row,
 * and by `restart()`. A page of a list that the visitor has left meanwhile is not shown. `order`: the wanted order of the
 * list; the old rows stay until the rows in the new order have come. `load.data.order`: the order of the present rows.
 * While the two differ, `more` is null, because a cursor continues a list only in its own order. @template X
 * @param {(after: string|undefined, abort?: AbortSignal) => Promise<List<X>>} fetcher @param {unknown[]} deps @param {string} [order]
 * @returns {{ load: import('./load.js').Load<First<X>>, rows: X[], more: (() => Promise<void>)|null, restart: () => void }} */
export function usePages(fetcher, deps, order = '') {
  const load = useLoad(async (abort) => ({ ...await fetcher(undefined, abort), order }), deps);
  const ordered = useRef(order);
  useEffect(() => {
    if (ordered.current !== order) load.reload();
    ordered.current = order;
  }, [order]);
  const key = JSON.stringify([deps, load.data?.order, load.data?.next]);
  const none = { key, rows: /** @type {X[]} */ ([]), next: load.data?.next };
  const [kept, setKept] = useState(none);
  const behind = kept.key === key ? kept : none;
  const now = useRef(key);
  useEffect(() => { now.current = key; }, [key]);
  const more = async () => {
    try {
      const page = await fetcher(behind.next ?? undefined);
      if (now.current === key) setKept({ key, rows: [...behind.rows, ...page.items], next: page.next });
    } catch (e) {
      const p = /** @type {import('../api.js').Problem} */ (e);
      say(`${p.message} ${p.hint ?? ''}`, 'bad');
    }
  };
  const restart = () => {
    setKept(none);
    load.reload();
  };
  return { load, rows: [...(load.data?.items ?? []), ...behind.rows], more: behind.next && load.data?.order === order ? more : null, restart };
}

/** @param {{ more: (() => Promise<void>)|null }} p */
export const ShowMore = ({ more }) => more && html`<p><button type="button" onClick=${more}>Show more</button></p>`;

/** While the user types, the address follows the field.
 * @param {{ id: string, label: string, placeholder: string, value: string, onType: (text: string) => void }} p */
export function SearchField({ id, label, placeholder, value, onType }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => { if (document.activeElement?.id !== id) setTyped(value); }, [value]);
  return html`<label class="hidden" for=${id}>${label}</label>
    <input id=${id} type="search" placeholder=${placeholder} value=${typed} onInput=${(/** @type {any} */ e) => { setTyped(e.target.value); onType(e.target.value); }} />`;
}
