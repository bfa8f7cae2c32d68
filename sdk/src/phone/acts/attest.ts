import { enrolmentDigest } from '../../attestation.js';
import type { AttestationKey } from '../../generated/api.js';
import { isSvcError, SvcError } from '../../transport/errors.js';
import { changeIdentity, identityOf, type PhonePorts, type Watch, whenOnline } from '../ports.js';
import type { Identity, Secret } from '../records.js';
import { proveToSend, signed } from '../send.js';

/** Whether a key can be enrolled for this identity: it is in force, and the phone knows which of its secrets is. */
export const canAttest = <S extends Secret>({ confirmed, inForceAt, renewal }: Identity<S>): boolean =>
  confirmed && inForceAt === undefined && renewal === undefined;

/**
 * Enrolls a key that signs the phone's proofs. If it is kept with a second copy of the secret, that copy is stored, proves the enrolment, and
 * only then replaces the first. If the response is lost, this can be called again. With `replaces`, the present key signs for the new one.
 */
export const attest = <S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  watch: Watch = {},
  { replaces = false }: { readonly replaces?: boolean } = {},
): Promise<AttestationKey> =>
  phone.vault.alone(`key:${id}`, async () => {
    const { keys, service } = phone;
    if (keys === undefined) throw new SvcError('invalid_options', 'This phone has no attestation keys.');
    const identity = await identityOf(phone, id);
    await whenOnline(phone, watch);
    const { tenantId, environment, did, successor } = identity;
    const place = { tenantId, environment };
    const signal = { signal: watch.signal };
    const { challenge } = await service.phone.attestation.createChallenge({ ...place, did }, signal);
    const { attestation, kept } = await keys.make(identity, enrolmentDigest({ ...place, challenge }), watch);
    if (kept !== undefined) await changeIdentity(phone, id, (stored) => ({ ...stored, successor: kept }));
    try {
      // Of what was stored, so that a copy that can't be read is noticed before the first is deleted.
      const copy = withSuccessor(await identityOf(phone, id));
      const work = { kind: 'attest', place, key: { ...attestation, challenge } } as const;
      const proof = await proveToSend(phone, copy, work, watch);
      const of = { purpose: 'attest', subject: challenge } as const;
      const old = replaces && { attestation: await signed(phone, identity, of, proof) };
      const key = await service.phone.attestation.createKey({ ...proof, ...old });
      await changeIdentity(phone, id, (stored) => ({ ...withSuccessor(stored), attestationKeyId: key.id }));
      if (kept !== undefined) phone.prover.forget?.(identity);
      return key;
    } catch (error) {
      // The service may know one that an earlier attempt sent.
      if (kept !== undefined && successor === undefined && !mayBeEnrolled(error)) {
        await changeIdentity(phone, id, withoutSuccessor);
        phone.prover.forget?.(kept);
      }
      throw error;
    }
  });

function withSuccessor<S extends Secret>(identity: Identity<S>): Identity<S> {
  const { successor, ...single } = identity;
  return { ...single, ...successor } as unknown as Identity<S>;
}

function withoutSuccessor<S extends Secret>(identity: Identity<S>): Identity<S> {
  const { successor: _, ...single } = identity;
  return single as unknown as Identity<S>;
}

/** Whether the service may have enrolled the key although there was an error. */
const mayBeEnrolled = (error: unknown): boolean =>
  isSvcError(error) &&
  !isSvcError(
    error,
    ...(['not_unlocked', 'attestation_refused', 'attestation_malformed', 'attestation_key_taken'] as const),
  );

/** @internal The company revoked the key. It can't be enrolled again, so the next one is another. */
export const noteKeyRevoked = <S extends Secret>(phone: PhonePorts<S>, id: string): Promise<void> =>
  changeIdentity(phone, id, (stored) => {
    const { attestationKeyId: _, ...identity } = withoutSuccessor(stored);
    const without = identity as unknown as Identity<S>;
    return { ...without, ...phone.keys?.withoutKey?.(without) };
  });
