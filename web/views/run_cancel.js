// run_cancel.js: a cancelled run cannot be restored, so the page asks for confirmation, and the server cancels ten
// seconds later. Until then every tab shows it, and anybody who may cancel can undo it.
import { html, useEffect, useRef, useState } from '../ui/lib.js';
import { Dialog } from '../ui/dialog.js';
import { useSubmit } from '../ui/submit.js';
import { say } from '../ui/toast.js';
import { moment, plural } from '../ui/format.js';
import * as api from '../api.js';

/** @typedef {import('../types.js').Run} Run */

const UNDO_S = 10;

/** The button to cancel, or to undo. @param {{ run: Run, onDone: (r: Run) => void }} p */
export function Cancel({ run, onDone }) {
  const [asking, setAsking] = useState(false);
  const mine = useRef(false); // asked for here: the button to undo gets the focus
  if (run.cancel_at) return html`<${Undo} run=${run} focused=${mine.current} onDone=${onDone} />`;
  const done = (/** @type {Run} */ r) => {
    mine.current = true;
    onDone(r);
  };
  return html`<button type="button" aria-haspopup="dialog" onClick=${() => setAsking(true)}>Cancel…</button>
    ${asking && html`<${CancelDialog} run=${run} onDone=${done} onClose=${() => setAsking(false)} />`}`;
}

/** @param {{ run: Run, onDone: (r: Run) => void, onClose: () => void }} p */
function CancelDialog({ run, onDone, onClose }) {
  const { busy, problem, submit } = useSubmit();
  const { leased, ready, blocked, done } = run.counts;
  const late = (/** @type {Run} */ r) => {
    onDone(r);
    return 'The run is paused. It is cancelled in ten seconds.';
  };
  const go = () => submit(() => api.cancelRun(run.id, { after_s: UNDO_S }), { late, done: (r) => {
    onClose();
    onDone(r);
  } });
  return html`<${Dialog} title="Cancel this run?" onClose=${onClose}>
    <p>${plural(ready + blocked + leased, 'job')} will not be simulated. ${done === 0 ? 'No result has arrived yet.' : `The ${plural(done, 'result')} that arrived ${done === 1 ? 'stays' : 'stay'}.`}</p>
    <p class="quiet">The run is paused now and cancelled in ten seconds, also if this page is closed. Until then it can be undone.</p>
    ${problem && html`<p class="field-problem" role="alert"><strong>${problem.message}</strong> ${problem.hint}</p>`}
    <p class="next"><button type="button" class="bad" disabled=${busy} onClick=${go}>Cancel the run</button> <button type="button" onClick=${onClose}>Keep it</button></p><//>`;
}

/** @param {{ run: Run, focused: boolean, onDone: (r: Run) => void }} p */
function Undo({ run, focused, onDone }) {
  const button = useRef(/** @type {HTMLButtonElement|null} */ (null));
  useEffect(() => { if (focused) button.current?.focus(); }, []);
  const undo = async () => {
    try {
      const now = await api.undoCancelRun(run.id);
      onDone(now);
      say(now.state === 'running' ? 'The run continues.' : 'The run stays paused.');
    } catch (e) {
      const p = /** @type {api.Problem} */ (e);
      say(`${p.message} ${p.hint}`, 'bad');
    }
  };
  return html`<button type="button" class="filled" ref=${button} onClick=${undo}>Undo cancelling</button>`;
}

/** Why the run is paused, and until when. @param {{ run: Run }} p */
export const CancelNotice = ({ run }) => (run.cancel_at
  ? html`<p class="notice warn" role="status">Paused, and cancelled at <time datetime=${run.cancel_at} title=${moment(run.cancel_at)}>${moment(run.cancel_at).slice(11, 19)}</time>. ${api.may('write') && 'Select “Undo cancelling” to keep the run.'}</p>`
  : null);
