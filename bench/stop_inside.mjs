// stop_inside.mjs [DATA]: kernels of examples/ at sizes with many waves of CTAs, and recorded traces under DATA
// (default ../shared/data, skipped where it is absent), each as a .vtrace for `stop_inside --traces`. VIVACE_BUILD: the
// build folder.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const build = process.env.VIVACE_BUILD ?? 'build';
const data = process.argv[2] ?? '../shared/data';
const folder = mkdtempSync(join(tmpdir(), 'stop-inside-'));
const vivace = (...args) => execFileSync(join(build, 'vivace'), args, { stdio: ['ignore', 'ignore', 'inherit'] });

const u32 = (count, lo, hi, seed) => ({ type: 'u32', count, init: { random: 'uniform', seed, lo, hi } });
const launch = (kernel, grid, block, params) => ({ launch: { kernel, grid, block, params } });
const ptr = (name) => ({ ptr: name }), s32 = (n) => ({ s32: n });

// Degrees by a power law, sorted where asked: the CTAs with the longest lists last.
function bfs(n, sorted) {
    const degrees = new Uint32Array(n), offsets = new Uint32Array(n + 1), level = new Int32Array(n);
    let state = 1;
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;

    for (let i = 0; i < n; i++)
        degrees[i] = Math.min(64, Math.floor(2 / Math.sqrt(1 - random())));
    if (sorted)
        degrees.sort();
    for (let i = 0; i < n; i++) {
        offsets[i + 1] = offsets[i] + degrees[i];
        level[i] = random() < 0.4 ? 3 : random() < 0.5 ? 2 : -1;
    }
    const name = sorted ? 'sorted' : 'mixed';
    writeFileSync(join(folder, `${name}-offsets`), offsets);
    writeFileSync(join(folder, `${name}-level`), level);
    return {
        buffers: {
            offsets: { type: 'u32', count: n + 1, init: { file: `${name}-offsets` } },
            level: { type: 's32', count: n, init: { file: `${name}-level` } },
            edges: u32(offsets[n], 0, n, 2),
            changed: { type: 's32', count: 17 },
            queue: { type: 's32', count: n },
            counts: { type: 's32', count: 17 },
        },
        steps: [
            launch('collect', [n / 256], [256], [ptr('queue'), ptr('counts'), ptr('level'), s32(3), s32(n)]),
            launch('sweep', [n / 256], [256], [ptr('level'), ptr('changed'), ptr('offsets'), ptr('edges'), s32(3), s32(n)]),
        ],
    };
}

const attention = (rows, heads) => ({
    buffers: { scores: { type: 'f32', count: rows * rows * heads, init: { random: 'normal', seed: 1, mean: 0, std: 1 } } },
    steps: [
        launch('softmax_causal', [rows / 4, heads, 1], [32, 4],
            [ptr('scores'), { f32: 0.25 }, s32(rows), s32(rows), s32(rows)]),
    ],
});

const reduction = (n) => ({
    buffers: { x: u32(n, 0, 1000, 1), total: { type: 'u64', count: 1 }, count: { type: 'u32', count: 1 } },
    steps: [
        launch('sum', [n / 512], [256], [ptr('total'), ptr('x'), s32(n)]),
        launch('count_above', [n / 256], [256], [ptr('count'), ptr('x'), { u32: 500 }, s32(n)]),
    ],
});

const lists = {
    'causal-1': ['examples/tiny-gpt/tiny_gpt.ptx', attention(1024, 2)],
    'causal-16': ['examples/tiny-gpt/tiny_gpt.ptx', attention(256, 32)],
    'bfs-mixed': ['examples/bfs/bfs.ptx', bfs(1 << 19, false)],
    'bfs-sorted': ['examples/bfs/bfs.ptx', bfs(1 << 19, true)],
    reduction: ['examples/reduction/reduction.ptx', reduction(2 ** 20)],
};
const traces = [];
try {
    for (const [name, [ptx, list]] of Object.entries(lists)) {
        const path = join(folder, `${name}.json`), trace = join(folder, `${name}.vtrace`);

        writeFileSync(path, JSON.stringify({ format: 'vivace-launch-list', version: 1, modules: { m: resolve(ptx) }, ...list }));
        vivace('ptx', 'run', path, '--trace', trace, '-q');
        traces.push(trace);
    }
    for (const name of ['rodinia-bfs-sm80', 'pytorch-sgd-v100', 'vectoradd-sm80-v5']) {
        const from = join(data, 'traces', `${name}.tar.zst`), trace = join(folder, `${name}.vtrace`);

        if (!existsSync(from)) {
            console.log(`# skipped: ${from} is not there`);
            continue;
        }
        vivace('trace', 'convert', from, trace, '-q');
        traces.push(trace);
    }
    if (process.env.KEEP)
        console.log(`# ${folder}`);
    execFileSync(join(build, 'bench/stop_inside'), ['--traces', ...traces], { stdio: 'inherit' });
} finally {
    if (!process.env.KEEP)
        rmSync(folder, { recursive: true });
}
