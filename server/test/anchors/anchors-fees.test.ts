// @module-tag if-touched chain/ server/test/anchors/ server/test/support/chain/ server/src/features/anchors/ server/src/ledger/: replays failures of the blockchain
import { describe, expect, it } from 'vitest';
import { gasOf } from '../../../chain/test/support/anvil.js';
import { sql } from '../../src/db/sql.js';
import { createAnchoring } from '../../src/features/anchors/anchors.js';
import { anchoredService } from '../support/chain/anchoring.js';

const on = anchoredService();

const offersOf = (hub: string) =>
  on.db.query<{ fee: number }>(sql`select max_fee::float8 as fee from anchor_transactions
    where hub = ${hub} order by created_at`);

const signedOn = async (hub: string) => {
  const rows = await on.db.query<{ signed: string }>(
    sql`select signed from anchor_transactions where hub = ${hub} order by created_at`,
  );
  return rows.map(({ signed }) => gasOf(signed));
};

describe('every leaf is anchored once at a bounded fee', () => {
  it('after the fee of an unmined transaction was raised, to at most four times the first offer', async () => {
    await on.chain.anvil.rpc.setAutomine(false);
    await on.register();
    for (let i = 0; i < 3; i++) {
      on.clock.advance(60_000);
      await on.run();
    }
    const offers = await offersOf(on.anchoring.hub);
    expect(offers).toHaveLength(4);
    for (const [i, { fee }] of offers.entries())
      if (i > 0) expect(fee).toBeGreaterThanOrEqual(offers[i - 1]!.fee * 1.125);
    // A blockchain that produces no blocks mines it at no fee.
    for (let i = 0; i < 30; i++) {
      on.clock.advance(60_000);
      await on.run();
    }
    const highest = (await offersOf(on.anchoring.hub)).at(-1)!.fee;
    expect(highest).toBeGreaterThan(offers[0]!.fee * 3);
    expect(highest).toBeLessThanOrEqual(offers[0]!.fee * 4);
    await on.chain.anvil.rpc.mine({ blocks: 1 });
    await on.chain.anvil.rpc.setAutomine(true);
    await on.expectExact();
    expect((await on.chain.client.totals('latest')).batches).toBe(1);
  });

  it('once the required fee falls below our maximum', async () => {
    const { rpc } = on.chain.anvil;
    await rpc.setNextBlockBaseFeePerGas({ baseFeePerGas: 600_000_000_000n });
    await rpc.mine({ blocks: 1 });
    await on.register();
    for (let i = 0; i < 3; i++) {
      on.clock.advance(60_000);
      await on.run();
    }
    expect(on.state()).toBe('fees_too_high');
    expect((await on.chain.client.totals('latest')).batches).toBe(0);
    expect(await offersOf(on.anchoring.hub)).toEqual([{ fee: 500e9 }]);
    await rpc.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000_000n });
    await rpc.mine({ blocks: 1 });
    await on.expectExact();
  });

  it('once a relayer without funds receives some, at the current fee', async () => {
    const { rpc } = on.chain.anvil;
    const { relayer } = on.chain.client;
    await rpc.setBalance({ address: relayer as `0x${string}`, value: 0n });
    await on.register();
    for (let i = 0; i < 30; i++) {
      on.clock.advance(60_000);
      await on.run();
    }
    expect(on.state()).toBe('no_funds');
    expect(await offersOf(on.anchoring.hub)).toHaveLength(1);
    await rpc.setBalance({ address: relayer as `0x${string}`, value: 10n ** 15n });
    await on.expectExact();
  });

  it('when the base fee rises just after the offer was stored', async () => {
    const { rpc } = on.chain.anvil;
    await rpc.setBalance({ address: on.chain.client.relayer as `0x${string}`, value: 0n });
    await on.register();
    await rpc.setBalance({ address: on.chain.client.relayer as `0x${string}`, value: 10n ** 18n });
    await rpc.setNextBlockBaseFeePerGas({ baseFeePerGas: 20_000_000_000n });
    await rpc.mine({ blocks: 1 });
    await on.expectExact();
  });

  it('on a blockchain that charges call data as gas, like Arbitrum', async () => {
    on.chain.gas = 900_000n;
    await on.register();
    await on.expectExact();
    expect((await signedOn(on.anchoring.hub)).map(({ gas }) => gas)).toEqual([1_350_000n]);
  });

  it('once the gas estimate of the node is plausible again; until then nothing is sent', async () => {
    for (const fortune of [15_000_000n, 2n ** 200n]) {
      on.chain.gas = fortune;
      await on.chain.anvil.rpc.setNextBlockBaseFeePerGas({ baseFeePerGas: 10_000_000_000n });
      await on.chain.anvil.rpc.mine({ blocks: 1 });
      await on.register();
      await on.run();
      expect(on.state()).toBe('gas_too_high');
      expect(on.anchoring.status().message).toMatch(/gas/);
      expect(await offersOf(on.anchoring.hub)).toEqual([]);
    }
    on.chain.gas = undefined;
    await on.expectExact();
  });

  it('and never for more than the cap of a batch, whatever the gas estimate', async () => {
    on.chain.gas = 19_000_000n;
    await on.chain.anvil.rpc.setAutomine(false);
    await on.register();
    for (let i = 0; i < 12; i++) {
      on.clock.advance(60_000);
      await on.run();
    }
    const signed = await signedOn(on.anchoring.hub);
    expect(signed.length).toBeGreaterThan(1);
    for (const { gas, maxFeePerGas } of signed)
      expect(gas * maxFeePerGas).toBeLessThanOrEqual(75_000_000_000_000_000n);
    await on.chain.anvil.rpc.setAutomine(true);
  });

  it('and nothing is spent on a batch that the contract would reject', async () => {
    const misnumbering: typeof on.chain.client = {
      ...on.chain.client,
      gasFor: ({ batchId, ...call }) => on.chain.client.gasFor({ ...call, batchId: batchId + 7 }),
    };
    const wrong = createAnchoring(on.service.app.deps, misnumbering);
    on.chain.fault = 'down';
    await on.registerWithoutChain();
    on.chain.fault = 'none';
    await wrong.run();
    expect(wrong.status()).toMatchObject({
      state: 'refused',
      message: expect.stringContaining('nothing was sent'),
    });
    expect(await offersOf(on.anchoring.hub)).toEqual([]);
    await on.expectExact();
  });

  it('and a batch that the contract rejected is sent again only after an hour', async () => {
    const misnumbering: typeof on.chain.client = {
      ...on.chain.client,
      sign: ({ batchId, ...call }, ...terms) =>
        on.chain.client.sign({ ...call, batchId: batchId + 7 }, ...terms),
    };
    const wrong = createAnchoring(on.service.app.deps, misnumbering);
    on.chain.fault = 'down';
    await on.registerWithoutChain();
    on.chain.fault = 'none';
    await wrong.run();
    const paid = await on.chain.client.minedNonce();
    for (let i = 0; i < 5; i++) {
      await on.run();
      expect(on.state()).toBe('refused');
      on.clock.advance(600_000);
    }
    expect(await on.chain.client.minedNonce()).toBe(paid);
    on.clock.advance(600_000);
    await on.expectExact();
    expect(await on.chain.client.minedNonce()).toBe(paid + 1);
  });
});
