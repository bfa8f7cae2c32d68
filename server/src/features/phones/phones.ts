import { identitiesBind, revokeBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import { canonicalDid } from '../../model/did.js';
import { nameIn } from '../../records/list.js';
import { iso, isoOrNull } from '../../records/schema.js';
import { keyIdsOf } from '../attestation/attestation.js';
import { namesOf as deviceNamesOf } from '../devices/devices.js';
import { CONTESTANTS, endIdentity, findByDid, listUnrevoked, mayContest } from '../identities/identities.js';
import { type Claim, decide, type PhoneCaller, prove, reject } from '../proofs/proofs.js';
import type { PhoneListBody, PhoneRevokeBody } from './phone.schema.js';
import { listOpenRecoveries } from './phones.store.js';

export { deleteRestoredAdditions, eraseAdditions } from './additions/additions.js';

/** Revokes an identity of the phone's person, usually the phone's own. Repeating it changes nothing. */
export async function revokeByPhone(caller: PhoneCaller, input: Static<typeof PhoneRevokeBody>) {
  const revoked = canonicalDid(input.revoke);
  const byItself = revoked === canonicalDid(input.did);
  const claim: Claim = {
    purpose: 'revoke',
    action: 'identity.revoked',
    input,
    bindOf: (use) => revokeBind({ ...use, revokedDid: revoked }),
    // A phone that revoked itself may ask again, if it has lost the response.
    ...(byItself && { admits: ['revoked'] }),
  };
  const proved = await prove(caller, claim);
  const { prover, at } = proved;
  const target = await findByDid(caller.read, revoked);
  const isTheirs = target !== undefined && target.user_id === prover.user_id;
  if (!isTheirs || (prover.revoked_at !== null && !prover.revoked_by_itself))
    return reject(caller, claim, 'unknown_identity');
  if (target.revoked_at !== null) return { identity: { did: revoked, revokedAt: iso(target.revoked_at) } };
  const { id } = target;
  await decide(caller, proved, async (w) => {
    w.audit({ entityType: 'identity', entityId: id, metadata: { by: 'phone' } });
    // Another request revoked it first: the proof is not spent, and repeating it returns that time.
    if (!(await endIdentity(w, caller.deps, id, { now: at, byItself })))
      fail('verification_failed', { because: 'revoked' });
  });
  return { identity: { did: revoked, revokedAt: iso(at) } };
}

/**
 * The identities of a phone's person and the recoveries that it may contest. A phone whose identity was revoked sees only these, for
 * as long as it may contest. It reads only, so it does not spend the nonce.
 */
export async function listByPhone(caller: PhoneCaller, input: Static<typeof PhoneListBody>) {
  const claim: Claim = {
    purpose: 'identities',
    action: 'identity.verify',
    input,
    bindOf: identitiesBind,
    admits: CONTESTANTS,
  };
  const { prover, tenant, at } = await prove(caller, claim);
  const { id: own, revoked_at: revokedAt, user_id: userId } = prover;
  if (!mayContest(prover, tenant.securityPolicy, at)) return reject(caller, claim, 'revoked');
  const { read } = caller;
  const [rows, recoveries] = await Promise.all([
    revokedAt === null ? listUnrevoked(read, userId) : [],
    listOpenRecoveries(read, userId),
  ]);
  const [names, keys] = await Promise.all([
    deviceNamesOf(
      read,
      rows.map(({ device_id }) => device_id),
    ),
    keyIdsOf(
      read,
      rows.map(({ id }) => id),
    ),
  ]);
  return {
    identities: rows.map((row) => ({
      did: row.did,
      deviceName: nameIn(names, row.device_id),
      createdAt: iso(row.created_at),
      lastUsedAt: isoOrNull(row.last_used_at),
      inForceAt: isoOrNull(row.in_force_at),
      attestationKeyId: keys.get(row.id) ?? null,
      isThis: row.id === own,
    })),
    recoveries: recoveries.map((row) => ({
      id: row.id,
      openedAt: iso(row.recovery_opened_at),
      completesAt: iso(row.completes_at),
      contestedAt: isoOrNull(row.contested_at),
    })),
  };
}
