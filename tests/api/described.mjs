// described.mjs: checks whether an answer fits the API document. farm.api() checks every answer of a test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Schemas } from '../attack/schema.mjs';
import { build } from './harness.mjs';

let schemas, routes;
function load() {
  const document = JSON.parse(readFileSync(join(build, 'gen/api/openapi.json'), 'utf8'));
  schemas = new Schemas(document);
  routes = Object.entries(document.paths).map(([path, item]) => ({ item, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }));
}

/** Sentences about the parts of a JSON answer that do not fit its description. @param {string} method @param {string} path behind /api/v1 */
export function misfits(method, path, status, value) {
  if (!schemas) load();
  const operation = routes.find((r) => r.pattern.test(`/api/v1${path.replace(/\?.*/s, '')}`))?.item[method.toLowerCase()];
  const answer = operation?.responses[status]?.content?.['application/json'];
  return answer ? schemas.errors(answer.schema, value) : [`${method} ${path}: an answer with ${status} and JSON is not described`];
}
