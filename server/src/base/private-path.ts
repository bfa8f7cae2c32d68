import { chmodSync, statSync } from 'node:fs';

/** Whether anybody but its owner may do with a path what the mask says; nobody where modes mean nothing. */
export const isOpenTo = (path: string, mask: number): boolean =>
  process.platform !== 'win32' && (statSync(path).mode & mask) !== 0;

/** Takes a path from all but its owner. What is not ours to change stays as it is; `svc doctor` tells. */
export function makePrivate(path: string): void {
  if (!isOpenTo(path, 0o077)) return;
  try {
    chmodSync(path, statSync(path).mode & 0o700);
  } catch (error) {
    if (!/^(EPERM|EROFS|ENOTSUP)$/.test(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}
