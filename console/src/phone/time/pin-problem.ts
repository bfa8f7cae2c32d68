export type PinProblem = 'guessable' | 'different';

const DIGITS = '01234567890123456789';

/** Why the service would not take a PIN: it is one digit six times, or six digits in a row. Or it was typed in two ways. */
export function problemOf(pin: string, again: string): PinProblem | undefined {
  const isRow = DIGITS.includes(pin) || DIGITS.includes([...pin].reverse().join(''));
  if (isRow || /^(.)\1*$/.test(pin)) return 'guessable';
  return pin === again ? undefined : 'different';
}
