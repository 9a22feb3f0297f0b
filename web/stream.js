// stream.js: an event stream that reconnects automatically. Runs in the shared worker, or in a tab without one. Read
// with fetch, not EventSource: only fetch allows a new connection (other topics, after a loss) to send the id of the
// last event.
import { backoff, sseParser } from './sse.js';

/** The server sends a keep-alive every 15 s; after three missing ones the connection counts as lost. */
const SILENCE_MS = 45000;
/** Maximum number of topics of a stream; tabs beyond that reload their data when they become visible. */
const TOPICS_MAX = 16;

/** @typedef {{ kind: 'open' } | { kind: 'lost', failures: number, since: number } | { kind: 'idle' }} State */

/** @param {(topics: string[]) => string} address
 * @param {(m: import('./sse.js').Message) => void} onMessage
 * @param {(s: State) => void} onState */
export function openStream(address, onMessage, onState) {
  /** @type {string[]} */
  let topics = [];
  /** @type {Set<string>} */
  const gone = new Set();
  let lastId = '';
  let failures = 0;
  let since = 0;
  /** @type {AbortController|null} */
  let current = null;

  /** Finds topics whose run or import was deleted: one such topic makes the server reject the whole stream. */
  async function sift() {
    for (const topic of asked()) {
      const abort = new AbortController();
      const answer = await fetch(address([topic]), { signal: abort.signal, credentials: 'same-origin', cache: 'no-store' });
      if (answer.status === 404) gone.add(topic);
      abort.abort();
    }
  }
  const asked = () => topics.filter((t) => !gone.has(t)).slice(0, TOPICS_MAX);

  async function connect() {
    const mine = new AbortController();
    current?.abort();
    current = mine;
    if (asked().length === 0) {
      onState({ kind: 'idle' });
      return;
    }
    let silence = setTimeout(() => mine.abort(), SILENCE_MS);
    try {
      /** @type {Record<string, string>} */
      const headers = { Accept: 'text/event-stream' };
      if (lastId) headers['Last-Event-ID'] = lastId;
      const answer = await fetch(address(asked()), { headers, signal: mine.signal, credentials: 'same-origin', cache: 'no-store' });
      if (answer.status === 404) await sift();
      if (!answer.ok || !answer.body) throw new Error(String(answer.status));
      failures = 0;
      onState({ kind: 'open' });
      const parse = sseParser((m) => {
        if (m.id) lastId = m.id;
        onMessage(m);
      });
      const reader = answer.body.getReader();
      const decoder = new TextDecoder();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        clearTimeout(silence);
        silence = setTimeout(() => mine.abort(), SILENCE_MS);
        parse(decoder.decode(value, { stream: true }));
      }
    } catch {
      // After any loss of the stream, the code below retries.
    } finally {
      clearTimeout(silence);
    }
    if (current !== mine) return; // replaced on purpose
    if (failures === 0) since = Date.now();
    failures += 1;
    onState({ kind: 'lost', failures, since });
    setTimeout(() => { if (current === mine) connect(); }, backoff(failures - 1, Math.random()));
  }

  return {
    /** @param {string[]} wanted */
    setTopics(wanted) {
      const sorted = [...new Set(wanted)].sort();
      if (sorted.join() === topics.join()) return;
      topics = sorted;
      connect();
    },
    close() {
      const old = current;
      current = null;
      old?.abort();
    },
  };
}
