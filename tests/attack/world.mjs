// tests/attack/world.mjs: a farm with two teams that must not see each other, every kind of caller, and the objects that the
// teams own.
import { createHash } from 'node:crypto';
import { ScriptedWorker, report } from '../api/scripted_worker.mjs';

const teams = ['red', 'blue'];
/** A mark in every name of a team’s objects. No other team may read it. */
export const marker = (team) => `marker-of-${team}-5c1f`;
/** The password of the users that the attack may lock out. */
export const victim = 'the password of a victim of the attack';
/** Kinds of objects that belong to one team. A result may belong to two teams: for the same launch on the same design. */
export const kinds = ['upload', 'import', 'workload', 'profile', 'plan', 'run', 'job', 'share', 'token'];

const most = 40; // the most objects of a kind that are remembered

export class World {
  constructor(farm) {
    this.farm = farm;
    this.secrets = new Set();
    this.pools = Object.fromEntries([...teams, 'farm'].map((t) => [t, {}]));
    this.callers = [];
    this.kept = new Set(); // workloads that are never deleted, so that later requests can name them
  }

  // --- Objects of the teams ---

  remember(team, kind, id) {
    if (typeof id !== 'string' || !id) return;
    const pool = (this.pools[team] ?? this.pools.farm)[kind] ??= [];
    if (pool.includes(id)) return;
    if (pool.length < most) pool.push(id);
    else pool[id.charCodeAt(id.length - 1) % most] = id;
  }

  pool(team, kind) {
    return this.pools[team]?.[kind] ?? [];
  }

  /** Remembers each object in an answer that later requests can name. */
  learn(team, path, value) {
    const folder = /^\/api\/v1\/(?:[a-z]+\/\{[a-z]+\}\/)?([a-z]+)/.exec(path)?.[1]?.replace(/s$/, '');
    const walk = (v, kind) => {
      if (Array.isArray(v)) v.forEach((x) => walk(x, kind));
      else if (v && typeof v === 'object')
        for (const [k, x] of Object.entries(v)) {
          if (k === 'id' && kinds.includes(kind)) this.remember(team, kind, x);
          else if (typeof x === 'string' && [...kinds, 'result'].includes(k) && k !== 'token') this.remember(team, k, x);
          else if (typeof x === 'string' && ['token', 'invitation'].includes(k) && x.length > 40) this.secrets.add(x);
          else if (k === 'url' && String(x).startsWith('/s/')) this.secrets.add(x.slice(3));
          else if (k === 'sha256' || k === 'next') this.remember(team, k, x);
          else walk(x, k === 'items' ? kind : k.replace(/s$/, ''));
        }
    };
    walk(value, folder);
  }

  // --- Callers ---

  /** The credentials of one caller. `login` makes new `headers` when the old ones no longer work. */
  async caller(name, team, scopes, login) {
    const c = { name, team, scopes, login, headers: await login() };
    this.callers.push(c);
    return c;
  }

  async person(team, user, role, password = `the password of ${user} in the attack`) {
    this.secrets.add(password);
    const made = await this.farm.request('POST', '/teams/' + team + '/members', { user, password, role });
    await made.body?.cancel();
    return async () => {
      const r = await this.farm.request('POST', '/session', { user, password }, { Authorization: null });
      const cookie = r.headers.get('set-cookie')?.split(';')[0];
      await r.body?.cancel();
      if (!cookie) throw new Error(`${user} cannot log in: ${r.status}`);
      this.secrets.add(cookie.split('=')[1]);
      return [['Cookie', cookie], ['X-Vivace-Request', '1']];
    };
  }

  /** A token of a user or of a team. Each call makes a new token. */
  token(headers, scopes, more = {}) {
    return async () => {
      const made = await this.farm.api('POST', '/tokens', { name: `for ${scopes}`, scopes, ...more }, { Authorization: null, ...Object.fromEntries(headers()) });
      this.secrets.add(made.token);
      return [['Authorization', `Bearer ${made.token}`]];
    };
  }

  link(owner, how) {
    return async () => {
      const share = await this.farm.api('POST', '/shares', how, { Authorization: null, ...Object.fromEntries(owner.headers) });
      this.secrets.add(share.url.slice(3));
      return [['Authorization', `Bearer ${share.url.slice(3)}`], ['X-Vivace-Request', '1']];
    };
  }

  async people() {
    for (const team of teams) await this.farm.api('POST', '/teams', { team });
    const owners = {};
    for (const team of teams) {
      owners[team] = await this.caller(`${team} owner`, team, ['read', 'write', 'admin'], await this.person(team, `${team}-olga`, 'owner'));
      await this.caller(`${team} member`, team, ['read', 'write'], await this.person(team, `${team}-mia`, 'member'));
      await this.caller(`${team} viewer`, team, ['read'], await this.person(team, `${team}-vera`, 'viewer'));
      await this.caller(`${team} token`, team, ['read', 'write', 'admin'], this.token(() => owners[team].headers, ['admin'], { for: 'team' }));
      await this.caller(`${team} reader`, team, ['read'], this.token(() => owners[team].headers, ['read']));
      for (const who of ['one', 'two']) { // users that the attack may lock out
        const user = `${team}-victim-${who}`;
        await this.person(team, user, 'member', victim);
        this.remember('farm', 'victim', user);
        this.remember(team, 'user', user);
        this.remember('farm', 'user', user);
      }
    }
    const password = 'the password of the site admin in the attack';
    await this.farm.api('POST', '/users', { user: 'sue', password, site_admin: true });
    await this.caller('site admin', 'none', ['worker', 'farm'], async () => {
      const r = await this.farm.request('POST', '/session', { user: 'sue', password }, { Authorization: null });
      this.secrets.add(password);
      return [['Cookie', r.headers.get('set-cookie').split(';')[0]], ['X-Vivace-Request', '1']];
    });
    await this.caller('worker', 'none', ['worker'], async () => [['Authorization', `Bearer ${this.worker.token}`]]);
    await this.strangers(owners.red);
    return owners;
  }

  /** Credentials that give access to nothing. */
  async strangers(owner) {
    const nobody = async (name, headers) => Object.assign(await this.caller(name, 'none', [], async () => headers), { stranger: true });
    await nobody('nobody', []);
    await nobody('guesser', [['Authorization', `Bearer vvc_${'A'.repeat(49)}`]]);
    await nobody('guesser of cookies', [['Cookie', `vivace_session=${'B'.repeat(43)}`], ['X-Vivace-Request', '1']]);
    const [[, bearer]] = await this.token(() => owner.headers, ['admin'], { name: 'expired' })();
    await nobody('expired token', [['Authorization', bearer]]);
    this.farm.psql("UPDATE token SET expires_at = now() - interval '1 minute' WHERE name = 'expired';");
    const revoked = await this.farm.api('POST', '/tokens', { name: 'revoked', scopes: ['read', 'write', 'admin', 'farm', 'worker'] });
    await this.farm.api('DELETE', `/tokens/${revoked.id}`);
    this.secrets.add(revoked.token);
    await nobody('revoked token', [['Authorization', `Bearer ${revoked.token}`]]);
  }

  /** One object of each kind in a team. */
  async things(owner) {
    const { team } = owner;
    const ask = (method, path, body) => this.farm.api(method, path, body, { Authorization: null, ...Object.fromEntries(owner.headers) });
    const bytes = Buffer.from(String(report(team === 'red' ? 1 : 2)).replaceAll('steady', `steady_${marker(team).replaceAll('-', '_')}`));
    const up = await ask('POST', '/uploads', { name: `${marker(team)}.csv`, bytes: bytes.length, workload: `${marker(team)} training` });
    await ask('PUT', `/uploads/${up.id}/pieces/0`, bytes);
    const { import: id } = await ask('POST', `/uploads/${up.id}/finish`);
    let done;
    do done = await ask('GET', `/imports/${id}`); while (!['ready', 'failed'].includes(done.state));
    const plan = await ask('POST', `/profiles/${done.profile}/plans`, { method: 'vivace', error: 0.05, confidence: 0.95, seed: 1 });
    const run = await ask('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
    const open = await ask('POST', '/uploads', { name: `${marker(team)}-open.csv`, bytes: 100 });
    const sha256 = createHash('sha256').update(marker(team)).digest('hex');
    await ask('PUT', `/blobs/${sha256}`, Buffer.from(marker(team)));
    this.kept.add(done.workload);
    for (const [kind, value] of Object.entries({ import: id, profile: done.profile, workload: done.workload, plan: plan.id, run: run.id, upload: open.id, sha256 })) this.remember(team, kind, value);
    return run.id;
  }

  async build() {
    this.worker = await new ScriptedWorker(this.farm).open();
    const owners = await this.people();
    for (const team of teams) {
      const run = await this.things(owners[team]);
      await this.caller(`link of ${team}`, team, ['read'], this.link(owners[team], { kind: 'run', object: run }));
      await this.caller(`link of ${team} without names`, 'none', ['read'], this.link(owners[team], { kind: 'run', object: run, hide_names: true }));
      const side = { run, design: (await this.farm.api('GET', `/runs/${run}`, undefined, { Authorization: null, ...Object.fromEntries(owners[team].headers) })).designs[0].design };
      await this.caller(`link of ${team} to a comparison without names`, 'none', ['read'], this.link(owners[team], { kind: 'compare', question: { base: side, with: [side] }, hide_names: true }));
    }
    for (const c of this.callers) c.link = c.name.startsWith('link');
    return this;
  }

  /** Checks that the caller's credentials still work. The attack may have moved the user to another team, ended the session or revoked the token; then the caller logs in again. */
  async renew(c) {
    if (c.stranger) return;
    const r = await this.farm.request('GET', '/session', undefined, { Authorization: null, ...Object.fromEntries(c.headers) }).catch(() => null);
    if (!r) return; // another check finds that the server has ended
    const who = r.ok ? await r.json() : (await r.body?.cancel(), null);
    if (who && (c.team === 'none' || who.team === c.team || c.link)) return;
    c.headers = await c.login().catch(() => c.headers); // the object that the credential gives access to may be deleted
  }

  /** Finishes a few of the waiting jobs, so that there are results. */
  async work() {
    try {
      await this.worker.finish(await this.worker.claim(8));
    } catch {
      await this.worker.open(); // the attack has ended its session
    }
  }
}
