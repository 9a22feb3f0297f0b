// to_openapi.mjs: the OpenAPI document that the server serves: the description without what is for the generator, with
// what all routes have in common.

const PROBLEM = { description: 'a problem', content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };

/** @param {string} scope */
const securityOf = (scope) => (scope === 'none' ? [] : [{ token: [scope] }, { session: [scope] }]);

function operationOf({ operation, tag }) {
  const { summary, description, responses, ...rest } = operation;
  const own = Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith('x-')));
  return { tags: [tag], summary, ...(description ? { description } : {}), security: securityOf(operation['x-scope']), ...own, responses: { default: PROBLEM, ...responses } };
}

export function openapi({ head, tags, routes, schemas }) {
  const paths = {};
  for (const route of routes) if (route.tag) (paths[route.path] ??= {})[route.method] = operationOf(route);
  const { openapi: version, info, servers, securitySchemes } = head;
  return { openapi: version, info, servers, tags, paths, components: { securitySchemes, schemas } };
}

/** Scalars on as few lines as they fit on. */
function fill(items, pad, width) {
  const lines = [''];
  for (const item of items) {
    if (lines.at(-1) !== '' && pad.length + lines.at(-1).length + item.length + 2 > width) lines.push('');
    lines[lines.length - 1] += `${lines.at(-1) === '' ? '' : ' '}${item},`;
  }
  return lines.map((line) => pad + line).join('\n').slice(0, -1);
}
/** As text: what fits on a line is on one. @param {any} value */
export function jsonText(value, indent = 0, before = 0, width = 120) {
  const flat = oneLine(value);
  if (value === null || typeof value !== 'object' || before + flat.length <= width) return flat;
  const pad = ' '.repeat(indent + 2), [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (Array.isArray(value) && value.every((v) => v === null || typeof v !== 'object')) return `[\n${fill(value.map(oneLine), pad, width)}\n${' '.repeat(indent)}]`;
  const entries = Object.entries(value).map(([key, member], i, all) => {
    const name = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    return pad + name + jsonText(member, indent + 2, indent + 2 + name.length + Number(i < all.length - 1), width);
  });
  return `${open}\n${entries.join(',\n')}\n${' '.repeat(indent)}${close}`;
}
function oneLine(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => (Array.isArray(value) ? oneLine(member) : `${JSON.stringify(key)}: ${oneLine(member)}`));
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return members.length ? `${open} ${members.join(', ')} ${close}` : open + close;
}
