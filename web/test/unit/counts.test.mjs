// docs/web.md says how many tests hold each promise: as many as there are.
import test from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const BROWSER = fileURLToPath(new URL('../browser', import.meta.url));
const docs = readFileSync(new URL('../../../docs/web.md', import.meta.url), 'utf8');

test('the table of browser tests names every file, with the number of its tests', () => {
  const said = Object.fromEntries([...docs.matchAll(/^\|[^|\n]+\| `browser\/(\w+)` \| (\d+) \|$/gm)].map(([, file, n]) => [file, Number(n)]));
  const are = Object.fromEntries(readdirSync(BROWSER).map((f) => [f.replace('.test.mjs', ''), readFileSync(join(BROWSER, f), 'utf8').match(/^ *(?:await t\.)?test\(/gm)?.length ?? 0]));
  assert.deepEqual(said, are);
});
