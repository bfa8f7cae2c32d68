import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAssertion } from '../../src/features/attestation/web-authn/assertion.js';
import { checkAuthenticatorData } from '../../src/features/attestation/web-authn/authenticator-data.js';
import { readCbor } from '../../src/features/attestation/web-authn/cbor.js';
import { checkEvidence, type Evidence } from '../../src/features/attestation/web-authn/evidence.js';
import { Rejection } from '../../src/features/attestation/web-authn/rejection.js';
import {
  boundEnrolment,
  challengeFor,
  type EnrolmentFaults,
  PhonePasskey,
  sendEnrolment,
} from '../support/attestation.js';
import type { Faults } from '../support/authenticator.js';
import { type Person, proveFor, registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

const PLACE = { origin: 'http://localhost:3000', rpId: 'localhost' };
const SCOPE = { tenantId: '019db486-65c0-785d-839b-c57d73f54993' };
const CHALLENGE = 'A'.repeat(64);
const flip = (text: string, at: number, bit = 1): string => {
  const bytes = Buffer.from(text, 'base64url');
  bytes[at] = (bytes[at] as number) ^ bit;
  return bytes.toString('base64url');
};
const lengthOf = (text: string) => Buffer.from(text, 'base64url').length;
const text = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');

let service: Service;
let account: Account;
let person: Person;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  person = await registerPerson(service, account.key);
});
afterAll(() => service.close());

/** The faults of a page or an authenticator. */
const FAULTS: Faults[] = [
  { origin: 'https://localhost:3000' },
  { origin: 'http://localhost' },
  { origin: 'http://localhost:3000/' },
  { origin: 'http://evil.example' },
  { rpId: 'example.org' },
  { rpId: 'localhost.' },
  { isVerified: false },
  { isPresent: false },
  { isVerified: false, isPresent: false },
  { crossOrigin: true },
  { crossOrigin: null },
  { topOrigin: 'http://localhost:3000' },
  { topOrigin: '' },
  { isBackedUp: true },
  { type: 'payment.get' },
  { challenge: '' },
  { clientData: '' },
  { clientData: 'null' },
  { clientData: '[]' },
  { clientData: '\ufeff{}' },
];

/** Evidence that must not be accepted, also beside a valid proof. */
function* badEvidence(passkey: () => PhonePasskey, challenge: string): Generator<[string, object]> {
  const make = (faults: EnrolmentFaults = {}) => passkey().evidence(account ?? SCOPE, challenge, faults);
  for (const fault of FAULTS) {
    if (fault.challenge !== '') yield [`made ${JSON.stringify(fault)}`, make({ made: fault })];
    yield [`shown ${JSON.stringify(fault)}`, make({ shown: fault })];
  }
  yield ['shown over another challenge', make({ shown: { challenge: text(Buffer.alloc(32)) } })];
  yield ['made as a use', make({ made: { type: 'webauthn.get' } })];
  yield ['shown as a creation', make({ shown: { type: 'webauthn.create' } })];
  yield ['a counter that fell', make({ made: { counter: 9 }, shown: { counter: 9 } })];
  yield ['another eligibility', make({ made: { isSynced: true } })];
  for (const format of ['packed', 'tpm', 'apple', 'android-key', 'android-safetynet', 'fido-u2f', ''])
    yield [`the format ${format}`, make({ made: { format } })];
  yield ['none with a statement', make({ made: { statement: new Map([['x', 1]]) } })];
  const x5c = new Map<string, never>([
    ['alg', -7 as never],
    ['sig', new Uint8Array(70) as never],
    ['x5c', [new Uint8Array(100)] as never],
  ]);
  yield ['a certificate', make({ made: { format: 'packed', statement: x5c } })];
  yield ['EdDSA', new PhonePasskey({ alg: 'EdDSA' }).evidence(account ?? SCOPE, challenge)];
  yield [
    'the handle of a member',
    new PhonePasskey({ handle: 'm0123456789abcdef' }).evidence(account ?? SCOPE, challenge),
  ];
  yield ['a short handle', new PhonePasskey({ handle: 'p0' }).evidence(account ?? SCOPE, challenge)];
  const good = make();
  yield ['the assertion of another key', { ...good, assertion: make().assertion }];
  for (const bomb of bombs()) yield ['a bomb', { ...good, attestationObject: bomb }];
}

/** CBOR that is deep, long, cut, indefinite or not canonical. */
function bombs(): string[] {
  const nested = (byte: number) => text(Buffer.alloc(6_000, byte));
  return [
    ...[0x81, 0xa1, 0x9f, 0xbf, 0x5f, 0x7f, 0xc0, 0xd8, 0xff, 0xfb].map(nested),
    ...['9bffffffffffffffff', 'bbffffffffffffffff', '5bffffffffffffffff', '7bffffffffffffffff'].map((hex) =>
      text(Buffer.from(hex, 'hex')),
    ),
    ...['9affffffff', 'baffffffff', '5affffffff', 'a1', 'a3', '1801', '190001', 'a2010101', 'f5f5'].map(
      (hex) => text(Buffer.from(hex, 'hex')),
    ),
  ];
}

describe('a mutated attestation [attestation/verified-twice]', () => {
  it('is never accepted by the endpoint and never a server error, each in little time', async () => {
    const challenge = await challengeFor(service, account, person.did);
    const cases = [...badEvidence(() => new PhonePasskey(), challenge)];
    const good = new PhonePasskey().evidence(account, challenge);
    // Without the creation's own challenge, which is random and signed by nobody.
    for (const [part, read] of [
      ['attestationObject', good.attestationObject],
      ['clientDataJSON', good.clientDataJSON],
    ] as const)
      for (let at = 0; at < lengthOf(read); at += 5)
        if (part === 'attestationObject' ? at < 37 + 30 || at > 37 + 90 : at < 20)
          cases.push([`${part} ${at}`, { ...good, [part]: flip(read, at, 0x80) }]);
    for (const part of ['authenticatorData', 'clientDataJSON', 'signature'] as const)
      for (let at = 0; at < lengthOf(good.assertion[part]); at += 2)
        cases.push([
          `assertion.${part} ${at}`,
          { ...good, assertion: { ...good.assertion, [part]: flip(good.assertion[part], at) } },
        ]);
    expect(cases.length).toBeGreaterThan(200);
    const accepted: unknown[] = [];
    for (const [name, evidence] of cases) {
      const body = await boundEnrolment(person, account, challenge, evidence);
      const { status, body: reply } = await sendEnrolment(service, account, body);
      if (![400, 401].includes(status)) accepted.push([name, status, reply]);
    }
    expect(accepted).toEqual([]);
    const body = await boundEnrolment(person, account, challenge, good);
    expect((await sendEnrolment(service, account, body)).status).toBe(201);
  });

  it('is malformed if it cannot be read, which says nothing about the identity', async () => {
    const challenge = await challengeFor(service, account, person.did);
    for (const attestationObject of bombs()) {
      const evidence = { ...new PhonePasskey().evidence(account, challenge), attestationObject };
      const body = await boundEnrolment(person, account, challenge, evidence);
      const { status, body: reply } = await sendEnrolment(service, account, body);
      expect([status, reply.error]).toEqual([400, 'attestation_malformed']);
    }
  });

  it('fails for every byte of what an authenticator signs', async () => {
    const passkey = new PhonePasskey();
    const evidence = passkey.evidence(SCOPE, CHALLENGE) as Evidence;
    const { enrolmentDigest } = await import('@svc/zk/attestation');
    const digest = enrolmentDigest({ ...SCOPE, environment: 'live', challenge: CHALLENGE });
    const key = await checkEvidence(PLACE, evidence, digest);
    const outcomes = new Set<string>();
    for (const part of ['authenticatorData', 'clientDataJSON', 'signature'] as const)
      for (let at = 0; at < lengthOf(evidence.assertion[part]); at++)
        for (const bit of [1, 4, 128]) {
          const sent = { ...evidence.assertion, [part]: flip(evidence.assertion[part], at, bit) };
          try {
            await checkAssertion(PLACE, key, sent, digest);
            outcomes.add(`accepted: ${part} ${at} ${bit}`);
          } catch (error) {
            if (!(error instanceof Rejection)) outcomes.add(String(error));
          }
        }
    expect([...outcomes]).toEqual([]);
  });
});

describe('a mutated assertion [attestation/verified-twice]', () => {
  it('beside a proof is never accepted and never a server error', async () => {
    const other = await registerPerson(service, account.key);
    const passkey = new PhonePasskey();
    const challenge = await challengeFor(service, account, other.did);
    const enrolment = await boundEnrolment(other, account, challenge, passkey.evidence(account, challenge));
    passkey.keyId = (await sendEnrolment(service, account, enrolment)).body.attestationKey.id;
    const replies: unknown[] = [];
    for (const [i, fault] of [...FAULTS, ...Array.from({ length: 40 }, () => undefined)].entries()) {
      const body = await proveFor(service, other, { tenantId: account.tenantId });
      const of = { ...body, purpose: 'verify', subject: body.nonce } as const;
      const { keyId, assertion } = passkey.attest(account, of, fault);
      const parts = ['authenticatorData', 'clientDataJSON', 'signature'] as const;
      const part = parts[i % 3]!;
      const sent = fault
        ? assertion
        : { ...assertion, [part]: flip(assertion[part], (i * 7) % lengthOf(assertion[part])) };
      const { status, body: reply } = await service.call('POST', '/v1/identity/verify', {
        as: account.key,
        body: { ...body, attestation: { keyId, assertion: sent } },
      });
      const isShape = fault?.clientData === '' && status === 400;
      if (!isShape && reply.error !== 'verification_failed') replies.push([fault ?? part, status, reply]);
    }
    expect(replies).toEqual([]);
  });
});

describe('the test vectors of WebAuthn Level 3 [attestation/verified-twice]', () => {
  const vectors: Record<
    string,
    { registration: Record<string, string>; authentication: Record<string, string> }
  > = JSON.parse(readFileSync(new URL('../support/webauthn-vectors.json', import.meta.url), 'utf8'));
  const place = { origin: 'https://example.org', rpId: 'example.org' };
  const bytes = (hex: string | undefined) => Buffer.from(hex as string, 'hex');

  it.each(Object.entries(vectors))('%s are read as CBOR, and judged by their flags', (name, vector) => {
    const object = readCbor(bytes(vector.registration.attestationObject)) as Map<string, Buffer>;
    const read = () => checkAuthenticatorData(object.get('authData') as Buffer, place, true);
    if (name === 'none.ES256') expect(read).toThrow('verification');
    else expect(read().attested?.publicKey).toHaveLength(77);
  });

  it('with an attestation of its own and user verification is evidence, but the use after it is not', async () => {
    const { registration, authentication } = vectors['packed-self.ES256']!;
    const sent = {
      attestationObject: text(bytes(registration.attestationObject)),
      clientDataJSON: text(bytes(registration.clientDataJSON)),
      assertion: {
        authenticatorData: text(bytes(authentication.authenticatorData)),
        clientDataJSON: text(bytes(authentication.clientDataJSON)),
        signature: text(bytes(authentication.signature)),
      },
    };
    await expect(checkEvidence(place, sent, bytes(authentication.challenge))).rejects.toThrow('verification');
    const broken = { ...sent, attestationObject: flip(sent.attestationObject, 60) };
    await expect(checkEvidence(place, broken, bytes(authentication.challenge))).rejects.toThrow(
      'attestation',
    );
  });

  it('of a frame in a page of another origin fail for this reason', async () => {
    const { registration } = vectors['none.ES256.crossOrigin']!;
    const sent = {
      attestationObject: text(bytes(registration.attestationObject)),
      clientDataJSON: text(bytes(registration.clientDataJSON)),
      assertion: { authenticatorData: 'AA', clientDataJSON: 'AA', signature: 'AA' },
    };
    await expect(checkEvidence(place, sent, new Uint8Array(32))).rejects.toThrow('embedded page');
  });
});
