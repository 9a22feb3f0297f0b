// team_audit.js: the audit log of the team, newest first.
import { html, useState } from '../ui/lib.js';
import { Card, Faces } from '../ui/page.js';
import { useLoad } from '../ui/load.js';
import { Table } from '../ui/table.js';
import { Moment } from '../ui/num.js';
import { Menu } from '../ui/menu.js';
import * as api from '../api.js';

/** @typedef {import('../types.js').AuditEntry} AuditEntry */

/** @type {import('../ui/table.js').Column<AuditEntry>[]} */
const COLUMNS = [
  { key: 'at', label: 'when', cell: (a) => html`<${Moment} at=${a.at} />` },
  { key: 'actor', label: 'who', cell: (a) => (a.actor === '-' ? html`<span class="unknown" title="no user was logged in">–</span>` : a.actor) },
  { key: 'action', label: 'did', cell: (a) => a.action },
  { key: 'object', label: 'with', wide: true, cell: (a) => html`<span title=${a.object}>${a.object}</span>` },
  { key: 'outcome', label: 'answer', right: true, title: 'HTTP status', cell: (a) => html`<span class=${a.outcome >= 400 ? 'state failed' : ''}>${a.outcome}</span>` },
  { key: 'address', label: 'from', right: true, cell: (a) => a.address },
];

export function AuditCard() {
  const load = useLoad((abort) => api.audit({ limit: 50 }, abort), []);
  const [busy, setBusy] = useState(false);
  const more = async (/** @type {string} */ after) => {
    setBusy(true);
    try {
      const next = await api.audit({ limit: 50, after });
      load.set((/** @type {any} */ d) => ({ items: [...d.items, ...next.items], next: next.next }));
    } finally {
      setBusy(false);
    }
  };
  return html`<${Card} title="What was done" note="Log-ins, changes of members, tokens and links, deletions, cancelled runs, and refused attempts. Kept for a year." aside=${html`<${Menu} label="Take it away" items=${[{ text: 'CSV', href: api.address.audit(), download: 'audit.csv' }]} />`}>
    <${Faces} load=${load} what="what was done" empty=${(/** @type {any} */ d) => d.items.length === 0 && html`<p class="none">Nothing yet.</p>`}>${(/** @type {any} */ d) => html`
      <${Table} rows=${d.items} columns=${COLUMNS} id=${(/** @type {AuditEntry} */ a) => `${a.request_id}${a.action}${a.at}`} order="" caption="What was done" />
      ${d.next && html`<p class="next"><button type="button" disabled=${busy} onClick=${() => more(d.next)}>Older ones</button></p>`}`}<//><//>`;
}
