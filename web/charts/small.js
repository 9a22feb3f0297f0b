// small.js: small pictures inside a line of text or a table cell, drawn without a library.
import { html } from '../ui/lib.js';

/** At most 200 values as bars, 120 × 18, in one path: a table has thousands of bars. @param {{ values: number[], label: string }} p */
export function Spark({ values, label }) {
  if (!values?.length) return null;
  const most = Math.max(...values, 1e-300);
  const w = 120 / values.length, width = Math.max(0.5, w - 0.4).toFixed(2);
  const bar = (/** @type {number} */ v, /** @type {number} */ i) => {
    const high = Math.max(1, (v / most) * 17);
    return `M${(i * w).toFixed(2)} ${(18 - high).toFixed(2)}h${width}v${high.toFixed(2)}h-${width}z`;
  };
  return html`<svg class="spark" width="120" height="18" role="img" aria-label=${label}><path d=${values.map((v, i) => (v > 0 ? bar(v, i) : '')).join('')} /></svg>`;
}

/** A stacked bar of the parts of a whole, over the width of the page. @param {{ parts: { key: string, value: number, color?: string, tone?: string, title: string, onPick?: () => void, picked?: boolean }[], whole: number, label: string, high?: boolean }} p */
export function PartsBar({ parts, whole, label, high }) {
  let x = 0;
  return html`<svg class="parts ${high ? 'high' : ''}" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label=${label}>
    <rect class="track" width="1000" height="10" />
    ${parts.filter((p) => p.value > 0).map((p) => {
      const width = (p.value / Math.max(whole, 1e-300)) * 1000;
      const at = x;
      x += width;
      return html`<rect key=${p.key} class="${p.tone ?? ''} ${p.picked ? 'picked' : ''}" x=${at.toFixed(3)} width=${Math.max(0, width - (high ? 1 : 0)).toFixed(3)} height="10" fill=${p.color}
        onClick=${p.onPick}><title>${p.title}</title></rect>`;
    })}</svg>`;
}

/** Mean and interval in a cell, with a dotted reference: 110 × 18. All rows share one relative scale.
 * @param {{ value: number, half: number|null, reference: number|null, most: number, color: string, label: string }} p */
export function Whisker({ value, half, reference, most, color, label }) {
  const ref = reference ?? value;
  const x = (/** @type {number} */ v) => 55 + Math.max(-1, Math.min(1, (v - ref) / ref / most)) * 50;
  return html`<svg class="whisker" width="110" height="18" role="img" aria-label=${label}>
    ${reference !== null && html`<line class="reference" x1="55" x2="55" y1="1" y2="17" />`}
    ${half !== null && html`<line x1=${x(value - half).toFixed(1)} x2=${x(value + half).toFixed(1)} y1="9" y2="9" stroke=${color} stroke-width="2" />`}
    <circle cx=${x(value).toFixed(1)} cy="9" r="3.5" fill=${color} /></svg>`;
}
