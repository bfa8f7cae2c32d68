import { ReceiptFault } from '../fault.js';

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 16;

const malformed = (message: string): never => {
  throw new ReceiptFault('malformed', message);
};

/**
 * Parses JSON that has one meaning only: `JSON.parse` keeps the last of two equal keys, where another program keeps the first, and rounds
 * large numbers. Numbers are integers that a double holds exactly.
 * @throws ReceiptFault `malformed`
 */
export function parseStrictly(file: string | Uint8Array): unknown {
  return new Parser(textOf(file)).parse();
}

function textOf(file: string | Uint8Array): string {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  if (bytes.length > MAX_BYTES) return malformed('The file has more than 256 KiB.');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return malformed('The file is not UTF-8.');
  }
}

const SPACE = /[ \t\n\r]*/y;
const INTEGER = /-?(?:0|[1-9][0-9]*)(?![0-9.eE])/y;
// Control characters must be escaped in JSON.
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is the rule
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /true|false|null/y;
const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

class Parser {
  readonly #text: string;
  #at = 0;
  constructor(text: string) {
    this.#text = text;
  }

  parse(): unknown {
    const value = this.#value(0);
    this.#take(SPACE);
    return this.#at === this.#text.length ? value : this.#unreadable();
  }

  #value(depth: number): unknown {
    if (depth > MAX_DEPTH) return malformed(`The file is nested more than ${MAX_DEPTH} levels deep.`);
    this.#take(SPACE);
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#list(']', () => this.#value(depth + 1));
      case '"':
        return this.#string();
      default:
        return this.#scalar();
    }
  }

  #object(depth: number): object {
    const entries = this.#list('}', () => {
      this.#take(SPACE);
      const key = this.#string();
      this.#take(SPACE);
      this.#skip(':');
      return [key, this.#value(depth + 1)] as const;
    });
    const keys = new Set<string>();
    for (const [key] of entries) {
      if (keys.has(key)) return malformed('The file has a key twice in one object.');
      keys.add(key);
    }
    // Defines properties, so that the key `__proto__` is one like any other.
    return Object.fromEntries(entries);
  }

  #list<T>(end: ']' | '}', item: () => T): T[] {
    this.#at += 1;
    this.#take(SPACE);
    const items: T[] = [];
    if (this.#text[this.#at] !== end) {
      items.push(item());
      for (this.#take(SPACE); this.#text[this.#at] === ','; this.#take(SPACE)) {
        this.#at += 1;
        items.push(item());
      }
    }
    this.#skip(end);
    return items;
  }

  #string(): string {
    const value = JSON.parse(this.#take(STRING) ?? this.#unreadable()) as string;
    return /\p{Surrogate}/u.test(value) ? malformed('The file has half of a surrogate pair.') : value;
  }

  #scalar(): unknown {
    const word = this.#take(WORD);
    if (word !== undefined) return WORDS[word];
    const digits = this.#take(INTEGER) ?? this.#unreadable();
    const value = Number(digits);
    return Number.isSafeInteger(value) && digits !== '-0'
      ? value
      : malformed('The file has a number that is not an integer of at most 53 bits.');
  }

  #take(form: RegExp): string | undefined {
    form.lastIndex = this.#at;
    const found = form.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #skip(character: string): void {
    if (this.#text[this.#at] !== character) this.#unreadable();
    this.#at += 1;
  }

  #unreadable(): never {
    return malformed('The file is not JSON, or has a number that is not an integer.');
  }
}
