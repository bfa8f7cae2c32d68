import { randomUUID } from 'node:crypto';
import type { AttestationEvidenceParams, Environment, PairingScan, Svc } from '@svc/sdk';
import { evidenceHash } from '@svc/zk/attestation';
import type { PhoneIdentity } from '@svc/zk/phone';
import { Failure } from '../failure.js';
import { plain } from '../terminal.js';
import type { Fault, Use } from './faults/faults.js';
import type { Attested, ProofSigner } from './passkey/passkey.js';
import { type Proved, prove } from './prove.js';
import type { EnrollmentLink } from './qr.js';

/** Has the right form. The chance that it is a valid code is 1 in 27^8. */
export const WRONG_CODE = 'SV-2222-2222';

export interface Nonce {
  readonly nonce: string;
  readonly timestamp: number;
  readonly tenantId: string;
  readonly environment: Environment;
}

/** A nonce with the account and environment that the proof must be bound to. */
export async function createNonce(svc: Svc): Promise<Nonce> {
  const nonce: Partial<Nonce> = await svc.identity.createNonce();
  if (typeof nonce.tenantId === 'string' && typeof nonce.timestamp === 'number') return nonce as Nonce;
  const { version }: { version?: unknown } = await svc.getHealth();
  throw new Failure(
    'unreachable',
    typeof version === 'string'
      ? `The server at ${svc.baseUrl} is version ${plain(version)} and does not support bound proofs. Upgrade the server, or use the command line of its version.`
      : `The server at ${svc.baseUrl} is not this service. Check BASE_URL.`,
  );
}

/** Enrolls a device with its code, its fingerprint and, if the link has it, its id. */
export const enroll = (
  svc: Svc,
  { code, device }: EnrollmentLink,
  fingerprint: string,
  fault: Partial<Fault> = {},
) =>
  svc.devices.enroll({
    enrollment_code: fault.wrongCode ? WRONG_CODE : code,
    fingerprint,
    device_id: device,
  });

/** Sends a proof; with the fault `twice` also a second, fresh one. */
async function send<T>(request: () => Promise<T>, { twice }: Partial<Fault>): Promise<T> {
  const reply = await request();
  return twice ? request() : reply;
}

/** A fresh proof, with the assertion of the phone's passkey if it has one. */
async function proveSigned(
  prove: () => Promise<Proved>,
  attested: Attested,
  sign: ProofSigner | undefined,
  { passkey, replay }: Partial<Fault>,
) {
  const proved = await prove();
  if (sign === undefined) return { proved };
  return { proved, attestation: sign(attested, replay ? await prove() : proved, passkey) };
}

/** Proves for a nonce and sends the proof. */
export async function verify(
  svc: Svc,
  identity: PhoneIdentity,
  { nonce, timestamp, tenantId, environment }: Nonce,
  fault: Partial<Fault> = {},
  sign?: ProofSigner,
) {
  const sentTime = timestamp + (fault.timeShiftMs ?? 0);
  const use: Use = {
    purpose: 'verify',
    tenantId,
    environment,
    sessionId: randomUUID(),
    nonce,
    timestampMs: sentTime,
  };
  const attested = { purpose: 'verify', subject: nonce } as const;
  return send(async () => {
    const { proved, attestation } = await proveSigned(
      () => prove(identity, use, fault),
      attested,
      sign,
      fault,
    );
    return svc.identity.verify({ ...proved, nonce, timestamp: sentTime, attestation });
  }, fault);
}

/** A pairing session as the phone knows it from its QR code. */
export interface PairingTarget {
  readonly sessionId: string;
  readonly nonce: string;
  readonly tenantId: string;
  readonly environment: string;
  readonly scan?: PairingScan;
}

/** What a phone sends beside its proof. */
export interface Approval {
  readonly fault?: Partial<Fault>;
  readonly verdict?: string | undefined;
  /** The number that the desktop shows. */
  readonly number?: string | undefined;
  /** The ticket of the scan. Without it, the code is sent. */
  readonly scanTicket?: string | undefined;
  /** Of the phone's passkey. */
  readonly sign?: ProofSigner | undefined;
}

/** Approves a sign-in, without an API key. */
export async function pair(
  svc: Svc,
  identity: PhoneIdentity,
  target: PairingTarget,
  { fault = {}, verdict, number, scanTicket, sign }: Approval = {},
) {
  const matchCode = number === undefined || fault.type === undefined ? number : fault.type(number);
  const scan = fault.scan && target.scan ? fault.scan(target.scan) : target.scan;
  const freshness = scanTicket === undefined || fault.scan ? scan : { scanTicket };
  const use: Use = { purpose: 'pairing', timestampMs: 0, ...target, matchCode };
  const clientMeta = {
    platform: 'simulator',
    ...(verdict !== undefined && { deviceAttestationVerdict: verdict }),
  };
  const attested = { purpose: 'pairing', subject: target.sessionId } as const;
  return send(async () => {
    const { proved, attestation } = await proveSigned(
      () => prove(identity, use, fault),
      attested,
      sign,
      fault,
    );
    const meta = { ...clientMeta, ...(attestation && { attestation }) };
    return svc.phone.pairing.submit(target.sessionId, {
      ...proved,
      matchCode,
      ...freshness,
      clientMeta: meta,
    });
  }, fault);
}

/** Declines a sign-in, with a proof that a registered person did. */
export async function decline(
  svc: Svc,
  identity: PhoneIdentity,
  target: PairingTarget,
  { reason, scanTicket }: { readonly reason: 'not_me' | 'mistake'; readonly scanTicket: string },
) {
  const proof = await prove(identity, { purpose: 'pairing-decline', timestampMs: 0, ...target });
  return svc.phone.pairing.decline(target.sessionId, { reason, scanTicket, ...proof });
}

interface RegistrationCode {
  readonly sessionId: string;
  readonly code: string;
}

export const pairDevice = (
  svc: Svc,
  { sessionId, code }: RegistrationCode,
  fingerprint: string,
  fault: Partial<Fault> = {},
) =>
  svc.registrations.pairDevice({
    pair_code: fault.wrongCode ? WRONG_CODE : code,
    session_id: sessionId,
    fingerprint,
  });

export const submitCommitment = (
  svc: Svc,
  { sessionId, code }: RegistrationCode,
  { did, commitment }: PhoneIdentity,
) => svc.registrations.submitCommitment({ enroll_code: code, session_id: sessionId, did, commitment });

interface LastStep {
  readonly code: string;
  readonly challenge: string;
  /** Enrolls a passkey that was made for the challenge. */
  readonly attestation?: AttestationEvidenceParams | undefined;
}

export async function complete(
  svc: Svc,
  identity: PhoneIdentity,
  ceremony: { readonly sessionId: string; readonly tenantId: string; readonly environment: string },
  { code, challenge, attestation }: LastStep,
  fault: Partial<Fault> = {},
) {
  const nonce = fault.wrongChallenge ? randomUUID().replaceAll('-', '') : challenge;
  const hash = attestation && evidenceHash(attestation.evidence);
  const use: Use = { purpose: 'registration', ...ceremony, nonce, timestampMs: 0, evidenceHash: hash };
  return send(async () => {
    const { proof, publicSignals } = await prove(identity, use, fault);
    return svc.registrations.complete({
      verify_code: code,
      session_id: ceremony.sessionId,
      challenge_nonce: nonce,
      proof,
      public_signals: publicSignals,
      attestation,
    });
  }, fault);
}
