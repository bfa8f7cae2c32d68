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
/** The service takes 16 levels. Programs differ in how many they can read. */
const MAX_DEPTH = 32;

/** A file in pieces: bytes of UTF-8, or text. */
export type Pieces =
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>
  | ReadableStream<Uint8Array>;

/** The lines of a file. @throws HoursFault `malformed`, `incomplete` */
export async function* readLines(pieces: Pieces): AsyncGenerator<ReadLine> {
  let rest = '';
  let number = 0;
  for await (const piece of decoded(pieces)) {
    const texts = (rest + piece).split('\n');
    rest = texts.pop() as string;
    for (const text of texts) yield parse(text, ++number);
    if (rest.length > MAX_LINE_LENGTH) throw tooLong(number + 1);
  }
  if (rest !== '') throw new HoursFault('incomplete', `The file was cut off: line ${number + 1} has no end.`);
}

/** Not every browser reads streams by `for await`. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

async function* decoded(pieces: Pieces): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const piece of 'getReader' in pieces ? piecesOf(pieces) : pieces)
      yield typeof piece === 'string' ? piece : utf8.decode(piece, { stream: true });
    yield utf8.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new HoursFault('malformed', 'The file is not UTF-8.');
    throw error;
  }
}

const tooLong = (number: number) =>
  new HoursFault('malformed', `Line ${number} is longer than ${MAX_LINE_LENGTH} characters.`);

/** Each value has one spelling, because two programs could read a repeated name or a large number differently. */
function parse(text: string, number: number): ReadLine {
  if (text.length > MAX_LINE_LENGTH) throw tooLong(number);
  if (number === 1 && text.startsWith('\uFEFF'))
    throw new HoursFault(
      'malformed',
      'The file begins with a byte order mark: another program has rewritten it.',
    );
  if (text.endsWith('\r'))
    throw new HoursFault(
      'malformed',
      `Line ${number} ends with CR LF: another program has rewritten the file.`,
    );
  let value: unknown;
  let again: string | undefined;
  try {
    value = JSON.parse(text);
    again = isDeeper(value, MAX_DEPTH) ? undefined : JSON.stringify(value);
  } catch {}
  if (again === undefined)
    throw new HoursFault('malformed', `Line ${number} is not JSON, or nested too deeply.`);
  if (again !== text)
    throw new HoursFault('malformed', `Line ${number} is not written as the service writes it.`);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new HoursFault('malformed', `Line ${number} is not one of such a file.`);
  return { number, text, value: value as ReadLine['value'] };
}

const isDeeper = (value: unknown, than: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (than === 0 || Object.values(value).some((each) => isDeeper(each, than - 1)));
