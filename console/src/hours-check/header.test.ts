import { expect, it } from 'vitest';
import { type Header, readHeader } from './header';

const LINE = JSON.stringify({
  ...{ site: { timeZone: 'Europe/Berlin', name: 'Köln' }, setup: { kind: 'development' } },
  ...{ tree: { size: 7 }, publicKey: 'key', tenantId: 'acme', environment: 'live' },
});

function read(...pieces: Uint8Array[]): (Header | undefined)[] {
  const found: (Header | undefined)[] = [];
  const take = readHeader((header) => found.push(header));
  for (const piece of pieces) take(piece);
  return found;
}

const bytes = (text: string) => new TextEncoder().encode(text);

it('reads the first line once, in whatever pieces it comes', () => {
  const all = bytes(`${LINE}\n${LINE}\n`);
  const header = {
    tree: { size: 7, publicKey: 'key' },
    log: 'acme live',
    timeZone: 'Europe/Berlin',
    isForgeable: true,
  };
  expect(read(all)).toEqual([header]);
  expect(read(...Array.from(all, (byte) => Uint8Array.of(byte)))).toEqual([header]);
});

it('knows nothing of a line that is none of such a file', () => {
  expect(read(bytes('{}\n'))).toEqual([undefined]);
  expect(read(bytes('x'.repeat(70_000)), bytes('\n'))).toEqual([undefined]);
  expect(read(bytes(LINE))).toEqual([]);
});
