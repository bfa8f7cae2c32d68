import type { SignedHead } from '@svc/sdk';
import { expect, test } from 'vitest';
import { checkChain } from './check-chain';

type Audit = Parameters<typeof checkChain>[0];
type Verify = NonNullable<Parameters<Audit['verify']>[0]>;

/** A service whose newest head is given by each check, and what the SDK was asked to verify. */
function service(...heads: Partial<SignedHead>[]) {
  const asked: Verify[] = [];
  const audit = {
    list: () => ({ first: async () => ({ head: heads.shift() }) }),
    verify: async (options: Verify) => {
      asked.push(options);
      options.onProgress?.(5);
      return { holds: true };
    },
  } as unknown as Audit;
  return { audit, asked };
}
const options = { tenantId: 'tenant', signal: new AbortController().signal, onProgress: () => {} };

test('every check of a page is held to the first head that the page saw, and to its key', async () => {
  const first = { seq: 3, publicKey: 'first key' };
  const { audit, asked } = service(first, { seq: 9, publicKey: 'another key' });
  const kept = { current: undefined };
  await checkChain(audit, kept, options);
  await checkChain(audit, kept, options);
  expect(asked).toMatchObject([
    { tenantId: 'tenant', since: first, publicKey: 'first key' },
    { tenantId: 'tenant', since: first, publicKey: 'first key' },
  ]);
});

test('progress counts up to the newest head, and past it when rows are added meanwhile', async () => {
  for (const [seq, progress] of [
    [
      8,
      [
        [0, 8],
        [5, 8],
      ],
    ],
    [
      3,
      [
        [0, 3],
        [5, 5],
      ],
    ],
  ] as const) {
    const seen: [number, number][] = [];
    const onProgress = (rows: number, of: number) => seen.push([rows, of]);
    await checkChain(service({ seq }).audit, { current: undefined }, { ...options, onProgress });
    expect(seen).toEqual(progress);
  }
});
