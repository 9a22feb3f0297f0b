// description.mjs: reads api/*.json and refuses incomplete or contradictory descriptions. README.md explains their format.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
/** Parts of a path that a handler can get (ROUTE_PARAMS in server/api/http/http.h). */
const PATH_PARAMETERS_MAX = 4;

/** The scope that a route requires, and the minimum role that has it. The server's table is in server/domain/access/access_rules.c. */
export const SCOPES = { none: '–', any: 'any', read: 'viewer', write: 'member', admin: 'owner', team: 'owner, site admin', farm: 'site admin', worker: 'site admin' };
/** Further scopes that may use a read-only route of workers: server/domain/access/access_rules.c. */
const WORKER_READS = 'viewer, site admin';
/** @param {{ operation: any, method: string }} route */
export const leastRole = ({ operation, method }) => (operation['x-scope'] === 'worker' && method === 'get' ? WORKER_READS : SCOPES[operation['x-scope']]);
/** Threads that a handler runs on (enum route_kind). */
export const THREADS = ['direct', 'db', 'stream', 'cpu', 'login', 'file', 'file_cpu'];
/** The part of a route that a share link may read (enum share_reach). */
export const REACHES = ['hidden', 'always', 'run', 'job', 'plan', 'profile', 'events', 'compare'];
const UNITS = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };
/** Members of an operation that are for the generator. */
const MARKS = {
  'x-handler': (v) => /^[a-z][a-z0-9_]*$/.test(v),
  'x-scope': (v) => v in SCOPES,
  'x-thread': (v) => THREADS.includes(v),
  'x-body-max': (v) => bytesOf(v) > 0,
  'x-share': (v) => REACHES.includes(v),
  'x-audit': (v) => /^[a-z]+(\.[a-z]+)?$/.test(v),
  'x-audit-by-handler': (v) => v === true,
  'x-client': (v) => /^[a-z][A-Za-z]*$/.test(v),
  'x-client-quiet': (v) => v === true,
};
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** "64 KiB" in bytes; 0 if the text is not a size. @param {string} text */
export function bytesOf(text) {
  const [, count, unit] = /^(\d+) (KiB|MiB|GiB)$/.exec(text) ?? [];
  return unit ? Number(count) * UNITS[unit] : 0;
}

/** All $ref in a value. @param {unknown} value @returns {string[]} */
function references(value) {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, member]) => (key === '$ref' ? [member] : references(member)));
}

/** The faults of an operation, as sentences. */
function faultsOf(route) {
  const { operation, path, method } = route, wrong = [];
  const say = (bad, what) => { if (bad) wrong.push(`${method.toUpperCase()} ${path}: ${what}`); };
  say(!METHODS.includes(method), 'is no method');
  for (const key of ['summary', 'x-handler', 'x-scope', 'x-thread']) say(!operation[key], `has no ${key}`);
  for (const [key, value] of Object.entries(operation)) {
    if (key.startsWith('x-')) say(!MARKS[key]?.(value), `${key}: ${JSON.stringify(value)} is not known`);
  }
  say(operation.requestBody && !operation['x-body-max'], 'has a body and no x-body-max');
  say(operation['x-share'] && method !== 'get', 'x-share: a share link is read-only');
  say(operation['x-client-quiet'] && !operation['x-client'], 'x-client-quiet without x-client');
  say(operation['x-audit-by-handler'] && !operation['x-audit'], 'x-audit-by-handler without x-audit');
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]);
  const listed = (operation.parameters ?? []).filter((p) => p.in === 'path').map((p) => p.name);
  say(inPath.join() !== listed.join(), `the path has the parameters [${inPath}], the list has [${listed}]`);
  say(inPath.length > PATH_PARAMETERS_MAX, `more than ${PATH_PARAMETERS_MAX} parameters in the path`);
  say(route.tag && Object.keys(operation.responses ?? {}).length === 0, 'has no responses');
  return wrong;
}

/** The routes in order, the schemas and the head of the document. Throws one error with all faults.
 * @param {{ head: any, subjects: [string, any][] }} files */
export function check({ head, subjects }) {
  const routes = [], tags = [], schemas = { ...head.schemas }, wrong = [];
  for (const [name, subject] of subjects) {
    if (subject.tag) tags.push(subject.tag);
    for (const [path, item] of Object.entries(subject.paths ?? {})) {
      for (const [method, operation] of Object.entries(item)) {
        if (routes.some((r) => r.path === path && r.method === method)) wrong.push(`${method.toUpperCase()} ${path}: is described twice`);
        routes.push({ path, method, operation, tag: subject.tag?.name ?? null });
      }
    }
    for (const [schema, value] of Object.entries(subject.schemas ?? {})) {
      if (schemas[schema]) wrong.push(`${name}.json: there is a schema ${schema} already`);
      schemas[schema] = value;
    }
  }
  const clients = routes.map((r) => r.operation['x-client']).filter(Boolean);
  for (const client of new Set(clients.filter((c, i) => clients.indexOf(c) !== i))) wrong.push(`x-client: there are two ${client}`);
  wrong.push(...routes.flatMap(faultsOf));
  const used = new Set(references({ routes, schemas }));
  for (const ref of used) if (!schemas[ref.replace(/^#\/components\/schemas\//, '')]) wrong.push(`${ref}: there is no such schema`);
  for (const schema of Object.keys(schemas)) if (schema !== 'Problem' && !used.has(`#/components/schemas/${schema}`)) wrong.push(`${schema}: no route uses this schema`);
  if (wrong.length) throw new Error(wrong.join('\n'));
  return { head, tags, routes, schemas };
}

/** The description in the folder. */
export function read(folder = HERE) {
  const file = (name) => {
    try {
      return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    } catch (error) {
      throw new Error(`${name}.json: ${error.message}`);
    }
  };
  const head = file('api');
  return check({ head, subjects: head.subjects.map((name) => [name, file(name)]) });
}
