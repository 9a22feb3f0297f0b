// lib.js: the one module that imports the user interface libraries.
import { cloneElement, createRef, Fragment, h, isValidElement, render } from '../vendor/preact.js';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../vendor/hooks.js';
import htm from '../vendor/htm.js';
import { batch, computed, effect, signal } from '../vendor/signals.js';

/** Parts without values are made anew each time, too: one that is kept holds on to the page that it was first drawn into (`anew`). */
export const html = htm.bind(/** @this {number[]} @param {Parameters<typeof h>} given */ function make(...given) {
  this[0] = 3; // what htm calls dynamic: not to be kept
  return h(...given);
});
/** Something drawn that is kept in a constant, to be drawn once more: what is drawn itself knows its parents, and these all that was there before.
 * @param {Children} drawn @returns {Children} */
export function anew(drawn) {
  if (Array.isArray(drawn)) return drawn.map(anew);
  return isValidElement(drawn) ? cloneElement(drawn) : drawn;
}
export {
  batch, computed, createRef, effect, Fragment, render, signal,
  useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState,
};
/** @typedef {import('../vendor/preact.js').VNode<any>} VNode */
/** What a component may be given between its tags. @typedef {import('../vendor/preact.js').ComponentChildren} Children */
