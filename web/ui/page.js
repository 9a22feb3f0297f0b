// page.js: the frame of every page, and its four states.
import { html, useEffect, useLayoutEffect, useRef } from './lib.js';
import { Ask } from './ask.js';
import { sentence } from './format.js';

/** @typedef {import('./lib.js').Children} Children */
/** @typedef {{ label: string, value: Children, unit?: Children, note?: Children, tone?: string }} Fact */

/** A request that takes longer hides nothing. */
const ARRIVING_MS = 3000;
/** Until a page has loaded for the first time, content below a grey block is hidden (style.css): it would move when
 * the block is replaced. Parts that take seconds are `slow` and hide nothing. @param {HTMLElement} main */
function arriving(main) {
  const end = () => {
    watch.disconnect();
    clearTimeout(late);
    delete main.dataset.arriving;
  };
  const look = () => {
    if (![...main.querySelectorAll('.skeleton')].some((s) => !s.closest('.slow'))) end();
  };
  const late = setTimeout(end, ARRIVING_MS);
  const watch = new MutationObserver(look);
  main.dataset.arriving = '';
  watch.observe(main, { childList: true, subtree: true });
  look();
  return end;
}

/** @param {{ title: string, crumbs?: { text: string, href?: string }[], actions?: Children, under?: Children, problems?: string[], report?: boolean, children?: Children }} p `report`: one column, as for paper */
export function Page({ title, crumbs = [], actions, under, problems = [], report = false, children }) {
  useEffect(() => { document.title = `${title} · Vivace`; }, [title]);
  const main = useRef(/** @type {HTMLElement|null} */ (null));
  useLayoutEffect(() => arriving(/** @type {HTMLElement} */ (main.current)), []);
  return html`
    <main id="main" tabindex="-1" class=${report ? 'asreport' : undefined} ref=${main}>
      <div class="head">
        <div>
          ${crumbs.length > 0 && html`<nav class="crumbs" aria-label="Where you are"><ol>${crumbs.map((c) => html`<li key=${c.text}>${c.href ? html`<a href=${c.href}>${c.text}</a>` : c.text}</li>`)}</ol></nav>`}
          <h1>${title}</h1>
        </div>
        ${actions && html`<div class="actions">${actions}</div>`}
      </div>
      ${problems.map((p) => html`<p class="notice warn" role="status">${p}</p>`)}
      ${under}
      ${children}
    </main>`;
}

/** The facts below the title: the main results of the page in three to five cells. @param {{ facts: Fact[] }} p */
export function Strip({ facts }) {
  if (facts.length === 0) return null;
  return html`<dl class="strip panel">${facts.map((f) => html`
    <div key=${f.label} class=${f.tone ?? ''}>
      <dt>${f.label}</dt>
      <dd class="value">${f.value}${f.unit && html`<span class="unit"> ${f.unit}</span>`}</dd>
      <dd class="note">${f.note}</dd>
      <dd class="asked"><${Ask} label=${f.label} /></dd>
    </div>`)}</dl>`;
}

/** A panel with the finding as title, and one line of description.
 * @param {{ title: string, note?: Children, aside?: Children, class?: string, id?: string, children?: Children }} p
 */
export function Card({ title, note, aside, class: kind, id, children }) {
  return html`
    <section class="card panel ${kind ?? ''}" id=${id}>
      <header><div><h2>${title}</h2>${note && html`<p class="quiet">${note}</p>`}</div><div class="aside">${aside}<${Ask} label=${title} /></div></header>
      ${children}
    </section>`;
}

/** What went wrong, why, and what to do now. @param {{ error: any, again?: () => void, what?: string }} p */
export function Trouble({ error, again, what }) {
  const hint = error.hint || (error.status === 404 ? 'It may have been deleted, belong to another team, or the address is mistyped.' : '');
  return html`
    <div class="trouble" role="alert">
      <p><strong>${what ? `Could not ${what}. ` : ''}${sentence(error.message)}</strong></p>
      ${hint && html`<p>${sentence(hint)}</p>`}
      ${again && html`<p><button type="button" onClick=${again}>Try again</button></p>`}
      ${error.requestId && html`<p class="tiny">request ${error.requestId}</p>`}
    </div>`;
}

/** Grey blocks of the final size, shown after 150 ms, with a text that names the loading data.
 * @param {{ what?: string, height: number }} p */
export function Skeleton({ what, height }) {
  return html`<div class="skeleton" style=${{ height: `${height}px` }} role=${what ? 'status' : undefined}>${what && html`<span>Fetching ${what}…</span>`}</div>`;
}

/** The four states of fetched data: loading, error, empty, full. Loaded data stays visible; a later
 * failure is reported above it. `page`: the data is the whole page. @template T
 * @param {{ load: import('./load.js').Load<T>, what: string, height?: number, page?: boolean, empty?: (data: T) => Children, children: (data: T) => Children }} p
 */
export function Faces({ load, what, height = 120, page = false, empty, children }) {
  if (load.data === undefined) {
    if (load.error) {
      const trouble = html`<${Trouble} error=${load.error} what=${`read ${what}`} again=${load.reload} />`;
      return page ? html`<section class="panel card">${trouble}</section>` : trouble;
    }
    if (page) return html`<div class="skeletons"><${Skeleton} what=${what} height=${92} /><div class="columns">${[380, 380].map((h) => html`<${Skeleton} height=${h} />`)}</div><${Skeleton} height=${220} /></div>`;
    return html`<${Skeleton} what=${what} height=${height} />`;
  }
  const nothing = empty ? empty(load.data) : null;
  return html`
    ${load.error && html`<p class="notice bad" role="status">${load.error.message} The page shows older data. <button type="button" class="link" onClick=${load.reload}>Try again</button></p>`}
    ${nothing || children(load.data)}`;
}

/** A state in words, with its colour. @param {{ state: string }} p */
export function State({ state }) {
  return html`<span class="state ${state.replace(/[^a-z]/g, '')}">${state.replaceAll('_', ' ')}</span>`;
}
