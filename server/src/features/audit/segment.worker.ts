import { parentPort } from 'node:worker_threads';
import { followSegment } from './segment.js';

parentPort?.on('message', (args: Parameters<typeof followSegment>) =>
  parentPort?.postMessage(followSegment(...args)),
);
