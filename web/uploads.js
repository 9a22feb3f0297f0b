// uploads.js: uploads to the server. They continue when the user leaves the view, and can be resumed after a reload.
import { batch, signal } from './ui/lib.js';
import * as api from './api.js';
import { backoff } from './sse.js';

/** State of an upload. `sent` counts sent bytes; pieces that the server has count completely.
 * @typedef {{ key: string, name: string, bytes: number, id: string|null, sent: number, startedAt: number, sentBefore: number,
 *   phase: 'starting'|'sending'|'waiting'|'paused'|'finishing'|'importing'|'failed'|'unfinished', importId: string|null,
 *   problem: api.Problem|Error|null }} Transfer */

const AT_ONCE = 4;
const STORED = 'uploads';

export const transfers = signal(/** @type {Transfer[]} */ ([]));

/** `waiting`: requests of this start whose last attempt failed.
 * @type {Map<string, { file: File, abort: AbortController, missing: number[], piece: number, waiting: Set<symbol>, inFlight: Map<number, number> }>}
 */
const work = new Map();

/** @param {string} key @param {Partial<Transfer>} change */
function update(key, change) {
  transfers.value = transfers.value.map((t) => (t.key === key ? { ...t, ...change } : t));
}
/** @param {string} key */
const find = (key) => transfers.value.find((t) => t.key === key);

/** @typedef {{ id: string, name: string, bytes: number, modified: number }} Remembered */
/** @returns {Remembered[]} */
function remembered() {
  try {
    const list = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(list) ? list.filter((r) => typeof r?.id === 'string' && typeof r?.name === 'string') : [];
  } catch {
    return [];
  }
}
/** @param {Remembered[]} list */
const remember = (list) => localStorage.setItem(STORED, JSON.stringify(list.slice(-20)));
/** @param {string} id */
const forget = (id) => remember(remembered().filter((r) => r.id !== id));

/** After a reload: uploads that the server still waits for. The file has to be chosen again. */
export async function findUnfinished() {
  for (const r of remembered()) {
    if (transfers.value.some((t) => t.id === r.id)) continue;
    try {
      const u = await api.upload(r.id);
      if (transfers.value.some((t) => t.id === r.id)) continue;
      const sent = Math.max(0, Math.min(r.bytes, u.received_bytes ?? r.bytes - u.missing.length * u.piece_bytes));
      transfers.value = [...transfers.value, blank(`old-${r.id}`, r.name, r.bytes, { id: r.id, sent, sentBefore: sent, phase: 'unfinished' })];
    } catch (e) {
      if (e instanceof api.Problem && (e.status === 404 || e.status === 410)) forget(r.id);
    }
  }
}

/** @param {string} key @param {string} name @param {number} bytes @param {Partial<Transfer>} [rest] @returns {Transfer} */
const blank = (key, name, bytes, rest = {}) => ({
  key, name, bytes, id: null, sent: 0, startedAt: Date.now(), sentBefore: 0, phase: 'starting', importId: null, problem: null, ...rest,
});

let counter = 0;
/** @param {File[]} files */
export function addFiles(files) {
  for (const file of files) {
    const old = remembered().find((r) => r.name === file.name && r.bytes === file.size && r.modified === file.lastModified);
    if (old && transfers.value.some((t) => t.id === old.id && t.phase !== 'unfinished')) continue; // it is already being sent
    counter += 1;
    const key = `t${counter}`;
    batch(() => {
      if (old) transfers.value = transfers.value.filter((t) => t.id !== old.id);
      transfers.value = [...transfers.value, blank(key, file.name, file.size, { id: old?.id ?? null })];
    });
    work.set(key, { file, abort: new AbortController(), missing: [], piece: 0, waiting: new Set(), inFlight: new Map() });
    start(key);
  }
}

/** A file that the server has already: it is shown as uploaded. @param {string} name @param {number} bytes @param {string} importId */
export function addImport(name, bytes, importId) {
  counter += 1;
  transfers.value = [...transfers.value, blank(`t${counter}`, name, bytes, { sent: bytes, phase: 'importing', importId })];
}

/** Runs until it is stopped. Requests in progress then end independently and do not affect a later start. @param {string} key */
async function start(key) {
  const w = work.get(key);
  const t = find(key);
  if (!w || !t) return;
  w.abort = new AbortController();
  w.waiting = new Set();
  const { signal } = w.abort;
  try {
    const u = await persist(key, signal, () => (t.id ? api.upload(t.id) : api.createUpload({ name: w.file.name, bytes: w.file.size })));
    if (!u) return;
    if (signal.aborted) { // no piece was sent, and no sender is running
      if (!t.id) await drop(u.id);
      return;
    }
    if (!t.id) remember([...remembered(), { id: u.id, name: w.file.name, bytes: w.file.size, modified: w.file.lastModified }]);
    w.missing = [...u.missing];
    w.piece = u.piece_bytes;
    w.inFlight.clear();
    const before = w.file.size - w.missing.reduce((sum, n) => sum + pieceSize(w, n), 0);
    update(key, { id: u.id, phase: 'sending', sent: before, sentBefore: before, startedAt: Date.now(), problem: null });
    await Promise.all(Array.from({ length: AT_ONCE }, () => lane(key, u.id, signal)));
    if (signal.aborted) return;
    update(key, { phase: 'finishing', sent: w.file.size });
    const done = await persist(key, signal, () => api.finishUpload(u.id));
    if (!done) return;
    forget(u.id);
    update(key, { phase: 'importing', importId: done.import, problem: null });
    work.delete(key);
  } catch (e) {
    if (!signal.aborted) fail(key, e);
  }
}

/** @param {string} key @param {unknown} e */
function fail(key, e) {
  const t = find(key);
  if (!t) return;
  work.get(key)?.abort.abort();
  // An upload that the server no longer knows starts over from its first piece.
  if (e instanceof api.Problem && t.id && (e.status === 404 || e.status === 410)) {
    forget(t.id);
    update(key, { id: null });
  }
  update(key, { phase: 'failed', problem: e instanceof Error ? e : new Error(String(e)) });
}

/** @param {{ file: File, piece: number }} w @param {number} n */
const pieceSize = (w, n) => Math.max(0, Math.min(w.piece, w.file.size - n * w.piece));

/** One of four senders: takes the next missing piece until none remains. @param {string} key @param {string} id @param {AbortSignal} signal */
async function lane(key, id, signal) {
  const w = work.get(key);
  while (w && !signal.aborted) {
    const n = w.missing.shift();
    if (n === undefined) return;
    const blob = w.file.slice(n * w.piece, n * w.piece + pieceSize(w, n));
    await persist(key, signal, (through) => api.sendPiece(id, n, blob, (sent) => {
      if (sent > 0) through();
      w.inFlight.set(n, sent);
      count(key);
    }, signal));
    if (signal.aborted) return;
    w.inFlight.set(n, pieceSize(w, n));
    count(key);
  }
}

/** @param {string} key */
function count(key) {
  const t = find(key);
  const w = work.get(key);
  if (!t || !w || t.phase === 'paused') return;
  let sent = t.sentBefore;
  for (const n of w.inFlight.values()) sent += n;
  update(key, { sent: Math.min(sent, t.bytes) });
}

/** Retries until success or a permanent error; after a lost connection or with a busy server it waits. Until a try
 * succeeds, with an answer or with sent bytes (`through`), the upload is shown as waiting, because the next try may hang as
 * long as the server is away.
 * @template R @param {string} key @param {AbortSignal} signal @param {(through: () => void) => Promise<R>} act @returns {Promise<R|undefined>}
 */
async function persist(key, signal, act) {
  const waiting = work.get(key)?.waiting, me = Symbol(key);
  const through = () => {
    if (waiting?.delete(me) && waiting.size === 0 && !signal.aborted) update(key, { phase: 'sending', problem: null });
  };
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const answer = await act(through);
      through();
      return answer;
    } catch (e) {
      if (!(e instanceof api.Problem && [0, 429, 502, 503, 504].includes(e.status))) throw e;
      if (signal.aborted) return undefined;
      waiting?.add(me);
      update(key, { phase: 'waiting', problem: e });
      await new Promise((r) => setTimeout(r, backoff(failures, Math.random())));
    }
  }
  return undefined;
}

/** @param {string} key */
export function pause(key) {
  work.get(key)?.abort.abort();
  update(key, { phase: 'paused', problem: null });
}
/** Resumes an upload: the server reports the missing pieces. @param {string} key */
export function resume(key) {
  update(key, { phase: 'starting', problem: null });
  start(key);
}
/** Stops an upload and removes it from the list; the server deletes its pieces. @param {string} key */
export async function discard(key) {
  const t = find(key);
  work.get(key)?.abort.abort();
  work.delete(key);
  transfers.value = transfers.value.filter((x) => x.key !== key);
  if (!t?.id || t.phase === 'importing') return;
  forget(t.id);
  await drop(t.id);
}
/** @param {string} id */
const drop = (id) => api.deleteUpload(id).catch(() => {}); // it expires on its own
