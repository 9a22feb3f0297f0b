// upload.js: progress and result of an upload.
import { html, useEffect } from '../ui/lib.js';
import { Card, Page, Trouble } from '../ui/page.js';
import { useLoad, useNow, useThrottle } from '../ui/load.js';
import { Step } from '../ui/steps.js';
import { bytes, count, plural, rate, share, time } from '../ui/format.js';
import { PartsBar } from '../charts/small.js';
import { useLive } from '../live.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { discard, findUnfinished, pause, resume, transfers } from '../uploads.js';
import { FilePicker, ThreeCommands } from './pick.js';
import { Report } from './report.js';

/** @typedef {import('../uploads.js').Transfer} Transfer */

export function UploadView() {
  useEffect(() => { findUnfinished(); }, []);
  const list = transfers.value;
  return html`
    <${Page} title="Upload" crumbs=${[{ text: 'Workloads', href: '/' }, { text: 'upload' }]} actions=${html`<${FilePicker} text="Choose files" filled />`}>
      ${list.length === 0 && html`<div class="panel empty"><h2>Drop a report anywhere on this page</h2>
        <p>Nsight Systems (<code>.sqlite</code>, or the CSV of <code>nsys stats</code>), PyTorch profiler JSON, Accel-Sim traces as a tar. It goes in pieces: a lost connection or a closed page costs nothing.</p><${ThreeCommands} /></div>`}
      ${[...list].reverse().map((t) => html`<${One} key=${t.key} t=${t} />`)}
    <//>`;
}

const PHASE = /** @type {Record<Transfer['phase'], string>} */ ({
  starting: 'asking the server', sending: 'sending', waiting: 'connection lost, trying again', paused: 'paused', finishing: 'putting it together',
  importing: 'received', failed: 'stopped', unfinished: 'waits for its file',
});

/** @param {{ t: Transfer }} p */
function One({ t }) {
  const seconds = (useNow(500) - t.startedAt) / 1000;
  const moved = t.sent - t.sentBefore;
  const speed = t.phase === 'sending' && seconds > 0.7 && moved > 0 ? moved / seconds : 0;
  const left = speed > 0 ? (t.bytes - t.sent) / speed : null;
  const note = html`${bytes(t.bytes)}, ${PHASE[t.phase]}`;
  const aside = html`
    ${['sending', 'waiting'].includes(t.phase) && html`<button type="button" onClick=${() => pause(t.key)}>Pause</button>`}
    ${t.phase === 'paused' && html`<button type="button" onClick=${() => resume(t.key)}>Go on</button>`}
    <button type="button" onClick=${() => discard(t.key)}>${t.phase === 'importing' ? 'Take off this list' : 'Discard'}</button>`;
  return html`
    <${Card} title=${t.name} note=${note} aside=${aside} class="transfer">
      ${t.importId
        ? html`<${Importing} id=${t.importId} bytesSent=${t.bytes} />`
        : html`
          <${PartsBar} label=${`${t.name}: ${share(t.sent / Math.max(1, t.bytes))} sent`} whole=${Math.max(1, t.bytes)} parts=${[{ key: 'sent', value: t.sent, tone: t.phase === 'waiting' ? 'warn' : 'leased', title: `${bytes(t.sent)} sent` }]} />
          <ol class="steps"><${Step} state=${t.phase === 'failed' ? 'bad' : 'now'} text="received" detail=${html`${bytes(t.sent)} of ${bytes(t.bytes)}${speed > 0 && html`, ${rate(speed)}`}${left !== null && left > 2 && html`, ${time(Math.ceil(left))} left`}`} />
            ${['recognised', 'read', 'checked', 'ready'].map((s) => html`<${Step} key=${s} state="later" text=${s} />`)}</ol>
          ${t.phase === 'waiting' && html`<p class="notice warn" role="status">${t.problem?.message} The pieces that arrived are kept; sending continues when the server answers again.</p>`}
          ${t.phase === 'unfinished' && html`<p class="notice" role="status">This upload stopped when the page closed. Choose the same file again: only what is missing is sent. <${FilePicker} text="Choose the file" /></p>`}
          ${t.phase === 'failed' && html`<${Trouble} error=${t.problem} what="send it" again=${() => resume(t.key)} />`}`}
    <//>`;
}

/** @param {{ state: string }} i */
const underWay = (i) => i.state === 'queued' || i.state === 'reading';

const STAGES = /** @type {const} */ (['recognising', 'reading', 'checking', 'storing', 'done']);

/** @param {{ id: string, bytesSent: number }} p */
function Importing({ id, bytesSent }) {
  const load = useLoad(() => api.importState(id), [id]);
  const again = useThrottle(load.reload, 300);
  const going = !load.data || underWay(load.data);
  useLive(going ? [`import:${id}`] : [], (e) => {
    // An event contains the stage only. At the end the whole import, with its report or error, is read from the server.
    if (e.event === 'import.stage' && underWay(e.data)) load.set((old) => (underWay(old) ? { ...old, ...e.data, id: old.id } : old));
    again();
  });
  // The last event may be older than this tab's subscription.
  useEffect(() => {
    if (!going) return undefined;
    const timer = setInterval(load.reload, 2000);
    return () => clearInterval(timer);
  }, [going, load.reload]);
  if (load.error && !load.data) return html`<${Trouble} error=${load.error} what="read the import’s progress" again=${load.reload} />`;
  const i = load.data;
  const at = i ? STAGES.indexOf(i.stage) : 0;
  const state = (/** @type {number} */ step) => (i?.state === 'ready' || at > step ? 'done' : at === step ? (i?.state === 'failed' ? 'bad' : 'now') : 'later');
  return html`
    <ol class="steps">
      <${Step} state="done" text="received" detail=${bytes(bytesSent)} />
      <${Step} state=${state(0)} text="recognised" detail=${i?.report?.format} />
      <${Step} state=${state(1)} text="read" detail=${i && at >= 1 && html`${i.rows > 0 && plural(i.rows, 'row')}${i.state === 'reading' && i.bytes > 0 && html`, ${share(i.bytes_read / i.bytes)}`}`} />
      <${Step} state=${state(2)} text="checked" />
      <${Step} state=${i?.state === 'ready' ? 'done' : state(3)} text="ready" />
    </ol>
    ${i?.state === 'failed' && html`<div class="trouble" role="alert"><p><strong>${i.problem?.detail}</strong></p>${i.problem?.hint && html`<p>${i.problem.hint}</p>`}</div>`}
    ${i?.report && html`<${Report} report=${i.report} />`}
    ${i?.state === 'ready' && html`<p class="next">
      ${i.profile && html`<a class="button filled" href=${href('profile', { id: i.profile })}>See the profile</a>`}
      ${i.workload && html`<a class="button" href=${href('workload', { id: i.workload })}>Open the workload</a>`}
      <span class="quiet">${plural(i.report?.launches ?? 0, 'launch is', 'launches are')} ready to be planned.</span></p>`}`;
}
