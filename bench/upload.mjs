// bench/upload.mjs: the speed and the memory of uploads to a farm, and the delay of other requests meanwhile. It uses a real
// server with its private PostgreSQL, over loopback.
//
//   node bench/upload.mjs [MIB [STREAMS [UPLOADS]]]        default: 1024 MiB; 1000 streams, 200 uploads of 16 MiB
//
// 1. One file in pieces of 8 MiB, four at a time, each with its Content-Digest (hashed beforehand); the same bytes are
//    written to the same disk and synced before and after, because no server is faster than its disk.
// 2. Idle event streams stay open and that many uploads run at once; meanwhile the dashboard's requests are timed.
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { startFarm } from '../tests/api/harness.mjs';

const [MIB = 1024, STREAMS = 1000, UPLOADS = 200] = process.argv.slice(2).map(Number);
const PIECE = 8 << 20;
const farm = await startFarm({ args: ['--max-connections-per-ip', '4000', '--test-uploads-most', '1000', '--requests-a-second', '0'] });

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const options = (method, path, headers = {}) => {
  const url = new URL(`${farm.url}/api/v1${path}`);
  return { agent, method, host: url.hostname, port: url.port, path: url.pathname + url.search, headers: { Authorization: `Bearer ${farm.token}`, ...headers } };
};
const call = (method, path, body, headers = {}) => new Promise((done, failed) => {
  const r = request(options(method, path, { ...(body ? { 'Content-Length': body.length } : {}), ...headers }), (answer) => {
    answer.resume();
    answer.on('end', () => done(answer.statusCode));
  });
  r.on('error', failed);
  r.end(body);
});

const status = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${farm.server.pid}/status`, 'utf8'))[1]) / 1024;
const cpu = () => { const f = readFileSync(`/proc/${farm.server.pid}/stat`, 'utf8').split(') ')[1].split(' '); return (Number(f[11]) + Number(f[12])) / 100; };

/** MB/s of writing and syncing the same amount in the server's folder of files. */
function disk(piece, count) {
  const path = join(farm.folder, 'disk'), fd = openSync(path, 'w'), began = process.hrtime.bigint();
  for (let n = 0; n < count; n++) {
    writeSync(fd, piece);
    fsyncSync(fd);
  }
  const s = Number(process.hrtime.bigint() - began) / 1e9;
  closeSync(fd);
  unlinkSync(path);
  return count * PIECE / 1e6 / s;
}

/** Sends `count` pieces, a limited number at a time. */
async function send(id, piece, digest, count, at = 4) {
  let next = 0;
  const one = async () => {
    while (next < count) {
      const n = next++, code = await call('PUT', `/uploads/${id}/pieces/${n}`, piece, { 'Content-Digest': digest });
      if (code !== 204) throw new Error(`piece ${n}: ${code}`);
    }
  };
  await Promise.all(Array.from({ length: at }, one));
}

const begin = async (bytes) => (await farm.api('POST', '/uploads', { name: 'bench.bin', bytes })).id;
const piece = Buffer.alloc(PIECE, 'some arbitrary bytes ');
const digest = `sha-256=:${createHash('sha256').update(piece).digest('base64')}:`;

async function oneFile() {
  const count = Math.ceil(MIB / 8), before = disk(piece, count), id = await begin(count * PIECE), used = cpu();
  const began = process.hrtime.bigint();
  await send(id, piece, digest, count);
  const s = Number(process.hrtime.bigint() - began) / 1e9, rate = count * PIECE / 1e6 / s, after = disk(piece, count);
  console.log(`one file of ${count * 8} MiB: ${rate.toFixed(0)} MB/s; server ${((cpu() - used) * 1e3 / (count * PIECE / 1e9)).toFixed(0)} ms of CPU a GB, `
    + `at most ${status('VmHWM').toFixed(0)} MiB resident; the disk alone, synced piece by piece: ${before.toFixed(0)} and ${after.toFixed(0)} MB/s`);
  await call('DELETE', `/uploads/${id}`);
}

/** An open event stream that is only read. */
const stream = () => new Promise((done, failed) => {
  const r = request({ ...options('GET', '/events?topics=farm'), agent: false }, (answer) => {
    answer.resume();
    answer.on('error', () => {});
    done(answer.statusCode === 200 ? r : null);
  });
  r.on('error', failed);
  r.end();
});

async function crowd() {
  const streams = (await Promise.all(Array.from({ length: STREAMS }, stream))).filter(Boolean);
  const ids = await Promise.all(Array.from({ length: UPLOADS }, () => begin(2 * PIECE)));
  const visitor = new Worker(new URL('./upload_pages.mjs', import.meta.url), { workerData: { url: farm.url, token: farm.token } });
  const reported = new Promise((done, failed) => visitor.once('message', done).once('error', failed));
  const began = process.hrtime.bigint(), sending = Promise.all(ids.map((id) => send(id, piece, digest, 2, 1)));
  await sending;
  const s = Number(process.hrtime.bigint() - began) / 1e9;
  visitor.postMessage('over');
  const { times, late } = await reported, sorted = times.sort((a, b) => a - b), q = (p) => sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))].toFixed(0);
  console.log(`${streams.length} streams, ${UPLOADS} uploads at once (${(UPLOADS * 2 * PIECE / 1e6 / s).toFixed(0)} MB/s): ${times.length} requests of the dashboard, `
    + `median ${q(0.5)} ms, 95 % below ${q(0.95)} ms, slowest ${q(1)} ms (the visitor's own thread was late by up to ${late.toFixed(0)} ms); server at most ${status('VmHWM').toFixed(0)} MiB resident`);
  for (const r of streams) r.destroy();
}

try {
  await oneFile();
  await crowd();
} finally {
  agent.destroy();
  await farm.stop();
}
