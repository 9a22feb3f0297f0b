// tests/api/tcp_database.mjs: a PostgreSQL of its own over TCP, as on another machine: a role that is no superuser, a password,
// TLS with a certificate that is checked (sslmode=verify-full). Optionally PgBouncer before it, in transaction mode.
//
//   const database = await startDatabase(folder, { pooler: true });
//   database.url           // what --database takes      database.args   all that the server is started with
//   database.admin         // the same database's server, as its superuser, in the database postgres
//   await database.stop();
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const pgbouncer = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((p) => existsSync(p));
const PASSWORD = 'correct horse';

export const freePort = () => new Promise((done) => {
  const probe = createServer().listen(0, '127.0.0.1', () => { const { port } = probe.address(); probe.close(() => done(port)); });
});

const answers = (port) => new Promise((done, fail) => {
  const probe = connect(port, '127.0.0.1', () => { probe.destroy(); done(); }).on('error', fail);
});

/** The user who runs PostgreSQL, because it refuses root. */
function databaseUser() {
  if (process.getuid() !== 0) return {};
  const found = readFileSync('/etc/passwd', 'utf8').split('\n').map((l) => l.split(':')).find(([name]) => name === 'postgres');
  if (!found) throw new Error('there is no user postgres to run a database as');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

export class Database {
  constructor(folder, programs) {
    Object.assign(this, { folder, programs, user: databaseUser(), processes: [] });
    this.options = { cwd: '/', ...this.user, env: { ...process.env, HOME: folder }, stdio: ['ignore', 'pipe', 'inherit'] };
    mkdirSync(folder);
    this.own(folder);
    chmodSync(folder, 0o755);
  }

  own(path) {
    if (this.user.uid !== undefined) chownSync(path, this.user.uid, this.user.gid);
    return path;
  }

  file(name, text, mode = 0o600) {
    const path = join(this.folder, name);
    writeFileSync(path, text, { mode });
    return this.own(path);
  }

  certificate() {
    const [key, cert] = [join(this.folder, 'server.key'), join(this.folder, 'server.crt')];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=database.test',
      '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert], { stdio: 'ignore' });
    chmodSync(key, 0o600);
    chmodSync(cert, 0o644);
    this.own(key);
    return { key, cert };
  }

  address(port) {
    return `postgresql://vivace:${encodeURIComponent(PASSWORD)}@localhost:${port}/vivace?sslmode=verify-full&sslrootcert=${encodeURIComponent(this.tls.cert)}`;
  }

  /** Starts a process, keeps its output, and waits until `probe` does not throw. */
  async run(name, program, args, probe) {
    const log = join(this.folder, `${name}.log`), out = openSync(log, 'a');
    const child = spawn(program, args, { ...this.options, stdio: ['ignore', out, out] });
    closeSync(out);
    this.processes.unshift(child);
    for (let i = 0; ; i++, await sleep(100))
      try {
        return await probe();
      } catch (error) {
        if (i > 300 || child.exitCode !== null) throw new Error(`${name} does not answer: ${error.stderr ?? error}\n${readFileSync(log, 'utf8')}`);
      }
  }

  psql(url, sql) {
    return execFileSync('psql', [url, '-XAtq', '-v', 'ON_ERROR_STOP=1', '-c', sql], { ...this.options, stdio: 'pipe' }).toString().trim();
  }

  async start() {
    const data = join(this.folder, 'data'), password = this.file('password', PASSWORD);
    this.tls = this.certificate();
    this.port = await freePort();
    const admin = this.admin = this.address(this.port).replace('//vivace:', '//postgres:').replace('/vivace?', '/postgres?');
    execFileSync(join(this.programs, 'initdb'), ['-D', data, '-U', 'postgres', `--pwfile=${password}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '-N'],
      this.options);
    writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\nhostssl all all ::1/128 scram-sha-256\n'
      + 'hostssl replication all 127.0.0.1/32 scram-sha-256\nhostssl replication all ::1/128 scram-sha-256\n');
    await this.startCluster(data, this.port, () => this.psql(admin, 'SELECT 1'));
    this.psql(admin, `CREATE ROLE vivace LOGIN PASSWORD '${PASSWORD}'`);
    this.psql(admin, 'CREATE DATABASE vivace OWNER vivace');
    // A right that some tests need; it can be granted from PostgreSQL 15 on.
    if (Number(this.psql(admin, 'SHOW server_version_num')) >= 150000) this.psql(admin, 'GRANT SET ON PARAMETER session_replication_role TO vivace');
    this.url = this.address(this.port);
    this.args = ['--database', this.url];
    return this;
  }

  /** Starts PostgreSQL on an existing folder; returns the result of the probe. */
  startCluster(data, port, probe) {
    return this.run(`postgres-${port}`, join(this.programs, 'postgres'), ['-D', data, '-p', String(port), '-k', '', '-c', 'listen_addresses=localhost', '-c', 'ssl=on',
      '-c', `ssl_cert_file=${this.tls.cert}`, '-c', `ssl_key_file=${this.tls.key}`, '-c', 'max_connections=100'], probe);
  }

  /** `upstream`: the port through which the pooler connects to the database, if it differs from the database's own. */
  async startPooler(upstream = this.port, size = 4) {
    const port = await freePort(), users = this.file('users', `"vivace" "${PASSWORD}"\n`);
    const ini = this.file('pgbouncer.ini', `[databases]\nvivace = host=localhost port=${upstream} dbname=vivace user=vivace password='${PASSWORD}'\n`
      + `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = plain\nauth_file = ${users}\npool_mode = transaction\n`
      + `default_pool_size = ${size}\nmax_client_conn = 300\nserver_login_retry = 1\nserver_tls_sslmode = verify-full\nserver_tls_ca_file = ${this.tls.cert}\n`
      + `client_tls_sslmode = require\nclient_tls_cert_file = ${this.tls.cert}\nclient_tls_key_file = ${this.tls.key}\n`);
    this.pooled = this.address(port);
    // Not by psql through the pooler: the pooler would keep a connection from before the role had its limits.
    this.runPooler = () => this.run('pgbouncer', pgbouncer, [ini], () => answers(port));
    await this.runPooler();
    this.pooler = { port, process: this.processes[0] };
    this.args = ['--database', this.pooled, '--database-direct', this.url];
    return this;
  }

  async stop() {
    for (const child of this.processes) {
      const ended = new Promise((done) => child.once('exit', done));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGQUIT');
        await ended;
      }
    }
  }
}

export async function startDatabase(folder, programs, { pooler = false } = {}) {
  const database = new Database(folder, programs);
  try {
    await database.start();
    return pooler ? await database.startPooler() : database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}
