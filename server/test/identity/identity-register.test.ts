import { BASE_FIELD, commitmentToHex, SCALAR_FIELD } from '@svc/zk/field';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { setPolicy } from '../support/recoveries.js';
import { type Account, type Service, startService } from '../support/service.js';

describe('registering an identity', () => {
  let service: Service;
  let account: Account;
  let other: Account;
  let testKey: string;
  beforeAll(async () => {
    service = await startService();
    account = await service.signUp({ plan: 'enterprise' });
    other = await service.signUp({ plan: 'enterprise' });
    testKey = await service.createKey(account, 'test');
  });
  afterAll(() => service.close());

  const register = (body: object, as = account.key, headers = {}) =>
    service.call('POST', '/v1/identity/register', { as, body, headers });
  /** A fresh DID and commitment. */
  const fresh = () => {
    const { did, commitment } = createIdentity();
    return { did, commitment };
  };
  const user = async (id: string) =>
    (
      await service.db.query(
        sql`select * from tenant_users where tenant_id = ${account.tenantId} and id = ${id}`,
      )
    )[0];

  it('returns 201 with the user, the DID and the commitment in canonical form [identities/dids-and-commitments]', async () => {
    const body = fresh();
    const reply = await register(body);
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...body,
      createdAt: new Date(service.clock.now()).toISOString(),
    });
    expect(await user(reply.body.userId)).toMatchObject({ full_name: 'Unnamed', status: 'active' });
  });

  describe('a commitment', () => {
    const forms: readonly [name: string, text: (hex: string) => string, accepted: boolean][] = [
      ['accepts lower case', (hex) => hex, true],
      ['accepts upper case', (hex) => hex.toUpperCase(), true],
      ['accepts a 0x prefix', (hex) => `0x${hex}`, true],
      ['accepts a 0x prefix before upper case', (hex) => `0x${hex.toUpperCase()}`, true],
      ['rejects a 0X prefix', (hex) => `0X${hex}`, false],
      ['rejects 31 bytes', (hex) => hex.slice(2), false],
      ['rejects 33 bytes', (hex) => `00${hex}`, false],
      ['rejects 63 digits', (hex) => hex.slice(1), false],
      ['rejects a digit that is not hexadecimal', (hex) => `g${hex.slice(1)}`, false],
      ['rejects a leading space', (hex) => ` ${hex}`, false],
      ['rejects a trailing line break', (hex) => `${hex}\n`, false],
      ['rejects an empty string', () => '', false],
    ];
    it.each(forms)('%s', async (_name, write, accepted) => {
      const body = fresh();
      const reply = await register({ ...body, commitment: write(body.commitment) });
      expect(reply.status).toBe(accepted ? 201 : 400);
      if (accepted) expect(reply.body.commitment).toBe(body.commitment);
      else expect(reply.body.details[0].path).toBe('body.commitment');
    });

    it.each([
      ['accepts r - 1', SCALAR_FIELD - 1n, 201],
      ['accepts 0', 0n, 201],
      ['rejects r', SCALAR_FIELD, 400],
      ['rejects r + 1', SCALAR_FIELD + 1n, 400],
      ['rejects the modulus of the base field', BASE_FIELD, 400],
      ['rejects 2^256 - 1', 2n ** 256n - 1n, 400],
    ])('%s as a field element [identities/dids-and-commitments]', async (_name, value, status) => {
      const commitment = value.toString(16).padStart(64, '0');
      const reply = await register({ did: fresh().did, commitment });
      expect(reply.status).toBe(status);
      if (status === 201) expect(reply.body.commitment).toBe(commitmentToHex(value));
      else expect(reply.body.details).toEqual([{ path: 'body.commitment', message: expect.any(String) }]);
    });

    it.each([[1], [null], [['aa']], [{}], [true]])(
      'rejects %j, which is not a string',
      async (commitment) => {
        expect((await register({ did: fresh().did, commitment })).status).toBe(400);
      },
    );
  });

  it.each([
    ['did:svc:a', true],
    [`did:svc:${'b'.repeat(128)}`, true],
    ['did:svc:ABCDEF', true],
    [`did:svc:${'c'.repeat(129)}`, false],
    ['did:svc:', false],
    ['DID:SVC:aa', false],
    ['did:web:aa', false],
    ['did:svc:xyz', false],
    ['did:svc:aa ', false],
    ['did:svc:aa\n', false],
    ['did:svc:aa:bb', false],
  ])('validates the DID %j (accepted: %s)', async (did, accepted) => {
    const reply = await register({ did, commitment: fresh().commitment });
    expect(reply.status).toBe(accepted ? 201 : 400);
    if (accepted) expect(reply.body.did).toBe(did.toLowerCase());
    else expect(reply.body.details[0].path).toBe('body.did');
  });

  it('rejects a DID or commitment that is already registered, in any spelling, and creates no user', async () => {
    const first = fresh();
    await register(first);
    const count = async () =>
      (await service.db.query(sql`select 1 from tenant_users where tenant_id = ${account.tenantId}`)).length;
    const before = await count();
    const sameDid = {
      did: first.did.toUpperCase().replace('DID:SVC', 'did:svc'),
      commitment: fresh().commitment,
    };
    const again = await register(sameDid);
    expect([again.status, again.body.error]).toEqual([409, 'did_already_registered']);
    const sameCommitment = await register({
      did: fresh().did,
      commitment: `0x${first.commitment.toUpperCase()}`,
    });
    expect([sameCommitment.status, sameCommitment.body.error]).toEqual([
      409,
      'commitment_already_registered',
    ]);
    const both = await register(first);
    expect([both.status, both.body.error]).toEqual([409, 'did_already_registered']);
    expect(await count()).toBe(before);
  });

  it('keeps the DID and commitment of a revoked identity reserved', async () => {
    const first = fresh();
    await register(first);
    await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: first.did } });
    expect((await register(first)).body.error).toBe('did_already_registered');
    expect((await register({ did: fresh().did, commitment: first.commitment })).body.error).toBe(
      'commitment_already_registered',
    );
  });

  it('accepts the same DID in two tenants, and in the live and test environments of one tenant', async () => {
    const body = fresh();
    const replies = [await register(body), await register(body, testKey), await register(body, other.key)];
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(replies.map((reply) => reply.body.userId)).size).toBe(3);
  });

  it('accepts one of several simultaneous registrations of the same DID', async () => {
    const { did } = fresh();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => register({ did, commitment: fresh().commitment })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  describe('an externalId', () => {
    // With `protect_identities`, which new accounts have, only a recovery gives a person another identity.
    beforeAll(() => setPolicy(service, account, {}));

    it('creates a user, or selects an existing user without an active identity [identities/person-of-an-identity]', async () => {
      const [one, two] = [fresh(), fresh()];
      const created = await register({ ...one, externalId: 'staff-1' });
      expect(await user(created.body.userId)).toMatchObject({ full_name: 'staff-1', external_id: 'staff-1' });
      const active = await register({ ...two, externalId: 'staff-1' });
      expect([active.status, active.body.error]).toEqual([409, 'external_id_conflict']);
      await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: one.did } });
      const added = await register({ ...two, externalId: 'staff-1' });
      expect([added.status, added.body.userId]).toEqual([201, created.body.userId]);
    });

    it('requires users:write only when the identity is added to an existing user', async () => {
      const weak = await service.createKey(account, 'live', ['zkp:register']);
      const body = fresh();
      const created = await register({ ...body, externalId: 'staff-2' }, weak);
      expect(created.status).toBe(201);
      await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: body.did } });
      const rejected = await register({ ...fresh(), externalId: 'staff-2' }, weak);
      expect([rejected.status, rejected.body.error]).toEqual([403, 'insufficient_scopes']);
      expect((await register({ ...fresh(), externalId: 'staff-2' })).body.userId).toBe(created.body.userId);
    });

    it('is unique within one tenant and environment only', async () => {
      const ids = [];
      for (const as of [account.key, testKey, other.key])
        ids.push((await register({ ...fresh(), externalId: 'staff-3' }, as)).body.userId);
      expect(new Set(ids).size).toBe(3);
    });

    it('is assigned by only one of several simultaneous registrations', async () => {
      const replies = await Promise.all(
        Array.from({ length: 6 }, () => register({ ...fresh(), externalId: 'staff-4' })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(5).fill(409)]);
    });

    it.each([[''], ['  '], ['x'.repeat(201)], [7], [null]])(
      'is rejected when it is %j',
      async (externalId) => {
        const reply = await register({ ...fresh(), externalId });
        expect(reply.status).toBe(400);
        expect(reply.body.details[0].path).toBe('body.externalId');
      },
    );
  });

  describe('an attestation', () => {
    const bytes = (size: number) => ({ v: 'x'.repeat(size - '{"v":""}'.length) });
    const levels = (depth: number): object => (depth === 1 ? {} : { v: levels(depth - 1) });
    it.each([
      ['accepts 16 KiB', bytes(16 * 1024), 201],
      ['rejects 16 KiB and one byte', bytes(16 * 1024 + 1), 400],
      ['rejects more than 16 KiB of UTF-8 in fewer characters', { v: 'é'.repeat(8 * 1024) }, 400],
      ['accepts 8 levels', levels(8), 201],
      ['rejects 9 levels', levels(9), 400],
      ['rejects an array', [], 400],
      ['rejects a string', 'x', 400],
    ])('%s', async (_name, attestation, status) => {
      const reply = await register({ ...fresh(), attestation });
      expect(reply.status).toBe(status);
      if (status === 400) expect(reply.body.details[0].path).toBe('body.attestation');
    });

    it('rejects biometric data at any depth', async () => {
      const reply = await register({ ...fresh(), attestation: { a: [{ face_image: 'AAAA' }] } });
      expect([reply.status, reply.body.error]).toEqual([400, 'biometric_data_rejected']);
    });
  });

  it.each([
    ['userId', 'x'],
    ['tenantId', 'x'],
    ['environment', 'test'],
    ['proof', {}],
  ])('rejects the unknown field %s', async (field, value) => {
    const reply = await register({ ...fresh(), [field]: value });
    expect([reply.status, reply.body.details]).toEqual([
      400,
      [{ path: `body.${field}`, message: expect.any(String) }],
    ]);
  });
});

describe('revoking an identity', () => {
  let service: Service;
  let account: Account;
  beforeAll(async () => {
    service = await startService();
    account = await service.signUp();
  });
  afterAll(() => service.close());

  it('is final, keeps the time of the first revocation, and is audited once [identities/responses-of-identities] [POST /v1/identity/revoke]', async () => {
    const { did, commitment } = createIdentity();
    await service.call('POST', '/v1/identity/register', { as: account.key, body: { did, commitment } });
    const revoke = (spelling = did) =>
      service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: spelling } });
    const [first] = await Promise.all([revoke(`did:svc:${did.slice(8).toUpperCase()}`), revoke(), revoke()]);
    expect(first.status).toBe(200);
    expect(first.body.identity.revokedAt).toBe(new Date(service.clock.now()).toISOString());
    service.clock.advance(1000);
    expect((await revoke()).body).toEqual(first.body);
    const audit = await service.call('GET', '/v1/audit?action=identity.revoked', { as: account.key });
    expect(audit.body.audit).toHaveLength(1);
  });

  it('returns 404 for a DID of another tenant, of another environment, or never registered', async () => {
    const { did, commitment } = createIdentity();
    const owner = await service.signUp();
    const testKey = await service.createKey(owner, 'test');
    await service.call('POST', '/v1/identity/register', { as: owner.key, body: { did, commitment } });
    for (const as of [account.key, testKey]) {
      const reply = await service.call('POST', '/v1/identity/revoke', { as, body: { did } });
      expect([reply.status, reply.body.error]).toEqual([404, 'identity_not_found']);
    }
    const unknown = createIdentity().did;
    const reply = await service.call('POST', '/v1/identity/revoke', {
      as: owner.key,
      body: { did: unknown },
    });
    expect(reply.body.error).toBe('identity_not_found');
  });
});
