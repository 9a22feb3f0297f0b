// run_cancel.js: a cancelled run cannot be restored, so the page asks for confirmation and allows undo for ten
// seconds. Meanwhile the run is paused; if the tab is closed, it stays paused.
import { html, signal, useEffect, useRef, useState } from '../ui/lib.js';
import { Dialog } from '../ui/dialog.js';
import { useSubmit } from '../ui/submit.js';
import { say } from '../ui/toast.js';
import { plural } from '../ui/format.js';
import * as api from '../api.js';

/** @typedef {import('../types.js').Run} Run @typedef {{ run: string, resume: boolean, timer: number, onDone: (r: Run) => void }} Pending `resume`: it was running */

const UNDO_MS = 10000;
/** Runs that are about to be cancelled, by their id. */
const pending = signal(/** @type {ReadonlyMap<string, Pending>} */ (new Map()));
/** @param {string} run @param {Pending|null} next */
function put(run, next) {
  const all = new Map(pending.value);
  if (next) all.set(run, next);
  else all.delete(run);
  pending.value = all;
}

/** Pauses the run and starts the time to undo. @param {Run} run as it was @param {(r: Run) => void} onDone */
const begin = (run, onDone) => put(run.id, { run: run.id, resume: run.state === 'running', timer: setTimeout(() => finish(run.id), UNDO_MS), onDone });

/** Called when the time to undo is over. @param {string} id */
async function finish(id) {
  const asked = pending.value.get(id);
  put(id, null);
  try {
    const now = await api.run(id);
    if (now.state !== 'paused') {
      asked?.onDone(now);
      say(`The run is ${now.state} meanwhile, and was not cancelled.`, 'bad');
      return;
    }
    asked?.onDone(await api.cancelRun(id));
    say('The run is cancelled.');
  } catch (e) {
    const p = /** @type {api.Problem} */ (e);
    say(`The run is paused, not cancelled. ${p.message} ${p.hint}`, 'bad');
  }
}

/** The button to cancel, or to undo. @param {{ run: Run, onDone: (r: Run) => void }} p */
export function Cancel({ run, onDone }) {
  const [asking, setAsking] = useState(false);
  const asked = pending.value.get(run.id);
  if (asked) return html`<${Undo} asked=${asked} onDone=${onDone} />`;
  return html`<button type="button" aria-haspopup="dialog" onClick=${() => setAsking(true)}>Cancel…</button>
    ${asking && html`<${CancelDialog} run=${run} onDone=${onDone} onClose=${() => setAsking(false)} />`}`;
}

/** @param {{ run: Run, onDone: (r: Run) => void, onClose: () => void }} p */
function CancelDialog({ run, onDone, onClose }) {
  const { busy, problem, submit } = useSubmit();
  const { leased, ready, blocked, done } = run.counts;
  const late = (/** @type {Run} */ r) => {
    begin(run, onDone);
    onDone(r);
    return 'The run is paused. It is cancelled in ten seconds.';
  };
  const go = () => submit(async () => (run.state === 'running' ? api.pauseRun(run.id) : run), { late, done: (r) => {
    onClose();
    late(r);
  } });
  return html`<${Dialog} title="Cancel this run?" onClose=${onClose}>
    <p>${plural(ready + blocked + leased, 'job')} will not be simulated. ${done === 0 ? 'No result has arrived yet.' : `The ${plural(done, 'result')} that arrived ${done === 1 ? 'stays' : 'stay'}.`}</p>
    <p class="quiet">The run is paused now and cancelled in ten seconds. Until then it can be undone.</p>
    ${problem && html`<p class="field-problem" role="alert"><strong>${problem.message}</strong> ${problem.hint}</p>`}
    <p class="next"><button type="button" class="bad" disabled=${busy} onClick=${go}>Cancel the run</button> <button type="button" onClick=${onClose}>Keep it</button></p><//>`;
}

/** @param {{ asked: Pending, onDone: (r: Run) => void }} p */
function Undo({ asked, onDone }) {
  const button = useRef(/** @type {HTMLButtonElement|null} */ (null));
  useEffect(() => button.current?.focus(), []);
  const undo = async () => {
    clearTimeout(asked.timer);
    put(asked.run, null);
    try {
      if (asked.resume) onDone(await api.resumeRun(asked.run));
      say(asked.resume ? 'The run goes on.' : 'The run stays paused.');
    } catch (e) {
      const p = /** @type {api.Problem} */ (e);
      say(`The run stays paused. ${p.message} ${p.hint}`, 'bad');
    }
  };
  return html`<button type="button" class="filled" ref=${button} onClick=${undo}>Undo cancelling</button>`;
}

/** Why the run is paused. @param {{ run: Run }} p */
export const CancelNotice = ({ run }) => (pending.value.has(run.id) ? html`<p class="notice warn" role="status">Paused, and cancelled in ten seconds. “Undo cancelling” keeps it.</p>` : null);
/** @param {string} run */
export const isCancelling = (run) => pending.value.has(run);
