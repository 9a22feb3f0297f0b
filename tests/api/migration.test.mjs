// A database that an older server filled: the schema as it was up to some file, with the rows of a farm at work in it. The
// present server takes it forward, loses and changes nothing of what was there, and goes on with what had not ended.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, startFarm, until } from './harness.mjs';
import { ScriptedWorker } from './scripted_worker.mjs';
import { replayRun } from './work.mjs';

let farm, done, decided, waiting, frozen, hidden;
const files = readdirSync(join(root, 'schema')).filter((f) => f.endsWith('.sql')).sort();
let url; // of the farm's own database; asked for once
const current = () => /dbname=(\S+)/.exec(url)[1];
const urlOf = (name) => url.replace(/dbname=\S+/, `dbname=${name}`);
/** psql in one database of the farm's own PostgreSQL. */
const psql = (name, sql) => execFileSync('psql', [urlOf(name), '-XAtq', '-v', 'ON_ERROR_STOP=1'],
  { encoding: 'utf8', input: sql, maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'inherit'], ...farm.asOwner() });
/** What several statements answer, each under its name. */
function answers(name, statements) {
  const text = psql(name, [...statements].map(([table, sql]) => `\\echo @@${table}\n${sql};\n`).join(''));
  return new Map(text.split(/^@@/m).slice(1).map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]));
}

before(async () => {
  farm = await startFarm({ privateDatabase: true, args: ['--test-dead-after', '15min'] }); // its scripted worker does not beat by itself
  url = farm.databaseUrl();
  done = await replayRun(farm, 1);
  decided = await replayRun(farm, 3, { designs: ['v100', 'h100', 'a100'], until: 0.05, resolve: 0.05, baseline: 1 });
  const worker = await new ScriptedWorker(farm).open();
  for (const { id } of [done, decided]) {
    await until('the run to end', async () => {
      await worker.drain(); // extensions of the one with a rule, too
      return (await farm.api('GET', `/runs/${id}`)).state === 'done';
    });
  }
  waiting = await replayRun(farm, 2); // nobody simulates it yet
  await farm.api('POST', `/runs/${waiting.id}/pause`);
  frozen = (await farm.api('POST', '/shares', { kind: 'run', object: done.id, frozen: true })).url;
  hidden = (await farm.api('POST', '/shares', { kind: 'run', object: done.id, frozen: true, hide_names: true })).url;
});
after(() => farm?.stop());

/** Columns of each table that a row may be written to, by table. */
function columns(name) {
  const of = new Map();
  for (const line of psql(name, `SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER' ORDER BY 1, ordinal_position`).trim().split('\n')) {
    const [table, column] = line.split('|');
    of.set(table, [...(of.get(table) ?? []), column]);
  }
  return of;
}

// Not what a farm remembers: who leads, who answers just now, which files were applied; and stamps of the last use.
const PASSING = new Set(['schema_patch', 'leader', 'idempotent_request', 'worker_session', 'session']);
// A migration may have a run projected again: then its versions are higher. 0410 withdraws intervals of makespans.
const STAMPS = new Set(['seen_at', 'last_used_at', 'touched_at', 'updated_at', 'computed_at', 'version', 'projected_version', 'makespan_half_width_s']);

// Before 0530: columns under another name, or as text, made of the present ones.
const WAS = {
  event: { kind: "CASE WHEN severity IS NULL THEN kind ELSE 'run.event' END", data: 'params', sentence: `CASE WHEN severity IS NOT NULL THEN 'It happened: "' || kind || '".' END` },
  share_document: { body: `CASE WHEN address LIKE '%/events' THEN (SELECT json_build_object('items', json_agg(json_build_object('id', i->'id', 'at', i->'at', 'kind', 'run.event',
    'sentence', 'It happened: "' || (i->>'kind') || '".', 'severity', i->'severity')), 'next', body::json->'next')::text FROM json_array_elements(body::json->'items') i) ELSE body END` },
  look: { reason: `'it was decided: "' || decision || '".'` },
};
const CHANGED = { event: ['kind', 'data', 'sentence'], look: ['reason'], share_document: ['body'] };

/** The schema up to one file, in a new database, with the farm's rows as that schema could hold them. */
function older(name, last) {
  const was = last < '0530' ? WAS : {};
  psql(current(), `CREATE DATABASE ${name}`);
  psql(name, files.slice(0, files.findIndex((f) => f.startsWith(last)) + 1).map((f) => {
    const text = readFileSync(join(root, 'schema', f), 'utf8');
    return `SELECT set_config('vivace.migration_checksum', '${createHash('sha256').update(text).digest('hex')}', false) \\g /dev/null\n${text}\n`;
  }).join(''));
  const then = columns(name), now = columns(current()), both = new Map();
  for (const [table, all] of then) {
    const common = all.filter((c) => now.get(table)?.includes(c) || was[table]?.[c]);
    if (common.length > 0 && !PASSING.has(table)) both.set(table, common);
  }
  const quoted = (all) => all.map((c) => `"${c}"`).join(', ');
  const rows = answers(current(), [...both].map(([table, all]) => [table, `COPY (SELECT ${all.map((c) => `${was[table]?.[c] ?? `"${c}"`} AS "${c}"`).join(', ')} FROM "${table}") TO STDOUT`]));
  psql(name, `SET session_replication_role = replica; TRUNCATE ${[...both.keys()].map((t) => `"${t}"`).join(', ')} CASCADE;\n`
    + [...both].map(([table, all]) => `COPY "${table}" (${quoted(all)}) FROM STDIN;\n${rows.get(table)}\\.\n`).join('')
    + `DO $$ DECLARE s record; BEGIN
    FOR s IN SELECT table_name AS t, column_name AS c, pg_get_serial_sequence(quote_ident(table_name), column_name) AS q FROM information_schema.columns
              WHERE table_schema = 'public' AND pg_get_serial_sequence(quote_ident(table_name), column_name) IS NOT NULL LOOP
      EXECUTE format('SELECT setval(%L, coalesce((SELECT max(%I) FROM %I), 0) + 1, false)', s.q, s.c, s.t);
    END LOOP; END $$`);
  return new Map([...both].map(([table, all]) => [table, all.filter((c) => !STAMPS.has(c) && !CHANGED[table]?.includes(c))]));
}

function rowsOf(name, kept) {
  const of = answers(name, [...kept].map(([table, all]) => [table, `SELECT to_jsonb(x) FROM (SELECT ${all.map((c) => `"${c}"`).join(', ')} FROM "${table}") x`]));
  return new Map([...of].map(([table, text]) => [table, text.trim().split('\n').filter(Boolean)]));
}

/** Of one design, without what older schemas do not hold, or what 0410 withdraws: the makespan's interval. */
const known = (design) => ({ ...design, makespan_half_width_s: null, makespan_interval_why_not: null });

for (const last of ['0106', '0112', '0350']) {
  test(`a farm as it was with ${last} is taken forward with all it had`, { timeout: 300000 }, async () => {
    const name = `older_${last}`, kept = older(name, last), had = rowsOf(name, kept);
    assert.ok(had.get('job').length > 20 && had.get('result').length > 10 && had.get('sample').length > 10, `there is something to lose: ${['job', 'result', 'sample'].map((t) => had.get(t).length)}`);
    const server = await startFarm({ args: ['--database', urlOf(name), '--blob-store', farm.state, '--blob-store-shared'], token: farm.token });
    try {
      assert.equal(psql(name, 'SELECT count(*) FROM schema_patch').trim(), String(files.length));
      const has = rowsOf(name, kept);
      for (const [table, rows] of had) {
        const there = new Set(has.get(table)), lost = rows.filter((r) => !there.has(r));
        assert.equal(lost.length, 0, `of ${rows.length} rows of ${table}, the first: ${lost[0]?.slice(-600)}`);
      }
      for (const { id } of last < '0220' ? [done] : [done, decided]) { // rules came with 0220
        const was = await farm.api('GET', `/runs/${id}`);
        const run = await until('its projection', async () => {
          const r = await server.api('GET', `/runs/${id}`);
          return r.answer && r.designs.every((d) => d.projection) && r;
        });
        assert.deepEqual(run.designs.map(known), was.designs.map(known), `run ${id}`);
        assert.deepEqual({ ...run.answer, at: null }, { ...was.answer, at: null }, `run ${id}`);
      }
      const eventsOf = async (f) => (await f.api('GET', `/runs/${done.id}/events`)).items, before = await eventsOf(farm);
      assert.ok(before.some((e) => e.kind === 'run.done'), JSON.stringify(before));
      assert.deepEqual(await eventsOf(server), before.map((e) => {
        const text = `It happened: "${e.kind}".`;
        return { ...e, kind: 'run.text', params: { text }, text };
      }), 'sentences of before are texts');
      if (last >= '0220') { // links came with 0116
        const opened = async (link) => {
          const cookie = (await fetch(server.url + link, { redirect: 'manual' })).headers.get('set-cookie').split(';')[0];
          return (await (await fetch(`${server.url}/api/v1/runs/${done.id}/events`, { headers: { Cookie: cookie } })).json()).items;
        };
        assert.deepEqual((await opened(frozen)).map((e) => [e.id, e.kind, e.text]), before.map((e) => [e.id, 'run.text', `It happened: "${e.kind}".`]));
        for (const e of await opened(hidden)) assert.deepEqual([e.text, e.params.text], Array(2).fill(/^x-[0-9a-f]{10}$/.exec(e.text)?.[0]), 'a text of before may have names');
      }
      if (last >= '0220')
        for (const look of (await server.api('GET', `/runs/${decided.id}`)).looks) assert.equal(look.reason, `it was decided: "${look.decision}".`);
      await server.api('POST', `/runs/${waiting.id}/resume`);
      await (await new ScriptedWorker({ api: server.api.bind(server), state: farm.state }).open()).drain();
      const ended = await until('the run that waited to end', async () => {
        const r = await server.api('GET', `/runs/${waiting.id}`);
        return r.state === 'done' && r;
      });
      assert.equal(psql(name, `SELECT count(*) FROM job WHERE run_id = '${waiting.id}' AND state = 'done' AND result_id IS NOT NULL`).trim(), String(ended.jobs));
      assert.equal((await farm.api('GET', `/runs/${waiting.id}`)).state, 'paused', 'the other database has nothing to do with it');
    } finally {
      await server.stop();
    }
  });
}

test('recordings, checks and second simulations become tasks, in whatever state they are', { timeout: 120000 }, () => {
  const name = 'before_tasks', states = ['ready', 'leased', 'done', 'failed'];
  older(name, '0540');
  const of = (state, what) => `('${state}'::recording_state, ${state === 'leased' ? 2 : 0}, ${state === 'leased' ? "'2030-01-01 00:00:00+00'" : 'NULL::timestamptz'}, ${state === 'failed' ? "'too long'" : 'NULL'}, ${state === 'done' ? what : 'NULL'})`;
  const rows = (what) => `(SELECT row_number() OVER () AS n, s.* FROM (VALUES ${states.map((s) => of(s, what)).join(', ')}) s (state, attempt, deadline, why, out)) s`;
  const with_ = (what) => `FROM (SELECT row_number() OVER (ORDER BY id) AS n, * FROM result WHERE engine = 'cycle') r JOIN ${rows(what)} USING (n)`;
  psql(name, `SET session_replication_role = replica;
    UPDATE result SET engine = 'cycle', trace_sha256 = 'trace', design_sha256 = 'design', host_seconds = 7, worker = 'first'
     WHERE id IN (SELECT id FROM result ORDER BY id LIMIT 4);
    INSERT INTO recording (result_id, state, attempt, asked_by, asked_at, deadline_at, why, bytes)
      SELECT r.id, s.state, s.attempt, 'ada', '2026-01-01', s.deadline, s.why, s.out ${with_("'\\x01'::bytea")};
    INSERT INTO result_recheck (result_id, worker, state, attempt, made_at, deadline_at, why, second, agrees)
      SELECT r.id, r.worker, s.state, s.attempt, '2026-01-02', s.deadline, s.why, s.out, s.out IS NOT NULL OR NULL ${with_("'second'")};
    INSERT INTO cache_check (run_id, design, invocation, stratum, empty_cycles, warmed_cycles, trace_sha256, design_sha256, simulator, before, missing, host_seconds, state, attempt, made_at, deadline_at, why)
      SELECT (SELECT id FROM run LIMIT 1), 0, n, 5, 100, s.out, CASE WHEN s.state <> 'failed' THEN 'cut' END, 'design', '1', 2, 1, 7, s.state, s.attempt, '2026-01-03', s.deadline, s.why
        FROM ${rows('90')};`);
  psql(name, `SELECT set_config('vivace.migration_checksum', 'x', false) \\g /dev/null\n${readFileSync(join(root, 'schema', '0541_task.sql'), 'utf8')}`);
  const lines = (sql) => psql(name, sql).trim().split('\n');
  const ends = (out) => [`ready|0|f||${''}`, 'leased|2|t||', `done|0|f||${out}`, 'failed|0|f|too long|'];
  const common = "t.state, t.attempt, t.deadline_at = '2030-01-01 00:00:00+00' IS TRUE, t.why";
  assert.deepEqual(lines(`SELECT ${common}, c.bytes FROM recording c JOIN task t ON t.id = c.task_id AND t.id = t.result_id AND t.expected_s = 14 ORDER BY t.state`), ends('\\x01'));
  assert.deepEqual(lines(`SELECT ${common}, c.second FROM recheck c JOIN task t ON t.id = c.task_id AND t.not_worker = 'first' AND t.expected_s = 7 ORDER BY t.state`), ends('second'));
  assert.deepEqual(lines(`SELECT ${common}, c.warmed_cycles FROM cache_check c JOIN task t ON t.id = c.task_id AND t.run_id = c.run_id AND c.looks_back = 16 AND t.expected_s = 21 ORDER BY t.state`), ends('90'));
  assert.deepEqual(lines('SELECT ready_jobs, expected_s FROM scale_demand WHERE class = \'recording\''), ['3|42']);
});
