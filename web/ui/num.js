// num.js: numbers on the page. Each is in <data> with full precision, which is the copied text too.
import { html } from './lib.js';
import { ago, estimate, moment, UNKNOWN } from './format.js';

/** A formatted number. `why`: the reason, shown on hover, why it is not known.
 * @param {{ value: number|string|null|undefined, text: string, why?: string, class?: string }} p */
export function Num({ value, text, why, class: kind }) {
  if (value === null || value === undefined || text === UNKNOWN) return html`<span class="unknown ${kind ?? ''}" title=${why ?? 'not known'}>${UNKNOWN}</span>`;
  return html`<data class=${kind} value=${String(value)} title=${why}>${text}</data>`;
}

const NO_HALF = 'the interval is known once every stratum has two results';

/** An estimate on one line: 40.4 ± 1.3 s. `change`: a ratio shown as a change: ratio - 1.
 * @param {{ value: number|null|undefined, parts: import('./format.js').Estimate, why?: string, change?: boolean }} p
 */
export function Estimate({ value, parts, why, change }) {
  if (value === null || value === undefined) return html`<span class="unknown" title=${why ?? 'not known yet'}>${UNKNOWN}</span>`;
  if (parts.half === null) return html`<span title=${why ?? NO_HALF}><data value=${String(value)} data-change=${change}>${estimate(parts)}</data>${' '}<span class="quiet">±${'\u00a0'}?</span></span>`;
  return html`<data value=${String(value)} data-change=${change} title=${why}>${estimate(parts)}</data>`;
}

/** An estimate in the strip of a page: the value large, half-width and unit beside it.
 * @param {number} value @param {import('./format.js').Estimate} parts @param {boolean} [change] as in Estimate */
export const inStrip = (value, parts, change) => ({
  value: html`<data value=${String(value)} data-change=${change}>${parts.value}</data>`,
  unit: parts.half === null ? html`<span title=${NO_HALF}>± ? ${parts.unit}</span>` : html`± ${parts.half} ${parts.unit}`,
});

/** "3 min ago", exact on hover. @param {{ at: string|null|undefined }} p */
export function Moment({ at }) {
  if (!at) return html`<span class="unknown">${UNKNOWN}</span>`;
  return html`<time datetime=${at} title=${moment(at)}>${ago(at, Date.now())}</time>`;
}

/** A share with its bar, the text first so that columns line up. @param {{ value: number|null|undefined, text: string, tone?: string }} p */
export function ShareBar({ value, text, tone }) {
  if (value === null || value === undefined) return html`<span class="unknown">${UNKNOWN}</span>`;
  const width = Math.max(0, Math.min(1, value)) * 64;
  return html`<span class="sharebar"><data value=${String(value)}>${text}</data><svg width="64" height="8" aria-hidden="true"
    ><rect class="track" width="64" height="8" rx="2"/><rect class="fill ${tone ?? ''}" width=${width.toFixed(1)} height="8" rx="2"/></svg></span>`;
}

/** A kernel's name: shortened in its middle, whole on hover and when copied. @param {{ name: string, short: string }} p */
export function KernelName({ name, short }) {
  return html`<code class="kernel" title=${name} data-copy=${name}>${short}</code>`;
}
