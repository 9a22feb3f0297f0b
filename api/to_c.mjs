// to_c.mjs: the server's route table and the declarations of its handlers.
import { bytesOf } from './description.mjs';

/** Query parameters that every GET of the API takes. */
const OF_LISTS = ['after', 'limit', 'format'];

/** The names of the query parameters, sorted; null: the address takes anything. */
export function queriesOf({ path, method, operation }) {
  if (!path.startsWith('/api/v1/')) return null;
  const named = (operation.parameters ?? []).filter((p) => p.in === 'query').map((p) => p.name);
  return [...new Set([...named, ...(method === 'get' ? OF_LISTS : [])])].sort();
}

function row({ path, method, operation }) {
  const queries = queriesOf({ path, method, operation }), bytes = bytesOf(operation['x-body-max'] ?? '');
  const members = [
    `.method = "${method.toUpperCase()}", .path = "${path}"`,
    `.handler = ${operation['x-handler']}, .scope = SCOPE_${operation['x-scope'].toUpperCase()}, .kind = ROUTE_${operation['x-thread'].toUpperCase()}`,
    ...(bytes ? [`.body_max = UINT64_C(${bytes})`] : []),
    ...(queries ? [`.queries = (const char *const[]){${[...queries.map((q) => `"${q}"`), 'NULL'].join(', ')}}`] : []),
    ...(operation['x-share'] ? [`.share = SHARE_${operation['x-share'].toUpperCase()}`] : []),
    ...(operation['x-audit'] ? [`.audit = "${operation['x-audit']}"${operation['x-audit-by-handler'] ? ', .audits_itself = true' : ''}`] : []),
  ];
  return `    {${members.join(',\n     ')}},\n`;
}

export const routeTable = ({ routes }) => `/* Made by api/generate.mjs: the whole API, in the order in which data flows. */
#include <stddef.h>

#include "server/api/handlers/handlers.h"
#include "server/api/http/http.h"

const struct route routes[] = {
${routes.map(row).join('')}    {.method = NULL},
};
`;

export const handlerList = ({ routes }) => `/* Made by api/generate.mjs: every handler. Included by server/api/handlers/handlers.h. */
${routes.map(({ operation }) => `HANDLER(${operation['x-handler']});\n`).join('')}`;
