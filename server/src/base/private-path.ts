import { chmodSync, statSync } from 'node:fs';

/** Whether others than the owner have the permissions in `mask`. Always false where file modes have no meaning. */
export const isOpenTo = (path: string, mask: number): boolean =>
  process.platform !== 'win32' && (statSync(path).mode & mask) !== 0;

/** Removes all permissions of others than the owner. A path that we may not change stays as it is; `svc doctor` reports it. */
export function makePrivate(path: string): void {
  if (!isOpenTo(path, 0o077)) return;
  try {
    chmodSync(path, statSync(path).mode & 0o700);
  } catch (error) {
    if (!/^(EPERM|EROFS|ENOTSUP)$/.test(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}
