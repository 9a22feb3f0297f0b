// pick.js: chooses files, and shows how to make them.
import { html, useRef } from '../ui/lib.js';
import { copy } from '../ui/clipboard.js';
import { say } from '../ui/toast.js';
import { addFiles } from '../uploads.js';
import { go } from '../nav.js';
import { href } from '../routes.js';

/** @param {{ text?: string, filled?: boolean }} p */
export function FilePicker({ text = 'Choose files', filled }) {
  const field = useRef(/** @type {HTMLInputElement|null} */ (null));
  const chosen = () => {
    const files = [...(field.current?.files ?? [])];
    if (field.current) field.current.value = '';
    if (!files.length) return;
    addFiles(files);
    go(href('upload'));
  };
  return html`<input class="hidden" type="file" multiple ref=${field} onChange=${chosen} aria-label="Files to upload" tabindex="-1" />
    <button type="button" class=${filled ? 'filled' : ''} onClick=${() => field.current?.click()}>${text}</button>`;
}

const COMMANDS = [
  ['Profile your program', 'nsys profile --trace cuda --cuda-graph-trace node --output report python train.py'],
  ['Turn the report into a database', 'nsys export --type sqlite --output report.sqlite report.nsys-rep'],
  ['Send it from there, if the file is far away', 'vivace push report.sqlite'],
];

export function ThreeCommands() {
  return html`<ol class="commands">${COMMANDS.map(([what, line]) => html`<li key=${line}><span>${what}</span> <${CommandLine} line=${line} /></li>`)}</ol>`;
}

/** A line for a terminal, which copies with one click. @param {{ line: string }} p */
export function CommandLine({ line }) {
  return html`<span class="command"><code tabindex="0">${line}</code><button type="button" class="plain" aria-label=${`Copy: ${line}`}
    onClick=${async () => say((await copy(line)) ? 'Copied.' : 'The browser did not allow copying; select the line instead.')}>Copy</button></span>`;
}
