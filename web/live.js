// live.js: events for the views of this tab, over the browser's shared stream.
import { signal, useEffect, useRef } from './ui/lib.js';
import { address } from './api.js';
import { base } from './routes.js';

/** @typedef {{ id: string, event: string, data: any }} LiveEvent */
/** @typedef {(e: LiveEvent) => void} Handler */

/** The state of the badge. 'stale': the stream failed three times, and pages poll every five seconds. */
export const liveState = signal(/** @type {{ kind: 'idle'|'open'|'catching up'|'stale', since: number }} */ ({ kind: 'idle', since: 0 }));

const POLL_MS = 5000;
const HELLO_MS = 20000;

/** @type {Map<Handler, string[]>} */
const handlers = new Map();
/** @type {number|undefined} */
let poll;
/** @type {((topics: string[], kind: 'topics'|'hello') => void)|null} */
let transport = null;

const topicsNow = () => [...new Set([...handlers.values()].flat())];

/** @param {LiveEvent} e */
function deliver(e) {
  for (const handler of [...handlers.keys()]) handler(e);
}

/** Events since the last frame. They are applied together, so that a page is rendered once for all of them. @type {LiveEvent[]} */
let come = [];
let frame = 0;
/** @type {number|undefined} */
let late;
const LATE_MS = 250; // a hidden tab has no frames

function apply() {
  cancelAnimationFrame(frame);
  clearTimeout(late);
  const now = come;
  come = [];
  now.forEach(deliver);
}

/** @param {import('./sse.js').Message} m @returns {LiveEvent} */
function read(m) {
  try {
    return { id: m.id, event: m.event, data: JSON.parse(m.data) };
  } catch {
    return { id: m.id, event: 'reset', data: {} }; // unreadable data: reading the snapshot again is always correct
  }
}

/** @param {import('./sse.js').Message} m */
function received(m) {
  if (liveState.value.kind !== 'open') liveState.value = { kind: 'open', since: Date.now() };
  come.push(read(m));
  if (come.length > 1) return;
  frame = requestAnimationFrame(apply);
  late = setTimeout(apply, LATE_MS);
}

/** @param {import('./stream.js').State} s */
function changed(s) {
  const was = liveState.value.kind;
  if (s.kind === 'open') {
    clearInterval(poll);
    poll = undefined;
    liveState.value = { kind: 'open', since: Date.now() };
    if (was === 'stale' || was === 'catching up') deliver({ id: '', event: 'reset', data: {} });
  } else if (s.kind === 'idle') {
    liveState.value = { kind: 'idle', since: Date.now() };
  } else {
    liveState.value = { kind: s.failures < 3 ? 'catching up' : 'stale', since: s.since };
    if (s.failures >= 3 && poll === undefined) poll = setInterval(() => deliver({ id: '', event: 'poll', data: {} }), POLL_MS);
  }
}

function throughWorker() {
  const worker = new SharedWorker(new URL('./live_worker.js', import.meta.url), { type: 'module', name: `vivace-live${base}` });
  worker.port.onmessage = ({ data }) => (data.kind === 'event' ? received(data) : changed(data.state));
  worker.port.start();
  addEventListener('pagehide', () => worker.port.postMessage({ kind: 'bye' }));
  addEventListener('pageshow', (e) => { if (e.persisted) transport?.(topicsNow(), 'topics'); });
  setInterval(() => transport?.(topicsNow(), 'hello'), HELLO_MS);
  // Timers of hidden tabs are slow, and the stream may have had no room for this tab's topics.
  document.addEventListener('visibilitychange', () => { if (!document.hidden) deliver({ id: '', event: 'reset', data: {} }); });
  return (/** @type {string[]} */ topics, /** @type {string} */ kind) => worker.port.postMessage({ kind, topics, address: address.events([]) });
}

/** Without SharedWorker a tab has its own stream, and closes it while the tab is hidden. */
function ownStream() {
  /** @type {ReturnType<typeof import('./stream.js').openStream>|undefined} */
  let stream;
  /** @type {string[]} */
  let wanted = [];
  const settle = () => stream?.setTopics(document.hidden ? [] : wanted);
  import('./stream.js').then(({ openStream }) => {
    stream = openStream(address.events, received, changed);
    settle();
  }, () => changed({ kind: 'lost', failures: 3, since: Date.now() }));
  document.addEventListener('visibilitychange', () => {
    settle();
    if (!document.hidden) deliver({ id: '', event: 'reset', data: {} });
  });
  return (/** @type {string[]} */ topics) => {
    wanted = topics;
    settle();
  };
}

function settle() {
  transport ??= typeof SharedWorker === 'function' ? throughWorker() : ownStream();
  transport(topicsNow(), 'topics');
}

/** Events of these topics while the component is on the page. Kinds 'reset' and 'poll' mean: read the snapshot again.
 * @param {string[]} topics @param {Handler} handler */
export function useLive(topics, handler) {
  const latest = useRef(handler);
  latest.current = handler;
  useEffect(() => {
    if (topics.length === 0) return undefined;
    const mine = (/** @type {LiveEvent} */ e) => latest.current(e);
    handlers.set(mine, topics);
    settle();
    return () => {
      handlers.delete(mine);
      settle();
    };
  }, [topics.join()]);
}
