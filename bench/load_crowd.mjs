// bench/load_crowd.mjs: a crowd of clients for load.mjs, on a separate thread and with plain sockets: workers that wait for
// jobs that no farm has, each with a heartbeat every ten seconds; event streams that are only read; users who load page after
// page. Sends the message "there" when all are connected, and its measurements after it receives "over".
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { host, port, owner, worker, about, idle, streams, visitors } = workerData;
const WAIT_S = 25, BEAT_MS = 10_000, BEATERS = 16, OPENING = 200;
const PAGES = ['/workloads?limit=50', '/farm', '/runs?limit=50', '/workers?limit=100'];
const seen = { sessions: 0, streams: 0, statuses: {}, lost: {} };
const times = { poll: [], beat: [], first: [], page: [], refused: [] }; // first: the first request of each user, when all connect at the same time
let over = false;

/** A kept-alive connection: one request at a time; returns its status and body. */
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
    const answer = { status: Number(this.text.slice(9, 12)), later: /\r\nretry-after:/i.test(this.text.slice(0, head)), body: this.text.slice(head + 4, whole) };
    this.text = this.text.slice(whole);
    this.done?.(answer);
  }

  end() {
    this.ended = true;
    this.done?.({ status: 0, body: '' });
  }

  ask(head, content) {
    if (this.ended) return Promise.resolve({ status: 0, body: '' });
    return new Promise((done) => {
      this.done = (a) => { this.done = null; done(a); };
      this.socket.write(`${head} HTTP/1.1\r\nHost: ${host}:${port}\r\n${content}`);
    });
  }

  post(path, body) {
    const text = JSON.stringify(body);
    return this.ask(`POST /api/v1${path}`, `Authorization: Bearer ${worker}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
  }

  get(path) {
    return this.ask(`GET /api/v1${path}`, `Authorization: Bearer ${owner}\r\n\r\n`);
  }
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const lost = (what) => { if (!over) seen.lost[what] = (seen.lost[what] ?? 0) + 1; };

/** Sends a request, counts its answer and measures its time; null after the end. */
async function timed(what, asking) {
  const began = performance.now(), answer = await asking;
  if (over) return null;
  const status = answer.status >= 400 && !answer.later ? `${answer.status} without Retry-After` : answer.status;
  seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
  if (answer.status === 0) lost(what);
  times[answer.status < 300 ? what : 'refused'].push(performance.now() - began);
  return answer;
}

/** A worker that waits for jobs; it ends when its connection is lost. */
async function wait(line, session) {
  while (!over && !line.ended) {
    const answer = await timed('poll', line.post('/worker/claim', { session, slots: 1, wait_s: WAIT_S }));
    if (answer && answer.status !== 200) await sleep(1000);
  }
}

async function open(number) {
  const line = new Line(), { status, body } = await line.post('/worker/sessions', { ...about, name: `idle ${number}` });
  if (status >= 300 || status === 0) throw new Error(`worker ${number}: ${status} ${body}`);
  seen.sessions++;
  const { session } = JSON.parse(body);
  wait(line, session);
  return session;
}

/** Each session sends a heartbeat every ten seconds. All share a few connections, because a connection per worker would double their number. */
async function beat(sessions, part) {
  let line = new Line();
  while (!over) {
    const began = performance.now();
    for (let i = part; i < sessions.length && !over; i += BEATERS) {
      if (line.ended) line = new Line();
      await timed('beat', line.post('/worker/heartbeat', { session: sessions[i], running: [] }));
      const early = ((i + BEATERS) / sessions.length) * BEAT_MS - (performance.now() - began);
      if (early > 5) await sleep(early);
    }
  }
}

/** A user who sends requests without pause, and waits a little when the server is busy. */
async function visit() {
  let line = new Line();
  for (let n = 0; !over; n++) {
    if (line.ended) line = new Line();
    const answer = await timed(n ? 'page' : 'first', line.get(PAGES[n % PAGES.length]));
    if (answer && answer.status !== 200) await sleep(100);
  }
}

const listen = () => new Promise((done) => {
  const s = connect({ host, port });
  s.once('data', () => { seen.streams++; done(s); });
  s.on('data', () => {});
  s.on('error', () => {});
  s.on('close', () => { lost('stream'); done(s); });
  s.write(`GET /api/v1/events?topics=farm HTTP/1.1\r\nHost: ${host}:${port}\r\nAuthorization: Bearer ${owner}\r\nAccept: text/event-stream\r\n\r\n`);
});

async function inParts(total, one) {
  const all = [];
  for (let n = 0; n < total; n += OPENING)
    all.push(...(await Promise.all(Array.from({ length: Math.min(OPENING, total - n) }, (_, i) => one(n + i)))));
  return all;
}

const quantiles = (t) => {
  t.sort((a, b) => a - b);
  return { count: t.length, p1: at(t, 0.01), p50: at(t, 0.5), p99: at(t, 0.99) };
};
const at = (t, p) => (t.length ? t[Math.min(t.length - 1, Math.floor(p * t.length))] : 0);
parentPort.once('message', () => {
  over = true;
  parentPort.postMessage({ ...seen, ...Object.fromEntries(Object.entries(times).map(([k, t]) => [k, quantiles(t)])) });
  process.exit(0);
});
const sessions = await inParts(idle, open);
await inParts(streams, listen);
for (let part = 0; part < Math.min(BEATERS, idle); part++) beat(sessions, part);
for (let n = 0; n < visitors; n++) visit();
parentPort.postMessage('there');
