// dialog.js: a question over the page. <dialog> keeps the focus inside and gives it back.
import { html, useEffect, useRef } from './lib.js';

/** @param {{ title: string, onClose: () => void, children?: any, wide?: boolean }} p */
export function Dialog({ title, onClose, children, wide }) {
  const el = useRef(/** @type {HTMLDialogElement|null} */ (null));
  useEffect(() => {
    const before = document.activeElement;
    el.current?.showModal();
    return () => { if (before instanceof HTMLElement && before.isConnected) before.focus(); };
  }, []);
  return html`
    <dialog ref=${el} tabindex="-1" class=${wide ? 'wide' : ''} aria-label=${title} onClose=${onClose}
      onClick=${(/** @type {MouseEvent} */ e) => { if (e.target === el.current) el.current?.close(); }}>
      <div class="inside">
        <header><h2>${title}</h2><button type="button" class="plain" aria-label="Close" onClick=${() => el.current?.close()}>✕</button></header>
        ${children}
      </div>
    </dialog>`;
}
