// team_switch.js: the current team, with links to its page and to the user's other teams.
import { html, useState } from '../ui/lib.js';
import { Menu } from '../ui/menu.js';
import { go } from '../nav.js';
import { href } from '../routes.js';
import { say } from '../ui/toast.js';
import * as api from '../api.js';

/** @param {{ session: import('../types.js').Credential, onTurned: () => void }} p */
export function TeamSwitch({ session, onTurned }) {
  const [teams, setTeams] = useState(/** @type {import('../types.js').Team[]} */ ([]));
  const look = async () => {
    try {
      setTeams((await api.teams({ limit: 1000 })).items.filter((t) => t.role && t.team !== session.team));
    } catch { /* the link to the team's page is still available */ }
  };
  const turn = async (/** @type {string} */ team) => {
    try {
      await api.changeTeam({ team });
      go('/');
      onTurned();
      say(`You work for team ${team} now.`);
    } catch (e) {
      say(/** @type {Error} */ (e).message, 'bad');
    }
  };
  const items = [
    ...(session.team ? [{ text: 'Members, tokens, links', run: () => go(href('team', { team: session.team })) }] : []),
    ...teams.map((t) => ({ text: `Work for ${t.team}`, run: () => turn(t.team) })),
  ];
  return html`<span onPointerEnter=${look} onFocusIn=${look}><${Menu} label=${`Team ${session.team || 'none'}`} text=${session.team || 'no team'} items=${items} /></span>`;
}
