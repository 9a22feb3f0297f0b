// share_dialog.js: a link that gives everyone who has it read access to this page.
import { html, useState } from '../ui/lib.js';
import * as api from '../api.js';
import { CommandLine } from './pick.js';
import { Expires, SecretDialog } from './team_dialogs.js';

/** `id` of a run, plan or profile; `question` of a comparison.
 * @typedef {{ kind: 'run'|'plan'|'profile'|'compare', id?: string, question?: import('../types.js').ShareQuestion, name: string }} Shown */

const WHAT = { run: 'run', plan: 'plan', profile: 'profile', compare: 'comparison' };

/** What the link shows. @param {Shown} p */
function scopeOf({ kind, question }) {
  if (kind === 'run') return 'this run and the plan behind it';
  if (kind === 'compare') return `this comparison: totals, differences, kernels and ${question?.all_parameters ? 'all parameters of the designs' : 'the parameters in which the designs differ'}`;
  return `this ${WHAT[kind]}`;
}

/** @param {Shown & { onClose: () => void }} p */
export function ShareDialog({ onClose, ...of }) {
  const { kind, id, question, name } = of;
  const [label, setLabel] = useState(name);
  const [days, setDays] = useState('30');
  const [frozen, setFrozen] = useState(false);
  const [hide, setHide] = useState(false);
  return html`<${SecretDialog} title=${`Share this ${WHAT[kind]}`} verb="Make the link" onClose=${onClose}
    make=${() => api.createShare({ kind, ...(question ? { question } : { object: id }), name: label.trim(), expires_days: Number(days), frozen, hide_names: hide })}
    fields=${html`<p class="across quiet">Members of the team only need the address of this page. A link is for others: it is read only and shows ${scopeOf(of)}, nothing else.</p>
      <label for="share-name">Name</label><input id="share-name" value=${label} onInput=${(/** @type {any} */ e) => setLabel(e.target.value)} autocomplete="off" />
      <${Expires} value=${days} onChange=${setDays} />
      <label class="radio across"><input type="checkbox" checked=${frozen} onChange=${() => setFrozen(!frozen)} /><span><strong>frozen</strong><span class="quiet">keeps showing what you see now</span></span></label>
      <label class="radio across"><input type="checkbox" checked=${hide} onChange=${() => setHide(!hide)} /><span><strong>names hidden</strong><span class="quiet">labels instead of the names of kernels, files and people</span></span></label>`}
    shown=${(/** @type {{ url: string }} */ made) => html`<p>Everyone with this address can read the ${WHAT[kind]}. It is not shown again; take it back on the team’s page.</p><p><${CommandLine} line=${made.url} /></p>`} />`;
}

/** The button of a page; only for users who may make links. @param {Shown} p */
export function ShareButton(p) {
  const [open, setOpen] = useState(false);
  if (!api.may('admin')) return null;
  return html`<button type="button" aria-haspopup="dialog" onClick=${() => setOpen(true)}>Share…</button>${open && html`<${ShareDialog} ...${p} onClose=${() => setOpen(false)} />`}`;
}
