import type { HoursHeader, HoursLine } from '@svc/zk/time/hours-file';
import { HoursFault } from './fault.js';

export interface ReadLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly value: HoursLine | HoursHeader;
}

/** A punch has 3 KB, a correction 10, and an event at most 16 KiB of metadata. */
const MAX_LINE_LENGTH = 256 * 1024;

/** The lines of a file. @throws HoursFault `malformed`, `incomplete` */
export async function* readLines(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<ReadLine> {
  let rest = '';
  let number = 0;
  for await (const piece of pieces) {
    const texts = (rest + piece).split('\n');
    rest = texts.pop() as string;
    for (const text of texts) yield parse(text, ++number);
    if (rest.length > MAX_LINE_LENGTH) throw tooLong(number + 1);
  }
  if (rest !== '') throw new HoursFault('incomplete', `The file was cut off: line ${number + 1} has no end.`);
}

const tooLong = (number: number) =>
  new HoursFault('malformed', `Line ${number} is longer than ${MAX_LINE_LENGTH} characters.`);

/** Each value has one spelling, because two programs could read a repeated name or a large number differently. */
function parse(text: string, number: number): ReadLine {
  if (text.length > MAX_LINE_LENGTH) throw tooLong(number);
  if (number === 1 && text.startsWith('\uFEFF'))
    throw new HoursFault(
      'malformed',
      'The file begins with a byte order mark: another program has written it anew.',
    );
  if (text.endsWith('\r'))
    throw new HoursFault(
      'malformed',
      `Line ${number} ends with CR LF: another program has written the file anew.`,
    );
  let value: unknown;
  let again: string | undefined;
  try {
    value = JSON.parse(text);
    again = JSON.stringify(value);
  } catch {
    throw new HoursFault('malformed', `Line ${number} is not JSON, or nested too deeply.`);
  }
  if (again !== text)
    throw new HoursFault('malformed', `Line ${number} is not written as the service writes it.`);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new HoursFault('malformed', `Line ${number} is not one of such a file.`);
  return { number, text, value: value as ReadLine['value'] };
}
