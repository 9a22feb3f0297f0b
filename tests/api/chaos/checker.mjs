// tests/api/chaos/checker.mjs: checks after the faults that every acknowledged request had its effect, exactly once and correctly.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience, program, startFarm, until } from '../harness.mjs';
import { ScriptedWorker, report } from '../scripted_worker.mjs';
import { backupText } from '../backup_text.mjs';

/** A farm's projection of a run, without the members that differ between runs of one plan. A database whose disk was full may still stop at its next checkpoint and restart; this is not a finding. */
const projection = (farm, run, token) => until('the database', async () => {
  const reported = await farm.api('GET', `/runs/${run}/projection`, undefined, { Authorization: `Bearer ${token}` }).catch((e) => { if (e.status !== 503) throw e; });
  return reported && JSON.stringify({ ...reported, id: null, answer: reported.answer && { ...reported.answer, at: null, plan: null } });
});

export class Checker {
  /** `farm`: the first server's; `tokens`: by team name; `cycle`: { traces, folder } or null. */
  constructor({ farm, place, history, tokens, workers, cycle }) {
    Object.assign(this, { farm, place, history, tokens, workers, cycle });
  }
  expect(right, text, what) {
    if (!right) this.history.finding(text, what);
  }
  rows(sql) {
    const text = this.farm.psql(sql);
    return text ? text.split('\n').map((line) => line.split('|')) : [];
  }
  none(text, sql) {
    const rows = this.rows(sql);
    this.expect(rows.length === 0, `${text}: ${rows.length}, as ${rows.slice(0, 3).map((r) => r.join(' ')).join('; ')}`);
  }

  /** 0 stuck: every run ends without help after the last fault. */
  async settle(ms) {
    const began = performance.now();
    for (let left = -1; left !== 0;) {
      await this.retryUnlucky().catch(() => {});
      await this.restartStranded().catch(() => {});
      try { left = Number(this.farm.psql("SELECT count(*) FROM run WHERE state IN ('running', 'paused') OR projected_version < version")); } catch { /* the server is starting */ }
      if (performance.now() - began > patience(ms)) break;
      if (left) await sleep(500);
    }
    this.none('runs are stuck', `SELECT r.id, r.state, r.done, r.jobs, (SELECT string_agg(state || ' ' || n, ', ') FROM
      (SELECT state::text, count(*) AS n FROM job WHERE run_id = r.id GROUP BY 1) x), (SELECT string_agg(DISTINCT coalesce(w.state::text, 'none'), ',')
      FROM job j LEFT JOIN worker_session w ON w.id = j.session_id WHERE j.run_id = r.id AND j.state = 'leased')
      FROM run r WHERE state IN ('running', 'paused')`);
    this.none('projections are behind', "SELECT id, version, projected_version FROM run WHERE projected_version < version AND state <> 'cancelled'");
  }
  /** Jobs whose workers died repeatedly are parked, as documented. The checker retries them, as a user would. */
  async retryUnlucky() {
    for (const [job, why] of this.rows("SELECT id, failure FROM job WHERE state = 'failed' AND failure IN ('lost', 'poison')")) {
      this.history.note('parked', { job, why });
      for (const token of Object.values(this.tokens))
        if ((await this.farm.request('POST', `/jobs/${job}/retry`, {}, { Authorization: `Bearer ${token}` })).ok) break;
    }
  }

  /** Runs from before the simulator's upgrade wait for the old version. The checker restarts them with the new one, as a user would. */
  async restartStranded() {
    for (const [run] of this.rows("SELECT id FROM run WHERE state = 'running' AND engine = 'cycle' AND simulator <> (SELECT max(simulator) FROM run WHERE engine = 'cycle')"))
      if ((await this.farm.request('POST', `/runs/${run}/restart`, { simulator: 'new' }, { Authorization: `Bearer ${this.tokens.default}` })).ok) this.history.note('restarted', { run });
  }

  /** 0 lost, 0 double: every acknowledged object exists once, and no object exists that was not requested. */
  acknowledged() {
    const h = this.history, ids = (kind, key = 'id') => new Set(h.of(kind).map((n) => n[key]));
    const there = (table, where = 'true') => new Set(this.rows(`SELECT id FROM ${table} WHERE ${where}`).map(([id]) => id));
    const made = (pattern) => new Set(h.of('ack').filter((n) => n.method === 'POST' && pattern.test(n.path)).map((n) => n.id));
    const same = (what, wanted, found) => {
      for (const id of wanted) this.expect(found.has(id), `${what} ${id} was acknowledged and is lost`);
      for (const id of found) this.expect(wanted.has(id), `${what} ${id} exists, but its making was never acknowledged: done twice?`);
    };
    same('the run', ids('run'), there('run'));
    same('the plan', new Set([...made(/^\/profiles\/.*\/plans$/), ...this.cycle ? [this.cycle.plan] : []]), there('plan'));
    same('the import', new Set([...ids('uploaded', 'import'), ...this.cycle ? this.cycle.imports : []]), there('import'));
    const uploads = there('upload'); // uploads without an answer may exist too, because an answer can be lost
    same('the upload', made(/^\/uploads$/), new Set([...made(/^\/uploads$/)].filter((id) => uploads.has(id))));
    this.none('imports did not become ready', "SELECT id, state FROM import WHERE state <> 'ready'");
    for (const { id } of h.of('cancelled'))
      this.expect(this.farm.psql(`SELECT state FROM run WHERE id = '${id}'`) === 'cancelled', `the run ${id} was cancelled and is not`);
    const tokens = new Set(this.rows('SELECT public_id FROM token').map(([id]) => id)), removed = ids('token removed');
    for (const id of ids('token')) this.expect(tokens.has(id) !== removed.has(id), `the token ${id} ${removed.has(id) ? 'was removed and is there' : 'is lost'}`);
  }
  jobs() {
    for (const n of this.history.of('run')) this.expect(n.jobs === n.expected, `the run ${n.id} was made with ${n.jobs} jobs, not ${n.expected}`);
    this.none('runs whose jobs are not all there', 'SELECT r.id, r.jobs, count(j.id) FROM run r LEFT JOIN job j ON j.run_id = r.id GROUP BY r.id HAVING count(j.id) <> r.jobs');
    this.none('samples that have two jobs', 'SELECT run_id, sample, design FROM job GROUP BY 1, 2, 3 HAVING count(*) > 1');
    this.none('runs whose count of done jobs is wrong', "SELECT r.id, r.done, count(j.id) FROM run r LEFT JOIN job j ON j.run_id = r.id AND j.state = 'done' WHERE r.state <> 'cancelled' GROUP BY r.id HAVING count(j.id) <> r.done");
    this.none('ended runs with live jobs', "SELECT r.id, r.state, j.state, count(*) FROM run r JOIN job j ON j.run_id = r.id WHERE r.state NOT IN ('running', 'paused') AND j.state IN ('blocked', 'ready', 'leased') GROUP BY 1, 2, 3");
    this.none('done jobs without their result', "SELECT j.id FROM job j LEFT JOIN result q ON q.id = j.result_id WHERE j.state = 'done' AND q.key IS DISTINCT FROM j.key");
    this.none('jobs that succeeded twice', `SELECT job_id, count(*) FROM attempt a WHERE outcome = 'ok' AND NOT EXISTS (SELECT 1 FROM job j JOIN audit x ON x.object = j.run_id::text
      WHERE j.id = a.job_id AND x.action = 'run.restart' AND x.outcome < 300) GROUP BY 1 HAVING count(*) > 1`);
    this.none('more attempts than leases', 'SELECT a.job_id, a.number, j.attempt FROM attempt a JOIN job j ON j.id = a.job_id WHERE a.number > j.attempt');
    this.none('disputed results', 'SELECT result_id FROM result_dispute');
    this.none('failed jobs', "SELECT id, failure, failure_text FROM job WHERE state = 'failed'");
    this.none('runs that failed', "SELECT id FROM run WHERE state = 'failed'");
  }
  /** The next release's schema is in force: its trigger has seen every run. */
  schema() {
    if (process.env.VIVACE_NEXT_BUILD) return; // another schema
    this.none('runs that the next schema does not know', 'SELECT id FROM run WHERE NOT EXISTS (SELECT 1 FROM next_release WHERE run_id = id)');
  }
  /** Every result that was acknowledged to a worker is stored, with its attempt. */
  results() {
    const reported = [...this.history.of('result'), ...this.workers.flatMap((w) => w.taken())];
    const well = new Set(this.rows("SELECT job_id, number FROM attempt WHERE outcome = 'ok'").map((r) => r.join(' ')));
    const states = new Map(this.rows('SELECT id, state FROM job'));
    const cancelled = new Set(this.rows("SELECT j.id FROM job j JOIN run r ON r.id = j.run_id JOIN result q ON q.key = j.key WHERE j.state = 'cancelled' AND r.state = 'cancelled'").map(([id]) => id));
    for (const { job, attempt, late } of reported) {
      // a late result is used for the next request with its key; its own job may have been cancelled with its run
      this.expect(states.get(job) === 'done' || (late && cancelled.has(job)), `a result of job ${job} was taken, and the job is ${states.get(job)}`);
      this.expect(late || well.has(`${job} ${attempt}`), `a result was taken of attempt ${attempt} of job ${job}, which is not in the list of attempts`);
    }
    return reported.length;
  }
  /** The audit log has a row for each executed action, acknowledged or not. The events of each run have one end. */
  records() {
    this.none('tokens without an entry in the audit log', "SELECT t.public_id FROM token t WHERE t.name ~ '^t[0-9]+$' AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.action = 'token.make' AND a.object = t.public_id::text)");
    for (const { id } of this.history.of('token removed'))
      this.expect(this.farm.psql(`SELECT count(*) FROM audit WHERE action = 'token.remove' AND object = '${id}' AND outcome < 300`) === '1', `the removal of token ${id} is not once in the audit log`);
    this.none('cancelled runs without an entry in the audit log', "SELECT r.id FROM run r WHERE r.state = 'cancelled' AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.action = 'run.cancel' AND a.object = r.id::text AND a.outcome < 300)");
    // a retry by a user, or a late result, continues an ended run; its next end event is a different one
    const END = "('run.done', 'run.done_partly', 'run.failed')";
    this.none('runs that ended twice', `SELECT topic, said FROM (SELECT topic, kind, kind || params::text AS said, lag(kind || params::text) OVER (PARTITION BY topic ORDER BY at, id) AS before FROM event
       WHERE kind IN ${END} OR kind = 'job.retried') e WHERE kind IN ${END} AND said = before`);
    this.expect(Number(this.farm.psql(`SELECT count(*) FROM event WHERE kind IN ${END}`)) > 0, 'no run has an event of its end');
  }

  /** Projections equal those of undisturbed farms. */
  async projections(most) {
    const done = new Set(this.rows("SELECT id FROM run WHERE state = 'done'").map(([id]) => id));
    const mine = this.history.of('run').filter((n) => done.has(n.id)), groups = new Map();
    for (const n of mine.filter((x) => x.body)) {
      const key = JSON.stringify([n.seed, n.body]);
      groups.set(key, [...groups.get(key) ?? [], n]);
    }
    const quiet = await startFarm();
    let compared = 0;
    try {
      const w = await new ScriptedWorker(quiet, { engines: ['replay'], slots: 64 }).open();
      for (const [, runs] of [...groups].sort((a, b) => b[1].length - a[1].length).slice(0, most)) {
        const { seed, body } = runs[0], profile = await quiet.profile(report(seed), { name: `report-${seed}.csv`, workload: `quiet ${seed} ${JSON.stringify(body)}` });
        const plan = await quiet.api('POST', `/profiles/${profile.id}/plans`, body), run = await quiet.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
        await w.drain();
        await quiet.finished(run.id);
        const truth = await projection(quiet, run.id, quiet.token);
        for (const n of runs) {
          const reported = await projection(this.farm, n.id, this.tokens[n.who.replace(/-\d+$/, '')]);
          this.expect(reported === truth, `the projection of run ${n.id} differs from that of an undisturbed farm`, { reported, truth });
          compared++;
        }
      }
    } finally {
      await quiet.stop();
    }
    return compared + (this.cycle ? await this.simulations(mine.filter((n) => n.designs)) : 0);
  }
  /** For real simulations, the same samples are simulated here by one process. */
  async simulations(runs) {
    const { folder, traces, plan } = this.cycle, env = { ...process.env, XDG_CONFIG_HOME: folder }, file = join(folder, 'plan.json');
    const designs = [...new Set(runs.flatMap((n) => n.designs))];
    if (!designs.length) return 0;
    execFileSync(program('vivace'), ['login', this.farm.url, '--token-file', join(this.farm.state, 'admin-token')], { env, stdio: 'ignore' });
    execFileSync(program('vivace'), ['plans', 'fetch', plan, '--out', file], { env, stdio: 'ignore' });
    const local = JSON.parse(execFileSync(program('vivace'), ['simulate', traces, '--gpu', designs.join(','), '--plan', file, '--json'], { maxBuffer: 1 << 28 }).toString());
    const truth = new Map(local.projections.map((p) => [p.design, p]));
    for (const n of runs)
      for (const { design, projection: p } of (await this.farm.api('GET', `/runs/${n.id}`)).designs)
        this.expect(p?.value_cycles === truth.get(design).value_cycles && p?.half_width_cycles === truth.get(design).half_width_cycles, `the projection of run ${n.id} on ${design} differs from that of one process`, { p, truth: truth.get(design) });
    return runs.length;
  }

  server(...words) {
    const r = spawnSync(program('vivace-server'), [...words, ...this.place], { encoding: 'utf8', cwd: this.farm.folder, env: { ...process.env, ...this.farm.options.env } });
    this.expect(r.status === 0, `vivace-server ${words.join(' ')} ended ${r.status}: ${r.stdout.slice(-800)}${r.stderr.slice(-800)}`);
    return r.stdout;
  }
  /** The stored bytes match their hashes, the farm's own checks pass, and a restored backup is equal. */
  whole(folder) {
    this.server('--check');
    this.server('scrub', '--test-scrub-rate', '10GB');
    this.expect(!existsSync(join(this.farm.state, 'quarantine')) , 'stored files are damaged: quarantine');
    const files = ['first', 'second'].map((n) => join(folder, `${n}.backup`)), restored = join(folder, 'restored');
    const admin = (...words) => {
      const r = spawnSync(program('vivace'), ['admin', ...words], { encoding: 'utf8', cwd: this.farm.folder, env: { ...process.env, ...this.farm.options.env } });
      this.expect(r.status === 0, `vivace admin ${words[0]} ended ${r.status}: ${r.stderr.slice(-800)}`);
    };
    admin('backup', files[0], '--with-blobs', ...this.place);
    admin('restore', files[0], '--state', restored);
    admin('backup', files[1], '--state', restored);
    const [a, b] = files.map((f) => backupText(f));
    this.expect(a.sql === b.sql && a.blobs === b.blobs, 'the backup, restored and backed up again, is another');
  }
  /** The logs of servers and workers report no defect. */
  logs(servers) {
    for (const farm of servers)
      for (const line of farm.log().split('\n'))
        if (/level=error/.test(line) && !/sqlstate=(57|08|53|25|58030|XX)|msg="no disk space:|msg="the blob store does not answer|this server stops using it"/.test(line)) this.history.finding(`a server's log: ${line.slice(0, 300)}`);
    for (const w of this.workers)
      for (const line of readFileSync(w.log, 'utf8').split('\n'))
        if (/level=error/.test(line)) this.history.finding(`a worker's log: ${line.slice(0, 300)}`);
  }
}
