import type { JoinProof, PhoneUse } from '../../identity-proofs.js';
import { isSvcError, SvcError } from '../../transport/errors.js';
import type { Reply } from '../../transport/transport.js';
import { digitsToExpect } from '../digits.js';
import { whenChanged } from '../patience.js';
import type { PhonePorts, Watch } from '../ports.js';
import { createRandom } from '../random.js';
import type { Identity, Secret } from '../records.js';
import { asPerson, proveToSend, sendAttested } from '../send.js';

/**
 * An addition that this phone has opened. It is not stored: if the phone dies, nobody is added unless the digits were sent, and the new
 * phone learns that from the service.
 */
export interface Invitation<S extends Secret> {
  readonly id: string;
  readonly code: string;
  readonly deeplink: string;
  readonly expiresAt: string;
  /** Proves that this phone opened the addition. The new phone learns it once it has committed to its identity. */
  readonly a: string;
  /** This phone's identity, with the secret in force. */
  readonly identity: Identity<S>;
}

/** Opens an addition, which gives the code for the new phone. */
export function invite<S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  watch: Watch = {},
): Promise<Invitation<S>> {
  const a = createRandom();
  return asPerson(phone, id, { kind: 'rendezvous', a }, watch, async (proof, identity) => {
    const opened = await phone.service.phone.additions.open(proof, { signal: watch.signal });
    const { code, deeplink, expiresAt } = opened;
    return { id: opened.id, code, deeplink, expiresAt, a, identity };
  });
}

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
 * a lost connection, it can be called again with the same `meeting`. The stage is `meeting` once a phone has joined.
 */
export async function meet<S extends Secret>(
  phone: PhonePorts<S>,
  invitation: Invitation<S>,
  meeting: Meeting,
  { signal, onStage }: Watch = {},
): Promise<Met> {
  const { id, a, identity } = invitation;
  onStage?.('joining');
  meeting.c ??= (await whenChanged(phone, id, 'open', { signal })).c ?? undefined;
  const { c } = meeting;
  if (c === undefined) throw new SvcError('addition_closed', 'The addition ended before a phone joined it.');
  onStage?.('meeting');
  const use = await reveal(phone, invitation, meeting, signal);
  const opened = await whenChanged(phone, id, 'revealed', { signal });
  const { newDid, newCommitment, newProof, newPublicSignals } = opened;
  const digits = digitsToExpect(opened, { did: identity.did, a, c });
  if (digits !== undefined && newDid && newCommitment && newProof && newPublicSignals)
    return { use, joined: { newDid, newCommitment, newProof, newPublicSignals }, digits };
  await uninvite(phone, invitation);
  throw new SvcError('addition_rejected', 'The new phone did not open what it committed to.');
}

async function reveal<S extends Secret>(
  { service }: PhonePorts<S>,
  { id, a, identity }: Invitation<S>,
  meeting: Meeting,
  signal: AbortSignal | undefined,
): Promise<PhoneUse> {
  const isRepeated = meeting.use !== undefined;
  meeting.use ??= await service.phone.createUse(identity, { signal });
  const { nonce, timestamp } = meeting.use;
  await service.phone.additions.reveal(id, { a, nonce, timestamp }, { signal }).catch((error: unknown) => {
    // The response to an earlier attempt was lost.
    if (!isRepeated || !isSvcError(error, 'addition_closed')) throw error;
  });
  return meeting.use;
}

/** `rejected` if the digits were wrong: then nobody was added. `reply` is absent if the first response was lost. */
export type Added =
  | { readonly outcome: 'rejected' }
  | {
      readonly outcome: 'added';
      readonly inForceAt: string | null;
      readonly reply?: Reply<'addIdentity'>;
    };

/** Adds the new phone if these are its digits. There is one try: wrong digits end the addition. */
export async function add<S extends Secret>(
  phone: PhonePorts<S>,
  invitation: Invitation<S>,
  { use, joined, digits }: Met,
  typed: string,
  watch: Watch = {},
): Promise<Added> {
  if (typed !== digits) {
    await uninvite(phone, invitation);
    return { outcome: 'rejected' };
  }
  const { id, identity } = invitation;
  const { additions, identity: identities } = phone.service.phone;
  const proof = await proveToSend(phone, identity, { kind: 'add', use, joined }, watch);
  try {
    const of = { purpose: 'add', subject: proof.nonce } as const;
    const reply = await sendAttested(phone, identity, of, proof, watch, (attestation) =>
      identities.add({ ...proof, additionId: id, attestation }),
    );
    return { outcome: 'added', inForceAt: reply.identity.inForceAt, reply };
  } catch (error) {
    // The response to an earlier attempt may have been lost.
    const isRepeated = isSvcError(error, 'verification_failed', 'addition_closed');
    const state = isRepeated && (await additions.get(id).catch(() => undefined))?.state;
    if (state === 'completed') return { outcome: 'added', inForceAt: null };
    throw error;
  }
}

/** Ends the addition, so that nobody is added. Without a network it expires, and nobody is added either. */
export async function uninvite<S extends Secret>(
  { service }: PhonePorts<S>,
  { id, a }: Pick<Invitation<S>, 'id' | 'a'>,
): Promise<void> {
  await service.phone.additions.reject(id, a).catch(() => undefined);
}
