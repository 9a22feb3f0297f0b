// docs/web.md names the browser test of each promise.
import test from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BROWSER = fileURLToPath(new URL('../browser', import.meta.url));
const browserFiles = () => readdirSync(BROWSER).filter((f) => f.endsWith('.test.mjs')).map((f) => f.replace('.test.mjs', '')).sort();
const docs = readFileSync(new URL('../../../docs/web.md', import.meta.url), 'utf8');

test('the table of promises names every file of browser tests, and no other', () => {
  const named = [...docs.matchAll(/^\|[^|\n]+\| `browser\/(\w+)` \|$/gm)].map(([, file]) => file);
  assert.deepEqual([...new Set(named)].sort(), browserFiles());
});
