import { randomBytes } from 'node:crypto';
import { enrolmentDigest } from '@svc/zk/attestation';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import {
  boundEnrolment,
  challengeFor,
  enrolmentBody,
  enrolPasskey,
  PhonePasskey,
  sendEnrolment,
} from '../support/attestation.js';
import { type Person, registerPerson } from '../support/phone.js';
import { type Account, freshAddress, type Reply, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
let adminKey: string;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  adminKey = await service.createKey(account, 'live', ['zkp:register', 'proof_pairing:claim', 'audit:read']);
});
afterAll(() => service.close());

const newPerson = (): Promise<Person> => registerPerson(service, account.key);
const send = (body: object, place: { tenantId: string } = account): Promise<Reply> =>
  sendEnrolment(service, { tenantId: place.tenantId }, body);
const listKeys = async (did: string) =>
  (await service.call('GET', `/v1/attestation/keys?did=${did}`, { as: adminKey })).body.attestationKeys;
const refused = (reply: Reply) =>
  expect([reply.status, reply.body.error]).toEqual([401, 'attestation_refused']);

/** The newest audit events. */
const audited = async () => (await service.call('GET', '/v1/audit?limit=5', { as: adminKey })).body.audit;

describe('a challenge [attestation/keys] [POST /v1/attestation/challenges] [POST /v1/phone/attestation/challenges]', () => {
  it('has 48 bytes, which begin with its expiry in five minutes', async () => {
    const reply = await service.call('POST', '/v1/attestation/challenges', {
      as: adminKey,
      body: { did: createIdentity().did },
    });
    const bytes = Buffer.from(reply.body.challenge, 'base64url');
    expect([reply.status, bytes.length]).toEqual([201, 48]);
    expect(Number(bytes.readBigUInt64BE())).toBe(service.clock.now() + 300_000);
    expect(Date.parse(reply.body.expiresAt)).toBe(service.clock.now() + 300_000);
  });

  it('works once', async () => {
    const person = await newPerson();
    const body = await enrolmentBody(service, person, new PhonePasskey(), account);
    expect((await send(body)).status).toBe(201);
    refused(await send(body));
  });

  it('of a failed enrolment can be answered again', async () => {
    const person = await newPerson();
    const challenge = await challengeFor(service, account, person.did);
    const passkey = new PhonePasskey();
    const bad = passkey.evidence(account, challenge, { shown: { isVerified: false } });
    refused(await send(await boundEnrolment(person, account, challenge, bad)));
    const good = passkey.evidence(account, challenge);
    expect((await send(await boundEnrolment(person, account, challenge, good))).status).toBe(201);
  });

  it.each([
    'another DID',
    'another environment',
    'another tenant',
    'five minutes ago',
    'a changed byte',
    'no MAC',
  ])('does not work if it is one of %s', async (which) => {
    const person = await newPerson();
    const other = await service.signUp();
    const challenges: Record<string, () => Promise<string>> = {
      'another DID': () => challengeFor(service, account, createIdentity().did),
      'another environment': () =>
        challengeFor(service, { tenantId: account.tenantId, environment: 'test' }, person.did),
      'another tenant': () => challengeFor(service, other, person.did),
      'five minutes ago': async () => {
        const challenge = await challengeFor(service, account, person.did);
        service.clock.advance(300_001);
        return challenge;
      },
      'a changed byte': async () => {
        const bytes = Buffer.from(await challengeFor(service, account, person.did), 'base64url');
        bytes[10] = (bytes[10] as number) ^ 1;
        return bytes.toString('base64url');
      },
      'no MAC': async () => randomBytes(48).toString('base64url'),
    };
    const challenge = await challenges[which]!();
    const evidence = new PhonePasskey().evidence(account, challenge);
    refused(await send(await boundEnrolment(person, account, challenge, evidence)));
  });
});

describe('a key [attestation/keys] [POST /v1/attestation/keys] [POST /v1/phone/attestation/keys]', () => {
  it('is enrolled by a proof of its identity, with an API key or without', async () => {
    for (const as of [adminKey, undefined]) {
      const person = await newPerson();
      const passkey = new PhonePasskey();
      const body = await enrolmentBody(service, person, passkey, account);
      const reply = as ? await service.call('POST', '/v1/attestation/keys', { as, body }) : await send(body);
      expect(reply.status).toBe(201);
      expect(reply.body.attestationKey).toMatchObject({
        did: person.did,
        platform: 'webauthn',
        level: 2,
        appId: 'localhost',
        isSynced: false,
        revokedAt: null,
      });
      expect(await listKeys(person.did)).toEqual([reply.body.attestationKey]);
    }
  });

  it('is returned again if the phone lost the response and enrols it with a new challenge [attestation/enrolling-again]', async () => {
    const person = await newPerson();
    const passkey = new PhonePasskey();
    const body = await enrolmentBody(service, person, passkey, account);
    const first = await send(body);
    const challenge = await challengeFor(service, account, person.did);
    const digest = enrolmentDigest({ tenantId: account.tenantId, environment: 'live', challenge });
    const evidence = { ...body.evidence, assertion: passkey.sign(digest) };
    const again = await send(await boundEnrolment(person, account, challenge, evidence));
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await listKeys(person.did)).toHaveLength(1);
    // Of another passkey, it is what it was.
    refused(await send(await enrolmentBody(service, person, new PhonePasskey(), account)));
  });

  it.each([{ alg: 'RS256' as const }, { isSynced: true }])('of %j is level 2', async (options) => {
    const person = await newPerson();
    await enrolPasskey(service, account, person, options);
    const [key] = await listKeys(person.did);
    expect([key.level, key.isSynced]).toEqual([2, options.isSynced ?? false]);
  });

  it('is recorded with the hash of its evidence [attestation.added]', async () => {
    const person = await newPerson();
    const { keyId } = await enrolPasskey(service, account, person);
    const [key] = await listKeys(person.did);
    const [event] = await audited();
    expect(event).toMatchObject({
      action: 'attestation.added',
      status: 'success',
      metadata: { evidence: 'verified', level: 2, evidence_hash: key.evidenceHash },
    });
    expect(keyId).toBe(key.id);
  });

  it.each(['ios', 'android', 'x'])('of the platform %s is 400', async (platform) => {
    const body = await enrolmentBody(service, await newPerson(), new PhonePasskey(), account);
    const reply = await send({ ...body, platform });
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
  });

  it('in a body with a key twice is 400', async () => {
    const body = await enrolmentBody(service, await newPerson(), new PhonePasskey(), account);
    const raw = JSON.stringify({ tenantId: account.tenantId, environment: 'live', ...body }).replace(
      '"evidence":{',
      '"evidence":{"attestationObject":"AA",',
    );
    const headers = { 'content-type': 'application/json' };
    const reply = await service.call('POST', '/v1/phone/attestation/keys', {
      ...{ raw, headers },
      address: freshAddress(),
    });
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
  });

  it('fails with another keyId than its credential', async () => {
    const body = await enrolmentBody(service, await newPerson(), new PhonePasskey(), account);
    refused(await send({ ...body, keyId: 'AAAAAAAAAAAAAAAAAAAAAA' }));
  });

  it('of an unknown account, an unknown DID and a wrong proof is the same 401', async () => {
    const person = await newPerson();
    const stranger = createIdentity();
    const body = await enrolmentBody(service, person, new PhonePasskey(), account);
    const replies = [
      await sendEnrolment(service, { tenantId: crypto.randomUUID() }, body),
      await send(await enrolmentBody(service, stranger, new PhonePasskey(), account)),
      await send({ ...body, publicSignals: [...body.publicSignals.slice(0, 2), '1'] }),
      await send({ ...body, challenge: await challengeFor(service, account, person.did) }),
      await send({ ...body, evidence: new PhonePasskey().evidence(account, body.challenge) }),
    ];
    const shapes = replies.map(({ status, body: { requestId: _, ...rest } }) =>
      JSON.stringify([status, rest]),
    );
    expect(new Set(shapes).size).toBe(1);
    refused(replies[0]!);
  });

  it('records the reason of a failure with an API key in the audit log, and nowhere else', async () => {
    const person = await newPerson();
    const faults = { shown: { origin: 'https://evil.example' } };
    const body = await enrolmentBody(service, person, new PhonePasskey(), account, faults);
    const reply = await service.call('POST', '/v1/attestation/keys', { as: adminKey, body });
    refused(reply);
    expect(reply.text).not.toContain('origin');
    expect((await audited())[0]).toMatchObject({
      action: 'attestation.added',
      status: 'failure',
      metadata: { reason: 'attestation', refused: 'origin' },
    });
  });

  it('of another identity is 409 [attestation_key_taken]', async () => {
    const [first, second] = [await newPerson(), await newPerson()];
    const passkey = new PhonePasskey();
    const body = await enrolmentBody(service, first, passkey, account);
    expect((await send(body)).status).toBe(201);
    const { attestationObject, clientDataJSON } = body.evidence;
    const challenge = await challengeFor(service, account, second.did);
    const { enrolmentDigest } = await import('@svc/zk/attestation');
    const digest = enrolmentDigest({ tenantId: account.tenantId, environment: 'live', challenge });
    const evidence = { attestationObject, clientDataJSON, assertion: passkey.sign(digest) };
    const reply = await send(await boundEnrolment(second, account, challenge, evidence));
    expect([reply.status, reply.body.error]).toEqual([409, 'attestation_key_taken']);
  });

  it('is enrolled once if several are sent at the same time for an identity', async () => {
    const person = await newPerson();
    const bodies = await Promise.all(
      Array.from({ length: 4 }, () => enrolmentBody(service, person, new PhonePasskey(), account)),
    );
    const replies = await Promise.all(bodies.map((body) => send(body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401]);
    expect(await listKeys(person.did)).toHaveLength(1);
  });
});

describe('a second key of an identity [attestation/one-key-an-identity]', () => {
  it('replaces the first with an assertion by it', async () => {
    const person = await newPerson();
    const first = await enrolPasskey(service, account, person);
    const body = await enrolmentBody(service, person, new PhonePasskey(), account);
    const use = { ...body, purpose: 'attest', subject: body.challenge } as const;
    const reply = await send({ ...body, attestation: first.attest(account, use) });
    expect(reply.status).toBe(201);
    const keys = await listKeys(person.did);
    expect(keys.map(({ revokedAt }: { revokedAt: string | null }) => revokedAt === null)).toEqual([
      true,
      false,
    ]);
    expect(keys[1].id).toBe(first.keyId);
  });

  it('replaces the first with an API key that has zkp:register', async () => {
    const person = await newPerson();
    await enrolPasskey(service, account, person);
    const body = await enrolmentBody(service, person, new PhonePasskey(), account);
    const claim = await service.createKey(account, 'live', ['proof_pairing:claim']);
    refused(await service.call('POST', '/v1/attestation/keys', { as: claim, body }));
    expect((await service.call('POST', '/v1/attestation/keys', { as: adminKey, body })).status).toBe(201);
  });

  it('fails without it, or with one of another identity or over another challenge', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const own = await enrolPasskey(service, account, person);
    const foreign = await enrolPasskey(service, account, other);
    const body = await enrolmentBody(service, person, new PhonePasskey(), account);
    const use = { ...body, purpose: 'attest', subject: body.challenge } as const;
    refused(await send(body));
    refused(await send({ ...body, attestation: foreign.attest(account, use) }));
    refused(await send({ ...body, attestation: own.attest(account, { ...use, subject: 'x' }) }));
    refused(await send({ ...body, attestation: own.attest(account, { ...use, purpose: 'verify' }) }));
    expect(await listKeys(person.did)).toHaveLength(1);
  });

  it('needs nothing after the first was revoked', async () => {
    const person = await newPerson();
    const { keyId } = await enrolPasskey(service, account, person);
    const reply = await service.call('DELETE', `/v1/attestation/keys/${keyId}`, { as: adminKey });
    expect([reply.status, reply.body.attestationKey.revokedAt]).toEqual([200, expect.any(String)]);
    const again = await service.call('DELETE', `/v1/attestation/keys/${keyId}`, { as: adminKey });
    expect(again.body).toEqual(reply.body);
    await enrolPasskey(service, account, person);
    expect(await listKeys(person.did)).toHaveLength(2);
  });
});

describe('the keys of an identity [attestation/end-of-a-key] [GET /v1/attestation/keys] [DELETE /v1/attestation/keys/:id]', () => {
  it('are revoked with it', async () => {
    const person = await newPerson();
    await enrolPasskey(service, account, person);
    await service.call('POST', '/v1/identity/revoke', { as: adminKey, body: { did: person.did } });
    const [key] = await listKeys(person.did);
    expect(key.revokedAt).toBe(new Date(service.clock.now()).toISOString());
  });

  it('are deleted when the person is erased, and are in their export', async () => {
    const person = await newPerson();
    const { keyId } = await enrolPasskey(service, account, person);
    const exported = await service.call('GET', `/v1/users/${person.userId}/export`, {
      as: await service.createKey(account, 'live', ['users:read']),
    });
    expect(exported.text).toContain(keyId);
    const erase = await service.createKey(account, 'live', ['users:erase']);
    const reply = await service.call('POST', `/v1/users/${person.userId}/erase`, {
      as: erase,
      body: {},
    });
    expect(reply.status).toBeLessThan(300);
    const rows = await service.db.query(sql`select 1 from attestation_keys where id = ${keyId}`);
    expect(rows).toHaveLength(0);
  });

  it('are nobody else’s: 404 for another tenant and environment', async () => {
    const person = await newPerson();
    const { keyId } = await enrolPasskey(service, account, person);
    const other = await service.signUp({ plan: 'enterprise' });
    for (const as of [
      await service.createKey(other, 'live', ['zkp:register']),
      await service.createKey(account, 'test', ['zkp:register']),
    ]) {
      const reply = await service.call('DELETE', `/v1/attestation/keys/${keyId}`, { as });
      expect([reply.status, reply.body.error]).toEqual([404, 'attestation_key_not_found']);
      const list = await service.call('GET', `/v1/attestation/keys?did=${person.did}`, { as });
      expect(list.body.attestationKeys).toEqual([]);
    }
  });
});
