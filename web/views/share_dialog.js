// share_dialog.js: a link that gives everyone who has it read access to this page.
import { html, useState } from '../ui/lib.js';
import * as api from '../api.js';
import { CommandLine } from './pick.js';
import { Expires, SecretDialog } from './team_dialogs.js';

/** @param {{ kind: 'run'|'plan'|'profile', id: string, name: string, onClose: () => void }} p */
export function ShareDialog({ kind, id, name, onClose }) {
  const [label, setLabel] = useState(name);
  const [days, setDays] = useState('30');
  const [frozen, setFrozen] = useState(false);
  const [hide, setHide] = useState(false);
  return html`<${SecretDialog} title=${`Share this ${kind}`} verb="Make the link" onClose=${onClose}
    make=${() => api.createShare({ kind, object: id, name: label.trim(), expires_days: Number(days), frozen, hide_names: hide })}
    fields=${html`<p class="across quiet">Members of the team only need the address of this page. A link is for others: it is read only and shows this ${kind}${kind === 'run' ? ' and the plan behind it' : ''}, nothing else.</p>
      <label for="share-name">Name</label><input id="share-name" value=${label} onInput=${(/** @type {any} */ e) => setLabel(e.target.value)} autocomplete="off" />
      <${Expires} value=${days} onChange=${setDays} />
      <label class="radio across"><input type="checkbox" checked=${frozen} onChange=${() => setFrozen(!frozen)} /><span><strong>frozen</strong><span class="quiet">keeps showing what you see now</span></span></label>
      <label class="radio across"><input type="checkbox" checked=${hide} onChange=${() => setHide(!hide)} /><span><strong>names hidden</strong><span class="quiet">labels instead of the names of kernels, files and people</span></span></label>`}
    shown=${(/** @type {{ url: string }} */ made) => html`<p>Everyone with this address can read the ${kind}. It is not shown again; take it back on the team’s page.</p><p><${CommandLine} line=${made.url} /></p>`} />`;
}

/** The button of a page; only for users who may make links. @param {{ kind: 'run'|'plan'|'profile', id: string, name: string }} p */
export function ShareButton(p) {
  const [open, setOpen] = useState(false);
  if (!api.may('admin')) return null;
  return html`<button type="button" aria-haspopup="dialog" onClick=${() => setOpen(true)}>Share…</button>${open && html`<${ShareDialog} ...${p} onClose=${() => setOpen(false)} />`}`;
}
