// app.js: the entry point. Maps the address to a view; has the top bar, the session and the global keys.
import { html, render, signal, useEffect, useRef, useState } from './ui/lib.js';
import * as api from './api.js';
import { base, match, href } from './routes.js';
import { questionAddress } from './comparing.js';
import { followLinks, go, here } from './nav.js';
import { liveState } from './live.js';
import { addFiles, transfers } from './uploads.js';
import { allKeys, useKeys, walkRows } from './ui/keys.js';
import { copy, copyWhole } from './ui/clipboard.js';
import { clock } from './ui/format.js';
import { DropTarget } from './ui/drop.js';
import { focusPage, keepFocus, replaceNumbers } from './ui/focus.js';
import { LaterDialog } from './ui/later.js';
import { say, Toast } from './ui/toast.js';
import { Page, Skeleton } from './ui/page.js';
import { teach } from './ui/ask.js';
import { conceptOf, explain } from './help.js';
import { WorkloadsView } from './views/workloads.js';
import { TeamSwitch } from './views/team_switch.js';
import { ShareLine } from './views/share_line.js';

/** Every view except the first is loaded on demand, or when the browser is idle.
 * @type {Record<string, () => Promise<(params: any) => any>>} */
const VIEWS = {
  login: async () => (await import('./views/login.js')).LoginView,
  workloads: async () => WorkloadsView,
  upload: async () => (await import('./views/upload.js')).UploadView,
  workload: async () => (await import('./views/workload.js')).WorkloadView,
  profile: async () => (await import('./views/profile.js')).ProfileView,
  plans: async () => (await import('./views/lists.js')).PlansView,
  plan: async () => (await import('./views/plan.js')).PlanView,
  runs: async () => (await import('./views/lists.js')).RunsView,
  run: async () => (await import('./views/run.js')).RunView,
  result: async () => (await import('./views/result.js')).ResultView,
  compare: async () => (await import('./views/compare.js')).CompareView,
  farm: async () => (await import('./views/farm.js')).FarmView,
  discards: async () => (await import('./views/discards.js')).DiscardsView,
  team: async () => (await import('./views/team.js')).TeamView,
  join: async () => (await import('./views/join.js')).JoinView,
};
/** The loaded views. @type {Map<string, (params: any) => any>} */
const loaded = new Map([['workloads', WorkloadsView]]);
/** @param {string} name */
const fetchView = async (name) => loaded.set(name, await VIEWS[name]());
const SECTIONS = /** @type {const} */ ([
  ['Workloads', 'workloads', ['workloads', 'workload', 'profile', 'upload']],
  ['Plans', 'plans', ['plans', 'plan']],
  ['Runs', 'runs', ['runs', 'run', 'result']],
  ['Compare', 'compare', ['compare']],
  ['Farm', 'farm', ['farm', 'discards']],
]);

/** undefined: not known yet; null: not logged in. */
const who = api.who;
const cannotStart = signal(/** @type {Error|null} */ (null));
/** A visitor with an expired share link sees that it has expired, instead of the login page. */
const linkEnded = signal(false);
api.onSignedOut(() => {
  linkEnded.value = Boolean(who.value?.share);
  who.value = null;
});

async function askWho() {
  cannotStart.value = null;
  try {
    who.value = await api.getSession();
    const share = who.value?.share;
    if (base && share && here.value.path === base) go(share.question ? questionAddress(share.question) : href(share.kind, { id: share.object }), { replace: true });
  } catch (e) {
    if (e instanceof api.Problem && e.status === 401) who.value = null;
    else cannotStart.value = /** @type {Error} */ (e);
  }
}

const systemDark = matchMedia('(prefers-color-scheme: dark)');
/** Applies the chosen theme, or that of the system; theme.js does the same before the first paint. */
function dress() {
  const chosen = localStorage.getItem('theme');
  document.documentElement.dataset.theme = (chosen ? chosen === 'dark' : systemDark.matches) ? 'dark' : 'light';
  dispatchEvent(new Event('themechange'));
}
systemDark.addEventListener('change', dress);

/** Cycles through the themes: first the one that differs from the system's, so that the first press has a visible
 * effect; then the other one, fixed; then the system's. */
function turnTheme() {
  const [own, other] = systemDark.matches ? ['dark', 'light'] : ['light', 'dark'];
  const now = localStorage.getItem('theme');
  const next = now === null ? other : now === other ? own : null;
  if (next === null) localStorage.removeItem('theme');
  else localStorage.setItem('theme', next);
  dress();
  say(next === null ? 'Light or dark, as the system has it.' : `Always ${next}.`);
}

function Badge() {
  const { kind, since } = liveState.value;
  if (kind === 'idle' || who.value?.share?.frozen) return null;
  const text = kind === 'open' ? 'live' : kind === 'catching up' ? 'catching up' : `stale since ${clock(since)}`;
  const why = kind === 'stale' ? 'The event stream broke; this page reads again every 5 s.' : 'Changes appear as they happen.';
  return html`<span class="badge ${kind === 'open' ? 'ok' : 'warn'}" title=${why}>${text}</span>`;
}

function OnTheWay() {
  const going = transfers.value.filter((t) => ['starting', 'sending', 'waiting', 'finishing'].includes(t.phase));
  if (going.length === 0) return null;
  const sent = going.reduce((s, t) => s + t.sent, 0) / Math.max(1, going.reduce((s, t) => s + t.bytes, 0));
  return html`<a class="badge" href=${href('upload')}>uploading ${Math.floor(sent * 100)} %</a>`;
}

/** @param {import('./types.js').Credential} session */
function loggedIn(session) {
  who.value = session;
}

/** @param {{ name: string, onHelp: () => void, onSearch: () => void }} p */
function TopBar({ name, onHelp, onSearch }) {
  const session = who.value;
  const sections = session?.share ? [] : SECTIONS;
  return html`
    <header class="top">
      <a class="skip" href="#main">Skip to the page</a>
      <a class="brand" href="/">vivace</a>
      <nav aria-label="Sections"><ul>${sections.map(([text, route, names]) => html`
        <li key=${route}><a href=${href(route)} aria-current=${/** @type {readonly string[]} */ (names).includes(name) ? 'page' : undefined}>${text}</a></li>`)}</ul></nav>
      <span class="spring"></span>
      <${OnTheWay} /><${Badge} />
      ${!session?.share && html`<button type="button" class="plain key" title="Search everything" aria-label="Search everything" aria-haspopup="dialog" onClick=${onSearch}>/</button>`}
      <button type="button" class="plain key" title="Keys of this page" aria-label="Keys of this page" aria-haspopup="dialog" onClick=${onHelp}>?</button>
      <button type="button" class="plain key" title="Light, dark, or as the system" aria-label="Light, dark, or as the system" onClick=${turnTheme}>◐</button>
      ${session && !session.share && html`<${TeamSwitch} session=${session} onTurned=${askWho} /><span class="who">${session.name}</span>`}
      ${session && html`<button type="button" class="plain" onClick=${leave}>${session.share ? 'Close' : 'Log out'}</button>`}
    </header>`;
}

async function leave() {
  if (base) {
    location.assign('/'); // leaves the share link
    return;
  }
  try {
    await api.closeSession();
  } catch (e) {
    if (!(e instanceof api.Problem && e.status === 401)) {
      say(`Could not log out. ${/** @type {Error} */ (e).message}`, 'bad');
      return;
    }
  }
  who.value = null;
}

/** @param {File[]} files */
function take(files) {
  if (!api.may('write')) return;
  addFiles(files);
  go(href('upload'));
}

/** The view of that name; loads it if necessary. @param {{ name: string }} p */
function View({ name, ...params }) {
  const [, drawAgain] = useState(0);
  const [failed, setFailed] = useState(false);
  const view = loaded.get(name);
  useEffect(() => {
    if (!view) fetchView(name).then(() => drawAgain((n) => n + 1), () => setFailed(true));
  }, [name]);
  if (view) return html`<${view} ...${params} />`;
  if (!failed) return html`<main id="main" tabindex="-1"><${Skeleton} height=${200} /></main>`;
  return html`<${Page} title="This page did not load"><div class="panel empty" role="alert"><p>The server did not give the page’s script: it is away, or has another version since this tab was opened.</p>
    <p><button type="button" onClick=${() => location.reload()}>Load again</button></p></div><//>`;
}

const POLL_MS = 100;
/** Fetches the other views once the first is drawn, so that the requests of the first view are not delayed. */
function whenDrawn() {
  if (document.querySelector('.skeleton')) setTimeout(whenDrawn, POLL_MS);
  else (window.requestIdleCallback ?? setTimeout)(fetchOthers);
}

function fetchOthers() {
  for (const name of Object.keys(VIEWS)) fetchView(name).catch(() => { /* reported when the view is opened */ });
}

function NotThere() {
  return html`<${Page} title="Nothing is at this address">
    <div class="panel empty"><p>The address may be mistyped, or what it showed was deleted.</p><p><a href="/">All workloads</a></p></div><//>`;
}

function LinkGone() {
  return html`<${Page} title="This link shares nothing">
    <div class="panel empty"><p>It was mistyped, has expired, or was revoked. Ask the person who sent it for a new one.</p>
      <p><a href="/" onClick=${() => { linkEnded.value = false; }}>All workloads</a>, for who has an account here.</p></div><//>`;
}

function App() {
  const [help, setHelp] = useState(false);
  const [searching, setSearching] = useState(false);
  const search = () => { if (who.value && !who.value.share) setSearching(true); };
  const found = match(here.value.path);
  const name = found?.name ?? '';
  useKeys([
    { keys: '/', does: 'search everything', run: search },
    { keys: '?', does: 'these keys', run: () => setHelp(true) },
    { keys: 'g w', does: 'go to Workloads', run: () => go('/') },
    { keys: 'g p', does: 'go to Plans', run: () => go(href('plans')) },
    { keys: 'g r', does: 'go to Runs', run: () => go(href('runs')) },
    { keys: 'g c', does: 'go to Compare', run: () => go(href('compare')) },
    { keys: 'g f', does: 'go to Farm', run: () => go(href('farm')) },
    { keys: 'j', does: 'next row', run: () => walkRows(1) },
    { keys: 'k', does: 'previous row', run: () => walkRows(-1) },
    { keys: 'u', does: 'upload', run: () => go(href('upload')) },
    { keys: 'l', does: 'copy the link to this view', run: async () => say((await copy(location.href)) ? 'Link copied.' : location.href) },
    { keys: 'd', does: 'light, dark, as the system', run: turnTheme },
  ]);
  useEffect(() => { askWho(); }, []);
  const arrived = useRef(false);
  useEffect(() => {
    if (arrived.current) focusPage();
    arrived.current = true;
  }, [here.value.path]);

  /** @type {any} */
  let body;
  if (cannotStart.value) {
    const e = /** @type {api.Problem} */ (cannotStart.value);
    body = html`<${Page} title="The server does not answer"><div class="panel empty" role="alert"><p>${e.message} ${e.hint}</p><p><button type="button" onClick=${askWho}>Try again</button></p></div><//>`;
  } else if (who.value === undefined) body = html`<main id="main" tabindex="-1"><${Skeleton} what="who you are" height=${200} /></main>`;
  else if (linkEnded.value || (base && who.value === null)) body = html`<${LinkGone} />`;
  else if (name === 'join') body = html`<${View} name="join" session=${who.value} onDone=${loggedIn} />`;
  else if (who.value === null) body = html`<${View} name="login" key="login" onDone=${loggedIn} />`;
  else if (!found) body = html`<${NotThere} />`;
  // The key makes a new component for a new resource, so that no data of the old one is shown.
  else body = html`<${View} name=${name} key=${`${who.value.team} ${here.value.path}`} ...${found.params} session=${who.value} />`;

  return html`
    <${TopBar} name=${name} onHelp=${() => setHelp(true)} onSearch=${search} />
    ${who.value?.share && html`<${ShareLine} share=${who.value.share} name=${who.value.name} />`}
    ${body}
    ${searching && html`<${LaterDialog} get=${async () => (await import('./views/search.js')).SearchDialog} what="The search" keys=${allKeys()} onClose=${() => setSearching(false)} />`}
    ${help && html`<${LaterDialog} get=${async () => (await import('./views/keys_dialog.js')).KeysDialog} what="The list of keys" onClose=${() => setHelp(false)} />`}
    <${DropTarget} onFiles=${take} />
    <${Toast} />`;
}

followLinks();
keepFocus();
replaceNumbers();
teach({ conceptOf, explain });
if (match(location.pathname)) fetchView(/** @type {import('./routes.js').Match} */ (match(location.pathname)).name).catch(() => { /* reported by View */ });
addEventListener('load', whenDrawn);
document.addEventListener('copy', copyWhole);
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById('app')));
