import { expect, it } from 'vitest';
import { alterations, altered, changed, fieldsOf, GOOD } from '../../test/receipt-vectors.js';
import { verifyReceipt } from '../receipts.js';

it('refuses every receipt of which one byte of one field was altered', { tags: ['ci'] }, async () => {
  const all = alterations();
  expect(all.length).toBeGreaterThan(500);
  const accepted: string[] = [];
  for (const { name, text, options } of all) if ((await verifyReceipt(text, options)).ok) accepted.push(name);
  expect(accepted).toEqual([]);
});

it('refuses a head that was kept of which one byte of one field was altered', async () => {
  const accepted: string[] = [];
  for (const { text, options } of GOOD.slice(0, 2))
    for (const [at, path] of fieldsOf(options.head).entries()) {
      const value = Reflect.get(options.head as object, path[0] as string);
      const head = changed(options.head as object, path, altered(value, at)) as typeof options.head;
      const keys = path[0] === 'keyId' ? {} : options.keys;
      if ((await verifyReceipt(text, { ...options, head, keys })).ok) accepted.push(path.join('.'));
    }
  expect(accepted).toEqual([]);
});
