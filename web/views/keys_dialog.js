// keys_dialog.js: lists the key bindings of this page, and switches single-letter shortcuts on or off.
import { html, useState } from '../ui/lib.js';
import { Dialog } from '../ui/dialog.js';
import { allKeys } from '../ui/keys.js';

/** What keys do in a picture that has the focus (charts/frame.js, time_chart.js). @type {[string[], string][]} */
const IN_PICTURES = [[['←', '→'], 'next mark'], [['+', '−', '0'], 'closer, further, all of it'], [['Enter'], 'pin what is read'], [['t'], 'its table'], [['e'], 'what can be taken away']];

/** @param {string[]} keys @param {string} does */
const row = (keys, does) => html`<tr key=${does}><th scope="row">${keys.map((x) => html`<kbd>${x}</kbd> `)}</th><td>${does}</td></tr>`;

/** @param {{ onClose: () => void }} p */
export function KeysDialog({ onClose }) {
  const [off, setOff] = useState(localStorage.getItem('keys') === 'off');
  const pictures = document.querySelector(':is(.host, .timehost)[tabindex]');
  const turn = () => {
    localStorage.setItem('keys', off ? 'on' : 'off');
    setOff(!off);
  };
  return html`
    <${Dialog} title="Keys of this page" onClose=${onClose}>
      <table class="keys"><caption class="hidden">Keys of this page</caption><tbody>${[...allKeys().map((k) => row(k.keys.split(' '), k.does)), row(['Enter'], 'open the row'), row(['Esc'], 'close, clear')]}</tbody></table>
      ${pictures && html`<table class="keys"><caption>In a picture, once Tab has come to it</caption><tbody>${IN_PICTURES.map(([keys, does]) => row(keys, does))}</tbody></table>`}
      <p><label><input type="checkbox" checked=${off} onChange=${turn} /> Single letters do nothing</label></p>
    <//>`;
}
