import { type Sql, sql } from '../db/sql.js';
import { formsOf } from './canonical.js';
import { opaque } from './first-rows.js';

/** The last code point. No character follows it in the C collation. */
const LAST = '\u{10ffff}';

const capitalize = (text: string) =>
  text.toLowerCase().replace(/(?<![\p{L}\p{M}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());

const lowerAscii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * The ways to write a text that count as the same. The indexes ignore the case of ASCII letters, as `lower` in the C collation
 * does in any locale. With other letters, a text is also found in lower case, in upper case and with capital initials, and its
 * letters with accents composed or decomposed.
 */
const spellingsOf = (text: string): string[] => [
  ...new Set(
    [text, text.toLowerCase(), text.toUpperCase(), capitalize(text)].flatMap(formsOf).map(lowerAscii),
  ),
];

/**
 * A condition: one of these texts starts with `prefix`, in any case. Each text needs an index on `lower(text collate "C")`. A range
 * is compared instead of a pattern, so no character of the prefix has a special meaning, and a prepared statement reads the
 * index too.
 */
export function startsWith(texts: readonly Sql[], prefix: string): Sql {
  return texts
    .flatMap((text) => spellingsOf(prefix).map((spelling) => inRange(text, spelling)))
    .reduce((left, right) => sql`${left} or ${right}`);
}

function inRange(text: Sql, spelling: string): Sql {
  const first = opaque(sql`${spelling}::text`);
  const end = opaque(sql`${spelling + LAST}::text`);
  return sql`(lower(${text} collate "C") >= ${first} and lower(${text} collate "C") < ${end})`;
}
