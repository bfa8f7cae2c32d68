import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { enrolmentLeaf } from './enrolment-leaf.js';
import type { Receipt } from './receipt.js';

const { good } = JSON.parse(
  readFileSync(new URL('../../../docs/vectors/receipts.json', import.meta.url), 'utf8'),
) as { good: { name: string; receipt: Receipt }[] };

it.each(good)('the leaf of each enrolment is the one that its row names: $name', ({ receipt }) => {
  const { statement, decisions, chain } = receipt;
  for (const { leaf, seq } of decisions.flatMap(({ enrolment }) => enrolment)) {
    const named = chain.find(({ row }) => row.seq === seq)?.row.metadata;
    expect(named).toMatchObject({ identity_leaf: enrolmentLeaf(statement, leaf) });
  }
  expect(chain.length).toBeGreaterThan(0);
});
