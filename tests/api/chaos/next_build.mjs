// tests/api/chaos/next_build.mjs: the programs to which a chaos run upgrades: those of $VIVACE_NEXT_BUILD, or copies of the build
// whose version has another last digit. Their server is the one of `make build/tests/next/vivace-server`: it has one more schema
// file, 9000_next_release.sql.
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, root } from '../harness.mjs';

const PROGRAMS = ['vivace', 'vivace-server', 'vivace-worker'];

/** The bytes of a program, its version replaced by the next one. */
export function nextVersion(bytes, version) {
  const text = `${version}\0`, fresh = version.replace(/\d$/, (d) => String((Number(d) + 1) % 10));
  if (bytes.indexOf(text) < 0) throw new Error(`the program does not contain its version ${version}`);
  for (let at = 0; (at = bytes.indexOf(text, at)) >= 0;) at += bytes.write(fresh, at, 'latin1');
  return bytes;
}

/** The path of the server with one more schema file. */
function nextServer() {
  const path = join(build, 'tests/next/vivace-server');
  if (!existsSync(path)) throw new Error(`${path} is missing: \`make ${path}\` builds it`);
  return path;
}

/** The folder of the newer programs, which is made inside `folder` unless $VIVACE_NEXT_BUILD names one. */
export function nextBuild(folder) {
  const given = process.env.VIVACE_NEXT_BUILD, next = join(folder, 'next');
  if (given) {
    for (const name of PROGRAMS) readFileSync(resolve(root, given, name)); // an error here names the missing program
    return resolve(root, given);
  }
  const [, version] = /VIVACE_VERSION "(.*)"/.exec(readFileSync(join(root, 'base/version.h'), 'utf8'));
  mkdirSync(next);
  for (const name of readdirSync(build))
    if (PROGRAMS.includes(name)) writeFileSync(join(next, name), nextVersion(readFileSync(name === 'vivace-server' ? nextServer() : join(build, name)), version), { mode: 0o755 });
    else symlinkSync(join(build, name), join(next, name));
  return next;
}
