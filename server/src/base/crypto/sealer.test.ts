import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyring } from './keyring.js';
import { systemRandom } from './random.js';
import {
  createSealer,
  type DeploymentKey,
  openKey,
  type SealContext,
  SealError,
  type Sealer,
  type SealPurpose,
  sealKey,
} from './sealer.js';

const newKey = (id: string): DeploymentKey => ({ id, bytes: systemRandom.bytes(32) });
const FIRST = newKey('0196c3a0-0000-7000-8000-000000000001');
const SECOND = newKey('0196c3a0-0000-7000-8000-000000000002');

/** Seals with the last of the keys. */
const sealerWith = (...keys: DeploymentKey[]): Sealer =>
  createSealer(
    {
      newest: async () => keys.at(-1)!,
      find: async (id) => keys.find((key) => key.id === id),
    },
    systemRandom,
  );

const HERE: SealContext = {
  tenantId: '0196c3a0-0000-7000-8000-00000000000a',
  environment: 'live',
  table: 'webhooks',
  column: 'secret',
  id: '0196c3a0-0000-7000-8000-00000000000b',
};
const places: fc.Arbitrary<{ purpose: SealPurpose; context: SealContext }> = fc.record({
  // Other purposes will follow.
  purpose: fc.constantFrom('webhooks', 'people' as SealPurpose),
  context: fc.record({
    tenantId: fc.string({ unit: 'binary' }),
    environment: fc.constantFrom('live', 'test'),
    table: fc.string({ unit: 'binary' }),
    column: fc.string({ unit: 'binary' }),
    id: fc.string({ unit: 'binary' }),
  }),
});
const values = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
const BASE64URL = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];

describe('a sealed value', () => {
  it('opens where it was sealed', async () => {
    await fc.assert(
      fc.asyncProperty(places, values, async ({ purpose, context }, value) => {
        const sealer = sealerWith(FIRST);
        const sealed = await sealer.seal(purpose, context, value);
        expect(await sealer.open(purpose, { ...context }, sealed)).toEqual(value);
      }),
    );
  });

  it('has its version and the id of its key, and nothing of the value', async () => {
    const value = Buffer.from('a secret of a tenant');
    const sealed = await sealerWith(FIRST, SECOND).seal('webhooks', HERE, value);
    expect(sealed).toMatch(new RegExp(`^v1\\.${SECOND.id}\\.[\\w-]{64}$`));
    expect(Buffer.from(sealed.split('.')[2]!, 'base64url').includes(value)).toBe(false);
  });

  it('is another each time', async () => {
    const sealed = await Promise.all(
      Array.from({ length: 50 }, () => sealerWith(FIRST).seal('webhooks', HERE, Buffer.from('x'))),
    );
    expect(new Set(sealed).size).toBe(50);
  });

  it.each([
    ['tenant', { tenantId: '0196c3a0-0000-7000-8000-00000000000c' }],
    ['environment', { environment: 'test' }],
    ['table', { table: 'people' }],
    ['column', { column: 'previous_secret' }],
    ['row', { id: '0196c3a0-0000-7000-8000-00000000000c' }],
  ] as const)('does not open in another %s', async (_, other) => {
    const sealer = sealerWith(FIRST);
    const sealed = await sealer.seal('webhooks', HERE, Buffer.from('x'));
    await expect(sealer.open('webhooks', { ...HERE, ...other }, sealed)).rejects.toThrow(SealError);
  });

  it('does not open for another purpose', async () => {
    const sealer = sealerWith(FIRST);
    const sealed = await sealer.seal('webhooks', HERE, Buffer.from('x'));
    await expect(sealer.open('people' as SealPurpose, HERE, sealed)).rejects.toThrow(SealError);
  });

  it('opens in no other place, even if the joined texts of both places are the same', async () => {
    const isSame = (left: object, right: object) => JSON.stringify(left) === JSON.stringify(right);
    await fc.assert(
      fc.asyncProperty(places, places, fc.nat(3), async (here, there, cut) => {
        const sealer = sealerWith(FIRST);
        const sealed = await sealer.seal(here.purpose, here.context, Buffer.from('x'));
        const { table, column } = here.context;
        // The same characters, divided differently.
        const shifted = { table: table + column.slice(0, cut), column: column.slice(cut) };
        for (const { purpose, context } of [there, { ...here, context: { ...here.context, ...shifted } }])
          if (!isSame({ purpose, context }, here))
            await expect(sealer.open(purpose, context, sealed)).rejects.toThrow(SealError);
      }),
    );
  });

  it('does not open after a change of any one character', { tags: ['ci'] }, async () => {
    const sealer = sealerWith(FIRST, SECOND);
    // Of each length modulo 3, so that base64url ends with unused bits or with none.
    for (const value of ['', 'x', 'xy', 'xyz']) {
      const sealed = await sealer.seal('webhooks', HERE, Buffer.from(value));
      for (const [at, character] of [...sealed].entries())
        for (const other of [...BASE64URL, '.', '=', ' '].filter((each) => each !== character)) {
          const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
          await expect(sealer.open('webhooks', HERE, changed), changed).rejects.toThrow(SealError);
        }
    }
  });

  it('does not open after characters were added or removed', async () => {
    const sealer = sealerWith(FIRST);
    const sealed = await sealer.seal('webhooks', HERE, Buffer.from('x'));
    const added = ['.', '=', 'A', '\n', '.A'].map((text) => sealed + text);
    const removed = [...sealed].map((_, at) => sealed.slice(0, at) + sealed.slice(at + 1));
    for (const changed of [...added, ...removed, ` ${sealed}`, '', 'v1..', `v1.${FIRST.id}.`, 'a raw secret'])
      await expect(sealer.open('webhooks', HERE, changed), changed).rejects.toThrow(SealError);
  });

  it('opens after a new key was added, and new values are sealed with the new key', async () => {
    const before = await sealerWith(FIRST).seal('webhooks', HERE, Buffer.from('x'));
    const rotated = sealerWith(FIRST, SECOND);
    expect((await rotated.open('webhooks', HERE, before)).toString()).toBe('x');
    const after = await rotated.seal('webhooks', HERE, Buffer.from('x'));
    expect((await sealerWith(SECOND).open('webhooks', HERE, after)).toString()).toBe('x');
    await expect(sealerWith(SECOND).open('webhooks', HERE, before)).rejects.toThrow('unknown key');
  });

  it('does not open with other bytes under the same key id', async () => {
    const sealed = await sealerWith(FIRST).seal('webhooks', HERE, Buffer.from('x'));
    await expect(sealerWith(newKey(FIRST.id)).open('webhooks', HERE, sealed)).rejects.toThrow(SealError);
  });
});

describe('a sealed key', () => {
  const { current } = createKeyring('the old secret, 32 bytes and more.');
  const other = createKeyring('the new secret, 32 bytes and more.').current;

  it('opens under its server secret and id only', () => {
    const sealed = sealKey(current, FIRST, systemRandom);
    expect(openKey(current, FIRST.id, sealed)).toEqual(FIRST);
    expect(openKey(other, FIRST.id, sealed)).toBeUndefined();
    expect(openKey(current, SECOND.id, sealed)).toBeUndefined();
  });

  it('does not open after a change of any one character', { tags: ['ci'] }, () => {
    const sealed = sealKey(current, FIRST, systemRandom);
    for (const [at, character] of [...sealed].entries())
      for (const changed of BASE64URL.filter((each) => each !== character))
        expect(
          openKey(current, FIRST.id, sealed.slice(0, at) + changed + sealed.slice(at + 1)),
        ).toBeUndefined();
  });
});
