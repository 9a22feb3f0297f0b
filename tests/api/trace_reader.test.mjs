// Uploaded traces are read by another process in a sandbox: a damaged or hostile file ends that process, not the server, and its
// sender gets a sentence.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { program, startFarm, until } from './harness.mjs';
import { sha256 } from './scripted_worker.mjs';
import { numbers } from './seeded.mjs';
import { writeTextTraces } from './text_traces.mjs';

const LAUNCHES = 8;
let farm, folder, plan, texts, packed;

before(async () => {
  farm = await startFarm();
  folder = mkdtempSync(join(tmpdir(), 'vivace-traces-'));
  const tar = join(folder, 'traces.tar.zst'), env = { ...process.env, XDG_CONFIG_HOME: folder };
  const cli = (...args) => execFileSync(program('vivace'), args, { env, stdio: ['ignore', 'pipe', 'inherit'] }).toString();
  writeTextTraces(tar, LAUNCHES);
  cli('login', farm.url, '--token-file', join(farm.state, 'admin-token'));
  const { profile } = JSON.parse(cli('push', tar, '--json'));
  plan = await farm.api('POST', `/profiles/${profile}/plans`, { method: 'srs', error: 0.001, confidence: 0.95, seed: 1 });
  assert.equal(plan.samples_count, LAUNCHES, 'all launches are drawn');
  execFileSync('tar', ['--zstd', '-xf', tar, '-C', folder]);
  const path = (i) => join(folder, 'traces', `kernel-${i + 1}.traceg`);
  texts = Array.from({ length: LAUNCHES }, (_, i) => readFileSync(path(i)));
  cli('trace', 'convert', path(0), join(folder, '1.vtrace'));
  packed = readFileSync(join(folder, '1.vtrace'));
});
after(async () => { await farm?.stop(); if (folder) rmSync(folder, { recursive: true, force: true }); });

/** Offers bytes as the trace of a launch. */
async function bind(bytes, order = 0) {
  const hash = sha256(bytes);
  await farm.api('PUT', `/blobs/${hash}`, bytes, { 'Content-Type': 'application/octet-stream' });
  return farm.api('POST', `/plans/${plan.id}/traces`, { traces: [{ sha256: hash, context: 0, order }] });
}
/** The process that reads a trace now. */
const reader = () => readFileSync(`/proc/${farm.server.pid}/task/${farm.server.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  .concat(readdirSync(`/proc/${farm.server.pid}/task`).flatMap((t) => { try { return readFileSync(`/proc/${farm.server.pid}/task/${t}/children`, 'utf8').split(' ').filter(Boolean).map(Number); } catch { return []; } }))
  .find((pid) => { try { return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] === 'trace-child'; } catch { return false; } });

/** A trace of some hundred MB in some hundred kB: it takes seconds to read. */
function long() {
  const text = texts[0].toString(), at = text.indexOf('#BEGIN_TB'), body = text.slice(at, text.indexOf('#END_TB') + 8);
  return gzipSync(Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from(body.repeat(Math.ceil(3e8 / body.length)))]), { level: 1 });
}

test('the reader has no file but the trace, no sockets and no signals; its crash is a refusal', { timeout: 300000 }, async () => {
  const asked = bind(long()), pid = await until('the reader', reader);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  if (!process.env.VIVACE_BUILD?.includes('sanitize')) {
    await until('its sandbox', () => /^Seccomp:\t2$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')));
    assert.match(readFileSync(`/proc/${pid}/status`, 'utf8'), /^NoNewPrivs:\t1$/m);
  }
  assert.match(status, /^PPid:\t/m);
  assert.doesNotMatch(readFileSync(`/proc/${pid}/environ`, 'latin1'), /VIVACE|PG[A-Z]+=|AWS/);
  for (const fd of readdirSync(`/proc/${pid}/fd`)) assert.ok(Number(fd) < 10, `descriptor ${fd}`);
  process.kill(pid, 'SIGSEGV'); // as if the file had overwritten its memory
  const answer = await asked;
  assert.equal(answer.bound, 0);
  assert.match(answer.refused[0].detail, /the process that read the file was ended by signal 11/);
  assert.equal((await farm.request('GET', '//readyz')).status, 200);
  assert.equal(farm.server.exitCode, null);
});

test('damaged traces are refused in a sentence, or bound where the damage is not in what is read', { timeout: 600000 }, async () => {
  const next = numbers(19), seen = { refused: 0, bound: 0 };
  for (const whole of [texts[1], packed])
    for (let i = 0; i < 20; i++) {
      let bytes = Buffer.from(whole);
      if (i % 4 === 0) bytes = bytes.subarray(0, Math.floor(next() * bytes.length));
      else for (let n = 0; n < 1 + i; n++) bytes[Math.floor(next() * (i % 2 ? Math.min(400, bytes.length) : bytes.length))] = Math.floor(256 * next());
      if (!bytes.length) continue;
      const answer = await bind(bytes, whole === packed ? 0 : 1);
      for (const r of answer.refused) assert.ok(r.detail.length > 10 && !/signal|ended with code/.test(r.detail), r.detail);
      seen.refused += answer.refused.length;
      seen.bound += answer.bound;
    }
  assert.ok(seen.refused > 20, JSON.stringify(seen));
  assert.equal(farm.server.exitCode, null);
  assert.equal((await farm.request('GET', '//readyz')).status, 200);
});

test('whole traces are bound with their shape and counts', async () => {
  for (let order = 2; order < LAUNCHES; order++) {
    const answer = await bind(texts[order], order);
    assert.deepEqual([answer.bound, answer.refused], [1, []]);
  }
  const rows = farm.psql(`SELECT name, grid, warps > 0, warp_instructions > 0, bytes FROM trace WHERE sha256 = '${sha256(texts[2])}'`).split('|');
  const grid = /-grid dim = \((\d+),(\d+),(\d+)\)/.exec(texts[2].toString()).slice(1).join(',');
  assert.deepEqual(rows, [/-kernel name = (.*)/.exec(texts[2].toString())[1], `{${grid}}`, 't', 't', String(texts[2].length)]);
});
