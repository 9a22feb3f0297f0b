// help.js: maps labels to explained terms. The texts are loaded on demand.

/** Label, up to its first comma or colon → concept. @type {Record<string, string>} */
export const CONCEPTS = {
  'Speed-up': 'speedup',
  'Promised error': 'promised_error',
  'Error against the profile': 'actual_error',
  Samples: 'sample',
  Method: 'method',
  Strata: 'stratum',
  'How mixed': 'cov',
  'GPU time': 'gpu_time',
  'Warp instructions': 'warp_instruction',
  Launches: 'launch',
  Kernels: 'kernel',
  'Projected time': 'projection',
  'Projected cycles': 'projection',
  Promise: 'promise',
  Left: 'left',
  Against: 'paired',
  'The interval closes in on the promise': 'convergence',
  'What this number is made of': 'model_error',
  'When it is over': 'look',
  Distinguishable: 'distinguishable',
  'Sure of that': 'simultaneous',
  Best: 'paired',
  'What it would take to tell': 'resolve',
  'Design × workload': 'design_workload',
  'Instructions a cycle': 'ipc',
  'Issue slots of active SMs': 'issue_slots',
  'Issue slots of all SMs': 'issue_slots',
  DRAM: 'dram',
  'What the GPU did': 'series',
  Profiled: 'profiled',
  'Where the model differs from silicon': 'deviation',
  Queue: 'queue',
  'Shares of teams': 'share',
  Trouble: 'lease',
  Jobs: 'job',
  Tokens: 'token',
  'Shared links': 'link',
};

/** @param {string} label */
export function conceptOf(label) {
  const word = label.split(/[,:]/)[0];
  if (Object.hasOwn(CONCEPTS, word)) return CONCEPTS[word];
  const begins = Object.keys(CONCEPTS).find((k) => ['Against', 'What it would take to tell'].includes(k) && word.startsWith(`${k} `));
  return begins ? CONCEPTS[begins] : null;
}

/** @param {string} concept @returns {Promise<import('./ui/ask.js').Explanation>} */
export async function explain(concept) {
  const { EXPLANATIONS } = await import('./views/help_texts.js');
  return EXPLANATIONS[concept];
}
