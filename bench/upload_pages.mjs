// bench/upload_pages.mjs: the dashboard user of upload.mjs, on a separate thread, so that the sender of the uploads does not
// delay its timers. After the message "over" it reports the milliseconds of each page, and the maximum delay of its own timers.
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { url, token } = workerData, pages = ['/workloads?limit=50', '/farm', '/runs?limit=50', '/workers'];
const agent = new Agent({ keepAlive: true }), times = [];
let over = false, late = 0;

const page = (path) => new Promise((done, failed) => {
  get(`${url}/api/v1${path}`, { agent, headers: { Authorization: `Bearer ${token}` } }, (answer) => {
    answer.resume();
    answer.on('end', () => (answer.statusCode === 200 ? done() : failed(new Error(`${path}: ${answer.statusCode}`))));
  }).on('error', failed);
});

parentPort.once('message', () => { over = true; });
while (!over) {
  for (const path of pages) {
    const began = performance.now();
    await page(path);
    times.push(performance.now() - began);
  }
  const began = performance.now();
  await sleep(20);
  late = Math.max(late, performance.now() - began - 20);
}
agent.destroy();
parentPort.postMessage({ times, late });
