// lib.js: the one module that imports the user interface libraries.
import { createRef, Fragment, h, render } from '../vendor/preact.js';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../vendor/hooks.js';
import htm from '../vendor/htm.js';
import { batch, computed, effect, signal } from '../vendor/signals.js';

export const html = htm.bind(h);
export {
  batch, computed, createRef, effect, Fragment, render, signal,
  useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState,
};
/** @typedef {import('../vendor/preact.js').VNode<any>} VNode */
/** What a component may be given between its tags. @typedef {import('../vendor/preact.js').ComponentChildren} Children */
