// mock_result.mjs: /results with invented data: 132 SMs over 2000 intervals, the largest picture that a page has.

const COLUMNS = 2000, INTERVAL = 500, CYCLES = COLUMNS * INTERVAL - 120;
const names = (n, what) => Array.from({ length: n }, (_, i) => `${what} ${i}`);
const STATES = ['issued', 'dependence', 'memory', 'unit', 'queue', 'barrier', 'sync', 'branch', 'fetch', 'registers', 'empty'];
const LANES = ['29 to 32 lanes', '25 to 28 lanes', '21 to 24 lanes', '17 to 20 lanes', '13 to 16 lanes', '9 to 12 lanes', '5 to 8 lanes', '1 to 4 lanes', '0 lanes'];
const wave = (line, c) => Math.abs(Math.sin(c / 90 + line / 11)) * (c < 1700 ? 1 : 0.2) * (line % 9 === 4 ? 0.3 : 1);

/** The value of a line in a column. The test compares the page with this value. */
export const smIpc = (line, c) => Math.fround(3.2 * wave(line, c));
const share = (labels) => (line, c) => {
  const weight = (i) => 0.2 + Math.abs(Math.sin(c / (40 + 13 * i) + i)) * (i === 0 ? 3 : i === 2 ? 2 : 1);
  return weight(line) / labels.reduce((s, _, i) => s + weight(i), 0);
};
const percent = (k) => (line, c) => (c % 400 < 20 ? NaN : 0.5 + 0.4 * Math.sin(c / (70 + k * 9) + line));
const BANKS = Array.from({ length: 80 * 16 }, (_, i) => `channel ${Math.floor(i / 16)} bank ${i % 16}`);
/** The value of a bank in an interval. The test compares the page with this value. */
export const bankUse = (line, c) => Math.fround(0.06 * wave(line % 16, c) * (line % 16 === 3 ? 0.1 : 1));
/** A small grid: 4 of 132 SMs have a CTA. The shares of all SMs, and of the active ones. The test compares the page with these values. */
const ACTIVE = 4 / 132;
export const ofActive = (line, c) => [0.2, 0.1, 0.3, 0.05, 0.05, 0, 0, 0, 0.1, 0, 0.2][line] + (line === 2 ? 0.1 : line === 10 ? -0.1 : 0) * Math.cos(c / 90);
export const ofAll = (line, c) => ofActive(line, c) * ACTIVE + (line === 10 ? 1 - ACTIVE : 0);
const SERIES = /** @type {[string, string, string, string, string[], (line: number, c: number) => number][]} */ ([
  ['ipc', 'Instructions a cycle', 'instructions a cycle', 'gpu', ['GPU'], (_, c) => 132 * 1.9 * wave(0, c)],
  ['sm_ipc', 'Instructions a cycle of each SM', 'instructions a cycle', 'sm', names(132, 'SM'), smIpc],
  ['warp_states', 'What issue slots did', 'share', 'state', STATES, ofAll],
  ['active_warp_states', 'What issue slots of active SMs did', 'share', 'state', STATES, ofActive],
  ['active_sms', 'Active SMs', 'SMs', 'gpu', ['GPU'], () => 4],
  ['active_lanes', 'Active lanes', 'share', 'lanes', LANES, share(LANES)],
  ['l1_hit_rate', 'L1 hit rate', 'share', 'gpu', ['GPU'], percent(1)], ['l2_hit_rate', 'L2 hit rate', 'share', 'gpu', ['GPU'], percent(2)],
  ['dram_utilisation', 'DRAM utilisation', 'share', 'gpu', ['GPU'], percent(3)], ['dram_efficiency', 'DRAM efficiency', 'share', 'gpu', ['GPU'], percent(4)],
  ['channel_utilisation', 'Utilisation of each DRAM channel', 'share', 'channel', names(80, 'channel'), percent(5)],
  ['channel_efficiency', 'Efficiency of each DRAM channel', 'share', 'channel', names(80, 'channel'), percent(6)],
  ['bank_utilisation', 'Utilisation of each DRAM bank', 'share', 'bank', BANKS, bankUse], ['bank_efficiency', 'Efficiency of each DRAM bank', 'share', 'bank', BANKS, percent(9)],
  ['noc_request_utilisation', 'Network to L2', 'share', 'gpu', ['GPU'], percent(7)], ['noc_reply_utilisation', 'Network from L2', 'share', 'gpu', ['GPU'], percent(8)],
  ['power_parts', 'Power by part', 'W', 'part', ['core', 'l1', 'l2', 'noc', 'dram', 'static', 'idle'], (line, c) => (90 - 11 * line) * (0.4 + 0.6 * wave(line, c))],
]);

const kind = ([name, title, unit, of, labels, value]) => ({ name, title, group: '', unit, of, lines: labels.length, labels, mean: labels.map((_, i) => value(i, 30)), shares: name === 'warp_states' || name === 'active_warp_states' || name === 'active_lanes', sentence: title });

/** The series as .npy with at most `most` columns. If a column covers several intervals, it has the value of the first. */
function npy([, , , , labels, value], most) {
  const each = Math.ceil(COLUMNS / most), columns = Math.ceil(COLUMNS / each);
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${labels.length}, ${columns}, 3), }`.padEnd(117) + '\n';
  const values = new Float32Array(labels.length * columns * 3);
  for (let line = 0, at = 0; line < labels.length; line++) for (let c = 0; c < columns; c++) for (let k = 0; k < 3; k++) values[at++] = value(line, c * each);
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.from([118, 0]), Buffer.from(header), Buffer.from(values.buffer)]);
}

const COUNTERS = [['cycles', 'cycles', CYCLES, 'SM clocks from launch to end, launch costs included'], ['warp_instructions', 'instructions', 41000000, 'warp instructions issued'],
  ['l1_load_sectors', 'sectors', 9100000, 'sectors asked of L1 by loads'], ['l2_read_sectors', 'sectors', 4100000, 'sectors that reads asked of L2'], ['dram_read_sectors', 'sectors', 1900000, 'sectors read from DRAM'],
  ['slots_memory', 'slots', 31000000, 'issue slots not used: waiting for data'], ['energy_core', 'nJ', 88000000, 'energy of issue, registers, arithmetic']].map(([name, unit, value, sentence]) => ({ name, unit, value, sentence }));

const RECORDED = { state: 'done', asked_by: 'ann', asked_at: '2026-11-20T10:00:00Z', finished_at: '2026-11-20T10:01:00Z', bytes: 812345, why: null };
/** The state of the recording of each result: recorded; not requested; being recorded; failed; result of a replay. */
const STATE = { x1: RECORDED, x2: null, x3: { ...RECORDED, state: 'leased', finished_at: null, bytes: null }, x4: { ...RECORDED, state: 'failed', bytes: null, why: 'the trace ends inside warp 31' }, x5: null };

function result(w, id) {
  const base = { id, trace: 'ab'.repeat(32), design: 'h100', design_sha256: 'cd'.repeat(32), simulator: '0.5.0', disputed: id === 'x4', value: CYCLES, unit: 'cycles', digest: 'ef'.repeat(32), host_seconds: 12.5, seconds: CYCLES / 1.755e9, counters: COUNTERS,
    metrics: [['ipc', 'instructions a cycle', 41], ['dram_bandwidth', 'bytes a second', 1.2e12], ['l2_hit_rate', 'share', 0.61]].map(([name, unit, value]) => ({ name, unit, value, sentence: name })),
    use: { run: 'r1', job: 'j1', plan: 'p1', profile: 'f1', workload: 'w1', workload_name: w.workloads[0].name, launch: 5012, stratum: 3, gpu_name: 'NVIDIA H100 80GB HBM3', profiled_ns: 561000 }, series: STATE[id] };
  if (id === 'x5') return { ...base, trace: null, design: null, design_sha256: null, simulator: 'replay', value: 561000, unit: 'ns', seconds: 561e-6, counters: [], metrics: [] };
  return { ...base, kernel: { name: w.kernels[0].name, grid: [132, 8, 1], block: [256, 1, 1] }, cycles: CYCLES, launch_cycles: 900, warp_instructions: 41000000, clock_hz: 1.755e9 };
}

/** @returns {{ json?: any, bytes?: Buffer }|null} */
export function resultAnswer(w, id, sub, url) {
  if (!(id in STATE)) return null;
  if (!sub) return { json: result(w, id) };
  const name = url.searchParams.get('name');
  if (!name) return { json: { design: 'h100', simulator: '0.5.0', kernel: w.kernels[0].name, cycles: CYCLES, clock_hz: 1.755e9, interval_cycles: INTERVAL, intervals: COLUMNS, series: SERIES.map(kind) } };
  const one = SERIES.find(([n]) => n === name);
  return one ? { bytes: npy(one, Number(url.searchParams.get('columns'))) } : null;
}
