// result_dram.js: each DRAM channel over time, or each bank if the simulation has banks.
import { html, useMemo } from '../ui/lib.js';
import { Card, Faces } from '../ui/page.js';
import { Switch } from '../ui/switch.js';
import { useLoad } from '../ui/load.js';
import * as api from '../api.js';
import { Heat } from './result_pictures.js';

/** @typedef {import('../charts/time_chart.js').Series} Series @typedef {import('../types.js').SeriesKind} SeriesKind */

/** The rows of one channel; its banks are adjacent. @param {Series} s @param {number} channel @param {number} channels @returns {Series} */
export function ofChannel(s, channel, channels) {
  const lines = s.lines / channels;
  const each = lines * s.columns * 3;
  const labels = s.labels.slice(channel * lines, (channel + 1) * lines);
  return { ...s, lines, labels, brief: labels.map((l) => l.replace(/^.* (bank \d+)$/, '$1')), values: s.values.subarray(channel * each, (channel + 1) * each) };
}

/** @param {any} p */
export function EachDram({ result, list, of, query, set, titled, ...common }) {
  const kind = list.series.find((/** @type {SeriesKind} */ k) => k.name === `bank_${query.dram}`);
  const banks = query.each === 'bank';
  const aside = html`<${Switch} label="Channels or banks" of=${['channel', 'bank']} now=${query.each} text=${(/** @type {string} */ w) => `each ${w}`} onTurn=${(/** @type {string} */ each) => set({ each })} />
    <${Switch} label="What of them is shown" of=${['utilisation', 'efficiency']} now=${query.dram} onTurn=${(/** @type {string} */ dram) => set({ dram })} />`;
  const csv = (/** @type {string} */ name) => api.address.series(result.id, { name, format: 'csv' });
  if (!banks) return html`<${Heat} ...${common} percent ...${titled(`Each DRAM channel: ${query.dram}`)} note="As a share of the channel’s peak, one row per channel." series=${of(`channel_${query.dram}`)} rows=${query.rows} csv=${csv(`channel_${query.dram}`)} file=${`dram-${query.dram}`} aside=${aside} />`;
  if (!kind) return html`<${Card} title="Each DRAM bank" aside=${aside}><p class="none">The banks were not modelled separately: among the presets of a design, only “detailed” does this (<code>model.dram</code> is <code>bank</code>). A design with this level, for <code>vivace design add</code>: <code>vivace design scale ${list.design} --set model.memory=event --set model.dram=bank --out ${list.design}-bank.json</code></p><//>`;
  return html`<${Banks} ...${common} result=${result} list=${list} kind=${kind} channels=${of('channel_utilisation').lines} query=${query} set=${set} titled=${titled} aside=${aside} csv=${csv(kind.name)} />`;
}

/** Thousands of rows: loaded on request. @param {any} p */
function Banks({ result, list, kind, channels, query, set, titled, aside, ...rest }) {
  const load = useLoad((abort) => api.seriesMatrix(result.id, kind, list, abort), [result.id, kind.name]);
  const chosen = query.channel !== '' && Number(query.channel) < channels ? Number(query.channel) : null;
  const series = useMemo(() => load.data && (chosen === null ? { ...load.data, brief: load.data.labels.map((/** @type {string} */ l) => l.replace('channel', 'ch').replace('bank', 'b')) } : ofChannel(load.data, chosen, channels)), [load.data, chosen]);
  const which = html`<label class="inline"><span class="hidden">Which channel</span><select value=${chosen ?? ''} onChange=${(/** @type {any} */ e) => set({ channel: e.target.value })}>
    <option value="">all channels</option>${Array.from({ length: channels }, (_, i) => html`<option key=${i} value=${i}>channel ${i}</option>`)}</select></label>`;
  return html`<${Faces} load=${load} what="the banks" height=${320}>${() => html`<${Heat} ...${rest} percent ...${titled(`Each DRAM bank: ${query.dram}`)} series=${series} rows=${query.rows} file=${`dram-banks-${query.dram}`} aside=${html`${which} ${aside}`}
    note="As a share of the channel’s peak, one row per bank: the banks of a channel add up to the channel. Efficiency counts the time with accesses to the bank under way." />`}<//>`;
}
