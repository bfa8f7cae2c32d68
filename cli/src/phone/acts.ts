import { randomUUID } from 'node:crypto';
import type { PhoneIdentity } from '@svc/zk/phone';
import { type Answer, type Client, otherVersion, refusalOf } from '../client.js';
import { Failure } from '../failure.js';
import type { Fault, Use } from './faults.js';
import { prove } from './prove.js';
import type { EnrollmentLink } from './qr.js';

/** A code of the right form that is nobody's, but once in 27^8 times. */
const WRONG_CODE = 'SV-2222-2222';

export interface Nonce {
  readonly nonce: string;
  readonly timestamp: number;
  readonly tenantId: string;
  readonly environment: 'live' | 'test';
}

/** Where a proof will be good: only the service can say. */
export async function askNonce(client: Client, as: string): Promise<Nonce> {
  const nonce = await client.call<Partial<Nonce>>('GET', '/v1/auth/zkp/nonce', { as });
  if (typeof nonce.tenantId !== 'string' || typeof nonce.timestamp !== 'number')
    throw new Failure('unreachable', await otherVersion(client, 'bound proofs'));
  return nonce as Nonce;
}

/** A device sends its code, its fingerprint and, where its link has it, its id. */
export const enroll = (
  client: Client,
  { code, device }: EnrollmentLink,
  fingerprint: string,
  fault: Partial<Fault> = {},
) =>
  client.ask('POST', '/v1/devices/enroll', {
    body: { enrollment_code: fault.wrongCode ? WRONG_CODE : code, fingerprint, device_id: device },
  });

/** Proves for a nonce, and sends it. */
export async function verify(
  client: Client,
  as: string,
  identity: PhoneIdentity,
  { nonce, timestamp, tenantId, environment }: Nonce,
  fault: Partial<Fault> = {},
): Promise<Answer> {
  const sentTime = timestamp + (fault.timeShiftMs ?? 0);
  const use: Use = {
    purpose: 'verify',
    tenantId,
    environment,
    sessionId: randomUUID(),
    nonce,
    timestampMs: sentTime,
  };
  const send = async () => {
    const proved = await prove(identity, use, fault);
    return client.ask('POST', '/v1/identity/verify', { as, body: { ...proved, nonce, timestamp: sentTime } });
  };
  const answer = await send();
  return fault.twice && answer.status === 200 ? send() : answer;
}

/** A pairing session as the phone knows it from its QR code. */
export interface PairingTarget {
  readonly sessionId: string;
  readonly nonce: string;
  readonly tenantId: string;
  readonly environment: string;
}

export async function pair(
  client: Client,
  as: string,
  identity: PhoneIdentity,
  target: PairingTarget,
  { fault = {}, verdict }: { fault?: Partial<Fault>; verdict?: string | undefined } = {},
): Promise<Answer> {
  const use: Use = { purpose: 'pairing', timestampMs: 0, ...target };
  const clientMeta = {
    platform: 'simulator',
    ...(verdict !== undefined && { deviceAttestationVerdict: verdict }),
  };
  const send = async () => {
    const body = { ...(await prove(identity, use, fault)), clientMeta };
    return client.ask('POST', `/v1/proof-pairing/sessions/${encodeURIComponent(target.sessionId)}/submit`, {
      as,
      body,
    });
  };
  const answer = await send();
  return fault.twice && answer.status === 200 ? send() : answer;
}

/** A ceremony as far as the phone has come with it. */
export interface Ceremony {
  readonly sessionId: string;
  readonly tenantId: string;
  readonly environment: string;
  readonly deviceId: string;
}

export async function pairDevice(
  client: Client,
  { sessionId, code }: { sessionId: string; code: string },
  fingerprint: string,
  fault: Partial<Fault> = {},
): Promise<Answer> {
  return client.ask('POST', '/v1/registrations/pair-device', {
    body: { pair_code: fault.wrongCode ? WRONG_CODE : code, session_id: sessionId, fingerprint },
  });
}

export const submitCommitment = (
  client: Client,
  { sessionId, code }: { sessionId: string; code: string },
  { did, commitment }: PhoneIdentity,
) =>
  client.ask('POST', '/v1/registrations/submit-commitment', {
    body: { enroll_code: code, session_id: sessionId, did, commitment },
  });

export async function complete(
  client: Client,
  identity: PhoneIdentity,
  { tenantId, environment, sessionId }: Omit<Ceremony, 'deviceId'>,
  { code, challenge }: { code: string; challenge: string },
  fault: Partial<Fault> = {},
): Promise<Answer> {
  const nonce = fault.wrongChallenge ? randomUUID().replaceAll('-', '') : challenge;
  const use: Use = { purpose: 'registration', tenantId, environment, sessionId, nonce, timestampMs: 0 };
  const send = async () => {
    const { proof, publicSignals } = await prove(identity, use, fault);
    return client.ask('POST', '/v1/registrations/complete', {
      body: {
        verify_code: code,
        session_id: sessionId,
        challenge_nonce: nonce,
        proof,
        public_signals: publicSignals,
      },
    });
  };
  const answer = await send();
  return fault.twice && answer.status === 201 ? send() : answer;
}

/** The body of an answer that had to be a success. */
export async function expectOk(client: Client, answer: Answer) {
  if (answer.status >= 400) throw await refusalOf(client, answer);
  return answer.body;
}
