// npy.js: parser of NumPy files (version 1.0, little-endian float32, C order). Pure.

/** @param {ArrayBuffer} buffer @returns {{ shape: number[], values: Float32Array }} */
export function npy(buffer) {
  const head = new DataView(buffer);
  const magic = String.fromCharCode(...new Uint8Array(buffer, 0, Math.min(6, buffer.byteLength)));
  if (magic !== '\x93NUMPY' || head.getUint8(6) !== 1) throw new Error('The answer is no .npy file of version 1.');
  const length = head.getUint16(8, true);
  const header = new TextDecoder('latin1').decode(new Uint8Array(buffer, 10, length));
  if (!header.includes("'descr': '<f4'") || !header.includes("'fortran_order': False")) throw new Error('The .npy file holds other numbers than float32 in C order.');
  const shape = (/'shape': \(([^)]*)\)/.exec(header)?.[1] ?? '').split(',').map((x) => x.trim()).filter(Boolean).map(Number);
  const n = shape.reduce((a, b) => a * b, 1);
  if (buffer.byteLength !== 10 + length + 4 * n) throw new Error('The .npy file ends too early.');
  return { shape, values: new Float32Array(buffer, 10 + length, n) };
}
