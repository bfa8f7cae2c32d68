import type { Database } from '../../db/db.js';
import { ageOf, type Expiry } from '../../db/expiry.js';
import { sql } from '../../db/sql.js';

export const DEMO_IDP_CODE_EXPIRY: Expiry = {
  table: sql`demo_idp_codes`,
  column: sql`expires_at`,
  before: ageOf(0),
};

export type KeyName = 'saml' | 'oidc';

export interface KeyRow {
  key_id: string;
  sealed: string;
}

// The simulated provider stands outside of all tenants: it has no scope to read within and no chain to write to.

export function listKeys(db: Database, name: KeyName): Promise<KeyRow[]> {
  return db.query<KeyRow>(
    sql.query`select key_id, sealed from demo_idp_keys where name = ${name} order by created_at`,
  );
}

/** Of several nodes that make a key at once, the first one's stays. */
export async function insertKey(db: Database, name: KeyName, key: KeyRow, now: Date): Promise<void> {
  await db.query(sql.mutation`insert into demo_idp_keys (name, key_id, sealed, created_at)
    values (${name}, ${key.key_id}, ${key.sealed}, ${now}) on conflict do nothing`);
}

export async function insertCode(
  db: Database,
  codeHash: string,
  granted: string,
  expiresAt: Date,
): Promise<void> {
  await db.query(sql.mutation`insert into demo_idp_codes (code_hash, granted, expires_at)
    values (${codeHash}, ${granted}, ${expiresAt})`);
}

/** Takes what a code was granted for, at most once. */
export async function spendCode(db: Database, codeHash: string, now: Date): Promise<string | undefined> {
  const [row] = await db.query<{ granted: string }>(sql.mutation`delete from demo_idp_codes
    where code_hash = ${codeHash} and expires_at > ${now} returning granted`);
  return row?.granted;
}
