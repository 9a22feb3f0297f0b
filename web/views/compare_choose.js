// compare_choose.js: chooses the compared designs of runs. Designs of runs that are in the comparison come first.
import { html, useState } from '../ui/lib.js';
import { Faces, State } from '../ui/page.js';
import { ShowMore, usePages } from '../ui/pages.js';
import { Moment } from '../ui/num.js';
import { MOST, sideOf } from '../comparing.js';
import { href } from '../routes.js';
import * as api from '../api.js';

/** @typedef {import('../types.js').RunRow} RunRow */

/** @param {RunRow} r */
const designsOf = (r) => r.designs.map((d) => d.design);

/** @param {{ base: string, others: string[], onChange: (base: string, others: string[]) => void }} p */
export function Choose({ base, others, onChange }) {
  const [q, setQ] = useState('');
  const { load, rows, more } = usePages((after, abort) => api.runs({ q, after }, abort), [q]);
  const inside = new Set([base, ...others].filter(Boolean).map((s) => s.split(':')[0]));
  const toggle = (/** @type {string} */ side) => () => {
    if (side === base) onChange(others[0] ?? '', others.slice(1));
    else if (others.includes(side)) onChange(base, others.filter((s) => s !== side));
    else if (!base) onChange(side, others);
    else onChange(base, [...others, side]);
  };
  const whole = (/** @type {RunRow} */ r) => () => {
    const [first, ...rest] = designsOf(r).map((d) => sideOf(r.id, d));
    onChange(first, rest.slice(0, MOST));
  };
  return html`<div class="tools"><label class="hidden" for="choose">Search runs</label>
      <input id="choose" type="search" placeholder="Workload or design" value=${q} onInput=${(/** @type {any} */ e) => setQ(e.target.value)} /></div>
    <${Faces} load=${load} what="the runs" height=${160} empty=${(/** @type {any} */ d) => d.items.length === 0 && (q ? html`<p class="none">No run of a workload or design with “${q}” in its name.</p>` : html`<div class="empty"><p>No run yet.</p><p><a href=${href('plans')}>Open a plan</a> and choose “Run on…”.</p></div>`)}>${() => html`
    <div class="tablebox" tabindex="0" role="region" aria-label="Runs to choose from"><table class="rows"><caption class="hidden">Runs to choose from</caption>
      <thead><tr><th scope="col">workload</th><th scope="col">designs</th><th scope="col">state</th><th scope="col" class="right">started</th><th scope="col"><span class="hidden">all of them</span></th></tr></thead>
      <tbody>${[...rows].sort((a, b) => Number(inside.has(b.id)) - Number(inside.has(a.id))).map((r) => html`<tr key=${r.id}>
        <td><a href=${href('run', { id: r.id })}>${r.workload_name ?? 'run'}</a></td>
        <td><span class="sidechoice">${designsOf(r).map((name) => {
          const side = sideOf(r.id, name);
          const on = side === base || others.includes(side);
          return html`<button key=${name} type="button" aria-pressed=${on} disabled=${!on && others.length >= MOST} onClick=${toggle(side)}>${side === base && '★ '}${name}</button>`;
        })}</span></td>
        <td><${State} state=${r.state} /></td><td class="right"><${Moment} at=${r.created_at} /></td>
        <td>${designsOf(r).length > 1 && html`<button type="button" class="link" onClick=${whole(r)}>compare these</button>`}</td></tr>`)}</tbody></table></div>
    <${ShowMore} more=${more} />`}<//>`;
}
