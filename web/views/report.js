// report.js: the import report: what was accepted, what was dropped and why, and what limits the use of the rest.
import { html } from '../ui/lib.js';
import { clockRate, count, countedIn, plural, short, timeNs } from '../ui/format.js';

/** @typedef {import('../types.js').Note} Note */

/** @param {{ report: import('../types.js').ImportReport }} p */
export function Report({ report: r }) {
  return html`
    <div class="report">
      <p class="accepted"><span class="tag ok">accepted</span> <strong>${plural(r.launches, 'launch', 'launches')}</strong> of ${plural(r.kernels, 'kernel')} (${plural(r.kernel_shapes, 'shape')}), ${
          r.total_ns !== null ? `${timeNs(r.total_ns)} of GPU time` : `${short(r.total_cycles ?? r.total_warp_instructions ?? NaN)} ${countedIn(r.unit)}`}, ${
          plural(r.devices, 'device')}, ${plural(r.streams, 'stream')}${r.gpu && `, on ${r.gpu}`}${clockText(r.clock)}${r.makespan_ns && `; the GPU was busy for ${timeNs(r.makespan_ns)}`}. <span class="quiet">${r.format}${r.schema && ` ${r.schema}`}</span></p>
      ${r.zero_duration > 0 && html`<p><span class="tag">kept</span> ${plural(r.zero_duration, 'launch', 'launches')} of 0 ns: they do not change the total and are never drawn.</p>`}
      <${Notes} kind="dropped" tone="warn" notes=${r.dropped_reasons} />
      <${Notes} kind="ignored" tone="" notes=${r.ignored_reasons} />
      <${Notes} kind="warning" tone="warn" notes=${r.warnings} />
      ${r.dropped === 0 && !r.warnings?.length && html`<p><span class="tag ok">sound</span> Nothing was dropped, and nothing limits its use.</p>`}
    </div>`;
}

/** Share links may contain older reports without clocks. @param {import('../types.js').ImportReport['clock']} c */
const clockText = (c) => (c ? `, SM clock ${c.measured ? '' : 'at most '}${clockRate(c.low_hz, c.high_hz)}${c.measured ? ' while launches ran' : ''}` : '');

/** Each line can show its first examples. @param {{ kind: string, tone: string, notes: Note[] }} p */
function Notes({ kind, tone, notes }) {
  return html`${(notes ?? []).map((n) => {
    const line = html`<span class="tag ${tone}">${kind}</span> ${n.count > 0 && html`<strong>${count(n.count)}</strong>: `}${n.sentence}`;
    return n.examples?.length
      ? html`<details key=${n.code}><summary>${line}</summary><ul>${n.examples.map((e) => html`<li><code>${e}</code></li>`)}</ul></details>`
      : html`<p key=${n.code}>${line}</p>`;
  })}`;
}
