// @module-tag if-touched chain/ server/test/anchors/ server/test/support/chain/ server/src/features/anchors/ server/src/features/accounts/: starts a blockchain
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { deleteClosedAccounts } from '../../src/features/accounts/deletion.js';
import { anchoredService } from '../support/chain/anchoring.js';
import type { Account } from '../support/service.js';

const on = anchoredService();
const DAY = 24 * 60 * 60_000;

const close = ({ token, password }: Account) =>
  on.service.call('POST', '/api/console/account/close', { as: token, body: { password } });
const leaves = ({ tenantId }: Account) =>
  on.db.query<
    Record<string, unknown>
  >(sql`select kind, identity_id, first_word, second_word, salt, batch_id is not null as is_batched
    from anchor_leaves where tenant_id = ${tenantId} order by kind`);
const integrity = async () => (await on.admin('/api/admin/audit-integrity')).anchors;

describe('the leaves of a closed account [erasure/closing-an-account]', () => {
  it('stay as hashes if they are in a batch, so that the proofs of other accounts hold, and no new ones are anchored', async () => {
    const other = await on.service.signUp({ plan: 'enterprise' });
    for (const of of [on.account, other]) await on.demand({ did: 'onchain', auditAnchor: 'onchain' }, of);
    const theirs = await on.register(other.key);
    await on.register();
    on.clock.advance(600_000);
    for (let runs = 0; runs < 4; runs += 1) await on.run();
    const proof = () =>
      on.service.call('GET', `/v1/anchors/proof?did=${encodeURIComponent(theirs.did)}`, { as: other.key });
    const before = await proof();
    expect(before.status).toBe(200);
    // One that is in no batch when the account is deleted.
    on.chain.fault = 'down';
    await on.registerWithoutChain();
    expect((await close(on.account)).status).toBe(200);
    on.clock.advance(600_000);
    await on.run();
    const closed = await on.db.query<{ seq: number }>(sql`select seq from audit_events
      where tenant_id = ${on.account.tenantId} and environment = 'live' and action = 'tenant.closed'`);
    const heads = await on.db.query<{ seq: number }>(
      sql`select seq from anchor_leaves where tenant_id = ${on.account.tenantId} and kind = 2`,
    );
    expect(heads.every(({ seq }) => seq < closed[0]!.seq)).toBe(true);
    on.clock.advance(31 * DAY);
    // Calls that are not yet counted would add rows between the two runs.
    await on.service.app.deps.meter.flush();
    await deleteClosedAccounts(on.service.app.deps);
    await deleteClosedAccounts(on.service.app.deps);
    on.chain.fault = 'none';
    for (let runs = 0; runs < 4; runs += 1) await on.run();
    const left = await leaves(on.account);
    expect(left.length).toBeGreaterThan(0);
    for (const leaf of left) {
      expect(leaf.is_batched).toBe(true);
      if (leaf.kind === 1)
        expect(leaf).toMatchObject({ identity_id: null, first_word: null, second_word: null, salt: null });
    }
    expect((await proof()).body.anchor).toEqual({ ...before.body.anchor, status: expect.any(String) });
    expect(await integrity()).toMatchObject({ status: 'pass' });
    const [row] = await on.db.query<{ closes_at: Date | null; status: string }>(
      sql`select closes_at, status from tenants where id = ${on.account.tenantId}`,
    );
    expect(row).toEqual({ closes_at: null, status: 'closed' });
  });
});
