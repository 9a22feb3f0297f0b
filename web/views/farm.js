// farm.js: is the farm healthy and busy?
import { html, useRef } from '../ui/lib.js';
import { Card, Faces, Page, State, Strip } from '../ui/page.js';
import { useLoad, useNow, useThrottle } from '../ui/load.js';
import { ordersOf } from '../ui/sort.js';
import { hideRule } from '../ui/shown.js';
import { Columns, Table } from '../ui/table.js';
import { Moment, Num } from '../ui/num.js';
import { count, plural } from '../ui/format.js';
import { chosen, useSelected } from '../charts/select.js';
import { notSelected, SELECTED } from '../charts/select_text.js';
import { PartsBar } from '../charts/small.js';
import { useQuery } from '../nav.js';
import { useLive } from '../live.js';
import { href, notHere } from '../routes.js';
import * as api from '../api.js';
import { CommandLine } from './pick.js';
import { activityFacts, Lanes, QUEUE_SORTS, QueueByRun, Slowest } from './farm_activity.js';
import { WorkerCard } from './farm_worker.js';

/** @typedef {import('../types.js').Worker} Worker */

/** @type {import('../ui/table.js').Column<Worker>[]} */
const COLUMNS = [
  { key: 'name', label: 'worker', sort: (w) => w.name, cell: (w) => w.name },
  { key: 'state', label: 'state', sort: (w) => w.state, cell: (w) => html`<${State} state=${w.state} />` },
  { key: 'host', label: 'host', cell: (w) => w.host },
  { key: 'busy', label: 'busy / slots', right: true, sort: (w) => w.busy, cell: (w) => html`<${Num} value=${w.busy} text=${`${count(w.busy)} / ${count(w.slots)}`} />` },
  { key: 'version', label: 'version', cell: (w) => w.version },
  { key: 'simulator', label: 'simulator', cell: (w) => w.simulator },
  { key: 'seen', label: 'last sign of life', right: true, sort: (w) => w.seen_at, cell: (w) => html`<${Moment} at=${w.seen_at} />` },
];

const RULES = { sort: { fallback: 'name', oneOf: ordersOf(COLUMNS) }, hide: hideRule(COLUMNS), worker: { fallback: '' }, queue: { fallback: '', oneOf: ['', ...QUEUE_SORTS] }, selected: SELECTED };

/** Maximum age of the displayed heartbeats. */
const SIGNS_MS = 60000;

export function FarmView() {
  const [query, set, problems] = useQuery(RULES);
  useSelected(query.selected, set);
  const farm = useLoad((abort) => api.farm(abort), []);
  const workers = useLoad((abort) => api.workers({ limit: 1000 }, abort), []);
  const activity = useLoad((abort) => api.activity({}, abort), []);
  const readAt = useRef(Date.now());
  const rest = useThrottle(() => {
    readAt.current = Date.now();
    activity.reload();
    workers.reload();
  }, 1000);
  const again = useThrottle(() => {
    farm.reload();
    rest();
  }, 1000);
  const seen = useRef(/** @type {string|null} */ (null));
  useLive(['farm'], (e) => {
    if (e.event !== 'farm.tick') {
      again();
      return;
    }
    // A tick event contains the farm's numbers. The other data is read again when they change, or once a minute for
    // the heartbeats.
    const now = JSON.stringify(e.data);
    if (farm.data) farm.set(e.data);
    else farm.reload();
    if (now !== (seen.current ?? JSON.stringify(farm.data)) || Date.now() - readAt.current > SIGNS_MS) rest();
    seen.current = now;
  });
  useNow(15000);
  const opened = workers.data?.items.find((w) => w.id === query.worker);
  const named = workers.data && activity.data && [...workers.data.items.map((w) => w.name), ...activity.data.lanes.map((l) => l.worker)];
  const stray = [...notHere('worker', query.worker, workers.data?.items.map((w) => w.id)), ...notSelected(query.selected, { worker: named })], lit = chosen('worker');
  return html`
    <${Page} title="Farm" problems=${[...problems, ...stray]} actions=${api.may('farm') && html`<a class="button" href=${href('discards')}>Discarded results</a>`}>
      <${Faces} load=${activity.busy && !activity.data ? { ...farm, data: undefined } : farm} what="the farm" height=${110}>${(/** @type {import('../types.js').Farm} */ f) => html`<${Strip} facts=${[...facts(f), ...(activity.data ? activityFacts(activity.data) : [])]} />`}<//>
      ${!workers.error && (!workers.data || workers.data.items.length > 0) && html`<${Faces} load=${activity} what="the last hour" height=${120}>${(/** @type {import('../types.js').Activity} */ a) => html`<${Lanes} activity=${a} workers=${workers.data?.items ?? []} />`}<//>`}
      ${farm.data && html`<${Queue} farm=${farm.data} />`}
      ${activity.data && html`<${QueueByRun} activity=${activity.data} order=${query.queue} onOrder=${(/** @type {string} */ queue) => set({ queue })} />`}
      <${Card} title="Workers" note="Programs that simulate: each simulates one sample per slot at a time." aside=${workers.data && workers.data.items.length > 0 && html`<${Columns} of="Workers" columns=${COLUMNS} hide=${query.hide} onHide=${(/** @type {string} */ hide) => set({ hide })} />`}>
        <${Faces} load=${workers} what="the workers" height=${160} empty=${(/** @type {any} */ d) => d.items.length === 0 && html`<${NoWorkers} />`}>${(/** @type {any} */ d) => html`
          <${Table} rows=${d.items} columns=${COLUMNS} hide=${query.hide} id=${(/** @type {Worker} */ w) => w.id} order=${query.sort} onOrder=${(/** @type {any} */ sort) => set({ sort })} caption="Workers"
            picked=${query.worker} chosen=${new Set(d.items.filter((/** @type {Worker} */ w) => lit.has(w.name)).map((/** @type {Worker} */ w) => w.id))} onPick=${(/** @type {Worker} */ w) => set({ worker: w.id === query.worker ? '' : w.id })} />
          ${d.next && html`<p class="none">The first ${count(d.items.length)}, connected ones first. <code>vivace farm</code> lists all.</p>`}`}<//>
      <//>
      ${opened && html`<${WorkerCard} worker=${opened} onClose=${() => set({ worker: '' })} />`}
      ${activity.data && html`<${Slowest} activity=${activity.data} />`}
    <//>`;
}

/** @param {import('../types.js').Farm} f */
function facts(f) {
  return [
    { label: 'Workers', value: html`<${Num} value=${f.workers_alive} text=${count(f.workers_alive)} />`, note: f.workers_alive === 0 ? 'none is alive' : `${count(f.workers_busy)} of them busy`, tone: f.workers_alive === 0 && f.queue.total > 0 ? 'bad' : '' },
    { label: 'Queue', value: html`<${Num} value=${f.queue.total} text=${count(f.queue.total)} />`, note: `${count(f.queue.leased)} under way, ${count(f.queue.ready)} wait for a worker, ${count(f.queue.blocked)} for their trace` },
    { label: 'Last hour', value: html`<${Num} value=${f.jobs_done_last_hour} text=${count(f.jobs_done_last_hour)} />`, note: html`${f.jobs_done_last_hour === 1 ? 'job' : 'jobs'} done${f.simulator && `, simulator ${f.simulator}`}` },
  ];
}

/** @param {{ farm: import('../types.js').Farm }} p */
function Queue({ farm: { queue } }) {
  const whole = queue.total;
  return html`<${Card} title=${whole === 0 ? 'The queue is empty' : `${plural(whole, 'job')} in the queue`}>
    <${PartsBar} label=${`Queue: ${count(queue.leased)} under way, ${count(queue.ready)} ready, ${count(queue.blocked)} blocked`} whole=${Math.max(1, whole)}
      parts=${[{ key: 'leased', value: queue.leased, tone: 'leased', title: `${count(queue.leased)} under way` }, { key: 'ready', value: queue.ready, tone: 'ready', title: `${count(queue.ready)} ready` }]} />
    <p class="barwords">${whole === 0 ? 'Start a run from a plan, and its jobs appear here.' : `${count(queue.leased)} under way, ${count(queue.ready)} ready, ${count(queue.blocked)} blocked until their trace is here`}</p><//>`;
}

function NoWorkers() {
  return html`<div class="empty"><h2>No workers yet</h2><p>One command starts one, on this machine or on any that reaches this address. It wants a worker token: the server keeps the first in <code>worker-token</code> in its state folder.</p>
    <p><${CommandLine} line=${`vivace worker --server ${location.origin} --token-file worker-token`} /></p></div>`;
}
