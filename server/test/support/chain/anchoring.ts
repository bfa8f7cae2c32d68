import { createIdentity } from '@svc/zk/phone';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { RawDatabase } from '../../../src/db/db.js';
import { sql } from '../../../src/db/sql.js';
import type { SecurityPolicy } from '../../../src/model/security-policy.js';
import { freshDatabase } from '../database.js';
import {
  type Account,
  ADMIN_KEY,
  type ManualClock,
  manualClock,
  type Service,
  startService,
} from '../service.js';
import { startChain, type TestChain } from './chain.js';

const admin = { headers: { 'x-api-key': ADMIN_KEY } };

/** A service with its own blockchain, and a tenant whose DIDs are anchored. */
export class Anchored {
  db!: RawDatabase;
  clock!: ManualClock;
  chain!: TestChain;
  service!: Service;
  account!: Account;

  get anchoring() {
    const { anchoring } = this.service.app.deps;
    if (anchoring === undefined) throw new Error('this service has no blockchain');
    return anchoring;
  }
  run = () => this.anchoring.run();
  state = () => this.anchoring.status().state;

  demand(providers: SecurityPolicy['providers'], of = this.account) {
    return this.service.call('PUT', '/api/console/security-policy', {
      as: of.token,
      body: { security_policy: { providers } },
    });
  }

  async register(as = this.account.key) {
    const { did, commitment } = createIdentity();
    const reply = await this.service.call('POST', '/v1/identity/register', { as, body: { did, commitment } });
    expect(reply.status).toBe(201);
    return { did, commitment, metadata: reply.body.metadata, userId: reply.body.userId };
  }

  /** Registers with a clock that advances, so the test does not wait for the anchoring timeout of 1.5 seconds. */
  async registerWithoutChain() {
    const registering = this.register();
    const waiting = setInterval(() => this.clock.advance(100), 20);
    try {
      return await registering;
    } finally {
      clearInterval(waiting);
    }
  }

  leavesOf({ tenantId }: Account) {
    return this.db.query<{ kind: number; batch_id: number | null; salt: string }>(
      sql`select kind, batch_id, salt from anchor_leaves where tenant_id = ${tenantId}`,
    );
  }

  /** Expects every leaf exactly once on the blockchain, under the stored roots. */
  async expectExact(): Promise<void> {
    for (let i = 0; i < 3; i++) await this.run();
    expect(this.anchoring.status()).toMatchObject({ state: 'ok', message: null });
    await expectLeavesOnce(this.db, this.anchoring.hub, this.chain);
  }

  admin = async (path: string) => (await this.service.call('GET', path, admin)).body;
  blockchain = () => this.admin('/api/admin/blockchain');
}

/** Expects equal numbers of leaves and batches on the blockchain and in the database, and nothing pending. */
export async function expectLeavesOnce(db: RawDatabase, hub: string, { client }: TestChain): Promise<void> {
  const [row] = await db.query<{ leaves: number; waiting: number; open: number; batches: number }>(sql`select
    (select count(*) from anchor_leaves where hub = ${hub}) as leaves,
    (select count(*) from anchor_leaves where batch_id is null) as waiting,
    count(*) filter (where included_at is null) as open, count(*) as batches
    from anchor_batches where hub = ${hub}`);
  const { leaves, batches } = await client.totals('latest');
  expect({ ...row }).toEqual({ leaves, waiting: 0, open: 0, batches });
}

/** A service and a blockchain for each test, on one database for the file. */
export function anchoredService(): Anchored {
  const anchored = new Anchored();
  beforeAll(async () => {
    anchored.db = (await freshDatabase()).db;
    anchored.clock = manualClock();
  });
  afterAll(() => anchored.db.close());
  beforeEach(async () => {
    const { db, clock } = anchored;
    anchored.chain = await startChain();
    anchored.service = await startService({ db, clock, chain: anchored.chain.client });
    anchored.account = await anchored.service.signUp({ plan: 'growth' });
    await anchored.demand({ did: 'onchain' });
  });
  afterEach(async () => {
    await anchored.service.close();
    await anchored.chain.close();
  });
  return anchored;
}
