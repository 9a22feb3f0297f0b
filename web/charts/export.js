// export.js: a picture taken away: SVG that needs no other file, PNG, CSV, each with where it is from.

const NS = 'http://www.w3.org/2000/svg';
const PAINT = ['fill', 'stroke', 'color'];

/** Version of the program, date and address go with each picture. @param {string} caption */
export function originOf(caption) {
  const program = document.querySelector('meta[name=generator]')?.getAttribute('content') ?? 'vivace';
  return `${caption} · ${program} · ${new Date().toISOString().slice(0, 10)} · ${location.href}`;
}

/** The line that reads the same data into a notebook. @param {string} path of the API, with format=csv */
export function pandasLine(path) {
  const address = JSON.stringify(new URL(path, location.href).href);
  return `import os, pandas; data = pandas.read_csv(${address}, storage_options={"Authorization": "Bearer " + os.environ["VIVACE_TOKEN"]})`;
}

/** The SVG with its colours resolved, the ground painted and the caption below. @param {SVGSVGElement} svg @param {string} caption */
export function svgText(svg, caption) {
  const clone = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const from = [svg, ...svg.querySelectorAll('*')];
  const to = [clone, ...clone.querySelectorAll('*')];
  from.forEach((el, i) => {
    const style = getComputedStyle(el);
    to[i].removeAttribute('style'); // the content policy holds for a picture that is drawn from a blob, too
    for (const name of PAINT) {
      if ((el.getAttribute(name) ?? '').includes('var(') || /** @type {SVGElement} */ (el).style.getPropertyValue(name).includes('var(')) to[i].setAttribute(name, style.getPropertyValue(name));
    }
  });
  const root = getComputedStyle(document.documentElement);
  const ink = getComputedStyle(svg);
  const width = Number(svg.getAttribute('width'));
  const height = Number(svg.getAttribute('height'));
  const lines = wrap(caption, Math.floor(width / 5.6));
  const whole = height + 10 + lines.length * 14;
  clone.removeAttribute('aria-hidden');
  clone.setAttribute('xmlns', NS);
  clone.setAttribute('viewBox', `0 0 ${width} ${whole}`);
  clone.setAttribute('height', String(whole));
  clone.setAttribute('font-family', ink.fontFamily);
  clone.setAttribute('color', ink.color);
  clone.setAttribute('xml:space', 'preserve');
  const ground = document.createElementNS(NS, 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', root.getPropertyValue('--panel').trim());
  clone.prepend(ground);
  lines.forEach((line, i) => {
    const text = document.createElementNS(NS, 'text');
    text.setAttribute('x', '4');
    text.setAttribute('y', String(height + 14 + i * 14));
    text.setAttribute('font-size', '10');
    text.setAttribute('text-anchor', 'start'); // Plot's own texts are centred, and the root says so
    text.setAttribute('fill', root.getPropertyValue('--ink-2').trim());
    text.textContent = line;
    clone.append(text);
  });
  return new XMLSerializer().serializeToString(clone);
}

/** @param {string} text @param {number} most characters a line */
function wrap(text, most) {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (lines[lines.length - 1].length + word.length > most && lines[lines.length - 1]) lines.push('');
    lines[lines.length - 1] += (lines[lines.length - 1] ? ' ' : '') + word;
  }
  return lines;
}

/** At twice its size, for paper and slides. @param {string} svg @returns {Promise<Blob>} */
export async function pngBlob(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * 2;
    canvas.height = image.naturalHeight * 2;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((b) => (b ? resolve(b) : reject(new Error('The browser could not make the picture.')))));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}
