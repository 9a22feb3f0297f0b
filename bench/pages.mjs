// bench/pages.mjs: how long a browser with an empty cache takes for each page, near and far.
//
//   VIVACE_BUILD=$PWD/build node bench/pages.mjs [LAUNCHES [TIMES [WEB ...]]]     default: 4000 5 $VIVACE_BUILD/web
//
// near: loopback. far: 50 ms a round trip, 10 Mb/s, scripts four times slower (Chromium's own emulation). A line for each page and
// folder of files WEB, folders in turns: medians of TIMES loads. "painted": first contentful paint. "usable": its list or pictures
// are drawn and the last task over 50 ms has ended. "blocked": what such tasks take over 50 ms each, after the first paint.
// "shift": the sum of layout shifts. "requests": until the list or first facts are drawn.
import { join } from 'node:path';
import { startFarm } from '../tests/api/harness.mjs';
import { ScriptedWorker } from '../tests/api/scripted_worker.mjs';
import { BUILD, enter, launch, settled } from '../web/test/harness.mjs';

const [launches = '4000', times = '5', ...folders] = process.argv.slice(2);
if (folders.length === 0) folders.push(join(BUILD, 'web'));
const HEAD = 'Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name';
const KERNELS = 60;
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** Notes in the page when it is painted, when it has its list, its layout shifts and its long tasks. */
function note() {
  const seen = globalThis.seen = { painted: 0, listed: 0, requests: 0, shift: 0, tasks: [] };
  const watch = (type, each) => new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  watch('paint', (e) => { if (e.name === 'first-contentful-paint') seen.painted = e.startTime; });
  watch('layout-shift', (e) => { if (!e.hadRecentInput) seen.shift += e.value; });
  watch('longtask', (e) => seen.tasks.push([e.startTime, e.duration]));
  new MutationObserver((_, observer) => {
    if (!document.querySelector('table.rows tbody tr, .strip')) return;
    observer.disconnect();
    seen.listed = performance.now();
    seen.requests = 1 + performance.getEntriesByType('resource').length;
  }).observe(document, { childList: true, subtree: true });
}

async function load(browser, farm, address, far) {
  const { page, context } = await enter(browser, farm);
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  if (far) {
    await client.send('Network.emulateNetworkConditions', { offline: false, latency: 50, downloadThroughput: 1.25e6, uploadThroughput: 1.25e6 });
    await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  }
  await page.addInitScript(note);
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.seen?.listed);
  await settled(page);
  const seen = await page.evaluate(() => ({ ...globalThis.seen, settled: performance.now() }));
  await context.close();
  const tasks = seen.tasks.filter(([start]) => start < seen.settled), after = tasks.filter(([start, ms]) => start + ms > seen.painted);
  return { painted: seen.painted, listed: seen.listed, usable: Math.max(seen.listed, ...tasks.map(([start, ms]) => start + ms)),
    blocked: after.reduce((sum, [, ms]) => sum + ms - 50, 0), shift: seen.shift, requests: seen.requests };
}

const farms = [];
const browser = await launch();
try {
  for (const folder of folders) {
    const farm = await startFarm({ args: ['--test-web-dir', folder, '--test-idle', '1h'] });
    farms.push(farm);
    const rows = Array.from({ length: Number(launches) }, (_, i) => `${1000 * i + 5},${400 + (i * 37) % 997},${i + 1},${1 + i % 4},1,1,128,1,1,16,0.000,0.000,,,,,Some GPU (0),1,7,"kernel_${i % KERNELS}"`);
    const profile = await farm.profile(Buffer.from(`${HEAD}\n${rows.join('\n')}\n`), { name: 'pages.csv' });
    const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.02, confidence: 0.95, seed: 1 });
    const worker = await new ScriptedWorker(farm, { engines: ['replay'], slots: 32 }).openAlive();
    const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
    await worker.drain();
    await farm.finished(run.id);
    farm.pages = ['/', '/runs', `/profiles/${profile.id}`, `/plans/${plan.id}`, `/runs/${run.id}`];
  }
  for (const far of [false, true]) {
    for (const at of farms[0].pages.keys()) {
      const found = folders.map(() => []);
      for (let i = 0; i < Number(times); i += 1) for (const [f, farm] of farms.entries()) found[f].push(await load(browser, farm, farm.pages[at], far));
      for (const [f, list] of found.entries()) {
        const of = (what, digits = 0) => median(list.map((l) => l[what])).toFixed(digits);
        console.log(`${far ? 'far ' : 'near'}  ${farms[f].pages[at].replace(/[^/]{20,}/, 'ID').padEnd(12)} ${folders.length > 1 ? `${folders[f]}  ` : ''}painted ${of('painted')}  listed ${of('listed')}  usable ${of('usable')}  blocked ${of('blocked')} ms  shift ${of('shift', 3)}  requests ${of('requests')}`);
      }
    }
  }
} finally {
  await browser.close();
  for (const farm of farms) await farm.stop();
}
