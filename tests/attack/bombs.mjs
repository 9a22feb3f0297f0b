// tests/attack/bombs.mjs: small files that unpack to many bytes, in every compression format that the server reads.
import { spawnSync } from 'node:child_process';

const packers = { gz: ['gzip', '-9c'], xz: ['xz', '-9c'], zst: ['zstd', '-19c'] };

function pack(kind, bytes) {
  const [program, ...args] = packers[kind];
  const r = spawnSync(program, args, { input: bytes, maxBuffer: 1 << 28 });
  if (r.status !== 0) throw new Error(`${program}: ${r.stderr}`);
  return r.stdout;
}

/** A compressed file that unpacks to `head` and then `mib` MiB of one byte. It has several frames (members); readers treat them as one stream. */
export function bomb(kind, head, mib) {
  const step = 16, one = pack(kind, Buffer.alloc(step << 20, 'x'));
  return Buffer.concat([pack(kind, Buffer.from(head)), ...Array.from({ length: Math.ceil(mib / step) }, () => one)]);
}

/** A bomb inside a bomb. Unpacking the outer file gives a small file, which is not a report but another compressed file. */
export const nested = (outer, inner, mib) => pack(outer, bomb(inner, '', mib));

export const kinds = Object.keys(packers);
