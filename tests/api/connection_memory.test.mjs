// A waiting connection needs little memory, because a farm of 10 000 workers has 10 000 connections.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { readFileSync } from 'node:fs';
import { startFarm } from './harness.mjs';

const CONNECTIONS = 600, KIB_EACH = 64; // measured: 45; it was 96 with 64 KiB for libmicrohttpd and 29 kB a request
let farm, port;
before(async () => {
  farm = await startFarm({ args: ['--max-connections-per-ip', '1000'] });
  port = Number(new URL(farm.url).port);
});
after(() => farm?.stop());

const residentKib = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${farm.server.pid}/status`, 'utf8'))[1]);
const head = (path, ...fields) => `${[`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${farm.token}`, ...fields].join('\r\n')}\r\n\r\n`;

/** A stream on a connection that has had a request before; resolves when the stream's head has arrived. */
const stream = () => new Promise((done, fail) => {
  const socket = connect(port, '127.0.0.1', () => socket.write(head('/healthz')));
  let text = '', asked = false;
  socket.setEncoding('latin1').on('error', fail).on('close', () => fail(new Error(`closed after: ${text.slice(0, 200)}`))).on('data', (d) => {
    text += d;
    if (!asked && text.startsWith('HTTP/1.1 200')) {
      asked = true;
      text = '';
      socket.write(head('/api/v1/events?topics=farm'));
    } else if (asked && /^HTTP\/1\.1 200 [^]*event-stream[^]*\r\n\r\n/i.test(text)) {
      done(socket);
    }
  });
});

test('a waiting connection takes at most 64 KiB', { timeout: 600000 }, async () => {
  const sockets = [await stream()];
  try {
    const before_ = residentKib();
    while (sockets.length <= CONNECTIONS) sockets.push(...await Promise.all(Array.from({ length: 20 }, stream)));
    const each = (residentKib() - before_) / (sockets.length - 1);
    assert.ok(each < KIB_EACH, `${each.toFixed(1)} KiB`);
  } finally {
    for (const s of sockets) s.destroy();
  }
});

/** The status of a request with this header field, whose length gives the head this number of bytes. */
const statusOf = (field, bytes) => new Promise((done, fail) => {
  const begin = head('/api/v1/session', 'Connection: close', `${field}: x=`), socket = connect(port, '127.0.0.1');
  let text = '';
  socket.write(begin.replace('x=', `x=${'x'.repeat(bytes - begin.length)}`));
  socket.on('data', (d) => { text += d; }).on('close', () => done(Number(text.slice(9, 12))));
  socket.on('error', (e) => (e.code === 'ECONNRESET' || e.code === 'EPIPE' ? undefined : fail(e)));
});

test('a head of 20 KiB is answered, also one with 12 KiB of cookies; one of 64 KiB is refused', async () => {
  assert.equal(await statusOf('X-Long', 20 << 10), 200);
  assert.equal(await statusOf('Cookie', 12 << 10), 200); // libmicrohttpd copies cookies
  assert.ok([0, 413, 414, 431].includes(await statusOf('X-Long', 64 << 10)));
});
