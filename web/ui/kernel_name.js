// kernel_name.js: short labels of kernel names. Pure. Parts that kernels of one library share are removed: return
// type, namespaces, parameters, common template arguments. Name, functor and data type of a kernel are kept.

/** Label of a stratum of several kernels, which has no kernel name. */
const SEVERAL = 'several kernels';
/** Maximum length of a kernel name in a table. */
export const NAME_LENGTH = 44;

/** A part of a name: `direct_copy<float>(int)::λ3` has two. `args`: null without template arguments.
 * @typedef {{ name: string, args: Part[][]|null, params: string }} Part */

/** Arguments that describe memory access, not the computation: PyTorch, ATen/native/cuda/CUDALoops.cuh, MemoryAccess.cuh. */
const COMMON = /^(?:array|Array|(?:Trivial)?OffsetCalculator|(?:Load|Store)With(?:out)?Cast|TensorListMetadata)$/;
/** Wrappers of the functor or the data type without further information. */
const WRAPPER = /^(?:gpu_kernel_impl(?:_nocast)?|func_wrapper_t|\w*[tT]raits)$/;
const NUMBER = /^-?\d+(?:u|l|ul)?$|^(?:true|false)$/;
const BUILT_IN = /^(?:(?:unsigned|signed) )?(?:char|short|int|long long|long|float|double|bool|void)\d?$/;
const LAMBDA = /^λ/;

/** @param {string} text @param {string} separator @returns {string[]} at depth 0 */
function split(text, separator) {
  const parts = [];
  let depth = 0, from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if ('<([{'.includes(c)) depth += 1;
    else if ('>)]}'.includes(c)) depth -= 1;
    else if (depth === 0 && text.startsWith(separator, i)) {
      parts.push(text.slice(from, i));
      from = i + separator.length;
    }
  }
  return [...parts, text.slice(from)].map((p) => p.trim());
}

/** Index of the bracket that closes the one at `from`. @param {string} text @param {number} from */
function closing(text, from) {
  for (let i = from, depth = 0; i < text.length; i++) {
    if ('<([{'.includes(text[i])) depth += 1;
    else if ('>)]}'.includes(text[i]) && --depth === 0) return i;
  }
  return text.length - 1;
}

const INNER = '(?:[^()]|\\([^()]*\\))*';
/** Of Nsight Systems: `[lambda(float) (instance 2)]`; of Kineto: `{lambda(float)#2}`. Both become `λ2 float`. */
const LAMBDAS = [new RegExp(`\\[lambda\\((${INNER})\\) \\(instance (\\d+)\\)\\]`, 'g'), new RegExp(`\\{lambda\\((${INNER})\\)#(\\d+)\\}`, 'g')];

/** Converts the notations of different tools to one. @param {string} name */
function normal(name) {
  let text = name.replace(/\(anonymous namespace\)::|<unnamed>::|\{anonymous\}::/g, '').replace(new RegExp(`::operator ?\\(\\)\\(${INNER}\\)(?: const)?`, 'g'), '');
  for (const form of LAMBDAS) text = text.replace(form, (_, types, n) => `λ${n}${types ? `·${types.replace(/\w+::/g, '').replace(/[<>,()&*]/g, '').trim()}` : ''}`);
  return text.replace(/\((?:bool|int|unsigned int|long|unsigned long|unsigned char|char|short|\w+_t)\)(?=-?\d)/g, '');
}

/** @param {string} text normal @returns {Part[]} */
function parse(text) {
  const call = split(text, '(').length > 1 || /^[^<]*\(/.test(text) || /^(?:void|static) /.test(text);
  const words = call ? split(callHead(text), ' ') : [];
  const plain = words.length > 1 ? text.slice(callHead(text).length - words[words.length - 1].length) : text;
  return split(plain, '::').map((piece) => {
    const open = /[<(]/.exec(piece)?.index ?? piece.length;
    let at = open, params = '';
    /** @type {Part[][]|null} */
    let args = null;
    if (piece[at] === '<') {
      const end = closing(piece, at);
      args = split(piece.slice(at + 1, end), ',').filter(Boolean).map(parse);
      at = end + 1;
    }
    if (piece[at] === '(') params = piece.slice(at, closing(piece, at) + 1);
    return { name: piece.slice(0, open).trim(), args, params };
  });
}

/** The part before the parameters. @param {string} text */
function callHead(text) {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(' && depth === 0) return text.slice(0, i);
    if (text[i] === '<') depth += 1;
    else if (text[i] === '>') depth -= 1;
  }
  return text;
}

/** The part with the function's name, and its lambdas. @param {Part[]} parts @returns {{ part: Part, lambdas: string[] }} */
function main(parts) {
  const named = parts.filter((p) => !LAMBDA.test(p.name));
  return { part: named.at(-1) ?? parts[parts.length - 1], lambdas: named.length ? parts.slice(parts.lastIndexOf(/** @type {Part} */ (named.at(-1))) + 1).map((p) => p.name) : [] };
}

const bare = (/** @type {string} */ type) => type.replace(/\bconst\b|[*&]|\w+::/g, '').trim();
const isType = (/** @type {string} */ text) => BUILT_IN.test(bare(text)) || /^(?:\w*(?:half|Half|bfloat16|BFloat16|tfloat32|float_e\dm\d)\w*)$/.test(bare(text));

/** The functors and data types of these arguments. @param {Part[][]|null} args @returns {{ functors: string[], types: string[] }} */
function said(args) {
  /** @type {string[]} */
  const functors = [], /** @type {string[]} */ types = [];
  for (const arg of args ?? []) {
    const { part, lambdas } = main(arg);
    if (NUMBER.test(part.name) || COMMON.test(part.name) || part.name === '' || /^T\d+$/.test(bare(part.name))) continue;
    if (isType(part.name)) {
      if (!/[*&]/.test(part.name)) types.push(bare(part.name));
    } else if (WRAPPER.test(part.name)) {
      const inner = said(part.args);
      functors.push(...inner.functors);
      types.push(...inner.types);
    } else functors.push(shortOf(part, lambdas));
  }
  return { functors: [...new Set(functors)], types: [...new Set(types)] };
}

/** @param {Part} part @param {string[]} lambdas */
function shortOf(part, lambdas) {
  const { functors, types } = said(part.args);
  const inner = functors.length ? functors : types;
  const type = lambdas.at(-1)?.split('·')[1];
  return `${part.name}${inner.length ? `<${inner.join(', ')}>` : ''}${type ? ` ${type}` : ''}`;
}

/** The complete name without namespaces. @param {Part[]} parts @returns {string} */
function wholeOf(parts) {
  const { part, lambdas } = main(parts);
  return `${part.name}${part.args?.length ? `<${part.args.map(wholeOf).join(', ')}>` : ''}${lambdas.length ? ` ${lambdas.join('.')}` : ''}`;
}

/** Keeps beginning and end. Whole characters (code points) stay whole. @param {string} text @param {number} most */
export function cut(text, most) {
  const all = Array.from(text);
  if (all.length <= most) return text;
  const tail = Math.floor((most - 1) * 0.4);
  return `${all.slice(0, most - 1 - tail).join('')}…${all.slice(all.length - tail).join('')}`;
}

/** Shortens the kernel's own name before its functor. @param {string} label @param {number} most */
function cutLabel(label, most) {
  const open = label.search(/[< ]/), length = Array.from(label).length;
  if (open <= HEAD_MIN || length <= most) return cut(label, most);
  const tail = cut(label.slice(open), most - HEAD_MIN - 1);
  return `${label.slice(0, most - Array.from(tail).length - 1)}…${tail}`;
}
/** Minimum number of characters of a kernel's own name. */
const HEAD_MIN = 8;

/** Template arguments, parameters or a scope make a C++ signature, if its brackets match; any other name is kept. @param {string} name */
function isSignature(name) {
  let depth = 0;
  for (const c of name) {
    if ('<([{'.includes(c)) depth += 1;
    else if ('>)]}'.includes(c)) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0 && /[<(]|::/.test(name);
}

/** @param {string} name */
function labelOf(name) {
  if (!isSignature(name)) return name || SEVERAL;
  const { part, lambdas } = main(parse(normal(name)));
  return shortOf(part, lambdas) || name;
}

/** The label of one kernel. An empty name means several kernels. @param {string} name @param {number} [most] characters */
export const shorten = (name, most = NAME_LENGTH) => cutLabel(labelOf(name), most);

/** Maximum number of kernels for distinct labels. For more kernels the comparison is too slow; labels are then made on
 * display, and two may be equal. */
export const DISTINCT_MAX = 2000;
/** @extends {Map<string, string>} */
class Each extends Map {
  /** @param {number} most */
  constructor(most) {
    super();
    this.most = most;
  }

  /** @param {string} name @returns {string} */
  get(name) { return shorten(name, this.most); }
}

/** Labels of kernels that are shown together; distinct for up to DISTINCT_MAX kernels. Equal labels are extended by
 * template arguments, namespaces or parameters, at last by a number. The same list gives the same labels.
 * @param {Iterable<string>} names @param {number} [most] characters @returns {Map<string, string>} name → label */
export function distinctNames(names, most = NAME_LENGTH) {
  const given = new Set(names);
  if (given.size > DISTINCT_MAX) return new Each(most);
  const all = [...given].sort();
  /** @type {Map<string, string>} */
  const labels = new Map(all.map((n) => [n, labelOf(n)]));
  for (const group of equalOnes(labels)) apart(group, labels);
  /** @type {Map<string, string>} */
  const shown = new Map(all.map((n) => [n, cutLabel(/** @type {string} */ (labels.get(n)), most)]));
  for (const group of equalOnes(shown)) cutApart(group, labels, shown, most);
  return shown;
}

/** Names that share a label. @param {Map<string, string>} labels @returns {string[][]} */
function equalOnes(labels) {
  /** @type {Map<string, string[]>} */
  const by = new Map();
  for (const [name, label] of labels) by.set(label, [...(by.get(label) ?? []), name]);
  return [...by.values()].filter((g) => g.length > 1);
}

const distinct = (/** @type {string[]} */ list) => new Set(list).size === list.length;

/** @param {string[]} group @param {Map<string, string>} labels */
function apart(group, labels) {
  const parts = group.map((n) => parse(normal(n)));
  const given = parts.map((p) => main(p).part.args ?? []);
  const width = Math.max(...given.map((a) => a.length));
  // An argument's name is enough if the names differ.
  const named = Array.from({ length: width }, (_, i) => new Set(given.map((a) => (a[i] ? main(a[i]).part.name : ''))).size > 1);
  const args = given.map((a) => a.map((x, i) => (named[i] ? main(x).part.name : wholeOf(x))));
  const length = (/** @type {number} */ i) => Math.max(...args.map((a) => (a[i] ?? '').length));
  const differing = Array.from({ length: width }, (_, i) => i).filter((i) => new Set(args.map((a) => a[i] ?? '')).size > 1).sort((a, b) => length(a) - length(b) || a - b);
  /** @type {number[]} */
  const used = [];
  const kinds = (/** @type {number[]} */ of) => new Set(args.map((a) => of.map((i) => a[i] ?? '').join())).size;
  for (const i of differing) if (kinds([...used, i]) > kinds(used)) used.push(i);
  used.sort((a, b) => a - b);
  const scopes = parts.map((p) => p.slice(0, p.indexOf(main(p).part)).map((x) => x.name).join('::'));
  const adds = [
    used.length ? args.map((a) => ` [${used.map((i) => a[i] ?? '').join(', ')}]`) : null,
    scopes.map((s) => (s ? ` in ${s}` : '')), parts.map((p) => ` ${main(p).part.params}`),
  ];
  let made = group.map((n) => /** @type {string} */ (labels.get(n)));
  for (const add of adds) {
    if (distinct(made)) break;
    if (add && new Set(add).size > 1) made = made.map((m, i) => m + add[i]);
  }
  group.forEach((n, i) => labels.set(n, numbered(made, i)));
}

/** @param {string[]} list @param {number} i */
const numbered = (list, i) => (list.filter((m) => m === list[i]).length === 1 ? list[i] : `${list[i]} #${list.slice(0, i + 1).filter((m) => m === list[i]).length}`);

/** Labels that are equal after shortening: the cut moves to the part that they share; a number is the last resort.
 * @param {string[]} group @param {Map<string, string>} labels @param {Map<string, string>} shown @param {number} most
 */
function cutApart(group, labels, shown, most) {
  const whole = group.map((n) => Array.from(/** @type {string} */ (labels.get(n))));
  let same = 0;
  while (whole.every((w) => w[same] !== undefined && w[same] === whole[0][same])) same += 1;
  const head = Math.floor(most / 3);
  const made = whole.map((w) => `${w.slice(0, head).join('')}…${w.slice(Math.max(head, same - 2)).join('').slice(0, most - head - 1)}`);
  const others = new Set([...shown].filter(([n]) => !group.includes(n)).map(([, label]) => label));
  const free = distinct(made) && !made.some((m) => others.has(m));
  group.forEach((n, i) => shown.set(n, free ? made[i] : `${cutLabel(whole[i].join(''), most - 4)} #${i + 1}`));
}
