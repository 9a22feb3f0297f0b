// tests/api/cluster_pair.mjs: two PostgreSQL clusters over TCP, one a synchronous replica of the other, and a fail-over to it.
// The lost cluster is created again as a replica of the promoted one.
//
//   const pair = await startPair(folder, programs);
//   pair.port            // of the primary         pair.slots   // [{ port, data }], by place
//   await pair.failOver({ stopFirst_ms });         // answers when the replica is the primary
//   await pair.replicate();                        // the other place is a replica again
//   await pair.stop();
import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Database, freePort } from './tcp_database.mjs';

const run = promisify(execFile);

class Pair extends Database {
  adminOf(port) {
    return this.admin.replace(`:${this.slots[0].first}/`, `:${port}/`);
  }

  async startPair() {
    await this.start();
    this.slots = [{ port: this.port, first: this.port, data: join(this.folder, 'data') }, { port: 0, data: '' }];
    this.primary = 0;
    this.copies = 0;
    await this.replicate();
    return this;
  }

  /** Processes of the cluster on this port, its own first. */
  family(slot) {
    const postmaster = Number(readFileSync(join(slot.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return [postmaster, ...readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)];
  }

  postmaster() {
    return this.family(this.slots[this.primary])[0];
  }

  async restartPooler() {
    await this.runPooler();
    this.pooler.process = this.processes[0];
  }

  signalAll(slot, name) {
    for (const pid of this.family(slot)) try { process.kill(pid, name); } catch { /* the process has ended */ }
  }

  /** Makes the place that is not the primary a synchronous replica. */
  async replicate() {
    const at = 1 - this.primary, slot = this.slots[at], port = await freePort(), admin = this.adminOf(this.port);
    const data = join(this.folder, `copy-${++this.copies}`);
    await run(join(this.programs, 'pg_basebackup'), ['-d', admin, '-D', data, '-R', '-X', 'stream', '-c', 'fast'], { ...this.options, stdio: undefined });
    await this.startCluster(data, port, () => { if (this.psql(this.adminOf(port), 'SELECT pg_is_in_recovery()') !== 't') throw new Error('it is not a replica'); });
    if (slot.data) rmSync(slot.data, { recursive: true, force: true });
    Object.assign(slot, { port, data });
    this.psql(admin, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    this.psql(admin, 'SELECT pg_reload_conf()');
    while (this.psql(admin, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'") !== '1') await sleep(50);
    return at;
  }

  /** The primary is lost, at once or after it was frozen for a while, and the replica becomes the primary. */
  async failOver({ frozen_ms = 0 } = {}) {
    const old = this.slots[this.primary];
    if (frozen_ms) {
      this.signalAll(old, 'SIGSTOP');
      await sleep(frozen_ms);
    }
    this.signalAll(old, 'SIGKILL'); // fenced: it must not answer any client
    this.primary = 1 - this.primary;
    this.port = this.slots[this.primary].port;
    const admin = this.adminOf(this.port);
    this.psql(admin, 'SELECT pg_promote()');
    this.psql(admin, 'ALTER SYSTEM RESET synchronous_standby_names');
    this.psql(admin, 'SELECT pg_reload_conf()');
  }
}

export async function startPair(folder, programs) {
  const pair = new Pair(folder, programs);
  try {
    return await pair.startPair();
  } catch (error) {
    await pair.stop();
    throw error;
  }
}
