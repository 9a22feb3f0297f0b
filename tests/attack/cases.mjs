// tests/attack/cases.mjs: makes the requests of the attack: a route of the API document, a caller, and a valid, nearly valid or
// hostile request.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { report } from '../api/scripted_worker.mjs';
import * as hostile from './hostile.mjs';
import { marker, victim } from './world.mjs';

/** The scopes that give access to a route. null: the route takes any credential, or none. */
export const opens = ({ scope, method }) => ({ read: ['read'], write: ['write'], admin: ['admin'], team: ['admin', 'farm'], farm: ['farm'],
  worker: method === 'GET' ? ['worker', 'read'] : ['worker'] })[scope] ?? null;

export const routesOf = (document) => Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item).map(([method, op]) => ({
  method: method.toUpperCase(), path, op, scope: op.security.length ? op.security[0].token[0] : 'none', key: `${method.toUpperCase()} ${path}` })));

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
const methodsOfSampling = ['vivace', 'srs', 'stem', 'sieve', 'pka', 'photon', 'random', 'nonsense'];

export class Cases {
  constructor(world, document, schemas) {
    Object.assign(this, { world, document, schemas, routes: routesOf(document) });
  }

  /** One request, drawn from `random`: {caller, route, method, path, headers, body, chunked, version, wild, foreign}. */
  make(random) {
    const route = random.pick(this.routes), caller = this.#caller(route, random);
    const c = { caller, route, method: route.method, foreign: null, wild: false, version: 'HTTP/1.1', chunked: 0, body: null, type: null };
    const params = this.#params(c, random);
    c.path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => params[name]) + this.#query(c, random);
    if (route.op.requestBody) this.#body(c, params, random);
    c.headers = this.#headers(c, random);
    if (random.chance(12)) this.#spoil(c, random);
    if (c.method === 'DELETE' && this.world.kept.has(params.workload)) c.path = `/api/v1/workloads/${random.uuid()}`;
    return c;
  }

  /** The caller: most often one who has access to the route. */
  #caller(route, random) {
    const needed = opens(route), may = needed ? this.world.callers.filter((c) => c.scopes.some((s) => needed.includes(s))) : [];
    return random.pick(may.length && random.chance(65) ? may : this.world.callers);
  }

  // --- Addresses ---

  #params(c, random) {
    return Object.fromEntries([...c.route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, this.#param(c, name, random)]));
  }

  #param(c, name, random) {
    const team = c.caller.team, other = team === 'red' ? 'blue' : 'red';
    const own = name === 'team' ? [team, team, 'red', 'default'] : this.#known(team, name);
    const foreign = name === 'team' ? [other] : this.world.pool(other, name);
    const draw = random.below(100);
    if (draw < 62 && own.length) return encodeURIComponent(random.pick(own));
    if (draw < 80 && foreign.length) {
      if (team !== 'none' && name !== 'team' && !own.includes(foreign[0])) c.foreign = name;
      return encodeURIComponent(random.pick(foreign));
    }
    if (draw < 88) return random.uuid();
    const text = random.pick(hostile.strings).replaceAll(/[\ud800-\udfff]/g, '');
    return random.chance(80) ? encodeURIComponent(text) || '%20' : random.pick(['%00', '%2f', '..', '%2e%2e', '%ff', '%', '%zz', '%0d%0aX-Injected:%201']);
  }

  #known(team, name) {
    const fixed = { code: ['invalid', 'not_found', 'nonsense'], piece: ['0', '0', '1', '99999999999', '-1'], design: ['v100', 'h100', 'nonsense'], secret: ['A'.repeat(22)], user: [...this.world.pool('farm', 'user')],
      sha256: [...this.world.pool(team, 'sha256'), 'f'.repeat(64)] };
    return fixed[name] ?? this.world.pool(team, name);
  }

  #query(c, random) {
    const parts = [];
    for (const p of (c.route.op.parameters ?? []).filter((q) => q.in === 'query')) {
      const needed = ['kernel', 'for', 'topics', 'context'].includes(p.name);
      if (!random.chance(needed ? 85 : 30)) continue;
      const value = random.chance(70) ? this.#goodQuery(c, p, random) : random.chance(50) ? random.pick(hostile.strings).slice(0, 600) : random.pick(hostile.numbers);
      parts.push(`${p.name}=${encodeURIComponent(String(value).replaceAll(/[\ud800-\udfff]/g, ''))}`);
    }
    if (random.chance(4)) parts.push(random.pick(['x=1', 'limit', '=', '&&&', 'limit=1&limit=2', 'after=%', 'q=%00', 'a'.repeat(3000)]));
    return parts.length ? `?${parts.join('&')}` : '';
  }

  #goodQuery(c, p, random) {
    const team = c.caller.team, pool = (kind) => random.pick([...this.world.pool(team, kind), random.uuid()]);
    switch (p.name) {
      case 'topics': return random.pick(['farm', `run:${pool('run')}`, `import:${pool('import')}`]);
      case 'for': return random.pick(['list', 'ncu', 'accel-sim', 'macsim', 'accel-sim-old']);
      case 'context': return 0;
      case 'after': return random.pick([...this.world.pool(team, 'next'), '0', 'x']);
      case 'plan': case 'workload': return pool(p.name);
      case 'design': return random.pick(['v100', 'replay', '']);
      case 'kernel': return random.pick(['0', '1', 'all']);
      case 'errors': return random.pick(['0.05', '0.01,0.05', '1', '0.1,'.repeat(50)]);
      case 'method': return random.pick(methodsOfSampling);
      default: return this.schemas.make(p.schema ?? {}, random);
    }
  }

  // --- Bodies ---

  #body(c, params, random) {
    const [type, media] = Object.entries(c.route.op.requestBody.content)[0];
    c.type = random.chance(93) ? type : random.pick(hostile.types);
    if (type !== 'application/json') c.body = this.#bytes(c, params, random);
    else if (random.chance(12)) c.body = Buffer.from(random.pick(hostile.texts)());
    else {
      let value = this.#known_body(c, random) ?? this.schemas.make(media.schema, random, (name, r) => this.#hint(c, name, r));
      if (random.chance(55)) for (let i = 0; i <= random.below(2); i++) value = hostile.damage(value, random);
      c.body = Buffer.from(JSON.stringify(value) ?? '');
    }
  }

  /** A value for the member `name` of a body. The attack remembers the passwords that it invents: no log may contain them. */
  #hint(c, name, random) {
    const team = c.caller.team, pool = (kind) => random.pick([...this.world.pool(team, kind), random.uuid()]);
    switch (name) {
      case 'password': case 'current': {
        const text = `an invented password ${random.hex(8)}`;
        this.world.secrets.add(text);
        return text;
      }
      case 'user': return random.chance(60) ? `person-${random.hex(3)}` : random.pick(this.world.pool('farm', 'user'));
      case 'team': return random.chance(40) ? `team-${random.hex(3)}` : random.pick(['red', 'blue', 'default', team]);
      case 'object': return pool(random.pick(['run', 'plan', 'profile']));
      case 'name': case 'workload': return `${team === 'none' ? 'x' : marker(team)}-${random.hex(4)}`;
      case 'bytes': return random.chance(70) ? 100 : random.below(2000);
      case 'designs': return random.chance(50) ? [] : ['v100'];
      case 'method': return random.pick(methodsOfSampling);
      case 'scopes': return random.pick([['read'], ['read', 'write'], ['admin'], ['worker'], ['farm'], []]);
      default: return undefined;
    }
  }

  /** The body that a worker would send now, and other bodies that the API document describes only in part. */
  #known_body(c, random) {
    const { worker } = this.world, session = worker.session;
    switch (c.route.path) {
      case '/api/v1/worker/sessions': return random.chance(70) ? { ...worker.about, name: `w-${random.hex(3)}` } : undefined;
      case '/api/v1/worker/claim': return { session, slots: random.below(4), wait_s: 0, ...(random.chance(30) ? { pack: 8 } : {}) };
      case '/api/v1/worker/heartbeat': return { session, running: [{ job: this.#job(random), attempt: 1, cycles: 1, warp_instructions: 1 }] };
      case '/api/v1/worker/recordings': return { session, result: this.#job(random), attempt: 1, outcome: 'ok', recording: random.pick(['dml2YWNl', '', 'no base64']) };
      case '/api/v1/worker/complete': return { session, outcomes: [{ job: this.#job(random), attempt: 1, outcome: random.pick(['ok', 'crash', 'memory', 'bad_input']), message: 'x', last_lines: '', host_seconds: 1, cpu_seconds: 1,
        peak_bytes: 1, result: random.chance(50) ? null : { format: 'vivace-result', version: 1, simulator: 'replay', value: 1000, unit: 'ns', digest: digest('1000 ns') } }] };
      case '/api/v1/profiles/{profile}/plans': return random.chance(50) ? { method: random.pick(methodsOfSampling), error: random.pick([0.01, 0.05, 0.5]), seed: random.below(9) } : undefined;
      case '/api/v1/plans/{plan}/runs': return random.chance(60) ? { engine: 'replay', designs: [] } : undefined;
      case '/api/v1/session': return c.method === 'POST' && random.chance(50) ? { user: random.pick(this.world.pool('farm', 'victim')), password: victim } : undefined;
      case '/api/v1/designs': return random.chance(60) ? structuredClone(this.world.design) : undefined;
      case '/api/v1/plans/{plan}/traces': return { traces: [{ launch: random.below(200), sha256: random.pick([...this.world.pool(c.caller.team, 'sha256'), 'f'.repeat(64)]) }] };
      default: return undefined;
    }
  }

  #job(random) {
    return random.pick([...this.world.pool('red', 'job'), ...this.world.pool('blue', 'job'), random.uuid()]);
  }

  #bytes(c, params, random) {
    const good = c.route.path.endsWith('features') ? Buffer.from('launch,instructions\n0,10\n1,20\n') : c.route.path.endsWith('launch-list') ? Buffer.from('# launches\n0 k 1,1,1 32,1,1\n') : Buffer.from(report(random.below(50)));
    const bytes = random.chance(15) ? gzipSync(good) : random.chance(70) ? hostile.damageBytes(good, random) : random.bytes(random.below(300));
    if (params.sha256 && random.chance(70)) params.sha256 = digest(bytes);
    if (params.sha256) c.foreign = null; // any team may hold the same bytes
    if (params.sha256) c.path = `/api/v1/blobs/${params.sha256}`;
    return c.route.path.includes('pieces') && random.chance(60) ? Buffer.alloc(100, 'x') : bytes;
  }

  // --- Heads ---

  #headers(c, random) {
    const own = [['Host', 'localhost'], ...c.caller.headers, ['Connection', 'close']];
    if (c.type !== null) own.push(['Content-Type', c.type]);
    if (random.chance(10) && c.method === 'POST') own.push(['Idempotency-Key', `key-${random.below(50)}`]);
    if (random.chance(10)) own.push(['Range', `bytes=${random.below(50)}-${random.below(50)}`]);
    if (random.chance(3)) own.push(['If-None-Match', '*']);
    return own;
  }

  /** Damages the request as it is sent: wrong heads, chunks, addresses or versions. */
  #spoil(c, random) {
    c.wild = true;
    random.pick([
      () => { c.chunked = 1 + random.below(50); },
      () => c.headers.push(random.pick(hostile.headers)),
      () => c.headers.push(random.pick(hostile.headers), random.pick(hostile.headers)),
      () => c.headers.push(random.pick(c.headers)),
      () => { c.headers = c.headers.filter(([n]) => n !== 'Host'); },
      () => { c.path = random.pick(hostile.paths); },
      () => { c.method = random.pick(hostile.methods); },
      () => { c.version = random.pick(['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/0.9', 'HTTQ/1.1', '']); },
      () => c.headers.push(...Array.from({ length: 20 + random.below(2000) }, (_, i) => [`X-${i}`, 'y'])),
      () => { if (c.body) { c.headers.push(['Content-Encoding', 'gzip']); c.body = gzipSync(Buffer.alloc(1 << 20)); } },
      () => { c.cut = random.below(400); },
    ])();
  }
}
