import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { approvalKey, openApproval, proveDecision, send as sendDecision } from '../support/approvals.js';
import {
  enrolmentBody,
  enrolPasskey,
  PhonePasskey,
  sendEnrolment,
  unknownKey,
} from '../support/attestation.js';
import type { Faults } from '../support/authenticator.js';
import { openPairing, phone as phoneCall, proveForPairing, setPolicy, submit } from '../support/pairing.js';
import { type Person, proveAnonymously, proveFor, registerPerson } from '../support/phone.js';
import { type Account, freshAddress, type Reply, type Service, startService } from '../support/service.js';
import { accountOf, proveAdd, proveRotation, withNewSecret } from '../support/several-phones.js';

let service: Service;
let account: Account;
let askKey: string;
let auditKey: string;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  askKey = await approvalKey(service, account);
  auditKey = await service.createKey(account, 'live', ['audit:read', 'verifications:read', 'zkp:register']);
});
afterAll(() => service.close());

/** A registered phone with an enrolled passkey. */
interface Attested {
  readonly person: Person;
  readonly passkey: PhonePasskey;
}
async function attested(): Promise<Attested> {
  const person = await registerPerson(service, account.key);
  return { person, passkey: await enrolPasskey(service, account, person) };
}

/** What a phone does, with what comes with its proof. */
interface Act {
  readonly success: number;
  /** The error of a proof that is not accepted. */
  readonly failure: readonly [number, string];
  readonly act: (
    person: Person,
    attest: ((of: Parameters<PhonePasskey['attest']>[1]) => object) | undefined,
  ) => Promise<Reply>;
}

const use = () => ({ tenantId: account.tenantId });
const withAttestation = <B extends { readonly proof: never; readonly publicSignals: readonly string[] }>(
  body: B,
  purpose: Parameters<PhonePasskey['attest']>[1]['purpose'],
  subject: string,
  attest: Parameters<Act['act']>[1],
) => attest?.({ purpose, subject, proof: body.proof, publicSignals: body.publicSignals });

async function pairWith(
  person: Person,
  attest: Parameters<Act['act']>[1],
  send: (id: string, body: object) => Promise<Reply>,
) {
  const { id, nonce } = await openPairing(service, account.key);
  const body = await proveForPairing(person, { ...use(), sessionId: id, nonce });
  const attestation = withAttestation(body as never, 'pairing', id, attest);
  return send(id, {
    ...body,
    clientMeta: { deviceAttestationVerdict: 'strong', ...(attestation && { attestation }) },
  });
}

const uniform = [401, 'verification_failed'] as const;
const ACTS: Readonly<Record<string, Act>> = {
  'POST /v1/identity/verify': {
    success: 200,
    failure: uniform,
    async act(person, attest) {
      const body = await proveFor(service, person, use());
      const attestation = withAttestation(body as never, 'verify', body.nonce, attest);
      return service.call('POST', '/v1/identity/verify', {
        as: account.key,
        body: { ...body, ...(attestation && { attestation }) },
      });
    },
  },
  'POST /v1/proof-pairing/sessions/:id/submit': {
    success: 200,
    failure: uniform,
    act: (person, attest) => pairWith(person, attest, (id, body) => submit(service, account.key, id, body)),
  },
  'POST /v1/phone/pairing/:id/submit': {
    success: 200,
    failure: uniform,
    act: (person, attest) => pairWith(person, attest, (id, body) => phoneCall(service, id, 'submit', body)),
  },
  'POST /v1/identity/add': {
    success: 201,
    failure: uniform,
    async act(person, attest) {
      const body = await proveAdd(service, person, createIdentity(), use());
      const attestation = withAttestation(body as never, 'add', body.nonce, attest);
      return service.call('POST', '/v1/identity/add', {
        as: account.key,
        body: { ...body, ...(attestation && { attestation }) },
      });
    },
  },
  'POST /v1/phone/identity/rotate': {
    success: 200,
    failure: uniform,
    async act(person, attest) {
      const body = await proveRotation(service, person, withNewSecret(person), use());
      const attestation = withAttestation(body as never, 'rotate', body.nonce, attest);
      return service.call('POST', '/v1/phone/identity/rotate', {
        body: { ...accountOf(use()), ...body, ...(attestation && { attestation }) },
        address: freshAddress(),
      });
    },
  },
  'POST /v1/phone/approvals/:id/decide': {
    success: 200,
    failure: uniform,
    async act(person, attest) {
      const approval = await openApproval(service, askKey, [person.userId]);
      const body = await proveDecision(service, person, { ...use(), approval });
      const attestation = withAttestation(body as never, 'approve', approval.id, attest);
      return sendDecision(service, approval.id, { ...body, ...(attestation && { attestation }) });
    },
  },
};

let current = '';
/** Replaces the account's policy. */
async function setOwnPolicy(policy: object): Promise<void> {
  // Few changes of a policy are allowed in a minute.
  if (JSON.stringify(policy) === current) return;
  current = JSON.stringify(policy);
  const { status, text } = await setPolicy(service, account, policy);
  if (status !== 200) throw new Error(`the policy returned ${status} ${text}`);
}

const acts = Object.entries(ACTS).map(([name, act]) => ({ name, ...act }));
const seen = ({ status, body }: Reply) => [status, body.error];

describe.each(acts)('$name', ({ name, act, success, failure }) => {
  beforeEach(() => setOwnPolicy({}));

  it(`accepts a proof with an assertion over it, and one without [attestation/assertions] [${name}]`, async () => {
    const { person, passkey } = await attested();
    expect((await act(person, (of) => passkey.attest(account, of))).status).toBe(success);
    const [row] = await service.db.query<{ last_used_at: Date | null; counter: number }>(
      sql`select last_used_at, counter from attestation_keys where id = ${passkey.keyId}`,
    );
    expect([row?.last_used_at === null, Number(row?.counter)]).toEqual([false, 3]);
    expect((await act((await attested()).person, undefined)).status).toBe(success);
  });

  it('records what was verified, and its level [attestation/required-attestation]', async () => {
    const { person, passkey } = await attested();
    await act(person, (of) => passkey.attest(account, of));
    const { body } = await service.call('GET', '/v1/audit?limit=5', { as: auditKey });
    const found = body.audit.map(({ metadata }: { metadata: object }) => metadata);
    const verified = {
      evidence: 'verified',
      level: 2,
      evidence_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    };
    expect(found).toContainEqual(expect.objectContaining(verified));
  });

  it('refuses an assertion by the key of somebody else, an unknown key and a revoked one [attestation/assertions]', async () => {
    const [own, other] = [await attested(), await attested()];
    expect(seen(await act(own.person, (of) => other.passkey.attest(account, of)))).toEqual(failure);
    const unknown = (of: Parameters<PhonePasskey['attest']>[1]) => ({
      ...own.passkey.attest(account, of),
      keyId: unknownKey(),
    });
    expect(seen(await act(own.person, unknown))).toEqual(failure);
    await service.call('DELETE', `/v1/attestation/keys/${own.passkey.keyId}`, { as: auditKey });
    expect(seen(await act(own.person, (of) => own.passkey.attest(account, of)))).toEqual(failure);
  });

  it('refuses an assertion over another proof, purpose, subject, tenant or environment [attestation/assertions]', async () => {
    const other = await service.signUp();
    type Of = Parameters<PhonePasskey['attest']>[1];
    const wrong: ((of: Of, passkey: PhonePasskey) => object)[] = [
      (of, passkey) =>
        passkey.attest(account, { ...of, purpose: of.purpose === 'verify' ? 'pairing' : 'verify' }),
      (of, passkey) => passkey.attest(account, { ...of, subject: unknownKey() }),
      (of, passkey) =>
        passkey.attest(account, { ...of, publicSignals: [...of.publicSignals.slice(0, 2), '1'] }),
      (of, passkey) => passkey.attest(account, { ...of, proof: { ...of.proof, pi_a: ['1', '2', '1'] } }),
      (of, passkey) => passkey.attest(other, of),
      (of, passkey) => passkey.attest({ tenantId: account.tenantId, environment: 'test' }, of),
    ];
    for (const attest of wrong) {
      const { person, passkey } = await attested();
      expect(seen(await act(person, (of) => attest(of, passkey)))).toEqual(failure);
    }
  });

  it.each<[string, Faults]>([
    ['another origin', { origin: 'http://localhost:3001' }],
    ['another host', { rpId: 'example.org' }],
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['no user verification', { isVerified: false }],
    ['no user presence', { isPresent: false }],
    ['a frame of another origin', { crossOrigin: true }],
    ['a top origin', { topOrigin: 'http://localhost:3000' }],
    ['a creation', { type: 'webauthn.create' }],
    ['another backup eligibility', { isSynced: true }],
    ['a copy that may not be one', { isBackedUp: true }],
    ['a counter that was used', { counter: 2 }],
    ['no counter', { counter: 0 }],
    ['a user handle of a member', { userHandle: Buffer.from('mAAAAAAAAAAAAAAAA').toString('base64url') }],
    ['a key twice', { clientData: '{"type":"webauthn.get","type":"webauthn.get"}' }],
    ['no JSON', { clientData: '{' }],
  ])('refuses an assertion with %s [attestation/assertions]', async (_, faults) => {
    const { person, passkey } = await attested();
    expect(seen(await act(person, (of) => passkey.attest(account, of, faults)))).toEqual(failure);
  });
});

describe.each(acts)(
  '$name with require_verified_attestation [attestation/required-attestation]',
  ({ act, success, failure }) => {
    beforeEach(() =>
      setOwnPolicy({
        require_verified_attestation: true,
        allow_device_attestation_absent: true,
        require_basic_integrity: true,
      }),
    );

    it('accepts a proof with an assertion', async () => {
      const { person, passkey } = await attested();
      expect((await act(person, (of) => passkey.attest(account, of))).status).toBe(success);
    });

    it('refuses one without, whatever the phone claims', async () => {
      const { person } = await attested();
      expect(seen(await act(person, undefined))).toEqual([400, 'device_attestation_required']);
    });

    it('compares the level beside a valid proof only', async () => {
      const [{ person, passkey }, other] = [await attested(), await attested()];
      await setOwnPolicy({ require_verified_attestation: true, require_device_integrity: true });
      const insufficient = [401, 'device_attestation_insufficient'];
      expect(seen(await act(person, (of) => passkey.attest(account, of)))).toEqual(insufficient);
      expect(seen(await act(person, (of) => other.passkey.attest(account, of)))).toEqual(failure);
      const stranger = { ...createIdentity(), did: person.did, userId: person.userId };
      expect(seen(await act(stranger, (of) => passkey.attest(account, of)))).toEqual(failure);
    });
  },
);

describe('require_verified_attestation [attestation/required-attestation]', () => {
  it('disables the deprecated verification', async () => {
    await setOwnPolicy({ require_verified_attestation: true });
    const body = await proveAnonymously(service);
    const reply = await service.call('POST', '/v1/auth/zkp/verify', { as: account.key, body });
    expect(seen(reply)).toEqual([403, 'endpoint_disabled']);
  });

  it('lets a person decline without a key', async () => {
    await setOwnPolicy({ require_verified_attestation: true });
    const person = await registerPerson(service, account.key);
    const approval = await openApproval(service, askKey, [person.userId]);
    const body = await proveDecision(service, person, { ...use(), approval }, { decision: 'decline' });
    expect((await sendDecision(service, approval.id, body)).status).toBe(200);
  });

  it('leaves a claim a claim: the verification says what was verified, and what was claimed', async () => {
    await setOwnPolicy({});
    const { person, passkey } = await attested();
    const act = ACTS['POST /v1/proof-pairing/sessions/:id/submit']!.act;
    await act(person, (of) => passkey.attest(account, of));
    const { body } = await service.call('GET', `/v1/verifications?userId=${person.userId}`, { as: auditKey });
    expect(body.verifications[0].metadata.attestation).toEqual({
      ...{ verdict: 'basic', evidence: 'verified', level: 2, claimed: 'strong' },
      evidence_hash: expect.any(String),
    });
    await act(person, undefined);
    const after = await service.call('GET', `/v1/verifications?userId=${person.userId}`, { as: auditKey });
    expect(after.body.verifications[0].metadata.attestation).toEqual({
      verdict: 'strong',
      evidence: 'claimed',
    });
  });
});

describe('a counter [attestation/assertions]', () => {
  beforeEach(() => setOwnPolicy({}));

  it('may stay 0 where an authenticator does not count', async () => {
    const { act } = ACTS['POST /v1/identity/verify']!;
    for (const isSynced of [true, false]) {
      const person = await registerPerson(service, account.key);
      const passkey = new PhonePasskey({ isSynced });
      const none = { counter: 0 };
      const body = await enrolmentBody(service, person, passkey, account, { made: none, shown: none });
      passkey.keyId = (await sendEnrolment(service, use(), body)).body.attestationKey.id;
      for (let i = 0; i < 2; i++)
        expect((await act(person, (of) => passkey.attest(account, of, none))).status).toBe(200);
    }
  });

  it('works once of two proofs at the same time', async () => {
    const { person, passkey } = await attested();
    const { act } = ACTS['POST /v1/identity/verify']!;
    const twice = await Promise.all(
      [1, 2].map(() => act(person, (of) => passkey.attest(account, of, { counter: 9 }))),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});
