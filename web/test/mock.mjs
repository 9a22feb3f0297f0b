// mock.mjs: a mock server: answers like the API with invented data, for looking at pages and for states that a healthy farm
// never shows. Tests of real behaviour use the real server (browser/first_visit.test.mjs).
import { createServer } from 'node:http';
import { readFileSync, existsSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { activity, workerAttempts } from './mock_activity.mjs';
import { compareAnswer } from './mock_compare.mjs';
import { resultAnswer } from './mock_result.mjs';
import { answersOf, empty as emptyShape, shaped } from './mock_shapes.mjs';
import { changeLabel, changeWorkload, plansBy, runsBy, whole, workloadsBy } from './mock_workloads.mjs';
import { world } from './mock_world.mjs';

export const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
export const INVITATION = 'vvi_' + 'c'.repeat(40);
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.html': 'text/html; charset=utf-8', '.txt': 'text/plain' };
const TOKEN = 'vvc_' + 'a'.repeat(40);
const OWNER = { name: 'ann', user: 'ann', team: 'arch-lab', role: 'owner', scopes: ['read', 'write', 'admin'] };
export const VIEWER = { name: 'vic', user: 'vic', team: 'arch-lab', role: 'viewer', scopes: ['read'] };
export const GUEST = { name: 'for the review', user: null, team: 'arch-lab', role: 'viewer', scopes: ['read'], share: { kind: 'run', object: 'r2', frozen: true, hide_names: true, expires_at: '2026-12-20T10:00:00Z', frozen_at: '2026-11-20T10:00:00Z' } };
const PASSWORD = 'correct horse battery';
/** Each answer is delayed by up to this number of milliseconds. A page that depends on the order of two answers then fails. */
const LATE_MS = Number(process.env.LATE_MS ?? 0);

/** The event that reports this progress of a run of the mock's data. */
export const progress = (done, value, extra = {}) => ({ run: 'r1', state: 'running', done, leased: 10, failed: 2, ready: 64 - (done - 156), blocked: 34, cancelled: 0, jobs: 266, eta_s: 1200, projections: [{ design: 'h100', value_s: value, half_width_s: 1.02, relative_half_width: 1.02 / value }], ...extra });

/** Workloads, kernels and designs whose names contain these letters. */
function search(w, q) {
  const has = (name) => name.toLowerCase().includes(q.toLowerCase());
  return [...w.workloads.filter((x) => has(x.name)).map((x) => ({ kind: 'workload', id: x.id, name: x.name, detail: '', kernel: null })),
    ...w.kernels.filter((k) => has(k.name)).map((k) => ({ kind: 'kernel', id: 'f1', name: k.name, detail: w.workloads[0].name, kernel: k.kernel })),
    ...w.designs.filter((d) => has(d.name) || d.gpu_names.some(has)).map((d) => ({ kind: 'design', id: d.id, name: d.name, detail: [`${d.sms} SMs`, ...d.gpu_names].join(', '), kernel: null }))];
}

/** `after` is the number of rows before. @param {any[]} items @param {URLSearchParams} by @param {number} rows */
function pageOf(items, by, rows) {
  const from = Number(by.get('after') ?? 0);
  return { items: items.slice(from, from + rows), next: from + rows < items.length ? String(from + rows) : null };
}

/** Waits up to LATE_MS, by a generator of its own (Numerical Recipes 7.1, ranqd1). */
function lateness() {
  let state = 1;
  return async () => {
    if (LATE_MS === 0) return;
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    await sleep((LATE_MS * state) / 2 ** 32);
  };
}

/** Starts it on a free port. `mode`: 'full', 'empty', 'broken' (every read fails), 'slow' (reads never end). */
export async function startMock(webDir) {
  const mock = {
    token: TOKEN, streams: new Set(),
    /** The promise that the answer to this path waits for, or undefined: @type {(path: string) => Promise<unknown>|undefined} */
    hold: () => undefined,
    /** Resets the data and the settings for the next test. */
    reset() {
      mock.dropStreams();
      Object.assign(mock, { eventId: 100, mode: 'full', loggedIn: true, session: OWNER, world: world(), requests: [], pieces: new Map(), failPieces: 0, streamDown: false, lastEventIds: [], goneTopics: [], pageRows: Infinity, hold: () => undefined });
    },
    /** @param {string} event @param {unknown} data */
    send(event, data) {
      mock.eventId += 1;
      for (const s of mock.streams) s.write(`id: ${mock.eventId}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    dropStreams() {
      for (const s of mock.streams) s.destroy();
      mock.streams.clear();
    },
  };
  mock.reset();
  const late = lateness();
  const server = createServer((req, res) => late().then(() => answer(mock, webDir, req, res)).catch((e) => { res.statusCode = 500; res.end(String(e)); }));
  await new Promise((r) => server.listen(0, '127.0.0.1', r));
  mock.url = `http://127.0.0.1:${server.address().port}`;
  mock.close = () => new Promise((r) => {
    mock.dropStreams();
    server.closeAllConnections();
    server.close(r);
  });
  return mock;
}

const json = (res, status, body) => {
  if (res.shapes && status < 300 && body !== null) {
    const schema = res.shapes[status];
    if (!schema) throw new Error(`${res.req.method} ${res.req.url} has no answer ${status} with JSON`);
    body = shaped(schema, body);
  }
  res.writeHead(status, { 'Content-Type': status >= 400 ? 'application/problem+json' : 'application/json' });
  res.end(body === null ? '' : JSON.stringify(body));
};
const problem = (res, status, code, detail, hint = '') => json(res, status, { title: code, status, code, detail, hint, request_id: '01890a5d-ac96-774b-bcce-b302099a8057' });

async function body(req) {
  const parts = [];
  for await (const p of req) parts.push(p);
  return Buffer.concat(parts);
}

async function answer(mock, webDir, req, res) {
  req.url = req.url.replace(/^\/s\/[^/]+(?=\/api\/)/, ''); // API requests of a shared link have addresses below the link's address
  const url = new URL(req.url, mock.url);
  mock.requests.push(`${req.method} ${url.pathname}${url.search}`);
  await mock.hold(url.pathname);
  if (url.pathname.startsWith('/assets/')) {
    const file = join(webDir, normalize(url.pathname));
    if (!file.startsWith(webDir) || !existsSync(file)) return problem(res, 404, 'not_found', 'there is no such file');
    res.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': POLICY });
    return res.end(readFileSync(file));
  }
  if (!url.pathname.startsWith('/api/')) {
    res.writeHead(200, { 'Content-Type': TYPES['.html'], 'Cache-Control': 'no-cache', 'Content-Security-Policy': POLICY, 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'same-origin' });
    return res.end(readFileSync(join(webDir, 'index.html')));
  }
  const path = url.pathname.slice('/api/v1'.length);
  res.shapes = answersOf(req.method, path);
  if (req.method !== 'GET' && req.headers['x-vivace-request'] !== '1') return problem(res, 403, 'forbidden', 'a request that changes data and has a cookie needs the header X-Vivace-Request: 1');
  if (path === '/session') return session(mock, req, res);
  if (path === '/invitations') return joinTeam(mock, req, res);
  if (!mock.loggedIn) return problem(res, 401, 'no_credential', 'no user is logged in');
  if (path === '/events') return events(mock, url, req, res);
  if (path.startsWith('/uploads') || path.startsWith('/imports')) return uploads(mock, path, req, res);
  if (mock.mode === 'slow') return undefined;
  if (mock.mode === 'broken') return problem(res, 503, 'database', 'The database does not answer: connection refused.', 'Its log is in the state folder, in postgres.log. Start it again, then try again.');
  return resources(mock, path, url, req, res);
}

async function session(mock, req, res) {
  if (req.method === 'POST') {
    const { token, user, password } = JSON.parse((await body(req)).toString());
    mock.loggedIn = token === TOKEN || (user === OWNER.user && password === PASSWORD);
    if (!mock.loggedIn) return problem(res, 401, 'no_credential', 'the proof is not known');
  }
  if (req.method === 'DELETE') {
    mock.loggedIn = false;
    res.writeHead(204);
    return res.end();
  }
  if (!mock.loggedIn) return problem(res, 401, 'no_credential', 'no user is logged in');
  if (req.method === 'PATCH') {
    mock.session = { ...mock.session, team: JSON.parse((await body(req)).toString()).team };
    res.writeHead(204);
    return res.end();
  }
  return json(res, 200, mock.session);
}

async function joinTeam(mock, req, res) {
  const { invitation, user } = JSON.parse((await body(req)).toString());
  if (invitation !== INVITATION) return problem(res, 404, 'not_found', 'the invitation is not known', 'It may be used up or expired: ask for another one.');
  mock.loggedIn = true;
  mock.session = { ...VIEWER, name: user ?? mock.session.name, user: user ?? mock.session.user, role: 'member', scopes: ['read', 'write'] };
  return json(res, 200, mock.session);
}

/** Members, tokens, links, the audit log, discards. */
async function team(mock, key, parts, req, res) {
  const w = mock.world;
  const gone = () => { res.writeHead(204); res.end(); };
  const list = (items) => json(res, 200, { items: mock.mode === 'empty' ? [] : items, next: null });
  const fields = ['POST', 'PUT'].includes(req.method) ? JSON.parse((await body(req)).toString() || '{}') : {};
  switch (key) {
    case 'GET teams': return list(w.teams);
    case 'GET teams :id members': return list(w.members);
    case 'PUT teams :id members': w.members.find((m) => m.user === parts[3]).role = fields.role; return gone();
    case 'DELETE teams :id members': w.members = w.members.filter((m) => m.user !== parts[3]); return gone();
    case 'POST teams :id invitations': return json(res, 201, { invitation: INVITATION, team: parts[1], role: fields.role, expires_at: '2026-11-29T10:00:00Z' });
    case 'GET tokens': return list(w.tokens);
    case 'POST tokens': w.tokens.push({ ...w.tokens[0], id: 't9', ...fields }); return json(res, 201, { ...w.tokens.at(-1), token: TOKEN });
    case 'DELETE tokens :id': w.tokens = w.tokens.filter((t) => t.id !== parts[1]); return gone();
    case 'GET shares': return list(w.shares);
    case 'POST shares': return json(res, 201, { id: 's9', url: `${mock.url}/s/vvs_${'b'.repeat(40)}` });
    case 'DELETE shares :id': w.shares = w.shares.filter((x) => x.id !== parts[1]); return gone();
    case 'GET audit': return list(w.audit);
    case 'GET discards': return list(w.discards.map(({ jobs_done, jobs_open, jobs_failed, workers, used_by, ...d }) => d));
    case 'GET discards :id': {
      const discard = w.discards.find((d) => d.id === parts[1]);
      return discard ? json(res, 200, discard) : problem(res, 404, 'not_found', 'There is no discard with this id.', 'It may be of another team.');
    }
    default: return null;
  }
}

function events(mock, url, req, res) {
  const gone = url.searchParams.get('topics').split(',').find((t) => mock.goneTopics.includes(t));
  if (gone) return problem(res, 404, 'not_found', `there is no topic \`${gone}\``);
  if (mock.streamDown) return problem(res, 503, 'overload', 'no');
  if (req.headers['last-event-id']) mock.lastEventIds.push(req.headers['last-event-id']);
  if (res.destroyed) return undefined; // the page has changed to other topics: no `close` would come
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  res.write(': hello\n\n');
  mock.streams.add(Object.assign(res, { topics: url.searchParams.get('topics') }));
  res.on('close', () => mock.streams.delete(res));
  return undefined;
}

const PIECE = 8388608;
async function uploads(mock, path, req, res) {
  const [, kind, id, what, n] = path.split('/');
  if (kind === 'imports') return json(res, 200, mock.world.imports[id] ?? mock.world.imports.ready);
  if (req.method === 'POST' && !id) {
    const { name, bytes } = JSON.parse((await body(req)).toString());
    const key = `u${mock.pieces.size + 1}`;
    mock.pieces.set(key, { name, bytes, have: new Set(), total: Math.ceil(bytes / PIECE), repeats: 0 });
    return json(res, 201, { id: key, piece_bytes: PIECE, missing: missing(mock.pieces.get(key)) });
  }
  const u = mock.pieces.get(id);
  if (!u) return problem(res, 404, 'not_found', 'There is no such upload.');
  if (what === 'pieces') {
    if (mock.failPieces > 0) {
      mock.failPieces -= 1;
      req.destroy();
      return undefined;
    }
    const bytes = await body(req);
    if (bytes.length !== Math.min(PIECE, u.bytes - Number(n) * PIECE)) return problem(res, 422, 'invalid', `piece ${n} has ${bytes.length} bytes`);
    if (u.have.has(Number(n))) u.repeats += 1;
    u.have.add(Number(n));
    res.writeHead(204);
    return res.end();
  }
  if (what === 'finish') {
    if (u.have.size !== u.total) return problem(res, 409, 'conflict', 'Pieces are missing.');
    return json(res, 202, { import: u.name.includes('bad') ? 'failed' : 'ready' });
  }
  if (req.method === 'DELETE') {
    mock.pieces.delete(id);
    res.writeHead(204);
    return res.end();
  }
  return json(res, 200, { id, piece_bytes: PIECE, missing: missing(u), received_bytes: [...u.have].reduce((s, i) => s + Math.min(PIECE, u.bytes - i * PIECE), 0) });
}
const missing = (u) => Array.from({ length: u.total }, (_, i) => i).filter((i) => !u.have.has(i));

function traceCommands(w, url, res) {
  const tool = url.searchParams.get('for');
  const context = Number(url.searchParams.get('context'));
  if (tool === 'list') return json(res, 200, { contexts: w.traceContexts, samples: [] });
  if (tool === 'macsim') return problem(res, 422, 'invalid', 'according to the profile, contexts 0 and 1 belong to one process. This tracer (macsim) counts over both in the order of calls, which the profile does not have', 'accel-sim (from May 2025) and ncu count in each context.');
  const commands = w.traceCommands(tool, context);
  if (url.searchParams.get('format') === 'json') return json(res, 200, commands);
  res.writeHead(200, { 'Content-Type': 'text/x-shellscript; charset=utf-8', 'Content-Disposition': `attachment; filename="${tool}-p1.sh"` });
  return res.end(commands.script);
}

function addFeatures(url, text, res) {
  const name = url.searchParams.get('name');
  if (!text.startsWith('kernel,')) return problem(res, 422, 'invalid', `${name} does not belong to the profile: there it is launch 7: copy, but here launch 7: gemm_bf16_128x256`, 'Both must come from the same run of the program.');
  return json(res, 200, { profile: 'f1', sha256: 'f'.repeat(64), launches: 60, known: 60, methods: ['sieve'], sentence: 'Added instruction counts of all 60 launches. Methods that can plan this profile now: sieve.' });
}

async function resources(mock, path, url, req, res) {
  const w = mock.world;
  const empty = mock.mode === 'empty';
  const list = (items) => json(res, 200, empty ? { items: [], next: null } : pageOf(items, url.searchParams, mock.pageRows));
  const one = (x) => (x ? json(res, 200, x) : problem(res, 404, 'not_found', 'There is nothing with this id.', 'It may have been deleted.'));
  const design = url.searchParams.get('design');
  const [, kind, id, sub] = path.split('/');
  const key = [req.method, kind, id ? ':id' : '', sub ?? ''].filter(Boolean).join(' ');
  if (['teams', 'tokens', 'shares', 'audit', 'discards'].includes(kind)) return team(mock, key, path.slice(1).split('/').map(decodeURIComponent), req, res);
  switch (key) {
    case 'GET search': return json(res, 200, { items: search(w, url.searchParams.get('q') ?? '') });
    case 'GET examples': return json(res, 200, { items: [{ name: 'tiny-gpt', profile_bytes: 68011, traces_bytes: 50882 }] });
    case 'POST examples :id': return json(res, 202, { import: 'i1' });
    case 'GET workloads': return list(workloadsBy(w.workloads, url.searchParams));
    case 'PATCH workloads :id': return changeWorkload(w, id, JSON.parse((await body(req)).toString())) ? json(res, 204, null) : problem(res, 409, 'conflict', 'there is a workload of this name already');
    case 'GET workloads :id': return one(w.details[id] && whole(empty ? { ...w.details[id], profile: null, latest_plan: null, latest_run: null, profiles: [], plans: [], runs: [] } : w.details[id]));
    case 'DELETE workloads :id': res.writeHead(204); return res.end();
    case 'GET profiles :id': return one(w.profiles[id]);
    case 'GET profiles :id kernels': return list(w.kernels);
    case 'GET profiles :id histogram': return json(res, 200, w.histogram(url));
    case 'GET profiles :id series': return json(res, 200, w.series(url));
    case 'GET profiles :id spreads': return json(res, 200, w.spreads());
    case 'GET profiles :id lanes': return json(res, 200, w.lanes(url));
    case 'GET methods': return json(res, 200, { items: w.methods });
    case 'GET profiles :id sweep': return list(w.sweepAt(url.searchParams.get('method').split(','), url.searchParams.get('errors').split(',').map(Number)));
    case 'POST profiles :id features': return addFeatures(url, (await body(req)).toString(), res);
    case 'POST profiles :id plans': return json(res, 201, w.plans.p1);
    case 'GET profiles :id pilots': return list(w.pilots.filter((p) => p.profile === id).reverse());
    case 'POST profiles :id pilots': {
      const { design: on, plan } = JSON.parse((await body(req)).toString());
      w.pilots.push(w.pilots.begun(on, plan));
      return json(res, 201, w.pilots.at(-1));
    }
    case 'GET pilots :id': return one(w.pilots.find((p) => p.id === id));
    case 'POST pilots :id cancel': return one(Object.assign(w.pilots.find((p) => p.id === id), { state: 'cancelled', problem: 'ann cancelled it', finished_at: new Date().toISOString() }));
    case 'POST pilots :id retry': {
      const again = w.pilots.find((p) => p.id === id);
      return one(Object.assign(again, { state: 'starting', problem: null, hint: null, finished_at: null, run: null, run_state: null, tries: again.tries + 1 }));
    }
    case 'GET plans': return list(plansBy(w, url.searchParams));
    case 'GET plans :id': return one(w.plans[id]);
    case 'PATCH runs :id':
    case 'PATCH plans :id': changeLabel(w[kind][id], JSON.parse((await body(req)).toString())); return json(res, 204, null);
    case 'DELETE runs :id':
    case 'DELETE plans :id': return w[kind][id].state === 'running' ? problem(res, 409, 'conflict', 'the run is running, so it cannot be deleted', 'Cancel it first, or wait for its end.') : json(res, 204, null);
    case 'GET runs :id dependents': return json(res, 200, { items: [{ kind: 'share', id: 's1', name: 'for the review', state: 'link' }] });
    case 'GET plans :id dependents': return json(res, 200, { items: [{ kind: 'run', id: 'r1', name: 'h100', state: 'done' }] });
    case 'GET plans :id costs': return json(res, 200, { simulator: '0.5.0', items: [{ design: 'a100', simulations: 240, expected_s: 754.2, fixed_s: 0.21, per_unit_s: 2.1e-6, typical_error: 0.118 }] });
    case 'GET plans :id trace-commands': return traceCommands(w, url, res);
    case 'POST plans :id launch-list': return json(res, 200, w.verdict((await body(req)).toString()));
    case 'GET plans :id samples': return list(w.planSamples(id, url.searchParams.get('stratum')));
    case 'GET plans :id traces': return json(res, 200, w.traces);
    case 'POST plans :id runs': return json(res, 201, w.runs.r1);
    case 'GET designs': return list(w.designs);
    case 'GET runs': return list(runsBy(w, url.searchParams));
    case 'GET runs :id': return one(w.runs[id] && { ...w.runs[id], as_of: String(mock.eventId) });
    case 'GET runs :id strata': return list(w.runStrata(w.runs[id]));
    case 'GET runs :id domains': {
      const parts = w.domains(w.runs[id], url.searchParams.get('by'));
      return parts ? json(res, 200, parts) : problem(res, 422, 'invalid', 'the profile has no layers: no range encloses its launch calls', 'Profile with NVTX ranges.');
    }
    case 'GET runs :id convergence': return json(res, 200, w.convergence(w.runs[id], design, empty));
    case 'GET runs :id events': return list(w.events);
    case 'GET runs :id jobs': return list(w.jobs.filter((j) => ['state', 'stratum', 'worker'].every((by) => !url.searchParams.has(by) || String(j[by]) === url.searchParams.get(by))));
    case 'POST runs :id pause': w.runs[id].state = 'paused'; return one(w.runs[id]);
    case 'POST runs :id resume': w.runs[id].state = 'running'; return one(w.runs[id]);
    case 'POST runs :id cancel': return one(Object.assign(w.runs[id], path.endsWith('/undo') ? { state: w.runs[id].was, cancel_at: null } : { was: w.runs[id].state, state: 'paused', cancel_at: new Date(Date.now() + 10000).toISOString() }));
    case 'GET jobs :id': return one(w.jobs.find((j) => j.id === id));
    case 'POST jobs :id retry': return one(w.jobs.find((j) => j.id === id));
    case 'POST jobs :id redraw':
    case 'POST jobs :id drop': {
      const job = w.jobs.find((j) => j.id === id), run = w.runs.r1, replaced = sub === 'redraw';
      if (replaced) w.jobs = w.jobs.filter((j) => j.launch !== job.launch);
      else job.dropped = true;
      const gone = run.not_simulated ?? { replaced: 0, dropped: 0 };
      run.not_simulated = { replaced: gone.replaced + Number(replaced), dropped: gone.dropped + Number(!replaced), assumption: 'launches that could not be simulated are assumed to be like the others of their strata; no interval covers an error of this assumption' };
      return one(run);
    }
    case 'GET results :id':
    case 'GET results :id series': {
      const found = resultAnswer(w, id, sub, url);
      if (!found?.bytes) return one(found?.json);
      res.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      return res.end(found.bytes);
    }
    case 'POST results :id series': return json(res, 202, { state: 'ready' });
    case 'GET compare': return one(compareAnswer(w, url));
    case 'POST runs :id extend': return one(w.runs[id]);
    case 'GET farm': return json(res, 200, empty ? { workers_alive: 0, workers_busy: 0, queue: { blocked: 0, ready: 0, leased: 0, total: 0 }, jobs_done_last_hour: 0, simulator: 'vivace-sim 0.1.0' } : w.farm);
    case 'GET farm :id': return json(res, 200, activity(w, empty));
    case 'GET workers': return list(w.workers);
    case 'GET workers :id attempts': return list(workerAttempts(w));
    default: {
      const [answered] = Object.entries(res.shapes);
      return answered ? json(res, Number(answered[0]), emptyShape(answered[1])) : problem(res, 404, 'not_found', `There is no ${key}.`);
    }
  }
}

