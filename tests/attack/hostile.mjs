// tests/attack/hostile.mjs: values, texts, headers and addresses that have broken other servers, and functions that damage
// valid values a little.

export const strings = ["' OR '1'='1", "'; DROP TABLE job; --", "x'); DELETE FROM run; --", '1; SELECT pg_sleep(5)', '$1', '%s%s%n', '${jndi:ldap://x/}',
  '../../../../etc/passwd', '..\\..\\windows', '/etc/passwd', 'C:\\con', '.', '..', '~', '\u0000', 'a\u0000b', '\u202e\u200b', '\ufeff', '\ud83d\ude00', 'é'.repeat(70),
  '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', 'a\r\nX-Injected: 1', 'a\nX-Injected: 1', '=cmd|x', '', ' ', '\t', '-1', '0', '00', '1e999', 'NaN', 'null', 'true', '[]', '{}',
  'x'.repeat(64), 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(5000), '\\', '"', '`id`', '$(id)', '|id', '18446744073709551616', '9223372036854775808', '-9223372036854775809',
  '00000000-0000-0000-0000-000000000000', 'run:', 'run:x,farm', 'vvc_', 'all', 'replay', '١٢٣', 'ﬁ', 'ß'.repeat(40)];

export const numbers = [0, -1, 1, 2, 0.5, -0.5, 1e-300, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 2 ** 64, 1e19, 255, 256, 65535, 65536, 1000, 1001, 1e9];

/** Texts of JSON that a parser may fail on. */
export const texts = [() => '', () => ' ', () => 'null', () => '[]', () => '"x"', () => '0', () => '{', () => '{"a":', () => '{"a":1,}', () => '{"a":1}{"b":2}',
  () => '{"a":1,"a":2}', () => `${'['.repeat(3000)}${']'.repeat(3000)}`, () => '{"a":'.repeat(2000) + '1' + '}'.repeat(2000), () => '['.repeat(100000), () => '{"n":1e999999}',
  () => `{"n":${'9'.repeat(5000)}}`, () => '{"n":-0}', () => '{"s":"\\ud800"}', () => '{"s":"\\udfff\\ud800"}', () => '{"s":"\\u0000"}', () => '{"\\u0000":1}', () => '\ufeff{}',
  () => Buffer.from('{"s":"\xff\xfe"}', 'latin1'), () => Buffer.from('{"s":"\xed\xa0\x80"}', 'latin1'), () => '{"s":"a\nb"}', () => 'NaN', () => '{"n":NaN}', () => "{'a':1}", () => '/*c*/{}',
  () => `{"name":"${'x'.repeat(900000)}"}`, () => `{"name":"${'x'.repeat(1 << 20)}"}`, () => `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":1`).join()}}`, () => '<a/>', () => 'a=b&c=d',
  () => Buffer.alloc(4096), () => Buffer.alloc(70000, 0x22)];

export const types = ['application/json', 'application/json; charset=utf-16', 'APPLICATION/JSON', 'text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', '', 'x',
  'application/octet-stream', `application/${'j'.repeat(500)}`];

/** Header fields: some are invalid, some only unusual. */
export const headers = [['Range', 'bytes=0-0'], ['Range', 'bytes=5-1'], ['Range', `bytes=${'0-1,'.repeat(300)}0-1`], ['Range', 'bytes=-99999999999999999999'], ['Range', 'bytes=0-18446744073709551616'],
  ['Range', 'lines=1-2'], ['If-None-Match', '*'], ['If-None-Match', '"x", W/"y"'], ['If-Match', '"x"'], ['If-Range', '"x"'], ['If-Modified-Since', 'yesterday'], ['Expect', '100-continue'], ['Expect', 'tea'],
  ['Accept-Encoding', 'gzip;q=x'], ['Content-Encoding', 'gzip'], ['Content-Encoding', 'zstd'], ['Transfer-Encoding', 'gzip'], ['Transfer-Encoding', 'chunked, chunked'], ['Content-Length', '-1'],
  ['Content-Length', '0x10'], ['Content-Length', '18446744073709551615'], ['Host', 'evil.example'], ['Host', 'localhost:99999999'], ['X-Forwarded-For', '1.2.3.4, ::1, x'], ['X-Forwarded-For', `${'1.1.1.1,'.repeat(500)}`],
  ['X-Request-Id', 'a b'], ['X-Request-Id', 'x'.repeat(300)], ['Idempotency-Key', 'k'], ['Idempotency-Key', 'x'.repeat(129)], ['Idempotency-Key', "'; --"], ['Idempotency-Key', ''],
  ['X-HTTP-Method-Override', 'DELETE'], ['Origin', 'http://evil.example'], ['Origin', 'null'], ['Sec-Fetch-Site', 'cross-site'], ['Cookie', 'vivace_session='], ['Cookie', `vivace_session=${'A'.repeat(43)}`],
  ['Authorization', `Bearer ${'A'.repeat(22)}`], ['Cookie', `${'a=b; '.repeat(500)}`], ['Authorization', 'Basic eDp5'], ['Authorization', 'Bearer '], ['Authorization', 'Bearer vvc_x'], ['Upgrade', 'h2c'],
  ['Connection', 'Upgrade, HTTP2-Settings'], ['TE', 'trailers'], ['Trailer', 'X'], ['Prefer', 'wait=20'], ['Prefer', 'wait=99999999999'], ['Last-Event-ID', '-1'], ['Last-Event-ID', '99999999999999999999'],
  ['Content-Digest', 'sha-256=:AAAA:'], ['Content-Digest', 'sha-256=:'], ['Content-Digest', 'md5=:x:'], ['X-Long', 'x'.repeat(30000)], ['X-Huge', 'x'.repeat(200000)], ['X Y', '1'], ['', 'x'], ['X-Nul', 'a\0b']];

/** Addresses that belong to no route, or are encoded in an unusual way. */
export const paths = ['/', '//', '/api', '/api/v1', '/api/v1/', '/api/v2/runs', '/api/v1/../v1/runs', '/api/v1/%2e%2e/x', '/api/v1/runs%2fx', '/api/v1/runs/%00', '/api/v1/%ff', '/api/v1/runs?%', '/api/v1/runs?limit=%00',
  '/api/v1/runs?after=%ff', '/assets/../../etc/passwd', '/assets/..%2f..%2fetc/passwd', '/assets/%2e%2e/%2e%2e/etc/passwd', '/s/', `/s/${'A'.repeat(22)}`, `/s/${'A'.repeat(22)}/api/v1/runs`, '/s/x/api', '/s//api/v1/session', '/s/x', '/metrics/', '/healthz/x', '*', 'http://evil.example/', `/${'a/'.repeat(200)}`,
  `/${'a'.repeat(8000)}`, `/${'a'.repeat(40000)}`, '/api/v1/runs#x', '/api/v1/runs;x=y', '/API/V1/RUNS', '/api/v1/runs/%0d%0aX-Injected:%201', '/%0d%0aX-Injected:%201', '/favicon.ico', '/.git/config', '/robots.txt'];

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'BREW', 'get', 'PROPFIND'];

const any = (random) => random.pick([() => random.pick(strings), () => random.pick(numbers), () => null, () => true, () => false, () => [], () => ({}),
  () => ['x'], () => ({ x: 1 }), () => random.uuid(), () => Array.from({ length: 2000 }, (_, i) => i)])();

/** Returns the value with one change in it. */
export function damage(value, random) {
  if (value === null || typeof value !== 'object' || random.chance(5)) return any(random);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const keys = Object.keys(copy);
  if (keys.length === 0 || random.chance(15)) {
    if (Array.isArray(copy)) copy.push(any(random));
    else copy[random.pick(['unknown', 'Name', 'id', '__proto__x', 'constructor', ''])] = any(random);
    return copy;
  }
  const key = random.pick(keys);
  if (!Array.isArray(copy) && random.chance(20)) delete copy[key];
  else if (typeof copy[key] === 'number' && random.chance(70)) copy[key] = random.pick(numbers);
  else if (typeof copy[key] === 'string' && random.chance(70)) copy[key] = random.pick(strings);
  else copy[key] = damage(copy[key], random);
  return copy;
}

/** Returns the bytes with a few of them changed, removed or repeated. */
export function damageBytes(bytes, random) {
  const copy = Buffer.from(bytes);
  for (let i = random.below(6); i > 0 && copy.length; i--) copy[random.below(copy.length)] = random.pick([0, 0x2c, 0x22, 0x0a, 0x2d, 0x39, 0xff, random.below(256)]);
  return random.chance(20) ? copy.subarray(0, random.below(copy.length + 1)) : random.chance(10) ? Buffer.concat([copy, copy]) : copy;
}
