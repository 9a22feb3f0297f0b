// workloads.js: the list of workloads and their states.
import { html, useMemo, useRef } from '../ui/lib.js';
import { Faces, Page } from '../ui/page.js';
import { Later } from '../ui/later.js';
import { useThrottle } from '../ui/load.js';
import { SearchField, ShowMore, usePages } from '../ui/pages.js';
import { hideRule } from '../ui/shown.js';
import { ordersOf } from '../ui/sort.js';
import { Columns, Table } from '../ui/table.js';
import { Moment, Num } from '../ui/num.js';
import { bound, count, error, plural, short, speedup, time } from '../ui/format.js';
import { Spark } from '../charts/small.js';
import { useQuery } from '../nav.js';
import { useLive } from '../live.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { Progress, ProjectionText, Who } from './facts.js';
import { RowMenu, Star, stars, STATES, stateWords } from './workload_row.js';

/** @typedef {import('../types.js').WorkloadRow} Workload */
/** @param {() => void} onDone @returns {import('../ui/table.js').Column<Workload>[]} */
const columnsOf = (onDone) => [
  { key: 'name', label: 'workload', sort: (w) => w.name.toLowerCase(), cell: (w) => html`<span class="name" title=${w.name}>${w.name}</span>` },
  { key: 'star', wideOnly: true, label: html`<span class="hidden">on top</span>`, cell: (w) => html`<${Star} workload=${w} />` },
  { key: 'kernels', wideOnly: true, label: 'kernels', right: true, sort: (w) => w.profile?.kernels ?? null, cell: (w) => html`<${Num} value=${w.profile?.kernels} text=${count(w.profile?.kernels ?? NaN)} why="no profile yet" />` },
  { key: 'launches', wideOnly: true, label: 'launches', right: true, sort: (w) => w.profile?.launches ?? null, cell: (w) => html`<${Num} value=${w.profile?.launches} text=${count(w.profile?.launches ?? NaN)} why="no profile yet" />` },
  { key: 'total', wideOnly: true, label: 'GPU time', title: 'of a profile without times: its warp instructions', right: true, sort: (w) => w.profile?.total_s ?? null,
    cell: (w) => (w.profile && w.profile.unit !== 'ns' ? html`<${Num} value=${w.profile.total} text=${short(Number(w.profile.total), 'warp instr.')} />` : html`<${Num} value=${w.profile?.total_s} text=${time(w.profile?.total_s)} why="no profile yet" />`) },
  { key: 'spark', wideOnly: true, label: 'durations', title: 'histogram of the durations of all launches, log scale', cell: (w) => w.profile && html`<${Spark} values=${w.profile.spark} label=${`histogram of ${plural(w.profile.launches, 'launch', 'launches')}`} />` },
  { key: 'plan', label: 'latest plan', cell: (w) => (w.latest_plan ? html`<a class="wraps" href=${href('plan', { id: w.latest_plan.id })}>${speedup(w.latest_plan.speedup)} at ${error(w.latest_plan.promised_error)}</a>` : html`<span class="quiet">none</span>`) },
  { key: 'run', label: 'latest run', cell: (w) => latestRun(w) },
  { key: 'who', wideOnly: true, label: 'run by', cell: (w) => w.latest_run && html`<${Who} name=${w.latest_run.created_by} /> <span class="quiet"><${Moment} at=${w.latest_run.created_at} /></span>` },
  { key: 'uploader', wideOnly: true, label: 'uploaded by', title: 'who sent the newest profile', cell: (w) => w.profile && html`<${Who} name=${w.profile.uploaded_by} />` },
  { key: 'created', wideOnly: true, label: 'added', right: true, sort: (w) => w.created_at, cell: (w) => html`<${Moment} at=${w.created_at} />` },
  { key: 'menu', label: html`<span class="hidden">what to do</span>`, right: true, cell: (w) => html`<${RowMenu} workload=${w} onDone=${onDone} />` },
];

/** The server's sort keys equal the names of the columns. */
const COLUMNS = columnsOf(() => undefined);
const RULES = { q: { fallback: '' }, state: { fallback: '', oneOf: STATES }, archived: { fallback: '', oneOf: ['', 'true'] }, sort: { fallback: '-created', oneOf: ordersOf(COLUMNS) }, hide: hideRule(COLUMNS) };

/** @param {Workload} w */
function latestRun(w) {
  const r = w.latest_run;
  if (!r) return html`<span class="quiet">none</span>`;
  const to = href('run', { id: r.id });
  if (r.state === 'done') {
    return r.projections.length
      ? html`<a class="projections" href=${to}>${r.projections.slice(0, 2).map((p) => html`<span key=${p.design}><span class="quiet">${p.design}</span> <${ProjectionText} of=${p} /></span>`)}${r.projections.length > 2 && html`<span class="quiet">${r.projections.length - 2} more</span>`}</a>`
      : html`<a href=${to}>done</a>`;
  }
  return html`<a class="projections" href=${to}><${Progress} ...${r} /></a>`;
}

export function WorkloadsView() {
  const [query, set, problems] = useQuery(RULES);
  // A star set here moves its row at once; the order of further pages is that of the time of their request.
  const starred = stars.value;
  const first = useMemo(() => [...starred].join(','), [query.q, query.state, query.archived]);
  /** @typedef {import('../client.js').WorkloadsQuery} By */
  const by = /** @type {By} */ ({ q: query.q, state: query.state, archived: query.archived, first });
  const sort = query.sort === RULES.sort.fallback ? undefined : /** @type {By['sort']} */ (query.sort);
  const { load, rows, more, restart } = usePages((after, abort) => api.workloads({ ...by, sort, after }, abort), [by], sort ?? '');
  const again = useThrottle(load.reload, 2000);
  const done = useRef(restart);
  done.current = restart;
  const columns = useMemo(() => columnsOf(() => done.current()), []);
  const running = (load.data?.items ?? []).flatMap((w) => (w.latest_run && w.latest_run.state === 'running' ? [`run:${w.latest_run.id}`] : []));
  useLive(running.slice(0, 6), again);

  return html`
    <${Page} title="Workloads" problems=${problems} actions=${api.may('write') && html`<a class="button filled" href=${href('upload')}>Upload</a>`}>
      <section class="panel card">
        <div class="tools"><${SearchField} id="search" label="Search workloads" placeholder="Search by name" value=${query.q} onType=${(/** @type {string} */ q) => set({ q }, { replace: true })} />
          <label>latest run <select value=${query.state} onChange=${(/** @type {any} */ e) => set({ state: e.target.value })}>${STATES.map((s) => html`<option key=${s} value=${s}>${stateWords(s)}</option>`)}</select></label>
          <label><input type="checkbox" checked=${query.archived === 'true'} onChange=${(/** @type {any} */ e) => set({ archived: e.target.checked ? 'true' : '' })} /> archived</label>
          <${Columns} of="Workloads" columns=${columns} hide=${query.hide} onHide=${(/** @type {string} */ hide) => set({ hide })} /></div>
        <${Faces} load=${load} what="the workloads" height=${240} empty=${(/** @type {any} */ d) => d.items.length === 0 && (query.q || query.state || query.archived ? html`<div class="empty"><p>${noneText(query)}</p><p><button type="button" onClick=${() => set({ q: '', state: '', archived: '' })}>Show all</button></p></div>` : html`<${Later} get=${async () => (await import('./first_time.js')).FirstTime} what="What to do first" height=${240} />`)}>
          ${() => html`
            <${Table} inOrder=${load.data?.order || RULES.sort.fallback} rows=${rows} columns=${columns} hide=${query.hide} onTop=${(/** @type {Workload} */ w) => starred.has(w.id)} id=${(/** @type {Workload} */ w) => w.id} order=${query.sort} onOrder=${(/** @type {any} */ sort) => set({ sort })}
              caption="Workloads" href=${(/** @type {Workload} */ w) => href('workload', { id: w.id })} />
            <${ShowMore} more=${more} />`}
        <//>
      </section>
    <//>`;
}

/** @param {{ q: string, state: string, archived: string }} by */
function noneText({ q, state, archived }) {
  const what = [archived ? 'in the archive' : '', state ? `“${stateWords(state)}”` : ''].filter(Boolean).join(' and ');
  return q ? `No workload ${what ? `that is ${what} ` : ''}has “${q}” in its name.` : `No workload is ${what}.`;
}
