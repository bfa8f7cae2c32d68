import { isSvcError, SvcError } from '@svc/sdk';
import type { JoinProof, PhoneUse } from '@svc/sdk/prover';
import type { Identity } from '../identities/identity';
import { withKeyInForce } from '../identities/in-force';
import { createUse, proveToSend, type SendWatch } from '../prover/prove-to-send';
import { sendAttested } from '../prover/send-attested';
import { SERVICE, svc } from '../service';
import { createRandom, digitsToExpect, whenChanged } from './rendezvous';

/** An addition that this phone has opened. It is kept only while its screen is open. */
export interface Invitation {
  readonly id: string;
  readonly code: string;
  readonly expiresAt: string;
  /** Proves that this phone opened the addition. The new phone learns it once it has committed to its identity. */
  readonly a: string;
  /** This phone's identity, with the secret in force. */
  readonly identity: Identity;
  /** So that the person unlocks the phone once for the whole addition. */
  readonly key: CryptoKey;
}

/** The address that the new phone's camera opens. */
export const addressOf = (code: string): string => `${SERVICE}/phone/#add=${encodeURIComponent(code)}`;

/** Opens an addition, which gives the code for the new phone. */
export const openInvitation = (identity: Identity, watch: SendWatch): Promise<Invitation> => {
  watch.onStage('unlocking');
  return withKeyInForce(identity, async (version, key) => {
    const a = createRandom();
    const use = await createUse(version, watch);
    const proof = await proveToSend({ kind: 'rendezvous', key, identity: version, use, a }, watch);
    const addition = await svc.phone.additions.open(proof, { signal: watch.signal });
    const { id, code, expiresAt } = addition;
    return { id, code, expiresAt, a, identity: version, key };
  });
};

/** What the new phone has opened, and what both phones show if nobody is between them. */
export interface Met {
  /** The nonce and time of both phones' proofs. */
  readonly use: PhoneUse;
  readonly joined: JoinProof;
  /** Six digits. */
  readonly digits: string;
}

/** What an attempt to meet has found, so that the next one goes on from there. */
export interface Meeting {
  /** What the new phone committed to. Read once, before `a` is revealed: afterwards, somebody could choose another one. */
  c?: string | undefined;
  use?: PhoneUse;
}

/**
 * Waits for the new phone: reveals `a` once that phone has committed to its identity, and computes the digits from what it opens. After
 * a lost connection, it can be called again with the same `meeting`.
 */
export async function meet(
  invitation: Invitation,
  meeting: Meeting,
  signal: AbortSignal,
  onJoined: () => void,
): Promise<Met> {
  const { id, a, identity } = invitation;
  meeting.c ??= (await whenChanged(id, 'open', signal)).c ?? undefined;
  const { c } = meeting;
  if (c === undefined) throw new SvcError('addition_closed', 'The addition ended before a phone joined it.');
  onJoined();
  const use = await reveal(invitation, meeting, signal);
  const opened = await whenChanged(id, 'revealed', signal);
  const { newDid, newCommitment, newProof, newPublicSignals } = opened;
  const digits = digitsToExpect(opened, { did: identity.did, a, c });
  if (digits !== undefined && newDid && newCommitment && newProof && newPublicSignals)
    return { use, joined: { newDid, newCommitment, newProof, newPublicSignals }, digits };
  await reject(invitation);
  throw new SvcError('addition_rejected', 'The new phone did not open what it committed to.');
}

async function reveal({ id, a, identity }: Invitation, meeting: Meeting, signal: AbortSignal) {
  const isRepeated = meeting.use !== undefined;
  meeting.use ??= await svc.phone.createUse(identity, { signal });
  const { nonce, timestamp } = meeting.use;
  await svc.phone.additions.reveal(id, { a, nonce, timestamp }, { signal }).catch((error: unknown) => {
    // The response to an earlier attempt was lost.
    if (!isRepeated || !isSvcError(error, 'addition_closed')) throw error;
  });
  return meeting.use;
}

/** `rejected` if the digits were wrong: then nobody was added. */
export type Added =
  | { readonly outcome: 'rejected' }
  | { readonly outcome: 'added'; readonly inForceAt: string | null };

/** Adds the new phone if these are its digits. There is one try: wrong digits end the addition. */
export async function addPhone(
  invitation: Invitation,
  met: Met,
  typed: string,
  watch: SendWatch,
): Promise<Added> {
  if (typed !== met.digits) {
    await reject(invitation);
    return { outcome: 'rejected' };
  }
  const { id, identity, key } = invitation;
  const { use, joined } = met;
  const proof = await proveToSend({ kind: 'add', key, identity, use, joined }, watch);
  try {
    const of = { purpose: 'add', subject: proof.nonce } as const;
    const reply = await sendAttested(identity, of, proof, watch.onStage, (attestation) =>
      svc.phone.identity.add({ ...proof, additionId: id, attestation }),
    );
    return { outcome: 'added', inForceAt: reply.identity.inForceAt };
  } catch (error) {
    // The response to an earlier attempt may have been lost.
    if (isSvcError(error, 'verification_failed', 'addition_closed') && (await isCompleted(id)))
      return { outcome: 'added', inForceAt: null };
    throw error;
  }
}

const isCompleted = (id: string): Promise<boolean> =>
  svc.phone.additions.get(id).then(
    ({ state }) => state === 'completed',
    () => false,
  );

/** Ends the addition, so that nobody is added. Without a network it expires, and nobody is added either. */
export async function reject({ id, a }: Invitation): Promise<void> {
  await svc.phone.additions.reject(id, a).catch(() => undefined);
}
