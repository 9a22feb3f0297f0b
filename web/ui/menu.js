// menu.js: a small list of actions behind a button.
import { html, useEffect, useRef, useState } from './lib.js';

/** @typedef {{ text: string, run?: () => void, href?: string, download?: string }} Item */

/** @param {{ label: string, items: Item[], text?: any }} p */
export function Menu({ label, items, text = '⋯' }) {
  const [open, setOpen] = useState(false);
  const box = useRef(/** @type {HTMLDivElement|null} */ (null));
  useEffect(() => {
    if (!open) return undefined;
    const away = (/** @type {Event} */ e) => { if (!(e.target instanceof Node && box.current?.contains(e.target))) setOpen(false); };
    document.addEventListener('pointerdown', away);
    /** @type {HTMLElement|null|undefined} */ (box.current?.querySelector('[role=menuitem]'))?.focus();
    return () => document.removeEventListener('pointerdown', away);
  }, [open]);
  const close = () => {
    setOpen(false);
    /** @type {HTMLElement|null|undefined} */ (box.current?.querySelector('button'))?.focus();
  };
  const onKeyDown = (/** @type {KeyboardEvent} */ e) => {
    if (!open) return;
    const list = /** @type {HTMLElement[]} */ ([...(box.current?.querySelectorAll('[role=menuitem]') ?? [])]);
    const at = list.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (e.key === 'Escape') close();
    else if (e.key === 'ArrowDown') list[(at + 1) % list.length].focus();
    else if (e.key === 'ArrowUp') list[(at - 1 + list.length) % list.length].focus();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return html`
    <div class="menu" ref=${box} onKeyDown=${onKeyDown}>
      <button type="button" class="plain" aria-label=${label} aria-haspopup="menu" aria-expanded=${open} onClick=${() => setOpen(!open)}>${text}</button>
      ${open && html`<ul role="menu" aria-label=${label}>${items.map((item) => html`<li key=${item.text} role="none">${
        item.href
          ? html`<a role="menuitem" href=${item.href} download=${item.download ?? ''} onClick=${close}>${item.text}</a>`
          : html`<button type="button" role="menuitem" onClick=${() => { close(); item.run?.(); }}>${item.text}</button>`}</li>`)}</ul>`}
    </div>`;
}
