import type { Options } from '../command.js';
import { UsageError } from '../failure.js';

/** The value of an option as a number; undefined if it is not given. The service checks its range. */
export function wholeNumber(options: Options, name: string): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  if (/^[0-9]{1,15}$/.test(String(text))) return Number(text);
  const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(`--${option} must be a whole number.`);
}
