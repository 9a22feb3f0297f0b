// A newer server upgrades the database of servers that run. The older ones answer 503, never 500 and nothing wrong, end by
// themselves with a reason, and do not start again on that schema. Workers continue with the newer server; nothing is lost.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { nextBuild } from './chaos/next_build.mjs';
import { startFarm, startFrom, until } from './harness.mjs';
import { replayRun } from './work.mjs';

const NEWER = /the database has the schema file (9000_next_release|9999_later), which this program does not know/;
const EXIT_BAD_INPUT = 65;
/** How a server has ended. */
const end = async (farm) => { await until('the server to end', () => farm.server.exitCode !== null || farm.server.signalCode !== null); return farm.exited; };

let home; // whose private cluster has the databases; its own database stays as it is
before(async () => { home = await startFarm({ privateDatabase: true }); });
after(() => home?.stop());

const MAKE = 'CREATE DATABASE';
let databases = 0;
/** Two servers on a new database of one folder of stored files. */
async function pair(more = []) {
  const name = `farm_${databases++}`, database = home.databaseUrl().replace(/dbname=\S+/, `dbname=${name}`);
  home.psql(`${MAKE} ${name}`);
  const args = ['--database', database, ...more], first = await startFarm({ database, args });
  const second = await startFarm({ database, token: first.token, args: [...args, '--blob-store', first.state, '--blob-store-shared'] });
  return { database, first, second };
}
const newer = (first, database) => startFarm({ database, token: first.token, args: ['--database', database, '--blob-store', first.state, '--blob-store-shared'] });
const register = "INSERT INTO schema_patch VALUES ('9999_later', '0012_operation', 'x')";

test('servers beside a newer one end by themselves, and refuse to start again; the worker and the run continue', { timeout: 300000 }, async () => {
  const { database, first, second } = await pair();
  let third;
  try {
    const run = await replayRun(first, 2), worker = first.startWorker(['--server', `${first.url},${second.url}`]);
    const failed = [];
    let asking = true;
    const asked = Promise.all([first, second].map(async (s) => {
      while (asking) {
        const r = await s.request('GET', '/runs').catch(() => null); // null: it has ended
        if (r && r.status !== 200) failed.push([r.status, (await r.json()).detail]);
        else await r?.text();
      }
    }));
    startFrom(nextBuild(first.folder));
    third = await newer(first, database);
    startFrom(null);
    for (const old of [first, second]) {
      assert.deepEqual(await end(old), { code: EXIT_BAD_INPUT, signal: null });
      assert.match(old.log(), /a newer server has upgraded the database: this server stops using it/);
      assert.match(old.log(), NEWER);
    }
    asking = false;
    await asked;
    for (const [status, detail] of failed) assert.equal(status, 503, detail);
    await assert.rejects(first.start(), NEWER);

    worker.kill('SIGKILL');
    await worker.ended;
    first.startWorker(['--server', third.url]);
    const ended = await third.finished(run.id);
    assert.equal(ended.state, 'done');
    assert.equal(third.psql(`SELECT count(*) FROM job WHERE run_id = '${run.id}' AND state = 'done' AND result_id IS NOT NULL`), String(run.jobs));
    assert.equal(third.psql("SELECT count(*) FROM attempt WHERE outcome = 'ok'"), String(run.jobs));
  } finally {
    startFrom(null);
    for (const farm of [third, second, first]) await farm?.stop();
  }
});

test('a statement that does not fit the new schema is answered 503, before the notification has come', { timeout: 300000 }, async () => {
  const { first, second } = await pair();
  try {
    first.psql(`BEGIN; ${register}; ALTER TABLE run RENAME COLUMN priority TO urgency; COMMIT`); // sends no notification
    const r = await first.request('GET', '/runs');
    assert.equal(r.status, 503);
    const body = await r.json();
    assert.match(body.detail, NEWER);
    assert.match(body.detail, /9999_later/);
    assert.ok(Number(r.headers.get('retry-after')) > 0);
    assert.deepEqual(await end(first), { code: EXIT_BAD_INPUT, signal: null });
    assert.equal(second.server.exitCode, null, 'the second server has not asked yet');
    first.psql('NOTIFY vivace_schema');
    assert.deepEqual(await end(second), { code: EXIT_BAD_INPUT, signal: null });
    assert.doesNotMatch(first.log() + second.log(), /a statement failed/);
  } finally {
    await second.stop();
    await first.stop();
  }
});

test('a transaction that was open before the upgrade is not committed after it', { timeout: 300000 }, async () => {
  const { first, second } = await pair();
  try {
    // the request's transaction waits for this lock; meanwhile the schema changes
    first.psql(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2); RETURN NEW; END $$;
      CREATE TRIGGER slow BEFORE INSERT ON token FOR EACH ROW EXECUTE FUNCTION slow()`);
    const asked = first.request('POST', '/tokens', { name: 'half', scopes: ['read'] });
    await until('the request to wait', () => first.psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") === '1');
    first.psql(`BEGIN; ${register}; NOTIFY vivace_schema; COMMIT`);
    const r = await asked;
    assert.equal(r.status, 503, await r.text());
    assert.equal(first.psql("SELECT count(*) FROM token WHERE name = 'half'"), '0');
    assert.equal((await end(first)).code, EXIT_BAD_INPUT);
    await end(second);
  } finally {
    await second.stop();
    await first.stop();
  }
});

test('a defect in a statement is still a 500, and the server continues', { timeout: 300000 }, async () => {
  const { first, second } = await pair();
  try {
    first.psql('ALTER TABLE run RENAME COLUMN priority TO urgency');
    assert.equal((await first.request('GET', '/runs')).status, 500);
    first.psql('ALTER TABLE run RENAME COLUMN urgency TO priority');
    assert.equal((await first.request('GET', '/runs')).status, 200);
    assert.match(first.log(), /a statement failed/);
  } finally {
    await second.stop();
    await first.stop();
  }
});
