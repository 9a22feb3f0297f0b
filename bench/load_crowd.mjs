// bench/load_crowd.mjs: the crowd of load.mjs, on a thread of its own and on plain sockets: workers that wait for jobs they
// could never do, each with a heartbeat every ten seconds, and event streams that are only read. Told {idle, streams}; answers what it saw when
// told "over".
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { host, port, owner, worker, about, idle, streams } = workerData;
const WAIT_S = 25, BEAT_MS = 10_000, BEATERS = 16, OPENING = 200;
const seen = { sessions: 0, streams: 0, polls: 0, beats: 0, statuses: {}, lost: 0, poll_ms: [], beat_ms: [] };
let over = false;

/** A kept connection: one question at a time, answered by its status and body. */
class Line {
  constructor() {
    this.text = '';
    this.socket = connect({ host, port, noDelay: true });
    this.socket.setEncoding('latin1');
    this.socket.on('data', (d) => this.take(d));
    for (const end of ['error', 'close']) this.socket.on(end, () => this.end());
  }

  take(d) {
    this.text += d;
    const head = this.text.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.text)?.[1] ?? 0), whole = head + 4 + length;
    if (this.text.length < whole) return;
    const answer = { status: Number(this.text.slice(9, 12)), body: this.text.slice(head + 4, whole) };
    this.text = this.text.slice(whole);
    this.done?.(answer);
  }

  end() {
    this.ended = true;
    this.done?.({ status: 0, body: '' });
  }

  ask(path, body) {
    if (this.ended) return Promise.resolve({ status: 0, body: '' });
    const text = JSON.stringify(body);
    return new Promise((done) => {
      this.done = (a) => { this.done = null; done(a); };
      this.socket.write(`POST /api/v1${path} HTTP/1.1\r\nHost: ${host}:${port}\r\nAuthorization: Bearer ${worker}\r\n`
        + `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
    });
  }
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const count = (status) => {
  seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
  if (status === 0 && !over) seen.lost++;
};

/** A worker that waits; when the connection is lost, so is the worker. */
async function wait(line, session) {
  while (!over && !line.ended) {
    const began = performance.now(), { status } = await line.ask('/worker/claim', { session, slots: 1, wait_s: WAIT_S });
    if (over) return;
    count(status);
    seen.polls++;
    seen.poll_ms.push(performance.now() - began);
    if (status !== 200) await sleep(1000);
  }
}

async function open(number) {
  const line = new Line(), { status, body } = await line.ask('/worker/sessions', { ...about, name: `idle ${number}` });
  if (status >= 300 || status === 0) throw new Error(`worker ${number}: ${status} ${body}`);
  seen.sessions++;
  const { session } = JSON.parse(body);
  wait(line, session);
  return session;
}

/** Every session says every ten seconds that it lives, over a few connections: a worker's own would be as many again. */
async function beat(sessions, part) {
  const line = new Line();
  for (let turn = 0; !over; turn++) {
    const began = performance.now();
    for (let i = part; i < sessions.length && !over; i += BEATERS) {
      const asked = performance.now(), { status } = await line.ask('/worker/heartbeat', { session: sessions[i], running: [] });
      if (over) return;
      count(status);
      seen.beats++;
      seen.beat_ms.push(performance.now() - asked);
      const early = ((i + BEATERS) / sessions.length) * BEAT_MS - (performance.now() - began);
      if (early > 5) await sleep(early);
    }
    if (sessions.length === 0) await sleep(1000);
  }
}

const listen = () => new Promise((done) => {
  const s = connect({ host, port });
  s.once('data', () => { seen.streams++; done(s); });
  s.on('data', () => {});
  s.on('error', () => {});
  s.on('close', () => { if (!over) seen.lost++; done(s); });
  s.write(`GET /api/v1/events?topics=farm HTTP/1.1\r\nHost: ${host}:${port}\r\nAuthorization: Bearer ${owner}\r\nAccept: text/event-stream\r\n\r\n`);
});

async function inParts(total, one) {
  const all = [];
  for (let n = 0; n < total; n += OPENING)
    all.push(...(await Promise.all(Array.from({ length: Math.min(OPENING, total - n) }, (_, i) => one(n + i)))));
  return all;
}

const quantile = (times, p) => {
  const t = times.sort((a, b) => a - b);
  return t.length ? t[Math.min(t.length - 1, Math.floor(p * t.length))] : 0;
};
parentPort.once('message', () => {
  over = true;
  const { poll_ms, beat_ms, ...rest } = seen;
  parentPort.postMessage({ ...rest, beat: [0.5, 0.99].map((p) => quantile(beat_ms, p)), poll: [0.01, 0.5, 0.99].map((p) => quantile(poll_ms, p)) });
  process.exit(0);
});
const sessions = await inParts(idle, open);
await inParts(streams, listen);
for (let part = 0; part < BEATERS; part++) beat(sessions, part);
parentPort.postMessage('there');
