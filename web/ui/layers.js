// layers.js: the stack of open layers: dialogs, menus, pinned readings, a selection. The newest is on top. This file
// alone handles Escape and clicks outside a layer. Each press of Escape closes the top layer.
import { useLayoutEffect, useRef } from './lib.js';

/** `element`: a click outside it closes the layer; a layer without it is closed by Escape only. `modal`: the page
 * below gets no keys; a click outside has the element itself (the dialog's backdrop) as target.
 * @typedef {{ close: () => void, element?: () => Element|null, modal?: boolean }} Layer */

/** The last one is on top. @type {Layer[]} */
let layers = [];
/** The modal layer whose backdrop the pointer was pressed on. @type {Layer|null} */
let pressed = null;
let listening = false;

/** Whether key bindings of the page are disabled. */
export const isModal = () => layers.some((l) => l.modal);

export function closeTop() {
  layers.at(-1)?.close();
}

/** Escape first clears a search field, before it closes a layer. @param {KeyboardEvent} e @param {Layer} top */
const clearsField = (e, top) => !top.modal && e.target instanceof HTMLInputElement && e.target.type === 'search' && e.target.value !== '';

/** @param {KeyboardEvent} e */
function onKeyDown(e) {
  const top = layers.at(-1);
  if (e.key !== 'Escape' || e.isComposing || !top || clearsField(e, top)) return;
  e.preventDefault(); // the browser closes a dialog otherwise
  e.stopPropagation();
  if (!e.repeat) top.close(); // key repeat closes one layer, not all
}

/** Menus close on a click elsewhere, and that click keeps its own effect. @param {PointerEvent} e */
function onPointerDown(e) {
  pressed = null;
  let closed = false;
  for (const layer of [...layers].reverse()) {
    if (layer.modal) {
      if (!closed && layer.element?.() === e.target) pressed = layer;
      return;
    }
    if (!layer.element || (e.target instanceof Node && layer.element()?.contains(e.target))) continue;
    layer.close();
    closed = true;
  }
}

/** A dialog closes if the pointer was pressed and released on its backdrop; a text selection may end there without closing. @param {MouseEvent} e */
function onClick(e) {
  if (pressed && pressed === layers.at(-1) && pressed.element?.() === e.target) pressed.close();
  pressed = null;
}

/** Puts a layer on top. @param {Layer} layer @returns {() => void} takes it away; the caller calls it when the layer is closed */
export function openLayer(layer) {
  if (!listening) {
    document.addEventListener('keydown', onKeyDown, true);
    document.addEventListener('pointerdown', onPointerDown, true);
    document.addEventListener('click', onClick, true);
  }
  listening = true;
  layers.push(layer);
  return () => { layers = layers.filter((l) => l !== layer); };
}

/** A layer while `open`. It is registered before the browser handles the next key. @param {boolean} open @param {Layer} layer */
export function useLayer(open, layer) {
  const latest = useRef(layer);
  latest.current = layer;
  useLayoutEffect(() => (open ? openLayer({
    modal: layer.modal,
    close: () => latest.current.close(),
    ...(layer.element ? { element: () => latest.current.element?.() ?? null } : {}),
  }) : undefined), [open]);
}
