// `npm run chain:dev`: a local chain with the contracts on it, and the server with that chain, in this very process. When the
// chain dies it is started anew, empty, at the same address: the server notices, and sends what is gone again.
import { setTimeout as delay } from 'node:timers/promises';
import { setUp } from './setup.mjs';

/** The first account that every development chain gives funds to; worth nothing anywhere else. */
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const CHAIN_ID = 31_337;
/** Blocks come with each transaction and every two seconds, and are final two blocks later. */
const ARGS = [
  '--chain-id',
  String(CHAIN_ID),
  '--slots-in-an-epoch',
  '1',
  '--block-time',
  '2',
  '--mixed-mining',
];

await setUp();
const { runAnvil } = await import('../chain/scripts/anvil.mjs');
const { deploy } = await import('../chain/dist/deploy.js');

async function start(/** @type {number | undefined} */ port) {
  const chain = await runAnvil(ARGS, port);
  const { contracts } = await deploy({ rpcUrl: chain.url, privateKey: KEY });
  console.log(`Chain ${CHAIN_ID} on ${chain.url}, process ${chain.pid}; AnchorHub ${contracts.anchorHub}.`);
  return { ...chain, contracts };
}

const first = await start(process.env.CHAIN_PORT ? Number(process.env.CHAIN_PORT) : undefined);
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isStopping = true));
void (async () => {
  for (let { ended } = first; ; ) {
    await ended;
    if (isStopping) return;
    console.log('The chain has ended. It starts anew.');
    await delay(1_000);
    ({ ended } = await start(first.port));
  }
})();

Object.assign(process.env, {
  CHAIN_RPC_URL: first.url,
  CHAIN_ID: String(CHAIN_ID),
  CHAIN_PRIVATE_KEY: KEY,
  CHAIN_CONTRACTS: JSON.stringify({ chainId: CHAIN_ID, ...first.contracts }),
});
await import('../server/dist/main.js');
