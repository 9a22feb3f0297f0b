// The served folder: import names, the preload list, and nothing foreign in our own files.
import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { laterModules, ownFiles, programVersion, reachable, rewriteImports, shell, withClient, withModules } from '../../vendor.mjs';
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

/** What is served, as vendor.mjs has it while it works. */
const served = () => {
  const files = new Map([...ownFiles(WEB).map((p) => [p, readFileSync(join(WEB, p), 'utf8')]), ...VENDOR.map((v) => [`vendor/${v}`, ''])]);
  return files.set('api.js', withClient(files.get('api.js'), CLIENT));
};

test('every module is reached, and those of the first view are preloaded', () => {
  const files = served(), found = reachable(files);
  const all = reachable(files, true);
  const apart = ['live_worker.js', 'theme.js', 'early.js']; // started by their address, not by an import
  const own = [...files.keys()].filter((p) => p.endsWith('.js') && !p.startsWith('vendor/') && !apart.includes(p));
  assert.deepEqual([...all].filter((p) => !p.startsWith('vendor/')).sort(), own.sort(), 'a module that nobody imports, or one that is missing');
  const page = shell(readFileSync(join(WEB, 'index.html'), 'utf8'), 'abc', found, '9.8.7');
  assert.ok(found.includes('views/workloads.js'));
  // A connection fetches one after the other, and there are six: each module more costs a sixth of a round trip.
  assert.ok(found.length <= 37, `the first view has ${found.length} modules`);
  for (const later of ['views/run.js', 'views/login.js', 'views/first_time.js', 'ui/dialog.js', 'stream.js', 'npy.js', 'charts/plot.js']) assert.ok(files.has(later) && !found.includes(later), `${later} comes later`);
  for (const p of found) assert.ok(page.includes(`<link rel="modulepreload" href="/assets/abc/${p}">`), p);
  assert.ok(page.includes('content="vivace 9.8.7"') && /^\d+\.\d+\.\d+$/.test(programVersion()));
  assert.ok(!page.includes('{{'), 'every place for the version is filled');
});

test('a page other than the first gets the list of modules it needs beside those of the first', () => {
  const files = served(), modules = laterModules(files), first = reachable(files);
  for (const [name, path] of Object.entries(ROUTES).filter(([x]) => x !== 'workloads')) {
    const [, section, one] = path.split('/'), list = modules[one ? `${section}/` : section];
    assert.ok(list?.length > 0, `${name} preloads nothing`);
    assert.equal(new Set([...list, ...first]).size, list.length + first.length, `${name} names a module twice`);
    // Whatever one of them imports is among them, or came with the first view.
    for (const p of list) for (const [, to] of files.get(p).matchAll(/\b(?:from|import)\s*["'](\.[^"']+)["']/g)) assert.ok([...list, ...first].includes(join(dirname(p), to)), `${name}: ${p} imports ${to}`);
  }
  assert.ok(modules['plans/'].includes('views/plan.js') && modules.plans.includes('views/lists.js'));
  const early = withModules(files.get('early.js'), modules);
  assert.ok(early.includes('"plans/":["views/plan.js"') && !early.includes('const modules = {}'));
  assert.throws(() => withModules('const other = {};', modules), /no place/);
});

test('the functions of the routes take their place in api.js, and the dashboard uses each', () => {
  assert.throws(() => withClient('const other = {};', ''), /no place/);
  const api = served().get('api.js');
  assert.ok(!api.includes("from './client.js'") && api.includes("export const run = (run, abort) => call('GET', at.run(run), { abort });"));
  const used = ownFiles(WEB).filter((p) => p.endsWith('.js')).map((p) => readFileSync(join(WEB, p), 'utf8')).join('\n');
  const names = [...CLIENT.matchAll(/^export const (\w+) = \(/gm)].map((m) => m[1]);
  assert.ok(names.length > 70, `${names.length} functions`);
  assert.deepEqual(names.filter((name) => !new RegExp(`\\b(?:api|at)\\.${name}\\b`).test(used)), []);
});

test('only two modules touch vendor/, only two name the API', () => {
  for (const p of ownFiles(WEB).filter((x) => x.endsWith('.js'))) {
    const text = readFileSync(join(WEB, p), 'utf8').replace(/\/\*\*?[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
    if (!['ui/lib.js', 'charts/plot.js'].includes(p)) assert.ok(!/from ['"][^'"]*vendor\//.test(text), `${p} imports from vendor/`);
    if (!['api.js', 'early.js'].includes(p)) assert.ok(!text.includes('/api/v1'), `${p} names /api/v1`);
    if (p.startsWith('ui/')) assert.ok(!/from ['"]\.\.\/(charts|views|api|live)/.test(text), `${p} knows more than components should`);
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
