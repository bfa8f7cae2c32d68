// @module-tag if-touched chain/ server/test/anchors/ server/test/support/chain/ server/src/features/anchors/ server/src/ledger/: replays failures of the blockchain
// @module-tag not-on-citus: start and kill processes with a plain database of their own
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { AnchoredProcess } from '../support/chain/anchored-process.js';
import { endProcesses, type Installation, install } from '../support/process.js';

let installed: Installation;
let on: AnchoredProcess;
beforeAll(() => {
  installed = install();
});
afterAll(() => {
  endProcesses();
  installed.remove();
});
beforeEach(async () => {
  on = await AnchoredProcess.start(installed);
});
afterEach(() => on.close());

it.each([
  ['a batch is stored but not signed', 'eth_maxPriorityFeePerGas', 'request', 0],
  ['its transaction is signed but not sent', 'eth_sendRawTransaction', 'request', 1],
  ['the transaction is sent but the response is lost', 'eth_sendRawTransaction', 'response', 1],
  ['the transaction is mined but its receipt is not stored', 'eth_getTransactionReceipt', 'response', 1],
] as const)('every leaf is anchored exactly once after kill -9 when %s', async (_, method, what, signed) => {
  const held = on.chain.holdNext(method, what);
  const lost = on.register().catch(() => undefined);
  await held;
  const [row] = await on.db.query<{ count: number }>(sql`select count(*) as count from anchor_transactions`);
  expect(row!.count).toBe(signed);
  await on.killAndRestart();
  await lost;
  await on.register();
  await on.expectExact();
  expect(await on.countIdentities()).toBe(2);
});

it('nothing is sent again after kill -9 when the transaction is confirmed', async () => {
  await on.register();
  await on.chain.anvil.rpc.mine({ blocks: 5 });
  await on.register();
  await vi.waitFor(async () => expect((await on.blockchain()).outbox.confirmed).toBe(1), 60_000);
  const sent = await on.chain.client.minedNonce();
  await on.killAndRestart();
  await on.expectExact();
  expect(await on.chain.client.minedNonce()).toBe(sent);
});
