// @module-tag if-touched chain/ server/test/anchors/ server/test/support/chain/ server/src/features/anchors/ server/src/ledger/: replays failures of the blockchain
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { createAnchoring } from '../../src/features/anchors/anchors.js';
import { anchoredService } from '../support/chain/anchoring.js';
import type { ChainFault } from '../support/chain/chain.js';

const on = anchoredService();

describe('every leaf is anchored exactly once', () => {
  it.each<ChainFault>([
    'down',
    'too many requests',
    'garbage',
    'slow',
    'replies lost after the send',
    'transactions dropped',
  ])('after a temporary RPC fault: %s', async (fault) => {
    await on.register();
    on.chain.fault = fault;
    const { metadata } = await on.registerWithoutChain();
    expect(metadata).toBeDefined();
    await on.registerWithoutChain();
    await on.run();
    on.chain.fault = 'none';
    await on.expectExact();
    expect((await on.chain.client.totals('latest')).identities).toBe(3);
  });

  it.each(['sign', 'send'] as const)('when the process dies before it can %s', async (point) => {
    const dying = {
      ...on.chain.client,
      [point]: () => new Promise<never>((_, reject) => reject(new Error('killed'))),
    };
    const dead = createAnchoring(on.service.app.deps, dying);
    on.chain.fault = 'down';
    await on.registerWithoutChain();
    on.chain.fault = 'none';
    await dead.run();
    expect(dead.status().state).toBe('failed');
    expect((await on.chain.client.totals('latest')).batches).toBe(0);
    await on.expectExact();
    expect((await on.chain.client.totals('latest')).batches).toBe(1);
  });

  it('when a stranger’s transaction uses its nonce', async () => {
    await on.chain.anvil.rpc.setAutomine(false);
    const { metadata } = await on.register();
    const from = on.chain.client.relayer as `0x${string}`;
    await on.chain.anvil.rpc.dropTransaction({ hash: metadata.anchor_tx_hash });
    await on.chain.anvil.rpc.setAutomine(true);
    await on.chain.anvil.rpc.sendUnsignedTransaction({ from, to: from, value: 1n });
    await on.expectExact();
    expect((await on.chain.client.totals('latest')).batches).toBe(1);
  });

  it('when another transaction of the relayer waits behind a nonce gap', async () => {
    const { rpc } = on.chain.anvil;
    const from = on.chain.client.relayer as `0x${string}`;
    const nonce = (await on.chain.client.minedNonce()) + 1;
    await rpc.sendUnsignedTransaction({ from, to: from, value: 1n, nonce });
    await on.register();
    await on.register();
    await rpc.mine({ blocks: 1 });
    await on.expectExact();
    expect((await on.chain.client.totals('latest')).identities).toBe(2);
  });

  it('after a reorganisation of four blocks that were considered final', async () => {
    for (let i = 0; i < 2; i++) await on.register();
    await on.chain.anvil.rpc.mine({ blocks: 2 });
    await on.run();
    expect((await on.blockchain()).outbox.confirmed).toBe(2);
    await on.chain.anvil.rpc.request({ method: 'anvil_reorg', params: [4, []] } as never);
    expect((await on.chain.client.totals('latest')).batches).toBe(0);
    await on.expectExact();
    expect((await on.chain.client.totals('latest')).identities).toBe(2);
  });

  it('when the blockchain node is killed and restarts without its state', async () => {
    await on.register();
    await on.register();
    await on.chain.killNode();
    await on.run();
    expect(on.state()).toBe('unavailable');
    await on.register();
    await on.chain.restartNode();
    await on.expectExact();
    expect((await on.chain.client.totals('latest')).identities).toBe(3);
  });

  it('when the blockchain drops its latest blocks', async () => {
    const before = await on.chain.anvil.rpc.snapshot();
    await on.register();
    await on.register();
    await on.run();
    await on.chain.anvil.rpc.revert({ id: before });
    expect((await on.chain.client.totals('latest')).batches).toBe(0);
    await on.chain.anvil.rpc.setAutomine(false);
    await on.run();
    expect((await on.blockchain()).outbox).toMatchObject({ sent: 2, included: 0 });
    await on.chain.anvil.rpc.setAutomine(true);
    await on.chain.anvil.rpc.mine({ blocks: 1 });
    const { metadata } = await on.register();
    expect(metadata).toBeDefined();
    await on.expectExact();
    expect((await on.chain.client.totals('latest')).identities).toBe(3);
  });

  it('when another node holds the lease; this node still checks the contract', async () => {
    const hold = { hub: on.anchoring.hub, holder: crypto.randomUUID() };
    const until = new Date(on.clock.now() + 20_000);
    await on.db.query(sql`insert into anchor_workers (hub, holder, expires_at)
      values (${hold.hub}, ${hold.holder}, ${until})`);
    expect((await on.register()).metadata).toEqual({ anchor_status: 'pending' });
    expect(on.anchoring.status()).toMatchObject({ state: 'ok', isTrusted: true });
    on.clock.advance(20_000);
    await on.expectExact();
  });

  it('with two concurrent workers', async () => {
    const second = createAnchoring(on.service.app.deps, on.chain.client);
    await Promise.all([on.run(), second.run()]);
    on.chain.fault = 'down';
    for (let i = 0; i < 3; i++) await on.registerWithoutChain();
    on.chain.fault = 'none';
    await Promise.all([on.run(), second.run(), on.run(), second.run()]);
    await on.expectExact();
    expect((await on.chain.client.totals('latest')).batches).toBe(1);
  });

  it('and becomes confirmed when its block is final', async () => {
    await on.register();
    await on.run();
    const confirmed = async () => (await on.blockchain()).outbox.confirmed;
    expect(await confirmed()).toBe(0);
    await on.chain.anvil.rpc.mine({ blocks: 5 });
    await on.run();
    expect(await confirmed()).toBe(1);
  });
});
