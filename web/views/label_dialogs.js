// label_dialogs.js: dialogs of label.js.
import { html, useState } from '../ui/lib.js';
import { Dialog } from '../ui/dialog.js';
import { Faces } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { useSubmit } from '../ui/submit.js';
import { say } from '../ui/toast.js';
import { plural } from '../ui/format.js';
import { go } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { changeLabel, listOf } from './label.js';

/** @typedef {{ kind: import('./label.js').Kind, of: import('./label.js').Labelled, title: string, onClose: () => void, onDone: () => void }} Props */

/** @param {{ problem: api.Problem|null }} p */
const Problem = ({ problem }) => problem && html`<p class="field-problem" role="alert"><strong>${problem.message}</strong> ${problem.hint}</p>`;
/** "paper, L2" as tags. @param {string} text */
const tagsOf = (text) => text.split(',').map((t) => t.trim()).filter(Boolean);

/** @param {Props} p */
export function LabelDialog({ kind, of, onClose, onDone }) {
  const [name, setName] = useState(of.label.name);
  const [tags, setTags] = useState(of.label.tags.join(', '));
  const [note, setNote] = useState(of.label.note);
  const { busy, problem, submit } = useSubmit();
  const send = (/** @type {Event} */ e) => {
    e.preventDefault();
    submit(() => changeLabel(kind, of.id, { name: name.trim(), tags: tagsOf(tags), note: note.trim() }), {
      done: () => {
        onClose();
        onDone();
      },
      late: () => {
        onDone();
        return 'Name, tags and note are saved.';
      },
    });
  };
  return html`<${Dialog} title=${`Name, tags and note of this ${kind}`} onClose=${onClose}><form class="form" onSubmit=${send}>
    <label for="label-name">Name</label><input id="label-name" value=${name} maxlength="200" autocomplete="off" autofocus onInput=${(/** @type {any} */ e) => setName(e.target.value)} />
    <label for="label-tags">Tags</label><input id="label-tags" value=${tags} placeholder="paper, L2" autocomplete="off" onInput=${(/** @type {any} */ e) => setTags(e.target.value)} />
    <label for="label-note">Note</label><textarea id="label-note" rows="4" maxlength="4000" value=${note} onInput=${(/** @type {any} */ e) => setNote(e.target.value)}></textarea>
    <${Problem} problem=${problem} />
    <p class="next across"><button class="filled" disabled=${busy}>Save</button></p></form><//>`;
}

/** @type {Record<string, string>} */
const ENDS = { run: 'is deleted with it', share: 'shows nothing afterwards', pilot: 'stays, without its run' };

/** @param {Props} p */
export function DeleteDialog({ kind, of, title, onClose }) {
  const load = useLoad((abort) => (kind === 'run' ? api.runDependents(of.id, abort) : api.planDependents(of.id, abort)), [of.id]);
  const { busy, problem, submit } = useSubmit();
  const remove = () => submit(() => (kind === 'run' ? api.deleteRun(of.id) : api.deletePlan(of.id)), {
    done: () => {
      onClose();
      say(`The ${kind} is deleted.`);
      go(href(listOf(kind)));
    },
    late: () => `The ${kind} is deleted.`,
  });
  return html`<${Dialog} title=${`Delete this ${kind}?`} onClose=${onClose}>
    <p class="quiet">${title}</p>
    <${Faces} load=${load} what="its dependent objects" height=${60}>${(/** @type {{ items: import('../types.js').Dependent[] }} */ { items }) => html`
      ${items.length === 0 ? html`<p>Nothing depends on it.</p>` : html`<p>${plural(items.length, 'thing')} ${items.length === 1 ? 'depends' : 'depend'} on it:</p>
        <ul class="dependents">${items.map((d) => html`<li key=${d.id}>${{ run: 'Run', share: 'Link', pilot: 'Pilot' }[d.kind]} ${d.name ? `“${d.name}”` : ''} <span class="quiet">${ENDS[d.kind]}</span></li>`)}</ul>`}
      <p class="quiet">Results stay, and count for other runs. This cannot be undone; Archive only takes it out of the list.</p>
      <${Problem} problem=${problem} />
      <p class="next"><button type="button" class="bad" disabled=${busy} onClick=${remove}>Delete the ${kind}</button> <button type="button" onClick=${onClose}>Keep it</button></p>`}<//><//>`;
}
