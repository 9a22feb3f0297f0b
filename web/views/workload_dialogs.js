// workload_dialogs.js: actions on a workload: rename, archive, delete.
import { html, useState } from '../ui/lib.js';
import { Dialog } from '../ui/dialog.js';
import { useSubmit } from '../ui/submit.js';
import { Faces } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { say } from '../ui/toast.js';
import { plural } from '../ui/format.js';
import * as api from '../api.js';

/** @typedef {{ id: string, name: string }} Named */
/** @param {{ problem: api.Problem|null }} p */
const Problem = ({ problem }) => problem && html`<p class="field-problem" role="alert"><strong>${problem.message}</strong> ${problem.hint}</p>`;

/** @param {{ workload: Named, onClose: () => void, onDone: () => void }} p */
export function RenameDialog({ workload, onClose, onDone }) {
  const [name, setName] = useState(workload.name);
  const { busy, problem, submit } = useSubmit();
  const rename = (/** @type {Event} */ e) => {
    e.preventDefault();
    submit(() => api.changeWorkload(workload.id, { name: name.trim() }), {
      done: () => {
        onClose();
        onDone();
      },
      late: () => {
        onDone();
        return `${workload.name} is now called ${name.trim()}.`;
      },
    });
  };
  return html`<${Dialog} title=${`Rename ${workload.name}`} onClose=${onClose}><form class="form" onSubmit=${rename}>
    <label for="workload-name">Name</label><input id="workload-name" value=${name} maxlength="200" required autocomplete="off" autofocus onInput=${(/** @type {any} */ e) => setName(e.target.value)} />
    <p class="quiet across">Reports that are uploaded under the old name make a workload of that name again.</p>
    <${Problem} problem=${problem} />
    <p class="next across"><button class="filled" disabled=${busy || name.trim() === ''}>Rename</button></p></form><//>`;
}

/** @param {{ workload: Named, onClose: () => void, onDone: () => void }} p */
export function DeleteDialog({ workload, onClose, onDone }) {
  const load = useLoad((abort) => api.workload(workload.id, abort), [workload.id]);
  const { busy, problem, submit } = useSubmit();
  const deleted = () => {
    onDone();
    return `${workload.name} is deleted.`;
  };
  const remove = () => submit(() => api.deleteWorkload(workload.id), {
    done: () => {
      onClose();
      say(deleted());
    },
    late: deleted,
  });
  return html`<${Dialog} title=${`Delete ${workload.name}?`} onClose=${onClose}>
    <${Faces} load=${load} what="what it holds" height=${60}>${(/** @type {import('../types.js').Workload} */ d) => html`
      <p>Its ${plural(d.profiles.length, 'profile')}, ${plural(d.plans.length, 'plan')} and ${plural(d.runs.length, 'run')} go with it. This cannot be undone; Archive only takes it out of the list.</p>
      <${Problem} problem=${problem} />
      <p class="next"><button type="button" class="bad" disabled=${busy} onClick=${remove}>Delete all of it</button></p>`}<//><//>`;
}

/** Archives it, or restores it. @param {Named & { archived: boolean }} workload @param {() => void} onDone */
export async function turnArchived(workload, onDone) {
  try {
    await api.changeWorkload(workload.id, { archived: !workload.archived });
    say(workload.archived ? `${workload.name} is in the list again.` : `${workload.name} is in the archive; nothing of it is deleted.`);
    onDone();
  } catch (e) {
    const p = /** @type {api.Problem} */ (e);
    say(`${p.message} ${p.hint}`, 'bad');
  }
}
