// run_interim.js: a run with a stopping rule: the rule, the results of each interim analysis, and a remark on the last one.
import { html } from '../ui/lib.js';
import { Card } from '../ui/page.js';
import { say } from '../ui/toast.js';
import { Moment } from '../ui/num.js';
import { bound, count, error, plural, saysNothing, time } from '../ui/format.js';
import * as api from '../api.js';
import { stratumName } from './facts.js';
import { TakenOut } from './run_sample_replace.js';

/** @typedef {import('../types.js').Run} Run @typedef {import('../types.js').Look} Look @typedef {import('../types.js').RunRule} Rule */

/** @param {Rule} rule */
function ruleText(rule) {
  const parts = [];
  if (rule.until !== null) parts.push(`each total is known to ± ${error(rule.until)}`);
  if (rule.resolve !== null) parts.push(`differences to ${rule.baseline} are known to ± ${error(rule.resolve)}`);
  const b = rule.budget;
  const most = !b ? '' : b.seconds ? `, at most ${time(b.seconds)} of simulation` : b.jobs ? `, at most ${plural(b.jobs, 'job')}` : `, at most ${count(b.money ?? 0)} of money`;
  return `It ends when ${parts.join(' and ')}${most}. ${bound(rule.confidence)} for all interim analyses together, ${count(rule.looks)} at most.`;
}

/** @param {Look['promises'][number]} p */
function promiseText(p) {
  return `${p.difference ? `${p.design}, difference` : p.design} ${p.relative_half_width === null || saysNothing(p.relative_half_width) ? 'not known' : `± ${error(p.relative_half_width)}`}${p.kept ? ', kept' : ''}`;
}

/** The text about an extension. @param {NonNullable<Look['extension']>} x */
function answerText(x) {
  const by = x.answered_by ? ` by ${x.answered_by}` : '';
  return { auto: 'simulated', waiting: 'waits for your word', accepted: `accepted${by}`, undone: `undone${by}` }[x.answer];
}

/** @param {{ run: Run, look: Look, last: boolean, onDone: (r: Run) => void }} p */
function OneLook({ run, look, last, onDone }) {
  const x = look.extension;
  const act = (/** @type {'accept'|'undo'} */ what) => async () => {
    try {
      onDone(await (what === 'accept' ? api.acceptLook : api.undoLook)(run.id, String(look.number)));
    } catch (e) {
      const p = /** @type {api.Problem} */ (e);
      say(`${p.message} ${p.hint}`, 'bad');
    }
  };
  const open = last && x && x.answer !== 'undone' && (run.state === 'running' || run.state === 'paused') && api.may('write');
  return html`<li class=${look.decision === 'more' ? '' : look.promises.every((p) => p.kept) ? 'ok' : 'warn'}>
    <span><strong>Interim analysis ${look.number}</strong>, ${plural(look.jobs, 'job')}: ${look.reason}</span>
    <span class="quiet"> ${look.promises.map(promiseText).join('; ')}. <${Moment} at=${look.at} /></span>
    ${x && html`<span class="quiet"> + ${plural(x.jobs, 'job')}${x.expected_s === null ? '' : `, about ${time(x.expected_s)}`}${' '}
      (${x.strata.slice(0, 4).map((s) => `${stratumName(s.stratum)} ${s.from} → ${s.to}`).join(', ')}${x.strata.length > 4 ? ', …' : ''}): ${answerText(x)}.</span>`}
    ${open && html` ${x.answer === 'waiting' && html`<button type="button" class="filled" onClick=${act('accept')}>Accept</button>`}
      <button type="button" onClick=${act('undo')}>Undo</button>`}
  </li>`;
}

/** @param {{ run: Run, onDone: (r: Run) => void }} p */
export function RunLooks({ run, onDone }) {
  const looks = run.looks ?? [];
  if (!run.rule) return null;
  return html`<${Card} title="When it is over" note=${ruleText(run.rule)} class="looks">
    ${looks.length === 0 && html`<p class="none">No interim analysis yet. The first follows when all jobs of the pilot have ended.</p>`}
    <ol class="events">${looks.map((look, i) => html`<${OneLook} key=${look.number} run=${run} look=${look} last=${i === looks.length - 1} onDone=${onDone} />`)}</ol>
    <${TakenOut} run=${run} />
  <//>`;
}
