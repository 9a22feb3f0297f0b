// run_jobs.js: the jobs of a run by state; failures with reason, attempts, last lines of output, and possible actions.
import { html, useEffect, useState } from '../ui/lib.js';
import { Card, Faces, State } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Table } from '../ui/table.js';
import { Dialog } from '../ui/dialog.js';
import { Moment, Num } from '../ui/num.js';
import { say } from '../ui/toast.js';
import { count, shellWord } from '../ui/format.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { stratumName } from './facts.js';
import { TakeOutDialog } from './run_sample_replace.js';

/** @typedef {import('../types.js').Job} Job */
const STATES = /** @type {const} */ (['failed', 'leased', 'ready', 'blocked', 'done', 'cancelled']);

/** Which of them are shown; empty texts are all. `job`: the one whose attempts are open, or ''. @typedef {{ state: string, stratum: string, worker: string, job: string }} Of */

/** @param {Of} of */
function noneText({ state, stratum, worker }) {
  const whose = `${stratum === '' ? '' : ` of ${stratumName(Number(stratum))}`}${worker === '' ? '' : ` of ${worker}`}`;
  return state === 'failed' ? `No job${whose} has failed.` : `No job${whose} is ${state}.`;
}

/** @param {{ run: import('../types.js').Run, design: import('../types.js').RunDesign, strata: number[], tick: number, of: Of, onTurn: (change: { jobs?: string, stratum?: string, worker?: string, job?: string }) => void, onChanged: () => void }} p `strata`: those of its plan */
export function RunJobs({ run, design, strata, tick, of, onTurn, onChanged }) {
  const { state } = of;
  const guest = Boolean(api.who.value?.share); // a share link contains the whole, or hides the names of users
  const by = guest ? {} : { stratum: of.stratum || undefined, worker: of.worker || undefined };
  const filters = ['--state', state, '--design', design.design, ...(by.stratum ? ['--stratum', by.stratum] : []), ...(by.worker ? ['--worker', by.worker] : [])].map(shellWord).join(' ');
  const load = useLoad(async (abort) => {
    const page = await api.jobs(run.id, { limit: 200, state, design: design.design, ...by }, abort);
    return { ...page, items: page.items.filter((j) => j.state === state) }; // a frozen share link contains one page for all states
  }, [run.id, state, design.design, by]);
  useEffect(() => { if (tick > 0) load.reload(); }, [tick]);
  const [taking, setTaking] = useState(/** @type {Job|null} */ (null));
  const reload = () => {
    load.reload();
    onChanged();
  };
  const retry = async (/** @type {Job} */ j) => {
    try {
      await api.retryJob(j.id);
      say(`Launch ${count(j.launch)} is queued again.`);
      reload();
    } catch (e) {
      const p = /** @type {api.Problem} */ (e);
      say(`${p.message} ${p.hint}`, 'bad');
    }
  };
  /** @type {import('../ui/table.js').Column<Job>[]} */
  const columns = [
    { key: 'launch', label: 'launch', cell: (j) => count(j.launch) },
    { key: 'stratum', label: 'stratum', cell: (j) => stratumName(j.stratum) },
    { key: 'state', label: 'state', cell: (j) => html`<${State} state=${j.state} />` },
    { key: 'attempt', label: 'attempt', right: true, cell: (j) => html`<${Num} value=${j.attempt} text=${count(j.attempt)} />` },
    { key: 'worker', label: 'worker', cell: (j) => j.worker ?? html`<span class="quiet">none</span>` },
    ...(state === 'done' && !api.who.value?.share ? [{ key: 'result', label: 'result', cell: (/** @type {Job} */ j) => j.result && html`<a href=${href('result', { id: j.result })} onClick=${(/** @type {Event} */ e) => e.stopPropagation()}>what the GPU did</a>` }] : []),
    ...(state === 'failed' ? [
      { key: 'why', label: 'why', wide: true, cell: (/** @type {Job} */ j) => j.failure && html`${j.dropped && html`<em>dropped</em> `}<strong>${j.failure.class.replaceAll('_', ' ')}</strong> <span title=${j.failure.detail}>${j.failure.detail}</span>` },
      ...(api.may('write') ? [{ key: 'retry', label: html`<span class="hidden">action</span>`, cell: (/** @type {Job} */ j) => html`<button type="button" aria-label=${`Try again, launch ${count(j.launch)}`} onClick=${(/** @type {Event} */ e) => { e.stopPropagation(); retry(j); }}>Try again</button> <button type="button" aria-haspopup="dialog" aria-label=${`Replace or drop, launch ${count(j.launch)}`} onClick=${(/** @type {Event} */ e) => { e.stopPropagation(); setTaking(j); }}>Replace or drop</button>` }] : []),
    ] : []),
  ];
  const workers = [...new Set([of.worker, ...(load.data?.items ?? []).map((j) => j.worker ?? '')])].filter((w) => w !== '').sort();
  const aside = html`${!guest && html`<${Narrow} label="Of which stratum" all="all strata" now=${of.stratum} onTurn=${(/** @type {string} */ stratum) => onTurn({ stratum })} options=${strata.map((id) => [String(id), stratumName(id)])} />
    <${Narrow} label="Of which worker" all="all workers" now=${of.worker} onTurn=${(/** @type {string} */ worker) => onTurn({ worker })} options=${workers.map((w) => [w, w])} />`}
    <div class="switch" role="group" aria-label="Jobs shown">${STATES.map((s) => html`<button key=${s} type="button" aria-pressed=${s === state} onClick=${() => onTurn({ jobs: s })}>${s} ${html`<span class="quiet">${count(run.counts[s])}</span>`}</button>`)}</div>`;
  return html`<${Card} title="Jobs" id="jobs" class="bounded" note=${`One a sample, design ${design.design}; the counts are over all designs. Open one for its attempts.`} aside=${aside}>
    <${Faces} load=${load} what="the jobs" height=${120} empty=${(/** @type {any} */ d) => d.items.length === 0 && html`<p class="none">${noneText(of)}</p>`}>${(/** @type {import('../types.js').List<Job>} */ d) => html`
      <${Table} rows=${d.items} columns=${columns} id=${(/** @type {Job} */ j) => j.id} order="" caption="Jobs" onPick=${(/** @type {Job} */ j) => onTurn({ job: j.id })} />
      ${d.next && html`<p class="quiet">The first ${count(d.items.length)}; <code>vivace job list ${run.id} ${filters}</code> lists all.</p>`}`}<//>
    ${of.job && html`<${Attempts} run=${run.id} id=${of.job} onClose=${() => onTurn({ job: '' })} />`}
    ${taking && html`<${TakeOutDialog} run=${run} design=${design} job=${taking} onClose=${() => setTaking(null)} onDone=${reload} />`}
  <//>`;
}

/** @param {{ label: string, all: string, now: string, options: string[][], onTurn: (v: string) => void }} p */
const Narrow = ({ label, all, now, options, onTurn }) => html`<select aria-label=${label} value=${now} onChange=${(/** @type {any} */ e) => onTurn(e.target.value)}>
  <option value="">${all}</option>${options.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}</select>`;

/** @param {{ run: string, id: string, onClose: () => void }} p */
function Attempts({ run, id, onClose }) {
  const load = useLoad(async (abort) => {
    const job = await api.job(id, abort);
    if (job.run === run) return job;
    throw new api.Problem({ code: 'not_here', status: 404, title: '', detail: 'This job belongs to another run.', hint: 'The address names both; look at the jobs of this run, below, or at the other run.' });
  }, [run, id]);
  return html`<${Dialog} title="Attempts" onClose=${onClose} wide>
    <${Faces} load=${load} what="the attempts" height=${160}>${(/** @type {Job} */ j) => html`
      <p>Launch ${count(j.launch)}, stratum ${stratumName(j.stratum)}, design ${j.design}: <${State} state=${j.state} />${j.result && !api.who.value?.share && html` <a href=${href('result', { id: j.result })}>its result</a>`}${j.failure && html` <strong>${j.failure.class.replaceAll('_', ' ')}</strong>: ${j.failure.detail}`}</p>
      ${(j.attempts ?? []).length === 0 ? html`<p class="none">No attempt yet.</p>` : html`<ol class="attempts">${(j.attempts ?? []).map((a) => html`<li key=${a.number}>
        <p><strong>Attempt ${a.number}</strong> ${a.outcome && html`<${State} state=${a.outcome} />`} <span class="quiet">${a.worker ?? 'unknown worker'}, <${Moment} at=${a.started_at} />${a.ended_at && html`, ended <${Moment} at=${a.ended_at} />`}</span></p>
        ${a.message && html`<p>${a.message}</p>`}
        ${a.last_lines && html`<pre tabindex="0">${a.last_lines}</pre>`}</li>`)}</ol>`}`}<//><//>`;
}
