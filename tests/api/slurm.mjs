// tests/api/slurm.mjs: a Slurm of one node in a temporary folder: munged, slurmctld and slurmd of Debian's packages, on free
// ports, without services and without touching the machine's own configuration.
//
//   const slurm = await startSlurm();       // or a string with the reason why there is none
//   slurm.env                               // SLURM_CONF and PATH for clients and for the server under test
//   slurm.jobs()                            // [{ id, state }] as squeue has them
//   await slurm.kill9(); await slurm.startDaemons();
//   await slurm.stop();
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus, hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { until } from './harness.mjs';

const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
const which = (name) => PATH.split(':').map((f) => join(f, name)).find(existsSync);

const freePort = () => new Promise((done) => {
  const s = createServer().listen(0, '127.0.0.1', () => { const { port } = s.address(); s.close(() => done(port)); });
});

class Slurm {
  constructor(folder) {
    this.folder = folder;
    this.children = {};
    this.env = { ...process.env, PATH, SLURM_CONF: join(folder, 'slurm.conf') };
  }

  spawn(name, args) {
    const log = openSync(join(this.folder, `${name}.out`), 'a');
    const child = spawn(which(name), args, { stdio: ['ignore', log, log], env: this.env, cwd: this.folder });
    closeSync(log);
    child.ended = new Promise((done) => child.on('exit', done));
    this.children[name] = child;
    return child;
  }

  async startMunge() {
    const at = (name) => join(this.folder, 'munge', name);
    mkdirSync(join(this.folder, 'munge'), { mode: 0o755 });
    execFileSync(which('mungekey'), ['--create', `--keyfile=${at('key')}`]);
    this.spawn('munged', ['--foreground', `--key-file=${at('key')}`, `--socket=${at('socket')}`, `--pid-file=${at('pid')}`,
      `--log-file=${at('log')}`, `--seed-file=${at('seed')}`, '--num-threads=2', ...(process.getuid() === 0 ? ['--force'] : [])]);
    await until('munged', () => existsSync(at('socket')));
  }

  async configure() {
    const user = userInfo().username, host = hostname().split('.')[0], [controller, daemon] = [await freePort(), await freePort()];
    for (const d of ['state', 'spool']) mkdirSync(join(this.folder, d));
    writeFileSync(this.env.SLURM_CONF, `ClusterName=vivace
SlurmctldHost=${host}(127.0.0.1)
SlurmUser=${user}
SlurmdUser=${user}
SlurmctldPort=${controller}
SlurmdPort=${daemon}
AuthType=auth/munge
AuthInfo=socket=${this.folder}/munge/socket
CredType=cred/munge
StateSaveLocation=${this.folder}/state
SlurmdSpoolDir=${this.folder}/spool
SlurmctldPidFile=${this.folder}/slurmctld.pid
SlurmdPidFile=${this.folder}/slurmd.pid
SlurmctldLogFile=${this.folder}/slurmctld.log
SlurmdLogFile=${this.folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=5
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
NodeName=${host} NodeAddr=127.0.0.1 CPUs=${cpus().length} RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=${host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
`);
    this.host = host;
  }

  async startDaemons() {
    this.spawn('slurmctld', ['-D', '-f', this.env.SLURM_CONF]);
    this.spawn('slurmd', ['-D', '-f', this.env.SLURM_CONF, '-N', this.host]);
    await until('the node to be there', () => {
      try {
        return /^(idle|mixed|allocated|alloc|mix)/m.test(this.run('sinfo', '--noheader', '--format=%t'));
      } catch {
        return false;
      }
    }, 120000, 200);
  }

  run(name, ...args) {
    return execFileSync(which(name), args, { env: this.env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 30000 }).toString();
  }

  jobs() {
    return this.run('squeue', '--noheader', '--array', '--format=%i %T').split('\n').filter(Boolean)
      .map((line) => { const [id, state] = line.trim().split(' '); return { id, state }; });
  }

  running() {
    return this.jobs().filter((j) => j.state === 'RUNNING');
  }

  /** Kills both daemons at once; jobs on the node continue. */
  async kill9() {
    for (const name of ['slurmctld', 'slurmd']) this.children[name].kill('SIGKILL');
    await Promise.all(['slurmctld', 'slurmd'].map((name) => this.children[name].ended));
  }

  log() {
    return ['slurmctld.out', 'slurmctld.log', 'slurmd.out', 'slurmd.log'].map((f) => join(this.folder, f)).filter(existsSync)
      .map((f) => `${f}:\n${readFileSync(f, 'utf8').slice(-3000)}`).join('\n');
  }

  async stop() {
    try {
      if (this.children.slurmctld) {
        for (const j of this.jobs()) this.run('scancel', '--signal=KILL', '--full', j.id);
        await until('the jobs to end', () => this.jobs().length === 0, 20000, 200);
      }
    } catch { /* jobs that cannot be cancelled end with the daemons' processes below */ }
    for (const name of ['slurmd', 'slurmctld', 'munged']) {
      this.children[name]?.kill('SIGTERM');
      await this.children[name]?.ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function startSlurm() {
  const missing = ['munged', 'mungekey', 'slurmctld', 'slurmd', 'sbatch', 'squeue', 'scancel', 'sinfo'].filter((n) => !which(n));
  if (missing.length) return `Slurm is not installed here (${missing.join(', ')})`;
  const slurm = new Slurm(mkdtempSync(join(tmpdir(), 'vivace-slurm-')));
  chmodSync(slurm.folder, 0o755);
  try {
    await slurm.startMunge();
    await slurm.configure();
    await slurm.startDaemons();
    return slurm;
  } catch (error) {
    error.message += `\n${slurm.log()}`;
    await slurm.stop();
    throw error;
  }
}
