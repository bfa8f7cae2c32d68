import { expect, it } from 'vitest';
import { explorerOf, nameOfChain } from './chains';

it('names blockchains that are known, and the others by their id', () => {
  expect(nameOfChain(1)).toBe('Ethereum');
  expect(nameOfChain(31_337)).toBe('Chain 31337');
});

it('links to a block explorer only where there is one', () => {
  expect(explorerOf(100, '0xab')).toBe('https://gnosisscan.io/tx/0xab');
  expect(explorerOf(31_337, '0xab')).toBeUndefined();
});
