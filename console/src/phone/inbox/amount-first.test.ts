import { expect, test } from 'vitest';
import { amountFirst } from './amount-first';

test('shows what a request is about in money, wherever the company put it', () => {
  const about = (value: string) => ({ label: 'x', value });
  const names = [about('Ada Lovelace'), about('2026-05-12'), about('IBAN DE02 1203')];
  for (const amount of ['€ 1.200,00', '1,200.00 €', '$5', 'EUR 1200', '1200 CHF'])
    expect(amountFirst([...names, about(amount)])[0]).toEqual(about(amount));
  expect(amountFirst(names)).toEqual(names);
});
