// discards.js: results that were discarded: by whom and why, how many are simulated again, and which runs have another answer.
import { html } from '../ui/lib.js';
import { Card, Faces, Page, State } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Table } from '../ui/table.js';
import { Moment, Num } from '../ui/num.js';
import { change, count, error, plural } from '../ui/format.js';
import { useQuery } from '../nav.js';
import { href } from '../routes.js';
import * as api from '../api.js';

/** @typedef {import('../types.js').Discard} Discard @typedef {import('../types.js').DiscardEffect} DiscardEffect */
/** @typedef {DiscardEffect['used_by'][number]} Use @typedef {Use['answers'][number]} Answer */

const RULES = { discard: { fallback: '' } };

/** The conditions of the request. @param {Discard['chosen']} c */
function chosenText(c) {
  return [c.quarantined && 'quarantined', c.worker && `worker ${c.worker}`, c.simulator && `simulator ${c.simulator}`, c.from && `from ${c.from}`, c.to && `before ${c.to}`,
    c.result && `result ${c.result.slice(0, 12)}`].filter(Boolean).join(', ');
}

const number = (/** @type {number} */ n) => html`<${Num} value=${n} text=${count(n)} />`;

/** @type {import('../ui/table.js').Column<Discard>[]} */
const COLUMNS = [
  { key: 'at', label: 'when', cell: (d) => html`<${Moment} at=${d.at} />` },
  { key: 'by', label: 'who', cell: (d) => d.by },
  { key: 'why', label: 'why', wide: true, cell: (d) => html`<span title=${d.why}>${d.why}</span>` },
  { key: 'chosen', label: 'chosen by', wide: true, cell: (d) => html`<span title=${chosenText(d.chosen)}>${chosenText(d.chosen)}</span>` },
  { key: 'results', label: 'results', right: true, cell: (d) => number(d.results) },
  { key: 'jobs', label: 'jobs', right: true, title: 'jobs that these results had done', cell: (d) => number(d.jobs) },
  { key: 'runs', label: 'runs', right: true, cell: (d) => number(d.runs) },
];

/** @param {{ of: Answer }} p */
function Change({ of }) {
  if (of.change === null) return html`<span class="quiet">${of.design}: no complete answer yet</span>`;
  const { value } = change(of.change, null);
  const was = of.half_width_before === null ? '' : `, was ±${'\u00a0'}${error(of.half_width_before)}`;
  return html`${of.design}: ${of.change === 0 ? 'unchanged' : `${value}\u00a0%`}<span class="quiet">${was}</span>${of.outside && html` <strong class="warntext">outside of the former interval</strong>`}`;
}

/** @param {string|null} team @returns {import('../ui/table.js').Column<Use>[]} */
const usesOf = (team) => [
  { key: 'run', label: 'run', cell: (u) => (u.team === team ? html`<a href=${href('run', { id: u.run })}>${u.run.slice(0, 13)}</a>` : html`<span title=${u.run}>${u.run.slice(0, 13)}</span>`) },
  { key: 'answers', label: 'answer', wide: true, cell: (u) => (u.answers.length === 0 ? html`<span class="quiet">had none</span>` : u.answers.map((a) => html`<div key=${a.design}><${Change} of=${a} /></div>`)) },
  { key: 'state', label: 'state', cell: (u) => html`<${State} state=${u.state} />` },
  { key: 'jobs', label: 'simulated again', right: true, title: 'of the jobs that these results had done', cell: (u) => html`<${Num} value=${u.jobs_done} text=${`${count(u.jobs_done)} of ${count(u.jobs)}`} />` },
  { key: 'team', label: 'team', wideOnly: true, cell: (u) => u.team },
];

/** @param {DiscardEffect} d */
const stateText = (d) => [`${count(d.jobs_done)} of ${plural(d.jobs, 'job')} simulated again`, d.jobs_open > 0 && `${count(d.jobs_open)} still to do`, d.jobs_failed > 0 && `${count(d.jobs_failed)} failed`].filter(Boolean).join(', ');

/** @param {{ id: string, team: string|null, onClose: () => void }} p */
function Effect({ id, team, onClose }) {
  const load = useLoad((abort) => api.discard(id, abort), [id]);
  return html`<${Faces} load=${load} what="the discard">${(/** @type {DiscardEffect} */ d) => {
    const moved = d.used_by.filter((u) => u.answers.some((a) => a.outside)).length;
    return html`<${Card} title=${moved === 0 ? `No answer is outside of its former interval${d.jobs_open > 0 ? ' so far' : ''}` : `${plural(moved, 'run')} with an answer outside of the former interval`} note=${`${d.why}. ${stateText(d)}.`}
      aside=${html`<button type="button" onClick=${onClose}>Close</button>`}>
      <table class="rows facts"><caption class="hidden">Whose results they were</caption><tbody>${d.workers.map((w) => html`
        <tr key=${`${w.worker} ${w.simulator}`}><th scope="row">${w.worker ?? 'a worker that is not recorded'}</th><td>${plural(w.results, 'result')} of simulator ${w.simulator}</td></tr>`)}</tbody></table>
      ${d.used_by.length > 0 && html`<${Table} rows=${d.used_by} columns=${usesOf(team)} id=${(/** @type {Use} */ u) => u.run} order="" caption="Runs that used them" />`}
      ${d.runs > d.used_by.length && html`<p class="none">The newest ${count(d.used_by.length)} of ${plural(d.runs, 'run')}.</p>`}<//>`;
  }}<//>`;
}

/** @param {{ session: import('../types.js').Credential }} p */
export function DiscardsView({ session }) {
  const [query, set, problems] = useQuery(RULES);
  const load = useLoad((abort) => api.discards({ limit: 1000 }, abort), []);
  return html`
    <${Page} title="Discarded results" crumbs=${[{ text: 'Farm', href: href('farm') }]} problems=${problems}>
      <${Card} title="What was discarded" note=${html`Results that were found wrong. Their launches are simulated again for every run that used them. <code>vivace result discard</code> discards more.`}>
        <${Faces} load=${load} what="the discards" empty=${(/** @type {any} */ d) => d.items.length === 0 && html`<p class="none">No result was discarded.</p>`}>${(/** @type {any} */ d) => html`
          <${Table} rows=${d.items} columns=${COLUMNS} id=${(/** @type {Discard} */ x) => x.id} order="" caption="Discards" picked=${query.discard}
            onPick=${(/** @type {Discard} */ x) => set({ discard: x.id === query.discard ? '' : x.id })} />
          ${d.next && html`<p class="none">The newest ${count(d.items.length)}. <code>vivace result discarded</code> lists all.</p>`}`}<//>
      <//>
      ${query.discard && html`<${Effect} key=${query.discard} id=${query.discard} team=${session.team} onClose=${() => set({ discard: '' })} />`}
    <//>`;
}
