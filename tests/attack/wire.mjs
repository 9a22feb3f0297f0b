// tests/attack/wire.mjs: sends one request as bytes on one connection, so that a head may contain what no HTTP library would send.
import { connect } from 'node:net';

/** {status, headers: [[name, value]], body, raw, ended}; status 0: no valid answer arrived. `from` is a loopback address. */
export function exchange(url, bytes, { from = '127.0.0.1', wait = 30000, quietStream = 200 } = {}) {
  const { hostname, port } = new URL(url);
  return new Promise((done) => {
    const socket = connect({ port: Number(port), host: hostname, localAddress: from });
    const parts = [];
    let stream = null;
    const timer = setTimeout(() => { socket.late = true; socket.destroy(); }, wait);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (d) => {
      parts.push(d);
      // a stream of events has no end: the bytes of a short time are enough
      if (!stream && parts.length < 3 && /^content-type: text\/event-stream/im.test(Buffer.concat(parts).toString('latin1')))
        stream = setTimeout(() => socket.destroy(), quietStream);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      clearTimeout(stream);
      done({ ...parse(Buffer.concat(parts)), late: Boolean(socket.late), streamed: Boolean(stream) });
    });
  });
}

/** The first answer other than "100 Continue". */
function parse(raw) {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw.subarray(0, end < 0 ? 0 : end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(lines[0])?.[1] ?? 0);
  if (status === 100) return parse(raw.subarray(end + 4));
  const headers = lines.slice(1).map((l) => [l.slice(0, l.indexOf(':')).toLowerCase(), l.slice(l.indexOf(':') + 1).trim()]);
  const header = (name) => headers.find(([n]) => n === name)?.[1];
  let body = end < 0 ? Buffer.alloc(0) : raw.subarray(end + 4);
  if (header('transfer-encoding') === 'chunked') body = dechunk(body);
  else if (header('content-length')) body = body.subarray(0, Number(header('content-length')));
  return { status, headers, header, body, raw };
}

function dechunk(bytes) {
  const parts = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf('\r\n', at);
    const length = line < 0 ? 0 : parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (!length) return Buffer.concat(parts);
    parts.push(bytes.subarray(line + 2, line + 2 + length));
    at = line + 4 + length;
  }
}

/** A request's bytes. `headers` is a list of pairs, `body` bytes or null; chunked: in pieces of that many bytes. */
export function compose({ method, path, version = 'HTTP/1.1', headers, body = null, chunked = 0 }) {
  const lines = [...headers];
  if (body !== null) lines.push(chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)]);
  const head = Buffer.from(`${method} ${path} ${version}\r\n${lines.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n`, 'latin1');
  if (body === null) return head;
  if (!chunked) return Buffer.concat([head, body]);
  const parts = [head];
  for (let at = 0; at < body.length; at += chunked) {
    const piece = body.subarray(at, at + chunked);
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}
