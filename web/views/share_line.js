// share_line.js: shows a visitor the content and the expiry of a share link.
import { html } from '../ui/lib.js';
import { moment } from '../ui/format.js';

/** @param {{ share: NonNullable<import('../types.js').Credential['share']>, name: string }} p */
export function ShareLine({ share, name }) {
  const what = share.frozen_at ? `as it was on ${moment(share.frozen_at)}` : 'as it is now';
  return html`<aside class="shareline" aria-label="Shared link">Shared with you${name !== 'share link' && !share.hide_names && html`: <strong>${name}</strong>`}. You see one ${share.kind === 'compare' ? 'comparison' : share.kind}, ${what}, read only, until ${moment(share.expires_at)}.${share.hide_names && ' Names are replaced by labels.'}${share.discarded_at && html` <strong class="warntext">Results behind these figures were found wrong on ${moment(share.discarded_at)}: ask for a new link.</strong>`}</aside>`;
}
