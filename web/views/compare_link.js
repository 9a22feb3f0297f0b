// compare_link.js: links from a run to Compare: compare its designs, or add one to the collected sides.
import { html } from '../ui/lib.js';
import { say } from '../ui/toast.js';
import { useKeys } from '../ui/keys.js';
import * as api from '../api.js';
import { addSide, compareAddress, makeBase, MOST, sideOf } from '../comparing.js';

/** @param {{ run: import('../types.js').Run, design: import('../types.js').RunDesign }} p */
export function CompareLink({ run, design }) {
  const side = sideOf(run.id, design.design);
  const add = () => say(addSide(side) ? `${design.design} of this run is in the comparison; g c shows it.` : `It is in the comparison already, or ${MOST} others are.`);
  const share = api.who.value?.share;
  useKeys(share ? [] : [
    { keys: 'c', does: 'add to the comparison', run: add },
    { keys: 'b', does: 'make this the baseline', run: () => { makeBase(side); say(`${design.design} of this run is the baseline of the comparison; g c shows it.`); } },
  ]);
  const others = run.designs.filter((d) => d !== run.designs[0]).slice(0, MOST).map((d) => sideOf(run.id, d.design));
  if (share && (share.frozen || others.length === 0)) return null; // a frozen link has the run's own comparison only
  return others.length > 0
    ? html`<a class="button" href=${compareAddress({ base: sideOf(run.id, run.designs[0].design), with: others })}>Compare</a>`
    : html`<button type="button" onClick=${add}>Add to comparison</button>`;
}
