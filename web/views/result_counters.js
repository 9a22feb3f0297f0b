// result_counters.js: all counters of a result, grouped, searchable, each with its unit and a sentence.
import { html } from '../ui/lib.js';
import { Card } from '../ui/page.js';
import { Num } from '../ui/num.js';
import { count } from '../ui/format.js';

/** Groups by name prefix; other counters belong to the group of the launch. */
const GROUPS = /** @type {const} */ ([
  ['Issue slots', ['slots_']], ['Instructions', ['warp_instructions', 'lane_', 'predicated', 'tensor', 'branch', 'mix_']],
  ['L1 and shared memory', ['l1_', 'shared_', 'coalesc', 'bank_', 'atomic', 'local_', 'texture']], ['L2', ['l2_', 'slice_']], ['DRAM', ['dram_']],
  ['Network', ['noc_', 'bridge_']], ['Translation', ['tlb_', 'page_']], ['Energy and power', ['energy_', 'power_']],
]);

/** @param {string} name */
const groupOf = (name) => GROUPS.find(([, starts]) => starts.some((s) => name.startsWith(s)))?.[0] ?? 'Launch';

/** @param {{ counters: import('../types.js').Counter[], q: string, onSearch: (q: string) => void }} p */
export function ResultCounters({ counters, q, onSearch }) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = counters.filter((c) => words.every((w) => `${c.name} ${c.unit} ${c.sentence}`.toLowerCase().includes(w)));
  const groups = ['Launch', ...GROUPS.map(([g]) => g)].map((g) => ({ title: g, list: found.filter((c) => groupOf(c.name) === g) })).filter((g) => g.list.length > 0);
  const aside = html`<label class="hidden" for="counter-search">Search the counters</label><input id="counter-search" type="search" placeholder="Search the counters" value=${q} onInput=${(/** @type {any} */ e) => onSearch(e.target.value)} />`;
  return html`<${Card} title="Counters" note=${words.length ? `${count(found.length)} of ${count(counters.length)}` : `All ${count(counters.length)}, of the whole launch.`} aside=${aside} id="counters">
    ${groups.length === 0 && html`<p class="none">No counter has “${q}” in its name, unit or sentence.</p>`}
    ${groups.length > 0 && html`<div class="tablebox" tabindex="0" role="region" aria-label="Counters"><table class="rows counters"><caption class="hidden">Counters</caption>
      <thead><tr><th scope="col">counter</th><th scope="col" class="right">value</th><th scope="col">unit</th><th scope="col">what it counts</th></tr></thead>
      ${groups.map((g) => html`<tbody key=${g.title}><tr class="group"><th colspan="4" scope="rowgroup">${g.title}</th></tr>
        ${g.list.map((c) => html`<tr key=${c.name}><td><code>${c.name}</code></td><td class="right"><${Num} value=${c.value} text=${count(Number(c.value))} /></td><td>${c.unit}</td><td class="wide" title=${c.sentence}>${c.sentence}</td></tr>`)}</tbody>`)}
    </table></div>`}<//>`;
}
