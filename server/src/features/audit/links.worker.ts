import { parentPort } from 'node:worker_threads';
import { followLinks } from '../../kernel/audit-chain.js';

parentPort?.on('message', ({ prevHash, links }: { prevHash: string; links: string }) =>
  parentPort?.postMessage(followLinks(prevHash, links)),
);
