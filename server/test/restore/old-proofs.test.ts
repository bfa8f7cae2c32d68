// @module-tag embedded-ci
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proveFor, registerPerson } from '../support/phone.js';
import { useRealProofs } from '../support/registered-proofs.js';
import type { Account } from '../support/service.js';
import { proveIdentities } from '../support/several-phones.js';
import { Restorable } from './backup.js';

useRealProofs();

let at: Restorable;
let account: Account;
beforeAll(async () => {
  at = await Restorable.start();
  account = await at.service.signUp({ plan: 'enterprise' });
});
afterAll(() => at.close());

describe('a proof that was used after the backup', () => {
  it('is stale after the restore, as is every proof of the time before and of the five minutes after it [erasure/proofs-after-a-restore]', async () => {
    const person = await registerPerson(at.service, account.key);
    const call: typeof at.service.call = (...input) => at.service.call(...input);
    const prove = (timestamp: number) =>
      proveFor(at.service, person, { tenantId: account.tenantId, timestamp });
    const verify = async (body: object) =>
      (await call('POST', '/v1/identity/verify', { as: account.key, body })).status;
    await at.backUp();
    const used = await prove(at.service.clock.now());
    expect(await verify(used)).toBe(200);
    const inTheFuture = await prove(at.service.clock.now() + 5 * 60_000);
    expect(await verify(inTheFuture)).toBe(200);
    const from = [await at.exportOf(account), await at.exportOf(account, 'test')];
    await at.restore();
    await at.finish(from);
    await at.serve();
    const finishedAt = at.service.clock.now();
    const reasonOf = async () =>
      (await call('GET', '/v1/audit?limit=1', { as: account.key })).body.audit[0].metadata.reason;
    for (const body of [used, inTheFuture]) {
      expect(await verify(body)).toBe(401);
      expect(await reasonOf()).toBe('stale');
    }
    at.service.clock.advance(4 * 60_000);
    expect(await verify(await prove(finishedAt + 5 * 60_000 - 1))).toBe(401);
    const phone = await proveIdentities(at.service, person, { tenantId: account.tenantId });
    const body = { tenantId: account.tenantId, environment: 'live', ...phone };
    expect((await call('POST', '/v1/phone/identity/list', { body })).status).toBe(401);
    expect(await verify(await prove(finishedAt + 5 * 60_000))).toBe(200);
  });
});
