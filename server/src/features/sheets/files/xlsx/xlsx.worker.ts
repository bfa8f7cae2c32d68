import { parentPort } from 'node:worker_threads';
import { sheetsXlsx } from './xlsx.js';

/** Writes one workbook. What goes wrong ends the thread. */
parentPort?.once('message', (args: Parameters<typeof sheetsXlsx>) => {
  void sheetsXlsx(...args).then((file) => parentPort?.postMessage(file));
});
