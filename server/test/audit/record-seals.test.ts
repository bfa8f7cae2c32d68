import { type ExportedKind, SEALED_FIELDS, type SealedKind } from '@svc/zk/records/kinds';
import { sealOf } from '@svc/zk/records/seal';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Query, sql } from '../../src/db/sql.js';
import { sha256OfBytes } from '../../src/ledger/record-seal.js';
import {
  ceremonyBefore,
  commitBody,
  completeBody,
  completeCeremony,
  openCeremony,
  pair,
  phone,
} from '../support/ceremony.js';
import { openPairing, proveForPairing, scanOf, submit } from '../support/pairing.js';
import { proveFor, registerPerson } from '../support/phone.js';
import { wrongProof } from '../support/proofs.js';
import { openRecovery, runJob } from '../support/recoveries.js';
import { type Account, type Service, startService } from '../support/service.js';
import { base64, samlCallback, samlResponse, ssoKey, unsigned, xmlOf } from '../support/sso.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const call = async (method: string, path: string, body?: object) =>
  (await service.call(method, path, { as: account.key, body })).body;

interface Entry {
  readonly entityId: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The seals of a record in its chain, oldest first. */
async function sealsOf(kind: SealedKind, id: string): Promise<unknown[]> {
  const { audit }: { audit: Entry[] } = await call('GET', '/v1/audit?limit=100');
  return audit
    .map(({ entityId, metadata }) =>
      entityId === id ? metadata.seal : metadata[`${kind}Id`] === id ? metadata[`seal_${kind}`] : undefined,
    )
    .filter((seal) => seal !== undefined)
    .reverse();
}

const PATHS = {
  device: 'devices',
  user: 'users',
  verification: 'verifications',
  attendance: 'attendance',
} as const;
const SALTS = sql`seal_n as n, facts_salt as facts, text_salt as text`;
const ROWS: Readonly<Record<ExportedKind, (id: string) => Query>> = {
  device: (id) => sql.query`select ${SALTS}, null as hash from devices where id = ${id}`,
  user: (id) => sql.query`select ${SALTS}, null as hash from tenant_users where id = ${id}`,
  verification: (id) => sql.query`select ${SALTS}, text_hash as hash from verifications where id = ${id}`,
  attendance: (id) => sql.query`select ${SALTS}, text_hash as hash from attendance where id = ${id}`,
};

/** The seal of what the API returns now, made with the salts of the row. */
async function sealNow(kind: ExportedKind, id: string): Promise<string> {
  const record = (await call('GET', `/v1/${PATHS[kind]}/${id}`))[kind];
  const [row] = await service.db.query<{
    n: number;
    facts: string;
    text: string | null;
    hash: string | null;
  }>(ROWS[kind](id));
  if (row === undefined) throw new Error('The record has no row');
  const { n, facts, text, hash } = row;
  return sealOf({ kind, n, record, salts: { facts, text }, T: hash ?? undefined }, sha256OfBytes).seal;
}

const revokeDevice = (id: string) =>
  service.call('DELETE', `/api/console/devices/${id}`, { as: account.token });

const isSealed = async (kind: ExportedKind, id: string) =>
  expect(await sealsOf(kind, id)).toEqual([await sealNow(kind, id)]);

/** The newest of so many seals is that of what a record says now. */
async function isSealedAgain(kind: ExportedKind, id: string, times: number) {
  const seals = await sealsOf(kind, id);
  expect(seals).toHaveLength(times);
  expect(new Set(seals).size).toBe(times);
  expect(seals.at(-1)).toBe(await sealNow(kind, id));
}

describe('the chain seals what', () => {
  it('a verification and a check-in say that an account recorded [audit/seals-of-records]', async () => {
    const { user } = await call('POST', '/v1/users', { fullName: 'Ada' });
    const details = { userId: user.id, reason: 'second finger', confidenceScore: 98.7, referenceId: 'shift' };
    const { verification } = await call('POST', '/v1/verifications', {
      ...{ method: 'fingerprint', result: 'fail', ...details, occurredAt: '2026-05-12T07:00:00.000Z' },
    });
    await isSealed('verification', verification.id);
    const { attendance } = await call('POST', '/v1/attendance', {
      ...{ userId: user.id, type: 'check_in', verificationId: verification.id, metadata: { gate: 'ä' } },
    });
    expect(attendance.result).toBe('rejected');
    await isSealed('attendance', attendance.id);
  });

  it('every object can say, as the database returns it [audit/seals-of-records]', async () => {
    const doubles = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(-0, 1e21, 5e-324),
    );
    const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !value.includes('\0'));
    // No field may have this name.
    const name = text.filter((value) => value !== '__proto__');
    const metadata = fc.dictionary(name, fc.oneof(doubles, text, fc.boolean(), fc.array(doubles)), {
      maxKeys: 5,
    });
    await fc.assert(
      fc.asyncProperty(metadata, async (value) => {
        const body = { method: 'manual', result: 'pass', metadata: value };
        const reply = await service.call('POST', '/v1/verifications', { as: account.key, body });
        expect(reply.status, reply.text).toBe(201);
        await isSealed('verification', reply.body.verification.id);
      }),
      { numRuns: 20 },
    );
  });

  const newest = async () => (await call('GET', '/v1/verifications?limit=1')).verifications[0];

  it('a proof says, accepted or not [audit/seals-of-records]', async () => {
    const person = await registerPerson(service, account.key);
    const { proof, ...rest } = await proveFor(service, person, { tenantId: account.tenantId });
    for (const [sent, result] of [
      [wrongProof(proof), 'fail'],
      [proof, 'pass'],
    ] as const) {
      await call('POST', '/v1/identity/verify', { ...rest, proof: sent });
      const verification = await newest();
      expect(verification).toMatchObject({ method: 'zkp', result });
      await isSealed('verification', verification.id);
    }
  });

  it.each([
    ['pass', true],
    ['fail', false],
  ])('a sign-on says: %s [audit/seals-of-records]', async (result, isSigned) => {
    const key = await ssoKey(service, account);
    const response = await samlResponse(service, key, 'ada@example.com');
    const SAMLResponse = isSigned ? response.SAMLResponse : base64(unsigned(xmlOf(response.SAMLResponse)));
    await samlCallback(service, key, { ...response, SAMLResponse });
    const verification = await newest();
    expect(verification).toMatchObject({ method: 'saml', result });
    await isSealed('verification', verification.id);
  });

  it('a sign-in says, in the entry of its pairing [audit/seals-of-records]', async () => {
    const person = await registerPerson(service, account.key);
    for (const matchCode of [undefined, '00']) {
      const pairing = await openPairing(service, account.key, undefined, matchCode ? { match: 'type' } : {});
      const wrong = matchCode && String((Number(pairing.matchCode) + 1) % 100).padStart(2, '0');
      const use = { tenantId: account.tenantId, sessionId: pairing.id, nonce: pairing.nonce };
      const proof = await proveForPairing(person, wrong ? { ...use, matchCode: wrong } : use);
      const reply = await submit(service, account.key, pairing.id, {
        ...proof,
        ...(wrong && scanOf(pairing)),
      });
      expect(reply.status, reply.text).toBe(wrong ? 401 : 200);
      const verification = await newest();
      expect(verification.result).toBe(wrong ? 'fail' : 'pass');
      await isSealed('verification', verification.id);
    }
  });

  it('one of 451 records still says whose text was removed with the person, most from before there were seals [audit/seals-of-records]', async () => {
    const { user } = await call('POST', '/v1/users', { fullName: 'Cy' });
    await service.db.query(sql`insert into verifications (tenant_id, environment, id, method, result, user_id, metadata, occurred_at, created_at)
      select ${account.tenantId}, 'live', gen_random_uuid(), 'manual', 'pass', ${user.id}, '{"note": "a canary"}', now(), now()
      from generate_series(1, 450)`);
    const { verification } = await call('POST', '/v1/verifications', {
      ...{ method: 'face', result: 'pass', userId: user.id, referenceId: 'a canary' },
    });
    const as = await service.createKey(account, 'live', ['users:erase']);
    const body = { reason: 'request', events: 'strip' };
    await service.call('POST', `/v1/users/${user.id}/erase`, { as, body });
    const [entry] = (await call('GET', '/v1/audit?limit=1')).audit;
    expect(entry.metadata).toMatchObject({ verifications: 451 });
    const left = await service.db.query(
      sql`select id from verifications where user_id = ${user.id} and (metadata is not null or reference_id is not null)`,
    );
    expect(left).toEqual([]);
    await isSealed('verification', verification.id);
  });

  it('records still say whose text was removed with the person [audit/seals-of-records]', async () => {
    const { user } = await call('POST', '/v1/users', { fullName: 'Bo' });
    const event = { userId: user.id, metadata: { note: 'a canary' } };
    const { verification } = await call('POST', '/v1/verifications', {
      method: 'face',
      result: 'pass',
      ...event,
    });
    const { attendance } = await call('POST', '/v1/attendance', { type: 'check_in', ...event });
    const as = await service.createKey(account, 'live', ['users:erase']);
    const body = { reason: 'request', events: 'strip' };
    expect(await service.call('POST', `/v1/users/${user.id}/erase`, { as, body })).toMatchObject({
      status: 200,
    });
    expect((await call('GET', `/v1/verifications/${verification.id}`)).verification.metadata).toBeNull();
    await isSealed('verification', verification.id);
    await isSealed('attendance', attendance.id);
    const [left] = await service.db.query<{ salts: number }>(
      sql.query`select count(text_salt) as salts from verifications where id = ${verification.id}`,
    );
    expect(left?.salts).toBe(0);
  });

  it('a device says each time that it changes, and not what changes by itself [audit/seals-of-records]', async () => {
    const { device } = await call('POST', '/v1/devices', { name: 'Door', metadata: { floor: -0 } });
    await isSealedAgain('device', device.id, 1);
    await call('PATCH', `/v1/devices/${device.id}`, { name: 'Gate' });
    await isSealedAgain('device', device.id, 2);
    const [renamed] = (await call('GET', '/v1/audit?limit=1')).audit;
    expect(renamed.metadata).toMatchObject({ fields: 'name' });
    await call('PATCH', `/v1/devices/${device.id}`, { batteryLevel: 12.5 });
    await isSealedAgain('device', device.id, 2);
    const [entry] = (await call('GET', '/v1/audit?limit=1')).audit;
    expect(entry).toMatchObject({
      action: 'device.updated',
      metadata: { sealed: 'same', fields: 'batteryLevel' },
    });
    await revokeDevice(device.id);
    await isSealedAgain('device', device.id, 3);
  });

  it('a person says, and forgets it with the person [audit/seals-of-records]', async () => {
    const { user } = await call('POST', '/v1/users', { fullName: 'Di', metadata: { shift: 1e21 } });
    await isSealedAgain('user', user.id, 1);
    await call('PATCH', `/v1/users/${user.id}`, { email: 'di@example.com' });
    await isSealedAgain('user', user.id, 2);
    const as = await service.createKey(account, 'live', ['users:erase']);
    const body = { reason: 'request', events: 'keep' };
    await service.call('POST', `/v1/users/${user.id}/erase`, { as, body });
    const left = await service.db.query(
      sql`select seal_n, facts_salt, text_salt from tenant_users where id = ${user.id}`,
    );
    expect(left).toEqual([{ seal_n: SEALED_FIELDS.user.length, facts_salt: null, text_salt: null }]);
    expect(await sealsOf('user', user.id)).toHaveLength(2);
  });

  it('people say who are imported, each in an entry of their own [audit/seals-of-records]', async () => {
    const people = ['Eve', 'Fay', 'Gil'].map((fullName) => ({ fullName }));
    const { users } = await call('POST', '/v1/users/import', { users: people });
    for (const { id } of users) await isSealedAgain('user', id, 1);
  });

  it('a registration makes: a phone and a person [audit/seals-of-records]', async () => {
    const c = await ceremonyBefore(service, account, 'submit-commitment');
    await isSealedAgain('device', c.deviceId as string, 1);
    const attested = { ...commitBody(c), attestation_kind: 'android_key' };
    const { body } = await phone(service, 'submit-commitment', attested);
    await isSealedAgain('device', c.deviceId as string, 2);
    c.verifyCode = body.next.code;
    c.challengeNonce = body.next.challenge_nonce;
    const reply = await phone(service, 'complete', await completeBody(c));
    expect(reply.status, reply.text).toBe(201);
    await isSealedAgain('device', c.deviceId as string, 3);
    await isSealedAgain('user', reply.body.tenant_user.id, 1);
    const as = await service.createKey(account, 'live', ['users:write', 'users:recover']);
    await openRecovery(service, account, reply.body.tenant_user.id, { as });
    service.clock.advance(8 * 24 * 60 * 60_000);
    await runJob(service);
    await isSealedAgain('user', reply.body.tenant_user.id, 2);
  });

  it('a registration that ended leaves: a phone that is revoked [audit/seals-of-records]', async () => {
    const c = await ceremonyBefore(service, account, 'submit-commitment');
    await call('DELETE', `/v1/registrations/${c.id}`);
    await isSealedAgain('device', c.deviceId as string, 2);
  });

  it('a phone says that joins another registration after the first has expired [audit/seals-of-records]', async () => {
    const first = await ceremonyBefore(service, account, 'submit-commitment');
    service.clock.advance(60 * 60_000);
    const second = { ...(await openCeremony(service, account)), fingerprint: first.fingerprint };
    await pair(service, second);
    await isSealedAgain('device', first.deviceId as string, 2);
    await isSealedAgain('device', second.deviceId as string, 1);
  });

  it('a sign-on makes: a person whose subject was free, or was not [audit/seals-of-records]', async () => {
    const key = await ssoKey(service, account);
    for (const subject of ['hal@example.com', 'ida@example.com']) {
      if (subject.startsWith('ida'))
        await call('POST', '/v1/users', { fullName: 'Ida', externalId: subject });
      await samlCallback(service, key, await samlResponse(service, key, subject));
      const { audit } = await call('GET', '/v1/audit?limit=1');
      expect(audit[0]).toMatchObject({ action: 'user.created' });
      await isSealedAgain('user', audit[0].entityId, 1);
    }
  });

  it('a phone says that was erased with its person, revoked before or not [audit/seals-of-records]', async () => {
    for (const isRevoked of [false, true]) {
      const { c, reply } = await completeCeremony(service, account);
      const id = c.deviceId as string;
      if (isRevoked) await revokeDevice(id);
      const before = (await sealsOf('device', id)).length;
      const as = await service.createKey(account, 'live', ['users:erase']);
      const body = { reason: 'request', events: 'keep' };
      const erased = await service.call('POST', `/v1/users/${reply.body.tenant_user.id}/erase`, { as, body });
      expect(erased.status, erased.text).toBe(200);
      await isSealedAgain('device', id, before + 1);
    }
  });
});
