import type { Deps } from '../../http/deps.js';
import type { Write } from '../../ledger/write.js';
import { eraseWords } from '../anchors/anchors.js';
import { deleteKeysOf } from '../attestation/attestation.js';
import { eraseCommitments, listAllCommitments } from './commitments/commitments.store.js';
import { spendNames } from './commitments/spent.js';
import * as store from './identities.store.js';

/** The identities of a person as they were, and the devices that they were created on. */
export interface ErasedIdentities {
  readonly ids: readonly string[];
  readonly dids: readonly string[];
  readonly deviceIds: readonly string[];
}

/**
 * Revokes the identities of a person and removes everything about them but ids, times and the leaves that the audit chain names. Nobody
 * can use their DIDs and commitments again.
 */
export async function eraseIdentities(
  w: Write,
  deps: Pick<Deps, 'keyring'>,
  userId: string,
  now: Date,
): Promise<ErasedIdentities> {
  const rows = await store.listForErasure(w, userId);
  const ids = rows.map(({ id }) => id);
  const dids = rows.map(({ did }) => did);
  const commitments = await listAllCommitments(w, ids);
  for (const { id: entityId, revoked_at } of rows)
    if (revoked_at === null)
      w.audit({
        action: 'identity.revoked',
        entityType: 'identity',
        entityId,
        metadata: { by: 'erasure' },
      });
  const names = new Set([...dids, ...rows.map(({ commitment }) => commitment), ...commitments]);
  await Promise.all([
    spendNames(w, deps, [...names]),
    store.eraseIdentities(w, userId, now),
    eraseCommitments(w, ids),
    eraseWords(w, ids),
    deleteKeysOf(w, ids),
  ]);
  return { ids, dids, deviceIds: rows.flatMap(({ device_id }) => device_id ?? []) };
}
