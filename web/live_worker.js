// live_worker.js: a SharedWorker that owns the browser's only event stream and forwards its events to the tabs. A
// browser opens six connections to a host; with one stream per tab, the seventh tab would never load.
import { openStream } from './stream.js';

/** @type {Map<MessagePort, { topics: string[], seen: number }>} */
const tabs = new Map();
/** @type {unknown} */
let state = { kind: 'idle' };
let address = '';

const tell = (/** @type {unknown} */ message) => { for (const port of tabs.keys()) port.postMessage(message); };
const stream = openStream(
  (topics) => address + topics.map(encodeURIComponent).join(','),
  (m) => tell({ kind: 'event', ...m }),
  (s) => { state = s; tell({ kind: 'state', state: s }); },
);
const settle = () => stream.setTopics([...tabs.values()].flatMap((t) => t.topics));

// A closed tab sends a goodbye message; a crashed one is detected by missing hello messages (every 20 s, from hidden
// tabs at least once a minute).
setInterval(() => {
  for (const [port, tab] of tabs) if (Date.now() - tab.seen > 150000) tabs.delete(port);
  settle();
}, 30000);

/** @type {any} */ (globalThis).onconnect = (/** @type {MessageEvent} */ e) => {
  const port = e.ports[0];
  tabs.set(port, { topics: [], seen: Date.now() });
  port.onmessage = ({ data }) => {
    if (data.kind === 'bye') tabs.delete(port);
    else {
      address = data.address;
      tabs.set(port, { topics: data.topics, seen: Date.now() });
    }
    settle();
    if (data.kind === 'topics') port.postMessage({ kind: 'state', state });
  };
  port.start();
};
