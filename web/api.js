// api.js: the one file that calls /api/v1.

import { signal } from './ui/lib.js';

/** @template X @typedef {import('./types.js').List<X>} List */

const BASE = '/api/v1';

/** What went wrong, in three parts: what happened and why (detail), what now (hint). */
export class Problem extends Error {
  /** @param {import('./types.js').ProblemDocument & { detail: string }} doc */
  constructor(doc) {
    super(doc.detail);
    this.status = doc.status ?? 0;
    this.code = doc.code ?? '';
    this.hint = doc.hint ?? '';
    this.requestId = doc.request_id ?? '';
  }
}

export const offline = () => new Problem({
  code: 'no_answer', detail: 'The server does not answer.',
  hint: 'It may be stopped or restarting, or the network is gone. This page tries again when you do.',
});

/** Who is logged in. undefined: not known yet; null: nobody. */
export const who = signal(/** @type {import('./types.js').Session|null|undefined} */ (undefined));
/** Whether the one who is logged in may do what the scope names. @param {string} scope */
export const may = (scope) => who.value?.scopes.includes(scope) ?? false;

/** Called when an answer says that nobody is logged in. @type {() => void} */
let signedOut = () => {};
/** @param {() => void} fn */
export function onSignedOut(fn) { signedOut = fn; }

/** @param {Response} answer */
async function problemOf(answer) {
  let doc = {};
  if ((answer.headers.get('content-type') ?? '').includes('json')) {
    try { doc = await answer.json(); } catch { /* an answer cut short: its status still says something */ }
  }
  return new Problem({ detail: `The server answered ${answer.status} ${answer.statusText}`.trim() + '.', ...doc, status: answer.status });
}

/** What early.js has asked, each for once. @type {Map<string, Promise<Response>>} */
const early = /** @type {any} */ (globalThis).early ?? new Map();
/** @param {string} path @returns {Promise<Response>|undefined} */
function takeEarly(path) {
  const answer = early.get(path);
  early.delete(path);
  return answer;
}

/** @param {string} method @param {string} path @param {{ body?: unknown, file?: Blob, abort?: AbortSignal, quiet?: boolean, raw?: boolean }} [options] raw: the answer's bytes */
async function call(method, path, { body, file, abort, quiet, raw } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: 'application/json' };
  if (method !== 'GET') headers['X-Vivace-Request'] = '1';
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (file) headers['Content-Type'] = 'application/octet-stream';
  /** @type {Response} */
  let answer;
  try {
    answer = await ((method === 'GET' && takeEarly(path)) || fetch(BASE + path, { method, headers, signal: abort, body: file ?? (body === undefined ? undefined : JSON.stringify(body)), credentials: 'same-origin' }));
  } catch (e) {
    if (e instanceof DOMException && e.name === 'AbortError') throw e;
    throw offline();
  }
  if (answer.status === 401) early.clear(); // whoever comes next is somebody else
  if (answer.status === 401 && !quiet) signedOut();
  if (!answer.ok) throw await problemOf(answer);
  if (answer.status === 204) return null;
  try {
    return raw ? await answer.arrayBuffer() : await answer.json();
  } catch (e) {
    if (e instanceof DOMException && e.name === 'AbortError') throw e;
    throw new Problem({ status: answer.status, code: 'cut_short', detail: 'The answer of the server ended too early.', hint: 'Try again.' });
  }
}

/** @param {string} path @param {AbortSignal} [abort] */
const get = (path, abort) => call('GET', path, { abort });
/** @param {string} path @param {unknown} [body] */
const post = (path, body) => call('POST', path, { body });
/** @param {Record<string, string|number|null|undefined>} params */
function query(params) {
  const given = Object.entries(params).filter(([, v]) => v !== null && v !== undefined && v !== '').map(([k, v]) => [k, String(v)]);
  return given.length ? `?${new URLSearchParams(given)}` : '';
}
const id = encodeURIComponent;

export const session = {
  /** @returns {Promise<import('./types.js').Session>} */
  get: () => call('GET', '/session', { quiet: true }),
  /** @param {{ token: string } | { user: string, password: string }} proof @returns {Promise<import('./types.js').Session>} */
  open: (proof) => call('POST', '/session', { body: proof, quiet: true }),
  /** Works for another team of the same person. @param {string} team */
  turn: (team) => call('PATCH', '/session', { body: { team } }),
  close: () => call('DELETE', '/session', { quiet: true }),
};

/** `first`: ids that come before all others. @param {{ q?: string, state?: string, archived?: string, sort?: string, first?: string, after?: string }} [by] @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').Workload>>} */
export const workloads = (by = {}, abort) => get(`/workloads${query(by)}`, abort);
/** @param {string} q @param {AbortSignal} [abort] @returns {Promise<{ items: import('./types.js').SearchItem[] }>} */
export const search = (q, abort) => get(`/search${query({ q })}`, abort);
/** @param {string} w @param {AbortSignal} [abort] @returns {Promise<import('./types.js').WorkloadDetail>} */
export const workload = (w, abort) => get(`/workloads/${id(w)}`, abort);
/** @param {string} w @param {{ name?: string, archived?: boolean }} to @returns {Promise<null>} */
export const changeWorkload = (w, to) => call('PATCH', `/workloads/${id(w)}`, { body: to });
/** @param {string} w */
export const deleteWorkload = (w) => call('DELETE', `/workloads/${id(w)}`);

/** @param {string} name @param {number} bytes @returns {Promise<import('./types.js').Upload>} */
export const createUpload = (name, bytes) => post('/uploads', { name, bytes });
/** @param {string} u @returns {Promise<import('./types.js').Upload>} */
export const upload = (u) => get(`/uploads/${id(u)}`);
/** @param {string} u @returns {Promise<{ import: string }>} */
export const finishUpload = (u) => post(`/uploads/${id(u)}/finish`);
/** @param {string} u */
export const deleteUpload = (u) => call('DELETE', `/uploads/${id(u)}`);
/** @returns {Promise<{ items: { name: string, profile_bytes: number, traces_bytes: number }[] }>} */
export const examples = () => get('/examples');
/** @param {string} name @returns {Promise<{ import: string }>} */
export const loadExample = (name) => post(`/examples/${id(name)}`);
/** @param {string} i @returns {Promise<import('./types.js').Import>} */
export const importState = (i) => get(`/imports/${id(i)}`);

/** Sends one piece. XMLHttpRequest, because fetch does not tell how much has been sent.
 * @param {string} u @param {number} n @param {Blob} piece @param {(sent: number) => void} sent @param {AbortSignal} abort
 * @returns {Promise<void>} */
export function sendPiece(u, n, piece, sent, abort) {
  return new Promise((resolve, reject) => {
    const x = new XMLHttpRequest();
    const stop = () => x.abort();
    abort.addEventListener('abort', stop, { once: true });
    x.open('PUT', `${BASE}/uploads/${id(u)}/pieces/${n}`);
    x.setRequestHeader('Content-Type', 'application/octet-stream');
    x.setRequestHeader('X-Vivace-Request', '1');
    x.upload.onprogress = (e) => sent(e.loaded);
    x.onabort = () => reject(new DOMException('aborted', 'AbortError'));
    x.onerror = () => reject(offline());
    x.onload = () => {
      if (x.status === 401) signedOut();
      if (x.status >= 200 && x.status < 300) resolve();
      else {
        let doc = {};
        try { doc = JSON.parse(x.responseText); } catch { /* no document: the status has to do */ }
        reject(new Problem({ detail: `The server answered ${x.status} to piece ${n}.`, ...doc, status: x.status }));
      }
    };
    x.onloadend = () => abort.removeEventListener('abort', stop);
    x.send(piece);
  });
}

/** @param {string} p @param {AbortSignal} [abort] @returns {Promise<import('./types.js').Profile>} */
export const profile = (p, abort) => get(`/profiles/${id(p)}`, abort);
/** @param {string} p @param {string} [after] @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').Kernel>>} */
export const kernels = (p, after, abort) => get(`/profiles/${id(p)}/kernels${query({ limit: 1000, after })}`, abort);
/** Which histogram: of a kernel (or all), of a plan's strata or of one of them, in a window of values.
 * @typedef {{ kernel?: string, plan?: string, stratum?: string, scale?: string, bins?: number, from?: string, to?: string }} HistogramOf */
/** @param {string} p @param {HistogramOf} of */
const histogramPath = (p, of) => `/profiles/${id(p)}/histogram${query({ bins: 120, scale: 'log', ...of })}`;
/** @param {string} p @param {HistogramOf} of @param {AbortSignal} [abort] @returns {Promise<import('./types.js').Histogram>} */
export const histogram = (p, of, abort) => get(histogramPath(p, of), abort);
/** The median, p99 and spread of each kernel. @param {string} p @param {AbortSignal} [abort] @returns {Promise<import('./types.js').Spreads>} */
export const spreads = (p, abort) => get(`/profiles/${id(p)}/spreads?limit=1000`, abort);
/** The launches of a kernel (or all), in a window of launch numbers. @typedef {{ kernel: string, from?: string, to?: string }} SeriesOf */
/** @param {string} p @param {SeriesOf} of */
const seriesPath = (p, of) => `/profiles/${id(p)}/series${query({ points: 1000, ...of })}`;
/** @param {string} p @param {SeriesOf} of @param {AbortSignal} [abort] @returns {Promise<import('./types.js').LaunchSeries>} */
export const launchSeries = (p, of, abort) => get(seriesPath(p, of), abort);
/** A window of the profile's time. @typedef {{ from_ns?: string, to_ns?: string }} LanesOf */
/** @param {string} p @param {LanesOf} of */
const lanesPath = (p, of) => `/profiles/${id(p)}/lanes${query(of)}`;
/** @param {string} p @param {LanesOf} of @param {AbortSignal} [abort] @returns {Promise<import('./types.js').StreamLanes>} */
export const streamLanes = (p, of, abort) => get(lanesPath(p, of), abort);
/** @param {AbortSignal} [abort] @returns {Promise<{ items: import('./types.js').Method[] }>} */
export const methods = (abort) => get('/methods', abort);
/** @param {string} p @param {number} confidence @param {string[]} methods_ @param {number[]} errors */
const sweepPath = (p, confidence, methods_, errors) => `/profiles/${id(p)}/sweep${query({ confidence, errors: errors.join(','), method: methods_.join(',') })}`;
/** Some methods at several errors. @param {string} p @param {number} confidence @param {string[]} methods_ @param {AbortSignal} abort @param {number[]} errors
 * @returns {Promise<{ items: import('./types.js').SweepItem[] }>} */
export const sweep = (p, confidence, methods_, abort, errors) => get(sweepPath(p, confidence, methods_, errors), abort);

/** @param {string} p @param {File} file @returns {Promise<import('./types.js').FeaturesAdded>} */
export const addFeatures = (p, file) => call('POST', `/profiles/${id(p)}/features${query({ name: file.name })}`, { file });
/** @param {string} p @param {import('./types.js').PlanParams} params @returns {Promise<import('./types.js').Plan>} */
export const createPlan = (p, params) => post(`/profiles/${id(p)}/plans`, params);
/** @typedef {import('./types.js').Pilot} Pilot */
/** @param {string} p @param {{ design: string, plan: import('./types.js').PlanParams }} how @returns {Promise<Pilot>} */
export const createPilot = (p, how) => post(`/profiles/${id(p)}/pilots`, how);
/** The newest first. @param {string} p @param {AbortSignal} [abort] @returns {Promise<List<Pilot>>} */
export const pilots = (p, abort) => get(`/profiles/${id(p)}/pilots${query({ limit: 5 })}`, abort);
/** @param {string} p @param {AbortSignal} [abort] @returns {Promise<Pilot>} */
export const pilot = (p, abort) => get(`/pilots/${id(p)}`, abort);
/** @param {string} p @param {'cancel'|'retry'} act @returns {Promise<Pilot>} */
export const steerPilot = (p, act) => post(`/pilots/${id(p)}/${act}`, {});
/** @param {string} p @param {AbortSignal} [abort] @returns {Promise<import('./types.js').Plan>} */
export const plan = (p, abort) => get(`/plans/${id(p)}`, abort);
/** @param {{ workload?: string, sort?: string, after?: string }} [by] @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').PlanBrief>>} */
export const plans = (by = {}, abort) => get(`/plans${query(by)}`, abort);
/** What was drawn from a stratum. @param {string} p @param {string} stratum @param {AbortSignal} [abort]
 * @returns {Promise<List<import('./types.js').PlanSample>>} */
export const samples = (p, stratum, abort) => get(`/plans/${id(p)}/samples${query({ stratum, limit: 1000 })}`, abort);
/** @param {string} p @param {AbortSignal} [abort] @returns {Promise<import('./types.js').Traces>} */
export const traces = (p, abort) => get(`/plans/${id(p)}/traces`, abort);
/** Where the samples were launched. @param {string} p @param {AbortSignal} [abort] @returns {Promise<import('./types.js').TraceContext[]>} */
export const traceContexts = async (p, abort) => (await get(`/plans/${id(p)}/trace-commands${query({ for: 'list', format: 'json', context: 0 })}`, abort)).contexts;
/** @param {string} p @param {string} tool @param {number} context @param {AbortSignal} [abort] @returns {Promise<import('./types.js').TraceCommands>} */
export const traceCommands = (p, tool, context, abort) => get(`/plans/${id(p)}/trace-commands${query({ for: tool, context, format: 'json' })}`, abort);
/** @param {string} p @param {number} context @param {Blob} list @returns {Promise<import('./types.js').LaunchVerdict>} */
export const compareLaunches = (p, context, list) => call('POST', `/plans/${id(p)}/launch-list${query({ context })}`, { file: list });
/** The same as CSV. @param {string} path */
const csv = (path) => `${BASE}${path}${path.includes('?') ? '&' : '?'}format=csv`;
/** Addresses for scripts: what is shown can be had. */
export const address = {
  /** @param {string} p @param {string} [stratum] */
  samplesCsv: (p, stratum) => `${BASE}/plans/${id(p)}/samples${query({ stratum, format: 'csv' })}`,
  /** @param {string} p @param {HistogramOf} of */
  histogram: (p, of) => csv(histogramPath(p, of)),
  /** @param {string} p @param {SeriesOf} of */
  launchSeries: (p, of) => csv(seriesPath(p, of)),
  /** @param {string} p @param {LanesOf} of */
  streamLanes: (p, of) => csv(lanesPath(p, of)),
  /** @param {string} p */
  kernels: (p) => csv(`/profiles/${id(p)}/kernels`),
  /** @param {string} p @param {number} confidence */
  sweep: (p, confidence) => csv(sweepPath(p, confidence, [], [0.01, 0.02, 0.03, 0.05, 0.1])),
  /** @param {string} r @param {string} design */
  convergence: (r, design) => csv(convergencePath(r, design)),
  /** @param {string} r @param {string} design */
  runStrata: (r, design) => csv(strataPath(r, design)),
  /** @param {string} p */
  planFile: (p) => `${BASE}/plans/${id(p)}/file`,
  /** @param {string} p @param {string} tool @param {number} context */
  traceScript: (p, tool, context) => `${BASE}/plans/${id(p)}/trace-commands${query({ for: tool, context })}`,
  /** @param {string} p @param {string} format */
  launches: (p, format) => `${BASE}/plans/${id(p)}/trace-commands${query({ for: 'list', format })}`,
  /** @param {string} r */
  projection: (r) => `${BASE}/runs/${id(r)}/projection`,
  /** @param {CompareOf} of @param {string} format */
  compare: (of, format) => `${BASE}/compare${query({ ...of, format })}`,
  /** @param {string} r */
  notSimulated: (r) => `${BASE}/runs/${id(r)}/not-simulated?format=csv`,
  /** @param {string} r @param {string} name @param {string} format */
  series: (r, name, format) => `${BASE}/results/${id(r)}/series${query({ name, format })}`,
  /** @param {string} r @param {'chrome'|'recording'} format */
  seriesWhole: (r, format) => `${BASE}/results/${id(r)}/series${query({ format })}`,
  audit: () => `${BASE}/audit?format=csv`,
};
/** @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').Design>>} */
export const designs = (abort) => get('/designs', abort);

/** @param {string} p @param {AbortSignal} [abort] @returns {Promise<{ items: import('./types.js').PlanCost[] }>} */
export const planCosts = (p, abort) => get(`/plans/${id(p)}/costs`, abort);
/** @param {string} p @param {{ designs: string[], engine: string, [more: string]: any }} how @returns {Promise<import('./types.js').Run>} */
export const createRun = (p, how) => post(`/plans/${id(p)}/runs`, how);
/** @param {{ workload?: string, q?: string, sort?: string, after?: string }} [by] @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').RunBrief>>} */
export const runs = (by = {}, abort) => get(`/runs${query(by)}`, abort);
/** @param {string} r @param {AbortSignal} [abort] @returns {Promise<import('./types.js').Run>} */
export const run = (r, abort) => get(`/runs/${id(r)}`, abort);
/** @param {string} r @param {string} design @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').RunStratum>>} */
export const runStrata = (r, design, abort) => get(strataPath(r, design, 1000), abort);
/** @param {string} r @param {string} design @param {number} [limit] */
const strataPath = (r, design, limit) => `/runs/${id(r)}/strata${query({ design, limit })}`;
/** @param {string} r @param {string} design */
const convergencePath = (r, design) => `/runs/${id(r)}/convergence${query({ design })}`;
/** @param {string} r @param {string} design @param {AbortSignal} [abort] @returns {Promise<import('./types.js').Convergence>} */
export const convergence = (r, design, abort) => get(convergencePath(r, design), abort);
/** @param {string} r @param {AbortSignal} [abort] @returns {Promise<import('./types.js').RunParts>} */
export const runParts = (r, abort) => get(`/runs/${id(r)}/projection`, abort);
/** @param {string} r @param {AbortSignal} [abort] @returns {Promise<import('./types.js').RunMetrics>} */
export const runMetrics = (r, abort) => get(`/runs/${id(r)}/metrics`, abort);
/** @param {string} r @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').RunEvent>>} */
export const runEvents = (r, abort) => get(`/runs/${id(r)}/events`, abort);
/** @param {string} r @param {{ state?: string, design?: string, after?: string }} by @param {AbortSignal} [abort]
 * @returns {Promise<List<import('./types.js').Job>>} */
export const jobs = (r, by, abort) => get(`/runs/${id(r)}/jobs${query({ limit: 200, ...by })}`, abort);
/** @param {string} j @param {AbortSignal} [abort] @returns {Promise<import('./types.js').Job>} */
export const job = (j, abort) => get(`/jobs/${id(j)}`, abort);
/** @param {string} j @returns {Promise<import('./types.js').Job>} */
export const retryJob = (j) => post(`/jobs/${id(j)}/retry`);
/** @param {string} j @param {'redraw'|'drop'} what @returns {Promise<import('./types.js').Run>} */
export const takeOut = (j, what) => post(`/jobs/${id(j)}/${what}`);
/** @param {string} r @param {'cancel'|'pause'|'resume'} what @returns {Promise<import('./types.js').Run>} */
export const changeRun = (r, what) => post(`/runs/${id(r)}/${what}`);
/** @param {string} r @param {number} look @param {'accept'|'undo'} what @returns {Promise<import('./types.js').Run>} */
export const answerLook = (r, look, what) => post(`/runs/${id(r)}/looks/${look}/${what}`);

/** @param {string} r @param {AbortSignal} [abort] @returns {Promise<import('./types.js').Result>} */
export const result = (r, abort) => get(`/results/${id(r)}`, abort);
/** @param {string} r @returns {Promise<import('./types.js').Recording>} */
export const recordSeries = (r) => post(`/results/${id(r)}/series`);
/** @param {string} r @param {AbortSignal} [abort] @returns {Promise<import('./types.js').SeriesList>} */
export const seriesList = (r, abort) => get(`/results/${id(r)}/series`, abort);
/** Numbers of one answer at most: 12 MB. */
const POINTS_MAX = 1 << 20;
/** One of them over the whole launch, every interval or, of thousands of lines, as many as fit: numbers that need no parsing.
 * @param {string} r @param {import('./types.js').SeriesKind} kind @param {import('./types.js').SeriesList} list @param {AbortSignal} [abort]
 * @returns {Promise<import('./charts/time_chart.js').Series>} */
export async function seriesMatrix(r, kind, list, abort) {
  const columns = Math.min(4096, Math.floor(POINTS_MAX / kind.lines));
  const { npy } = await import('./npy.js');
  const { shape, values } = npy(await call('GET', `/results/${id(r)}/series${query({ name: kind.name, columns, format: 'npy' })}`, { abort, raw: true }));
  return { name: kind.name, title: kind.title, unit: kind.unit, labels: kind.labels, lines: shape[0], columns: shape[1], from: 0, to: list.cycles, column: list.interval_cycles * Math.ceil(list.intervals / columns), values };
}

/** Designs of one or several runs, each RUN:DESIGN, with commas between.
 * @typedef {{ base: string, with: string, kernels?: string, parameters?: string, resolve?: string }} CompareOf */
/** @param {CompareOf} of @param {AbortSignal} [abort] @returns {Promise<import('./types.js').Comparison>} */
export const compare = (of, abort) => get(`/compare${query(of)}`, abort);
/** Goes on until differences are known so well. @param {string} r @param {{ resolve: number, baseline: number, approve: string }} rule
 * @returns {Promise<import('./types.js').Run>} */
export const extendRun = (r, rule) => post(`/runs/${id(r)}/extend`, rule);
/** What empty caches cost is measured on a few launches. @param {string} r @returns {Promise<import('./types.js').Run>} */
export const checkCaches = (r) => post(`/runs/${id(r)}/cache-check`, {});

/** @param {AbortSignal} [abort] @returns {Promise<import('./types.js').Farm>} */
export const farm = (abort) => get('/farm', abort);
/** What the farm did in the last hour. @param {AbortSignal} [abort] @returns {Promise<import('./types.js').Activity>} */
export const activity = (abort) => get('/farm/activity', abort);
/** @param {string} w @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').WorkerAttempt>>} */
export const workerAttempts = (w, abort) => get(`/workers/${id(w)}/attempts`, abort);
/** @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').Worker>>} */
export const workers = (abort) => get('/workers', abort);

/** @typedef {import('./types.js').Role} Role */
/** @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').Team>>} */
export const teams = (abort) => get('/teams?limit=1000', abort);
/** @param {string} t @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').Member>>} */
export const members = (t, abort) => get(`/teams/${id(t)}/members?limit=1000`, abort);
/** @param {string} t @param {string} user @param {Role} role */
export const setRole = (t, user, role) => call('PUT', `/teams/${id(t)}/members/${id(user)}`, { body: { role } });
/** @param {string} t @param {string} user */
export const removeMember = (t, user) => call('DELETE', `/teams/${id(t)}/members/${id(user)}`);
/** @param {string} t @param {Role} role @param {number} days @returns {Promise<import('./types.js').Invitation>} */
export const invite = (t, role, days) => post(`/teams/${id(t)}/invitations`, { role, expires_days: days });
/** With a name and a password a new account joins; without them the one that asks.
 * @param {{ invitation: string, user?: string, password?: string }} with_ @returns {Promise<import('./types.js').Session>} */
export const join = (with_) => call('POST', '/invitations', { body: with_, quiet: true });
/** @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').Token>>} */
export const tokens = (abort) => get('/tokens', abort);
/** @param {{ name: string, scopes: string[], expires_days: number, for?: string }} wish
 * @returns {Promise<import('./types.js').Token & { token: string }>} */
export const createToken = (wish) => post('/tokens', wish);
/** @param {string} t */
export const deleteToken = (t) => call('DELETE', `/tokens/${id(t)}`);
/** @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').Share>>} */
export const shares = (abort) => get('/shares?limit=1000', abort);
/** @param {import('./types.js').ShareWish} wish @returns {Promise<{ id: string, url: string }>} */
export const createShare = (wish) => post('/shares', wish);
/** @param {string} s */
export const deleteShare = (s) => call('DELETE', `/shares/${id(s)}`);
/** @param {string} [after] @param {AbortSignal} [abort] @returns {Promise<List<import('./types.js').AuditEntry>>} */
export const audit = (after, abort) => get(`/audit${query({ limit: 50, after })}`, abort);

/** Address of the event stream. @param {string[]} topics */
export const eventsAddress = (topics) => `${BASE}/events?topics=${topics.map(encodeURIComponent).join(',')}`;
