import { removeIdentity } from '../history/approvals';
import type { Identity } from '../identities/identity';
import { withKeyInForce } from '../identities/in-force';
import { noteRevoked } from '../passkey/turn-on';
import { createUse, proveToSend, type SendWatch } from '../prover/prove-to-send';
import { svc } from '../service';

/** The person's phones, and the recoveries that would replace them. */
export type Phones = Awaited<ReturnType<typeof svc.phone.identity.list>>;
export type PhoneOf = Phones['identities'][number];
export type Recovery = Phones['recoveries'][number];

/** Proves that this phone is one of the person's, and reads them all. */
export const readPhones = (identity: Identity, watch: SendWatch): Promise<Phones> => {
  watch.onStage('unlocking');
  return withKeyInForce(identity, async (version, key) => {
    const use = await createUse(version, watch);
    const proof = await proveToSend({ kind: 'identities', key, identity: version, use }, watch);
    const phones = await svc.phone.identity.list(proof, { signal: watch.signal });
    const own = phones.identities.find(({ isThis }) => isThis);
    const isRevoked = own?.attestationKeyId === null && identity.attestationKeyId !== undefined;
    if (isRevoked) await noteRevoked(identity.id);
    return phones;
  });
};

/** Revokes one of the person's phones. This phone's own identity is then deleted, too. */
export async function removePhone(identity: Identity, did: string, watch: SendWatch): Promise<void> {
  watch.onStage('unlocking');
  await withKeyInForce(identity, async (version, key) => {
    const use = await createUse(version, watch);
    const work = { kind: 'revoke', key, identity: version, use, revokedDid: did } as const;
    const proof = await proveToSend(work, watch);
    return svc.phone.identity.revoke(proof);
  });
  if (did === identity.did) await removeIdentity(identity.id);
}

/** `held` if a phone that was revoked before objected: then the company has to confirm the recovery. */
export type ContestResult = 'cancelled' | 'held';

/** Objects to a recovery, with an identity that is in force or was until recently. */
export const contest = (identity: Identity, recoveryId: string, watch: SendWatch): Promise<ContestResult> => {
  watch.onStage('unlocking');
  return withKeyInForce(identity, async (version, key) => {
    const use = await createUse(version, watch);
    const work = { kind: 'contest', key, identity: version, use, recoveryId } as const;
    const proof = await proveToSend(work, watch);
    const recovery = await svc.phone.recoveries.contest(proof);
    return recovery.state === 'pending_recovery' ? 'held' : 'cancelled';
  });
};
