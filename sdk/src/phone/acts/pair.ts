import { originOf } from '../../codecs/address.js';
import { readShortCode, type ShortCode } from '../../codecs/code-url.js';
import {
  type EnrolledAt,
  type PairingCode,
  parsePairingCode,
  readPairingCode,
} from '../../codecs/pairing-code.js';
import type { AttestationParams } from '../../generated/api.js';
import { isSvcError, SvcError } from '../../transport/errors.js';
import type { Reply } from '../../transport/transport.js';
import { settle, versionsOf } from '../in-force.js';
import { identityOf, type PhonePorts, type Watch, whenOnline } from '../ports.js';
import { type Identity, isSamePlace, type Secret } from '../records.js';
import { proveToSend, sendAttested } from '../send.js';
import { noteKeyRevoked } from './attest.js';

/** A code with the identities that can approve it. */
export interface Approvable<S extends Secret> {
  /** The whole code. */
  readonly text: string;
  readonly code: PairingCode;
  /** Who asks, if the service had to be asked for the whole code. */
  readonly asked?: Reply<'getPhonePairingContext'> | undefined;
  /** Usually one. More follow if it is unknown whether a newer one is registered, or which of its secrets is in force. */
  readonly identities: readonly Identity<S>[];
}

/** The identity that a code is most likely for, even if it belongs elsewhere. */
export const nearestIdentity = <S extends Secret>(
  identities: readonly Identity<S>[],
  code: PairingCode,
): Identity<S> | undefined => {
  const nearness = ({ tenantId, environment }: EnrolledAt) =>
    2 * Number(tenantId === code.tenantId) + Number(environment === code.environment);
  return identities.toSorted(
    (left, right) => nearness(right) - nearness(left) || Number(right.confirmed) - Number(left.confirmed),
  )[0];
};

/**
 * Finds the identities for the text of a pairing's code. For `url`, which only names the session, it asks the service for the whole code
 * at each account where the phone is registered. Otherwise nothing is sent, unless the phone's clock says that the code has expired: then
 * it asks for the service's.
 * @throws SvcError `malformed_payload`, `foreign_code` for a code of another service, account or environment, `not_registered`,
 * `pairing_session_expired`, and those of `phone.pairing.context` for `url`
 */
export async function findForCode<S extends Secret>(
  phone: PhonePorts<S>,
  scanned: string,
  { signal }: Pick<Watch, 'signal'> = {},
): Promise<Approvable<S>> {
  const short = readShortCode(scanned);
  if (short === undefined) return findForWhole(phone, scanned);
  const asked = await askForWhole(phone, short, signal);
  return { ...(await findForWhole(phone, asked.qrPayload ?? '')), asked };
}

const noIdentity = () => new SvcError('not_registered', 'This phone is not registered anywhere.');

/** The code and who asks, from the account that knows it. */
async function askForWhole<S extends Secret>(
  { service, vault }: PhonePorts<S>,
  short: ShortCode,
  signal: AbortSignal | undefined,
): Promise<Reply<'getPhonePairingContext'>> {
  const own = originOf(service.baseUrl);
  if (short.origin !== own)
    throw new SvcError(
      'foreign_code',
      `This code leads to another service (${short.origin}) than this one (${own}). Nothing was sent.`,
    );
  const { identities } = await vault.read();
  const here = identities.filter(({ baseUrl }) => originOf(baseUrl) === own);
  const places = here.filter((each, at) => here.findIndex((other) => isSamePlace(each, other)) === at);
  if (places.length === 0) throw noIdentity();
  const tried = await Promise.allSettled(
    places.map((place) => service.phone.pairing.find(short, place, { signal })),
  );
  const found = tried.find((each) => each.status === 'fulfilled');
  if (found) return found.value;
  const errors = tried.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  throw (
    errors.find((error) => !isSvcError(error, 'pairing_session_not_found')) ??
    new SvcError(
      'foreign_code',
      'No account where this phone is registered knows this code. It is of another account, or too old.',
    )
  );
}

async function findForWhole<S extends Secret>(phone: PhonePorts<S>, text: string): Promise<Approvable<S>> {
  const code = parsePairingCode(text);
  const { identities } = await phone.vault.read();
  const nearest = nearestIdentity(identities, code);
  readPairingCode(text, nearest ?? { ...code, baseUrl: phone.service.baseUrl });
  if (nearest === undefined) throw noIdentity();
  if (isExpired(phone, code)) await phone.service.phone.createUse(code);
  expectUnexpired(phone, code);
  const own = identities
    .filter((other) => isSamePlace(other, nearest))
    .toSorted((left, right) => Number(right.confirmed) - Number(left.confirmed));
  return { text, code, identities: own.flatMap(versionsOf) };
}

const isExpired = <S extends Secret>({ service }: PhonePorts<S>, { expiresAtSeconds }: PairingCode) =>
  expiresAtSeconds * 1000 <= service.serverNow();

function expectUnexpired<S extends Secret>(phone: PhonePorts<S>, code: PairingCode): void {
  if (isExpired(phone, code)) throw new SvcError('pairing_session_expired', 'The code has expired.');
}

/** What the person decided on. */
export interface PairingDecision {
  /** Of the session's context. Without it, the code's own `scan` is sent. */
  readonly scanTicket?: string | undefined;
  /** The number that the person typed, if the session asks for one. */
  readonly matchCode?: string | undefined;
  /** Whether the context says that the company asks for an assertion. */
  readonly isAttested?: boolean | undefined;
  /** What else to send of the phone. */
  readonly clientMeta?: object | undefined;
}

export type Approved = Reply<'submitPhonePairingProof'>;

/** The company wants an attestation key beside a new browser. The proof was that of this identity, which has none in force. */
export class NewBrowserRefused<S extends Secret> extends SvcError {
  readonly identity: Identity<S>;

  constructor(cause: SvcError, identity: Identity<S>) {
    super(cause.code, cause.message, { ...cause, cause });
    this.identity = identity;
  }
}

/** Approves a sign-in. Without a network, it waits for one, and fails if the code has expired by then. */
export async function approvePairing<S extends Secret>(
  phone: PhonePorts<S>,
  found: Approvable<S>,
  decision: PairingDecision,
  watch: Watch = {},
): Promise<Approved> {
  let rejection: unknown = new SvcError('not_registered', 'This phone is not registered here.');
  for (const identity of found.identities)
    try {
      return await approveAs(phone, identity, found, decision, watch);
    } catch (error) {
      // This identity may be revoked, and the next one may belong to a newer registration.
      if (!isSvcError(error, 'verification_failed')) throw error;
      rejection = error;
    }
  throw notYetInForce(phone, found) ?? rejection;
}

/** What to say instead of “revoked” if the phone takes over later. */
function notYetInForce<S extends Secret>({ service }: PhonePorts<S>, { identities }: Approvable<S>) {
  const inForceAt = identities.find(
    (each) => each.inForceAt !== undefined && Date.parse(each.inForceAt) > service.serverNow(),
  )?.inForceAt;
  if (inForceAt === undefined) return undefined;
  return new SvcError('not_in_force', `This phone can be used from ${inForceAt}.`, {
    details: [{ path: 'inForceAt', message: inForceAt }],
  });
}

async function approveAs<S extends Secret>(
  phone: PhonePorts<S>,
  identity: Identity<S>,
  { text, code }: Approvable<S>,
  { scanTicket, matchCode, isAttested, clientMeta }: PairingDecision,
  watch: Watch,
): Promise<Approved> {
  watch.signal?.throwIfAborted();
  watch.onStage?.('unlocking');
  const work = { kind: 'pairing', code: text, enrolledAt: identity, matchCode } as const;
  const proof = await phone.prover.prove(identity, work, (stage) => watch.onStage?.(stage));
  await whenOnline(phone, watch);
  expectUnexpired(phone, code);
  watch.onStage?.('sending');
  const freshness = scanTicket === undefined ? code.scan : { scanTicket };
  const submit = (attestation?: AttestationParams) => {
    const meta = { ...clientMeta, ...(attestation && { attestation }) };
    const body = { ...proof, ...freshness, ...(Object.keys(meta).length > 0 && { clientMeta: meta }) };
    return phone.service.phone.pairing.submit(code.sessionId, body, { signal: watch.signal });
  };
  const of = { purpose: 'pairing', subject: code.sessionId, isRequired: isAttested || undefined } as const;
  try {
    const approved = await sendAttested(phone, identity, of, proof, watch, submit);
    await settle(phone, identity);
    return approved;
  } catch (error) {
    if (!isSvcError(error, 'new_browser_refused')) throw error;
    // The service accepted the proof, and says this only to one without a key in force.
    await settle(phone, identity);
    if (identity.attestationKeyId !== undefined) await noteKeyRevoked(phone, identity.id);
    throw new NewBrowserRefused(error, await identityOf(phone, identity.id));
  }
}

export interface PairingDecline {
  readonly reason: 'not_me' | 'mistake';
  readonly scanTicket: string;
  /**
   * When this resolves, the phone declines without a proof, because the sign-in has to end in any case: also if the person does not
   * unlock the phone.
   */
  readonly proofUntil?: Promise<unknown> | undefined;
}

/** Tells the service that the person did not ask for this sign-in, which ends it. */
export async function declinePairing<S extends Secret>(
  phone: PhonePorts<S>,
  found: Approvable<S>,
  { reason, scanTicket, proofUntil }: PairingDecline,
): Promise<Reply<'declinePhonePairing'>> {
  const { code } = found;
  const { pairing } = phone.service.phone;
  const send = (ticket: string, proof: object = {}) =>
    pairing.decline(code.sessionId, { reason, scanTicket: ticket, ...proof });
  try {
    return await send(scanTicket, await proofOfDecline(phone, found, proofUntil));
  } catch (error) {
    // A revoked identity proves nothing.
    if (isSvcError(error, 'verification_failed')) return send(scanTicket);
    // The ticket has expired. The code of a session that does not move gives a new one at any time.
    if (!isSvcError(error, 'pairing_code_stale') || code.scan !== undefined) throw error;
    return send((await pairing.context(code)).scanTicket);
  }
}

/** Shows that a registered person declined. Undefined if there is no proof in time. */
async function proofOfDecline<S extends Secret>(
  phone: PhonePorts<S>,
  { text, identities: [identity] }: Approvable<S>,
  proofUntil: Promise<unknown> | undefined,
) {
  if (identity === undefined) return undefined;
  const proving = proveToSend(phone, identity, { kind: 'decline', code: text, enrolledAt: identity }, {});
  return Promise.race([proving, ...(proofUntil ? [proofUntil.then(() => undefined)] : [])]).catch(
    () => undefined,
  );
}
