// vendor.mjs: makes the folder that the server serves.
//
//   node vendor.mjs NODE_MODULES API OUT
//
// Our own modules and seven third-party files are concatenated into a few files (bundle.mjs) in OUT/assets/<version>/,
// where <version> is a hash over all of them: the address of a file changes with any content, so browsers may keep each
// for ever. OUT/index.html names that version, early.js the files of the other views. Package names in third-party
// modules become relative paths; a name that is not known here ends the build.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundle } from './bundle.mjs';
import { ROUTES } from './routes.js';

const SOURCE = dirname(fileURLToPath(import.meta.url));

/** File under vendor/ → [package, file in it]. */
const VENDOR = {
  'preact.js': ['preact', 'dist/preact.mjs'],
  'hooks.js': ['preact', 'hooks/dist/hooks.mjs'],
  'htm.js': ['htm', 'dist/htm.mjs'],
  'signals-core.js': ['@preact/signals-core', 'dist/signals-core.mjs'],
  'signals.js': ['@preact/signals', 'dist/signals.mjs'],
  'd3.js': ['d3', 'dist/d3.min.js'],
  'plot.js': ['@observablehq/plot', 'dist/plot.umd.min.js'],
};
/** Name in an import statement → file under vendor/. */
const NAMES = {
  'preact': 'preact.js',
  'preact/hooks': 'hooks.js',
  '@preact/signals-core': 'signals-core.js',
};
/** What is served packed, too. */
const PACKED = /\.(?:js|css)$/;
/** What of this folder is served. Everything else (tests, types, package files) is for building only. */
const SERVED = /^(?:(?:ui|charts|views)\/)?[a-z0-9_]+\.(?:js|css)$/;

/** @param {string} text @param {string} file */
export function rewriteImports(text, file) {
  return text
    .replace(/\b(from|import)\s*(["'])([^"']+)\2/g, (whole, keyword, quote, name) => {
      if (name.startsWith('./') || name.startsWith('../')) return whole;
      if (!NAMES[name]) throw new Error(`vendor/${file} imports '${name}', which vendor.mjs does not know. Add it to NAMES, and its file to VENDOR.`);
      return `${keyword}${quote}./${NAMES[name]}${quote}`;
    })
    .replace(/^\/\/# sourceMappingURL=.*$/gm, '');
}

/** Every served file of our own, as a path relative to this folder, sorted. @param {string} root */
export function ownFiles(root) {
  const found = [];
  for (const folder of ['', 'ui', 'charts', 'views']) {
    const at = join(root, folder);
    if (!existsSync(at)) continue;
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isFile() && SERVED.test(path)) found.push(path);
    }
  }
  return found.sort();
}

/** index.html with the version in its addresses. `program`: the version of the program, for the captions of pictures.
 * @param {string} template @param {string} version @param {string} program */
export function shell(template, version, program) {
  return template.replaceAll('{{version}}', version).replace('{{program}}', program);
}

/** What the page starts: the dashboard, and the worker that has the event stream of all tabs. */
const STARTS = ['app.js', 'live_worker.js'];
/** Scripts that run before the first paint; they are served as they are. */
const PLAIN = ['early.js', 'theme.js'];

/** The served scripts. @param {Map<string, string>} files path → text of all files */
export function bundled(files) {
  return bundle(new Map([...files].filter(([path]) => path.endsWith('.js') && !PLAIN.includes(path))), STARTS);
}

/** What early.js preloads for a page other than the first: the files that its view needs beside app.js, by the beginning
 * of its address. @param {string} app text of app.js @param {(file: string) => string[]} needs @returns {Record<string, string[]>} */
export function laterFiles(app, needs) {
  const views = [...app.matchAll(/(\w+): async \(\) => \(await import\('\.\/(views\/\w+\.js)'\)/g)];
  return Object.fromEntries(views.filter(([, name]) => name in ROUTES).map(([, name, path]) => {
    const [, section, one] = ROUTES[/** @type {keyof typeof ROUTES} */ (name)].split('/');
    return [one ? `${section}/` : section, [path, ...needs(path).filter((file) => file !== 'app.js')]];
  }));
}

/** early.js with that list in it. @param {string} text @param {Record<string, string[]>} modules */
export function withModules(text, modules) {
  const place = 'const modules = {};';
  if (!text.includes(place)) throw new Error(`early.js has no place for its list of modules: "${place}"`);
  return text.replace(place, `const modules = ${JSON.stringify(modules)};`);
}

/** api.js with a function for each route in the place of the lines that name client.js, whose functions use what is in
 * api.js. @param {string} text @param {string} client what api/ was made into */
export function withClient(text, client) {
  const place = "import { at } from './client.js';\nexport * from './client.js';\n";
  if (!text.includes(place)) throw new Error(`api.js has no place for the functions of the routes: "${place}"`);
  return text.replace(place, () => client);
}

/** What the programs call themselves (base/version.h). */
export function programVersion() {
  const found = /VIVACE_VERSION "([^"]+)"/.exec(readFileSync(join(SOURCE, '..', 'base', 'version.h'), 'utf8'));
  if (!found) throw new Error('base/version.h does not say the version');
  return found[1];
}

function main(/** @type {string} */ modules, /** @type {string} */ api, /** @type {string} */ out) {
  const files = new Map();
  for (const [name, [pack, file]] of Object.entries(VENDOR)) {
    files.set(`vendor/${name}`, rewriteImports(readFileSync(join(modules, pack, file), 'utf8'), name));
    files.set(`vendor/LICENSE.${pack.replace(/^@/, '').replace('/', '-')}.txt`, readFileSync(join(modules, pack, 'LICENSE'), 'utf8'));
  }
  for (const path of ownFiles(SOURCE)) files.set(path, readFileSync(join(SOURCE, path), 'utf8'));
  files.set('api.js', withClient(files.get('api.js'), readFileSync(join(api, 'client.js'), 'utf8')));
  const { served, needs } = bundled(files);
  for (const [path, text] of files) if (!path.endsWith('.js') || PLAIN.includes(path)) served.set(path, text);
  served.set('early.js', withModules(files.get('early.js'), laterFiles(files.get('app.js'), needs)));

  const hash = createHash('sha256');
  for (const [path, text] of [...served].sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(path).update('\0').update(text).update('\0');
  const version = hash.digest('hex').slice(0, 12);

  // What is in the folder goes, not the folder: a server that runs has it open.
  mkdirSync(out, { recursive: true });
  for (const old of readdirSync(out)) rmSync(join(out, old), { recursive: true });
  const assets = join(out, 'assets', version);
  for (const [path, text] of served) {
    mkdirSync(dirname(join(assets, path)), { recursive: true });
    writeFileSync(join(assets, path), text);
    // Packed beside it, for the browsers that take it so: all do. The same bytes each time: there is no time in it.
    if (PACKED.test(path)) writeFileSync(join(assets, `${path}.gz`), gzipSync(text, { level: 9 }));
  }
  cpSync(join(SOURCE, 'icon.svg'), join(assets, 'icon.svg'));
  // Last, because make takes it as the sign that all the others are there.
  writeFileSync(join(out, 'index.html'), shell(readFileSync(join(SOURCE, 'index.html'), 'utf8'), version, programVersion()));
  console.log(`web: ${served.size} files, version ${version}, in ${out}`);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv.length !== 5) {
    console.error('usage: node vendor.mjs NODE_MODULES API OUT');
    process.exit(64);
  }
  try {
    main(process.argv[2], process.argv[3], process.argv[4]);
  } catch (error) {
    console.error(`web: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}
