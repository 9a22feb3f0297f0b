// sure.js: a button that asks for confirmation in place; for actions that cannot be undone but need no dialog.
import { html, useEffect, useRef, useState } from './lib.js';
import { useLayer } from './layers.js';

/** @param {{ text: string, label: string, onSure: () => void }} p */
export function Sure({ text, label, onSure }) {
  const [asked, setAsked] = useState(false);
  const button = useRef(/** @type {HTMLButtonElement|null} */ (null));
  // It asks until the focus moves elsewhere; there is no timeout, because some users need more time.
  useLayer(asked, { close: () => setAsked(false), element: () => button.current });
  useEffect(() => {
    if (!asked) return undefined;
    const away = (/** @type {Event} */ e) => { if (e.target !== button.current) setAsked(false); };
    document.addEventListener('focusin', away);
    return () => document.removeEventListener('focusin', away);
  }, [asked]);
  const press = () => {
    if (asked) onSure();
    setAsked(!asked);
  };
  return html`<button type="button" ref=${button} class=${asked ? 'link bad' : 'link'} aria-label=${asked ? `${label}: press again to do it` : label} onClick=${press}>${asked ? 'Sure?' : text}</button>`;
}
