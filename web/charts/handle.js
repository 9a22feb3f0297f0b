// handle.js: a handle that moves along the marks of a picture from stop to stop, by dragging or arrow keys.

/** @typedef {{ x: number, y: number, datum: any }} Stop in the units of the axes, in the order of arrow keys */

/** @template D
 * @param {HTMLElement} host
 * @param {{ label: string, text: (datum: any) => string, value: (datum: any) => number, onMove: (datum: any) => void }} how
 * @param {(data: D) => { stops: Stop[], at: any }} of `at`: the datum of its current stop; null: there is no handle
 * @returns {{ place: (data: D, svg: any) => void }} */
export function handleOn(host, how, of) {
  const handle = document.createElement('button');
  handle.type = 'button';
  handle.className = 'handle';
  handle.setAttribute('role', 'slider');
  handle.setAttribute('aria-label', how.label);
  /** @type {{ datum: any, x: number, y: number }[]} */
  let stops = [];
  let at = -1;
  let held = false;
  let box = { x0: 0, x1: 0, y0: 0, y1: 0 };

  const to = (/** @type {number} */ i) => {
    if (i === at || !stops[i]) return;
    at = i;
    put();
    how.onMove(stops[i].datum);
  };
  const put = () => {
    const s = stops[at];
    handle.hidden = !s || s.x < box.x0 || s.x > box.x1 || s.y < box.y0 || s.y > box.y1;
    if (handle.hidden) return;
    handle.style.left = `${s.x}px`;
    handle.style.top = `${s.y}px`;
    handle.title = `${how.label} ${how.text(s.datum)}. Drag it along the curve.`;
    const values = stops.map((p) => how.value(p.datum));
    handle.setAttribute('aria-valuemin', String(Math.min(...values)));
    handle.setAttribute('aria-valuemax', String(Math.max(...values)));
    handle.setAttribute('aria-valuenow', String(how.value(s.datum)));
    handle.setAttribute('aria-valuetext', how.text(s.datum));
  };
  handle.addEventListener('pointerdown', (e) => {
    held = true;
    handle.setPointerCapture(e.pointerId);
    e.stopPropagation();
  });
  handle.addEventListener('pointermove', (e) => {
    if (!held) return;
    e.stopPropagation();
    const rect = host.getBoundingClientRect();
    const [x, y] = [e.clientX - rect.left, e.clientY - rect.top];
    const far = stops.map((s) => Math.hypot(s.x - x, s.y - y));
    to(far.indexOf(Math.min(...far)));
  });
  for (const end of ['pointerup', 'pointercancel']) handle.addEventListener(end, () => { held = false; });
  handle.addEventListener('keydown', (e) => {
    const next = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, Home: 0, End: stops.length - 1 }[e.key];
    if (next === undefined) return;
    to(Math.max(0, Math.min(stops.length - 1, next)));
    e.preventDefault();
    e.stopPropagation();
  });
  return {
    place(data, svg) {
      const now = of(data);
      const [x, y] = [svg.scale('x'), svg.scale('y')];
      stops = now.stops.map((s) => ({ datum: s.datum, x: x.apply(s.x), y: y.apply(s.y) }));
      box = { x0: Math.min(...x.range), x1: Math.max(...x.range), y0: Math.min(...y.range), y1: Math.max(...y.range) };
      at = now.stops.findIndex((s) => s.datum === now.at);
      put();
      if (handle.parentElement !== host) host.append(handle);
    },
  };
}
