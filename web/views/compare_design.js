// compare_design.js: the parameters of the compared designs side by side, by default only those that differ.
import { html } from '../ui/lib.js';
import { Card } from '../ui/page.js';
import { count, plural, UNKNOWN } from '../ui/format.js';

/** A parameter is exact: it is shown as in the design file. @param {any} v @returns {string} */
function valueText(v) {
  if (v === null || v === undefined) return UNKNOWN;
  if (Array.isArray(v)) return v.map(valueText).join(', ');
  return typeof v === 'number' && Number.isInteger(v) ? count(v) : String(v);
}

/** Without `onAll` there is no switch. @param {{ comparison: import('../types.js').Comparison, all: boolean, onAll?: (all: boolean) => void }} p */
export function DesignTable({ comparison, all, onAll }) {
  const rows = comparison.parameters ?? [];
  const sides = [comparison.base, ...comparison.items];
  // One column per design, even if it is in several runs.
  const shown = sides.map((s, i) => ({ name: s.design, i })).filter((s, i, list) => list.findIndex((x) => x.name === s.name && rows.every((r) => JSON.stringify(r.values[x.i]) === JSON.stringify(r.values[s.i]))) === i);
  const differ = rows.filter((r) => !r.same).length;
  const aside = onAll && html`<label><input type="checkbox" checked=${all} onChange=${() => onAll(!all)} /> all parameters</label>`;
  return html`<${Card} title=${differ === 0 ? 'The designs are the same' : `The designs differ in ${plural(differ, 'parameter')}`} note=${all ? 'Where a design differs from the baseline it is set in bold.' : 'Only what differs; bold: not as in the baseline.'} aside=${aside} class="bounded">
    ${rows.length === 0 ? html`<p class="none">${shown.length < 2 ? 'One design in several runs.' : 'The simulator’s parameters are the same.'}</p>` : html`
    <div class="tablebox" tabindex="0" role="region" aria-label="Parameters of the designs"><table class="rows"><caption class="hidden">Parameters of the designs</caption>
      <thead><tr><th scope="col">parameter</th>${shown.map((s) => html`<th key=${s.i} scope="col" class="right">${s.i === 0 && '★ '}${s.name}</th>`)}<th scope="col">unit</th></tr></thead>
      <tbody>${rows.map((r) => html`<tr key=${r.parameter}><th scope="row"><code>${r.parameter}</code></th>${shown.map((s) => {
        const other = JSON.stringify(r.values[s.i]) !== JSON.stringify(r.values[0]);
        return html`<td key=${s.i} class="right" title=${r.values[s.i] === null ? 'this design has no such parameter' : undefined}>${other ? html`<strong>${valueText(r.values[s.i])}</strong>` : valueText(r.values[s.i])}</td>`;
      })}<td class="quiet">${r.unit}</td></tr>`)}</tbody></table></div>`}<//>`;
}
