// tests/api/chaos/s3_process.mjs: the bucket of s3_server.mjs in a process of its own, so that it answers while a test waits for
// a program. Started with `--serve`; takes lists of faults, a line each, and ends with its input.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startS3 } from '../s3_server.mjs';

/** { port, account, set(faults), stop() } */
export async function startS3Process() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--serve'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((done) => child.on('exit', done));
  child.stdin.on('error', () => {});
  const first = await Promise.race([new Promise((done) => createInterface({ input: child.stdout }).once('line', done)), ended]);
  if (typeof first !== 'string') throw new Error('the bucket did not start');
  const { url, account } = JSON.parse(first);
  return {
    port: Number(new URL(url).port),
    account,
    set: (faults) => child.exitCode === null && child.stdin.write(`${JSON.stringify(faults)}\n`),
    stop: () => { child.stdin.end(); return ended; },
  };
}

if (process.argv[2] === '--serve') {
  const store = await startS3();
  console.log(JSON.stringify({ url: store.url, account: store.account }));
  const orders = createInterface({ input: process.stdin });
  orders.on('line', (line) => { store.faults = JSON.parse(line); });
  orders.on('close', () => process.exit(0));
}
