// mock_world.mjs: the invented data of mock.mjs, the same at every start. Some names contain
// HTML scripts or spreadsheet formulas, or are very long.

import { teamWorld } from './mock_team.mjs';

/** Numbers from 0 to 1, the same at every start (mulberry32). */
function random(seed) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const HOSTILE = '<img src=x onerror="window.hit=1">';
const SCRIPT = '</script><script>window.hit=2</script>';
const LONG = `void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>>(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)`;

// kernel, grid, block, launches, mean in ns, CoV
const GROUPS = [
  ['gemm_bf16_128x256', [128, 4, 1], [256, 1, 1], 420000, 13200, 0.06], ['gemm_bf16_128x256', [256, 4, 1], [256, 1, 1], 210000, 24600, 0.04],
  ['void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 64, 64, 4, false, cutlass::bfloat16_t>>(Flash_fwd_params)', [32, 8, 16], [128, 1, 1], 96000, 28900, 0.12],
  [LONG, [4096, 1, 1], [512, 1, 1], 180000, 69400, 0.05], [HOSTILE, [64, 1, 1], [128, 1, 1], 60000, 105000, 0.2], ['=HYPERLINK("http://example.invalid","x")', [16, 1, 10], [128, 1, 1], 34000, 239000, 0.03],
];

export function world() {
  const rnd = random(7);
  const now = Date.now();
  const ago = (minutes) => new Date(now - minutes * 60000).toISOString();
  const total = GROUPS.reduce((s, g) => s + g[3] * g[4], 0);
  const samples = [7, 3, 28, 5, 88, 2];
  const spark = Array.from({ length: 40 }, (_, i) => Math.round(900 * Math.exp(-(((i - 9) / 3) ** 2)) + 300 * Math.exp(-(((i - 22) / 2) ** 2)) + 120 * Math.exp(-(((i - 33) / 1.5) ** 2))));

  const brief = { id: 'f1', format: 'nsys-sqlite', unit: 'ns', launches: 1000000, kernels: 5, kernel_shapes: 6, total: String(total), total_s: total / 1e9, gpu_name: 'NVIDIA H100 80GB HBM3', spark, uploaded_by: 'ann' };
  const doubts = [0.04, 0.18, 0.08, 0.14, 0.48, 0.08];
  const strata = GROUPS.map(([kernel, grid, block, population, mean, cov], id) => ({
    id, kernel, grid, block, mixed_shapes: id === 4, population, samples: samples[id], mean, sd: mean * cov, cov, total: String(population * mean), share_of_time: (population * mean) / total, certainty: false, planned_sd: mean * cov, cost: mean, planned_variance_share: doubts[id],
  }));
  const plan = {
    id: 'p1', workload: 'w1', workload_name: 'llm-prefill-8b', profile: 'f1', method: 'vivace', error: 0.02, confidence: 0.95, seed: 7, unit: 'ns', promised_error: 0.0184, promise_valid: true, planned_df: 41.2, speedup: 412.3,
    launches: 1000000, zero_launches: 0, total: String(total), samples_count: 133, strata, actual_error: 0.0031, traces: { bound: 116, missing: 17, in_file: 0 }, created_at: ago(190),
    share: 0, noise_floor: 0.005, budget: 0, assurance: 0, assured: null, assured_noise: null, least_samples: 2, cost_fixed: 0, cost_per_unit: 0, classifier: 'bayes', with_replacement: false, representative: false, extensible: true, estimator: 'expansion', variance: 'samples', caution: '', note: '',
  };
  const published = { ...plan, id: 'p2', method: 'root', promise_valid: false, promised_error: 0.05, error: 0.05, actual_error: 0.071, speedup: 988, samples_count: 6, caution: 'One stratum holds 71 % of the planned variance on 2 samples: its interval will be too short about once in eight runs.' };
  const chosen = { ...plan, id: 'p3', method: 'photon', representative: true, extensible: false, variance: 'none', estimator: 'instruction_ratio', promise_valid: false, promised_error: null, actual_error: 0.012, speedup: 640, samples_count: 9, note: '61 % of the launches were matched by their exact basic-block vector, 39 % by distance.' };
  const planBrief = (p) => ({ id: p.id, method: p.method, error: p.error, confidence: p.confidence, seed: p.seed, samples: p.samples_count, strata: p.strata.length, speedup: p.speedup, promised_error: p.promised_error, created_at: p.created_at });

  const design = (name, value, half, done, extra = {}) => ({
    design: name, design_sha256: name.padEnd(64, '0'), clock_hz: 1755e6, projection: { value_s: value, half_width_s: half, value_cycles: value * 1755e6, half_width_cycles: half === null ? null : half * 1755e6, relative_half_width: half === null ? null : half / value, df: 38.4, level: 0.95, done, planned: 133, complete: done === 133, warning: null },
    model_error: null, makespan_s: null, baseline: null, ...extra,
  });
  const run = {
    id: 'r1', label: { name: '', tags: [], note: '', archived: false }, plan: 'p1', method: 'vivace', workload: 'w1', workload_name: 'llm-prefill-8b', simulator: '0.5.0', created_by: 'ann', engine: 'cycle', state: 'running', created_at: ago(55), finished_at: null, counts: { blocked: 34, ready: 64, leased: 10, done: 156, failed: 2, cancelled: 0 }, jobs: 266, cached: 12,
    promise: 0.02, promised_error: 0.0184, confidence: 0.95, seed: 7, speedup: 412.3, eta_s: 2460, as_of: '100',
    designs: [design('h100', 43.6, 1.31, 78), design('h200-l2x2', 40.4, 1.25, 78, { baseline: { design: 'h100', difference_s: -3.2, half_width_s: 0.26, ratio: 0.926, ratio_half_width: 0.006, level: 0.975, level_note: '2 differences share 95 %', paired_on: 78, distinguishable: true } }),
      design('h100-slow-mem', 43.9, 1.4, 70, { baseline: { design: 'h100', difference_s: 0.3, half_width_s: 0.5, ratio: 1.007, ratio_half_width: 0.011, level: 0.975, level_note: '2 differences share 95 %', paired_on: 70, distinguishable: false } })],
  };
  const finished = { ...run, id: 'r2', seed: 11, engine: 'replay', state: 'done', finished_at: ago(20), counts: { blocked: 0, ready: 0, leased: 0, done: 133, failed: 0, cancelled: 0 }, jobs: 133, cached: 0, eta_s: 0, designs: [design('h100', 42.13, 0.71, 133, { makespan_s: 31.2, model_error: { measured_s: 41.9, simulated_s: 42.13, relative: 0.0055 } })] };
  const fresh = { ...run, id: 'r3', counts: { blocked: 17, ready: 116, leased: 0, done: 0, failed: 0, cancelled: 0 }, jobs: 133, cached: 0, eta_s: null, designs: [{ ...design('h100', 1, 1, 0), projection: { level: 0.95, confidence: 0.95, planned: 133 } }] };
  const runBrief = (r) => ({ id: r.id, plan: 'p1', state: r.state, designs: r.designs.map((d) => d.design), done: r.counts.done, jobs: r.jobs, created_at: r.created_at });

  const workload = (id, name, minutes, extra) => ({ id, name, created_at: ago(minutes), profile: brief, latest_plan: { id: 'p1', method: 'vivace', speedup: 412.3, promised_error: 0.0184 }, latest_run: null, ...extra });
  const projections = finished.designs.map((d) => ({ design: d.design, ...d.projection }));
  const workloads = [
    workload('w1', 'llm-prefill-8b', 200, { latest_run: { id: 'r1', state: 'running', done: 156, jobs: 266, created_by: 'ann', created_at: ago(55), projections: [] } }),
    workload('w2', HOSTILE, 1500, { profile: { ...brief, uploaded_by: HOSTILE }, latest_run: { id: 'r2', state: 'done', done: 133, jobs: 133, created_by: HOSTILE, created_at: ago(80), projections: [...projections, { design: 'b200', value_s: 31.07, half_width_s: 0.55, level: 0.95 }] } }),
    workload('w3', 'rodinia-bfs', 4000, { profile: { ...brief, id: 'f2', unit: 'warp_instructions', total_s: null, total: '6306141', gpu_name: '', format: 'accel-sim', launches: 16, kernels: 2, kernel_shapes: 2, uploaded_by: null }, latest_plan: null }),
    workload('w4', 'resnet50-train-with-a-name-that-somebody-made-far-too-long-for-any-table-cell', 9000, { latest_plan: null }),
    workload('w5', SCRIPT, 12000, { profile: null, latest_plan: null }),
  ];
  const details = Object.fromEntries(workloads.map((w) => [w.id, { ...w, profiles: w.profile ? [w.profile] : [], plans: w.latest_plan ? [plan, published].map(planBrief) : [], runs: w.latest_run ? [run, finished].map(runBrief) : [] }]));

  const kernels = GROUPS.map(([name, grid, block, calls, mean, cov], kernel) => ({ kernel, name, grid, block, calls, total: String(calls * mean), mean, cov, min: mean * (1 - 2 * cov), max: mean * (1 + 3 * cov), share: (calls * mean) / total, class: 'gemm' }))
    .concat(Array.from({ length: 240 }, (_, i) => ({ kernel: 6 + i, name: `elementwise_${i}<float>`, grid: [i + 1, 1, 1], block: [128, 1, 1], calls: 10, total: String(1000 * (240 - i)), mean: 100 * (240 - i), cov: 0.1, min: 10, max: 400 * (240 - i), share: 1e-7, class: 'elementwise' })))
    .sort((a, b) => Number(b.total) - Number(a.total));

  // Like the server: bins of the requested window; the strata of a kernel are counted together.
  const histogram = (url) => {
    const ask = (key) => url.searchParams.get(key);
    const [low, high] = [10000, 400000];
    const bins = Number(ask('bins') ?? 120);
    const [from, to] = [Number(ask('from') ?? low), Number(ask('to') ?? high)];
    const edges = Array.from({ length: bins + 1 }, (_, i) => (ask('scale') === 'linear' ? from + (to - from) * (i / bins) : from * (to / from) ** (i / bins)));
    const wide = Math.log(high / low);
    const one = strata.filter((s) => !ask('stratum') || s.id === Number(ask('stratum'))).map((s) => ({ id: s.id, ids: [s.id], n: s.population, m: s.samples, mean: s.mean, drawn: Array.from({ length: s.samples }, (_, i) => Math.round(s.mean * (1 + (s.sd / s.mean) * (((i * 37) % 19) / 9 - 1)))),
      counts: edges.slice(1).map((e, i) => Math.round((s.population * 6 * Math.log(e / edges[i]) / wide) * Math.exp(-(((Math.sqrt(e * edges[i]) - s.mean) / Math.max(s.sd, s.mean * 0.05)) ** 2) / 2))) }));
    const whole = { unit: 'ns', scale: ask('scale') ?? 'log', low, high, edges };
    if (ask('plan')) return { ...whole, launches: one.reduce((n, s) => n + s.n, 0), strata: one };
    return { ...whole, launches: 1000000, strata: [{ id: 0, ids: [], n: 1000000, m: null, mean: total / 1e6, drawn: [], counts: one[0].counts.map((_, i) => one.reduce((s, x) => s + x.counts[i], 0)) }] };
  };
  const series = (url) => {
    const points = Number(url.searchParams.get('points') ?? 1000);
    const [from, to] = [Number(url.searchParams.get('from') ?? 0), Number(url.searchParams.get('to') ?? 999999)];
    const step = Math.max(1, Math.ceil((to - from + 1) / points));
    return { unit: 'ns', launches: 1000000, points: Array.from({ length: Math.ceil((to - from + 1) / step) }, (_, i) => {
      const first = from + i * step;
      const mean = 24000 * (1 + 0.3 * Math.sin(first / 60000)) * (first > 600000 ? 1.4 : 1);
      return { first, last: Math.min(to, first + step - 1), launches: step, min: Math.round(mean * 0.5), mean, max: Math.round(mean * (step > 1 ? 3 : 1)) };
    }) };
  };
  const spreads = () => ({ items: kernels.slice(0, 300).map((k) => ({ kernel: k.kernel, p50: Math.round(k.mean * 0.98), p99: Math.round(k.mean + (k.max - k.mean) * 0.8), spark: spark.map((v, i) => Math.round(v / (1 + ((i + k.kernel) % 5)))) })), next: null, share_of_top_five: 0.874, mixed: 0.083 });
  const planSamples = (p, stratum) => strata.filter((s) => stratum === null || s.id === Number(stratum)).flatMap((s) => Array.from({ length: s.samples }, (_, i) => ({ launch: 1000 * s.id + 37 * i, stratum: s.id, weight: s.population / s.samples, launch_order: 1000 * s.id + 37 * i, kernel: s.kernel, grid: s.grid, block: s.block, value: Math.round(s.mean) })));

  const needs = { pka: ['metrics'], photon: ['bbvs'] };
  const methods = [['vivace', 'Vivace', 1, 1], ['root', 'STEM+ROOT', 0.45, 2.4], ['allegro', 'Allegro', 0.15, 1.7], ['srs', 'Random', 0.04, 1.2], ['photon', 'Photon', 0.7, 2.1], ['pka', 'PKA', 0, 0]].map(([name, title, fast, worse]) => ({
    name, title, fast, worse, sentence: `What ${title} does, in one sentence.`, needs: needs[name] ?? [], prefix_is_enough: false, needs_sentence: needs[name] ? `Needs ${needs[name][0]} of all launches.` : 'Needs only the value of each launch.' }));
  const scored = ({ name: method, title, fast, worse }, error) => {
    const rnd = random(Math.round(error * 1e6) + method.length * 7919); // the same value at each request
    const normal = () => Math.sqrt(-2 * Math.log(1 - rnd())) * Math.cos(2 * Math.PI * rnd());
    if (!fast) return { method, title, error, why_not: 'needs twelve counters a launch; this profile has durations only', lacks_features: true, strata: null, samples: null, distinct: null, speedup: null, speedup_instructions: null, promised_error: null, promise_valid: null, representative: null, caution: null, note: null, actual_error: null, actual_error_max: null, inside: null, intervals: null, covered: null, repeats: 0, cloud: [] };
    const speedup = fast * 412 * (error / 0.02) ** 1.6;
    const actual = error * 0.33 * worse * (0.8 + 0.4 * rnd());
    const m = Math.round(133 * (0.02 / error) ** 1.6 / fast);
    const representative = method === 'photon';
    const repeats = representative ? 1 : 200;
    const inside = representative ? 1 : Math.round(200 - 18 * (worse - 1) * rnd() * 4);
    return { method, title, error, why_not: null, lacks_features: false, strata: 6, samples: m, distinct: method === 'allegro' ? Math.round(m * 0.9) : m, speedup, speedup_instructions: speedup * 0.9, promised_error: representative ? null : error * 0.92, promise_valid: method !== 'root' && !representative, representative,
      caution: method === 'vivace' && error === 0.1 ? 'Most of the doubt sits in one stratum.' : '', note: '', actual_error: actual, actual_error_max: 3 * actual, inside, intervals: method === 'root' || representative ? 0 : repeats, covered: method === 'root' || representative ? 0 : Math.round(repeats * 0.955), repeats,
      cloud: Array.from({ length: repeats }, () => [speedup * Math.exp(0.12 * normal()), actual * Math.exp(0.7 * normal())]) };
  };
  const scores = new Map();
  const sweepAt = (names, errors) => methods.filter((m) => !names || names.includes(m.name)).flatMap((m) => errors.map((e) => {
    const key = `${m.name} ${e}`;
    if (!scores.has(key)) scores.set(key, scored(m, e));
    return scores.get(key);
  }));
  const sweep = sweepAt(null, [0.01, 0.02, 0.03, 0.05, 0.1]);

  const done = [7, 2, 28, 3, 36, 2];
  const runStrata = (r) => strata.map((s) => {
    const share = r.counts.done === 0 ? 0 : r.state === 'done' ? s.samples : done[s.id];
    const mean = (s.mean * (0.96 + 0.02 * s.id)) / 1e9;
    const half = share >= 2 ? (2.1 * mean * (s.sd / s.mean)) / Math.sqrt(share) : null;
    return { stratum: s.id, kernel: s.kernel, population: s.population, planned: s.samples, done: share, mean_s: share ? mean : null, half_width_s: half, mean_profile: s.mean, profile_unit: 'ns', spread_simulated: share >= 2 ? (s.sd / s.mean) * 1.15 : null, spread_profile: s.sd / s.mean, relative_half_width: half && half / mean, total_s: share ? mean * s.population : null, total_half_width_s: half && half * s.population, share_of_time: share ? s.share_of_time : null, share_of_doubt: share ? doubts[s.id] : null };
  });
  const domains = (r, by) => {
    const parts = { class: [['gemm', 0.62], ['attention', 0.25], ['elementwise', 0.1], [HOSTILE, 0.03]], phase: [['forward', 0.4], ['backward', 0.6]], step: [['10', 0.5], ['11', 0.5]] }[by];
    const part = (d, [name, of], i) => ({
      name, launches: 10000 * (i + 1), results: i === 3 ? 2 : 40, share: i === 3 ? null : of, value: i === 3 ? null : d.projection.value_cycles * of, half_width: i > 1 ? null : d.projection.value_cycles * of * 0.04, value_s: i === 3 ? null : d.projection.value_s * of,
      half_width_s: i > 1 ? null : d.projection.value_s * of * 0.04, relative_half_width: i > 1 ? null : 0.04, df: 12, few_results: i > 1, below_zero: i === 3, estimate_why_not: i === 3 ? 'its total would be negative' : i === 2 ? 'the part has fewer than 10 results, too few for an interval' : null,
      ratio: d.baseline && i < 3 ? d.baseline.ratio : null, ratio_half_width: d.baseline && i < 2 ? 0.01 : null, paired_on: d.baseline ? 40 : null, distinguishable: Boolean(d.baseline?.distinguishable) && i < 2, cache_reversible: false,
    });
    return parts && { run: r.id, state: r.state, kind: by, baseline: r.designs.length > 1 ? r.designs[0].design : null, ratio_level: r.designs.length > 1 ? 0.9937 : null, not_covered: [], designs: r.designs.map((d) => ({
      design: d.design, level: 0.95, confidence: 0.95, intervals: 1, looks: null, level_note: null, unit: 'cycles', value: d.projection.value_cycles, half_width: d.projection.half_width_cycles, value_s: d.projection.value_s, half_width_s: d.projection.half_width_s, parts: parts.map((p, i) => part(d, p, i)) })) };
  };
  const convergence = (r, name, empty) => {
    const d = r.designs.find((x) => x.design === name) ?? r.designs[0];
    const n = empty || !d.projection ? 0 : d.projection.done;
    const wander = random(3);
    const points = Array.from({ length: n }, (_, i) => {
      const value_s = i < 5 ? null : d.projection.value_s * (1 + ((wander() - 0.5) * 0.13) / Math.sqrt(i + 1)), half_width_s = i < 11 ? null : d.projection.half_width_s * Math.sqrt(n / (i + 1)) * (0.9 + 0.2 * wander());
      return { done: i + 1, value_s, half_width_s, relative_half_width: half_width_s && half_width_s / value_s, at: ago(55 - i / 3) };
    });
    const last = points.at(-1), at = last?.half_width_s && Math.ceil(n * (last.relative_half_width / r.promise) ** 2);
    const forecast = r.state === 'running' && last?.half_width_s && n < 133 ? { points: Array.from({ length: 25 }, (_, i) => n + Math.round((133 - n) * i / 24)).map((done) => ({ done, half_width_s: last.half_width_s * Math.sqrt(n / done), half_width: null })), promise_at: at <= 133 ? at : null } : null;
    return { design: d.design, confidence: 0.95, promise: r.promise, planned: 133, points, forecast };
  };

  const failure = (id, launch, stratum, cls, detail, attempts) => ({ id, run: 'r1', launch, stratum, design: 'h100', state: 'failed', attempt: attempts.length, worker: 'w-07', failure: { class: cls, detail }, ready_at: null, result: null, attempts });
  const attempt = (number, outcome, message, last_lines) => ({ number, worker: 'w-07', started_at: ago(40 - number), ended_at: ago(39 - number), outcome, message, last_lines });
  const jobs = [
    failure('j1', 12004, 1, 'bad_input', 'trace kernel-12004.traceg.xz ends inside warp 31. The tracer was probably stopped.', [attempt(1, 'bad_input', 'trace ends inside warp 31', `reading kernel-12004.traceg.xz\nwarp 31: 12 of 4096 instructions\n${HOSTILE}`)]),
    failure('j2', 88214, 3, 'lease_lost', 'worker w-07 lost its lease after 60 s', [attempt(1, 'timeout', 'no heartbeat for 60 s', ''), attempt(2, 'timeout', 'no heartbeat for 60 s', '')]),
    ...Array.from({ length: 10 }, (_, i) => ({ id: `l${i}`, run: 'r1', launch: 5000 + i, stratum: 4, design: 'h100', state: 'leased', attempt: 1, worker: `w-0${i % 4}`, failure: null, ready_at: null, result: null, attempts: [] })),
  ];
  const events = [
    { id: '99', at: ago(3), kind: 'job.failed', params: { launch: 88214, worker: 'w-07' }, severity: 'error', text: 'S3, launch 88 214 failed, attempt 1 of 3: worker w-07 lost its lease after 60 s. Queued again.' },
    { id: '98', at: ago(6), kind: 'job.failed', params: { launch: 12004, message: HOSTILE }, severity: 'error', text: `S1, launch 12 004 failed, attempt 3 of 3: trace ${HOSTILE} ends inside warp 31. Trace again, or draw another sample.` },
    { id: '97', at: ago(18), kind: 'run.strata_done', params: { done: 1, strata: 9 }, severity: 'info', text: 'S0 is done. 7 of 7 samples, ± 1.2 %.' },
    { id: '96', at: ago(55), kind: 'run.started', params: { by: 'owner' }, severity: 'info', text: 'Started by owner. Seed 7, vivace-sim 0.1.0, 3 designs.' },
  ];
  const report = {
    format: 'nsys-sqlite', schema: '3.25.0', gpu: 'NVIDIA H100 80GB HBM3', clock: { measured: false, low_hz: 1.98e9, high_hz: 1.98e9 }, unit: 'ns', launches: 1000000, dropped: 217, ignored: 4211, zero_duration: 36, total_ns: total, total_warp_instructions: null, makespan_ns: total * 0.72, bytes_read: 4e8, devices: 2, processes: 1, contexts: 2, streams: 8, kernels: 5, kernel_shapes: 6,
    dropped_reasons: [{ code: 'no_end_time', sentence: 'the launch has no end time: it was still running when the profile was taken, or its end was lost', count: 214, examples: ['row 88211: gemm_bf16_128x256', `row 88212: ${HOSTILE}`] }, { code: 'bad_shape', sentence: 'grid or block is not three numbers from 1 to 4294967295', count: 3, examples: [] }],
    ignored_reasons: [{ code: 'memory_operation', sentence: 'memory copies and sets are not kernel launches', count: 4211, examples: [] }],
    warnings: [{ code: 'graphs', sentence: 'CUDA graphs were traced as whole graphs: 12 000 launches have no kernel names. Profile again with --cuda-graph-trace=node.', count: 12000, examples: [] }],
  };
  const profile = { id: 'f1', workload: 'w1', workload_name: 'llm-prefill-8b', name: 'llm-prefill-8b', format: 'nsys-sqlite', unit: 'ns', gpu_name: 'NVIDIA H100 80GB HBM3', launches: 1000000, zero_launches: 36, kernels: 5, kernel_shapes: 246, total: String(total), total_s: total / 1e9, makespan_s: (total / 1e9) * 0.72, devices: 2, streams: 8, sha256: 'ab12'.repeat(16), features: 'instruction counts of all 1000000 launches', report, uploaded_by: 'ann', created_at: ago(200) };
  const counted = { ...profile, id: 'f2', workload: 'w3', workload_name: 'rodinia-bfs', name: 'rodinia-bfs', format: 'accel-sim', unit: 'warp_instructions', gpu_name: '', launches: 16, zero_launches: 0, kernels: 2, kernel_shapes: 3, total: '6306141', total_s: null, makespan_s: null, devices: 1, streams: 1, traces: 'e'.repeat(64), report: null };
  /** A pilot of the profile that has just begun. */
  const begun = (design, wanted) => ({ id: `k${pilots.length + 1}`, profile: 'f2', workload: 'w3', workload_name: 'rodinia-bfs', design, design_sha256: design.padEnd(64, '0'), wanted, state: 'starting', launches: 3, simulated: 0, not_simulated: 0, pilot_plan: 'p3', run: null, run_state: null, cycles: null, plan: null, note: '', problem: null, hint: null, tries: 1, created_by: 'ann', created_at: ago(1), finished_at: null });
  const pilots = Object.assign([], { begun });
  const imports = {
    ready: { id: 'ready', upload: 'u1', name: 'report.sqlite', state: 'ready', stage: 'done', bytes_read: 4e8, bytes: 4e8, rows: 1004428, workload: 'w1', profile: 'f1', report, problem: null },
    failed: { id: 'failed', upload: 'u1', name: 'report.nsys-rep', state: 'failed', stage: 'recognising', bytes_read: 4096, bytes: 4e8, rows: 0, workload: null, profile: null, report: null, problem: { code: 'invalid', detail: 'This is a binary report of Nsight Systems, which only nsys itself can read.', hint: 'Run: nsys export --type sqlite --output report.sqlite report.nsys-rep' } },
  };
  const traces = { samples: 133, bound: 116, bindings: [], missing: Array.from({ length: 17 }, (_, i) => ({ launch: 40211 + 37 * i, stratum: 4, context: 0, launch_order: 40211 + 37 * i, kernel: HOSTILE, grid: [64, 1, 1], block: [128, 1, 1] })) };
  const traceContexts = [
    { index: 0, device: 0, process: '281477392629760', context: 1, launches: 500000, graph_launches: 0, samples: 60 },
    { index: 1, device: 1, process: '281477392629760', context: 2, launches: 500000, graph_launches: 12000, samples: 73 },
  ];
  const traceCommands = (tool, context) => ({
    for: tool, title: 'Accel-Sim tracer', list: 'stats.csv', context, samples: traceContexts[context].samples, samples_elsewhere: 133 - traceContexts[context].samples, samples_replayed: 0, samples_tied: 0,
    sentence: 'Kernels are counted in each CUDA context from 1. A kernel that is captured into a CUDA graph counts once, when it is captured. Its replays do not count, so the list does not match then.',
    launches: traceContexts[context].launches - traceContexts[context].graph_launches, passes: 2, surplus: 0, contexts: traceContexts,
    notes: context === 1 ? ['12000 launches of this context are replays of CUDA graphs and have no number with this tool.'] : [],
    script: `#!/bin/sh\n# Traces what a sampling plan drew (context ${context}).\nset -eu\nPROFILE='it'\\''s <script>window.hit=1</script>'\n${'echo "$PROFILE" # a long line that has to be scrolled sideways, because nobody wraps the lines of a script\n'.repeat(30)}`,
  });
  const verdict = (list) => (list.includes('wrong')
    ? { ok: false, format: 'accel-sim', context: 1, part: '', parts: 1, whole: true, offset: 0, places: 0, listed: 133, expected: 488000, matched: 56, graph_launches: 12000, mismatch: { what: 'name', order: 56, detail: 'launch 56 is another', hint: 'the list calls it _Z3addPi, the profile _Z4gemmPf', listed: { name: HOSTILE, spelled: '_Z3addPi', place: 'line', number: 58, grid: [4, 1, 1], block: [32, 1, 1] }, profiled: { launch: 500056, name: 'gemm(float*)', mangled_name: '_Z4gemmPf', grid: [64, 1, 1], block: [128, 1, 1] } } }
    : list.includes('part') ? { ok: true, format: 'accel-sim', context: 1, part: '', parts: 1, whole: true, offset: 812, places: 1, listed: 4096, expected: 133, matched: 133, graph_launches: 0, mismatch: null }
    : list.includes('epochs') ? { ok: false, format: 'accel-sim', context: 1, part: '', parts: 1, whole: true, offset: 812, places: 3, listed: 4096, expected: 133, matched: 133, graph_launches: 0, mismatch: { what: 'ambiguous', order: 0, detail: "the profile's 133 launches are in the list at 3 places, first from launch 812 and from launch 945", hint: '--offset N', listed: null, profiled: { launch: 0, name: 'gemm(float*)', mangled_name: '_Z4gemmPf', grid: [64, 1, 1], block: [128, 1, 1] } } }
    : { ok: true, format: 'accel-sim', context: 1, part: '', parts: 1, whole: true, offset: 0, places: 0, listed: 133, expected: 133, matched: 133, graph_launches: 12000, mismatch: null });
  // Two streams: the first is always busy and runs the kernels in turn; the second is busy in bursts.
  const lanes = (url) => {
    const [from_ns, to_ns] = [Number(url.searchParams.get('from_ns') ?? 0), Math.min(2e9, Number(url.searchParams.get('to_ns') ?? 2e9))];
    const each = (to_ns - from_ns) / 300;
    const items = [7, 13].flatMap((stream) => Array.from({ length: 300 }, (_, i) => ({ device: 0, context: 0, stream, from_ns: Math.round(from_ns + i * each), to_ns: Math.round(from_ns + (i + 1) * each), busy_ns: Math.round(each * 0.8), launches: 3, kernel: (i + stream) % 6, name: GROUPS[(i + stream) % 6][0] })).filter((s, i) => stream === 7 || i % 10 < 4));
    return { from_ns, to_ns, streams: 2, items };
  };
  const designs = [['v100', 1530e6, 80, 'Tesla V100-SXM2-16GB'], ['rtx2080', 1710e6, 46, 'NVIDIA GeForce RTX 2080'], ['a100', 1410e6, 108, 'NVIDIA A100-SXM4-40GB'], ['h100', 1755e6, 132, 'NVIDIA H100 80GB HBM3']].map(([name, clock_hz, sms, gpu]) => ({ id: name.padEnd(64, '0'), name, builtin: true, clock_hz, sms, gpu_names: [gpu] }));
  const worker = (i, state, busy) => ({ id: `w${i}`, name: `w-0${i}`, host: `node${i}.cluster`, version: '0.1.0', simulator: '0.1.0', slots: 4, busy, state, seen_at: ago(state === 'dead' ? 30 : 0) });
  return {
    ...teamWorld(ago, HOSTILE),
    lanes, now, workloads, details, profiles: { f1: profile, f2: counted }, pilots, kernels, histogram, series, spreads, planSamples, methods, sweep, sweepAt, plans: { p1: plan, p2: published, p3: chosen }, traces, traceContexts, traceCommands, verdict, designs, runs: { r1: run, r2: finished, r3: fresh }, runStrata, domains, convergence, events, jobs, imports,
    farm: { workers_alive: 4, workers_busy: 3, queue: { blocked: 34, ready: 64, leased: 10, total: 108 }, jobs_done_last_hour: 1412, simulator: '0.1.0' }, workers: [worker(1, 'alive', 4), worker(2, 'alive', 4), worker(3, 'alive', 2), worker(4, 'alive', 0), worker(7, 'dead', 0)],
  };
}
