// A server that is restarted or stopped while clients work: no request fails.
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { program, startFarm, until } from './harness.mjs';

/** One request; keeps its connection for the next. Resolves to the status, rejects when the connection fails. */
function ask(farm, agent, method, path, body) {
  const [host, port] = farm.listen.split(':');
  const text = body ? JSON.stringify(body) : null;
  return new Promise((done, fail) => {
    const r = request({ host, port, method, path, agent, headers: { Authorization: `Bearer ${farm.token}`,
      ...(text ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) } : {}) } },
    (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode));
      answer.on('error', (error) => fail(Object.assign(error, { reused: true }))); // the server had begun to answer, so it had accepted the request
    });
    r.on('error', (error) => fail(Object.assign(error, { reused: r.reusedSocket })));
    r.end(text);
  });
}

/** Clients that send requests one after the other until they are stopped, or until the test ends; otherwise a failed test would never end. */
function clients(t, farm, count) {
  const state = { stop: false, statuses: new Map(), failures: [], asked: 0 };
  t.after(() => { state.stop = true; return state.over; });
  const one = async (i) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 0; !state.stop; n++) {
      const [method, path, body] = (n + i) % 3 === 0 ? ['POST', '/api/v1/designs', { name: 'none' }]
        : (n + i) % 3 === 1 ? ['GET', '/api/v1/farm'] : ['GET', '/api/v1/workloads'];
      try {
        const status = await ask(farm, agent, method, path, body);
        state.statuses.set(status, (state.statuses.get(status) ?? 0) + 1);
      } catch (error) {
        state.failures.push(`${method} ${path}${error.reused ? ' on a connection that was taken' : ''}: ${error.code ?? error.message}`);
      }
      state.asked++;
    }
    agent.destroy();
  };
  state.over = Promise.all(Array.from({ length: count }, (_, i) => one(i)));
  return state;
}

/** A certificate and its key, which the server's user can read and others cannot. */
function certificate(folder, name = 'farm') {
  const { uid, gid } = statSync(farm.state), [cert, key] = ['crt', 'key'].map((end) => `${folder}/${name}.${end}`);
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
    '-subj', '/CN=farm.test', '-keyout', key, '-out', cert], { stdio: 'ignore' });
  for (const file of [cert, key]) {
    chmodSync(file, 0o600);
    chownSync(file, uid, gid);
  }
  return { cert, key };
}

let farm;
before(async () => { farm = await startFarm({ privateDatabase: true, workers: 1 }); });
after(() => farm.stop());

test('a restart loses no request, and keeps the process and the private database', async (t) => {
  const starts = () => farm.log().split('\n').filter((l) => l.startsWith('Vivace listens on')).length;
  const database = farm.postgresPid();
  const load = clients(t, farm, 4);
  for (let again = 2; again <= 3; again++) {
    const before = load.asked;
    await until('requests before the restart', () => load.asked > before + 20);
    farm.server.kill(again === 2 ? 'SIGUSR2' : 'SIGHUP');
    await until('the restarted server', () => starts() === again);
    const after = load.asked;
    await until('requests after the restart', () => load.asked > after + 20);
  }
  load.stop = true;
  await load.over;
  assert.deepEqual(load.failures, []);
  for (const status of load.statuses.keys())
    assert.ok(status === 200 || status === 400 || status === 422, `an answer with status ${status}:\n${farm.log()}`);
  assert.equal(farm.postgresPid(), database, 'the private database was restarted');
  assert.equal(farm.server.exitCode, null, 'the process ended');
  const workers = await until('the worker', async () => {
    const alive = (await farm.api('GET', '/workers')).items.filter((w) => w.state === 'alive');
    return alive.length > 0 && alive;
  });
  assert.equal(workers.length, 1);
  assert.equal(workers[0].sandbox, execFileSync(program('vivace-sim'), ['--test-sandbox'], { encoding: 'utf8' }).split('\n')[0]);
});

test('a restart that cannot succeed is refused, and the server continues', async () => {
  const file = `${farm.folder}/vivace.conf`; // read from the working folder by a server that starts there
  writeFileSync(file, 'no-such-setting = 1\n', { mode: 0o644 });
  farm.server.kill('SIGUSR2');
  await until('the refusal', () => /not restarted: the server continues with its old settings/.test(farm.log()));
  assert.match(farm.log(), /no-such-setting/);
  assert.equal((await farm.request('GET', '//healthz')).status, 200);
  rmSync(file);
});

test('SIGHUP applies changed settings; those that would lose the private database are refused', async () => {
  const file = `${farm.folder}/vivace.conf`;
  const set = async (settings, sign) => {
    writeFileSync(file, settings, { mode: 0o644 });
    const seen = farm.log().length;
    farm.server.kill('SIGHUP');
    await until(String(sign), () => sign.test(farm.log().slice(seen)));
  };
  await set('log-format = json\n', /\n\{.*"starts"|\n\{"time"/);
  await until('it to answer', async () => (await farm.request('GET', '//healthz')).status === 200);
  await set('database = postgresql://nobody@127.0.0.1:1/none\n', /another database, and the private database would keep running/);
  await set('db-threads = 64\ncpu-threads = 64\n', /would not start: [^\n]*the private database has 100/);
  const { cert, key } = certificate(farm.folder), other = certificate(farm.folder, 'other');
  await set(`tls-cert = ${cert}\ntls-key = ${other.key}\n`, /is not the key of the certificate/);
  writeFileSync(key, readFileSync(key, 'utf8').replace(/\n.{20}/, '\n' + 'A'.repeat(20)));
  await set(`tls-cert = ${cert}\ntls-key = ${key}\n`, /is damaged, or has a passphrase/);
  assert.equal((await farm.request('GET', '//healthz')).status, 200);
  assert.equal(farm.server.exitCode, null);
  rmSync(file);
});

test('an inherited socket is used; a setting that names another address is reported', async (t) => {
  const socket = createServer().listen(0, '127.0.0.1'), log = `${farm.folder}/handed.log`, out = openSync(log, 'w');
  await once(socket, 'listening');
  const { port } = socket.address();
  const server = spawn('sh', ['-c', 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"', program('vivace-server'), '--listen', '127.0.0.1:1',
    '--state', `${farm.folder}/handed`], { stdio: ['ignore', out, out, socket._handle.fd], cwd: farm.folder });
  const ended = once(server, 'exit');
  closeSync(out);
  t.after(async () => { server.kill('SIGTERM'); await ended; });
  socket.close();
  await until('it to listen', () => readFileSync(log, 'utf8').includes(`Vivace listens on http://127.0.0.1:${port}`));
  assert.match(readFileSync(log, 'utf8'), /a change of `listen` takes effect after a stop and a start" address=127\.0\.0\.1:\d+ listen="?127\.0\.0\.1:1\b/);
  assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
});

test('SIGTERM finishes the requests in progress; a second one ends the process at once', async (t) => {
  const load = clients(t, farm, 2);
  await until('requests', () => load.asked > 20);
  farm.server.kill('SIGTERM');
  const { code } = await farm.exited;
  load.stop = true;
  await load.over;
  assert.equal(code, 0);
  // Only new connections may fail: refused ones, or ones in the socket's queue when it closed. Accepted connections must not fail.
  for (const failure of load.failures) assert.match(failure, /^\w+ \S+: ECONN(REFUSED|RESET)$/);
  for (const status of load.statuses.keys()) assert.ok([200, 400, 422].includes(status), `status ${status}`);
  await farm.start();
  farm.server.kill('SIGTERM');
  await until('it to begin', () => /msg="stopping"/.test(farm.log().split('Vivace listens').pop()));
  farm.server.kill('SIGTERM');
  const end = await farm.exited;
  assert.ok(end.signal === 'SIGTERM' || end.code === 0); // the process may have ended before the signal
});
