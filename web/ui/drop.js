// drop.js: accepts files dropped anywhere on the page.
import { html, useEffect, useRef, useState } from './lib.js';

/** @param {{ onFiles: (files: File[]) => void }} p */
export function DropTarget({ onFiles }) {
  const [over, setOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    let depth = 0;
    const files = (/** @type {DragEvent} */ e) => e.dataTransfer?.types.includes('Files') ?? false;
    const enter = (/** @type {DragEvent} */ e) => { if (files(e)) { depth += 1; setOver(true); e.preventDefault(); } };
    const leave = (/** @type {DragEvent} */ e) => { if (files(e)) { depth = Math.max(0, depth - 1); setOver(depth > 0); } };
    const hover = (/** @type {DragEvent} */ e) => { if (files(e)) e.preventDefault(); };
    const drop = (/** @type {DragEvent} */ e) => {
      if (!files(e)) return;
      e.preventDefault();
      depth = 0;
      setOver(false);
      const list = [...(e.dataTransfer?.files ?? [])];
      if (list.length) latest.current(list);
    };
    const paste = (/** @type {ClipboardEvent} */ e) => {
      const list = [...(e.clipboardData?.files ?? [])];
      if (list.length) latest.current(list);
    };
    const on = /** @type {[string, any][]} */ ([['dragenter', enter], ['dragleave', leave], ['dragover', hover], ['drop', drop], ['paste', paste]]);
    for (const [kind, fn] of on) document.addEventListener(kind, fn);
    return () => { for (const [kind, fn] of on) document.removeEventListener(kind, fn); };
  }, []);
  return over && html`<div class="droptarget" aria-hidden="true"><p>Drop to upload</p></div>`;
}
