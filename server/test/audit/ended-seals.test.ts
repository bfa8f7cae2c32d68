import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { SEALED_TABLES } from '../../src/features/audit/records/sealed-tables.js';
import { abandonRestored, expireSessions } from '../../src/features/registrations/registrations.js';
import { reader } from '../../src/ledger/write.js';
import { findStored, sealNow } from '../../src/records/seals/sealed-rows.js';
import { ceremonyBefore, completeBody, completeCeremony, openCeremony, phone } from '../support/ceremony.js';
import { openPairing, proveForPairing, scanOf, submit } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { wrongProof } from '../support/proofs.js';
import { openRecovery, runJob } from '../support/recoveries.js';
import { type Account, ADMIN_KEY, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

type EndedKind = 'registration' | 'pairing';

const call = async (method: string, path: string, body?: object, as = account.key) => {
  const reply = await service.call(method, path, { as, body });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
};
const live = () => reader(service.db, { tenantId: account.tenantId, environment: 'live' });

/** The entries that have a seal of it, with their actions. */
const sealsOf = (kind: EndedKind, id: string) =>
  service.db.query<{ action: string; seal: string }>(sql`select action,
      case when entity_id = ${id} and entity_type <> 'recovery' then metadata ->> 'seal' else metadata ->> ${`seal_${kind}`} end as seal
    from audit_events where tenant_id = ${account.tenantId} and environment = 'live' and metadata ?| array['seal', ${`seal_${kind}`}]
      and (entity_id = ${id} or metadata ->> ${`${kind}Id`} = ${id}) order by seq`);

const storedOf = async (kind: EndedKind, id: string) => {
  const stored = (await findStored(live(), SEALED_TABLES[kind], [id])).get(id);
  if (stored === undefined) throw new Error('There is no such row');
  return stored;
};

/** It has one seal, of what its row says, in the entry of that action. */
async function isSealedBy(action: string, kind: EndedKind, id: string) {
  expect(await sealsOf(kind, id)).toEqual([{ action, seal: sealNow(kind, await storedOf(kind, id)) }]);
}

async function isUnsealed(kind: EndedKind, id: string) {
  expect(await sealsOf(kind, id)).toEqual([]);
  expect(await storedOf(kind, id)).toMatchObject({ n: null, salts: null });
}

describe('the chain seals what a registration says that ended', () => {
  it('with a proof, as the API shows it [audit/seals-of-ended-sessions]', async () => {
    const profile = { fullName: 'Ada', externalId: 'e-1815', shift: 1.5 };
    const { c } = await completeCeremony(service, account, { profile });
    await isSealedBy('registration.completed', 'registration', c.id);
    const { session } = await call('GET', `/v1/registrations/${c.id}`);
    expect(session).toMatchObject({ state: 'completed', profile });
    expect((await storedOf('registration', c.id)).record).toMatchObject(session);
  });

  it('by being abandoned, by hand or after five failures [audit/seals-of-ended-sessions]', async () => {
    const open = await openCeremony(service, account, { profile: { fullName: 'Bo' } });
    await isUnsealed('registration', open.id);
    await call('DELETE', `/v1/registrations/${open.id}`);
    await isSealedBy('registration.abandoned', 'registration', open.id);
    const c = await ceremonyBefore(service, account, 'complete');
    const body = await completeBody(c);
    const wrong = { ...body, proof: wrongProof(body.proof) };
    for (let tries = 0; tries < 5; tries += 1)
      expect((await phone(service, 'complete', wrong)).status).toBe(404);
    await isSealedBy('registration.abandoned', 'registration', c.id);
  });

  it('with time, or because the database was restored [audit/seals-of-ended-sessions]', async () => {
    const expired = await openCeremony(service, account);
    service.clock.advance(31 * 60_000);
    await expireSessions(service.app.deps);
    await isSealedBy('registration.expired', 'registration', expired.id);
    const open = await openCeremony(service, account);
    await abandonRestored(service.app.deps, live().scope);
    await isSealedBy('registration.abandoned', 'registration', open.id);
  });

  it('as a recovery, completed or cancelled, and not before [audit/seals-of-ended-sessions]', async () => {
    const { userId } = await registerPerson(service, account.key);
    const as = await service.createKey(account, 'live', ['users:write', 'users:recover']);
    const opened = async () => (await openRecovery(service, account, userId, { as })).c.id;
    const first = await opened();
    await isUnsealed('registration', first);
    await call('DELETE', `/v1/registrations/${first}`, undefined, as);
    await isSealedBy('registration.abandoned', 'registration', first);
    const second = await opened();
    service.clock.advance(8 * 24 * 60 * 60_000);
    await runJob(service);
    await isSealedBy('registration.completed', 'registration', second);
  });

  it('also when what it says was erased with its person, whether it had ended or not [audit/seals-of-ended-sessions]', async () => {
    const open = await openCeremony(service, account, { profile: { externalId: 'e-1', note: 'a canary' } });
    const never = await openCeremony(service, account, { profile: { externalId: 'e-1', note: 'a canary' } });
    await call('DELETE', `/v1/registrations/${never.id}`);
    const profile = { fullName: 'Ada', externalId: 'e-1' };
    const { c, reply } = await completeCeremony(service, account, { profile });
    const as = await service.createKey(account, 'live', ['users:erase']);
    await call('POST', `/v1/users/${reply.body.tenant_user.id}/erase`, { events: 'strip' }, as);
    for (const [id, action] of [
      [c.id, 'registration.completed'],
      [open.id, 'registration.abandoned'],
      [never.id, 'registration.abandoned'],
    ] as const) {
      const { salts, record } = await storedOf('registration', id);
      expect(salts).toMatchObject({ text: null });
      expect(record).toMatchObject({ profile: null, did: null, commitment: null });
      await isSealedBy(action, 'registration', id);
    }
    const rows = await service.db.query(
      sql`select * from registration_sessions where tenant_id = ${account.tenantId}`,
    );
    expect(JSON.stringify(rows)).not.toMatch(/canary|e-1"/);
    const path = `/api/admin/audit-integrity?tenantId=${account.tenantId}`;
    const integrity = await service.call('GET', path, { headers: { 'x-api-key': ADMIN_KEY } });
    expect(integrity.body).toMatchObject({ status: 'pass' });
  });
});

describe('the chain seals what a pairing says', () => {
  const bound = async (matchCode?: (shown: string) => string) => {
    const person = await registerPerson(service, account.key);
    const pairing = await openPairing(service, account.key, undefined, matchCode ? { match: 'type' } : {});
    await isUnsealed('pairing', pairing.id);
    const use = { tenantId: account.tenantId, sessionId: pairing.id, nonce: pairing.nonce };
    const typed = matchCode && { matchCode: matchCode(pairing.matchCode ?? '') };
    const proof = await proveForPairing(person, { ...use, ...typed });
    const reply = await submit(service, account.key, pairing.id, { ...proof, ...(typed && scanOf(pairing)) });
    return { pairing, reply, person };
  };

  it('that somebody approved, in the entry of the submit beside that of the verification [audit/seals-of-ended-sessions]', async () => {
    const { pairing, reply, person } = await bound();
    expect(reply.status, reply.text).toBe(200);
    await isSealedBy('pairing.submit', 'pairing', pairing.id);
    const { record } = await storedOf('pairing', pairing.id);
    expect(record).toMatchObject({ state: 'bound', userId: person.userId, did: person.did });
    const [entry] = (await call('GET', '/v1/audit?limit=1')).audit;
    expect(entry.metadata).toMatchObject({ seal_verification: expect.any(String) });
    const { verification } = await call('GET', `/v1/verifications/${entry.metadata.verificationId}`);
    expect(record).toMatchObject({ verificationId: verification.id, boundAt: verification.occurredAt });
  });

  it('that a wrong number ended [audit/seals-of-ended-sessions]', async () => {
    const wrong = (shown: string) => String((Number(shown) + 1) % 100).padStart(2, '0');
    const { pairing, reply } = await bound(wrong);
    expect(reply.body.error).toBe('pairing_match_failed');
    await isSealedBy('pairing.match_failed', 'pairing', pairing.id);
    expect((await storedOf('pairing', pairing.id)).record).toMatchObject({
      state: 'rejected',
      match: 'type',
    });
  });

  it('that somebody declined, and nothing of one that failed, was cancelled or expired [audit/seals-of-ended-sessions]', async () => {
    const context = { application: 'Northwind Portal' };
    const declined = await openPairing(service, account.key, undefined, { context });
    await call('POST', `/v1/proof-pairing/sessions/${declined.id}/decline`, { reason: 'not_me' });
    await isSealedBy('pairing.declined', 'pairing', declined.id);
    expect((await storedOf('pairing', declined.id)).record).toMatchObject({ state: 'declined', ...context });
    const cancelled = await openPairing(service, account.key);
    const headers = { cookie: cancelled.cookie };
    await service.call('DELETE', `/v1/proof-pairing/sessions/${cancelled.id}`, { as: account.key, headers });
    await isUnsealed('pairing', cancelled.id);
    const open = await openPairing(service, account.key);
    const use = { tenantId: account.tenantId, sessionId: open.id, nonce: open.nonce };
    const unknown = await proveForPairing(createIdentity(), use);
    expect((await submit(service, account.key, open.id, unknown)).status).toBe(401);
    await isUnsealed('pairing', open.id);
    service.clock.advance(6 * 60_000);
    await isUnsealed('pairing', open.id);
  });
});
