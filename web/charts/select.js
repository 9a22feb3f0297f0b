// select.js: the selection on the page: a set of ids such as "stratum:4" or "kernel:17". All charts, tables and the
// address follow it. Escape and leaving the page clear it.
import { signal, useEffect, useRef } from '../ui/lib.js';
import { openLayer } from '../ui/layers.js';
import { selectionOf, selectionText } from './select_text.js';

export const selection = signal(/** @type {ReadonlySet<string>} */ (new Set()));

/** The layer of a nonempty selection, for Escape. @type {(() => void)|null} */
let removeLayer = null;

/** @param {Iterable<string>} ids @param {boolean} [add] to the current selection */
export function choose(ids, add = false) {
  const next = new Set(add ? [...selection.value, ...ids] : ids);
  if (next.size === 0 && selection.value.size === 0) return;
  selection.value = next;
  if (next.size > 0) removeLayer ??= openLayer({ close: () => choose([]) });
  else {
    removeLayer?.();
    removeLayer = null;
  }
}

/** The selected ids of one kind, without the kind: for a table's rows. @param {string} kind */
export function chosen(kind) {
  const prefix = `${kind}:`;
  return new Set([...selection.value].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length)));
}

/** Synchronises the selection with the address. @param {string} text the selection in the address @param {(change: { selected: string }, how: { replace: boolean }) => void} set */
export function useSelected(text, set) {
  const turn = useRef(set);
  turn.current = set;
  useEffect(() => { if (text !== selectionText(selection.value)) choose(selectionOf(text)); }, [text]);
  useEffect(() => {
    let first = true; // the first call is not a change
    return selection.subscribe((ids) => {
      if (!first) turn.current({ selected: selectionText(ids) }, { replace: true });
      first = false;
    });
  }, []);
  useEffect(joinPage, []);
}

let onPage = 0;
/** Registers a page with a selection, or a picture; returns the function that removes it. */
export function joinPage() {
  onPage += 1;
  return () => {
    onPage -= 1;
    if (onPage === 0) choose([]);
  };
}
