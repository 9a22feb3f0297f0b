// tests/api/s3_server.mjs: a small, strict S3 in memory. It checks everything: signatures (implemented here a second time, from
// the published algorithm) and payload hashes are checked on every request, keys are those of one account, and faults can
// be ordered.
//
//   const s3 = await startS3({ access, secret, region, bucket });   // s3.url, s3.objects: Map key -> Buffer
//   s3.faults.push({ method: 'PUT', status: 503, times: 2 });        // or { drop: true } (no answer), { late: true } (done, no
//                                                                    // answer), { flip: true } (a byte of the body is wrong),
//                                                                    // { silent: true } (receives it and does not answer), { drip: true }
//                                                                    // (the body, a byte each half second); times: Infinity;
//                                                                    // query: 'uploadId' picks by what the query begins with
import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key, text) => createHmac('sha256', key).update(text).digest();
const encode = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

class Refusal extends Error {
  constructor(status, code, message = code) {
    super(message);
    Object.assign(this, { status, code });
  }
}

const canonicalQuery = (params) => [...params].filter(([k]) => k !== 'X-Amz-Signature')
  .map(([k, v]) => [encode(k), encode(v)]).sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
  .map(([k, v]) => `${k}=${v}`).join('&');

function signature(account, request, url, signedHeaders, payload, time) {
  const path = url.pathname.split('/').map((part) => encode(decodeURIComponent(part))).join('/');
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('');
  const canonical = [request.method, path, canonicalQuery(url.searchParams), headers, signedHeaders, payload].join('\n');
  const scope = `${time.slice(0, 8)}/${account.region}/s3/aws4_request`;
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${account.secret}`, time.slice(0, 8)), account.region));
  return hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
}

const seconds = (time) => Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')) / 1000;

function checkTime(time, life) {
  const age = Date.now() / 1000 - seconds(time);
  if (!(age > -900 && age < life)) throw new Refusal(403, life === 900 ? 'RequestTimeTooSkewed' : 'AccessDenied', 'Request has expired');
}

function checkPresigned(account, request, url) {
  const q = url.searchParams, time = q.get('X-Amz-Date');
  if (request.headers.authorization) throw new Refusal(400, 'InvalidArgument', 'Only one auth mechanism allowed');
  if (!['GET', 'HEAD'].includes(request.method) || q.get('X-Amz-SignedHeaders') !== 'host') throw new Refusal(403, 'AccessDenied');
  if (q.get('X-Amz-Credential') !== `${account.access}/${time.slice(0, 8)}/${account.region}/s3/aws4_request`) throw new Refusal(403, 'InvalidAccessKeyId');
  checkTime(time, Number(q.get('X-Amz-Expires')));
  if (signature(account, request, url, 'host', 'UNSIGNED-PAYLOAD', time) !== q.get('X-Amz-Signature')) throw new Refusal(403, 'SignatureDoesNotMatch');
}

function checkSigned(account, request, url, body) {
  const h = request.headers, m = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request,SignedHeaders=([a-z0-9;-]+),Signature=([0-9a-f]{64})$/.exec(h.authorization ?? '');
  if (!m) throw new Refusal(403, 'AccessDenied');
  if (m[1] !== account.access) throw new Refusal(403, 'InvalidAccessKeyId');
  for (const name of ['host', ...Object.keys(h).filter((n) => n.startsWith('x-amz-'))])
    if (!m[4].split(';').includes(name)) throw new Refusal(403, 'AccessDenied', `There were headers present in the request which were not signed: ${name}`);
  if (m[2] !== h['x-amz-date'].slice(0, 8) || m[3] !== account.region) throw new Refusal(400, 'AuthorizationHeaderMalformed');
  checkTime(h['x-amz-date'], 900);
  if (h['x-amz-content-sha256'] !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch');
  if (signature(account, request, url, m[4], h['x-amz-content-sha256'], h['x-amz-date']) !== m[5]) throw new Refusal(403, 'SignatureDoesNotMatch');
}

class Store {
  constructor(account) {
    Object.assign(this, { account, objects: new Map(), uploads: new Map(), faults: [], calls: [], next: 0 });
  }

  fault(method, url) {
    const f = this.faults.find((x) => x.times !== 0 && (!x.method || x.method === method) && (!x.query || url.includes(`?${x.query}`)));
    if (f) f.times = (f.times ?? 1) - 1;
    return f;
  }

  get(key) {
    if (!this.objects.has(key)) throw new Refusal(404, 'NoSuchKey');
    return this.objects.get(key);
  }

  multipart(request, key, q, body) {
    const id = q.get('uploadId'), parts = this.uploads.get(id);
    if (request.method === 'POST' && q.has('uploads')) {
      const fresh = `u+${this.next++}/==`; // an id with characters that must be encoded in a query
      this.uploads.set(fresh, { key, parts: new Map() });
      return { body: `<InitiateMultipartUploadResult><UploadId>${fresh}</UploadId></InitiateMultipartUploadResult>` };
    }
    if (!parts || parts.key !== key) throw new Refusal(404, 'NoSuchUpload');
    if (request.method === 'PUT') {
      parts.parts.set(Number(q.get('partNumber')), body);
      return { headers: { ETag: `"${sha256(body).slice(0, 32)}"` } };
    }
    this.uploads.delete(id);
    if (request.method === 'DELETE') return { status: 204 };
    const list = [...body.toString().matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag><\/Part>/g)];
    const bytes = list.map(([, n, tag], i) => {
      const part = parts.parts.get(Number(n));
      if (!part || tag !== `"${sha256(part).slice(0, 32)}"` || Number(n) !== i + 1) throw new Refusal(400, 'InvalidPart');
      if (i + 1 < list.length && part.length < 5 << 20) throw new Refusal(400, 'EntityTooSmall');
      return part;
    });
    this.objects.set(key, Buffer.concat(bytes));
    return { body: '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>' };
  }

  object(request, key, q, body) {
    if (q.has('uploads') || q.has('uploadId')) return this.multipart(request, key, q, body);
    switch (request.method) {
      case 'PUT': {
        const source = request.headers['x-amz-copy-source'];
        this.objects.set(key, source ? this.get(source.slice(`/${this.account.bucket}/`.length)) : body);
        return { body: source ? '<CopyObjectResult><ETag>"x"</ETag></CopyObjectResult>' : '' };
      }
      case 'DELETE':
        this.objects.delete(key);
        return { status: 204 };
      case 'HEAD':
      case 'GET': {
        const bytes = this.get(key), m = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
        return m ? { status: 206, body: bytes.subarray(Number(m[1])) } : { body: bytes };
      }
      default: throw new Refusal(405, 'MethodNotAllowed');
    }
  }

  answer(request, body) {
    const url = new URL(request.url, `http://${request.headers.host}`);
    if (url.searchParams.has('X-Amz-Signature')) checkPresigned(this.account, request, url);
    else checkSigned(this.account, request, url, body);
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    if (bucket !== this.account.bucket) throw new Refusal(404, 'NoSuchBucket');
    return this.object(request, rest.join('/'), url.searchParams, body);
  }
}

const xml = (e) => `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${e.code}</Code><Message>${e.message}</Message></Error>`;

function serve(store, request, response, body) {
  const fault = store.fault(request.method, request.url);
  store.calls.push(`${request.method} ${request.url.split('?')[0]}`);
  if (fault?.drop) return request.socket.destroy();
  let r;
  try {
    r = fault?.status ? { status: fault.status, body: xml(new Refusal(fault.status, 'SlowDown')) } : store.answer(request, body);
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    r = { status: e.status, body: xml(e) };
  }
  if (fault?.silent) return;
  if (fault?.late) return request.socket.destroy();
  let bytes = Buffer.from(r.body ?? '');
  if (fault?.flip && bytes.length) (bytes = Buffer.from(bytes))[bytes.length >> 1] ^= 1;
  response.writeHead(r.status ?? 200, { 'Content-Length': bytes.length, ...r.headers });
  if (fault?.drip) return drip(response, bytes);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function drip(response, bytes, at = 0) {
  response.write(bytes.subarray(at, at + 1));
  const timer = setTimeout(() => (at + 1 < bytes.length ? drip(response, bytes, at + 1) : response.end()), 500);
  response.on('close', () => clearTimeout(timer));
}

export async function startS3(account = {}) {
  const store = new Store({ access: 'TESTACCESS', secret: 'test/secret+key', region: 'eu-test-1', bucket: 'test-bucket', ...account });
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (b) => parts.push(b));
    request.on('end', () => serve(store, request, response, Buffer.concat(parts)));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  store.url = `http://127.0.0.1:${server.address().port}`;
  store.stop = () => new Promise((done) => { server.closeAllConnections?.(); server.close(done); });
  return store;
}
