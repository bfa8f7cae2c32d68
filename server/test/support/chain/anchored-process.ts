import { createIdentity } from '@svc/zk/phone';
import { expect, vi } from 'vitest';
import type { RawDatabase } from '../../../src/db/db.js';
import { sql } from '../../../src/db/sql.js';
import { emptyDatabase } from '../database.js';
import { type Installation, type Running, startProcess } from '../process.js';
import { ADMIN_KEY } from '../service.js';
import { expectLeavesOnce } from './anchoring.js';
import { startChain, type TestChain } from './chain.js';

/** A server process with its own PostgreSQL database and blockchain, and a tenant whose DIDs are anchored. */
export class AnchoredProcess {
  readonly chain: TestChain;
  readonly db: RawDatabase;
  readonly #installed: Installation;
  readonly #env: Record<string, string>;
  #running!: Running;
  #key = '';

  private constructor(installed: Installation, chain: TestChain, db: RawDatabase, databaseUrl: string) {
    this.#installed = installed;
    this.chain = chain;
    this.db = db;
    const { rpcUrl, chainId, privateKey, contracts } = chain.settings;
    this.#env = {
      DATABASE_URL: databaseUrl,
      SVC_SECRET: 'the secret of the crash tests, long enough',
      ADMIN_API_KEY: ADMIN_KEY,
      DEFAULT_PLAN: 'enterprise',
      PLAN_WINDOW_MULTIPLIER: '1000',
      CHAIN_RPC_URL: rpcUrl,
      CHAIN_ID: String(chainId),
      CHAIN_PRIVATE_KEY: privateKey,
      CHAIN_CONTRACTS: JSON.stringify(contracts),
    };
  }

  static async start(installed: Installation): Promise<AnchoredProcess> {
    const { db, url } = await emptyDatabase('postgres');
    const created = new AnchoredProcess(installed, await startChain(), db, url as string);
    await created.#start();
    await created.#createTenant();
    return created;
  }

  async #start(): Promise<void> {
    this.#running = await startProcess(this.#installed, this.#env);
    await this.#running.serving;
  }

  // biome-ignore lint/suspicious/noExplicitAny: replies, whose schemas the sweeps check
  async #call(method: string, path: string, as?: string, body?: object): Promise<any> {
    const reply = await fetch(this.#running.url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(as ? { authorization: `Bearer ${as}` } : { 'x-api-key': ADMIN_KEY }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const parsed = await reply.json();
    expect(reply.ok, JSON.stringify(parsed)).toBe(true);
    return parsed;
  }

  async #createTenant(): Promise<void> {
    const { token, apiKey } = await this.#call('POST', '/api/console/signup', undefined, {
      email: 'owner@example.com',
      password: 'correct horse 7 battery staple',
      companyName: 'Example',
    });
    await this.#call('PUT', '/api/console/security-policy', token, {
      security_policy: { providers: { did: 'onchain' } },
    });
    this.#key = apiKey.key;
  }

  register() {
    const { did, commitment } = createIdentity();
    return this.#call('POST', '/v1/identity/register', this.#key, { did, commitment });
  }

  blockchain = () => this.#call('GET', '/api/admin/blockchain');

  /** Kills the process and starts another one, which can take over anchoring immediately. */
  async killAndRestart(): Promise<void> {
    this.#running.kill('SIGKILL');
    expect((await this.#running.ended).signal).toBe('SIGKILL');
    // Expires the lease of the killed process.
    await this.db.query(sql`update anchor_workers set expires_at = now()`);
    await this.#start();
  }

  /** Expects every registration exactly once on the blockchain. */
  async expectExact(): Promise<void> {
    await vi.waitFor(async () => {
      const { state, outbox } = await this.blockchain();
      expect({ state, waiting: outbox.waiting, sent: outbox.sent }).toEqual({
        state: 'ok',
        waiting: 0,
        sent: 0,
      });
    }, 60_000);
    const [hub] = await this.db.query<{ hub: string }>(sql`select hub from anchor_workers`);
    await expectLeavesOnce(this.db, hub!.hub, this.chain);
    expect((await this.chain.client.totals('latest')).identities).toBe(await this.countIdentities());
  }

  async countIdentities(): Promise<number> {
    const [row] = await this.db.query<{ count: number }>(sql`select count(*) as count from identities`);
    return row!.count;
  }

  async close(): Promise<void> {
    this.#running.kill('SIGKILL');
    await this.#running.ended;
    await this.chain.close();
    await this.db.close();
  }
}
