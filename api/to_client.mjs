// to_client.mjs: generates the functions of web/api.js and their types. Each function sends a request to one route: a route with
// `x-client`, which is the function's name. Its arguments are the parameters of the path, the query as an object, the body, and for a
// GET an AbortSignal. `at.NAME(...)` returns only the address with its query.
import { typeOf } from './to_types.mjs';

const RESERVED = { import: 'import_' };
const capital = (name) => name[0].toUpperCase() + name.slice(1);
const inPath = ({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map((m) => RESERVED[m[1]] ?? m[1]);
const ofQuery = ({ operation }) => (operation.parameters ?? []).filter((p) => p.in === 'query');
/** Whether the function takes a query: a format alone is for addresses. */
const takesQuery = (route) => ofQuery(route).some((p) => p.name !== 'format');
const withClient = ({ routes }) => routes.filter((r) => r.operation['x-client']).map((r) => ({ ...r, name: r.operation['x-client'] }));

/** The request body: 'body' as JSON, 'file' as bytes, or nothing. */
function sends({ operation }) {
  const content = operation.requestBody?.content;
  return !content ? null : content['application/json'] ? 'body' : 'file';
}
/** The type of the response. */
function answers({ operation }) {
  const [status, first] = Object.entries(operation.responses).find(([s]) => s.startsWith('2'));
  const schema = first.content?.['application/json']?.schema;
  return schema ? typeOf(schema) : status === '204' ? 'null' : 'any';
}

// --- The text: takes the place of a line in web/api.js (web/vendor.mjs), so it uses what that file has ---

function address(route) {
  const path = route.path.slice('/api/v1'.length).replace(/\{(\w+)\}/g, (_, name) => `\${id(${RESERVED[name] ?? name})}`);
  const query = ofQuery(route).length > 0;
  return `  ${route.name}: (${[...inPath(route), ...(query ? ['by = {}'] : [])].join(', ')}) => \`${path}${query ? '${query(by)}' : ''}\`,\n`;
}

function asks(route) {
  const query = takesQuery(route), sent = sends(route), reads = route.method === 'get';
  const address = [...inPath(route), ...(query ? ['by'] : [])];
  const parameters = [...address, ...(sent ? [sent] : []), ...(reads ? ['abort'] : [])];
  const quiet = route.operation['x-client-quiet'] || route.operation['x-scope'] === 'none';
  const options = [...(sent ? [sent] : []), ...(reads ? ['abort'] : []), ...(quiet ? ['quiet: true'] : [])].join(', ');
  return `export const ${route.name} = (${parameters.join(', ')}) => call('${route.method.toUpperCase()}', at.${route.name}(${address.join(', ')})${options ? `, { ${options} }` : ''});\n`;
}

export function clientText(description) {
  const routes = withClient(description);
  return `const id = encodeURIComponent;\nexport const at = {\n${routes.map(address).join('')}};\n${routes.map(asks).join('')}`;
}

// --- Its types ---

/** Numbers and truth may be text, as in the address of a page. */
function queryType({ schema }) {
  if (schema.enum) return typeOf(schema);
  return { integer: 'number | string', number: 'number | string', boolean: "boolean | 'true' | 'false'" }[schema.type] ?? 'string';
}
const queryName = (route) => `${capital(route.name)}Query`;

function queryInterface(route) {
  const all = ofQuery(route);
  if (all.length === 0) return '';
  const members = all.map((p) => `${p.description ? `  /** ${p.description.replaceAll('*/', '* /')} */\n` : ''}  ${p.name}${p.required ? '' : '?'}: ${queryType(p)};\n`);
  return `export interface ${queryName(route)} {\n${members.join('')}}\n`;
}

function parameterTypes(route, query) {
  const optional = !ofQuery(route).some((p) => p.required);
  return [...inPath(route).map((name) => `${name}: string`), ...(query ? [`by${optional ? '?' : ''}: ${queryName(route)}`] : [])];
}

function declaration(route) {
  const sent = sends(route), body = sent === 'body' ? typeOf(route.operation.requestBody.content['application/json'].schema) : 'Blob';
  const query = takesQuery(route), required = sent && route.operation.requestBody.required === true;
  // An optional parameter cannot come before a required one.
  const before = parameterTypes(route, query).map((p) => (required && query ? p.replace(/^by\?: (.*)$/, 'by: $1 | undefined') : p));
  const parameters = [...before, ...(sent ? [`${sent}${required ? '' : '?'}: ${body}`] : []), ...(route.method === 'get' ? ['abort?: AbortSignal'] : [])];
  return `/** ${route.operation.summary}. */\nexport declare function ${route.name}(${parameters.join(', ')}): Promise<${answers(route)}>;\n`;
}

export function clientTypes(description) {
  const routes = withClient(description);
  const text = [...routes.map(queryInterface), 'export declare const at: {\n', ...routes.map((r) => `  ${r.name}(${parameterTypes(r, ofQuery(r).length > 0).join(', ')}): string;\n`), '};\n', ...routes.map(declaration)].join('');
  const used = ['List', ...Object.keys(description.schemas)].filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return `/* Made by api/generate.mjs: what web/api.js has for each route. */\nimport type { ${used.join(', ')} } from './types.js';\n\n${text}`;
}
