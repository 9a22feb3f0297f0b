// menu.js: a small list of actions behind a button.
import { html, useLayoutEffect, useRef, useState } from './lib.js';
import { useLayer } from './layers.js';

/** `on`: the entry is a switch in this state; the menu stays open. @typedef {{ text: string, on?: boolean, run?: () => void, href?: string, download?: string }} Item */

const ITEMS = '[role^=menuitem]';

/** `floats`: the menu is inside an element that would clip it, such as a table. @param {{ label: string, items: Item[], text?: any, floats?: boolean }} p */
export function Menu({ label, items, text = '⋯', floats = false }) {
  const [open, setOpen] = useState(false);
  const box = useRef(/** @type {HTMLDivElement|null} */ (null));
  const shut = () => setOpen(false);
  const close = () => {
    setOpen(false);
    if (box.current?.contains(document.activeElement)) /** @type {HTMLElement|null} */ (box.current.querySelector('button'))?.focus();
  };
  useLayer(open, { close, element: () => box.current });
  useLayoutEffect(() => {
    if (!open) return undefined;
    const at = box.current?.getBoundingClientRect();
    // Closes the list only if the button has moved; a scroll event may be older than the click.
    const follow = () => {
      const now = box.current?.getBoundingClientRect();
      if (at && now && Math.hypot(now.top - at.top, now.right - at.right) > 1) shut();
    };
    if (floats) addEventListener('scroll', follow, true);
    /** @type {HTMLElement|null|undefined} */ (box.current?.querySelector(ITEMS))?.focus({ preventScroll: floats });
    return () => removeEventListener('scroll', follow, true);
  }, [open]);
  const onFocusOut = (/** @type {FocusEvent} */ e) => { if (e.relatedTarget instanceof Node && !box.current?.contains(e.relatedTarget)) shut(); };
  const onKeyDown = (/** @type {KeyboardEvent} */ e) => {
    if (!open) return;
    const list = /** @type {HTMLElement[]} */ ([...(box.current?.querySelectorAll(ITEMS) ?? [])]);
    const at = list.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (e.key === 'ArrowDown') list[(at + 1) % list.length]?.focus();
    else if (e.key === 'ArrowUp') list[(at - 1 + list.length) % list.length]?.focus();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  const at = open && floats ? placeOf(box.current, items.length) : undefined;
  return html`
    <div class="menu" ref=${box} onKeyDown=${onKeyDown} onFocusOut=${onFocusOut}>
      <button type="button" class="plain" aria-label=${label} aria-haspopup="menu" aria-expanded=${open} onClick=${() => setOpen(!open)}>${text}</button>
      ${open && html`<ul role="menu" aria-label=${label} style=${at}>${items.map((item) => html`<li key=${item.text} role="none"><${Entry} item=${item} close=${close} /></li>`)}</ul>`}
    </div>`;
}

/** @param {{ item: Item, close: () => void }} p */
function Entry({ item, close }) {
  if (item.href) return html`<a role="menuitem" href=${item.href} download=${item.download ?? ''} onClick=${close}>${item.text}</a>`;
  if (item.on !== undefined) return html`<button type="button" role="menuitemcheckbox" aria-checked=${item.on} onClick=${item.run}><span aria-hidden="true">✓</span>${item.text}</button>`;
  return html`<button type="button" role="menuitem" onClick=${() => { close(); item.run?.(); }}>${item.text}</button>`;
}

const ITEM = 30;
/** Position of a floating list: below its button, or above it if there is no room. @param {HTMLElement|null} box @param {number} count */
function placeOf(box, count) {
  const r = box?.getBoundingClientRect();
  if (!r) return undefined;
  const up = r.bottom + count * ITEM + 16 > innerHeight && r.top > count * ITEM;
  return { position: 'fixed', right: `${document.documentElement.clientWidth - r.right}px`, top: up ? 'auto' : `${r.bottom + 4}px`, bottom: up ? `${innerHeight - r.top + 4}px` : 'auto' };
}
