import type { CodeStore, KeyStore, KeyUse } from '@svc/demo-idp/provider';
import { sha256 } from '../../../base/crypto/keyring.js';
import { ageOf, type Expiry } from '../../../db/expiry.js';
import { sql } from '../../../db/sql.js';
import type { Deps } from '../../../http/deps.js';
import { unaudited } from '../../../ledger/unaudited.js';

export const DEMO_IDP_CODE_EXPIRY: Expiry = {
  table: sql`demo_idp_codes`,
  key: sql`code_hash`,
  column: sql`expires_at`,
  before: ageOf(0),
};

type StoreDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'keyring'>;

// The simulated provider belongs to no tenant: there is no scope to read in and no audit log to write to.

/** Keys are encrypted, and named after the server secret that encrypted them. A rotation adds a key and keeps the previous one. */
export const keyStore = ({ db, clock, random, keyring }: StoreDeps): KeyStore => ({
  currentId: keyring.current.kid,

  async list(use: KeyUse) {
    const rows = await db.query<{ key_id: string; sealed: string }>(
      sql.query`select key_id, sealed from demo_idp_keys where name = ${use} order by created_at`,
    );
    return rows.flatMap(({ key_id, sealed }) => {
      const privateKey = keyring.decrypt(sealed);
      return privateKey === undefined ? [] : [{ id: key_id, privateKey }];
    });
  },

  async insert(use, privateKey) {
    const sealed = keyring.encrypt(privateKey, random);
    await unaudited(
      db,
      'demo provider',
    ).mutate(sql.mutation`insert into demo_idp_keys (name, key_id, sealed, created_at)
      values (${use}, ${keyring.current.kid}, ${sealed}, ${new Date(clock.now())}) on conflict do nothing`);
  },
});

/** Codes are stored as hashes, and their grants are encrypted. */
export const codeStore = ({ db, clock, random, keyring }: StoreDeps): CodeStore => ({
  async save(code, grant, expiresAt) {
    await unaudited(
      db,
      'demo provider',
    ).mutate(sql.mutation`insert into demo_idp_codes (code_hash, granted, expires_at)
      values (${sha256(code)}, ${keyring.encrypt(grant, random)}, ${expiresAt})`);
  },

  async consume(code) {
    const [row] = await unaudited(db, 'demo provider').mutate<{
      granted: string;
    }>(sql.mutation`delete from demo_idp_codes
      where code_hash = ${sha256(code)} and expires_at > ${new Date(clock.now())} returning granted`);
    return row && keyring.decrypt(row.granted);
  },
});
