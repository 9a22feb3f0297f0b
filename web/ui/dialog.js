// dialog.js: a modal dialog. <dialog> keeps the focus inside; layers.js handles closing.
import { html, useLayoutEffect, useRef } from './lib.js';
import { closeTop, useLayer } from './layers.js';

/** It opens when it is rendered, so that Escape closes it at once. `onClose` is called once and has to remove it.
 * @param {{ title: string, onClose: () => void, children?: any, wide?: boolean }} p */
export function Dialog({ title, onClose, children, wide }) {
  const el = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const closed = useRef(false);
  const close = () => {
    if (closed.current) return;
    closed.current = true;
    onClose();
  };
  useLayer(true, { close, modal: true, element: () => el.current });
  useLayoutEffect(() => {
    const dialog = /** @type {HTMLDialogElement} */ (el.current);
    const before = document.activeElement;
    dialog.showModal();
    return () => {
      closed.current = true;
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  // A close request without a key: the back gesture of a phone.
  const onCancel = (/** @type {Event} */ e) => {
    e.preventDefault();
    closeTop();
  };
  return html`
    <dialog ref=${el} tabindex="-1" class=${wide ? 'wide' : ''} aria-label=${title} onCancel=${onCancel} onClose=${close}>
      <div class="inside">
        <header><h2>${title}</h2><button type="button" class="plain" aria-label="Close" onClick=${close}>✕</button></header>
        ${children}
      </div>
    </dialog>`;
}
