import { hashLeaf, IDENTITY, wordOf } from '@svc/chain/leaves';
import { expect, it } from 'vitest';
import { leadsToRoot, toAnchor } from './anchor.js';

const [tag, first, second, salt] = [1, 2, 3, 4].map(wordOf) as [string, string, string, string];
const ANCHOR = {
  batchId: 1,
  leaf: { kind: IDENTITY, tag: `0x${tag}`, first: `0x${first}`, second: `0x${second}` },
  salt: `0x${salt}`,
  proof: [],
  root: `0x${hashLeaf({ kind: IDENTITY, tag, first, second, salt })}`,
  chainId: 1,
  contract: `0x${'a'.repeat(40)}`,
};

it('reads a proof alone or in the `anchor` of a reply', () => {
  for (const value of [ANCHOR, { anchor: ANCHOR }]) expect(toAnchor(value)).toEqual(ANCHOR);
  expect(leadsToRoot(ANCHOR)).toBe(true);
});

it.each([
  ['contract', [ANCHOR.contract], { toString: 'x' }, '0x1', ANCHOR.contract.replace('0x', '0X'), undefined],
  ['chainId', '1', 0, 1.5, [1], 2 ** 53],
  ['batchId', '1', 0, -1, null],
  ['salt', [ANCHOR.salt], ANCHOR.salt.replace('0x', '0X'), '0x', 7],
  ['root', [ANCHOR.root], ANCHOR.root.toUpperCase()],
  ['proof', {}, ANCHOR.root, [[ANCHOR.root]], Array.from({ length: 65 }, () => ANCHOR.root)],
  ['leaf', null, [], 'x', { ...ANCHOR.leaf, kind: '1' }, { ...ANCHOR.leaf, tag: [ANCHOR.leaf.tag] }],
])('rejects a proof with a malformed %s', (field, ...values) => {
  for (const value of values) expect(toAnchor({ ...ANCHOR, [field]: value })).toBeUndefined();
});
