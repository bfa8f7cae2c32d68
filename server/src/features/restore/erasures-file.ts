import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError } from '../../base/config/config.js';
import { isUuid } from '../../base/crypto/random.js';
import { fail } from '../../base/errors.js';
import type { ErasureLine, Erasures } from '../../http/deps.js';
import { ENVIRONMENTS } from '../../model/environment.js';
import { LongLineError, splitLines } from './lines.js';

export interface ErasuresFile extends Erasures {
  /** Every line, oldest first. @throws ConfigError for a line that is no erasure */
  lines(): AsyncGenerator<ErasureLine>;
  close(): Promise<void>;
}

const FIELDS: readonly (keyof ErasureLine)[] = ['tenantId', 'environment', 'userId', 'erasureId', 'erasedAt'];
/** Far more than a line needs. */
const MAX_LINE_BYTES = 4_096;
const NEWLINE = 0x0a;

/** The line in its one form, with the newline. */
const written = (line: ErasureLine): string =>
  `${JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, line[field]])))}\n`;

/** Undefined unless the text is a line as `written` writes it. */
export function readErasure(text: string): ErasureLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const line = value as ErasureLine;
  const isErasure =
    [line.tenantId, line.userId, line.erasureId].every((id) => typeof id === 'string' && isUuid(id)) &&
    ENVIRONMENTS.includes(line.environment) &&
    typeof line.erasedAt === 'string' &&
    !Number.isNaN(Date.parse(line.erasedAt));
  return isErasure && written(line) === `${text}\n` ? line : undefined;
}

/** The position after the last newline. */
async function endOfLines(file: FileHandle, size: number): Promise<number> {
  const chunk = Buffer.alloc(MAX_LINE_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunk.length);
    const { bytesRead } = await file.read(chunk, 0, end - start, start);
    const at = chunk.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

/** The error names the line and not what it says, because this is about persons and goes into the log. */
const malformed = (path: string, number: number) =>
  new ConfigError(
    `ERASURES_FILE: line ${number} of ${path} is not an erasure. Restore the file from its copy, or correct the line by hand. Do not delete it: the person would come back with a restore.`,
  );

async function* readLines(path: string): AsyncGenerator<ErasureLine> {
  try {
    for await (const { number, text } of splitLines(createReadStream(path), MAX_LINE_BYTES)) {
      const line = readErasure(text);
      if (line === undefined) throw malformed(path, number);
      yield line;
    }
  } catch (error) {
    throw error instanceof LongLineError ? malformed(path, error.number) : error;
  }
}

/** Makes the name of a file last that was just created. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** A last line without a newline was being written when the machine stopped, so its erasure was not acknowledged. */
async function cutTornLine(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const end = await endOfLines(file, size);
  if (end < size) {
    await file.truncate(end);
    await file.datasync();
  }
  return end;
}

/**
 * Opens the file of ERASURES_FILE, and creates it if there is none. Cuts off a last line that was not written to its end.
 * @throws ConfigError if it cannot be opened, or has a line that is no erasure
 */
export async function openErasures(path: string): Promise<ErasuresFile> {
  let file: FileHandle;
  let end: number;
  try {
    file = await open(path, 'a+', 0o600);
    await syncFolder(path);
    end = await cutTornLine(file);
  } catch (error) {
    throw new ConfigError(`ERASURES_FILE cannot be used: ${(error as Error).message}`);
  }
  const known = new Set<string>();
  try {
    for await (const { erasureId } of readLines(path)) known.add(erasureId);
  } catch (error) {
    await file.close();
    throw error;
  }

  async function append(line: ErasureLine): Promise<void> {
    if (known.has(line.erasureId)) return;
    const bytes = Buffer.from(written(line));
    try {
      // An append that failed has left half a line, or another process has written.
      if ((await file.stat()).size !== end) end = await cutTornLine(file);
      await file.appendFile(bytes);
      await file.datasync();
    } catch (error) {
      fail('service_unavailable', {
        because: `ERASURES_FILE cannot be written: ${(error as Error).message}`,
      });
    }
    end += bytes.length;
    known.add(line.erasureId);
  }

  let last: Promise<void> = Promise.resolve();
  return {
    record(line) {
      // One after another. The failure of one is not that of the next.
      const appending = last.then(() => append(line));
      last = appending.catch(() => {});
      return appending;
    },
    lines: () => readLines(path),
    close: () => last.then(() => file.close()),
  };
}
