// amount.js: the colour scale of amounts, uniform in lightness from dark to bright, equal in both themes. Pure.

export const AMOUNT = ['#140e36', '#232864', '#1d4b82', '#07718f', '#14938d', '#48b289', '#87cc78', '#d1df68', '#fbf4ad'];
const STOPS = AMOUNT.map((c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16)));
const STEPS = 256;

/** 256 colours as pixels of ImageData: red in the lowest byte. */
export const amountPixels = Uint32Array.from({ length: STEPS }, (_, i) => {
  const x = (i / (STEPS - 1)) * (STOPS.length - 1);
  const k = Math.min(STOPS.length - 2, Math.floor(x));
  const [r, g, b] = STOPS[k].map((from, j) => Math.round(from + (STOPS[k + 1][j] - from) * (x - k)));
  return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
});

/** Index of a value on the scale that ends at `most`. @param {number} v @param {number} most */
export const amountIndex = (v, most) => Math.max(0, Math.min(STEPS - 1, Math.round((v / most) * (STEPS - 1))));
