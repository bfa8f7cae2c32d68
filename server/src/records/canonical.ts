import { type Sql, sql } from '../db/sql.js';

/**
 * A text in Unicode's normalization form C. Two texts that mean the same characters, such as `é` and `e` with a combining accent, are
 * equal in it. The database computes both sides, because its tables may be of another version of Unicode than ours.
 */
export const canonical = (text: Sql): Sql => sql`normalize(${text}, NFC)`;

/** A text as it was sent, composed and decomposed. Nearly every text that means the same is stored as one of these. */
export const formsOf = (text: string): string[] => [
  ...new Set([text, text.normalize('NFC'), text.normalize('NFD')]),
];

/** Two records of one tenant and environment whose external ids are equal in that form. */
export interface EqualId {
  readonly tenant_id: string;
  readonly environment: string;
  readonly id: string;
  readonly other_id: string;
}
