// Kernel traces as Accel-Sim's tracer writes them (docs/formats/accel-sim.md), generated for tests: a stream over memory, a
// loop of arithmetic whose length differs between launches, and a gather with a branch that half of the lanes take.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const hex = (n, digits = 1) => n.toString(16).padStart(digits, '0');
const ALL = 0xffffffff, HALF = 0x55555555;

/** Lines of one warp: [pc, mask, text behind the mask]. */
const bodies = {
  stream: (warp, turns) => [
    [0x00, ALL, '1 R0 S2R 0 0 0'],
    ...Array.from({ length: turns }, (_, i) => [
      [0x10, ALL, `1 R4 LDG.E 1 R2 4 1 0x${hex(0x7f0000000000 + 128 * (warp + 64 * i))} 4 0`],
      [0x20, ALL, '1 R5 FFMA 3 R4 R4 R5 0 0'],
      [0x30, ALL, '0 BRA 0 0 0'],
    ]).flat(),
    [0x40, ALL, `0 STG.E 2 R2 R5 4 1 0x${hex(0x7f1000000000 + 128 * warp)} 4 0`],
    [0x50, ALL, '0 EXIT 0 0 0'],
  ],
  loop: (warp, turns) => [
    ...Array.from({ length: 4 * turns }, (_, i) => [
      [0x00, ALL, '1 R6 FFMA 3 R6 R7 R6 0 0'],
      [0x10, ALL, '1 R8 IADD3 2 R8 R9 0 0'],
      [0x20, ALL, i % 2 ? '0 STS 2 R10 R8 4 1 0x0 4 0' : '1 R7 LDS 1 R10 4 1 0x0 4 0'],
      [0x30, ALL, '0 BRA 0 0 0'],
    ]).flat(),
    [0x40, ALL, '0 BAR.SYNC 0 0 0'],
    [0x50, ALL, '0 EXIT 0 0 0'],
  ],
  gather: (warp, turns) => [
    ...Array.from({ length: turns }, (_, i) => [
      [0x00, ALL, `1 R4 LDG.E 1 R2 4 1 0x${hex(0x7f2000000000 + 4096 * ((warp * 37 + i * 11) % 256))} 128 0`],
      [0x10, ALL, '0 BRA 0 0 0'],
      ...((warp + i) % 3 ? [] : [[0x20, HALF, '1 R5 FADD 2 R4 R5 0 0']]),
      [0x30, ALL, '0 BRA 0 0 0'],
    ]).flat(),
    [0x40, ALL, '0 EXIT 0 0 0'],
  ],
};

/** change.sm: compute capability of the code; change.gmma: with an instruction of Hopper; change.missing: CTAs that the trace
 * lacks; change.name: of the kernel. */
function kernelText(id, name, ctas, warps, turns, change) {
  const head = [`-kernel name = ${change.name ?? name}`, `-kernel id = ${id}`, `-grid dim = (${ctas},1,1)`, `-block dim = (${32 * warps},1,1)`,
    '-shmem = 128', '-nregs = 24', `-binary version = ${change.sm ?? 70}`, '-cuda stream id = 0', '-shmem base_addr = 0x00007e0000000000',
    '-local mem base_addr = 0x00007e1000000000', '-nvbit version = none', '-accelsim tracer version = 4', '',
    '#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]', ''];
  for (let cta = 0; cta < ctas - (change.missing ?? 0); cta++) {
    head.push('#BEGIN_TB', '', `thread block = ${cta},0,0`, '');
    for (let warp = 0; warp < warps; warp++) {
      const lines = [...(change.gmma ? [[0xf0, ALL, '1 R24 HGMMA.64x64x16.F32 2 R4 R8 0 0']] : []), ...bodies[name](cta * warps + warp, turns)];
      head.push(`warp = ${warp}`, `insts = ${lines.length}`, ...lines.map(([pc, mask, text]) => `${hex(pc, 4)} ${hex(mask, 8)} ${text}`), '');
    }
    head.push('#END_TB', '');
  }
  return head.join('\n');
}

/** Writes a .tar.zst of `launches` launches, with their kernel list, at `path`. changes: of single launches, as of kernelText. */
export function writeTextTraces(path, launches, changes = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'vivace-text-traces-'));
  const list = ['MemcpyHtoD,0x00007f0000000000,65536'];
  try {
    mkdirSync(join(folder, 'traces'));
    for (let i = 0; i < launches; i++) {
      const name = Object.keys(bodies)[i % 3];
      writeFileSync(join(folder, 'traces', `kernel-${i + 1}.traceg`), kernelText(i + 1, name, 2 + i % 4, 2 + i % 2 * 2, 3 + i % 7, changes[i] ?? {}));
      list.push(`kernel-${i + 1}.traceg`);
    }
    writeFileSync(join(folder, 'traces', 'kernelslist.g'), `${list.join('\n')}\n`);
    execFileSync('tar', ['--zstd', '-C', folder, '-cf', path, 'traces']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
