// `npm run chain:dev`: a local blockchain with the contracts on it, and the server that uses it, in the same process. If the
// blockchain dies, it is restarted, empty, at the same address. The server notices and sends the lost batches again.
import { setTimeout as delay } from 'node:timers/promises';
import { readEnvFile } from './env-file.mjs';
import { setUp } from './setup.mjs';

/** The first account that every development blockchain funds. It is worth nothing anywhere else. */
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const CHAIN_ID = 31_337;
/** A block with each transaction and every two seconds. Blocks are final two blocks later. */
const ARGS = [
  '--chain-id',
  String(CHAIN_ID),
  '--slots-in-an-epoch',
  '1',
  '--block-time',
  '2',
  '--mixed-mining',
];

/** @returns {never} */
function refuse(/** @type {string} */ sentence) {
  console.error(sentence);
  process.exit(1);
}

const sentenceOf = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));

readEnvFile();
const { CHAIN_PORT } = process.env;
if (CHAIN_PORT && !(/^[0-9]{1,5}$/.test(CHAIN_PORT) && Number(CHAIN_PORT) > 0 && Number(CHAIN_PORT) < 65_536))
  refuse('CHAIN_PORT must be a port from 1 to 65535.');

await setUp();
const { runAnvil } = await import('../chain/scripts/anvil.mjs');
const { deploy } = await import('../chain/dist/deploy.js');

async function start(/** @type {number | undefined} */ port) {
  const chain = await runAnvil(ARGS, port);
  try {
    const hasEnded = chain.ended.then(() => Promise.reject(new Error('It ended during set-up.')));
    const { contracts } = await Promise.race([deploy({ rpcUrl: chain.url, privateKey: KEY }), hasEnded]);
    console.log(`Chain ${CHAIN_ID} on ${chain.url}, process ${chain.pid}; AnchorHub ${contracts.anchorHub}.`);
    return { ...chain, contracts };
  } catch (error) {
    await chain.stop();
    throw error;
  }
}

let isServing = false;
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isStopping = true;
    // From then on the server handles the signal.
    if (!isServing) process.exit(1);
  });
const first = await start(CHAIN_PORT ? Number(CHAIN_PORT) : undefined).catch((error) =>
  refuse(`The chain could not be started. ${sentenceOf(error)}`),
);
void (async () => {
  for (let { ended } = first; ; ) {
    await ended;
    if (isStopping) return;
    console.log('The chain has ended. Restarting it.');
    await delay(1_000);
    ({ ended } = await start(first.port).catch((error) => {
      console.log(`The chain could not be started. ${sentenceOf(error)}`);
      return { ended: Promise.resolve() };
    }));
  }
})();

Object.assign(process.env, {
  CHAIN_RPC_URL: first.url,
  CHAIN_ID: String(CHAIN_ID),
  CHAIN_PRIVATE_KEY: KEY,
  CHAIN_CONTRACTS: JSON.stringify({ chainId: CHAIN_ID, ...first.contracts }),
});
await import('../server/dist/bin/serve.js');
isServing = true;
