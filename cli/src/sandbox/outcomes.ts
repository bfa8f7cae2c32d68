import { randomUUID } from 'node:crypto';
import { isSvcError, SvcError } from '@svc/sdk';
import { createIdentity } from '@svc/zk/phone';
import * as acts from '../phone/acts.js';
import { type Act, type Expected, FAULTS, type Fault, needsPasskey } from '../phone/faults/faults.js';
import {
  beforeCompletion,
  closeAfterFive,
  ensureState,
  type FinalRequest,
  newFingerprint,
  pairTwice,
  playCeremony,
} from './ceremonies.js';
import { EVENTS } from './events.js';
import { enrolFaulty, pairWithPasskey, verifyWithPasskey } from './passkeys.js';
import { ensure, type OpenPairing, type Person, type Stage } from './stage.js';

/** A response of the service, and how to cause it. */
export interface Outcome {
  readonly expected: Expected;
  readonly summary: string;
  /** How long it takes because time has to pass. */
  readonly minutes?: number;
  /** Uses up a limit that the account's live environment shares. */
  readonly spends?: true;
  /** What the account must have first. */
  readonly needs?: string;
  /** Prepares the outcome, where every request must succeed, and returns the request that causes it. */
  readonly play: (stage: Stage) => Promise<FinalRequest>;
}

const MINUTE_MS = 60_000;

const answers = (status: number, error?: string): Expected => ({
  status,
  ...(error !== undefined && { error }),
});

async function verifyNow(
  { svc, person }: Stage,
  fault?: Partial<Fault>,
  who?: Person,
): Promise<FinalRequest> {
  const identity = who ?? (await person());
  const nonce = await acts.createNonce(svc);
  return () => acts.verify(svc, identity, nonce, fault);
}

async function pairNow(
  { svc, person }: Stage,
  target: OpenPairing,
  options: acts.Approval = {},
  who?: Person,
): Promise<FinalRequest> {
  const identity = who ?? (await person());
  return () => acts.pair(svc, identity, target, { number: target.number, ...options });
}

const IDENTITIES: Readonly<Record<string, Outcome>> = {
  registered: {
    expected: answers(201),
    summary: 'a new DID and commitment',
    async play({ svc }) {
      const { did, commitment } = createIdentity();
      return () => svc.identity.register({ did, commitment });
    },
  },
  'did-taken': {
    expected: answers(409, 'did_already_registered'),
    summary: 'the DID of a person who is registered, with another commitment',
    async play({ svc, person }) {
      const { did } = await person();
      return () => svc.identity.register({ did, commitment: createIdentity().commitment });
    },
  },
  'commitment-taken': {
    expected: answers(409, 'commitment_already_registered'),
    summary: 'the commitment of a person who is registered, with another DID',
    async play({ svc, person }) {
      const { commitment } = await person();
      return () => svc.identity.register({ did: createIdentity().did, commitment });
    },
  },
  verified: {
    expected: answers(200),
    summary: 'a proof for a fresh nonce',
    play: (stage) => verifyNow(stage),
  },
  'identity-revoked': {
    expected: answers(401, 'verification_failed'),
    summary: 'a valid proof for a revoked identity',
    async play(stage) {
      const person = await stage.newPerson();
      await stage.svc.identity.revoke(person.did);
      return verifyNow(stage, {}, person);
    },
  },
  'user-inactive': {
    expected: answers(401, 'verification_failed'),
    summary: 'a valid proof of an inactive user',
    async play(stage) {
      const person = await stage.newPerson();
      await stage.svc.users.update(person.userId, { status: 'inactive' });
      return verifyNow(stage, {}, person);
    },
  },
  'session-refreshed': {
    expected: answers(200),
    summary: 'the refresh token of a new session',
    async play(stage) {
      const { refreshToken } = await stage.session();
      return () => stage.svc.sessions.refresh(refreshToken);
    },
  },
  'refresh-token-spent': {
    expected: answers(401, 'invalid_refresh_token'),
    summary: 'a refresh token used a second time, which ends the session',
    async play(stage) {
      const { refreshToken } = await stage.session();
      await stage.svc.sessions.refresh(refreshToken);
      return () => stage.svc.sessions.refresh(refreshToken);
    },
  },
  'logged-out': {
    expected: answers(401, 'invalid_session_token'),
    summary: 'the access token of a session that was logged out',
    async play({ session, svc }) {
      const { accessToken } = await session();
      await svc.sessions.logOut(accessToken);
      return () => svc.sessions.getCurrentIdentity(accessToken);
    },
  },
};

const CEREMONIES: Readonly<Record<string, Outcome>> = {
  'ceremony-completed': {
    expected: answers(201),
    summary: 'all three steps of the phone',
    play: (stage) => playCeremony(stage),
  },
  'ceremony-abandoned': {
    expected: answers(404, 'pair_failed'),
    summary: 'the first step of a ceremony that was abandoned',
    async play(stage) {
      const ceremony = await stage.openCeremony();
      await stage.svc.registrations.cancel(ceremony.sessionId);
      return () => acts.pairDevice(stage.svc, ceremony, newFingerprint());
    },
  },
  'ceremony-closed-after-five': {
    expected: answers(404, 'verify_failed'),
    summary: 'a valid proof after five invalid ones, which abandoned the ceremony',
    play: (stage) => closeAfterFive(stage, FAULTS['foreign-proof'] as Fault),
  },
  'ceremony-code-expired': {
    expected: answers(404, 'pair_failed'),
    summary: 'the first step, 15 minutes late',
    minutes: 15,
    async play(stage) {
      const ceremony = await stage.openCeremony();
      await stage.wait(15 * MINUTE_MS + 1000, 'until the code expires');
      return () => acts.pairDevice(stage.svc, ceremony, newFingerprint());
    },
  },
  'ceremony-expired': {
    expected: answers(404, 'verify_failed'),
    summary: 'a valid proof 30 minutes after the ceremony was opened, which is `expired`',
    minutes: 30,
    async play(stage) {
      const ceremony = await stage.openCeremony();
      const complete = await beforeCompletion(stage, ceremony);
      await stage.wait(30 * MINUTE_MS + 1000, 'until the ceremony expires');
      await ensureState(stage, ceremony, 'expired');
      return complete;
    },
  },
  'phone-known': {
    expected: answers(404, 'pair_failed'),
    summary: 'a phone whose fingerprint belongs to another device of the account',
    play: pairTwice,
  },
};

const PAIRINGS: Readonly<Record<string, Outcome>> = {
  'pairing-bound': {
    expected: answers(200),
    summary: 'a proof for the session that a desktop opened',
    play: async (stage) => pairNow(stage, await stage.openPairing()),
  },
  'pairing-matched': {
    expected: answers(200),
    summary: 'the same, with the number that the desktop shows, from a code that moves',
    play: async (stage) => pairNow(stage, await stage.openPairing({ match: 'type' })),
  },
  'pairing-declined': {
    expected: answers(409, 'pairing_session_closed'),
    summary: 'a proof for a session that the person declined',
    async play(stage) {
      const target = await stage.openPairing({ match: 'type' });
      const { scanTicket } = await stage.svc.phone.pairing.context(target);
      await acts.decline(stage.svc, await stage.person(), target, { reason: 'not_me', scanTicket });
      return pairNow(stage, target);
    },
  },
  'pairing-expired': {
    expected: answers(410, 'pairing_session_expired'),
    summary: 'a proof five minutes late',
    minutes: 5,
    async play(stage) {
      const target = await stage.openPairing();
      await stage.wait(5 * MINUTE_MS + 1000, 'until the session expires');
      return pairNow(stage, target);
    },
  },
  'pairing-unknown': {
    expected: answers(404, 'pairing_session_not_found'),
    summary: 'an unknown session',
    play: async (stage) => pairNow(stage, { ...(await stage.openPairing()), sessionId: randomUUID() }),
  },
  'pairing-denied': {
    expected: answers(401, 'verification_failed'),
    summary: 'a valid proof for a revoked identity',
    async play(stage) {
      const person = await stage.newPerson();
      await stage.svc.identity.revoke(person.did);
      return pairNow(stage, await stage.openPairing(), {}, person);
    },
  },
  'pairing-unwatched': {
    expected: answers(403, 'pairing_bind_mismatch'),
    summary: 'a request for a session without the cookie of the desktop that opened it',
    async play({ svc, openPairing }) {
      const { sessionId: id } = await openPairing();
      return () => svc.pairing.get({ id });
    },
  },
  'attestation-missing': {
    expected: answers(400, 'device_attestation_required'),
    summary: 'a phone without an integrity verdict',
    needs: 'a security policy with `require_device_integrity`',
    play: async (stage) => pairNow(stage, await stage.openPairing()),
  },
  'attestation-insufficient': {
    expected: answers(401, 'device_attestation_insufficient'),
    summary: 'a phone that claims only `MEETS_BASIC_INTEGRITY`',
    needs: 'a security policy with `require_device_integrity`',
    play: async (stage) => pairNow(stage, await stage.openPairing(), { verdict: 'MEETS_BASIC_INTEGRITY' }),
  },
};

const RECORDS: Readonly<Record<string, Outcome>> = {
  'device-retired': {
    expected: answers(409, 'invalid_transition'),
    summary: 'activating a retired device',
    async play({ svc }) {
      const { id } = await svc.devices.create({ name: 'Sandbox kiosk' });
      await svc.devices.update(id, { status: 'retired' });
      return () => svc.devices.update(id, { status: 'active' });
    },
  },
  'external-id-taken': {
    expected: answers(409, 'external_id_conflict'),
    summary: 'a second user with the `externalId` of a first',
    async play({ svc }) {
      const user = { fullName: 'Ada Lovelace', externalId: randomUUID() };
      await svc.users.create(user);
      return () => svc.users.create(user);
    },
  },
  'idempotency-key-reused': {
    expected: answers(409, 'idempotency_key_reused'),
    summary: 'one `Idempotency-Key` with two bodies',
    async play({ svc }) {
      const options = { idempotencyKey: randomUUID() };
      await svc.users.create({ fullName: 'Ada Lovelace' }, options);
      return () => svc.users.create({ fullName: 'Charles Babbage' }, options);
    },
  },
  'record-not-found': {
    expected: answers(404, 'user_not_found'),
    summary: 'a user of another environment or account, or an unknown one',
    play:
      async ({ svc }) =>
      () =>
        svc.users.update(randomUUID(), { status: 'inactive' }),
  },
  'invalid-request': {
    expected: answers(400, 'invalid_request'),
    summary: 'a user without a name',
    play:
      async ({ svc }) =>
      () =>
        svc.users.create({} as never),
  },
  'biometric-data': {
    expected: answers(400, 'biometric_data_rejected'),
    summary: 'a field with the name of a biometric template',
    play:
      async ({ svc }) =>
      () =>
        svc.users.create({ fullName: 'Ada Lovelace', metadata: { faceTemplate: 'AAAA' } }),
  },
};

const KEYS_AND_LIMITS: Readonly<Record<string, Outcome>> = {
  'key-missing': {
    expected: answers(401, 'missing_api_key'),
    summary: 'no key',
    play:
      async ({ keyless }) =>
      () =>
        keyless.devices.list().first(),
  },
  'key-wrong': {
    expected: answers(401, 'invalid_api_key'),
    summary: 'an unknown or revoked key',
    play:
      async ({ wrongKey }) =>
      () =>
        wrongKey.devices.list().first(),
  },
  'scope-missing': {
    expected: answers(403, 'insufficient_scopes'),
    summary: 'simulated sign-on, whose scope a key only has on request',
    play:
      async ({ svc }) =>
      () =>
        svc.request('startSamlLogin', {}),
  },
  'address-limit': {
    expected: answers(429, 'rate_limit_exceeded'),
    summary: 'the 31st public request for a pairing within a minute from one address',
    play:
      async ({ impatient }) =>
      async () => {
        for (;;)
          await impatient.pairing.getPublic(randomUUID()).catch((error: unknown) => {
            if (!isSvcError(error, 'pairing_session_not_found')) throw error;
          });
      },
  },
  'plan-window-spent': {
    expected: answers(429, 'rate_limit_exceeded'),
    summary: 'more requests in 15 minutes than the plan allows',
    spends: true,
    play: async (stage) => () => spendWindow(stage),
  },
  'quota-spent': {
    expected: answers(429, 'monthly_quota_exceeded'),
    summary: 'more requests in a month than the plan allows, as fast as its windows permit',
    spends: true,
    play: async (stage) => async () => {
      for (;;)
        await spendWindow(stage).catch(async (error: unknown) => {
          if (!isSvcError(error, 'rate_limit_exceeded')) throw error;
          await stage.wait((error.retryAfterSeconds ?? 0) * 1000, 'for the next window of the plan');
        });
    },
  },
};

/** Reads until a limit is reached, which rejects. */
async function spendWindow({ impatient, last }: Stage): Promise<never> {
  for (;;) {
    await impatient.devices.list({ limit: 1 }).first();
    ensure(last().headers.get('x-svc-plan') !== 'enterprise', 'The plan enterprise has no quota to spend.');
  }
}

/** How each act plays a fault, under names such as `verify-stale-time`. */
const play = {
  verify: (stage, fault) => (needsPasskey(fault) ? verifyWithPasskey(stage, fault) : verifyNow(stage, fault)),
  pair: async (stage, fault) =>
    needsPasskey(fault)
      ? pairWithPasskey(stage, fault)
      : pairNow(stage, await stage.openPairing(fault.session), { fault }),
  passkey: enrolFaulty,
  register: playCeremony,
  enroll:
    async ({ svc }, fault) =>
    () =>
      acts.enroll(svc, { code: 'SV-2222-2222' }, newFingerprint(), fault),
} satisfies Record<Act, (stage: Stage, fault: Fault) => Promise<FinalRequest>>;

const faulty = Object.entries(FAULTS).flatMap(([name, fault]) =>
  (Object.entries(fault.answers) as [Act, Expected][]).map(([act, expected]): [string, Outcome] => [
    `${act}-${name}`,
    { expected, summary: fault.summary, play: (stage) => play[act](stage, fault) },
  ]),
);

/** Every outcome, by name. */
export const OUTCOMES: Readonly<Record<string, Outcome>> = {
  ...IDENTITIES,
  ...CEREMONIES,
  ...PAIRINGS,
  ...RECORDS,
  ...EVENTS,
  ...KEYS_AND_LIMITS,
  ...Object.fromEntries(faulty),
};

export interface Played {
  readonly name: string;
  readonly expected: Expected;
  readonly answered: Expected & { readonly requestId: string | undefined };
  readonly asExpected: boolean;
}

/** @throws SvcError when a request before the last one fails */
export async function playOutcome(stage: Stage, name: string): Promise<Played> {
  const { expected, play: prepare } = OUTCOMES[name] as Outcome;
  const request = await prepare(stage);
  const error = await request().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof SvcError && error.status !== undefined) return error.code;
      throw error;
    },
  );
  const { status, headers } = stage.last();
  return {
    name,
    expected,
    answered: {
      status,
      ...(error !== undefined && { error }),
      requestId: headers.get('x-request-id') ?? undefined,
    },
    asExpected: status === expected.status && error === expected.error,
  };
}
