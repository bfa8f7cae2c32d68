// Renders JSON Schema as tables: a row per field with its type, constraints and description.

/** @typedef {Record<string, any>} Schema */

export const objectsPage = (/** @type {Record<string, Schema>} */ schemas) =>
  [
    '# Objects\n\nObjects in the requests and responses of several operations. A field that is not required may be absent.',
    ...Object.entries(schemas).map(([name, schema]) => `## ${name}\n\n${schemaTable(schema)}`),
  ].join('\n\n');

/** A table of an object's fields, or one line for any other schema. */
export function schemaTable(/** @type {Schema} */ schema) {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return schema.type === 'string' ? '' : `${typeOf(schema)}.`;
  return ['| Field | Type | |', '|---|---|---|', ...rows].join('\n');
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
  // For an extensible enumeration, the current values.
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

/** The constraints of a schema in words. @returns {string[]} */
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

/** A description as part of a list: without the full stop, and lower-case unless it starts with a name. */
export const phrase = (/** @type {string | undefined} */ text) =>
  text?.replace(/\.$/, '').replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());

function range(
  /** @type {number | undefined} */ min,
  /** @type {number | undefined} */ max,
  /** @type {string} */ unit,
) {
  if (min === undefined && max === undefined) return '';
  if (max === undefined) return `at min ${min} ${unit}`.trim();
  if (min === undefined) return `at max ${max} ${unit}`.trim();
  return `${min === max ? min : `${min} to ${max}`} ${unit}`.trim();
}
