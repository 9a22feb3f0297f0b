// A made PyTorch profile with modules: ten steps of three blocks, each with twelve kernels of two names.

const STEPS = 10, BLOCKS = 3, KERNELS = 12;

export const LAUNCHES_OF_BLOCK = KERNELS, LAUNCHES_OF_STEP = BLOCKS * KERNELS;

/** The bytes of the file. */
export function moduleProfile() {
  const events = [];
  let at = 1000, id = 1;
  const cpu = (cat, name, ts, dur, args = {}) => events.push({ ph: 'X', cat, name, ts, dur, pid: 9, tid: 9, args });
  for (let step = 0; step < STEPS; step++) {
    const begin = at;
    for (let block = 0; block < BLOCKS; block++) {
      const from = at;
      for (let k = 0; k < KERNELS; k++, id++, at += 10) {
        cpu('cuda_runtime', 'cudaLaunchKernel', at, 2, { correlation: id });
        events.push({
          ph: 'X', cat: 'kernel', name: k % 2 ? 'sgemm_128x64_nn' : 'elementwise_kernel', ts: at + 5, dur: (k % 2 ? 8 : 3) + (2 - block) + ((id * 7) % 5) / 10, pid: 0, tid: 7,
          args: { stream: 7, device: 0, correlation: id, grid: [8, 1, 1], block: [128, 1, 1] },
        });
      }
      cpu('python_function', `nn.Module: Block_${block}`, from - 1, at - from);
    }
    cpu('python_function', 'nn.Module: GPT_0', begin - 2, at - begin + 2);
    cpu('user_annotation', `ProfilerStep#${step}`, begin - 3, at - begin + 5);
    at += 20;
  }
  return Buffer.from(JSON.stringify({ schemaVersion: 1, deviceProperties: [{ id: 0, name: 'Tesla V100-SXM2-16GB' }], traceEvents: events }));
}
