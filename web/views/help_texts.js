// help_texts.js: explains each term in three sentences, with a sketch. help.js maps labels to terms.
import { html } from '../ui/lib.js';

/** @typedef {import('../ui/lib.js').Children} Children */

/* --- Sketches: 240 × 90, in the colours of the data --- */

/** @param {string} label @param {Children} inside */
const sketch = (label, inside) => html`<svg viewBox="0 0 240 90" role="img" aria-label=${label}>${inside}</svg>`;
const COLORS = ['var(--cat-1)', 'var(--cat-2)', 'var(--cat-3)', 'var(--cat-4)'];
/** @param {number} x @param {number} y @param {string} [fill] @param {boolean} [hollow] */
const dot = (x, y, fill = COLORS[0], hollow = false) => html`<circle cx=${x} cy=${y} r="4" fill=${hollow ? 'var(--panel)' : fill} stroke=${fill} stroke-width="1.5" />`;
/** @param {number} x @param {number} y @param {number} w @param {number} h @param {string} fill @param {number} [opacity] */
const box = (x, y, w, h, fill, opacity = 1) => html`<rect x=${x} y=${y} width=${w} height=${h} fill=${fill} opacity=${opacity} />`;
/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {string} [stroke] @param {string} [dash] */
const line = (x1, y1, x2, y2, stroke = 'var(--ink-3)', dash = '') => html`<line x1=${x1} y1=${y1} x2=${x2} y2=${y2} stroke=${stroke} stroke-width="1.5" stroke-dasharray=${dash} />`;
/** @param {number} x @param {number} y @param {string} text @param {'start'|'middle'|'end'} [anchor] */
const word = (x, y, text, anchor = 'middle') => html`<text x=${x} y=${y} text-anchor=${anchor}>${text}</text>`;
/** An estimate with its interval. @param {number} x @param {number} y @param {number} half @param {string} [fill] @param {boolean} [hollow] */
const whisker = (x, y, half, fill, hollow) => html`${line(x - half, y, x + half, y, fill ?? COLORS[0])}${dot(x, y, fill, hollow)}`;
/** Bars over equal steps. @param {number[]} heights @param {number} x @param {number} step @param {string|((i: number) => string)} fill */
const bars = (heights, x, step, fill) => heights.map((h, i) => box(x + i * step, 80 - h, step - 2, h, typeof fill === 'string' ? fill : fill(i)));
/** @param {number[]} ys @param {number} x @param {number} step @param {string} [stroke] */
const course = (ys, x, step, stroke = COLORS[0]) => html`<polyline points=${ys.map((y, i) => `${x + i * step},${y}`).join(' ')} fill="none" stroke=${stroke} stroke-width="2" />`;
/** Launches in a row, some of them drawn. @param {string} color @param {number} y @param {number} n @param {number[]} drawn */
const row = (color, y, n, drawn) => Array.from({ length: n }, (_, i) => dot(24 + i * 16, y, color, !drawn.includes(i)));

const strata = () => html`${row(COLORS[0], 20, 13, [2, 9])}${row(COLORS[1], 45, 9, [0, 4, 7])}${row(COLORS[2], 70, 4, [1])}`;
const mixed = () => html`${bars([4, 10, 24, 44, 60, 44, 24, 10, 4], 10, 11, COLORS[0])}${bars([50, 12, 6, 4, 6, 4, 8, 12, 40], 130, 11, COLORS[1])}`;
const pairs = () => html`${word(20, 20, 'A', 'start')}${word(20, 74, 'B', 'start')}${[60, 95, 130, 165, 200].map((x, i) => html`${line(x, 18, x, 68 - (i % 2) * 8, 'var(--line)')}${dot(x, 16 + (i % 3) * 6)}${dot(x, 66 - (i % 2) * 8 + (i % 3) * 6, COLORS[1])}`)}`;
const zero = () => html`${line(120, 8, 120, 82, 'var(--ink-2)')}${whisker(175, 26, 28)}${whisker(132, 60, 34, COLORS[1], true)}`;
const closing = () => html`${box(10, 34, 220, 22, 'var(--sunken)')}${[40, 34, 27, 22, 18, 15, 12, 10].map((h, i) => line(24 + i * 27, 45 - h + i, 24 + i * 27, 45 + h - i, COLORS[0]))}${course([52, 38, 49, 44, 46, 45, 45, 45], 24, 27)}`;

/** @param {string} title @param {string[]} sentences @param {() => Children} inside @returns {import('../ui/ask.js').Explanation} */
const says = (title, sentences, inside) => ({ title, sentences, picture: () => sketch(title, inside()) });

/** @type {Record<string, import('../ui/ask.js').Explanation>} */
export const EXPLANATIONS = {
  speedup: says('Speed-up', [
    'The cost of simulating all launches divided by the cost of simulating the drawn ones.',
    'Cost is profiled time (or instructions), so one long kernel in the sample costs more than many short ones.',
    'It does not describe the speed of the simulator.',
  ], () => html`${box(10, 20, 220, 18, 'var(--line)')}${box(10, 52, 22, 18, COLORS[0])}${word(120, 33, 'everything')}${word(70, 66, 'drawn', 'start')}`),
  promised_error: says('Promised error', [
    'The half-width of the interval that the plan is sized for, as a share of the total.',
    'In 95 of 100 plans, the projection differs from the true total by at most this share.',
    'The promise covers sampling only. The model error of the simulator is added to it.',
  ], () => html`${box(70, 20, 100, 50, 'var(--sunken)')}${line(120, 12, 120, 78, 'var(--ink-2)')}${whisker(134, 45, 50)}`),
  actual_error: says('Error against the profile', [
    'The plan estimates a total that is already known: the total of its own profile.',
    'The error of this estimate is a first check of the sample.',
    'It is the error of one draw, so a small value may be luck. The promise is what counts.',
  ], () => html`${line(120, 12, 120, 78, 'var(--ink-2)')}${whisker(128, 45, 44)}${word(120, 88, 'the profile')}`),
  sample: says('Samples', [
    'The launches that are simulated. They represent the other launches of their stratum.',
    'They are drawn at random from a seed, so the same plan draws the same launches on every machine.',
    'A sample of a stratum with N launches and m samples has the weight N / m.',
  ], strata),
  method: says('Method', [
    'The rule that groups launches, and that decides the number of samples of each group and the promised error.',
    'Methods that draw at random have an interval. Methods that choose representatives have none, because the error of the choice is unknown.',
    'The picture of all methods shows the cost of each method on this profile.',
  ], () => html`${line(20, 80, 230, 80)}${line(20, 80, 20, 8)}${[[60, 62], [100, 44], [150, 30], [205, 22]].map(([x, y]) => dot(x, y))}${[[50, 30], [95, 22], [140, 14]].map(([x, y]) => box(x, y, 8, 8, COLORS[1]))}${word(226, 74, 'speed-up', 'end')}${word(26, 16, 'error', 'start')}`),
  stratum: says('Strata', [
    'Groups of launches that should take about the same time: one kernel, one shape, one range of durations.',
    'A uniform group needs few samples, a mixed group needs more.',
    'The total is the sum over strata of N times the mean of its samples.',
  ], strata),
  cov: says('How mixed', [
    'The coefficient of variation: standard deviation over mean.',
    'At 0 every launch of a kernel takes the same time, so one sample is enough. Near 1 the launches of a kernel differ like those of many kernels.',
    'Here each kernel counts by its share of the time.',
  ], mixed),
  gpu_time: says('GPU time', [
    'The sum of the durations of all kernels, including kernels that ran at the same time on several streams.',
    'The busy time of the GPU counts overlapping kernels once, so it is shorter.',
    'Projections are made for both.',
  ], () => html`${box(20, 20, 90, 16, COLORS[0])}${box(70, 42, 80, 16, COLORS[1])}${box(170, 20, 50, 16, COLORS[0])}${line(20, 74, 150, 74, 'var(--ink-2)')}${line(170, 74, 220, 74, 'var(--ink-2)')}${word(95, 88, 'busy')}`),
  warp_instruction: says('Warp instructions', [
    'One instruction that 32 threads carry out together.',
    'Counts come from traces. They replace durations in profiles without durations.',
    'Equal counts do not mean equal times, because instructions wait for different reasons.',
  ], () => html`${Array.from({ length: 16 }, (_, i) => box(20 + i * 13, 30, 9, 30, COLORS[0], 0.35 + (i % 4) * 0.2))}`),
  launch: says('Launches', [
    'Single launches of kernels, each with its grid, its block and its place in the order of launches.',
    'A training run has millions of launches of a few hundred kernels. Sampling works because launches repeat.',
    'Launches of length 0 are counted but never drawn.',
  ], () => html`${Array.from({ length: 22 }, (_, i) => box(12 + i * 10, 70 - [12, 30, 12, 50][i % 4], 7, [12, 30, 12, 50][i % 4], COLORS[i % 4]))}`),
  kernel: says('Kernels', [
    'Functions that run on the GPU, distinguished by their names.',
    'The same kernel with another grid or block often behaves differently, so each row is one combination of name, grid and block.',
    'The histogram of a kernel shows whether its launches have one typical duration or several.',
  ], mixed),
  projection: says('Projected time', [
    'The time of all launches under this design, estimated from the simulated ones.',
    'The number after ± is half of the interval. In 95 of 100 runs the interval contains the result of simulating every launch.',
    'It is provisional (“so far”) during the run, and final when the run’s stopping rule is met.',
  ], () => html`${strata()}${line(226, 12, 226, 78, 'var(--ink-2)')}`),
  promise: says('Promise', [
    'The maximum error of the plan, or of the run’s own rule.',
    'It is kept if the final interval is not wider than this.',
    'A design under which kernels spread more than in the profile may need more samples than were planned.',
  ], closing),
  left: says('Time left', [
    'The expected time of the remaining samples, estimated from the finished samples on these workers.',
    'The number after ± is the uncertainty. It is large if few samples have finished, or if their durations differ much.',
    'Samples that wait for traces are not counted, because the arrival of the traces is unknown.',
  ], () => html`${box(20, 38, 130, 14, COLORS[0])}${box(150, 38, 70, 14, 'var(--line)')}${whisker(220, 45, 14, 'var(--ink-2)')}`),
  paired: says('Difference, sample by sample', [
    'Both designs simulate the same launches, and the difference is taken for each of them.',
    'Causes that make a launch slow under both designs cancel, so the difference has a smaller error than either total.',
    'So 3 % can be distinguishable although each total is only known to 5 %.',
  ], pairs),
  convergence: says('The interval closes in', [
    'The projection and its interval are computed again after each finished sample.',
    'The grey band is the promise. The run meets the plan when the interval is inside the band.',
    'To stop as soon as the interval seems narrow enough would be wrong too often. The run’s rule analyses the results only a few times, and each analysis costs a part of the confidence level.',
  ], closing),
  model_error: says('What this number is made of', [
    'The sampling error is the possible difference to a simulation of every launch. More samples make it smaller.',
    'The model error comes from the simulator’s model of the chip. It is measured if the profiled GPU has its own design. More samples do not change it.',
    'The sum of durations counts overlapping kernels twice; the makespan counts them once.',
  ], () => html`${word(20, 22, 'sampling', 'start')}${whisker(150, 18, 26)}${word(20, 52, 'model', 'start')}${whisker(166, 48, 44, COLORS[1])}${word(20, 82, 'both', 'start')}${whisker(158, 78, 62, COLORS[3])}`),
  look: says('When the run is over', [
    'A run with a goal begins with a few samples of each stratum. Then it analyses their results.',
    'Where the variance is large it draws more samples, at most five times. All analyses together keep the confidence level.',
    'It ends when the promise is kept, the budget is spent, or everything has been simulated.',
  ], () => html`${[[40, 36], [90, 24], [140, 14], [190, 8]].map(([x, h], i) => html`${line(x, 45 - h, x, 45 + h, COLORS[0])}${dot(x, 45)}${word(x, 88, `${i + 1}`)}`)}${line(20, 36, 225, 36, 'var(--ink-3)', '4 3')}${line(20, 54, 225, 54, 'var(--ink-3)', '4 3')}`),
  distinguishable: says('Distinguishable', [
    'A difference is real when its interval does not contain zero. If launches began with empty caches, this must hold with empty and with fully warm caches.',
    'A hollow mark is not distinguishable from zero: the designs may differ, but these samples do not show it.',
    'More samples, or a comparison of single kernels, may show it.',
  ], zero),
  simultaneous: says('Sure of all together', [
    'All differences of a run share its confidence, so each has a stricter level and a wider interval. The number of visible differences does not matter.',
    'The confidence is the probability that all intervals of this page contain the true values at the same time.',
    'Without this correction, one of twenty comparisons would show a difference where there is none.',
  ], () => html`${line(120, 8, 120, 82, 'var(--ink-2)')}${whisker(160, 20, 30)}${whisker(98, 45, 30, COLORS[1], true)}${whisker(190, 70, 30, COLORS[2])}`),
  resolve: says('What it takes to tell a difference', [
    'The number of additional samples that would make a difference of this size distinguishable.',
    'It is computed from the variation of the pairs so far. Half the difference needs about four times the samples.',
    'The run can be extended to that size, and finished samples count.',
  ], () => html`${whisker(120, 22, 70)}${whisker(120, 46, 35)}${whisker(120, 70, 17)}`),
  design_workload: says('Design × workload', [
    'Each field is the change of a workload’s projected time under a design, relative to the baseline on the same workload.',
    'Blue is faster and orange is slower. Fields that are not distinguishable from no change are marked.',
    'A design that is faster on average may be slower on the workload that matters to you.',
  ], () => html`${[0, 1, 2, 3].map((i) => [0, 1, 2].map((j) => box(50 + i * 36, 10 + j * 24, 34, 22, (i + j) % 3 === 0 ? 'var(--cat-2)' : 'var(--cat-1)', 0.25 + ((i * 2 + j) % 4) * 0.2)))}`),
  ipc: says('Instructions a cycle', [
    'Issued warp instructions of all SMs divided by the cycles of the launch.',
    'An SM with four schedulers can issue four per cycle. A lower value shows that it waited.',
    'The warp states show the reasons.',
  ], () => course([70, 40, 30, 28, 34, 30, 60, 74], 16, 30)),
  issue_slots: says('Issue slots', [
    'Each scheduler of an SM can issue one instruction a cycle: each such chance is a slot, used or lost for a reason.',
    'Shares of active SMs do not count SMs without a CTA. The total is all slots times the fraction of SMs that have a CTA. Slots without a reason are shown as empty.',
    'A small grid leaves most SMs without a CTA; of all SMs, nearly all slots are then empty.',
  ], () => html`${[0, 1, 2, 3].map((j) => Array.from({ length: 12 }, (_, i) => box(18 + i * 17, 10 + j * 18, 15, 14, j > 1 ? 'var(--line)' : COLORS[(i * 5 + j * 3) % 4])))}`),
  dram: says('DRAM', [
    'Bytes read from and written to device memory per second of simulated time.',
    'Near the design’s peak the kernel is limited by memory bandwidth, and more SMs would not make it faster.',
    'Hits in L2 cause no reads of DRAM.',
  ], () => html`${line(16, 18, 230, 18, 'var(--ink-3)', '4 3')}${course([76, 34, 22, 24, 21, 30, 70], 16, 35)}`),
  series: says('What the GPU did', [
    'Counters read at fixed intervals of cycles while this sample was simulated, on one time axis.',
    'All pictures zoom together; rows of a heat map are SMs or memory channels.',
    'The sample was simulated again for the recording, with the same cycles.',
  ], () => html`${[0, 1, 2, 3, 4].map((j) => Array.from({ length: 20 }, (_, i) => box(18 + i * 10, 10 + j * 14, 9, 12, COLORS[0], 0.15 + ((i * 7 + j * 5) % 9) / 11)))}`),
  profiled: says('Profiled', [
    'The time of this launch on the real GPU, from the uploaded report.',
    'It is comparable only if the profiled GPU is the simulated design.',
    'The difference is the model’s error for this launch, and includes the noise of one measurement.',
  ], () => html`${box(20, 22, 150, 16, 'var(--line)')}${box(20, 52, 170, 16, COLORS[0])}${word(24, 34, 'measured', 'start')}`),
  deviation: says('Where the model differs from silicon', [
    'A cycle-level simulator simplifies the hardware to be fast enough.',
    'This lists the simplifications, and whether each makes the simulated time longer or shorter.',
    'The size of the effect was measured on real kernels and is in the documentation.',
  ], () => html`${line(24, 80, 220, 10, 'var(--ink-3)', '4 3')}${[[50, 66], [80, 64], [110, 46], [140, 44], [170, 26], [200, 22]].map(([x, y]) => dot(x, y))}`),
  queue: says('Queue', [
    'Samples that are being simulated, are ready for a worker, or wait for a trace.',
    'A worker leases one sample, or a group of short ones, and sends heartbeats while it simulates.',
    'If the heartbeats stop, another worker gets the sample, and only one result counts.',
  ], () => html`${box(20, 36, 40, 18, 'var(--ok)')}${box(62, 36, 60, 18, COLORS[0])}${box(124, 36, 96, 18, 'var(--line)')}`),
  share: says('Shares of teams', [
    'Teams get workers in proportion to their shares, not in order of arrival.',
    'Within a team the run with the higher priority goes first, then the older one.',
    'If only one team waits, it gets all workers.',
  ], () => html`${box(20, 20, 120, 18, COLORS[0])}${box(142, 20, 60, 18, COLORS[1])}${box(20, 52, 90, 18, COLORS[0])}${box(112, 52, 90, 18, COLORS[1])}`),
  lease: says('Trouble', [
    'Samples that failed permanently in the last hour, and leases that expired because their worker sent no heartbeat.',
    'An expired lease costs only time: another worker simulates the sample again.',
    'After three failures a sample is set aside with its last output, and the run’s page shows the reason.',
  ], () => html`${box(20, 38, 80, 14, COLORS[0])}${line(108, 30, 124, 60, 'var(--bad)')}${line(124, 30, 108, 60, 'var(--bad)')}${box(134, 38, 86, 14, COLORS[0])}`),
  job: says('Jobs', [
    'One sample under one design, with all its attempts.',
    'Blocked ones wait for their trace, ready ones for a worker.',
    'A failed job keeps the last output lines of its simulator and can be retried.',
  ], () => html`${['var(--line)', 'var(--ink-3)', COLORS[0], 'var(--ok)'].map((c, i) => html`${box(20 + i * 54, 34, 44, 20, c)}${i < 3 && line(64 + i * 54, 44, 74 + i * 54, 44)}`)}`),
  token: says('Tokens', [
    'A secret that a program sends instead of a password: the command line, a script, a worker.',
    'Its scope limits what it can do, and it expires at its expiry time.',
    'It is shown once, when it is created; only its hash is stored.',
  ], () => html`${box(30, 34, 120, 22, 'var(--sunken)')}${[44, 60, 76, 92, 108, 124].map((x) => dot(x, 45, 'var(--ink-2)'))}${line(150, 45, 200, 45)}${box(200, 30, 20, 30, COLORS[0])}`),
  link: says('Shared links', [
    'Everyone with the address sees this one page, and nothing else of the team.',
    'A frozen link shows the data from the time when it was created; a live one shows the present data.',
    'It ends at its expiry time, or at once when you revoke it.',
  ], () => html`${box(30, 24, 60, 42, 'var(--sunken)')}${line(90, 45, 150, 45, 'var(--ink-3)', '4 3')}${dot(170, 45)}${dot(196, 45, COLORS[1])}`),
};
