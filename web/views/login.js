// login.js: a token becomes a session. The token is sent once and kept nowhere in the page.
import { html, useRef, useState } from '../ui/lib.js';
import { Page } from '../ui/page.js';
import * as api from '../api.js';

/** @param {{ onDone: (s: import('../types.js').Session) => void }} p */
export function LoginView({ onDone }) {
  const [problem, setProblem] = useState(/** @type {api.Problem|null} */ (null));
  const [busy, setBusy] = useState(false);
  const field = useRef(/** @type {HTMLInputElement|null} */ (null));
  const enter = async (/** @type {Event} */ e) => {
    e.preventDefault();
    const token = field.current?.value.trim() ?? '';
    if (!token) {
      setProblem(new api.Problem({ detail: 'The field is empty.', hint: 'Paste a token; it begins with vvc_.' }));
      field.current?.focus();
      return;
    }
    setBusy(true);
    setProblem(null);
    try {
      onDone(await api.session.open(token));
    } catch (err) {
      const p = /** @type {api.Problem} */ (err);
      setProblem(p.status === 401 ? new api.Problem({ detail: 'The server does not know this token.', hint: 'It may be mistyped, expired or revoked.', request_id: p.requestId }) : p);
      setBusy(false);
      field.current?.select();
    }
  };
  return html`
    <${Page} title="Log in">
      <form class="panel login" onSubmit=${enter}>
        <label for="token">Access token</label>
        <input id="token" ref=${field} type="password" autocomplete="current-password" spellcheck="false" placeholder="vvc_…" aria-describedby="token-help" aria-invalid=${problem ? 'true' : undefined} autofocus />
        ${problem && html`<p class="field-problem" role="alert"><strong>${problem.message}</strong> ${problem.hint}${problem.requestId && html`<span class="tiny"> request ${problem.requestId}</span>`}</p>`}
        <p id="token-help" class="quiet">The first start of the server prints an owner token once and keeps it in <code>admin-token</code> in its state folder. An owner makes tokens for others.</p>
        <p><button class="filled" disabled=${busy}>${busy ? 'Asking the server…' : 'Log in'}</button></p>
      </form>
    <//>`;
}
