// to_types.mjs: the schemas as TypeScript, one type a schema.

const nameOf = (ref) => ref.split('/').at(-1);
/** As an alternative inside an array or an intersection. */
const grouped = (type) => (/ [|&] /.test(type) ? `(${type})` : type);

/** {items, next} is a List. @returns {string|null} what it lists */
function listed({ properties = {}, required = [], allOf }) {
  const whole = !allOf && Object.keys(properties).join() === 'items,next' && required.includes('next') && properties.items.items?.$ref;
  return whole ? nameOf(whole) : null;
}

function objectType(schema, indent) {
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0) return 'Record<string, any>';
  const one = listed(schema);
  if (one) return `List<${one}>`;
  const pad = ' '.repeat(indent + 2);
  const lines = members.map(([name, member]) => {
    const comment = member.description && !member.$ref ? `${pad}/** ${member.description.replaceAll('*/', '* /')} */\n` : '';
    return `${comment}${pad}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(member, indent + 2)};\n`;
  });
  return `{\n${lines.join('')}${' '.repeat(indent)}}`;
}

const kinds = {
  object: objectType,
  array: (schema, indent) => `${grouped(schema.items ? typeOf(schema.items, indent) : 'any')}[]`,
  string: () => 'string', number: () => 'number', integer: () => 'number', boolean: () => 'boolean', null: () => 'null',
};

/** A schema as a type. @param {any} schema @returns {string} */
export function typeOf(schema, indent = 0) {
  if (schema.$ref) return nameOf(schema.$ref);
  const several = schema.oneOf ?? schema.anyOf;
  if (several && !schema.properties) return [...new Set(several.map((s) => typeOf(s, indent)))].join(' | ');
  if (schema.allOf) return schema.allOf.map((s) => grouped(typeOf(s, indent))).join(' & ');
  if (schema.enum) return schema.enum.map((v) => (v === null ? 'null' : `'${v}'`)).join(' | ');
  if (schema.type === undefined) return 'any';
  return [schema.type].flat().map((kind) => kinds[kind](schema, indent)).join(' | ');
}

export const typesText = ({ schemas }) => `/* Made by api/generate.mjs: the shapes of /api/v1. */

export interface List<T> {
  items: T[];
  next: string | null;
}
${Object.entries(schemas).map(([name, schema]) => `\n${schema.description ? `/** ${schema.description.replaceAll('*/', '* /')} */\n` : ''}export type ${name} = ${typeOf(schema)};\n`).join('')}`;
