// A farm at 0541_task, the last schema before the baseline: farm_0541.sql. The server upgrades it to the schema of a new farm, keeps
// every row and continues its runs. It refuses other schemas, older and newer ones.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresBin } from './backup_text.mjs';
import { program, root, startFarm, until } from './harness.mjs';
import { ScriptedWorker, sha256 } from './scripted_worker.mjs';

// The content of farm_0541.sql: secrets of its tokens and of a frozen link, and runs: ended, ended by its stopping rule, paused
// with a lease.
const TOKEN = 'vvc_JAT6GtU16Wgf_DF3NDQDc5WLMQjtieldYUxtmlAEXv03P9xvU', WORKER_TOKEN = 'vvc_ocQmJRTWVdnN-XAq_x6iRCEqD5z6-dzUu7lp-TQQDt83NxyQ2';
const FROZEN = '/s/zGxQ5kusT1ndcIgjDDJfoA';
const DONE = '01a221a2-d929-7370-bfad-93b52a33cedc', DECIDED = '01a221a2-dda5-7725-8b92-b2475331b733', WAITING = '01a221a3-04c3-72c7-a474-478eac26321b';

let farm, url; // a new farm, and the address of its database
const urlOf = (name) => url.replace(/dbname=\S+/, `dbname=${name}`);
const psqlAt = (address, sql, ...args) => execFileSync('psql', [address, '-XAtq', '-v', 'ON_ERROR_STOP=1', ...args],
  { encoding: 'utf8', input: sql, maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'inherit'], ...farm.asOwner() }).trim();
const psql = (name, sql, ...args) => psqlAt(urlOf(name), sql, ...args);
const text = (path) => readFileSync(join(root, path), 'utf8');
const copyOf = (name, from = 'former') => { psqlAt(url, `CREATE DATABASE ${name} TEMPLATE ${from}`); return name; };

const serve = (name, options = {}) => startFarm({ ...options, token: TOKEN,
  args: ['--database', urlOf(name), '--blob-store', farm.state, '--blob-store-shared'] });

const tablesOf = (name) => psql(name, "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname COLLATE \"C\"").split('\n');
/** All rows of each table, sorted. */
const rowsOf = (name) => new Map(tablesOf(name).map((table) => [table, psql(name, `SELECT to_jsonb(t) FROM "${table}" t ORDER BY to_jsonb(t)::text COLLATE "C"`).split('\n').filter(Boolean)]));

/** A stored answer in the words of the API now: a kernel launch was called an invocation. */
const WORDS = { invocation: 'launch', invocations: 'launches', zero_invocations: 'zero_launches' };
const inWords = (v) => (Array.isArray(v) ? v.map(inWords)
  : v && typeof v === 'object' ? Object.fromEntries(Object.entries(v).map(([key, x]) => [WORDS[key] ?? key, inWords(x)])) : v);
/** Rows whose stored answers the upgrade renames, with these as objects. */
const CHANGED = new Map([['import', (row) => ({ ...row, report: inWords(row.report) })],
  ['share_document', (row) => ({ ...row, body: inWords(JSON.parse(row.body)) })]]);
const asStored = new Map([['import', (row) => row], ['share_document', (row) => ({ ...row, body: JSON.parse(row.body) })]]);
const byKey = (rows) => new Map(rows.map((row) => [row.id ?? `${row.share_id} ${row.address}`, row]));

/** Tables and columns that the upgrade renames: former name, present one. */
const TABLES = { cache_wish: 'cache_check_request', run_passed_over: 'skipped_sample' };
const COLUMNS = { idempotent_request: { made: 'created_id' }, run: { half_said: 'half_notified', promise_said: 'promise_notified', strata_said: 'strata_notified' } };
/** Rows with present names and their columns in one order. */
const renamed = (table, rows) => rows.map((row) => JSON.stringify(Object.entries(JSON.parse(row)).map(([key, x]) => [COLUMNS[table]?.[key] ?? key, x]).sort())).sort();

/** One line for each object of the schema: tables, columns in their order, constraints, indexes, triggers, functions, views, types,
 * sequences, comments, privileges. */
const catalogue = (name) => psql(name, `
  SELECT concat_ws(' ', 'relation', relname, relkind, relpersistence, relrowsecurity, array_to_string(reloptions, ','), array_to_string(relacl, ','))
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'S', 'm', 'p')
  UNION ALL
  SELECT concat_ws(' ', 'column', c.relname, row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum), a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
         pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated, a.attstorage, array_to_string(a.attacl, ','))
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v')
  UNION ALL
  SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL
  SELECT concat_ws(' ', 'index', pg_get_indexdef(indexrelid)) FROM pg_index JOIN pg_class ON oid = indexrelid WHERE relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(oid), tgenabled) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL
  SELECT concat_ws(' ', 'function', pg_get_functiondef(oid), array_to_string(proacl, ',')) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL
  SELECT concat_ws(' ', 'view', relname, pg_get_viewdef(oid)) FROM pg_class WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT concat_ws(' ', 'type', typname, string_agg(enumlabel, ',' ORDER BY enumsortorder))
    FROM pg_type t JOIN pg_enum ON enumtypid = t.oid WHERE typnamespace = 'public'::regnamespace GROUP BY typname
  UNION ALL
  SELECT concat_ws(' ', 'sequence', sequencename, data_type, start_value, min_value, max_value, increment_by, cycle, cache_size) FROM pg_sequences WHERE schemaname = 'public'
  UNION ALL
  SELECT concat_ws(' ', 'comment', pg_describe_object(classoid, objoid, objsubid), description) FROM pg_description WHERE objoid >= 16384
  ORDER BY 1`);
const files = (name) => psql(name, 'SELECT name, requires, checksum FROM schema_patch ORDER BY name');

before(async () => {
  farm = await startFarm({ privateDatabase: true });
  url = farm.databaseUrl();
  // the server refuses a database with stored files if the store is empty, so one of the files is created
  await farm.api('PUT', `/blobs/${sha256('any')}`, Buffer.from('any'), { 'Content-Type': 'application/octet-stream' });
  psqlAt(url, 'CREATE DATABASE former');
  psql('former', text('tests/api/farm_0541.sql'), '-o', '/dev/null');
});
after(() => farm?.stop());

test('the upgrade keeps every row of every table', () => {
  const had = rowsOf('former');
  for (const [table, rows] of had) assert.notEqual(rows.length, 0, `the dump has rows in ${table}`);
  psql(copyOf('rows'), text('schema/upgrade_from_0541.sql'), '-1');
  const has = rowsOf('rows');
  assert.deepEqual(has.get('schema_patch'), [], 'the server registers the files');
  for (const [table, rows] of had) {
    const now = has.get(TABLES[table] ?? table);
    if (COLUMNS[table]) assert.deepEqual(renamed(table, now), renamed(table, rows), table);
    else if (table !== 'schema_patch' && !CHANGED.has(table)) assert.deepEqual(now, rows, table);
  }
  for (const [table, change] of CHANGED) {
    const was = had.get(table).map((row) => JSON.parse(row)), now = has.get(table).map((row) => JSON.parse(row));
    assert.deepEqual(byKey(now.map(asStored.get(table))), byKey(was.map(change)), table);
    assert.ok(had.get(table).some((row) => row.includes('invocation')) && !has.get(table).some((row) => row.includes('invocation')), table);
  }
  assert.equal(has.size, had.size);
});

test('a new schema has the rows that the server requires, and no others', () => {
  psqlAt(url, 'CREATE DATABASE empty TEMPLATE template0');
  psql('empty', readdirSync(join(root, 'schema')).filter((f) => /^\d{4}_.*\.sql$/.test(f)).sort().map((f) => text(`schema/${f}`)).join('\n'), '-1');
  const rows = Object.fromEntries([...rowsOf('empty')].map(([table, of]) => [table, of.length]).filter(([table, n]) => n > 0 && table !== 'schema_patch'));
  assert.deepEqual(rows, { activity_rolled: 1, farm: 1, farm_secret: 1, team: 1, team_storage: 1 });
});

test('two servers that start at the same time upgrade to the schema of a new farm, and its runs continue', { timeout: 300000 }, async () => {
  const name = copyOf('served'), servers = await Promise.allSettled([serve(name), serve(name)]);
  try {
    assert.deepEqual(servers.map((s) => s.reason), [undefined, undefined]);
    const [server, other] = servers.map((s) => s.value);
    assert.equal((server.log() + other.log()).match(/the schema was upgraded/g).length, 1);
    assert.equal(catalogue(name), catalogue(/dbname=(\S+)/.exec(url)[1]));
    assert.equal(files(name), psqlAt(url, 'SELECT name, requires, checksum FROM schema_patch ORDER BY name'));

    for (const id of [DONE, DECIDED]) {
      const run = await server.api('GET', `/runs/${id}`);
      assert.equal(run.state, 'done');
      assert.deepEqual(run.designs.map((d) => d.projection.value), psql('former', `SELECT value FROM projection WHERE run_id = '${id}' ORDER BY design`).split('\n').map(Number));
      assert.deepEqual((await server.api('GET', `/runs/${id}/events`)).items.map((e) => e.kind).sort(),
        psql('former', `SELECT kind FROM event WHERE topic = 'run:${id}' AND severity IS NOT NULL`).split('\n').sort());
    }
    const shared = await fetch(`${server.url}${FROZEN}/api/v1/runs/${DONE}`);
    assert.equal((await shared.json()).id, DONE);

    assert.equal(psql('former', `SELECT count(*) FROM job WHERE run_id = '${WAITING}' AND state = 'leased'`), '3');
    psql(name, "UPDATE worker_session SET state = 'dead' WHERE state = 'alive'"); // the worker with these leases
    await server.api('POST', `/runs/${WAITING}/resume`);
    const state = join(farm.folder, 'served');
    mkdirSync(state);
    writeFileSync(join(state, 'worker-token'), WORKER_TOKEN);
    const worker = await new ScriptedWorker({ api: server.api.bind(server), state }).openAlive();
    const ended = await until('the run to end', async () => {
      await worker.drain();
      const run = await server.api('GET', `/runs/${WAITING}`);
      return run.state === 'done' && run;
    });
    worker.fallSilent();
    assert.equal(psql(name, `SELECT count(*) FROM job WHERE run_id = '${WAITING}' AND state = 'done' AND result_id IS NOT NULL`), String(ended.jobs));
  } finally {
    for (const s of servers) await s.value?.stop();
  }
});

const REFUSED = [
  ['an older schema', "DELETE FROM schema_patch WHERE name = '0541_task'", /the database has a schema from before the baseline that is not 0541_task[^]*First start vivace-server of commit 5fbba45b on it/],
  ['a file that was changed', "UPDATE schema_patch SET checksum = md5(name) WHERE name = '0440_run_slices'", /a schema from before the baseline that is not 0541_task/],
];
REFUSED.forEach(([what, change, sentence], i) => {
  test(`${what} is refused with a message, and does not change`, async () => {
    const name = copyOf(`refused_${i}`);
    psql(name, change);
    const had = catalogue(name) + files(name);
    await assert.rejects(serve(name), sentence);
    const checked = spawnSync(program('vivace'), ['admin', 'check', '--database', urlOf(name), '--state', farm.state], { encoding: 'utf8', cwd: farm.folder });
    assert.match(checked.stdout + checked.stderr, sentence);
    assert.equal(catalogue(name) + files(name), had);
  });
});

test('a schema of a newer server is refused', async () => {
  await until('the servers to disconnect from the database', () => psqlAt(url, "SELECT count(*) FROM pg_stat_activity WHERE datname = 'served'") === '0');
  const name = copyOf('newer', 'served');
  psql(name, "INSERT INTO schema_patch VALUES ('9999_later', '0012_operation', 'x')");
  await assert.rejects(serve(name), /the schema file 9999_later, which this program does not know/);
});

test('a backup of that schema is restored and upgraded; one of an older schema is refused', { timeout: 600000 }, async () => {
  const at = (name) => join(farm.folder, name), admin = (...words) => spawnSync(program('vivace'), ['admin', ...words], { encoding: 'utf8', cwd: farm.folder });
  const own = at('own.backup'), parts = at('parts'), names = psql('former', 'SELECT name FROM schema_patch ORDER BY name').split('\n');
  assert.equal(admin('backup', own, ...farm.place()).status, 0);
  mkdirSync(parts);
  execFileSync('tar', ['--zstd', '-xf', own, '-C', parts]);
  const manifest = JSON.parse(readFileSync(join(parts, 'manifest.json'), 'utf8'));
  writeFileSync(join(parts, 'database.dump'), execFileSync(join(postgresBin(), 'pg_dump'), ['-Fc', urlOf('former')], { maxBuffer: 1 << 28, ...farm.asOwner() }));
  const backup = (name, schema) => {
    writeFileSync(join(parts, 'manifest.json'), JSON.stringify({ ...manifest, schema }));
    execFileSync('tar', ['--zstd', '-cf', at(name), '-C', parts, 'manifest.json', 'database.dump', 'blobs.tsv', 'complete']);
    return at(name);
  };
  const refused = admin('restore', backup('older.backup', names.slice(0, -1)), '--state', at('older'));
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, /the backup has a schema from before the baseline that is not 0541_task/);
  const restored = admin('restore', backup('former.backup', names), '--state', at('restored'));
  assert.equal(restored.status, 0, restored.stderr);
  const server = await startFarm({ privateDatabase: true, state: at('restored'), token: TOKEN, args: ['--blob-store', farm.state, '--blob-store-shared'] });
  try {
    assert.equal((await server.api('GET', `/runs/${DONE}`)).state, 'done');
  } finally {
    await server.stop();
  }
});
