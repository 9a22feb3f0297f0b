// The description of the API (api/): a fault in it fails the build; the generated files; handlers read only the parameters that
// it names.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { check, read } from '../../api/description.mjs';
import { clientText, clientTypes } from '../../api/to_client.mjs';
import { handlerList, queriesOf, routeTable } from '../../api/to_c.mjs';
import { routesPage } from '../../api/to_page.mjs';
import { jsonText, openapi } from '../../api/to_openapi.mjs';
import { typeOf, typesText } from '../../api/to_types.mjs';
import { build, root } from './harness.mjs';

const THING = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
const ref = { $ref: '#/components/schemas/Thing' };
const json = (schema) => ({ 'application/json': { schema } });
/** One subject with two routes. @param {(paths: any, subject: any) => void} change makes a fault */
function small(change = () => {}) {
  const subject = structuredClone({
    tag: { name: 'things', description: 'things' },
    paths: {
      '/api/v1/things/{thing}': {
        get: { summary: 'A thing', 'x-handler': 'thing_get', 'x-scope': 'read', 'x-thread': 'db', 'x-share': 'run', 'x-client': 'thing',
          parameters: [{ name: 'thing', in: 'path', required: true, schema: { type: 'string' } }, { name: 'colour', in: 'query', schema: { type: 'string' } }],
          responses: { 200: { description: 'it', content: json(ref) } } },
        put: { summary: 'Changes it', 'x-handler': 'thing_put', 'x-scope': 'none', 'x-thread': 'cpu', 'x-body-max': '4 KiB', 'x-audit': 'thing.change', 'x-audit-by-handler': true, 'x-client': 'changeThing',
          parameters: [{ name: 'thing', in: 'path', required: true, schema: { type: 'string' } }], requestBody: { required: true, content: json(ref) }, responses: { 204: { description: 'changed' }, default: { description: 'another' } } },
      },
    },
    schemas: { Thing: THING },
  });
  change(subject.paths['/api/v1/things/{thing}'], subject);
  return { head: { openapi: '3.1.0', info: {}, servers: [], securitySchemes: {}, schemas: { Problem: { type: 'object' } } }, subjects: [['things', subject]] };
}

const FAULTS = [
  [(p) => { delete p.get['x-handler']; }, 'has no x-handler'],
  [(p) => { delete p.get.summary; }, 'has no summary'],
  [(p) => { p.get['x-scope'] = 'reads'; }, 'x-scope: "reads" is not known'],
  [(p) => { p.get['x-thread'] = 'gpu'; }, 'x-thread: "gpu" is not known'],
  [(p) => { p.put['x-body-max'] = '4 kB'; }, 'x-body-max: "4 kB" is not known'],
  [(p) => { delete p.put['x-body-max']; }, 'has a body and no x-body-max'],
  [(p) => { p.get['x-other'] = 1; }, 'x-other: 1 is not known'],
  [(p) => { p.put['x-share'] = 'run'; }, 'a share link is read-only'],
  [(p) => { delete p.put['x-audit']; }, 'x-audit-by-handler without x-audit'],
  [(p) => { p.get['x-client'] = 'changeThing'; }, 'x-client: there are two changeThing'],
  [(p) => { p.get['x-client'] = 'a thing'; }, 'x-client: "a thing" is not known'],
  [(p) => { delete p.get['x-client']; p.get['x-client-quiet'] = true; }, 'x-client-quiet without x-client'],
  [(p) => { p.get.parameters.shift(); }, 'the path has the parameters [thing], the list has []'],
  [(p) => { p.get.responses = {}; }, 'has no responses'],
  [(p) => { p.fetch = p.get; }, 'is no method'],
  [(p) => { p.get.responses[200].content = json({ $ref: '#/components/schemas/Thin' }); }, 'there is no such schema'],
  [(p, s) => { s.schemas.Other = THING; }, 'Other: no route uses this schema'],
  [(p, s) => { s.schemas.Problem = THING; }, 'there is a schema Problem already'],
];

test('a fault of the description ends the build, and the message names it', () => {
  check(small());
  for (const [change, message] of FAULTS) assert.throws(() => check(small(change)), (e) => e.message.includes(message), message);
  const twice = small();
  twice.subjects.push(['again', { paths: twice.subjects[0][1].paths }]);
  assert.throws(() => check(twice), /GET \/api\/v1\/things\/\{thing\}: is described twice/);
});

test('the route table contains the whole description of a route', () => {
  const table = routeTable(check(small())), rows = table.split('\n    {').slice(1);
  assert.equal(rows.length, 3);
  for (const part of ['.method = "GET", .path = "/api/v1/things/{thing}"', '.handler = thing_get', '.scope = SCOPE_READ', '.kind = ROUTE_DB', '{"after", "colour", "format", "limit", NULL}', '.share = SHARE_RUN']) assert.ok(rows[0].includes(part), part);
  for (const absent of ['.body_max', '.audit']) assert.ok(!rows[0].includes(absent), absent);
  for (const part of ['.method = "PUT"', '.scope = SCOPE_NONE', '.kind = ROUTE_CPU', '.body_max = UINT64_C(4096)', '[]){NULL}', '.audit = "thing.change", .audits_itself = true']) assert.ok(rows[1].includes(part), part);
  assert.match(handlerList(check(small())), /^HANDLER\(thing_get\);\nHANDLER\(thing_put\);$/m);
});

test('the document has the description and the common parts, and no words of the generator', () => {
  const { paths, components, tags } = openapi(check(small())), { get, put } = paths['/api/v1/things/{thing}'];
  assert.deepEqual(tags.map((t) => t.name), ['things']);
  assert.deepEqual([get.tags, get.security, put.security], [['things'], [{ token: ['read'] }, { session: ['read'] }], []]);
  assert.deepEqual([Object.keys(get.responses), get.responses.default.description, put.responses.default.description], [['200', 'default'], 'a problem', 'another']);
  assert.deepEqual(components.schemas.Thing, THING);
  assert.ok(!JSON.stringify(paths).includes('"x-'));
  const value = { a: [], b: {}, c: ['x'.repeat(80), 'y'.repeat(80), { d: null }] };
  assert.deepEqual(JSON.parse(jsonText(value)), value);
});

test('the page of routes lists who may use each route', () => {
  const rows = routesPage(check(small((p) => { p.put['x-scope'] = 'worker'; }))).split('\n').filter((l) => l.startsWith('| `'));
  assert.deepEqual(rows, ['| `GET /api/v1/things/{thing}` | read | viewer | run |  |', '| `PUT /api/v1/things/{thing}` | worker | site admin |  | thing.change |']);
  assert.ok(routesPage(check(small((p) => { p.get['x-scope'] = 'worker'; }))).includes('| worker | viewer, site admin |'));
});

test('a subject without a tag has routes but is not in the document', () => {
  const description = check(small((_, subject) => { delete subject.tag; }));
  assert.deepEqual(openapi(description).paths, {});
  assert.ok(routeTable(description).includes('thing_get'));
});

test('a schema gives an equally strict type', () => {
  const types = [
    [{ type: 'integer' }, 'number'], [{ type: ['string', 'null'] }, 'string | null'], [{}, 'any'], [{ type: 'object' }, 'Record<string, any>'], [ref, 'Thing'],
    [{ enum: ['a', null], type: ['string', 'null'] }, "'a' | null"], [{ type: 'array', items: { type: ['number', 'null'] } }, '(number | null)[]'], [{ type: ['array', 'null'], items: ref }, 'Thing[] | null'],
    [{ oneOf: [ref, { type: 'null' }] }, 'Thing | null'], [{ allOf: [ref, { type: 'object', properties: { more: { type: 'boolean' } } }] }, 'Thing & {\n  more?: boolean;\n}'],
    [{ type: 'object', properties: { a: { type: 'string', description: 'what it is' }, b: { type: 'number' } }, required: ['a'] }, '{\n  /** what it is */\n  a: string;\n  b?: number;\n}'],
    [{ type: 'object', properties: { items: { type: 'array', items: ref }, next: { type: ['string', 'null'] } }, required: ['items', 'next'] }, 'List<Thing>'],
  ];
  for (const [schema, type] of types) assert.equal(typeOf(schema), type);
  assert.ok(typesText(check(small())).includes('\nexport type Thing = {\n  id: string;\n};\n'));
});

test('the client has a function for each route that names one', () => {
  const text = clientText(check(small())), types = clientTypes(check(small()));
  assert.ok(text.includes('  thing: (thing, by = {}) => `/things/${id(thing)}${query(by)}`,\n  changeThing: (thing) => `/things/${id(thing)}`,\n'));
  assert.ok(text.includes("export const thing = (thing, by, abort) => call('GET', at.thing(thing, by), { abort });\nexport const changeThing = (thing, body) => call('PUT', at.changeThing(thing), { body, quiet: true });\n"));
  for (const line of ['export declare function thing(thing: string, by?: ThingQuery, abort?: AbortSignal): Promise<Thing>;', 'export declare function changeThing(thing: string, body: Thing): Promise<null>;', '  thing(thing: string, by?: ThingQuery): string;', 'export interface ThingQuery {\n  colour?: string;\n}', 'import type { Thing }']) assert.ok(types.includes(line), line);
  const without = clientText(check(small((p) => { delete p.get['x-client']; p.put['x-scope'] = 'write'; })));
  assert.ok(!without.includes('thing:') && without.includes('{ body }'), without);
});

const served = read();
test('the built files match the present description', () => {
  assert.deepEqual(JSON.parse(readFileSync(join(build, 'gen/api/openapi.json'), 'utf8')), openapi(served));
  assert.equal(readFileSync(join(build, 'gen/api/routes.c'), 'utf8'), routeTable(served));
});

test('handlers read all described query parameters, and no others', () => {
  const folders = ['server/api/handlers', 'server/api/http', 'server/domain/access', 'server/domain/share'];
  const source = folders.flatMap((f) => readdirSync(join(root, f)).filter((n) => n.endsWith('.c')).map((n) => readFileSync(join(root, f, n), 'utf8'))).join('\n');
  const asked = new Set([...source.matchAll(/request_query(?:_u64)?\(\w+, "(\w+)"/g)].map((m) => m[1]));
  const described = new Set(served.routes.flatMap((r) => queriesOf(r) ?? []));
  assert.ok(asked.size > 35, `${asked.size} are read`);
  assert.deepEqual([...asked].filter((name) => !described.has(name)), []);
  assert.deepEqual([...described].filter((name) => !source.includes(`"${name}"`)), []);
});
