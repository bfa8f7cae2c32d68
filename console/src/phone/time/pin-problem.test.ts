import { expect, it } from 'vitest';
import { problemOf } from './pin-problem';

it.each(['000000', '777777', '012345', '456789', '789012', '987654', '109876'])('%s is guessable', (pin) => {
  expect(problemOf(pin, pin)).toBe('guessable');
});
it.each(['482915', '012346', '900001'])('%s is not', (pin) => {
  expect(problemOf(pin, pin)).toBeUndefined();
  expect(problemOf(pin, '482916')).toBe('different');
});
