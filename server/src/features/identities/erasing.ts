import type { Deps } from '../../http/deps.js';
import type { Write } from '../../ledger/write.js';
import { eraseWords } from '../anchors/anchors.js';
import { deleteKeysOf } from '../attestation/attestation.js';
import { endGrantsOfIdentity, eraseStates } from '../openid-provider/openid-provider.js';
import { eraseSessions } from '../sessions/sessions.js';
import { eraseAdditions } from './additions/additions.store.js';
import { eraseCommitments, listAllCommitments } from './commitments/commitments.store.js';
import { spendNames } from './commitments/spent.js';
import * as store from './identities.store.js';

/**
 * Revokes the identities of a person and removes everything about them but ids, times and the leaves that the audit chain names. Nobody
 * can use their DIDs and commitments again. Ends the person's sessions and sign-ins. @returns the devices of the identities
 */
export async function eraseIdentities(
  w: Write,
  deps: Pick<Deps, 'keyring'>,
  userId: string,
  now: Date,
): Promise<string[]> {
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
    eraseAdditions(w, dids),
    eraseSessions(w, { userId, identityIds: ids }, now),
    ...ids.map((id) => endGrantsOfIdentity(w, id, now)),
    eraseStates(w, ids),
    deleteKeysOf(w, ids),
  ]);
  return rows.flatMap(({ device_id }) => device_id ?? []);
}
