import {
  type EnrolledAt,
  isSvcError,
  type PairingCode,
  parsePairingCode,
  readPairingCode,
  SvcError,
} from '@svc/sdk';
import { type Identity, idOf, readIdentities } from '../identities/identity';
import { settle, unlocker } from '../identities/in-force';
import { versionsOf } from '../identities/renewal';
import { t } from '../language/strings';
import { whenText } from '../language/when';
import { isRetryable, PhoneError } from '../messages';
import { whenOnline } from '../offline/online';
import { noteRevoked } from '../passkey/turn-on';
import { runInProver } from '../prover/prover';
import { sendAttested } from '../prover/send-attested';
import { SERVICE, svc } from '../service';
import { read } from '../vault/database';
import { unlock } from '../vault/protection';
import type { Asked } from './asked';

/** A code with the identities that can approve it. */
export interface Approvable {
  readonly text: string;
  readonly code: PairingCode;
  /** Usually one. More follow if it is unknown whether a newer one is registered, or which of its secrets is in force. */
  readonly identities: readonly Identity[];
}

/**
 * Finds the identities for a code.
 * @throws PhoneError `foreign_code` for a code of another service, account or environment, `not_registered`
 */
export async function findIdentities(text: string, code: PairingCode): Promise<Approvable> {
  const identities = await readIdentities();
  const nearness = ({ tenantId, environment }: EnrolledAt) =>
    2 * Number(tenantId === code.tenantId) + Number(environment === code.environment);
  const [identity] = identities.sort(
    (left, right) => nearness(right) - nearness(left) || Number(right.confirmed) - Number(left.confirmed),
  );
  if (identity === undefined) {
    expectOwn(text, { ...code, baseUrl: SERVICE });
    throw new PhoneError('not_registered', t.errors.notRegistered);
  }
  expectOwn(text, identity);
  expectUnexpired(code);
  return {
    text,
    code,
    identities: identities.filter((other) => idOf(other) === idOf(identity)).flatMap(versionsOf),
  };
}

function expectUnexpired({ expiresAtSeconds }: PairingCode): void {
  if (expiresAtSeconds * 1000 <= svc.serverNow())
    throw new SvcError('pairing_session_expired', 'The code has expired.');
}

/** @throws PhoneError `foreign_code` */
function expectOwn(text: string, enrolledAt: EnrolledAt): void {
  try {
    readPairingCode(text, enrolledAt);
  } catch (error) {
    if (!isSvcError(error, 'foreign_code')) throw error;
    throw new PhoneError('foreign_code', foreignMessage(parsePairingCode(text), enrolledAt));
  }
}

function foreignMessage(code: PairingCode, enrolledAt: EnrolledAt): string {
  const [origin, own] = [code, enrolledAt].map(({ baseUrl }) => new URL(baseUrl).origin) as [string, string];
  if (origin !== own) return t.errors.foreignService(origin, own);
  if (code.tenantId !== enrolledAt.tenantId) return t.errors.foreignAccount;
  if (code.environment !== enrolledAt.environment) return t.errors.foreignEnvironment[enrolledAt.environment];
  // The same host with another path.
  return t.errors.foreignService(code.baseUrl, enrolledAt.baseUrl);
}

export type Stage = 'unlocking' | 'loading' | 'proving' | 'waiting' | 'signing' | 'sending';

type Watch = { readonly signal: AbortSignal; onStage(stage: Stage): void };
/** What the person decided on, and the number that they typed if the session asks for one. */
export type Decision = Pick<Asked, 'scanTicket'> & {
  readonly matchCode?: string | undefined;
  /** Whether the company asks for an assertion by the passkey. */
  readonly isAttested?: boolean;
};
export type Approved = Awaited<ReturnType<typeof svc.phone.pairing.submit>>;

/** The company wants a passkey beside a new browser. The proof was that of this identity, which has none in force. */
export class RefusedInNewBrowser extends Error {
  readonly identity: Identity;

  constructor(identity: Identity) {
    super('This identity has no passkey in force.');
    this.identity = identity;
  }
}

/** Creates the proof and sends it. Without a network, it waits for one, and fails if the code has expired by then. */
export async function approve(found: Approvable, decision: Decision, watch: Watch): Promise<Approved> {
  const unlockOnce = unlocker();
  for (const [index, identity] of found.identities.entries())
    try {
      return await approveAs(identity, found, decision, unlockOnce, watch);
    } catch (error) {
      if (!isSvcError(error, 'verification_failed')) throw error;
      // This identity may be revoked, and the next one may belong to a newer registration.
      if (index === found.identities.length - 1) throw notYetInForce(found) ?? error;
    }
  throw new PhoneError('not_registered', t.errors.notRegistered);
}

/** The stored identity without its passkey: the service accepted the proof, and says this only to one without a passkey in force. */
async function afterRefusal(identity: Identity): Promise<Identity> {
  await settle(identity);
  if (identity.attestationKeyId === undefined) return identity;
  await noteRevoked(identity.id);
  return (await read<Identity>('identities', identity.id)) ?? identity;
}

/** What to say instead of “revoked” if the phone takes over later. */
function notYetInForce({ identities }: Approvable): PhoneError | undefined {
  const waiting = identities.find(({ inForceAt }) => inForceAt && Date.parse(inForceAt) > svc.serverNow());
  return waiting?.inForceAt
    ? new PhoneError('not_in_force', t.errors.notInForce(whenText(waiting.inForceAt)))
    : undefined;
}

async function approveAs(
  identity: Identity,
  { text, code }: Approvable,
  { scanTicket, matchCode, isAttested }: Decision,
  unlockOnce: ReturnType<typeof unlocker>,
  { signal, onStage }: Watch,
): Promise<Approved> {
  signal.throwIfAborted();
  onStage('unlocking');
  const key = await unlockOnce(identity.protection);
  const work = { kind: 'pairing', key, identity, code: text, enrolledAt: identity, matchCode } as const;
  const proof = await runInProver(work, onStage);
  await whenOnline(signal, () => onStage('waiting'));
  expectUnexpired(code);
  onStage('sending');
  const of = { purpose: 'pairing', subject: code.sessionId, isRequired: isAttested } as const;
  const approved = await sendAttested(identity, of, proof, onStage, (attestation) => {
    const clientMeta = attestation && { clientMeta: { attestation } };
    return svc.phone.pairing.submit(code.sessionId, { ...proof, scanTicket, ...clientMeta }, { signal });
  }).catch(async (error) => {
    if (!isSvcError(error, 'new_browser_refused')) throw error;
    throw new RefusedInNewBrowser(await afterRefusal(identity));
  });
  await settle(identity);
  return approved;
}

/** What became of a sign-in that the person said was not theirs. */
export type DeclineOutcome = 'declined' | 'over' | 'signedIn';

/** Tells the service that the person did not ask for this sign-in, which ends it. */
export async function declineAsNotMe(found: Approvable, decision: Decision): Promise<DeclineOutcome> {
  try {
    await sendDecline(found, decision);
    return 'declined';
  } catch (error) {
    if (isSvcError(error, 'pairing_session_already_bound')) return 'signedIn';
    if (isRetryable(error)) throw error;
    return 'over';
  }
}

/** A person who does not unlock the phone until then declines without a proof. */
const PROOF_MS = 30_000;

/**
 * Shows that a registered person declined. Undefined if there is no proof in time, because the sign-in has to end in any case.
 */
async function proofOfDecline({ text, identities: [identity] }: Approvable) {
  if (identity === undefined) return undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PROOF_MS);
  });
  const proving = unlock(identity.protection).then((key) =>
    runInProver({ kind: 'decline', key, identity, code: text, enrolledAt: identity }),
  );
  const proof = await Promise.race([proving, tooLate]).catch(() => undefined);
  clearTimeout(timer);
  return proof;
}

async function sendDecline(found: Approvable, { scanTicket }: Decision): Promise<void> {
  const { code } = found;
  const { pairing } = svc.phone;
  const send = (ticket: string, proof: object = {}) =>
    pairing.decline(code.sessionId, { reason: 'not_me', scanTicket: ticket, ...proof });
  try {
    await send(scanTicket, await proofOfDecline(found));
  } catch (error) {
    // A revoked identity proves nothing.
    if (isSvcError(error, 'verification_failed')) return void (await send(scanTicket));
    // The ticket has expired. The code of a session that does not move gives a new one at any time.
    if (!isSvcError(error, 'pairing_code_stale') || code.scan !== undefined) throw error;
    await send((await pairing.context(code)).scanTicket);
  }
}
