// api.js: the only file that calls /api/v1.

import { signal } from './ui/lib.js';
import { base } from './routes.js';
// A function for each route that the dashboard asks, made from api/: vendor.mjs puts its text in the place of these lines.
import { at } from './client.js';
export * from './client.js';

const BASE = `${base}/api/v1`;

/** An error of a request: what happened and why (detail), and what to do (hint). */
export class Problem extends Error {
  /** @param {Partial<import('./types.js').Problem> & { detail: string }} doc */
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

/** The session of the user. undefined: not known yet; null: not logged in. */
export const who = signal(/** @type {import('./types.js').Credential|null|undefined} */ (undefined));
/** Whether the user has this scope. @param {string} scope */
export const may = (scope) => /** @type {string[]} */ (who.value?.scopes ?? []).includes(scope);

/** Called when a response has status 401. @type {() => void} */
let signedOut = () => {};
/** @param {() => void} fn */
export function onSignedOut(fn) { signedOut = fn; }

/** @param {Response} answer */
async function problemOf(answer) {
  let doc = {};
  if ((answer.headers.get('content-type') ?? '').includes('json')) {
    try { doc = await answer.json(); } catch { /* incomplete response: its status is used alone */ }
  }
  return new Problem({ detail: `The server answered ${answer.status} ${answer.statusText}`.trim() + '.', ...doc, status: answer.status });
}

/** Requests that early.js has sent; each is used once. @type {Map<string, Promise<Response>>} */
const early = /** @type {any} */ (globalThis).early ?? new Map();
/** @param {string} path @returns {Promise<Response>|undefined} */
function takeEarly(path) {
  const answer = early.get(path);
  early.delete(path);
  return answer;
}

/** @param {string} method @param {string} path @param {{ body?: unknown, file?: Blob, abort?: AbortSignal, quiet?: boolean, raw?: boolean }} [options] raw: returns the response as bytes */
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
  if (answer.status === 401) early.clear(); // the next session may be of another user
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

/** Parameters without a value are omitted. @param {Record<string, any>} params */
function query(params) {
  const given = Object.entries(params).filter(([, v]) => v !== null && v !== undefined && v !== '').map(([k, v]) => [k, String(v)]);
  return given.length ? `?${new URLSearchParams(given)}` : '';
}

/** Sends one piece. Uses XMLHttpRequest, because fetch does not report upload progress.
 * @param {string} u @param {number} n @param {Blob} piece @param {(sent: number) => void} sent @param {AbortSignal} abort
 * @returns {Promise<void>} */
export function sendPiece(u, n, piece, sent, abort) {
  return new Promise((resolve, reject) => {
    const x = new XMLHttpRequest();
    const stop = () => x.abort();
    abort.addEventListener('abort', stop, { once: true });
    x.open('PUT', BASE + at.uploadPiece(u, String(n)));
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
        try { doc = JSON.parse(x.responseText); } catch { /* no problem document: the status is used alone */ }
        reject(new Problem({ detail: `The server answered ${x.status} to piece ${n}.`, ...doc, status: x.status }));
      }
    };
    x.onloadend = () => abort.removeEventListener('abort', stop);
    x.send(piece);
  });
}

/** Maximum count of points in one response: 12 MB. */
const POINTS_MAX = 1 << 20;
/** One series over the whole launch in binary form: every interval or, for thousands of lines, the number of columns
 * that fits.
 * @param {string} r @param {import('./types.js').SeriesKind} kind @param {import('./types.js').SeriesList} list @param {AbortSignal} [abort]
 * @returns {Promise<import('./charts/time_chart.js').Series>} */
export async function seriesMatrix(r, kind, list, abort) {
  const columns = Math.min(4096, Math.floor(POINTS_MAX / kind.lines));
  const { npy } = await import('./npy.js');
  const { shape, values } = npy(await call('GET', at.series(r, { name: kind.name, columns, format: 'npy' }), { abort, raw: true }));
  return { name: kind.name, title: kind.title, unit: kind.unit, labels: kind.labels, lines: shape[0], columns: shape[1], from: 0, to: list.cycles, column: list.interval_cycles * Math.ceil(list.intervals / columns), values };
}

/** Default queries of histograms and launch series: the numbers of bins and points that fit on a page. */
export const HISTOGRAM = /** @type {const} */ ({ bins: 120, scale: 'log' }), LAUNCHES = { points: 1000 };
/** @typedef {import('./client.js').HistogramQuery} HistogramOf @typedef {import('./client.js').LaunchSeriesQuery} SeriesOf */
/** @typedef {import('./client.js').StreamLanesQuery} LanesOf @typedef {import('./client.js').CompareQuery} CompareOf */
/** The query for some methods at several errors. @param {number} confidence @param {string[]} methods @param {number[]} errors */
export const sweepOf = (confidence, methods, errors) => ({ confidence, errors: errors.join(','), method: methods.join(',') });

/** Addresses of the displayed data, for links and scripts. */
export const address = {
  /** @param {string} p @param {string} [stratum] */
  samplesCsv: (p, stratum) => BASE + at.samples(p, { stratum, format: 'csv' }),
  /** @param {string} p @param {HistogramOf} of */
  histogram: (p, of) => BASE + at.histogram(p, { ...HISTOGRAM, ...of, format: 'csv' }),
  /** @param {string} p @param {SeriesOf} of */
  launchSeries: (p, of) => BASE + at.launchSeries(p, { ...LAUNCHES, ...of, format: 'csv' }),
  /** @param {string} p @param {LanesOf} of */
  streamLanes: (p, of) => BASE + at.streamLanes(p, { ...of, format: 'csv' }),
  /** @param {string} p */
  kernels: (p) => BASE + at.kernels(p, { format: 'csv' }),
  /** @param {string} p @param {number} confidence @param {number[]} errors */
  sweep: (p, confidence, errors) => BASE + at.sweep(p, { ...sweepOf(confidence, [], errors), format: 'csv' }),
  /** @param {string} r @param {string} design */
  convergence: (r, design) => BASE + at.convergence(r, { design, format: 'csv' }),
  /** @param {string} r @param {string} design */
  runStrata: (r, design) => BASE + at.runStrata(r, { design, format: 'csv' }),
  /** @param {string} r @param {import('./client.js').RunDomainsQuery['by']} by */
  runDomains: (r, by) => BASE + at.runDomains(r, { by, format: 'csv' }),
  /** @param {string} p */
  planFile: (p) => BASE + at.planFile(p),
  /** @param {string} p @param {import('./client.js').TraceCommandsQuery} by */
  traceCommands: (p, by) => BASE + at.traceCommands(p, by),
  /** @param {string} r */
  projection: (r) => BASE + at.runParts(r),
  /** @param {CompareOf} of @param {'csv'|'json'} format */
  compare: (of, format) => BASE + at.compare({ ...of, format }),
  /** @param {string} r */
  notSimulated: (r) => BASE + at.notSimulated(r, { format: 'csv' }),
  /** @param {string} r @param {import('./client.js').SeriesQuery} by */
  series: (r, by) => BASE + at.series(r, by),
  audit: () => BASE + at.audit({ format: 'csv' }),
  /** The event stream. @param {string[]} topics */
  events: (topics) => `${BASE}${at.events()}?topics=${topics.map(encodeURIComponent).join(',')}`,
};
