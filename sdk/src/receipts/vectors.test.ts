import { describe, expect, it } from 'vitest';
import { BAD, GOOD } from '../../test/receipt-vectors.js';
import { verifyReceipt } from '../receipts.js';

describe('verifyReceipt and the published receipts', () => {
  it.each(GOOD)('accepts one $name', async ({ text, options }) => {
    const verdict = await verifyReceipt(text, options);
    expect(verdict).toMatchObject({ ok: true });
  });

  it.each(BAD)('refuses $name: $code', async ({ text, options, code }) => {
    expect(await verifyReceipt(text, options)).toMatchObject({ ok: false, code });
  });
});
