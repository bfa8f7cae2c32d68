import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { AnchoredProcess } from '../support/chain/anchored-process.js';
import type { ChainFault } from '../support/chain/chain.js';
import { endProcesses, install } from '../support/process.js';
import { type Seeded, seeded, seedOf } from '../support/seeded.js';

const ROUNDS = Number(process.env.CRASH_KILLS ?? 20);
const RPC_FAULTS: readonly ChainFault[] = [
  'none',
  'slow',
  'down',
  'too many requests',
  'garbage',
  'replies lost after the send',
  'transactions dropped',
];

afterAll(endProcesses);

/** Faults of the RPC connection, the blockchain or the server that happen during registrations. */
const FAULTS: readonly ((on: AnchoredProcess, random: Seeded) => Promise<void>)[] = [
  async (on, random) => {
    on.chain.fault = random.pick(RPC_FAULTS);
    await delay(random.between(0, 2_000));
    on.chain.fault = 'none';
  },
  async (on, random) => {
    await delay(random.between(0, 500));
    await on.killAndRestart();
  },
  async (on, random) => {
    await on.chain.killNode();
    await delay(random.between(0, 1_000));
    await on.chain.restartNode();
  },
  async (on, random) => {
    const id = await on.chain.anvil.rpc.snapshot();
    await delay(random.between(0, 500));
    await on.chain.anvil.rpc.revert({ id });
  },
  async (on, random) => {
    await on.chain.anvil.rpc.mine({ blocks: 1 });
    await on.chain.anvil.rpc.request({ method: 'anvil_reorg', params: [random.between(1, 4), []] } as never);
  },
];

it('every registration is anchored exactly once despite random faults of the server, the RPC and the blockchain', async () => {
  const seed = seedOf('anchors');
  const random = seeded(seed);
  const installed = install();
  const on = await AnchoredProcess.start(installed);
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const registering = Array.from({ length: random.between(1, 12) }, async () => {
        await delay(random.between(0, 400));
        await on.register().catch(() => undefined);
      });
      await random.pick(FAULTS)(on, random);
      await Promise.all(registering);
      await on.register();
      await on.expectExact();
    }
    expect(await on.countIdentities()).toBeGreaterThanOrEqual(ROUNDS);
    console.log(`anchors: seed ${seed}, ${ROUNDS} rounds, ${await on.countIdentities()} identities`);
  } finally {
    await on.close();
    installed.remove();
  }
}, 3_600_000);
