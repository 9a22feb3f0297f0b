// sure.js: a button that asks once more in its own place; for what cannot be undone but needs no dialog.
import { html, useEffect, useState } from './lib.js';

const WAITS_MS = 5000;

/** @param {{ text: string, label: string, onSure: () => void }} p */
export function Sure({ text, label, onSure }) {
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (!asked) return undefined;
    const timer = setTimeout(() => setAsked(false), WAITS_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  const press = () => {
    if (asked) onSure();
    setAsked(!asked);
  };
  return html`<button type="button" class=${asked ? 'link bad' : 'link'} aria-label=${asked ? `${label}: press again to do it` : label} onClick=${press}>${asked ? 'Sure?' : text}</button>`;
}
