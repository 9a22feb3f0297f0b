// trace_dialog.js: the commands to record exactly these launches with a tracer, and a check that its launch numbers
// match the profile's.
import { html, useEffect, useRef, useState } from '../ui/lib.js';
import { Dialog } from '../ui/dialog.js';
import { Faces } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { copy } from '../ui/clipboard.js';
import { say } from '../ui/toast.js';
import { count, plural, shape } from '../ui/format.js';
import * as api from '../api.js';
import { CommandLine } from './pick.js';

/** @typedef {import('../types.js').TraceCommands} TraceCommands @typedef {import('../types.js').TraceContext} TraceContext @typedef {import('../types.js').LaunchVerdict} LaunchVerdict */

const TOOLS = [
  ['accel-sim', 'Accel-Sim tracer, from May 2025'], ['accel-sim-old', 'Accel-Sim tracer, before May 2025'], ['macsim', 'MacSim tracer'],
  ['ncu', 'Nsight Compute'], ['list', 'any other: a list of launches'],
];

/** @typedef {import('../client.js').TraceCommandsQuery['for']} Tool */
/** @param {{ plan: import('../types.js').Plan, onClose: () => void }} p */
export function TraceDialog({ plan, onClose }) {
  const [tool, setTool] = useState(/** @type {Tool} */ ('accel-sim'));
  const [chosen, setChosen] = useState(/** @type {number|null} */ (null));
  const [found, setFound] = useState({ where: '', offset: 0 }); // index of the profile's first launch in the list of that tool and context
  const contexts = useLoad((abort) => api.traceCommands(plan.id, { for: 'list', format: 'json', context: 0 }, abort).then((c) => c.contexts), [plan.id]);
  return html`<${Dialog} title="Trace these" onClose=${onClose} wide>
    <${Faces} load=${contexts} what="where the samples were launched" height=${200}>${(/** @type {TraceContext[]} */ list) => {
      const context = chosen ?? list.reduce((best, c) => (c.samples > best.samples ? c : best), list[0]).index;
      const where = `${tool}-${context}`, offset = found.where === where ? found.offset : 0;
      return html`
        <div class="form">
          <label for="trace-tool">Tracer</label>
          <select id="trace-tool" value=${tool} onChange=${(/** @type {any} */ e) => setTool(e.target.value)}>${TOOLS.map(([name, title]) => html`<option key=${name} value=${name}>${title}</option>`)}</select>
          ${list.length > 1 && html`<label for="trace-context">Context</label>
          <select id="trace-context" value=${String(context)} onChange=${(/** @type {any} */ e) => setChosen(Number(e.target.value))}>${list.map((c) => html`<option key=${c.index} value=${String(c.index)}>${c.index}: device ${c.device}, ${plural(c.launches, 'launch', 'launches')}, ${plural(c.samples, 'sample')}</option>`)}</select>
          <p class="quiet across">Tracers count in each process or context: each has a script of its own.</p>`}
        </div>
        ${tool === 'list' ? html`<${Lists} plan=${plan.id} />` : html`<${Script} key=${`${where}-${offset}`} plan=${plan.id} tool=${tool} context=${context} offset=${offset} />`}
        <${Check} key=${`check-${where}`} plan=${plan.id} context=${context} onOffset=${(/** @type {number} */ n) => setFound({ where, offset: n })} />`;
    }}<//>
  <//>`;
}

/** @param {{ plan: string }} p */
function Lists({ plan }) {
  return html`<p>The samples with stratum, weight, launch order in their context from 0, stream, mangled name, grid and block.</p>
    <p class="next">${/** @type {const} */ (['text', 'csv', 'json']).map((format) => html`<a key=${format} class="button" href=${api.address.traceCommands(plan, { for: 'list', format })} download=${`launches.${format === 'text' ? 'txt' : format}`}>${format === 'text' ? 'Text' : format.toUpperCase()}</a>`)}</p>`;
}

/** `offset`: index of the profile's first launch in the tool's list. @param {{ plan: string, tool: Tool, context: number, offset: number }} p */
function Script({ plan, tool, context, offset }) {
  const from = offset > 0 ? { offset } : {};
  const load = useLoad((abort) => api.traceCommands(plan, { for: tool, context, ...from, format: 'json' }, abort), [plan, tool, context, offset]);
  const file = `${tool}-${plan.slice(0, 8)}.sh`;
  const before = tool === 'ncu' ? '' : 'TRACER=tracer.so ';
  return html`<${Faces} load=${load} what="the script" height=${260}>${(/** @type {TraceCommands} */ c) => html`
    <p>Traces ${plural(c.samples, 'sample')} of ${plural(c.launches, 'launch', 'launches')} in ${plural(c.passes, 'run')} of the program, after a dry run that is compared with the profile, launch by launch. It stops at the first that differs.</p>
    <p class="notice warn">${c.sentence}</p>
    ${offset > 0 && html`<p>This script is for a profile that begins at launch ${count(offset)} of the program, counted from 0.</p>`}
    ${c.notes.length > 0 && html`<ul class="reasons">${c.notes.map((n) => html`<li key=${n}>${n}</li>`)}</ul>`}
    <pre class="script" tabindex="0" aria-label="The script">${c.script}</pre>
    <p class="next"><button type="button" class="filled" onClick=${async () => say((await copy(c.script)) ? 'Copied.' : 'The browser did not allow copying; download it instead.')}>Copy</button>
      <a class="button" href=${api.address.traceCommands(plan, { for: tool, context, ...from })} download=${file}>Download</a>
      <a class="button" href=${api.address.planFile(plan)} download=${`plan-${plan.slice(0, 8)}.json`}>Plan file</a></p>
    <p class="quiet">Then, beside the plan file and the profile: <${CommandLine} line=${`${before}PROFILE=report.sqlite sh ${file} python train.py`} /></p>`}<//>`;
}

/** Compares the tool's list with the profile. @param {{ plan: string, context: number, onOffset: (offset: number) => void }} p */
function Check({ plan, context, onOffset }) {
  const field = useRef(/** @type {HTMLInputElement|null} */ (null));
  const [verdict, setVerdict] = useState(/** @type {LaunchVerdict|null} */ (null));
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState('');
  const gone = useRef(false);
  useEffect(() => () => { gone.current = true; }, []);
  const compare = async () => {
    const list = field.current?.files?.[0];
    if (!list) return;
    setBusy(list.name);
    setVerdict(null);
    setProblem(null);
    try {
      const v = await api.compareLaunches(plan, { context }, list);
      if (gone.current) return;
      setVerdict(v);
      if (v.ok) onOffset(v.offset);
    } catch (x) {
      if (!gone.current) setProblem(x);
    }
    if (field.current) field.current.value = '';
    if (!gone.current) setBusy('');
  };
  return html`<section class="check" aria-label="Check the tracer's list">
    <h3>Does the tracer count as the profile does?</h3>
    <p class="quiet">The script asks this. By hand: choose what the dry run wrote, <code>stats.csv</code>, <code>stats_ctx_…</code>, <code>kernel_names.txt</code>, or the CSV of <code>ncu --csv</code>.</p>
    <input class="hidden" type="file" ref=${field} onChange=${compare} aria-label="The tracer's list" tabindex="-1" />
    <p class="next"><button type="button" disabled=${busy !== ''} onClick=${() => field.current?.click()}>${busy ? `Comparing ${busy}…` : 'Choose the list'}</button></p>
    <div role="status">${verdict && html`<${Verdict} v=${verdict} />`}</div>
    ${problem && html`<p class="field-problem" role="alert"><strong>${problem.message}</strong> ${problem.hint}</p>`}
  </section>`;
}

/** @param {{ v: LaunchVerdict }} p */
function Verdict({ v }) {
  const many = `${count(v.matched)} of ${count(v.expected)} match`;
  if (v.mismatch?.what === 'ambiguous') return html`<div class="notice bad"><p><strong>The profile's launches occur at ${count(v.places)} places of this list.</strong></p><p class="quiet">${v.mismatch.detail}. On the command line, <code>vivace plan trace --offset N</code> states which one was profiled.</p></div>`;
  if (v.mismatch === null) return html`<p class="notice good"><strong>${many}.</strong> ${v.whole && v.listed > v.matched && `They are launches ${count(v.offset)} to ${count(v.offset + v.matched - 1)} of the list's ${count(v.listed)}. `}${v.graph_launches > 0 && `${plural(v.graph_launches, 'launch', 'launches')} by CUDA graphs, which this tool does not count, are left out.`}</p>`;
  const { order, what, listed, profiled, hint } = v.mismatch;
  const side = (/** @type {any} */ s) => (s ? html`<code>${s.name}</code>${s.grid && html` <span class="quiet">${shape(s.grid)} · ${shape(s.block)}</span>`}` : html`<span class="quiet">no launch</span>`);
  return html`<div class="notice bad"><p><strong>Do not trace with this: launch ${count(order)} differs${what === 'missing' || what === 'extra' ? '' : ` in its ${what}`}.</strong> ${count(v.matched)} before it match.</p>
    <dl class="sides"><dt>tracer</dt><dd>${side(listed)}</dd><dt>profile</dt><dd>${side(profiled)}</dd></dl>
    <p class="quiet">${hint}</p></div>`;
}
