// select.js: what is selected on the page: a set of ids like "stratum:4" or "kernel:17". Every chart and every table
// follows it at once; Escape clears it, and so does leaving the page.
import { signal } from '../ui/lib.js';

export const selection = signal(/** @type {ReadonlySet<string>} */ (new Set()));

/** @param {Iterable<string>} ids @param {boolean} [add] to what is selected already */
export function choose(ids, add = false) {
  const next = new Set(add ? [...selection.value, ...ids] : ids);
  if (next.size === 0 && selection.value.size === 0) return;
  selection.value = next;
}

/** The ids of one kind, without their kind: for a table's rows. @param {string} kind */
export function chosen(kind) {
  const prefix = `${kind}:`;
  return new Set([...selection.value].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length)));
}

let onPage = 0;
/** @param {KeyboardEvent} e */
function escape(e) {
  if (e.key === 'Escape' && !e.defaultPrevented && !document.querySelector('dialog[open]')) choose([]);
}
/** A picture comes onto the page; the answer is for when it goes. */
export function joinPage() {
  if (onPage === 0) document.addEventListener('keydown', escape);
  onPage += 1;
  return () => {
    onPage -= 1;
    if (onPage > 0) return;
    document.removeEventListener('keydown', escape);
    choose([]);
  };
}
