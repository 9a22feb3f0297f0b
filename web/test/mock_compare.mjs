// mock_compare.mjs: GET /compare with invented data: has every kind of row that the page must show.

const FACTOR = { h100: 1, 'h200-l2x2': 0.926, 'h100-slow-mem': 1.007, b200: 0.71, v100: 2.4, a100: 1.3 };
const HALF = { 'h200-l2x2': 0.006, 'h100-slow-mem': 0.011, b200: 0.009, v100: 0.02, a100: 0.014 };

/** @param {any} w the mock world */
export function compareAnswer(w, url) {
  const base = url.searchParams.get('base');
  const sides = [base, ...url.searchParams.get('with').split(',')].map((s) => s.split(':'));
  if (sides.some(([run]) => !w.runs[run])) return null;
  const workloadOf = (run) => (run === 'r2' ? w.workloads[1] : w.workloads[0]);
  const side = ([run, design], i) => {
    const workload = workloadOf(run), own = workload === workloadOf(sides[0][0]), isBase = i === 0 || (!own && design === sides[0][1]);
    const ratio = (FACTOR[design] ?? 1) / (FACTOR[sides[0][1]] ?? 1) * (own ? 1 : 1.03), half = HALF[design] ?? 0.01, paired = design !== 'b200' || !own;
    const value = 43.6 * (FACTOR[design] ?? 1);
    return {
      run, design, workload: workload.id, workload_name: workload.name, engine: w.runs[run].engine, state: w.runs[run].state, seed: w.runs[run].seed,
      total: { value: value * 1.7e9, half_width: 0.03 * value * 1.7e9, unit: 'cycles', value_s: value, half_width_s: 0.03 * value, level: 0.95, confidence: 0.95, intervals: 1, looks: null, level_note: null, done: 78, planned: 133 },
      is_baseline: isBase, against: isBase ? null : { run: own ? sides[0][0] : run, design: sides[0][1] },
      difference_s: isBase ? null : 43.6 * (ratio - 1), half_width_s: isBase ? null : 43.6 * half, ratio: isBase ? null : ratio, ratio_half_width: isBase ? null : half,
      df: 61.2, level: 0.975, confidence: 0.95, intervals: 2, looks: null, level_note: '2 differences share 95 %', answer: null, paired: paired && !isBase, paired_on: paired && !isBase ? 78 : 0, samples: 133,
      why_not_paired: paired || isBase ? null : 'the runs simulated different launches, so the difference is that of two independent totals, and its interval is wider', distinguishable: !isBase && Math.abs(ratio - 1) > half, cache_reversible: false, empty_caches: 0,
    };
  };
  const [first, ...items] = sides.map(side);
  const kernels = items.filter((s) => s.paired).flatMap((s) => w.kernels.slice(0, 20).map((k, i) => ({
    run: s.run, design: s.design, kernel: k.name, stratum: i, baseline_s: 40 / 2 ** i, total_s: 40 / 2 ** i + s.difference_s / 2 ** (i + 1), difference_s: (i === 2 ? -0.4 : 1) * s.difference_s / 2 ** (i + 1), half_width_s: i === 3 ? Math.abs(s.difference_s) : Math.abs(s.difference_s) / 2 ** (i + 4), ratio: 0.9, ratio_half_width: 0.01, distinguishable: i !== 3, cache_reversible: false })));
  const parameters = [['gpu.sms', 'count', 132], ['clock.sm_mhz', 'MHz', 1755], ['l2.size_kb', 'KB', 51200], ['dram.channels', 'count', 80], ['sm.carveouts_kb', 'KB', [0, 8, 16, 32, 64, 100, 132, 164, 196, 228]]]
    .map(([parameter, unit, value], p) => ({ parameter, unit, values: sides.map(([, design], i) => (i === 0 || (p + design.length) % 2 ? value : Array.isArray(value) ? null : value * 2)), same: false }));
  const wanted = Number(url.searchParams.get('resolve'));
  return { level: 0.95, rule: 'The confidence of a run holds for all its differences together. Each of m differences is at 1 - (1 - confidence) / m (Bonferroni)', base: first, items, kernels, parameters,
    resolve: wanted ? { run: sides[0][0], until: null, baseline: 0, resolve: wanted, decision: 'more', reason: 'the difference of h100-slow-mem is known to 1.1 %', samples: 37, jobs: 111,
      designs: ['h100', 'h200-l2x2', 'h100-slow-mem'].map((design) => ({ design, jobs: 37 })), missing_traces: 37, expected_s: 1900, looks_left: 4, why_not: null } : undefined };
}
