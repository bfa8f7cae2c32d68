import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { fail } from '../../../../base/errors.js';
import type { PersonSheet, SitePeriod } from '../people.js';

/** The transpiled worker: worker threads cannot load TypeScript, and this path is the same from src/ and dist/. */
const WORKER = new URL('../../../../../dist/features/sheets/files/xlsx/xlsx.worker.js', import.meta.url);

let last: Promise<unknown> = Promise.resolve();

/**
 * A workbook without blocking the event loop: the month of 1,200 people takes two seconds. One at a time, because each takes 200 MB.
 * @throws Failure `service_unavailable` if the thread dies, for example because it runs out of memory
 */
export function xlsxInThread(people: readonly PersonSheet[], period: SitePeriod): Promise<Buffer> {
  const writing = last.then(() => write(people, period));
  last = writing.catch(() => undefined);
  return writing;
}

async function write(people: readonly PersonSheet[], period: SitePeriod): Promise<Buffer> {
  const worker = new Worker(WORKER, { env: {}, execArgv: [] });
  const settled = new AbortController();
  const { signal } = settled;
  try {
    worker.postMessage([people, period]);
    const replied = once(worker, 'message', { signal });
    const ended = once(worker, 'exit', { signal }).then(() => Promise.reject(new Error('it ended')));
    const [file] = await Promise.race([replied, ended]);
    return Buffer.from(file as Uint8Array);
  } catch (error) {
    return fail('service_unavailable', { because: `the thread of a workbook died: ${error}` });
  } finally {
    settled.abort();
    await worker.terminate();
  }
}
