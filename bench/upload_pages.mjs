// bench/upload_pages.mjs: the visitor of upload.mjs, on a thread of his own: what sends the uploads does not delay his clock.
// Tells, after the message "over", how many milliseconds each page took, and by how much his own timers were late at most.
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
