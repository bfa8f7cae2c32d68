import { anchorHub } from '@svc/chain/generated/contracts';
import { tagOf, wordOf } from '@svc/chain/leaves';
import { didHash } from '@svc/zk/field';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAnchoring } from '../src/features/anchors/anchors.js';
import { signHead } from '../src/kernel/audit-chain.js';
import { updateHeads } from '../src/kernel/audit-store.js';
import type { Database } from '../src/kernel/db/db.js';
import { migrate, readMigrations } from '../src/kernel/db/migrate.js';
import { type Sql, sql } from '../src/kernel/db/sql.js';
import type { SecurityPolicy } from '../src/model/security-policy.js';
import { startChain, type TestChain, type Weather } from './support/chain.js';
import { emptyDatabase, migrationsFolder } from './support/database.js';
import { proveFor, registerPerson } from './support/phone.js';
import {
  type Account,
  ADMIN_KEY,
  type ManualClock,
  manualClock,
  type Service,
  startService,
} from './support/service.js';

let db: Database;
let clock: ManualClock;
let chain: TestChain;
let service: Service;
let account: Account;

// A database of its own: leaves wait for whichever chain is there.
beforeAll(async () => {
  ({ db } = await emptyDatabase());
  await migrate(db, await readMigrations(migrationsFolder));
  clock = manualClock();
});
afterAll(() => db.close());

const demand = (of: Account, providers: SecurityPolicy['providers']) =>
  service.call('PUT', '/api/console/security-policy', {
    as: of.token,
    body: { security_policy: { providers } },
  });

beforeEach(async () => {
  chain = await startChain();
  service = await startService({ db, clock, chain: chain.client });
  account = await service.signUp({ plan: 'growth' });
  await demand(account, { did: 'onchain' });
});
afterEach(async () => {
  await service.close();
  await chain.close();
});

const run = () => service.app.deps.anchoring!.run();
const state = () => service.app.deps.anchoring!.status().state;
const register = async (as = account.key, headers = {}) => {
  const { did, commitment } = createIdentity();
  const reply = await service.call('POST', '/v1/identity/register', {
    as,
    headers,
    body: { did, commitment },
  });
  expect(reply.status).toBe(201);
  return { did, commitment, metadata: reply.body.metadata, userId: reply.body.userId };
};
/** A registration that does not wait until its second and a half is over. */
const registerInBadWeather = async () => {
  const registering = register();
  const waiting = setInterval(() => clock.advance(100), 20);
  try {
    return await registering;
  } finally {
    clearInterval(waiting);
  }
};

const leavesOf = (of: Account) =>
  db.query<{ kind: number; batch_id: number | null; salt: string }>(
    sql`select kind, batch_id, salt from anchor_leaves where tenant_id = ${of.tenantId}`,
  );

/** Every leaf is on chain, once, under the root that its fields and those of its neighbours make. */
async function expectExact(): Promise<void> {
  for (let i = 0; i < 3; i++) await run();
  expect(state()).toBe('ok');
  const [row] = await db.query<{ leaves: number; waiting: number; open: number; batches: number }>(sql`select
    (select count(*) from anchor_leaves where hub = ${service.app.deps.anchoring!.hub}) as leaves,
    (select count(*) from anchor_leaves where batch_id is null) as waiting,
    count(*) filter (where included_at is null) as open, count(*) as batches
    from anchor_batches where hub = ${service.app.deps.anchoring!.hub}`);
  const totals = await chain.client.totals('latest');
  expect({ ...row }).toEqual({ leaves: totals.leaves, waiting: 0, open: 0, batches: totals.batches });
}

describe('a registration with an on-chain DID provider', () => {
  it('answers the transaction that holds it, and the contract finds its leaf', async () => {
    const { did, commitment, metadata } = await register();
    expect(metadata).toEqual({ anchor_tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    const receipt = await chain.anvil.rpc.getTransactionReceipt({ hash: metadata.anchor_tx_hash });
    expect(receipt.status).toBe('success');
    const [leaf] = await leavesOf(account);
    const found = await chain.anvil.rpc.readContract({
      address: chain.client.contracts.anchorHub as `0x${string}`,
      abi: anchorHub.abi,
      functionName: 'verifyLeaf',
      args: [
        1n,
        1,
        `0x${tagOf(account.tenantId, 'live')}`,
        `0x${wordOf(didHash(did))}`,
        `0x${commitment}`,
        `0x${leaf!.salt}`,
        [],
      ],
    });
    expect(found).toBe(true);
    await expectExact();
  });

  it('answers the same transaction to a repeated request', async () => {
    const { did, commitment } = createIdentity();
    const call = () =>
      service.call('POST', '/v1/identity/register', {
        as: account.key,
        headers: { 'idempotency-key': did },
        body: { did, commitment },
      });
    const first = await call();
    expect((await call()).body).toEqual(first.body);
    expect(first.body.metadata.anchor_tx_hash).toBeDefined();
  });

  it('is asked for by the tenant, and is for live records alone', async () => {
    const other = await service.signUp({ plan: 'enterprise' });
    expect((await register(other.key)).metadata).toBeUndefined();
    const testKey = await service.createKey(account, 'test');
    expect((await register(testKey)).metadata).toBeUndefined();
    expect(await leavesOf(other)).toEqual([]);
    expect(await leavesOf(account)).toEqual([]);
  });

  it('puts what waits into one batch', async () => {
    chain.weather = 'down';
    for (let i = 0; i < 5; i++) await registerInBadWeather();
    chain.weather = 'fair';
    await expectExact();
    expect(await chain.client.totals('latest')).toEqual({ batches: 1, leaves: 5, identities: 5 });
  });
});

describe('audit heads', () => {
  it('go along every ten minutes where the tenant wants it, when they have grown', async () => {
    await demand(account, { auditAnchor: 'onchain' });
    clock.advance(600_000);
    await run();
    const kinds = async () => (await leavesOf(account)).map(({ kind }) => kind);
    expect(await kinds()).toEqual([2]);
    clock.advance(600_000);
    await expectExact();
    expect(await kinds()).toEqual([2]);
    await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
    clock.advance(599_999);
    await run();
    expect(await kinds()).toEqual([2]);
    clock.advance(1);
    await expectExact();
    expect(await kinds()).toEqual([2, 2]);
  });
});

describe('every leaf ends on chain once', () => {
  it.each<Weather>([
    'down',
    'too many requests',
    'garbage',
    'answers lost after the send',
    'transactions swallowed',
  ])('with the RPC %s for a while', async (weather) => {
    await register();
    chain.weather = weather;
    const { metadata } = await registerInBadWeather();
    expect(metadata).toBeDefined();
    await registerInBadWeather();
    await run();
    chain.weather = 'fair';
    await expectExact();
    expect((await chain.client.totals('latest')).identities).toBe(3);
  });

  it.each(['sign', 'send'] as const)('when the process dies before it can %s', async (point) => {
    const dying = {
      ...chain.client,
      [point]: () => new Promise<never>((_, reject) => reject(new Error('killed'))),
    };
    const dead = createAnchoring({ ...service.app.deps, db }, dying);
    chain.weather = 'down';
    await registerInBadWeather();
    chain.weather = 'fair';
    await dead.run();
    expect(dead.status().state).toBe('failed');
    expect((await chain.client.totals('latest')).batches).toBe(0);
    await expectExact();
    expect((await chain.client.totals('latest')).batches).toBe(1);
  });

  it('with a stranger’s transaction in the place of its nonce', async () => {
    await chain.anvil.rpc.setAutomine(false);
    const { metadata } = await register();
    const from = chain.client.relayer as `0x${string}`;
    await chain.anvil.rpc.dropTransaction({ hash: metadata.anchor_tx_hash });
    await chain.anvil.rpc.setAutomine(true);
    await chain.anvil.rpc.sendUnsignedTransaction({ from, to: from, value: 1n });
    await expectExact();
    expect((await chain.client.totals('latest')).batches).toBe(1);
  });

  it('after a transaction that nobody mines was offered more for', async () => {
    await chain.anvil.rpc.setAutomine(false);
    await register();
    for (let i = 0; i < 3; i++) {
      clock.advance(60_000);
      await run();
    }
    const offers = await db.query<{ fee: number }>(sql`select max_fee::float8 as fee from anchor_transactions
      where hub = ${service.app.deps.anchoring!.hub} order by created_at`);
    expect(offers).toHaveLength(4);
    for (const [i, { fee }] of offers.entries())
      if (i > 0) expect(fee).toBeGreaterThanOrEqual(offers[i - 1]!.fee * 1.125);
    await chain.anvil.rpc.mine({ blocks: 1 });
    await chain.anvil.rpc.setAutomine(true);
    await expectExact();
    expect((await chain.client.totals('latest')).batches).toBe(1);
  });

  it('when the chain goes back by some blocks and loses them', async () => {
    const before = await chain.anvil.rpc.snapshot();
    await register();
    await register();
    await run();
    await chain.anvil.rpc.revert({ id: before });
    expect((await chain.client.totals('latest')).batches).toBe(0);
    await chain.anvil.rpc.setAutomine(false);
    await run();
    expect((await show()).outbox).toMatchObject({ sent: 2, included: 0 });
    await chain.anvil.rpc.setAutomine(true);
    await chain.anvil.rpc.mine({ blocks: 1 });
    const { metadata } = await register();
    expect(metadata).toBeDefined();
    await expectExact();
    expect((await chain.client.totals('latest')).identities).toBe(3);
  });

  it('with two workers at once', async () => {
    const second = createAnchoring({ ...service.app.deps, db }, chain.client);
    chain.weather = 'down';
    for (let i = 0; i < 3; i++) await registerInBadWeather();
    chain.weather = 'fair';
    await Promise.all([run(), second.run(), run(), second.run()]);
    await expectExact();
    expect((await chain.client.totals('latest')).batches).toBe(1);
  });

  it('and is confirmed when its block is final', async () => {
    await register();
    await run();
    const confirmed = async () => (await show()).outbox.confirmed;
    expect(await confirmed()).toBe(0);
    await chain.anvil.rpc.mine({ blocks: 5 });
    await run();
    expect(await confirmed()).toBe(1);
  });
});

const admin = { headers: { 'x-api-key': ADMIN_KEY } };
const show = async () => (await service.call('GET', '/api/admin/blockchain', admin)).body;

describe('anchoring stops in a state that has a name', () => {
  it.each([
    ['wrong_chain_id', { chainId: 1 }],
    ['wrong_code', { contracts: 'swapped' }],
  ] as const)('%s', async (expected, wrong) => {
    const { createChainClient } = await import('@svc/chain/client');
    const { anchorHub, groth16Verifier } = chain.settings.contracts;
    const contracts =
      'contracts' in wrong
        ? { anchorHub: groth16Verifier, groth16Verifier: anchorHub }
        : chain.settings.contracts;
    const chainId = 'chainId' in wrong ? wrong.chainId : chain.settings.chainId;
    const worker = createAnchoring(
      { ...service.app.deps, db },
      createChainClient({ ...chain.settings, chainId, contracts }),
    );
    await worker.run();
    expect(worker.status()).toMatchObject({ state: expected, isTrusted: false });
  });

  it('no_funds, until there are some', async () => {
    const address = chain.client.relayer as `0x${string}`;
    await chain.anvil.rpc.setBalance({ address, value: 0n });
    expect((await registerInBadWeather()).metadata).toBeDefined();
    expect(state()).toBe('no_funds');
    await chain.anvil.rpc.setBalance({ address, value: 10n ** 18n });
    await expectExact();
  });

  it('chain_ahead, on an older copy of the database', async () => {
    await register();
    await expectExact();
    const copy = (await emptyDatabase()).db;
    await migrate(copy, await readMigrations(migrationsFolder));
    const worker = createAnchoring({ ...service.app.deps, db: copy }, chain.client);
    await worker.run();
    expect(worker.status().state).toBe('chain_ahead');
    await copy.close();
  });

  it('root_differs, when a batch was rewritten in the database', async () => {
    await register();
    await expectExact();
    const { hub } = service.app.deps.anchoring!;
    await db.query(sql`update anchor_batches set root = ${'ab'.repeat(32)} where hub = ${hub}`);
    await run();
    expect(state()).toBe('root_differs');
  });
});

describe('what the operator sees', () => {
  it('tells of the chain and the outbox, and never where the RPC is', async () => {
    await register();
    await run();
    await service.app.deps.anchoring!.probe();
    expect(await show()).toMatchObject({
      configured: true,
      state: 'ok',
      chainId: { expected: chain.settings.chainId, seen: chain.settings.chainId },
      contracts: chain.settings.contracts,
      onChain: { batches: 1, leaves: 1, identities: 1 },
      outbox: { waiting: 0, sent: 0, included: 1 },
    });
    const stats = await service.call('GET', '/api/admin/stats', admin);
    expect(stats.body.blockchain).toEqual({ configured: true, identityCount: 1 });
    const health = async () => (await service.call('GET', '/api/health')).body;
    expect(await health()).toMatchObject({ status: 'ok', blockchain: true });
    chain.weather = 'down';
    await run();
    await service.app.deps.anchoring!.probe();
    const down = await health();
    expect(down).toMatchObject({
      status: 'degraded',
      blockchain: false,
      subsystems: { blockchain: { status: 'down', state: 'unavailable' } },
    });
    const shown = JSON.stringify([await show(), down, service.logged]);
    expect(shown).not.toContain('key-in-the-path');
    expect(shown).not.toContain(chain.settings.privateKey.slice(2));
  });
});

describe('verification on chain', () => {
  const info = async (of: Account) =>
    (await service.call('GET', '/v1/auth/zkp/circuit-info', { as: of.key })).body.verifyOnChain;

  it('asks the contract as well, and is 503 while it cannot, with nothing spent', async () => {
    await run();
    await demand(account, { verification: 'onchain' });
    expect(await info(account)).toBe(true);
    const person = await registerPerson(service, account.key);
    const verify = (body: object) => service.call('POST', '/v1/identity/verify', { as: account.key, body });
    expect((await verify(await proveFor(service, person, account))).status).toBe(200);
    const body = await proveFor(service, person, account);
    chain.weather = 'down';
    const refused = await verify(body);
    expect([refused.status, refused.body.error]).toEqual([503, 'chain_unavailable']);
    expect(refused.headers['retry-after']).toBeDefined();
    // What our own verifier refuses needs no second opinion.
    const signals = [...body.publicSignals];
    signals[2] = '1';
    expect((await verify({ ...body, publicSignals: signals })).status).toBe(401);
    chain.weather = 'fair';
    expect((await verify(body)).status).toBe(200);
  });

  it('lets nobody in when the contract refuses what our verifier accepts', async () => {
    const refusing = await startService({
      db,
      clock,
      chain: { ...chain.client, verifyProof: async () => false },
    });
    await refusing.app.deps.anchoring!.run();
    await demand(account, { verification: 'onchain' });
    const person = await registerPerson(service, account.key);
    const body = await proveFor(service, person, account);
    const reply = await refusing.call('POST', '/v1/identity/verify', { as: account.key, body });
    expect(reply.status).toBe(401);
    expect(refusing.logged.join()).toContain('the contract refuses a proof');
    await refusing.close();
  });

  it('asks no chain that was not seen to be the right one', async () => {
    await demand(account, { verification: 'onchain' });
    const person = await registerPerson(service, account.key);
    const body = await proveFor(service, person, account);
    const reply = await service.call('POST', '/v1/identity/verify', { as: account.key, body });
    expect([reply.status, reply.body.error]).toEqual([503, 'chain_unavailable']);
  });

  it('is for tenants who asked for it', async () => {
    const other = await service.signUp({ plan: 'enterprise' });
    expect(await info(other)).toBe(false);
    chain.weather = 'down';
    const person = await registerPerson(service, other.key);
    const body = await proveFor(service, person, other);
    expect((await service.call('POST', '/v1/identity/verify', { as: other.key, body })).status).toBe(200);
  });
});

describe('audit integrity and the chain', () => {
  const integrity = async () =>
    (
      await service.call(
        'GET',
        `/api/admin/audit-integrity?tenantId=${account.tenantId}&environment=live`,
        admin,
      )
    ).body;
  /** As somebody with every right on the database would. */
  const asOwner = async (statement: Sql) => {
    await db.script('alter table audit_events disable trigger user');
    await db.query(statement);
    await db.script('alter table audit_events enable trigger user');
  };
  const ofAccount = () => sql`tenant_id = ${account.tenantId} and environment = 'live'`;

  beforeEach(async () => {
    await demand(account, { auditAnchor: 'onchain' });
    await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
    clock.advance(600_000);
    await expectExact();
  });

  it('agree on what nobody touched, and say when the chain cannot be asked', async () => {
    expect(await integrity()).toMatchObject({ status: 'pass', anchors: { status: 'pass', batches: 1 } });
    chain.weather = 'down';
    expect(await integrity()).toMatchObject({ status: 'pass', anchors: { status: 'unavailable' } });
  });

  it('find a chain that was cut off, its head moved back and signed anew with our own key', async () => {
    const rows = await db.query<{ seq: number; hash: string; created_at: Date; id: string }>(
      sql`select seq, hash, created_at, id from audit_events where ${ofAccount()} order by seq desc limit 2`,
    );
    const [last, before] = rows as [(typeof rows)[0], (typeof rows)[0]];
    await asOwner(sql`delete from audit_events where ${ofAccount()} and id = ${last.id}`);
    const head = { seq: before.seq, hash: before.hash, at: before.created_at.getTime() };
    const scope = { tenantId: account.tenantId, environment: 'live' } as const;
    const { keyring } = service.app.deps;
    const signed = { ...scope, ...head, ...signHead(keyring.current, scope.tenantId, 'live', head) };
    await db.query(updateHeads([signed]));
    const { status, chains } = await integrity();
    expect(status).toBe('fail');
    expect(chains).toMatchObject([{ status: 'fail', reason: 'anchored_row_missing' }]);
  });

  it('find leaves that were altered or removed with it', async () => {
    const { hub } = service.app.deps.anchoring!;
    const { tenantId } = account;
    await db.query(
      sql`update anchor_leaves set second_word = ${'0'.repeat(64)} where tenant_id = ${tenantId}`,
    );
    expect(await integrity()).toMatchObject({
      status: 'fail',
      anchors: { status: 'fail', reason: 'leaves_altered', batchId: 1 },
    });
    await db.query(sql`delete from anchor_leaves where hub = ${hub}`);
    await db.query(sql`delete from anchor_transactions where hub = ${hub}`);
    await db.query(sql`delete from anchor_batches where hub = ${hub}`);
    expect(await integrity()).toMatchObject({
      status: 'fail',
      anchors: { status: 'fail', reason: 'chain_ahead' },
    });
  });
});

describe('the proof of an anchored record', () => {
  const prove = (query = '', as = account.key) => service.call('GET', `/v1/anchors/proof${query}`, { as });
  // biome-ignore lint/suspicious/noExplicitAny: a reply, whose schema the sweeps check
  const holds = ({ leaf, salt, proof, batchId, contract }: any) =>
    chain.anvil.rpc.readContract({
      address: contract,
      abi: anchorHub.abi,
      functionName: 'verifyLeaf',
      args: [BigInt(batchId), leaf.kind, leaf.tag, leaf.first, leaf.second, salt, proof],
    });

  it('leads to the root on chain: of an identity, of the newest head, and of the head that covers an event', async () => {
    await demand(account, { did: 'onchain', auditAnchor: 'onchain' });
    chain.weather = 'down';
    const people = [await registerInBadWeather(), await registerInBadWeather(), await registerInBadWeather()];
    chain.weather = 'fair';
    clock.advance(600_000);
    await expectExact();
    for (const { did, commitment } of people) {
      const { status, body } = await prove(`?did=${did}`);
      expect(status).toBe(200);
      expect(body.anchor).toMatchObject({
        kind: 'identity',
        status: 'included',
        leaf: { first: `0x${wordOf(didHash(did))}`, second: `0x${commitment}` },
        chainId: chain.settings.chainId,
        root: `0x${await chain.client.rootOf(body.anchor.batchId)}`,
      });
      expect(await holds(body.anchor)).toBe(true);
      const { blockNumber } = await chain.anvil.rpc.getTransactionReceipt({ hash: body.anchor.txHash });
      expect(blockNumber).toBeGreaterThan(0n);
    }
    for (const query of ['', '?seq=1']) {
      const { body } = await prove(query);
      expect(body.anchor).toMatchObject({ kind: 'audit_head', leaf: { kind: 2 } });
      expect(await holds(body.anchor)).toBe(true);
    }
  });

  it('is 404 for what is not anchored, and for what is another’s', async () => {
    const { did } = await register();
    const other = await service.signUp({ plan: 'growth' });
    const testKey = await service.createKey(account, 'test');
    for (const reply of [
      await prove(`?did=${did}`, other.key),
      await prove(`?did=${did}`, testKey),
      await prove('?did=did:svc:00'),
      await prove(''),
      await prove('?seq=1000000'),
    ])
      expect([reply.status, reply.body.error]).toEqual([404, 'not_found']);
    expect((await prove(`?did=${did}&seq=1`)).status).toBe(400);
    expect((await prove(`?did=${did}`)).status).toBe(200);
  });
});
