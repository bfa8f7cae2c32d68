import type { SealContext, Sealer } from '../../src/base/crypto/sealer.js';
import type { RawDatabase } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import type { Environment } from '../../src/model/environment.js';
import { START } from '../support/service.js';

/** A row of `webhooks`, whose sealed columns are what these tests are about. */
export interface SealedRow {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly id: string;
}

const contextOf = (row: SealedRow, column: string): SealContext => ({ ...row, table: 'webhooks', column });

export const sealIn = (sealer: Sealer, row: SealedRow, column: string, value: string): Promise<string> =>
  sealer.seal('webhooks', contextOf(row, column), Buffer.from(value));

/** Inserts a row with two sealed values. The previous secret is null. */
export async function insertRow(
  { db, sealer }: { db: RawDatabase; sealer: Sealer },
  tenantId: string,
  environment: Environment = 'live',
): Promise<SealedRow> {
  const row = { tenantId, environment, id: crypto.randomUUID() };
  const secret = await sealIn(sealer, row, 'secret', `secret of ${row.id}`);
  const signingKey = await sealIn(sealer, row, 'signing_key', `signing key of ${row.id}`);
  await db.query(sql`insert into webhooks (tenant_id, environment, id, url, events, ordered, outcome, throttled, status,
      secret, signing_key, public_key, cursor_seq, cursor_hash, filter_since, created_at)
    values (${tenantId}, ${environment}, ${row.id}, 'https://example.com', '{*}', false, 'success', false, 'active',
      ${secret}, ${signingKey}, '', 0, ${'0'.repeat(64)}, 0, ${new Date(START)})`);
  return row;
}

export async function readSealed(db: RawDatabase, { id }: SealedRow) {
  const [row] = await db.query<{ secret: string; previous_secret: string | null; signing_key: string }>(
    sql`select secret, previous_secret, signing_key from webhooks where id = ${id}`,
  );
  return row!;
}

/** Opens the two values of a row. */
export async function openRow(sealer: Sealer, db: RawDatabase, row: SealedRow): Promise<string[]> {
  const { secret, signing_key } = await readSealed(db, row);
  const values = [
    await sealer.open('webhooks', contextOf(row, 'secret'), secret),
    await sealer.open('webhooks', contextOf(row, 'signing_key'), signing_key),
  ];
  return values.map(String);
}

export const valuesOf = ({ id }: SealedRow): string[] => [`secret of ${id}`, `signing key of ${id}`];

export const keyIdOf = (sealed: string): string => sealed.split('.')[1]!;

export const listKeys = (db: RawDatabase): Promise<{ id: string; secret_id: string; sealed: string }[]> =>
  db.query(sql`select id, secret_id, sealed from sealing_keys order by created_at, id`);

/** Deletes all rows and keys, so that a test starts without any. */
export async function clear(db: RawDatabase): Promise<void> {
  await db.query(sql`delete from webhooks`);
  await db.query(sql`delete from sealing_keys`);
}
