// search.js: searches all items of the team by parts of their names, and the actions of this page.
import { html, useEffect, useRef, useState } from '../ui/lib.js';
import { Dialog } from '../ui/dialog.js';
import { Trouble } from '../ui/page.js';
import { go } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';

/** @typedef {import('../types.js').SearchItem} SearchItem */
/** @typedef {{ keys: string, does: string, run: () => void }} Key */

const AFTER_MS = 150; // delay, so that a search starts after a word instead of each letter

/** A design has no page: its result links to its runs. @param {SearchItem} i */
function address(i) {
  if (i.kind === 'kernel') return href('profile', { id: i.id }, { kernel: String(i.kernel) });
  return i.kind === 'design' ? href('runs', {}, { q: i.name }) : href(i.kind, { id: i.id });
}

/** The list shows the response to the latest request, for any order of responses. @param {string} text */
function useFound(text) {
  const [state, setState] = useState(/** @type {{ items: SearchItem[], asked: string, error: unknown }} */ ({ items: [], asked: '', error: null }));
  useEffect(() => {
    if (!text.trim()) {
      setState({ items: [], asked: '', error: null });
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api.search({ q: text.trim() }, abort.signal).then(
        ({ items }) => setState({ items, asked: text, error: null }),
        (error) => { if (!abort.signal.aborted) setState({ items: [], asked: text, error }); },
      );
    }, AFTER_MS);
    return () => { clearTimeout(timer); abort.abort(); };
  }, [text]);
  return state;
}

/** Arrow keys move from the field through the list. @param {KeyboardEvent} e */
function walk(e) {
  if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return;
  const box = /** @type {HTMLElement} */ (e.currentTarget);
  const stops = /** @type {HTMLElement[]} */ ([...box.querySelectorAll('input, a, li button')]);
  const at = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  e.preventDefault();
  stops[Math.max(0, Math.min(stops.length - 1, at + (e.key === 'ArrowDown' ? 1 : -1)))]?.focus();
}

/** @param {{ keys: Key[], onClose: () => void }} p */
export function SearchDialog({ keys, onClose }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(false);
  const field = useRef(/** @type {HTMLInputElement|null} */ (null));
  const found = useFound(text);
  const wanted = text.trim().toLowerCase();
  const commands = wanted ? keys.filter((k) => k.does.toLowerCase().includes(wanted)).slice(0, 8) : [];
  useEffect(() => field.current?.focus(), []);
  const first = found.items[0];
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    setChosen(text.trim() !== '');
  };
  // Enter before the response opens the first result when it arrives.
  useEffect(() => {
    if (!chosen || found.asked !== text) return;
    setChosen(false);
    if (first) leave(() => go(address(first)));
    else if (commands[0]) leave(commands[0].run);
  }, [chosen, found, text]);
  const leave = (/** @type {() => void} */ then) => {
    onClose();
    requestAnimationFrame(then);
  };
  return html`
    <${Dialog} title="Search everything" onClose=${onClose} wide>
      <form class="search" onSubmit=${submit} onKeyDown=${walk} role="search">
        <label class="hidden" for="everything">Workloads, kernels, plans, runs, designs, commands</label>
        <input id="everything" ref=${field} type="search" maxlength="200" autocomplete="off" placeholder="Workloads, kernels, plans, runs, designs, commands" value=${text}
          onInput=${(/** @type {any} */ e) => { setText(e.target.value); setChosen(false); }} />
        <p class="hidden" role="status">${found.asked && `${found.items.length + commands.length} found`}</p>
        ${found.error ? html`<${Trouble} error=${found.error} what="search" />` : null}
        <ul class="found">
          ${found.items.map((i) => html`<li key=${`${i.kind} ${i.id} ${i.kernel}`}><a href=${address(i)} onClick=${onClose}><span class="quiet">${i.kind}</span> <span class="name">${i.name}</span> <span class="quiet">${i.detail}</span></a></li>`)}
          ${commands.map((k) => html`<li key=${k.keys}><button type="button" class="plain" onClick=${() => leave(k.run)}><span class="quiet">command</span> ${k.does} <kbd>${k.keys}</kbd></button></li>`)}
        </ul>
        ${found.asked && found.items.length + commands.length === 0 && !found.error && html`<p class="quiet">No object has “${found.asked.trim()}” in its name.</p>`}
      </form>
    <//>`;
}
