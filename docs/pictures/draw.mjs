// draw.mjs: the pictures of docs/sampling.md, from real profiles, with the dashboard's own charts and colours.
//
//   make docs DATA=FOLDER      FOLDER: durations/casio-six-kernels-rtx2080.csv of STEM's artifact (figure 1)
//
// Needs what `make check-web` needs: Chromium and the packages in $VIVACE_BUILD/web-check.
import { createServer } from 'node:http';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILD, WEB_DIR, launch } from '../../web/test/harness.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const data = process.env.DATA;
const casio = data && join(data, 'durations', 'casio-six-kernels-rtx2080.csv');
if (!casio || !existsSync(casio)) {
  console.error('docs: no data: make docs DATA=FOLDER, with durations/casio-six-kernels-rtx2080.csv in it; the pictures stay as they are');
  process.exit(1);
}
const scratch = mkdtempSync(join(tmpdir(), 'vivace-docs-'));
const vivace = (...args) => JSON.parse(execFileSync(join(BUILD, 'vivace'), [...args, '--json'], { maxBuffer: 1 << 30 }));

/** One column of durations a kernel -> the CSV of `nsys stats --report cuda_gpu_trace`. */
function asTrace() {
  const [head, ...rows] = readFileSync(casio, 'utf8').replace(/^\ufeff/, '').split(/\r?\n/).map((l) => l.split(','));
  const lines = ['Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name'];
  const durations = Object.fromEntries(head.map((h) => [h, []]));
  let start = 0;
  for (const row of rows) {
    row.forEach((cell, c) => {
      if (!cell) return;
      lines.push(`${start},${cell},${lines.length},1,1,1,128,1,1,32,0,0,,,,,NVIDIA GeForce RTX 2080 (0),1,7,"${head[c]}"`);
      start += Number(cell);
      durations[head[c]].push(Number(cell));
    });
  }
  const path = join(scratch, 'casio.csv');
  writeFileSync(path, lines.join('\n') + '\n');
  return { path, durations };
}

/** Equal bins of a kernel's durations, by stratum of a plan. */
function histogramOf(plan, kernel, durations) {
  const strata = plan.strata.map((s, id) => ({ ...s, id })).filter((s) => s.kernel === kernel);
  const low = Math.min(...durations) * 0.98;
  const high = Math.max(...durations) * 1.02;
  const bins = 90;
  const edges = Array.from({ length: bins + 1 }, (_, i) => low * (high / low) ** (i / bins));
  const of = (x) => strata.find((s) => x >= Number(s.low_ns) && x <= Number(s.high_ns));
  const counts = new Map(strata.map((s) => [s.id, new Array(bins).fill(0)]));
  for (const x of durations) {
    const bin = Math.min(bins - 1, Math.floor((Math.log(x / low) / Math.log(high / low)) * bins));
    counts.get(of(x).id)[bin] += 1;
  }
  return {
    edges, unit: 'ns',
    strata: strata.map((s) => ({ id: s.id, counts: counts.get(s.id), n: Number(s.population), m: Number(s.samples), mean: s.mean_ns, total: Number(s.total_ns) })),
  };
}

// The assets stand in a folder named by their version.
const ASSETS = join(WEB_DIR, 'assets', readdirSync(join(WEB_DIR, 'assets'))[0]);
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html', '.svg': 'image/svg+xml' };
function serve() {
  const server = createServer((req, res) => {
    const path = new URL(req.url, 'http://x').pathname;
    if (path === '/blank') return res.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><html lang="en" data-theme="light"><title>x</title><link rel="stylesheet" href="/style.css"><body></body></html>');
    const file = join(ASSETS, path);
    if (!file.startsWith(ASSETS) || !existsSync(file)) return res.writeHead(404).end();
    return res.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Draws in the page and keeps the picture as a file that needs no other. */
async function picture(page, name, chart, value, caption) {
  const svg = await page.evaluate(async ({ chart: file, value: given, caption: words }) => {
    const [{ svgText }, module, { strataColors, methodStyle, glyph }] = await Promise.all([import('/charts/export.js'), import(`/charts/${file}.js`), import('/charts/palette.js')]);
    const host = document.createElement('div');
    host.style.width = '760px';
    document.body.append(host);
    if (file === 'histogram') {
      const colors = strataColors(given.histogram.strata);
      given.color = colors.of;
      given.label = (id) => `stratum ${id}`;
    }
    const legend = file === 'pareto' ? [...new Map(given.items.filter((i) => i.speedup !== null).map((i) => [i.method, `${glyph(methodStyle(i.method).shape)} ${i.method}`])).values()].join('  ') : '';
    const made = module[file](host, given, { caption: words });
    for (let i = 0; i < 100 && !made.toSvg(); i += 1) await new Promise((r) => { setTimeout(r, 20); });
    return svgText(made.toSvg(), [words, legend].filter(Boolean).join(' '));
  }, { chart, value, caption });
  writeFileSync(join(here, `${name}.svg`), `${svg}\n`);
  console.log(`docs/pictures/${name}.svg`);
}

const server = await serve();
const browser = await launch();
try {
  const { path, durations } = asTrace();
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
  page.on('pageerror', (e) => console.error(e.message)); // a chart that cannot be drawn says why
  await page.goto(`http://127.0.0.1:${server.address().port}/blank`);

  const scores = vivace('methods', path, '--error', '1%,2%,3%,5%,10%', '--repeats', '200');
  const items = Array.isArray(scores) ? scores : scores.items;
  await picture(page, 'methods', 'pareto', { items, plan: null, confidence: 0.95, curve: [], at: null },
    'Six kernels of CASIO on an RTX 2080, 85 217 launches: every method at 1, 2, 3, 5 and 10 %. Marks: mean error of 200 repeats; lines reach up to what was promised. One-sample methods stand further right because they promise nothing about simulated values.');

  const kernel = Object.keys(durations).find((k) => k.includes('bn_fw_inf'));
  for (const method of ['vivace', 'root']) {
    const plan = vivace('plan', path, '--method', method, '--error', '1%');
    const histogram = histogramOf(plan, kernel, durations[kernel]);
    await picture(page, `strata-${method}`, 'histogram', { histogram, what: kernel, planned: true },
      `${kernel}, ${durations[kernel].length} launches: the ${histogram.strata.length} strata of ${method} at 1 %, a colour each; m: samples.`);
  }
} finally {
  await browser.close();
  server.close();
  rmSync(scratch, { recursive: true, force: true });
}
