// Live events: a stream that misses nothing and repeats nothing, over reconnects, restarts and transactions that commit
// out of order; and the query plans of the queue's statements.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { readStatements } from '../../server/store/repo/sql/generate.mjs';
import { root, startFarm, until } from './harness.mjs';
import { ScriptedWorker, report } from './scripted_worker.mjs';

let farm, seed = 100;
before(async () => { farm = await startFarm({ args: ['--test-heartbeat', '1s', '--test-dead-after', '15min', '--log-level', 'debug'] }); });
after(async () => { await farm?.stop(); });

const psql = (sql) => farm.psql(sql);
/** A psql session that receives input step by step; PostgreSQL shows it under a name. */
const session = (name) => spawn('psql', [farm.databaseUrl(), '-Xq'], { stdio: ['pipe', 'ignore', 'inherit'], ...farm.asOwner(), env: { ...farm.asOwner().env, PGAPPNAME: name } });
/** Waits until it has executed its input and its open transaction has that property. */
const isIdle = (name, holds) => until(`${name} to hold ${holds}`, () => psql(`SELECT count(*) FROM pg_stat_activity WHERE application_name = '${name}' AND state = 'idle in transaction' AND ${holds} IS NOT NULL`) === '1');

/** Reads a stream into a list of {id, event, data}. */
async function listen(topics, lastEventId) {
  const stop = new AbortController();
  const response = await fetch(`${farm.url}/api/v1/events?topics=${topics}`, { signal: stop.signal, headers: {
    Authorization: `Bearer ${farm.token}`, ...(lastEventId ? { 'Last-Event-ID': lastEventId } : {}) } });
  const got = [];
  const stream = { status: response.status, response, got, close: () => stop.abort() };
  if (!response.ok) return stream;
  stream.ended = (async () => {
    let text = '';
    try {
      for await (const piece of response.body) {
        text += Buffer.from(piece).toString();
        for (let at; (at = text.indexOf('\n\n')) >= 0; text = text.slice(at + 2)) {
          const block = Object.fromEntries(text.slice(0, at).split('\n').map((l) => [l.slice(0, l.indexOf(':')), l.slice(l.indexOf(':') + 2)]));
          if (block.event) got.push({ id: block.id, event: block.event, data: JSON.parse(block.data) });
        }
      }
    } catch { /* closed by us, or the server was killed */ }
  })();
  return stream;
}

async function replay() {
  const profile = await farm.profile(report(++seed), { name: `report-${seed}.csv`, workload: `workload ${seed}` });
  const plan = await farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.02, seed: 1 });
  const run = await farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay' });
  return { plan, run };
}
const isOver = (stream) => until('the end of the run in the stream', () => stream.got.find((e) => e.event === 'run.progress' && e.data.state === 'done'));
/** Publishes one more event of a run. */
const event = (run, what) => `INSERT INTO event (at, topic, kind, severity, params) VALUES (now(), 'run:${run.id}', 'run.text', 'info', '{"text":"${what}"}');\n`;
const ids = (stream) => stream.got.filter((e) => e.id).map((e) => e.id);

test('events cover a run from start to end, and a late reader receives exactly the missing ones', async () => {
  const { run, plan } = await replay();
  const stream = await listen(`run:${run.id},farm`, run.as_of);
  assert.equal(stream.response.headers.get('content-type'), 'text/event-stream');
  assert.equal(stream.response.headers.get('cache-control'), 'no-store');
  const w = await new ScriptedWorker(farm).open();
  const [first, second, third, ...others] = await w.claim(1); // replay jobs are leased in packs
  for (const [i, lease] of [first, second, third].entries()) { // one by one, because progress events are merged
    await w.finish([lease]);
    await until(`result ${i + 1} to be reported`, () => stream.got.some((e) => e.event === 'run.progress' && e.data.done > i));
  }
  await w.finish(others);
  await w.drain();
  const ended = await isOver(stream);
  assert.equal(ended.data.done, plan.samples_count);
  assert.equal(ended.data.projections[0].done, plan.samples_count);
  assert.ok(ended.data.projections[0].half_width_s > 0);
  const progress = stream.got.filter((e) => e.event === 'run.progress');
  assert.ok(progress.length >= 4, 'more than start and end');
  for (let i = 1; i < progress.length; i++) assert.ok(progress[i].data.done >= progress[i - 1].data.done, 'the progress never decreases');
  await until('the farm to be reported', () => stream.got.some((e) => e.event === 'farm.tick' && e.data.workers_alive >= 1));
  await until('all of the run to be reported', () => psql(`SELECT projected_version = version FROM run WHERE id = '${run.id}'`) === 't');
  psql(event(run, 'the last'));
  const isTold = (to) => until('the last event', () => to.got.some((e) => e.data.text === 'the last'));
  await isTold(stream);
  assert.ok(stream.got.some((e) => e.event === 'run.event' && /All \d+ jobs are done/.test(e.data.text)));
  const { items } = await farm.api('GET', `/runs/${run.id}/events`), sent = stream.got.filter((e) => e.event === 'run.event');
  assert.deepEqual(sent.map((e) => ({ ...e.data, id: e.id })), items.filter((i) => sent.some((e) => e.id === i.id)).reverse().map((i) => ({ run: run.id, ...i })), 'streams send the events of the list');
  const [started] = items.slice(-1), end = items.find((i) => i.kind === 'run.done');
  assert.deepEqual([started.kind, started.severity, started.params], ['run.started', 'info', { by: 'owner', jobs: plan.samples_count, engine: 'replay' }]);
  assert.equal(started.text, `owner started the run: ${plan.samples_count} jobs, engine replay.`);
  assert.equal(end.params.jobs, plan.samples_count);
  assert.deepEqual(end.params.answers.map((a) => [a.kind, a.params.design]), [['answer.total', 'profile']]);
  assert.ok(Math.abs(end.params.answers[0].params.total.value - ended.data.projections[0].value_s) < 1e-9, JSON.stringify(end));
  const all = ids(stream);
  assert.deepEqual(all, [...all].sort((a, b) => Number(BigInt(a) - BigInt(b))), 'ids rise');
  assert.equal(new Set(all).size, all.length, 'none twice');
  stream.close();

  // only events of the topic run have ids; events of the farm have none
  const middle = all[Math.floor(all.length / 2)];
  const late = await listen(`run:${run.id}`, middle);
  const rest = stream.got.filter((e) => e.id && BigInt(e.id) > BigInt(middle) && e.event.startsWith('run.')).map((e) => e.id);
  await isTold(late);
  assert.deepEqual(ids(late), rest);
  late.close();

  // kill -9: events come from the table, so none is lost
  await farm.kill('SIGKILL');
  await farm.start();
  const after = await listen(`run:${run.id}`, middle);
  await isTold(after);
  assert.deepEqual(ids(after), rest);
  after.close();
});

test('an event whose transaction commits late is not skipped', async () => {
  const { run } = await replay();
  const stream = await listen(`run:${run.id}`, run.as_of);
  const slow = session('slow');
  slow.stdin.write(`BEGIN; ${event(run, 'slow')}`);
  await isIdle('slow', 'backend_xid'); // the INSERT has set it
  psql(event(run, 'quick'));
  // The server publishes the state of the farm after it has read the new events: with the second one, `quick` has been read.
  const later = await listen(`run:${run.id},farm`, run.as_of);
  await until('two ticks of the farm', () => later.got.filter((e) => e.event === 'farm.tick').length >= 2);
  assert.ok(![...stream.got, ...later.got].some((e) => e.data.text === 'quick'), 'held back until nothing older can come');
  later.close();
  slow.stdin.end('COMMIT;\n');
  await new Promise((done) => slow.on('exit', done));
  await until('both', () => stream.got.filter((e) => ['slow', 'quick'].includes(e.data.text)).length === 2);
  assert.deepEqual(stream.got.map((e) => e.data.text).filter((s) => ['slow', 'quick'].includes(s)), ['slow', 'quick']);
  stream.close();
  await farm.api('POST', `/runs/${run.id}/cancel`);
});

test('time spent waiting for a lock does not lengthen the pause after a projection', async () => {
  const { run } = await replay();
  const w = await new ScriptedWorker(farm).open();
  const [first, second] = await w.claim(1); // replay jobs are leased in packs
  const projected = (n) => until(`a projection of ${n}`, async () => (await farm.api('GET', `/runs/${run.id}`)).designs[0].projection.done === n);
  const holder = session('holder of projections');
  holder.stdin.write('BEGIN; SELECT txid_current(); LOCK TABLE projection IN SHARE ROW EXCLUSIVE MODE;\n');
  await isIdle('holder of projections', 'backend_xid');
  await w.finish([first]);
  await until('a projection that waits', () => psql("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'projection'::regclass").trim() !== '0');
  const waits = performance.now();
  await isIdle('holder of projections', 'backend_xid');
  const waited_us = 1000 * (performance.now() - waits);
  holder.stdin.end('COMMIT;\n');
  await projected(1);
  const lines = () => [...farm.log().matchAll(new RegExp(`a run was projected" run=${run.id} took_us=(\\d+) worked_us=(\\d+) rests_us=(\\d+)`, 'g'))].map((m) => m.slice(1).map(Number));
  await until('a projection whose wait is not called work', () => lines().some(([took, worked]) => took - worked >= waited_us));
  for (const [, worked, rests] of lines()) assert.ok(rests <= Math.max(10 * worked, 250000), `${worked} us of work, and a rest of ${rests}`);
  await w.finish([second]);
  await projected(2);
  await farm.api('POST', `/runs/${run.id}/cancel`);
});

test('a stream that begins while the server waits for events continues', async () => {
  const { run } = await replay(), holder = session('holder of events');
  holder.stdin.write('BEGIN; LOCK TABLE event IN ACCESS EXCLUSIVE MODE;\n');
  await until('the server to wait', () => psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM event WHERE id > $1%'") === '1');
  const stream = await listen(`run:${run.id}`, run.as_of);
  assert.equal(stream.status, 200);
  holder.stdin.end('ROLLBACK;\n');
  await new Promise((done) => holder.on('exit', done));
  psql(event(run, 'after the wait'));
  let over = false;
  stream.ended.then(() => { over = true; });
  await until('the event', () => over || stream.got.some((e) => e.data.text === 'after the wait'));
  assert.ok(!over, 'the stream was ended');
  stream.close();
  await farm.api('POST', `/runs/${run.id}/cancel`);
});

test('streams of unknown objects or topics are refused', async () => {
  for (const [topics, status] of [['run:01234567-89ab-7cde-8f01-23456789abcd', 404], ['weather', 404], ['', 422], ['farm,'.repeat(17), 422]])
    assert.equal((await listen(topics)).status, status, topics);
  assert.equal((await listen('farm', 'yesterday')).status, 422);
});

/** The text of a statement of server/store/repo/sql. */
const statements = new Map(readStatements(join(root, 'server/store/repo/sql')).map(({ name, sql }) => [name, sql]));

/** A lease of ten jobs as the dispatcher asks for it. */
const TAKE = 'uuid, integer, timestamptz, bigint, uuid, uuid, bigint';
const taking = ({ run, plan, session = '01234567-89ab-7cde-8f01-23456789abcd' }, cursor) => `'${run.id}', ${cursor}, now(), 10, '${plan.id}', '${session}', 60`;

test('the frequent statements use the index that was made for them', async () => {
  const { run, plan: of } = await replay();
  const w = await new ScriptedWorker(farm).open();
  await w.drain();
  await farm.finished(run.id);
  // as in a busy farm: tens of thousands of finished jobs, and thousands that wait for a worker
  psql(`INSERT INTO job (id, run_id, seq, sample, design, state, ready_at, key, result_id)
        SELECT uuid_at(now()), j.run_id, 1000 + n, j.sample, j.design, (CASE WHEN n % 10 = 0 THEN 'ready' ELSE 'done' END)::job_state, now(),
               sha256(n::text::bytea), CASE WHEN n % 10 <> 0 THEN j.result_id END
          FROM (SELECT * FROM job WHERE run_id = '${run.id}' LIMIT 1) j, generate_series(1, 30000) n; ANALYZE;`);
  const plan = (name, types, values) => psql(`SET plan_cache_mode = force_generic_plan;
    PREPARE hot (${types}) AS ${statements.get(name)}; EXPLAIN EXECUTE hot (${values});`);
  const byKey = /Index Scan (using|on) job_pkey/; // also as a bitmap index scan
  const id = "'{01234567-89ab-7cde-8f01-23456789abcd}'";
  const lock = plan('job_lock', 'uuid[]', id);
  assert.match(lock, byKey, lock);
  const still = plan('session_still_leased', 'uuid[]', id);
  assert.match(still, byKey, still);
  const write = plan('job_write', 'uuid[], job_state[], timestamptz[], smallint[], smallint[], smallint[], smallint[], smallint[], text[], text[], timestamptz', Array(11).fill('NULL').join(', '));
  assert.match(write, byKey, write);
  const END = 'uuid[], uuid[], uuid[], uuid[], integer[], text[], uuid[], timestamptz[], text[], text[], text[], double precision[], double precision[], bigint[], timestamptz';
  const done = plan('job_end', END, Array(15).fill('NULL').join(', '));
  assert.match(done, byKey, done);
  assert.match(done, /Index Scan using job_waiting on job f/, done);
  assert.doesNotMatch(done, /Seq Scan on (job|attempt)/, done);
  const late = plan('job_end_late', `${END}, text[]`, Array(16).fill('NULL').join(', '));
  for (const index of ['job_one_live_a_key', 'job_failed_key']) assert.match(late, new RegExp(`Index Scan (using|on) ${index}`), late);
  assert.doesNotMatch(late, /Seq Scan on (job|attempt)/, late);
  const open = plan('claim_runs', 'timestamptz', 'now()');
  assert.match(open, /Index Scan using job_claimable on job/, 'the first ready job of a run is found, not all of the farm are read: ' + open);
  const take = plan('claim_take', TAKE, taking({ run, plan: of }, -1));
  assert.match(take, /Index Scan using job_claimable on job/, take);
  assert.match(take, byKey, take);
});

test('an old snapshot keeps dead rows, and the frequent statements do not read them', async () => {
  const { run, plan } = await replay();
  const w = await new ScriptedWorker(farm).open();
  await w.drain();
  await farm.finished(run.id);
  psql(`INSERT INTO job (id, run_id, seq, sample, design, state, ready_at, key)
        SELECT uuid_at(now()), j.run_id, 1000 + n, j.sample, j.design, 'ready', now(), sha256(('held' || n)::bytea)
          FROM (SELECT * FROM job WHERE run_id = '${run.id}' LIMIT 1) j, generate_series(1, 5000) n; VACUUM ANALYZE job;
        UPDATE run SET state = 'running', finished_at = NULL WHERE id = '${run.id}'`);
  const holder = session('holder');
  try {
    holder.stdin.write('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM job;\n');
    await isIdle('holder', 'backend_xmin');
    const lease = "state = 'leased', session_id = (SELECT id FROM worker_session LIMIT 1), leased_at = now(), deadline_at = now() + interval '1 h'";
    // each of 4800 jobs was leased and done meanwhile: two dead entries in every index on the state
    psql(`UPDATE job SET ${lease} WHERE run_id = '${run.id}' AND seq > 1000 AND seq <= 5800;
          UPDATE job SET state = 'done', result_id = (SELECT id FROM result LIMIT 1), session_id = NULL, leased_at = NULL, deadline_at = NULL
           WHERE run_id = '${run.id}' AND seq > 1000 AND seq <= 5800;
          UPDATE job SET ${lease} WHERE run_id = '${run.id}' AND seq > 5800 AND seq <= 5810; VACUUM job;`);
    const ids = psql(`SELECT '{' || string_agg(id::text, ',') || '}' FROM job WHERE run_id = '${run.id}' AND state = 'leased'`);
    const buffers = (file, name, types, values) => {
      const text = psql(`SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
        BEGIN; UPDATE worker_session SET state = 'alive' WHERE id = '${w.session}'; PREPARE hot (${types}) AS ${statements.get(name)}; EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) EXECUTE hot (${values}); ROLLBACK;`);
      const of = /Buffers: shared (?:hit=(\d+))?(?: ?read=(\d+))?/.exec(text);
      return Number(of[1] ?? 0) + Number(of[2] ?? 0);
    };
    const take = (cursor) => buffers('repo_claim.c', 'claim_take', TAKE, taking({ run, plan, session: w.session }, cursor));
    const walked = take(-1), stepped = take(5810);
    assert.ok(stepped <= 60 && walked >= stepped + 100, `${stepped} buffers with the cursor, ${walked} without`);
    const lock = buffers('repo_job_end.c', 'job_lock', 'uuid[]', `'${ids}'`);
    assert.ok(lock <= 20 * 10, `${lock} buffers for ten jobs`);
  } finally {
    holder.stdin.end('COMMIT;\n');
    await new Promise((done) => holder.on('exit', done));
    psql(`DELETE FROM job WHERE run_id = '${run.id}'; UPDATE run SET state = 'cancelled', finished_at = now() WHERE id = '${run.id}'`);
  }
});

test('a client that disconnects before its stream begins leaves nothing open', async () => {
  const { hostname, port } = new URL(farm.url);
  const open = async () => Number(/^vivace_sse_streams (\d+)$/m.exec(await (await farm.request('GET', '//metrics')).text())[1]);
  const before = await open();
  for (let i = 0; i < 300; i++) {
    await new Promise((done) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(`GET /api/v1/events?topics=farm HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${farm.token}\r\n\r\n`);
        setTimeout(() => socket.destroy(), i % 6);
      });
      socket.on('error', () => {});
      socket.on('close', done);
    });
  }
  await until('all of them to be closed', async () => (await open()) <= before);
});
