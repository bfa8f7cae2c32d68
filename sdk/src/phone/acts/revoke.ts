import { isSvcError } from '../../transport/errors.js';
import { changeIdentity, identityOf, type PhonePorts, store, type Watch } from '../ports.js';
import type { Secret } from '../records.js';
import { asPerson } from '../send.js';

/**
 * Revokes one of the person's phones by its DID. The phone's own identity is then deleted, too. That this was asked for is stored first,
 * so that it can be called again if the response is lost: then the service no longer accepts the identity.
 */
export async function revoke<S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  did: string,
  watch: Watch = {},
): Promise<void> {
  const identity = await identityOf(phone, id);
  const isOwn = did === identity.did;
  if (isOwn) await changeIdentity(phone, id, (stored) => ({ ...stored, isLeaving: true }));
  try {
    await asPerson(phone, id, { kind: 'revoke', revokedDid: did }, watch, (proof) =>
      phone.service.phone.identity.revoke(proof),
    );
  } catch (error) {
    const isRepeated = isOwn && identity.isLeaving && isSvcError(error, 'verification_failed');
    if (!isRepeated) throw error;
  }
  if (isOwn) await forgetIdentity(phone, id);
}

/** Deletes an identity from the phone. The service does not learn of it. */
export async function forgetIdentity<S extends Secret>(phone: PhonePorts<S>, id: string): Promise<void> {
  const { identities } = await phone.vault.read();
  await store(phone, () => [{ remove: 'identities', id }]);
  const found = identities.find((identity) => identity.id === id);
  for (const secret of [found, found?.successor]) if (secret !== undefined) phone.prover.forget?.(secret);
}
