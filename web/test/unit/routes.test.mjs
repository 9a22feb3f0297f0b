// Addresses ⇄ views and their state, both ways.
import test from 'node:test';
import assert from 'node:assert/strict';
import { WINDOW } from '../../charts/view.js';
import { href, match, readQuery, ROUTES, writeQuery } from '../../routes.js';
import { hideRule, shownOf, turned } from '../../ui/shown.js';

test('each route round-trips, also with hostile ids', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  for (const name of Object.keys(ROUTES)) {
    for (const value of [id, 'a b', '<img src=x onerror=alert(1)>', 'ü/%2F', '..']) {
      const params = Object.fromEntries([...ROUTES[name].matchAll(/:(\w+)/g)].map(([, key]) => [key, value]));
      assert.deepEqual(match(href(name, params)), { name, params }, `${name} ${value}`);
    }
  }
});

test('a foreign address matches no route', () => {
  for (const path of ['/nothing', '/runs/1/2', '/workloads/', '/runs/%E0%A4%A', '/api/v1/runs', '/plans/1/']) {
    const expected = { '/workloads/': null, '/plans/1/': 'plan' }[path] ?? null;
    assert.equal(match(path)?.name ?? null, expected, path);
  }
  assert.equal(match('/runs/')?.name, 'runs');
});

const RULES = { sort: { fallback: '-total', oneOf: ['-total', 'name'] }, design: { fallback: '' }, eps: { fallback: '0.05', number: [0.0001, 1] } };

test('state ⇄ query', () => {
  for (const [search, values] of [
    ['', { sort: '-total', design: '', eps: '0.05' }],
    ['?sort=name&design=h100+x%26y', { sort: 'name', design: 'h100 x&y', eps: '0.05' }],
    ['?eps=0.02', { sort: '-total', design: '', eps: '0.02' }],
  ]) {
    const read = readQuery(search, RULES);
    assert.deepEqual(read, { values, problems: [] });
    assert.deepEqual(readQuery(writeQuery(values, RULES), RULES).values, values);
  }
  assert.equal(writeQuery({ sort: '-total', design: '', eps: '0.05' }, RULES), '', 'defaults are not written');
});

test('unknown parameters are skipped, bad values fall back and are reported', () => {
  const { values, problems } = readQuery('?sort=evil&who=me&eps=7&design=x', RULES);
  assert.deepEqual(values, { sort: '-total', design: 'x', eps: '0.05' });
  assert.equal(problems.length, 2);
  assert.match(problems[0], /sort = “evil”.*sort = “-total” is shown/);
  assert.equal(readQuery('?eps=', RULES).values.eps, '0.05');
  const zoom = readQuery('?zoom=2,1', { zoom: WINDOW });
  assert.deepEqual(zoom, { values: { zoom: '' }, problems: ['The address asks for zoom = “2,1”, which this page does not know; that is left out.'] });
  assert.deepEqual(readQuery('?zoom=1,2', { zoom: WINDOW }), { values: { zoom: '1,2' }, problems: [] });
});

test('hidden columns are in the address by their keys; the first column stays, and an invalid key is reported', () => {
  const columns = ['name', 'calls', 'mean', 'max'].map((key) => ({ key })), rule = { hide: hideRule(columns) };
  const shown = (search) => shownOf(columns, readQuery(search, rule).values.hide).map((c) => c.key);
  assert.deepEqual(shown(''), ['name', 'calls', 'mean', 'max']);
  assert.deepEqual(shown('?hide=mean,calls'), ['name', 'max']);
  for (const bad of ['name', 'colour', 'mean,', 'mean,mean']) {
    assert.equal(readQuery(`?hide=${bad}`, rule).problems.length, 1, bad);
    assert.equal(shown(`?hide=${bad}`).length, 4, bad);
  }
  assert.deepEqual([turned('', 'mean'), turned('mean', 'max'), turned('mean,max', 'mean'), turned('max', 'max')], ['mean', 'mean,max', 'max', '']);
});
