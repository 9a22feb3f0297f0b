// run_rule.js: the stopping rule of a new run: the end of its plan, or the required precision of totals and differences.
import { html } from '../ui/lib.js';
import { bound } from '../ui/format.js';

/** The content of the fields. `spend`: the unit of `most`.
 * @typedef {{ ends: 'plan'|'known', until: string, resolve: string, most: string, spend: 'jobs'|'minutes', ask: boolean, caches: string, inside: string }} Rule
 */

/** By default a run continues until the plan's error is reached, if the plan has a requested error and more samples
 * can be drawn.
 * @param {import('../types.js').Plan} plan @returns {Rule} */
export const ruleOf = (plan) => ({ ends: plan.extensible && !plan.budget && !plan.share ? 'known' : 'plan', until: String(Number(((plan.error ?? 0.02) * 100).toPrecision(6))), resolve: '', most: '', spend: 'minutes', ask: false, caches: '', inside: '' });

/** A comma is a decimal comma; before three digits it is ambiguous, so the input is invalid. @param {string} text */
const numeric = (text) => (text.trim() === '' || /,\d{3}(?!\d)/.test(text) ? NaN : Number(text.replace('%', '').replace(',', '.').trim()));

/** The request for this rule, or its error. Differences need at least two designs.
 * @param {Rule} rule @param {number} designs @returns {{ how: Record<string, any>, problem: string|null }} */
export function readRule(rule, designs) {
  /** @type {Record<string, any>} */
  const how = {};
  const wrong = (/** @type {string} */ problem) => ({ how, problem });
  if (rule.caches.trim() !== '') {
    const n = numeric(rule.caches);
    if (!Number.isInteger(n) || n < 0 || n > 100) return wrong('Launches with warmed caches are a whole number from 0 to 100.');
    how.cache_check = n;
  }
  if (rule.inside.trim() !== '') {
    const x = numeric(rule.inside);
    if (!(x >= 1 && x <= 8)) return wrong('The error inside a launch must be a percentage from 1 to 8.');
    how.inside_kernels = Number((x / 100).toPrecision(12));
  }
  if (rule.ends === 'plan') return { how, problem: null };
  for (const [name, text, what] of [['until', rule.until, 'The error of a total'], ['resolve', designs > 1 ? rule.resolve : '', 'The error of a difference']]) {
    if (text.trim() === '') continue;
    const x = numeric(text);
    if (!(x >= 0.01 && x < 100)) return wrong(`${what} must be a percentage from 0.01 to 100.`);
    how[name] = Number((x / 100).toPrecision(12));
  }
  if (how.until === undefined && how.resolve === undefined) return wrong('Enter the maximum error of totals or differences.');
  if (how.inside_kernels !== undefined && how.resolve !== undefined) return wrong('A difference cannot be resolved to an error while launches are projected inside: no number of samples makes their error less.');
  if (how.inside_kernels > how.until / 2) return wrong('The error inside a launch is half of the error of a total at most.');
  if (rule.most.trim() !== '') {
    const x = numeric(rule.most);
    if (!(x > 0) || (rule.spend === 'jobs' && !Number.isInteger(x))) return wrong(`The most to spend is a ${rule.spend === 'jobs' ? 'whole ' : ''}number above 0, without separators.`);
    how.budget = rule.spend === 'jobs' ? { jobs: x } : { seconds: 60 * x };
  }
  if (rule.ask) how.approve = 'ask';
  return { how, problem: null };
}

/** `cycle`: traces are simulated, so the cache state has an effect.
 * @param {{ rule: Rule, plan: import('../types.js').Plan, designs: number, cycle: boolean, onChange: (r: Rule) => void }} p */
export function RuleFields({ rule, plan, designs, cycle, onChange }) {
  const set = (/** @type {keyof Rule} */ name) => (/** @type {any} */ e) => onChange({ ...rule, [name]: e.target.type === 'checkbox' ? e.target.checked : e.target.value });
  const short = (/** @type {keyof Rule} */ name, /** @type {string} */ label, /** @type {string} */ after, hint = '') => html`<p class="next"><label for=${`rule-${name}`}>${label}</label>
    <input id=${`rule-${name}`} class="short" inputmode="decimal" value=${rule[name]} placeholder=${hint} onInput=${set(name)} /> ${after}</p>`;
  return html`<fieldset><legend>When it is over</legend>
    <label class="radio"><input type="radio" name="ends" value="known" checked=${rule.ends === 'known'} disabled=${!plan.extensible} onChange=${set('ends')} /><span><strong>when it is known well enough</strong><span class="quiet">${plan.extensible
      ? 'begins with a few samples of each stratum, and draws more from strata with a large variance, at most five times.'
      : plan.representative ? 'needs a method that draws at random: this plan’s samples are representatives.' : 'needs samples that show their spread and are drawn without replacement: this plan’s are not.'}</span></span></label>
    ${rule.ends === 'known' && html`<div class="under">
      ${short('until', 'Each total to ±', '%')}
      ${designs > 1 && short('resolve', 'Each difference to the baseline to ±', '% of the baseline’s total', 'no goal')}
      <p class="next"><label for="rule-most">At most</label> <input id="rule-most" class="short" inputmode="decimal" value=${rule.most} placeholder="no limit" onInput=${set('most')} />
        <select aria-label="Unit of the limit" value=${rule.spend} onChange=${set('spend')}><option value="minutes">minutes of simulation</option><option value="jobs">jobs</option></select></p>
      <p class="next"><label><input type="checkbox" checked=${rule.ask} onChange=${set('ask')} /> Ask before it draws more than its plan</label></p></div>`}
    <label class="radio"><input type="radio" name="ends" value="plan" checked=${rule.ends === 'plan'} onChange=${set('ends')} /><span><strong>with its plan</strong><span class="quiet">simulates what the plan drew, however wide the interval then is${plan.error ? `: ${bound(plan.error)} if times spread as they did on the profiled GPU` : ''}.</span></span></label>
    ${cycle && html`${short('inside', 'Stop inside launches once the rest is known to ±', '% of their cycles', 'never')}
      <p class="quiet">1 to 8. For long launches whose CTAs are like one another; the error is in every interval. Others are simulated whole.</p>
      ${short('caches', 'Measure what cold caches cost on', 'launches', '3')}
      <p class="quiet">They are simulated once more, after those before them: that needs the profile’s own traces. 0: none.</p>`}</fieldset>`;
}
