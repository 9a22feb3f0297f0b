// compare.js: which design wins, and is the difference real? All values come from the server; this file only displays them.
import { html, useCallback, useEffect, useMemo } from '../ui/lib.js';
import { Card, Faces, Page, Strip } from '../ui/page.js';
import { useLoad, useThrottle } from '../ui/load.js';
import { useKeys } from '../ui/keys.js';
import { ordersOf } from '../ui/sort.js';
import { hideRule } from '../ui/shown.js';
import { Columns, Table } from '../ui/table.js';
import { Menu } from '../ui/menu.js';
import { say } from '../ui/toast.js';
import { Estimate, inStrip, Num } from '../ui/num.js';
import { count, countEstimate, estimate, level, plural, timeEstimate } from '../ui/format.js';
import { cut } from '../ui/kernel_name.js';
import { Picture } from '../charts/picture.js';
import { interval } from '../charts/interval.js';
import { selection, useSelected } from '../charts/select.js';
import { notSelected, SELECTED } from '../charts/select_text.js';
import { waterfall } from '../charts/waterfall.js';
import { WINDOW } from '../charts/view.js';
import { useQuery } from '../nav.js';
import { useLive } from '../live.js';
import { href } from '../routes.js';
import { chosen, compareAddress, keep, questionAddress, questionOf, sideOf } from '../comparing.js';
import * as api from '../api.js';
import { Choose } from './compare_choose.js';
import { PaperHead, REPORT, ReportActions, ReportButton } from './paper.js';
import { DesignTable } from './compare_design.js';
import { ResolveCard } from './compare_resolve.js';
import { AcrossWorkloads } from './compare_workloads.js';
import { ShareButton } from './share_dialog.js';
import { changeOf, noteText, notReal, seedsText } from './facts.js';
import { AnswerNotice, isUnderWay } from './run_answer.js';

/** @typedef {import('../types.js').Comparison} Comparison @typedef {import('../types.js').ComparedDesign} Side */

const COLUMNS = columnsOf(/** @type {any} */ ({}));
const RULES = {
  base: { fallback: '' }, with: { fallback: '' }, show: { fallback: '' },
  sort: { fallback: '', oneOf: ['', ...ordersOf(COLUMNS)] }, hide: hideRule(COLUMNS), zoom: WINDOW, selected: SELECTED, ...REPORT, parameters: { fallback: 'differences', oneOf: ['differences', 'all'] }, resolve: { fallback: '0.01', number: /** @type {[number, number]} */ ([0.0001, 0.5]) },
};
const POLL_MS = 10000;
const STEPS = 12; // number of kernels named in the waterfall

/** @param {Side} s */
const idOf = (s) => sideOf(s.run, s.design);

export function CompareView() {
  const [query, set, problems] = useQuery(RULES);
  useSelected(query.selected, set);
  const others = query.with.split(',').filter(Boolean), stray = [...problems, ...notSelected(query.selected, { design: undefined, workload: undefined, kernel: undefined })];
  const choose = (/** @type {string} */ base, /** @type {string[]} */ list) => set({ base, with: list.join(','), show: '' });
  const share = api.who.value?.share;
  useEffect(() => { if (query.base && !share) keep(query.base, others); }, [query.base, query.with]);
  if (query.base && others.length > 0) return html`<${Compared} query=${query} set=${set} problems=${stray} others=${others} onChoose=${choose} />`;
  if (share) return html`<${Page} title="Compare"><div class="panel empty"><p>The address names no comparison.</p>${share.question && html`<p><a href=${questionAddress(share.question)}>The comparison of this link</a></p>`}</div><//>`;
  const before = chosen();
  return html`<${Page} title="Compare" problems=${stray}>
    ${!query.base && before.base && before.with.length > 0 && html`<p class="notice">You were comparing ${plural(before.with.length + 1, 'design')}. <a href=${compareAddress(before)}>Show that comparison</a></p>`}
    <${Card} title=${query.base ? 'Choose what to hold against the baseline' : 'Choose the designs to compare'} note="The first one is the baseline. Designs of one run, or of runs of one plan, are compared launch by launch, which tells them apart far better than their totals do.">
      <${Choose} base=${query.base} others=${others} onChange=${choose} /><//>
  <//>`;
}

/** @param {{ query: any, set: (change: any, how?: { replace?: boolean }) => void, problems: string[], others: string[], onChoose: (base: string, others: string[]) => void }} p */
function Compared({ query, set, problems, others, onChoose }) {
  const share = api.who.value?.share;
  /** @type {api.CompareOf} */
  const of = { base: query.base, with: query.with, kernels: 'true', ...(share && !share.question ? {} : { parameters: query.parameters }) };
  const load = useLoad((abort) => api.compare(of, abort), [of]);
  const c = load.data;
  const refresh = useThrottle(useCallback(load.reload, [load.reload]), 2000);
  const going = c ? [...new Set([c.base, ...c.items].filter((s) => s.state === 'running').map((s) => `run:${s.run}`))] : [];
  useLive(share ? [] : going, refresh); // a link to a comparison has no events of its runs
  usePolling(Boolean(share) && going.length > 0 && !share?.frozen, refresh);
  const shown = c && (c.items.find((s) => idOf(s) === query.show) ?? bestOf(c, true) ?? c.items.find((s) => s.paired) ?? c.items[0]);
  const crown = (/** @type {string} */ side) => onChoose(side, [query.base, ...others].filter((s) => s !== side));
  useKeys(share ? [] : [{ keys: 'b', does: 'make the chosen design the baseline', run: () => {
    const row = document.activeElement?.closest('[data-row]')?.getAttribute('data-row') ?? (shown ? idOf(shown) : '');
    if (row && row !== query.base) crown(row);
    else say('Choose another row first: this one is the baseline.');
  } }]);
  const colors = useMemo(() => new Map(others.map((s, i) => [s, `var(--cat-${(i % 8) + 1})`])), [query.with]);
  const colorOf = (/** @type {Side} */ s) => colors.get(idOf(s)) ?? 'var(--ink)';
  const csv = share?.frozen || share?.hide_names ? undefined : api.address.compare(of, 'csv'); // links of these kinds offer JSON only
  const exports = [...(csv ? [{ text: 'All numbers, CSV', href: csv, download: 'compare.csv' }] : []), { text: 'All numbers, JSON', href: api.address.compare(of, 'json'), download: 'compare.json' }];
  return html`<${Page} title=${c ? titleOf(c) : 'Compare'} problems=${problems} report=${query.report === 'yes'} actions=${query.report ? html`<${ReportActions} set=${set} />` : html`<${ReportButton} set=${set} />${c && html`<${ShareButton} kind="compare" question=${questionOf({ ...query, with: others })} name=${c.base.workload_name} />`}<${Menu} label="Export this comparison" text="Export" items=${exports} />`}>
    <${Faces} load=${load} what="the comparison" page>${() => c && shown && html`
      <${PaperHead} what=${`Designs on ${c.base.workload_name}, against ${c.base.design}`} />
      <${Strip} facts=${facts(c)} />
      <${Notices} c=${c} />
      <div class="columns">
        <${Differences} c=${c} csv=${csv} colorOf=${colorOf} onPick=${(/** @type {string} */ show) => set({ show })} />
        <${Explained} c=${c} side=${shown} />
      </div>
      <${Sides} c=${c} colorOf=${colorOf} shown=${shown} order=${query.sort} hide=${query.hide} set=${set} onCrown=${crown} onDrop=${(/** @type {string} */ s) => onChoose(query.base, others.filter((o) => o !== s))} />
      <${AcrossWorkloads} comparison=${c} csv=${csv} colorOf=${colorOf} zoom=${query.zoom} onZoom=${(/** @type {string} */ zoom) => set({ zoom }, { replace: true })} />
      ${c.parameters && html`<${DesignTable} comparison=${c} all=${query.parameters === 'all'} onAll=${!share || share.question?.all_parameters ? (/** @type {boolean} */ all) => set({ parameters: all ? 'all' : 'differences' }) : undefined} />`}
      ${!share && html`<${ResolveCard} base=${query.base} others=${query.with} wanted=${query.resolve} onWanted=${(/** @type {string} */ resolve) => set({ resolve })} />`}
      <${Words} c=${c} />
      ${!share && html`<${Card} title="Designs and runs to compare" note="Those of the runs above come first." class="bounded chooser"><${Choose} base=${query.base} others=${others} onChange=${onChoose} /><//>`}`}
    <//><//>`;
}

/** Reads again every ten seconds while `on`. @param {boolean} on @param {() => void} again */
function usePolling(on, again) {
  useEffect(() => {
    const timer = on ? setInterval(again, POLL_MS) : undefined;
    return () => clearInterval(timer);
  }, [on, again]);
}

/** A link to a comparison shows no page of its runs. */
const showsRuns = () => !api.who.value?.share?.question;

/** The designs that are compared with the baseline. @param {Comparison} c */
const own = (c) => c.items.filter((s) => s.ratio !== null && !s.is_baseline && s.workload === c.base.workload);

/** The design with the least projected time, if that is less than the baseline's. @param {Comparison} c @param {boolean} [paired] of pairs only
 * @returns {Side|undefined} */
function bestOf(c, paired = false) {
  const [best] = own(c).filter((s) => s.paired || !paired).sort((a, b) => Number(a.ratio) - Number(b.ratio));
  return best && Number(best.ratio) < 1 ? best : undefined;
}

/** @param {Comparison} c */
function titleOf(c) {
  const best = bestOf(c);
  if (own(c).length === 0) return `Compare with ${c.base.design}`;
  if (!best) return `Nothing chosen is faster than ${c.base.design}`;
  return best.distinguishable ? `${best.design} is the fastest` : `${best.design} cannot be distinguished from ${c.base.design}`;
}

/** @param {Side} s */
const pairsOf = (s) => (s.paired ? `paired on ${count(s.paired_on)} of ${plural(s.samples, 'sample')}` : 'not paired');
/** @param {Side} s */
const totalParts = (s) => (s.total.value_s !== null ? timeEstimate(s.total.value_s, s.total.half_width_s) : countEstimate(s.total.value ?? NaN, s.total.half_width, s.total.unit));
/** @param {Side} s */
const baseTotal = (s) => (totalValue(s) === null || totalParts(s).half === null ? { value: html`<${Estimate} value=${totalValue(s)} parts=${totalParts(s)} />` } : inStrip(Number(totalValue(s)), totalParts(s)));
/** @param {Side} s */
const totalValue = (s) => s.total.value_s ?? s.total.value;

/** @param {Comparison} c */
const hasEmptyCaches = (c) => [c.base, ...c.items].some((s) => s.empty_caches > 0);
/** Results that are projected inside their launches. @param {Comparison} c */
const projectedInside = (c) => [c.base, ...c.items].reduce((n, s) => n + (s.projected_inside ?? 0), 0);
/** The cache contents could reverse the sign of a difference. @param {Comparison} c */
const isReversible = (c) => c.items.some((s) => s.cache_reversible);

/** @param {Comparison} c @returns {import('../ui/page.js').Fact[]} */
function facts(c) {
  const best = bestOf(c), held = c.items.filter((s) => s.ratio !== null && !s.is_baseline);
  const distinguishable = held.filter((s) => s.distinguishable).length;
  const half = best && changeOf(best).half;
  return [
    best
      ? { label: `Best: ${best.design}`, value: html`<data value=${String(Number(best.ratio) - 1)} data-change>${changeOf(best).value}</data>`, unit: half === null ? '%' : `± ${half} %`, note: `${pairsOf(best)}${best.distinguishable ? '' : `, ${notReal(best)}`}` }
      : { label: `Best: ${c.base.design}`, value: 'baseline', note: own(c).length ? 'nothing chosen takes less time' : 'nothing to hold against it yet' },
    { label: `Baseline: ${c.base.design}`, ...baseTotal(c.base), note: html`${showsRuns() && html`<a href=${href('run', { id: c.base.run }, { design: c.base.design })}>its run</a>, `}${c.base.workload_name}` },
    { label: 'Distinguishable', value: html`<${Num} value=${distinguishable} text=${`${count(distinguishable)} of ${count(held.length)}`} />`, note: distinguishable === held.length ? 'no interval holds zero' : isReversible(c) ? 'the cache state could reverse others' : 'the interval of the others holds zero' },
    { label: 'Sure of that', value: level(c.level), note: held.length > 1 ? `for all ${count(held.length)} intervals together` : held[0]?.level_note ?? 'for the interval' },
  ];
}

/** @param {{ c: Comparison }} p */
function Notices({ c }) {
  const why = new Map(c.items.filter((s) => s.why_not_paired).map((s) => [s.why_not_paired, c.items.filter((x) => x.why_not_paired === s.why_not_paired)]));
  const replay = [c.base, ...c.items].some((s) => s.engine === 'replay');
  const sides = [c.base, ...c.items], runs = [...new Map(sides.map((s) => [s.run, s])).values()];
  const open = sides.some((s) => s.state !== 'done' && !s.answer);
  const looked = c.items.filter((s) => (s.looks ?? 0) > 1);
  return html`${runs.filter((s) => isUnderWay(s.answer)).map((s) => html`<${AnswerNotice} key=${s.run} answer=${s.answer} name=${runs.length > 1 ? `Run ${s.run.slice(-4)}` : undefined} />`)}
    ${looked.length > 0 && html`<p class="notice">${looked.map((s) => `${s.design} at ${level(s.level)}`).join(', ')}: ${looked[0].level_note}.</p>`}
    ${[...why].map(([reason, sides]) => html`<p class="notice warn" key=${reason}>${sides.map((s) => s.design).join(', ')}: ${reason}.</p>`)}
    ${replay && html`<p class="notice">One of the runs uses the engine replay: it repeats the profiled times, and does not describe a design.</p>`}
    ${open && html`<p class="notice">Not all of these runs are finished: the differences are provisional.</p>`}`;
}

/** Unique row names: the design, with its run if it is in several runs. @param {Side[]} sides @param {Side} s */
function labelOf(sides, s) {
  const twins = sides.filter((x) => x.design === s.design);
  return twins.length < 2 ? s.design : `${s.design}, ${new Set(twins.map((x) => x.workload)).size === twins.length ? cut(s.workload_name, 16) : `run ${s.run.slice(-4)}`}`;
}

/** @param {{ c: Comparison, csv: string, colorOf: (s: Side) => string, onPick: (id: string) => void }} p */
function Differences({ c, csv, colorOf, onPick }) {
  const rows = useMemo(() => c.items.filter((s) => s.ratio !== null && !s.is_baseline).sort((a, b) => Number(a.ratio) - Number(b.ratio))
    .map((s) => ({ label: labelOf(c.items, s), value: Number(s.ratio) - 1, half: s.ratio_half_width, real: s.distinguishable, color: colorOf(s), id: idOf(s) })), [c]);
  const data = useMemo(() => ({ rows, baseline: c.base.design }), [rows]);
  if (rows.length === 0) return html`<${Card} title="Differences to the baseline"><p class="none">No difference is known yet: a sample counts here when both designs have simulated it.</p><//>`;
  return html`<${Picture} title=${`Against ${c.base.design}`} chart=${interval} data=${data} height=${64 + rows.length * 30} file="compare"
    pick=${{ text: () => 'Show its kernels', run: (/** @type {any} */ r) => onPick(r.id) }} csv=${csv}
    note=${`Left is faster. Hollow: not distinguishable, ${isReversible(c) ? 'the interval holds zero, or the cache state could reverse the difference' : 'the interval holds zero'}. All intervals hold together at ${level(c.level)}.`}
    caption=${`${c.base.workload_name}, difference to ${c.base.design}, ${level(c.level)} for all intervals together, ${seedsText([c.base, ...c.items])}`} />`;
}

/** Which kernels explain the difference. @param {{ c: Comparison, side: Side }} p */
function Explained({ c, side }) {
  const data = useMemo(() => {
    const all = (c.kernels ?? []).filter((k) => k.run === side.run && k.design === side.design && k.difference_s !== null)
      .map((k) => ({ name: k.kernel || 'several kernels', difference: Number(k.difference_s), half: k.half_width_s, real: k.distinguishable }))
      .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
    return { steps: all.slice(0, STEPS), others: Math.max(0, all.length - STEPS), from: side.against?.design ?? c.base.design, to: side.design,
      total: { name: 'all', difference: Number(side.difference_s), half: side.half_width_s, real: side.distinguishable } };
  }, [c, idOf(side)]);
  const title = `From ${data.from} to ${side.design}, by kernel`;
  const held = [c.base, ...c.items].filter((s) => s === side || (s.run === side.against?.run && s.design === side.against.design));
  if (data.steps.length === 0 || side.difference_s === null) {
    return html`<${Card} title=${title}><p class="none">${side.paired ? 'No kernel has a pair of samples yet.' : 'Kernels are compared where runs have simulated the same launches.'}</p><//>`;
  }
  return html`<${Picture} title=${title} chart=${waterfall} data=${data} height=${52 + (data.steps.length + 2) * 26} file="kernels"
    note="Each step is what a kernel adds or takes away, with its interval; hollow: not distinguishable. All intervals of kernels hold together, too."
    caption=${`${side.workload_name}, ${data.from} to ${side.design} by kernel, ${level(c.level)} for all intervals together, ${seedsText(held)}`} />`;
}

/** @param {{ c: Comparison, colorOf: (s: Side) => string, onCrown: (s: string) => void, onDrop: (s: string) => void }} p @returns {import('../ui/table.js').Column<Side>[]} */
function columnsOf({ c, colorOf, onCrown, onDrop }) {
  return [
    { key: 'design', label: 'design', sort: (s) => s.design, cell: (s) => html`<span class="swatch" style=${{ background: colorOf(s) }} aria-hidden="true"></span>${s.design}` },
    { key: 'star', label: html`<span class="hidden">baseline</span>`, cell: (s) => html`<button type="button" class="star" aria-pressed=${idOf(s) === idOf(c.base)} aria-label=${`${s.design}: make it the baseline`} title="Baseline (b)"
      onClick=${(/** @type {Event} */ e) => { e.stopPropagation(); if (idOf(s) !== idOf(c.base)) onCrown(idOf(s)); }}>${idOf(s) === idOf(c.base) ? '★' : '☆'}</button>` },
    { key: 'workload', label: 'workload', sort: (s) => s.workload_name, cell: (s) => html`<span class="name" title=${s.workload_name}>${s.workload_name}</span>` },
    { key: 'total', label: 'projected total', right: true, sort: (s) => totalValue(s), cell: (s) => html`<${Estimate} value=${totalValue(s)} parts=${totalParts(s)} why=${`alone, at ${level(s.total.level)}${noteText(s.total)}`} />` },
    { key: 'difference', label: 'difference', right: true, sort: (s) => s.difference_s, cell: (s) => (s.is_baseline ? html`<span class="quiet">baseline</span>` : html`<${Estimate} value=${s.difference_s} parts=${timeEstimate(s.difference_s ?? NaN, s.half_width_s)} why=${s.why_not_paired ?? undefined} />`) },
    { key: 'change', label: 'change', right: true, sort: (s) => s.ratio, cell: (s) => (s.is_baseline ? '' : html`<${Estimate} change value=${s.ratio === null ? null : s.ratio - 1} parts=${changeOf(s)} />`) },
    { key: 'level', label: 'level', right: true, sort: (s) => s.level, cell: (s) => (s.is_baseline || s.ratio === null ? '' : html`<${Num} value=${s.level} text=${level(s.level)} why=${s.level_note ?? undefined} />`) },
    { key: 'real', label: 'distinguishable', sort: (s) => Number(s.distinguishable), cell: (s) => (s.is_baseline ? '' : s.ratio === null ? html`<span class="unknown" title="no difference is known yet">–</span>` : s.distinguishable ? 'yes' : html`<span class="quiet">${notReal(s)}</span>`) },
    { key: 'pairs', label: 'pairs', right: true, sort: (s) => s.paired_on, cell: (s) => (s.is_baseline ? '' : s.paired ? `${count(s.paired_on)} of ${count(s.samples)}` : html`<span title=${s.why_not_paired}>not paired</span>`) },
    { key: 'run', label: 'run', cell: (s) => html`<a href=${href('run', { id: s.run }, { design: s.design })} onClick=${(/** @type {Event} */ e) => e.stopPropagation()}>open</a>` },
    { key: 'drop', label: html`<span class="hidden">take out</span>`, cell: (s) => idOf(s) !== idOf(c.base) && html`<button type="button" class="link" aria-label=${`Take ${s.design} out`} onClick=${(/** @type {Event} */ e) => { e.stopPropagation(); onDrop(idOf(s)); }}>✕</button>` },
  ];
}

/** @param {{ c: Comparison, colorOf: (s: Side) => string, shown: Side, order: string, hide: string, set: (x: any) => void, onCrown: (s: string) => void, onDrop: (s: string) => void }} p */
function Sides({ c, colorOf, shown, order, hide, set, onCrown, onDrop }) {
  const share = api.who.value?.share, acts = ['star', 'drop', ...(showsRuns() ? [] : ['run'])];
  const rows = [c.base, ...c.items], columns = columnsOf({ c, colorOf, onCrown, onDrop }).filter((column) => !share || !acts.includes(column.key));
  return html`<${Card} title=${plural(rows.length, 'design')} note=${`${share ? `The baseline is ${c.base.design}.` : '★ is the baseline.'} A row opens which kernels explain its difference.`} aside=${html`<${Columns} of="Compared designs" columns=${columns} hide=${hide} onHide=${(/** @type {string} */ to) => set({ hide: to })} />`}>
    <${Table} rows=${rows} columns=${columns} hide=${hide} id=${idOf} order=${order} onOrder=${(/** @type {string} */ sort) => set({ sort })} caption="Compared designs" picked=${idOf(shown)}
      chosen=${new Set(rows.filter((s) => selection.value.has(`design:${labelOf(c.items, s)}`)).map(idOf))}
      onPick=${(/** @type {Side} */ s) => set({ show: idOf(s) })} /><//>`;
}

/** The statistics in words, for an appendix. @param {{ c: Comparison }} p */
function Words({ c }) {
  const names = (/** @type {Side[]} */ sides) => [...new Set(sides.map((s) => s.design))].join(', ');
  const paired = c.items.filter((s) => s.paired && !s.is_baseline), apart = c.items.filter((s) => !s.paired && s.ratio !== null && !s.is_baseline);
  const list = own(c).map((s) => `${s.design} ${estimate(changeOf(s))}${s.distinguishable ? '' : ` (${notReal(s)})`}`).join(', ');
  return html`<${Card} title="How this was computed" class="words"><p class="prose">
    ${paired.length > 0 && html`${names(paired)} and the baseline were simulated on the same launches; the difference of their projected totals is that of matched pairs within the strata of the plan, with finite-population correction and Satterthwaite’s degrees of freedom, the ratio its Taylor expansion. `}
    ${apart.length > 0 && html`${names(apart)} and the baseline were simulated on different launches; their difference is that of two independent projections. `}
    ${hasEmptyCaches(c) && 'Some launches began with empty caches, because their traces do not contain the cache contents of earlier launches. They were simulated a second time fully warm, right after the same launch. A difference is called real if it has the same sign, and its interval does not hold zero, with each of these launches anywhere between the two. '}
    ${projectedInside(c) > 0 && `${plural(projectedInside(c), 'result')} of these ${projectedInside(c) === 1 ? 'is' : 'are'} projected inside ${projectedInside(c) === 1 ? 'its launch' : 'their launches'}; the intervals include the error of these projections. `}
    ${`The rule for several of them: ${c.rule.replace(/\.$/, '')}.`}
    ${list && ` Projected time against ${c.base.design} on ${c.base.workload_name}: ${list}.`}</p><//>`;
}
