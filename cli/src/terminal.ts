import { createInterface } from 'node:readline/promises';

/** The parts of a stream that output depends on. */
export interface Writer {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(count: number, env: object): boolean;
}

export type Env = Readonly<Record<string, string | undefined>>;

const COLOURS = { bold: 1, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Style = (colour: keyof typeof COLOURS, text: string) => string;

/** Colours on a terminal that supports them, unless NO_COLOR or TERM=dumb disables them. */
export function styleFor(stream: Writer, env: Env): Style {
  const colours = stream.isTTY === true && stream.hasColors?.(16, env) === true;
  return (colour, text) => (colours ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text);
}

/** Untrusted text without the characters that control a terminal. */
export const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');

/** Columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => (cells[column] ?? '').length)),
  );
  return rows
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Text for a person who follows several steps. */
export interface Output {
  step(title: string): void;
  line(text: string): void;
}

export function stepsOn(stream: Writer, style: Style): Output {
  let steps = 0;
  return {
    step(title) {
      steps += 1;
      stream.write(`\n${style('cyan', `${steps}.`)} ${style('bold', title)}\n`);
    },
    line: (text) => void stream.write(`   ${text}\n`),
  };
}

/** The progress of long work, on standard error, so that the result can be piped. */
export interface Progress {
  update(text: string): void;
  end(): void;
}

/** On a terminal, one line that changes. On other streams, one line with the title. */
export function progressOn(stream: Writer, title: string): Progress {
  if (stream.isTTY !== true) {
    stream.write(`${title} …\n`);
    return { update() {}, end() {} };
  }
  const rewrite = (text: string) => void stream.write(`\r\u001b[2K${text}`);
  rewrite(`${title} …`);
  return { update: (text) => rewrite(`${title} … ${text}`), end: () => rewrite('') };
}

/** Text that changes on standard error. */
export interface Screen {
  /** Replaces the previous text on a terminal. On other streams, follows it. */
  show(text: string): void;
  /** A line that stays. The next text comes below it. */
  note(line: string): void;
}

export function screenOn(stream: Writer): Screen {
  let rows = 0;
  return {
    show(text) {
      const erase = stream.isTTY === true && rows > 0 ? `\u001b[${rows}F\u001b[0J` : '';
      stream.write(`${erase}${text}\n`);
      const columns = stream.columns || 80;
      rows = text
        .split('\n')
        .reduce((count, line) => count + Math.max(1, Math.ceil(line.length / columns)), 0);
    },
    note(line) {
      stream.write(`${line}\n`);
      rows = 0;
    },
  };
}

/** Asks the person at the terminal, on standard error. Empty if they end the input. */
export async function askOnTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  try {
    return await lines.question(question, { signal: ended.signal });
  } catch (error) {
    if (ended.signal.aborted) return '';
    throw error;
  } finally {
    lines.close();
  }
}
