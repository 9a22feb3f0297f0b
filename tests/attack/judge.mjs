// tests/attack/judge.mjs: checks what every answer must satisfy, for every caller and request.
import { marker } from './world.mjs';
import { opens } from './cases.mjs';

/** Statuses that the HTTP library's parser itself answers. The body of these answers is not JSON. */
const ofLibrary = [400, 411, 413, 414, 417, 431, 505];

export class Judge {
  constructor(world, schemas) {
    Object.assign(this, { world, schemas });
  }

  /** Returns a sentence for each fault of the answer. */
  wrong(c, a) {
    if (a.status === 0) return c.wild ? [] : [a.late ? 'no answer came' : 'the connection ended without an answer'];
    const said = [];
    if (a.status >= 500 && ![503, 505].includes(a.status)) said.push(`answered ${a.status}: ${a.body.toString().slice(0, 300)}`);
    if (a.status === 503 && !a.header('retry-after') && !a.header('content-type')?.startsWith('text/plain')) said.push('503 without Retry-After');
    if (a.headers.some(([n]) => n === 'x-injected')) said.push('a header sent by the caller is in the answer');
    said.push(...this.#access(c, a));
    if (a.status >= 400) said.push(...this.#refusal(c, a));
    else if (!c.wild) said.push(...this.#success(c, a));
    return said;
  }

  #access(c, a) {
    const said = [], text = a.body.toString('latin1'), needed = opens(c.route);
    const fine = a.status >= 200 && a.status < 400;
    const asked = !c.wild; // a damaged request may now be addressed to another route
    if (asked && fine && c.caller.stranger && c.route.scope !== 'none') said.push(`${c.caller.name} got ${a.status}`);
    if (asked && fine && needed && !needed.some((s) => c.caller.scopes.includes(s))) said.push(`${c.caller.name} lacks ${needed} and got ${a.status}`);
    if (asked && fine && c.foreign) said.push(`another team's ${c.foreign} was given to ${c.caller.name}`);
    for (const team of ['red', 'blue']) {
      if (team === c.caller.team || c.caller.name === 'worker' || !text.includes(marker(team))) continue;
      said.push(`${c.caller.name} reads what ${team} has named`);
    }
    for (const secret of this.world.secrets)
      if (text.includes(secret) && !c.path.includes(secret) && !c.body?.includes(secret) && !this.#givesSecrets(c)) said.push(`a secret is in the answer: ${secret.slice(0, 8)}…`);
    return said;
  }

  #givesSecrets(c) {
    return c.method === 'POST' && ['/api/v1/tokens', '/api/v1/shares', '/api/v1/teams/{team}/invitations'].includes(c.route.path);
  }

  #refusal(c, a) {
    const type = a.header('content-type') ?? '';
    if (c.method === 'HEAD' || (c.wild && ofLibrary.includes(a.status) && !type.includes('json'))) return [];
    if (a.status === 503 && type.startsWith('text/plain')) return [];
    if (c.route.op.responses[a.status] && !c.route.op.responses[a.status].content && a.body.length === 0) return type ? [`${a.status} without a body has a type`] : [];
    if (type !== 'application/problem+json') return [`${a.status} of type ${type}`];
    const problem = json(a.body);
    if (!problem) return [`${a.status} whose body is no JSON`];
    const said = this.schemas.errors({ $ref: '#/components/schemas/Problem' }, problem, 'the problem');
    if (problem.status !== a.status) said.push(`the problem says ${problem.status}, the answer ${a.status}`);
    if (!a.header('x-request-id')) said.push('no X-Request-Id');
    return said;
  }

  #success(c, a) {
    if (a.status === 304 && c.headers.some(([n]) => n === 'If-None-Match')) return a.body.length ? ['304 with a body'] : [];
    const reported = c.route.op.responses[String(a.status)];
    if (!reported) return [`${a.status} is not in the document`];
    if (c.method === 'HEAD' || a.status === 304 || a.status === 204) return a.body.length ? [`${a.status} with a body`] : [];
    const type = (a.header('content-type') ?? '').split(';')[0], media = reported.content?.[type];
    if (a.body.length && !media) return [`${a.status} of type ${type || 'none'} is not in the document`];
    if (type !== 'application/json') return [];
    const value = json(a.body);
    if (value === undefined) return ['the body is no JSON'];
    return this.schemas.errors(media.schema ?? {}, value, 'the answer');
  }
}

export function json(bytes) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
