// profile_streams.js: the launches on each stream over time.
import { html, useMemo } from '../ui/lib.js';
import { useLoad } from '../ui/load.js';
import { count, plural, share, short, time, timeUnit, trim, number } from '../ui/format.js';
import { shorten } from '../ui/kernel_name.js';
import { Picture } from '../charts/picture.js';
import { lanes } from '../charts/lanes.js';
import { axisMarks } from '../charts/ticks.js';
import { viewOf } from '../charts/view.js';
import * as api from '../api.js';

/** @typedef {import('../types.js').StreamLanes} StreamLanes @typedef {import('../types.js').StreamStretch} Stretch */
const MS = 1e6; // ns

/** Rows name their device if there are several. @param {StreamLanes} d */
function rowNames(d) {
  const several = new Set(d.items.map((s) => s.device)).size > 1, twins = new Set(d.items.map((s) => `${s.device} ${s.stream}`)).size < new Set(d.items.map((s) => `${s.context} ${s.stream}`)).size;
  return (/** @type {Stretch} */ s) => `${several ? `GPU ${s.device}, ` : ''}${twins ? `context ${s.context}, ` : ''}stream ${s.stream}`;
}

/** @param {StreamLanes} d @returns {import('../charts/lanes.js').Axis} */
function axisOf(d) {
  const [unit, name] = timeUnit((d.to_ns - d.from_ns) / 1e9);
  const at = (/** @type {number} */ ms) => ms / 1e3 / unit;
  return {
    label: `time since the first launch (${name})`, zooms: true, said: (ms) => time(ms / 1e3),
    marks: (from, to, room) => {
      const { marks, text } = axisMarks(at(from), at(to), { room, most: 8 });
      return { marks: marks.map((t) => t * unit * 1e3), text: (ms) => text(at(ms)) };
    },
  };
}

/** @param {StreamLanes} d @param {(kernel: number) => string} colorOf @param {StreamLanes['items']} [items] of a window; rows and names are those of the whole
 * @returns {import('../charts/lanes.js').Data} */
function dataOf(d, colorOf, items = d.items) {
  const nameOf = rowNames(d);
  const rows = [...new Set(d.items.map(nameOf))], there = new Set(rows);
  return {
    of: 'stream', rows, from: d.from_ns / MS, to: d.to_ns / MS, axis: axisOf(d), name: `What ran on ${plural(rows.length, 'stream')} over ${time((d.to_ns - d.from_ns) / 1e9)}: ${plural(items.length, 'stretch', 'stretches')}`,
    lanes: items.filter((s) => there.has(nameOf(s))).map((s) => ({ row: nameOf(s), from: s.from_ns / MS, to: s.to_ns / MS, color: colorOf(s.kernel), failed: false, ids: [`kernel:${s.kernel}`],
      text: `${shorten(s.name, 60)}${s.launches === 1 ? '' : `, ${plural(s.launches, 'launch', 'launches')} begin in it`}, busy ${share(s.busy_ns / Math.max(1, s.to_ns - s.from_ns))}` })),
  };
}

/** @param {{ id: string, colorOf: (kernel: number) => string, caption: string, zoom: string, onZoom: (zoom: string) => void }} p */
export function Streams({ id, colorOf, caption, zoom, onZoom }) {
  const x = viewOf(zoom)?.x;
  const whole = useLoad((abort) => api.streamLanes(id, {}, abort), [id]);
  // The request includes the window, so that a zoomed picture has columns of its own resolution.
  const window = x ? { from_ns: String(Math.max(0, Math.floor(x[0] * MS))), to_ns: String(Math.ceil(x[1] * MS)) } : {};
  const closer = useLoad((abort) => (x ? api.streamLanes(id, window, abort) : Promise.resolve(null)), [id, window]);
  const all = whole.data;
  const data = useMemo(() => (all ? dataOf(all, colorOf, closer.data?.items) : undefined), [all, closer.data, colorOf]);
  const left = all ? all.streams - (data?.rows.length ?? 0) : 0;
  return html`<${Picture} title="What ran when" chart=${lanes} data=${data} load=${whole} what="what ran when" height=${44 + 24 * (data?.rows.length ?? 2)} file="streams" zoom=${zoom} onZoom=${onZoom}
    note=${`One row per stream; the colour is that of the kernel with the longest launch there, as in the bar above. A gap: no kernel ran.${left > 0 ? ` The ${short(data?.rows.length ?? 0)} busiest of ${count(all?.streams ?? 0)} streams.` : ''}`}
    csv=${api.address.streamLanes(id, window)} caption=${`${caption}, kernels over time by stream`} />`;
}
