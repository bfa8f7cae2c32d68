import { randomUUID } from 'node:crypto';
import { createIdentity } from '@svc/zk/phone';
import type { Answer } from '../client.js';
import * as acts from '../phone/acts.js';
import { type Act, type Expected, FAULTS, type Fault } from '../phone/faults.js';
import {
  beforeCompletion,
  closeAfterFive,
  insistOnState,
  newFingerprint,
  pairTwice,
  playCeremony,
} from './ceremonies.js';
import { insist, type OpenPairing, type Stage } from './stage.js';

/** Something that the service can answer, and how to make it do so. */
export interface Outcome {
  readonly expected: Expected;
  readonly summary: string;
  /** How long it takes because time has to pass. */
  readonly minutes?: number;
  /** It uses up what the account's live environment needs as well. */
  readonly spends?: true;
  /** What the account must have been given first. */
  readonly needs?: string;
  readonly play: (stage: Stage) => Promise<Answer>;
}

const MINUTE_MS = 60_000;
const SESSIONS = '/v1/proof-pairing/sessions';

const answers = (status: number, error?: string): Expected => ({
  status,
  ...(error !== undefined && { error }),
});

async function verifyNow(
  stage: Stage,
  fault?: Partial<Fault>,
  person?: Awaited<ReturnType<Stage['person']>>,
) {
  const nonce = await acts.askNonce(stage.client, stage.apiKey);
  return acts.verify(stage.client, stage.apiKey, person ?? (await stage.person()), nonce, fault);
}

async function pairNow(stage: Stage, target: OpenPairing, options: Parameters<typeof acts.pair>[4] = {}) {
  return acts.pair(stage.client, stage.apiKey, await stage.person(), target, options);
}

const IDENTITIES: Readonly<Record<string, Outcome>> = {
  registered: {
    expected: answers(201),
    summary: 'a new DID and commitment',
    play: ({ ask }) => {
      const { did, commitment } = createIdentity();
      return ask('POST', '/v1/identity/register', { did, commitment });
    },
  },
  'did-taken': {
    expected: answers(409, 'did_already_registered'),
    summary: 'the DID of a person who is registered, with another commitment',
    async play({ ask, person }) {
      const { did } = await person();
      return ask('POST', '/v1/identity/register', { did, commitment: createIdentity().commitment });
    },
  },
  'commitment-taken': {
    expected: answers(409, 'commitment_already_registered'),
    summary: 'the commitment of a person who is registered, with another DID',
    async play({ ask, person }) {
      const { commitment } = await person();
      return ask('POST', '/v1/identity/register', { did: createIdentity().did, commitment });
    },
  },
  verified: {
    expected: answers(200),
    summary: 'a proof for a fresh nonce',
    play: (stage) => verifyNow(stage),
  },
  'identity-revoked': {
    expected: answers(401, 'verification_failed'),
    summary: 'a good proof of a person whose identity was revoked',
    async play(stage) {
      const person = await stage.newPerson();
      await stage.call('POST', '/v1/identity/revoke', { did: person.did });
      return verifyNow(stage, {}, person);
    },
  },
  'user-inactive': {
    expected: answers(401, 'verification_failed'),
    summary: 'a good proof of a person whose user is inactive',
    async play(stage) {
      const person = await stage.newPerson();
      await stage.call('PATCH', `/v1/users/${person.userId}`, { status: 'inactive' });
      return verifyNow(stage, {}, person);
    },
  },
  'session-refreshed': {
    expected: answers(200),
    summary: 'the refresh token of a new session',
    async play(stage) {
      const { refreshToken } = await stage.session();
      return stage.ask('POST', '/v1/identity/refresh', { refreshToken });
    },
  },
  'refresh-token-spent': {
    expected: answers(401, 'invalid_refresh_token'),
    summary: 'a refresh token used a second time, which ends the session',
    async play(stage) {
      const { refreshToken } = await stage.session();
      await stage.call('POST', '/v1/identity/refresh', { refreshToken });
      return stage.ask('POST', '/v1/identity/refresh', { refreshToken });
    },
  },
  'logged-out': {
    expected: answers(401, 'invalid_session_token'),
    summary: 'the access token of a session that was logged out',
    async play({ session, ask }) {
      const header = { 'x-session-token': (await session()).accessToken };
      const { status } = await ask('POST', '/v1/identity/logout', undefined, header);
      insist(status === 200, 'Logging out was refused.');
      return ask('GET', '/v1/identity/me', undefined, header);
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
      await stage.call('DELETE', `/v1/registrations/${ceremony.sessionId}`);
      return acts.pairDevice(stage.client, ceremony, newFingerprint());
    },
  },
  'ceremony-closed-after-five': {
    expected: answers(404, 'verify_failed'),
    summary: 'a good proof after five bad ones, which abandoned the ceremony',
    play: (stage) => closeAfterFive(stage, FAULTS['foreign-proof'] as Fault),
  },
  'ceremony-code-expired': {
    expected: answers(404, 'pair_failed'),
    summary: 'the first step, 15 minutes late',
    minutes: 15,
    async play(stage) {
      const ceremony = await stage.openCeremony();
      await stage.wait(15 * MINUTE_MS + 1000, 'until the code expires');
      return acts.pairDevice(stage.client, ceremony, newFingerprint());
    },
  },
  'ceremony-expired': {
    expected: answers(404, 'verify_failed'),
    summary: 'a good proof 30 minutes after the ceremony was opened, which is `expired`',
    minutes: 30,
    async play(stage) {
      const ceremony = await stage.openCeremony();
      const { complete } = await beforeCompletion(stage, ceremony);
      await stage.wait(30 * MINUTE_MS + 1000, 'until the ceremony expires');
      await insistOnState(stage, ceremony, 'expired');
      return complete();
    },
  },
  'phone-known': {
    expected: answers(404, 'pair_failed'),
    summary: 'a phone whose fingerprint is another device’s of the account',
    play: pairTwice,
  },
};

const PAIRINGS: Readonly<Record<string, Outcome>> = {
  'pairing-bound': {
    expected: answers(200),
    summary: 'a proof for the session that a desktop opened',
    play: async (stage) => pairNow(stage, await stage.openPairing()),
  },
  'pairing-expired': {
    expected: answers(410, 'pairing_session_expired'),
    summary: 'the same, five minutes late',
    minutes: 5,
    async play(stage) {
      const target = await stage.openPairing();
      await stage.wait(5 * MINUTE_MS + 1000, 'until the session expires');
      return pairNow(stage, target);
    },
  },
  'pairing-unknown': {
    expected: answers(404, 'pairing_session_not_found'),
    summary: 'a session that nobody opened',
    play: async (stage) => pairNow(stage, { ...(await stage.openPairing()), sessionId: randomUUID() }),
  },
  'pairing-denied': {
    expected: answers(401, 'verification_failed'),
    summary: 'a good proof of a person whose identity was revoked',
    async play(stage) {
      const person = await stage.newPerson();
      await stage.call('POST', '/v1/identity/revoke', { did: person.did });
      return acts.pair(stage.client, stage.apiKey, person, await stage.openPairing());
    },
  },
  'pairing-unwatched': {
    expected: answers(403, 'pairing_bind_mismatch'),
    summary: 'a look at a session without the cookie of the desktop that opened it',
    play: async ({ ask, openPairing }) => ask('GET', `${SESSIONS}/${(await openPairing()).sessionId}`),
  },
  'attestation-missing': {
    expected: answers(400, 'device_attestation_required'),
    summary: 'a phone that claims nothing of its integrity',
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
    summary: 'a retired device that is to be active again',
    async play({ call, ask }) {
      const { device } = await call('POST', '/v1/devices', { name: 'Sandbox kiosk' });
      await call('PATCH', `/v1/devices/${device.id}`, { status: 'retired' });
      return ask('PATCH', `/v1/devices/${device.id}`, { status: 'active' });
    },
  },
  'external-id-taken': {
    expected: answers(409, 'external_id_conflict'),
    summary: 'a second user with the `externalId` of a first',
    async play({ call, ask }) {
      const user = { fullName: 'Ada Lovelace', externalId: randomUUID() };
      await call('POST', '/v1/users', user);
      return ask('POST', '/v1/users', user);
    },
  },
  'idempotency-key-reused': {
    expected: answers(409, 'idempotency_key_reused'),
    summary: 'one `Idempotency-Key` with two bodies',
    async play({ ask }) {
      const header = { 'idempotency-key': randomUUID() };
      await ask('POST', '/v1/users', { fullName: 'Ada Lovelace' }, header);
      return ask('POST', '/v1/users', { fullName: 'Charles Babbage' }, header);
    },
  },
  'record-not-found': {
    expected: answers(404, 'user_not_found'),
    summary: 'a user of another environment or account, or of none',
    play: ({ ask }) => ask('PATCH', `/v1/users/${randomUUID()}`, { status: 'inactive' }),
  },
  'invalid-request': {
    expected: answers(400, 'invalid_request'),
    summary: 'a user without a name',
    play: ({ ask }) => ask('POST', '/v1/users', {}),
  },
  'biometric-data': {
    expected: answers(400, 'biometric_data_rejected'),
    summary: 'a field that is named like a template',
    play: ({ ask }) =>
      ask('POST', '/v1/users', { fullName: 'Ada Lovelace', metadata: { faceTemplate: 'AAAA' } }),
  },
};

const KEYS_AND_LIMITS: Readonly<Record<string, Outcome>> = {
  'key-missing': {
    expected: answers(401, 'missing_api_key'),
    summary: 'no key',
    play: ({ client }) => client.ask('GET', '/v1/devices'),
  },
  'key-wrong': {
    expected: answers(401, 'invalid_api_key'),
    summary: 'a key that is none, or was revoked',
    play: ({ client }) => client.ask('GET', '/v1/devices', { as: `svc_test_${'0'.repeat(48)}` }),
  },
  'scope-missing': {
    expected: answers(403, 'insufficient_scopes'),
    summary: 'simulated sign-on, for which a key gets a scope only when asked for',
    play: ({ ask }) => ask('GET', '/v1/auth/saml/login'),
  },
  'address-limit': {
    expected: answers(429, 'rate_limit_exceeded'),
    summary: 'the 31st public look at a pairing in a minute from one address',
    async play({ impatient }) {
      for (;;) {
        const answer = await impatient.ask('GET', `${SESSIONS}/${randomUUID()}/public`);
        if (answer.status !== 404) return answer;
      }
    },
  },
  'plan-window-spent': {
    expected: answers(429, 'rate_limit_exceeded'),
    summary: 'more requests in 15 minutes than the plan has',
    spends: true,
    play: spendWindow,
  },
  'quota-spent': {
    expected: answers(429, 'monthly_quota_exceeded'),
    summary: 'more requests in a month than the plan has, as fast as its windows let them',
    spends: true,
    async play(stage) {
      for (;;) {
        const answer = await spendWindow(stage);
        if (answer.body.error !== 'rate_limit_exceeded') return answer;
        await stage.wait(Number(answer.headers.get('retry-after')) * 1000, 'for the next window of the plan');
      }
    },
  },
};

/** Reads, until it is refused. */
async function spendWindow({ impatient, apiKey }: Stage): Promise<Answer> {
  for (;;) {
    const answer = await impatient.ask('GET', '/v1/devices?limit=1', { as: apiKey });
    insist(answer.headers.get('x-svc-plan') !== 'enterprise', 'The plan enterprise has no quota to spend.');
    if (answer.status !== 200) return answer;
  }
}

/** What a phone may do wrong, each for the acts that it can go wrong in: `verify-stale-time`. */
const play = {
  verify: (stage, fault) => verifyNow(stage, fault),
  pair: async (stage, fault) => pairNow(stage, await stage.openPairing(), { fault }),
  register: playCeremony,
  enroll: ({ client }, fault) => acts.enroll(client, { code: 'SV-2222-2222' }, newFingerprint(), fault),
} satisfies Record<Act, (stage: Stage, fault: Fault) => Promise<Answer>>;

const faulty = Object.entries(FAULTS).flatMap(([name, fault]) =>
  (Object.entries(fault.answers) as [Act, Expected][]).map(([act, expected]): [string, Outcome] => [
    `${act}-${name}`,
    { expected, summary: fault.summary, play: (stage) => play[act](stage, fault) },
  ]),
);

/** Everything that can be played, by name. */
export const OUTCOMES: Readonly<Record<string, Outcome>> = {
  ...IDENTITIES,
  ...CEREMONIES,
  ...PAIRINGS,
  ...RECORDS,
  ...KEYS_AND_LIMITS,
  ...Object.fromEntries(faulty),
};

export interface Played {
  readonly name: string;
  readonly expected: Expected;
  readonly answered: Expected & { readonly requestId: string | undefined };
  readonly asExpected: boolean;
}

export async function playOutcome(stage: Stage, name: string): Promise<Played> {
  const { expected, play: run } = OUTCOMES[name] as Outcome;
  const { status, body, requestId } = await run(stage);
  const error = status >= 400 ? String(body.error) : undefined;
  return {
    name,
    expected,
    answered: { status, ...(error !== undefined && { error }), requestId },
    asExpected: status === expected.status && error === expected.error,
  };
}
