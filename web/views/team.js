// team.js: access rights: members, tokens, share links, and the audit log.
import { html, useState } from '../ui/lib.js';
import { Card, Faces, Page, Strip } from '../ui/page.js';
import { useLoad, useNow } from '../ui/load.js';
import { Table } from '../ui/table.js';
import { Moment, Num } from '../ui/num.js';
import { Sure } from '../ui/sure.js';
import { count, plural } from '../ui/format.js';
import { useQuery } from '../nav.js';
import { href } from '../routes.js';
import { questionAddress } from '../comparing.js';
import { say } from '../ui/toast.js';
import * as api from '../api.js';
import { InviteDialog, ROLES, TokenDialog } from './team_dialogs.js';
import { AuditCard } from './team_audit.js';

/** @typedef {import('../types.js').Credential} Session @typedef {import('../types.js').Member} Member
 * @typedef {import('../types.js').Token} Token @typedef {import('../types.js').Share} Share */

const RULES = {
  members: { fallback: 'user', oneOf: ['user', '-user', 'role', '-role', 'since', '-since'] },
  tokens: { fallback: '-used', oneOf: ['name', '-name', 'expires', '-expires', 'used', '-used'] },
  links: { fallback: '-created', oneOf: ['name', '-name', 'created', '-created', 'expires', '-expires', 'opened', '-opened'] },
};

/** @param {{ team: string, session: Session }} p */
export function TeamView({ team, session }) {
  const [query, set, problems] = useQuery(RULES);
  const members = useLoad((abort) => api.members(team, { limit: 1000 }, abort), [team]);
  const mine = session.team === team;
  const owner = mine && session.scopes.includes('admin');
  useNow(30000);
  return html`
    <${Page} title=${`Team ${team}`} problems=${problems}
      under=${!mine && html`<p class="notice">You work for ${session.team ? `team ${session.team}` : 'no team'} now. Tokens and links below belong to a team that you work for: choose ${team} in the bar on top.</p>`}>
      <${Members} team=${team} load=${members} owner=${owner} me=${session.user} order=${query.members} onOrder=${(/** @type {any} */ x) => set({ members: x })} />
      ${mine && html`<${Tokens} session=${session} order=${query.tokens} onOrder=${(/** @type {any} */ x) => set({ tokens: x })} />`}
      ${owner && html`<${Links} order=${query.links} onOrder=${(/** @type {any} */ x) => set({ links: x })} /><${AuditCard} />`}
    <//>`;
}

/** Performs an action, reports it, and reloads. @param {() => Promise<unknown>} act @param {string} done @param {() => void} after */
async function change(act, done, after) {
  try {
    await act();
    say(done);
  } catch (e) {
    const p = /** @type {api.Problem} */ (e);
    say(`${p.message} ${p.hint}`, 'bad');
  }
  after();
}

/** @param {{ team: string, load: import('../ui/load.js').Load<any>, owner: boolean, me: string|null, order: string, onOrder: (o: string) => void }} p */
function Members({ team, load, owner, me, order, onOrder }) {
  const [inviting, setInviting] = useState(false);
  const roleCell = (/** @type {Member} */ m) => (owner && m.user !== me
    ? html`<select aria-label=${`Role of ${m.user}`} value=${m.role} onChange=${(/** @type {any} */ e) => change(() => api.setRole(team, m.user, { role: e.target.value }), `${m.user} is ${e.target.value} now.`, load.reload)}>
        ${Object.keys(ROLES).map((r) => html`<option key=${r} value=${r}>${r}</option>`)}</select>`
    : m.role);
  /** @type {import('../ui/table.js').Column<Member>[]} */
  const columns = [
    { key: 'user', label: 'who', sort: (m) => m.user, cell: (m) => html`${m.user}${m.user === me && html` <span class="tag">you</span>`}${m.disabled && html` <span class="tag warn">disabled</span>`}` },
    { key: 'role', label: 'role', title: Object.entries(ROLES).map(([r, may]) => `${r}: ${may}`).join('; '), sort: (m) => m.role, cell: roleCell },
    { key: 'since', label: 'since', right: true, sort: (m) => m.since, cell: (m) => html`<${Moment} at=${m.since} />` },
    { key: 'act', label: html`<span class="hidden">action</span>`, right: true, cell: (m) => (owner || m.user === me) && html`<${Sure} text=${m.user === me ? 'Leave' : 'Remove'} label=${m.user === me ? 'Leave the team' : `Remove ${m.user} from the team`}
        onSure=${() => change(() => api.removeMember(team, m.user), `${m.user} is out of the team.`, load.reload)} />` },
  ];
  const facts = (/** @type {Member[]} */ all) => Object.entries(ROLES).map(([role, may]) => {
    const n = all.filter((m) => m.role === role).length;
    return { label: `${role[0].toUpperCase()}${role.slice(1)}s`, value: html`<${Num} value=${n} text=${count(n)} />`, note: may };
  });
  return html`<${Faces} load=${load} what="the team" page>${(/** @type {any} */ d) => html`
    <${Strip} facts=${facts(d.items)} />
    <${Card} title=${plural(d.items.length, 'member')} note="A role applies to all objects of the team." aside=${owner && html`<button type="button" class="filled" aria-haspopup="dialog" onClick=${() => setInviting(true)}>Invite…</button>`}>
      ${d.items.length === 0 ? html`<p class="none">No members yet: programs use tokens of the team. Invite the first person.</p>`
        : html`<${Table} rows=${d.items} columns=${columns} id=${(/** @type {Member} */ m) => m.user} order=${order} onOrder=${onOrder} caption="Members" />`}
    <//>
    ${inviting && html`<${InviteDialog} team=${team} onClose=${() => setInviting(false)} />`}`}<//>`;
}

/** @param {Token} t */
const endsSoon = (t) => t.expires_at && Date.parse(t.expires_at) - Date.now() < 14 * 86400000;

/** @param {{ session: Session, order: string, onOrder: (o: string) => void }} p */
function Tokens({ session, order, onOrder }) {
  const load = useLoad((abort) => api.tokens(abort), []);
  const [making, setMaking] = useState(false);
  /** @type {import('../ui/table.js').Column<Token>[]} */
  const columns = [
    { key: 'name', label: 'name', sort: (t) => t.name, cell: (t) => html`${t.name} <span class="quiet">${t.shown}…</span>` },
    { key: 'user', label: 'of', cell: (t) => t.user ?? 'the team' },
    { key: 'scopes', label: 'may', cell: (t) => t.scopes.join(', ') },
    { key: 'expires', label: 'expires', right: true, sort: (t) => t.expires_at ?? '9999', cell: (t) => (t.expires_at ? html`${endsSoon(t) && html`<span class="warntext" title="within 14 days: make another, and put it where this one is used">soon:</span> `}<${Moment} at=${t.expires_at} />` : 'when removed') },
    { key: 'used', label: 'last used', right: true, sort: (t) => t.last_used_at ?? '', cell: (t) => (t.last_used_at ? html`<${Moment} at=${t.last_used_at} />` : 'never') },
    { key: 'act', label: html`<span class="hidden">action</span>`, right: true, cell: (t) => html`<${Sure} text="Remove" label=${`Remove the token ${t.name}`} onSure=${() => change(() => api.deleteToken(t.id), `The token ${t.name} is refused from now on.`, load.reload)} />` },
  ];
  return html`<${Card} title="Tokens" note="For programs: a script, a notebook, the command line on another machine." aside=${html`<button type="button" aria-haspopup="dialog" onClick=${() => setMaking(true)}>Make a token…</button>`}>
    <${Faces} load=${load} what="the tokens" empty=${(/** @type {any} */ d) => d.items.length === 0 && html`<p class="none">No token yet.</p>`}>${(/** @type {any} */ d) => html`
      <${Table} rows=${d.items} columns=${columns} id=${(/** @type {Token} */ t) => t.id} order=${order} onOrder=${onOrder} caption="Tokens" />`}<//>
    ${making && html`<${TokenDialog} session=${session} onClose=${() => { setMaking(false); load.reload(); }} />`}<//>`;
}

/** @param {Share} s */
const pageOf = (s) => (s.kind === 'compare' ? questionAddress(/** @type {import('../types.js').ShareQuestion} */ (s.question)) : href(s.kind, { id: s.object }));

/** @param {{ order: string, onOrder: (o: string) => void }} p */
function Links({ order, onOrder }) {
  const load = useLoad((abort) => api.shares({ limit: 1000 }, abort), []);
  /** @type {import('../ui/table.js').Column<Share>[]} */
  const columns = [
    { key: 'name', label: 'link', sort: (s) => s.name, cell: (s) => html`${s.name || 'without a name'} ${s.frozen_at && html`<span class="tag" title=${`shows what was there at ${s.frozen_at}`}>frozen</span>`} ${s.hide_names && html`<span class="tag">names hidden</span>`}` },
    { key: 'shows', label: 'shows', cell: (s) => html`<a href=${pageOf(s)}>the ${s.kind === 'compare' ? 'comparison' : s.kind}</a>` },
    { key: 'by', label: 'made by', cell: (s) => s.made_by },
    { key: 'created', label: 'made', right: true, sort: (s) => s.created_at, cell: (s) => html`<${Moment} at=${s.created_at} />` },
    { key: 'expires', label: 'ends', right: true, sort: (s) => s.expires_at, cell: (s) => html`<${Moment} at=${s.expires_at} />` },
    { key: 'opened', label: 'opened', right: true, sort: (s) => s.opened, cell: (s) => html`<${Num} value=${s.opened} text=${s.opened === 0 ? 'never' : count(s.opened)} />` },
    { key: 'act', label: html`<span class="hidden">action</span>`, right: true, cell: (s) => html`<${Sure} text="Take back" label=${`Take back the link ${s.name}`} onSure=${() => change(() => api.deleteShare(s.id), 'The link shows nothing any more.', load.reload)} />` },
  ];
  return html`<${Card} title="Shared links" note="Each shows one run, plan, profile or comparison to everyone who has the link, and nothing else of the team. Create links with Share on those pages.">
    <${Faces} load=${load} what="the links" empty=${(/** @type {any} */ d) => d.items.length === 0 && html`<p class="none">No active links.</p>`}>${(/** @type {any} */ d) => html`
      <${Table} rows=${d.items} columns=${columns} id=${(/** @type {Share} */ s) => s.id} order=${order} onOrder=${onOrder} caption="Shared links" />`}<//><//>`;
}
