import { parentPort } from 'node:worker_threads';
import { checkRows } from './check-rows.js';

parentPort?.on('message', (args: Parameters<typeof checkRows>) =>
  parentPort?.postMessage(checkRows(...args)),
);
