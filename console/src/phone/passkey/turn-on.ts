import { isSvcError } from '@svc/sdk';
import { enrolmentDigest } from '@svc/zk/attestation';
import { productName } from '../../ui/product-name';
import type { Identity, Successor } from '../identities/identity';
import { t } from '../language/strings';
import { PhoneError } from '../messages';
import { whenOnline } from '../offline/online';
import { proveToSend } from '../prover/prove-to-send';
import { runInProver } from '../prover/prover';
import { svc } from '../service';
import { change, read, resultOf } from '../vault/database';
import { askPasskey, createPasskey, forgetPasskey, type Passkey, type Used } from '../vault/passkey';
import { discardProtection, type Protection, unlock } from '../vault/protection';

export type Stage = 'unlocking' | 'creating' | 'signing' | 'loading' | 'proving' | 'waiting' | 'sending';
interface Watch {
  readonly signal: AbortSignal;
  onStage(stage: Stage): void;
}

/** Whether a passkey can be turned on for this identity: it is in force, and the phone knows which of its secrets is. */
export const canTurnOn = ({ attestationKeyId, confirmed, inForceAt, renewal }: Identity): boolean =>
  attestationKeyId === undefined && confirmed && inForceAt === undefined && renewal === undefined;

/** Whether a computer can ask for the passkey that protects the secret. Those of an earlier version of this page stay hidden. */
const isDiscoverable = (protection: Protection): protection is Enrollable =>
  protection.kind === 'screen-lock' && protection.creation !== undefined;
type Enrollable = Passkey & Required<Pick<Passkey, 'creation'>>;

/** Whether turning it on creates a passkey, instead of enrolling the one that the identity has. */
export const needsNewPasskey = ({ protection }: Identity): boolean => !isDiscoverable(protection);

/**
 * Enrols the identity's passkey. If computers can't ask for it, a new one takes its place: it encrypts a second copy of the secret, whose proof
 * enrols it, and only then the old copy is deleted. If the response is lost, this can be called again.
 */
export const turnOnPasskey = (id: string, watch: Watch): Promise<void> =>
  navigator.locks.request(`key:${id}`, async () => {
    const identity = await read<Identity>('identities', id);
    if (identity === undefined) throw new PhoneError('not_registered', t.errors.notRegistered);
    if (!canTurnOn(identity)) return;
    await whenOnline(watch.signal, () => watch.onStage('waiting'));
    const { challenge } = await svc.phone.attestation.createChallenge(identity, { signal: watch.signal });
    if (isDiscoverable(identity.protection)) await enrolOwn(identity, challenge, watch);
    else await moveToPasskey(identity, challenge, watch);
  });

const signChallenge = (identity: Identity, passkey: Passkey, challenge: string): Promise<Used> => {
  const { tenantId, environment } = identity;
  return askPasskey(passkey, new Uint8Array(enrolmentDigest({ tenantId, environment, challenge })));
};

async function enrolOwn(identity: Identity, challenge: string, watch: Watch): Promise<void> {
  watch.onStage('unlocking');
  const passkey = identity.protection as Enrollable;
  const used = await signChallenge(identity, passkey, challenge);
  const attestationKeyId = await enrol(identity, { passkey, used, challenge }, watch);
  await settle(identity.id, (stored) => ({ ...stored, attestationKeyId }));
}

async function moveToPasskey(identity: Identity, challenge: string, watch: Watch): Promise<void> {
  const { id, protection: old, successor: started } = identity;
  watch.onStage('unlocking');
  const oldKey = await unlock(old);
  watch.onStage('creating');
  const passkey = started?.protection ?? (await createPasskey(productName)).passkey;
  try {
    watch.onStage('signing');
    const used = await signChallenge(identity, passkey, challenge);
    const { secret } = await runInProver({ kind: 'copy', identity, key: oldKey, newKey: used.key });
    const copy = await storeCopy(id, { protection: passkey, secret });
    const attestationKeyId = await enrol(copy, { passkey: passkey as Enrollable, used, challenge }, watch);
    await settle(id, (stored) => ({ ...stored, protection: passkey, secret, attestationKeyId }));
  } catch (error) {
    // The service may know one that an earlier attempt sent.
    if (started === undefined && !mayBeEnrolled(error)) {
      await settle(id, (stored) => stored);
      forgetPasskey(passkey);
    }
    throw error;
  }
  discardProtection(old);
}

/** Stores the copy beside the old one, and reads it back: the proof that enrols the passkey is made from what was stored. */
async function storeCopy(id: string, successor: Successor): Promise<Identity> {
  await settle(id, (stored) => ({ ...stored, successor }));
  const stored = await read<Identity>('identities', id);
  if (stored?.successor === undefined) throw new PhoneError('not_registered', t.errors.notRegistered);
  return { ...stored, ...stored.successor };
}

/** Whether the service may have enrolled the passkey although there was an error. */
const mayBeEnrolled = (error: unknown): boolean =>
  isSvcError(error) &&
  !isSvcError(error, 'not_unlocked', 'attestation_refused', 'attestation_malformed', 'attestation_key_taken');

/** Proves that the identity wants the passkey, and returns the service's ID for it. */
async function enrol(
  identity: Identity,
  { passkey, used, challenge }: { passkey: Enrollable; used: Used; challenge: string },
  watch: Watch,
): Promise<string> {
  const evidence = { ...passkey.creation, assertion: used.assertion };
  const work = { kind: 'attest', key: used.key, identity, account: identity, challenge, evidence } as const;
  const proof = await proveToSend(work, watch);
  return (await svc.phone.attestation.createKey(proof)).id;
}

/** The identity after its passkey was revoked. That one can't be enrolled again, so turning it on creates another one. */
function withoutPasskey({ attestationKeyId: _, protection, ...identity }: Identity): Identity {
  if (protection.kind !== 'screen-lock') return { ...identity, protection };
  const { creation: __, ...old } = protection;
  return { ...identity, protection: old };
}

export const noteRevoked = (id: string): Promise<void> => settle(id, withoutPasskey);

/** Changes the stored identity in one transaction. Without a change of its own, it ends with one copy of the secret. */
const settle = (id: string, next: (stored: Identity) => Identity): Promise<void> =>
  change(['identities'], async (store) => {
    const stored = await resultOf<Identity | undefined>(store('identities').get(id));
    if (stored === undefined) return;
    const { successor: _, ...single } = stored;
    store('identities').put(next(single));
  });
