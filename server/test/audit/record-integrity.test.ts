import { createChainNotes, type NotedEntry, type NotedRecord } from '@svc/zk/records/chain-notes';
import type { SealedKind } from '@svc/zk/records/kinds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { RecordCheck, type SealNote } from '../../src/features/audit/records/record-check.js';
import { sealChains } from '../../src/features/seals/seals.js';
import { type Read, reader } from '../../src/ledger/write.js';
import { ENDED_ATTACKS, type MadeEnded, makeEnded } from '../support/ended-attacks.js';
import { openPairing, proveForPairing, submit } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import {
  eraseUser,
  type MadeRecords,
  makeRecords,
  RECORD_ATTACKS,
  type RecordAttack,
  retire,
  sayAllAreSealed,
  withoutSeals,
} from '../support/record-attacks.js';
import { ADMIN_KEY, type Service, startService } from '../support/service.js';

describe('the integrity check of records', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  const make = async () => makeRecords(service, await service.signUp({ plan: 'enterprise' }));
  const call = async ({ account }: MadeRecords, method: string, path: string, body: object) => {
    const reply = await service.call(method, path, { as: account.key, body });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  const check = async ({ account }: Pick<MadeRecords, 'account'>, query = '') => {
    const path = `/api/admin/audit-integrity?tenantId=${account.tenantId}&environment=live${query}`;
    const { body } = await service.call('GET', path, { headers: { 'x-api-key': ADMIN_KEY } });
    return body.chains[0];
  };
  const passes = async (on: MadeRecords) => {
    for (const query of ['', '&limit=1', '&limit=3', '&limit=1000'])
      expect(await check(on, query), query).toMatchObject({ status: 'pass' });
  };
  /** The newest entry that has or must have a seal of a record. */
  const entryOf = async ({ account }: MadeRecords, id: string) => {
    const [row] = await service.db.query<{ id: string; seq: number }>(sql`select id, seq from audit_events
      where tenant_id = ${account.tenantId} and environment = 'live' and entity_id = ${id} and (metadata ->> 'seal' is not null or action = 'verification.created') order by seq desc limit 1`);
    return row as { id: string; seq: number };
  };

  it('passes when people, devices and events were made, changed, imported and erased, whole and in part [audit/integrity-of-records]', async () => {
    const on = await make();
    for (const name of ['Side gate', 'Main gate']) {
      service.clock.advance(60_000);
      await call(on, 'PATCH', `/v1/devices/${on.device}`, { name });
      await call(on, 'PATCH', `/v1/devices/${on.device}`, { batteryLevel: 12 });
      await call(on, 'PATCH', `/v1/users/${on.other}`, { fullName: name });
    }
    await call(on, 'POST', '/v1/users/import', { users: [{ fullName: 'Cy' }, { fullName: 'Di' }] });
    const person = await registerPerson(service, on.account.key);
    const pairing = await openPairing(service, on.account.key);
    const use = { tenantId: on.account.tenantId, sessionId: pairing.id, nonce: pairing.nonce };
    await submit(service, on.account.key, pairing.id, await proveForPairing(person, use));
    await passes(on);
    await eraseUser(on, on.user, 'strip');
    await eraseUser(on, on.other, 'keep');
    await passes(on);
  });

  it('passes when records were deleted because of their age [audit/integrity-of-records]', async () => {
    const on = await make();
    await retire(on);
    const left = await service.db.query(
      sql`select id from verifications where tenant_id = ${on.account.tenantId}`,
    );
    expect(left).toEqual([]);
    await passes(on);
  });

  it('accuses no record from before there were seals that an entry names, and none that was sealed since [audit/integrity-of-records]', async () => {
    const on = await make();
    const { tenantId } = on.account;
    const at = new Date(service.clock.now());
    const made = async (
      entityType: SealedKind,
      id: string,
      action: 'user.created' | 'verification.created',
    ) =>
      service.app.deps.write(
        { scope: { tenantId, environment: 'live' }, actor: { type: 'system', id: null }, action },
        async (w) => w.audit({ entityType, entityId: id }),
      );
    const [user, verification] = [crypto.randomUUID(), crypto.randomUUID()];
    await made('user', user, 'user.created');
    await made('verification', verification, 'verification.created');
    await service.db.query(sql`insert into tenant_users (tenant_id, environment, id, full_name, status, created_at, updated_at)
      values (${tenantId}, 'live', ${user}, 'Old', 'active', ${at}, ${at})`);
    // Its entry is not where its time leads to.
    await service.db.query(sql`insert into verifications (tenant_id, environment, id, method, result, occurred_at, created_at)
      values (${tenantId}, 'live', ${verification}, 'manual', 'pass', ${at}, '2020-01-01')`);
    await passes(on);
    service.clock.advance(3600_000);
    await call(on, 'PATCH', `/v1/users/${user}`, { fullName: 'New' });
    await passes(on);
  });

  it('accuses no record that a node of the version before made or changed during the upgrade [audit/when-records-are-sealed]', async () => {
    const on = await make();
    await withoutSeals(on);
    await passes(on);
    await sayAllAreSealed(on);
    await passes(on);
    // From the next write on, the record is covered again.
    await call(on, 'PATCH', `/v1/devices/${on.device}`, { name: 'Side gate' });
    await passes(on);
    await service.db.query(sql`update devices set name = 'Main gate' where id = ${on.device}`);
    expect(await check(on)).toMatchObject({ reason: 'record_changed', recordId: on.device });
  });

  it('accuses a record that was changed without an entry during the upgrade [audit/when-records-are-sealed]', async () => {
    const on = await make();
    await withoutSeals(on);
    await service.db.query(
      sql`update verifications set result = 'pass', reason = null where id = ${on.failed}`,
    );
    expect(await check(on)).toMatchObject({ reason: 'record_changed', recordId: on.failed });
  });

  it('accuses no record of an account that was closed and reopened, whose records are sealed as before [audit/integrity-of-records]', async () => {
    const on = await make();
    const { account } = on;
    const as = account.token;
    const closed = await service.call('POST', '/api/console/account/close', {
      as,
      body: { password: account.password },
    });
    expect(closed.status, closed.text).toBe(200);
    await passes(on);
    expect((await service.call('POST', '/api/console/account/reopen', { as })).status).toBe(200);
    await passes(on);
    await sealChains({
      ...service.app.deps,
      clock: { ...service.clock, now: () => service.clock.now() + 2 * 3600_000 },
    });
    const { device } = await call(on, 'POST', '/v1/devices', { name: 'After' });
    await call(on, 'PATCH', `/v1/users/${on.user}`, { fullName: 'After' });
    for (const id of [device.id, on.user])
      expect(await entryOf(on, id)).toMatchObject({ id: expect.any(String) });
    await passes(on);
    await service.db.query(sql`update devices set name = 'Before' where id = ${device.id}`);
    expect(await check(on)).toMatchObject({ reason: 'record_changed', recordId: device.id });
  });

  it.each(Object.keys(RECORD_ATTACKS))('names %s [audit/integrity-of-records]', async (name) => {
    const { attack, faults } = RECORD_ATTACKS[name] as RecordAttack;
    const on = await make();
    await attack(on);
    const verdict = await check(on);
    const expected = faults(on).map(([reason, recordKind, recordId]) => ({ reason, recordKind, recordId }));
    const { reason, recordKind, recordId } = verdict;
    expect(verdict.status).toBe('fail');
    expect(expected).toContainEqual({ reason, recordKind, recordId });
    if (reason === 'record_unknown') return expect(verdict.brokenRowId).toBeUndefined();
    expect(verdict.brokenRowId).toBe((await entryOf(on, recordId)).id);
    expect(await check(on, '&limit=1000')).toMatchObject({ reason, recordKind, recordId });
  });

  it.each(Object.keys(ENDED_ATTACKS))('names %s [audit/integrity-of-records]', async (name) => {
    const { attack, faults } = ENDED_ATTACKS[name] as RecordAttack<MadeEnded>;
    const on = await makeEnded(await make());
    await passes(on);
    await attack(on);
    const [expected] = faults(on).map(([reason, recordKind, recordId]) => ({ reason, recordKind, recordId }));
    expect(await check(on)).toMatchObject({ status: 'fail', ...expected });
  });

  it('passes when registrations and pairings that have ended were deleted [audit/integrity-of-records]', async () => {
    const on = await makeEnded(await make());
    await retire(on);
    await service.db.query(sql`delete from proof_pairing_sessions where tenant_id = ${on.account.tenantId}`);
    await passes(on);
  });

  it.each([true, false])(
    'accuses no record that is written while the chain is read, wholly or not: %s [audit/integrity-of-records]',
    async (isWhole) => {
      const on = await make();
      const primary = reader(service.db, { tenantId: on.account.tenantId, environment: 'live' });
      const { audit }: { audit: NotedEntry[] } = (
        await service.call('GET', '/v1/audit?limit=100', { as: on.account.key })
      ).body;
      const notes = createChainNotes();
      const seals = audit.reverse().flatMap((entry) => notes.read(entry));
      const to = seals.at(-1)?.seq ?? 0;
      let writes = 0;
      const evidence: Read = {
        scope: primary.scope,
        async query(statement) {
          writes += 1;
          const name = `Gate ${writes}`;
          await call(on, 'PATCH', `/v1/devices/${on.device}`, { name });
          await call(on, 'PATCH', `/v1/users/${on.user}`, { fullName: name });
          if (writes === 2) await eraseUser(on, on.other, 'strip');
          if (writes > 1) await call(on, 'POST', '/v1/verifications', { method: 'manual', result: 'pass' });
          return primary.query(statement);
        },
      };
      const records = new RecordCheck({ evidence, primary, fromSeq: 1, to, isWhole });
      const isSealed = (note: NotedRecord): note is SealNote & NotedRecord => note.seal !== undefined;
      await records.check(seals.filter(isSealed));
      expect(await records.finish()).toBeUndefined();
      expect(writes).toBeGreaterThan(6);
    },
  );

  it('compares with limit what the newest entries have sealed [audit/integrity-of-records]', async () => {
    const on = await make();
    await service.db.query(sql`update verifications set confidence_score = 1 where id = ${on.passed}`);
    await service.db.query(sql`delete from verifications where id = ${on.failed}`);
    const { seq: newest } = await entryOf(on, on.checkIn);
    const { seq: passed } = await entryOf(on, on.passed);
    const { seq: failed } = await entryOf(on, on.failed);
    expect(await check(on, `&limit=${newest - passed}`)).toMatchObject({ status: 'pass' });
    expect(await check(on, `&limit=${newest - passed + 1}`)).toMatchObject({
      ...{ reason: 'record_changed', recordId: on.passed },
    });
    await service.db.query(sql`update verifications set confidence_score = null where id = ${on.passed}`);
    expect(await check(on, `&limit=${newest - failed}`)).toMatchObject({ status: 'pass' });
    expect(await check(on, `&limit=${newest - failed + 1}`)).toMatchObject({
      ...{ reason: 'record_missing', recordId: on.failed },
    });
  });
});
