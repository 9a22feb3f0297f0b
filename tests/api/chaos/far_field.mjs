// tests/api/chaos/far_field.mjs: the farm of a chaos run whose parts are on several machines: three servers, a pair of PostgreSQL
// clusters over TCP with TLS and passwords that fail over, PgBouncer, a bucket. The first server knows both clusters by their
// addresses; the others connect through PgBouncer, which follows the primary. The third one's clock can be moved. Each server has its
// own connection to the database, which can be interrupted separately.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPair } from '../cluster_pair.mjs';
import { makeClock } from '../clock_hook.mjs';
import { postgresPrograms, program, startFarm } from '../harness.mjs';
import { Kept, address, team } from './farm.mjs';
import { nextVersion } from './next_build.mjs';
import { startProxy } from './proxy.mjs';
import { startS3Process } from './s3_process.mjs';

const POOL = 12;
const local = (port) => ({ host: '127.0.0.1', port });

/** A copy of the simulator, which is replaced by another version during the run. */
function makeSimulator(folder) {
  const path = join(folder, 'vivace-sim'), next = join(folder, 'vivace-sim.next');
  copyFileSync(program('vivace-sim'), path);
  return {
    path,
    upgrade() {
      const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().split(' ')[1];
      writeFileSync(next, nextVersion(readFileSync(path), version), { mode: 0o755 });
      renameSync(next, path);
    },
  };
}

/** The result of startField() of farm.mjs, and { pair, s3, storeProxy, clock, simulator, databaseLinks, primaryMoved() }; a link is the
 * proxies between one server and the database. */
export async function startFarField({ folder, seed, history, teams, deadAfter_s }) {
  const begun = [];
  const stop = async () => { for (const end of begun.reverse()) await end().catch((e) => history.note('stopping', { why: String(e) })); };
  const proxy = async (port) => {
    const p = await startProxy({ listen: local(0), target: local(port), seed: seed + begun.length });
    begun.push(() => p.stop());
    return p;
  };
  try {
    const pair = await startPair(join(folder, 'database'), postgresPrograms());
    begun.push(() => pair.stop());
    const places = [await proxy(pair.slots[0].port), await proxy(pair.slots[1].port)], primary = await proxy(pair.port);
    await pair.startPooler(primary.port, POOL);
    const pooled = [await proxy(pair.pooler.port), await proxy(pair.pooler.port)];
    const primaryMoved = () => {
      places.forEach((p, i) => p.move(local(pair.slots[i].port)));
      primary.move(local(pair.port));
    };

    const s3 = await startS3Process();
    begun.push(() => s3.stop());
    const storeProxy = await proxy(s3.port), clock = makeClock(folder, 'third'), simulator = makeSimulator(folder);
    const direct = pair.address(primary.port), store = ['--blob-store', `s3://${s3.account.bucket}/farm`, '--s3-endpoint', `http://127.0.0.1:${storeProxy.port}`,
      '--s3-region', s3.account.region, '--test-s3-wait', '2s'];
    const both = direct.replace(`localhost:${primary.port}`, places.map((p) => `localhost:${p.port}`).join(','));
    const ways = [['--database', both], ...pooled.map((p) => ['--database', pair.address(p.port), '--database-direct', direct])];
    const env = { AWS_ACCESS_KEY_ID: s3.account.access, AWS_SECRET_ACCESS_KEY: s3.account.secret };
    const servers = [], webProxies = [];
    let token;
    for (const [i, way] of ways.entries()) {
      const farm = await startFarm({ database: direct, token, env: { ...env, ...(i === 2 && clock ? clock.env : {}) },
        args: [...way, ...store, '--test-heartbeat', '1s', '--test-dead-after', `${deadAfter_s}s`, '--test-vivace-sim', simulator.path] });
      begun.push(() => farm.stop());
      token = farm.token;
      servers.push(new Kept(farm, ['first', 'second', 'third'][i], history));
      webProxies.push(await proxy(address(farm).port));
    }
    for (const s of servers) begun.push(() => s.stop());
    const [{ farm }] = servers, list = await Promise.all(teams.map((name) => team(farm, name)));
    return { farm, servers, webProxies, databaseProxies: [...places, primary, ...pooled], databaseLinks: [places, [pooled[0]], [pooled[1]]], pair, s3, storeProxy, clock,
      simulator, primaryMoved, teams: list, urls: webProxies.map((p) => `http://127.0.0.1:${p.port}`), disk: null, stop,
      place: ['--state', farm.state, '--database', direct, ...store], workerArgs: ['--vivace-sim', simulator.path] };
  } catch (e) {
    await stop();
    throw e;
  }
}
