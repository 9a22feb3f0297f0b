// Access rights, and requests that two parsers could read differently (raw sockets).
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { chmodSync, mkdirSync, mkdtempSync, statSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startFarm, until } from './harness.mjs';

/** A dashboard of two files, one of them also packed. */
const SCRIPT = 'export const answer = 42;\n'.repeat(40);
function dashboard() {
  const folder = mkdtempSync(join(tmpdir(), 'vivace-web-'));
  chmodSync(folder, 0o755); // a server started as root reads as another user
  mkdirSync(join(folder, 'assets/1'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>a page</title>');
  writeFileSync(join(folder, 'assets/1/app.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/1/app.js.gz'), gzipSync(SCRIPT));
  return folder;
}

let farm;
before(async () => { farm = await startFarm({ args: ['--test-web-dir', dashboard()] }); });
after(async () => { await farm?.stop(); });

test('the first start prints the owner token once, and keeps it in a file of mode 0600', async () => {
  for (const name of ['admin-token', 'worker-token']) {
    const path = join(farm.state, name);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.match(readFileSync(path, 'utf8'), /^vvc_[A-Za-z0-9_-]{43}[A-Za-z0-9]{6}\n$/);
  }
  assert.equal(farm.log().split(farm.token).length, 2, 'printed once');
  assert.match(farm.log(), new RegExp(`vivace login ${farm.url} --token-file ${farm.state}/admin-token`));
});

test('only health checks and the dashboard work without a credential', async () => {
  const routes = [['GET', '/workloads'], ['GET', '/openapi.json'], ['GET', '//metrics'], ['GET', '/session'], ['POST', '/uploads'],
    ['GET', '/profiles/x'], ['PUT', `/blobs/${'0'.repeat(64)}`], ['GET', '/tokens'], ['GET', '/problems/invalid']];
  for (const [method, path] of routes) {
    const r = await farm.request(method, path, undefined, { Authorization: null });
    assert.equal(r.status, 401, path);
    assert.equal(r.headers.get('www-authenticate'), 'Bearer realm="vivace"');
    assert.equal(r.headers.get('content-type'), 'application/problem+json');
    assert.equal((await r.json()).code, 'unauthorized');
  }
  for (const path of ['//healthz', '//readyz', '//', '//workloads/anything'])
    assert.equal((await farm.request('GET', path, undefined, { Authorization: null })).status, 200, path);
});

test('wrong tokens are refused: mistyped, unknown, of another shape', async () => {
  const last = farm.token.at(-1) === 'A' ? 'B' : 'A';
  for (const token of [farm.token.slice(0, -1) + last, `vvc_${'A'.repeat(49)}`, 'x', '', `${farm.token} x`])
    assert.equal((await farm.request('GET', '/workloads', undefined, { Authorization: `Bearer ${token}` })).status, 401, token);
  assert.equal((await farm.request('GET', '/workloads', undefined, { Authorization: `Basic ${farm.token}` })).status, 401);
});

test('scopes: a token has its scopes and no others', async () => {
  const make = async (...scopes) => (await farm.api('POST', '/tokens', { name: scopes.join('+'), scopes })).token;
  const read = await make('read'), write = await make('read', 'write'), worker = await make('worker');
  const status = async (token, method, path, body) =>
    (await farm.request(method, path, body, { Authorization: `Bearer ${token}` })).status;
  const upload = { name: 'x', bytes: 1 };
  assert.deepEqual([await status(read, 'GET', '/workloads'), await status(read, 'POST', '/uploads', upload), await status(read, 'GET', '/tokens')], [200, 403, 403]);
  assert.deepEqual([await status(write, 'GET', '/workloads'), await status(write, 'POST', '/uploads', upload), await status(write, 'GET', '/tokens')], [200, 201, 403]);
  assert.deepEqual([await status(worker, 'GET', '/workloads'), await status(worker, 'POST', '/uploads', upload), await status(worker, 'GET', `/blobs/${'0'.repeat(64)}`)], [403, 403, 404]);
});

test('tokens: listed without their text, removed at once', async () => {
  const made = await farm.api('POST', '/tokens', { name: 'ci', scopes: ['read'], expires_days: 1 });
  assert.ok(Math.abs(new Date(made.expires_at) - Date.now() - 86400e3) < 60e3);
  const as = { Authorization: `Bearer ${made.token}` };
  assert.equal((await farm.request('GET', '/workloads', undefined, as)).status, 200);
  const listed = (await farm.api('GET', '/tokens')).items.find((t) => t.id === made.id);
  assert.equal(listed.name, 'ci');
  assert.equal(listed.shown, made.token.slice(0, 8));
  assert.ok(!JSON.stringify(listed).includes(made.token));
  await farm.api('DELETE', `/tokens/${made.id}`);
  assert.equal((await farm.request('GET', '/workloads', undefined, as)).status, 401);
  assert.equal((await farm.request('DELETE', `/tokens/${made.id}`)).status, 404);
  for (const body of [{ name: '', scopes: ['read'] }, { name: 'x', scopes: [] }, { name: 'x', scopes: ['root'] }, { name: 'x', scopes: ['read'], expires_days: -1 }])
    assert.equal((await farm.request('POST', '/tokens', body)).status, 422, JSON.stringify(body));
});

test('a browser session: cookie, header that protects from foreign pages, end', async () => {
  assert.equal((await farm.request('POST', '/session', { token: 'vvc_wrong' }, { Authorization: null })).status, 401);
  const login = await farm.request('POST', '/session', { token: farm.token }, { Authorization: null });
  assert.equal(login.status, 200);
  assert.deepEqual(await login.json(), { name: 'owner', user: null, team: 'default', role: 'owner', scopes: ['read', 'write', 'worker', 'admin', 'farm'] });
  const set = login.headers.get('set-cookie');
  assert.match(set, /^vivace_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/);
  const cookie = { Authorization: null, Cookie: `other=1; ${set.split(';')[0]}` };
  const call = (method, path, body, headers = {}) => farm.request(method, path, body, { ...cookie, ...headers });
  assert.equal((await call('GET', '/session')).status, 200);
  const upload = { name: 'x', bytes: 1 };
  assert.equal((await call('POST', '/uploads', upload)).status, 403, 'without X-Vivace-Request');
  assert.equal((await call('POST', '/uploads', upload, { 'X-Vivace-Request': '1', Origin: 'http://evil.example' })).status, 403);
  assert.equal((await call('POST', '/uploads', upload, { 'X-Vivace-Request': '1', 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  assert.equal((await call('POST', '/uploads', upload, { 'X-Vivace-Request': '1', Origin: farm.url })).status, 201);
  assert.equal((await call('DELETE', '/session', undefined, { 'X-Vivace-Request': '1' })).status, 204);
  assert.equal((await call('GET', '/session')).status, 401);
  assert.equal((await farm.request('POST', '/session', { token: farm.token }, { Authorization: null, Origin: 'http://evil.example' })).status, 403);
});

test('removing a token ends its sessions', async () => {
  const made = await farm.api('POST', '/tokens', { name: 'browser', scopes: ['read'] });
  const login = await farm.request('POST', '/session', { token: made.token }, { Authorization: null });
  const cookie = { Authorization: null, Cookie: login.headers.get('set-cookie').split(';')[0] };
  assert.equal((await farm.request('GET', '/session', undefined, cookie)).status, 200);
  await farm.api('DELETE', `/tokens/${made.id}`);
  assert.equal((await farm.request('GET', '/session', undefined, cookie)).status, 401);
});

// --- Raw requests ---

const PATIENCE_MS = 120000;
/** Sends bytes. Returns the received bytes when the server closes the connection, or when they are enough, because a connection may stay open. */
function raw(text, enough = () => false) {
  const { hostname, port } = new URL(farm.url);
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(text, 'latin1')));
    let all = '', closed = false;
    const timer = setTimeout(() => socket.destroy(), PATIENCE_MS);
    socket.on('data', (d) => {
      all += d.toString('latin1');
      if (enough(all)) socket.destroy();
    });
    socket.on('end', () => { closed = true; });
    socket.on('close', () => { clearTimeout(timer); done({ all, closed, status: Number(/^HTTP\/1\.1 (\d+)/.exec(all)?.[1] ?? 0) }); });
    socket.on('error', (e) => (e.code === 'ECONNRESET' ? undefined : fail(e)));
  });
}
/** Enough: the heads of this number of answers. */
const answers = (n) => (all) => (all.match(/HTTP\/1\.1 \d{3} [^]*?\r\n\r\n/g) ?? []).length >= n;
const ask = (line, ...fields) => `${line}\r\n${fields.map((f) => `${f}\r\n`).join('')}\r\n`;
const host = 'Host: localhost';

const hygiene = [
  ['more header fields than the limit', ask('GET /healthz HTTP/1.1', host, ...Array.from({ length: 400 }, (_, i) => `X-${i}: y`)), 400],
  ['two Content-Length', ask('POST /api/v1/session HTTP/1.1', host, 'Content-Length: 2', 'Content-Length: 3') + '{}x', 400],
  ['two equal Content-Length', ask('POST /api/v1/session HTTP/1.1', host, 'Content-Length: 2', 'Content-Length: 2') + '{}', 400],
  ['Content-Length and Transfer-Encoding', ask('POST /api/v1/session HTTP/1.1', host, 'Content-Length: 2', 'Transfer-Encoding: chunked') + '0\r\n\r\n', 400],
  ['a space before the colon of Transfer-Encoding', ask('POST /api/v1/session HTTP/1.1', host, 'Content-Length: 2', 'Transfer-Encoding : chunked') + '0\r\n\r\n', 400],
  ['Transfer-Encoding whose value is in the next line', ask('POST /api/v1/session HTTP/1.1', host, 'Content-Length: 2', 'Transfer-Encoding:', ' chunked') + '0\r\n\r\n', 400],
  ['the same before Content-Length, with a tab', ask('POST /api/v1/session HTTP/1.1', host, 'Transfer-Encoding:', '\tchunked', 'Content-Length: 2') + '0\r\n\r\n', 400],
  ['a value in three lines', ask('POST /api/v1/session HTTP/1.1', host, 'Content-Length: 2', 'Transfer-Encoding: ', ' ', ' chun', ' ked') + '0\r\n\r\n', 400],
  ['Content-Length that goes on in the next line', ask('POST /api/v1/session HTTP/1.1', host, 'Content-Length: 2', ' 0') + '{}', 400],
  ['a field of no meaning that goes on in the next line', ask('GET /healthz HTTP/1.1', host, 'X-Field: a', ' b'), 400],
  ['a first field that begins with a blank', ask('GET /healthz HTTP/1.1', ' X-Field: a', host), 400],
  ['unknown Transfer-Encoding', ask('POST /api/v1/session HTTP/1.1', host, 'Transfer-Encoding: gzip, chunked') + '0\r\n\r\n', 400],
  ['two Transfer-Encoding', ask('POST /api/v1/session HTTP/1.1', host, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked') + '0\r\n\r\n', 400],
  ['Content-Length that is not a number', ask('POST /api/v1/session HTTP/1.1', host, 'Content-Length: 2x') + '{}', 400],
  ['Content-Length below zero', ask('POST /api/v1/session HTTP/1.1', host, 'Content-Length: -2'), 400],
  ['Content-Length past 2^64', ask('POST /api/v1/session HTTP/1.1', host, 'Content-Length: 99999999999999999999'), [400, 413]],
  ['no Host', ask('GET /healthz HTTP/1.1'), 400],
  ['two Hosts', ask('GET /healthz HTTP/1.1', host, 'Host: example.org'), 400],
  ['foreign Host', ask('GET /healthz HTTP/1.1', 'Host: evil.example'), 400],
  ['foreign Host with a valid beginning', ask('GET /healthz HTTP/1.1', 'Host: localhost.evil.example'), 400],
  ['Host with a user', ask('GET /healthz HTTP/1.1', 'Host: localhost@evil.example'), 400],
  ['encoded NUL', ask('GET /api/v1/workloads/%00 HTTP/1.1', host), 400],
  ['encoded slash', ask('GET /api%2fv1/workloads HTTP/1.1', host), 400],
  ['encoded backslash', ask('GET /assets/x/%5c..%5cy HTTP/1.1', host), 400],
  ['dot-dot', ask('GET /assets/x/../../etc/passwd HTTP/1.1', host), 400],
  ['encoded dot-dot', ask('GET /assets/x/%2e%2e/secret HTTP/1.1', host), 400],
  ['broken escape', ask('GET /api/v1/%zz HTTP/1.1', host), 400],
  ['escape at the end', ask('GET /api/v1/%4 HTTP/1.1', host), 400],
  ['empty segment', ask('GET //api/v1/workloads HTTP/1.1', host), 400],
  ['not UTF-8', ask('GET /api/v1/%ff%fe HTTP/1.1', host), 400],
  ['control character', ask('GET /api/v1/%0a HTTP/1.1', host), 400],
  ['unknown method', ask('BREW /healthz HTTP/1.1', host), 400],
  ['HTTP/1.0', ask('GET /api/v1/session HTTP/1.0', host), 400],
  ['absolute target', ask('GET http://evil.example/healthz HTTP/1.1', host), 400],
  ['address that is too long', ask(`GET /${'a'.repeat(9000)} HTTP/1.1`, host), [400, 414]],
];
for (const [what, request, wanted] of hygiene)
  test(`refused and closed: ${what}`, async () => {
    const r = await raw(request);
    assert.ok([wanted].flat().includes(r.status), `got ${r.status}: ${r.all.slice(0, 200)}`);
    assert.ok(r.closed, 'the connection ends');
    // libmicrohttpd 0.9.75 writes the head of its own refusals (wrong Content-Length, no Host) twice before it closes
    for (const line of r.all.match(/^HTTP\/1\.1 \d{3} /gm)) assert.equal(Number(line.split(' ')[1]), r.status, 'no second answer');
  });

test('allowed: addresses as Host, ports, HTTP/1.0 for health, keep-alive', async () => {
  for (const h of ['localhost', 'LOCALHOST:99', '127.0.0.1', '[::1]:8080', '10.1.2.3'])
    assert.equal((await raw(ask('GET /healthz HTTP/1.1', `Host: ${h}`), answers(1))).status, 200, h);
  assert.equal((await raw(ask('GET /healthz HTTP/1.0'))).all.split(' ')[1], '200');
  const twice = await raw(ask('GET /api/v1/nothing HTTP/1.1', host) + ask('GET /healthz HTTP/1.1', host), answers(2));
  assert.deepEqual(twice.all.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 404', 'HTTP/1.1 200'], 'a refusal without body keeps the connection');
});

test('a request with an invalid head is answered before its body is read', async () => {
  const auth = `Authorization: Bearer ${farm.token}`;
  for (const [fields, status] of [[['Content-Length: 4000000000'], 401], [[auth, 'Content-Length: 4000000000'], 413]]) {
    const r = await raw(ask('POST /api/v1/uploads HTTP/1.1', host, 'Expect: 100-continue', ...fields));
    assert.equal(r.status, status);
    assert.ok(!r.all.includes('100 Continue'));
    assert.ok(r.closed);
  }
});

test('a chunked body over its limit is 413', async () => {
  const chunk = `10000\r\n${'x'.repeat(65536)}\r\n`;
  const r = await raw(ask('POST /api/v1/uploads HTTP/1.1', host, `Authorization: Bearer ${farm.token}`, 'Transfer-Encoding: chunked') + chunk.repeat(4) + '0\r\n\r\n', answers(1));
  assert.equal(r.status, 413, r.all.slice(0, 200));
});

test('a request that stops in the middle is dropped, and other requests are answered', async () => {
  const { hostname, port } = new URL(farm.url);
  const half = connect(Number(port), hostname);
  half.on('error', () => {});
  half.write(ask('PUT /api/v1/uploads/x/pieces/0 HTTP/1.1', host, `Authorization: Bearer ${farm.token}`, 'Content-Length: 1000') + 'abc');
  await until('health while a request hangs', async () => (await farm.request('GET', '//healthz')).status === 200);
  half.destroy();
  assert.equal((await farm.request('GET', '//readyz')).status, 200);
});

test('answers carry a request id: the server’s own, or a valid one from the client', async () => {
  assert.match((await farm.request('GET', '//healthz')).headers.get('x-request-id'), /^[0-9a-f-]{36}$/);
  assert.equal((await farm.request('GET', '//healthz', undefined, { 'X-Request-Id': 'build-1234' })).headers.get('x-request-id'), 'build-1234');
  assert.match((await farm.request('GET', '//healthz', undefined, { 'X-Request-Id': 'a b"c<script>' })).headers.get('x-request-id'), /^[0-9a-f-]{36}$/);
});

test('405 names the allowed methods; problems have a detail and a hint', async () => {
  const r = await farm.request('DELETE', '/workloads');
  assert.deepEqual([r.status, r.headers.get('allow')], [405, 'GET, HEAD']);
  const problem = await farm.request('GET', `//${(await r.json()).type.slice(1)}`);
  assert.equal(problem.status, 200);
  assert.match(await problem.text(), /does not support the method/);
  assert.equal((await farm.request('GET', '/problems/nonsense')).status, 404);
});

test('the page has a content security policy, and paths cannot leave the folder of assets', async () => {
  const page = await farm.request('GET', '//any/page', undefined, { Authorization: null });
  assert.match(page.headers.get('content-security-policy'), /^default-src 'none'; script-src 'self'/);
  assert.match(page.headers.get('content-type'), /^text\/html/);
  assert.equal((await farm.request('GET', '//assets/none/app.js', undefined, { Authorization: null })).status, 404);
  assert.equal((await farm.request('GET', '//api/nothing')).status, 404, 'the API has no page');
});

test('a file is sent compressed to clients that accept it and plain to others, with Vary for caches', async () => {
  const get = async (path, ...more) => (await raw(ask(`GET ${path} HTTP/1.1`, host, 'Connection: close', ...more))).all;
  const packed = await get('/assets/1/app.js', 'Accept-Encoding: br;q=1, gzip;q=0.5'), plain = await get('/assets/1/app.js'), refused = await get('/assets/1/app.js', 'Accept-Encoding: gzip;q=0, *');
  assert.match(packed, /^content-encoding: gzip\r$/im);
  assert.match(packed, new RegExp(`^content-length: ${gzipSync(SCRIPT).length}\r$`, 'im'));
  for (const answer of [plain, refused]) assert.ok(answer.endsWith(SCRIPT) && !/^content-encoding/im.test(answer));
  for (const answer of [packed, plain, refused]) {
    assert.match(answer, /^vary: accept-encoding\r$/im);
    assert.match(answer, /^content-type: text\/javascript/im);
    assert.match(answer, /^cache-control: public, max-age=31536000, immutable\r$/im);
  }
  assert.equal(await (await farm.request('GET', '//assets/1/app.js', undefined, { Authorization: null })).text(), SCRIPT, 'unpacked, it equals the plain file');
  assert.ok(!/^content-encoding/im.test(await get('/', 'Accept-Encoding: gzip')), 'this build has no packed page');
});

test('metrics are Prometheus text', async () => {
  const text = await farm.api('GET', '//metrics');
  assert.match(text, /^vivace_http_requests_total\{route="GET \/healthz",status="200"\} \d+$/m);
  assert.match(text, /^vivace_http_request_seconds_bucket\{route="GET \/healthz",le="\+Inf"\} \d+$/m);
  for (const line of text.split('\n').filter(Boolean))
    assert.match(line, /^(# (HELP|TYPE) [a-z_]+ .*|[a-z_]+(\{([a-z]+="[^"]*",?)+\})? [0-9.e+-]+)$/, line);
});
