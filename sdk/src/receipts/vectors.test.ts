import { describe, expect, it } from 'vitest';
import { BAD, GOOD } from '../../test/receipt-vectors.js';
import { verifyReceipt } from '../receipts.js';

describe('verifyReceipt and the published receipts', () => {
  it.each(GOOD)('accepts one $name', async ({ text, options }) => {
    const verdict = await verifyReceipt(text, options);
    expect(verdict).toMatchObject({ ok: true, code: options.rows ? 'valid' : 'in_force_unchecked' });
  });

  it('says in_force_unchecked of an identity that was revoked before, without the rows that say so [approvals/receipt-without-rows]', async () => {
    const { text, options } = GOOD.find(({ name }) => /revoked before/.test(name)) as (typeof GOOD)[number];
    expect(await verifyReceipt(text, options)).toMatchObject({ ok: true, code: 'in_force_unchecked' });
  });

  it.each(BAD)('refuses $name: $code', async ({ text, options, code }) => {
    expect(await verifyReceipt(text, options)).toMatchObject({ ok: false, code });
  });
});
