// Names, tags and notes of runs and plans; archiving and deleting them.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { program, startFarm, until } from './harness.mjs';
import { ScriptedWorker, report } from './scripted_worker.mjs';

let farm, profile;
before(async () => {
  farm = await startFarm({ args: ['--test-dead-after', '15min'] });
  profile = await farm.profile(report(1), { name: 'report.csv', workload: 'labelled' });
});
after(async () => { await farm?.stop(); });

const newPlan = (seed) => farm.api('POST', `/profiles/${profile.id}/plans`, { method: 'vivace', error: 0.05, confidence: 0.95, seed });
const newRun = (plan) => farm.api('POST', `/plans/${plan.id}/runs`, { engine: 'replay', designs: [] });
const get = (path) => farm.api('GET', path);
const ids = async (path) => (await get(path)).items.map((x) => x.id);
const vivace = (...args) => spawnSync(program('vivace'), args, { encoding: 'utf8', env: { ...process.env, VIVACE_SERVER: farm.url, VIVACE_TOKEN: farm.token } });
/** Waits until the listed run has ended: all its jobs have results. */
async function ended(run) {
  await (await new ScriptedWorker(farm, { engines: ['replay'] }).openAlive()).drain();
  await until('the run to end', async () => (await get(`/runs/${run.id}`)).state === 'done');
}

test('a new label is an event of the run or plan, so that other tabs show it', async () => {
  const plan = await newPlan(7), run = await newRun(plan), stop = new AbortController();
  const response = await fetch(`${farm.url}/api/v1/events?topics=run:${run.id},plan:${plan.id}`, { signal: stop.signal, headers: { Authorization: `Bearer ${farm.token}` } });
  assert.equal(response.status, 200);
  await farm.api('PATCH', `/runs/${run.id}`, { name: 'seen elsewhere' });
  await farm.api('PATCH', `/plans/${plan.id}`, { tags: ['elsewhere'] });
  let text = '';
  for await (const piece of response.body) {
    text += Buffer.from(piece).toString();
    if (/event: run\.label/.test(text) && /event: plan\.label[^]*\n\n/.test(text)) break;
  }
  stop.abort();
  assert.ok(text.includes(`data: {"run":"${run.id}"}`) && text.includes(`data: {"plan":"${plan.id}"}`), text);
});

test('a run and a plan have a name, tags and a note; a tag filters lists, in each order', async () => {
  const plan = await newPlan(1), other = await newPlan(2), run = await newRun(plan);
  const none = { name: '', tags: [], note: '', archived: false };
  for (const [path, list, x] of [[`/runs/${run.id}`, '/runs', run], [`/plans/${plan.id}`, '/plans', plan]]) {
    assert.deepEqual((await get(path)).label, none);
    await farm.api('PATCH', path, { name: 'L2 twice as large', tags: ['paper', 'L2'] });
    await farm.api('PATCH', path, { note: 'For the figure.\nSecond line.', name: null, archived: null });
    const label = { name: 'L2 twice as large', tags: ['paper', 'L2'], note: 'For the figure.\nSecond line.', archived: false };
    assert.deepEqual((await get(path)).label, label);
    for (const sort of ['-created', 'workload']) {
      assert.deepEqual(await ids(`${list}?tag=paper&sort=${sort}`), [x.id]);
      assert.deepEqual(await ids(`${list}?tag=none&sort=${sort}`), []);
    }
    assert.deepEqual((await get(`${list}?tag=L2`)).items[0].label, label);
    await farm.api('PATCH', path, { archived: true });
    assert.equal((await get(path)).label.archived, true);
    for (const sort of ['-created', 'workload']) {
      assert.ok(!(await ids(`${list}?sort=${sort}`)).includes(x.id), 'archived: lists leave it out');
      assert.deepEqual(await ids(`${list}?archived=true&sort=${sort}`), [x.id]);
    }
    await farm.api('PATCH', path, { archived: false, name: '', tags: [], note: '' });
    assert.deepEqual((await get(path)).label, none);
  }
  await farm.api('PATCH', `/runs/${run.id}`, { name: 'figure 3' });
  assert.deepEqual(await ids('/runs?q=FIGURE'), [run.id], 'the search finds names');
  assert.ok((await ids('/plans')).includes(other.id));
  await ended(run);
});

test('an invalid label is refused with the reason', async () => {
  const plan = await newPlan(3);
  for (const [body, why] of [[{ name: 'x'.repeat(201) }, /name/], [{ tags: ['a,b'] }, /without commas/], [{ tags: [''] }, /1 to 40 bytes/], [{ tags: Array(17).fill('x') }, /more than 16/], [{ tags: 'a' }, /tags/], [{ note: 7 }, /note/], [{ colour: 1 }, /colour/]])
    await assert.rejects(farm.api('PATCH', `/plans/${plan.id}`, body), (e) => [400, 422].includes(e.status) && why.test(e.message), JSON.stringify(body));
  const nowhere = '01a223b5-78fe-789f-8936-f0f608a113d9';
  for (const path of [`/runs/${nowhere}`, `/plans/${nowhere}`]) {
    await assert.rejects(farm.api('PATCH', path, { name: 'x' }), (e) => e.status === 404);
    await assert.rejects(farm.api('DELETE', path), (e) => e.status === 404);
    await assert.rejects(get(`${path}/dependents`), (e) => e.status === 404);
  }
});

test('deletion lists the dependent objects, refuses open runs, and keeps results', async () => {
  const plan = await newPlan(4), run = await newRun(plan);
  await assert.rejects(farm.api('DELETE', `/runs/${run.id}`), (e) => e.status === 409 && /the run is running/.test(e.message));
  await assert.rejects(farm.api('DELETE', `/plans/${plan.id}`), (e) => e.status === 409 && /not over/.test(e.message));
  await ended(run);
  const link = await farm.api('POST', '/shares', { kind: 'run', object: run.id, name: 'for the review' });
  const of = (await get(`/runs/${run.id}/dependents`)).items;
  assert.deepEqual(of.map((d) => [d.kind, d.id, d.name]), [['share', link.id, 'for the review']]);
  assert.deepEqual((await get(`/plans/${plan.id}/dependents`)).items.map((d) => [d.kind, d.id, d.state]), [['run', run.id, 'done']]);
  const results = farm.psql('SELECT count(*) FROM result');
  await farm.api('DELETE', `/runs/${run.id}`);
  await assert.rejects(get(`/runs/${run.id}`), (e) => e.status === 404);
  assert.equal(farm.psql('SELECT count(*) FROM result'), results);
  const again = await newRun(plan);
  await until('the run to end of known results', async () => (await get(`/runs/${again.id}`)).state === 'done');
  assert.ok((await get(`/runs/${again.id}`)).cached > 0, 'nothing is simulated twice');
  await farm.api('DELETE', `/plans/${plan.id}`);
  await assert.rejects(get(`/runs/${again.id}`), (e) => e.status === 404, 'its runs are deleted with it');
  const deeds = (await get('/audit')).items.map((a) => a.action);
  assert.ok(['run.delete', 'plan.delete'].every((a) => deeds.includes(a)), deeds.join());
});

test('the program does the same', async () => {
  const plan = await newPlan(5), run = await newRun(plan);
  await ended(run);
  for (const noun of ['run', 'plan']) {
    const id = noun === 'run' ? run.id : plan.id, did = (...args) => vivace(noun, args[0], id, ...args.slice(1));
    assert.match(did('rename', 'of the program').stdout, /now has that name/);
    assert.match(did('tag', 'one', 'two').stdout, /now has these tags/);
    assert.match(did('note', 'a note').stdout, /now has that note/);
    assert.match(did('archive').stdout, /is archived/);
    assert.deepEqual((await get(`/${noun}s/${id}`)).label, { name: 'of the program', tags: ['one', 'two'], note: 'a note', archived: true });
    assert.match(did('restore').stdout, /is back in the list/);
  }
  assert.match(vivace('run', 'list', '--tag', 'two').stdout, /of the program +one, two/);
  const refused = vivace('plan', 'delete', plan.id);
  assert.deepEqual([refused.status > 0, refused.stdout], [true, `run ${run.id}: of the program, done\n`]);
  assert.match(refused.stderr, /the list above depends on plan/);
  assert.match(vivace('run', 'delete', run.id).stdout, /is deleted/);
  assert.match(vivace('plan', 'delete', plan.id).stdout, /is deleted/);
});
