// features.js: adds launch features, which some methods need, to an existing profile.
import { html, useRef, useState } from '../ui/lib.js';
import { Trouble } from '../ui/page.js';
import * as api from '../api.js';

/** A button for the page's head, and the result for the page. @param {string} profile @param {() => void} added */
export function useAddFeatures(profile, added) {
  const field = useRef(/** @type {HTMLInputElement|null} */ (null));
  const [state, setState] = useState(/** @type {{ busy: boolean, said: string, error: Error|null }} */ ({ busy: false, said: '', error: null }));
  const chosen = async () => {
    const file = field.current?.files?.[0];
    if (field.current) field.current.value = '';
    if (!file) return;
    setState({ busy: true, said: '', error: null });
    try {
      const { sentence } = await api.addFeatures(profile, { name: file.name }, file);
      setState({ busy: false, said: `${file.name}: ${sentence}`, error: null });
      added();
    } catch (e) {
      setState({ busy: false, said: '', error: /** @type {Error} */ (e) });
    }
  };
  const button = html`<input class="hidden" type="file" ref=${field} onChange=${chosen} aria-label="File of features" tabindex="-1" />
    <button type="button" disabled=${state.busy} title="Instruction counts, metrics or basic-block vectors of the same launches, which some methods need. From vivace trace features, ncu --csv, or a CSV."
      onClick=${() => field.current?.click()}>${state.busy ? 'Reading the features…' : 'Add features'}</button>`;
  const result = html`${state.said && html`<p class="notice" role="status">${state.said}</p>`}${state.error && html`<${Trouble} error=${state.error} what="add these features" />`}`;
  return { button, result };
}
