// tests/api/chaos/load.mjs: teams at work: each client uploads reports, plans, runs, cancels, pauses, makes tokens. A client
// repeats a request with the same Idempotency-Key until it gets an answer; the history records the acknowledgements.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from '../harness.mjs';
import { between, numbers, one, weighted } from '../seeded.mjs';
import { report } from '../scripted_worker.mjs';

/** Answers that ask the client to retry later. A 409 with Retry-After: the request was repeated before its answer was ready. */
const later = (r) => [408, 429, 502, 503, 504, 507].includes(r.status) || (r.status === 409 && r.headers.get('retry-after'));

/** A client with one credential at a farm of several servers, and its answers. */
export class Asker {
  constructor({ name, urls, token, history, next }) {
    Object.assign(this, { name, urls, token, history, next, at: 0 });
  }
  headers(body, key) {
    return { Authorization: `Bearer ${this.token}`, ...(key ? { 'Idempotency-Key': key } : {}),
      ...(body && !ArrayBuffer.isView(body) ? { 'Content-Type': 'application/json' } : {}) };
  }
  async once(method, path, body, key) {
    const content = body && !ArrayBuffer.isView(body) ? JSON.stringify(body) : body;
    const r = await fetch(`${this.urls[this.at]}/api/v1${path}`, { method, headers: this.headers(body, key), body: content, signal: AbortSignal.timeout(30000) });
    const text = await r.text();
    return { status: r.status, headers: r.headers, text, json: text.startsWith('{') ? JSON.parse(text) : null };
  }
  /** Repeats the request until an answer arrives. A refusal is an answer too: see `status`. */
  async ask(method, path, body, key) {
    for (let tries = 1; ; tries++) {
      const r = await this.once(method, path, body, key).catch((e) => ({ status: 0, text: String(e.cause ?? e) }));
      if (r.status === 500) this.history.finding(`500 to ${method} ${path.replace(/[0-9a-f-]{36}/g, '…')}: ${r.text}`);
      if (r.status && r.status !== 500 && !later(r)) {
        if (method !== 'GET' && !path.startsWith('/worker')) this.history.note(r.status < 300 ? 'ack' : 'refused',
          { who: this.name, method, path, key, status: r.status, id: r.json?.id, ...(r.status < 300 ? {} : { text: r.text }), tries });
        return r;
      }
      if (r.status === 507) this.history.counts['507'] = (this.history.counts['507'] ?? 0) + 1;
      if (r.status === 503) this.history.counts['503'] = (this.history.counts['503'] ?? 0) + 1;
      if (tries > 2000) throw new Error(`${method} ${path} was never answered; last: ${r.status} ${r.text}`);
      this.at = (this.at + 1) % this.urls.length;
      await sleep(between(this.next, 50, Math.min(2000, 100 * tries)));
    }
  }
  /** The parsed answer; a refusal is recorded as a finding. */
  async must(method, path, body, key) {
    const r = await this.ask(method, path, body, key);
    if (r.status >= 300) {
      this.history.finding(`${method} ${path.replace(/[0-9a-f-]{36}/g, '…')} was refused: ${r.status} ${r.text}`);
      throw new Error(`refused: ${r.status}`);
    }
    return r.json;
  }
  /** A POST that creates an object. Sometimes it is sent twice at the same time, and must have one effect. */
  async make(path, body) {
    const key = randomUUID();
    if (this.next() > 0.15) return this.must('POST', path, body, key);
    const [a, b] = await Promise.all([this.must('POST', path, body, key), this.must('POST', path, body, key)]);
    if (a.id !== b.id) this.history.finding(`one Idempotency-Key made two: POST ${path.replace(/[0-9a-f-]{36}/g, '…')}: ${a.id} and ${b.id}`);
    return a;
  }
}

/** One client of one team. `shared`: { cycle: [{ plan, launches }], designs: [names], reports } */
export class Client extends Asker {
  constructor(options, shared) {
    super(options);
    this.shared = shared;
    this.plans = [];
    this.open = [];
  }
  async work(until) {
    while (Date.now() < until) {
      const act = weighted(this.next, [[this.plans.length ? 3 : 12, 'bring'], [8, 'run'], [2, 'cycle'], [2, 'cancel'], [2, 'pause'], [1, 'credential'], [2, 'look']]);
      try {
        await this[act]();
      } catch (e) {
        if (!/^refused/.test(e.message)) this.history.finding(`client ${this.name} at ${act}: ${e.stack}`);
      }
      await sleep(between(this.next, 20, 250));
    }
    for (const run of this.open) await this.ask('POST', `/runs/${run.id}/resume`); // resumes a run that was paused and not resumed
  }
  /** Uploads a report and makes a plan of its profile. Some reports need two pieces; each piece is then sent twice. */
  async bring() {
    const seed = this.shared.reports++, large = seed % 25 === 7;
    const bytes = large ? Buffer.concat([report(seed), Buffer.from('\n'.repeat(9 << 20))]) : report(seed);
    const up = await this.make('/uploads', { name: `report-${seed}.csv`, bytes: bytes.length, workload: `${this.name} ${seed}` });
    const sent = new Set();
    for (let state = up; ;) {
      for (const n of state.missing) {
        const piece = bytes.subarray(n * up.piece_bytes, (n + 1) * up.piece_bytes);
        const r = await this.ask('PUT', `/uploads/${up.id}/pieces/${n}`, piece);
        if (r.status === 404) return this.history.finding(`an acknowledged upload takes no piece: ${up.id} ${n}: ${r.text}`);
        if (large) await this.ask('PUT', `/uploads/${up.id}/pieces/${n}`, piece);
        if (r.status < 300) sent.add(n);
      }
      state = await this.must('GET', `/uploads/${up.id}`);
      if (state.missing.length === 0) break;
      for (const n of state.missing) if (sent.has(n)) this.history.finding(`an acknowledged piece is missing: ${up.id} ${n}`);
    }
    const { import: id } = await this.must('POST', `/uploads/${up.id}/finish`, undefined, randomUUID());
    this.history.note('uploaded', { import: id, seed, bytes: bytes.length, who: this.name });
    let reported;
    for (const began = performance.now(); performance.now() - began < patience(60000) && !['ready', 'failed'].includes(reported?.state);) {
      await sleep(100);
      reported = await this.must('GET', `/imports/${id}`);
    }
    if (reported.state !== 'ready') return this.history.finding(`import ${id} is ${reported.state}: ${JSON.stringify(reported.problem)}`);
    const body = { method: one(this.next, ['vivace', 'srs', 'root']), error: one(this.next, [0.05, 0.1, 0.02]), confidence: 0.95, seed: 1 + Math.floor(9 * this.next()) };
    const plan = await this.make(`/profiles/${reported.profile}/plans`, body);
    this.plans.push({ id: plan.id, seed, body, samples: plan.samples_count });
  }
  keep(run, about) {
    this.history.note('run', { id: run.id, jobs: run.jobs, who: this.name, ...about });
    this.open.push(run);
    if (this.open.length > 12) this.open.shift();
  }
  async run() {
    if (!this.plans.length) return;
    const p = one(this.next, this.plans.slice(-6));
    const run = await this.make(`/plans/${p.id}/runs`, { engine: 'replay', designs: [], priority: Math.floor(3 * this.next()) });
    this.keep(run, { plan: p.id, seed: p.seed, body: p.body, expected: p.samples });
  }
  async cycle() {
    if (!this.shared.cycle) return;
    const { plan, samples } = this.shared.cycle, designs = [...this.shared.designs].sort(() => this.next() - 0.5).slice(0, 2);
    const run = await this.shared.cycle.asker.make(`/plans/${plan}/runs`, { engine: 'cycle', designs });
    this.history.note('run', { id: run.id, jobs: run.jobs, who: this.shared.cycle.asker.name, plan, designs, expected: 2 * samples });
  }
  async cancel() {
    if (!this.open.length || this.next() < 0.5) return;
    const run = one(this.next, this.open), r = await this.ask('POST', `/runs/${run.id}/cancel`, {}, randomUUID());
    if (r.status === 200) this.history.note('cancelled', { id: run.id });
    else if (r.status !== 409) this.history.finding(`a cancel was answered ${r.status}: ${r.text}`);
  }
  async pause() {
    if (!this.open.length) return;
    const run = one(this.next, this.open);
    await this.ask('POST', `/runs/${run.id}/pause`);
    await sleep(between(this.next, 100, 1500));
    await this.ask('POST', `/runs/${run.id}/resume`);
  }
  /** Tokens are created without an Idempotency-Key. Each existing token must be in the audit log, acknowledged or not. */
  async credential() {
    const made = await this.must('POST', '/tokens', { name: `t${Math.floor(1e6 * this.next())}`, scopes: ['read'] });
    this.history.note('token', { id: made.id });
    if (this.next() < 0.5) {
      const r = await this.ask('DELETE', `/tokens/${made.id}`);
      if (r.status < 300 || r.status === 404) this.history.note('token removed', { id: made.id }); // 404: the first try has removed it
    }
  }
  async look() {
    const list = await this.must('GET', '/runs?limit=5');
    for (const r of list.items.slice(0, 2)) await this.must('GET', `/runs/${r.id}`);
  }
}

/** The askers and clients of `teams` teams. */
export function clients({ teams, each, urls, history, seed, shared }) {
  return teams.flatMap((team, t) => Array.from({ length: each }, (_, c) => {
    const next = numbers(seed * 1000 + t * 10 + c);
    return new Client({ name: `${team.name}-${c}`, urls, token: team.token, history, next }, shared);
  }));
}
