// lib.js: the only module that imports the user interface libraries.
import { cloneElement, createRef, Fragment, h, isValidElement, render } from '../vendor/preact.js';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../vendor/hooks.js';
import htm from '../vendor/htm.js';
import { batch, computed, effect, signal } from '../vendor/signals.js';

/** Static parts of a template are created again each time too: a cached one keeps a reference to its first page (`anew`). */
export const html = htm.bind(/** @this {number[]} @param {Parameters<typeof h>} given */ function make(...given) {
  this[0] = 3; // htm's flag "dynamic": disables its cache
  return h(...given);
});
/** Clones a virtual node stored in a constant before it is rendered again: a rendered node references its parents, and
 * with them the old page.
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
/** The type of a component's children. @typedef {import('../vendor/preact.js').ComponentChildren} Children */
