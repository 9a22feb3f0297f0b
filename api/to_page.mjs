// to_page.mjs: the page that says of every route who may use it.
import { leastRole } from './description.mjs';

const row = ({ path, method, operation }) => `| \`${method.toUpperCase()} ${path}\` | ${operation['x-scope']} | ${leastRole({ operation, method })} | ${operation['x-share'] && operation['x-share'] !== 'hidden' ? operation['x-share'] : ''} | ${operation['x-audit'] ?? ''} |\n`;

export const routesPage = ({ routes }) => `# Every route and who may use it

Made by api/generate.mjs. Scopes and roles: docs/SECURITY.md. Share link: what must be shared for a link to read the route. Audit log: the
action that a call is recorded as.

| route | scope | least role | share link | audit log |
|---|---|---|---|---|
${routes.filter((r) => r.tag).map(row).join('')}`;
