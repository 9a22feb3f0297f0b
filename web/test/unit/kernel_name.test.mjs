// Labels of kernel names: the part that distinguishes kernels is kept. The names are those of real profiles.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cut, DISTINCT_MAX, distinctNames, NAME_LENGTH, shorten } from '../../ui/kernel_name.js';

const ADD = 'void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>)';
const COPY = 'void at::native::elementwise_kernel<(int)128, (int)4, void at::native::gpu_kernel_impl_nocast<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase &)::[lambda() (instance 3)]::operator ()() const::[lambda() (instance 12)]::operator ()() const::[lambda(c10::BFloat16) (instance 1)]>(at::TensorIteratorBase &, const T1 &)::[lambda(int) (instance 1)]>(int, T3)';
const FLASH = 'void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<(int)128, (int)128, (int)64, (int)4, (bool)0, (bool)0, cutlass::bfloat16_t, Flash_kernel_traits<(int)128, (int)128, (int)64, (int)4, cutlass::bfloat16_t>>, (bool)0, (bool)1>(flash::Flash_fwd_params)';

test('return type, namespaces and common template arguments are removed; functor and data type stay', () => {
  for (const [name, label] of [
    [ADD, 'vectorized_elementwise_kernel<CUDAFunctor_add<float>>'],
    [COPY, 'elementwise_kernel<direct_copy_kernel_cuda BFloat16>'],
    [FLASH, 'flash_fwd_kernel<bfloat16_t>'],
    ['void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float>, unsigned int, float, 4> >(at::native::ReduceOp<float, at::native::MeanOps<float, float>, unsigned int, float, 4>)', 'reduce_kernel<ReduceOp<MeanOps<float>>>'],
    ['void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, true>(float*, float const*, int, int, int)', 'softmax_warp_forward<float>'],
    ['saxpy(double *, double *, int)', 'saxpy'], ['volta_sgemm_64x64_nn', 'volta_sgemm_64x64_nn'], ['', 'several kernels'],
  ]) assert.equal(shorten(name, 90), label);
});

test('with little room the kernel is shortened before its functor', () => {
  assert.equal(shorten(ADD, 40), 'vectorized_elem…<CUDAFunctor_add<float>>');
  for (const name of [ADD, COPY, FLASH]) for (const most of [16, 26, 44]) assert.ok(Array.from(shorten(name, most)).length <= most);
});

test('a name that is not a signature is kept', () => {
  for (const name of ['rms_norm', 'operator<<', '<<<', ')))((', 'foo(((', 'kernel of ours', '_ZN2at6native3addEv']) assert.equal(shorten(name), name);
});

test('equal labels get distinguishing parts: arguments, scope, parameters, finally a number', () => {
  const labels = (/** @type {string[]} */ ...names) => [...distinctNames(names).values()];
  assert.deepEqual(labels('void wgrad<float, 128, 5, 5>(int)', 'void wgrad<float, 128, 6, 7>(int)'), ['wgrad<float> [5]', 'wgrad<float> [6]']);
  assert.deepEqual(labels('a::copy(int)', 'b::copy(int)'), ['copy in a', 'copy in b']);
  assert.deepEqual(labels('copy(int)', 'copy(long)'), ['copy (int)', 'copy (long)']);
  assert.deepEqual(labels('int copy(int)', 'void copy(int)'), ['copy #1', 'copy #2']);
  assert.deepEqual(distinctNames(['b', 'a', 'b']), distinctNames(['a', 'b']), 'their order does not matter');
  const long = ['a', 'b'].map((x) => `${'x'.repeat(40)}${x}${'y'.repeat(40)}`);
  assert.equal(new Set(distinctNames(long).values()).size, 2);
});

test('each of very many kernels has its label on request', () => {
  const names = Array.from({ length: DISTINCT_MAX + 1 }, (_, i) => `void ns::k${i}<float>(int)`), labels = distinctNames(names);
  assert.deepEqual([labels.size, labels.get(names[7]), labels.get(names.at(-1))], [0, 'k7<float>', `k${DISTINCT_MAX}<float>`]);
});

const SHARED = new URL('../../../../shared/data/', import.meta.url).pathname;
for (const file of ['nsys/h100x2-2026.2.sqlite', 'nsys/rtx3080-2026.1.sqlite', 'nsys/saxpy-a100-2022.2.sqlite', 'kineto/resnet50-v100.json.gz', 'kineto/train-v100-ns.json.gz', 'kineto/alexnet-a100.json.gz', 'traces/pytorch-sgd-v100.tar.zst']) {
  test(`every kernel of ${file} has a unique label`, { skip: !existsSync(SHARED + file) && `no ${file} beside the project` }, () => {
    const { top_kernels: top } = JSON.parse(execFileSync(join(process.env.VIVACE_BUILD ?? 'build', 'vivace'), ['inspect', SHARED + file, '--json', '--top', '100000'], { encoding: 'utf8', maxBuffer: 1 << 26 }));
    const names = [...new Set(top.map((/** @type {any} */ k) => k.kernel))];
    assert.ok(names.length > 0);
    for (const most of [16, 26, 36, NAME_LENGTH, 60]) {
      const labels = [...distinctNames(names, most).values()];
      assert.equal(new Set(labels).size, names.length, `${most} characters`);
      assert.ok(labels.every((l) => Array.from(l).length <= most), labels.filter((l) => Array.from(l).length > most).join(', '));
    }
  });
}

test('a cut keeps both ends, and whole characters', () => {
  assert.equal(cut('abcdefghijklmnopqrst', 11), 'abcdef…qrst');
  const short = cut('😀'.repeat(60), 11);
  assert.equal(Array.from(short).length, 11);
  assert.ok(!/[\ud800-\udbff](?![\udc00-\udfff])/.test(short), 'no half of a pair is left');
});
