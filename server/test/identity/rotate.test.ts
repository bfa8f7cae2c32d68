import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { openPairing, proveForPairing, submit } from '../support/pairing.js';
import { type Person, proveFor, registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';
import { accountOf, proveRotation, rotatePhone, withNewSecret } from '../support/several-phones.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const use = () => ({ tenantId: account.tenantId });
const rotate = (body: object) => service.call('POST', '/v1/identity/rotate', { as: account.key, body });
const rotateKeyless = (body: object) =>
  service.call('POST', '/v1/phone/identity/rotate', { body: { ...accountOf(account), ...body } });
const verify = async (phone: Person) =>
  service.call('POST', '/v1/identity/verify', {
    as: account.key,
    body: await proveFor(service, phone, use()),
  });
const me = (accessToken: string) =>
  service.call('GET', '/v1/identity/me', { as: account.key, headers: { 'x-session-token': accessToken } });
const reasonOf = async () =>
  (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.audit[0].metadata.reason;

describe('rotating a secret [identities/rotation]', () => {
  it.each([
    ['POST /v1/identity/rotate', rotate],
    ['POST /v1/phone/identity/rotate', rotateKeyless],
  ] as const)('%s keeps the DID, ends the other sessions and opens one', async (_, send) => {
    const person = await registerPerson(service, account.key);
    const before = await verify(person);
    service.clock.advance(1000);
    const renewed = withNewSecret(person);
    const reply = await send(await proveRotation(service, person, renewed, use()));
    expect(reply.status, reply.text).toBe(200);
    const { identity, enrolment, accessToken } = reply.body;
    expect(identity).toMatchObject({
      did: person.did,
      userId: person.userId,
      commitment: renewed.commitment,
    });
    expect(identity.createdAt).toBe(new Date(service.clock.now() - 1000).toISOString());
    expect(reply.body).toMatchObject({ tokenType: 'Bearer', expiresIn: 3600, did: person.did });
    expect((await me(accessToken)).body.user.id).toBe(person.userId);
    expect((await me(before.body.accessToken)).status).toBe(401);
    const refresh = (refreshToken: string) =>
      service.call('POST', '/v1/identity/refresh', { as: account.key, body: { refreshToken } });
    expect((await refresh(before.body.refreshToken)).status).toBe(401);
    expect((await refresh(reply.body.refreshToken)).status).toBe(200);
    expect((await verify(person)).status).toBe(401);
    expect(await reasonOf()).toBe('wrong_secret');
    expect((await verify(renewed)).status).toBe(200);
    const [event] = await service.db.query<{
      metadata: object;
      seq: number;
    }>(sql`select metadata, seq from audit_events
      where tenant_id = ${account.tenantId} and action = 'identity.rotated' and status = 'success' order by seq desc limit 1`);
    expect(event).toEqual({
      seq: enrolment.seq,
      metadata: {
        ...{ identityId: enrolment.identityId, userId: person.userId, identity_leaf: enrolment.leaf },
        ...{ authorizedBy: expect.stringMatching(/^[0-9a-f]{64}$/), version: 2 },
      },
    });
  });

  it('ends sign-ins to OpenID clients', async () => {
    const person = await registerPerson(service, account.key);
    const [{ id }] = (await service.db.query<{ id: string }>(sql`select id from identities
      where tenant_id = ${account.tenantId} and did = ${person.did}`)) as [{ id: string }];
    const grant = crypto.randomUUID();
    const now = new Date(service.clock.now());
    await service.db.query(sql`insert into oidc_grants (tenant_id, environment, id, client_id, user_id, identity_id,
        verification_id, scope, created_at, expires_at)
      values (${account.tenantId}, 'live', ${grant}, ${grant}, ${person.userId}, ${id}, ${grant}, 'openid', ${now},
        ${new Date(service.clock.now() + 3_600_000)})`);
    await rotatePhone(service, account, person);
    const [row] = await service.db.query<{ ended_at: Date | null }>(
      sql`select ended_at from oidc_grants where id = ${grant}`,
    );
    expect(row?.ended_at).not.toBeNull();
  });

  it('a pairing that the old secret has proved but not submitted fails as a wrong secret', async () => {
    const person = await registerPerson(service, account.key);
    const { id, nonce } = await openPairing(service, account.key);
    const body = await proveForPairing(person, { ...use(), sessionId: id, nonce });
    const { renewed } = await rotatePhone(service, account, person);
    expect((await submit(service, account.key, id, body)).status).toBe(401);
    expect(await reasonOf()).toBe('wrong_secret');
    const again = await proveForPairing(renewed, { ...use(), sessionId: id, nonce });
    expect((await submit(service, account.key, id, again)).status).toBe(200);
  });

  it('limit: three rotations in 24 hours, then 429 with Retry-After after both proofs hold; a clock that steps back allows no fourth', async () => {
    const person = await registerPerson(service, account.key);
    let phone = person;
    for (let n = 0; n < 3; n += 1) {
      phone = (await rotatePhone(service, account, phone)).renewed;
      service.clock.advance(3_600_000);
    }
    const fourth = async () => rotate(await proveRotation(service, phone, withNewSecret(phone), use()));
    const limited = await fourth();
    expect([limited.status, limited.body.error]).toEqual([429, 'rate_limit_exceeded']);
    expect(limited.headers['retry-after']).toBe(String(21 * 3600));
    const wrong = await proveRotation(service, withNewSecret(phone), withNewSecret(phone), use());
    expect((await rotate(wrong)).status).toBe(401);
    service.clock.advance(-2 * 3_600_000);
    const earlier = await fourth();
    expect([earlier.status, earlier.headers['retry-after']]).toEqual([429, String(23 * 3600)]);
    service.clock.advance(23 * 3_600_000);
    expect((await fourth()).status).toBe(200);
  });

  it('commitment_already_registered for a commitment of anybody, also the old one and an earlier one', async () => {
    const [person, other] = [
      await registerPerson(service, account.key),
      await registerPerson(service, account.key),
    ];
    const { renewed } = await rotatePhone(service, account, person);
    for (const taken of [other, renewed, person]) {
      const reply = await rotate(await proveRotation(service, renewed, { ...taken, did: person.did }, use()));
      expect([reply.status, reply.body.error]).toEqual([409, 'commitment_already_registered']);
    }
    expect((await verify(renewed)).status).toBe(200);
  });

  it('keeps every commitment with its version and the proof that authorized it', async () => {
    const person = await registerPerson(service, account.key);
    const renewed = withNewSecret(person);
    const body = await proveRotation(service, person, renewed, use());
    expect((await rotate(body)).status).toBe(200);
    const rows =
      await service.db.query(sql`select c.version, c.commitment, c.authorization_proof from identity_commitments c
      join identities i on i.tenant_id = c.tenant_id and i.environment = c.environment and i.id = c.identity_id
      where c.tenant_id = ${account.tenantId} and i.did = ${person.did} order by version`);
    const { did, nonce, timestamp, proof, publicSignals } = body;
    expect(rows).toEqual([
      { version: 1, commitment: person.commitment, authorization_proof: null },
      {
        version: 2,
        commitment: renewed.commitment,
        authorization_proof: { did, nonce, timestamp, proof, publicSignals },
      },
    ]);
  });

  it('an identity from before commitments had leaves gets one first, so that nobody can use its old commitment', async () => {
    const person = await registerPerson(service, account.key);
    await service.db.query(
      sql`delete from identity_commitments where tenant_id = ${account.tenantId} and commitment = ${person.commitment}`,
    );
    await rotatePhone(service, account, person);
    const reply = await service.call('POST', '/v1/identity/register', {
      as: account.key,
      body: { did: createIdentity().did, commitment: person.commitment },
    });
    expect([reply.status, reply.body.error]).toEqual([409, 'commitment_already_registered']);
  });

  it('a commitment that somebody put into the database authorizes no rotation: 503 identity_changed', async () => {
    const person = await registerPerson(service, account.key);
    const forged = withNewSecret(person);
    await service.db.query(sql`update identities set commitment = ${forged.commitment}
      where tenant_id = ${account.tenantId} and did = ${person.did}`);
    const reply = await rotate(await proveRotation(service, forged, withNewSecret(person), use()));
    expect([reply.status, reply.body.error]).toEqual([503, 'identity_changed']);
  });
});
