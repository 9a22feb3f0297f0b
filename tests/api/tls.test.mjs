// TLS by the server itself, with a certificate made here: worker and command line trust it only with the option, old TLS
// versions are refused, and the browser's session cookie is sent over TLS only.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { program, startFarm, until } from './harness.mjs';

let farm, folder, cert, key;
const run = (name, args, env = {}) => spawnSync(name, args, { encoding: 'utf8', env: { ...process.env, XDG_CONFIG_HOME: folder, ...env } });

const ask = (method, path, headers = {}, body) => new Promise((done, fail) => {
  const r = request(`${farm.url}${path}`, { method, ca: readFileSync(cert), headers }, (answer) => {
    let text = '';
    answer.on('data', (bytes) => { text += bytes; }).on('end', () => done({ status: answer.statusCode, headers: answer.headers, text }));
  }).on('error', fail);
  r.end(body);
});

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vivace-tls-'));
  chmodSync(folder, 0o755);
  [cert, key] = [join(folder, 'farm.crt'), join(folder, 'farm.key')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=farm.test',
    '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost', '-keyout', key, '-out', cert], { stdio: 'ignore' });
  chmodSync(key, 0o600);
  farm = await startFarm({ args: ['--tls-cert', cert, '--tls-key', key] });
});
after(async () => {
  await farm?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('requests, the command line and a worker', { timeout: 300000 }, async () => {
  assert.match(farm.url, /^https:\/\/127\.0\.0\.1:/);
  assert.equal((await ask('GET', '/readyz')).status, 200);
  const login = ['login', farm.url, '--token-file', join(farm.state, 'admin-token')];
  const stranger = run(program('vivace'), login);
  assert.notEqual(stranger.status, 0);
  assert.match(stranger.stderr, /certificate/);
  const known = run(program('vivace'), login, { VIVACE_CA_FILE: cert });
  assert.equal(known.status, 0, known.stderr);
  const worker = farm.startWorker(['--ca-file', cert]);
  await until('the worker to be ready', () => /ready for jobs/.test(readFileSync(worker.log, 'utf8')));
});

test('the session cookie is sent with TLS only', async () => {
  const answer = await ask('POST', '/api/v1/session', { 'Content-Type': 'application/json', 'X-Vivace-Request': '1', Origin: farm.url },
    JSON.stringify({ token: farm.token }));
  assert.ok(answer.status < 300, answer.text);
  assert.match(answer.headers['set-cookie'][0], /; Secure;/);
});

test('TLS 1.1 and plain HTTP are refused', async () => {
  const [host, port] = farm.listen.split(':');
  const error = await new Promise((done) => {
    connect({ host, port: Number(port), minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0', ca: readFileSync(cert) },
      () => done(null)).on('error', done);
  });
  assert.ok(error, 'TLS 1.1 was spoken');
  await assert.rejects(fetch(`http://${farm.listen}/readyz`));
});

test('an invalid certificate, or a key that everybody can read, is refused with a message', () => {
  const refused = (...args) => {
    const r = run(program('vivace-server'), ['--check', '--state', join(folder, 'none'), ...args]);
    assert.equal(r.status, 64, r.stderr);
    return r.stderr;
  };
  assert.match(refused('--tls-cert', cert), /--tls-cert and --tls-key must be given together/);
  const text = join(folder, 'text');
  writeFileSync(text, 'no certificate\n');
  assert.match(refused('--tls-cert', text, '--tls-key', key), /--tls-cert: .*text holds no PEM text/);
  chmodSync(key, 0o644);
  assert.match(refused('--tls-cert', cert, '--tls-key', key), /--tls-key: everybody may read/);
});
