// login.js: creates a session from a name and password, or from a token. They are sent once and not stored in the page.
import { html, useRef, useState } from '../ui/lib.js';
import { Page } from '../ui/page.js';
import * as api from '../api.js';

/** The server's message about wrong credentials, worded for the user. @param {boolean} token @param {api.Problem} p */
function wrong(token, p) {
  if (p.status !== 401) return p;
  return new api.Problem(token
    ? { detail: 'The server does not know this token.', hint: 'It may be mistyped, expired or revoked.', request_id: p.requestId }
    : { detail: 'User name and password do not belong together.', hint: 'An owner of your team can invite you again, a site admin can set a password.', request_id: p.requestId });
}

/** @param {{ onDone: (s: import('../types.js').Credential) => void }} p */
export function LoginView({ onDone }) {
  const [way, setWay] = useState(localStorage.getItem('login') ?? 'token'); // a new farm has no accounts yet
  const token = way === 'token';
  const [problem, setProblem] = useState(/** @type {api.Problem|null} */ (null));
  const [busy, setBusy] = useState(false);
  const form = useRef(/** @type {HTMLFormElement|null} */ (null));
  const enter = async (/** @type {Event} */ e) => {
    e.preventDefault();
    const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.current?.elements.namedItem(name));
    const secret = field(token ? 'token' : 'password').value;
    const user = token ? '' : field('user').value.trim();
    if (token ? !secret.trim() : !user || !secret) {
      setProblem(new api.Problem({ detail: 'A field is empty.', hint: token ? 'Paste a token; it begins with vvc_.' : 'Type both, the name and the password.' }));
      return;
    }
    setBusy(true);
    setProblem(null);
    try {
      onDone(await api.openSession(token ? { token: secret.trim() } : { user, password: secret }));
    } catch (err) {
      setProblem(wrong(token, /** @type {api.Problem} */ (err)));
      setBusy(false);
      field(token ? 'token' : 'password').select();
    }
  };
  const turn = (/** @type {string} */ to) => {
    setProblem(null);
    setWay(to);
    localStorage.setItem('login', to);
  };
  return html`
    <${Page} title="Log in">
      <form class="panel login" ref=${form} onSubmit=${enter}>
        <div class="switch" role="group" aria-label="How">${[['password', 'Name and password'], ['token', 'Access token']].map(([how, text]) => html`
          <button key=${how} type="button" aria-pressed=${way === how} onClick=${() => turn(how)}>${text}</button>`)}</div>
        ${token ? html`<label for="token">Access token</label>
          <input id="token" key="token" name="token" type="password" autocomplete="current-password" spellcheck="false" placeholder="vvc_…" aria-describedby="login-help" aria-invalid=${problem ? 'true' : undefined} autofocus />`
        : html`<label for="user">User name</label>
          <input id="user" key="user" name="user" autocomplete="username" spellcheck="false" autocapitalize="none" autofocus />
          <label for="password">Password</label>
          <input id="password" key="password" name="password" type="password" autocomplete="current-password" aria-describedby="login-help" aria-invalid=${problem ? 'true' : undefined} />`}
        ${problem && html`<p class="field-problem" role="alert"><strong>${problem.message}</strong> ${problem.hint}${problem.requestId && html`<span class="tiny"> request ${problem.requestId}</span>`}</p>`}
        <p id="login-help" class="quiet">${token ? html`The first start of the server prints an owner token once and keeps it in <code>admin-token</code> in its state folder. An owner creates tokens for other users.`
          : html`Accounts come by invitation from an owner of a team. On a new farm no account exists yet: log in with the <button type="button" class="link" onClick=${() => turn('token')}>access token</button> that the first start of the server printed.`}</p>
        <p><button class="filled" disabled=${busy}>${busy ? 'Asking the server…' : 'Log in'}</button></p>
      </form>
    <//>`;
}
