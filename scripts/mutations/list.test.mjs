import { describe, expect, test } from 'vitest';
import { findMisfits, mutations, testOf, touches } from './list.mjs';

const [example] = mutations;
const misfitsOf = (/** @type {Partial<import('./list.mjs').Mutation>} */ change) =>
  findMisfits([{ ...example, ...change }]);

describe('the mutations', () => {
  test('each fit their file and name an existing test file', () => {
    expect(findMisfits(mutations)).toEqual([]);
  });

  test('have unique names', () => {
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
  });

  test.each([
    ['text that is not in the file', { find: 'no such text' }, 'occurs 0 times'],
    ['text that occurs twice', { find: '\n' }, 'it must occur once'],
    ['a file that is gone', { file: 'server/src/gone.ts' }, 'occurs 0 times'],
    ['no change', { replace: example.find }, 'it changes nothing'],
    ['a test file that is gone', { test: 'server/test/gone.test.ts > a > b' }, 'there is no file'],
  ])('do not fit with %s', (_, change, reason) => {
    expect(misfitsOf(change)).toEqual([expect.stringContaining(reason)]);
  });

  test('are affected only by a change of their code or their test', () => {
    for (const file of [example.file, testOf(example.test).file])
      expect(touches(new Set([file]), example)).toBe(true);
    expect(touches(new Set(['README.md']), example)).toBe(false);
  });
});
