// team_dialogs.js: dialogs for an invitation and a token. Both make a secret, which is shown once, here.
import { html, useState } from '../ui/lib.js';
import { Dialog } from '../ui/dialog.js';
import { useSubmit } from '../ui/submit.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { CommandLine } from './pick.js';

/** @typedef {import('../types.js').Role} Role */

/** What each role may do, in a few words. @type {Record<Role, string>} */
export const ROLES = { viewer: 'see everything', member: 'also upload, plan and run', owner: 'also manage people, tokens and links' };
/** @type {Record<string, string>} */
const SCOPES = { read: 'see profiles, plans, runs and results', write: 'upload, plan and run', admin: 'manage people, tokens and links' };
const DAYS = [['7', 'in 7 days'], ['30', 'in 30 days'], ['90', 'in 90 days'], ['365', 'in a year']];

/** @param {{ value: string, onChange: (v: string) => void, never?: boolean }} p */
export function Expires({ value, onChange, never = false }) {
  return html`<label for="expires">Ends</label>
    <select id="expires" value=${value} onChange=${(/** @type {any} */ e) => onChange(e.target.value)}>${[...DAYS, ...(never ? [['0', 'when it is removed']] : [])].map(([v, text]) => html`<option key=${v} value=${v}>${text}</option>`)}</select>`;
}

/** A form that creates a secret, then shows it. @template T
 * @param {{ title: string, verb: string, make: () => Promise<T>, onClose: () => void, fields: any, shown: (made: T) => any }} p
 */
export function SecretDialog({ title, verb, make, onClose, fields, shown }) {
  const [made, setMade] = useState(/** @type {T|null} */ (null));
  const { busy, problem, submit } = useSubmit();
  const onSubmit = (/** @type {Event} */ e) => {
    e.preventDefault();
    submit(make, { done: setMade, late: () => 'It was created, but the dialog was closed before it could be shown. Remove it on the team’s page.' });
  };
  return html`<${Dialog} title=${title} onClose=${onClose}>
    ${made !== null ? html`${shown(made)}<p class="next"><button type="button" class="filled" onClick=${onClose}>Done</button></p>` : html`
      <form class="form" onSubmit=${onSubmit}>${fields}
        ${problem && html`<p class="field-problem across" role="alert"><strong>${problem.message}</strong> ${problem.hint}</p>`}
        <p class="across"><button class="filled" disabled=${busy}>${verb}</button></p></form>`}<//>`;
}

/** @param {{ team: string, onClose: () => void }} p */
export function InviteDialog({ team, onClose }) {
  const [role, setRole] = useState(/** @type {Role} */ ('member'));
  const [days, setDays] = useState('7');
  return html`<${SecretDialog} title=${`Invite somebody into ${team}`} verb="Make the invitation" onClose=${onClose} make=${() => api.invite(team, { role, expires_days: Number(days) })}
    fields=${html`<fieldset class="across"><legend>Role</legend>${/** @type {[Role, string][]} */ (Object.entries(ROLES)).map(([r, may]) => html`<label key=${r} class="radio"><input type="radio" name="role" value=${r} checked=${role === r} onChange=${() => setRole(r)} /><span><strong>${r}</strong><span class="quiet">may ${may}</span></span></label>`)}</fieldset>
      <${Expires} value=${days} onChange=${setDays} />`}
    shown=${(/** @type {import('../types.js').Invitation} */ made) => html`<p>Send this address to one person; it lets one account join as ${made.role}, once. It is not shown again.</p>
      <p><${CommandLine} line=${`${location.origin}${href('join')}#${made.invitation}`} /></p>`} />`;
}

/** @typedef {import('../types.js').TokenRequest['scopes']} Scopes */
/** @param {{ session: import('../types.js').Credential, onClose: () => void }} p */
export function TokenDialog({ session, onClose }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState(/** @type {Scopes} */ (['read', 'write']).filter((s) => session.scopes.includes(s)));
  const [days, setDays] = useState('90');
  const [whose, setWhose] = useState(/** @type {'me'|'team'} */ (session.user ? 'me' : 'team'));
  const owner = session.scopes.includes('admin');
  const make = () => {
    if (name.trim() === '') throw new api.Problem({ detail: 'The token has no name.', hint: 'Say what will use it: a name is how it is found again.' });
    if (scopes.length === 0) throw new api.Problem({ detail: 'The token may do nothing.', hint: 'Choose at least one of the boxes.' });
    return api.createToken({ name: name.trim(), scopes, expires_days: Number(days), for: whose });
  };
  const toggle = (/** @type {Scopes[number]} */ s) => setScopes(scopes.includes(s) ? scopes.filter((x) => x !== s) : [...scopes, s]);
  return html`<${SecretDialog} title="Make a token" verb="Make it" onClose=${onClose} make=${async () => make()}
    fields=${html`<label for="token-name">Name</label><input id="token-name" value=${name} onInput=${(/** @type {any} */ e) => setName(e.target.value)} autocomplete="off" placeholder="nightly profiles" />
      <fieldset class="across"><legend>It may</legend>${/** @type {[Scopes[number], string][]} */ (Object.entries(SCOPES)).filter(([s]) => session.scopes.includes(s)).map(([s, may]) => html`<label key=${s} class="radio"><input type="checkbox" checked=${scopes.includes(s)} onChange=${() => toggle(s)} /><span><strong>${s}</strong><span class="quiet">${may}</span></span></label>`)}</fieldset>
      ${session.user && owner && html`<label for="token-whose">It is</label><select id="token-whose" value=${whose} onChange=${(/** @type {any} */ e) => setWhose(e.target.value)}><option value="me">mine: ends with my membership</option><option value="team">the team’s</option></select>`}
      <${Expires} value=${days} onChange=${setDays} never />`}
    shown=${(/** @type {{ token: string }} */ made) => html`<p>This is the token. Only its first characters are kept, so copy it now.</p>
      <p><${CommandLine} line=${`export VIVACE_SERVER=${location.origin} VIVACE_TOKEN=${made.token}`} /></p>`} />`;
}
