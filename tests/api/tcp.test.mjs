// A server and its database on two machines: PostgreSQL over TCP with a password and TLS whose certificate is checked, and
// through PgBouncer in transaction mode. `make check-api DATABASE=tcp` (or pooler) runs every file in this way; this test runs
// some of them.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { program, startFarm } from './harness.mjs';
import { pgbouncer } from './tcp_database.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const FILES = { tcp: ['runs.test.mjs', 'queue.test.mjs', 'access.test.mjs', 'import.test.mjs'], pooler: ['runs.test.mjs', 'queue.test.mjs'] };

for (const kind of ['tcp', 'pooler'])
  for (const file of FILES[kind])
    test(`${file} with a database over ${kind}`, { timeout: 900000, skip: kind === 'pooler' && !pgbouncer ? 'pgbouncer is not installed' : false }, () => {
      const { NODE_TEST_CONTEXT, ...env } = process.env; // a test runner of its own
      const ran = spawnSync(process.execPath, ['--test', '--test-reporter=tap', join(here, file)],
        { encoding: 'utf8', env: { ...env, VIVACE_TEST_DATABASE: kind }, maxBuffer: 1 << 28 });
      assert.equal(ran.status, 0, ran.stdout + ran.stderr);
      assert.match(ran.stdout, /^# pass [1-9]/m);
    });

test('the connection uses TCP, with a password and TLS', async () => {
  const farm = await startFarm({ tcp: 'tcp' });
  try {
    assert.equal(farm.psql("SELECT DISTINCT s.ssl, a.client_addr IS NOT NULL, a.usename FROM pg_stat_activity a JOIN pg_stat_ssl s USING (pid)"
      + " WHERE a.application_name = 'vivace-server'"), 't|t|vivace');
    assert.ok(!existsSync(join(farm.state, 'postgres')), 'no additional private database');
    const stranger = spawnSync(program('vivace-server'), ['--listen', '127.0.0.1:0', '--state', join(farm.folder, 'refused'), '--database',
      farm.database.url.replace('localhost', '127.0.0.1')], { encoding: 'utf8', timeout: 60000 });
    assert.equal(stranger.status, 69, stranger.stderr);
    assert.match(stranger.stderr, /certificate/, 'a name that the certificate does not have is refused');
  } finally {
    await farm.stop();
  }
});
