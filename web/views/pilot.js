// pilot.js: a profile of instruction counts is planned on cycles: the farm simulates one launch of each shape first. What the
// dialog "Plan" asks, the progress of a pilot, and the card of a profile's pilots.
import { html, useEffect, useState } from '../ui/lib.js';
import { Card, Faces, Trouble } from '../ui/page.js';
import { useLoad, useThrottle } from '../ui/load.js';
import { Step } from '../ui/steps.js';
import { useSubmit } from '../ui/submit.js';
import { bound, count, plural, sentence } from '../ui/format.js';
import { href } from '../routes.js';
import * as api from '../api.js';
import { useLive } from '../live.js';

/** @typedef {import('../types.js').Pilot} Pilot */

const RETRY_MS = 2000;

/** @param {Pilot} p */
const goesOn = (p) => p.finished_at === null;

/** @param {{ shapes?: number, value: string, onChange: (design: string) => void }} p shapes: of the profile, where it is known */
export function PilotChoice({ shapes, value, onChange }) {
  const load = useLoad((abort) => api.designs(abort), []);
  return html`<label for="plan-pilot">Simulate first</label>
    <select id="plan-pilot" value=${value} onChange=${(/** @type {any} */ e) => onChange(e.target.value)} aria-describedby="plan-pilot-why">
      <option value="">nothing: plan on the counts</option>
      ${(load.data?.items ?? []).map((d) => html`<option key=${d.id} value=${d.name}>a launch of each shape, on ${d.name}</option>`)}
    </select>
    <p class="quiet across" id="plan-pilot-why">This profile counts instructions, and time follows counts loosely. ${value ? html`The farm simulates ${shapes ? `${plural(shapes, 'launch', 'launches')}, one of each shape` : 'one launch of each shape'}, estimates the cycles of all launches from them, and plans on these. It needs a trace of each shape.` : 'Plans are better on cycles: choose a GPU, and the farm estimates them from one launch of each shape.'}</p>`;
}

/** Its stage: 1 simulating, 2 estimating, 3 planning, 4 ended. @param {Pilot} p */
function placeOf(p) {
  if (p.state === 'done') return 4;
  if (p.cycles) return 3;
  return p.state === 'planning' || p.run_state === 'done' ? 2 : 1;
}

/** @param {{ pilot: Pilot }} p */
function Steps({ pilot: p }) {
  const at = placeOf(p), over = p.finished_at !== null;
  const state = (/** @type {number} */ step) => (at > step ? 'done' : at < step ? 'later' : over ? 'bad' : 'now');
  const simulated = p.launches !== null && (p.run !== null || at > 1) && `${count(p.simulated)} of ${count(p.launches)}${p.not_simulated > 0 ? `, ${count(p.not_simulated)} failed` : ''}${p.run_state === 'paused' ? ', paused' : ''}`;
  return html`<ol class="steps">
    <${Step} state="done" text="launches drawn" detail=${p.launches !== null && plural(p.launches, 'shape')} />
    <${Step} state=${state(1)} text=${`simulated on ${p.design}`} detail=${simulated} />
    <${Step} state=${state(2)} text="cycles estimated" />
    <${Step} state=${state(3)} text="planned" />
  </ol>`;
}

/** @param {{ pilot: Pilot, onChanged: (now: Pilot) => void }} p */
function Acts({ pilot: p, onChanged }) {
  const { busy, problem, submit } = useSubmit();
  const steer = (/** @type {'cancel'|'retry'} */ act) => () => submit(() => (act === 'cancel' ? api.cancelPilot : api.retryPilot)(p.id), { done: onChanged, late: () => (act === 'cancel' ? 'The pilot is cancelled.' : 'The pilot goes on.') });
  return html`<p class="next">
    ${p.plan && html`<a class="button filled" href=${href('plan', { id: p.plan })}>Open the plan</a>`}
    ${p.cycles && html`<a class="button" href=${href('profile', { id: p.cycles })}>Its cycles</a>`}
    ${p.run && !p.plan && html`<a class="button" href=${href('run', { id: p.run })}>Its run</a>`}
    ${api.may('write') && goesOn(p) && html`<button type="button" disabled=${busy} onClick=${steer('cancel')}>Cancel the pilot</button>`}
    ${api.may('write') && (p.state === 'failed' || p.state === 'cancelled') && html`<button type="button" class="filled" disabled=${busy} onClick=${steer('retry')}>Try again</button>`}
  </p>
  ${problem && html`<p class="field-problem" role="alert">${problem.message} ${problem.hint}</p>`}`;
}

/** The reason why it waits or ended. @param {{ pilot: Pilot }} p */
function Problem({ pilot: p }) {
  if (!p.problem) return null;
  const text = sentence(p.problem);
  if (p.state === 'failed') return html`<div class="trouble" role="alert"><p><strong>${text}</strong></p>${p.hint && html`<p>${p.hint}</p>`}</div>`;
  return html`<p class="notice ${goesOn(p) ? 'warn' : ''}" role="status">${text}${goesOn(p) ? ' It is tried again.' : ''}</p>`;
}

/** A pilot whose progress is followed until it ends. @param {{ start: Pilot, meanwhile?: any }} p meanwhile: shown until then */
export function PilotState({ start, meanwhile }) {
  const load = useLoad((abort) => api.pilot(start.id, abort), [start.id]);
  const p = load.data ?? start;
  const again = useThrottle(load.reload, 300);
  const going = goesOn(p);
  useLive(going ? [`pilot:${p.id}`, ...(p.run ? [`run:${p.run}`] : [])] : [], again);
  // The last event may be older than this tab's subscription.
  useEffect(() => {
    if (!going) return undefined;
    const timer = setInterval(load.reload, RETRY_MS);
    return () => clearInterval(timer);
  }, [going, load.reload]);
  const w = p.wanted;
  return html`<div class="pilot">
    <p class="quiet">${w.method ?? 'vivace'}, error ${bound(w.error ?? 0.05)}${w.assurance ? `, kept in ${bound(w.assurance)} of cases` : ''}; begun by ${p.created_by}${p.tries > 1 ? `, try ${p.tries}` : ''}</p>
    <${Steps} pilot=${p} />
    ${load.error && html`<${Trouble} error=${load.error} what="read the pilot’s progress" again=${load.reload} />`}
    <${Problem} pilot=${p} />
    ${p.note && html`<p class="quiet">Cycles are ${p.note}.</p>`}
    <${Acts} pilot=${p} onChanged=${load.set} />
    ${going && meanwhile}
  </div>`;
}

/** The last few pilots of a profile; renders nothing if there are none. @param {{ profile: string, again: number }} p again: another was begun */
export function Pilots({ profile, again }) {
  const load = useLoad((abort) => api.pilots(profile, { limit: 5 }, abort), [profile, again]);
  const [more, setMore] = useState(false);
  if (!load.error && !load.data?.items.length) return null;
  const items = load.data?.items ?? [];
  return html`<${Card} title="Pilots" note="One launch of each shape is simulated; the cycles of all launches are estimated from them, and a plan is made of these."
    aside=${items.length > 1 && html`<button type="button" aria-expanded=${more} onClick=${() => setMore(!more)}>${more ? 'Hide earlier ones' : 'Earlier ones'}</button>`}>
    <${Faces} load=${load} what="the pilots" height=${80}>${() => (more ? items : items.slice(0, 1)).map((p) => html`<${PilotState} key=${`${p.id} ${p.tries}`} start=${p} />`)}<//>
  <//>`;
}
