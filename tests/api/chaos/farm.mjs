// tests/api/chaos/farm.mjs: the farm of a chaos run: two servers on one database, the second behind a proxy of its own, each
// started again when it ends, as systemd would; teams with tokens; a disk small enough to be filled.
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFarm } from '../harness.mjs';
import { startProxy } from './proxy.mjs';

/** The exit code of a server that stops because a newer one has upgraded the database. */
const OUTDATED = 65;

/** A server that is restarted whenever it ends. */
export class Kept {
  constructor(farm, name, history) {
    Object.assign(this, { farm, name, history, stopping: false, starts: 0, failed: 0 });
    this.kept = this.keep();
  }
  pid() {
    const s = this.farm.server;
    return s.exitCode === null && s.signalCode === null ? s.pid : 0;
  }
  signal(name) {
    return this.pid() && this.farm.server.kill(name);
  }
  outdated() {
    return readFileSync(this.farm.logs.at(-1), 'utf8').includes('a newer server has upgraded the database: this server stops using it');
  }
  async keep() {
    while (!this.stopping) {
      const { code, signal } = await this.farm.exited;
      if (this.stopping) return;
      if (code === OUTDATED && this.outdated()) this.history.note('outdated', { server: this.name });
      else if (signal !== 'SIGKILL') this.history.finding(`the server ${this.name} ended unexpectedly: code ${code}, signal ${signal}`);
      for (let up = false; !up && !this.stopping; await sleep(200)) {
        this.starts++;
        up = await this.farm.start().then(() => true, (e) => {
          this.failed++;
          this.history.note('start failed', { server: this.name, why: String(e.message).slice(0, 600) });
          return false;
        });
      }
    }
  }
  /** Stops it permanently. It may be starting at this moment. */
  async stop() {
    this.stopping = true;
    this.signal('SIGTERM');
    await this.kept;
  }
}

/** A small separate file system; null with the reason if none can be mounted. */
function smallDisk(mebibytes) {
  if (process.getuid() !== 0) return { disk: null, why: 'a small file system needs root to mount' };
  const disk = mkdtempSync(join(tmpdir(), 'vivace-chaos-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=755`, 'tmpfs', disk]).status === 0) return { disk };
  rmSync(disk, { recursive: true });
  return { disk: null, why: 'tmpfs cannot be mounted here' };
}

/** Creates a token of the team, as an owner who logs in. */
export async function team(farm, name) {
  await farm.api('POST', '/teams', { team: name });
  const password = `the password of ${name}`;
  await farm.api('POST', `/teams/${name}/members`, { user: name, password, role: 'owner' });
  const r = await farm.request('POST', '/session', { user: name, password, team: name }, { Authorization: null });
  const headers = { Authorization: null, Cookie: r.headers.get('set-cookie').split(';')[0], 'X-Vivace-Request': '1' };
  const made = await farm.api('POST', '/tokens', { name, scopes: ['read', 'write', 'admin'], for: 'team' }, headers);
  return { name, token: made.token };
}

export const address = (farm) => ({ host: '127.0.0.1', port: Number(farm.listen.split(':')[1]) });

/** { farm, servers: [Kept], webProxies, databaseProxies, urls, teams, disk, diskWhy, place, stop() } */
export async function startField({ seed, history, teams, deadAfter_s, diskMebibytes }) {
  const { disk, why } = smallDisk(diskMebibytes), args = ['--test-heartbeat', '1s', '--test-dead-after', `${deadAfter_s}s`];
  const begun = [];
  const stop = async () => {
    for (const end of begun.reverse()) await end().catch((e) => history.note('stopping', { why: String(e) }));
    if (disk) spawnSync('umount', ['-l', disk]);
    if (disk) rmSync(disk, { recursive: true, force: true });
  };
  try {
    const farm = await startFarm({ args, ...(disk ? { state: join(disk, 'state') } : {}) });
    begun.push(() => farm.stop());
    // so that the log of a long run fits on the small disk
    farm.psql("ALTER SYSTEM SET max_wal_size = '96MB'; ALTER SYSTEM SET min_wal_size = '32MB'; SELECT pg_reload_conf()");
    const list = await Promise.all(teams.map((name) => team(farm, name)));

    const url = Object.fromEntries(farm.databaseUrl().split(' ').map((pair) => pair.split('='))), as = farm.asOwner();
    const socket = join(farm.folder, 'between'), file = `.s.PGSQL.${url.port}`;
    mkdirSync(socket);
    if (as.uid !== undefined) chownSync(socket, as.uid, as.gid);
    const databaseProxy = await startProxy({ listen: { path: join(socket, file) }, target: { path: join(url.host, file) }, seed, as });
    begun.push(() => databaseProxy.stop());
    const database = `host=${socket} port=${url.port} dbname=${url.dbname} user=${url.user}`;
    const second = await startFarm({ args: [...args, '--database', database, '--blob-store', farm.state, '--blob-store-shared'], token: farm.token });
    begun.push(() => second.stop());

    const webProxies = [];
    for (const f of [farm, second]) {
      const p = await startProxy({ listen: { host: '127.0.0.1', port: 0 }, target: address(f), seed: seed + 1 + webProxies.length });
      webProxies.push(p);
      begun.push(() => p.stop());
    }
    const servers = [new Kept(farm, 'first', history), new Kept(second, 'second', history)];
    for (const s of servers) begun.push(() => s.stop());
    return { farm, servers, webProxies, databaseProxies: [databaseProxy], place: ['--state', farm.state], teams: list, urls: webProxies.map((p) => `http://127.0.0.1:${p.port}`), disk, diskWhy: why, stop };
  } catch (e) {
    await stop();
    throw e;
  }
}
