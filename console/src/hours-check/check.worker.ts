/** Checks the file of a month beside the page, which stays responsive: a month can have a hundred thousand proofs. */
import { verifyHours } from '@svc/sdk/hours';
import { boundedStore, TooLarge } from './bounded-store';
import { type Header, readHeader } from './header';
import type { FromWorker, KeptTree, ToWorker } from './messages';

/** Characters. An event takes 350 of them. */
const ROOM = 256 * 1024 * 1024;

const post = (message: FromWorker) => postMessage(message);

/** What the page sends next. */
const next = (name: 'head' | 'piece') =>
  new Promise<unknown>((resolve) => {
    const take = ({ data }: MessageEvent<ToWorker>) => resolve((data as Record<string, unknown>)[name]);
    addEventListener('message', take, { once: true });
  });

/** The pieces of the file. Each is asked for once the one before it was checked, so that they don't pile up. */
async function* pieces(onHeader: (header: Header | undefined) => void): AsyncGenerator<Uint8Array> {
  const start = readHeader(onHeader);
  for (;;) {
    const [piece] = await Promise.all([next('piece'), post({ wants: 'a piece' })]);
    const bytes = piece as Uint8Array | undefined;
    if (bytes === undefined) return;
    start(bytes);
    yield bytes;
  }
}

async function check(head: KeptTree | undefined): Promise<void> {
  const store = boundedStore(ROOM);
  let header: Header | undefined;
  const onHeader = (found: Header | undefined) => {
    header = found;
  };
  try {
    const verdict = await verifyHours(pieces(onHeader), {
      ...{ head, store },
      // The page says that they are.
      allowDevelopmentKeys: true,
      onProgress: (_, entries) => post({ entries }),
    });
    const { tree, log, timeZone, isForgeable = false } = header ?? {};
    post({ checked: { verdict, tree, log, timeZone, isForgeable, names: store.names } });
  } catch (error) {
    post({ failed: error instanceof TooLarge ? 'too large' : 'unexpected' });
  }
}

void next('head').then((head) => check(head as KeptTree | undefined));
