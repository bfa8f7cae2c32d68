import type { SignedHead } from '@svc/sdk';
import { expect, test } from 'vitest';
import { checkChain } from './check-chain';

type Audit = Parameters<typeof checkChain>[0];
type Verify = NonNullable<Parameters<Audit['verify']>[0]>;

/** A fake service that returns the next head on each call, and records the options of each `verify` call. */
function service(...heads: Partial<SignedHead>[]) {
  const calls: Verify[] = [];
  const audit = {
    list: () => ({ first: async () => ({ head: heads.shift() }) }),
    verify: async (options: Verify) => {
      calls.push(options);
      options.onProgress?.(5);
      return { holds: true };
    },
  } as unknown as Audit;
  return { audit, calls };
}
const options = { tenantId: 'tenant', signal: new AbortController().signal, onProgress: () => {} };

test('verifies every time against the first head that the page saw, and its key', async () => {
  const first = { seq: 3, publicKey: 'first key' };
  const { audit, calls } = service(first, { seq: 9, publicKey: 'another key' });
  const firstHead = { current: undefined };
  await checkChain(audit, firstHead, options);
  await checkChain(audit, firstHead, options);
  expect(calls).toMatchObject([
    { tenantId: 'tenant', since: first, publicKey: 'first key' },
    { tenantId: 'tenant', since: first, publicKey: 'first key' },
  ]);
});

test('counts progress up to the newest head, and past it if entries are added during the check', async () => {
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
