import { hash } from 'node:crypto';
import { SEALED_FIELDS, type SealedKind } from '@svc/zk/records/kinds';
import { type HexDigest, sealOf } from '@svc/zk/records/seal';
import type { Random } from '../base/crypto/random.js';
import { type Sql, sql } from '../db/sql.js';

/** How a row says what it was sealed with. Rows from before there were seals have null in each. */
export const SEAL_COLUMNS = sql`seal_n, facts_salt, text_salt`;
/** For records that change: also when that was, because the entry with the seal can be anywhere in the chain. */
export const SEALED_AT = sql`${SEAL_COLUMNS}, sealed_at`;

/** The seal of a row that a write makes or changes. */
export interface NewSeal {
  /** In the order of `SEAL_COLUMNS`. */
  readonly values: Sql;
  /** The same for an update. */
  readonly assignments: Sql;
  /** For an update that seals a row only under this condition, and otherwise sets null. */
  assignmentsIf(condition: Sql): Sql;
  /** Puts the seal of the record, which is serialized as the API returns it, into the audit entry about it. */
  place(record: Readonly<Record<string, unknown>>): void;
}

/** A seal that goes into an entry. */
export interface PlacedSeal {
  readonly kind: SealedKind;
  readonly id: string;
  readonly seal: string;
}

const SALT_BYTES = 16;

export const sha256OfBytes: HexDigest = (bytes) => hash('sha256', bytes, 'hex');

/** New at each write, so that two seals of the same text cannot be compared. */
export function newSalts(random: Random): { readonly facts: string; readonly text: string } {
  const salt = () => random.bytes(SALT_BYTES).toString('hex');
  return { facts: salt(), text: salt() };
}

/** A seal with new salts. */
export function newSeal(random: Random, kind: SealedKind, put: (placed: PlacedSeal) => void): NewSeal {
  const n = SEALED_FIELDS[kind].length;
  const salts = newSalts(random);
  return {
    values: sql`${n}::smallint, ${salts.facts}::text, ${salts.text}::text`,
    assignments: sql`seal_n = ${n}, facts_salt = ${salts.facts}, text_salt = ${salts.text}`,
    assignmentsIf: (condition) => sql`seal_n = case when ${condition} then ${n}::smallint end,
      facts_salt = case when ${condition} then ${salts.facts}::text end,
      text_salt = case when ${condition} then ${salts.text}::text end`,
    place(record) {
      const { seal } = sealOf({ kind, n, record, salts }, sha256OfBytes);
      put({ kind, id: record.id as string, seal });
    },
  };
}
