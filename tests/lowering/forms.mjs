// tests/lowering/forms.mjs BUILD: compares the number of instructions of single PTX operations: from our lowering and from
// ptxas. Prints those that differ by one or more.
// It needs ptxas on the path. Two kernels are compiled, with two and with four times the same operation (forms.txt). The
// difference, without loads and stores, is the operation's number of instructions. Operands differ between lanes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const compare = resolve(process.argv[2] ?? 'build', 'lowering/compare');
const register = { f32: 'f', f64: 'd', u32: 'r', s32: 'r', b32: 'r', f16x2: 'r', bf16x2: 'r', u64: 'l', s64: 'l', b64: 'l', u16: 'h', s16: 'h', b16: 'h', f16: 'h', bf16: 'h' };
const memory = { f16x2: 'b32', bf16x2: 'b32', f16: 'b16', bf16: 'b16' };
const head = (arch) => `.version 9.0\n.target sm_${arch}\n.address_size 64\n`;

/** A kernel with `count` of this operation. */
function kernel({ opcode, result, operands }, count) {
  const name = (type, k) => `%${register[type]}${10 + k}`, body = [];
  const loaded = operands.map((type, j) => ({ type, j })).filter(({ type }) => !type.startsWith('#'));
  for (let k = 0; k < count; k++)
    for (const { type, j } of loaded)
      body.push(`ld.global.${memory[type] ?? type} ${name(type, 8 * k + j)}, [%l0+${32 * k + 8 * j}];`);
  for (let k = 0; k < count; k++)
    body.push(`${opcode} ${name(result, 8 * k + 7)}, ${operands.map((type, j) => (type.startsWith('#') ? type.slice(1) : name(type, 8 * k + j))).join(', ')};`);
  for (let k = 0; k < count; k++)
    body.push(`st.global.${memory[result] ?? result} [%l1+${8 * k}], ${name(result, 8 * k + 7)};`);
  return `.visible .entry k${count}(.param .u64 a${count}, .param .u64 b${count}) {
    .reg .b16 %h<50>; .reg .b32 %r<50>; .reg .b64 %l<50>; .reg .f32 %f<50>; .reg .f64 %d<50>;
    ld.param.u64 %l0, [a${count}]; ld.param.u64 %l1, [b${count}]; mov.u32 %r1, %tid.x;
    cvta.to.global.u64 %l0, %l0; cvta.to.global.u64 %l1, %l1; mad.wide.u32 %l0, %r1, 512, %l0; mad.wide.u32 %l1, %r1, 512, %l1;
    ${body.join('\n    ')}
    ret;
}\n`;
}

const forms = readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'forms.txt'), 'utf8').split('\n')
  .filter((line) => line && !line.startsWith('# ')).map((line) => line.split(' '))
  .map(([opcode, result, ...operands]) => ({ opcode, result, operands, text: [opcode, ...operands].join(' ') }));
const work = mkdtempSync(join(tmpdir(), 'forms-'));
try {
  for (const arch of [75, 86, 90]) {
    let rows = execFileSync(compare, ['--head'], { encoding: 'utf8' });
    for (const [i, form] of forms.entries()) {
      const file = `${i}_${arch}.ptx`;
      writeFileSync(join(work, file), head(arch) + kernel(form, 2) + kernel(form, 4));
      try {
        execFileSync('ptxas', [`-arch=sm_${arch}`, '-o', 'k.cubin', file], { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] });
      } catch (e) {
        if (e.code === 'ENOENT') throw new Error('ptxas is not on the path: this needs the CUDA toolkit');
        continue; // the architecture has no such instruction
      }
      rows += execFileSync(compare, ['--record', String(arch), file, 'k.cubin'], { cwd: work, encoding: 'utf8' });
    }
    writeFileSync(join(work, 'rows.csv'), rows);
    const counts = new Map();
    for (const line of execFileSync(compare, ['rows.csv', '--kernels', String(arch)], { cwd: work, encoding: 'utf8' }).trim().split('\n')) {
      const words = line.trim().split(/\s+/);
      counts.set(`${words.at(-1)} ${words[1]}`, { ours: Number(words[2]), ptxas: Number(words[3]) });
    }
    let same = 0, all = 0;
    for (const [i, { text, operands }] of forms.entries()) {
      const few = counts.get(`${i}_${arch}.ptx k2`), many = counts.get(`${i}_${arch}.ptx k4`);
      if (!few) continue;
      const accesses = 1 + operands.filter((type) => !type.startsWith('#')).length;
      const ours = (many.ours - few.ours) / 2 - accesses, ptxas = (many.ptxas - few.ptxas) / 2 - accesses;
      all++;
      if (Math.abs(ours - ptxas) < 1) same++;
      else console.log(`sm_${arch} ${text}: ours ${ours}, ptxas ${ptxas}`);
    }
    console.log(`sm_${arch}: ${same} of ${all} operations have the same number of instructions`);
  }
} finally {
  rmSync(work, { recursive: true });
}
