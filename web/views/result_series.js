// result_series.js: the pictures of one launch on one time axis: one window, one crosshair, one zoom in the address.
import { html, useLayoutEffect, useMemo, useRef, useState } from '../ui/lib.js';
import { Card, Faces } from '../ui/page.js';
import { useLoad, useThrottle } from '../ui/load.js';
import { count, number, time } from '../ui/format.js';
import { AMOUNT } from '../charts/amount.js';
import { withTurned } from '../charts/hidden.js';
import { timeLink } from '../charts/time_link.js';
import { inside, windowText } from '../charts/time_window.js';
import * as api from '../api.js';
import { Switch } from '../ui/switch.js';
import { EachDram } from './result_dram.js';
import { CATEGORIES, Heat, Lines, said, Shares, STATE_COLORS } from './result_pictures.js';

/** @typedef {import('../charts/time_chart.js').Series} Series */
/** @typedef {{ list: import('../types.js').SeriesList, of: Map<string, Series> }} Loaded */

/** The series that the page draws; one that a recording lacks is omitted. */
const WANTED = ['ipc', 'sm_ipc', 'warp_states', 'active_warp_states', 'active_lanes', 'l1_hit_rate', 'l2_hit_rate', 'dram_utilisation', 'dram_efficiency', 'channel_utilisation', 'channel_efficiency', 'noc_request_utilisation', 'noc_reply_utilisation', 'power_parts'];

/** @param {string} id @param {AbortSignal} abort @returns {Promise<Loaded>} */
async function fetchAll(id, abort) {
  const list = await /** @type {Promise<import('../types.js').SeriesList>} */ (api.series(id, {}, abort));
  const kinds = list.series.filter((k) => WANTED.includes(k.name));
  const matrices = await Promise.all(kinds.map((k) => api.seriesMatrix(id, k, list, abort)));
  // Beside the rows there is only room for short labels.
  return { list, of: new Map(matrices.map((m) => [m.name, m.name.startsWith('channel_') ? { ...m, brief: m.labels.map((/** @type {string} */ l) => l.replace('channel', 'ch')) } : m])) };
}

/** @param {{ result: import('../types.js').Result, query: any, set: any }} p */
export function ResultSeries({ result, query, set }) {
  const load = useLoad((abort) => fetchAll(result.id, abort), [result.id]);
  return html`<${Faces} load=${load} what="the series" height=${420}>${(/** @type {Loaded} */ d) => d.list.intervals === 0
    ? html`<${Card} title="What the GPU did"><p class="none">This launch took no time, so it has no series.</p><//>`
    : html`<${Panels} result=${result} data=${d} query=${query} set=${set} />`}<//>`;
}

/** @param {{ result: import('../types.js').Result, data: Loaded, query: any, set: any }} p */
function Panels({ result, data, query, set }) {
  const { list } = data;
  const whole = useMemo(() => ({ from: 0, to: list.cycles }), [list.cycles]);
  const asked = { from: query.from === '' ? 0 : Number(query.from), to: query.to === '' ? list.cycles : Number(query.to) };
  const [moment, setMoment] = useState(/** @type {number|null} */ (null));
  const [pinned, setPinned] = useState(false);
  const [, setLine] = useState(/** @type {number|null} */ (null)); // a vertical movement selects another line at the same time
  const latest = useRef(asked);
  const write = useThrottle(() => {
    const w = latest.current;
    const all = w.from <= 0 && w.to >= list.cycles;
    set({ from: all ? '' : String(Math.floor(w.from)), to: all ? '' : String(Math.ceil(w.to)) }, { replace: true });
  }, 120);
  const link = useMemo(() => timeLink(whole, list.interval_cycles, asked, (w) => {
    latest.current = w;
    write();
  }, (cycle, pin) => {
    setMoment(cycle);
    setPinned(pin);
    setLine(link.over()?.line ?? null);
  }), [whole, list.interval_cycles]);
  // A layout effect runs before the next event. Later the window may have moved again, and the older value from the
  // address would reset it.
  useLayoutEffect(() => {
    const w = latest.current;
    if (Math.floor(w.from) !== asked.from || Math.ceil(w.to) !== asked.to) {
      latest.current = asked;
      link.look(asked);
    }
  }, [query.from, query.to]);
  const shown = inside(asked, whole, list.interval_cycles);
  const part = windowText(shown, whole, count);
  /** `name` for the picture, which adds its own window; `figure`: of the whole launch, as is `plain`. @param {string} what @param {string} [figure] @param {string} [plain] */
  const titled = (what, figure = '', plain = figure ? `${what}: ${figure}` : what) => ({ name: what, title: part ? `${what}, ${part}${figure && ` (whole launch: ${figure})`}` : plain });
  const zoomed = query.from !== '' || query.to !== '';
  const of = (/** @type {string} */ name) => data.of.get(name);
  const common = { link, moment, hide: query.hide, onHide: (/** @type {string} */ line) => set({ hide: withTurned(query.hide, line) }), caption: `${result.kernel?.demangled || result.kernel?.name || ''} · ${list.design} · result ${result.id} · simulator ${list.simulator}` };
  const csv = (/** @type {string} */ name) => api.address.series(result.id, { name, format: 'csv' });
  const orderAside = html`<${Switch} label="Order of the rows" of=${['id', 'mean', 'similarity']} now=${query.rows} text=${(/** @type {string} */ r) => `by ${r}`} onTurn=${(/** @type {string} */ rows) => set({ rows })} />`;
  return html`
    <section class="panel timebar" aria-label="Time">
      <p>${zoomed ? html`Cycles <data value=${Math.floor(shown.from)}>${count(Math.floor(shown.from))}</data> to <data value=${Math.ceil(shown.to)}>${count(Math.ceil(shown.to))}</data> of ${count(list.cycles)}` : `All ${count(list.cycles)} cycles, ${time(list.cycles / list.clock_hz)}`} <span class="quiet">in intervals of ${count(list.interval_cycles)}; ${pinned ? 'the moment is pinned: click or Esc lets it go' : 'drag to zoom, shift-drag to move, Ctrl + wheel, + − 0 and arrows'}</span></p>
      ${zoomed && html`<button type="button" onClick=${link.reset}>All of it</button>`}
    </section>
    ${of('ipc') && html`<${Lines} ...${common} id="ipc" ...${titled('Instructions a cycle', `${number(result.metrics.find((m) => m.name === 'ipc')?.value ?? NaN)} on average`)} note="Warp instructions that all SMs together issued." names=${['ipc']} of=${of} csv=${csv('ipc')} file="ipc" />`}
    ${of('sm_ipc') && html`<${Heat} ...${common} ...${titled('Each SM: bright is busy')} note="Warp instructions a cycle, a row an SM." series=${of('sm_ipc')} rows=${query.rows} csv=${csv('sm_ipc')} file="sm-ipc" aside=${orderAside} />`}
    ${of('warp_states') && html`<${Slots} ...${common} titled=${titled} result=${result} list=${list} of=${of} query=${query} set=${set} />`}
    ${of('active_lanes') && html`<${Shares} ...${common} id="active-lanes" ...${titled('How many lanes took part')} note="Of the warp instructions issued, by active lanes: dark is divergence." series=${of('active_lanes')} colors=${(/** @type {string} */ _, /** @type {number} */ i) => AMOUNT[AMOUNT.length - 1 - Math.min(i, AMOUNT.length - 1)]} csv=${csv('active_lanes')} file="active-lanes" />`}
    ${of('l1_hit_rate') && html`<${Lines} ...${common} percent id="hit-rates" ...${titled('Hit rates', `L1 ${said(mean(list, 'l1_hit_rate'), true)}, L2 ${said(mean(list, 'l2_hit_rate'), true)}`, `L1 had ${said(mean(list, 'l1_hit_rate'), true)} of what loads wanted, L2 ${said(mean(list, 'l2_hit_rate'), true)}`)} note="Of the sectors that loads asked L1 for, and reads L2; no line where none was asked for." names=${['l1_hit_rate', 'l2_hit_rate']} of=${of} csv=${csv('l2_hit_rate')} file="hit-rates" />`}
    ${of('dram_utilisation') && html`<${Lines} ...${common} percent id="dram" ...${titled('DRAM', `${said(mean(list, 'dram_utilisation'), true)} of its peak`)} note="Utilisation: of all time. Efficiency: of the time with requests in the channels." names=${['dram_utilisation', 'dram_efficiency']} of=${of} csv=${csv('dram_utilisation')} file="dram" />`}
    ${of('channel_utilisation') && of('channel_efficiency') && html`<${EachDram} ...${common} titled=${titled} result=${result} list=${list} of=${of} query=${query} set=${set} />`}
    ${of('noc_reply_utilisation') && html`<${Lines} ...${common} percent id="network" ...${titled('The network between SMs and L2')} note="As a share of the bandwidth of all SM ports, in each direction." names=${['noc_request_utilisation', 'noc_reply_utilisation']} of=${of} csv=${csv('noc_reply_utilisation')} file="network" />`}
    ${of('power_parts') && html`<${Shares} ...${common} id="power" ...${titled('Power by part')} note="Watts, from the events of each interval; the design’s coefficients are in its file." series=${of('power_parts')} colors=${(/** @type {string} */ _, /** @type {number} */ i) => CATEGORIES[i % CATEGORIES.length]} csv=${csv('power_parts')} file="power" />`}`;
}

/** Issue slots: of active SMs, or of all. @param {any} p */
function Slots({ result, list, of, query, set, titled, ...common }) {
  const active = query.slots === 'active' && of('active_warp_states');
  const name = active ? 'active_warp_states' : 'warp_states';
  const sms = list.series.find((/** @type {import('../types.js').SeriesKind} */ k) => k.name === 'sm_ipc')?.lines;
  const aside = of('active_warp_states') && html`<${Switch} label="Issue slots of which SMs" of=${['active', 'all']} now=${query.slots} text=${(/** @type {string} */ w) => `${w} SMs`} onTurn=${(/** @type {string} */ slots) => set({ slots })} />`;
  const note = active ? `Of the issue slots of SMs with a CTA, on average ${said(mean(list, 'active_sms'))}${sms ? ` of ${count(sms)}` : ''}: those that issued, and why the others did not. Blank while no SM has one.` : 'Of all issue slots, also those of SMs without a CTA: those that issued, and why the others did not.';
  return html`<${Shares} ...${common} id="warp-states" ...${titled(`Issue slots of ${active ? 'active' : 'all'} SMs`, `${said(mean(list, name), true)} issued`)} note=${`${note} Point at a part or its name, and the others fade; click a name to hide its part.`} series=${of(name)} colors=${(/** @type {string} */ l) => STATE_COLORS[l] ?? 'var(--cat-rest)'} csv=${api.address.series(result.id, { name, format: 'csv' })} file=${name.replaceAll('_', '-')} aside=${aside} />`;
}

/** The value of a series over the whole launch, from the server; for several lines the first.
 * @param {import('../types.js').SeriesList} list @param {string} name */
const mean = (list, name) => list.series.find((k) => k.name === name)?.mean[0] ?? null;
