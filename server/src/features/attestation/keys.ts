import { catchError, fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read } from '../../ledger/write.js';
import { canonicalDid } from '../../model/did.js';
import { iso, isoOrNull } from '../../records/schema.js';
import * as store from './attestation.store.js';
import { placeOf } from './web-authn/client-data.js';

const MAX_SHOWN = 100;

type Context = Pick<ScopedContext, 'read' | 'write' | 'scope'> & {
  readonly deps: Pick<Deps, 'clock' | 'config'>;
};

export const serializeKey = ({ config }: Pick<Deps, 'config'>, row: store.NamedKeyRow) => ({
  id: row.id,
  did: row.did,
  platform: row.platform,
  level: row.level,
  appId: placeOf(config.baseUrl).rpId,
  isSynced: row.backup_eligible,
  evidenceHash: row.evidence_hash,
  createdAt: iso(row.created_at),
  lastUsedAt: isoOrNull(row.last_used_at),
  revokedAt: isoOrNull(row.revoked_at),
});

export const findKey = async (read: Read, id: string): Promise<store.NamedKeyRow> =>
  (await store.findKey(read, id)) ?? fail('attestation_key_not_found');

/** The keys that an identity has or had, newest first. */
export async function listKeys({ read, deps, scope }: Context, did: string) {
  const rows = await store.listKeys(read, canonicalDid(did), MAX_SHOWN);
  return { attestationKeys: rows.map((row) => serializeKey(deps, row)), environment: scope.environment };
}

/** Revokes a key. Repeating it changes nothing. */
export async function revokeKey({ read, write, deps }: Context, id: string) {
  const found = await findKey(read, id);
  if (found.revoked_at === null) {
    const revoking = write('attestation.revoked', async (w) => {
      w.audit({ entityType: 'attestation_key', entityId: id });
      await store.lockIdentityOf(w, id);
      const isRevoked = await store.revokeKey(w, id, new Date(deps.clock.now()));
      return isRevoked || fail('attestation_key_not_found', { because: 'revoked concurrently' });
    });
    await catchError('attestation_key_not_found', revoking);
  }
  return { attestationKey: serializeKey(deps, await findKey(read, id)) };
}
