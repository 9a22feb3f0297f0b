// The table of repeated runs. A record is one line of $(BUILD)/repeat/<suite>.jsonl:
//   { file, condition, commit, changed, at, seconds, ok, exit, signal, limit_s, failing: [name], left: [process], log }
// exit or signal: how the test's process ended; limit_s: the time limit, if it was reached; failing: names of failed tests;
// left: processes that were still running afterwards; changed: there were uncommitted changes; log: of failed runs only.

export const CONDITIONS = ['quiet', 'load', 'slow'];

export function median(numbers) {
  if (!numbers.length) return null;
  const sorted = [...numbers].sort((a, b) => a - b), middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Runs and failures, and the median time of the runs that passed. If none passed: the median of all runs. */
export function sum(records) {
  const passed = records.filter((r) => r.ok);
  return {
    runs: records.length,
    failed: records.length - passed.length,
    seconds: median((passed.length ? passed : records).map((r) => r.seconds)),
  };
}

const cells = ({ runs, failed, seconds }) => `${String(runs).padStart(6)}${String(failed).padStart(8)}${(seconds === null ? '' : seconds.toFixed(1)).padStart(9)}`;

/** The table as text. @param {object[]} records @param {string} title */
export function table(records, title) {
  if (!records.length) return `${title}: no runs recorded\n`;
  const conditions = CONDITIONS.filter((c) => records.some((r) => r.condition === c));
  const files = [...new Set(records.map((r) => r.file))].sort();
  const width = Math.max(...files.map((f) => f.length));
  const row = (name, of) => `${name.padEnd(width)}${conditions.map((c) => cells(sum(of.filter((r) => r.condition === c)))).join('')}`;
  const commits = [...new Set(records.map((r) => r.commit.slice(0, 10)))];
  const changed = records.filter((r) => r.changed).length;
  const lines = [
    `${title}, ${commits.length === 1 ? `commit ${commits[0]}` : `${commits.length} commits, ${commits[0]} to ${commits.at(-1)}`}${changed ? `, ${changed} runs with uncommitted changes` : ''}`,
    '',
    `${''.padEnd(width)}${conditions.map((c) => c.padStart(23)).join('')}`,
    `${'file'.padEnd(width)}${conditions.map(() => '  runs  failed median s').join('')}`,
    ...files.map((file) => row(file, records.filter((r) => r.file === file))),
    // No median is given for all files together: it would have no meaning.
    `${'all'.padEnd(width)}${conditions.map((c) => cells({ ...sum(records.filter((r) => r.condition === c)), seconds: null })).join('')}`.trimEnd(),
  ];
  const failures = new Map();
  for (const r of records.filter((x) => !x.ok)) {
    for (const name of r.failing) {
      const key = `${name}\n${r.condition}`;
      if (!failures.has(key)) failures.set(key, { name, condition: r.condition, logs: [], of: records.filter((x) => x.file === r.file && x.condition === r.condition).length });
      failures.get(key).logs.push(r.log);
    }
  }
  const sorted = [...failures.values()].sort((a, b) => b.logs.length - a.logs.length || (a.name < b.name ? -1 : 1));
  if (sorted.length) lines.push('', 'failed:');
  for (const f of sorted) lines.push(`  ${f.logs.length} of ${f.of}, ${f.condition}: ${f.name}`, ...f.logs.map((log) => `      ${log}`));
  const left = new Map();
  for (const r of records) for (const process of r.left ?? []) left.set(`${r.file}: ${process}`, (left.get(`${r.file}: ${process}`) ?? 0) + 1);
  if (left.size) lines.push('', 'processes that a test left running:', ...[...left].map(([what, n]) => `  ${n} of ${what}`));
  return `${lines.join('\n')}\n`;
}

/** The runs that are still to do, in order: by rounds; in a round by conditions; in a condition by files, the longest first. @returns {{ condition: string, files: string[] }[]} */
export function plan({ files, conditions, repeat, records }) {
  const of = (file, condition) => records.filter((r) => r.file === file && r.condition === condition);
  const seconds = new Map(files.map((f) => [f, median(records.filter((r) => r.file === f).map((r) => r.seconds)) ?? 0]));
  const longestFirst = [...files].sort((a, b) => seconds.get(b) - seconds.get(a));
  const phases = [];
  for (let round = 1; round <= repeat; round++) {
    for (const condition of conditions) {
      const left = longestFirst.filter((file) => of(file, condition).length < round);
      if (left.length) phases.push({ condition, files: left });
    }
  }
  return phases;
}
