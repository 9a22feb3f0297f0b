// levels.mjs [--only F01,F19] [--gpu v100]: prints the error of the facts at each level of detail of the model;
// docs/VALIDATION.md has this table without G97 to G129. In each row one level differs from the default; the last rows are the
// presets. `make validate-levels` runs this program.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const vivace = join(process.env.VIVACE_BUILD || 'build', 'vivace');
const EVENT = 'model.memory=event';
const LEVELS = [
  ['default', ''],
  ['dependence none', 'model.dependence=none'],
  ['dependence one_load', 'model.dependence=one_load'],
  ['dependence control', 'model.dependence=control'],
  ['fetch ideal', 'model.fetch=ideal'],
  ['regfile banked', 'model.regfile=banked'],
  ['memory event', EVENT],
  ['noc flit (event)', `${EVENT} model.noc=flit`],
  ['dram fixed', 'model.dram=fixed'],
  ['dram bank (event)', `${EVENT} model.dram=bank`],
  ['tlb on', 'model.tlb=on'],
  ['preset fast', 'model.fetch=ideal model.dram=fixed'],
  ['preset detailed', `model.dependence=control model.fetch=cached model.regfile=banked ${EVENT} model.noc=flit model.dram=bank model.tlb=on`],
];

/** Returns the simulated rows, by id. */
async function measure(changes) {
  const args = ['validate', '--set', 'facts', '--json', ...(changes ? ['--with', changes] : []), ...process.argv.slice(2)];
  const { stdout } = await promisify(execFile)(vivace, args, { maxBuffer: 1 << 28 });
  return new Map(JSON.parse(stdout).rows.filter((r) => Number.isFinite(r.simulated)).map((r) => [r.id, r]));
}

const mean = (rows) => `${(100 * rows.reduce((sum, r) => sum + Math.abs(r.error), 0) / rows.length).toFixed(1)} %`;
const seconds = (rows) => rows.reduce((sum, r) => sum + r.cpu_s, 0);

/** One line of the table. A fact has changed if its figure differs by more than 5 % from the figure at the default level. */
function line(name, rows, base) {
  const all = [...rows.values()];
  const changed = all.filter((r) => base.get(r.id) && Math.abs(r.simulated - base.get(r.id).simulated) > 0.05 * Math.abs(base.get(r.id).simulated));
  const nearer = changed.filter((r) => Math.abs(r.error) < Math.abs(base.get(r.id).error)).length;
  const farther = changed.filter((r) => Math.abs(r.error) > Math.abs(base.get(r.id).error)).length;
  const cells = [name, mean(all), mean(all.filter((r) => r.kind === 'M')), changed.length, nearer, farther, (seconds(all) / seconds([...base.values()])).toFixed(1)];
  return `| ${cells.join(' | ')} |`;
}

const base = await measure('');
console.log('| level | error | error, M | changed by 5 % | nearer | farther | CPU time |\n|---|---|---|---|---|---|---|');
for (const [name, changes] of LEVELS) console.log(line(name, changes ? await measure(changes) : base, base));
