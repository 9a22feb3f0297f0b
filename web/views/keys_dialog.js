// keys_dialog.js: what keys do on this page, and whether single letters do anything.
import { html, useState } from '../ui/lib.js';
import { Dialog } from '../ui/dialog.js';
import { allKeys } from '../ui/keys.js';

/** @param {{ onClose: () => void }} p */
export function KeysDialog({ onClose }) {
  const [off, setOff] = useState(localStorage.getItem('keys') === 'off');
  const turn = () => {
    localStorage.setItem('keys', off ? 'on' : 'off');
    setOff(!off);
  };
  return html`
    <${Dialog} title="Keys of this page" onClose=${onClose}>
      <table class="keys"><caption class="hidden">Keys of this page</caption><tbody>${allKeys().map((k) => html`<tr key=${k.keys}><th scope="row">${k.keys.split(' ').map((x) => html`<kbd>${x}</kbd> `)}</th><td>${k.does}</td></tr>`)}
        <tr><th scope="row"><kbd>Enter</kbd></th><td>open the row</td></tr><tr><th scope="row"><kbd>Esc</kbd></th><td>close, clear</td></tr></tbody></table>
      <p><label><input type="checkbox" checked=${off} onChange=${turn} /> Single letters do nothing</label></p>
    <//>`;
}
