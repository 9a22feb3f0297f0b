// join.js: an invitation becomes a membership. Its secret is after the #, so browsers do not send it to servers and
// it is in no log.
import { html, useState } from '../ui/lib.js';
import { Page } from '../ui/page.js';
import { go } from '../nav.js';
import { href } from '../routes.js';
import { say } from '../ui/toast.js';
import * as api from '../api.js';

/** @param {{ session: import('../types.js').Credential|null, onDone: (s: import('../types.js').Credential) => void }} p */
export function JoinView({ session, onDone }) {
  const [invitation, setInvitation] = useState(location.hash.slice(1));
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const [fresh, setFresh] = useState(!session?.user);
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState(false);
  const enter = async (/** @type {Event} */ e) => {
    e.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const who = await api.join(fresh ? { invitation: invitation.trim(), user: user.trim(), password } : { invitation: invitation.trim() });
      history.replaceState(null, '', location.pathname);
      onDone(who);
      say(`You are ${who.role} of team ${who.team} now.`);
      go(href('workloads'));
    } catch (err) {
      setProblem(err);
      setBusy(false);
    }
  };
  const text = (/** @type {string} */ id, /** @type {string} */ label, /** @type {string} */ value, /** @type {(v: string) => void} */ take, /** @type {any} */ more) => html`
    <label for=${id}>${label}</label><input id=${id} value=${value} onInput=${(/** @type {any} */ e) => take(e.target.value)} spellcheck="false" required ...${more} />`;
  return html`<${Page} title="Join a team">
    <form class="panel login" onSubmit=${enter}>
      ${text('invitation', 'Invitation', invitation, setInvitation, { type: 'password', autocomplete: 'off' })}
      ${session?.user && html`<label class="radio"><input type="checkbox" checked=${!fresh} onChange=${() => setFresh(!fresh)} /><span>Join as ${session.user}, the account you are logged in with</span></label>`}
      ${fresh && html`${text('join-user', 'User name', user, setUser, { autocomplete: 'username' })}${text('join-password', 'Password', password, setPassword, { type: 'password', autocomplete: 'new-password', 'aria-describedby': 'join-help' })}
        <p id="join-help" class="quiet">A new account. Twelve characters or more; a sentence is fine.</p>`}
      ${problem && html`<p class="field-problem" role="alert"><strong>${problem.message}</strong> ${problem.hint}</p>`}
      <p><button class="filled" disabled=${busy}>${busy ? 'Asking the server…' : 'Join'}</button></p>
    </form><//>`;
}
