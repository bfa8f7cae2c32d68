// @module-tag if-touched chain/ server/test/anchors/ server/test/support/chain/ server/src/features/anchors/ server/src/ledger/: starts a blockchain
import { createChainClient } from '@svc/chain/client';
import { describe, expect, it } from 'vitest';
import { KEYS } from '../../../chain/test/support/anvil.js';
import { sql } from '../../src/db/sql.js';
import { createAnchoring } from '../../src/features/anchors/anchors.js';
import * as store from '../../src/features/anchors/anchors.store.js';
import { unaudited } from '../../src/ledger/unaudited.js';
import { anchoredService } from '../support/chain/anchoring.js';
import { freshDatabase } from '../support/database.js';

const on = anchoredService();

describe('an anchoring worker', () => {
  it.each([
    ['wrong_chain_id', 'of another blockchain', () => ({ chainId: 1 })],
    [
      'wrong_code',
      'of other contracts',
      () => {
        const { anchorHub, groth16Verifier } = on.chain.settings.contracts;
        return { contracts: { anchorHub: groth16Verifier, groth16Verifier: anchorHub } };
      },
    ],
    [
      'wrong_code',
      'of addresses without contracts',
      () => ({
        contracts: { anchorHub: `0x${'1'.repeat(40)}`, groth16Verifier: `0x${'2'.repeat(40)}` },
      }),
    ],
    ['not_the_relayer', 'of another relayer', () => ({ privateKey: KEYS.stranger })],
  ] as const)('stops as %s with settings %s, and sends nothing', async (expected, _, wrong) => {
    on.chain.fault = 'down';
    await on.registerWithoutChain();
    on.chain.fault = 'none';
    const client = createChainClient({ ...on.chain.settings, ...wrong() });
    const worker = createAnchoring(on.service.app.deps, client);
    await worker.run();
    // The contracts are ours even if another relayer may anchor there: proofs can be checked.
    expect(worker.status()).toMatchObject({ state: expected, isTrusted: expected === 'not_the_relayer' });
    expect((await on.chain.client.totals('latest')).batches).toBe(0);
    await on.expectExact();
  });

  it('stops as unavailable when one RPC node counts a batch whose root another does not have yet', async () => {
    await on.register();
    const { client } = on.chain;
    const lagging = createAnchoring(on.service.app.deps, { ...client, rootOf: async () => '0'.repeat(64) });
    await lagging.run();
    expect(lagging.status().state).toBe('unavailable');
  });

  it('puts a waiting leaf into one batch, even when workers of two contracts batch it concurrently', async () => {
    on.chain.fault = 'down';
    await on.registerWithoutChain();
    on.chain.fault = 'none';
    const waiting = await store.listWaiting(on.db, 10);
    const call = { batchId: 1, root: '1'.repeat(64), leaves: waiting.length, identities: waiting.length };
    const hubs = ['1:0xa', '1:0xb'];
    const w = unaudited(on.db, 'anchoring');
    const now = new Date(on.clock.now());
    await Promise.all(hubs.map((hub) => store.insertBatch(w, hub, call, waiting, now)));
    const batches = await Promise.all(hubs.map((hub) => store.findBatch(on.db, hub, 1)));
    expect(batches.filter((batch) => batch !== undefined)).toHaveLength(1);
    for (const table of ['anchor_leaves', 'anchor_batches'])
      await on.db.script(`delete from ${table} where hub like '1:0x_'`);
  });

  it('stops as no_funds until the relayer receives funds', async () => {
    const address = on.chain.client.relayer as `0x${string}`;
    await on.chain.anvil.rpc.setBalance({ address, value: 0n });
    expect((await on.registerWithoutChain()).metadata).toBeDefined();
    await on.run();
    expect(on.state()).toBe('no_funds');
    await on.chain.anvil.rpc.setBalance({ address, value: 10n ** 18n });
    await on.expectExact();
  });

  it('stops as chain_ahead on an older copy of the database', async () => {
    await on.register();
    await on.expectExact();
    const copy = (await freshDatabase()).db;
    const worker = createAnchoring({ ...on.service.app.deps, db: copy }, on.chain.client);
    await worker.run();
    expect(worker.status().state).toBe('chain_ahead');
    await copy.close();
  });

  it('stops as root_differs when a batch was altered in the database', async () => {
    await on.register();
    await on.expectExact();
    const { hub } = on.anchoring;
    await on.db.query(sql`update anchor_batches set root = ${'ab'.repeat(32)} where hub = ${hub}`);
    await on.run();
    expect(on.state()).toBe('root_differs');
  });
});

describe('the operator’s view', () => {
  it('shows the blockchain and the outbox, and never the RPC URL [anchors/state-of-the-chain]', async () => {
    await on.register();
    await on.run();
    await on.anchoring.probe();
    expect(await on.blockchain()).toMatchObject({
      configured: true,
      state: 'ok',
      chainId: { expected: on.chain.settings.chainId, seen: on.chain.settings.chainId },
      contracts: on.chain.settings.contracts,
      onChain: { batches: 1, leaves: 1, identities: 1 },
      outbox: { waiting: 0, sent: 0, included: 1 },
    });
    const stats = await on.admin('/api/admin/stats');
    expect(stats.blockchain).toEqual({ configured: true, identityCount: 1 });
    const health = async () => (await on.service.call('GET', '/api/health')).body;
    expect(await health()).toMatchObject({ status: 'ok', blockchain: true });
    on.chain.fault = 'down';
    await on.run();
    await on.anchoring.probe();
    const down = await health();
    expect(down).toMatchObject({
      status: 'degraded',
      blockchain: false,
      subsystems: { blockchain: { status: 'down', state: 'unavailable' } },
    });
    const shown = JSON.stringify([await on.blockchain(), down, on.service.logged]);
    expect(shown).not.toContain('key-in-the-path');
    expect(shown).not.toContain(on.chain.settings.privateKey.slice(2));
  });
});
