// tests/api/role_walk.mjs: calls every route of the API with one credential, and compares the answers with the scopes in the
// description.
import assert from 'node:assert/strict';

/** [{ method, path, scope, key, body }] of an API document. */
export const routesOf = (document) => Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item).map(([method, op]) => ({
  method: method.toUpperCase(), path, scope: op.security.length ? op.security[0].token[0] : 'none',
  key: `${method.toUpperCase()} ${path}`, body: op.requestBody ? Object.keys(op.requestBody.content)[0] : null })));

/** Which scopes of a credential open a route. */
export const opens = ({ scope, method }) => ({ read: ['read'], write: ['write'], admin: ['admin'], team: ['admin', 'farm'], farm: ['farm'],
  worker: method === 'GET' ? ['worker', 'read'] : ['worker'] })[scope];

/** Ids that do not exist: an allowed caller gets 404 or 422, another one gets 401 or 403, and no data changes. */
const nowhere = (path) => path.replaceAll(/\{(\w+)\}/g, (_, name) => ({ sha256: 'f'.repeat(64), code: 'invalid', piece: '0', user: 'nobody', team: 'nowhere', secret: 'A'.repeat(22), design: 'nothing' }[name] ?? '00000000-0000-7000-8000-000000000000'));
/** A body that is refused after the check of the credential. */
const nonsense = (route) => (route.body === null ? undefined : route.body === 'application/json' ? '{"nonsense":1}' : 'nonsense');
export const call = (who, route, path) => who.request(route.method, path, nonsense(route), { 'Content-Type': route.body });

/** Calls every route as `who`, { name, request(method, path, body, headers) }, who has these scopes; null: no valid credential. */
export async function walkAll(document, who, scopes) {
  for (const route of routesOf(document)) {
    if (route.key === 'DELETE /api/v1/session') continue; // this would end the caller's session
    const status = await call(who, route, nowhere(route.path)).then(async (r) => { await r.body?.cancel(); return r.status; });
    const wanted = opens(route);
    const what = `${who.name}: ${route.key} answered ${status}`;
    assert.ok(status < 500, what);
    if (scopes === null) {
      if (route.scope === 'none') assert.notEqual(status, 403, what);
      else assert.equal(status, 401, what);
    } else if (!wanted) {
      if (route.scope === 'none' && ['/api/v1/session', '/api/v1/invitations'].includes(route.path)) continue;
      assert.notEqual(status, 401, what); // `any`: the handler decides; tests/api/accounts.test.mjs
    } else if (wanted.some((s) => scopes.includes(s))) {
      assert.ok(![401, 403].includes(status), what);
    } else {
      assert.equal(status, 403, what);
    }
  }
}
