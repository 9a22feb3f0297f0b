// The files in deploy/ are valid: systemd accepts the units, manifests and container files fit their schemas and our programs
// (tests/house/manifests.py), nginx accepts the proxy files, and the database answers KEDA's queries.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, program, root, startFarm } from './harness.mjs';
import { replayRun } from './work.mjs';

const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
const env = { ...process.env, PATH };
const missing = (name, ...args) => (spawnSync(name, args, { env }).status === 0 ? false : `${name} ${args.join(' ')}: not here`);
const folder = mkdtempSync(join(tmpdir(), 'vivace-deploy-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

test('manifests, container files and flags', { skip: missing('/usr/bin/python3', '-c', 'import jsonschema, yaml') }, () => {
  const r = spawnSync('/usr/bin/python3', [join(root, 'tests/house/manifests.py'), build], { encoding: 'utf8' });
  assert.equal(r.status, 0, r.stderr);
});

test('a fault in a manifest is found', { skip: missing('/usr/bin/python3', '-c', 'import jsonschema, yaml') }, () => {
  const copy = join(folder, 'tree');
  mkdirSync(join(copy, 'tests/house'), { recursive: true });
  mkdirSync(join(copy, 'docs'));
  execFileSync('cp', ['-R', join(root, 'deploy'), copy]);
  execFileSync('cp', [join(root, 'tests/house/manifests.py'), join(copy, 'tests/house')]);
  const worker = join(copy, 'deploy/kubernetes/base/worker.yaml');
  writeFileSync(worker, readFileSync(worker, 'utf8').replace('--cache-bytes', '--cash-bytes'));
  const server = join(copy, 'deploy/kubernetes/base/server.yaml');
  writeFileSync(server, readFileSync(server, 'utf8').replace('periodSeconds', 'periodSecond').replace('claimName: vivace-store', 'claimName: store'));
  const r = spawnSync('/usr/bin/python3', [join(copy, 'tests/house/manifests.py'), build], { encoding: 'utf8' });
  assert.equal(r.status, 1, r.stderr);
  for (const found of [/dev: Deployment vivace-worker: vivace-worker has no --cash-bytes/, /'periodSecond' was unexpected/, /no claim store/])
    assert.match(r.stderr, found);
});

test('systemd accepts the units', { skip: missing('systemd-analyze', '--version') }, () => {
  for (const name of readdirSync(join(root, 'deploy/systemd')).filter((n) => n.endsWith('.service'))) {
    const unit = join(folder, name); // with the paths of the build, because verify checks that the programs exist
    writeFileSync(unit, readFileSync(join(root, 'deploy/systemd', name), 'utf8').replace(/^ExecStart=\/usr\/local\/bin\/(\S+)/m,
      (_, p) => `ExecStart=${program(p)}`));
    const r = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
    if (/Failed to (initialize manager|setup)|Read-only file system/.test(r.stderr)) return;
    assert.equal(r.status, 0, r.stderr);
    assert.doesNotMatch(r.stderr, new RegExp(name), 'a warning about it');
  }
});

test('nginx accepts the configuration of the proxy', { skip: missing('nginx', '-v') || missing('openssl', 'version') }, () => {
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=farm.example',
    '-keyout', join(folder, 'key'), '-out', join(folder, 'crt')], { stdio: 'ignore' });
  const site = readFileSync(join(root, 'deploy/proxy/nginx.conf'), 'utf8')
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${join(folder, 'key')};`).replace(/ssl_certificate  .*;/, `ssl_certificate ${join(folder, 'crt')};`);
  const conf = join(folder, 'nginx.conf');
  writeFileSync(conf, `pid ${join(folder, 'pid')};\nerror_log ${join(folder, 'log')};\nevents {}\nhttp {\n${site}\n}\n`);
  const r = spawnSync('nginx', ['-t', '-c', conf], { encoding: 'utf8', env });
  assert.equal(r.status, 0, r.stderr);
});

test('KEDA\'s queries: a role that may read the two views and nothing else gets the number of workers', { timeout: 300000 }, async () => {
  const farm = await startFarm();
  try {
    farm.psqlAsAdmin(`CREATE ROLE vivace_scale${farm.database ? '; GRANT vivace_scale TO vivace' : ''}`);
    farm.psql('GRANT SELECT ON scale_demand, scale_busy TO vivace_scale');
    const queries = ['keda', 'jobs'].map((c) => readFileSync(join(root, `deploy/kubernetes/components/${c}/scale.yaml`), 'utf8'))
      .map((text) => /query: >-\n([^]*?)\n {8}targetQueryValue/.exec(text)?.[1] ?? /query: >-\n([^]*?)\n *targetQueryValue/.exec(text)[1]);
    for (const query of queries) {
      assert.equal(farm.psql(`SET ROLE vivace_scale; ${query}`), '0');
    }
    const run = await replayRun(farm);
    for (const query of queries) assert.equal(farm.psql(`SET ROLE vivace_scale; ${query}`), '1');
    assert.equal(farm.psql('SET ROLE vivace_scale; SELECT ready_jobs FROM scale_demand'), String(run.jobs));
    assert.throws(() => farm.psql('SET ROLE vivace_scale; SELECT count(*) FROM job'), /permission denied/);
  } finally {
    await farm.stop();
  }
});
