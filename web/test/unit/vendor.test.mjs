// The served folder: import names, the files that are made of the modules, and no foreign code in our files.
import test from 'node:test';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle, closure, parse } from '../../bundle.mjs';
import { bundled, laterFiles, ownFiles, programVersion, rewriteImports, shell, withClient, withModules } from '../../vendor.mjs';
import { ROUTES } from '../../routes.js';

const WEB = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** The functions of the routes, made from api/. */
const CLIENT = readFileSync(join(process.env.VIVACE_BUILD ?? 'build', 'gen/api/client.js'), 'utf8');
const VENDOR = ['preact.js', 'hooks.js', 'htm.js', 'signals.js', 'signals-core.js', 'd3.js', 'plot.js'];

test('package names become files; an unknown one ends the build', () => {
  assert.equal(rewriteImports('import{h}from"preact";import"preact/hooks";', 'x.js'), 'import{h}from"./preact.js";import"./hooks.js";');
  assert.equal(rewriteImports("import a from './a.js'", 'x.js'), "import a from './a.js'");
  assert.equal(rewriteImports('x\n//# sourceMappingURL=x.map\n', 'x.js').trim(), 'x');
  assert.throws(() => rewriteImports('import x from "left-pad"', 'x.js'), /vendor\/x\.js imports 'left-pad'/);
});

/** The served files, as vendor.mjs has them in memory. */
const served = () => {
  const files = new Map([...ownFiles(WEB).map((p) => [p, readFileSync(join(WEB, p), 'utf8')]), ...VENDOR.map((v) => [`vendor/${v}`, ''])]);
  return files.set('api.js', withClient(files.get('api.js'), CLIENT));
};

test('every module is served once in each realm, and modules that a first view does not need load later', () => {
  const files = served(), { served: out, chunks } = bundled(files);
  const plain = ['theme.js', 'early.js']; // scripts of their own
  const all = [...chunks].filter(([chunk]) => chunk !== 'live_worker.js').flatMap(([, list]) => list);
  assert.equal(new Set(all).size, all.length, 'a module is in two files');
  const own = [...files.keys()].filter((p) => p.endsWith('.js') && !p.startsWith('vendor/') && ![...plain, 'live_worker.js'].includes(p));
  assert.deepEqual(all.filter((p) => !p.startsWith('vendor/')).sort(), own.sort(), 'a module without importers, or a missing one');
  assert.deepEqual(chunks.get('live_worker.js'), ['sse.js', 'stream.js', 'live_worker.js']);
  const first = chunks.get('app.js');
  assert.ok(first.includes('views/workloads.js'));
  for (const later of ['views/run.js', 'views/login.js', 'views/first_time.js', 'ui/dialog.js', 'stream.js', 'npy.js', 'charts/plot.js']) assert.ok(files.has(later) && !first.includes(later), `${later} comes later`);
  assert.ok(['vendor/d3.js', 'vendor/plot.js', 'charts/plot.js'].every((p) => chunks.get('pictures.js').includes(p)) && !chunks.get('parts.js').some((p) => p.startsWith('vendor/')));
  assert.ok([...out.keys()].filter((p) => p.endsWith('.js')).every((p) => out.has(`${p}.map.json`)));
  const page = shell(readFileSync(join(WEB, 'index.html'), 'utf8'), 'abc', '9.8.7');
  assert.ok(page.includes('<script type="module" src="/assets/abc/app.js">'));
  assert.ok(page.includes('content="vivace 9.8.7"') && /^\d+\.\d+\.\d+$/.test(programVersion()));
  assert.ok(!page.includes('{{'), 'every place for the version is filled');
});

test('the same modules make the same files, in whatever order they are read', () => {
  const files = served(), other = new Map([...files].reverse());
  assert.deepEqual([...bundled(files).served].sort(), [...bundled(other).served].sort());
});

/** Three modules and one on demand. */
const SMALL = new Map([
  ['app.js', "import { two,\n  one as first } from './ui/a.js';\nimport * as b from './b.js';\nexport const sum = first + two() + b.three;\nexport const later = async () => (await import('./views/v.js')).View;\n/** @type {typeof import('./none.js').x} @type {import('./none.js').X} */\nexport const both = () => Promise.all([import('./views/v.js')]);\n"],
  ['ui/a.js', 'export const one = 1;\nexport function two() { return 2; }\n'],
  ['b.js', "const three = 3;\nexport { three, three as drei };\n"],
  ['views/v.js', "import { sum } from '../app.js';\n\nexport const View = () => { throw new Error(`${sum}`); };\n"],
]);

test('modules become functions in one file; those loaded on demand keep their addresses and exports', async () => {
  const { served: out, needs } = bundle(SMALL, ['app.js']);
  assert.deepEqual([...out.keys()], ['app.js', 'app.js.map.json', 'views/v.js', 'views/v.js.map.json']);
  assert.deepEqual(needs('views/v.js'), ['app.js']);
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    mkdirSync(join(folder, 'views'));
    for (const [path, text] of out) writeFileSync(join(folder, path), text);
    const app = await import(pathToFileURL(join(folder, 'app.js')).href);
    assert.equal(app.sum, 6);
    assert.equal(app.$b.drei, 3);
    const View = await app.later();
    const error = (() => { try { View(); } catch (e) { return e; } })();
    assert.equal(error.message, '6');
    // The place of the error in the file is a place in the module, by the source map.
    const [, line, column] = /v\.js:(\d+):(\d+)/.exec(error.stack);
    const map = JSON.parse(out.get('views/v.js.map.json'));
    const at = new SourceMap(map).findEntry(Number(line) - 1, Number(column) - 1);
    assert.match(at.originalSource, /views\/v\.js$/);
    assert.equal(at.originalLine, 2, 'counted from 0');
    assert.deepEqual([map.sources, map.sourcesContent], [['views/v.js'], [SMALL.get('views/v.js')]]);
    assert.ok(out.get('app.js').includes('// web/ui/a.js\n'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every line of the served files equals that line of its module', () => {
  const files = served(), { served: out } = bundled(files);
  let lines = 0;
  for (const [path, text] of [...out].filter(([p]) => p.endsWith('.js'))) {
    const map = new SourceMap(JSON.parse(out.get(`${path}.map.json`)));
    text.split('\n').forEach((line, i) => {
      const at = map.findEntry(i, 0);
      if (at.generatedLine !== i || !line || /\bimport\b|^const \{? ?[\w, :]+\}? = \$|^\}/.test(line)) return;
      const source = files.get(at.originalSource.replace('/web/', '')).split('\n')[at.originalLine];
      if (/^export|^import/.test(source)) return;
      lines += 1;
      assert.equal(line, source, `${path}:${i + 1}`);
    });
  }
  assert.ok(lines > 5000, `${lines} lines`);
});

test('modules that cannot be combined end the build with a message', () => {
  assert.throws(() => parse('a.js', 'export let x = 1;\n'), /a\.js has a statement that bundle\.mjs does not know: "export let x = 1;"/);
  const circle = new Map([['a.js', "import { b } from './b.js';\n"], ['b.js', "import { a } from './a.js';\n"]].map(([p, text]) => [p, parse(p, text)]));
  assert.throws(() => closure(circle, 'a.js'), /in a circle: a\.js → b\.js → a\.js/);
  assert.throws(() => bundle(new Map([['app.js', "import { b } from './b.js';\n"]]), ['app.js']), /b\.js is imported by app\.js, but there is no such file/);
});

test('pages other than the first get the list of files that they need besides those of the first', () => {
  const files = served(), { served: out, needs } = bundled(files), later = laterFiles(files.get('app.js'), needs);
  for (const [name, path] of Object.entries(ROUTES).filter(([x]) => x !== 'workloads')) {
    const [, section, one] = path.split('/'), list = later[one ? `${section}/` : section];
    assert.ok(list?.length > 0, `${name} preloads nothing`);
    assert.equal(new Set([...list, 'app.js']).size, list.length + 1, `${name} names a file twice`);
    // Every import of these files is among them, or was loaded with the first view.
    for (const p of list) for (const [, to] of out.get(p).matchAll(/^import .* from '(\.[^']+)';$/gm)) assert.ok([...list, 'app.js'].includes(join(dirname(p), to)), `${name}: ${p} imports ${to}`);
  }
  assert.ok(later['plans/'].includes('views/plan.js') && later.plans.includes('views/lists.js') && !later.plans.includes('pictures.js'));
  const early = withModules(files.get('early.js'), later);
  assert.ok(early.includes('"plans/":["views/plan.js"') && !early.includes('const modules = {}'));
  assert.throws(() => withModules('const other = {};', later), /no place/);
});

test('the functions of the routes are in api.js, and the dashboard uses each', () => {
  assert.throws(() => withClient('const other = {};', ''), /no place/);
  const api = served().get('api.js');
  assert.ok(!api.includes("from './client.js'") && api.includes("export const run = (run, abort) => call('GET', at.run(run), { abort });"));
  const used = ownFiles(WEB).filter((p) => p.endsWith('.js')).map((p) => readFileSync(join(WEB, p), 'utf8')).join('\n');
  const names = [...CLIENT.matchAll(/^export const (\w+) = \(/gm)].map((m) => m[1]);
  assert.ok(names.length > 70, `${names.length} functions`);
  assert.deepEqual(names.filter((name) => !new RegExp(`\\b(?:api|at)\\.${name}\\b`).test(used)), []);
});

test('only two modules use vendor/, only two name the API', () => {
  for (const p of ownFiles(WEB).filter((x) => x.endsWith('.js'))) {
    const text = readFileSync(join(WEB, p), 'utf8').replace(/\/\*\*?[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
    if (!['ui/lib.js', 'charts/plot.js'].includes(p)) assert.ok(!/from ['"][^'"]*vendor\//.test(text), `${p} imports from vendor/`);
    if (!['api.js', 'early.js'].includes(p)) assert.ok(!text.includes('/api/v1'), `${p} names /api/v1`);
    if (p.startsWith('ui/')) assert.ok(!/from ['"]\.\.\/(charts|views|api|live)/.test(text), `${p} imports more than a component may`);
    if (p.startsWith('charts/')) assert.ok(!/from ['"]\.\.\/(views|api|live)/.test(text), `${p} knows the API`);
    assert.ok(!/\bstyle="/.test(text), `${p} has a style attribute, which the content policy blocks`);
    assert.ok(!/innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySet|\beval\(|new Function/.test(text), `${p} could turn text into markup or code`);
  }
});

test('the lock file names no registry', () => {
  const lock = readFileSync(join(WEB, 'package-lock.json'), 'utf8');
  assert.ok(!lock.includes('"resolved"'));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(WEB, 'package.json'), 'utf8'));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) assert.match(version, /^\d+\.\d+\.\d+$/, `${name} has no exact version`);
});
