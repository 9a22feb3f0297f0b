// submit.js: a request of a dialog. If the dialog is closed before the response, no page opens; a message at the
// bottom of the page reports the result.
import { useLayoutEffect, useRef, useState } from './lib.js';
import { say } from './toast.js';

/** `done`: called while the dialog is open. `late`: called after it was closed; returns the message. `of`: names the
 * request in a late error message.
 * @template T @typedef {{ done: (answer: T) => void, late: (answer: T) => string, of?: string }} Then */

/** @returns {{ busy: boolean, problem: any, setProblem: (problem: any) => void, submit: <T>(send: () => Promise<T>, then: Then<T>) => Promise<void> }} */
export function useSubmit() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const open = useRef(true);
  const waiting = useRef(false);
  useLayoutEffect(() => () => { open.current = false; }, []);
  return {
    busy, problem, setProblem,
    async submit(send, { done, late, of }) {
      if (waiting.current) return;
      waiting.current = true;
      setBusy(true);
      setProblem(null);
      try {
        const answer = await send();
        if (open.current) done(answer);
        else say(late(answer));
      } catch (e) {
        const p = /** @type {import('../api.js').Problem} */ (e);
        if (open.current) setProblem(p);
        else say(`${of ? `${of}: ` : ''}${p.message} ${p.hint ?? ''}`, 'bad');
      }
      waiting.current = false;
      setBusy(false);
    },
  };
}
