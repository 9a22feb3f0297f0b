// tests/api/chaos/workers.mjs: the workers of a chaos run: real ones, whose state folder is kept, so that the next worker
// delivers the spool; and scripted ones, which report twice, report late, and record which reports were accepted.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { program } from '../harness.mjs';
import { between } from '../seeded.mjs';
import { ScriptedWorker, ended, good } from '../scripted_worker.mjs';

export class RealWorker {
  constructor({ folder, number, urls, tokenFile, history, more = [] }) {
    Object.assign(this, { number, history, stopping: false });
    this.state = join(folder, `worker-${number}`);
    this.log = join(folder, `worker-${number}.log`);
    this.args = ['--server', urls.join(','), '--token-file', tokenFile, '--state', this.state, '--slots', '1', '--name', `w${number}`, '--log-level', 'debug', ...more];
    this.start();
  }
  start() {
    const log = openSync(this.log, 'a');
    const child = spawn(program('vivace-worker'), this.args, { stdio: ['ignore', log, log] });
    closeSync(log);
    this.child = child;
    this.ended = new Promise((done) => child.on('exit', (code, signal) => {
      if (this.stopping) return done();
      if (signal !== 'SIGKILL') this.history.finding(`worker ${this.number} ended unexpectedly: code ${code}, signal ${signal}`);
      setTimeout(() => { if (!this.stopping) this.start(); }, 200); // restarts like systemd
      return done();
    }));
  }
  signal(name) {
    this.child.kill(name);
  }
  async stop() {
    this.stopping = true;
    this.child.kill('SIGKILL');
    await this.ended;
  }
  /** Attempts whose result the farm has accepted, from the worker's log. `late`: the result counts, but its lease had expired. */
  taken() {
    return [...readFileSync(this.log, 'utf8').matchAll(/the server accepted an outcome.* job=(\S+) attempt=(\d+) outcome=ok why="(.*)"/g)]
      .map(([, job, attempt, why]) => ({ job, attempt: Number(attempt), late: why !== '' }));
  }
}

/** A worker that behaves as a good one over a bad network. `asker` repeats requests until they are answered. */
export class AwkwardWorker {
  constructor({ farm, asker, name, deadAfter_s }) {
    Object.assign(this, { asker, deadAfter_s, next: asker.next, history: asker.history });
    const api = async (method, path, body) => {
      const r = await asker.ask(method, path, body);
      if (r.status >= 300) throw Object.assign(new Error(`${path}: ${r.status} ${r.text}`), { status: r.status });
      return r.json;
    };
    this.script = new ScriptedWorker({ state: farm.state, api }, { name, slots: 8, engines: ['replay'] });
  }
  async report(leases, outcome) {
    const items = await this.script.complete(leases.map((l) => (outcome ? ended(l, outcome) : good(l))));
    if (outcome) return;
    for (const i of items) if (i.accepted && !i.reason) this.history.note('result', { job: i.job, attempt: i.attempt });
  }
  async turn() {
    const leases = await this.script.claim(4, 2);
    if (!leases.length) return void await this.script.beat([]);
    const random = this.next();
    if (random < 0.1) return void this.report(leases, 'released');
    if (random < 0.2) await sleep(1000 * between(this.next, 0.5, 1.5) * this.deadAfter_s); // late: another worker may have the leases
    if (random < 0.25) return; // the worker loses its leases, and the farm must detect this
    await this.report(leases);
    if (random > 0.8) await this.report(leases); // once more
    await this.script.beat([]);
  }
  async work(going) {
    while (going()) {
      try {
        if (!this.script.session) await this.script.open();
        await this.turn();
      } catch (e) {
        if (e.status === 404 || e.status === 410) this.script.session = null;
        else this.history.finding(`an awkward worker: ${e.stack}`);
      }
      await sleep(between(this.next, 20, 200));
    }
  }
}
