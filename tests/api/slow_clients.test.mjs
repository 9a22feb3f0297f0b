// Slow clients with many addresses use all connections; a new client is still answered at once.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { startFarm, until } from './harness.mjs';

const PLACES = 64, HEAD_S = 300;
let farm;
before(async () => {
  farm = await startFarm({ args: ['--test-connections', String(PLACES), '--max-connections-per-ip', '16', '--test-head-time', `${HEAD_S}s`, '--test-idle', '1h'] });
});
after(() => farm?.stop());

/** 20 addresses with 16 connections each, which reconnect whenever they are closed, until the signal. */
function crowd(beginning, signal) {
  const port = Number(new URL(farm.url).port), open = new Set();
  const one = (address) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: address });
    open.add(socket);
    socket.on('connect', () => { if (beginning) socket.write(beginning); });
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.on('close', () => { open.delete(socket); if (!signal.aborted) setTimeout(one, 500, address); });
  };
  for (let i = 0; i < 320; i++) one(`127.9.8.${1 + (i % 20)}`);
  signal.addEventListener('abort', () => { for (const s of open) s.destroy(); });
}

const metric = async (name) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(await (await farm.request('GET', '//metrics', undefined, { Connection: 'close' })).text())[1]);

for (const [what, beginning] of [['say nothing', ''], ['send a head slowly', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
  ['send a body slowly', 'POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{'],
  ['are idle after a request', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n']])
  test(`a visitor with 320 other connections that ${what}`, { timeout: 600000 }, async () => {
    const ending = new AbortController();
    try {
      const before_ = await metric('vivace_http_hurried_total');
      crowd(beginning, ending.signal);
      await until('all connections to be in use', async () => await metric('vivace_http_hurried_total') > before_, 60000);
      for (let i = 0; i < 5; i++) { // long before the server would end a slow one
        const r = await farm.request('GET', '/workloads', undefined, { Connection: 'close' });
        assert.equal(r.status, 200);
        await r.arrayBuffer();
      }
    } finally {
      ending.abort();
    }
  });
