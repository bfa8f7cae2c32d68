import { describe, expect, it } from 'vitest';
import { createAnchoring } from '../src/features/anchors/anchors.js';
import { sql } from '../src/kernel/db/sql.js';
import { anchoredService } from './support/anchoring.js';

const on = anchoredService();

const offersOf = (hub: string) =>
  on.db.query<{ fee: number }>(sql`select max_fee::float8 as fee from anchor_transactions
    where hub = ${hub} order by created_at`);

describe('every leaf ends on chain once, and is not paid for without end,', () => {
  it('after a transaction that nobody mines was offered more for', async () => {
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
    // A chain whose blocks have stopped takes it at no price.
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

  it('on a chain that wants more than we ever offer, once it wants less', async () => {
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

  it('from a relayer without funds, at what the chain asks once it has some', async () => {
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

  it('on a chain that asks for more just after the offer was saved', async () => {
    const { rpc } = on.chain.anvil;
    await rpc.setBalance({ address: on.chain.client.relayer as `0x${string}`, value: 0n });
    await on.register();
    await rpc.setBalance({ address: on.chain.client.relayer as `0x${string}`, value: 10n ** 18n });
    await rpc.setNextBlockBaseFeePerGas({ baseFeePerGas: 20_000_000_000n });
    await rpc.mine({ blocks: 1 });
    await on.expectExact();
  });

  it('when the contract refused one: the next is sent an hour later, and not before', async () => {
    const misnumbering: typeof on.chain.client = {
      ...on.chain.client,
      sign: (call, nonce, fees) => on.chain.client.sign({ ...call, batchId: call.batchId + 7 }, nonce, fees),
    };
    const wrong = createAnchoring(on.service.app.deps, misnumbering);
    on.chain.weather = 'down';
    await on.registerInBadWeather();
    on.chain.weather = 'fair';
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
