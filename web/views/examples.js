// examples.js: example reports, for users who have none.
import { html, useState } from '../ui/lib.js';
import { Trouble } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { addImport } from '../uploads.js';
import { go } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';

/** @typedef {{ name: string, profile_bytes: number, traces_bytes: number }} Example */

/** Renders nothing if the server has no examples, or the user may not load them. */
export function Examples() {
  const list = useLoad(() => api.examples(), []);
  const [busy, setBusy] = useState('');
  const [error, setError] = useState(/** @type {unknown} */ (null));
  if (!api.may('write') || !list.data?.items.length) return null;
  const load = async (/** @type {Example} */ example) => {
    setBusy(example.name);
    setError(null);
    try {
      const { import: id } = await api.loadExample(example.name);
      addImport(example.name, example.profile_bytes, id);
      go(href('upload'));
    } catch (e) {
      setError(e);
      setBusy('');
    }
  };
  return html`
    <h2>No report available?</h2>
    <p>An example comes with its traces: plan it, run it on two designs, and see a projection within a minute.</p>
    <p>${list.data.items.map((e) => html`<button key=${e.name} type="button" disabled=${busy !== ''} onClick=${() => load(e)}>${busy === e.name ? 'Loading…' : `Load the example ${e.name}`}</button> `)}</p>
    ${error && html`<${Trouble} error=${error} what="load the example" />`}`;
}
