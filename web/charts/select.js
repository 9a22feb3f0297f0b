// select.js: what is selected on the page: a set of ids like "stratum:4" or "kernel:17". Every chart and every table
// follows it at once, and so does the address; Escape clears it, and so does leaving the page.
import { signal, useEffect, useRef } from '../ui/lib.js';
import { openLayer } from '../ui/layers.js';
import { selectionOf, selectionText } from './select_text.js';

export const selection = signal(/** @type {ReadonlySet<string>} */ (new Set()));

/** Something is selected, which Escape clears. @type {(() => void)|null} */
let removeLayer = null;

/** @param {Iterable<string>} ids @param {boolean} [add] to what is selected already */
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

/** The ids of one kind, without their kind: for a table's rows. @param {string} kind */
export function chosen(kind) {
  const prefix = `${kind}:`;
  return new Set([...selection.value].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length)));
}

/** Keeps the selection of this page and its address the same. @param {string} text as the address has it @param {(change: { selected: string }, how: { replace: boolean }) => void} set */
export function useSelected(text, set) {
  const turn = useRef(set);
  turn.current = set;
  useEffect(() => { if (text !== selectionText(selection.value)) choose(selectionOf(text)); }, [text]);
  useEffect(() => {
    let first = true; // what is called at once is no change
    return selection.subscribe((ids) => {
      if (!first) turn.current({ selected: selectionText(ids) }, { replace: true });
      first = false;
    });
  }, []);
  useEffect(joinPage, []);
}

let onPage = 0;
/** A page that keeps its selection, or a picture, comes; the answer is for when it goes. */
export function joinPage() {
  onPage += 1;
  return () => {
    onPage -= 1;
    if (onPage === 0) choose([]);
  };
}
