// mock_shapes.mjs: checks the answers of mock.mjs against the description of the API. Members that an invented answer leaves
// out and the server always sends are filled in. An invalid answer is an error. A route without invented data answers with the
// smallest valid value.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Schemas } from '../../tests/attack/schema.mjs';

const document = JSON.parse(readFileSync(join(process.env.VIVACE_BUILD ?? 'build', 'gen/api/openapi.json'), 'utf8'));
const schemas = new Schemas(document);
const routes = Object.entries(document.paths).map(([path, item]) => ({ item, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }));
/** Ids and hashes in the invented data are shorter than the API allows: these errors are ignored. */
const SHORT = /is no uuid|does not look like/;

/** The schema of the JSON answer for each status. @param {string} method @param {string} path behind /api/v1 @returns {Record<string, any>} */
export function answersOf(method, path) {
  const operation = routes.find((r) => r.pattern.test(`/api/v1${path}`))?.item[method.toLowerCase()];
  return Object.fromEntries(Object.entries(operation?.responses ?? {}).flatMap(([status, r]) => (r.content?.['application/json'] ? [[status, r.content['application/json'].schema]] : [])));
}

const typesOf = (schema) => [schema.type ?? []].flat();
const mayBeNull = (schema) => typesOf(schema).includes('null') || (schema.oneOf ?? schema.anyOf ?? []).some((s) => mayBeNull(schemas.resolve(s)));

/** The smallest valid value. */
function least(schema) {
  schema = schemas.resolve(schema);
  if (mayBeNull(schema)) return null;
  if (schema.enum) return schema.enum[0];
  if (schema.allOf || schema.properties) return filled(schema, {});
  if (schema.oneOf ?? schema.anyOf) return least((schema.oneOf ?? schema.anyOf)[0]);
  return { array: Array.from({ length: schema.minItems ?? 0 }, () => least(schema.items)), boolean: false, string: schema.format === 'date-time' ? '2026-11-20T10:00:00Z' : '', integer: schema.minimum ?? 0, number: schema.minimum ?? 0 }[typesOf(schema)[0]] ?? {};
}

/** The value, completed with its required members. @param {any} schema @param {any} value @returns {any} */
export function filled(schema, value) {
  schema = schemas.resolve(schema);
  if (Array.isArray(value)) return schema.items ? value.map((v) => filled(schema.items, v)) : value;
  if (value === null || typeof value !== 'object') return value;
  if (!schema.properties && (schema.oneOf ?? schema.anyOf)) {
    const fillings = (schema.oneOf ?? schema.anyOf).filter((s) => typesOf(schemas.resolve(s))[0] !== 'null').map((s) => [filled(s, value), s]);
    return (fillings.find(([whole, s]) => misfits(s, whole).length === 0) ?? fillings[0])[0];
  }
  const whole = { ...value };
  for (const part of schema.allOf ?? []) Object.assign(whole, filled(part, whole));
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (whole[name] !== undefined) whole[name] = filled(member, whole[name]);
    else if (schema.required?.includes(name)) whole[name] = least(member);
  }
  return whole;
}

function misfits(schema, value) {
  return schemas.errors(schema, JSON.parse(JSON.stringify(value))).filter((e) => !SHORT.test(e));
}
/** The answer that the mock sends for an invented value. Throws an error if the API does not allow this answer. @param {any} schema @param {any} value */
export function shaped(schema, value) {
  const whole = filled(schema, value), wrong = misfits(schema, whole);
  if (wrong.length) throw new Error(wrong.slice(0, 5).join('; '));
  return whole;
}
/** The answer that the mock sends where it has no invented data. */
export const empty = (schema) => shaped(schema, least(schema));
