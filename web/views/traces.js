// traces.js: the samples without a trace, and how to upload traces.
import { html, useMemo, useState } from '../ui/lib.js';
import { Card, Faces } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Table } from '../ui/table.js';
import { KernelName, Num } from '../ui/num.js';
import { count, plural } from '../ui/format.js';
import { distinctNames } from '../ui/kernel_name.js';
import * as api from '../api.js';
import { CommandLine } from './pick.js';
import { shapes, stratumName } from './facts.js';

/** @typedef {import('../types.js').Traces['missing'][number]} Missing */

/** @param {Map<string, string>} names @returns {import('../ui/table.js').Column<Missing>[]} */
const columnsOf = (names) => [
  { key: 'launch', label: 'launch', right: true, sort: (m) => m.launch, cell: (m) => html`<${Num} value=${m.launch} text=${count(m.launch)} />` },
  { key: 'stratum', label: 'stratum', sort: (m) => m.stratum, cell: (m) => stratumName(m.stratum) },
  { key: 'context', label: 'context', right: true, cell: (m) => (typeof m.context === 'object' ? /** @type {any} */ (m.context).index : m.context) },
  { key: 'order', label: 'launch', title: 'launch order in its context, from 0', right: true, sort: (m) => m.launch_order, cell: (m) => html`<${Num} value=${m.launch_order} text=${count(m.launch_order)} />` },
  { key: 'kernel', label: 'kernel', wide: true, sort: (m) => m.kernel, cell: (m) => html`<${KernelName} name=${m.kernel} short=${names.get(m.kernel)} />` },
  { key: 'shape', label: 'grid · block', cell: (m) => shapes(m) },
];

/** @param {{ plan: string, brief: { bound: number, missing: number, in_file: number }, samples: number, urgent?: boolean }} p */
export function TracesCard({ plan, brief, samples, urgent }) {
  const [open, setOpen] = useState(false);
  if (brief.in_file > 0) {
    return html`<${Card} title="The profile has a trace file" id="traces" note=${`${count(brief.in_file)} of ${count(samples)} are cut out of the profile’s own file when a run needs them: nobody need record them.`} />`;
  }
  const title = brief.missing > 0 ? `${count(brief.missing)} of ${plural(samples, 'trace')} ${brief.missing === 1 ? 'is' : 'are'} missing` : 'Every sample has its trace';
  return html`<${Card} title=${title} id="traces" class=${urgent && brief.missing > 0 ? 'urgent' : ''}
    note=${brief.missing > 0 ? 'The engine “cycle” needs a trace of each sampled launch. Jobs wait until their trace arrives; “replay” needs none.' : 'The engine “cycle” can simulate all of them.'}
    aside=${brief.missing > 0 && html`<button type="button" aria-expanded=${open} onClick=${() => setOpen(!open)}>${open ? 'Hide the list' : 'Which ones'}</button>`}>
    ${brief.missing > 0 && html`<p>Trace these launches, then send what the tracer wrote: <${CommandLine} line=${`vivace push traces/ --plan ${plan}`} /></p>`}
    ${open && html`<${MissingList} plan=${plan} missing=${brief.missing} />`}
  <//>`;
}

/** @param {{ plan: string, missing: number }} p */
function MissingList({ plan, missing }) {
  const [order, setOrder] = useState('launch');
  const load = useLoad((abort) => api.traces(plan, abort), [plan, missing]);
  const columns = useMemo(() => columnsOf(distinctNames((load.data?.missing ?? []).map((m) => m.kernel))), [load.data]);
  return html`<${Faces} load=${load} what="the list of missing traces" height=${160}>${(/** @type {import('../types.js').Traces} */ t) => html`
    <${Table} rows=${t.missing} columns=${columns} id=${(/** @type {Missing} */ m) => String(m.launch)} order=${order} onOrder=${setOrder} caption="Missing traces" />
    ${missing > t.missing.length && html`<p class="quiet">The first ${count(t.missing.length)} of ${count(missing)}; <code>vivace trace missing ${plan}</code> lists all.</p>`}`}<//>`;
}
