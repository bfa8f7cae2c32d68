import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { announceThresholds } from '../../src/features/usage/usage.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let other: Service;
beforeAll(async () => {
  service = await startService();
  other = await startService({ clock: service.clock });
});
afterAll(() => Promise.all([service.close(), other.close()]));

const use = (account: Account, used: number, month = '2026-05') =>
  service.db.query(sql`insert into usage_months (tenant_id, month, used) values (${account.tenantId}, ${month}, ${used})
    on conflict (tenant_id, month) do update set used = excluded.used`);
async function announced(account: Account) {
  const { body } = await service.call('GET', '/api/console/audit?action=quota.threshold', {
    as: account.token,
  });
  return body.audit.map(({ metadata }: { metadata: object }) => metadata).reverse();
}
const announceOnBoth = () => Promise.all([service, other].map(({ app }) => announceThresholds(app.deps)));

describe('the events of a quota [quota.threshold] [limits/quota-events]', () => {
  it('come at 50, 80 and 100 percent, each once a month, whichever node finds it', async () => {
    const account = await service.signUp();
    await use(account, 499);
    await announceOnBoth();
    expect(await announced(account)).toEqual([]);
    await use(account, 500);
    await announceOnBoth();
    await announceOnBoth();
    const half = { month: '2026-05', percent: 50, quota: 1_000 };
    expect(await announced(account)).toEqual([half]);
    await use(account, 1_000);
    await announceOnBoth();
    const all = [half, { ...half, percent: 80 }, { ...half, percent: 100 }];
    expect(await announced(account)).toEqual(all);
    await announceOnBoth();
    expect(await announced(account)).toEqual(all);
  });

  it('begin again with the next month, and never come on a plan without a quota', async () => {
    const [account, unlimited] = [await service.signUp(), await service.signUp({ plan: 'enterprise' })];
    await use(account, 900, '2026-04');
    await use(unlimited, 10_000_000);
    await announceOnBoth();
    expect(await announced(account)).toEqual([]);
    expect(await announced(unlimited)).toEqual([]);
  });

  it('follow the plan of the moment, and wait while the account is suspended', async () => {
    const account = await service.signUp({ plan: 'starter' });
    await use(account, 12_499);
    await announceOnBoth();
    expect(await announced(account)).toEqual([]);
    await service.setPlan(account, 'free');
    await service.setStatus(account, 'suspended');
    await announceOnBoth();
    await service.setStatus(account, 'active');
    expect(await announced(account)).toEqual([]);
    await announceOnBoth();
    expect(await announced(account)).toHaveLength(3);
  });
});
