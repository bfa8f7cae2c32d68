import type { PairingCreateParams, PairingScan } from '@svc/sdk';
import type { ProverOutput } from '@svc/zk/prover/prover';
import { FIRST_COUNTER, type PasskeyFault } from '../passkey/authenticator.js';
import { offCurve, outsideSubgroup, rerandomised, unreduced, wrongProof } from './altered-proofs.js';

/** The operations of a phone. */
export type Act = 'enroll' | 'register' | 'verify' | 'pair' | 'passkey';

/** The status of a response, and the code of an error. */
export interface Expected {
  readonly status: number;
  readonly error?: string;
}

/** What a proof is bound to. */
export interface Use {
  readonly purpose: 'verify' | 'registration' | 'pairing' | 'pairing-decline';
  readonly tenantId: string;
  readonly environment: string;
  /** Of a ceremony or a pairing. */
  readonly sessionId: string;
  readonly nonce: string;
  /** Of a pairing that asks for a number. */
  readonly matchCode?: string | undefined;
  /** Of a verification. */
  readonly timestampMs: number;
  /** Of a registration that enrolls a passkey. */
  readonly evidenceHash?: string | undefined;
}

/** One mistake of a phone; everything else is correct. */
export interface Fault {
  readonly summary: string;
  /** The response, for each act that can have the fault. */
  readonly answers: Readonly<Partial<Record<Act, Expected>>>;
  /** What the proof is bound to instead of the request's own values; undefined for nothing. */
  readonly bind?: (use: Use) => Use | undefined;
  /** Proves with another phone's secrets. */
  readonly stranger?: true;
  /** Sends a DID that is not registered. */
  readonly unknownDid?: true;
  readonly alter?: (output: ProverOutput, commitment: string) => ProverOutput;
  /** Added to the service's time. */
  readonly timeShiftMs?: number;
  readonly wrongCode?: true;
  readonly wrongChallenge?: true;
  /** What the session must have been opened with. */
  readonly session?: Pick<PairingCreateParams, 'match' | 'rotate'>;
  /** What the person types instead of the number; undefined for nothing. */
  readonly type?: (number: string) => string | undefined;
  /** Alters the scanned code, and sends it without a ticket. */
  readonly scan?: (scan: PairingScan) => PairingScan;
  /** What the phone’s passkey gets wrong. */
  readonly passkey?: PasskeyFault;
  /** Sends the passkey’s assertion over another proof. */
  readonly replay?: true;
  /** Sends a correct request, then a second one with a fresh proof; the second response counts. */
  readonly twice?: true;
}

const MALFORMED = { status: 400, error: 'invalid_request' };
const NOT_VERIFIED = { status: 401, error: 'verification_failed' };
const NOT_COMPLETED = { status: 404, error: 'verify_failed' };

const malformed = { register: MALFORMED, verify: MALFORMED, pair: MALFORMED };
const refused = { register: NOT_COMPLETED, verify: NOT_VERIFIED, pair: NOT_VERIFIED };
const misbound = { ...refused, pair: { status: 401, error: 'pairing_nonce_mismatch' } };
/** One millisecond more than the service allows. */
const BEYOND_SKEW_MS = 300_001;

const alterProof = (change: typeof rerandomised) => (output: ProverOutput) => ({
  ...output,
  proof: change(output.proof),
});

/** Another value of the same form. The fields of a binding are hex digits or ids. */
const other = (text: string) => `${text.startsWith('1') ? '2' : '1'}${text.slice(1)}`;

const mistrusted = { ...refused, passkey: { status: 401, error: 'attestation_refused' } };
const { register: _, passkey: __, ...mistrustedProof } = mistrusted;

/** Of an answer of the phone’s passkey, in the order of the service’s checks. */
const PASSKEY_FAULTS: Readonly<Record<string, Fault>> = {
  'passkey-challenge': {
    summary: 'the passkey signed another challenge',
    answers: mistrusted,
    passkey: { challenge: (challenge) => `${challenge.startsWith('A') ? 'B' : 'A'}${challenge.slice(1)}` },
  },
  'passkey-origin': {
    summary: 'the passkey was used on a page of another origin',
    answers: mistrusted,
    passkey: { origin: 'https://svc.example' },
  },
  'passkey-embedded': {
    summary: 'the page that used the passkey was embedded in another one',
    answers: mistrusted,
    passkey: { crossOrigin: true },
  },
  'passkey-host': {
    summary: 'the passkey belongs to another host',
    answers: mistrusted,
    passkey: { rpId: 'svc.example' },
  },
  'passkey-unverified': {
    summary: 'the person did not unlock the passkey',
    answers: mistrusted,
    passkey: { isUnverified: true },
  },
  'passkey-foreign': {
    summary: 'the passkey of another identity signed',
    answers: mistrusted,
    passkey: { otherKey: true },
  },
  'passkey-counter': {
    summary: 'the counter of the passkey did not rise, as with a copy of it',
    answers: mistrusted,
    passkey: { counter: FIRST_COUNTER },
  },
  'passkey-replay': {
    summary: 'the assertion belongs to an earlier proof',
    answers: mistrustedProof,
    replay: true,
  },
};

export const FAULTS: Readonly<Record<string, Fault>> = {
  'wrong-nonce': {
    summary: 'the proof is bound to another nonce',
    answers: misbound,
    bind: (use) => ({ ...use, nonce: other(use.nonce) }),
  },
  'other-tenant': {
    summary: 'the proof is bound to another account',
    answers: misbound,
    bind: (use) => ({ ...use, tenantId: other(use.tenantId) }),
  },
  'other-environment': {
    summary: 'the proof is bound to the other environment',
    answers: misbound,
    bind: (use) => ({ ...use, environment: use.environment === 'live' ? 'test' : 'live' }),
  },
  'other-purpose': {
    summary: 'a proof for one use is sent to another',
    answers: misbound,
    bind: (use) => ({ ...use, purpose: use.purpose === 'verify' ? 'pairing' : 'verify' }),
  },
  'unbound-proof': {
    summary: 'the proof is bound to nothing, as the deprecated endpoints accept it',
    answers: misbound,
    bind: () => undefined,
  },
  'foreign-proof': {
    summary: 'the proof uses another phone’s secret',
    answers: refused,
    stranger: true,
  },
  'borrowed-commitment': {
    summary: 'another phone’s proof is sent with this one’s commitment',
    answers: refused,
    stranger: true,
    alter: ({ proof, publicSignals: [, ...rest] }, commitment) => ({
      proof,
      publicSignals: [String(BigInt(`0x${commitment}`)), ...rest],
    }),
  },
  'unknown-did': {
    summary: 'the DID is not registered',
    answers: { verify: NOT_VERIFIED, pair: NOT_VERIFIED },
    unknownDid: true,
  },
  'malleated-proof': {
    summary:
      'the proof is re-randomised, which needs no secret and gives another valid proof of the same statement',
    answers: { register: { status: 201 }, verify: { status: 200 }, pair: { status: 200 } },
    alter: alterProof(rerandomised),
  },
  'swapped-points': {
    summary: 'two points of the proof are swapped',
    answers: refused,
    alter: alterProof(wrongProof),
  },
  'off-curve': {
    summary: 'a point of the proof is not on the curve',
    answers: refused,
    alter: alterProof(offCurve),
  },
  'outside-subgroup': {
    summary: 'a point of the proof is on the curve but in the wrong group',
    answers: refused,
    alter: alterProof(outsideSubgroup),
  },
  'unreduced-number': {
    summary: 'a number of the proof is not reduced',
    answers: malformed,
    alter: alterProof(unreduced),
  },
  'fourth-signal': {
    summary: 'there is one public signal too many',
    answers: malformed,
    alter: ({ proof, publicSignals }) => ({ proof, publicSignals: [...publicSignals, '0'] as never }),
  },
  'stale-time': {
    summary: 'the timestamp is 1 ms over five minutes old',
    answers: { verify: NOT_VERIFIED },
    timeShiftMs: -BEYOND_SKEW_MS,
  },
  'future-time': {
    summary: 'the timestamp is over five minutes ahead',
    answers: { verify: NOT_VERIFIED },
    // The time until the request arrives reduces the difference.
    timeShiftMs: BEYOND_SKEW_MS + 60_000,
  },
  twice: {
    summary: 'the request is sent again with a fresh proof',
    answers: { ...refused, pair: { status: 409, error: 'pairing_session_already_bound' } },
    twice: true,
  },
  'wrong-code': {
    summary: 'the code was never issued',
    answers: {
      enroll: { status: 404, error: 'enrollment_failed' },
      register: { status: 404, error: 'pair_failed' },
    },
    wrongCode: true,
  },
  'wrong-number': {
    summary: 'the person types another number than the desktop shows, which ends the session',
    answers: { pair: { status: 401, error: 'pairing_match_failed' } },
    session: { match: 'type' },
    type: (number) => String((Number(number) + 1) % 100).padStart(2, '0'),
  },
  'missing-number': {
    summary: 'the session asks for a number, and none is sent',
    answers: { pair: { status: 400, error: 'pairing_match_required' } },
    session: { match: 'type' },
    type: () => undefined,
  },
  'stale-code': {
    summary: 'the code had moved on two times when it was scanned',
    answers: { pair: { status: 410, error: 'pairing_code_stale' } },
    session: { match: 'off', rotate: true },
    scan: ({ slot, slotMac }) => ({ slot: slot - 2, slotMac }),
  },
  'wrong-challenge': {
    summary: 'the proof is for another challenge',
    answers: { register: NOT_COMPLETED },
    wrongChallenge: true,
  },
  ...PASSKEY_FAULTS,
};

/** Whether only a phone with a passkey can have the fault. */
export const needsPasskey = ({ passkey, replay }: Partial<Fault>): boolean =>
  passkey !== undefined || replay === true;

/** The names of the faults of an act. */
export const faultsOf = (act: Act): string[] =>
  Object.keys(FAULTS).filter((name) => FAULTS[name]?.answers[act] !== undefined);
