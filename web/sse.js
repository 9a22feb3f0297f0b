// sse.js: bytes of an event stream → events. Pure; used by the shared worker and by tabs without one.

/** @typedef {{ id: string, event: string, data: string }} Message */

/** A parser for text in chunks of any size; calls onMessage for each message.
 * @param {(m: Message) => void} onMessage */
export function sseParser(onMessage) {
  let rest = '';
  let lastId = '';
  let event = '';
  /** @type {string[]} */
  let data = [];
  /** @param {string} line */
  const take = (line) => {
    if (line === '') {
      if (data.length) onMessage({ id: lastId, event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      return;
    }
    if (line.startsWith(':')) return;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id' && !value.includes('\0')) lastId = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  };
  return (/** @type {string} */ text) => {
    rest += text;
    // A carriage return at the end may be the first half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  };
}

/** Delay before the next attempt in milliseconds: exponential up to 15 s, with random jitter.
 * @param {number} failures @param {number} random 0…1 */
export const backoff = (failures, random) => Math.min(15000, 500 * 2 ** Math.min(failures, 6)) * (0.75 + 0.5 * random);
