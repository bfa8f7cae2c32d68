// @module-tag if-touched chain/ server/test/anchors/ server/test/support/chain/ server/src/features/anchors/ server/src/ledger/: starts a blockchain
import { anchorHub } from '@svc/chain/generated/contracts';
import { tagOf, wordOf } from '@svc/chain/leaves';
import { didHash } from '@svc/zk/field';
import { createIdentity } from '@svc/zk/phone';
import { describe, expect, it } from 'vitest';
import { anchoredService } from '../support/chain/anchoring.js';

const on = anchoredService();

describe('a registration with an on-chain DID provider', () => {
  it('returns the hash of its transaction, and the contract verifies its leaf [anchors/on-chain]', async () => {
    const { did, commitment, metadata } = await on.register();
    expect(metadata).toEqual({ anchor_tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    const receipt = await on.chain.anvil.rpc.getTransactionReceipt({ hash: metadata.anchor_tx_hash });
    expect(receipt.status).toBe('success');
    const [leaf] = await on.leavesOf(on.account);
    const found = await on.chain.anvil.rpc.readContract({
      address: on.chain.client.contracts.anchorHub as `0x${string}`,
      abi: anchorHub.abi,
      functionName: 'verifyLeaf',
      args: [
        1n,
        1,
        `0x${tagOf(on.account.tenantId, 'live')}`,
        `0x${wordOf(didHash(did))}`,
        `0x${commitment}`,
        `0x${leaf!.salt}`,
        [],
      ],
    });
    expect(found).toBe(true);
    await on.expectExact();
  });

  it('returns the same transaction for a replayed request', async () => {
    const { did, commitment } = createIdentity();
    const call = () =>
      on.service.call('POST', '/v1/identity/register', {
        as: on.account.key,
        headers: { 'idempotency-key': did },
        body: { did, commitment },
      });
    const first = await call();
    expect((await call()).body).toEqual(first.body);
    expect(first.body.metadata.anchor_tx_hash).toBeDefined();
  });

  it('is anchored only if the tenant enabled it, and only in the live environment [anchors/on-chain]', async () => {
    const other = await on.service.signUp({ plan: 'enterprise' });
    expect((await on.register(other.key)).metadata).toBeUndefined();
    const testKey = await on.service.createKey(on.account, 'test');
    expect((await on.register(testKey)).metadata).toBeUndefined();
    expect(await on.leavesOf(other)).toEqual([]);
    expect(await on.leavesOf(on.account)).toEqual([]);
  });

  it('returns anchor_status pending immediately while the blockchain is unusable or a batch is pending', async () => {
    on.chain.fault = 'down';
    await on.run();
    on.chain.fault = 'slow';
    const called = on.chain.nextRequest().then(() => 'the RPC was called');
    const registered = on.register().then(({ metadata }) => metadata);
    expect(await Promise.race([registered, called])).toEqual({ anchor_status: 'pending' });
    on.chain.fault = 'none';
    await on.expectExact();
    await on.chain.anvil.rpc.setAutomine(false);
    expect((await on.register()).metadata.anchor_tx_hash).toBeDefined();
    expect((await on.register()).metadata).toEqual({ anchor_status: 'pending' });
    await on.chain.anvil.rpc.setAutomine(true);
    await on.chain.anvil.rpc.mine({ blocks: 1 });
    await on.expectExact();
    expect((await on.chain.client.totals('latest')).identities).toBe(3);
  });

  it('waits at most 1.5 seconds for a slow blockchain', async () => {
    await on.run();
    on.chain.fault = 'slow';
    let result: unknown;
    const registering = on.register().then(({ metadata }) => (result = metadata));
    await on.chain.nextRequest();
    on.clock.advance(1_499);
    await new Promise(setImmediate);
    expect(result).toBeUndefined();
    on.clock.advance(1);
    expect(await registering).toEqual({ anchor_status: 'pending' });
    on.chain.fault = 'none';
    await on.expectExact();
  });

  it('is anchored in one batch with others that are waiting', async () => {
    on.chain.fault = 'down';
    for (let i = 0; i < 5; i++) await on.registerWithoutChain();
    on.chain.fault = 'none';
    await on.expectExact();
    expect(await on.chain.client.totals('latest')).toMatchObject({ batches: 1, leaves: 5, identities: 5 });
  });
});

describe('audit heads', () => {
  it('are anchored every ten minutes if the tenant enabled it and new events were written', async () => {
    await on.demand({ auditAnchor: 'onchain' });
    on.clock.advance(600_000);
    await on.run();
    const kinds = async () => (await on.leavesOf(on.account)).map(({ kind }) => kind);
    expect(await kinds()).toEqual([2]);
    on.clock.advance(600_000);
    await on.expectExact();
    expect(await kinds()).toEqual([2]);
    await on.service.call('POST', '/v1/users', { as: on.account.key, body: { fullName: 'Ada' } });
    on.clock.advance(599_999);
    await on.run();
    expect(await kinds()).toEqual([2]);
    on.clock.advance(1);
    await on.expectExact();
    expect(await kinds()).toEqual([2, 2]);
  });
});
