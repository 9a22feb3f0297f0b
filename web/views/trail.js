// trail.js: the path to a page, from the workload on. A visitor with a share link gets only links to pages that the
// share link includes.
import { href } from '../routes.js';
import * as api from '../api.js';

/** The name of the last page, and its parents.
 * @param {string} last @param {{ workload: string, workload_name?: string, name?: string, profile?: string, plan?: string }|undefined} of
 */
export function trail(last, of) {
  const share = api.who.value?.share;
  if (share) return [...(of?.workload_name ? [{ text: of.workload_name }] : []), ...(share.kind === 'run' && last === 'run' && of?.plan ? [{ text: 'plan', href: href('plan', { id: of.plan }) }] : []), { text: last }];
  return [
    { text: 'Workloads', href: '/' },
    ...(of ? [{ text: of.workload_name ?? of.name ?? 'workload', href: href('workload', { id: of.workload }) }] : []),
    ...(of?.profile && last === 'plan' ? [{ text: 'profile', href: href('profile', { id: of.profile }) }] : []),
    ...(of?.plan && last === 'run' ? [{ text: 'plan', href: href('plan', { id: of.plan }) }] : []),
    { text: last },
  ];
}
