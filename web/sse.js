// sse.js: bytes of an event stream → events. Pure; both the shared worker and a lone tab read with it.

/** @typedef {{ id: string, event: string, data: string }} Message */

/** A parser that is fed text as it comes, however it is cut, and calls back once a message.
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
    // A return at the very end may be the first half of a line end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  };
}

/** How long to wait before the next try, in milliseconds: grows to 15 s, and differs from tab to tab.
 * @param {number} failures @param {number} random 0…1 */
export const backoff = (failures, random) => Math.min(15000, 500 * 2 ** Math.min(failures, 6)) * (0.75 + 0.5 * random);
