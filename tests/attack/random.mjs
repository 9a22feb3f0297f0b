// tests/attack/random.mjs: random numbers from a seed: case n of a seed draws the same numbers on every machine.

const mix = (h) => {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

export class Random {
  /** Stream `n` of `seed`. */
  constructor(seed, n) {
    this.key = mix(mix(seed >>> 0) ^ mix(Math.floor(seed / 2 ** 32)) ^ Math.imul(n + 1, 0x9e3779b1));
    this.at = 0;
  }

  u32() {
    return mix(this.key ^ Math.imul(++this.at, 0x85157af5));
  }

  below(n) {
    return this.u32() % n;
  }

  chance(percent) {
    return this.below(100) < percent;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  hex(n) {
    return Array.from({ length: n }, () => this.below(16).toString(16)).join('');
  }

  uuid() {
    return `${this.hex(8)}-${this.hex(4)}-7${this.hex(3)}-8${this.hex(3)}-${this.hex(12)}`;
  }

  bytes(n) {
    return Buffer.from(Array.from({ length: n }, () => this.below(256)));
  }
}
