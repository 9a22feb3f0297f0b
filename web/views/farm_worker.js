// farm_worker.js: one worker: its properties, its last heartbeat, and its recently ended jobs.
import { html } from '../ui/lib.js';
import { Card, Faces, State } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Moment, Num } from '../ui/num.js';
import { bytes, count, plural, time } from '../ui/format.js';
import { href } from '../routes.js';
import * as api from '../api.js';

/** @param {{ worker: import('../types.js').Worker, onClose: () => void }} p */
export function WorkerCard({ worker: w, onClose }) {
  const load = useLoad((abort) => api.workerAttempts(w.id, {}, abort), [w.id, w.seen_at]);
  return html`<${Card} title=${`Worker ${w.name}`} note=${`On ${w.host}, ${plural(w.slots, 'slot')}, version ${w.version}, simulator ${w.simulator}.`} class="bounded"
    aside=${html`<button type="button" onClick=${onClose}>Close</button>`}>
    <table class="rows facts"><caption class="hidden">Facts about the worker</caption><tbody>
      <tr><th scope="row">State</th><td><${State} state=${w.state} />, ${count(w.busy)} of ${plural(w.slots, 'slot')} busy</td></tr>
      <tr><th scope="row">Last sign of life</th><td><${Moment} at=${w.seen_at} /></td></tr>
      ${w.started_at && html`<tr><th scope="row">Started</th><td><${Moment} at=${w.started_at} /></td></tr>`}
      ${w.sandbox && html`<tr><th scope="row">Sandbox</th><td>${w.sandbox}</td></tr>`}
    </tbody></table>
    <${Faces} load=${load} what="its history" height=${120} empty=${(/** @type {any} */ d) => d.items.length === 0 && html`<p class="none">It has ended no job in the last hour.</p>`}>${(/** @type {import('../types.js').List<import('../types.js').WorkerAttempt>} */ d) => html`
      <div class="tablebox" tabindex="0" role="region" aria-label="History of the worker"><table class="rows"><caption class="hidden">History of the worker</caption>
        <thead><tr><th scope="col">ended</th><th scope="col">run</th><th scope="col">outcome</th><th scope="col" class="right">took</th><th scope="col" class="right">memory</th><th scope="col">said</th></tr></thead>
        <tbody>${d.items.map((a) => html`<tr key=${`${a.job}${a.ended_at}${a.number}`}><td><${Moment} at=${a.ended_at} /></td>
          <td>${a.run ? html`<a href=${href('run', { id: a.run })}>${a.workload_name}</a>` : html`<span class="quiet">of another team</span>`}</td>
          <td><${State} state=${a.outcome} />${a.number > 1 && html` <span class="quiet">attempt ${a.number}</span>`}</td>
          <td class="right"><${Num} value=${a.host_seconds} text=${time(a.host_seconds)} why="not reported" /></td><td class="right"><${Num} value=${a.peak_bytes} text=${bytes(a.peak_bytes)} why="not reported" /></td><td class="wide">${a.message}</td></tr>`)}</tbody></table></div>`}<//><//>`;
}
