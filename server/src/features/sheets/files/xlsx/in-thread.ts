import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { fail } from '../../../../base/errors.js';
import type { People, SitePeriod } from '../people.js';

/** The transpiled worker: worker threads cannot load TypeScript, and this path is the same from src/ and dist/. */
const WORKER = new URL('../../../../../dist/features/sheets/files/xlsx/xlsx.worker.js', import.meta.url);

let last: Promise<unknown> = Promise.resolve();

/**
 * A workbook without blocking the event loop: the month of 1,200 people takes two seconds. One at a time, because each takes 200 MB. People
 * are read while the thread starts and makes rows of those before them.
 * @throws Failure `service_unavailable` if the thread dies, for example because it runs out of memory
 */
export function xlsxInThread(people: People, period: SitePeriod): Promise<Buffer> {
  const writing = last.then(() => write(people, period));
  last = writing.catch(() => undefined);
  return writing;
}

async function write(people: People, period: SitePeriod): Promise<Buffer> {
  const worker = new Worker(WORKER, { env: {}, execArgv: [], workerData: period });
  const settled = new AbortController();
  const { signal } = settled;
  try {
    const [file] = await Promise.all([fileOf(worker, signal), send(people, worker, signal)]);
    return Buffer.from(file);
  } finally {
    settled.abort();
    await worker.terminate();
  }
}

async function fileOf(worker: Worker, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const replied = once(worker, 'message', { signal });
    const ended = once(worker, 'exit', { signal }).then(() => Promise.reject(new Error('it ended')));
    const [file] = await Promise.race([replied, ended]);
    return file as Uint8Array;
  } catch (error) {
    return fail('service_unavailable', { because: `the thread of a workbook died: ${error}` });
  }
}

/** Sends each person, and null after the last. */
async function send(people: People, worker: Worker, signal: AbortSignal): Promise<void> {
  for await (const person of people) {
    if (signal.aborted) return;
    worker.postMessage(person);
  }
  worker.postMessage(null);
}
