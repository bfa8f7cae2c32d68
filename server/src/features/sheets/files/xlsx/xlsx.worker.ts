import { on } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { PersonSheet } from '../people.js';
import { sheetsXlsx } from './xlsx.js';

/** The people that are sent. */
async function* peopleFrom(port: MessagePort): AsyncGenerator<PersonSheet> {
  for await (const [person] of on(port, 'message')) {
    if (person === null) return;
    yield person;
  }
}

/** Writes one workbook. What goes wrong ends the thread. */
if (parentPort) parentPort.postMessage(await sheetsXlsx(peopleFrom(parentPort), workerData));
