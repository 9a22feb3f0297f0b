// `make validate-ptx`: simulates kernels from PTX (ptx/kernels.ptx) with `vivace ptx run --gpu`, which needs no GPU. Compares
// the times with the measured ones of kernels_ptx.csv. Prints a line for each row and statistics for each kernel.
//
// A kernel of many CTAs is simulated in part, twice, with different numbers of CTAs. The difference gives the steady rate; the
// time of the other CTAs is extrapolated at this rate.
// Each part is a separate run, because a launch finds in L2 the data of earlier launches. The measurements began with an L2
// without the data.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url)), run = promisify(execFile);
const build = process.env.VIVACE_BUILD ?? join(here, '../../build');
const PART_THREADS = 1 << 20; // threads of the first part: its data are larger than the L2 of the measured GPUs
const USAGE = 'usage: validate_ptx.mjs [--quick] [--kernel TEXT] [--jobs N]\n--quick: every fifth row of kernels_ptx.csv';

function options(args) {
  const o = { quick: false, kernel: '', jobs: availableParallelism() };
  for (let i = 0; i < args.length; i++)
    if (args[i] === '--quick') o.quick = true;
    else if (args[i] === '--kernel' && args[i + 1]) o.kernel = args[++i];
    else if (args[i] === '--jobs' && args[i + 1] > 0) o.jobs = Number(args[++i]);
    else throw new Error(USAGE);
  return o;
}

function table(text) {
  const [head, ...rows] = text.split('\n').filter((l) => l && !l.startsWith('#')).map((l) => l.split(','));
  return rows.map((r) => Object.fromEntries(r.map((v, i) => [head[i], Number.isNaN(Number(v)) ? v : Number(v)])));
}

const sizes = (text) => text.split('x').map(Number);
const product = (numbers) => numbers.reduce((a, b) => a * b, 1);

// The parameters of a row's kernel on this grid, and the words that its buffers need.
function shape({ kernel, n, width, channels, block }, grid) {
  const out = { ptr: 'out' }, input = { ptr: 'in' }, extra = { ptr: 'extra' }, s32 = (...values) => values.map((v) => ({ s32: v }));
  if (kernel.startsWith('conv2d'))
    return { words: n * n * channels,
      params: [input, ...(kernel === 'conv2d_basic' ? [extra] : []), out, ...s32(width, width, n, n, channels)] };
  if (kernel.startsWith('rgb8'))
    return { words: n * n, params: [out, input, ...s32(n)] };
  if (kernel.startsWith('histogram'))
    return { words: n, params: [out, input, { u32: product(grid) * sizes(block)[0] }, { u32: width }] }; // some of the CTAs read only some of the keys
  return { words: n * n, params: [out, input, extra, ...s32(n, n)] };
}

// The grids to run: the whole grid, or two parts that consist of whole rows of CTAs.
function parts(row) {
  const grid = sizes(row.grid), last = grid[1] > 1 ? 1 : 0, all = grid[last];
  const some = Math.ceil(PART_THREADS / product(sizes(row.block)) / (last ? grid[0] : 1));
  const cut = (count) => grid.map((g, i) => (i === last ? count : g));
  return 2 * some >= all ? { grids: [grid], all, cuts: [all] }
    : { grids: [cut(some), cut(Math.ceil(1.5 * some))], all, cuts: [some, Math.ceil(1.5 * some)] };
}

async function launch(row, grid, file) {
  const { words, params } = shape(row, grid), buffer = (count) => ({ type: 'u32', count });
  writeFileSync(file, JSON.stringify({
    format: 'vivace-launch-list', version: 1, modules: { m: join(here, 'ptx/kernels.ptx') },
    buffers: { out: buffer(Math.max(words, 512)), in: buffer(words), extra: buffer(8192) },
    steps: [{ launch: { kernel: row.kernel, grid, block: sizes(row.block), shared_bytes: row.shared_bytes, params } }],
  }));
  const design = row.card.toLowerCase().replace(' ', '');
  const { stdout } = await run(join(build, 'vivace'), ['ptx', 'run', file, '--gpu', design, '--json'], { maxBuffer: 1 << 26 });
  rmSync(file);
  return JSON.parse(stdout).launches[0].timing.gpu_seconds * 1e6;
}

async function simulate(row, folder, number) {
  const { grids, all, cuts } = parts(row), us = [];
  for (const grid of grids)
    us.push(await launch(row, grid, join(folder, `${number}.json`)));
  return us.length === 1 ? us[0] : us[1] + ((us[1] - us[0]) / (cuts[1] - cuts[0])) * (all - cuts[1]);
}

function statistics(name, rows) {
  const n = rows.length, sum = (f) => rows.reduce((s, r) => s + f(r), 0) / n, x = (r) => Math.log(r.us), y = (r) => Math.log(r.got);
  const mx = sum(x), my = sum(y), sx = sum((r) => (x(r) - mx) ** 2), sy = sum((r) => (y(r) - my) ** 2);
  const r = sum((v) => (x(v) - mx) * (y(v) - my)) / Math.sqrt(sx * sy);
  const share = (limit) => `${(100 * sum((v) => Math.abs(v.got / v.us - 1) <= limit)).toFixed(0)} %`;
  return [name, n, `${(100 * sum((v) => Math.abs(v.got / v.us - 1))).toFixed(1)} %`, Math.exp(my - mx).toFixed(3), r.toFixed(3),
    share(0.1), share(0.2), share(0.3)];
}

const print = (cells, widths) => console.log(cells.map((c, i) => (i ? String(c).padStart(widths[i]) : String(c).padEnd(widths[i]))).join('  '));

async function main() {
  const o = options(process.argv.slice(2)), folder = mkdtempSync(join(tmpdir(), 'vivace-validate-'));
  const rows = table(readFileSync(join(here, 'kernels_ptx.csv'), 'utf8'))
    .filter((row, i) => (!o.quick || i % 5 === 0) && row.kernel.includes(o.kernel));
  let next = 0;
  try {
    await Promise.all(Array.from({ length: o.jobs }, async () => {
      while (next < rows.length) {
        const number = next++, row = rows[number];
        row.got = await simulate(row, folder, number);
        print([`${row.card} ${row.kernel} ${row.n}`, `width ${row.width} x ${row.channels}`, row.grid, row.block, row.us.toFixed(1),
          row.got.toFixed(1), (row.got / row.us).toFixed(3)], [38, 14, 14, 9, 9, 9, 7]);
      }
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const widths = [20, 4, 8, 6, 9, 7, 7, 7], kinds = [...new Set(rows.map((r) => r.kernel))].sort();
  console.log();
  print(['kernel', 'n', 'MAE', 'bias', 'r of logs', '<= 10', '<= 20', '<= 30'], widths);
  for (const kind of kinds)
    print(statistics(kind, rows.filter((r) => r.kernel === kind)), widths);
  print(statistics('all', rows), widths);
}

await main();
