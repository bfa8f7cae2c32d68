// JSON Schema as tables for people: a row for each field, with its type, what it may be, and what it says.

/** @typedef {Record<string, any>} Schema */

/** The objects that several operations share, one after another. */
export const objectsPage = (/** @type {Record<string, Schema>} */ schemas) =>
  [
    '# Objects\n\nWhat several operations take or answer. A field that is not required may be absent.',
    ...Object.entries(schemas).map(([name, schema]) => `## ${name}\n\n${schemaTable(schema)}`),
  ].join('\n\n');

/** The fields of an object; what is no object is one line. */
export function schemaTable(/** @type {Schema} */ schema) {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return schema.type === 'string' ? '' : `${typeOf(schema)}.`;
  return ['| field | type | |', '|---|---|---|', ...rows].join('\n');
}

/** @returns {string[]} */
function rowsOf(/** @type {Schema} */ schema, /** @type {string} */ prefix) {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const required = schema.required?.includes(name) ? 'required' : '';
    const notes = [required, ...notesOf(field)].filter(Boolean).join('; ');
    const inner = field.items?.properties ? rowsOf(field.items, `${path}[].`) : rowsOf(field, `${path}.`);
    return [`| \`${path}\` | ${typeOf(field)} | ${cell(notes)} |`, ...inner];
  });
}

const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** @returns {string} */
function typeOf(/** @type {Schema} */ schema) {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1);
    return `[${name}](/docs/reference/objects#${name.toLowerCase()})`;
  }
  // Of an enumeration that may grow, the values that there are.
  if (schema.anyOf?.[0].enum) return typeOf(schema.anyOf[0]);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.enum) return schema.enum.map((/** @type {unknown} */ value) => `\`${value}\``).join(' or ');
  if ('const' in schema) return `\`${schema.const}\``;
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  const types = [schema.type ?? 'any'].flat().map((type) => NAMES[type] ?? type);
  return types.join(' or ');
}

/** @type {Record<string, string>} */
const NAMES = { string: 'text', integer: 'whole number', boolean: '`true` or `false`' };
/** @type {Record<string, string>} */
const FORMATS = {
  uuid: 'a UUID',
  'date-time': 'a time in UTC, with milliseconds',
  email: 'an e-mail',
  uri: 'an address',
};

/** What the schema demands, in words. @returns {string[]} */
function notesOf(
  /** @type {Schema} */ {
    description,
    format,
    minLength,
    maxLength,
    minimum,
    maximum,
    minItems,
    maxItems,
    examples,
  },
) {
  const [example] = examples ?? [];
  return [
    phrase(description) ?? FORMATS[format] ?? '',
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'entries'),
    range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    ['string', 'number'].includes(typeof example) && String(example).length <= 40
      ? `such as \`${example}\``
      : '',
  ];
}

/** A description as a part of a list: without its full stop, and beginning small unless it is a name. */
export const phrase = (/** @type {string | undefined} */ text) =>
  text?.replace(/\.$/, '').replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());

function range(
  /** @type {number | undefined} */ least,
  /** @type {number | undefined} */ most,
  /** @type {string} */ unit,
) {
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return `at least ${least} ${unit}`.trim();
  if (least === undefined) return `at most ${most} ${unit}`.trim();
  return `${least === most ? least : `${least} to ${most}`} ${unit}`.trim();
}
