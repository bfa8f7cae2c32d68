import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { UsageError } from './failure.js';

/** A device or a folder can't be replaced by a file. */
const isReplaceable = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;

/**
 * Writes a file with mode 600, which appears under its name when it is complete. If something fails before, a file that was there
 * stays as it was.
 */
export async function writeWhole(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  if (!isReplaceable(path)) throw new UsageError(`${path} cannot be written: it is not a regular file.`);
  const temporary = `${path}.${randomUUID()}.part`;
  const named = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: Error) => {
      throw new UsageError(`${path} cannot be written: ${error.message}`);
    });
  try {
    const file = await named(open(temporary, 'wx', 0o600));
    try {
      for await (const piece of pieces) await named(file.writeFile(piece));
      await named(file.sync());
    } finally {
      await file.close();
    }
    await named(rename(temporary, path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
