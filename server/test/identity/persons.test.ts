import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { enrolPasskey } from '../support/attestation.js';
import { completeCeremony } from '../support/ceremony.js';
import { setPolicy } from '../support/pairing.js';
import { type Person, proveFor, registerPerson, type Use } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';
import {
  accountOf,
  addPhone,
  proveIdentities,
  proveRevocation,
  rotatePhone,
} from '../support/several-phones.js';

const DAY_MS = 24 * 3_600_000;

let service: Service;
let account: Account;
/** Of the other environment. */
let testKey: string;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  testKey = await service.createKey(account, 'test');
});
afterAll(() => service.close());

const use = (): Use => ({ tenantId: account.tenantId });
const post = (path: string, body: object) =>
  service.call('POST', `/v1/phone/identity/${path}`, { body: { ...accountOf(account), ...body } });
const revoke = async (phone: Parameters<typeof proveIdentities>[1], did: string, bound = did) =>
  post('revoke', { ...(await proveRevocation(service, phone, bound, use())), revoke: did });
const list = async (phone: Parameters<typeof proveIdentities>[1], of = use()) =>
  post('list', await proveIdentities(service, phone, of));
const verify = async (phone: Person) =>
  service.call('POST', '/v1/identity/verify', {
    as: account.key,
    body: await proveFor(service, phone, use()),
  });
const revokeByKey = (did: string) =>
  service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did } });
const countEvents = async () =>
  (
    await service.db.query<{ n: number }>(
      sql`select count(*) as n from audit_events where tenant_id = ${account.tenantId}`,
    )
  )[0]?.n;
const read = (path: string) => service.call('GET', path, { as: account.key });

async function expectUniform(replies: readonly { status: number; body: { error: string } }[]) {
  for (const { status, body } of replies) expect([status, body.error]).toEqual([401, 'verification_failed']);
}

describe('POST /v1/phone/identity/revoke [phones/adding-without-a-key]', () => {
  it('revokes another phone of the person, with its sessions, and the phone itself', async () => {
    const own = await registerPerson(service, account.key);
    const lost = await addPhone(service, account, own);
    const session = (await verify(lost)).body;
    const reply = await revoke(own, lost.did);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.identity).toEqual({
      did: lost.did,
      revokedAt: new Date(service.clock.now()).toISOString(),
    });
    const me = await service.call('GET', '/v1/identity/me', {
      as: account.key,
      headers: { 'x-session-token': session.accessToken },
    });
    expect([me.status, (await verify(lost)).status, (await verify(own)).status]).toEqual([401, 401, 200]);
    expect((await revoke(own, own.did)).status).toBe(200);
    const { audit } = (await read('/v1/audit?limit=1')).body;
    expect(audit[0]).toMatchObject({
      action: 'identity.revoked',
      actorType: 'phone',
      metadata: { by: 'phone' },
    });
    const rows = await service.db.query(sql`select did, revoked_by_itself from identities
      where tenant_id = ${account.tenantId} and user_id = ${own.userId} order by id`);
    expect(rows).toEqual([
      { did: own.did, revoked_by_itself: true },
      { did: lost.did, revoked_by_itself: false },
    ]);
  });

  it('returns the time of a DID that is revoked already, also to a phone that revoked itself, and writes nothing', async () => {
    const own = await registerPerson(service, account.key);
    const lost = await addPhone(service, account, own);
    const [first] = [await revoke(own, lost.did), await revoke(own, own.did)];
    service.clock.advance(1000);
    const events = await countEvents();
    const again = await revoke(own, own.did);
    expect([again.status, again.body.identity.revokedAt]).toEqual([200, first.body.identity.revokedAt]);
    expect(await countEvents()).toBe(events);
  });

  it('401 for the DID of another person, of another environment and an unknown one, and for a proof for another DID', async () => {
    const [own, other] = [
      await registerPerson(service, account.key),
      await registerPerson(service, account.key),
    ];
    const second = await addPhone(service, account, own);
    const testing = await registerPerson(service, testKey);
    const events = await countEvents();
    await expectUniform([
      await revoke(own, other.did),
      await revoke(own, testing.did),
      await revoke(own, createIdentity().did),
      await revoke(own, second.did, own.did),
      await revoke(createIdentity(), own.did),
    ]);
    expect(await countEvents()).toBe(events);
    expect([(await verify(other)).status, (await verify(second)).status]).toEqual([200, 200]);
  });

  it('a phone that was revoked by others revokes nothing, not even itself', async () => {
    const own = await registerPerson(service, account.key);
    const lost = await addPhone(service, account, own);
    await revokeByKey(lost.did);
    await expectUniform([await revoke(lost, own.did), await revoke(lost, lost.did)]);
    expect((await verify(own)).status).toBe(200);
  });
});

describe('POST /v1/phone/identity/list [phones/adding-without-a-key]', () => {
  it('lists the identities that are not revoked, newest first, and spends nothing', async () => {
    const own = await registerPerson(service, account.key);
    const [second, lost] = [await addPhone(service, account, own), await addPhone(service, account, own)];
    await revokeByKey(lost.did);
    service.clock.advance(1000);
    await verify(own);
    const body = await proveIdentities(service, own, use());
    const events = await countEvents();
    const replies = [await post('list', body), await post('list', body)];
    for (const { status, body: shown } of replies) {
      expect(status).toBe(200);
      expect(shown.recoveries).toEqual([]);
      expect(shown.identities).toEqual([
        expect.objectContaining({
          did: second.did,
          lastUsedAt: null,
          isThis: false,
          deviceName: null,
          inForceAt: null,
        }),
        expect.objectContaining({
          ...{ did: own.did, isThis: true },
          lastUsedAt: new Date(service.clock.now()).toISOString(),
        }),
      ]);
    }
    expect(await countEvents()).toBe(events);
  });

  it('says which of them has a passkey in force [attestation/revoked-by-the-company]', async () => {
    const own = await registerPerson(service, account.key);
    const second = await addPhone(service, account, own);
    const { keyId } = await enrolPasskey(service, account, own);
    const keysOf = async () =>
      (await list(second)).body.identities.map(
        ({ did, attestationKeyId }: { did: string; attestationKeyId: string | null }) => [
          did,
          attestationKeyId,
        ],
      );
    expect(await keysOf()).toEqual([
      [second.did, null],
      [own.did, keyId],
    ]);
    await service.call('DELETE', `/v1/attestation/keys/${keyId}`, { as: account.key });
    expect(await keysOf()).toEqual([
      [second.did, null],
      [own.did, null],
    ]);
  });

  it('a phone that was revoked by others sees only recoveries, for the cool-down and seven days', async () => {
    const own = await registerPerson(service, account.key);
    const lost = await addPhone(service, account, own);
    await revokeByKey(lost.did);
    expect((await list(lost)).body).toEqual({ identities: [], recoveries: [] });
    service.clock.advance(8 * DAY_MS - 1);
    expect((await list(lost)).status).toBe(200);
    service.clock.advance(1);
    await expectUniform([await list(lost)]);
  });

  it('shows the open recoveries of the person', async () => {
    const own = await registerPerson(service, account.key);
    const [id, at] = [crypto.randomUUID(), new Date(service.clock.now())];
    await service.db.query(sql`insert into registration_sessions (tenant_id, environment, id, state, profile, challenge_nonce, created_at,
        expires_at, updated_at, for_user_id, recovers, recovery_opened_at, completes_at)
      values (${account.tenantId}, 'live', ${id}, 'pending_recovery', '{}', 'x', ${at}, ${at}, ${at}, ${own.userId}, true, ${at}, ${at})`);
    const time = at.toISOString();
    expect((await list(own)).body.recoveries).toEqual([
      { id, openedAt: time, completesAt: time, contestedAt: null },
    ]);
    expect((await list(await registerPerson(service, account.key))).body.recoveries).toEqual([]);
  });

  it('401 for a phone that revoked itself, a stranger, another tenant’s proof and an old one', async () => {
    const own = await registerPerson(service, account.key);
    const gone = await addPhone(service, account, own);
    await revoke(gone, gone.did);
    await expectUniform([
      await list(gone),
      await list(createIdentity()),
      await list(own, { tenantId: crypto.randomUUID() }),
      await list(own, { ...use(), timestamp: service.clock.now() - 300_001 }),
      await post('list', await proveFor(service, own, { tenantId: account.tenantId })),
    ]);
  });
});

describe('GET /v1/users/:userId/identities [identities/lists-and-did-documents]', () => {
  it('lists the identities of a user in pages, newest first, with their last use and rotations', async () => {
    const first = await registerPerson(service, account.key);
    const second = await addPhone(service, account, first);
    await rotatePhone(service, account, first);
    await revokeByKey(second.did);
    const now = new Date(service.clock.now()).toISOString();
    const path = `/v1/users/${first.userId}/identities`;
    const common = { deviceId: null, deviceName: null, attestationKind: null, inForceAt: null };
    const whole = (await read(path)).body;
    expect(whole).toEqual({
      identities: [
        {
          ...common,
          id: expect.any(String),
          did: second.did,
          createdAt: now,
          lastUsedAt: null,
          revokedAt: now,
          rotations: 0,
        },
        {
          ...common,
          id: expect.any(String),
          did: first.did,
          createdAt: now,
          lastUsedAt: now,
          revokedAt: null,
          rotations: 1,
        },
      ],
      environment: 'live',
      nextCursor: null,
    });
    const page = (await read(`${path}?limit=1`)).body;
    const next = (await read(`${path}?limit=1&cursor=${page.nextCursor}`)).body;
    expect([...page.identities, ...next.identities]).toEqual(whole.identities);
    const other = await registerPerson(service, account.key);
    expect((await read(`/v1/users/${other.userId}/identities?cursor=${page.nextCursor}`)).status).toBe(400);
  });

  it('names the phone of an identity and what attested it', async () => {
    const { c, reply } = await completeCeremony(service, account, { profile: { fullName: 'Ada' } });
    await service.db.query(
      sql`update devices set attestation_kind = 'play_integrity' where id = ${c.deviceId ?? ''}`,
    );
    const { identities } = (await read(`/v1/users/${reply.body.tenant_user.id}/identities`)).body;
    const phone = { deviceId: c.deviceId, deviceName: 'Phone', attestationKind: 'play_integrity' };
    expect(identities).toEqual([expect.objectContaining(phone)]);
  });

  it('user_not_found for an unknown user, and for one of another environment', async () => {
    const testing = await registerPerson(service, testKey);
    for (const id of [crypto.randomUUID(), testing.userId, 'x'])
      expect((await read(`/v1/users/${id}/identities`)).body.error).toBe('user_not_found');
  });

  it('does not list the identity of a pending recovery, which has no document either', async () => {
    const person = await registerPerson(service, account.key);
    const pending = await addPhone(service, account, person);
    await service.db.query(sql`update identities set in_force_at = 'infinity'
      where tenant_id = ${account.tenantId} and did = ${pending.did}`);
    const { identities } = (await read(`/v1/users/${person.userId}/identities`)).body;
    expect(identities.map(({ did }: { did: string }) => did)).toEqual([person.did]);
    expect((await read(`/v1/identity/${pending.did}/document`)).status).toBe(404);
    expect((await list(person)).body.identities).toHaveLength(1);
  });
});

describe('GET /v1/identity/:did/document [identities/lists-and-did-documents]', () => {
  const seconds = () => new Date(service.clock.now()).toISOString().replace(/\.\d+/, '');
  const documentOf = async (did: string) => (await read(`/v1/identity/${did}/document`)).body;

  it('has the commitment in force, a version for each rotation, and is deactivated after the revocation', async () => {
    const person = await registerPerson(service, account.key);
    const { did } = person;
    const created = seconds();
    const method = (version: number, commitment: string) => ({
      id: did,
      verificationMethod: [{ id: `${did}#${version}`, type: 'SvcCommitment', controller: did, commitment }],
      authentication: [`${did}#${version}`],
    });
    const didResolutionMetadata = { contentType: 'application/did+json' };
    expect(await documentOf(`did:svc:${did.slice(8).toUpperCase()}`)).toEqual({
      didDocument: method(1, person.commitment),
      didDocumentMetadata: { created, versionId: '1', deactivated: false },
      didResolutionMetadata,
    });
    service.clock.advance(5000);
    const { renewed } = await rotatePhone(service, account, person);
    expect(await documentOf(did)).toEqual({
      didDocument: method(2, renewed.commitment),
      didDocumentMetadata: { created, updated: seconds(), versionId: '2', deactivated: false },
      didResolutionMetadata,
    });
    service.clock.advance(5000);
    await revokeByKey(did);
    expect(await documentOf(did)).toEqual({
      didDocument: { id: did },
      didDocumentMetadata: { created, updated: seconds(), versionId: '2', deactivated: true },
      didResolutionMetadata,
    });
  });

  it('an identity in its cool-down has no authentication method yet', async () => {
    const own = await service.signUp({ plan: 'enterprise' });
    await setPolicy(service, own, { addition_cooldown_hours: 1 });
    const added = await addPhone(service, own, await registerPerson(service, own.key));
    const get = async () =>
      (await service.call('GET', `/v1/identity/${added.did}/document`, { as: own.key })).body.didDocument;
    expect((await get()).authentication).toEqual([]);
    service.clock.advance(3_600_000);
    expect((await get()).authentication).toEqual([`${added.did}#1`]);
  });

  it('identity_not_found for an unknown DID, for one of the other environment, and for other text', async () => {
    const testing = await registerPerson(service, testKey);
    for (const did of [createIdentity().did, testing.did, 'did:web:example.com', 'x'])
      expect((await read(`/v1/identity/${did}/document`)).body.error).toBe('identity_not_found');
  });
});
