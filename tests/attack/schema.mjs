// tests/attack/schema.mjs: the part of JSON Schema that the API document uses: checks whether a value is valid, and makes valid
// values.

const isType = {
  object: (v) => v !== null && typeof v === 'object' && !Array.isArray(v),
  array: Array.isArray,
  string: (v) => typeof v === 'string',
  boolean: (v) => typeof v === 'boolean',
  null: (v) => v === null,
  number: (v) => typeof v === 'number',
  integer: (v) => typeof v === 'number' && Number.isInteger(v),
};

const formats = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
};

/** `checked`: keywords that are checked here. `silent`: keywords that do not restrict the value. Any other keyword is an error of the API document. */
const checked = new Set(['$ref', 'type', 'enum', 'const', 'properties', 'required', 'items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf',
  'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems', 'minLength', 'maxLength']);
const silent = new Set(['description', 'default', 'title', 'example', 'examples', 'deprecated', 'contentMediaType']);

export class Schemas {
  constructor(document) {
    this.document = document;
  }

  /** Returns the schema that a $ref names. */
  resolve(schema) {
    while (schema?.$ref) schema = schema.$ref.slice(2).split('/').reduce((at, key) => at[key], this.document);
    return schema ?? {};
  }

  /** Returns a sentence for each place where the value is invalid; an empty list for a valid value. */
  errors(schema, value, at = '') {
    schema = this.resolve(schema);
    const strange = Object.keys(schema).filter((k) => !checked.has(k) && !silent.has(k));
    if (strange.length) return [`${at}: the document uses ${strange.join(', ')}, which this checker does not support`];
    const types = schema.type === undefined ? null : [schema.type].flat();
    if (types && !types.some((t) => isType[t](value))) return [`${at}: ${JSON.stringify(value)?.slice(0, 80)} is not ${types.join(' or ')}`];
    return [...this.#plain(schema, value, at), ...this.#nested(schema, value, at), ...this.#combined(schema, value, at)];
  }

  #plain(schema, value, at) {
    const wrong = [];
    const say = (bad, what) => { if (bad) wrong.push(`${at}: ${JSON.stringify(value)?.slice(0, 80)} ${what}`); };
    say(schema.enum && !schema.enum.includes(value), `is not one of ${schema.enum}`);
    say('const' in schema && value !== schema.const, `is not ${schema.const}`);
    if (typeof value === 'string') {
      say(schema.pattern && !new RegExp(schema.pattern, 'u').test(value), `does not look like ${schema.pattern}`);
      say(formats[schema.format] && !formats[schema.format].test(value), `is no ${schema.format}`);
      say(value.length < (schema.minLength ?? 0) || value.length > (schema.maxLength ?? Infinity), 'has another length');
    }
    if (typeof value === 'number') {
      say(value < schema.minimum || value <= schema.exclusiveMinimum, 'is too small');
      say(value > schema.maximum || value >= schema.exclusiveMaximum, 'is too large');
    }
    if (Array.isArray(value)) say(value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity), 'has another number of items');
    return wrong;
  }

  #nested(schema, value, at) {
    if (Array.isArray(value)) return schema.items ? value.flatMap((v, i) => this.errors(schema.items, v, `${at}/${i}`)) : [];
    if (!isType.object(value)) return [];
    const lacks = (schema.required ?? []).filter((k) => !(k in value)).map((k) => `${at}: ${k} is missing`);
    const own = Object.entries(value).flatMap(([k, v]) => {
      const of = schema.properties?.[k] ?? schema.additionalProperties;
      return of === false ? [`${at}: ${k} is not in the document`] : of && of !== true ? this.errors(of, v, `${at}/${k}`) : [];
    });
    return [...lacks, ...own];
  }

  #combined(schema, value, at) {
    const fits = (list) => list.filter((s) => this.errors(s, value, at).length === 0).length;
    if (schema.allOf) return schema.allOf.flatMap((s) => this.errors(s, value, at));
    if (schema.anyOf && fits(schema.anyOf) === 0) return [`${at}: matches no schema of anyOf: ${this.errors(schema.anyOf[0], value, at)[0]}`];
    if (schema.oneOf && fits(schema.oneOf) !== 1) return [`${at}: fits ${fits(schema.oneOf)} of oneOf`];
    return [];
  }

  /** Makes a valid value. `hint(name, random)` may give a better value for the member `name`, or undefined. */
  make(schema, random, hint = () => undefined, name = '', depth = 0) {
    schema = this.resolve(schema);
    const known = hint(name, random);
    if (known !== undefined) return known;
    if (schema.enum) return random.pick(schema.enum);
    if (schema.oneOf && !schema.type) return this.make(random.pick(schema.oneOf), random, hint, name, depth);
    if (schema.anyOf && !schema.type) return this.make(random.pick(schema.anyOf), random, hint, name, depth);
    const type = [schema.type ?? 'object'].flat();
    return this.#typed(schema, random.pick(type), random, hint, name, depth);
  }

  #typed(schema, type, random, hint, name, depth) {
    switch (type) {
      case 'string': return schema.format === 'uuid' ? random.uuid() : schema.format === 'date-time' ? '2026-01-02T03:04:05Z' : `text-${random.hex(6)}`;
      case 'integer': return (schema.minimum ?? 0) + random.below(Math.min(1000, (schema.maximum ?? 1000) - (schema.minimum ?? 0) + 1));
      case 'number': return random.pick([0, 0.01, 0.05, 0.5, 0.95, 1, 2, random.u32() / 2 ** 32]);
      case 'boolean': return random.chance(50);
      case 'null': return null;
      case 'array': return Array.from({ length: (schema.minItems ?? 0) + random.below(3) }, () => this.make(schema.items ?? {}, random, hint, name, depth + 1));
      default: return this.#object(schema, random, hint, depth);
    }
  }

  #object(schema, random, hint, depth) {
    const needed = new Set([...(schema.required ?? []), ...(schema.oneOf ? random.pick(schema.oneOf).required ?? [] : [])]);
    const made = {};
    if (depth > 6) return made;
    for (const [key, of] of Object.entries(schema.properties ?? {}))
      if (needed.has(key) || (!schema.oneOf && random.chance(25))) made[key] = this.make(of, random, hint, key, depth + 1);
    return made;
  }
}
