/** How a language writes JSON values. */
export interface Syntax {
  readonly indent: string;
  readonly nothing: string;
  readonly yes: string;
  readonly no: string;
  readonly text: (text: string) => string;
  /** The name of a field, before its colon. */
  readonly name: (name: string) => string;
  /** Inside the braces of an object in one line. */
  readonly padding: string;
  /** After the last item of several lines. */
  readonly lastComma: string;
  /** Whether `{ id }` is `{ id: id }`. Only for expressions, because `{ true }` is no object. */
  readonly hasShorthand?: boolean;
  /** An expression instead of a JSON value; undefined for any other value. */
  readonly expression?: (value: unknown) => string | undefined;
}

const MAX_WIDTH = 80;

/** A JSON value in one line if it fits, otherwise with one item per line, indented from `indent` on. */
export function literal(value: unknown, syntax: Syntax, indent = '', used = 0): string {
  const inline = inOneLine(value, syntax);
  const items = syntax.expression?.(value) === undefined ? itemsOf(value) : [];
  if (items.length === 0 || indent.length + used + inline.length <= MAX_WIDTH) return inline;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const inner = `${indent}${syntax.indent}`;
  const lines = items.map(([name, item]) => {
    const width = name === undefined ? 0 : syntax.name(name).length + 2;
    return `${inner}${itemOf(name, item, literal(item, syntax, inner, width + 1), syntax)}`;
  });
  return `${open}\n${lines.join(',\n')}${syntax.lastComma}\n${indent}${close}`;
}

function itemOf(name: string | undefined, item: unknown, text: string, syntax: Syntax): string {
  if (name === undefined) return text;
  const isShort = syntax.hasShorthand && name === text && syntax.expression?.(item) === text;
  return isShort ? text : `${syntax.name(name)}: ${text}`;
}

function inOneLine(value: unknown, syntax: Syntax): string {
  const expression = syntax.expression?.(value);
  if (expression !== undefined) return expression;
  if (value === null || value === undefined) return syntax.nothing;
  if (typeof value === 'boolean') return value ? syntax.yes : syntax.no;
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const items = itemsOf(value).map(([name, item]) => itemOf(name, item, inOneLine(item, syntax), syntax));
  if (Array.isArray(value)) return `[${items.join(', ')}]`;
  return items.length === 0 ? '{}' : `{${syntax.padding}${items.join(', ')}${syntax.padding}}`;
}

/** Without names for an array. */
const itemsOf = (value: unknown): readonly (readonly [string | undefined, unknown])[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.map((item) => [undefined, item] as const);
  return Object.entries(value).filter(([, item]) => item !== undefined);
};

/**
 * Characters that are not visible or change the order of those around them: controls, direction marks, lone surrogates.
 * Written out, they would make code that does something else than it shows.
 */
const INVISIBLE = /[\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g;

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** In double quotes, as JSON, Python and Go read it. */
export const doubleQuoted = (text: string): string => JSON.stringify(text).replace(INVISIBLE, escaped);

/** In single quotes, as JavaScript reads it. */
export const singleQuoted = (text: string): string =>
  `'${doubleQuoted(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Code of Python or Go with empty strings, to find the names that it uses. */
export const withoutStrings = (code: string): string => code.replaceAll(/"(?:\\.|[^"\\])*"|`[^`]*`/g, '""');

export const JSON_SYNTAX: Syntax = {
  indent: '  ',
  nothing: 'null',
  yes: 'true',
  no: 'false',
  text: doubleQuoted,
  name: doubleQuoted,
  padding: '',
  lastComma: '',
};

export const PYTHON_SYNTAX: Syntax = {
  ...JSON_SYNTAX,
  indent: '    ',
  nothing: 'None',
  yes: 'True',
  no: 'False',
  lastComma: ',',
};

export const TYPESCRIPT_SYNTAX: Syntax = {
  ...JSON_SYNTAX,
  text: singleQuoted,
  // In brackets, because `__proto__: {}` would set the prototype.
  name: (name) =>
    name === '__proto__' ? `['${name}']` : /^[A-Za-z_$][\w$]*$/.test(name) ? name : singleQuoted(name),
  padding: ' ',
  lastComma: ',',
  hasShorthand: true,
};
