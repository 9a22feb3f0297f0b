// label.js: what users give to runs and plans: a name, tags, a note; archiving and deleting them.
import { html, useState } from '../ui/lib.js';
import { LaterDialog } from '../ui/later.js';
import { Menu } from '../ui/menu.js';
import { say } from '../ui/toast.js';
import { href } from '../routes.js';
import * as api from '../api.js';

/** @typedef {import('../types.js').Label} Label @typedef {'run'|'plan'} Kind @typedef {{ id: string, label: Label }} Labelled */

/** Of a list. @param {Kind} kind */
export const listOf = (kind) => (kind === 'run' ? 'runs' : 'plans');
/** @param {Kind} kind @param {string} id @param {import('../types.js').LabelChange} to */
export const changeLabel = (kind, id, to) => (kind === 'run' ? api.changeRun(id, to) : api.changePlan(id, to));

/** Tags, each a link to all that have it. @param {{ kind: Kind, tags: string[] }} p */
export const Tags = ({ kind, tags }) => tags.map((tag) => html` <a key=${tag} class="tag" href=${href(listOf(kind), {}, { tag })}>${tag}</a>`);

/** Name and tags, in a table. @param {{ kind: Kind, label: Label }} p */
export const LabelCell = ({ kind, label }) => html`<span class="name" title=${label.note || undefined}>${label.name}</span><${Tags} kind=${kind} tags=${label.tags} />`;

/** Tags and note, under the title. A visitor with a share link has no lists. Documents frozen before labels existed have none.
 * @param {{ kind: Kind, label: Label|undefined }} p */
export function LabelLine({ kind, label }) {
  if (!label) return null;
  const tags = api.who.value?.share ? [] : label.tags;
  if (tags.length === 0 && !label.note && !label.archived) return null;
  return html`<p class="labels">${label.archived && html`<span class="tag warn">archived</span>`}<${Tags} kind=${kind} tags=${tags} />${label.note && html` <span class="quiet">${label.note}</span>`}</p>`;
}

/** @param {{ kind: Kind, of: Labelled, title: string, onDone: () => void }} p */
export function LabelMenu({ kind, of, title, onDone }) {
  const [asked, setAsked] = useState(/** @type {''|'Label'|'Delete'} */ (''));
  if (!api.may('write')) return null;
  const archive = async () => {
    try {
      await changeLabel(kind, of.id, { archived: !of.label.archived });
      say(of.label.archived ? `The ${kind} is in the list again.` : `The ${kind} is in the archive; nothing of it is deleted.`);
      onDone();
    } catch (e) {
      const p = /** @type {api.Problem} */ (e);
      say(`${p.message} ${p.hint}`, 'bad');
    }
  };
  const items = [
    { text: 'Name, tags, note…', run: () => setAsked('Label') },
    { text: of.label.archived ? 'Take out of the archive' : 'Archive', run: archive },
    { text: 'Delete…', run: () => setAsked('Delete') },
  ];
  return html`<${Menu} label=${`More to do with this ${kind}`} text="More" items=${items} />
    ${asked && html`<${LaterDialog} key=${asked} get=${async () => (await import('./label_dialogs.js'))[`${asked}Dialog`]} what="The dialog" kind=${kind} of=${of} title=${title} onClose=${() => setAsked('')} onDone=${onDone} />`}`;
}
