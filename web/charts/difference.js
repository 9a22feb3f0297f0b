// difference.js: the colour scale for values below, equal to and above the baseline; equal in both themes. Pure.

const SCALE = ['#184687', '#2f74bb', '#73abda', '#bad5e9', '#f4f3f0', '#f1cdab', '#e89960', '#c65d26', '#8b3111'];


/** Background and text colour of a cell. @param {number} value @param {number} most the value of the last colour */
export function differenceColors(value, most) {
  const at = Math.round(4 + 4 * Math.max(-1, Math.min(1, most > 0 ? value / most : 0)));
  return { background: SCALE[at], color: at < 2 || at > 6 ? '#ffffff' : '#1b1f24' };
}
