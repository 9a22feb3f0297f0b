// tests/api/seeded.mjs: random numbers from a seed, so that a failure can be reproduced.

/** Numbers in [0, 1), always the same ones for a seed (Park and Miller's minimal standard generator). */
export function numbers(from) {
  let x = (from * 7919) % 2147483647 || 1;
  const next = () => (x = (x * 48271) % 2147483647) / 2147483647;
  next(); // the first number of a small seed is small
  return next;
}

export const between = (next, least, most) => least + (most - least) * next();
export const one = (next, list) => list[Math.floor(next() * list.length)];

/** One of [weight, thing] pairs. */
export function weighted(next, pairs) {
  let left = next() * pairs.reduce((sum, [weight]) => sum + weight, 0);
  return pairs.find(([weight]) => (left -= weight) < 0)[1];
}
